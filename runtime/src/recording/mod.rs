//! Whether launches are recorded for derivatives, which fields vary, and what must not pass a recording unseen.

mod frame;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::device::Device;
use crate::error::{Error, Result};
use frame::{FRAMES, Frame};

pub use frame::{Running, confine, current, is_recording, names, operate, pause, push, record, refuse_graph, require};

/// Recordings of all threads: without one, nobody asks further.
static RECORDINGS: AtomicUsize = AtomicUsize::new(0);

/// By the number of a field, the recordings in which it varies.
static VARIED: Mutex<BTreeMap<u64, Vec<u64>>> = Mutex::new(BTreeMap::new());

/// What recordings refused where no error could be returned.
static REFUSED: Mutex<BTreeMap<u64, Error>> = Mutex::new(BTreeMap::new());

/// What a recording knows a field by.
pub trait Storage: Any {
    /// [`Field::id`](crate::Field::id).
    fn id(&self) -> u64;

    /// As errors name it.
    fn describe(&self) -> String;
}

/// Where an argument of a launch lives.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The device.
    pub device: &'a Device,
    /// The field that it is, or is a part of.
    pub storage: &'a dyn Storage,
    /// Whether it is a part that may be written at an address which it has already.
    pub exclusive: bool,
}

/// What a field is accessed for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

/// Whether any thread records.
#[inline(always)]
pub fn is_any() -> bool {
    RECORDINGS.load(Ordering::Relaxed) > 0
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept here is changed in one step.
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn recordings_of(field: u64) -> Vec<u64> {
    lock(&VARIED).get(&field).cloned().unwrap_or_default()
}

/// The numbers of recordings.
fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A recording that is known to all threads as long as this lives.
struct Known(u64);

impl Known {
    fn new() -> Known {
        RECORDINGS.fetch_add(1, Ordering::Relaxed);
        Known(next())
    }

    fn vary(&self, field: u64) {
        let mut varied = lock(&VARIED);
        let recordings = varied.entry(field).or_default();
        if !recordings.contains(&self.0) {
            recordings.push(self.0);
        }
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        lock(&VARIED).retain(|_, recordings| {
            recordings.retain(|recording| *recording != self.0);
            !recordings.is_empty()
        });
        lock(&REFUSED).remove(&self.0);
        RECORDINGS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Why an access to a field is refused; nothing if it is not. `of_operation`: it is an argument of what is being recorded.
fn refusal(field: u64, access: Access, of_operation: bool) -> Option<(&'static str, Vec<u64>)> {
    let varied = recordings_of(field);
    FRAMES.with_borrow(|frames| {
        let Some(top) = frames.last() else {
            return (!varied.is_empty()).then_some((OTHER_THREAD, varied));
        };
        match top {
            Frame::Paused => {
                (access == Access::Write && !varied.is_empty()).then(|| (WRITTEN_IN_PAUSE, varied.clone()))
            }
            Frame::Operation(running) => {
                if running.declares(field, access) || running.made(field) && varied.is_empty() {
                    return None;
                }
                let unseen = !varied.is_empty() || access == Access::Write;
                unseen.then(|| (running.reason, running.recordings(varied.clone())))
            }
            Frame::Recording(recorder) => {
                let own = recorder.known.0;
                if let Some(others) = Some(without(&varied, own)).filter(|others| !others.is_empty()) {
                    // Those below a pause do not see what is read above it.
                    let unseen: Vec<u64> = match access {
                        Access::Write => others,
                        Access::Read => others.into_iter().filter(|other| frame::sees(frames, *other)).collect(),
                    };
                    if !unseen.is_empty() {
                        return Some((OTHER_RECORDING, unseen));
                    }
                }
                if of_operation {
                    return None;
                }
                if recorder.scalar.is_some() && access == Access::Write {
                    return Some((AFTER_SCALAR, vec![own]));
                }
                varied.contains(&own).then(|| (HOST, vec![own]))
            }
        }
    })
}

fn without(recordings: &[u64], one: u64) -> Vec<u64> {
    recordings.iter().copied().filter(|other| *other != one).collect()
}

const HOST: &str = "what the host does with it would count as a constant: do it before or after the recording, \
    by a `#[kernel(grad)]`, or within `Tape::pause` if it is meant as one";
const OTHER_THREAD: &str = "another thread records what becomes of the field: use it when the recording has ended, give this \
    thread a clone that was made before it, or read it within `Tape::pause`";
const OTHER_RECORDING: &str = "the field varies in another recording, which would not see it: record both as one, or read it \
    within `Tape::pause`";
const WRITTEN_IN_PAUSE: &str = "a field that varies keeps its derivative there, which would be wrong after a write: write to a \
    field of its own";
pub const UNDECLARED: &str = "the operation that is being recorded does not name it: `Operation::input` for what is read, \
    `Operation::output` for what is written";
const OUTSIDE_STATE: &str = "a step of a tape of steps is run again from its state: add the field to the state that `Tape::steps` is given, \
    or make it within the step";
const AFTER_SCALAR: &str = "a kernel has returned a number that depends on what varies, and this may depend on that number as if \
    it were a constant: let the kernel write to a `Field<_, 0>`, or call it within `Tape::pause`";

#[cold]
pub fn error(what: String, reason: &'static str) -> Error {
    Error::NotRecordable { what, reason }
}

/// An access from the host, or to a field within an operation of the runtime.
///
/// # Errors
/// [`Error::NotRecordable`] if a recording would not see it.
#[inline]
pub fn access(storage: &dyn Storage, access: Access) -> Result<()> {
    match is_any() {
        true => access_now(storage, access),
        false => Ok(()),
    }
}

#[cold]
#[inline(never)]
fn access_now(storage: &dyn Storage, access: Access) -> Result<()> {
    match refusal(storage.id(), access, false) {
        Some((reason, _)) => Err(refused(storage, access, reason)),
        None => Ok(()),
    }
}

fn refused(storage: &dyn Storage, access: Access, reason: &'static str) -> Error {
    let verb = if access == Access::Read {
        "reading"
    } else {
        "writing to"
    };
    let varies = if recordings_of(storage.id()).is_empty() {
        ""
    } else {
        ", which varies,"
    };
    error(format!("{verb} {}{varies}", storage.describe()), reason)
}

/// The same where no error can be returned: the recording ends with it.
#[inline]
pub fn note(storage: &dyn Storage, access: Access) {
    if is_any()
        && let Some((reason, recordings)) = refusal(storage.id(), access, false)
    {
        refuse(&recordings, &refused(storage, access, reason));
    }
}

/// The recordings cannot be used any more.
fn refuse(recordings: &[u64], error: &Error) {
    let mut refused = lock(&REFUSED);
    for recording in recordings {
        refused.entry(*recording).or_insert_with(|| error.clone());
    }
}

/// An argument of a launch that is not recorded.
///
/// # Errors
/// [`Error::NotRecordable`] if a recording would not see it.
#[cold]
#[inline(never)]
pub fn argument(kernel: &'static str, parameter: &'static str, storage: &dyn Storage) -> Result<()> {
    let Some((reason, _)) = refusal(storage.id(), Access::Read, false) else {
        return Ok(());
    };
    let reason = match reason {
        HOST => WITHOUT_GRAD,
        other => other,
    };
    Err(error(format!("kernel `{kernel}`, whose `{parameter}` varies,"), reason))
}

const WITHOUT_GRAD: &str = "it has no derivative: write `#[kernel(grad)]` above it, record it as an `Operation`, or call it within \
    `Tape::pause` if its results are meant as constants";

/// Before a field is written, at an address that it has or will have.
///
/// # Errors
/// [`Error::NotRecordable`].
#[cold]
#[inline(never)]
pub fn prepare(storage: &dyn Storage) -> Result<()> {
    // A view to write may be made to be passed to what is recorded.
    let passes = FRAMES.with_borrow(|frames| match frames.last() {
        Some(Frame::Recording(recorder)) => recorder.scalar.is_none(),
        None => true,
        _ => false,
    });
    if passes {
        return Ok(());
    }
    match refusal(storage.id(), Access::Write, false) {
        Some((reason, _)) => Err(refused(storage, Access::Write, reason)),
        None => Ok(()),
    }
}
