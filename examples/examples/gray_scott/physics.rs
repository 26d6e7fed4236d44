//! The reaction and diffusion of Gray and Scott, as in Pearson, "Complex patterns in a simple system" (1993): u is fed
//! in and diffuses, v eats u to make more of itself (u + 2 v -> 3 v), and is taken out.

use swathe::prelude::*;

/// The numbers that decide what grows. Lengths are in cells.
#[derive(Element, Clone, Copy, Debug)]
pub struct Reaction {
    /// How fast u and v diffuse.
    pub diffusion: Vec2,
    /// How fast u is fed in.
    pub feed: f32,
    /// How fast v is taken out, beside what the feed washes away.
    pub kill: f32,
    /// Length of a step in time. Steps are stable up to 1/4 of the larger diffusion's inverse.
    pub dt: f32,
}

/// Less than this of v is none.
const TRACE: f32 = 1e-15;

/// One step from `old` to `new`, fields of the same shape whose elements are (u, v). The plane is a torus.
#[kernel]
pub fn react(old: &Field<Vec2, 2>, new: &mut Field<Vec2, 2>, r: Reaction) {
    let [h, w] = old.shape();
    for [i, j] in new.indices() {
        let up = if i > 0 { i - 1 } else { h - 1 };
        let down = if i + 1 < h { i + 1 } else { 0 };
        let left = if j > 0 { j - 1 } else { w - 1 };
        let right = if j + 1 < w { j + 1 } else { 0 };
        let c = old[[i, j]];
        let laplacian = old[[up, j]] + old[[down, j]] + old[[i, left]] + old[[i, right]] - 4.0 * c;
        let reaction = c.x * c.y * c.y;
        let change = Vec2::new(r.feed * (1.0 - c.x) - reaction, reaction - (r.feed + r.kill) * c.y);
        let mut next = c + (r.diffusion * laplacian + change) * r.dt;
        // Far from all patterns v fades below what a float holds in full, and a CPU takes long over such numbers.
        if next.y < TRACE {
            next.y = 0.0;
        }
        new[[i, j]] = next;
    }
}
