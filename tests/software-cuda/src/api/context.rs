//! Contexts.

use std::ffi::{c_int, c_uint, c_void};

use super::{Out, driver, inject};
use crate::error::{Code, Result};
use crate::fault::Kind;
use crate::state::{CURRENT, Contexts, current, state};
use crate::stream::{executor, run_until, wait};

/// Ends a context after its work.
fn destroy(id: usize) {
    let _executor = executor();
    let tails = state().tails(id);
    tails.into_iter().for_each(run_until);
    state().destroy_context(id);
}

fn create(out: Out<*mut c_void>, device: c_int) -> Result {
    inject(Kind::Context)?;
    let mut state = state();
    let device = state.device(device)?;
    let id = state.new_context(device);
    CURRENT.with_borrow_mut(|stack| stack.push(id));
    out.set(id as *mut c_void)
}

driver! {
    fn cuDevicePrimaryCtxRetain(context: Out<*mut c_void>, device: c_int) {
        inject(Kind::Context)?;
        let mut state = state();
        let device = state.device(device)?;
        let id = match state.primary.get_mut(&device) {
            Some((id, retains)) => {
                *retains += 1;
                *id
            }
            None => {
                let id = state.new_context(device);
                state.primary.insert(device, (id, 1));
                id
            }
        };
        context.set(id as *mut c_void)
    }

    fn cuDevicePrimaryCtxRelease_v2(device: c_int) {
        let last = {
            let mut state = state();
            let device = state.device(device)?;
            let (id, retains) = state.primary.get_mut(&device).ok_or(Code::INVALID_CONTEXT)?;
            *retains -= 1;
            let last = (*retains == 0).then_some(*id);
            if last.is_some() {
                state.primary.remove(&device);
            }
            last
        };
        last.into_iter().for_each(destroy);
        Ok(())
    }

    fn cuDevicePrimaryCtxReset_v2(device: c_int) {
        let id = {
            let mut state = state();
            let device = state.device(device)?;
            state.primary.remove(&device).map(|p| p.0)
        };
        id.into_iter().for_each(destroy);
        Ok(())
    }

    fn cuDevicePrimaryCtxSetFlags_v2(device: c_int, _flags: c_uint) {
        state().device(device).map(|_| ())
    }

    fn cuDevicePrimaryCtxGetState(device: c_int, flags: Out<c_uint>, active: Out<c_int>) {
        let state = state();
        let device = state.device(device)?;
        flags.set(0)?;
        active.set(c_int::from(state.primary.contains_key(&device)))
    }

    fn cuCtxCreate_v2(context: Out<*mut c_void>, _flags: c_uint, device: c_int) {
        create(context, device)
    }

    fn cuCtxCreate_v3(context: Out<*mut c_void>, _parameters: *mut c_void, _count: c_int, _flags: c_uint, device: c_int) {
        create(context, device)
    }

    fn cuCtxCreate_v4(context: Out<*mut c_void>, _parameters: *mut c_void, _flags: c_uint, device: c_int) {
        create(context, device)
    }

    fn cuCtxDestroy_v2(context: *mut c_void) {
        let id = context as usize;
        {
            let state = state();
            state.check_ready()?;
            if !state.contexts.contains_key(&id) || state.primary.values().any(|p| p.0 == id) {
                return Err(Code::INVALID_CONTEXT);
            }
        }
        destroy(id);
        CURRENT.with_borrow_mut(|stack| stack.remove(id));
        Ok(())
    }

    fn cuCtxSetCurrent(context: *mut c_void) {
        let state = state();
        state.check_ready()?;
        let id = context as usize;
        if id != 0 && !state.contexts.contains_key(&id) {
            return Err(Code::INVALID_CONTEXT);
        }
        CURRENT.with_borrow_mut(|stack| {
            stack.pop();
            if id != 0 {
                stack.push(id);
            }
        });
        Ok(())
    }

    fn cuCtxGetCurrent(context: Out<*mut c_void>) {
        state().check_ready()?;
        context.set(current() as *mut c_void)
    }

    fn cuCtxPushCurrent_v2(context: *mut c_void) {
        let state = state();
        state.check_ready()?;
        if !state.contexts.contains_key(&(context as usize)) {
            return Err(Code::INVALID_CONTEXT);
        }
        CURRENT.with_borrow_mut(|stack| stack.push(context as usize));
        Ok(())
    }

    fn cuCtxPopCurrent_v2(context: Out<*mut c_void>) {
        state().check_ready()?;
        let id = CURRENT.with_borrow_mut(Contexts::pop).ok_or(Code::INVALID_CONTEXT)?;
        context.set_optional(id as *mut c_void);
        Ok(())
    }

    fn cuCtxGetDevice(device: Out<c_int>) {
        let state = state();
        let id = state.context()?;
        device.set(state.contexts[&id].device as c_int)
    }

    fn cuCtxGetApiVersion(context: *mut c_void, version: Out<c_uint>) {
        let state = state();
        state.contexts.get(&(context as usize)).ok_or(Code::INVALID_CONTEXT)?;
        version.set(3020)
    }

    fn cuCtxSynchronize() {
        inject(Kind::Sync)?;
        let (id, tails) = {
            let mut state = state();
            let id = state.context()?;
            state.refuse_captured("cuCtxSynchronize")?;
            (id, state.tails(id))
        };
        wait(id, &tails)
    }

    fn cuCtxSetFlags(_flags: c_uint) {
        state().context().map(|_| ())
    }

    fn cuCtxGetFlags(flags: Out<c_uint>) {
        state().context()?;
        flags.set(0)
    }

    fn cuCtxSetLimit(limit: c_int, value: usize) {
        let mut state = state();
        let id = state.context()?;
        if !(0..11).contains(&limit) {
            return Err(Code::UNSUPPORTED_LIMIT);
        }
        if let Some(context) = state.contexts.get_mut(&id) {
            context.limits.insert(limit, value);
        }
        Ok(())
    }

    fn cuCtxGetLimit(value: Out<usize>, limit: c_int) {
        let state = state();
        let id = state.context()?;
        if !(0..11).contains(&limit) {
            return Err(Code::UNSUPPORTED_LIMIT);
        }
        value.set(state.contexts[&id].limits.get(&limit).copied().unwrap_or(1024))
    }

    fn cuCtxGetCacheConfig(config: Out<c_int>) {
        state().context()?;
        config.set(0)
    }

    fn cuCtxSetCacheConfig(_config: c_int) {
        state().context().map(|_| ())
    }

    fn cuCtxGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) {
        state().context()?;
        least.set_optional(0);
        greatest.set_optional(-5);
        Ok(())
    }

    fn cuCtxEnablePeerAccess(peer: *mut c_void, _flags: c_uint) {
        let mut state = state();
        let id = state.context()?;
        let peer = peer as usize;
        if peer == id || !state.contexts.contains_key(&peer) {
            return Err(Code::INVALID_CONTEXT);
        }
        let context = state.contexts.get_mut(&id).ok_or(Code::INVALID_CONTEXT)?;
        if context.peers.contains(&peer) {
            return Err(Code::PEER_ACCESS_ALREADY_ENABLED);
        }
        context.peers.push(peer);
        Ok(())
    }

    fn cuCtxDisablePeerAccess(peer: *mut c_void) {
        let mut state = state();
        let id = state.context()?;
        let context = state.contexts.get_mut(&id).ok_or(Code::INVALID_CONTEXT)?;
        let before = context.peers.len();
        context.peers.retain(|&p| p != peer as usize);
        if context.peers.len() == before { Err(Code::PEER_ACCESS_NOT_ENABLED) } else { Ok(()) }
    }
}
