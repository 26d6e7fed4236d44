//! The examples' simulations: what they must conserve, plain programs beside them, the CPU and CUDA side by side, and what
//! NVIDIA's compiler makes of their kernels.
//!
//! Each example's physics is compiled here once, in the module with its tests. Tests that run on a CUDA device, which is the
//! software device or with `SWATHE_TEST_GPU` a GPU, have names that end in `on_both_devices`.

#![allow(missing_docs, dead_code)]

#[path = "../devices/mod.rs"]
mod devices;

mod beam;
mod boids;
mod dam_break;
mod drape;
mod fit;
mod fluid;
mod gray_scott;
mod ising;
mod julia;
mod lenia;
mod lens;
mod mpm88;
mod multigrid;
mod nbody;
mod path_tracer;
mod plasma;
mod registers;
mod vortex_street;
mod walker;
mod wave;

use std::fmt::Debug;

use swathe::Device;
use swathe_software_cuda::harness;

/// For tests on one device: with `SWATHE_TEST_GPU` a GPU, else the CPU, also where the software device is there.
fn device() -> Device {
    match std::env::var_os("SWATHE_TEST_GPU") {
        Some(_) => Device::default(),
        None => Device::cpu(),
    }
}

/// A number from 0 to 1 that looks random.
fn noise(k: usize) -> f32 {
    ((k as f64 * 78.233).sin() * 43758.5453).fract().abs() as f32
}

/// Asserts that a frame is the same on both, within `tolerance`: CUDA contracts `a * b + c`, and the CPU does not.
fn same<T: Debug>(what: &str, [cpu, cuda]: [&[T]; 2], parts: impl Fn(&T) -> Vec<f32>, tolerance: f32) {
    assert_eq!(cpu.len(), cuda.len());
    let mut different = 0;
    for (a, b) in cpu.iter().zip(cuda) {
        for (a, b) in parts(a).into_iter().zip(parts(b)) {
            assert!(a.is_finite(), "{what}: {a}");
            different += usize::from((a - b).abs() > tolerance * a.abs().max(1.0));
        }
    }
    assert_eq!(different, 0, "{what}: numbers that differ");
}

/// What NVIDIA's compiler makes of the kernels, in an interpreter.
#[test]
fn all_as_ptx() {
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::as_ptx(&["on_both_devices"], 19);
    }
}
