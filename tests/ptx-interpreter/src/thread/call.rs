//! Calls, and the parameters that they pass.

use super::Context;
use super::{Caller, Stop, Thread};
use crate::error::Error;
use crate::instruction::Op;
use crate::memory::Memory;
use crate::module::Module;

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
            Op::LoadParameter(ty, ref to, offset) => {
                let start = self.parameters_at + offset;
                if self.given[start..start + to.len() * ty.bytes()].contains(&false) {
                    return Err(Error::from(format!(
                        "thread {} reads a parameter that is not written",
                        self.number
                    )));
                }
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
}
