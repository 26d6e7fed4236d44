//! Items in bodies, constants of every shape, and literals that Rust rounds or wraps.

use swathe::prelude::*;

use super::support::{each, field, sources};

type Small = u8;
const N: usize = 1;

mod others {
    pub type Small = u32;
    pub type Real = f64;
}

/// The signature means what it means outside of the body.
#[func]
fn tripled(x: Small) -> Small {
    use self::others::Small;
    let more: Small = 1000;
    (x * 3).wrapping_add((more % 250) as u8)
}

/// An array as long as `N` of the module.
#[func]
fn last<const K: usize>(list: &mut [i32; K], one: [i32; N]) -> i32 {
    const N: usize = 4096;
    list[K - 1] += one[0] + N as i32;
    list[0]
}

#[kernel]
fn shadowed(x: &Field<i32>, out: &mut Field<[i32; 3]>, small: Small, list: [i32; N]) {
    use self::others::{Real, Small};
    const N: i32 = 4096;
    for i in x.indices() {
        let wide: Small = 70_000;
        let real: Real = 0.5;
        let mut list = [list[0], x[i]];
        out[i] = [
            tripled(x[i] as u8) as i32 + small as i32,
            last(&mut list, [7]) + list[1],
            (wide as Real * real) as i32 + N,
        ];
    }
}

type Wide = i64;
type Kind = Vec2;

mod narrower {
    pub type Wide = i8;
    pub type Kind = f32;
}

/// With a loop that runs in lanes: the second form has the signature's types, too.
#[func]
fn powers(x: Wide, base: Wide) -> Wide {
    use self::narrower::Wide;
    let one: Wide = 1;
    let (mut sum, mut power) = (x, base);
    while power < 100_000 {
        power *= base;
        sum += power + one as i64;
    }
    sum
}

/// The types of fields and of the result are those of the signature.
#[kernel]
fn typed_outside(x: &Field<Wide>, places: &mut Field<Kind>, sums: &mut Field<Wide>) -> Wide {
    use self::narrower::{Kind, Wide};
    let mut total = 0;
    for i in x.indices() {
        let (half, small): (Kind, Wide) = (0.5, 3);
        places[i].x += half * small as f32;
        sums[i] = powers(x[i], 2 + x[i] % 3);
        total += sums[i];
    }
    total + 70_000
}

/// The list has one element for the caller, and for the check.
#[kernel]
fn outside(out: &mut Field<i32>, list: [i32; N]) {
    const N: usize = 4096;
    for i in out.indices() {
        out[i] = list[i] + N as i32;
    }
}

const PAIR: (i32, f64) = (3, 0.25);
const NESTED: ((u8, i64), [(u8, i16); 3], Vec3) =
    ((200, i64::MIN), [(1, -1), (2, -2), (3, 300)], Vec3::new(1.0, 2.0, 3.0));
static PAIRS: [(bool, u64); 2] = [(true, u64::MAX), (false, 7)];

trait Named {
    const OF: (i16, f32);
}

impl Named for Vec3 {
    const OF: (i16, f32) = (-5, 1.5);
}

#[func]
fn of_tuples(k: i64) -> i64 {
    const HERE: ((), (i8, u32), bool) = ((), (-7, 70_000), true);
    let ((a, b), list, v) = NESTED;
    let mut sum = PAIR.0 as i64 + (PAIR.1 * 8.0) as i64 + a as i64 + (b >> 40) + v.z as i64;
    for j in 0..3 {
        sum += list[j].0 as i64 * list[j].1 as i64;
    }
    if PAIRS[0].0 && !PAIRS[1].0 && HERE.2 {
        sum += (PAIRS[0].1 >> 50) as i64 + PAIRS[1].1 as i64;
    }
    sum + HERE.1.0 as i64 * HERE.1.1 as i64 + <Vec3 as Named>::OF.0 as i64 + k
}

#[kernel]
fn tuples(x: &Field<i64>, out: &mut Field<i64>) {
    for i in x.indices() {
        out[i] = of_tuples(x[i]);
    }
}

/// Each decimal lies next to the middle of two `f32`: rounded to `f64` first, it would be the middle.
#[func]
#[allow(clippy::excessive_precision)]
fn decimals(x: f32) -> [f32; 4] {
    let near: f32 = 1.000_000_178_813_934_326_171_874_99;
    [near + x, 16_777_217.000_000_001, 9_007_199_791_611_905_f32, 1e-46]
}

#[kernel]
fn rounded(x: &Field<f32>, out: &mut Field<[f32; 4]>) {
    for i in x.indices() {
        out[i] = decimals(x[i]);
    }
}

#[func]
#[allow(overflowing_literals, unused_comparisons, clippy::absurd_extreme_comparisons)]
fn out_of_range(x: i32) -> i32 {
    let mut n = 0;
    for t in 250..258u8 {
        n += t as i32 + 1;
    }
    for t in -128..-120i8 {
        n += t as i32 & 7;
    }
    n += (x as i8 / 255i8) as i32 + 300u8 as i32 + (-129i8) as i32 + (x == 4_294_967_291) as i32;
    match x {
        -1 => n + 1,
        4294967294 => n + 2,
        -2_147_483_648 => n + 3,
        -3 => n + 4,
        _ => n,
    }
}

#[kernel]
fn wrapped(x: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        out[i] = out_of_range(x[i]);
    }
}

/// The only arm that runs is the first with a value.
#[func]
#[allow(
    unreachable_patterns,
    clippy::manual_range_patterns,
    clippy::match_same_arms,
    clippy::match_overlapping_arm
)]
fn repeated(x: i32) -> i32 {
    const THREE: i32 = 3;
    match x {
        0 => 10,
        THREE => 11,
        3 => 12,
        4 | 5 | 4 => 13,
        5 => 14,
        6 | 3 => 15,
        _ => 16,
    }
}

#[kernel]
fn arms(x: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        out[i] = repeated(x[i]);
    }
}

/// Matches of one type behind those of another, the least and the largest numbers, and variables called like what leaves an arm.
#[kernel]
fn several(x: &Field<i32>, out: &mut Field<[i64; 5]>, returned: &mut Field<i32>) {
    for i in x.indices() {
        let narrow = match x[i] as u8 {
            0..=9 => 1,
            _ => 2,
        };
        let wide = match x[i] {
            300 => 1,
            44 => 2,
            256 => 3,
            0 => 4,
            -1 => 6,
            -2 => 7,
            _ => 5,
        };
        let unsigned = match x[i] as u32 {
            4_294_967_295 => 1,
            4_294_967_294 => 2,
            300 => 3,
            _ => 4,
        };
        let least = match (x[i] as i64) << 63 | (x[i] as i64 & 1) {
            i64::MIN => 1,
            -9_223_372_036_854_775_807 => 2,
            i64::MAX => 3,
            0 => 4,
            _ => 5,
        };
        let mut return_value = 0;
        match x[i] & 3 {
            0 => {
                return_value = 5;
            }
            1 => {
                returned[i] = 6;
            }
            2 => {
                return_value += 7;
            }
            _ => {
                returned[i] = 9;
            }
        }
        out[i] = [narrow, wide, unsigned, least, return_value];
    }
}

/// Variables that were extents and are no longer.
#[kernel]
fn moved(f: &mut Field<i32>, g: &mut Field<i32, 2>, half: bool) {
    let mut h = f.len();
    if half {
        h = h / 2;
    }
    let mut s = g.shape();
    s[1] -= 1;
    let [mut rows, _] = g.shape();
    rows -= 1;
    for i in f.indices() {
        if i < h {
            f[i] += h as i32;
        }
    }
    for [i, j] in g.indices() {
        if j < s[1] && i < rows {
            g[[i, j]] += 1 + (s[1] * rows) as i32;
        }
    }
}

const ONLY: (i32,) = (1,);
const LIST: [i32; 1] = [1];

/// Operands with braces in calls of methods.
#[kernel]
fn braces(x: &Field<i32>, out: &mut Field<[i32; 5]>) {
    for i in x.indices() {
        let zero = (x[i] & 0) as usize;
        out[i] = [
            LIST[zero].saturating_sub(x[i]),
            [2, 1][zero].clamp(-5, x[i].abs() + 3),
            ONLY.0.max(x[i]),
            (1,).0.min(x[i]),
            [1i32][zero].wrapping_add(x[i]),
        ];
    }
}

#[kernel]
#[allow(overflowing_literals, unconditional_panic)]
fn by_nothing(x: &Field<u8>, out: &mut Field<u8>) {
    for i in x.indices() {
        out[i] = x[i] / 256u8;
    }
}

/// Members with the names of CUDA's variables.
#[derive(Element, Clone, Copy, Debug, PartialEq, Default)]
#[allow(non_snake_case)]
struct Block {
    threadIdx: i32,
    blockDim: i32,
    gridDim: [i32; 2],
}

#[kernel]
fn members(x: &Field<Block>, out: &mut Field<Block>) {
    for i in x.indices() {
        out[i] = Block {
            threadIdx: x[i].blockDim,
            blockDim: x[i].threadIdx + x[i].gridDim[1],
            gridDim: [x[i].gridDim[1], 3],
        };
    }
}

pub fn check(device: &Device) {
    let block = |i: usize| Block {
        threadIdx: i as i32,
        blockDim: 5,
        gridDim: [7, 2 * i as i32],
    };
    each!(device, members, block, |_, x| Block {
        threadIdx: 5,
        blockDim: x.threadIdx * 3,
        gridDim: [x.threadIdx * 2, 3],
    });
    for n in super::support::SIZES {
        let values: Vec<i32> = (0..n as i32).map(|i| i % 80).collect();
        let mut out = Field::full(device, n, [0; 3]).unwrap();
        shadowed(&field(device, &values), &mut out, 200, [-3]).unwrap();
        let expected = values
            .iter()
            .map(|x| [(3 * *x).rem_euclid(256) + 200, -3 + x + 7 + 4096, 39_096]);
        super::support::same("shadowed", &out, expected.collect());
        let mut out = Field::full(device, n, 1).unwrap();
        let result = outside(&mut out, [5]).and_then(|()| device.synchronize());
        assert_eq!(result.is_err(), n > 1, "{n}: {result:?}");
    }
    for n in super::support::SIZES {
        let values: Vec<i64> = (0..n as i64).collect();
        let (mut places, mut sums) = (
            Field::full(device, n, Vec2::new(1.0, 2.0)).unwrap(),
            Field::zeros(device, n).unwrap(),
        );
        let total = typed_outside(&field(device, &values), &mut places, &mut sums).unwrap();
        let expected: Vec<i64> = (values.iter())
            .map(|x| {
                let base = 2 + x % 3;
                let all = std::iter::successors(Some(base), |power| (*power < 100_000).then_some(power * base));
                x + all.skip(1).map(|power| power + 1).sum::<i64>()
            })
            .collect();
        assert_eq!(total, 70_000 + expected.iter().sum::<i64>(), "{n}");
        super::support::same("typed_outside", &sums, expected);
        assert_eq!(places.to_vec().unwrap(), vec![Vec2::new(2.5, 2.0); n]);
    }
    each!(device, tuples, |i| i as i64 - 9, |_, x| {
        let list = -1 - 4 + 900;
        3 + 2 + 200 + (i64::MIN >> 40) + 3 + list + 16_383 + 7 - 7 * 70_000 - 5 + x
    });
    each!(device, rounded, |i| i as f32, |_, x| [
        f32::from_bits(0x3f80_0001) + x,
        16_777_218.0,
        9_007_200_328_482_816.0,
        0.0
    ]);
    each!(
        device,
        wrapped,
        |i| [-1, -2, i32::MIN, -3, -5, 7, 127][i % 7],
        |_, x| {
            // `250..2`, and the last bits of -128 to -121.
            let n = 28 - (x as i8) as i32 + 44 + 127 + i32::from(x == -5);
            n + match x {
                -1 => 1,
                -2 => 2,
                i32::MIN => 3,
                -3 => 4,
                _ => 0,
            }
        }
    );
    each!(device, arms, |i| i as i32 % 9, |_, x| match x {
        0 => 10,
        3 => 11,
        4 | 5 => 13,
        6 => 15,
        _ => 16,
    });
    for n in [1, 3, 17, 1000] {
        for half in [false, true] {
            let (mut f, mut g) = (Field::zeros(device, n).unwrap(), Field::zeros(device, [n, 5]).unwrap());
            moved(&mut f, &mut g, half).unwrap();
            let h = if half { n / 2 } else { n };
            super::support::same("moved", &f, (0..n).map(|i| if i < h { h as i32 } else { 0 }).collect());
            let inside = |k: usize| k % 5 < 4 && k / 5 < n - 1;
            let expected = (0..5 * n).map(|k| if inside(k) { 1 + 4 * (n as i32 - 1) } else { 0 });
            assert_eq!(g.to_vec().unwrap(), expected.collect::<Vec<_>>(), "{n}");
        }
    }
    each!(device, braces, |i| i as i32 - 5, |_, x| [
        1 - x,
        2,
        x.max(1),
        x.min(1),
        x + 1
    ]);
    let values = [300, 44, 256, 0, 7, -1, -2, 5, 9, 11];
    let (mut out, mut returned) = (
        Field::full(device, 10, [0; 5]).unwrap(),
        Field::zeros(device, 10).unwrap(),
    );
    several(&field(device, &values), &mut out, &mut returned).unwrap();
    let expected = values.map(|x: i32| {
        let wide = [300, 44, 256, 0]
            .iter()
            .position(|k| *k == x)
            .map_or(5, |k| k as i64 + 1);
        let (minus_one, minus_two) = (x == -1, x == -2);
        [
            if x as u8 <= 9 { 1 } else { 2 },
            if minus_one {
                6
            } else if minus_two {
                7
            } else {
                wide
            },
            if minus_one {
                1
            } else if minus_two {
                2
            } else if x == 300 {
                3
            } else {
                4
            },
            if x & 1 == 1 { 2 } else { 4 },
            [5, 0, 7, 0][(x & 3) as usize],
        ]
    });
    super::support::same("several", &out, expected.to_vec());
    let expected = values.map(|x: i32| [0, 6, 0, 9][(x & 3) as usize]);
    super::support::same("returned", &returned, expected.to_vec());
    let mut out = Field::full(device, 3, 9u8).unwrap();
    let result = by_nothing(&field(device, &[1, 2, 3]), &mut out).and_then(|()| device.synchronize());
    assert!(matches!(result, Err(swathe::Error::KernelFailure { .. })), "{result:?}");
    assert_eq!(out.to_vec().unwrap(), [9; 3]);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        several,
        braces,
        members,
        shadowed,
        typed_outside,
        outside,
        tuples,
        rounded,
        wrapped,
        arms,
        by_nothing
    ]
}
