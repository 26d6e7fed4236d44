use swathe::prelude::*;

#[kernel]
fn scatter(v: &Field<f32>, perm: &Field<u32>, f: &mut Field<f32>) {
    for i in v.indices() {
        let p = unsafe { perm[i] as usize };
        f[p] = v[i];
    }
}

fn main() {}
