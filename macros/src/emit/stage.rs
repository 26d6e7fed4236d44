//! Straight loops on large elements, in blocks: the elements that belong to an iteration itself are copied into planes, which the user's
//! own code then runs over lane by lane, as LLVM vectorises it. Whether it pays is a matter of the elements' types, and of their
//! memory, which rustc and the runtime know.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{field_name, plain};
use crate::check::visit::{Visit, walk_expr};
use crate::hir::{Access, BinOp, Block, Check, Domain, Expr, ExprKind, Func, LocalId, ParFor, Stmt};

/// A loop whose body is straight.
pub struct Stages<'h> {
    func: &'h Func,
    p: &'h ParFor,
    in_rows: bool,
    fields: BTreeMap<LocalId, Use>,
    /// What the body does, in operators.
    work: usize,
}

/// How the body uses the elements of a field that belong to its iteration.
#[derive(Clone, Copy, Default)]
struct Use {
    /// It needs the values from before.
    filled: bool,
    /// It changes them.
    written: bool,
}

impl<'h> Stages<'h> {
    /// The loop in blocks, if that is right and may pay.
    pub fn of(func: &'h Func, p: &'h ParFor, in_rows: bool) -> Option<Stages<'h>> {
        let counted = match &p.domain {
            Domain::Range(range) => !range.reverse && range.step.is_none(),
            Domain::Indices(..) | Domain::NdRange(_) => true,
        };
        if plain()
            || !counted
            || !p.reductions.is_empty()
            || !p.offsets.is_empty()
            || p.vars.iter().any(Option::is_none)
        {
            return None;
        }
        let mut search = Search {
            func,
            vars: &p.vars,
            fields: BTreeMap::new(),
            fixed: Vec::new(),
            fits: true,
            accesses: 0,
            work: 0,
        };
        search.block(&p.body);
        let Search {
            fits,
            mut fields,
            fixed,
            accesses,
            work,
            ..
        } = search;
        if !fits || fields.is_empty() || fixed.iter().any(|field| fields.contains_key(field)) {
            return None;
        }
        if work <= accesses {
            // What adds and scales is vector code as it is, and what copies needs none.
            return None;
        }
        for (field, own) in &mut fields {
            own.filled = !is_first_written(&p.body, *field);
        }
        Some(Stages {
            func,
            p,
            in_rows,
            fields,
            work,
        })
    }

    /// Whether it pays, in code for a target.
    pub fn pays(&self, target: &TokenStream) -> TokenStream {
        let names = self.fields.keys().map(|field| field_name(*field));
        let (in_rows, work) = (self.in_rows, self.work);
        quote!(
            (::core::cfg!(not(debug_assertions)) && ::swathe::__rt::stage::pays(#target, #work, [#(#names.staged(#in_rows)),*]))
        )
    }

    /// The blocks of a part of the loop. `first` declares the position of the first iteration of a block, `lane` that of lane `__l`.
    pub fn blocks(
        &self,
        vars: &[TokenStream],
        first: &TokenStream,
        lane: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let pays = self.pays(&quote!(__target));
        let index = match self.p.vars.len() {
            1 => quote!(#(#vars)*),
            _ => quote!([#(#vars),*]),
        };
        let number = match (self.in_rows, vars) {
            (true, [heads @ .., _]) => quote!(::swathe::__rt::number_in_rows(&__shape, [#(#heads,)* 0], __k)),
            _ => quote!(__k),
        };
        let stages: Vec<Ident> = self.fields.keys().map(stage).collect();
        let names: Vec<&Ident> = self.fields.keys().map(|id| &self.func.local(*id).ident).collect();
        let all = || self.fields.values().zip(&stages).zip(&names);
        let fill = all()
            .filter(|((own, _), _)| own.filled)
            .map(|((_, stage), name)| quote!(unsafe { #stage.fill(#name, #index) };));
        let flush = all().filter(|((own, _), _)| own.written).map(|((own, stage), name)| {
            // What was read is in the caches.
            let streams = match own.filled {
                true => quote!(false),
                false => quote!(__streaming.0),
            };
            quote!(unsafe { #stage.flush(#name, #index, #streams) };)
        });
        let written_only = all()
            .filter(|((own, _), _)| own.written && !own.filled)
            .map(|(_, name)| name);
        quote!(
            #[cfg(not(debug_assertions))]
            if #pays {
                let __streaming = ::swathe::__rt::stage::Streaming(
                    ::swathe::__rt::stage::streams(__n, [#(#written_only.element_size()),*])
                );
                while __range.end.saturating_sub(__k) >= ::swathe::__rt::stage::BLOCK {
                    let __block = ::swathe::__rt::BlockAt(#number);
                    #first
                    #(let mut #stages = ::swathe::__rt::Stage::new();)*
                    #(#fill)*
                    {
                        #(let #names = unsafe { #stages.view(#names, #index) };)*
                        for __l in 0..::swathe::__rt::stage::BLOCK {
                            #lane
                            #body
                        }
                    }
                    #(#flush)*
                    ::core::mem::forget(__block);
                    __k += ::swathe::__rt::stage::BLOCK;
                }
            }
        )
    }
}

fn stage(field: &LocalId) -> Ident {
    format_ident!("__stage{}", field.0)
}

struct Search<'h> {
    func: &'h Func,
    vars: &'h [Option<LocalId>],
    /// Fields whose accesses are to an iteration's own element.
    fields: BTreeMap<LocalId, Use>,
    /// Fields that are only read, at positions that are the same for all iterations.
    fixed: Vec<LocalId>,
    /// Whether there is nothing that keeps the loop from running in blocks.
    fits: bool,
    /// How often elements are named.
    accesses: usize,
    work: usize,
}

impl Search<'_> {
    /// What an expression does, without its parts. That of a product of two elements may be a product of matrices.
    fn own_work(&self, e: &Expr) -> usize {
        match &e.kind {
            ExprKind::Binary(BinOp::Mul | BinOp::Div, _, a, b, _)
            | ExprKind::AssignOp(BinOp::Mul | BinOp::Div, _, a, b, _) => match self.is_fixed(a) || self.is_fixed(b) {
                true => 1,
                false => 4,
            },
            ExprKind::Binary(..) | ExprKind::AssignOp(..) | ExprKind::Unary(..) => 1,
            ExprKind::Method { .. } | ExprKind::Call { .. } => 4,
            _ => 0,
        }
    }

    fn access(&mut self, access: &Access) {
        self.accesses += 1;
        // What is checked in place leaves its iteration.
        self.fits &= self.func.access(access.id).check != Check::InKernel;
        if self.is_own(access) {
            self.fields.entry(access.field).or_default();
        } else {
            self.fits &= access.index.iter().all(|e| self.is_fixed(e));
            self.fixed.push(access.field);
        }
    }

    fn is_own(&self, access: &Access) -> bool {
        let mut parts = access.index.iter().zip(self.vars);
        access.index.len() == self.vars.len()
            && parts.all(|(e, var)| matches!(&e.kind, ExprKind::Local(id, _) if Some(*id) == *var))
    }

    fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) => true,
            ExprKind::Local(id, _) => self.func.local(*id).inside.is_none(),
            _ => false,
        }
    }

    fn written(&mut self, place: &Expr) {
        if let Some(place) = place.field_place() {
            match self.is_own(place.access) {
                true => self.fields.entry(place.access.field).or_default().written = true,
                false => self.fits = false,
            }
        }
    }
}

impl Visit for Search<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { init, .. } => init.iter().for_each(|e| self.expr(e)),
            Stmt::Expr(e) => self.expr(e),
            Stmt::ParFor(_) => self.fits = false,
        }
    }

    fn expr(&mut self, e: &Expr) {
        self.work += self.own_work(e);
        match &e.kind {
            ExprKind::For(..)
            | ExprKind::While(..)
            | ExprKind::Loop(..)
            | ExprKind::Break(..)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Atomic(..)
            | ExprKind::Fail { .. } => self.fits = false,
            ExprKind::Ref { mutable: true, place } if place.field_place().is_some() => self.fits = false,
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..) => self.written(place),
            ExprKind::Field(access) => self.access(access),
            _ => {}
        }
        walk_expr(self, e);
    }
}

/// Whether each iteration sets the whole of its element before anything looks at it.
fn is_first_written(body: &Block, field: LocalId) -> bool {
    let stmts = body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Let { init, .. } => init.as_ref(),
        Stmt::Expr(e) => Some(e),
        Stmt::ParFor(_) => None,
    });
    let first = stmts.chain(body.tail.as_deref()).find(|e| mentions(e, field));
    match first.map(|e| &e.kind) {
        Some(ExprKind::Assign(place, value)) => matches!(place.kind, ExprKind::Field(_)) && !mentions(value, field),
        _ => false,
    }
}

/// Whether an expression accesses a field.
fn mentions(e: &Expr, field: LocalId) -> bool {
    struct Accessed(LocalId, bool);
    impl Visit for Accessed {
        fn expr(&mut self, e: &Expr) {
            self.1 |= matches!(&e.kind, ExprKind::Field(access) if access.field == self.0);
            walk_expr(self, e);
        }
    }
    let mut accessed = Accessed(field, false);
    accessed.expr(e);
    accessed.1
}
