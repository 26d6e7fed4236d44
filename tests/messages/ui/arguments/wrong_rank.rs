use ndarray::{Array2, s};
use swathe::prelude::*;

#[kernel]
fn copy(x: &Field<f32>, out: &mut Array2<f32>) {
    for [i, j] in out.indices() {
        out[[i, j]] = x[i];
    }
}

fn main() -> swathe::Result<()> {
    let grid = Field::<f32, 2>::zeros(&Device::cpu(), [3, 3])?;
    let mut out = Array2::<f32>::zeros([3, 3]);
    copy(&grid.slice(s![1.., ..])?, &mut out)?;
    let line = Field::<f32>::zeros(&Device::cpu(), 3)?;
    copy(&line, &mut out.row_mut(1))
}
