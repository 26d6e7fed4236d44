//! A block of threads.

use crate::arithmetic::{binary, compare, extract, permute, unary};
use crate::convert::convert;
use crate::error::{Cause, Error};
use crate::instruction::{Address, Op};
use crate::memory::{Memory, Place};
use crate::operand::{Operand, Special, Type};
use crate::{Entry, Grid};

/// One block after the other.
pub(crate) struct Block<'a> {
    entry: &'a Entry,
    grid: Grid,
    number: u32,
    /// With 8 bytes behind them, so that 8 can be read from anywhere.
    params: Vec<u8>,
    /// Of all threads.
    registers: Vec<u64>,
    /// The next instruction of each thread.
    next: Vec<usize>,
    count: u64,
}

/// Why a thread stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Barrier(usize),
    End,
}

impl<'a> Block<'a> {
    pub fn new(entry: &'a Entry, grid: Grid, mut params: Vec<u8>) -> Block<'a> {
        params.resize(params.len() + 8, 0);
        let threads = usize::from(grid.threads);
        Block {
            entry,
            grid,
            number: 0,
            params,
            registers: vec![0; entry.registers * threads],
            next: vec![0; threads],
            count: 0,
        }
    }

    /// Runs all threads of a block to their end, and counts their instructions.
    ///
    /// # Safety
    /// The memory's regions are there.
    pub unsafe fn run(&mut self, number: u32, memory: &mut Memory<'_>) -> Result<u64, Error> {
        self.number = number;
        self.registers.fill(0xbad_0bad_0bad_0bad);
        self.next.fill(0);
        self.count = 0;
        loop {
            // SAFETY: by contract.
            let first = unsafe { self.thread(0, memory) }?;
            for thread in 1..u32::from(self.grid.threads) {
                // SAFETY: by contract.
                let stop = unsafe { self.thread(thread, memory) }?;
                if stop != first {
                    let text = format!("thread 0 stops at {first:?}, thread {thread} at {stop:?}");
                    return Err(Error::from(text));
                }
            }
            match first {
                Stop::End => return Ok(self.count),
                Stop::Barrier(_) => memory.barrier(),
            }
        }
    }

    unsafe fn thread(&mut self, thread: u32, memory: &mut Memory<'_>) -> Result<Stop, Error> {
        let entry = self.entry;
        let mut at = self.next[thread as usize];
        loop {
            let Some(instruction) = entry.code.get(at) else {
                return Err(Error::from("the end of the code without `ret`".to_owned()));
            };
            at += 1;
            self.count += 1;
            if let Some((register, wanted)) = instruction.guard
                && (self.read(thread, Operand::Register(register), memory) & 1 == 1) != wanted
            {
                continue;
            }
            match instruction.op {
                Op::Return => return Ok(Stop::End),
                Op::Barrier => {
                    self.next[thread as usize] = at;
                    return Ok(Stop::Barrier(instruction.line));
                }
                Op::Branch(target) => at = target,
                // SAFETY: by contract.
                ref op => unsafe { self.step(thread, op, memory) }.map_err(|why| Error {
                    text: format!("line {}, block {}: {why}", instruction.line, self.number),
                    ..why
                })?,
            }
        }
    }

    unsafe fn step(&mut self, thread: u32, op: &Op, memory: &mut Memory<'_>) -> Result<(), Error> {
        let get = |this: &Self, operand| this.read(thread, operand, memory);
        match *op {
            Op::Unary(op, ty, d, a) => {
                let value = unary(op, ty, get(self, a));
                self.write(thread, d, value);
            }
            Op::Binary(op, ty, d, a, b) => {
                let value = binary(op, ty, get(self, a), get(self, b))?;
                self.write(thread, d, value);
            }
            Op::Mad(ty, d, [a, b, c]) => {
                let product = get(self, a).wrapping_mul(get(self, b));
                let value = ty.mask(product.wrapping_add(get(self, c)));
                self.write(thread, d, value);
            }
            Op::Convert(to, from, d, a) => {
                let value = convert(to, from, get(self, a));
                self.write(thread, d, value);
            }
            Op::Compare(comparison, ty, d, a, b) => {
                let value = compare(comparison, ty, get(self, a), get(self, b));
                self.write(thread, d, u64::from(value));
            }
            Op::Select(d, a, b, p) => {
                let chosen = if get(self, Operand::Register(p)) & 1 == 1 { a } else { b };
                let value = get(self, chosen);
                self.write(thread, d, value);
            }
            Op::Permute(d, [a, b, c]) => {
                let value = permute(get(self, a), get(self, b), get(self, c));
                self.write(thread, d, value);
            }
            Op::Extract(d, [a, b, c]) => {
                let value = extract(get(self, a), get(self, b), get(self, c));
                self.write(thread, d, value);
            }
            Op::HighHalf(bits, d, a) => {
                let value = get(self, a) >> bits & (u64::MAX >> (64 - bits));
                self.write(thread, d, value);
            }
            Op::Pack(ty, d, ref parts) => {
                let bits = ty.bits / parts.len() as u32;
                let value = parts.iter().rev().fold(0, |value, &part| {
                    value << bits | get(self, part) & (u64::MAX >> (64 - bits))
                });
                self.write(thread, d, value);
            }
            Op::Unpack(ty, ref parts, a) => {
                let bits = ty.bits / parts.len() as u32;
                let value = get(self, a);
                for (k, &d) in parts.iter().enumerate() {
                    self.write(thread, d, value >> (k as u32 * bits) & (u64::MAX >> (64 - bits)));
                }
            }
            Op::LoadParam(ty, d, offset) => {
                let bytes = self.params[offset..].first_chunk().copied().unwrap_or_default();
                self.write(thread, d, ty.extend(u64::from_le_bytes(bytes)));
            }
            Op::Load(ty, ref to, address) => {
                let start = get(self, address.base).wrapping_add(address.offset);
                whole(to.len(), ty, start)?;
                for (k, &d) in to.iter().enumerate() {
                    let from = part(memory, start, k, ty, address, false, thread)?;
                    // SAFETY: by contract.
                    let value = unsafe { from.load() };
                    self.write(thread, d, value);
                }
            }
            Op::Store(ty, ref from, address) => {
                let start = get(self, address.base).wrapping_add(address.offset);
                whole(from.len(), ty, start)?;
                for (k, &a) in from.iter().enumerate() {
                    let value = self.read(thread, a, memory);
                    let to = part(memory, start, k, ty, address, true, thread)?;
                    // SAFETY: by contract.
                    unsafe { to.store(value) };
                }
            }
            Op::Atomic(extreme, ty, d, address, a) => {
                let start = get(self, address.base).wrapping_add(address.offset);
                let value = get(self, a);
                let place = memory.place(start, ty, address.shared, true, thread)?;
                // SAFETY: by contract.
                let old = unsafe { place.extreme(extreme, value) };
                self.write(thread, d, old);
            }
            Op::Return | Op::Barrier | Op::Branch(_) => unreachable!("handled by `thread`"),
        }
        Ok(())
    }

    fn read(&self, thread: u32, operand: Operand, memory: &Memory<'_>) -> u64 {
        match operand {
            Operand::Register(register) => self.registers[thread as usize * self.entry.registers + register],
            Operand::Value(value) => value,
            Operand::Special(Special::Thread) => u64::from(thread),
            Operand::Special(Special::Threads) => u64::from(self.grid.threads),
            Operand::Special(Special::Block) => u64::from(self.number),
            Operand::Special(Special::Blocks) => u64::from(self.grid.blocks),
            Operand::Special(Special::Shared) => memory.shared(),
        }
    }

    fn write(&mut self, thread: u32, register: usize, value: u64) {
        self.registers[thread as usize * self.entry.registers + register] = value;
    }
}

/// A vector is aligned as a whole.
fn whole(count: usize, ty: Type, start: u64) -> Result<(), Error> {
    let size = (count * ty.bytes()) as u64;
    match start.is_multiple_of(size) {
        true => Ok(()),
        false => Err(Error {
            cause: Cause::Misaligned(start),
            text: format!("{size} bytes at {start:#x}, which is not aligned"),
        }),
    }
}

/// The k-th part of a vector.
fn part(
    memory: &mut Memory<'_>,
    start: u64,
    k: usize,
    ty: Type,
    address: Address,
    write: bool,
    thread: u32,
) -> Result<Place, Error> {
    let start = start.wrapping_add((k * ty.bytes()) as u64);
    memory.place(start, ty, address.shared, write, thread)
}
