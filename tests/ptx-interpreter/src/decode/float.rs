//! Floats.

use half::f16;

use super::integer::only;
use crate::compute::{approximate as bounds, bits, float as compute};
use crate::operand::Kind;
use crate::table::{Form, Words};

/// Rounding, subnormals and bits, after a name; without a rounding it is to the nearest, which PTX lets an assembler join with
/// another operation.
fn parts(words: &Words<'_>) -> Option<(u8, bool, u32)> {
    let ty = words
        .types
        .first()
        .filter(|ty| ty.kind == Kind::Float && words.types.len() == 1)?;
    let (rounding, rest) = match words.modifiers.split_first() {
        Some((word, rest)) if rounding(word).is_some() => (rounding(word)?, rest),
        _ => (0, &words.modifiers[..]),
    };
    let ftz = match rest {
        [] => false,
        ["ftz"] if ty.bits < 64 => true,
        _ => return None,
    };
    (ty.bits > 16 || rounding == 0).then_some((rounding, ftz, ty.bits))
}

/// To the nearest, to zero, down, up.
pub(super) fn rounding(word: &str) -> Option<u8> {
    ["rn", "rz", "rm", "rp"]
        .iter()
        .position(|mode| *mode == word)
        .map(|k| k as u8)
}

fn has_rounding(words: &Words<'_>) -> bool {
    words.modifiers.first().is_some_and(|word| rounding(word).is_some())
}

/// A function by rounding, subnormals and bits.
macro_rules! rounded {
    ($words:expr, $form:ident, $name:ident, [$($half:ident)?]) => {
        Some(Form::$form(match parts($words)? {
            $((0, false, 16) => compute::$name::<$half, 0, false>,
            (0, true, 16) => compute::$name::<$half, 0, true>,)?
            (0, false, 32) => compute::$name::<f32, 0, false>,
            (1, false, 32) => compute::$name::<f32, 1, false>,
            (2, false, 32) => compute::$name::<f32, 2, false>,
            (3, false, 32) => compute::$name::<f32, 3, false>,
            (0, true, 32) => compute::$name::<f32, 0, true>,
            (1, true, 32) => compute::$name::<f32, 1, true>,
            (2, true, 32) => compute::$name::<f32, 2, true>,
            (3, true, 32) => compute::$name::<f32, 3, true>,
            (0, _, 64) => compute::$name::<f64, 0, false>,
            (1, _, 64) => compute::$name::<f64, 1, false>,
            (2, _, 64) => compute::$name::<f64, 2, false>,
            (3, _, 64) => compute::$name::<f64, 3, false>,
            _ => return None,
        }))
    };
}

/// A function by subnormals and bits.
macro_rules! plain {
    ($words:expr, $form:ident, $name:ident) => {
        Some(Form::$form(match parts($words).filter(|_| !has_rounding($words))? {
            (_, false, 16) => compute::$name::<f16, false>,
            (_, true, 16) => compute::$name::<f16, true>,
            (_, false, 32) => compute::$name::<f32, false>,
            (_, true, 32) => compute::$name::<f32, true>,
            (_, _, 64) => compute::$name::<f64, false>,
            _ => return None,
        }))
    };
}

pub(crate) fn add(words: &Words<'_>) -> Option<Form> {
    rounded!(words, Two, add, [f16])
}

pub(crate) fn sub(words: &Words<'_>) -> Option<Form> {
    rounded!(words, Two, sub, [f16])
}

pub(crate) fn mul(words: &Words<'_>) -> Option<Form> {
    rounded!(words, Two, mul, [f16])
}

/// A rounding is always said.
pub(crate) fn fma(words: &Words<'_>) -> Option<Form> {
    has_rounding(words).then_some(())?;
    rounded!(words, Three, fma, [f16])
}

/// `.approx` and `.full` have the same bound.
pub(crate) fn div(words: &Words<'_>) -> Option<Form> {
    match approximate(words, &["approx", "full"]) {
        Some(false) => Some(Form::NearTwo(compute::div_approx::<false>, bounds::DIV)),
        Some(true) => Some(Form::NearTwo(compute::div_approx::<true>, bounds::DIV)),
        None => {
            has_rounding(words).then_some(())?;
            rounded!(words, Two, div, [])
        }
    }
}

pub(crate) fn abs(words: &Words<'_>) -> Option<Form> {
    plain!(words, One, abs)
}

pub(crate) fn neg(words: &Words<'_>) -> Option<Form> {
    plain!(words, One, neg)
}

pub(crate) fn min(words: &Words<'_>) -> Option<Form> {
    plain!(words, Two, min)
}

pub(crate) fn max(words: &Words<'_>) -> Option<Form> {
    plain!(words, Two, max)
}

/// An approximation of `f32`: are subnormals flushed?
fn approximate(words: &Words<'_>, names: &[&str]) -> Option<bool> {
    let (name, rest) = words.modifiers.split_first()?;
    let of_f32 = matches!(words.types[..], [ty] if ty.kind == Kind::Float && ty.bits == 32);
    match rest {
        [] if of_f32 && names.contains(name) => Some(false),
        ["ftz"] if of_f32 && names.contains(name) => Some(true),
        _ => None,
    }
}

/// The approximations of `f64`, which give the upper half of the result.
fn is_gross(words: &Words<'_>) -> bool {
    only(words, &["approx", "ftz"]).is_some_and(|ty| ty.kind == Kind::Float && ty.bits == 64)
}

macro_rules! approximations {
    ($($name:ident $function:ident $bound:ident;)*) => {$(
        pub(crate) fn $name(words: &Words<'_>) -> Option<Form> {
            let function = match approximate(words, &["approx"])? {
                false => compute::$function::<false>,
                true => compute::$function::<true>,
            };
            Some(Form::NearOne(function, bounds::$bound))
        }
    )*};
}
approximations! {
    sin sin_approx SIN;
    cos cos_approx COS;
    lg2 lg2_approx LG2;
    ex2 ex2_approx EX2;
    rcp_of_f32 rcp_approx RCP;
    sqrt_of_f32 sqrt_approx SQRT;
    rsqrt_of_f32 rsqrt_approx RSQRT;
}

/// There is one form only.
pub(crate) fn tanh(words: &Words<'_>) -> Option<Form> {
    approximate(words, &["approx"]).filter(|ftz| !ftz)?;
    Some(Form::NearOne(compute::tanh_approx::<false>, bounds::TANH))
}

pub(crate) fn rcp(words: &Words<'_>) -> Option<Form> {
    if is_gross(words) {
        return Some(Form::One(compute::rcp_gross));
    }
    rcp_of_f32(words).or_else(|| {
        has_rounding(words).then_some(())?;
        rounded!(words, One, rcp, [])
    })
}

/// Otherwise to the nearest.
pub(crate) fn sqrt(words: &Words<'_>) -> Option<Form> {
    sqrt_of_f32(words).or_else(|| {
        let function = match parts(words).filter(|_| has_rounding(words))? {
            (0, false, 32) => compute::sqrt_f32::<false>,
            (0, true, 32) => compute::sqrt_f32::<true>,
            (0, _, 64) => compute::sqrt_f64,
            _ => return None,
        };
        Some(Form::One(function))
    })
}

pub(crate) fn rsqrt(words: &Words<'_>) -> Option<Form> {
    match is_gross(words) {
        true => Some(Form::One(compute::rsqrt_gross)),
        false => rsqrt_of_f32(words),
    }
}

pub(crate) fn copysign(words: &Words<'_>) -> Option<Form> {
    let ty = only(words, &[]).filter(|ty| ty.kind == Kind::Float)?;
    match ty.bits {
        32 => Some(Form::Two(bits::sign_32)),
        64 => Some(Form::Two(bits::sign_64)),
        _ => None,
    }
}

pub(crate) fn testp(words: &Words<'_>) -> Option<Form> {
    let ([class], [ty]) = (&words.modifiers[..], &words.types[..]) else {
        return None;
    };
    macro_rules! of {
        ($($name:literal $class:literal)*) => {
            match (*class, ty.kind, ty.bits) {
                $(($name, Kind::Float, 32) => compute::is_class::<f32, $class>,
                ($name, Kind::Float, 64) => compute::is_class::<f64, $class>,)*
                _ => return None,
            }
        };
    }
    Some(Form::One(
        of! { "finite" 0 "infinite" 1 "number" 2 "notanumber" 3 "normal" 4 "subnormal" 5 },
    ))
}
