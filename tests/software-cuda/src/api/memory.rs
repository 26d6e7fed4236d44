//! Allocation.

use std::ffi::{c_int, c_uint, c_void};

use super::{Out, driver, inject, submit};
use crate::config::Config;
use crate::error::{Code, Result};
use crate::fault::Kind;
use crate::findings::found;
use crate::memory::{Block, Place};
use crate::state::{State, state};
use crate::stream::{Operation, executor, inspect, run_until};

/// Runs all work, so that memory of pending frees comes back.
fn drain() {
    let _executor = executor();
    let all: Vec<usize> = state().contexts.keys().copied().collect();
    for context in all {
        let tails = state().tails(context);
        tails.into_iter().for_each(run_until);
    }
}

/// Allocates, if need be after pending frees.
pub(super) fn allocate(size: usize, place: Place, finish: impl Fn(&mut State, usize)) -> Result<usize> {
    for attempt in 0..2 {
        {
            let mut state = state();
            let context = state.context()?;
            let device = state.contexts[&context].device;
            match state.memory.allocate(size, place, device, context) {
                Err(Code::OUT_OF_MEMORY) if attempt == 0 => {}
                result => {
                    let base = result?;
                    finish(&mut state, base);
                    return Ok(base);
                }
            }
        }
        drain();
    }
    Err(Code::OUT_OF_MEMORY)
}

/// Why an address cannot be freed.
fn refuse(state: &State, address: usize, what: &str) -> Code {
    let why = if state.memory.was_freed(address) {
        "freed twice".to_owned()
    } else {
        state.memory.locate(address)
    };
    found(format_args!("{what}: {address:#x}: {why}"));
    Code::INVALID_VALUE
}

fn free_now(address: usize, places: &[Place], what: &str) -> Result {
    inject(Kind::Free)?;
    if address == 0 {
        return Ok(());
    }
    {
        let mut state = state();
        state.context()?;
        match state.memory.block(address) {
            Some(b) if places.contains(&b.place) && !b.freeing => {}
            _ => return Err(refuse(&state, address, what)),
        }
        state.refuse_captured(what)?;
    }
    drain();
    let _executor = executor();
    let context = state().context()?;
    inspect(context)?;
    let mut state = state();
    if let Err(damage) = state.release(address) {
        state.fail(context, Code::ILLEGAL_ADDRESS, &damage);
        return Err(Code::ILLEGAL_ADDRESS);
    }
    Ok(())
}

driver! {
    fn cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) {
        let state = state();
        let context = state.context()?;
        let all = Config::get().memory;
        free.set(all.saturating_sub(state.memory.used(state.contexts[&context].device)))?;
        total.set(all)
    }

    fn cuMemAlloc_v2(address: Out<usize>, size: usize) {
        inject(Kind::Alloc)?;
        {
            let mut state = state();
            state.context()?;
            state.refuse_captured("cuMemAlloc")?;
        }
        address.set(allocate(size, Place::Device, |_, _| {})?)
    }

    fn cuMemAllocManaged(address: Out<usize>, size: usize, flags: c_uint) {
        inject(Kind::Alloc)?;
        if !matches!(flags, 1 | 2) {
            return Err(Code::INVALID_VALUE);
        }
        address.set(allocate(size, Place::Managed, |_, _| {})?)
    }

    fn cuMemAllocAsync(address: Out<usize>, size: usize, stream: *mut c_void) {
        inject(Kind::Alloc)?;
        let pool = {
            let mut state = state();
            let stream = state.stream(stream)?;
            let context = state.streams[&stream].context;
            let device = state.contexts[&context].device;
            state.device_pool(device).1
        };
        super::pool::allocate(address, size, pool, stream)
    }

    fn cuMemAllocFromPoolAsync(address: Out<usize>, size: usize, pool: *mut c_void, stream: *mut c_void) {
        inject(Kind::Alloc)?;
        super::pool::allocate(address, size, pool as usize, stream)
    }

    fn cuMemFree_v2(address: usize) {
        free_now(address, &[Place::Device, Place::Managed], "cuMemFree")
    }

    fn cuMemFreeAsync(address: usize, stream: *mut c_void) {
        inject(Kind::Free)?;
        if address == 0 {
            return Ok(());
        }
        submit(stream, |state, stream| {
            let capture = state.streams[&stream].capture;
            match state.memory.block(address) {
                Some(b) if b.place == Place::Device && !b.freeing => {
                    let of_graph = b.graph.is_some();
                    if capture.is_some() != of_graph {
                        found(format_args!("cuMemFreeAsync: {address:#x}: memory of a graph is freed in its capture, and no other memory"));
                        return Err(Code::INVALID_VALUE);
                    }
                    if of_graph {
                        return Ok(Operation::Nothing);
                    }
                }
                _ => return Err(refuse(state, address, "cuMemFreeAsync")),
            }
            if let Some(block) = state.memory.block_mut(address) {
                block.freeing = true;
            }
            Ok(Operation::Free(address))
        })?;
        Ok(())
    }

    fn cuMemHostAlloc(address: Out<usize>, size: usize, _flags: c_uint) {
        inject(Kind::HostAlloc)?;
        address.set(allocate(size, Place::Host, |_, _| {})?)
    }

    fn cuMemAllocHost_v2(address: Out<usize>, size: usize) {
        inject(Kind::HostAlloc)?;
        address.set(allocate(size, Place::Host, |_, _| {})?)
    }

    fn cuMemFreeHost(address: usize) {
        free_now(address, &[Place::Host], "cuMemFreeHost")
    }

    fn cuMemHostGetDevicePointer_v2(out: Out<usize>, address: usize, _flags: c_uint) {
        let state = state();
        state.context()?;
        state.memory.check("cuMemHostGetDevicePointer", address, 0)?;
        out.set(address)
    }

    fn cuMemHostRegister_v2(address: usize, size: usize, _flags: c_uint) {
        inject(Kind::HostAlloc)?;
        let mut state = state();
        let context = state.context()?;
        if address == 0 || size == 0 {
            return Err(Code::INVALID_VALUE);
        }
        if state.memory.block(address).is_some() {
            return Err(Code::HOST_MEMORY_ALREADY_REGISTERED);
        }
        let device = state.contexts[&context].device;
        state.memory.adopt(address, size, Place::Registered, device, context);
        Ok(())
    }

    fn cuMemHostUnregister(address: usize) {
        let mut state = state();
        state.context()?;
        match state.memory.block(address) {
            Some(b) if b.place == Place::Registered => state.memory.disown(address),
            _ => return Err(Code::HOST_MEMORY_NOT_REGISTERED),
        };
        Ok(())
    }

    fn cuMemGetAddressRange_v2(base: Out<usize>, size: Out<usize>, address: usize) {
        let state = state();
        state.context()?;
        let block = state.memory.check("cuMemGetAddressRange", address, 0).map_err(|_| Code::NOT_FOUND)?;
        base.set_optional(block.base);
        size.set_optional(block.size);
        Ok(())
    }

    fn cuPointerGetAttribute(data: *mut c_void, attribute: c_int, address: usize) {
        let state = state();
        state.check_ready()?;
        // Programs ask it of memory that they know nothing of.
        let known = |block: &&Block| address < block.base + block.size && !block.freeing;
        let block = state.memory.around(address).filter(known).ok_or(Code::INVALID_VALUE)?;
        let host = matches!(block.place, Place::Host | Place::Registered);
        match attribute {
            1 => Out(data.cast::<usize>()).set(block.context),
            2 => Out(data.cast::<c_uint>()).set(if host { 1 } else { 2 }),
            3 => Out(data.cast::<usize>()).set(address),
            4 if host || block.place == Place::Managed => Out(data.cast::<usize>()).set(address),
            8 => Out(data.cast::<u8>()).set(u8::from(block.place == Place::Managed)),
            9 => Out(data.cast::<c_int>()).set(block.device as c_int),
            11 => Out(data.cast::<usize>()).set(block.base),
            12 => Out(data.cast::<usize>()).set(block.size),
            _ => Err(Code::INVALID_VALUE),
        }
    }

    fn cuMemAdvise_v2(address: usize, count: usize, _advice: c_int, _location: u64) {
        state().memory.check("cuMemAdvise", address, count).map(|_| ())
    }

    fn cuMemPrefetchAsync_v2(address: usize, count: usize, _location: u64, _flags: c_uint, stream: *mut c_void) {
        submit(stream, |state, _| state.memory.check("cuMemPrefetchAsync", address, count).map(|_| Operation::Nothing))?;
        Ok(())
    }

    fn cuStreamAttachMemAsync(stream: *mut c_void, address: usize, _length: usize, _flags: c_uint) {
        submit(stream, |state, _| state.memory.check("cuStreamAttachMemAsync", address, 0).map(|_| Operation::Nothing))?;
        Ok(())
    }
}
