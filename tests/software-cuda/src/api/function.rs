//! Attributes of kernels, and occupancy.

use std::ffi::{c_char, c_int, c_uint, c_void};

use super::device::{MULTIPROCESSORS, most_shared};
use super::{Out, driver};
use crate::config::Config;
use crate::error::{Code, Result};
use crate::state::{Function, state};

const REGISTERS: c_int = 32;

fn with(function: *mut c_void, body: impl FnOnce(&mut Function) -> Result) -> Result {
    let mut state = state();
    state.context()?;
    body(
        state
            .functions
            .get_mut(&(function as usize))
            .ok_or(Code::INVALID_HANDLE)?,
    )
}

fn most_threads(function: &Function) -> c_int {
    match function.kernel.bounds() {
        0 => 1024,
        n => n.min(1024) as c_int,
    }
}

/// Blocks that fit into a multiprocessor.
fn resident(function: &Function, block: c_int, dynamic: usize) -> c_int {
    if block <= 0 || block > most_threads(function) {
        return 0;
    }
    let rounded = (block as usize).next_multiple_of(32);
    let shared = (function.module.shared() + dynamic + 1024).max(1);
    (2048 / rounded).min((228 << 10) / shared).min(32) as c_int
}

fn best(function: &Function, dynamic: usize, limit: c_int) -> (c_int, c_int) {
    let most = if limit > 0 {
        limit.min(most_threads(function))
    } else {
        most_threads(function)
    };
    let block = if most >= 256 {
        256
    } else {
        (most / 32 * 32).max(most.min(32))
    };
    (MULTIPROCESSORS * resident(function, block, dynamic).max(1), block)
}

driver! {
    fn cuFuncGetAttribute(value: Out<c_int>, attribute: c_int, function: *mut c_void) {
        let (major, minor) = Config::get().capability;
        with(function, |f| match attribute {
            0 => value.set(most_threads(f)),
            1 => value.set(f.module.shared() as c_int),
            2 | 3 | 7 => value.set(0),
            4 => value.set(REGISTERS),
            5 | 6 => value.set(10 * major + minor),
            8 => value.set(f.dynamic),
            9 => value.set(-1),
            10..=15 => value.set(0),
            _ => Err(Code::INVALID_VALUE),
        })
    }

    fn cuFuncSetAttribute(function: *mut c_void, attribute: c_int, value: c_int) {
        with(function, |f| match attribute {
            8 if (0..=most_shared() - f.module.shared() as c_int).contains(&value) => {
                f.dynamic = value;
                Ok(())
            }
            9 if (-1..=100).contains(&value) => Ok(()),
            14 => Ok(()),
            _ => Err(Code::INVALID_VALUE),
        })
    }

    fn cuFuncSetCacheConfig(function: *mut c_void, _config: c_int) {
        with(function, |_| Ok(()))
    }

    fn cuFuncGetModule(module: Out<*mut c_void>, function: *mut c_void) {
        with(function, |f| module.set(f.owner as *mut c_void))
    }

    fn cuFuncGetName(name: Out<*const c_char>, function: *mut c_void) {
        with(function, |f| name.set(f.kernel.c_name().as_ptr()))
    }

    fn cuFuncGetParamInfo(function: *mut c_void, index: usize, offset: Out<usize>, size: Out<usize>) {
        with(function, |f| {
            let parameter = f.kernel.parameters().get(index).ok_or(Code::INVALID_VALUE)?;
            offset.set_optional(f.kernel.offsets()[index]);
            size.set_optional(parameter.size as usize);
            Ok(())
        })
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(count: Out<c_int>, function: *mut c_void, block: c_int, dynamic: usize) {
        with(function, |f| count.set(resident(f, block, dynamic)))
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(count: Out<c_int>, function: *mut c_void, block: c_int, dynamic: usize, _flags: c_uint) {
        with(function, |f| count.set(resident(f, block, dynamic)))
    }

    fn cuOccupancyMaxPotentialBlockSize(grid: Out<c_int>, block: Out<c_int>, function: *mut c_void, _shared: *const c_void, dynamic: usize, limit: c_int) {
        with(function, |f| {
            let (g, b) = best(f, dynamic, limit);
            grid.set(g)?;
            block.set(b)
        })
    }

    fn cuOccupancyMaxPotentialBlockSizeWithFlags(grid: Out<c_int>, block: Out<c_int>, function: *mut c_void, _shared: *const c_void, dynamic: usize, limit: c_int, _flags: c_uint) {
        with(function, |f| {
            let (g, b) = best(f, dynamic, limit);
            grid.set(g)?;
            block.set(b)
        })
    }

    fn cuOccupancyAvailableDynamicSMemPerBlock(bytes: Out<usize>, function: *mut c_void, blocks: c_int, _block: c_int) {
        with(function, |f| {
            let each = (228_usize << 10) / blocks.max(1) as usize;
            bytes.set(each.saturating_sub(1024 + f.module.shared()).min(most_shared() as usize))
        })
    }
}
