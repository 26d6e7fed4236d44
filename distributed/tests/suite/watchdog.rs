//! Ends a test whose ranks hang.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Runs `work`, and fails if it takes longer than a minute.
pub fn watched<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let (done, waits) = mpsc::channel();
    let thread = thread::spawn(move || {
        let result = work();
        let _ = done.send(());
        result
    });
    match waits.recv_timeout(Duration::from_secs(60)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the ranks hang"),
        _ => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}
