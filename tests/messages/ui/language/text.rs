use swathe::prelude::*;

#[kernel]
fn name(x: &mut Field<i32>) {
    let text = "particle";
    let bytes = b"particle";
    let letter = 'p';
    for i in x.indices() {
        x[i] = letter as i32;
    }
}

fn main() {}
