//! How large the processor's caches are, and from where on stores go past them.

use std::sync::atomic::{AtomicUsize, Ordering};

/// From here on an array that is copied does not stay in the caches of the cores, and stores go past them: they then need not read what
/// they overwrite.
pub(crate) const LARGE: usize = 8 << 20;

/// Whether a copy of so many bytes goes past the caches.
pub(crate) fn is_large(bytes: usize) -> bool {
    cfg!(target_arch = "x86_64") && bytes >= LARGE
}

/// Where the processor says nothing: what a group of cores shares in many servers.
const USUAL: usize = 32 << 20;

/// Bytes of the fields of a loop from which on results that are only written go past the caches; 0 is not yet known.
static STREAM_FROM: AtomicUsize = AtomicUsize::new(0);

/// Bytes of the fields of a loop from which on results that are only written go past the caches: half as much again as the last cache holds. What
/// fits into it is read from there by the next loop.
#[inline]
pub(crate) fn stream_from() -> usize {
    match STREAM_FROM.load(Ordering::Relaxed) {
        0 => find(),
        bytes => bytes,
    }
}

/// Sets [`stream_from`], for tests; 0 is what the processor says.
pub fn set_stream_from(bytes: usize) {
    STREAM_FROM.store(bytes, Ordering::Relaxed);
}

#[cold]
fn find() -> usize {
    let last = last_level().unwrap_or(USUAL);
    let bytes = last.saturating_add(last / 2);
    set_stream_from(bytes);
    bytes
}

/// Size of the last cache, as the processor describes it: leaf 4 of Intel's `cpuid` (Software Developer's Manual, volume 2A, `CPUID`) and leaf
/// 8000001D of AMD's (Programmer's Manual, volume 3, appendix E), of one form.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn last_level() -> Option<usize> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const INTEL: u32 = 4;
    const AMD: u32 = 0x8000_001D;
    let amd = __cpuid(0x8000_0000).eax >= AMD;
    let leaf = match amd {
        true => AMD,
        false if __cpuid(0).eax >= INTEL => INTEL,
        false => return None,
    };
    let caches = (0..8)
        .map(|k| __cpuid_count(leaf, k))
        .take_while(|cache| cache.eax & 0x1F != 0);
    let size = |ways: u32, sets: u32| {
        let field = |from: u32, bits: u32| ((ways >> from) & ((1 << bits) - 1)) as usize + 1;
        field(22, 10) * field(12, 10) * field(0, 12) * (sets as usize + 1)
    };
    caches.map(|cache| size(cache.ebx, cache.ecx)).max()
}

#[cfg(any(not(target_arch = "x86_64"), miri))]
fn last_level() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_cache_is_one() {
        let bytes = last_level().unwrap_or(USUAL);
        assert!((256 << 10..4 << 30).contains(&bytes), "{bytes} bytes");
        assert_eq!(stream_from(), bytes + bytes / 2);
    }
}
