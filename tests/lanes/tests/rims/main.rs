//! Loops whose rows are split: what differs at the rims runs as it is written, and the inside without comparisons and checks.

// Kernels say things in the ways that they have.
#![allow(
    clippy::manual_is_multiple_of,
    clippy::implicit_saturating_sub,
    clippy::nonminimal_bool,
    clippy::cast_abs_to_unsigned,
    clippy::suspicious_arithmetic_impl,
    clippy::needless_range_loop
)]

mod blocks;
mod casts;
mod failures;
mod grids;
mod lent;
mod operations;
mod tables;
mod types;

use std::ops::{Index, IndexMut};

use swathe::{Technique, prelude::*};
use swathe_tests_lanes::versions;

/// An array of the host with the same operators.
struct Grid {
    shape: [usize; 2],
    values: Vec<i64>,
}

impl Grid {
    fn shape(&self) -> [usize; 2] {
        self.shape
    }

    fn len(&self) -> usize {
        self.values.len()
    }
}

impl Index<[usize; 2]> for Grid {
    type Output = i64;
    fn index(&self, [i, j]: [usize; 2]) -> &i64 {
        assert!(i < self.shape[0] && j < self.shape[1]);
        &self.values[i * self.shape[1] + j]
    }
}

impl IndexMut<[usize; 2]> for Grid {
    fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut i64 {
        assert!(i < self.shape[0] && j < self.shape[1]);
        &mut self.values[i * self.shape[1] + j]
    }
}

trait Atomic {
    fn atomic_add(&mut self, by: Self) -> Self;
}

impl Atomic for i64 {
    fn atomic_add(&mut self, by: i64) -> i64 {
        std::mem::replace(self, *self + by)
    }
}

/// The same text as a kernel and as plain Rust. `comparisons` and `accesses` are those that the inside has not.
macro_rules! twins {
    ($($name:ident [$comparisons:literal $accesses:literal] ($u:ident, $v:ident, $n:ident) { $($before:stmt;)* } ($i:ident, $j:ident) $body:block)*) => {
        $(mod $name {
            use super::*;

            #[kernel]
            pub fn kernel($u: &Field<i64, 2>, $v: &mut Field<i64, 2>, $n: usize) {
                $($before)*
                for [$i, $j] in $v.indices() $body
            }

            pub fn plain($u: &Grid, $v: &mut Grid, $n: usize) {
                $($before)*
                for [$i, $j] in swathe::ndrange($v.shape()) $body
            }
        })*

        #[test]
        fn rims_and_inside_agree() {
            versions(|name| {
                $(compare(&format!("{} {name}", stringify!($name)), |u, v, n| $name::kernel(u, v, n), $name::plain);)*
            });
        }

        #[test]
        fn rows_are_split() {
            let plans = [$((stringify!($name), $name::kernel::plan(), [$comparisons, $accesses])),*];
            let mut others = String::new();
            for (name, plan, expected) in plans {
                let split = plan.loops()[0].techniques.iter().find_map(|technique| match technique {
                    Technique::Split { comparisons, accesses } => Some([*comparisons, *accesses]),
                    _ => None,
                });
                let split = split.unwrap_or_default();
                if split != expected {
                    others += &format!("{name}: {split:?} in the place of {expected:?}\n{plan}\n");
                }
            }
            assert!(others.is_empty(), "{others}");
        }
    };
}

// Behind the macro, which it uses.
mod positions;

twins! {
    wrapped_by_if[2 4] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let up = if i == 0 { h - 1 } else { i - 1 };
        let down = if i + 1 == h { 0 } else { i + 1 };
        let left = if j == 0 { w - 1 } else { j - 1 };
        let right = if j + 1 >= w { 0 } else { j + 1 };
        v[[i, j]] = u[[up, j]] + 3 * u[[down, j]] - 7 * u[[i, left]] + 11 * u[[i, right]] + n as i64;
    }
    wrapped_by_remainder[6 1] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        v[[i, j]] = u[[(i + h - 1) % h, j]] + 3 * u[[(i + 1) % h, j]] - 7 * u[[i, (j + w - 1) % w]]
            + 11 * u[[i, (j + n) % w]] + 13 * u[[(i + j) % h, j % w]];
    }
    clamped[5 6] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let (up, down) = (i.max(1) - 1, (i + 1).min(h - 1));
        let left = j.saturating_sub(1);
        let right = (w - 1).min(j + 1);
        let far = (j + n).min(w - 1);
        let near = w.min(j.max(2)) - 1;
        v[[i, j]] = u[[up, j]] + 3 * u[[down, j]] - 7 * u[[i, left]] + 11 * u[[i, right]] + u[[i, far]] - u[[i, near]];
    }
    reflected_at_ends[2 2] (u, v, n) { let [h, w] = u.shape(); let last = w as isize - 1; } (i, j) {
        let left = (j as isize - 1).abs();
        let right = last - (last - (j as isize + 1)).abs();
        v[[i, j]] = u[[i, left as usize]] + 3 * u[[h - 1 - i, right as usize]] + n as i64;
    }
    as_long_as_an_array[2 1] (u, v, n) {
        let w = u.shape()[1];
        let weights = [3, -5, 7, 2];
    } (i, j) {
        let mut sum = n as i64;
        if j >= 2 && j < w - 1 {
            let first = j - 2;
            for k in 0..weights.len() {
                sum += weights[k] * u[[i, first + k]];
            }
        }
        v[[i, j]] = sum;
    }
    halved[3 3] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let mut sum = 0;
        if j >= n / 2 && j + n - n / 2 <= w {
            for k in 0..n {
                sum += 3 * u[[i / 2, j + k - n / 2]];
            }
        }
        let far = j as i32 - (n as i32 - 8) / 3;
        let far = if far < w as i32 { u[[i, far as usize]] } else { -1 };
        v[[i, j]] = sum + far - u[[(h - 1) / 2, j]];
    }
    chosen[4 6] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let up = if i > 0 { u[[i - 1, j]] } else { -1 };
        let down = if i + 1 < h { u[[i + 1, j]] } else { -2 };
        let left = if j > 0 { u[[i, j - 1]] } else { -3 };
        let right = if j + 1 < w { u[[i, j + 1]] } else { -4 };
        let inner = j >= 2 && !(j + 2 >= w);
        let far = if inner { u[[i, j - 2]] * u[[i, j + 2]] } else { n as i64 };
        v[[i, j]] = up + 3 * down - 7 * left + 11 * right + far;
    }
    one_sided[1 2] (u, v, n) { let m = n + 1; } (i, j) {
        if i > 0 && j > 0 {
            v[[i, j]] = u[[i - 1, j]] * m as i64 + u[[i, j - 1]];
        }
    }
    between[2 1] (u, v, n) { let last = n + 40; } (i, j) {
        if j > n && j < last {
            v[[i, j]] = u[[i, j - n]];
        }
    }
    beside[3 1] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        if j < 1 || j + 1 == w || j == n {
            v[[i, j]] = 5;
        } else if i % 2 == 0 {
            v[[i, j]] = u[[i, j + 1]];
        } else {
            v[[i, j]] += 1;
        }
    }
    scattered[1 0] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        v[[i, (j + 1) % w]].atomic_add(u[[i, j]] + (n + h) as i64);
    }
    checkered[0 0] (u, v, n) { let period = n; } (i, j) {
        v[[i, j]] = if (i + j) % 2 == 0 { u[[i, j]] } else { (j % period + j % 5) as i64 };
    }
    signed[5 5] (u, v, n) { let [h, w] = u.shape(); let rows = h as i32; } (i, j) {
        let up = (i as i32 - 1).rem_euclid(rows) as usize;
        let down = (i as i32 + 1).clamp(0, h as i32 - 1) as usize;
        let left = (j as i64 - 1).rem_euclid(w as i64) as usize;
        let right = ((j as u32 + 1) % w as u32) as usize;
        let far = ((i + j) as u16 as usize).min(w - 1);
        let back = (n as isize - 1 - j as isize).abs() as usize % w;
        v[[i, j]] = u[[up, j]] + 3 * u[[down, j]] - 7 * u[[i, left]] + 11 * u[[i, right]] + u[[i, far]] + (back + n) as i64;
    }
    radius[1 2] (u, v, n) { let w = u.shape()[1]; let r = n; } (i, j) {
        v[[i, j]] = if j < r {
            1
        } else if j + r >= w {
            2
        } else {
            u[[i, j - r]] + u[[i, j + r]] * j.min(7) as i64
        };
    }
    falling[0 2] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let (k, l) = (h - 1 - i, w - 1 - j);
        v[[i, j]] = 2 * u[[k, j]] - u[[i, l]] + (l + n) as i64;
    }
    left_at_once[1 1] (u, v, n) { let k = n; } (i, j) {
        if j < k {
            continue;
        }
        v[[i, j]] = u[[i, j - k]];
    }
    shadowed[1 2] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        let k = j + 1;
        let k = if k == w { 0 } else { k };
        let j = k;
        let w = n as i64;
        v[[i, k]].atomic_add(u[[i, j]] * w);
    }
    around[2 2] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        if i > 0 && i + 1 < h && j > 1 && j + 2 < w {
            let mut sum = n as i64;
            for a in 0..3 {
                let row = i + a - 1;
                for b in (0..=2).rev() {
                    sum = sum * 3 + u[[row, 2 * b + j - 2]] - u[[i, j - a + 1]];
                }
            }
            v[[i, j]] = sum;
        }
    }
    window_by_positions[2 1] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        if i >= n && j >= n && i + n < h && j + n < w {
            let mut sum = 0;
            for k in i - n..i + n + 1 {
                for l in j - n..j + n + 1 {
                    if (k + l) % 5 == 4 {
                        continue;
                    }
                    sum = sum * 3 % 10_007 + u[[k, l]] * l as i64;
                }
            }
            v[[i, j]] = sum;
        }
    }
    window_ahead[0 1] (u, v, n) { let w = u.shape()[1]; let far = n.min(w); } (i, j) {
        for l in j..j + far {
            v[[i, j]] += u[[i, l]] * 3;
            if v[[i, j]] % 11 == 3 {
                break;
            }
        }
    }
    window_of_none[0 1] (u, v, n) { let w = u.shape()[1]; let few = w.min(1); } (i, j) {
        for l in j + n..j + few {
            v[[i, j]] += u[[i, l]] * 3;
        }
    }
    window_by_steps[1 1] (u, v, n) { let w = u.shape()[1]; let two = w.min(2); } (i, j) {
        if 2 * j + 1 < w {
            for l in 2 * j..2 * j + two {
                v[[i, j]] = v[[i, j]] * 3 % 10_007 + u[[i, l]] * n as i64;
            }
        }
    }
    window_by_names[2 1] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        let (from, to) = (j.saturating_sub(n), (j + n + 1).min(w));
        let mut sum = 0;
        for l in from..to {
            sum = sum * 3 % 10_007 + u[[i, l]];
        }
        v[[i, j]] = sum;
    }
    window_to_a_name[1 1] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        let to = (j + n + 1).min(w);
        for l in j + 1..to {
            v[[i, j]] = v[[i, j]] * 3 % 10_007 + u[[i, l]];
        }
    }
    window_by_parts[1 1] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        let at = [i, j + 1];
        let from = at[1];
        if j + 4 < w {
            for l in from..j + 4 {
                v[[i, j]] = v[[i, j]] * 3 % 10_007 + u[[at[0], l]] + n as i64;
            }
        }
    }
    window_that_leaves[1 0] (u, v, n) { let _all = n; } (i, j) {
        for k in 0..3 {
            for l in (if j < 2 { break } else { j - 2 })..j + 1 {
                v[[i, j]] = v[[i, j]] * 3 % 10_007 + u[[i, l]] * k;
            }
        }
    }
    ahead[0 1] (u, v, n) { let _all = n; } (i, j) {
        for b in 1..4 {
            v[[i, j]] += u[[i, j + b]];
        }
    }
    ahead_by_many[0 1] (u, v, n) { let _all = n; } (i, j) {
        for b in 0..19 {
            v[[i, j]] += u[[i, j + b]];
        }
    }
    apart[0 1] (u, v, n) { let _all = n; } (i, j) {
        for b in 0..3 {
            v[[i, j]] += u[[i, j + b * b]];
        }
        for b in 0..65 {
            v[[i, j]] -= u[[i, j + b]];
        }
        for mut b in 0..2 {
            b += n;
            v[[i, j]] -= u[[i, j + b]];
        }
    }
    chosen_by_loops[0 1] (u, v, n) { let _all = n; } (i, j) {
        for b in 0..2 {
            let k = if b == 0 { j } else { j + 1 };
            v[[i, j]] += u[[i, k]] + u[[i, j + b]];
        }
    }
    bounded[9 5] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let far = n as i32;
        v[[i, j]] = u[[i.periodic(-1, h), j]] + 3 * u[[i.clamped(1, h), j.reflected(-2, w)]]
            - 7 * u[[i, j.symmetric(far, w)]] + 11 * u[[i.reflected(1, h), j.clamped(-far, w)]]
            + 13 * u[[i.symmetric(-2, h), (j + 1).periodic(2 * far - 1, w)]] + (j.clamped(1, w) + i) as i64
            + u[[i, j.periodic(x_of(far), w)]];
    }
    bounded_in_loops[3 2] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let mut sum = n as i64;
        for di in -1..2 {
            for dj in -2..=2 {
                sum = sum * 3 % 10_007 + u[[i.periodic(di, h), j.symmetric(-dj, w)]];
            }
        }
        v[[i, j.reflected(0, w)]] .atomic_add(sum);
    }
    bounded_across_rows[6 5] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let mut sum = n as i64;
        for [di, dj] in STEPS {
            sum = sum * 3 % 10_007 + u[[i.periodic(di, h), j.periodic(dj, w)]] + 5 * u[[i.reflected(-di, h), j]];
            sum += 7 * u[[i.symmetric(di, h), j]] - 11 * u[[i.clamped(di, h), j]];
        }
        for k in -1..2_i32 {
            sum += 13 * u[[(i + 1).periodic(3 * k, h), j]] + 17 * u[[(h - 1).symmetric(2 * k, h), j]];
        }
        v[[i, j]] = sum;
    }
    remainders_by_tables[5 1] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let mut sum = n as i64;
        for [a, b] in FROM {
            sum = sum * 3 % 10_007 + u[[(i + h + a - 1) % h, (j + w + b - 1) % w]];
        }
        for k in 0..3 {
            sum += 5 * u[[(k + 2 * i) % h, (w + j - k) % w]] + 7 * u[[i, (k + j) % w]];
        }
        v[[i, j]] = sum;
    }
    up_to_constants[5 3] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let mut sum = n as i64;
        for q in 0..MANY {
            sum = sum * 3 % 10_007 + u[[(i + h + FROM[q][0] - 1) % h, j.periodic(1 - FROM[q][1] as i32, w)]];
            if j + q < w {
                sum += 5 * u[[i, j + q]];
            }
        }
        for k in -1..=LAST {
            let at = j as i32 + k;
            if at >= 0 && at < w as i32 {
                sum -= 7 * u[[i, at as usize]];
            }
        }
        v[[i, j]] = sum;
    }
    bounded_beside_loops[4 4] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let mut sum = n as i64;
        for k in 0..3 {
            sum = sum * 3 % 10_007 + u[[i, (j + k).periodic(-1, w)]];
        }
        for k in [0, 2] {
            sum = sum * 5 % 10_007 + u[[(i + k).reflected(-1, h), j]];
        }
        let table = [1, 3];
        for q in 0..2 {
            sum += u[[i, (j + table[q]).symmetric(-2, w)]] + u[[i, (j + 1).clamped(0 - q as i32, w)]];
        }
        v[[i, j]] = sum;
    }
    to_the_last[2 2] (u, v, n) { let w = u.shape()[1]; let last = w - 1; let end = (last - n) as u32; } (i, j) {
        v[[i, j]] = u[[i, (j + n).min(last)]] + u[[i, last.min(j + 1)]] + end as i64;
    }
    windows[2 1] (u, v, n) { let [h, w] = u.shape(); let r = n - 1; } (i, j) {
        if i >= r && j >= r && i + r < h && j + r < w {
            let mut sum = 0;
            for a in 0..2 * r + 1 {
                for b in 0..=2 * r {
                    sum += u[[i + a - r, j + b - r]] * (a * 10 + b) as i64;
                }
            }
            v[[i, j]] = sum;
        }
    }
    windows_of_positions[2 1] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        if i > 0 && i + 1 < h && j >= n && j + n < w {
            let mut sum = 0;
            for k in i - 1..i + 2 {
                for l in j - n..=j + n {
                    sum += u[[k, l]] * (k * 10 + l) as i64;
                }
            }
            v[[i, j]] = sum;
        }
    }
    signed_windows[2 1] (u, v, n) { let [h, w] = u.shape(); let r = n as i32 - 1; } (i, j) {
        if i as i32 >= r && j as i32 >= r && (i as i32) + r < h as i32 && (j as i32 + r) < w as i32 {
            let mut sum = 0;
            for a in -r..r + 1 {
                for b in -r..=r {
                    sum += u[[(i as i32 + a) as usize, (j as i32 + b) as usize]] * (10 * a + b) as i64;
                }
            }
            v[[i, j]] = sum;
        }
    }
    windows_of_conditions[4 1] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let mut sum = 0;
        for a in 0..2 * n {
            for b in 0..2 * n {
                let (y, x) = (i as i64 + a as i64 - n as i64, j as i64 + b as i64 - n as i64);
                if y >= 0 && y < h as i64 && x >= 0 && x < w as i64 {
                    sum += u[[y as usize, x as usize]] * (a * 10 + b) as i64;
                }
            }
        }
        v[[i, j]] = sum;
    }
    windows_around[0 0] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let mut sum = 0;
        for a in 0..n {
            for b in 0..n {
                sum += u[[(i + a) % h, (j + b + w - 1) % w]] * (a * 10 + b) as i64;
            }
        }
        v[[i, j]] = sum;
    }
    up_to_positions[0 2] (u, v, n) { } (i, j) {
        let mut sum = n as i64;
        for k in 0..j {
            sum += u[[i, k]] * k as i64;
        }
        for k in (j..2 * j).rev() {
            sum += u[[i, k - j]];
        }
        v[[i, j]] = sum;
    }
    windows_in_steps[1 1] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        if j + 2 * n < w {
            for b in (n - 1..2 * n).step_by(2) {
                v[[i, j]] += u[[i, j + b]] * b as i64;
            }
        }
    }
    empty_windows[0 2] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        for b in 0..n - 3 {
            v[[i, j]] += u[[i, j + b + w]];
        }
        for b in n..n - 1 {
            v[[i, j]] += u[[i, j + b + w]];
        }
    }
}

const MANY: usize = FROM.len();
const LAST: i32 = 2;
const FROM: [[usize; 2]; 5] = [[1, 1], [0, 2], [2, 0], [0, 0], [1, 2]];

/// As far as a few rows are.
const STEPS: [[i32; 2]; 4] = [[-1, 2], [2, 0], [-3, -1], [3, 1]];

#[func]
fn x_of(far: i32) -> i32 {
    far - 5
}

fn compare(
    name: &str,
    kernel: impl Fn(&Field<i64, 2>, &mut Field<i64, 2>, usize) -> swathe::Result<()>,
    plain: impl Fn(&Grid, &mut Grid, usize),
) {
    for shape in [
        [0, 5],
        [3, 0],
        [1, 1],
        [3, 1],
        [2, 2],
        [1, 40],
        [2, 24],
        [5, 26],
        [7, 64],
        [33, 100],
        [3, 1001],
    ] {
        let n = 3;
        let number = |[i, j]: [usize; 2]| ((i * 37 + j * 101) % 61) as i64 - 20;
        let mut u = Field::from_fn(&Device::cpu(), shape, number).unwrap();
        let start = |[i, j]: [usize; 2]| (i * 1000 + j) as i64;
        let mut v = Field::from_fn(&Device::cpu(), shape, start).unwrap();
        // Positions of smaller rows may be out of bounds in plain Rust, too.
        let grid = |field: &Field<i64, 2>| Grid {
            shape,
            values: field.to_vec().unwrap(),
        };
        let (before, mut expected) = (grid(&u), grid(&v));
        assert_eq!(before.len(), u.len());
        let plain = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| plain(&before, &mut expected, n)));
        let result = kernel(&u, &mut v, n);
        assert_eq!(result.is_ok(), plain.is_ok(), "{name}, {shape:?}: {result:?}");
        if plain.is_ok() {
            assert_eq!(v.to_vec().unwrap(), expected.values, "{name}, {shape:?}");
        }
        u.fill(0).unwrap();
    }
}
