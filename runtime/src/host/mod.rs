//! The host's threads and memory: loops on all cores, copies, caches, pages. Fields and the CPU backend stand on it.

pub mod cache;
pub(crate) mod copy;
mod domain;
pub mod failure;
pub(crate) mod pages;
pub mod parallel;
pub(crate) mod pool;
pub mod print;
pub mod strips;
pub(crate) mod team;

/// A pointer that several threads use, each for its own part.
#[derive(Clone, Copy)]
pub(crate) struct SendPtr(*mut u8);

impl SendPtr {
    pub(crate) fn new(at: *mut u8) -> SendPtr {
        SendPtr(at)
    }

    pub(crate) fn get(self) -> *mut u8 {
        self.0
    }
}

// SAFETY: a pointer is an address; those who dereference it answer for the access.
unsafe impl Send for SendPtr {}
// SAFETY: as above.
unsafe impl Sync for SendPtr {}
