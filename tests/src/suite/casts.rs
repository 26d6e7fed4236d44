//! `as` between all pairs of scalar types.

use swathe::prelude::*;

use super::support::{equal, field, same};

/// A value as each type. `usize` and `isize` are no elements, so that they stand in their 64-bit equals.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Casts {
    a: i8,
    b: i16,
    c: i32,
    d: i64,
    e: i64,
    f: u8,
    g: u16,
    h: u32,
    i: u64,
    j: u64,
    /// Bits of the `f32` and `f64`.
    k: u32,
    l: u64,
}

/// `T::from`, of what each type has every value of; results by their bits.
#[kernel]
fn converted(x: &Field<i64>, out: &mut Field<[u64; 8]>, wide: &mut Field<i32>) {
    for i in out.indices() {
        let (small, byte, short, whole) = (x[i] as i8, x[i] as u8, x[i] as u16, x[i] as i32);
        let half = x[i] as f32 / 3.0;
        out[i] = [
            i64::from(small) as u64,
            u64::from(byte) + u64::from(x[i] > 0),
            f64::from(whole).to_bits(),
            u64::from(f32::from(short).to_bits()),
            f64::from(half).to_bits(),
            i64::from(i16::from(byte) - 300) as u64,
            u64::from(u32::from(short)),
            i64::from(i64::from(i32::from(small) * -3)) as u64,
        ];
        wide[usize::from(short)].atomic_add(i32::from(byte));
    }
}

#[kernel]
fn of_halves(x: &Field<swathe::f16>, y: &Field<swathe::bf16>, out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = f64::from(x[i]) * 3.0 + f64::from(f32::from(y[i]) + f32::from(x[i]));
    }
}

fn check_halves(device: &Device) {
    let values = [0.0, -1.5, 0.1, 65_504.0, 1e-7, f32::INFINITY];
    let (a, b) = (values.map(swathe::f16::from_f32), values.map(swathe::bf16::from_f32));
    let mut out = Field::zeros(device, values.len()).unwrap();
    of_halves(&field(device, &a), &field(device, &b), &mut out).unwrap();
    let expected = a
        .iter()
        .zip(b)
        .map(|(a, b)| a.to_f64() * 3.0 + (b.to_f32() + a.to_f32()) as f64);
    same("halves", &out, expected.collect());
}

fn check_converted(device: &Device) {
    let values = [
        0,
        1,
        -1,
        127,
        128,
        255,
        256,
        -129,
        65_535,
        70_000,
        i64::MAX,
        i64::MIN,
        1 << 31,
        123_456_789,
    ];
    let x = field(device, &values);
    let mut out = Field::zeros(device, values.len()).unwrap();
    let mut wide = Field::zeros(device, 65_536).unwrap();
    converted(&x, &mut out, &mut wide).unwrap();
    let mut sums = vec![0; 65_536];
    let expected = values.map(|v| {
        let (small, byte, short, whole) = (v as i8, v as u8, v as u16, v as i32);
        sums[usize::from(short)] += i32::from(byte);
        [
            small as i64 as u64,
            byte as u64 + (v > 0) as u64,
            (whole as f64).to_bits(),
            (short as f32).to_bits() as u64,
            ((v as f32 / 3.0) as f64).to_bits(),
            (byte as i64 - 300) as u64,
            short as u64,
            (small as i64 * -3) as u64,
        ]
    });
    same("converted", &out, expected.to_vec());
    same("sums of converted", &wide, sums);
}

/// The bits of a NaN are not part of the language: a GPU has one NaN of `f32`.
fn of_numbers(mut casts: Casts) -> Casts {
    if f32::from_bits(casts.k).is_nan() {
        casts.k = f32::NAN.to_bits();
    }
    if f64::from_bits(casts.l).is_nan() {
        casts.l = f64::NAN.to_bits();
    }
    casts
}

macro_rules! casts {
    ($($name:ident $t:ty, $values:expr;)*) => {
        $(
            #[kernel]
            fn $name(x: &Field<$t>, out: &mut Field<Casts>) {
                for i in out.indices() {
                    let v = x[i];
                    out[i] = Casts {
                        a: v as i8,
                        b: v as i16,
                        c: v as i32,
                        d: v as i64,
                        e: v as isize as i64,
                        f: v as u8,
                        g: v as u16,
                        h: v as u32,
                        i: v as u64,
                        j: v as usize as u64,
                        k: (v as f32).to_bits(),
                        l: (v as f64).to_bits(),
                    };
                }
            }
        )*

        pub fn check(device: &Device) {
            $(
                let values: Vec<$t> = $values.into_iter().collect();
                let x = field(device, &values);
                let mut out = Field::zeros(device, values.len()).unwrap();
                $name(&x, &mut out).unwrap();
                let expected: Vec<Casts> = values.iter().map(|v| Expect::casts(*v)).map(of_numbers).collect();
                let got: Vec<Casts> = out.to_vec().unwrap().into_iter().map(of_numbers).collect();
                equal(stringify!($name), &got, &expected);
            )*
            check_sizes(device);
            check_converted(device);
            check_halves(device);
        }

        pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
            let mut all = vec![$((stringify!($name), $name::cuda_source())),*];
            all.push(("booleans", booleans::cuda_source()));
            all.push(("from_sizes", from_sizes::cuda_source()));
            all.push(("converted", converted::cuda_source()));
            all.push(("of_halves", of_halves::cuda_source()));
            all
        }
    };
}

const FLOATS: [f64; 34] = [
    0.0,
    -0.0,
    0.4,
    -0.4,
    0.5,
    -0.5,
    0.99,
    -0.99,
    1.5,
    -1.5,
    127.0,
    127.9,
    128.0,
    -128.9,
    -129.0,
    255.9,
    256.0,
    32767.9,
    65535.9,
    -32769.0,
    2147483647.0,
    2147483648.0,
    -2147483648.9,
    4294967295.9,
    4294967296.0,
    9.3e18,
    -9.3e18,
    1.9e19,
    1e30,
    -1e30,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    16777217.0,
];

fn bits(step: u64) -> impl Iterator<Item = u64> {
    let near = [
        0u64,
        1 << 7,
        1 << 8,
        1 << 15,
        1 << 16,
        1 << 24,
        1 << 31,
        1 << 32,
        1 << 53,
        1 << 63,
        u64::MAX / 3,
    ];
    near.into_iter()
        .flat_map(move |n| [n.wrapping_sub(step), n.wrapping_sub(1), n, n + 1, n.wrapping_add(step)])
}

casts! {
    from_i8 i8, i8::MIN..=i8::MAX;
    from_u8 u8, u8::MIN..=u8::MAX;
    from_i16 i16, bits(3).map(|b| b as i16);
    from_u16 u16, bits(5).map(|b| b as u16);
    from_i32 i32, bits(7).map(|b| b as i32);
    from_u32 u32, bits(9).map(|b| b as u32);
    from_i64 i64, bits(1025).map(|b| b as i64);
    from_u64 u64, bits(1023).map(|b| b as u64);
    from_f32 f32, FLOATS.map(|v| v as f32);
    from_f64 f64, FLOATS;
}

#[kernel]
fn booleans(x: &Field<bool>, out: &mut Field<[i64; 10]>) {
    for i in out.indices() {
        let v = x[i];
        out[i] = [
            v as i8 as i64,
            v as i16 as i64,
            v as i32 as i64,
            v as i64,
            v as isize as i64,
            v as u8 as i64,
            v as u16 as i64,
            v as u32 as i64,
            v as u64 as i64,
            v as usize as i64 + v as bool as i64 - (i < 2) as i64,
        ];
    }
}

#[kernel]
fn from_sizes(x: &Field<u64>, out: &mut Field<[Casts; 2]>) {
    for i in out.indices() {
        let v = x[i] as usize;
        let w = x[i] as isize;
        out[i] = [
            Casts {
                a: v as i8,
                b: v as i16,
                c: v as i32,
                d: v as i64,
                e: v as isize as i64,
                f: v as u8,
                g: v as u16,
                h: v as u32,
                i: v as u64,
                j: v as u64,
                k: (v as f32).to_bits(),
                l: (v as f64).to_bits(),
            },
            Casts {
                a: w as i8,
                b: w as i16,
                c: w as i32,
                d: w as i64,
                e: w as i64,
                f: w as u8,
                g: w as u16,
                h: w as u32,
                i: w as u64,
                j: w as usize as u64,
                k: (w as f32).to_bits(),
                l: (w as f64).to_bits(),
            },
        ];
    }
}

type Wide = i64;

/// Literals have the type that they are cast to, also behind a sign or in a block.
#[kernel]
fn literals(out: &mut Field<[i64; 8]>) {
    for i in out.indices() {
        out[i] = [
            4_294_967_295 as i64,
            (4_294_967_296) as u64 as i64,
            -4_294_967_297 as Wide,
            { 4_294_967_298 } as usize as i64,
            !0 as u64 as i64,
            !4_294_967_295 as i64,
            200 as u8 as i64,
            1.1 as f32 as f64 as i64 + ((1.1 as f32 as f64) * 1e9) as i64 + (1e10 as i64),
        ];
    }
}

fn check_sizes(device: &Device) {
    let mut out = Field::zeros(device, 3).unwrap();
    literals(&mut out).unwrap();
    let expected = [
        4_294_967_295,
        4_294_967_296,
        -4_294_967_297,
        4_294_967_298,
        -1,
        -4_294_967_296,
        200,
        1 + 1_100_000_023 + 10_000_000_000,
    ];
    same("literals", &out, vec![expected; 3]);
    let values: Vec<u64> = bits(1023).collect();
    let x = field(device, &values);
    let mut out = Field::zeros(device, values.len()).unwrap();
    from_sizes(&x, &mut out).unwrap();
    let expected = values.iter().map(|v| [v.casts(), (*v as i64).casts()]).collect();
    same("from_sizes", &out, expected);
    let x = field(device, &[false, true, true]);
    let mut out = Field::zeros(device, 3).unwrap();
    booleans(&x, &mut out).unwrap();
    same(
        "booleans",
        &out,
        vec![[0, 0, 0, 0, 0, 0, 0, 0, 0, -1], [1; 10], [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]],
    );
}

/// What Rust's reference says of `as`, without `as` where a float is rounded or cut off.
trait Expect: Copy {
    fn casts(self) -> Casts;
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Expect for $t {
            fn casts(self) -> Casts {
                let wide = i128::from(self);
                let low = |bits: u32| wide & ((1 << bits) - 1);
                let signed = |bits: u32| low(bits) - if low(bits) >> (bits - 1) == 1 { 1 << bits } else { 0 };
                Casts {
                    a: signed(8).try_into().unwrap(),
                    b: signed(16).try_into().unwrap(),
                    c: signed(32).try_into().unwrap(),
                    d: signed(64).try_into().unwrap(),
                    e: signed(64).try_into().unwrap(),
                    f: low(8).try_into().unwrap(),
                    g: low(16).try_into().unwrap(),
                    h: low(32).try_into().unwrap(),
                    i: low(64).try_into().unwrap(),
                    j: low(64).try_into().unwrap(),
                    // Reading decimal text rounds once, to nearest even.
                    k: self.to_string().parse::<f32>().unwrap().to_bits(),
                    l: self.to_string().parse::<f64>().unwrap().to_bits(),
                }
            }
        }
    )*};
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl Expect for f64 {
    fn casts(self) -> Casts {
        let whole = |least: i128, most: i128| {
            if self.is_nan() {
                return 0;
            }
            // Powers of two and their negatives are floats, so that these comparisons are exact.
            if self >= (most + 1) as f64 {
                most
            } else if self <= least as f64 {
                least
            } else {
                self.trunc() as i128
            }
        };
        let signed = |bits: u32| whole(-(1 << (bits - 1)), (1 << (bits - 1)) - 1);
        let unsigned = |bits: u32| whole(0, (1 << bits) - 1);
        Casts {
            a: signed(8).try_into().unwrap(),
            b: signed(16).try_into().unwrap(),
            c: signed(32).try_into().unwrap(),
            d: signed(64).try_into().unwrap(),
            e: signed(64).try_into().unwrap(),
            f: unsigned(8).try_into().unwrap(),
            g: unsigned(16).try_into().unwrap(),
            h: unsigned(32).try_into().unwrap(),
            i: unsigned(64).try_into().unwrap(),
            j: unsigned(64).try_into().unwrap(),
            k: (self as f32).to_bits(),
            l: self.to_bits(),
        }
    }
}

impl Expect for f32 {
    fn casts(self) -> Casts {
        Casts {
            k: self.to_bits(),
            ..f64::from(self).casts()
        }
    }
}
