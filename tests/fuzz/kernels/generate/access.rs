//! Parallel loops, and accesses to fields in them.

use super::kernel::{Kernel, Loop, Role, Var};
use super::types::{ATOMIC_MEMBERS, INTS, MEMBERS, Ty};

impl Kernel {
    /// One parallel loop with its body.
    pub fn parallel(&mut self) {
        let (head, vars, whole) = self.domain();
        let roles: Vec<Role> = (0..self.fields.len()).map(|k| self.role(k, &vars, &whole)).collect();
        for (field, role) in self.fields.iter_mut().zip(&roles) {
            field.written |= matches!(role, Role::Own(..) | Role::Whole(_));
        }
        self.line(&format!("for {head} {{"));
        let before = self.vars.clone();
        self.enter(vars, roles);
        if let Some(around) = &mut self.around {
            around.whole.clone_from(&whole);
        }
        self.depth += 1;
        if let Some((name, rank)) = &whole
            && self.random.percent(50)
        {
            let names: Vec<String> = (0..*rank).map(|_| self.fresh("i")).collect();
            self.line(&format!("let [{}] = {name};", names.join(", ")));
            self.vars.extend(names.into_iter().map(|name| Var {
                name,
                ty: Ty::Usize,
                mutable: false,
            }));
        }
        let count = if self.big { 2 } else { 2 + self.random.below(4) };
        self.statements(count, 3);
        if self.tame && !self.big && self.random.percent(70) {
            self.sequential(2);
            self.statements(1, 0);
        }
        self.accumulate();
        self.depth -= 1;
        self.vars = before;
        self.around = None;
        self.line("}");
    }

    /// Makes the positions of a loop known.
    pub fn enter(&mut self, vars: Vec<(String, Ty)>, roles: Vec<Role>) {
        self.vars
            .extend(vars.iter().filter(|(name, _)| name != "_").map(|(name, ty)| Var {
                name: name.clone(),
                ty: *ty,
                mutable: false,
            }));
        self.around = Some(Loop {
            vars,
            whole: None,
            roles,
        });
    }

    /// `i in f0.indices()`, the positions, and the variable of all of them.
    #[allow(clippy::type_complexity)]
    fn domain(&mut self) -> (String, Vec<(String, Ty)>, Option<(String, usize)>) {
        let k = self.random.below(self.fields.len());
        let (field, rank) = (self.fields[k].name.clone(), self.fields[k].shape.len());
        let position = match self.fields[k].origin {
            Some(_) => Ty::Isize,
            None => Ty::Usize,
        };
        let name = |kernel: &mut Kernel| {
            if kernel.random.percent(3) {
                "_".to_owned()
            } else {
                kernel.fresh("i")
            }
        };
        let kind = self.random.below(10);
        match if self.tame && kind == 8 { 0 } else { kind } {
            0..5 if rank == 1 => {
                let i = name(self);
                (format!("{i} in {field}.indices()"), vec![(i, position)], None)
            }
            0..5 if position == Ty::Usize && self.random.percent(25) => {
                let p = self.fresh("p");
                (format!("{p} in {field}.indices()"), Vec::new(), Some((p, rank)))
            }
            0..5 => {
                let vars: Vec<(String, Ty)> = (0..rank).map(|_| (name(self), position)).collect();
                let names: Vec<&str> = vars.iter().map(|(n, _)| &**n).collect();
                (format!("[{}] in {field}.indices()", names.join(", ")), vars, None)
            }
            5..8 => {
                let i = name(self);
                let (range, ty) = self.range(&field);
                (format!("{i} in {range}"), vec![(i, ty)], None)
            }
            _ => {
                let count = 2 + usize::from(self.random.percent(20));
                let extents: Vec<String> = (0..count).map(|k| self.extent(k)).collect();
                let vars: Vec<(String, Ty)> = (0..count).map(|_| (name(self), Ty::Usize)).collect();
                let names: Vec<&str> = vars.iter().map(|(n, _)| &**n).collect();
                (
                    format!("[{}] in ndrange([{}])", names.join(", "), extents.join(", ")),
                    vars,
                    None,
                )
            }
        }
    }

    fn range(&mut self, field: &str) -> (String, Ty) {
        let end = match self.random.below(4) {
            0 => "n".to_owned(),
            1 => format!("{field}.shape()[0]"),
            _ => format!("{field}.len()"),
        };
        let kind = self.random.below(10);
        match if self.tame { kind % 5 } else { kind } {
            0..4 => (format!("0..{end}"), Ty::Usize),
            4 => (format!("1..{end}"), Ty::Usize),
            5 => (
                format!("(LAST..{end}).step_by({})", 1 + self.random.below(4)),
                Ty::Usize,
            ),
            6 => (format!("0..={}", self.random.below(20)), Ty::Usize),
            7 => (format!("0..{field}.shape()[0] as i32"), Ty::I32),
            8 => (format!("{}i64..n as i64", self.random.pick(&["-2", "0", "3"])), Ty::I64),
            _ => (
                format!(
                    "(0u8..{}).step_by({})",
                    self.random.pick(&[0, 1, 17, 255]),
                    1 + self.random.below(3)
                ),
                Ty::U8,
            ),
        }
    }

    /// An extent of a loop over several axes; small.
    fn extent(&mut self, axis: usize) -> String {
        let small: Vec<String> = self
            .fields
            .iter()
            .filter(|f| f.shape.len() > axis && f.shape[axis] <= 64)
            .map(|f| format!("{}.shape()[{axis}]", f.name))
            .collect();
        if !small.is_empty() && self.random.percent(70) {
            return self.random.one(&small).clone();
        }
        self.random.pick(&["0", "1", "3", "7", "LAST"]).to_owned()
    }

    fn role(&mut self, k: usize, vars: &[(String, Ty)], whole: &Option<(String, usize)>) -> Role {
        let field = &self.fields[k];
        let (ty, rank) = (field.ty, field.shape.len());
        let signed = vars.iter().any(|v| v.1 == Ty::Isize);
        if self.tame && signed != field.origin.is_some() && (whole.is_none() || field.origin.is_some()) {
            // Positions that are converted are checked in place.
            return if field.mutable || signed || field.origin.is_some() {
                Role::None
            } else {
                Role::Read
            };
        }
        if !field.mutable {
            return Role::Read;
        }
        let atomic: &[&str] = match ty {
            Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64 => &["add", "add", "min", "max", "and", "or", "xor"],
            Ty::F32 | Ty::F64 | Ty::Vec3 | Ty::Part if !field.written => &["add"],
            _ => &[],
        };
        let free: Vec<&'static str> = if ty == Ty::Part && !self.tame && self.random.percent(50) {
            MEMBERS
                .iter()
                .map(|m| m.0)
                .filter(|_| self.random.percent(40))
                .collect()
        } else {
            Vec::new()
        };
        if let Some((_, of)) = whole {
            if *of == rank && field.origin.is_none() && (self.tame || self.random.percent(75)) {
                return Role::Whole(free);
            }
        } else if rank >= vars.len() && vars.iter().all(|(n, _)| n != "_") && (self.tame || self.random.percent(70)) {
            let mut map = vec![None; rank];
            for axis in 0..vars.len() {
                // Mostly in order.
                let place = if self.random.percent(70) && map[axis].is_none() {
                    axis
                } else {
                    (0..rank)
                        .rev()
                        .find(|p| map[*p].is_none())
                        .expect("as many places as axes")
                };
                map[place] = Some(axis);
            }
            if atomic.len() > 1 && !self.tame && self.random.percent(12) {
                return Role::OwnAtomic(map);
            }
            return Role::Own(map, free);
        }
        if self.tame {
            return Role::None;
        }
        if !atomic.is_empty() && self.random.percent(60) {
            return Role::Atomic(self.random.pick(atomic));
        }
        Role::Read
    }

    pub fn role_of(&self, k: usize) -> Role {
        self.around.as_ref().map_or(Role::Read, |l| l.roles[k].clone())
    }

    /// A position that is small and mostly inside.
    pub fn position(&mut self, extent: &str) -> String {
        let v = self.size_atom();
        if let Some(place) = self.placed(&v, extent) {
            return place;
        }
        match self.random.below(100) {
            0..36 => format!("({v} + {}) % {extent}.max(1)", self.random.below(5)),
            36..45 => {
                let wide = self.wide(&v);
                match self.random.percent(70) {
                    true => format!("({wide}) % {extent}.max(1)"),
                    false => format!("({wide}).min({extent} - 1)"),
                }
            }
            45..60 => format!("{v} % {extent}.max(1)"),
            60..75 => format!("{v}.min({extent} - 1)"),
            75..85 => format!("({extent} - 1 - {v} % {extent}.max(1))"),
            85..93 => {
                let e = self.expr(Ty::Usize, 2);
                format!("({e}) % {extent}.max(1)")
            }
            93..97 => match self.fields.iter().position(|f| f.below.is_some() && f.origin.is_none()) {
                Some(k) => {
                    let inner = format!(
                        "{}[{v} % {}.len().max(1)] as usize",
                        self.fields[k].name, self.fields[k].name
                    );
                    if self.random.percent(50) {
                        inner
                    } else {
                        format!("({inner}) % {extent}.max(1)")
                    }
                }
                None => format!("{v}.min({extent} - 1)"),
            },
            97 => v,
            98 => match self.random.percent(70) {
                true => format!("({v} + 1)"),
                // Mostly out of bounds, and never by what 32 bits leave of it.
                false => self.wide(&v),
            },
            _ => self.random.pick(&["0", "LAST", "1", "7"]).to_owned(),
        }
    }

    /// A number that may need more than 32 bits, or be just below what 64 bits hold.
    fn wide(&mut self, v: &str) -> String {
        let big = self.random.pick(&[
            "2147483646",
            "2147483648",
            "4294967295",
            "4294967297",
            "u32::MAX as usize",
            "i32::MAX as usize",
        ]);
        match self.random.below(7) {
            0 => format!("({v} + {big})"),
            1 => format!("{v}.wrapping_sub({})", 1 + self.random.below(7)),
            2 => format!("{v}.wrapping_sub({big})"),
            3 => format!("({v} * ({big}))"),
            4 => {
                let k = self.expr(Ty::U32, 2);
                format!("({v} + ({k}) as usize)")
            }
            5 => {
                let k = self.expr(Ty::U32, 2);
                format!("(({k}) as usize).wrapping_mul({v} + {big})")
            }
            _ => {
                let k = self.expr(Ty::I32, 2);
                format!("{v}.wrapping_add(({k}) as usize)")
            }
        }
    }

    /// A variable or number of type `usize`.
    pub fn size_atom(&mut self) -> String {
        let mut all: Vec<String> = self
            .vars
            .iter()
            .filter(|v| v.ty == Ty::Usize)
            .map(|v| v.name.clone())
            .collect();
        if let Some(around) = &self.around {
            // Those of the loop count several times.
            for (name, ty) in around.vars.iter().filter(|(n, _)| n != "_") {
                let text = if *ty == Ty::Usize {
                    name.clone()
                } else {
                    format!("({name} as usize)")
                };
                all.extend([text.clone(), text.clone(), text]);
            }
        }
        all.push(self.random.pick(&["0usize", "1usize", "3usize"]).to_owned());
        self.random.one(&all).clone()
    }

    fn bracketed(&mut self, k: usize, index: &[String]) -> String {
        let name = self.fields[k].name.clone();
        match index {
            [one] if !self.random.percent(10) => format!("{name}[{one}]"),
            _ => format!("{name}[[{}]]", index.join(", ")),
        }
    }

    fn anywhere_index(&mut self, k: usize) -> Vec<String> {
        let (name, rank) = (self.fields[k].name.clone(), self.fields[k].shape.len());
        if self.tame {
            return (0..rank).map(|axis| self.tame_position(k, axis)).collect();
        }
        if rank == 1
            && self.random.percent(30)
            && let Some(near) = self.halo(k)
        {
            return vec![near];
        }
        (0..rank)
            .map(|axis| {
                let extent = if rank == 1 {
                    format!("{name}.len()")
                } else {
                    format!("{name}.shape()[{axis}]")
                };
                let position = self.position(&extent);
                self.signed(k, axis, position)
            })
            .collect()
    }

    /// A position as that of an offset field, if the field is one.
    fn signed(&mut self, k: usize, axis: usize, position: String) -> String {
        match &self.fields[k].origin {
            Some(origin) => format!("({} + ({position}) as isize)", origin[axis]),
            None => position,
        }
    }

    /// The position of a loop over an offset field, moved by some.
    fn halo(&mut self, k: usize) -> Option<String> {
        self.fields[k].origin.as_ref()?;
        let vars = &self.around.as_ref()?.vars;
        let near: Vec<String> = vars
            .iter()
            .filter(|(n, t)| *t == Ty::Isize && n != "_")
            .map(|v| v.0.clone())
            .collect();
        (!near.is_empty()).then(|| {
            let by = self.random.pick(&["- 2", "- 1", "+ 0", "+ 1", "+ 3"]);
            format!("{} {by}", self.random.one(&near))
        })
    }

    /// A position that is compared before the loop, or not at all.
    fn tame_position(&mut self, k: usize, axis: usize) -> String {
        let offset = self.fields[k].origin.is_some();
        let wanted = if offset { Ty::Isize } else { Ty::Usize };
        let within = self
            .within
            .iter()
            .filter(|(_, f, a)| (*f, *a) == (k, axis))
            .map(|w| w.0.clone());
        let mut all: Vec<String> = if offset { Vec::new() } else { within.collect() };
        if let Some(around) = &self.around {
            all.extend(
                around
                    .vars
                    .iter()
                    .filter(|(n, t)| *t == wanted && n != "_")
                    .map(|v| v.0.clone()),
            );
        }
        if offset
            && self.random.percent(40)
            && let Some(near) = self.halo(k)
        {
            return near;
        }
        if all.is_empty() {
            return self
                .random
                .pick(&["0", "1", "LAST"])
                .replace("LAST", if offset { "2" } else { "LAST" });
        }
        self.random.one(&all).clone()
    }

    pub fn own_index(&mut self, k: usize, map: &[Option<usize>]) -> Vec<String> {
        let name = self.fields[k].name.clone();
        map.iter()
            .enumerate()
            .map(|(axis, at)| match at {
                Some(at) => {
                    let around = self.around.as_ref().expect("a loop");
                    let (var, ty) = around.vars[*at].clone();
                    match (ty, self.fields[k].origin.is_some()) {
                        (Ty::Usize, false) | (Ty::Isize, true) => var,
                        (_, true) => format!("{var} as isize"),
                        (_, false) => format!("{var} as usize"),
                    }
                }
                None if self.tame => match self.fields[k].origin {
                    Some(_) => self.random.pick(&["0", "1", "-1"]).to_owned(),
                    None => self.random.pick(&["0", "1", "LAST"]).to_owned(),
                },
                None => {
                    let free = self.position(&format!("{name}.shape()[{axis}]"));
                    // Alone, a position of the loop would be taken for that of another axis.
                    let around = self.around.as_ref().expect("a loop");
                    let is_own = around
                        .vars
                        .iter()
                        .any(|(n, _)| *n == free || free == format!("({n} as usize)"));
                    let free = if is_own { format!("({free} + 0)") } else { free };
                    self.signed(k, axis, free)
                }
            })
            .collect()
    }

    /// The iteration's own element, if there is one.
    pub fn own(&mut self, k: usize) -> Option<String> {
        match self.role_of(k) {
            Role::Own(map, _) => {
                let index = self.own_index(k, &map);
                Some(self.bracketed(k, &index))
            }
            Role::Whole(_) => {
                let (p, _) = self.around.as_ref()?.whole.clone()?;
                Some(format!("{}[{p}]", self.fields[k].name))
            }
            _ => None,
        }
    }

    /// Members of the own elements that must not be written, because they are read anywhere.
    pub fn free_members(&self, k: usize) -> Vec<&'static str> {
        match self.role_of(k) {
            Role::Own(_, free) | Role::Whole(free) => free,
            _ => Vec::new(),
        }
    }

    /// A value of the type from a field, if there is one.
    pub fn read(&mut self, ty: Ty) -> Option<String> {
        let mut all = Vec::new();
        for k in 0..self.fields.len() {
            let of = self.fields[k].ty;
            let fits = of == ty
                || of == Ty::Part && (ty == Ty::U8 || MEMBERS.iter().any(|m| m.1 == ty))
                || ty == Ty::F32 && matches!(of, Ty::Vec3 | Ty::Part);
            if fits && !matches!(self.role_of(k), Role::None | Role::Atomic(_) | Role::OwnAtomic(_)) {
                all.push(k);
            }
        }
        if all.is_empty() {
            return None;
        }
        let k = self.random.pick(&all);
        let of = self.fields[k].ty;
        let member = match (of, ty) {
            _ if of == ty => String::new(),
            (Ty::Vec3, _) => format!(".{}", self.random.pick(&["x", "y", "z"])),
            (_, Ty::F32) => format!(".pos.{}", self.random.pick(&["x", "y", "z"])),
            (_, Ty::U8) => format!(".w[{}]", self.random.pick(&["0", "1", "LAST"])),
            _ => format!(".{}", MEMBERS.iter().find(|m| m.1 == ty)?.0),
        };
        let free = self.free_members(k);
        let element = match self.own(k) {
            Some(_)
                if member
                    .get(1..)
                    .is_some_and(|name| free.iter().any(|m| name.starts_with(m)))
                    && self.random.percent(60) =>
            {
                let index = self.anywhere_index(k);
                self.bracketed(k, &index)
            }
            Some(own) => own,
            None => {
                let index = self.anywhere_index(k);
                match self.read_by_function(k, &index) {
                    Some(call) => call,
                    None => self.bracketed(k, &index),
                }
            }
        };
        Some(format!("{element}{member}"))
    }

    /// An atomic operation on any element whose result does not depend on the order, as a statement.
    pub fn atomically(&mut self, k: usize, op: &str) -> String {
        let index = self.anywhere_index(k);
        let (name, ty) = (self.fields[k].name.clone(), self.fields[k].ty);
        let (member, ty) = match ty {
            Ty::Part => self.random.pick(&ATOMIC_MEMBERS),
            _ => ("", ty),
        };
        let index = match &index[..] {
            [one] => one.clone(),
            _ => format!("[{}]", index.join(", ")),
        };
        let value = match ty {
            Ty::Vec3 => {
                let parts: Vec<String> = (0..3).map(|_| self.whole_number(Ty::F32)).collect();
                format!("Vec3::new({})", parts.join(", "))
            }
            _ if ty.is_float() => self.whole_number(ty),
            _ => self.expr(ty, 2),
        };
        // Sums of floats that cancel give a zero whose sign depends on the order.
        let op = if op == "add" && !ty.is_float() && ty != Ty::Vec3 && self.random.percent(30) {
            "sub"
        } else {
            op
        };
        format!("{name}[{index}]{member}.atomic_{op}({value});")
    }

    /// An atomic operation on the own element, whose result is used.
    pub fn own_atomically(&mut self, k: usize, map: &[Option<usize>]) -> String {
        let index = self.own_index(k, map);
        let (name, ty) = (self.fields[k].name.clone(), self.fields[k].ty);
        let index = match &index[..] {
            [one] => one.clone(),
            _ => format!("[{}]", index.join(", ")),
        };
        let value = self.expr(ty, 2);
        let var = self.fresh("x");
        let op = self.random.pick(&[
            "add",
            "sub",
            "min",
            "max",
            "and",
            "or",
            "xor",
            "exchange",
            "compare_exchange",
            "load",
        ]);
        let text = match op {
            "load" => format!("let {var} = {name}[{index}].atomic_load();"),
            "compare_exchange" => {
                let current = self.expr(ty, 1);
                format!("let {var} = {name}[{index}].atomic_compare_exchange({current}, {value});")
            }
            _ => format!("let {var} = {name}[{index}].atomic_{op}({value});"),
        };
        self.vars.push(Var {
            name: var,
            ty,
            mutable: false,
        });
        text
    }

    /// A small whole number, whose sums are exact in every order.
    pub fn whole_number(&mut self, ty: Ty) -> String {
        let from = self.random.pick(&INTS);
        let e = self.expr(from, 2);
        format!("((({e}) & 15 | 1) as {})", ty.name())
    }
}
