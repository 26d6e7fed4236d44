//! How far the accesses of a parallel loop go from its positions.

use swathe_ir::LocalId;

use super::access::{Found, Mode, Position};
use super::race::affine;
use crate::hir::visit::any_in;
use crate::hir::{Axis, Distance, ExprKind, Func, Reach, Stmt};

/// Stores it in each parallel loop.
pub fn find(func: &mut Func, accesses: &[Found]) {
    let fields: Vec<LocalId> = func.params.iter().map(|p| p.local).collect();
    for stmt in &mut func.body.stmts {
        let Stmt::ParFor(p) = stmt else { continue };
        for field in &fields {
            for written in [false, true] {
                let here = accesses
                    .iter()
                    .filter(|a| a.parallel == Some(p.number) && a.field == *field)
                    .filter(|a| (a.mode != Mode::Read) == written);
                // A function may read any element.
                let lent = !written
                    && any_in(
                        &p.body,
                        |e| matches!(&e.kind, ExprKind::FieldArgument(lent, _) if lent == field),
                    );
                let lent = lent.then(|| Distance::Axes(Vec::new()));
                if let Some(distance) = here.map(|found| distance(&found.index)).chain(lent).reduce(joined) {
                    let field = *field;
                    p.reaches.push(Reach {
                        field,
                        written,
                        distance,
                    });
                }
            }
        }
    }
}

fn distance(index: &[Position]) -> Distance {
    let along = |(place, position): (usize, &Position)| {
        let found = affine(position).filter(|found| found.stride == 1 && found.fixed.is_none())?;
        let axis = match found.axis? {
            Axis::One(k) | Axis::Part { k, .. } => k,
            // A number, since it stands for one axis: the loop has one.
            Axis::All => 0,
        };
        (axis == place).then_some((found.low, found.high))
    };
    match index {
        [Position::Own { axis: Axis::All, .. }] => Distance::Own,
        _ => Distance::Axes(index.iter().enumerate().map(along).collect()),
    }
}

fn joined(a: Distance, b: Distance) -> Distance {
    let own = Some((0, 0));
    match (a, b) {
        (Distance::Own, Distance::Own) => Distance::Own,
        (Distance::Axes(axes), Distance::Own) | (Distance::Own, Distance::Axes(axes)) => {
            Distance::Axes(axes.into_iter().map(|along| both(along, own)).collect())
        }
        // A single index that is an array has one place in the text, of which nothing is known.
        (Distance::Axes(a), Distance::Axes(b)) if a.len() != b.len() => Distance::Axes(Vec::new()),
        (Distance::Axes(a), Distance::Axes(b)) => {
            Distance::Axes(a.into_iter().zip(b).map(|(a, b)| both(a, b)).collect())
        }
    }
}

fn both(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    let ((a, b), (c, d)) = (a?, b?);
    Some((a.min(c), b.max(d)))
}
