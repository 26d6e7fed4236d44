//! What rustc and the library say of enums in kernels.

use swathe::prelude::*;

#[derive(Element, Clone, Copy, Debug, PartialEq, PartialOrd)]
#[allow(non_camel_case_types)]
enum Kind {
    Fluid,
    Solid,
    open,
}

use Kind::open;

#[kernel]
fn not_all(kind: &Field<Kind>, x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = match kind[i] {
            Kind::Fluid => 0.0,
            Kind::Solid => 1.0,
        };
    }
}

#[kernel]
fn small_letter(kind: &Field<Kind>, x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = match kind[i] {
            open => 0.0,
            _ => 1.0,
        };
    }
}

#[kernel]
fn from_number(kind: &mut Field<Kind>) {
    for i in kind.indices() {
        kind[i] = (i % 3) as Kind;
    }
}

#[kernel]
fn ordered(kind: &Field<Kind>, x: &mut Field<f32>) {
    for i in x.indices() {
        if kind[i] < Kind::Solid {
            x[i] = 1.0;
        }
    }
}

#[kernel]
fn printed(kind: &Field<Kind>) {
    for i in kind.indices() {
        println!("{:?}", kind[i]);
    }
}

#[kernel]
fn atomic(kind: &mut Field<Kind>) {
    for i in 0..9 {
        kind[i % 3].atomic_max(Kind::Solid);
    }
}

fn main() {}
