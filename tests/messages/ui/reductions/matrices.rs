use swathe::prelude::*;

#[kernel]
fn turned(turns: &Field<Mat2>, start: Vec2) -> Vec2 {
    let mut v = start;
    for i in turns.indices() {
        v = turns[i] * v;
    }
    v
}

fn main() {}
