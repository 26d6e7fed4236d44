//! Fields in texts, and compared with one another.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::access::Access;
use crate::access::layout::{FieldLayout, Layout, Steps};
use crate::access::pointer::Pointer;
use crate::device::quiet::quietly;
use crate::device::undivided::undivided;
use crate::element::Element;
use crate::error::Result;
use crate::field::Field;
use crate::field::FieldView;
use crate::field::FieldViewMut;
use crate::field::memory::Memory;
use crate::field::operations::work::position_of;
use crate::host::parallel;

/// Elements that are compared before one looks whether others differ.
const STRIP: usize = 256;
/// Fields of more elements are abbreviated.
const MANY: usize = 500;
/// What is left then at either end of an axis.
const EDGE: usize = 3;

/// Like `ndarray`: an axis in each pair of brackets, the middle of long axes left out. Only what is shown comes from the
/// device.
///
/// ```
/// use swathe::{Device, Field};
///
/// let u = Field::from_fn(&Device::cpu(), [2, 3], |[i, j]| (10 * i + j) as f32)?;
/// assert_eq!(format!("{u:?}"), "[[0.0, 1.0, 2.0],\n [10.0, 11.0, 12.0]], shape=[2, 3], on cpu");
/// let v = Field::from_fn(&Device::cpu(), 1000, |[i]| i as u16)?;
/// assert_eq!(format!("{v:?}"), "[0, 1, 2, ..., 997, 998, 999], shape=[1000], on cpu");
/// # Ok::<(), swathe::Error>(())
/// ```
impl<T: Element + fmt::Debug, const D: usize, L: FieldLayout> fmt::Debug for Field<T, D, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(
            f,
            self.shape(),
            self.memory.raw(),
            || self.to_vec(),
            |index| self.get(index),
        )?;
        write!(f, ", shape={:?}, on {}", self.shape(), self.device())
    }
}

impl<T: Element + fmt::Debug, const D: usize, L: Layout> fmt::Debug for FieldView<'_, T, D, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(
            f,
            self.shape(),
            self.region.memory.raw(),
            || self.to_vec(),
            |index| self.get(index),
        )?;
        write!(f, ", shape={:?}, on {}", self.shape(), self.device())
    }
}

impl<T: Element + fmt::Debug, const D: usize, L: Layout> fmt::Debug for FieldViewMut<'_, T, D, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

/// Equal shapes and elements, whatever the layouts and devices. On the CPU they are compared where they are, on several threads, until one
/// differs. Fields whose elements cannot be copied to the host, because the device fails, are not equal.
/// What failed in kernels before is left for the next call that waits.
impl<T: Element + PartialEq, const D: usize, L: FieldLayout, K: FieldLayout> PartialEq<Field<T, D, K>>
    for Field<T, D, L>
{
    fn eq(&self, other: &Field<T, D, K>) -> bool {
        self.memory.note();
        other.memory.note();
        if self.shape() != other.shape() {
            return false;
        }
        if self.memory.is_host() && other.memory.is_host() {
            return equal(self.list(), other.list());
        }
        if size_of::<T>() == 0 {
            // They are all one.
            // SAFETY: all bytes zero are an element.
            return self.is_empty() || unsafe { std::mem::zeroed::<T>() == std::mem::zeroed() };
        }
        // A comparison cannot tell what failed in kernels before.
        let places = [self.memory.raw().place(), other.memory.raw().place()];
        let both = || Ok((self.to_vec()?, other.to_vec()?));
        matches!(quietly(|| undivided(places, both)), Ok((a, b)) if a == b)
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// All elements, in row-major order.
    fn list(&self) -> Access<'_, T, 1, L> {
        let len = self.len();
        let steps = match L::PLANAR {
            true => Steps::planes([len], L::room(len)),
            false => Steps::of([0]),
        };
        // SAFETY: the memory holds as many elements, which follow one another in its layout, and it is borrowed.
        unsafe { Access::with_steps(self.address().cast(), [len], steps) }
    }
}

/// Whether lists of one length have equal elements, on the host.
fn equal<T: Element + PartialEq, L: Layout, K: Layout>(a: Access<'_, T, 1, L>, b: Access<'_, T, 1, K>) -> bool {
    // Elements without size are all one.
    let most = if size_of::<T>() == 0 { 1 } else { usize::MAX };
    let len = a.len().min(b.len()).min(most);
    let differ = AtomicBool::new(false);
    let cost = u32::try_from(STRIP * (1 + size_of::<T>() / 8)).ok();
    parallel::for_each(len.div_ceil(STRIP), cost, |strips| {
        for strip in strips {
            if differ.load(Ordering::Relaxed) {
                return;
            }
            // Without an end at the first difference, which would keep the compiler from taking many at once.
            let mut same = true;
            for k in strip * STRIP..len.min((strip + 1) * STRIP) {
                // SAFETY: `k` is below the lengths, and the elements are borrowed.
                same &= unsafe { a.unchecked(k).read() == b.unchecked(k).read() };
            }
            if !same {
                differ.store(true, Ordering::Relaxed);
            }
        }
    });
    !differ.into_inner()
}

fn show<T: fmt::Debug, const D: usize>(
    f: &mut fmt::Formatter<'_>,
    shape: [usize; D],
    memory: &Memory,
    all: impl FnOnce() -> Result<Vec<T>>,
    get: impl Fn([usize; D]) -> Result<T>,
) -> fmt::Result {
    // An axis of length 0 does not excuse the others: brackets are shown for their positions, too.
    let shown = shape.iter().fold(1_usize, |shown, n| shown.saturating_mul((*n).max(1)));
    if shown > MANY {
        // All of them before the first is written: that calls what the user wrote.
        let gotten = undivided([memory.place()], || Ok(corners(shape).map(get).collect::<Vec<_>>()));
        return match gotten {
            Ok(elements) => {
                let mut elements = elements.into_iter();
                axis(f, shape, 0, &mut [0; D], true, &mut |f, _| match elements.next() {
                    Some(Ok(element)) => element.fmt(f),
                    Some(Err(error)) => write!(f, "<{error}>"),
                    None => Ok(()),
                })
            }
            Err(error) => write!(f, "<{error}>"),
        };
    }
    match all() {
        Ok(elements) => axis(f, shape, 0, &mut [0; D], false, &mut |f, index| {
            let at = index.iter().zip(&shape).fold(0, |at, (i, n)| at * n + i);
            elements[at].fmt(f)
        }),
        Err(error) => write!(f, "<{error}>"),
    }
}

/// What is left out of an axis: it may be more than anybody counts to.
fn left_out(n: usize) -> Range<usize> {
    match n > 2 * EDGE {
        true => EDGE..n - EDGE,
        false => n..n,
    }
}

/// The positions that are shown of a shape of which the middle is left out, in row-major order.
fn corners<const D: usize>(shape: [usize; D]) -> impl Iterator<Item = [usize; D]> {
    let shown = shape.map(|n| n - left_out(n).len());
    (0..shown.iter().product::<usize>()).map(move |k| {
        let position = position_of(k as u64, shown);
        std::array::from_fn(|axis| match left_out(shape[axis]) {
            left_out if position[axis] < left_out.start => position[axis],
            left_out => position[axis] + left_out.len(),
        })
    })
}

type Show<'a, const D: usize> = &'a mut dyn FnMut(&mut fmt::Formatter<'_>, [usize; D]) -> fmt::Result;

fn axis<const D: usize>(
    f: &mut fmt::Formatter<'_>,
    shape: [usize; D],
    depth: usize,
    index: &mut [usize; D],
    short: bool,
    element: Show<'_, D>,
) -> fmt::Result {
    if depth == D {
        return element(f, *index);
    }
    let n = shape[depth];
    let separate = |f: &mut fmt::Formatter<'_>| match D - depth {
        1 => f.write_str(", "),
        rest => write!(f, ",{}{:width$}", "\n".repeat(rest - 1), "", width = depth + 1),
    };
    f.write_str("[")?;
    let left_out = if short { left_out(n) } else { n..n };
    for i in (0..left_out.start).chain(left_out.end..n) {
        if i > 0 {
            separate(f)?;
        }
        if i == left_out.end {
            f.write_str("...")?;
            separate(f)?;
        }
        index[depth] = i;
        axis(f, shape, depth + 1, index, short, element)?;
    }
    f.write_str("]")
}
