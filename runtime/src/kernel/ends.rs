//! Whether functions come to their end whatever they are given: also what no iteration gives them.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use swathe_ir::{ExprKind, Func, Range};

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
    let end = callees_end(&load(), &mut HashMap::new());
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().insert(key, end);
    end
}

fn known(key: TypeId) -> Option<bool> {
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    known.as_ref()?.get(&key).copied()
}

/// `asked`: what was found of functions; nothing yet of those that are being asked, which then call themselves.
fn callees_end(instance: &Instance, asked: &mut HashMap<(TypeId, u64), bool>) -> bool {
    instance.callees.iter().all(|callee| match callee {
        Callee::BuiltIn => true,
        Callee::Func(FuncRef { key, load }) => {
            if let Some(end) = asked.get(key) {
                return *end;
            }
            asked.insert(*key, false);
            let function = load();
            let end = has_an_end(&function.func) && callees_end(&function, asked);
            asked.insert(*key, end);
            end
        }
    })
}

/// Whether a function's own loops run from number to number.
fn has_an_end(func: &Func) -> bool {
    let mut end = true;
    walk::block(&func.body, &mut |e| {
        end &= match &e.kind {
            ExprKind::While(..) | ExprKind::Loop(..) => false,
            ExprKind::For(_, _, range, _) => is_known(range),
            _ => true,
        };
    });
    end
}

fn is_known(range: &Range) -> bool {
    let ends = [Some(&range.start), Some(&range.end), range.step.as_ref()];
    ends.into_iter().flatten().all(|e| matches!(e.kind, ExprKind::Lit(..)))
}
