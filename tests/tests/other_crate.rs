//! What another crate exports reaches kernels by every kind of path.

use swathe::prelude::*;
use swathe_tests_other_crate::nested::deeper as renamed;
use swathe_tests_other_crate::nested::deeper::cube as third_power;
use swathe_tests_other_crate::*;

mod reexport {
    pub use swathe_tests_other_crate::{Body as Thing, first_divisor, nested};
}

#[kernel]
fn by_paths(x: &Field<i64>, out: &mut Field<[i64; 4]>) {
    use swathe_tests_other_crate::nested::square as second_power;
    for i in out.indices() {
        out[i] = [
            third_power(x[i]) + renamed::cube(1),
            second_power(x[i]) + reexport::nested::DEPTH as i64,
            reexport::first_divisor(x[i] as i32, 9) as i64 + ::swathe_tests_other_crate::nested::square(2),
            swathe_tests_other_crate::WEIGHTS[2] as i64,
        ];
    }
}

#[kernel]
fn renamed_types(x: &mut Field<reexport::Thing>, unit: Square) {
    for i in x.indices() {
        let mut b = reexport::Thing::new(x[i].pos + UP, x[i].mass);
        b.kick(UP * unit.area() * reexport::Thing::RADIUS, 1.0);
        let twin = reexport::Thing { hits: 9, ..b };
        x[i] = if b.touches(&twin) { twin } else { b };
    }
}

#[test]
fn paths() {
    let cpu = Device::cpu();
    let x = Field::from_slice(&cpu, &[3, 10, 49]).unwrap();
    let mut out = Field::zeros(&cpu, 3).unwrap();
    by_paths(&x, &mut out).unwrap();
    assert_eq!(
        out.to_vec().unwrap(),
        [[28, 14, 7, 4], [1001, 105, 6, 4], [117_650, 2406, 11, 4]]
    );
}

#[test]
fn types() {
    let cpu = Device::cpu();
    let body = |k: f32| Body {
        mass: k,
        ..Body::default()
    };
    let mut x = Field::from_slice(&cpu, &[body(1.0), body(0.5)]).unwrap();
    renamed_types(&mut x, Square { side: 2.0 }).unwrap();
    let expected = [(1.0, 2.0), (0.5, 4.0)].map(|(mass, speed)| Body {
        pos: UP,
        vel: UP * speed,
        mass,
        hits: 9,
    });
    assert_eq!(x.to_vec().unwrap(), expected);
}

/// The functions are ordinary ones on the host.
#[test]
fn host() {
    let mut b = Body::new(UP, 2.0);
    assert_eq!(b.kick_twice(UP * 4.0, 0.5), 2);
    assert_eq!(b.kinetic(), 0.5 * 2.0 * 0.25);
    let mut rng = Lcg::seeded(3);
    assert!((1..=6).contains(&roll(&mut rng, 6)));
    assert_eq!(horner(&[1.0, 2.0, 3.0], 2.0_f32), 17.0);
    assert_eq!(first_divisor(35, 40), 5);
    let z = Complex::new(1.0, 2.0) * -Complex::new(0.0, 1.0);
    assert_eq!((z.re, z.im), (2.0, -1.0));
    assert_eq!(larger_area(Square::unit(), Rectangle::unit().scaled(3.0)), 3.0);
}
