//! Parts of elements: members of structs, their scalars, one element from the host.

pub(in crate::field) mod member;
pub(in crate::field) mod part;
pub(in crate::field) mod place;
pub(in crate::field) mod remote;
pub(in crate::field) mod spot;
pub(in crate::field) mod structs;
