use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Mine {
    v: u32,
}

impl std::ops::Index<Mine> for Vec3 {
    type Output = f32;

    fn index(&self, _: Mine) -> &f32 {
        &self.x
    }
}

impl std::ops::IndexMut<Mine> for Vec3 {
    fn index_mut(&mut self, _: Mine) -> &mut f32 {
        &mut self.x
    }
}

#[derive(Element, Clone, Copy)]
struct Point {
    at: Vec3,
}

#[kernel]
fn k(f: &mut Field<Point>, m: Mine) {
    for i in f.indices() {
        f[i].at[m] = 1.0;
        let mut v = f[i].at;
        v[m] = 2.0;
        f[i].at = v;
    }
}

fn main() {}
