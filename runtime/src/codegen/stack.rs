//! A stack for compilers, whose functions call themselves for each level of an expression.

use std::panic::resume_unwind;
use std::thread::{self, Builder};

/// Pages are taken as they are touched.
const BYTES: usize = 256 << 20;

/// Does `work` on a stack that no expression which the macros take exceeds: a thread of the user's may have two mebibytes.
///
/// Where the system has no further thread it is done on the caller's stack.
pub fn with_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let (mut work, mut result) = (Some(work), None);
    thread::scope(|scope| {
        let compiler = Builder::new().name("swathe-compiler".into()).stack_size(BYTES);
        let compiler = compiler.spawn_scoped(scope, || result = work.take().map(|work| work()));
        if let Ok(Err(panic)) = compiler.map(thread::ScopedJoinHandle::join) {
            resume_unwind(panic);
        }
    });
    match (result, work) {
        (None, Some(work)) => work(),
        (result, _) => result.expect("the work was done"),
    }
}
