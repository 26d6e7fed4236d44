use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Pair(i32, i32);

#[derive(Element, Clone, Copy)]
struct Particle {
    kind: u8,
    mass: f32,
}

#[func]
fn last(p: Pair) -> i32 {
    let Pair(.., b) = p;
    b
}

#[func]
fn lent(p: &Pair) -> i32 {
    let Pair(a, _) = p;
    a
}

#[func]
fn matched(p: &Particle) -> f32 {
    match p {
        Particle { kind: 0, mass } => mass,
        _ => 0.0,
    }
}

#[func]
fn optional(p: Pair) -> i32 {
    let Some(a) = p.0;
    match p {
        Ok(Pair(b, _)) => b,
        whole @ Pair(0, _) => whole.1,
        Pair(n, n) => a,
    }
}

#[kernel]
fn positions(x: &mut Field<i32>) {
    for Pair(i, j) in ndrange([3, 4]) {
        x[i] = j;
    }
}

fn main() {}
