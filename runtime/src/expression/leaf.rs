//! Operands: fields, values, positions, the target itself.

use std::marker::PhantomData;
use std::ops::Range;

use swathe_ir::{BinOp, Block as Statements, Expr, ExprKind, Lit, Scalar, Type};

use super::extents::Extents;
use super::kernel::Writer;
use super::node::{Block, Bound, Context, Key, LONG_BLOCK, Node, Row, Runs, sealed};
use crate::access::Access;
use crate::access::layout::{Layout, Steps};
use crate::access::pointer::Pointer;
use crate::device::argument::LaunchArg;
use crate::element::{Element, KernelType};
use crate::error::Result;
use crate::field::FieldView;
use crate::kernel::Callee;
use crate::kernel::build::expr;
use crate::recording::Place;

/// Elements of a block beside each other.
pub struct Items<T>(pub *const T);

impl<T> Clone for Items<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Items<T> {}

impl<T: KernelType> Row for Items<T> {
    type Item = T;

    #[inline(always)]
    unsafe fn get(self, i: usize, _: Context) -> T {
        // SAFETY: by the caller's word.
        unsafe { *self.0.add(i) }
    }

    #[inline(always)]
    unsafe fn store(self, i: usize, _: Context, to: *mut T) {
        // SAFETY: by the caller's word.
        unsafe { to.copy_from(self.0.add(i), 1) };
    }
}

/// A field, or a part of one.
pub struct Leaf<'a, T: Element, const D: usize, L: Layout>(pub FieldView<'a, T, D, L>);

impl<T: Element, const D: usize, L: Layout> Clone for Leaf<'_, T, D, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element, const D: usize, L: Layout> Copy for Leaf<'_, T, D, L> {}

impl<T: Element, const D: usize, L: Layout> sealed::Sealed for Leaf<'_, T, D, L> {}

impl<'a, T: Element, const R: usize, L: Layout> Node for Leaf<'a, T, R, L> {
    type Item = T;
    type Key = LeafKey<T>;
    type Bound<const D: usize> = BoundLeaf<'a, T, D, L>;

    #[inline]
    fn extents(&self) -> Result<Extents> {
        Ok(Extents::of(self.0.shape()))
    }

    #[inline]
    unsafe fn bind<const D: usize>(&self, shape: [usize; D]) -> BoundLeaf<'a, T, D, L> {
        // SAFETY: by the caller's word.
        BoundLeaf::new(unsafe { self.0.repeated(shape) }.into_access())
    }

    #[inline]
    fn places<'s>(&'s self, visit: &mut dyn FnMut(Place<'s>) -> Result<()>) -> Result<()> {
        visit(self.0.whereabouts())
    }

    fn arguments<'s, const D: usize>(&'s self, shape: &'s [usize; D], to: &mut Vec<LaunchArg<'s>>) -> Result<()> {
        to.push(self.0.broadcast(*shape)?.into_argument(shape));
        Ok(())
    }
}

/// A field's elements at the positions of the result.
pub struct BoundLeaf<'a, T, const D: usize, L: Layout> {
    access: Access<'a, T, D, L>,
    /// Where it is a list.
    list: Option<Access<'a, T, 1>>,
    steps: Steps<D>,
    run: Run,
    /// Whether all runs are one: axes in front repeat it.
    periodic: bool,
}

/// Elements that follow one another in row-major order at one distance, so that axes count as one.
#[derive(Clone, Copy)]
struct Run {
    /// The first of these axes.
    axis: usize,
    len: usize,
    /// From an element to the next, as in [`Steps`].
    step: isize,
}

impl Run {
    #[inline]
    fn of<const D: usize>(shape: [usize; D], strides: [isize; D]) -> Run {
        let (mut run, mut known) = (
            Run {
                axis: 0,
                len: 1,
                step: 0,
            },
            false,
        );
        for k in (0..D).rev() {
            if shape[k] == 1 {
                continue;
            }
            if known && strides[k] != run.step.wrapping_mul(run.len as isize) {
                run.axis = k + 1;
                break;
            }
            if !known {
                (run.step, known) = (strides[k], true);
            }
            run.len = run.len.wrapping_mul(shape[k]);
        }
        run
    }
}

impl<T, const D: usize, L: Layout> Clone for BoundLeaf<'_, T, D, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const D: usize, L: Layout> Copy for BoundLeaf<'_, T, D, L> {}

// Array iterators cost a call for each step in builds with little optimisation, which most debug builds are.
#[allow(clippy::needless_range_loop)]
impl<'a, T: Element, const D: usize, L: Layout> BoundLeaf<'a, T, D, L> {
    #[inline]
    pub fn new(access: Access<'a, T, D, L>) -> Self {
        let (shape, steps) = (access.shape(), access.steps());
        let run = Run::of(shape, steps.strides);
        BoundLeaf {
            access,
            list: access.list(),
            steps,
            run,
            periodic: (0..run.axis).all(|k| steps.strides[k] == 0 || shape[k] == 1),
        }
    }

    /// See [`Bound::runs`].
    #[inline]
    pub fn runs(&self) -> Runs {
        match self.list {
            Some(_) => Runs::LIST,
            None => Runs {
                len: self.run.len,
                apart: self.is_dense() && !self.periodic && self.run.len < LONG_BLOCK,
            },
        }
    }

    /// Whether the elements of a run lie beside each other.
    #[inline(always)]
    fn is_dense(&self) -> bool {
        !L::PLANAR && self.run.step == size_of::<T>() as isize
    }

    /// Where in its run a block begins.
    #[inline(always)]
    fn in_run(&self, block: &Block<D>) -> usize {
        let (shape, mut number) = (self.access.shape(), 0);
        for k in self.run.axis..D {
            number = number * shape[k] + block.at[k];
        }
        number
    }

    /// Whether elements of a block lie beside each other: the first of them.
    #[inline(always)]
    pub fn beside(&self, block: &Block<D>) -> Option<*mut T> {
        if let Some(list) = self.list {
            // SAFETY: blocks are inside of the shape.
            return Some(unsafe { list.unchecked(block.flat) });
        }
        let beside = self.is_dense() && self.in_run(block) + block.count <= self.run.len;
        // SAFETY: as above. Elements that are not in planes are whole.
        beside.then(|| unsafe { self.access.unchecked(block.at).first() })
    }

    /// Does something with each element of a block.
    #[inline(always)]
    pub fn walk(&self, block: &Block<D>, mut each: impl FnMut(usize, L::Pointer<T>)) {
        let shape = self.access.shape();
        let (mut at, mut done) = (block.at, 0);
        while done < block.count {
            // A row, or what is left of it.
            let Some(last) = D.checked_sub(1) else {
                // SAFETY: blocks are inside of the shape.
                return each(0, unsafe { self.access.unchecked(at) });
            };
            let start = at[last];
            let end = shape[last].min(start + (block.count - done));
            for k in start..end {
                at[last] = k;
                // SAFETY: as above.
                each(done + (k - start), unsafe { self.access.unchecked(at) });
            }
            done += end - start;
            at[last] = end;
            carry(&mut at, &shape);
        }
    }

    /// Reads the elements of a block to where there is room for them.
    ///
    /// # Safety
    /// There is, and the block is inside of the shape.
    pub unsafe fn gather(&self, block: &Block<D>, to: *mut T) {
        if L::PLANAR || D == 0 {
            // SAFETY: by the caller's word.
            return self.walk(block, |k, element| unsafe { to.add(k).write(element.read()) });
        }
        let step = self.run.step;
        // SAFETY: by the caller's word; what is read for an expression is not written meanwhile.
        self.each_run(block, |first, range| unsafe {
            let (to, count) = (to.add(range.start), range.len());
            if step == 0 && size_of::<T>() <= SMALL {
                let element = first.read();
                match count <= FEW {
                    true => repeat(element, to, count),
                    false => repeat_often(element, to, count),
                }
            } else if step == size_of::<T>() as isize {
                to.copy_from_nonoverlapping(first, count);
            } else {
                for k in 0..count {
                    to.add(k)
                        .copy_from_nonoverlapping(first.byte_offset(k as isize * step), 1);
                }
            }
        });
    }

    /// Writes elements of a block.
    ///
    /// # Safety
    /// The block is inside of the shape, and the caller's to write; there are as many at `from`.
    pub unsafe fn scatter(&self, block: &Block<D>, from: *const T) {
        if L::PLANAR || D == 0 {
            // SAFETY: by the caller's word.
            return self.walk(block, |k, element| unsafe { element.write(*from.add(k)) });
        }
        let step = self.run.step;
        // SAFETY: by the caller's word.
        self.each_run(block, |first, range| unsafe {
            let (from, count) = (from.add(range.start), range.len());
            if step == size_of::<T>() as isize {
                first.copy_from_nonoverlapping(from, count);
            } else {
                for k in 0..count {
                    first
                        .byte_offset(k as isize * step)
                        .copy_from_nonoverlapping(from.add(k), 1);
                }
            }
        });
    }

    /// Does something with each run of a block, or with the part of one that the block has: its first element, and the numbers of its elements in the
    /// block. Elements are whole.
    #[inline(always)]
    fn each_run(&self, block: &Block<D>, mut each: impl FnMut(*mut T, Range<usize>)) {
        let (shape, Run { axis, len, step }) = (self.access.shape(), self.run);
        // The first run may have begun before the block.
        let (mut at, mut skipped, mut done) = (block.at, self.in_run(block), 0);
        at[axis..].fill(0);
        while done < block.count {
            // SAFETY: blocks are inside of the shape.
            let first = unsafe { self.access.unchecked(at) }.first();
            let (runs, apart) = match axis.checked_sub(1) {
                Some(front) => (shape[front] - at[front], self.steps.strides[front]),
                None => (1, 0),
            };
            for k in 0..runs {
                let count = (len - skipped).min(block.count - done);
                // SAFETY: an element of run `k` along the axis in front.
                let first = unsafe { first.byte_offset(k as isize * apart + skipped as isize * step) };
                each(first, done..done + count);
                (done, skipped) = (done + count, 0);
                if done == block.count {
                    return;
                }
            }
            if let Some(front) = axis.checked_sub(1) {
                at[front] = shape[front];
                carry_from(axis, &mut at, &shape);
            }
        }
    }
}

/// Copies that a loop without vectors writes as fast.
const FEW: usize = 16;

/// Writes one element several times.
///
/// # Safety
/// There is room.
#[inline(always)]
unsafe fn repeat<T: Element>(element: T, to: *mut T, count: usize) {
    for k in 0..count {
        // SAFETY: by the caller's word.
        unsafe { to.add(k).write(element) };
    }
}

/// The same, apart from the loop over short runs.
///
/// # Safety
/// As there.
#[inline(never)]
unsafe fn repeat_often<T: Element>(element: T, to: *mut T, count: usize) {
    // SAFETY: by the caller's word.
    unsafe { repeat(element, to, count) };
}

/// Bytes of elements that are read once for all copies: larger ones stay out of variables, which are on the stack.
const SMALL: usize = 64;

/// Brings a position into the shape whose last axis may be one beyond it.
#[inline(always)]
pub fn carry<const D: usize>(at: &mut [usize; D], shape: &[usize; D]) {
    carry_from(D, at, shape);
}

/// The same of the last of the first `k` axes.
#[inline(always)]
fn carry_from<const D: usize>(mut k: usize, at: &mut [usize; D], shape: &[usize; D]) {
    while k > 1 && at[k - 1] >= shape[k - 1] {
        k -= 1;
        at[k] = 0;
        at[k - 1] += 1;
    }
}

/// Room for elements of a block, and what it holds already.
pub struct Held<T, const N: usize> {
    items: [T; N],
    /// Where the first of them was read.
    first: *const T,
    /// How many there are, where another block that begins there may have the same; else 0.
    count: usize,
}

impl<T: Element, const D: usize, L: Layout> Bound<D> for BoundLeaf<'_, T, D, L> {
    type Item = T;
    type Buffer<const N: usize> = Held<T, N>;
    type Row = Items<T>;
    const IN_PLACE: bool = true;

    #[inline]
    fn runs(&self) -> Runs {
        self.runs()
    }

    #[inline(always)]
    unsafe fn row<const N: usize>(&self, block: &Block<D>, buffer: *mut Held<T, N>) -> Items<T> {
        if block.is_first && self.list.is_none() {
            // SAFETY: there is room.
            unsafe { (&raw mut (*buffer).count).write(0) };
        }
        if let Some(first) = self.beside(block) {
            return Items(first);
        }
        // SAFETY: blocks are inside of the shape. There is room for a block's elements. The count was written for the first block; where it is not 0
        // the address was, too.
        unsafe {
            let first = self.access.unchecked(block.at).first().cast_const();
            let to = (&raw mut (*buffer).items).cast::<T>();
            // All elements are one, or all runs are.
            let again = self.periodic || self.run.step == 0 && self.in_run(block) + block.count <= self.run.len;
            if !again || (*buffer).count < block.count || (*buffer).first != first {
                self.gather(block, to);
                (&raw mut (*buffer).first).write(first);
                (&raw mut (*buffer).count).write(if again { block.count } else { 0 });
            }
            Items(to)
        }
    }
}

/// The key of a field.
pub struct LeafKey<T>(PhantomData<T>);

impl<T: Element> Key for LeafKey<T> {
    type Item = T;
    const STRICT: bool = false;
    const FAILS: bool = false;
    const READS_TARGET: bool = false;
    const HAS_SHAPE: bool = true;
    const COST: u32 = 1;
    const BYTES: usize = size_of::<T>();
    const OPERANDS: usize = 1;

    fn write(writer: &mut Writer) -> Expr {
        writer.operand(T::ty())
    }
}

/// A value, the same for all elements.
#[derive(Clone, Copy)]
pub struct Constant<T>(pub T);

impl<T> sealed::Sealed for Constant<T> {}

impl<T: Value> Node for Constant<T> {
    type Item = T;
    type Key = ConstantKey<T>;
    type Bound<const D: usize> = Constant<T>;

    #[inline]
    fn extents(&self) -> Result<Extents> {
        Ok(Extents::NONE)
    }

    #[inline]
    unsafe fn bind<const D: usize>(&self, _: [usize; D]) -> Constant<T> {
        *self
    }

    fn arguments<'s, const D: usize>(&'s self, _: &'s [usize; D], to: &mut Vec<LaunchArg<'s>>) -> Result<()> {
        to.push(LaunchArg::value(&self.0));
        Ok(())
    }
}

impl<T: Value, const D: usize> Bound<D> for Constant<T> {
    type Item = T;
    type Buffer<const N: usize> = ();
    type Row = Constant<T>;
    const IN_PLACE: bool = true;

    #[inline]
    fn runs(&self) -> Runs {
        Runs::LIST
    }

    #[inline(always)]
    unsafe fn row<const N: usize>(&self, _: &Block<D>, _: *mut ()) -> Constant<T> {
        *self
    }
}

impl<T: Value> Row for Constant<T> {
    type Item = T;

    #[inline(always)]
    unsafe fn get(self, _: usize, _: Context) -> T {
        self.0
    }
}

/// The key of a value.
pub struct ConstantKey<T>(PhantomData<T>);

impl<T: Value> Key for ConstantKey<T> {
    type Item = T;
    const STRICT: bool = false;
    const FAILS: bool = false;
    const READS_TARGET: bool = false;
    const HAS_SHAPE: bool = false;
    const COST: u32 = 0;
    const BYTES: usize = 0;
    const OPERANDS: usize = 0;

    fn write(writer: &mut Writer) -> Expr {
        let local = writer.value(T::ty());
        expr(ExprKind::Local(local))
    }
}

/// The position along an axis of `R`.
#[derive(Clone, Copy)]
pub struct Index<const R: usize> {
    pub axis: u32,
}

impl<const R: usize> sealed::Sealed for Index<R> {}

impl<const R: usize> Node for Index<R> {
    type Item = u64;
    type Key = IndexKey<R>;
    type Bound<const D: usize> = BoundIndex<D>;

    #[inline]
    fn extents(&self) -> Result<Extents> {
        Ok(Extents::NONE)
    }

    #[inline]
    unsafe fn bind<const D: usize>(&self, shape: [usize; D]) -> BoundIndex<D> {
        BoundIndex {
            shape,
            axis: axis_of::<R>(D, self.axis as usize),
        }
    }

    fn arguments<'s, const D: usize>(&'s self, _: &'s [usize; D], to: &mut Vec<LaunchArg<'s>>) -> Result<()> {
        to.push(LaunchArg::value(&self.axis));
        Ok(())
    }
}

/// Where an axis of `R` is in a result of that rank: the last axes join.
fn axis_of<const R: usize>(rank: usize, axis: usize) -> Option<usize> {
    (axis < R).then(|| rank.saturating_sub(R) + axis)
}

/// Positions of a shape along an axis.
#[derive(Clone, Copy)]
pub struct BoundIndex<const D: usize> {
    shape: [usize; D],
    axis: Option<usize>,
}

impl<const D: usize> Bound<D> for BoundIndex<D> {
    type Item = u64;
    type Buffer<const N: usize> = [u64; N];
    type Row = Items<u64>;
    const IN_PLACE: bool = false;

    #[inline]
    fn runs(&self) -> Runs {
        Runs {
            len: self.shape.last().copied().unwrap_or(1),
            apart: false,
        }
    }

    #[inline(always)]
    unsafe fn row<const N: usize>(&self, block: &Block<D>, buffer: *mut [u64; N]) -> Items<u64> {
        let mut at = block.at;
        for k in 0..block.count {
            let here = self.axis.and_then(|axis| at.get(axis)).copied().unwrap_or(0);
            // SAFETY: there is room for a block's elements.
            unsafe { buffer.cast::<u64>().add(k).write(here as u64) };
            if let Some(last) = at.last_mut() {
                *last += 1;
            }
            carry(&mut at, &self.shape);
        }
        Items(buffer.cast())
    }
}

/// The key of positions. The axis is a number at run time, and so is one of the kernel's arguments.
pub struct IndexKey<const R: usize>;

impl<const R: usize> Key for IndexKey<R> {
    type Item = u64;
    const STRICT: bool = false;
    const FAILS: bool = false;
    const READS_TARGET: bool = false;
    const HAS_SHAPE: bool = false;
    const COST: u32 = 2;
    const BYTES: usize = 0;
    const OPERANDS: usize = 0;

    fn write(writer: &mut Writer) -> Expr {
        let axis = writer.value(Type::Scalar(Scalar::U32));
        let u64 = writer.builder.ty(Type::Scalar(Scalar::U64));
        let u32 = writer.builder.ty(Type::Scalar(Scalar::U32));
        let mut value = zero(writer);
        for k in (0..R).rev() {
            let at = axis_of::<R>(writer.position.len(), k);
            let Some(position) = at.and_then(|at| writer.position.get(at)).copied() else {
                continue;
            };
            let number = expr(ExprKind::Lit(Lit::Int(k as u128), u32));
            let callee = writer.builder.callee(Callee::BuiltIn);
            let axis = expr(ExprKind::Local(axis));
            let is_it = expr(ExprKind::Binary(
                BinOp::Eq,
                Box::new(axis),
                Box::new(number),
                Some(callee),
            ));
            let position = expr(ExprKind::Local(position));
            value = choice(is_it, expr(ExprKind::Cast(Box::new(position), u64)), value);
        }
        value
    }
}

/// `0_u64`.
pub fn zero(writer: &mut Writer) -> Expr {
    let u64 = writer.builder.ty(Type::Scalar(Scalar::U64));
    expr(ExprKind::Lit(Lit::Int(0), u64))
}

/// `if condition { yes } else { no }`.
pub fn choice(condition: Expr, yes: Expr, no: Expr) -> Expr {
    let block = |value| Statements {
        stmts: Vec::new(),
        tail: Some(Box::new(value)),
    };
    let no = expr(ExprKind::Block(None, block(no)));
    expr(ExprKind::If(Box::new(condition), block(yes), Some(Box::new(no))))
}

/// The element of the target, in [`Field::update`](crate::Field::update).
pub struct Own<T, const D: usize> {
    shape: [usize; D],
    /// The number of the update: what leaves it is of no use elsewhere.
    update: u64,
    element: PhantomData<fn() -> T>,
}

impl<T, const D: usize> Own<T, D> {
    pub(super) fn new(shape: [usize; D], update: u64) -> Self {
        Own {
            shape,
            update,
            element: PhantomData,
        }
    }
}

impl<T, const D: usize> Clone for Own<T, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const D: usize> Copy for Own<T, D> {}

impl<T, const D: usize> sealed::Sealed for Own<T, D> {}

impl<T: Element, const R: usize> Node for Own<T, R> {
    type Item = T;
    type Key = OwnKey<T>;
    type Bound<const D: usize> = BoundOwn<T>;

    #[inline]
    fn extents(&self) -> Result<Extents> {
        Ok(Extents::of(self.shape))
    }

    #[inline]
    unsafe fn bind<const D: usize>(&self, _: [usize; D]) -> BoundOwn<T> {
        BoundOwn(PhantomData)
    }

    fn arguments<'s, const D: usize>(&'s self, _: &'s [usize; D], _: &mut Vec<LaunchArg<'s>>) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn belongs(&self, update: u64) -> bool {
        self.update == update
    }
}

/// The target's elements.
pub struct BoundOwn<T>(PhantomData<fn() -> T>);

impl<T> Clone for BoundOwn<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for BoundOwn<T> {}

impl<T: Element, const D: usize> Bound<D> for BoundOwn<T> {
    type Item = T;
    type Buffer<const N: usize> = ();
    type Row = BoundOwn<T>;
    const IN_PLACE: bool = true;

    #[inline]
    fn runs(&self) -> Runs {
        Runs::LIST
    }

    #[inline(always)]
    unsafe fn row<const N: usize>(&self, _: &Block<D>, _: *mut ()) -> BoundOwn<T> {
        *self
    }
}

impl<T: Element> Row for BoundOwn<T> {
    type Item = T;

    #[inline(always)]
    unsafe fn get(self, i: usize, context: Context) -> T {
        // SAFETY: by the caller's word.
        unsafe { Items(context.own.cast::<T>()).get(i, context) }
    }

    #[inline(always)]
    unsafe fn store(self, i: usize, context: Context, to: *mut T) {
        // SAFETY: as above.
        unsafe { Items(context.own.cast::<T>()).store(i, context, to) };
    }
}

/// The key of the target's elements.
pub struct OwnKey<T>(PhantomData<T>);

impl<T: Element> Key for OwnKey<T> {
    type Item = T;
    const STRICT: bool = false;
    const FAILS: bool = false;
    const READS_TARGET: bool = true;
    const HAS_SHAPE: bool = true;
    const COST: u32 = 1;
    const BYTES: usize = size_of::<T>();
    const OPERANDS: usize = 1;

    fn write(writer: &mut Writer) -> Expr {
        writer.target()
    }
}

/// A value that stands in an expression for itself at every position: scalars, vectors, matrices, complex numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no operand of an expression",
    label = "an operand is an `Expr`, `&Field`, `FieldView`, or a scalar, vector, matrix or complex number"
)]
pub trait Value: KernelType + Send + Sync + sealed::Sealed {}

macro_rules! values {
    ($([$($params:tt)*] $t:ty,)*) => {$(
        impl<$($params)*> sealed::Sealed for $t {}
        #[diagnostic::do_not_recommend]
        impl<$($params)*> Value for $t {}
    )*};
}
values! {
    [] bool,
    [] i8, [] i16, [] i32, [] i64,
    [] u8, [] u16, [] u32, [] u64,
    [] half::f16, [] half::bf16, [] f32, [] f64,
    [] num_complex::Complex<f32>, [] num_complex::Complex<f64>,
    [T: crate::types::Component, const N: usize] crate::types::Vector<T, N>,
    [T: crate::types::Component, const R: usize, const C: usize] crate::types::Matrix<T, R, C>,
}
