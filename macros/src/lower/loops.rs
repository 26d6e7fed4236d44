//! `for` loops: which are parallel, and what they run over.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use swathe_ir::{FuncKind, LocalId};
use syn::spanned::Spanned;

use super::{Label, Lower};
use crate::hir::{Axis, Block, Domain, Expr, ExprKind, Extent, ParFor, Pat, Range, Stmt, Value};

/// A loop's domain as written, before it is known whether the loop is parallel.
enum Written<'a> {
    Indices(LocalId, Ident),
    Range(WrittenRange<'a>),
    NdRange(Vec<&'a syn::Expr>),
}

struct WrittenRange<'a> {
    range: &'a syn::ExprRange,
    reverse: Option<Span>,
    step: Option<&'a syn::Expr>,
}

impl Lower<'_> {
    pub(super) fn for_loop(&mut self, f: &syn::ExprForLoop, outermost: bool) -> Option<Stmt> {
        if matches!(&*f.pat, syn::Pat::Slice(slice) if slice.elems.is_empty()) {
            self.errors
                .on(&f.pat, "name the positions of the loop: `i`, or `[i, j]`");
            return None;
        }
        let (expr, marked) = unwrap_serial(&f.expr);
        let written = self.written(expr)?;
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

    fn written<'a>(&mut self, expr: &'a syn::Expr) -> Option<Written<'a>> {
        match strip(expr) {
            syn::Expr::Range(range) => Some(Written::Range(WrittenRange {
                range,
                reverse: None,
                step: None,
            })),
            syn::Expr::MethodCall(call) => {
                if let Some((field, ident)) = self.field_path(&call.receiver) {
                    if call.method == "indices" && call.args.is_empty() {
                        return Some(Written::Indices(field, ident));
                    }
                } else if call.method == "rev" || call.method == "step_by" {
                    return self.adapted(call);
                }
                self.refuse_domain(expr)
            }
            syn::Expr::Call(call) if is_path(&call.func, "ndrange") => {
                match call.args.first().map(strip) {
                    Some(syn::Expr::Array(array)) if call.args.len() == 1 && !array.elems.is_empty() => {
                        return Some(Written::NdRange(array.elems.iter().collect()));
                    }
                    _ => self
                        .errors
                        .on(call, "`ndrange` takes an array of extents, `ndrange([n, m])`"),
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
            _ => self.refuse_domain(expr),
        }
    }

    fn refuse_domain<'a>(&mut self, expr: &'a syn::Expr) -> Option<Written<'a>> {
        self.consequences.on(
            expr,
            "a `for` loop in a kernel runs over `field.indices()`, a range `a..b` (with `.rev()`, `.step_by(n)`), or `ndrange([n, m])`",
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
            if range.step.is_some() {
                self.errors.on(&call.method, "write `.rev()` before `.step_by(n)`");
                return None;
            }
            range.reverse = Some(call.method.span());
        } else {
            if range.step.is_some() || call.args.len() != 1 {
                self.errors.on(&call.method, "one `.step_by(n)` is enough");
                return None;
            }
            range.step = call.args.first();
        }
        Some(Written::Range(range))
    }

    fn range(&mut self, written: &WrittenRange<'_>) -> Option<Range> {
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
        })
    }

    fn parallel_for(&mut self, f: &syn::ExprForLoop, written: Written<'_>) -> Option<ParFor> {
        let (domain, value) = match written {
            Written::Indices(field, ident) => (
                Domain::Indices(field, ident),
                Value::Parallel {
                    axis: Axis::All,
                    extent: Some(Extent::All(field)),
                },
            ),
            Written::Range(range) => {
                if let Some(span) = range.reverse {
                    self.errors.at(
                        span,
                        "a parallel loop has no order: leave out `.rev()`, or write `serial(..)` around the range",
                    );
                    return None;
                }
                let range = self.range(&range)?;
                let extent = if range.inclusive {
                    None
                } else {
                    self.extent_of(&range.end)
                };
                (
                    Domain::Range(range),
                    Value::Parallel {
                        axis: Axis::One(0),
                        extent,
                    },
                )
            }
            Written::NdRange(extents) => {
                let extents: Vec<Expr> = extents.iter().map(|e| self.expr(e)).collect();
                (
                    Domain::NdRange(extents),
                    Value::Parallel {
                        axis: Axis::All,
                        extent: None,
                    },
                )
            }
        };
        let number = self.parallel_count;
        self.parallel_count += 1;
        self.parallel = Some(number);
        let label = self.new_label();
        let frame = Label {
            name: f.label.as_ref().map(label_name),
            is_loop: true,
            break_to: None,
            continue_to: label,
        };
        let (vars, body) = self.scoped(|l| {
            let vars = l.parallel_vars(&f.pat, &domain, &value);
            let body = l.labelled(frame, |l| l.block(&f.body));
            (vars, body)
        });
        self.parallel = None;
        let body = Block {
            stmts: with_tail(body),
            tail: None,
        };
        Some(ParFor {
            number,
            domain,
            vars: vars?,
            label,
            body,
            reductions: Vec::new(),
            hoisted: Vec::new(),
            span: f.for_token.span,
        })
    }

    fn parallel_vars(&mut self, pat: &syn::Pat, domain: &Domain, value: &Value) -> Option<Vec<Option<LocalId>>> {
        let axes = match domain {
            Domain::Indices(..) => None,
            Domain::Range(_) => Some(1),
            Domain::NdRange(extents) => Some(extents.len()),
        };
        match pat {
            syn::Pat::Slice(slice) if !matches!(domain, Domain::Range(_)) => {
                if axes.is_some_and(|n| n != slice.elems.len()) {
                    self.errors.on(
                        slice,
                        format!("this loop has {} positions: name each, or `_`", axes.unwrap_or(0)),
                    );
                    return None;
                }
                let vars = slice.elems.iter().enumerate();
                vars.map(|(k, pat)| self.parallel_var(pat, axis_value(domain, value, k, self)))
                    .collect()
            }
            _ => Some(vec![self.parallel_var(pat, value.clone())?]),
        }
    }

    fn parallel_var(&mut self, pat: &syn::Pat, value: Value) -> Option<Option<LocalId>> {
        match pat {
            syn::Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                if let Some(token) = p.mutability {
                    self.errors.on(
                        token,
                        "the position of a parallel loop cannot be `mut`: copy it into a variable",
                    );
                    return None;
                }
                Some(Some(self.declare(&p.ident, false, value)))
            }
            syn::Pat::Wild(_) => Some(None),
            syn::Pat::Paren(p) => self.parallel_var(&p.pat, value),
            _ => {
                self.errors.on(
                    pat,
                    "the positions of a parallel loop are a name `i`, or names in brackets `[i, j]`",
                );
                None
            }
        }
    }

    fn serial_for(&mut self, f: &syn::ExprForLoop, written: Written<'_>) -> Option<Expr> {
        let span = f.for_token.span;
        let name = f.label.as_ref().map(label_name);
        match written {
            Written::Range(range) => {
                let range = self.range(&range)?;
                let extent = if range.inclusive {
                    None
                } else {
                    self.extent_of(&range.end)
                };
                let value = extent.map_or(Value::Unknown, Value::Below);
                let label = self.new_label();
                let frame = Label {
                    name,
                    is_loop: true,
                    break_to: Some(label),
                    continue_to: label,
                };
                let (pat, body) = self.scoped(|l| {
                    let pat = l.pat(&f.pat, &value);
                    let body = l.labelled(frame, |l| l.block(&f.body));
                    (
                        pat,
                        Block {
                            stmts: with_tail(body),
                            tail: None,
                        },
                    )
                });
                Some(Expr {
                    kind: ExprKind::For(label, pat, range, body),
                    span,
                    end: span,
                })
            }
            Written::Indices(field, ident) => {
                let axes = match &*f.pat {
                    syn::Pat::Slice(slice) => slice.elems.len(),
                    _ => 1,
                };
                let extents = (0..axes)
                    .map(|k| {
                        let extent = if axes == 1 {
                            Extent::Len(field)
                        } else {
                            Extent::Shape(field, k)
                        };
                        (self.extent_expr(&extent, &ident), Some(extent))
                    })
                    .collect();
                self.nested(f, extents)
            }
            Written::NdRange(extents) => {
                let extents = extents
                    .iter()
                    .map(|e| {
                        let e = self.expr(e);
                        let extent = self.extent_of(&e);
                        (e, extent)
                    })
                    .collect();
                self.nested(f, extents)
            }
        }
    }

    /// A sequential loop over several axes, as loops in one another: `break` leaves the outermost, `continue` starts
    /// the next round of the innermost.
    fn nested(&mut self, f: &syn::ExprForLoop, extents: Vec<(Expr, Option<Extent>)>) -> Option<Expr> {
        let span = f.for_token.span;
        let mut stmts = Vec::new();
        let mut axes = Vec::new();
        for (k, (expr, extent)) in extents.into_iter().enumerate() {
            let ident = format_ident!("__n{}", k, span = span);
            let value = extent.clone().map_or(Value::Unknown, Value::Extent);
            let local = self.hidden(&ident, false, value);
            let known = extent.or_else(|| self.parallel.is_none().then_some(Extent::Local(local)));
            let pat = Pat::Bind {
                local,
                ident: ident.clone(),
                mutable: false,
            };
            stmts.push(Stmt::Let {
                pat,
                ty: None,
                init: Some(expr),
                span,
            });
            let label = self.new_label();
            let end = Expr {
                kind: ExprKind::Local(local, ident),
                span,
                end: span,
            };
            axes.push((label, end, known.map_or(Value::Unknown, Value::Below)));
        }
        let frame = Label {
            name: f.label.as_ref().map(label_name),
            is_loop: true,
            break_to: Some(axes.first()?.0),
            continue_to: axes.last()?.0,
        };
        let body = self.scoped(|l| {
            let values: Vec<Value> = axes.iter().map(|(_, _, value)| value.clone()).collect();
            let (pats, first) = l.axis_pats(&f.pat, &values)?;
            let mut body = Block {
                stmts: first.into_iter().collect(),
                tail: None,
            };
            body.stmts.extend(with_tail(l.labelled(frame, |l| l.block(&f.body))));
            Some((pats, body))
        });
        let (pats, mut body) = body?;
        for ((label, end, _), pat) in axes.into_iter().zip(pats).rev() {
            let range = Range {
                start: Box::new(self.usize_literal(0, span)),
                end: Box::new(end),
                inclusive: false,
                reverse: false,
                step: None,
            };
            let inner = Expr {
                kind: ExprKind::For(label, pat, range, body),
                span,
                end: span,
            };
            body = Block {
                stmts: vec![Stmt::Expr(inner)],
                tail: None,
            };
        }
        stmts.append(&mut body.stmts);
        let block = Block { stmts, tail: None };
        Some(Expr {
            kind: ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            },
            span,
            end: span,
        })
    }

    /// A pattern for each axis, and the statement that gathers them where the user wrote a single name.
    fn axis_pats(&mut self, pat: &syn::Pat, values: &[Value]) -> Option<(Vec<Pat>, Option<Stmt>)> {
        let span = pat.span();
        match pat {
            syn::Pat::Slice(slice) => {
                if slice.elems.len() != values.len() {
                    self.errors.on(
                        slice,
                        format!("this loop has {} positions: name each, or `_`", values.len()),
                    );
                    return None;
                }
                Some((
                    slice
                        .elems
                        .iter()
                        .zip(values)
                        .map(|(pat, value)| self.pat(pat, value))
                        .collect(),
                    None,
                ))
            }
            _ if values.len() == 1 => Some((vec![self.pat(pat, &values[0])], None)),
            _ => {
                let mut pats = Vec::new();
                let mut parts = Vec::new();
                for (k, value) in values.iter().enumerate() {
                    let ident = format_ident!("__i{}", k, span = span);
                    let local = self.hidden(&ident, false, value.clone());
                    pats.push(Pat::Bind {
                        local,
                        ident: ident.clone(),
                        mutable: false,
                    });
                    parts.push(Expr {
                        kind: ExprKind::Local(local, ident),
                        span,
                        end: span,
                    });
                }
                let ty = self.inferred();
                let init = Some(Expr {
                    kind: ExprKind::Array(parts, ty),
                    span,
                    end: span,
                });
                let pat = self.pat(pat, &Value::Unknown);
                Some((
                    pats,
                    Some(Stmt::Let {
                        pat,
                        ty: None,
                        init,
                        span,
                    }),
                ))
            }
        }
    }

    fn extent_expr(&mut self, extent: &Extent, ident: &Ident) -> Expr {
        let span = ident.span();
        match extent {
            Extent::Shape(field, axis) => {
                let shape = Expr {
                    kind: ExprKind::FieldShape(*field, ident.clone()),
                    span,
                    end: span,
                };
                let axis = self.usize_literal(*axis as u64, span);
                Expr {
                    kind: ExprKind::Index(Box::new(shape), Box::new(axis)),
                    span,
                    end: span,
                }
            }
            _ => {
                let field = match extent {
                    Extent::Len(f) | Extent::All(f) => *f,
                    _ => unreachable!("only a field's extents are written this way"),
                };
                Expr {
                    kind: ExprKind::FieldLen(field, ident.clone()),
                    span,
                    end: span,
                }
            }
        }
    }
}

/// What position `k` of a parallel loop knows of itself.
fn axis_value(domain: &Domain, value: &Value, k: usize, lower: &Lower<'_>) -> Value {
    match domain {
        Domain::NdRange(extents) => Value::Parallel {
            axis: Axis::One(k),
            extent: lower.extent_of(&extents[k]),
        },
        _ => super::stmt::part(value, k),
    }
}

/// The statements of a block whose value is not used.
fn with_tail(block: Block) -> Vec<Stmt> {
    let mut stmts = block.stmts;
    stmts.extend(block.tail.map(|tail| Stmt::Expr(*tail)));
    stmts
}

fn unwrap_serial(expr: &syn::Expr) -> (&syn::Expr, bool) {
    match strip(expr) {
        syn::Expr::Call(call) if call.args.len() == 1 && is_path(&call.func, "serial") => (&call.args[0], true),
        other => (other, false),
    }
}

fn is_path(expr: &syn::Expr, name: &str) -> bool {
    matches!(expr, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == name))
}

fn strip(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(p) => strip(&p.expr),
        syn::Expr::Group(g) => strip(&g.expr),
        _ => expr,
    }
}

pub(super) fn label_name(label: &syn::Label) -> String {
    label.name.ident.to_string()
}
