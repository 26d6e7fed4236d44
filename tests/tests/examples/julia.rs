//! The fractal: points whose fate is known, a plain program beside it, and two devices.

#[path = "../../../examples/examples/julia/physics.rs"]
pub mod physics;

use physics::{Complex, FAR, Window, escape, julia as draw};
use swathe::prelude::*;

use crate::device;
use crate::devices::devices;

fn complex(re: f32, im: f32) -> Complex {
    Complex { re, im }
}

#[test]
fn complex_arithmetic() {
    let (a, b) = (complex(1.5, -2.0), complex(0.25, 3.0));
    assert_eq!(a + b, complex(1.75, 1.0));
    assert_eq!(a * b, complex(0.375 + 6.0, 4.5 - 0.5));
    assert_eq!(a.norm_squared(), 6.25);
}

#[test]
fn points_of_known_fate() {
    let limit = 1000;
    // For c = 0 the set is the unit disc; for c = -2 it is the real line from -2 to 2; 0 is in the set of -1, of
    // period 2, and of i, which ends in a cycle.
    let inside = [
        (complex(0.0, 0.0), complex(0.0, 0.0)),
        (complex(0.6, -0.79), complex(0.0, 0.0)),
        (complex(2.0, 0.0), complex(-2.0, 0.0)),
        (complex(0.0, 0.0), complex(-1.0, 0.0)),
        (complex(0.0, 0.0), complex(0.0, 1.0)),
    ];
    for (z, c) in inside {
        assert_eq!(escape(z, c, limit).0, limit, "{z:?} {c:?}");
    }
    // |z| = 2^(2^k) for c = 0: 1.5^(2^k) passes 16 at k = 3.
    assert_eq!(escape(complex(1.5, 0.0), complex(0.0, 0.0), limit).0, 3);
    assert_eq!(escape(complex(FAR + 1.0, 0.0), complex(0.0, 0.0), limit).0, 0);
    for z in [complex(0.0, 0.02), complex(2.01, 0.0)] {
        assert!(escape(z, complex(-2.0, 0.0), limit).0 < 30);
    }
}

#[test]
fn pictures_are_those_of_a_plain_program() {
    let limit = 200;
    for [h, w] in [[0, 3], [1, 1], [3, 17], [61, 87]] {
        for c in [complex(-0.76, 0.2), complex(0.285, 0.01)] {
            let window = Window {
                center: complex(0.1, -0.05),
                pixel: 2.8 / h.max(1) as f32,
            };
            let mut steps = Field::zeros(&device(), [h, w]).unwrap();
            draw(&mut steps, window, c, limit).unwrap();
            let got = steps.to_vec().unwrap();
            let mut off = 0;
            for (cell, got) in got.iter().enumerate() {
                let (i, j) = (cell / w, cell % w);
                let pixel = f64::from(window.pixel);
                let expected = plain(
                    [
                        f64::from(window.center.re) + (j as f64 + 0.5 - 0.5 * w as f64) * pixel,
                        f64::from(window.center.im) + (0.5 * h as f64 - i as f64 - 0.5) * pixel,
                    ],
                    [f64::from(c.re), f64::from(c.im)],
                    limit,
                );
                // Near the set the last bit decides when a point flees.
                off += usize::from((f64::from(*got) - expected).abs() > 1e-3 * (1.0 + expected));
            }
            assert!(off * 50 <= h * w, "{off} of {} points differ", h * w);
        }
    }
}

fn plain(z: [f64; 2], c: [f64; 2], limit: u32) -> f64 {
    let [mut x, mut y] = z;
    for steps in 0..limit {
        if x * x + y * y > f64::from(FAR * FAR) {
            let logarithm = 0.5 * (x * x + y * y).ln() / f64::from(FAR).ln();
            return f64::from(steps) + 1.0 - logarithm.log2();
        }
        (x, y) = (x * x - y * y + c[0], 2.0 * x * y + c[1]);
    }
    0.0
}

#[test]
fn frames_on_both_devices() {
    let devices = devices();
    let mut steps = devices.each_ref().map(|d| Field::zeros(d, [37, 51]).unwrap());
    for frame in 0..4 {
        let (sin, cos) = (2.7 + 0.2 * frame as f32).sin_cos();
        let c = Complex {
            re: 0.7885 * cos,
            im: 0.7885 * sin,
        };
        let window = Window {
            center: Complex::default(),
            pixel: 2.4 / 37.0,
        };
        for steps in &mut steps {
            draw(steps, window, c, 200).unwrap();
        }
        let shown = steps.each_ref().map(|steps| steps.to_vec().unwrap());
        assert!(shown[0].iter().any(|s| *s > 3.0));
        // Contraction moves single points across the border of the set.
        let near = |(a, b): &(&f32, &f32)| (*a - *b).abs() < 1e-2 * a.abs().max(1.0);
        let good = shown[0].iter().zip(&shown[1]).filter(near).count();
        assert!(good * 100 > shown[0].len() * 98, "frame {frame}: {good} points agree");
    }
}
