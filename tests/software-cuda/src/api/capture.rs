//! Stream capture and graphs.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::Arc;

use super::{Out, driver, inject, submit};
use crate::error::{Code, Result};
use crate::fault::Kind;
use crate::graph::{Capture, Graph, Mode};
use crate::state::{State, handle, state};
use crate::stream::Operation;

fn mode(number: c_int) -> Result<Mode> {
    match number {
        0 => Ok(Mode::Global),
        1 => Ok(Mode::ThreadLocal),
        2 => Ok(Mode::Relaxed),
        _ => Err(Code::INVALID_VALUE),
    }
}

/// 0: no capture, 1: capturing, 2: invalidated.
fn status(state: &State, stream: usize) -> c_int {
    match state.streams[&stream].capture {
        None => 0,
        Some(c) => 1 + c_int::from(state.captures.get(&c).is_none_or(|c| c.invalid)),
    }
}

fn end(stream: *mut c_void) -> Result<*mut c_void> {
    inject(Kind::Capture).inspect_err(|_| {
        // The capture ends all the same.
        let mut state = state();
        if let Ok(id) = state.stream(stream) {
            let _ = finish(&mut state, id);
        }
    })?;
    let mut state = state();
    let id = state.stream(stream)?;
    let graph = finish(&mut state, id)?;
    let handle = handle();
    state.graphs.insert(handle, Arc::new(graph));
    Ok(handle as *mut c_void)
}

fn finish(state: &mut State, id: usize) -> Result<Graph> {
    let number = state.streams[&id].capture.ok_or(Code::ILLEGAL_STATE)?;
    let capture = state.captures.get_mut(&number).ok_or(Code::ILLEGAL_STATE)?;
    if capture.origin != id {
        capture.invalid = true;
        return Err(Code::STREAM_CAPTURE_UNMATCHED);
    }
    if capture.mode != Mode::Relaxed && capture.thread != std::thread::current().id() {
        return Err(Code::STREAM_CAPTURE_WRONG_THREAD);
    }
    let capture = state.captures.remove(&number).ok_or(Code::ILLEGAL_STATE)?;
    for stream in capture.streams() {
        if let Some(stream) = state.streams.get_mut(&stream) {
            stream.capture = None;
        }
    }
    if capture.invalid {
        return Err(Code::STREAM_CAPTURE_INVALIDATED);
    }
    if !capture.is_joined() {
        return Err(Code::STREAM_CAPTURE_UNJOINED);
    }
    Ok(Graph {
        nodes: capture.nodes,
        context: capture.context,
    })
}

fn instantiate(out: Out<*mut c_void>, graph: *mut c_void) -> Result {
    inject(Kind::Graph)?;
    let mut state = state();
    let graph = Arc::clone(state.graphs.get(&(graph as usize)).ok_or(Code::INVALID_VALUE)?);
    let id = handle();
    state.executables.insert(id, graph);
    out.set(id as *mut c_void)
}

driver! {
    fn cuStreamBeginCapture_v2(stream: *mut c_void, mode_: c_int) {
        inject(Kind::Capture)?;
        let mode = mode(mode_)?;
        let mut state = state();
        let id = state.stream(stream)?;
        let s = &state.streams[&id];
        if s.capture.is_some() {
            return Err(Code::ILLEGAL_STATE);
        }
        let context = s.context;
        if id == state.contexts[&context].null {
            return Err(Code::STREAM_CAPTURE_UNSUPPORTED);
        }
        let number = handle();
        state.captures.insert(number, Capture::new(context, id, mode));
        if let Some(s) = state.streams.get_mut(&id) {
            s.capture = Some(number);
        }
        Ok(())
    }

    fn cuStreamEndCapture(stream: *mut c_void, graph: Out<*mut c_void>) {
        match end(stream) {
            Ok(handle) => graph.set(handle),
            Err(code) => {
                graph.set_optional(std::ptr::null_mut());
                Err(code)
            }
        }
    }

    fn cuStreamIsCapturing(stream: *mut c_void, out: Out<c_int>) {
        let mut state = state();
        let id = state.stream(stream)?;
        let context = state.streams[&id].context;
        if id == state.contexts[&context].null {
            state.refuse_implicit(context)?;
        }
        out.set(status(&state, id))
    }

    fn cuStreamGetCaptureInfo_v2(stream: *mut c_void, out: Out<c_int>, number: Out<u64>, graph: Out<*mut c_void>, dependencies: Out<*const c_void>, count: Out<usize>) {
        let mut state = state();
        let id = state.stream(stream)?;
        number.set_optional(state.streams[&id].capture.unwrap_or(0) as u64);
        graph.set_optional(std::ptr::null_mut());
        dependencies.set_optional(std::ptr::null());
        count.set_optional(0);
        out.set(status(&state, id))
    }

    fn cuThreadExchangeStreamCaptureMode(mode_: Out<c_int>) {
        mode(mode_.get()?)?;
        mode_.set(0)
    }

    fn cuGraphCreate(graph: Out<*mut c_void>, _flags: c_uint) {
        let mut state = state();
        let context = state.context()?;
        let id = handle();
        state.graphs.insert(id, Arc::new(Graph { nodes: Vec::new(), context }));
        graph.set(id as *mut c_void)
    }

    fn cuGraphGetNodes(graph: *mut c_void, _nodes: *mut *mut c_void, count: Out<usize>) {
        let state = state();
        let graph = state.graphs.get(&(graph as usize)).ok_or(Code::INVALID_VALUE)?;
        count.set(graph.nodes.len())
    }

    fn cuGraphInstantiateWithFlags(executable: Out<*mut c_void>, graph: *mut c_void, _flags: u64) {
        instantiate(executable, graph)
    }

    fn cuGraphInstantiate_v2(executable: Out<*mut c_void>, graph: *mut c_void, _node: *mut c_void, _log: *mut c_char, _size: usize) {
        instantiate(executable, graph)
    }

    fn cuGraphUpload(executable: *mut c_void, stream: *mut c_void) {
        let mut state = state();
        state.stream(stream)?;
        state.executables.get(&(executable as usize)).map(|_| ()).ok_or(Code::INVALID_VALUE)
    }

    fn cuGraphLaunch(executable: *mut c_void, stream: *mut c_void) {
        inject(Kind::Launch)?;
        submit(stream, |state, stream| {
            let graph = state.executables.get(&(executable as usize)).ok_or(Code::INVALID_VALUE)?;
            if graph.context != state.streams[&stream].context {
                return Err(Code::INVALID_CONTEXT);
            }
            Ok(Operation::Graph(Arc::clone(graph)))
        })?;
        Ok(())
    }

    fn cuGraphDestroy(graph: *mut c_void) {
        let removed = state().graphs.remove(&(graph as usize)).ok_or(Code::INVALID_VALUE)?;
        drop_memory(removed);
        Ok(())
    }

    fn cuGraphExecDestroy(executable: *mut c_void) {
        let removed = state().executables.remove(&(executable as usize)).ok_or(Code::INVALID_VALUE)?;
        drop_memory(removed);
        Ok(())
    }
}

/// Memory that a graph allocated goes with its last owner.
fn drop_memory(graph: Arc<Graph>) {
    let Some(graph) = Arc::into_inner(graph) else { return };
    let mut state = state();
    for node in &graph.nodes {
        if let Operation::Freshen(base) = node {
            let _ = state.release(*base);
        }
    }
}
