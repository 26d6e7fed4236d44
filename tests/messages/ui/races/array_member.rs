use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Cell {
    flows: [f32; 4],
    mass: f32,
}

#[kernel]
fn odd(c: &mut Field<Cell>) {
    for i in c.indices() {
        c[i].flows[0] = c[0].flows[1];
    }
}

// What is asked of a refused kernel adds no error.
fn main() -> swathe::Result<()> {
    odd::precompile(&Device::default())?;
    println!("{} {} {}", odd::plan(), odd::checks(), odd::cuda_source()?);
    Ok(())
}
