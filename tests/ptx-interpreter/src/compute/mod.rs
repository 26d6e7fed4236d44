//! What instructions compute, from the bits of operands to those of the result.

pub(crate) mod approximate;
pub(crate) mod bits;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod rounding;
