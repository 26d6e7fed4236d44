use swathe::prelude::*;

#[func]
fn bump(k: &mut f32) -> f32 {
    *k += 2.0;
    *k
}

#[func]
fn through_a_block(v: &mut f32) -> f32 {
    bump({ v })
}

#[func]
fn chosen(v: &mut f32, w: &mut f32, c: bool) -> f32 {
    bump(if c { v } else { w })
}

#[func]
fn named(v: &mut f32) -> f32 {
    let w = v;
    *w
}

fn main() {}
