use swathe::prelude::*;

mod own {
    use swathe::prelude::*;

    #[func]
    pub fn detach(x: f32) -> f32 {
        x * x
    }
}
use own::detach;

#[allow(non_camel_case_types)]
type u32 = f32;

#[kernel(grad)]
fn kernel(x: &Field<f32>, k: &Field<u32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = detach(x[i]) * k[i];
    }
}

fn main() {}
