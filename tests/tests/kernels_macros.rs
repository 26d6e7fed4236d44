//! Kernels whose parts come from several macros, as a user's own macros would write them.

use swathe::prelude::*;

macro_rules! whole {
    ($name:ident ($($params:tt)*) $(-> $result:ty)? $body:block) => {
        #[kernel]
        fn $name($($params)*) $(-> $result)? $body
    };
}

macro_rules! looped {
    ($name:ident, $field:ident, $i:ident, $body:block) => {
        whole! {
            $name($field: &mut Field<i32>) {
                for $i in $field.indices() $body
            }
        }
    };
}

macro_rules! summed {
    ($name:ident $t:ty: $value:expr, $to:expr) => {
        whole! {
            $name(x: &Field<$t>, bins: &mut Field<u32>) -> $t {
                let mut sum = $value;
                for i in x.indices() {
                    sum += x[i] * $value;
                    bins.atomic_add($to, 1);
                }
                sum
            }
        }
    };
}

looped!(squares, field, i, {
    let v = field[i] as i64;
    let [a, b] = [v, v];
    field[i] = (a * b) as i32;
    field[i] += i as i32;
});
summed!(twice f64: 2.0, 1usize);

#[test]
fn run() {
    let cpu = Device::cpu();
    let mut x = Field::from_slice(&cpu, &[1, -2, 3]).unwrap();
    squares(&mut x).unwrap();
    assert_eq!(x.to_vec().unwrap(), [1, 5, 11]);
    let x = Field::from_slice(&cpu, &[0.5, 1.0]).unwrap();
    let mut bins = Field::zeros(&cpu, 2).unwrap();
    assert_eq!(twice(&x, &mut bins).unwrap(), 5.0);
    assert_eq!(bins.to_vec().unwrap(), [0, 2]);
    let error = twice(&x, &mut Field::zeros(&cpu, 1).unwrap()).unwrap_err();
    assert!(
        matches!(
            error,
            Error::OutOfBounds {
                field: "bins",
                count: 2,
                ..
            }
        ),
        "{error}"
    );
}
