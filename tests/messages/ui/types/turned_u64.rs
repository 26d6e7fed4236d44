use swathe::prelude::*;

/// In Rust, too, only ranges whose length is a `usize` go backwards by steps.
#[kernel]
fn count(n: u64, x: &mut Field<u64>) {
    for i in x.indices() {
        for k in (0..n).step_by(2).rev() {
            x[i] += k;
        }
    }
}

fn main() {}
