//! Comparisons with an outer variable that give it a new value, and others with it: `if x < best { best = x; at = i; }`, where `best` and `at` are of
//! outside of the parallel loop. Such variables are reduced together.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use swathe_ir::{BinOp, CalleeSlot, LocalId};

use crate::hir::visit::{VisitMut, any, walk_expr_mut};
use crate::hir::{ArgReduction, Block, Expr, ExprKind, Func, Local, Pat, Stmt, Value};

/// A comparison, and what takes values where it holds.
pub struct Compared<'h> {
    pub best: LocalId,
    pub op: BinOp,
    /// The comparison's operator, which has to be that of numbers.
    pub callee: Option<CalleeSlot>,
    /// What has to hold before it is compared.
    pub before: Option<&'h Expr>,
    /// What is compared.
    pub value: &'h Expr,
    /// The assignments: variables and their values.
    pub assigned: Vec<(LocalId, &'h Expr)>,
}

impl<'h> Compared<'h> {
    /// An `if` that compares with a variable of outside of a loop and gives it a value, if nothing else happens in it.
    pub fn of(func: &Func, number: usize, e: &'h Expr) -> Option<Self> {
        let ExprKind::If(condition, then, None) = &e.kind else {
            return None;
        };
        let (best, op, callee, before, value) = comparison(func, number, condition)?;
        let statements = then.stmts.iter().map(|stmt| match stmt {
            Stmt::Expr(e) => Some(e),
            _ => None,
        });
        let mut assigned = Vec::new();
        for e in statements.chain(then.tail.as_deref().map(Some)) {
            let ExprKind::Assign(place, value) = &e?.kind else {
                return None;
            };
            let local = outer(func, number, place)?;
            if assigned.iter().any(|(other, _)| *other == local) {
                return None;
            }
            assigned.push((local, &**value));
        }
        let (_, new) = assigned.iter().find(|(local, _)| *local == best)?;
        let names = |e: &Expr| {
            any(
                e,
                |e| matches!(&e.kind, ExprKind::Local(id, _) if assigned.iter().any(|(l, _)| l == id)),
            )
        };
        let apart = !names(value) && !before.is_some_and(names);
        (apart && is_same(value, new)).then_some(Compared {
            best,
            op,
            callee,
            before,
            value,
            assigned,
        })
    }

    /// Whether it is a comparison of these variables.
    pub fn is_of(&self, reduction: &ArgReduction) -> bool {
        let taken: BTreeSet<LocalId> = self.assigned.iter().map(|(local, _)| *local).collect();
        self.best == reduction.best && self.op == reduction.op && taken == reduction.locals().collect()
    }
}

/// The outer variable that a condition compares with in the end and an `if` assigns to, whatever else it does; and how it compares.
pub fn compared_and_assigned(func: &Func, number: usize, e: &Expr) -> Option<(LocalId, &'static str)> {
    let ExprKind::If(condition, then, _) = &e.kind else {
        return None;
    };
    let (best, op, ..) = comparison(func, number, condition)?;
    let op = match op {
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        _ => ">=",
    };
    let assigns = |e: &Expr| matches!(&e.kind, ExprKind::Assign(place, _) if outer(func, number, place) == Some(best));
    let mut statements = then.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Expr(e) => Some(e),
        _ => None,
    });
    (statements.any(assigns) || then.tail.as_deref().is_some_and(assigns)).then_some((best, op))
}

type Comparison<'h> = (LocalId, BinOp, Option<CalleeSlot>, Option<&'h Expr>, &'h Expr);

/// `before && value < best`, or the other way round.
fn comparison<'h>(func: &Func, number: usize, condition: &'h Expr) -> Option<Comparison<'h>> {
    let (before, compared) = match &condition.kind {
        ExprKind::Binary(BinOp::And, _, before, compared, _) => (Some(&**before), &**compared),
        _ => (None, condition),
    };
    let ExprKind::Binary(op, _, left, right, callee) = &compared.kind else {
        return None;
    };
    let turned = match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        _ => return None,
    };
    match [left, right].map(|e| outer(func, number, e)) {
        [None, Some(best)] => Some((best, *op, *callee, before, left)),
        [Some(best), None] => Some((best, turned, *callee, before, right)),
        _ => None,
    }
}

/// A variable that a loop may accumulate into.
fn outer(func: &Func, number: usize, e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Local(id, _) => Some(*id).filter(|id| {
            let local = func.local(*id);
            local.mutable && local.inside != Some(number)
        }),
        _ => None,
    }
}

/// Whether two expressions that are evaluated one after the other have one value. Of calls that is not known: what is called may print. Both are in one
/// scope, and rustc confirms that they are of one type.
fn is_same(a: &Expr, b: &Expr) -> bool {
    let all = |a: &[Expr], b: &[Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b));
    match (&a.kind, &b.kind) {
        (_, ExprKind::Decided { value, .. }) => is_same(a, value),
        // Beside the same operands, and in the end of the same type.
        (ExprKind::Lit(a, _), ExprKind::Lit(b, _)) => {
            a.to_token_stream().to_string() == b.to_token_stream().to_string()
        }
        (ExprKind::Local(a, _), ExprKind::Local(b, _)) => a == b,
        (ExprKind::FieldLen(a, _), ExprKind::FieldLen(b, _)) => a == b,
        (ExprKind::FieldShape(a, _), ExprKind::FieldShape(b, _)) => a == b,
        (ExprKind::Unary(op, a, _), ExprKind::Unary(other, b, _)) => op == other && is_same(a, b),
        (ExprKind::Binary(op, _, a, b, _), ExprKind::Binary(other, _, c, d, _)) => {
            op == other && is_same(a, c) && is_same(b, d)
        }
        (ExprKind::Cast(a, ty, ..), ExprKind::Cast(b, other, ..)) => {
            // In one scope.
            ty.to_token_stream().to_string() == other.to_token_stream().to_string() && is_same(a, b)
        }
        (ExprKind::Member(a, member), ExprKind::Member(b, other)) => member == other && is_same(a, b),
        (ExprKind::Index(a, i), ExprKind::Index(b, j)) => is_same(a, b) && is_same(i, j),
        (ExprKind::Field(a), ExprKind::Field(b)) => a.field == b.field && all(&a.index, &b.index),
        (ExprKind::Array(a, _), ExprKind::Array(b, _)) => all(a, b),
        _ => false,
    }
}

/// Finds them in all parallel loops. What is compared becomes a variable, which is evaluated once.
pub fn find(func: &mut Func) {
    let mut stmts = Vec::new();
    for mut stmt in std::mem::take(&mut func.body.stmts) {
        if let Stmt::ParFor(p) = &mut stmt {
            let mut rewrite = Rewrite {
                number: p.number,
                found: Vec::new(),
                before: Vec::new(),
                func,
            };
            rewrite.block(&mut p.body);
            let Rewrite { found, before, .. } = rewrite;
            p.arg_reductions = found;
            stmts.extend(before);
        }
        stmts.push(stmt);
    }
    func.body.stmts = stmts;
}

struct Rewrite<'f> {
    func: &'f mut Func,
    number: usize,
    found: Vec<ArgReduction>,
    /// What is declared in front of the loop.
    before: Vec<Stmt>,
}

impl Rewrite<'_> {
    fn rewrite(&mut self, e: &mut Expr) {
        let Some(compared) = Compared::of(self.func, self.number, e) else {
            return;
        };
        let (best, op) = (compared.best, compared.op);
        let taken: Vec<LocalId> = compared
            .assigned
            .iter()
            .map(|(local, _)| *local)
            .filter(|l| *l != best)
            .collect();
        let is_named = matches!(&compared.value.kind, ExprKind::Local(id, _) if !self.func.local(*id).mutable);
        let known = self.found.iter().position(|r| r.best == best);
        let found = match known {
            Some(k) => {
                let own = self.found[k].found;
                let others: BTreeSet<LocalId> = self.found[k]
                    .taken
                    .iter()
                    .copied()
                    .filter(|local| Some(*local) != own)
                    .collect();
                // Else they are accumulated in two ways, which is refused elsewhere.
                if self.found[k].op != op || others != taken.iter().copied().collect() {
                    return;
                }
                own
            }
            None => {
                if self
                    .found
                    .iter()
                    .any(|r| r.locals().any(|local| local == best || taken.contains(&local)))
                {
                    return;
                }
                // A part in which nothing is as large as the variable was leaves what other parts found.
                let found = matches!(op, BinOp::Le | BinOp::Ge).then(|| self.flag(e));
                self.found.push(ArgReduction {
                    best,
                    op,
                    taken: taken.into_iter().chain(found).collect(),
                    found,
                    span: e.span,
                });
                found
            }
        };
        self.once(e, best, is_named, found);
    }

    /// Declares in front of the loop whether an iteration was taken.
    fn flag(&mut self, e: &Expr) -> LocalId {
        let (local, ident) = self.variable("__found", true, None, e);
        let init = Some(self.truth(false, e));
        self.before.push(Stmt::Let {
            pat: Pat::Bind {
                local,
                ident,
                mutable: true,
            },
            ty: None,
            init,
            span: e.span,
            lints: Vec::new(),
        });
        local
    }

    fn truth(&mut self, value: bool, at: &Expr) -> Expr {
        let lit = syn::Lit::Bool(syn::LitBool::new(value, at.span));
        let slot = self
            .func
            .slots
            .ty(Some(syn::parse_quote!(::swathe::__rt::core::primitive::bool)));
        like(at, ExprKind::Lit(lit, slot))
    }

    fn variable(&mut self, name: &str, mutable: bool, inside: Option<usize>, at: &Expr) -> (LocalId, Ident) {
        let id = LocalId(u32::try_from(self.func.locals.len()).expect("fewer than 2^32 variables"));
        let ident = format_ident!("{}{}", name, id.0, span = at.span);
        let ty = self.func.slots.ty(None);
        self.func.locals.push(Local {
            name: ident.clone(),
            ident: ident.clone(),
            ty,
            mutable,
            inside,
            value: Value::Unknown,
        });
        (id, ident)
    }

    /// Evaluates what is compared once: `if before { let x = value; if x < best { best = x; .. } }`.
    fn once(&mut self, e: &mut Expr, best: LocalId, is_named: bool, found: Option<LocalId>) {
        let whole = e.clone();
        let ExprKind::If(condition, then, None) = &mut e.kind else {
            return;
        };
        if let Some(found) = found {
            let ident = self.func.local(found).ident.clone();
            let place = like(&whole, ExprKind::Local(found, ident));
            let truth = self.truth(true, &whole);
            let assign = ExprKind::Assign(Box::new(place), Box::new(truth));
            then.stmts.insert(0, Stmt::Expr(like(&whole, assign)));
        }
        if is_named {
            return;
        }
        let (before, mut compared) = match &condition.kind {
            ExprKind::Binary(BinOp::And, _, before, compared, _) => (Some(before.clone()), compared.clone()),
            _ => (None, condition.clone()),
        };
        let ExprKind::Binary(_, _, left, right, _) = &mut compared.kind else {
            return;
        };
        let is_best = |e: &Expr| matches!(&e.kind, ExprKind::Local(id, _) if *id == best);
        let operand = if is_best(left) { right } else { left };
        let (local, ident) = self.variable("__compared", false, Some(self.number), operand);
        let name = |at: &Expr| like(at, ExprKind::Local(local, ident.clone()));
        let stand_in = name(operand);
        let value = std::mem::replace(&mut **operand, stand_in);
        let statements = then.stmts.iter_mut().filter_map(|stmt| match stmt {
            Stmt::Expr(e) => Some(e),
            _ => None,
        });
        for e in statements.chain(then.tail.as_deref_mut()) {
            if let ExprKind::Assign(place, new) = &mut e.kind
                && is_best(place)
            {
                let (stand_in, unreached) = (name(new), new.clone());
                **new = like(
                    &stand_in,
                    ExprKind::Decided {
                        unreached,
                        value: Box::new(stand_in.clone()),
                    },
                );
            }
        }
        let inner = ExprKind::If(compared, then.clone(), None);
        let named = Stmt::Let {
            pat: Pat::Bind {
                local,
                ident: ident.clone(),
                mutable: false,
            },
            ty: None,
            init: Some(value),
            span: whole.span,
            lints: Vec::new(),
        };
        let block = Block {
            stmts: vec![named, Stmt::Expr(like(&whole, inner))],
            tail: None,
        };
        e.kind = match before {
            Some(before) => ExprKind::If(before, block, None),
            None => ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            },
        };
    }
}

/// Another expression at the place of one.
fn like(at: &Expr, kind: ExprKind) -> Expr {
    Expr {
        kind,
        lints: Vec::new(),
        ..at.clone()
    }
}

impl VisitMut for Rewrite<'_> {
    fn expr(&mut self, e: &mut Expr) {
        self.rewrite(e);
        walk_expr_mut(self, e);
    }
}
