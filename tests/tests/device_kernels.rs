//! The runtime's own kernels make the random numbers that kernels of users make, and their machine code is held against that of
//! CUDA C which is written by hand for the same: `--nocapture` shows both.

use swathe::random::Rng;
use swathe_device_kernels::plan::{self, Scalar};
use swathe_device_kernels::ptx;
use swathe_nvidia_tools::nvdisasm::{Code, Nvdisasm};
use swathe_nvidia_tools::nvrtc::Nvrtc;
use swathe_nvidia_tools::ptxas::Ptxas;

fn filled<T: Copy>(zero: T, plan: impl Fn(u64) -> Vec<swathe_device_kernels::Launch>) -> Vec<T> {
    let mut numbers = vec![zero; 1000];
    for launch in plan(numbers.as_mut_ptr().expose_provenance() as u64) {
        // SAFETY: the memory is this test's, and as large as the plans say.
        unsafe { launch.run_on_host() };
    }
    numbers
}

#[test]
fn random_numbers_are_those_of_the_generator() {
    for (seed, first) in [
        (0, 0),
        (42, 17),
        (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210),
        (u64::MAX, u64::MAX - 3),
    ] {
        let streams = || (0..1000).map(|k| Rng::new(seed, u64::wrapping_add(first, k)));
        let words = filled(0_u32, |to| plan::random(Scalar::U32, to, 1000, seed, first));
        assert!(words.into_iter().eq(streams().map(|mut rng| rng.next_u32())));
        let words = filled(0_u64, |to| plan::random(Scalar::U64, to, 1000, seed, first));
        assert!(words.into_iter().eq(streams().map(|mut rng| rng.next_u64())));
        let floats = filled(0_f32, |to| {
            plan::uniform(Scalar::F32, to, 1000, (seed, first), (-3.0, 5.5))
        });
        assert!(floats.into_iter().eq(streams().map(|mut rng| rng.range_f32(-3.0, 5.5))));
        let floats = filled(0_f64, |to| {
            plan::uniform(Scalar::F64, to, 1000, (seed, first), (0.0, 1.0))
        });
        assert!(floats.into_iter().eq(streams().map(|mut rng| rng.next_f64())));
    }
}

/// Grid-striding loops with 32-bit positions, 16 bytes at once where that can be; a transposition through shared memory,
/// a sum of four chains.
const BY_HAND: &str = r#"
extern "C" __global__ void fill(float4* __restrict__ to, unsigned n, float x) {
    const float4 v = make_float4(x, x, x, x);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = v;
}
extern "C" __global__ void copy(const float4* __restrict__ from, float4* __restrict__ to, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = from[i];
}
extern "C" __global__ void transpose(const float* __restrict__ from, float* __restrict__ to, int rows, int columns) {
    __shared__ float tile[32][33];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    const int across = (columns + 31) / 32, tiles = across * ((rows + 31) / 32);
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        const int row = t / across * 32, column = t % across * 32;
        #pragma unroll 1
        for (int k = y; k < 32; k += 8)
            if (row + k < rows && column + x < columns) tile[k][x] = from[(long long)(row + k) * columns + column + x];
        __syncthreads();
        #pragma unroll 1
        for (int k = y; k < 32; k += 8)
            if (column + k < columns && row + x < rows) to[(long long)(column + k) * rows + row + x] = tile[x][k];
        __syncthreads();
    }
}
extern "C" __global__ void sum(const float* __restrict__ from, float* __restrict__ to, long long n) {
    __shared__ float all[256];
    float a = 0, b = 0, c = 0, d = 0;
    const long long step = (long long)gridDim.x * blockDim.x;
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 3 * step < n; i += 4 * step) {
        a += from[i]; b += from[i + step]; c += from[i + 2 * step]; d += from[i + 3 * step];
    }
    #pragma unroll 1
    for (; i < n; i += step) a += from[i];
    all[threadIdx.x] = a + b + (c + d);
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) all[threadIdx.x] += all[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) to[blockIdx.x] = all[0];
}
"#;

/// How often an instruction is in a loop.
fn occurs(body: &[String], opcode: &str) -> usize {
    let is = |text: &&String| text.split(' ').any(|word| word.starts_with(opcode));
    body.iter().filter(is).count()
}

/// The loops with this instruction, the shortest first.
fn loops<'a>(code: &'a Code, opcode: &str) -> Vec<&'a [String]> {
    let mut loops: Vec<&[String]> = code
        .loops()
        .into_iter()
        .filter(|body| occurs(body, opcode) > 0)
        .collect();
    loops.sort_by_key(|body| body.len());
    loops
}

/// Instructions of the cheapest loop for each of these.
fn cost(code: &Code, opcode: &str) -> f64 {
    let of = |body: &[String]| body.len() as f64 / occurs(body, opcode) as f64;
    let costs = loops(code, opcode).into_iter().map(of);
    costs
        .min_by(f64::total_cmp)
        .unwrap_or_else(|| panic!("no loop with {opcode}"))
}

/// An element goes into the tile in one loop, and out of it in another. What is done once for a tile is not counted.
fn transposed(code: &Code) -> f64 {
    (loops(code, "LDG")[0].len() + loops(code, "STG")[0].len()) as f64
}

/// The text of one entry.
fn alone(family: &str, entry: &str) -> String {
    let text = ptx::text(family);
    let (head, _) = text.split_once(".visible").expect("entries");
    let (_, rest) = text.split_once(&format!(".visible .entry {entry}(")).expect(entry);
    let body = rest.split(".visible").next().unwrap_or(rest);
    format!("{head}.visible .entry {entry}({body}")
}

#[test]
fn machine_code_beside_cuda_c_by_hand() {
    let (Some(nvrtc), Some(ptxas), Some(nvdisasm)) = (Nvrtc::get(), Ptxas::get(), Nvdisasm::get()) else {
        return;
    };
    type Cost = fn(&Code) -> f64;
    let rows: [(&str, [&str; 3], Cost, f64); 4] = [
        (
            "fill, 16 bytes",
            ["fill", "fill_16", "fill"],
            |code| cost(code, "STG"),
            1.3,
        ),
        (
            "copy, 16 bytes",
            ["copy", "copy_16", "copy"],
            |code| cost(code, "LDG"),
            1.4,
        ),
        (
            "transposition, f32",
            ["transpose", "transpose_4", "transpose"],
            transposed,
            1.3,
        ),
        ("sum, f32", ["reduce", "sum_f32", "sum"], |code| cost(code, "LDG"), 1.4),
    ];
    for arch in ["sm_75", "sm_90"] {
        let by_hand = nvrtc.compile(BY_HAND, arch, &[]);
        let by_hand = nvdisasm.code(&by_hand.cubin.unwrap_or_else(|e| panic!("{e}: {}", by_hand.log)));
        for (what, [family, entry, other], of, most) in rows {
            let code = nvdisasm.code(&ptxas.cubin(&alone(family, entry), arch).unwrap());
            let (ours, hand) = (of(&code[entry]), of(&by_hand[other]));
            println!("{arch} {what:20} {ours:6.2} instructions for an element, by hand {hand:6.2}");
            assert!(
                ours <= hand * most,
                "{what} on {arch}: {ours} instructions, by hand {hand}"
            );
        }
    }
}
