//! Stable fluids: the pressure takes the divergence away, ink goes with the flow, and two devices.

#[path = "../../../examples/examples/fluid/physics.rs"]
pub mod physics;

use std::f64::consts::TAU;

use physics::{Fluid, Jet, carry, divergence};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise, same};

fn disc(center: [f32; 2], radius: f32) -> impl Fn([usize; 2]) -> bool {
    move |[i, j]| (i as f32 - center[0]).hypot(j as f32 - center[1]) < radius
}

fn jet(column: f32, row: f32, flow: [f32; 2]) -> Jet {
    Jet {
        at: Vec2::new(column, row),
        radius: 3.0,
        flow: flow.into(),
        ink: Vec3::new(0.9, 0.5, 0.1),
    }
}

#[test]
fn the_pressure_takes_the_divergence_away() {
    for shape in [[3, 3], [9, 17], [33, 41]] {
        let wall = disc([11.0, 15.0], 4.5);
        let mut fluid = Fluid::new(&device(), shape, &wall, &[]).unwrap();
        let noisy = |[i, j]: [usize; 2]| Vec2::new(noise(i * 41 + j) - 0.5, noise(i * 41 + j + 7000) - 0.5);
        fluid.flow = Field::from_fn(&device(), shape, noisy).unwrap();
        // Closes the walls; then most is above 0.5.
        fluid.blow().unwrap();
        let most = |fluid: &mut Fluid| {
            divergence(&mut fluid.divergence, &fluid.flow).unwrap();
            let all = fluid.divergence.to_vec().unwrap();
            all.iter().fold(0.0_f32, |most, d| most.max(d.abs()))
        };
        let before = most(&mut fluid);
        fluid.project(400).unwrap();
        let after = most(&mut fluid);
        assert!(after < 2e-5, "{shape:?}: {before} became {after}");
        assert!(before > 0.5 || shape == [3, 3], "{before}");
        // Nothing flows through the faces of walls.
        let closed = |i: usize, j: usize| {
            let rim = i == 0 || j == 0 || i + 1 == shape[0] || j + 1 == shape[1];
            rim || wall([i, j])
        };
        for ([i, j], flow) in fluid.flow.indexed_iter().unwrap() {
            assert!(
                flow.x == 0.0 || !closed(i, j) && !closed(i, j - 1),
                "{i}, {j}: {flow:?}"
            );
            assert!(
                flow.y == 0.0 || !closed(i, j) && !closed(i - 1, j),
                "{i}, {j}: {flow:?}"
            );
        }
    }
}

#[test]
fn whole_cells_are_carried_exactly() {
    let shape = [13, 17];
    let ink = |[i, j]: [usize; 2]| Vec3::new(i as f32, j as f32, noise(17 * i + j));
    let old = Field::from_fn(&device(), shape, ink).unwrap();
    let flow = Field::full(&device(), shape, Vec2::new(-4.0, 2.0)).unwrap();
    let mut new = Field::zeros(&device(), shape).unwrap();
    carry(&mut new, &old, &flow, 0.5).unwrap();
    for ([i, j], got) in new.indexed_iter().unwrap() {
        // What comes from beyond the rim is that of the rim.
        let from = [i.saturating_sub(1), (j + 2).min(16)];
        assert_eq!(got, ink(from), "{i}, {j}");
    }
}

/// Bilinear reads leave the mean place of the ink as it is, and widen a spot: where a read lies the share `f` between two cells, the
/// variance along that axis grows by `f (1 - f)`.
#[test]
fn ink_in_a_solid_rotation_comes_back_wider() {
    let (n, turns) = (71, 96);
    let middle = 35.0;
    let rate = TAU / f64::from(turns);
    let spot = |x: f32, y: f32| (-((x - 47.0).powi(2) + (y - middle).powi(2)) / 18.0).exp();
    let mut old = Field::from_fn(&device(), [n, n], |[i, j]| Vec3::splat(spot(j as f32, i as f32))).unwrap();
    let mut new = old.try_clone().unwrap();
    // Components at their faces; both are linear, which bilinear reads find exactly.
    let turning = |[i, j]: [usize; 2]| Vec2::new(middle - i as f32, j as f32 - middle) * rate as f32;
    let flow = Field::from_fn(&device(), [n, n], turning).unwrap();
    let moments = |ink: &Field<Vec3, 2>| {
        let mut sums = [0.0; 4];
        for ([i, j], ink) in ink.indexed_iter().unwrap() {
            let (x, y, mass) = (
                j as f64 - f64::from(middle),
                i as f64 - f64::from(middle),
                f64::from(ink.y),
            );
            for (sum, value) in sums.iter_mut().zip([1.0, x, y, x * x + y * y]) {
                *sum += mass * value;
            }
        }
        let [mass, x, y, square] = sums;
        let (x, y) = (x / mass, y / mass);
        (mass, x, y, square / mass - x * x - y * y)
    };
    let (mass, x, y, spread) = moments(&old);
    // By the midpoint rule's step backwards, which is linear: where the centre goes, and how much wider the spot gets.
    let backwards = |x: f64, y: f64| {
        let (half_x, half_y) = (x + 0.5 * rate * y, y - 0.5 * rate * x);
        (x + rate * half_y, y - rate * half_x)
    };
    let (mut x, mut y, mut wider) = (x, y, 0.0);
    for _ in 0..turns {
        carry(&mut new, &old, &flow, 1.0).unwrap();
        std::mem::swap(&mut old, &mut new);
        let stretch = 1.0 - 0.5 * rate * rate;
        let square = stretch * stretch + rate * rate;
        (x, y) = ((stretch * x - rate * y) / square, (stretch * y + rate * x) / square);
        for ([i, j], ink) in old.indexed_iter().unwrap() {
            let (to_x, to_y) = (j as f64 - f64::from(middle), i as f64 - f64::from(middle));
            let (from_x, from_y) = backwards(to_x, to_y);
            for moved in [from_x - to_x, from_y - to_y] {
                let share = moved.rem_euclid(1.0);
                wider += share * (1.0 - share) * f64::from(ink.y) / mass;
            }
        }
    }
    let (mass_now, x_now, y_now, spread_now) = moments(&old);
    assert!((mass_now / mass - 1.0).abs() < 2e-3, "{mass} became {mass_now}");
    let off = (x_now - x).hypot(y_now - y);
    assert!(off < 0.05, "at {x_now}, {y_now}, not {x}, {y}");
    assert!(((x - 12.0).hypot(y)) < 0.1, "a turn ends at {x}, {y}");
    let got = spread_now - spread;
    assert!(
        wider > 10.0 && (got / wider - 1.0).abs() < 0.02,
        "wider by {got}, not {wider}"
    );
}

#[test]
fn frames_on_both_devices() {
    let jets = [jet(6.0, 12.0, [1.4, 0.3]), jet(33.0, 17.0, [-1.1, -0.4])];
    let mut fluids = devices().map(|device| Fluid::new(&device, [29, 41], disc([14.0, 20.0], 4.0), &jets).unwrap());
    for frame in 0..3 {
        for fluid in &mut fluids {
            fluid.step(1.0, 4).unwrap();
        }
        let name = format!("frame {frame}");
        let [cpu, cuda] = fluids.each_ref().map(|fluid| fluid.flow.to_vec().unwrap());
        same(&name, [&cpu, &cuda], |v| v.to_array().to_vec(), 1e-4);
        let [cpu, cuda] = fluids.each_ref().map(|fluid| fluid.ink.to_vec().unwrap());
        same(&name, [&cpu, &cuda], |v| v.to_array().to_vec(), 1e-4);
        let coloured = cpu.iter().filter(|ink| ink.x > 0.1).count();
        assert!(coloured > 40, "{coloured} cells have ink");
    }
}
