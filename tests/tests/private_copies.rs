//! Fields that a loop only adds to, beside others that it changes atomically in other ways.

use swathe::{Soa, Technique, Vector, prelude::*};

/// Of the fields, `sums` and `signed` are only added to; the results of the additions to `places` are used, and `most`
/// takes maxima.
#[kernel]
fn spread(
    keys: &Field<u32>,
    sums: &mut Field<u64>,
    signed: &mut Field<Vec2, 2>,
    places: &mut Field<u32>,
    order: &mut Field<u32>,
    most: &mut Field<u32>,
) -> u64 {
    let bins = sums.len();
    let mut total = 0u64;
    for i in keys.indices() {
        let key = keys[i];
        let bin = key as usize % bins;
        sums[bin].atomic_add(key as u64);
        for k in 0..2 {
            if (key & 1) as usize == k {
                signed[[bin % 3, k]].atomic_add(Vec2::new(1.0, key as f32));
            } else {
                signed[[bin % 3, k]].atomic_sub(Vec2::new(2.0, 0.0));
            }
        }
        order[i] = places[bin].atomic_add(1);
        most[bin].atomic_max(key);
        total += key as u64;
    }
    total
}

#[kernel]
fn count(keys: &Field<u32>, bins: &mut Field<i32>) {
    for i in keys.indices() {
        bins[keys[i] as usize].atomic_add(1);
    }
}

fn keys(n: usize) -> Vec<u32> {
    (0..n as u32).map(|k| k.wrapping_mul(2_654_435_761) >> 20).collect()
}

#[test]
fn all_forms_together() {
    let device = Device::cpu();
    for (n, bins) in [
        (0, 3),
        (1, 1),
        (17, 5),
        (1000, 3),
        (300_000, 7),
        (300_000, 1000),
        (3000, 100_003),
    ] {
        let keys = keys(n);
        let field = Field::from_slice(&device, &keys).unwrap();
        let mut sums = Field::full(&device, bins, 7u64).unwrap();
        let mut signed = Field::zeros(&device, [3, 2]).unwrap();
        let mut places = Field::zeros(&device, bins).unwrap();
        let mut order = Field::zeros(&device, n).unwrap();
        let mut most = Field::zeros(&device, bins).unwrap();
        let total = spread(&field, &mut sums, &mut signed, &mut places, &mut order, &mut most).unwrap();
        assert_eq!(total, keys.iter().map(|&k| u64::from(k)).sum::<u64>());

        let mut expected = vec![7u64; bins];
        let mut counts = vec![0u32; bins];
        let mut largest = vec![0u32; bins];
        let mut plus = [[[0.0f64; 2]; 2]; 3];
        for &key in &keys {
            let bin = key as usize % bins;
            expected[bin] += u64::from(key);
            counts[bin] += 1;
            largest[bin] = largest[bin].max(key);
            let k = (key & 1) as usize;
            plus[bin % 3][k][0] += 1.0;
            plus[bin % 3][k][1] += f64::from(key);
            plus[bin % 3][1 - k][0] -= 2.0;
        }
        assert_eq!(sums.to_vec().unwrap(), expected, "{n} in {bins}");
        assert_eq!(places.to_vec().unwrap(), counts);
        assert_eq!(most.to_vec().unwrap(), largest);
        for (got, expected) in signed.to_vec().unwrap().iter().zip(plus.as_flattened()) {
            assert_eq!(f64::from(got.x), expected[0]);
            assert!(
                (f64::from(got.y) - expected[1]).abs() <= 1e-3 * expected[1].abs(),
                "{got:?} {expected:?}"
            );
        }
        // The results of the additions number the keys of each bin.
        let mut met: Vec<(usize, u32)> = keys
            .iter()
            .map(|&k| k as usize % bins)
            .zip(order.to_vec().unwrap())
            .collect();
        met.sort_unstable();
        met.dedup();
        assert_eq!(met.len(), n);
        assert!(met.iter().all(|&(bin, place)| place < counts[bin]));
    }
}

#[test]
fn additions_beyond_the_end_are_told_and_the_others_done() {
    let device = Device::cpu();
    let keys = keys(100_000);
    let mut bins = Field::zeros(&device, 1000).unwrap();
    let error = count(&Field::from_slice(&device, &keys).unwrap(), &mut bins).unwrap_err();
    let beyond = keys.iter().filter(|&&k| k >= 1000).count();
    assert!(
        matches!(&error, Error::OutOfBounds { count, field: "bins", .. } if *count == beyond),
        "{error}"
    );
    let sum: i32 = bins.to_vec().unwrap().iter().sum();
    assert_eq!(sum as usize, keys.len() - beyond);
}

#[kernel]
fn even_bins(keys: &Field<u32>, bins: &mut Field<f32>) {
    for i in keys.indices() {
        bins[keys[i] as usize / 2 * 2].atomic_add(1.0);
    }
}

#[test]
fn elements_without_a_sum_keep_their_bits() {
    let device = Device::cpu();
    let keys = Field::from_slice(&device, &[0_u32, 2, 4, 6].repeat(100_000)).unwrap();
    let mut bins = Field::full(&device, 9, -0.0_f32).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    pool.install(|| even_bins(&keys, &mut bins)).unwrap();
    let bits: Vec<u32> = bins.to_vec().unwrap().into_iter().map(f32::to_bits).collect();
    let (sum, kept) = (100_000_f32.to_bits(), (-0.0_f32).to_bits());
    assert_eq!(bits, [sum, kept, sum, kept, sum, kept, sum, kept, kept]);
}

#[kernel]
fn there_and_back(keys: &Field<u32>, bins: &mut Field<f32>, pairs: &mut Field<Vector<f64, 2>>) {
    for i in keys.indices() {
        let k = keys[i] as usize;
        bins[k].atomic_add(if i % 2 == 0 { 1.0 } else { -1.0 });
        pairs[k].atomic_sub(Vector::<f64, 2>::new(0.0, if i % 2 == 0 { 0.0 } else { -0.0 }));
    }
}

/// -0.0 + 1.0 - 1.0 is 0.0 in any order, and so is -0.0 - 0.0 - -0.0.
#[test]
fn signs_of_zeros_are_those_of_sums() {
    let device = Device::cpu();
    let keys: Vec<u32> = (0..1 << 16).map(|i| i / 16).collect();
    let keys = Field::from_slice(&device, &keys).unwrap();
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // The memory of the copies is used again.
        for _ in 0..3 {
            let mut bins = Field::full(&device, 4096, -0.0_f32).unwrap();
            let mut pairs = Field::full(&device, 4096, Vector::<f64, 2>::new(-0.0, -0.0)).unwrap();
            pool.install(|| there_and_back(&keys, &mut bins, &mut pairs)).unwrap();
            let bits = bins.to_vec().unwrap().into_iter().map(f32::to_bits);
            assert_eq!(bits.filter(|bits| *bits != 0).count(), 0, "{threads}");
            let pairs = pairs.to_vec().unwrap();
            let signs = pairs.iter().map(|pair| [pair.x, pair.y].map(f64::is_sign_negative));
            assert_eq!(signs.filter(|signs| *signs != [true, false]).count(), 0, "{threads}");
        }
    }
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Bin {
    tag: u8,
    mass: u64,
    counts: [u32; 3],
    momentum: Vec2,
    kept: f32,
    stress: Mat2,
    inner: [Half; 2],
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Half {
    sum: i32,
    kept: i16,
    weight: f32,
}

impl Bin {
    /// Values that tell elements and members apart.
    fn number(k: usize) -> Bin {
        let k = k as u32;
        let half = |h: u32| Half {
            sum: -((k + h) as i32),
            kept: (k + h) as i16,
            weight: (7 * k + h) as f32,
        };
        Bin {
            tag: k as u8,
            mass: u64::from(k) << 33,
            counts: [k, k + 1, k + 2],
            momentum: Vec2::new(k as f32, -0.0),
            kept: -0.0,
            stress: Mat2::from_array([[k as f32, 1.0], [2.0, 3.0]]),
            inner: [half(1), half(2)],
        }
    }
}

/// Adds to members, components and items, with results that are dropped in every way.
#[kernel]
fn deposit(keys: &Field<u32>, bins: &mut Field<Bin, 2>) {
    let width = bins.shape()[1];
    for i in keys.indices() {
        let key = keys[i] as usize;
        let bin = [key / width % 3, key % width];
        bins[bin].mass.atomic_add(key as u64);
        bins[bin].counts[key % 3].atomic_add(1);
        let _ = bins[bin].momentum.x.atomic_sub(1.0);
        match key % 4 {
            0 => bins[bin].stress[[0, 1]].atomic_add(1.0),
            _ => bins[bin].inner[key % 2].weight.atomic_add(0.5),
        };
        if key % 5 == 0 {
            bins[bin].inner[1].sum.atomic_add(key as i32)
        } else {
            bins[bin].inner[0].sum.atomic_sub(1)
        };
    }
}

fn deposited(keys: &[u32], width: usize) -> Vec<Bin> {
    let mut bins: Vec<Bin> = (0..3 * width).map(Bin::number).collect();
    for &key in keys {
        let key = key as usize;
        let bin = &mut bins[key / width % 3 * width + key % width];
        bin.mass += key as u64;
        bin.counts[key % 3] += 1;
        bin.momentum.x -= 1.0;
        match key % 4 {
            0 => bin.stress[[0, 1]] += 1.0,
            _ => bin.inner[key % 2].weight += 0.5,
        }
        if key.is_multiple_of(5) {
            bin.inner[1].sum += key as i32;
        } else {
            bin.inner[0].sum -= 1;
        }
    }
    bins
}

#[test]
fn members_are_added_to_in_copies() {
    let plan = deposit::plan();
    let private = Technique::Private { fields: &["bins"] };
    assert!(plan.loops()[0].techniques.contains(&private), "{plan}");
    let device = Device::cpu();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for (n, width) in [(0, 3), (1, 1), (17, 1), (1000, 17), (100_000, 1), (100_000, 333)] {
        let (numbers, expected) = (keys(n), deposited(&keys(n), width));
        let keys = Field::from_slice(&device, &numbers).unwrap();
        let start = |[i, j]: [usize; 2]| Bin::number(i * width + j);
        let mut aos = Field::from_fn(&device, [3, width], start).unwrap();
        let mut soa = Field::from_fn(&device, [3, width], start)
            .unwrap()
            .with_layout(Soa)
            .unwrap();
        let across = |[j, i]: [usize; 2]| Bin::number(i * width + j);
        let mut across = Field::from_fn(&device, [width, 3], across).unwrap();
        pool.install(|| -> swathe::Result<()> {
            deposit(&keys, &mut aos)?;
            deposit(&keys, &mut soa)?;
            deposit(&keys, &mut across.view_mut()?.permuted_axes([1, 0])?)
        })
        .unwrap();
        assert_eq!(aos.to_vec().unwrap(), expected, "{n}, {width}");
        assert_eq!(soa.to_vec().unwrap(), expected, "{n}, {width}");
        assert_eq!(
            across.permuted_axes([1, 0]).unwrap().to_vec().unwrap(),
            expected,
            "{n}, {width}"
        );
        // What nothing was added to keeps its bits.
        let signs = aos
            .to_vec()
            .unwrap()
            .into_iter()
            .map(|bin| bin.kept.is_sign_negative() && bin.momentum.y.is_sign_negative());
        assert!(signs.into_iter().all(|negative| negative));
    }
}
