use swathe::{Field, kernel};

trait Own {
    fn as_usize(self) -> usize;
    fn lesser(self, other: f32) -> f32;
}

impl Own for f32 {
    fn as_usize(self) -> usize {
        5
    }

    fn lesser(self, _: f32) -> f32 {
        0.75
    }
}

#[kernel]
fn k(out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = out[i].as_usize() as f32 + out[i].lesser(1.0);
    }
}

fn main() {}
