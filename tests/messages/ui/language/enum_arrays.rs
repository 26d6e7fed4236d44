//! Integers do not become an enum unseen.

use ndarray::array;
use swathe::prelude::*;

#[derive(Element, Clone, Copy, PartialEq)]
#[repr(u8)]
enum Kind {
    Fluid,
    Solid,
}

fn main() -> swathe::Result<()> {
    let device = Device::cpu();
    let mut kind = Field::<Kind>::from_ndarray(&device, &array![0_u8, 7])?;
    kind.copy_from_ndarray(&array![1_u8, 9])?;
    let _ = kind.to_dlpack()?;
    Ok(())
}
