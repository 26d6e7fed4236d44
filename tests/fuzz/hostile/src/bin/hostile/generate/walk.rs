//! Walks along places that data tell, as through a grid or a tree.

use super::types::Ty;
use super::writer::{Var, Writer};

impl Writer {
    /// A sequential loop in which each place tells the next one, and a sum of what is found there.
    pub fn walk(&mut self) {
        let list = self.list(|field| field.ty.is_int());
        let seen = self.list(|field| field.ty.is_int() || field.ty.is_float());
        let (Some(list), Some(seen)) = (list, seen) else {
            return self.let_statement();
        };
        if self.hole || self.own.is_empty() {
            return self.let_statement();
        }
        let (next, found, ty) = (self.field_name(list), self.field_name(seen), self.fields[seen].ty);
        let start = self.axis(list, 0, 1);
        self.fresh += 1;
        let [at, by, sum] = ["at", "by", "sum"].map(|name| format!("{name}{}", self.fresh));
        let zero = if ty.is_float() { "0.0" } else { "0" };
        self.line(&format!("let mut {at}: usize = {start};\nlet mut {sum} = {zero};"));
        // Some are short and known, others differ from iteration to iteration.
        let rounds = match self.random.below(8) {
            0..3 => format!("{}", 1 + self.random.below(24)),
            3 => format!("{} & 15", self.typed(Ty::Usize)),
            4 => format!("{next}.len() & 31"),
            5 => format!("({at} & 7) + 1"),
            _ => format!("({} & 15) as usize", self.typed(Ty::U32)),
        };
        let head = match self.random.below(5) {
            0 => {
                let until = self.random.pick(&["!= 3", "< 9", "!= 0"]);
                format!("let mut {by} = 0usize; while {by} < {rounds} && {next}[{at}] {until} {{ {by} += 1;")
            }
            1 => format!("let mut {by} = 0usize; loop {{ {by} += 1; if {by} > {rounds} {{ break; }}"),
            _ => format!("for {by} in 0..{rounds} {{"),
        };
        self.line(&head);
        self.nested += 1;
        let before = self.vars.clone();
        for (text, ty, mutable) in [(&by, Ty::Usize, false), (&sum, ty, true)] {
            self.vars.push(Var {
                text: text.clone(),
                call: false,
                ty,
                mutable,
            });
        }
        if self.random.percent(30) {
            let (leave, condition) = (self.random.pick(&["break", "continue"]), self.boolean(1));
            self.line(&format!("if {condition} {{ {leave}; }}"));
        }
        let seen = match self.random.below(5) {
            0 => format!("{found}[{at} + {by}]"),
            1 => format!("{found}[{next}[{at}] as usize]"),
            2 => format!("{found}[{at} ^ 1]"),
            _ => format!("{found}[{at}]"),
        };
        let add = match self.random.below(5) {
            0 => format!("if {} {{ {sum} += {seen}; }}", self.boolean(1)),
            1 => format!("{sum} = {seen};"),
            _ => format!("{sum} += {seen};"),
        };
        self.line(&add);
        if self.random.percent(25) {
            self.write();
        }
        if self.random.percent(20) {
            self.change();
        }
        let step = match self.random.below(7) {
            0 => format!("{at} + 1"),
            1 => format!("({at} + {by}) & 7"),
            2 => format!("({at} + {next}[{at}] as usize) % {next}.len()"),
            3 => format!("if {} {{ {next}[{at}] as usize }} else {{ {at} + 2 }}", self.boolean(1)),
            4 => self.expr(Ty::Usize, 2),
            _ => format!("{next}[{at}] as usize"),
        };
        self.line(&format!("{at} = {step};\n}}"));
        self.nested -= 1;
        self.vars = before;
        self.vars.push(Var {
            text: sum,
            call: false,
            ty,
            mutable: true,
        });
        self.write();
    }

    /// A field of one axis that is only read.
    fn list(&mut self, accept: impl Fn(&super::writer::FieldInfo) -> bool) -> Option<usize> {
        let fit: Vec<usize> = (0..self.fields.len())
            .filter(|k| {
                let field = &self.fields[*k];
                !field.mutable && field.rank == 1 && accept(field)
            })
            .collect();
        (!fit.is_empty()).then(|| self.random.pick(&fit))
    }
}
