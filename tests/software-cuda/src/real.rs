//! NVIDIA's own NVRTC, which compiles for the interpreter of PTX.
//!
//! It looks for a driver by its name, finds this library, and asks it for `cuGetExportTable`; without that function it
//! crashes. It calls none of the functions that both libraries export by their names.

use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::harness::REAL_NVRTC;

type Program = *mut c_void;
type Strings = *const *const c_char;

/// What it is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub text: &'a str,
    pub name: &'a str,
    /// Names and texts.
    pub headers: &'a [(String, String)],
    pub options: &'a [String],
}

/// Its functions.
#[derive(Debug)]
pub(crate) struct Real {
    create: unsafe extern "C" fn(*mut Program, *const c_char, *const c_char, c_int, Strings, Strings) -> c_int,
    compile: unsafe extern "C" fn(Program, c_int, Strings) -> c_int,
    destroy: unsafe extern "C" fn(*mut Program) -> c_int,
    log: Reader,
    ptx: Reader,
    pub version: (c_int, c_int),
}

/// Functions that tell a size and fill a buffer.
#[derive(Clone, Copy, Debug)]
struct Reader {
    size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    fill: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
}

/// An `nvrtcResult` other than success, and the log.
pub(crate) type Failure = (c_int, String);

impl Real {
    /// The library, or why there is none.
    pub(crate) fn get() -> Result<&'static Real, &'static str> {
        static REAL: OnceLock<Result<Real, String>> = OnceLock::new();
        let real = REAL.get_or_init(|| {
            let path =
                find().ok_or_else(|| format!("no real NVRTC: {REAL_NVRTC} names none, nor is one in `nvrtc/`"))?;
            Real::load(&path).ok_or_else(|| format!("{}: no NVRTC", path.display()))
        });
        real.as_ref().map_err(String::as_str)
    }

    fn load(path: &Path) -> Option<Real> {
        let name = CString::new(path.as_os_str().as_bytes()).ok()?;
        // Symbols of its own before those of the process.
        let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_DEEPBIND;
        // SAFETY: the initialisers of NVRTC, a library of functions, have no conditions.
        let library = unsafe { libc::dlopen(name.as_ptr(), flags) };
        if library.is_null() {
            return None;
        }
        let symbol = |name: &CStr| {
            // SAFETY: the handle is open, and stays so.
            let at = unsafe { libc::dlsym(library, name.as_ptr()) };
            (!at.is_null()).then_some(at)
        };
        // SAFETY: these are the types that nvrtc.h gives these functions.
        unsafe {
            use std::mem::transmute;
            let reader = |size: &CStr, fill: &CStr| {
                Some(Reader {
                    size: transmute::<*mut c_void, unsafe extern "C" fn(Program, *mut usize) -> c_int>(symbol(size)?),
                    fill: transmute::<*mut c_void, unsafe extern "C" fn(Program, *mut c_char) -> c_int>(symbol(fill)?),
                })
            };
            let version = transmute::<*mut c_void, unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int>(symbol(
                c"nvrtcVersion",
            )?);
            let (mut major, mut minor) = (0, 0);
            version(&raw mut major, &raw mut minor);
            Some(Real {
                create: transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(*mut Program, *const c_char, *const c_char, c_int, Strings, Strings) -> c_int,
                >(symbol(c"nvrtcCreateProgram")?),
                compile: transmute::<*mut c_void, unsafe extern "C" fn(Program, c_int, Strings) -> c_int>(symbol(
                    c"nvrtcCompileProgram",
                )?),
                destroy: transmute::<*mut c_void, unsafe extern "C" fn(*mut Program) -> c_int>(symbol(
                    c"nvrtcDestroyProgram",
                )?),
                log: reader(c"nvrtcGetProgramLogSize", c"nvrtcGetProgramLog")?,
                ptx: reader(c"nvrtcGetPTXSize", c"nvrtcGetPTX")?,
                version: (major, minor),
            })
        }
    }

    /// PTX of a text and the log, for the virtual architecture of the real one that the options name.
    pub(crate) fn compile(&self, request: Request<'_>) -> Result<(String, String), Failure> {
        let invalid = |_| (3, "a zero byte in a text".to_owned());
        let own = |text: &str| CString::new(text).map_err(invalid);
        let options = request.options.iter().map(|option| own(&of_architecture(option)));
        let options: Vec<CString> = options.collect::<Result<_, _>>()?;
        let names: Vec<CString> = request.headers.iter().map(|h| own(&h.0)).collect::<Result<_, _>>()?;
        let texts: Vec<CString> = request.headers.iter().map(|h| own(&h.1)).collect::<Result<_, _>>()?;
        let (text, name) = (own(request.text)?, own(request.name)?);
        let pointers = |list: &[CString]| -> Vec<*const c_char> { list.iter().map(|item| item.as_ptr()).collect() };
        let (options, names, texts) = (pointers(&options), pointers(&names), pointers(&texts));
        let mut program = std::ptr::null_mut();
        // SAFETY: all pointers are valid for the calls, and the program is destroyed once, after its last use.
        unsafe {
            let count = texts.len() as c_int;
            let created = (self.create)(
                &raw mut program,
                text.as_ptr(),
                name.as_ptr(),
                count,
                texts.as_ptr(),
                names.as_ptr(),
            );
            if created != 0 {
                return Err((created, String::new()));
            }
            let compiled = (self.compile)(program, options.len() as c_int, options.as_ptr());
            let log = self.log.read(program);
            let ptx = self.ptx.read(program);
            (self.destroy)(&raw mut program);
            match compiled {
                0 => Ok((ptx, log)),
                code => Err((code, log)),
            }
        }
    }
}

impl Reader {
    /// # Safety
    /// The program is alive.
    unsafe fn read(self, program: Program) -> String {
        let mut size = 0;
        // SAFETY: by the caller's word, and the buffer has the size that was asked for.
        unsafe {
            if (self.size)(program, &raw mut size) != 0 {
                return String::new();
            }
            let mut bytes = vec![0_u8; size];
            if (self.fill)(program, bytes.as_mut_ptr().cast()) != 0 {
                return String::new();
            }
            String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned()
        }
    }
}

/// There is PTX of virtual architectures only, or its assembler would run in vain.
fn of_architecture(option: &str) -> String {
    match option.split_once("=sm_") {
        Some((key @ ("--gpu-architecture" | "-arch"), number)) => format!("{key}=compute_{number}"),
        _ => option.to_owned(),
    }
}

/// Where the environment says, or in the folder that cargo builds into.
pub(crate) fn find() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(REAL_NVRTC).filter(|path| !path.is_empty()) {
        return Some(path.into());
    }
    // SAFETY: all zeros is a value of this C struct.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: looks up an address; the name it gives lives as long as this library.
    let file = unsafe {
        if libc::dladdr(find as *const c_void, &raw mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        CStr::from_ptr(info.dli_fname)
    };
    let file = Path::new(OsStr::from_bytes(file.to_bytes())).canonicalize().ok()?;
    file.ancestors()
        .skip(2)
        .take(3)
        .find_map(|folder| newest(&folder.join("nvrtc"), 6))
}

/// A library below a folder, of the greatest version.
fn newest(folder: &Path, depth: u32) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|e| e.path()).collect();
    entries.sort_by(|a, b| b.cmp(a));
    let is_it = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("libnvrtc.so"))
    };
    entries.iter().find(|path| is_it(path)).cloned().or_else(|| {
        let folders = entries.iter().filter(|path| depth > 0 && path.is_dir());
        folders.filter_map(|path| newest(path, depth - 1)).next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_become_virtual() {
        assert_eq!(
            of_architecture("--gpu-architecture=sm_75"),
            "--gpu-architecture=compute_75"
        );
        assert_eq!(of_architecture("-arch=compute_80"), "-arch=compute_80");
        assert_eq!(of_architecture("-DX=sm_75"), "-DX=sm_75");
    }
}
