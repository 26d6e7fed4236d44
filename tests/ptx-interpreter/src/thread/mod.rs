//! A thread, which runs up to the next place where it waits for others.

mod call;
mod step;

use crate::error::Error;
use crate::instruction::Op;
use crate::lack::{KEPT, Lack, UNDEFINED};
use crate::memory::Memory;
use crate::module::{Function, Module};
use crate::operand::{Slot, Special};

/// Why a thread does not run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stop {
    Ready,
    /// At a line of the text.
    Barrier(usize),
    /// For the lanes of a mask, at an instruction of a function.
    Exchange {
        function: usize,
        at: usize,
        mask: u32,
    },
    /// At an instruction of a function that asks which lanes are there.
    Active {
        function: usize,
        at: usize,
    },
    #[default]
    End,
}

/// A call that has not returned.
#[derive(Clone, Copy, Debug)]
struct Caller {
    function: usize,
    at: usize,
    slots: usize,
    parameters: usize,
    result: Option<usize>,
}

/// What the threads of a block have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub threads: [u32; 3],
    pub block: [u32; 3],
    pub blocks: [u32; 3],
    /// Where dynamic shared memory begins.
    pub dynamic: u64,
}

/// A thread of a block.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    pub number: u32,
    pub stop: Stop,
    pub at: usize,
    pub count: u64,
    function: usize,
    callers: Vec<Caller>,
    /// Registers and constants of all functions that run, as they are kept, those of the last one from a place on.
    slots: Vec<u64>,
    slots_at: usize,
    /// Likewise parameters.
    parameters: Vec<u8>,
    parameters_at: usize,
    /// Which bytes of the parameters are written.
    given: Vec<bool>,
    /// Of the last instruction that gives one.
    carry: Option<u64>,
    /// What the registers lacked that were read.
    lack: Lack,
}

/// Behind the parameters, so that 8 bytes can be read from anywhere.
const PADDING: usize = 8;

impl Thread {
    /// Begins an entry.
    pub fn start(&mut self, module: &Module, entry: usize, number: u32, arguments: &[u8], context: &Context) {
        self.number = number;
        self.stop = Stop::Ready;
        (self.at, self.function, self.slots_at, self.parameters_at) = (0, entry, 0, 0);
        self.callers.clear();
        self.slots.clear();
        self.parameters.clear();
        self.given.clear();
        self.carry = None;
        self.lack = Lack::default();
        let function = &module.functions[entry];
        self.enter(function, context);
        self.parameters[..arguments.len()].copy_from_slice(arguments);
        self.given[..arguments.len()].fill(true);
    }

    /// Makes room for a function.
    fn enter(&mut self, function: &Function, context: &Context) {
        self.slots_at = self.slots.len();
        self.slots.extend_from_slice(&function.slots);
        self.parameters_at = self.parameters.len();
        let end = self.parameters_at + function.parameter_bytes + PADDING;
        self.parameters.resize(end, 0);
        self.given.resize(end, false);
        for &(slot, special) in &function.specials {
            let value = self.special(special, context);
            self.set(slot, value);
        }
        for &slot in &function.dynamic {
            self.set(slot, context.dynamic);
        }
    }

    fn special(&self, special: Special, context: &Context) -> u64 {
        let [x, y, _] = context.threads;
        let own = [self.number % x, self.number / x % y, self.number / x / y];
        u64::from(match special {
            Special::Thread(axis) => own[axis],
            Special::Threads(axis) => context.threads[axis],
            Special::Block(axis) => context.block[axis],
            Special::Blocks(axis) => context.blocks[axis],
            Special::Lane => self.number % 32,
        })
    }

    /// A register or constant.
    #[inline]
    pub fn raw(&self, slot: Slot) -> u64 {
        self.slots[self.slots_at + slot as usize] ^ KEPT
    }

    /// A register or constant; what it lacks is noted.
    #[inline]
    pub fn get(&self, slot: Slot) -> u64 {
        let value = self.raw(slot);
        self.lack.note(value);
        value
    }

    /// Fails if a register was read that is not written. True if one was undefined; that is forgotten.
    #[inline]
    pub fn take_lack(&mut self) -> Result<bool, Error> {
        self.lack.take(self.number)
    }

    /// Likewise, where a value that is undefined is an error as well.
    fn expect_defined(&mut self, what: &str) -> Result<(), Error> {
        match self.take_lack()? {
            false => Ok(()),
            true => Err(Error::from(format!("thread {} {what} that is undefined", self.number))),
        }
    }

    #[inline]
    pub fn set(&mut self, slot: Slot, value: u64) {
        self.slots[self.slots_at + slot as usize] = value ^ KEPT;
    }

    /// Runs on to where it waits or ends, or so many instructions.
    ///
    /// # Safety
    /// The memory's regions are there.
    pub unsafe fn run(
        &mut self,
        module: &Module,
        memory: &mut Memory<'_>,
        context: &Context,
        most: u64,
    ) -> Result<(), Error> {
        let mut function = &module.functions[self.function];
        let end = self.count.saturating_add(most);
        while self.stop == Stop::Ready && self.count < end {
            let Some(instruction) = function.code.get(self.at) else {
                return Err(Error::from("the end of the code without `ret`".to_owned()));
            };
            self.at += 1;
            self.count += 1;
            let located = |why: Error| Error {
                text: format!("line {}, block {}: {why}", instruction.line, shown(context)),
                ..why
            };
            if let Some((predicate, wanted)) = instruction.guard {
                let holds = self.get(predicate) & 1 == 1;
                // Of one that is undefined both ways are right, if nothing comes of it.
                self.take_lack().map_err(located)?;
                if holds != wanted {
                    continue;
                }
            }
            #[cfg(test)]
            instruction.ran.store(true, std::sync::atomic::Ordering::Relaxed);
            match &instruction.op {
                Op::Branch(target) => self.at = *target,
                Op::Call { .. } | Op::Return => {
                    self.turn(&instruction.op, module, memory, context);
                    function = &module.functions[self.function];
                }
                Op::LoadParameterAt { ty, to, base, offset } => {
                    self.load_parameter(function, *ty, to, (*base, *offset))
                        .map_err(located)?;
                }
                Op::Exit => self.stop = Stop::End,
                Op::Barrier(number) => {
                    if self.get(*number) as u32 != 0 {
                        let text = format!("line {}: a barrier other than number 0", instruction.line);
                        return Err(Error::from(text));
                    }
                    self.stop = Stop::Barrier(instruction.line);
                }
                Op::Shuffle { from: [.., mask], .. } | Op::Converge(mask) => {
                    self.at -= 1;
                    self.stop = Stop::Exchange {
                        function: self.function,
                        at: self.at,
                        mask: self.get(*mask) as u32,
                    };
                }
                Op::Active(_) => {
                    self.at -= 1;
                    self.stop = Stop::Active {
                        function: self.function,
                        at: self.at,
                    };
                }
                op => {
                    // SAFETY: by contract.
                    unsafe { self.step(op, memory) }.map_err(located)?;
                }
            }
            if self.take_lack().map_err(located)? {
                // What is made of it is undefined, too.
                instruction.op.results(|slot| self.set(slot, UNDEFINED));
            }
        }
        Ok(())
    }
}

/// A block by its position, or by its number on the first axis.
fn shown(context: &Context) -> String {
    match (context.blocks, context.block) {
        ([_, 1, 1], [x, ..]) => x.to_string(),
        (_, block) => format!("{block:?}"),
    }
}
