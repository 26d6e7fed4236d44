//! HIR to IR.

use proc_macro2::Span;
use swathe_ir as ir;

use super::offset;
use crate::hir::{
    Access, Arm, Axis, Block, Cover, Domain, Expr, ExprKind, Extent, Func, FuncKind, Local, ParFor, ParamKind, Pat,
    Pattern, PatternValue, Range, Stmt, member_name,
};

pub fn func(f: &Func) -> ir::Func {
    let mut locals: Vec<ir::Local> = f.locals.iter().map(|l| local(f, l)).collect();
    let mut body = Emit(f).block(&f.body);
    let mut params = Vec::new();
    for p in &f.params {
        let mut param = ir::Param {
            local: p.local,
            kind: p.kind,
        };
        if f.kind == FuncKind::Kernel && p.kind == ParamKind::Value && f.local(p.local).mutable {
            // The phases of a kernel share its parameters, so a `mut` one becomes a variable that starts as it.
            param.local = ir::LocalId(count(locals.len()));
            locals.push(ir::Local {
                mutable: false,
                ..local(f, f.local(p.local))
            });
            body.stmts
                .insert(0, copy(param.local, p.local, span(f, f.local(p.local).ident.span())));
        }
        params.push(param);
    }
    ir::Func {
        name: f.name.to_string(),
        file: f.file.clone(),
        span: span(f, f.at),
        // The body has named them.
        files: f.files.borrow().clone(),
        kind: f.kind,
        params,
        ret: f.ret.as_ref().map(|(_, slot)| *slot),
        locals,
        body,
        types: count(f.slots.types.len()),
        callees: count(f.slots.callees.len()),
        consts: count(f.slots.consts.len()),
    }
}

fn local(f: &Func, l: &Local) -> ir::Local {
    ir::Local {
        name: l.name.to_string(),
        ty: l.ty,
        mutable: l.mutable,
        span: span(f, l.ident.span()),
    }
}

/// `let to = from;`
fn copy(from: ir::LocalId, to: ir::LocalId, span: ir::Span) -> ir::Stmt {
    ir::Stmt::Let {
        pat: ir::Pat::Bind(to),
        init: Some(ir::Expr {
            kind: ir::ExprKind::Local(from),
            span,
        }),
        span,
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("fewer than 2^32 slots")
}

/// Where a token of a function stands.
pub fn span(func: &Func, span: Span) -> ir::Span {
    let start = span.start();
    ir::Span {
        line: count(start.line),
        column: count(start.column + 1),
        file: count(func.file_of(&span.file())),
    }
}

/// The same, and the file in words.
pub fn place(func: &Func, at: Span) -> (String, ir::Span) {
    let at = span(func, at);
    let file = match (at.file as usize).checked_sub(1) {
        None => func.file.clone(),
        Some(k) => func.files.borrow()[k].clone(),
    };
    (file, at)
}

pub(super) struct Emit<'f>(pub &'f Func);

impl Emit<'_> {
    fn block(&self, block: &Block) -> ir::Block {
        ir::Block {
            stmts: block.stmts.iter().flat_map(|s| self.stmts(s)).collect(),
            tail: block.tail.as_ref().map(|e| self.boxed(e)),
        }
    }

    /// A variable is taken apart member by member.
    fn stmts(&self, stmt: &Stmt) -> Vec<ir::Stmt> {
        let Stmt::Let {
            pat: Pat::Struct { members, .. },
            init: Some(init),
            span: s,
            ..
        } = stmt
        else {
            return vec![self.stmt(stmt)];
        };
        let parts = members.iter().map(|(name, part)| ir::Stmt::Let {
            pat: pat(part),
            init: Some(ir::Expr {
                kind: ir::ExprKind::Member(self.boxed(init), member_name(name)),
                span: span(self.0, init.span),
            }),
            span: span(self.0, *s),
        });
        parts.collect()
    }

    fn stmt(&self, stmt: &Stmt) -> ir::Stmt {
        match stmt {
            Stmt::Let {
                pat: p, init, span: s, ..
            } => ir::Stmt::Let {
                pat: pat(p),
                init: init.as_ref().map(|e| self.expr(e)),
                span: span(self.0, *s),
            },
            Stmt::Expr(e) => ir::Stmt::Expr(self.expr(e)),
            Stmt::ParFor(p) => ir::Stmt::ParFor(self.parallel(p)),
        }
    }

    fn parallel(&self, p: &ParFor) -> ir::ParFor {
        ir::ParFor {
            domain: match &p.domain {
                Domain::Indices(field, _) => ir::Domain::Indices(*field),
                Domain::Range(range) => ir::Domain::Range(self.range(range)),
                Domain::NdRange(extents) => ir::Domain::NdRange(extents.iter().map(|e| self.expr(e)).collect()),
            },
            vars: offset::vars(p),
            label: p.label,
            hoisted: p.hoisted.iter().chain(&p.conditional).map(cover).collect(),
            vouched: p.vouched.clone(),
            body: self.positions(p, self.block(&p.body)),
            reductions: (p.reductions.iter())
                .map(|r| ir::Reduction {
                    local: r.local,
                    op: r.op,
                })
                .collect(),
            arg_reductions: (p.arg_reductions.iter())
                .map(|r| ir::ArgReduction {
                    best: r.best,
                    op: r.op,
                    taken: r.taken.clone(),
                })
                .collect(),
            span: span(self.0, p.span),
        }
    }

    pub(super) fn boxed(&self, e: &Expr) -> Box<ir::Expr> {
        Box::new(self.expr(e))
    }

    pub(super) fn exprs(&self, es: &[Expr]) -> Vec<ir::Expr> {
        es.iter().map(|e| self.expr(e)).collect()
    }

    fn expr(&self, e: &Expr) -> ir::Expr {
        ir::Expr {
            kind: self.kind(&e.kind),
            // Without parentheses around it: where native code says that an access stands.
            span: match &e.kind {
                ExprKind::Field(access) => span(self.0, access.span),
                _ => span(self.0, e.span),
            },
        }
    }

    fn kind(&self, kind: &ExprKind) -> ir::ExprKind {
        use ir::ExprKind as K;
        match kind {
            ExprKind::Lit(lit, slot) => K::Lit(literal(lit), *slot),
            ExprKind::Local(id, _) => K::Local(*id),
            ExprKind::Const(slot, _) => K::Const(*slot),
            ExprKind::Unary(op, a, callee) => K::Unary(*op, self.boxed(a), *callee),
            ExprKind::Binary(op, _, a, b, callee) => K::Binary(*op, self.boxed(a), self.boxed(b), *callee),
            ExprKind::Assign(a, b) => K::Assign(self.boxed(a), self.boxed(b)),
            ExprKind::AssignOp(op, _, a, b, callee) => K::AssignOp(*op, self.boxed(a), self.boxed(b), *callee),
            ExprKind::Cast(a, _, slot, _) => K::Cast(self.boxed(a), *slot),
            ExprKind::Member(a, m) => K::Member(self.boxed(a), member_name(m)),
            ExprKind::Index(a, b) => K::Index(self.boxed(a), self.boxed(b)),
            ExprKind::Field(access) => K::Field(self.access(access)),
            ExprKind::FieldLen(id, _) => K::FieldLen(*id),
            ExprKind::FieldShape(id, _) => K::FieldShape(*id),
            ExprKind::FieldOrigin(id, _) => K::FieldOrigin(*id),
            ExprKind::FieldArgument(id, _) => K::FieldArgument(*id),
            ExprKind::Atomic(op, _, place, args) => K::Atomic(*op, self.boxed(place), self.exprs(args)),
            ExprKind::Call { callee, path, on, args } => K::Call {
                callee: *callee,
                name: path
                    .path
                    .segments
                    .last()
                    .map(|s| super::method::plain(&s.ident))
                    .unwrap_or_default(),
                on: *on,
                args: self.exprs(args),
            },
            ExprKind::Method {
                receiver,
                name,
                callee,
                args,
            } => K::Method {
                receiver: self.boxed(receiver),
                name: super::method::plain(name),
                callee: *callee,
                args: self.exprs(args),
            },
            ExprKind::Ref { mutable, place } => K::Ref {
                mutable: *mutable,
                place: self.boxed(place),
            },
            ExprKind::Tuple(parts) => K::Tuple(self.exprs(parts)),
            ExprKind::Array(parts, slot) => K::Array(self.exprs(parts), *slot),
            ExprKind::Repeat(value, _, slot) => K::Repeat(self.boxed(value), *slot),
            ExprKind::Struct { ty, members, base, .. } => K::Struct {
                ty: *ty,
                members: members.iter().map(|(m, e)| (member_name(m), self.expr(e))).collect(),
                base: base.as_ref().map(|e| self.boxed(e)),
            },
            ExprKind::Block { label, block, .. } => K::Block(*label, self.block(block)),
            ExprKind::Limited(inner) | ExprKind::OfClosure(_, inner) => self.kind(&inner.kind),
            ExprKind::Decided { value, .. } => self.kind(&value.kind),
            ExprKind::Within(..) | ExprKind::Inside(..) => {
                unreachable!("IR has loops as they are written")
            }
            ExprKind::If(cond, then, otherwise) => K::If(
                self.boxed(cond),
                self.block(then),
                otherwise.as_ref().map(|e| self.boxed(e)),
            ),
            ExprKind::Match(value, arms) => K::Match(self.boxed(value), arms.iter().map(|a| self.arm(a)).collect()),
            ExprKind::Loop(label, body) => K::Loop(*label, self.block(body)),
            ExprKind::While(label, cond, body) => K::While(*label, self.boxed(cond), self.block(body)),
            ExprKind::For(label, p, range, body) => K::For(*label, pat(p), self.range(range), self.block(body)),
            ExprKind::Break(label, value) => K::Break(*label, value.as_ref().map(|e| self.boxed(e))),
            ExprKind::Continue(label) => K::Continue(*label),
            ExprKind::Print {
                output, template, args, ..
            } => K::Print {
                output: *output,
                message: template.clone(),
                args: self.exprs(args),
            },
            ExprKind::Fail { template, args, .. } => K::Fail {
                message: template.clone(),
                args: self.exprs(args),
            },
            ExprKind::Return(value) => K::Return(value.as_ref().map(|e| self.boxed(e))),
        }
    }

    fn access(&self, access: &Access) -> ir::FieldAccess {
        ir::FieldAccess {
            field: access.field,
            index: self.index(access),
            check: self.0.access(access.id).check,
        }
    }

    fn range(&self, range: &Range) -> ir::Range {
        ir::Range {
            start: self.boxed(&range.start),
            end: self.boxed(&range.end),
            inclusive: range.inclusive,
            reverse: range.reverse,
            step: range.step.as_ref().map(|e| self.boxed(e)),
            turned: range.turned,
        }
    }

    fn arm(&self, arm: &Arm) -> ir::Arm {
        ir::Arm {
            pat: self.pattern(&arm.pat),
            guard: arm.guard.as_ref().map(|e| self.expr(e)),
            body: self.expr(&arm.body),
        }
    }

    fn pattern(&self, pattern: &Pattern) -> ir::Pattern {
        match pattern {
            Pattern::Wild(_) => ir::Pattern::Wild,
            Pattern::Bind { local, .. } => ir::Pattern::Bind(*local),
            Pattern::Named { local, pattern, .. } => ir::Pattern::Named(*local, Box::new(self.pattern(pattern))),
            Pattern::Value(value) => ir::Pattern::Value(self.pattern_value(value)),
            Pattern::Range { start, end, inclusive } => ir::Pattern::Range {
                start: start.as_ref().map(|value| self.pattern_value(value)),
                end: end.as_ref().map(|value| self.pattern_value(value)),
                inclusive: *inclusive,
            },
            Pattern::Or(cases) => ir::Pattern::Or(cases.iter().map(|p| self.pattern(p)).collect()),
            Pattern::Tuple(parts) => ir::Pattern::Tuple(parts.iter().map(|p| self.pattern(p)).collect()),
            Pattern::Struct { members, .. } => {
                let members = members.iter().map(|(m, part)| (member_name(m), self.pattern(part)));
                ir::Pattern::Struct(members.collect())
            }
        }
    }

    fn pattern_value(&self, value: &PatternValue) -> ir::Expr {
        let (kind, at) = match value {
            PatternValue::Const(slot, path) => (ir::ExprKind::Const(*slot), syn::spanned::Spanned::span(path)),
            PatternValue::Lit { lit, negative } => {
                let plain = ir::ExprKind::Lit(literal(lit), ir::TypeSlot::OF_MATCHED);
                let kind = if *negative {
                    let inner = ir::Expr {
                        kind: plain,
                        span: span(self.0, lit.span()),
                    };
                    ir::ExprKind::Unary(ir::UnOp::Neg, Box::new(inner), None)
                } else {
                    plain
                };
                (kind, lit.span())
            }
        };
        ir::Expr {
            kind,
            span: span(self.0, at),
        }
    }
}

fn pat(p: &Pat) -> ir::Pat {
    match p {
        Pat::Bind { local, .. } => ir::Pat::Bind(*local),
        Pat::Wild(_) => ir::Pat::Wild,
        Pat::Tuple(parts) => ir::Pat::Tuple(parts.iter().map(pat).collect()),
        Pat::Array(parts) => ir::Pat::Array(parts.iter().map(pat).collect()),
        Pat::Struct { .. } => unreachable!("a variable that is taken apart has a statement of its own"),
    }
}

fn literal(lit: &syn::Lit) -> ir::Lit {
    match lit {
        syn::Lit::Bool(b) => ir::Lit::Bool(b.value),
        syn::Lit::Int(i) if matches!(i.suffix(), "f32" | "f64") => float(i.base10_digits()),
        syn::Lit::Int(i) => ir::Lit::Int(i.base10_parse().unwrap_or(0)),
        syn::Lit::Float(f) => float(f.base10_digits()),
        _ => unreachable!("lowering refuses other literals"),
    }
}

fn float(digits: &str) -> ir::Lit {
    ir::Lit::Float(digits.parse().unwrap_or(0.0), digits.parse().unwrap_or(0.0))
}

fn cover(c: &Cover) -> ir::Cover {
    ir::Cover {
        extent: match &c.extent {
            Extent::Shape(field, axis) => ir::Extent::Shape(*field, count(*axis)),
            Extent::Len(field) => ir::Extent::Len(*field),
            Extent::All(field) => ir::Extent::All(*field),
            Extent::Local(local) => ir::Extent::Local(*local),
            Extent::Literal(value) => ir::Extent::Literal(*value),
            Extent::Range(field, axis) => ir::Extent::Range(*field, count(*axis), c.by.cast_unsigned()),
            Extent::Ranges(field) => ir::Extent::Ranges(*field),
        },
        field: c.field,
        axis: match c.axis {
            Axis::One(k) => count(k),
            Axis::All | Axis::Part { .. } => 0,
        },
    }
}
