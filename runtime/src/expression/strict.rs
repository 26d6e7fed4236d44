//! Expressions whose operations are rounded one by one.

use swathe_ir::Expr as Ir;

use super::extents::Extents;
use super::kernel::Writer;
use super::node::{Block, Bound, Context, Key, Node, Row, Runs, sealed};
use crate::device::argument::LaunchArg;
use crate::error::Result;
use crate::recording::Place;
use crate::versions::Target;

/// A node that is not contracted.
#[derive(Clone, Copy)]
pub struct Strict<N>(pub N);

impl<N> sealed::Sealed for Strict<N> {}

impl<N: Node> Node for Strict<N> {
    type Item = N::Item;
    type Key = Strict<N::Key>;
    type Bound<const D: usize> = Strict<N::Bound<D>>;

    #[inline]
    fn extents(&self) -> Result<Extents> {
        self.0.extents()
    }

    #[inline]
    unsafe fn bind<const D: usize>(&self, shape: [usize; D]) -> Self::Bound<D> {
        // SAFETY: by the caller's word.
        Strict(unsafe { self.0.bind(shape) })
    }

    #[inline]
    fn places<'s>(&'s self, visit: &mut dyn FnMut(Place<'s>) -> Result<()>) -> Result<()> {
        self.0.places(visit)
    }

    fn arguments<'s, const D: usize>(&'s self, shape: &'s [usize; D], to: &mut Vec<LaunchArg<'s>>) -> Result<()> {
        self.0.arguments(shape, to)
    }

    #[inline]
    fn belongs(&self, update: u64) -> bool {
        self.0.belongs(update)
    }
}

impl<N: Bound<D>, const D: usize> Bound<D> for Strict<N> {
    type Item = N::Item;
    type Buffer<const M: usize> = N::Buffer<M>;
    type Row = Strict<N::Row>;
    const IN_PLACE: bool = N::IN_PLACE;

    #[inline]
    fn runs(&self) -> Runs {
        self.0.runs()
    }

    #[inline(always)]
    unsafe fn row<const M: usize>(&self, block: &Block<D>, buffer: *mut N::Buffer<M>) -> Strict<N::Row> {
        // SAFETY: by the caller's word.
        Strict(unsafe { self.0.row::<M>(block, buffer) })
    }
}

impl<N: Row> Row for Strict<N> {
    type Item = N::Item;
    const EFFECTS: bool = N::EFFECTS;

    #[inline(always)]
    unsafe fn get(self, i: usize, context: Context) -> N::Item {
        let target = Target::Plain;
        // SAFETY: by the caller's word.
        unsafe { self.0.get(i, Context { target, ..context }) }
    }
}

// On a device a kernel is strict as a whole, and so is an expression with a strict part.
impl<K: Key> Key for Strict<K> {
    type Item = K::Item;
    const STRICT: bool = true;
    const FAILS: bool = K::FAILS;
    const READS_TARGET: bool = K::READS_TARGET;
    const HAS_SHAPE: bool = K::HAS_SHAPE;
    const COST: u32 = K::COST;
    const BYTES: usize = K::BYTES;
    const OPERANDS: usize = K::OPERANDS;

    fn write(writer: &mut Writer) -> Ir {
        K::write(writer)
    }
}
