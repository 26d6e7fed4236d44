//! What most programs with kernels need: `use swathe::prelude::*;`.

pub use crate::math::{Float, Int, Scalar};
pub use crate::types::*;
pub use crate::{Device, Element, Error, Field, func, kernel, ndrange, serial};
