//! Calls, and the parameters that they pass.

use super::Context;
use super::{Caller, Stop, Thread};
use crate::error::{Cause, Error};
use crate::instruction::Op;
use crate::memory::Memory;
use crate::module::{Function, Module, Parameter};
use crate::operand::{Slot, Type};

impl Thread {
    /// A call, or its end.
    pub(super) fn turn(&mut self, op: &Op, module: &Module, memory: &mut Memory<'_>, context: &Context) {
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
                self.given.copy_within(start..start + parameter.size, to);
                // Each call has arguments of its own.
                self.given[start..start + parameter.size].fill(false);
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
            self.given.copy_within(start..start + result.size, to);
        }
        self.slots.truncate(self.slots_at);
        self.parameters.truncate(self.parameters_at);
        self.given.truncate(self.parameters_at);
        (self.slots_at, self.parameters_at) = (caller.slots, caller.parameters);
        (self.function, self.at) = (caller.function, caller.at);
    }

    /// Reads or writes parameters.
    pub(super) fn pass(&mut self, op: &Op) -> Result<(), Error> {
        match *op {
            Op::LoadParameter(ty, ref to, offset) => self.load_parameter_at(ty, to, offset)?,
            Op::StoreParameter(ty, ref from, offset) => {
                for (k, a) in from.iter().enumerate() {
                    let start = self.parameters_at + offset + k * ty.bytes();
                    let bytes = self.get(*a).to_le_bytes();
                    self.parameters[start..start + ty.bytes()].copy_from_slice(&bytes[..ty.bytes()]);
                    self.given[start..start + ty.bytes()].fill(true);
                    if ty.bits == 8 {
                        self.lack.forget();
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a kernel's parameter at an address in their space, where each starts at its offset.
    pub(super) fn load_parameter(
        &mut self,
        function: &Function,
        ty: Type,
        to: &[Option<Slot>],
        (base, offset): (Slot, u64),
    ) -> Result<(), Error> {
        let address = self.get(base).wrapping_add(offset);
        self.expect_defined("uses an address")?;
        let (bytes, number) = (to.len() * ty.bytes(), self.number);
        let refuse = |cause: Cause, why: &str| {
            let text = format!("thread {number} reads {bytes} bytes of parameters at {address:#x}, which {why}");
            Err(Error { cause, text })
        };
        if !address.is_multiple_of(bytes as u64) {
            return refuse(Cause::Misaligned(address), "is not aligned");
        }
        let inside = |parameter: &Parameter| {
            let within = usize::try_from(address).ok()?.checked_sub(parameter.offset)?;
            (within < parameter.size && parameter.size - within >= bytes).then_some(parameter.offset + within)
        };
        let at = function.params.iter().filter(|_| function.is_entry).find_map(inside);
        match at {
            Some(at) => self.load_parameter_at(ty, to, at),
            None => refuse(Cause::Outside(address), "it must not"),
        }
    }

    fn load_parameter_at(&mut self, ty: Type, to: &[Option<Slot>], offset: usize) -> Result<(), Error> {
        let start = self.parameters_at + offset;
        if self.given[start..start + to.len() * ty.bytes()].contains(&false) {
            return Err(Error::from(format!(
                "thread {} reads a parameter that is not written",
                self.number
            )));
        }
        for (k, d) in to.iter().enumerate() {
            let bytes = self.parameters[start + k * ty.bytes()..].first_chunk().copied();
            if let Some(d) = d {
                self.set(*d, ty.extend(u64::from_le_bytes(bytes.unwrap_or_default())));
            }
        }
        Ok(())
    }
}
