//! What a check of bounds that stays in the kernel costs on a GPU: instructions of the inner loop beside the same kernel with `get_unchecked`.
//!
//! `--nocapture` shows them.

use swathe::prelude::*;
use swathe_tests::nvrtc::Nvrtc;
use swathe_tests::sass::{Code, Nvdisasm};

#[kernel]
fn gather(at: &Field<u32>, x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = x[at[i] as usize];
    }
}

#[kernel]
fn gather_unchecked(at: &Field<u32>, x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        // SAFETY: as the caller's data says.
        out[i] = unsafe { *x.get_unchecked(at[i] as usize) };
    }
}

#[kernel]
fn look_up(at: &Field<UVec2>, x: &Field<f32, 2>, out: &mut Field<f32>) {
    for i in out.indices() {
        let p = at[i];
        out[i] = x[[p.x as usize, p.y as usize]];
    }
}

#[kernel]
fn look_up_unchecked(at: &Field<UVec2>, x: &Field<f32, 2>, out: &mut Field<f32>) {
    for i in out.indices() {
        let p = at[i];
        // SAFETY: as the caller's data says.
        out[i] = unsafe { *x.get_unchecked([p.x as usize, p.y as usize]) };
    }
}

/// A sparse matrix times a vector: two accesses in the inner loop that no extent proves, and one of the row's own.
#[kernel]
fn spmv(start: &Field<u32>, column: &Field<u32>, value: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let mut sum = 0.0;
        for k in start[i]..start[i + 1] {
            sum += value[k as usize] * x[column[k as usize] as usize];
        }
        y[i] = sum;
    }
}

#[kernel]
fn spmv_unchecked(start: &Field<u32>, column: &Field<u32>, value: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let mut sum = 0.0;
        for k in start[i]..start[i + 1] {
            // SAFETY: as the caller's data says.
            unsafe {
                let c = *column.get_unchecked(k as usize);
                sum += *value.get_unchecked(k as usize) * *x.get_unchecked(c as usize);
            }
        }
        y[i] = sum;
    }
}

fn code(name: &str, text: &str, arch: &str) -> Option<Code> {
    let compiled = Nvrtc::get()?.compile(text, arch, &[]);
    let cubin = compiled
        .cubin
        .unwrap_or_else(|e| panic!("{e}: {}\n{text}", compiled.log));
    Some(Nvdisasm::get()?.code(&cubin).remove(name).expect(name))
}

/// Instructions of the shortest loop with both opcodes, for each occurrence of the first.
fn each(code: &Code, opcodes: [&str; 2]) -> f64 {
    let has = |text: &&String, opcode: &str| text.split(' ').any(|word| word.starts_with(opcode));
    let loops = code.loops();
    let costs = loops.iter().filter_map(|body| {
        let [first, second] = opcodes.map(|opcode| body.iter().filter(|text| has(text, opcode)).count());
        (first > 0 && second > 0).then(|| body.len() as f64 / first as f64)
    });
    costs
        .min_by(f64::total_cmp)
        .unwrap_or_else(|| panic!("no loop with {opcodes:?} in\n{}", code.instructions.join("\n")))
}

/// `checks` comparisons of an index with an extent are made for each occurrence of the first opcode.
fn price(
    name: &str,
    checked: swathe::Result<String>,
    unchecked: swathe::Result<String>,
    opcodes: [&str; 2],
    checks: f64,
) {
    let (checked, unchecked) = (checked.unwrap(), unchecked.unwrap());
    for arch in ["sm_75", "sm_90"] {
        let with = code(name, &checked, arch);
        let without = code(&format!("{name}_unchecked"), &unchecked, arch);
        let (Some(with), Some(without)) = (with, without) else {
            return;
        };
        let (with, without) = (each(&with, opcodes), each(&without, opcodes));
        println!("{arch} {name:8} {with:6.2} instructions, {without:6.2} without {checks} checks");
        assert!(
            with - without <= 2.0 * checks,
            "{name} on {arch}: {with} instructions for an element, {without} without {checks} checks"
        );
    }
}

#[test]
fn a_gather_pays_two_instructions() {
    price(
        "gather",
        gather::cuda_source(),
        gather_unchecked::cuda_source(),
        ["STG", "LDG"],
        1.0,
    );
}

#[test]
fn two_axes_pay_for_each() {
    price(
        "look_up",
        look_up::cuda_source(),
        look_up_unchecked::cuda_source(),
        ["STG", "LDG"],
        2.0,
    );
}

#[test]
fn a_sparse_product_pays_two_instructions_for_each_access() {
    price(
        "spmv",
        spmv::cuda_source(),
        spmv_unchecked::cuda_source(),
        ["FFMA", "LDG"],
        3.0,
    );
}
