//! A cloth falls on a ball: a grid of points and springs, stepped by Verlet's scheme.
//!
//! The mouse turns the camera. `cargo run --release -p swathe-view --example cloth`

use swathe::prelude::*;
use swathe_view::{Camera, Color, ViewError, Window};

/// Points along each side of the cloth.
const N: usize = 96;
/// The side of the cloth, in metres.
const SIDE: f32 = 2.0;
/// The radius of the ball around the origin, in metres.
const RADIUS: f32 = 0.6;

/// Neighbours that springs lead to: along rows and columns, across, and over two.
const SPRINGS: [[isize; 2]; 12] = [
    [0, 1],
    [0, -1],
    [1, 0],
    [-1, 0],
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
    [0, 2],
    [0, -2],
    [2, 0],
    [-2, 0],
];

/// One step of `dt` seconds: `new` from the positions now and one step before.
#[kernel]
fn step(new: &mut Field<Vec3, 2>, now: &Field<Vec3, 2>, before: &Field<Vec3, 2>, stiffness: f32, dt: f32) {
    let [h, w] = now.shape();
    let rest = SIDE / (N - 1) as f32;
    for [i, j] in new.indices() {
        let at = now[[i, j]];
        let velocity = (at - before[[i, j]]) / dt;
        let mut force = Vec3::new(0.0, -9.81, 0.0) - velocity * 0.4;
        for [di, dj] in SPRINGS {
            let (y, x) = ((i as isize + di) as usize, (j as isize + dj) as usize);
            if y < h && x < w {
                let d = now[[y, x]] - at;
                let length = d.norm();
                let long = rest * ((di * di + dj * dj) as f32).sqrt();
                // Along the spring, relative to its length; and friction along it.
                let slower = (now[[y, x]] - before[[y, x]]) / dt - velocity;
                force += d / length * (stiffness * (length / long - 1.0) + 2.0 * slower.dot(d / length));
            }
        }
        let mut to = at + velocity * dt + force * (dt * dt);
        // Out of the ball, and slowed down along it.
        let distance = to.norm();
        if distance < RADIUS + 0.01 {
            let out = to / distance * (RADIUS + 0.01);
            to = out + (at - out) * 0.2;
            to = to / to.norm() * (RADIUS + 0.01);
        }
        // The floor.
        to.y = to.y.max(-1.2);
        new[[i, j]] = to;
    }
}

/// The two triangles of each mesh of the grid, whose points lie row by row.
fn faces(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let meshes = (0..rows - 1).flat_map(|i| (0..columns - 1).map(move |j| i * columns + j));
    meshes
        .flat_map(|k| [[k, k + 1, k + columns], [k + 1, k + columns + 1, k + columns]])
        .collect()
}

fn main() -> Result<(), ViewError> {
    let device = Device::default();
    let rest = SIDE / (N - 1) as f32;
    let mut now = Field::from_fn(&device, [N, N], |[i, j]| {
        // A little askew, so that it does not fall in a symmetric way.
        let (x, z) = (j as f32 * rest - 0.5 * SIDE, i as f32 * rest - 0.5 * SIDE);
        Vec3::new(x + 0.05, 0.9 + 0.02 * x, z - 0.08)
    })?;
    let mut before = now.try_clone()?;
    let mut new = Field::zeros(&device, [N, N])?;
    let cloth = faces(N as u32, N as u32);
    let stripe = |k: usize| {
        if ((k / 2 % (N - 1)) / 8).is_multiple_of(2) {
            0xd8432f
        } else {
            0xf3e3c3
        }
    };
    let colors = (0..cloth.len()).map(|k| Color::hex(stripe(k)).rgb.into()).collect();
    let (cloth, colors) = (
        Field::from_vec(&device, cloth)?,
        Field::<Vec3>::from_vec(&device, colors)?,
    );
    let ball = Field::zeros(&device, 1)?;

    let mut window = Window::new(&device, "cloth", [960, 600])?;
    window.background(Color::hex(0x20283a));
    let mut camera = Camera::new([2.2, 1.4, 2.6], [0.0, -0.2, 0.0]);
    let mut last = None;
    while window.frame()? {
        let stiffness = window.slider("stiffness", 200.0..=4000.0, 1500.0)?;
        let mouse = window.mouse();
        if let Some([x, y]) = last.replace(mouse.pixel)
            && mouse.left
        {
            camera = camera.orbit(0.4 * (x - mouse.pixel[0]), 0.4 * (mouse.pixel[1] - y));
        }
        for _ in 0..20 {
            step(&mut new, &now, &before, stiffness, 1.0 / 1200.0)?;
            std::mem::swap(&mut before, &mut now);
            std::mem::swap(&mut now, &mut new);
        }
        window.balls(&ball, RADIUS, &camera, &Color::hex(0x3f8fd8))?;
        window.triangles(&now.view().reshape([N * N])?, &cloth, &camera, &colors)?;
    }
    Ok(())
}
