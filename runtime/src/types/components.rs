//! `.x`, `.y`, `.z`, `.w`.

use std::ops::{Deref, DerefMut};

use super::Vector;

macro_rules! components {
    ($($name:ident $n:literal { $($c:ident)* })*) => {$(
        #[doc = concat!("The components of a [`Vector`] of ", $n, ".")]
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name<T> {
            $(
                #[allow(missing_docs)]
                pub $c: T,
            )*
        }

        impl<T> Deref for Vector<T, $n> {
            type Target = $name<T>;

            #[inline(always)]
            fn deref(&self) -> &$name<T> {
                // SAFETY: both are `repr(C)` and hold the same number of `T` in order.
                unsafe { &*std::ptr::from_ref(self).cast() }
            }
        }

        impl<T> DerefMut for Vector<T, $n> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut $name<T> {
                // SAFETY: both are `repr(C)` and hold the same number of `T` in order.
                unsafe { &mut *std::ptr::from_mut(self).cast() }
            }
        }

        impl<T> Vector<T, $n> {
            /// A vector of these components.
            #[inline(always)]
            #[must_use]
            pub const fn new($($c: T),*) -> Self {
                Vector([$($c),*])
            }

            /// What kernels call for it.
            #[doc(hidden)]
            #[inline(always)]
            #[must_use]
            pub const fn __func_new($($c: T),*) -> Self {
                Self::new($($c),*)
            }
        }
    )*};
}

components! {
    X 1 { x }
    Xy 2 { x y }
    Xyz 3 { x y z }
    Xyzw 4 { x y z w }
}

macro_rules! axes {
    ($($n:literal: $($(#[$doc:meta])* $name:ident $k:literal),*;)*) => {$(
        impl<T: crate::math::Scalar> Vector<T, $n> {
            $(
                $(#[$doc])*
                pub const $name: Self = {
                    let mut v = [T::ZERO; $n];
                    v[$k] = T::ONE;
                    Vector(v)
                };
            )*
        }
    )*};
}

axes! {
    2: /// (1, 0).
        X 0, /// (0, 1).
        Y 1;
    3: /// (1, 0, 0).
        X 0, /// (0, 1, 0).
        Y 1, /// (0, 0, 1).
        Z 2;
    4: /// (1, 0, 0, 0).
        X 0, /// (0, 1, 0, 0).
        Y 1, /// (0, 0, 1, 0).
        Z 2, /// (0, 0, 0, 1).
        W 3;
}

#[cfg(test)]
mod tests {
    use crate::types::{DVec4, IVec2, Vec3, Vector};

    #[test]
    fn components_are_the_array() {
        let mut v = Vec3::new(1.0, 2.0, 3.0);
        v.y = 5.0;
        v.z += v.x;
        assert_eq!(v.to_array(), [1.0, 5.0, 4.0]);
        let w = DVec4::new(0.5, 1.5, 2.5, 3.5);
        assert_eq!([w.x, w.y, w.z, w.w], w.to_array());
        assert_eq!(Vector::<u8, 1>::new(7).x, 7);
        assert_eq!((IVec2::X, IVec2::Y), (IVec2::new(1, 0), IVec2::new(0, 1)));
        assert_eq!(Vec3::X + Vec3::Y + Vec3::Z, Vec3::ONE);
        assert_eq!(DVec4::W.to_array(), [0.0, 0.0, 0.0, 1.0]);
    }
}
