// Fields as arguments of functions: what a function may take, and what a kernel may lend.

use swathe::prelude::*;

#[func]
fn at(u: &Field<f32>, i: usize) -> f32 {
    u[i]
}

#[func]
fn written(u: &mut Field<f32>, i: usize) {
    u[i] = 1.0;
}

#[func]
fn by_value(u: Field<f32>, i: usize) -> f32 {
    u[i]
}

#[func]
fn offset(u: &OffsetField<f32>, i: isize) -> f32 {
    u[i]
}

#[func]
const fn constant(u: &Field<f32>) -> usize {
    u.len()
}

#[func]
fn unchecked(u: &Field<f32>, i: usize) -> f32 {
    unsafe { *u.get_unchecked(i) }
}

#[func]
fn counted(u: &Field<u32>, i: usize) -> u32 {
    u[i].atomic_add(1)
}

#[derive(Element, Clone, Copy)]
struct Reader {
    at: u32,
}

#[func]
impl Reader {
    fn read(&self, u: &Field<f32>) -> f32 {
        u[self.at as usize]
    }
}

#[kernel]
fn lends_what_it_writes(u: &mut Field<f32>, v: &Field<f32>) {
    for i in u.indices() {
        u[i] = at(v, i) + at(u, i + 1);
    }
}

#[kernel]
fn lends_what_has_an_origin(u: &OffsetField<f32>, v: &mut Field<f32>) {
    for i in v.indices() {
        v[i] = at(u, i);
    }
}

fn main() {}
