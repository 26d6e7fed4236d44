//! Prints what a kernel call costs on the CPU, apart from its work.

use std::hint::black_box;
use std::ops::Range;
use std::time::Instant;

use swathe::host::parallel::{for_each, reduce};
use swathe::kernel::{Arithmetic, KernelInfo};
use swathe::launch::Launch;
use swathe::{Argument, Device, Field, Result};

static INFO: KernelInfo = KernelInfo {
    name: "add",
    file: file!(),
    line: 1,
    arithmetic: Arithmetic::Contracted,
    optimised: true,
    sites: &[],
    files: &[],
    loops: &[],
};

fn add(a: &Field<f32>, b: &mut Field<f32>, cost: Option<u32>) -> Result<()> {
    let mut launch = Launch::new(&INFO);
    launch.argument("a", Argument::<Field<f32>>::place(a))?;
    launch.argument("b", Argument::<Field<f32>>::place(b))?;
    let (a, b) = (a.access(), b.access_mut());
    launch.run(&mut |_| {
        for_each(a.len(), cost, |range: Range<usize>| {
            for i in range {
                // SAFETY: both fields have as many elements, and one thread alone gets `i`.
                unsafe { *b.unchecked(i) += *a.unchecked(i) };
            }
        });
        Ok(())
    })
}

fn sum(a: &Field<f32>, cost: Option<u32>) -> Result<f32> {
    let mut launch = Launch::new(&INFO);
    launch.argument("a", Argument::<Field<f32>>::place(a))?;
    let a = a.access();
    launch.run_for(&mut |_| {
        let body = |range: Range<usize>, mut s: f32| {
            for i in range {
                // SAFETY: `i` is below the length.
                s += unsafe { *a.unchecked(i) };
            }
            s
        };
        Ok(reduce(a.len(), cost, || 0.0, body, |x, y| x + y))
    })
}

/// Best and median time of a call, in nanoseconds.
fn time(mut call: impl FnMut()) -> (f64, f64) {
    let mut times: Vec<f64> = (0..300)
        .map(|_| {
            let start = Instant::now();
            let mut calls = 0;
            while calls < 16 && (calls == 0 || start.elapsed().as_nanos() < 100_000) {
                call();
                calls += 1;
            }
            start.elapsed().as_nanos() as f64 / f64::from(calls)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[0], times[times.len() / 2])
}

fn main() -> Result<()> {
    let device = Device::cpu();
    println!("{} threads; nanoseconds, best and median", rayon::current_num_threads());
    println!(
        "{:>9} {:>20} {:>20} {:>20} {:>20}",
        "n", "for known", "for unknown", "reduce known", "reduce unknown"
    );
    for n in [0, 1, 16, 64, 256, 1000, 4096, 16_384, 65_536, 262_144, 1 << 20, 1 << 24] {
        let a = Field::full(&device, n, 1.0_f32)?;
        let mut b = Field::zeros(&device, n)?;
        print!("{n:>9}");
        for cost in [Some(3), None] {
            let (best, median) = time(|| add(&a, black_box(&mut b), cost).unwrap_or_else(|e| panic!("{e}")));
            print!(" {best:>10.0}{median:>10.0}");
        }
        for cost in [Some(4), None] {
            let (best, median) = time(|| {
                black_box(sum(black_box(&a), cost).unwrap_or_else(|e| panic!("{e}")));
            });
            print!(" {best:>10.0}{median:>10.0}");
        }
        println!();
    }
    Ok(())
}
