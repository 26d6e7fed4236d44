use swathe::prelude::*;

#[derive(Clone, Copy, Default, Element)]
struct Count {
    n: u32,
}

mod mem {
    /// No `#[func]`, and not the one of std.
    pub fn swap<T>(_: &mut T, _: &mut T) {}
}

fn take(a: &mut u32) -> u32 {
    *a
}

#[kernel]
fn others(x: &mut Field<u32>) {
    for i in x.indices() {
        let mut a = x[i];
        let mut b = 3;
        mem::swap(&mut a, &mut b);
        let c = take(&mut a);
        std::mem::drop(c);
        x[i] = a;
    }
}

#[kernel]
fn misused(x: &mut Field<u32>, counts: &Field<Count>) {
    for i in x.indices() {
        let mut a = x[i];
        let mut b = 1.5f32;
        std::mem::swap(&mut a, &mut b);
        std::mem::swap(&mut a, &mut x[i]);
        let mut count = counts[i];
        count = std::mem::take(&mut count);
        x[i] = count.n;
    }
}

#[kernel]
fn of_structs(x: &mut Field<u32>, counts: &Field<Count>) {
    for i in x.indices() {
        let mut a = x[i];
        let mut b = 1.5f32;
        std::mem::swap(&mut a, &mut b);
        let mut count = counts[i];
        let old = std::mem::take(&mut count);
        x[i] = old.n;
    }
}

#[kernel]
fn twice(x: &mut Field<u32>) {
    for i in x.indices() {
        let mut a = x[i];
        std::mem::swap(&mut a, &mut a);
        a = std::mem::replace(&mut a, a + 1);
        x[i] = a;
    }
}

fn main() {}
