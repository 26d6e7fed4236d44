//! Operations on fields that a tape records, and the adjoints that it hands to them.

pub(in crate::field) mod accumulate;
pub(crate) mod adjoint;
pub(crate) mod kept;
pub(in crate::field) mod linear;
mod number;
pub(crate) mod operation;
mod span;
pub(crate) mod update;

pub(crate) mod state;

pub(crate) use super::cow::CowMemory as Held;
