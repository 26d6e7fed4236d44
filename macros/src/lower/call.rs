//! Calls: functions by path, methods, and what fields answer.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use swathe_ir::{AtomicOp, BinOp, Check, FuncKind, LocalId, Scalar, UnOp, scalar_method};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::pat::is_constant;
use super::{Lower, Number, Place, end};
use crate::hir::{CalleeQuery, Casting, Expr, ExprKind};
use crate::source;

pub const PRIMITIVES: [&str; 17] = [
    "bool", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "f16", "bf16",
    "f32", "f64",
];

pub(super) const NO_ENUMS: &str =
    "an enum with data cannot be used in a kernel: use one without, and beside it what goes with its values";

const FIELD_METHODS: &str =
    "there are `field[i]`, `len()`, `shape()`, and what changes an element atomically, `field[i].atomic_add(value)`";

/// What atomic operations take, by how many values that is.
const OPERANDS: [&str; 3] = ["", "value", "current, new"];

/// The types that a literal without a suffix may have.
const INTEGERS: [Scalar; 8] = [
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
];
const FLOATS: [Scalar; 2] = [Scalar::F32, Scalar::F64];

impl Lower<'_> {
    /// Arguments of a call, where references may stand.
    fn args<'a>(&mut self, args: impl IntoIterator<Item = &'a syn::Expr>) -> Vec<Expr> {
        args.into_iter().map(|arg| self.arg(arg)).collect()
    }

    fn arg(&mut self, arg: &syn::Expr) -> Expr {
        let syn::Expr::Reference(r) = crate::groups::bare(arg) else {
            return self.expr(arg);
        };
        let mutable = r.mutability.is_some();
        let place = self.expr(&r.expr);
        if mutable {
            if place.field_place().is_some() {
                self.errors.on(arg, "a kernel cannot lend an element of a field mutably: copy it into a variable, lend that, and write it back");
            }
            if let Some(local) = place.root_local() {
                if self.loop_positions.contains(&local) {
                    let name = &self.locals[local.0 as usize].name;
                    let text = format!(
                        "`{name}` is a position of the parallel loop, which does not change: lend a copy, `let mut copy = {name};`"
                    );
                    self.errors.on(arg, text);
                }
                self.locals[local.0 as usize].mutable = true;
            }
        }
        Expr::new(
            ExprKind::Ref {
                mutable,
                place: Box::new(place),
            },
            arg.span(),
            end(arg),
        )
    }

    /// An argument of a free function, which may be a field.
    fn lent(&mut self, arg: &syn::Expr) -> Expr {
        let place = match crate::groups::bare(arg) {
            syn::Expr::Reference(r) if r.mutability.is_none() => &r.expr,
            _ => arg,
        };
        let Some((field, ident)) = self.field_path(place) else {
            return self.arg(arg);
        };
        if self.offset.contains(&field) {
            self.errors.on(
                arg,
                format!("`{ident}` is an `OffsetField`, which a function cannot take: pass the elements that it needs"),
            );
        } else if self.fields.get(&field) == Some(&true) {
            self.errors.on(
                arg,
                format!(
                    "`{ident}` is a field that this kernel may write, and a function may read any of its elements: lend it a field that is declared as `&{}<..>`, or pass the elements that it needs",
                    self.type_name(field)
                ),
            );
        }
        Expr::new(ExprKind::FieldArgument(field, ident), arg.span(), end(arg))
    }

    pub(super) fn call(&mut self, e: &syn::ExprCall, span: Span) -> ExprKind {
        let syn::Expr::Path(path) = &*e.func else {
            self.errors.on(
                &e.func,
                "a kernel calls functions by their name: write `if` or `match` around the calls",
            );
            return self.unit(span).kind;
        };
        if let Some(ident) = path.path.get_ident()
            && let Some((local, _)) = self.lookup(ident)
        {
            if let Some(call) = self.call_closure(local, e, span) {
                return call;
            }
            self.consequences.on(
                ident,
                "a kernel calls a `#[func]` by its name, and a closure that it declares, `let f = |x: f32| ..;`",
            );
            return self.unit(span).kind;
        }
        let segments = &path.path.segments;
        let last = segments.last().expect("a path has segments");
        if last.ident == "serial" || last.ident == "ndrange" {
            self.errors
                .on(path, format!("`{}` can only be the domain of a `for` loop", last.ident));
            return self.unit(span).kind;
        }
        if is_constant(&last.ident) {
            if is_variant(&path.path) {
                self.errors.on(path, NO_ENUMS);
                return self.unit(span).kind;
            }
            return self.tuple_struct(e, path);
        }
        if let Some(owner) = order_trait(path) {
            let name = &last.ident;
            let others = ["b", "low, high"][usize::from(e.args.len() > 2)];
            self.errors.on(
                path,
                format!("`{owner}` is a trait, which a kernel calls by its method: write `a.{name}({others})`"),
            );
            return self.unit(span).kind;
        }
        if let Some(message) = self.refused_default(path) {
            self.errors.on(path, message);
            return self.unit(span).kind;
        }
        let on = on_type(path);
        if let (Some(ty), Some(value), 1) = (primitive_from(path), e.args.first(), e.args.len()) {
            let slot = self.slots.ty(Some(ty.clone()));
            return ExprKind::Cast(self.boxed(value), Box::new(ty), slot, Casting::From);
        }
        self.refuse_recursion(path, on.is_some());
        let args = match on {
            Some(_) => self.args(&e.args),
            None => e.args.iter().map(|arg| self.lent(arg)).collect(),
        };
        match on {
            Some(ty) => {
                let query = CalleeQuery::On(last.ident.clone(), Box::new(ty.clone()), path.span());
                let callee = self.slots.callee(query);
                ExprKind::Call {
                    callee,
                    path: path.clone(),
                    on: Some(self.slots.ty(Some(ty))),
                    args,
                }
            }
            None => {
                let callee = self.slots.callee(CalleeQuery::Path);
                ExprKind::Call {
                    callee,
                    path: path.clone(),
                    on: None,
                    args,
                }
            }
        }
    }

    fn refuse_recursion(&mut self, path: &syn::ExprPath, on_type: bool) {
        let segments = &path.path.segments;
        let itself = match self.place {
            // Where `use` may bring another function of this name, rustc finds the circle.
            Place::Free => {
                let uses = self.items.iter().any(|item| matches!(item, syn::Item::Use(_)));
                !on_type && !uses && segments.len() == 1 && segments[0].ident == self.name
            }
            Place::Impl { .. } => segments.len() == 2 && segments[0].ident == "Self" && segments[1].ident == self.name,
        };
        if itself {
            self.errors
                .on(path, "a function that runs on the GPU cannot call itself: write a loop");
        }
    }

    pub(super) fn method(&mut self, e: &syn::ExprMethodCall, span: Span) -> ExprKind {
        if let Some((field, ident)) = self.field_path(&e.receiver) {
            return self.field_method(e, field, ident, span);
        }
        if let Some(turbofish) = &e.turbofish {
            self.errors.on(
                turbofish,
                "methods in a kernel take no type parameters: leave them out, or write a generic `#[func]`",
            );
        }
        let receiver = self.expr(&e.receiver);
        if let (Some((op, count)), true) = (atomic(&e.method.unraw().to_string()), receiver.field_place().is_some()) {
            return self.atomic(e, op, count, receiver, span);
        }
        self.refuse_method_of_number(&receiver, &e.method);
        let is_self = matches!(&receiver.kind, ExprKind::Local(_, ident) if ident == "self");
        if self.place != Place::Free && is_self && e.method == self.name {
            self.errors.on(
                &e.method,
                "a function that runs on the GPU cannot call itself: write a loop",
            );
        }
        if let Some(local) = receiver.root_local() {
            // The method may take `&mut self`.
            let local = &mut self.locals[local.0 as usize];
            if local.mutable {
                local.value = crate::hir::Value::Unknown;
            }
        }
        let args = self.args(&e.args);
        let callee = self.slots.callee(CalleeQuery::Method(e.method.clone()));
        ExprKind::Method {
            receiver: Box::new(receiver),
            name: e.method.clone(),
            callee,
            args,
        }
    }

    /// Refuses what no number has. rustc would say that a number's type is open, and the name by which we call the method.
    fn refuse_method_of_number(&mut self, receiver: &Expr, name: &Ident) {
        let Some(number) = self.number(receiver) else { return };
        let (what, types) = match number {
            Number::Integer => ("integers", &INTEGERS[..]),
            Number::Float => ("floats", &FLOATS[..]),
        };
        let text = name.unraw().to_string();
        if types
            .iter()
            .all(|ty| scalar_method(&text, *ty).is_none_or(|method| !method.receiver))
        {
            self.errors.on(
                name,
                format!(
                    "`{text}` is no method that {what} have in a kernel: they have those of the table in `swathe::math`, and none of your own"
                ),
            );
        }
    }

    /// What literals make an expression a number.
    pub(super) fn number(&self, e: &Expr) -> Option<Number> {
        match &e.kind {
            // `2f32` has no point, and is a float.
            ExprKind::Lit(syn::Lit::Int(digits), _) if digits.suffix().starts_with('f') => Some(Number::Float),
            ExprKind::Lit(syn::Lit::Int(_), _) => Some(Number::Integer),
            ExprKind::Lit(syn::Lit::Float(_), _) => Some(Number::Float),
            ExprKind::Local(local, _) => self.numbers.get(local).copied(),
            ExprKind::Unary(UnOp::Neg, inner, _) => self.number(inner),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, _, left, right, _) => {
                self.number(left).filter(|number| self.number(right) == Some(*number))
            }
            ExprKind::Block { label: None, block, .. } | ExprKind::If(_, block, _) => {
                self.number(block.tail.as_deref()?)
            }
            _ => None,
        }
    }

    fn field_method(&mut self, e: &syn::ExprMethodCall, field: LocalId, ident: Ident, span: Span) -> ExprKind {
        let name = e.method.unraw().to_string();
        match (name.as_str(), e.args.len()) {
            ("len", 0) => ExprKind::FieldLen(field, ident),
            ("shape", 0) => ExprKind::FieldShape(field, ident),
            ("origin", 0) => self.origin(field, ident, span),
            ("indices", 0) => {
                self.errors.on(e, "`.indices()` can only be the domain of a `for` loop");
                self.unit(span).kind
            }
            ("get_unchecked" | "get_unchecked_mut", 1) if self.kind == FuncKind::Func => {
                self.errors.on(
                    &e.method,
                    format!("a `#[func]` reads fields with checks: write `{ident}[position]`"),
                );
                self.unit(span).kind
            }
            ("get_unchecked" | "get_unchecked_mut", 1) => {
                ExprKind::Field(self.access(field, ident, &e.args[0], Check::Unchecked, e))
            }
            _ => {
                let methods = match (atomic(&name), self.offset.contains(&field)) {
                    (Some((_, count)), _) => {
                        format!(
                            "it is one of an element's: write `{ident}[position].{name}({})`",
                            OPERANDS[count]
                        )
                    }
                    (None, false) => FIELD_METHODS.to_owned(),
                    (None, true) => FIELD_METHODS.replace("`shape()`", "`shape()`, `origin()`"),
                };
                self.errors.on(
                    &e.method,
                    format!("`{name}` cannot be called on a field in a kernel: {methods}"),
                );
                self.unit(span).kind
            }
        }
    }

    /// An atomic operation on a place of a field.
    fn atomic(&mut self, e: &syn::ExprMethodCall, op: AtomicOp, count: usize, place: Expr, span: Span) -> ExprKind {
        let Some(found) = place.field_place() else {
            return self.unit(span).kind;
        };
        let (field, name) = (found.access.field, &e.method);
        if e.args.len() != count {
            let place = source::text(&e.receiver.to_token_stream());
            self.errors
                .on(name, format!("write `{place}.{name}({})`", OPERANDS[count]));
            return self.unit(span).kind;
        }
        if self.fields.get(&field) == Some(&false) {
            let ident = &found.access.ident;
            self.errors.at(
                span,
                format!(
                    "`{ident}` is borrowed to be read: declare the parameter as `{ident}: &mut {}<..>` to change it",
                    self.type_name(field)
                ),
            );
        }
        let args = e.args.iter().map(|arg| self.expr(arg)).collect();
        ExprKind::Atomic(op, name.clone(), Box::new(place), args)
    }
}

/// Whether a path names one of an enum's values, as far as names tell: rustc refuses the others by their type.
pub(super) fn is_variant(path: &syn::Path) -> bool {
    let mut segments = path.segments.iter().rev();
    let last = segments.next();
    match segments.next() {
        Some(owner) => is_constant(&owner.ident),
        None => last.is_some_and(|name| ["Some", "Ok", "Err"].iter().any(|known| name.ident == known)),
    }
}

/// The type of `Type::function`, told from a module by its first letter.
fn on_type(path: &syn::ExprPath) -> Option<syn::Type> {
    let segments = &path.path.segments;
    if let Some(qself) = &path.qself {
        return Some((*qself.ty).clone());
    }
    let owner = segments.len().checked_sub(2).map(|k| &segments[k])?;
    if !is_constant(&owner.ident) && !PRIMITIVES.iter().any(|p| owner.ident == p) {
        return None;
    }
    let mut owner_path = path.path.clone();
    owner_path.segments.pop();
    owner_path.segments.pop_punct();
    // `Vector::<f32, 3>::new` and `Vector<f32, 3>` name the same type.
    if let Some(last) = owner_path.segments.last_mut()
        && let syn::PathArguments::AngleBracketed(args) = &mut last.arguments
    {
        args.colon2_token = None;
    }
    Some(syn::Type::Path(syn::TypePath {
        attrs: Vec::new(),
        qself: None,
        path: owner_path,
    }))
}

/// The type of `f64::from` and its like.
fn primitive_from(path: &syn::ExprPath) -> Option<syn::Type> {
    let mut segments = path.path.segments.iter();
    let (owner, function) = (segments.next()?, segments.next()?);
    let primitive = PRIMITIVES.iter().any(|name| owner.ident == name);
    let whole = path.qself.is_none() && segments.next().is_none();
    (primitive && whole && function.ident == "from").then(|| syn::parse_quote!(#owner))
}

/// A trait of std's with methods of numbers that a path names in front of one, `Ord::max`.
fn order_trait(path: &syn::ExprPath) -> Option<&Ident> {
    let owner = path.path.segments.iter().rev().nth(1).map(|segment| &segment.ident)?;
    (path.qself.is_none() && (owner == "Ord" || owner == "PartialOrd")).then_some(owner)
}

fn atomic(name: &str) -> Option<(AtomicOp, usize)> {
    Some(match name.strip_prefix("atomic_")? {
        "add" => (AtomicOp::Add, 1),
        "sub" => (AtomicOp::Sub, 1),
        "min" => (AtomicOp::Min, 1),
        "max" => (AtomicOp::Max, 1),
        "and" => (AtomicOp::And, 1),
        "or" => (AtomicOp::Or, 1),
        "xor" => (AtomicOp::Xor, 1),
        "exchange" => (AtomicOp::Exchange, 1),
        "compare_exchange" => (AtomicOp::CompareExchange, 2),
        "load" => (AtomicOp::Load, 0),
        "store" => (AtomicOp::Store, 1),
        _ => return None,
    })
}
