use swathe::prelude::*;

macro_rules! summed {
    ($sum:expr) => {
        #[func]
        fn sum(x: f32) -> f32 {
            let t = 2.0 * x;
            t + $sum
        }
    };
}
summed!(t);

fn main() {}
