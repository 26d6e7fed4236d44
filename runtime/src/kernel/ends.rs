//! Whether functions come to their end soon and without a word whatever they are given: also what no iteration gives them.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use swathe_ir::{ExprKind, Func, Lit, MOST_ROUNDS, Range};

use super::probe::KernelDef;
use super::{Callee, FuncRef, Instance, walk};

/// What is known of kernels.
static KNOWN: RwLock<Option<HashMap<TypeId, bool>>> = RwLock::new(None);

/// Whether all functions, methods and operators that a kernel calls do, as far as their text tells. It is asked once for each kernel.
#[must_use]
pub fn functions_end<K: KernelDef>() -> bool {
    functions_of(TypeId::of::<K>(), K::load)
}

fn functions_of(key: TypeId, load: fn() -> Instance) -> bool {
    if let Some(end) = known(key) {
        return end;
    }
    let end = callees_end(&load(), &mut HashMap::new()).is_some_and(|rounds| rounds <= MOST_ROUNDS);
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().insert(key, end);
    end
}

fn known(key: TypeId) -> Option<bool> {
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
                let rounds = rounds_of(&function.func)
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
fn rounds_of(func: &Func) -> Option<u64> {
    let (mut rounds, mut known) = (1_u64, true);
    walk::block(&func.body, &mut |e| match &e.kind {
        ExprKind::While(..) | ExprKind::Loop(..) | ExprKind::Print { .. } => known = false,
        ExprKind::For(_, _, range, _) => match rounds_from(range) {
            Some(own) => rounds = rounds.saturating_mul(own.max(1)),
            None => known = false,
        },
        ExprKind::Index(_, index) => known &= matches!(index.kind, ExprKind::Lit(..)),
        ExprKind::Method { name, .. } | ExprKind::Call { name, .. } => known &= name != "clamp",
        _ => {}
    });
    known.then_some(rounds)
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
