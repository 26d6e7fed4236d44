//! Parts of a field: slices, transposes, fields with an origin, all as arguments of kernels.

pub(in crate::field) mod argument;
pub(in crate::field) mod copy;
pub(in crate::field) mod offset;
pub(in crate::field) mod offset_view;
mod reshape;
pub(in crate::field) mod slice;
pub(in crate::field) mod view;
