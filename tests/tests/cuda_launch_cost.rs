//! A launch allocates nothing on the host, and asks the driver for nothing beside the launch.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use swathe::prelude::*;
use swathe_software_cuda::harness::{self, Control};

/// Counts the allocations of each thread. The software device is a library with an allocator of its own.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: passed on.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[kernel]
fn axpy(a: f64, x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

#[kernel]
fn spread(x: &Field<f64, 2>, scale: Vec3, rows: [u32; 3], out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] += x[[rows[i % 3] as usize, i]] * scale[i % 3] as f64;
    }
}

#[kernel]
fn histogram(keys: &Field<u32>, bins: &mut Field<u32>) {
    for i in keys.indices() {
        bins[keys[i] as usize].atomic_add(1);
    }
}

/// What so many launches cost: allocations, and calls of the driver by kind.
fn cost(control: &Control, launch: &mut dyn FnMut() -> swathe::Result<()>) -> (usize, [usize; 7]) {
    launch().unwrap();
    control.fail("");
    let before = COUNT.get();
    for _ in 0..100 {
        launch().unwrap();
    }
    let allocated = COUNT.get() - before;
    let kinds = ["launch", "memset", "copy", "event", "record", "join", "sync"];
    (allocated, kinds.map(|kind| control.calls(kind)))
}

#[test]
fn launches_allocate_nothing_and_ask_for_nothing_else() {
    harness::enter();
    let control = Control::get().unwrap();
    let device = Device::cuda(0).unwrap();
    let x = Field::full(&device, 100, 2.0).unwrap();
    let mut y = Field::zeros(&device, 100).unwrap();
    let wide = Field::full(&device, [4, 100], 1.0).unwrap();
    let alone = (0, [100, 0, 0, 0, 0, 0, 0]);
    let plain = &mut || axpy(0.5, &x, &mut y);
    assert_eq!(cost(&control, plain), alone);
    assert_eq!(
        cost(&control, &mut || spread(&wide, Vec3::ONE, [3, 0, 1], &mut y)),
        alone
    );
    // Also when there are streams, and on one of them.
    let stream = swathe::Stream::new(&device).unwrap();
    assert_eq!(cost(&control, &mut || axpy(0.5, &x, &mut y)), alone);
    assert_eq!(cost(&control, &mut || stream.run(|| axpy(0.5, &x, &mut y))), alone);
    device.synchronize().unwrap();
    assert_eq!(y.get(0).unwrap(), 404.0);

    // Small fields beside long loops are changed in copies, by code of its own.
    let mut codes = Vec::new();
    for (n, bins) in [
        (100, 256),
        (200_000, 256),
        (200_000, 4096),
        (200_000, 5),
        (200_000, 100_000),
    ] {
        let before = control.live("module");
        let keys = Field::from_fn(&device, n, |[i]| i as u32 % 5).unwrap();
        let mut bins = Field::zeros(&device, bins).unwrap();
        assert_eq!(cost(&control, &mut || histogram(&keys, &mut bins)), alone);
        assert_eq!(bins.get(4).unwrap(), 101 * n as u32 / 5);
        codes.push(control.live("module") - before);
    }
    assert_eq!(codes, [1, 1, 0, 0, 0]);
}
