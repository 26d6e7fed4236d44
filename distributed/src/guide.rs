//! The chapter of the guide, each block of Rust code run as a test.

#[doc = include_str!("../../docs/guide/src/ranks.md")]
struct Ranks;
