//! What differs at the rims of rows: conditions on positions, neighbours around them, and variables whose types they tell.

use super::types::{INTS, Ty};
use super::writer::Writer;

impl Writer {
    /// A position of the loop as a `usize`, mostly that along rows, and an extent of a field.
    fn along(&mut self) -> (String, String) {
        let last = self.own.len() - 1;
        let axis = if self.random.percent(80) {
            last
        } else {
            self.random.below(last + 1)
        };
        let position = self.position(axis);
        let position = if position.contains(' ') {
            format!("({position})")
        } else {
            position
        };
        let fit: Vec<usize> = (0..self.fields.len()).filter(|k| self.fields[*k].rank > axis).collect();
        let extent = match fit.is_empty() {
            true => "40".to_owned(),
            false => {
                let k = self.random.pick(&fit);
                let (name, rank) = (self.field_name(k), self.fields[k].rank);
                match rank == 1 && self.random.percent(60) {
                    true => format!("{name}.len()"),
                    false => format!("{name}.shape()[{axis}]"),
                }
            }
        };
        (position, extent)
    }

    fn small(&mut self) -> &'static str {
        self.random.pick(&["0", "1", "1", "2", "3", "17"])
    }

    /// A condition that changes along a row once or twice.
    fn rim(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.percent(35) {
            let (a, b) = (
                self.rim(depth - 1),
                match self.random.percent(75) {
                    true => self.rim(depth - 1),
                    false => self.boolean(1),
                },
            );
            let (a, b) = if self.random.percent(50) { (a, b) } else { (b, a) };
            return format!("({a} {} {b})", self.random.pick(&["&&", "||"]));
        }
        if depth > 0 && self.random.percent(12) {
            return format!("!({})", self.rim(depth - 1));
        }
        let ((p, n), by) = (self.along(), self.small());
        let compare = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.random.below(6) {
            0 => format!("{p} {compare} {by}"),
            1 => format!("{p} + {by} {compare} {n}"),
            2 => format!("{n} - {by} {compare} {p}"),
            3 => format!("2 * {p} {compare} {n} + {by}"),
            _ => match self.find(|var| var.ty == Ty::Usize && !var.mutable) {
                Some(k) => format!("{} {compare} {p} + {by}", self.var_name(k)),
                None => format!("{p} + {by} {compare} {n}"),
            },
        }
    }

    /// A neighbour's position.
    fn neighbour(&mut self) -> String {
        let ((p, n), by) = (self.along(), self.small());
        let p = match self.find(|var| var.ty == Ty::Usize && !var.mutable) {
            Some(k) if self.random.percent(30) => self.var_name(k),
            _ => p,
        };
        match self.random.below(11) {
            0 => format!("if {p} + 1 == {n} {{ 0 }} else {{ {p} + 1 }}"),
            1 => format!("if {p} > {by} {{ {p} - {by} }} else {{ {n} - 1 }}"),
            2 => format!("({p} + {by}) % {n}"),
            3 => format!("({p} + {n} - {by}) % {n}"),
            4 => format!("({p} + {by}).min({n} - 1)"),
            5 => format!("{p}.saturating_sub({by})"),
            6 => format!("{p}.max({by}) - {by}"),
            7 => {
                let (limit, rim) = (self.random.pick(&["4503599627370496", "40"]), self.small());
                format!("::core::primitive::usize::min({p} + {rim}, {limit})")
            }
            8 => format!("{} + {p}", self.chosen()),
            9 => format!("{p} + {n} - {n}"),
            _ => format!("{p} + {by}"),
        }
    }

    /// One of two numbers, by numbers of another type, which may wrap.
    fn chosen(&mut self) -> String {
        let ty = self.random.pick(&INTS);
        let compare = self.random.pick(&["<", ">", "=="]);
        let (a, b) = (self.typed(ty), self.typed(ty));
        format!(
            "(if {a} + 7 {compare} {b} {{ {} }} else {{ {} }})",
            self.small(),
            self.small()
        )
    }

    /// A statement in which positions at the rims are told from others.
    pub fn rims(&mut self) {
        if !self.sees_own() {
            return self.let_statement();
        }
        match self.random.below(9) {
            0 | 1 => {
                let value = self.neighbour();
                let name = self.declare(Ty::Usize, false);
                self.line(&format!("let {name} = {value};"));
            }
            2 => {
                let condition = self.rim(2);
                self.line(&format!("if {condition} {{"));
                self.write();
                match self.random.below(3) {
                    0 => {
                        self.line("} else {");
                        self.write();
                    }
                    1 if self.wrap.is_none() => self.line("continue;"),
                    _ => {}
                }
                self.line("}");
            }
            3 => {
                let condition = self.rim(1);
                self.line(&format!("if {condition} {{"));
                self.atomic();
                self.line("}");
            }
            // The type of a literal is told at a rim, or by what is only compared.
            k => {
                let ty = self
                    .random
                    .pick(&[Ty::U8, Ty::I8, Ty::I16, Ty::U32, Ty::U64, Ty::I64, Ty::Usize, Ty::F32]);
                let open = match ty {
                    Ty::F32 => self.random.pick(&["0.1", "2.7", "1e-3"]),
                    Ty::U8 => self.random.pick(&["200", "255", "3"]),
                    Ty::I8 => self.random.pick(&["100", "127", "3"]),
                    Ty::I16 => self.random.pick(&["30000", "32767", "3"]),
                    _ => self.random.pick(&["2000000000", "2147483647", "3"]),
                };
                let (condition, told) = (self.rim(1), self.expr(ty, 2));
                let told = match ty {
                    Ty::F32 | Ty::Usize => told,
                    _ => format!("({told}) as {}", ty.name()),
                };
                let name = self.declare(ty, k < 6);
                match k {
                    4 | 5 => {
                        self.line(&format!("let mut {name} = {open};"));
                        self.line(&format!("if {condition} {{ {name} = {told}; }}"));
                    }
                    6 => self.line(&format!("let {name} = if {condition} {{ {told} }} else {{ {open} }};")),
                    7 => self.line(&format!("let {name} = if {condition} {{ {open} }} else {{ {told} }};")),
                    _ if self.wrap.is_none() => {
                        self.line(&format!(
                            "let {name} = if {condition} {{ {told} }} else {{ continue }};"
                        ));
                    }
                    _ => self.line(&format!(
                        "let {name} = 'b: {{ if {condition} {{ break 'b {told}; }} {open} }};"
                    )),
                }
                if self.random.percent(70) {
                    self.tells(&name, ty, open);
                }
            }
        }
    }

    /// Writes what tells of which type a variable is, without another variable of it.
    fn tells(&mut self, name: &str, ty: Ty, open: &str) {
        let fit: Vec<usize> = (0..self.fields.len())
            .filter(|k| {
                let field = &self.fields[*k];
                let own = field.mutable && !field.atomic && field.rank == self.own.len();
                own && (field.ty.is_int() || field.ty.is_float())
            })
            .collect();
        if fit.is_empty() {
            return;
        }
        let k = self.random.pick(&fit);
        let (field, index, of) = (self.field_name(k), self.own_index(), self.fields[k].ty.name());
        let value = match ty {
            // Not what functions of floats may round otherwise.
            Ty::F32 => format!("({name} * 0.0 + 16777217.0)"),
            _ => self
                .random
                .one(&[
                    format!("(({name} + {open}) / 2)"),
                    format!("(({name} << 5) >> 3)"),
                    format!("(!{name} % 77)"),
                    format!("({name} << 40 >> 36)"),
                ])
                .clone(),
        };
        self.line(&format!("{field}[{index}] = {value} as {of};"));
    }
}
