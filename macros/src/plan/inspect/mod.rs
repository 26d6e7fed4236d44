//! Indices that come from data, `x[columns[k] as usize]`, looked at before a block of iterations runs. A check in place is a comparison
//! and a jump, and LLVM vectorises no loop that it stands in. Where an index is a function of a loop's position and of fields that are not written, a
//! loop of its own finds the largest one of the block, and the block then runs without checks. If one is out of bounds the block runs with
//! checks, as it would have, so that failures are the same.
//!
//! What looks and what accesses is the same code: one closure of the iteration's number, which both call ([`Inspection::closures`]). It is made of reads of
//! fields that nobody writes, and of operators that rustc says are those of numbers, so it gives both the same.
//!
//! Loops in the loop are left as they are. LLVM vectorises none that adds up floats, and to look at the indices of a sparse matrix's rows takes longer than to
//! check them in place, where no mispredicted end of an unrolled loop comes with them.

mod find;
mod value;

use std::collections::{HashMap, HashSet};

pub use self::find::{Check, Node};
use super::setting::{overflow_checked, plain};
use crate::hir::types::is_usize;
use crate::hir::{AccessId, Expr, ExprKind, Func, ParFor, Stmt};

/// What is looked at before a block of a loop.
pub struct Inspection<'h> {
    pub nodes: Vec<Node<'h>>,
    /// Accesses whose indices are looked at, and when.
    pub covered: HashMap<AccessId, Step>,
}

/// What an expression depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// Nothing that changes during the loop.
    Fixed,
    /// The position.
    Position,
}

/// When an expression can be evaluated: once all accesses of earlier steps are known to be in bounds.
pub type Step = usize;

impl<'h> Inspection<'h> {
    /// What is to be looked at, if anything.
    pub fn of(func: &'h Func, p: &'h ParFor) -> Option<Inspection<'h>> {
        if plain() || overflow_checked() {
            return None;
        }
        find::find(func, p)
    }

    /// The last step.
    pub fn last(&self) -> Step {
        self.covered.values().copied().max().unwrap_or(0)
    }

    /// What each step computes, in its order.
    pub fn values(&self, step: Step) -> Vec<Value<'_>> {
        let mut found = Vec::new();
        collect_values(&self.nodes, step, &mut found);
        found
    }

    /// Accesses that are known to be in bounds when a step is taken.
    pub fn before(&self, step: Step) -> impl Iterator<Item = AccessId> {
        let earlier = self.covered.iter().filter(move |(_, covered)| **covered < step);
        earlier.map(|(id, _)| *id)
    }

    pub fn accesses(&self) -> HashSet<AccessId> {
        self.covered.keys().copied().collect()
    }

    /// The checks of a step, and which of its values each looks at.
    pub fn checks(&self, step: Step) -> impl Iterator<Item = (&Check<'_>, usize)> {
        let values = self.values(step).into_iter().enumerate();
        values.filter_map(|(k, value)| Some((value.check?, k)))
    }
}

/// A value that a closure gives.
pub struct Value<'h> {
    /// The expression of which it is the value, cast to `cast`.
    pub whole: &'h Expr,
    pub cast: Option<&'h syn::Type>,
    /// What has to be in bounds.
    pub check: Option<&'h Check<'h>>,
}

fn collect_values<'e>(nodes: &'e [Node<'e>], step: Step, found: &mut Vec<Value<'e>>) {
    for node in nodes {
        match node {
            Node::Let { stmt, step: own, .. } if *own == step => {
                if let Stmt::Let { init: Some(init), .. } = stmt {
                    found.push(Value {
                        whole: init,
                        cast: None,
                        check: None,
                    });
                }
            }
            Node::Check(check) if check.step == step => {
                let whole = &check.access.index[check.axis.unwrap_or(0)];
                found.push(Value {
                    whole,
                    cast: check.axis.and_then(|_| before_cast(whole)).map(|(_, ty)| ty),
                    check: Some(check),
                });
            }
            Node::Block(nodes) => collect_values(nodes, step, found),
            Node::Let { .. } | Node::Check(_) => {}
        }
    }
}

/// What is cast to an index: the numbers before are narrower.
pub fn before_cast(e: &Expr) -> Option<(&Expr, &syn::Type)> {
    match &e.kind {
        ExprKind::Cast(inner, ty, ..) if !matches!(inner.kind, ExprKind::Lit(..)) => {
            is_usize(ty).then_some((&**inner, &**ty))
        }
        _ => None,
    }
}
