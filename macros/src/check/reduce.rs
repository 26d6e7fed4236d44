//! Outer variables that a parallel loop accumulates into.

use proc_macro2::{Ident, Span, TokenStream};
use swathe_ir::{BinOp, CalleeSlot, LocalId, ReduceOp};

use super::arg_reduction::{Compared, compared_and_assigned};
use crate::error::Errors;
use crate::hir::printing::calls_function;
use crate::hir::visit::{Visit, any, walk_expr};
use crate::hir::{Block, Expr, ExprKind, Func, ParFor, Reduction, Stmt};

pub fn find(func: &mut Func, errors: &mut Errors) {
    let mut all = Vec::new();
    for stmt in &func.body.stmts {
        if let Stmt::ParFor(p) = stmt {
            let mut search = Search {
                func,
                p,
                found: Vec::new(),
                taken: Vec::new(),
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
    p: &'a ParFor,
    found: Vec<(Reduction, TokenStream)>,
    /// Variables that are compared, and taken together.
    taken: Vec<(LocalId, TokenStream)>,
    operators: Vec<CalleeSlot>,
    reads: Vec<(LocalId, Span)>,
    errors: &'a mut Errors,
}

impl Search<'_> {
    fn is_outer(&self, id: LocalId) -> bool {
        self.func.local(id).inside != Some(self.p.number)
    }

    fn outer_local(&self, e: &Expr) -> Option<LocalId> {
        match &e.kind {
            ExprKind::Local(id, _) if self.is_outer(*id) => Some(*id),
            _ => None,
        }
    }

    fn two_ways(&mut self, local: LocalId, whole: &Expr, at: &TokenStream) {
        let name = &self.func.local(local).name;
        self.errors.pair(
            whole.ends(),
            format!("`{name}` is accumulated in two ways in one parallel loop: use a variable for each"),
            at,
            "the other way is here",
        );
    }

    fn reduction(&mut self, local: LocalId, op: ReduceOp, whole: &Expr) {
        if let Some((_, at)) = self.taken.iter().find(|(taken, _)| *taken == local) {
            let at = at.clone();
            return self.two_ways(local, whole, &at);
        }
        match self.found.iter().find(|(r, _)| r.local == local) {
            Some((earlier, _)) if earlier.op == op => {}
            Some((_, at)) => {
                let at = at.clone();
                self.two_ways(local, whole, &at);
            }
            None => {
                let span = whole.span;
                self.found.push((Reduction { local, op, span }, whole.ends()));
            }
        }
    }

    /// `if x < best { best = x; at = i; }`
    fn compared(&mut self, compared: &Compared<'_>, whole: &Expr) {
        self.operators.extend(compared.callee);
        for (local, _) in &compared.assigned {
            if let Some((_, at)) = self.found.iter().find(|(r, _)| r.local == *local) {
                let at = at.clone();
                self.two_ways(*local, whole, &at);
            }
            self.taken.push((*local, whole.ends()));
        }
        compared.before.into_iter().for_each(|e| self.expr(e));
        self.expr(compared.value);
        for (_, value) in &compared.assigned {
            let name = &self.func.local(compared.best).name;
            if self.has_effects(value) {
                self.errors.on(value.ends(), format!(
                    "whether this is evaluated depends on `{name}`, of which parallel iterations know their own part alone: behind the comparison nothing may be changed, asserted or printed; do it in a statement of its own"
                ));
            } else if any(value, calls_function) {
                self.errors.on(value.ends(), format!(
                    "whether this is called depends on `{name}`, of which parallel iterations know their own part alone, and it may assert or print: call it in front of the comparison, `let y = ..;`"
                ));
            } else {
                self.expr(value);
            }
        }
    }

    /// A variable that an `if` takes with one that it compares, and another one with another.
    fn taken_twice(&self, compared: &Compared<'_>) -> Option<(LocalId, LocalId)> {
        let others = self.p.arg_reductions.iter().filter(|r| r.best != compared.best);
        let mut shared = others.flat_map(|r| r.locals().map(|local| (local, r.best)));
        shared.find(|(local, _)| compared.assigned.iter().any(|(assigned, _)| assigned == local))
    }

    fn refuse(&mut self, local: LocalId, whole: &Expr) {
        let name = &self.func.local(local).name;
        self.errors.on(whole.ends(), format!(
            "`{name}` belongs to all iterations of this parallel loop, which can only accumulate into it: `{name} += x`, `-=`, `*=`, `&=`, `|=`, `^=`, `{name} = {name}.min(x)` or `.max(x)`, or the least or largest with what belongs to it, `if x < {name} {{ {name} = x; at = i; }}`; for anything else declare a variable in the loop, or write to a field"
        ));
    }

    fn check_reads(&mut self) {
        for (local, span) in std::mem::take(&mut self.reads) {
            let taken = self.taken.iter().any(|(taken, _)| *taken == local);
            if taken || self.found.iter().any(|(r, _)| r.local == local) {
                let name = &self.func.local(local).name;
                self.errors.at(span, format!(
                    "`{name}` is accumulated by this parallel loop, so its value is known only after the loop: use it there"
                ));
            }
        }
    }

    /// Whether an expression does more than give its value.
    fn has_effects(&self, e: &Expr) -> bool {
        any(e, |e| match &e.kind {
            ExprKind::Assign(..)
            | ExprKind::AssignOp(..)
            | ExprKind::Atomic(..)
            | ExprKind::Ref { mutable: true, .. }
            | ExprKind::Break(..)
            | ExprKind::Continue(..)
            | ExprKind::Return(..)
            | ExprKind::Print { .. }
            | ExprKind::Fail { .. } => true,
            // It may take `&mut self`.
            ExprKind::Method { receiver, .. } => receiver.root_local().is_some_and(|id| self.func.local(id).mutable),
            _ => false,
        })
    }

    /// `x = x.min(value)`, `x = value && x`, `x = x + a + b` and the like.
    fn assigned(&mut self, local: LocalId, value: &Expr, whole: &Expr) {
        let mut chain = Chain::default();
        match chain.add(local, value).then_some(chain.op).flatten() {
            Some(op) => {
                if let Some(operand) = chain.behind.iter().find(|e| self.has_effects(e)) {
                    let name = &self.func.local(local).name;
                    self.errors.on(operand.ends(), format!(
                        "whether this is evaluated depends on `{name}`, of which parallel iterations know their own part alone: behind `&&` and `||` nothing may be changed, asserted or printed; do it in a statement of its own"
                    ));
                }
                self.operators.extend(chain.callees);
                self.reduction(local, op, whole);
                chain.others.into_iter().for_each(|e| self.expr(e));
            }
            None => self.refuse(local, whole),
        }
    }
}

/// Operations of one kind, in one of whose operands the variable is that they are assigned to.
#[derive(Default)]
struct Chain<'h> {
    op: Option<ReduceOp>,
    /// The other operands.
    others: Vec<&'h Expr>,
    callees: Vec<CalleeSlot>,
    /// Of the others, those that are evaluated or not by what the variable is.
    behind: Vec<&'h Expr>,
}

impl<'h> Chain<'h> {
    /// Follows the operands to the variable: says whether it is there, behind operations of this kind alone.
    fn add(&mut self, local: LocalId, value: &'h Expr) -> bool {
        let (op, left, right, callee) = match &value.kind {
            ExprKind::Local(id, _) => return *id == local,
            ExprKind::Binary(op, _, left, right, callee) => {
                let op = match op {
                    BinOp::Add => ReduceOp::Add,
                    BinOp::Mul => ReduceOp::Mul,
                    BinOp::And | BinOp::BitAnd => ReduceOp::And,
                    BinOp::Or | BinOp::BitOr => ReduceOp::Or,
                    BinOp::BitXor => ReduceOp::Xor,
                    _ => return false,
                };
                (op, &**left, &**right, *callee)
            }
            ExprKind::Method {
                receiver,
                name,
                callee,
                args,
            } if args.len() == 1 => {
                let Some(op) = extremum(name) else { return false };
                (op, &**receiver, &args[0], Some(*callee))
            }
            ExprKind::Call {
                callee,
                path,
                on: Some(_),
                args,
            } if args.len() == 2 => {
                let Some(op) = path.path.segments.last().and_then(|last| extremum(&last.ident)) else {
                    return false;
                };
                (op, &args[0], &args[1], Some(*callee))
            }
            _ => return false,
        };
        let (on, other) = match [left, right].map(|e| mentions(e, local)) {
            [true, false] => (left, right),
            [false, true] => (right, left),
            _ => return false,
        };
        if matches!(value.kind, ExprKind::Binary(BinOp::And | BinOp::Or, _, ref left, ..) if std::ptr::eq(&**left, on))
        {
            self.behind.push(other);
        }
        let one = *self.op.get_or_insert(op) == op;
        self.others.push(other);
        self.callees.extend(callee);
        one && self.add(local, on)
    }
}

fn extremum(name: &Ident) -> Option<ReduceOp> {
    match name.to_string().as_str() {
        "min" => Some(ReduceOp::Min),
        "max" => Some(ReduceOp::Max),
        _ => None,
    }
}

fn mentions(e: &Expr, local: LocalId) -> bool {
    any(e, |e| matches!(&e.kind, ExprKind::Local(id, _) if *id == local))
}

impl Visit for Search<'_> {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::If(..) => {
                let compared = Compared::of(self.func, self.p.number, e);
                let known = |compared: &Compared<'_>| self.p.arg_reductions.iter().any(|r| compared.is_of(r));
                if let Some(compared) = &compared {
                    if known(compared) {
                        return self.compared(compared, e);
                    }
                    if let Some((local, other)) = self.taken_twice(compared) {
                        let [name, best, other] =
                            [local, compared.best, other].map(|local| &self.func.local(local).name);
                        self.errors.on(e.ends(), format!(
                            "`{name}` is taken with `{other}` by another comparison, and with `{best}` by this one: use a variable for each"
                        ));
                        return;
                    }
                }
                if let Some((best, op)) = compared_and_assigned(self.func, self.p.number, e) {
                    let name = &self.func.local(best).name;
                    self.errors.on(e.ends(), format!(
                        "this is more than the least or largest of all iterations with what belongs to it: write `let x = ..; if x {op} {name} {{ {name} = x; at = i; }}`, where one value is compared and assigned, without `else`, and in one way at all comparisons with `{name}`; all else is for statements of its own"
                    ));
                    return;
                }
                walk_expr(self, e);
            }
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
                "parallel iterations cannot change this part of `{name}`, which is declared outside their loop: they accumulate into members, and into items by literals, `{name}[0] += x`, of which none is a part of another; for other items use a field and `atomic_add`"
            ));
        }
    }
}
