//! What a thread does: record, pause, or run what is recorded as one.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;

use super::{Access, Known, REFUSED, Storage, error, is_any, lock, refusal};
use crate::device::capture;
use crate::error::Result;

thread_local! {
    /// Never dropped with the thread, whose other values may still use fields when they are dropped. What begins a frame ends it, and with the
    /// last one goes their memory.
    pub static FRAMES: RefCell<ManuallyDrop<Vec<Frame>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

pub enum Frame {
    Recording(Recorder),
    Paused,
    Operation(Running),
}

pub struct Recorder {
    pub known: Known,
    steps: Vec<Box<dyn Any>>,
    /// The kernel whose result depends on what varies.
    pub scalar: Option<&'static str>,
    /// The names of operations that have run and are not finished yet, by their numbers.
    open: BTreeMap<u64, &'static str>,
    /// One that was not finished, or failed: fields may hold what nobody recorded.
    failed: Option<&'static str>,
}

/// An operation while it runs: the numbers of the fields that it names, and whether it writes them.
pub struct Running {
    /// Its name.
    pub name: &'static str,
    /// Its number.
    pub number: u64,
    /// The fields that it names, and whether it writes them.
    pub fields: Vec<(u64, bool)>,
    /// Those that vary when it has run.
    pub varying: Vec<u64>,
    /// The number of the first field that is made in it.
    pub first_new: u64,
    /// The recording.
    pub recording: u64,
    /// Why it does not use others.
    pub reason: &'static str,
}

impl Running {
    pub fn declares(&self, field: u64, access: Access) -> bool {
        let suits = |written: bool| written || access == Access::Read;
        self.fields.iter().any(|(id, written)| *id == field && suits(*written))
    }

    pub fn made(&self, field: u64) -> bool {
        field >= self.first_new
    }

    pub fn recordings(&self, varied: Vec<u64>) -> Vec<u64> {
        match varied.is_empty() {
            true => vec![self.recording],
            false => varied,
        }
    }
}

/// Whether a recording sees what happens now: there is no pause above it.
pub fn sees(frames: &[Frame], recording: u64) -> bool {
    let above = |frame: &Frame| !matches!(frame, Frame::Paused);
    let mut seen = frames.iter().rev().take_while(|frame| above(frame));
    seen.any(|frame| matches!(frame, Frame::Recording(recorder) if recorder.known.0 == recording))
}

fn pop() -> Option<Frame> {
    FRAMES.with_borrow_mut(|frames| {
        let frame = frames.pop();
        if frames.is_empty() {
            **frames = Vec::new();
        }
        frame
    })
}

/// Takes a frame away again, also if what it is for panics.
struct Pushed;

impl Pushed {
    fn new(frame: Frame) -> Pushed {
        FRAMES.with_borrow_mut(|frames| frames.push(frame));
        Pushed
    }

    fn pop(self) -> Option<Frame> {
        std::mem::forget(self);
        pop()
    }
}

impl Drop for Pushed {
    fn drop(&mut self) {
        // Dropped when the frames are no longer borrowed: what it holds may use fields.
        drop(pop());
    }
}

/// Records what a function does with fields that vary, at first those with these numbers: the operations, in their order.
///
/// # Errors
/// The function's own; [`Error::NotRecordable`] if something passed unseen.
pub fn record<R>(fields: &[u64], run: impl FnOnce() -> Result<R>) -> Result<(R, Vec<Box<dyn Any>>)> {
    if capture::is_capturing() {
        return Err(capture::refusal(
            "a recording of a tape".to_owned(),
            "a graph has fixed addresses, and a tape keeps what is overwritten; record and capture apart",
        ));
    }
    let known = Known::new();
    for field in fields {
        known.vary(*field);
    }
    let recording = known.0;
    let recorder = Recorder {
        known,
        steps: Vec::new(),
        scalar: None,
        open: BTreeMap::new(),
        failed: None,
    };
    let pushed = Pushed::new(Frame::Recording(recorder));
    let result = run();
    let Some(Frame::Recording(recorder)) = pushed.pop() else {
        return Err(error("a recording".to_owned(), "another one ended out of turn"));
    };
    let result = result?;
    if let Some(refused) = lock(&REFUSED).get(&recording).cloned() {
        return Err(refused);
    }
    let unfinished = recorder.open.first_key_value().map(|(_, name)| *name);
    if let Some(name) = recorder.failed.or(unfinished) {
        return Err(error(
            format!("`{name}`, which failed or was not finished,"),
            "what it wrote is not known: return its error from the recording",
        ));
    }
    Ok((result, recorder.steps))
}

/// Runs a function whose results count as constants.
pub fn pause<R>(run: impl FnOnce() -> R) -> R {
    let _pushed = Pushed::new(Frame::Paused);
    run()
}

/// An error for the capture of a graph, if this thread records, pauses or runs what is recorded; for a launch, which writes now, if any thread
/// does.
///
/// # Errors
/// [`Error::NotRecordable`](crate::Error::NotRecordable).
pub fn refuse_graph(what: &str, launched: bool) -> Result<()> {
    if is_any() && (launched || FRAMES.with_borrow(|frames| !frames.is_empty())) {
        let reason = "a graph writes at addresses, whatever a tape keeps there: call the kernels themselves, or use it before or \
            after the recording";
        return Err(error(what.to_owned(), reason));
    }
    Ok(())
}

/// Whether what this thread does is recorded.
#[inline]
pub fn is_recording() -> bool {
    is_any() && FRAMES.with_borrow(|frames| matches!(frames.last(), Some(Frame::Recording(_))))
}

fn with_recorder<R>(see: impl FnOnce(&mut Recorder) -> R) -> Result<R> {
    FRAMES.with_borrow_mut(|frames| match frames.last_mut() {
        Some(Frame::Recording(recorder)) => Ok(see(recorder)),
        _ => Err(error(
            "an operation".to_owned(),
            "this thread does not record: ask `Operation::is_recording` first",
        )),
    })
}

/// The number of the recording that an operation begins in.
///
/// # Errors
/// [`Error::NotRecordable`] if there is none.
pub fn current() -> Result<u64> {
    with_recorder(|recorder| recorder.known.0)
}

/// The number of the recording to which an operation is to be added.
///
/// # Errors
/// [`Error::NotRecordable`] if there is none, or if it has ended with a number.
pub fn require(name: &'static str) -> Result<u64> {
    let (recording, scalar) = with_recorder(|recorder| (recorder.known.0, recorder.scalar))?;
    match scalar {
        None => Ok(recording),
        Some(_) => Err(error(format!("`{name}`"), super::AFTER_SCALAR)),
    }
}

/// Whether a field that an operation names varies.
///
/// # Errors
/// [`Error::NotRecordable`] if it varies elsewhere.
pub fn names(
    operation: &'static str,
    argument: &'static str,
    storage: &dyn Storage,
    access: Access,
    recording: u64,
) -> Result<bool> {
    if let Some((reason, _)) = refusal(storage.id(), access, true) {
        return Err(error(format!("`{operation}`, whose `{argument}` varies,"), reason));
    }
    Ok(super::recordings_of(storage.id()).contains(&recording))
}

/// Runs what an operation does, unrecorded.
///
/// # Errors
/// The function's own.
pub fn operate<R>(running: Running, run: impl FnOnce() -> Result<R>) -> Result<R> {
    let (name, varying) = (running.name, running.varying.clone());
    let pushed = enter(running)?;
    let result = run();
    drop(pushed);
    match &result {
        // Before it is finished others may read what it wrote.
        Ok(_) => with_recorder(|recorder| varying.iter().for_each(|field| recorder.known.vary(*field)))?,
        Err(_) => failed(name)?,
    }
    result
}

fn enter(running: Running) -> Result<Pushed> {
    let (name, number) = (running.name, running.number);
    with_recorder(|recorder| {
        // The way back goes in the order in which operations were finished, which has to be that in which they ran.
        let unfinished = recorder.open.first_key_value().map(|(_, name)| *name);
        recorder.failed = recorder.failed.or(unfinished);
        recorder.open.insert(number, name);
    })?;
    Ok(Pushed::new(Frame::Operation(running)))
}

fn failed(name: &'static str) -> Result<()> {
    with_recorder(|recorder| recorder.failed = recorder.failed.or(Some(name)))
}

/// Runs a function that writes to no fields but some, and such that it makes.
///
/// # Errors
/// The function's own; [`Error::NotRecordable`](crate::Error::NotRecordable) in it.
pub fn confine<R>(name: &'static str, fields: Vec<u64>, first_new: u64, run: impl FnOnce() -> Result<R>) -> Result<R> {
    let known = Known::new();
    let _pushed = Pushed::new(Frame::Operation(Running {
        name,
        // It is none of a recording.
        number: 0,
        varying: Vec::new(),
        fields: fields.into_iter().map(|field| (field, true)).collect(),
        first_new,
        recording: known.0,
        reason: super::OUTSIDE_STATE,
    }));
    run()
}

/// Adds a step to this recording, if it still is the thread's: of an operation that has run, if there is a number. The fields that it wrote vary from
/// now on.
pub fn push(recording: u64, operation: Option<u64>, step: Box<dyn Any>, written: &[u64], scalar: Option<&'static str>) {
    // Elsewhere the step is dropped, and that the operation is open lets its recording fail. It is dropped when the frames are no longer
    // borrowed: what its closure holds may use fields.
    let mut step = Some(step);
    let _ = with_recorder(|recorder| {
        if recorder.known.0 != recording {
            return;
        }
        for field in written {
            recorder.known.vary(*field);
        }
        if let Some(number) = operation {
            recorder.open.remove(&number);
        }
        recorder.scalar = recorder.scalar.or(scalar);
        recorder.steps.extend(step.take());
    });
}
