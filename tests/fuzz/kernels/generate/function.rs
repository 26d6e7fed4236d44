//! Functions of a kernel's own.

use super::kernel::{Kernel, Var};
use super::types::Ty;

const VALUES: [Ty; 9] = [
    Ty::I32,
    Ty::I32,
    Ty::U32,
    Ty::U8,
    Ty::I64,
    Ty::F32,
    Ty::Bool,
    Ty::Vec3,
    Ty::Part,
];

impl Kernel {
    /// Writes some, before the kernel that calls them.
    pub fn functions(&mut self) {
        let count = self.random.pick(&[0, 0, 1, 1, 2]);
        for k in 0..count {
            let name = format!("g{k}_{}", self.seed);
            let types: Vec<Ty> = (0..1 + self.random.below(3))
                .map(|_| self.random.pick(&VALUES))
                .collect();
            let result = self.random.pick(&VALUES);
            let text = self.function(&name, &types, result);
            self.helpers.push_str(&text);
            self.functions.push((name, types, result));
        }
        self.vars.clear();
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
