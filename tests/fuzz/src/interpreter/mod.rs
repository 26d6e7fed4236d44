//! Runs the IR of a kernel over plain values, one iteration after the other, with Rust's semantics: integers wrap, every
//! float operation is rounded once, an access out of bounds ends its iteration.

mod expr;
mod failure;
mod flow;
mod operator;
mod place;
mod sites;

use std::any::TypeId;
use std::collections::HashMap;
use std::rc::Rc;

use swathe::__rt::{Callee, Instance};
use swathe_ir::{Expr, FuncKind, LocalId, ParamKind, Type, TypeSlot};

use crate::value::Value;

/// What a kernel is called with.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A field.
    Field(FieldData),
    /// Anything else.
    Value(Value),
}

/// A field's elements in row-major order.
#[derive(Clone, Debug)]
pub struct FieldData {
    /// Length of each axis.
    pub shape: Vec<usize>,
    /// As many as the shape has.
    pub elements: Vec<Value>,
    /// Of an offset field: the position of the first element. Else empty.
    pub origin: Vec<isize>,
}

impl FieldData {
    /// Position of the first element along an axis.
    fn start(&self, axis: usize) -> isize {
        self.origin.get(axis).copied().unwrap_or(0)
    }
}

/// The failure that a device reports: the least by its place in the kernel, then by position or values.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Source file.
    pub file: String,
    /// Line of the access.
    pub line: u32,
    /// Column of the access.
    pub column: u32,
    /// The field's name; what a failure says that is no access.
    pub field: String,
    /// The position.
    pub index: Vec<usize>,
    /// The field's shape.
    pub shape: Vec<usize>,
    /// Number of failed accesses.
    pub count: usize,
}

/// What a kernel does.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its result, or what failed.
    pub result: Result<Value, Failure>,
    /// All failures, each counted once.
    pub failures: Vec<Failure>,
    /// Its fields in the order of the parameters.
    pub fields: Vec<Vec<Value>>,
    /// What it prints, in any order.
    pub printed: Vec<String>,
    /// Number of steps.
    pub steps: u64,
}

/// A loop that does not end is a fault of the generator.
const MOST_STEPS: u64 = 4_000_000_000;

/// Runs a kernel.
///
/// # Panics
/// On IR that no kernel has, and on parts of the language that the interpreter does not know.
#[must_use]
pub fn run(instance: Instance, args: Vec<Arg>) -> Outcome {
    let instance = Rc::new(instance);
    let mut machine = Machine {
        fields: Vec::new(),
        failed: Vec::new(),
        printed: Vec::new(),
        sites: sites::of(&instance.func),
        functions: HashMap::new(),
        steps: 0,
    };
    let mut frame = Frame::new(instance.clone());
    for (param, arg) in instance.func.params.iter().zip(args) {
        frame.locals[param.local.0 as usize] = match arg {
            Arg::Field(field) => {
                machine.fields.push(field);
                Slot::Field(machine.fields.len() - 1)
            }
            Arg::Value(value) => Slot::Value(value),
        };
    }
    let value = machine.body(&mut frame);
    Outcome {
        failures: machine.failed.iter().map(|failed| machine.told(failed, 1)).collect(),
        result: match machine.failure() {
            Some(failure) => Err(failure),
            None => Ok(value.expect("a kernel that stops has failed")),
        },
        fields: machine.fields.into_iter().map(|field| field.elements).collect(),
        printed: machine.printed,
        steps: machine.steps,
    }
}

#[derive(Clone)]
enum Slot {
    Empty,
    Value(Value),
    Field(usize),
}

/// One call of a function.
struct Frame {
    instance: Rc<Instance>,
    locals: Vec<Slot>,
}

impl Frame {
    fn new(instance: Rc<Instance>) -> Frame {
        let locals = vec![Slot::Empty; instance.func.locals.len()];
        Frame { instance, locals }
    }

    fn ty(&self, slot: TypeSlot) -> &Type {
        &self.instance.types[slot.0 as usize]
    }

    fn set(&mut self, local: LocalId, value: Value) {
        self.locals[local.0 as usize] = Slot::Value(value);
    }

    fn get(&self, local: LocalId) -> &Value {
        match &self.locals[local.0 as usize] {
            Slot::Value(value) => value,
            _ => panic!("`{}` has no value", self.instance.func.locals[local.0 as usize].name),
        }
    }

    fn field(&self, local: LocalId) -> usize {
        match self.locals[local.0 as usize] {
            Slot::Field(k) => k,
            _ => panic!("`{}` is no field", self.instance.func.locals[local.0 as usize].name),
        }
    }
}

/// An access that failed, or an iteration by its own word.
struct Failed {
    /// Number of accesses up to here; the place of what is no access.
    order: (usize, u32, u32),
    index: Vec<u64>,
    file: String,
    line: u32,
    column: u32,
    what: What,
}

enum What {
    /// The field's name, and its shape.
    Access(String, Vec<usize>),
    Message(String),
}

impl What {
    fn text(&self) -> &str {
        match self {
            What::Access(..) => "",
            What::Message(text) => text,
        }
    }
}

struct Machine {
    fields: Vec<FieldData>,
    failed: Vec<Failed>,
    printed: Vec<String>,
    sites: sites::Sites,
    functions: HashMap<(TypeId, u64), Rc<Instance>>,
    steps: u64,
}

impl Machine {
    fn failure(&self) -> Option<Failure> {
        let least = self
            .failed
            .iter()
            // A division has two failures, in the order of their texts.
            .min_by(|a, b| (a.order, &a.index, a.what.text()).cmp(&(b.order, &b.index, b.what.text())))?;
        Some(self.told(least, self.failed.len()))
    }

    fn told(&self, least: &Failed, count: usize) -> Failure {
        let (field, index, shape) = match &least.what {
            What::Access(field, shape) => (
                field.clone(),
                least.index.iter().map(|k| *k as usize).collect(),
                shape.clone(),
            ),
            What::Message(message) => (message.clone(), Vec::new(), Vec::new()),
        };
        Failure {
            file: least.file.clone(),
            line: least.line,
            column: least.column,
            field,
            index,
            shape,
            count,
        }
    }

    /// Ends the iteration with a message.
    fn fail<T>(&mut self, frame: &Frame, e: &Expr, message: String, index: Vec<u64>) -> flow::Run<T> {
        let func = &frame.instance.func;
        let before = match func.kind {
            FuncKind::Kernel => self.sites.before(e),
            FuncKind::Func => usize::MAX,
        };
        self.failed.push(Failed {
            order: (before, e.span.line, e.span.column),
            index,
            file: func.file_of(e.span).to_owned(),
            line: e.span.line,
            column: e.span.column,
            what: What::Message(message),
        });
        Err(flow::Flow::Fail)
    }

    fn step(&mut self) {
        self.steps += 1;
        assert!(self.steps < MOST_STEPS, "a kernel that does not end");
    }

    /// A function of the user, if the callee is one.
    fn function(&mut self, frame: &Frame, callee: Option<swathe_ir::CalleeSlot>) -> Option<Rc<Instance>> {
        match frame.instance.callees[callee?.0 as usize] {
            Callee::BuiltIn => None,
            Callee::Func(func) => Some(
                self.functions
                    .entry(func.key)
                    .or_insert_with(|| Rc::new((func.load)()))
                    .clone(),
            ),
        }
    }

    /// Calls a function; places lent mutably are written back when it ends, which nobody can tell from a reference.
    fn call(
        &mut self,
        frame: &mut Frame,
        function: &Rc<Instance>,
        args: &[&swathe_ir::Expr],
    ) -> Result<Value, flow::Flow> {
        let mut called = Frame::new(function.clone());
        let mut lent = Vec::new();
        for (param, arg) in function.func.params.iter().zip(args) {
            if let swathe_ir::ExprKind::FieldArgument(field) = &arg.kind {
                called.locals[param.local.0 as usize] = Slot::Field(frame.field(*field));
                continue;
            }
            let value = if param.kind == (ParamKind::Ref { mutable: true }) {
                let place = self.place(frame, arg)?;
                let value = self.load(frame, &place);
                lent.push((param.local, place));
                value
            } else {
                self.expr(frame, arg)?
            };
            called.set(param.local, value);
        }
        let value = match self.body(&mut called) {
            Some(value) => value,
            None => return Err(flow::Flow::Fail),
        };
        for (local, place) in lent {
            let value = called.get(local).clone();
            self.store(frame, &place, value);
        }
        Ok(value)
    }
}
