//! Loop interchange: of the axes of a parallel loop that one comes last, along which its iterations follow one another, along which most accesses lie
//! beside each other.

use std::collections::BTreeMap;

use quote::format_ident;
use swathe_ir::LocalId;

use super::access::{Found, Mode};
use super::race::affine;
use crate::hir::affine::number;
use crate::hir::visit::any_in;
use crate::hir::{Axis, Domain, Expr, ExprKind, Extent, Func, Local, ParFor, Pat, Stmt, Value};

/// What a write across rows counts beside a read: a line of the cache is read before it is written, and goes back to memory.
pub const WRITE: usize = 2;
/// The shortest row, where numbers tell how long it is.
const SHORTEST: u64 = 16;

/// Reorders the axes of loops. Says whether it did.
pub fn reorder(func: &mut Func, accesses: &[Found]) -> bool {
    let mut stmts = Vec::new();
    let mut reordered = false;
    for mut stmt in std::mem::take(&mut func.body.stmts) {
        if let Stmt::ParFor(p) = &mut stmt
            && let Some(order) = order(func, p, accesses)
        {
            stmts.extend(extents(func, p));
            apply(func, p, &order);
            reordered = true;
        }
        stmts.push(stmt);
    }
    func.body.stmts = stmts;
    reordered
}

/// The axes of the loop at which an access has its indices, from the first to the last; `None` for what is no position of the loop.
pub fn pattern(found: &Found) -> Vec<Option<usize>> {
    let axis = |position| match affine(position)?.axis? {
        Axis::One(k) => Some(k),
        Axis::All | Axis::Part { .. } => None,
    };
    found.index.iter().map(axis).collect()
}

/// Whether elements lie apart along this axis of the loop.
pub fn lies_across(pattern: &[Option<usize>], axis: usize) -> bool {
    pattern.last().is_some_and(|last| *last != Some(axis)) && pattern.contains(&Some(axis))
}

/// The axes in a better order; `None` where theirs is as good as any.
fn order(func: &Func, p: &ParFor, accesses: &[Found]) -> Option<Vec<usize>> {
    let rank = p.vars.len();
    let known = match &p.domain {
        Domain::Range(_) => return None,
        // Positions of an offset field begin anywhere.
        Domain::Indices(..) => p.offsets.is_empty(),
        Domain::NdRange(extents) => extents.len() == rank,
    };
    // What is printed comes in the order of the loop, and of values that compare equal the first one is taken.
    let ordered = !p.arg_reductions.is_empty() || any_in(&p.body, |e| matches!(e.kind, ExprKind::Print { .. }));
    // Others that know which axis they stand for would have to be told.
    let alone = func.locals.iter().enumerate().all(|(id, local)| {
        let own = p.vars.iter().flatten().any(|var| var.0 as usize == id);
        let axis = own && matches!(local.value, Value::Parallel { axis: Axis::One(_), .. });
        axis || local.inside != Some(p.number) || !is_position(&local.value)
    });
    if rank < 2 || !known || ordered || !alone {
        return None;
    }
    let here = accesses.iter().filter(|found| found.parallel == Some(p.number));
    let patterns: Vec<(LocalId, usize, Vec<Option<usize>>)> = here
        .map(|found| {
            (
                found.field,
                if found.mode == Mode::Read { 1 } else { WRITE },
                pattern(found),
            )
        })
        .collect();
    // Accesses to a field that lie across share their lines.
    let cost = |axis: usize| {
        let mut of_fields = BTreeMap::new();
        for (field, weight, pattern) in &patterns {
            if lies_across(pattern, axis) {
                of_fields.insert((*field, *weight), *weight);
            }
        }
        of_fields.into_values().sum::<usize>()
    };
    let least = (0..rank).rev().min_by_key(|axis| cost(*axis))?;
    let short = match &p.domain {
        Domain::NdRange(extents) => number(&extents[least]).is_some_and(|n| n < SHORTEST),
        _ => false,
    };
    if short || cost(least) == cost(rank - 1) {
        return None;
    }
    // The others as they follow one another in what decides.
    let along = patterns
        .iter()
        .filter(|(.., pattern)| pattern.last() == Some(&Some(least)));
    let leading = along.max_by_key(|(_, weight, pattern)| (*weight, pattern.iter().flatten().count()));
    let place = |axis: usize| leading.and_then(|(.., pattern)| pattern.iter().position(|other| *other == Some(axis)));
    let mut order: Vec<usize> = (0..rank).filter(|axis| *axis != least).collect();
    order.sort_by_key(|axis| place(*axis));
    order.push(least);
    Some(order)
}

fn is_position(value: &Value) -> bool {
    match value {
        Value::Parallel { .. } => true,
        Value::Parts(parts) => parts.iter().any(is_position),
        Value::Unknown | Value::Alias(_) | Value::Extent(_) | Value::Below(_) | Value::Within(_) => false,
    }
}

/// Makes of the positions of a field those of its extents, which a statement in front of the loop names: a pattern of as many as the loop has names has
/// rustc confirm how many there are.
fn extents(func: &mut Func, p: &mut ParFor) -> Option<Stmt> {
    let Domain::Indices(field, ident) = &p.domain else {
        return None;
    };
    let (field, ident, span) = (*field, ident.clone(), p.span);
    let names: Vec<_> = (0..p.vars.len())
        .map(|axis| {
            let ident = format_ident!("__n{}", func.locals.len(), span = span);
            let local = LocalId(u32::try_from(func.locals.len()).expect("fewer than 2^32 variables"));
            let ty = func.slots.ty(None);
            func.locals.push(Local {
                ident: ident.clone(),
                name: ident.clone(),
                ty,
                mutable: false,
                inside: None,
                value: Value::Extent(Extent::Shape(field, axis)),
            });
            (local, ident)
        })
        .collect();
    let parts = names.iter().cloned().map(|(local, ident)| Pat::Bind {
        local,
        ident,
        mutable: false,
    });
    let shape = Stmt::Let {
        pat: Pat::Array(parts.collect()),
        ty: None,
        init: Some(Expr::new(ExprKind::FieldShape(field, ident), span, span)),
        span,
        lints: Vec::new(),
    };
    let extents = names
        .into_iter()
        .map(|(local, ident)| Expr::new(ExprKind::Local(local, ident), span, span));
    p.domain = Domain::NdRange(extents.collect());
    Some(shape)
}

fn apply(func: &mut Func, p: &mut ParFor, order: &[usize]) {
    p.vars = order.iter().map(|axis| p.vars[*axis]).collect();
    if let Domain::NdRange(extents) = &mut p.domain {
        *extents = order.iter().map(|axis| extents[*axis].clone()).collect();
    }
    for (k, var) in p.vars.iter().enumerate() {
        if let Some(id) = var
            && let Value::Parallel { axis, .. } = &mut func.locals[id.0 as usize].value
        {
            *axis = Axis::One(k);
        }
    }
    p.interchanged = true;
}
