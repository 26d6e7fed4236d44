use swathe::prelude::*;

#[kernel]
fn either(x: &Field<u32>, out: &mut Field<u32>) {
    for i in x.indices() {
        out[i] = match (x[i], x[i] % 3) {
            (n, 0) | (1, n) if n > 2 => n,
            (_, n) => n,
        };
    }
}

fn main() {}
