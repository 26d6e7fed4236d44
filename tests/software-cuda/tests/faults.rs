//! Every fault on demand, at every call of a small program.

mod common;

use common::{Bench, bench, code, cubin, grid};
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUresult, CUstreamCaptureMode};
use cudarc::driver::{DriverError, PinnedHostSlice, PushKernelArg};
use cudarc::nvrtc::Ptx;
use cudarc::nvrtc::sys::nvrtcResult;

const TEXT: &str = "extern \"C\" __global__ void twice(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }";

/// Uses everything that can fail.
fn program(b: &Bench) -> Result<Vec<f32>, CUresult> {
    let run = || -> Result<Vec<f32>, DriverError> {
        let image = cubin(TEXT, &["-arch=sm_90"]).map_err(|_| DriverError(CUresult::CUDA_ERROR_INVALID_SOURCE))?;
        let stream = b.context.new_stream()?;
        let f = b.context.load_module(Ptx::from_binary(image))?.load_function("twice")?;
        // SAFETY: written below before it is read.
        let mut pinned: PinnedHostSlice<f32> = unsafe { b.context.alloc_pinned_with_flags(5, 0) }?;
        pinned.as_mut_slice()?.copy_from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let mut x = stream.alloc_zeros::<f32>(5)?;
        stream.memcpy_htod(&pinned, &mut x)?;
        let event = stream.record_event(None)?;
        let n = 5_i32;
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)?;
        // SAFETY: the arguments are those of the kernel.
        let launched = unsafe { stream.launch_builder(&f).arg(&mut x).arg(&n).launch(grid(1, 32)) };
        let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        let graph = stream.end_capture(flags);
        launched?;
        let graph = graph?.ok_or(DriverError(CUresult::CUDA_ERROR_UNKNOWN))?;
        graph.launch()?;
        event.synchronize()?;
        // SAFETY: as above.
        unsafe { stream.launch_builder(&f).arg(&mut x).arg(&n).launch(grid(1, 32)) }?;
        let out = stream.clone_dtoh(&x)?;
        stream.synchronize()?;
        Ok(out)
    };
    let result = run();
    // Errors of what `Drop` called.
    let dropped = b.context.check_err();
    result.and_then(|out| dropped.map(|()| out)).map_err(|e| e.0)
}

#[test]
fn every_call_can_fail() {
    let b = bench();
    assert_eq!(program(&b), Ok(vec![4.0, 8.0, 12.0, 16.0, 20.0]));
    let expected = [
        ("alloc", CUresult::CUDA_ERROR_OUT_OF_MEMORY),
        ("host", CUresult::CUDA_ERROR_OUT_OF_MEMORY),
        ("copy", CUresult::CUDA_ERROR_UNKNOWN),
        ("memset", CUresult::CUDA_ERROR_UNKNOWN),
        ("stream", CUresult::CUDA_ERROR_OUT_OF_MEMORY),
        ("event", CUresult::CUDA_ERROR_OUT_OF_MEMORY),
        ("compile", CUresult::CUDA_ERROR_INVALID_SOURCE),
        ("module", CUresult::CUDA_ERROR_INVALID_IMAGE),
        ("function", CUresult::CUDA_ERROR_NOT_FOUND),
        ("launch", CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
        ("kernel", CUresult::CUDA_ERROR_LAUNCH_FAILED),
        ("sync", CUresult::CUDA_ERROR_LAUNCH_FAILED),
        ("capture", CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
        ("graph", CUresult::CUDA_ERROR_OUT_OF_MEMORY),
    ];
    b.control.fail("");
    program(&b).unwrap();
    let calls: Vec<usize> = expected.iter().map(|(kind, _)| b.control.calls(kind)).collect();
    for ((kind, code), calls) in expected.into_iter().zip(calls) {
        assert!(calls > 0, "{kind}");
        for call in 1..=calls {
            b.control.fail(&format!("{kind}:{call}"));
            let result = program(&b);
            b.control.fail("");
            b.control.mend();
            b.context.synchronize().unwrap();
            assert_eq!(result, Err(code), "{kind} {call} of {calls}");
            assert_eq!(
                program(&b),
                Ok(vec![4.0, 8.0, 12.0, 16.0, 20.0]),
                "after {kind} {call} of {calls}"
            );
        }
    }
}

#[test]
fn rules_can_repeat_choose_their_code_and_stay() {
    let b = bench();
    b.control.fail("alloc:2+:999,compile:1:5");
    // SAFETY: never read.
    let alloc = || unsafe { b.stream.alloc::<u8>(3) };
    let kept = alloc().unwrap();
    assert_eq!(
        (code(alloc()), code(alloc())),
        (CUresult::CUDA_ERROR_UNKNOWN, CUresult::CUDA_ERROR_UNKNOWN)
    );
    assert_eq!(b.control.calls("alloc"), 3);
    assert_eq!(cubin(TEXT, &[]).unwrap_err().0, nvrtcResult::NVRTC_ERROR_INVALID_OPTION);
    drop(kept);
    b.control.fail("memset:1:719!");
    assert_eq!(code(b.stream.alloc_zeros::<u8>(3)), CUresult::CUDA_ERROR_LAUNCH_FAILED);
    assert!(b.is_broken(CUresult::CUDA_ERROR_LAUNCH_FAILED));
    b.control.mend();
    assert!(b.stream.alloc_zeros::<u8>(3).is_ok());
}

#[test]
fn nothing_leaks() {
    let b = bench();
    let kinds = ["memory", "host", "stream", "event", "module", "graph", "executable"];
    let live = || kinds.map(|kind| b.control.live(kind));
    b.context.synchronize().unwrap();
    let before = live();
    program(&b).unwrap();
    b.context.synchronize().unwrap();
    assert_eq!(live(), before, "{kinds:?}");
}
