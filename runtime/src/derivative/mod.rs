//! Derivatives of kernels: what the functions that `#[kernel(grad)]`, `#[kernel(jvp)]`, `#[func(grad)]` and `#[func(jvp)]` write are made of.
//!
//! A *rule* is a function of the kernel language. `mul_back(a, b, d)` takes the operands of a product and the gradient `d` of some number
//! with respect to its value, and gives the gradients with respect to `a` and `b`; `sqrt_forward(x, t)` takes the operand of a root and its
//! tangent, and gives the tangent of the value. What a rule does for which types is told by the traits of [`rule`]. The gradient of a value
//! has the type of the value, in which integers and `bool` are zero. Complex numbers and quaternions have no rules.
//!
//! Where a function has no derivative, rules take one of its one-sided derivatives, or zero: `abs` has 0 at 0, `min` and `max` of equals
//! give to the first operand, `floor`, `ceil`, `round`, `trunc`, `signum` and conversions to integers have 0 everywhere, lengths and
//! distances of 0 have 0. `sqrt` at 0 has an infinite derivative.

// The bound of a rule stands apart from that of all values, since macros write both.
#![allow(clippy::multiple_bound_locations)]

mod casts;
mod integers;
mod literal;
mod matrices;
mod optimiser;
mod own;
pub mod rule;
mod scalars;
mod tape;
mod values;
mod vectors;

#[cfg(test)]
mod tests;

pub use crate::field::recorded::adjoint::Adjoints;
pub use crate::field::recorded::kept::{Adjoint, Input, Kept};
pub use crate::field::recorded::operation::{Keep, Operation};
pub use casts::{CastBack, cast_back};
pub use literal::{Confirmed, Counts, IsType, Other, Same, Signed, literals_are, literals_are_signed, literals_count};
pub use optimiser::{Adam, GradientOf, Sgd};
pub use own::{Arithmetic, IsDetach, Numbers, detach, has_no_derivative, has_rules, is_detach, like, numbers};
pub use rule::functions::*;
pub use tape::check::gradcheck;
pub use tape::gradients::Gradients;
pub use tape::source::{Seed, Source};
pub use tape::state::{State, StateField};
pub use tape::steps::{Budget, Steps};
pub use tape::{Tape, value_and_gradient};
pub use values::{Differentiable, accumulate, zero};
#[doc(hidden)]
pub use values::{first, zero_enum};
