//! Operands of an instruction.

use super::body::Body;
use crate::operand::{Operand, Place, Slot, Special, number};
use crate::token::Token;

/// All operands, separated by commas.
pub(super) fn operands<'a>(body: &mut Body<'a, '_>, tokens: &[Token<'a>]) -> Option<Vec<Operand>> {
    let mut rest = tokens;
    let mut out = Vec::new();
    while !rest.is_empty() {
        out.push(operand(body, &mut rest)?);
        match rest.split_first() {
            Some((comma, after)) if comma.text == "," && !after.is_empty() => rest = after,
            None => {}
            _ => return None,
        }
    }
    Some(out)
}

fn take<'a>(rest: &mut &[Token<'a>]) -> Option<&'a str> {
    let (first, after) = rest.split_first()?;
    *rest = after;
    Some(first.text)
}

fn next_is(rest: &[Token<'_>], text: &str) -> bool {
    rest.first().is_some_and(|token| token.text == text)
}

fn operand<'a>(body: &mut Body<'a, '_>, rest: &mut &[Token<'a>]) -> Option<Operand> {
    if next_is(rest, "{") {
        take(rest)?;
        return list(body, rest);
    }
    if next_is(rest, "[") {
        take(rest)?;
        return address(body, rest);
    }
    if next_is(rest, "!") {
        take(rest)?;
        return value(body, rest).map(Operand::Not);
    }
    let slot = value(body, rest)?;
    if next_is(rest, "|") {
        take(rest)?;
        return Some(Operand::Pair(slot, value(body, rest)?));
    }
    Some(Operand::Slot(slot))
}

/// A register, a number, or the address of a variable.
fn value<'a>(body: &mut Body<'a, '_>, rest: &mut &[Token<'a>]) -> Option<Slot> {
    let word = take(rest)?;
    if word == "-" {
        let value = number(take(rest)?)?.wrapping_neg();
        return Some(body.constant(value));
    }
    if let Some(special) = Special::parse(word) {
        return Some(body.special(special));
    }
    if let Some(value) = number(word) {
        return Some(body.constant(value));
    }
    body.value(word)
}

/// Behind the brace.
fn list<'a>(body: &mut Body<'a, '_>, rest: &mut &[Token<'a>]) -> Option<Operand> {
    let mut slots = Vec::new();
    loop {
        if next_is(rest, "_") {
            take(rest)?;
            slots.push(None);
        } else {
            slots.push(Some(value(body, rest)?));
        }
        match take(rest)? {
            "," => {}
            "}" => return Some(Operand::List(slots)),
            _ => return None,
        }
    }
}

/// Behind the bracket: `%rd1+8]`, `name]`, `%rd1+-8]`.
fn address<'a>(body: &mut Body<'a, '_>, rest: &mut &[Token<'a>]) -> Option<Operand> {
    let parameter = rest.first().and_then(|token| body.parameter(token.text));
    let place = match parameter {
        Some(place) => {
            take(rest)?;
            place
        }
        None => Place::Slot(value(body, rest)?),
    };
    let offset = match take(rest)? {
        "]" => return Some(Operand::Address(place, 0)),
        "+" if next_is(rest, "-") => {
            take(rest)?;
            number(take(rest)?)?.wrapping_neg()
        }
        "+" => number(take(rest)?)?,
        "-" => number(take(rest)?)?.wrapping_neg(),
        _ => return None,
    };
    (take(rest)? == "]").then_some(Operand::Address(place, offset))
}
