use swathe::prelude::*;

#[func]
trait Bend {
    fn bend(self, by: i32) -> i32;
}

#[func]
impl Bend for i32 {
    fn bend(self, by: i32) -> i32 {
        self ^ by
    }
}

#[kernel]
fn bent(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] += -(x[i] as u32) as i32;
    }
}

fn main() {}
