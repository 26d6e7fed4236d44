use swathe::prelude::*;

/// The rank of what is left is known to rustc.
fn rows(u: &Field<f32, 2>, point: &Field<f32, 0>) -> swathe::Result<()> {
    let sums: Field<f32, 2> = u.sum_axis(0)?;
    let row = u.index_axis::<2>(0, 1)?;
    let none = point.max_axis(0)?;
    Ok(())
}

fn main() {}
