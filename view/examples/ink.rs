//! Ink in a stirred fluid: J. Stam's stable fluids. The mouse stirs; without a hand on it two jets do.
//!
//! `cargo run --release -p swathe-view --example ink`

use swathe::Vector;
use swathe::prelude::*;
use swathe_view::{ViewError, Window};

/// Height and width of the grid; a cell has unit width.
const SHAPE: [usize; 2] = [180, 320];

/// The value of a field between its cells; beyond the rim that of the rim.
#[func]
fn sample<const N: usize>(f: &Field<Vector<f32, N>, 2>, at: Vec2) -> Vector<f32, N> {
    let [h, w] = f.shape();
    let (y, x) = (at.y.clamp(0.0, (h - 1) as f32), at.x.clamp(0.0, (w - 1) as f32));
    let (i, j) = ((y as usize).min(h - 2), (x as usize).min(w - 2));
    let (s, t) = (y - i as f32, x - j as f32);
    let upper = f[[i, j]] * (1.0 - t) + f[[i, j + 1]] * t;
    let lower = f[[i + 1, j]] * (1.0 - t) + f[[i + 1, j + 1]] * t;
    upper * (1.0 - s) + lower * s
}

/// Carries `old` along: each cell takes what came from where the flow was `dt` ago.
#[kernel]
fn advect<const N: usize>(
    new: &mut Field<Vector<f32, N>, 2>,
    old: &Field<Vector<f32, N>, 2>,
    flow: &Field<Vec2, 2>,
    dt: f32,
    keep: f32,
) {
    for [i, j] in new.indices() {
        let from = Vec2::new(j as f32, i as f32) - flow[[i, j]] * dt;
        new[[i, j]] = sample(old, from) * keep;
    }
}

/// Pushes and colours a round spot.
#[kernel]
fn stir(flow: &mut Field<Vec2, 2>, ink: &mut Field<Vec3, 2>, at: Vec2, push: Vec2, color: Vec3) {
    for [i, j] in flow.indices() {
        let d = Vec2::new(j as f32, i as f32) - at;
        let weight = (-d.dot(d) / 30.0).exp();
        flow[[i, j]] += push * weight;
        ink[[i, j]] += color * weight;
    }
}

/// How much flows out of each cell.
#[kernel]
fn divergence(out: &mut Field<f32, 2>, flow: &Field<Vec2, 2>) {
    for [i, j] in out.interior(1) {
        out[[i, j]] = 0.5 * (flow[[i, j + 1]].x - flow[[i, j - 1]].x + flow[[i + 1, j]].y - flow[[i - 1, j]].y);
    }
}

/// One step of Jacobi's method towards the pressure that takes the divergence away.
#[kernel]
fn relax(new: &mut Field<f32, 2>, old: &Field<f32, 2>, divergence: &Field<f32, 2>) {
    for [i, j] in new.interior(1) {
        let around = old[[i - 1, j]] + old[[i + 1, j]] + old[[i, j - 1]] + old[[i, j + 1]];
        new[[i, j]] = 0.25 * (around - divergence[[i, j]]);
    }
}

/// Takes the gradient of the pressure away from the flow; at the rim nothing flows.
#[kernel]
fn project(flow: &mut Field<Vec2, 2>, pressure: &Field<f32, 2>) {
    let [h, w] = flow.shape();
    for [i, j] in flow.indices() {
        if i == 0 || j == 0 || i + 1 == h || j + 1 == w {
            flow[[i, j]] = Vec2::ZERO;
        } else {
            let x = pressure[[i, j + 1]] - pressure[[i, j - 1]];
            let y = pressure[[i + 1, j]] - pressure[[i - 1, j]];
            flow[[i, j]] -= Vec2::new(x, y) * 0.5;
        }
    }
}

fn main() -> Result<(), ViewError> {
    let device = Device::default();
    let (mut flow, mut ink) = (Field::zeros(&device, SHAPE)?, Field::zeros(&device, SHAPE)?);
    let (mut next_flow, mut next_ink) = (Field::zeros(&device, SHAPE)?, Field::zeros(&device, SHAPE)?);
    let (mut pressure, mut next_pressure) = (Field::zeros(&device, SHAPE)?, Field::zeros(&device, SHAPE)?);
    let mut out = Field::zeros(&device, SHAPE)?;

    let mut window = Window::new(&device, "ink", [3 * SHAPE[1], 3 * SHAPE[0]])?;
    // The mouse in cells: y downwards, as rows are.
    let (mut last, mut time) = ([0.0, 0.0], 0.0_f32);
    while window.frame()? {
        let fade = window.slider("fade", 0.0..=0.05, 0.003)?;
        let mouse = window.mouse();
        let at = [mouse.pixel[0] / 3.0, mouse.pixel[1] / 3.0];
        let hue = |shift: f32| [0.0, 2.1, 4.2].map(|phase: f32| 0.5 + 0.5 * (0.4 * time + shift + phase).cos());
        if mouse.left {
            let push = Vec2::new(at[0] - last[0], at[1] - last[1]);
            stir(&mut flow, &mut ink, at.into(), push, Vec3::from(hue(0.0)) * 0.4)?;
        } else {
            let swing = 1.2 * (0.7 * time).sin();
            let left = Vec2::new(2.5, 0.8 * swing);
            stir(
                &mut flow,
                &mut ink,
                [30.0, 90.0].into(),
                left,
                Vec3::from(hue(0.0)) * 0.12,
            )?;
            stir(
                &mut flow,
                &mut ink,
                [290.0, 90.0].into(),
                left * -1.0,
                Vec3::from(hue(2.5)) * 0.12,
            )?;
        }
        (last, time) = (at, time + 1.0 / 60.0);

        advect(&mut next_flow, &flow, &flow, 1.0, 1.0)?;
        std::mem::swap(&mut flow, &mut next_flow);
        divergence(&mut out, &flow)?;
        for _ in 0..30 {
            relax(&mut next_pressure, &pressure, &out)?;
            std::mem::swap(&mut pressure, &mut next_pressure);
        }
        project(&mut flow, &pressure)?;
        advect(&mut next_ink, &ink, &flow, 1.0, 1.0 - fade)?;
        std::mem::swap(&mut ink, &mut next_ink);
        window.show(&ink)?;
    }
    Ok(())
}
