//! What the environment sets: this program again, as a child.

mod common;

use std::process::Output;

use common::{alloc, bench, code, cubin, grid, launch};
use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaContext, result};
use swathe_software_cuda::harness;

const CHILD: &str = "SOFTCUDA_TEST_CHILD";

/// Runs a test of this program with some variables; its panics and output come back.
fn child(test: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = harness::command(std::env::current_exe().unwrap()).unwrap();
    command
        .args([test, "--exact", "--nocapture"])
        .env(CHILD, "1")
        .envs(variables.iter().copied());
    command.output().unwrap()
}

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn leaks_are_reported_at_exit() {
    if is_child() {
        let _bench = std::mem::ManuallyDrop::new(bench());
        alloc(10);
        return;
    }
    let test = "leaks_are_reported_at_exit";
    let reported = child(test, &[("SWATHE_SOFTCUDA_LEAKS", "report")]);
    assert!(
        reported.status.success() && error(&reported).contains("leaks: 1 memory, 1 stream"),
        "{}",
        error(&reported)
    );
    assert_eq!(
        child(test, &[("SWATHE_SOFTCUDA_LEAKS", "abort")]).status.code(),
        Some(86)
    );
    let quiet = child(test, &[]);
    assert!(quiet.status.success() && !error(&quiet).contains("leaks"));
}

#[test]
fn devices_can_be_set() {
    if is_child() {
        harness::enter();
        let contexts: Vec<_> = (0..3).map(|k| CudaContext::new(k).unwrap()).collect();
        assert_eq!(CudaContext::device_count().unwrap(), 3);
        assert_eq!(contexts[2].compute_capability().unwrap(), (8, 6));
        assert_eq!(contexts[1].total_mem().unwrap(), 64 << 20);
        assert_eq!(code(CudaContext::new(3)), CUresult::CUDA_ERROR_INVALID_DEVICE);
        // From device to device.
        let streams: Vec<_> = contexts.iter().map(|c| c.new_stream().unwrap()).collect();
        let x = streams[0].clone_htod(&[1_u16, 2, 3]).unwrap();
        streams[0].synchronize().unwrap();
        let y = streams[2].clone_dtod(&x).unwrap();
        assert_eq!(streams[2].clone_dtoh(&y).unwrap(), [1, 2, 3]);
        return;
    }
    let variables =
        [("DEVICES", "3"), ("CAPABILITY", "8.6"), ("MEMORY", "64M")].map(|(k, v)| (format!("SWATHE_SOFTCUDA_{k}"), v));
    let variables: Vec<(&str, &str)> = variables.iter().map(|(k, v)| (k.as_str(), *v)).collect();
    let output = child("devices_can_be_set", &variables);
    assert!(output.status.success(), "{}", error(&output));
}

#[test]
fn faults_come_from_the_environment() {
    if is_child() {
        harness::enter();
        let context = CudaContext::new(0).unwrap();
        let stream = context.new_stream().unwrap();
        let kept = stream.alloc_zeros::<u8>(1).unwrap();
        assert_eq!(code(stream.alloc_zeros::<u8>(1)), CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        drop(kept);
        return;
    }
    let output = child(
        "faults_come_from_the_environment",
        &[("SWATHE_SOFTCUDA_FAIL", "alloc:2")],
    );
    assert!(output.status.success(), "{}", error(&output));
    let output = child(
        "faults_come_from_the_environment",
        &[("SWATHE_SOFTCUDA_FAIL", "init:1")],
    );
    assert!(error(&output).contains("CUDA_ERROR_NO_DEVICE"), "{}", error(&output));
}

#[test]
fn work_can_run_at_once() {
    if is_child() {
        let b = bench();
        let text = "extern \"C\" __global__ void f(unsigned long long* x, unsigned long long v) { *x = v; }";
        let f = b.kernel(text, "f");
        let p = alloc(8);
        assert_eq!(launch(&b, &f, grid(1, 1), &[p, 77]), CUresult::CUDA_SUCCESS);
        let other = b.context.new_stream().unwrap();
        let mut out = [0_u64];
        // SAFETY: both sides have 8 bytes.
        unsafe { result::memcpy_dtoh_async(&mut out, p, other.cu_stream()) }.unwrap();
        assert_eq!(out, [77], "nobody waited for the other stream");
        return;
    }
    let output = child("work_can_run_at_once", &[("SWATHE_SOFTCUDA_MODE", "eager")]);
    assert!(output.status.success(), "{}", error(&output));
    assert!(
        !child("work_can_run_at_once", &[]).status.success(),
        "lazy unless told otherwise"
    );
}

#[test]
fn a_missing_compiler_is_named() {
    if is_child() {
        harness::enter();
        let (_, log) = cubin("extern \"C\" __global__ void never_seen(int* x) {}", &[]).unwrap_err();
        assert!(log.contains("the host compiler `/no/such/compiler`"), "{log}");
        return;
    }
    let output = child("a_missing_compiler_is_named", &[("CXX", "/no/such/compiler")]);
    assert!(output.status.success(), "{}", error(&output));
}

#[test]
fn threads_install_at_the_same_time() {
    let folder = std::env::temp_dir().join(format!("swathe-softcuda-install-{}", std::process::id()));
    for _ in 0..50 {
        let start = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    harness::install(&folder).unwrap();
                });
            }
        });
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 5);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
