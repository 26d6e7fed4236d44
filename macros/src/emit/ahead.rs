//! Indices of sequential loops whose numbers are known ahead, as `grid[[base[0] + i, base[1] + j]]` with `i` and `j` in `0..3`: the least and
//! the largest one are compared once, in front of the loop, which then runs without these checks; or with them if one is out of bounds, so that
//! failures are the same. A loop that may be left at each access has a jump for each, and computes addresses behind them. So are those of a loop
//! that holds no other, whatever it runs over: of `for k in start[i]..start[i + 1]` with `value[k]` and `x[column[k]]` the last one alone is
//! checked in place.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use swathe_ir::BinOp;
use syn::ext::IdentExt;

use super::print::{Mode, Printer};
use super::{label, plain};
use crate::hir::affine;
use crate::hir::bindings;
use crate::hir::types::is_usize;
use crate::hir::visit::{Visit, parts, walk_expr};
use crate::hir::{Access, AccessId, Block, Check, Expr, ExprKind, Func, LabelId, LocalId, Pat, Pattern, Range, Stmt};

/// Parts of expressions in a loop's body, at most: the body is there twice.
const MOST_PARTS: usize = 300;
/// Below this a number is the same in every integer type.
const MOST_CAST: u64 = 128;

/// What is compared in front of a loop.
pub struct Ahead {
    /// Whether all of these accesses are in bounds.
    pub condition: TokenStream,
    pub accesses: HashSet<AccessId>,
    /// Whether the loop's range is in the variable `__span`.
    pub spanned: bool,
    /// Whether the condition means nothing for a range without numbers.
    pub filled: bool,
}

/// What a loop's variable runs over.
#[derive(Clone, Copy)]
enum Numbers {
    /// From a number to before another.
    Known(u64, u64),
    /// The variable `__span`.
    Span,
}

/// What is added up to an index.
#[derive(Clone, PartialEq)]
enum Part {
    Number(u64),
    /// A number that is subtracted.
    Less(u64),
    /// From a number to before another.
    Along(u64, u64),
    /// What the loop counts from the variable `__span`.
    Span,
    /// A value that is fixed during the loop.
    Value(Fixed),
    /// Element `k` of a local array that is.
    Element(LocalId, u64),
}

/// A value, and of what it is one: a variable, or members of one. Others are the same as no other.
#[derive(Clone)]
struct Fixed {
    of: Option<(LocalId, Vec<String>)>,
    value: TokenStream,
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Self) -> bool {
        self.of.is_some() && self.of == other.of
    }
}

/// An index: a number that is fixed during the loop, and ranges of numbers that are added to it.
#[derive(Clone, Default, PartialEq)]
struct Sum {
    parts: Vec<Part>,
}

impl Sum {
    fn of(part: Part) -> Option<Sum> {
        Some(Sum { parts: vec![part] })
    }

    /// Whether any part changes during the loop.
    fn varies(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Along(..) | Part::Span))
    }

    /// Whether what the loop counts from a span is a part.
    fn spans(&self) -> bool {
        self.parts.contains(&Part::Span)
    }

    /// Whether it is what the loop counts from a span of any numbers, and nothing more.
    fn counter(&self) -> bool {
        self.parts == [Part::Span]
    }
}

impl Printer<'_> {
    /// A sequential loop, twice, if there is something to compare in front of it.
    pub fn copies(&self, id: LabelId, pat: &Pat, range: &Range, body: &Block, span: Span) -> Option<TokenStream> {
        let Ahead {
            condition,
            accesses,
            spanned,
            filled,
        } = self.ahead(pat, range, body)?;
        let copy = |printer: &Printer<'_>| {
            let (id, pat) = (label(id), printer.pat(pat));
            let range = if spanned { quote!(__span) } else { printer.range(range) };
            let body = printer.stmts(body);
            quote_spanned!(span=> #id: for #pat in #range { #body })
        };
        let (mut without, mut with) = (self.again(), self.again());
        without.inspected.extend(accesses);
        with.looks_ahead = false;
        let (without, with) = (copy(&without), copy(&with));
        let (span, condition) = if spanned {
            let range = self.range(range);
            let empty = filled.then(|| quote!(::core::ops::Range::is_empty(&__span) ||));
            let condition = quote!(
                ::swathe::__rt::UNCHECKED
                    || #empty (::swathe::__rt::counts_positions(&__span) && (#condition))
            );
            (quote!(let __span = #range;), condition)
        } else {
            (quote!(), condition)
        };
        // Without a trace in a debug build, which would not take it: it is as much to compile as the rest.
        let done = syn::Lifetime::new(&format!("'__ahead{}", id.0), Span::mixed_site());
        Some(quote!(#done: {
            #span
            #[cfg(not(debug_assertions))]
            {
                if #condition {
                    #without
                    break #done;
                }
                ::core::hint::cold_path();
            }
            #with
        }))
    }

    /// What can be compared in front of a sequential loop.
    fn ahead(&self, pat: &Pat, range: &Range, body: &Block) -> Option<Ahead> {
        let possible = self.mode == Mode::Native && self.iteration.is_some() && self.covered && self.looks_ahead;
        if plain() || !possible || parts(body) > MOST_PARTS {
            return None;
        }
        let mut nest = Nest::default();
        nest.looped(pat, range);
        nest.block(body);
        if let Pat::Bind {
            local, mutable: false, ..
        } = pat
            && !(nest.loops || range.inclusive || range.reverse || range.step.is_some())
        {
            nest.ranges.entry(*local).or_insert(Numbers::Span);
        }
        let spanned = nest.ranges.values().any(|numbers| matches!(numbers, Numbers::Span));
        let mut find = Find {
            printer: self,
            nest,
            declared: HashMap::new(),
            conditions: Vec::new(),
            accesses: HashSet::new(),
        };
        find.block(body);
        let filled = find.conditions.iter().any(|c| c.sum.spans() && !c.sum.counter());
        let conditions = find.conditions.iter().map(|condition| condition.print(self));
        let conditions: Vec<TokenStream> = conditions.collect();
        (!find.accesses.is_empty()).then(|| Ahead {
            condition: quote!(#(#conditions)&&*),
            accesses: find.accesses,
            spanned,
            filled,
        })
    }
}

/// What changes while a loop runs.
#[derive(Default)]
struct Nest {
    /// Variables that are declared or written in it.
    changed: HashSet<LocalId>,
    /// Of those that loops count, what they run over.
    ranges: HashMap<LocalId, Numbers>,
    /// Whether there are loops in it.
    loops: bool,
}

impl Nest {
    fn looped(&mut self, pat: &Pat, range: &Range) {
        self.changed.extend(bindings(pat).map(|(id, _)| id));
        if let Pat::Bind {
            local, mutable: false, ..
        } = pat
            && let Some((start, end)) = numbers(range)
        {
            self.ranges.insert(*local, Numbers::Known(start, end));
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Bind { local, .. } => {
                self.changed.insert(*local);
            }
            Pattern::Or(parts) | Pattern::Tuple(parts) => parts.iter().for_each(|part| self.pattern(part)),
            Pattern::Wild(_) | Pattern::Value(_) | Pattern::Range { .. } => {}
        }
    }
}

impl Visit for Nest {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { pat, init, .. } => {
                self.changed.extend(bindings(pat).map(|(id, _)| id));
                init.iter().for_each(|e| self.expr(e));
            }
            Stmt::Expr(e) => self.expr(e),
            Stmt::ParFor(p) => self.parallel(p),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::For(_, pat, range, _) => {
                self.loops = true;
                self.looped(pat, range);
            }
            ExprKind::While(..) | ExprKind::Loop(..) => self.loops = true,
            ExprKind::Match(_, arms) => arms.iter().for_each(|arm| self.pattern(&arm.pat)),
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..) => self.changed.extend(place.root_local()),
            _ => {}
        }
        walk_expr(self, e);
    }
}

/// The first number of a range of literals, and its end.
fn numbers(range: &Range) -> Option<(u64, u64)> {
    let (start, end) = (affine::number(&range.start)?, affine::number(&range.end)?);
    let end = if range.inclusive { end.checked_add(1)? } else { end };
    (start < end && end <= 1 << 32).then_some((start, end))
}

/// An index that has to be in bounds on an axis.
#[derive(PartialEq)]
struct Condition {
    field: LocalId,
    axis: usize,
    sum: Sum,
}

impl Condition {
    fn print(&self, printer: &Printer<'_>) -> TokenStream {
        let (field, axis) = (&printer.func.local(self.field).ident, self.axis);
        if self.sum.counter() {
            return quote!(
                ::swathe::__rt::span_inside(__span.start as ::core::primitive::usize, __span.end as ::core::primitive::usize, &#field.shape(), #axis)
            );
        }
        let calls = self.sum.parts.iter().map(|part| match part {
            Part::Number(number) => {
                let number = number_literal(*number);
                quote!(.number(#number))
            }
            Part::Less(number) => {
                let number = number_literal(*number);
                quote!(.less(#number))
            }
            Part::Along(start, end) => {
                let [start, end] = [start, end].map(|n| number_literal(*n));
                quote!(.along(#start, #end))
            }
            // Below zero it is above all extents.
            Part::Span => {
                quote!(.along((__span.start as ::core::primitive::usize), (__span.end as ::core::primitive::usize)))
            }
            Part::Value(Fixed { value, .. }) => quote!(.value(#value)),
            Part::Element(array, k) => {
                let (k, name) = (number_literal(*k), &printer.func.local(*array).ident);
                quote!(.element(&#name, #k, || #name[#k]))
            }
        });
        quote!(::swathe::__rt::Corner::ZERO #(#calls)* .inside(&#field.shape(), #axis))
    }
}

struct Find<'e, 'f> {
    printer: &'e Printer<'f>,
    nest: Nest,
    /// Variables of the loop's body that are indices, with one sum for each axis.
    declared: HashMap<LocalId, Vec<Sum>>,
    conditions: Vec<Condition>,
    accesses: HashSet<AccessId>,
}

impl Find<'_, '_> {
    fn func(&self) -> &Func {
        self.printer.func
    }

    fn access(&mut self, access: &Access) {
        let known = self.printer.inspected.contains(&access.id) || self.accesses.contains(&access.id);
        if self.func().access(access.id).check != Check::InKernel || self.func().is_offset(access.field) || known {
            return;
        }
        let sums = match (access.bracketed, access.index.as_slice()) {
            (false, [index]) => self.axes(index),
            (_, index) => index.iter().map(|e| self.sum(e)).collect(),
        };
        let Some(sums) = sums else { return };
        if !sums.iter().any(Sum::varies) {
            return;
        }
        for (axis, sum) in sums.into_iter().enumerate() {
            let condition = Condition {
                field: access.field,
                axis,
                sum,
            };
            if !self.conditions.contains(&condition) {
                self.conditions.push(condition);
            }
        }
        self.accesses.insert(access.id);
    }

    /// What an expression is on each axis.
    fn axes(&self, e: &Expr) -> Option<Vec<Sum>> {
        match &e.kind {
            ExprKind::Array(parts, _) => parts.iter().map(|e| self.sum(e)).collect(),
            ExprKind::Local(id, _) if self.declared.contains_key(id) => self.declared.get(id).cloned(),
            // An array that is fixed during the loop: how many axes it has is for the types to say.
            ExprKind::Local(id, _) if !self.nest.ranges.contains_key(id) => None,
            _ => Some(vec![self.sum(e)?]),
        }
    }

    fn sum(&self, e: &Expr) -> Option<Sum> {
        if let Some(number) = affine::number(e) {
            return Sum::of(Part::Number(number));
        }
        match &e.kind {
            ExprKind::Binary(BinOp::Add, _, a, b, _) => {
                let (mut sum, more) = (self.sum(a)?, self.sum(b)?);
                sum.parts.extend(more.parts);
                Some(sum)
            }
            ExprKind::Binary(BinOp::Sub, _, a, b, _) => {
                let mut sum = self.sum(a)?;
                sum.parts.push(Part::Less(affine::number(b)?));
                Some(sum)
            }
            ExprKind::Cast(inner, ty, _) => match &inner.kind {
                ExprKind::Local(id, _) if is_usize(ty) => match self.nest.ranges.get(id) {
                    Some(Numbers::Known(_, end)) if *end >= MOST_CAST => self.fixed(e),
                    Some(_) => self.sum(inner),
                    None => self.fixed(e),
                },
                _ => self.fixed(e),
            },
            ExprKind::Local(id, _) => match (self.nest.ranges.get(id), self.declared.get(id).map(Vec::as_slice)) {
                (Some(Numbers::Known(start, end)), _) => Sum::of(Part::Along(*start, *end)),
                (Some(Numbers::Span), _) => Sum::of(Part::Span),
                (None, Some([sum])) => Some(sum.clone()),
                _ => self.fixed(e),
            },
            _ => self.fixed(e),
        }
    }

    /// A value that is the same during the loop. To evaluate it once more is cheap, and cannot fail.
    fn fixed(&self, e: &Expr) -> Option<Sum> {
        match &e.kind {
            // As long as the array has such an element.
            ExprKind::Index(base, index) => match &base.kind {
                ExprKind::Local(id, _) if self.is_fixed(base) => Sum::of(Part::Element(*id, affine::number(index)?)),
                _ => None,
            },
            _ if self.is_fixed(e) => Sum::of(Part::Value(Fixed {
                of: variable(e),
                value: self.printer.expr(e),
            })),
            _ => None,
        }
    }

    fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(id, _) => !self.func().local(*id).mutable && !self.nest.changed.contains(id),
            ExprKind::Member(base, _) => matches!(base.kind, ExprKind::Local(..)) && self.is_fixed(base),
            ExprKind::Cast(inner, ..) => self.is_fixed(inner),
            _ => false,
        }
    }
}

/// The variable that an expression is, and the members that lead from it to its value.
fn variable(e: &Expr) -> Option<(LocalId, Vec<String>)> {
    match &e.kind {
        ExprKind::Local(id, _) => Some((*id, Vec::new())),
        ExprKind::Member(base, syn::Member::Named(member)) => {
            let (id, mut members) = variable(base)?;
            members.push(member.unraw().to_string());
            Some((id, members))
        }
        _ => None,
    }
}

impl Visit for Find<'_, '_> {
    fn named(&mut self, local: LocalId, value: &Expr) {
        if let Some(sums) = self.axes(value) {
            self.declared.insert(local, sums);
        }
    }

    fn expr(&mut self, e: &Expr) {
        walk_expr(self, e);
        if let ExprKind::Field(access) | ExprKind::Atomic(_, _, access, _) = &e.kind {
            self.access(access);
        }
    }
}

fn number_literal(number: u64) -> Literal {
    Literal::u64_unsuffixed(number)
}
