use swathe::prelude::*;

#[kernel]
fn bits(x: &Field<i32>) -> IVec2 {
    let mut all = IVec2::new(-1, -1);
    for i in x.indices() {
        all &= IVec2::new(x[i], -2);
    }
    all
}

fn main() {}
