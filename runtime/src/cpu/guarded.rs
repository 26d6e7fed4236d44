//! Memory of fields in pages of its own, with `--cfg swathe_guarded`: whatever touches a byte outside of it ends the program, there and
//! then. Only for tests; `cargo xtask fuzz --hostile` builds like this.

use std::io::Write as _;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) const ON: bool = cfg!(swathe_guarded);
/// What fields are aligned to at least, and at most here.
const ALIGN: usize = 64;
const PAGE: usize = 4 << 10;
/// Pages on either side that nothing may touch: an access that is off by more mostly finds nothing mapped.
const GUARD: usize = 1 << 20;
/// What the rest of the first or last page holds, from allocation to release.
const REST: u8 = 0xa5;

/// Numbers allocations: by turns they begin where a page does, and end where one does.
static TURN: AtomicUsize = AtomicUsize::new(0);

/// How memory lies in its pages: bytes that it keeps from where it would be aligned to more than fields promise, and all bytes of the pages.
fn layout(bytes: usize) -> Option<(usize, usize)> {
    let off = if bytes.is_multiple_of(2 * ALIGN) { ALIGN } else { 0 };
    Some((off, bytes.checked_add(off)?.checked_next_multiple_of(PAGE)?))
}

/// Zeroed memory, aligned to the largest power of two that divides its size, as far as that of fields.
pub(super) fn alloc(bytes: usize) -> Option<NonNull<u8>> {
    let (off, inside) = layout(bytes)?;
    let whole = inside.checked_add(2 * GUARD)?;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: new pages at an address that the system chooses.
    let start = unsafe { libc::mmap(null_mut(), whole, libc::PROT_NONE, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: `GUARD` and what follows lie in the `whole` bytes, which are ours.
    unsafe {
        let first = start.cast::<u8>().add(GUARD);
        if libc::mprotect(first.cast(), inside, libc::PROT_READ | libc::PROT_WRITE) != 0 {
            libc::munmap(start, whole);
            return None;
        }
        let before = match TURN.fetch_add(1, Ordering::Relaxed) % 2 {
            0 => inside - bytes - off,
            _ => off,
        };
        first.write_bytes(REST, before);
        first.add(before + bytes).write_bytes(REST, inside - before - bytes);
        NonNull::new(first.add(before))
    }
}

/// # Safety
/// [`alloc`] made this with the same number of bytes, and nobody uses it any more.
pub(super) unsafe fn free(at: NonNull<u8>, bytes: usize) {
    let Some((_, inside)) = layout(bytes) else { return };
    let at = at.as_ptr();
    let before = at.addr() % PAGE;
    // SAFETY: `alloc` put less than a page before it, and a guard on either side of the pages.
    unsafe {
        let first = at.sub(before);
        let rests = [(first, before), (at.add(bytes), inside - before - bytes)];
        let kept = |(rest, length): (*mut u8, usize)| {
            std::slice::from_raw_parts(rest, length)
                .iter()
                .all(|byte| *byte == REST)
        };
        if !rests.into_iter().all(kept) {
            let _ = writeln!(std::io::stderr(), "memory beside a field of {bytes} bytes was written");
            std::process::abort();
        }
        libc::munmap(first.sub(GUARD).cast(), inside + 2 * GUARD);
    }
}
