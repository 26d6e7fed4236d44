//! Numbers of elements, and random numbers by them.

use swathe_ir::{BinOp, Expr as Ir, ExprKind, Scalar, Type};

use super::Expr;
use super::extents::Extents;
use super::kernel::Writer;
use super::leaf::{Items, zero};
use super::node::{Block, Bound, Key, Node, Runs, sealed};
use crate::access::layout::FieldLayout;
use crate::device::argument::LaunchArg;
use crate::element::Element;
use crate::error::Result;
use crate::field::Field;
use crate::kernel::Callee;
use crate::kernel::build::expr;
use crate::random::Rng;
use crate::{call, func};

/// The number of an element.
#[derive(Clone, Copy)]
pub struct Number;

impl sealed::Sealed for Number {}

impl Node for Number {
    type Item = u64;
    type Key = NumberKey;
    type Bound<const D: usize> = Number;

    #[inline]
    fn extents(&self) -> Result<Extents> {
        Ok(Extents::NONE)
    }

    #[inline]
    unsafe fn bind<const D: usize>(&self, _: [usize; D]) -> Number {
        Number
    }

    fn arguments<'s, const D: usize>(&'s self, shape: &'s [usize; D], to: &mut Vec<LaunchArg<'s>>) -> Result<()> {
        to.extend(shape.iter().skip(1).map(LaunchArg::value));
        Ok(())
    }
}

impl<const D: usize> Bound<D> for Number {
    type Item = u64;
    type Buffer<const N: usize> = [u64; N];
    type Row = Items<u64>;
    const IN_PLACE: bool = false;

    #[inline]
    fn runs(&self) -> Runs {
        Runs::LIST
    }

    #[inline(always)]
    unsafe fn row<const N: usize>(&self, block: &Block<D>, buffer: *mut [u64; N]) -> Items<u64> {
        for k in 0..block.count {
            // SAFETY: there is room for a block's elements.
            unsafe { buffer.cast::<u64>().add(k).write((block.flat + k) as u64) };
        }
        Items(buffer.cast())
    }
}

/// The key of numbers. Extents are arguments.
pub struct NumberKey;

impl Key for NumberKey {
    type Item = u64;
    const STRICT: bool = false;
    const FAILS: bool = false;
    const READS_TARGET: bool = false;
    const HAS_SHAPE: bool = false;
    const COST: u32 = 2;
    const BYTES: usize = 0;
    const OPERANDS: usize = 0;

    fn write(writer: &mut Writer) -> Ir {
        let local = |local| Box::new(expr(ExprKind::Local(local)));
        let mut number = match writer.position.first() {
            Some(first) => local(*first),
            // The only one.
            None => return zero(writer),
        };
        for k in 1..writer.position.len() {
            let extent = writer.value(Type::Scalar(Scalar::Usize));
            let mut by = |op, a, b| {
                let callee = writer.builder.callee(Callee::BuiltIn);
                Box::new(expr(ExprKind::Binary(op, a, b, Some(callee))))
            };
            let rows = by(BinOp::Mul, number, local(extent));
            number = by(BinOp::Add, rows, local(writer.position[k]));
        }
        let u64 = writer.builder.ty(Type::Scalar(Scalar::U64));
        expr(ExprKind::Cast(number, u64))
    }
}

/// The number of each element in row-major order, of an expression of rank `D` that it is a part of.
///
/// ```
/// use swathe::{Aos, Device, number};
///
/// let table = (number::<2>() * 2).eval_in(&Device::default(), [2, 3], Aos)?;
/// assert_eq!(table.to_vec()?, [0, 2, 4, 6, 8, 10]);
/// # Ok::<(), swathe::Error>(())
/// ```
#[inline]
pub fn number<const D: usize>() -> Expr<u64, D, impl Node<Item = u64>> {
    Expr::new(Number)
}

/// A float with random numbers of the normal distribution: `f32`, `f64`.
pub trait Normal: Element {
    #[doc(hidden)]
    fn fill<const D: usize, L: FieldLayout>(
        field: &mut Field<Self, D, L>,
        seed: u64,
        mean: Self,
        deviation: Self,
    ) -> Result<()>;
}

macro_rules! normal {
    ($($t:ident $function:ident;)*) => {$(
        #[func]
        fn $function(number: u64, seed: u64) -> $t {
            let mut rng = Rng::new(seed, number);
            rng.$function()
        }

        impl Normal for $t {
            fn fill<const D: usize, L: FieldLayout>(
                field: &mut Field<$t, D, L>,
                seed: u64,
                mean: $t,
                deviation: $t,
            ) -> Result<()> {
                let z = number::<D>().zip(seed, call!($function(_, _)));
                field.assign(mean + z * deviation)
            }
        }
    )*};
}
normal! {
    f32 normal_f32;
    f64 normal_f64;
}

impl<T: Normal, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// Sets all elements to random numbers of the normal distribution. Element `i`, in row-major order, is `mean + deviation * z`, where `z` is what
    /// `Rng::new(seed, i).normal_f32()` gives in a kernel, or `normal_f64` for `f64`.
    ///
    /// # Errors
    /// Of the device.
    pub fn fill_normal(&mut self, seed: u64, mean: T, deviation: T) -> Result<()> {
        T::fill(self, seed, mean, deviation)
    }
}
