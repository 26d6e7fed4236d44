//! All accesses of a kernel to its fields, with what is known of their positions.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::ToTokens;
use swathe_ir::{AtomicOp, BinOp, LocalId};

use super::facts::{Facts, extent_of, extent_of_local};
use crate::hir::affine::{self, Affine};
use crate::hir::visit::{Visit, any, walk_expr, walk_parallel, walk_stmt};
use crate::hir::{
    Access, AccessId, Axis, Block, Domain, Expr, ExprKind, Extent, Func, ParFor, Pat, Place, Step, Stmt, Value,
};
use crate::source;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Read,
    Write,
    Atomic(AtomicOp),
}

pub struct Found {
    pub id: AccessId,
    pub field: LocalId,
    pub mode: Mode,
    /// Members from the element inwards, as far as they are named.
    pub path: Vec<String>,
    /// How many members and indices further in it goes.
    pub steps: usize,
    /// Of each position written in the index.
    pub index: Vec<Position>,
    /// Number of the parallel loop around; `None` at the top level.
    pub parallel: Option<usize>,
    /// Whether conditions around it are what limits its positions.
    pub behind_condition: bool,
    /// Whether every iteration comes to it, unless one fails before, and its positions are all those up to their limits: then one that these do not
    /// hold in is out of bounds.
    pub certain: bool,
    /// Whether a comparison before it is one of a position, as it is, with extents: fields may well be smaller than the domain.
    pub guarded: bool,
    pub in_unsafe: bool,
    /// First and last token.
    pub tokens: TokenStream,
    /// The access as the user wrote it: `u[[i, j]].pos`.
    pub text: String,
}

/// One position of an index.
#[derive(Clone, PartialEq)]
pub enum Position {
    /// A position of the parallel loop itself, possibly cast to the type of an index.
    Own {
        axis: Axis,
        extent: Option<Extent>,
        exact: bool,
    },
    /// Below an extent that does not change during the loop.
    Below(Extent),
    /// The same, if the method `min` is that of numbers.
    Within(Extent),
    /// A position of a loop over an offset field plus a number, in an access that every iteration reaches.
    Moved {
        axis: Axis,
        extent: Extent,
        by: i64,
    },
    /// A multiple of a position of the parallel loop, plus a number and what does not change during the loop.
    Affine(Affine),
    Other,
}

pub fn collect(func: &Func) -> Vec<Found> {
    let mut collect = Collect {
        func,
        found: Vec::new(),
        parallel: None,
        each: true,
        conditional: 0,
        guarded: false,
        sums: HashMap::new(),
        facts: Facts::new(func),
    };
    collect.block(&func.body);
    collect.found
}

struct Collect<'f> {
    func: &'f Func,
    found: Vec<Found>,
    parallel: Option<usize>,
    /// Whether that takes each position.
    each: bool,
    /// Not 0 where an iteration may not come.
    conditional: usize,
    /// Whether a position was compared with extents.
    guarded: bool,
    /// What immutable variables of the loop are, as positions of a field or of an offset field.
    sums: HashMap<(LocalId, bool), Affine>,
    /// What conditions tell of others.
    facts: Facts<'f>,
}

impl Collect<'_> {
    fn note(&mut self, place: &Place<'_>, mode: Mode) {
        let (access, path) = (place.access, place.path());
        let mut tokens = access.source.clone();
        for step in place.steps.iter().take(path.len()) {
            if let Step::Member(member) = step {
                member.to_tokens(&mut tokens);
            }
        }
        let info = self.func.access(access.id);
        // The integer type of an index: what else it is cast to would not compile.
        let integer = if self.func.is_offset(access.field) {
            "isize"
        } else {
            "usize"
        };
        let mut behind_condition = false;
        let mut certain = self.conditional == 0 && self.each;
        let mut position = |e: &Expr| match self.position(e, integer) {
            Position::Other => {
                let limit = self.facts.limit(e);
                behind_condition |= limit.is_some();
                certain = false;
                limit.map_or(Position::Other, Position::Below)
            }
            known => {
                let is_literal = matches!(e.kind, ExprKind::Lit(..));
                certain &= is_literal || matches!(known, Position::Own { .. } | Position::Moved { .. });
                known
            }
        };
        let index: Vec<Position> = access.index.iter().map(&mut position).collect();
        self.found.push(Found {
            id: access.id,
            field: access.field,
            mode,
            text: text(access, &path),
            path,
            steps: place.steps.len(),
            index,
            parallel: self.parallel,
            behind_condition,
            certain,
            guarded: self.guarded,
            in_unsafe: info.in_unsafe,
            tokens,
        });
    }

    fn position(&self, e: &Expr, integer: &str) -> Position {
        match &e.kind {
            ExprKind::Local(id, _) => match self.of_local(*id) {
                Position::Other => self.affine_position(e, integer),
                known => known,
            },
            ExprKind::Cast(inner, ty, ..) if is_named(ty, integer) => match self.position(inner, integer) {
                Position::Own { axis, .. } => Position::Own {
                    axis,
                    extent: None,
                    exact: false,
                },
                _ => Position::Other,
            },
            ExprKind::Binary(BinOp::Rem, _, left, right, _) if integer == "usize" => self.remainder(left, right),
            ExprKind::Binary(op, _, left, right, _) => match self.moved(*op, left, right, integer) {
                Some(moved) => moved,
                None => self.affine_position(e, integer),
            },
            ExprKind::Lit(syn::Lit::Int(lit), _) => match lit.base10_parse::<u64>() {
                Ok(value) if value < u64::MAX => Position::Below(Extent::Literal(value + 1)),
                _ => Position::Other,
            },
            _ => Position::Other,
        }
    }

    /// What is left of a division by an extent is below it, if the tokens tell that it is a division of integers: one of the user's own could
    /// give any index.
    fn remainder(&self, left: &Expr, right: &Expr) -> Position {
        match (&right.kind, self.is_integer(left)) {
            (ExprKind::Local(id, _), true) => match extent_of_local(self.func, *id) {
                Some(extent) => Position::Below(extent.clone()),
                None => Position::Other,
            },
            _ => Position::Other,
        }
    }

    /// Whether the tokens tell that an expression of the type of an index is one of integers.
    fn is_integer(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(syn::Lit::Int(_), _) | ExprKind::FieldLen(..) => true,
            ExprKind::Local(id, _) => self.counts(*id),
            ExprKind::Cast(_, ty, ..) => is_named(ty, "usize"),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, _, a, b, _) => {
                self.is_integer(a) && self.is_integer(b)
            }
            _ => false,
        }
    }

    /// Whether a variable is counted by a loop, or an extent of a field.
    fn counts(&self, id: LocalId) -> bool {
        let local = self.func.local(id);
        match &local.value {
            _ if local.mutable => false,
            Value::Alias(other) => self.counts(*other),
            Value::Parallel { .. } | Value::Below(_) => true,
            Value::Unknown | Value::Within(_) | Value::Extent(_) | Value::Parts(_) => {
                extent_of_local(self.func, id).is_some()
            }
        }
    }

    fn moved(&self, op: BinOp, left: &Expr, right: &Expr, integer: &str) -> Option<Position> {
        let ExprKind::Lit(syn::Lit::Int(lit), _) = &right.kind else {
            return None;
        };
        if self.conditional != 0 {
            return None;
        }
        match (self.position(left, integer), lit.base10_parse::<i64>().ok()?, op) {
            (
                Position::Own {
                    axis,
                    extent: Some(extent @ Extent::Range(..)),
                    exact: true,
                },
                by,
                BinOp::Add | BinOp::Sub,
            ) => Some(Position::Moved {
                axis,
                extent,
                by: if op == BinOp::Add { by } else { -by },
            }),
            _ => None,
        }
    }

    fn affine_position(&self, e: &Expr, integer: &str) -> Position {
        match self.affine(e, integer) {
            // Positions of an offset field may be negative.
            Some(found) if integer == "isize" && (found.stride.abs() != 1 || found.low != found.high) => {
                Position::Other
            }
            Some(found) if found.axis.is_some() => Position::Affine(found),
            _ => Position::Other,
        }
    }

    /// A position of the loop, times a number, plus numbers, variables of sequential loops, and what does not change during the loop. The
    /// arithmetic is that of an index: of 64 bits, and where a position is multiplied lowering saw to it that nothing wraps.
    fn affine(&self, e: &Expr, integer: &str) -> Option<Affine> {
        if let Some(number) = affine::number(e) {
            let number = i64::try_from(number).ok()?;
            return Some(Affine::numbers(number, number));
        }
        match &e.kind {
            ExprKind::Cast(..) => match self.position(e, integer) {
                Position::Own { axis, .. } => Some(Affine::own(axis)),
                _ => None,
            },
            ExprKind::Local(id, _) => match self.of_local(*id) {
                Position::Own { axis, .. } => Some(Affine::own(axis)),
                // Of the type of an index that counts from 0, hence not negative.
                Position::Below(Extent::Literal(end)) if integer == "usize" => {
                    let last = i64::try_from(end.saturating_sub(1)).ok()?;
                    Some(Affine::numbers(0, last))
                }
                _ => self
                    .sums
                    .get(&(*id, integer == "isize"))
                    .cloned()
                    .or_else(|| self.fixed_local(*id)),
            },
            ExprKind::FieldLen(..) | ExprKind::Index(..) => extent_of(self.func, e).map(Affine::fixed),
            ExprKind::Binary(BinOp::Add, _, a, b, _) => self.affine(a, integer)?.plus(self.affine(b, integer)?),
            ExprKind::Binary(BinOp::Sub, _, a, b, _) => self.affine(a, integer)?.minus(self.affine(b, integer)?),
            ExprKind::Binary(BinOp::Mul, _, a, b, _) => match (affine::number(a), affine::number(b)) {
                (Some(n), None) => self.product(b, n, integer),
                (None, Some(n)) => self.product(a, n, integer),
                _ => {
                    let (a, b) = (self.affine(a, integer)?, self.affine(b, integer)?);
                    if a.axis.is_some() || b.axis.is_some() {
                        None
                    } else {
                        a.times(b)
                    }
                }
            },
            _ => None,
        }
    }

    fn product(&self, e: &Expr, factor: u64, integer: &str) -> Option<Affine> {
        let factor = i64::try_from(factor).ok()?;
        self.factor(e, integer)?.times(Affine::numbers(factor, factor))
    }

    /// A variable that is an extent, a number, or from outside of the loops.
    fn fixed_local(&self, id: LocalId) -> Option<Affine> {
        let local = self.func.local(id);
        match &local.value {
            _ if local.mutable => None,
            Value::Alias(other) => self.fixed_local(*other),
            Value::Extent(Extent::Literal(n)) => {
                let n = i64::try_from(*n).ok()?;
                Some(Affine::numbers(n, n))
            }
            _ => match extent_of_local(self.func, id) {
                Some(extent) => Some(Affine::fixed(extent.clone())),
                None => local.inside.is_none().then(|| Affine::fixed(Extent::Local(id))),
            },
        }
    }

    /// What is multiplied: positions in it have to be limited.
    fn factor(&self, e: &Expr, integer: &str) -> Option<Affine> {
        if let Some(position) = affine::limited(e) {
            return self.affine(position, integer);
        }
        match &e.kind {
            ExprKind::Binary(BinOp::Add, _, a, b, _) => self.factor(a, integer)?.plus(self.factor(b, integer)?),
            ExprKind::Binary(BinOp::Sub, _, a, b, _) => self.factor(a, integer)?.minus(self.factor(b, integer)?),
            ExprKind::Binary(BinOp::Mul, ..) => self.affine(e, integer),
            _ => self.affine(e, integer).filter(|found| found.axis.is_none()),
        }
    }

    fn of_local(&self, id: LocalId) -> Position {
        let local = self.func.local(id);
        if local.mutable {
            return Position::Other;
        }
        match &local.value {
            Value::Alias(other) => self.of_local(*other),
            Value::Parallel { axis, extent } if local.inside == self.parallel && local.inside.is_some() => {
                let extent = extent.clone().filter(|e| self.is_fixed(e));
                Position::Own {
                    axis: *axis,
                    extent,
                    exact: true,
                }
            }
            Value::Below(extent) if self.is_fixed(extent) => Position::Below(extent.clone()),
            Value::Within(extent) if self.is_fixed(extent) => Position::Within(extent.clone()),
            _ => Position::Other,
        }
    }

    /// Notes what the variables of a pattern are.
    fn bind(&mut self, pat: &Pat, init: &Expr) {
        match (pat, &init.kind) {
            (Pat::Bind { local, .. }, _) if !self.func.local(*local).mutable => {
                for (integer, signed) in [("usize", false), ("isize", true)] {
                    if let Some(sum) = self.affine(init, integer) {
                        self.sums.insert((*local, signed), sum);
                    }
                }
            }
            (Pat::Tuple(pats), ExprKind::Tuple(parts)) | (Pat::Array(pats), ExprKind::Array(parts, _)) => {
                pats.iter().zip(parts).for_each(|(pat, part)| self.bind(pat, part));
            }
            _ => {}
        }
    }

    /// Whether an extent has one value during the parallel loop.
    fn is_fixed(&self, extent: &Extent) -> bool {
        match extent {
            Extent::Local(id) => {
                let local = self.func.local(*id);
                !local.mutable && local.inside.is_none()
            }
            _ => true,
        }
    }

    /// Whether a position of the loop is compared, as it is, with what is made of extents.
    fn guards(&self, e: &Expr) -> bool {
        let ExprKind::Binary(op, _, a, b, _) = &e.kind else {
            return false;
        };
        let own = |e: &Expr| matches!(self.position(e, "usize"), Position::Own { exact: true, .. });
        let extents = |e: &Expr| {
            any(e, |e| match &e.kind {
                ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => true,
                ExprKind::Local(id, _) => extent_of_local(self.func, *id).is_some(),
                _ => false,
            })
        };
        op.is_comparison() && (own(a) && !own(b) && extents(b) || own(b) && !own(a) && extents(a))
    }

    /// What stands behind a condition that has this value.
    fn behind(&mut self, condition: &Expr, holds: bool, visit: impl FnOnce(&mut Self)) {
        let count = self.facts.count();
        if self.parallel.is_some() {
            self.facts.assume(condition, holds);
        }
        visit(self);
        self.facts.forget(count);
    }

    fn indices(&mut self, access: &Access, steps: &[Step<'_>]) {
        access.index.iter().for_each(|e| self.expr(e));
        for step in steps {
            if let Step::Index(index) = step {
                self.expr(index);
            }
        }
    }

    /// A place that is written; `reads` if its old value is used as well.
    fn written(&mut self, place: &Expr, reads: bool) {
        match place.field_place() {
            Some(found) => {
                self.indices(found.access, &found.steps);
                if reads {
                    self.note(&found, Mode::Read);
                }
                self.note(&found, Mode::Write);
            }
            None => self.expr(place),
        }
    }
}

impl Visit for Collect<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
        if let Stmt::Let {
            pat, init: Some(init), ..
        } = stmt
            && self.parallel.is_some()
        {
            self.bind(pat, init);
            self.facts.bind(pat, init);
        }
    }

    fn block(&mut self, block: &Block) {
        let count = self.facts.count();
        for stmt in &block.stmts {
            self.stmt(stmt);
            // Who comes to the next one had the other value.
            if let Stmt::Expr(e) = stmt {
                self.facts.pass(e);
            }
        }
        block.tail.iter().for_each(|e| self.expr(e));
        self.facts.forget(count);
    }

    fn parallel(&mut self, p: &ParFor) {
        self.parallel = Some(p.number);
        self.each = !matches!(&p.domain, Domain::Range(range) if range.step.is_some());
        self.conditional = 0;
        walk_parallel(self, p);
        self.parallel = None;
        self.conditional = 0;
        self.guarded = false;
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.written(place, false);
            }
            ExprKind::AssignOp(_, _, place, value, _) => {
                self.expr(value);
                self.written(place, true);
            }
            ExprKind::Atomic(op, _, place, args) => {
                if let Some(found) = place.field_place() {
                    self.indices(found.access, &found.steps);
                    args.iter().for_each(|e| self.expr(e));
                    self.note(&found, Mode::Atomic(*op));
                }
            }
            ExprKind::Field(_) | ExprKind::Member(..) | ExprKind::Index(..) => match e.field_place() {
                Some(found) => {
                    self.indices(found.access, &found.steps);
                    self.note(&found, Mode::Read);
                }
                None => walk_expr(self, e),
            },
            ExprKind::Continue(_) | ExprKind::Break(..) => {
                walk_expr(self, e);
                // What comes after it, up to the end of the loop, may be left out.
                self.conditional += 1;
            }
            ExprKind::If(cond, then, otherwise) => {
                self.conditional += 1;
                self.expr(cond);
                self.behind(cond, true, |this| this.block(then));
                self.behind(cond, false, |this| otherwise.iter().for_each(|e| this.expr(e)));
                self.conditional -= 1;
            }
            ExprKind::While(_, cond, body) => {
                self.conditional += 1;
                self.expr(cond);
                self.behind(cond, true, |this| this.block(body));
                self.conditional -= 1;
            }
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), _, a, b, _) => {
                self.conditional += 1;
                self.expr(a);
                self.behind(a, *op == BinOp::And, |this| this.expr(b));
                self.conditional -= 1;
            }
            ExprKind::For(_, pat, range, _) => {
                self.conditional += 1;
                self.facts.bind_counter(pat, [&range.start, &range.end]);
                walk_expr(self, e);
                self.conditional -= 1;
            }
            ExprKind::Match(..) | ExprKind::Loop(..) => {
                self.conditional += 1;
                walk_expr(self, e);
                self.conditional -= 1;
            }
            _ => {
                self.guarded |= self.guards(e);
                walk_expr(self, e);
            }
        }
    }
}

fn is_named(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident(name))
}

/// The access in the user's own words.
fn text(access: &Access, path: &[String]) -> String {
    let mut text = source::text(&access.source);
    for member in path {
        text.push('.');
        text.push_str(member);
    }
    text
}
