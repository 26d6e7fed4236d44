//! Events.

use std::ffi::{c_uint, c_void};

use super::{Out, driver, inject};
use crate::error::{Code, Result};
use crate::fault::Kind;
use crate::state::{Event, handle, state};
use crate::stream::{Operation, executor, run_one, run_until, wait};

fn record(event: *mut c_void, stream: *mut c_void) -> Result {
    let (at, now) = {
        let mut state = state();
        let stream = state.stream(stream)?;
        let id = event as usize;
        let of = state.events.get(&id).ok_or(Code::INVALID_HANDLE)?.context;
        if of != state.streams[&stream].context {
            return Err(Code::INVALID_HANDLE);
        }
        let captured = state.streams[&stream].capture;
        if let Some(capture) = captured {
            let c = state.captures.get(&capture).ok_or(Code::STREAM_CAPTURE_INVALIDATED)?;
            if c.invalid {
                return Err(Code::STREAM_CAPTURE_INVALIDATED);
            }
            let operations = c.operations(stream);
            if let Some(event) = state.events.get_mut(&id) {
                event.captured = Some((capture, stream, operations));
            }
            return Ok(());
        }
        let at = state.enqueue(stream, Operation::Record(id))?;
        if let Some(event) = state.events.get_mut(&id) {
            (event.recorded, event.time, event.captured) = (Some(at), None, None);
        }
        (at, state.is_long(stream))
    };
    if now {
        let _executor = executor();
        run_until(at);
    }
    Ok(())
}

fn elapsed(out: Out<f32>, start: *mut c_void, end: *mut c_void) -> Result {
    let state = state();
    let event = |e: *mut c_void| {
        state
            .events
            .get(&(e as usize))
            .filter(|e| e.timing && e.recorded.is_some())
            .ok_or(Code::INVALID_HANDLE)
    };
    let (start, end) = (event(start)?, event(end)?);
    let (Some(a), Some(b)) = (start.time, end.time) else {
        return Err(Code::NOT_READY);
    };
    let back = a.saturating_duration_since(b).as_secs_f32();
    out.set(1e3 * (b.saturating_duration_since(a).as_secs_f32() - back))
}

driver! {
    fn cuEventCreate(event: Out<*mut c_void>, flags: c_uint) {
        inject(Kind::Event)?;
        let mut state = state();
        let context = state.context()?;
        if flags > 7 {
            return Err(Code::INVALID_VALUE);
        }
        let id = handle();
        state.events.insert(id, Event { context, timing: flags & 2 == 0, recorded: None, time: None, captured: None });
        event.set(id as *mut c_void)
    }

    fn cuEventDestroy_v2(event: *mut c_void) {
        state().events.remove(&(event as usize)).map(|_| ()).ok_or(Code::INVALID_HANDLE)
    }

    fn cuEventRecord(event: *mut c_void, stream: *mut c_void) {
        inject(Kind::Record)?;
        record(event, stream)
    }

    fn cuEventRecordWithFlags(event: *mut c_void, stream: *mut c_void, _flags: c_uint) {
        inject(Kind::Record)?;
        record(event, stream)
    }

    fn cuEventQuery(event: *mut c_void) {
        let _executor = executor();
        let (at, context) = {
            let state = state();
            let event = state.events.get(&(event as usize)).ok_or(Code::INVALID_HANDLE)?;
            if event.captured.is_some() {
                return Err(Code::CAPTURED_EVENT);
            }
            let context = state.contexts.get(&event.context).ok_or(Code::CONTEXT_IS_DESTROYED)?;
            if let Some(code) = context.error {
                return Err(code);
            }
            match event.recorded {
                Some(at) if !state.complete(at) => (at, event.context),
                _ => return Ok(()),
            }
        };
        run_one(at);
        let state = state();
        state.contexts.get(&context).and_then(|c| c.error).map_or(Err(Code::NOT_READY), Err)
    }

    fn cuEventSynchronize(event: *mut c_void) {
        inject(Kind::Sync)?;
        let (context, at) = {
            let state = state();
            let event = state.events.get(&(event as usize)).ok_or(Code::INVALID_HANDLE)?;
            if event.captured.is_some() {
                return Err(Code::CAPTURED_EVENT);
            }
            (event.context, event.recorded)
        };
        wait(context, at.as_slice())
    }

    fn cuEventElapsedTime(out: Out<f32>, start: *mut c_void, end: *mut c_void) {
        elapsed(out, start, end)
    }

    fn cuEventElapsedTime_v2(out: Out<f32>, start: *mut c_void, end: *mut c_void) {
        elapsed(out, start, end)
    }
}
