use swathe::prelude::*;

#[kernel]
fn formats(x: &mut Field<f32>) {
    let text = 1;
    for i in x.indices() {
        assert!(x[i] > 0.0, "{:5E}", i);
        assert!(x[i] > 1.0, "{:#?}", i);
        assert!(x[i] > 2.0, "{} {}", i);
        assert!(x[i] > 3.0, "{i}", i);
        assert!(x[i] > 4.0, text);
        assert!(x[i] > 5.0, "{j}");
        assert!(x[i] > 6.0, "{");
        assert!(x[i] > 7.0, "{:w$}", i, w = 5);
        assert!();
        assert_eq!(i);
        panic!("{:.*}", 3, x[i]);
    }
}

fn main() {}
