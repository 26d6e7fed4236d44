use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Mine {
    v: u32,
}

impl std::ops::Index<usize> for Mine {
    type Output = usize;

    fn index(&self, _: usize) -> &usize {
        &7
    }
}

#[func]
fn first(m: Mine) -> usize {
    m[0]
}

#[kernel]
fn k(x: &Field<f32>, m: Mine, out: &mut Field<f32>) {
    for i in out.indices() {
        for j in 0..3 {
            out[i] += x[m[0] + j];
        }
    }
}

fn main() {}
