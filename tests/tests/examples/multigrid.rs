//! Multigrid: each operator by itself, how fast the residual falls, the order of the error, and two devices.

#[path = "../../../examples/examples/multigrid/physics.rs"]
pub mod physics;

use std::f64::consts::PI;

use physics::{Multigrid, prolong, residual, restrict, smooth};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise};

/// Numbers that look random, and zero on the rim.
fn inside(side: usize, seed: usize) -> Vec<Vec<f64>> {
    let at = |i: usize, j: usize| match i.min(j) == 0 || i.max(j) == side - 1 {
        true => 0.0,
        false => f64::from(noise(seed + side * i + j)) - 0.4,
    };
    (0..side).map(|i| (0..side).map(|j| at(i, j)).collect()).collect()
}

fn field(rows: &[Vec<f64>]) -> Field<f64, 2> {
    Field::from_fn(&device(), [rows.len(), rows.len()], |[i, j]| rows[i][j]).unwrap()
}

fn assert_close(got: &Field<f64, 2>, expected: &[Vec<f64>], what: &str) {
    assert_eq!(got.shape(), [expected.len(); 2]);
    for ([i, j], got) in got.indexed_iter().unwrap() {
        let expected = expected[i][j];
        assert!(
            (got - expected).abs() < 1e-9,
            "{what} at {i}, {j}: {got}, not {expected}"
        );
    }
}

#[test]
fn a_sweep_is_that_of_a_plain_program() {
    for side in [3, 4, 5, 6, 12, 17] {
        let h2 = 1.0 / ((side - 1) * (side - 1)) as f64;
        let (mut u, f) = (inside(side, 0), inside(side, 1000));
        let (mut relaxed, charges) = (field(&u), field(&f));
        smooth(&mut relaxed, &charges, h2).unwrap();
        for colour in [0, 1] {
            for i in 1..side - 1 {
                for j in (1..side - 1).filter(|j| (i + j) % 2 == colour) {
                    u[i][j] = (h2 * f[i][j] + u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4.0;
                }
            }
        }
        assert_close(&relaxed, &u, "a sweep");

        let mut r = Field::zeros(&device(), [side, side]).unwrap();
        residual(&relaxed, &charges, h2, &mut r).unwrap();
        let mut expected = inside(side, 1000);
        for i in 1..side - 1 {
            for j in 1..side - 1 {
                let second = |a: f64, b: f64| (a - 2.0 * u[i][j] + b) / h2;
                expected[i][j] += second(u[i - 1][j], u[i + 1][j]) + second(u[i][j - 1], u[i][j + 1]);
            }
        }
        assert_close(&r, &expected, "a residual");
    }
}

/// Linear functions of each coordinate pass from grid to grid as they are; and restriction is a quarter of the transpose of interpolation.
#[test]
fn grids_fit_each_other() {
    for side in [3, 4, 6, 9] {
        let wide = 2 * side - 1;
        let plane = |scale: f64| move |[i, j]: [usize; 2]| (1.0 + scale * i as f64) * (2.0 - 0.3 * scale * j as f64);
        let coarse = Field::from_fn(&device(), [side, side], plane(2.0)).unwrap();
        let fine = Field::from_fn(&device(), [wide, wide], plane(1.0)).unwrap();
        let (mut up, mut down) = (
            Field::zeros(&device(), [wide, wide]).unwrap(),
            Field::zeros(&device(), [side, side]).unwrap(),
        );
        prolong(&coarse, &mut up).unwrap();
        restrict(&fine, &mut down).unwrap();
        let same = |got: &Field<f64, 2>, expected: &Field<f64, 2>, side: usize| {
            for ([i, j], got) in got.indexed_iter().unwrap() {
                let rim = i.min(j) == 0 || i.max(j) == side - 1;
                let expected = if rim { 0.0 } else { expected.get([i, j]).unwrap() };
                assert!((got - expected).abs() < 1e-12, "{i}, {j}: {got}, not {expected}");
            }
        };
        same(&up, &fine, wide);
        same(&down, &coarse, side);

        let (coarse, fine) = (field(&inside(side, 5)), field(&inside(wide, 6)));
        let (mut up, mut down) = (up, down);
        up.fill(0.0).unwrap();
        prolong(&coarse, &mut up).unwrap();
        restrict(&fine, &mut down).unwrap();
        let [a, b] = [(&up * &fine).sum().unwrap(), (&coarse * &down).sum().unwrap()];
        assert!((a - 4.0 * b).abs() < 1e-10, "{a}, {b}");
    }
}

/// A load that has waves of all lengths.
fn rough(x: f64, y: f64) -> f64 {
    f64::from(noise((x * 1000.0) as usize * 977 + (y * 1000.0) as usize)) - 0.5
}

#[test]
fn each_cycle_takes_most_of_the_residual() {
    for (coarsest, finer, least) in [(2, 0, 1e9), (3, 1, 8.0), (2, 5, 8.0), (5, 4, 8.0)] {
        let mut multigrid = Multigrid::new(&device(), coarsest, finer, rough).unwrap();
        let mut before = multigrid.residual().unwrap();
        for cycle in 0..6 {
            multigrid.cycle([2, 1]).unwrap();
            let after = multigrid.residual().unwrap();
            let good = after < before / least || after < 1e-9;
            assert!(good, "{coarsest}, {finer}, cycle {cycle}: {before} became {after}");
            before = after;
        }
    }
}

#[test]
fn the_error_is_of_second_order() {
    // -div grad of sin(pi x) sin(2 pi y) + x (1 - x) y² (1 - y).
    let exact = |x: f64, y: f64| (PI * x).sin() * (2.0 * PI * y).sin() + x * (1.0 - x) * y * y * (1.0 - y);
    let load = |x: f64, y: f64| {
        let waves = 5.0 * PI * PI * (PI * x).sin() * (2.0 * PI * y).sin();
        waves + 2.0 * y * y * (1.0 - y) - x * (1.0 - x) * (2.0 - 6.0 * y)
    };
    let error = |finer: u32| {
        let mut multigrid = Multigrid::new(&device(), 3, finer, load).unwrap();
        for _ in 0..10 {
            multigrid.cycle([2, 1]).unwrap();
        }
        let h = 1.0 / f64::from(3 << finer);
        let u = multigrid.solution();
        let off = |([i, j], got): ([usize; 2], f64)| (got - exact(j as f64 * h, i as f64 * h)).abs();
        u.indexed_iter().unwrap().map(off).fold(0.0, f64::max)
    };
    let errors = [2, 3, 4, 5].map(error);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.05, "order {order} of {errors:?}");
    }
}

/// Few launches: as PTX each takes a while.
#[test]
fn operators_on_both_devices() {
    let [cpu, cuda] = devices().map(|device| {
        let field = |side: usize, seed: usize| {
            let rows = inside(side, seed);
            Field::from_fn(&device, [side, side], |[i, j]| rows[i][j]).unwrap()
        };
        let (mut u, f, mut r) = (field(9, 0), field(9, 100), field(9, 200));
        let mut coarse = field(5, 300);
        smooth(&mut u, &f, 1.0 / 64.0).unwrap();
        residual(&u, &f, 1.0 / 64.0, &mut r).unwrap();
        restrict(&r, &mut coarse).unwrap();
        prolong(&coarse, &mut u).unwrap();
        [u, r, coarse].map(|field| field.to_vec().unwrap())
    });
    for (cpu, cuda) in cpu.iter().zip(&cuda) {
        assert!(cpu.iter().any(|a| a.abs() > 0.1));
        for (a, b) in cpu.iter().zip(cuda) {
            assert!((a - b).abs() < 1e-12 * a.abs().max(1.0), "{a}, {b}");
        }
    }
}
