//! Copies and fills.

use std::ffi::{c_uchar, c_uint, c_ushort, c_void};
use std::ptr::null_mut;

use super::{driver, inject, submit};
use crate::error::{Code, Result};
use crate::fault::Kind;
use crate::memory::Place;
use crate::state::{State, state};
use crate::stream::{Operation, Source, wait};

/// What the caller says of an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Device,
    Host,
    /// To be found out.
    Any,
}

/// Whether it is pageable host memory.
fn check(state: &State, what: &str, address: usize, bytes: usize, side: Side) -> Result<bool> {
    let known = state.memory.around(address).is_some_and(|b| address < b.base + b.size);
    match side {
        Side::Device => state.memory.check(what, address, bytes).map(|_| false),
        Side::Host if known => {
            let block = state.memory.check(what, address, bytes)?;
            if matches!(block.place, Place::Device | Place::Global) {
                crate::findings::found(format_args!("{what}: {address:#x} is device memory"));
                return Err(Code::INVALID_VALUE);
            }
            Ok(false)
        }
        Side::Any if known || state.memory.locate(address).contains("freed") => {
            state.memory.check(what, address, bytes).map(|_| false)
        }
        _ if address == 0 => Err(Code::INVALID_VALUE),
        _ => Ok(true),
    }
}

fn copy(
    what: &str,
    to: (usize, Side),
    from: (usize, Side),
    bytes: usize,
    stream: *mut c_void,
    blocking: bool,
) -> Result {
    inject(Kind::Copy)?;
    if blocking {
        let mut state = state();
        state.context()?;
        state.refuse_captured(what)?;
    }
    if bytes == 0 {
        state().stream(stream)?;
        return Ok(());
    }
    let (mut pageable_to, mut host) = (false, false);
    let mut captured = false;
    let mut context = 0;
    let at = submit(stream, |state, stream| {
        let s = &state.streams[&stream];
        (captured, context) = (s.capture.is_some(), s.context);
        pageable_to = check(state, what, to.0, bytes, to.1)?;
        let pageable_from = check(state, what, from.0, bytes, from.1)?;
        host = pageable_to || pageable_from || to.1 == Side::Host || from.1 == Side::Host;
        let source = if pageable_from && !captured {
            // SAFETY: the program passes memory of its own of this size.
            Source::Bytes(unsafe { std::slice::from_raw_parts(from.0 as *const u8, bytes) }.to_vec())
        } else {
            Source::Address(from.0)
        };
        Ok(Operation::Copy {
            to: to.0,
            from: source,
            bytes,
        })
    })?;
    // The driver returns from a copy to pageable memory only when it is done.
    if !captured && (pageable_to || blocking && host) {
        return wait(context, &[at]);
    }
    Ok(())
}

fn fill(what: &str, to: usize, value: u32, width: usize, count: usize, stream: *mut c_void) -> Result {
    inject(Kind::Memset)?;
    submit(stream, |state, _| {
        if !to.is_multiple_of(width) {
            return Err(Code::INVALID_VALUE);
        }
        if count == 0 {
            return Ok(Operation::Nothing);
        }
        let bytes = count.checked_mul(width).ok_or(Code::INVALID_VALUE)?;
        state.memory.check(what, to, bytes)?;
        Ok(Operation::Fill {
            to,
            value,
            width,
            count,
        })
    })?;
    Ok(())
}

fn fill_legacy(what: &str, to: usize, value: u32, width: usize, count: usize) -> Result {
    {
        let mut state = state();
        state.context()?;
        state.refuse_captured(what)?;
    }
    fill(what, to, value, width, count, null_mut())
}

driver! {
    fn cuMemcpyHtoD_v2(to: usize, from: usize, bytes: usize) {
        copy("cuMemcpyHtoD", (to, Side::Device), (from, Side::Host), bytes, null_mut(), true)
    }

    fn cuMemcpyDtoH_v2(to: usize, from: usize, bytes: usize) {
        copy("cuMemcpyDtoH", (to, Side::Host), (from, Side::Device), bytes, null_mut(), true)
    }

    fn cuMemcpyDtoD_v2(to: usize, from: usize, bytes: usize) {
        copy("cuMemcpyDtoD", (to, Side::Device), (from, Side::Device), bytes, null_mut(), true)
    }

    fn cuMemcpy(to: usize, from: usize, bytes: usize) {
        copy("cuMemcpy", (to, Side::Any), (from, Side::Any), bytes, null_mut(), true)
    }

    fn cuMemcpyHtoDAsync_v2(to: usize, from: usize, bytes: usize, stream: *mut c_void) {
        copy("cuMemcpyHtoDAsync", (to, Side::Device), (from, Side::Host), bytes, stream, false)
    }

    fn cuMemcpyDtoHAsync_v2(to: usize, from: usize, bytes: usize, stream: *mut c_void) {
        copy("cuMemcpyDtoHAsync", (to, Side::Host), (from, Side::Device), bytes, stream, false)
    }

    fn cuMemcpyDtoDAsync_v2(to: usize, from: usize, bytes: usize, stream: *mut c_void) {
        copy("cuMemcpyDtoDAsync", (to, Side::Device), (from, Side::Device), bytes, stream, false)
    }

    fn cuMemcpyAsync(to: usize, from: usize, bytes: usize, stream: *mut c_void) {
        copy("cuMemcpyAsync", (to, Side::Any), (from, Side::Any), bytes, stream, false)
    }

    fn cuMemcpyPeerAsync(to: usize, to_context: *mut c_void, from: usize, from_context: *mut c_void, bytes: usize, stream: *mut c_void) {
        {
            let state = state();
            for (address, context) in [(to, to_context), (from, from_context)] {
                let block = state.memory.check("cuMemcpyPeerAsync", address, 0)?;
                if block.context != context as usize {
                    crate::findings::found(format_args!("cuMemcpyPeerAsync: {address:#x} belongs to another context"));
                    return Err(Code::INVALID_VALUE);
                }
            }
        }
        copy("cuMemcpyPeerAsync", (to, Side::Device), (from, Side::Device), bytes, stream, false)
    }

    fn cuMemcpyPeer(to: usize, _to_context: *mut c_void, from: usize, _from_context: *mut c_void, bytes: usize) {
        copy("cuMemcpyPeer", (to, Side::Device), (from, Side::Device), bytes, null_mut(), true)
    }

    fn cuMemsetD8_v2(to: usize, value: c_uchar, count: usize) {
        fill_legacy("cuMemsetD8", to, value.into(), 1, count)
    }

    fn cuMemsetD16_v2(to: usize, value: c_ushort, count: usize) {
        fill_legacy("cuMemsetD16", to, value.into(), 2, count)
    }

    fn cuMemsetD32_v2(to: usize, value: c_uint, count: usize) {
        fill_legacy("cuMemsetD32", to, value, 4, count)
    }

    fn cuMemsetD8Async(to: usize, value: c_uchar, count: usize, stream: *mut c_void) {
        fill("cuMemsetD8Async", to, value.into(), 1, count, stream)
    }

    fn cuMemsetD16Async(to: usize, value: c_ushort, count: usize, stream: *mut c_void) {
        fill("cuMemsetD16Async", to, value.into(), 2, count, stream)
    }

    fn cuMemsetD32Async(to: usize, value: c_uint, count: usize, stream: *mut c_void) {
        fill("cuMemsetD32Async", to, value, 4, count, stream)
    }
}
