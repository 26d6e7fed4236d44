//! Fields from and to arrays, files, Python and other devices.

pub(in crate::field) mod any;
pub(in crate::field) mod array;
pub(in crate::field) mod arrays;
pub(in crate::field) mod cast;
pub mod dlpack;
pub(in crate::field) mod elements;
#[cfg(feature = "npy")]
pub(in crate::field) mod npy;
#[cfg(feature = "npy")]
pub(in crate::field) mod npy_half;
#[cfg(feature = "npy")]
pub(in crate::field) mod npy_header;
pub(in crate::field) mod remote;
pub(in crate::field) mod scalar;
mod slice;
pub(in crate::field) mod staging;
pub(in crate::field) mod strided;
pub(in crate::field) mod tile;
pub(in crate::field) mod transfer;
mod transpose;
