//! Values of a variable in neighbouring iterations, which are computed together.

use std::any::TypeId;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::access::pointer::Planes;
use crate::element::KernelType;

/// `W` values, scalar by scalar: those of one component in all lanes are neighbours, as vector registers have them.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Lanes<T, const W: usize> {
    values: MaybeUninit<[T; W]>,
}

/// Bytes of what outlives the regions of a loop or function in lanes, at most: stacks of threads have 2 MiB, and functions call functions.
pub const MOST_PLANES: usize = 64 << 10;

/// Stands for values of a type that is inferred further down. Generated code calls its methods by dot, so that they take it by value: what a trait has by
/// that name for all types is not preferred to them.
#[derive(Debug)]
pub struct Fit<T>(PhantomData<T>);

impl<T> Clone for Fit<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Fit<T> {}

impl<T> Fit<T> {
    /// Of any type yet.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Fit(PhantomData)
    }

    /// Size of a value.
    #[inline(always)]
    #[must_use]
    pub const fn bytes(self) -> usize {
        size_of::<T>()
    }

    /// The type is that of these values.
    #[inline(always)]
    pub fn of<const W: usize>(self, _: &Lanes<T, W>) {}
}

impl<T, const N: usize> Fit<[T; N]> {
    /// How many items an array has.
    #[inline(always)]
    #[must_use]
    pub const fn items(self) -> usize {
        N
    }
}

impl<T: Copy, const W: usize> Clone for Lanes<T, W> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy, const W: usize> Copy for Lanes<T, W> {}

impl<T: KernelType, const W: usize> Lanes<T, W> {
    /// Whatever is all zero bits, for lanes that nothing is known of.
    #[inline(always)]
    #[must_use]
    pub fn zeros() -> Self {
        Lanes {
            values: MaybeUninit::zeroed(),
        }
    }

    /// The same value in all lanes.
    #[inline(always)]
    #[must_use]
    pub fn filled(value: T) -> Self {
        let mut lanes = Lanes::zeros();
        for lane in 0..W {
            // SAFETY: below the width.
            unsafe { lanes.set(lane, value) };
        }
        lanes
    }

    /// The value in a lane. All bytes zero are a value of every kernel's type.
    ///
    /// # Safety
    /// `lane` is below the width.
    #[inline(always)]
    #[must_use]
    pub unsafe fn get(&self, lane: usize) -> T {
        let first = self.values.as_ptr().cast_mut().cast();
        // SAFETY: there is room for `W` values, and each was written or is zero.
        unsafe { T::from_lane(Planes::new(first, W, lane.cast_signed())) }
    }

    /// Sets the value in a lane.
    ///
    /// # Safety
    /// `lane` is below the width.
    #[inline(always)]
    pub unsafe fn set(&mut self, lane: usize, value: T) {
        let first = self.values.as_mut_ptr().cast();
        // SAFETY: there is room for `W` values.
        unsafe { value.to_lane(Planes::new(first, W, lane.cast_signed())) };
    }

    /// Takes back what the first lanes have become.
    #[inline(always)]
    pub fn restore(&mut self, before: &Self, lanes: usize) {
        if lanes == 0 {
            return;
        }
        for lane in 0..W {
            // SAFETY: below the width.
            unsafe {
                let value = if lane < lanes { before.get(lane) } else { self.get(lane) };
                self.set(lane, value);
            }
        }
    }

    /// The same, by the name of the parameter's type.
    #[inline(always)]
    #[must_use]
    pub fn typed<U: KernelType>(&self) -> &Lanes<U, W>
    where
        T: Is<U>,
    {
        assert_eq!(TypeId::of::<T>(), TypeId::of::<U>(), "lanes of another type");
        // SAFETY: it is the same type.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    /// Combines the values of all lanes, in a tree that depends on the width alone.
    #[inline(always)]
    #[must_use]
    pub fn fold(mut self, combine: impl Fn(T, T) -> T) -> T {
        const { assert!(W.is_power_of_two()) };
        let mut width = W / 2;
        while width > 0 {
            for lane in 0..width {
                // SAFETY: both lanes are below the width.
                unsafe {
                    let value = combine(self.get(lane), self.get(lane + width));
                    self.set(lane, value);
                }
            }
            width /= 2;
        }
        // SAFETY: there is at least one lane.
        unsafe { self.get(0) }
    }
}

impl<T: KernelType, const N: usize, const W: usize> Lanes<[T; N], W> {
    /// An item of the array in a lane. Panics as arrays do.
    ///
    /// # Safety
    /// `lane` is below the width.
    #[inline(always)]
    #[must_use]
    #[track_caller]
    pub unsafe fn item(&self, lane: usize, index: usize) -> T {
        let first = self.values.as_ptr().cast_mut().cast();
        // SAFETY: there is room for `W` arrays, and each was written or is zero. The item is there.
        unsafe { T::from_lane(item::<T, N>(Planes::new(first, W, lane.cast_signed()), index)) }
    }

    /// Sets an item. Panics as arrays do.
    ///
    /// # Safety
    /// `lane` is below the width.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn set_item(&mut self, lane: usize, index: usize, value: T) {
        let first = self.values.as_mut_ptr().cast();
        // SAFETY: there is room for `W` arrays. The item is there.
        unsafe { value.to_lane(item::<T, N>(Planes::new(first, W, lane.cast_signed()), index)) };
    }
}

/// Where an item of an array is.
#[inline(always)]
#[track_caller]
fn item<T, const N: usize>(array: Planes, index: usize) -> Planes {
    // As arrays say it.
    let () = [(); N][index];
    // SAFETY: there is a plane for each item.
    unsafe { array.member(index * size_of::<T>()) }
}

impl<const W: usize> Lanes<u32, W> {
    /// Clears these bits.
    #[inline(always)]
    pub fn clear(&mut self, bits: u32) {
        for lane in 0..W {
            // SAFETY: below the width.
            unsafe {
                let old = self.get(lane);
                self.set(lane, old & !bits);
            }
        }
    }

    /// How many of the first `lanes` go on.
    #[must_use]
    pub fn going(&self, lanes: usize) -> usize {
        // SAFETY: below the width.
        (0..lanes.min(W)).filter(|lane| unsafe { self.get(*lane) } == 0).count()
    }

    /// Whether a lane goes on.
    #[inline(always)]
    pub fn goes(&self) -> bool {
        // SAFETY: below the width.
        (0..W).any(|lane| unsafe { self.get(lane) } == 0)
    }

    /// Lanes that wait with `first` alone go on, and those that have gone on so far wait with `second`. Says whether a lane
    /// goes on.
    #[inline(always)]
    pub fn turn(&mut self, first: u32, second: u32) -> bool {
        let mut any = false;
        for lane in 0..W {
            // SAFETY: below the width.
            unsafe {
                let old = self.get(lane);
                let other = if old == 0 { second } else { old };
                self.set(lane, if old == first { 0 } else { other });
                any |= old == first;
            }
        }
        any
    }
}

/// The type itself, by which rustc finds the types of a generic function.
#[diagnostic::on_unimplemented(
    message = "mismatched types: the function takes a `{T}`, not a `{Self}`",
    label = "expected `{T}`, found `{Self}`"
)]
pub trait Is<T>: KernelType {}

impl<T: KernelType> Is<T> for T {}

/// Bytes of all values that functions are given and give at once, in all lanes.
pub const MOST_PASSED: usize = 1 << 15;

/// What kernels find beside a function that is no `#[func]`.
pub mod no_lanes {
    use super::Lanes;
    use crate::cpu::inside::{Given, Inside, Line};
    use crate::versions::Target;

    #[allow(non_camel_case_types)]
    #[derive(Debug)]
    pub struct __callee;

    impl __callee {
        /// It has no loops.
        pub const fn __looped(_: u32) -> bool {
            false
        }

        /// It does not tell what it gives.
        pub const fn __gives(_: u32) -> bool {
            false
        }

        /// It calls nothing, and is short.
        #[allow(non_upper_case_globals)]
        pub const a_function_of_kernels_must_not_call_itself: u32 = 1;
    }

    macro_rules! no_lanes {
        ($($name:ident($($arg:ident)*))*) => {
            /// What they find where a call of a function is not right, which rustc reports.
            pub trait NoLanes {
                /// It reads nothing.
                const __NEEDS: u64 = 0;

                /// It asks for nothing.
                const __ASKED: u64 = 0;

                /// It asks for nothing.
                #[inline(always)]
                fn __within<const OPEN: u64>(_: &mut Inside, _: &[&[usize]], _: &[&[Line]]) {}

                /// Nothing.
                #[inline(always)]
                fn __given(inside: &mut Inside, _: &[Line]) -> Given {
                    inside.untold()
                }

                /// What a call as it was written gives is of the type that it has in lanes. The call is not made.
                #[inline(always)]
                fn __typed<T, const W: usize>(_: &Lanes<T, W>, _: impl FnOnce() -> T) {}
                $(
                    /// Never called.
                    #[allow(clippy::too_many_arguments)]
                    fn $name<$($arg,)* R, const W: usize>(
                        _: Target,
                        _: &Lanes<u32, W>,
                        $(_: &Lanes<$arg, W>,)*
                        _: &mut Lanes<R, W>,
                    ) {
                        unreachable!("rustc reports that the call is wrong")
                    }
                )*
            }
        };
    }

    no_lanes! {
        __lanes1(A) __lanes2(A B) __lanes3(A B C) __lanes4(A B C D) __lanes5(A B C D E) __lanes6(A B C D E F)
        __lanes7(A B C D E F G) __lanes8(A B C D E F G H)
    }

    impl<T: ?Sized> NoLanes for T {}
}

/// Any type parameter of a function, where it does not matter which.
#[derive(Debug)]
pub struct Any;

/// Any value of a const parameter: a number, or `false`.
///
/// # Safety
/// `T` is the type of a const parameter: an integer, `bool` or `char`.
#[must_use]
pub const unsafe fn zero<T: Copy>() -> T {
    // SAFETY: zeros are a value of these.
    unsafe { MaybeUninit::zeroed().assume_init() }
}
