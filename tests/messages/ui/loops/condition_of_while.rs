use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<i32>) {
    for i in x.indices() {
        while {
            if x[i] > 7 {
                break;
            }
            x[i] < 5
        } {
            x[i] += 1;
        }
    }
}

fn main() {}
