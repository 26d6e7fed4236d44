//! Expressions of a type.

use super::types::{INTS, Ty};
use super::writer::Writer;

impl Writer {
    pub fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if self.can_pass() && self.random.percent(18) {
            let fragment = self.random.pick(&["expr", "expr", "expr", "tt"]);
            return self.argument(fragment, |w| {
                let text = w.expr(ty, depth);
                if fragment == "tt" { format!("({text})") } else { text }
            });
        }
        if depth == 0 || self.random.percent(12) {
            return self.leaf(ty);
        }
        if self.random.percent(22)
            && let Some(text) = self.own_operator(ty, depth)
        {
            return text;
        }
        if self.random.percent(8)
            && let Some(text) = self.method(ty, depth)
        {
            return text;
        }
        match self.random.below(14) {
            0 => {
                return format!(
                    "(if {} {{ {} }} else {{ {} }})",
                    self.boolean(1),
                    self.expr(ty, depth - 1),
                    self.expr(ty, depth - 1)
                );
            }
            1 => return self.choice(ty, depth),
            2 => return self.block(ty, depth),
            3 => return format!("({}, {}).1", self.expr(Ty::U32, 1), self.expr(ty, depth - 1)),
            4 if ty != Ty::Mine => {
                let items = [self.expr(ty, depth - 1), self.expr(ty, 1)];
                return format!("[{}, {}][({} & 1) as usize]", items[0], items[1], self.typed(Ty::U32));
            }
            5 => {
                if let Some(text) = self.bump(ty) {
                    return text;
                }
            }
            6 | 7 => {
                if let Some(text) = self.read(ty, depth) {
                    return text;
                }
            }
            8 => {
                if let Some(text) = self.method(ty, depth) {
                    return text;
                }
            }
            _ => {}
        }
        match ty {
            Ty::Bool => self.boolean(depth),
            Ty::Mine => format!(
                "Mine {{ a: {}, b: {} }}",
                self.expr(Ty::U32, depth - 1),
                self.expr(Ty::I64, depth - 1)
            ),
            Ty::V3 => self.vector(depth),
            Ty::F32 | Ty::F64 => self.float(ty, depth),
            _ => self.int(ty, depth),
        }
    }

    /// A literal mostly has no suffix.
    pub fn literal(&mut self, ty: Ty) -> String {
        let text = match ty {
            Ty::Bool => return self.random.pick(&["true", "false"]).to_owned(),
            Ty::F32 | Ty::F64 => return self.random.pick(&["0.5", "1.0", "2.0", "3.5", "0.0"]).to_owned(),
            Ty::Mine => return format!("Mine {{ a: {}, b: 1 }}", self.random.below(4)),
            Ty::V3 => return "Vec3::new(1.0, 2.0, 3.0)".to_owned(),
            _ if self.random.percent(4) => ty.max().to_owned(),
            _ if self.random.percent(3) => "!0".to_owned(),
            _ if ty.is_signed() && self.random.percent(5) => "-1".to_owned(),
            _ => self.random.pick(&["0", "1", "1", "2", "3", "7"]).to_owned(),
        };
        if self.random.percent(20) && !text.starts_with(['!', '-']) {
            format!("{text}{}", ty.name())
        } else {
            text
        }
    }

    /// An expression whose type its tokens tell.
    pub fn typed(&mut self, ty: Ty) -> String {
        if let Some(k) = self.find(|var| var.ty == ty) {
            return self.var_name(k);
        }
        if let Some(text) = self.read(ty, 0) {
            return text;
        }
        match ty {
            _ if ty.is_int() => format!("{}{}", self.random.below(8), ty.name()),
            _ if ty.is_float() => format!("{}.0{}", self.random.below(8), ty.name()),
            _ => self.literal(ty),
        }
    }

    pub fn leaf(&mut self, ty: Ty) -> String {
        match self.random.below(10) {
            0..4 => {
                if let Some(k) = self.find(|var| var.ty == ty) {
                    return self.var_name(k);
                }
            }
            4..7 => {
                if let Some(text) = self.read(ty, 0) {
                    return text;
                }
            }
            7 if ty.is_int() => {
                if let Some(k) = self.find(|var| var.ty.is_int() || var.ty.is_float()) {
                    return format!("({} as {})", self.var_name(k), ty.name());
                }
            }

            _ => {}
        }
        self.literal(ty)
    }

    pub fn own_operator(&mut self, ty: Ty, depth: usize) -> Option<String> {
        if ty == Ty::Usize
            && self.random.percent(30)
            && let Some(turns) = self.items.index
        {
            if turns {
                self.asked();
            }
            let k = self.random.below(4);
            return self
                .find(|var| var.ty == Ty::Mine)
                .map(|m| format!("{}[{k}]", self.var_name(m)));
        }
        let op = self.operator(ty)?;
        if op.turns {
            self.asked();
        }
        let left = if op.left == Ty::Mine {
            self.some_mine()
        } else {
            self.typed(op.left)
        };
        let right = if op.right == Ty::Mine {
            self.some_mine()
        } else {
            self.expr(op.right, depth - 1)
        };
        Some(format!("({left} {} {right})", op.symbol))
    }

    pub fn some_mine(&mut self) -> String {
        if self.random.percent(35)
            && let Some(text) = self.read(Ty::Mine, 0)
        {
            return text;
        }
        match self.find(|var| var.ty == Ty::Mine) {
            Some(k) => self.var_name(k),
            None => format!("(Mine {{ a: {}, b: 2 }})", self.expr(Ty::U32, 0)),
        }
    }

    pub fn choice(&mut self, ty: Ty, depth: usize) -> String {
        let on = self.random.pick(&[Ty::U32, Ty::I32, Ty::U64]);
        let constant = if on == Ty::U32 && self.items.constant {
            "three"
        } else {
            "0"
        };
        let arms = [self.expr(ty, depth - 1), self.expr(ty, 1), self.leaf(ty)];
        format!(
            "(match {} {{ {constant} => {}, 1..=4 => {}, _ => {} }})",
            self.typed(on),
            arms[0],
            arms[1],
            arms[2]
        )
    }

    pub fn block(&mut self, ty: Ty, depth: usize) -> String {
        let inner = self.random.pick(&INTS);
        let value = self.expr(inner, depth - 1);
        let before = self.vars.clone();
        let name = self.declare(inner, false);
        let typed = if self.random.percent(50) {
            format!(": {}", inner.name())
        } else {
            String::new()
        };
        let result = self.expr(ty, depth - 1);
        self.vars = before;
        format!("{{ let {name}{typed} = {value}; {result} }}")
    }

    pub fn bump(&mut self, ty: Ty) -> Option<String> {
        let k = self.find(|var| var.ty == ty && var.mutable && !matches!(ty, Ty::Bool | Ty::Mine))?;
        Some(format!("bump_{}(&mut {})", ty.name(), self.var_name(k)))
    }

    pub fn method(&mut self, ty: Ty, depth: usize) -> Option<String> {
        if self.random.percent(30)
            && let Some(text) = self.changed_between(ty)
        {
            return Some(text);
        }
        let own: Vec<_> = self
            .items
            .methods
            .iter()
            .filter(|(_, _, out)| *out == ty)
            .copied()
            .collect();
        if !own.is_empty() && self.random.percent(60) {
            let (on, name, _) = self.random.pick(&own);
            let receiver = if on == Ty::Mine {
                self.some_mine()
            } else {
                format!("({})", self.typed(on))
            };
            return Some(format!("{receiver}.{name}()"));
        }
        let own: Vec<_> = self
            .items
            .functions
            .iter()
            .filter(|(_, of, _)| *of == ty)
            .cloned()
            .collect();
        if !own.is_empty() && self.random.percent(60) {
            let (name, of, lends) = self.random.one(&own).clone();
            let lent = match lends {
                true => self.find(|var| var.ty == of && var.mutable).map(|k| self.var_name(k)),
                false => None,
            };
            let argument = self.expr(of, depth - 1);
            return match (lends, lent) {
                (true, None) => None,
                (true, Some(lent)) => Some(format!("{name}({argument}, &mut {lent})")),
                (false, _) => Some(format!("{name}({argument})")),
            };
        }
        let other = self.expr(ty, depth - 1);
        match ty {
            _ if ty.is_int() => {
                let name =
                    self.random
                        .pick(&["min", "max", "wrapping_add", "wrapping_sub", "saturating_sub", "lesser"]);
                Some(format!("({}).{name}({other})", self.typed(ty)))
            }
            Ty::F32 | Ty::F64 => {
                let name = self
                    .random
                    .pick(&["min", "max", "atan2", "hypot", "lesser", "copysign", "powf"]);
                // The sign of a NaN is not told.
                let other = match name {
                    "copysign" => format!("({other}).max(-1.0e9)"),
                    _ => other,
                };
                let value = format!("({}).{name}({other})", self.typed(ty));
                // Of two zeros either may be taken, whose sign other methods see.
                Some(match name {
                    "min" | "max" => format!("({value} + 0.0)"),
                    _ => value,
                })
            }
            _ => None,
        }
    }
}
