use swathe::prelude::*;

mod plane {
    use swathe::prelude::*;

    #[allow(non_camel_case_types)]
    type usize = [core::primitive::usize; 2];

    #[func]
    pub fn get(f: &Field<f32, 2>, i: usize) -> f32 {
        f[i]
    }
}
use plane::get;

#[kernel]
fn k(f: &Field<f32, 2>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = get(f, [0, i + 100]);
    }
}

fn main() {}
