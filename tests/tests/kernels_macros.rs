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
                    bins[$to].atomic_add(1);
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

/// What is passed as `$e`, `$n` and `$t` keeps together, as in a plain function of the same macro.
mod fragments {
    use super::*;

    macro_rules! fragments {
        ($e:expr, $n:expr, $t:ty, $p:pat, $l:literal, $b:block, $k:ident, $lt:lifetime, $path:path) => {
            pub fn plain(a: f32) -> f32 {
                a - $e * 2.0
            }

            #[func]
            pub fn function(a: f32) -> f32 {
                a - $e * 2.0
            }

            pub fn plain_arrays(a: [i32; $n * 2]) -> [i32; $n * 3] {
                const C: i32 = ($n) as i32 * 2 - $n as i32;
                let mut r = [C; $n * 3];
                r[$n * 2] = a[$n * 2 - 1] + many::<{ $n * 2 }>(1) - $l;
                r
            }

            #[func]
            pub fn arrays(a: [i32; $n * 2]) -> [i32; $n * 3] {
                const C: i32 = ($n) as i32 * 2 - $n as i32;
                let mut r = [C; $n * 3];
                r[$n * 2] = a[$n * 2 - 1] + many::<{ $n * 2 }>(1) - $l;
                r
            }

            #[derive(Clone, Copy, Element, Debug, PartialEq)]
            pub struct Fragment {
                pub all: [f32; $n * 2],
                pub one: $t,
            }

            #[func]
            impl Fragment {
                pub fn method(self, a: f32) -> f32 {
                    a - $e * 2.0 + self.all[$n * 2 - 1]
                }
                pub fn parts(self, $k: $t) -> $t {
                    assert!($k * $e != 1.0, "{}", 2.0 * $e);
                    let mut sum = 0.0;
                    $lt: while sum < 20.0 {
                        sum += $k;
                        match sum as i32 {
                            $p => break $lt,
                            $l => sum += 1.0,
                            _ => {}
                        }
                    }
                    sum + $b - $path * 2.0 + (if $e > -2.5 { 1.0 } else { 3.0 })
                }
            }

            impl Fragment {
                pub fn plain_parts(self, $k: $t) -> $t {
                    let mut sum = 0.0;
                    $lt: while sum < 20.0 {
                        sum += $k;
                        match sum as i32 {
                            $p => break $lt,
                            $l => sum += 1.0,
                            _ => {}
                        }
                    }
                    sum + $b - $path * 2.0 + (if $e > -2.5 { 1.0 } else { 3.0 })
                }
            }

            #[kernel]
            pub fn kernel(x: &Field<f32>, f: &Field<Fragment>, out: &mut Field<f32>, ints: &mut Field<i32>, a: [i32; $n * 2]) {
                const C: i32 = $n as i32 * 2;
                for i in out.indices() {
                    let c = [C; $n * 2];
                    let sum = arrays(a)[$n * 2] + many::<{ $n * 2 }>(2) * 100 + c[$n * 2 - 1] * 10000;
                    ints[i] = sum - $l;
                    let $k: $t = x[i] - $e * 2.0;
                    out[i] = $k + function(x[i]) * 3.0 + f[i].method(x[i]) * 5.0 + f[i].parts(x[i] + 0.5) * 7.0 + $b;
                }
            }
        };
    }

    #[func]
    fn many<const N: usize>(k: i32) -> i32 {
        let mut sum = 0;
        for _ in 0..N {
            sum += k;
        }
        sum
    }

    const HALF: f32 = 0.5;

    fragments!(1.0 - 3.5, 1 + 2, f32, 7 | 15..=18, -1, { 0.25 - 1.0 }, k, 'around, self::HALF);

    #[test]
    fn keep_together() {
        assert_eq!(plain(100.0), 105.0);
        assert_eq!(function(100.0), 105.0);
        let a = [1, 2, 3, 4, 5, 6];
        assert_eq!(arrays(a), plain_arrays(a));
        let fragment = Fragment {
            all: [0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
            one: 1.0,
        };
        assert_eq!(fragment.method(1.0), 1.0 + 5.0 + 5.0);
        assert_eq!(fragment.parts(1.5), fragment.plain_parts(1.5));
        let cpu = Device::cpu();
        let x: Vec<f32> = (0..37).map(|i| i as f32 + 0.5).collect();
        let mut out = Field::zeros(&cpu, 37).unwrap();
        let mut ints = Field::zeros(&cpu, 37).unwrap();
        let fragments = Field::full(&cpu, 37, fragment).unwrap();
        kernel(
            &Field::from_slice(&cpu, &x).unwrap(),
            &fragments,
            &mut out,
            &mut ints,
            a,
        )
        .unwrap();
        for (i, x) in x.into_iter().enumerate() {
            let want =
                x + 5.0 + plain(x) * 3.0 + (x + 5.0 + 5.0) * 5.0 + fragment.plain_parts(x + 0.5) * 7.0 + (0.25 - 1.0);
            assert!((out.to_vec().unwrap()[i] - want).abs() < 1e-3, "{i}");
            assert_eq!(ints.to_vec().unwrap()[i], plain_arrays(a)[6] + 1200 + 60_000 + 1);
        }
        kernel::cuda_source().unwrap();
    }
}

/// The end of a range is a block that is passed as `$end`, in front of the body of a loop.
#[test]
fn ranges_end_at_blocks() {
    macro_rules! rounds {
        ($end:expr, $block:block) => {
            #[kernel]
            fn rounds(out: &mut Field<u64, 2>) {
                for [i, j] in ndrange([$end, 3]) {
                    let mut sum = 0;
                    for k in 0..$end {
                        sum += k + i;
                    }
                    for k in 1..=$block {
                        sum += 100 * k;
                    }
                    for k in 0..$end + 1 {
                        sum += 10000 * k;
                    }
                    out[[i, j]] = (sum + j) as u64;
                }
            }

            fn plain(i: usize, j: usize) -> usize {
                let mut sum = 0;
                for k in 0..$end {
                    sum += k + i;
                }
                for k in 1..=$block {
                    sum += 100 * k;
                }
                for k in 0..$end + 1 {
                    sum += 10000 * k;
                }
                sum + j
            }
        };
    }
    rounds!({ 2 + 2 }, { 5 - 2 });
    let mut out = Field::zeros(&Device::cpu(), [4, 3]).unwrap();
    rounds(&mut out).unwrap();
    let want: Vec<u64> = (0..12).map(|k| plain(k / 3, k % 3) as u64).collect();
    assert_eq!(out.to_vec().unwrap(), want);
    rounds::cuda_source().unwrap();
}

/// Loops whose text comes from another macro than the attribute.
mod passed_on {
    use super::*;

    macro_rules! items {
        ($i:item $(#[$attr:ident] $j:item)*) => {
            #[func]
            $i
            $(#[$attr] $j)*
        };
    }
    macro_rules! body {
        ($name:ident $b:block) => {
            #[func]
            fn $name(_a: f32) -> f32 $b
        };
    }
    macro_rules! tokens {
        ($name:ident($a:ident) $($t:tt)*) => {
            #[func]
            fn $name($a: f32) -> f32 {
                $($t)*
            }
        };
    }

    items! {
        fn item(a: f32) -> f32 {
            let mut n = a;
            while n < 3.0 {
                n += 1.0;
            }
            n
        }
        #[kernel]
        fn kernel(x: &Field<f32>, out: &mut Field<f32>) {
            for i in out.indices() {
                let mut n = x[i];
                while n < 9.0 {
                    if n > 5.0 {
                        n = item(n) + 2.0;
                    } else {
                        for _ in 0..2 {
                            n += 0.5;
                        }
                    }
                }
                out[i] = n + block(x[i]) + tokens(x[i]) + item(x[i]);
            }
        }
    }

    tokens! { tokens(b)
        let mut n = b;
        if n < 2.0 {
            while n < 3.0 {
                n += 1.25;
            }
        }
        n
    }

    macro_rules! with_block {
        ($b:block) => {
            body!(block $b);
        };
    }
    // The names of its parameters are those of the macro's own text.
    macro_rules! of_block {
        ($a:ident $b:block) => {
            #[func]
            fn of_block($a: f32) -> f32 $b
        };
    }
    with_block!({
        let mut n = 0.5;
        while n < 3.0 {
            n += 1.0;
        }
        n
    });
    of_block!(a {
        let mut n = a;
        while n < 3.0 && n > -100.0 {
            n *= 2.0;
            if n < -10.0 {
                break;
            }
        }
        n
    });

    #[test]
    fn run() {
        assert_eq!(
            (item(0.5), block(7.0), tokens(0.0), of_block(1.0), of_block(-1.0)),
            (3.5, 3.5, 3.75, 4.0, -16.0)
        );
        let cpu = Device::cpu();
        let x = Field::from_slice(&cpu, &[0.0, 1.0, 8.0]).unwrap();
        let mut out = Field::zeros(&cpu, 3).unwrap();
        kernel(&x, &mut out).unwrap();
        let plain = |x: f32| {
            let mut n = x;
            while n < 9.0 {
                n = if n > 5.0 { n + 2.0 } else { n + 1.0 };
            }
            n + 3.5 + tokens(x) + item(x)
        };
        assert_eq!(out.to_vec().unwrap(), [0.0, 1.0, 8.0].map(plain));
    }
}

/// Fragments are what they stand for: a field's type, a position, a range, a shape.
mod parts {
    use super::*;

    macro_rules! parts {
        ($u:ident: $t:ty, [$i:ident, $j:ident] in $shape:expr, $at:expr, $range:expr, $value:expr, $number:ty) => {
            #[func]
            fn less(k: usize, x: f32) -> f32 {
                if k as $number < 3 { x.max($value) } else { $value.sin() - x / $value }
            }

            #[kernel]
            fn own($u: &mut $t, x: &Field<f32>) {
                for [$i, $j] in ndrange($shape) {
                    let mut s = $value;
                    for k in $range {
                        s += less(k, x[$i]) * $value;
                    }
                    $u[$at] = s;
                }
            }
        };
    }
    parts!(u: Field<f32, 2>, [i, j] in [5, 7], [i, j], 1..4, -0.25_f32, i32);

    #[test]
    fn stand_for_themselves() {
        let cpu = Device::cpu();
        let x: Vec<f32> = (0..5).map(|i| i as f32 * 0.5 - 1.0).collect();
        let mut u = Field::zeros(&cpu, [5, 7]).unwrap();
        own(&mut u, &Field::from_slice(&cpu, &x).unwrap()).unwrap();
        let u = u.to_vec().unwrap();
        for i in 0..5 {
            let first = x[i].max(-0.25);
            let last = (-0.25_f32).sin() + x[i] / 0.25;
            let want = -0.25 - (first * 2.0 + last) * 0.25;
            for j in 0..7 {
                assert!((u[i * 7 + j] - want).abs() < 1e-6, "{i} {j}");
            }
        }
        // Each iteration has its own element, and the shape bounds the index.
        own::cuda_source().unwrap();
    }
}

/// Statements that come as fragments, which have no semicolon of their own.
mod statements {
    use swathe::prelude::*;

    macro_rules! with {
        ($one:ident $two:ident $three:ident: $first:stmt, $second:stmt, $last:stmt) => {
            #[func]
            fn of(x: i32) -> i32 {
                $first;
                $second;
                #[allow(redundant_semicolons)]
                {
                    $last
                    $two * x + $one + $three
                }
            }

            #[kernel]
            fn kernel(x: &mut Field<i32>) {
                $first;
                for i in x.indices() {
                    $second;
                    $last
                    x[i] = of(x[i]) + 100 * ($one + $two) + $three;
                }
            }
        };
    }
    with!(one two three: let one = 1, let two: i32 = { 2 * one }, let three = one + two);

    #[test]
    fn run() {
        let mut x = Field::from_slice(&Device::cpu(), &[3, 5, 8]).unwrap();
        kernel(&mut x).unwrap();
        assert_eq!(x.to_vec().unwrap(), [3, 5, 8].map(|x| 2 * x + 1 + 3 + 300 + 3));
    }
}
