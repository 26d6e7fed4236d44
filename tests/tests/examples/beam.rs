//! Finite elements: the matrix of an element by a formula, a patch test, a plain program with a matrix, the theory of beams, and two devices.

#[path = "../../../examples/examples/beam/physics.rs"]
pub mod physics;

use physics::{Beam, Material, Stiffness, apply, stiffness};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise};

const STEEL: Material = Material {
    young: 2.1,
    poisson: 0.3,
};

/// The entry of the matrix for two corners and directions.
fn entry(k: &Stiffness, [p, a]: [usize; 2], [q, b]: [usize; 2]) -> f64 {
    k[p][q][[a, b]]
}

/// O. Sigmund, "A 99 line topology optimization code written in Matlab" (2001): the matrix of a square element in eight numbers.
#[test]
fn a_square_element_has_the_matrix_of_the_textbooks() {
    let nu = STEEL.poisson;
    let k = [
        0.5 - nu / 6.0,
        0.125 + nu / 8.0,
        -0.25 - nu / 12.0,
        -0.125 + 3.0 * nu / 8.0,
        -0.25 + nu / 12.0,
        -0.125 - nu / 8.0,
        nu / 6.0,
        0.125 - 3.0 * nu / 8.0,
    ];
    let rows = [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [1, 0, 7, 6, 5, 4, 3, 2],
        [2, 7, 0, 5, 6, 3, 4, 1],
        [3, 6, 5, 0, 7, 2, 1, 4],
        [4, 5, 6, 7, 0, 1, 2, 3],
        [5, 4, 3, 2, 1, 0, 7, 6],
        [6, 3, 4, 1, 2, 7, 0, 5],
        [7, 2, 1, 4, 3, 6, 5, 0],
    ];
    // Its corners go around.
    let corners = [0, 1, 3, 2];
    let got = stiffness(STEEL, DVec2::splat(0.7));
    for (m, row) in rows.iter().enumerate() {
        for (n, number) in row.iter().enumerate() {
            let expected = STEEL.young / (1.0 - nu * nu) * k[*number];
            let got = entry(&got, [corners[m / 2], m % 2], [corners[n / 2], n % 2]);
            assert!((got - expected).abs() < 1e-12, "{m}, {n}: {got}, not {expected}");
        }
    }
}

/// Where strains are the same everywhere, forces inside are none, and those on the right side are the stress times its length.
#[test]
fn elements_pass_the_patch_test() {
    let (rows, columns, sides) = (4, 6, DVec2::new(0.3, 0.7));
    let gradient = DMat2::from_rows([DVec2::new(0.02, -0.05), DVec2::new(0.03, 0.04)]);
    let place = |[i, j]: [usize; 2]| DVec2::new(j as f64, i as f64) * sides;
    let u = Field::from_fn(&device(), [rows, columns], |at| gradient * place(at)).unwrap();
    let mut force = Field::zeros(&device(), [rows, columns]).unwrap();
    apply(stiffness(STEEL, sides), &u, &mut force).unwrap();
    let strain = DVec3::new(0.02, 0.04, -0.05 + 0.03);
    let (e, nu) = (STEEL.young, STEEL.poisson);
    let normal = e / (1.0 - nu * nu) * (strain.x + nu * strain.y);
    let shear = e / (2.0 * (1.0 + nu)) * strain.z;
    let mut right = DVec2::ZERO;
    for ([i, j], force) in force.indexed_iter().unwrap() {
        let inside = j > 0 && j < columns - 1 && i > 0 && i < rows - 1;
        assert!(!inside || force.norm() < 1e-12, "{i}, {j}: {force:?}");
        assert!(j > 0 || force == DVec2::ZERO, "the wall holds {i}");
        if j == columns - 1 {
            right += force;
        }
    }
    let expected = DVec2::new(normal, shear) * (sides.y * (rows - 1) as f64);
    assert!((right - expected).norm() < 1e-12, "{right:?}, not {expected:?}");

    let mut beam = Beam::new(&device(), STEEL, [1.5, 2.1], [columns - 1, rows - 1]).unwrap();
    beam.u = u;
    let along = e / (1.0 - nu * nu) * (strain.y + nu * strain.x);
    let expected = (normal * normal - normal * along + along * along + 3.0 * shear * shear).sqrt();
    for (at, got) in beam.mises().unwrap().indexed_iter().unwrap() {
        assert!((got - expected).abs() < 1e-12, "{at:?}: {got}, not {expected}");
    }
}

/// Solves a dense system by elimination.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        let (row, right) = (a[k].clone(), b[k]);
        for i in k + 1..n {
            let share = a[i][k] / row[k];
            a[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= share * y);
            b[i] -= share * right;
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|m| a[k][m] * b[m]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}

#[test]
fn displacements_are_those_of_a_program_with_a_matrix() {
    for [columns, rows] in [[1, 1], [3, 1], [1, 3], [7, 5]] {
        let size = [1.7, 0.6];
        let mut beam = Beam::new(&device(), STEEL, size, [columns, rows]).unwrap();
        let sides = DVec2::new(size[0] / columns as f64, size[1] / rows as f64);
        assert_eq!(beam.u.shape(), [rows + 1, columns + 1]);
        let load = |[i, j]: [usize; 2]| {
            let k = 2 * (i * (columns + 1) + j);
            DVec2::new(noise(k).into(), noise(k + 1).into()) - 0.3
        };
        beam.load = Field::from_fn(&device(), [rows + 1, columns + 1], load).unwrap();

        // Nodes but those at the wall, column by column.
        let number = |i: usize, j: usize, axis: usize| 2 * ((j - 1) * (rows + 1) + i) + axis;
        let n = 2 * (rows + 1) * columns;
        let (mut matrix, mut right) = (vec![vec![0.0; n]; n], vec![0.0; n]);
        let k = stiffness(STEEL, sides);
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            for m in 0..64 {
                let (p, a, q, b) = (m / 16, m / 8 % 2, m / 2 % 4, m % 2);
                let ([pi, pj], [qi, qj]) = ([i + p / 2, j + p % 2], [i + q / 2, j + q % 2]);
                if pj > 0 && qj > 0 {
                    matrix[number(pi, pj, a)][number(qi, qj, b)] += entry(&k, [p, a], [q, b]);
                }
            }
        }
        for (i, j) in (0..=rows).flat_map(|i| (1..=columns).map(move |j| (i, j))) {
            for axis in 0..2 {
                right[number(i, j, axis)] = load([i, j])[axis];
            }
        }
        let expected = eliminate(matrix, right);
        let steps = beam.solve(1e-12, 1000).unwrap();
        assert!(steps < 10 * n, "{steps} steps");
        for ([i, j], u) in beam.u.indexed_iter().unwrap() {
            for axis in 0..2 {
                let expected = if j == 0 { 0.0 } else { expected[number(i, j, axis)] };
                let close = (u[axis] - expected).abs() < 1e-8 * (1.0 + expected.abs());
                assert!(close, "{columns} x {rows}, {i}, {j}: {u:?}, not {expected}");
            }
        }
        // It is there already.
        assert_eq!(beam.solve(1e-9, 1000).unwrap(), 0);
    }
}

/// S. P. Timoshenko: bending, and shear with the coefficient of a rectangle by G. R. Cowper (1966).
#[test]
fn the_tip_sinks_as_the_theory_of_beams_says() {
    let (length, force) = (6.0_f64, 1e-3);
    let (e, nu) = (STEEL.young, STEEL.poisson);
    let shear = e / (2.0 * (1.0 + nu)) * 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
    let exact = force * length.powi(3) / (3.0 * e / 12.0) + force * length / shear;
    let errors = [2, 4, 8].map(|rows: usize| {
        let columns = 6 * rows;
        let mut beam = Beam::new(&device(), STEEL, [length, 1.0], [columns, rows]).unwrap();
        // The same on each element of the right side.
        for i in 0..=rows {
            let share = if i == 0 || i == rows { 0.5 } else { 1.0 };
            let load = DVec2::new(0.0, -force * share / rows as f64);
            beam.load.set([i, columns], load).unwrap();
        }
        beam.solve(1e-9, 4000).unwrap();
        let tip = -beam.u.get([rows / 2, columns]).unwrap().y;
        1.0 - tip / exact
    });
    // Elements are too stiff, the less the smaller they are. And the wall holds the depth of its side as well, unlike in the theory:
    // between tips that are extrapolated and the theory there is 0.35 %.
    for pair in errors.windows(2) {
        assert!(pair[1] > 0.0 && pair[1] < pair[0] / 2.5, "{errors:?}");
    }
    assert!(errors[2] < 0.015, "{errors:?}");
    let extrapolated = errors[2] - (errors[1] - errors[2]) / 3.0;
    assert!(extrapolated.abs() < 0.005, "{extrapolated}");
}

#[test]
fn solutions_on_both_devices() {
    let mut both = devices().map(|device| Beam::new(&device, STEEL, [2.0, 1.0], [7, 5]).unwrap());
    let [cpu, cuda] = both.each_mut().map(|beam| {
        beam.load.set([5, 6], DVec2::new(0.3, -1.0)).unwrap();
        // So few that rounding does not grow.
        let steps = beam.solve(1e-6, 20).unwrap();
        (steps, beam.u.to_vec().unwrap(), beam.mises().unwrap().to_vec().unwrap())
    });
    assert_eq!(cpu.0, cuda.0);
    let most = cpu.1.iter().map(|u| u.norm()).fold(0.0, f64::max);
    assert!(most > 1.0, "{most}");
    for (a, b) in cpu.1.iter().zip(&cuda.1) {
        assert!((*a - *b).norm() < 1e-8 * most, "{a:?}, {b:?}");
    }
    for (a, b) in cpu.2.iter().zip(&cuda.2) {
        assert!((a - b).abs() < 1e-8 * a.abs().max(1.0), "{a}, {b}");
    }
}
