//! What expressions are made of.
//!
//! A [`Node`] is an operand or an operation. It is bound to the shape of the result, and gives blocks of consecutive elements: first a
//! [`Row`] of pointers, then one element after the other, in a loop that rustc inlines as a whole.
//! Its [`Key`] is the same without borrows and values: the type of a kernel for devices.

use std::panic::Location;

use swathe_ir::Expr;

use super::extents::Extents;
use super::kernel::Writer;
use crate::device::argument::LaunchArg;
use crate::element::KernelType;
use crate::error::Result;
use crate::host::failure;
use crate::recording::Place;
use crate::versions::Target;

/// Elements that are computed together, at most: so many may run again one by one where one of them fails.
pub const BLOCK: usize = failure::BLOCK;

/// The same where none can fail, and they are small.
pub const LONG_BLOCK: usize = 512;

/// The same of elements so large that more of them would fill a stack.
pub const SHORT_BLOCK: usize = 2;

/// The same of elements that are no less than a block each: they are stored without a buffer between.
pub const SINGLE: usize = 1;

/// Consecutive elements of the result, in row-major order.
#[derive(Clone, Copy)]
pub struct Block<const D: usize> {
    /// Number of the first.
    pub flat: usize,
    /// Its position. Not known where all operands are lists.
    pub at: [usize; D],
    /// How many.
    pub count: usize,
    /// Whether it is the first one with these buffers.
    pub is_first: bool,
}

/// How operands' elements follow one another in row-major order.
#[derive(Clone, Copy)]
pub struct Runs {
    /// From each multiple of this number on so many elements have one distance, for each operand.
    pub len: usize,
    /// Whether an operand's lie beside each other in a run that is shorter than a block, and those of the next run elsewhere: runs taken together are
    /// copied.
    pub apart: bool,
}

impl Runs {
    /// All elements beside each other, or in need of no memory.
    pub const LIST: Runs = Runs {
        len: usize::MAX,
        apart: false,
    };

    /// Whether all operands are lists.
    #[inline(always)]
    pub fn is_list(self) -> bool {
        self.len == Runs::LIST.len
    }

    /// Those of operands taken together. Runs are rows of the last axes, so each is a part of the longer ones.
    #[inline(always)]
    pub fn and(self, other: Runs) -> Runs {
        Runs {
            len: self.len.min(other.len),
            apart: self.apart || other.apart,
        }
    }
}

/// How and for whom elements are computed.
#[derive(Clone, Copy)]
pub struct Context {
    /// What the code is compiled for.
    pub target: Target,
    /// The user's call.
    pub place: &'static Location<'static>,
    /// What the block's elements of the target hold, beside each other, where the expression reads them.
    pub own: *const u8,
}

/// An operand or an operation.
pub trait Node: Copy + Send + Sync + sealed::Sealed {
    /// Its elements.
    type Item: KernelType;

    #[doc(hidden)]
    type Key: Key<Item = Self::Item>;

    #[doc(hidden)]
    type Bound<const D: usize>: Bound<D, Item = Self::Item>;

    /// The shape that its operands join into.
    #[doc(hidden)]
    fn extents(&self) -> Result<Extents>;

    /// For the elements of that shape.
    ///
    /// # Safety
    /// [`Node::extents`] joins the shape without changing it.
    #[doc(hidden)]
    unsafe fn bind<const D: usize>(&self, shape: [usize; D]) -> Self::Bound<D>;

    /// Visits where its operands live, in order.
    #[doc(hidden)]
    #[inline]
    fn places<'s>(&'s self, _visit: &mut dyn FnMut(Place<'s>) -> Result<()>) -> Result<()> {
        Ok(())
    }

    /// What devices are told of its operands, in the order in which the key writes them.
    #[doc(hidden)]
    fn arguments<'s, const D: usize>(&'s self, shape: &'s [usize; D], to: &mut Vec<LaunchArg<'s>>) -> Result<()>;

    /// Whether what it reads of a target is of the update with this number alone.
    #[doc(hidden)]
    #[inline]
    fn belongs(&self, _update: u64) -> bool {
        true
    }
}

/// A node for the elements of a shape.
pub trait Bound<const D: usize>: Copy + Send + Sync {
    type Item: KernelType;

    /// Room for elements of a block of at most `N` that are not beside each other.
    type Buffer<const N: usize>;

    type Row: Row<Item = Self::Item>;

    /// Whether lists need no room, so that a block of them may have any number of elements.
    const IN_PLACE: bool;

    /// How the operands' elements follow one another.
    fn runs(&self) -> Runs;

    /// A block of at most `N`, or of any number of lists that are [`IN_PLACE`](Bound::IN_PLACE), whose elements can be read as long as the buffer is there.
    ///
    /// # Safety
    /// The block's elements are in the shape; there is room behind `buffer`.
    unsafe fn row<const N: usize>(&self, block: &Block<D>, buffer: *mut Self::Buffer<N>) -> Self::Row;
}

/// A block's elements.
pub trait Row: Copy {
    type Item: KernelType;

    /// Whether to compute one may fail, panic or print.
    const EFFECTS: bool = false;

    /// Whether they are products, which a sum may take in: see [`contract`](crate::numbers::contract).
    const PRODUCT: bool = false;

    /// Element `i` of the block.
    ///
    /// # Safety
    /// There is one; the context's `own` points to as many elements of the target's type, if the expression reads them.
    unsafe fn get(self, i: usize, context: Context) -> Self::Item;

    /// Stores element `i` of the block.
    ///
    /// # Safety
    /// As for [`Row::get`]; there is room, which may be what the element is read from.
    #[inline(always)]
    unsafe fn store(self, i: usize, context: Context, to: *mut Self::Item) {
        // SAFETY: by the caller's word.
        unsafe { to.write(self.get(i, context)) };
    }

    /// `element + c()`, which is `plain(element, c())`.
    ///
    /// # Safety
    /// As for [`Row::get`].
    #[inline(always)]
    unsafe fn sum<C: KernelType, R: KernelType>(
        self,
        i: usize,
        context: Context,
        c: impl FnOnce() -> C,
        plain: impl FnOnce(Self::Item, C) -> R,
    ) -> R {
        // SAFETY: by the caller's word.
        plain(unsafe { self.get(i, context) }, c())
    }

    /// `element - c()`, as [`Row::sum`].
    ///
    /// # Safety
    /// As for [`Row::get`].
    #[inline(always)]
    unsafe fn difference<C: KernelType, R: KernelType>(
        self,
        i: usize,
        context: Context,
        c: impl FnOnce() -> C,
        plain: impl FnOnce(Self::Item, C) -> R,
    ) -> R {
        // SAFETY: by the caller's word.
        plain(unsafe { self.get(i, context) }, c())
    }

    /// `c() - element`, as [`Row::sum`].
    ///
    /// # Safety
    /// As for [`Row::get`].
    #[inline(always)]
    unsafe fn rest<C: KernelType, R: KernelType>(
        self,
        i: usize,
        context: Context,
        c: impl FnOnce() -> C,
        plain: impl FnOnce(Self::Item, C) -> R,
    ) -> R {
        // SAFETY: by the caller's word.
        plain(unsafe { self.get(i, context) }, c())
    }
}

/// A node without what it borrows: its type says what a device computes.
pub trait Key: 'static {
    /// Its elements.
    type Item: KernelType;

    /// Whether no operation may be contracted.
    const STRICT: bool;

    /// Whether it reads the target.
    const READS_TARGET: bool;

    /// Whether operands have shapes. Without, there is one element, whatever the target's shape is.
    const HAS_SHAPE: bool;

    /// Whether an element may fail, so that the target keeps what it was.
    const FAILS: bool;

    /// Simple operations for an element, at most.
    const COST: u32;

    /// Bytes that are read for an element, at most.
    const BYTES: usize;

    /// Operands in memory.
    const OPERANDS: usize;

    /// Writes one element, and declares the parameters that [`Node::arguments`] gives.
    fn write(writer: &mut Writer) -> Expr;
}

pub(super) mod sealed {
    pub trait Sealed {}

    /// Of operands with elements of type `T`: else a user's type in the place of `T` would do for the user's own implementations.
    pub trait Operand<T> {}
}
