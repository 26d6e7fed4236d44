//! Integers and bits.

use crate::compute::{bits, integer as compute};
use crate::operand::{Kind, Type};
use crate::table::{Form, Words};

macro_rules! of_all {
    ($name:ident, $form:ident) => {
        pub(crate) fn $name(words: &Words<'_>) -> Option<Form> {
            let ty = only(words, &[])?;
            all!(ty, $form, $name)
        }
    };
}

/// For 16, 32 and 64 bits, with and without a sign.
macro_rules! all {
    ($ty:expr, $form:ident, $name:ident) => {
        Some(match ($ty.kind, $ty.bits) {
            (Kind::Unsigned, 16) => Form::$form(compute::$name::<u16>),
            (Kind::Unsigned, 32) => Form::$form(compute::$name::<u32>),
            (Kind::Unsigned, 64) => Form::$form(compute::$name::<u64>),
            (Kind::Signed, 16) => Form::$form(compute::$name::<i16>),
            (Kind::Signed, 32) => Form::$form(compute::$name::<i32>),
            (Kind::Signed, 64) => Form::$form(compute::$name::<i64>),
            _ => return None,
        })
    };
}

/// For signed ones.
macro_rules! signed {
    ($name:ident) => {
        pub(crate) fn $name(words: &Words<'_>) -> Option<Form> {
            let ty = only(words, &[])?;
            Some(match (ty.kind, ty.bits) {
                (Kind::Signed, 16) => Form::One(compute::$name::<i16>),
                (Kind::Signed, 32) => Form::One(compute::$name::<i32>),
                (Kind::Signed, 64) => Form::One(compute::$name::<i64>),
                _ => return None,
            })
        }
    };
}

/// Up to 32 bits.
macro_rules! narrow {
    ($ty:expr, $form:ident, $name:ident) => {
        Some(match ($ty.kind, $ty.bits) {
            (Kind::Unsigned, 16) => Form::$form(compute::$name::<u16>),
            (Kind::Unsigned, 32) => Form::$form(compute::$name::<u32>),
            (Kind::Signed, 16) => Form::$form(compute::$name::<i16>),
            (Kind::Signed, 32) => Form::$form(compute::$name::<i32>),
            _ => return None,
        })
    };
}

/// The type of an opcode with one type and exactly these modifiers.
pub(super) fn only(words: &Words<'_>, modifiers: &[&str]) -> Option<Type> {
    match words.types[..] {
        [ty] if words.modifiers == modifiers => Some(ty),
        _ => None,
    }
}

/// Bits of a type without a meaning.
fn bits_of(words: &Words<'_>, modifiers: &[&str]) -> Option<u32> {
    only(words, modifiers)
        .filter(|ty| matches!(ty.kind, Kind::Bits | Kind::Predicate))
        .map(|ty| ty.bits)
}

fn is_u32(words: &Words<'_>) -> bool {
    matches!(words.types[..], [ty] if ty.bits == 32 && matches!(ty.kind, Kind::Unsigned | Kind::Signed))
}

pub(crate) fn add(words: &Words<'_>) -> Option<Form> {
    if words.modifiers == ["cc"] && is_u32(words) {
        return Some(Form::Carry(compute::add_carry, 2, true));
    }
    let ty = only(words, &[])?;
    all!(ty, Two, add)
}

pub(crate) fn sub(words: &Words<'_>) -> Option<Form> {
    if words.modifiers == ["cc"] && is_u32(words) {
        return Some(Form::Carry(compute::sub_carry, 2, true));
    }
    let ty = only(words, &[])?;
    all!(ty, Two, sub)
}

pub(crate) fn addc(words: &Words<'_>) -> Option<Form> {
    carry(words, &[], compute::addc_carry, 2)
}

pub(crate) fn subc(words: &Words<'_>) -> Option<Form> {
    carry(words, &[], compute::subc_carry, 2)
}

pub(crate) fn madc(words: &Words<'_>) -> Option<Form> {
    carry(words, &["lo"], compute::mad_lo_carry, 3).or_else(|| carry(words, &["hi"], compute::mad_hi_carry, 3))
}

/// With `.cc` the carry is written, too.
fn carry(words: &Words<'_>, half: &[&str], compute: crate::instruction::Carry, operands: usize) -> Option<Form> {
    let rest = words.modifiers.strip_prefix(half).filter(|_| is_u32(words))?;
    match rest {
        [] => Some(Form::Carry(compute, operands, false)),
        ["cc"] => Some(Form::Carry(compute, operands, true)),
        _ => None,
    }
}

pub(crate) fn mul(words: &Words<'_>) -> Option<Form> {
    let ty = words.types.first()?;
    match words.modifiers[..] {
        ["lo"] => only(words, &["lo"]).and_then(|ty| all!(ty, Two, mul_lo)),
        ["hi"] => only(words, &["hi"]).and_then(|ty| all!(ty, Two, mul_hi)),
        ["wide"] if words.types.len() == 1 => narrow!(ty, Two, mul_wide),
        _ => None,
    }
}

pub(crate) fn mad(words: &Words<'_>) -> Option<Form> {
    let ty = words.types.first().filter(|_| words.types.len() == 1)?;
    match words.modifiers[..] {
        ["lo"] => all!(ty, Three, mad_lo),
        ["hi"] => all!(ty, Three, mad_hi),
        ["wide"] => narrow!(ty, Three, mad_wide),
        ["lo", "cc"] if is_u32(words) => Some(Form::Carry(|a, b, c, _| compute::mad_lo_carry(a, b, c, 0), 3, true)),
        ["hi", "cc"] if is_u32(words) => Some(Form::Carry(|a, b, c, _| compute::mad_hi_carry(a, b, c, 0), 3, true)),
        _ => None,
    }
}

of_all!(div, Partial);
of_all!(rem, Partial);
of_all!(min, Two);
of_all!(max, Two);
signed!(abs);
signed!(neg);

macro_rules! of_bits {
    ($($name:ident $form:ident $narrow:ident $wide:ident;)*) => {$(
        pub(crate) fn $name(words: &Words<'_>) -> Option<Form> {
            match bits_of(words, &[])? {
                32 => Some(Form::$form(bits::$narrow)),
                64 => Some(Form::$form(bits::$wide)),
                _ => None,
            }
        }
    )*};
}
of_bits! {
    popc One popc_32 popc_64;
    clz One clz_32 clz_64;
    brev One brev_32 brev_64;
    bfi Four insert_32 insert_64;
}

/// Without a sign.
pub(crate) fn bfe(words: &Words<'_>) -> Option<Form> {
    let ty = only(words, &[]).filter(|ty| ty.kind == Kind::Unsigned)?;
    match ty.bits {
        32 => Some(Form::Three(bits::extract_u32)),
        64 => Some(Form::Three(bits::extract_u64)),
        _ => None,
    }
}

/// Whether the first and the second factors have a sign.
fn signs(words: &Words<'_>) -> Option<(bool, bool)> {
    let sign = |ty: &Type| match (ty.kind, ty.bits) {
        (Kind::Unsigned, 32) => Some(false),
        (Kind::Signed, 32) => Some(true),
        _ => None,
    };
    match &words.types[..] {
        [a, b] => Some((sign(a)?, sign(b)?)),
        _ => None,
    }
}

pub(crate) fn dp4a(words: &Words<'_>) -> Option<Form> {
    words.modifiers.is_empty().then_some(())?;
    Some(Form::Three(match signs(words)? {
        (false, false) => bits::dot_4::<false, false>,
        (false, true) => bits::dot_4::<false, true>,
        (true, false) => bits::dot_4::<true, false>,
        (true, true) => bits::dot_4::<true, true>,
    }))
}

pub(crate) fn dp2a(words: &Words<'_>) -> Option<Form> {
    let high = match words.modifiers[..] {
        ["lo"] => false,
        ["hi"] => true,
        _ => return None,
    };
    Some(Form::Three(match (high, signs(words)?) {
        (false, (false, false)) => bits::dot_2::<false, false, false>,
        (false, (false, true)) => bits::dot_2::<false, false, true>,
        (false, (true, false)) => bits::dot_2::<false, true, false>,
        (false, (true, true)) => bits::dot_2::<false, true, true>,
        (true, (false, false)) => bits::dot_2::<true, false, false>,
        (true, (false, true)) => bits::dot_2::<true, false, true>,
        (true, (true, false)) => bits::dot_2::<true, true, false>,
        (true, (true, true)) => bits::dot_2::<true, true, true>,
    }))
}

pub(crate) fn and(words: &Words<'_>) -> Option<Form> {
    bits_of(words, &[]).map(|_| Form::Two(bits::and))
}

pub(crate) fn or(words: &Words<'_>) -> Option<Form> {
    bits_of(words, &[]).map(|_| Form::Two(bits::or))
}

pub(crate) fn xor(words: &Words<'_>) -> Option<Form> {
    bits_of(words, &[]).map(|_| Form::Two(bits::xor))
}

pub(crate) fn not(words: &Words<'_>) -> Option<Form> {
    Some(Form::One(match bits_of(words, &[])? {
        1 => bits::not::<1>,
        16 => bits::not::<16>,
        32 => bits::not::<32>,
        64 => bits::not::<64>,
        _ => return None,
    }))
}

pub(crate) fn shf(words: &Words<'_>) -> Option<Form> {
    let (["l" | "r", _], 32) = (&words.modifiers[..], words.types.first()?.bits) else {
        return None;
    };
    match words.modifiers[..] {
        ["l", "wrap"] => Some(Form::Three(bits::funnel_left_wrap)),
        ["l", "clamp"] => Some(Form::Three(bits::funnel_left_clamp)),
        ["r", "wrap"] => Some(Form::Three(bits::funnel_right_wrap)),
        ["r", "clamp"] => Some(Form::Three(bits::funnel_right_clamp)),
        _ => None,
    }
}

pub(crate) fn shl(words: &Words<'_>) -> Option<Form> {
    Some(Form::Two(match bits_of(words, &[])? {
        16 => compute::shl::<u16>,
        32 => compute::shl::<u32>,
        64 => compute::shl::<u64>,
        _ => return None,
    }))
}

/// Bits are shifted as numbers without a sign.
pub(crate) fn shr(words: &Words<'_>) -> Option<Form> {
    let mut ty = only(words, &[])?;
    if ty.kind == Kind::Bits {
        ty.kind = Kind::Unsigned;
    }
    all!(ty, Two, shr)
}

/// Without a mode.
pub(crate) fn prmt(words: &Words<'_>) -> Option<Form> {
    (bits_of(words, &[])? == 32).then_some(Form::Three(bits::permute))
}
