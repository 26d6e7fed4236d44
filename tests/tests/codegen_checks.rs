//! What a check of bounds that stays in the kernel costs on a GPU: instructions of the inner loop beside the same kernel with `get_unchecked`.
//!
//! `--nocapture` shows them.

use swathe::prelude::*;
use swathe_nvidia_tools::nvdisasm::Nvdisasm;
use swathe_nvidia_tools::nvrtc::Nvrtc;

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

/// A sparse matrix times a vector: the index of one access in the inner loop comes from data.
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
/// Of the rounds with both opcodes it is the one with the fewest instructions for each occurrence of the first.
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
    let each = |round: &Vec<&str>| {
        let occurrences = round.iter().filter(|line| line.contains(opcodes[0])).count();
        round.len() as f64 / occurrences as f64
    };
    rounds
        .into_iter()
        .min_by(|a, b| each(a).total_cmp(&each(b)))
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

/// Instructions of machine code that a round of the same loop executes if no check fails, for each occurrence of the first opcode.
fn machine_code(name: &str, cubin: &[u8], opcodes: [&str; 2]) -> Option<f64> {
    let code = Nvdisasm::get()?.code(cubin).remove(name).expect("the kernel");
    let count = |round: &[&str], opcode: &str| round.iter().filter(|text| text.contains(opcode)).count();
    let rounds = code.rounds().into_iter();
    // ptxas unrolls no loop that stores: what has several stores is more than one loop.
    let rounds = rounds.filter(|round| count(round, "STG") <= 1);
    let rounds = rounds.filter(|round| opcodes.iter().all(|opcode| count(round, opcode) > 0));
    rounds
        .map(|round| round.len() as f64 / count(&round, opcodes[0]) as f64)
        .min_by(f64::total_cmp)
}

/// A kernel whose loop makes `checks` comparisons of an index with an extent for each element: two instructions each.
struct Price {
    name: &'static str,
    checked: swathe::Result<String>,
    unchecked: swathe::Result<String>,
    /// What occurs once for an element and what else the loop has, in PTX and in machine code.
    opcodes: [[&'static str; 2]; 2],
    checks: f64,
}

fn price(price: &Price) {
    let Some(nvrtc) = Nvrtc::get() else { return };
    let Price {
        name, opcodes, checks, ..
    } = price;
    for arch in ["sm_75", "sm_90"] {
        let [with, without] = [
            (&price.checked, (*name).to_owned()),
            (&price.unchecked, format!("{name}_unchecked")),
        ]
        .map(|(text, name)| {
            let compiled = nvrtc.compile(text.as_ref().unwrap(), arch, &[]);
            let round = round(&compiled.ptx, opcodes[0]);
            let elements = round.iter().filter(|line| line.contains(opcodes[0][0])).count();
            let machine = machine_code(&name, &compiled.cubin.unwrap(), opcodes[1]);
            (round.len() as f64 / elements as f64, machine.unwrap_or(f64::NAN))
        });
        println!(
            "{arch} {name:8} PTX {:6.2}, {:6.2} without {checks} checks; machine code {:6.2} and {:6.2}",
            with.0, without.0, with.1, without.1
        );
        assert!(
            with.0 - without.0 <= 2.0 * checks,
            "{name} on {arch}: {} instructions for an element, {} without {checks} checks",
            with.0,
            without.0
        );
    }
}

const STORES: [[&str; 2]; 2] = [["st.global", "ld.global"], ["STG", "LDG"]];

#[test]
fn a_gather() {
    price(&Price {
        name: "gather",
        checked: gather::cuda_source(),
        unchecked: gather_unchecked::cuda_source(),
        opcodes: STORES,
        checks: 1.0,
    });
}

#[test]
fn two_axes() {
    price(&Price {
        name: "look_up",
        checked: look_up::cuda_source(),
        unchecked: look_up_unchecked::cuda_source(),
        opcodes: STORES,
        checks: 2.0,
    });
}

/// The range of the inner loop is compared once; the entry's column is what remains to be checked. The loop is unrolled with the check
/// as it is without.
#[test]
fn a_sparse_product() {
    price(&Price {
        name: "spmv",
        checked: spmv::cuda_source(),
        unchecked: spmv_unchecked::cuda_source(),
        opcodes: [["fma.rn", "ld.global"], ["FFMA", "LDG"]],
        checks: 1.0,
    });
}
