//! Poisson's equation by multigrid: A. Brandt, "Multi-level adaptive solutions to boundary-value problems" (1977); in this form in
//! W. L. Briggs, V. E. Henson, S. F. McCormick, "A multigrid tutorial" (2000).
//!
//! ```text
//! -(d²u/dx² + d²u/dy²) = f   inside of the unit square,   u = 0   on its rim
//! ```
//!
//! Points lie on a grid of `n` by `n` cells with sides `h = 1 / n`, also on the rim. With the five-point stencil
//! `4 u - (neighbours) = h² f`, and the residual `r` is `f` less the left side over `h²`.

use std::f64::consts::PI;

use swathe::prelude::*;

/// One sweep of Gauss-Seidel, red points first: those whose row and column are both odd or both even.
#[kernel]
pub fn smooth(u: &mut Field<f64, 2>, f: &Field<f64, 2>, h2: f64) {
    let n = f.shape()[0] - 1;
    // The numbers of odd and of even positions inside.
    let (odd, even) = (n / 2, (n - 1) / 2);
    for [a, b] in ndrange([odd, odd]) {
        let [i, j] = [2 * a + 1, 2 * b + 1];
        let rows = u[[2 * a, 2 * b + 1]] + u[[2 * a + 2, 2 * b + 1]];
        let columns = u[[2 * a + 1, 2 * b]] + u[[2 * a + 1, 2 * b + 2]];
        u[[2 * a + 1, 2 * b + 1]] = 0.25 * (h2 * f[[i, j]] + rows + columns);
    }
    for [a, b] in ndrange([even, even]) {
        let [i, j] = [2 * a + 2, 2 * b + 2];
        let rows = u[[2 * a + 1, 2 * b + 2]] + u[[2 * a + 3, 2 * b + 2]];
        let columns = u[[2 * a + 2, 2 * b + 1]] + u[[2 * a + 2, 2 * b + 3]];
        u[[2 * a + 2, 2 * b + 2]] = 0.25 * (h2 * f[[i, j]] + rows + columns);
    }
    // Black.
    for [a, b] in ndrange([odd, even]) {
        let [i, j] = [2 * a + 1, 2 * b + 2];
        let rows = u[[2 * a, 2 * b + 2]] + u[[2 * a + 2, 2 * b + 2]];
        let columns = u[[2 * a + 1, 2 * b + 1]] + u[[2 * a + 1, 2 * b + 3]];
        u[[2 * a + 1, 2 * b + 2]] = 0.25 * (h2 * f[[i, j]] + rows + columns);
    }
    for [a, b] in ndrange([even, odd]) {
        let [i, j] = [2 * a + 2, 2 * b + 1];
        let rows = u[[2 * a + 1, 2 * b + 1]] + u[[2 * a + 3, 2 * b + 1]];
        let columns = u[[2 * a + 2, 2 * b]] + u[[2 * a + 2, 2 * b + 2]];
        u[[2 * a + 2, 2 * b + 1]] = 0.25 * (h2 * f[[i, j]] + rows + columns);
    }
}

/// What is left of the equation; none on the rim.
#[kernel]
pub fn residual(u: &Field<f64, 2>, f: &Field<f64, 2>, h2: f64, r: &mut Field<f64, 2>) {
    for [i, j] in r.interior(1) {
        let around = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
        r[[i, j]] = f[[i, j]] - (4.0 * u[[i, j]] - around) / h2;
    }
}

/// Full weighting: points of the coarser grid take means of the finer one.
#[kernel]
pub fn restrict(fine: &Field<f64, 2>, coarse: &mut Field<f64, 2>) {
    for [i, j] in coarse.interior(1) {
        let mut sum = 0.0;
        for a in 0..3 {
            for b in 0..3 {
                let weight = WEIGHTS[a] * WEIGHTS[b];
                sum += weight * fine[[2 * i + a - 1, 2 * j + b - 1]];
            }
        }
        coarse[[i, j]] = sum;
    }
}

const WEIGHTS: [f64; 3] = [0.25, 0.5, 0.25];

/// Bilinear interpolation: adds the correction of the coarser grid.
#[kernel]
pub fn prolong(coarse: &Field<f64, 2>, fine: &mut Field<f64, 2>) {
    for [i, j] in fine.interior(1) {
        // Twice the same where a point of the coarser grid is here.
        let upper = coarse[[i / 2, j / 2]] + coarse[[i / 2, (j + 1) / 2]];
        let lower = coarse[[(i + 1) / 2, j / 2]] + coarse[[(i + 1) / 2, (j + 1) / 2]];
        fine[[i, j]] += 0.25 * (upper + lower);
    }
}

/// One grid, with as many cells a side as its `f` has points less one.
struct Level {
    u: Field<f64, 2>,
    f: Field<f64, 2>,
    r: Field<f64, 2>,
    /// The area of a cell.
    h2: f64,
}

/// The grids from the finest to the coarsest.
pub struct Multigrid {
    levels: Vec<Level>,
}

impl Multigrid {
    /// Starts from zero. The coarsest grid has `coarsest` cells a side, at least 2, and each of the `finer` grids twice as many as that below it.
    pub fn new(device: &Device, coarsest: usize, finer: u32, f: impl Fn(f64, f64) -> f64) -> swathe::Result<Multigrid> {
        let level = |k: u32| {
            // What is too large for numbers is too large for memory.
            let n = coarsest.max(2).saturating_mul(2_usize.saturating_pow(k));
            let zeros = || Field::zeros(device, [n.saturating_add(1); 2]);
            Ok(Level {
                u: zeros()?,
                f: zeros()?,
                r: zeros()?,
                h2: (n as f64).powi(-2),
            })
        };
        let mut levels = (0..=finer).rev().map(level).collect::<swathe::Result<Vec<Level>>>()?;
        let h = levels[0].h2.sqrt();
        let shape = levels[0].f.shape();
        levels[0].f = Field::from_fn(device, shape, |[i, j]| f(j as f64 * h, i as f64 * h))?;
        Ok(Multigrid { levels })
    }

    /// The solution so far, at the points of the finest grid, row by row.
    pub fn solution(&self) -> &Field<f64, 2> {
        &self.levels[0].u
    }

    /// Relaxes on the finest grid alone.
    pub fn smooth(&mut self) -> swathe::Result<()> {
        let Level { u, f, h2, .. } = &mut self.levels[0];
        smooth(u, f, *h2)
    }

    /// A V-cycle with that many sweeps on the way down and on the way up.
    pub fn cycle(&mut self, [down, up]: [u32; 2]) -> swathe::Result<()> {
        let last = self.levels.len() - 1;
        for k in 0..last {
            let (finer, coarser) = self.levels.split_at_mut(k + 1);
            let (fine, coarse) = (&mut finer[k], &mut coarser[0]);
            for _ in 0..down {
                smooth(&mut fine.u, &fine.f, fine.h2)?;
            }
            residual(&fine.u, &fine.f, fine.h2, &mut fine.r)?;
            restrict(&fine.r, &mut coarse.f)?;
            coarse.u.fill(0.0)?;
        }
        let Level { u, f, h2, .. } = &mut self.levels[last];
        // What a sweep leaves of the slowest error; all of them leave less than 3e-9.
        let kept = (PI / (f.shape()[0] - 1) as f64).cos().powi(2);
        for _ in 0..(-20.0 / kept.ln()).ceil() as usize {
            smooth(u, f, *h2)?;
        }
        for k in (0..last).rev() {
            let (finer, coarser) = self.levels.split_at_mut(k + 1);
            let (fine, coarse) = (&mut finer[k], &coarser[0]);
            prolong(&coarse.u, &mut fine.u)?;
            for _ in 0..up {
                smooth(&mut fine.u, &fine.f, fine.h2)?;
            }
        }
        Ok(())
    }

    /// The root of the mean square of the residual.
    pub fn residual(&mut self) -> swathe::Result<f64> {
        let Level { u, f, r, h2 } = &mut self.levels[0];
        residual(u, f, *h2, r)?;
        let inside = f.shape()[0] - 2;
        Ok(((&*r * &*r).sum()? / (inside * inside) as f64).sqrt())
    }
}
