//! NVRTC, which turns CUDA C into machine code.
//!
//! Loaded here and not by cudarc, which knows bare file names only: the file can lie anywhere, and of two versions the one
//! is taken that suits the driver.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

use super::compile::NAME;
use super::driver::Driver;
use crate::error::CudaError;

type Program = *mut c_void;

/// The functions of the library.
pub(super) struct Nvrtc {
    create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> c_int,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int,
    destroy: unsafe extern "C" fn(*mut Program) -> c_int,
    describe: unsafe extern "C" fn(c_int) -> *const c_char,
    log: Reader,
    cubin: Reader,
    ptx: Reader,
    /// Its version.
    pub version: (u32, u32),
    /// Architectures that it makes machine code for, ascending: 90 for `sm_90`.
    pub architectures: Vec<u32>,
    /// The file that was loaded.
    pub file: PathBuf,
}

/// A pair of functions that tell a size and fill a buffer.
#[derive(Clone, Copy)]
struct Reader {
    size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    fill: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
}

/// What NVRTC is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Machine code of this architecture.
    Cubin(u32),
    /// Code that the driver translates.
    Ptx(u32),
}

impl Target {
    /// The compiler's option.
    pub fn option(self) -> String {
        match self {
            Target::Cubin(n) => format!("--gpu-architecture=sm_{n}"),
            Target::Ptx(n) => format!("--gpu-architecture=compute_{n}"),
        }
    }

    /// The one for a device of this compute capability: machine code of an older architecture runs on a newer one of the
    /// same major number, and PTX on all newer ones. `None` if all that NVRTC knows is newer than the device.
    pub fn for_device(capability: (u32, u32), known: &[u32]) -> Option<Target> {
        let device = capability.0 * 10 + capability.1;
        let best = known.iter().copied().filter(|n| *n <= device).max()?;
        Some(if best / 10 == capability.0 {
            Target::Cubin(best)
        } else {
            Target::Ptx(best)
        })
    }
}

impl Nvrtc {
    /// The library of this machine.
    pub fn get() -> Result<&'static Nvrtc, CudaError> {
        static NVRTC: OnceLock<Result<Nvrtc, CudaError>> = OnceLock::new();
        let driver = Driver::get();
        let mut found = false;
        let nvrtc = NVRTC.get_or_init(|| {
            let major = driver.map_or(13, |driver| driver.version.0.clamp(12, 13));
            let named = std::env::var_os("SWATHE_NVRTC").filter(|path| !path.is_empty());
            let files = named.map_or_else(|| candidates(major), |path| vec![PathBuf::from(path)]);
            found = true;
            Nvrtc::first_of(files, major)
        });
        // A logger may launch kernels.
        if let (true, Ok(nvrtc)) = (found, nvrtc) {
            let (major, minor) = nvrtc.version;
            log::debug!("NVRTC {major}.{minor}: {}", nvrtc.file.display());
        }
        nvrtc.as_ref().map_err(Clone::clone)
    }

    fn first_of(files: Vec<PathBuf>, major: u32) -> Result<Nvrtc, CudaError> {
        let mut tried = Vec::new();
        for file in files {
            match Nvrtc::load(&file) {
                Ok(nvrtc) => return Ok(nvrtc),
                Err(reason) => tried.push(format!("{} ({reason})", file.display())),
            }
        }
        Err(CudaError::NoNvrtc { major, tried })
    }

    fn load(file: &Path) -> Result<Nvrtc, String> {
        // SAFETY: the initialisers of NVRTC, a library of functions, have no conditions.
        let library = unsafe { Library::new(file) }.map_err(|error| error.to_string())?;
        // Functions of it are called until the end of the program.
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: these are the types that nvrtc.h gives these functions.
        unsafe {
            let mut nvrtc = Nvrtc {
                create: symbol(library, "nvrtcCreateProgram")?,
                compile: symbol(library, "nvrtcCompileProgram")?,
                destroy: symbol(library, "nvrtcDestroyProgram")?,
                describe: symbol(library, "nvrtcGetErrorString")?,
                log: Reader::new(library, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog")?,
                cubin: Reader::new(library, "nvrtcGetCUBINSize", "nvrtcGetCUBIN")?,
                ptx: Reader::new(library, "nvrtcGetPTXSize", "nvrtcGetPTX")?,
                version: (0, 0),
                architectures: Vec::new(),
                file: file.to_owned(),
            };
            let version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int = symbol(library, "nvrtcVersion")?;
            let count: unsafe extern "C" fn(*mut c_int) -> c_int = symbol(library, "nvrtcGetNumSupportedArchs")?;
            let list: unsafe extern "C" fn(*mut c_int) -> c_int = symbol(library, "nvrtcGetSupportedArchs")?;
            let (mut major, mut minor, mut n) = (0, 0, 0);
            nvrtc.checked(version(&raw mut major, &raw mut minor))?;
            nvrtc.checked(count(&raw mut n))?;
            let mut architectures = vec![0; usize::try_from(n).unwrap_or(0)];
            nvrtc.checked(list(architectures.as_mut_ptr()))?;
            nvrtc.version = (u32::try_from(major).unwrap_or(0), u32::try_from(minor).unwrap_or(0));
            nvrtc.architectures = architectures
                .into_iter()
                .filter_map(|n| u32::try_from(n).ok())
                .collect();
            nvrtc.architectures.sort_unstable();
            Ok(nvrtc)
        }
    }

    fn checked(&self, code: c_int) -> Result<(), String> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: the function gives a string that lives as long as the library for every number.
        let text = unsafe { CStr::from_ptr((self.describe)(code)) };
        Err(text.to_string_lossy().into_owned())
    }

    /// Compiles a text.
    ///
    /// # Errors
    /// NVRTC's log, or the name of its error.
    pub fn compile(&self, text: &str, target: Target, options: &[&str]) -> Result<Vec<u8>, String> {
        let no_zeros = |_| "a zero byte in the text".to_owned();
        let source = CString::new(text).map_err(no_zeros)?;
        let options = options.iter().map(|option| (*option).to_owned());
        let options: Vec<CString> = std::iter::once(target.option())
            .chain(options)
            .map(|option| CString::new(option).map_err(no_zeros))
            .collect::<Result<_, _>>()?;
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let name = CString::new(NAME).map_err(no_zeros)?;
        let mut program = std::ptr::null_mut();
        // SAFETY: all pointers are valid for the calls, and the program is destroyed once, after its last use.
        unsafe {
            let null = std::ptr::null();
            self.checked((self.create)(
                &raw mut program,
                source.as_ptr(),
                name.as_ptr(),
                0,
                null,
                null,
            ))?;
            let compiled = self
                .checked((self.compile)(
                    program,
                    c_int::try_from(options.len()).unwrap_or(0),
                    options.as_ptr(),
                ))
                .map_err(|error| match self.log.read(self, program) {
                    Ok(log) if !log.is_empty() => {
                        String::from_utf8_lossy(&log).trim_end_matches('\0').trim().to_owned()
                    }
                    _ => error,
                });
            let reader = match target {
                Target::Cubin(_) => self.cubin,
                Target::Ptx(_) => self.ptx,
            };
            let image = compiled.and_then(|()| reader.read(self, program));
            (self.destroy)(&raw mut program);
            image
        }
    }
}

impl Reader {
    /// # Safety
    /// The functions have the types of this pair.
    unsafe fn new(library: &'static Library, size: &str, fill: &str) -> Result<Reader, String> {
        // SAFETY: by the caller's word.
        unsafe {
            Ok(Reader {
                size: symbol(library, size)?,
                fill: symbol(library, fill)?,
            })
        }
    }

    /// # Safety
    /// The program is alive.
    unsafe fn read(self, nvrtc: &Nvrtc, program: Program) -> Result<Vec<u8>, String> {
        let mut size = 0;
        // SAFETY: by the caller's word, and the buffer has the size that was asked for.
        unsafe {
            nvrtc.checked((self.size)(program, &raw mut size))?;
            let mut bytes = vec![0; size];
            nvrtc.checked((self.fill)(program, bytes.as_mut_ptr().cast()))?;
            Ok(bytes)
        }
    }
}

/// # Safety
/// `F` is the type of the function.
unsafe fn symbol<F: Copy>(library: &'static Library, name: &str) -> Result<F, String> {
    // SAFETY: by the caller's word.
    let symbol = unsafe { library.get::<F>(name.as_bytes()) };
    symbol.map(|symbol| *symbol).map_err(|_| format!("it lacks {name}"))
}

/// Where the library may lie, the version of the driver first: a driver runs what its own version of NVRTC and older ones
/// make.
fn candidates(major: u32) -> Vec<PathBuf> {
    let majors = if major >= 13 { [13, 12] } else { [12, 13] };
    let names = majors.map(|major| {
        if cfg!(windows) {
            format!("nvrtc64_{major}0_0.dll")
        } else {
            format!("libnvrtc.so.{major}")
        }
    });
    let mut folders: Vec<PathBuf> = ["CUDA_HOME", "CUDA_PATH"]
        .iter()
        .filter_map(std::env::var_os)
        .map(PathBuf::from)
        .collect();
    if let Ok(entries) = std::fs::read_dir("/usr/local") {
        let entries = entries.flatten().map(|entry| entry.path());
        let mut toolkits: Vec<PathBuf> = entries
            .filter(|path| {
                path.file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with("cuda"))
            })
            .collect();
        toolkits.sort();
        folders.extend(toolkits);
    }
    let mut files = Vec::new();
    for name in &names {
        files.push(PathBuf::from(name));
        for folder in &folders {
            let inside = ["lib64", "lib", "bin", "targets/x86_64-linux/lib"].map(|part| folder.join(part).join(name));
            files.extend(inside.into_iter().filter(|file| file.exists()));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_is_clamped_to_what_nvrtc_knows() {
        let known = [75, 80, 86, 90, 100];
        assert_eq!(Target::for_device((9, 0), &known), Some(Target::Cubin(90)));
        assert_eq!(Target::for_device((8, 9), &known), Some(Target::Cubin(86)));
        assert_eq!(Target::for_device((12, 0), &known), Some(Target::Ptx(100)));
        assert_eq!(Target::for_device((7, 0), &known), None);
        assert_eq!(Target::Ptx(100).option(), "--gpu-architecture=compute_100");
    }

    #[test]
    fn missing_library_says_how_to_get_it() {
        let Err(error) = Nvrtc::first_of(vec!["/nowhere/libnvrtc.so.12".into()], 12) else {
            panic!("a library at /nowhere");
        };
        let text = error.to_string();
        assert!(text.contains("pip install nvidia-cuda-nvrtc-cu12"), "{text}");
        assert!(text.contains("/nowhere/libnvrtc.so.12 ("), "{text}");
    }

    #[test]
    fn library_that_is_none_is_passed_over() {
        let Err(error) = Nvrtc::first_of(vec!["/proc/self/exe".into()], 13) else {
            panic!("not a library");
        };
        assert!(matches!(error, CudaError::NoNvrtc { major: 13, .. }));
    }
}
