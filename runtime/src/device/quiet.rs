//! Waits that cannot tell anybody what failed in the kernels before: the next call that waits tells it.

use std::cell::Cell;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does work whose waits report nothing of the kernels before.
pub fn quietly<R>(work: impl FnOnce() -> R) -> R {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            QUIET.set(self.0);
        }
    }
    let _before = Before(QUIET.replace(true));
    work()
}

/// Whether this thread does such work.
pub fn is_quiet() -> bool {
    QUIET.get()
}
