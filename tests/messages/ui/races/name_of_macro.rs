//! A variable of the caller is another one than that of the macro, although both are called `i`.
use swathe::prelude::*;

macro_rules! make {
    ($name:ident, $at:ident) => {
        #[kernel]
        fn $name(f: &mut Field<f32>, n: usize) {
            let $at = n;
            for i in f.indices() {
                f[$at] += i as f32;
            }
        }
    };
}

make!(add, i);

fn main() {}
