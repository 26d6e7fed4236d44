use swathe::prelude::*;

trait Solver {
    #[kernel]
    fn step(x: &mut Field<f32>);
}

fn main() {}
