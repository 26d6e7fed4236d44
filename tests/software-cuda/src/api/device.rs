//! Initialisation, errors, devices.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use super::{Out, Text, driver, inject};
use crate::config::Config;
use crate::error::Code;
use crate::fault::Kind;
use crate::state::{State, state, watch_exit};

pub(crate) const NAME: &CStr = c"swathe software device (tests only)";
const ADDRESSES: c_int = 1;
pub(crate) const MULTIPROCESSORS: c_int = 16;
pub(crate) const SHARED: c_int = 48 << 10;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Uuid([u8; 16]);

/// Bytes of shared memory that a block may have.
pub(crate) fn most_shared() -> c_int {
    let (major, minor) = Config::get().capability;
    swathe_ptx_interpreter::most_shared((major * 10 + minor) as u32) as c_int
}

fn attribute(number: c_int) -> c_int {
    let (major, minor) = Config::get().capability;
    match number {
        1..=3 => 1024,
        4 => 64,
        5 => i32::MAX,
        6 | 7 => 65535,
        8 => SHARED,
        9 => 65536,
        10 => 32,
        11 => i32::MAX,
        12 | 82 => 65536,
        13 => 1_000_000,
        14 => 512,
        16 => MULTIPROCESSORS,
        36 => 1_000_000,
        37 => 256,
        38 => 4 << 20,
        39 => 2048,
        40 => 2,
        75 => major,
        76 => minor,
        81 => 228 << 10,
        87 => 2,
        97 => most_shared(),
        106 => 32,
        111 => 1024,
        // Overlap, mapped host memory, concurrent kernels, unified addressing, priorities, managed memory, memory pools.
        15 | 19 | 31 | 41 | 78 | 79 | 80 | 83 | 89 | 90 | 99 | 115 => ADDRESSES,
        _ => 0,
    }
}

fn uuid(device: usize) -> Uuid {
    let mut bytes = *b"swathe-software\0";
    bytes[15] = device as u8;
    Uuid(bytes)
}

fn with_device(device: c_int, body: impl FnOnce(&State, usize) -> crate::error::Result) -> crate::error::Result {
    let state = state();
    let device = state.device(device)?;
    body(&state, device)
}

driver! {
    fn cuInit(_flags: c_uint) {
        inject(Kind::Init)?;
        if Config::get().devices == 0 {
            return Err(Code::NO_DEVICE);
        }
        watch_exit();
        state().ready = true;
        Ok(())
    }

    /// NVRTC asks for tables that nobody documents, and does without them.
    fn cuGetExportTable(table: Out<*const c_void>, _id: *const c_void) {
        table.set_optional(std::ptr::null());
        Err(Code::NOT_FOUND)
    }

    fn cuDriverGetVersion(version: Out<c_int>) {
        version.set(Config::get().driver)
    }

    fn cuGetErrorName(error: c_int, text: Out<*const c_char>) {
        let name = Code::name(error).ok_or(Code::INVALID_VALUE)?;
        text.set(name.as_ptr())
    }

    fn cuGetErrorString(error: c_int, text: Out<*const c_char>) {
        let name = Code::text(error).ok_or(Code::INVALID_VALUE)?;
        text.set(name.as_ptr())
    }

    fn cuDeviceGet(device: Out<c_int>, ordinal: c_int) {
        with_device(ordinal, |_, _| device.set(ordinal))
    }

    fn cuDeviceGetCount(count: Out<c_int>) {
        state().check_ready()?;
        count.set(Config::get().devices as c_int)
    }

    fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int) {
        with_device(device, |_, _| {
            if name.is_null() || length <= 0 {
                return Err(Code::INVALID_VALUE);
            }
            let bytes = NAME.to_bytes();
            let n = bytes.len().min(length as usize - 1);
            // SAFETY: the caller's buffer has `length` bytes, of which `n + 1` are written.
            unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), name.cast(), n);
                name.add(n).write(0);
            }
            Ok(())
        })
    }

    fn cuDeviceGetUuid(uuid_: Out<Uuid>, device: c_int) {
        with_device(device, |_, d| uuid_.set(uuid(d)))
    }

    fn cuDeviceGetUuid_v2(uuid_: Out<Uuid>, device: c_int) {
        with_device(device, |_, d| uuid_.set(uuid(d)))
    }

    fn cuDeviceGetAttribute(value: Out<c_int>, number: c_int, device: c_int) {
        with_device(device, |_, d| match number {
            33 => value.set(d as c_int),
            n if n > 0 => value.set(attribute(n)),
            _ => Err(Code::INVALID_VALUE),
        })
    }

    fn cuDeviceTotalMem_v2(bytes: Out<usize>, device: c_int) {
        with_device(device, |_, _| bytes.set(Config::get().memory))
    }

    fn cuDeviceComputeCapability(major: Out<c_int>, minor: Out<c_int>, device: c_int) {
        with_device(device, |_, _| {
            let (a, b) = Config::get().capability;
            major.set(a)?;
            minor.set(b)
        })
    }

    fn cuDeviceCanAccessPeer(yes: Out<c_int>, device: c_int, peer: c_int) {
        with_device(device, |s, a| yes.set(c_int::from(s.device(peer)? != a)))
    }

    fn cuProfilerStart() {
        Ok(())
    }

    fn cuProfilerStop() {
        Ok(())
    }

    fn cuGetProcAddress_v2(symbol: Text, function: Out<*mut c_void>, _version: c_int, _flags: u64, status: Out<c_int>) {
        let at = find(symbol.get()?);
        status.set_optional(c_int::from(at.is_null()));
        function.set(at)?;
        if at.is_null() { Err(Code::NOT_FOUND) } else { Ok(()) }
    }
}

/// The newest version of a function of this library.
fn find(name: &CStr) -> *mut c_void {
    // SAFETY: all zeros is a value of this C struct; the address is that of a function of this library.
    let library = unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(cuInit as *const c_void, &raw mut info) == 0 {
            return std::ptr::null_mut();
        }
        libc::dlopen(info.dli_fname, libc::RTLD_NOW | libc::RTLD_NOLOAD)
    };
    for version in ["_v4", "_v3", "_v2", ""] {
        let versioned = std::ffi::CString::new([name.to_bytes(), version.as_bytes()].concat()).unwrap_or_default();
        // SAFETY: the handle is that of this library, or null for the program.
        let at = unsafe { libc::dlsym(library, versioned.as_ptr()) };
        if !at.is_null() {
            return at;
        }
    }
    std::ptr::null_mut()
}
