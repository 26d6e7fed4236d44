//! HIR to a body in single assignment: loops.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use swathe_ir::{FuncKind, LabelId, LocalId};

use super::body::{Atom, Carried, Inline, Loop, Parallel, Range, Region, Rounds, Stmt, Sum, Var};
use super::build::{Build, End, Slot, Versions};
use super::owned::Owned;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{self, Block, Domain, Expr, ExprKind, ParFor, Pat};

impl Build<'_> {
    pub fn parallel(&mut self, p: &ParFor) {
        let outer = self.versions.clone();
        self.parallel = Some(p.number);
        self.owned = Owned::of(self.func, p, self.errors);
        let mut uses = Inline::default();
        let mut vars = Vec::new();
        let names = self.loop_names(&p.vars, &mut vars);
        let domain = match &p.domain {
            Domain::Indices(field, _) => {
                let field = &self.params[field];
                quote!(#field.indices())
            }
            Domain::Range(range) => {
                let (range, inlines) = self.range(range);
                inlines.into_iter().for_each(|inline| uses.join(&inline));
                range.written()
            }
            Domain::NdRange(extents) => {
                let extents: Vec<Inline> = extents.iter().map(|e| self.inline(e)).collect();
                extents.iter().for_each(|inline| uses.join(inline));
                let tokens = extents.iter().map(|inline| &inline.tokens);
                quote!(::swathe::ndrange([#(#tokens),*]))
            }
        };
        let stmts = std::mem::take(&mut self.stmts);
        self.seq(&p.body.stmts, p.body.tail.as_deref(), End::Round(p.label));
        let rest = std::mem::replace(&mut self.stmts, stmts);
        let mut all = std::mem::take(&mut self.first);
        all.extend(rest);
        let body = Region { stmts: all };
        self.begun.clear();
        self.versions = outer;
        self.parallel = None;
        self.owned = Owned::default();
        let mut sums: Vec<Sum> = Vec::new();
        for local in reduced(&body) {
            if let Some(entry) = self.versions.get(&Slot::Local(local)).cloned() {
                let like = self.func.local(local).name.clone();
                let ident = self.names.of_user(&like);
                let out = self.new_var(ident, p.span);
                self.versions.insert(Slot::Local(local), Atom::Var(out));
                sums.push(Sum { local, entry, out });
            }
        }
        self.stmts.push(Stmt::Parallel(Parallel {
            head: quote!(#names in #domain),
            uses: uses.uses,
            reads: uses.reads,
            body,
            sums,
            number: p.number,
        }));
    }

    pub fn loop_names(&mut self, locals: &[Option<LocalId>], vars: &mut Vec<Var>) -> TokenStream {
        let names: Vec<TokenStream> = locals
            .iter()
            .map(|local| match local {
                Some(local) => {
                    let ident = self.loop_var(*local, vars);
                    quote!(#ident)
                }
                None => quote!(_),
            })
            .collect();
        match &names[..] {
            [one] => one.clone(),
            _ => quote!([#(#names),*]),
        }
    }

    pub fn loop_var(&mut self, local: LocalId, vars: &mut Vec<Var>) -> Ident {
        let name = &self.func.local(local).name;
        let (span, like) = (name.span(), name.clone());
        let ident = self.names.of_user(&like);
        let var = self.new_var(ident.clone(), span);
        self.versions.insert(Slot::Local(local), Atom::Var(var));
        vars.push(var);
        ident
    }

    pub fn range(&mut self, range: &hir::Range) -> (Range, Vec<Inline>) {
        let (start, end) = (self.inline(&range.start), self.inline(&range.end));
        let step = range.step.as_ref().map(|step| self.inline(step));
        let mut inlines = vec![start.clone(), end.clone()];
        inlines.extend(step.clone());
        let range = Range {
            start,
            end,
            inclusive: range.inclusive,
            reverse: range.reverse,
            step,
            turned: range.turned,
        };
        (range, inlines)
    }

    pub fn serial(&mut self, e: &Expr, label: LabelId, pat: &Pat, range: &hir::Range, body: &Block) {
        let (mut range, _) = self.range(range);
        if let Pat::Bind { local, .. } = pat
            && let Some(ty) = self.types.get(local)
        {
            range.start.tokens = typed(&range.start.tokens, ty);
            range.end.tokens = typed(&range.end.tokens, ty);
        }
        let mut vars = Vec::new();
        let outer = self.versions.clone();
        match pat {
            Pat::Bind { local, .. } => {
                self.loop_var(*local, &mut vars);
            }
            Pat::Wild(_) => {}
            _ => self.refuse(e, "a loop with a pattern has no derivative: name the position"),
        }
        self.rounds(Rounds::For(vars.first().copied(), range), outer, label, body, e.span);
    }

    pub fn while_loop(&mut self, e: &Expr, label: LabelId, condition: &Expr, body: &Block) {
        let outer = self.versions.clone();
        let carried = self.carry(body, None);
        let condition = self.inline(condition);
        self.rounds_of(Rounds::While(condition), carried, outer, label, body, e.span);
    }

    pub fn rounds(&mut self, rounds: Rounds, outer: Versions, label: LabelId, body: &Block, span: Span) {
        // What a round makes of the position is not carried to the next one.
        let position = match &rounds {
            Rounds::For(var, _) => *var,
            Rounds::While(_) => None,
        };
        let carried = self.carry(body, position);
        self.rounds_of(rounds, carried, outer, label, body, span);
    }

    /// Gives what the body changes variables of the body's own, but for a loop's position.
    pub fn carry(&mut self, body: &Block, position: Option<Var>) -> Vec<(Slot, Atom, Var)> {
        let changed = self.changed(body);
        let mut carried = Vec::new();
        for slot in changed {
            if let Some(entry) = self.versions.get(&slot).cloned()
                && (entry.var().is_none() || entry.var() != position)
            {
                let like = self.user_name(slot);
                let ident = self.names.of_user(&like);
                let inside = self.new_var(ident, like.span());
                self.versions.insert(slot, Atom::Var(inside));
                carried.push((slot, entry, inside));
            }
        }
        carried
    }

    pub fn rounds_of(
        &mut self,
        rounds: Rounds,
        carried: Vec<(Slot, Atom, Var)>,
        outer: Versions,
        label: LabelId,
        body: &Block,
        span: Span,
    ) {
        let stmts = std::mem::take(&mut self.stmts);
        self.seq(&body.stmts, body.tail.as_deref(), End::Round(label));
        let body = Region {
            stmts: std::mem::replace(&mut self.stmts, stmts),
        };
        let inner = std::mem::replace(&mut self.versions, outer);
        let mut all = Vec::new();
        for (slot, entry, inside) in carried {
            let exit = inner.get(&slot).cloned().unwrap_or(Atom::Var(inside));
            let like = self.user_name(slot);
            let ident = self.names.of_user(&like);
            let out = self.new_var(ident, span);
            self.versions.insert(slot, Atom::Var(out));
            all.push(Carried {
                entry,
                inside,
                exit,
                out,
            });
        }
        self.stmts.push(Stmt::Loop(Loop {
            rounds,
            body,
            carried: all,
            serial: self.func.kind == FuncKind::Kernel && self.parallel.is_none(),
            span,
        }));
    }
}

/// A literal with its type.
fn typed(literal: &TokenStream, ty: &syn::Type) -> TokenStream {
    match syn::parse2::<syn::LitInt>(literal.clone()) {
        Ok(n) if n.suffix().is_empty() && !matches!(ty, syn::Type::Path(path) if path.path.get_ident().is_some()) => {
            quote!((#n as #ty))
        }
        Ok(n) if n.suffix().is_empty() => {
            let n = syn::LitInt::new(&format!("{}{}", n.base10_digits(), quote!(#ty)), n.span());
            quote!(#n)
        }
        _ => literal.clone(),
    }
}

/// The outer variables that a loop's body adds to.
fn reduced(region: &Region) -> Vec<LocalId> {
    let mut found = Vec::new();
    fn collect(region: &Region, found: &mut Vec<LocalId>) {
        for stmt in &region.stmts {
            match stmt {
                Stmt::Reduce(local, ..) if !found.contains(local) => found.push(*local),
                Stmt::Branch(b) => b.arms.iter().for_each(|arm| collect(arm, found)),
                Stmt::Loop(l) => collect(&l.body, found),
                _ => {}
            }
        }
    }
    collect(region, &mut found);
    found
}

/// What a block changes: variables, and elements that are variables.
struct Changed<'b> {
    owned: &'b Owned,
    found: Vec<Slot>,
}

impl Changed<'_> {
    fn place(&mut self, place: &Expr) {
        let slot = match place.field_place() {
            Some(found) => self
                .owned
                .find(found.access.field, &found.path())
                .map(|(k, _)| Slot::Owned(k)),
            None => place.root_local().map(Slot::Local),
        };
        self.found.extend(slot.filter(|slot| !self.found.contains(slot)));
    }
}

impl Visit for Changed<'_> {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, _, _) => self.place(place),
            ExprKind::Ref { mutable: true, place } => self.place(place),
            _ => {}
        }
        walk_expr(self, e);
    }
}

impl Build<'_> {
    fn changed(&self, body: &Block) -> Vec<Slot> {
        let mut changed = Changed {
            owned: &self.owned,
            found: Vec::new(),
        };
        changed.block(body);
        changed.found
    }
}
