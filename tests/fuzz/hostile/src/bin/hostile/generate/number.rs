//! Operations on numbers, vectors and booleans.

use super::types::{INTS, Ty};
use super::writer::Writer;

impl Writer {
    pub fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.random.pick(&["true", "false", "true"]).to_owned();
        }
        if self.random.percent(25)
            && let Some(text) = self.own_operator(Ty::Bool, depth)
        {
            return text;
        }
        let ty = self
            .random
            .pick(&[Ty::U32, Ty::I32, Ty::Usize, Ty::I64, Ty::F32, Ty::U8]);
        let compare = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.random.below(6) {
            0 if depth > 1 => format!("({} && {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            1 if depth > 1 => format!("({} || {})", self.boolean(depth - 1), self.boolean(depth - 1)),
            2 if depth > 1 => format!("!({})", self.boolean(depth - 1)),
            3 => format!("({} & 1 == {})", self.typed(Ty::U32), self.random.below(2)),
            _ => format!("({} {compare} {})", self.typed(ty), self.expr(ty, depth - 1)),
        }
    }

    pub fn int(&mut self, ty: Ty, depth: usize) -> String {
        match self.random.below(16) {
            0 | 1 => {
                let by = self.random.pick(&[Ty::U32, Ty::I32, Ty::U8, Ty::U64]);
                let shift = self.random.pick(&["<<", "<<", ">>"]);
                let left = if self.random.percent(60) {
                    "1".to_owned()
                } else {
                    self.expr(ty, depth - 1)
                };
                format!("({left} {shift} {})", self.typed(by))
            }
            2 | 3 => {
                let from = self.random.pick(&INTS);
                format!("({} as {})", self.typed(from), ty.name())
            }
            4 => {
                let from = self.random.pick(&INTS);
                format!("(({}) as {})", self.expr(from, depth - 1), ty.name())
            }
            5 => format!(
                "({} {} ({} | 1))",
                self.typed(ty),
                self.random.pick(&["/", "%"]),
                self.expr(ty, depth - 1)
            ),
            6 => format!("(!{})", self.typed(ty)),
            7 if ty.is_signed() => format!("(-{})", self.typed(ty)),
            8 if ty == Ty::U32 => format!("{}.a", self.some_mine()),
            9 if ty == Ty::I64 => format!("{}.b", self.some_mine()),
            10 => {
                let from = self.random.pick(&[Ty::F32, Ty::F64]);
                format!("({} as {})", self.typed(from), ty.name())
            }
            11 if self.random.percent(12) => format!("({} / {})", self.typed(ty), self.expr(ty, depth - 1)),
            _ => {
                let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                let symbol = self.random.pick(&["+", "-", "*", "&", "|", "^", "+"]);
                if self.random.percent(60) {
                    format!("({a} {symbol} {b})")
                } else {
                    format!("{a} {symbol} {b}")
                }
            }
        }
    }

    pub fn float(&mut self, ty: Ty, depth: usize) -> String {
        match self.random.below(7) {
            0 => {
                let from = self.random.pick(&[Ty::I32, Ty::U32, Ty::U8]);
                format!("({} as {})", self.typed(from), ty.name())
            }
            1 if ty == Ty::F32 && self.items.component => format!("({})[Mine {{ a: 1, b: 1 }}]", self.typed(Ty::V3)),
            1 if ty == Ty::F32 => format!("({}).dot({})", self.typed(Ty::V3), self.expr(Ty::V3, depth - 1)),
            2 if ty == Ty::F32 => format!("({}).{}", self.typed(Ty::V3), self.random.pick(&["x", "y", "z"])),
            k => format!(
                "({} {} {})",
                self.expr(ty, depth - 1),
                ["+", "-", "*"][k % 3],
                self.expr(ty, depth - 1)
            ),
        }
    }

    pub fn vector(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => format!("({} + {})", self.typed(Ty::V3), self.expr(Ty::V3, depth - 1)),
            1 => format!("({} * {})", self.typed(Ty::V3), self.expr(Ty::F32, depth - 1)),
            _ => format!(
                "Vec3::new({}, {}, {})",
                self.expr(Ty::F32, depth - 1),
                self.expr(Ty::F32, 0),
                self.expr(Ty::F32, 1)
            ),
        }
    }

    /// An operation on a variable and on what changes it.
    pub fn changed_between(&mut self, ty: Ty) -> Option<String> {
        let of = if ty == Ty::F32 && self.random.percent(30) {
            Ty::V3
        } else {
            ty
        };
        let k = self.find(|var| var.ty == of && var.mutable && !matches!(of, Ty::Bool | Ty::Mine))?;
        let name = self.var_name(k);
        let bump = format!("bump_{}(&mut {name})", of.name());
        Some(match (of, self.random.below(6)) {
            (Ty::V3, _) if ty == Ty::F32 => format!("{name}.dot({bump})"),
            (Ty::V3, _) => format!("({name} + {bump})"),
            (Ty::F32 | Ty::F64, k @ 0..4) => format!("{name}.{}({bump})", ["atan2", "hypot", "powf", "max"][k]),
            (Ty::F32 | Ty::F64, _) => format!("({bump} - {name})"),
            (_, 0) => format!("{name}.max({bump})"),
            (_, 1) => format!("({name} * {bump})"),
            (_, 2) => format!("({name} + {bump} * {name})"),
            (_, 3) => format!("[{name}, {bump}][(bump_{}(&mut {name}) & 1) as usize]", of.name()),
            (_, 4) => format!("({name}, {bump}).0"),
            _ => format!("(if {name} < {bump} {{ {name} }} else {{ {bump} }})"),
        })
    }
}
