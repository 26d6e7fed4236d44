//! What the tests of lanes share.

use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use swathe::host::cache::set_stream_from;
use swathe::prelude::*;
use swathe::versions::Version;

/// Lengths around the number of lanes, and none.
pub const SIZES: [usize; 11] = [0, 1, 3, 15, 16, 17, 31, 33, 64, 65, 1000];

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Calls `test` with every version of the code that this processor can run, on one thread and on three.
pub fn versions(mut test: impl FnMut(&str) + Send) {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for version in Version::ALL {
        if version.select() != version {
            continue;
        }
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let name = format!("{} on {threads} threads", version.name());
            pool.expect("a pool").install(|| test(&name));
        }
    }
    Version::Avx512.select();
}

/// The same with results that stay in the caches, and with such that go past them.
pub fn versions_and_caches(mut test: impl FnMut(&str) + Send) {
    versions(|name| {
        for (bytes, where_to) in [(usize::MAX, "in"), (1, "past")] {
            set_stream_from(bytes);
            test(&format!("{name}, {where_to} the caches"));
        }
        set_stream_from(0);
    });
}

/// A number below 1 that differs from that of the neighbours.
#[must_use]
pub fn number(i: usize) -> f32 {
    (i.wrapping_mul(0x9e37_79b9) >> 7 & 0xffff) as f32 / 65_536.0
}

/// A field of `n` elements.
pub fn field<T: Element>(n: usize, f: impl Fn(usize) -> T) -> Field<T> {
    Field::from_slice(&Device::cpu(), &(0..n).map(f).collect::<Vec<_>>()).expect("memory")
}

/// The elements of a field.
pub fn values<T: Element, const D: usize>(field: &Field<T, D>) -> Vec<T> {
    field.to_vec().expect("of the CPU")
}

/// Compares elements with what they are to be.
///
/// # Panics
/// If one differs.
pub fn same<T: PartialEq + Debug>(name: &str, got: &[T], expected: impl Fn(usize) -> T) {
    for (i, got) in got.iter().enumerate() {
        assert_eq!(*got, expected(i), "{name}: {i}");
    }
}
