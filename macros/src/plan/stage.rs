//! Straight loops in blocks (strip-mining with transposition, and non-temporal stores): elements that belong to an iteration itself are in planes, which the user's own code runs over lane by lane, as
//! LLVM vectorises it. It pays for large elements, which are copied there and back, and for results that are only written, which go from there
//! past the caches. Which of both is a matter of the elements' types, and of their memory, which rustc and the runtime know.

use std::collections::{BTreeMap, BTreeSet};

use super::rows;
use super::setting::plain;
use crate::budget::STREAMED_WORK;
use crate::hir::printing::may_print;
use crate::hir::visit::{Visit, any, walk_expr};
use crate::hir::{Access, BinOp, Block, Check, Domain, Expr, ExprKind, Func, LocalId, ParFor, Stmt};

/// A loop whose body is straight.
pub struct Stages<'h> {
    pub func: &'h Func,
    pub in_rows: bool,
    pub fields: BTreeMap<LocalId, Use>,
    /// What the body does, in operators.
    pub work: usize,
    /// Whether the fields are all that iterations have an own element of.
    pub whole: bool,
    /// Whether what a block prints is kept until it has ended.
    pub prints: bool,
    /// All fields of the body.
    pub touched: BTreeSet<LocalId>,
    /// A condition without which the body does nothing, and its limits: where these are positions it holds between two positions at which it does.
    pub condition: Option<(&'h Expr, Vec<&'h Expr>)>,
}

/// How the body uses the elements of a field that belong to its iteration.
#[derive(Clone, Copy, Default)]
pub struct Use {
    /// It needs the values from before.
    pub filled: bool,
    /// It changes them.
    pub written: bool,
}

impl<'h> Stages<'h> {
    /// The loop in blocks, if that is right and may pay.
    pub fn of(func: &'h Func, p: &'h ParFor, in_rows: bool) -> Option<Stages<'h>> {
        let counted = match &p.domain {
            Domain::Range(range) => !range.reverse && range.step.is_none(),
            Domain::Indices(..) | Domain::NdRange(_) => true,
        };
        if plain() || !counted || p.reduces() || !p.offsets.is_empty() || p.vars.iter().any(Option::is_none) {
            return None;
        }
        // A block in which such a condition does not hold throughout is no block.
        let (condition, body) = match rows::only_if(&p.body) {
            Some((condition, body)) => match rows::holds_between(func, p, condition) {
                Some(limits) => (Some((condition, limits)), body),
                None => (None, &p.body),
            },
            None => (None, &p.body),
        };
        let search = Search::of(func, p, body);
        if !search.fits {
            return None;
        }
        let mut fields = search.fields;
        for (field, own) in &mut fields {
            own.filled = !is_first_written(body, *field);
        }
        let moves = |(field, fixed): &(LocalId, bool)| !*fixed || fields.contains_key(field);
        // What adds and scales is vector code as it is, and what copies needs none.
        let whole = !search.checked && search.work > search.accesses && !search.others.iter().any(moves);
        if !whole {
            // Checks in place mostly are those of the condition again, which LLVM takes out.
            let elsewhere = |field: &LocalId| search.others.iter().any(|(other, _)| other == field);
            fields.retain(|field, own| own.written && !own.filled && !elsewhere(field));
            if search.work > STREAMED_WORK {
                return None;
            }
        }
        (!fields.is_empty()).then_some(Stages {
            func,
            in_rows,
            touched: search.touched,
            fields,
            work: search.work,
            whole,
            prints: may_print(&p.body),
            condition,
        })
    }

    /// Fields that are written without being read.
    pub fn written_only(&self) -> impl Iterator<Item = LocalId> {
        let fields = self.fields.iter().filter(|(_, own)| own.written && !own.filled);
        fields.map(|(field, _)| *field)
    }
}

/// What a straight body does with fields.
struct Search<'h> {
    func: &'h Func,
    vars: &'h [Option<LocalId>],
    /// Fields of which it uses the iteration's own element.
    fields: BTreeMap<LocalId, Use>,
    /// All fields.
    touched: BTreeSet<LocalId>,
    /// Fields of which it reads other elements, and whether these are the same for all iterations.
    others: Vec<(LocalId, bool)>,
    /// Whether iterations are straight code that writes to own elements alone.
    fits: bool,
    /// Whether an index is checked in place.
    checked: bool,
    /// How often elements are named.
    accesses: usize,
    work: usize,
}

impl<'h> Search<'h> {
    fn of(func: &'h Func, p: &'h ParFor, body: &Block) -> Self {
        let mut search = Search {
            func,
            vars: &p.vars,
            fields: BTreeMap::new(),
            touched: BTreeSet::new(),
            others: Vec::new(),
            fits: true,
            checked: false,
            accesses: 0,
            work: 0,
        };
        search.block(body);
        search
    }

    /// What an expression does, without its parts. That of a product of two elements may be a product of matrices.
    fn own_work(&self, e: &Expr) -> usize {
        match &e.kind {
            ExprKind::Binary(BinOp::Mul | BinOp::Div, _, a, b, _)
            | ExprKind::AssignOp(BinOp::Mul | BinOp::Div, _, a, b, _) => match self.is_fixed(a) || self.is_fixed(b) {
                true => 1,
                false => 4,
            },
            ExprKind::Binary(..) | ExprKind::AssignOp(..) | ExprKind::Unary(..) => 1,
            ExprKind::Method { .. } | ExprKind::Call { .. } => 4,
            _ => 0,
        }
    }

    fn access(&mut self, access: &Access) {
        self.accesses += 1;
        if !self.func.is_offset(access.field) {
            self.touched.insert(access.field);
        }
        let check = self.func.access(access.id).check;
        self.checked |= check == Check::InKernel;
        // Where one is not made, what is claimed in `unsafe` need not hold: a block touches the elements of all its iterations.
        if self.is_own(access) && check != Check::Unchecked {
            self.fields.entry(access.field).or_default();
        } else {
            let fixed = access.index.iter().all(|e| self.is_fixed(e));
            self.others.push((access.field, fixed));
        }
    }

    /// A function may read any element, and checks in place.
    fn lent(&mut self, field: LocalId) {
        self.touched.insert(field);
        self.others.push((field, false));
        self.checked = true;
    }

    fn is_own(&self, access: &Access) -> bool {
        let mut parts = access.index.iter().zip(self.vars);
        access.index.len() == self.vars.len()
            && !self.func.is_offset(access.field)
            && parts.all(|(e, var)| matches!(&e.kind, ExprKind::Local(id, _) if Some(*id) == *var))
    }

    fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) => true,
            ExprKind::Local(id, _) => self.func.local(*id).inside.is_none(),
            _ => false,
        }
    }

    fn written(&mut self, place: &Expr) {
        if let Some(place) = place.field_place() {
            match self.is_own(place.access) {
                true => self.fields.entry(place.access.field).or_default().written = true,
                false => self.fits = false,
            }
        }
    }
}

impl Visit for Search<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { init, .. } => init.iter().for_each(|e| self.expr(e)),
            Stmt::Expr(e) => self.expr(e),
            Stmt::ParFor(_) => self.fits = false,
        }
    }

    fn expr(&mut self, e: &Expr) {
        self.work += self.own_work(e);
        match &e.kind {
            ExprKind::For(..)
            | ExprKind::While(..)
            | ExprKind::Loop(..)
            | ExprKind::Break(..)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Atomic(..)
            | ExprKind::Print { .. }
            | ExprKind::Fail { .. } => self.fits = false,
            ExprKind::Ref { mutable: true, place } if place.field_place().is_some() => self.fits = false,
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..) => self.written(place),
            ExprKind::Field(access) => self.access(access),
            ExprKind::FieldArgument(field, _) => self.lent(*field),
            _ => {}
        }
        walk_expr(self, e);
    }
}

/// Whether each iteration sets the whole of its element before anything looks at it.
fn is_first_written(body: &Block, field: LocalId) -> bool {
    let stmts = body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Let { init, .. } => init.as_ref(),
        Stmt::Expr(e) => Some(e),
        Stmt::ParFor(_) => None,
    });
    let first = stmts.chain(body.tail.as_deref()).find(|e| mentions(e, field));
    first.is_some_and(|e| writes_first(e, field))
}

/// The same of an expression.
fn writes_first(e: &Expr, field: LocalId) -> bool {
    match &e.kind {
        ExprKind::Assign(place, value) => matches!(place.kind, ExprKind::Field(_)) && !mentions(value, field),
        ExprKind::If(condition, then, Some(otherwise)) => {
            !mentions(condition, field) && is_first_written(then, field) && writes_first(otherwise, field)
        }
        ExprKind::Block { block, .. } => is_first_written(block, field),
        ExprKind::Decided { value, .. } => writes_first(value, field),
        _ => false,
    }
}

/// Whether an expression accesses a field.
fn mentions(e: &Expr, field: LocalId) -> bool {
    any(
        e,
        |e| matches!(&e.kind, ExprKind::Field(access) if access.field == field),
    )
}
