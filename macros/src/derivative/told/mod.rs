//! Types that literals have by what a derivative leaves out.
//!
//! Rustc finds the type of `let c = 0.1;` from what becomes of `c`. A derivative has other variables, one for each value, and leaves statements out:
//! there `c` could be an `f64` where the kernel's is an `f32`, and a comparison such as `c + 0.2 > 0.3` could decide otherwise. So kinds of numbers are
//! followed through the kernel: variables whose numbers have one type are one class. Where a class has a type that can be written, it is written at
//! the literals; where it has one that cannot, and an expression of literals alone depends on it, the user has to write it.

mod decide;
mod declare;
mod whole;

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;
use swathe_ir::{BinOp, LocalId, ParamKind};
use whole::FAR;

use super::names::plain;
use super::rules;
use crate::error::Errors;
use crate::hir::{Block, Domain, Expr, ExprKind, Func, Literals, ParFor, Pat, Pattern, PatternValue, Range, Stmt};

type Class = usize;

/// What is known of the type of a class's numbers.
#[derive(Clone, Default)]
struct Told {
    /// Whether anything but literals tells it.
    any: bool,
    /// How it is written.
    name: Option<syn::Type>,
    /// Whether a method joins it, which may be one of the user's.
    by_method: bool,
}

/// A value whose type matters: what it is compared with, is of its own type.
struct Root<'f> {
    parts: Vec<&'f Expr>,
    class: Class,
    span: Span,
}

/// What is added to a variable, or subtracted.
struct Added<'f> {
    local: LocalId,
    op: BinOp,
    value: &'f Expr,
    /// The `while` loop in a round of which it happens, and how often in one; of the function where there is none.
    frame: Option<usize>,
    times: i64,
}

struct Search<'f> {
    func: &'f Func,
    parent: Vec<Class>,
    told: Vec<Told>,
    of: HashMap<LocalId, Class>,
    elements: HashMap<LocalId, Class>,
    ret: Class,
    /// What variables are given.
    given: Vec<(LocalId, Vec<&'f Expr>)>,
    /// Variables whose types are written.
    typed: HashSet<LocalId>,
    /// What is added to variables, or subtracted.
    steps: Vec<Added<'f>>,
    /// The `while` loops, by their conditions.
    conditions: Vec<&'f Expr>,
    /// The innermost `while` loop around, and how often a round of it, or the whole function, comes by here at most.
    frame: Option<usize>,
    times: i64,
    /// The parallel loop around.
    parallel: Option<usize>,
    /// Variables that change in other ways.
    computed: HashSet<LocalId>,
    roots: Vec<Root<'f>>,
}

/// What is written of the types of literals.
#[derive(Default)]
pub struct Types {
    /// The types to write at the literals of variables.
    pub types: HashMap<LocalId, syn::Type>,
    /// The variables whose later values are said to have the type of the first one.
    pub alike: HashSet<LocalId>,
    /// What rustc has to confirm of the kernel: an operator or a method that looks like that of a number may be one of the user's.
    pub literals: Vec<(LocalId, Literals)>,
}

/// What has to be written of the types of literals.
pub fn types(func: &Func, errors: &mut Errors) -> Types {
    let mut search = Search {
        func,
        parent: Vec::new(),
        told: Vec::new(),
        of: HashMap::new(),
        elements: HashMap::new(),
        ret: 0,
        given: Vec::new(),
        typed: HashSet::new(),
        steps: Vec::new(),
        conditions: Vec::new(),
        frame: None,
        times: 1,
        parallel: None,
        computed: HashSet::new(),
        roots: Vec::new(),
    };
    search.ret = search.fresh();
    if let Some((ty, _)) = &func.ret {
        search.tell(search.ret, number(ty));
    }
    for param in &func.params {
        let class = search.local(param.local);
        if param.kind == ParamKind::Value {
            search.tell(class, number(&param.ty));
        }
    }
    let tail = search.block(&func.body);
    search.join(tail, search.ret);
    search.decide(errors)
}

/// The type of the numbers in values of a type, as it can be written.
fn number(ty: &syn::Type) -> Option<syn::Type> {
    match ty {
        syn::Type::Path(_) | syn::Type::Array(_) if !is_inferred(ty) => {
            Some(primitive(ty).unwrap_or_else(|| syn::parse_quote!(<#ty as ::swathe::derivative::Numbers>::Number)))
        }
        _ => None,
    }
}

/// Whether `_` stands in a type.
fn is_inferred(ty: &syn::Type) -> bool {
    struct Infers(bool);
    impl<'a> syn::visit::Visit<'a> for Infers {
        fn visit_type_infer(&mut self, _: &'a syn::TypeInfer) {
            self.0 = true;
        }
    }
    let mut infers = Infers(false);
    syn::visit::Visit::visit_type(&mut infers, ty);
    infers.0
}

/// A number's type as it is written, if it is the name of one.
fn primitive(ty: &syn::Type) -> Option<syn::Type> {
    let names = [
        "f32", "f64", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize",
    ];
    let known = matches!(ty, syn::Type::Path(path) if names.iter().any(|name| path.path.is_ident(name)));
    known.then(|| ty.clone())
}

fn named(name: &str) -> Option<syn::Type> {
    syn::parse_str(name).ok()
}

/// Whether a literal's type is left open.
fn is_open(lit: &syn::Lit) -> bool {
    match lit {
        syn::Lit::Int(n) => n.suffix().is_empty(),
        syn::Lit::Float(x) => x.suffix().is_empty(),
        _ => false,
    }
}

/// The type that stands behind a literal.
fn suffix(lit: &syn::Lit) -> Option<syn::Type> {
    match lit {
        syn::Lit::Int(n) => named(n.suffix()),
        syn::Lit::Float(x) => named(x.suffix()),
        _ => None,
    }
}

/// Methods of numbers without derivatives whose operands and value have one type.
const ALIKE: [&str; 9] = [
    "rem_euclid",
    "div_euclid",
    "div_ceil",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "saturating_add",
    "saturating_sub",
    "saturating_mul",
];

impl<'f> Search<'f> {
    fn fresh(&mut self) -> Class {
        self.parent.push(self.parent.len());
        self.told.push(Told::default());
        self.parent.len() - 1
    }

    /// Of a type that something tells which has no name here.
    fn unknown(&mut self) -> Class {
        let class = self.fresh();
        self.tell(class, None);
        class
    }

    fn find(&self, mut class: Class) -> Class {
        while self.parent[class] != class {
            class = self.parent[class];
        }
        class
    }

    fn join(&mut self, a: Class, b: Class) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            let other = std::mem::take(&mut self.told[b]);
            self.parent[b] = a;
            self.told[a].any |= other.any;
            self.told[a].by_method |= other.by_method;
            self.told[a].name = self.told[a].name.take().or(other.name);
        }
    }

    fn tell(&mut self, class: Class, name: Option<syn::Type>) {
        let class = self.find(class);
        self.told[class].any = true;
        if self.told[class].name.is_none() {
            self.told[class].name = name;
        }
    }

    fn local(&mut self, local: LocalId) -> Class {
        if let Some(class) = self.of.get(&local) {
            return *class;
        }
        let class = self.fresh();
        self.of.insert(local, class);
        class
    }

    fn root(&mut self, parts: Vec<&'f Expr>, class: Class, span: Span) {
        self.roots.push(Root { parts, class, span });
    }

    fn index(&mut self, e: &'f Expr, offset: bool) {
        let class = self.expr(e);
        self.tell(class, named(if offset { "isize" } else { "usize" }));
    }

    fn all(&mut self, all: impl IntoIterator<Item = &'f Expr>) {
        for e in all {
            let class = self.expr(e);
            self.tell(class, None);
        }
    }

    fn place(&mut self, e: &'f Expr) -> Option<Class> {
        let place = e.field_place()?;
        let field = place.access.field;
        let param = self.func.params.iter().find(|p| p.local == field)?;
        let offset = param.is_offset();
        for index in &place.access.index {
            match &index.kind {
                ExprKind::Array(parts, _) => parts.iter().for_each(|e| self.index(e, offset)),
                _ => self.index(index, offset),
            }
        }
        for step in &place.steps {
            if let crate::hir::Step::Index(index) = step {
                self.index(index, false);
            }
        }
        if !place.steps.is_empty() {
            return Some(self.unknown());
        }
        if let Some(class) = self.elements.get(&field) {
            return Some(*class);
        }
        let name = super::make::element(&param.ty).and_then(number);
        let class = self.fresh();
        self.tell(class, name);
        self.elements.insert(field, class);
        Some(class)
    }

    fn range(&mut self, range: &'f Range) -> Class {
        let (start, end) = (self.expr(&range.start), self.expr(&range.end));
        self.join(start, end);
        if let Some(step) = &range.step {
            self.index(step, false);
        }
        start
    }

    fn block(&mut self, block: &'f Block) -> Class {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, ty, init, .. } => self.declare(pat, ty.as_deref(), init.as_ref()),
                Stmt::Expr(e) => {
                    self.expr(e);
                }
                Stmt::ParFor(p) => self.parallel(p),
            }
        }
        match &block.tail {
            Some(tail) => self.expr(tail),
            None => self.fresh(),
        }
    }

    fn pattern(&mut self, pattern: &Pattern, value: Class) {
        match pattern {
            Pattern::Bind { local, .. } => {
                let class = self.local(*local);
                self.join(class, value);
            }
            Pattern::Named { local, pattern, .. } => {
                let class = self.local(*local);
                self.join(class, value);
                self.pattern(pattern, value);
            }
            Pattern::Or(all) => all.iter().for_each(|pattern| self.pattern(pattern, value)),
            Pattern::Tuple(all) => {
                let part = self.unknown();
                all.iter().for_each(|pattern| self.pattern(pattern, part));
            }
            Pattern::Struct { members, .. } => {
                let part = self.unknown();
                members.iter().for_each(|(_, pattern)| self.pattern(pattern, part));
            }
            Pattern::Value(of) => self.pattern_value(of, value),
            Pattern::Range { start, end, .. } => {
                start.iter().chain(end).for_each(|of| self.pattern_value(of, value));
            }
            Pattern::Wild(_) => {}
        }
    }

    fn pattern_value(&mut self, of: &PatternValue, value: Class) {
        match of {
            PatternValue::Lit { lit, .. } if is_open(lit) => {}
            PatternValue::Lit { lit, .. } => self.tell(value, suffix(lit)),
            PatternValue::Const(..) => self.tell(value, None),
        }
    }

    fn parallel(&mut self, p: &'f ParFor) {
        let (class, name) = match &p.domain {
            Domain::Indices(field, _) => {
                let offset = self.func.params.iter().any(|p| p.local == *field && p.is_offset());
                (self.fresh(), named(if offset { "isize" } else { "usize" }))
            }
            Domain::Range(range) => (self.range(range), None),
            Domain::NdRange(extents) => {
                extents.iter().for_each(|e| self.index(e, false));
                (self.fresh(), named("usize"))
            }
        };
        self.tell(class, name);
        for var in p.vars.iter().flatten() {
            let of = self.local(*var);
            self.join(of, class);
        }
        self.parallel = Some(p.number);
        self.block(&p.body);
        self.parallel = None;
    }

    /// What happens so many times.
    fn repeated(&mut self, times: i64, walk: impl FnOnce(&mut Self) -> Class) -> Class {
        let outer = self.times;
        self.times = outer.saturating_mul(times).min(FAR);
        let class = walk(self);
        self.times = outer;
        class
    }

    #[allow(clippy::too_many_lines)]
    fn expr(&mut self, e: &'f Expr) -> Class {
        match &e.kind {
            ExprKind::Lit(lit, _) => {
                let class = self.fresh();
                if !is_open(lit) {
                    self.tell(class, suffix(lit));
                }
                class
            }
            ExprKind::Local(local, _) => self.local(*local),
            ExprKind::Unary(_, a, _) => self.expr(a),
            ExprKind::Binary(op, _, a, b, _) => {
                let (of_a, of_b) = (self.expr(a), self.expr(b));
                match op {
                    BinOp::Shl | BinOp::Shr => {
                        self.tell(of_b, None);
                        of_a
                    }
                    BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                        self.join(of_a, of_b);
                        self.root(vec![a, b], of_a, e.span);
                        self.unknown()
                    }
                    BinOp::And | BinOp::Or => self.unknown(),
                    _ => {
                        self.join(of_a, of_b);
                        of_a
                    }
                }
            }
            ExprKind::Assign(place, value) => {
                let (to, from) = (self.expr(place), self.expr(value));
                self.join(to, from);
                // A part has the type that the whole one gives it.
                if let ExprKind::Local(local, _) = &place.kind {
                    self.given.push((*local, vec![value]));
                }
                self.unknown()
            }
            ExprKind::AssignOp(op, _, place, value, _) => {
                let (to, from) = (self.expr(place), self.expr(value));
                match op {
                    BinOp::Shl | BinOp::Shr => self.tell(from, None),
                    _ => self.join(to, from),
                }
                match (&place.kind, op) {
                    (ExprKind::Local(local, _), BinOp::Add | BinOp::Sub) => {
                        // What a parallel loop accumulates grows with all iterations.
                        let own = self.func.local(*local).inside == self.parallel;
                        self.steps.push(Added {
                            local: *local,
                            op: *op,
                            value,
                            frame: self.frame,
                            times: if own { self.times } else { FAR },
                        });
                    }
                    _ => self.computed.extend(place.root_local()),
                }
                self.unknown()
            }
            ExprKind::Cast(a, ty, ..) => {
                let class = self.expr(a);
                self.root(vec![a], class, e.span);
                let class = self.fresh();
                self.tell(class, primitive(ty));
                class
            }
            ExprKind::Field(_) | ExprKind::Member(..) | ExprKind::Index(..) if e.field_place().is_some() => {
                match self.place(e) {
                    Some(class) => class,
                    None => self.unknown(),
                }
            }
            ExprKind::Member(base, _) => {
                let class = self.expr(base);
                self.tell(class, None);
                self.unknown()
            }
            ExprKind::Index(base, index) => {
                match &index.kind {
                    ExprKind::Array(parts, _) => parts.iter().for_each(|e| self.index(e, false)),
                    _ => self.index(index, false),
                }
                self.expr(base)
            }
            ExprKind::FieldLen(..) => {
                let class = self.fresh();
                self.tell(class, named("usize"));
                class
            }
            ExprKind::Method {
                receiver, name, args, ..
            } => {
                let class = self.expr(receiver);
                let name = plain(name);
                if name == "as_usize" && args.is_empty() {
                    self.root(vec![receiver], class, e.span);
                    let index = self.fresh();
                    self.tell(index, named("usize"));
                    return index;
                }
                let alike = ALIKE.contains(&name.as_str());
                if (alike || rules::exists(&name, args.len() + 1)) && name != "powi" {
                    for arg in args {
                        let arg = self.expr(arg);
                        self.join(class, arg);
                    }
                    let root = self.find(class);
                    self.told[root].by_method = true;
                    return class;
                }
                self.all(args);
                self.root(vec![receiver], class, e.span);
                match name.as_str() {
                    "powi" | "pow" | "wrapping_pow" => class,
                    _ => {
                        // It may be there for one type alone.
                        self.tell(class, None);
                        self.unknown()
                    }
                }
            }
            ExprKind::Call { path, on, args, .. } => {
                let last = path.path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
                if let (None, "detach", [value]) = (on, last.as_str(), &args[..]) {
                    let class = self.expr(value);
                    self.root(vec![value], class, e.span);
                    return class;
                }
                self.all(args);
                self.unknown()
            }
            ExprKind::Array(parts, _) => {
                let class = self.fresh();
                for part in parts {
                    let part = self.expr(part);
                    self.join(class, part);
                }
                class
            }
            ExprKind::Repeat(part, ..) => self.expr(part),
            ExprKind::Tuple(parts) => {
                self.all(parts);
                self.unknown()
            }
            ExprKind::Struct { members, base, .. } => {
                self.all(members.iter().map(|(_, e)| e));
                self.all(base.as_deref());
                self.unknown()
            }
            ExprKind::Block { block, .. } => self.block(block),
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                let class = self.block(then);
                if let Some(otherwise) = otherwise {
                    let other = self.expr(otherwise);
                    self.join(class, other);
                }
                class
            }
            ExprKind::Match(value, arms) => {
                let of = self.expr(value);
                self.root(vec![value], of, e.span);
                let class = self.fresh();
                for arm in arms {
                    self.pattern(&arm.pat, of);
                    if let Some(guard) = &arm.guard {
                        self.expr(guard);
                    }
                    let other = self.expr(&arm.body);
                    self.join(class, other);
                }
                class
            }
            ExprKind::Loop(_, body) => self.repeated(FAR, |s| s.block(body)),
            ExprKind::While(_, condition, body) => {
                self.repeated(FAR, |s| s.expr(condition));
                self.conditions.push(condition);
                let outer = (self.frame.replace(self.conditions.len() - 1), self.times);
                self.times = 1;
                let class = self.block(body);
                (self.frame, self.times) = outer;
                class
            }
            ExprKind::For(_, pat, range, body) => {
                let class = self.range(range);
                if let Pat::Bind { local, .. } = pat {
                    let of = self.local(*local);
                    self.join(of, class);
                    self.given.push((*local, vec![&*range.start, &*range.end]));
                }
                self.repeated(whole::rounds(range), |s| s.block(body))
            }
            ExprKind::Atomic(_, _, place, args) => {
                let class = self.expr(place);
                for arg in args {
                    let arg = self.expr(arg);
                    self.join(class, arg);
                }
                class
            }
            ExprKind::Return(Some(value)) => {
                let class = self.expr(value);
                self.join(class, self.ret);
                self.unknown()
            }
            ExprKind::OfClosure(_, inner) | ExprKind::Limited(inner) => self.expr(inner),
            // Whatever is printed tells nothing by that.
            ExprKind::Print { args, .. } | ExprKind::Fail { args, .. } => {
                for arg in args {
                    self.expr(arg);
                }
                self.unknown()
            }
            ExprKind::Ref { place, .. } => {
                self.all([&**place]);
                self.unknown()
            }
            _ => self.unknown(),
        }
    }
}
