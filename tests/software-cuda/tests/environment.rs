//! What the environment sets: this program again, as a child.

mod common;

use std::process::Output;

use common::{alloc, bench, code, cubin, grid, launch};
use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaContext, DevicePtr, result};
use cudarc::nvrtc::Ptx;
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

/// Each thread draws a number.
const TICKETS: &str = ".version 6.0
.target sm_70
.address_size 64
.visible .entry tickets(
.param .u64 tickets_param_0
)
{
.reg .b32 %r<5>; .reg .b64 %rd<4>;
ld.param.u64 %rd1, [tickets_param_0];
atom.global.add.u32 %r1, [%rd1], 1;
mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
mad.lo.s32 %r2, %r2, %r3, %r4; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3+4], %r1;
ret;
}
";

#[test]
fn orders_can_be_chosen() {
    const BLOCKS: u32 = 5;
    const THREADS: u32 = 128;
    if is_child() {
        let b = bench();
        let counted = "extern \"C\" __global__ void counted(unsigned int* x) { x[1 + blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(x, 1u); }";
        let ptx = b.context.load_module(Ptx::from_src(TICKETS)).unwrap();
        for f in [ptx.load_function("tickets").unwrap(), b.kernel(counted, "counted")] {
            let p = b.stream.alloc_zeros::<u32>((BLOCKS * THREADS + 1) as usize).unwrap();
            let address = p.device_ptr(&b.stream).0;
            assert_eq!(
                launch(&b, &f, grid(BLOCKS, THREADS), &[address]),
                CUresult::CUDA_SUCCESS
            );
            let drawn = b.stream.clone_dtoh(&p).unwrap();
            b.stream
                .synchronize()
                .unwrap_or_else(|_| panic!("{}", b.control.finding()));
            println!("drawn {drawn:?}");
        }
        return;
    }
    let drawn = |variables: &[(&str, &str)]| {
        let output = child("orders_can_be_chosen", variables);
        assert!(output.status.success(), "{}", error(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<String> = text
            .lines()
            .filter(|line| line.contains("drawn"))
            .map(str::to_owned)
            .collect();
        assert_eq!(lines.len(), 2, "{text}");
        lines
    };
    let one_thread = ("SWATHE_SOFTCUDA_THREADS", "1");
    let by_number: Vec<u32> = std::iter::once(BLOCKS * THREADS).chain(0..BLOCKS * THREADS).collect();
    assert!(
        drawn(&[one_thread])
            .iter()
            .all(|line| line.ends_with(&format!("drawn {by_number:?}")))
    );
    let of = |seed| drawn(&[("SWATHE_SOFTCUDA_ORDER", seed)]);
    let (one, other) = (of("1"), of("2"));
    assert!(one.iter().zip(&other).all(|(one, other)| one != other), "{one:?}");
    assert_eq!(of("1"), one);
}

#[test]
fn races_and_approximations_can_be_set() {
    if is_child() {
        let b = bench();
        // All threads store their own numbers in one place; the first one a power of 2.
        let stored = "ex2.approx.f32 %f1, 0f3E99999A; mov.b32 %r1, %f1; setp.ne.s32 %p1, %r4, 0; st.global.u32 [%rd1], %r4; @%p1 ret;
            st.global.u32 [%rd1+4], %r1;";
        let text = TICKETS
            .replace(".reg .b32", ".reg .pred %p<2>; .reg .f32 %f<2>; .reg .b32")
            .replace("atom.global.add.u32 %r1, [%rd1], 1;", "")
            .replace("st.global.u32 [%rd3+4], %r1;", stored);
        let f = b
            .context
            .load_module(Ptx::from_src(text))
            .unwrap()
            .load_function("tickets")
            .unwrap();
        let p = b.stream.alloc_zeros::<u32>(2).unwrap();
        let address = p.device_ptr(&b.stream).0;
        assert_eq!(launch(&b, &f, grid(1, 32), &[address]), CUresult::CUDA_SUCCESS);
        match b.stream.synchronize() {
            Ok(()) => println!("stored {}", b.stream.clone_dtoh(&p).unwrap()[1]),
            Err(_) => println!("stored nothing: {}", b.control.finding()),
        }
        return;
    }
    let stored = |variables: &[(&str, &str)]| {
        let output = child("races_and_approximations_can_be_set", variables);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", error(&output));
        text.split_once("stored ").unwrap().1.lines().next().unwrap().to_owned()
    };
    let bits = |text: String| text.parse::<u32>().unwrap();
    let nearest = (0.3_f32 as f64).exp2() as f32;
    assert_eq!(bits(stored(&[])), nearest.to_bits());
    let disturbed = ["1", "2", "3", "4", "5", "6"].map(|seed| bits(stored(&[("SWATHE_SOFTCUDA_APPROX", seed)])));
    assert!(disturbed.iter().any(|&bits| bits != nearest.to_bits()));
    assert!(
        disturbed.iter().all(|&bits| bits.abs_diff(nearest.to_bits()) <= 2),
        "{disturbed:?}"
    );
    let refused = stored(&[("SWATHE_SOFTCUDA_RACES", "1")]);
    assert!(refused.contains("and nothing orders them"), "{refused}");
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
