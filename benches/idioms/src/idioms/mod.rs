//! All idioms, by themes.

mod line;

use crate::idiom::Measured;

/// In the order of the table.
pub fn all() -> Vec<Box<dyn Measured>> {
    [line::all()].into_iter().flatten().collect()
}
