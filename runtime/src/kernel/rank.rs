//! Positions whose form depends on the rank: `usize` for rank 1, `[usize; D]` for the others.

use crate::access::Position;

/// Carries a rank in the type system.
#[derive(Clone, Copy)]
pub struct Dim<const D: usize>;

/// The rank with one axis more: `Dim<1>: OneMore<Out = Dim<2>>`.
pub trait OneMore {
    /// The rank.
    type Out;
}

/// The rank with one axis less: `Dim<2>: OneLess<Out = Dim<1>>`.
#[diagnostic::on_unimplemented(
    message = "there is no axis that could be left out",
    label = "needs a rank of 1 at least"
)]
pub trait OneLess {
    /// The rank.
    type Out;
}

macro_rules! neighbours {
    ($($less:literal $more:literal;)*) => {$(
        impl OneMore for Dim<$less> {
            type Out = Dim<$more>;
        }

        impl OneLess for Dim<$more> {
            type Out = Dim<$less>;
        }
    )*};
}
neighbours! { 0 1; 1 2; 2 3; 3 4; 4 5; 5 6; }

/// What a shape's axes have, without that of one of them.
pub fn without<T: Copy, const D: usize, const E: usize>(axes: [T; D], axis: usize) -> [T; E]
where
    Dim<D>: OneLess<Out = Dim<E>>,
{
    std::array::from_fn(|k| axes[k + usize::from(k >= axis)])
}

/// The ranks that fields can have.
pub trait Rank<const D: usize> {
    /// What `field.indices()` yields.
    type Index: Position<D>;

    /// Position number `flat` in row-major order.
    fn index(shape: [usize; D], flat: usize) -> Self::Index;

    /// The position `last` on the last axis, and `head` on the others.
    fn in_row(head: [usize; D], last: usize) -> Self::Index;
}

impl Rank<1> for Dim<1> {
    type Index = usize;

    #[inline(always)]
    fn index(_: [usize; 1], flat: usize) -> usize {
        flat
    }

    #[inline(always)]
    fn in_row(_: [usize; 1], last: usize) -> usize {
        last
    }
}

macro_rules! ranks {
    ($($d:literal),*) => {$(
        impl Rank<$d> for Dim<$d> {
            type Index = [usize; $d];

            #[inline(always)]
            fn index(shape: [usize; $d], flat: usize) -> [usize; $d] {
                unflatten(shape, flat)
            }

            #[inline(always)]
            fn in_row(mut head: [usize; $d], last: usize) -> [usize; $d] {
                if let Some(place) = head.last_mut() {
                    *place = last;
                }
                head
            }
        }
    )*};
}
ranks!(0, 2, 3, 4, 5, 6);

#[inline(always)]
pub fn unflatten<const D: usize>(shape: [usize; D], mut flat: usize) -> [usize; D] {
    let mut index = [0; D];
    let mut k = D;
    while k > 0 {
        k -= 1;
        index[k] = flat % shape[k];
        flat /= shape[k];
    }
    index
}

/// Position number `flat` of a parallel loop.
#[inline(always)]
#[must_use]
pub fn position<const D: usize>(shape: [usize; D], flat: usize) -> <Dim<D> as Rank<D>>::Index
where
    Dim<D>: Rank<D>,
{
    Dim::<D>::index(shape, flat)
}

/// The position `last` of a row.
#[inline(always)]
#[must_use]
pub fn position_in_row<const D: usize>(head: [usize; D], last: usize) -> <Dim<D> as Rank<D>>::Index
where
    Dim<D>: Rank<D>,
{
    Dim::<D>::in_row(head, last)
}

/// Whether every extent of `inner` is at most that of `outer`. They may differ in rank only where the index is rustc's error.
#[inline]
#[must_use]
pub fn covers<const D: usize, const E: usize>(outer: [usize; D], inner: [usize; E]) -> bool {
    D == E && outer.iter().zip(inner).all(|(outer, inner)| inner <= *outer)
}

/// A position as one number for each axis, for a field of rank `D`.
#[inline(always)]
pub fn axes<const D: usize, I: Position<D>>(_: Dim<D>, position: I) -> [usize; D] {
    position.axes()
}
