use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Mine {
    v: u32,
}

static CALLS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

impl std::ops::Add<Mine> for usize {
    type Output = usize;

    fn add(self, _: Mine) -> usize {
        CALLS.fetch_add(1 << 20, std::sync::atomic::Ordering::Relaxed)
    }
}

impl std::ops::AddAssign<Mine> for usize {
    fn add_assign(&mut self, _: Mine) {}
}

#[kernel]
fn k(x: &Field<f32>, m: Mine, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = x[i + m];
        let mut at = 3_usize;
        at += m;
        out[i] += x[5 + m] + x[at] + x[i as usize + m];
    }
}

fn main() {}
