//! The machine code of kernels beside that of CUDA C which is written by hand for the same, by the same compiler.
//!
//! `--nocapture` shows registers and instructions for each element.

use swathe::prelude::*;
use swathe_tests::nvrtc::Nvrtc;
use swathe_tests::ptxas::{self, Ptxas};
use swathe_tests::sass::{self, Code, Nvdisasm};

const ARCHITECTURES: [&str; 2] = ["sm_75", "sm_90"];

#[kernel]
fn saxpy(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

const SAXPY: &str = r#"
extern "C" __global__ void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}
"#;

#[kernel]
fn stencil(u: &Field<f32, 2>, out: &mut Field<f32, 2>, c: f32) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            let around = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
            out[[i, j]] = u[[i, j]] + c * (around - 4.0 * u[[i, j]]);
        }
    }
}

/// The same by a function that reads the field, as far as its text lets code generation see that it is in bounds.
#[func]
fn laplace(u: &Field<f32, 2>, i: usize, j: usize) -> f32 {
    u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - 4.0 * u[[i, j]]
}

#[kernel]
fn by_function(u: &Field<f32, 2>, out: &mut Field<f32, 2>, c: f32) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            out[[i, j]] = u[[i, j]] + c * laplace(u, i, j);
        }
    }
}

/// Each field has its own shape, as in the kernel.
const STENCIL: &str = r#"
extern "C" __global__ void stencil(const float* __restrict__ u, int h, int w, float* __restrict__ out, int rows,
    int columns, float c) {
    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < rows; i += gridDim.y * blockDim.y)
        for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < columns; j += gridDim.x * blockDim.x)
            if (i > 0 && j > 0 && i < h - 1 && j < w - 1) {
                const float around = u[(i - 1) * w + j] + u[(i + 1) * w + j] + u[i * w + j - 1] + u[i * w + j + 1];
                out[i * columns + j] = u[i * w + j] + c * (around - 4.0f * u[i * w + j]);
            }
}
"#;

#[kernel]
fn nbody(bodies: &Field<Vec4>, acceleration: &mut Field<Vec4>, softening: f32) {
    for i in acceleration.indices() {
        let p = bodies[i];
        let mut ax = 0.0;
        let mut ay = 0.0;
        let mut az = 0.0;
        for j in 0..bodies.len() {
            let q = bodies[j];
            let x = q.x - p.x;
            let y = q.y - p.y;
            let z = q.z - p.z;
            let r = (x * x + y * y + z * z + softening).sqrt();
            let s = q.w / (r * r * r);
            ax += s * x;
            ay += s * y;
            az += s * z;
        }
        acceleration[i] = Vec4::new(ax, ay, az, 0.0);
    }
}

const NBODY: &str = r#"
extern "C" __global__ void nbody(const float4* __restrict__ bodies, int n, float4* __restrict__ acceleration, int count,
    float softening) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float4 p = bodies[i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (int j = 0; j < n; ++j) {
            const float4 q = bodies[j];
            const float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
            const float r = sqrtf(x * x + y * y + z * z + softening);
            const float s = q.w / (r * r * r);
            ax += s * x;
            ay += s * y;
            az += s * z;
        }
        acceleration[i] = make_float4(ax, ay, az, 0.0f);
    }
}
"#;

/// Machine code and what it needs of a thread.
struct Built {
    ptx: String,
    code: Option<Code>,
    registers: u64,
}

fn built(name: &str, text: &str, arch: &str) -> Option<Built> {
    let compiled = Nvrtc::get()?.compile(text, arch, &[]);
    let cubin = compiled
        .cubin
        .unwrap_or_else(|e| panic!("{e}: {}\n{text}", compiled.log));
    let registers = Ptxas::get().map(|ptxas| {
        let usage = ptxas.usage(&compiled.ptx, arch).unwrap();
        assert_eq!(usage.len(), 1, "{name}: one launch");
        assert_eq!(
            usage[0].stack + usage[0].spill_stores,
            0,
            "{name} on {arch} keeps values in local memory"
        );
        usage[0].registers
    });
    Some(Built {
        ptx: compiled.ptx,
        code: Nvdisasm::get().map(|nvdisasm| nvdisasm.code(&cubin).remove(name).expect(name)),
        registers: registers.unwrap_or(0),
    })
}

/// Instructions of the shortest loop with all of these opcodes, for each time that the first of them occurs.
fn each(code: &Code, opcodes: &[&str]) -> (f64, Vec<String>) {
    let has = |text: &String, opcode: &str| text.split(' ').any(|word| word.starts_with(opcode));
    let loops = code.loops();
    let costs = loops
        .iter()
        .filter(|body| opcodes.iter().all(|opcode| body.iter().any(|text| has(text, opcode))))
        .map(|body| {
            let elements = body.iter().filter(|text| has(text, opcodes[0])).count();
            (body.len() as f64 / elements as f64, body.to_vec())
        });
    costs
        .min_by(|(a, _), (b, _)| a.total_cmp(b))
        .unwrap_or_else(|| panic!("no loop with {opcodes:?} in\n{}", code.instructions.join("\n")))
}

/// Compares a kernel with what is written by hand.
fn compare(name: &str, text: swathe::Result<String>, by_hand: &str, opcodes: &[&str], loads: &str) {
    let text = text.unwrap();
    for arch in ARCHITECTURES {
        let (Some(ours), Some(theirs)) = (built(name, &text, arch), built(name, by_hand, arch)) else {
            return;
        };
        assert!(ours.ptx.contains(loads), "{name}: {loads}\n{}", ours.ptx);
        assert!(
            !ours.ptx.contains("mul.lo.s64") && !ours.ptx.contains("mad.lo.s64"),
            "{}",
            ours.ptx
        );
        assert!(!ours.ptx.contains(".local"), "{}", ours.ptx);
        assert!(ours.ptx.contains("fma.rn.f32"), "{}", ours.ptx);
        let (Some(our_code), Some(their_code)) = (&ours.code, &theirs.code) else {
            return;
        };
        let (mine, body) = each(our_code, opcodes);
        let (hand, other) = each(their_code, opcodes);
        println!(
            "{arch} {name:8} swathe {:3} registers {mine:6.2} instructions, by hand {:3} registers {hand:6.2} instructions",
            ours.registers, theirs.registers
        );
        assert!(
            mine <= hand * 1.06,
            "{name} on {arch}: {mine} instructions for an element, by hand {hand}\n{}\n\nby hand\n{}",
            body.join("\n"),
            other.join("\n")
        );
    }
}

#[test]
fn saxpy_is_as_by_hand() {
    compare(
        "saxpy",
        saxpy::cuda_source(),
        SAXPY,
        &["STG", "LDG", "FFMA"],
        "ld.global.nc.f32",
    );
}

#[test]
fn stencil_is_as_by_hand() {
    compare(
        "stencil",
        stencil::cuda_source(),
        STENCIL,
        &["STG", "LDG", "FFMA"],
        "ld.global.nc.f32",
    );
}

#[test]
fn a_function_that_reads_a_field_is_as_by_hand() {
    compare(
        "by_function",
        by_function::cuda_source(),
        &STENCIL.replace("void stencil", "void by_function"),
        &["STG", "LDG", "FFMA"],
        "ld.global.nc.f32",
    );
}

#[test]
fn nbody_is_as_by_hand() {
    compare(
        "nbody",
        nbody::cuda_source(),
        NBODY,
        &["MUFU.RSQ", "LDG", "FFMA"],
        "ld.global.nc.v4.f32",
    );
}

/// What the tests read with.
#[test]
fn reports_and_listings_are_read() {
    ptxas::a_report_is_read();
    sass::loops_are_found();
    sass::a_round_leaves_out_calls();
}
