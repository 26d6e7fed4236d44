//! Sine, cosine and tangent.

use super::{ROUND, SIGN, polynomial};

/// `sin(pi r) / r` by `r^2`, for `r` from -1/2 to 1/2; relative error 2^-35.
const SINE: [f64; 6] = [
    3.141592653536132,
    -5.167712764593,
    2.550163317938427,
    -0.599252186531583,
    0.08205035020147247,
    -0.007028303855203096,
];

/// The same for `r` from -1/4 to 1/4; relative error 2^-37.
const QUARTER_SINE: [f64; 5] = [
    3.1415926535762,
    -5.167712769174363,
    2.55016264722018,
    -0.5992020808609594,
    0.08100162742091639,
];

/// `cos(pi r)` by `r^2`, for `r` from -1/4 to 1/4; relative error 2^-33.
const QUARTER_COSINE: [f64; 5] = [
    0.9999999999524894,
    -4.934802162532649,
    4.058707258481816,
    -1.335044448016901,
    0.23132878499334414,
];

/// `(2^(26 j) / pi modulo 2) / 2^(26 j)`, in parts of 29, 29 and 53 bits.
const WINDOWS: [[f64; 3]; 4] = [
    [0.31830988451838493, 1.6654057369280828e-09, 1.138005036539198e-18],
    [1.2841276597619355e-08, 3.5832474517591816e-17, 3.848352432019786e-26],
    [1.4685477646311959e-16, 5.554714066972398e-25, 4.686003272204884e-34],
    [3.037013239734091e-24, 5.090832174320361e-33, 1.9429493537593412e-41],
];

const TWO_50: f64 = 1_125_899_906_842_624.0;
const TWO_76: f64 = TWO_50 * 67_108_864.0;
const TWO_102: f64 = TWO_76 * 67_108_864.0;

/// `x / pi + shift` less the nearest multiple of `1 / steps` (1 or 2), and that multiple's number, of which the last bit is right.
///
/// Payne and Hanek, *Radian Reduction for Trigonometric Functions*, SIGNUM Newsletter 18, 1983: of 1 / pi only the bits count that do not
/// contribute multiples of 2. As an `f32` has 24 bits, its products with parts of 29 bits are exact, and four windows of
/// 1 / pi serve all exponents.
#[inline(always)]
fn reduced<const SHIFT: bool>(x: f64, steps: f64) -> (f64, u64) {
    let size = x.abs();
    // By value: LLVM would choose between addresses of constants, and gather.
    let choose = |at: [f64; 4]| {
        let value = if size < TWO_50 { at[0] } else { at[1] };
        let value = if size < TWO_76 { value } else { at[2] };
        if size < TWO_102 { value } else { at[3] }
    };
    let part = |k: usize| choose([WINDOWS[0][k], WINDOWS[1][k], WINDOWS[2][k], WINDOWS[3][k]]);
    // Products below 2^50 and 2^22: each is reduced by itself, without an error.
    let first = x * part(0);
    let first = if SHIFT { first + 0.5 } else { first };
    let second = x * part(1);
    // Rounds to multiples of `1 / steps`.
    let round = ROUND / steps;
    let (m, n) = (first + round, second + round);
    let (first, second) = (first - (m - round), second - (n - round));
    let o = (first + second) + round;
    let rest = ((first - (o - round)) + second) + x * part(2);
    (rest, m.to_bits().wrapping_add(n.to_bits()).wrapping_add(o.to_bits()))
}

#[inline(always)]
fn sine<const SHIFT: bool>(x: f32) -> f32 {
    let (r, n) = reduced::<SHIFT>(f64::from(x), 1.0);
    let value = r * polynomial(r * r, SINE);
    f64::from_bits(value.to_bits() ^ ((n << 63) & SIGN)) as f32
}

/// Sine; radians.
#[inline(always)]
#[must_use]
pub fn sin(x: f32) -> f32 {
    sine::<false>(x)
}

/// Cosine; radians: the sine, half of a half turn further.
#[inline(always)]
#[must_use]
pub fn cos(x: f32) -> f32 {
    sine::<true>(x)
}

/// Tangent; radians: the quotient of sine and cosine, or after a quarter turn its negative inverse.
#[inline(always)]
#[must_use]
pub fn tan(x: f32) -> f32 {
    let (r, n) = reduced::<false>(f64::from(x), 2.0);
    let (sine, cosine) = (r * polynomial(r * r, QUARTER_SINE), polynomial(r * r, QUARTER_COSINE));
    let turned = n & 1 == 1;
    let numerator = if turned { -cosine } else { sine };
    (numerator / if turned { sine } else { cosine }) as f32
}
