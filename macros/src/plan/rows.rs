//! Rows of a domain (iteration-space trimming): where the body is one `if`, they are cut to what the condition lets through, as far as it compares the row's
//! position with what is fixed during the loop. The condition stays in the body; LLVM sees that it holds, and vectorises.

use swathe_ir::BinOp;

use crate::budget::MOST_MOVED;
use crate::hir::{Block, Expr, ExprKind, Func, LocalId, ParFor, Stmt};

/// `position + offset op limit`.
pub struct Bound {
    pub op: BinOp,
    pub offset: u64,
    pub limit: Limit,
}

/// What a position is compared with. Of a variable its type decides whether it is a position; what is compared with anything else is the user's own.
#[derive(Clone, Copy)]
pub enum Limit {
    /// Immutable, and declared outside of the loop.
    Variable(LocalId),
    Number(u64),
}

/// What the rows of a loop are cut by.
#[derive(Default)]
pub struct Bounds {
    pub all: Vec<Bound>,
    /// Variables that positions are compared with up to the last bound. If one is none of an index's type, what compares it is the user's own and may
    /// fail: rows stay whole then.
    pub asked: Vec<LocalId>,
}

pub fn bounds(func: &Func, p: &ParFor) -> Bounds {
    let mut bounds = Bounds::default();
    // Positions of offset fields are signed, and their rows count from the origin.
    if let (true, Some(Some(position)), Some((condition, _))) = (p.offsets.is_empty(), p.vars.last(), only_if(&p.body))
    {
        let cut = Cut {
            func,
            vars: &p.vars,
            position: *position,
        };
        cut.collect(condition, &mut bounds);
    }
    bounds
}

/// The condition under which the body does anything, and what it does.
pub fn only_if(body: &Block) -> Option<(&Expr, &Block)> {
    let only = match (body.stmts.as_slice(), &body.tail) {
        ([], Some(tail)) => tail,
        ([Stmt::Expr(only)], None) => only,
        _ => return None,
    };
    match &only.kind {
        ExprKind::If(condition, then, None) => Some((condition, then)),
        _ => None,
    }
}

/// The limits of a condition that holds between two positions of a row if it does at both and the limits are positions: it compares positions and
/// what is fixed during the loop.
pub fn holds_between<'e>(func: &Func, p: &ParFor, condition: &'e Expr) -> Option<Vec<&'e Expr>> {
    let (op, left, right) = match &condition.kind {
        ExprKind::Binary(op, _, left, right, _) => (op, left, right),
        ExprKind::Decided { value, .. } => return holds_between(func, p, value),
        _ => return None,
    };
    if *op == BinOp::And {
        let (mut limits, more) = (holds_between(func, p, left)?, holds_between(func, p, right)?);
        limits.extend(more);
        return Some(limits);
    }
    if !matches!(op, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge) {
        return None;
    }
    p.vars.iter().flatten().find_map(|position| {
        let cut = Cut {
            func,
            vars: &p.vars,
            position: *position,
        };
        let limit = |a, b: &'e Expr| (offset(a, *position).is_some() && cut.limit(b).is_some()).then_some(b);
        Some(vec![limit(left, right).or(limit(right, left))?])
    })
}

struct Cut<'f> {
    func: &'f Func,
    /// Positions of the parallel loop.
    vars: &'f [Option<LocalId>],
    /// That of the row.
    position: LocalId,
}

impl Cut<'_> {
    /// Collects bounds up to the first part that does more than compare positions and numbers: what it reports must not
    /// be cut off. Says whether there was none.
    fn collect(&self, e: &Expr, bounds: &mut Bounds) -> bool {
        let ExprKind::Binary(op, _, left, right, _) = &e.kind else {
            return false;
        };
        if *op == BinOp::And {
            return self.collect(left, bounds) && self.collect(right, bounds);
        }
        let positions = self.vars.iter().flatten();
        let mut compared = positions.filter_map(|var| {
            let (at_left, at_right) = (offset(left, *var), offset(right, *var));
            match (at_left, at_right) {
                (Some(offset), None) => Some((*var, *op, offset, self.limit(right)?)),
                (None, Some(offset)) => Some((*var, mirrored(*op), offset, self.limit(left)?)),
                _ => None,
            }
        });
        let Some((var, op, offset, limit)) = compared.next() else {
            return false;
        };
        if let Limit::Variable(local) = limit {
            bounds.asked.push(local);
        }
        if var == self.position && matches!(op, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge) {
            bounds.all.push(Bound { op, offset, limit });
        }
        op.is_comparison()
    }

    /// A number that is fixed during the loop.
    fn limit(&self, e: &Expr) -> Option<Limit> {
        match &e.kind {
            ExprKind::Local(local, _) => {
                let known = self.func.local(*local);
                (!known.mutable && known.inside.is_none()).then_some(Limit::Variable(*local))
            }
            _ => number(e).map(Limit::Number),
        }
    }
}

fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

/// What is added to the position.
fn offset(e: &Expr, position: LocalId) -> Option<u64> {
    match &e.kind {
        ExprKind::Local(local, _) if *local == position => Some(0),
        ExprKind::Binary(BinOp::Add, _, left, right, _) => match (&left.kind, number(right)) {
            (ExprKind::Local(local, _), Some(n)) if *local == position && n <= MOST_MOVED => Some(n),
            _ => None,
        },
        _ => None,
    }
}

fn number(e: &Expr) -> Option<u64> {
    match &e.kind {
        ExprKind::Lit(syn::Lit::Int(lit), _) if lit.suffix().is_empty() || lit.suffix() == "usize" => {
            lit.base10_parse().ok()
        }
        _ => None,
    }
}
