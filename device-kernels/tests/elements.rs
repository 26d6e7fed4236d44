//! Prefix sums, gather and scatter, random numbers, sequences, comparisons.

mod common;

use common::{Buffer, LENGTHS, Plain, from_bytes, numbers, run};
use ndarray::Array1;
use swathe_device_kernels::plan::{self, Elements, Positions, Scalar, Tolerance};

macro_rules! scans {
    ($($t:ident $scalar:ident;)*) => {$(
        for length in LENGTHS.into_iter().chain([1024, 1025]) {
            let from: Vec<$t> = numbers(length).map(|x| (x >> 33) as $t).collect();
            for inclusive in [true, false] {
                let buffers = vec![
                    Buffer::input(&from),
                    Buffer::output(&vec![1 as $t; length]),
                    Buffer::scratch(plan::scan_scratch(Scalar::$scalar, length as u64)),
                ];
                let done = run(buffers, |at| {
                    plan::scan(Scalar::$scalar, at[0], at[1], length as u64, inclusive, at[2])
                });
                let mut sum = 0 as $t;
                let expected = from.iter().map(|x| {
                    let before = sum;
                    sum = sum.wrapping_add(*x);
                    if inclusive { sum } else { before }
                });
                assert!(from_bytes::<$t>(&done[1]).into_iter().eq(expected), "{length}");
            }
        }
    )*};
}

#[test]
fn prefix_sums_of_integers() {
    scans! { u8 U8; i16 I16; u32 U32; i64 I64; }
}

/// Sums of tiles, and sums of these; by the host, since the interpreter would take its time.
#[test]
fn prefix_sums_of_three_levels() {
    let length = (1 << 20) + 1025;
    let mut items: Vec<u32> = numbers(length).map(|x| x as u32).collect();
    let from = items.clone();
    let mut scratch = vec![0_u8; plan::scan_scratch(Scalar::U32, length as u64) as usize + 3];
    let aligned = scratch.as_ptr().align_offset(4);
    let address = |memory: *mut u8| memory.expose_provenance() as u64;
    let to = address(items.as_mut_ptr().cast());
    for launch in plan::scan(
        Scalar::U32,
        to,
        to,
        length as u64,
        true,
        address(scratch[aligned..].as_mut_ptr()),
    ) {
        // SAFETY: the memory is this test's.
        unsafe { launch.run_on_host() };
    }
    let sums = from.iter().scan(0_u32, |sum, x| {
        *sum = sum.wrapping_add(*x);
        Some(*sum)
    });
    assert!(items.into_iter().eq(sums));
}

#[test]
fn prefix_sums_of_floats_in_place() {
    for length in LENGTHS {
        let from: Vec<f64> = numbers(length).map(|x| (x >> 40) as f64 / 1e6 - 8.0).collect();
        let scratch = Buffer::scratch(plan::scan_scratch(Scalar::F64, length as u64));
        let done = run(vec![Buffer::output(&from), scratch], |at| {
            plan::scan(Scalar::F64, at[0], at[0], length as u64, true, at[1])
        });
        let mut sum = 0.0;
        for (got, x) in from_bytes::<f64>(&done[0]).into_iter().zip(&from) {
            sum += x;
            assert!((got - sum).abs() < 1e-9);
        }
        let narrow: Vec<f32> = from.iter().map(|&x| x as f32).collect();
        let scratch = Buffer::scratch(plan::scan_scratch(Scalar::F32, length as u64));
        let done = run(vec![Buffer::input(&narrow), Buffer::output(&narrow), scratch], |at| {
            plan::scan(Scalar::F32, at[0], at[1], length as u64, false, at[2])
        });
        let mut sum = 0.0;
        for (got, x) in from_bytes::<f32>(&done[1]).into_iter().zip(&narrow) {
            assert!((f64::from(got) - sum).abs() < 2e-2);
            sum += f64::from(*x);
        }
    }
}

fn moved<P: Plain>(scalar: Scalar, size: usize, offset: usize, count: usize, convert: impl Fn(u64) -> P) {
    let extent = 2 * count + 1;
    let elements: Vec<u8> = numbers(extent * size).map(|x| x as u8).collect();
    // Different positions.
    let places: Vec<usize> = (0..count).map(|k| (k * 2 + 3) % extent).collect();
    let positions: Vec<P> = places.iter().map(|&place| convert(place as u64)).collect();
    let done = run(
        vec![
            Buffer::new(elements.clone(), offset, false),
            Buffer::input(&positions),
            Buffer::new(vec![0x77; count * size], offset, true),
            Buffer::output(&[u64::MAX]),
        ],
        |at| {
            let from = Elements {
                address: at[0],
                count: extent as u64,
            };
            let positions = Positions {
                address: at[1],
                scalar,
                count: count as u64,
            };
            plan::gather(from, positions, at[2], size as u64, at[3])
        },
    );
    let expected: Vec<u8> = places
        .iter()
        .flat_map(|place| elements[place * size..][..size].to_vec())
        .collect();
    assert_eq!((&done[2], from_bytes(&done[3])), (&expected, vec![u64::MAX]));
    let done = run(
        vec![
            Buffer::new(elements.clone(), offset, false),
            Buffer::input(&positions),
            Buffer::new(vec![0x77; extent * size], offset, true),
            Buffer::output(&[u64::MAX]),
        ],
        |at| {
            let to = Elements {
                address: at[2],
                count: extent as u64,
            };
            let positions = Positions {
                address: at[1],
                scalar,
                count: count as u64,
            };
            plan::scatter(at[0], positions, to, size as u64, at[3])
        },
    );
    let mut expected = vec![0x77; extent * size];
    for (k, place) in places.iter().enumerate() {
        expected[place * size..][..size].copy_from_slice(&elements[k * size..][..size]);
    }
    assert_eq!((&done[2], from_bytes(&done[3])), (&expected, vec![u64::MAX]));
}

#[test]
fn gather_and_scatter_elements_of_all_sizes() {
    for (k, size) in [1, 2, 3, 4, 8, 12, 16, 20, 48].into_iter().enumerate() {
        for count in [0, 1, 3, 17, 300] {
            moved(Scalar::U32, size, 0, count, |x| x as u32);
            moved(Scalar::I32, size, k % 5, count, |x| x as i32);
            moved(Scalar::U64, size, 0, count, |x| x);
            moved(Scalar::I64, size, 8, count, |x| x as i64);
        }
    }
}

#[test]
fn the_first_position_out_of_range_is_reported() {
    let positions = [0_i32, 4, 2, -1, 5, i32::MAX, i32::MIN];
    let elements = [10.0_f32, 11.0, 12.0, 13.0, 14.0];
    let lists = |at: &[u64]| {
        let elements = |address| Elements { address, count: 5 };
        let positions = Positions {
            address: at[1],
            scalar: Scalar::I32,
            count: 7,
        };
        (elements, positions)
    };
    let buffers = |from: &[f32], to: &[f32]| {
        vec![
            Buffer::input(from),
            Buffer::input(&positions),
            Buffer::output(to),
            Buffer::output(&[u64::MAX]),
        ]
    };
    let done = run(buffers(&elements, &[1.0; 7]), |at| {
        let (elements, positions) = lists(at);
        plan::gather(elements(at[0]), positions, at[2], 4, at[3])
    });
    assert_eq!(from_bytes::<f32>(&done[2]), [10.0, 14.0, 12.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(from_bytes::<u64>(&done[3]), [3]);
    let done = run(buffers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], &elements), |at| {
        let (elements, positions) = lists(at);
        plan::scatter(at[0], positions, elements(at[2]), 4, at[3])
    });
    assert_eq!(from_bytes::<f32>(&done[2]), [1.0, 11.0, 3.0, 13.0, 2.0]);
    assert_eq!(from_bytes::<u64>(&done[3]), [3]);
}

#[test]
fn random_words_are_those_published() {
    // Counter and key of the Random123 library's known answers that have no first half of the counter.
    let done = run(vec![Buffer::output(&[0_u32; 3])], |at| {
        plan::random(Scalar::U32, at[0], 3, 0, 0)
    });
    assert_eq!(from_bytes::<u32>(&done[0])[0], 0x6627_e8d5);
    let done = run(vec![Buffer::output(&[0_u64])], |at| {
        plan::random(Scalar::I64, at[0], 1, 0, 0)
    });
    assert_eq!(from_bytes::<u64>(&done[0]), [0xe169_c58d_6627_e8d5]);
}

#[test]
fn random_floats_are_spread_over_their_range() {
    for length in LENGTHS {
        let seeds = (0x0123_4567_89ab_cdef, u64::MAX - 5);
        let done = run(vec![Buffer::output(&vec![0.0_f32; length])], |at| {
            plan::uniform(Scalar::F32, at[0], length as u64, seeds, (-3.0, 5.0))
        });
        let narrow = from_bytes::<f32>(&done[0]);
        let done = run(vec![Buffer::output(&vec![0.0_f64; length])], |at| {
            plan::uniform(Scalar::F64, at[0], length as u64, seeds, (0.0, 1.0))
        });
        let wide = from_bytes::<f64>(&done[0]);
        assert!(narrow.iter().all(|x| (-3.0..5.0).contains(x)) && wide.iter().all(|x| (0.0..1.0).contains(x)));
        if length > 900 {
            let mean = wide.iter().sum::<f64>() / length as f64;
            assert!((mean - 0.5).abs() < 0.05, "{mean}");
        }
    }
}

#[test]
fn sequences() {
    for length in LENGTHS {
        let done = run(vec![Buffer::output(&vec![0_i16; length])], |at| {
            plan::iota(Scalar::I16, at[0], length as u64, (-7_i64) as u64, 30_000)
        });
        let expected = (0..length).map(|k| (k as i16).wrapping_mul(30_000).wrapping_sub(7));
        assert!(from_bytes::<i16>(&done[0]).into_iter().eq(expected));
        let done = run(vec![Buffer::output(&vec![0_u64; length])], |at| {
            plan::iota(Scalar::U64, at[0], length as u64, u64::MAX, 1 << 33)
        });
        let expected = (0..length as u64).map(|k| (k << 33).wrapping_sub(1));
        assert!(from_bytes::<u64>(&done[0]).into_iter().eq(expected));
        let done = run(vec![Buffer::output(&vec![0.0_f64; length])], |at| {
            plan::linspace(Scalar::F64, at[0], length as u64, -1.25, 3.3)
        });
        let expected = Array1::linspace(-1.25, 3.3, length);
        let got = from_bytes::<f64>(&done[0]);
        assert!(got.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-15 * 8.0));
        assert!(length < 2 || got[length - 1] == 3.3);
    }
}

#[test]
fn the_first_difference() {
    for length in LENGTHS {
        for wrong in [None, Some(0), Some(length / 2), Some(length.saturating_sub(1))] {
            let one: Vec<i32> = numbers(length).map(|x| x as i32).collect();
            let mut two = one.clone();
            let mut expected = u64::MAX;
            if let Some(wrong) = wrong.filter(|wrong| *wrong < length) {
                two[wrong..].iter_mut().step_by(3).for_each(|x| *x ^= 1 << 20);
                expected = wrong as u64;
            }
            let buffers = vec![Buffer::input(&one), Buffer::input(&two), Buffer::output(&[u64::MAX])];
            let done = run(buffers, |at| {
                plan::differ(Scalar::I32, at[0], at[1], length as u64, at[2])
            });
            assert_eq!(from_bytes::<u64>(&done[2]), [expected]);
        }
    }
    let (one, two) = ([0.0_f64, 1.0, f64::NAN], [-0.0_f64, 1.0, f64::NAN]);
    let buffers = vec![Buffer::input(&one), Buffer::input(&two), Buffer::output(&[u64::MAX])];
    let done = run(buffers, |at| plan::differ(Scalar::F64, at[0], at[1], 3, at[2]));
    assert_eq!(from_bytes::<u64>(&done[2]), [2]);
}

#[test]
fn closeness() {
    let infinite = f32::INFINITY;
    let pairs = [
        (1.0, 1.0, true),
        (1.0, 1.0009, true),
        (1.0, 1.002, false),
        (0.0, 1e-5, true),
        (0.0, -2e-4, false),
        (infinite, infinite, true),
        (infinite, -infinite, false),
        (1.0, infinite, false),
        (infinite, 1.0, false),
        (f32::NAN, 1.0, false),
        (f32::MAX, -f32::MAX, false),
    ];
    for (a, b, close) in pairs {
        for at_place in [0, 299] {
            let (mut one, mut two) = (vec![2.5_f32; 300], vec![2.5_f32; 300]);
            (one[at_place], two[at_place]) = (a, b);
            let tolerance = Tolerance {
                relative: 1e-3,
                absolute: 1e-4,
                equal_nan: false,
            };
            let buffers = vec![Buffer::input(&one), Buffer::input(&two), Buffer::output(&[u64::MAX])];
            let done = run(buffers, |at| {
                plan::close(Scalar::F32, at[0], at[1], 300, tolerance, at[2])
            });
            assert_eq!(
                from_bytes::<u64>(&done[2])[0],
                if close { u64::MAX } else { at_place as u64 },
                "{a} {b}"
            );
        }
    }
    for equal_nan in [true, false] {
        let tolerance = Tolerance {
            relative: 0.0,
            absolute: 0.0,
            equal_nan,
        };
        let values = [1.0, f64::NAN];
        let buffers = vec![
            Buffer::input(&values),
            Buffer::input(&values),
            Buffer::output(&[u64::MAX]),
        ];
        let done = run(buffers, |at| {
            plan::close(Scalar::F64, at[0], at[1], 2, tolerance, at[2])
        });
        assert_eq!(from_bytes::<u64>(&done[2]), [if equal_nan { u64::MAX } else { 1 }]);
    }
}
