//! What instructions do within a thread.

use super::Thread;
use crate::compute::approximate::Approximation;
use crate::error::Error;
use crate::instruction::{Access, Op, Space};
use crate::lack::is_lacking;
use crate::memory::{Intent, Memory};
use crate::operand::Slot;

impl Thread {
    /// Computes, or accesses memory.
    ///
    /// # Safety
    /// The memory's regions are there.
    pub(super) unsafe fn step(&mut self, op: &Op, memory: &mut Memory<'_>) -> Result<(), Error> {
        match *op {
            Op::Move(bits, d, a) => self.set(d, self.get(a) & (u64::MAX >> (64 - bits))),
            Op::One(f, d, a) => self.set(d, f(self.get(a))),
            Op::Two(f, d, [a, b]) => self.set(d, f(self.get(a), self.get(b))),
            Op::NearOne(f, ref approximation, d, a) => {
                let a = self.get(a);
                // The second operand is 1.
                self.set(d, near(memory, approximation, f(a), a, 0x3f80_0000));
            }
            Op::NearTwo(f, ref approximation, d, [a, b]) => {
                let (a, b) = (self.get(a), self.get(b));
                self.set(d, near(memory, approximation, f(a, b), a, b));
            }
            Op::Three(f, d, [a, b, c]) => self.set(d, f(self.get(a), self.get(b), self.get(c))),
            Op::Four(f, d, [a, b, c, e]) => self.set(d, f(self.get(a), self.get(b), self.get(c), self.get(e))),
            Op::Partial(f, d, [a, b]) => match f(self.get(a), self.get(b)) {
                Some(value) => self.set(d, value),
                None => return Err(Error::from(format!("thread {} divides by zero", self.number))),
            },
            // Of the other one nothing is asked.
            Op::Select(d, [a, b, c]) => {
                let value = if self.get(c) & 1 == 1 { self.get(a) } else { self.get(b) };
                self.set(d, value);
            }
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
                let of = |carry| compute(self.get(a), self.get(b), self.get(c), carry);
                let (value, carry) = of(self.carry.unwrap_or(0));
                if self.carry.is_none() && (value, carry) != of(1) {
                    return Err(Error::from(format!(
                        "thread {} reads a carry that is not written",
                        self.number
                    )));
                }
                self.set(to, value);
                if keep {
                    self.carry = Some(carry);
                }
            }
            Op::Pack(bits, d, ref parts) => {
                let some = parts.iter().any(|part| !is_lacking(self.raw(*part)));
                let value = parts.iter().rev().fold(0, |value, &part| {
                    value << bits | self.get(part) & (u64::MAX >> (64 - bits))
                });
                // Compilers join a half without a value, which they never ask for, with one that has a value.
                if some {
                    self.lack.forget();
                }
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
            Op::LoadParameter(..) | Op::StoreParameter(..) => return self.pass(op),
            // SAFETY: by contract.
            _ => return unsafe { self.access(op, memory) },
        }
        Ok(())
    }

    unsafe fn access(&mut self, op: &Op, memory: &mut Memory<'_>) -> Result<(), Error> {
        let number = self.number;
        let address = |this: &mut Self, access: &Access| {
            let address = this.get(access.base).wrapping_add(access.offset);
            this.expect_defined("uses an address").map(|()| address)
        };
        match *op {
            Op::Load(ref access, ref to) => {
                let place = memory.place(*access, address(self, access)?, to.len(), (Intent::Read, 0), number)?;
                for (k, d) in to.iter().enumerate() {
                    // SAFETY: by contract.
                    let value = unsafe { place.load(k) };
                    if let Some(d) = d {
                        self.set(*d, value);
                    }
                }
            }
            Op::Store(ref access, ref from) => {
                let address = address(self, access)?;
                let ty = access.ty;
                let value = |stored, &a: &Slot| stored << ty.bits | u128::from(ty.mask(self.get(a)));
                let stored = from.iter().rev().fold(0_u128, value);
                let place = memory.place(*access, address, from.len(), (Intent::Write, stored), number)?;
                for (k, a) in from.iter().enumerate() {
                    // SAFETY: by contract.
                    unsafe { place.store(k, self.get(*a)) };
                }
                // A thread may keep in its own memory what it never asks for, and compilers copy the padding of structs by bytes.
                match (access.space, ty.bits) {
                    (Space::Local, _) | (_, 8) => self.lack.forget(),
                    _ => self.expect_defined("writes a value")?,
                }
            }
            Op::Atomic {
                ref access,
                modify,
                to,
                from: [b, c],
            } => {
                let place = memory.place(*access, address(self, access)?, 1, (Intent::Atomic, 0), number)?;
                // SAFETY: by contract.
                let old = unsafe { place.modify(modify, self.get(b), self.get(c)) };
                self.expect_defined("writes a value")?;
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
            Op::Fence => {
                std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
                memory.fence(number);
            }
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

/// The nearest value, or another one where a seed asks for it.
fn near(memory: &Memory<'_>, approximation: &Approximation, nearest: u64, a: u64, b: u64) -> u64 {
    match memory.disturb {
        Some(seed) => approximation.disturb(seed, nearest, a, b),
        None => nearest,
    }
}
