//! Statements of an iteration, and of functions.

use super::types::{ATOMIC, INTS, Ty};
use super::writer::Writer;

const TYPES: [Ty; 10] = [
    Ty::U32,
    Ty::I32,
    Ty::U64,
    Ty::I64,
    Ty::Usize,
    Ty::Usize,
    Ty::U8,
    Ty::F32,
    Ty::Mine,
    Ty::V3,
];

impl Writer {
    /// One or two statements, as loops have them that are written in another form for speed.
    pub fn short(&mut self) {
        if self.random.percent(40) {
            self.rims();
        }
        if self.random.percent(30) {
            self.walk();
        }
        let own = self.random.below(3);
        for _ in 0..own {
            self.let_statement();
        }
        let compares = self
            .items
            .ops
            .iter()
            .any(|op| op.out == Ty::Bool && op.left == Ty::Usize);
        if self.random.percent(35) {
            let condition = match self.find(|var| var.ty == Ty::Mine) {
                Some(m) if self.sees_own() && compares => {
                    self.asked();
                    let (m, at) = (self.var_name(m), self.position(0));
                    format!("{at} < {m}")
                }
                _ => self.boolean(2),
            };
            self.line(&format!("if {condition} {{"));
            self.write();
            self.line("}");
        } else if self.random.percent(30) {
            self.atomic();
        } else {
            self.write();
        }
        if self.random.percent(30) {
            self.write();
        }
    }

    pub fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    /// Some, in a scope of their own.
    pub fn inside(&mut self, count: usize, depth: usize) {
        let before = self.vars.clone();
        self.statements(count, depth);
        self.vars = before;
    }

    pub fn statement(&mut self, depth: usize) {
        if self.can_pass() && depth > 0 && self.random.percent(8) {
            let name = self.argument("block", |w| {
                let out = std::mem::take(&mut w.out);
                w.inside(2, depth - 1);
                format!("{{ {} }}", std::mem::replace(&mut w.out, out))
            });
            // As rustc takes it, a block needs no semicolon.
            let end = if self.random.percent(10) { "" } else { ";" };
            return self.line(&format!("{name}{end}"));
        }
        match self.random.below(27) {
            22..25 => self.rims(),
            25 | 26 if depth > 0 => self.parts(depth),
            0..6 => self.let_statement(),
            6..8 => self.change(),
            8..13 => self.write(),
            13..15 => self.atomic(),
            15 | 16 if depth > 0 => self.condition(depth),
            17 | 18 if depth > 0 => self.sequential(depth),
            19 if depth > 0 => self.repeated(depth),
            20 if self.random.percent(30) => {
                let condition = format!("{} < 250", self.typed(Ty::U32));
                let name = self.random.pick(&["assert", "debug_assert"]);
                self.line(&format!("{name}!({condition});"));
            }
            21 => match self.random.below(6) {
                0 => self.window(),
                1 => self.labels(),
                2 | 3 => self.walk(),
                _ => self.array(),
            },
            _ => self.write(),
        }
    }

    pub fn let_statement(&mut self) {
        let ty = self.random.pick(&TYPES);
        let mutable = self.random.percent(35);
        let value = match self.random.below(8) {
            // As indices are written.
            0 | 1 if ty == Ty::Usize && !self.own.is_empty() && !self.fields.is_empty() => {
                let k = self.random.below(self.fields.len());
                match self.index(k, 1) {
                    text if text.starts_with('[') || self.fields[k].rank > 1 || self.items.position.is_some() => {
                        self.expr(ty, 2)
                    }
                    text => text,
                }
            }
            2 if ty.is_int() => self.power(),
            _ => self.expr(ty, 3),
        };
        let written = match self.random.below(10) {
            0..3 => format!(": {}", ty.name()),
            3 => ": _".to_owned(),
            4 => {
                let name = self.declare(ty, mutable);
                let mutable = if mutable { "mut " } else { "" };
                let ty = self
                    .random
                    .one(&[format!(": ({}, _)", ty.name()), ": (_, u32)".to_owned(), String::new()])
                    .clone();
                return self.line(&format!("let ({mutable}{name}, _){ty} = ({value}, 1);"));
            }
            _ => String::new(),
        };
        let name = self.declare(ty, mutable);
        let mutable = if mutable { "mut " } else { "" };
        self.line(&format!("let {mutable}{name}{written} = {value};"));
    }

    pub fn power(&mut self) -> String {
        let known: Vec<usize> = (0..self.fields.len())
            .filter(|k| self.fields[*k].kind == "Shift")
            .collect();
        match known.first() {
            Some(k) if self.fields[*k].rank == self.own.len() && !self.hole => {
                let (name, index) = (self.field_name(*k), self.own_index());
                format!("1 << {name}[{index}]")
            }
            _ => format!("1 << {}", self.typed(Ty::U32)),
        }
    }

    pub fn change(&mut self) {
        let Some(k) = self.find(|var| var.mutable && !matches!(var.ty, Ty::Bool | Ty::Usize)) else {
            return self.let_statement();
        };
        let ty = self.vars[k].ty;
        let value = self.expr(ty, 3);
        let name = self.var_name(k);
        let symbol = match ty {
            Ty::Mine => "=",
            Ty::V3 => self.random.pick(&["=", "+="]),
            _ if ty.is_float() => self.random.pick(&["=", "+=", "*=", "-="]),
            _ => self.random.pick(&["=", "+=", "-=", "*=", "^=", "|="]),
        };
        self.line(&format!("{name} {symbol} {value};"));
    }

    /// Values taken apart, several places at once, the items of an array.
    fn parts(&mut self, depth: usize) {
        match self.random.below(4) {
            0 => {
                let Some(k) = self.find(|var| var.mutable && !matches!(var.ty, Ty::Bool | Ty::Usize)) else {
                    return self.let_statement();
                };
                let ty = self.vars[k].ty;
                let first = self.var_name(k);
                let (a, b) = (self.expr(ty, 2), self.expr(ty, 2));
                let other = self.declare(ty, true);
                self.line(&format!("let mut {other} = {a};"));
                match first == other {
                    true => self.line(&format!("({first}, _) = ({b}, {first});")),
                    false => self.line(&format!("({first}, {other}) = ({other}, {b});")),
                }
            }
            1 => {
                let ty = self.random.pick(&INTS);
                let items: Vec<String> = (0..3).map(|_| self.expr(ty, 1)).collect();
                let before = self.vars.clone();
                let name = self.declare(ty, false);
                self.line(&format!("for {name} in [{}] {{", items.join(", ")));
                self.nested += 1;
                self.inside(1, depth - 1);
                self.nested -= 1;
                self.line("}");
                self.vars = before;
            }
            2 => {
                let ty = self.random.pick(&[Ty::U8, Ty::I32, Ty::U32, Ty::I64]);
                let (of, other) = (self.typed(ty), self.expr(ty, 1));
                let name = self.declare(ty, false);
                self.line(&format!(
                    "let {name} = match {of} {{ near @ 1..=40 => near ^ 3, far @ (100 | 200..) => far, _ => {other} }};"
                ));
            }
            _ => {
                let value = self.some_mine();
                let (a, b) = (self.declare(Ty::U32, false), self.declare(Ty::I64, true));
                match a == b {
                    true => self.line(&format!("let Mine {{ b: mut {b}, .. }} = {value};")),
                    false => self.line(&format!("let Mine {{ a: {a}, b: mut {b} }} = {value};")),
                }
            }
        }
    }

    /// To the own element of a field.
    pub fn write(&mut self) {
        let fit: Vec<usize> = (0..self.fields.len())
            .filter(|k| self.fields[*k].mutable && !self.fields[*k].atomic && self.fields[*k].rank == self.own.len())
            .collect();
        if fit.is_empty() || (self.hole && self.own.iter().any(|own| !own.starts_with('$'))) {
            return self.let_statement();
        }
        let k = self.random.pick(&fit);
        let (name, index, ty) = (self.field_name(k), self.own_index(), self.fields[k].ty);
        if ty == Ty::V3 && self.items.component && self.random.percent(40) {
            return self.line(&format!("{name}[{index}][Mine {{ a: 1, b: 1 }}] = 7.0;"));
        }
        let (place, ty) = match (ty, self.random.below(3)) {
            (Ty::Mine, 0) => (".a", Ty::U32),
            (Ty::Mine, 1) => (".b", Ty::I64),
            (Ty::V3, 0) => (".x", Ty::F32),
            _ => ("", ty),
        };
        let symbol = match ty {
            Ty::Mine => "=",
            Ty::V3 => self.random.pick(&["=", "+="]),
            _ if ty.is_float() => self.random.pick(&["=", "+=", "-="]),
            _ => self.random.pick(&["=", "=", "+=", "^=", "-="]),
        };
        let value = self.expr(ty, 3);
        self.line(&format!("{name}[{index}]{place} {symbol} {value};"));
    }

    pub fn atomic(&mut self) {
        let fit: Vec<usize> = (0..self.fields.len()).filter(|k| self.fields[*k].atomic).collect();
        if fit.is_empty() {
            return self.write();
        }
        let k = self.random.pick(&fit);
        let (name, ty) = (self.field_name(k), self.fields[k].ty);
        debug_assert!(ATOMIC.contains(&ty));
        let (place, ty) = match ty {
            Ty::Mine => self.random.pick(&[(".a", Ty::U32), (".b", Ty::I64)]),
            _ => ("", ty),
        };
        let operation = self.random.pick(&["add", "sub"]);
        let (index, value) = (self.index(k, 1), self.expr(ty, 2));
        self.line(&format!("{name}[{index}]{place}.atomic_{operation}({value});"));
    }

    pub fn condition(&mut self, depth: usize) {
        let condition = self.boolean(2);
        self.line(&format!("if {condition} {{"));
        self.inside(1 + depth / 2, depth - 1);
        match self.random.below(4) {
            0 => {
                self.line("} else {");
                self.inside(1, depth - 1);
            }
            1 if !self.own.is_empty() && self.wrap.is_none() => self.line("continue;"),
            _ => {}
        }
        self.line("}");
    }

    /// A place whose index and whose value change one variable.
    pub fn places(&mut self, k: usize) {
        let k = self.var_name(k);
        let bump = format!("bump_u32(&mut {k})");
        let symbol = self.random.pick(&["+=", "-=", "="]);
        self.fresh += 1;
        let list = format!("list{}", self.fresh);
        self.line(&format!("let mut {list} = [Vec3::new(1.0, 2.0, 3.0); 3];"));
        self.line(&format!(
            "{list}[({bump} % 3) as usize] {symbol} Vec3::new({bump} as f32, {k} as f32, 2.0);"
        ));
        let name = self.declare(Ty::V3, true);
        self.line(&format!("let mut {name} = {list}[1];"));
    }

    /// A variable of an array, one of whose items is used and changed.
    pub fn array(&mut self) {
        if self.random.percent(20)
            && !self.hole
            && let Some(k) = self.find(|var| var.ty == Ty::U32 && var.mutable)
        {
            return self.places(k);
        }
        let ty = self.random.pick(&INTS);
        let items: Vec<String> = (0..3).map(|_| self.expr(ty, 2)).collect();
        self.fresh += 1;
        let list = format!("list{}", self.fresh);
        let list = match self.hole {
            false => list,
            true => return self.let_statement(),
        };
        let written = self
            .random
            .one(&[format!(": [{}; 3]", ty.name()), ": [_; 3]".to_owned(), String::new()])
            .clone();
        self.line(&format!("let mut {list}{written} = [{}];", items.join(", ")));
        let (at, value) = (self.typed(Ty::U32), self.expr(ty, 2));
        self.line(&format!("{list}[({at} & 1) as usize] = {value};"));
        let at = self.typed(Ty::U8);
        let name = self.declare(ty, false);
        self.line(&format!("let {name} = {list}[({at} % 3) as usize];"));
    }
}
