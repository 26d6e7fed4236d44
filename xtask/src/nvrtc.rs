//! NVRTC: finds the library on this machine, or fetches it.

use std::env;
use std::ffi::{OsString, c_int};
use std::fs;
use std::path::{Path, PathBuf};

use crate::wheel::Wheel;

/// 12.9 and not 13: drivers of CUDA 12 load its cubins too, and it knows every architecture from sm_50 to sm_121.
const WHEEL: Wheel = Wheel {
    package: "nvidia-cuda-nvrtc-cu12",
    version: "12.9.86",
    sha256: [
        "210cf05005a447e29214e9ce50851e83fc5f4358df8b453155d5e1918094dcb4",
        "096d4de6bda726415dfaf3198d4f5c522b8e70139c97feef5cd2ca6d4cd9cead",
    ],
    files: &[
        ("nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "lib/libnvrtc.so.12"),
        (
            "nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9",
            "lib/libnvrtc-builtins.so.12.9",
        ),
        (
            "nvidia_cuda_nvrtc_cu12-12.9.86.dist-info/licenses/License.txt",
            "License.txt",
        ),
    ],
};

const NAMES: [&str; 3] = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];

/// A library that loads, and says which version it is.
pub struct Nvrtc {
    /// A path, or a name that the loader finds.
    pub library: OsString,
    pub version: (c_int, c_int),
}

/// Finds NVRTC, or fetches it into `<target>/nvrtc` if `download`.
///
/// # Errors
/// Why there is none.
pub fn provide(target: &Path, download: bool) -> Result<Nvrtc, String> {
    if let Some(given) = env::var_os("SWATHE_NVRTC") {
        // Who names a library wants this one, and no other in its place.
        return given_library(Path::new(&given))
            .ok_or_else(|| format!("SWATHE_NVRTC={} does not load", given.display()));
    }
    let own = target.join("nvrtc");
    if WHEEL.is_in(&own)
        && let Some(found) = in_folder(&own.join("lib"))
    {
        return Ok(found);
    }
    if let Some(found) = installed() {
        return Ok(found);
    }
    if !download {
        return Err("NVRTC is not installed, and nothing may be fetched".to_owned());
    }
    WHEEL.fetch(&own)?;
    in_folder(&own.join("lib")).ok_or_else(|| format!("the library in {} does not load", own.display()))
}

fn given_library(path: &Path) -> Option<Nvrtc> {
    if path.is_dir() {
        in_folder(path).or_else(|| in_folder(&path.join("lib")))
    } else {
        load(path.as_os_str().to_owned())
    }
}

fn installed() -> Option<Nvrtc> {
    let folders = toolkits().into_iter().flat_map(|root| {
        ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"].map(|lib| root.join(lib))
    });
    folders
        .into_iter()
        .find_map(|folder| in_folder(&folder))
        .or_else(|| NAMES.iter().find_map(|name| load(name.into())))
}

/// The roots of the CUDA toolkits of this machine, the most wanted first.
pub fn toolkits() -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = ["CUDA_HOME", "CUDA_PATH"]
        .into_iter()
        .filter_map(env::var_os)
        .map(Into::into)
        .collect();
    let entries = fs::read_dir("/usr/local").into_iter().flatten().flatten();
    let mut local: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("cuda"))
        .map(|entry| entry.path())
        .collect();
    // `cuda` is the administrator's choice; of the numbered ones the newest.
    local.sort_by_key(|path| (path.ends_with("cuda"), path.clone()));
    roots.extend(local.into_iter().rev());
    roots
}

fn in_folder(folder: &Path) -> Option<Nvrtc> {
    NAMES
        .iter()
        .map(|name| folder.join(name))
        .filter(|path| path.is_file())
        .find_map(|path| load(path.into_os_string()))
}

#[cfg(unix)]
fn load(library: OsString) -> Option<Nvrtc> {
    use std::ffi::{CString, c_char, c_void};

    unsafe extern "C" {
        fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
        fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    }
    const RTLD_NOW: c_int = 2;

    let name = CString::new(library.as_encoded_bytes()).ok()?;
    // SAFETY: `name` is a terminated string; loading runs the library's own initialisers, which every user of it runs.
    let handle = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
    if handle.is_null() {
        return None;
    }
    // SAFETY: `handle` is open and never closed, the name is terminated.
    let symbol = unsafe { dlsym(handle, c"nvrtcVersion".as_ptr()) };
    if symbol.is_null() {
        return None;
    }
    // SAFETY: in every release of NVRTC the symbol is `nvrtcResult nvrtcVersion(int*, int*)`.
    let ask: extern "C" fn(*mut c_int, *mut c_int) -> c_int = unsafe { std::mem::transmute(symbol) };
    let (mut major, mut minor) = (0, 0);
    (ask(&mut major, &mut minor) == 0).then_some(Nvrtc {
        library,
        version: (major, minor),
    })
}

/// The tests of CUDA C run where NVIDIA's wheels do.
#[cfg(not(unix))]
fn load(_library: OsString) -> Option<Nvrtc> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_nvrtc_is_refused() {
        assert!(load("libc.so.6".into()).is_none());
        assert!(load("libnvrtc-there-is-none.so".into()).is_none());
        assert!(given_library(Path::new("/dev/null")).is_none());
    }
}
