//! A device of tests, whose memory the host cannot address.

use std::any::Any;
use std::cell::RefCell;
use std::ptr::NonNull;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use swathe_device_kernels::Launch;

use crate::device::{Backend, Device, Init, MemoryInfo};
use crate::error::{Error, Result};

/// Memory on the heap, kept from the host, and counted.
#[derive(Default)]
pub(in crate::field) struct Remote {
    live: AtomicUsize,
    moved: AtomicUsize,
    limit: usize,
    broken: AtomicBool,
    recorded: AtomicBool,
    /// The devices that were held at each download.
    held: Mutex<Vec<Vec<usize>>>,
}

thread_local! {
    /// Addresses of the devices that this thread holds.
    static HOLDS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

impl Remote {
    /// A new device with so many bytes.
    pub(in crate::field) fn device(limit: usize) -> (&'static Remote, Device) {
        let remote: &'static Remote = Box::leak(Box::new(Remote {
            limit,
            ..Remote::default()
        }));
        (remote, Device::from_backend(remote))
    }

    /// Bytes allocated now.
    pub(in crate::field) fn live(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    /// Whether copies on the device fail from now on.
    pub(in crate::field) fn break_copies(&self, broken: bool) {
        self.broken.store(broken, Ordering::Relaxed);
    }

    /// Lets all of its memory be recorded from now on.
    pub(in crate::field) fn record(&self) {
        self.recorded.store(true, Ordering::Relaxed);
    }

    /// The devices that were held at each download since the last call of this.
    pub(in crate::field) fn held(&self) -> Vec<Vec<usize>> {
        std::mem::take(&mut *self.held.lock().unwrap())
    }

    /// Forgets the transfers so far.
    pub(in crate::field) fn forget(&self) {
        self.moved.store(0, Ordering::Relaxed);
    }

    /// Bytes of the largest transfer so far.
    pub(in crate::field) fn largest(&self) -> usize {
        self.moved.load(Ordering::Relaxed)
    }
}

// SAFETY: the CPU's memory does the work.
unsafe impl Backend for Remote {
    fn name(&self) -> &str {
        "remote"
    }

    fn is_host(&self) -> bool {
        false
    }

    fn alloc(&self, bytes: usize, init: Init) -> Result<NonNull<u8>> {
        if self.live() + bytes > self.limit {
            return Err(Error::OutOfMemory {
                bytes,
                place: "remote".to_owned(),
            });
        }
        self.live.fetch_add(bytes, Ordering::Relaxed);
        Device::cpu().backend().alloc(bytes, init)
    }

    unsafe fn free(&self, at: NonNull<u8>, bytes: usize) {
        self.live.fetch_sub(bytes, Ordering::Relaxed);
        // SAFETY: passed on.
        unsafe { Device::cpu().backend().free(at, bytes) }
    }

    unsafe fn run(&self, launches: &[Launch], uses: &[(NonNull<u8>, bool)]) -> Result<()> {
        // SAFETY: passed on.
        unsafe { Device::cpu().backend().run(launches, uses) }
    }

    fn as_any(&'static self) -> &'static dyn Any {
        self
    }

    unsafe fn upload(&self, to: NonNull<u8>, from: *const u8, bytes: usize) -> Result<()> {
        self.moved.fetch_max(bytes, Ordering::Relaxed);
        // SAFETY: passed on.
        unsafe { Device::cpu().backend().upload(to, from, bytes) }
    }

    unsafe fn download(&self, to: *mut u8, from: NonNull<u8>, bytes: usize) -> Result<()> {
        self.moved.fetch_max(bytes, Ordering::Relaxed);
        self.held.lock().unwrap().push(HOLDS.with_borrow(Clone::clone));
        // SAFETY: passed on.
        unsafe { Device::cpu().backend().download(to, from, bytes) }
    }

    fn is_recorded(&self, _: NonNull<u8>) -> bool {
        self.recorded.load(Ordering::Relaxed)
    }

    fn undivided(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<bool> {
        HOLDS.with_borrow_mut(|holds| holds.push(std::ptr::from_ref(self).addr()));
        let done = work();
        HOLDS.with_borrow_mut(Vec::pop);
        done.map(|()| false)
    }

    fn memory(&self) -> Result<MemoryInfo> {
        Ok(MemoryInfo {
            total: self.limit,
            free: self.limit - self.live(),
        })
    }

    unsafe fn copy(&self, to: NonNull<u8>, from: NonNull<u8>, bytes: usize) -> Result<()> {
        if self.broken.load(Ordering::Relaxed) {
            return Err(Error::Unknown { what: "a copy" });
        }
        // SAFETY: passed on.
        unsafe { Device::cpu().backend().copy(to, from, bytes) }
    }

    unsafe fn fill(&self, to: NonNull<u8>, value: *const u8, size: usize, count: usize) -> Result<()> {
        // SAFETY: passed on.
        unsafe { Device::cpu().backend().fill(to, value, size, count) }
    }
}
