//! Launches as generated code makes them.

use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

use swathe::host::parallel::for_each;
use swathe::kernel::{Arithmetic, KernelInfo, Site};
use swathe::launch::{Failed, Launch};
use swathe::{Argument, Coverage, Device, Error, Field, Result};

mod devices;
mod tape;

const ABOUT: KernelInfo = KernelInfo {
    name: "shift",
    file: "src/shift.rs",
    line: 12,
    arithmetic: Arithmetic::Contracted,
    optimised: true,
    sites: &[
        Site {
            field: "a",
            line: 14,
            column: 9,
            coverage: Coverage::InPlace,
            in_unsafe: false,
        },
        Site {
            field: "b",
            line: 15,
            column: 20,
            coverage: Coverage::InPlace,
            in_unsafe: false,
        },
    ],
    files: &[],
    loops: &[],
};

static INFO: KernelInfo = ABOUT;

/// `b[[i, j]] = a[[i + by, j]] / (i + j - zero)`.
fn shift(a: &Field<i32, 2>, b: &mut Field<i32, 2>, by: usize, zero: i32) -> Result<()> {
    let mut launch = Launch::new(&INFO);
    launch.argument("a", Argument::<Field<i32, 2>>::place(a))?;
    launch.argument("b", Argument::<Field<i32, 2>>::place(b))?;
    assert!(launch.device().is_cpu());
    let [_, w] = b.shape();
    let (a, b) = (a.access(), b.access_mut());
    launch.run(&mut |launch| {
        for_each(b.len(), Some(u32::MAX), |range: Range<usize>| {
            for [i, j] in range.map(|k| [k / w, k % w]) {
                let index = [i + by, j];
                let Some(from) = a.checked(index) else {
                    a.fail(launch, 0, index);
                    continue;
                };
                // SAFETY: `from` was checked; `i` and `j` are inside, and no other iteration has both.
                unsafe { *b.unchecked([i, j]) = *from / (i as i32 + j as i32 - zero) };
            }
        });
        Ok(())
    })
}

#[test]
fn failures() -> Result<()> {
    let device = Device::cpu();
    let a = Field::from_fn(&device, [40, 30], |[i, j]| (i * 30 + j) as i32)?;
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| -> Result<()> {
            let mut b = Field::full(&device, [40, 30], -1)?;
            shift(&a, &mut b, 0, -1)?;
            assert_eq!(b.get([7, 2])?, 212 / 10);

            b.fill(-1)?;
            let error = shift(&a, &mut b, 2, -1).unwrap_err();
            assert_eq!(
                error.to_string(),
                "src/shift.rs:14:9: kernel `shift` accessed `a` at [40, 0], outside its shape [40, 30] (and 59 more failures)"
            );
            for (k, v) in b.to_vec()?.into_iter().enumerate() {
                let [i, j] = [k as i32 / 30, k as i32 % 30];
                assert_eq!(v, if i < 38 { ((i + 2) * 30 + j) / (i + j + 1) } else { -1 });
            }

            let error = shift(&a, &mut b, 0, 9).unwrap_err();
            assert_eq!(
                error.to_string(),
                "src/shift.rs:12: kernel `shift` panicked: attempt to divide by zero"
            );
            shift(&a, &mut b, 0, -1)?;
            assert_eq!(b.get([39, 29])?, 1199 / 69);
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn results() {
    let failed = Launch::new(&INFO).run(&mut |launch| {
        launch.fail(1, &[3], &[2], None);
        Err(Failed)
    });
    let expected = "src/shift.rs:15:20: kernel `shift` accessed `b` at [3], outside its shape [2]";
    assert_eq!(failed.unwrap_err().to_string(), expected);
    let twice = Launch::new(&INFO).run_for(&mut |launch| {
        launch.fail(1, &[], &[], None);
        launch.fail(0, &[4, 5, 6, 7, 8, 9], &[1, 2, 3, 4, 5, 6], None);
        Ok(3)
    });
    assert!(matches!(
        twice,
        Err(Error::OutOfBounds {
            count: 2,
            line: 14,
            column: 9,
            ..
        })
    ));
    assert_eq!(Launch::new(&INFO).run_for(&mut |_| Ok(3)), Ok(3));
    let failed = Launch::new(&INFO).run_for::<u32>(&mut |launch| {
        launch.fail(1, &[3], &[2], None);
        Err(Failed)
    });
    assert_eq!(failed.unwrap_err().to_string(), expected);
    let panicked = Launch::new(&INFO).run_for::<u32>(&mut |_| panic!("{} is {}", 1, "worse"));
    assert!(matches!(panicked, Err(Error::KernelPanic { message, .. }) if message == "1 is worse"));
    let panicked = Launch::new(&INFO).run(&mut |_| panic!("{} is {}", 1, "bad"));
    assert!(matches!(panicked, Err(Error::KernelPanic { message, .. }) if message == "1 is bad"));
}

/// A division has two failures at one place; which is told does not depend on the order in which threads come.
#[test]
fn two_failures_at_one_place() {
    let texts = ["attempt to divide with overflow", "attempt to divide by zero"];
    for order in [[0, 1], [1, 0]] {
        let failed = Launch::new(&INFO).run(&mut |launch| {
            order.iter().for_each(|k| launch.failed(1, 16, 9, texts[*k], &[]));
            Ok(())
        });
        let expected = "src/shift.rs:16:9: kernel `shift` failed: attempt to divide by zero (and 1 more failure)";
        assert_eq!(failed.unwrap_err().to_string(), expected);
    }
}

/// Calls from tasks of one pool, each on fields of its own.
#[test]
fn nested_in_a_pool() {
    use rayon::prelude::*;
    let ok = (0..20).into_par_iter().all(|k| {
        let device = Device::cpu();
        let a = Field::full(&device, [30, 20], k * 100).unwrap();
        let mut b = Field::zeros(&device, [30, 20]).unwrap();
        shift(&a, &mut b, 0, -1).unwrap();
        b.get([3, 6]).unwrap() == k * 10
    });
    assert!(ok);
}

/// What the library logs.
static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Logger;

impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        LOGGED.lock().unwrap().push(record.args().to_string());
    }

    fn flush(&self) {}
}

#[test]
fn one_line_tells_of_long_loops_without_optimisation() {
    static SLOW: KernelInfo = KernelInfo {
        name: "slow",
        optimised: false,
        ..ABOUT
    };
    log::set_logger(&Logger).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    let run = |info, time: u64| {
        let mut native = |_: &_| {
            std::thread::sleep(Duration::from_millis(time));
            Ok(())
        };
        Launch::new(info).run(&mut native).unwrap();
        LOGGED.lock().unwrap().len()
    };
    assert_eq!(run(&INFO, 250), 0);
    assert_eq!(run(&SLOW, 0), 0);
    assert_eq!(run(&SLOW, 250), 1);
    assert_eq!(run(&SLOW, 250), 1);
    let line = &LOGGED.lock().unwrap()[0];
    assert!(line.starts_with("kernel `slow` took "), "{line}");
    assert!(line.contains("opt-level = 1"), "{line}");
}
