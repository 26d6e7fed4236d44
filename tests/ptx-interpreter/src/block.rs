//! A block of threads.

use crate::arithmetic::{binary, compare, permute, unary};
use crate::convert::convert;
use crate::instruction::{Address, Op};
use crate::memory::{Memory, load, store};
use crate::operand::{Operand, Special, Type};
use crate::{Entry, Grid};

pub(crate) struct Block<'a> {
    entry: &'a Entry,
    grid: Grid,
    number: u32,
    params: &'a [u8],
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
    pub fn new(entry: &'a Entry, grid: Grid, number: u32, params: &'a [u8]) -> Block<'a> {
        Block {
            entry,
            grid,
            number,
            params,
            registers: vec![0xbad_0bad_0bad_0bad; entry.registers * grid.threads as usize],
            next: vec![0; grid.threads as usize],
            count: 0,
        }
    }

    /// Runs all threads to their end.
    pub fn run(mut self, memory: &mut Memory<'_>) -> Result<u64, String> {
        loop {
            let first = self.thread(0, memory)?;
            for thread in 1..self.grid.threads {
                let stop = self.thread(thread, memory)?;
                if stop != first {
                    return Err(format!("thread 0 stops at {first:?}, thread {thread} at {stop:?}"));
                }
            }
            match first {
                Stop::End => return Ok(self.count),
                Stop::Barrier(_) => memory.barrier(),
            }
        }
    }

    fn thread(&mut self, thread: u32, memory: &mut Memory<'_>) -> Result<Stop, String> {
        loop {
            let at = self.next[thread as usize];
            let code = &self.entry.code;
            let instruction = code.get(at).ok_or("the end of the code without `ret`")?;
            self.next[thread as usize] = at + 1;
            self.count += 1;
            if let Some((register, wanted)) = instruction.guard
                && (self.read(thread, Operand::Register(register), memory) & 1 == 1) != wanted
            {
                continue;
            }
            match instruction.op {
                Op::Return => return Ok(Stop::End),
                Op::Barrier => return Ok(Stop::Barrier(instruction.line)),
                Op::Branch(target) => self.next[thread as usize] = target,
                ref op => self
                    .step(thread, op, memory)
                    .map_err(|why| format!("line {}, block {}: {why}", instruction.line, self.number))?,
            }
        }
    }

    fn step(&mut self, thread: u32, op: &Op, memory: &mut Memory<'_>) -> Result<(), String> {
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
                let mut bytes = [0; 8];
                bytes[..ty.bytes()].copy_from_slice(&self.params[offset..offset + ty.bytes()]);
                self.write(thread, d, ty.extend(u64::from_le_bytes(bytes)));
            }
            Op::Load(ty, ref to, address) => {
                let start = get(self, address.base).wrapping_add(address.offset);
                whole(to.len(), ty, start)?;
                for (k, &d) in to.iter().enumerate() {
                    let from = part(memory, start, k, ty, address, false, thread)?;
                    // SAFETY: `place` has checked it.
                    let value = unsafe { load(from, ty) };
                    self.write(thread, d, value);
                }
            }
            Op::Store(ty, ref from, address) => {
                let start = get(self, address.base).wrapping_add(address.offset);
                whole(from.len(), ty, start)?;
                for (k, &a) in from.iter().enumerate() {
                    let value = self.read(thread, a, memory);
                    let to = part(memory, start, k, ty, address, true, thread)?;
                    // SAFETY: `place` has checked it.
                    unsafe { store(to, ty, value) };
                }
            }
            Op::AtomicMin(ty, d, address, a) => {
                let start = get(self, address.base).wrapping_add(address.offset);
                let value = ty.mask(get(self, a));
                let place = memory.place(start, ty, address.shared, true, thread)?;
                // SAFETY: `place` has checked it.
                let old = unsafe { load(place, ty) };
                let (old_value, new) = (ty.mask(old), ty.mask(old).min(value));
                // SAFETY: as above.
                unsafe { store(place, ty, new) };
                self.write(thread, d, old_value);
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
fn whole(count: usize, ty: Type, start: u64) -> Result<(), String> {
    let size = (count * ty.bytes()) as u64;
    match start.is_multiple_of(size) {
        true => Ok(()),
        false => Err(format!("{size} bytes at {start:#x}, which is not aligned")),
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
) -> Result<*mut u8, String> {
    let start = start.wrapping_add((k * ty.bytes()) as u64);
    memory.place(start, ty, address.shared, write, thread)
}
