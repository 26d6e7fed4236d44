//! Expressions whose elements are joined into one, without a field between.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::panic::Location;

use swathe_ir::{ReduceOp, method_id};

use super::Expr;
use super::evaluate::{NO_UPDATE, VERSIONS, at, block_size, blocks, launch};
use super::kernel::Reduce;
use super::node::{BLOCK, Block, Bound, Context, Key, LONG_BLOCK, Node, Row, Runs, SHORT_BLOCK};
use crate::element::KernelType;
use crate::error::Result;
use crate::host::parallel::reduce;
use crate::kernel::Callee;
use crate::kernel::probe::Method;
use crate::math::Float;
use crate::numbers::reduce::{ReduceAdd, ReduceBits, ReduceMax, ReduceMin, ReduceMul};
use crate::versions::{Begins, Target, Version, call};

/// Parts that a thread joins side by side; of elements so large that blocks are short, as many as a block has, since they are on the stack.
pub(super) const PARTS: usize = 16;

/// The same of long lists of scalars: so many that several registers of them are under way.
const MANY_PARTS: usize = 64;

/// Lists from this length on are long.
pub(super) const LONG: usize = LONG_BLOCK;

/// How elements are joined.
pub trait Fold<T: KernelType>: 'static {
    const OP: ReduceOp;
    fn identity() -> T;
    fn join(a: T, b: T) -> T;

    /// What joins two elements on a device.
    fn callee() -> Callee {
        Callee::BuiltIn
    }
}

macro_rules! folds {
    ($($fold:ident $bound:ident $op:ident $identity:ident $join:ident $(by $method:literal)?;)*) => {$(
        pub struct $fold;

        impl<T: $bound $(+ Method<{ method_id($method) }>)?> Fold<T> for $fold {
            const OP: ReduceOp = ReduceOp::$op;

            #[inline(always)]
            fn identity() -> T {
                T::$identity()
            }

            #[inline(always)]
            fn join(a: T, b: T) -> T {
                a.$join(b)
            }

            $(
                fn callee() -> Callee {
                    <T as Method<{ method_id($method) }>>::callee()
                }
            )?
        }
    )*};
}
folds! {
    Total ReduceAdd Add zero reduce_add;
    ProductOf ReduceMul Mul one reduce_mul;
    Least ReduceMin Min highest reduce_min by "min";
    Greatest ReduceMax Max lowest reduce_max by "max";
    Every ReduceBits And ones reduce_and;
    Some_ ReduceBits Or zeros reduce_or;
}

impl<T: KernelType, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
    /// The sum of all elements; 0 of none, of floats -0, to which nothing is added. Integers wrap. Floats of 16 bits are added in 16 bits: [`cast`](Expr::cast) them before.
    ///
    /// How floats are grouped depends on the shape, on how the operands lie in memory and on the device, never on the number of threads.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let x = Field::from_slice(&Device::default(), &[1.0_f64, 2.0, 3.0])?;
    /// assert_eq!((&x * &x).sum()?, 14.0);
    /// assert_eq!((&x - 2.0).abs().max_element()?, Some(1.0));
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Expr::eval`], but for those of memory.
    #[track_caller]
    pub fn sum(self) -> Result<T>
    where
        T: ReduceAdd + Send,
    {
        self.joined::<Total>(Location::caller()).map(|(sum, _)| sum)
    }

    /// The product of all elements; 1 of none. Integers wrap.
    ///
    /// # Errors
    /// As for [`Expr::sum`].
    #[track_caller]
    pub fn product(self) -> Result<T>
    where
        T: ReduceMul + Send,
    {
        self.joined::<ProductOf>(Location::caller()).map(|(product, _)| product)
    }

    /// The least element, of vectors component by component; `None` of none. NaN is passed over if there is another element.
    ///
    /// # Errors
    /// As for [`Expr::sum`].
    #[track_caller]
    pub fn min_element(self) -> Result<Option<T>>
    where
        T: ReduceMin + Send + Method<{ method_id("min") }>,
    {
        self.joined::<Least>(Location::caller())
            .map(|(least, count)| (count > 0).then_some(least))
    }

    /// The greatest element, as [`Expr::min_element`].
    ///
    /// # Errors
    /// As for [`Expr::sum`].
    #[track_caller]
    pub fn max_element(self) -> Result<Option<T>>
    where
        T: ReduceMax + Send + Method<{ method_id("max") }>,
    {
        self.joined::<Greatest>(Location::caller())
            .map(|(greatest, count)| (count > 0).then_some(greatest))
    }

    /// The sum divided by the number of elements; `None` of none.
    ///
    /// # Errors
    /// As for [`Expr::sum`].
    #[track_caller]
    pub fn mean(self) -> Result<Option<T>>
    where
        T: Float,
    {
        let (sum, count) = self.joined::<Total>(Location::caller())?;
        Ok((count > 0).then(|| T::from_f64(sum.as_f64() / count as f64)))
    }

    fn joined<F: Fold<T>>(self, place: &'static Location<'static>) -> Result<(T, usize)>
    where
        T: Send,
    {
        let node = self.node;
        let extents = node.extents()?;
        let (shape, count): ([usize; D], _) = (extents.shape(), extents.count(size_of::<T>())?);
        let launch = launch(None, &node, NO_UPDATE)?;
        if launch.is_remote() && N::Key::HAS_SHAPE {
            if count == 0 {
                return Ok((F::identity(), 0));
            }
            let mut args = Vec::new();
            node.arguments(&shape, &mut args)?;
            // SAFETY: the operands, in the order in which the kernel declares them; their devices are those that were told.
            let joined = unsafe { launch.run_remote_for::<Reduce<F, N::Key, D>, T>(&args)? };
            return Ok((joined, count));
        }
        // SAFETY: it is the shape of its extents.
        let bound = unsafe { node.bind(shape) };
        let long = count >= LONG;
        let joined = launch.run_for(&mut |_| {
            Ok(reduce(
                count,
                Some(N::Key::COST),
                F::identity,
                |range, start| match const { block_size::<N, D>(size_of::<T>()) } {
                    LONG_BLOCK => of_range::<F, T, _, D, LONG_BLOCK>(&bound, shape, long, range, place, start),
                    BLOCK => of_range::<F, T, _, D, BLOCK>(&bound, shape, long, range, place, start),
                    _ => of_range::<F, T, _, D, SHORT_BLOCK>(&bound, shape, long, range, place, start),
                },
                F::join,
            ))
        });
        joined.map(|joined| (joined, count)).map_err(|error| at(error, place))
    }
}

/// Joins the elements with these numbers to `start`. `long`: there are many of them.
pub(super) fn of_range<F: Fold<T>, T: KernelType, B: Bound<D, Item = T>, const D: usize, const SIZE: usize>(
    bound: &B,
    shape: [usize; D],
    long: bool,
    range: Range<usize>,
    place: &'static Location<'static>,
    start: T,
) -> T {
    let (runs, is_scalar) = (
        bound.runs(),
        const { size_of::<T>() <= 8 && size_of::<T>() == align_of::<T>() },
    );
    match SIZE {
        LONG_BLOCK if is_scalar && runs.is_list() && long => {
            side_by_side::<F, T, B, D>(bound, shape, range, place, start)
        }
        LONG_BLOCK | BLOCK => part::<F, T, B, D, SIZE, PARTS>(bound, shape, runs, range, place, start),
        _ => part::<F, T, B, D, SIZE, SHORT_BLOCK>(bound, shape, runs, range, place, start),
    }
}

/// The same, in few parts.
fn part<F: Fold<T>, T: KernelType, B: Bound<D, Item = T>, const D: usize, const SIZE: usize, const PARTS: usize>(
    bound: &B,
    shape: [usize; D],
    runs: Runs,
    range: Range<usize>,
    place: &'static Location<'static>,
    start: T,
) -> T {
    let mut parts = [F::identity(); PARTS];
    let nothing = |_: &mut Block<D>| {};
    blocks::<B, D, SIZE>(bound, shape, runs, range, nothing, |block, row| {
        parts = call::<VERSIONS, _, _, 0, 0>(
            Version::Avx512,
            Begins::NONE,
            #[inline(always)]
            move |target, _, range: Range<usize>, mut parts: [T; PARTS]| {
                let (row, context) = (row, reading(target, place));
                let mut values = MaybeUninit::<[T; SIZE]>::uninit();
                let values = values.as_mut_ptr().cast::<T>();
                let mut begin = range.start;
                while begin < range.end {
                    let count = (range.end - begin).min(SIZE);
                    for k in 0..count {
                        // SAFETY: there is room, and an element of this number.
                        unsafe { values.add(k).write(row.get(begin + k, context)) };
                    }
                    let whole = count - count % PARTS;
                    for first in (0..whole).step_by(PARTS) {
                        for (k, part) in parts.iter_mut().enumerate() {
                            // SAFETY: as many values as the block has.
                            *part = F::join(*part, unsafe { *values.add(first + k) });
                        }
                    }
                    for k in whole..count {
                        // SAFETY: as above.
                        parts[k - whole] = F::join(parts[k - whole], unsafe { *values.add(k) });
                    }
                    begin += count;
                }
                parts
            },
            0..block.count,
            parts,
        );
    });
    parts.into_iter().fold(start, F::join)
}

/// The same of operands that are all lists, without room for elements, in many parts that are joined by a tree.
fn side_by_side<F: Fold<T>, T: KernelType, B: Bound<D, Item = T>, const D: usize>(
    bound: &B,
    shape: [usize; D],
    range: Range<usize>,
    place: &'static Location<'static>,
    start: T,
) -> T {
    let mut parts = [F::identity(); MANY_PARTS];
    let nothing = |_: &mut Block<D>| {};
    blocks::<B, D, LONG_BLOCK>(bound, shape, Runs::LIST, range, nothing, |block, row| {
        parts = call::<VERSIONS, _, _, 0, 0>(
            Version::Avx512,
            Begins::NONE,
            #[inline(always)]
            move |target, _, range: Range<usize>, mut parts: [T; MANY_PARTS]| {
                let (row, context, count) = (row, reading(target, place), range.len());
                let whole = range.start + (count - count % MANY_PARTS);
                for first in (range.start..whole).step_by(MANY_PARTS) {
                    for (k, part) in parts.iter_mut().enumerate() {
                        // SAFETY: there is an element of this number.
                        *part = F::join(*part, unsafe { row.get(first + k, context) });
                    }
                }
                for k in whole..range.end {
                    // SAFETY: as above.
                    parts[k - whole] = F::join(parts[k - whole], unsafe { row.get(k, context) });
                }
                parts
            },
            0..block.count,
            parts,
        );
    });
    F::join(start, tree::<F, T>(&mut parts))
}

/// What parts are joined to, of which there is a power of two.
#[inline(always)]
pub(super) fn tree<F: Fold<T>, T: KernelType>(parts: &mut [T]) -> T {
    let mut half = parts.len() / 2;
    while half > 0 {
        for k in 0..half {
            parts[k] = F::join(parts[k], parts[k + half]);
        }
        half /= 2;
    }
    parts[0]
}

/// Elements of no target.
pub(super) fn reading(target: Target, place: &'static Location<'static>) -> Context {
    let own = std::ptr::null();
    Context { target, place, own }
}

impl<const D: usize, N: Node<Item = bool>> Expr<bool, D, N> {
    /// Whether all elements are `true`; so it is of none.
    ///
    /// # Errors
    /// As for [`Expr::sum`].
    #[track_caller]
    pub fn all(self) -> Result<bool> {
        self.joined::<Every>(Location::caller()).map(|(all, _)| all)
    }

    /// Whether an element is `true`; none is if there are none.
    ///
    /// # Errors
    /// As for [`Expr::sum`].
    #[track_caller]
    pub fn any(self) -> Result<bool> {
        self.joined::<Some_>(Location::caller()).map(|(any, _)| any)
    }
}
