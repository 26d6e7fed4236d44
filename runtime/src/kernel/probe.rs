//! What generated code calls so that rustc tells the types of a kernel's expressions.
//!
//! A slot is declared with an open type, `let t0 = Type_::new();`, is unified with a variable or an expression inside
//! a closure that never runs, and is read afterwards.

use std::any::TypeId;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use half::{bf16, f16};
use swathe_ir::Type;

use super::operator::BuiltIn;
use super::typed::FromZero;
use super::{Callee, ConstValue, FuncRef, Instance};
use crate::element::KernelType;
use crate::kernel::KernelInfo;
use crate::versions::Target;

/// What rustc found for a slot.
pub trait Answer {
    /// What the slot asks for.
    type Is;

    /// What gives the answer: a list of functions takes less code than a list of answers, and programs have many kernels.
    fn __answer(&self) -> fn() -> Self::Is;
}

/// Stands in where [`Answer`] does not hold: rustc has then reported why at the expression itself, and would only repeat
/// it at the attribute. `(&slot).__answer()` finds `Answer` first, being one reference shorter.
pub trait NoAnswer {
    /// What the slot asks for.
    type Is;

    /// Never runs.
    fn __answer(&self) -> fn() -> Self::Is {
        || unreachable!("a program with errors does not run")
    }
}

/// Slot for a type.
pub struct TypeSlot<T>(PhantomData<fn() -> T>);

impl<T> TypeSlot<T> {
    /// The slot; a function would be called once for each in code that is not optimised.
    pub const NEW: Self = TypeSlot(PhantomData);
}

impl<T: KernelType> Answer for TypeSlot<T> {
    type Is = Type;

    fn __answer(&self) -> fn() -> Type {
        T::ty
    }
}

impl<T> NoAnswer for &TypeSlot<T> {
    type Is = Type;
}

/// Slot for a type that is written.
#[must_use]
pub const fn type_of<T: KernelType>() -> TypeSlot<T> {
    TypeSlot::NEW
}

/// Says of a slot what the body of a function does: items of the body are not seen where the slot is declared.
pub const fn is_of<T>(_: &T, _: &T) {}

/// A method that kernels can call on `Self`; `ID` is [`swathe_ir::method_id`] of its name. Operators count as the
/// methods of `std::ops` that they call. Its name is for rustc's message where a type has two of one name.
#[diagnostic::on_unimplemented(
    message = "this method or operator of `{Self}` cannot be used in a kernel",
    label = "not callable from a kernel",
    note = "a method of your own becomes callable by `#[func]` above its `impl` block; of a scalar's methods, kernels have those of the table in `swathe::math`; a type parameter has them by a bound such as `T: Float`"
)]
pub trait OneFuncOfAName<const ID: u64> {
    /// What it is.
    #[must_use]
    fn callee() -> Callee {
        Callee::BuiltIn
    }

    /// Its definition, unless it is built in.
    #[must_use]
    fn load() -> Instance {
        unreachable!("only a `#[func]` is loaded")
    }
}

pub use OneFuncOfAName as Method;

#[diagnostic::do_not_recommend]
impl<const ID: u64, T: Method<ID>> Method<ID> for &T {
    fn callee() -> Callee {
        T::callee()
    }
}

#[diagnostic::do_not_recommend]
impl<const ID: u64, T: Method<ID>> Method<ID> for &mut T {
    fn callee() -> Callee {
        T::callee()
    }
}

/// Has rustc say, of a method that no kernel can call, what to write instead: nothing implements it.
#[diagnostic::on_unimplemented(
    message = "this method of `{Self}` cannot be used in a kernel",
    label = "not callable from a kernel",
    note = "a method of your own becomes callable by `#[func]` above its `impl` block; of a scalar's methods, kernels have those of the table in `swathe::math`; a type parameter has them by a bound such as `T: Float`"
)]
pub trait NoMethod {}

/// Slot for the receiver of a method or the left operand of an operator.
pub struct MethodSlot<const ID: u64, T>(PhantomData<fn() -> T>);

impl<const ID: u64, T> MethodSlot<ID, T> {
    /// The slot; a function would be called once for each in code that is not optimised.
    pub const NEW: Self = MethodSlot(PhantomData);
}

impl<const ID: u64, T: Method<ID>> Answer for MethodSlot<ID, T> {
    type Is = Callee;

    fn __answer(&self) -> fn() -> Callee {
        T::callee
    }
}

impl<const ID: u64, T> NoAnswer for &MethodSlot<ID, T> {
    type Is = Callee;
}

/// Slot for a method of a type that is written.
#[must_use]
pub const fn method_on<const ID: u64, T>() -> MethodSlot<ID, T> {
    MethodSlot::NEW
}

/// A method that takes `&mut self`. rustc says of what has none what it says of [`Method`].
#[diagnostic::on_unimplemented(
    message = "this method or operator of `{Self}` cannot be used in a kernel",
    label = "not callable from a kernel",
    note = "a method of your own becomes callable by `#[func]` above its `impl` block; of a scalar's methods, kernels have those of the table in `swathe::math`; a type parameter has them by a bound such as `T: Float`"
)]
pub trait Changes<const ID: u64>: Method<ID> {}

#[diagnostic::do_not_recommend]
impl<const ID: u64, T: Changes<ID>> Changes<ID> for &mut T {}

/// A method that a derivative can take for the value that it gives. None that takes `&mut self` is one.
#[diagnostic::on_unimplemented(
    message = "this method changes the `{On}` that it is called on, and has no derivative",
    label = "takes `&mut self`",
    note = "write a free `#[func]` that takes the value and returns the new one, and assign that, `p = changed(p, x)`; or do all of it in a free `#[func]`"
)]
pub trait KeepsItsReceiver<On> {}

/// Refuses a method that takes `&mut self`. `(&slot).__keeps()` finds this one first, being one reference shorter.
pub trait ChangesReceiver {
    /// The type of the receiver.
    type On;

    /// Holds for no slot.
    fn __keeps(&self)
    where
        (): KeepsItsReceiver<Self::On>,
    {
    }
}

impl<const ID: u64, T: Changes<ID>> ChangesReceiver for MethodSlot<ID, T> {
    type On = T;
}

/// Stands in for all other methods.
pub trait KeepsReceiver {
    /// Says nothing.
    fn __keeps(&self) {}
}

impl<const ID: u64, T> KeepsReceiver for &MethodSlot<ID, T> {}

/// The callee that a `#[func]` method is.
#[must_use]
pub fn method_callee<const ID: u64, T: Method<ID> + 'static>() -> Callee {
    Callee::Func(FuncRef {
        key: (TypeId::of::<T>(), ID),
        load: T::load,
    })
}

/// The definition of a free `#[func]` or of a kernel.
pub trait FuncDef: 'static {
    /// Loads it.
    fn load() -> Instance;
}

/// A kernel.
pub trait KernelDef: FuncDef {
    /// What messages say about it.
    fn info() -> &'static KernelInfo;
}

/// Slot for a free function, and what its body is compiled for where it becomes part of a loop.
pub struct FuncSlot<F>(PhantomData<fn() -> F>, Target);

impl<F> FuncSlot<F> {
    /// The slot; a function would be called once for each in code that is not optimised.
    pub const NEW: Self = FuncSlot(PhantomData, Target::Plain);

    /// The same, in a loop that is compiled for this.
    #[inline(always)]
    #[must_use]
    pub const fn at(target: Target) -> Self {
        FuncSlot(PhantomData, target)
    }

    #[inline(always)]
    #[must_use]
    pub const fn target(&self) -> Target {
        self.1
    }
}

impl<F: FuncDef> Answer for FuncSlot<F> {
    type Is = Callee;

    fn __answer(&self) -> fn() -> Callee {
        || {
            Callee::Func(FuncRef {
                key: (TypeId::of::<F>(), 0),
                load: F::load,
            })
        }
    }
}

impl<F> NoAnswer for &FuncSlot<F> {
    type Is = Callee;
}

/// Unifies the slot with the expression's type.
pub fn value<T: KernelType>(_: &TypeSlot<T>, value: T) -> T {
    value
}

/// The types of literals without a suffix that are cast to `Self`: of its own kind they have its type, others rustc's default.
pub trait UnderCast {
    /// Of an integer.
    type Int;
    /// Of a float.
    type Float;
}

macro_rules! under_cast {
    ($($t:ty: $int:ty, $float:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl UnderCast for $t {
            type Int = $int;
            type Float = $float;
        }
    )*};
}
under_cast! {
    i8: i8, f64; i16: i16, f64; i32: i32, f64; i64: i64, f64; isize: isize, f64;
    u8: u8, f64; u16: u16, f64; u32: u32, f64; u64: u64, f64; usize: usize, f64;
    f32: i32, f32; f64: i32, f64;
    bool: i32, f64;
}

/// `T::from(value)`.
pub fn lossless<T: Lossless<S>, S>(value: S) -> T {
    T::from(value)
}

/// Types that have every value of the scalar type `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}::from` makes no `{Self}` of a `{S}` in a kernel",
    label = "this is a `{S}`",
    note = "it does for types of which `{Self}` has every value; for others write `value as {Self}`"
)]
pub trait Lossless<S>: From<S> {}

macro_rules! lossless {
    ($($s:ident => $($t:ident)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl Lossless<$s> for $t {}
    )*)*};
}

lossless! {
    bool => bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize;
    i8 => i8 i16 i32 i64 isize f32 f64;
    i16 => i16 i32 i64 isize f32 f64;
    i32 => i32 i64 f64;
    i64 => i64;
    isize => isize;
    u8 => u8 i16 i32 i64 isize u16 u32 u64 usize f32 f64;
    u16 => u16 i32 i64 u32 u64 usize f32 f64;
    u32 => u32 i64 u64 f64;
    u64 => u64;
    usize => usize;
    f32 => f32 f64;
    f64 => f64;
    f16 => f32 f64;
    bf16 => f32 f64;
}

/// Gives the slot the type of an integer that is cast to `C`.
pub fn int_under_cast<C: UnderCast>(_: &TypeSlot<C::Int>) {}

/// Gives the slot the type of a float that is cast to `C`.
pub fn float_under_cast<C: UnderCast>(_: &TypeSlot<C::Float>) {}

/// A float that is called `f32` or `f64` in a kernel.
#[diagnostic::on_unimplemented(
    message = "`{Self}` goes by the name of a float here; call it something else",
    label = "expected a float of that name"
)]
pub trait NamedAsFloat: sealed::Number {}

/// Confirms what the name says.
pub fn named_as_float<T: NamedAsFloat>() {}

/// An integer that is called `usize`, `i32` or the like in a kernel.
#[diagnostic::on_unimplemented(
    message = "`{Self}` goes by the name of an integer here; call it something else",
    label = "expected an integer of that name"
)]
pub trait NamedAsInteger: sealed::Number {}

mod sealed {
    pub trait Number {}
}

macro_rules! named_as {
    ($name:ident: $($ty:ty),*) => {$(
        impl sealed::Number for $ty {}
        #[diagnostic::do_not_recommend]
        impl $name for $ty {}
    )*};
}
named_as!(NamedAsFloat: f32, f64);
named_as!(NamedAsInteger: usize, isize, u8, u16, u32, u64, i8, i16, i32, i64);

/// Confirms what the name says.
pub fn named_as_integer<T: NamedAsInteger>() {}

/// Unifies the slot with the type of a parameter that is indexed; that it is one is asked elsewhere.
pub fn parameter<T: FromZero>(_: &TypeSlot<T>, _: &T) {}

/// Unifies the slot with the variable's type.
pub fn place<T: KernelType>(_: &TypeSlot<T>, _: &T) {}

/// Unifies the slot with the receiver's type.
pub fn on_value<const ID: u64, T>(_: &MethodSlot<ID, T>, value: T) -> T {
    value
}

/// Unifies the slot with the receiver's type.
pub fn on_place<const ID: u64, T>(_: &MethodSlot<ID, T>, _: &T) {}

/// The same of a method by which a parallel loop accumulates: it has to be that of numbers.
pub fn accumulated_on<T: AccumulatedOn>() {}

/// What a parallel loop can accumulate by `min` and `max`.
#[diagnostic::on_unimplemented(
    message = "a parallel loop cannot accumulate by `min` or `max` of a `{Self}`",
    label = "not of a number or vector",
    note = "threads accumulate parts, which are combined: what a method of your own does is not known; accumulate numbers, or loop in `serial`"
)]
pub trait AccumulatedOn {}

#[diagnostic::do_not_recommend]
impl<T: BuiltIn> AccumulatedOn for T {}

/// The type of a value that is not evaluated.
pub fn accumulated_place<T: AccumulatedOn>(_: &T) {}

/// A value by which a parallel loop accumulates.
pub fn accumulated_value<T: AccumulatedOn>(value: T) -> T {
    value
}

/// The value of a constant.
#[must_use]
pub fn constant<T: KernelType>(value: &T) -> ConstValue {
    let ty = T::ty();
    let (size, _) = ty.device_layout();
    let mut packed = vec![MaybeUninit::<u8>::uninit(); size];
    let mut bytes = vec![0; size];
    // SAFETY: there is room for the value as a device has it, of which `copy_scalars` reads only scalars, which are initialised.
    unsafe {
        value.pack(packed.as_mut_ptr().cast());
        copy_scalars(&ty, packed.as_ptr().cast(), &mut bytes);
    }
    ConstValue { ty, bytes }
}

/// Copies the scalars of a value of type `ty`, as a device has it, and none of its padding.
unsafe fn copy_scalars(ty: &Type, from: *const u8, to: &mut [u8]) {
    match ty {
        Type::Unit | Type::Field(..) => {}
        Type::Tuple(types) => {
            for (ty, at) in types.iter().zip(Type::tuple_offsets(types)) {
                // SAFETY: the offset is that of the member.
                unsafe { copy_scalars(ty, from.add(at), &mut to[at..]) };
            }
        }
        Type::Scalar(_) | Type::Enum(_) | Type::Vector(..) | Type::Matrix(..) => {
            // SAFETY: by the caller's word `from` points to a value of this type, which has no padding.
            unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), ty.size().min(to.len())) };
        }
        Type::Array(element, n) => {
            let (size, _) = element.device_layout();
            for i in 0..*n {
                // SAFETY: element `i` lies inside the array.
                unsafe { copy_scalars(element, from.add(i * size), &mut to[i * size..]) };
            }
        }
        Type::Struct(s) => {
            for m in &s.members {
                // SAFETY: the offset is the one that rustc gave the member.
                unsafe { copy_scalars(&m.ty, from.add(m.offset), &mut to[m.offset..]) };
            }
        }
    }
}
