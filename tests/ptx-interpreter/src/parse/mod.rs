//! The text of a module.

mod body;
mod cursor;
mod operands;
mod variable;

pub(crate) use body::parameter;

use std::collections::HashMap;

use crate::instruction::Op;
use crate::limits::most_parameters;
use crate::module::{Function, Global, Module};
use crate::token::tokens;
use cursor::Cursor;
use variable::Variable;

/// What a name means outside of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    /// An offset in shared memory; the dynamic one begins where the others end.
    Shared(usize),
    Dynamic,
    Global(u64),
}

/// What is known of the module so far.
struct Parser<'a> {
    cursor: Cursor<'a>,
    symbols: HashMap<&'a str, Symbol>,
    module: Module,
    names: HashMap<&'a str, usize>,
    /// Calls, by function and instruction, of names that may come later.
    calls: Vec<(usize, usize, &'a str, Vec<usize>)>,
    /// Bytes of local memory of the functions so far.
    local: usize,
}

pub(crate) fn module(text: &str) -> Result<Module, String> {
    let tokens = tokens(text);
    let mut parser = Parser {
        cursor: Cursor::new(text, &tokens),
        symbols: HashMap::new(),
        module: Module::default(),
        names: HashMap::new(),
        calls: Vec::new(),
        local: 0,
    };
    while let Some(token) = parser.cursor.peek() {
        parser.item().ok_or_else(|| {
            // Of a body the line with what is not known, else that of the item.
            let at = parser.cursor.fault.take().unwrap_or(token);
            parser.cursor.complaint(at)
        })?;
    }
    parser.resolve()?;
    Ok(parser.module)
}

impl<'a> Parser<'a> {
    /// A directive, a variable or a function.
    fn item(&mut self) -> Option<()> {
        let first = self.cursor.peek()?;
        match first.text {
            ".section" => self.section(),
            ".extern" | ".visible" | ".weak" | ".entry" | ".func" | ".shared" | ".global" | ".const" => {
                self.declaration()
            }
            text => {
                self.cursor.next();
                let mut words = text.split_whitespace();
                match (words.next()?, words.next()) {
                    (".target", Some(target)) => {
                        self.module.target = Some(target.strip_prefix("sm_")?.parse().ok()?);
                    }
                    (".version", Some(version)) => {
                        let (major, minor) = version.split_once('.')?;
                        self.module.version = Some((major.parse().ok()?, minor.parse().ok()?));
                    }
                    (".file", Some(_)) | (".address_size", Some("64")) => {}
                    _ => return None,
                }
                Some(())
            }
        }
    }

    /// Names of functions that were inlined, in braces.
    fn section(&mut self) -> Option<()> {
        while self.cursor.next()?.text != "}" {}
        Some(())
    }

    fn declaration(&mut self) -> Option<()> {
        let mut external = false;
        loop {
            match self.cursor.peek()?.text {
                ".extern" => external = true,
                ".visible" | ".weak" => {}
                ".entry" | ".func" => return self.function(),
                _ => break,
            }
            self.cursor.next();
        }
        let space = self.cursor.next()?.text;
        let variable = Variable::parse(&mut self.cursor)?;
        let symbol = match space {
            ".shared" if external && variable.bytes == 0 => Symbol::Dynamic,
            ".shared" if !external && variable.init.is_empty() => {
                let at = self.module.shared.next_multiple_of(variable.align);
                self.module.shared = at.checked_add(variable.bytes)?;
                Symbol::Shared(at)
            }
            ".global" | ".const" if !external => {
                let global = Global::new(variable.name, &variable.init, variable.bytes, space == ".global")?;
                let address = global.address();
                self.module.globals.push(global);
                Symbol::Global(address)
            }
            _ => return None,
        };
        self.cursor.expect(";")?;
        self.symbols.insert(variable.name, symbol);
        Some(())
    }

    fn function(&mut self) -> Option<()> {
        let is_entry = self.cursor.next()?.text == ".entry";
        let number = self.module.functions.len();
        let shared = &mut self.module.shared;
        let read = body::function(&mut self.cursor, is_entry, &self.symbols, self.local, shared)?;
        let Some((name, function, calls)) = read else {
            // A declaration of what comes later.
            return Some(());
        };
        let bytes = function.params.last().map_or(0, |last| last.offset + last.size);
        (!is_entry || bytes <= most_parameters(&self.module)).then_some(())?;
        self.local = function.local.end;
        self.module.joinable = self.module.joinable.or(function.joinable);
        for (at, callee, arguments) in calls {
            self.calls.push((number, at, callee, arguments));
        }
        self.names.insert(name, number);
        if is_entry {
            self.module.entries.insert(name.to_owned(), number);
        }
        self.module.functions.push(function);
        Some(())
    }

    /// Looks up what is called, now that all functions are known.
    fn resolve(&mut self) -> Result<(), String> {
        for (caller, at, name, sizes) in std::mem::take(&mut self.calls) {
            let unknown = || {
                format!(
                    "line {}: no function `{name}` with such parameters",
                    self.line(caller, at)
                )
            };
            let &callee = self.names.get(name).ok_or_else(unknown)?;
            let wanted = &self.module.functions[callee];
            let given = wanted.params.iter().map(|param| param.size);
            if !given.eq(sizes) || wanted.is_entry {
                return Err(unknown());
            }
            if let Op::Call { function, .. } = &mut self.module.functions[caller].code[at].op {
                *function = callee;
            }
        }
        self.module.local = self.local;
        let calls = |function: &Function| -> Vec<usize> {
            let called = function.code.iter().filter_map(|instruction| match instruction.op {
                Op::Call { function, .. } => Some(function),
                _ => None,
            });
            called.collect()
        };
        let graph: Vec<Vec<usize>> = self.module.functions.iter().map(calls).collect();
        // Functions have their local memory once.
        match recursive(&graph) {
            true => Err("a function calls itself".to_owned()),
            false => Ok(()),
        }
    }

    fn line(&self, function: usize, at: usize) -> usize {
        self.module.functions[function].code[at].line
    }
}

/// Is there a cycle? What calls nothing but functions that are done is done.
fn recursive(graph: &[Vec<usize>]) -> bool {
    let mut done = vec![false; graph.len()];
    loop {
        let next = (0..graph.len()).find(|&k| !done[k] && graph[k].iter().all(|&callee| done[callee]));
        match next {
            Some(k) => done[k] = true,
            None => return done.contains(&false),
        }
    }
}

#[cfg(test)]
mod tests;
