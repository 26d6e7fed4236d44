//! Kernels in unusual places and with unusual names.
#![allow(missing_docs, non_upper_case_globals)]

// What is emitted must not find this crate by that name, which has nothing but lies.
extern crate self as core;

use swathe::prelude::*;

/// Of the crate as `core`.
pub mod cmp {
    #[must_use]
    pub fn min<T>(_: T, b: T) -> T {
        b
    }
}

/// Of the crate as `core`.
pub mod mem {
    macro_rules! lie {
        ($of:ty, $member:ident) => {
            100_000_000_usize
        };
    }
    pub(crate) use lie as offset_of;

    #[must_use]
    pub const fn size_of<T>() -> usize {
        3
    }
}

#[kernel]
fn cut(out: &mut Field<f32, 2>, n: usize) {
    for [i, j] in out.indices() {
        if j < n {
            out[[i, j]] = (10 * i + j) as f32;
        }
    }
}

static to: u8 = 0;
const from: u32 = 1;

#[derive(Element, Clone, Copy, Debug, PartialEq)]

struct Beside<const from: usize> {
    byte: u8,
    wide: [f64; from],
}

#[test]
fn a_crate_of_that_name_is_not_core() {
    assert_eq!(
        (core::cmp::min(1, 2), core::mem::size_of::<u8>(), to, from),
        (2, 3, 0, 1)
    );
    assert_eq!(core::mem::offset_of!(Beside<1>, wide), 100_000_000);
    let mut out = Field::<f32, 2>::zeros(&Device::cpu(), [2, 3]).unwrap();
    for n in [1, 1 << 30, usize::MAX] {
        cut(&mut out, n).unwrap();
        assert_eq!(out.get([1, 2]).unwrap(), if n > 2 { 12.0 } else { 0.0 });
    }
    let all = [1, 2, 3].map(|k| Beside {
        byte: k,
        wide: [f64::from(k); 2],
    });
    let planes = Field::from_slice(&Device::cpu(), &all)
        .unwrap()
        .with_layout(swathe::Soa)
        .unwrap();
    assert_eq!(planes.to_vec().unwrap(), all);
    let bytes = planes.member::<u8>("byte").unwrap().to_ndarray().unwrap();
    assert_eq!(bytes.iter().copied().collect::<Vec<_>>(), [1, 2, 3]);
}

/// A module without std's names has none but those that it writes.
#[no_implicit_prelude]
mod bare {
    #[derive(::swathe::Element, ::std::clone::Clone, ::std::marker::Copy)]
    pub struct Pair<T> {
        pub a: T,
        pub b: [T; 2],
    }

    #[::swathe::func]
    impl<T: ::swathe::prelude::Float> Pair<T> {
        pub fn sum(self) -> T {
            self.a + self.b[1]
        }
    }

    #[::swathe::func]
    fn half(x: f32) -> f32 {
        0.5 * x
    }

    #[::swathe::kernel]
    pub fn sums(x: &::swathe::Field<Pair<f32>>, out: &mut ::swathe::Field<f32>) {
        for i in out.indices() {
            out[i] = half(x[i].sum());
        }
    }
}

/// Ranges of a kernel have the methods of std, whatever else has their names where std's traits are not in scope.
#[no_implicit_prelude]
mod own_methods_of_ranges {
    trait Backwards {
        fn rev(self) -> ::std::ops::Range<usize>;
        fn step_by(self, n: usize) -> ::std::ops::Range<usize>;
    }

    impl Backwards for ::std::ops::Range<usize> {
        fn rev(self) -> ::std::ops::Range<usize> {
            self.start..self.end + 70_000
        }
        fn step_by(self, n: usize) -> ::std::ops::Range<usize> {
            self.start..self.end + n
        }
    }

    pub fn own(n: usize) -> [usize; 2] {
        [(0..n).rev().end, (0..n).step_by(2).end]
    }

    #[::swathe::kernel]
    pub fn turned(x: &::swathe::Field<u32>, out: &mut ::swathe::Field<[u32; 3]>) {
        for i in out.indices() {
            let mut all = [0; 3];
            for k in (0..x.len()).rev() {
                all[0] = 10 * all[0] + x[k];
            }
            for k in (0..x.len()).step_by(2) {
                all[1] = 10 * all[1] + x[k];
            }
            for k in (0..x.len()).step_by(2).rev() {
                all[2] = 10 * all[2] + x[k];
            }
            out[i] = all;
        }
        for i in (0..out.len()).step_by(2) {
            out[i][0] += 1;
        }
    }
}

#[test]
fn methods_of_ranges_are_those_of_std() {
    assert_eq!(own_methods_of_ranges::own(3), [70_003, 5]);
    let device = Device::cpu();
    let x = Field::from_slice(&device, &[1, 2, 3, 4, 5]).unwrap();
    for n in [0, 1, 3, 17, 1000] {
        let mut out = Field::full(&device, n, [9; 3]).unwrap();
        own_methods_of_ranges::turned(&x, &mut out).unwrap();
        let expected: Vec<[u32; 3]> = (0..n).map(|i| [54_321 + u32::from(i % 2 == 0), 135, 531]).collect();
        assert_eq!(out.to_vec().unwrap(), expected);
    }
}

#[test]
fn module_without_names() {
    let device = Device::cpu();
    let pair = |[i]: [usize; 1]| bare::Pair {
        a: i as f32,
        b: [0.5, 2.0 * i as f32],
    };
    let x = Field::from_fn(&device, 17, pair).unwrap();
    let mut out = Field::zeros(&device, 17).unwrap();
    bare::sums(&x, &mut out).unwrap();
    let expected: Vec<f32> = (0..17).map(|i| 1.5 * i as f32).collect();
    assert_eq!(out.to_vec().unwrap(), expected);
}

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

    // A tool of rustc's.
    mod diagnostic {}

    #[derive(swathe::Element, Clone, Copy)]
    struct Pair<T> {
        a: T,
        b: [T; 2],
    }

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

/// In a program that denies by name what rustc says of unused things, generated code brings nothing up.
mod denied {
    #![deny(
        unused,
        unused_variables,
        unused_parens,
        unused_mut,
        unused_assignments,
        unused_braces,
        unused_unsafe,
        unused_labels,
        unused_must_use,
        unused_imports,
        unused_results,
        unused_qualifications,
        dead_code,
        unreachable_code,
        path_statements,
        redundant_semicolons,
        warnings
    )]
    #![allow(missing_docs, unused_results, unused_qualifications)]
    use ndarray::{Array1, ArrayView1, ArrayViewMut1};
    use swathe::prelude::*;

    #[derive(Clone, Copy, Element, Debug, PartialEq)]
    struct Particle {
        at: Vec2,
        mass: f32,
    }

    #[func]
    impl Particle {
        fn moved(self, by: Vec2) -> Particle {
            Particle {
                at: self.at + by,
                ..self
            }
        }
        fn grow(&mut self, by: f32) {
            self.mass += by;
        }
    }

    #[func]
    trait Weighed {
        fn weight(self) -> f32;
    }

    #[func]
    impl Weighed for Particle {
        fn weight(self) -> f32 {
            let rest = 2.0;
            self.mass * rest
        }
    }

    #[func]
    fn root<T: Float>(x: T) -> T {
        let y = x;
        y.sqrt()
    }

    #[func]
    fn steps(mut n: i32, by: i32) -> i32 {
        let mut count = 0;
        while n > 1 {
            if n % 2 == 0 {
                n /= by;
            } else {
                n = 3 * n + 1;
            }
            count += 1;
        }
        assert!(count >= 0, "{count}");
        count
    }

    #[func]
    fn add(x: &mut f32, y: f32) {
        *x += y;
    }

    #[kernel]
    fn moves(p: &mut Field<Particle>, by: Vec2, total: &mut Field<f32>) -> f32 {
        const SCALE: f32 = 0.5;
        let half = by * SCALE;
        let mut sum = 0.0;
        for i in p.indices() {
            let next = p[i].moved(half);
            p[i] = next;
            let mut other = p[i];
            other.grow(1.0);
            let mut mass = other.mass;
            add(&mut mass, 2.0);
            sum += mass + other.weight();
            total[0].atomic_add(mass);
        }
        sum
    }

    #[kernel(fast_math)]
    fn fast(x: &Field<f32, 2>, out: &mut Field<f32, 2>, n: i32) {
        let [h, w] = x.shape();
        for [i, j] in ndrange([h, w]) {
            let mut s = 0.0;
            for k in 0..w {
                s += x[[i, k]] * x[[i, j]] + steps(n + k as i32, 2) as f32;
            }
            let (a, b) = (s / root(x[[i, j]]), -x[[i, j]]);
            'outer: for k in 0..3 {
                for l in 0..3 {
                    if k * l == 2 {
                        break 'outer;
                    }
                    s += (k - l) as f32;
                }
            }
            out[[i, j]] = if a > b { a } else { s.sin() };
        }
    }

    #[kernel(strict)]
    fn unchecked(keys: &Field<u32>, x: &Field<f32>, out: &mut Field<f32>) {
        for i in out.indices() {
            let key = keys[i] as usize;
            let scale = keys[i] as f32 * 0.5;
            out[i] = x[key] * scale / 3.0 + unsafe { *x.get_unchecked(i) };
        }
    }

    #[kernel]
    fn arrays(x: ArrayView1<f32>, mut out: ArrayViewMut1<f32>) {
        for i in 0..out.len() {
            out[i] = x[i];
            out[i] *= 2.0;
        }
    }

    #[kernel]
    fn halo(u: &OffsetField<f32>, out: &mut OffsetField<f32>) {
        for i in out.indices() {
            out[i] = u[i - 1] + u[i + 1];
        }
    }

    #[kernel]
    fn generic<T: Float>(x: &mut Field<T>, n: usize) {
        for _ in serial(0..n) {
            for i in x.indices() {
                x[i] = root(x[i]);
            }
        }
    }

    macro_rules! made {
        ($name:ident, $kernel:ident, $e:expr, $f:expr) => {
            #[func]
            fn $name(x: f32) -> f32 {
                let y = $e;
                if $f { x - $e * y } else { $e }
            }
            #[kernel]
            fn $kernel(x: &mut Field<f32>) {
                for i in x.indices() {
                    let y = $e;
                    x[i] = $name(x[i]) + y;
                    x[i] += $e;
                }
            }
        };
    }
    made!(made_func, made_kernel, 1.0 + 2.0, std::f32::consts::PI + 1.0 > 3.0);

    #[test]
    fn run() {
        let cpu = Device::cpu();
        let particle = Particle {
            at: Vec2::new(1.0, 2.0),
            mass: 3.0,
        };
        let mut p = Field::full(&cpu, 3, particle).unwrap();
        let mut total = Field::zeros(&cpu, 1).unwrap();
        assert_eq!(
            moves(&mut p, Vec2::new(2.0, 4.0), &mut total).unwrap(),
            3.0 * (6.0 + 8.0)
        );
        assert_eq!(p.to_vec().unwrap()[1].at, Vec2::new(2.0, 4.0));
        let x = Field::full(&cpu, [3, 2], 4.0).unwrap();
        fast(&x, &mut Field::zeros(&cpu, [3, 2]).unwrap(), 7).unwrap();
        let keys = Field::from_slice(&cpu, &[2_u32, 1, 0]).unwrap();
        let mut y = Field::from_slice(&cpu, &[3.0, 6.0, 9.0]).unwrap();
        unchecked(&keys, &y, &mut Field::zeros(&cpu, 3).unwrap()).unwrap();
        let mut out = Array1::zeros(3);
        arrays(Array1::from_elem(3, 1.0).view(), out.view_mut()).unwrap();
        assert_eq!(out[2], 2.0);
        generic(&mut y, 2).unwrap();
        made_kernel(&mut y).unwrap();
        let u = Field::full(&cpu, 4, 1.0).unwrap().with_origin([-1]).unwrap();
        let mut inner = Field::zeros(&cpu, 2).unwrap().with_origin([0]).unwrap();
        halo(&u, &mut inner).unwrap();
    }
}

/// A trait for all types whose methods are called as what generated code calls by dot.
mod methods_for_all_types {
    use super::*;

    #[expect(dead_code, reason = "generated code calls none of it")]
    pub trait Hijack: Sized {
        fn bytes(self) -> bool {
            false
        }
        fn of<X>(self, _: X) {}
    }
    impl<T> Hijack for T {}

    #[derive(Element, Clone, Copy)]
    struct Large {
        x: f32,
        list: [f32; 40_000],
    }

    #[kernel]
    fn grow(x: &Field<Large>, out: &mut Field<f32>) {
        for i in out.indices() {
            let mut large = x[i];
            let mut n = 0;
            while large.x < 100.0 && n < 50 {
                large.x = large.x * large.x + 0.3;
                n += 1;
            }
            out[i] = n as f32 + large.list[7];
        }
    }

    #[test]
    fn are_not_preferred() {
        let device = Device::cpu();
        let mut large = vec![
            Large {
                x: 0.0,
                list: [0.5; 40_000]
            };
            3
        ]
        .into_iter();
        let x = Field::from_vec(&device, large.by_ref().collect::<Vec<_>>()).unwrap();
        let mut out = Field::zeros(&device, 3).unwrap();
        grow(&x, &mut out).unwrap();
        let grown = out.to_vec().unwrap();
        assert!(grown.iter().all(|n| *n == grown[0] && *n > 1.0), "{grown:?}");
    }
}
