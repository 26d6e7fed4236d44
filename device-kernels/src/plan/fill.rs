//! Filling.

use super::{entry, pointer};
use crate::Launch;
use crate::kernels::fill::{ENTRIES, Fill, Pattern};

/// `bytes` bytes from `to` on become repetitions of a pattern of 1 to 64 bytes.
///
/// ```
/// use swathe_device_kernels::plan;
///
/// let mut memory = [0_u8; 7];
/// for launch in plan::fill(memory.as_mut_ptr().expose_provenance() as u64, 7, &[1, 2, 3]) {
///     // SAFETY: the memory is there, and nobody else's.
///     unsafe { launch.run_on_host() };
/// }
/// assert_eq!(memory, [1, 2, 3, 1, 2, 3, 1]);
/// ```
///
/// # Panics
/// If the pattern is empty or longer than 64 bytes.
#[must_use]
pub fn fill(to: u64, bytes: u64, pattern: &[u8]) -> Vec<Launch> {
    let length = pattern.len() as u64;
    assert!((1..=64).contains(&length), "a pattern of {length} bytes");
    if bytes == 0 {
        return Vec::new();
    }
    let suits = |width: &u64| lcm(length, *width) <= 64 && head(to, *width) <= bytes;
    let width = [16, 8, 4, 2].into_iter().find(suits).unwrap_or(1);
    let (head, period) = (head(to, width), lcm(length, width));
    let mut repeated = [0; 8];
    for place in 0..period {
        let byte = pattern[((head + place) % length) as usize];
        repeated[place as usize / 8] |= u64::from(byte) << (place % 8 * 8);
    }
    let args = Fill {
        to: pointer(to),
        bytes,
        head: head as u32,
        period: period as u32,
        pattern: Pattern { bytes: repeated },
    };
    let entry = entry(ENTRIES, &format!("fill_{width}"));
    vec![Launch::items(entry, bytes.div_ceil(width), args.pack())]
}

/// Bytes before the first address that is a multiple of a power of two.
fn head(to: u64, width: u64) -> u64 {
    to.wrapping_neg() % width
}

/// The least common multiple with a power of two.
fn lcm(n: u64, width: u64) -> u64 {
    n * (width >> n.trailing_zeros().min(width.trailing_zeros()))
}
