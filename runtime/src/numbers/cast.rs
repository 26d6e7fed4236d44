//! Floats to integers of 64 bits and back. `as` saturates, for which x86-64 takes two conversions and some selections if the integer is
//! unsigned; a number inside of the range takes one. Of two unsigned ones beside each other LLVM makes a vector first, in 18 instructions.

/// `self as I`, at the cost of an ordinary number.
pub trait Truncate<I>: Copy {
    /// The integer.
    fn truncate(self) -> I;
}

macro_rules! truncate {
    ($($float:ident $convert:ident: $($int:ident)*;)*) => {$($(
        impl Truncate<$int> for $float {
            #[inline(always)]
            fn truncate(self) -> $int {
                #[cfg(target_arch = "x86_64")]
                {
                    let near = $convert(self);
                    // What is not a number or beyond both ends becomes the least one. A negative number has no sign in an unsigned one.
                    let usual = if $int::MIN == 0 { near >= 0 } else { near != i64::MIN };
                    if usual {
                        return near as $int;
                    }
                    std::hint::cold_path();
                }
                self as $int
            }
        }
    )*)*};
}
truncate! {
    f32 convert32: usize u64 isize i64;
    f64 convert64: usize u64 isize i64;
}

/// `self as F`, at the cost of a number that is no larger than the largest signed one.
pub trait Nearest<F>: Copy {
    /// The float.
    fn nearest(self) -> F;
}

macro_rules! nearest {
    ($($int:ident)*) => {$(
        nearest!($int: f32 f64);
    )*};
    ($int:ident: $($float:ident)*) => {$(
        impl Nearest<$float> for $int {
            #[inline(always)]
            fn nearest(self) -> $float {
                if self > $int::MAX / 2 {
                    std::hint::cold_path();
                    // The same as `self as $float`, by which LLVM would see that both sides are one, and go back to vectors. The lowest bit
                    // says on which side of a middle the number is.
                    let half = (self >> 1 | self & 1).cast_signed() as $float;
                    return half + half;
                }
                self.cast_signed() as $float
            }
        }
    )*};
}
nearest! { usize u64 }

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn convert32(x: f32) -> i64 {
    use std::arch::x86_64::{_mm_cvttss_si64, _mm_set_ss};
    // SAFETY: every processor of the architecture has SSE.
    unsafe { _mm_cvttss_si64(_mm_set_ss(x)) }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn convert64(x: f64) -> i64 {
    use std::arch::x86_64::{_mm_cvttsd_si64, _mm_set_sd};
    // SAFETY: every processor of the architecture has SSE2.
    unsafe { _mm_cvttsd_si64(_mm_set_sd(x)) }
}

#[cfg(test)]
mod tests {
    use super::{Nearest, Truncate};

    /// All pairs, at the ends of all ranges, on both sides of them.
    #[test]
    fn a_cast_is_as() {
        macro_rules! check {
            ($($float:ident: $($int:ident)*;)*) => {$({
                let mut all: Vec<$float> = vec![0.0, 0.5, 0.99, 1.0, 1.5, 255.9, 1e6, 16_777_217.0, 1e30, $float::MIN_POSITIVE];
                for power in [7, 8, 15, 16, 31, 32, 52, 53, 62, 63, 64, 65, 127] {
                    let end = (2.0 as $float).powi(power);
                    all.extend([end, end.next_down(), end.next_up(), end - 1.0, end + 1.0]);
                }
                all.extend([$float::MAX, $float::INFINITY, $float::NAN]);
                let negative: Vec<$float> = all.iter().map(|x| -x).collect();
                for x in all.into_iter().chain(negative) {
                    $(
                        assert_eq!(Truncate::<$int>::truncate(x), x as $int, "{x}");
                    )*
                }
            })*};
        }
        check! { f32: usize u64 isize i64; f64: usize u64 isize i64; }
        let ends = [
            0,
            1,
            255,
            16_777_217,
            u64::MAX / 2,
            u64::MAX / 2 + 1,
            u64::MAX - 1,
            u64::MAX,
        ];
        for x in ends.into_iter().chain((0..64).map(|power| (1 << power) + 3)) {
            assert_eq!(
                (Nearest::<f32>::nearest(x), Nearest::<f64>::nearest(x)),
                (x as f32, x as f64),
                "{x}"
            );
            let x = x as usize;
            assert_eq!(
                (Nearest::<f32>::nearest(x), Nearest::<f64>::nearest(x)),
                (x as f32, x as f64),
                "{x}"
            );
        }
    }
}
