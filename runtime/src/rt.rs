//! What generated code names; not a public interface.

// By way of these: in a program, `core` and `std` may be names of its own.
#[doc(hidden)]
pub extern crate core;
#[doc(hidden)]
pub extern crate std;

pub use swathe_ir::{Member, Struct, Type};

pub use crate::access::offset::at;
pub use crate::access::pointer::{Planes, Pointer, zeroed};
pub use crate::access::{Access, Position, UNCHECKED, of_an_index};
pub use crate::cpu::cells::{Cells, for_each_in_order};
pub use crate::cpu::corner::{Corner, counts_positions, span_inside};
pub use crate::cpu::eager::Eager;
pub use crate::cpu::inside::{AnyTable, Given, Inside, Line, Table, within};
pub use crate::cpu::inspect::{BLOCK, Most, MostOf, arithmetic, iteration, largest, looked_at};
pub use crate::cpu::lanes::{Any, Fit, Is, Lanes, MOST_PASSED, MOST_PLANES, no_lanes, zero};
pub use crate::cpu::private::{COPIES, Claim, Private, extent};
pub use crate::cpu::stage::{self, Stage};
pub use crate::derivative::{first, zero_enum};
pub use crate::device::argument::{DeviceValue, LaunchArg};
pub use crate::element::enumeration::{self, Enumeration};
pub use crate::element::{MOST_ALIGNED, uniform};
pub use crate::expression::{function1, function2};
pub use crate::field::lent::{FieldArgument, is_index, is_inside, is_position, lend, lend_inside, lend_on, lent};
pub use crate::field::recorded::operation::{Keep, Operation};
pub use crate::host::failure::{
    BlockAt, Iteration, Kept, RowPosition, again, function_failed, function_out_of_bounds, leave, number_in_rows,
};
pub use crate::host::parallel::{
    LoopInt, Strips, for_each_in_strips, for_each_in_versions, in_parallel, inclusive, reduce_in_order,
    reduce_in_versions, rows, turned,
};
pub use crate::host::print::{block_again, block_begins, captured, print, texts, together};
pub use crate::kernel::checks::Coverage;
pub use crate::kernel::declared::{Declared, declared};
pub use crate::kernel::defaults::DefaultMethods;
pub use crate::kernel::divide::{Checked, Operands, Unchecked};
pub use crate::kernel::domain::{
    Called, CalledOther, IsNdrange, IsSerial, MOST_POSITIONS, TOO_MANY, TOO_MANY_INCLUSIVE, TOO_MANY_OF_AXES,
    ZERO_STEP, is_ndrange, is_serial, positions,
};
pub use crate::kernel::ends::functions_end;
pub use crate::kernel::failures::Failures;
pub use crate::kernel::indexed::{has_item, index, index_in, index_of, item};
pub use crate::kernel::not_func;
pub use crate::kernel::offset::{offset_parameter, position_at, signed_axes};
pub use crate::kernel::operator::{
    Operator, OperatorSlot, accumulated, left, left_place, multiplied, only, operator_callee, right, same_trait,
};
pub use crate::kernel::plan::{LoopPlan, Reach, Remark, Technique};
pub use crate::kernel::probe::{
    Answer, Changes, ChangesReceiver, FuncDef, FuncSlot, KeepsReceiver, KernelDef, MethodSlot, NoAnswer, NoMethod,
    OneFuncOfAName, TypeSlot, accumulated_on, accumulated_place, accumulated_value, constant, float_under_cast,
    int_under_cast, is_of, lossless, method_callee, method_on, named_as_float, named_as_integer, on_place, on_value,
    parameter, place, type_of, value,
};
pub use crate::kernel::rank::{axes, covers, position, position_in_row};
pub use crate::kernel::shown as show;
pub use crate::kernel::std_func::{self, OfUser};
pub use crate::kernel::typed::{ClosureSlot, of_closure};
pub use crate::kernel::{Arithmetic, KernelInfo, Site};
pub use crate::kernel::{Callee, Instance};
pub use crate::launch::{Failed, Launch};
pub use crate::math::fast;
pub use crate::math::single::call as single;
pub use crate::numbers::atomic::{AtomicAdd, AtomicBits, AtomicOrd, AtomicSwap, DerivativeAdd, Sharing, sum};
pub use crate::numbers::reduce::{ReduceAdd, ReduceBits, ReduceMax, ReduceMin, ReduceMul};
pub use crate::numbers::{contract, products};
pub use crate::parameter::{
    access, access_mut, launch_arg, launch_arg_mut, place_of, prepare, typed_field, typed_field_mut,
};
pub use crate::recording::is_recording;
pub use crate::versions::{Begins, Target, Version};
pub use swathe_ir::Output;

/// The same number: its literal reads alike in native code and in the typed copy, so that rustc reports an operator that
/// does not take it once.
#[inline(always)]
pub const fn number<T>(value: T) -> T {
    value
}

/// A number that a position is compared with; nothing of another type, of which a comparison with a position may be the user's own.
#[inline(always)]
#[must_use]
pub fn limit<T: Copy + 'static>(limit: T) -> Option<usize> {
    if std::any::TypeId::of::<T>() != std::any::TypeId::of::<usize>() {
        return None;
    }
    // SAFETY: the types are the same.
    Some(unsafe { std::mem::transmute_copy(&limit) })
}

/// What sums of positions and a number are compared with, if none of them wraps: `ndrange` may have more positions than any memory.
#[inline(always)]
#[must_use]
pub fn limit_of_sums<const D: usize>(limit: Option<usize>, shape: &[usize; D], added: usize) -> Option<usize> {
    limit.filter(|_| shape.last().is_none_or(|end| *end <= usize::MAX - added))
}

/// The same place, behind a shared reference.
#[inline(always)]
pub fn peek<T>(value: &T) -> &Peek<T> {
    // SAFETY: the layouts are the same.
    unsafe { &*std::ptr::from_ref(value).cast() }
}

/// So that a value is reached by a suffix, `.0`, and rustc underlines the whole of what the user wrote.
#[repr(transparent)]
pub struct Peek<T>(pub T);

/// Every type that implements `Deref` has this already, so that `#[derive(Element)]` on one of them conflicts. The check
/// for races goes by the names of members: a `Deref` of the user's own would give one place two names.
pub trait ElementsDoNotImplementDeref {}

impl<T: std::ops::Deref> ElementsDoNotImplementDeref for T {}

macro_rules! identities {
    ($($name:ident: $bound:ident :: $function:ident),*) => {$(
        /// The value that a reduction of variables of this type starts from.
        #[inline(always)]
        pub fn $name<T: $bound>(_: &T) -> T {
            T::$function()
        }
    )*};
}
identities!(
    zero_like: ReduceAdd::zero,
    one_like: ReduceMul::one,
    largest_like: ReduceMin::highest,
    smallest_like: ReduceMax::lowest,
    ones_like: ReduceBits::ones,
    zeros_like: ReduceBits::zeros
);

/// The CUDA C of a kernel.
///
/// # Errors
/// If the kernel uses what CUDA C cannot express.
#[inline]
pub fn cuda_source<K: FuncDef>() -> crate::Result<String> {
    crate::codegen::cuda_text(K::load)
}

/// How a kernel's parallel loops run on the CPU.
#[must_use]
#[inline]
pub fn plan<K: KernelDef>() -> crate::Plan {
    crate::Plan::new(K::info(), K::load)
}

/// What keeps a kernel's accesses in bounds.
#[must_use]
#[inline]
pub fn checks<K: KernelDef>() -> crate::Checks {
    crate::Checks::new(K::info())
}

/// Compiles a kernel for a device.
///
/// # Errors
/// Of the compilation.
#[inline]
pub fn precompile<K: KernelDef>(device: &crate::Device) -> crate::Result<()> {
    let info = K::info();
    device.backend().precompile(&crate::device::KernelRef {
        key: std::any::TypeId::of::<K>(),
        load: K::load,
        info,
        checked: device.is_checked() && info.has_unsafe(),
    })
}

/// The traits that hold what kernels call for the methods of numbers.
pub mod methods {
    pub use crate::complex::methods::ComplexMethods as _;
    pub use crate::kernel::arrays::ArrayMethods as _;
    pub use crate::kernel::defaults::DefaultMethods as _;
    pub use crate::math::methods::{
        BoundaryMethods as _, FloatMethods as _, HalfMethods as _, IntMethods as _, OrdMethods as _,
        ScalarMethods as _, SignedIntMethods as _, SignedMethods as _, UnsignedIntMethods as _,
    };
}

/// The macros that kernels know: beside another of the same name in the kernel's module, rustc says that there are two.
pub mod claims {
    pub use {core, std};

    pub use std::{
        assert, assert_eq, assert_ne, dbg, debug_assert, debug_assert_eq, debug_assert_ne, eprint, eprintln, matches,
        panic, print, println, todo, unimplemented, unreachable,
    };
}
