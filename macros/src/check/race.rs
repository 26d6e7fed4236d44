//! No two iterations of a parallel loop may touch the same memory if one of them writes it, except atomically.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use swathe_ir::LocalId;

use super::access::{Found, Mode, Position};
use crate::error::Errors;
use crate::hir::affine::{Affine, Meeting};
use crate::hir::{Axis, Func, Stmt, Value, overlap};

pub fn check(func: &mut Func, accesses: &[Found], errors: &mut Errors) {
    let loops = accesses.iter().filter_map(|a| a.parallel).max().map_or(0, |n| n + 1);
    for number in 0..loops {
        let mut fixed = BTreeSet::new();
        let here = || accesses.iter().filter(|a| a.parallel == Some(number));
        let written: BTreeSet<LocalId> = here().filter(|a| a.mode != Mode::Read).map(|a| a.field).collect();
        for param in &func.params {
            if func.field_mutable(param.local) {
                let here: Vec<&Found> = here().filter(|a| a.field == param.local && !a.in_unsafe).collect();
                field(func, param.local, &here, &vars(func, number), &mut fixed, errors);
            }
        }
        for stmt in &mut func.body.stmts {
            if let Stmt::ParFor(p) = stmt
                && p.number == number
            {
                p.fixed.extend(&fixed);
                p.written.extend(&written);
            }
        }
    }
}

/// The positions of a parallel loop.
struct Vars {
    axes: Vec<Axis>,
    /// `None` for `_`.
    names: Vec<Option<Ident>>,
}

fn vars(func: &Func, number: usize) -> Vars {
    let found = func.body.stmts.iter().find_map(|stmt| match stmt {
        Stmt::ParFor(p) if p.number == number => Some(p.vars.as_slice()),
        _ => None,
    });
    let locals = || found.unwrap_or_default().iter().map(|id| id.map(|id| func.local(id)));
    Vars {
        axes: locals()
            .enumerate()
            .map(|(k, local)| match local.map(|local| &local.value) {
                Some(Value::Parallel { axis, .. }) => *axis,
                _ => Axis::One(k),
            })
            .collect(),
        names: locals().map(|local| local.map(|local| local.name.clone())).collect(),
    }
}

/// Adds the variables that have to be numbers to `fixed`.
fn field(
    func: &Func,
    field: LocalId,
    accesses: &[&Found],
    vars: &Vars,
    fixed: &mut BTreeSet<LocalId>,
    errors: &mut Errors,
) {
    let name = &func.local(field).name;
    // A write that is not to the iteration's own element races with itself in another iteration.
    for found in accesses.iter().filter(|a| a.mode == Mode::Write) {
        // Different iterations write different elements: each position of the loop stands in the index, and decides.
        if !together(found, found, &vars.axes, fixed) {
            errors.on(
                &found.tokens,
                format!(
                    "several iterations of this parallel loop may write `{}` at once: {}; or use an atomic operation such as \
                     `{}.atomic_add(value)`, or say in an `unsafe` block why no two iterations meet",
                    found.text,
                    instead(name, found, vars),
                    found.text,
                ),
            );
            return;
        }
    }
    for (k, second) in accesses.iter().enumerate() {
        for first in &accesses[..k] {
            if overlap(&first.path, &second.path) && collision(first, second, &vars.axes, fixed, errors) {
                return;
            }
        }
    }
}

/// Whether two accesses to the same memory collide.
fn collision(first: &Found, second: &Found, axes: &[Axis], fixed: &mut BTreeSet<LocalId>, errors: &mut Errors) -> bool {
    let (plain, atomic) = match (first.mode, second.mode) {
        (Mode::Atomic(_), Mode::Atomic(_)) | (Mode::Read, Mode::Read) => return false,
        (Mode::Atomic(_), _) => (second, first),
        (_, Mode::Atomic(_)) => (first, second),
        _ => {
            let together = together(first, second, axes, fixed);
            if !together {
                plainly(first, second, errors);
            }
            return !together;
        }
    };
    let operation = if plain.mode == Mode::Read {
        "atomic_load"
    } else {
        "atomic_store"
    };
    errors.pair(
        &plain.tokens,
        format!(
            "`{}` is {} plainly in a parallel loop that also accesses `{}` atomically: use the value that the atomic operation returns, \
             write `{operation}` where it is a single number, or move one of the two into a loop of its own",
            plain.text,
            verb(plain.mode),
            atomic.text,
        ),
        &atomic.tokens,
        format!("here `{}` is accessed atomically", atomic.text),
    );
    true
}

fn plainly(first: &Found, second: &Found, errors: &mut Errors) {
    errors.pair(
        &second.tokens,
        format!(
            "`{}` is {} here while other iterations of this parallel loop may {} the same element as `{}`: write the results to \
             a second field, move one of the two into a loop of its own, use atomic operations, or say in an `unsafe` block \
             why they never meet",
            second.text,
            verb(second.mode),
            if first.mode == Mode::Write { "write" } else { "read" },
            first.text,
        ),
        &first.tokens,
        format!("here `{}` is {}", first.text, verb(first.mode)),
    );
}

/// What an index along one axis has of a position of the loop.
pub fn affine(position: &Position) -> Option<Affine> {
    match position {
        Position::Own { axis, .. } => Some(Affine::own(*axis)),
        Position::Moved { axis, by, .. } => Affine::own(*axis).plus(Affine::numbers(*by, *by)),
        Position::Affine(affine) => Some(affine.clone()),
        Position::Below(_) | Position::Within(_) | Position::Other => None,
    }
}

/// What equal indices along an axis say of one position of the loop.
fn meets(a: &Position, b: &Position, axis: Axis) -> Meeting {
    match (affine(a), affine(b)) {
        (Some(a), Some(b)) if a.axis == Some(axis) => a.meets(&b),
        _ => Meeting::Anything,
    }
}

/// Whether equal elements mean equal positions of the loop: each position decides at some place of both indices.
fn together(first: &Found, second: &Found, axes: &[Axis], fixed: &mut BTreeSet<LocalId>) -> bool {
    let places = || first.index.iter().zip(&second.index);
    // What decides with fewest variables.
    let mut decides = |meeting: Meeting, axis: Option<Axis>| {
        let found = places().filter_map(|(a, b)| {
            let (one, other) = (affine(a)?, affine(b)?);
            let variables = one.fixed.variables().chain(other.fixed.variables());
            (meets(a, b, axis.or(one.axis)?) == meeting).then(|| variables.collect::<BTreeSet<_>>())
        });
        let least = found.min_by_key(BTreeSet::len);
        fixed.extend(least.iter().flatten());
        least.is_some()
    };
    if decides(Meeting::Never, None) {
        return true;
    }
    let mut shares = |axis: Axis| decides(Meeting::Same, Some(axis));
    if let [Axis::All] = axes {
        let of = |found: &Found| found.index.iter().find_map(parts);
        match (of(first), of(second)) {
            (None, None) => {}
            (Some(x), Some(y)) => return x == y && (0..x).all(|k| shares(Axis::Part { k, of: x })),
            // All parts in their order are the position as a whole.
            _ => return is_whole(first) && is_whole(second),
        }
    }
    axes.iter().all(|axis| shares(*axis))
}

/// Whether an index is the position of the loop as a whole, or all its parts in their order.
fn is_whole(found: &Found) -> bool {
    let mut plain = found.index.iter().map(|position| match position {
        Position::Own { axis, .. } => Some(*axis),
        _ => None,
    });
    match found.index.iter().find_map(parts) {
        Some(of) => found.index.len() == of && (0..of).all(|k| plain.next() == Some(Some(Axis::Part { k, of }))),
        None => plain.next() == Some(Some(Axis::All)),
    }
}

/// Into how many parts the position was taken apart that this one is of.
fn parts(position: &Position) -> Option<usize> {
    match affine(position)?.axis? {
        Axis::Part { of, .. } => Some(of),
        Axis::One(_) | Axis::All => None,
    }
}

/// What to write in the place of a write that is not to the iteration's own element.
fn instead(name: &Ident, found: &Found, vars: &Vars) -> String {
    if found.index.is_empty() {
        return format!(
            "`{name}` has one element, which is `{name}[p]` in a loop over its positions, `for p in {name}.indices()`; what other loops \
             write there they accumulate in a variable first"
        );
    }
    let names: Vec<String> = vars.names.iter().flatten().map(ToString::to_string).collect();
    // Positions of one name were taken apart.
    let whole = names.len() > 1 && names.iter().all(|other| *other == names[0]);
    let all = if whole { names[0].clone() } else { names.join(", ") };
    let mut positions = found.index.iter().filter_map(affine).filter(|a| a.axis.is_some());
    if let Some(tile) = positions.find(|a| a.meets(a) == Meeting::Anything) {
        return format!(
            "an iteration writes {} positions there, and those of the next one begin {} further on",
            tile.high - tile.low + 1,
            tile.stride.abs(),
        );
    }
    if names.is_empty() && vars.axes.len() == 1 {
        return "the outermost loop is the parallel one, all iterations of which write here; to repeat what is inside, call the kernel in a loop, or \
                write `serial(..)` around the range, which then runs on one thread"
            .to_owned();
    }
    if names.len() < vars.axes.len() {
        return "name every position of the loop, and write each iteration's own element".to_owned();
    }
    if found.index.len() == 1 && found.text.starts_with(&format!("{name}[{all}]")) {
        return format!("`{all}` is another variable here than the position of the loop; give it a name of its own");
    }
    if found.index.len() < names.len() {
        let all = if whole { all } else { format!("[{all}]") };
        return format!(
            "the loop runs over `{all}`, and its iterations must write different elements; loop over fewer positions in parallel \
             and over the others inside"
        );
    }
    match (vars.axes.as_slice(), found.index.len()) {
        _ if whole => format!("an iteration writes only its own element `{name}[{all}]`"),
        ([_], 1) => format!("an iteration writes only its own element `{name}[{all}]`"),
        ([_], _) => format!("an iteration writes only its own elements `{name}[[{all}, ..]]`"),
        _ => format!("an iteration writes only its own element `{name}[[{all}]]`"),
    }
}

fn verb(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "read",
        Mode::Write => "written",
        Mode::Atomic(_) => "accessed atomically",
    }
}
