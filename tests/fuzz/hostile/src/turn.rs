//! An answer that differs from call to call, for operators and indices that are not what they seem.

use std::sync::atomic::{AtomicUsize, Ordering};

const ALTERNATE: usize = 2;

static MODE: AtomicUsize = AtomicUsize::new(ALTERNATE);
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// 0 and 1 by turns while a kernel runs; in plain Rust always the same, so that the two runs of it bound what a kernel may do.
pub fn turn() -> usize {
    match MODE.load(Ordering::Relaxed) {
        ALTERNATE => CALLS.fetch_add(1, Ordering::Relaxed) % 2,
        fixed => fixed,
    }
}

/// Runs `f` while all answers are the same.
pub(crate) fn fixed<R>(answer: usize, f: impl FnOnce() -> R) -> R {
    MODE.store(answer, Ordering::Relaxed);
    let result = f();
    MODE.store(ALTERNATE, Ordering::Relaxed);
    result
}
