//! Kernels that are built at run time: IR of no text, and what its slots hold.

use swathe_ir::{
    Block, CalleeSlot, ConstSlot, Expr, ExprKind, Func, FuncKind, Local, LocalId, Param, ParamKind, Span, Type,
    TypeSlot,
};

use super::{Callee, ConstValue, Instance};

/// Collects what an instance is made of.
#[derive(Debug, Default)]
pub struct Builder {
    types: Vec<Type>,
    callees: Vec<Callee>,
    consts: Vec<ConstValue>,
    locals: Vec<Local>,
    params: Vec<Param>,
}

/// Where everything stands in a kernel without a text.
pub const PLACE: Span = Span {
    line: 1,
    column: 1,
    file: 0,
};

/// An expression of a kernel without a text.
#[must_use]
pub fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: PLACE }
}

impl Builder {
    /// A slot for a type.
    pub fn ty(&mut self, ty: Type) -> TypeSlot {
        TypeSlot(slot(&mut self.types, ty.in_code()))
    }

    /// A slot for what a call or an operator means.
    pub fn callee(&mut self, callee: Callee) -> CalleeSlot {
        CalleeSlot(slot(&mut self.callees, callee))
    }

    /// A constant.
    pub fn constant(&mut self, value: ConstValue) -> Expr {
        expr(ExprKind::Const(ConstSlot(slot(&mut self.consts, value.in_code()))))
    }

    /// A variable.
    pub fn local(&mut self, name: &str, ty: Type, mutable: bool) -> LocalId {
        let ty = self.ty(ty);
        let local = Local {
            name: name.to_owned(),
            ty,
            mutable,
            span: PLACE,
        };
        LocalId(slot(&mut self.locals, local))
    }

    /// The next parameter.
    pub fn param(&mut self, name: &str, ty: Type, kind: ParamKind) -> LocalId {
        let mutable = kind == ParamKind::Field { mutable: true };
        let local = self.local(name, ty, mutable);
        self.params.push(Param { local, kind });
        local
    }

    /// How many parameters there are.
    #[must_use]
    pub fn params(&self) -> usize {
        self.params.len()
    }

    /// The kernel.
    #[must_use]
    pub fn finish(mut self, name: &str, file: &str, result: Option<Type>, body: Block) -> Instance {
        let ret = result.map(|ty| self.ty(ty));
        Instance {
            func: Func {
                name: name.to_owned(),
                file: file.to_owned(),
                files: Vec::new(),
                span: PLACE,
                kind: FuncKind::Kernel,
                params: self.params,
                ret,
                locals: self.locals,
                body,
                types: self.types.len() as u32,
                callees: self.callees.len() as u32,
                consts: self.consts.len() as u32,
            },
            types: self.types,
            callees: self.callees,
            consts: self.consts,
        }
    }
}

fn slot<T>(of: &mut Vec<T>, value: T) -> u32 {
    of.push(value);
    of.len() as u32 - 1
}
