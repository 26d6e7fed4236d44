//! Loops whose body is one `if`: rows of a domain are cut to what the condition lets through, as far as it compares the row's
//! position with what is fixed during the loop. The condition stays in the body; LLVM sees that it holds, and vectorises.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use swathe_ir::BinOp;

use crate::hir::{Block, Expr, ExprKind, Func, LocalId, ParFor, Stmt};

/// Larger numbers are not taken from an extent: their sum with a position could wrap.
const MOST: u64 = 1 << 32;

/// The range `row`, cut.
pub fn cut(func: &Func, p: &ParFor, row: TokenStream) -> TokenStream {
    let mut bounds = Vec::new();
    if let (Some(Some(position)), Some(condition)) = (p.vars.last(), condition(&p.body)) {
        let cut = Cut {
            func,
            vars: &p.vars,
            position: *position,
        };
        cut.collect(condition, &mut bounds);
    }
    if bounds.is_empty() {
        return row;
    }
    quote!({
        let (mut __first, mut __last) = (#row.start, #row.end);
        #(#bounds)*
        __first..__last
    })
}

/// The condition under which the body does anything.
fn condition(body: &Block) -> Option<&Expr> {
    let only = match (body.stmts.as_slice(), &body.tail) {
        ([], Some(tail)) => tail,
        ([Stmt::Expr(only)], None) => only,
        _ => return None,
    };
    match &only.kind {
        ExprKind::If(condition, _, None) => Some(condition),
        _ => None,
    }
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
    fn collect(&self, e: &Expr, bounds: &mut Vec<TokenStream>) -> bool {
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
        if var == self.position {
            bounds.extend(bound(op, offset, &limit));
        }
        op.is_comparison()
    }

    /// A number that is fixed during the loop.
    fn limit(&self, e: &Expr) -> Option<TokenStream> {
        match &e.kind {
            ExprKind::Local(local, ident) => {
                let known = self.func.local(*local);
                (!known.mutable && known.inside.is_none()).then(|| quote!(#ident))
            }
            _ => number(e).map(|n| {
                let n = Literal::u64_unsuffixed(n);
                quote!(#n)
            }),
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
            (ExprKind::Local(local, _), Some(n)) if *local == position && n <= MOST => Some(n),
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

/// `position + offset op limit` as a bound of the range.
fn bound(op: BinOp, offset: u64, limit: &TokenStream) -> Option<TokenStream> {
    let offset = Literal::u64_unsuffixed(offset);
    let below = |limit: TokenStream| Some(quote!(__last = ::core::cmp::min(__last, #limit.saturating_sub(#offset));));
    let from = |limit: TokenStream| Some(quote!(__first = ::core::cmp::max(__first, #limit.saturating_sub(#offset));));
    let limit = quote!(::swathe::__rt::limit(#limit));
    match op {
        BinOp::Lt => below(limit),
        BinOp::Le => below(quote!(#limit.saturating_add(1))),
        BinOp::Gt => from(quote!(#limit.saturating_add(1))),
        BinOp::Ge => from(limit),
        _ => None,
    }
}
