//! Comparisons with a variable of all iterations that are no reduction to the least or largest.

use swathe::prelude::*;

#[kernel]
fn otherwise(x: &Field<f32>) -> (f32, u32) {
    let mut most = 0.0;
    let mut others = 0;
    for i in x.indices() {
        if x[i] > most {
            most = x[i];
        } else {
            others += 1;
        }
    }
    (most, others)
}

#[kernel]
fn another_value(x: &Field<f32>) -> f32 {
    let mut most = 0.0;
    for i in x.indices() {
        if x[i] > most {
            most = x[i] * 0.5;
        }
    }
    most
}

#[kernel]
fn called_twice(x: &Field<f32>) -> f32 {
    let mut most = 0.0;
    for i in x.indices() {
        if x[i].abs() > most {
            most = x[i].abs();
        }
    }
    most
}

#[kernel]
fn more(x: &Field<f32>, y: &mut Field<f32>) -> f32 {
    let mut most = 0.0;
    for i in x.indices() {
        if x[i] > most {
            most = x[i];
            y[i] = 1.0;
        }
    }
    most
}

#[kernel]
fn different(x: &Field<f32>) -> (f32, usize) {
    let mut most = 0.0;
    let mut at = 0;
    for i in x.indices() {
        let twice = 2.0 * x[i];
        if twice > most {
            most = twice;
            at = i;
        }
        let half = 0.5 * x[i];
        if half > most {
            most = half;
        }
    }
    (most, at)
}

#[kernel]
fn second(x: &Field<f32>) -> (f32, f32) {
    let mut most = 0.0;
    let mut second = 0.0;
    for i in x.indices() {
        if x[i] > most {
            second = most;
            most = x[i];
        }
    }
    (most, second)
}

#[kernel]
fn sum(x: &Field<f32>) -> (f32, f32) {
    let mut most = 0.0;
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i];
        if x[i] > most {
            most = x[i];
            sum = 1.0;
        }
    }
    (most, sum)
}

#[kernel]
fn read(x: &Field<f32>, y: &mut Field<f32>) -> f32 {
    let mut most = 0.0;
    for i in x.indices() {
        y[i] = most;
        if x[i] > most {
            most = x[i];
        }
    }
    most
}

#[kernel]
fn effects(x: &Field<f32>, count: &mut Field<u32>) -> (f32, u32) {
    let mut most = 0.0;
    let mut at = 0;
    for i in x.indices() {
        if x[i] > most {
            most = x[i];
            at = count[0].atomic_add(1);
        }
    }
    (most, at)
}

#[func]
fn square(i: usize) -> usize {
    assert!(i < 100);
    i * i
}

#[kernel]
fn called(x: &Field<f32>) -> (f32, usize) {
    let mut most = 0.0;
    let mut at = 0;
    for i in x.indices() {
        if x[i] > most {
            most = x[i];
            at = square(i);
        }
    }
    (most, at)
}

#[kernel]
fn shared(x: &Field<f32>) -> (f32, f32, usize) {
    let mut most = 0.0;
    let mut least = 0.0;
    let mut at = 0;
    for i in x.indices() {
        if x[i] > most {
            most = x[i];
            at = i;
        }
        if x[i] < least {
            least = x[i];
            at = i;
        }
    }
    (most, least, at)
}

fn main() {}
