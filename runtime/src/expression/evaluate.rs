//! Expressions computed: into a new field, into one that is there, in place.

use std::mem::{MaybeUninit, forget};
use std::ops::Range;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};

use super::extents::{Extents, Join};
use super::kernel::{Assign, info_of};
use super::leaf::{BoundLeaf, Own, carry};
use super::node::{BLOCK, Block, Bound, Context, Key, LONG_BLOCK, Node, Row, Runs, SHORT_BLOCK, SINGLE};
use super::{Expr, IntoExpr};
use crate::access::Position;
use crate::access::layout::{FieldLayout, Layout};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::{Field, FieldViewMut};
use crate::host::cache::stream_from;
use crate::host::copy::{fence, stream};
use crate::host::failure::{BlockAt, Iteration};
use crate::host::parallel::for_each;
use crate::kernel::rank::{Dim, unflatten};
use crate::launch::Launch;
use crate::parameter::ArgumentMut;
use crate::recording::Place;
use crate::versions::{Begins, Version, call};

/// Whether loops are compiled for several instruction sets.
pub(super) const VERSIONS: bool = !cfg!(debug_assertions);

/// Whether arithmetic of integers may panic in a build that is compiled for several instruction sets.
pub(super) const OVERFLOW_PANICS: bool = swathe_macros::overflow_checked!();

/// Parts of a loop that are no longer than this run element by element: see [`BlockAt`].
const ONE_BY_ONE: usize = 4;

/// Numbers of updates.
static UPDATES: AtomicU64 = AtomicU64::new(1);

/// That of no update.
pub(super) const NO_UPDATE: u64 = 0;

impl<T: Element, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
    /// Its elements as a new field, on the device of its operands.
    ///
    /// # Errors
    /// [`Error::Broadcast`] if shapes do not join, [`Error::DeviceMismatch`], [`Error::KernelFailure`] for a division of integers without a result;
    /// those of [`Field::zeros`].
    #[track_caller]
    pub fn eval(self) -> Result<Field<T, D>> {
        let shape: [usize; D] = self.node.extents()?.shape();
        self.computed(&device_of(&self.node), shape, Location::caller())
    }

    /// Its elements as a new field of a shape and layout that need not be those of its operands: these are repeated as far as it takes.
    ///
    /// ```
    /// use swathe::{Aos, Device, Field, index};
    ///
    /// let table = (index::<2>(0) * 10 + index::<2>(1)).eval_in(&Device::default(), [2, 3], Aos)?;
    /// assert_eq!(table.to_vec()?, [0, 1, 2, 10, 11, 12]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Expr::eval`]; [`Error::Shape`] if the shape that the operands have is not repeated in this one.
    #[track_caller]
    pub fn eval_in<L: FieldLayout>(self, device: &Device, shape: impl Position<D>, _: L) -> Result<Field<T, D, L>> {
        self.computed(device, shape.axes(), Location::caller())
    }

    pub(super) fn computed<L: FieldLayout>(
        self,
        device: &Device,
        shape: [usize; D],
        place: &'static Location<'static>,
    ) -> Result<Field<T, D, L>> {
        fits(&self.node, shape, || format!("an expression on {device}"))?;
        let mut field = if N::Key::FAILS && !device.is_cpu() {
            // What fails there is told later, when the field is in use.
            Field::zeros_in(device, shape, L::default())?
        } else {
            // SAFETY: all elements are written, or it is dropped.
            unsafe { Field::uninit(device, shape)? }
        };
        // SAFETY: it fits.
        unsafe { assign(&mut field, shape, &self.node, NO_UPDATE, place)? };
        Ok(field)
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// Sets each element to that of an expression, or of a field or value, whose shape is the field's or is repeated in it. Nothing is allocated.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let device = Device::default();
    /// let (a, b) = (Field::full(&device, [2, 3], 1.5_f32)?, Field::from_slice(&device, &[1.0, 2.0, 3.0])?);
    /// let mut c = Field::zeros(&device, [2, 3])?;
    /// c.assign(&a * 2.0 + &b)?;
    /// assert_eq!(c.to_vec()?, [4.0, 5.0, 6.0, 4.0, 5.0, 6.0]);
    /// c.index_axis_mut(0, 1)?.assign(&b)?;
    /// assert_eq!(c.to_vec()?, [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::Broadcast`], [`Error::DeviceMismatch`]; [`Error::KernelFailure`] for a division of integers without a result, whose
    /// element keeps its value.
    #[track_caller]
    pub fn assign<R: IntoExpr<T>>(&mut self, value: R) -> Result<()>
    where
        Dim<D>: Join<R::Rank, Out = Dim<D>>,
    {
        let shape = self.shape();
        set(
            self,
            shape,
            &value.into_node(),
            NO_UPDATE,
            Self::describe,
            Location::caller(),
        )
    }

    /// Sets each element to an expression of what it is.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let device = Device::default();
    /// let (mut x, v) = (Field::from_slice(&device, &[1.0, 2.0])?, Field::full(&device, 2, 0.5)?);
    /// x.update(|x| x * 10.0 + &v)?;
    /// assert_eq!(x.to_vec()?, [10.5, 20.5]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Field::assign`].
    #[track_caller]
    pub fn update<N: Node<Item = T>>(
        &mut self,
        new: impl FnOnce(Expr<T, D, Own<T, D>>) -> Expr<T, D, N>,
    ) -> Result<()> {
        let (shape, update) = (self.shape(), UPDATES.fetch_add(1, Ordering::Relaxed));
        let node = new(Expr::new(Own::new(shape, update))).node;
        set(self, shape, &node, update, Self::describe, Location::caller())
    }
}

impl<T: Element, const D: usize, L: Layout> FieldViewMut<'_, T, D, L> {
    /// As [`Field::assign`].
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn assign<R: IntoExpr<T>>(&mut self, value: R) -> Result<()>
    where
        Dim<D>: Join<R::Rank, Out = Dim<D>>,
    {
        let shape = self.shape();
        set(
            self,
            shape,
            &value.into_node(),
            NO_UPDATE,
            Self::describe,
            Location::caller(),
        )
    }

    /// As [`Field::update`].
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn update<N: Node<Item = T>>(
        &mut self,
        new: impl FnOnce(Expr<T, D, Own<T, D>>) -> Expr<T, D, N>,
    ) -> Result<()> {
        let (shape, update) = (self.shape(), UPDATES.fetch_add(1, Ordering::Relaxed));
        let node = new(Expr::new(Own::new(shape, update))).node;
        set(self, shape, &node, update, Self::describe, Location::caller())
    }
}

/// The device of the first operand that has one.
pub(super) fn device_of<N: Node>(node: &N) -> Device {
    let mut first = None;
    let visited = node.places(&mut |place| {
        first.get_or_insert_with(|| place.device.clone());
        Ok(())
    });
    debug_assert!(visited.is_ok());
    first.unwrap_or_default()
}

/// # Errors
/// [`Error::Shape`] if the operands' shape is not repeated in this one.
fn fits<N: Node, const D: usize>(node: &N, shape: [usize; D], what: impl Fn() -> String) -> Result<()> {
    let (extents, shape) = (node.extents()?, Extents::of(shape));
    match shape.join(extents, "=") {
        Ok(joined) if joined == shape => Ok(()),
        _ => Err(Error::shape(what(), shape.axes(), extents.axes())),
    }
}

/// Computes a node for each element of a target of that shape, which is called what `describe` says.
///
/// # Errors
/// [`Error::Shape`] if the operands' shape is not repeated in it.
fn set<T, L, N, A, const D: usize>(
    target: &mut A,
    shape: [usize; D],
    node: &N,
    update: u64,
    describe: impl Fn(&A) -> String,
    place: &'static Location<'static>,
) -> Result<()>
where
    T: Element,
    L: Layout,
    N: Node<Item = T>,
    A: ArgumentMut<Field<T, D>, Layout = L>,
{
    fits(node, shape, || format!("assigning to {}", describe(target)))?;
    // SAFETY: it fits.
    unsafe { assign(target, shape, node, update, place) }
}

/// The same of a target that is known to fit.
///
/// # Safety
/// The node [`fits`] the shape.
unsafe fn assign<T, L, N, A, const D: usize>(
    target: &mut A,
    shape: [usize; D],
    node: &N,
    update: u64,
    place: &'static Location<'static>,
) -> Result<()>
where
    T: Element,
    L: Layout,
    N: Node<Item = T>,
    A: ArgumentMut<Field<T, D>, Layout = L>,
{
    let launch = launch(target.place(), node, update)?;
    target.prepare()?;
    if launch.is_remote() {
        let mut args = vec![target.launch_arg_mut()];
        node.arguments(&shape, &mut args)?;
        // SAFETY: the target and the operands, in the order in which the kernel declares them; their devices are those that were told.
        return unsafe { launch.run_remote::<Assign<N::Key, D>>(&args) };
    }
    // SAFETY: by the caller's word.
    let (bound, to) = (unsafe { node.bind(shape) }, BoundLeaf::new(target.access_mut()));
    let count: usize = shape.iter().product();
    let bytes = count.saturating_mul(N::Key::BYTES + size_of::<T>());
    let store = Store::<T, L, N, D> {
        bound,
        to,
        shape,
        runs: bound.runs().and(to.runs()),
        streams: !N::Key::READS_TARGET
            && !<N::Bound<D> as Bound<D>>::Row::EFFECTS
            && N::Key::COST <= STREAMED_WORK
            && bytes >= stream_from(),
        place,
    };
    let ran = launch.run(&mut |_| {
        for_each(count, Some(N::Key::COST), |range| {
            match const { block_size::<N, D>(size_of::<T>()) } {
                LONG_BLOCK => store.run::<LONG_BLOCK>(range),
                BLOCK => store.run::<BLOCK>(range),
                SHORT_BLOCK => store.run::<SHORT_BLOCK>(range),
                _ => store.run::<SINGLE>(range),
            }
        });
        Ok(())
    });
    ran.map_err(|error| at(error, place))
}

/// Operations above which stores do not go past the caches: what is written is not what they wait for.
const STREAMED_WORK: u32 = 16;

/// Operands that LLVM compares with the target in front of a loop, at most. It vectorises no loop with more.
const COMPARED: usize = 8;

/// Bytes of all buffers for a block, at most.
const MOST_BUFFERED: usize = 1 << 16;

/// How many elements of a node are computed together, with a target's of so many bytes.
pub(super) const fn block_size<N: Node, const D: usize>(element: usize) -> usize {
    let buffered = N::Key::BYTES.saturating_add(element.saturating_mul(3));
    let fit = match MOST_BUFFERED.checked_div(buffered) {
        Some(fit) => fit,
        None => LONG_BLOCK,
    };
    if fit >= LONG_BLOCK && !<N::Bound<D> as Bound<D>>::Row::EFFECTS {
        LONG_BLOCK
    } else if fit >= BLOCK {
        BLOCK
    } else if fit >= SHORT_BLOCK {
        SHORT_BLOCK
    } else {
        SINGLE
    }
}

/// Lends room for a `T`, which is on the stack if it is small.
#[inline(always)]
fn with_room<T, R>(work: impl FnOnce(*mut T) -> R) -> R {
    match const { size_of::<T>() > MOST_BUFFERED } {
        true => work(Box::<T>::new_uninit().as_mut_ptr()),
        false => on_stack(work),
    }
}

/// The same on the stack: a function of its own, so that only those who call it have the room.
#[inline(always)]
fn on_stack<T, R>(work: impl FnOnce(*mut T) -> R) -> R {
    work(MaybeUninit::<T>::uninit().as_mut_ptr())
}

/// A node that is stored to a target.
struct Store<'a, T: Element, L: Layout, N: Node<Item = T>, const D: usize> {
    bound: N::Bound<D>,
    to: BoundLeaf<'a, T, D, L>,
    shape: [usize; D],
    /// The runs of operands and target.
    runs: Runs,
    /// Whether stores go past the caches.
    streams: bool,
    place: &'static Location<'static>,
}

impl<T: Element, L: Layout, N: Node<Item = T>, const D: usize> Store<'_, T, L, N, D> {
    /// The elements with these numbers.
    fn run<const SIZE: usize>(&self, range: Range<usize>) {
        with_room::<[T; SIZE], _>(|own| {
            with_room::<[T; SIZE], _>(|apart| self.run_in::<SIZE>(range, own.cast(), apart.cast()));
        });
    }

    /// The same with room for a block of the target as it is, and of what it will be.
    #[inline(always)]
    fn run_in<const SIZE: usize>(&self, range: Range<usize>, own: *mut T, apart: *mut T) {
        let (to, streams) = (&self.to, self.streams);
        let most = Version::for_elements(false, [size_of::<T>() / T::SCALAR.max(1)]);
        let begin = |block: &mut Block<D>| {
            if N::Key::READS_TARGET && to.beside(block).is_none() {
                // SAFETY: the target's elements can be read, and there is room for those of a block.
                unsafe { to.gather(block, own) };
            }
        };
        let direct = !streams && !<N::Bound<D> as Bound<D>>::Row::EFFECTS && N::Key::OPERANDS <= COMPARED;
        blocks::<N::Bound<D>, D, SIZE>(&self.bound, self.shape, self.runs, range, begin, |block, row| {
            let beside = to.beside(block);
            let (here, out) = (beside.is_some(), beside.unwrap_or(apart));
            call::<VERSIONS, _, _, 0, 0>(
                most,
                Begins::NONE,
                #[inline(always)]
                move |target, _, range: Range<usize>, ()| {
                    let (row, place) = (row, self.place);
                    let reading = |own: *mut T| Context {
                        target,
                        place,
                        own: own.cast(),
                    };
                    if const { SIZE == SINGLE } {
                        // SAFETY: the block has one element; there is that of the target, which is this call's alone, or room for it.
                        return unsafe { row.store(0, reading(if here { out } else { own }), out) };
                    }
                    if here && direct {
                        let context = reading(out);
                        for k in range {
                            // SAFETY: an element of this number, of the target, too, which is this call's alone.
                            unsafe { out.add(k).write(row.get(k, context)) };
                        }
                        return;
                    }
                    let context = reading(if here { out } else { own });
                    // Stores to a field may be to what is read, for all that LLVM knows, and each would end the vectors.
                    on_stack::<[T; SIZE], _>(
                        #[inline(always)]
                        |values| {
                            let values = values.cast::<T>();
                            let mut first = range.start;
                            while first < range.end {
                                let count = (range.end - first).min(SIZE);
                                for k in 0..count {
                                    // SAFETY: there is room, and an element of this number.
                                    unsafe { values.add(k).write(row.get(first + k, context)) };
                                }
                                // SAFETY: as many elements of the target, which is this call's alone, or room for them.
                                unsafe {
                                    let out = out.add(first);
                                    if streams {
                                        stream(out.cast(), values.cast(), count * size_of::<T>());
                                    } else {
                                        std::ptr::copy_nonoverlapping(values, out, count);
                                    }
                                }
                                first += count;
                            }
                        },
                    );
                },
                0..block.count,
                (),
            );
            if beside.is_none() {
                // SAFETY: the elements of the target, and as many values.
                unsafe { to.scatter(block, apart) };
            }
        });
        if streams {
            fence();
        }
    }
}

/// A launch with the target, if there is one, and all operands.
///
/// # Errors
/// [`Error::DeviceMismatch`]; [`Error::OutsideUpdate`].
pub(super) fn launch<N: Node>(target: Option<Place<'_>>, node: &N, update: u64) -> Result<Launch> {
    if !node.belongs(update) {
        return Err(Error::OutsideUpdate);
    }
    let mut launch = Launch::new(info_of::<N::Key>());
    if target.is_some() {
        launch.argument("target", target)?;
    }
    node.places(&mut |place| launch.argument("operand", Some(place)))?;
    Ok(launch)
}

/// A panic's place is that of the user's call.
pub(super) fn at(mut error: Error, place: &'static Location<'static>) -> Error {
    if let Error::KernelPanic { file, line, .. } = &mut error {
        (*file, *line) = (place.file(), place.line());
    }
    error
}

/// Goes through the elements with these numbers, block by block of at most `SIZE`: `begin` prepares a block, `end` computes it. `runs` are
/// those of all operands and of the target. Of lists a block may have any number of elements where nothing can fail.
pub(super) fn blocks<B: Bound<D>, const D: usize, const SIZE: usize>(
    bound: &B,
    shape: [usize; D],
    runs: Runs,
    range: Range<usize>,
    begin: impl FnMut(&mut Block<D>),
    end: impl FnMut(&Block<D>, B::Row),
) {
    with_room(|buffer| blocks_in::<B, D, SIZE>(bound, shape, runs, range, buffer, begin, end));
}

/// The same with room for what is not beside each other.
#[inline(always)]
fn blocks_in<B: Bound<D>, const D: usize, const SIZE: usize>(
    bound: &B,
    shape: [usize; D],
    runs: Runs,
    range: Range<usize>,
    buffer: *mut B::Buffer<SIZE>,
    mut begin: impl FnMut(&mut Block<D>),
    mut end: impl FnMut(&Block<D>, B::Row),
) {
    let alone = B::Row::EFFECTS && range.len() <= ONE_BY_ONE;
    let (lists, run) = (runs.is_list(), runs.len.max(1));
    let several = SIZE / run >= SEVERAL_RUNS && !(runs.apart && run >= LONG_RUN);
    let most = match lists && B::IN_PLACE && !B::Row::EFFECTS && SIZE > SINGLE {
        true => usize::MAX,
        false if several => SIZE - SIZE % run,
        false => SIZE,
    };
    let mut block = Block {
        flat: range.start,
        at: if lists { [0; D] } else { unflatten(shape, range.start) },
        count: 0,
        is_first: true,
    };
    // How much of a run is left: blocks begin where runs do, or are parts of one.
    let mut left = if lists { run } else { run - block.flat % run };
    while block.flat < range.end {
        block.count = (range.end - block.flat).min(if alone { 1 } else { most });
        if !several || left < run {
            block.count = block.count.min(left);
        }
        begin(&mut block);
        // SAFETY: the block is inside of the shape, and the buffer is there as long as the row.
        let row = unsafe { bound.row::<SIZE>(&block, buffer) };
        if B::Row::EFFECTS {
            let whole = (!alone).then(|| BlockAt::printing(block.flat));
            let one = alone.then(|| Iteration(block.flat));
            end(&block, row);
            forget(one);
            forget(whole);
        } else {
            end(&block, row);
        }
        block.flat += block.count;
        block.is_first = false;
        if !lists {
            left = match left.checked_sub(block.count) {
                Some(left @ 1..) => left,
                _ => run,
            };
            advance(&mut block.at, &shape, block.count);
        }
    }
}

/// Runs of which a block has room for as many are taken together.
const SEVERAL_RUNS: usize = 2;

/// The shortest runs, where they are no shorter, are not taken together if that copies rows that lie beside each other.
const LONG_RUN: usize = 32;

/// Moves a position by so many elements.
#[inline(always)]
fn advance<const D: usize>(at: &mut [usize; D], shape: &[usize; D], by: usize) {
    let Some((end, last)) = at.last_mut().zip(shape.last()) else {
        return;
    };
    *end += by;
    if *end < *last {
        return;
    }
    if *end == *last {
        return carry(at, shape);
    }
    let (rows, rest) = (*end / *last, *end % *last);
    *end = rest;
    if D < 2 {
        return;
    }
    at[D - 2] += rows;
    let mut k = D - 1;
    while k > 1 && at[k - 1] >= shape[k - 1] {
        let (over, rest) = (at[k - 1] / shape[k - 1], at[k - 1] % shape[k - 1]);
        at[k - 1] = rest;
        at[k - 2] += over;
        k -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::layout::{Aos, Soa};

    const LENGTH: usize = 1 << 17;

    /// 1 MiB.
    type Large = [f64; LENGTH];

    fn numbered(count: usize) -> Field<Large> {
        let mut field = Field::<Large>::zeros(&Device::cpu(), count).unwrap();
        for (i, element) in field.as_mut_slice().unwrap().iter_mut().enumerate() {
            (element[0], element[LENGTH - 1]) = (i as f64, 0.5 - i as f64);
        }
        field
    }

    #[track_caller]
    fn holds<L: FieldLayout>(field: &Field<Large, 1, L>, numbers: &[usize]) {
        let field = field.with_layout(Aos).unwrap();
        let got = field.as_slice().unwrap().iter();
        let got = got.map(|element| [element[0], element[1], element[LENGTH - 1]]);
        let expected = numbers.iter().map(|i| [*i as f64, 0.0, 0.5 - *i as f64]);
        assert_eq!(got.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }

    /// On as much stack as a main thread has.
    fn with_stack(work: impl FnOnce() + Send + 'static) {
        let thread = std::thread::Builder::new().stack_size(8 << 20);
        thread.spawn(work).unwrap().join().unwrap();
    }

    #[test]
    fn large_elements_beside_each_other_fit_on_the_stack() {
        with_stack(|| {
            let a = numbered(3);
            let mut b = Field::<Large>::zeros(&Device::cpu(), 3).unwrap();
            b.assign(&a).unwrap();
            holds(&b, &[0, 1, 2]);
            b.update(|b| b).unwrap();
            holds(&b, &[0, 1, 2]);
            holds(&a.expr().eval().unwrap(), &[0, 1, 2]);
        });
    }

    #[test]
    fn large_elements_apart_fit_on_the_stack() {
        with_stack(|| {
            let a = numbered(5);
            let every_other = a.slice::<1>(ndarray::s![..;2]).unwrap();
            let mut b = Field::<Large>::zeros(&Device::cpu(), 3).unwrap();
            b.assign(every_other).unwrap();
            holds(&b, &[0, 2, 4]);
            let planes = b.with_layout(Soa).unwrap();
            b.assign(a.slice::<1>(ndarray::s![1..2]).unwrap()).unwrap();
            holds(&b, &[1, 1, 1]);
            let mut c = Field::<Large>::zeros_in(&Device::cpu(), 3, Soa).unwrap();
            c.assign(&planes).unwrap();
            holds(&c, &[0, 2, 4]);
            c.update(|c| c).unwrap();
            holds(&c, &[0, 2, 4]);
            let mut d = numbered(6);
            d.slice_mut::<1>(ndarray::s![1..;-2]).unwrap().assign(&c).unwrap();
            holds(&d, &[0, 4, 2, 2, 4, 0]);
        });
    }
}
