#![doc = include_str!("../README.md")]

mod bytes;
mod collective;
mod error;
mod exact;
mod local;
mod transport;
mod world;

pub use error::{Call, Error, Result};
pub use exact::{Ordered, Summable};
pub use local::Local;
pub use transport::Transport;
pub use world::World;
