//! Where the author vouches that iterations do not collide.

use std::collections::BTreeSet;

use super::access::Found;
use crate::hir::{Func, Stmt};

/// Notes the fields of each parallel loop that an `unsafe` block accesses. All accesses to them count, also those outside of
/// the block: the check for races judged these without those inside.
pub fn find(func: &mut Func, accesses: &[Found]) {
    let mut vouched = Vec::new();
    for found in accesses.iter().filter(|found| found.in_unsafe) {
        if let Some(number) = found.parallel
            && func.field_mutable(found.field)
        {
            vouched.push((number, found.field));
        }
    }
    for stmt in &mut func.body.stmts {
        if let Stmt::ParFor(p) = stmt {
            let here = vouched.iter().filter(|(number, _)| *number == p.number);
            let fields: BTreeSet<_> = here.map(|(_, field)| *field).collect();
            p.vouched = fields.into_iter().collect();
        }
    }
}
