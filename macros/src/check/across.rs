//! Accesses that go across the rows of a parallel loop, as in `v[[i, j]] = u[[j, i]]`.

use super::access::{Found, Mode};
use super::interchange::{WRITE, lies_across, pattern};
use crate::hir::{Func, Stmt};

/// Stores in each parallel loop the axis along which most of them lie beside each other.
pub fn find(func: &mut Func, accesses: &[Found]) {
    for stmt in &mut func.body.stmts {
        let Stmt::ParFor(p) = stmt else { continue };
        let Some(row) = p.vars.len().checked_sub(1).filter(|row| *row > 0) else {
            continue;
        };
        let mut weights = vec![0; row];
        for found in accesses.iter().filter(|found| found.parallel == Some(p.number)) {
            let pattern = pattern(found);
            if let (true, Some(Some(axis))) = (lies_across(&pattern, row), pattern.last()) {
                weights[*axis] += if found.mode == Mode::Read { 1 } else { WRITE };
            }
        }
        let most = weights.iter().copied().max().filter(|most| *most > 0);
        p.across = most.and_then(|most| weights.iter().rposition(|weight| *weight == most));
    }
}
