//! What is decided over a whole kernel: reductions, how each access is covered, that no two iterations collide, how far
//! accesses go, and how atomic sums are taken.

mod access;
mod across;
mod arg_reduction;
mod bounds;
mod facts;
mod inside;
mod interchange;
mod pairs;
mod race;
mod reach;
mod reduce;
mod vouched;

use std::collections::HashSet;

use crate::error::Errors;
use crate::hir::Func;

/// Runs all checks of a kernel and stores what they decide.
pub fn kernel(func: &mut Func, errors: &mut Errors) {
    arg_reduction::find(func);
    reduce::find(func, errors);
    let mut accesses = access::collect(func);
    race::check(func, &accesses, errors);
    if errors.is_empty() && interchange::reorder(func, &accesses) {
        accesses = access::collect(func);
    }
    bounds::decide(func, &accesses, |_| true);
    vouched::find(func, &accesses);
    reach::find(func, &accesses);
    across::find(func, &accesses);
    pairs::find(func, &accesses);
    inside::find(func);
    let whole: HashSet<usize> = func.loops().filter(|p| p.inside.is_none()).map(|p| p.number).collect();
    if accesses
        .iter()
        .any(|found| found.guarded && found.parallel.is_some_and(|number| whole.contains(&number)))
    {
        bounds::decide(func, &accesses, |number| !whole.contains(&number));
    }
}
