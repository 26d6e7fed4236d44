use swathe::prelude::*;

mod own {
    pub fn serial<T>(range: T) -> T {
        range
    }

    pub fn ndrange<const D: usize>(extents: [usize; D]) -> std::vec::IntoIter<[usize; D]> {
        vec![extents].into_iter()
    }
}

#[kernel]
fn k(out: &mut Field<f32>) {
    for i in own::serial(0..3) {
        out[i] += 1.0;
    }
    for i in out.indices() {
        for [a, b] in own::ndrange([2, 3]) {
            out[i] += (a * b) as f32;
        }
    }
}

fn main() {}
