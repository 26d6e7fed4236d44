//! Rules of vectors of floats.

use half::{bf16, f16};

use super::rule::rules;
use crate::func;
use crate::math::Float;
use crate::types::{Matrix, Vector};

/// What takes each component for itself, by the rules of numbers.
macro_rules! by_component {
    ($($k:ident $name:ident($x:ident, $d:ident) = $value:expr;)*) => {
        $(
            #[func]
            #[inline(always)]
            pub fn $name<T: Float, const N: usize>($x: Vector<T, N>, $d: Vector<T, N>) -> Vector<T, N> {
                $value
            }
        )*
        rules! { back1 { $([T: Float, const N: usize] Vector<T, N>: $k -> Vector<T, N> = $name [T, N];)* } }
        rules! { forward1 { $([T: Float, const N: usize] Vector<T, N>: $k -> Vector<T, N> = $name [T, N];)* } }
    };
}

by_component! {
    Negation neg(_v, d) = -d;
    Floor floor(_v, _d) = Vector::<T, N>::ZERO;
    Ceil ceil(_v, _d) = Vector::<T, N>::ZERO;
    Round round(_v, _d) = Vector::<T, N>::ZERO;
    Fract fract(_v, d) = d;
    Abs abs(v, d) = {
        let mut s = d;
        for k in 0..N {
            s[k] = if v[k] > T::ZERO { d[k] } else if v[k] < T::ZERO { -d[k] } else { T::ZERO };
        }
        s
    };
}

#[func]
#[inline(always)]
pub fn as_usize<T: Float, const N: usize>(_v: Vector<T, N>, _d: [usize; N]) -> Vector<T, N> {
    Vector::<T, N>::ZERO
}

#[func]
#[inline(always)]
pub fn as_usize_forward<T: Float, const N: usize>(_v: Vector<T, N>, _t: Vector<T, N>) -> [usize; N] {
    [0; N]
}

rules! { back1 { [T: Float, const N: usize] Vector<T, N>: AsUsize -> [usize; N] = as_usize [T, N]; } }
rules! { forward1 { [T: Float, const N: usize] Vector<T, N>: AsUsize -> [usize; N] = as_usize_forward [T, N]; } }

/// Operations of two vectors that give a vector, component by component.
macro_rules! of_two {
    ($($k:ident $back:ident $forward:ident($a:ident, $b:ident, $d:ident) = $value:expr;)*) => {
        $(
            #[func]
            #[inline(always)]
            pub fn $back<T: Float, const N: usize>(
                $a: Vector<T, N>,
                $b: Vector<T, N>,
                $d: Vector<T, N>,
            ) -> (Vector<T, N>, Vector<T, N>) {
                $value
            }

            #[func]
            #[inline(always)]
            pub fn $forward<T: Float, const N: usize>(
                a: Vector<T, N>,
                t_a: Vector<T, N>,
                b: Vector<T, N>,
                t_b: Vector<T, N>,
            ) -> Vector<T, N> {
                let (by_a, _) = $back::<T, N>(a, b, t_a);
                let (_, by_b) = $back::<T, N>(a, b, t_b);
                by_a + by_b
            }
        )*
        rules! { back2 { $([T: Float, const N: usize] Vector<T, N>, Vector<T, N>: $k -> Vector<T, N> = $back [T, N];)* } }
        rules! { forward2 { $([T: Float, const N: usize] Vector<T, N>, Vector<T, N>: $k -> Vector<T, N> = $forward [T, N];)* } }
    };
}

of_two! {
    Addition add add_forward(_a, _b, d) = (d, d);
    Subtraction sub sub_forward(_a, _b, d) = (d, -d);
    Multiplication mul mul_forward(a, b, d) = (d * b, d * a);
    Division div div_forward(a, b, d) = {
        let (mut by_a, mut by_b) = (d, d);
        for k in 0..N {
            if d[k] == T::ZERO {
                by_a[k] = T::ZERO;
                by_b[k] = T::ZERO;
            } else {
                by_a[k] = d[k] / b[k];
                by_b[k] = -(d[k] / b[k] * (a[k] / b[k]));
            }
        }
        (by_a, by_b)
    };
    Remainder rem rem_forward(a, b, d) = {
        let mut by_b = d;
        for k in 0..N {
            by_b[k] = if d[k] == T::ZERO { T::ZERO } else { -(d[k] * ((a[k] - a[k] % b[k]) / b[k]).round()) };
        }
        (d, by_b)
    };
    Min min min_forward(a, b, d) = {
        let (mut by_a, mut by_b) = (d, d);
        for k in 0..N {
            if a[k] <= b[k] || b[k].is_nan() {
                by_b[k] = T::ZERO;
            } else {
                by_a[k] = T::ZERO;
            }
        }
        (by_a, by_b)
    };
    Max max max_forward(a, b, d) = {
        let (mut by_a, mut by_b) = (d, d);
        for k in 0..N {
            if a[k] >= b[k] || b[k].is_nan() {
                by_b[k] = T::ZERO;
            } else {
                by_a[k] = T::ZERO;
            }
        }
        (by_a, by_b)
    };
}

/// Operators between a vector and a number.
macro_rules! by_number {
    ($($k:ident $back:ident($a:ident, $b:ident, $d:ident) = $value:expr;)*) => {
        $(
            #[func]
            #[inline(always)]
            pub fn $back<T: Float, const N: usize>($a: Vector<T, N>, $b: T, $d: Vector<T, N>) -> (Vector<T, N>, T) {
                $value
            }
        )*
        rules! { back2 { $([T: Float, const N: usize] Vector<T, N>, T: $k -> Vector<T, N> = $back [T, N];)* } }
    };
}

by_number! {
    Addition add_number(_a, _b, d) = (d, d.sum());
    Subtraction sub_number(_a, _b, d) = (d, -d.sum());
    Multiplication mul_number(a, b, d) = (d * b, d.dot(a));
    Division div_number(a, b, d) = {
        let (mut by_a, mut by_b) = (d, T::ZERO);
        for k in 0..N {
            if d[k] == T::ZERO {
                by_a[k] = T::ZERO;
            } else {
                by_a[k] = d[k] / b;
                by_b -= d[k] / b * (a[k] / b);
            }
        }
        (by_a, by_b)
    };
}

/// Operators between a number and a vector, which are there for one type of numbers at a time.
macro_rules! of_number {
    ($($k:ident $back:ident($a:ident, $b:ident, $d:ident) = $value:expr;)*) => {
        $(
            #[func]
            #[inline(always)]
            pub fn $back<T: Float, const N: usize>($a: T, $b: Vector<T, N>, $d: Vector<T, N>) -> (T, Vector<T, N>) {
                $value
            }
        )*
        of_number! { @for f16: $($k $back)* }
        of_number! { @for bf16: $($k $back)* }
        of_number! { @for f32: $($k $back)* }
        of_number! { @for f64: $($k $back)* }
    };
    (@for $t:ident: $($k:ident $back:ident)*) => {
        rules! { back2 { $([const N: usize] $t, Vector<$t, N>: $k -> Vector<$t, N> = $back [$t, N];)* } }
    };
}

of_number! {
    Addition number_add(_a, _b, d) = (d.sum(), d);
    Subtraction number_sub(_a, _b, d) = (d.sum(), -d);
    Multiplication number_mul(a, b, d) = (d.dot(b), d * a);
    Division number_div(a, b, d) = {
        let (mut by_a, mut by_b) = (T::ZERO, d);
        for k in 0..N {
            if d[k] == T::ZERO {
                by_b[k] = T::ZERO;
            } else {
                by_a += d[k] / b[k];
                by_b[k] = -(d[k] / b[k] / b[k] * a);
            }
        }
        (by_a, by_b)
    };
}

#[func]
#[inline(always)]
pub fn length_squared<T: Float, const N: usize>(v: Vector<T, N>, d: T) -> Vector<T, N> {
    v * (T::TWO * d)
}

#[func]
#[inline(always)]
pub fn length_squared_forward<T: Float, const N: usize>(v: Vector<T, N>, t: Vector<T, N>) -> T {
    T::TWO * v.dot(t)
}

/// 0 where the length is 0.
#[func]
#[inline(always)]
pub fn length<T: Float, const N: usize>(v: Vector<T, N>, d: T) -> Vector<T, N> {
    let length = v.length();
    if length == T::ZERO {
        Vector::<T, N>::ZERO
    } else {
        (v / length) * d
    }
}

#[func]
#[inline(always)]
pub fn length_forward<T: Float, const N: usize>(v: Vector<T, N>, t: Vector<T, N>) -> T {
    let length = v.length();
    if length == T::ZERO {
        T::ZERO
    } else {
        (v / length).dot(t)
    }
}

/// The derivative is symmetric: gradients and tangents go by the same function. 0 where none arrives, whatever the vector is.
#[func]
#[inline(always)]
pub fn normalized<T: Float, const N: usize>(v: Vector<T, N>, d: Vector<T, N>) -> Vector<T, N> {
    let mut nothing = true;
    for k in 0..N {
        if d[k] != T::ZERO {
            nothing = false;
        }
    }
    if nothing {
        Vector::<T, N>::ZERO
    } else {
        let length = v.length();
        let n = v / length;
        (d - n * n.dot(d)) / length
    }
}

#[func]
#[inline(always)]
pub fn normalized_or_zero<T: Float, const N: usize>(v: Vector<T, N>, d: Vector<T, N>) -> Vector<T, N> {
    let length = v.length();
    if length > T::ZERO && length.is_finite() {
        let n = v / length;
        (d - n * n.dot(d)) / length
    } else {
        Vector::<T, N>::ZERO
    }
}

#[func]
#[inline(always)]
pub fn sum<T: Float, const N: usize>(_v: Vector<T, N>, d: T) -> Vector<T, N> {
    let mut all = Vector::<T, N>::ZERO;
    for k in 0..N {
        all[k] = d;
    }
    all
}

#[func]
#[inline(always)]
pub fn sum_forward<T: Float, const N: usize>(_v: Vector<T, N>, t: Vector<T, N>) -> T {
    t.sum()
}

#[func]
#[inline(always)]
pub fn perp<T: Float>(_v: Vector<T, 2>, d: Vector<T, 2>) -> Vector<T, 2> {
    Vector::<T, 2>::new(d.y, -d.x)
}

#[func]
#[inline(always)]
pub fn perp_forward<T: Float>(_v: Vector<T, 2>, t: Vector<T, 2>) -> Vector<T, 2> {
    t.perp()
}

rules! { back1 {
    [T: Float, const N: usize] Vector<T, N>: LengthSquared -> T = length_squared [T, N];
    [T: Float, const N: usize] Vector<T, N>: Length -> T = length [T, N];
    [T: Float, const N: usize] Vector<T, N>: Norm -> T = length [T, N];
    [T: Float, const N: usize] Vector<T, N>: Normalized -> Vector<T, N> = normalized [T, N];
    [T: Float, const N: usize] Vector<T, N>: NormalizedOrZero -> Vector<T, N> = normalized_or_zero [T, N];
    [T: Float, const N: usize] Vector<T, N>: Sum -> T = sum [T, N];
    [T: Float] Vector<T, 2>: Perp -> Vector<T, 2> = perp [T];
} }
rules! { forward1 {
    [T: Float, const N: usize] Vector<T, N>: LengthSquared -> T = length_squared_forward [T, N];
    [T: Float, const N: usize] Vector<T, N>: Length -> T = length_forward [T, N];
    [T: Float, const N: usize] Vector<T, N>: Norm -> T = length_forward [T, N];
    [T: Float, const N: usize] Vector<T, N>: Normalized -> Vector<T, N> = normalized [T, N];
    [T: Float, const N: usize] Vector<T, N>: NormalizedOrZero -> Vector<T, N> = normalized_or_zero [T, N];
    [T: Float, const N: usize] Vector<T, N>: Sum -> T = sum_forward [T, N];
    [T: Float] Vector<T, 2>: Perp -> Vector<T, 2> = perp_forward [T];
} }

#[func]
#[inline(always)]
pub fn dot<T: Float, const N: usize>(a: Vector<T, N>, b: Vector<T, N>, d: T) -> (Vector<T, N>, Vector<T, N>) {
    (b * d, a * d)
}

#[func]
#[inline(always)]
pub fn dot_forward<T: Float, const N: usize>(
    a: Vector<T, N>,
    t_a: Vector<T, N>,
    b: Vector<T, N>,
    t_b: Vector<T, N>,
) -> T {
    t_a.dot(b) + a.dot(t_b)
}

#[func]
#[inline(always)]
pub fn cross<T: Float>(a: Vector<T, 3>, b: Vector<T, 3>, d: Vector<T, 3>) -> (Vector<T, 3>, Vector<T, 3>) {
    (b.cross(d), d.cross(a))
}

#[func]
#[inline(always)]
pub fn cross_forward<T: Float>(a: Vector<T, 3>, t_a: Vector<T, 3>, b: Vector<T, 3>, t_b: Vector<T, 3>) -> Vector<T, 3> {
    t_a.cross(b) + a.cross(t_b)
}

#[func]
#[inline(always)]
pub fn perp_dot<T: Float>(a: Vector<T, 2>, b: Vector<T, 2>, d: T) -> (Vector<T, 2>, Vector<T, 2>) {
    (Vector::<T, 2>::new(b.y, -b.x) * d, Vector::<T, 2>::new(-a.y, a.x) * d)
}

#[func]
#[inline(always)]
pub fn perp_dot_forward<T: Float>(a: Vector<T, 2>, t_a: Vector<T, 2>, b: Vector<T, 2>, t_b: Vector<T, 2>) -> T {
    t_a.perp_dot(b) + a.perp_dot(t_b)
}

#[func]
#[inline(always)]
pub fn distance<T: Float, const N: usize>(a: Vector<T, N>, b: Vector<T, N>, d: T) -> (Vector<T, N>, Vector<T, N>) {
    let way = a - b;
    let length = way.length();
    let along = if length == T::ZERO {
        Vector::<T, N>::ZERO
    } else {
        (way / length) * d
    };
    (along, -along)
}

#[func]
#[inline(always)]
pub fn distance_forward<T: Float, const N: usize>(
    a: Vector<T, N>,
    t_a: Vector<T, N>,
    b: Vector<T, N>,
    t_b: Vector<T, N>,
) -> T {
    length_forward::<T, N>(a - b, t_a - t_b)
}

#[func]
#[inline(always)]
pub fn distance_squared<T: Float, const N: usize>(
    a: Vector<T, N>,
    b: Vector<T, N>,
    d: T,
) -> (Vector<T, N>, Vector<T, N>) {
    let along = (a - b) * (T::TWO * d);
    (along, -along)
}

#[func]
#[inline(always)]
pub fn distance_squared_forward<T: Float, const N: usize>(
    a: Vector<T, N>,
    t_a: Vector<T, N>,
    b: Vector<T, N>,
    t_b: Vector<T, N>,
) -> T {
    let way = a - b;
    T::TWO * way.dot(t_a - t_b)
}

/// `a - n (2 a.n)`.
#[func]
#[inline(always)]
pub fn reflect<T: Float, const N: usize>(
    a: Vector<T, N>,
    n: Vector<T, N>,
    d: Vector<T, N>,
) -> (Vector<T, N>, Vector<T, N>) {
    let along = d.dot(n);
    (
        d - n * (T::TWO * along),
        -(d * (T::TWO * a.dot(n)) + a * (T::TWO * along)),
    )
}

#[func]
#[inline(always)]
pub fn reflect_forward<T: Float, const N: usize>(
    a: Vector<T, N>,
    t_a: Vector<T, N>,
    n: Vector<T, N>,
    t_n: Vector<T, N>,
) -> Vector<T, N> {
    let two = T::TWO;
    t_a - t_n * (two * a.dot(n)) - n * (two * (t_a.dot(n) + a.dot(t_n)))
}

/// Entry (r, c) is `a[r] * b[c]`.
#[func]
#[inline(always)]
pub fn outer_product<T: Float, const N: usize>(
    a: Vector<T, N>,
    b: Vector<T, N>,
    d: Matrix<T, N, N>,
) -> (Vector<T, N>, Vector<T, N>) {
    (d * b, a * d)
}

#[func]
#[inline(always)]
pub fn outer_product_forward<T: Float, const N: usize>(
    a: Vector<T, N>,
    t_a: Vector<T, N>,
    b: Vector<T, N>,
    t_b: Vector<T, N>,
) -> Matrix<T, N, N> {
    t_a.outer_product(b) + a.outer_product(t_b)
}

rules! { back2 {
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: Dot -> T = dot [T, N];
    [T: Float] Vector<T, 3>, Vector<T, 3>: Cross -> Vector<T, 3> = cross [T];
    [T: Float] Vector<T, 2>, Vector<T, 2>: PerpDot -> T = perp_dot [T];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: Distance -> T = distance [T, N];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: DistanceSquared -> T = distance_squared [T, N];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: Reflect -> Vector<T, N> = reflect [T, N];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: OuterProduct -> Matrix<T, N, N> = outer_product [T, N];
} }
rules! { forward2 {
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: Dot -> T = dot_forward [T, N];
    [T: Float] Vector<T, 3>, Vector<T, 3>: Cross -> Vector<T, 3> = cross_forward [T];
    [T: Float] Vector<T, 2>, Vector<T, 2>: PerpDot -> T = perp_dot_forward [T];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: Distance -> T = distance_forward [T, N];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: DistanceSquared -> T = distance_squared_forward [T, N];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: Reflect -> Vector<T, N> = reflect_forward [T, N];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>: OuterProduct -> Matrix<T, N, N> = outer_product_forward [T, N];
} }

/// `a (1 - s) + b s`.
#[func]
#[inline(always)]
pub fn lerp<T: Float, const N: usize>(
    a: Vector<T, N>,
    b: Vector<T, N>,
    s: T,
    d: Vector<T, N>,
) -> (Vector<T, N>, Vector<T, N>, T) {
    (d * (T::ONE - s), d * s, d.dot(b - a))
}

#[func]
#[inline(always)]
pub fn lerp_forward<T: Float, const N: usize>(
    a: Vector<T, N>,
    t_a: Vector<T, N>,
    b: Vector<T, N>,
    t_b: Vector<T, N>,
    s: T,
    t_s: T,
) -> Vector<T, N> {
    t_a * (T::ONE - s) + t_b * s + (b - a) * t_s
}

#[func]
#[inline(always)]
pub fn clamp<T: Float, const N: usize>(
    a: Vector<T, N>,
    low: Vector<T, N>,
    high: Vector<T, N>,
    d: Vector<T, N>,
) -> (Vector<T, N>, Vector<T, N>, Vector<T, N>) {
    let (by_raised, by_high) = min::<T, N>(a.max(low), high, d);
    let (by_a, by_low) = max::<T, N>(a, low, by_raised);
    (by_a, by_low, by_high)
}

#[func]
#[inline(always)]
pub fn clamp_forward<T: Float, const N: usize>(
    a: Vector<T, N>,
    t_a: Vector<T, N>,
    low: Vector<T, N>,
    t_low: Vector<T, N>,
    high: Vector<T, N>,
    t_high: Vector<T, N>,
) -> Vector<T, N> {
    let t_raised = max_forward::<T, N>(a, t_a, low, t_low);
    min_forward::<T, N>(a.max(low), t_raised, high, t_high)
}

rules! { back3 {
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>, T: Lerp -> Vector<T, N> = lerp [T, N];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>, Vector<T, N>: Clamp -> Vector<T, N> = clamp [T, N];
} }
rules! { forward3 {
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>, T: Lerp -> Vector<T, N> = lerp_forward [T, N];
    [T: Float, const N: usize] Vector<T, N>, Vector<T, N>, Vector<T, N>: Clamp -> Vector<T, N> = clamp_forward [T, N];
} }
