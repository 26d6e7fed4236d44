//! The kernel language of swathe as plain data.
//!
//! The procedural macros turn the tokens of a kernel into a [`Func`] and embed it, [encoded](encode()), in the
//! user's program; the runtime [decodes](decode()) it, joins it with the types that rustc inferred, and writes CUDA C.
//! The tree holds no types: where one is needed it holds a *slot*, an index into a table that the macro makes
//! rustc fill for every monomorphic instance (see `ARCHITECTURE.md`).

mod codec;
mod expr;
mod func;
pub mod message;
mod method;
mod op;
mod ty;

pub use codec::{DecodeError, decode, encode};
pub use expr::{
    Arm, AtomicOp, Block, Check, Cover, Domain, Expr, ExprKind, Extent, FieldAccess, LabelId, Lit, Output, ParFor, Pat,
    Pattern, Range, Stmt,
};
pub use func::{
    ArgReduction, CalleeSlot, ConstSlot, Func, FuncKind, Local, LocalId, Param, ParamKind, Reduction, Span, TypeSlot,
};
pub use method::{
    Cuda, Helper, Operand, ResultType, ScalarMethod, cast, cuda_type, division, method_id, scalar_method,
    scalar_methods,
};
pub use op::{BinOp, ReduceOp, UnOp};
pub use ty::{Enum, Member, Scalar, Struct, Type, Variant};

/// Rounds of short loops, and of all loops of functions, that may meet the value of another element before what they do is thrown away, at most. Chosen,
/// not measured.
pub const MOST_ROUNDS: u64 = 4096;
