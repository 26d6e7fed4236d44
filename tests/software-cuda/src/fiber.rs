//! Stacks for the threads of a block, and the switch between them.

use std::ptr::null_mut;

pub(crate) const STACK: usize = 256 << 10;
const PAGE: usize = 4096;

/// A stack with an unmapped page below it.
#[derive(Debug)]
pub(crate) struct Stack {
    map: usize,
    /// Where the next switch to it goes on.
    pub at: Saved,
}

#[cfg(target_arch = "x86_64")]
mod switch {
    /// The stack pointer; the registers lie above it.
    pub(crate) type Saved = usize;

    // Only what the calling convention preserves.
    std::arch::global_asm!(
        ".hidden swathe_softcuda_switch",
        ".globl swathe_softcuda_switch",
        "swathe_softcuda_switch:",
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, [rsi]",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    );

    unsafe extern "C" {
        fn swathe_softcuda_switch(from: *mut Saved, to: *const Saved);
    }

    pub(super) fn start(top: usize, entry: extern "C" fn() -> !) -> Saved {
        // After the return to `entry` the stack stands as after a call: 8 beside a multiple of 16.
        let at = (top & !15) - 16 - 8 * 8;
        // SAFETY: callers pass the end of a stack of their own.
        unsafe { ((at + 6 * 8) as *mut usize).write(entry as *const () as usize) };
        at
    }

    /// Saves this thread of execution to `from` and goes on at `to`.
    ///
    /// # Safety
    /// `to` has to come from `start` or an earlier save whose stack still stands.
    pub(crate) unsafe fn switch(from: *mut Saved, to: *const Saved) {
        // SAFETY: as the caller promises.
        unsafe { swathe_softcuda_switch(from, to) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod switch {
    /// A heap-allocated `ucontext_t`.
    pub(crate) type Saved = usize;

    fn context(saved: *mut Saved) -> *mut libc::ucontext_t {
        // SAFETY: callers pass a valid place, which holds zero or what this function put there.
        unsafe {
            if *saved == 0 {
                *saved = Box::into_raw(Box::new(std::mem::zeroed::<libc::ucontext_t>())) as usize;
            }
            *saved as *mut libc::ucontext_t
        }
    }

    pub(super) fn start(top: usize, entry: extern "C" fn() -> !) -> Saved {
        let mut saved = 0;
        let c = context(&raw mut saved);
        // SAFETY: the context is valid, and the stack is that of the caller.
        unsafe {
            libc::getcontext(c);
            (*c).uc_stack.ss_sp = (top - super::STACK / 2) as *mut _;
            (*c).uc_stack.ss_size = super::STACK / 2;
            libc::makecontext(
                c,
                std::mem::transmute::<extern "C" fn() -> !, extern "C" fn()>(entry),
                0,
            );
        }
        saved
    }

    /// Saves this thread of execution to `from` and goes on at `to`.
    ///
    /// # Safety
    /// `to` has to come from `start` or an earlier save whose stack still stands.
    pub(crate) unsafe fn switch(from: *mut Saved, to: *const Saved) {
        // SAFETY: as the caller promises.
        unsafe { libc::swapcontext(context(from), *to as *const _) };
    }
}

pub(crate) use switch::{Saved, switch};

impl Stack {
    /// A stack on which `entry` runs at the first switch.
    pub(crate) fn new(entry: extern "C" fn() -> !, number: usize) -> Option<Stack> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
        // SAFETY: a new mapping at a place that the system chooses.
        let map = unsafe {
            libc::mmap(
                null_mut(),
                STACK + PAGE,
                libc::PROT_READ | libc::PROT_WRITE,
                flags,
                -1,
                0,
            )
        };
        if map == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: the first page of the mapping above.
        unsafe { libc::mprotect(map, PAGE, libc::PROT_NONE) };
        let mut stack = Stack {
            map: map as usize,
            at: 0,
        };
        stack.restart(entry, number);
        Some(stack)
    }

    /// Forgets what ran on it.
    pub(crate) fn restart(&mut self, entry: extern "C" fn() -> !, number: usize) {
        // Tops at different distances from a page's start, or all would compete for the same lines of the cache.
        let top = self.map + PAGE + STACK - number * 192 % PAGE;
        self.at = switch::start(top, entry);
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nothing runs on it any more.
        unsafe { libc::munmap(self.map as *mut _, STACK + PAGE) };
    }
}
