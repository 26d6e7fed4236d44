//! NVRTC, which compiles CUDA C without a GPU or a driver.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

type Program = *mut c_void;

/// The library.
pub struct Nvrtc {
    library: Library,
    /// Where it was found.
    pub path: PathBuf,
}

/// What a compilation gives.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The machine code, or why there is none.
    pub cubin: Result<Vec<u8>, String>,
    /// The PTX it was made from; empty if there is none.
    pub ptx: String,
    /// Errors and warnings.
    pub log: String,
}

impl Nvrtc {
    /// The library, looked for in `SWATHE_NVRTC` (its path), in `nvrtc/` of the build's target folder, in `CUDA_HOME`, in
    /// `/usr/local/cuda*` and among the system's libraries. `None` if there is none; with `SWATHE_REQUIRE_NVRTC`
    /// set that is a failure, so that a build server cannot miss it in silence.
    ///
    /// # Panics
    /// If the library is required and missing.
    pub fn get() -> Option<&'static Nvrtc> {
        static NVRTC: OnceLock<Option<Nvrtc>> = OnceLock::new();
        let found = NVRTC.get_or_init(|| {
            candidates().into_iter().find_map(|path| {
                // SAFETY: the initialisers of NVRTC, a library of functions, have no conditions.
                let library = unsafe { Library::new(&path) }.ok()?;
                Some(Nvrtc { library, path })
            })
        });
        assert!(
            found.is_some() || std::env::var_os("SWATHE_REQUIRE_NVRTC").is_none(),
            "SWATHE_REQUIRE_NVRTC is set, but there is no libnvrtc.so"
        );
        if found.is_none() {
            eprintln!("no libnvrtc.so found: nothing is compiled for CUDA (`cargo xtask setup` fetches it)");
        }
        found.as_ref()
    }

    fn symbol<F: Copy>(&self, name: &str) -> F {
        // SAFETY: every caller below names the type that nvrtc.h declares for the function.
        unsafe { *self.library.get(name.as_bytes()).expect("a function of NVRTC") }
    }

    /// Major and minor version.
    ///
    /// # Panics
    /// If the library does not tell.
    pub fn version(&self) -> (c_int, c_int) {
        let version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int = self.symbol("nvrtcVersion");
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both pointers are valid for the call.
        assert_eq!(unsafe { version(&raw mut major, &raw mut minor) }, 0, "nvrtcVersion");
        (major, minor)
    }

    /// Compiles for `arch` (`sm_80`), with further options.
    ///
    /// # Panics
    /// If NVRTC itself fails, other than by refusing the text.
    pub fn compile(&self, text: &str, arch: &str, options: &[&str]) -> Compiled {
        let create: unsafe extern "C" fn(
            *mut Program,
            *const c_char,
            *const c_char,
            c_int,
            *const *const c_char,
            *const *const c_char,
        ) -> c_int = self.symbol("nvrtcCreateProgram");
        let compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int =
            self.symbol("nvrtcCompileProgram");
        let destroy: unsafe extern "C" fn(*mut Program) -> c_int = self.symbol("nvrtcDestroyProgram");
        let error_name: unsafe extern "C" fn(c_int) -> *const c_char = self.symbol("nvrtcGetErrorString");

        let source = CString::new(text).expect("a text without zero bytes");
        let options: Vec<CString> = std::iter::once(format!("--gpu-architecture={arch}"))
            .chain(options.iter().map(|&o| o.to_owned()))
            .map(|o| CString::new(o).expect("an option without zero bytes"))
            .collect();
        let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let mut program: Program = std::ptr::null_mut();
        // SAFETY: all pointers are valid for the calls, and the program is destroyed once, after its last use.
        unsafe {
            let made = create(
                &raw mut program,
                source.as_ptr(),
                c"kernel.cu".as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null(),
            );
            assert_eq!(made, 0, "nvrtcCreateProgram");
            let code = compile(program, pointers.len() as c_int, pointers.as_ptr());
            let log = self.bytes(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
            let log = String::from_utf8_lossy(&log).trim_end_matches('\0').trim().to_owned();
            let cubin = if code == 0 {
                Ok(self.bytes(program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN"))
            } else {
                Err(CStr::from_ptr(error_name(code)).to_string_lossy().into_owned())
            };
            let ptx = if code == 0 {
                self.bytes(program, "nvrtcGetPTXSize", "nvrtcGetPTX")
            } else {
                Vec::new()
            };
            let ptx = String::from_utf8_lossy(&ptx).trim_end_matches('\0').to_owned();
            destroy(&raw mut program);
            Compiled { cubin, ptx, log }
        }
    }

    /// # Safety
    /// `program` is a program of this library, and the functions are a pair that gives a size and fills a buffer.
    unsafe fn bytes(&self, program: Program, size: &str, fill: &str) -> Vec<u8> {
        let size: unsafe extern "C" fn(Program, *mut usize) -> c_int = self.symbol(size);
        let fill: unsafe extern "C" fn(Program, *mut u8) -> c_int = self.symbol(fill);
        let mut n = 0;
        // SAFETY: by the caller's word.
        unsafe {
            assert_eq!(size(program, &raw mut n), 0);
            let mut bytes = vec![0; n];
            assert_eq!(fill(program, bytes.as_mut_ptr()), 0);
            bytes
        }
    }
}

fn candidates() -> Vec<PathBuf> {
    // Where the software device stands in for the system's libraries, the second one holds what the first one held.
    let given = ["SWATHE_NVRTC", "SWATHE_SOFTCUDA_REAL_NVRTC"].map(std::env::var_os);
    let mut paths: Vec<PathBuf> = given.into_iter().flatten().map(PathBuf::from).collect();
    if let Some(target) = target_dir() {
        search(&target.join("nvrtc"), 6, &mut paths);
    }
    if let Some(home) = std::env::var_os("CUDA_HOME") {
        search(&Path::new(&home).join("lib64"), 0, &mut paths);
    }
    if let Ok(entries) = std::fs::read_dir("/usr/local") {
        for entry in entries
            .flatten()
            .filter(|e| e.file_name().to_string_lossy().starts_with("cuda"))
        {
            search(&entry.path().join("lib64"), 0, &mut paths);
        }
    }
    if std::env::var_os("SWATHE_SOFTCUDA_FOLDER").is_none() {
        paths.extend(["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"].map(PathBuf::from));
    }
    paths
}

/// The folder that cargo builds into: the test program lies at `<target>/<profile>/deps/<name>`.
pub(crate) fn target_dir() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    program.ancestors().nth(3).map(Path::to_path_buf)
}

/// Adds the libraries called `libnvrtc.so*` below a folder, newest version first.
fn search(folder: &Path, depth: u32, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    entries.sort_by(|a, b| b.cmp(a));
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("libnvrtc.so") {
            paths.push(path);
        } else if depth > 0 && path.is_dir() {
            search(&path, depth - 1, paths);
        }
    }
}
