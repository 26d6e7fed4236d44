//! Moves, accesses to memory, shuffles.

use super::integer::only;
use crate::compute::{bits, float, integer};
use crate::instruction::{Modify, Path, Shuffle, Space};
use crate::operand::{Kind, Type};
use crate::table::{Form, Words};

pub(crate) fn mov(words: &Words<'_>) -> Option<Form> {
    only(words, &[]).map(Form::Move)
}

/// A type that memory holds.
fn stored(words: &Words<'_>) -> Option<Type> {
    match words.types[..] {
        [ty] if ty.kind != Kind::Predicate => Some(ty),
        _ => None,
    }
}

/// How many values: a vector has up to 16 bytes.
fn vector(words: &[&str], ty: Type) -> Option<usize> {
    let count = match words {
        [] => 1,
        ["v2"] => 2,
        ["v4"] => 4,
        _ => return None,
    };
    (count * ty.bytes() <= 16).then_some(count)
}

/// A space, and what stands behind it.
fn space<'a, 'b>(words: &'b [&'a str]) -> (Space, &'b [&'a str]) {
    match words.split_first() {
        Some((&"global", rest)) => (Space::Global, rest),
        Some((&"shared", rest)) => (Space::Shared, rest),
        Some((&"local", rest)) => (Space::Local, rest),
        Some((&"const", rest)) => (Space::Constant, rest),
        _ => (Space::Generic, words),
    }
}

/// A volatile access is one that no compiler drops.
fn volatile<'a, 'b>(words: &'b [&'a str]) -> (Path, &'b [&'a str]) {
    match words.strip_prefix(&["volatile"]) {
        Some(rest) => (Path::Volatile, rest),
        None => (Path::Plain, words),
    }
}

pub(crate) fn ld(words: &Words<'_>) -> Option<Form> {
    let ty = stored(words)?;
    if let Some(rest) = words.modifiers.strip_prefix(&["param"]) {
        return Some(Form::LoadParameter(ty, vector(rest, ty)?));
    }
    let (path, rest) = volatile(&words.modifiers);
    let (space, rest) = space(rest);
    let (path, rest) = match rest.strip_prefix(&["nc"]) {
        Some(rest) if space == Space::Global && path == Path::Plain => (Path::Constant, rest),
        _ => (path, rest),
    };
    Some(Form::Load(ty, space, vector(rest, ty)?, path))
}

pub(crate) fn st(words: &Words<'_>) -> Option<Form> {
    let ty = stored(words)?;
    if let Some(rest) = words.modifiers.strip_prefix(&["param"]) {
        return Some(Form::StoreParameter(ty, vector(rest, ty)?));
    }
    let (path, rest) = volatile(&words.modifiers);
    let (space, rest) = space(rest);
    (space != Space::Constant).then_some(())?;
    Some(Form::Store(ty, space, vector(rest, ty)?, path))
}

pub(crate) fn cvta(words: &Words<'_>) -> Option<Form> {
    let ty = words.types.first().filter(|_| words.types.len() == 1)?;
    (ty.kind == Kind::Unsigned && ty.bits == 64).then_some(())?;
    let of = |word: &[&str]| match space(word) {
        (Space::Generic, _) => None,
        (space, []) => Some(space),
        _ => None,
    };
    match words.modifiers.strip_prefix(&["to"]) {
        Some(rest) => of(rest).map(Form::Specific),
        None => of(&words.modifiers).map(Form::Generic),
    }
}

pub(crate) fn shfl(words: &Words<'_>) -> Option<Form> {
    only(words, &words.modifiers).filter(|ty| ty.kind == Kind::Bits && ty.bits == 32)?;
    Some(Form::Shuffle(match words.modifiers[..] {
        ["sync", "up"] => Shuffle::Up,
        ["sync", "down"] => Shuffle::Down,
        ["sync", "bfly"] => Shuffle::Butterfly,
        ["sync", "idx"] => Shuffle::Index,
        _ => return None,
    }))
}

pub(crate) fn atom(words: &Words<'_>) -> Option<Form> {
    let (ty, space, modify, operands) = modification(words)?;
    Some(Form::Atomic(ty, space, modify, operands, true))
}

/// Without a result.
pub(crate) fn red(words: &Words<'_>) -> Option<Form> {
    let (ty, space, modify, operands) = modification(words)?;
    let known = !matches!(words.modifiers.last(), Some(&("cas" | "exch")));
    known.then_some(Form::Atomic(ty, space, modify, operands, false))
}

fn modification(words: &Words<'_>) -> Option<(Type, Space, Modify, usize)> {
    let ty = stored(words)?;
    let (space, rest) = space(&words.modifiers);
    (space != Space::Local && space != Space::Constant).then_some(())?;
    let [name] = rest else { return None };
    let modify: Modify = match (*name, ty.kind, ty.bits) {
        ("cas", Kind::Bits, 16 | 32 | 64) => return Some((ty, space, exchange_if_equal, 2)),
        ("exch", Kind::Bits, 32 | 64) => |_, b, _| b,
        ("and", Kind::Bits, 32 | 64) => |a, b, _| bits::and(a, b),
        ("or", Kind::Bits, 32 | 64) => |a, b, _| bits::or(a, b),
        ("xor", Kind::Bits, 32 | 64) => |a, b, _| bits::xor(a, b),
        ("add", Kind::Unsigned | Kind::Signed, 32) => |a, b, _| integer::add::<u32>(a, b),
        ("add", Kind::Unsigned, 64) => |a, b, _| integer::add::<u64>(a, b),
        // Of `f32` in global memory subnormals are zeros.
        ("add", Kind::Float, 32) if space == Space::Global => |a, b, _| float::add::<f32, 0, true>(a, b),
        ("add", Kind::Float, 32) if space == Space::Shared => |a, b, _| float::add::<f32, 0, false>(a, b),
        ("add", Kind::Float, 64) => |a, b, _| float::add::<f64, 0, false>(a, b),
        ("min", Kind::Unsigned, 32) => |a, b, _| integer::min::<u32>(a, b),
        ("min", Kind::Unsigned, 64) => |a, b, _| integer::min::<u64>(a, b),
        ("min", Kind::Signed, 32) => |a, b, _| integer::min::<i32>(a, b),
        ("min", Kind::Signed, 64) => |a, b, _| integer::min::<i64>(a, b),
        ("max", Kind::Unsigned, 32) => |a, b, _| integer::max::<u32>(a, b),
        ("max", Kind::Unsigned, 64) => |a, b, _| integer::max::<u64>(a, b),
        ("max", Kind::Signed, 32) => |a, b, _| integer::max::<i32>(a, b),
        ("max", Kind::Signed, 64) => |a, b, _| integer::max::<i64>(a, b),
        _ => return None,
    };
    Some((ty, space, modify, 1))
}

/// The old value stays unless it is the first operand.
fn exchange_if_equal(old: u64, expected: u64, new: u64) -> u64 {
    if old == expected { new } else { old }
}
