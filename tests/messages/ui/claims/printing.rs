use swathe::prelude::*;

#[derive(Clone, Copy, Element, Debug)]
struct Ball {
    mass: f32,
}

#[kernel]
fn structs(x: &Field<Ball>) {
    for i in x.indices() {
        println!("{:?}", x[i]);
        dbg!(x[i]);
    }
}

#[kernel]
fn formats(x: &Field<f32>, n: i32) {
    println!("{x}");
    println!(n);
    println!("{:5E} {:x}", n, n);
    println!("{} {}", n);
    println!("{n:x} {:x}", 1.5);
}

#[kernel]
fn formats_of_types(n: i32) {
    println!("{n:x} {:x}", 1.5);
}

#[kernel]
fn sums(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i];
        println!("{sum}");
    }
    sum
}

#[kernel]
fn behind(x: &Field<f32>) -> bool {
    let mut any = false;
    for i in x.indices() {
        any = any || {
            println!("{i}");
            x[i] > 0.0
        };
    }
    any
}

#[func]
const fn fixed(x: i32) -> i32 {
    println!("{x}");
    x
}

mod own {
    use swathe::prelude::*;

    macro_rules! println {
        ($($all:tt)*) => {};
    }

    #[kernel]
    fn other(x: &Field<f32>) {
        println!("{}", x.len());
    }
}

fn main() {}
