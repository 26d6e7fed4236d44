use swathe::prelude::*;

#[kernel]
fn report(x: &mut Field<f32>) {
    for i in x.indices() {
        write!(out, "{}", x[i]);
        assert!(x[i] > 0.0);
        let all = vec![0.0; 10];
        if x[i].is_nan() {
            panic!("not a number");
        }
        let text = format!("{}", x[i]);
        todo!();
        let named = matches!(x[i], 0.0..1.0);
        x[i] = std::hint::black_box(env!("SPEED"));
    }
}

fn main() {}
