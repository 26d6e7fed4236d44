//! What kernels call where their text has a function's name as a method: [`single`](super) for `f32`, the method itself for any other type. A
//! method of `f32` itself cannot be replaced, as it comes before those of traits.

use std::any::TypeId;
use std::marker::PhantomData;
use std::mem::{transmute, transmute_copy};

/// Identity of a type, or of what it is with the longest lifetimes.
#[inline(always)]
fn id<T: ?Sized>() -> TypeId {
    trait Identified {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T: ?Sized> Identified for PhantomData<T> {
        #[inline(always)]
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let of: &dyn Identified = &PhantomData::<T>;
    // SAFETY: nothing is behind the reference, and the method looks at the type alone, in which lifetimes play no part.
    Identified::id(unsafe { transmute::<&dyn Identified, &(dyn Identified + 'static)>(of) })
}

/// Whether both are the same type, but for lifetimes.
#[inline(always)]
pub(crate) fn same<A: ?Sized, B: ?Sized>() -> bool {
    id::<A>() == id::<B>()
}

/// Whether it is `f32`.
#[inline(always)]
#[must_use]
pub fn is_f32<T>() -> bool {
    // A constant, so that nothing is compiled of the other half where it is false.
    let fits = const { size_of::<T>() == size_of::<f32>() };
    fits && same::<T, f32>()
}

/// The number, if it is an `f32`.
#[inline(always)]
pub fn number<T>(x: &T) -> Option<f32> {
    // SAFETY: the types are the same.
    is_f32::<T>().then(|| unsafe { transmute_copy(x) })
}

macro_rules! calls {
    ($($name:ident($($x:ident)*))*) => {$(
        #[doc = concat!("`", stringify!($name), "` of `f32`, else `other()`.")]
        #[inline(always)]
        pub fn $name<R>($($x: Option<f32>,)* other: impl FnOnce() -> R) -> R {
            match ($($x,)*) {
                // SAFETY: the types are the same.
                ($(Some($x),)*) if is_f32::<R>() => unsafe { transmute_copy(&super::$name($($x),*)) },
                _ => other(),
            }
        }
    )*};
}

calls! {
    cbrt(x) exp(x) exp2(x) exp_m1(x) ln(x) ln_1p(x) log2(x) log10(x) sin(x) cos(x)
    tan(x) asin(x) acos(x) atan(x) sinh(x) cosh(x) tanh(x) asinh(x) acosh(x) atanh(x)
    log(x y) powf(x y) atan2(x y) hypot(x y)
}
