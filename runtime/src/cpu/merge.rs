//! Adds the copies of a field up, scalar by scalar: which scalars its elements have is known from the element's type when the program
//! runs, so that no kernel has code of its own for it.

use std::ops::Range;

use half::{bf16, f16};
use swathe_ir::{Scalar, Type};

use crate::access::Access;
use crate::access::layout::Layout;
use crate::access::pointer::Pointer;
use crate::element::Element;
use crate::host::parallel::rows;
use crate::numbers::atomic::{AtomicAdd, Sharing};

/// Scalars of one type that follow one another in an element.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    scalar: Scalar,
    /// In bytes, from the start of the element.
    offset: usize,
    count: usize,
}

impl Run {
    fn end(&self) -> usize {
        self.offset + self.count * self.scalar.size()
    }

    /// What of it is in a part of the element.
    fn within(&self, part: &Range<usize>) -> Option<Run> {
        let (start, end) = (self.offset.max(part.start), self.end().min(part.end));
        (start < end).then(|| Run {
            offset: start,
            count: (end - start) / self.scalar.size(),
            ..*self
        })
    }
}

/// The scalars of an element of that type.
fn runs(ty: &Type, offset: usize) -> Vec<Run> {
    let run = |scalar: &Scalar, count| {
        vec![Run {
            scalar: *scalar,
            offset,
            count,
        }]
    };
    match ty {
        Type::Scalar(scalar) => run(scalar, 1),
        Type::Vector(scalar, n) => run(scalar, *n),
        Type::Matrix(scalar, r, c) => run(scalar, r * c),
        Type::Array(item, n) => match runs(item, offset).as_slice() {
            [all] if all.end() - offset == item.size() => run(&all.scalar, all.count * n),
            _ => (0..*n).flat_map(|k| runs(item, offset + k * item.size())).collect(),
        },
        Type::Struct(s) => s.members.iter().flat_map(|m| runs(&m.ty, offset + m.offset)).collect(),
        // Nobody adds to an enum.
        Type::Enum(_) | Type::Unit | Type::Tuple(_) | Type::Field(..) => Vec::new(),
    }
}

/// Scalars in some parts of an element, given as ranges of bytes.
pub struct Sums(Vec<Run>);

impl Sums {
    pub fn of<T: Element>(parts: &[Range<usize>]) -> Sums {
        let runs = runs(&T::ty(), 0);
        let parts = parts
            .iter()
            .flat_map(|part| runs.iter().filter_map(|run| run.within(part)));
        Sums(parts.collect())
    }

    /// All scalars of an element.
    pub fn all<T: Element>() -> Sums {
        Sums(runs(&T::ty(), 0))
    }

    /// Whether what changes none of them when it is added has no bits.
    pub fn start_as_zeros(&self) -> bool {
        let float = |scalar| matches!(scalar, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64);
        !self.0.iter().any(|run| float(run.scalar))
    }

    /// Sets these scalars of all elements to what changes none when it is added: of floats that is -0.0.
    ///
    /// # Safety
    /// It is valid, and nobody else accesses it.
    pub unsafe fn start<T: Element, const D: usize, L: Layout>(&self, array: Access<'_, T, D, L>) {
        let all = 0..array.len();
        // SAFETY: by the caller's word.
        unsafe { self.each(array, array, all, start_of) };
    }

    /// Adds these scalars of the elements of `from` in `range` to those of `to`, and leaves there what they [started](Self::start) as.
    ///
    /// # Safety
    /// Both are valid in `range`, have the same shape, are apart, and nobody else accesses them there.
    pub unsafe fn merge<T: Element, const D: usize, L: Layout>(
        &self,
        to: Access<'_, T, D, L>,
        from: Access<'_, T, D, L>,
        range: Range<usize>,
    ) {
        // SAFETY: by the caller's word.
        unsafe { self.each(to, from, range, add_of) };
    }

    /// # Safety
    /// As for what is done to the rows.
    unsafe fn each<T: Element, const D: usize, L: Layout>(
        &self,
        to: Access<'_, T, D, L>,
        from: Access<'_, T, D, L>,
        range: Range<usize>,
        of: fn(Scalar) -> Option<Each>,
    ) {
        for (mut position, columns) in rows(to.shape(), range) {
            let mut at = |array: Access<'_, T, D, L>, column| {
                if D > 0 {
                    position[D - 1] = column;
                }
                // SAFETY: by the caller's word.
                unsafe { array.unchecked(position) }
            };
            let next = columns.start + usize::from(columns.len() > 1);
            let (to, from) = (
                [at(to, columns.start), at(to, next)],
                [at(from, columns.start), at(from, next)],
            );
            for run in &self.0 {
                // SAFETY: the run is one of the element's; all else by the caller's word.
                unsafe { row(to, from, columns.len(), run, of) };
            }
        }
    }
}

/// A row of scalars: the first, and the bytes from one to the next.
#[derive(Clone, Copy)]
struct Row {
    first: *mut u8,
    step: isize,
}

impl Row {
    /// Of the scalar at `offset` of elements of which these are the first two.
    ///
    /// # Safety
    /// The elements have one there, of that size.
    unsafe fn of<P: Pointer>([first, next]: [P; 2], offset: usize, size: usize) -> Row {
        let base = std::ptr::NonNull::<P::Target>::dangling().as_ptr();
        let place = base.wrapping_byte_add(offset);
        let scalar = |element: P| -> *mut u8 {
            // SAFETY: by the caller's word; only the size of the scalar counts.
            unsafe {
                match size {
                    2 => element.part(base, place.cast::<u16>()).first().cast(),
                    4 => element.part(base, place.cast::<u32>()).first().cast(),
                    _ => element.part(base, place.cast::<u64>()).first().cast(),
                }
            }
        };
        let first = scalar(first);
        Row {
            first,
            step: scalar(next).addr().wrapping_sub(first.addr()) as isize,
        }
    }
}

trait Summand: AtomicAdd {
    /// What changes no number when it is added: 0 of integers, -0.0 of floats, to which 0.0 would add a sign.
    const NOTHING: Self;
}

macro_rules! summands {
    ($($t:ty: $nothing:expr;)*) => {$(
        impl Summand for $t {
            const NOTHING: Self = $nothing;
        }
    )*};
}

summands! {
    i32: 0;
    i64: 0;
    u32: 0;
    u64: 0;
    f16: f16::NEG_ZERO;
    bf16: bf16::NEG_ZERO;
    f32: -0.0;
    f64: -0.0;
}

/// What is done to two rows of as many scalars.
type Each = unsafe fn(Row, Row, usize);

macro_rules! each {
    ($scalar:expr, $each:ident) => {
        Some(match $scalar {
            Scalar::I32 => $each::<i32>,
            Scalar::I64 => $each::<i64>,
            Scalar::U32 => $each::<u32>,
            Scalar::U64 => $each::<u64>,
            Scalar::F16 => $each::<f16>,
            Scalar::Bf16 => $each::<bf16>,
            Scalar::F32 => $each::<f32>,
            Scalar::F64 => $each::<f64>,
            // Nothing is added to them atomically.
            _ => return None,
        })
    };
}

fn add_of(scalar: Scalar) -> Option<Each> {
    each!(scalar, add)
}

fn start_of(scalar: Scalar) -> Option<Each> {
    each!(scalar, start)
}

/// Does something to the scalars of a run, of `len` elements in a row.
///
/// # Safety
/// As for what is done; `to` and `from` are the first two elements of the row, or the only one twice.
unsafe fn row<P: Pointer>(to: [P; 2], from: [P; 2], len: usize, run: &Run, of: fn(Scalar) -> Option<Each>) {
    let Some(add) = of(run.scalar) else { return };
    let size = run.scalar.size();
    // SAFETY: scalars of the run.
    let rows = |k: usize| unsafe {
        let offset = run.offset + k * size;
        (Row::of(to, offset, size), Row::of(from, offset, size))
    };
    let (first, other) = rows(0);
    let whole = (run.count * size) as isize;
    // SAFETY: by the caller's word.
    unsafe {
        if first.step == whole
            && other.step == whole
            && rows(run.count - 1).0.first == first.first.byte_add(whole as usize - size)
        {
            let dense = |row: Row| Row {
                step: size as isize,
                ..row
            };
            return add(dense(first), dense(other), len * run.count);
        }
        for k in 0..run.count {
            let (to, from) = rows(k);
            add(to, from, len);
        }
    }
}

/// # Safety
/// Both are rows of `len` such values, apart, which nobody else accesses.
unsafe fn add<S: Summand>(to: Row, from: Row, len: usize) {
    let alone = Sharing {
        parallel: false,
        pitch: 1,
        pairs: false,
    };
    let nothing = S::NOTHING;
    // SAFETY: by the caller's word.
    let one = |to: *mut S, from: *mut S| unsafe {
        let (old, added) = (to.read(), from.read());
        S::fetch_add(to, added, alone);
        // What nothing was added to keeps its bits, also those of a NaN. Without a branch around the sum LLVM vectorises the loop.
        if same(&added, &nothing) {
            to.write(old);
        }
        from.write(nothing);
    };
    // SAFETY: by the caller's word.
    unsafe { along(to, from, len, one) };
}

/// # Safety
/// The first is a row of `len` such values, which nobody else accesses.
unsafe fn start<S: Summand>(to: Row, _: Row, len: usize) {
    // SAFETY: by the caller's word.
    unsafe { along(to, to, len, |to: *mut S, _| to.write(S::NOTHING)) };
}

/// # Safety
/// Both are rows of `len` such values.
#[inline(always)]
unsafe fn along<S>(to: Row, from: Row, len: usize, one: impl Fn(*mut S, *mut S)) {
    let (first, other) = (to.first.cast::<S>(), from.first.cast::<S>());
    let size = size_of::<S>() as isize;
    // SAFETY: by the caller's word.
    unsafe {
        if to.step == size && from.step == size {
            (0..len).for_each(|k| one(first.add(k), other.add(k)));
        } else {
            (0..len as isize).for_each(|k| one(first.byte_offset(k * to.step), other.byte_offset(k * from.step)));
        }
    }
}

/// Whether all bytes are the same.
#[inline(always)]
fn same<S>(a: &S, b: &S) -> bool {
    let bytes = |value: &S| std::ptr::from_ref(value).cast::<u8>();
    let (a, b) = (bytes(a), bytes(b));
    // SAFETY: numbers have no padding.
    (0..size_of::<S>()).all(|k| unsafe { *a.add(k) == *b.add(k) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_as_long_as_they_can_be() {
        let run = |scalar, offset, count| Run { scalar, offset, count };
        let array = |ty, n| Type::Array(Box::new(ty), n);
        let f32s = array(array(Type::Vector(Scalar::F32, 3), 5), 2);
        assert_eq!(runs(&f32s, 8), [run(Scalar::F32, 8, 30)]);
        assert_eq!(runs(&array(Type::Scalar(Scalar::U64), 0), 0), [run(Scalar::U64, 0, 0)]);
        let within = run(Scalar::F32, 8, 30).within(&(0..16));
        assert_eq!(within, Some(run(Scalar::F32, 8, 2)));
        assert_eq!(run(Scalar::F32, 8, 30).within(&(0..8)), None);
    }
}
