//! Every call of the driver that a program makes fails once: the program ends in a typed error, leaks nothing, and works
//! the next time.

use std::process::Command;

use swathe::prelude::*;
use swathe::{Graph, Result};
use swathe_software_cuda::harness::{self, Control};

/// Calls that can fail, as the software device counts them.
const KINDS: [&str; 17] = [
    "init", "context", "alloc", "host", "free", "copy", "memset", "stream", "event", "compile", "module", "function",
    "launch", "kernel", "sync", "capture", "graph",
];

#[kernel]
fn step(x: &Field<f32>, out: &mut Field<f32>, index: &Field<u32>) {
    for i in out.indices() {
        out[i] = x[i] * 0.5 + x[index[i] as usize];
    }
}

#[kernel]
fn total(x: &Field<f32>) -> f64 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i] as f64;
    }
    sum
}

/// Something of everything: allocations, transfers small and large, launches, a result, a graph.
fn program() -> Result<f64> {
    let device = Device::cuda(0)?;
    let n = 3000;
    let mut x = Field::from_vec(&device, (0..n).map(|i| i as f32).collect())?;
    let index = Field::from_fn(&device, n, |[i]| (n - 1 - i) as u32)?;
    let mut out = Field::zeros(&device, n)?;
    let large = Field::from_vec(&device, vec![1.0_f64; 2_000_000])?;
    step(&x, &mut out, &index)?;
    x.set(5, 1.0)?;
    let graph = Graph::capture(&device, || {
        step(&out, &mut x, &index)?;
        step(&x, &mut out, &index)
    })?;
    graph.launch()?;
    graph.launch()?;
    let sum = total(&out)?;
    assert_eq!(large.to_vec()?.len(), 2_000_000);
    device.synchronize()?;
    Ok(sum + f64::from(out.get(17)?))
}

/// What lives on the device when no field does.
fn live(control: &Control) -> [usize; 4] {
    ["memory", "executable", "graph", "event"].map(|kind| control.live(kind))
}

/// One program, with the fault that the environment asks for.
#[test]
fn once() {
    if std::env::var_os("SWATHE_TEST_ONCE").is_none() {
        return;
    }
    let control = Control::get().unwrap();
    let first = program();
    if let Ok(kinds) = std::env::var("SWATHE_TEST_COUNT") {
        for kind in kinds.split(',') {
            println!("{kind}={}", control.calls(kind));
        }
    }
    control.fail("");
    control.mend();
    let second = program();
    match (&first, &second) {
        (Ok(a), Ok(b)) => assert_eq!(a.to_bits(), b.to_bits()),
        (Err(error), Ok(_)) => println!("fault: {error}"),
        // A machine without a device does not get one.
        (Err(Error::Cuda(swathe::CudaError::NoDevice { .. })), Err(_)) => return,
        (_, Err(error)) => panic!("after {first:?}: {error}"),
    }
    let before = live(&control);
    program().unwrap();
    assert_eq!(live(&control), before);
}

fn run(fault: &str, count: &str) -> (bool, String) {
    let mut command = harness::command(std::env::current_exe().unwrap()).unwrap();
    let command: &mut Command = command.args(["--exact", "once", "--nocapture"]);
    command
        .env("SWATHE_TEST_ONCE", "1")
        .env("SWATHE_SOFTCUDA_FAIL", fault)
        .env("SWATHE_CACHE", "0");
    if !count.is_empty() {
        command.env("SWATHE_TEST_COUNT", count);
    }
    let output = command.output().unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.success(), text)
}

#[test]
fn every_call_fails_once() {
    let (good, text) = run("", &KINDS.join(","));
    assert!(good, "{text}");
    let mut failures = Vec::new();
    for kind in KINDS {
        let line = text
            .lines()
            .find_map(|line| line.trim().strip_prefix(&format!("{kind}=")));
        let calls: usize = line.unwrap_or_else(|| panic!("{kind}: {text}")).parse().unwrap();
        assert!(calls > 0, "{kind} is not called");
        for call in 1..=calls {
            let fault = format!("{kind}:{call}");
            let (good, text) = run(&fault, "");
            if !good {
                failures.push(format!("{fault}: {text}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
