//! Memory pools.

use std::ffi::{c_int, c_void};

use super::{Out, driver, submit};
use crate::error::{Code, Result};
use crate::findings::found;
use crate::memory::Place;
use crate::state::{Pool, handle, state};
use crate::stream::Operation;

/// Allocates from a pool, in a stream's order.
pub(super) fn allocate(address: Out<usize>, size: usize, pool: usize, stream: *mut c_void) -> Result {
    let capture = {
        let mut state = state();
        let id = state.stream(stream)?;
        if !state.pools.contains_key(&pool) {
            return Err(Code::INVALID_HANDLE);
        }
        state.streams[&id].capture
    };
    let base = super::memory::allocate(size, Place::Device, |state, base| {
        if let Some(block) = state.memory.block_mut(base) {
            block.pool = Some(pool);
            block.graph = capture;
        }
        if let Some(pool) = state.pools.get_mut(&pool) {
            pool.used += size as u64;
            pool.high = pool.high.max(pool.used);
        }
    })?;
    if capture.is_some() {
        submit(stream, |_, _| Ok(Operation::Freshen(base)))?;
    }
    address.set(base)
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Properties {
    kind: c_int,
    handles: c_int,
    location: c_int,
    device: c_int,
}

driver! {
    fn cuDeviceGetDefaultMemPool(pool: Out<*mut c_void>, device: c_int) {
        let mut state = state();
        let device = state.device(device)?;
        pool.set(state.device_pool(device).0 as *mut c_void)
    }

    fn cuDeviceGetMemPool(pool: Out<*mut c_void>, device: c_int) {
        let mut state = state();
        let device = state.device(device)?;
        pool.set(state.device_pool(device).1 as *mut c_void)
    }

    fn cuDeviceSetMemPool(device: c_int, pool: *mut c_void) {
        let mut state = state();
        let device = state.device(device)?;
        if state.pools.get(&(pool as usize)).is_none_or(|p| p.device != device) {
            return Err(Code::INVALID_HANDLE);
        }
        let (default, _) = state.device_pool(device);
        state.device_pools.insert(device, (default, pool as usize));
        Ok(())
    }

    fn cuMemPoolCreate(pool: Out<*mut c_void>, properties: Out<Properties>) {
        let properties = properties.get()?;
        let mut state = state();
        let device = state.device(properties.device)?;
        let id = handle();
        state.pools.insert(id, Pool { device, ..Pool::default() });
        pool.set(id as *mut c_void)
    }

    fn cuMemPoolDestroy(pool: *mut c_void) {
        let mut state = state();
        match state.pools.get(&(pool as usize)) {
            Some(p) if !p.default => {}
            _ => return Err(Code::INVALID_HANDLE),
        }
        let live = state.memory.blocks().filter(|b| b.pool == Some(pool as usize)).count();
        if live > 0 {
            found(format_args!("cuMemPoolDestroy: {live} allocations live"));
        }
        state.pools.remove(&(pool as usize));
        for pools in state.device_pools.values_mut().filter(|p| p.1 == pool as usize) {
            pools.1 = pools.0;
        }
        Ok(())
    }

    fn cuMemPoolTrimTo(pool: *mut c_void, _keep: usize) {
        state().pools.get(&(pool as usize)).map(|_| ()).ok_or(Code::INVALID_HANDLE)
    }

    fn cuMemPoolSetAttribute(pool: *mut c_void, attribute: c_int, value: *mut c_void) {
        let mut state = state();
        let pool = state.pools.get_mut(&(pool as usize)).ok_or(Code::INVALID_HANDLE)?;
        let number = match attribute {
            1..=3 => Out(value.cast::<c_int>()).get()? as u64,
            4 => Out(value.cast::<u64>()).get()?,
            6 | 8 => {
                if Out(value.cast::<u64>()).get()? != 0 {
                    return Err(Code::INVALID_VALUE);
                }
                pool.high = pool.used;
                return Ok(());
            }
            _ => return Err(Code::INVALID_VALUE),
        };
        pool.attributes.insert(attribute, number);
        Ok(())
    }

    fn cuMemPoolGetAttribute(pool: *mut c_void, attribute: c_int, value: *mut c_void) {
        let state = state();
        let pool = state.pools.get(&(pool as usize)).ok_or(Code::INVALID_HANDLE)?;
        match attribute {
            1..=3 => Out(value.cast::<c_int>()).set(pool.attributes.get(&attribute).map_or(1, |&v| v as c_int)),
            4 => Out(value.cast::<u64>()).set(pool.attributes.get(&4).copied().unwrap_or(0)),
            5 | 7 => Out(value.cast::<u64>()).set(pool.used),
            6 | 8 => Out(value.cast::<u64>()).set(pool.high),
            _ => Err(Code::INVALID_VALUE),
        }
    }
}
