//! The cost of one element, by the number of elements and of threads.

use std::path::Path;

use serde_json::{Value, json};
use swathe::Device;

use crate::Failure;
use crate::measure;
use crate::options::Options;
use crate::plot::{self, Line};
use crate::report;
use crate::size::Size;
use crate::workload::Workload;
use crate::workloads::{dot, histogram, jacobi2d, lattice_boltzmann, mat3, ray_marching, saxpy, spmv, sum};

/// Those whose number of elements is free, and the power of two up to which they and their references have room.
const WORKLOADS: [(Workload, u32); 9] = [
    (saxpy::WORKLOAD, 26),
    (sum::WORKLOAD, 26),
    (dot::WORKLOAD, 26),
    (histogram::WORKLOAD, 26),
    (spmv::WORKLOAD, 23),
    (jacobi2d::WORKLOAD, 26),
    (mat3::WORKLOAD, 23),
    (lattice_boltzmann::WORKLOAD, 22),
    (ray_marching::WORKLOAD, 22),
];

/// Measures powers of two, none above `2^most`, and writes `<file>.json` and `<file>.svg`. Says whether all results were right.
///
/// # Errors
/// Of the kernels, and of writing.
pub fn run(options: &Options, file: &Path, most: u32) -> Result<bool, Failure> {
    let mut lines = Vec::new();
    let mut valid = true;
    println!("| workload | threads | elements | ns per element | |");
    println!("|---|---:|---:|---:|---|");
    for (workload, room) in &WORKLOADS {
        let mut of_threads: Vec<Line> = thread_counts(options.threads())
            .map(|threads| Line::new(workload.name, threads))
            .collect();
        for size in (8..=most.min(*room)).map(|k| Size::Elements(1 << k)) {
            let reference = (workload.reference)(size);
            for line in &mut of_threads {
                let round = pool(line.threads)?.install(|| {
                    let device = Device::cpu();
                    let mut case = (workload.make)(&device, size)?;
                    measure::round(workload, case.as_mut(), &device, options, &reference)
                })?;
                let ns = round.median * 1e9 / size.n() as f64;
                let right = if round.verdict.valid { "" } else { "INVALID" };
                println!(
                    "| {} | {} | {} | {ns:.4} | {right} |",
                    workload.name,
                    line.threads,
                    size.n()
                );
                valid &= round.verdict.valid;
                line.points.push((size.n(), report::rounded(ns)));
            }
        }
        lines.extend(of_threads);
    }
    report::write(&file.with_extension("json"), &document(options, &lines))?;
    plot::write(&file.with_extension("svg"), &lines)?;
    Ok(valid)
}

/// 1, 2, 4 and so on, and the last.
fn thread_counts(most: usize) -> impl Iterator<Item = usize> {
    let powers = std::iter::successors(Some(1), |n| Some(n * 2)).take_while(move |n| *n < most);
    powers.chain([most])
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| Failure::Threads(threads, e))
}

fn document(options: &Options, lines: &[Line]) -> Value {
    let mut document = json!({ "_meta": report::machine(options) });
    for line in lines {
        let points: Vec<Value> = line.points.iter().map(|(n, ns)| json!([n, ns])).collect();
        document[line.workload][line.threads.to_string()] = json!(points);
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_count_of_threads_is_always_there() {
        let counts = |most| thread_counts(most).collect::<Vec<_>>();
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(2), [1, 2]);
        assert_eq!(counts(6), [1, 2, 4, 6]);
        assert_eq!(counts(8), [1, 2, 4, 8]);
    }
}
