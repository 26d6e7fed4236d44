//! Whether functions come to their end soon and without a word whatever they are given: also what no iteration gives them.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use swathe_ir::{Expr, ExprKind, Lit, MOST_ROUNDS, Range, Type};

use super::probe::KernelDef;
use super::{Callee, FuncRef, Instance, walk};

/// What is known of kernels.
static KNOWN: RwLock<Option<HashMap<TypeId, Option<u64>>>> = RwLock::new(None);

/// Whether all functions, methods and operators that a kernel calls do, as far as their text tells, if each is called in so many rounds. Their text is looked at
/// once for each kernel.
#[must_use]
pub fn functions_end<K: KernelDef>(rounds: u64) -> bool {
    let own = rounds_of_functions(TypeId::of::<K>(), K::load);
    own.is_some_and(|own| own.saturating_mul(rounds) <= MOST_ROUNDS)
}

fn rounds_of_functions(key: TypeId, load: fn() -> Instance) -> Option<u64> {
    if let Some(rounds) = known(key) {
        return rounds;
    }
    let rounds = callees_end(&load(), &mut HashMap::new());
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().insert(key, rounds);
    rounds
}

fn known(key: TypeId) -> Option<Option<u64>> {
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    known.as_ref()?.get(&key).copied()
}

/// `asked`: what was found of functions; nothing yet of those that are being asked, which then call themselves.
fn callees_end(instance: &Instance, asked: &mut HashMap<(TypeId, u64), Option<u64>>) -> Option<u64> {
    let mut all = 1_u64;
    for callee in &instance.callees {
        let Callee::Func(FuncRef { key, load }) = callee else {
            continue;
        };
        let rounds = match asked.get(key) {
            Some(rounds) => *rounds,
            None => {
                asked.insert(*key, None);
                let function = load();
                let rounds = rounds_of(&function)
                    .zip(callees_end(&function, asked))
                    .map(|(own, inner)| own.saturating_mul(inner));
                asked.insert(*key, rounds);
                rounds
            }
        };
        all = all.saturating_mul(rounds?);
    }
    Some(all)
}

/// How many rounds all loops of a function have together, as if each stood in the one before; nothing if data tells, or if it prints or may panic by an index.
fn rounds_of(function: &Instance) -> Option<u64> {
    let (mut rounds, mut known) = (1_u64, true);
    walk::block(&function.func.body, &mut |e| match &e.kind {
        ExprKind::While(..) | ExprKind::Loop(..) | ExprKind::Print { .. } => known = false,
        ExprKind::For(_, _, range, _) => match rounds_from(range) {
            Some(own) => rounds = rounds.saturating_mul(own.max(1)),
            None => known = false,
        },
        ExprKind::Index(base, index) => known &= is_inside(function, base, index),
        ExprKind::Method { name, .. } | ExprKind::Call { name, .. } => known &= name != "clamp",
        _ => {}
    });
    known.then_some(rounds)
}

/// Whether an index is a number that is known to be one of an item's.
fn is_inside(function: &Instance, base: &Expr, index: &Expr) -> bool {
    let ExprKind::Lit(Lit::Int(index), _) = &index.kind else {
        return false;
    };
    let length = type_of(function, base).and_then(items);
    length.is_some_and(|(length, _)| *index < length as u128)
}

/// The type of a place in a variable.
fn type_of(function: &Instance, place: &Expr) -> Option<Type> {
    match &place.kind {
        ExprKind::Local(local) => {
            let slot = function.func.locals.get(local.0 as usize)?.ty;
            function.types.get(slot.0 as usize).cloned()
        }
        ExprKind::Member(base, name) => match type_of(function, base)? {
            Type::Struct(of) => of
                .members
                .iter()
                .find(|member| member.name == *name)
                .map(|member| member.ty.clone()),
            _ => None,
        },
        ExprKind::Index(base, _) => items(type_of(function, base)?)?.1,
        _ => None,
    }
}

/// How many items a value has, and their type.
fn items(ty: Type) -> Option<(usize, Option<Type>)> {
    match ty {
        Type::Array(item, length) => Some((length, Some(*item))),
        Type::Vector(_, length) => Some((length, None)),
        _ => None,
    }
}

fn rounds_from(range: &Range) -> Option<u64> {
    match (&range.start.kind, &range.end.kind) {
        (ExprKind::Lit(Lit::Int(start), _), ExprKind::Lit(Lit::Int(end), _)) if range.step.is_none() => {
            let rounds = end.saturating_sub(*start).saturating_add(u128::from(range.inclusive));
            u64::try_from(rounds).ok()
        }
        _ => None,
    }
}
