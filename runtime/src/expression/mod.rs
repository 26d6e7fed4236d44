//! Expressions over fields, which are computed in one pass.

mod axis;
mod call;
mod evaluate;
mod extents;
mod kernel;
mod leaf;
mod methods;
mod node;
mod operation;
mod operators;
mod random;
mod reduce;
mod strict;

use std::marker::PhantomData;

use crate::access::layout::{FieldLayout, Layout};
use crate::element::{Element, KernelType};
use crate::field::{Field, FieldView};
use crate::kernel::rank::Dim;

pub use call::Function;
#[doc(hidden)]
pub use call::{function1, function2};
pub use extents::{AnyRank, Join};
use leaf::{Constant, Index, Leaf};
pub use leaf::{Own, Value};
pub use node::Node;
pub use random::{Normal, number};

/// An expression over fields: its elements, of type `T` on `D` axes, are computed by one pass over memory when a method asks for them.
///
/// Operators between fields (`&Field`), views ([`FieldView`]), expressions and values make one, and so do the methods below. It borrows its
/// operands, and nothing is computed until [`eval`](Expr::eval), [`Field::assign`], [`Field::update`] or a reduction, as [`sum`](Expr::sum):
/// all that return a `Result`.
///
/// ```
/// use swathe::{Device, Field};
///
/// let x = Field::from_slice(&Device::default(), &[0.0_f32, 2.0, 4.0])?;
/// let y = (1.0 + &x * &x).sqrt().eval()?;
/// assert_eq!(y.to_vec()?, [1.0, 5.0_f32.sqrt(), 17.0_f32.sqrt()]);
/// assert_eq!((&y * &y - 1.0).round().sum()?, 20.0);
/// # Ok::<(), swathe::Error>(())
/// ```
///
/// # Shapes
/// Shapes join by NumPy's rule, from the last axis on: lengths are equal, or one of them is 1 and its elements are repeated. The rank of the result
/// is part of its type. Values have rank 0.
///
/// ```
/// use swathe::{Device, Field};
///
/// let device = Device::default();
/// let column = Field::from_fn(&device, [2, 1], |[i, _]| 10 * i as i32)?;
/// let row = Field::from_slice(&device, &[1, 2, 3])?;
/// let table: Field<i32, 2> = (&column + &row).eval()?;
/// assert_eq!(table.to_vec()?, [1, 2, 3, 11, 12, 13]);
///
/// let error = (&row + &Field::<i32>::zeros(&device, 4)?).eval().unwrap_err();
/// let message = "`+` of shapes [3] and [4]: on axis 0 of the result, 3 and 4 do not join; lengths have to be equal, or one of them 1";
/// assert_eq!(error.to_string(), message);
/// # Ok::<(), swathe::Error>(())
/// ```
///
/// # Types
/// An operator is that of the elements: what `a * b` is for an element of each, the expression has. Nothing is promoted; [`cast`](Expr::cast)
/// converts. Literals take the type of the field.
///
/// # Arithmetic
/// As in a [`kernel`](macro@crate::kernel): products in sums are contracted where the processor has an instruction for it, unless the expression is
/// [`strict`](Expr::strict); a division of integers that has no result fails, and the other elements are computed.
#[must_use = "an expression computes nothing before `eval`, `assign` or a reduction"]
pub struct Expr<T, const D: usize, N> {
    node: N,
    element: PhantomData<fn() -> T>,
}

impl<T, const D: usize, N: Copy> Clone for Expr<T, D, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const D: usize, N: Copy> Copy for Expr<T, D, N> {}

impl<T, const D: usize, N> Expr<T, D, N> {
    fn new(node: N) -> Self {
        Expr {
            node,
            element: PhantomData,
        }
    }
}

/// What can be an operand with elements of type `T`: [`Expr`], `&Field`, [`FieldView`], or a [`Value`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no operand with elements of type `{T}`",
    label = "an operand is an `Expr`, `&Field`, `FieldView`, or a value",
    note = "nothing is converted by itself: `.expr().cast::<{T}>()` does"
)]
pub trait IntoExpr<T: KernelType>: node::sealed::Operand<T> {
    /// `Dim<D>` of its rank; of values [`AnyRank`].
    type Rank;

    #[doc(hidden)]
    type Node: Node<Item = T>;

    #[doc(hidden)]
    fn into_node(self) -> Self::Node;
}

impl<T, const D: usize, N> node::sealed::Operand<T> for Expr<T, D, N> {}

impl<T: Element, const D: usize, L: FieldLayout> node::sealed::Operand<T> for &Field<T, D, L> {}

impl<T: Element, const D: usize, L: Layout> node::sealed::Operand<T> for FieldView<'_, T, D, L> {}

impl<T: Value> node::sealed::Operand<T> for T {}

impl<T: KernelType, const D: usize, N: Node<Item = T>> IntoExpr<T> for Expr<T, D, N> {
    type Rank = Dim<D>;
    type Node = N;

    #[inline]
    fn into_node(self) -> N {
        self.node
    }
}

impl<'a, T: Element, const D: usize, L: FieldLayout> IntoExpr<T> for &'a Field<T, D, L> {
    type Rank = Dim<D>;
    type Node = Leaf<'a, T, D, L::Part>;

    #[inline]
    fn into_node(self) -> Self::Node {
        Leaf(self.view())
    }
}

impl<'a, T: Element, const D: usize, L: Layout> IntoExpr<T> for FieldView<'a, T, D, L> {
    type Rank = Dim<D>;
    type Node = Leaf<'a, T, D, L>;

    #[inline]
    fn into_node(self) -> Self::Node {
        Leaf(self)
    }
}

impl<T: Value> IntoExpr<T> for T {
    type Rank = AnyRank;
    type Node = Constant<T>;

    #[inline]
    fn into_node(self) -> Constant<T> {
        Constant(self)
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The field as an expression, for methods: `x.expr().sqrt()`.
    #[inline]
    pub fn expr(&self) -> Expr<T, D, impl Node<Item = T> + use<'_, T, D, L>> {
        Expr::new(Leaf(self.view()))
    }
}

impl<'a, T: Element, const D: usize, L: Layout> FieldView<'a, T, D, L> {
    /// The view as an expression, for methods.
    #[inline]
    pub fn expr(self) -> Expr<T, D, impl Node<Item = T> + use<'a, T, D, L>> {
        Expr::new(Leaf(self))
    }
}

/// The position of each element along an axis, of `D` axes, which join with those of other operands as any do: the last ones beside each other. 0 where
/// there is no such axis.
///
/// ```
/// use swathe::{Device, Field, index};
///
/// let labels = Field::from_slice(&Device::default(), &[2_u64, 0])?;
/// let one_hot = labels.reshape([2, 1])?.broadcast([2, 3])?.expr().eq(index::<2>(1)).cast::<f32>().eval()?;
/// assert_eq!(one_hot.to_vec()?, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
/// # Ok::<(), swathe::Error>(())
/// ```
#[inline]
pub fn index<const D: usize>(axis: usize) -> Expr<u64, D, impl Node<Item = u64>> {
    Expr::new(Index::<D> {
        axis: u32::try_from(axis).unwrap_or(u32::MAX),
    })
}
