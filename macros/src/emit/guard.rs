//! Loops whose body is one `if`: rows of a domain are cut to what the condition lets through, as far as it compares the row's
//! position with what is fixed during the loop. The condition stays in the body; LLVM sees that it holds, and vectorises.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use swathe_ir::BinOp;

use crate::hir::{Block, Expr, ExprKind, Func, LocalId, ParFor, Stmt};

/// Larger numbers are not taken from an extent: their sum with a position could wrap.
const MOST: u64 = 1 << 32;

/// A row, and what holds at each of its positions.
pub struct Row {
    /// A range.
    pub range: TokenStream,
    /// Statements that tell LLVM.
    pub facts: TokenStream,
}

/// The range `row`, cut.
pub fn cut(func: &Func, p: &ParFor, row: TokenStream) -> Row {
    if !p.offsets.is_empty() {
        // Positions are signed, the row counts from the origin.
        return Row {
            range: row,
            facts: quote!(),
        };
    }
    let mut bounds = Vec::new();
    if let (Some(Some(position)), Some((condition, _))) = (p.vars.last(), only_if(&p.body)) {
        let cut = Cut {
            func,
            vars: &p.vars,
            position: *position,
        };
        cut.collect(condition, &mut bounds);
    }
    if let Some(Some(position)) = p.vars.last() {
        bounds.extend(before(func, *position, &bounds));
    }
    if bounds.is_empty() {
        return Row {
            range: row,
            facts: quote!(),
        };
    }
    let (cuts, facts): (Vec<_>, Vec<_>) = bounds.into_iter().map(|bound| (bound.cut, bound.fact)).unzip();
    Row {
        range: quote!({
            let (mut __first, mut __last) = (#row.start, #row.end);
            #(#cuts)*
            __first..__last
        }),
        facts: quote!(#(#facts)*),
    }
}

/// What a comparison makes known.
#[derive(Default)]
struct Bound {
    /// A statement that cuts the row.
    cut: TokenStream,
    /// A statement of what holds then.
    fact: TokenStream,
    /// The position is not below this.
    least: u64,
    /// The position is below this.
    limit: Option<TokenStream>,
}

/// The positions before: `j - 1` is below what `j` is below, unless `j` is 0.
fn before(func: &Func, position: LocalId, bounds: &[Bound]) -> Vec<Bound> {
    let position = &func.local(position).ident;
    let least = bounds.iter().map(|bound| bound.least).max().unwrap_or(0);
    let limits = bounds.iter().filter_map(|bound| bound.limit.as_ref());
    let facts = limits.flat_map(|limit| {
        (1..=least.min(4)).map(move |k| {
            let k = Literal::u64_unsuffixed(k);
            Bound {
                fact: fact(limit, &quote!(#position.wrapping_sub(#k) < __limit)),
                ..Bound::default()
            }
        })
    });
    facts.collect()
}

/// What holds with the limit `__limit`.
fn fact(limit: &TokenStream, fact: &TokenStream) -> TokenStream {
    quote!(if let ::core::option::Option::Some(__limit) = #limit {
        unsafe { ::core::hint::assert_unchecked(#fact) };
    })
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
    let ExprKind::Binary(op, _, left, right, _) = &condition.kind else {
        return None;
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
    fn collect(&self, e: &Expr, bounds: &mut Vec<Bound>) -> bool {
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
                (Some(offset), None) => Some((*var, *op, offset, self.limit(right)?, number(right))),
                (None, Some(offset)) => Some((*var, mirrored(*op), offset, self.limit(left)?, number(left))),
                _ => None,
            }
        });
        let Some((var, op, offset, limit, known)) = compared.next() else {
            return false;
        };
        if var == self.position {
            let position = &self.func.local(var).ident;
            bounds.extend(bound(op, &quote!(#position), offset, &limit, known));
        }
        op.is_comparison()
    }

    /// A number that is fixed during the loop, if it is a position: what is compared with anything else is the user's own.
    fn limit(&self, e: &Expr) -> Option<TokenStream> {
        match &e.kind {
            ExprKind::Local(local, ident) => {
                let known = self.func.local(*local);
                (!known.mutable && known.inside.is_none()).then(|| quote!(::swathe::__rt::limit(#ident)))
            }
            _ => number(e).map(|n| {
                let n = Literal::u64_unsuffixed(n);
                quote!(::core::option::Option::Some::<::core::primitive::usize>(#n))
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
fn bound(op: BinOp, position: &TokenStream, offset: u64, limit: &TokenStream, known: Option<u64>) -> Option<Bound> {
    let added = Literal::u64_unsuffixed(offset);
    let cut = |cut: TokenStream| quote!(if let ::core::option::Option::Some(__limit) = #limit { #cut });
    let below = |end: TokenStream| cut(quote!(__last = ::core::cmp::min(__last, #end.saturating_sub(#added));));
    let from = |start: TokenStream| cut(quote!(__first = ::core::cmp::max(__first, #start.saturating_sub(#added));));
    // Below a limit the sum does not wrap; above one it could, at positions that no memory has.
    let above = |symbol: TokenStream| match offset {
        0 => fact(limit, &quote!(#position #symbol __limit)),
        _ => quote!(),
    };
    let least = known.filter(|_| offset == 0).unwrap_or(0);
    Some(match op {
        BinOp::Lt => Bound {
            cut: below(quote!(__limit)),
            fact: fact(
                limit,
                &quote!(#position < __limit && #position.wrapping_add(#added) < __limit),
            ),
            limit: Some(limit.clone()),
            ..Bound::default()
        },
        BinOp::Le => Bound {
            cut: below(quote!(__limit.saturating_add(1))),
            fact: fact(
                limit,
                &quote!(#position <= __limit && #position.wrapping_add(#added) <= __limit),
            ),
            ..Bound::default()
        },
        BinOp::Gt => Bound {
            cut: from(quote!(__limit.saturating_add(1))),
            fact: above(quote!(>)),
            least: least.saturating_add(u64::from(known.is_some() && offset == 0)),
            ..Bound::default()
        },
        BinOp::Ge => Bound {
            cut: from(quote!(__limit)),
            fact: above(quote!(>=)),
            least,
            ..Bound::default()
        },
        _ => return None,
    })
}
