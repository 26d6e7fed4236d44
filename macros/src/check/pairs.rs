//! Which atomic sums may change two neighbouring components by one operation.

use swathe_ir::AtomicOp;

use super::access::{Found, Mode};
use crate::hir::{Func, overlap};

/// Notes the sums beside which the same loop does nothing else atomically to the same memory than the same sum of the same whole. Others
/// go component by component: atomic operations of different sizes on one memory would be a data race.
pub fn find(func: &mut Func, accesses: &[Found]) {
    let atomic = || accesses.iter().filter(|found| matches!(found.mode, Mode::Atomic(_)));
    for one in atomic() {
        let mut same = atomic().filter(|other| {
            other.field == one.field && other.parallel == one.parallel && overlap(&other.path, &one.path)
        });
        func.accesses[one.id.0].pairs =
            same.all(|other| other.mode == Mode::Atomic(AtomicOp::Add) && other.steps == one.steps);
    }
}
