//! Macros below `#[kernel]` and `#[func]` would be given what these have made.

use swathe::prelude::*;
use swathe_tests_messages_macros as clippy;
use swathe_tests_messages_macros::shadows;

#[kernel]
#[shadows]
fn below(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = 1.0;
    }
}

#[shadows]
#[kernel]
fn above(x: &mut Field<f32>) {
    for k in x.indices() {
        x[k] = 1.0;
    }
}

#[func]
#[cfg_attr(all(), inline, shadows)]
fn by_cfg(x: f32) -> f32 {
    x
}

#[func]
#[target_feature(enable = "avx2")]
fn featured(x: f32) -> f32 {
    x
}

#[derive(Element, Clone, Copy)]
struct Ball {
    mass: f32,
}

#[func]
#[shadows]
impl Ball {
    #[clippy::shadows]
    fn heavy(self) -> f32 {
        self.mass
    }
}

#[func]
trait Weighed {
    #[shadows]
    fn weight(self) -> f32;
}

/// What stands above many functions.
#[allow(clippy::needless_range_loop)]
#[kernel]
#[must_use]
#[rustfmt::skip]
#[cfg(all())]
#[cfg_attr(all(), inline, cold)]
#[doc(hidden)]
fn harmless(x: &mut Field<f32>) {
    for i in x.indices() {
        #[rustfmt::skip]
        let y = [1.0,
            2.0];
        x[i] = y[0];
    }
}

#[kernel]
fn of_a_tool(x: &mut Field<f32>) {
    #[clippy::shadows]
    const N: usize = 7;
    for i in x.indices() {
        x[i] = N as f32;
    }
}

mod ambiguous {
    use swathe::prelude::*;
    use swathe_tests_messages_macros::shadows as inline;

    #[kernel]
    #[inline]
    fn of_two_meanings(x: &mut Field<f32>) {
        for i in x.indices() {
            x[i] = 1.0;
        }
    }
}

fn main() {}
