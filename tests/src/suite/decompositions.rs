//! Decompositions of matrices, by what they promise and against the crate `nalgebra`.

use nalgebra::DMatrix;
use swathe::math::Float;
use swathe::prelude::*;
use swathe::random::Rng;
use swathe::types::{Polar, Qr, Svd, SymmetricEigen};
use swathe::{bf16, f16};

use super::support::{field, sources};

/// What is known of one matrix.
#[derive(Element, Clone, Copy, Debug)]
struct Known<T: Float, const N: usize> {
    svd: Svd<T, N>,
    polar: Polar<T, N>,
    eigen: SymmetricEigen<T, N>,
    qr: Qr<T, N>,
}

impl<T: Float, const N: usize> Known<T, N> {
    fn matrices(&self) -> [Matrix<T, N, N>; 7] {
        let Known { svd, polar, eigen, qr } = self;
        [svd.u, svd.v, polar.rotation, eigen.vectors, qr.q, polar.stretch, qr.r]
    }

    fn vectors(&self) -> [Vector<T, N>; 2] {
        [self.svd.s, self.eigen.values]
    }
}

/// A matrix in `f64`.
fn wide<T: Float, const N: usize>(m: Matrix<T, N, N>) -> DMatrix<f64> {
    DMatrix::from_fn(N, N, |r, c| m[[r, c]].as_f64())
}

fn diagonal<T: Float, const N: usize>(v: Vector<T, N>) -> DMatrix<f64> {
    DMatrix::from_fn(N, N, |r, c| if r == c { v[r].as_f64() } else { 0.0 })
}

/// Asserts what the documentation promises. Errors are units of the last place of the largest entry.
fn verify<T: Float, const N: usize>(name: &str, m: Matrix<T, N, N>, known: &Known<T, N>) {
    let original = wide(m);
    let most = original.amax().max(T::MIN_POSITIVE.as_f64());
    let eps = T::EPSILON.as_f64();
    let name = format!("{name}, {}: {m:?}, {known:?}", std::any::type_name::<T>());
    let near = |what: &str, a: &DMatrix<f64>, b: &DMatrix<f64>, size: f64| {
        let error = (a - b).amax() / (size * eps);
        // Also of NaN.
        assert!(error < 50.0, "{what} is {error} units off, {name}");
    };
    let [u, v, rotation, vectors, q, stretch, r] = known.matrices().map(wide);
    let [s, values] = known.vectors().map(diagonal);
    near("u s v^T", &(&u * &s * v.transpose()), &original, most);
    near("rotation stretch", &(&rotation * &stretch), &original, most);
    near("q r", &(&q * &r), &original, most);
    let symmetric = (&original + original.transpose()) / 2.0;
    near(
        "vectors values vectors^T",
        &(&vectors * &values * vectors.transpose()),
        &symmetric,
        most,
    );
    for (what, turn) in [
        ("u", &u),
        ("v", &v),
        ("rotation", &rotation),
        ("vectors", &vectors),
        ("q", &q),
    ] {
        near(what, &(turn * turn.transpose()), &DMatrix::identity(N, N), 1.0);
        assert!(turn.determinant() > 0.9, "{what} reflects, {name}");
    }
    assert_eq!(stretch, stretch.transpose(), "{name}");
    let mut expected = (&original / most).singular_values() * most;
    expected.as_mut_slice().sort_by(|a, b| b.total_cmp(a));
    near(
        "s",
        &s.abs(),
        &DMatrix::from_diagonal(&expected.rows(0, N).into_owned()),
        most,
    );
    let mut expected = (symmetric / most).symmetric_eigenvalues() * most;
    expected.as_mut_slice().sort_by(f64::total_cmp);
    near(
        "values",
        &values,
        &DMatrix::from_diagonal(&expected.rows(0, N).into_owned()),
        most,
    );
    for k in 1..N {
        assert!(known.svd.s[k - 1] >= known.svd.s[k].abs(), "{name}");
        assert!(known.eigen.values[k - 1] <= known.eigen.values[k], "{name}");
        assert!(known.qr.r[[k - 1, k - 1]] >= T::ZERO, "{name}");
        for c in 0..k {
            assert!(known.qr.r[[k, c]] == T::ZERO, "{name}");
        }
    }
    let determinant = (original / most).determinant();
    if determinant.abs() > 100.0 * eps {
        let last = [s[(N - 1, N - 1)], r[(N - 1, N - 1)]];
        assert!(last.iter().all(|x| x.signum() == determinant.signum()), "{name}");
    }
}

/// Random matrices and hostile ones.
fn matrix<T: Float, const N: usize>(i: usize) -> (&'static str, Matrix<T, N, N>) {
    let mut rng = Rng::new(7, i as u64);
    let mut random = || {
        let mut m = Matrix::<T, N, N>::ZERO;
        for r in 0..N {
            for c in 0..N {
                m[[r, c]] = T::from_f64(rng.normal_f64());
            }
        }
        m
    };
    let (m, n) = (random(), random());
    let rank_1 = m.col(0).outer_product(m.col(1));
    let whole = T::from_usize(3);
    let power = |x: f64, y: T| T::from_f64(x.powf(y.as_f64().abs().min(6.0)));
    let mut graded = m;
    let mut steep = Vector::<T, N>::ONE;
    for k in 0..N {
        steep[k] = power(1e-3, n[[k, 0]]);
        for c in 0..N {
            graded[[k, c]] *= power(1e-3, n[[k, c]]);
        }
    }
    match i % 18 {
        0 => ("random", m),
        1 => ("rank 1", rank_1),
        2 => ("rank 2", rank_1 + n.col(0).outer_product(n.col(1))),
        3 => ("zero", Matrix::ZERO),
        4 => ("identity", Matrix::IDENTITY),
        5 => (
            "beside the identity",
            Matrix::IDENTITY + m * (T::EPSILON * T::from_usize(i)),
        ),
        6 => ("a reflection", Matrix::IDENTITY * -whole),
        7 => ("a diagonal", Matrix::from_diagonal(m.col(0))),
        8 => ("symmetric", m + m.transpose()),
        9 => ("equal values", rank_1 + Matrix::IDENTITY * whole),
        10 => ("skew", m.skew_part()),
        11 => ("tiny", m * (T::MIN_POSITIVE * T::from_usize(8))),
        12 => ("huge", m * (T::MAX * T::from_f64(0.0625))),
        13 => (
            "below normal numbers",
            Matrix::from_diagonal(n.col(0)) * T::MIN_POSITIVE * T::HALF,
        ),
        14 => ("graded", graded),
        15 => ("singular values far apart", Matrix::from_diagonal(steep) * m),
        16 => {
            let small = m.row(0) * T::EPSILON;
            let mut rows = [m.row(0); N];
            rows[N - 1] += small;
            ("rows alike", Matrix::from_rows(rows))
        }
        _ => {
            let mut m = Matrix::ZERO;
            for r in 0..N {
                m[[r, (r + i / 18) % N]] = if r == 0 { -whole } else { whole };
            }
            ("a permutation", m)
        }
    }
}

macro_rules! sizes {
    ($($module:ident $n:literal;)*) => {$(
        mod $module {
            use super::*;

            #[func]
            fn known<T: Float>(m: Matrix<T, $n, $n>) -> Known<T, $n> {
                Known {
                    svd: m.svd(),
                    polar: m.polar(),
                    eigen: m.symmetric_eigen(),
                    qr: m.qr(),
                }
            }

            #[kernel]
            pub fn decompose<T: Float>(m: &Field<Matrix<T, $n, $n>>, out: &mut Field<Known<T, $n>>) {
                for i in out.indices() {
                    out[i] = known(m[i]);
                }
            }

            pub fn on<T: Float>(device: &Device) {
                for n in [0, 1, 3, 17, 181] {
                    let (names, m): (Vec<_>, Vec<_>) = (0..n).map(matrix::<T, $n>).unzip();
                    let mut out = Field::zeros(device, n).unwrap();
                    decompose(&field(device, &m), &mut out).unwrap();
                    for (k, known) in out.to_vec().unwrap().iter().enumerate() {
                        verify(names[k], m[k], known);
                    }
                }
                ends::<T>(device);
            }

            /// What is not finite gives NaN, and what becomes too large alone is infinite.
            fn ends<T: Float>(device: &Device) {
                let one = Matrix::<T, $n, $n>::IDENTITY;
                let mut m = vec![one * T::MAX + (Matrix::<T, $n, $n>::from_array([[T::MAX; $n]; $n]) - one * T::MAX)];
                for at in [[0, 0], [1, 0], [0, 1], [1, 1]] {
                    for value in [T::NAN, T::INFINITY, T::NEG_INFINITY] {
                        let mut bad = one;
                        bad[at] = value;
                        m.push(bad);
                    }
                }
                let mut out = Field::zeros(device, m.len()).unwrap();
                decompose(&field(device, &m), &mut out).unwrap();
                let out = out.to_vec().unwrap();
                for turn in &out[0].matrices()[..5] {
                    let turn = wide(*turn);
                    assert!((&turn * turn.transpose() - DMatrix::identity($n, $n)).amax() < 50.0 * T::EPSILON.as_f64(), "{:?}", out[0]);
                }
                assert_eq!(out[0].svd.s[0], T::INFINITY);
                for known in &out[1..] {
                    for k in 0..$n {
                        assert!(known.vectors().iter().all(|v| v[k].is_nan()), "{known:?}");
                        for c in 0..$n {
                            assert!(known.matrices().iter().all(|m| m[[k, c]].is_nan()), "{known:?}");
                        }
                    }
                }
            }

            /// Called by the host.
            pub fn here<T: Float>() {
                for i in 0..360 {
                    let (name, m) = matrix::<T, $n>(i);
                    verify(name, m, &known(m));
                }
            }
        }
    )*};
}

sizes! {
    two 2;
    three 3;
}

pub fn check(device: &Device) {
    two::on::<f32>(device);
    two::on::<f64>(device);
    three::on::<f32>(device);
    three::on::<f64>(device);
    if device.is_cpu() {
        two::here::<f32>();
        two::here::<f64>();
        two::here::<f16>();
        three::here::<f32>();
        three::here::<f64>();
        three::here::<f16>();
        three::here::<bf16>();
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![two::decompose<f32>, three::decompose<f32>, three::decompose<f64>]
}
