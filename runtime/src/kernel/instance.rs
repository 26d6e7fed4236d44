//! A function with the types, callees and constants of one monomorphic instance.

use std::any::TypeId;

use swathe_ir::{Func, Type};

use super::never;

/// A decoded function and what its slots hold.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The function.
    pub func: Func,
    /// By [`swathe_ir::TypeSlot`].
    pub types: Vec<Type>,
    /// By [`swathe_ir::CalleeSlot`].
    pub callees: Vec<Callee>,
    /// By [`swathe_ir::ConstSlot`].
    pub consts: Vec<ConstValue>,
}

impl Instance {
    /// Joins encoded IR with what its slots hold.
    ///
    /// # Panics
    /// If `ir` is not what the macros of this version of swathe write.
    #[must_use]
    pub fn new(ir: &[u8], types: &[fn() -> Type], callees: &[fn() -> Callee], consts: Box<[ConstValue]>) -> Self {
        let mut func = swathe_ir::decode(ir).expect("the macros and the runtime of swathe are of one version");
        never::cut(&mut func);
        Instance {
            func,
            types: types.iter().map(|of| Type::in_code(of())).collect(),
            callees: callees.iter().map(|of| of()).collect(),
            consts: consts.into_iter().map(ConstValue::in_code).collect(),
        }
    }
}

/// What a call, method call or operator means.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    /// A method, operator or constructor that code generation knows by its name and its operands' types.
    BuiltIn,
    /// A `#[func]`.
    Func(FuncRef),
}

/// Names one monomorphic instance of a `#[func]`.
#[derive(Clone, Copy, Debug)]
pub struct FuncRef {
    /// Equal for equal instances.
    pub key: (TypeId, u64),
    /// Loads it.
    pub load: fn() -> Instance,
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstValue {
    /// Its type.
    pub ty: Type,
    /// Its memory, in the host's layout, with padding zeroed.
    pub bytes: Vec<u8>,
}

impl ConstValue {
    /// With the type that it has in generated code.
    pub(super) fn in_code(self) -> Self {
        ConstValue {
            ty: self.ty.in_code(),
            ..self
        }
    }
}
