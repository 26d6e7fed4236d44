//! Which variables' literals need a type.

use std::collections::HashSet;

use swathe_ir::{BinOp, LocalId};

use super::super::names::plain;
use super::{Search, Types, is_open, named, primitive};
use crate::error::Errors;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, Literals};

impl Types {
    fn confirm(&mut self, locals: &[LocalId], literals: Option<Literals>) {
        if let Some(literals) = literals {
            self.literals
                .extend(locals.iter().map(|local| (*local, literals.clone())));
        }
    }
}

impl Search<'_> {
    /// Whether an expression's type comes from literals alone, in some version of its variables. Adds those.
    pub fn is_literal(&self, e: &Expr, open: &HashSet<LocalId>, used: &mut HashSet<LocalId>) -> bool {
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

    pub fn decide(&self, errors: &mut Errors) -> Types {
        // Some value of it is one of literals; and the first one is.
        let open = self.open(false);
        let declared = self.open(true);
        let mut found = Types::default();
        for root in &self.roots {
            let class = self.find(root.class);
            let mut used = HashSet::new();
            let literal = root.parts.iter().all(|e| self.is_literal(e, &open, &mut used));
            if !literal || used.is_empty() {
                continue;
            }
            let members: Vec<LocalId> = open
                .iter()
                .copied()
                .filter(|local| self.of.get(local).is_some_and(|of| self.find(*of) == class))
                .collect();
            if !self.told[class].any {
                let default = members.iter().find_map(|local| self.default_of(*local));
                found.confirm(&members, default);
                continue;
            }
            let (first, later): (Vec<LocalId>, Vec<LocalId>) =
                members.iter().partition(|local| declared.contains(local));
            let scalars = first.iter().all(|local| {
                let mut given = self.given.iter().filter(|(of, _)| of == local);
                given.all(|(_, values)| values.iter().all(|e| is_number(e)))
            });
            let whole = self.is_alike(&root.parts, &members, &open);
            match (&self.told[class].name, &whole) {
                (Some(name), whole) if scalars && (whole.is_none() || self.is_certain(class, name)) => {
                    found.confirm(&first, Some(Literals::Type(Box::new(name.clone()))));
                    found.types.extend(first.into_iter().map(|local| (local, name.clone())));
                    found.alike.extend(later);
                }
                _ if first.is_empty() => found.alike.extend(later),
                // Small whole numbers are the same in all types.
                (_, Some(literals)) => found.confirm(&members, literals.clone()),
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
        found.literals.sort_by_key(|(local, _)| local.0);
        found
    }

    /// Whether a type that is found is one of numbers, or what else uses it would be refused by rustc: a method may be one of the user's, of something
    /// that is no number.
    fn is_certain(&self, class: super::Class, name: &syn::Type) -> bool {
        primitive(name).is_some() || !self.told[class].by_method
    }

    /// The type that a variable's literals have where nothing tells it.
    fn default_of(&self, local: LocalId) -> Option<Literals> {
        struct First(Option<syn::Type>);
        impl Visit for First {
            fn expr(&mut self, e: &Expr) {
                match &e.kind {
                    ExprKind::Lit(syn::Lit::Float(_), _) => self.0 = self.0.take().or_else(|| named("f64")),
                    ExprKind::Lit(syn::Lit::Int(_), _) => self.0 = self.0.take().or_else(|| named("i32")),
                    _ => walk_expr(self, e),
                }
            }
        }
        let mut first = First(None);
        let given = self.given.iter().filter(|(of, _)| *of == local);
        given
            .flat_map(|(_, values)| values)
            .filter(|value| self.tells(value))
            .for_each(|value| first.expr(value));
        first.0.map(|ty| Literals::Type(Box::new(ty)))
    }

    /// Whether the literals in a value have the type of the value.
    fn tells(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(..) => true,
            ExprKind::Unary(_, a, _) | ExprKind::Repeat(a, ..) => self.tells(a),
            ExprKind::Binary(op, _, a, b, _) => {
                !compares(*op) && !matches!(op, BinOp::Shl | BinOp::Shr) && (self.tells(a) || self.tells(b))
            }
            ExprKind::Array(parts, _) => parts.iter().any(|a| self.tells(a)),
            ExprKind::OfClosure(_, inner) | ExprKind::Limited(inner) => self.tells(inner),
            _ => false,
        }
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
