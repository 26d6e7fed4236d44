//! Kernels in PTX, and what becomes of them.

mod faults;
mod limits;
mod mutations;
mod orders;
mod races;
mod semantics;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use crate::{Error, Grid, Launch, Module, Region, Regions};

/// Registers of all kinds.
const REGISTERS: &str =
    ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>; .reg .b64 %d<19>; .reg .f32 %f<9>; .reg .f64 %g<9>;";

/// An entry that gets an address in `%d0`, with what stands in front of it.
fn entry(before: &str, body: &str) -> String {
    format!(
        ".version 8.5\n.target sm_75\n.address_size 64\n{before}\n.visible .entry e(\n.param .u64 e_param_0\n)\n{{\n{REGISTERS}\n\
        ld.param.u64 %d0, [e_param_0];\ncvta.to.global.u64 %d0, %d0;\n{body}\nret;\n}}\n"
    )
}

/// Runs the entry of a text on words.
fn run_text(text: &str, grid: Grid, words: &mut [u64]) -> Result<(), String> {
    run_in_order(text, grid, words, None)
}

/// As [`run_text`], in an order that a seed chooses.
fn run_in_order(text: &str, grid: Grid, words: &mut [u64], seed: Option<u64>) -> Result<(), String> {
    run_recorded(text, grid, words, seed).map(drop)
}

/// As [`run_in_order`]; the instructions that ran.
fn run_recorded(text: &str, grid: Grid, words: &mut [u64], seed: Option<u64>) -> Result<BTreeSet<String>, String> {
    let module = Module::parse(text)?;
    let address = words.as_mut_ptr().expose_provenance() as u64;
    let regions: Regions = [Region {
        start: address,
        bytes: size_of_val(words) as u64,
        writable: true,
    }]
    .into_iter()
    .collect();
    let argument = address.to_le_bytes();
    let mut launch: Launch<'_> = module.launch("e", grid, &[&argument], &regions)?;
    if let Some(seed) = seed {
        launch.choose_order(seed);
    }
    // SAFETY: the region is memory that nobody else uses.
    let ran: Result<u64, Error> = unsafe { launch.run() };
    ran.map_err(|why| why.text)?;
    let code = module.functions.iter().flat_map(|function| &function.code);
    let ran = code.filter(|instruction| instruction.ran.load(Ordering::Relaxed));
    Ok(ran.map(|instruction| instruction.opcode.clone()).collect())
}

/// Runs a body with one block of threads.
fn run(body: &str, threads: u32, words: &mut [u64]) -> Result<(), String> {
    run_text(&entry("", body), Grid::line(1, threads, 0), words)
}
