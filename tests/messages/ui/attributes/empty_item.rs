use swathe::prelude::*;

mod inner {
    #[swathe::func]
    const N: usize = 3;
}

fn main() {}
