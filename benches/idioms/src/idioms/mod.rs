//! All idioms, by themes.

mod bytes;
mod colours;
mod dense;
mod dense_by_hand;
mod functions;
mod gradients;
mod lattice;
mod lattice_by_hand;
mod line;
mod line_by_hand;
mod numbers;
mod numbers_by_hand;
mod particles;
mod particles_by_hand;
mod plane;
mod plane_by_hand;
mod reductions;
mod reductions_by_hand;
mod saxpy;
mod sorting;
mod sparse;
mod sparse_by_hand;
mod staggered;
mod tables;
mod tables_by_hand;
mod volume;
mod volume_by_hand;

use crate::idiom::Measured;

/// In the order of the table.
pub fn all() -> Vec<Box<dyn Measured>> {
    let themes = [
        line::all(),
        plane::all(),
        volume::all(),
        colours::all(),
        staggered::all(),
        reductions::all(),
        tables::all(),
        sparse::all(),
        sorting::all(),
        particles::all(),
        dense::all(),
        bytes::all(),
        numbers::all(),
        functions::all(),
        gradients::all(),
        saxpy::all(),
        lattice::all(),
    ];
    themes.into_iter().flatten().collect()
}
