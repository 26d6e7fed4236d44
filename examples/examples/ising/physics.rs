//! The Ising model: spins on a torus that point up or down, and each of which likes to point as its four neighbours do. Metropolis'
//! algorithm flips them one colour of a chessboard after the other, since neighbours have different colours.

use swathe::prelude::*;

/// Spins of one colour, 1 or -1, in many lattices at once: lattice, row, and place in the row.
///
/// Row `i` has white spins in columns 0, 2, .. if it is even, else in columns 1, 3, ..; black spins are between them.
pub type Spins = Field<i8, 3>;

pub const WHITE: usize = 0;
pub const BLACK: usize = 1;

/// Sums over a lattice.
#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq, Default)]
pub struct Sums {
    pub spin: i32,
    pub energy: i32,
}

/// The sum of the four neighbours of a spin, all of which have the other colour.
#[func]
fn neighbours(others: &Field<i8, 3>, t: usize, i: usize, k: usize, colour: usize) -> i32 {
    let [_, h, w] = others.shape();
    // In its own row one neighbour has the same place, the other one the place before or behind.
    let beside = if (i + colour) % 2 == 0 {
        k.periodic(-1, w)
    } else {
        k.periodic(1, w)
    };
    let column = others[[t, i.periodic(-1, h), k]] as i32 + others[[t, i.periodic(1, h), k]] as i32;
    column + others[[t, i, k]] as i32 + others[[t, i, beside]] as i32
}

/// Offers each spin of one colour to flip. `accept[t]` is the probability by which lattice `t` accepts a flip that costs -8, -4, 0, 4 or 8.
///
/// `draw` is another number in each call, for other random numbers.
#[kernel]
pub fn flip(spins: &mut Field<i8, 3>, others: &Field<i8, 3>, accept: &Field<[f32; 5]>, colour: usize, draw: u64) {
    let [_, h, w] = spins.shape();
    for [t, i, k] in spins.indices() {
        let spin = spins[[t, i, k]] as i32;
        let agreement = spin * neighbours(others, t, i, k, colour);
        let mut rng = Rng::new(draw, ((t * h + i) * w + k) as u64);
        if rng.next_f32() < accept[t][(agreement / 2 + 2) as usize] {
            spins[[t, i, k]] = -spin as i8;
        }
    }
}

/// Sums of all spins of each lattice, and of the energies of all bonds.
#[kernel]
pub fn measure(white: &Field<i8, 3>, black: &Field<i8, 3>, sums: &mut Field<Sums>) {
    for t in sums.indices() {
        sums[t] = Sums::default();
    }
    for [t, i, k] in white.indices() {
        let spin = white[[t, i, k]] as i32;
        sums[t].spin.atomic_add(spin + black[[t, i, k]] as i32);
        // Each bond joins a white spin and a black one.
        sums[t].energy.atomic_add(-spin * neighbours(black, t, i, k, WHITE));
    }
}

/// Lattices of the same size at different temperatures, in units in which a bond has the energy 1 or -1, and Boltzmann's constant is 1.
pub struct Ising {
    white: Spins,
    black: Spins,
    accept: Field<[f32; 5]>,
    sums: Field<Sums>,
    seed: u64,
    draws: u64,
}

impl Ising {
    /// A square lattice with all spins up for each temperature. `side` is even.
    pub fn new(device: &Device, temperatures: &[f32], side: usize, seed: u64) -> swathe::Result<Ising> {
        let count = temperatures.len();
        // Metropolis: what lowers the energy is accepted, what raises it by e with the probability exp(-e / T).
        let accept = |[t]: [usize; 1]| [-4.0_f32, -2.0, 0.0, 2.0, 4.0].map(|a| (-2.0 * a / temperatures[t]).exp());
        Ok(Ising {
            white: Field::full(device, [count, side, side / 2], 1)?,
            black: Field::full(device, [count, side, side / 2], 1)?,
            accept: Field::from_fn(device, count, accept)?,
            sums: Field::zeros(device, count)?,
            seed,
            draws: 0,
        })
    }

    /// Offers each spin to flip, once.
    pub fn sweep(&mut self) -> swathe::Result<()> {
        let draw = (self.seed << 32) + self.draws;
        self.draws += 2;
        flip(&mut self.white, &self.black, &self.accept, WHITE, draw)?;
        flip(&mut self.black, &self.white, &self.accept, BLACK, draw + 1)
    }

    /// Magnetisation and energy of each lattice, per spin.
    pub fn measure(&mut self) -> swathe::Result<Vec<[f64; 2]>> {
        measure(&self.white, &self.black, &mut self.sums)?;
        let [_, h, w] = self.white.shape();
        let per_spin = |sum: i32| f64::from(sum) / (2 * h * w) as f64;
        let sums = self.sums.to_vec()?;
        Ok(sums.iter().map(|s| [per_spin(s.spin), per_spin(s.energy)]).collect())
    }

    /// The spins of one lattice, row by row.
    pub fn spins(&self, t: usize) -> swathe::Result<Vec<Vec<i8>>> {
        let white = self.white.index_axis(0, t)?.to_ndarray()?;
        let black = self.black.index_axis(0, t)?.to_ndarray()?;
        let row = |i: usize| {
            let at = |j: usize| [&white, &black][(i + j) % 2][[i, j / 2]];
            (0..2 * white.ncols()).map(at).collect()
        };
        Ok((0..white.nrows()).map(row).collect())
    }
}
