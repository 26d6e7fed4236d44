//! A loaded text of CUDA C, which is a shared library.

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;

use crate::block::Context;
use crate::compile::{Built, unique};
use crate::error::{Code, Result};
use crate::findings::found;
use crate::scheduler::RUNTIME;

/// A parameter of a kernel, as `device.h` lays it out.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub size: c_uint,
    pub pointer: c_uint,
}

/// A row of the table at the end of a text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    name: *const c_char,
    function: *const c_void,
    pub thread: Option<unsafe extern "C" fn(*const *mut c_void)>,
    pub blocks: Option<unsafe extern "C" fn(*const *mut c_void, u64, u64)>,
    parameters: *const Parameter,
    count: c_uint,
    /// Of `__launch_bounds__`; 0 without.
    pub bounds: c_uint,
}

impl Row {
    pub(crate) fn name(&self) -> &CStr {
        // SAFETY: the table holds C strings, which live as long as the library.
        unsafe { CStr::from_ptr(self.name) }
    }

    pub(crate) fn parameters(&self) -> &[Parameter] {
        // SAFETY: the table's pointer and count belong together and live as long as the module.
        unsafe { std::slice::from_raw_parts(self.parameters, self.count as usize) }
    }

    pub(crate) fn offsets(&self) -> Vec<usize> {
        let mut end = 0_usize;
        let place = |parameter: &Parameter| {
            let bytes = parameter.size as usize;
            // Natural alignment, which is that of every parameter in practice.
            let start = end.next_multiple_of((bytes & bytes.wrapping_neg()).clamp(1, 16));
            end = start + bytes;
            start
        };
        self.parameters().iter().map(place).collect()
    }
}

// SAFETY: all that a row points to is constant.
unsafe impl Send for Row {}
// SAFETY: as above.
unsafe impl Sync for Row {}

#[derive(Debug)]
pub(crate) struct Library {
    library: usize,
    pub kernels: Vec<Row>,
    pub waits: bool,
    here: unsafe extern "C" fn() -> *mut Context,
    /// Bytes of a thread's variables, and where the context lies among them.
    locals: usize,
    context_at: usize,
}

#[derive(Clone, Copy)]
struct Locals {
    context: usize,
    start: usize,
    bytes: usize,
}

extern "C" fn find_locals(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> i32 {
    // SAFETY: `dl_iterate_phdr` passes a valid description, and `Library::load` its own variable.
    let (info, out) = unsafe { (&*info, &mut *data.cast::<Locals>()) };
    // SAFETY: address and number belong together.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let start = info.dlpi_tls_data as usize;
    for header in headers.iter().filter(|h| h.p_type == libc::PT_TLS) {
        let bytes = header.p_memsz as usize;
        if start != 0 && (start..start + bytes).contains(&out.context) {
            (out.start, out.bytes) = (start, bytes);
            return 1;
        }
    }
    0
}

impl Library {
    pub(crate) fn load(built: &Built) -> Result<Library> {
        let path = unique(".so");
        let write = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&path, &built.library));
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| Code::OPERATING_SYSTEM)?;
        if let Err(e) = write {
            found(format_args!("{}: {e}", path.display()));
            return Err(Code::OPERATING_SYSTEM);
        }
        // SAFETY: the library comes from `compile` and has no initialisers of its own.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        let _ = std::fs::remove_file(&path);
        if library.is_null() {
            // SAFETY: `dlerror` gives a C string or null.
            let text = unsafe { libc::dlerror().as_ref().map(|e| CStr::from_ptr(e).to_string_lossy()) };
            found(format_args!("cannot load a module: {}", text.unwrap_or_default()));
            return Err(Code::INVALID_IMAGE);
        }
        Library::bind(library, built.waits).ok_or(Code::INVALID_IMAGE)
    }

    fn bind(library: *mut c_void, waits: bool) -> Option<Library> {
        let symbol = |name: &CStr| {
            // SAFETY: the handle is open.
            let at = unsafe { libc::dlsym(library, name.as_ptr()) };
            (!at.is_null()).then_some(at)
        };
        let table = symbol(c"softcuda_kernels")?.cast::<Row>();
        let mut kernels = Vec::new();
        // SAFETY: the table ends with a row of zeros.
        unsafe {
            let mut row = table;
            while !(*row).name.is_null() {
                kernels.push(*row);
                row = row.add(1);
            }
        }
        // SAFETY: this variable of the text has this type, and no kernel runs yet.
        unsafe { *symbol(c"softcuda_rt")?.cast::<*const crate::scheduler::Runtime>() = &raw const RUNTIME };
        // SAFETY: this function of the text has this type.
        let here: unsafe extern "C" fn() -> *mut Context = unsafe { std::mem::transmute(symbol(c"softcuda_here")?) };
        // SAFETY: as above.
        let context = unsafe { here() } as usize;
        let mut locals = Locals {
            context,
            start: context,
            bytes: size_of::<Context>(),
        };
        // SAFETY: the callback treats its last argument as `Locals`.
        unsafe { libc::dl_iterate_phdr(Some(find_locals), (&raw mut locals).cast()) };
        let context_at = context - locals.start;
        Some(Library {
            library: library as usize,
            kernels,
            waits,
            here,
            locals: locals.bytes,
            context_at,
        })
    }

    /// This thread's context.
    pub(crate) fn context(&self) -> *mut Context {
        // SAFETY: the function only returns an address, and the module is loaded.
        unsafe { (self.here)() }
    }

    /// Bytes of `__shared__` variables of all kernels together.
    pub(crate) fn shared(&self) -> usize {
        self.locals - size_of::<Context>()
    }

    /// This thread's `__shared__` variables: around the context.
    pub(crate) fn shared_ranges(&self) -> [(usize, usize); 2] {
        let start = self.context() as usize - self.context_at;
        let after = self.context_at + size_of::<Context>();
        [(start, self.context_at), (start + after, self.locals - after)]
    }

    fn address(&self, name: &CStr) -> Option<usize> {
        // SAFETY: the handle is open.
        let at = unsafe { libc::dlsym(self.library as *mut _, name.as_ptr()) };
        (!at.is_null()).then_some(at as usize)
    }

    /// The kernel that is exported under a name.
    pub(crate) fn kernel(&self, name: &CStr) -> Option<Row> {
        let at = self.address(name)?;
        self.kernels.iter().find(|k| k.function as usize == at).copied()
    }

    /// Address and size of a variable.
    pub(crate) fn global(&self, name: &CStr) -> Option<(usize, usize)> {
        if name.to_bytes().starts_with(b"softcuda_") || self.kernel(name).is_some() {
            return None;
        }
        let at = self.address(name)?;
        // SAFETY: all zeros is a value of this C struct.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        let mut symbol: *const libc::Elf64_Sym = std::ptr::null();
        const SYMENT: i32 = 1;
        // SAFETY: with this flag the last argument receives an ELF symbol.
        let ok = unsafe { dladdr1(at as *const _, &raw mut info, (&raw mut symbol).cast(), SYMENT) };
        // SAFETY: set by `dladdr1`, if at all, to an entry of the loaded library.
        (ok != 0 && !symbol.is_null()).then(|| (at, unsafe { (*symbol).st_size } as usize))
    }
}

unsafe extern "C" {
    fn dladdr1(address: *const c_void, info: *mut libc::Dl_info, extra: *mut *mut c_void, flags: i32) -> i32;
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and whatever used the module holds it by reference count.
        unsafe { libc::dlclose(self.library as *mut _) };
    }
}
