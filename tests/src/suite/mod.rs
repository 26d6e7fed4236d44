//! Kernels that together use all of the language, each compared with plain Rust: the same for every device.
#![allow(missing_docs)]
// Kernels that say things in several ways are what is tested, and macros write for all types what some do not need.
#![allow(
    clippy::eq_op,
    clippy::identity_op,
    clippy::erasing_op,
    clippy::manual_is_multiple_of,
    clippy::modulo_one,
    clippy::needless_range_loop,
    clippy::nonminimal_bool,
    clippy::unnecessary_cast
)]

pub mod arguments;
pub mod atomics;
pub mod attributes;
mod axes;
pub mod binding;
pub mod block_copies;
pub mod branch;
pub mod casts;
pub mod claims;
pub mod closures;
pub mod complex;
pub mod copies;
pub mod decompositions;
pub mod enums;
pub mod exchanges;
pub mod expressions;
pub mod external;
pub mod extremes;
pub mod facts;
pub mod failures;
mod fixed;
pub mod funcs;
pub mod generics;
pub mod gradients;
pub mod half;
pub mod hygiene;
pub mod items;
pub mod layouts;
pub mod lent;
pub mod limits;
pub mod lookups;
pub mod loops;
pub mod members;
pub mod methods;
pub mod names;
mod ndranges;
pub mod never;
pub mod offset;
pub mod operators;
pub mod order;
pub mod own;
pub mod parallel;
pub mod parts;
pub mod places;
pub mod printing;
pub mod quaternions;
pub mod ranges;
pub mod reduction;
pub mod row_sums;
pub mod sharing;
pub mod strict;
mod strides;
pub mod structs;
pub mod support;
pub mod values;
pub mod vectors;
pub mod views;

use swathe::Device;

/// Runs a topic's kernels on a device and compares what they compute.
pub type Check = fn(&Device);

/// CUDA C of a topic's kernels, by name.
pub type Sources = fn() -> Vec<(&'static str, swathe::Result<String>)>;

/// All topics: name, check, CUDA C.
pub const TOPICS: &[(&str, Check, Sources)] = &[
    ("binding", binding::check, binding::cuda_sources),
    ("branch", branch::check, branch::cuda_sources),
    ("loops", loops::check, loops::cuda_sources),
    ("limits", limits::check, limits::cuda_sources),
    ("lookups", lookups::check, lookups::cuda_sources),
    ("facts", facts::check, facts::cuda_sources),
    ("values", values::check, values::cuda_sources),
    ("operators", operators::check, operators::cuda_sources),
    ("casts", casts::check, casts::cuda_sources),
    ("funcs", funcs::check, funcs::cuda_sources),
    ("lent", lent::check, lent::cuda_sources),
    ("generics", generics::check, generics::cuda_sources),
    ("parallel", parallel::check, parallel::cuda_sources),
    ("places", places::check, places::cuda_sources),
    ("copies", copies::check, copies::cuda_sources),
    ("own", own::check, own::cuda_sources),
    ("reduction", reduction::check, reduction::cuda_sources),
    ("extremes", extremes::check, extremes::cuda_sources),
    ("row_sums", row_sums::check, row_sums::cuda_sources),
    ("atomics", atomics::check, atomics::cuda_sources),
    ("members", members::check, members::cuda_sources),
    ("vectors", vectors::check, vectors::cuda_sources),
    ("arguments", arguments::check, arguments::cuda_sources),
    ("failures", failures::check, failures::cuda_sources),
    ("ranges", ranges::check, ranges::cuda_sources),
    ("claims", claims::check, claims::cuda_sources),
    ("closures", closures::check, closures::cuda_sources),
    ("names", names::check, names::cuda_sources),
    ("never", never::check, never::cuda_sources),
    ("methods", methods::check, methods::cuda_sources),
    ("hygiene", hygiene::check, hygiene::cuda_sources),
    ("items", items::check, items::cuda_sources),
    ("half", half::check, half::cuda_sources),
    ("complex", complex::check, complex::cuda_sources),
    ("views", views::check, views::cuda_sources),
    ("exchanges", exchanges::check, exchanges::cuda_sources),
    ("external", external::check, external::cuda_sources),
    ("layouts", layouts::check, layouts::cuda_sources),
    ("offset", offset::check, offset::cuda_sources),
    ("strict", strict::check, strict::cuda_sources),
    ("order", order::check, order::cuda_sources),
    ("attributes", attributes::check, attributes::cuda_sources),
    ("parts", parts::check, parts::cuda_sources),
    ("block_copies", block_copies::check, block_copies::cuda_sources),
    ("sharing", sharing::check, sharing::cuda_sources),
    ("expressions", expressions::check, expressions::cuda_sources),
    ("structs", structs::check, structs::cuda_sources),
    ("enums", enums::check, enums::cuda_sources),
    ("printing", printing::check, printing::cuda_sources),
    ("decompositions", decompositions::check, decompositions::cuda_sources),
    ("quaternions", quaternions::check, quaternions::cuda_sources),
    ("gradients", gradients::check, gradients::cuda_sources),
];
