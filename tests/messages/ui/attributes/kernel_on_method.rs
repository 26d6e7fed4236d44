use swathe::prelude::*;

struct Solver;

impl Solver {
    #[kernel]
    fn step(&self, x: &mut Field<f32>) {
        for i in x.indices() {
            x[i] = 1.0;
        }
    }
}

fn main() {}
