//! Elements that consist of scalars, as arrays outside of swathe hold them.

use half::{bf16, f16};
use ndarray::Dimension;

use crate::element::Element;
use crate::types::{Component, Matrix, Vector};

/// An element that is one scalar or a block of equal scalars. An external array holds the scalars, and the block's axes
/// follow the field's: a `Field<f32, 2>` is an array of shape `(h, w)`, a field of `Vector<f32, 3>` one of
/// shape `(h, w, 3)`, a field of `Matrix<f32, 2, 3>` one of shape `(h, w, 2, 3)`.
///
/// # Safety
/// The element's memory is exactly the scalars of the block in row-major order.
#[diagnostic::on_unimplemented(
    message = "a field of `{Self}` is not an array of scalars",
    label = "scalars, vectors, matrices and arrays of them can be exchanged with arrays",
    note = "exchange the members of a struct one at a time: `field.member::<Vec3>(\"position\")?`"
)]
pub unsafe trait External: Element {
    /// The scalar.
    type Scalar: Element;
    /// The dimension of an array with the block's axes after those of `E`.
    type Dim<E: Dimension>: Dimension;
    /// The dimension of an array of `E` without the block's axes.
    type Rest<E: Dimension>: Dimension;
    /// The block's axes.
    #[doc(hidden)]
    const AXES: Axes;
}

/// Lengths of at most six axes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    lengths: [usize; 6],
    count: usize,
    parts: usize,
}

impl Axes {
    /// No axes.
    pub const NONE: Axes = Axes {
        lengths: [1; 6],
        count: 0,
        parts: 1,
    };

    /// No axes, of scalars that are complex numbers.
    pub const COMPLEX: Axes = Axes { parts: 2, ..Axes::NONE };

    /// One more axis before these.
    #[must_use]
    pub const fn after(self, length: usize) -> Axes {
        let mut axes = Axes {
            lengths: [1; 6],
            count: self.count + 1,
            parts: self.parts,
        };
        axes.lengths[0] = length;
        let mut k = 0;
        while k < self.count {
            axes.lengths[k + 1] = self.lengths[k];
            k += 1;
        }
        axes
    }

    /// Equal numbers that a scalar consists of: a structure of arrays has a plane for each.
    #[must_use]
    pub const fn parts(&self) -> usize {
        self.parts
    }

    /// The lengths.
    #[must_use]
    pub fn lengths(&self) -> &[usize] {
        &self.lengths[..self.count]
    }
}

macro_rules! scalars {
    ($($scalar:ty),*) => {$(
        // SAFETY: one scalar.
        unsafe impl External for $scalar {
            type Scalar = $scalar;
            type Dim<E: Dimension> = E;
            type Rest<E: Dimension> = E;
            const AXES: Axes = Axes::NONE;
        }
    )*};
}

scalars!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64);

// SAFETY: an array is its elements in order.
unsafe impl<T: External, const N: usize> External for [T; N]
where
    [T; N]: Element,
{
    type Scalar = T::Scalar;
    type Dim<E: Dimension> = T::Dim<E::Larger>;
    type Rest<E: Dimension> = <T::Rest<E> as Dimension>::Smaller;
    const AXES: Axes = T::AXES.after(N);
}

// SAFETY: a vector is its components in order.
unsafe impl<T: Component, const N: usize> External for Vector<T, N>
where
    Vector<T, N>: Element,
{
    type Scalar = T;
    type Dim<E: Dimension> = E::Larger;
    type Rest<E: Dimension> = E::Smaller;
    const AXES: Axes = Axes::NONE.after(N);
}

// SAFETY: a matrix is its rows in order.
unsafe impl<T: Component, const R: usize, const C: usize> External for Matrix<T, R, C>
where
    Matrix<T, R, C>: Element,
{
    type Scalar = T;
    type Dim<E: Dimension> = <E::Larger as Dimension>::Larger;
    type Rest<E: Dimension> = <E::Smaller as Dimension>::Smaller;
    const AXES: Axes = Axes::NONE.after(C).after(R);
}
