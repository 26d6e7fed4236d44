//! Comparisons, selections and conversions.

use std::cmp::Ordering;

use half::f16;

use super::float::rounding;
use super::integer::only;
use crate::compute::convert::{self, Conversion};
use crate::compute::{bits, float, integer};
use crate::instruction::{F1, F2};
use crate::operand::{Kind, Type};
use crate::table::{Form, Words};

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

/// Does one of the orders hold that are in the mask?
fn holds(mask: u8, order: Option<Ordering>) -> u64 {
    let found = match order {
        Some(Ordering::Less) => LESS,
        Some(Ordering::Equal) => EQUAL,
        Some(Ordering::Greater) => GREATER,
        None => UNORDERED,
    };
    u64::from(mask & found != 0)
}

fn integers<T: integer::Integer, const MASK: u8>(a: u64, b: u64) -> u64 {
    holds(MASK, Some(integer::compare::<T>(a, b)))
}

fn floats<T: float::Float, const FTZ: bool, const MASK: u8>(a: u64, b: u64) -> u64 {
    holds(MASK, float::compare::<T, FTZ>(a, b))
}

/// Orders in which a comparison holds.
fn mask(word: &str, ty: Type) -> Option<u8> {
    let ordered = |word: &str| {
        Some(match word {
            "eq" => EQUAL,
            "ne" => LESS | GREATER,
            "lt" => LESS,
            "le" => LESS | EQUAL,
            "gt" => GREATER,
            "ge" => GREATER | EQUAL,
            _ => return None,
        })
    };
    match (ty.kind, word) {
        (Kind::Float, "num") => Some(LESS | EQUAL | GREATER),
        (Kind::Float, "nan") => Some(UNORDERED),
        (Kind::Float, _) => ordered(word).or_else(|| Some(ordered(word.strip_suffix('u')?)? | UNORDERED)),
        (Kind::Bits, "eq" | "ne") | (Kind::Signed | Kind::Unsigned, _) => ordered(word),
        _ => None,
    }
}

/// A function with the mask as a constant.
macro_rules! by_mask {
    ($mask:expr, $function:ident, $($arg:tt),*) => {
        match $mask {
            1 => $function::<$($arg),*, 1>,
            2 => $function::<$($arg),*, 2>,
            3 => $function::<$($arg),*, 3>,
            4 => $function::<$($arg),*, 4>,
            5 => $function::<$($arg),*, 5>,
            6 => $function::<$($arg),*, 6>,
            7 => $function::<$($arg),*, 7>,
            8 => $function::<$($arg),*, 8>,
            9 => $function::<$($arg),*, 9>,
            10 => $function::<$($arg),*, 10>,
            11 => $function::<$($arg),*, 11>,
            12 => $function::<$($arg),*, 12>,
            13 => $function::<$($arg),*, 13>,
            14 => $function::<$($arg),*, 14>,
            _ => return None,
        }
    };
}

fn comparison(word: &str, ty: Type, ftz: bool) -> Option<F2> {
    let mask = mask(word, ty)?;
    Some(match (ty.kind, ty.bits, ftz) {
        (Kind::Float, 16, false) => by_mask!(mask, floats, f16, false),
        (Kind::Float, 16, true) => by_mask!(mask, floats, f16, true),
        (Kind::Float, 32, false) => by_mask!(mask, floats, f32, false),
        (Kind::Float, 32, true) => by_mask!(mask, floats, f32, true),
        (Kind::Float, 64, false) => by_mask!(mask, floats, f64, false),
        (Kind::Signed, 16, false) => by_mask!(mask, integers, i16),
        (Kind::Signed, 32, false) => by_mask!(mask, integers, i32),
        (Kind::Signed, 64, false) => by_mask!(mask, integers, i64),
        (_, 16, false) => by_mask!(mask, integers, u16),
        (_, 32, false) => by_mask!(mask, integers, u32),
        (_, 64, false) => by_mask!(mask, integers, u64),
        _ => return None,
    })
}

pub(crate) fn setp(words: &Words<'_>) -> Option<Form> {
    let [ty] = words.types[..] else { return None };
    let (word, rest) = words.modifiers.split_first()?;
    let (join, rest): (Option<F2>, _) = match rest.split_first() {
        Some((&"and", rest)) => (Some(bits::and), rest),
        Some((&"or", rest)) => (Some(bits::or), rest),
        Some((&"xor", rest)) => (Some(bits::xor), rest),
        _ => (None, rest),
    };
    let compare = match rest {
        [] => comparison(word, ty, false),
        ["ftz"] if ty.kind == Kind::Float => comparison(word, ty, true),
        _ => None,
    }?;
    Some(match join {
        Some(join) => Form::Joined(compare, join),
        None => Form::Two(compare),
    })
}

pub(crate) fn selp(words: &Words<'_>) -> Option<Form> {
    only(words, &[]).filter(|ty| ty.bits >= 16)?;
    Some(Form::Select)
}

/// From `f32` to `bf16`, or back.
fn brain(words: &Words<'_>, to: Type, from: Type) -> Option<F1> {
    let single = |ty: Type| ty.kind == Kind::Float && ty.bits == 32;
    match (to.kind, from.kind, &words.modifiers[..]) {
        (Kind::Brain, Kind::Float, ["rn"]) if single(from) => Some(convert::bf16_of_f32::<0>),
        (Kind::Brain, Kind::Float, ["rz"]) if single(from) => Some(convert::bf16_of_f32::<1>),
        (Kind::Float, Kind::Brain, []) if single(to) => Some(convert::f32_of_bf16),
        _ => None,
    }
}

/// Rounding, subnormals, saturation, in this order.
pub(crate) fn cvt(words: &Words<'_>) -> Option<Form> {
    let [to, from] = words.types[..] else { return None };
    if to.kind == Kind::Predicate || from.kind == Kind::Predicate || to.kind == Kind::Bits || from.kind == Kind::Bits {
        return None;
    }
    if let Some(brain) = brain(words, to, from) {
        return Some(Form::One(brain));
    }
    if to.kind == Kind::Brain || from.kind == Kind::Brain {
        return None;
    }
    let integral = |word: &str| rounding(word.strip_suffix('i')?);
    let (mode, rest) = match words.modifiers.split_first() {
        Some((word, rest)) if rounding(word).or_else(|| integral(word)).is_some() => (Some(*word), rest),
        _ => (None, &words.modifiers[..]),
    };
    let (ftz, rest) = match rest.split_first() {
        Some((&"ftz", rest)) => (true, rest),
        _ => (false, rest),
    };
    let sat = match rest {
        [] => false,
        ["sat"] => true,
        _ => return None,
    };
    let float = |ty: Type| ty.kind == Kind::Float;
    let narrows = float(to) && (!float(from) || from.bits > to.bits);
    // A rounding stands where the value may change, and nowhere else.
    let (rounding, integral) = match mode {
        Some(word) if narrows => (rounding(word)?, false),
        Some(word) if float(from) && (!float(to) || to == from) => (integral(word)?, true),
        None if !narrows && (float(to) || !float(from)) => (0, false),
        _ => return None,
    };
    (!ftz || float(from) && from.bits == 32 || float(to) && to.bits == 32).then_some(())?;
    Some(Form::Convert(Conversion {
        to,
        from,
        rounding,
        integral,
        ftz,
        sat,
    }))
}
