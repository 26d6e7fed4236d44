//! Fields as plain Rust has them: a vector and a shape, an access that is out of bounds unwinds, and iterations come one after the other.
//! The names are those of the prelude of kernels, so that the text of a kernel is the text of a function over these.

use std::any::Any;
use std::cell::RefCell;
use std::ops::{AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, Index, IndexMut, SubAssign};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};

pub use swathe::math::{Float, Int, Scalar};
pub use swathe::{Vec2, Vec3};

use crate::compare::Failure;

/// A position: one number for each axis.
pub trait Position<const D: usize>: Copy {
    /// One number for each axis.
    fn axes(self) -> [usize; D];
}

impl Position<1> for usize {
    fn axes(self) -> [usize; 1] {
        [self]
    }
}

impl<const D: usize> Position<D> for [usize; D] {
    fn axes(self) -> [usize; D] {
        self
    }
}

/// A field.
pub struct Field<T, const D: usize = 1> {
    name: &'static str,
    shape: [usize; D],
    elements: Vec<T>,
}

impl<T, const D: usize> Field<T, D> {
    /// With elements in row-major order.
    pub fn new(name: &'static str, shape: [usize; D], elements: Vec<T>) -> Self {
        Field { name, shape, elements }
    }

    /// Length of each axis.
    pub fn shape(&self) -> [usize; D] {
        self.shape
    }

    /// Number of elements.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// The elements in row-major order.
    pub fn elements(&self) -> &[T] {
        &self.elements
    }

    fn place(&self, axes: [usize; D]) -> usize {
        if axes.iter().zip(&self.shape).any(|(at, extent)| at >= extent) {
            panic_any(Failure::Bounds {
                field: self.name,
                index: axes.to_vec(),
            });
        }
        axes.iter()
            .zip(&self.shape)
            .fold(0, |place, (at, extent)| place * extent + at)
    }
}

impl<T> Field<T, 1> {
    /// All positions.
    pub fn indices(&self) -> std::ops::Range<usize> {
        0..self.elements.len()
    }
}

impl<T> Field<T, 2> {
    /// All positions.
    pub fn indices(&self) -> std::vec::IntoIter<[usize; 2]> {
        swathe::ndrange(self.shape).collect::<Vec<_>>().into_iter()
    }
}

impl<T> Field<T, 3> {
    /// All positions.
    pub fn indices(&self) -> std::vec::IntoIter<[usize; 3]> {
        swathe::ndrange(self.shape).collect::<Vec<_>>().into_iter()
    }
}

impl<T, const D: usize, I: Position<D>> Index<I> for Field<T, D> {
    type Output = T;

    fn index(&self, index: I) -> &T {
        &self.elements[self.place(index.axes())]
    }
}

impl<T, const D: usize, I: Position<D>> IndexMut<I> for Field<T, D> {
    fn index_mut(&mut self, index: I) -> &mut T {
        let place = self.place(index.axes());
        &mut self.elements[place]
    }
}

macro_rules! atomics {
    ($($name:ident: $bound:path, $change:expr;)*) => {$(
        /// One step, as nobody else is there; gives what was there before.
        fn $name(&mut self, value: Self) -> Self
        where
            Self: $bound,
        {
            let change: fn(&mut Self, Self) = $change;
            let old = *self;
            change(self, value);
            old
        }
    )*};
}

/// Atomic operations on elements and places in them.
pub trait Atomic: Copy {
    atomics! {
        atomic_add: AddAssign, |to, by| *to += by;
        atomic_sub: SubAssign, |to, by| *to -= by;
        atomic_and: BitAndAssign, |to, by| *to &= by;
        atomic_or: BitOrAssign, |to, by| *to |= by;
        atomic_xor: BitXorAssign, |to, by| *to ^= by;
        atomic_min: PartialOrd, |to, by| if by < *to { *to = by };
        atomic_max: PartialOrd, |to, by| if by > *to { *to = by };
    }
}

impl<T: Copy> Atomic for T {}

/// A loop that one thread runs.
pub fn serial<I>(range: I) -> I {
    range
}

thread_local! {
    static FAILURES: RefCell<Vec<Failure>> = const { RefCell::new(Vec::new()) };
}

fn note(panic: &(dyn Any + Send)) {
    let failure = match panic.downcast_ref::<Failure>() {
        Some(failure) => failure.clone(),
        None => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            Failure::of_panic(text.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default())
        }
    };
    FAILURES.with_borrow_mut(|all| all.push(failure));
}

/// An iteration of a parallel loop, or a whole kernel: what unwinds in it ends it alone, and is noted.
pub fn iteration<R>(body: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|panic| note(&*panic)).ok()
}

pub(crate) fn take_failures() -> Vec<Failure> {
    FAILURES.take()
}
