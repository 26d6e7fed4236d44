//! No two iterations of a parallel loop may touch the same memory if one of them writes it, except atomically.

use swathe_ir::LocalId;

use super::access::{Found, Mode, Position};
use crate::error::Errors;
use crate::hir::{Axis, Func};

pub fn check(func: &Func, accesses: &[Found], errors: &mut Errors) {
    let loops = accesses.iter().filter_map(|a| a.parallel).max().map_or(0, |n| n + 1);
    for number in 0..loops {
        for param in &func.params {
            if func.field_mutable(param.local) {
                let here: Vec<&Found> = accesses
                    .iter()
                    .filter(|a| a.parallel == Some(number) && a.field == param.local && !a.in_unsafe)
                    .collect();
                field(func, param.local, &here, axes(func, number), errors);
            }
        }
    }
}

/// Which axes the positions of a parallel loop have.
fn axes(func: &Func, number: usize) -> Vec<Axis> {
    fn search(block: &crate::hir::Block, number: usize) -> Option<Vec<Option<LocalId>>> {
        block.stmts.iter().find_map(|stmt| match stmt {
            crate::hir::Stmt::ParFor(p) if p.number == number => Some(p.vars.clone()),
            _ => None,
        })
    }
    let vars = search(&func.body, number).unwrap_or_default();
    vars.iter()
        .enumerate()
        .map(|(k, var)| match var.map(|id| &func.local(id).value) {
            Some(crate::hir::Value::Parallel { axis, .. }) => *axis,
            _ => Axis::One(k),
        })
        .collect()
}

fn field(func: &Func, field: LocalId, accesses: &[&Found], axes: Vec<Axis>, errors: &mut Errors) {
    let name = &func.local(field).ident;
    // A write that is not to the iteration's own element races with itself in another iteration.
    for found in accesses.iter().filter(|a| a.mode == Mode::Write) {
        if own(found, &axes).is_none() {
            errors.at(
                found.span,
                format!(
                    "`{}` is written at a position that other iterations of this loop may write as well; write only the \
                     iteration's own element (every position of the loop alone at an index: `{}`), use an atomic operation such \
                     as `{name}.atomic_add(position, value)`, or state in an `unsafe` block why the positions never coincide",
                    found.text,
                    example(func, field, &axes, accesses),
                ),
            );
            return;
        }
    }
    for (k, second) in accesses.iter().enumerate() {
        for first in &accesses[..k] {
            if let Some((text, note)) = collision(first, second, &axes) {
                errors.pair(second.span, text, first.span, note);
                return;
            }
        }
    }
}

fn collision(first: &Found, second: &Found, axes: &[Axis]) -> Option<(String, String)> {
    if !overlaps(&first.path, &second.path) {
        return None;
    }
    let (a, b) = (&first.text, &second.text);
    match (first.mode, second.mode) {
        (Mode::Atomic, Mode::Atomic) | (Mode::Read, Mode::Read) => None,
        (Mode::Atomic, _) | (_, Mode::Atomic) => Some((
            format!(
                "`{b}` and the {} of the same field `{a}` collide: a field that a parallel loop changes atomically cannot be read or written plainly in that loop; use the result of the atomic operation, `atomic_load`, or a loop of its own",
                verb_noun(first.mode)
            ),
            format!("`{a}` is {} here", verb(first.mode)),
        )),
        _ => {
            let same = match (own(first, axes), own(second, axes)) {
                (Some(x), Some(y)) => x == y,
                _ => false,
            };
            (!same).then(|| {
                (
                    format!(
                        "`{b}` is {} here while other iterations of this loop may {} `{a}`: use a second field for the result, a loop of its own, an atomic operation, or state in an `unsafe` block why they never meet",
                        verb(second.mode),
                        if first.mode == Mode::Write { "write" } else { "read" },
                    ),
                    format!("`{a}` is {} here", verb(first.mode)),
                )
            })
        }
    }
}

/// Where in the index each position of the loop stands; `None` if one of them is missing.
fn own(found: &Found, axes: &[Axis]) -> Option<Vec<usize>> {
    axes.iter()
        .map(|axis| {
            found
                .index
                .iter()
                .position(|p| matches!(p, Position::Own { axis: a, .. } if a == axis))
        })
        .collect()
}

/// Whether two paths of members can name the same memory. Native code reaches a vector's component through a reference to
/// the whole vector, so that different components of one vector count as the same memory.
fn overlaps(a: &[String], b: &[String]) -> bool {
    let is_component = |m: &String| matches!(m.as_str(), "x" | "y" | "z" | "w");
    a.iter().zip(b).find(|(x, y)| x != y).is_none_or(|(x, y)| is_component(x) && is_component(y))
}

fn example(func: &Func, field: LocalId, axes: &[Axis], accesses: &[&Found]) -> String {
    let name = &func.local(field).ident;
    let rank = accesses.iter().map(|a| a.index.len()).max().unwrap_or(1);
    match (axes, rank) {
        ([Axis::All], _) => format!("{name}[position]"),
        ([_], 1) => format!("{name}[i]"),
        ([_], _) => format!("{name}[[i, ..]]"),
        _ => format!("{name}[[i, j]]"),
    }
}

fn verb(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "read",
        Mode::Write => "written",
        Mode::Atomic => "changed atomically",
    }
}

fn verb_noun(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "read",
        Mode::Write => "write",
        Mode::Atomic => "atomic operation",
    }
}
