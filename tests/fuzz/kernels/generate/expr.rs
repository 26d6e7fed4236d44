//! Expressions of a wanted type.

use super::kernel::Kernel;
use super::types::{INTS, NUMBERS, Ty};

impl Kernel {
    pub fn literal(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Bool => self.random.pick(&["true", "false"]).to_owned(),
            Ty::Usize => format!("{}usize", self.random.pick(&[0, 1, 2, 5, 16])),
            Ty::F16 | Ty::Bf16 => {
                let x = self.random.pick(&["0.0", "1.0", "-1.5", "0.1", "1000.0", "7e-6"]);
                format!("{}::from_f32({x}f32)", ty.name())
            }
            Ty::F32 | Ty::F64 => {
                let text = self
                    .random
                    .pick(&["0.0", "1.0", "-1.5", "0.25", "3.0", "1e10", "0.1", "-0.0", "7e-4"]);
                format!("{text}{}", ty.name())
            }
            Ty::Vec3 => self
                .random
                .pick(&[
                    "Vec3::ZERO",
                    "Vec3::ONE",
                    "Vec3::Y",
                    "Vec3::splat(HALF)",
                    "Vec3::new(1.0, -2.0, 0.5)",
                ])
                .to_owned(),
            Ty::Part => "Part { pos: Vec3::X, tag: SEVEN, w: [1, 2, 3], mass: 2.0 }".to_owned(),
            _ => match self.random.below(8) {
                0 => format!("{}::MAX", ty.name()),
                1 => format!("{}::MIN", ty.name()),
                2 if ty.is_signed() => format!("-{}{}", 1 + self.random.below(120), ty.name()),
                3 if ty == Ty::I32 => "SEVEN".to_owned(),
                _ => format!("{}{}", self.random.pick(&[0, 1, 2, 3, 7, 10, 100, 127]), ty.name()),
            },
        }
    }

    fn variable(&mut self, ty: Ty) -> Option<String> {
        let all: Vec<String> = self
            .vars
            .iter()
            .filter(|v| v.ty == ty)
            .map(|v| v.name.clone())
            .collect();
        (!all.is_empty()).then(|| self.random.one(&all).clone())
    }

    /// A variable of another type, where the type has no variable or is tired of it.
    fn converted(&mut self, ty: Ty) -> Option<String> {
        let from: Vec<(String, Ty)> = self
            .vars
            .iter()
            .filter(|v| !matches!(v.ty, Ty::Bool | Ty::Vec3 | Ty::Part) && !v.ty.is_half() && v.ty != ty)
            .map(|v| (v.name.clone(), v.ty))
            .collect();
        if from.is_empty() {
            return None;
        }
        let (name, of) = self.random.one(&from).clone();
        Some(match ty {
            Ty::Part => return None,
            Ty::Vec3 => format!("Vec3::splat({name} as f32)"),
            Ty::F16 | Ty::Bf16 => format!("{}::from_f32({name} as f32)", ty.name()),
            Ty::Bool if of.is_float() => format!("({name} > 3.0)"),
            Ty::Bool => format!("({name} & 3 == 1)"),
            _ => format!("({name} as {})", ty.name()),
        })
    }

    fn leaf(&mut self, ty: Ty) -> String {
        if self.random.percent(70)
            && let Some(name) = self.variable(ty)
        {
            return name;
        }
        if self.random.percent(60)
            && let Some(text) = self.converted(ty)
        {
            return text;
        }
        self.literal(ty)
    }

    pub fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.random.below(100) {
            0..20 => return self.leaf(ty),
            20..40 => {
                if let Some(text) = self.read(ty) {
                    return text;
                }
            }
            40..47 => {
                let (c, a, b) = (
                    self.expr(Ty::Bool, depth - 1),
                    self.expr(ty, depth - 1),
                    self.expr(ty, depth - 1),
                );
                return format!("(if {c} {{ {a} }} else {{ {b} }})");
            }
            47..50 => return self.matched(ty, depth),
            50..52 => {
                let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                let name = self.fresh("t");
                return format!("{{ let {name} = {a}; if {name} == {name} {{ {name} }} else {{ {b} }} }}").replace(
                    &format!("if {name} == {name} {{ {name} }}"),
                    &if matches!(ty, Ty::Part) {
                        format!("if {name}.tag > 0 {{ {name} }}")
                    } else {
                        format!("if {name} == {name} {{ {name} }}")
                    },
                );
            }
            52..54 => {
                let (a, ty) = (self.expr(ty, depth - 1), ty.name());
                let [f, v, place] = ["w", "v", "p"].map(|name| self.fresh(name));
                return format!(
                    "{{ let {f} = |{v}: {ty}| {{ let mut {place} = {v}; std::mem::replace(&mut {place}, {v}) }}; {f}({f}({a})) }}"
                );
            }
            _ => {}
        }
        if self.random.percent(12)
            && let Some(text) = self.call(ty, depth - 1)
        {
            return text;
        }
        match ty {
            Ty::Bool => self.truth(depth - 1),
            Ty::F16 | Ty::Bf16 => self.half(ty, depth - 1),
            Ty::F32 | Ty::F64 => self.float(ty, depth - 1),
            Ty::Vec3 => self.vector(depth - 1),
            Ty::Part => self.part(depth - 1),
            Ty::Usize => self.size(depth - 1),
            _ => self.integer(ty, depth - 1),
        }
    }

    fn matched(&mut self, ty: Ty, depth: usize) -> String {
        let on = self.random.pick(&[Ty::I32, Ty::U8, Ty::I64]);
        let value = self.expr(on, depth - 1);
        let arms: Vec<String> = (0..4).map(|_| self.expr(ty, depth - 1)).collect();
        let guard = self.expr(Ty::Bool, 1);
        if !self.exact && self.random.percent(25) {
            let part = self.expr(Ty::Part, depth - 1);
            return format!(
                "(match ({part}) {{ Part {{ tag: 0 | 1, .. }} => {}, Part {{ w, tag: -3..=-1, .. }} if w[1] > 7 => {}, Part {{ tag: 20.., mass: _, .. }} if {guard} => {}, _ => {} }})",
                arms[0], arms[1], arms[2], arms[3]
            );
        }
        let middle = if on.is_signed() { "-3..=-1" } else { "4..=9" };
        format!(
            "(match {value} {{ 0 | 1 => {}, {middle} => {}, 20.. if {guard} => {}, _ => {} }})",
            arms[0], arms[1], arms[2], arms[3]
        )
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.random.below(10) {
            0..6 => {
                let ty = self
                    .random
                    .pick(&[Ty::I32, Ty::U8, Ty::U32, Ty::I64, Ty::Usize, Ty::F32, Ty::F64, Ty::F16]);
                let ty = self.allowed(ty);
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("(({a}) {op} ({b}))")
            }
            6..9 => {
                let (a, b) = (self.expr(Ty::Bool, depth), self.expr(Ty::Bool, depth));
                let op = self.random.pick(&["&&", "||", "&", "|", "^", "=="]);
                format!("({a} {op} {b})")
            }
            _ => format!("!{}", self.expr(Ty::Bool, depth)),
        }
    }

    fn integer(&mut self, ty: Ty, depth: usize) -> String {
        let of = |kernel: &mut Kernel, ty: Ty| kernel.expr(ty, depth);
        match self.random.below(24) {
            0..6 => {
                let (a, b) = (of(self, ty), of(self, ty));
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^", "+", "-", "*"]);
                format!("({a} {op} {b})")
            }
            6 | 7 => {
                let (a, b) = (of(self, ty), of(self, ty));
                let op = self.random.pick(&["/", "%"]);
                if self.random.percent(if self.tame { 3 } else { 8 }) {
                    // Without a result if the divisor is 0, or -1 below the least number.
                    return format!("({a} {op} {b})");
                }
                format!("({a} {op} (({b} & 15) + 1))")
            }
            8 | 9 => {
                let a = of(self, ty);
                let op = self.random.pick(&["<<", ">>"]);
                let by = match self.random.below(3) {
                    0 => format!("{}", self.random.below(ty.bits())),
                    1 => of(self, Ty::U32),
                    _ => of(self, Ty::U8),
                };
                format!("({a} {op} {by})")
            }
            10..14 => {
                let from = self.random.pick(&[
                    Ty::U8,
                    Ty::I16,
                    Ty::I32,
                    Ty::U32,
                    Ty::I64,
                    Ty::U64,
                    Ty::Usize,
                    Ty::F32,
                    Ty::F64,
                    Ty::Bool,
                ]);
                let from = self.allowed(from);
                format!("({} as {})", of(self, from), ty.name())
            }
            14 => format!("(!{})", of(self, ty)),
            15 if ty.is_signed() => format!("(-{})", of(self, ty)),
            16 | 17 => {
                let (a, b) = (of(self, ty), of(self, ty));
                let name = self.random.pick(&[
                    "wrapping_add",
                    "wrapping_sub",
                    "wrapping_mul",
                    "min",
                    "max",
                    "saturating_add",
                    "saturating_sub",
                ]);
                format!("({a}).{name}({b})")
            }
            18 if ty == Ty::U32 => {
                let from = self.random.pick(&INTS);
                let name = self
                    .random
                    .pick(&["count_ones", "leading_zeros", "trailing_zeros", "count_zeros"]);
                format!("({}).{name}()", of(self, from))
            }
            18 if ty.is_signed() => format!(
                "({}).{}()",
                of(self, ty),
                self.random.pick(&["abs", "signum", "wrapping_neg"])
            ),
            19 => format!(
                "({}).{}({})",
                of(self, ty),
                self.random
                    .pick(&["rotate_left", "rotate_right", "wrapping_shl", "wrapping_shr"]),
                self.random.below(70)
            ),
            21 if ty == Ty::U32 && self.random.percent(60) => {
                format!("hunt({}, {})", of(self, Ty::U32), of(self, Ty::U32))
            }
            23 if ty == Ty::I32 && !self.tame && self.random.percent(30) => {
                format!("ratio({}, {})", of(self, Ty::I32), of(self, Ty::I32))
            }
            20 if ty == Ty::I32 => format!("mix({}, {})", of(self, Ty::I32), of(self, Ty::I32)),
            20 if ty == Ty::U32 => format!("pair({}, {}).1", of(self, Ty::I64), of(self, Ty::U32)),
            20 if ty == Ty::I64 => format!("pair({}, {}).0", of(self, Ty::I64), of(self, Ty::U32)),
            21 if ty == Ty::I32 && !self.exact => format!("({}).score()", of(self, Ty::Part)),
            21 if !ty.is_signed() => format!("({}).abs_diff({})", of(self, ty), of(self, ty)),
            22 => {
                let k = self.random.below(3);
                format!("[{}, {}, {}][{k}]", of(self, ty), of(self, ty), of(self, ty))
            }
            23 if ty == Ty::I32 && !self.exact => format!("({}).tag", of(self, Ty::Part)),
            _ => self.expr(ty, depth),
        }
    }

    fn size(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0..3 => {
                let (a, b) = (self.expr(Ty::Usize, depth), self.expr(Ty::Usize, depth));
                format!("({a} {} {b})", self.random.pick(&["+", "*", "-"]))
            }
            3 => {
                let (a, b) = (self.expr(Ty::Usize, depth), self.expr(Ty::Usize, depth));
                format!("({a} {} ({b}).max(1))", self.random.pick(&["/", "%"]))
            }
            4 if !self.fields.is_empty() => {
                let k = self.random.below(self.fields.len());
                if self.random.percent(50) {
                    format!("{}.len()", self.fields[k].name)
                } else {
                    format!("{}.shape()[0]", self.fields[k].name)
                }
            }
            5 => {
                let (a, b) = (self.expr(Ty::Usize, depth), self.expr(Ty::Usize, depth));
                format!("({a}).{}({b})", self.random.pick(&["min", "max", "wrapping_sub"]))
            }
            6 => {
                let from = self.random.pick(&[Ty::U8, Ty::U32, Ty::I32, Ty::F32]);
                let from = self.allowed(from);
                format!("({} as usize)", self.expr(from, depth))
            }
            _ => self.size_atom(),
        }
    }

    fn float(&mut self, ty: Ty, depth: usize) -> String {
        let a = self.expr(ty, depth);
        match self.random.below(16) {
            0..6 => {
                let b = self.expr(ty, depth);
                format!("({a} {} {b})", self.random.pick(&["+", "-", "*", "/", "+", "*"]))
            }
            6 => format!("(-{a})"),
            7 => format!("root({a})"),
            8 => format!(
                "({a}).{}()",
                self.random.pick(&["floor", "ceil", "trunc", "round", "abs"])
            ),
            9 => {
                let b = self.expr(ty, depth);
                format!("({a}).abs().{}(({b}).abs())", self.random.pick(&["min", "max"]))
            }
            10 => {
                let (b, c) = (self.expr(ty, depth), self.expr(ty, depth));
                format!("({a}).mul_add({b}, {c})")
            }
            11 if ty == Ty::F32 => {
                let (b, c) = (self.expr(ty, depth), self.expr(ty, depth));
                format!("lerp({a}, {b}, {c})")
            }
            12 if ty == Ty::F32 && self.random.percent(60) => {
                let (u, v) = (self.expr(Ty::Vec3, depth), self.expr(Ty::Vec3, depth));
                format!("({u}).dot({v})")
            }
            12 | 14 if ty == Ty::F32 => {
                let half = self.random.pick(&[Ty::F16, Ty::Bf16]);
                format!("({}).to_f32()", self.expr(half, depth))
            }
            13 if ty == Ty::F32 => {
                let v = self.expr(Ty::Vec3, depth);
                format!("({v}){}", self.random.pick(&[".x", ".y", ".z", "[1]", "[LAST]"]))
            }
            13 => format!("({}).mass", self.expr(Ty::Part, depth)),
            _ => {
                let from = self
                    .random
                    .pick(&[Ty::I32, Ty::U8, Ty::I64, Ty::U64, Ty::Usize, Ty::F32, Ty::F64]);
                format!("({} as {})", self.expr(from, depth), ty.name())
            }
        }
    }

    /// Floats of 16 bits.
    fn half(&mut self, ty: Ty, depth: usize) -> String {
        let a = self.expr(ty, depth);
        match self.random.below(10) {
            0..5 => {
                let b = self.expr(ty, depth);
                format!("({a} {} {b})", self.random.pick(&["+", "-", "*", "/"]))
            }
            5 => format!("(-{a})"),
            6 => format!("root({a})"),
            7 => format!("lesser({a}, {})", self.expr(ty, depth)),
            _ => format!("{}::from_f32({})", ty.name(), self.expr(Ty::F32, depth)),
        }
    }

    fn vector(&mut self, depth: usize) -> String {
        match self.random.below(8) {
            0..3 => {
                let (a, b) = (self.expr(Ty::Vec3, depth), self.expr(Ty::Vec3, depth));
                format!("({a} {} {b})", self.random.pick(&["+", "-", "*"]))
            }
            3 => format!("({} * {})", self.expr(Ty::F32, depth), self.expr(Ty::Vec3, depth)),
            4 => format!("({} / {})", self.expr(Ty::Vec3, depth), self.expr(Ty::F32, depth)),
            5 => format!("(-{})", self.expr(Ty::Vec3, depth)),
            6 => format!("({}).pos", self.expr(Ty::Part, depth)),
            _ => {
                let parts: Vec<String> = (0..3).map(|_| self.expr(Ty::F32, depth)).collect();
                format!("Vec3::new({})", parts.join(", "))
            }
        }
    }

    fn part(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => format!("({}).moved({})", self.expr(Ty::Part, depth), self.expr(Ty::Vec3, depth)),
            1 => format!(
                "(Part {{ tag: {}, ..{} }})",
                self.expr(Ty::I32, depth),
                self.expr(Ty::Part, depth)
            ),
            _ => format!(
                "(Part {{ mass: {}, pos: {}, w: [{}, {}, 9], tag: {} }})",
                self.expr(Ty::F64, depth),
                self.expr(Ty::Vec3, depth),
                self.expr(Ty::U8, depth),
                self.expr(Ty::U8, 0),
                self.expr(Ty::I32, depth)
            ),
        }
    }

    /// Any number of a random type.
    pub fn number(&mut self) -> (Ty, String) {
        let ty = self.random.pick(&NUMBERS);
        let ty = self.allowed(ty);
        (ty, self.expr(ty, 2))
    }
}
