use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Mine {
    v: u32,
}

impl PartialEq<Mine> for usize {
    fn eq(&self, _: &Mine) -> bool {
        false
    }
}

impl PartialOrd<Mine> for usize {
    fn partial_cmp(&self, _: &Mine) -> Option<std::cmp::Ordering> {
        None
    }
}

#[kernel]
fn k(m: Mine, out: &mut Field<f32>) {
    for i in out.indices() {
        if i < m {
            out[i] = 1.0;
        }
        if i == m {
            out[i] = 2.0;
        }
    }
}

fn main() {}
