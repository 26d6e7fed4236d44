//! HIR to a body in single assignment: expressions.

use quote::quote;
use swathe_ir::{BinOp, LocalId, UnOp};

use super::body::{Atom, Inline, Op, Stmt, Written};
use super::build::{Build, End, Slot};
use super::names::plain;
use crate::hir::types::is_integer_type;
use crate::hir::{Expr, ExprKind};

impl Build<'_> {
    /// The value of an expression.
    pub fn expr(&mut self, e: &Expr) -> Atom {
        match self.op(e) {
            Op::Copy(atom) => atom,
            op => self.name(op, e.span),
        }
    }

    pub fn exprs(&mut self, all: &[Expr]) -> Vec<Atom> {
        all.iter().map(|e| self.expr(e)).collect()
    }

    pub fn version(&mut self, local: LocalId, e: &Expr) -> Atom {
        match self.versions.get(&Slot::Local(local)) {
            Some(atom) => atom.clone(),
            None => {
                let name = self.func.local(local).name.clone();
                self.refuse(
                    e,
                    format!("a derivative cannot follow what `{name}` is here: give it a value where it is declared"),
                );
                Atom::Given(quote!(0))
            }
        }
    }

    /// The last operation of an expression, whose operands have names.
    pub fn op(&mut self, e: &Expr) -> Op {
        let nothing = Op::Copy(Atom::Given(quote!(())));
        match &e.kind {
            ExprKind::Lit(lit, _) => Op::Copy(Atom::Given(quote!(#lit))),
            ExprKind::Const(_, path) => Op::Copy(Atom::Given(quote!(#path))),
            ExprKind::Local(local, _) => Op::Copy(self.version(*local, e)),
            ExprKind::Unary(UnOp::Neg, a, _) => match self.expr(a) {
                Atom::Given(tokens) => Op::Copy(Atom::Given(quote!((-#tokens)))),
                a => Op::Neg(a),
            },
            ExprKind::Binary(op, _, a, b, _) if !gives_bool(*op) => {
                let (a, b) = (self.expr(a), self.expr(b));
                Op::Binary(*op, a, b)
            }
            ExprKind::Cast(a, ty, _, how) => match is_integer_type(ty) {
                true => Op::Inline(self.inline(e)),
                false => Op::Cast(self.expr(a), ty.clone(), *how),
            },
            ExprKind::Field(_) | ExprKind::Member(..) | ExprKind::Index(..) if e.field_place().is_some() => {
                self.read(e)
            }
            ExprKind::Member(base, member) => Op::Member(self.expr(base), member.clone()),
            ExprKind::Index(base, index) => {
                let base = self.expr(base);
                Op::Index(base, self.inline(index))
            }
            ExprKind::Call { path, on, args, .. } => self.call(e, path, on.is_some(), args),
            ExprKind::Method {
                receiver, name, args, ..
            } => {
                let mut all = vec![self.expr(receiver)];
                for arg in args {
                    all.push(self.argument(arg));
                }
                Op::Rule {
                    name: plain(name),
                    written: Written::Method(name.clone()),
                    args: all,
                }
            }
            ExprKind::Tuple(parts) => Op::Tuple(self.exprs(parts)),
            ExprKind::Array(parts, _) => Op::Array(self.exprs(parts)),
            ExprKind::Repeat(part, count, _) => Op::Repeat(self.expr(part), count.clone()),
            ExprKind::Struct {
                path,
                members,
                base,
                tuple,
                ..
            } => {
                let members = members.iter().map(|(m, e)| (m.clone(), self.expr(e))).collect();
                Op::Struct {
                    path: Box::new(path.clone()),
                    members,
                    base: base.as_ref().map(|e| self.expr(e)),
                    tuple: *tuple,
                }
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => match self.seq(&block.stmts, block.tail.as_deref(), End::None) {
                Some(atom) => Op::Copy(atom),
                None => nothing,
            },
            ExprKind::Block { .. } => {
                self.refuse(
                    e,
                    "`unsafe` and labelled blocks have no derivative: what they claim is claimed for the kernel itself",
                );
                nothing
            }
            ExprKind::If(condition, then, otherwise) => {
                match self.branch(e, condition, then, otherwise.as_deref(), End::None) {
                    Some(atom) => Op::Copy(atom),
                    None => nothing,
                }
            }
            ExprKind::Match(..) => match self.matched(e, End::None) {
                Some(atom) => Op::Copy(atom),
                None => nothing,
            },
            ExprKind::Limited(inner) => self.op(crate::hir::affine::limited(e).unwrap_or(inner)),
            ExprKind::OfClosure(_, inner) => self.op(inner),
            ExprKind::Unary(UnOp::Not, a, _) => Op::Not(self.expr(a)),
            ExprKind::Binary(..) | ExprKind::FieldLen(..) | ExprKind::FieldShape(..) | ExprKind::FieldOrigin(..) => {
                Op::Inline(self.inline(e))
            }
            ExprKind::Fail { .. } => {
                self.stmts.push(Stmt::Fail);
                nothing
            }
            ExprKind::Atomic(_, name, ..) => {
                self.refuse(e, format!("the value that `{name}` returns has no derivative: use it as a statement, or write to a second field"));
                nothing
            }
            ExprKind::FieldArgument(..) => {
                self.refuse(
                    e,
                    "a function that reads fields has no derivative: pass the elements that it needs",
                );
                nothing
            }
            ExprKind::Ref { .. } | ExprKind::Unary(..) => {
                self.refuse(
                    e,
                    "what is passed by reference has no derivative: pass the value, and return what changes",
                );
                nothing
            }
            _ => {
                self.refuse(e, "this has no derivative here: make it a statement of its own");
                nothing
            }
        }
    }

    pub fn argument(&mut self, e: &Expr) -> Atom {
        self.expr(e)
    }

    pub fn call(&mut self, e: &Expr, path: &syn::ExprPath, on_type: bool, args: &[Expr]) -> Op {
        let last = path.path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
        if !on_type && last == "detach" && args.len() == 1 {
            let mut function = path.clone();
            if let Some(last) = function.path.segments.last_mut() {
                last.arguments = syn::PathArguments::None;
            }
            self.detached.push(function);
            let inline = self.inline(&args[0]);
            let value = self.name(Op::Inline(inline), e.span);
            return Op::Detach(value);
        }
        if on_type && last == "from_usize" {
            // Of a type of the library, which `built_in` says to rustc: indices have no derivative.
            self.built_in(path);
            return Op::Inline(self.inline(e));
        }
        let args = self.exprs(args);
        if on_type && args.iter().all(|a| matches!(a, Atom::Given(_))) {
            let all = args.iter().map(super::print::atom_of_given);
            return Op::Inline(Inline {
                tokens: quote!(#path(#(#all),*)),
                ..Inline::default()
            });
        }
        if on_type {
            self.built_in(path);
        }
        match (on_type, last.as_str()) {
            (false, _) => Op::Call {
                path: Box::new(path.clone()),
                args,
            },
            (true, "new") => Op::Components(Box::new(path.clone()), args),
            (true, "splat") if args.len() == 1 => {
                let value = args.into_iter().next().expect("one argument");
                Op::Splat(Box::new(path.clone()), value)
            }
            (true, _) => Op::Rule {
                name: last,
                written: Written::Path(Box::new(path.clone())),
                args,
            },
        }
    }

    /// Notes that a function's type has to be one of the library's.
    pub fn built_in(&mut self, path: &syn::ExprPath) {
        let mut owner = path.clone();
        owner.path.segments.pop();
        owner.path.segments.pop_punct();
        let generic = |name: &str| self.generics.iter().any(|generic| generic == name);
        let mut names = Vec::new();
        super::collect(quote!(#owner), &mut names);
        if path.qself.is_some() || names.iter().any(|name| generic(name)) {
            self.errors.on(
                path,
                "the derivative of a function of a type that is a parameter is not known: call it as a method, `a.max(b)`",
            );
        } else if let Ok(ty) = syn::parse2(quote!(#owner)) {
            self.built_in.push(ty);
        }
    }
}

fn gives_bool(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or
    )
}
