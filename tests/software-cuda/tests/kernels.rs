//! Kernels by hand, through cudarc as a program uses it.

mod common;

use std::time::Instant;

use common::{bench, cubin, grid};
use cudarc::driver::sys::{CUgraphInstantiate_flags, CUresult, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::compile_ptx;

const SAXPY: &str = r#"
extern "C" __global__ void __launch_bounds__(256) saxpy(float a, const float* __restrict__ x, float* __restrict__ y, unsigned long long n) {
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = fmaf(a, __ldg(&x[i]), y[i]);
    }
}
"#;

const BLOCK_SUM: &str = r#"
static __device__ double block_sum(double value) {
    __shared__ double values[256];
    values[threadIdx.x] = value;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    }
    __syncthreads();
    return values[0];
}
extern "C" __global__ void partial(const double* __restrict__ x, unsigned n, double* __restrict__ partials) {
    double sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}
extern "C" __global__ void total(const double* __restrict__ partials, unsigned n, double* __restrict__ out) {
    double sum = 0;
    for (unsigned k = threadIdx.x; k < n; k += blockDim.x) sum += partials[k];
    sum = block_sum(sum);
    if (threadIdx.x != 0) return;
    *out = sum;
}
"#;

#[test]
fn the_device_says_what_it_is() {
    let b = bench();
    assert_eq!(b.context.name().unwrap(), "swathe software device (tests only)");
    assert_eq!(b.context.compute_capability().unwrap(), (9, 0));
    assert_eq!(CudaContext::device_count().unwrap(), 1);
    assert_eq!(b.context.total_mem().unwrap(), 4 << 30);
    assert!(b.context.has_async_alloc());
    assert_eq!(
        &b.context.uuid().unwrap().bytes.map(|c| c as u8)[..15],
        b"swathe-software"
    );
}

#[test]
fn saxpy() {
    let b = bench();
    let f = b.kernel(SAXPY, "saxpy");
    for n in [1_usize, 3, 17, 1000, 1_000_000] {
        let x: Vec<f32> = (0..n).map(|k| k as f32 * 0.5).collect();
        let y: Vec<f32> = (0..n).map(|k| 1000.0 - k as f32).collect();
        let (dx, mut dy) = (b.stream.clone_htod(&x).unwrap(), b.stream.clone_htod(&y).unwrap());
        b.stream.synchronize().unwrap();
        let start = Instant::now();
        let blocks = n.div_ceil(256) as u32;
        // SAFETY: the arguments are those of the kernel.
        unsafe {
            b.stream
                .launch_builder(&f)
                .arg(&2.0_f32)
                .arg(&dx)
                .arg(&mut dy)
                .arg(&n)
                .launch(grid(blocks, 256))
        }
        .unwrap();
        b.stream.synchronize().unwrap();
        println!("saxpy of {n}: {:?}", start.elapsed());
        let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 2.0_f32.mul_add(*x, *y)).collect();
        assert_eq!(b.stream.clone_dtoh(&dy).unwrap(), expected);
    }
}

#[test]
fn block_reduction() {
    let b = bench();
    let module = b.module(BLOCK_SUM);
    let (partial, total) = (
        module.load_function("partial").unwrap(),
        module.load_function("total").unwrap(),
    );
    for (n, blocks, threads) in [(1_u32, 1, 1), (1000, 3, 32), (1_000_000, 256, 256), (77_777, 5, 128)] {
        let x: Vec<f64> = (0..n).map(|k| f64::from(k) * 0.25 - 3.0).collect();
        let dx = b.stream.clone_htod(&x).unwrap();
        let mut partials = b.stream.alloc_zeros::<f64>(blocks as usize).unwrap();
        let mut out = b.stream.alloc_zeros::<f64>(1).unwrap();
        b.stream.synchronize().unwrap();
        let start = Instant::now();
        // SAFETY: the arguments are those of the kernels.
        unsafe {
            b.stream
                .launch_builder(&partial)
                .arg(&dx)
                .arg(&n)
                .arg(&mut partials)
                .launch(grid(blocks, threads))
                .unwrap();
            b.stream
                .launch_builder(&total)
                .arg(&partials)
                .arg(&blocks)
                .arg(&mut out)
                .launch(grid(1, threads))
                .unwrap();
        }
        b.stream.synchronize().unwrap();
        println!("sum of {n}: {:?}", start.elapsed());
        // Quarters are exact.
        assert_eq!(b.stream.clone_dtoh(&out).unwrap()[0], x.iter().sum::<f64>());
    }
}

const WARP_SUM: &str = r#"
extern "C" __global__ void warp_sum(const int* x, int* sums, unsigned* ballots, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? x[i] : 0;
    unsigned big = __ballot_sync(0xffffffffu, v > 50);
    int all = v;
    #pragma unroll
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(0xffffffffu, v, d);
        all += __shfl_xor_sync(0xffffffffu, all, d);
    }
    if (threadIdx.x % 32 == 0) {
        sums[i / 32] = v == all ? v : -1;
        ballots[i / 32] = big;
    }
}
"#;

#[test]
fn warp_shuffles() {
    let b = bench();
    let f = b.kernel(WARP_SUM, "warp_sum");
    let n = 1000_i32;
    let x: Vec<i32> = (0..n).map(|k| k * 37 % 101).collect();
    let dx = b.stream.clone_htod(&x).unwrap();
    let warps = 2 * 512 / 32;
    let (mut sums, mut ballots) = (
        b.stream.alloc_zeros::<i32>(warps).unwrap(),
        b.stream.alloc_zeros::<u32>(warps).unwrap(),
    );
    // SAFETY: the arguments are those of the kernel.
    unsafe {
        b.stream
            .launch_builder(&f)
            .arg(&dx)
            .arg(&mut sums)
            .arg(&mut ballots)
            .arg(&n)
            .launch(grid(2, 512))
    }
    .unwrap();
    let expected: Vec<i32> = x.chunks(32).map(|w| w.iter().sum()).collect();
    let masks: Vec<u32> = x
        .chunks(32)
        .map(|w| w.iter().enumerate().fold(0, |m, (k, &v)| m | u32::from(v > 50) << k))
        .collect();
    assert_eq!(b.stream.clone_dtoh(&sums).unwrap(), expected);
    assert_eq!(b.stream.clone_dtoh(&ballots).unwrap(), masks);
}

const COUNTED: &str = r#"
static __device__ __noinline__ unsigned taken(unsigned* count) {
    unsigned lanes = __activemask(), before = __popc(lanes & ((1u << threadIdx.x % 32) - 1)), at = 0;
    if (before == 0) at = atomicAdd(count, __popc(lanes));
    return __shfl_sync(lanes, at, __popc(~lanes & (lanes - 1))) + before;
}
extern "C" __global__ void counted(unsigned* count, unsigned* marks) {
    for (unsigned k = 0; k < threadIdx.x % 5; ++k) {
        if (threadIdx.x % 3 == 0) marks[taken(count)] = threadIdx.x;
        else if (k % 2 == 0) marks[taken(count)] = threadIdx.x;
    }
    __syncthreads();
    if (threadIdx.x % 7 == 0) marks[taken(count)] = threadIdx.x;
}
"#;

/// Lanes that are at one place together, while others have ended, wait for the block, or are elsewhere.
#[test]
fn lanes_that_are_active() {
    let b = bench();
    let f = b.kernel(COUNTED, "counted");
    let times = |t: u32| match t % 3 {
        0 => t % 5,
        _ => (t % 5).div_ceil(2),
    } + u32::from(t.is_multiple_of(7));
    let expected: Vec<u32> = (0..200).flat_map(|t| vec![t; times(t) as usize]).collect();
    let mut count = b.stream.alloc_zeros::<u32>(1).unwrap();
    let mut marks = b.stream.alloc_zeros::<u32>(expected.len()).unwrap();
    // SAFETY: the arguments are those of the kernel.
    unsafe {
        b.stream
            .launch_builder(&f)
            .arg(&mut count)
            .arg(&mut marks)
            .launch(grid(1, 200))
    }
    .unwrap();
    assert_eq!(b.stream.clone_dtoh(&count).unwrap(), [expected.len() as u32]);
    let mut marks = b.stream.clone_dtoh(&marks).unwrap();
    marks.sort_unstable();
    assert_eq!(marks, expected);
}

const HISTOGRAM: &str = r#"
extern "C" __global__ void histogram(const unsigned char* x, unsigned n, unsigned* counts, float* sum, unsigned long long* most) {
    extern __shared__ unsigned own[];
    for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) own[k] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&own[x[i]], 1u);
        atomicAdd(sum, 1.0f);
        atomicMax(most, (unsigned long long)x[i]);
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&counts[k], own[k]);
}
"#;

#[test]
fn atomics_over_many_blocks() {
    let b = bench();
    let f = b.kernel(HISTOGRAM, "histogram");
    let x: Vec<u8> = (0..200_000_u32)
        .map(|k| (k.wrapping_mul(2_654_435_761) >> 24) as u8 / 2)
        .collect();
    let (dx, n) = (b.stream.clone_htod(&x).unwrap(), x.len() as u32);
    let mut counts = b.stream.alloc_zeros::<u32>(256).unwrap();
    let (mut sum, mut most) = (
        b.stream.alloc_zeros::<f32>(1).unwrap(),
        b.stream.alloc_zeros::<u64>(1).unwrap(),
    );
    let config = LaunchConfig {
        shared_mem_bytes: 1024,
        ..grid(64, 96)
    };
    // SAFETY: the arguments are those of the kernel.
    unsafe {
        b.stream
            .launch_builder(&f)
            .arg(&dx)
            .arg(&n)
            .arg(&mut counts)
            .arg(&mut sum)
            .arg(&mut most)
            .launch(config)
    }
    .unwrap();
    let mut expected = vec![0_u32; 256];
    x.iter().for_each(|&v| expected[v as usize] += 1);
    assert_eq!(b.stream.clone_dtoh(&counts).unwrap(), expected);
    assert_eq!(b.stream.clone_dtoh(&sum).unwrap(), [200_000.0]);
    assert_eq!(b.stream.clone_dtoh(&most).unwrap(), [127]);
}

const STEPS: &str = r#"
extern "C" __global__ void affine(int* x, int a, int b) { x[threadIdx.x] = x[threadIdx.x] * a + b; }
__device__ int table[3] = {5, 6, 7};
extern "C" __global__ void look(int* x) { x[threadIdx.x] = table[threadIdx.x]; }
extern "C" __global__ void place(unsigned* out) {
    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + t] += 1 + t + 1000 * block;
}
"#;

#[test]
fn streams_and_events_order_work() {
    let b = bench();
    let f = b.kernel(STEPS, "affine");
    let other = b.context.new_stream().unwrap();
    let mut x = b.stream.clone_htod(&[1, 2, 3]).unwrap();
    let flags = Some(cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT);
    let (start, end) = (b.context.new_event(flags).unwrap(), b.context.new_event(flags).unwrap());
    start.record(&b.stream).unwrap();
    // SAFETY: the arguments are those of the kernel.
    unsafe {
        b.stream
            .launch_builder(&f)
            .arg(&mut x)
            .arg(&10)
            .arg(&1)
            .launch(grid(1, 3))
    }
    .unwrap();
    end.record(&b.stream).unwrap();
    other.wait(&end).unwrap();
    // SAFETY: as above.
    unsafe { other.launch_builder(&f).arg(&mut x).arg(&2).arg(&7).launch(grid(1, 3)) }.unwrap();
    assert!(!end.is_complete(), "work runs when somebody waits");
    other.synchronize().unwrap();
    assert!(end.is_complete());
    assert!(start.elapsed_ms(&end).unwrap() >= 0.0);
    assert_eq!(other.clone_dtoh(&x).unwrap(), [29, 49, 69]);
}

#[test]
fn work_that_nothing_orders_has_not_happened() {
    let b = bench();
    let f = b.kernel(STEPS, "affine");
    let other = b.context.new_stream().unwrap();
    let mut x = b.stream.clone_htod(&[1, 2, 3]).unwrap();
    b.stream.synchronize().unwrap();
    // SAFETY: the arguments are those of the kernel.
    unsafe {
        b.stream
            .launch_builder(&f)
            .arg(&mut x)
            .arg(&10)
            .arg(&1)
            .launch(grid(1, 3))
    }
    .unwrap();
    assert_eq!(
        other.clone_dtoh(&x).unwrap(),
        [1, 2, 3],
        "read in another stream, without an event"
    );
    assert_eq!(b.stream.clone_dtoh(&x).unwrap(), [11, 21, 31]);
}

#[test]
fn a_graph_replays() {
    let b = bench();
    let f = b.kernel(STEPS, "affine");
    let mut x = b.stream.clone_htod(&[1, 2, 3]).unwrap();
    b.stream
        .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
        .unwrap();
    for _ in 0..2 {
        // SAFETY: the arguments are those of the kernel.
        unsafe {
            b.stream
                .launch_builder(&f)
                .arg(&mut x)
                .arg(&2)
                .arg(&1)
                .launch(grid(1, 3))
        }
        .unwrap();
    }
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    let graph = b.stream.end_capture(flags).unwrap().unwrap();
    assert_eq!(
        b.stream.clone_dtoh(&x).unwrap(),
        [1, 2, 3],
        "captured work does not run"
    );
    for _ in 0..3 {
        graph.launch().unwrap();
    }
    let expected: Vec<i32> = [1, 2, 3].iter().map(|&v| (0..6).fold(v, |v, _| 2 * v + 1)).collect();
    assert_eq!(b.stream.clone_dtoh(&x).unwrap(), expected);
    drop(graph);
    assert_eq!((b.control.live("graph"), b.control.live("executable")), (0, 0));
}

#[test]
fn three_axes() {
    let b = bench();
    let f = b.kernel(STEPS, "place");
    let mut out = b.stream.alloc_zeros::<u32>(24 * 30).unwrap();
    let config = LaunchConfig {
        grid_dim: (2, 3, 4),
        block_dim: (5, 3, 2),
        shared_mem_bytes: 0,
    };
    // SAFETY: the arguments are those of the kernel.
    unsafe { b.stream.launch_builder(&f).arg(&mut out).launch(config) }.unwrap();
    let expected: Vec<u32> = (0..24 * 30).map(|k| 1 + k % 30 + 1000 * (k / 30)).collect();
    assert_eq!(b.stream.clone_dtoh(&out).unwrap(), expected);
}

#[test]
fn modules_have_globals_of_their_own() {
    let b = bench();
    let (one, two) = (b.module(STEPS), b.module(STEPS));
    let mut global = one.get_global("table", &b.stream).unwrap();
    assert_eq!(global.len(), 12);
    let bytes: Vec<u8> = [50_i32, 60, 70].iter().flat_map(|v| v.to_le_bytes()).collect();
    b.stream.memcpy_htod(&bytes, &mut global).unwrap();
    for (module, expected) in [(one, [50, 60, 70]), (two, [5, 6, 7])] {
        let mut x = b.stream.alloc_zeros::<i32>(3).unwrap();
        let f = module.load_function("look").unwrap();
        // SAFETY: the arguments are those of the kernel.
        unsafe { b.stream.launch_builder(&f).arg(&mut x).launch(grid(1, 3)) }.unwrap();
        assert_eq!(b.stream.clone_dtoh(&x).unwrap(), expected);
    }
}

#[test]
fn ptx_is_compiled_when_loaded() {
    let b = bench();
    let ptx = compile_ptx(SAXPY).unwrap();
    let module = b.context.load_module(ptx).unwrap();
    assert!(module.load_function("saxpy").is_ok());
    assert_eq!(
        common::code(module.load_function("nothing")),
        CUresult::CUDA_ERROR_NOT_FOUND
    );
}

#[test]
fn errors_of_a_text_come_as_from_nvrtc() {
    let (result, log) = cubin(
        "#line 12 \"src/a.rs\"\nextern \"C\" __global__ void f(float* x) { *x = y; }",
        &[],
    )
    .unwrap_err();
    assert_eq!(result, cudarc::nvrtc::sys::nvrtcResult::NVRTC_ERROR_COMPILATION);
    assert!(
        log.starts_with("src/a.rs(12): error: ") && log.contains("1 error detected in the compilation of \"test.cu\""),
        "{log}"
    );
    let (result, log) = cubin(SAXPY, &["--wrong"]).unwrap_err();
    assert_eq!(result, cudarc::nvrtc::sys::nvrtcResult::NVRTC_ERROR_INVALID_OPTION);
    assert!(log.contains("--wrong"), "{log}");
}

#[test]
fn many_threads_at_once() {
    let b = bench();
    let text = BLOCK_SUM
        .replace("partial(", "part(")
        .replace("values[256]", "values[257]");
    std::thread::scope(|scope| {
        for t in 0..8_u32 {
            let (text, b) = (&text, &b);
            scope.spawn(move || {
                b.context.bind_to_thread().unwrap();
                let stream = b.context.new_stream().unwrap();
                let f = b.kernel(text, "part");
                for round in 0..20 {
                    let n = 1000 + 100 * t + round;
                    let x: Vec<f64> = (0..n).map(f64::from).collect();
                    let dx = stream.clone_htod(&x).unwrap();
                    let mut out = stream.alloc_zeros::<f64>(9).unwrap();
                    // SAFETY: the arguments are those of the kernel.
                    unsafe {
                        stream
                            .launch_builder(&f)
                            .arg(&dx)
                            .arg(&n)
                            .arg(&mut out)
                            .launch(grid(9, 64))
                    }
                    .unwrap();
                    let sum: f64 = stream.clone_dtoh(&out).unwrap().iter().sum();
                    assert_eq!(sum, x.iter().sum::<f64>());
                }
            });
        }
    });
    b.context.synchronize().unwrap();
}
