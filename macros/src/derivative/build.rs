//! HIR to a body in single assignment: statements.

use std::collections::{BTreeMap, HashMap, HashSet};

use proc_macro2::{Ident, Span};
use quote::quote;
use swathe_ir::{LabelId, LocalId};

use super::body::{Atom, Body, Info, Inline, Let, Op, Region, Stmt, Var};
use super::names::Names;
use super::owned::Owned;
use crate::error::Errors;
use crate::hir::{self, Block, Expr, ExprKind, Func, Pat};
use crate::order;

/// What has values of its own: a variable of the user's, or an element that an iteration owns, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    Local(LocalId),
    Owned(usize),
}

pub type Versions = BTreeMap<Slot, Atom>;

pub struct Build<'f> {
    pub func: &'f Func,
    pub errors: &'f mut Errors,
    pub names: Names,
    /// Of parameters.
    pub params: HashMap<LocalId, Ident>,
    pub vars: Vec<Info>,
    pub versions: Versions,
    pub stmts: Vec<Stmt>,
    /// The parallel loop around.
    pub parallel: Option<usize>,
    /// Elements that its iterations own, read and write.
    pub owned: Owned,
    /// What stands where an iteration begins, and the parts of elements that are read there.
    pub first: Vec<Stmt>,
    pub begun: HashMap<(LocalId, Vec<String>), Atom>,
    /// Paths of functions that are taken for the library's `detach`, and types that are taken for integers: rustc has to confirm it.
    pub detached: Vec<syn::ExprPath>,
    pub integers: Vec<syn::Type>,
    pub built_in: Vec<syn::Type>,
    /// Parameters of the function that are types or constants.
    pub generics: Vec<String>,
    /// The types that are written at the values of variables: those that the user wrote, and those that nothing else would tell.
    pub types: HashMap<LocalId, syn::Type>,
    /// Variables whose values have the type of the one before.
    pub alike: HashSet<LocalId>,
}

/// The end of a function, or of a round of a loop.
#[derive(Clone, Copy, PartialEq)]
pub enum End {
    /// Nothing in particular.
    None,
    /// `return` leads there.
    Function,
    /// `continue` of this loop leads there.
    Round(LabelId),
}

pub fn body(
    func: &Func,
    generics: Vec<String>,
    names: Names,
    params: HashMap<LocalId, Ident>,
    varied: &[LocalId],
    errors: &mut Errors,
) -> Body {
    let super::told::Types { types, alike, literals } = super::told::types(func, errors);
    let mut build = Build {
        func,
        errors,
        names,
        params,
        vars: Vec::new(),
        versions: Versions::new(),
        stmts: Vec::new(),
        parallel: None,
        owned: Owned::default(),
        first: Vec::new(),
        begun: HashMap::new(),
        detached: Vec::new(),
        integers: Vec::new(),
        built_in: Vec::new(),
        generics,
        types,
        alike,
    };
    for param in &func.params {
        if let Some(ident) = build.params.get(&param.local).cloned()
            && !matches!(param.kind, hir::ParamKind::Field { .. })
        {
            let var = build.vars.len();
            build.vars.push(Info {
                span: ident.span(),
                ident,
                varied: varied.contains(&param.local),
            });
            build.versions.insert(Slot::Local(param.local), Atom::Var(var));
        }
    }
    let result = build.seq(&func.body.stmts, func.body.tail.as_deref(), End::Function);
    Body {
        region: Region { stmts: build.stmts },
        vars: build.vars,
        result,
        names: build.names,
        detached: build.detached,
        integers: build.integers,
        built_in: build.built_in,
        literals,
    }
}

impl Build<'_> {
    pub fn refuse(&mut self, e: &Expr, text: impl std::fmt::Display) {
        self.errors.on(e.ends(), text);
    }

    pub fn new_var(&mut self, ident: Ident, span: Span) -> Var {
        self.vars.push(Info {
            ident,
            span,
            varied: false,
        });
        self.vars.len() - 1
    }

    /// A variable with the value of an operation.
    pub fn name(&mut self, op: Op, span: Span) -> Atom {
        let ident = self.names.fresh("t", span);
        let var = self.new_var(ident, span);
        self.stmts.push(Stmt::Let(Let { var, ty: None, op }));
        Atom::Var(var)
    }

    pub fn atom_of(&mut self, op: Op, span: Span) -> Atom {
        match op {
            Op::Copy(atom) => atom,
            op => self.name(op, span),
        }
    }

    /// A variable like one of the user's.
    pub fn name_like(&mut self, op: Op, like: &Ident, ty: Option<Box<syn::Type>>, span: Span) -> Atom {
        let ident = self.names.of_user(like);
        let var = self.new_var(ident, span);
        self.stmts.push(Stmt::Let(Let { var, ty, op }));
        Atom::Var(var)
    }

    pub fn user_name(&self, slot: Slot) -> Ident {
        match slot {
            Slot::Local(local) => self.func.local(local).name.clone(),
            Slot::Owned(k) => self.owned.name(k),
        }
    }

    pub fn set(&mut self, slot: Slot, op: Op, span: Span) {
        let like = self.user_name(slot);
        let ty = match slot {
            Slot::Local(local) => self.type_of(local),
            Slot::Owned(_) => None,
        };
        let op = match (slot, self.versions.get(&slot).cloned()) {
            (Slot::Local(local), Some(before)) if self.alike.contains(&local) => {
                Op::Like(self.atom_of(op, span), before)
            }
            _ => op,
        };
        let atom = self.name_like(op, &like, ty, span);
        self.versions.insert(slot, atom);
    }

    /// The type that is written at a variable's values.
    pub fn type_of(&self, local: LocalId) -> Option<Box<syn::Type>> {
        self.types.get(&local).cloned().map(Box::new)
    }

    /// Statements one after the other, and the value of the block.
    pub fn seq(&mut self, stmts: &[hir::Stmt], tail: Option<&Expr>, end: End) -> Option<Atom> {
        let mut opened = Vec::new();
        let result = self.seq_from(stmts, tail, end, &mut opened);
        for k in opened.into_iter().rev() {
            self.close(k);
        }
        result
    }

    pub fn seq_from(
        &mut self,
        stmts: &[hir::Stmt],
        tail: Option<&Expr>,
        end: End,
        opened: &mut Vec<usize>,
    ) -> Option<Atom> {
        for (k, stmt) in stmts.iter().enumerate() {
            self.open(std::ptr::from_ref(stmt).cast(), opened);
            match stmt {
                hir::Stmt::Let {
                    pat, ty, init, span, ..
                } => self.declare(pat, ty.as_deref(), init.as_ref(), *span),
                hir::Stmt::ParFor(p) => self.parallel(p),
                hir::Stmt::Expr(e) => {
                    let rest = &stmts[k + 1..];
                    match &e.kind {
                        // What leaves the round, or the function, with the rest of it on the other way.
                        ExprKind::If(condition, then, otherwise) if self.leaves(then, end) => {
                            return self.without(e, condition, then, otherwise.as_deref(), rest, tail, end);
                        }
                        ExprKind::Return(value) => {
                            return self.leave(e, value.as_deref(), end == End::Function);
                        }
                        ExprKind::Continue(label) => {
                            if end != End::Round(*label) {
                                self.refuse(e, LEAVES);
                            }
                            return None;
                        }
                        _ => {
                            let last = rest.is_empty() && tail.is_none();
                            self.statement(e, if last { end } else { End::None });
                        }
                    }
                }
            }
        }
        let tail = tail?;
        self.open(std::ptr::from_ref(tail).cast(), opened);
        match &tail.kind {
            ExprKind::Return(value) => self.leave(tail, value.as_deref(), end == End::Function),
            ExprKind::Continue(label) if end == End::Round(*label) => None,
            _ => self.value(tail, end),
        }
    }

    pub fn leave(&mut self, e: &Expr, value: Option<&Expr>, allowed: bool) -> Option<Atom> {
        if !allowed {
            self.refuse(e, LEAVES);
        }
        value.map(|value| self.expr(value))
    }

    /// Whether a block ends by leaving what ends at `end`.
    pub fn leaves(&self, block: &Block, end: End) -> bool {
        let last = block.tail.as_deref().or(match block.stmts.last() {
            Some(hir::Stmt::Expr(e)) => Some(e),
            _ => None,
        });
        match (last.map(|e| &e.kind), end) {
            (Some(ExprKind::Return(_)), End::Function) => true,
            (Some(ExprKind::Continue(label)), End::Round(of)) => *label == of,
            _ => false,
        }
    }

    /// A block's value, or that of what has none.
    pub fn value(&mut self, e: &Expr, end: End) -> Option<Atom> {
        match &e.kind {
            ExprKind::If(condition, then, otherwise) => self.branch(e, condition, then, otherwise.as_deref(), end),
            ExprKind::Match(..) => self.matched(e, end),
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => self.seq(&block.stmts, block.tail.as_deref(), end),
            ExprKind::Assign(..)
            | ExprKind::AssignOp(..)
            | ExprKind::For(..)
            | ExprKind::While(..)
            | ExprKind::Loop(..)
            | ExprKind::Atomic(..)
            | ExprKind::Fail { .. }
            | ExprKind::Print { .. } => {
                self.statement(e, end);
                None
            }
            _ => Some(self.expr(e)),
        }
    }

    pub fn statement(&mut self, e: &Expr, end: End) {
        match &e.kind {
            ExprKind::Assign(place, value) => self.assign(e, place, value),
            ExprKind::AssignOp(op, _, place, value, _) => self.assign_op(e, *op, place, value),
            ExprKind::For(label, pat, range, body) => self.serial(e, *label, pat, range, body),
            ExprKind::While(label, condition, body) => self.while_loop(e, *label, condition, body),
            ExprKind::Loop(..) => self.refuse(e, "`loop` has no derivative: write `while`, or `for` with a flag"),
            ExprKind::Break(..) => self.refuse(
                e,
                "a loop that is left by `break` has no derivative: keep a flag, `while k < n && !found`, or write `if !found { .. }` in it",
            ),
            ExprKind::Atomic(op, name, place, args) => self.atomic(e, *op, name, place, args),
            ExprKind::Fail { .. } => self.stmts.push(Stmt::Fail),
            ExprKind::Print { args, .. } => {
                // Nothing is printed: what its values do besides is done.
                args.iter().filter(|arg| order::acts(self.func, arg)).for_each(|arg| {
                    let _ = self.value(arg, End::None);
                });
            }
            ExprKind::Call { args, .. } | ExprKind::Method { args, .. }
                if !args.iter().any(|a| matches!(a.kind, ExprKind::Ref { mutable: true, .. })) =>
            {
                let _ = self.expr(e);
            }
            ExprKind::Continue(_) | ExprKind::Return(_) => self.refuse(e, LEAVES),
            _ => {
                let _ = self.value(e, end);
            }
        }
    }

    pub fn declare(&mut self, pat: &Pat, ty: Option<&syn::Type>, init: Option<&Expr>, span: Span) {
        let Some(init) = init else {
            if let (Pat::Bind { .. }, Some(ty)) = (pat, ty) {
                self.errors.on(
                    ty,
                    "a variable without a value has no type in a derivative: leave the type out, or give it a value",
                );
            }
            return;
        };
        match pat {
            Pat::Bind { local, .. } => {
                let like = self.func.local(*local).name.clone();
                let op = self.op(init);
                // A type that is found is one of a variable whose own type is not written in full, as `_` is not.
                if let Some(ty) = ty {
                    self.types.entry(*local).or_insert_with(|| ty.clone());
                }
                let atom = match (op, self.type_of(*local)) {
                    (Op::Copy(Atom::Var(v)), None) => Atom::Var(v),
                    (op, ty) => self.name_like(op, &like, ty, span),
                };
                self.versions.insert(Slot::Local(*local), atom);
            }
            Pat::Wild(_) => {
                let _ = self.expr(init);
            }
            _ => {
                if let Some(ty) = ty {
                    self.errors.on(
                        ty,
                        "in a kernel with a derivative write the types of a pattern's variables at their values",
                    );
                }
                match (pat, &init.kind) {
                    (Pat::Tuple(pats), ExprKind::Tuple(parts)) | (Pat::Array(pats), ExprKind::Array(parts, _))
                        if pats.len() == parts.len() =>
                    {
                        let ops: Vec<Op> = parts.iter().map(|part| self.op(part)).collect();
                        let atoms: Vec<Atom> = ops.into_iter().map(|op| self.atom_of(op, span)).collect();
                        pats.iter()
                            .zip(atoms)
                            .for_each(|(pat, atom)| self.bind(pat, Op::Copy(atom), span));
                    }
                    (Pat::Array(pats), ExprKind::FieldShape(..) | ExprKind::FieldOrigin(..)) => {
                        for (k, pat) in pats.iter().enumerate() {
                            let mut part = self.inline(init);
                            let (whole, k) = (&part.tokens, syn::Index::from(k));
                            part.tokens = quote!(#whole[#k]);
                            self.bind(pat, Op::Inline(part), span);
                        }
                    }
                    _ => {
                        let whole = self.expr(init);
                        self.take_apart(pat, &whole, span);
                    }
                }
            }
        }
    }

    pub fn bind(&mut self, pat: &Pat, op: Op, span: Span) {
        match pat {
            Pat::Bind { local, .. } => {
                let like = self.func.local(*local).name.clone();
                let atom = match op {
                    Op::Copy(Atom::Var(v)) => Atom::Var(v),
                    op => {
                        let ty = self.type_of(*local);
                        self.name_like(op, &like, ty, span)
                    }
                };
                self.versions.insert(Slot::Local(*local), atom);
            }
            Pat::Wild(_) => {}
            _ => {
                let whole = self.atom_of(op, span);
                self.take_apart(pat, &whole, span);
            }
        }
    }

    pub fn take_apart(&mut self, pat: &Pat, whole: &Atom, span: Span) {
        match pat {
            Pat::Bind { .. } | Pat::Wild(_) => self.bind(pat, Op::Copy(whole.clone()), span),
            Pat::Tuple(pats) => {
                for (k, pat) in pats.iter().enumerate() {
                    self.bind(pat, Op::Member(whole.clone(), syn::Member::from(k)), span);
                }
            }
            Pat::Array(pats) => {
                for (k, pat) in pats.iter().enumerate() {
                    let k = syn::Index::from(k);
                    let index = Inline {
                        tokens: quote!(#k),
                        ..Inline::default()
                    };
                    self.bind(pat, Op::Index(whole.clone(), index), span);
                }
            }
            Pat::Struct { members, .. } => {
                for (member, pat) in members {
                    self.bind(pat, Op::Member(whole.clone(), member.clone()), span);
                }
            }
        }
    }
}

const LEAVES: &str =
    "a derivative needs to know what is left out here: write `if .. { .. } else { .. }` around the rest of the block";
