//! Elements as words of four bytes, and as numbers to compare.

use swathe::{Matrix, Vector};

/// An element whose memory is numbers of 32 bits.
pub trait Bytes: Copy {
    /// Hands out each number's bytes, little-endian.
    fn each(&self, word: &mut dyn FnMut([u8; 4]));

    /// Appends the numbers.
    fn numbers(&self, out: &mut Vec<f64>);
}

macro_rules! scalars {
    ($($scalar:ty),*) => {$(
        impl Bytes for $scalar {
            fn each(&self, word: &mut dyn FnMut([u8; 4])) {
                word(self.to_le_bytes());
            }

            fn numbers(&self, out: &mut Vec<f64>) {
                out.push(f64::from(*self));
            }
        }
    )*};
}

scalars!(f32, i32, u32);

impl<T: Bytes, const N: usize> Bytes for [T; N] {
    fn each(&self, word: &mut dyn FnMut([u8; 4])) {
        self.iter().for_each(|x| x.each(word));
    }

    fn numbers(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|x| x.numbers(out));
    }
}

impl<const N: usize> Bytes for Vector<f32, N> {
    fn each(&self, word: &mut dyn FnMut([u8; 4])) {
        self.to_array().each(word);
    }

    fn numbers(&self, out: &mut Vec<f64>) {
        self.to_array().numbers(out);
    }
}

impl<const R: usize, const C: usize> Bytes for Matrix<f32, R, C> {
    fn each(&self, word: &mut dyn FnMut([u8; 4])) {
        self.to_array().each(word);
    }

    fn numbers(&self, out: &mut Vec<f64>) {
        self.to_array().numbers(out);
    }
}

/// All numbers of all elements.
pub fn numbers<T: Bytes>(values: &[T]) -> Vec<f64> {
    let mut out = Vec::with_capacity(size_of_val(values) / 4);
    values.iter().for_each(|x| x.numbers(&mut out));
    out
}
