//! Streams.

use std::ffi::{c_int, c_uint, c_void};

use super::{Out, driver, inject, submit};
use crate::error::{Code, Result};
use crate::fault::Kind;
use crate::state::{handle, state};
use crate::stream::{Operation, Stream, executor, inspect, run_one, run_until, wait};

fn create(out: Out<*mut c_void>, flags: c_uint, priority: c_int) -> Result {
    inject(Kind::Stream)?;
    let mut state = state();
    let context = state.context()?;
    if flags > 1 {
        return Err(Code::INVALID_VALUE);
    }
    let id = handle();
    let mut stream = Stream::new(context, flags == 0, false);
    stream.priority = priority.clamp(-5, 0);
    state.streams.insert(id, stream);
    out.set(id as *mut c_void)
}

driver! {
    fn cuStreamCreate(stream: Out<*mut c_void>, flags: c_uint) {
        create(stream, flags, 0)
    }

    fn cuStreamCreateWithPriority(stream: Out<*mut c_void>, flags: c_uint, priority: c_int) {
        create(stream, flags, priority)
    }

    fn cuStreamDestroy_v2(stream: *mut c_void) {
        let _executor = executor();
        let (id, tail) = {
            let mut state = state();
            let id = stream as usize;
            if state.streams.get(&id).is_none_or(|s| s.built_in) {
                return Err(Code::INVALID_HANDLE);
            }
            // A capture ends with its stream.
            if let Some(capture) = state.streams[&id].capture
                && let Some(capture) = state.captures.remove(&capture)
            {
                for other in capture.streams() {
                    if let Some(other) = state.streams.get_mut(&other) {
                        other.capture = None;
                    }
                }
            }
            (id, state.tail(id))
        };
        run_until(tail);
        state().streams.remove(&id);
        Ok(())
    }

    fn cuStreamSynchronize(stream: *mut c_void) {
        inject(Kind::Sync)?;
        let (context, tail) = {
            let mut state = state();
            let id = state.stream(stream)?;
            state.refuse_capturing(id)?;
            let context = state.streams[&id].context;
            if id == state.contexts[&context].null {
                // Waits for the blocking streams as work in it would.
                (context, state.enqueue(id, Operation::Nothing)?)
            } else {
                (context, state.tail(id))
            }
        };
        wait(context, &[tail])
    }

    fn cuStreamQuery(stream: *mut c_void) {
        let (context, tail) = {
            let mut state = state();
            let id = state.stream(stream)?;
            state.refuse_capturing(id)?;
            (state.streams[&id].context, state.tail(id))
        };
        let _executor = executor();
        if state().complete(tail) {
            return inspect(context);
        }
        // Who asks again and again gets there.
        run_one(tail);
        Err(Code::NOT_READY)
    }

    fn cuStreamGetCtx(stream: *mut c_void, context: Out<*mut c_void>) {
        let mut state = state();
        let id = state.stream(stream)?;
        context.set(state.streams[&id].context as *mut c_void)
    }

    fn cuStreamGetFlags(stream: *mut c_void, flags: Out<c_uint>) {
        let mut state = state();
        let id = state.stream(stream)?;
        flags.set(state.streams[&id].flags)
    }

    fn cuStreamGetPriority(stream: *mut c_void, priority: Out<c_int>) {
        let mut state = state();
        let id = state.stream(stream)?;
        priority.set(state.streams[&id].priority)
    }

    fn cuStreamWaitEvent(stream: *mut c_void, event: *mut c_void, _flags: c_uint) {
        inject(Kind::Join)?;
        let mut state = state();
        let id = state.stream(stream)?;
        let event = state.events.get(&(event as usize)).ok_or(Code::INVALID_HANDLE)?;
        let (recorded, captured) = (event.recorded, event.captured);
        let mine = state.streams[&id].capture;
        let Some((capture, other, operations)) = captured else {
            if let Some(capture) = mine.and_then(|c| state.captures.get_mut(&c)) {
                capture.invalid = true;
                return Err(Code::STREAM_CAPTURE_ISOLATION);
            }
            if let Some(at) = recorded && !state.complete(at) {
                state.enqueue_after(id, Operation::Nothing, vec![at])?;
            }
            return Ok(());
        };
        let built_in = state.streams[&id].built_in;
        let joined = state.captures.get_mut(&capture).ok_or(Code::CAPTURED_EVENT)?;
        if mine.is_some_and(|c| c != capture) || built_in {
            joined.invalid = true;
            return Err(Code::STREAM_CAPTURE_MERGE);
        }
        if joined.invalid {
            return Err(Code::STREAM_CAPTURE_INVALIDATED);
        }
        joined.join(id, other, operations);
        if let Some(stream) = state.streams.get_mut(&id) {
            stream.capture = Some(capture);
        }
        Ok(())
    }

    fn cuLaunchHostFunc(stream: *mut c_void, function: Option<unsafe extern "C" fn(*mut c_void)>, data: *mut c_void) {
        let function = function.ok_or(Code::INVALID_VALUE)?;
        submit(stream, |_, _| Ok(Operation::Host(function, data as usize)))?;
        Ok(())
    }
}
