//! Stones that roll on a landscape.

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

/// The slope of a landscape of side 1 along x and y, by central differences.
#[kernel]
pub fn gradient(land: &Field<f32, 2>, slope: &mut Field<Vec2, 2>) {
    let [h, w] = land.shape();
    for [i, j] in slope.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            let dx = land[[i, j + 1]] - land[[i, j - 1]];
            let dy = land[[i + 1, j]] - land[[i - 1, j]];
            slope[[i, j]] = Vec2::new(dx * (w as f32) * 0.5, dy * (h as f32) * 0.5);
        }
    }
}

/// One step of time: stones roll downhill, light ones more slowly, and stop at the border.
#[kernel]
pub fn roll(slope: &Field<Vec2, 2>, stones: &mut Field<Stone>, dt: f32) {
    let [h, w] = slope.shape();
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
        }
    }
}
