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
