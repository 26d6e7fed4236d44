//! Devices, launches, errors and graphs on CUDA: on the software device, or with `SWATHE_TEST_GPU` on a GPU.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use swathe::__rt::{Output, captured};
use swathe::prelude::*;
use swathe::{CudaError, Graph};
use swathe_software_cuda::harness;

/// The device, for this test alone: a failure is reported to whoever waits for the device next.
fn device() -> (Device, MutexGuard<'static, ()>) {
    static ALONE: Mutex<()> = Mutex::new(());
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::enter();
    }
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    (Device::cuda(0).unwrap_or_else(|error| panic!("{error}")), alone)
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Body {
    pos: Vec3,
    mass: f64,
    tag: u8,
}

#[kernel]
fn noisy(x: &Field<i32>) {
    for i in x.indices() {
        println!("{i}");
    }
}

const DOUBLE: u32 = line!() + 2;
#[kernel]
fn double(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] *= 2;
    }
}

#[kernel]
fn add(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] += x[i];
    }
}

const GATHER: u32 = line!() + 2;
#[kernel]
fn gather(x: &Field<i32, 2>, at: usize, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = x[[i, at]];
    }
}

const DIVIDE: u32 = line!() + 2;
#[kernel]
fn divide(x: &mut Field<i32>, by: i32) {
    for i in x.indices() {
        x[i] /= by;
    }
}

#[kernel]
fn moments(x: &Field<f64>) -> (bool, f64, [(u8, i64); 2]) {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i];
    }
    (sum > 0.0, sum, [(3, -4), (5, -6)])
}

#[kernel]
fn sum(x: &Field<i32>) -> i32 {
    let mut s = 0;
    for i in x.indices() {
        s += x[i];
    }
    s
}

#[kernel]
fn shift(bodies: &mut Field<Body>, by: Vec3, scale: [f64; 2]) {
    for i in bodies.indices() {
        bodies[i].pos += by;
        bodies[i].mass *= scale[1] - scale[0];
    }
}

#[test]
fn devices_tell_about_themselves() {
    let (device, _alone) = device();
    assert!(!device.is_cpu() && device == Device::cuda(0).unwrap());
    assert_ne!(device, Device::cpu());
    assert!(device.to_string().starts_with("cuda:0 ("), "{device}");
    let memory = device.memory().unwrap();
    assert!(0 < memory.free && memory.free <= memory.total);
    assert!(device.compute_capability().unwrap() >= (7, 0));
    assert_eq!(Device::default(), device);
    let all = Device::all();
    assert_eq!((&all[0], all.last()), (&device, Some(&Device::cpu())));
    let count = all.len() - 1;
    let error = Device::cuda(99).unwrap_err();
    assert_eq!(error, CudaError::NoSuchDevice { index: 99, count }.into());
    let _field = Field::<f64>::zeros(&device, 1 << 16).unwrap();
    let (before, bytes) = (memory.free, 1 << 62);
    let error = Field::<u8>::zeros(&device, bytes).unwrap_err();
    assert!(
        matches!(&error, Error::OutOfMemory { bytes: b, place } if *b == bytes && *place == device.to_string()),
        "{error}"
    );
    assert!(device.memory().unwrap().free <= before);
}

#[test]
fn fields_move_between_host_and_device() {
    let (device, _alone) = device();
    for n in [0, 1, 3, 17, 1000, 20_000, 3_000_001] {
        let values: Vec<i32> = (0..n).map(|i| (i as i32).wrapping_mul(0x9e37)).collect();
        let mut x = Field::from_slice(&device, &values).unwrap();
        assert!(x.to_vec().unwrap() == values, "{n}");
        let y = x.try_clone().unwrap();
        double(&mut x).unwrap();
        let doubled: Vec<i32> = values.iter().map(|v| v.wrapping_mul(2)).collect();
        assert!(x.to_vec().unwrap() == doubled, "{n}");
        assert!(y.to_vec().unwrap() == values, "{n}");
        let mut host = Field::zeros(&Device::cpu(), n).unwrap();
        host.copy_from(&x).unwrap();
        assert!(host.to_vec().unwrap() == doubled, "{n}");
        x.copy_from(&host).unwrap();
        assert!(x.to_vec().unwrap() == doubled, "{n}");
    }
    let body = Body {
        pos: Vec3::new(1.0, 2.0, 3.0),
        mass: 4.0,
        tag: 5,
    };
    let mut bodies = Field::full(&device, 37, body).unwrap();
    shift(&mut bodies, Vec3::new(0.5, 0.25, -1.0), [1.0, 3.0]).unwrap();
    let expected = Body {
        pos: Vec3::new(1.5, 2.25, 2.0),
        mass: 8.0,
        tag: 5,
    };
    assert_eq!(bodies.to_vec().unwrap(), vec![expected; 37]);
    assert_eq!(
        bodies.member::<f64>("mass").unwrap().to_ndarray().unwrap(),
        ndarray::arr1(&[8.0; 37])
    );
    for value in [0_u16, 0x0102, 0x0303] {
        assert_eq!(Field::full(&device, 33, value).unwrap().to_vec().unwrap(), [value; 33]);
    }
}

#[test]
fn results_of_every_form_come_back() {
    let (device, _alone) = device();
    let x = Field::from_fn(&device, 1000, |[i]| i as f64).unwrap();
    assert_eq!(moments(&x).unwrap(), (true, 499_500.0, [(3, -4), (5, -6)]));
    let none = Field::zeros(&device, 0).unwrap();
    assert_eq!(moments(&none).unwrap(), (false, 0.0, [(3, -4), (5, -6)]));
    for n in [0, 1, 17, 1000, 100_003] {
        let x = Field::from_fn(&device, n, |[i]| i as i32 % 1000).unwrap();
        assert_eq!(sum(&x).unwrap(), (0..n).map(|i| i as i32 % 1000).sum(), "{n}");
    }
}

#[test]
fn failures_are_reported_by_the_next_call_that_waits() {
    let (device, _alone) = device();
    let u = Field::from_fn(&device, [4, 5], |[i, j]| (10 * i + j) as i32).unwrap();
    let v = Field::from_fn(&device, [6, 2], |[i, j]| (10 * i + j) as i32).unwrap();
    let mut out = Field::zeros(&device, 4).unwrap();
    gather(&v, 7, &mut out).unwrap();
    gather(&u, 3, &mut out).unwrap();
    let error = out.to_vec().unwrap_err();
    let Error::OutOfBounds {
        kernel,
        line,
        field,
        shape,
        count,
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!(
        (*kernel, *line, *field, &shape[..], *count),
        ("gather", GATHER + 2, "x", &[6, 2][..], 4)
    );
    // The good elements are there, and the error is told once.
    assert_eq!(out.to_vec().unwrap(), [3, 13, 23, 33]);
    device.synchronize().unwrap();

    // To read a field without elements waits, too.
    gather(&v, 7, &mut out).unwrap();
    let empty = Field::<i32, 2>::zeros(&device, [3, 0]).unwrap();
    assert!(matches!(empty.to_vec(), Err(Error::OutOfBounds { .. })));
    assert_eq!(empty.to_ndarray().unwrap().shape(), [3, 0]);

    // Ever new shapes do not use up the records.
    for n in 1..300 {
        let x = Field::<i32, 2>::zeros(&device, [4, n]).unwrap();
        gather(&x, n - usize::from(n != 150), &mut out).unwrap();
    }
    let error = device.synchronize().unwrap_err();
    assert!(
        matches!(&error, Error::OutOfBounds { shape, .. } if shape[..] == [4, 150]),
        "{error}"
    );
    device.synchronize().unwrap();

    let mut x = Field::full(&device, 3, 7).unwrap();
    divide(&mut x, 0).unwrap();
    let error = device.synchronize().unwrap_err();
    let expected = Error::KernelFailure {
        kernel: "divide",
        file: file!(),
        line: DIVIDE + 2,
        column: 9,
        message: "attempt to divide by zero".to_owned(),
        count: 3,
    };
    assert_eq!(error, expected);
    assert_eq!(x.to_vec().unwrap(), [7; 3]);
    divide(&mut x, 2).unwrap();
    assert_eq!(x.to_vec().unwrap(), [3; 3]);
}

#[test]
fn arguments_on_two_devices_are_refused() {
    let (device, _alone) = device();
    for (x_on, out_on) in [(&device, &Device::cpu()), (&Device::cpu(), &device)] {
        let x = Field::full(x_on, 3, 1).unwrap();
        let mut out = Field::full(out_on, 3, 5).unwrap();
        let error = add(&x, &mut out).unwrap_err();
        assert!(matches!(error, Error::DeviceMismatch { .. }), "{error:?}");
        assert_eq!(
            error.to_string(),
            format!("kernel `add`: `x` is on {x_on}, but `out` is on {out_on}")
        );
        assert_eq!((x.to_vec().unwrap(), out.to_vec().unwrap()), (vec![1; 3], vec![5; 3]));
    }
}

#[test]
fn threads_share_a_kernel() {
    let (device, _alone) = device();
    std::thread::scope(|scope| {
        for t in 0..8 {
            let device = &device;
            scope.spawn(move || {
                let x = Field::full(device, 1000 + t, t as i32).unwrap();
                for _ in 0..5 {
                    assert_eq!(sum(&x).unwrap(), (t * (1000 + t)) as i32);
                }
            });
        }
    });
}

#[test]
fn graphs_replay_what_was_captured() {
    let (device, _alone) = device();
    let mut a = Field::full(&device, 100, 1).unwrap();
    let mut b = Field::full(&device, 100, 0).unwrap();
    let graph = Graph::capture(&device, || {
        add(&a, &mut b)?;
        double(&mut a)
    })
    .unwrap();
    assert_eq!(b.get(7).unwrap(), 0, "nothing runs before the launch");
    for _ in 0..5 {
        graph.launch().unwrap();
    }
    assert_eq!((a.get(99).unwrap(), b.get(99).unwrap()), (32, 31));
    // Dropped fields stay as long as the graph needs them.
    drop(a);
    let other = Field::full(&device, 100, -1).unwrap();
    graph.launch().unwrap();
    assert_eq!(b.to_vec().unwrap(), [63; 100]);
    assert_eq!(other.to_vec().unwrap(), [-1; 100]);
    drop(graph);

    let u = Field::<i32, 2>::zeros(&device, [3, 3]).unwrap();
    let mut out = Field::full(&device, 3, 1).unwrap();
    let graph = Graph::capture(&device, || gather(&u, 5, &mut out)).unwrap();
    device.synchronize().unwrap();
    for _ in 0..2 {
        graph.launch().unwrap();
        let error = device.synchronize().unwrap_err();
        assert!(
            matches!(&error, Error::OutOfBounds { shape, count: 3, .. } if shape[..] == [3, 3]),
            "{error}"
        );
    }
}

/// A graph refers to memory of one field: what shares it with others gives way, or is refused.
#[test]
fn graphs_write_to_no_clone() {
    let (device, _alone) = device();
    let n = 101;
    let numbers: Vec<i32> = (0..n).map(|i| 7 * i as i32 - 30).collect();
    let of = |f: &dyn Fn(i32) -> i32| numbers.iter().map(|x| f(*x)).collect::<Vec<_>>();
    let x = Field::from_slice(&device, &numbers).unwrap();

    // Written within the capture: its memory is copied then, not when the graph runs.
    let mut y = x.try_clone().unwrap();
    let graph = Graph::capture(&device, || add(&x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), numbers);
    graph.launch().unwrap();
    graph.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), of(&|x| 3 * x));
    assert_eq!(x.to_vec().unwrap(), numbers);

    // A clone of what a graph refers to is a copy, whoever is written afterwards.
    let mut later = y.try_clone().unwrap();
    let still = x.try_clone().unwrap();
    graph.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), of(&|x| 4 * x));
    assert_eq!(later.to_vec().unwrap(), of(&|x| 3 * x));
    y.fill(1).unwrap();
    later.fill(-1).unwrap();
    graph.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), of(&|x| x + 1));
    assert_eq!(later.to_vec().unwrap(), vec![-1; n]);
    assert_eq!(still.to_vec().unwrap(), numbers);
    drop((x, later));
    graph.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), of(&|x| 2 * x + 1));
    drop(graph);
    // After the graph clones share again, and are kept apart again.
    let kept = y.try_clone().unwrap();
    double(&mut y).unwrap();
    assert_eq!(kept.to_vec().unwrap(), of(&|x| 2 * x + 1));
    assert_eq!(y.to_vec().unwrap(), of(&|x| 4 * x + 2));
}

/// What is only read within a capture is refused where it is shared: a later write would give the field other memory than the
/// graph's.
#[test]
fn graphs_read_memory_of_one_field() {
    let (device, _alone) = device();
    let n = 101;
    let numbers: Vec<i32> = (0..n).map(|i| 7 * i as i32 - 30).collect();
    let mut a = Field::from_slice(&device, &numbers).unwrap();
    let clone = a.try_clone().unwrap();
    let mut sum = Field::full(&device, n, 0).unwrap();
    for error in [
        Graph::capture(&device, || add(&a, &mut sum)).unwrap_err(),
        Graph::capture(&device, || sum.copy_from(&a)).unwrap_err(),
        Graph::capture(&device, || sum.view_mut()?.copy_from(&a.t())).unwrap_err(),
    ] {
        assert_eq!(
            error.to_string(),
            "reading a field that shares its memory with a clone cannot be captured in a graph: a graph refers to memory of one \
             field; call the field's `unshare` before the capture"
        );
    }
    a.unshare().unwrap();
    let graph = Graph::capture(&device, || add(&a, &mut sum)).unwrap();
    a.fill(5).unwrap();
    graph.launch().unwrap();
    assert_eq!(sum.to_vec().unwrap(), vec![5; n]);
    assert_eq!(clone.to_vec().unwrap(), numbers);
    // One whose clone is gone is not shared.
    let b = clone.try_clone().unwrap();
    drop(clone);
    let graph = Graph::capture(&device, || add(&b, &mut sum)).unwrap();
    graph.launch().unwrap();
    let expected: Vec<i32> = numbers.iter().map(|x| x + 5).collect();
    assert_eq!(sum.to_vec().unwrap(), expected);

    let error = Graph::capture(&device, || b.try_clone().map(drop)).unwrap_err();
    assert!(error.to_string().starts_with("cloning a field cannot"), "{error}");
    // The CPU's memory is not copied within a capture, which could not be repeated.
    let mut here = Field::full(&Device::cpu(), 3, 1).unwrap();
    let other = here.try_clone().unwrap();
    let error = Graph::capture(&device, || here.fill(2)).unwrap_err();
    let what = "giving Field<i32, 1> { shape: [3], device: cpu } memory of its own cannot";
    assert!(error.to_string().starts_with(what), "{error}");
    assert_eq!(here.to_vec().unwrap(), [1; 3]);
    assert_eq!(other.to_vec().unwrap(), [1; 3]);
}

#[test]
fn launches_of_graphs_count_as_writes() {
    let (device, _alone) = device();
    let x = Field::full(&device, 10, 1).unwrap();
    let mut y = Field::full(&device, 10, 0).unwrap();
    let graph = Graph::capture(&device, || add(&x, &mut y)).unwrap();
    let (read, mut written) = (x.write_count(), y.write_count());
    for _ in 0..3 {
        graph.launch().unwrap();
        assert_eq!(x.write_count(), read);
        assert!(y.write_count() > written);
        written = y.write_count();
    }
    drop(graph);
    assert_eq!((x.write_count(), y.write_count()), (read, written));
    // Not less with other memory.
    let clone = y.try_clone().unwrap();
    y.unshare().unwrap();
    assert_eq!(y.write_count(), written);
    y.fill(2).unwrap();
    assert!(y.write_count() > written);
    assert_eq!(clone.to_vec().unwrap(), [3; 10]);
}

/// Of what is printed between two calls that wait, as much as there is room for arrives, and the rest is counted.
#[test]
fn what_has_no_room_is_lost() {
    let (device, _alone) = device();
    let n = 50_000;
    for _ in 0..2 {
        let mut texts = captured(|| {
            noisy(&Field::zeros(&device, n).unwrap()).unwrap();
            device.synchronize().unwrap();
        });
        let lost = texts.pop().unwrap();
        assert_eq!(lost.0, Output::Err);
        // Of 3 words each.
        let room = (1 << 17) / 3;
        let expected = format!("swathe: {} texts that kernels printed on cuda:0", n - room);
        assert!(lost.1.starts_with(&expected), "{}", lost.1);
        assert_eq!(texts.len(), room);
        let numbers = texts.iter().map(|(_, text)| text.trim_end().parse().unwrap());
        assert_eq!(numbers.collect::<BTreeSet<usize>>().len(), room);
    }
    let texts = captured(|| {
        noisy(&Field::zeros(&device, 2).unwrap()).unwrap();
        device.synchronize().unwrap();
    });
    assert_eq!(texts.len(), 2);
}

#[kernel]
fn negative(x: &Field<i32>) {
    for i in x.indices() {
        assert!(x[i] < 0, "{}", x[i]);
    }
}

/// All threads fail, each later one with a lesser number; and all but one of them do not.
#[test]
fn many_threads_fail() {
    let (device, _alone) = device();
    let n = 1 << 20;
    let mut x = Field::from_vec(&device, (0..n).rev().collect()).unwrap();
    for count in [n as usize, 1, 0] {
        negative(&x).unwrap();
        match device.synchronize() {
            Ok(()) => assert_eq!(count, 0),
            Err(Error::KernelFailure { message, count: c, .. }) => {
                assert_eq!((message, c), (if count == 1 { "7" } else { "0" }.to_owned(), count));
            }
            Err(other) => panic!("{other}"),
        }
        x.fill(-1).unwrap();
        if count > 1 {
            x.set(12_345, 7).unwrap();
        }
    }
}

/// Who holds the standard output may wait for a device, of which another thread is about to write there.
#[test]
fn a_held_output_holds_no_device() {
    let (device, _alone) = device();
    let x = Field::zeros(&device, 3).unwrap();
    let out = std::io::stdout().lock();
    std::thread::scope(|scope| {
        let (began, begins) = std::sync::mpsc::channel();
        let (done, is_done) = std::sync::mpsc::channel();
        let (device, x) = (&device, &x);
        scope.spawn(move || {
            noisy(x).unwrap();
            began.send(()).unwrap();
            device.synchronize().unwrap();
        });
        begins.recv().unwrap();
        scope.spawn(move || {
            for _ in 0..100 {
                let mut y = Field::full(device, 2, 1).unwrap();
                double(&mut y).unwrap();
                assert_eq!(y.to_vec().unwrap(), [2; 2]);
            }
            done.send(()).unwrap();
        });
        // Whoever waits for the output goes on when it is let go.
        let waited = is_done.recv_timeout(Duration::from_secs(30));
        drop(out);
        waited.expect("the device works while somebody holds the output");
    });
}

#[test]
fn graphs_print_each_time() {
    let (device, _alone) = device();
    let x = Field::zeros(&device, 3).unwrap();
    let graph = Graph::capture(&device, || noisy(&x)).unwrap();
    for times in [1, 2] {
        let texts = captured(|| {
            (0..times).for_each(|_| graph.launch().unwrap());
            assert_eq!(x.to_vec().unwrap(), [0; 3]);
        });
        let mut texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
        texts.sort();
        let expected = ["0\n", "1\n", "2\n"].iter().flat_map(|text| vec![*text; times]);
        assert_eq!(texts, expected.collect::<Vec<_>>());
    }
}

#[test]
fn what_cannot_be_captured_is_refused_with_a_reason() {
    let (device, _alone) = device();
    let mut x = Field::full(&device, 10, 1).unwrap();
    let refused = |result: swathe::Result<Graph>, what: &str| match result {
        Err(Error::NotCapturable { what: said, reason }) => {
            assert!(said.contains(what) && !reason.is_empty(), "{said}: {reason}");
        }
        other => panic!("{what}: {other:?}"),
    };
    refused(Graph::capture(&device, || sum(&x).map(drop)), "kernel `sum`");
    refused(Graph::capture(&device, || x.get(3).map(drop)), "reading");
    refused(Graph::capture(&device, || x.set(3, 4)), "writing");
    refused(
        Graph::capture(&device, || Field::<i32>::zeros(&device, 4).map(drop)),
        "allocation",
    );
    refused(Graph::capture(&device, || device.synchronize()), "waiting");
    refused(
        Graph::capture(&device, || Graph::capture(&device, || Ok(())).map(drop)),
        "another capture",
    );
    refused(Graph::capture(&Device::cpu(), || Ok(())), "CPU");
    let cpu = Device::cpu();
    let mut y = Field::full(&cpu, 10, 1).unwrap();
    let z = Field::full(&cpu, 10, 2).unwrap();
    refused(Graph::capture(&device, || double(&mut y)), "kernel `double` on the CPU");
    refused(Graph::capture(&device, || sum(&y).map(drop)), "kernel `sum` on the CPU");
    let writes = "writing to a field of the CPU";
    refused(Graph::capture(&device, || y.set(3, 4)), writes);
    refused(Graph::capture(&device, || y.fill(4)), writes);
    refused(Graph::capture(&device, || y.copy_from(&z)), writes);
    let array = ndarray::Array1::from_elem(10, 7);
    refused(Graph::capture(&device, || y.copy_from_ndarray(&array)), writes);
    refused(
        Graph::capture(&device, || Field::<i32>::zeros(&cpu, 4).map(drop)),
        "allocation",
    );
    // Other threads are not concerned, and reading changes nothing.
    let graph = Graph::capture(&device, || {
        assert_eq!(y.get(3)?, 1);
        std::thread::scope(|scope| scope.spawn(|| double(&mut y)).join().unwrap())?;
        double(&mut x)
    });
    graph.unwrap().launch().unwrap();
    assert_eq!((y.to_vec().unwrap(), x.to_vec().unwrap()), (vec![2; 10], vec![2; 10]));
    x.fill(1).unwrap();
    // Afterwards all is as before.
    double(&mut x).unwrap();
    assert_eq!(sum(&x).unwrap(), 20);
}

#[test]
fn precompiled_kernels_and_kernels_on_the_cpu() {
    let (device, _alone) = device();
    double::precompile(&device).unwrap();
    double::precompile(&Device::cpu()).unwrap();
    let mut x = Field::full(&Device::cpu(), 3, 4).unwrap();
    double(&mut x).unwrap();
    assert_eq!(x.to_vec().unwrap(), [8; 3]);
}

/// Launches the kernel of which it is told, and another one.
struct Launcher;

static LAUNCHED: AtomicUsize = AtomicUsize::new(0);

impl log::Log for Launcher {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        thread_local!(static INSIDE: Cell<bool> = const { Cell::new(false) });
        let wanted = std::env::var("SWATHE_TEST_RECORD").unwrap();
        if !record.args().to_string().starts_with(&wanted) || INSIDE.replace(true) {
            return;
        }
        let device = Device::cuda(0).unwrap();
        let mut y = Field::full(&device, 3, 1).unwrap();
        double(&mut y).unwrap();
        assert_eq!(sum(&y).unwrap(), 6);
        LAUNCHED.fetch_add(1, Ordering::Relaxed);
        INSIDE.set(false);
    }

    fn flush(&self) {}
}

/// The program that runs in other surroundings.
#[test]
fn elsewhere() {
    let Some(place) = std::env::var_os("SWATHE_TEST_ELSEWHERE") else {
        return;
    };
    let on_cpu = |expected: &[&str]| {
        let error = Device::cuda(0).unwrap_err().to_string();
        assert!(expected.iter().all(|text| error.contains(text)), "{error}");
        assert_eq!(Device::all(), [Device::cpu()]);
        assert_eq!(Device::default(), Device::cpu());
        let x = Field::full(&Device::default(), 3, 4).unwrap();
        assert_eq!(sum(&x).unwrap(), 12);
    };
    match place.to_str().unwrap() {
        "no driver" => on_cpu(&["Install the NVIDIA driver", "/nowhere/libcuda.so"]),
        "old driver" => on_cpu(&["supports CUDA 11.4 only", "driver version 525"]),
        "no device" => on_cpu(&["no CUDA device", "CUDA_VISIBLE_DEVICES"]),
        "no NVRTC" => {
            let (device, _alone) = device();
            let mut x = Field::full(&device, 3, 4).unwrap();
            let error = double(&mut x).unwrap_err().to_string();
            let expected = ["pip install nvidia-cuda-nvrtc", "/nowhere/libnvrtc.so"];
            assert!(expected.iter().all(|text| error.contains(text)), "{error}");
            assert_eq!(x.to_vec().unwrap(), [4; 3]);
        }
        "a logger that launches" => {
            log::set_logger(&Launcher).unwrap();
            log::set_max_level(log::LevelFilter::Trace);
            let (device, _alone) = device();
            let mut x = Field::full(&device, 3, 4).unwrap();
            double(&mut x).unwrap();
            assert_eq!(x.to_vec().unwrap(), [8; 3]);
            assert_eq!(LAUNCHED.load(Ordering::Relaxed), 1);
        }
        // Also not the variables that find things: what there is then is the system's.
        "empty" => match Device::cuda(0) {
            Ok(device) => println!("not tested: there is {device}"),
            Err(Error::Cuda(CudaError::NoDriver { .. })) => on_cpu(&["libcuda.so.1", "Install the NVIDIA driver"]),
            Err(error) => assert!(error.to_string().contains("NVIDIA driver"), "{error}"),
        },
        "refused text" => {
            let (device, _alone) = device();
            let mut x = Field::full(&device, 3, 4).unwrap();
            let error = divide(&mut x, 2).unwrap_err();
            let Error::Cuda(CudaError::Compile {
                kernel,
                file,
                line,
                log,
                excerpt,
            }) = &error
            else {
                panic!("{error}");
            };
            assert_eq!((*kernel, file.as_str()), ("divide", file!()));
            assert!((DIVIDE..DIVIDE + 5).contains(line), "{error}");
            assert!(log.contains("error") && excerpt.contains("by"), "{error}");
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("{}:{line}: NVRTC cannot", file!())),
                "{error}"
            );
            // Other kernels are not concerned.
            double(&mut x).unwrap();
            assert_eq!(x.to_vec().unwrap(), [8; 3]);
        }
        "compiler fails" => {
            let (device, _alone) = device();
            let mut x = Field::full(&device, 3, 4).unwrap();
            let error = double(&mut x).unwrap_err();
            assert!(
                matches!(&error, Error::Cuda(CudaError::Compile { kernel: "double", line, .. }) if *line == DOUBLE),
                "{error}"
            );
            double(&mut x).unwrap();
            assert_eq!(x.to_vec().unwrap(), [8; 3]);
        }
        "many threads" => {
            let (device, _alone) = device();
            let control = harness::Control::get().unwrap();
            control.fail("");
            let turn = std::sync::Barrier::new(8);
            std::thread::scope(|scope| {
                for t in 0..8 {
                    let (device, turn) = (&device, &turn);
                    scope.spawn(move || {
                        turn.wait();
                        let all = [double::precompile, add::precompile, divide::precompile, sum::precompile];
                        for k in 0..all.len() {
                            all[(t + k) % all.len()](device).unwrap();
                        }
                        let x = Field::full(device, 10 + t, 3).unwrap();
                        assert_eq!(sum(&x).unwrap(), 30 + 3 * t as i32);
                    });
                }
            });
            // The kernels', and that of the device kernel that fills.
            assert_eq!((control.calls("compile"), control.calls("module")), (4, 5));
        }
        "two devices" => {
            let (first, _alone) = device();
            let second = Device::cuda(1).unwrap();
            let mut there = Field::full(&second, 3, 4).unwrap();
            let mut here = Field::full(&first, 3, 4).unwrap();
            let other = "work on cuda:1 (";
            let refused = |result: swathe::Result<Graph>| {
                let error = result.unwrap_err().to_string();
                assert!(error.starts_with(other) && error.contains("one device"), "{error}");
            };
            refused(Graph::capture(&first, || double(&mut there)));
            refused(Graph::capture(&first, || there.fill(3)));
            refused(Graph::capture(&first, || there.get(0).map(drop)));
            refused(Graph::capture(&first, || Field::<i32>::zeros(&second, 4).map(drop)));
            refused(Graph::capture(&first, || second.synchronize()));
            let graph = Graph::capture(&first, || double(&mut here)).unwrap();
            refused(Graph::capture(&second, || graph.launch()).map_err(|error| {
                // The other way round.
                assert!(error.to_string().contains("cuda:0"), "{error}");
                Graph::capture(&first, || second.synchronize()).unwrap_err()
            }));
            graph.launch().unwrap();
            assert_eq!((here.get(0).unwrap(), there.get(0).unwrap()), (8, 4));
            assert_ne!(first, second);
            let values: Vec<i32> = (0..2_000_003).collect();
            let x = Field::from_slice(&first, &values).unwrap();
            let mut y = Field::zeros(&second, values.len()).unwrap();
            let error = add(&x, &mut y).unwrap_err().to_string();
            assert!(error.contains("cuda:0 (") && error.contains("cuda:1 ("), "{error}");
            y.copy_from(&x).unwrap();
            double(&mut y).unwrap();
            assert!(y.to_vec().unwrap().iter().zip(&values).all(|(y, x)| *y == 2 * x));
            assert_eq!(
                sum(&x.try_clone().unwrap()).unwrap(),
                values.iter().fold(0, |a: i32, b| a.wrapping_add(*b))
            );
        }
        other => panic!("{other}"),
    }
}

#[test]
fn elsewhere_errors_say_what_is_missing() {
    harness::enter();
    let run = |place: &str, variable: &str, value: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "elsewhere", "--nocapture"]);
        let status = command
            .env("SWATHE_TEST_ELSEWHERE", place)
            .env(variable, value)
            .status()
            .unwrap();
        assert!(status.success(), "{place}");
    };
    run("no driver", "SWATHE_CUDA_LIBRARY", "/nowhere/libcuda.so");
    run("old driver", "SWATHE_SOFTCUDA_DRIVER", "11040");
    run("no device", "SWATHE_SOFTCUDA_DEVICES", "0");
    run("no NVRTC", "SWATHE_NVRTC", "/nowhere/libnvrtc.so");
    run("two devices", "SWATHE_SOFTCUDA_DEVICES", "2");
}

/// Kernels are compiled anew in programs without a cache.
#[test]
fn elsewhere_kernels_are_compiled() {
    harness::enter();
    let run = |place: &str, variable: &str, value: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "elsewhere", "--nocapture"]);
        let status = command
            .env("SWATHE_TEST_ELSEWHERE", place)
            .env("SWATHE_CACHE", "0")
            .env(variable, value)
            .status()
            .unwrap();
        assert!(status.success(), "{place}");
    };
    run("refused text", "SWATHE_SOFTCUDA_CXXFLAGS", "-Dby=@");
    run("compiler fails", "SWATHE_SOFTCUDA_FAIL", "compile:1");
    run("many threads", "SWATHE_SOFTCUDA_FAIL", "");
    for record in ["CUDA driver", "NVRTC", "compiled kernel `double`"] {
        run("a logger that launches", "SWATHE_TEST_RECORD", record);
    }
}

#[test]
fn elsewhere_is_an_empty_environment() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "elsewhere", "--nocapture"]);
    let status = command
        .env_clear()
        .env("SWATHE_TEST_ELSEWHERE", "empty")
        .status()
        .unwrap();
    assert!(status.success());
}

#[kernel]
fn contracted(x: &mut Field<f32>, c: f32) {
    for i in x.indices() {
        x[i] = x[i] * x[i] + c;
    }
}

#[kernel(strict)]
fn rounded_twice(x: &mut Field<f32>, c: f32) {
    for i in x.indices() {
        x[i] = x[i] * x[i] + c;
    }
}

/// The square of `1 + e` loses its `e * e` when it is rounded before the sum.
#[test]
fn strict_kernels_round_every_operation() {
    let (device, _alone) = device();
    let e = 2.0_f32.powi(-12);
    let run = |kernel: &dyn Fn(&mut Field<f32>, f32) -> swathe::Result<()>| {
        let mut x = Field::full(&device, 17, 1.0 + e).unwrap();
        kernel(&mut x, -(1.0 + 2.0 * e)).unwrap();
        x.to_vec().unwrap()
    };
    assert_eq!(run(&|x, c| rounded_twice(x, c)), [0.0; 17]);
    #[cfg(target_arch = "x86_64")]
    if std::env::var_os("SWATHE_TEST_GPU").is_some() || std::arch::is_x86_feature_detected!("fma") {
        assert_eq!(run(&|x, c| contracted(x, c)), [e * e; 17]);
    }
}
