//! That the interpreter finds what is wrong, and how many instructions kernels take.

mod common;

use common::{Buffer, from_bytes, interpret_text, module, numbers, run_in_orders};
use swathe_device_kernels::plan::{self, Array, Items, Lanes, Operation, Scalar};
use swathe_device_kernels::{Entry, Launch, ptx};
use swathe_ptx_interpreter::Module;

#[test]
fn all_of_the_text_is_understood() {
    for entry in Entry::all() {
        let module = module(entry.family);
        assert!(module.parameters(entry.name).is_some(), "{entry:?}");
        // What the assembler joins would differ from the host.
        assert_eq!(module.joinable(), None, "{entry:?}");
    }
}

/// A sum, run with this text.
fn sum(text: &str, count: usize, writable: bool) -> Result<u64, String> {
    let module = Module::parse(text)?;
    let mut from = Buffer::input(&vec![1_u32; count]);
    let mut to = Buffer::new(vec![0; 4], 0, writable);
    let items = Items::all(1000);
    let launches = plan::reduce(
        Operation::Sum,
        Scalar::U32,
        from.address(),
        (to.address(), Scalar::U32),
        &items,
        0,
    );
    let regions = [from.region(), to.region()];
    interpret_text(&module, &launches[0], 1, &regions)
}

#[test]
fn a_missing_barrier_and_wrong_accesses_are_found() {
    let text = ptx::text("reduce");
    assert!(sum(text, 1000, true).is_ok());
    let without = text.replace("\tbar.sync \t0;\n", "");
    assert!(without.len() < text.len());
    let why = sum(&without, 1000, true).unwrap_err();
    assert!(why.contains("shared memory"), "{why}");
    for why in [sum(text, 999, true).unwrap_err(), sum(text, 1000, false).unwrap_err()] {
        assert!(why.contains("which it must not"), "{why}");
    }
}

/// Sums, prefix sums and a search have the same bits in a dozen orders of blocks, warps and lanes.
#[test]
fn the_order_of_threads_changes_nothing() {
    const SEEDS: u64 = 12;
    let count = 5003_u64;
    let floats: Vec<f32> = numbers(count as usize).map(|x| (x >> 40) as f32 / 1e3).collect();
    let items = Items::all(count);
    let buffers = vec![
        Buffer::input(&floats),
        Buffer::output(&[0_f32]),
        Buffer::scratch(plan::reduce_scratch(Scalar::F32, Scalar::F32, &items)),
    ];
    let done = run_in_orders(buffers, SEEDS, |at| {
        plan::reduce(Operation::Sum, Scalar::F32, at[0], (at[1], Scalar::F32), &items, at[2])
    });
    let sum: f64 = floats.iter().map(|&x| f64::from(x)).sum();
    let found = f64::from(from_bytes::<f32>(&done[1])[0]);
    assert!((found - sum).abs() < sum * 1e-6, "{found} {sum}");
    let lanes = Lanes::all(count);
    let buffers = vec![
        Buffer::input(&floats),
        Buffer::output(&vec![0_f32; count as usize]),
        Buffer::scratch(plan::scan_scratch(Scalar::F32, &lanes)),
    ];
    run_in_orders(buffers, SEEDS, |at| {
        plan::scan(Scalar::F32, at[0], at[1], &lanes, true, at[2])
    });
    // Blocks race for the least position.
    let mut other = floats.clone();
    for k in [77, 1300, 4999] {
        other[k] = -1.0;
    }
    let buffers = vec![
        Buffer::input(&floats),
        Buffer::input(&other),
        Buffer::output(&[u64::MAX]),
    ];
    let done = run_in_orders(buffers, SEEDS, |at| {
        plan::differ(Scalar::F32, at[0], at[1], count, at[2])
    });
    assert_eq!(from_bytes::<u64>(&done[2]), [77]);
}

/// Instructions of all threads for each item, of many.
fn per_item(items: usize, bytes: [usize; 2], plan: impl Fn(u64, u64) -> Vec<Launch>) -> f64 {
    let mut from = Buffer::new(numbers(bytes[0]).map(|x| x as u8).collect(), 0, false);
    let mut to = Buffer::new(vec![0; bytes[1]], 0, true);
    let launches = plan(from.address(), to.address());
    let regions = [from.region(), to.region()];
    let count = |launch: &Launch| interpret_text(&module(launch.entry.family), launch, 1, &regions).unwrap();
    launches.iter().map(count).sum::<u64>() as f64 / items as f64
}

#[test]
fn instructions_for_each_item() {
    const N: usize = 1 << 18;
    let array = |address, strides| Array { address, strides };
    let dense = [4096, 4];
    let (turned, halves) = ([4, 1024], [8196, 8]);
    let shape = [256, 1024];
    let costs = [
        (
            "fill of 16 bytes",
            per_item(N / 4, [0, N * 4], |_, to| {
                plan::fill(to, N as u64 * 4, &1.5_f32.to_le_bytes())
            }),
            5.5,
        ),
        (
            "contiguous copy of 16 bytes",
            per_item(N / 4, [N * 4; 2], |from, to| {
                plan::copy(array(from, &dense), array(to, &dense), &shape, 4)
            }),
            28.0,
        ),
        (
            "strided copy",
            per_item(N, [N * 9, N * 4], |from, to| {
                plan::copy(array(from, &halves), array(to, &dense), &shape, 4)
            }),
            28.0,
        ),
        (
            "transposition",
            per_item(N, [N * 4; 2], |from, to| {
                plan::copy(array(from, &dense), array(to, &turned), &shape, 4)
            }),
            50.0,
        ),
        (
            "sum in one thread for each column",
            per_item(N, [N * 4, 4096 * 4], |from, to| {
                plan::reduce(
                    Operation::Sum,
                    Scalar::F32,
                    from,
                    (to, Scalar::F32),
                    &Items::axis(1, 64, 4096),
                    0,
                )
            }),
            5.5,
        ),
        (
            "sum of rows",
            per_item(N, [N * 4, 128 * 4], |from, to| {
                plan::reduce(
                    Operation::Sum,
                    Scalar::F32,
                    from,
                    (to, Scalar::F32),
                    &Items::axis(128, 2048, 1),
                    0,
                )
            }),
            20.0,
        ),
    ];
    for (what, cost, most) in costs {
        println!("{what}: {cost:.1} instructions");
        assert!(cost <= most, "{what}: {cost:.1} instructions");
    }
}
