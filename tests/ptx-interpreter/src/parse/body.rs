//! A function: parameters, and a body of declarations, labels and instructions.

use std::collections::HashMap;

use super::Symbol;
use super::cursor::Cursor;
use super::operands::operands;
use super::variable::Variable;
use crate::build::build;
use crate::instruction::{Instruction, Op};
use crate::lack::UNWRITTEN;
use crate::module::{Function, Parameter};
use crate::operand::{Operand, Place, Slot, Special, Type};
use crate::table::{Form, form};
use crate::token::Token;

/// Of all parameters that are in scope: more than a function and a call take.
const MOST_PARAMETERS: usize = 1 << 17;

/// What a name means inside of a function.
#[derive(Clone, Copy, Debug)]
enum Name {
    Register(Slot),
    Parameter {
        offset: usize,
        size: usize,
    },
    /// An offset in local or shared memory.
    Variable(usize),
}

/// A constant that is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Constant {
    Number(u64),
    /// Where dynamic shared memory begins.
    Dynamic,
}

/// A function while it is read.
pub(super) struct Body<'a, 'b> {
    symbols: &'b HashMap<&'a str, Symbol>,
    function: Function,
    /// Bytes of the module's shared variables.
    shared: usize,
    /// Of the braces around, the innermost last, with the bytes of parameters in front of each.
    scopes: Vec<(HashMap<&'a str, Name>, usize)>,
    /// Bytes of the parameters that are in scope.
    parameter_bytes: usize,
    /// Registers that are declared together, and those of them that are used.
    families: Vec<(&'a str, u32)>,
    members: HashMap<&'a str, Slot>,
    constants: HashMap<Constant, Slot>,
    labels: HashMap<&'a str, usize>,
    jumps: Vec<(usize, Token<'a>)>,
    calls: Vec<Call<'a>>,
    /// The first line with an operation of floats that may be joined with another.
    joinable: Option<usize>,
}

/// Where, what, and the sizes of the arguments.
type Call<'a> = (usize, &'a str, Vec<usize>);

/// The rest of a function behind `.entry` or `.func`, with its name and its calls; nothing of a declaration.
pub(super) fn function<'a>(
    cursor: &mut Cursor<'a>,
    symbols: &HashMap<&'a str, Symbol>,
    local: usize,
    shared: &mut usize,
) -> Option<Option<(&'a str, Function, Vec<Call<'a>>)>> {
    let mut body = Body {
        symbols,
        function: Function {
            local: local..local,
            ..Function::default()
        },
        shared: *shared,
        scopes: vec![(HashMap::new(), 0)],
        parameter_bytes: 0,
        families: Vec::new(),
        members: HashMap::new(),
        constants: HashMap::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
        calls: Vec::new(),
        joinable: None,
    };
    let result = match cursor.take("(") {
        true => body.parameters(cursor)?,
        false => Vec::new(),
    };
    let name = cursor.next()?.text;
    let params = match cursor.take("(") {
        true => body.parameters(cursor)?,
        false => Vec::new(),
    };
    (result.len() <= 1).then_some(())?;
    body.function.result = result.first().map(|(_, parameter)| *parameter);
    body.function.params = params.into_iter().map(|(_, parameter)| parameter).collect();
    loop {
        match cursor.next()?.text {
            ";" => return Some(None),
            "{" => break,
            ".maxntid" => body.function.bounds = Some(bounds(cursor)?),
            ".minnctapersm" | ".maxnreg" => {
                cursor.number()?;
            }
            ".noreturn" => {}
            _ => return None,
        }
    }
    let calls = body.statements(cursor)?;
    *shared = body.shared;
    body.function.joinable = body.joinable;
    Some(Some((name, body.function, calls)))
}

/// Threads of a block, at most: a product of up to three numbers.
fn bounds(cursor: &mut Cursor<'_>) -> Option<u32> {
    let mut product = cursor.number()?;
    while cursor.take(",") {
        product = product.checked_mul(cursor.number()?)?;
    }
    u32::try_from(product).ok()
}

impl<'a> Body<'a, '_> {
    /// Behind the parenthesis.
    fn parameters(&mut self, cursor: &mut Cursor<'a>) -> Option<Vec<(&'a str, Parameter)>> {
        let mut out: Vec<(&str, Parameter)> = Vec::new();
        while !cursor.take(")") {
            cursor.expect(".param")?;
            out.push(self.declare_parameter(cursor)?);
            if !cursor.take(",") {
                cursor.expect(")")?;
                break;
            }
        }
        Some(out)
    }

    /// Behind `.param`: bytes of their own among the function's.
    fn declare_parameter(&mut self, cursor: &mut Cursor<'a>) -> Option<(&'a str, Parameter)> {
        let variable = Variable::parse(cursor)?;
        let offset = self.parameter_bytes.checked_next_multiple_of(variable.align)?;
        let size = variable.bytes;
        let end = offset.checked_add(size)?;
        (size > 0 && end <= MOST_PARAMETERS).then_some(())?;
        self.parameter_bytes = end;
        self.function.parameter_bytes = self.function.parameter_bytes.max(end);
        self.declare(variable.name, Name::Parameter { offset, size });
        Some((variable.name, Parameter { offset, size }))
    }

    fn declare(&mut self, name: &'a str, meaning: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.0.insert(name, meaning);
        }
    }

    fn find(&self, name: &str) -> Option<Name> {
        self.scopes.iter().rev().find_map(|scope| scope.0.get(name).copied())
    }

    /// All up to the last brace; the calls.
    fn statements(&mut self, cursor: &mut Cursor<'a>) -> Option<Vec<Call<'a>>> {
        loop {
            let first = cursor.peek()?;
            let understood = self.statement(cursor, first);
            if understood.is_none() && cursor.fault.is_none() {
                cursor.fault = Some(first);
            }
            understood?;
            if self.scopes.is_empty() {
                break;
            }
        }
        for (at, label) in std::mem::take(&mut self.jumps) {
            let target = self.labels.get(label.text).copied();
            if target.is_none() {
                cursor.fault = Some(label);
            }
            self.function.code[at].op = Op::Branch(target?);
        }
        Some(std::mem::take(&mut self.calls))
    }

    fn statement(&mut self, cursor: &mut Cursor<'a>, first: Token<'a>) -> Option<()> {
        match first.text {
            "{" => {
                cursor.next();
                self.scopes.push((HashMap::new(), self.parameter_bytes));
            }
            "}" => {
                cursor.next();
                self.parameter_bytes = self.scopes.pop()?.1;
            }
            ".reg" => {
                cursor.next();
                self.registers(cursor.statement()?)?;
            }
            ".param" => {
                cursor.next();
                self.declare_parameter(cursor)?;
                cursor.expect(";")?;
            }
            ".local" => {
                cursor.next();
                let variable = Variable::parse(cursor)?;
                cursor.expect(";")?;
                let at = self.function.local.end.checked_next_multiple_of(variable.align)?;
                self.function.local.end = at.checked_add(variable.bytes)?;
                self.declare(variable.name, Name::Variable(at));
            }
            // A variable that this function alone uses.
            ".shared" => {
                cursor.next();
                let variable = Variable::parse(cursor)?;
                cursor.expect(";")?;
                let at = self.shared.checked_next_multiple_of(variable.align)?;
                self.shared = at.checked_add(variable.bytes).filter(|_| variable.init.is_empty())?;
                self.declare(variable.name, Name::Variable(at));
            }
            ".pragma" => {
                cursor.statement()?;
            }
            text if text.starts_with(".loc") || text.starts_with(".file") => {
                cursor.next();
            }
            text => {
                cursor.next();
                if cursor.take(":") {
                    self.labels.insert(text, self.function.code.len());
                    return Some(());
                }
                let rest = cursor.statement()?;
                self.instruction(first, rest)?;
            }
        }
        Some(())
    }

    /// `.b32 a, b` or `.b32 %r<27>`.
    fn registers(&mut self, tokens: &[Token<'a>]) -> Option<()> {
        let (ty, mut rest) = tokens.split_first()?;
        Type::parse(ty.text.strip_prefix('.')?)?;
        loop {
            let (name, after) = rest.split_first()?;
            rest = match after {
                [open, count, close, after @ ..] if open.text == "<" && close.text == ">" => {
                    let count: u32 = count.text.parse().ok()?;
                    (count <= 1 << 20).then_some(())?;
                    self.families.push((name.text, count));
                    after
                }
                _ => {
                    let slot = self.slot(UNWRITTEN);
                    self.declare(name.text, Name::Register(slot));
                    after
                }
            };
            match rest.split_first() {
                None => return Some(()),
                Some((comma, after)) if comma.text == "," => rest = after,
                Some(_) => return None,
            }
        }
    }

    fn slot(&mut self, value: u64) -> Slot {
        self.function.slots.push(value);
        (self.function.slots.len() - 1) as Slot
    }

    fn instruction(&mut self, first: Token<'a>, mut rest: &'a [Token<'a>]) -> Option<()> {
        let (mut opcode, mut guard) = (first, None);
        if first.text == "@" {
            let wanted = rest.first().is_none_or(|token| token.text != "!");
            let skipped = if wanted { rest } else { &rest[1..] };
            let [register, name, after @ ..] = skipped else {
                return None;
            };
            guard = Some((self.value(register.text)?, wanted));
            (opcode, rest) = (*name, after);
        }
        let op = match form(opcode.text)? {
            Form::Branch => {
                let [label] = rest else { return None };
                self.jumps.push((self.function.code.len(), *label));
                Op::Branch(usize::MAX)
            }
            Form::Call => self.call(rest)?,
            form => {
                let operands = operands(self, rest)?;
                build(form, operands)?
            }
        };
        let line = opcode.line;
        if is_joinable(opcode.text) {
            self.joinable.get_or_insert(line);
        }
        self.function.code.push(Instruction {
            line,
            guard,
            op,
            #[cfg(test)]
            opcode: opcode.text.to_owned(),
            #[cfg(test)]
            ran: false.into(),
        });
        Some(())
    }

    /// `(result), name, (argument, argument)`.
    fn call(&mut self, tokens: &'a [Token<'a>]) -> Option<Op> {
        let words: Vec<&str> = tokens
            .iter()
            .map(|token| token.text)
            .filter(|text| *text != ",")
            .collect();
        let (result, rest) = match words[..] {
            ["(", result, ")", ..] => (Some(result), &words[3..]),
            _ => (None, &words[..]),
        };
        let (name, arguments) = rest.split_first()?;
        let arguments = match arguments {
            [] => arguments,
            ["(", inner @ .., ")"] => inner,
            _ => return None,
        };
        let place = |this: &Self, name: &str| match this.find(name)? {
            Name::Parameter { offset, size } => Some((offset, size)),
            _ => None,
        };
        let places: Vec<(usize, usize)> = arguments.iter().map(|name| place(self, name)).collect::<Option<_>>()?;
        let result = match result {
            Some(name) => Some(place(self, name)?),
            None => None,
        };
        let sizes = places.iter().map(|place| place.1).collect();
        let tokens = tokens.iter().find(|token| token.text == *name)?;
        self.calls.push((self.function.code.len(), tokens.text, sizes));
        Some(Op::Call {
            function: usize::MAX,
            arguments: places.iter().map(|place| place.0).collect(),
            result: result.map(|place| place.0),
        })
    }

    pub fn constant(&mut self, value: u64) -> Slot {
        self.kept(Constant::Number(value), value)
    }

    fn kept(&mut self, constant: Constant, value: u64) -> Slot {
        if let Some(slot) = self.constants.get(&constant) {
            return *slot;
        }
        let slot = self.slot(value);
        if constant == Constant::Dynamic {
            self.function.dynamic.push(slot);
        }
        self.constants.insert(constant, slot);
        slot
    }

    pub fn special(&mut self, special: Special) -> Slot {
        let known = self.function.specials.iter().find(|(_, known)| *known == special);
        if let Some((slot, _)) = known {
            return *slot;
        }
        let slot = self.slot(UNWRITTEN);
        self.function.specials.push((slot, special));
        slot
    }

    /// A register, or a variable's address in its space.
    pub fn value(&mut self, name: &'a str) -> Option<Slot> {
        match self.find(name) {
            Some(Name::Register(slot)) => return Some(slot),
            Some(Name::Variable(at)) => return Some(self.constant(at as u64)),
            Some(Name::Parameter { .. }) => return None,
            None => {}
        }
        match self.symbols.get(name) {
            Some(Symbol::Shared(at)) => Some(self.constant(*at as u64)),
            Some(Symbol::Global(address)) => Some(self.constant(*address)),
            Some(Symbol::Dynamic) => Some(self.kept(Constant::Dynamic, 0)),
            None => self.member(name),
        }
    }

    /// A register of a family such as `%r<27>`.
    fn member(&mut self, name: &'a str) -> Option<Slot> {
        if let Some(slot) = self.members.get(name) {
            return Some(*slot);
        }
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let family = &name[..name.len() - digits.len()];
        let number: u32 = digits.parse().ok()?;
        let declared = |known: &(&str, u32)| known.0 == family && number < known.1;
        self.families.iter().any(declared).then_some(())?;
        let slot = self.slot(UNWRITTEN);
        self.members.insert(name, slot);
        Some(slot)
    }

    pub fn parameter(&self, name: &str) -> Option<Place> {
        match self.find(name)? {
            Name::Parameter { offset, size } => Some(Place::Parameter { offset, size }),
            _ => None,
        }
    }
}

/// `mul.f32`, not `mul.rn.f32`.
fn is_joinable(opcode: &str) -> bool {
    let mut parts = opcode.split('.').filter(|part| *part != "ftz");
    let named = matches!(parts.next(), Some("add" | "sub" | "mul"));
    named && matches!(parts.next(), Some("f16" | "f32" | "f64"))
}

/// A parameter's bytes, of an address.
pub(crate) fn parameter(operand: &Operand, bytes: usize) -> Option<usize> {
    match operand {
        Operand::Address(Place::Parameter { offset, size }, from) => {
            let from = usize::try_from(*from).ok()?;
            let end = from.checked_add(bytes)?;
            (end <= *size).then(|| offset + from)
        }
        _ => None,
    }
}
