//! Functions of a kernel's own.

use super::kernel::{Kernel, Var};
use super::types::Ty;

const VALUES: [Ty; 10] = [
    Ty::I32,
    Ty::I32,
    Ty::U32,
    Ty::U8,
    Ty::I64,
    Ty::F32,
    Ty::Bool,
    Ty::Vec3,
    Ty::F16,
    Ty::Part,
];

impl Kernel {
    /// Writes some, before the kernel that calls them.
    pub fn functions(&mut self) {
        let count = self.random.pick(&[0, 0, 1, 1, 2]);
        for k in 0..count {
            let name = format!("g{k}_{}", self.seed);
            let types = (0..1 + self.random.below(3))
                .map(|_| self.value_type())
                .collect::<Vec<Ty>>();
            let result = self.value_type();
            let text = self.function(&name, &types, result);
            self.helpers.push_str(&text);
            self.functions.push((name, types, result));
        }
        self.vars.clear();
    }

    fn value_type(&mut self) -> Ty {
        let ty = self.random.pick(&VALUES);
        self.allowed(ty)
    }

    /// A function with loops and early returns, which may call those before it.
    fn function(&mut self, name: &str, types: &[Ty], result: Ty) -> String {
        let (out, depth) = (std::mem::take(&mut self.out), self.depth);
        self.vars.clear();
        for (k, ty) in types.iter().enumerate() {
            self.vars.push(Var {
                name: format!("v{k}"),
                ty: *ty,
                mutable: false,
            });
        }
        self.returns = Some(result);
        let count = 1 + self.random.below(3);
        self.statements(count, 2);
        let value = self.expr(result, 2);
        self.returns = None;
        self.depth = depth;
        let body = std::mem::replace(&mut self.out, out);
        let params: Vec<String> = types
            .iter()
            .enumerate()
            .map(|(k, ty)| format!("v{k}: {}", ty.name()))
            .collect();
        format!(
            "#[func]\nfn {name}({}) -> {} {{\n{body}    {value}\n}}\n",
            params.join(", "),
            result.name()
        )
    }

    /// Functions of a position and an extent that give a position, mostly one that is below the extent. Each may call those before it.
    pub fn places(&mut self) {
        for k in 0..self.random.pick(&[0, 0, 1, 2, 3]) {
            let name = format!("q{k}_{}", self.seed);
            let ty = self
                .random
                .pick(&["usize", "usize", "i32", "i32", "isize", "i64", "u32"]);
            let mut body = String::new();
            let mut names = vec!["i".to_owned()];
            for k in 0..self.random.below(3) {
                let value = self.amount(ty, &names, 2);
                match self.random.below(4) {
                    0 => {
                        let condition = self.compared(ty, &names);
                        let changed = self.amount(ty, &names, 1);
                        body +=
                            &format!("    let mut a{k}: {ty} = {value};\n    if {condition} {{ a{k} = {changed}; }}\n");
                    }
                    1 => {
                        let condition = self.compared(ty, &names);
                        body +=
                            &format!("    if {condition} {{ return ({value}).clamp(0, (n - 1).max(0)) as usize; }}\n");
                        continue;
                    }
                    _ => body += &format!("    let a{k} = {value};\n"),
                }
                names.push(format!("a{k}"));
            }
            let value = self.amount(ty, &names, 3);
            let result = match self.random.below(8) {
                0 => format!("({value}) as usize"),
                1..4 => format!("({value}).rem_euclid(n.max(1)) as usize"),
                4..6 => format!("({value}).max(0).min(n - 1) as usize"),
                _ => format!("let last = (n - 1).max(0);\n    ({value}).clamp(0, last) as usize"),
            };
            self.helpers.push_str(&format!(
                "#[func]\nfn {name}(i: {ty}, n: {ty}) -> usize {{\n{body}    {result}\n}}\n"
            ));
            self.places.push((name, ty));
        }
    }

    /// A small number made of positions.
    fn amount(&mut self, ty: &str, names: &[String], depth: usize) -> String {
        let atom = match self.random.below(5) {
            0 => "n".to_owned(),
            1 => self.random.pick(&["0", "1", "2", "5"]).to_owned() + ty,
            _ => self.random.one(names).clone(),
        };
        if depth == 0 {
            return atom;
        }
        let (a, b) = (self.amount(ty, names, depth - 1), self.amount(ty, names, depth - 1));
        let signed = ty.starts_with('i');
        match self.random.below(14) {
            0..3 => format!("({a} + {b})"),
            3 if signed => format!("({a} - {b})"),
            3 => format!("({a}).saturating_sub({b})"),
            4 => format!("({a} - 1)"),
            5 => format!("({a} * {})", self.random.pick(&["2", "1", "3", "n"])),
            6 => format!("({a} % n.max(1))"),
            7 => format!("({a}).{}({b})", self.random.pick(&["min", "max"])),
            8 if signed => format!("({a} - n).abs()"),
            8 => format!("({a}).wrapping_sub({b})"),
            9 => {
                let condition = self.compared(ty, names);
                format!("(if {condition} {{ {a} }} else {{ {b} }})")
            }
            10 if !self.places.is_empty() => {
                let places = self.places.clone();
                let (name, of) = self.random.one(&places);
                format!("({name}(({a}) as {of}, n as {of}) as {ty})")
            }
            11 => {
                let condition = self.compared(ty, names);
                format!("({a} + ({condition}) as {ty})")
            }
            _ => atom,
        }
    }

    fn compared(&mut self, ty: &str, names: &[String]) -> String {
        let (a, b) = (self.amount(ty, names, 1), self.amount(ty, names, 0));
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let one = format!("{a} {op} {b}");
        if self.random.percent(80) {
            return one;
        }
        let other = self.amount(ty, names, 0);
        let join = self.random.pick(&["&&", "||"]);
        format!("{one} {join} {other} != 3")
    }

    /// A call of one, for a position beside this one.
    pub fn placed(&mut self, v: &str, extent: &str) -> Option<String> {
        if self.places.is_empty() || !self.random.percent(35) {
            return None;
        }
        let places = self.places.clone();
        let (name, ty) = self.random.one(&places);
        let by = self.random.pick(&["", "", " + 1", " + 2"]);
        let at = match *ty {
            "usize" => format!("{v}{by}"),
            "u32" => format!("({v}{by}) as u32"),
            _ => format!("({v}) as {ty}{}", self.random.pick(&["", " - 1", " + 1", " - 3"])),
        };
        let extent = match *ty {
            "usize" => extent.to_owned(),
            _ => format!("{extent} as {ty}"),
        };
        Some(format!("{name}({at}, {extent})"))
    }

    /// Functions that are lent fields which the kernel does not write. Each may call the one before it.
    pub fn readers(&mut self) {
        for k in 0..self.fields.len() {
            let field = &self.fields[k];
            if field.mutable || field.origin.is_some() || self.random.percent(40) {
                continue;
            }
            let (ty, rank) = (self.fields[k].ty.name(), self.fields[k].shape.len());
            let before = self
                .readers
                .last()
                .filter(|(_, of)| *of == k)
                .map(|(name, _)| name.clone());
            for _ in 0..1 + self.random.below(2) {
                let name = format!("r{}_{}", self.readers.len(), self.seed);
                let body = self.reader(rank, before.as_deref());
                self.helpers.push_str(&format!(
                    "#[func]\nfn {name}(u: &Field<{ty}, {rank}>, p: [usize; {rank}], i: usize, s: bool) -> {ty} {{\n{body}}}\n"
                ));
                self.readers.push((name, k));
            }
        }
    }

    /// Reads an element at a position that the parameters tell, or at one that they do not.
    fn reader(&mut self, rank: usize, before: Option<&str>) -> String {
        let names: Vec<String> = (0..rank).map(|axis| format!("p{axis}")).collect();
        let last = rank - 1;
        let at = |parts: Vec<String>| format!("u[[{}]]", parts.join(", "));
        let with_last = |index: &str| {
            let mut parts: Vec<String> = (0..last).map(|axis| format!("p[{axis}]")).collect();
            parts.push(index.to_owned());
            at(parts)
        };
        let plain = match self.random.below(4) {
            0 => "u[p]".to_owned(),
            1 => at(names.clone()),
            2 => at((0..rank).map(|axis| format!("p[{axis}]")).collect()),
            _ => match before {
                Some(name) => format!("{name}(u, p, i, s)"),
                None => "u[p]".to_owned(),
            },
        };
        let by = self.random.pick(&["", " + 1", " + 2", " + 1 - 1", " + 0"]);
        let beside = with_last(&format!("i{by}"));
        let other = match self.random.below(5) {
            // Out of bounds, perhaps.
            0 if !self.tame => format!("    if s {{ return {beside}; }}\n    {plain}\n"),
            1 => format!("    if s && i{by} < u.shape()[{last}] {{ {beside} }} else {{ {plain} }}\n"),
            2 => format!(
                "    let mut k = i % 5;\n    while k > 0 && k >= u.shape()[{last}] {{ k -= 1; }}\n    if s && u.shape()[{last}] > 0 {{ {} }} else {{ {plain} }}\n",
                with_last("k")
            ),
            3 => format!(
                "    let near = i + 3;\n    if s || near < 3 || near - 3 >= u.shape()[{last}] {{ return {plain}; }}\n    {}\n",
                with_last("near - 3")
            ),
            _ => format!("    {plain}\n"),
        };
        format!("    let [{}] = p;\n{other}", names.join(", "))
    }

    /// A call of a function that is lent this field, if there is one.
    pub fn read_by_function(&mut self, k: usize, index: &[String]) -> Option<String> {
        let all: Vec<String> = self
            .readers
            .iter()
            .filter(|(_, of)| *of == k)
            .map(|(name, _)| name.clone())
            .collect();
        if all.is_empty() || !self.random.percent(50) {
            return None;
        }
        let name = self.random.one(&all).clone();
        let field = self.fields[k].name.clone();
        let last = index.last()?.clone();
        let beside = match self.random.below(3) {
            0 => format!("{last} + 1"),
            _ => last,
        };
        let switch = self.random.pick(&["true", "false", "n % 2 == 0"]);
        let lent = self.random.pick(&["", "&"]);
        Some(format!(
            "{name}({lent}{field}, [{}], {beside}, {switch})",
            index.join(", ")
        ))
    }

    /// A call of a function with that result, if there is one.
    pub fn call(&mut self, ty: Ty, depth: usize) -> Option<String> {
        let all: Vec<usize> = (0..self.functions.len())
            .filter(|&k| self.functions[k].2 == ty)
            .collect();
        if all.is_empty() {
            return None;
        }
        let (name, types, _) = self.functions[self.random.pick(&all)].clone();
        let args: Vec<String> = types.iter().map(|ty| self.expr(*ty, depth.min(1))).collect();
        Some(format!("{name}({})", args.join(", ")))
    }
}
