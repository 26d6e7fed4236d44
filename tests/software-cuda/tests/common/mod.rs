//! A device for each test, one test at a time: faults and counters belong to the process.

#![allow(dead_code)]

use std::ffi::CString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaStream, DriverError, LaunchConfig, result, sys};
use cudarc::nvrtc::{self, Ptx};
use swathe_software_cuda::harness::{self, Control};

static ONE: Mutex<()> = Mutex::new(());

pub struct Bench {
    pub context: Arc<CudaContext>,
    pub stream: Arc<CudaStream>,
    pub control: Control,
    _one: MutexGuard<'static, ()>,
}

pub fn bench() -> Bench {
    harness::enter();
    let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let control = Control::get().expect("the software device");
    control.fail("");
    let context = CudaContext::new(0).unwrap();
    // SAFETY: these tests order their work themselves.
    unsafe { context.disable_event_tracking() };
    let stream = context.new_stream().unwrap();
    Bench {
        context,
        stream,
        control,
        _one: one,
    }
}

/// Compiles to a cubin; `Err` with NVRTC's result and log.
pub fn cubin(text: &str, options: &[&str]) -> Result<Vec<u8>, (nvrtc::sys::nvrtcResult, String)> {
    harness::enter();
    let program = nvrtc::result::create_program(&CString::new(text).unwrap(), Some(c"test.cu")).unwrap();
    // SAFETY: the program is valid until it is destroyed, and the buffers have the sizes asked for.
    unsafe {
        let compiled = nvrtc::result::compile_program(program, options);
        let log = nvrtc::result::get_program_log(program).unwrap();
        let log: String = log
            .iter()
            .take_while(|&&c| c != 0)
            .map(|&c| char::from(c as u8))
            .collect();
        let out = compiled.map(|()| {
            let mut size = 0;
            assert_eq!(
                nvrtc::sys::nvrtcGetCUBINSize(program, &raw mut size),
                nvrtc::sys::nvrtcResult::NVRTC_SUCCESS
            );
            let mut out = vec![0_u8; size];
            nvrtc::sys::nvrtcGetCUBIN(program, out.as_mut_ptr().cast())
                .result()
                .unwrap();
            out
        });
        nvrtc::result::destroy_program(program).unwrap();
        out.map_err(|e| (e.0, log))
    }
}

impl Bench {
    pub fn module(&self, text: &str) -> Arc<CudaModule> {
        let image = cubin(text, &["--gpu-architecture=sm_90"]).unwrap_or_else(|e| panic!("{}", e.1));
        self.context.load_module(Ptx::from_binary(image)).unwrap()
    }

    pub fn kernel(&self, text: &str, name: &str) -> CudaFunction {
        self.module(text).load_function(name).unwrap()
    }

    /// Fails with this code from now on, until the context goes.
    pub fn is_broken(&self, code: CUresult) -> bool {
        self.stream.synchronize() == Err(DriverError(code)) && self.context.synchronize() == Err(DriverError(code))
    }
}

pub fn grid(blocks: u32, threads: u32) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (blocks, 1, 1),
        block_dim: (threads, 1, 1),
        shared_mem_bytes: 0,
    }
}

pub fn code<T>(result: Result<T, DriverError>) -> CUresult {
    result.err().map_or(CUresult::CUDA_SUCCESS, |e| e.0)
}

/// Raw memory.
pub fn alloc(bytes: usize) -> sys::CUdeviceptr {
    // SAFETY: a context is current.
    unsafe { result::malloc_sync(bytes) }.unwrap()
}

/// Launches with raw pointers and numbers as arguments.
pub fn launch(b: &Bench, f: &CudaFunction, config: LaunchConfig, args: &[u64]) -> CUresult {
    let mut builder = b.stream.launch_builder(f);
    for arg in args {
        use cudarc::driver::PushKernelArg;
        builder.arg(arg);
    }
    // SAFETY: the tests pass as many arguments as the kernel has, of 8 bytes or less.
    code(unsafe { builder.launch(config) })
}
