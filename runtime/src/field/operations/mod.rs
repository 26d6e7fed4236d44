//! Operations on whole fields: reductions, scans, permutations, products.

pub(in crate::field) mod axis;
pub(in crate::field) mod join;
pub(in crate::field) mod number;
pub(in crate::field) mod product;
pub(in crate::field) mod reduce;
pub(in crate::field) mod scan;
pub(in crate::field) mod take;
pub(in crate::field) mod work;
