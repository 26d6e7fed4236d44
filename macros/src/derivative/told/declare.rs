//! Variables, and what patterns take apart.

use super::{Class, Search, is_inferred, number};
use crate::hir::{Expr, ExprKind, Pat};

/// The classes of a value's numbers.
enum Parts {
    /// One, of a number or of an array of numbers.
    Numbers(Class),
    Tuple(Vec<Parts>),
    /// That of each item of an array.
    Items(Box<Parts>),
}

impl<'f> Search<'f> {
    pub fn declare(&mut self, pat: &'f Pat, ty: Option<&syn::Type>, init: Option<&'f Expr>) {
        match (pat, init) {
            (_, Some(init)) if !matches!(pat, Pat::Bind { .. }) => {
                self.taken(pat, init);
            }
            (Pat::Bind { local, .. }, _) => {
                let class = self.local(*local);
                let ty = ty.filter(|ty| !is_inferred(ty));
                if let Some(ty) = ty {
                    self.tell(class, number(ty));
                    self.typed.insert(*local);
                }
                if let Some(init) = init {
                    self.taken(pat, init);
                }
            }
            _ => self.unknown_pat(pat),
        }
    }

    /// What a pattern takes of a value, and the classes of the value's numbers.
    fn taken(&mut self, pat: &'f Pat, init: &'f Expr) -> Parts {
        match (pat, &init.kind) {
            (Pat::Bind { local, .. }, _) => {
                let (class, value) = (self.local(*local), self.expr(init));
                self.join(class, value);
                self.given.push((*local, vec![init]));
                Parts::Numbers(class)
            }
            (Pat::Wild(_), _) => Parts::Numbers(self.expr(init)),
            (Pat::Tuple(pats), ExprKind::Tuple(parts)) if pats.len() == parts.len() => {
                let parts = pats.iter().zip(parts).map(|(pat, part)| self.taken(pat, part));
                Parts::Tuple(parts.collect())
            }
            // Items of an array have one type.
            (Pat::Array(pats), ExprKind::Array(parts, _)) if pats.len() == parts.len() => {
                let items = pats.iter().zip(parts).map(|(pat, part)| self.taken(pat, part));
                let items: Vec<Parts> = items.collect();
                let mut items = items.into_iter();
                let Some(first) = items.next() else {
                    return Parts::Numbers(self.fresh());
                };
                items.for_each(|item| self.alike(&first, &item));
                match first {
                    Parts::Numbers(class) => Parts::Numbers(class),
                    first => Parts::Items(Box::new(first)),
                }
            }
            _ => {
                let class = self.expr(init);
                self.tell(class, None);
                self.unknown_pat(pat);
                Parts::Numbers(class)
            }
        }
    }

    /// Says that two values have one type.
    fn alike(&mut self, a: &Parts, b: &Parts) {
        match (a, b) {
            (Parts::Numbers(a), Parts::Numbers(b)) => self.join(*a, *b),
            (Parts::Tuple(a), Parts::Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b).for_each(|(a, b)| self.alike(a, b));
            }
            (Parts::Items(a), Parts::Items(b)) => self.alike(a, b),
            // One of them has another form: what it tells of the other's parts has no name.
            _ => [a, b].into_iter().for_each(|parts| self.unknown_parts(parts)),
        }
    }

    fn unknown_parts(&mut self, parts: &Parts) {
        match parts {
            Parts::Numbers(class) => self.tell(*class, None),
            Parts::Tuple(parts) => parts.iter().for_each(|part| self.unknown_parts(part)),
            Parts::Items(item) => self.unknown_parts(item),
        }
    }

    pub fn unknown_pat(&mut self, pat: &Pat) {
        match pat {
            Pat::Bind { local, .. } => {
                let class = self.local(*local);
                self.tell(class, None);
            }
            Pat::Wild(_) => {}
            Pat::Tuple(pats) | Pat::Array(pats) => pats.iter().for_each(|pat| self.unknown_pat(pat)),
            Pat::Struct { members, .. } => members.iter().for_each(|(_, pat)| self.unknown_pat(pat)),
        }
    }
}
