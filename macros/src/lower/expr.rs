//! Expressions.

use std::borrow::Cow;

use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use swathe_ir::{BinOp, Check, LabelId, LocalId, UnOp};
use syn::spanned::Spanned;

use super::loops::with_tail;
use super::names::{self, Name, Resolved};
use super::pat::{is_constant, is_phantom, reference_apart, struct_in};
use super::{Label, Lower, end};
use crate::budget::LEVELS;
use crate::error::{TOO_DEEP, refusal};
use crate::groups::bare;
use crate::hir::types;
use crate::hir::visit::any;
use crate::hir::{
    Access, AccessId, AccessInfo, Arm, Block, CalleeQuery, Casting, Expr, ExprKind, Pat, Stmt, Value, Witness,
};
use crate::lints;

impl Lower<'_> {
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Expr {
        if let Some(attr) = lints::attrs(expr).first() {
            self.errors.on(
                attr,
                "an attribute cannot stand above an expression: put the statement into a block, `#[..] { .. }`",
            );
        }
        if self.levels == LEVELS {
            if !std::mem::replace(&mut self.too_deep, true) {
                self.errors.at(expr.span(), TOO_DEEP);
            }
            return self.unit(Span::call_site());
        }
        self.levels += 1;
        let span = expr.span();
        let lowered = Expr::new(self.kind(expr, span), span, end(expr));
        self.levels -= 1;
        lowered
    }

    pub(super) fn boxed(&mut self, expr: &syn::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    pub(super) fn kind(&mut self, expr: &syn::Expr, span: Span) -> ExprKind {
        match expr {
            syn::Expr::Paren(e) => self.kind(&e.expr, span),
            syn::Expr::Group(e) => self.kind(&e.expr, span),
            syn::Expr::Lit(e) => self.literal(&e.lit),
            syn::Expr::Path(e) => self.path(e),
            syn::Expr::Unary(e) => self.unary(e),
            syn::Expr::Binary(e) => self.binary(e),
            syn::Expr::Assign(e) => self.assign(e),
            syn::Expr::Cast(e) => {
                if let syn::Type::Infer(t) = &*e.ty {
                    self.errors.on(t, "a cast in a kernel names its type: `value as f32`");
                }
                let value = self.boxed(&e.expr);
                ExprKind::Cast(value, e.ty.clone(), self.slots.ty(Some((*e.ty).clone())), Casting::As)
            }
            syn::Expr::Field(e) => ExprKind::Member(self.boxed(&e.base), e.member.clone()),
            syn::Expr::Index(e) => match self.field_path(&e.expr) {
                Some((field, ident)) => ExprKind::Field(self.access(field, ident, &e.index, Check::InKernel, expr)),
                None => {
                    let base = self.boxed(&e.expr);
                    ExprKind::Index(base, self.boxed(&e.index))
                }
            },
            syn::Expr::Call(e) => self.call(e, span),
            syn::Expr::MethodCall(e) => self.method(e, span),
            syn::Expr::Tuple(e) if e.elems.is_empty() => self.unit(span).kind,
            syn::Expr::Tuple(e) => ExprKind::Tuple(e.elems.iter().map(|e| self.expr(e)).collect()),
            syn::Expr::Array(e) => {
                let elems = e.elems.iter().map(|e| self.expr(e)).collect();
                ExprKind::Array(elems, self.inferred())
            }
            syn::Expr::Repeat(e) => {
                let value = self.boxed(&e.expr);
                ExprKind::Repeat(value, e.len.clone(), self.inferred())
            }
            syn::Expr::Struct(e) => self.structure(e),
            syn::Expr::Block(e) => self.labelled_block(e),
            syn::Expr::Unsafe(e) => {
                self.unsafe_depth += 1;
                let block = self.block(&e.block);
                self.unsafe_depth -= 1;
                ExprKind::Block {
                    label: None,
                    unsafety: true,
                    block,
                }
            }
            syn::Expr::If(e) => self.if_else(e),
            syn::Expr::Match(e) => {
                if let Some((_, ident)) = self.lent_path(&e.expr)
                    && e.arms.iter().any(|arm| struct_in(&arm.pat).is_some())
                {
                    self.errors.on(&e.expr, reference_apart(&ident));
                }
                let value = self.boxed(&e.expr);
                ExprKind::Match(value, e.arms.iter().map(|arm| self.arm(arm)).collect())
            }
            syn::Expr::Loop(e) => {
                let label = self.new_label();
                let frame = Label::of_loop(e.label.as_ref(), Some(label), label);
                ExprKind::Loop(label, self.labelled(frame, |l| l.block(&e.body)))
            }
            syn::Expr::While(e) => self.while_loop(e),
            syn::Expr::ForLoop(e) => match self.for_loop(e, false) {
                Some(crate::hir::Stmt::Expr(expr)) if self.before.is_empty() => expr.kind,
                Some(stmt @ crate::hir::Stmt::Expr(_)) => {
                    let mut stmts = std::mem::take(&mut self.before);
                    stmts.push(stmt);
                    ExprKind::Block {
                        label: None,
                        unsafety: false,
                        block: Block { stmts, tail: None },
                    }
                }
                _ => self.unit(span).kind,
            },
            syn::Expr::Break(e) => self.break_out(e, span),
            syn::Expr::Continue(e) => self.continue_on(e, span),
            syn::Expr::Return(e) => {
                if self.in_closures > 0 {
                    self.errors.on(
                        e.return_token,
                        "a closure in a kernel gives the value at its end: write `if` and `else` in place of `return`",
                    );
                } else if self.parallel.is_some() {
                    self.errors.on(
                        e.return_token,
                        "`return` would leave a parallel loop, whose iterations have no order: write `continue` to end this iteration",
                    );
                }
                ExprKind::Return(e.expr.as_ref().map(|e| self.boxed(e)))
            }
            syn::Expr::Reference(e) => {
                self.errors.on(e, refusal(expr));
                self.kind(&e.expr, span)
            }
            syn::Expr::Macro(e) => self.macro_call(&e.mac).kind,
            _ => {
                self.errors.on(expr, refusal(expr));
                self.unit(span).kind
            }
        }
    }

    fn literal(&mut self, lit: &syn::Lit) -> ExprKind {
        let lit = &*number(lit);
        match lit {
            syn::Lit::Int(n) if matches!(n.suffix(), "i128" | "u128") => self.errors.on(
                lit,
                format!(
                    "`{}` cannot be used in a kernel: its integers have at most 64 bits",
                    n.suffix()
                ),
            ),
            syn::Lit::Int(_) | syn::Lit::Float(_) | syn::Lit::Bool(_) => {}
            syn::Lit::ByteStr(_) => self.errors.on(
                lit,
                "byte strings cannot be used in a kernel: write the array, `[b'a', b'b']`",
            ),
            syn::Lit::Str(_) | syn::Lit::CStr(_) => {
                self.errors.on(
                    lit,
                    "strings cannot be used in a kernel: use an integer code and name it on the host",
                );
            }
            syn::Lit::Char(_) => self
                .errors
                .on(lit, "`char` cannot be used in a kernel: use its number, a `u32`"),
            _ => self
                .errors
                .on(lit, "a literal in a kernel is an integer, a float or a boolean"),
        }
        // A literal that rustc is not asked about needs a slot that is answered already.
        let ty = match lit {
            syn::Lit::Bool(b) => self.slots.ty(Some(syn::parse_quote_spanned!(b.span=> bool))),
            _ => self.inferred(),
        };
        ExprKind::Lit(lit.clone(), ty)
    }

    fn path(&mut self, path: &syn::ExprPath) -> ExprKind {
        let ident = path.path.get_ident().filter(|_| path.qself.is_none());
        if let Some(ident) = ident
            && let Some((local, ident)) = self.lookup(ident)
        {
            if self.fields.contains_key(&local) {
                let name = &self.locals[local.0 as usize].name;
                self.errors.on(&ident, format!(
                    "the field `{name}` cannot be used as a value: index it, `{name}[i]`, or ask for `{name}.shape()` or `{name}.len()`"
                ));
            }
            self.refuse_closure(local, &ident);
            return ExprKind::Local(local, ident);
        }
        if let Some(ident) = ident
            && !is_constant(ident)
        {
            self.unknown(ident);
        }
        if path.qself.is_none() && is_phantom(&path.path) {
            return ExprKind::Struct {
                ty: self.inferred(),
                path: path.path.clone(),
                members: Vec::new(),
                base: None,
                tuple: false,
            };
        }
        ExprKind::Const(self.slots.constant(path.clone()), path.clone())
    }

    /// A lower-case name that is no variable. rustc would look for it twice, and for a constant of that name.
    fn unknown(&mut self, ident: &Ident) {
        let name = ident.to_string();
        let names = self.scopes.iter().flatten().map(|(name, _)| &name.text);
        let near = names
            .map(|other| (distance(&name, other), other))
            .filter(|(distance, other)| *distance <= name.len().min(other.len()) / 3 + 1)
            .min();
        let brought = self
            .items
            .iter()
            .any(|item| matches!(item, syn::Item::Use(item) if brings(&item.tree, ident)));
        let item = self.items.iter().any(|item| match item {
            syn::Item::Const(item) => item.ident == *ident,
            syn::Item::Static(item) => item.ident == *ident,
            _ => false,
        });
        let text = match near {
            _ if item => format!("a kernel names constants in capitals: `{}`", name.to_uppercase()),
            _ if brought => format!(
                "`{name}` is no variable: a kernel names constants in capitals, `use .. as {}`, and functions only to call them",
                name.to_uppercase()
            ),
            Some((_, other)) => format!("there is no variable `{name}` here: did you mean `{other}`?"),
            None => format!(
                "there is no variable `{name}` here; outside of the kernel only constants can be named, in capitals, and functions, to call them"
            ),
        };
        self.consequences.on(ident, text);
    }

    /// An access of field `field` at the position that `index` writes.
    pub(super) fn access(
        &mut self,
        field: swathe_ir::LocalId,
        ident: Ident,
        index: &syn::Expr,
        check: Check,
        whole: impl ToTokens,
    ) -> Access {
        let source = whole.to_token_stream();
        let span = source.span();
        let index_span = index.span();
        let (index, bracketed) = match index {
            syn::Expr::Array(array) => {
                self.refuse_open_rank(field, &ident);
                (array.elems.iter().map(|e| self.expr(e)).collect(), true)
            }
            other => (vec![self.expr(other)], false),
        };
        let owned = self.parallel.is_some() && self.unsafe_depth == 0 && self.fields.get(&field) == Some(&true);
        let index: Vec<Expr> = if owned && !self.offset.contains(&field) {
            index.into_iter().map(|e| self.limited(e)).collect()
        } else {
            index
        };
        let id = AccessId(self.accesses.len());
        self.accesses.push(AccessInfo {
            pairs: false,
            field,
            check,
            behind_condition: false,
            conditional: false,
            in_unsafe: self.unsafe_depth > 0,
            span,
            site: id,
            again: false,
        });
        Access {
            id,
            field,
            ident,
            index,
            bracketed,
            span,
            source,
            index_span,
        }
    }

    fn unary(&mut self, e: &syn::ExprUnary) -> ExprKind {
        let inner = self.expr(&e.expr);
        let op = match e.op {
            syn::UnOp::Neg(_) => UnOp::Neg,
            syn::UnOp::Not(_) => UnOp::Not,
            syn::UnOp::Deref(_) => {
                return match inner.kind {
                    ExprKind::Field(access) => ExprKind::Field(access),
                    ExprKind::Local(..) => ExprKind::Unary(UnOp::Deref, Box::new(inner), None),
                    _ => {
                        self.consequences.on(e, "only a parameter of a `#[func]` can be a reference to take the value of: leave out the `*`");
                        inner.kind
                    }
                };
            }
            _ => {
                self.errors.on(e, "this operator cannot be used in a kernel");
                return inner.kind;
            }
        };
        let callee = self.operator(op.method(), &[&inner]);
        ExprKind::Unary(op, Box::new(inner), callee)
    }

    /// Asks what an operator on these operands means, unless it cannot but be built in.
    pub(super) fn operator(&mut self, method: &str, operands: &[&Expr]) -> Option<swathe_ir::CalleeSlot> {
        // What the names in casts mean is asked where these stand.
        let plain = |e: &&Expr| match &e.kind {
            ExprKind::Lit(..) | ExprKind::FieldLen(..) => true,
            ExprKind::Cast(_, ty, ..) => types::is_integer_type(ty) || types::is_float_type(ty),
            _ => false,
        };
        let asked = !operands.iter().all(plain) && !method.is_empty();
        asked.then(|| self.slots.callee(CalleeQuery::Operator(method.to_owned())))
    }

    fn binary(&mut self, e: &syn::ExprBinary) -> ExprKind {
        let Some((op, assigns)) = bin_op(&e.op) else {
            self.errors.on(e.op, "this operator cannot be used in a kernel");
            return self.unit(e.span()).kind;
        };
        let span = e.op.span();
        if assigns {
            // In the order of evaluation, which numbers the accesses: of those that fail the first one is reported.
            let right = self.boxed(&e.right);
            let left = self.expr(&e.left);
            self.note_assigned(&left);
            let callee = self.operator(&format!("{}_assign", op.method()), &[&left, &right]);
            return ExprKind::AssignOp(op, span, Box::new(left), right, callee);
        }
        let left = self.expr(&e.left);
        let right = self.boxed(&e.right);
        let callee = self.operator(op.method(), &[&left, &right]);
        ExprKind::Binary(op, span, Box::new(left), right, callee)
    }

    fn assign(&mut self, e: &syn::ExprAssign) -> ExprKind {
        if matches!(
            bare(&e.left),
            syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Infer(_) | syn::Expr::Struct(_) | syn::Expr::Call(_)
        ) {
            return self.assign_parts(e);
        }
        let value = self.boxed(&e.right);
        let place = self.boxed(&e.left);
        self.note_assigned(&place);
        ExprKind::Assign(place, value)
    }

    /// `(a, b) = value`: variables for the parts, which are then assigned in their order.
    fn assign_parts(&mut self, e: &syn::ExprAssign) -> ExprKind {
        let value = self.expr(&e.right);
        let mut places = Vec::new();
        let pat = self.parts_of(&e.left, &mut places);
        let span = e.eq_token.spans[0];
        let mut stmts = vec![Stmt::Let {
            pat,
            ty: None,
            init: Some(value),
            span,
            lints: Vec::new(),
        }];
        for (place, local, ident) in places {
            let place = self.boxed(place);
            self.note_assigned(&place);
            let part = self.at(ExprKind::Local(local, ident), place.span);
            let assign = ExprKind::Assign(place, Box::new(part));
            stmts.push(Stmt::Expr(self.at(assign, span)));
        }
        ExprKind::Block {
            label: None,
            unsafety: false,
            block: Block { stmts, tail: None },
        }
    }

    /// The pattern of what is assigned to, and the variable for each place in it.
    fn parts_of<'e>(&mut self, left: &'e syn::Expr, places: &mut Vec<(&'e syn::Expr, LocalId, Ident)>) -> Pat {
        match left {
            syn::Expr::Tuple(e) => Pat::Tuple(e.elems.iter().map(|e| self.parts_of(e, places)).collect()),
            syn::Expr::Array(e) => Pat::Array(e.elems.iter().map(|e| self.parts_of(e, places)).collect()),
            syn::Expr::Infer(e) => Pat::Wild(e.span()),
            syn::Expr::Paren(_) | syn::Expr::Group(_) => self.parts_of(bare(left), places),
            syn::Expr::Struct(_) | syn::Expr::Call(_) | syn::Expr::Range(_) => {
                self.errors.on(
                    left,
                    "tuples and arrays of places can be assigned to: take a struct apart with `let P { a, .. } = value;`, then assign `a`",
                );
                Pat::Wild(left.span())
            }
            place => {
                let ident = format_ident!("__part{}", self.locals.len(), span = place.span());
                let local = self.hidden(&ident, false, Value::Unknown);
                places.push((place, local, ident.clone()));
                Pat::Bind {
                    local,
                    ident,
                    mutable: false,
                }
            }
        }
    }

    fn note_assigned(&mut self, place: &Expr) {
        if let Some(access) = place.field_place()
            && self.fields.get(&access.access.field) == Some(&false)
        {
            let ident = &access.access.ident;
            self.errors.on(
                place.ends(),
                format!(
                    "`{ident}` is borrowed to be read: declare the parameter as `{ident}: &mut {}<..>` to write it",
                    self.type_name(access.access.field)
                ),
            );
        }
        if let Some(local) = place.root_local() {
            self.locals[local.0 as usize].mutable = true;
        }
    }

    fn structure(&mut self, e: &syn::ExprStruct) -> ExprKind {
        if let Some(qself) = &e.qself {
            self.errors.on(&qself.ty, "name the struct by its path");
        }
        let members = e
            .fields
            .iter()
            .map(|f| (f.member.clone(), self.expr(&f.expr)))
            .collect();
        let base = e.rest.as_ref().map(|e| self.boxed(e));
        ExprKind::Struct {
            ty: self.inferred(),
            path: e.path.clone(),
            members,
            base,
            tuple: false,
        }
    }

    /// `P(a, b)` of a tuple struct.
    pub(super) fn tuple_struct(&mut self, e: &syn::ExprCall, path: &syn::ExprPath) -> ExprKind {
        if let Some(qself) = &path.qself {
            self.errors.on(&qself.ty, "name the struct by its path");
        }
        let members = e.args.iter().enumerate();
        let members = members.map(|(k, e)| (syn::Member::from(k), self.expr(e))).collect();
        ExprKind::Struct {
            ty: self.inferred(),
            path: path.path.clone(),
            members,
            base: None,
            tuple: true,
        }
    }

    fn labelled_block(&mut self, e: &syn::ExprBlock) -> ExprKind {
        let Some(label) = &e.label else {
            return ExprKind::Block {
                label: None,
                unsafety: false,
                block: self.block(&e.block),
            };
        };
        let id = self.new_label();
        let frame = Label {
            name: Some(label.name.clone()),
            is_loop: false,
            is_condition: false,
            break_to: Some(id),
            continue_to: id,
        };
        let block = self.labelled(frame, |l| l.block(&e.block));
        ExprKind::Block {
            label: Some(id),
            unsafety: false,
            block,
        }
    }

    fn if_else(&mut self, e: &syn::ExprIf) -> ExprKind {
        let cond = self.boxed(&e.cond);
        let then = self.block(&e.then_branch);
        ExprKind::If(cond, then, e.else_branch.as_ref().map(|(_, e)| self.boxed(e)))
    }

    fn arm(&mut self, arm: &syn::Arm) -> Arm {
        let lints = lints::of(&arm.attrs);
        self.scoped(|l| {
            let (pat, guard) = match &arm.pat {
                syn::Pat::Guard(g) => (&*g.pat, Some(&g.guard)),
                pat => (pat, None),
            };
            l.bind_once(pat);
            let pat = l.pattern(pat);
            let guard = guard.map(|e| l.expr(e));
            Arm {
                lints,
                pat,
                guard,
                body: l.expr(&arm.body),
            }
        })
    }

    /// A condition may leave its own loop, by the label: it is then a statement of the body.
    fn while_loop(&mut self, e: &syn::ExprWhile) -> ExprKind {
        let label = self.new_label();
        let of_condition = Label {
            is_loop: false,
            is_condition: true,
            ..Label::of_loop(e.label.as_ref(), Some(label), label)
        };
        let cond = self.labelled(of_condition, |l| l.boxed(&e.cond));
        let frame = Label::of_loop(e.label.as_ref(), Some(label), label);
        let body = self.labelled(frame, |l| l.block(&e.body));
        if !leaves(&cond, label) {
            return ExprKind::While(label, cond, body);
        }
        let (span, end) = (cond.span, cond.end);
        let out = Expr::new(ExprKind::Break(label, None), span, end);
        let otherwise = Expr::new(
            ExprKind::Block {
                label: None,
                unsafety: false,
                block: Block {
                    stmts: vec![Stmt::Expr(out)],
                    tail: None,
                },
            },
            span,
            end,
        );
        let asked = Expr::new(ExprKind::If(cond, super::empty(), Some(Box::new(otherwise))), span, end);
        let mut stmts = vec![Stmt::Expr(asked)];
        stmts.extend(with_tail(body));
        ExprKind::Loop(label, Block { stmts, tail: None })
    }

    fn break_out(&mut self, e: &syn::ExprBreak, span: Span) -> ExprKind {
        let value = e.expr.as_ref().map(|e| self.boxed(e));
        let target = match self.target(e.label.as_ref(), span) {
            Some(label) => label.break_to,
            None => return self.unit(span).kind,
        };
        match target {
            Some(label) => ExprKind::Break(label, value),
            None => {
                self.errors.on(e, "`break` would leave a parallel loop, whose iterations have no order: write `continue` to end this iteration, or make the loop sequential, `for .. in serial(..)`");
                self.unit(span).kind
            }
        }
    }

    fn continue_on(&mut self, e: &syn::ExprContinue, span: Span) -> ExprKind {
        match self.target(e.label.as_ref(), span) {
            Some(label) => ExprKind::Continue(label.continue_to),
            None => self.unit(span).kind,
        }
    }

    fn labelled_as(&self, name: &syn::Lifetime) -> Option<usize> {
        let named = || {
            self.labels
                .iter()
                .enumerate()
                .filter_map(|(k, l)| Some((k, l.name.as_ref()?)))
        };
        let names: Vec<Name> = named().map(|(_, name)| Name::of(&name.ident)).collect();
        let Resolved {
            places,
            chosen,
            certain,
        } = names::resolve(names.iter(), &Name::of(&name.ident))?;
        let all: Vec<(usize, &syn::Lifetime)> = named().collect();
        if !certain {
            self.witnesses.borrow_mut().labels.push(Witness {
                declared: places.iter().map(|place| all[*place].1.clone()).collect(),
                chosen,
                used: name.clone(),
            });
        }
        Some(all[places[chosen]].0)
    }

    fn target(&mut self, name: Option<&syn::Lifetime>, keyword: Span) -> Option<&Label> {
        let found = match name {
            Some(name) => self.labelled_as(name),
            None => {
                let inner = self.labels.iter().rposition(|l| l.is_loop || l.is_condition);
                if inner.is_some_and(|k| self.labels[k].is_condition) {
                    self.errors.at(
                        keyword,
                        "in the condition of a `while` loop, name the loop that this leaves: write a label, `'name: while ..`, and `break 'name`",
                    );
                    return None;
                }
                inner
            }
        };
        match found {
            Some(k) => Some(&self.labels[k]),
            None => {
                match name {
                    Some(name) => self
                        .errors
                        .on(name, format!("no loop or block around this is labelled `{name}`")),
                    None => self.errors.at(keyword, "there is no loop around this"),
                }
                None
            }
        }
    }
}

/// Whether an expression has a `break` or `continue` of a loop.
fn leaves(e: &Expr, label: LabelId) -> bool {
    any(
        e,
        |e| matches!(&e.kind, ExprKind::Break(l, _) | ExprKind::Continue(l) if *l == label),
    )
}

/// Number of characters to insert, delete or replace.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.chars().count()]
}

/// The literal, `b'a'` as the number that it is.
pub(super) fn number(lit: &syn::Lit) -> Cow<'_, syn::Lit> {
    match lit {
        syn::Lit::Byte(byte) => {
            let digits = format!("{}u8", byte.value());
            Cow::Owned(syn::Lit::Int(syn::LitInt::new(&digits, byte.span())))
        }
        other => Cow::Borrowed(other),
    }
}

fn bin_op(op: &syn::BinOp) -> Option<(BinOp, bool)> {
    use syn::BinOp as S;
    Some(match op {
        S::Add(_) => (BinOp::Add, false),
        S::Sub(_) => (BinOp::Sub, false),
        S::Mul(_) => (BinOp::Mul, false),
        S::Div(_) => (BinOp::Div, false),
        S::Rem(_) => (BinOp::Rem, false),
        S::And(_) => (BinOp::And, false),
        S::Or(_) => (BinOp::Or, false),
        S::BitXor(_) => (BinOp::BitXor, false),
        S::BitAnd(_) => (BinOp::BitAnd, false),
        S::BitOr(_) => (BinOp::BitOr, false),
        S::Shl(_) => (BinOp::Shl, false),
        S::Shr(_) => (BinOp::Shr, false),
        S::Eq(_) => (BinOp::Eq, false),
        S::Lt(_) => (BinOp::Lt, false),
        S::Le(_) => (BinOp::Le, false),
        S::Ne(_) => (BinOp::Ne, false),
        S::Ge(_) => (BinOp::Ge, false),
        S::Gt(_) => (BinOp::Gt, false),
        S::AddAssign(_) => (BinOp::Add, true),
        S::SubAssign(_) => (BinOp::Sub, true),
        S::MulAssign(_) => (BinOp::Mul, true),
        S::DivAssign(_) => (BinOp::Div, true),
        S::RemAssign(_) => (BinOp::Rem, true),
        S::BitXorAssign(_) => (BinOp::BitXor, true),
        S::BitAndAssign(_) => (BinOp::BitAnd, true),
        S::BitOrAssign(_) => (BinOp::BitOr, true),
        S::ShlAssign(_) => (BinOp::Shl, true),
        S::ShrAssign(_) => (BinOp::Shr, true),
        _ => return None,
    })
}

/// Whether a `use` brings a name.
fn brings(tree: &syn::UseTree, name: &Ident) -> bool {
    match tree {
        syn::UseTree::Path(path) => brings(&path.tree, name),
        syn::UseTree::Name(used) => used.ident == *name,
        syn::UseTree::Rename(used) => used.rename == *name,
        syn::UseTree::Group(group) => group.items.iter().any(|tree| brings(tree, name)),
        syn::UseTree::Glob(_) => false,
    }
}
