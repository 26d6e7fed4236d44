//! Derivatives.

mod optimiser;
mod tape;

pub use crate::field::recorded::adjoint::Adjoints;
pub use crate::field::recorded::kept::{Adjoint, Input, Kept};
pub use crate::field::recorded::operation::{Keep, Operation};
pub use optimiser::{Adam, Sgd};
pub use tape::check::gradcheck;
pub use tape::gradients::Gradients;
pub use tape::source::{Seed, Source};
pub use tape::state::{State, StateField};
pub use tape::steps::{Budget, Steps};
pub use tape::{Tape, value_and_gradient};
