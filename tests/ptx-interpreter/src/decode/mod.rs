//! What the parts of opcodes mean, in the order of the table's sections.

pub(crate) mod compare;
pub(crate) mod control;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod memory;
