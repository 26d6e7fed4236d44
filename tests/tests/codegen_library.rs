//! The functions of the library itself, which are kernel functions as the user's are: their CUDA C compiles, and does on
//! the host what they do on the CPU.

use swathe::__rt::FuncDef;
use swathe::codegen::{Variant, cuda_source};
use swathe::prelude::*;
use swathe_nvidia_tools::nvrtc::Nvrtc;
use swathe_tests::host::{HostArg, HostKernel};

/// Runs a kernel on the CPU and its CUDA C on the host, over `n` elements.
fn agree<K: FuncDef, T: Element + PartialEq + std::fmt::Debug>(
    kernel: impl Fn(&Field<f32>, &mut Field<T>) -> swathe::Result<()>,
    zero: T,
) {
    let source = cuda_source(&K::load(), Variant::default()).unwrap();
    if std::env::var_os("SWATHE_SHOW").is_some() {
        println!("{}", source.text);
    }
    if let Some(nvrtc) = Nvrtc::get() {
        for arch in ["sm_75", "sm_120"] {
            let compiled = nvrtc.compile(&source.text, arch, &[]);
            assert!(
                compiled.cubin.is_ok() && compiled.log.is_empty(),
                "{arch}: {}\n{}",
                compiled.log,
                source.text
            );
        }
    }
    let n = 40;
    let mut x: Vec<f32> = (0..n * 9)
        .map(|k| ((k * 7919 + 13) % 1009) as f32 / 64.0 - 6.0)
        .collect();
    let mut expected = Field::full(&Device::cpu(), n, zero).unwrap();
    kernel(&Field::from_slice(&Device::cpu(), &x).unwrap(), &mut expected).unwrap();
    let mut out = vec![zero; n];
    let len = x.len();
    let outcome = HostKernel::new(source).run(&[HostArg::field(&mut x, &[len]), HostArg::field(&mut out, &[n])], 2, 2);
    assert_eq!(outcome.failures, 0);
    let got = Field::from_slice(&Device::cpu(), &out).unwrap();
    assert_eq!(got.to_vec().unwrap(), expected.to_vec().unwrap());
}

#[func]
fn vec3(x: [f32; 9], at: usize) -> Vec3 {
    Vec3::new(x[at], x[at + 1], x[at + 2])
}

#[kernel]
fn vectors(x: &Field<f32>, out: &mut Field<[Vec3; 12]>) {
    for i in out.indices() {
        let mut w = [0.0; 9];
        for k in 0..9 {
            w[k] = x[9 * i + k];
        }
        let (a, b, c) = (vec3(w, 0), vec3(w, 3), vec3(w, 6));
        out[i] = [
            a.min(b).max(c),
            a.clamp(Vec3::splat(-1.0), Vec3::splat(2.0)),
            Vec3::new(a.min_component(), b.max_component(), a.sum() * b.product()),
            a.cross(b) * a.length_squared() - a.distance_squared(c),
            a.abs().floor() + b.ceil() + c.round().fract(),
            a.normalized_or_zero().reflect(b.normalized()),
            a.lerp(b, 0.25) + Vec3::splat(a.distance(c)),
            a.outer_product(b) * c,
            a.as_i32().as_f32() + a.as_u32().as_f32(),
            Vec3::from_array(a.to_array()),
            Vec3::new(
                a.as_f64().dot(b.as_f64()) as f32,
                (a == b) as i32 as f32,
                (a != b) as i32 as f32,
            ),
            a / c + 2.0 / b - (3.0 - c),
        ];
    }
}

#[test]
fn vectors_agree() {
    agree::<vectors, _>(vectors, [Vec3::ZERO; 12]);
}

#[kernel]
fn small_and_long(x: &Field<f32>, out: &mut Field<[f64; 8]>) {
    for i in out.indices() {
        let a = Vec2::new(x[9 * i], x[9 * i + 1]);
        let b = DVec2::new(x[9 * i + 2] as f64, x[9 * i + 3] as f64);
        let cell = IVec3::new(x[i] as i32, -3, 7);
        let mut long = Vector::<f32, 6>::splat(x[i]);
        for k in 0..6 {
            long[k] += k as f32;
        }
        long = long * long - 2.0;
        let at = Vec2::new(1.25, 2.75).as_usize();
        out[i] = [
            a.perp().dot(a) as f64 + a.perp_dot(b.as_f32()) as f64,
            b.norm() + b.length(),
            (cell * cell - cell / IVec3::new(1, 2, -3)).sum() as f64,
            (cell % 2 + cell.abs()).dot(cell.max(-cell)) as f64,
            long.sum() as f64 + long.dot(long) as f64,
            (UVec2::new(2_000_000_000, 5) * 2).x as f64,
            (at[0] + 10 * at[1]) as f64,
            (cell - 5 * cell).product() as f64,
        ];
    }
}

#[test]
fn small_and_long_vectors_agree() {
    agree::<small_and_long, _>(small_and_long, [0.0; 8]);
}

#[kernel]
fn matrices(x: &Field<f32>, out: &mut Field<[f32; 14]>) {
    for i in out.indices() {
        let mut m = Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0));
        for r in 0..3 {
            for c in 0..3 {
                m[[r, c]] += x[9 * i + 3 * r + c];
            }
        }
        let m2 = Mat2::from_array([[x[9 * i], 2.0], [-1.5, x[9 * i + 1]]]);
        let m4 = Mat4::identity() * 2.0 + Mat4::from_rows([Vec4::splat(x[i]), Vec4::X, Vec4::Y, Vec4::splat(0.5)]);
        let rows = Matrix::<f32, 2, 3>::from_rows([m.row(0), m.row(2)]);
        let back = Mat3::from_cols([m.col(2), m.col(1), m.col(0)]);
        out[i] = [
            m.determinant(),
            m.inverse().trace(),
            m2.determinant() + m2.inverse()[[0, 1]],
            m4.determinant() + m4.inverse().norm_squared(),
            (m.symmetric_part() - m.skew_part()).norm_squared(),
            (rows * m * rows.transpose()).trace(),
            rows.mul_vec(m.diagonal()).x,
            (back * m.diagonal()).sum(),
            (m / 2.0 - -m).trace(),
            m.to_array()[1][2] + m[[2, 0]],
            (m == back) as u32 as f32,
            (2.0 * m)[[1, 1]],
            m4.row(3).sum() - m4.col(1).sum(),
            m2.transpose()[[1, 0]],
        ];
    }
}

#[test]
fn matrices_agree() {
    agree::<matrices, _>(matrices, [0.0; 14]);
}

#[kernel]
fn dice(x: &Field<f32>, out: &mut Field<[f64; 8]>) {
    for i in out.indices() {
        let mut rng = Rng::new(42, i as u64);
        let k = rng.below(6);
        let y = x[i];
        out[i] = [
            k as f64,
            rng.next_u32() as f64,
            (rng.next_u64() >> 11) as f64,
            rng.next_f32() as f64,
            rng.next_f64(),
            rng.range_f32(-2.0, y) as f64,
            rng.range_f64(1.0, 3.0),
            rng.next_u32() as f64 - rng.next_u32() as f64,
        ];
    }
}

#[test]
fn random_numbers_agree() {
    agree::<dice, _>(dice, [0.0; 8]);
}

#[kernel]
fn directions(x: &Field<f32>, out: &mut Field<bool>) {
    for i in out.indices() {
        let mut rng = Rng::new(7, i as u64);
        let on = rng.on_unit_sphere();
        let inside = rng.in_unit_disk();
        let far = rng.normal_f32().abs() > 20.0 || rng.normal_f64().abs() > 20.0;
        out[i] = (on.length() - 1.0).abs() < 1e-5 && inside.length() <= 1.0 && !far && x[i] < 1e9;
    }
}

#[test]
fn random_directions_agree() {
    agree::<directions, _>(directions, false);
}
