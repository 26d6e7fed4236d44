//! One step of a tape: what it takes, what it does, and how to go back over it.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};

use super::adjoint::{Adjoints, Room};
use super::kept::{Handle, Input, Kept, Lie, Told};
use super::number::floats;
use super::span::Span;
use crate::device::argument::LaunchArg;
use crate::element::KernelType;
use crate::error::Result;
use crate::field::cow::CowMemory;
use crate::parameter::{Argument, ArgumentMut, Parameter};
use crate::recording::{self, Access, Place, Running, Storage};

/// Whether an operation's backward closure reads the elements of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It does: the tape holds a clone of the field, as it was when the operation began.
    Value,
    /// It does not, as where the operation is linear: nothing is held, and so nothing is copied when the field is written.
    Nothing,
}

/// An operation that a [`Tape`](crate::derivative::Tape) records: inputs, outputs, and a closure that goes back over it.
///
/// Kernels with a derivative are recorded as such by themselves. With it a function of one's own becomes one: an
/// iteration that is solved to the end, a call of another library, a pair of kernels written by hand.
///
/// ```
/// use swathe::derivative::{Keep, Operation, Tape};
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn square_kernel(x: &Field<f32>, y: &mut Field<f32>) {
///     for i in y.indices() {
///         y[i] = x[i] * x[i];
///     }
/// }
///
/// /// `y` is overwritten: its adjoint becomes 0, and that of `x` grows.
/// #[kernel]
/// fn square_back(x: &Field<f32>, dx: &mut Field<f32>, dy: &mut Field<f32>) {
///     for i in dy.indices() {
///         dx[i] += 2.0 * x[i] * dy[i];
///         dy[i] = 0.0;
///     }
/// }
///
/// fn square(x: &Field<f32>, y: &mut Field<f32>) -> swathe::Result<()> {
///     if !Operation::is_recording() {
///         return square_kernel(x, y);
///     }
///     let mut operation = Operation::new("square")?;
///     let x_then = operation.input("x", x, Keep::Value)?;
///     let y_then = operation.output("y", y, Keep::Nothing)?;
///     operation.run(|| square_kernel(x, y))?;
///     operation.finish(move |adjoints| {
///         square_back(x_then.value()?, &mut adjoints.of(&x_then)?, &mut adjoints.of(&y_then)?)
///     });
///     Ok(())
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::cpu();
/// let x = Field::from_slice(&device, &[1.0, 2.0, 3.0])?;
/// let mut y = Field::zeros(&device, 3)?;
/// let tape = Tape::record([x.source()], || square(&x, &mut y))?;
/// let seed = Field::from_slice(&device, &[1.0_f32, 10.0, 100.0])?;
/// let gradients = tape.backward_from(&[(&y, &seed)])?;
/// assert_eq!(gradients.get(&x)?.to_vec()?, [2.0, 40.0, 600.0]);
/// # Ok(())
/// # }
/// ```
#[must_use = "an operation is recorded by `finish`"]
pub struct Operation {
    name: &'static str,
    number: u64,
    recording: u64,
    arguments: Vec<Named>,
    /// Whether an argument varies, of those that it has been asked about or told.
    varied: bool,
}

/// An argument that an operation names.
#[derive(Clone)]
pub(super) struct Named {
    name: &'static str,
    pub field: u64,
    pub room: Room,
    span: Span,
    pub written: bool,
    /// Whether it depends on the sources when the operation begins, and when it ends.
    pub varied: bool,
    pub varied_after: bool,
    /// Whether its elements are no other argument's.
    pub alone: bool,
}

/// An argument as an operation sees it, whatever its elements are.
pub(super) struct Seen<'a> {
    place: Option<Place<'a>>,
    argument: LaunchArg<'a>,
    /// Bytes of an element.
    element: usize,
}

impl<'a> Seen<'a> {
    pub fn of<P: Parameter + ?Sized, A: Argument<P> + ?Sized>(argument: &'a A) -> Seen<'a> {
        Seen {
            place: argument.place(),
            argument: argument.launch_arg(),
            element: P::ELEMENT,
        }
    }
}

/// An argument that has been named.
struct Noted {
    handle: Handle,
    told: Told,
    /// Where its memory begins.
    base: *mut u8,
    kept: Option<CowMemory>,
}

type Backward = dyn Fn(&Adjoints, Option<&dyn Any>) -> Result<()>;

/// A recorded operation.
pub(crate) struct Step {
    pub(super) number: u64,
    pub(super) arguments: Vec<Named>,
    pub(super) backward: Box<Backward>,
    /// The number of the field whose adjoint is to be kept.
    pub(super) keeps: Option<u64>,
    result: Option<Box<dyn Any>>,
}

impl Step {
    /// Keeps the adjoint of a field at this point.
    pub(super) fn keeping(field: u64) -> Step {
        Step {
            number: next(),
            arguments: Vec::new(),
            backward: Box::new(|_, _| Ok(())),
            keeps: Some(field),
            result: None,
        }
    }

    /// The number of the field whose adjoint is to be kept.
    pub(crate) fn keeps(&self) -> Option<u64> {
        self.keeps
    }

    /// Its result, if it depends on the sources.
    pub(crate) fn result(&self) -> Option<&dyn Any> {
        self.result.as_deref()
    }
}

fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Operation {
    /// Whether this thread records, so that an operation is to be made of what follows.
    #[inline]
    #[must_use]
    pub fn is_recording() -> bool {
        recording::is_recording()
    }

    /// Begins an operation, which errors call so. If it is dropped before [`Operation::run`], nothing has happened.
    ///
    /// # Errors
    /// [`Error::NotRecordable`] if this thread does not record. If it has got a number from a kernel that depends on the sources, so is
    /// [`Operation::run`], unless none of the arguments varies.
    pub fn new(name: &'static str) -> Result<Operation> {
        Ok(Operation {
            name,
            number: next(),
            recording: recording::current()?,
            arguments: Vec::new(),
            varied: false,
        })
    }

    /// Looks at an argument before it is named: [`Operation::is_varied`] says whether one of all that were looked at varies. Arrays of the host do
    /// not.
    ///
    /// # Errors
    /// [`Error::NotRecordable`] for a field that varies in another recording.
    #[doc(hidden)]
    pub fn consider<P: Parameter + ?Sized, A: Argument<P> + ?Sized>(
        &mut self,
        name: &'static str,
        argument: &A,
        written: bool,
    ) -> Result<()> {
        self.consider_place(name, &Seen::of::<P, A>(argument), written)
    }

    pub(super) fn consider_place(&mut self, name: &'static str, seen: &Seen<'_>, written: bool) -> Result<()> {
        if let Some(Place { storage, .. }) = &seen.place {
            self.varied |= self.varies(name, *storage, written)?;
        }
        Ok(())
    }

    fn varies(&self, name: &'static str, storage: &dyn Storage, written: bool) -> Result<bool> {
        let access = if written { Access::Write } else { Access::Read };
        recording::names(self.name, name, storage, access, self.recording)
    }

    /// Names an argument that is read: a field, or a part of one, as a kernel takes it for `&P`.
    ///
    /// # Errors
    /// [`Error::NotRecordable`] for an array of the host, a field that varies in another recording; those of
    /// [`Field::try_clone`](crate::Field::try_clone).
    pub fn input<P: Parameter + ?Sized, A: Argument<P> + ?Sized>(
        &mut self,
        name: &'static str,
        argument: &A,
        keep: Keep,
    ) -> Result<Input<P, A::Layout>> {
        self.named(name, argument, keep, false)
    }

    /// Names an argument that is written, or read and written, as a kernel takes it for `&mut P`. Its value is that before the
    /// operation.
    ///
    /// # Errors
    /// As [`Operation::input`]; [`Error::NotRecordable`] for parts of a field of which it is not known that they have no
    /// element in common.
    pub fn output<P: Parameter + ?Sized, A: ArgumentMut<P> + ?Sized>(
        &mut self,
        name: &'static str,
        argument: &mut A,
        keep: Keep,
    ) -> Result<Input<P, A::Layout>> {
        self.named(name, &*argument, keep, true)
    }

    fn named<P: Parameter + ?Sized, A: Argument<P> + ?Sized>(
        &mut self,
        name: &'static str,
        argument: &A,
        keep: Keep,
        written: bool,
    ) -> Result<Input<P, A::Layout>> {
        let seen = Seen::of::<P, A>(argument);
        let Noted {
            handle,
            told,
            base,
            kept,
        } = self.note(name, seen, keep, &|copy| argument.copy_part(copy), written)?;
        let lie = Lie::of(argument, told, base);
        Ok(Input {
            handle,
            lie,
            // SAFETY: it has the same elements.
            kept: kept.map(|memory| unsafe { Kept::new(memory, lie) }),
        })
    }

    /// Names a field, or a part of one, as [`Operation::input`] and [`Operation::output`], whose values `backward` does not need.
    pub(super) fn place(&mut self, name: &'static str, seen: Seen<'_>, written: bool) -> Result<Handle> {
        let noted = self.note(name, seen, Keep::Nothing, &|_| None, written)?;
        Ok(noted.handle)
    }

    /// What does not depend on types: programs have many of those. `copy_part` is the argument's.
    fn note(
        &mut self,
        name: &'static str,
        seen: Seen<'_>,
        keep: Keep,
        copy_part: &dyn Fn(&CowMemory) -> Option<Result<()>>,
        written: bool,
    ) -> Result<Noted> {
        let on_host = || {
            let what = format!("`{}`, whose `{name}` is an array of the host,", self.name);
            recording::error(
                what,
                "a tape keeps fields: make a `Field` of it, by `Field::from_ndarray`",
            )
        };
        let Place { storage, exclusive, .. } = seen.place.ok_or_else(on_host)?;
        let memory = (storage as &dyn Any).downcast_ref::<CowMemory>().ok_or_else(on_host)?;
        let varied = self.varies(name, storage, written)?;
        self.varied |= varied;
        let told = Told::of(&seen.argument).ok_or_else(on_host)?;
        if told.repeats(seen.element) {
            let what = format!("`{}`, whose `{name}` has one element at several positions,", self.name);
            return Err(recording::error(
                what,
                "its adjoint would be written there by several iterations at once: copy the broadcast view into a field, by `copy_from`, outside \
                 of the recording, or index the smaller field in the kernel",
            ));
        }
        let base = memory.raw().address();
        let span = Span::of(&seen.argument, base, seen.element);
        let mut alone = true;
        let field = storage.id();
        for other in self.arguments.iter_mut().filter(|other| other.field == field) {
            if other.span.is_apart(&span) {
                continue;
            }
            if written && other.written {
                let what = format!("`{}`, which writes `{}` and `{name}`,", self.name, other.name);
                return Err(recording::error(
                    what,
                    "both are parts of one field, and may have elements in common: record two operations",
                ));
            }
            if written {
                other.alone = false;
            } else {
                alone = false;
            }
        }
        let kept = match keep {
            Keep::Nothing => None,
            // Who has the address already will write there, and not to memory of its own. Others may have other parts, and write to them now.
            Keep::Value if exclusive => {
                let copy = Room::of(memory).zeros()?;
                match copy_part(&copy) {
                    Some(copied) => copied.map(|()| Some(copy))?,
                    None => Some(memory.duplicate()?),
                }
            }
            Keep::Value => Some(memory.try_clone()?),
        };
        let index = self.arguments.len();
        self.arguments.push(Named {
            name,
            field,
            room: Room::of(memory),
            span,
            written,
            varied,
            varied_after: varied,
            alone,
        });
        let handle = Handle {
            name,
            operation: self.number,
            index,
            field,
            varied,
            room: Room::of(memory),
            in_use: std::cell::Cell::new(false),
        };
        Ok(Noted {
            handle,
            told,
            base,
            kept,
        })
    }

    /// Whether an argument depends on the sources of the recording. If none does, there is nothing to record.
    #[must_use]
    pub fn is_varied(&self) -> bool {
        self.varied
    }

    /// Does what the operation does. Launches in there are not recorded.
    ///
    /// If it fails, or the operation is not finished, the recording fails, since it does not know what has been written.
    ///
    /// # Errors
    /// The function's own; [`Error::NotRecordable`] in it if it uses a field that varies, or writes to one, and the operation does not
    /// name it.
    pub fn run<R>(&mut self, run: impl FnOnce() -> Result<R>) -> Result<R> {
        match self.start()? {
            Some(running) => recording::operate(running, run),
            None => run(),
        }
    }

    /// Nothing if there is nothing to record.
    fn start(&self) -> Result<Option<Running>> {
        if !self.is_varied() {
            return Ok(None);
        }
        if recording::require(self.name)? != self.recording {
            let what = format!("`{}`, which was begun in another recording,", self.name);
            return Err(recording::error(what, "run it in its own"));
        }
        Ok(Some(Running {
            name: self.name,
            number: self.number,
            fields: self.arguments.iter().map(|of| (of.field, of.written)).collect(),
            varying: self.varying().collect(),
            first_new: CowMemory::next_id(),
            recording: self.recording,
            reason: recording::UNDECLARED,
        }))
    }

    /// The fields that vary when it has run. Numbers without derivative do not, so that one may read them and sort by them.
    fn varying(&self) -> impl Iterator<Item = u64> {
        let written = self.arguments.iter().filter(|argument| argument.written);
        let varies = |argument: &&Named| argument.varied_after || has_floats(argument);
        written.filter(varies).map(|argument| argument.field)
    }

    /// Records the operation. `backward` goes back over it; it is called each time that the tape is gone through, unless what
    /// the operation wrote has no influence.
    ///
    /// In another thread than the recording's, in another recording or after its end, nothing is recorded: the recording of an operation that has run
    /// fails.
    pub fn finish(self, backward: impl Fn(&Adjoints) -> Result<()> + 'static) {
        self.record(Box::new(move |adjoints, _| backward(adjoints)), None, false);
    }

    /// Records an operation with a result: `backward` is also given the derivative with respect to that, `None` for 0.
    ///
    /// The result is a number of the host, of which the recording knows nothing further: no operation may follow. See
    /// [`value_and_gradient`](crate::derivative::value_and_gradient).
    pub fn finish_with<R: KernelType>(
        self,
        result: R,
        backward: impl Fn(&Adjoints, Option<R>) -> Result<()> + 'static,
    ) {
        let backward = move |adjoints: &Adjoints, seed: Option<&dyn Any>| {
            backward(adjoints, seed.and_then(|seed| seed.downcast_ref::<R>()).copied())
        };
        // A count, or a position, changes in steps: its derivative is 0.
        let depends = !floats(&R::ty()).is_empty();
        self.record(Box::new(backward), Some(Box::new(result)), depends);
    }

    fn record(mut self, backward: Box<Backward>, result: Option<Box<dyn Any>>, depends: bool) {
        if !self.is_varied() {
            return;
        }
        let written: Vec<u64> = self.varying().collect();
        for argument in self.arguments.iter_mut().filter(|argument| argument.written) {
            argument.varied_after |= has_floats(argument);
        }
        let scalar = (result.is_some() && depends).then_some(self.name);
        let step = Step {
            number: self.number,
            arguments: std::mem::take(&mut self.arguments),
            backward,
            keeps: None,
            result: result.filter(|_| depends),
        };
        recording::push(self.recording, Some(self.number), Box::new(step), &written, scalar);
    }
}

fn has_floats(argument: &Named) -> bool {
    !floats(&(argument.room.form.ty)()).is_empty()
}

/// Keeps the adjoint of a field at this point of the recording.
pub(in crate::field) fn keep(memory: &CowMemory) -> Result<()> {
    let recording = recording::require("Tape::keep")?;
    if recording::names("Tape::keep", "field", memory, Access::Read, recording)? {
        recording::push(recording, None, Box::new(Step::keeping(memory.id().get())), &[], None);
    }
    Ok(())
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operation")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
