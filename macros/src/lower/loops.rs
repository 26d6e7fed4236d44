//! `for` loops: which are parallel, and what they run over.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use swathe_ir::{FuncKind, LocalId};
use syn::punctuated::Punctuated;

use super::Lower;
use super::names::Name;
use super::pat::struct_in;
use super::stmt::part;
use crate::hir::{Block, Pat, Range, Stmt};

/// A loop's domain as written, before it is known whether the loop is parallel.
pub(super) enum Written<'a> {
    Indices(LocalId, Ident),
    Range(WrittenRange<'a>),
    NdRange(Vec<&'a syn::Expr>),
    NdRanges(Vec<[&'a syn::Expr; 2]>),
    /// The positions of a field that are so far from its rim.
    Interior(LocalId, Ident, &'a syn::Expr),
    /// The items of an array.
    Items(&'a syn::Expr),
}

pub(super) struct WrittenRange<'a> {
    range: &'a syn::ExprRange,
    pub(super) reverse: Option<Span>,
    pub(super) step: Option<&'a syn::Expr>,
    /// `.rev()` behind the step.
    pub(super) turned: Option<Span>,
}

impl Lower<'_> {
    pub(super) fn for_loop(&mut self, f: &syn::ExprForLoop, outermost: bool) -> Option<Stmt> {
        if matches!(&*f.pat, syn::Pat::Slice(slice) if slice.elems.is_empty()) {
            let text = match self.without_axes(&f.expr) {
                Some(field) => format!(
                    "the position in a field without axes is one name, too: `for p in {field}.indices()`, and `{field}[p]` in the loop"
                ),
                None => "name the positions of the loop: `i`, or `[i, j]`".to_owned(),
            };
            self.errors.on(&f.pat, text);
            return None;
        }
        if let Some((extents, f)) = self.by_extents(f) {
            let stmt = self.for_loop(&f, outermost);
            // Not earlier: what stands in front of a loop in the body is taken there.
            self.before.insert(0, extents);
            return stmt;
        }
        self.bind_once(&f.pat);
        let (expr, marked) = self.unwrap_serial(&f.expr);
        let written = self.written(expr)?;
        if !matches!(written, Written::Items(_))
            && let Some(path) = struct_in(&f.pat)
        {
            self.errors.on(
                path,
                "a position is a number, or an array of numbers `[i, j]`: a struct pattern takes apart the items of an array, `for P { a, .. } in array`",
            );
            return None;
        }
        let serial = self.kind == FuncKind::Func || self.parallel.is_some() || self.serial_depth > 0 || marked;
        if serial {
            let host_level = self.kind == FuncKind::Kernel && self.parallel.is_none();
            self.serial_depth += usize::from(host_level);
            let expr = self.serial_for(f, written);
            self.serial_depth -= usize::from(host_level);
            return expr.map(Stmt::Expr);
        }
        if !outermost {
            self.errors.at(
                f.for_token.span,
                "this loop is neither outermost nor inside a parallel loop, so it would run on a single thread: move the \
                 condition or loop around it inside, make the loop a kernel of its own, or write `for .. in serial(..)` if \
                 one thread is what you want",
            );
            return None;
        }
        self.parallel_for(f, written).map(Stmt::ParFor)
    }

    /// The field whose positions these are, if it is of rank 0, or of a rank that no token tells.
    fn without_axes(&self, positions: &syn::Expr) -> Option<Ident> {
        let syn::Expr::MethodCall(call) = strip(self.unwrap_serial(positions).0) else {
            return None;
        };
        let (field, ident) = self.field_path(&call.receiver)?;
        let open = self.open_ranks.contains_key(&field);
        let rank = self.ranks.get(&field).copied().unwrap_or(usize::from(open));
        (call.method == "indices" && rank == 0).then_some(ident)
    }

    /// `for [i, j] in ndrange(shape)` as `let [h, w] = shape;` in front of `for [i, j] in ndrange([h, w])`.
    fn by_extents(&mut self, f: &syn::ExprForLoop) -> Option<(Stmt, syn::ExprForLoop)> {
        let syn::Pat::Slice(names) = &*f.pat else { return None };
        let mut call = called(&f.expr)?;
        let serial = ends_in(&call.func, "serial").then(|| call.clone());
        if serial.is_some() {
            call = called(&call.args[0])?;
        }
        let shape = &call.args[0];
        if !ends_in(&call.func, "ndrange") || matches!(strip(shape), syn::Expr::Array(_) | syn::Expr::Range(_)) {
            return None;
        }
        let init = self.expr(shape);
        let value = self.value_of(&init);
        let value = self.original(&value).clone();
        let (span, end) = (init.span, init.end);
        let mut extents: Vec<syn::Expr> = Vec::new();
        let pats = (0..names.elems.len()).map(|axis| {
            let ident = format_ident!("__extent{}", self.locals.len(), span = span);
            let local = self.hidden(&ident, false, part(&value, axis));
            let name = Name::of(&ident);
            self.scopes.last_mut().expect("a scope").push((name, local));
            extents.push(syn::parse_quote!(#ident));
            Pat::Bind {
                local,
                ident,
                mutable: false,
            }
        });
        let pat = Pat::Array(pats.collect());
        let before = Stmt::Let {
            pat,
            ty: None,
            init: Some(init),
            span: end,
            lints: Vec::new(),
        };
        let mut call = call.clone();
        call.args = Punctuated::from_iter([syn::Expr::Array(syn::parse_quote_spanned!(span=> [#(#extents),*]))]);
        if let Some(mut serial) = serial {
            serial.args = Punctuated::from_iter([syn::Expr::Call(call)]);
            call = serial;
        }
        let loops = syn::ExprForLoop {
            expr: Box::new(syn::Expr::Call(call)),
            ..f.clone()
        };
        Some((before, loops))
    }

    fn written<'a>(&mut self, expr: &'a syn::Expr) -> Option<Written<'a>> {
        match strip(expr) {
            syn::Expr::Range(range) => Some(Written::Range(WrittenRange {
                range,
                reverse: None,
                step: None,
                turned: None,
            })),
            syn::Expr::MethodCall(call) => {
                if let Some((field, ident)) = self.field_path(&call.receiver) {
                    if call.method == "indices" && call.args.is_empty() {
                        if self.refuse_open_rank(field, &ident) {
                            return None;
                        }
                        return Some(Written::Indices(field, ident));
                    }
                    if call.method == "interior" {
                        return self.interior(call, field, ident);
                    }
                } else if call.method == "rev" || call.method == "step_by" {
                    return self.adapted(call);
                }
                self.refuse_domain(expr)
            }
            syn::Expr::Call(call) if self.is_domain(&call.func, "ndrange") => {
                match call.args.first().map(strip) {
                    Some(syn::Expr::Array(array)) if call.args.len() == 1 && !array.elems.is_empty() => {
                        return self.ndrange(array);
                    }
                    _ => self.errors.on(
                        call,
                        "`ndrange` takes an array of extents, `ndrange([n, m])`, or of ranges, `ndrange([1..n, 0..m])`; with a name for each position, `for [i, j] in ndrange(shape)`, any array of extents",
                    ),
                }
                None
            }
            syn::Expr::Path(_) if self.field_path(expr).is_some() => {
                self.errors.on(
                    expr,
                    "loop over the positions of a field, `.indices()`, and index it in the body",
                );
                None
            }
            items @ (syn::Expr::Array(_)
            | syn::Expr::Repeat(_)
            | syn::Expr::Path(_)
            | syn::Expr::Field(_)
            | syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(_),
                ..
            })
            | syn::Expr::Index(_)) => Some(Written::Items(items)),
            _ => self.refuse_domain(expr),
        }
    }

    fn interior<'a>(&mut self, call: &'a syn::ExprMethodCall, field: LocalId, ident: Ident) -> Option<Written<'a>> {
        if self.offset.contains(&field) {
            self.errors.on(
                &call.method,
                "an `OffsetField` has no `interior(width)`: loop over its `.indices()`, and leave out what is near its rim by an `if`",
            );
            return None;
        }
        if call.args.len() != 1 {
            self.errors.on(
                call,
                format!("`interior` takes the width of the rim that it leaves out: `{ident}.interior(1)`"),
            );
            return None;
        }
        if self.refuse_open_rank(field, &ident) {
            return None;
        }
        Some(Written::Interior(field, ident, &call.args[0]))
    }

    /// Extents, or ranges, of all axes.
    fn ndrange<'a>(&mut self, array: &'a syn::ExprArray) -> Option<Written<'a>> {
        let is_range = |e: &syn::Expr| matches!(strip(e), syn::Expr::Range(_));
        if !array.elems.iter().any(is_range) {
            return Some(Written::NdRange(array.elems.iter().collect()));
        }
        let mut ranges = Vec::new();
        for e in &array.elems {
            match strip(e) {
                syn::Expr::Range(syn::ExprRange {
                    start: Some(start),
                    end: Some(end),
                    limits: syn::RangeLimits::HalfOpen(_),
                    ..
                }) => ranges.push([&**start, &**end]),
                syn::Expr::Range(syn::ExprRange {
                    limits: syn::RangeLimits::Closed(limits),
                    ..
                }) => {
                    self.errors.on(
                        limits,
                        "a range of `ndrange` has no end of its own: write `a..b + 1` for `a..=b`",
                    );
                    return None;
                }
                syn::Expr::Range(range) => {
                    self.errors.on(range, "a range of `ndrange` needs both ends: `0..n`");
                    return None;
                }
                extent => {
                    self.errors.on(
                        extent,
                        "`ndrange` takes extents for all axes or ranges for all: write `0..n` for the extent `n`",
                    );
                    return None;
                }
            }
        }
        Some(Written::NdRanges(ranges))
    }

    /// Refuses, once for a field, what is written for one rank where a parameter of the kernel stands for the rank.
    pub(super) fn refuse_open_rank(&mut self, field: LocalId, ident: &Ident) -> bool {
        let Some(parameter) = self.open_ranks.get(&field).cloned() else {
            return false;
        };
        if self.open_ranks_told.insert(field) {
            self.errors.on(
                &parameter,
                format!(
                    "a loop over `{ident}.indices()` and a position `[i, j]` are written for one rank: write a number for \
                     `{parameter}`, `{}<.., 2>`, and a kernel for each rank that you need",
                    self.type_name(field)
                ),
            );
        }
        true
    }

    fn unwrap_serial<'a>(&self, expr: &'a syn::Expr) -> (&'a syn::Expr, bool) {
        match strip(expr) {
            syn::Expr::Call(call) if call.args.len() == 1 && self.is_domain(&call.func, "serial") => {
                (&call.args[0], true)
            }
            other => (other, false),
        }
    }

    /// Whether a path ends in this name, of which rustc then has to confirm that it is ours.
    fn is_domain(&self, expr: &syn::Expr, name: &str) -> bool {
        let syn::Expr::Path(path) = expr else { return false };
        let found = ends_in(expr, name);
        if found {
            self.witnesses.borrow_mut().domains.push(path.clone());
        }
        found
    }

    fn refuse_domain<'a>(&mut self, expr: &'a syn::Expr) -> Option<Written<'a>> {
        self.consequences.on(
            expr,
            "a `for` loop in a kernel runs over `field.indices()`, `field.interior(1)`, a range `a..b` (with `.rev()`, `.step_by(n)`), `ndrange([n, m])`, or an array's items",
        );
        None
    }

    fn adapted<'a>(&mut self, call: &'a syn::ExprMethodCall) -> Option<Written<'a>> {
        let Written::Range(mut range) = self.written(&call.receiver)? else {
            self.errors
                .on(call, "`.rev()` and `.step_by(n)` belong to a range `a..b`");
            return None;
        };
        if call.method == "rev" {
            let reverse = match range.step {
                Some(_) => &mut range.turned,
                None => &mut range.reverse,
            };
            if reverse.replace(call.method.span()).is_some() {
                self.errors.on(&call.method, "two `.rev()` are none: leave out both");
                return None;
            }
        } else {
            if range.step.is_some() || call.args.len() != 1 {
                self.errors.on(&call.method, "one `.step_by(n)` is enough");
                return None;
            }
            range.step = call.args.first();
        }
        Some(Written::Range(range))
    }

    pub(super) fn range(&mut self, written: &WrittenRange<'_>) -> Option<Range> {
        let (Some(start), Some(end)) = (&written.range.start, &written.range.end) else {
            self.errors
                .on(written.range, "a loop needs both ends of its range: `0..n`");
            return None;
        };
        Some(Range {
            start: Box::new(self.expr(start)),
            end: Box::new(self.expr(end)),
            inclusive: matches!(written.range.limits, syn::RangeLimits::Closed(_)),
            reverse: written.reverse.is_some(),
            step: written.step.map(|e| Box::new(self.expr(e))),
            turned: written.turned.is_some(),
        })
    }
}

/// The statements of a block whose value is not used.
pub(super) fn with_tail(block: Block) -> Vec<Stmt> {
    let mut stmts = block.stmts;
    stmts.extend(block.tail.map(|tail| Stmt::Expr(*tail)));
    stmts
}

fn strip(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(p) => strip(&p.expr),
        syn::Expr::Group(g) => strip(&g.expr),
        _ => expr,
    }
}

/// A call with one argument.
fn called(expr: &syn::Expr) -> Option<&syn::ExprCall> {
    match strip(expr) {
        syn::Expr::Call(call) if call.args.len() == 1 => Some(call),
        _ => None,
    }
}

fn ends_in(expr: &syn::Expr, name: &str) -> bool {
    matches!(expr, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|last| last.ident == name))
}
