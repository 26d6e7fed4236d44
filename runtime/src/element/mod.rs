//! The traits of types that kernels handle.

pub mod dtype;
#[doc(hidden)]
pub mod enumeration;
pub mod external;

use std::marker::PhantomData;

use half::{bf16, f16};
use swathe_ir::{Scalar, Struct, Type};

use crate::access::pointer::Planes;
use crate::kernel::divide::Integer;
use crate::numbers::contract::Floats;

/// A type that a kernel's variables may have: scalars, [`Vector`](crate::Vector), [`Matrix`](crate::Matrix), structs
/// and enums with `#[derive(Element)]`, and arrays and tuples of them, of up to six.
///
/// # Safety
/// [`KernelType::ty`] tells the type's layout: a device reads and writes its values by it. `#[derive(Element)]` proves that.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used inside a kernel",
    label = "a kernel's values are scalars, vectors, matrices, arrays, tuples of up to six, and structs and enums with `#[derive(Element)]`",
    note = "for a struct of your own, or an enum without data, write `#[derive(Element, Clone, Copy)]` above it"
)]
pub unsafe trait KernelType: Copy + 'static {
    /// The type as code generation sees it.
    fn ty() -> Type;

    /// Whether operators of this type, with another such, are those of numbers: without effects, and the same each time.
    #[doc(hidden)]
    const BUILT_IN: bool = false;

    /// Number of integers that operators of this type divide; 0 for types whose divisions cannot fail.
    #[doc(hidden)]
    const INTEGERS: usize = 0;

    /// What the integer `k` of them is to a division; a single one for all `k`.
    #[doc(hidden)]
    #[inline(always)]
    fn integer(&self, _k: usize) -> Integer {
        Integer::Other
    }

    /// The floats that operators of this type go by, one by one.
    #[doc(hidden)]
    const FLOATS: Floats = Floats::NONE;

    /// Whether its memory is the same on a CUDA device.
    #[doc(hidden)]
    const PLAIN: bool = true;

    /// Size and alignment on a CUDA device.
    #[doc(hidden)]
    fn device_layout() -> (usize, usize) {
        (size_of::<Self>(), align_of::<Self>())
    }

    /// Writes the value as a CUDA device lays it out.
    ///
    /// # Safety
    /// `to` has room for the size of [`KernelType::device_layout`].
    #[doc(hidden)]
    unsafe fn pack(&self, to: *mut u8) {
        // SAFETY: by the caller's word.
        unsafe { std::ptr::copy_nonoverlapping(std::ptr::from_ref(self).cast(), to, size_of::<Self>()) }
    }

    /// Reads a value that a CUDA device laid out.
    ///
    /// # Safety
    /// `from` points to such a value.
    #[doc(hidden)]
    unsafe fn unpack(from: *const u8) -> Self {
        // SAFETY: by the caller's word.
        unsafe { from.cast::<Self>().read_unaligned() }
    }

    /// Reads the value of one lane: a scalar's values in neighbouring lanes are neighbours in memory.
    ///
    /// # Safety
    /// They are planes of such values.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn from_lane(from: Planes) -> Self {
        // SAFETY: by the caller's word; a type without functions of its own is stored whole.
        unsafe { *from.scalar::<Self>() }
    }

    /// Writes the value of one lane.
    ///
    /// # Safety
    /// They are planes of such values, which may be written.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn to_lane(self, to: Planes) {
        // SAFETY: as for `from_lane`.
        unsafe { *to.scalar::<Self>() = self }
    }
}

/// A type that a [`Field`](crate::Field) can hold.
///
/// # Safety
/// The type has the layout that [`KernelType::ty`] states, all bytes zero are a valid value of it, and it holds no
/// pointers. `#[derive(Element)]` proves all that.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a field",
    label = "an element is a scalar, vector, matrix, array, or a struct or enum with `#[derive(Element)]`",
    note = "for a struct of your own, or an enum without data, write `#[derive(Element, Clone, Copy)]` above it"
)]
pub unsafe trait Element: KernelType + Send + Sync {
    /// Size of its first scalar, where all are of one type.
    #[doc(hidden)]
    const SCALAR: usize = size_of::<Self>();

    /// Size of each of its scalars, if all have the same and there is nothing between them; else 0.
    #[doc(hidden)]
    const UNIFORM: usize = 0;

    /// Reads it from the planes of its scalars.
    ///
    /// # Safety
    /// They are planes of such elements, which may be read.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn gather(from: Planes) -> Self {
        // SAFETY: by the caller's word; types of more than one scalar have functions of their own.
        unsafe { *from.scalar::<Self>() }
    }

    /// Writes it to the planes of its scalars.
    ///
    /// # Safety
    /// They are planes of such elements, which may be written.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn scatter(self, to: Planes) {
        // SAFETY: as for `gather`.
        unsafe { *to.scalar::<Self>() = self }
    }
}

/// Alignment of the memory of fields, and so the most that an element can have.
pub const MOST_ALIGNED: usize = 64;

/// [`Element::UNIFORM`] of a struct of a size, whose members have these sizes and scalars.
#[must_use]
pub const fn uniform(size: usize, members: &[(usize, usize)]) -> usize {
    let (mut k, mut sum, mut scalar) = (0, 0, 0);
    while k < members.len() {
        let (size, of_scalars) = members[k];
        // A member without size has no scalars.
        if size > 0 {
            if sum > 0 && of_scalars != scalar {
                return 0;
            }
            scalar = of_scalars;
            sum += size;
        }
        k += 1;
    }
    if sum == size { scalar } else { 0 }
}

macro_rules! scalars {
    ($($t:ident $scalar:ident $kind:ident;)*) => {$(
        // SAFETY: the scalar of that name, of the same size, as the assertion says.
        #[diagnostic::do_not_recommend]
        unsafe impl KernelType for $t {
            fn ty() -> Type {
                const { assert!(size_of::<$t>() == Scalar::$scalar.size() && align_of::<$t>() == size_of::<$t>()) };
                Type::Scalar(Scalar::$scalar)
            }

            const BUILT_IN: bool = true;

            scalars!(@$kind $t);
        }
    )*};
    (@other $t:ident) => {};
    (@float $t:ident) => {
        const FLOATS: Floats = Floats::scalar(size_of::<$t>());
    };
    (@unsigned $t:ident) => {
        const INTEGERS: usize = 1;

        #[inline(always)]
        fn integer(&self, _: usize) -> Integer {
            if *self == 0 { Integer::Zero } else { Integer::Other }
        }
    };
    (@signed $t:ident) => {
        const INTEGERS: usize = 1;

        #[inline(always)]
        fn integer(&self, _: usize) -> Integer {
            match *self {
                0 => Integer::Zero,
                -1 => Integer::MinusOne,
                $t::MIN => Integer::Least,
                _ => Integer::Other,
            }
        }
    };
}

scalars! {
    bool Bool other; i8 I8 signed; i16 I16 signed; i32 I32 signed; i64 I64 signed; u8 U8 unsigned; u16 U16 unsigned;
    u32 U32 unsigned; u64 U64 unsigned; usize Usize unsigned; isize Isize signed; f16 F16 other; bf16 Bf16 other;
    f32 F32 float; f64 F64 float;
}

macro_rules! elements {
    ($($t:ident)*) => {$(
        // SAFETY: a scalar's layout is that of its type's row in `swathe_ir::Scalar`, and zero is a value of each.
        #[diagnostic::do_not_recommend]
        unsafe impl Element for $t {
            const UNIFORM: usize = size_of::<$t>();
        }
    )*};
}

// Not `usize` and `isize`: data should not change its size with the host.
elements! { bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 }

// SAFETY: it has no bytes.
#[diagnostic::do_not_recommend]
unsafe impl KernelType for () {
    fn ty() -> Type {
        Type::Unit
    }
}

// SAFETY: it has no bytes, so that there is nothing of it in memory.
#[diagnostic::do_not_recommend]
unsafe impl<T: ?Sized + 'static> KernelType for PhantomData<T> {
    fn ty() -> Type {
        const { assert!(size_of::<Self>() == 0 && align_of::<Self>() == 1) };
        Type::Struct(Box::new(Struct {
            name: "PhantomData".to_owned(),
            path: std::any::type_name::<Self>().to_owned(),
            members: Vec::new(),
            size: 0,
            align: 1,
        }))
    }

    #[inline(always)]
    unsafe fn from_lane(_: Planes) -> Self {
        PhantomData
    }

    #[inline(always)]
    unsafe fn to_lane(self, _: Planes) {}
}

// SAFETY: as above; it has one value.
#[diagnostic::do_not_recommend]
unsafe impl<T: ?Sized + Send + Sync + 'static> Element for PhantomData<T> {
    #[inline(always)]
    unsafe fn gather(_: Planes) -> Self {
        PhantomData
    }

    #[inline(always)]
    unsafe fn scatter(self, _: Planes) {}
}

// SAFETY: an array is its elements in order.
#[diagnostic::do_not_recommend]
unsafe impl<T: KernelType, const N: usize> KernelType for [T; N] {
    fn ty() -> Type {
        Type::Array(Box::new(T::ty()), N)
    }

    const PLAIN: bool = T::PLAIN;

    fn device_layout() -> (usize, usize) {
        let (size, align) = T::device_layout();
        (size * N, align)
    }

    unsafe fn pack(&self, to: *mut u8) {
        let (size, _) = T::device_layout();
        for (k, element) in self.iter().enumerate() {
            // SAFETY: by the caller's word there is room for all elements.
            unsafe { element.pack(to.add(k * size)) };
        }
    }

    unsafe fn unpack(from: *const u8) -> Self {
        let (size, _) = T::device_layout();
        // SAFETY: by the caller's word there are `N` elements.
        std::array::from_fn(|k| unsafe { T::unpack(from.add(k * size)) })
    }

    #[inline(always)]
    unsafe fn from_lane(from: Planes) -> Self {
        // SAFETY: by the caller's word there is a plane for each element.
        std::array::from_fn(|k| unsafe { T::from_lane(from.member(k * size_of::<T>())) })
    }

    #[inline(always)]
    unsafe fn to_lane(self, to: Planes) {
        for (k, element) in self.into_iter().enumerate() {
            // SAFETY: by the caller's word there is a plane for each element.
            unsafe { element.to_lane(to.member(k * size_of::<T>())) };
        }
    }
}

// SAFETY: an array is its elements in order, and has no bytes beside them.
#[diagnostic::do_not_recommend]
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    const UNIFORM: usize = T::UNIFORM;

    #[inline(always)]
    unsafe fn gather(from: Planes) -> Self {
        // SAFETY: by the caller's word there is a plane for each element.
        std::array::from_fn(|k| unsafe { T::gather(from.member(k * size_of::<T>())) })
    }

    #[inline(always)]
    unsafe fn scatter(self, to: Planes) {
        for (k, element) in self.into_iter().enumerate() {
            // SAFETY: by the caller's word there is a plane for each element.
            unsafe { element.scatter(to.member(k * size_of::<T>())) };
        }
    }
}

macro_rules! tuples {
    ($(($($t:ident)+))*) => {$(
        // SAFETY: it crosses to a device by `pack` and `unpack`, which lay out the members in order.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($t: KernelType),+> KernelType for ($($t,)+) {
            fn ty() -> Type {
                Type::Tuple(vec![$($t::ty()),+])
            }

            const PLAIN: bool = false;

            fn device_layout() -> (usize, usize) {
                let (mut size, mut align) = (0_usize, 1);
                $(
                    let (s, a) = $t::device_layout();
                    if s > 0 {
                        size = size.next_multiple_of(a) + s;
                        align = align.max(a);
                    }
                )+
                (size.next_multiple_of(align), align)
            }

            #[allow(non_snake_case)]
            unsafe fn pack(&self, to: *mut u8) {
                let ($($t,)+) = self;
                let mut at = 0_usize;
                $(
                    let (size, align) = layout_of($t);
                    at = if size > 0 { at.next_multiple_of(align) } else { at };
                    // SAFETY: by the caller's word there is room for all members.
                    unsafe { $t.pack(to.add(at)) };
                    at += size;
                )+
                let _ = at;
            }

            #[allow(non_snake_case)]
            unsafe fn unpack(from: *const u8) -> Self {
                let mut at = 0_usize;
                $(
                    let (size, align) = $t::device_layout();
                    at = if size > 0 { at.next_multiple_of(align) } else { at };
                    // SAFETY: by the caller's word all members are there.
                    let $t = unsafe { $t::unpack(from.add(at)) };
                    at += size;
                )+
                let _ = at;
                ($($t,)+)
            }
        }
    )*};
}

fn layout_of<T: KernelType>(_: &T) -> (usize, usize) {
    T::device_layout()
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_as_in_rust() {
        assert_eq!(<()>::ty(), Type::Unit);
        assert_eq!(<[[f32; 3]; 2]>::ty().to_string(), "[[f32; 3]; 2]");
        assert_eq!(<(i8, bool, u64)>::ty().to_string(), "(i8, bool, u64, )");
        assert_eq!(usize::ty(), Type::Scalar(Scalar::Usize));
        assert_eq!(<(u8, u8, u8, u8, u8, f64)>::ty().scalar(), None);
    }

    #[test]
    fn tuples_cross_to_the_device_as_c_structs() {
        type Value = (u8, f64, [(u16, i32); 2], bool);
        assert_eq!(Value::device_layout(), (40, 8));
        let value: Value = (7, -2.5, [(3, -4), (5, -6)], true);
        let mut words = [0_u64; 5];
        // SAFETY: both have the size of the layout.
        let back = unsafe {
            value.pack(words.as_mut_ptr().cast());
            Value::unpack(words.as_ptr().cast())
        };
        assert_eq!(back, value);
        assert_eq!(
            words,
            [7, (-2.5_f64).to_bits(), 0xffff_fffc_0000_0003, 0xffff_fffa_0000_0005, 1]
        );
    }

    #[test]
    fn sizes_are_those_of_rust() {
        fn same<T: Element>() {
            assert_eq!(
                (T::ty().size(), T::ty().align()),
                (size_of::<T>(), align_of::<T>()),
                "{}",
                T::ty()
            );
        }
        same::<bool>();
        same::<i16>();
        same::<f64>();
        same::<[u8; 7]>();
        same::<[[f64; 2]; 3]>();
    }
}
