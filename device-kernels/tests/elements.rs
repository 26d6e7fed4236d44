//! Prefix sums, gather and scatter, random numbers, sequences, comparisons.

mod common;

use common::{Buffer, LENGTHS, Plain, from_bytes, numbers, run};
use ndarray::{Array1, Array3, Axis};
use swathe_device_kernels::plan::{self, Elements, Lanes, Positions, Scalar, Tolerance};

macro_rules! scans {
    ($($t:ident $scalar:ident;)*) => {$(
        for length in LENGTHS.into_iter().chain([1024, 1025]) {
            let from: Vec<$t> = numbers(length).map(|x| (x >> 33) as $t).collect();
            for inclusive in [true, false] {
                let buffers = vec![
                    Buffer::input(&from),
                    Buffer::output(&vec![1 as $t; length]),
                    Buffer::scratch(plan::scan_scratch(Scalar::$scalar, &Lanes::all(length as u64))),
                ];
                let done = run(buffers, |at| {
                    plan::scan(Scalar::$scalar, at[0], at[1], &Lanes::all(length as u64), inclusive, at[2])
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
    let mut scratch = vec![0_u8; plan::scan_scratch(Scalar::U32, &Lanes::all(length as u64)) as usize + 3];
    let aligned = scratch.as_ptr().align_offset(4);
    let address = |memory: *mut u8| memory.expose_provenance() as u64;
    let to = address(items.as_mut_ptr().cast());
    for launch in plan::scan(
        Scalar::U32,
        to,
        to,
        &Lanes::all(length as u64),
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
        let scratch = Buffer::scratch(plan::scan_scratch(Scalar::F64, &Lanes::all(length as u64)));
        let done = run(vec![Buffer::output(&from), scratch], |at| {
            plan::scan(Scalar::F64, at[0], at[0], &Lanes::all(length as u64), true, at[1])
        });
        let mut sum = 0.0;
        for (got, x) in from_bytes::<f64>(&done[0]).into_iter().zip(&from) {
            sum += x;
            assert!((got - sum).abs() < 1e-9);
        }
        let narrow: Vec<f32> = from.iter().map(|&x| x as f32).collect();
        let scratch = Buffer::scratch(plan::scan_scratch(Scalar::F32, &Lanes::all(length as u64)));
        let done = run(vec![Buffer::input(&narrow), Buffer::output(&narrow), scratch], |at| {
            plan::scan(Scalar::F32, at[0], at[1], &Lanes::all(length as u64), false, at[2])
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
            plan::gather(from, positions, (at[2], 1), size as u64, at[3])
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
            Buffer::output(&vec![0_u64; extent]),
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
            let mut launches = plan::claim(positions, (at[4], extent as u64), at[3]);
            launches.extend(plan::scatter(at[0], positions, to, size as u64, at[4]));
            launches
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
            Buffer::output(&[0_u64; 5]),
        ]
    };
    let done = run(buffers(&elements, &[1.0; 7]), |at| {
        let (elements, positions) = lists(at);
        plan::gather(elements(at[0]), positions, (at[2], 1), 4, at[3])
    });
    assert_eq!(from_bytes::<f32>(&done[2]), [10.0, 14.0, 12.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(from_bytes::<u64>(&done[3]), [3]);
    let done = run(buffers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], &elements), |at| {
        let (elements, positions) = lists(at);
        let mut launches = plan::claim(positions, (at[4], 5), at[3]);
        launches.extend(plan::scatter(at[0], positions, elements(at[2]), 4, at[4]));
        launches
    });
    assert_eq!(from_bytes::<f32>(&done[2]), [1.0, 11.0, 3.0, 13.0, 2.0]);
    assert_eq!(from_bytes::<u64>(&done[3]), [3]);
}

#[test]
fn the_same_places_of_many_rows() {
    let (rows, extent, size) = (37_usize, 11_usize, 6_usize);
    let places = [3_i32, 0, 10, 3, 7];
    let from: Vec<u8> = numbers(rows * extent * size).map(|x| x as u8).collect();
    let done = run(
        vec![
            Buffer::input(&from),
            Buffer::input(&places),
            Buffer::new(vec![0x77; rows * places.len() * size], 0, true),
            Buffer::output(&[u64::MAX]),
        ],
        |at| {
            let all = Elements {
                address: at[0],
                count: extent as u64,
            };
            let positions = Positions {
                address: at[1],
                scalar: Scalar::I32,
                count: 5,
            };
            plan::gather(all, positions, (at[2], rows as u64), size as u64, at[3])
        },
    );
    let element = |row: usize, place: i32| &from[(row * extent + place as usize) * size..][..size];
    let expected = (0..rows).flat_map(|row| places.iter().flat_map(move |place| element(row, *place).to_vec()));
    assert!(done[2].iter().copied().eq(expected));
    assert_eq!(from_bytes::<u64>(&done[3]), [u64::MAX]);
}

#[test]
fn of_elements_for_one_place_the_last_one_stays() {
    let (count, extent, size) = (5000_usize, 7_usize, 12_usize);
    let from: Vec<u8> = numbers(count * size).map(|x| x as u8).collect();
    let places: Vec<u32> = numbers(count).map(|x| (x >> 20) as u32 % 6).collect();
    let done = run(
        vec![
            Buffer::input(&from),
            Buffer::input(&places),
            Buffer::new(vec![0x77; extent * size], 0, true),
            Buffer::output(&vec![0_u64; extent]),
            Buffer::output(&[u64::MAX]),
        ],
        |at| {
            let positions = Positions {
                address: at[1],
                scalar: Scalar::U32,
                count: count as u64,
            };
            let to = Elements {
                address: at[2],
                count: extent as u64,
            };
            let mut launches = plan::claim(positions, (at[3], extent as u64), at[4]);
            launches.extend(plan::scatter(at[0], positions, to, size as u64, at[3]));
            launches
        },
    );
    let mut expected = vec![0x77; extent * size];
    for (k, place) in places.iter().enumerate() {
        expected[*place as usize * size..][..size].copy_from_slice(&from[k * size..][..size]);
    }
    assert_eq!(done[2], expected);
}

#[test]
fn prefix_sums_along_each_axis() {
    for shape in [
        [1, 1, 1],
        [3, 17, 5],
        [2, 300, 3],
        [1, 2100, 1],
        [40, 40, 7],
        [2, 40, 2100],
        [3, 1030, 2],
        [1, 9000, 2],
        [5, 3, 0],
        [4, 0, 3],
    ] {
        let count = shape.iter().product();
        let array = Array3::from_shape_vec(shape, numbers(count).map(|x| x as i16).collect()).unwrap();
        for axis in 0..3 {
            let lanes = Lanes {
                outer: shape[..axis].iter().product::<usize>() as u64,
                length: shape[axis] as u64,
                inner: shape[axis + 1..].iter().product::<usize>() as u64,
            };
            for inclusive in [true, false] {
                let mut expected = array.clone();
                for mut lane in expected.lanes_mut(Axis(axis)) {
                    let mut sum = 0_i16;
                    for item in &mut lane {
                        let next = sum.wrapping_add(*item);
                        (*item, sum) = (if inclusive { next } else { sum }, next);
                    }
                }
                let buffers = vec![
                    Buffer::input(array.as_slice().unwrap()),
                    Buffer::output(&vec![7_i16; count]),
                    Buffer::scratch(plan::scan_scratch(Scalar::I16, &lanes)),
                ];
                let done = run(buffers, |at| {
                    plan::scan(Scalar::I16, at[0], at[1], &lanes, inclusive, at[2])
                });
                let got = from_bytes::<i16>(&done[1]);
                assert!(got.iter().eq(expected.iter()), "{shape:?} along {axis}");
            }
        }
    }
}

#[test]
fn prefix_sums_of_16_bits_are_added_up_as_f32() {
    use half::{bf16, f16};
    macro_rules! sums {
        ($($t:ident $scalar:ident;)*) => {$(
            for (outer, length, inner) in [(1, 3, 1), (1, 5003, 1), (2, 40, 3), (300, 2, 1), (1, 0, 1)] {
                let lanes = Lanes { outer, length, inner };
                let count = (outer * length * inner) as usize;
                // Halves: their sums are exact in `f32`, and not in 16 bits.
                let from: Vec<$t> = numbers(count).map(|x| $t::from_f32((x >> 40) as f32 % 80.0 / 2.0)).collect();
                let buffers = vec![
                    Buffer::input(&from),
                    Buffer::output(&vec![$t::ONE; count]),
                    Buffer::scratch(plan::scan_scratch(Scalar::$scalar, &lanes)),
                ];
                let done = run(buffers, |at| {
                    plan::scan(Scalar::$scalar, at[0], at[1], &lanes, true, at[2])
                });
                let got = from_bytes::<$t>(&done[1]);
                for place in 0..count as u64 {
                    let (row, k, column) = (place / (inner * length), place / inner % length, place % inner);
                    let item = |k: u64| from[((row * length + k) * inner + column) as usize].to_f32();
                    let sum = (0..=k).map(item).sum::<f32>();
                    assert_eq!(got[place as usize], $t::from_f32(sum));
                }
            }
        )*};
    }
    sums! { f16 F16; bf16 Bf16; }
}

#[test]
fn sequences_and_random_numbers_of_16_bits() {
    use half::{bf16, f16};
    macro_rules! filled {
        ($($t:ident $scalar:ident;)*) => {$(
            for length in LENGTHS {
                let done = run(vec![Buffer::output(&vec![$t::ONE; length])], |at| {
                    plan::linspace(Scalar::$scalar, at[0], length as u64, -1.25, 3.5)
                });
                for (k, got) in from_bytes::<$t>(&done[0]).into_iter().enumerate() {
                    let last = length.max(2) - 1;
                    let value = if k + 1 == length && k > 0 { 3.5 } else { -1.25 + k as f64 * (4.75 / last as f64) };
                    assert_eq!(got, $t::from_f32(value as f32), "{k} of {length}");
                }
                let seed = (42, u64::MAX - 5);
                let drawn = |scalar, bytes: usize| {
                    run(vec![Buffer::new(vec![0; bytes * length], 0, true)], |at| {
                        plan::uniform(scalar, at[0], length as u64, seed, (-3.0, 5.0))
                    })
                };
                let narrow = drawn(Scalar::$scalar, 2);
                let wide = drawn(Scalar::F32, 4);
                let wide = from_bytes::<f32>(&wide[0]).into_iter().map($t::from_f32);
                assert!(from_bytes::<$t>(&narrow[0]).into_iter().eq(wide));
            }
            let pair = |a: f32, b: f32| {
                let buffers = vec![
                    Buffer::input(&[$t::ONE, $t::from_f32(a)]),
                    Buffer::input(&[$t::ONE, $t::from_f32(b)]),
                    Buffer::output(&[u64::MAX, u64::MAX]),
                ];
                let tolerance = Tolerance {
                    relative: 0.01,
                    absolute: 0.0,
                    equal_nan: false,
                };
                let done = run(buffers, |at| {
                    let mut launches = plan::close(Scalar::$scalar, at[0], at[1], 2, tolerance, at[2]);
                    launches.extend(plan::differ(Scalar::$scalar, at[0], at[1], 2, at[2] + 8));
                    launches
                });
                from_bytes::<u64>(&done[2])
            };
            assert_eq!(pair(100.0, 100.5), [u64::MAX, 1]);
            assert_eq!(pair(100.0, 102.0), [1, 1]);
            assert_eq!(pair(0.0, -0.0), [u64::MAX, u64::MAX]);
            assert_eq!(pair(f32::NAN, f32::NAN), [1, 1]);
        )*};
    }
    filled! { f16 F16; bf16 Bf16; }
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
