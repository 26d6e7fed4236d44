//! Rules of matrices of floats.

use super::rule::rules;
use crate::func;
use crate::math::Float;
use crate::types::{Matrix, Vector};

#[func]
#[inline(always)]
pub fn neg<T: Float, const R: usize, const C: usize>(_m: Matrix<T, R, C>, d: Matrix<T, R, C>) -> Matrix<T, R, C> {
    -d
}

#[func]
#[inline(always)]
pub fn transpose<T: Float, const R: usize, const C: usize>(_m: Matrix<T, R, C>, d: Matrix<T, C, R>) -> Matrix<T, R, C> {
    d.transpose()
}

#[func]
#[inline(always)]
pub fn transpose_forward<T: Float, const R: usize, const C: usize>(
    _m: Matrix<T, R, C>,
    t: Matrix<T, R, C>,
) -> Matrix<T, C, R> {
    t.transpose()
}

#[func]
#[inline(always)]
pub fn norm_squared<T: Float, const R: usize, const C: usize>(m: Matrix<T, R, C>, d: T) -> Matrix<T, R, C> {
    m * (T::TWO * d)
}

#[func]
#[inline(always)]
pub fn norm_squared_forward<T: Float, const R: usize, const C: usize>(m: Matrix<T, R, C>, t: Matrix<T, R, C>) -> T {
    T::TWO * entries::<T, R, C>(m, t)
}

/// The sum of the products of entries.
#[func]
#[inline(always)]
pub fn entries<T: Float, const R: usize, const C: usize>(a: Matrix<T, R, C>, b: Matrix<T, R, C>) -> T {
    let mut sum = T::ZERO;
    for r in 0..R {
        for c in 0..C {
            sum += a[[r, c]] * b[[r, c]];
        }
    }
    sum
}

#[func]
#[inline(always)]
pub fn trace<T: Float, const N: usize>(_m: Matrix<T, N, N>, d: T) -> Matrix<T, N, N> {
    let mut all = Matrix::<T, N, N>::ZERO;
    for k in 0..N {
        all[[k, k]] = d;
    }
    all
}

#[func]
#[inline(always)]
pub fn trace_forward<T: Float, const N: usize>(_m: Matrix<T, N, N>, t: Matrix<T, N, N>) -> T {
    t.trace()
}

#[func]
#[inline(always)]
pub fn diagonal<T: Float, const N: usize>(_m: Matrix<T, N, N>, d: Vector<T, N>) -> Matrix<T, N, N> {
    let mut all = Matrix::<T, N, N>::ZERO;
    for k in 0..N {
        all[[k, k]] = d[k];
    }
    all
}

#[func]
#[inline(always)]
pub fn diagonal_forward<T: Float, const N: usize>(_m: Matrix<T, N, N>, t: Matrix<T, N, N>) -> Vector<T, N> {
    t.diagonal()
}

rules! { back1 {
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>: Negation -> Matrix<T, R, C> = neg [T, R, C];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>: Transpose -> Matrix<T, C, R> = transpose [T, R, C];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>: NormSquared -> T = norm_squared [T, R, C];
    [T: Float, const N: usize] Matrix<T, N, N>: Trace -> T = trace [T, N];
    [T: Float, const N: usize] Matrix<T, N, N>: Diagonal -> Vector<T, N> = diagonal [T, N];
} }
rules! { forward1 {
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>: Negation -> Matrix<T, R, C> = neg [T, R, C];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>: Transpose -> Matrix<T, C, R> = transpose_forward [T, R, C];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>: NormSquared -> T = norm_squared_forward [T, R, C];
    [T: Float, const N: usize] Matrix<T, N, N>: Trace -> T = trace_forward [T, N];
    [T: Float, const N: usize] Matrix<T, N, N>: Diagonal -> Vector<T, N> = diagonal_forward [T, N];
} }

/// Whether all entries are 0: then no gradient arrives, and none goes on.
#[func]
#[inline(always)]
pub fn nothing<T: Float, const R: usize, const C: usize>(d: Matrix<T, R, C>) -> bool {
    let mut nothing = true;
    for r in 0..R {
        for c in 0..C {
            if d[[r, c]] != T::ZERO {
                nothing = false;
            }
        }
    }
    nothing
}

/// The inverse and the determinant, which are there for some sizes: `d(M^-1) = -M^-1 dM M^-1`, `d det M = det M tr(M^-1 dM)`.
macro_rules! squares {
    ($($n:literal $inverse:ident $inverse_forward:ident $determinant:ident $determinant_forward:ident)*) => {
        $(
            #[func]
            pub fn $inverse<T: Float>(m: Matrix<T, $n, $n>, d: Matrix<T, $n, $n>) -> Matrix<T, $n, $n> {
                if nothing::<T, $n, $n>(d) {
                    Matrix::<T, $n, $n>::ZERO
                } else {
                    let turned = m.inverse().transpose();
                    -(turned * d * turned)
                }
            }

            #[func]
            pub fn $inverse_forward<T: Float>(m: Matrix<T, $n, $n>, t: Matrix<T, $n, $n>) -> Matrix<T, $n, $n> {
                if nothing::<T, $n, $n>(t) {
                    Matrix::<T, $n, $n>::ZERO
                } else {
                    let inverse = m.inverse();
                    -(inverse * t * inverse)
                }
            }

            /// By cofactors, so that it is right for singular matrices, too.
            #[func]
            pub fn $determinant<T: Float>(m: Matrix<T, $n, $n>, d: T) -> Matrix<T, $n, $n> {
                let mut by_entry = Matrix::<T, $n, $n>::ZERO;
                for r in 0..$n {
                    for c in 0..$n {
                        let mut replaced = m;
                        for k in 0..$n {
                            replaced[[r, k]] = T::ZERO;
                        }
                        replaced[[r, c]] = T::ONE;
                        by_entry[[r, c]] = d * replaced.determinant();
                    }
                }
                by_entry
            }

            #[func]
            pub fn $determinant_forward<T: Float>(m: Matrix<T, $n, $n>, t: Matrix<T, $n, $n>) -> T {
                entries::<T, $n, $n>($determinant::<T>(m, T::ONE), t)
            }
        )*
        rules! { back1 { $(
            [T: Float] Matrix<T, $n, $n>: Inverse -> Matrix<T, $n, $n> = $inverse [T];
            [T: Float] Matrix<T, $n, $n>: Determinant -> T = $determinant [T];
        )* } }
        rules! { forward1 { $(
            [T: Float] Matrix<T, $n, $n>: Inverse -> Matrix<T, $n, $n> = $inverse_forward [T];
            [T: Float] Matrix<T, $n, $n>: Determinant -> T = $determinant_forward [T];
        )* } }
    };
}

squares! {
    2 inverse2 inverse2_forward determinant2 determinant2_forward
    3 inverse3 inverse3_forward determinant3 determinant3_forward
    4 inverse4 inverse4_forward determinant4 determinant4_forward
}

#[func]
#[inline(always)]
pub fn add<T: Float, const R: usize, const C: usize>(
    _a: Matrix<T, R, C>,
    _b: Matrix<T, R, C>,
    d: Matrix<T, R, C>,
) -> (Matrix<T, R, C>, Matrix<T, R, C>) {
    (d, d)
}

#[func]
#[inline(always)]
pub fn sub<T: Float, const R: usize, const C: usize>(
    _a: Matrix<T, R, C>,
    _b: Matrix<T, R, C>,
    d: Matrix<T, R, C>,
) -> (Matrix<T, R, C>, Matrix<T, R, C>) {
    (d, -d)
}

#[func]
#[inline(always)]
pub fn mul_number<T: Float, const R: usize, const C: usize>(
    a: Matrix<T, R, C>,
    b: T,
    d: Matrix<T, R, C>,
) -> (Matrix<T, R, C>, T) {
    (d * b, entries::<T, R, C>(d, a))
}

#[func]
#[inline(always)]
pub fn div_number<T: Float, const R: usize, const C: usize>(
    a: Matrix<T, R, C>,
    b: T,
    d: Matrix<T, R, C>,
) -> (Matrix<T, R, C>, T) {
    let (mut by_a, mut by_b) = (d, T::ZERO);
    for r in 0..R {
        for c in 0..C {
            if d[[r, c]] == T::ZERO {
                by_a[[r, c]] = T::ZERO;
            } else {
                by_a[[r, c]] = d[[r, c]] / b;
                by_b -= d[[r, c]] / b * (a[[r, c]] / b);
            }
        }
    }
    (by_a, by_b)
}

#[func]
#[inline(always)]
pub fn number_mul<T: Float, const R: usize, const C: usize>(
    a: T,
    b: Matrix<T, R, C>,
    d: Matrix<T, R, C>,
) -> (T, Matrix<T, R, C>) {
    (entries::<T, R, C>(d, b), d * a)
}

#[func]
#[inline(always)]
pub fn mul<T: Float, const R: usize, const K: usize, const C: usize>(
    a: Matrix<T, R, K>,
    b: Matrix<T, K, C>,
    d: Matrix<T, R, C>,
) -> (Matrix<T, R, K>, Matrix<T, K, C>) {
    (d * b.transpose(), a.transpose() * d)
}

#[func]
#[inline(always)]
pub fn mul_vector<T: Float, const R: usize, const C: usize>(
    a: Matrix<T, R, C>,
    v: Vector<T, C>,
    d: Vector<T, R>,
) -> (Matrix<T, R, C>, Vector<T, C>) {
    let mut by_a = Matrix::<T, R, C>::ZERO;
    for r in 0..R {
        for c in 0..C {
            by_a[[r, c]] = d[r] * v[c];
        }
    }
    (by_a, d * a)
}

#[func]
#[inline(always)]
pub fn vector_mul<T: Float, const R: usize, const C: usize>(
    v: Vector<T, R>,
    a: Matrix<T, R, C>,
    d: Vector<T, C>,
) -> (Vector<T, R>, Matrix<T, R, C>) {
    let mut by_a = Matrix::<T, R, C>::ZERO;
    for r in 0..R {
        for c in 0..C {
            by_a[[r, c]] = v[r] * d[c];
        }
    }
    (a * d, by_a)
}

#[func]
#[inline(always)]
pub fn mul_vec_forward<T: Float, const R: usize, const C: usize>(
    a: Matrix<T, R, C>,
    t_a: Matrix<T, R, C>,
    v: Vector<T, C>,
    t_v: Vector<T, C>,
) -> Vector<T, R> {
    t_a * v + a * t_v
}

rules! { back2 {
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>, Matrix<T, R, C>: Addition -> Matrix<T, R, C> = add [T, R, C];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>, Matrix<T, R, C>: Subtraction -> Matrix<T, R, C> = sub [T, R, C];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>, T: Multiplication -> Matrix<T, R, C> = mul_number [T, R, C];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>, T: Division -> Matrix<T, R, C> = div_number [T, R, C];
    [const R: usize, const C: usize] f32, Matrix<f32, R, C>: Multiplication -> Matrix<f32, R, C> = number_mul [f32, R, C];
    [const R: usize, const C: usize] f64, Matrix<f64, R, C>: Multiplication -> Matrix<f64, R, C> = number_mul [f64, R, C];
    [T: Float, const R: usize, const K: usize, const C: usize] Matrix<T, R, K>, Matrix<T, K, C>: Multiplication -> Matrix<T, R, C> = mul [T, R, K, C];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>, Vector<T, C>: Multiplication -> Vector<T, R> = mul_vector [T, R, C];
    [T: Float, const R: usize, const C: usize] Vector<T, R>, Matrix<T, R, C>: Multiplication -> Vector<T, C> = vector_mul [T, R, C];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>, Vector<T, C>: MulVec -> Vector<T, R> = mul_vector [T, R, C];
} }
rules! { forward2 {
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>, Vector<T, C>: MulVec -> Vector<T, R> = mul_vec_forward [T, R, C];
} }
