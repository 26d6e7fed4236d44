//! Kernels in unusual places and with unusual names.
#![allow(missing_docs)]

use swathe::prelude::*;

/// The user's own types may have the names of those that generated code uses.
mod own_names {
    #![allow(dead_code)]
    use swathe::{Device, Field, func, kernel};

    struct Result;
    struct Option;
    struct Launch;
    struct String;
    struct Vec;
    struct Box;
    enum Own {
        Ok,
        Err,
        Some,
        None,
    }
    use Own::{Err, None, Ok, Some};
    mod core {}
    mod std {}

    #[func]
    fn half(x: f32) -> f32 {
        0.5 * x
    }

    #[kernel]
    fn halve(x: &mut Field<f32>) -> f32 {
        let mut sum = 0.0;
        for i in x.indices() {
            x[i] = half(x[i]);
            sum += x[i];
        }
        sum
    }

    #[test]
    fn runs() {
        let _ = (Ok, Err, Some, None);
        let mut x = Field::from_slice(&Device::cpu(), &[2.0, 4.0]).unwrap();
        assert_eq!(halve(&mut x).unwrap(), 3.0);
    }
}

/// Generated code names its own variables so that they do not meet the user's.
#[kernel]
#[allow(clippy::too_many_arguments)]
fn parameters(out: &mut Field<i32>, n: i32, p: i32, launch: i32, range: i32, self_: i32, shape: i32, a0: i32, k: i32) {
    for i in out.indices() {
        let v = n + p;
        let l = launch + range;
        out[i] += v + l + self_ + shape + a0 + k;
    }
}

#[test]
fn parameters_keep_their_names() {
    let mut out = Field::from_slice(&Device::cpu(), &[1000, 2000]).unwrap();
    parameters(&mut out, 1, 2, 4, 8, 16, 32, 64, 128).unwrap();
    assert_eq!(out.to_vec().unwrap(), [1255, 2255]);
}

#[func]
fn r#match(r#type: f32) -> f32 {
    let r#in = r#type + 1.0;
    r#in * 2.0
}

#[kernel]
fn r#loop(r#ref: &mut Field<f32>, r#mut: f32) {
    for r#for in r#ref.indices() {
        r#ref[r#for] = r#match(r#ref[r#for]) + r#mut;
    }
}

#[test]
fn raw_identifiers() {
    let mut x = Field::from_slice(&Device::cpu(), &[1.0, 2.0]).unwrap();
    r#loop(&mut x, 0.5).unwrap();
    assert_eq!(x.to_vec().unwrap(), [4.5, 6.5]);
    r#loop::cuda_source().unwrap();
}

/// Named like macros, types and modules of the standard library. A kernel takes its name in the type namespace too, so
/// that one named like a type hides it in its module.
mod names_of_others {
    use swathe::prelude::*;

    #[kernel]
    fn println(x: &mut Field<i64>) {
        for i in x.indices() {
            x[i] += 1;
        }
    }

    #[func]
    fn vec(x: i64) -> i64 {
        x + 1
    }

    #[kernel]
    fn u32(x: &mut Field<i64>) {
        for i in x.indices() {
            x[i] = vec(x[i]);
        }
    }

    #[kernel]
    fn core(x: &mut Field<i64>) {
        for i in x.indices() {
            x[i] += 1;
        }
    }

    #[test]
    fn run() {
        let mut x = Field::from_slice(&Device::cpu(), &[1_i64, 2]).unwrap();
        println(&mut x).unwrap();
        u32(&mut x).unwrap();
        core(&mut x).unwrap();
        assert_eq!(x.to_vec().unwrap(), [4, 5]);
        println!("{:?}", u32::cuda_source().map(|text| text.len()));
    }
}

#[test]
fn in_a_function() {
    #[derive(Element, Clone, Copy)]
    struct Pair {
        a: f32,
        b: f32,
    }

    #[func]
    impl Pair {
        fn swapped(self) -> Pair {
            Pair { a: self.b, b: self.a }
        }
    }

    #[func]
    fn twice(x: f32) -> f32 {
        2.0 * x
    }

    const SHIFT: f32 = 1.0;

    {
        #[func]
        fn inner(x: f32) -> f32 {
            twice(x) + SHIFT
        }

        #[kernel]
        fn swap(p: &mut Field<Pair>) {
            for i in p.indices() {
                let q = p[i].swapped();
                p[i] = Pair {
                    a: inner(q.a),
                    b: twice(q.b),
                };
            }
        }

        let mut p = Field::from_slice(&Device::cpu(), &[Pair { a: 1.0, b: 2.0 }]).unwrap();
        swap(&mut p).unwrap();
        let p = p.get(0).unwrap();
        assert_eq!((p.a, p.b), (5.0, 2.0));
    }
}

macro_rules! maps {
    ($($(#[$attr:meta])* $vis:vis $name:ident($x:ident: $t:ty) = $value:expr;)*) => {$(
        $(#[$attr])*
        #[kernel]
        $vis fn $name(field: &mut Field<$t>) {
            for i in field.indices() {
                let $x = field[i];
                field[i] = $value;
            }
        }
    )*};
}

maps! {
    /// Documented.
    pub(crate) negate(x: f32) = -x;
    #[cfg(all())]
    square(v: i32) = v * v + 0;
    #[cfg(any())]
    never(v: Nothing) = v;
}

#[test]
fn from_a_macro() {
    let mut x = Field::from_slice(&Device::cpu(), &[1.0, -2.0]).unwrap();
    negate(&mut x).unwrap();
    assert_eq!(x.to_vec().unwrap(), [-1.0, 2.0]);
    let mut n = Field::from_slice(&Device::cpu(), &[3, -4]).unwrap();
    square(&mut n).unwrap();
    assert_eq!(n.to_vec().unwrap(), [9, 16]);
}

/// Attributes stay on the functions.
#[must_use]
#[inline]
#[allow(clippy::let_and_return, unused_variables)]
#[doc(alias = "sum")]
#[kernel]
pub(crate) fn total(x: &Field<f32>, unused: i32) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i];
    }
    let result = sum;
    result
}

/// Nothing to do.
#[kernel]
fn nothing() {}

#[kernel]
fn nothing_with(_x: &mut Field<f32>) {}

#[kernel]
fn constant(_n: i32, _unused: f32) -> u32 {
    7
}

#[test]
fn attributes_and_empty_bodies() {
    let mut x = Field::from_slice(&Device::cpu(), &[1.0, 2.0]).unwrap();
    assert_eq!(total(&x, 0).unwrap(), 3.0);
    nothing().unwrap();
    nothing_with(&mut x).unwrap();
    assert_eq!(constant(1, 2.0).unwrap(), 7);
}

mod generic {
    use swathe::math::Float;
    use swathe::prelude::*;

    pub mod parts {
        use super::*;

        #[func]
        pub fn mix<T>(a: T, b: T) -> T
        where
            T: Float,
        {
            a * b + T::ONE
        }
    }

    #[kernel]
    pub fn apply<T, const N: usize>(x: &mut Field<T, 2>, by: T)
    where
        T: Float,
    {
        for p in x.indices() {
            for _ in 0..N {
                x[p] = parts::mix(x[p], by);
            }
        }
    }
}

#[test]
fn generics_from_another_module() {
    use generic::apply as renamed;
    let mut x = Field::full(&Device::cpu(), [2, 1], 1.0_f64).unwrap();
    renamed::<f64, 2>(&mut x, 2.0).unwrap();
    assert_eq!(x.to_vec().unwrap(), [7.0, 7.0]);
}

/// Shadowing changes what a name means, as in Rust.
#[kernel]
fn shadows(x: &mut Field<i32>, n: i32) {
    let n = n + 1;
    for i in x.indices() {
        let n = n * 10;
        let y = {
            let n = n + i as i32;
            n
        };
        let n = y + n;
        x[i] = n;
    }
}

#[test]
fn shadowing() {
    let mut x = Field::from_slice(&Device::cpu(), &[0, 0, 0]).unwrap();
    shadows(&mut x, 1).unwrap();
    assert_eq!(x.to_vec().unwrap(), [40, 41, 42]);
}

/// The last statement may be `return`.
#[kernel]
#[allow(clippy::needless_return)]
fn returns(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    if x.len() > 2 {
        return -1.0;
    }
    for i in x.indices() {
        sum += x[i];
    }
    return sum;
}

#[test]
fn returning() {
    let device = Device::cpu();
    let x = Field::from_slice(&device, &[1.0, 2.0]).unwrap();
    assert_eq!(returns(&x).unwrap(), 3.0);
    let x = Field::from_slice(&device, &[1.0, 2.0, 3.0]).unwrap();
    assert_eq!(returns(&x).unwrap(), -1.0);
}
