//! Outer variables that a parallel loop accumulates into.

use proc_macro2::{Span, TokenStream};
use swathe_ir::{BinOp, CalleeSlot, LocalId, ReduceOp, Reduction};

use crate::error::Errors;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Block, Expr, ExprKind, Func, Stmt};

pub fn find(func: &mut Func, errors: &mut Errors) {
    let mut all = Vec::new();
    for stmt in &func.body.stmts {
        if let Stmt::ParFor(p) = stmt {
            let mut search = Search {
                func,
                number: p.number,
                found: Vec::new(),
                operators: Vec::new(),
                reads: Vec::new(),
                errors,
            };
            search.block(&p.body);
            search.check_reads();
            let found = search.found.into_iter().map(|(reduction, _)| reduction);
            all.push((found.collect(), search.operators));
        }
    }
    let mut all = all.into_iter();
    attach(&mut func.body, &mut all);
}

fn attach(body: &mut Block, all: &mut impl Iterator<Item = (Vec<Reduction>, Vec<CalleeSlot>)>) {
    for stmt in &mut body.stmts {
        if let Stmt::ParFor(p) = stmt {
            (p.reductions, p.accumulated) = all.next().unwrap_or_default();
        }
    }
}

struct Search<'a> {
    func: &'a Func,
    number: usize,
    found: Vec<(Reduction, TokenStream)>,
    operators: Vec<CalleeSlot>,
    reads: Vec<(LocalId, Span)>,
    errors: &'a mut Errors,
}

impl Search<'_> {
    fn is_outer(&self, id: LocalId) -> bool {
        self.func.local(id).inside != Some(self.number)
    }

    fn outer_local(&self, e: &Expr) -> Option<LocalId> {
        match &e.kind {
            ExprKind::Local(id, _) if self.is_outer(*id) => Some(*id),
            _ => None,
        }
    }

    fn reduction(&mut self, local: LocalId, op: ReduceOp, whole: &Expr) {
        match self.found.iter().find(|(r, _)| r.local == local) {
            Some((earlier, _)) if earlier.op == op => {}
            Some((_, at)) => {
                let (at, name) = (at, &self.func.local(local).name);
                self.errors.pair(
                    whole.ends(),
                    format!("`{name}` is accumulated in two ways in one parallel loop: use a variable for each"),
                    at,
                    "the other way is here",
                );
            }
            None => self.found.push((Reduction { local, op }, whole.ends())),
        }
    }

    fn refuse(&mut self, local: LocalId, whole: &Expr) {
        let name = &self.func.local(local).name;
        self.errors.on(whole.ends(), format!(
            "`{name}` belongs to all iterations of this parallel loop, which can only accumulate into it: `{name} += x`, `-=`, `*=`, `&=`, `|=`, `^=`, `{name} = {name}.min(x)` or `{name} = {name}.max(x)`; for anything else declare a variable in the loop, or write to a field"
        ));
    }

    fn check_reads(&mut self) {
        for (local, span) in std::mem::take(&mut self.reads) {
            if self.found.iter().any(|(r, _)| r.local == local) {
                let name = &self.func.local(local).name;
                self.errors.at(span, format!(
                    "`{name}` is accumulated by this parallel loop, so its value is known only after the loop: use it there"
                ));
            }
        }
    }

    /// `x = x.min(value)`, `x = x && value` and the like.
    fn assigned(&mut self, local: LocalId, value: &Expr, whole: &Expr) {
        let is_itself = |e: &Expr| matches!(&e.kind, ExprKind::Local(id, _) if *id == local);
        let (op, rest) = match &value.kind {
            ExprKind::Method {
                receiver, name, args, ..
            } if is_itself(receiver) && args.len() == 1 => match name.to_string().as_str() {
                "min" => (ReduceOp::Min, &args[0]),
                "max" => (ReduceOp::Max, &args[0]),
                _ => return self.refuse(local, whole),
            },
            ExprKind::Binary(op, _, left, right, callee) if is_itself(left) => {
                self.operators.extend(*callee);
                match op {
                    BinOp::Add => (ReduceOp::Add, &**right),
                    BinOp::Mul => (ReduceOp::Mul, &**right),
                    BinOp::And | BinOp::BitAnd => (ReduceOp::And, &**right),
                    BinOp::Or | BinOp::BitOr => (ReduceOp::Or, &**right),
                    BinOp::BitXor => (ReduceOp::Xor, &**right),
                    _ => return self.refuse(local, whole),
                }
            }
            _ => return self.refuse(local, whole),
        };
        self.reduction(local, op, whole);
        self.expr(rest);
    }
}

impl Visit for Search<'_> {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::AssignOp(op, _, place, value, callee) => {
                if let Some(local) = self.outer_local(place) {
                    self.operators.extend(*callee);
                    match op {
                        BinOp::Add | BinOp::Sub => self.reduction(local, ReduceOp::Add, e),
                        BinOp::Mul => self.reduction(local, ReduceOp::Mul, e),
                        BinOp::BitAnd => self.reduction(local, ReduceOp::And, e),
                        BinOp::BitOr => self.reduction(local, ReduceOp::Or, e),
                        BinOp::BitXor => self.reduction(local, ReduceOp::Xor, e),
                        _ => self.refuse(local, e),
                    }
                    return self.expr(value);
                }
                self.refuse_part(place);
                walk_expr(self, e);
            }
            ExprKind::Assign(place, value) => {
                if let Some(local) = self.outer_local(place) {
                    return self.assigned(local, value, e);
                }
                self.refuse_part(place);
                walk_expr(self, e);
            }
            ExprKind::Ref { mutable: true, place } => {
                if let Some(local) = place.root_local().filter(|id| self.is_outer(*id)) {
                    self.refuse(local, e);
                }
                walk_expr(self, e);
            }
            ExprKind::Local(id, ident) if self.is_outer(*id) => self.reads.push((*id, ident.span())),
            _ => walk_expr(self, e),
        }
    }
}

impl Search<'_> {
    /// A part of an outer variable, `s.x += 1.0`.
    fn refuse_part(&mut self, place: &Expr) {
        if place.field_place().is_none()
            && let Some(local) = place.root_local().filter(|id| self.is_outer(*id))
        {
            let name = &self.func.local(local).name;
            self.errors.on(place.ends(), format!(
                "parallel iterations cannot change a part of `{name}`, which is declared outside their loop: accumulate into one variable for each part and put `{name}` together after the loop, or use a field and `atomic_add`"
            ));
        }
    }
}
