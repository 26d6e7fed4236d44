//! What can go wrong with CUDA.

use std::fmt;

use cudarc::driver::result::DriverError;
use cudarc::driver::sys::CUresult;

/// Why CUDA cannot be used, or why a call of it failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CudaError {
    /// There is no driver library.
    #[error(
        "no CUDA device: the driver's library (libcuda.so.1; nvcuda.dll on Windows) is not installed{}. Install the \
         NVIDIA driver, version 525 or newer; inside a container, start it with access to the GPU (`--gpus all`)",
        at(path)
    )]
    NoDriver {
        /// The library that `SWATHE_CUDA_LIBRARY` names, and what the system says of it.
        path: Option<String>,
    },
    /// Another driver library was found before the one that `SWATHE_CUDA_LIBRARY` names.
    #[error(
        "SWATHE_CUDA_LIBRARY names {path}, but the system loads another libcuda in its place: the library needs the \
         SONAME `libcuda.so`"
    )]
    OtherDriver {
        /// The library.
        path: String,
    },
    /// The driver is too old.
    #[error(
        "the NVIDIA driver supports CUDA {}.{} only, and 12.0 is needed: install driver version 525 or newer",
        found.0,
        found.1
    )]
    OldDriver {
        /// The newest version of CUDA that the driver supports.
        found: (u32, u32),
    },
    /// The driver lacks a function.
    #[error("the NVIDIA driver has no function `{function}`: install driver version 525 or newer")]
    MissingFunction {
        /// Its name.
        function: &'static str,
    },
    /// The driver works, but there is no device.
    #[error(
        "no CUDA device: the NVIDIA driver is installed, but finds no GPU that it can use{}. `nvidia-smi` lists GPUs; the \
         variable CUDA_VISIBLE_DEVICES hides those that it does not name",
        because(reason)
    )]
    NoDevice {
        /// What the driver says.
        reason: Option<String>,
    },
    /// A device number that is too large.
    #[error("there is no CUDA device {index}: {}", counted(*count))]
    NoSuchDevice {
        /// The number asked for.
        index: usize,
        /// How many devices there are.
        count: usize,
    },
    /// NVRTC, which compiles kernels, is missing.
    #[error(
        "kernels cannot be compiled for CUDA: there is no NVRTC library. Install NVRTC {major} (part of the CUDA toolkit; alone: \
         the package `cuda-nvrtc-{major}-*`, or `pip install nvidia-cuda-nvrtc{}`), and put the folder of libnvrtc.so.{major} on \
         LD_LIBRARY_PATH or name the file in SWATHE_NVRTC. Tried: {}",
        if *major < 13 { "-cu12" } else { "" },
        tried.join(", ")
    )]
    NoNvrtc {
        /// The version that suits the driver.
        major: u32,
        /// The files that could not be loaded.
        tried: Vec<String>,
    },
    /// NVRTC cannot make code for a device of this generation.
    #[error(
        "NVRTC {}.{} cannot compile for {device}, of compute capability {}.{}: install NVRTC 12",
        nvrtc.0,
        nvrtc.1,
        capability.0,
        capability.1
    )]
    OldDevice {
        /// The device.
        device: String,
        /// Its compute capability.
        capability: (u32, u32),
        /// The version of NVRTC.
        nvrtc: (u32, u32),
    },
    /// NVRTC refused the text, or failed.
    #[error("{file}:{line}: NVRTC cannot compile kernel `{kernel}`: {log}\n{excerpt}")]
    Compile {
        /// The kernel.
        kernel: &'static str,
        /// Its source file, or that of the function with the fault.
        file: String,
        /// The line there.
        line: u32,
        /// What NVRTC says.
        log: String,
        /// The CUDA C around the fault.
        excerpt: String,
    },
    /// A call of the driver failed.
    #[error("{call} failed on {device}: {reason} ({name}){context}")]
    Call {
        /// The driver's function.
        call: &'static str,
        /// The device.
        device: String,
        /// The driver's name of the error.
        name: String,
        /// The driver's description.
        reason: String,
        /// The kernels that ran before, or what else is known.
        context: String,
    },
    /// Every stream that a device can have is there.
    #[error("{device} has its {most} streams already: drop one, or use one of them")]
    TooManyStreams {
        /// The device.
        device: String,
        /// How many a program can make.
        most: usize,
    },
}

fn at(path: &Option<String>) -> String {
    path.as_ref()
        .map_or_else(String::new, |path| format!(" (SWATHE_CUDA_LIBRARY: {path})"))
}

fn because(reason: &Option<String>) -> String {
    reason
        .as_ref()
        .map_or_else(String::new, |reason| format!(" ({reason})"))
}

fn counted(count: usize) -> String {
    match count {
        1 => "there is one, number 0".to_owned(),
        n => format!("there are {n}, from number 0"),
    }
}

/// The driver's name and description of an error.
pub(crate) fn describe(error: DriverError) -> (String, String) {
    let text = |s: Result<&std::ffi::CStr, DriverError>| s.ok().map(|s| s.to_string_lossy().into_owned());
    let name = text(error.error_name()).unwrap_or_else(|| format!("error {}", error.0 as u32));
    let reason = text(error.error_string()).unwrap_or_else(|| "an unknown error".to_owned());
    (name, reason)
}

/// Whether the driver ran out of a device's memory.
pub(crate) fn is_out_of_memory(error: DriverError) -> bool {
    error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY
}

impl CudaError {
    pub(crate) fn call(call: &'static str, device: impl fmt::Display, error: DriverError) -> CudaError {
        let (name, reason) = describe(error);
        CudaError::Call {
            call,
            device: device.to_string(),
            name,
            reason,
            context: String::new(),
        }
    }
}
