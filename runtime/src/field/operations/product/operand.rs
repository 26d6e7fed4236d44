//! Factors and targets of products: where their elements lie.

use std::ptr::NonNull;

use swathe_device_kernels::plan;

use super::factor::Factor;
use super::host::Matrices;
use crate::access::layout::{FieldLayout, Layout};
use crate::device::Device;
use crate::error::Result;
use crate::field::Field;
use crate::field::cow::CowMemory;
use crate::field::views::view::{FieldView, FieldViewMut, Region};
use crate::kernel::rank::Dim;

/// What can be multiplied with [`Field::dot`]: fields, views, references to them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no factor of a product",
    label = "a factor is a `&Field` or a `FieldView`, of integers, floats or complex numbers"
)]
pub trait DotOperand: sealed::Operand {
    /// The elements' type.
    type Element: Factor;
    /// `Dim<D>` of its rank.
    type Rank;

    #[doc(hidden)]
    fn describe(&self) -> String;
}

/// What can take the product of [`Field::dot_into`]: a [`Field`] or a [`FieldViewMut`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no product",
    label = "a product goes to a `Field` or a `FieldViewMut`"
)]
pub trait DotTarget: sealed::Target {
    /// The elements' type.
    type Element: Factor;
    /// `Dim<D>` of its rank.
    type Rank;

    #[doc(hidden)]
    fn describe(&self) -> String;
}

pub(in crate::field) mod sealed {
    use super::Lie;
    use crate::error::Result;

    pub trait Operand {
        fn lie(&self) -> Lie<'_>;
    }

    pub trait Target {
        /// Before a write.
        fn prepare(&mut self) -> Result<()>;

        fn lie(&self) -> Lie<'_>;
    }
}

impl<A: sealed::Operand> sealed::Operand for &A {
    fn lie(&self) -> Lie<'_> {
        (**self).lie()
    }
}

impl<A: DotOperand> DotOperand for &A {
    type Element = A::Element;
    type Rank = A::Rank;

    fn describe(&self) -> String {
        (**self).describe()
    }
}

impl<T: Factor, const D: usize, L: FieldLayout> sealed::Operand for Field<T, D, L> {
    fn lie(&self) -> Lie<'_> {
        Lie::of::<T, D>(&self.region())
    }
}

impl<T: Factor, const D: usize, L: FieldLayout> DotOperand for Field<T, D, L> {
    type Element = T;
    type Rank = Dim<D>;

    fn describe(&self) -> String {
        self.describe()
    }
}

impl<T: Factor, const D: usize, L: Layout> sealed::Operand for FieldView<'_, T, D, L> {
    fn lie(&self) -> Lie<'_> {
        Lie::of::<T, D>(&self.region)
    }
}

impl<T: Factor, const D: usize, L: Layout> DotOperand for FieldView<'_, T, D, L> {
    type Element = T;
    type Rank = Dim<D>;

    fn describe(&self) -> String {
        self.describe()
    }
}

impl<T: Factor, const D: usize, L: FieldLayout> sealed::Target for Field<T, D, L> {
    fn prepare(&mut self) -> Result<()> {
        self.memory.write()?;
        Field::prepare(self)
    }

    fn lie(&self) -> Lie<'_> {
        Lie::of::<T, D>(&self.region())
    }
}

impl<T: Factor, const D: usize, L: FieldLayout> DotTarget for Field<T, D, L> {
    type Element = T;
    type Rank = Dim<D>;

    fn describe(&self) -> String {
        self.describe()
    }
}

// It was made of memory of the field's own.
impl<T: Factor, const D: usize, L: Layout> sealed::Target for FieldViewMut<'_, T, D, L> {
    fn prepare(&mut self) -> Result<()> {
        self.region.memory.write()
    }

    fn lie(&self) -> Lie<'_> {
        Lie::of::<T, D>(&self.region)
    }
}

impl<T: Factor, const D: usize, L: Layout> DotTarget for FieldViewMut<'_, T, D, L> {
    type Element = T;
    type Rank = Dim<D>;

    fn describe(&self) -> String {
        self.describe()
    }
}

/// Where a vector stands in a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A vector is a row.
    Left,
    /// A vector is a column.
    Right,
}

/// Where the elements of an array of rank 0 to 3 lie.
#[derive(Clone, Copy)]
pub struct Lie<'a> {
    memory: &'a CowMemory,
    at: *mut u8,
    rank: usize,
    shape: [usize; 3],
    /// In bytes.
    strides: [isize; 3],
    /// From a real part to the imaginary one, in bytes.
    imaginary: isize,
}

impl<'a> Lie<'a> {
    fn of<T: Factor, const D: usize>(region: &Region<'a, D>) -> Lie<'a> {
        const { assert!(D <= 3, "products are of arrays of at most 3 axes") };
        let scalar = T::SCALAR as isize;
        let (at, unit, imaginary) = match region.planar {
            true => (
                region.at.wrapping_offset(region.steps.origin.wrapping_mul(scalar)),
                scalar,
                (region.steps.pitch as isize).wrapping_mul(scalar),
            ),
            false => (region.at, 1, scalar),
        };
        let (mut shape, mut strides) = ([1; 3], [0; 3]);
        shape[..D].copy_from_slice(&region.shape);
        for (to, stride) in strides.iter_mut().zip(region.steps.strides) {
            *to = stride.wrapping_mul(unit);
        }
        Lie {
            memory: region.memory,
            at,
            rank: D,
            shape,
            strides,
            imaginary,
        }
    }

    /// # Errors
    /// [`Error::NotRecordable`](crate::Error::NotRecordable).
    pub fn read(&self) -> Result<()> {
        self.memory.read().map(drop)
    }

    pub fn device(&self) -> &'a Device {
        self.memory.device()
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape[..self.rank]
    }

    pub fn strides(&self) -> &[isize] {
        &self.strides[..self.rank]
    }

    /// The start of the memory, if there is some.
    pub fn start(&self) -> Option<NonNull<u8>> {
        NonNull::new(self.memory.raw().address()).filter(|_| self.memory.raw().size() > 0)
    }

    /// Batch, rows, columns.
    pub fn extents(&self, side: Side) -> [usize; 3] {
        axes(self.shape(), side, 1)
    }

    pub fn matrices(&self, side: Side) -> Matrices {
        let [matrix, row, column] = axes(self.strides(), side, 0);
        Matrices {
            at: self.at,
            matrix,
            row,
            column,
            imaginary: self.imaginary,
        }
    }
}

/// What belongs to the axes of a batch of matrices; `none` to those that are not there.
fn axes<N: Copy>(of: &[N], side: Side, none: N) -> [N; 3] {
    match (of, side) {
        ([n], Side::Left) => [none, none, *n],
        ([n], Side::Right) => [none, *n, none],
        ([rows, columns], _) => [none, *rows, *columns],
        ([batch, rows, columns], _) => [*batch, *rows, *columns],
        _ => [none; 3],
    }
}

impl Matrices {
    /// As device kernels take them; `None` if something is no multiple of a scalar.
    pub fn in_scalars(&self, scalar: isize) -> Option<plan::Matrices> {
        let units = |bytes: isize| (bytes % scalar == 0).then_some((bytes / scalar) as i64);
        Some(plan::Matrices {
            address: self.at.expose_provenance() as u64,
            matrix: units(self.matrix)?,
            row: units(self.row)?,
            column: units(self.column)?,
            imaginary: units(self.imaginary)?,
        })
    }
}
