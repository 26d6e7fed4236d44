//! Kernels that swathe needs before, or without, a compiler for the device: fill, strided copy, transposition, change of
//! layout, casts, reductions, prefix sums, matrix products, gather and scatter, random numbers, sequences, comparisons.
//!
//! Each kernel is one Rust function, generic over the element and over the [`Grid`](grid::Grid) that runs it. rustc compiles it
//! twice: for `nvptx64-nvidia-cuda`, where a thread is a GPU's thread, and for the host, where a loop runs the threads of
//! a block one after the other. `cargo xtask ptx` writes the PTX to `ptx/`, one file for each family of kernels, and
//! [`ptx::text`] has it.
//!
//! [`plan`] says which entries to launch for a task, with which arguments and how many threads. A [`Launch`] runs on a
//! device through its driver, or on the host by [`Launch::run_on_host`]: same arguments, same bits.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(abi_ptx, stdarch_nvptx, asm_experimental_arch, core_intrinsics)
)]
#![cfg_attr(target_arch = "nvptx64", allow(internal_features))]

mod entry;
pub mod grid;
mod half;
mod kernels;
#[cfg(not(target_arch = "nvptx64"))]
pub mod launch;
mod number;
#[cfg(not(target_arch = "nvptx64"))]
pub mod plan;
#[cfg(not(target_arch = "nvptx64"))]
pub mod ptx;
mod word;

#[cfg(not(target_arch = "nvptx64"))]
pub use launch::{Entry, Launch};
