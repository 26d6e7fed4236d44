//! Statements and blocks.

use swathe_ir::{FuncKind, LocalId};

use proc_macro2::Span;
use syn::spanned::Spanned;

use super::Lower;
use super::names::texts_of;
use super::pat::reference_apart;
use crate::groups::bare;
use crate::hir::{Axis, Block, Expr, ExprKind, Extent, ParFor, Pat, Stmt, Value};
use crate::lints;

impl Lower<'_> {
    /// The body of a function; in a kernel, the `for` loops directly in it are the parallel ones.
    pub(super) fn body(&mut self, block: &syn::Block) -> Block {
        self.scoped(|l| l.statements(block, l.kind == FuncKind::Kernel))
    }

    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        self.scoped(|l| l.statements(block, false))
    }

    fn statements(&mut self, block: &syn::Block, outermost: bool) -> Block {
        let mut stmts = Vec::new();
        let mut tail = None;
        let last = block.stmts.len().wrapping_sub(1);
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                syn::Stmt::Local(local) => {
                    self.local(local, &mut stmts);
                    self.taken_apart(local.let_token.span, &lints::of(&local.attrs), &mut stmts);
                }
                syn::Stmt::Item(item) => self.item(item),
                syn::Stmt::Macro(m) => {
                    let mut expr = self.macro_call(&m.mac);
                    expr.lints = lints::of(&m.attrs);
                    if i == last && m.semi_token.is_none() {
                        tail = Some(Box::new(expr));
                    } else {
                        stmts.push(Stmt::Expr(expr));
                    }
                }
                // A semicolon of its own.
                syn::Stmt::Expr(syn::Expr::Verbatim(nothing), Some(_)) if nothing.is_empty() => {}
                syn::Stmt::Expr(expr, _) if let syn::Expr::ForLoop(f) = bare(expr) => {
                    let mut stmt = self.for_loop(f, outermost);
                    stmts.append(&mut self.before);
                    match &mut stmt {
                        Some(Stmt::ParFor(ParFor { lints, .. }) | Stmt::Expr(Expr { lints, .. })) => {
                            *lints = lints::of(&f.attrs);
                        }
                        Some(Stmt::Let { .. }) | None => {}
                    }
                    stmts.extend(stmt);
                    stmts.append(&mut self.after);
                }
                syn::Stmt::Expr(expr, semi) => {
                    let (bare, lints) = lints::taken(expr);
                    let mut expr = self.expr(&bare);
                    expr.lints = lints;
                    if i == last && semi.is_none() && has_value(&expr) {
                        tail = Some(Box::new(expr));
                    } else {
                        stmts.push(Stmt::Expr(expr));
                    }
                }
            }
        }
        Block { stmts, tail }
    }

    fn item(&mut self, item: &syn::Item) {
        if *item == super::claim::debug_assertions() {
            return self.items.push(item.clone());
        }
        let supported = matches!(item, syn::Item::Const(_) | syn::Item::Use(_));
        if let Some(name) = declared(item, &|name| is_reserved(name)) {
            self.errors.on(name, super::RESERVED);
        }
        let hides = |name: &&syn::Ident| {
            let name = name.to_string();
            self.scopes[0].iter().any(|(parameter, _)| parameter.text == name)
        };
        if let Some(name) = declared(item, &hides) {
            self.errors.on(
                name,
                format!("`{name}` is a parameter, which this item would hide: give it another name"),
            );
        }
        if supported && self.scopes.len() <= 2 {
            self.items.push(item.clone());
        } else {
            self.errors.on(item, "inside a kernel only `const` and `use` items can stand, at the top of its body: move this out of the function");
        }
    }

    /// The variables that stand for structs in the pattern before, taken apart.
    pub(super) fn taken_apart(&mut self, span: Span, lints: &[syn::Attribute], stmts: &mut Vec<Stmt>) {
        while !self.structs.is_empty() {
            let (id, ident, p) = self.structs.remove(0);
            let members = p.members.iter().map(|(member, part)| {
                let pat = self.pat(part, &Value::Unknown);
                (member.clone(), pat)
            });
            let members = members.collect();
            let at = p.path.span();
            stmts.push(Stmt::Let {
                pat: Pat::Struct {
                    path: p.path,
                    members,
                    rest: p.rest,
                    tuple: p.tuple,
                    end: p.end,
                },
                ty: None,
                init: Some(self.at(ExprKind::Local(id, ident), at)),
                span,
                lints: lints.to_vec(),
            });
        }
    }

    fn local(&mut self, local: &syn::Local, stmts: &mut Vec<Stmt>) {
        if let Some(closure) = Self::closure_of(local) {
            return self.declare_closure(local, closure);
        }
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(typed.ty.clone())),
            pat => (pat, None),
        };
        if let Some(syn::LocalInit {
            diverge: Some((token, _)),
            ..
        }) = &local.init
        {
            return self.errors.on(
                token,
                "`let .. else` cannot be used in a kernel: there are no enums; compare with `if`",
            );
        }
        if let Some(ty) = &ty
            && let syn::Type::Reference(_) | syn::Type::Ptr(_) = **ty
        {
            return self.errors.on(
                ty,
                "a variable of a kernel cannot hold a reference: copy the value, or index the field where it is used",
            );
        }
        self.bind_once(pat);
        if let Some(init) = &local.init
            && matches!(
                pat,
                syn::Pat::Struct(_) | syn::Pat::TupleStruct(_) | syn::Pat::Tuple(_) | syn::Pat::Slice(_)
            )
            && let Some((_, ident)) = self.lent_path(&init.expr)
        {
            return self.errors.on(&init.expr, reference_apart(&ident));
        }
        let init = match &local.init {
            Some(init) => match self.initialiser(&init.expr) {
                Some(init) => Some(init),
                None => return,
            },
            None => None,
        };
        self.variables(local, (pat, ty), init, stmts);
    }

    /// The statements of a `let`: one for each part where a tuple is written for a pattern of one. All values stand there before a name is declared.
    fn variables(
        &mut self,
        local: &syn::Local,
        (pat, ty): (&syn::Pat, Option<Box<syn::Type>>),
        init: Option<Expr>,
        stmts: &mut Vec<Stmt>,
    ) {
        let init = match (pat, init) {
            (
                syn::Pat::Tuple(pats),
                Some(Expr {
                    kind: ExprKind::Tuple(parts),
                    ..
                }),
            ) if let Some(types) = apart(local, pats, &parts, ty.as_deref()) => {
                for ((pat, ty), part) in pats.elems.iter().zip(types).zip(parts) {
                    self.variables(local, (pat, ty), Some(part), stmts);
                }
                return;
            }
            (_, init) => init,
        };
        let value = init.as_ref().map_or(Value::Unknown, |e| self.value_of(e));
        let number = init.as_ref().and_then(|e| self.number(e));
        let pat = self.pat(pat, &value);
        if let Some(init) = &init {
            self.note_moved_by_numbers(&pat, init);
        }
        if init.is_none()
            && let Some((.., p)) = self.structs.first()
        {
            self.errors.on(
                &p.path,
                "a struct pattern needs a value to take apart: `let P { a, .. } = value;`",
            );
        }
        if let (Pat::Bind { local, .. }, Some(number)) = (&pat, number) {
            self.numbers.insert(*local, number);
        }
        if init.is_none() {
            for local in bound(&pat) {
                self.locals[local.0 as usize].mutable = true;
            }
        }
        stmts.push(Stmt::Let {
            pat,
            ty,
            init,
            span: local.let_token.span,
            lints: lints::of(&local.attrs),
        });
    }

    fn initialiser(&mut self, expr: &syn::Expr) -> Option<Expr> {
        match expr {
            syn::Expr::Reference(r) => {
                self.errors.on(r, "a variable of a kernel cannot hold a reference: copy the value, or index the field where it is used");
                None
            }
            _ => Some(self.expr(expr)),
        }
    }

    /// What the checks may know of a variable that starts as `expr`.
    pub(super) fn value_of(&self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Local(id, _) => Value::Alias(*id),
            ExprKind::FieldShape(field, _) => Value::Extent(Extent::All(*field)),
            ExprKind::Array(parts, _) | ExprKind::Tuple(parts) => {
                Value::Parts(parts.iter().map(|part| self.value_of(part)).collect())
            }
            _ => self.extent_of(expr).map_or(Value::Unknown, Value::Extent),
        }
    }

    /// The extent that an expression states.
    pub(super) fn extent_of(&self, expr: &Expr) -> Option<Extent> {
        match &expr.kind {
            ExprKind::FieldLen(field, _) => Some(Extent::Len(*field)),
            ExprKind::Lit(syn::Lit::Int(lit), _) => lit.base10_parse().ok().map(Extent::Literal),
            ExprKind::Index(base, index) => match (&base.kind, &index.kind) {
                (ExprKind::FieldShape(field, _), ExprKind::Lit(syn::Lit::Int(k), _)) => {
                    Some(Extent::Shape(*field, k.base10_parse().ok()?))
                }
                _ => None,
            },
            ExprKind::Local(id, _) => {
                let local = &self.locals[id.0 as usize];
                match &local.value {
                    _ if local.mutable => None,
                    Value::Extent(Extent::All(_)) => None,
                    Value::Extent(extent) => Some(extent.clone()),
                    // Before the loop the extent is written by its name. A variable of the loop has none there, but what
                    // it copies has; an outer one must stand for itself, since what it copies may be shadowed by then.
                    _ if local.inside.is_none() => Some(Extent::Local(*id)),
                    Value::Alias(other) => {
                        let outer = &self.locals[other.0 as usize];
                        (!outer.mutable && outer.inside.is_none()).then_some(Extent::Local(*other))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The types that are written for the parts of a tuple, if each part of the pattern has a value, and none of the names may mean something else
/// in the values behind it, such as a function.
fn apart(
    local: &syn::Local,
    pats: &syn::PatTuple,
    parts: &[Expr],
    ty: Option<&syn::Type>,
) -> Option<Vec<Option<Box<syn::Type>>>> {
    let all = pats.elems.iter().all(|pat| !matches!(pat, syn::Pat::Rest(_)));
    if !all || pats.elems.len() != parts.len() {
        return None;
    }
    let used = local.init.as_ref().map(|init| texts_of(&init.expr)).unwrap_or_default();
    if texts_of(pats).iter().any(|name| name != "mut" && used.contains(name)) {
        return None;
    }
    match ty {
        None => Some(vec![None; parts.len()]),
        Some(syn::Type::Tuple(types)) if types.elems.len() == parts.len() => {
            Some(types.elems.iter().map(|ty| Some(Box::new(ty.clone()))).collect())
        }
        Some(_) => None,
    }
}

/// A name that an item declares, and that is one of these.
fn declared<'i>(item: &'i syn::Item, is: &dyn Fn(&&syn::Ident) -> bool) -> Option<&'i syn::Ident> {
    fn used<'i>(tree: &'i syn::UseTree, is: &dyn Fn(&&syn::Ident) -> bool) -> Option<&'i syn::Ident> {
        match tree {
            syn::UseTree::Path(path) => used(&path.tree, is),
            syn::UseTree::Name(name) => Some(&name.ident).filter(is),
            syn::UseTree::Rename(rename) => Some(&rename.rename).filter(is),
            syn::UseTree::Group(group) => group.items.iter().find_map(|tree| used(tree, is)),
            syn::UseTree::Glob(_) => None,
        }
    }
    match item {
        syn::Item::Const(item) => Some(&item.ident).filter(is),
        syn::Item::Use(item) => used(&item.tree, is),
        _ => None,
    }
}

fn is_reserved(name: &syn::Ident) -> bool {
    name.to_string().starts_with("__")
}

/// What a pattern's part at position `k` knows of its value.
pub(super) fn part(value: &Value, k: usize) -> Value {
    match value {
        Value::Extent(Extent::All(field)) => Value::Extent(Extent::Shape(*field, k)),
        Value::Parts(parts) => parts.get(k).cloned().unwrap_or(Value::Unknown),
        Value::Parallel {
            axis: Axis::All,
            extent: Some(Extent::All(field)),
        } => Value::Parallel {
            axis: Axis::One(k),
            extent: Some(Extent::Shape(*field, k)),
        },
        // Of `ndrange`.
        Value::Parallel {
            axis: Axis::All,
            extent: None,
        } => Value::Parallel {
            axis: Axis::One(k),
            extent: None,
        },
        Value::Parallel {
            axis: Axis::All,
            extent: Some(Extent::Ranges(field)),
        } => Value::Parallel {
            axis: Axis::One(k),
            extent: Some(Extent::Range(*field, k)),
        },
        _ => Value::Unknown,
    }
}

pub(super) fn bound(pat: &Pat) -> Vec<LocalId> {
    match pat {
        Pat::Bind { local, .. } => vec![*local],
        Pat::Wild(_) => Vec::new(),
        Pat::Tuple(ps) | Pat::Array(ps) => ps.iter().flat_map(bound).collect(),
        Pat::Struct { members, .. } => members.iter().flat_map(|(_, part)| bound(part)).collect(),
    }
}

/// Whether an expression in tail position yields the block's value, rather than ending it as a statement.
fn has_value(expr: &Expr) -> bool {
    !matches!(
        expr.kind,
        ExprKind::Assign(..) | ExprKind::AssignOp(..) | ExprKind::While(..) | ExprKind::For(..)
    )
}
