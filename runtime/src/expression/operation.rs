//! Operations on elements: operators, methods, conversions, selections.

use std::marker::PhantomData;

use swathe_ir::Expr as Ir;

use super::evaluate::OVERFLOW_PANICS;
use super::extents::Extents;
use super::kernel::Writer;
use super::node::{Block, Bound, Context, Key, Node, Row, Runs, sealed};
use crate::device::argument::LaunchArg;
use crate::element::KernelType;
use crate::error::Result;
use crate::numbers::contract;
use crate::recording::Place;

/// What an operation makes of its operands' elements, `A` a tuple of them.
pub trait Operation<A>: Copy + Send + Sync + 'static {
    /// Its elements.
    type Output: KernelType;

    /// As messages call it.
    const NAME: &'static str;

    /// Simple operations.
    const COST: u32;

    /// Whether an element may have no result, on any device.
    const FAILS: bool = false;

    /// Whether to compute one may fail, panic or print on the CPU.
    const EFFECTS: bool = Self::FAILS || OVERFLOW_PANICS && Self::Output::INTEGERS > 0;

    /// Writes it.
    fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir;
}

/// An operation with two operands.
pub trait Operation2<A: KernelType, B: KernelType>: Operation<(A, B)> {
    /// Whether it is a product.
    const PRODUCT: bool = false;

    /// One element.
    fn apply(a: A, b: B, context: Context) -> Self::Output;

    /// Element `i`.
    ///
    /// # Safety
    /// There is one.
    #[inline(always)]
    unsafe fn compute<X: Row<Item = A>, Y: Row<Item = B>>(x: X, y: Y, i: usize, context: Context) -> Self::Output {
        // SAFETY: by the caller's word.
        unsafe { Self::apply(x.get(i, context), y.get(i, context), context) }
    }
}

/// An operation with one operand.
pub trait Operation1<A: KernelType>: Operation<(A,)> {
    /// One element.
    fn apply(a: A, context: Context) -> Self::Output;
}

/// An operation with three operands.
pub trait Operation3<A: KernelType, B: KernelType, C: KernelType>: Operation<(A, B, C)> {
    /// One element.
    fn apply(a: A, b: B, c: C, context: Context) -> Self::Output;

    /// Element `i`.
    ///
    /// # Safety
    /// There is one.
    #[inline(always)]
    unsafe fn compute<X: Row<Item = A>, Y: Row<Item = B>, Z: Row<Item = C>>(
        x: X,
        y: Y,
        z: Z,
        i: usize,
        context: Context,
    ) -> Self::Output {
        // SAFETY: by the caller's word.
        unsafe { Self::apply(x.get(i, context), y.get(i, context), z.get(i, context), context) }
    }
}

macro_rules! nodes {
    ($($node:ident $key:ident $operation:ident: $first:ident $($n:ident)*;)*) => {$(
        /// An operation and its operands.
        pub struct $node<O, $first $(, $n)*>(pub $first, $(pub $n,)* pub PhantomData<fn() -> O>);

        impl<O, $first: Copy $(, $n: Copy)*> Clone for $node<O, $first $(, $n)*> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<O, $first: Copy $(, $n: Copy)*> Copy for $node<O, $first $(, $n)*> {}

        impl<O, $first $(, $n)*> sealed::Sealed for $node<O, $first $(, $n)*> {}

        impl<O, $first: Node $(, $n: Node)*> Node for $node<O, $first $(, $n)*>
        where
            O: $operation<$first::Item $(, $n::Item)*>,
        {
            type Item = O::Output;
            type Key = $key<O, $first::Key $(, $n::Key)*>;
            type Bound<const D: usize> = $node<O, $first::Bound<D> $(, $n::Bound<D>)*>;

            #[allow(non_snake_case)]
            #[inline]
            fn extents(&self) -> Result<Extents> {
                let $node($first $(, $n)*, _) = self;
                let extents = $first.extents()?;
                $(let extents = extents.join($n.extents()?, O::NAME)?;)*
                Ok(extents)
            }

            #[allow(non_snake_case)]
            #[inline]
            unsafe fn bind<const D: usize>(&self, shape: [usize; D]) -> Self::Bound<D> {
                let $node($first $(, $n)*, _) = self;
                // SAFETY: by the caller's word.
                unsafe { $node($first.bind(shape) $(, $n.bind(shape))*, PhantomData) }
            }

            #[allow(non_snake_case)]
            #[inline]
            fn places<'s>(&'s self, visit: &mut dyn FnMut(Place<'s>) -> Result<()>) -> Result<()> {
                let $node($first $(, $n)*, _) = self;
                $first.places(visit)?;
                $($n.places(visit)?;)*
                Ok(())
            }

            #[allow(non_snake_case)]
            fn arguments<'s, const D: usize>(
                &'s self,
                shape: &'s [usize; D],
                to: &mut Vec<LaunchArg<'s>>,
            ) -> Result<()> {
                let $node($first $(, $n)*, _) = self;
                $first.arguments(shape, to)?;
                $($n.arguments(shape, to)?;)*
                Ok(())
            }

            #[allow(non_snake_case)]
            #[inline]
            fn belongs(&self, update: u64) -> bool {
                let $node($first $(, $n)*, _) = self;
                $first.belongs(update) $(&& $n.belongs(update))*
            }
        }

        impl<O, const D: usize, $first: Bound<D> $(, $n: Bound<D>)*> Bound<D> for $node<O, $first $(, $n)*>
        where
            O: $operation<$first::Item $(, $n::Item)*>,
        {
            type Item = O::Output;
            type Buffer<const SIZE: usize> = ($first::Buffer<SIZE>, $($n::Buffer<SIZE>,)*);
            type Row = $node<O, $first::Row $(, $n::Row)*>;
            const IN_PLACE: bool = $first::IN_PLACE $(&& $n::IN_PLACE)*;

            #[allow(non_snake_case)]
            #[inline]
            fn runs(&self) -> Runs {
                let $node($first $(, $n)*, _) = self;
                $first.runs()$(.and($n.runs()))*
            }

            #[allow(non_snake_case)]
            #[inline(always)]
            unsafe fn row<const SIZE: usize>(&self, block: &Block<D>, buffer: *mut Self::Buffer<SIZE>) -> Self::Row {
                let $node($first $(, $n)*, _) = self;
                nodes!(@row buffer block $first $($n)*);
                $node($first $(, $n)*, PhantomData)
            }
        }

        /// The key of an operation.
        pub struct $key<O, $first $(, $n)*>(PhantomData<fn() -> (O, $first $(, $n)*)>);

        impl<O: 'static, $first: Key $(, $n: Key)*> Key for $key<O, $first $(, $n)*>
        where
            O: $operation<$first::Item $(, $n::Item)*>,
        {
            type Item = O::Output;
            const FAILS: bool = O::FAILS || $first::FAILS $(|| $n::FAILS)*;
            const STRICT: bool = $first::STRICT $(|| $n::STRICT)*;
            const READS_TARGET: bool = $first::READS_TARGET $(|| $n::READS_TARGET)*;
            const HAS_SHAPE: bool = $first::HAS_SHAPE $(|| $n::HAS_SHAPE)*;
            const COST: u32 = O::COST + $first::COST $(+ $n::COST)*;
            const BYTES: usize = $first::BYTES $(+ $n::BYTES)*;
            const OPERANDS: usize = $first::OPERANDS $(+ $n::OPERANDS)*;

            fn write(writer: &mut Writer) -> Ir {
                let operands = vec![$first::write(writer) $(, $n::write(writer))*];
                O::write(writer, operands)
            }
        }
    )*};
    (@row $buffer:ident $block:ident $a:ident) => {
        // SAFETY: by the caller's word; the rooms are parts of the buffer.
        let $a = unsafe { $a.row::<SIZE>($block, &raw mut (*$buffer).0) };
    };
    (@row $buffer:ident $block:ident $a:ident $b:ident) => {
        nodes!(@row $buffer $block $a);
        // SAFETY: as above.
        let $b = unsafe { $b.row::<SIZE>($block, &raw mut (*$buffer).1) };
    };
    (@row $buffer:ident $block:ident $a:ident $b:ident $c:ident) => {
        nodes!(@row $buffer $block $a $b);
        // SAFETY: as above.
        let $c = unsafe { $c.row::<SIZE>($block, &raw mut (*$buffer).2) };
    };
}
nodes! {
    Of1 Key1 Operation1: X;
    Of2 Key2 Operation2: X Y;
    Of3 Key3 Operation3: X Y Z;
}

impl<O, X: Row> Row for Of1<O, X>
where
    O: Operation1<X::Item>,
{
    type Item = O::Output;
    const EFFECTS: bool = O::EFFECTS || X::EFFECTS;

    #[inline(always)]
    unsafe fn get(self, i: usize, context: Context) -> O::Output {
        // SAFETY: by the caller's word.
        O::apply(unsafe { self.0.get(i, context) }, context)
    }
}

impl<O, X: Row, Y: Row, Z: Row> Row for Of3<O, X, Y, Z>
where
    O: Operation3<X::Item, Y::Item, Z::Item>,
{
    type Item = O::Output;
    const EFFECTS: bool = O::EFFECTS || X::EFFECTS || Y::EFFECTS || Z::EFFECTS;

    #[inline(always)]
    unsafe fn get(self, i: usize, context: Context) -> O::Output {
        // SAFETY: by the caller's word.
        unsafe { O::compute(self.0, self.1, self.2, i, context) }
    }
}

macro_rules! products {
    ($($name:ident)*) => {$(
        #[inline(always)]
        unsafe fn $name<C: KernelType, R: KernelType>(
            self,
            i: usize,
            context: Context,
            c: impl FnOnce() -> C,
            plain: impl FnOnce(O::Output, C) -> R,
        ) -> R {
            if !O::PRODUCT {
                // SAFETY: by the caller's word.
                return plain(unsafe { self.get(i, context) }, c());
            }
            let Of2(x, y, _) = self;
            // SAFETY: by the caller's word.
            let (a, b) = unsafe { (x.get(i, context), y.get(i, context)) };
            let (product, c) = (O::apply(a, b, context), c());
            let plain = plain(product, c);
            contract::$name(context.target, a, b, c, plain)
        }
    )*};
}

impl<O, X: Row, Y: Row> Row for Of2<O, X, Y>
where
    O: Operation2<X::Item, Y::Item>,
{
    type Item = O::Output;
    const EFFECTS: bool = O::EFFECTS || X::EFFECTS || Y::EFFECTS;
    const PRODUCT: bool = O::PRODUCT;

    #[inline(always)]
    unsafe fn get(self, i: usize, context: Context) -> O::Output {
        // SAFETY: by the caller's word.
        unsafe { O::compute(self.0, self.1, i, context) }
    }

    products! { sum difference rest }
}
