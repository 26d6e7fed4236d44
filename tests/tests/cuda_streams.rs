//! Streams and events: what two streams do to one field keeps the order of the calls. On the software device, which runs a
//! stream's work only when somebody waits for it, a forgotten order shows every time; or with `SWATHE_TEST_GPU` on a GPU.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ndarray::Array2;
use swathe::prelude::*;
use swathe::{CudaError, Event, Graph, Soa, Stream};
use swathe_software_cuda::harness::{self, Control};

/// The device, for this test alone: calls are counted for all threads together.
fn device() -> (Device, MutexGuard<'static, ()>) {
    static ALONE: Mutex<()> = Mutex::new(());
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::enter();
    }
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    (Device::cuda(0).unwrap_or_else(|error| panic!("{error}")), alone)
}

/// The CPU and a CUDA device: streams mean the same on both.
fn devices() -> ([Device; 2], MutexGuard<'static, ()>) {
    let (device, alone) = device();
    ([Device::cpu(), device], alone)
}

#[kernel]
fn triple(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] = x[i].wrapping_mul(3).wrapping_add(i as i32);
    }
}

#[kernel]
fn add(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = out[i].wrapping_mul(5).wrapping_add(x[i]);
    }
}

/// Its sum outlives the first loop, in memory of the kernel.
#[kernel]
fn centre(x: &mut Field<i32>) {
    let mut sum = 0;
    for i in x.indices() {
        sum += x[i];
    }
    for i in x.indices() {
        x[i] -= sum;
    }
}

#[kernel]
fn gather(x: &Field<i32>, at: usize, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = x[i + at];
    }
}

/// A small generator, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

const N: usize = 67;

/// A field, and what it has to hold.
struct Pair(Field<i32>, Vec<i32>);

impl Pair {
    fn new(device: &Device, k: usize) -> Pair {
        let values: Vec<i32> = (0..N).map(|i| (i * 31 + k * 1009) as i32).collect();
        Pair(Field::from_slice(device, &values).unwrap(), values)
    }
}

/// Something with two of the fields.
fn act(dice: &mut Dice, device: &Device, fields: &mut [Pair]) -> swathe::Result<()> {
    let (a, mut b) = (dice.roll(fields.len()), dice.roll(fields.len() - 1));
    b += usize::from(b >= a);
    let [from, to] = fields.get_disjoint_mut([a, b]).unwrap();
    match dice.roll(9) {
        0..3 => {
            add(&from.0, &mut to.0)?;
            for (to, from) in to.1.iter_mut().zip(&from.1) {
                *to = to.wrapping_mul(5).wrapping_add(*from);
            }
        }
        3..5 => {
            triple(&mut to.0)?;
            for (i, to) in to.1.iter_mut().enumerate() {
                *to = to.wrapping_mul(3).wrapping_add(i as i32);
            }
        }
        5 => {
            to.0.copy_from(&from.0)?;
            to.1.clone_from(&from.1);
        }
        6 => {
            let value = dice.roll(1000) as i32;
            to.0.fill(value)?;
            to.1.fill(value);
        }
        7 => {
            // The old field goes, wherever it was used.
            *to = Pair(from.0.try_clone()?, from.1.clone());
        }
        _ => {
            let k = dice.roll(N);
            to.0.set(k, k as i32)?;
            to.1[k] = k as i32;
            let (k, other) = (dice.roll(N), dice.roll(40));
            if other == 0 {
                assert_eq!(from.0.get(k)?, from.1[k]);
            }
            if other == 1 {
                *to = Pair::new(device, k);
            }
        }
    }
    Ok(())
}

#[test]
fn programs_on_many_streams_compute_what_they_do_on_one() {
    let (devices, _alone) = devices();
    for device in devices {
        for seed in 0..if device.is_cpu() { 3 } else { 40 } {
            let mut dice = Dice(seed);
            let mut fields: Vec<Pair> = (0..5).map(|k| Pair::new(&device, k)).collect();
            let mut streams: Vec<Stream> = (0..3).map(|_| Stream::new(&device).unwrap()).collect();
            for step in 0..60 {
                let k = dice.roll(streams.len() + 1);
                match streams.get(k) {
                    Some(stream) => stream.run(|| act(&mut dice, &device, &mut fields)),
                    None => act(&mut dice, &device, &mut fields),
                }
                .unwrap_or_else(|error| panic!("{device}, seed {seed}, step {step}: {error}"));
                if dice.roll(30) == 0 {
                    // It goes with work in it.
                    streams[dice.roll(3)] = Stream::new(&device).unwrap();
                }
            }
            if seed % 2 == 0 {
                drop(streams);
            }
            for (k, Pair(field, expected)) in fields.iter().enumerate() {
                assert_eq!(field.to_vec().unwrap(), *expected, "{device}, seed {seed}, field {k}");
            }
        }
    }
}

#[test]
fn streams_wait_for_what_they_depend_on_and_for_nothing_else() {
    let (device, _alone) = device();
    let Some(control) = Control::get() else { return };
    let [mut a, mut b, mut c] = [0, 1, 2].map(|k| Pair::new(&device, k).0);
    let [left, right] = [(); 2].map(|()| Stream::new(&device).unwrap());
    device.synchronize().unwrap();
    triple::precompile(&device).unwrap();
    add::precompile(&device).unwrap();
    let joins = |work: &mut dyn FnMut() -> swathe::Result<()>| {
        control.fail("");
        work().unwrap();
        assert_eq!(control.calls("record"), control.calls("join"));
        control.calls("join")
    };
    assert_eq!(joins(&mut || (0..3).try_for_each(|_| add(&c, &mut a))), 0, "one stream");
    let both = &mut || {
        left.run(|| add(&c, &mut a))?;
        right.run(|| add(&c, &mut b))
    };
    assert_eq!(joins(both), 2, "each waits for what the device's own stream wrote");
    assert_eq!(
        joins(both),
        0,
        "two that only read one field do not wait for each other"
    );
    assert_eq!(joins(&mut || triple(&mut c)), 2, "a write waits for both readers");
    assert_eq!(joins(&mut || triple(&mut c)), 0);
    assert_eq!(joins(&mut || left.run(|| add(&c, &mut a))), 1);
    assert_eq!(joins(&mut || left.run(|| add(&b, &mut a))), 1);
    assert_eq!(
        joins(&mut || right.run(|| triple(&mut b))),
        1,
        "a write waits for a read"
    );
    drop((left, right));
    device.synchronize().unwrap();
    assert_eq!(joins(&mut || add(&a, &mut b).and_then(|()| triple(&mut c))), 0);
}

#[test]
fn launches_of_one_kernel_do_not_share_its_memory_at_once() {
    let (devices, _alone) = devices();
    for device in devices {
        let streams = [(); 4].map(|()| Stream::new(&device).unwrap());
        let mut fields: Vec<Pair> = (0..4).map(|k| Pair::new(&device, k)).collect();
        for (stream, Pair(field, _)) in streams.iter().zip(&mut fields) {
            stream.run(|| centre(field)).unwrap();
        }
        // The last one first.
        for (k, Pair(field, values)) in fields.iter().enumerate().rev() {
            let sum: i32 = values.iter().sum();
            let expected: Vec<i32> = values.iter().map(|v| v - sum).collect();
            assert_eq!(field.to_vec().unwrap(), expected, "{device}, field {k}");
        }
    }
}

#[test]
fn threads_work_on_streams_of_their_own() {
    let (devices, _alone) = devices();
    for device in devices {
        let shared = Pair::new(&device, 9);
        std::thread::scope(|scope| {
            for t in 0..8 {
                let (device, shared) = (&device, &shared);
                scope.spawn(move || {
                    let stream = Stream::new(device).unwrap();
                    let Pair(mut field, mut values) = Pair::new(device, t);
                    for _ in 0..20 {
                        stream.run(|| add(&shared.0, &mut field)).unwrap();
                        for (value, x) in values.iter_mut().zip(&shared.1) {
                            *value = value.wrapping_mul(5).wrapping_add(*x);
                        }
                    }
                    assert_eq!(field.to_vec().unwrap(), values, "{device}, thread {t}");
                });
            }
        });
    }
}

#[test]
fn events_tell_when_and_how_long() {
    let (devices, _alone) = devices();
    for device in devices {
        let stream = Stream::new(&device).unwrap();
        let mut x = Field::full(&device, 200_000, 1).unwrap();
        triple::precompile(&device).unwrap();
        let start = stream.run(|| Event::record(&device)).unwrap();
        stream.run(|| (0..5).try_for_each(|_| triple(&mut x))).unwrap();
        let end = stream.run(|| Event::record(&device)).unwrap();
        let time = end.elapsed(&start).unwrap();
        assert!(
            time > Duration::ZERO && time < Duration::from_secs(60),
            "{device}: {time:?}"
        );
        assert_eq!(start.elapsed(&end).unwrap(), Duration::ZERO);
        assert!(start.is_done().unwrap() && end.is_done().unwrap());
        end.synchronize().unwrap();
        assert_eq!(end.device(), &device);
        // Explicit order, and events that go before they have happened.
        let other = Stream::new(&device).unwrap();
        stream.run(|| triple(&mut x)).unwrap();
        other.wait(&stream.run(|| Event::record(&device)).unwrap()).unwrap();
        other.synchronize().unwrap();
        assert_eq!(stream.run(|| x.get(0)).unwrap(), 3_i32.pow(6));
        let elsewhere = Event::record(
            &if device.is_cpu() {
                Device::cuda(0)
            } else {
                Ok(Device::cpu())
            }
            .unwrap(),
        );
        let elsewhere = elsewhere.unwrap();
        let error = end.elapsed(&elsewhere).unwrap_err();
        let names = [device.to_string(), elsewhere.device().to_string()];
        assert!(
            matches!(error, Error::OtherDevice { expected, got, .. } if names == [expected, got]),
            "{error}"
        );
        stream.wait(&elsewhere).unwrap();
    }
}

#[test]
fn events_happen_when_the_work_before_them_has_ended() {
    let (device, _alone) = device();
    if Control::get().is_none() {
        return;
    }
    let mut x = Pair::new(&device, 0).0;
    triple::precompile(&device).unwrap();
    device.synchronize().unwrap();
    triple(&mut x).unwrap();
    let event = Event::record(&device).unwrap();
    assert!(!event.is_done().unwrap(), "nobody has waited");
    event.synchronize().unwrap();
    assert!(event.is_done().unwrap());
}

#[test]
fn failures_in_a_stream_are_told_by_who_waits() {
    let (device, _alone) = device();
    let stream = Stream::new(&device).unwrap();
    let x = Field::full(&device, 5, 1).unwrap();
    let mut out = Field::full(&device, 5, 0).unwrap();
    let mut fail = || stream.run(|| gather(&x, 2, &mut out)).unwrap();
    let told = |result: swathe::Result<()>| {
        let error = result.unwrap_err();
        assert!(
            matches!(
                error,
                Error::OutOfBounds {
                    kernel: "gather",
                    count: 2,
                    ..
                }
            ),
            "{error}"
        );
    };
    fail();
    told(stream.synchronize());
    stream.synchronize().unwrap();
    fail();
    told(device.synchronize());
    fail();
    told(stream.run(|| Event::record(&device)).unwrap().synchronize());
    fail();
    told(out.get(0).map(drop));
    assert_eq!(out.to_vec().unwrap(), [1, 1, 1, 0, 0]);
}

/// The sum of what lies `at` from each place on, which fails where that is outside.
#[kernel]
fn shifted_sum(x: &Field<i32>, at: usize) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        sum += x[i + at];
    }
    sum
}

#[test]
fn a_failed_result_is_told_to_its_caller_whoever_else_waits() {
    let (devices, _alone) = devices();
    for device in devices {
        let x = Field::from_slice(&device, &[3, 5, 7]).unwrap();
        std::thread::scope(|scope| {
            let callers: Vec<_> = (0..3)
                .map(|t| {
                    let x = &x;
                    scope.spawn(move || {
                        for k in 0..60 {
                            // Of three threads at once, with one shape: some fail, others do not.
                            let at = (t + k) % 3;
                            match shifted_sum(x, at) {
                                Ok(sum) => assert_eq!((at, sum), (0, 15), "a sum of which a part failed"),
                                Err(Error::OutOfBounds { count, .. }) => assert_eq!(count, at, "failures of others"),
                                Err(error) => panic!("{error}"),
                            }
                        }
                    })
                })
                .collect();
            let mut told = Vec::new();
            while callers.iter().any(|caller| !caller.is_finished()) {
                told.extend(device.synchronize().err());
            }
            assert!(
                told.is_empty(),
                "{device}: a failure that another call has told or will tell: {told:?}"
            );
        });
    }
}

#[test]
fn graphs_take_part_in_the_order_of_streams() {
    let (device, _alone) = device();
    let Pair(mut a, mut expected_a) = Pair::new(&device, 1);
    let Pair(mut b, mut expected_b) = Pair::new(&device, 2);
    let streams = [(); 2].map(|()| Stream::new(&device).unwrap());
    let graph = streams[0]
        .run(|| {
            Graph::capture(&device, || {
                add(&a, &mut b)?;
                triple(&mut a)
            })
        })
        .unwrap();
    for k in 0..7 {
        if k == 3 {
            graph.launch().unwrap();
        } else {
            streams[k % 2].run(|| graph.launch()).unwrap();
        }
        triple(&mut b).unwrap();
        for i in 0..N {
            expected_b[i] = expected_b[i].wrapping_mul(5).wrapping_add(expected_a[i]);
            expected_a[i] = expected_a[i].wrapping_mul(3).wrapping_add(i as i32);
            expected_b[i] = expected_b[i].wrapping_mul(3).wrapping_add(i as i32);
        }
    }
    assert_eq!(b.to_vec().unwrap(), expected_b);
    drop(a);
    // What takes its memory, if anything could, does not disturb the graph.
    let others: Vec<Pair> = (0..4).map(|k| Pair::new(&device, k)).collect();
    streams[1].run(|| graph.launch()).unwrap();
    for i in 0..N {
        expected_b[i] = expected_b[i].wrapping_mul(5).wrapping_add(expected_a[i]);
    }
    drop((graph, streams));
    assert_eq!(b.to_vec().unwrap(), expected_b);
    for Pair(field, values) in others {
        assert_eq!(field.to_vec().unwrap(), values);
    }
}

#[test]
fn a_capture_refuses_streams_and_events() {
    let (device, _alone) = device();
    let stream = Stream::new(&device).unwrap();
    let event = Event::record(&device).unwrap();
    let mut x = Pair::new(&device, 0).0;
    let mut refused =
        |what: &str, work: &mut (dyn FnMut(&mut Field<i32>) -> swathe::Result<()> + Send)| match Graph::capture(
            &device,
            || work(&mut x),
        ) {
            Err(Error::NotCapturable { what: said, reason }) => {
                assert!(said.contains(what) && !reason.is_empty(), "{said}: {reason}");
            }
            other => panic!("{what}: {other:?}"),
        };
    refused("another stream", &mut |x| stream.run(|| triple(x)));
    refused("an event", &mut |_| Event::record(&device).map(drop));
    refused("waiting for an event", &mut |_| stream.wait(&event));
    refused("waiting for an event", &mut |_| event.synchronize());
    refused("waiting for an event", &mut |_| event.elapsed(&event).map(drop));
    refused("waiting for a stream", &mut |_| stream.synchronize());
    device.synchronize().unwrap();
}

#[test]
fn there_are_so_many_streams_and_no_leaks() {
    let (device, _alone) = device();
    device.synchronize().unwrap();
    let live = || Control::get().map(|control| ["stream", "event", "memory"].map(|kind| control.live(kind)));
    // What stays for good: the event for waits.
    drop(Stream::new(&device).unwrap());
    device.synchronize().unwrap();
    let before = live();
    let mut x = Pair::new(&device, 0);
    let mut streams: Vec<Stream> = (0..63).map(|_| Stream::new(&device).unwrap()).collect();
    let error = Stream::new(&device).unwrap_err();
    let expected = CudaError::TooManyStreams {
        device: device.to_string(),
        most: 63,
    };
    assert_eq!(error, expected.into());
    assert_eq!(
        error.to_string(),
        format!("{device} has its 63 streams already: drop one, or use one of them")
    );
    for (k, stream) in streams.iter().enumerate() {
        let copy = Pair::new(&device, k);
        stream.run(|| add(&copy.0, &mut x.0)).unwrap();
        for (x, copy) in x.1.iter_mut().zip(&copy.1) {
            *x = x.wrapping_mul(5).wrapping_add(*copy);
        }
    }
    streams.truncate(30);
    streams.push(Stream::new(&device).unwrap());
    assert_eq!(x.0.to_vec().unwrap(), x.1);
    drop((streams, x));
    device.synchronize().unwrap();
    assert_eq!(live(), before);
}

#[test]
fn a_panic_within_a_stream_leaves_it() {
    let (device, _alone) = device();
    let Some(control) = Control::get() else { return };
    let stream = Stream::new(&device).unwrap();
    let Pair(mut x, _) = Pair::new(&device, 0);
    let panics = AssertUnwindSafe(|| stream.run(|| -> swathe::Result<()> { panic!("on purpose") }));
    let panicked = catch_unwind(panics);
    assert!(panicked.is_err());
    triple::precompile(&device).unwrap();
    control.fail("");
    triple(&mut x).unwrap();
    assert_eq!(control.calls("join"), 0, "the device's own stream again");
}

/// What a thread keeps until it ends.
enum Kept {
    Nothing,
    Field { _x: Field<i32> },
    Used(Field<i32>),
    Stream(Field<i32>, Stream),
    Graph(Field<i32>, Graph),
    Captured(Field<i32>),
}

impl Drop for Kept {
    fn drop(&mut self) {
        let check = |x: &Field<i32>, expected| assert_eq!(x.to_vec().unwrap(), expected);
        match self {
            Kept::Nothing | Kept::Field { .. } => {}
            Kept::Used(x) => {
                triple(x).unwrap();
                check(x, [3, 4, 5]);
                x.device().synchronize().unwrap();
            }
            Kept::Stream(x, stream) => {
                stream.run(|| triple(x)).unwrap();
                check(x, [3, 4, 5]);
            }
            Kept::Graph(x, graph) => {
                graph.launch().unwrap();
                check(x, [3, 4, 5]);
            }
            Kept::Captured(x) => {
                let device = x.device().clone();
                let graph = Graph::capture(&device, || triple(x)).unwrap();
                graph.launch().unwrap();
                check(x, [3, 4, 5]);
            }
        }
    }
}

thread_local! {
    static KEPT: std::cell::RefCell<Vec<Kept>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// A thread's own values end in an order that nobody knows: fields among them find the device as ever.
#[test]
fn kept_until_a_thread_ends() {
    let (device, _alone) = device();
    let field = |device: &Device| Field::full(device, 3, 1).unwrap();
    let make: [fn(&Device, Field<i32>) -> Kept; 6] = [
        |_, x| Kept::Field { _x: x },
        |_, x| Kept::Field {
            _x: Field::from_dlpack(x.into_dlpack().unwrap()).unwrap(),
        },
        |_, x| Kept::Used(x),
        |device, x| Kept::Stream(x, Stream::new(device).unwrap()),
        |device, mut x| {
            let graph = Graph::capture(device, || triple(&mut x)).unwrap();
            Kept::Graph(x, graph)
        },
        |_, x| Kept::Captured(x),
    ];
    for make in make {
        let device = device.clone();
        let thread = std::thread::spawn(move || {
            // Registered before what the backend keeps for the thread, and so ended after it.
            KEPT.with_borrow_mut(|kept| kept.push(Kept::Nothing));
            let kept = make(&device, field(&device));
            KEPT.with_borrow_mut(|all| all.push(kept));
        });
        thread.join().unwrap();
    }
    device.synchronize().unwrap();
}

/// In every state of a field both members of all elements are equal.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Twins {
    a: i32,
    b: i32,
}

#[kernel]
fn step(x: &mut Field<Twins>) {
    for i in x.indices() {
        x[i].a += 1;
        x[i].b += 1;
    }
}

/// How many elements there never were.
#[kernel]
fn torn(x: &Field<Twins>) -> usize {
    let mut torn = 0;
    for i in x.indices() {
        if x[i].a != x[i].b {
            torn += 1;
        }
    }
    torn
}

#[kernel]
fn count_up(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] += 1;
    }
}

/// How many elements are not as the one before.
#[kernel]
fn spread(x: &Field<i32>) -> usize {
    let mut others = 0;
    for i in x.indices() {
        if i > 0 && x[i] != x[i - 1] {
            others += 1;
        }
    }
    others
}

#[kernel]
fn turn(positions: &mut Field<u32>) {
    for i in positions.indices() {
        positions[i] = (positions[i] + 1) % positions.len() as u32;
    }
}

/// Does work while another thread launches a graph.
fn while_launched(device: &Device, graph: &Graph, work: impl FnOnce()) {
    struct Stop<'a>(&'a AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let (stop, launches) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                graph.launch().unwrap();
                Event::record(device).unwrap().synchronize().unwrap();
                launches.fetch_add(1, Ordering::Relaxed);
            }
        });
        let _stop = Stop(&stop);
        while launches.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        work();
    });
}

fn are_twins(x: &Twins) -> bool {
    x.a == x.b
}

#[kernel]
fn flip(positions: &mut Field<u32>) {
    for i in positions.indices() {
        positions[i] = 102 - positions[i];
    }
}

/// A wrong position is read again for the error.
#[test]
fn errors_name_the_position_that_was_wrong() {
    let (device, _alone) = device();
    let mut positions = Field::full(&device, 8, 3_u32).unwrap();
    let values = Field::from_fn(&device, 50, |[i]| i as i32).unwrap();
    let graph = Graph::capture(&device, || flip(&mut positions)).unwrap();
    while_launched(&device, &graph, || {
        for _ in 0..300 {
            let taken = [values.take(&positions).err(), values.select(0, &positions).err()];
            for error in taken.into_iter().flatten() {
                match error {
                    Error::Position { position: 99, .. } => {}
                    other => panic!("{other}"),
                }
            }
        }
    });
}

#[test]
fn a_call_of_several_transfers_is_one_to_graphs() {
    let (device, _alone) = device();
    // So many that a text leaves some out.
    let mut x = Field::<Twins>::zeros_in(&device, 601, Soa).unwrap();
    let mut positions = Field::from_fn(&device, 64, |[i]| i as u32).unwrap();
    let mut places = Field::<u32>::zeros(&device, 64).unwrap();
    let ones = Field::full(&device, 64, 1).unwrap();
    let graph = Graph::capture(&device, || {
        step(&mut x)?;
        turn(&mut positions)
    });
    torn(&x).unwrap();
    while_launched(&device, &graph.unwrap(), || {
        for k in 0..50 {
            assert!(x.to_vec().unwrap().iter().all(are_twins), "to_vec");
            assert!(are_twins(&x.get(k).unwrap()), "get");
            assert!(are_twins(&x.view().get(k).unwrap()), "get of a view");
            let arrays = x.to_arrays().unwrap();
            assert_eq!(
                arrays.array::<i32, ndarray::Ix1>("a").unwrap(),
                arrays.array::<i32, ndarray::Ix1>("b").unwrap()
            );
            assert!(x == x, "a field is itself");
            let text = format!("{x:?}");
            let mut elements = text.split("Twins").skip(1).map(|text| text.split('}').next());
            let first = elements.next();
            assert!(elements.all(|element| Some(element) == first), "{text}");

            let both = Twins { a: 3, b: 3 };
            let check = |x: &Field<Twins, 1, Soa>, what: &str| assert_eq!(torn(x).unwrap(), 0, "{what}");
            x.fill(both).unwrap();
            check(&x, "fill");
            x.set(k, both).unwrap();
            check(&x, "set");
            x.copy_from_slice(&[both; 601]).unwrap();
            check(&x, "copy_from_slice");
            x.copy_from_arrays(&arrays).unwrap();
            check(&x, "copy_from_arrays");
            x.fill(both).unwrap();

            places.fill(0).unwrap();
            places.put(&positions, &ones).unwrap();
            assert_eq!(places.sum().unwrap(), 64, "put");
        }
    });
}

#[test]
fn a_call_of_several_blocks_is_one_to_graphs() {
    let (device, _alone) = device();
    // More than goes through the host's buffer at once.
    let mut x = Field::<i32>::zeros(&device, 1_100_000).unwrap();
    let mut y = Field::<Twins>::zeros(&device, 600_000).unwrap();
    let graph = Graph::capture(&device, || {
        count_up(&mut x)?;
        step(&mut y)
    });
    torn(&y).unwrap();
    let mut array = Array2::<i32>::zeros((x.len(), 2));
    while_launched(&device, &graph.unwrap(), || {
        for _ in 0..3 {
            x.copy_to_ndarray(&mut array.column_mut(1)).unwrap();
            let first = array[[0, 1]];
            assert!(array.column(1).iter().all(|value| *value == first), "copy_to_ndarray");
            x.copy_from_ndarray(&array.column(1)).unwrap();
            assert_eq!(spread(&x).unwrap(), 0, "copy_from_ndarray");
            let arrays = y.to_arrays().unwrap();
            let [a, b] = ["a", "b"].map(|name| arrays.array::<i32, ndarray::Ix1>(name).unwrap());
            assert!(a == b && a.iter().all(|value| *value == a[0]), "to_arrays");
            y.copy_from_arrays(&arrays).unwrap();
            let elements = y.to_vec().unwrap();
            assert!(
                elements.iter().all(|element| *element == elements[0]),
                "copy_from_arrays"
            );
        }
    });
}

/// Whoever tells a failure waits until nobody queues work.
#[test]
fn a_call_of_several_transfers_tells_what_failed_before() {
    let (device, _alone) = device();
    let mut x = Field::<Twins>::zeros_in(&device, 5, Soa).unwrap();
    let source = Field::full(&device, 5, 1).unwrap();
    let mut out = Field::full(&device, 5, 0).unwrap();
    let graph = Graph::capture(&device, || {
        step(&mut x)?;
        gather(&source, 2, &mut out)
    });
    let graph = graph.unwrap();
    for k in 1..4 {
        graph.launch().unwrap();
        let error = match k {
            1 => x.to_vec().map(drop),
            2 => x.get(1).map(drop),
            _ => x.to_arrays().map(drop),
        };
        let error = error.unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { count: 2, .. }), "{error}");
        assert_eq!(x.to_vec().unwrap(), [Twins { a: k, b: k }; 5]);
    }
    // A comparison leaves it to others.
    graph.launch().unwrap();
    assert!(x == x);
    assert!(device.synchronize().is_err());
    device.synchronize().unwrap();
}

fn pool() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap()
}

/// A thread of rayon's that waits runs jobs of others.
#[test]
fn a_capture_records_no_work_of_other_jobs() {
    let (device, _alone) = device();
    let mut a = Field::<i32>::zeros(&device, N).unwrap();
    let other = Arc::new(Mutex::new(Field::<i32>::zeros(&device, N).unwrap()));
    count_up(&mut a).unwrap();
    let graph = pool().install(|| {
        let job = Arc::clone(&other);
        rayon::spawn(move || count_up(&mut *job.lock().unwrap()).unwrap());
        Graph::capture(&device, || {
            count_up(&mut a)?;
            let (here, there) = rayon::join(|| count_up(&mut a), || ());
            while rayon::yield_now() == Some(rayon::Yield::Executed) {}
            here.map(|()| there)
        })
    });
    let graph = graph.unwrap();
    // The job may not have begun when the pool goes, which lets it end.
    let mut waited = Duration::ZERO;
    while other.lock().unwrap().get(0).unwrap() == 0 && waited < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(1));
        waited += Duration::from_millis(1);
    }
    assert_eq!(other.lock().unwrap().to_vec().unwrap(), [1; N]);
    assert_eq!(a.to_vec().unwrap(), [1; N], "what is recorded does not run now");
    for _ in 0..2 {
        graph.launch().unwrap();
    }
    assert_eq!(other.lock().unwrap().to_vec().unwrap(), [1; N]);
    assert_eq!(a.to_vec().unwrap(), [5; N]);
}

#[test]
fn a_capture_in_a_pool_is_as_elsewhere() {
    let (device, _alone) = device();
    let mut a = Field::<i32>::zeros(&device, N).unwrap();
    let pool = pool();
    count_up(&mut a).unwrap();
    let refused = |what: &str, result: swathe::Result<Graph>| {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::NotCapturable { .. }), "{what}: {error}");
    };
    pool.install(|| {
        let nested = || Graph::capture(&device, || Ok(())).map(drop);
        refused("nested", Graph::capture(&device, nested));
        refused("reading", Graph::capture(&device, || a.get(0).map(drop)));
        let panic = catch_unwind(AssertUnwindSafe(|| {
            Graph::capture(&device, || {
                count_up(&mut a)?;
                panic!("within")
            })
        }));
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"within"));
        // Nothing captures any more.
        count_up(&mut a).unwrap();
        assert_eq!(a.to_vec().unwrap(), [2; N]);
        // Whoever waits here runs no job that may want what this one has.
        let lock = Mutex::new(());
        rayon::scope(|scope| {
            let held = lock.lock().unwrap();
            scope.spawn(|_| drop(lock.lock().unwrap()));
            Graph::capture(&device, || count_up(&mut a)).unwrap().launch().unwrap();
            drop(held);
        });
        let stream = Stream::new(&device).unwrap();
        let graph = stream.run(|| Graph::capture(&device, || count_up(&mut a))).unwrap();
        stream.run(|| graph.launch()).unwrap();
    });
    assert_eq!(a.to_vec().unwrap(), [4; N]);
}
