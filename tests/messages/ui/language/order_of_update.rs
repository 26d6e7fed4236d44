use swathe::prelude::*;

#[func]
fn next(k: &mut usize) -> usize {
    *k += 1;
    *k
}

#[func]
fn divided(n: usize) -> i32 {
    let mut k = n;
    let mut c = [1, 2, 3];
    c[next(&mut k)] /= next(&mut k) as i32;
    c[0]
}

#[kernel]
fn updates(f: &mut Field<Vec2>, x: &mut Field<f32>) {
    for i in f.indices() {
        let mut k = i;
        // Each of these has one meaning.
        f[i] += Vec2::new(next(&mut k) as f32, next(&mut k) as f32);
        f[i] += f[i] * 2.0;
        let mut c = [0.0, 1.0, 2.0];
        c[next(&mut k) % 3] += next(&mut k) as f32;
        // These do not.
        f[i].x += { k = 0; x[k] };
        unsafe { *f.get_unchecked_mut(next(&mut k)) += Vec2::new(k as f32, 0.0) };
        unsafe { *x.get_unchecked_mut(k) -= x[next(&mut k)] * 2.0 };
    }
}

// An operator on a type parameter is a call, which takes the place first.
#[func]
fn generic<T: Float>(x: T) -> T {
    let mut k = 0;
    let mut c = [T::ONE, T::ONE];
    c[next(&mut k) - 1] += x;
    c[k] *= { k = 0; x };
    c[0]
}

#[derive(Clone, Copy, Element)]
struct Pair<T> {
    both: [T; 2],
}

#[func]
impl<T: Int> Pair<T> {
    fn turned(mut self, by: T) -> T {
        let mut k = 0;
        self.both[k] += { k += 1; by };
        self.both[k]
    }
}

fn main() {}
