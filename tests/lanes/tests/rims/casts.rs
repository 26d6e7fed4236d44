//! Indices that positions reach through casts, which the inside has as sums of numbers of the type of an index.

use std::ops::Add;

use swathe::{Technique, prelude::*};
use swathe_tests_lanes::versions;

use super::Grid;

/// A number with a sum of its own, which is no number of an index.
#[derive(Clone, Copy, Element)]
struct Twice {
    value: i32,
}

#[func]
impl Add<i32> for Twice {
    type Output = i32;
    fn add(self, other: i32) -> i32 {
        2 * self.value + other
    }
}

const STEPS: [i32; 3] = [-1, 2, 1];

/// The same text as a kernel and as plain Rust, over all numbers of columns.
macro_rules! twins {
    ($($name:ident($u:ident, $v:ident, $r:ident: $R:ty = $given:expr) |$i:ident, $j:ident, $h:ident, $w:ident| $body:block)*) => {
        $(mod $name {
            use super::*;

            #[kernel]
            pub fn kernel($u: &Field<i64, 2>, $v: &mut Field<i64, 2>, $r: $R) {
                let [$h, $w] = $u.shape();
                for [$i, $j] in $v.indices() $body
            }

            pub fn plain($u: &Grid, $v: &mut Grid, $r: $R) {
                let [$h, $w] = $u.shape();
                for [$i, $j] in swathe::ndrange($v.shape()) $body
            }
        })*

        #[test]
        fn indices_through_casts_agree() {
            $({
                let plan = $name::kernel::plan();
                let mut techniques = plan.loops()[0].techniques.iter();
                assert!(techniques.any(|t| matches!(t, Technique::Split { .. })), "{plan}");
            })*
            versions(|name| {
                for shape in [[1, 1], [3, 17], [7, 40], [5, 150], [9, 300]] {
                    $({
                        let number = |[i, j]: [usize; 2]| (i * 1000 + j * j) as i64;
                        let u = Field::from_fn(&Device::cpu(), shape, number).unwrap();
                        let mut v = Field::full(&Device::cpu(), shape, -1_i64).unwrap();
                        $name::kernel(&u, &mut v, $given).unwrap();
                        let mut grid = Grid { shape, values: vec![-1; shape[0] * shape[1]] };
                        $name::plain(&Grid { shape, values: u.to_vec().unwrap() }, &mut grid, $given);
                        assert_eq!(v.to_vec().unwrap(), grid.values, "{} {name} {shape:?}", stringify!($name));
                    })*
                }
            });
        }
    };
}

twins! {
    signed_window(u, v, r: i32 = 2) |i, j, h, w| {
        let (y, x) = (i as i32, j as i32);
        if y >= r && x >= r && y + r < h as i32 && x + r < w as i32 {
            let mut sum = 0;
            for a in -r..=r {
                for b in -r..=r {
                    sum = 3 * sum + u[[(y + a) as usize, (x + b) as usize]];
                }
            }
            v[[i, j]] = sum;
        }
    }
    around_each(u, v, r: i64 = 3) |i, j, h, w| {
        let mut sum = 0;
        for a in 0..2 * r + 1 {
            let (y, x) = (i as i64 + a - r, j as i64 - a + r);
            if y >= 0 && y < h as i64 && x >= 0 && x < w as i64 {
                sum = 3 * sum + u[[y as usize, x as usize]];
            }
        }
        v[[i, j]] = sum;
    }
    // Columns from 128 on are none of these.
    small(u, v, r: i8 = 5) |i, j, _h, w| {
        let x = j as i8;
        if x >= r && (x as usize) + 5 < w {
            v[[i, j]] = u[[i, (x - r) as usize]] + 7 * u[[i, (x.wrapping_add(r) as u8) as usize % w]];
        }
    }
    // From 256 on they begin anew.
    around_bytes(u, v, r: u8 = 1) |i, j, _h, w| {
        let x = j as u8;
        if (x as usize) + 1 < w && x > 0 && x < 250 {
            v[[i, j]] = u[[i, (x - r) as usize]] + 7 * u[[i, (x + r) as usize]];
        }
    }
    falling(u, v, r: i32 = 1) |i, j, h, w| {
        let last = w as i32 - r;
        v[[i, j]] = u[[(h as i32 - r - i as i32) as usize, (last - j as i32) as usize]];
    }
    doubled(u, v, r: i16 = 1) |i, j, _h, w| {
        if 2 * j + 1 < w {
            v[[i, j]] = u[[i, (2 * j as i16 + r) as usize]];
        }
    }
    by_a_table(u, v, r: i32 = 1) |i, j, _h, w| {
        if j > 0 && j + 3 < w {
            let mut q = 0;
            let mut sum = 0;
            while q < 2 {
                let x = STEPS[q] + j as i32;
                q += 1;
                sum = 3 * sum + u[[i, x as usize]] + 5 * u[[i, (x + r - STEPS[q] + STEPS[q]) as usize]];
            }
            v[[i, j]] = sum;
        }
    }
    by_a_float(u, v, r: f32 = 2.5) |i, j, _h, w| {
        let same = r;
        if j + 2 < w {
            v[[i, j]] = u[[i, (r as i32 + j as i32) as usize]] + 3 * u[[i, (j as i32 + same as i32) as usize]];
        }
    }
    by_a_truth(u, v, r: bool = true) |i, j, _h, w| {
        if j + 1 < w {
            v[[i, j]] = u[[i, (j as i32 + r as i32) as usize]];
        }
    }
    by_an_operator(u, v, r: Twice = Twice { value: 1 }) |i, j, _h, w| {
        if j + 2 < w {
            v[[i, j]] = u[[i, (r + j as i32) as usize]] + u[[i, j + 1]];
        }
    }
    chosen(u, v, r: i32 = 1) |i, j, _h, w| {
        let left = (j as i32 - r).max(0);
        let right = if j as i32 + r < w as i32 { j as i32 + r } else { w as i32 - 1 };
        v[[i, j]] = u[[i, left as usize]] + 3 * u[[i, right as usize]];
    }
    far_literals(u, v, r: i64 = 0) |i, j, _h, _w| {
        let far = if r == 0 { 5_000_000_000 } else { 0 };
        v[[i, j]] = u[[i, (j as i64 + 3_000_000_000 + -3_000_000_000) as usize]]
            + 3 * u[[i, (j as i64 + if r == 0 { 3_000_000_000 } else { r } - 3_000_000_000) as usize]]
            + 5 * u[[i, (far + j as i64 - far) as usize]]
            + 7 * u[[i, (-3_000_000_000 - r + (j as i64 + 3_000_000_000)) as usize]];
    }
    shadowed(u, v, r: i32 = 1) |i, j, _h, w| {
        let x = j as i32;
        let k = j;
        if j > 3 && j + 1 < w {
            let j = 2_i32;
            let y = x - j;
            let x = r;
            v[[i, k]] = u[[i, (y + x) as usize]] + 3 * u[[i, (y - j) as usize]];
        }
    }
    as_an_array(u, v, r: i32 = 1) |i, j, _h, w| {
        if j > 0 && j + 1 < w {
            let at = [i, (j as i32 + r) as usize];
            v[[i, j]] = u[at] - 3 * u[[i, (j as i64 - r as i64) as usize]];
        }
    }
}
