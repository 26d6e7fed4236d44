//! Work in order: each stream has a queue, and its work runs when somebody waits for it, and no earlier. So a program
//! that forgets to wait sees that nothing has happened yet.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use swathe_ptx_interpreter::Regions;

use crate::block::Launch;
use crate::config::Config;
use crate::error::{Code, Result};
use crate::fault::Injected;
use crate::findings::found;
use crate::graph::Graph;
use crate::module::Kernel;
use crate::state::{State, state};
use crate::workers;

/// A place in a stream's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub stream: usize,
    pub number: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Address(usize),
    /// Copied when the call was made, as from pageable memory.
    Bytes(Vec<u8>),
}

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Copy {
        to: usize,
        from: Source,
        bytes: usize,
    },
    Fill {
        to: usize,
        value: u32,
        width: usize,
        count: usize,
    },
    Kernel(Launch, Option<Injected>),
    /// Memory of a graph becomes fresh.
    Freshen(usize),
    Free(usize),
    Record(usize),
    Host(unsafe extern "C" fn(*mut c_void), usize),
    Graph(Arc<Graph>),
    Nothing,
}

#[derive(Debug)]
struct Item {
    number: u64,
    after: Vec<Position>,
    operation: Operation,
}

#[derive(Debug)]
pub(crate) struct Stream {
    pub context: usize,
    /// Waits for the legacy default stream, and it for this one.
    pub blocking: bool,
    /// A default stream, which has no handle.
    pub built_in: bool,
    pub flags: u32,
    pub priority: i32,
    queue: VecDeque<Item>,
    /// The last operation that has run.
    done: u64,
    last: u64,
    pub capture: Option<usize>,
}

const LONGEST: usize = 1024;

thread_local! {
    /// A host function runs, which may not call the driver.
    pub(crate) static CALLBACK: Cell<bool> = const { Cell::new(false) };
}

static EXECUTOR: Mutex<()> = Mutex::new(());

/// Taken before the state, by whoever runs work or frees memory.
pub(crate) fn executor() -> MutexGuard<'static, ()> {
    EXECUTOR.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream {
    pub(crate) fn new(context: usize, blocking: bool, built_in: bool) -> Stream {
        Stream {
            context,
            blocking,
            built_in,
            flags: u32::from(!blocking),
            priority: 0,
            queue: VecDeque::new(),
            done: 0,
            last: 0,
            capture: None,
        }
    }

    fn pending(&self) -> bool {
        self.done < self.last
    }
}

impl State {
    /// The end of a stream's queue.
    pub(crate) fn tail(&self, stream: usize) -> Position {
        Position {
            stream,
            number: self.streams.get(&stream).map_or(0, |s| s.last),
        }
    }

    /// The ends of all queues of a context.
    pub(crate) fn tails(&self, context: usize) -> Vec<Position> {
        let streams = self.streams.iter().filter(|(_, s)| s.context == context && s.pending());
        streams
            .map(|(&id, s)| Position {
                stream: id,
                number: s.last,
            })
            .collect()
    }

    pub(crate) fn complete(&self, at: Position) -> bool {
        self.streams.get(&at.stream).is_none_or(|s| s.done >= at.number)
    }

    /// Puts work into a stream, or into the graph that it captures.
    pub(crate) fn enqueue(&mut self, stream: usize, operation: Operation) -> Result<Position> {
        self.enqueue_after(stream, operation, Vec::new())
    }

    pub(crate) fn enqueue_after(
        &mut self,
        stream: usize,
        operation: Operation,
        mut after: Vec<Position>,
    ) -> Result<Position> {
        let s = self.streams.get(&stream).ok_or(Code::INVALID_HANDLE)?;
        if let Some(capture) = s.capture {
            let tail = self.tail(stream);
            self.captures
                .get_mut(&capture)
                .ok_or(Code::STREAM_CAPTURE_INVALIDATED)?
                .add(stream, operation)?;
            return Ok(tail);
        }
        let (context, blocking) = (s.context, s.blocking);
        let null = self.contexts.get(&context).ok_or(Code::CONTEXT_IS_DESTROYED)?.null;
        if stream == null {
            self.refuse_implicit(context)?;
            let others = self
                .streams
                .iter()
                .filter(|(id, s)| s.context == context && s.blocking && **id != null && s.pending());
            after.extend(others.map(|(&id, s)| Position {
                stream: id,
                number: s.last,
            }));
        } else if blocking {
            after.push(self.tail(null));
        }
        let s = self.streams.get_mut(&stream).ok_or(Code::INVALID_HANDLE)?;
        s.last += 1;
        s.queue.push_back(Item {
            number: s.last,
            after,
            operation,
        });
        Ok(Position { stream, number: s.last })
    }

    pub(crate) fn is_long(&self, stream: usize) -> bool {
        Config::get().eager || self.streams.get(&stream).is_some_and(|s| s.queue.len() > LONGEST)
    }

    /// The next operation to run on the way to `target`, with its context.
    fn take(&mut self, target: Position) -> Option<(usize, Position, Operation)> {
        let mut at = target;
        loop {
            let front = self.streams.get(&at.stream)?.queue.front()?;
            match front.after.iter().copied().find(|p| !self.complete(*p)) {
                Some(first) => at = first,
                None => {
                    let stream = self.streams.get_mut(&at.stream)?;
                    let item = stream.queue.pop_front()?;
                    return Some((
                        stream.context,
                        Position {
                            stream: at.stream,
                            number: item.number,
                        },
                        item.operation,
                    ));
                }
            }
        }
    }

    fn finish(&mut self, at: Position) {
        if let Some(stream) = self.streams.get_mut(&at.stream) {
            stream.done = at.number;
        }
    }

    /// Breaks a context.
    pub(crate) fn fail(&mut self, context: usize, code: Code, text: &str) {
        found(format_args!("{text}"));
        if let Some(context) = self.contexts.get_mut(&context) {
            context.error.get_or_insert(code);
        }
    }
}

/// Runs all that has to run before `target` is complete. The caller holds the executor.
pub(crate) fn run_until(target: Position) {
    while !state().complete(target) {
        if !run_one(target) {
            break;
        }
    }
}

/// Runs one operation on the way to `target`.
pub(crate) fn run_one(target: Position) -> bool {
    let taken = {
        let mut state = state();
        if state.complete(target) {
            None
        } else {
            state.take(target)
        }
    };
    let Some((context, at, operation)) = taken else {
        return false;
    };
    let broken = state().contexts.get(&context).is_none_or(|c| c.error.is_some());
    if !broken || matches!(operation, Operation::Free(_)) {
        perform(context, &operation, at);
    }
    state().finish(at);
    true
}

fn perform(context: usize, operation: &Operation, at: Position) {
    match operation {
        Operation::Copy { to, from, bytes } => copy(context, *to, from, *bytes),
        Operation::Fill {
            to,
            value,
            width,
            count,
        } => fill(context, *to, *value, *width, *count),
        Operation::Kernel(launch, injected) => kernel(context, launch, *injected),
        Operation::Freshen(base) => {
            if let Some(block) = state().memory.block(*base) {
                block.freshen();
            }
        }
        Operation::Free(base) => {
            let mut state = state();
            if let Err(damage) = state.release(*base) {
                state.fail(context, Code::ILLEGAL_ADDRESS, &damage);
            }
        }
        Operation::Record(event) => {
            if let Some(event) = state().events.get_mut(event)
                && event.recorded == Some(at)
            {
                event.time = Some(Instant::now());
            }
        }
        Operation::Host(function, data) => {
            CALLBACK.set(true);
            // SAFETY: the program passed a function with its own data.
            unsafe { function(*data as *mut c_void) };
            CALLBACK.set(false);
        }
        Operation::Graph(graph) => {
            for node in &graph.nodes {
                perform(context, node, at);
            }
        }
        Operation::Nothing => {}
    }
}

/// Device memory may have gone since the call was made; host memory is the program's own business.
fn still_there(context: usize, what: &str, address: usize, bytes: usize) -> bool {
    let mut state = state();
    if state.memory.around(address).is_some() || !state.memory.locate(address).contains("freed") {
        return true;
    }
    let text = format!("{what}: {}, {bytes} bytes", state.memory.locate(address));
    state.fail(context, Code::ILLEGAL_ADDRESS, &text);
    false
}

fn copy(context: usize, to: usize, from: &Source, bytes: usize) {
    if !still_there(context, "destination of a copy", to, bytes) {
        return;
    }
    match from {
        Source::Bytes(data) => {
            // SAFETY: the call checked the destination, which still stands.
            unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), to as *mut u8, bytes) };
            state().memory.note_copy(to, None, bytes);
        }
        Source::Address(from) => {
            if still_there(context, "source of a copy", *from, bytes) {
                // SAFETY: the call checked device memory; the program answers for its own.
                unsafe { std::ptr::copy(*from as *const u8, to as *mut u8, bytes) };
                state().memory.note_copy(to, Some(*from), bytes);
            }
        }
    }
}

fn fill(context: usize, to: usize, value: u32, width: usize, count: usize) {
    if !still_there(context, "destination of a memset", to, width * count) {
        return;
    }
    state().memory.note_copy(to, None, width * count);
    // SAFETY: the call checked range and alignment, and the memory still stands.
    unsafe {
        match width {
            1 => std::ptr::write_bytes(to as *mut u8, value as u8, count),
            2 => std::slice::from_raw_parts_mut(to as *mut u16, count).fill(value as u16),
            _ => std::slice::from_raw_parts_mut(to as *mut u32, count).fill(value),
        }
    }
}

fn kernel(context: usize, launch: &Launch, injected: Option<Injected>) {
    let name = || launch.kernel.name();
    if launch.module.unloaded.load(Ordering::Relaxed) {
        return state().fail(context, Code::LAUNCH_FAILED, "a kernel of an unloaded module");
    }
    if let Some(fault) = injected {
        return state().fail(context, fault.code, &format!("injected failure of kernel {}", name()));
    }
    for (k, (cell, parameter)) in launch.cells().enumerate() {
        // Small numbers are pointers to nothing, of empty buffers.
        let pointer = launch.arguments[cell] as usize;
        let mut state = state();
        if parameter.pointer == 1
            && pointer >= 4096
            && state.memory.around(pointer).is_none()
            && !state.memory.locate(pointer).contains("freed")
        {
            let text = format!("kernel {}: argument {k}: {}", name(), state.memory.locate(pointer));
            return state.fail(context, Code::ILLEGAL_ADDRESS, &text);
        }
    }
    let regions = match launch.kernel {
        // The mapping of memory is their check.
        Kernel::Row(..) => Regions::default(),
        Kernel::Entry(_) => state().reachable(context),
    };
    let fault = workers::run(launch.clone(), regions);
    let mut state = state();
    if let Some(fault) = fault {
        let place = fault
            .address
            .map_or(String::new(), |a| format!(": {}", state.memory.locate(a)));
        let text = format!("kernel {}: {}{place}", name(), fault.text);
        return state.fail(context, fault.code, &text);
    }
    if let Some(context) = state.contexts.get_mut(&context) {
        let name = name();
        if !context.ran.contains(&name) {
            context.ran.push(name);
        }
    }
}

/// Waits: runs all that the targets need, then looks at the guards.
pub(crate) fn wait(context: usize, targets: &[Position]) -> Result {
    let _executor = executor();
    for &target in targets {
        run_until(target);
    }
    inspect(context)
}

/// Looks whether a kernel wrote around an allocation; the context's error, if any. The caller holds the executor.
pub(crate) fn inspect(context: usize) -> Result {
    let mut state = state();
    let ran = state
        .contexts
        .get_mut(&context)
        .map(|c| std::mem::take(&mut c.ran))
        .unwrap_or_default();
    if !ran.is_empty()
        && let Some(damage) = state.memory.damage(context)
    {
        state.fail(
            context,
            Code::ILLEGAL_ADDRESS,
            &format!("{damage}, by one of the kernels {}", ran.join(", ")),
        );
    }
    state.contexts.get(&context).and_then(|c| c.error).map_or(Ok(()), Err)
}
