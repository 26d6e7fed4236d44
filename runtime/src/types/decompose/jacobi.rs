//! Plane rotations, of which all decompositions consist.

use crate::func;
use crate::math::Float;
use crate::types::Vector;

/// Most sweeps of a Jacobi method: with quadratic convergence 5 to 8 are needed, and a NaN ends.
pub(super) const SWEEPS: usize = 16;

/// Replaces two vectors by what they are in axes turned by an angle with this cosine and sine.
#[func]
pub(super) fn turn<T: Float, const N: usize>(x: &mut Vector<T, N>, y: &mut Vector<T, N>, cos: T, sin: T) {
    let old = *x;
    *x = old * cos - *y * sin;
    *y = old * sin + *y * cos;
}

/// Exchanges two vectors by a quarter turn, which keeps the determinant.
#[func]
pub(super) fn exchange<T: Float, const N: usize>(x: &mut Vector<T, N>, y: &mut Vector<T, N>) {
    let old = *x;
    *x = *y;
    *y = -old;
}

/// Tangent, cosine and sine of the rotation that makes `[[a, b], [b, c]]` diagonal, by at most an eighth of a turn.
///
/// `b` is not zero. G. H. Golub, C. F. Van Loan: Matrix Computations, 4th edition (2013), section 8.5.2 (symmetric Schur decomposition),
/// with the tangent as `2b / (d + sqrt(d^2 + 4b^2))`, in which nothing overflows.
#[func]
pub(super) fn schur<T: Float>(a: T, b: T, c: T) -> [T; 3] {
    let double = T::TWO * b;
    let d = (c - a).abs();
    // Where both squares vanish beside numbers that do not, the quotient exceeds its bound.
    let size = (double.abs() / (d + (d * d + double * double).sqrt())).min(T::ONE);
    let tan = if (c < a) == (b < T::ZERO) { size } else { -size };
    let cos = T::ONE / (T::ONE + tan * tan).sqrt();
    [tan, cos, tan * cos]
}

/// Makes two columns of a matrix orthogonal by a rotation, applied to two columns of `v` as well. Whether they were not.
///
/// M. R. Hestenes: Inversion of matrices by biorthogonalization and related results. J. SIAM 6 (1958). The criterion is that of
/// J. Demmel, K. Veselic: Jacobi's method is more accurate than QR. SIAM J. Matrix Anal. Appl. 13 (1992).
#[func]
pub(super) fn orthogonalize<T: Float, const N: usize>(
    x: &mut Vector<T, N>,
    y: &mut Vector<T, N>,
    v: &mut Vector<T, N>,
    w: &mut Vector<T, N>,
) -> bool {
    let (a, b, c) = (x.dot(*x), x.dot(*y), y.dot(*y));
    let turned = b.abs() > T::EPSILON * (a * c).sqrt();
    if turned {
        let [_, cos, sin] = schur(a, b, c);
        turn(x, y, cos, sin);
        turn(v, w, cos, sin);
    }
    turned
}

/// Cosine and sine of the rotation by [`turn`] that takes (`a`, `b`) to (length, 0).
///
/// Golub and Van Loan, section 5.1.8 (Givens rotations).
#[func]
pub(super) fn givens<T: Float>(a: T, b: T) -> [T; 2] {
    let most = a.abs().max(b.abs());
    let mut cos = T::ONE;
    let mut sin = T::ZERO;
    if most > T::ZERO {
        let x = a / most;
        let y = b / most;
        let length = (x * x + y * y).sqrt();
        cos = x / length;
        sin = -y / length;
    }
    [cos, sin]
}

/// A vector of length 1 perpendicular to one of length 1.
///
/// T. Duff, J. Burgess, P. Christensen, C. Hery, A. Kensler, M. Liani, R. Villemin: Building an orthonormal basis, revisited.
/// J. Comput. Graph. Tech. 6 (2017).
#[func]
pub(super) fn perpendicular<T: Float>(n: Vector<T, 3>) -> Vector<T, 3> {
    let sign = T::ONE.copysign(n.z);
    let b = -n.x * n.y / (sign + n.z);
    Vector::<T, 3>::new(b, sign - n.y * n.y / (sign + n.z), -n.y)
}
