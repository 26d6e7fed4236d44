//! The accesses of a kernel in the order in which the macros number them.

use std::collections::HashMap;

use swathe_ir::{Block, Domain, Expr, ExprKind, Func, Range, Span, Stmt};

/// Numbers of accesses by where they stand.
pub struct Sites {
    by_span: HashMap<Span, usize>,
    /// Numbers of accesses before what can fail by itself, or in it. Its place in the text is that of other expressions, too: of an
    /// `assert_ne!` and the comparison in it, of `a / b / c` and `a / b`.
    failures: HashMap<*const Expr, usize>,
}

impl Sites {
    pub fn number(&self, span: Span) -> usize {
        self.by_span[&span]
    }

    pub fn before(&self, e: &Expr) -> usize {
        self.failures[&std::ptr::from_ref(e)]
    }
}

pub fn of(func: &Func) -> Sites {
    let mut sites = Sites {
        by_span: HashMap::new(),
        failures: HashMap::new(),
    };
    sites.block(&func.body);
    sites
}

impl Sites {
    fn note(&mut self, span: Span) {
        let number = self.by_span.len();
        self.by_span.entry(span).or_insert(number);
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { init, .. } => init.iter().for_each(|e| self.expr(e)),
                Stmt::Expr(e) => self.expr(e),
                Stmt::ParFor(p) => {
                    match &p.domain {
                        Domain::Indices(_) => {}
                        Domain::Range(range) => self.range(range),
                        Domain::NdRange(extents) => self.all(extents),
                    }
                    self.block(&p.body);
                }
            }
        }
        block.tail.iter().for_each(|e| self.expr(e));
    }

    fn range(&mut self, range: &Range) {
        self.expr(&range.start);
        self.expr(&range.end);
        range.step.iter().for_each(|e| self.expr(e));
    }

    fn all(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, e: &Expr) {
        self.below(e);
        if let ExprKind::Fail { .. } | ExprKind::Binary(..) | ExprKind::AssignOp(..) | ExprKind::Method { .. } = e.kind
        {
            let before = self.by_span.len();
            self.failures.insert(std::ptr::from_ref(e), before);
        }
    }

    fn below(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Lit(..)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::FieldLen(_)
            | ExprKind::FieldShape(_)
            | ExprKind::FieldArgument(_)
            | ExprKind::FieldOrigin(_)
            | ExprKind::Continue(_) => {}
            ExprKind::Unary(_, a, _)
            | ExprKind::Cast(a, _)
            | ExprKind::Position(_, _, a)
            | ExprKind::Offset(_, _, a)
            | ExprKind::Member(a, _)
            | ExprKind::Repeat(a, _)
            | ExprKind::Ref { place: a, .. } => self.expr(a),
            ExprKind::Binary(_, a, b, _) | ExprKind::Index(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, place, value, _) => {
                self.expr(value);
                self.expr(place);
            }
            ExprKind::Field(access) => {
                self.all(&access.index);
                self.note(e.span);
            }
            ExprKind::Atomic(_, place, args) => {
                self.expr(place);
                self.all(args);
            }
            ExprKind::Call { args, .. } | ExprKind::Fail { args, .. } | ExprKind::Print { args, .. } => self.all(args),
            ExprKind::Method { receiver, args, .. } => {
                self.expr(receiver);
                self.all(args);
            }
            ExprKind::Tuple(parts) | ExprKind::Array(parts, _) => self.all(parts),
            ExprKind::Struct { members, base, .. } => {
                members.iter().for_each(|(_, e)| self.expr(e));
                base.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Block(_, block) | ExprKind::Loop(_, block) => self.block(block),
            ExprKind::If(cond, then, other) => {
                self.expr(cond);
                self.block(then);
                other.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Match(value, arms) => {
                self.expr(value);
                for arm in arms {
                    arm.guard.iter().for_each(|e| self.expr(e));
                    self.expr(&arm.body);
                }
            }
            ExprKind::While(_, cond, body) => {
                self.expr(cond);
                self.block(body);
            }
            ExprKind::For(_, _, range, body) => {
                self.range(range);
                self.block(body);
            }
            ExprKind::Break(_, value) | ExprKind::Return(value) => value.iter().for_each(|e| self.expr(e)),
        }
    }
}
