//! Error codes of the driver, by their numbers in `cuda.h`.

use std::ffi::{CStr, c_int};

/// A `CUresult` other than success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub c_int);

pub(crate) type Result<T = ()> = std::result::Result<T, Code>;

macro_rules! codes {
    ($($name:ident = $value:literal, $text:literal;)*) => {
        impl Code {
            // The table is the driver's; not every code has a use here.
            $(#[allow(dead_code)] pub(crate) const $name: Code = Code($value);)*

            const TABLE: &[(c_int, &'static CStr, &'static CStr)] = &[
                (0, c"CUDA_SUCCESS", c"no error"),
                $(($value, match CStr::from_bytes_with_nul(concat!("CUDA_ERROR_", stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => c"",
                }, $text),)*
            ];
        }
    };
}

codes! {
    INVALID_VALUE = 1, c"invalid argument";
    OUT_OF_MEMORY = 2, c"out of memory";
    NOT_INITIALIZED = 3, c"initialization error";
    DEINITIALIZED = 4, c"driver shutting down";
    NO_DEVICE = 100, c"no CUDA-capable device is detected";
    INVALID_DEVICE = 101, c"invalid device ordinal";
    INVALID_IMAGE = 200, c"device kernel image is invalid";
    INVALID_CONTEXT = 201, c"invalid device context";
    NO_BINARY_FOR_GPU = 209, c"no kernel image is available for execution on the device";
    UNSUPPORTED_LIMIT = 215, c"limit is not supported on this architecture";
    INVALID_PTX = 218, c"a PTX JIT compilation failed";
    FILE_NOT_FOUND = 301, c"file not found";
    OPERATING_SYSTEM = 304, c"OS call failed or operation not supported on this OS";
    INVALID_HANDLE = 400, c"invalid resource handle";
    ILLEGAL_STATE = 401, c"the operation cannot be performed in the present state";
    NOT_FOUND = 500, c"named symbol not found";
    NOT_READY = 600, c"device not ready";
    ILLEGAL_ADDRESS = 700, c"an illegal memory access was encountered";
    LAUNCH_OUT_OF_RESOURCES = 701, c"too many resources requested for launch";
    PEER_ACCESS_ALREADY_ENABLED = 704, c"peer access is already enabled";
    PEER_ACCESS_NOT_ENABLED = 705, c"peer access has not been enabled";
    CONTEXT_IS_DESTROYED = 709, c"context is destroyed";
    ASSERT = 710, c"device-side assert triggered";
    HOST_MEMORY_ALREADY_REGISTERED = 712, c"part or all of the requested memory range is already mapped";
    HOST_MEMORY_NOT_REGISTERED = 713, c"pointer does not correspond to a registered memory region";
    ILLEGAL_INSTRUCTION = 715, c"an illegal instruction was encountered";
    MISALIGNED_ADDRESS = 716, c"misaligned address";
    LAUNCH_FAILED = 719, c"unspecified launch failure";
    NOT_PERMITTED = 800, c"operation not permitted";
    NOT_SUPPORTED = 801, c"operation not supported";
    STREAM_CAPTURE_UNSUPPORTED = 900, c"operation not permitted when stream is capturing";
    STREAM_CAPTURE_INVALIDATED = 901, c"operation failed due to a previous error during capture";
    STREAM_CAPTURE_MERGE = 902, c"operation would result in a merge of separate capture sequences";
    STREAM_CAPTURE_UNMATCHED = 903, c"capture was not ended in the same stream as it began";
    STREAM_CAPTURE_UNJOINED = 904, c"capturing stream has unjoined work";
    STREAM_CAPTURE_ISOLATION = 905, c"dependency created on uncaptured work in another stream";
    STREAM_CAPTURE_IMPLICIT = 906, c"operation would make the legacy stream depend on a capturing blocking stream";
    CAPTURED_EVENT = 907, c"operation not permitted on an event last recorded in a capturing stream";
    STREAM_CAPTURE_WRONG_THREAD = 908, c"attempt to terminate a thread-local capture sequence from another thread";
    UNKNOWN = 999, c"unknown error";
}

impl Code {
    pub(crate) fn name(number: c_int) -> Option<&'static CStr> {
        Code::TABLE.iter().find(|row| row.0 == number).map(|row| row.1)
    }

    pub(crate) fn text(number: c_int) -> Option<&'static CStr> {
        Code::TABLE.iter().find(|row| row.0 == number).map(|row| row.2)
    }
}
