//! How many threads of a kernel run at once on a multiprocessor.
//!
//! Source of the limits: NVIDIA, "CUDA C++ Programming Guide", technical specifications per compute capability.

/// The limits of a multiprocessor.
struct Limits {
    warps: u64,
    blocks: u64,
}

const REGISTERS: u64 = 65536;
/// Registers are given to warps in such portions.
const PORTION: u64 = 256;
/// A multiprocessor has so many parts, each with registers of its own.
const PARTS: u64 = 4;

const fn limits(arch: &str) -> Option<Limits> {
    let (warps, blocks) = match arch.as_bytes() {
        b"sm_75" => (32, 16),
        b"sm_80" | b"sm_90" | b"sm_100" => (64, 32),
        b"sm_86" => (48, 16),
        b"sm_89" | b"sm_120" => (48, 24),
        _ => return None,
    };
    Some(Limits { warps, blocks })
}

/// The share of the threads that a multiprocessor of `arch` (`sm_90`) has room for which blocks of so many threads fill, each thread with so
/// many registers. Shared memory is taken not to limit them. `None` for an architecture that is not in the table.
pub fn occupancy(arch: &str, registers: u64, threads: u64) -> Option<f64> {
    let limits = limits(arch)?;
    let of_warp = (32 * registers.max(1)).next_multiple_of(PORTION);
    let warps = REGISTERS / PARTS / of_warp * PARTS;
    let of_block = threads.div_ceil(32).max(1);
    let blocks = (warps.min(limits.warps) / of_block).min(limits.blocks);
    Some((blocks * of_block) as f64 / limits.warps as f64)
}

#[cfg(test)]
mod tests {
    use super::occupancy;

    /// Values of NVIDIA's occupancy calculator.
    #[test]
    fn registers_limit_threads() {
        for (arch, registers, threads, share) in [
            ("sm_75", 64, 256, 1.0),
            ("sm_75", 65, 256, 0.75),
            ("sm_80", 32, 256, 1.0),
            ("sm_80", 33, 256, 0.75),
            ("sm_90", 40, 256, 0.75),
            ("sm_90", 41, 256, 0.625),
            ("sm_90", 255, 256, 0.125),
            ("sm_90", 16, 32, 0.5),
            ("sm_120", 40, 256, 1.0),
            ("sm_120", 48, 256, 5.0 / 6.0),
        ] {
            assert_eq!(
                occupancy(arch, registers, threads),
                Some(share),
                "{arch} {registers} {threads}"
            );
        }
        assert_eq!(occupancy("sm_50", 32, 256), None);
    }
}
