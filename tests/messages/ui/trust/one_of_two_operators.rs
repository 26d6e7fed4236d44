use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Mine {
    v: u32,
}

#[func]
impl std::ops::Add<f32> for Mine {
    type Output = Mine;

    fn add(self, by: f32) -> Mine {
        Mine { v: self.v + by as u32 }
    }
}

impl std::ops::Add<u32> for Mine {
    type Output = Mine;

    fn add(self, by: u32) -> Mine {
        Mine { v: self.v * by }
    }
}

#[kernel]
fn k(out: &mut Field<Mine>) {
    for i in out.indices() {
        out[i] = out[i] + 3_u32;
    }
}

fn main() {}
