use swathe::prelude::*;

#[kernel]
fn scatter(v: &Field<f32>, perm: &Field<u32>, f: &mut Field<f32>) {
    for i in v.indices() {
        f[perm[i] as usize] = v[i];
    }
}

fn main() {}
