//! What kernels print.

use std::cell::{Cell, RefCell};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{LazyLock, Mutex, PoisonError};

use swathe_ir::Stream;

use super::failure;
use crate::kernel::shown::{Argument, Printed};

thread_local! {
    /// The first iteration of the last block that has begun in the part of a loop that the thread runs.
    static BLOCK: Cell<usize> = const { Cell::new(NONE) };
    /// What was printed in it.
    static PENDING: RefCell<Pending> = const { RefCell::new(Pending { block: NONE, texts: Vec::new() }) };
}

/// No block has begun.
const NONE: usize = usize::MAX;

/// Texts of a block of iterations, which may run again.
struct Pending {
    block: usize,
    texts: Vec<(Stream, String)>,
}

impl Pending {
    fn write(&mut self) {
        for (stream, text) in self.texts.drain(..) {
            write(stream, &text);
        }
    }
}

/// Prints for a kernel, or for a function wherever it runs.
#[cold]
#[inline(never)]
pub fn print(stream: Stream, file: &'static str, line: u32, column: u32, template: &'static str, args: &[Argument]) {
    let printed = Printed {
        stream,
        file,
        line,
        column,
        kernel: failure::kernel(),
        template,
        args,
    };
    let text = printed.text(located());
    let block = BLOCK.get();
    if block == NONE {
        return write(stream, &text);
    }
    PENDING.with_borrow_mut(|pending| {
        // Of a block before, which is done.
        if pending.block != block {
            pending.write();
        }
        pending.block = block;
        pending.texts.push((stream, text));
    });
}

/// Notes that a block begins. In code that runs so often that nothing is asked there.
#[inline(always)]
pub(super) fn block_begins(first: usize) {
    BLOCK.set(first);
}

/// Notes that a part of a loop has ended, or the block that began last, which then runs `again` and prints again.
#[inline]
pub(super) fn part_ends(again: bool) {
    let block = BLOCK.replace(NONE);
    if block != NONE {
        end(block, again);
    }
}

fn end(block: usize, again: bool) {
    PENDING.with_borrow_mut(|pending| {
        if again && pending.block == block {
            pending.texts.clear();
        }
        pending.write();
        pending.block = NONE;
    });
}

/// Whether each text begins with kernel, place and iteration: the environment variable `SWATHE_PRINT_PLACES`.
pub(crate) fn located() -> bool {
    static LOCATED: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os("SWATHE_PRINT_PLACES").is_some_and(|v| !v.is_empty() && v != "0"));
    *LOCATED
}

/// What is written while [`captured`] runs, instead of being written.
static CAPTURED: Mutex<Option<Vec<(Stream, String)>>> = Mutex::new(None);

/// What kernels print while `work` runs, in any thread. For tests.
pub fn captured(work: impl FnOnce()) -> Vec<(Stream, String)> {
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
pub(crate) fn write(stream: Stream, text: &str) {
    if let Some(captured) = &mut *CAPTURED.lock().unwrap_or_else(PoisonError::into_inner) {
        captured.push((stream, text.to_owned()));
        return;
    }
    let _ = match stream {
        Stream::Out => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        }
        Stream::Err | Stream::Debug => std::io::stderr().lock().write_all(text.as_bytes()),
    };
}
