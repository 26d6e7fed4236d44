//! Every workload gives the right result, on the CPU and on the software CUDA device.

use std::process::Command;

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_swathe-benches");

/// Runs all workloads at their small size, and returns the report.
fn smoke(mut command: Command, device: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new/report.json");
    let output = command
        .args(["--smoke", "--threads", "2", "--device", device, "--json"])
        .arg(&file)
        .output()
        .unwrap();
    let table = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{table}\n{errors}");
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// Every cell has a positive value, and was found right.
fn assert_complete(report: &Value, peer: &str) {
    let rows = report.as_object().unwrap();
    assert!(rows.len() > 25, "{}", rows.len());
    for (name, row) in rows.iter().filter(|(name, _)| *name != "_meta") {
        let cell = &row[peer];
        assert_eq!(cell["valid"], true, "{name}: {cell}");
        assert!(
            cell["value"].as_f64().is_some_and(|value| value > 0.0),
            "{name}: {cell}"
        );
    }
    assert_eq!(report["_meta"]["peers"], serde_json::json!([peer]));
}

#[test]
fn every_result_is_right_on_the_cpu() {
    assert_complete(&smoke(Command::new(PROGRAM), "cpu"), "swathe");
}

#[test]
fn every_result_is_right_on_cuda() {
    let command = swathe_software_cuda::harness::command(PROGRAM).unwrap();
    assert_complete(&smoke(command, "cuda"), "swathe_cuda");
}

#[test]
fn an_unknown_workload_is_named() {
    let output = Command::new(PROGRAM).args(["--workloads", "saxpi"]).output().unwrap();
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("there is no workload `saxpi`; there are saxpy, "),
        "{errors}"
    );
}

#[test]
fn costs_by_number_of_elements_are_measured_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new/scaling");
    let output = Command::new(PROGRAM)
        .args(["--smoke", "--threads", "2", "--scaling"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let document: Value = serde_json::from_slice(&std::fs::read(file.with_extension("json")).unwrap()).unwrap();
    for threads in ["1", "2"] {
        let sizes: Vec<&Value> = document["saxpy"][threads]
            .as_array()
            .unwrap()
            .iter()
            .map(|point| &point[0])
            .collect();
        assert_eq!(sizes, [256, 512, 1024]);
    }
    let plot = std::fs::read_to_string(file.with_extension("svg")).unwrap();
    assert!(plot.contains("saxpy, ns per element") && plot.contains("2 threads"));
}
