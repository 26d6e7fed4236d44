use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Counted {
    n: u32,
}

#[kernel(grad)]
fn kernel(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut k = 0;
        for _ in 0..34_000_000 {
            k += 100;
        }
        let counted = Counted { n: k };
        let _ = counted;
        y[i] = if k > 5 { 2.0 * x[i] } else { x[i] };
    }
}

fn main() {}
