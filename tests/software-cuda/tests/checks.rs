//! What the device checks, as a driver would or better.

mod common;

use std::ffi::c_void;

use common::{Bench, alloc, bench, code, cubin, grid, launch};
use cudarc::driver::sys::{self, CUresult, CUstreamCaptureMode};
use cudarc::driver::{CudaFunction, LaunchConfig, result};
use cudarc::nvrtc::Ptx;

const WRITE: &str = r#"
extern "C" __global__ void put(unsigned char* p, long long at, long long value) { p[at] = (unsigned char)value; }
extern "C" __global__ void get(const unsigned char* p, long long at, unsigned char* out) { *out = p[at]; }
extern "C" __global__ void one(unsigned char* p) { *p = 1; }
"#;

const DEEP: &str = r#"
static __device__ __noinline__ int deep(volatile int* x, int n) {
    volatile int local[64];
    local[n % 64] = n;
    return n == 0 ? x[0] : deep(x, n - 1) + local[n % 64];
}
extern "C" __global__ void recurse(int* x, long long n) { x[1] = deep(x, (int)n); __syncthreads(); }
"#;

const FAULTY: &str = r#"
extern "C" __global__ void hang(int* x) {
    if (threadIdx.x < 7) __syncthreads();
    else x[0] = __shfl_sync(0xffffffffu, (int)threadIdx.x, 0);
}
extern "C" __global__ void check(int* x) { assert(x == nullptr); __syncthreads(); }
extern "C" __global__ void trap(int* x) { if (threadIdx.x == 40) __trap(); __syncthreads(); }
extern "C" __global__ void fresh(unsigned* x) { __shared__ unsigned s[4]; __syncthreads(); x[threadIdx.x] = s[threadIdx.x]; s[threadIdx.x] = 0; }
"#;

fn is_illegal(b: &Bench, finding: &str) {
    assert!(b.is_broken(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
    assert!(b.control.finding().contains(finding), "{}", b.control.finding());
    b.control.mend();
}

fn free(p: sys::CUdeviceptr) -> CUresult {
    // SAFETY: the device checks the address.
    code(unsafe { result::free_sync(p) })
}

fn kernels(b: &Bench) -> (CudaFunction, CudaFunction) {
    let module = b.module(WRITE);
    (
        module.load_function("put").unwrap(),
        module.load_function("get").unwrap(),
    )
}

#[test]
fn fresh_memory_is_no_zero() {
    let b = bench();
    let p = alloc(20);
    let mut data = [0_u32; 5];
    // SAFETY: both sides have 20 bytes.
    unsafe { result::memcpy_dtoh_sync(&mut data, p) }.unwrap();
    assert!(data.iter().all(|&v| f32::from_bits(v).is_nan()), "{data:x?}");
    assert_eq!(free(p), CUresult::CUDA_SUCCESS);
    drop(b);
}

#[test]
fn double_free_and_unknown_pointers() {
    let b = bench();
    let p = alloc(100);
    assert_eq!(free(p + 4), CUresult::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(free(p), CUresult::CUDA_SUCCESS);
    assert_eq!(free(p), CUresult::CUDA_ERROR_INVALID_VALUE);
    assert!(b.control.finding().contains("freed twice"), "{}", b.control.finding());
    assert_eq!(free(0x1234_5678), CUresult::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(free(0), CUresult::CUDA_SUCCESS);
    let stream = b.stream.cu_stream();
    // SAFETY: the device checks the addresses.
    unsafe {
        let p = result::malloc_async(stream, 64).unwrap();
        assert_eq!(code(result::free_async(p, stream)), CUresult::CUDA_SUCCESS);
        assert_eq!(code(result::free_async(p, stream)), CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    assert_eq!(b.control.live("memory"), 1, "freed in the stream's order");
    b.stream.synchronize().unwrap();
    assert_eq!(b.control.live("memory"), 0);
}

#[test]
fn copies_stay_within_an_allocation() {
    let b = bench();
    let p = alloc(100);
    let (mut small, mut large) = ([7_u8; 100], [7_u8; 101]);
    // SAFETY: the device checks the ranges.
    unsafe {
        assert_eq!(code(result::memcpy_htod_sync(p, &small)), CUresult::CUDA_SUCCESS);
        assert_eq!(code(result::memcpy_dtoh_sync(&mut small, p)), CUresult::CUDA_SUCCESS);
        assert_eq!(
            code(result::memcpy_htod_sync(p, &large)),
            CUresult::CUDA_ERROR_INVALID_VALUE
        );
        assert!(
            b.control.finding().contains("end 1 bytes behind an allocation of 100"),
            "{}",
            b.control.finding()
        );
        assert_eq!(
            code(result::memcpy_dtoh_sync(&mut large, p)),
            CUresult::CUDA_ERROR_INVALID_VALUE
        );
        assert_eq!(
            code(result::memcpy_htod_sync(p + 1, &small)),
            CUresult::CUDA_ERROR_INVALID_VALUE
        );
        assert_eq!(
            code(result::memset_d8_sync(p + 50, 0, 51)),
            CUresult::CUDA_ERROR_INVALID_VALUE
        );
        assert_eq!(
            code(result::memcpy_dtod_sync(p, small.as_ptr() as u64, 10)),
            CUresult::CUDA_ERROR_INVALID_VALUE
        );
        assert_eq!(free(p), CUresult::CUDA_SUCCESS);
        assert_eq!(
            code(result::memcpy_htod_sync(p, &small)),
            CUresult::CUDA_ERROR_INVALID_VALUE
        );
        assert!(b.control.finding().contains("freed memory"), "{}", b.control.finding());
    }
}

#[test]
fn kernels_that_leave_their_memory_are_caught() {
    let b = bench();
    let (put, get) = kernels(&b);
    for size in [1_usize, 100, 256, 5000] {
        let (p, out) = (alloc(size), alloc(1));
        let end = size as i64;
        assert_eq!(
            launch(&b, &put, grid(1, 1), &[p, (end - 1) as u64, 3]),
            CUresult::CUDA_SUCCESS
        );
        b.stream.synchronize().unwrap();
        // One byte behind, where the pattern is, or else nothing is mapped.
        assert_eq!(
            launch(&b, &put, grid(1, 1), &[p, end as u64, 3]),
            CUresult::CUDA_SUCCESS
        );
        is_illegal(&b, &format!("at offset {size} of an allocation of {size} bytes"));
        // Reading further.
        assert_eq!(
            launch(&b, &get, grid(1, 1), &[p, (end + 300) as u64, out]),
            CUresult::CUDA_SUCCESS
        );
        is_illegal(&b, &format!("offset {} of an allocation of {size} bytes", size + 300));
        // Before the start.
        assert_eq!(
            launch(&b, &put, grid(1, 1), &[p, -1_i64 as u64, 3]),
            CUresult::CUDA_SUCCESS
        );
        is_illegal(&b, &format!("offset -1 of an allocation of {size} bytes"));
        assert_eq!((free(p), free(out)), (CUresult::CUDA_SUCCESS, CUresult::CUDA_SUCCESS));
    }
}

#[test]
fn kernels_that_use_freed_host_or_no_memory_are_caught() {
    let b = bench();
    let (put, _) = kernels(&b);
    let p = alloc(100);
    assert_eq!(free(p), CUresult::CUDA_SUCCESS);
    assert_eq!(launch(&b, &put, grid(1, 1), &[p, 5, 3]), CUresult::CUDA_SUCCESS);
    is_illegal(&b, "offset 5 of freed memory of 100 bytes");
    assert_eq!(launch(&b, &put, grid(1, 1), &[0, 0, 3]), CUresult::CUDA_SUCCESS);
    is_illegal(&b, "no device memory");
    let host = Box::new([0_u8; 16]);
    assert_eq!(
        launch(&b, &put, grid(1, 1), &[host.as_ptr() as u64, 0, 3]),
        CUresult::CUDA_SUCCESS
    );
    is_illegal(&b, "argument 0");
    assert_eq!(host[0], 0);
    // From many blocks, on all threads that run them.
    for _ in 0..20 {
        let p = alloc(100);
        assert_eq!(launch(&b, &put, grid(64, 64), &[p, 70_000, 3]), CUresult::CUDA_SUCCESS);
        assert!(b.is_broken(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
        b.control.mend();
        assert_eq!(free(p), CUresult::CUDA_SUCCESS);
    }
    // And all works again.
    let p = alloc(100);
    assert_eq!(launch(&b, &put, grid(40, 64), &[p, 5, 3]), CUresult::CUDA_SUCCESS);
    b.stream.synchronize().unwrap();
    assert_eq!(free(p), CUresult::CUDA_SUCCESS);
}

#[test]
fn errors_of_kernels_stay() {
    let b = bench();
    let module = b.module(FAULTY);
    let p = alloc(64);
    for (name, expected, finding) in [
        (
            "hang",
            CUresult::CUDA_ERROR_LAUNCH_FAILED,
            "wait for each other for ever: 7 of 32",
        ),
        ("check", CUresult::CUDA_ERROR_ASSERT, "assertion failed: x == nullptr"),
        ("trap", CUresult::CUDA_ERROR_LAUNCH_FAILED, "__trap()"),
    ] {
        let f = module.load_function(name).unwrap();
        assert_eq!(launch(&b, &f, grid(3, 64), &[p]), CUresult::CUDA_SUCCESS, "{name}");
        assert!(b.is_broken(expected), "{name}");
        assert!(b.control.finding().contains(finding), "{}", b.control.finding());
        assert_eq!(launch(&b, &f, grid(1, 1), &[p]), expected, "{name}");
        assert_eq!(free(p), expected, "{name}");
        b.control.mend();
    }
    let fresh = module.load_function("fresh").unwrap();
    assert_eq!(launch(&b, &fresh, grid(1, 4), &[p]), CUresult::CUDA_SUCCESS);
    let mut data = [0_u32; 4];
    b.stream.synchronize().unwrap();
    // SAFETY: both sides have 16 bytes.
    unsafe { result::memcpy_dtoh_sync(&mut data, p) }.unwrap();
    assert!(
        data.iter().all(|&v| f32::from_bits(v).is_nan()),
        "shared memory {data:x?}"
    );
    assert_eq!(free(p), CUresult::CUDA_SUCCESS);
}

#[test]
fn stacks_end() {
    let b = bench();
    let f = b.kernel(DEEP, "recurse");
    let p = alloc(8);
    assert_eq!(launch(&b, &f, grid(1, 64), &[p, 100]), CUresult::CUDA_SUCCESS);
    b.stream.synchronize().unwrap();
    assert_eq!(launch(&b, &f, grid(1, 64), &[p, 1_000_000]), CUresult::CUDA_SUCCESS);
    assert!(b.is_broken(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
    b.control.mend();
    assert_eq!(free(p), CUresult::CUDA_SUCCESS);
}

#[test]
fn launches_have_limits() {
    let b = bench();
    let text = "extern \"C\" __global__ void __launch_bounds__(64) f(int* x) {}\n";
    let f = b.kernel(text, "f");
    let config = |g: (u32, u32, u32), t: (u32, u32, u32), s| LaunchConfig {
        grid_dim: g,
        block_dim: t,
        shared_mem_bytes: s,
    };
    let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
    for (c, expected) in [
        (config((1, 1, 1), (64, 1, 1), 0), CUresult::CUDA_SUCCESS),
        (
            config((1, 1, 1), (65, 1, 1), 0),
            CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
        ),
        (config((1, 1, 1), (1025, 1, 1), 0), invalid),
        (config((1, 1, 1), (33, 32, 1), 0), invalid),
        (config((1, 1, 1), (1, 1, 65), 0), invalid),
        (config((0, 1, 1), (1, 1, 1), 0), invalid),
        (config((1, 65536, 1), (1, 1, 1), 0), invalid),
        (config((1 << 31, 1, 1), (1, 1, 1), 0), invalid),
        (config((1, 1, 1), (1, 1, 1), 49 << 10), invalid),
    ] {
        assert_eq!(launch(&b, &f, c, &[0]), expected, "{c:?}");
    }
    assert_eq!(f.max_threads_per_block().unwrap(), 64);
    // SAFETY: the device checks the arguments.
    unsafe {
        let raw = |extra: *mut *mut c_void, params: *mut *mut c_void| {
            sys::cuLaunchKernel(
                f.cu_function(),
                1,
                1,
                1,
                1,
                1,
                1,
                0,
                b.stream.cu_stream(),
                params,
                extra,
            )
        };
        let null = std::ptr::null_mut();
        assert_eq!(raw(null, null), invalid, "no arguments");
        assert_eq!(
            raw(null, [std::ptr::null_mut()].as_mut_ptr()),
            invalid,
            "a null argument"
        );
        let mut buffer = [0_u64; 2];
        for (mut size, expected) in [(8_usize, CUresult::CUDA_SUCCESS), (16, invalid), (4, invalid)] {
            let (pointer, bytes): (*mut c_void, *mut c_void) = (buffer.as_mut_ptr().cast(), (&raw mut size).cast());
            let mut extra = [
                std::ptr::without_provenance_mut(1),
                pointer,
                std::ptr::without_provenance_mut(2),
                bytes,
                null.cast(),
            ];
            assert_eq!(raw(extra.as_mut_ptr(), null), expected, "{size} bytes");
        }
    }
}

#[test]
fn captures_refuse_what_they_cannot_hold() {
    let b = bench();
    let stream = &b.stream;
    let begin = || {
        stream
            .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL)
            .unwrap()
    };
    let raw = stream.cu_stream();
    // SAFETY: the handles are valid.
    let end = || unsafe { code(result::stream::end_capture(raw)) };
    let unsupported = CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    let invalidated = CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    begin();
    assert_eq!(code(stream.synchronize()), unsupported);
    assert_eq!(end(), invalidated);
    begin();
    // SAFETY: a context is current.
    assert_eq!(code(unsafe { result::malloc_sync(4) }), unsupported);
    assert_eq!(end(), invalidated);
    begin();
    assert_eq!(code(b.context.synchronize()), unsupported);
    assert_eq!(end(), invalidated);
    begin();
    let other = b.context.new_stream().unwrap();
    other.join(stream).unwrap();
    assert_eq!(end(), CUresult::CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    begin();
    other.join(stream).unwrap();
    stream.join(&other).unwrap();
    // SAFETY: the handle is valid, and the graph is not used after.
    unsafe { result::graph::destroy(result::stream::end_capture(raw).unwrap()) }.unwrap();
    assert_eq!(end(), CUresult::CUDA_ERROR_ILLEGAL_STATE);
    let refused = b
        .context
        .default_stream()
        .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED);
    assert_eq!(code(refused), unsupported);
}

#[test]
fn contexts_and_handles_are_checked() {
    let b = bench();
    let text = "extern \"C\" __global__ void f(int* x) {}\n";
    let f = b.kernel(text, "f");
    // SAFETY: the device checks handles and contexts.
    unsafe {
        assert_eq!(
            code(result::stream::synchronize(0x77 as _)),
            CUresult::CUDA_ERROR_INVALID_HANDLE
        );
        let mut other = std::ptr::null_mut();
        assert_eq!(
            sys::cuCtxCreate_v4(&raw mut other, std::ptr::null_mut(), 0, 0),
            CUresult::CUDA_SUCCESS
        );
        let mut stream = std::ptr::null_mut();
        assert_eq!(sys::cuStreamCreate(&raw mut stream, 0), CUresult::CUDA_SUCCESS);
        let mut p: u64 = 0;
        let mut args: [*mut c_void; 1] = [(&raw mut p).cast()];
        let wrong = result::launch_kernel(f.cu_function(), (1, 1, 1), (1, 1, 1), 0, stream, &mut args);
        assert_eq!(
            code(wrong),
            CUresult::CUDA_ERROR_INVALID_HANDLE,
            "a stream of another context"
        );
        assert_eq!(sys::cuCtxDestroy_v2(other), CUresult::CUDA_SUCCESS);
        assert_eq!(
            code(result::stream::synchronize(stream)),
            CUresult::CUDA_ERROR_INVALID_HANDLE,
            "it went with its context"
        );
        result::ctx::set_current(std::ptr::null_mut()).unwrap();
        assert_eq!(code(result::malloc_sync(4)), CUresult::CUDA_ERROR_INVALID_CONTEXT);
    }
}

#[test]
fn memory_ends() {
    let b = bench();
    // SAFETY: a context is current.
    unsafe {
        assert_eq!(code(result::malloc_sync(5 << 30)), CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        assert_eq!(code(result::malloc_sync(0)), CUresult::CUDA_ERROR_INVALID_VALUE);
        // What waits to be freed comes back first.
        let stream = b.stream.cu_stream();
        let p = result::malloc_async(stream, 3 << 30).unwrap();
        result::free_async(p, stream).unwrap();
        let q = result::malloc_async(stream, 3 << 30).unwrap();
        result::free_async(q, stream).unwrap();
    }
    b.stream.synchronize().unwrap();
    assert_eq!(result::mem_get_info().unwrap(), (4 << 30, 4 << 30));
}

#[test]
fn images_are_checked() {
    let b = bench();
    let good = cubin(WRITE, &["--gpu-architecture=sm_90"]).unwrap();
    let old = cubin(WRITE, &["--gpu-architecture=sm_80"]).unwrap();
    let load = |image: Vec<u8>| code(b.context.load_module(Ptx::from_binary(image)));
    assert_eq!(load(old), CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU);
    assert_eq!(
        load(good[..good.len() / 2].to_vec()),
        CUresult::CUDA_ERROR_INVALID_IMAGE
    );
    let mut bad = good.clone();
    bad[5000] ^= 1;
    assert_eq!(load(bad), CUresult::CUDA_ERROR_INVALID_IMAGE);
    assert_eq!(load(good), CUresult::CUDA_SUCCESS);
    assert_eq!(
        cubin(WRITE, &["--gpu-architecture=compute_90"]).unwrap(),
        [],
        "no cubin for a virtual architecture"
    );
}

#[test]
fn leaks_can_be_asked_for() {
    let b = bench();
    let (memory, bytes) = (b.control.live("memory"), b.control.live("bytes"));
    let p = alloc(1000);
    assert_eq!(
        (b.control.live("memory"), b.control.live("bytes")),
        (memory + 1, bytes + 1000)
    );
    assert_eq!((b.control.live("stream"), b.control.live("context")), (1, 1));
    assert_eq!(free(p), CUresult::CUDA_SUCCESS);
    assert_eq!(b.control.live("memory"), memory);
}
