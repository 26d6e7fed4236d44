//! A function's body in static single assignment: each variable has one value, each operation and read a name.
//!
//! A variable of the user's is one of these for each value that it has; where ways meet, behind `if`, `match` and loops, there is a new one.
//! What has no derivative whatever it is made of (indices, conditions, bounds of loops) stays an expression as it was written.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use swathe_ir::{BinOp, LocalId};

use crate::hir::{Casting, Literals};

/// Index into [`Body::vars`].
pub type Var = usize;

pub struct Info {
    pub ident: Ident,
    pub span: Span,
    /// Whether it depends on something that has a derivative.
    pub varied: bool,
}

/// An operand.
#[derive(Clone)]
pub enum Atom {
    Var(Var),
    /// A literal or a constant.
    Given(TokenStream),
}

impl Atom {
    pub fn var(&self) -> Option<Var> {
        match self {
            Atom::Var(v) => Some(*v),
            Atom::Given(_) => None,
        }
    }

    pub fn same(&self, other: &Atom) -> bool {
        matches!((self, other), (Atom::Var(a), Atom::Var(b)) if a == b)
    }
}

/// An expression as it was written, in the names of here.
#[derive(Clone, Default)]
pub struct Inline {
    pub tokens: TokenStream,
    pub uses: BTreeSet<Var>,
    /// Fields of which it reads elements, with the members that it reads, and where.
    pub reads: Vec<FieldRead>,
}

#[derive(Clone)]
pub struct FieldRead {
    pub field: LocalId,
    pub path: Vec<String>,
    pub span: Span,
}

#[derive(Clone)]
pub enum Step {
    Member(syn::Member),
    Index(Inline),
}

/// An element of a field, or a part of it.
#[derive(Clone)]
pub struct Place {
    pub field: LocalId,
    pub index: Inline,
    pub steps: Vec<Step>,
    /// Members from the element inwards.
    pub path: Vec<String>,
    /// Whether no other iteration of the loop, and no other access in it, reads what lies there.
    pub own: bool,
    pub span: Span,
}

pub enum Op {
    Copy(Atom),
    Binary(BinOp, Atom, Atom),
    /// `a += b` and its like, as the value that `a` has behind it.
    Changed(BinOp, Atom, Atom),
    Neg(Atom),
    Not(Atom),
    /// A method with a rule; its receiver comes first.
    Rule {
        name: String,
        /// How it is called.
        written: Written,
        args: Vec<Atom>,
    },
    /// A function of the user's.
    Call {
        path: Box<syn::ExprPath>,
        args: Vec<Atom>,
    },
    Detach(Atom),
    Member(Atom, syn::Member),
    Index(Atom, Inline),
    Tuple(Vec<Atom>),
    Array(Vec<Atom>),
    /// A function that gives a vector of its arguments, `Vec3::new`.
    Components(Box<syn::ExprPath>, Vec<Atom>),
    /// `Vec3::splat`: the same value for all components.
    Splat(Box<syn::ExprPath>, Atom),
    Repeat(Atom, Box<syn::Expr>),
    Struct {
        path: Box<syn::Path>,
        members: Vec<(syn::Member, Atom)>,
        base: Option<Atom>,
        tuple: bool,
    },
    Cast(Atom, Box<syn::Type>, Casting),
    Read(Place),
    /// A value with one part replaced.
    With(Atom, Vec<Step>, Atom),
    /// A value of the type of another one.
    Like(Atom, Atom),
    /// What has no derivative.
    Inline(Inline),
}

/// How a method is called.
#[derive(Clone)]
pub enum Written {
    Method(Ident),
    Path(Box<syn::ExprPath>),
}

pub struct Let {
    pub var: Var,
    pub ty: Option<Box<syn::Type>>,
    pub op: Op,
}

/// What a variable is behind alternatives: one value for each of them that comes to its end.
pub struct Phi {
    pub out: Var,
    pub arms: Vec<Option<Atom>>,
}

/// A variable that a loop changes.
pub struct Carried {
    pub entry: Atom,
    /// At the beginning of the body.
    pub inside: Var,
    /// At the end of the body.
    pub exit: Atom,
    /// Behind the loop.
    pub out: Var,
}

pub struct Range {
    pub start: Inline,
    pub end: Inline,
    pub inclusive: bool,
    pub reverse: bool,
    pub step: Option<Inline>,
    pub turned: bool,
}

pub enum Rounds {
    For(Option<Var>, Range),
    While(Inline),
}

pub struct Loop {
    pub rounds: Rounds,
    pub body: Region,
    pub carried: Vec<Carried>,
    /// Whether it stands outside of parallel loops, where it has to say that it is sequential.
    pub serial: bool,
    pub span: Span,
}

impl Loop {
    /// What it runs over.
    pub fn over(&self, range: &TokenStream) -> TokenStream {
        match self.serial {
            true => quote::quote!(::swathe::serial(#range)),
            false => range.clone(),
        }
    }
}

/// What stands between `if` or `match` and the alternatives.
pub enum Choice {
    If(Inline),
    /// The patterns and guards.
    Match(Inline, Vec<TokenStream>),
}

pub struct Branch {
    pub choice: Choice,
    pub arms: Vec<Region>,
    pub phis: Vec<Phi>,
}

/// A parallel loop.
pub struct Parallel {
    /// Between `for` and its body.
    pub head: TokenStream,
    pub uses: BTreeSet<Var>,
    pub reads: Vec<FieldRead>,
    pub body: Region,
    /// Variables that it accumulates into.
    pub sums: Vec<Sum>,
    pub number: usize,
}

pub struct Sum {
    pub local: LocalId,
    pub entry: Atom,
    pub out: Var,
}

pub enum Stmt {
    Let(Let),
    Write(Place, Atom),
    /// `+=`, or `-=`.
    Add(Place, bool, Atom),
    Atomic(Place, bool, Atom),
    /// Of a variable of a parallel loop's surroundings.
    Reduce(LocalId, bool, Atom),
    Branch(Branch),
    Loop(Loop),
    Parallel(Parallel),
    /// The round, or the function, ends with a failure.
    Fail,
}

#[derive(Default)]
pub struct Region {
    pub stmts: Vec<Stmt>,
}

pub struct Body {
    pub vars: Vec<Info>,
    pub region: Region,
    /// The value of the function.
    pub result: Option<Atom>,
    pub names: super::names::Names,
    /// Paths of functions that are taken for the library's `detach`, and types that are taken for integers.
    pub detached: Vec<syn::ExprPath>,
    pub integers: Vec<syn::Type>,
    /// Types of whose functions the rules are those of the library.
    pub built_in: Vec<syn::Type>,
    /// What rustc has to confirm of the kernel's literals.
    pub literals: Vec<(LocalId, Literals)>,
}

impl Inline {
    /// Takes what another one uses for this one's, too.
    pub fn join(&mut self, other: &Inline) {
        self.uses.extend(&other.uses);
        self.reads.extend(other.reads.iter().cloned());
    }
}

impl Op {
    /// Its operands, in order.
    pub fn atoms(&self) -> Vec<&Atom> {
        match self {
            Op::Copy(a)
            | Op::Neg(a)
            | Op::Not(a)
            | Op::Detach(a)
            | Op::Member(a, _)
            | Op::Index(a, _)
            | Op::Splat(_, a)
            | Op::Repeat(a, _)
            | Op::Cast(a, ..) => vec![a],
            Op::Binary(_, a, b) | Op::Changed(_, a, b) | Op::With(a, _, b) | Op::Like(a, b) => vec![a, b],
            Op::Rule { args, .. }
            | Op::Call { args, .. }
            | Op::Tuple(args)
            | Op::Array(args)
            | Op::Components(_, args) => args.iter().collect(),
            Op::Struct { members, base, .. } => members.iter().map(|(_, a)| a).chain(base).collect(),
            Op::Read(_) | Op::Inline(_) => Vec::new(),
        }
    }

    /// Expressions in it that have no derivative.
    pub fn inlines(&self) -> Vec<&Inline> {
        match self {
            Op::Index(_, inline) | Op::Inline(inline) => vec![inline],
            Op::Read(place) => place.inlines().collect(),
            Op::With(_, steps, _) => indices(steps).collect(),
            _ => Vec::new(),
        }
    }
}

fn indices(steps: &[Step]) -> impl Iterator<Item = &Inline> {
    steps.iter().filter_map(|step| match step {
        Step::Index(index) => Some(index),
        Step::Member(_) => None,
    })
}

impl Place {
    pub fn inlines(&self) -> impl Iterator<Item = &Inline> {
        std::iter::once(&self.index).chain(indices(&self.steps))
    }
}

impl Body {
    /// Finds what depends on something that has a derivative; `active` says of fields whether their elements have.
    pub fn vary(&mut self, active: &dyn Fn(LocalId) -> bool) {
        loop {
            let mut changed = false;
            let mut set = |vars: &mut Vec<Info>, var: Var, varied: bool| {
                changed |= varied && !vars[var].varied;
                vars[var].varied |= varied;
            };
            vary(&self.region, &mut self.vars, active, &mut set);
            if !changed {
                return;
            }
        }
    }
}

pub fn is_varied(vars: &[Info], atom: &Atom) -> bool {
    atom.var().is_some_and(|v| vars[v].varied)
}

fn vary(
    region: &Region,
    vars: &mut Vec<Info>,
    active: &dyn Fn(LocalId) -> bool,
    set: &mut dyn FnMut(&mut Vec<Info>, Var, bool),
) {
    let mut reduced: Vec<LocalId> = Vec::new();
    for stmt in &region.stmts {
        match stmt {
            Stmt::Let(l) => {
                let varied = match &l.op {
                    Op::Inline(_) | Op::Detach(_) => false,
                    Op::Read(place) => active(place.field),
                    Op::Like(a, _) => is_varied(vars, a),
                    op => op.atoms().into_iter().any(|a| is_varied(vars, a)),
                };
                set(vars, l.var, varied);
            }
            Stmt::Branch(branch) => {
                branch.arms.iter().for_each(|arm| vary(arm, vars, active, set));
                for phi in &branch.phis {
                    let varied = phi.arms.iter().flatten().any(|a| is_varied(vars, a));
                    set(vars, phi.out, varied);
                }
            }
            Stmt::Loop(l) => {
                for c in &l.carried {
                    let varied = is_varied(vars, &c.entry) || is_varied(vars, &c.exit);
                    set(vars, c.inside, varied);
                    set(vars, c.out, varied);
                }
                vary(&l.body, vars, active, set);
            }
            Stmt::Parallel(p) => {
                vary(&p.body, vars, active, set);
                reduced.clear();
                varied_sums(&p.body, vars, &mut reduced);
                for sum in &p.sums {
                    let varied = is_varied(vars, &sum.entry) || reduced.contains(&sum.local);
                    set(vars, sum.out, varied);
                }
            }
            Stmt::Write(..) | Stmt::Add(..) | Stmt::Atomic(..) | Stmt::Reduce(..) | Stmt::Fail => {}
        }
    }
}

/// Variables that something with a derivative is added to.
fn varied_sums(region: &Region, vars: &[Info], found: &mut Vec<LocalId>) {
    for stmt in &region.stmts {
        match stmt {
            Stmt::Reduce(local, _, a) if is_varied(vars, a) => found.push(*local),
            Stmt::Branch(b) => b.arms.iter().for_each(|arm| varied_sums(arm, vars, found)),
            Stmt::Loop(l) => varied_sums(&l.body, vars, found),
            _ => {}
        }
    }
}
