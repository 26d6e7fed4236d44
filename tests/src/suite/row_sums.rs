//! Reductions by sequential loops of a parallel one, and under conditions that read small elements.

use swathe::prelude::*;

use super::support::{SHAPES, sources};

/// Exact numbers, so that no order shows.
fn number(i: usize, j: usize) -> f32 {
    ((i * 7919 + j * 104_729) % 257) as f32 / 64.0 - 1.5
}

fn flag(i: usize, j: usize) -> u8 {
    ((i * 31 + j * 17) % 7) as u8
}

/// A kernel whose sequential loop stands where the macro is called.
macro_rules! kernel_around {
    ($name:ident($u:ident, $i:ident, $sum:ident) { $($body:tt)* }) => {
        #[kernel]
        fn $name($u: &Field<f32, 2>) -> f32 {
            let mut $sum = 0.0;
            for $i in 0..$u.shape()[0] {
                $($body)*
            }
            $sum
        }
    };
}

kernel_around! {
    passed_on(u, i, sum) {
        for j in 0..u.shape()[1] {
            sum += u[[i, j]];
        }
    }
}

/// What is accumulated, by name.
#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Sums<T> {
    sum: T,
    rest: T,
    most: T,
    product: u32,
    odd: i64,
}

#[kernel]
fn along_rows<T: Float>(u: &Field<T, 2>, first: u32) -> Sums<T> {
    let [h, w] = u.shape();
    let (mut sum, mut rest, mut most) = (T::ONE, T::ZERO, T::NEG_INFINITY);
    let (mut product, mut odd) = (1u32, 100i64);
    for i in 0..h {
        let double = T::TWO;
        for j in 0..w {
            sum += double * u[[i, j]];
            if u[[i, j]] < T::ZERO {
                continue;
            }
            most = u[[i, j]].max(most);
            rest -= u[[i, j]];
        }
        for k in first..=3 {
            product *= if k == 3 && i < 5 { 3 } else { 1 };
        }
        for j in 0..w as i64 {
            odd += j % 2;
        }
    }
    Sums {
        sum,
        rest,
        most,
        product,
        odd,
    }
}

/// Up and down in turns: in parts an unsigned number would be below zero.
#[kernel]
fn up_and_down(u: &Field<f32, 2>) -> u32 {
    let [h, w] = u.shape();
    let mut count = 0;
    for i in 0..h {
        for j in 0..w {
            if u[[i, j]] < 9.0 && j % 2 == 0 {
                count += 1;
            } else {
                count -= 1;
            }
        }
    }
    count
}

#[derive(Element, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Cell {
    Fluid,
    Solid,
    Inflow,
}

/// Neighbours of small elements behind conditions, of which a table tells some, for rows that it has.
#[kernel]
fn walls(kind: &Field<Cell, 2>, flags: &Field<u8, 2>, open: &mut Field<u32, 2>) -> (u32, u32) {
    let steps = [0usize, 1, 2];
    let (mut walls, mut flagged) = (0u32, 0u32);
    let [h, w] = kind.shape();
    for [i, j] in open.indices() {
        if j > 0 && kind[[i, j]] == Cell::Fluid && kind[[i, j - 1]] != Cell::Fluid {
            walls += 1;
        }
        if i < 3 && j + 2 < w && flags[[i, j + steps[i]]] > 2 {
            flagged += 1;
        }
        if i + 1 == h {
            continue;
        }
        if flags[[i + 1, j]] == 3 || flags[[i, j]] == 4 {
            open[[i, j]] = flags[[i, j]] as u32 + 1;
        }
    }
    (walls, flagged)
}

fn check_along_rows<T: Float>(device: &Device, shape: [usize; 2]) {
    let [h, w] = shape;
    let u = Field::<T, 2>::from_fn(device, shape, |[i, j]| T::from_f64(f64::from(number(i, j)))).unwrap();
    let (mut sum, mut rest, mut most, mut product, mut odd) = (1.0, 0.0, f64::NEG_INFINITY, 1, 100);
    for i in 0..h {
        for j in 0..w {
            let value = f64::from(number(i, j));
            sum += 2.0 * value;
            if value >= 0.0 {
                most = f64::max(most, value);
                rest -= value;
            }
            odd += (j % 2) as i64;
        }
        product *= if i < 5 { 3 } else { 1 };
    }
    let expected = Sums {
        sum: T::from_f64(sum),
        rest: T::from_f64(rest),
        most: T::from_f64(most),
        product,
        odd,
    };
    assert_eq!(along_rows(&u, 0).unwrap(), expected, "{shape:?}");
}

pub fn check(device: &Device) {
    for shape in SHAPES.into_iter().chain([[3, 70], [2, 200]]) {
        let [h, w] = shape;
        check_along_rows::<f32>(device, shape);
        check_along_rows::<f64>(device, shape);
        let u = Field::from_fn(device, shape, |[i, j]| number(i, j)).unwrap();
        assert_eq!(up_and_down(&u).unwrap(), (h * (w % 2)) as u32, "{shape:?}");
        let sum: f32 = (0..h * w).map(|k| number(k / w, k % w)).sum();
        assert_eq!(passed_on(&u).unwrap(), sum, "{shape:?}");

        let cell = |i, j| [Cell::Fluid, Cell::Fluid, Cell::Solid, Cell::Inflow][flag(i, j) as usize % 4];
        let kind = Field::from_fn(device, shape, |[i, j]| cell(i, j)).unwrap();
        let flags = Field::from_fn(device, shape, |[i, j]| flag(i, j)).unwrap();
        let mut open = Field::<u32, 2>::zeros(device, shape).unwrap();
        let got = walls(&kind, &flags, &mut open).unwrap();
        let (mut expected, mut opened) = ((0, 0), vec![0; h * w]);
        for i in 0..h {
            for j in 0..w {
                expected.0 += u32::from(j > 0 && cell(i, j) == Cell::Fluid && cell(i, j - 1) != Cell::Fluid);
                expected.1 += u32::from(i < 3 && j + 2 < w && flag(i, j + i) > 2);
                if i + 1 < h && (flag(i + 1, j) == 3 || flag(i, j) == 4) {
                    opened[i * w + j] = u32::from(flag(i, j)) + 1;
                }
            }
        }
        assert_eq!(got, expected, "{shape:?}");
        assert_eq!(open.to_vec().unwrap(), opened, "{shape:?}");
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![along_rows<f32>, along_rows<f64>, up_and_down, passed_on, walls]
}
