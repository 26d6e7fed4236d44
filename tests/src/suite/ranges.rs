//! Inner loops over ranges from data, whose counters are indices: which access fails first, and what has been done until then.

use swathe::prelude::*;

use super::support::{ended, equal, field, sources};

#[kernel]
fn rows(start: &Field<u32>, a: &Field<u32>, b: &Field<i32>, x: &Field<i32>, seen: &mut Field<u32>, y: &mut Field<i32>) {
    for i in y.indices() {
        let mut sum = 1;
        for k in start[i]..start[i + 1] {
            sum += b[k as usize] * x[a[k as usize] as usize];
            seen[i] += 1;
        }
        y[i] = sum;
    }
}

/// A check of the counter behind another one, and behind a write.
#[kernel]
fn late(start: &Field<u32>, a: &Field<u32>, b: &Field<i32>, x: &Field<i32>, seen: &mut Field<u32>, y: &mut Field<i32>) {
    for i in y.indices() {
        let mut sum = 1;
        for k in start[i] as usize..start[i + 1] as usize {
            let v = x[a[k] as usize];
            seen[i] += 1;
            sum += v * b[k];
        }
        y[i] = sum;
    }
}

/// Leaves the loop early, so that what is behind its end must not fail.
#[kernel]
fn until(
    start: &Field<u32>,
    a: &Field<u32>,
    b: &Field<i32>,
    x: &Field<i32>,
    seen: &mut Field<u32>,
    y: &mut Field<i32>,
) {
    for i in y.indices() {
        let mut sum = 1;
        for k in start[i]..start[i + 1] {
            let w = b[k as usize];
            let c = a[k as usize];
            if w == 3 {
                break;
            }
            sum += w * x[c as usize];
            seen[i] += 1;
        }
        y[i] = sum;
    }
}

/// Passes over rounds, and loops in a loop, with the same names.
#[kernel]
fn twice(
    start: &Field<u32>,
    a: &Field<u32>,
    b: &Field<i32>,
    x: &Field<i32>,
    seen: &mut Field<u32>,
    y: &mut Field<i32>,
) {
    for i in y.indices() {
        let mut sum = 1;
        for k in start[i]..start[i + 1] {
            let w = b[k as usize];
            if w == 3 {
                continue;
            }
            for k in 0..a[k as usize] {
                sum += w * x[k as usize];
            }
            seen[i] += 1;
        }
        for k in start[i]..start[i + 1] {
            sum -= b[k as usize];
        }
        y[i] = sum;
    }
}

/// A failure: the field, the index.
type Failure = (&'static str, usize);

/// The data of a run, and what a row does, in plain Rust.
struct Data {
    start: Vec<u32>,
    a: Vec<u32>,
    b: Vec<i32>,
    x: Vec<i32>,
}

impl Data {
    fn start(&self, i: usize) -> Result<u32, Failure> {
        self.start.get(i).copied().ok_or(("start", i))
    }

    fn a(&self, k: usize) -> Result<u32, Failure> {
        self.a.get(k).copied().ok_or(("a", k))
    }

    fn b(&self, k: usize) -> Result<i32, Failure> {
        self.b.get(k).copied().ok_or(("b", k))
    }

    fn x(&self, k: usize) -> Result<i32, Failure> {
        self.x.get(k).copied().ok_or(("x", k))
    }

    fn rows(&self, i: usize, seen: &mut u32) -> Result<i32, Failure> {
        let mut sum = 1;
        for k in self.start(i)?..self.start(i + 1)? {
            sum += self.b(k as usize)? * self.x(self.a(k as usize)? as usize)?;
            *seen += 1;
        }
        Ok(sum)
    }

    fn late(&self, i: usize, seen: &mut u32) -> Result<i32, Failure> {
        let mut sum = 1;
        for k in self.start(i)?..self.start(i + 1)? {
            let v = self.x(self.a(k as usize)? as usize)?;
            *seen += 1;
            sum += v * self.b(k as usize)?;
        }
        Ok(sum)
    }

    fn until(&self, i: usize, seen: &mut u32) -> Result<i32, Failure> {
        let mut sum = 1;
        for k in self.start(i)?..self.start(i + 1)? {
            let w = self.b(k as usize)?;
            let c = self.a(k as usize)?;
            if w == 3 {
                break;
            }
            sum += w * self.x(c as usize)?;
            *seen += 1;
        }
        Ok(sum)
    }

    fn twice(&self, i: usize, seen: &mut u32) -> Result<i32, Failure> {
        let mut sum = 1;
        for k in self.start(i)?..self.start(i + 1)? {
            let w = self.b(k as usize)?;
            if w == 3 {
                continue;
            }
            for k in 0..self.a(k as usize)? {
                sum += w * self.x(k as usize)?;
            }
            *seen += 1;
        }
        for k in self.start(i)?..self.start(i + 1)? {
            sum -= self.b(k as usize)?;
        }
        Ok(sum)
    }
}

type Kernel =
    fn(&Field<u32>, &Field<u32>, &Field<i32>, &Field<i32>, &mut Field<u32>, &mut Field<i32>) -> swathe::Result<()>;

type Row = fn(&Data, usize, &mut u32) -> Result<i32, Failure>;

/// Runs one row, whose failure is the first in the order of the text, and all of them.
fn compare(device: &Device, name: &str, data: &Data, rows: usize, kernel: Kernel, row: Row) {
    let start = Field::from_slice(device, &data.start).unwrap();
    let a = Field::from_slice(device, &data.a).unwrap();
    let b = Field::from_slice(device, &data.b).unwrap();
    let x = Field::from_slice(device, &data.x).unwrap();
    let mut seen = Field::zeros(device, rows).unwrap();
    let mut y = Field::full(device, rows, -9).unwrap();
    let result = ended(device, kernel(&start, &a, &b, &x, &mut seen, &mut y));
    let mut expected = (vec![0; rows], vec![-9; rows], Vec::new());
    for i in 0..rows {
        match row(data, i, &mut expected.0[i]) {
            Ok(sum) => expected.1[i] = sum,
            Err(failure) => expected.2.push(failure),
        }
    }
    let what = format!("{name}, {rows} rows, {} and {} entries", data.a.len(), data.b.len());
    match result {
        Ok(()) => assert_eq!(expected.2, [], "{what}"),
        Err(Error::OutOfBounds {
            field, index, count, ..
        }) => {
            assert_eq!(count, expected.2.len(), "{what}");
            assert!(
                expected.2.contains(&(field, index[0])),
                "{what}: {field}{index:?}, not one of {:?}",
                expected.2
            );
        }
        Err(other) => panic!("{what}: {other}"),
    }
    equal(&what, &seen.to_vec().unwrap(), &expected.0);
    equal(&what, &y.to_vec().unwrap(), &expected.1);
}

/// Rows of 0 to 6 entries, of which some are missing in `a`, some in `b`, and some columns are no elements of `x`.
fn data(rows: usize, missing: [usize; 2], bad: usize) -> Data {
    let mut start = vec![0];
    for i in 0..rows {
        start.push(start[i] + (i * 5 + 2) as u32 % 7);
    }
    let n = start[rows] as usize;
    let column = |k: usize| {
        if bad != 0 && k % bad == bad - 1 {
            11 + k as u32
        } else {
            (k * 7 % 11) as u32
        }
    };
    Data {
        a: (0..n.saturating_sub(missing[0])).map(column).collect(),
        b: (0..n.saturating_sub(missing[1]))
            .map(|k| (k * 5 % 13) as i32 - 4)
            .collect(),
        x: (0..11).map(|k| 3 * k - 7).collect(),
        start,
    }
}

/// Ends that a length limits, where starts, ends and dividends do not fit in 32 bits.
#[kernel]
fn within(first: &Field<u64>, last: &Field<u64>, x: &Field<i32>, out: &mut Field<i32, 2>) {
    let n = x.len();
    for i in first.indices() {
        let a = first[i] as usize;
        let b = last[i] as usize;
        for k in a..b.min(n) {
            out[[i, 0]] = out[[i, 0]].wrapping_mul(3).wrapping_add(x[k]);
        }
        for k in a.max(1) - 1..n.min(b) {
            out[[i, 1]] = out[[i, 1]].wrapping_mul(3).wrapping_add(x[k]);
        }
        for k in a % n..b % n {
            out[[i, 2]] = out[[i, 2]].wrapping_mul(3).wrapping_add(x[k] + k as i32);
        }
        out[[i, 3]] = x[a % n];
        for k in 0..(last[i] % 40) as u32 {
            out[[i, 3]] = out[[i, 3]].wrapping_mul(5).wrapping_add(k as i32);
        }
    }
}

fn check_within(device: &Device) {
    const POINTS: [u64; 12] = [
        0,
        1,
        3,
        16,
        17,
        18,
        1 << 31,
        u32::MAX as u64,
        1 << 32,
        (1 << 32) + 3,
        1 << 63,
        u64::MAX,
    ];
    let pairs: Vec<(u64, u64)> = POINTS.iter().flat_map(|a| POINTS.map(|b| (*a, b))).collect();
    let first = field(device, &pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let last = field(device, &pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    for n in [1, 3, 17] {
        let x: Vec<i32> = (0..n).map(|k| 5 * k as i32 - 7).collect();
        let mut out = Field::zeros(device, [pairs.len(), 4]).unwrap();
        ended(device, within(&first, &last, &field(device, &x), &mut out)).unwrap();
        let got = out.to_vec().unwrap();
        for (i, &(a, b)) in pairs.iter().enumerate() {
            let [a, b] = [a, b].map(|v| usize::try_from(v).unwrap());
            let over = |range: std::ops::Range<usize>| range.fold(0, |s: i32, k| s.wrapping_mul(3).wrapping_add(x[k]));
            let wrapped = (a % n..b % n).fold(0, |s: i32, k| s.wrapping_mul(3).wrapping_add(x[k] + k as i32));
            let counted = (0..b % 40).fold(x[a % n], |s: i32, k| s.wrapping_mul(5).wrapping_add(k as i32));
            let expected = [over(a..b.min(n)), over(a.max(1) - 1..n.min(b)), wrapped, counted];
            equal(&format!("{a}, {b} of {n}"), &got[4 * i..4 * i + 4], &expected);
        }
    }
}

/// Neighbours on a torus, by remainders of sums that are above zero since the loop runs at all.
#[kernel]
fn torus(x: &Field<i32, 2>, out: &mut Field<i32, 2>) {
    let [h, w] = x.shape();
    for [i, j] in swathe::ndrange([h, w]) {
        let mut sum = 0;
        for q in 0..9 {
            sum = sum * 3 + x[[(i + h + 1 - q / 3) % h, (j + w + 1 - q % 3) % w]];
        }
        out[[i, j]] = sum - x[[(i + 1) % h, (j + w - 1) % w]];
    }
}

fn check_torus(device: &Device) {
    for [h, w] in [[0, 3], [3, 0], [1, 1], [1, 17], [2, 3], [17, 5]] {
        let at = |i: usize, j: usize| (7 * i + j) as i32 % 11 - 4;
        let x = Field::from_fn(device, [h, w], |[i, j]| at(i, j)).unwrap();
        let mut out = Field::zeros(device, [h, w]).unwrap();
        ended(device, torus(&x, &mut out)).unwrap();
        let expected: Vec<i32> = (0..h * w)
            .map(|k| {
                let (i, j) = (k / w, k % w);
                let sum = (0..9).fold(0_i32, |s, q| {
                    s.wrapping_mul(3)
                        .wrapping_add(at((i + h + 1 - q / 3) % h, (j + w + 1 - q % 3) % w))
                });
                sum.wrapping_sub(at((i + 1) % h, (j + w - 1) % w))
            })
            .collect();
        equal(&format!("torus of {h} x {w}"), &out.to_vec().unwrap(), &expected);
    }
}

pub fn check(device: &Device) {
    check_within(device);
    check_torus(device);
    let kernels: [(&str, Kernel, Row); 4] = [
        ("rows", |s, a, b, x, n, y| rows(s, a, b, x, n, y), Data::rows),
        ("late", |s, a, b, x, n, y| late(s, a, b, x, n, y), Data::late),
        ("until", |s, a, b, x, n, y| until(s, a, b, x, n, y), Data::until),
        ("twice", |s, a, b, x, n, y| twice(s, a, b, x, n, y), Data::twice),
    ];
    for (name, kernel, row) in kernels {
        for count in [0, 1, 3, 17, 1000] {
            for missing in [[0, 0], [2, 0], [0, 2], [3, 1], [1, 3], [4000, 9]] {
                for bad in [0, 5] {
                    compare(device, name, &data(count, missing, bad), count, kernel, row);
                }
            }
        }
        // Of one row the one failure is known exactly; also where the range is far out, empty, or turned around.
        for range in [[0, 9], [9, 9], [12, 9], [8, 30], [3_000_000_000, 4_000_000_000]] {
            for missing in [[0, 0], [2, 0], [0, 2]] {
                let mut data = data(4, missing, 7);
                data.start = range.to_vec();
                compare(device, name, &data, 1, kernel, row);
            }
        }
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![rows, late, until, twice, within, torus]
}
