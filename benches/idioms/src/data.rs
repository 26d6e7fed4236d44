//! Arrays that exist twice: as a field for kernels and as a vector for Rust by hand.

use swathe::{Aos, Device, Element, Field, FieldLayout, Matrix, Result, Vector};

/// How large the arrays are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// About a megabyte.
    Usual,
    /// Larger than the caches.
    Large,
}

impl Size {
    pub fn of<T>(self, usual: T, large: T) -> T {
        match self {
            Size::Usual => usual,
            Size::Large => large,
        }
    }

    /// Elements of a long array.
    pub fn n(self) -> usize {
        self.of((1 << 18) + 7, (1 << 24) + 7)
    }

    /// Rows and columns of a plane.
    pub fn plane(self) -> [usize; 2] {
        self.of([512, 515], [4096, 4099])
    }

    /// Shape of a volume.
    pub fn volume(self) -> [usize; 3] {
        self.of([60, 64, 68], [250, 256, 260])
    }
}

/// The multiples of the golden ratio's inverse, modulo 1.
pub fn weyl(i: usize) -> f32 {
    ((i as u32).wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0
}

/// Integer hash by C. Wellons.
pub fn hash(i: usize) -> u32 {
    let x = i as u32;
    let x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    let x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// A number in 0..1 from a hash.
pub fn random(i: usize) -> f32 {
    (hash(i) >> 8) as f32 / 16_777_216.0
}

/// An element as numbers that can be compared.
pub trait Numbers: Copy {
    fn numbers(&self, out: &mut Vec<f64>);
}

macro_rules! scalars {
    ($($scalar:ty),*) => {$(
        impl Numbers for $scalar {
            fn numbers(&self, out: &mut Vec<f64>) {
                out.push(*self as f64);
            }
        }
    )*};
}

scalars!(f32, f64, u8, u32, i32, u64);

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn numbers(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|x| x.numbers(out));
    }
}

impl<T: Numbers, const N: usize> Numbers for Vector<T, N> {
    fn numbers(&self, out: &mut Vec<f64>) {
        self.to_array().numbers(out);
    }
}

impl<T: Numbers, const R: usize, const C: usize> Numbers for Matrix<T, R, C> {
    fn numbers(&self, out: &mut Vec<f64>) {
        self.to_array().numbers(out);
    }
}

/// An array as a field and as a vector.
pub struct Twin<T: Element, const D: usize = 1, L: FieldLayout = Aos> {
    pub field: Field<T, D, L>,
    pub plain: Vec<T>,
    /// What it holds at first, if that changes.
    start: Option<Vec<T>>,
}

/// What is only read.
pub fn input<T: Element, const D: usize, L: FieldLayout>(
    shape: [usize; D],
    value: impl FnMut(usize) -> T,
) -> Result<Twin<T, D, L>> {
    let plain: Vec<T> = (0..shape.iter().product()).map(value).collect();
    let mut field = Field::zeros_in(&Device::cpu(), shape, L::default())?;
    field.copy_from_slice(&plain)?;
    Ok(Twin {
        field,
        plain,
        start: None,
    })
}

/// What is written.
pub fn state<T: Element, const D: usize, L: FieldLayout>(
    shape: [usize; D],
    value: impl FnMut(usize) -> T,
) -> Result<Twin<T, D, L>> {
    let twin = input(shape, value)?;
    Ok(Twin {
        start: Some(twin.plain.clone()),
        ..twin
    })
}

/// What is written, of elements without a value at first.
pub fn output<T: Element + Default, const D: usize, L: FieldLayout>(shape: [usize; D]) -> Result<Twin<T, D, L>> {
    state(shape, |_| T::default())
}

/// A [`Twin`] of any type.
pub trait Array {
    fn len(&self) -> usize;

    /// Both as they were at first.
    fn reset(&mut self) -> Result<()>;

    /// The largest difference, and the largest number.
    fn compare(&self) -> Result<[f64; 2]>;
}

impl<T: Element + Numbers, const D: usize, L: FieldLayout> Array for Twin<T, D, L> {
    fn len(&self) -> usize {
        self.plain.len()
    }

    fn reset(&mut self) -> Result<()> {
        if let Some(start) = &self.start {
            self.field.copy_from_slice(start)?;
            self.plain.copy_from_slice(start);
        }
        Ok(())
    }

    fn compare(&self) -> Result<[f64; 2]> {
        let numbers = |values: &[T]| {
            let mut out = Vec::new();
            values.iter().for_each(|x| x.numbers(&mut out));
            out
        };
        Ok(compare(&numbers(&self.field.to_vec()?), &numbers(&self.plain)))
    }
}

/// The largest difference, infinite beside what is no number, and the largest number.
pub fn compare(got: &[f64], expected: &[f64]) -> [f64; 2] {
    let off = |(g, e): (&f64, &f64)| {
        let off = (g - e).abs();
        if off.is_nan() { f64::INFINITY } else { off }
    };
    let difference = got.iter().zip(expected).map(off).fold(0.0, f64::max);
    [difference, expected.iter().fold(0.0, |m, e| m.max(e.abs()))]
}

/// Arrays of an idiom.
pub trait Arrays {
    fn each(&mut self) -> Vec<&mut dyn Array>;
}

macro_rules! tuples {
    ($(($($name:ident)+))+) => {$(
        impl<$($name: Array),+> Arrays for ($($name,)+) {
            fn each(&mut self) -> Vec<&mut dyn Array> {
                #[allow(non_snake_case)]
                let ($($name,)+) = self;
                vec![$($name),+]
            }
        }
    )+};
}

tuples! { (A) (A B) (A B C) (A B C E) (A B C E F) (A B C E F G) (A B C E F G H) (A B C E F G H I) }
