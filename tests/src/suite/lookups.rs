//! Sequential loops that look elements up at indices from data and change local variables alone, with indices out of bounds at their
//! start, middle and end.

use swathe::prelude::*;

use super::support::{SIZES, ended, equal, field, sources};

#[kernel]
fn product(start: &Field<u32>, column: &Field<u32>, value: &Field<i64>, x: &Field<i64>, y: &mut Field<i64>) {
    for r in y.indices() {
        y[r] = -1;
        let mut sum = 0;
        for k in start[r]..start[r + 1] {
            sum += value[k as usize] * x[column[k as usize] as usize];
        }
        y[r] = sum;
    }
}

/// Conditions, `continue`, two fields of different lengths, negative indices, several variables.
#[kernel]
fn neighbours(
    count: &Field<u32>,
    list: &Field<i32, 2>,
    pos: &Field<IVec2>,
    mass: &Field<u32>,
    sum: &mut Field<IVec2>,
    best: &mut Field<u32>,
) {
    for i in sum.indices() {
        let mut total = IVec2::ZERO;
        let mut most = 0;
        let mut seen: u32 = 1;
        for k in 0..count[i] as usize {
            let q = list[[i, k]];
            if q == 1 {
                continue;
            }
            let d = pos[q as usize] - pos[i];
            seen += 1;
            if d.x > 0 {
                total += d * weight(mass[q as usize], 3);
            }
            most = most.max(seen.wrapping_mul(d.y as u32));
        }
        sum[i] = total;
        best[i] = most;
    }
}

#[func]
fn weight(mass: u32, scale: i32) -> i32 {
    let mut weight = 0;
    for k in 0..3 {
        weight += mass as i32 * scale + k;
    }
    weight
}

/// An index of an index, and numbers that stand for no index.
#[kernel]
fn chained(a: &Field<u16, 2>, b: &Field<i64>, x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut last = 5;
        let mut number = 0;
        for k in 0..a.shape()[1] {
            let p = a[[i, k]];
            if p != u16::MAX {
                last = x[(b[p as usize] as usize).wrapping_add(1)];
                number += last;
            }
        }
        out[i] = number * 3 + last;
    }
}

/// What cannot be undone: stores, and a loop that ends early.
#[kernel]
fn stores(start: &Field<u32>, at: &Field<u32>, x: &Field<i32>, out: &mut Field<i32>, seen: &mut Field<i32>) {
    for i in out.indices() {
        for k in start[i]..start[i + 1] {
            seen[i] += x[at[k as usize] as usize];
        }
        for k in start[i]..start[i + 1] {
            out[i] = x[at[k as usize] as usize];
            if out[i] % 2 == 0 {
                break;
            }
        }
    }
}

/// Numbers below `n` that differ from their neighbours.
fn place(i: usize, n: usize) -> usize {
    (i.wrapping_mul(0x9e37_79b9) >> 5 & 0xffff) % n.max(1)
}

/// An access out of bounds: which one in the text, and its index.
type Failure = (usize, Vec<usize>);

/// That the failure of the earliest place in the text is told, of so many.
#[track_caller]
fn fails(name: &str, device: &Device, result: swathe::Result<()>, failures: &[Failure]) {
    let first = failures.iter().map(|(place, _)| *place).min();
    match (ended(device, result), first) {
        (Ok(()), None) => {}
        (Err(Error::OutOfBounds { index, count, .. }), Some(first)) => {
            assert_eq!(count, failures.len(), "{name}");
            let told = failures.iter().any(|(place, at)| *place == first && **at == *index);
            assert!(told, "{name}: {index:?} is not among {failures:?}");
        }
        (result, _) => panic!("{name}: {result:?} where {failures:?} fail"),
    }
}

/// Which entries are out of bounds, of so many.
fn broken(n: usize) -> Vec<Vec<usize>> {
    let last = n.saturating_sub(1);
    vec![vec![], vec![0], vec![n / 2], vec![last], vec![0, 1, n / 3, n / 2, last]]
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Material {
    kind: u8,
    density: f64,
    colour: [f32; 3],
}

const MATERIALS: [Material; 40] = {
    let mut all = [Material {
        kind: 0,
        density: 0.0,
        colour: [0.0; 3],
    }; 40];
    let mut k = 0;
    while k < 40 {
        all[k] = Material {
            kind: 200 + k as u8,
            density: if k == 3 { f64::NAN } else { -(k as f64) },
            colour: [k as f32, f32::INFINITY, -0.0],
        };
        k += 1;
    }
    all
};

const SQUARES: [i16; 1003] = {
    let mut all = [0; 1003];
    let mut k = 0;
    while k < 1003 {
        all[k] = (k * k % 30_011) as i16 - 15_000;
        k += 1;
    }
    all
};

/// Tables too large to stand where they are used, one of them used twice, and as a whole.
#[kernel]
fn constants(x: &Field<u32>, out: &mut Field<[i64; 5]>) {
    for i in out.indices() {
        let constant_0 = x[i] as usize;
        let material = MATERIALS[constant_0 % 40];
        let mut copy = SQUARES;
        copy[i % 1003] += 1;
        out[i] = [
            material.kind as i64,
            material.density.to_bits() as i64,
            SQUARES[constant_0 % 1003] as i64 + SQUARES[1002] as i64,
            copy[i % 1003] as i64 + copy[(i + 1) % 1003] as i64,
            (material.colour[constant_0 % 3].to_bits() + MATERIALS[39].kind as u32) as i64,
        ];
    }
}

fn check_constants(device: &Device) {
    for n in [0, 1, 3, 17, 1000] {
        let values: Vec<u32> = (0..n).map(|i| i * 7919 + 3).collect();
        let mut out = Field::zeros(device, values.len()).unwrap();
        constants(&field(device, &values), &mut out).unwrap();
        let expected: Vec<[i64; 5]> = (0..values.len())
            .map(|i| {
                let k = values[i] as usize;
                let material = MATERIALS[k % 40];
                [
                    i64::from(material.kind),
                    material.density.to_bits() as i64,
                    i64::from(SQUARES[k % 1003]) + i64::from(SQUARES[1002]),
                    i64::from(SQUARES[i % 1003]) + 1 + i64::from(SQUARES[(i + 1) % 1003]),
                    i64::from(material.colour[k % 3].to_bits() + 239),
                ]
            })
            .collect();
        equal("constants", &out.to_vec().unwrap(), &expected);
    }
}

pub fn check(device: &Device) {
    check_constants(device);
    for n in SIZES {
        check_product(device, n);
        check_neighbours(device, n);
        check_chained(device, n);
        check_stores(device, n);
    }
    for n in [0, 1, 3, 12] {
        check_beside(device, n);
    }
    check_endless(device);
}

/// Rows of 0 to 6 entries.
fn rows(n: usize) -> Vec<u32> {
    let mut start = vec![0];
    for r in 0..n {
        start.push(start[r] + place(r, 7) as u32);
    }
    start
}

fn check_product(device: &Device, n: usize) {
    let start = rows(n);
    let entries = start[n] as usize;
    let columns: Vec<u32> = (0..entries).map(|k| place(k, n) as u32).collect();
    let mut cases = Vec::new();
    for bad in broken(entries) {
        for wrong in [n as u32, u32::MAX] {
            let mut columns = columns.clone();
            bad.iter().filter(|k| **k < entries).for_each(|k| columns[*k] = wrong);
            cases.push((start.clone(), columns, n));
        }
    }
    // Rows that end behind the entries, columns of an empty vector, and rows that end before they start.
    let mut longer = start.clone();
    longer[n / 2] = entries as u32 + 3;
    cases.push((longer, columns.clone(), n));
    cases.push((start.clone(), columns.clone(), 0));
    let mut turned = start.clone();
    turned.reverse();
    cases.push((turned, columns.clone(), n));
    for (case, (start, columns, width)) in cases.into_iter().enumerate() {
        let value = |k: usize| 3 * k as i64 + 1;
        let x = |c: usize| 5 * c as i64 + 2;
        let mut failures = Vec::new();
        let row = |r: usize| -> Result<i64, Failure> {
            let mut sum = 0;
            for k in start[r] as usize..start[r + 1] as usize {
                let column = *columns.get(k).ok_or((0, vec![k]))? as usize;
                sum += value(k)
                    * if column < width {
                        x(column)
                    } else {
                        return Err((1, vec![column]));
                    };
            }
            Ok(sum)
        };
        // The text has the value first, which is as long as the columns are.
        let expected: Vec<i64> = (0..n)
            .map(|r| row(r).map_err(|failure| failures.push(failure)).unwrap_or(-1))
            .collect();
        let values: Vec<i64> = (0..columns.len()).map(value).collect();
        let xs: Vec<i64> = (0..width).map(x).collect();
        let mut y = Field::full(device, n, 7).unwrap();
        let result = product(
            &field(device, &start),
            &field(device, &columns),
            &field(device, &values),
            &field(device, &xs),
            &mut y,
        );
        let name = format!("product, {n} rows, case {case}");
        fails(&name, device, result, &failures);
        equal(&name, &y.to_vec().unwrap(), &expected);
    }
}

const NEAR: usize = 5;

fn check_neighbours(device: &Device, n: usize) {
    let position = |i: usize| IVec2::new(place(i, 50) as i32, place(3 * i + 1, 40) as i32);
    let pos: Vec<IVec2> = (0..n).map(position).collect();
    for bad in broken(n) {
        for (wrong, masses) in [(n as i32, n), (-1, n), (i32::MIN, n + 2), (0, n / 2), (n as i32, n + 9)] {
            let count = |i: usize| {
                let more = bad.contains(&i) && wrong == 0;
                if more { NEAR + 2 } else { place(i, NEAR + 1) }
            };
            let list = |i: usize, k: usize| {
                if bad.contains(&i) && k == count(i) / 2 {
                    wrong
                } else {
                    place(NEAR * i + k, n) as i32
                }
            };
            let mass = |q: usize| 1 + place(7 * q, 90) as u32;
            let mut failures = Vec::new();
            let one = |i: usize| -> Result<(IVec2, u32), Failure> {
                let (mut total, mut most, mut seen) = (IVec2::ZERO, 0_u32, 1_u32);
                for k in 0..count(i) {
                    if k >= NEAR {
                        return Err((0, vec![i, k]));
                    }
                    let q = list(i, k);
                    if q == 1 {
                        continue;
                    }
                    let p = *pos.get(q as usize).ok_or((1, vec![q as usize]))?;
                    let d = IVec2::new(p.x - pos[i].x, p.y - pos[i].y);
                    seen += 1;
                    if d.x > 0 {
                        if q as usize >= masses {
                            return Err((2, vec![q as usize]));
                        }
                        let w = 3 * 3 * mass(q as usize) as i32 + 3;
                        total = IVec2::new(total.x + d.x * w, total.y + d.y * w);
                    }
                    most = most.max(seen.wrapping_mul(d.y as u32));
                }
                Ok((total, most))
            };
            let expected: Vec<(IVec2, u32)> = (0..n)
                .map(|i| one(i).map_err(|f| failures.push(f)).unwrap_or((IVec2::new(-3, 4), 9)))
                .collect();
            let counts: Vec<u32> = (0..n).map(|i| count(i) as u32).collect();
            let lists = Field::from_fn(device, [n, NEAR], |[i, k]| list(i, k)).unwrap();
            let weights: Vec<u32> = (0..masses).map(mass).collect();
            let mut sum = Field::full(device, n, IVec2::new(-3, 4)).unwrap();
            let mut best = Field::full(device, n, 9).unwrap();
            let result = neighbours(
                &field(device, &counts),
                &lists,
                &field(device, &pos),
                &field(device, &weights),
                &mut sum,
                &mut best,
            );
            let name = format!("neighbours of {n}, {bad:?} {wrong}, {masses}");
            fails(&name, device, result, &failures);
            let (sums, bests): (Vec<_>, Vec<_>) = expected.into_iter().unzip();
            equal(&name, &sum.to_vec().unwrap(), &sums);
            equal(&name, &best.to_vec().unwrap(), &bests);
        }
    }
}

fn check_chained(device: &Device, n: usize) {
    for bad in broken(n) {
        for (first, second) in [(200, 30), (0, -2), (0, 89), (200, -1)] {
            let a = |i: usize, k: usize| match (bad.contains(&i), (i + k) % 4) {
                (true, 1) if first != 0 => first,
                (true, 2) => 50,
                (_, 3) => u16::MAX,
                _ => place(4 * i + k, 50) as u16,
            };
            let b = |k: usize| if k == 50 { second } else { place(k, 89) as i64 };
            let x = |c: usize| 2 * c as i32 + 1;
            let mut failures = Vec::new();
            let one = |i: usize| -> Result<i32, Failure> {
                let (mut last, mut number) = (5, 0);
                for k in 0..4 {
                    let p = a(i, k) as usize;
                    if p == u16::MAX as usize {
                        continue;
                    }
                    if p >= 100 {
                        return Err((0, vec![p]));
                    }
                    let c = (b(p) as usize).wrapping_add(1);
                    if c >= 90 {
                        return Err((1, vec![c]));
                    }
                    last = x(c);
                    number += last;
                }
                Ok(number * 3 + last)
            };
            let expected: Vec<i32> = (0..n)
                .map(|i| one(i).map_err(|f| failures.push(f)).unwrap_or(-8))
                .collect();
            let fa = Field::from_fn(device, [n, 4], |[i, k]| a(i, k)).unwrap();
            let (fb, fx) = (
                Field::from_fn(device, 100, |[k]| b(k)).unwrap(),
                Field::from_fn(device, 90, |[c]| x(c)).unwrap(),
            );
            let mut out = Field::full(device, n, -8).unwrap();
            let result = chained(&fa, &fb, &fx, &mut out);
            let name = format!("chained, {n}, {bad:?}, {first}, {second}");
            fails(&name, device, result, &failures);
            equal(&name, &out.to_vec().unwrap(), &expected);
        }
    }
}

fn check_stores(device: &Device, n: usize) {
    let start = rows(n);
    let entries = start[n] as usize;
    for bad in broken(entries) {
        let at = |k: usize| if bad.contains(&k) { 1 << 20 } else { place(k, 30) };
        let x = |c: usize| 7 * c as i32 + 1;
        let (mut failures, mut seen, mut out) = (Vec::new(), vec![0; n], vec![-1; n]);
        'rows: for i in 0..n {
            for k in start[i] as usize..start[i + 1] as usize {
                if at(k) >= 30 {
                    failures.push((0, vec![at(k)]));
                    continue 'rows;
                }
                seen[i] += x(at(k));
            }
            for k in start[i] as usize..start[i + 1] as usize {
                out[i] = x(at(k));
                if out[i] % 2 == 0 {
                    break;
                }
            }
        }
        let fat = Field::from_fn(device, entries, |[k]| at(k) as u32).unwrap();
        let fx = Field::from_fn(device, 30, |[c]| x(c)).unwrap();
        let (mut fout, mut fseen) = (Field::full(device, n, -1).unwrap(), Field::zeros(device, n).unwrap());
        let result = stores(&field(device, &start), &fat, &fx, &mut fout, &mut fseen);
        let name = format!("stores, {n}, {bad:?}");
        fails(&name, device, result, &failures);
        equal(&name, &fout.to_vec().unwrap(), &out);
        equal(&name, &fseen.to_vec().unwrap(), &seen);
    }
}

/// Indices that the counter is a part of, beside those from data.
#[kernel]
fn beside(g: &Field<u32>, v: &Field<i64>, w: &Field<i64, 2>, out: &mut Field<i64>, n: usize) {
    for i in out.indices() {
        out[i] = -1;
        let mut sum = 0;
        for q in 0..n {
            sum += v[(g[q] % 9) as usize] * v[q + 1];
        }
        for q in 1..n {
            sum += v[g[q] as usize] - v[2 * q] * v[q - 1];
        }
        for q in 0..n {
            sum += v[g[q] as usize] * v[n - 1 - q] + v[q ^ 1];
        }
        for k in 0..n {
            for l in 0..k {
                sum += w[[(g[l] % 5) as usize, k]] * w[[k / 3, l + 1]];
            }
        }
        out[i] = sum;
    }
}

fn check_beside(device: &Device, n: usize) {
    let g = |q: usize| (7 * q + 3) % 40;
    let v = |k: usize| 5 * k as i64 - 9;
    let w = |[k, l]: [usize; 2]| (k * 31 + l * l) as i64;
    let mut sum = 0;
    for q in 0..n {
        sum += v(g(q) % 9) * v(q + 1) + v(g(q)) * v(n - 1 - q) + v(q ^ 1);
        sum += if q > 0 { v(g(q)) - v(2 * q) * v(q - 1) } else { 0 };
        sum += (0..q).map(|l| w([g(l) % 5, q]) * w([q / 3, l + 1])).sum::<i64>();
    }
    let fg = Field::from_fn(device, 40, |[q]| g(q) as u32).unwrap();
    let fw = Field::from_fn(device, [12, 30], w).unwrap();
    for len in [40, 39, 3] {
        let fv = Field::from_fn(device, len, |[k]| v(k)).unwrap();
        let mut out = Field::full(device, 5, -8).unwrap();
        let result = ended(device, beside(&fg, &fv, &fw, &mut out, n));
        let largest = (0..n)
            .map(|q| g(q).max(q + 1).max(q ^ 1).max(if q > 0 { 2 * q } else { 0 }))
            .max();
        let fits = largest.is_none_or(|largest| largest < len);
        assert_eq!(result.is_ok(), fits, "beside, {n} of {len}: {result:?}");
        equal("beside", &out.to_vec().unwrap(), &[if fits { sum } else { -1 }; 5]);
    }
}

/// Ranges of which no field tells the end.
#[kernel]
fn endless(at: &Field<u32>, x: &Field<i64>, out: &mut Field<i64>, n: usize) {
    for i in out.indices() {
        out[i] = -1;
        let mut sum = 0;
        for k in i..n {
            sum += x[at[i] as usize ^ (k & 1)] + (k / 4096) as i64;
        }
        out[i] = sum;
    }
}

fn check_endless(device: &Device) {
    let at = |i: usize| 2 * (i % 20);
    let x = |c: usize| 7 * c as i64 + 1;
    for n in [0, 3, 17, 1000, (1 << 20) + 3, (1 << 20) + 5, usize::MAX] {
        let ats: Vec<u32> = (0..5)
            .map(|i| if n < usize::MAX { at(i) as u32 } else { 40 + i as u32 })
            .collect();
        let xs: Vec<i64> = (0..40).map(x).collect();
        let mut out = Field::full(device, 5, -8).unwrap();
        let result = ended(device, endless(&field(device, &ats), &field(device, &xs), &mut out, n));
        assert_eq!(result.is_ok(), n < usize::MAX, "{n}: {result:?}");
        let sum = |i: usize| (i..n).map(|k| x(at(i) ^ (k & 1)) + (k / 4096) as i64).sum();
        let expected: Vec<i64> = (0..5).map(|i| if n < usize::MAX { sum(i) } else { -1 }).collect();
        equal("endless", &out.to_vec().unwrap(), &expected);
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![product, neighbours, chained, stores, beside, endless, constants]
}
