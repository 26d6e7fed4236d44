//! Parallel loops and accesses.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use crate::access::Access;
use crate::host::parallel::{LoopInt, for_each, in_parallel, reduce, rows};

/// Long enough for a loop to be handed out, short enough for an interpreter.
const SIZES: [usize; 12] = [
    0,
    1,
    2,
    3,
    17,
    64,
    255,
    256,
    257,
    1000,
    4099,
    if cfg!(miri) { 5001 } else { 100_003 },
];
const THREADS: [usize; 4] = [1, 2, 3, 7];

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Costs that hand out even the smallest loop, some loops, none.
fn costs() -> [Option<u32>; 4] {
    [Some(u32::MAX), Some(200), Some(1), None]
}

#[test]
fn each_index_once() {
    for threads in THREADS {
        let pool = pool(threads);
        for n in SIZES {
            for cost in costs() {
                let visits: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
                let shared = AtomicBool::new(false);
                pool.install(|| {
                    for_each(n, cost, |range: Range<usize>| {
                        assert!(!range.is_empty());
                        shared.fetch_or(in_parallel(), Ordering::Relaxed);
                        for i in range {
                            visits[i].fetch_add(1, Ordering::Relaxed);
                        }
                    });
                });
                assert!(
                    visits.iter().all(|v| v.load(Ordering::Relaxed) == 1),
                    "{n} {cost:?} {threads}"
                );
                if cost == Some(u32::MAX) {
                    assert_eq!(shared.load(Ordering::Relaxed), threads > 1 && n > 1);
                }
                assert!(!in_parallel());
            }
        }
    }
}

#[test]
fn unknown_cost_is_handed_out() {
    let parallel = AtomicUsize::new(0);
    let visits: Vec<AtomicU32> = (0..64).map(|_| AtomicU32::new(0)).collect();
    pool(2).install(|| {
        for_each(64, None, |range: Range<usize>| {
            for i in range {
                parallel.fetch_add(usize::from(in_parallel()), Ordering::Relaxed);
                visits[i].fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(std::time::Duration::from_micros(100));
            }
        });
    });
    assert!(visits.iter().all(|v| v.load(Ordering::Relaxed) == 1));
    // One iteration is enough to know.
    assert_eq!(parallel.load(Ordering::Relaxed), 63);
}

#[test]
fn reductions_do_not_depend_on_threads() {
    for n in SIZES {
        for cost in costs() {
            let term = |i: usize| (i as f32 * 0.37).sin();
            let run = |threads| {
                pool(threads).install(|| {
                    let sum = |range: Range<usize>, s: f32| range.fold(s, |s, i| s + term(i));
                    reduce(n, cost, || 0.0, sum, |a, b| a + b).to_bits()
                })
            };
            let one = run(1);
            let exact: f64 = (0..n).map(|i| f64::from(term(i))).sum();
            assert!((f64::from(f32::from_bits(one)) - exact).abs() < 1e-3);
            for threads in THREADS {
                assert_eq!(run(threads), one, "{n} {cost:?} {threads}");
            }
        }
    }
}

/// A combination that is associative but not commutative shows that neighbours meet in order.
#[test]
fn reductions_keep_the_order() {
    for n in SIZES {
        for cost in costs() {
            let body = |range: Range<usize>, mut all: Vec<usize>| {
                all.extend(range);
                all
            };
            let join = |mut a: Vec<usize>, b: Vec<usize>| {
                a.extend(b);
                a
            };
            let all = pool(3).install(|| reduce(n, cost, Vec::new, body, join));
            assert!(all.into_iter().eq(0..n), "{n} {cost:?}");
        }
    }
}

/// The part that is measured first must not change the result.
#[test]
fn slow_reduction_of_unknown_cost() {
    for n in [2, 3, 5, 64, 257] {
        let body = |range: Range<usize>, mut all: Vec<usize>| {
            std::thread::sleep(std::time::Duration::from_micros(60));
            all.extend(range);
            all
        };
        let join = |mut a: Vec<usize>, b: Vec<usize>| {
            a.extend(b);
            a
        };
        assert!(
            pool(2)
                .install(|| reduce(n, None, Vec::new, body, join))
                .into_iter()
                .eq(0..n)
        );
    }
}

#[test]
fn loops_inside_a_pool() {
    let total = AtomicUsize::new(0);
    pool(3).install(|| {
        rayon::scope(|scope| {
            for k in 0..8_usize {
                let total = &total;
                scope.spawn(move |_| {
                    for_each(100, Some(u32::MAX), |range: Range<usize>| {
                        total.fetch_add(range.len() * (k + 1), Ordering::Relaxed);
                    });
                });
            }
        });
    });
    assert_eq!(total.load(Ordering::Relaxed), 3600);
}

#[test]
fn a_panic_leaves_the_pool_usable() {
    let pool = pool(2);
    for cost in costs() {
        let body = |range: Range<usize>| assert!(!range.contains(&777), "at 777");
        let call = || pool.install(|| for_each(1000, cost, body));
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call));
        assert!(caught.is_err());
        assert!(!in_parallel());
        pool.broadcast(|_| assert!(!in_parallel()));
        let sum = pool.install(|| {
            reduce(
                1000,
                cost,
                || 0,
                |range: Range<usize>, s: usize| s + range.sum::<usize>(),
                |a, b| a + b,
            )
        });
        assert_eq!(sum, 499_500);
    }
}

#[test]
fn accesses() {
    let mut values: Vec<u32> = (0..2 * 3 * 5).collect();
    // SAFETY: as many values as the shape has, for as long as they live.
    let access = unsafe { Access::new(values.as_mut_ptr(), [2, 3, 5]) };
    assert_eq!((access.shape(), access.len()), ([2, 3, 5], 30));
    for i in 0..3 {
        for j in 0..4 {
            for k in 0..6 {
                let inside = i < 2 && j < 3 && k < 5;
                // SAFETY: `checked` gives an element of the vector.
                let got = access.checked([i, j, k]).map(|at| unsafe { at.read() } as usize);
                assert_eq!(got, inside.then_some((i * 3 + j) * 5 + k));
            }
        }
    }
    assert!(access.checked([usize::MAX, usize::MAX, usize::MAX]).is_none());
    assert!(access.checked([0, usize::MAX, 0]).is_none());
    // SAFETY: as above.
    let flat = unsafe { Access::new(values.as_mut_ptr(), [30]) };
    // SAFETY: 29 is below 30.
    unsafe { *flat.unchecked(29) = 7 };
    assert!(flat.checked(30).is_none());
    // SAFETY: an element of the vector.
    assert_eq!(flat.checked(29).map(|at| unsafe { at.read() }), Some(7));
    // SAFETY: rank 0 has one element.
    let point = unsafe { Access::new(values.as_mut_ptr(), []) };
    assert_eq!((point.len(), point.checked([]).is_some()), (1, true));
}

/// Disjoint elements of one allocation, written by several threads.
#[test]
fn threads_write_their_own_elements() {
    let mut values = vec![0_usize; 1000];
    // SAFETY: as many values as the shape has.
    let access = unsafe { Access::new(values.as_mut_ptr(), [values.len()]) };
    pool(3).install(|| {
        for_each(access.len(), Some(u32::MAX), |range: Range<usize>| {
            for i in range {
                // SAFETY: below the length, and no other thread has `i`.
                unsafe { *access.unchecked(i) = i * i };
            }
        });
    });
    assert!(values.iter().enumerate().all(|(i, v)| *v == i * i));
}

fn positions<const D: usize>(shape: [usize; D], range: Range<usize>) -> Vec<[usize; D]> {
    let mut all = Vec::new();
    for (mut position, row) in rows(shape, range) {
        assert!(!row.is_empty());
        for k in row {
            if D > 0 {
                assert!(position[D - 1] == 0 || all.last() == Some(&position));
                position[D - 1] = k;
            }
            all.push(position);
        }
    }
    all
}

#[test]
fn rows_of_ranges() {
    let shape = [3, 4, 5];
    let all: Vec<[usize; 3]> = (0..60).map(|at| [at / 20, at / 5 % 4, at % 5]).collect();
    for start in 0..=60 {
        for end in start..=60 {
            assert_eq!(positions(shape, start..end), all[start..end]);
        }
    }
    assert_eq!(positions([], 0..1), [[]]);
    assert!(positions([], 0..0).is_empty());
    assert_eq!(positions([7], 2..5), [[2], [3], [4]]);
    assert!(positions([0], 0..0).is_empty());
    assert!(positions([4, 0], 0..0).is_empty());
    assert!(positions([0, 4], 0..0).is_empty());
    assert_eq!(positions([4, 1], 1..3), [[1, 0], [2, 0]]);
}

#[test]
fn loop_counts() {
    for start in i8::MIN..=i8::MAX {
        for end in [i8::MIN, -100, -1, 0, 1, 99, i8::MAX] {
            for step in [1, 2, 3, 100, 127, 128, 255, 256, 1000] {
                let check = |got: usize, expected: &[i8]| {
                    assert_eq!(got, expected.len(), "{start} {end} {step}");
                    for (k, v) in expected.iter().enumerate() {
                        assert_eq!(i8::nth(start, k, step), *v);
                    }
                };
                let open: Vec<i8> = (start..end).step_by(step).collect();
                check(i8::count(start, end, false, step), &open);
                let closed: Vec<i8> = (start..=end).step_by(step).collect();
                check(i8::count(start, end, true, step), &closed);
            }
        }
    }
    assert_eq!(i64::count(i64::MIN, i64::MAX, false, 1), usize::MAX);
    assert_eq!(u64::count(0, u64::MAX, true, 1), usize::MAX);
    assert_eq!(u64::count(0, u64::MAX, true, usize::MAX), 2);
    assert_eq!(i64::nth(i64::MIN, usize::MAX, 1), i64::MAX);
    assert_eq!(u32::count(5, 3, true, 1), 0);
    assert!(std::panic::catch_unwind(|| i32::count(0, 3, false, 0)).is_err());
}
