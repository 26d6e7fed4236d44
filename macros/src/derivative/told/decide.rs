//! Which variables' literals need a type.

use std::collections::{HashMap, HashSet};

use swathe_ir::{BinOp, LocalId, UnOp};

use super::super::names::plain;
use super::{Search, is_open};
use crate::error::Errors;
use crate::hir::{Expr, ExprKind};

impl Search<'_> {
    /// Whether an expression's type comes from literals alone, in some version of its variables. Adds those.
    fn is_literal(&self, e: &Expr, open: &HashSet<LocalId>, used: &mut HashSet<LocalId>) -> bool {
        let mut all = |parts: &[&Expr]| parts.iter().all(|e| self.is_literal(e, open, used));
        match &e.kind {
            ExprKind::Lit(lit, _) => is_open(lit),
            ExprKind::Local(local, _) => {
                used.insert(*local);
                open.contains(local)
            }
            ExprKind::Unary(_, a, _) | ExprKind::Member(a, _) | ExprKind::Index(a, _) | ExprKind::Repeat(a, ..) => {
                e.field_place().is_none() && all(&[a])
            }
            ExprKind::Binary(BinOp::Shl | BinOp::Shr, _, a, ..) => all(&[a]),
            ExprKind::Binary(op, _, a, b, _) => !compares(*op) && all(&[a, b]),
            ExprKind::Method { receiver, args, .. } => all(&[receiver]) && args.iter().all(|a| all(&[a])),
            ExprKind::Array(parts, _) | ExprKind::Tuple(parts) => parts.iter().all(|a| all(&[a])),
            ExprKind::If(_, then, Some(otherwise)) => {
                then.tail.as_ref().is_some_and(|tail| all(&[tail])) && all(&[otherwise])
            }
            ExprKind::Match(_, arms) => arms.iter().all(|arm| all(&[&arm.body])),
            ExprKind::Block { block, .. } => block.tail.as_ref().is_some_and(|tail| all(&[tail])),
            ExprKind::OfClosure(_, inner) | ExprKind::Limited(inner) => all(&[inner]),
            // `Vector::new(0.1, 0.2)`.
            ExprKind::Call {
                path,
                on: Some(_),
                args,
                ..
            } => {
                let owner = path.path.segments.iter().rev().nth(1);
                let generic = owner.is_some_and(|owner| {
                    owner.arguments.is_none() && ["Vector", "Matrix"].contains(&plain(&owner.ident).as_str())
                });
                generic && args.iter().all(|a| all(&[a]))
            }
            _ => false,
        }
    }

    pub fn decide(&self, errors: &mut Errors) -> (HashMap<LocalId, syn::Type>, HashSet<LocalId>) {
        // Some value of it is one of literals; and the first one is.
        let open = self.open(false);
        let declared = self.open(true);
        let mut alike = HashSet::new();
        let mut types = HashMap::new();
        for root in &self.roots {
            let class = self.find(root.class);
            let mut used = HashSet::new();
            let literal = root.parts.iter().all(|e| self.is_literal(e, &open, &mut used));
            if !literal || used.is_empty() || !self.told[class].any {
                continue;
            }
            let members: Vec<LocalId> = open
                .iter()
                .copied()
                .filter(|local| self.of.get(local).is_some_and(|of| self.find(*of) == class))
                .collect();
            let (first, later): (Vec<LocalId>, Vec<LocalId>) =
                members.iter().partition(|local| declared.contains(local));
            let scalars = first.iter().all(|local| {
                let mut given = self.given.iter().filter(|(of, _)| of == local);
                given.all(|(_, values)| values.iter().all(|e| is_number(e)))
            });
            match &self.told[class].name {
                Some(name) if scalars => {
                    types.extend(first.into_iter().map(|local| (local, name.clone())));
                    alike.extend(later);
                }
                _ if first.is_empty() => alike.extend(later),
                // Small whole numbers are the same in all types, as long as nothing is computed of them.
                _ if root.parts.iter().all(|e| is_whole(e)) && self.whole(&members) => {}
                _ => {
                    let name = &self
                        .func
                        .local(*used.iter().min_by_key(|local| local.0).expect("one"))
                        .name;
                    errors.at(
                        root.span,
                        format!(
                            "the derivative leaves out what tells the type of the literals in `{name}`, on which this depends: write it there, as in `0.5_f32` or `3_usize`"
                        ),
                    );
                }
            }
        }
        (types, alike)
    }

    /// Variables with a value that literals alone tell the type of, or whose first value is that.
    fn open(&self, first: bool) -> HashSet<LocalId> {
        let mut open: HashSet<LocalId> = HashSet::new();
        loop {
            let before = open.len();
            let mut seen = HashSet::new();
            for (local, values) in &self.given {
                let is_first = seen.insert(*local);
                if (is_first || !first)
                    && !self.typed.contains(local)
                    && values.iter().all(|e| self.is_literal(e, &open, &mut HashSet::new()))
                {
                    open.insert(*local);
                }
            }
            if open.len() == before {
                return open;
            }
        }
    }

    /// Whether variables are counted, or whole numbers that were written.
    fn whole(&self, members: &[LocalId]) -> bool {
        members.iter().all(|local| {
            let mut given = self.given.iter().filter(|(of, _)| of == local);
            !self.computed.contains(local) && given.all(|(_, values)| values.iter().all(|e| is_whole(e)))
        })
    }
}

fn compares(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or
    )
}

/// Whether it is one number, and no array or vector.
fn is_number(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Array(..) | ExprKind::Tuple(_) | ExprKind::Repeat(..) | ExprKind::Call { .. } => false,
        ExprKind::If(_, then, Some(otherwise)) => {
            then.tail.as_ref().is_none_or(|tail| is_number(tail)) && is_number(otherwise)
        }
        ExprKind::Match(_, arms) => arms.iter().all(|arm| is_number(&arm.body)),
        ExprKind::Block { block, .. } => block.tail.as_ref().is_none_or(|tail| is_number(tail)),
        _ => true,
    }
}

/// A small whole number: as long as no arithmetic overflows, which is an error, it is the same in all types that have it.
pub fn is_whole(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(lit, _) => matches!(lit, syn::Lit::Int(n) if n.base10_parse::<u8>().is_ok_and(|n| n < 128)),
        ExprKind::Local(..) => true,
        ExprKind::Unary(UnOp::Neg, a, _) => is_whole(a),
        ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Rem | BinOp::Div, _, a, b, _) => is_whole(a) && is_whole(b),
        _ => false,
    }
}
