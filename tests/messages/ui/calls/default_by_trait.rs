//! `Default` by its trait, and of a type parameter.

use swathe::prelude::*;

#[kernel]
fn by_trait(x: &mut Field<u32>) {
    for i in x.indices() {
        x[i] = <u32 as Default>::default() + Default::default();
    }
}

#[kernel]
fn of_parameter<T: Element + Default, U>(x: &mut Field<T>, y: &mut Field<U>)
where
    U: Element + std::default::Default,
{
    for i in x.indices() {
        x[i] = T::default();
        y[i] = U::default();
    }
}

fn main() {}
