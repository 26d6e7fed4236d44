//! Floats of 16 bits, computed with as `f32`. Conversions are integer arithmetic, so that host and device agree to the bit:
//! they round to the nearest, ties to even, and keep what they can of a NaN.

use crate::number::Number;

/// IEEE 754 binary16.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct F16(u16);

/// The upper half of an `f32`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Bf16(u16);

/// A float that has its arithmetic from `f32`.
pub(crate) trait Half: Copy {
    fn wide(self) -> f32;
    fn narrow(value: f32) -> Self;
}

impl Half for F16 {
    #[inline(always)]
    fn wide(self) -> f32 {
        let magnitude = (self.0 & 0x7fff) as u32;
        let bits = if magnitude >= 0x7c00 {
            let quiet = if magnitude > 0x7c00 { 0x0040_0000 } else { 0 };
            magnitude << 13 | 0x7f80_0000 | quiet
        } else {
            // With the exponent's own bias: times 2^112 is exact, for subnormal numbers too.
            (f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000)).to_bits()
        };
        f32::from_bits(bits | ((self.0 & 0x8000) as u32) << 16)
    }

    #[inline(always)]
    fn narrow(value: f32) -> Self {
        let bits = value.to_bits();
        let magnitude = bits & 0x7fff_ffff;
        let half = if magnitude > 0x7f80_0000 {
            0x7e00 | magnitude >> 13 & 0x3ff
        } else if magnitude >= 0x477f_f000 {
            // From 65520 on.
            0x7c00
        } else if magnitude < 0x3880_0000 {
            // Below 2^-14: numbers from 0.5 on have the distance of subnormal ones, so the sum is rounded as they are.
            (f32::from_bits(magnitude) + 0.5).to_bits() - 0x3f00_0000
        } else {
            (magnitude - 0x3800_0000 + 0x0fff + (magnitude >> 13 & 1)) >> 13
        };
        F16((half | bits >> 16 & 0x8000) as u16)
    }
}

impl Half for Bf16 {
    #[inline(always)]
    fn wide(self) -> f32 {
        let quiet = if self.0 & 0x7fff > 0x7f80 { 0x0040_0000 } else { 0 };
        f32::from_bits((self.0 as u32) << 16 | quiet)
    }

    #[inline(always)]
    fn narrow(value: f32) -> Self {
        let bits = value.to_bits();
        let half = if bits & 0x7fff_ffff > 0x7f80_0000 {
            bits >> 16 | 0x40
        } else {
            bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16
        };
        Bf16(half as u16)
    }
}

macro_rules! half {
    ($($t:ident $one:literal $infinite:literal)*) => {$(
        impl PartialEq for $t {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.wide() == other.wide()
            }
        }

        impl PartialOrd for $t {
            #[inline(always)]
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                self.wide().partial_cmp(&other.wide())
            }

            #[inline(always)]
            fn lt(&self, other: &Self) -> bool {
                self.wide() < other.wide()
            }

            #[inline(always)]
            fn gt(&self, other: &Self) -> bool {
                self.wide() > other.wide()
            }
        }

        impl Number for $t {
            const ZERO: Self = $t(0);
            const ONE: Self = $t($one);
            const LEAST: Self = $t($infinite | 0x8000);
            const GREATEST: Self = $t($infinite);

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                Self::narrow(self.wide() + other.wide())
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                Self::narrow(self.wide() * other.wide())
            }

            #[inline(always)]
            fn of(index: u64) -> Self {
                Self::narrow(index as f32)
            }
        }
    )*};
}
half!(F16 0x3c00 0x7c00 Bf16 0x3f80 0x7f80);

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers of 16 bits, and what is around the middle between neighbours.
    fn singles() -> impl Iterator<Item = f32> {
        let near = |x: f32| [-2_i32, -1, 0, 1, 2].map(|d| f32::from_bits(x.to_bits().wrapping_add_signed(d)));
        let of_16 = (0..=u16::MAX).flat_map(move |bits| {
            let (one, next) = (
                half::f16::from_bits(bits).to_f32(),
                half::f16::from_bits(bits ^ 1).to_f32(),
            );
            near(one).into_iter().chain(near((one + next) / 2.0))
        });
        let upper = (0..=u16::MAX).flat_map(move |bits| {
            let one = f32::from_bits((bits as u32) << 16);
            near(one)
                .into_iter()
                .chain(near(f32::from_bits(one.to_bits() | 0x8000)))
        });
        of_16.chain(upper)
    }

    #[test]
    fn conversions_are_those_of_the_crate_half() {
        for bits in 0..=u16::MAX {
            let (f, b) = (half::f16::from_bits(bits), half::bf16::from_bits(bits));
            assert_eq!(F16(bits).wide().to_bits(), f.to_f32().to_bits(), "{bits:#x}");
            assert_eq!(Bf16(bits).wide().to_bits(), b.to_f32().to_bits(), "{bits:#x}");
        }
        for x in singles() {
            assert_eq!(F16::narrow(x).0, half::f16::from_f32(x).to_bits(), "{:#x}", x.to_bits());
            assert_eq!(
                Bf16::narrow(x).0,
                half::bf16::from_f32(x).to_bits(),
                "{:#x}",
                x.to_bits()
            );
        }
    }
}
