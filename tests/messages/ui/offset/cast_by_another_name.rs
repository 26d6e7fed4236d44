//! Two names of integers in one index: one of them may be something else.
use swathe::prelude::*;

mod narrow {
    #[allow(non_camel_case_types)]
    pub type isize = u8;
}
#[allow(unused_imports)]
use narrow::isize;

#[kernel]
fn collide(out: &mut Field<f32>) {
    for i in out.indices() {
        out[i as isize as usize] = 1.0;
    }
}

fn main() {}
