//! The adjoints of all fields while a tape is gone through backwards.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::accumulate::add_all;
use super::kept::{Adjoint, Handle, Input};
use super::operation::{Named, Step};
use crate::access::layout::Layout;
use crate::device::{Device, Init};
use crate::error::{Error, Result};
use crate::field::cow::{CowMemory, Form};
use crate::field::memory::Memory;
use crate::parameter::Parameter;

/// What memory a field has, and so its adjoint.
#[derive(Clone)]
pub(crate) struct Room {
    pub(in crate::field) device: Device,
    pub(in crate::field) bytes: usize,
    pub(in crate::field) form: &'static Form,
}

impl Room {
    pub(in crate::field) fn of(memory: &CowMemory) -> Room {
        Room {
            device: memory.device().clone(),
            bytes: memory.raw().size(),
            form: memory.form(),
        }
    }

    /// Whether both hold as many elements of one type in one layout, on one device.
    pub(in crate::field) fn is_like(&self, other: &Room) -> bool {
        self.bytes == other.bytes
            && self.form.planar == other.form.planar
            && (self.form.ty)() == (other.form.ty)()
            && self.device == other.device
    }

    /// Whether a memory is such a one. Programs may show a tape other fields than those that it has seen.
    ///
    /// # Errors
    /// [`Error::State`] if not.
    pub(in crate::field) fn admit(&self, memory: &CowMemory) -> Result<()> {
        let (form, got) = (self.form, memory.form());
        match self.is_like(&Room::of(memory)) {
            true => Ok(()),
            false => Err(Error::State {
                reason: format!(
                    "a derivative of elements `{}` in {} bytes on {} came for a field of `{}` in {} bytes on {}",
                    (got.ty)(),
                    memory.raw().size(),
                    memory.device(),
                    (form.ty)(),
                    self.bytes,
                    self.device
                ),
            }),
        }
    }

    pub(in crate::field) fn zeros(&self) -> Result<CowMemory> {
        let memory = Memory::alloc(&self.device, self.bytes, Init::Zeroed)?;
        Ok(CowMemory::with_form(memory, self.form))
    }
}

/// A memory that nobody uses any more. Who has forgotten an [`Adjoint`] still has it.
fn alone(memory: Rc<CowMemory>) -> Result<CowMemory> {
    Rc::try_unwrap(memory).or_else(|memory| memory.duplicate())
}

/// The adjoints that an operation's backward closure works on: for each field the derivative of the loss with respect to its
/// elements, as they were at that point of the recording.
#[derive(Default)]
pub struct Adjoints {
    /// By the number of a field; what is not there is zero.
    fields: RefCell<BTreeMap<u64, Rc<CowMemory>>>,
    /// What `Tape::keep` asked for.
    kept: RefCell<BTreeMap<u64, CowMemory>>,
    now: RefCell<Now>,
}

/// The operation that is being reversed.
#[derive(Default)]
struct Now {
    operation: u64,
    arguments: Vec<Named>,
    /// By the number of an argument, what is to be added to its adjoint, or what nobody looks at.
    apart: BTreeMap<usize, Rc<CowMemory>>,
}

impl Adjoints {
    /// The adjoint of an argument, which the backward closure of its operation changes.
    ///
    /// For what the operation reads, it adds to the elements. For what the operation writes, it finds the derivative with respect to
    /// the state after the operation, and leaves that with respect to the state before it: 0 where an element was overwritten,
    /// and nothing is done where it was left alone. Of an argument that does not vary there are zeros, at which nobody looks
    /// afterwards.
    ///
    /// # Errors
    /// [`Error::NotRecordable`] for an argument of another operation, or one whose adjoint is in use;
    /// [`Error::OutOfMemory`].
    pub fn of<'a, P: Parameter + ?Sized, L: Layout>(&'a self, argument: &'a Input<P, L>) -> Result<Adjoint<'a, P, L>> {
        let memory = self.of_handle(&argument.handle)?;
        argument.handle.in_use.set(true);
        Ok(Adjoint {
            memory,
            lie: argument.lie,
            in_use: &argument.handle.in_use,
        })
    }

    /// The memory of the adjoint of an argument.
    pub(super) fn of_handle(&self, argument: &Handle) -> Result<Rc<CowMemory>> {
        let mut now = self.now.borrow_mut();
        let refuse = |reason| {
            let what = format!("the adjoint of `{}`", argument.name);
            Err(Error::NotRecordable { what, reason })
        };
        if argument.operation != now.operation || argument.index >= now.arguments.len() {
            return refuse("it belongs to another operation: a backward closure has the adjoints of its own arguments");
        }
        if argument.in_use.get() {
            return refuse("it is in use: drop it before you ask for it again");
        }
        let of = &now.arguments[argument.index];
        let (field, room) = (of.field, of.room.clone());
        let is_the_fields = if of.written {
            of.varied_after
        } else {
            of.varied && of.alone
        };
        if is_the_fields {
            return self.of_field(field, &room);
        }
        if let Some(memory) = now.apart.get(&argument.index) {
            return Ok(Rc::clone(memory));
        }
        let memory = Rc::new(room.zeros()?);
        now.apart.insert(argument.index, Rc::clone(&memory));
        Ok(memory)
    }

    fn of_field(&self, field: u64, room: &Room) -> Result<Rc<CowMemory>> {
        if let Some(memory) = self.fields.borrow().get(&field) {
            room.admit(memory)?;
            return Ok(Rc::clone(memory));
        }
        let memory = Rc::new(room.zeros()?);
        self.fields.borrow_mut().insert(field, Rc::clone(&memory));
        Ok(memory)
    }

    /// The adjoint of a field, which is zero from now on; nothing if it is.
    pub(crate) fn take(&self, field: u64) -> Result<Option<CowMemory>> {
        self.fields.borrow_mut().remove(&field).map(alone).transpose()
    }

    /// Adds to the adjoint of a field.
    pub(crate) fn add(&self, field: u64, adjoint: CowMemory) -> Result<()> {
        let there = self.fields.borrow().get(&field).map(Rc::clone);
        match there {
            Some(there) => {
                Room::of(&there).admit(&adjoint)?;
                add_all(&there, &adjoint)
            }
            None => {
                self.fields.borrow_mut().insert(field, Rc::new(adjoint));
                Ok(())
            }
        }
    }

    /// What was kept of the adjoint of a field.
    pub(crate) fn take_kept(&self, field: u64) -> Option<CowMemory> {
        self.kept.borrow_mut().remove(&field)
    }

    /// Goes back over an operation. `seed` is the adjoint of its result.
    pub(crate) fn reverse(&self, step: &Step, seed: Option<&dyn Any>) -> Result<()> {
        let flows = |argument: &Named| {
            argument.written && argument.varied_after && self.fields.borrow().contains_key(&argument.field)
        };
        if let Some(field) = step.keeps {
            let copy = self.fields.borrow().get(&field).map(|memory| memory.duplicate());
            if let Some(copy) = copy {
                self.kept.borrow_mut().insert(field, copy?);
            }
        }
        if seed.is_none() && !step.arguments.iter().any(flows) {
            return Ok(());
        }
        *self.now.borrow_mut() = Now {
            operation: step.number,
            arguments: step.arguments.clone(),
            apart: BTreeMap::new(),
        };
        let done = (step.backward)(self, seed);
        let now = std::mem::take(&mut *self.now.borrow_mut());
        done?;
        for (index, apart) in now.apart {
            let argument = &now.arguments[index];
            if argument.varied {
                self.add(argument.field, alone(apart)?)?;
            }
        }
        // What was a constant before the operation wrote to it has no adjoint.
        for argument in now
            .arguments
            .iter()
            .filter(|argument| argument.written && !argument.varied)
        {
            drop(self.take(argument.field)?);
        }
        Ok(())
    }
}
