//! A thread, which runs up to the next place where it waits for others.

use crate::error::Error;
use crate::instruction::{Access, Op, Space};
use crate::memory::{Intent, Memory};
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
    /// Registers and constants of all functions that run, those of the last one from a place on.
    slots: Vec<u64>,
    slots_at: usize,
    /// Likewise parameters.
    parameters: Vec<u8>,
    parameters_at: usize,
    carry: u64,
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
        let function = &module.functions[entry];
        self.enter(function, context);
        self.parameters[..arguments.len()].copy_from_slice(arguments);
    }

    /// Makes room for a function.
    fn enter(&mut self, function: &Function, context: &Context) {
        self.slots_at = self.slots.len();
        self.slots.extend_from_slice(&function.slots);
        self.parameters_at = self.parameters.len();
        let end = self.parameters_at + function.parameter_bytes + PADDING;
        self.parameters.resize(end, 0);
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

    #[inline]
    pub fn get(&self, slot: Slot) -> u64 {
        self.slots[self.slots_at + slot as usize]
    }

    #[inline]
    pub fn set(&mut self, slot: Slot, value: u64) {
        self.slots[self.slots_at + slot as usize] = value;
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
            if let Some((predicate, wanted)) = instruction.guard
                && (self.get(predicate) & 1 == 1) != wanted
            {
                continue;
            }
            match &instruction.op {
                Op::Branch(target) => self.at = *target,
                Op::Call { .. } | Op::Return => {
                    self.turn(&instruction.op, module, memory, context);
                    function = &module.functions[self.function];
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
                    unsafe { self.step(op, memory) }.map_err(|why| Error {
                        text: format!("line {}, block {}: {why}", instruction.line, shown(context)),
                        ..why
                    })?;
                }
            }
        }
        Ok(())
    }

    /// A call, or its end.
    fn turn(&mut self, op: &Op, module: &Module, memory: &mut Memory<'_>, context: &Context) {
        if let Op::Call {
            function,
            arguments,
            result,
        } = op
        {
            let callee = &module.functions[*function];
            let from = self.parameters_at;
            self.callers.push(Caller {
                function: self.function,
                at: self.at,
                slots: self.slots_at,
                parameters: from,
                result: *result,
            });
            self.enter(callee, context);
            for (parameter, argument) in callee.params.iter().zip(arguments) {
                let start = from + argument;
                let to = self.parameters_at + parameter.offset;
                self.parameters.copy_within(start..start + parameter.size, to);
            }
            memory.local.forget(self.number, &callee.local);
            (self.function, self.at) = (*function, 0);
            return;
        }
        let Some(caller) = self.callers.pop() else {
            self.stop = Stop::End;
            return;
        };
        if let (Some(result), Some(to)) = (module.functions[self.function].result, caller.result) {
            let start = self.parameters_at + result.offset;
            let to = caller.parameters + to;
            self.parameters.copy_within(start..start + result.size, to);
        }
        self.slots.truncate(self.slots_at);
        self.parameters.truncate(self.parameters_at);
        (self.slots_at, self.parameters_at) = (caller.slots, caller.parameters);
        (self.function, self.at) = (caller.function, caller.at);
    }

    unsafe fn step(&mut self, op: &Op, memory: &mut Memory<'_>) -> Result<(), Error> {
        match *op {
            Op::Move(bits, d, a) => self.set(d, self.get(a) & (u64::MAX >> (64 - bits))),
            Op::One(f, d, a) => self.set(d, f(self.get(a))),
            Op::Two(f, d, [a, b]) => self.set(d, f(self.get(a), self.get(b))),
            Op::Three(f, d, [a, b, c]) => self.set(d, f(self.get(a), self.get(b), self.get(c))),
            Op::Four(f, d, [a, b, c, e]) => self.set(d, f(self.get(a), self.get(b), self.get(c), self.get(e))),
            Op::Partial(f, d, [a, b]) => match f(self.get(a), self.get(b)) {
                Some(value) => self.set(d, value),
                None => return Err(Error::from(format!("thread {} divides by zero", self.number))),
            },
            Op::Convert(ref conversion, d, a) => {
                let value = crate::compute::convert::convert(conversion, self.get(a));
                self.set(d, value);
            }
            Op::Joined(compare, join, d, [a, b, c], negative) => {
                let third = self.get(c) & 1 ^ u64::from(negative);
                self.set(d, join(compare(self.get(a), self.get(b)), third));
            }
            Op::Carry {
                compute,
                to,
                from: [a, b, c],
                keep,
            } => {
                let (value, carry) = compute(self.get(a), self.get(b), self.get(c), self.carry);
                self.set(to, value);
                if keep {
                    self.carry = carry;
                }
            }
            Op::Pack(bits, d, ref parts) => {
                let value = parts.iter().rev().fold(0, |value, &part| {
                    value << bits | self.get(part) & (u64::MAX >> (64 - bits))
                });
                self.set(d, value);
            }
            Op::Unpack(bits, ref parts, a) => {
                let value = self.get(a);
                for (k, part) in parts.iter().enumerate() {
                    if let Some(d) = part {
                        self.set(*d, value >> (k as u32 * bits) & (u64::MAX >> (64 - bits)));
                    }
                }
            }
            Op::LoadParameter(ty, ref to, offset) => {
                for (k, d) in to.iter().enumerate() {
                    let start = self.parameters_at + offset + k * ty.bytes();
                    let bytes = self.parameters[start..].first_chunk().copied().unwrap_or_default();
                    if let Some(d) = d {
                        self.set(*d, ty.extend(u64::from_le_bytes(bytes)));
                    }
                }
            }
            Op::StoreParameter(ty, ref from, offset) => {
                for (k, a) in from.iter().enumerate() {
                    let start = self.parameters_at + offset + k * ty.bytes();
                    let bytes = self.get(*a).to_le_bytes();
                    self.parameters[start..start + ty.bytes()].copy_from_slice(&bytes[..ty.bytes()]);
                }
            }
            // SAFETY: by contract.
            _ => return unsafe { self.access(op, memory) },
        }
        Ok(())
    }

    unsafe fn access(&mut self, op: &Op, memory: &mut Memory<'_>) -> Result<(), Error> {
        let number = self.number;
        let address = |this: &Self, access: &Access| this.get(access.base).wrapping_add(access.offset);
        match *op {
            Op::Load(ref access, ref to) => {
                let place = memory.place(*access, address(self, access), to.len(), Intent::Read, number)?;
                for (k, d) in to.iter().enumerate() {
                    // SAFETY: by contract.
                    let value = unsafe { place.load(k) };
                    if let Some(d) = d {
                        self.set(*d, value);
                    }
                }
            }
            Op::Store(ref access, ref from) => {
                let place = memory.place(*access, address(self, access), from.len(), Intent::Write, number)?;
                for (k, a) in from.iter().enumerate() {
                    // SAFETY: by contract.
                    unsafe { place.store(k, self.get(*a)) };
                }
            }
            Op::Atomic {
                ref access,
                modify,
                to,
                from: [b, c],
            } => {
                let place = memory.place(*access, address(self, access), 1, Intent::Atomic, number)?;
                // SAFETY: by contract.
                let old = unsafe { place.modify(modify, self.get(b), self.get(c)) };
                if let Some(d) = to {
                    self.set(d, old);
                }
            }
            Op::Generic(space, d, a) => {
                let start = self.window(space, memory);
                self.set(d, self.get(a).wrapping_add(start));
            }
            Op::Specific(space, d, a) => {
                let start = self.window(space, memory);
                self.set(d, self.get(a).wrapping_sub(start));
            }
            // Blocks may run on several threads of the host.
            Op::Fence => std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst),
            _ => return Err(Error::from(format!("{op:?} at a place where it cannot be"))),
        }
        Ok(())
    }

    /// Where a space begins among generic addresses.
    fn window(&self, space: Space, memory: &Memory<'_>) -> u64 {
        match space {
            Space::Shared => memory.shared.address(),
            Space::Local => memory.local.address(self.number),
            Space::Generic | Space::Global | Space::Constant => 0,
        }
    }
}

/// A block by its position, or by its number on the first axis.
fn shown(context: &Context) -> String {
    match (context.blocks, context.block) {
        ([_, 1, 1], [x, ..]) => x.to_string(),
        (_, block) => format!("{block:?}"),
    }
}
