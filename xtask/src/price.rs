//! `cargo xtask price`: what checks of bounds cost on the CPU.

use std::fs;

use serde_json::Value;

use crate::bench::{Plan, Side, call};
use crate::summary::{Outcome, Summary};
use crate::workspace::Workspace;

/// Workloads whose time is that of kernels.
const WORKLOADS: [&str; 13] = [
    "saxpy",
    "jacobi2d",
    "nbody",
    "mpm2d",
    "sum",
    "dot",
    "mandelbrot",
    "histogram",
    "mat3",
    "sph",
    "lattice_boltzmann",
    "ray_marching",
    "spmv",
];

/// Two builds of the benchmarks, one of which takes every check for passed, in turns.
pub fn run(workspace: &Workspace, plan: &Plan, summary: &mut Summary) {
    match measure(workspace, plan) {
        Ok(text) => summary.step("price of checks", Outcome::Ok, text),
        Err(why) => summary.step("price of checks", Outcome::Failed, why),
    }
}

fn measure(workspace: &Workspace, plan: &Plan) -> Result<String, String> {
    let work = workspace.target.join("benches");
    let unchecked = work.join("unchecked");
    fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    let build = ["build", "--release", "-p", "swathe-benches"];
    call(workspace.cargo(&build))?;
    let mut other = workspace.cargo(&build);
    other
        .env("RUSTFLAGS", "--cfg swathe_unchecked")
        .env("CARGO_TARGET_DIR", &unchecked);
    call(other)?;
    let side = |target: &std::path::Path| Side {
        program: target.join("release/swathe-benches"),
        plan,
        work: &work,
    };
    let (checked, unchecked) = (side(&workspace.target), side(&unchecked));
    let mut rows = Vec::new();
    for name in WORKLOADS {
        let mut ratios = Vec::new();
        for round in 0..plan.rounds {
            // Either is first as often as the other.
            let mut turns = [(&checked, 0.0), (&unchecked, 0.0)];
            for k in [round % 2, 1 - round % 2] {
                turns[k].1 = seconds(&turns[k].0.ours(&[name], 1)?, name)?;
            }
            ratios.push(turns[0].1 / turns[1].1);
        }
        ratios.sort_by(f64::total_cmp);
        rows.push((name, ratios));
    }
    let logs = rows.iter().map(|(_, ratios)| ratios[ratios.len() / 2].ln());
    let mean = (logs.sum::<f64>() / rows.len() as f64).exp();
    let mut text = String::from("time with checks, without them 1: median (range)");
    for (name, ratios) in rows {
        let (least, median, most) = (ratios[0], ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
        text += &format!("\n  {name:18} {median:.3} ({least:.3} to {most:.3})");
    }
    Ok(text + &format!("\n  {:18} {mean:.3}, the geometric mean of the medians", "all"))
}

fn seconds(document: &Value, name: &str) -> Result<f64, String> {
    let cells = document[name].as_object().into_iter().flat_map(|row| row.values());
    let times: Vec<f64> = cells.filter_map(|cell| cell["median_s"].as_f64()).collect();
    match times[..] {
        [time] => Ok(time),
        _ => Err(format!("`{name}` has {} times, not one", times.len())),
    }
}
