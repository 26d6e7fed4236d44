//! Arrays in chunks, compared with whole fields and with what CuPy documents.

use swathe::{Device, Field, f16};
use swathe_distributed::{DistArray, Error, IndexMap, Local, Mode, Result, Span, World};

use crate::devices::devices;

fn value([i, j]: [usize; 2]) -> i64 {
    ((i * 31 + j * 17) % 23) as i64 - 9
}

/// Maps of 7 x 5 for three ranks: rows, blocks of which some are replicated, stepped rows and columns, overlaps, all on one.
fn maps() -> Vec<IndexMap<2>> {
    let all = |n: usize| Span::from(0..n);
    let chunk = |rows: Span, columns: Span| [rows, columns];
    let maps: Vec<Vec<Vec<[Span; 2]>>> = vec![
        vec![
            vec![chunk((0..3).into(), all(5))],
            vec![chunk((3..4).into(), all(5))],
            vec![chunk((4..7).into(), all(5))],
        ],
        vec![
            vec![chunk((0..4).into(), (0..2).into()), chunk((4..7).into(), all(5))],
            vec![chunk((0..4).into(), (2..5).into()), chunk((0..4).into(), (0..2).into())],
            vec![chunk((4..7).into(), all(5))],
        ],
        vec![
            vec![chunk(Span::stepped(0..7, 2), all(5))],
            vec![chunk(Span::stepped(1..7, 2), Span::stepped(0..5, 3))],
            vec![chunk(all(7), Span::stepped(1..5, 3)), chunk(all(7), (2..3).into())],
        ],
        vec![
            vec![chunk((0..5).into(), (0..4).into())],
            vec![chunk((2..7).into(), all(5))],
            vec![chunk(all(7), (3..5).into())],
        ],
        vec![vec![], vec![chunk(all(7), all(5))], vec![]],
    ];
    maps.into_iter()
        .map(|chunks| IndexMap::new([7, 5], chunks).unwrap())
        .collect()
}

fn whole() -> Field<i64, 2> {
    Field::from_fn(&Device::cpu(), [7, 5], value).unwrap()
}

fn run(body: impl Fn(&World) -> Result<()> + Sync) {
    Local::new(3).threads(1).run(body).unwrap();
}

const MODES: [Mode; 5] = [Mode::Replica, Mode::Min, Mode::Max, Mode::Sum, Mode::Prod];

#[test]
fn maps_and_modes_keep_the_array() {
    let expected = whole().to_vec().unwrap();
    let [cpu, cuda] = devices();
    for device in [&cpu, &cuda] {
        run(|world| {
            for from in maps() {
                let a = DistArray::from_whole(world, &whole(), &from, device)?;
                assert_eq!(a.get()?.to_vec()?, expected);
                for to in maps() {
                    for mode in MODES {
                        let b = a.change_mode(mode)?;
                        assert_eq!(b.mode(), mode);
                        let c = b.reshard(&to)?;
                        assert_eq!((c.mode(), c.index_map()), (Mode::Replica, &to));
                        for (chunk, field) in to.of_rank(world.rank()).iter().zip(c.chunks()) {
                            assert_eq!(field.shape(), chunk.map(|span| span.len()));
                        }
                        assert_eq!(c.get()?.to_vec()?, expected, "{mode}");
                        if device.is_cpu() {
                            for other in MODES {
                                assert_eq!(b.change_mode(other)?.get()?.to_vec()?, expected, "{mode} to {other}");
                            }
                        }
                    }
                    if !device.is_cpu() {
                        break;
                    }
                }
            }
            Ok(())
        });
    }
}

#[test]
fn chunks_hold_the_positions_of_their_spans() {
    run(|world| {
        let map = &maps()[2];
        let a = DistArray::from_whole(world, &whole(), map, &Device::cpu())?;
        let expected: Vec<i64> = match world.rank() {
            0 => (0..20).map(|n| value([n / 5 * 2, n % 5])).collect(),
            1 => (0..6).map(|n| value([n / 2 * 2 + 1, n % 2 * 3])).collect(),
            _ => (0..14).map(|n| value([n / 2, n % 2 * 3 + 1])).collect(),
        };
        assert_eq!(a.chunks()[0].to_vec()?, expected);
        Ok(())
    });
}

#[test]
fn reductions_agree_with_those_of_whole_fields() {
    run(|world| {
        let whole = whole();
        for map in maps() {
            let a = DistArray::from_whole(world, &whole, &map, &Device::cpu())?;
            for mode in MODES {
                let a = a.change_mode(mode)?;
                for axis in 0..2 {
                    let sums = a.sum_axis(axis)?;
                    assert_eq!(sums.mode(), Mode::Sum);
                    assert_eq!(sums.get()?.to_vec()?, whole.sum_axis(axis)?.to_vec()?);
                    assert_eq!(
                        a.product_axis(axis)?.get()?.to_vec()?,
                        whole.product_axis(axis)?.to_vec()?
                    );
                    assert_eq!(a.min_axis(axis)?.get()?.to_vec()?, whole.min_axis(axis)?.to_vec()?);
                    assert_eq!(a.max_axis(axis)?.get()?.to_vec()?, whole.max_axis(axis)?.to_vec()?);
                }
                // One axis after the other.
                assert_eq!(a.sum_axis(0)?.sum_axis(0)?.get()?.to_vec()?, [whole.sum()?]);
                assert_eq!(a.sum()?, whole.sum()?);
                assert_eq!((Some(a.min()?), Some(a.max()?)), (whole.min()?, whole.max()?));
            }
            let wrong = a.sum_axis(2).map(drop).unwrap_err();
            assert!(matches!(wrong, Error::Argument { .. }), "{wrong}");
        }
        Ok(())
    });
}

#[test]
fn chunks_without_positions_along_the_axis_have_no_part_in_a_reduction() {
    run(|world| {
        let device = Device::cpu();
        let whole = Field::<f32, 2>::from_fn(&device, [4, 3], |[i, j]| (3 * i + j) as f32 - 5.5)?;
        let numbers = Field::<i8, 2>::from_fn(&device, [4, 3], |[i, j]| (i * 3 + j) as i8 - 100)?;
        // Of each the first two ranks have a chunk that is empty along an axis, and the last one none at all.
        let maps = [
            IndexMap::blocks(&[0, 0, 4], &[0, 3], &[&[&[0, 1]], &[&[1]]])?,
            IndexMap::blocks(&[0, 4, 4], &[0, 3], &[&[&[1]], &[&[0]]])?,
            IndexMap::blocks(&[0, 4], &[0, 2, 2, 3], &[&[&[0], &[0, 1], &[1]]])?,
        ];
        for map in maps {
            let a = DistArray::from_whole(world, &whole, &map, &device)?;
            let b = DistArray::from_whole(world, &numbers, &map, &device)?;
            for mode in MODES {
                let (a, b) = (a.change_mode(mode)?, b.change_mode(mode)?);
                for axis in 0..2 {
                    assert_eq!(a.max_axis(axis)?.get()?.to_vec()?, whole.max_axis(axis)?.to_vec()?);
                    assert_eq!(a.min_axis(axis)?.get()?.to_vec()?, whole.min_axis(axis)?.to_vec()?);
                    assert_eq!(b.max_axis(axis)?.get()?.to_vec()?, numbers.max_axis(axis)?.to_vec()?);
                    assert_eq!(b.min_axis(axis)?.get()?.to_vec()?, numbers.min_axis(axis)?.to_vec()?);
                    assert_eq!(b.sum_axis(axis)?.get()?.to_vec()?, numbers.sum_axis(axis)?.to_vec()?);
                }
                assert_eq!(a.max_axis(0)?.max_axis(0)?.get()?.to_vec()?, [5.5]);
            }
        }
        Ok(())
    });
}

#[test]
fn along_an_axis_without_positions_arrays_have_what_fields_have() {
    let span = |range: std::ops::Range<usize>| Span::from(range);
    let none = span(0..0);
    for device in devices() {
        run(|world| {
            for axis in 0..2 {
                let turned = |[one, other]: [Span; 2]| if axis == 1 { [one, other] } else { [other, one] };
                let shape = if axis == 1 { [6, 0] } else { [0, 6] };
                let whole = Field::<i32, 2>::zeros(&device, shape)?;
                // No ranks, no chunks, some of the rows, all of them on two ranks.
                let maps: [Vec<Vec<[Span; 2]>>; 5] = [
                    vec![],
                    vec![vec![], vec![]],
                    vec![vec![], vec![turned([span(1..3), none]), turned([none, none])]],
                    vec![
                        vec![turned([Span::stepped(0..6, 2), none])],
                        vec![],
                        vec![turned([span(2..6), none])],
                    ],
                    vec![
                        vec![],
                        vec![turned([span(0..4), none])],
                        vec![turned([span(3..6), none])],
                    ],
                ];
                for map in maps {
                    let map = IndexMap::new(shape, map)?;
                    let a = DistArray::from_whole(world, &whole, &map, &device)?;
                    for mode in MODES {
                        let a = a.change_mode(mode)?;
                        let (sums, products) = (a.sum_axis(axis)?, a.product_axis(axis)?);
                        assert_eq!((sums.shape(), products.shape()), ([6], [6]));
                        assert_eq!(sums.get()?.to_vec()?, whole.sum_axis(axis)?.to_vec()?);
                        assert_eq!(products.get()?.to_vec()?, whole.product_axis(axis)?.to_vec()?);
                        assert_eq!(sums.sum_axis(0)?.get()?.to_vec()?, [0]);
                        assert_eq!((sums.sum()?, products.sum()?), (0, 6));
                        for result in [&sums, &products] {
                            let places = result.index_map().of_rank(world.rank()).iter();
                            let shapes: Vec<[usize; 1]> = places.map(|place| place.map(|span| span.len())).collect();
                            let chunks: Vec<[usize; 1]> = result.chunks().iter().map(Field::shape).collect();
                            assert_eq!(chunks, shapes);
                            // The map is one that could be asked for.
                            let ranks =
                                (0..result.index_map().ranks()).map(|rank| result.index_map().of_rank(rank).to_vec());
                            IndexMap::new(result.shape(), ranks.collect::<Vec<_>>())?;
                        }
                        let of_field = whole.min_axis(axis).map(drop).unwrap_err().to_string();
                        for error in [a.min_axis(axis), a.max_axis(axis)] {
                            assert_eq!(error.map(drop).unwrap_err().to_string(), of_field);
                        }
                        // Along the other axis there is nothing left.
                        assert_eq!(a.sum_axis(1 - axis)?.get()?.to_vec()?, []);
                        assert_eq!(a.max_axis(1 - axis)?.get()?.to_vec()?, []);
                    }
                }
            }
            // After the errors all ranks go on.
            world.barrier()
        });
    }
}

#[test]
fn elements_are_taken_together_across_maps() {
    run(|world| {
        for one in maps() {
            for other in maps() {
                let a = DistArray::from_whole(world, &whole(), &one, &Device::cpu())?;
                let b = DistArray::from_whole(world, &whole(), &other, &Device::cpu())?.change_mode(Mode::Sum)?;
                let c = a.zip(&b, |a, b| (a * 10 - b).eval())?;
                assert_eq!(c.index_map(), &one);
                let expected: Vec<i64> = whole().to_vec()?.iter().map(|x| 9 * x).collect();
                assert_eq!(c.get()?.to_vec()?, expected);
                assert_eq!(b.map(|b| (b + 1).eval())?.sum()?, whole().sum()? + 35);
            }
        }
        Ok(())
    });
}

#[test]
fn the_product_that_cupy_documents() {
    // cupyx.distributed.array.DistributedArray.mode
    run(|world| {
        let device = Device::cpu();
        let numbers = |shape: [usize; 2]| Field::from_fn(&device, shape, |[i, j]| (i * shape[1] + j) as i64);
        let a = IndexMap::blocks(&[0, 2], &[0, 1, 3], &[&[&[0], &[1, 2]]])?;
        let b = IndexMap::blocks(&[0, 1, 3], &[0, 2, 4], &[&[&[0], &[0]], &[&[1], &[2]]])?;
        let a = DistArray::from_whole(world, &numbers([2, 3])?, &a, &device)?;
        let b = DistArray::from_whole(world, &numbers([3, 4])?, &b, &device)?;
        let c = a.dot(&b)?;
        assert_eq!(c.mode(), Mode::Sum);
        let chunks = |c: &DistArray<i64, 2>| -> Result<Vec<Vec<i64>>> {
            c.chunks().iter().map(|chunk| Ok(chunk.to_vec()?)).collect()
        };
        let sums: [&[&[i64]]; 3] = [
            &[&[0, 0, 0, 3], &[0, 0, 6, 9]],
            &[&[20, 23, 56, 65]],
            &[&[26, 29, 74, 83]],
        ];
        let replicas: [&[&[i64]]; 3] = [
            &[&[20, 23, 56, 68], &[26, 29, 80, 92]],
            &[&[20, 23, 56, 68]],
            &[&[26, 29, 80, 92]],
        ];
        assert_eq!(chunks(&c)?, sums[world.rank()]);
        assert_eq!(chunks(&c.change_mode(Mode::Replica)?)?, replicas[world.rank()]);
        assert_eq!(c.get()?.to_vec()?, [20, 23, 26, 29, 56, 68, 80, 92]);
        Ok(())
    });
}

#[test]
fn products_of_blocks_without_positions_add_nothing() {
    run(|world| {
        let device = Device::cpu();
        let numbers = |shape: [usize; 2]| Field::from_fn(&device, shape, |[i, j]| (7 * i + 3 * j) as f64 - 4.0);
        let products = |inner: usize, left: IndexMap<2>, right: IndexMap<2>| {
            let (a, b) = (numbers([3, inner])?, numbers([inner, 5])?);
            let expected = a.dot(&b)?.to_vec()?;
            let a = DistArray::from_whole(world, &a, &left, &device)?;
            let c = a.dot(&DistArray::from_whole(world, &b, &right, &device)?)?;
            assert_eq!((c.shape(), c.mode()), ([3, 5], Mode::Sum));
            assert_eq!(c.get()?.to_vec()?, expected);
            world.barrier()
        };
        let (all, none) = (|n: usize| Span::from(0..n), Span::from(0..0));
        let nothing = |shape: [usize; 2]| IndexMap::new(shape, vec![]);
        // Nothing to sum up.
        products(0, nothing([3, 0])?, nothing([0, 5])?)?;
        let some = IndexMap::new([3, 0], vec![vec![], vec![[Span::stepped(0..3, 2), none]]])?;
        let others = |rank: usize| {
            let mut chunks = vec![vec![]; 3];
            chunks[rank].push([none, all(5)]);
            IndexMap::new([0, 5], chunks)
        };
        products(0, some.clone(), others(1)?)?;
        products(0, some.clone(), others(2)?)?;
        products(0, some, nothing([0, 5])?)?;
        // Blocks that are empty along one axis, on ranks that have no block of the other matrix.
        let left = IndexMap::blocks(&[0, 3, 3], &[0, 0, 2], &[&[&[1], &[0]], &[&[1], &[2]]])?;
        let right = IndexMap::blocks(&[0, 0, 2], &[0, 5, 5], &[&[&[2], &[2]], &[&[0], &[1]]])?;
        products(2, left, right)
    });
}

#[test]
fn products_that_cannot_be_computed_in_place_are_refused() {
    run(|world| {
        let device = Device::cpu();
        let array = |shape: [usize; 2], map: IndexMap<2>| {
            DistArray::from_whole(world, &Field::<f32, 2>::full(&device, shape, 1.0)?, &map, &device)
        };
        let a = array([2, 3], IndexMap::blocks(&[0, 2], &[0, 1, 3], &[&[&[0], &[1]]])?)?;
        let refused = |b: &DistArray<f32, 2>| a.dot(b).map(drop).unwrap_err().to_string();
        let b = array([4, 2], IndexMap::blocks(&[0, 4], &[0, 2], &[&[&[0]]])?)?;
        assert!(refused(&b).contains("expected as many columns as rows, got 3 and 4"));
        let b = array([3, 2], IndexMap::blocks(&[0, 2, 3], &[0, 2], &[&[&[0]], &[&[1]]])?)?;
        assert!(refused(&b).contains("cut alike"), "{}", refused(&b));
        let b = array([3, 2], IndexMap::blocks(&[0, 1, 3], &[0, 2], &[&[&[0]], &[&[2]]])?)?;
        assert!(
            refused(&b).contains("none with [0..2, 1..3] and [1..3, 0..2]"),
            "{}",
            refused(&b)
        );
        world.barrier()
    });
}

#[test]
fn maps_that_are_none_are_refused() {
    let span = |range: std::ops::Range<usize>| Span::from(range);
    let beyond = IndexMap::new([3], vec![vec![[span(0..4)]]]).unwrap_err().to_string();
    assert!(beyond.contains("got 0..4 on axis 0"), "{beyond}");
    let gap = IndexMap::new(
        [4, 4],
        vec![
            vec![[span(0..4), Span::stepped(0..4, 2)]],
            vec![[span(1..4), span(0..4)]],
        ],
    );
    assert!(gap.unwrap_err().to_string().contains("none with [0, 1]"));
    assert!(IndexMap::new([0, 4], vec![]).is_ok());
    // How many positions there are does not matter.
    let (huge, cut) = (1 << 40, (1 << 39) + 1);
    let halves = |from| IndexMap::new([huge], vec![vec![[span(0..cut)]], vec![[span(from..huge)]]]);
    assert!(halves(cut).is_ok() && halves(3).is_ok());
    assert!(
        halves(cut + 1)
            .unwrap_err()
            .to_string()
            .ends_with("none with [549755813889]")
    );
    assert!(IndexMap::blocks(&[0, 2], &[1, 3], &[&[&[0]]]).is_err());
    assert!(IndexMap::blocks(&[0, 2], &[0, 3], &[&[&[]]]).is_err());
    assert!(IndexMap::blocks(&[0, 2], &[0, 3], &[&[&[usize::MAX]]]).is_err());
    let error = Local::new(2).run(|world| {
        let map = IndexMap::new([4], vec![vec![], vec![], vec![[span(0..4)]]])?;
        DistArray::from_whole(world, &Field::<f32>::zeros(&Device::cpu(), 4)?, &map, &Device::cpu()).map(drop)
    });
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("for at most 2 ranks, got some for 3")
    );
    // Ranks with other maps.
    let error = Local::new(2).run(|world| {
        let end = 2 + world.rank();
        let map = IndexMap::new([4], vec![vec![[span(0..end)]], vec![[span(end..4)]]])?;
        DistArray::from_whole(world, &Field::<f32>::zeros(&Device::cpu(), 4)?, &map, &Device::cpu()).map(drop)
    });
    assert!(matches!(error, Err(Error::Mismatch { .. })));
}

#[test]
fn arrays_of_two_worlds_are_not_taken_together() {
    Local::new(2)
        .run(|world| {
            let alone = World::alone();
            let square = Field::<f64, 2>::from_fn(&Device::cpu(), [2, 2], |[i, j]| (2 * i + j) as f64)?;
            let rows = IndexMap::blocks(&[0, 1, 2], &[0, 2], &[&[&[0]], &[&[1]]])?;
            let all = IndexMap::blocks(&[0, 2], &[0, 2], &[&[&[0]]])?;
            let a = DistArray::from_whole(world, &square, &rows, &Device::cpu())?;
            let b = DistArray::from_whole(&alone, &square, &all, &Device::cpu())?;
            let refused = |told: Result<DistArray<f64, 2>>| {
                let told = told.map(drop).unwrap_err();
                let Error::Argument { expected, got, .. } = &told else {
                    panic!("{told}")
                };
                assert_eq!(
                    (expected.as_str(), got.as_str()),
                    ("arrays of one world", "arrays of two")
                );
            };
            refused(a.zip(&b, |a, b| (a + b).eval()));
            refused(b.zip(&a, |b, a| (a + b).eval()));
            refused(a.dot(&b));
            refused(b.dot(&a));
            // No rank has begun a call.
            world.barrier()
        })
        .unwrap();
}

#[test]
fn of_nan_alone_the_least_and_the_greatest_element_is_nan() {
    run(|world| {
        let device = Device::cpu();
        let nan = f32::NAN;
        let map = IndexMap::blocks(
            &[0, 1, 2],
            &[0, 0, 2, 3],
            &[&[&[0], &[0], &[1]], &[&[1], &[1, 2], &[2]]],
        )?;
        let whole = Field::<f32>::from_slice(&device, &[nan, nan, nan, nan, nan, 7.0])?.into_shape([2, 3])?;
        let a = DistArray::from_whole(world, &whole, &map, &device)?;
        for mode in [Mode::Replica, Mode::Min, Mode::Max] {
            let a = a.change_mode(mode)?;
            // Along an axis as fields have it.
            assert_eq!(a.min_axis(1)?.get()?.to_vec()?, whole.min_axis(1)?.to_vec()?);
            assert_eq!(a.max_axis(1)?.get()?.to_vec()?, whole.max_axis(1)?.to_vec()?);
            let all = a.get()?.to_vec()?;
            assert!(all[..5].iter().all(|x| x.is_nan()) && all[5] == 7.0, "{mode}: {all:?}");
            assert_eq!((a.min()?, a.max()?), (7.0, 7.0));
        }
        let halves = Field::<f16, 2>::full(&device, [2, 3], f16::NAN)?;
        let b = DistArray::from_whole(world, &halves, &map, &device)?;
        assert!(b.min()?.is_nan() && b.max()?.is_nan());
        // Of nothing.
        let none = Field::<f32>::zeros(&device, 0)?;
        let c = DistArray::from_whole(world, &none, &IndexMap::new([0], vec![])?, &device)?;
        assert_eq!((c.min()?, c.max()?), (f32::INFINITY, f32::NEG_INFINITY));
        Ok(())
    });
}

#[test]
fn maps_that_would_take_too_long_are_refused() {
    // Spans of many steps without a divisor in common: each has positions of every kind of the others.
    let steps = [
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89,
    ];
    let all = 1_usize << 60;
    let mut chunks: Vec<[Span; 2]> = steps
        .iter()
        .map(|step| [Span::stepped(1..all, *step), Span::from(0..3)])
        .collect();
    chunks.extend([[Span::from(0..all), (0..2).into()], [Span::from(0..all), (2..4).into()]]);
    let few = chunks[chunks.len() - 6..].to_vec();
    assert!(IndexMap::new([all, 4], vec![few]).is_ok());
    let told = IndexMap::new([all, 4], vec![chunks]).unwrap_err();
    assert!(matches!(told, Error::Argument { .. }), "{told}");
    assert!(told.to_string().contains("steps"), "{told}");
}

/// What ranks are told of whom one does something with the first and one with the second of two arrays.
fn told_apart(call: impl Fn(&DistArray<f32, 1>, &DistArray<f32, 1>) -> Result<()> + Sync) -> String {
    let told = Local::new(2).run(|world| {
        let map = IndexMap::new([4], vec![vec![[(0..2).into()]], vec![[(2..4).into()]]])?;
        let whole = Field::<f32>::full(&Device::cpu(), 4, 1.0)?;
        let [one, other] = [0, 1].map(|_| DistArray::from_whole(world, &whole, &map, &Device::cpu()));
        let (one, other) = (one?, other?);
        match world.rank() {
            0 => call(&one, &other),
            _ => call(&other, &one),
        }
    });
    match told {
        Err(error @ Error::Mismatch { .. }) => error.to_string(),
        other => panic!("not told apart: {other:?}"),
    }
}

#[test]
fn arrays_of_one_type_are_told_apart() {
    let told = told_apart(|one, _| one.sum().map(drop));
    assert!(
        told.contains("array 0 of `f32`") && told.contains("array 1 of `f32`"),
        "{told}"
    );
    told_apart(|one, _| one.reshard(one.index_map()).map(drop));
    told_apart(|one, _| one.get().map(drop));
    told_apart(|one, other| one.zip(other, |a, b| (a - b).eval()).map(drop));
    // Also if the array that is brought to the other one's chunks is the same.
    told_apart(|one, other| {
        let (first, _) = if one.min()? < 0.0 { (other, one) } else { (one, other) };
        first.zip(first, |a, b| (a - b).eval()).map(drop)
    });
    told_apart(|one, other| {
        one.change_mode(Mode::Sum)?
            .change_mode(Mode::Prod)?
            .sum()
            .and(other.sum())
            .map(drop)
    });
}

#[test]
fn results_have_the_same_numbers_where_a_function_fails_on_one_rank() {
    Local::new(2)
        .run(|world| {
            let map = IndexMap::new([4], vec![vec![[(0..2).into()]], vec![[(2..4).into()]]])?;
            let whole = Field::<f32>::full(&Device::cpu(), 4, 1.0)?;
            let a = DistArray::from_whole(world, &whole, &map, &Device::cpu())?;
            let shape = if world.rank() == 0 { 3 } else { 2 };
            let result = a.map(|_| Field::<f32>::zeros(&Device::cpu(), shape));
            assert_eq!(result.is_err(), world.rank() == 0);
            let b = a.map(|a| (a + 1.0_f32).eval())?;
            assert_eq!(b.sum()?, 8.0);
            Ok(())
        })
        .unwrap();
}
