//! Random expressions against arrays of `ndarray`, step by step: each operation is a pass of its own, with an array between.

use std::error::Error;
use std::fmt::Debug;

use ndarray::{ArrayD, Axis, IxDyn};
use swathe::__rt::Position;
use swathe::{Device, Element, Field, FieldLayout, Vec2};

/// Computes one expression both ways, and compares.
pub type Case = fn(&mut Bench) -> Result<(), Box<dyn Error>>;

/// A field, and an array of the same elements.
pub type Operand<T, const D: usize, L> = (Field<T, D, L>, ArrayD<T>);

/// Where an expression is computed, and the numbers that its operands have.
pub struct Bench {
    device: Device,
    state: u64,
}

impl Bench {
    /// On a device, for a seed.
    #[must_use]
    pub fn new(device: &Device, seed: u64) -> Bench {
        Bench {
            device: device.clone(),
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    /// Where it is computed.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// A field of random elements, and an array of the same.
    ///
    /// # Errors
    /// Those of memory.
    pub fn operand<T: Sample, const D: usize, L: FieldLayout>(
        &mut self,
        shape: [usize; D],
    ) -> Result<Operand<T, D, L>, Box<dyn Error>>
    where
        [usize; D]: Position<D>,
    {
        let count: usize = shape.iter().product();
        let values: Vec<T> = (0..count).map(|_| T::sample(self.next())).collect();
        let array = ArrayD::from_shape_vec(IxDyn(&shape), values)?;
        let mut field = Field::<T, D>::zeros_in(&self.device, shape, L::default())?;
        let whole = Field::from_vec(&self.device, array.iter().copied().collect())?;
        field.view_mut()?.copy_from(&whole.reshape(shape)?)?;
        Ok((field, array))
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }
}

/// A type of elements.
pub trait Sample: Element + Debug {
    /// One of few values, so that many are equal.
    fn sample(from: u64) -> Self;

    /// Equal, or both NaN.
    fn is(&self, other: &Self) -> bool;
}

/// One that is added up and compared.
pub trait Number: Sample + PartialOrd {
    /// How far a sum may be off, of the sum of all sizes: of integers nothing, since they wrap.
    const ERROR: f64;

    /// The sum of two.
    fn plus(self, other: Self) -> Self;

    /// To compare it.
    fn number(self) -> f64;
}

/// What elements are joined to.
pub trait Joined: Sample {
    /// Whether it is a result, or a sum of these that is as near as sums are.
    fn near(self, result: Self, of: &mut dyn Iterator<Item = Self>) -> bool;
}

impl<T: Number> Joined for T {
    fn near(self, result: T, of: &mut dyn Iterator<Item = T>) -> bool {
        let sizes: f64 = of.map(|x| x.number().abs()).sum();
        let near = (self.number() - result.number()).abs() <= T::ERROR * sizes;
        // Whether infinities meet depends on the order.
        let depends = sizes > 1e30;
        T::ERROR > 0.0 && (near || depends) || self.is(&result)
    }
}

impl Joined for bool {
    fn near(self, result: bool, _: &mut dyn Iterator<Item = bool>) -> bool {
        self == result
    }
}

macro_rules! samples {
    ($($t:ty: |$from:ident| $value:expr;)*) => {$(
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
        impl Sample for $t {
            fn sample($from: u64) -> $t {
                $value
            }

            #[allow(clippy::eq_op, clippy::float_cmp)]
            fn is(&self, other: &$t) -> bool {
                self == other || (self != self && other != other)
            }
        }
    )*};
}
samples! {
    f64: |from| (from % 41) as f64 / 4.0 - 5.0;
    f32: |from| (from % 41) as f32 / 4.0 - 5.0;
    i32: |from| match from % 19 {
        17 => i32::MIN,
        18 => i32::MAX,
        small => small as i32 - 8,
    };
    u64: |from| from % 23;
    bool: |from| from.is_multiple_of(2);
    Vec2: |from| Vec2::new((from % 9) as f32 / 2.0 - 2.0, (from / 9 % 9) as f32 / 4.0 - 1.0);
}

macro_rules! numbers {
    ($($t:ident $error:literal |$a:ident, $b:ident| $plus:expr;)*) => {$(
        #[allow(clippy::cast_precision_loss, clippy::cast_lossless, clippy::unnecessary_cast)]
        impl Number for $t {
            const ERROR: f64 = $error;

            fn plus(self, other: $t) -> $t {
                let ($a, $b) = (self, other);
                $plus
            }

            fn number(self) -> f64 {
                self as f64
            }
        }
    )*};
}
numbers! {
    f64 1e-13 |a, b| a + b;
    f32 1e-5 |a, b| a + b;
    i32 0.0 |a, b| a.wrapping_add(b);
    u64 0.0 |a, b| a.wrapping_add(b);
}

/// An operation with one operand, as a pass of its own.
pub fn map1<A: Copy, R: Copy>(a: &ArrayD<A>, f: fn(A) -> R) -> ArrayD<R> {
    a.mapv(f)
}

/// The same with two, whose shapes join by NumPy's rule.
///
/// # Panics
/// If they do not.
pub fn map2<A: Copy, B: Copy, R: Copy>(a: &ArrayD<A>, b: &ArrayD<B>, f: fn(A, B) -> R) -> ArrayD<R> {
    let shape = joined(a.shape(), b.shape());
    let (a, b) = (a.broadcast(shape.clone()), b.broadcast(shape));
    let (a, b) = (a.expect("shapes that join"), b.expect("shapes that join"));
    ndarray::Zip::from(&a).and(&b).map_collect(|a, b| f(*a, *b))
}

/// The same with three.
///
/// # Panics
/// If they do not.
pub fn map3<A: Copy, B: Copy, C: Copy, R: Copy>(
    a: &ArrayD<A>,
    b: &ArrayD<B>,
    c: &ArrayD<C>,
    f: fn(A, B, C) -> R,
) -> ArrayD<R> {
    let pairs = map2(a, b, |a, b| (a, b));
    let shape = joined(pairs.shape(), c.shape());
    let (pairs, c) = (pairs.broadcast(shape.clone()), c.broadcast(shape));
    let (pairs, c) = (pairs.expect("shapes that join"), c.expect("shapes that join"));
    ndarray::Zip::from(&pairs)
        .and(&c)
        .map_collect(|(a, b), c| f(*a, *b, *c))
}

/// A value, which has no axes.
pub fn value<T: Copy>(value: T) -> ArrayD<T> {
    ArrayD::from_elem(IxDyn(&[]), value)
}

/// The positions along an axis of a shape.
pub fn positions(shape: &[usize], axis: usize) -> ArrayD<u64> {
    ArrayD::from_shape_fn(IxDyn(shape), |at| at[axis] as u64)
}

fn joined(a: &[usize], b: &[usize]) -> IxDyn {
    let rank = a.len().max(b.len());
    let length = |of: &[usize], k: usize| (k + of.len()).checked_sub(rank).map_or(1, |k| of[k]);
    let axes: Vec<usize> = (0..rank)
        .map(|k| match (length(a, k), length(b, k)) {
            (1, other) | (other, 1) => other,
            (same, _) => same,
        })
        .collect();
    IxDyn(&axes)
}

/// Whether a field, or a part of one, has an array's elements, repeated to its shape.
///
/// # Errors
/// Says where it differs.
pub fn same<T: Sample, const D: usize>(
    shape: [usize; D],
    got: &[T],
    expected: &ArrayD<T>,
) -> Result<(), Box<dyn Error>> {
    let whole = expected.broadcast(IxDyn(&shape));
    let whole = whole.ok_or_else(|| format!("shape {shape:?}, expected {:?}", expected.shape()))?;
    if got.len() != whole.len() {
        return Err(format!("{} elements, expected {}", got.len(), whole.len()).into());
    }
    match got
        .iter()
        .zip(&whole)
        .enumerate()
        .find(|(_, (got, expected))| !got.is(expected))
    {
        Some((k, (got, expected))) => Err(format!("element {k} of {shape:?} is {got:?}, expected {expected:?}").into()),
        None => Ok(()),
    }
}

/// Whether it is the sum of an array's elements.
///
/// # Errors
/// Says what it should be.
pub fn total<T: Number>(got: T, expected: &ArrayD<T>) -> Result<(), Box<dyn Error>> {
    match expected.iter().copied().reduce(T::plus) {
        Some(sum) if got.near(sum, &mut expected.iter().copied()) => Ok(()),
        Some(sum) => is(got, sum),
        None => is(got.number(), 0.0),
    }
}

/// Whether they are what an array's elements along an axis are joined to: of floats, their sums.
///
/// # Errors
/// Says what differs.
pub fn along<T: Joined>(
    got: &ArrayD<T>,
    expected: &ArrayD<T>,
    axis: usize,
    start: T,
    join: fn(T, T) -> T,
) -> Result<(), Box<dyn Error>> {
    let results = expected.map_axis(Axis(axis), |line| line.iter().copied().fold(start, join));
    if got.shape() != results.shape() {
        return Err(format!("shape {:?}, expected {:?}", got.shape(), results.shape()).into());
    }
    for ((got, result), line) in got.iter().zip(&results).zip(expected.lanes(Axis(axis))) {
        T::near(*got, *result, &mut line.iter().copied())
            .then_some(())
            .ok_or_else(|| format!("along axis {axis}: {got:?}, expected {result:?}"))?;
    }
    Ok(())
}

/// Whether it is the element that is before all others.
///
/// # Errors
/// Says what it should be.
pub fn extreme<T: Number>(
    got: Option<T>,
    expected: &ArrayD<T>,
    before: fn(T, T) -> bool,
) -> Result<(), Box<dyn Error>> {
    let numbers = expected.iter().copied().filter(|x| !x.number().is_nan());
    let first = numbers.reduce(|a, b| if before(b, a) { b } else { a });
    match (got, first) {
        (Some(got), Some(first)) => is(got, first),
        // Of NaN alone: NaN, or what is least or greatest of all.
        (Some(_), None) if !expected.is_empty() => Ok(()),
        (None, None) => Ok(()),
        (got, first) => Err(format!("{got:?}, expected {first:?}").into()),
    }
}

/// Whether they are the same.
///
/// # Errors
/// Says what it should be.
pub fn is<T: Sample>(got: T, expected: T) -> Result<(), Box<dyn Error>> {
    match got.is(&expected) {
        true => Ok(()),
        false => Err(format!("{got:?}, expected {expected:?}").into()),
    }
}
