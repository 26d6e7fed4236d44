//! Elements of fields: the same for a kernel and for its plain twin, and often no good as an index.

use swathe::Vector;

/// What a field's elements are used as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Positions.
    Index,
    /// Exponents of positions.
    Shift,
    /// Anything, mostly small.
    Value,
}

/// A scalar that was computed.
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    /// Integers and booleans.
    Int(i128),
    /// Floats, which are compared with a tolerance: products and sums may be one operation.
    Float(f64),
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Scalar) -> bool {
        match (self, other) {
            (Scalar::Int(a), Scalar::Int(b)) => a == b,
            (Scalar::Float(a), Scalar::Float(b)) => {
                // A product that overflows alone need not do so in one operation with the sum: infinite minus infinite is NaN then, or a large number.
                let huge = |x: &f64| x.is_nan() || x.abs() >= 1e36;
                a == b
                    || (a.is_nan() && b.is_nan())
                    || (huge(a) && huge(b) && !(a.is_finite() && b.is_finite()))
                    || (a - b).abs() <= 1e-4 * a.abs().max(b.abs()).max(0.1)
            }
            _ => false,
        }
    }
}

/// Random numbers for the elements of one field.
pub struct Draw {
    state: u64,
    /// What they are for.
    pub kind: Kind,
    /// The least extent of the program's fields.
    pub least: usize,
    /// In how many of 1000 elements something is wrong.
    pub wrong: u64,
}

impl Draw {
    pub(crate) fn new(seed: u64, kind: Kind, least: usize, wrong: u64) -> Draw {
        Draw {
            state: seed,
            kind,
            least,
            wrong,
        }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn integer(&mut self) -> i128 {
        let n = self.least.max(1) as u64;
        if self.next() % 1000 < self.wrong {
            const WRONG: [i128; 18] = [
                -1,
                -2,
                31,
                32,
                33,
                40,
                44,
                62,
                63,
                64,
                255,
                1 << 15,
                (1 << 31) - 1,
                1 << 31,
                (1 << 32) - 1,
                1 << 32,
                1 << 63,
                (1 << 64) - 1,
            ];
            let k = self.next() as usize % (WRONG.len() + 2);
            return WRONG.get(k).copied().unwrap_or(i128::from(n) + k as i128 - 18);
        }
        i128::from(match self.kind {
            Kind::Index => self.next() % n,
            Kind::Shift => self.next() % u64::from(n.ilog2().max(1)),
            Kind::Value => self.next() % 100,
        })
    }
}

/// What a field of a random program can hold.
pub trait Flat: Copy {
    /// A random one.
    fn make(draw: &mut Draw) -> Self;
    /// Its scalars.
    fn flat(&self, to: &mut Vec<Scalar>);
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Flat for $t {
            fn make(draw: &mut Draw) -> Self {
                draw.integer() as $t
            }

            fn flat(&self, to: &mut Vec<Scalar>) {
                to.push(Scalar::Int(*self as i128));
            }
        }
    )*};
}
integers!(u8 i8 u16 i16 u32 i32 u64 i64 usize isize);

impl Flat for bool {
    fn make(draw: &mut Draw) -> Self {
        draw.next().is_multiple_of(2)
    }

    fn flat(&self, to: &mut Vec<Scalar>) {
        to.push(Scalar::Int((*self).into()));
    }
}

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Flat for $t {
            fn make(draw: &mut Draw) -> Self {
                if draw.next() % 1000 < draw.wrong {
                    const WRONG: [$t; 7] = [$t::NAN, $t::INFINITY, $t::NEG_INFINITY, -1.0, 4e9, 2e19, -0.0];
                    return WRONG[draw.next() as usize % WRONG.len()];
                }
                draw.integer() as $t
            }

            fn flat(&self, to: &mut Vec<Scalar>) {
                to.push(Scalar::Float((*self).into()));
            }
        }
    )*};
}
floats!(f32 f64);

impl Flat for () {
    fn make(_: &mut Draw) -> Self {}

    fn flat(&self, _: &mut Vec<Scalar>) {}
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    fn make(draw: &mut Draw) -> Self {
        std::array::from_fn(|_| T::make(draw))
    }

    fn flat(&self, to: &mut Vec<Scalar>) {
        self.iter().for_each(|item| item.flat(to));
    }
}

impl<T: Flat + swathe::types::Component, const N: usize> Flat for Vector<T, N> {
    fn make(draw: &mut Draw) -> Self {
        <[T; N]>::make(draw).into()
    }

    fn flat(&self, to: &mut Vec<Scalar>) {
        <[T; N]>::from(*self).flat(to);
    }
}

/// `Flat` for a struct of the program.
#[macro_export]
macro_rules! flat {
    ($name:ident { $($member:ident),* }) => {
        impl ::hostile::Flat for $name {
            fn make(draw: &mut ::hostile::Draw) -> Self {
                $name { $($member: ::hostile::Flat::make(draw)),* }
            }

            fn flat(&self, to: &mut ::std::vec::Vec<::hostile::Scalar>) {
                $(::hostile::Flat::flat(&self.$member, to);)*
            }
        }
    };
}
