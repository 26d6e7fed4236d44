//! Complex numbers of the crate `num_complex` in fields and kernels.
//!
//! On the CPU a kernel calls the crate itself. Code generation knows the operators; [`functions`] are the crate's formulas for a
//! CUDA device.

mod functions;
pub mod methods;

use num_complex::Complex;
use swathe_ir::{Member, Struct, Type, method_id};

use crate::access::pointer::Planes;
use crate::element::external::{Axes, External};
use crate::element::{Element, KernelType};
use crate::kernel::Callee;
use crate::kernel::probe::Method;
use crate::numbers::atomic::{AtomicAdd, Sharing};
use crate::numbers::reduce::{ReduceAdd, ReduceMul};

macro_rules! built_in {
    ($t:ident: $($name:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Method<{ method_id(stringify!($name)) }> for Complex<$t> {
            fn callee() -> Callee {
                Callee::BuiltIn
            }
        }
    )*};
}

macro_rules! complex {
    ($($t:ident $name:ident)*) => {$(
        // SAFETY: the members' offsets are those that rustc reports.
        #[diagnostic::do_not_recommend]
        unsafe impl KernelType for Complex<$t> {
            const BUILT_IN: bool = true;

            fn ty() -> Type {
                let member = |name: &str, offset| Member {
                    name: name.to_owned(),
                    ty: <$t>::ty(),
                    offset,
                };
                Type::Struct(Box::new(Struct {
                    name: stringify!($name).to_owned(),
                    path: format!("num_complex::Complex<{}>", stringify!($t)),
                    members: vec![
                        member("re", std::mem::offset_of!(Complex<$t>, re)),
                        member("im", std::mem::offset_of!(Complex<$t>, im)),
                    ],
                    size: size_of::<Self>(),
                    align: align_of::<Self>(),
                }))
            }

            #[inline(always)]
            unsafe fn from_lane(from: Planes) -> Self {
                // SAFETY: by the caller's word; the planes are those of an element.
                unsafe { <Self as Element>::gather(from) }
            }

            #[inline(always)]
            unsafe fn to_lane(self, to: Planes) {
                // SAFETY: as above.
                unsafe { <Self as Element>::scatter(self, to) }
            }
        }

        // SAFETY: two floats, at the offsets that the type states; zero is a value of it.
        #[diagnostic::do_not_recommend]
        unsafe impl Element for Complex<$t> {
            const SCALAR: usize = size_of::<$t>();
            const UNIFORM: usize = size_of::<$t>();

            #[inline(always)]
            unsafe fn gather(from: Planes) -> Self {
                // SAFETY: by the caller's word, as for an array of two floats.
                let [re, im] = unsafe { Element::gather(from) };
                Complex::new(re, im)
            }

            #[inline(always)]
            unsafe fn scatter(self, to: Planes) {
                // SAFETY: as above.
                unsafe { [self.re, self.im].scatter(to) }
            }
        }

        // SAFETY: one complex number, which is what the array holds.
        unsafe impl External for Complex<$t> {
            type Scalar = Complex<$t>;
            type Dim<E: ndarray::Dimension> = E;
            type Rest<E: ndarray::Dimension> = E;
            const AXES: Axes = Axes::COMPLEX;
        }

        built_in! { $t: add sub mul div add_assign sub_assign mul_assign div_assign neg eq ne }

        impl ReduceAdd for Complex<$t> {
            #[inline(always)]
            fn zero() -> Self {
                Complex::new(ReduceAdd::zero(), ReduceAdd::zero())
            }

            #[inline(always)]
            fn reduce_add(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn reduce_sub(self, sum: Self) -> Self {
                Complex::new(self.re.reduce_sub(sum.re), self.im.reduce_sub(sum.im))
            }
        }

        impl ReduceMul for Complex<$t> {
            #[inline(always)]
            fn one() -> Self {
                Complex::new(ReduceMul::one(), ReduceAdd::zero())
            }

            #[inline(always)]
            fn reduce_mul(self, other: Self) -> Self {
                self * other
            }
        }

        /// Part by part; the parts change independently of each other.
        impl AtomicAdd for Complex<$t> {
            #[inline]
            unsafe fn fetch_add(ptr: *mut Self, v: Self, how: Sharing) -> Self {
                // SAFETY: the caller's word on the number holds for its parts, which lie side by side.
                let [re, im] = unsafe { <$t>::fetch_add_each(ptr.cast(), [v.re, v.im], how) };
                Complex::new(re, im)
            }

            #[inline]
            unsafe fn fetch_sub(ptr: *mut Self, v: Self, how: Sharing) -> Self {
                // SAFETY: as above; negation is exact.
                unsafe { Self::fetch_add(ptr, -v, how) }
            }
        }
    )*};
}

complex! { f32 Complex32 f64 Complex64 }
