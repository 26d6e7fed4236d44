//! Types that the kernel's text tells in one place and the derivative's does not: literals without a suffix, values that are needed for their types
//! alone, and names.

use swathe::derivative::Tape;
use swathe::prelude::*;

use super::compare::{case, scattered, states};
use crate::suite::support::sources;

/// In `f32` 0.1 and 0.2 are 0.3, in `f64` they are more.
#[kernel(grad, jvp)]
fn by_write(x: &Field<f32>, w: &mut Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let c = 0.1;
        w[i] = c;
        y[i] = if c + 0.2 > 0.3 { 3.0 * x[i] } else { 5.0 * x[i] };
    }
}

type Real = f32;

#[kernel(grad, jvp)]
fn by_alias(x: &Field<Real>, y: &mut Field<Real>) {
    for i in y.indices() {
        let mut c = 0.1;
        let more = c + 0.2 > 0.3;
        c = x[i];
        y[i] = if more { 3.0 * c } else { 5.0 * c };
    }
}

#[kernel(grad, jvp)]
fn by_type(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let mut c: f32 = 0.0;
        if i < 1000 {
            c = 0.1;
        }
        let more = c + 0.2 > 0.3;
        y[i] = if more { 3.0 * x[i] } else { 5.0 * x[i] };
    }
}

/// Ten rounds in `f32`, one more in `f64`.
#[kernel(grad, jvp)]
fn by_rounds(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let mut t = 0.0;
        let mut sum = 0.0;
        while t < 1.0 {
            sum += x[i] * 0.5;
            t += 0.1;
        }
        y[i] = sum + 0.0 * t;
    }
}

#[func(grad, jvp)]
fn halved(x: f32) -> f32 {
    0.5 * x
}

/// The type is told by the first value, which is not the one that is compared.
#[kernel(grad, jvp)]
fn by_first(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let mut c = halved(x[i]);
        let before = 0.0 * c;
        c = 0.1;
        let v = if c + 0.2 > 0.3 { 3.0 * x[i] } else { 5.0 * x[i] };
        y[i] = v + before;
    }
}

#[kernel(grad, jvp)]
fn by_vector(x: &Field<Vec3>, y: &mut Field<Vec3>) {
    for i in y.indices() {
        let c = 0.1;
        let v = if c + 0.2 > 0.3 { x[i] * 3.0 } else { x[i] * 5.0 };
        y[i] = v + Vec3::ONE * c;
    }
}

/// `!200` is 55 in `u8`, and negative in `i32`.
#[kernel(grad, jvp)]
fn by_integer(x: &Field<f32>, n: &mut Field<u8>, y: &mut Field<f32>) {
    for i in y.indices() {
        let k = 200;
        n[i] = k;
        y[i] = if !k < 0b11 { 3.0 * x[i] } else { 5.0 * x[i] };
    }
}

#[kernel(grad, jvp)]
fn by_index(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let a = [x[i], 2.0 * x[i], x[i] * x[i]];
        let mut sum = 0.0;
        for k in 0..3 {
            if k + 1 < 3 {
                sum += a[k] * a[k + 1];
            }
        }
        y[i] = sum;
    }
}

/// Items of an array have one type, also where a pattern takes it apart.
#[kernel(grad, jvp)]
fn by_item(x: &Field<f64>, z: &Field<f32>, y: &mut Field<f64>) {
    for i in y.indices() {
        let [p, _] = [0.1, z[i]];
        let [[a, b], c] = [[0.1, 1.0], [z[i], 2.0]];
        let [(d, e), (_, f)] = [(0.1, 0.1), (z[i], 1.0)];
        let (g, [_, h]) = (0.1, [z[i], 0.1]);
        let mut k = 0.1;
        let mut l = 0.1;
        [k, l] = [l, z[i]];
        let both = if a + 0.2 > 0.3 || d + 0.2 > 0.3 || h + 0.2 > 0.3 || k + 0.2 > 0.3 {
            1.0
        } else {
            0.0
        };
        // Of `e` and `g` nothing tells it: they are of `f64`.
        let others = if e + 0.2 > 0.3 && g + 0.2 > 0.3 { 0.0 } else { 1.0 };
        let factor = if p + 0.2 > 0.3 { 3.0 } else { 5.0 };
        y[i] = (factor + both + others) * x[i] + 0.0 * ((b + c[0] + l) as f64 + f);
    }
}

/// `_` tells nothing, and takes nothing back.
#[kernel(grad, jvp)]
fn by_rest(x: &Field<f32>, w: &mut Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let c: _ = 0.1;
        w[i] = c;
        y[i] = if c + 0.2 > 0.3 { 3.0 * x[i] } else { 5.0 * x[i] };
    }
}

/// Whole numbers that are told by calls, and are the same in all types of the numbers that rustc finds.
#[kernel(grad, jvp)]
fn by_calls(x: &Field<f64>, w: &mut Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let (a, b) = (3, 2);
        let c = a - b;
        let mut up = 0_usize;
        let mut down = 3;
        while down > -1 {
            down -= 1;
            up += 1;
            w[i] = weighed(down);
        }
        let mut rounds = 0;
        while rounds < 4 {
            rounds += 1;
            w[i] += counted(rounds);
        }
        w[i] += small(c);
        y[i] = if c > 0 && up == 4 { 5.0 * x[i] } else { 3.0 * x[i] };
    }
}

#[func]
fn weighed(n: i64) -> f64 {
    n as f64
}

#[func]
fn counted(n: usize) -> f64 {
    n as f64
}

#[func]
fn small(n: u8) -> f64 {
    n as f64
}

/// What is told by a line that is printed, by the text of a failure, by a pattern, and by a method.
#[kernel(grad, jvp)]
fn by_the_way(x: &Field<f64>, n: &Field<i64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let [a, b, c, d] = [3_000_000, 3_000_000, 3_000_000, 3_000_000];
        let (e, f, g, h) = (3_000_000, 3_000_000, 3_000_000, 3_000_000);
        if n[i] > 100 {
            println!("{}", e + n[i]);
        }
        assert!(n[i] < 100, "{}", f + n[i]);
        let t = match g {
            7_i64 => 1.0,
            _ => 2.0,
        };
        let last = h.wrapping_add(n[i]) - n[i];
        let first = (a + n[i], b - n[i], c * n[i], d.rem_euclid(n[i] + 5));
        let factor = (e * 1000) as f64 + (f * 1000) as f64 + (g * 1000) as f64 + (h * 1000) as f64;
        y[i] = x[i] * (factor * t + (last - h) as f64) + 0.0 * first.0 as f64;
    }
}

#[derive(Element, Clone, Copy)]
struct Counts {
    a: u32,
    b: u32,
}

#[func]
impl Counts {
    fn sum(self) -> u32 {
        self.a + self.b
    }
}

/// A method of the user's with the name of one of vectors.
#[kernel(grad, jvp)]
fn by_own_sum(x: &Field<f64>, c: &Field<Counts>, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut n = 0;
        let mut a = 1.0;
        while n < c[i].sum() {
            a *= x[i];
            n += 1;
        }
        y[i] = a * n as f64;
    }
}

/// Numbers that loops count up to what the text says, in a type that a call tells, and that a struct tells.
#[kernel(grad, jvp)]
fn by_bounds(x: &Field<f64>, c: &Field<Counts>, w: &mut Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut k = 0;
        for _ in 0..30 {
            for _ in 0..=1 {
                k += 100;
            }
        }
        w[i] = counted(k);
        let mut n = 2;
        let mut open = true;
        while open && 90 >= n {
            n += 7;
            if n > 60 {
                n += 1;
                open = i < 1;
            }
        }
        w[i] += Counts { a: n, b: 0 }.sum() as f64;
        let mut m = 0;
        while m < c[i].sum() {
            m += 1;
        }
        y[i] = x[i] * (k as f64 + (n + m) as f64);
    }
}

fn literals(device: &Device) {
    let three = Field::from_slice(device, &[1.0, 2.0, -3.0]).unwrap();
    let counts = Field::from_slice(device, &[1_i64, 2, 3]).unwrap();
    let mut values = Field::<f64>::zeros(device, 3).unwrap();
    let mut g_three = Field::<f64>::zeros(device, 3).unwrap();
    by_the_way::pullback(&three, &counts, &values, &mut g_three, &mut full(device, 3)).unwrap();
    assert_eq!(g_three.to_vec().unwrap(), [24e9; 3], "by_the_way");
    let mut t_values = full(device, 3);
    by_the_way::jvp(&three, &counts, &mut values, &full(device, 3), &mut t_values).unwrap();
    assert_eq!(t_values.to_vec().unwrap(), [24e9; 3], "by_the_way");
    let n = 17;
    let numbers: Vec<f32> = scattered(n, 1).iter().map(|x| *x as f32).collect();
    let x = Field::from_slice(device, &numbers).unwrap();
    let zeros = || Field::<f32>::zeros(device, n).unwrap();
    let ones = || Field::<f32>::full(device, n, 1.0).unwrap();
    let fives = vec![5f32; n];
    let (mut w, mut y) = (zeros(), zeros());
    let (mut g, mut g_w, mut g_y) = (zeros(), zeros(), ones());
    by_write::pullback(&x, &w, &y, &mut g, &mut g_w, &mut g_y).unwrap();
    assert_eq!(g.to_vec().unwrap(), fives, "by_write");
    let (mut t_w, mut t_y) = (zeros(), zeros());
    by_write::jvp(&x, &mut w, &mut y, &ones(), &mut t_w, &mut t_y).unwrap();
    assert_eq!(t_y.to_vec().unwrap(), fives, "by_write");
    let (mut w, mut g_w) = (zeros(), zeros());
    let (mut g, mut g_y) = (zeros(), ones());
    by_rest::pullback(&x, &w, &y, &mut g, &mut g_w, &mut g_y).unwrap();
    assert_eq!(g.to_vec().unwrap(), fives, "by_rest");
    by_rest::jvp(&x, &mut w, &mut y, &ones(), &mut t_w, &mut t_y).unwrap();
    assert_eq!(t_y.to_vec().unwrap(), fives, "by_rest");
    let z = Field::from_slice(device, &[1.5_f32, -1.0, 0.25]).unwrap();
    let zero = || Field::<f64>::zeros(device, 3).unwrap();
    let (mut g, mut g_z) = (zero(), Field::<f32>::zeros(device, 3).unwrap());
    by_item::pullback(&three, &z, &values, &mut g, &mut g_z, &mut full(device, 3)).unwrap();
    assert_eq!(g.to_vec().unwrap(), [5.0; 3], "by_item");
    let t_z = Field::<f32>::zeros(device, 3).unwrap();
    by_item::jvp(&three, &z, &mut values, &full(device, 3), &t_z, &mut t_values).unwrap();
    assert_eq!(t_values.to_vec().unwrap(), [5.0; 3], "by_item");
    assert_eq!(values.to_vec().unwrap(), [5.0, 10.0, -15.0], "by_item");
    by_item(&three, &z, &mut values).unwrap();
    assert_eq!(values.to_vec().unwrap(), [5.0, 10.0, -15.0], "by_item");
    let (mut g, mut g_w) = (zero(), zero());
    by_calls::pullback(&three, &zero(), &values, &mut g, &mut g_w, &mut full(device, 3)).unwrap();
    assert_eq!(g.to_vec().unwrap(), [5.0; 3], "by_calls");
    by_calls::jvp(
        &three,
        &mut zero(),
        &mut values,
        &full(device, 3),
        &mut zero(),
        &mut t_values,
    )
    .unwrap();
    assert_eq!(t_values.to_vec().unwrap(), [5.0; 3], "by_calls");
    let c = Field::from_slice(
        device,
        &[Counts { a: 1, b: 2 }, Counts { a: 0, b: 0 }, Counts { a: 2, b: 0 }],
    )
    .unwrap();
    let (mut g, mut g_c) = (zero(), Field::from_slice(device, &[Counts { a: 0, b: 0 }; 3]).unwrap());
    by_own_sum::pullback(&three, &c, &values, &mut g, &mut g_c, &mut full(device, 3)).unwrap();
    assert_eq!(g.to_vec().unwrap(), [9.0, 0.0, -12.0], "by_own_sum");
    let (mut g, mut g_c, mut w) = (
        zero(),
        Field::from_slice(device, &[Counts { a: 0, b: 0 }; 3]).unwrap(),
        zero(),
    );
    by_bounds::pullback(
        &three,
        &c,
        &w,
        &values,
        &mut g,
        &mut g_c,
        &mut zero(),
        &mut full(device, 3),
    )
    .unwrap();
    assert_eq!(g.to_vec().unwrap(), [6101.0, 6066.0, 6068.0], "by_bounds");
    by_bounds(&three, &c, &mut w, &mut values).unwrap();
    assert_eq!(
        values.to_vec().unwrap(),
        [6101.0, 2.0 * 6066.0, -3.0 * 6068.0],
        "by_bounds"
    );
    macro_rules! of_two {
        ($($kernel:ident)*) => {$({
            let (mut y, mut g, mut t_y) = (zeros(), zeros(), zeros());
            $kernel::pullback(&x, &y, &mut g, &mut ones()).unwrap();
            assert_eq!(g.to_vec().unwrap(), fives, stringify!($kernel));
            $kernel::jvp(&x, &mut y, &ones(), &mut t_y).unwrap();
            assert_eq!(t_y.to_vec().unwrap(), fives, stringify!($kernel));
        })*};
    }
    of_two! { by_alias by_type by_rounds by_first }
    let points: Vec<Vec3> = numbers.iter().map(|x| Vec3::splat(*x)).collect();
    let points = Field::from_slice(device, &points).unwrap();
    let all = |x: f32| Field::full(device, n, Vec3::splat(x)).unwrap();
    let mut g = all(0.0);
    by_vector::pullback(&points, &all(0.0), &mut g, &mut all(1.0)).unwrap();
    assert_eq!(g.to_vec().unwrap(), vec![Vec3::splat(5.0); n]);
    let mut counts = Field::<u8>::zeros(device, n).unwrap();
    let mut g = zeros();
    by_integer::pullback(&x, &counts, &y, &mut g, &mut ones()).unwrap();
    assert_eq!(g.to_vec().unwrap(), fives, "by_integer");
    by_integer::jvp(&x, &mut counts, &mut y, &ones(), &mut t_y).unwrap();
    assert_eq!(t_y.to_vec().unwrap(), fives, "by_integer");
}

/// Divisions and calls of which the gradient of a sum needs the type alone.
#[kernel(grad, jvp)]
fn quotients(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut n = 0;
        let mut sum = x[i];
        for _ in 0..4 {
            n += 1;
            let part = 12 / n;
            sum = sum + part as f64;
            sum += weight(n) * 0.5 + sum.abs().sqrt();
        }
        y[i] = sum;
    }
}

#[func]
fn weight(n: i32) -> f64 {
    assert!(n > 0);
    (60 / n) as f64
}

/// The same of what has a derivative.
#[kernel(grad, jvp)]
fn decays(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut v = x[i];
        let mut k = 3;
        while k > 0 {
            v = v / 2.0 + bounded(x[i], k);
            k -= 1;
        }
        y[i] = v;
    }
}

#[func(grad, jvp)]
fn bounded(x: f64, k: i32) -> f64 {
    assert!(k > 0);
    x * (6 / k) as f64
}

/// Up to the largest value of the type, from there down.
#[kernel(grad, jvp)]
fn to_the_end(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut v = x[i];
        for k in (250..=255u8).rev() {
            v = v * x[i] + 0.01 * k as f64;
        }
        for k in (-128..=-120i8).rev().step_by(3) {
            v = v * x[i] + 0.01 * k as f64;
        }
        for k in (125..=127i8).rev().step_by(2) {
            v = v.sin() * x[i] + 0.01 * k as f64;
        }
        for k in 253..=255u8 {
            v = v.cos() * x[i] + 0.01 * k as f64;
        }
        y[i] = v;
    }
}

/// Names that are used elsewhere.
#[kernel(grad, jvp)]
fn next_0(x: &Field<f64>, next_0: &mut Field<f64>) {
    for i in next_0.indices() {
        let next_1 = x[i] + 1.0;
        let (mut a, mut b) = (next_1, 0.5);
        for _ in 0..3 {
            let next = a * next_1;
            a = b * next_1 + 0.25 * next;
            b = next.sin();
        }
        next_0[i] = a * b;
    }
}

/// A way that fails behind what it writes.
#[kernel(grad, jvp)]
fn failing(x: &Field<f64>, y: &mut Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let t = match i % 3 {
            0 => x[i],
            1 | 2 => x[i] * x[i],
            _ => {
                y[i] = y[i] * 2.0;
                panic!("no remainder")
            }
        };
        out[i] = t * y[i];
    }
}

/// # Safety
/// Nothing to promise.
#[kernel(grad, jvp)]
unsafe fn promised(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        y[i] = x[i] * x[i];
    }
}

fn on_a_tape(device: &Device) {
    let x = Field::from_slice(device, &[0.5, -0.25, 2.0]).unwrap();
    let mut y = Field::<f64>::zeros(device, 3).unwrap();
    let tape = Tape::record([x.source()], || {
        next_0(&x, &mut y)?;
        // SAFETY: there is nothing to promise.
        unsafe { promised(&x, &mut y) }
    })
    .unwrap();
    let seed = Field::full(device, 3, 1.0).unwrap();
    let mut g = tape.backward_from(&[(&y, &seed)]).unwrap();
    assert_eq!(g.take(&x).unwrap().to_vec().unwrap(), [1.0, -0.5, 4.0]);
}

fn full(device: &Device, n: usize) -> Field<f64> {
    Field::full(device, n, 1.0).unwrap()
}

/// Where no gradient arrives none goes on, though the slope there is infinite.
#[kernel(grad)]
fn flat(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let v = x[i];
        y[i] = 1.0 / (1.0 + (-v).exp()) + v.exp().min(10.0) + (2.0 / (v + 1000.0)).min(1.0) + (v * 3.0).cosh().min(2.0);
    }
}

fn infinite_slopes(device: &Device) {
    let x = Field::from_slice(device, &[-1000.0, 1000.0]).unwrap();
    let y = Field::<f64>::zeros(device, 2).unwrap();
    let mut g = Field::<f64>::zeros(device, 2).unwrap();
    flat::pullback(&x, &y, &mut g, &mut full(device, 2)).unwrap();
    assert_eq!(g.to_vec().unwrap(), [0.0, -2.0 / 4e6]);
}

pub fn check(device: &Device) {
    infinite_slopes(device);
    literals(device);
    on_a_tape(device);
    case!(device, by_index, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, quotients, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, decays, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, to_the_end, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, next_0, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, failing, [x: & Field<f64>, y: mut Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1, 1]));
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        __pullback_by_the_way,
        __pullback_by_item,
        __pullback_by_own_sum,
        __pullback_by_bounds,
        __jvp_by_item,
        __pullback_by_rest,
        __pullback_by_calls,
        __pullback_flat,
        __pullback_by_write,
        __jvp_by_write,
        __pullback_by_rounds,
        __pullback_by_integer,
        __pullback_quotients,
        __pullback_decays,
        __jvp_decays,
        __pullback_to_the_end,
        __pullback_next_0,
        __pullback_failing,
    ]
}
