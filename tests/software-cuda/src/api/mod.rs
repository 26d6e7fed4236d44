//! The driver's functions, under the names that programs link.

mod capture;
mod context;
mod copy;
mod device;
mod event;
mod function;
mod launch;
mod memory;
mod module;
mod nvrtc;
mod pool;
mod stream;

use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{Code, Result};
use crate::fault::{Kind, count};
use crate::state::{current, state};
use crate::stream::{CALLBACK, Operation, Position, executor, run_until};

/// A place that a caller wants a result in.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    pub(crate) fn set(self, value: T) -> Result {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: C callers pass null or a place for a `T`.
        unsafe { self.0.write(value) };
        Ok(())
    }

    /// Null means that the caller does not want it.
    pub(crate) fn set_optional(self, value: T) {
        let _ = self.set(value);
    }

    pub(crate) fn get(self) -> Result<T>
    where
        T: Copy,
    {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: as above, and it is initialised where a function reads it.
        Ok(unsafe { self.0.read() })
    }
}

/// A C string that a caller passes.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Text(*const c_char);

impl Text {
    pub(crate) fn get(&self) -> Result<&CStr> {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: C callers pass null or a C string that lives through the call.
        Ok(unsafe { CStr::from_ptr(self.0) })
    }
}

pub(crate) fn call(body: impl FnOnce() -> Result) -> c_int {
    if CALLBACK.get() {
        return Code::NOT_PERMITTED.0;
    }
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(code)) => code.0,
        Err(_) => Code::UNKNOWN.0,
    }
}

/// Defines functions of the driver.
macro_rules! driver {
    ($($(#[$attribute:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block)*) => {$(
        $(#[$attribute])*
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub extern "C" fn $name($($arg: $ty),*) -> std::ffi::c_int {
            crate::api::call(move || -> crate::error::Result { $body })
        }
    )*};
}
pub(crate) use driver;

/// Counts a call, which may have been told to fail.
pub(crate) fn inject(kind: Kind) -> Result {
    let Some(fault) = count(kind) else { return Ok(()) };
    if fault.sticky {
        state().fail(current(), fault.code, "an injected failure");
    }
    Err(fault.code)
}

/// Puts work into a stream; runs it at once where that is wanted.
pub(crate) fn submit(
    stream: *mut std::ffi::c_void,
    operation: impl FnOnce(&mut crate::state::State, usize) -> Result<Operation>,
) -> Result<Position> {
    let (at, now) = {
        let mut state = state();
        let stream = state.stream(stream)?;
        let operation = operation(&mut state, stream)?;
        (state.enqueue(stream, operation)?, state.is_long(stream))
    };
    if now {
        let _executor = executor();
        run_until(at);
    }
    Ok(at)
}
