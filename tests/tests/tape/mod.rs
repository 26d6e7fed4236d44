//! Tapes, with pairs of kernels written by hand.

mod chains;
mod constants;
mod dropped;
mod kernels;
mod parts;
mod random;
mod refused;
mod steps;
mod twice;

use swathe::derivative::{Keep, Operation};
use swathe::prelude::*;
use swathe::{Argument, ArgumentMut};

pub use super::devices::devices;

pub const SIZES: [usize; 5] = [0, 1, 3, 17, 1000];

/// Numbers between 0.5 and 1.5, different for each element.
pub fn number(i: usize, salt: usize) -> f64 {
    0.5 + ((i * 7919 + salt * 104_729) % 1009) as f64 / 1009.0
}

pub fn numbers(device: &Device, n: usize, salt: usize) -> Field<f64> {
    Field::from_fn(device, n, |[i]| number(i, salt)).unwrap()
}

#[kernel]
fn square_kernel(x: &mut Field<f64>) {
    for i in x.indices() {
        x[i] = x[i] * x[i];
    }
}

#[kernel]
fn square_back(x: &Field<f64>, dx: &mut Field<f64>) {
    for i in dx.indices() {
        dx[i] = 2.0 * x[i] * dx[i];
    }
}

/// In place.
pub fn square(x: &mut impl ArgumentMut<Field<f64>>) -> swathe::Result<()> {
    if !Operation::is_recording() {
        return square_kernel(x);
    }
    let mut operation = Operation::new("square")?;
    let then = operation.output::<Field<f64>, _>("x", x, Keep::Value)?;
    operation.run(|| square_kernel(x))?;
    operation.finish(move |adjoints| square_back(then.value()?, &mut adjoints.of(&then)?));
    Ok(())
}

#[kernel]
fn product_kernel(a: &Field<f64>, b: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = a[i] * b[i];
    }
}

#[kernel]
fn product_back(a: &Field<f64>, b: &Field<f64>, da: &mut Field<f64>, db: &mut Field<f64>, dout: &mut Field<f64>) {
    for i in dout.indices() {
        da[i] += b[i] * dout[i];
        db[i] += a[i] * dout[i];
        dout[i] = 0.0;
    }
}

/// `out = a * b`.
pub fn product(
    a: &impl Argument<Field<f64>>,
    b: &impl Argument<Field<f64>>,
    out: &mut impl ArgumentMut<Field<f64>>,
) -> swathe::Result<()> {
    if !Operation::is_recording() {
        return product_kernel(a, b, out);
    }
    let mut operation = Operation::new("product")?;
    let a_then = operation.input::<Field<f64>, _>("a", a, Keep::Value)?;
    let b_then = operation.input::<Field<f64>, _>("b", b, Keep::Value)?;
    let out_then = operation.output::<Field<f64>, _>("out", out, Keep::Nothing)?;
    operation.run(|| product_kernel(a, b, out))?;
    operation.finish(move |adjoints| {
        let (mut da, mut db) = (adjoints.of(&a_then)?, adjoints.of(&b_then)?);
        product_back(
            a_then.value()?,
            b_then.value()?,
            &mut da,
            &mut db,
            &mut adjoints.of(&out_then)?,
        )
    });
    Ok(())
}

#[kernel]
fn axpy_kernel(x: &Field<f64>, y: &mut Field<f64>, a: f64) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

/// `y += a * x`, of which neither elements are kept.
pub fn axpy(x: &impl Argument<Field<f64>>, y: &mut impl ArgumentMut<Field<f64>>, a: f64) -> swathe::Result<()> {
    if !Operation::is_recording() {
        return axpy_kernel(x, y, a);
    }
    let mut operation = Operation::new("axpy")?;
    let x_then = operation.input::<Field<f64>, _>("x", x, Keep::Nothing)?;
    let y_then = operation.output::<Field<f64>, _>("y", y, Keep::Nothing)?;
    operation.run(|| axpy_kernel(x, y, a))?;
    operation.finish(move |adjoints| axpy_kernel(&adjoints.of(&y_then)?, &mut adjoints.of(&x_then)?, a));
    Ok(())
}

#[kernel]
fn total_kernel(x: &Field<f64>, out: &mut Field<f64, 0>) {
    let mut s = 0.0;
    for i in x.indices() {
        s += x[i];
    }
    out[[]] = s;
}

#[kernel]
fn total_back(dx: &mut Field<f64>, dout: &Field<f64, 0>) {
    for i in dx.indices() {
        dx[i] += dout[[]];
    }
}

/// The sum, into a field of one element.
pub fn total(x: &impl Argument<Field<f64>>, out: &mut Field<f64, 0>) -> swathe::Result<()> {
    if !Operation::is_recording() {
        return total_kernel(x, out);
    }
    let mut operation = Operation::new("total")?;
    let x_then = operation.input::<Field<f64>, _>("x", x, Keep::Nothing)?;
    let out_then = operation.output("out", out, Keep::Nothing)?;
    operation.run(|| total_kernel(x, out))?;
    operation.finish(move |adjoints| {
        let mut dout = adjoints.of(&out_then)?;
        total_back(&mut adjoints.of(&x_then)?, &dout)?;
        clear(&mut dout)
    });
    Ok(())
}

#[kernel]
fn clear(x: &mut Field<f64, 0>) {
    x[[]] = 0.0;
}
