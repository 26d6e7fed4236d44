use swathe::prelude::*;

#[allow(non_upper_case_globals)]
const three: u32 = 3;

#[kernel]
fn k(out: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = match out[i] {
            three => 100,
            _ => 7,
        };
    }
}

fn main() {}
