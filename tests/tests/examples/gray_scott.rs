//! Reaction and diffusion against closed formulas, a plain program, and on two devices.

#[path = "../../../examples/examples/gray_scott/physics.rs"]
pub mod physics;

use std::f64::consts::TAU;

use physics::{Reaction, react};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise, same};

fn run(start: &Field<Vec2, 2>, reaction: Reaction, steps: usize) -> Field<Vec2, 2> {
    let mut old = start.try_clone().unwrap();
    let mut new = start.try_clone().unwrap();
    for _ in 0..steps {
        react(&old, &mut new, reaction).unwrap();
        std::mem::swap(&mut old, &mut new);
    }
    old
}

#[test]
fn a_fourier_mode_decays_as_the_formula_says() {
    // Without v and without feed, u diffuses: the mode with p and q waves on the torus shrinks in each step by
    // 1 - D dt (4 - 2 cos(2 pi p / h) - 2 cos(2 pi q / w)).
    let reaction = Reaction {
        diffusion: Vec2::new(0.2, 0.1),
        feed: 0.0,
        kill: 0.0,
        dt: 1.0,
    };
    for ([h, w], [p, q]) in [
        ([17, 33], [1, 2]),
        ([40, 25], [3, 0]),
        ([1, 64], [0, 1]),
        ([3, 3], [1, 1]),
    ] {
        let phase = |i: usize, j: usize| TAU * (p as f64 * i as f64 / h as f64 + q as f64 * j as f64 / w as f64);
        let start = Field::from_fn(&device(), [h, w], |[i, j]| {
            Vec2::new((1.0 + 0.5 * phase(i, j).cos()) as f32, 0.0)
        })
        .unwrap();
        let steps = 100;
        let wave = |k: usize, n: usize| 2.0 - 2.0 * (TAU * k as f64 / n as f64).cos();
        let factor = (1.0 - f64::from(0.2f32) * (wave(p, h) + wave(q, w))).powi(steps);
        let end = run(&start, reaction, steps as usize);
        for i in 0..h {
            for j in 0..w {
                let got = end.get([i, j]).unwrap();
                let expected = 1.0 + 0.5 * factor * phase(i, j).cos();
                assert!(
                    (f64::from(got.x) - expected).abs() < 5e-6,
                    "{h}x{w} at {i}, {j}: {got:?}, not {expected}"
                );
                assert_eq!(got.y, 0.0);
            }
        }
        // A long wave follows the continuous equation, exp(-D k^2 t).
        if (h, p) == (1, 0) {
            let k = TAU * q as f64 / w as f64;
            let continuous = (-f64::from(0.2f32) * k * k * f64::from(steps)).exp();
            assert!((factor / continuous - 1.0).abs() < 2e-3);
        }
    }
}

#[test]
fn uniform_steady_states_stay() {
    let (feed, kill) = (0.04f64, 0.01f64);
    // u v = feed + kill and feed (1 - u) = (feed + kill) v.
    let root = (1.0 - 4.0 * (feed + kill).powi(2) / feed).sqrt();
    let reaction = Reaction {
        diffusion: Vec2::new(0.2, 0.1),
        feed: feed as f32,
        kill: kill as f32,
        dt: 1.0,
    };
    let low = 0.5 * (1.0 - root);
    for (u, v) in [(1.0, 0.0), (low, (feed + kill) / low)] {
        let start = Field::full(&device(), [17, 9], Vec2::new(u as f32, v as f32)).unwrap();
        for got in run(&start, reaction, 500).to_vec().unwrap() {
            assert!(
                (f64::from(got.x) - u).abs() < 1e-5 && (f64::from(got.y) - v).abs() < 1e-5,
                "{got:?}, not {u}, {v}"
            );
        }
    }
}

#[test]
fn steps_are_those_of_a_plain_program() {
    let reaction = Reaction {
        diffusion: Vec2::new(0.2, 0.1),
        feed: 0.0545,
        kill: 0.062,
        dt: 1.0,
    };
    let [du, dv, f, k] = [0.2f32, 0.1, 0.0545, 0.062].map(f64::from);
    for [h, w] in [[0, 5], [1, 1], [3, 17], [61, 40]] {
        let at = |i: usize, j: usize| ((i * w + j) as f64 * 0.7).sin();
        let start = Field::from_fn(&device(), [h, w], |[i, j]| {
            Vec2::new((0.6 + 0.3 * at(i, j)) as f32, (0.2 - 0.15 * at(j, i)) as f32)
        })
        .unwrap();
        let mut plain: Vec<[f64; 2]> = start
            .to_vec()
            .unwrap()
            .iter()
            .map(|c| c.to_array().map(f64::from))
            .collect();
        for _ in 0..20 {
            plain = (0..h * w)
                .map(|cell| {
                    let (i, j) = (cell / w, cell % w);
                    let sides = [(i + h - 1, j), (i + 1, j), (i, j + w - 1), (i, j + 1)];
                    let around = |c: usize| -> f64 {
                        sides.iter().map(|(i, j)| plain[i % h * w + j % w][c]).sum::<f64>() - 4.0 * plain[cell][c]
                    };
                    let [u, v] = plain[cell];
                    [
                        u + du * around(0) - u * v * v + f * (1.0 - u),
                        v + dv * around(1) + u * v * v - (f + k) * v,
                    ]
                })
                .collect();
        }
        for (cell, got) in run(&start, reaction, 20).to_vec().unwrap().iter().enumerate() {
            for c in 0..2 {
                assert!(
                    (f64::from(got[c]) - plain[cell][c]).abs() < 3e-6,
                    "{h}x{w} at {cell}: {got:?} {:?}",
                    plain[cell]
                );
            }
        }
    }
}

#[test]
fn frames_on_both_devices() {
    let devices = devices();
    let reaction = Reaction {
        diffusion: Vec2::new(0.2, 0.1),
        feed: 0.03,
        kill: 0.06,
        dt: 1.0,
    };
    let start = |[i, j]: [usize; 2]| Vec2::new(1.0 - 0.5 * noise(i * 41 + j), 0.25 * noise(i * 41 + j + 9000));
    let mut old = devices.each_ref().map(|d| Field::from_fn(d, [33, 41], start).unwrap());
    let mut new = old.each_ref().map(|old| old.try_clone().unwrap());
    for frame in 0..4 {
        for (old, new) in old.iter_mut().zip(&mut new) {
            for _ in 0..5 {
                react(old, new, reaction).unwrap();
                std::mem::swap(old, new);
            }
        }
        let shown = old.each_ref().map(|old| old.to_vec().unwrap());
        assert!(shown[0].iter().any(|v| v.y > 0.01));
        same(
            &format!("frame {frame}"),
            [&shown[0], &shown[1]],
            |v| v.to_array().to_vec(),
            1e-4,
        );
    }
}
