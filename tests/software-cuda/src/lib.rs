//! A software CUDA device, for tests: one shared library that stands in for `libcuda` (the driver) and for `libnvrtc`
//! (the run-time compiler), so that a program's CUDA path runs unchanged on a machine without a GPU. Its device is
//! called "swathe software device (tests only)".
//!
//! # How a program finds it
//!
//! cudarc, like most programs, opens `libcuda.so` and `libnvrtc.so` by their bare names, which the loader looks up in
//! `LD_LIBRARY_PATH` first. So a folder holds links of these names (and `libcuda.so.1`, `libnvrtc.so.12`, `.13`) to
//! `libswathe_software_cuda.so`, and the variable names the folder. Links, not copies: the loader then sees one
//! library, with one set of counters. The loader reads the variable when a program starts, so it has to be set from
//! outside:
//!
//! - for a command: `cargo run -p swathe-software-cuda -- cargo test -p swathe-tests`, which is
//!   `softcuda COMMAND ARGUMENTS..`; it makes the folder `software-cuda` beside the library and starts the command.
//!   `softcuda --install FOLDER` only makes a folder.
//! - for a test of its own: with this package as a dev-dependency (cargo then builds the library too), call
//!   [`harness::enter`] first in each test; it starts the test program anew with the variable set.
//! - for other tools in Rust: [`harness::command`] gives a prepared [`std::process::Command`].
//!
//! [`harness::Control`] reaches the library from inside such a program: faults, counters, live objects, findings. From
//! other languages: `softcuda_fail`, `softcuda_calls`, `softcuda_live`, `softcuda_finding`, `softcuda_mend`.
//!
//! # Environment
//!
//! | Variable | Meaning | Default |
//! |---|---|---|
//! | `SWATHE_SOFTCUDA_FAIL` | faults: `kind:call[+][:code][!]`, by commas; `+`: that call and all later ones; `!`: the context breaks | |
//! | `SWATHE_SOFTCUDA_LEAKS` | `report`: leaks to standard error at exit; `abort`: and exit with status 86 | ignore |
//! | `SWATHE_SOFTCUDA_LOG` | `1`: every finding to standard error | off |
//! | `SWATHE_SOFTCUDA_MODE` | `eager`: work runs when enqueued; `lazy`: when waited for | `lazy` |
//! | `SWATHE_SOFTCUDA_CODE` | `host`: texts run as the host compiler builds them; `ptx`: as NVIDIA's NVRTC compiles them, interpreted | `host` |
//! | `SWATHE_SOFTCUDA_ORDER` | a number that chooses the order of blocks, and with `ptx` that of warps and threads; one thread runs all | as numbered |
//! | `SWATHE_SOFTCUDA_RACES` | `1`: with `ptx`, threads that access the same global memory without an order are an error | off |
//! | `SWATHE_SOFTCUDA_APPROX` | a number that with `ptx` chooses the results of `.approx` instructions within the manual's errors | the nearest |
//! | `SWATHE_SOFTCUDA_DEVICES` | number of devices | 1 |
//! | `SWATHE_SOFTCUDA_MEMORY` | bytes of each (`512M`, `8G`) | `4G` |
//! | `SWATHE_SOFTCUDA_CAPABILITY` | compute capability | `9.0`; `7.5` with `ptx` |
//! | `SWATHE_SOFTCUDA_DRIVER`, `_NVRTC` | versions told | `13000`, `13.0`; NVRTC's own with `ptx` |
//! | `SWATHE_SOFTCUDA_REAL_NVRTC` | NVIDIA's NVRTC for `ptx` | in `nvrtc/` of the folder that cargo builds into |
//! | `SWATHE_SOFTCUDA_THREADS` | threads that run blocks | cores, at most 8 |
//! | `SWATHE_SOFTCUDA_CACHE` | folder of compiled texts | a temporary folder of the user |
//! | `SWATHE_SOFTCUDA_LIBRARY` | the library that [`harness`] installs | near the program |
//! | `CXX`, `SWATHE_SOFTCUDA_CXXFLAGS` | host compiler and further options | `g++` |
//!
//! Kinds of calls: `init`, `context`, `alloc`, `host` (pinned memory), `free`, `copy`, `memset`, `stream`, `event`,
//! `record` (an event), `join` (a stream waits for an event), `compile`, `module`, `function`, `launch`, `kernel` (the launch succeeds, the next wait fails, and the context is
//! broken), `sync`, `capture`, `graph`. For `compile` the code is an `nvrtcResult`.
//!
//! # How it works
//!
//! `nvrtcCompileProgram` gives the text to the host compiler behind a header that defines CUDA's names (`device.h`);
//! the "cubin" is the shared library that comes out, behind a header with a checksum and the architecture. "PTX" is the
//! text, compiled when it is loaded. Compiled texts are kept by a hash of all that goes in.
//!
//! Real PTX, of rustc or NVRTC, is run by `swathe-ptx-interpreter`, which has a table of the instructions that it knows and
//! refuses all else when the module is loaded. Each access has to lie in an allocation that the context may reach, to the byte.
//! With `SWATHE_SOFTCUDA_CODE=ptx` NVIDIA's NVRTC compiles the texts, with the program's own options and for a virtual
//! architecture, so that the program's kernels run as PTX, too.
//!
//! A block runs on one thread of the operating system, its threads on fibers that switch at `__syncthreads`, shuffles
//! and votes; `__shared__` variables are thread-local ones. Texts in which no thread waits for another run as plain
//! loops. Blocks of a launch are spread over a few threads of the operating system.
//!
//! Work in a stream runs when somebody waits for it, and work of another stream only if an event, or the rules of the
//! legacy stream, order it before. So a program that forgets an event or a wait reads old data here every time.
//!
//! Device memory lies in pages of its own that end where the allocation ends (rounded up to 256 bytes) with a mebibyte
//! around in which nothing is mapped; freed memory is unmapped and not soon used again. Fresh memory, and shared memory
//! at the start of each block, is filled with NaNs. An access outside is an "illegal address" at the next wait, and the
//! context stays broken; for the bytes up to the next multiple of 256 only writes are seen.
//!
//! # What it does not model
//!
//! Time and concurrency of streams (one operation runs at a time), caches, registers and occupancy (numbers are
//! plausible), memory ordering weaker than the host's, threads of a warp in lockstep (a lane runs on to the next
//! `..._sync`), spinning on another thread of the same block, grid synchronisation, clusters, textures, arrays, IPC,
//! virtual memory management, dynamic parallelism, `half`, inline PTX (but in PTX). `a * b + c` is
//! never contracted. `__shared__` memory is counted over all kernels of a text. A kernel that loops for ever does so.
//! Plain casts of a float that does not fit follow the host, where a device saturates. Code that only a real driver or
//! device has bugs in cannot be tested here.

mod api;
mod block;
mod compile;
mod config;
mod control;
mod error;
mod fault;
mod fiber;
mod findings;
mod graph;
pub mod harness;

mod image;
mod library;
mod memory;
mod module;
mod ptx;
mod real;
mod scheduler;
mod signal;
mod state;
mod stream;
mod text;
mod warp;
mod workers;
