//! What kernels print.

use std::cell::Cell;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use swathe_ir::Output;

use super::failure;
use crate::kernel::shown::{Argument, Printed};

thread_local! {
    /// The first iteration of the last block that has begun in what the thread runs of a kernel.
    static BLOCK: Cell<usize> = const { Cell::new(NONE) };

    /// How many texts the thread has printed.
    static TEXTS: Cell<usize> = const { Cell::new(0) };
}

/// No block has begun.
const NONE: usize = usize::MAX;

/// The texts of a parallel loop. The thread that runs it may hold the standard output, for which other threads must not wait while it waits for them:
/// they leave theirs to it.
pub(super) struct Texts {
    owner: usize,
    is_left: AtomicBool,
    left: Mutex<Vec<(Output, String)>>,
}

/// Where native code sends its texts, while a thread runs it.
pub(super) struct Printing<'t> {
    /// Of a loop on several threads.
    texts: Option<&'t Texts>,
    /// What was printed in a block, which may run again.
    pending: Cell<Option<Box<Pending>>>,
    /// The block of what the thread ran before.
    before: usize,
}

#[derive(Default)]
struct Pending {
    block: usize,
    texts: Vec<(Output, String)>,
}

/// Tells the thread from all others that run.
fn thread() -> usize {
    BLOCK.with(|block| std::ptr::from_ref(block).addr())
}

impl Texts {
    /// Of a loop of this thread.
    #[inline]
    pub fn new() -> Texts {
        Texts {
            owner: thread(),
            is_left: AtomicBool::new(false),
            left: Mutex::new(Vec::new()),
        }
    }

    fn send(&self, output: Output, text: String) {
        if self.owner == thread() {
            return write(output, &text);
        }
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.push((output, text));
        drop(left);
        self.is_left.store(true, Ordering::Release);
    }

    /// Writes what other threads left.
    #[inline]
    fn write_left(&self) {
        if self.is_left.load(Ordering::Acquire) {
            self.write_all();
        }
    }

    #[cold]
    fn write_all(&self) {
        if self.owner == thread() && self.is_left.swap(false, Ordering::Acquire) {
            let left = std::mem::take(&mut *self.left.lock().unwrap_or_else(PoisonError::into_inner));
            left.iter().for_each(|(output, text)| write(*output, text));
        }
    }
}

impl Drop for Texts {
    #[inline]
    fn drop(&mut self) {
        self.write_left();
    }
}

impl<'t> Printing<'t> {
    #[inline]
    pub fn new(texts: Option<&'t Texts>) -> Printing<'t> {
        Printing {
            texts,
            pending: Cell::new(None),
            before: BLOCK.replace(NONE),
        }
    }

    /// Notes that what was run has ended, or the block that began last, which then runs `again` and prints again.
    #[inline]
    pub fn ended(&self, again: bool) {
        let block = BLOCK.replace(NONE);
        if block != NONE {
            self.end(block, again);
        }
    }

    #[cold]
    fn end(&self, block: usize, again: bool) {
        if let Some(pending) = self.pending.take()
            && !(again && pending.block == block)
        {
            self.send_all(*pending);
        }
    }

    fn send_all(&self, pending: Pending) {
        for (output, text) in pending.texts {
            self.send(output, text);
        }
    }

    fn send(&self, output: Output, text: String) {
        match self.texts {
            Some(texts) => texts.send(output, text),
            None => write(output, &text),
        }
    }

    /// Sends a text, or keeps that of a block until the next one begins.
    pub fn print(&self, output: Output, text: String) {
        let block = BLOCK.get();
        if block == NONE {
            return self.send(output, text);
        }
        let mut pending = self.pending.take().unwrap_or_default();
        // Of a block before, which is done.
        if pending.block != block {
            self.send_all(std::mem::take(&mut *pending));
        }
        pending.block = block;
        pending.texts.push((output, text));
        self.pending.set(Some(pending));
    }
}

impl Drop for Printing<'_> {
    #[inline]
    fn drop(&mut self) {
        BLOCK.set(self.before);
        if let Some(texts) = self.texts {
            texts.write_left();
        }
    }
}

/// Prints for a kernel, or for a function wherever it runs.
#[cold]
#[inline(never)]
pub fn print(output: Output, file: &'static str, line: u32, column: u32, template: &'static str, args: &[Argument]) {
    TEXTS.set(TEXTS.get().wrapping_add(1));
    // SAFETY: it runs what prints.
    let running = unsafe { failure::running() };
    let printed = Printed {
        output,
        file,
        line,
        column,
        kernel: running.map(failure::Running::kernel),
        template,
        args,
    };
    let text = printed.text(located());
    match running {
        Some(running) => running.printing.print(output, text),
        None => write(output, &text),
    }
}

/// How many texts this thread has printed: the same number twice if nothing was printed meanwhile.
#[inline(always)]
#[must_use]
pub fn texts() -> usize {
    TEXTS.get()
}

/// What as many lanes compute, once. If it prints, each of them does.
#[inline(always)]
pub fn together<T>(lanes: impl Fn() -> usize, value: impl Fn() -> T) -> T {
    let before = texts();
    let computed = value();
    if texts() != before {
        print_again(lanes(), &value);
    }
    computed
}

#[cold]
#[inline(never)]
fn print_again<T>(lanes: usize, value: &impl Fn() -> T) {
    for _ in 1..lanes {
        value();
    }
}

/// What the block that began last has printed is printed again by its iterations.
#[inline]
pub fn block_again() {
    // SAFETY: it is part of what prints.
    if let Some(running) = unsafe { failure::running() } {
        running.printing.ended(true);
    }
}

/// Notes that a block begins. In code that runs so often that nothing is asked there.
#[inline(always)]
pub fn block_begins(first: usize) {
    BLOCK.set(first);
}

/// Whether each text begins with kernel, place and iteration: the environment variable `SWATHE_PRINT_PLACES`.
pub(crate) fn located() -> bool {
    static LOCATED: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os("SWATHE_PRINT_PLACES").is_some_and(|v| !v.is_empty() && v != "0"));
    *LOCATED
}

/// What is written while [`captured`] runs, instead of being written.
static CAPTURED: Mutex<Option<Vec<(Output, String)>>> = Mutex::new(None);

/// What kernels print while `work` runs, in any thread. For tests.
pub fn captured(work: impl FnOnce()) -> Vec<(Output, String)> {
    let captured = || CAPTURED.lock().unwrap_or_else(PoisonError::into_inner);
    *captured() = Some(Vec::new());
    let ended = catch_unwind(AssertUnwindSafe(work));
    let found = captured().take();
    if let Err(payload) = ended {
        resume_unwind(payload);
    }
    found.unwrap_or_default()
}

/// Writes a text as a whole. A closed output is no reason for a kernel to fail.
pub(crate) fn write(output: Output, text: &str) {
    if let Some(captured) = &mut *CAPTURED.lock().unwrap_or_else(PoisonError::into_inner) {
        captured.push((output, text.to_owned()));
        return;
    }
    let _ = match output {
        Output::Out => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        }
        Output::Err | Output::Debug => std::io::stderr().lock().write_all(text.as_bytes()),
    };
}
