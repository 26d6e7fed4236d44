use swathe::prelude::*;

#[kernel(grad)]
fn vectors(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut a = [DVec2::new(1.0, 2.0), DVec2::new(3.0, 4.0)];
        let mut k = 0;
        a[k] *= {
            k += 1;
            x[i]
        };
        y[i] = a[0].x + a[k].y;
    }
}

fn main() {}
