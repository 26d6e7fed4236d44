//! Tokens to HIR: resolves names, recognises what belongs to fields, refuses what the language does not have.

mod apart;
mod call;
mod claim;
mod closure;
mod defaults;
mod end;
mod expr;
mod item;
mod loops;
mod names;
mod offset;
mod parallel;
mod parts;
mod pat;
mod ranges;
mod serial;
mod stmt;
mod stride;

pub use call::PRIMITIVES;
pub use names::{Unnamed, texts};

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use closure::Closure;
use end::end;
use names::{Name, Resolved};
use proc_macro2::{Ident, Span};
use swathe_ir::{FuncKind, LabelId, LocalId, TypeSlot};

use crate::error::Errors;
use crate::hir::visit;
use crate::hir::{AccessInfo, Block, Expr, ExprKind, Func, Local, Slots, Stmt, Value, Witness, Witnesses};
use crate::order;

/// Why a name is refused.
const RESERVED: &str = "names that begin with two underscores belong to the code that swathe generates: leave one out";

/// Where a function stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Free,
    Impl {
        /// Of a type with type parameters.
        generic: bool,
    },
}

/// Lowers a function; `None` if it has errors.
pub fn func(
    sig: &syn::Signature,
    block: &syn::Block,
    kind: FuncKind,
    place: Place,
    errors: &mut Errors,
) -> Option<Func> {
    crate::meaning::of_function(sig, block, errors);
    let mut lower = Lower {
        errors,
        kind,
        place,
        name: sig.ident.to_string(),
        constant: sig.constness.is_some(),
        locals: Vec::new(),
        texts: names::texts(sig, block),
        witnesses: RefCell::default(),
        fields: HashMap::new(),
        defaults: defaults::with_default(&sig.generics),
        lent: HashSet::new(),
        lent_mut: HashSet::new(),
        closures: HashMap::new(),
        uncalled: BTreeSet::new(),
        closure_calls: 0,
        in_closures: 0,
        origins: 0,
        offset: HashSet::new(),
        ranks: HashMap::new(),
        open_ranks: HashMap::new(),
        open_ranks_told: HashSet::new(),
        scopes: vec![Vec::new()],
        labels: Vec::new(),
        next_label: 0,
        slots: Slots::default(),
        accesses: Vec::new(),
        items: Vec::new(),
        unsafe_depth: 0,
        serial_depth: 0,
        parallel: None,
        loop_positions: HashSet::new(),
        parallel_count: 0,
        numbers: HashMap::new(),
        moved_by_numbers: HashSet::new(),
        structs: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        levels: 0,
        too_deep: false,
        consequences: Errors::default(),
    };
    lower.signature(sig);
    let params = lower.params(sig);
    let ret = lower.result(sig);
    lower.slots.of_signature = lower.slots.types.len();
    let body = lower.body(block);
    if kind == FuncKind::Kernel && ret.is_some() && ends_without_value(&body) {
        let text = "this kernel ends without its result: end it with the value, and no `;` behind it";
        lower.errors.on(&sig.output, text);
    }
    lower.refuse_uncalled();
    if lower.errors.is_empty() {
        *lower.errors = std::mem::take(&mut lower.consequences);
    }
    if !lower.errors.is_empty() {
        return None;
    }
    let begin = block.brace_token.span.open();
    let (file, name) = (begin.file(), sig.ident.span());
    let func = Func {
        name: sig.ident.clone(),
        at: if name.file() == file { name } else { begin },
        file,
        files: RefCell::default(),
        kind,
        params,
        ret,
        locals: lower.locals,
        body,
        slots: lower.slots,
        items: lower.items,
        accesses: lower.accesses,
        witnesses: lower.witnesses.into_inner(),
        literals: Vec::new(),
        differentiated: false,
        is_derivative: false,
    };
    visit::number(&func.body);
    let generic = place == Place::Impl { generic: true } || sig.generics.type_params().next().is_some();
    order::check(&func, generic, errors);
    order::references(&func, errors);
    errors.is_empty().then_some(func)
}

struct Lower<'e> {
    errors: &'e mut Errors,
    kind: FuncKind,
    place: Place,
    name: String,
    /// Whether it is a `const fn`.
    constant: bool,
    locals: Vec<Local>,
    /// Of all names.
    texts: HashSet<String>,
    /// What rustc has to confirm.
    witnesses: RefCell<Witnesses>,
    /// Parameters that are references, other than to fields.
    lent: HashSet<LocalId>,
    /// Those of them, and `self`, that are mutable.
    lent_mut: HashSet<LocalId>,
    /// Variables that are closures.
    closures: HashMap<LocalId, Rc<Closure>>,
    /// Those that have not been called.
    uncalled: BTreeSet<LocalId>,
    closure_calls: usize,
    /// How many calls of closures are around what is lowered.
    in_closures: usize,
    /// Expressions in closures that have been told apart.
    origins: u32,
    /// Field parameters and whether they are `&mut`.
    fields: HashMap<LocalId, bool>,
    /// The fields among them whose positions count from an origin.
    offset: HashSet<LocalId>,
    /// How many axes they have, where their types say it.
    ranks: HashMap<LocalId, usize>,
    /// The parameters that stand for it in the types of the others.
    open_ranks: HashMap<LocalId, Ident>,
    /// Of which this has been refused.
    open_ranks_told: HashSet<LocalId>,
    /// Type parameters that have a `Default`.
    defaults: HashSet<Ident>,
    /// Innermost last, and in each the last declared one last.
    scopes: Vec<Vec<(Name, LocalId)>>,
    labels: Vec<Label>,
    next_label: u32,
    slots: Slots,
    accesses: Vec<AccessInfo>,
    items: Vec<syn::Item>,
    unsafe_depth: usize,
    /// Inside a loop that the user marked as sequential, outside of parallel ones.
    serial_depth: usize,
    /// Number of the parallel loop around.
    parallel: Option<usize>,
    /// Positions of parallel loops, by the user's names.
    loop_positions: HashSet<LocalId>,
    parallel_count: usize,
    /// Variables that are declared with numbers, as far as tokens tell.
    numbers: HashMap<LocalId, Number>,
    /// Variables that are [moved by numbers](Lower::is_moved_by_numbers).
    moved_by_numbers: HashSet<LocalId>,
    /// Expressions around the one that is lowered.
    levels: usize,
    /// Whether they were too many somewhere.
    too_deep: bool,
    /// Struct patterns of the statement that is lowered, and the variables that stand for what they take apart.
    structs: Vec<(LocalId, Ident, pat::Taken)>,
    /// Statements that stand in front of the one that is being made.
    before: Vec<Stmt>,
    /// Statements that stand behind it.
    after: Vec<Stmt>,
    /// What may only follow from another error, and is reported if there is none.
    consequences: Errors,
}

/// What literals make an expression, whichever of the types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Integer,
    Float,
}

/// What `break` and `continue` can name.
struct Label {
    name: Option<syn::Lifetime>,
    /// A labelled block takes only labelled breaks.
    is_loop: bool,
    /// Stands for a loop whose condition is around: it takes only labelled breaks, and lets no others pass.
    is_condition: bool,
    /// `None` for a parallel loop.
    break_to: Option<LabelId>,
    continue_to: LabelId,
}

impl Label {
    /// Of a loop.
    fn of_loop(label: Option<&syn::Label>, break_to: Option<LabelId>, continue_to: LabelId) -> Label {
        Label {
            name: label.map(|label| label.name.clone()),
            is_loop: true,
            is_condition: false,
            break_to,
            continue_to,
        }
    }
}

impl Lower<'_> {
    fn declare(&mut self, ident: &Ident, mutable: bool, value: Value) -> LocalId {
        let name = Name::of(ident);
        if name.text.starts_with("__") {
            self.errors.on(ident, RESERVED);
        }
        let mut visible = self.scopes.iter().flatten();
        // The text of a closure stands among variables that it does not see.
        let emitted = match self.in_closures > 0 || visible.any(|(other, _)| other.text == name.text) {
            true => names::fresh(ident, &mut self.texts),
            false => ident.clone(),
        };
        let local = self.hidden(ident, mutable, value);
        self.locals[local.0 as usize].ident = emitted;
        self.scopes.last_mut().expect("a scope").push((name, local));
        local
    }

    /// The variable's name in emitted code.
    fn emitted(&self, local: LocalId) -> Ident {
        self.locals[local.0 as usize].ident.clone()
    }

    /// A variable that no name in the user's text reaches.
    fn hidden(&mut self, ident: &Ident, mutable: bool, value: Value) -> LocalId {
        let ty = self.slots.ty(None);
        let local = LocalId(u32::try_from(self.locals.len()).expect("fewer than 2^32 variables"));
        self.locals.push(Local {
            ident: ident.clone(),
            name: ident.clone(),
            ty,
            mutable,
            inside: self.parallel,
            value,
        });
        local
    }

    /// The variable that a name means, and that name as code generation writes it.
    fn lookup(&self, ident: &Ident) -> Option<(LocalId, Ident)> {
        let all: Vec<&(Name, LocalId)> = self.scopes.iter().flatten().collect();
        let Resolved {
            places,
            chosen,
            certain,
        } = names::resolve(all.iter().map(|(name, _)| name), &Name::of(ident))?;
        let local = all[places[chosen]].1;
        if !certain && ident != "self" {
            let declared = places.iter().map(|place| &self.locals[all[*place].1.0 as usize].name);
            self.witnesses.borrow_mut().variables.push(Witness {
                declared: declared.cloned().collect(),
                chosen,
                used: ident.clone(),
            });
        }
        Some((local, names::as_declared(&self.locals[local.0 as usize].ident, ident)))
    }

    fn scoped<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push(Vec::new());
        let result = f(self);
        self.scopes.pop();
        result
    }

    fn new_label(&mut self) -> LabelId {
        self.next_label += 1;
        LabelId(self.next_label - 1)
    }

    fn labelled<R>(&mut self, label: Label, f: impl FnOnce(&mut Self) -> R) -> R {
        self.labels.push(label);
        let result = f(self);
        self.labels.pop();
        result
    }

    /// The field that a path names.
    fn field_path(&self, expr: &syn::Expr) -> Option<(LocalId, Ident)> {
        let local = self.local_path(expr)?;
        self.fields.contains_key(&local.0).then_some(local)
    }

    fn local_path(&self, expr: &syn::Expr) -> Option<(LocalId, Ident)> {
        match expr {
            syn::Expr::Path(p) if p.qself.is_none() => self.lookup(p.path.get_ident()?),
            syn::Expr::Paren(p) => self.local_path(&p.expr),
            syn::Expr::Group(g) => self.local_path(&g.expr),
            _ => None,
        }
    }

    /// The parameter that a path names, if it is a reference.
    fn lent_path(&self, expr: &syn::Expr) -> Option<(LocalId, Ident)> {
        self.local_path(expr).filter(|(local, _)| self.lent.contains(local))
    }

    fn unit(&self, span: Span) -> Expr {
        Expr::new(
            ExprKind::Block {
                label: None,
                unsafety: false,
                block: empty(),
            },
            span,
            span,
        )
    }

    fn at(&self, kind: ExprKind, span: Span) -> Expr {
        Expr::new(kind, span, span)
    }

    fn usize_literal(&mut self, value: u64, span: Span) -> Expr {
        let lit = syn::LitInt::new(&format!("{value}usize"), span);
        Expr::new(ExprKind::Lit(syn::Lit::Int(lit), self.inferred()), span, span)
    }

    fn inferred(&mut self) -> TypeSlot {
        self.slots.ty(None)
    }
}

fn ends_without_value(body: &Block) -> bool {
    match (&body.tail, body.stmts.last()) {
        (Some(_), _) => false,
        // These may never reach the end.
        (None, Some(Stmt::Expr(e))) => !matches!(
            e.kind,
            ExprKind::Return(_)
                | ExprKind::Fail { .. }
                | ExprKind::Loop(..)
                | ExprKind::If(..)
                | ExprKind::Match(..)
                | ExprKind::Block { .. }
        ),
        (None, _) => true,
    }
}

fn empty() -> crate::hir::Block {
    crate::hir::Block {
        stmts: Vec::new(),
        tail: None,
    }
}
