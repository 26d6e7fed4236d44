use std::cmp::Ordering;

use swathe::prelude::*;

/// Which of two is more depends on the order.
#[derive(Element, Clone, Copy, PartialEq)]
struct Turning(f32);

impl PartialOrd for Turning {
    fn partial_cmp(&self, other: &Turning) -> Option<Ordering> {
        self.0.partial_cmp(&other.0)
    }

    fn lt(&self, other: &Turning) -> bool {
        self.0 * 2.0 < other.0
    }
}

#[kernel]
fn least(x: &Field<Turning>) -> f32 {
    let mut least = Turning(100.0);
    for i in x.indices() {
        let value = x[i];
        if value < least {
            least = value;
        }
    }
    least.0
}

fn main() {}
