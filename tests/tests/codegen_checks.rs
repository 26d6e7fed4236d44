//! What a check of bounds that stays in the kernel costs on a GPU: instructions of the inner loop beside the same kernel with `get_unchecked`.
//!
//! `--nocapture` shows them.

use swathe::prelude::*;
use swathe_tests::nvrtc::Nvrtc;

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

/// Instructions of PTX that a loop's round executes if no check fails: its text without the blocks that report a failure, and
/// without branches to where the text goes on anyway.
/// Of the rounds with both opcodes it is the shortest.
fn round<'t>(ptx: &'t str, opcodes: [&str; 2]) -> Vec<&'t str> {
    let blocks = blocks(ptx);
    let place = |label: &str| blocks.iter().position(|(name, _)| *name == label);
    let target = |line: &str| {
        line.split_once("bra")
            .and_then(|(_, rest)| rest.split_whitespace().last())
            .map(|l| l.trim_end_matches(';').to_owned())
    };
    let mut rounds = Vec::new();
    for (end, (_, lines)) in blocks.iter().enumerate() {
        for line in lines {
            let Some(start) = target(line).and_then(|label| place(&label)) else {
                continue;
            };
            if start > end {
                continue;
            }
            let cold = |lines: &[&str]| lines.iter().any(|line| line.starts_with("call"));
            let cold_label = |line: &&str| {
                target(line)
                    .and_then(|label| place(&label))
                    .is_some_and(|k| cold(&blocks[k].1))
            };
            let round: Vec<&str> = blocks[start..=end]
                .iter()
                .filter(|(_, lines)| !cold(lines))
                .flat_map(|(_, lines)| lines.iter().copied())
                .filter(|line| !(line.starts_with("bra") && cold_label(line)))
                .collect();
            if opcodes
                .iter()
                .all(|opcode| round.iter().any(|line| line.contains(opcode)))
            {
                rounds.push(round);
            }
        }
    }
    rounds
        .into_iter()
        .min_by_key(Vec::len)
        .unwrap_or_else(|| panic!("no loop with {opcodes:?} in\n{ptx}"))
}

/// Labels of the entry, each with its instructions; what follows a branch is a block of its own.
fn blocks(ptx: &str) -> Vec<(&str, Vec<&str>)> {
    let entry = ptx.find(".visible .entry").expect("an entry");
    let mut blocks = vec![("", Vec::new())];
    for line in ptx[entry..].lines().map(str::trim) {
        let instruction = line.ends_with(';') && !line.starts_with('.');
        if let Some(label) = line.strip_suffix(':') {
            blocks.push((label, Vec::new()));
        } else if instruction || line.starts_with("call") {
            blocks.last_mut().expect("the first").1.push(line);
            if line.contains("bra") {
                blocks.push(("", Vec::new()));
            }
        }
    }
    blocks
}

/// `checks` comparisons of an index with an extent are made for each occurrence of the first opcode.
fn price(
    name: &str,
    checked: swathe::Result<String>,
    unchecked: swathe::Result<String>,
    opcodes: [&str; 2],
    checks: f64,
) {
    let Some(nvrtc) = Nvrtc::get() else { return };
    for arch in ["sm_75", "sm_90"] {
        let [with, without] = [&checked, &unchecked].map(|text| {
            let ptx = nvrtc.compile(text.as_ref().unwrap(), arch, &[]).ptx;
            let round = round(&ptx, opcodes);
            let elements = round.iter().filter(|line| line.contains(opcodes[0])).count();
            round.len() as f64 / elements as f64
        });
        println!("{arch} {name:8} {with:6.2} instructions, {without:6.2} without {checks} checks");
        // A comparison and a branch; and NVVM computes addresses anew in the block behind the branch, or unrolls less.
        assert!(
            with - without <= 2.0 * checks + 5.0,
            "{name} on {arch}: {with} instructions for an element, {without} without {checks} checks"
        );
    }
}

#[test]
fn a_gather() {
    price(
        "gather",
        gather::cuda_source(),
        gather_unchecked::cuda_source(),
        ["st.global", "ld.global"],
        1.0,
    );
}

#[test]
fn two_axes() {
    price(
        "look_up",
        look_up::cuda_source(),
        look_up_unchecked::cuda_source(),
        ["st.global", "ld.global"],
        2.0,
    );
}

#[test]
fn a_sparse_product() {
    price(
        "spmv",
        spmv::cuda_source(),
        spmv_unchecked::cuda_source(),
        ["fma.rn", "ld.global"],
        3.0,
    );
}
