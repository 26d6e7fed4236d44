//! Sequential loops, over few numbers of any type.

use super::types::Ty;
use super::writer::{Var, Writer};

impl Writer {
    /// A sequential loop, over few numbers of any type.
    pub fn sequential(&mut self, depth: usize) {
        let (range, ty) = match self.random.below(14) {
            0..4 => (format!("0..{}", 1 + self.random.below(4)), Ty::Usize),
            4 => (format!("0..({} & 3)", self.typed(Ty::U32)), Ty::U32),
            5 => ("253u8..=255".to_owned(), Ty::U8),
            6 => ("(-128i8..=127).step_by(100)".to_owned(), Ty::I8),
            7 => ("(i64::MIN..=i64::MAX).step_by(usize::MAX / 4)".to_owned(), Ty::I64),
            8 => ("18446744073709551612u64..18446744073709551615".to_owned(), Ty::U64),
            9 => ("(0..3).rev()".to_owned(), Ty::Usize),
            10 => ("0..({} as usize & 7)".replace("{}", &self.typed(Ty::I32)), Ty::Usize),
            11 => ("(i32::MIN..=i32::MAX).step_by(1 << 30).rev()".to_owned(), Ty::I32),
            12 => ("u32::MAX - 2..=u32::MAX".to_owned(), Ty::U32),
            _ => ("(1..9u32).step_by(3)".to_owned(), Ty::U32),
        };
        let before = self.vars.clone();
        let labelled = self.random.percent(25);
        let label = if labelled { "'a: " } else { "" };
        let serial = self.random.percent(6);
        let range = match (serial, self.items.text.contains("mod own ")) {
            (true, true) => format!("own::serial({range})"),
            (true, false) => format!("serial({range})"),
            _ => range,
        };
        let name = self.declare(ty, false);
        self.line(&format!("{label}for {name} in {range} {{"));
        self.nested += 1;
        let count = 1 + self.random.below(2);
        self.statements(count, depth - 1);
        if self.random.percent(20) {
            let leave = self.random.pick(&["break", "continue"]);
            let place = if labelled { " 'a" } else { "" };
            let condition = self.boolean(2);
            if self.can_pass() && self.random.percent(50) {
                let passed = self.argument("block", |_| format!("{{ {leave}; }}"));
                self.line(&format!("if {condition} {passed}"));
            } else {
                self.line(&format!("if {condition} {{ {leave}{place}; }}"));
            }
        }
        self.nested -= 1;
        self.vars = before;
        self.line("}");
    }

    pub fn repeated(&mut self, depth: usize) {
        let before = self.vars.clone();
        self.fresh += 1;
        let count = format!("n{}", self.fresh);
        let name = self.declare_as(count, Ty::Usize, true);
        let end = 1 + self.random.below(4);
        self.line(&format!(
            "let mut {name} = 0usize;\nwhile {name} < {end} {{\n{name} += 1;"
        ));
        self.nested += 1;
        self.inside(1, depth - 1);
        self.nested -= 1;
        self.vars = before;
        self.line("}");
    }

    /// A neighbourhood around two places, whose variables may have one name.
    pub fn window(&mut self) {
        let list = (0..self.fields.len()).find(|k| {
            let field = &self.fields[*k];
            !field.mutable && field.rank == 1 && (field.ty.is_int() || field.ty.is_float())
        });
        let Some(list) = list.filter(|_| !self.hole && !self.own.is_empty()) else {
            return self.let_statement();
        };
        let (first, second) = (self.axis(list, 0, 1), self.axis(list, 0, 1));
        let (here, there) = match self.wrap {
            Some(_) => ("base".to_owned(), self.given("base")),
            None => ("base".to_owned(), "beside".to_owned()),
        };
        let (ty, name) = (self.fields[list].ty, self.field_name(list));
        let beside = match (self.items.index, self.find(|var| var.ty == Ty::Mine)) {
            (Some(turns), Some(m)) if self.random.percent(60) => {
                if turns {
                    self.turns += 2;
                }
                format!("{}[0]", self.var_name(m))
            }
            _ => there.clone(),
        };
        let zero = if ty.is_float() { "0.0" } else { "0" };
        let end = 1 + self.random.below(4);
        self.line(&format!("let {here}: usize = {first};\nlet {there}: usize = {second};"));
        self.fresh += 1;
        let (sum, by) = (format!("sum{}", self.fresh), format!("by{}", self.fresh));
        self.line(&format!(
            "let mut {sum} = {zero};\nfor {by} in 0..{end} {{\n{sum} += {name}[{here} + {by}] + {name}[{beside} + {by}];\n}}"
        ));
        self.vars.retain(|var| var.text != "base");
        self.vars.push(Var {
            text: sum,
            call: false,
            ty,
            mutable: true,
        });
        self.write();
    }

    /// Two loops with labels of one name, one of which is an argument.
    pub fn labels(&mut self) {
        if !self.can_pass() {
            return self.array();
        }
        let outer = self.argument("lifetime", |_| "'a".to_owned());
        let leave = self.random.pick(&["{ continue 'a; }", "{ break 'a; }"]);
        let leave = self.argument("block", |_| leave.to_owned());
        self.fresh += 2;
        let (p, q) = (format!("p{}", self.fresh), format!("q{}", self.fresh));
        self.line(&format!(
            "{outer}: for {p} in 0..3u32 {{\n'a: for {q} in 0..3u32 {{\nif {p} + {q} == 3 {leave}"
        ));
        self.nested += 2;
        let before = self.vars.clone();
        self.vars.push(Var {
            text: q,
            call: false,
            ty: Ty::U32,
            mutable: false,
        });
        self.write();
        self.vars = before;
        self.nested -= 2;
        self.line("}\n}");
    }
}
