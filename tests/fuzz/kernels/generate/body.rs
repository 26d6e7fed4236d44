//! Statements.

use super::kernel::{Kernel, Role, Var};
use super::types::{LOCALS, MEMBERS, Ty};

impl Kernel {
    pub fn declare(&mut self, name: &str, ty: Ty, mutable: bool) {
        self.vars.push(Var {
            name: name.to_owned(),
            ty,
            mutable,
        });
    }

    /// `let x = ..;`
    pub fn binding(&mut self) {
        let ty = self.random.pick(&LOCALS);
        let ty = self.allowed(ty);
        let mutable = self.random.percent(40) && (self.around.is_some() || self.returns.is_some());
        let value = self.expr(ty, 3);
        // Sometimes a name that is taken; never one of the loop's, which the own accesses need, nor one that sums up.
        let taken: Vec<String> = self
            .vars
            .iter()
            .filter(|v| v.name.starts_with('x'))
            .map(|v| v.name.clone())
            .collect();
        let name = if !taken.is_empty() && self.random.percent(15) {
            self.random.one(&taken).clone()
        } else {
            self.fresh("x")
        };
        let keyword = if mutable { "mut " } else { "" };
        self.line(&format!("let {keyword}{name}: {} = {value};", ty.name()));
        self.vars.retain(|v| v.name != name);
        self.declare(&name, ty, mutable);
    }

    pub fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    pub fn inside(&mut self, head: &str, count: usize, depth: usize) {
        self.line(head);
        // What is declared inside ends there, and a name that is hidden there comes back.
        let before = self.vars.clone();
        self.depth += 1;
        self.statements(count, depth);
        self.depth -= 1;
        self.vars = before;
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(100) {
            0..15 => self.binding(),
            15..22 => self.patterns(),
            22..50 => self.change(),
            64..70 => self.assign(),
            70..80 if depth > 0 => self.branch(depth - 1),
            80..86 if depth > 0 && self.loops < 2 && !self.big => self.sequential(depth - 1),
            50..64 if depth > 0 && self.loops < 2 && !self.big && (self.tame || self.returns.is_some()) => {
                self.sequential(depth - 1);
            }
            86..88 => self.helper(),
            88..90 if !self.tame || self.returns.is_some() => self.claim(),
            90..93 if depth > 0 => self.leave(),
            93..96 if depth > 0 => self.guarded(depth - 1),
            96 => self.print(),
            _ => self.change(),
        }
    }

    fn print(&mut self) {
        let ((_, x), (_, y)) = (self.number(), self.number());
        let text = match self.random.below(3) {
            0 => format!("println!(\"{{}} beside {{:?}}\", {x}, [{y}, {y}]);"),
            1 => format!("print!(\"{{0}} {{0:3?}}\", {x});"),
            _ => format!("dbg!({x}, {y});"),
        };
        self.line(&text);
    }

    fn patterns(&mut self) {
        let (a, b) = (self.fresh("x"), self.fresh("x"));
        if self.random.percent(50) {
            let ((s, x), (t, y)) = (self.number(), self.number());
            self.line(&format!("let ({a}, mut {b}) = ({x}, {y});"));
            self.declare(&a, s, false);
            self.declare(&b, t, true);
        } else {
            let ty = self.random.pick(&[Ty::I32, Ty::F32, Ty::U8]);
            let ty = self.allowed(ty);
            let (x, y) = (self.expr(ty, 2), self.expr(ty, 2));
            self.line(&format!("let [{a}, {b}, _] = [{x}, {y}, {x}];"));
            self.declare(&a, ty, false);
            self.declare(&b, ty, false);
        }
    }

    /// Writes an own element, or changes one atomically.
    pub fn change(&mut self) {
        let all: Vec<usize> = (0..self.fields.len())
            .filter(|&k| !matches!(self.role_of(k), Role::None | Role::Read))
            .collect();
        if all.is_empty() {
            return self.binding();
        }
        let k = self.random.pick(&all);
        match self.role_of(k) {
            Role::Atomic(op) => {
                let text = self.atomically(k, op);
                self.line(&text);
            }
            Role::OwnAtomic(map) => {
                let text = self.own_atomically(k, &map);
                self.line(&text);
            }
            _ => self.write(k),
        }
    }

    fn write(&mut self, k: usize) {
        let own = self.own(k).expect("an own element");
        let ty = self.fields[k].ty;
        let free = self.free_members(k);
        let (place, ty) = match ty {
            Ty::Part => {
                let members: Vec<(&str, Ty)> = MEMBERS.into_iter().filter(|m| !free.contains(&m.0)).collect();
                match self.random.below(4) {
                    0 if free.is_empty() => (own, Ty::Part),
                    1 | 2 if !members.is_empty() => {
                        let (name, ty) = self.random.pick(&members);
                        if ty == Ty::Vec3 && self.random.percent(40) {
                            (format!("{own}.pos.{}", self.random.pick(&["x", "z"])), Ty::F32)
                        } else {
                            (format!("{own}.{name}"), ty)
                        }
                    }
                    _ => {
                        let k = self.random.pick(&["0", "LAST", "1"]);
                        (format!("{own}.w[{k}]"), Ty::U8)
                    }
                }
            }
            Ty::Vec3 if self.random.percent(40) => {
                (format!("{own}{}", self.random.pick(&[".x", ".z", "[1]"])), Ty::F32)
            }
            ty => (own, ty),
        };
        let value = self.expr(ty, 3);
        let op = self.assignment(ty);
        self.line(&format!("{place} {op} {value};"));
    }

    fn assignment(&mut self, ty: Ty) -> &'static str {
        if self.random.percent(50) {
            return "=";
        }
        match ty {
            Ty::Bool => self.random.pick(&["&=", "|=", "^="]),
            Ty::Part => "=",
            Ty::Vec3 => self.random.pick(&["+=", "-=", "*="]),
            _ if ty.is_float() => self.random.pick(&["+=", "-=", "*=", "/="]),
            _ => self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]),
        }
    }

    fn assign(&mut self) {
        let all: Vec<(String, Ty)> = self
            .vars
            .iter()
            .filter(|v| v.mutable)
            .map(|v| (v.name.clone(), v.ty))
            .collect();
        if all.is_empty() {
            return self.binding();
        }
        let (name, ty) = self.random.one(&all).clone();
        let (value, op) = (self.expr(ty, 3), self.assignment(ty));
        match ty {
            Ty::Part if self.random.percent(60) => {
                let value = self.expr(Ty::U8, 2);
                self.line(&format!("{name}.w[LAST] = {value};"));
            }
            Ty::Vec3 if self.random.percent(50) => {
                let value = self.expr(Ty::F32, 2);
                self.line(&format!("{name}.y += {value};"));
            }
            _ => self.line(&format!("{name} {op} {value};")),
        }
    }

    fn branch(&mut self, depth: usize) {
        let cond = self.expr(Ty::Bool, 2);
        let count = 1 + self.random.below(2);
        self.inside(&format!("if {cond} {{"), count, depth);
        if self.random.percent(40) {
            self.inside("} else {", count, depth);
        }
        self.line("}");
    }

    /// `if i + 1 < f.len() { .. f[i + 1] .. }`
    fn guarded(&mut self, depth: usize) {
        let readable: Vec<usize> = (0..self.fields.len())
            .filter(|&k| {
                let f = &self.fields[k];
                self.role_of(k) == Role::Read && f.shape.len() == 1 && f.origin.is_none() && !self.tame
            })
            .collect();
        if readable.is_empty() {
            return self.branch(depth);
        }
        let k = self.random.pick(&readable);
        let (field, ty) = (self.fields[k].name.clone(), self.fields[k].ty);
        let v = self.size_atom();
        let (cond, index) = match self.random.below(3) {
            0 => (format!("{v} + 1 < {field}.len()"), format!("{v} + 1")),
            1 => (format!("{v} > 0 && {v} <= {field}.len()"), format!("{v} - 1")),
            _ => (format!("{v} >= 2 && {v} - 2 < {field}.len()"), format!("{v} - 2")),
        };
        let name = self.fresh("x");
        self.line(&format!("if {cond} {{"));
        let before = self.vars.clone();
        self.depth += 1;
        self.line(&format!("let {name} = {field}[{index}];"));
        self.declare(&name, ty, false);
        self.statements(1, depth);
        self.depth -= 1;
        self.vars = before;
        self.line("}");
    }

    /// A function that changes a variable.
    fn helper(&mut self) {
        let find = |kernel: &Kernel, ty: Ty| {
            kernel
                .vars
                .iter()
                .find(|v| v.mutable && v.ty == ty)
                .map(|v| v.name.clone())
        };
        let value = self.expr(Ty::I32, 2);
        let (name, given) = (self.fresh("x"), self.fresh("x"));
        self.line(&format!("let {given} = {value};"));
        if let Some(x) = find(self, Ty::I32) {
            self.line(&format!("let {name} = bump(&mut {x}, {given});"));
        } else if let Some(p) = find(self, Ty::Part) {
            self.line(&format!("let {name} = {p}.tagged({given});"));
        } else {
            self.line(&format!("let mut {name} = {given};"));
            return self.declare(&name, Ty::I32, true);
        }
        self.declare(&name, Ty::I32, false);
    }

    /// The sums of this loop.
    pub fn accumulate(&mut self) {
        self.accumulate_into(|_, _| true);
    }

    /// Those of them that are exact however often something is added.
    pub fn accumulate_exactly(&mut self) {
        self.accumulate_into(|ty, op| !ty.is_float() || op != "+=");
    }

    /// A comparison with a variable, of which `value` is the other side, and what is taken where it holds. Which iterations take depends on how the loop is
    /// cut, so that nothing may fail there.
    fn taken(&mut self, k: usize, value: &str) -> String {
        let (name, op, at) = (self.sums[k].name.clone(), self.sums[k].op, self.sums[k].taken_name());
        let other = match self.sums[k].taken {
            Some(ty) => self.expr(ty, 3),
            None => return String::new(),
        };
        let [x, y] = [(); 2].map(|()| self.fresh("x"));
        self.line(&format!("let {x} = {value};"));
        self.line(&format!("let {y} = {other};"));
        let turned = match op {
            "<" => ">",
            "<=" => ">=",
            ">" => "<",
            _ => "<=",
        };
        let compared = match self.random.percent(50) {
            true => format!("{x} {op} {name}"),
            false => format!("{name} {turned} {x}"),
        };
        let condition = match self.random.percent(30) {
            true => format!("{} && {compared}", self.expr(Ty::Bool, 2)),
            false => compared,
        };
        let mut assigned = [format!("{name} = {x};"), format!("{at} = {y};")];
        if self.random.percent(50) {
            assigned.reverse();
        }
        format!("if {condition} {{ {} }}", assigned.join(" "))
    }

    fn accumulate_into(&mut self, into: impl Fn(Ty, &str) -> bool) {
        for k in 0..self.sums.len() {
            if self.sums[k].in_loop != self.number || !into(self.sums[k].ty, self.sums[k].op) {
                continue;
            }
            let (name, ty, op) = (self.sums[k].name.clone(), self.sums[k].ty, self.sums[k].op);
            let value = match (ty, op) {
                (Ty::F32 | Ty::F64, "+=") => self.whole_number(ty),
                (Ty::F32, _) => format!("({}).abs()", self.expr(Ty::F32, 3)),
                _ => self.expr(ty, 3),
            };
            let text = match op {
                "min" | "max" => format!("{name} = {name}.{op}({value});"),
                "&&" | "||" => {
                    // Which iterations evaluate the right side depends on how the loop is cut, so nothing in it may fail.
                    let text = self.fresh("x");
                    self.line(&format!("let {text} = {value};"));
                    format!("{name} = {name} {op} {text};")
                }
                "<" | "<=" | ">" | ">=" => self.taken(k, &value),
                _ => format!("{name} {op} {value};"),
            };
            if self.random.percent(30) {
                let cond = self.expr(Ty::Bool, 2);
                self.line(&format!("if {cond} {{ {text} }}"));
            } else {
                self.line(&text);
            }
        }
    }
}
