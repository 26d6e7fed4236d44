//! Light in the plane by finite differences in time (K. S. Yee, 1966): an electric field across the plane, and a magnetic one in it.
//!
//! Lengths are in cells, and light in a vacuum goes [`COURANT`] cells in a step. The plane is a torus, with a rim that fades the light.

use swathe::prelude::*;

/// Below 0.707 the scheme is stable.
pub const COURANT: f32 = 0.5;

/// What a cell is made of.
#[derive(Element, Clone, Copy, Debug)]
pub struct Medium {
    /// The square of the index of refraction.
    pub permittivity: f32,
    /// What is left of the fields after a step; 1 where nothing is lost.
    pub kept: f32,
}

/// The magnetic field half a step later. `x` is known half a cell below the centre of a cell, `y` half a cell to the right of it.
#[kernel]
pub fn magnetic(h: &mut Field<Vec2, 2>, e: &Field<f32, 2>, medium: &Field<Medium, 2>) {
    let [rows, columns] = e.shape();
    for [i, j] in h.indices() {
        let below = e[[i.periodic(1, rows), j]] - e[[i, j]];
        let right = e[[i, j.periodic(1, columns)]] - e[[i, j]];
        h[[i, j]] = (h[[i, j]] + Vec2::new(-below, right) * COURANT) * medium[[i, j]].kept;
    }
}

/// The electric field half a step later.
#[kernel]
pub fn electric(e: &mut Field<f32, 2>, h: &Field<Vec2, 2>, medium: &Field<Medium, 2>) {
    let [rows, columns] = e.shape();
    for [i, j] in e.indices() {
        let along = h[[i, j]].y - h[[i, j.periodic(-1, columns)]].y;
        let across = h[[i, j]].x - h[[i.periodic(-1, rows), j]].x;
        let Medium { permittivity, kept } = medium[[i, j]];
        e[[i, j]] = (e[[i, j]] + COURANT / permittivity * (along - across)) * kept;
    }
}

/// A beam starts in a column: `strength` in its middle, and half as much `width` away from there.
#[kernel]
pub fn shine(e: &mut Field<f32, 2>, column: usize, middle: f32, width: f32, strength: f32) {
    for i in 0..e.shape()[0] {
        let away = (i as f32 - middle) / width;
        e[[i, column]] += strength * (-away * away).exp2();
    }
}
