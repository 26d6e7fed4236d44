//! Reductions and atomic operations of vectors and matrices: component by component.

use super::{Matrix, Vector};
use crate::math::Scalar;
use crate::numbers::atomic::{AtomicAdd, AtomicOrd, Sharing};
use crate::numbers::reduce::{ReduceAdd, ReduceMax, ReduceMin, ReduceMul};

macro_rules! reduce {
    ($($trait:ident $identity:ident $($combine:ident)*;)*) => {$(
        impl<T: Scalar, const N: usize> $trait for Vector<T, N> {
            #[inline(always)]
            fn $identity() -> Self {
                Vector([T::$identity(); N])
            }

            $(
                #[inline(always)]
                fn $combine(self, other: Self) -> Self {
                    let mut value = self;
                    for k in 0..N {
                        value.0[k] = $trait::$combine(self.0[k], other.0[k]);
                    }
                    value
                }
            )*
        }
    )*};
}

reduce! {
    ReduceAdd zero reduce_add reduce_sub;
    ReduceMul one reduce_mul;
    ReduceMin highest reduce_min;
    ReduceMax lowest reduce_max;
}

impl<T: Scalar, const R: usize, const C: usize> ReduceAdd for Matrix<T, R, C> {
    #[inline(always)]
    fn zero() -> Self {
        Matrix([[T::zero(); C]; R])
    }

    #[inline(always)]
    fn reduce_add(self, other: Self) -> Self {
        let mut value = self;
        for r in 0..R {
            for c in 0..C {
                value.0[r][c] = ReduceAdd::reduce_add(self.0[r][c], other.0[r][c]);
            }
        }
        value
    }

    #[inline(always)]
    fn reduce_sub(self, sum: Self) -> Self {
        let mut value = self;
        for r in 0..R {
            for c in 0..C {
                value.0[r][c] = ReduceAdd::reduce_sub(self.0[r][c], sum.0[r][c]);
            }
        }
        value
    }
}

impl<T: AtomicAdd, const N: usize> AtomicAdd for Vector<T, N> {
    #[inline]
    unsafe fn fetch_add(ptr: *mut Self, v: Self, how: Sharing) -> Self {
        // SAFETY: the caller's word on the vector holds for its components.
        Vector(unsafe { T::fetch_add_each(ptr.cast(), v.0, how) })
    }

    #[inline]
    unsafe fn fetch_sub(ptr: *mut Self, v: Self, how: Sharing) -> Self {
        let mut old = v;
        for k in 0..N {
            // SAFETY: the caller's word on the vector holds for its components.
            old.0[k] = unsafe { T::fetch_sub(ptr.cast::<T>().add(k * how.pitch), v.0[k], how) };
        }
        old
    }
}

impl<T: AtomicAdd, const R: usize, const C: usize> AtomicAdd for Matrix<T, R, C> {
    #[inline]
    unsafe fn fetch_add(ptr: *mut Self, v: Self, how: Sharing) -> Self {
        let mut old = v;
        for r in 0..R {
            // SAFETY: the caller's word on the matrix holds for its rows.
            old.0[r] = unsafe { T::fetch_add_each(ptr.cast::<T>().add(r * C * how.pitch), v.0[r], how) };
        }
        old
    }

    #[inline]
    unsafe fn fetch_sub(ptr: *mut Self, v: Self, how: Sharing) -> Self {
        let mut old = v;
        for r in 0..R {
            for c in 0..C {
                // SAFETY: the caller's word on the matrix holds for its entries.
                old.0[r][c] = unsafe { T::fetch_sub(ptr.cast::<T>().add((r * C + c) * how.pitch), v.0[r][c], how) };
            }
        }
        old
    }
}

impl<T: AtomicOrd, const N: usize> AtomicOrd for Vector<T, N> {
    #[inline]
    unsafe fn fetch_min(ptr: *mut Self, v: Self, how: Sharing) -> Self {
        let mut old = v;
        for k in 0..N {
            // SAFETY: the caller's word on the vector holds for its components.
            old.0[k] = unsafe { T::fetch_min(ptr.cast::<T>().add(k * how.pitch), v.0[k], how) };
        }
        old
    }

    #[inline]
    unsafe fn fetch_max(ptr: *mut Self, v: Self, how: Sharing) -> Self {
        let mut old = v;
        for k in 0..N {
            // SAFETY: the caller's word on the vector holds for its components.
            old.0[k] = unsafe { T::fetch_max(ptr.cast::<T>().add(k * how.pitch), v.0[k], how) };
        }
        old
    }
}
