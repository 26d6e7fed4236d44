//! Stones that roll on a landscape of side 1.

use ndarray::Array2;
use swathe::prelude::*;

/// What a stone weighs, and whether it lies fast.
#[derive(Element, Clone, Copy, Debug, Default)]
pub struct Body {
    pub mass: f32,
    pub fixed: bool,
}

/// A stone, at a position from 0 to 1 along both axes.
#[derive(Element, Clone, Copy, Debug, Default)]
pub struct Stone {
    pub pos: Vec2,
    pub vel: Vec2,
    pub body: Body,
}

/// The slope along x and y, by central differences.
#[kernel]
pub fn gradient(land: &Field<f32, 2>, slope: &mut Field<Vec2, 2>) {
    let [h, w] = land.shape();
    for [i, j] in slope.indices() {
        let dx = land[[i, (j + 1).min(w - 1)]] - land[[i, j.max(1) - 1]];
        let dy = land[[(i + 1).min(h - 1), j]] - land[[i.max(1) - 1, j]];
        slope[[i, j]] = Vec2::new(dx * (w as f32) * 0.5, dy * (h as f32) * 0.5);
    }
}

/// One step of time: stones roll downhill, light ones more slowly, and stop at the border. Each leaves a trace.
#[kernel]
pub fn roll(slope: &Field<Vec2, 2>, stones: &mut Field<Stone>, traces: &mut Field<f32, 2>, dt: f32) {
    let [h, w] = slope.shape();
    let [rows, columns] = traces.shape();
    for k in stones.indices() {
        let stone = stones[k];
        if !stone.body.fixed {
            let i = ((stone.pos.y * h as f32) as usize).min(h - 1);
            let j = ((stone.pos.x * w as f32) as usize).min(w - 1);
            let drag = 2.0 / stone.body.mass.sqrt();
            let vel = stone.vel - (slope[[i, j]] * 0.1 + stone.vel * drag) * dt;
            let next = stone.pos + vel * dt;
            stones[k].vel = vel;
            stones[k].pos = Vec2::new(next.x.clamp(0.0, 1.0), next.y.clamp(0.0, 1.0));
            let y = ((next.y * rows as f32) as usize).min(rows - 1);
            let x = ((next.x * columns as f32) as usize).min(columns - 1);
            traces[[y, x]].atomic_add(1.0);
        }
    }
}

/// Height, light from the upper left, and the ink of contour lines for each pixel: into an array of `ndarray`.
#[kernel]
pub fn relief(land: &Field<f32, 2>, slope: &Field<Vec2, 2>, pixels: &mut Array2<Vec3>) {
    let [h, w] = land.shape();
    let [rows, columns] = pixels.shape();
    for [y, x] in pixels.indices() {
        let v = ((y as f32 + 0.5) / rows as f32 * h as f32 - 0.5).clamp(0.0, h as f32 - 1.001);
        let u = ((x as f32 + 0.5) / columns as f32 * w as f32 - 0.5).clamp(0.0, w as f32 - 1.001);
        let i = v as usize;
        let j = u as usize;
        let b = v - i as f32;
        let a = u - j as f32;
        let upper = land[[i, j]] * (1.0 - a) + land[[i, j + 1]] * a;
        let lower = land[[i + 1, j]] * (1.0 - a) + land[[i + 1, j + 1]] * a;
        let height = upper * (1.0 - b) + lower * b;
        let upper = slope[[i, j]] * (1.0 - a) + slope[[i, j + 1]] * a;
        let lower = slope[[i + 1, j]] * (1.0 - a) + slope[[i + 1, j + 1]] * a;
        let steep = upper * (1.0 - b) + lower * b;

        let normal = Vec3::new(-0.35 * steep.x, -0.35 * steep.y, 1.0);
        let light = normal.dot(Vec3::new(-0.48, -0.6, 0.64)) / normal.length();
        // Distance to the next contour line, in pixels.
        let level = height * 16.0;
        let distance = (level - level.round()).abs() / (16.0 * steep.length() / columns as f32 + 1e-4);
        pixels[[y, x]] = Vec3::new(height, light.max(0.0), (1.3 - distance).clamp(0.0, 1.0));
    }
}
