//! Floats (9.7.3, 9.7.4): the modes of rounding are numbers (`rounding.rs`), `FTZ` takes subnormals for zeros, at both ends.

use std::cmp::Ordering;

use half::f16;

use super::rounding as exact;

/// A type of floats.
pub(crate) trait Float: Copy + PartialOrd {
    const SIGN: u64;
    fn of(bits: u64) -> Self;
    /// A result's NaN is the one that the manual names, where it does.
    fn bits(self) -> u64;
    fn is_nan(self) -> bool;
    fn flush(self) -> Self;
    fn add<const R: u8>(a: u64, b: u64) -> u64;
    fn sub<const R: u8>(a: u64, b: u64) -> u64;
    fn mul<const R: u8>(a: u64, b: u64) -> u64;
    fn div<const R: u8>(a: u64, b: u64) -> u64;
    fn fma<const R: u8>(a: u64, b: u64, c: u64) -> u64;
}

macro_rules! native {
    ($ty:ident, $bits:ident, $nan:expr; $add:ident $sub:ident $mul:ident $div:ident $fma:ident) => {
        impl Float for $ty {
            const SIGN: u64 = 1 << ($bits::BITS - 1);
            fn of(bits: u64) -> $ty {
                $ty::from_bits(bits as $bits)
            }
            fn bits(self) -> u64 {
                let nan: Option<u64> = $nan;
                match nan {
                    Some(nan) if self.is_nan() => nan,
                    _ => u64::from(self.to_bits()),
                }
            }
            fn is_nan(self) -> bool {
                <$ty>::is_nan(self)
            }
            fn flush(self) -> $ty {
                if self.is_subnormal() { self * 0.0 } else { self }
            }
            fn add<const R: u8>(a: u64, b: u64) -> u64 {
                if R == 0 {
                    (Self::of(a) + Self::of(b)).bits()
                } else {
                    Self::of(exact::$add::<R>(a, b)).bits()
                }
            }
            fn sub<const R: u8>(a: u64, b: u64) -> u64 {
                if R == 0 {
                    (Self::of(a) - Self::of(b)).bits()
                } else {
                    Self::of(exact::$sub::<R>(a, b)).bits()
                }
            }
            fn mul<const R: u8>(a: u64, b: u64) -> u64 {
                if R == 0 {
                    (Self::of(a) * Self::of(b)).bits()
                } else {
                    Self::of(exact::$mul::<R>(a, b)).bits()
                }
            }
            fn div<const R: u8>(a: u64, b: u64) -> u64 {
                if R == 0 {
                    (Self::of(a) / Self::of(b)).bits()
                } else {
                    Self::of(exact::$div::<R>(a, b)).bits()
                }
            }
            fn fma<const R: u8>(a: u64, b: u64, c: u64) -> u64 {
                if R == 0 {
                    Self::of(a).mul_add(Self::of(b), Self::of(c)).bits()
                } else {
                    Self::of(exact::$fma::<R>(a, b, c)).bits()
                }
            }
        }
    };
}
native!(f32, u32, Some(0x7fff_ffff); add_f32 sub_f32 mul_f32 div_f32 fma_f32);
native!(f64, u64, None; add_f64 sub_f64 mul_f64 div_f64 fma_f64);

impl Float for f16 {
    const SIGN: u64 = 0x8000;
    fn of(bits: u64) -> f16 {
        f16::from_bits(bits as u16)
    }
    fn bits(self) -> u64 {
        if self.is_nan() {
            0x7fff
        } else {
            u64::from(self.to_bits())
        }
    }
    fn is_nan(self) -> bool {
        f16::is_nan(self)
    }
    fn flush(self) -> f16 {
        let subnormal = self.to_bits() & 0x7c00 == 0;
        if subnormal {
            f16::from_bits(self.to_bits() & 0x8000)
        } else {
            self
        }
    }
    fn add<const R: u8>(a: u64, b: u64) -> u64 {
        Self::of(exact::add_f16::<R>(a, b)).bits()
    }
    fn sub<const R: u8>(a: u64, b: u64) -> u64 {
        Self::of(exact::sub_f16::<R>(a, b)).bits()
    }
    fn mul<const R: u8>(a: u64, b: u64) -> u64 {
        Self::of(exact::mul_f16::<R>(a, b)).bits()
    }
    fn div<const R: u8>(a: u64, b: u64) -> u64 {
        Self::of(exact::div_f16::<R>(a, b)).bits()
    }
    fn fma<const R: u8>(a: u64, b: u64, c: u64) -> u64 {
        Self::of(exact::fma_f16::<R>(a, b, c)).bits()
    }
}

/// A subnormal becomes zero, with its sign.
fn flushed<T: Float, const FTZ: bool>(bits: u64) -> u64 {
    // Not by way of the value, since the bits of a NaN are kept.
    if FTZ && !T::of(bits).is_nan() {
        T::of(bits).flush().bits()
    } else {
        bits
    }
}

macro_rules! of_two {
    ($($name:ident)*) => {$(
        pub(crate) fn $name<T: Float, const R: u8, const FTZ: bool>(a: u64, b: u64) -> u64 {
            flushed::<T, FTZ>(T::$name::<R>(flushed::<T, FTZ>(a), flushed::<T, FTZ>(b)))
        }
    )*};
}
of_two! { add sub mul div }

pub(crate) fn fma<T: Float, const R: u8, const FTZ: bool>(a: u64, b: u64, c: u64) -> u64 {
    let (a, b, c) = (flushed::<T, FTZ>(a), flushed::<T, FTZ>(b), flushed::<T, FTZ>(c));
    flushed::<T, FTZ>(T::fma::<R>(a, b, c))
}

pub(crate) fn neg<T: Float, const FTZ: bool>(a: u64) -> u64 {
    flushed::<T, FTZ>(a) ^ T::SIGN
}

pub(crate) fn abs<T: Float, const FTZ: bool>(a: u64) -> u64 {
    flushed::<T, FTZ>(a) & !T::SIGN
}

/// The lesser one, of a number and NaN the number; the negative zero is less.
pub(crate) fn min<T: Float, const FTZ: bool>(a: u64, b: u64) -> u64 {
    extreme::<T, FTZ>(a, b, Ordering::Less)
}

/// The greater one.
pub(crate) fn max<T: Float, const FTZ: bool>(a: u64, b: u64) -> u64 {
    extreme::<T, FTZ>(a, b, Ordering::Greater)
}

fn extreme<T: Float, const FTZ: bool>(a: u64, b: u64, wanted: Ordering) -> u64 {
    let (a, b) = (T::of(flushed::<T, FTZ>(a)), T::of(flushed::<T, FTZ>(b)));
    let chosen = match a.partial_cmp(&b) {
        None if a.is_nan() => b,
        None => a,
        Some(Ordering::Equal) if (a.bits() & T::SIGN != 0) == (wanted == Ordering::Less) => a,
        Some(order) if order == wanted => a,
        Some(_) => b,
    };
    chosen.bits()
}

/// `None` if one is NaN.
pub(crate) fn compare<T: Float, const FTZ: bool>(a: u64, b: u64) -> Option<Ordering> {
    T::of(flushed::<T, FTZ>(a)).partial_cmp(&T::of(flushed::<T, FTZ>(b)))
}

pub(crate) fn sqrt_f32<const FTZ: bool>(a: u64) -> u64 {
    flushed::<f32, FTZ>(f32::of(flushed::<f32, FTZ>(a)).sqrt().bits())
}

pub(crate) fn sqrt_f64(a: u64) -> u64 {
    f64::of(a).sqrt().bits()
}

pub(crate) fn rcp<T: Float + From<f32>, const R: u8, const FTZ: bool>(a: u64) -> u64 {
    div::<T, R, FTZ>(T::from(1.0).bits(), a)
}

/// A function of `f32` that is rounded from a wider result, which is within every error that the manual allows.
fn rounded<const FTZ: bool>(a: u64, function: fn(f64) -> f64) -> u64 {
    let a = f32::of(flushed::<f32, FTZ>(a));
    flushed::<f32, FTZ>((function(f64::from(a)) as f32).bits())
}

macro_rules! approximate {
    ($($(#[$text:meta])* $name:ident $function:expr;)*) => {$(
        $(#[$text])*
        pub(crate) fn $name<const FTZ: bool>(a: u64) -> u64 {
            rounded::<FTZ>(a, $function)
        }
    )*};
}
approximate! {
    rcp_approx |x| 1.0 / x;
    sqrt_approx f64::sqrt;
    rsqrt_approx |x| 1.0 / x.sqrt();
    sin_approx f64::sin;
    cos_approx f64::cos;
    lg2_approx f64::log2;
    ex2_approx f64::exp2;
    tanh_approx f64::tanh;
}

/// Beyond 2^126 the divisor's reciprocal is taken for zero.
pub(crate) fn div_approx<const FTZ: bool>(a: u64, b: u64) -> u64 {
    let large = f32::of(b).abs() > 2_f32.powi(126) && !f32::of(b).is_infinite();
    match large {
        true => mul::<f32, 0, FTZ>(a, u64::from(0_f32.copysign(f32::of(b)).to_bits())),
        false => div::<f32, 0, FTZ>(a, b),
    }
}

/// Subnormals are zeros, and of the result the upper half alone is given.
fn gross(a: u64, function: fn(f64) -> f64) -> u64 {
    let result = function(f64::of(a).flush()).flush();
    if result.is_nan() {
        result.to_bits() | 1 << 51
    } else {
        result.to_bits() & 0xffff_ffff_0000_0000
    }
}

pub(crate) fn rcp_gross(a: u64) -> u64 {
    gross(a, |x| 1.0 / x)
}

pub(crate) fn rsqrt_gross(a: u64) -> u64 {
    gross(a, |x| 1.0 / x.sqrt())
}

/// `testp` (9.7.3.1).
pub(crate) fn is_class<T: Float, const CLASS: u8>(a: u64) -> u64
where
    f64: From<T>,
{
    let x = f64::from(T::of(a));
    let subnormal = !x.is_nan() && x != 0.0 && flushed::<T, true>(a) & !T::SIGN == 0;
    let finite = x.is_finite();
    u64::from(match CLASS {
        0 => finite,
        1 => x.is_infinite(),
        2 => !x.is_nan(),
        3 => x.is_nan(),
        4 => finite && !subnormal && x != 0.0,
        _ => subnormal,
    })
}
