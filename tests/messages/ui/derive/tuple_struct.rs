use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Of<'a>(&'a f32);

#[derive(Element, Clone, Copy)]
struct Maybe(u8, Option<f32>);

#[derive(Element, Clone, Copy)]
struct Counted(f32, usize);

#[derive(Element)]
struct Moved(f32);

#[derive(Element, Clone, Copy)]
#[repr(packed)]
struct Packed(u8, f32);

fn main() {}
