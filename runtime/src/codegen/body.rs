//! A function's body in the making: its lines, variables and jumps.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use swathe_ir::{Block, Cover, Expr, ExprKind, LabelId, LocalId, Pat, Span, Stmt, Type, TypeSlot};

use super::Result;
use super::ahead::Ahead;
use super::cells::Notes;
use super::condition::Below;
use super::failure::Division;
use super::interval::Interval;
use super::lookup::Lookup;
use super::module::Module;
use super::names::Names;
use super::text::{Kind, Line};
use super::types::is_empty;
use super::value::{Effect, Value, prec};
use super::variant::IndexWidth;
use crate::error::CodegenError;
use crate::kernel::Instance;

/// The member of a frame that says whether the kernel stops before its next phase.
pub(super) const STOPPED: &str = "stopped";

/// What a variable is in the text.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A name, or another expression that ends in one (`frame->sum`).
    Name {
        text: String,
        stable: bool,
        bounds: Bounds,
        form: Form,
    },
    /// An array that is not stored: the position of a loop over several axes.
    Axes(Vec<Value>),
    /// A number: the counter of an unrolled loop, an item that is passed, what a pattern binds.
    Literal(i128),
    Field(FieldBinding),
}

/// What a variable's name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// That of a variable of C++.
    Variable,
    /// That of a member of the frame.
    Framed,
    /// The value itself, whatever it is.
    Value { arithmetic: bool },
}

/// What is known of a 64-bit variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bounds {
    Unknown,
    /// Its C++ type is `u32`.
    Narrow(Interval),
    /// Its last 32 bits tell all.
    Low(Interval),
}

/// A field parameter.
#[derive(Clone, Debug)]
pub(super) struct FieldBinding {
    pub param: usize,
    pub name: String,
    pub element: Type,
    pub extents: Vec<String>,
    /// Position of the first element along each axis.
    pub starts: Vec<String>,
    /// Of a part of a field; empty for a whole one.
    pub strides: Vec<String>,
    /// Of a structure of arrays.
    pub planes: Option<PlanesBinding>,
    /// Name of its cells, in code that verifies `unsafe` blocks.
    pub cells: Option<String>,
    pub mutable: bool,
}

/// A field parameter whose scalars lie in planes.
#[derive(Clone, Debug)]
pub(super) struct PlanesBinding {
    /// How many elements a plane has room for.
    pub pitch: String,
    /// The element at position 0 of a part of a field.
    pub origin: Option<String>,
}

/// Where the value of an expression goes.
#[derive(Clone, Debug)]
pub(super) enum Dest {
    Discard,
    /// A variable that is declared already.
    Var(String),
    /// Out of the function.
    Return,
}

/// How a failed check or `return` leaves the body.
#[derive(Clone, Debug)]
pub(super) enum Leave {
    /// A function returns; after a failure zero, and it says so.
    Function(Type),
    /// An iteration of the parallel loop with this label ends.
    Iteration(LabelId),
    /// A serial phase ends; with a flag for the phases after it, if there are any.
    Phase { stop: bool },
}

/// A construct that jumps leave.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub label: Option<LabelId>,
    pub kind: FrameKind,
    /// Where the value of `break` goes.
    pub dest: Dest,
    /// C++ labels after it and at the end of its body, if a jump needs them.
    pub end: Option<String>,
    pub next: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Loop,
    Switch,
    Block,
}

/// What of a kernel's parameters a phase uses.
#[derive(Debug, Default)]
pub(super) struct Used {
    pub fields: HashSet<usize>,
    pub extents: HashSet<(usize, usize)>,
    pub strides: HashSet<(usize, usize)>,
    pub starts: HashSet<(usize, usize)>,
    pub values: HashSet<usize>,
    pub cells: HashSet<usize>,
    pub frame: bool,
}

/// A body in the making.
#[derive(Debug)]
pub(super) struct Body<'m> {
    pub module: &'m mut Module,
    pub instance: Rc<Instance>,
    pub names: Names,
    pub locals: HashMap<LocalId, Binding>,
    /// Parameters of the kernel by value.
    pub value_params: HashMap<LocalId, usize>,
    pub lines: Vec<Line>,
    pub ahead: Ahead,
    pub depth: usize,
    /// Line that the next statement starts to express.
    pub source: Option<Span>,
    pub frames: Vec<Frame>,
    /// Grows with every statement that can write or jump other than by a failed check.
    pub writes: u32,
    pub leave: Leave,
    pub errors: String,
    /// Of a kernel: names of its frame and of the number of partial results.
    pub frame: String,
    /// Of a parallel phase: whether phases after it must not run if its domain fails.
    pub stops: bool,
    /// Names a condition under which the parallel loop is left out.
    pub left_out: Option<String>,
    pub partial_count: String,
    /// In a function: what tells the caller that it failed.
    pub failed: String,
    pub fails: bool,
    /// Whether there was a loop of which nothing tells that it ends.
    pub endless: bool,
    pub used: Used,
    /// Positions that are in bounds at this point.
    pub checked: Vec<Below>,
    /// Divisions that have results at this point.
    pub divided: Vec<Vec<Division>>,
    /// Variables and extents that are at least so large at this point.
    pub least: Vec<(String, i128)>,
    /// Variables that hold an extent, and its name.
    pub extents: Vec<(String, String)>,
    /// Positions of the parallel loop in a field.
    pub axes: Vec<String>,
    /// What the parallel loop checks once.
    pub hoisted: Vec<Cover>,
    /// Type of the value that a `match` compares.
    pub matched: Option<Type>,
    /// Variables of the parallel loop that the body uses.
    pub used_axes: HashSet<LocalId>,
    /// The flag that tells whether all of `hoisted` hold, and the condition that gives it, once a check asks.
    pub cover: Option<(String, String)>,
    /// The field that the parallel loop runs over, its variables, and the name of the flat position.
    pub own: Option<(LocalId, Vec<LocalId>, String)>,
    pub flat_used: bool,
    /// The number of the parallel loop's iteration.
    pub iteration: String,
    /// Names of the numbers of the iterations of which compared variables were taken last.
    pub taken_last: HashMap<LocalId, String>,
    /// Counters of loops that run from 0 or more to a constant end.
    pub bounds: Vec<(String, i128)>,
    /// Variables that are used at all, if known.
    pub live: Option<HashSet<LocalId>>,
    /// What the parallel loop notes.
    pub notes: Option<Notes>,
    /// What the loop that is being written assumes of its indices.
    pub lookup: Option<Lookup>,
    /// Failures that leave the body, so far.
    pub exits: u32,
    labels: u32,
}

impl<'m> Body<'m> {
    pub(super) fn new(module: &'m mut Module, instance: Rc<Instance>, leave: Leave) -> Self {
        Body {
            module,
            instance,
            names: Names::default(),
            locals: HashMap::new(),
            value_params: HashMap::new(),
            lines: Vec::new(),
            ahead: Ahead::default(),
            depth: 1,
            source: None,
            frames: Vec::new(),
            writes: 0,
            leave,
            errors: "errors".into(),
            frame: "frame".into(),
            stops: false,
            left_out: None,
            partial_count: "partial_count".into(),
            failed: "failed".into(),
            fails: false,
            endless: false,
            used: Used::default(),
            checked: Vec::new(),
            divided: Vec::new(),
            least: Vec::new(),
            extents: Vec::new(),
            axes: Vec::new(),
            hoisted: Vec::new(),
            matched: None,
            used_axes: HashSet::new(),
            cover: None,
            own: None,
            flat_used: false,
            iteration: String::new(),
            taken_last: HashMap::new(),
            bounds: Vec::new(),
            live: None,
            notes: None,
            lookup: None,
            exits: 0,
            labels: 0,
        }
    }

    pub(super) fn unsupported<T>(&self, what: impl Into<String>, span: Span) -> Result<T> {
        Err(CodegenError::unsupported(what, self.instance.func.file_of(span), span))
    }

    pub(super) fn slot(&self, slot: TypeSlot) -> Type {
        if slot == TypeSlot::OF_MATCHED {
            return self.matched.clone().unwrap_or(Type::Unit);
        }
        self.instance.types.get(slot.0 as usize).cloned().unwrap_or(Type::Unit)
    }

    pub(super) fn local_type(&self, local: LocalId) -> Type {
        self.instance
            .func
            .locals
            .get(local.0 as usize)
            .map_or(Type::Unit, |l| self.slot(l.ty))
    }

    pub(super) fn declare(&mut self, wanted: &str) -> String {
        self.names.declare(wanted, self.module)
    }

    /// A variable of the frame.
    pub(super) fn framed(&self, name: &str) -> String {
        format!("{}->{name}", self.frame)
    }

    pub(super) fn declare_local(&mut self, local: LocalId) -> String {
        let instance = Rc::clone(&self.instance);
        let l = &instance.func.locals[local.0 as usize];
        let name = self.declare(&l.name);
        self.bind(local, name.clone(), !l.mutable);
        name
    }

    pub(super) fn bind(&mut self, local: LocalId, text: String, stable: bool) {
        self.bind_name(local, text, stable, Bounds::Unknown);
    }

    /// Notes the use of the frame if a variable is a member of it.
    pub(super) fn use_frame_of(&mut self, local: LocalId) {
        let form = match self.locals.get(&local) {
            Some(Binding::Name { form, .. }) => *form,
            _ => Form::Variable,
        };
        self.used.frame |= form == Form::Framed;
    }

    /// Binds a variable to a member of the frame.
    pub(super) fn bind_framed(&mut self, local: LocalId, name: &str) {
        let binding = Binding::Name {
            text: self.framed(name),
            stable: false,
            bounds: Bounds::Unknown,
            form: Form::Framed,
        };
        self.locals.insert(local, binding);
    }

    fn bind_name(&mut self, local: LocalId, text: String, stable: bool, bounds: Bounds) {
        let binding = Binding::Name {
            text,
            stable,
            bounds,
            form: Form::Variable,
        };
        self.locals.insert(local, binding);
    }

    /// Binds an immutable variable; with bounds its C++ type is `u32`.
    pub(super) fn bind_narrow(&mut self, local: LocalId, text: String, bounds: Option<Interval>) {
        let bounds = bounds.map_or(Bounds::Unknown, Bounds::Narrow);
        self.bind_name(local, text, true, bounds);
    }

    /// Binds an immutable variable that holds a value.
    pub(super) fn bind_to(&mut self, local: LocalId, text: String, value: &Value) {
        let bounds = match (value.narrow, &value.low) {
            (Some(bounds), _) => Bounds::Narrow(bounds),
            (None, Some(low)) => Bounds::Low(low.bounds),
            (None, None) => Bounds::Unknown,
        };
        self.bind_name(local, text, true, bounds);
    }

    /// Whether what fits in 32 bits is computed in them, since extents do.
    pub(super) fn narrows(&self) -> bool {
        self.module.variant.index == IndexWidth::Bits32
    }

    /// Spelling of the type of a constant that holds a value.
    pub(super) fn spelled(&mut self, value: &Value) -> String {
        if value.narrow.is_some() {
            "u32".into()
        } else {
            self.module.ty(&value.ty)
        }
    }

    /// The bounds of a variable or extent, as far as conditions around this point tighten them.
    pub(super) fn tightened(&self, name: &str, bounds: Interval) -> Interval {
        let least = self.least.iter().filter(|(n, _)| n == name).map(|(_, v)| *v).max();
        Interval {
            least: least.map_or(bounds.least, |v| v.max(bounds.least)).min(bounds.most),
            ..bounds
        }
    }

    pub(super) fn new_label(&mut self, stem: &str) -> String {
        self.labels += 1;
        if self.labels == 1 {
            stem.to_owned()
        } else {
            format!("{stem}_{}", self.labels)
        }
    }

    /// Adds a line that writes nothing that the user's code reads.
    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.push(text.into(), Kind::Statement);
    }

    /// Adds the declaration of a constant whose value has no effects.
    pub(super) fn declare_constant(&mut self, ty: &str, name: &str, value: &str) {
        let line = Line::constant(self.depth, ty, name, value);
        self.push(line.text, line.kind);
    }

    /// Adds the declaration of a variable.
    pub(super) fn declaration(&mut self, text: impl Into<String>) {
        self.push(text.into(), Kind::Declaration);
    }

    /// Adds the start of an `if`, whose block has effects.
    pub(super) fn open_if(&mut self, condition: &str) {
        self.writes += 1;
        self.push(format!("if ({condition}) {{"), Kind::If);
    }

    /// Adds the end of a block.
    pub(super) fn close(&mut self) {
        self.push("}".into(), Kind::Close);
    }

    /// Adds a label, to which a `goto` leads.
    pub(super) fn label(&mut self, name: &str) {
        self.push(format!("{name}:;"), Kind::Label);
    }

    /// Adds a statement behind which the block does not go on.
    pub(super) fn jump(&mut self, text: impl Into<String>) {
        self.writes += 1;
        self.push(text.into(), Kind::Jump);
    }

    /// Adds a line with effects.
    pub(super) fn effect(&mut self, text: impl Into<String>) {
        self.writes += 1;
        self.push(text.into(), Kind::Statement);
    }

    pub(super) fn push(&mut self, text: String, kind: Kind) {
        self.lines.push(Line {
            depth: self.depth,
            text,
            source: self.source.take(),
            kind,
            check: Vec::new(),
            flagged: None,
        });
    }

    /// Runs `build` one block deeper and returns the lines that it adds.
    pub(super) fn sub<T>(&mut self, build: impl FnOnce(&mut Self) -> Result<T>) -> Result<(Vec<Line>, T)> {
        let outer = std::mem::take(&mut self.lines);
        let ahead = std::mem::take(&mut self.ahead);
        let mark = self.names.mark();
        let checked = self.checked.len();
        let divided = self.divided.len();
        let extents = self.extents.len();
        let least = self.least.len();
        let source = self.source.take();
        self.depth += 1;
        let result = build(self);
        self.depth -= 1;
        self.ahead = ahead;
        self.checked.truncate(checked);
        self.divided.truncate(divided);
        self.extents.truncate(extents);
        self.least.truncate(least);
        self.names.release(mark);
        self.source = source;
        Ok((std::mem::replace(&mut self.lines, outer), result?))
    }

    /// Stores a value in a variable of its own and names it.
    pub(super) fn store(&mut self, value: Value, wanted: &str) -> Value {
        if value.ty == Type::Unit {
            self.evaluate(value);
            return self.nothing(&Type::Unit, false);
        }
        let name = self.declare(wanted);
        let ty = self.spelled(&value);
        if value.effect == Effect::Write {
            self.writes += 1;
            self.declaration(format!("const {ty} {name} = {};", value.text));
        } else {
            self.declare_constant(&ty, &name, &value.text);
        }
        value.named(name)
    }

    pub(super) fn block_to(&mut self, block: &Block, dest: &Dest) -> Result<()> {
        for stmt in &block.stmts {
            self.stmt(stmt)?;
        }
        match &block.tail {
            Some(tail) => {
                self.start_statement();
                self.source = Some(tail.span);
                self.lower_to(tail, dest)
            }
            None => Ok(()),
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) -> Result<()> {
        self.start_statement();
        match stmt {
            Stmt::Let { pat, init, span } => {
                self.source = Some(*span);
                self.let_(pat, init.as_ref())
            }
            Stmt::Expr(e) => {
                self.source = Some(e.span);
                self.lower_to(e, &Dest::Discard)?;
                self.source = None;
                Ok(())
            }
            Stmt::ParFor(p) => self.unsupported("a parallel loop inside another statement", p.span),
        }
    }

    fn let_(&mut self, pat: &Pat, init: Option<&Expr>) -> Result<()> {
        match (pat, init) {
            (Pat::Bind(local), None) => {
                let ty = self.local_type(*local);
                if !is_empty(&ty) {
                    let ty = self.module.ty(&ty);
                    let name = self.declare_local(*local);
                    self.declaration(format!("{ty} {name};"));
                }
                Ok(())
            }
            (Pat::Wild, None) => Ok(()),
            (Pat::Tuple(pats) | Pat::Array(pats), None) => pats.iter().try_for_each(|pat| self.let_(pat, None)),
            (Pat::Bind(local), Some(init)) => self.let_bind(*local, init),
            (Pat::Wild, Some(init)) => self.lower_to(init, &Dest::Discard),
            (_, Some(init)) if !self.binds(pat) => self.lower_to(init, &Dest::Discard),
            (
                Pat::Tuple(pats),
                Some(Expr {
                    kind: ExprKind::Tuple(items),
                    ..
                }),
            )
            | (
                Pat::Array(pats),
                Some(Expr {
                    kind: ExprKind::Array(items, _),
                    ..
                }),
            ) if pats.len() == items.len() => pats
                .iter()
                .zip(items)
                .try_for_each(|(pat, item)| self.let_(pat, Some(item))),
            (Pat::Tuple(_) | Pat::Array(_), Some(init)) => {
                if let ExprKind::FieldShape(field) = &init.kind
                    && let Pat::Array(pats) = pat
                {
                    for (axis, pat) in pats.iter().enumerate() {
                        let extent = self.extent(*field, axis, init.span)?;
                        self.bind_pattern(pat, extent);
                    }
                    return Ok(());
                }
                if let (ExprKind::Local(local), Pat::Array(pats)) = (&init.kind, pat)
                    && let Some(Binding::Axes(axes)) = self.locals.get(local).cloned()
                {
                    self.used_axes.insert(*local);
                    for (pat, axis) in pats.iter().zip(&axes) {
                        match (pat, axis.lit) {
                            (Pat::Bind(local), Some(number))
                                if !self.instance.func.locals[local.0 as usize].mutable =>
                            {
                                self.locals.insert(*local, Binding::Literal(number));
                            }
                            _ => {
                                let axis = self.axis(axis);
                                self.bind_pattern(pat, axis);
                            }
                        }
                    }
                    return Ok(());
                }
                let value = self.lower(init)?;
                let whole = if value.is_simple() {
                    value
                } else {
                    self.store(value, "values")
                };
                self.bind_pattern(pat, whole);
                Ok(())
            }
        }
    }

    /// Whether a pattern has a variable that CUDA C has.
    fn binds(&self, pat: &Pat) -> bool {
        match pat {
            Pat::Wild => false,
            Pat::Bind(local) => !is_empty(&self.local_type(*local)),
            Pat::Tuple(pats) | Pat::Array(pats) => pats.iter().any(|pat| self.binds(pat)),
        }
    }

    fn note_extent(&mut self, name: &str, text: &str) {
        let is_extent = |b: &Binding| matches!(b, Binding::Field(f) if f.extents.iter().any(|e| e == text));
        if self.locals.values().any(is_extent) {
            self.extents.push((name.to_owned(), text.to_owned()));
        }
    }

    fn is_unused(&self, local: LocalId) -> bool {
        self.live.as_ref().is_some_and(|live| !live.contains(&local))
    }

    fn let_bind(&mut self, local: LocalId, init: &Expr) -> Result<()> {
        let ty = self.local_type(local);
        if is_empty(&ty) || self.is_unused(local) {
            return self.lower_to(init, &Dest::Discard);
        }
        let spelled = self.module.ty(&ty);
        let qualifier = if self.instance.func.locals[local.0 as usize].mutable {
            ""
        } else {
            "const "
        };
        if let Some(value) = self.lower_flat(init)? {
            let name = self.declare_local(local);
            let mut spelled = spelled;
            if !qualifier.is_empty() {
                self.note_extent(&name, &value.text);
                self.bind_to(local, name.clone(), &value);
                if value.narrow.is_some() {
                    spelled = "u32".into();
                }
            }
            let initialiser = initialiser(&value, &spelled);
            self.initialise(qualifier, &spelled, &name, initialiser, value.effect);
            return Ok(());
        }
        let name = self.declare_local(local);
        self.declaration(format!("{spelled} {name};"));
        self.lower_to(init, &Dest::Var(name))
    }

    /// Declares a variable with its value.
    fn initialise(&mut self, qualifier: &str, ty: &str, name: &str, value: &str, effect: Effect) {
        if effect == Effect::Write {
            self.writes += 1;
        } else if !qualifier.is_empty() {
            self.declare_constant(ty, name, value);
            return;
        }
        self.declaration(format!("{qualifier}{ty} {name} = {value};"));
    }

    /// Declares the variables of a pattern; `value` stands without harm several times.
    pub(super) fn bind_pattern(&mut self, pat: &Pat, value: Value) {
        match pat {
            Pat::Wild => {}
            Pat::Bind(local) if self.is_unused(*local) || is_empty(&value.ty) => {}
            Pat::Bind(local) => {
                let (qualifier, spelled) = if self.instance.func.locals[local.0 as usize].mutable {
                    ("", self.module.ty(&value.ty))
                } else {
                    ("const ", self.spelled(&value))
                };
                let name = self.declare_local(*local);
                if !qualifier.is_empty() {
                    self.note_extent(&name, &value.text);
                    self.bind_to(*local, name.clone(), &value);
                }
                self.initialise(qualifier, &spelled, &name, &value.text, Effect::Stable);
            }
            Pat::Tuple(pats) => {
                for (k, pat) in pats.iter().enumerate() {
                    let Type::Tuple(types) = &value.ty else { continue };
                    let text = format!("{}._{k}", value.at(prec::POSTFIX));
                    let item = Value::new(text, prec::POSTFIX, types[k].clone(), value.effect);
                    let item = self.item(item);
                    self.bind_pattern(pat, item);
                }
            }
            Pat::Array(pats) => {
                for (k, pat) in pats.iter().enumerate() {
                    let Type::Array(element, _) = &value.ty else { continue };
                    let text = format!("{}.v[{k}]", value.at(prec::POSTFIX));
                    let item = Value::new(text, prec::POSTFIX, (**element).clone(), value.effect);
                    let item = self.item(item);
                    self.bind_pattern(pat, item);
                }
            }
        }
    }

    /// An item of a tuple or an array, which is not in there if it has no size.
    pub(super) fn item(&mut self, item: Value) -> Value {
        match is_empty(&item.ty) {
            true => self.nothing(&item.ty, false),
            false => item,
        }
    }

    /// Sends a value to its destination.
    pub(super) fn deliver(&mut self, value: Value, dest: &Dest) {
        match dest {
            Dest::Discard => {
                if value.effect == Effect::Write {
                    self.effect(format!("{};", value.text));
                }
            }
            Dest::Var(name) => self.effect(format!("{name} = {};", value.text)),
            Dest::Return => self.jump(format!("return {};", value.text)),
        }
    }
}

/// `{a, b}` for `Name{a, b}`, which a declaration of type `Name` need not repeat.
fn initialiser<'v>(value: &'v Value, spelled: &str) -> &'v str {
    let Some(braces) = value.text.strip_prefix(spelled).filter(|rest| rest.starts_with('{')) else {
        return &value.text;
    };
    let mut depth = 0;
    for (at, c) in braces.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if at + 1 == braces.len() { braces } else { &value.text };
        }
    }
    &value.text
}
