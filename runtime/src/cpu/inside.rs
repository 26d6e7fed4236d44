//! The part of a row in which what kernels compare with its position has one value, and indices are in bounds (index-set splitting).
//!
//! Generated code describes a number by what it is made of: the position, and numbers of one type of integers, whose sums,
//! differences and products are rustc's own. Such a number changes by the same from position to position, so that where it is
//! below another one is a matter of one division for the row. A number of another type, or one that arithmetic or a cast would
//! take around, leaves nothing of the row.

use std::any::{Any, TypeId};
use std::ops::Range;

use crate::types::Vector;

/// Positions beyond are those of no element: no memory has so many.
const POSITIONS: usize = 1 << 52;
/// By how much a number may change from a position to the next, at most.
const MOST_STEP: i64 = 1 << 9;
/// The largest number at position 0. With it no number of a row is beyond 2^62, nor a difference of two beyond 2^63.
const MOST: i64 = 1 << 61;
/// More than any line has, and less than the types of 64 bits have.
const MOST_RANGE: i64 = i64::MAX;
/// Items of a table that are looked at for each row, at most.
const MOST_ITEMS: usize = 32;

/// A number: `first` at position 0, and `step` more at each next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    step: i64,
    first: i64,
}

/// A part of a row.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    start: i64,
    end: i64,
}

const ZERO: Line = Line::ZERO;

impl Line {
    /// A number that nobody asks for.
    pub const ZERO: Line = Line { step: 0, first: 0 };

    #[cfg(test)]
    fn number(first: i64) -> Line {
        Line { step: 0, first }
    }

    /// A place in a table, if it is the same all along the row.
    #[inline(always)]
    #[must_use]
    pub fn place(self) -> Option<usize> {
        usize::try_from(self.first).ok().filter(|_| self.step == 0)
    }

    #[inline(always)]
    fn at(self, position: i64) -> i64 {
        self.step * position + self.first
    }

    #[inline(always)]
    fn is_fixed(self) -> bool {
        self.step == 0
    }
}

/// What a function of integers gives along a row.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    line: Line,
    /// Of its result.
    ty: TypeId,
}

impl Given {
    #[inline(always)]
    #[must_use]
    pub fn line(self) -> Line {
        self.line
    }

    /// At position 0, modulo the range of an index. `first` is the position of the first iteration, which is 0 for the line.
    #[inline(always)]
    #[must_use]
    pub fn at_zero<T: Copy + 'static>(self, by: i64, first: T) -> usize {
        (self.line.first as usize).wrapping_sub((by as usize).wrapping_mul(within::index(first)))
    }
}

impl Inside {
    /// All positions.
    pub const ALL: Inside = Inside {
        start: 0,
        end: POSITIONS as i64,
    };

    /// All of a row.
    #[cfg(test)]
    fn new(row: &Range<usize>) -> Inside {
        Inside::of(Inside::ALL, row, 1)
    }

    /// What of a row is in the part of all rows that is kept, if the row has `least` positions.
    #[inline(always)]
    #[must_use]
    pub fn of(self, row: &Range<usize>, least: usize) -> Inside {
        let counts = usize::BITS == 64 && row.end <= POSITIONS && row.len() >= least;
        let end = if counts { row.end } else { row.start.min(POSITIONS) };
        Inside {
            start: (row.start.min(POSITIONS) as i64).max(self.start),
            end: (end as i64).min(self.end),
        }
    }

    /// The positions; at the start of the row if there are none.
    #[inline(always)]
    #[must_use]
    pub fn range(self, row: &Range<usize>) -> Range<usize> {
        match self.start < self.end {
            true => self.start as usize..self.end as usize,
            false => row.start..row.start,
        }
    }

    /// Leaves nothing.
    #[inline(always)]
    pub fn nothing(&mut self) -> Line {
        self.end = self.start;
        ZERO
    }

    /// The position of iteration `k`, which `position` tells, if it is of type `N` and of that of an index, and counts up by one.
    #[inline(always)]
    pub fn position<N: 'static, T: Copy + 'static>(&mut self, position: impl FnOnce(usize) -> T) -> Line {
        if self.start >= self.end || TypeId::of::<T>() != TypeId::of::<usize>() {
            return self.nothing();
        }
        let line = Line {
            step: 1,
            ..self.value::<N, T>(position(0))
        };
        // As for a value.
        self.at_most(line, POSITIONS as i64);
        line
    }

    /// Leaves nothing if this is not of type `N`, an integer.
    #[inline(always)]
    pub fn typed<N: 'static, T: 'static>(&mut self, _: &T) {
        if range::<N>().is_none() || TypeId::of::<T>() != TypeId::of::<N>() {
            self.nothing();
        }
    }

    /// Leaves nothing if these are not of type `N`.
    #[inline(always)]
    pub fn typed_items<'a, N: 'static, T: 'static>(&mut self, _: impl Iterator<Item = &'a T>) {
        if range::<N>().is_none() || TypeId::of::<T>() != TypeId::of::<N>() {
            self.nothing();
        }
    }

    /// A number of type `N` that does not change along the row.
    #[inline(always)]
    pub fn value<N: 'static, T: Copy + 'static>(&mut self, value: T) -> Line {
        if range::<N>().is_none() || TypeId::of::<T>() != TypeId::of::<N>() {
            return self.nothing();
        }
        // Beyond, a factor of an index is not what the text says (`limited` in the macro's `hir/affine.rs`).
        match number(value) {
            Some(first) if first.unsigned_abs() <= POSITIONS as u64 => Line { step: 0, first },
            _ => self.nothing(),
        }
    }

    /// The number of type `N` that a value is which is cast to it, and does not change along the row; where the cast takes it around, nothing.
    #[inline(always)]
    pub fn cast<N: 'static, T: Copy + 'static>(&mut self, value: T) -> Line {
        self.fixed::<N>(cast_number(value))
    }

    #[inline(always)]
    fn fixed<N: 'static>(&mut self, number: Option<i64>) -> Line {
        match number {
            Some(first) if first.unsigned_abs() <= POSITIONS as u64 => self.fits::<N>(Line { step: 0, first }),
            _ => self.nothing(),
        }
    }

    /// The length of an array.
    #[inline(always)]
    pub fn length<N: 'static>(&mut self, length: Option<usize>) -> Line {
        match length {
            Some(length) => self.value::<N, usize>(length),
            None => self.nothing(),
        }
    }

    /// An item of a table, of type `N`; nothing if it is not there.
    #[inline(always)]
    pub fn entry<N: 'static, T: Copy + 'static>(&mut self, item: Option<&T>) -> Line {
        match item {
            Some(item) => self.value::<N, T>(*item),
            None => self.nothing(),
        }
    }

    /// The same of one that is cast to `N`.
    #[inline(always)]
    pub fn entry_cast<N: 'static, T: Copy + 'static>(&mut self, item: Option<&T>) -> Line {
        match item {
            Some(item) => self.cast::<N, T>(*item),
            None => self.nothing(),
        }
    }

    /// The least of some numbers of type `N`, or the largest. Where they are of another type, none or many, nothing.
    #[inline(always)]
    pub fn item<'a, N: 'static, T: Copy + 'static>(&mut self, items: impl Iterator<Item = &'a T>, most: bool) -> Line {
        if TypeId::of::<T>() != TypeId::of::<N>() {
            return self.nothing();
        }
        let end = end(items, number, most);
        self.fixed::<N>(end)
    }

    /// The same of numbers that are cast to `N`.
    #[inline(always)]
    pub fn item_cast<'a, N: 'static, T: Copy + 'static>(
        &mut self,
        items: impl Iterator<Item = &'a T>,
        most: bool,
    ) -> Line {
        let end = end(items, cast_number, most);
        self.fixed::<N>(end)
    }

    /// A number that the text tells, of type `N`.
    #[inline(always)]
    pub fn number<N: 'static>(&mut self, number: i64) -> Line {
        let line = self.amount(number);
        self.fits::<N>(line)
    }

    /// Keeps the positions at which a line is a number of type `N`.
    #[inline(always)]
    pub fn fits<N: 'static>(&mut self, line: Line) -> Line {
        let Some((least, most)) = range::<N>() else {
            return self.nothing();
        };
        // All lines are within the types of 64 bits.
        if least > -MOST_RANGE {
            self.at_least(line, least);
        }
        if most < MOST_RANGE {
            self.at_most(line, most);
        }
        line
    }

    /// The extent of an axis.
    #[inline(always)]
    pub fn extent<N: 'static>(&mut self, shape: &[usize], axis: usize) -> Line {
        match shape.get(axis) {
            Some(extent) => self.value::<N, usize>(*extent),
            None => self.nothing(),
        }
    }

    #[inline(always)]
    fn line(&mut self, step: i64, first: i64) -> Line {
        if step.unsigned_abs() > MOST_STEP as u64 || first.unsigned_abs() > MOST as u64 {
            return self.nothing();
        }
        Line { step, first }
    }

    /// The same for a line of numbers that are not below zero where `N` has none that are.
    #[inline(always)]
    fn wrapped<N: 'static>(&mut self, line: Line) -> Line {
        match range::<N>() {
            Some((0, MOST_RANGE)) => line,
            _ => self.fits::<N>(line),
        }
    }

    /// The sum, where it is of type `N`.
    #[inline(always)]
    pub fn add<N: 'static>(&mut self, a: Line, b: Line) -> Line {
        let line = self.line(a.step + b.step, a.first + b.first);
        self.wrapped::<N>(line)
    }

    /// The difference, where it is of type `N`.
    #[inline(always)]
    pub fn sub<N: 'static>(&mut self, a: Line, b: Line) -> Line {
        let line = self.line(a.step - b.step, a.first - b.first);
        self.fits::<N>(line)
    }

    /// The product, of which one factor does not change, where it is of type `N`.
    #[inline(always)]
    pub fn mul<N: 'static>(&mut self, a: Line, b: Line) -> Line {
        let (line, factor) = if b.step == 0 { (a, b.first) } else { (b, a.first) };
        if a.step != 0 && b.step != 0 {
            return self.nothing();
        }
        match (line.step.checked_mul(factor), line.first.checked_mul(factor)) {
            (Some(step), Some(first)) => {
                let line = self.line(step, first);
                self.wrapped::<N>(line)
            }
            _ => self.nothing(),
        }
    }

    /// The quotient of what does not change and a number that is not zero, which every type of integers has.
    #[inline(always)]
    pub fn div<N: 'static>(&mut self, a: Line, by: i64) -> Line {
        match a.is_fixed() && by > 0 {
            true => self.fits::<N>(Line {
                step: 0,
                first: a.first / by,
            }),
            false => self.nothing(),
        }
    }

    /// Keeps the positions at which a line is `least` or more.
    #[inline(always)]
    fn at_least(&mut self, line: Line, least: i64) {
        let missing = least - line.first;
        match line.step {
            0 if missing > 0 => {
                self.nothing();
            }
            0 => {}
            1 => self.start = self.start.max(missing),
            -1 => self.end = self.end.min(-missing + 1),
            // The least position whose multiple of the step is as much.
            step if step > 0 => self.start = self.start.max(-(-missing).div_euclid(step)),
            step => self.end = self.end.min((-missing).div_euclid(-step) + 1),
        }
    }

    #[inline(always)]
    fn at_most(&mut self, line: Line, most: i64) {
        let negated = Line {
            step: -line.step,
            first: -line.first,
        };
        self.at_least(negated, -most);
    }

    /// `b - a`, which may be below zero.
    #[inline(always)]
    fn difference(a: Line, b: Line) -> Line {
        Line {
            step: b.step - a.step,
            first: b.first - a.first,
        }
    }

    /// Keeps the positions at which `a < b`, or at which it is not.
    #[inline(always)]
    pub fn less(&mut self, a: Line, b: Line, holds: bool) {
        let difference = Self::difference(a, b);
        match holds {
            true => self.at_least(difference, 1),
            false => self.at_most(difference, 0),
        }
    }

    /// Keeps positions at which `a == b`, or at which it is not: of both sides of the one where they are equal the longer one.
    #[inline(always)]
    pub fn equal(&mut self, a: Line, b: Line, holds: bool) {
        let Line { step, first } = Self::difference(a, b);
        match (holds, step) {
            (true, _) => {
                self.at_least(Line { step, first }, 0);
                self.at_most(Line { step, first }, 0);
            }
            (false, 0) if first == 0 => {
                self.nothing();
            }
            (false, 0) => {}
            (false, step) => {
                let met = -first / step;
                if met * step != -first || !(self.start..self.end).contains(&met) {
                } else if met - self.start < self.end - met {
                    self.start = met + 1;
                } else {
                    self.end = met;
                }
            }
        }
    }

    /// Whether `a < b` in all of the row, or nowhere.
    #[inline(always)]
    pub fn is_less(&mut self, a: Line, b: Line) -> bool {
        let Line { step, first } = Self::difference(a, b);
        if step != 0 {
            self.nothing();
        }
        first > 0
    }

    /// Whether `a == b` in all of the row, or nowhere.
    #[inline(always)]
    pub fn is_equal(&mut self, a: Line, b: Line) -> bool {
        let Line { step, first } = Self::difference(a, b);
        if step != 0 {
            self.nothing();
        }
        first == 0
    }

    /// Keeps the positions at which an index is below the extent of an axis.
    #[inline(always)]
    pub fn below(&mut self, index: Line, shape: &[usize], axis: usize) {
        self.at_least(index, 0);
        let extent = self.extent::<usize>(shape, axis);
        self.at_most(index, extent.first - 1);
    }

    /// An index of a function: a part of a parameter, or nothing, and a number.
    #[inline(always)]
    pub fn moved(&mut self, lines: &[&[Line]], part: Option<(usize, usize)>, by: i64) -> Line {
        let line = match part {
            Some((param, part)) => lines.get(param).and_then(|parts| parts.get(part)).copied(),
            None => Some(ZERO),
        };
        match line.and_then(|line| Some((line.step, line.first.checked_add(by)?))) {
            Some((step, first)) => self.line(step, first),
            None => self.nothing(),
        }
    }

    /// Keeps the positions at which it is below the extent of an axis of a field that the function is lent.
    #[inline(always)]
    pub fn reach(&mut self, index: Line, shapes: &[&[usize]], field: usize, axis: usize) {
        match shapes.get(field) {
            Some(shape) => self.below(index, shape, axis),
            None => _ = self.nothing(),
        }
    }

    /// The same for an index that is a parameter.
    #[inline(always)]
    pub fn reach_whole(&mut self, lines: &[&[Line]], param: usize, shapes: &[&[usize]], field: usize) {
        match (lines.get(param), shapes.get(field)) {
            (Some(parts), Some(shape)) if parts.len() == shape.len() => {
                for (axis, part) in parts.iter().enumerate() {
                    self.below(*part, shape, axis);
                }
            }
            _ => _ = self.nothing(),
        }
    }

    /// A multiple of `by` that is `of` less its remainder, in the middle of what is left; keeps the positions for which it is that.
    #[inline(always)]
    pub fn multiple(&mut self, of: Line, by: Line) -> usize {
        if by.step != 0 || by.first <= 0 || self.start >= self.end {
            self.nothing();
            return 0;
        }
        let middle = self.start + (self.end - self.start) / 2;
        let value = of.step * middle + of.first;
        let multiple = value - value.rem_euclid(by.first);
        self.at_least(of, multiple);
        self.at_most(of, multiple + (by.first - 1));
        match multiple >= 0 {
            true => multiple as usize,
            false => {
                self.nothing();
                0
            }
        }
    }
}

/// What functions of integers ask along a row, of which they are told their arguments. Where an operation has no result, or one that arithmetic takes
/// around, no position is left; of conditions and remainders, which change their value along a row, what is left is the part around the middle.
impl Inside {
    /// A number of any type of integers that does not change along the row.
    #[inline(always)]
    pub fn any<T: Copy + 'static>(&mut self, value: T) -> Line {
        match number(value) {
            Some(first) if first.unsigned_abs() <= POSITIONS as u64 => Line { step: 0, first },
            _ => self.nothing(),
        }
    }

    /// A number that the text tells, in a function or as its argument.
    #[inline(always)]
    pub fn amount(&mut self, number: i64) -> Line {
        match number.unsigned_abs() <= POSITIONS as u64 {
            true => Line { step: 0, first: number },
            false => self.nothing(),
        }
    }

    /// What a function gives, of type `N`.
    #[inline(always)]
    pub fn given<N: 'static>(&mut self, given: Given) -> Line {
        match given.ty == TypeId::of::<N>() {
            true => given.line,
            false => self.nothing(),
        }
    }

    /// Leaves nothing if what a function gives does not grow by this from position to position.
    #[inline(always)]
    pub fn grows(&mut self, given: Given, by: i64) -> Given {
        if given.line.step != by {
            self.nothing();
        }
        given
    }

    /// What a function gives that tells nothing of it.
    #[inline(always)]
    pub fn untold(&mut self) -> Given {
        Given {
            line: self.nothing(),
            ty: TypeId::of::<()>(),
        }
    }

    /// A parameter of type `N`.
    #[inline(always)]
    pub fn parameter<N: 'static>(&mut self, args: &[Line], k: usize) -> Line {
        match args.get(k) {
            Some(line) => {
                let line = self.line(line.step, line.first);
                self.fits::<N>(line)
            }
            None => self.nothing(),
        }
    }

    /// The result, of type `N`.
    #[inline(always)]
    pub fn result<N: 'static>(&mut self, line: Line) -> Given {
        Given {
            line: self.fits::<N>(line),
            ty: TypeId::of::<N>(),
        }
    }

    #[inline(always)]
    fn middle(self) -> i64 {
        self.start + (self.end - self.start).max(0) / 2
    }

    /// Whether `a < b` in the middle; keeps the positions at which it is as there.
    #[inline(always)]
    pub fn decide_less(&mut self, a: Line, b: Line) -> bool {
        let middle = self.middle();
        let holds = a.at(middle) < b.at(middle);
        self.less(a, b, holds);
        holds
    }

    /// Whether `a == b`: where neither is the same as the other all along, they are not.
    #[inline(always)]
    pub fn decide_equal(&mut self, a: Line, b: Line) -> bool {
        let holds = a == b;
        self.equal(a, b, holds);
        holds
    }

    /// The remainder with the sign of `a`.
    #[inline(always)]
    pub fn rem<N: 'static>(&mut self, a: Line, b: Line) -> Line {
        let value = a.at(self.middle());
        self.less_multiple::<N>(a, b, |by| (value - value % by, value < 0))
    }

    /// The remainder that is not below zero.
    #[inline(always)]
    pub fn rem_euclid<N: 'static>(&mut self, a: Line, b: Line) -> Line {
        let value = a.at(self.middle());
        self.less_multiple::<N>(a, b, |by| (value - value.rem_euclid(by), false))
    }

    /// `a` less a multiple of `b`, where what is left is on one side of zero and nearer to it than `b`.
    #[inline(always)]
    fn less_multiple<N: 'static>(&mut self, a: Line, b: Line, multiple: impl FnOnce(i64) -> (i64, bool)) -> Line {
        if !b.is_fixed() || b.first <= 0 {
            return self.nothing();
        }
        let (multiple, below) = multiple(b.first);
        match below {
            true => {
                self.at_most(a, multiple);
                self.at_least(a, multiple - (b.first - 1));
            }
            false => {
                self.at_least(a, multiple);
                self.at_most(a, multiple + (b.first - 1));
            }
        }
        let line = self.line(a.step, a.first - multiple);
        self.fits::<N>(line)
    }

    #[inline(always)]
    pub fn min(&mut self, a: Line, b: Line) -> Line {
        match self.decide_less(a, b) {
            true => a,
            false => b,
        }
    }

    #[inline(always)]
    pub fn max(&mut self, a: Line, b: Line) -> Line {
        match self.decide_less(a, b) {
            true => b,
            false => a,
        }
    }

    /// Nothing where `least` is above `most`.
    #[inline(always)]
    pub fn clamp(&mut self, a: Line, least: Line, most: Line) -> Line {
        self.less(most, least, false);
        let a = self.max(a, least);
        self.min(a, most)
    }

    #[inline(always)]
    pub fn abs<N: 'static>(&mut self, a: Line) -> Line {
        match self.decide_less(a, ZERO) {
            true => self.sub::<N>(ZERO, a),
            false => a,
        }
    }

    /// Zero where a difference would be below it. Nothing where another type of integers would be left.
    #[inline(always)]
    pub fn saturating_sub<N: 'static>(&mut self, a: Line, b: Line) -> Line {
        let signed = range::<N>().is_none_or(|(least, _)| least < 0);
        match !signed && self.decide_less(a, b) {
            true => ZERO,
            false => self.sub::<N>(a, b),
        }
    }

    /// The neighbour beyond the ends of an axis is the first or the last position.
    #[inline(always)]
    pub fn clamped(&mut self, a: Line, by: Line, extent: Line) -> Line {
        let (moved, last) = self.beside(a, by, extent);
        self.clamp(moved, ZERO, last)
    }

    /// The neighbour beyond the ends of an axis is that of the other end.
    #[inline(always)]
    pub fn periodic<N: 'static>(&mut self, a: Line, by: Line, extent: Line) -> Line {
        let (moved, _) = self.beside(a, by, extent);
        self.rem_euclid::<N>(moved, extent)
    }

    /// A neighbour, and the last position of the axis.
    #[inline(always)]
    fn beside(&mut self, a: Line, by: Line, extent: Line) -> (Line, Line) {
        let last = self.line(extent.step, extent.first - 1);
        // Only there the rule is what the caller makes of both.
        self.less(ZERO, extent, true);
        (self.line(a.step + by.step, a.first + by.first), last)
    }
}

/// The least and the largest number of a type of integers. For those of 64 bits more than any line has.
#[inline(always)]
fn range<N: 'static>() -> Option<(i64, i64)> {
    macro_rules! range {
        ($($t:ty: $range:expr,)*) => {$(
            if TypeId::of::<N>() == TypeId::of::<$t>() {
                return Some($range);
            }
        )*};
    }
    range! {
        usize: (0, MOST_RANGE),
        i32: (i64::from(i32::MIN), i64::from(i32::MAX)),
        u32: (0, i64::from(u32::MAX)),
        i64: (-MOST_RANGE, MOST_RANGE),
        u64: (0, MOST_RANGE),
        isize: (-MOST_RANGE, MOST_RANGE),
        i16: (i64::from(i16::MIN), i64::from(i16::MAX)),
        u16: (0, i64::from(u16::MAX)),
        i8: (i64::from(i8::MIN), i64::from(i8::MAX)),
        u8: (0, i64::from(u8::MAX)),
    }
    None
}

/// An integer, if it is one and below 2^63.
#[inline(always)]
fn number<T: Copy + 'static>(value: T) -> Option<i64> {
    let value: &dyn Any = &value;
    macro_rules! number {
        ($($t:ty)*) => {$(
            if let Some(value) = value.downcast_ref::<$t>() {
                return i64::try_from(*value).ok();
            }
        )*};
    }
    number!(usize i32 u32 i64 u64 isize i16 u16 i8 u8);
    None
}

/// A table. Methods of its own come before those of [`AnyTable`], so that what is no table of ours has no items instead of an error.
#[derive(Clone, Copy, Debug)]
pub struct Table<'t, A>(pub &'t A);

impl<'t, T, const N: usize> Table<'t, [T; N]> {
    #[inline(always)]
    #[must_use]
    pub fn __items(self) -> &'t [T] {
        self.0
    }

    #[inline(always)]
    #[must_use]
    pub fn __length(self) -> Option<usize> {
        Some(N)
    }
}

impl<'t, T, const N: usize> Table<'t, Vector<T, N>> {
    #[inline(always)]
    #[must_use]
    pub fn __items(self) -> &'t [T] {
        &self.0.0
    }
}

/// Whatever else.
pub trait AnyTable: Sized {
    /// Nothing that is a number.
    #[inline(always)]
    fn __items(self) -> &'static [()] {
        &[]
    }

    /// None that we know.
    #[inline(always)]
    fn __length(self) -> Option<usize> {
        None
    }
}

impl<A> AnyTable for Table<'_, A> {}

/// The least of some numbers, or the largest; `None` if one is none, or they are not a few.
#[inline(always)]
fn end<'a, T: Copy + 'static>(
    items: impl Iterator<Item = &'a T>,
    number: impl Fn(T) -> Option<i64>,
    most: bool,
) -> Option<i64> {
    let mut end = None;
    for (k, item) in items.enumerate() {
        if k == MOST_ITEMS {
            return None;
        }
        let number = number(*item)?;
        end = Some(match end {
            Some(end) if (number > end) != most => end,
            _ => number,
        });
    }
    end
}

/// What a number is that is cast to any type of integers that has room for it.
#[inline(always)]
fn cast_number<T: Copy + 'static>(value: T) -> Option<i64> {
    match (&value as &dyn Any).downcast_ref::<bool>() {
        Some(truth) => Some(i64::from(*truth)),
        None => truncated(value).or_else(|| number(value)),
    }
}

/// The integer that a float is cast to, if it is one.
#[inline(always)]
fn truncated<T: Copy + 'static>(value: T) -> Option<i64> {
    let value: &dyn Any = &value;
    let single = value.downcast_ref::<f32>().map(|value| *value as i64);
    single.or_else(|| value.downcast_ref::<f64>().map(|value| *value as i64))
}

/// What an operation is in the inside of rows, where its operands are of the types that were asked for: for others the inside has no positions.
/// Each function is given the operands and a closure of the operation, for its types. It panics for other types.
pub mod within {
    #![allow(clippy::missing_panics_doc)]

    use super::cast;

    #[inline(always)]
    pub fn first<A: Copy + 'static, B, R: Copy + 'static>(a: A, _: B, _: impl FnOnce(A, B) -> R) -> R {
        cast(a)
    }

    #[inline(always)]
    pub fn second<A, B: Copy + 'static, R: Copy + 'static>(_: A, b: B, _: impl FnOnce(A, B) -> R) -> R {
        cast(b)
    }

    #[inline(always)]
    pub fn difference<A: Copy + 'static, B: Copy + 'static, R: Copy + 'static>(
        a: A,
        b: B,
        _: impl FnOnce(A, B) -> R,
    ) -> R {
        cast(cast::<A, usize>(a) - cast::<B, usize>(b))
    }

    /// By a method of [`Boundary`](crate::math::Boundary), which is given an extent, too.
    #[inline(always)]
    pub fn moved<A: Copy + 'static, B: Copy + 'static, C, R: Copy + 'static>(
        a: A,
        (b, _): (B, C),
        _: impl FnOnce(A, (B, C)) -> R,
    ) -> R {
        cast(cast::<A, usize>(a).wrapping_add_signed(cast::<B, i32>(b) as isize))
    }

    // The neighbours by the methods of [`Boundary`](crate::math::Boundary), of a position of the axis, not farther than once around.
    macro_rules! around {
        ($($rule:ident($moved:ident, $extent:ident): $below:expr, $above:expr;)*) => {$(
            #[inline(always)]
            pub fn $rule<A: Copy + 'static, B: Copy + 'static, C: Copy + 'static, R: Copy + 'static>(
                a: A,
                (b, extent): (B, C),
                _: impl FnOnce(A, (B, C)) -> R,
            ) -> R {
                let $extent = cast::<C, usize>(extent).cast_signed();
                let $moved = cast::<A, usize>(a).cast_signed() + cast::<B, i32>(b) as isize;
                let above = if $moved < $extent { $moved } else { $above };
                cast((if $moved < 0 { $below } else { above }).cast_unsigned())
            }
        )*};
    }

    around! {
        clamped(moved, extent): 0, extent - 1;
        periodic(moved, extent): moved + extent, moved - extent;
        reflected(moved, extent): -moved, 2 * (extent - 1) - moved;
        symmetric(moved, extent): -1 - moved, 2 * extent - 1 - moved;
    }

    #[inline(always)]
    pub fn rest<A: Copy + 'static, B: Copy + 'static, R: Copy + 'static>(a: A, b: B, _: impl FnOnce(A, B) -> R) -> R {
        let (a, b) = (cast::<A, usize>(a), cast::<B, usize>(b));
        let a = if a >= b { a - b } else { a };
        cast(if a >= b { a - b } else { a })
    }

    /// The number as one of the type that the closure tells.
    #[inline(always)]
    pub fn like<R: Copy + 'static>(_: impl FnOnce() -> R, number: usize) -> R {
        cast(number)
    }

    /// An integer as one of the type of an index, modulo its range; 0 for what is none.
    // Not by `number`, which compares with its range: LLVM would not see that neighbouring positions have neighbouring elements.
    #[inline(always)]
    pub fn index<A: Copy + 'static>(a: A) -> usize {
        macro_rules! of {
            ($($integer:ty)*) => {$(
                if let Some(a) = (&a as &dyn std::any::Any).downcast_ref::<$integer>() {
                    return *a as usize;
                }
            )*};
        }
        of!(usize isize u8 i8 u16 i16 u32 i32 u64 i64);
        0
    }

    #[inline(always)]
    pub fn less<A: Copy + 'static, B, R: Copy + 'static>(a: A, _: B, multiple: usize, _: impl FnOnce(A, B) -> R) -> R {
        cast(cast::<A, usize>(a) - multiple)
    }
}

#[inline(always)]
fn cast<A: Copy + 'static, B: Copy + 'static>(a: A) -> B {
    let a: &dyn Any = &a;
    *a.downcast_ref().expect("a number of the type that was asked for")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers beside zero and beside the length of the row.
    fn lines() -> Vec<Line> {
        let mut lines = Vec::new();
        for step in [-3, -2, -1, 0, 1, 2, 3, 7] {
            for first in [-101, -50, -7, -1, 0, 1, 2, 3, 26, 39, 40, 41, 100, 120] {
                lines.push(Line { step, first });
            }
        }
        lines
    }

    fn at(line: Line, position: i64) -> i64 {
        line.step * position + line.first
    }

    const ROWS: [Range<usize>; 3] = [0..40, 5..46, 100..140];

    /// What is kept is what holds, as one part; nothing that holds on one side of what does not is lost but the shorter part.
    fn check(row: &Range<usize>, inside: Inside, all: bool, holds: impl Fn(i64) -> bool) {
        let kept = inside.range(row);
        assert!(kept.is_empty() || (row.start <= kept.start && kept.end <= row.end));
        assert!(kept.clone().all(|p| holds(p as i64)));
        if all {
            assert_eq!(kept.len(), row.clone().filter(|p| holds(*p as i64)).count());
        }
    }

    #[test]
    fn comparisons_hold_in_what_is_left() {
        for row in ROWS {
            for a in lines() {
                for b in lines() {
                    for holds in [true, false] {
                        let mut inside = Inside::new(&row);
                        inside.less(a, b, holds);
                        check(&row, inside, true, |p| (at(a, p) < at(b, p)) == holds);
                        let mut inside = Inside::new(&row);
                        inside.equal(a, b, holds);
                        check(&row, inside, holds, |p| (at(a, p) == at(b, p)) == holds);
                        let met = row.clone().filter(|p| at(a, *p as i64) == at(b, *p as i64)).count();
                        assert!(holds || met > 1 || inside.range(&row).len() >= (row.len() - met) / 2);
                    }
                    let mut inside = Inside::new(&row);
                    let (less, equal) = (inside.is_less(a, b), inside.is_equal(a, b));
                    check(&row, inside, false, |p| {
                        (less, equal) == (at(a, p) < at(b, p), at(a, p) == at(b, p))
                    });
                }
            }
        }
    }

    #[test]
    fn arithmetic_is_that_of_numbers() {
        for row in ROWS {
            for a in lines() {
                for b in lines() {
                    let mut inside = Inside::new(&row);
                    let sum = inside.add::<isize>(a, b);
                    check(&row, inside, true, |p| at(sum, p) == at(a, p) + at(b, p));
                    let mut inside = Inside::new(&row);
                    let difference = inside.sub::<usize>(a, b);
                    let number = |p| at(a, p) - at(b, p);
                    check(&row, inside, false, |p| {
                        at(difference, p) == number(p) && number(p) >= 0
                    });
                    let mut inside = Inside::new(&row);
                    let product = inside.mul::<isize>(a, b);
                    check(&row, inside, false, |p| at(product, p) == at(a, p) * at(b, p));
                    let one = a.step == 0 || b.step == 0;
                    let small = (a.step * b.first + b.step * a.first).abs() <= MOST_STEP;
                    assert_eq!(!inside.range(&row).is_empty(), one && small);
                    let mut inside = Inside::new(&row);
                    let multiple = inside.multiple(a, b) as i64;
                    check(&row, inside, false, |p| {
                        let (a, b) = (at(a, p), at(b, p));
                        a - multiple == a.rem_euclid(b) && multiple <= a
                    });
                }
                let mut inside = Inside::new(&row);
                let quotient = inside.div::<i64>(a, 7);
                check(&row, inside, a.step == 0, |p| at(quotient, p) == at(a, p) / 7);
                let mut inside = Inside::new(&row);
                inside.below(a, &[9, 41], 1);
                check(&row, inside, true, |p| (0..41).contains(&at(a, p)));
                inside.below(a, &[9, 41], 2);
                assert!(inside.range(&row).is_empty());
            }
        }
    }

    /// What functions of integers ask: at all positions that are left, numbers are those of Rust's own operations, and the middle is left if it has a number.
    #[test]
    fn operations_are_those_of_numbers() {
        type Ask = fn(&mut Inside, Line, Line) -> Line;
        type Number = fn(i64, i64) -> Option<i64>;
        let operations: [(Ask, Number); 8] = [
            (Inside::rem::<i32>, |a, b| (b > 0).then(|| a % b)),
            (Inside::rem_euclid::<i64>, |a, b| (b > 0).then(|| a.rem_euclid(b))),
            (Inside::min, |a, b| Some(a.min(b))),
            (Inside::max, |a, b| Some(a.max(b))),
            (|inside, a, _| inside.abs::<isize>(a), |a, _| Some(a.abs())),
            (Inside::saturating_sub::<u32>, |a, b| Some((a - b).max(0))),
            (
                |inside, a, b| inside.clamp(a, ZERO, b),
                |a, b| (b >= 0).then(|| a.clamp(0, b)),
            ),
            (
                |inside, a, b| {
                    let below = inside.decide_less(a, b);
                    let same = inside.decide_equal(a, b);
                    Line::number(2 * i64::from(below) + i64::from(same))
                },
                |a, b| Some(2 * i64::from(a < b) + i64::from(a == b)),
            ),
        ];
        for (k, (ask, number)) in operations.into_iter().enumerate() {
            let mut kept = 0;
            for row in ROWS {
                for a in lines() {
                    for b in lines() {
                        let mut inside = Inside::new(&row);
                        let line = ask(&mut inside, a, b);
                        kept += inside.range(&row).len();
                        check(&row, inside, false, |p| Some(at(line, p)) == number(at(a, p), at(b, p)));
                        // Of numbers that do not change nothing is lost.
                        if a.is_fixed() && b.is_fixed() && number(a.first, b.first).is_some() {
                            assert_eq!(inside.range(&row).len(), row.len(), "{k}: {a:?}, {b:?}");
                        }
                    }
                }
            }
            assert!(kept > 10_000, "{k}: {kept}");
        }
    }

    #[test]
    fn neighbours_are_those_of_the_rules() {
        use crate::math::Boundary;
        for row in ROWS {
            for by in [-45, -40, -3, -1, 0, 1, 2, 39, 80] {
                for extent in [0, 1, 2, 39, 40, 41, 100, 150] {
                    let (a, offset, end) = (
                        Line { step: 1, first: 0 },
                        Line::number(by),
                        Line::number(extent as i64),
                    );
                    let mut inside = Inside::new(&row);
                    let line = inside.periodic::<usize>(a, offset, end);
                    let number = |p: i64| (p as usize).periodic(by as i32, extent);
                    check(&row, inside, false, |p| at(line, p) == number(p) as i64);
                    let mut inside = Inside::new(&row);
                    let line = inside.clamped(a, offset, end);
                    let number = |p: i64| (p as usize).clamped(by as i32, extent);
                    check(&row, inside, false, |p| at(line, p) == number(p) as i64);
                    assert_eq!(inside.range(&row).is_empty(), extent == 0);
                }
            }
        }
    }

    #[test]
    fn what_functions_give_has_a_type_and_a_step() {
        let row = 3..300;
        let left = |ask: &dyn Fn(&mut Inside)| {
            let mut inside = Inside::new(&row);
            ask(&mut inside);
            inside.range(&row).len()
        };
        let along = Line { step: 1, first: -9 };
        assert_eq!(left(&|inside| _ = inside.parameter::<i32>(&[along], 0)), 297);
        assert_eq!(left(&|inside| _ = inside.parameter::<usize>(&[along], 0)), 291);
        assert_eq!(left(&|inside| _ = inside.parameter::<u8>(&[along], 0)), 256);
        assert_eq!(left(&|inside| _ = inside.parameter::<f32>(&[along], 0)), 0);
        assert_eq!(left(&|inside| _ = inside.parameter::<i32>(&[along], 1)), 0);
        assert_eq!(left(&|inside| _ = inside.any(-7_i16)), 297);
        assert_eq!(left(&|inside| _ = inside.any(7.0_f64)), 0);
        let given = |of: fn(&mut Inside, Given) -> Line| {
            left(&|inside| {
                let given = inside.result::<i32>(along);
                of(inside, given);
            })
        };
        assert_eq!(given(|inside, given| inside.given::<i32>(given)), 297);
        assert_eq!(given(|inside, given| inside.given::<usize>(given)), 0);
        assert_eq!(given(|inside, given| inside.grows(given, 1).line()), 297);
        assert_eq!(given(|inside, given| inside.grows(given, 0).line()), 0);
        assert_eq!(left(&|inside| _ = inside.untold()), 0);
        let mut inside = Inside::new(&row);
        assert_eq!(inside.result::<i32>(along).at_zero(1, 0_usize), usize::MAX - 8);
        assert_eq!(inside.result::<i32>(along).at_zero(1, 5_usize), usize::MAX - 13);
        assert_eq!(inside.result::<i32>(along).at_zero(-2, 5_usize), 1);
    }

    #[test]
    fn what_is_no_index_leaves_nothing() {
        let row = 3..300;
        let left = |ask: &dyn Fn(&mut Inside)| {
            let mut inside = Inside::new(&row);
            ask(&mut inside);
            inside.range(&row).len()
        };
        assert_eq!(left(&|_| ()), 297);
        assert_eq!(left(&|inside| _ = inside.value::<usize, _>(7_usize)), 297);
        assert_eq!(left(&|inside| _ = inside.value::<usize, _>(7_u64)), 0);
        assert_eq!(left(&|inside| _ = inside.value::<usize, _>(7_i32)), 0);
        assert_eq!(left(&|inside| _ = inside.value::<usize, _>(usize::MAX)), 0);
        assert_eq!(left(&|inside| _ = inside.value::<usize, _>((1_usize << 52) + 1)), 0);
        assert_eq!(left(&|inside| _ = inside.position::<usize, _>(|k| k + 5)), 297);
        assert_eq!(left(&|inside| _ = inside.position::<usize, _>(|k| [k])), 0);
        assert_eq!(left(&|inside| _ = inside.position::<usize, _>(|k| k as i32)), 0);
        assert_eq!(left(&|inside| _ = inside.position::<i32, _>(|k| k as i32)), 0);
        assert_eq!(left(&|inside| _ = inside.position::<i32, _>(|k| k)), 0);
        assert_eq!(left(&|inside| _ = inside.value::<i32, _>(-7_i32)), 297);
        assert_eq!(left(&|inside| _ = inside.value::<i32, _>(7_u32)), 0);
        assert_eq!(left(&|inside| _ = inside.value::<f32, _>(7.0_f32)), 0);
        assert_eq!(left(&|inside| inside.typed::<u8, _>(&3_u8)), 297);
        assert_eq!(left(&|inside| inside.typed::<u8, _>(&3_usize)), 0);
        assert_eq!(left(&|inside| inside.typed::<bool, _>(&true)), 0);
        assert_eq!(left(&|inside| _ = inside.value::<u64, _>(u64::MAX)), 0);
        assert_eq!(left(&|inside| _ = inside.cast::<usize, _>(u64::MAX)), 0);
        assert_eq!(left(&|inside| _ = inside.cast::<usize, _>(-1_i32)), 0);
        assert_eq!(left(&|inside| _ = inside.cast::<u8, _>(256_i32)), 0);
        assert_eq!(left(&|inside| _ = inside.cast::<u8, _>(255.9_f32)), 297);
        assert_eq!(left(&|inside| _ = inside.cast::<u8, _>(256.0_f64)), 0);
        assert_eq!(left(&|inside| _ = inside.cast::<usize, _>(f64::INFINITY)), 0);
        assert_eq!(left(&|inside| _ = inside.cast::<usize, _>("2")), 0);
        assert_eq!(left(&|inside| _ = inside.number::<u8>(255)), 297);
        assert_eq!(left(&|inside| _ = inside.number::<u8>(256)), 0);
        assert_eq!(left(&|inside| _ = inside.number::<f64>(1)), 0);
        let large = |inside: &mut Inside| {
            let large = inside.value::<usize, _>(1_usize << 52);
            let product = inside.mul::<usize>(large, large);
            inside.add::<usize>(product, large);
        };
        assert_eq!(left(&large), 0);
        assert_eq!(
            left(&|inside| {
                let large = inside.value::<usize, _>(1_usize << 40);
                inside.mul::<usize>(large, large);
            }),
            0
        );
        for (least, kept) in [(23, 23), (24, 0)] {
            assert_eq!(Inside::of(Inside::ALL, &(0..23), least).range(&(0..23)).len(), kept);
        }
        let far = usize::MAX - 100..usize::MAX;
        assert_eq!(Inside::new(&far).range(&far), far.start..far.start);
    }

    #[test]
    fn positions_are_at_most_the_limit() {
        for (start, kept) in [(0, 400), (POSITIONS - 100, 101), (POSITIONS, 1), (POSITIONS + 1, 0)] {
            let mut inside = Inside::new(&(0..400));
            inside.position::<usize, usize>(|k| start + k);
            assert_eq!(inside.range(&(0..400)).len(), kept, "{start}");
        }
    }

    #[test]
    #[allow(clippy::cast_nan_to_int)]
    fn casts_are_those_of_rust() {
        macro_rules! check {
            ($($value:expr => $to:ty,)*) => {$({
                let mut inside = Inside::new(&(0..400));
                assert_eq!(inside.cast::<$to, _>($value), Line { step: 0, first: $value as i64 });
                assert_eq!($value as i64, ($value as $to) as i64);
                assert_eq!(inside.range(&(0..400)).len(), 400);
            })*};
        }
        check! {
            -7_i32 => i8, 7_u64 => usize, 200_u8 => i16, true => usize, false => i32, -7.9_f32 => i32, 0.5_f64 => u8,
            f32::NAN => usize, 1e12_f64 => u64,
        }
    }

    #[test]
    fn numbers_of_other_types_stay_in_their_range() {
        /// Kept is what is a number of the type.
        fn fits<N: TryFrom<i64> + 'static>() {
            for row in [0..400, 250..300, 127..200] {
                for a in lines() {
                    let mut inside = Inside::new(&row);
                    let line = inside.fits::<N>(a);
                    assert_eq!(line, a);
                    check(&row, inside, true, |p| N::try_from(at(a, p)).is_ok());
                    for b in lines() {
                        let mut inside = Inside::new(&row);
                        let line = inside.sub::<N>(a, b);
                        check(&row, inside, false, |p| {
                            let difference = at(a, p) - at(b, p);
                            at(line, p) == difference && N::try_from(difference).is_ok()
                        });
                    }
                }
            }
        }
        fits::<i8>();
        fits::<u8>();
        fits::<i16>();
        fits::<u16>();
        fits::<i32>();
        fits::<u32>();
        fits::<i64>();
        fits::<u64>();
        fits::<isize>();
        fits::<usize>();
        let mut inside = Inside::new(&(0..400));
        let sum = inside.add::<i8>(Line { step: 1, first: 0 }, Line { step: 0, first: 100 });
        assert_eq!((sum, inside.range(&(0..400))), (Line { step: 1, first: 100 }, 0..28));
    }
}
