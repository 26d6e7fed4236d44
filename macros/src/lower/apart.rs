//! Positions of a parallel loop that have one name and are taken apart, `let [i, j] = p`: each gets a variable of its own, as if the
//! loop had named it.

use quote::format_ident;
use swathe_ir::{LocalId, TypeSlot};

use super::Lower;
use super::parallel::axis_value;
use crate::hir::affine::number;
use crate::hir::visit::{Visit, VisitMut, walk_expr, walk_expr_mut, walk_stmt, walk_stmt_mut};
use crate::hir::{Block, Domain, Expr, ExprKind, Local, ParFor, Pat, Stmt, Value};

impl Lower<'_> {
    /// How many axes there are tells the type of the field, the extents, or a pattern, which rustc compares with the positions.
    pub(super) fn take_apart(&mut self, p: &mut ParFor, value: &Value) {
        let ([Some(whole)], true) = (&p.vars[..], p.offsets.is_empty()) else {
            return;
        };
        let mut parts = Parts {
            whole: *whole,
            locals: &self.locals,
            asked: false,
            patterns: Vec::new(),
        };
        Visit::block(&mut parts, &p.body);
        let of_pattern = parts.patterns.first().copied();
        let rank = match &p.domain {
            Domain::Range(_) => None,
            Domain::NdRange(extents) => Some(extents.len()),
            Domain::Indices(field, _) => self.ranks.get(field).copied().or(of_pattern),
        };
        let Some(rank) = rank.filter(|rank| *rank > 1) else {
            return;
        };
        if !parts.asked || parts.patterns.iter().any(|of| *of != rank) {
            return;
        }
        let whole = parts.whole;
        let (ident, name) = (self.emitted(whole), self.locals[whole.0 as usize].name.clone());
        let span = ident.span();
        let vars: Vec<Expr> = (0..rank)
            .map(|axis| {
                let ident = format_ident!("__p{}", self.locals.len(), span = span);
                let value = axis_value(&p.domain, value, axis, self);
                let local = self.hidden(&ident, false, value);
                // In messages.
                self.locals[local.0 as usize].name = name.clone();
                Expr::new(ExprKind::Local(local, ident), span, span)
            })
            .collect();
        p.vars = vars.iter().map(Expr::root_local).collect();
        self.replace(&mut p.body, whole, vars);
    }

    /// Makes of all positions together, and of parts of them, the variables of the parts.
    pub(super) fn replace(&mut self, body: &mut Block, whole: LocalId, vars: Vec<Expr>) {
        let ident = self.emitted(whole);
        let span = ident.span();
        let ty = self.inferred();
        let usize: syn::Type = syn::parse_quote!(::swathe::__rt::core::primitive::usize);
        let gathered = Expr::new(ExprKind::Array(vars.clone(), ty), span, span);
        let mut taken = Taken {
            whole,
            locals: &mut self.locals,
            vars,
            gathered: gathered.kind.clone(),
            numbers: Vec::new(),
        };
        taken.block(body);
        for slot in taken.numbers {
            self.slots.types[slot.0 as usize] = Some(usize.clone());
        }
        self.locals[whole.0 as usize].value = Value::Unknown;
        let named = Stmt::Let {
            pat: Pat::Bind {
                local: whole,
                ident,
                mutable: false,
            },
            ty: None,
            init: Some(gathered),
            span,
            lints: vec![unused()],
        };
        body.stmts.insert(0, named);
    }
}

fn unused() -> syn::Attribute {
    syn::parse_quote!(#[allow(unused_variables)])
}

/// Whether an expression is a variable, or a copy of it.
fn is_copy(locals: &[Local], e: &Expr, of: LocalId) -> bool {
    let ExprKind::Local(mut id, _) = e.kind else {
        return false;
    };
    loop {
        match locals[id.0 as usize] {
            _ if id == of => return true,
            Local {
                value: Value::Alias(other),
                mutable: false,
                ..
            } => id = other,
            _ => return false,
        }
    }
}

/// What is asked of the parts of a variable.
struct Parts<'l> {
    whole: LocalId,
    locals: &'l [Local],
    asked: bool,
    /// How many parts patterns have.
    patterns: Vec<usize>,
}

impl Visit for Parts<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Let {
            pat: Pat::Array(pats),
            init: Some(init),
            ..
        } = stmt
            && is_copy(self.locals, init, self.whole)
        {
            self.asked = true;
            self.patterns.push(pats.len());
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, e: &Expr) {
        self.asked |= matches!(&e.kind, ExprKind::Index(base, _) if is_copy(self.locals, base, self.whole));
        walk_expr(self, e);
    }
}

struct Taken<'l> {
    whole: LocalId,
    locals: &'l mut [Local],
    vars: Vec<Expr>,
    gathered: ExprKind,
    /// The types of numbers that are left out.
    numbers: Vec<TypeSlot>,
}

impl VisitMut for Taken<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let Stmt::Let {
            pat: Pat::Array(pats),
            init: Some(init),
            ..
        } = stmt
            && is_copy(self.locals, init, self.whole)
        {
            init.kind = self.gathered.clone();
            for (pat, var) in pats.iter().zip(&self.vars) {
                if let (Pat::Bind { local, .. }, Some(var)) = (pat, var.root_local()) {
                    self.locals[local.0 as usize].value = Value::Alias(var);
                }
            }
            return;
        }
        if let Stmt::Let {
            pat: Pat::Bind { .. },
            init: Some(init),
            lints,
            ..
        } = stmt
            && is_copy(self.locals, init, self.whole)
        {
            // Other uses of the copy may be all gone.
            lints.push(unused());
        }
        walk_stmt_mut(self, stmt);
    }

    fn expr(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Index(base, k) if is_copy(self.locals, base, self.whole) => {
                let var = number(k).and_then(|k| self.vars.get(usize::try_from(k).ok()?));
                match (var, &k.kind) {
                    (
                        Some(Expr {
                            kind: ExprKind::Local(id, ident),
                            ..
                        }),
                        ExprKind::Lit(_, ty),
                    ) => {
                        self.numbers.push(*ty);
                        let mut ident = ident.clone();
                        ident.set_span(e.span);
                        e.kind = ExprKind::Local(*id, ident);
                    }
                    _ => self.expr(k),
                }
            }
            ExprKind::Field(access) if matches!(&access.index[..], [e] if is_copy(self.locals, e, self.whole)) => {
                access.index = self.vars.clone();
                access.bracketed = true;
            }
            // What is changed is refused, by its own name.
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, _, place, value, _)
                if place.root_local() == Some(self.whole) =>
            {
                self.expr(value);
            }
            ExprKind::Ref {
                mutable: true, place, ..
            } if place.root_local() == Some(self.whole) => {}
            _ => walk_expr_mut(self, e),
        }
    }
}
