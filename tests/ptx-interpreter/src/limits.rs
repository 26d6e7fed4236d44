//! What the architecture of a module allows (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").

use crate::launch::Grid;
use crate::module::Module;

/// Bytes of shared memory of a block that needs no attribute to be set. Variables have no more in all.
const COMMON_SHARED: usize = 48 << 10;

/// Threads of a block, and those along each axis.
const MOST_THREADS: u64 = 1024;
const MOST_ALONG: [u32; 3] = [1024, 1024, 64];

/// Blocks along each axis.
const MOST_BLOCKS: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

/// Bytes of shared memory that a block may have where a device has this compute capability (75 for 7.5).
#[must_use]
pub fn most_shared(capability: u32) -> usize {
    let kibibytes = match capability {
        70 | 72 => 96,
        75 => 64,
        80 | 87 => 163,
        86 | 89 | 120 | 121 => 99,
        90 | 100 | 101 | 103 | 110 => 227,
        _ => return COMMON_SHARED,
    };
    kibibytes << 10
}

/// Bytes of an entry's parameters (7.1): more since version 8.1 of PTX, from `sm_70` on.
pub(crate) fn most_parameters(module: &Module) -> usize {
    match (module.version, module.target) {
        (Some(version), Some(70..)) if version >= (8, 1) => 32_764,
        _ => 4352,
    }
}

/// Why a launch is refused, if it is.
pub(crate) fn check(module: &Module, bounds: Option<u32>, grid: Grid) -> Result<(), String> {
    let threads: u64 = grid.threads.iter().map(|&n| u64::from(n)).product();
    let most = bounds.map_or(MOST_THREADS, u64::from).min(MOST_THREADS);
    let beyond = |sizes: [u32; 3], most: [u32; 3]| sizes.iter().zip(most).any(|(&n, most)| n == 0 || n > most);
    if threads > most || beyond(grid.threads, MOST_ALONG) {
        return Err(format!(
            "{grid:?}, of up to {most} threads and {MOST_ALONG:?} along the axes"
        ));
    }
    if beyond(grid.blocks, MOST_BLOCKS) {
        return Err(format!("{grid:?}, of up to {MOST_BLOCKS:?} blocks"));
    }
    if module.shared > COMMON_SHARED {
        let bytes = module.shared;
        return Err(format!("{bytes} bytes of shared variables, of up to {COMMON_SHARED}"));
    }
    let target = module.target.unwrap_or(0);
    let most = most_shared(target);
    let shared = module.shared.next_multiple_of(16).saturating_add(grid.shared);
    match shared <= most {
        true => Ok(()),
        false => Err(format!(
            "{grid:?}, {shared} bytes of shared memory, of up to {most} of sm_{target}"
        )),
    }
}
