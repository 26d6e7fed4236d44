//! A function: parameters, and a body of declarations, labels and instructions.

mod instruction;
mod names;

pub(crate) use names::parameter;

use std::collections::HashMap;

use super::Symbol;
use super::cursor::Cursor;
use super::variable::Variable;
use crate::instruction::Op;
use crate::module::{Function, Parameter};
use crate::operand::Slot;
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
    is_entry: bool,
    symbols: &HashMap<&'a str, Symbol>,
    local: usize,
    shared: &mut usize,
) -> Option<Option<(&'a str, Function, Vec<Call<'a>>)>> {
    let mut body = Body {
        symbols,
        function: Function {
            is_entry,
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
}
