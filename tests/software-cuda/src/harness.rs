//! For Rust programs that run on the software device: a folder that the loader finds it in, and its controls.

use std::ffi::{CStr, CString, OsString, c_char, c_int, c_void};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Set in programs that [`enter`] or [`command`] started: the folder with the libraries.
pub const FOLDER: &str = "SWATHE_SOFTCUDA_FOLDER";
/// What `SWATHE_NVRTC` was before, for programs that are to run without the software device again.
pub const REAL_NVRTC: &str = "SWATHE_SOFTCUDA_REAL_NVRTC";

const FILE: &str = "libswathe_software_cuda.so";
const NAMES: [&str; 5] = [
    "libcuda.so",
    "libcuda.so.1",
    "libnvrtc.so",
    "libnvrtc.so.12",
    "libnvrtc.so.13",
];

/// The built library: where `SWATHE_SOFTCUDA_LIBRARY` says, or near the program that runs.
///
/// # Errors
/// If it is not there.
pub fn library() -> io::Result<PathBuf> {
    if let Some(path) = std::env::var_os("SWATHE_SOFTCUDA_LIBRARY") {
        return Ok(path.into());
    }
    let program = std::env::current_exe()?;
    // `target/debug/deps/test-1234`, `target/debug/softcuda`, `target/debug/examples/name`.
    let near = program
        .ancestors()
        .skip(1)
        .take(3)
        .flat_map(|folder| [folder.join("deps"), folder.to_path_buf()]);
    let newest = near
        .map(|folder| folder.join(FILE))
        .filter(|path| path.is_file())
        .max_by_key(|path| path.metadata().and_then(|m| m.modified()).ok());
    newest.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{FILE} near {}", program.display())))
}

/// Puts links to the library into a folder, under the names of the driver and of NVRTC.
///
/// # Errors
/// If the folder cannot be written to, or the library is not built.
pub fn install(folder: &Path) -> io::Result<()> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let library = library()?.canonicalize()?;
    std::fs::create_dir_all(folder)?;
    for name in NAMES {
        let link = folder.join(name);
        if std::fs::read_link(&link).is_ok_and(|to| to == library) {
            continue;
        }
        // Several programs, and several of their threads, may do the same at once.
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let part = folder.join(format!("{name}.{}.{number}", std::process::id()));
        std::os::unix::fs::symlink(&library, &part)?;
        std::fs::rename(&part, &link)?;
    }
    Ok(())
}

/// A command that finds the software device before any other.
///
/// # Errors
/// As [`install`], into a folder beside the library.
pub fn command(program: impl Into<OsString>) -> io::Result<Command> {
    let folder = library()?
        .canonicalize()?
        .parent()
        .map(|p| p.join("software-cuda"))
        .unwrap_or_default();
    install(&folder)?;
    let mut path = folder.clone().into_os_string();
    if let Some(before) = std::env::var_os("LD_LIBRARY_PATH").filter(|p| !p.is_empty()) {
        path.push(":");
        path.push(before);
    }
    let mut command = Command::new(program.into());
    if let Some(real) = std::env::var_os("SWATHE_NVRTC") {
        command.env(REAL_NVRTC, real);
    }
    // These name real libraries, whose machine code the software device does not run; a cache may hold some of it.
    command
        .env_remove("SWATHE_NVRTC")
        .env_remove("SWATHE_CUDA_LIBRARY")
        .env("SWATHE_CACHE_DIR", folder.join("cache"));
    command.env("LD_LIBRARY_PATH", path).env(FOLDER, folder);
    Ok(command)
}

/// Makes sure that this program runs with the software device: starts it again with the same arguments if not. To be
/// called first in each test; the process stays the same one.
///
/// # Panics
/// If the library is not built, or the program cannot be started again.
pub fn enter() {
    if std::env::var_os(FOLDER).is_some() {
        return;
    }
    let program = std::env::current_exe().expect("the path of this program");
    let mut again = command(program).expect("the software CUDA device");
    let failed = again.args(std::env::args_os().skip(1)).exec();
    panic!("cannot start this program again: {failed}");
}

/// Runs some of the tests of this program again, in a process whose device runs what NVIDIA's NVRTC makes of the kernels. To be
/// called by a test, with arguments that leave it out. Without an NVRTC it says so, and with `SWATHE_REQUIRE_NVRTC` set
/// that is a failure.
///
/// # Panics
/// If a test fails, or not so many pass: a test that is not found is no failure of its own.
pub fn as_ptx(arguments: &[&str], passed: usize) {
    enter();
    if crate::real::find().is_none() {
        let required = std::env::var_os("SWATHE_REQUIRE_NVRTC").is_some();
        assert!(!required, "SWATHE_REQUIRE_NVRTC is set, but there is no libnvrtc.so");
        return eprintln!("no libnvrtc.so found: nothing runs as PTX (`cargo xtask setup` fetches it)");
    }
    let mut again = Command::new(std::env::current_exe().expect("the path of this program"));
    again.args(arguments).env("SWATHE_SOFTCUDA_CODE", "ptx");
    let output = again.output().expect("this program again");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let expected = format!("{passed} passed");
    assert!(output.status.success() && text.contains(&expected), "{text}{errors}");
}

/// The controls of the library that the loader finds.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    fail: extern "C" fn(*const c_char) -> c_int,
    calls: extern "C" fn(*const c_char) -> i64,
    live: extern "C" fn(*const c_char) -> i64,
    finding: extern "C" fn() -> *const c_char,
    mend: extern "C" fn(),
}

impl Control {
    /// `None` if `libcuda.so` is missing or a real one.
    #[must_use]
    pub fn get() -> Option<Control> {
        // SAFETY: the name is a C string; loading the driver has no conditions.
        let library = unsafe { libc::dlopen(c"libcuda.so".as_ptr(), libc::RTLD_NOW) };
        if library.is_null() {
            return None;
        }
        let symbol = |name: &CStr| {
            // SAFETY: the handle is open, and stays so.
            let at: *mut c_void = unsafe { libc::dlsym(library, name.as_ptr()) };
            (!at.is_null()).then_some(at)
        };
        // SAFETY: the functions of these names have these types.
        unsafe {
            Some(Control {
                fail: std::mem::transmute::<*mut c_void, extern "C" fn(*const c_char) -> c_int>(symbol(
                    c"softcuda_fail",
                )?),
                calls: std::mem::transmute::<*mut c_void, extern "C" fn(*const c_char) -> i64>(symbol(
                    c"softcuda_calls",
                )?),
                live: std::mem::transmute::<*mut c_void, extern "C" fn(*const c_char) -> i64>(symbol(
                    c"softcuda_live",
                )?),
                finding: std::mem::transmute::<*mut c_void, extern "C" fn() -> *const c_char>(symbol(
                    c"softcuda_finding",
                )?),
                mend: std::mem::transmute::<*mut c_void, extern "C" fn()>(symbol(c"softcuda_mend")?),
            })
        }
    }

    /// Replaces the faults to come, `kind:call[+][:code][!]` separated by commas, and counts calls from zero. An empty
    /// text clears.
    ///
    /// # Panics
    /// If the text is wrong.
    pub fn fail(&self, rules: &str) {
        let text = CString::new(rules).expect("a text without zeros");
        assert_eq!((self.fail)(text.as_ptr()), 0, "faults `{rules}`");
    }

    /// Calls of a kind since [`Control::fail`].
    ///
    /// # Panics
    /// If there is no such kind.
    #[must_use]
    pub fn calls(&self, kind: &str) -> usize {
        let text = CString::new(kind).expect("a text without zeros");
        usize::try_from((self.calls)(text.as_ptr())).expect("a kind of call")
    }

    /// Objects that live: memory, bytes (of device memory), host, stream, event, module, graph, executable, pool, context.
    ///
    /// # Panics
    /// If there is no such kind.
    #[must_use]
    pub fn live(&self, kind: &str) -> usize {
        let text = CString::new(kind).expect("a text without zeros");
        usize::try_from((self.live)(text.as_ptr())).expect("a kind of object")
    }

    /// What a check found last.
    #[must_use]
    pub fn finding(&self) -> String {
        // SAFETY: the library gives a C string that stands until the next call.
        unsafe { CStr::from_ptr((self.finding)()) }
            .to_string_lossy()
            .into_owned()
    }

    /// Mends broken contexts.
    pub fn mend(&self) {
        (self.mend)();
    }
}
