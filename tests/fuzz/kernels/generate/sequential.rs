//! Sequential loops, what leaves them, and failures by a kernel's own word.

use super::kernel::{Kernel, Role};
use super::types::{INTS, Ty};

impl Kernel {
    pub fn sequential(&mut self, depth: usize) {
        // Under an `if` it would not be cut.
        if self.tame && self.returns.is_none() && self.depth > 2 + self.loops && self.random.percent(70) {
            return self.binding();
        }
        if self.returns.is_none() && self.random.percent(20) && self.walk() {
            return;
        }
        let labelled = self.label.is_none() && self.random.percent(35);
        let name = self.fresh("'l");
        let label = if labelled { format!("{name}: ") } else { String::new() };
        if labelled {
            self.label = Some(name);
        }
        self.loops += 1;
        let kind = self.random.below(8);
        match if self.tame { kind.max(1) } else { kind } {
            0 => self.with_value(&label),
            1 => self.endless(&label, depth),
            2 | 3 => self.while_loop(&label, depth),
            _ => self.counted(&label, depth),
        }
        self.loops -= 1;
        if labelled {
            self.label = None;
        }
    }

    /// A loop with a value.
    fn with_value(&mut self, label: &str) {
        let (count, name) = (self.fresh("c"), self.fresh("x"));
        let value = self.expr(Ty::I32, 2);
        self.line(&format!("let mut {count} = 0i32;"));
        self.line(&format!(
            "let {name} = {label}loop {{ {count} += 1; if {count} > 3 {{ break {value}; }} }};"
        ));
        self.declare(&name, Ty::I32, false);
    }

    fn endless(&mut self, label: &str, depth: usize) {
        let count = self.fresh("c");
        let most = self.random.pick(&["2", "5", "19"]);
        let cond = self.expr(Ty::Bool, 1);
        self.line(&format!("let mut {count} = 0usize;"));
        self.inside(
            &format!("{label}loop {{ {count} += 1; if {count} > {most} || {cond} {{ break; }}"),
            1,
            depth,
        );
        self.line("}");
    }

    fn while_loop(&mut self, label: &str, depth: usize) {
        let count = self.fresh("c");
        self.line(&format!("let mut {count} = 0u32;"));
        let cond = self.expr(Ty::Bool, 2);
        let most = if self.random.percent(if self.tame { 85 } else { 50 }) {
            self.random.pick(&["4u32", "20u32"]).to_owned()
        } else {
            // Each iteration's own number of rounds.
            format!("({}) % 6", self.expr(Ty::U32, 1))
        };
        let rounds = 1 + self.random.below(2);
        self.inside(
            &format!("{label}while {count} < {most} && {cond} {{ {count} += 1;"),
            rounds,
            depth,
        );
        self.line("}");
    }

    fn counted(&mut self, label: &str, depth: usize) {
        let var = self.fresh("k");
        let small: Vec<(usize, usize)> = (0..self.fields.len())
            .flat_map(|k| (0..self.fields[k].shape.len()).map(move |axis| (k, axis)))
            .filter(|&(k, axis)| self.fields[k].shape[axis] <= if self.loops > 1 { 8 } else { 33 })
            .collect();
        let within = (!small.is_empty() && self.random.percent(70)).then(|| self.random.pick(&small));
        let end = match within {
            Some((k, axis)) => format!("{}.shape()[{axis}]", self.fields[k].name),
            None => "3usize".to_owned(),
        };
        let step = 1 + self.random.below(3);
        // Lanes have the same bounds, of more rounds than LLVM unrolls.
        let kind = if self.tame && self.returns.is_none() && self.random.percent(80) {
            self.random.pick(&[0, 1, 3, 9, 10, 11])
        } else {
            self.random.below(12)
        };
        let end = if self.tame && self.returns.is_none() && within.is_none() {
            self.random.pick(&["few", "few", "n"]).to_owned()
        } else {
            end
        };
        let end = if end == "n" && self.loops > 1 {
            "few".to_owned()
        } else {
            end
        };
        let (range, ty) = match kind {
            0..3 => (format!("0..{end}"), Ty::Usize),
            3 => (format!("(0..{end}).rev()"), Ty::Usize),
            4 => ("(-2i32..4).step_by(2)".to_owned(), Ty::I32),
            5 => ("1..=LAST".to_owned(), Ty::Usize),
            // Bounds of each iteration's own.
            6 | 7 => {
                let v = self.size_atom();
                (format!("0..{v} % 7"), Ty::Usize)
            }
            8 => {
                let (a, b) = (self.expr(Ty::I32, 1), self.expr(Ty::I32, 1));
                (format!("({a}) % 3..({b}) % 5"), Ty::I32)
            }
            9 => (format!("(0..{end}).step_by({step})"), Ty::Usize),
            11 => (format!("(0..{end}).step_by({step}).rev()"), Ty::Usize),
            _ => ("0u8..21".to_owned(), Ty::U8),
        };
        self.line(&format!("{label}for {var} in {range} {{"));
        let before = self.vars.clone();
        self.declare(&var, ty, false);
        let outer = self.within.len();
        if let (Some((k, axis)), true) = (within, range.contains(&end)) {
            self.within.push((var, k, axis));
        }
        self.depth += 1;
        if self.random.percent(25) {
            self.leave();
        }
        let count = 1 + self.random.below(2);
        self.statements(count, depth);
        if self.returns.is_none() && self.random.percent(30) {
            self.accumulate_exactly();
        }
        self.depth -= 1;
        self.within.truncate(outer);
        self.vars = before;
        self.line("}");
    }

    /// A walk in which each place tells the next one, mostly one that is there.
    fn walk(&mut self) -> bool {
        let fit: Vec<usize> = (0..self.fields.len())
            .filter(|&k| {
                let field = &self.fields[k];
                let one = field.shape.len() == 1 && field.shape[0] > 0 && field.origin.is_none();
                one && INTS.contains(&field.ty) && self.role_of(k) == Role::Read
            })
            .collect();
        if fit.is_empty() {
            return false;
        }
        let (list, seen) = (self.random.pick(&fit), self.random.pick(&fit));
        let (next, found, ty) = (
            self.fields[list].name.clone(),
            self.fields[seen].name.clone(),
            self.fields[seen].ty,
        );
        let [at, by, sum] = ["x", "c", "x"].map(|prefix| self.fresh(prefix));
        let start = self.expr(Ty::Usize, 1);
        let start = match self.random.percent(80) {
            true => format!("({start}) % {next}.len()"),
            false => start,
        };
        self.line(&format!("let mut {at}: usize = {start};"));
        self.line(&format!("let mut {sum}: {} = 1;", ty.name()));
        let rounds = match self.random.below(4) {
            0 => format!("{} & 15", self.size_atom()),
            1 => format!("{}usize", 1 + self.random.below(30)),
            _ if self.tame => "few".to_owned(),
            _ => "n % 20".to_owned(),
        };
        match self.random.below(4) {
            0 => {
                self.line(&format!("let mut {by} = 0usize;"));
                self.line(&format!("while {by} < {rounds} && {next}[{at}] != 3 {{"));
                self.line(&format!("{by} += 1;"));
            }
            _ => self.line(&format!("for {by} in 0..{rounds} {{")),
        }
        let before = self.vars.clone();
        self.depth += 1;
        self.loops += 1;
        self.declare(&sum, ty, true);
        self.declare(&by, Ty::Usize, false);
        if self.random.percent(30) {
            self.leave();
        }
        let index = match self.random.below(5) {
            0 => at.clone(),
            1 => format!("{at} ^ 1"),
            2 => format!("{next}[{at}] as usize"),
            _ => format!("({at} + {by}) % {found}.len()"),
        };
        match self.random.below(3) {
            0 => {
                let cond = self.expr(Ty::Bool, 1);
                self.line(&format!("if {cond} {{ {sum} += {found}[{index}]; }}"));
            }
            1 => self.line(&format!("{sum} ^= {found}[{index}];")),
            _ => self.line(&format!("{sum} += {found}[{index}];")),
        }
        if self.random.percent(30) {
            self.change();
        }
        let step = match self.random.below(5) {
            0 => format!("{at} + 1"),
            1 => format!("{next}[{at}] as usize"),
            2 => format!("({}) % {next}.len()", self.expr(Ty::Usize, 1)),
            _ => format!("({at} + {next}[{at}] as usize) % {next}.len()"),
        };
        self.line(&format!("{at} = {step};"));
        self.loops -= 1;
        self.depth -= 1;
        self.vars = before;
        self.line("}");
        self.declare(&at, Ty::Usize, true);
        self.declare(&sum, ty, true);
        self.change();
        true
    }

    /// `break`, `continue` or `return` under a condition.
    pub fn leave(&mut self) {
        let cond = self.expr(Ty::Bool, 2);
        let returned = match self.returns {
            Some(ty) if self.loops == 0 || self.random.percent(30) => Some(self.expr(ty, 1)),
            _ => None,
        };
        let exit = match (returned, &self.label) {
            (Some(value), _) => format!("return {value}"),
            (None, _) if self.loops == 0 => "continue".to_owned(),
            (None, Some(label)) if self.random.percent(50) => {
                format!("{} {label}", self.random.pick(&["break", "continue"]))
            }
            _ => self.random.pick(&["break", "continue"]).to_owned(),
        };
        self.line(&format!("if {cond} {{ {exit}; }}"));
    }

    /// What mostly holds.
    pub fn claim(&mut self) {
        let (a, b) = (self.expr(Ty::I32, 2), self.expr(Ty::U8, 2));
        let text = match self.random.below(if self.exact { 4 } else { 5 }) {
            0 => format!("assert!(({a}) != 77);"),
            1 => {
                let cond = self.expr(Ty::Bool, 1);
                format!("assert!({cond} || ({b}) < 250, \"{{}} and {{:?}}\", {b}, {cond});")
            }
            2 => format!("assert_ne!(({a}) & 63, 17, \"of {{}}\", {b});"),
            3 => format!("debug_assert!(true); if ({a}) % 50 == 33 {{ panic!(\"no {{}}\", {a}); }}"),
            _ => {
                let (cond, x) = (self.expr(Ty::Bool, 2), self.expr(Ty::F32, 1));
                format!("if {cond} && ({b}) == 100 {{ unreachable!(\"{{:?}} at {{}}\", {x}, {a}); }}")
            }
        };
        self.line(&text);
    }
}
