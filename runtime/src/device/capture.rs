//! Whether this thread captures a graph: what would run now, and not with the graph, is refused then.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};

/// Captures of all threads: without one, what a capture refuses asks no further.
static CAPTURES: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static CAPTURING: Cell<bool> = const { Cell::new(false) };
}

/// A capture of this thread, which lasts as long as this.
pub struct Capturing(());

impl Capturing {
    pub fn begin() -> Capturing {
        CAPTURES.fetch_add(1, Ordering::Relaxed);
        CAPTURING.set(true);
        Capturing(())
    }
}

impl Drop for Capturing {
    fn drop(&mut self) {
        CAPTURES.fetch_sub(1, Ordering::Relaxed);
        CAPTURING.set(false);
    }
}

/// Whether this thread captures.
pub fn is_capturing() -> bool {
    // Where nobody captures, which is nearly always, a load tells.
    CAPTURES.load(Ordering::Relaxed) > 0 && CAPTURING.get()
}

/// An error if this thread captures: the CPU's work would run now.
pub fn refuse_on_cpu(what: impl FnOnce() -> String) -> Result<()> {
    if is_capturing() {
        let reason =
            "work of the CPU runs at once and is not repeated with the graph; do it before or after the capture";
        return Err(refusal(what(), reason));
    }
    Ok(())
}

/// An error if this thread captures: an array of the host would be copied now, and its copy be gone before the graph runs.
pub fn refuse_array(what: impl FnOnce() -> String) -> Result<()> {
    if is_capturing() {
        let reason = "an array passes through a copy at each call; make a field of it before the capture";
        return Err(refusal(what(), reason));
    }
    Ok(())
}

#[cold]
pub fn refusal(what: String, reason: &'static str) -> Error {
    Error::NotCapturable { what, reason }
}
