//! Large pages of the operating system.

/// Below this, memory is too short for large pages.
#[cfg(target_os = "linux")]
const LEAST: usize = 4 << 20;

/// Asks for large pages behind new memory, for which the system has to do hundreds of times fewer steps when it is first
/// written, and the processor when it is read in another order.
#[cfg(target_os = "linux")]
pub(crate) fn advise(at: *mut u8, bytes: usize) {
    const SMALL: usize = 4 << 10;
    if bytes < LEAST {
        return;
    }
    let inside = at.align_offset(SMALL);
    let length = (bytes - inside) / SMALL * SMALL;
    // A system without large pages says so; then nothing is lost.
    // SAFETY: advice on whole pages inside of the caller's memory, which does not change what they hold.
    let _ = unsafe { libc::madvise(at.wrapping_add(inside).cast(), length, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn advise(_: *mut u8, _: usize) {}
