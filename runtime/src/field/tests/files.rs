//! Files that are larger than memory.

use std::io::{Read, repeat};

use crate::field::exchange::npy::read_array;

/// A file of zeros behind a header, which says more than any memory has.
#[test]
fn arrays_larger_than_memory() {
    for (kind, scalars) in [
        ("<f4", 1_u64 << 59),
        ("<c16", 1 << 57),
        ("<f2", 1 << 60),
        ("|b1", 1 << 61),
    ] {
        let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({scalars},), }}\n");
        let length = (text.len() as u16).to_le_bytes();
        let file = [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes()].concat();
        let error = read_array(file.chain(repeat(0)), u64::MAX).unwrap_err();
        assert!(error.starts_with("there is no memory for its 2"), "{kind}: {error}");
    }
}
