//! Graphs: the work of a capture, in the order in which it was captured.

use std::collections::HashMap;
use std::thread::ThreadId;

use crate::error::{Code, Result};
use crate::findings::found;
use crate::state::State;
use crate::stream::Operation;

#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub nodes: Vec<Operation>,
    pub context: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Global,
    ThreadLocal,
    Relaxed,
}

/// Of a stream that takes part.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    operations: usize,
    /// Operations that another stream of the capture waits for.
    joined: usize,
}

#[derive(Debug)]
pub(crate) struct Capture {
    pub context: usize,
    pub origin: usize,
    pub mode: Mode,
    pub thread: ThreadId,
    pub invalid: bool,
    pub nodes: Vec<Operation>,
    parts: HashMap<usize, Part>,
}

impl Capture {
    pub(crate) fn new(context: usize, origin: usize, mode: Mode) -> Capture {
        Capture {
            context,
            origin,
            mode,
            thread: std::thread::current().id(),
            invalid: false,
            nodes: Vec::new(),
            parts: HashMap::from([(origin, Part::default())]),
        }
    }

    pub(crate) fn add(&mut self, stream: usize, operation: Operation) -> Result {
        if self.invalid {
            return Err(Code::STREAM_CAPTURE_INVALIDATED);
        }
        self.parts.entry(stream).or_default().operations += 1;
        self.nodes.push(operation);
        Ok(())
    }

    pub(crate) fn operations(&self, stream: usize) -> usize {
        self.parts.get(&stream).map_or(0, |p| p.operations)
    }

    /// `stream` joins, or goes on, after the first `operations` of `other`.
    pub(crate) fn join(&mut self, stream: usize, other: usize, operations: usize) {
        let fork = !self.parts.contains_key(&stream);
        if stream != other
            && let Some(part) = self.parts.get_mut(&other)
        {
            part.joined = part.joined.max(operations);
        }
        let part = self.parts.entry(stream).or_default();
        // A fork that never comes back is unjoined even if it did nothing.
        part.operations += usize::from(fork);
    }

    pub(crate) fn streams(&self) -> impl Iterator<Item = usize> {
        self.parts.keys().copied()
    }

    pub(crate) fn is_joined(&self) -> bool {
        self.parts
            .iter()
            .all(|(&s, p)| s == self.origin || p.joined >= p.operations)
    }
}

impl State {
    /// A call that no capture permits, unless all are relaxed: `cuMemAlloc` and other calls that may synchronise.
    pub(crate) fn refuse_captured(&mut self, call: &str) -> Result {
        let me = std::thread::current().id();
        let mut refused = false;
        for capture in self.captures.values_mut() {
            if capture.mode == Mode::Global || capture.mode == Mode::ThreadLocal && capture.thread == me {
                capture.invalid = true;
                refused = true;
            }
        }
        if refused {
            found(format_args!("{call} while a stream captures"));
            return Err(Code::STREAM_CAPTURE_UNSUPPORTED);
        }
        Ok(())
    }

    /// Work in the legacy stream would wait for a stream that captures.
    pub(crate) fn refuse_implicit(&mut self, context: usize) -> Result {
        let capturing = self
            .streams
            .values()
            .filter(|s| s.context == context && s.blocking)
            .find_map(|s| s.capture);
        let Some(capture) = capturing else { return Ok(()) };
        if let Some(capture) = self.captures.get_mut(&capture) {
            capture.invalid = true;
        }
        Err(Code::STREAM_CAPTURE_IMPLICIT)
    }

    /// A stream that captures cannot be waited for.
    pub(crate) fn refuse_capturing(&mut self, stream: usize) -> Result {
        let Some(capture) = self.streams.get(&stream).and_then(|s| s.capture) else {
            return Ok(());
        };
        if let Some(capture) = self.captures.get_mut(&capture) {
            capture.invalid = true;
        }
        Err(Code::STREAM_CAPTURE_UNSUPPORTED)
    }
}
