//! Every call of the driver that a program makes fails once: the program ends in a typed error, leaks nothing, and works
//! the next time.

#![allow(missing_docs, dead_code)]

#[path = "../../examples/examples/mpm88/physics.rs"]
mod mpm88;

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use swathe::__rt::captured;
use swathe::prelude::*;
use swathe::{Event, Graph, Result, Stream};
use swathe_software_cuda::harness::{self, Control};

/// Calls that can fail, as the software device counts them.
const KINDS: [&str; 19] = [
    "init", "context", "alloc", "host", "free", "copy", "memset", "stream", "event", "record", "join", "compile",
    "module", "function", "launch", "kernel", "sync", "capture", "graph",
];

/// What lives on the device when no field does.
const LIVE: [&str; 6] = ["memory", "executable", "graph", "event", "stream", "module"];

/// What is run, and its result.
type Program = fn() -> Result<f64>;

/// Programs, by name.
const PROGRAMS: [(&str, Program); 3] = [("everything", everything), ("mpm88", mpm88), ("tells", tells)];

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

/// Something of everything: allocations, transfers small and large, launches, a result, a graph, streams, events.
fn everything() -> Result<f64> {
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
    let start = Event::record(&device)?;
    let stream = Stream::new(&device)?;
    let mut other = stream.run(|| x.try_clone())?;
    step(&x, &mut out, &index)?;
    stream.run(|| step(&x, &mut other, &index))?;
    stream.wait(&start)?;
    Event::record(&device)?.elapsed(&start)?;
    let sum = total(&out)? + stream.run(|| total(&other))?;
    drop(stream);
    assert_eq!(large.to_vec()?.len(), 2_000_000);
    device.synchronize()?;
    Ok(sum + f64::from(out.get(17)?))
}

/// Two frames of the example.
fn mpm88() -> Result<f64> {
    let device = Device::cuda(0)?;
    let start = (0..60).map(|k| mpm88::Particle {
        pos: Vec2::new(0.3 + 0.05 * (k % 8) as f32, 0.2 + 0.06 * (k / 8) as f32),
        vel: Vec2::new(0.1 * (k % 7) as f32, -1.0),
        c: Mat2::ZERO,
        f: Mat2::IDENTITY,
        j: 1.0,
        material: [mpm88::FLUID, mpm88::JELLY, mpm88::SNOW][k % 3],
    });
    let step = mpm88::Step {
        dt: 2e-4,
        gravity: Vec2::new(0.0, -9.8),
        volume: 1e-3,
    };
    let mut particles = Field::from_vec(&device, start.collect())?;
    let mut velocity = Field::zeros(&device, [17, 17])?;
    let mut mass = Field::zeros(&device, [17, 17])?;
    let mut sum = 0.0;
    for _ in 0..2 {
        for _ in 0..2 {
            mpm88::substep(&mut particles, &mut velocity, &mut mass, step)?;
        }
        // The grid's sums have no order: digits that do not depend on it.
        sum += particles.to_vec()?.iter().map(|p| f64::from(p.pos.y)).sum::<f64>();
    }
    Ok((sum * 1e3).round())
}

#[kernel]
fn tell(x: &Field<u32>) {
    for i in x.indices() {
        println!("{i}");
        assert!(x[i] < 6, "{i}");
    }
}

/// More texts than there is room for, and failures.
fn tells() -> Result<f64> {
    let device = Device::cuda(0)?;
    let failed = |result| match result {
        Err(Error::KernelFailure { count, .. }) => Ok(count),
        other => other.map(|()| 0),
    };
    // What a run before has left.
    let mut left = Ok(0);
    captured(|| left = failed(device.synchronize()));
    left?;
    let x = Field::from_vec(&device, (0..50_000).map(|i| i % 7).collect())?;
    let mut count = Ok(0);
    let texts = captured(|| count = tell(&x).and_then(|()| failed(device.synchronize())));
    Ok((texts.len() * 100_000 + count?) as f64)
}

fn live(control: &Control) -> String {
    format!("{:?}", LIVE.map(|kind| control.live(kind)))
}

/// One program, with the fault that the environment asks for.
#[test]
fn once() {
    let Ok(name) = std::env::var("SWATHE_TEST_ONCE") else {
        return;
    };
    let (_, program) = PROGRAMS.into_iter().find(|(n, _)| *n == name).unwrap();
    let control = Control::get().unwrap();
    let first = program();
    for kind in KINDS {
        println!("{kind}={}", control.calls(kind));
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
    println!("live={}", live(&control));
    let live_then = live(&control);
    program().unwrap();
    assert_eq!(live(&control), live_then);
}

fn run(program: &str, fault: &str) -> (bool, String) {
    let mut command = harness::command(std::env::current_exe().unwrap()).unwrap();
    let command: &mut Command = command.args(["--exact", "once", "--nocapture"]);
    command
        .env("SWATHE_TEST_ONCE", program)
        .env("SWATHE_SOFTCUDA_FAIL", fault)
        .env("SWATHE_CACHE", "0");
    let output = command.output().unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.success(), text)
}

fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    // The first line follows the name of the test.
    text.lines()
        .find_map(|line| Some(line.split_once(&format!("{name}="))?.1))
}

#[kernel]
fn below_15(x: &Field<i32>) {
    for i in x.indices() {
        assert!(x[i] < 15, "at {i}");
    }
}

/// Whatever wait fails meanwhile.
#[test]
fn what_failed_in_a_kernel_is_told_once() {
    harness::enter();
    let (control, device) = (Control::get().unwrap(), Device::cuda(0).unwrap());
    let x = Field::from_vec(&device, (0..20).collect::<Vec<i32>>()).unwrap();
    for failing in 1..12 {
        below_15(&x).unwrap();
        control.fail(&format!("sync:{failing}"));
        let mut results: Vec<_> = (0..4).map(|_| device.synchronize()).collect();
        control.fail("");
        results.push(device.synchronize());
        let told = results.iter().filter(|result| match result {
            Err(Error::KernelFailure { message, count, .. }) => message == "at 15" && *count == 5,
            _ => false,
        });
        assert_eq!(told.count(), 1, "{failing}: {results:?}");
    }
}

#[test]
fn every_call_fails_once() {
    let mut faults = Vec::new();
    for (program, _) in PROGRAMS {
        let (good, text) = run(program, "");
        assert!(good, "{text}");
        let live = value(&text, "live").unwrap_or_else(|| panic!("{text}")).to_owned();
        for kind in KINDS {
            let calls: usize = value(&text, kind)
                .unwrap_or_else(|| panic!("{kind}: {text}"))
                .parse()
                .unwrap();
            assert!(calls > 0 || program != "everything", "{kind} is not called");
            faults.extend((1..=calls).map(|call| (program, kind, call, live.clone())));
        }
    }
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some((program, kind, call, live)) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (good, text) = run(program, &format!("{kind}:{call}"));
                    let told = text.contains("fault: ") || RECOVERED.contains(kind);
                    // A driver that refuses to free keeps the memory, and so does a context that a kernel broke.
                    let clean =
                        ["free", "kernel"].contains(kind) || value(&text, "live").is_none_or(|after| after == live);
                    if !(good && told && clean) {
                        let text = format!("{program}, {kind}:{call}, nothing leaks: {clean}, told: {told}: {text}");
                        failures.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    println!("{} faults", faults.len());
    let failures = failures.into_inner().unwrap();
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Kinds of calls after whose failure a program may go on: memory is asked for again, or stays with the driver; a stream
/// that cannot be waited for on the device is waited for on the host; without a device the error is that there is none.
const RECOVERED: [&str; 5] = ["alloc", "free", "record", "join", "init"];
