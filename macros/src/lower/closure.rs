//! Closures: variables that are called. A call is the closure's body, in the names that it saw where it was written, with its parameters as
//! variables in front. So checks and plans see in it what they would see without the closure.
//!
//! Rust infers one type for all calls, and from all of them. So it does here: a closure's parameters have types that are written, variables around it
//! are the same in all calls, and so is the type of its result, which is written or has a slot ([`ExprKind::OfClosure`]). What a closure computes
//! on the way has types that follow from these.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use proc_macro2::{Ident, Span};
use quote::format_ident;
use swathe_ir::LocalId;
use syn::spanned::Spanned;
use syn::visit::Visit as _;

use super::Lower;
use super::names::Name;
use crate::budget::CLOSURE_CALLS;
use crate::groups::bare;
use crate::hir::visit::{Visit, each_numbered, walk_expr};
use crate::hir::{AccessId, Block, ClosureSlot, Expr, ExprKind, Pat, Stmt, Value};

/// What a variable is that was declared with one.
pub(super) struct Closure {
    name: Ident,
    params: Vec<(syn::Pat, Box<syn::Type>)>,
    result: Gives,
    body: syn::Expr,
    /// What it sees.
    scopes: Vec<Vec<(Name, LocalId)>>,
    /// The number of `unsafe` blocks around it.
    unsafe_depth: usize,
    /// Of its first call.
    first: RefCell<Option<Origins>>,
}

/// What a call's body was lowered to, in the order in which that is done.
struct Origins {
    sites: Vec<AccessId>,
    exprs: Vec<u32>,
}

/// The type of a closure's result.
enum Gives {
    Written(Box<syn::Type>),
    Inferred(ClosureSlot),
}

impl Lower<'_> {
    /// The closure that a variable is declared with.
    pub(super) fn closure_of(local: &syn::Local) -> Option<&syn::ExprClosure> {
        match bare(&local.init.as_ref()?.expr) {
            syn::Expr::Closure(closure) => Some(closure),
            _ => None,
        }
    }

    /// `let f = |x: f32| body;`
    pub(super) fn declare_closure(&mut self, local: &syn::Local, closure: &syn::ExprClosure) {
        let syn::Pat::Ident(syn::PatIdent {
            by_ref: None,
            subpat: None,
            ident,
            ..
        }) = &local.pat
        else {
            self.errors.on(
                &local.pat,
                "a closure in a kernel has a name, by which it is called: `let f = |x: f32| ..;`",
            );
            return;
        };
        if self.constant {
            self.errors.on(
                closure,
                "a `const fn` calls no closures: write a `#[func]`, or leave out `const`",
            );
            return;
        }
        let Some(closure) = self.signature_of_closure(ident, closure) else {
            return;
        };
        let scopes = self.scopes.clone();
        let local = self.declare(ident, false, Value::Unknown);
        // No value of it is ever there.
        let slot = self.locals[local.0 as usize].ty;
        self.slots.types[slot.0 as usize] = Some(syn::parse_quote!(::swathe::__rt::core::primitive::u32));
        self.uncalled.insert(local);
        self.closures.insert(local, Rc::new(Closure { scopes, ..closure }));
    }

    fn signature_of_closure(&mut self, name: &Ident, closure: &syn::ExprClosure) -> Option<Closure> {
        let plain = closure.lifetimes.is_none() && closure.constness.is_none() && closure.asyncness.is_none();
        if !plain || !closure.attrs.is_empty() {
            self.errors.on(
                closure,
                "a closure in a kernel is written `|x: f32| ..`, without keywords or attributes",
            );
            return None;
        }
        let mut params = Vec::new();
        for input in &closure.inputs {
            let syn::Pat::Type(syn::PatType { pat, ty, .. }) = input else {
                let text = "write the type of a closure's parameter, which a kernel does not take from the calls: `|x: f32| ..`";
                self.errors.on(input, text);
                return None;
            };
            params.push(((**pat).clone(), self.type_of_closure(ty)?));
        }
        let all = params.iter().map(|(pat, _): &(syn::Pat, _)| pat.clone());
        self.bind_once(&syn::Pat::Tuple(syn::PatTuple {
            attrs: Vec::new(),
            paren_token: syn::token::Paren::default(),
            elems: all.collect(),
        }));
        let result = match &closure.output {
            syn::ReturnType::Type(_, ty) => Gives::Written(self.type_of_closure(ty)?),
            syn::ReturnType::Default => Gives::Inferred(self.slots.closure()),
        };
        Some(Closure {
            name: name.clone(),
            params,
            result,
            body: (*closure.body).clone(),
            scopes: Vec::new(),
            unsafe_depth: self.unsafe_depth,
            first: RefCell::default(),
        })
    }

    /// A type that says all of itself.
    fn type_of_closure(&mut self, ty: &syn::Type) -> Option<Box<syn::Type>> {
        struct Open(Option<Span>);
        impl syn::visit::Visit<'_> for Open {
            fn visit_type_infer(&mut self, ty: &syn::TypeInfer) {
                self.0.get_or_insert(ty.span());
            }

            fn visit_expr_infer(&mut self, e: &syn::ExprInfer) {
                self.0.get_or_insert(e.span());
            }
        }
        if let syn::Type::Reference(_) | syn::Type::ImplTrait(_) = ty {
            self.errors.on(
                ty,
                "a closure in a kernel takes and returns values: write a `#[func]` for references",
            );
            return None;
        }
        let mut open = Open(None);
        open.visit_type(ty);
        if let Some(at) = open.0 {
            self.errors
                .at(at, "write the whole type: a kernel does not take it from the calls");
            return None;
        }
        Some(Box::new(ty.clone()))
    }

    /// Refuses a closure that is used otherwise than by a call.
    pub(super) fn refuse_closure(&mut self, local: LocalId, ident: &Ident) {
        if self.closures.contains_key(&local) {
            self.uncalled.remove(&local);
            let name = &self.locals[local.0 as usize].name;
            let text = format!("`{name}` is a closure, which can only be called in a kernel: `{name}(..)`");
            self.errors.on(ident, text);
        }
    }

    /// Refuses closures that are never called: nothing would look at what they say.
    pub(super) fn refuse_uncalled(&mut self) {
        for local in std::mem::take(&mut self.uncalled) {
            let name = &self.closures[&local].name;
            self.consequences
                .on(name, format!("the closure `{name}` is never called: leave it out"));
        }
    }

    /// A call of a variable, if that is a closure.
    pub(super) fn call_closure(&mut self, local: LocalId, e: &syn::ExprCall, span: Span) -> Option<ExprKind> {
        let closure = self.closures.get(&local)?.clone();
        self.uncalled.remove(&local);
        let (name, expected, given) = (&closure.name, closure.params.len(), e.args.len());
        if expected != given {
            let text = format!(
                "`{name}` takes {expected} argument{}, and is given {given}",
                plural(expected)
            );
            self.errors.on(e, text);
            return Some(self.unit(span).kind);
        }
        if closure.unsafe_depth != self.unsafe_depth {
            let text = format!("`{name}` was written outside of this `unsafe` block: call it outside, too");
            self.errors.on(&e.func, text);
            return Some(self.unit(span).kind);
        }
        if self.closure_calls > CLOSURE_CALLS {
            return Some(self.unit(span).kind);
        }
        if self.closure_calls == CLOSURE_CALLS {
            // Once.
            self.closure_calls += 1;
            let text = "closures are called in too many places, each of which holds their text: write a `#[func]`";
            self.consequences.on(&e.func, text);
            return Some(self.unit(span).kind);
        }
        self.closure_calls += 1;
        let args: Vec<Expr> = e.args.iter().map(|arg| self.expr(arg)).collect();
        let around = self.locals.len();
        let scopes = std::mem::replace(&mut self.scopes, closure.scopes.clone());
        let labels = std::mem::take(&mut self.labels);
        self.in_closures += 1;
        let block = self.scoped(|l| l.body_of_closure(&closure, args, span));
        self.in_closures -= 1;
        (self.scopes, self.labels) = (scopes, labels);
        self.captured(&closure, &block, around);
        let whole = Expr::new(
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            },
            span,
            e.paren_token.span.join(),
        );
        Some(match closure.result {
            Gives::Written(_) => whole.kind,
            Gives::Inferred(slot) => ExprKind::OfClosure(slot, Box::new(whole)),
        })
    }

    /// Has what stands in a body be one place of the text, however often the closure is called: accesses, by whose place a device knows them, and
    /// expressions, whose [order](Expr::order) tells which of several failures comes first. The same text is lowered to the same, so each is known by how
    /// many come before it in the body; spans may all be one. Of calls in the body this has been done before.
    fn one_place_each(&mut self, closure: &Closure, accesses: Range<usize>, body: &Expr) {
        let mut first = closure.first.borrow_mut();
        let Some(first) = &*first else {
            let mut exprs = Vec::new();
            each_numbered(body, &mut |e| {
                if e.order.get() == 0 {
                    self.origins += 1;
                    e.order.set(self.origins);
                }
                exprs.push(e.order.get());
            });
            let sites = self.accesses[accesses].iter().map(|access| access.site).collect();
            *first = Some(Origins { sites, exprs });
            return;
        };
        let mut count = 0;
        each_numbered(body, &mut |_| count += 1);
        // What is known of arguments decides nothing of what the text becomes. If it did, places would be told apart by calls.
        if (accesses.len(), count) != (first.sites.len(), first.exprs.len()) {
            return;
        }
        for (access, site) in self.accesses[accesses].iter_mut().zip(&first.sites) {
            access.site = *site;
        }
        let mut exprs = first.exprs.iter();
        each_numbered(body, &mut |e| {
            if let Some(origin) = exprs.next() {
                e.order.set(*origin);
            }
        });
    }

    /// Parameters, and the body as a value.
    fn body_of_closure(&mut self, closure: &Closure, args: Vec<Expr>, span: Span) -> Block {
        let mut stmts = Vec::new();
        for ((pat, ty), arg) in closure.params.iter().zip(args) {
            let value = self.value_of(&arg);
            let pat = self.pat(pat, &value);
            stmts.push(Stmt::Let {
                pat,
                ty: Some(ty.clone()),
                init: Some(arg),
                span,
                lints: Vec::new(),
            });
            self.taken_apart(span, &[], &mut stmts);
        }
        let accesses = self.accesses.len();
        let mut value = self.expr(&closure.body);
        self.one_place_each(closure, accesses..self.accesses.len(), &value);
        if let Gives::Written(ty) = &closure.result {
            let ident = format_ident!("__value{}", self.locals.len(), span = value.span);
            let local = self.hidden(&ident, false, Value::Unknown);
            let (from, to) = (value.span, value.end);
            stmts.push(Stmt::Let {
                pat: Pat::Bind {
                    local,
                    ident: ident.clone(),
                    mutable: false,
                },
                ty: Some(ty.clone()),
                init: Some(value),
                span,
                lints: Vec::new(),
            });
            value = Expr::new(ExprKind::Local(local, ident), from, to);
        }
        Block {
            stmts,
            tail: Some(Box::new(value)),
        }
    }

    /// Refuses what a closure takes from around it that may change between the closure and its calls.
    fn captured(&mut self, closure: &Closure, block: &Block, around: usize) {
        struct Captured<'l, 'e> {
            lower: &'l Lower<'e>,
            around: usize,
            found: Option<(Expr, LocalId)>,
        }
        impl Visit for Captured<'_, '_> {
            fn expr(&mut self, e: &Expr) {
                let local = match &e.kind {
                    ExprKind::Local(local, _)
                    | ExprKind::FieldLen(local, _)
                    | ExprKind::FieldShape(local, _)
                    | ExprKind::FieldOrigin(local, _)
                    | ExprKind::FieldArgument(local, _) => Some(*local),
                    ExprKind::Field(access) => Some(access.field),
                    ExprKind::Atomic(_, _, place, _) => place.field_place().map(|place| place.access.field),
                    _ => None,
                };
                let changes = |local: &LocalId| {
                    let at = local.0 as usize;
                    let written = self.lower.fields.get(local) == Some(&true);
                    at < self.around
                        && (self.lower.locals[at].mutable || written || self.lower.lent_mut.contains(local))
                };
                if let (Some(local), None) = (local.filter(changes), &self.found) {
                    self.found = Some((e.clone(), local));
                }
                walk_expr(self, e);
            }
        }
        let mut captured = Captured {
            lower: self,
            around,
            found: None,
        };
        // Arguments stand in front.
        if let Some(tail) = &block.tail {
            captured.expr(tail);
        }
        if let Gives::Written(_) = closure.result
            && let Some(Stmt::Let { init: Some(value), .. }) = block.stmts.last()
        {
            captured.expr(value);
        }
        let Some((e, local)) = captured.found else { return };
        let name = self.locals[local.0 as usize].name.clone();
        let text = match self.fields.contains_key(&local) {
            true => format!(
                "a closure in a kernel reads fields that the kernel does not write: pass what `{}` needs of `{name}`",
                closure.name
            ),
            false => format!(
                "`{name}` may change, and a closure in a kernel reads variables that do not: pass it, or copy it into a variable without `mut` in front of the closure"
            ),
        };
        self.errors.on(e.ends(), text);
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
