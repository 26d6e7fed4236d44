//! What NVIDIA's compiler makes of CUDA C with one mistake each, and that the interpreter finds it.

use cudarc::driver::result;
use cudarc::driver::sys::CUresult;
use cudarc::nvrtc::Ptx;
use swathe_software_cuda::harness;

use crate::common::{Bench, alloc, bench, cubin, grid, launch};

/// Sums of blocks of 256 threads.
const SUM: &str = r#"extern "C" __global__ void sum(const float* __restrict__ x, float* __restrict__ out, int n) {
    __shared__ float values[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0;
    for (int by = 16; by > 0; by /= 2) v += __shfl_down_sync(0xffffffffu, v, by);
    if (threadIdx.x % 32 == 0) values[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float s = 0;
        for (int k = 0; k < 8; k++) s += values[k];
        out[blockIdx.x] = s;
    }
}"#;

const COUNT: usize = 700;
const BLOCKS: usize = 3;

/// What a text leaves, or why not.
fn run(b: &Bench, text: &str, written: usize, in_place: bool) -> Result<[f32; BLOCKS], String> {
    let image = cubin(text, &["--gpu-architecture=sm_75", "--fmad=true"]).map_err(|why| why.1)?;
    let f = b
        .context
        .load_module(Ptx::from_binary(image))
        .unwrap()
        .load_function("sum")
        .unwrap();
    let (x, out) = (alloc(4 * COUNT), alloc(4 * BLOCKS));
    let items: Vec<f32> = (0..written).map(|k| k as f32).collect();
    // SAFETY: so much memory is there.
    unsafe { result::memcpy_htod_sync(x, &items) }.unwrap();
    let to = if in_place { x } else { out };
    assert_eq!(
        launch(b, &f, grid(BLOCKS as u32, 256), &[x, to, COUNT as u64]),
        CUresult::CUDA_SUCCESS
    );
    let mut sums = [0.0; BLOCKS];
    let ran = b.stream.synchronize();
    let outcome = ran.map_err(|_| b.control.finding()).map(|()| {
        // SAFETY: so much memory is there.
        unsafe { result::memcpy_dtoh_sync(&mut sums, to) }.unwrap();
        sums
    });
    b.control.mend();
    for memory in [x, out] {
        // SAFETY: allocated above, and nothing runs.
        unsafe { result::free_sync(memory) }.unwrap();
    }
    outcome
}

fn expected() -> [f32; BLOCKS] {
    std::array::from_fn(|block| (256 * block..COUNT.min(256 * (block + 1))).map(|k| k as f32).sum())
}

/// Run by the test below.
#[test]
#[ignore = "a part of `mistakes_in_compiled_texts`"]
fn mistakes_as_ptx() {
    let b = bench();
    assert_eq!(run(&b, SUM, COUNT, false), Ok(expected()));
    for (good, bad, why) in [
        ("__syncthreads();", "", "shared memory"),
        ("__syncthreads();", "if (threadIdx.x < 128) __syncthreads();", "thread"),
        (
            "i < n ?",
            "true ?",
            "lies at offset 2800 of an allocation of 2800 bytes",
        ),
        (
            "out[blockIdx.x]",
            "out[blockIdx.x + 1]",
            "lies at offset 12 of an allocation of 12 bytes",
        ),
        ("x[i]", "x[(signed char)i]", "of an allocation of 2800 bytes"),
        ("x[i]", "((const float*)((const char*)x + 2))[i]", "is not aligned"),
        ("out[blockIdx.x] = s", "*(double*)(out + 1) = s", "is not aligned"),
        ("0xffffffffu", "0x0000ffffu", "thread 16 is not in its own mask 0xffff"),
        ("% 32 == 0)", "% 64 == 0)", "which nobody has written"),
    ] {
        assert!(SUM.contains(good), "{good}");
        match run(&b, &SUM.replace(good, bad), COUNT, false) {
            Err(found) => assert!(found.contains(why), "{bad}: {found}"),
            Ok(sums) => panic!("{bad}: {sums:?}"),
        }
    }
    // Only the result tells.
    let up = SUM.replace("__shfl_down_sync", "__shfl_up_sync");
    assert_ne!(run(&b, &up, COUNT, false), Ok(expected()));
    // The memory is wrong, not the text.
    let unwritten = run(&b, SUM, COUNT - 1, false).unwrap_err();
    assert!(unwritten.contains("of which some are not written"), "{unwritten}");
    let in_place = run(&b, SUM, COUNT, true).unwrap_err();
    assert!(in_place.contains("by ld.global.nc"), "{in_place}");
    // NVRTC's own words.
    let refused = run(&b, &SUM.replace("float v", "flaot v"), COUNT, false).unwrap_err();
    assert!(
        refused.contains("test.cu(4): error: identifier \"flaot\" is undefined"),
        "{refused}"
    );
}

#[test]
fn mistakes_in_compiled_texts() {
    harness::as_ptx(&["--exact", "compiled::mistakes_as_ptx", "--ignored", "--nocapture"], 1);
}
