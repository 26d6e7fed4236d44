//! What a parallel loop changes atomically.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use swathe_ir::AtomicOp;

use super::inspect::Inspection;
use super::print::{Mode, Printer};
use super::{offset, shared_name};
use crate::hir::visit::{Visit, parts, walk_expr};
use crate::hir::{Access, Block, Expr, ExprKind, LocalId, ParFor, Stmt};

/// Parts of expressions in a loop's body, at most: it is there once for each copy.
const MOST_PARTS: usize = 40;

/// The fields that a loop changes atomically.
#[derive(Default)]
pub struct Atomics {
    /// Whether the loop does nothing but add to them, without use of the results.
    pub fields: BTreeMap<LocalId, bool>,
    /// Those that it changes in sequential loops.
    pub looped: BTreeSet<LocalId>,
    /// How many sequential loops the visit is in.
    depth: usize,
}

impl Atomics {
    pub fn of(block: &Block) -> Atomics {
        let mut atomics = Atomics::default();
        atomics.block(block);
        let mut plain = Plain(BTreeSet::new());
        plain.block(block);
        for (field, only_added) in &mut atomics.fields {
            *only_added &= !plain.0.contains(field);
        }
        atomics
    }

    /// Whether all that the loop does with other memory than its own is to add, once in an iteration.
    fn scatters(&self) -> bool {
        !self.fields.is_empty() && self.looped.is_empty() && self.fields.values().all(|only_added| *only_added)
    }

    pub fn added_only(&self) -> impl Iterator<Item = LocalId> {
        self.fields.iter().filter(|(_, only)| **only).map(|(field, _)| *field)
    }

    fn note(&mut self, access: &Access, only_added: bool) {
        *self.fields.entry(access.field).or_insert(true) &= only_added;
        if self.depth > 0 {
            self.looped.insert(access.field);
        }
    }
}

impl Printer<'_> {
    /// Whether iterations that follow one another add to different copies, so that none waits for what the one before has stored.
    pub fn parted(&self, p: &ParFor, atomics: &Atomics) -> bool {
        let own = |(field, _): (&LocalId, &bool)| !self.func.is_offset(*field);
        self.mode == Mode::Native
            && atomics.scatters()
            && atomics.fields.iter().all(own)
            && parts(&p.body) <= MOST_PARTS
            && Inspection::of(self.func, p).is_some()
    }

    /// Declares the copies of the fields that the loop only adds to.
    pub fn private(&self, p: &ParFor, atomics: &Atomics) -> TokenStream {
        let parted = self.parted(p, atomics);
        let private = atomics.added_only().map(|field| {
            let (private, ident) = (private_name(field), &self.func.local(field).ident);
            let whole = offset::whole(self.func, field, ident);
            quote!(let #private = ::swathe::__rt::Private::new(#whole, __n, #parted);)
        });
        quote!(#(#private)*)
    }

    /// Declares what a part of the loop adds to, and whether others may at the same time.
    pub fn claims(&self, atomics: &Atomics) -> TokenStream {
        let claims = atomics.fields.iter().map(|(&field, only_added)| {
            let shared = shared_name(field);
            if *only_added {
                let (private, claim, ident) = (private_name(field), claim_name(field), &self.func.local(field).ident);
                let again = offset::again(self.func, field, ident);
                quote!(
                    let #claim = ::swathe::__rt::Private::claim(&#private);
                    let (#ident, #shared) = (::swathe::__rt::Claim::copy(&#claim, 0), ::swathe::__rt::Claim::shared(&#claim));
                    #again
                )
            } else {
                quote!(let #shared = ::swathe::__rt::in_parallel();)
            }
        });
        quote!(#(#claims)*)
    }

    /// Gives an iteration the copies with the number `__copy`.
    pub fn copies_of(&self, atomics: &Atomics) -> TokenStream {
        let fields = atomics.added_only().map(|field| {
            let (claim, ident) = (claim_name(field), &self.func.local(field).ident);
            quote!(let #ident = ::swathe::__rt::Claim::copy(&#claim, __copy);)
        });
        quote!(#(#fields)*)
    }
}

fn private_name(field: LocalId) -> Ident {
    format_ident!("__private{}", field.0)
}

fn claim_name(field: LocalId) -> Ident {
    format_ident!("__claim{}", field.0)
}

impl Visit for Atomics {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(Expr {
                kind: ExprKind::Atomic(AtomicOp::Add | AtomicOp::Sub, _, access, args),
                ..
            }) => {
                self.note(access, true);
                access.index.iter().chain(args).for_each(|e| self.expr(e));
            }
            Stmt::Let { init, .. } => init.iter().for_each(|e| self.expr(e)),
            Stmt::Expr(e) => self.expr(e),
            Stmt::ParFor(p) => self.parallel(p),
        }
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Atomic(_, _, access, _) = &e.kind {
            self.note(access, false);
        }
        let inside = matches!(e.kind, ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..));
        self.depth += usize::from(inside);
        walk_expr(self, e);
        self.depth -= usize::from(inside);
    }
}

/// Fields that are accessed plainly, which `unsafe` allows beside atomic changes.
struct Plain(BTreeSet<LocalId>);

impl Visit for Plain {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Field(access) = &e.kind {
            self.0.insert(access.field);
        }
        walk_expr(self, e);
    }
}
