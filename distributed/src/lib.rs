#![doc = include_str!("../README.md")]

mod array;
mod bytes;
mod collective;
mod error;
mod exact;
mod field;
mod file;
#[cfg(any(test, feature = "mpi"))]
mod frames;
mod grid;
#[cfg(doctest)]
mod guide;
mod launch;
mod local;
#[cfg(feature = "mpi")]
mod mpi;
mod particles;
mod transport;
mod world;

pub use array::DistArray;
pub use array::map::{Chunk, IndexMap};
pub use array::mode::{Combine, Mode};
pub use array::span::Span;
pub use error::{Call, Error, Result};
pub use exact::{Ordered, Summable};
pub use field::{Distributed, End, Inside, Own, Pending, Rim, Side};
pub use file::checkpoint::{Checkpoint, SavedState};
pub use grid::{At, Grid, GridBuilder};
pub use launch::run;
pub use local::Local;
pub use particles::Particles;
pub use transport::Transport;
pub use world::World;
