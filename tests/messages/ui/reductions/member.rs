use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Sums {
    mass: f32,
    energy: [f32; 2],
}

#[kernel]
fn whole(x: &Field<f32>, out: &mut Field<Sums>) -> Sums {
    let mut s = Sums { mass: 0.0, energy: [0.0; 2] };
    for i in x.indices() {
        s.mass += x[i];
        s.energy[1] += x[i];
        out[i] = s;
        out[i].energy = s.energy;
        out[i].energy[0] = s.energy[0];
    }
    s
}

#[kernel]
fn not_accumulated(x: &Field<f32>, k: usize) -> Sums {
    let mut s = Sums { mass: 0.0, energy: [0.0; 2] };
    let mut t = s;
    for i in x.indices() {
        s.mass = x[i];
        s.energy[k] += x[i];
        if t.mass < x[i] {
            t.mass += 1.0;
        }
    }
    s
}

#[kernel]
fn part_of_a_part(x: &Field<f32>) -> Sums {
    let mut s = Sums { mass: 0.0, energy: [0.0; 2] };
    for i in x.indices() {
        s.energy[0] += x[i];
        s.energy = [x[i]; 2];
    }
    s
}

#[kernel]
fn immutable(x: &Field<f32>) -> Sums {
    let s = Sums { mass: 0.0, energy: [0.0; 2] };
    for i in x.indices() {
        s.mass += x[i];
    }
    s
}

#[kernel]
fn by_another_name(x: &Field<f32>, out: &mut Field<f32>) -> Vec2 {
    let mut v = Vec2::new(0.0, 0.0);
    for i in x.indices() {
        v.x += x[i];
        out[i] = v[0];
    }
    v
}

fn main() {}
