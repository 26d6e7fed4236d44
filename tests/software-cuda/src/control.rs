//! What tests ask of the library itself; `harness` calls these.

use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::Mutex;

use crate::config::{Config, Leaks};
use crate::fault;
use crate::findings;
use crate::memory::Place;
use crate::state::state;

const LIVE: [&str; 9] = [
    "memory",
    "host",
    "stream",
    "event",
    "module",
    "graph",
    "executable",
    "pool",
    "context",
];

fn live(kind: &str) -> Option<u64> {
    let state = state();
    let blocks = |place: &[Place]| state.memory.blocks().filter(|b| place.contains(&b.place)).count();
    let n = match kind {
        "memory" => blocks(&[Place::Device, Place::Managed]),
        "bytes" => state
            .memory
            .blocks()
            .filter(|b| matches!(b.place, Place::Device | Place::Managed))
            .map(|b| b.size)
            .sum(),
        "host" => blocks(&[Place::Host, Place::Registered]),
        "stream" => state.streams.values().filter(|s| !s.built_in).count(),
        "event" => state.events.len(),
        "module" => state.modules.len(),
        "graph" => state.graphs.len(),
        "executable" => state.executables.len(),
        "pool" => state.pools.values().filter(|p| !p.default).count(),
        "context" => state.contexts.len(),
        _ => return None,
    };
    Some(n as u64)
}

pub(crate) fn report_leaks() {
    let policy = Config::get().leaks;
    if policy == Leaks::Ignore {
        return;
    }
    // Contexts live as long as the process in every program.
    let mut leaks = Vec::new();
    for kind in &LIVE[..8] {
        if let Some(n @ 1..) = live(kind) {
            leaks.push(format!("{n} {kind}"));
        }
    }
    if leaks.is_empty() {
        eprintln!("software CUDA device: no leaks");
        return;
    }
    eprintln!("software CUDA device: leaks: {}", leaks.join(", "));
    if policy == Leaks::Abort {
        // SAFETY: ends the process at once, which is the point.
        unsafe { libc::_exit(86) };
    }
}

fn text<'a>(name: *const c_char) -> &'a str {
    if name.is_null() {
        return "";
    }
    // SAFETY: callers pass a C string or null.
    unsafe { CStr::from_ptr(name) }.to_str().unwrap_or("")
}

/// Replaces the faults to come, and starts counting calls anew; null or an empty text clears. 0 if understood.
#[unsafe(no_mangle)]
pub extern "C" fn softcuda_fail(rules: *const c_char) -> c_int {
    c_int::from(fault::arm(text(rules)).is_err())
}

/// Calls of a kind since `softcuda_fail`, or -1 if there is no such kind.
#[unsafe(no_mangle)]
pub extern "C" fn softcuda_calls(kind: *const c_char) -> i64 {
    fault::calls(text(kind)).map_or(-1, |n| n as i64)
}

/// Objects of a kind (or "bytes" of device memory) that live, or -1 if there is no such kind.
#[unsafe(no_mangle)]
pub extern "C" fn softcuda_live(kind: *const c_char) -> i64 {
    live(text(kind)).map_or(-1, |n| n as i64)
}

/// What a check found last, for people; valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn softcuda_finding() -> *const c_char {
    static TEXT: Mutex<Option<CString>> = Mutex::new(None);
    let mut text = TEXT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let found = CString::new(findings::last().replace('\0', " ")).unwrap_or_default();
    text.insert(found).as_ptr()
}

/// Mends broken contexts, so that a test can go on after a fault that breaks them.
#[unsafe(no_mangle)]
pub extern "C" fn softcuda_mend() {
    for context in state().contexts.values_mut() {
        context.error = None;
    }
}
