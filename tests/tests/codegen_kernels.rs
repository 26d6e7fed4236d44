//! Every kernel here is compiled by NVRTC without a warning, and its CUDA C, run on the host, does what the kernel does
//! on the CPU.

use swathe::__rt::FuncDef;
use swathe::codegen::{Arg, CudaSource, Entry, IndexWidth, SiteKind, Variant, cuda_source};
use swathe::prelude::*;
use swathe_nvidia_tools::nvrtc::Nvrtc;
use swathe_ptx_interpreter::{Accesses, Grid, Module, Region, Regions};
use swathe_tests::host::{HostArg, HostKernel};

const ARCHITECTURES: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_120"];

/// The CUDA C of a kernel, accepted by NVRTC.
fn source<K: FuncDef>(index: IndexWidth) -> CudaSource {
    let source = cuda_source(
        &K::load(),
        Variant {
            index,
            ..Variant::default()
        },
    )
    .unwrap();
    if std::env::var_os("SWATHE_SHOW").is_some() {
        println!("{}", source.text);
    }
    if let Some(nvrtc) = Nvrtc::get() {
        for arch in ARCHITECTURES {
            let compiled = nvrtc.compile(&source.text, arch, &[]);
            assert!(
                compiled.cubin.is_ok() && compiled.log.is_empty(),
                "{arch}: {}\n{}",
                compiled.log,
                source.text
            );
        }
    }
    source
}

/// A kernel with positions of 32 and of 64 bits.
fn host<K: FuncDef>() -> [HostKernel; 2] {
    [IndexWidth::Bits32, IndexWidth::Bits64].map(|index| HostKernel::new(source::<K>(index)))
}

fn cpu<T: Element, const D: usize>(data: &[T], shape: [usize; D]) -> Field<T, D> {
    let mut field = Field::zeros(&Device::cpu(), shape).unwrap();
    field.copy_from_slice(data).unwrap();
    field
}

/// Distinct numbers of both signs.
fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|k| ((k * 7919 + 13) % 1009) as f32 / 16.0 - 30.0).collect()
}

const GRIDS: [(u32, u32); 3] = [(1, 1), (3, 1), (2, 4)];

#[kernel]
fn saxpy(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

#[test]
fn saxpy_agrees() {
    for kernel in host::<saxpy>() {
        for n in [0, 1, 17, 1000] {
            let (mut x, mut y) = (numbers(n), numbers(n + 5)[5..].to_vec());
            let mut expected = cpu(&y, [n]);
            saxpy(1.5, &cpu(&x, [n]), &mut expected).unwrap();
            let args = [
                HostArg::value(1.5_f32),
                HostArg::field(&mut x, &[n]),
                HostArg::field(&mut y, &[n]),
            ];
            assert_eq!(kernel.run(&args, 2, 4).failures, 0);
            assert_eq!(y, expected.to_vec().unwrap());
        }
    }
}

#[test]
fn a_short_operand_fails_where_it_ends() {
    let source = source::<saxpy>(IndexWidth::Bits32);
    let kernel = HostKernel::new(source.clone());
    let (mut x, mut y) = (numbers(5), numbers(9));
    let before = y.clone();
    let args = [
        HostArg::value(2.0_f32),
        HostArg::field(&mut x, &[5]),
        HostArg::field(&mut y, &[9]),
    ];
    // In another order than that of the index, and at once.
    let outcome = kernel.run(&args, 3, 4);
    assert_eq!((outcome.failures, outcome.index[0]), (4, 5));
    assert!(matches!(&source.sites[outcome.site as usize].kind, SiteKind::Field { name, param: 1 } if name == "x"));
    for i in 0..9 {
        let expected = if i < 5 { before[i] + 2.0 * x[i] } else { before[i] };
        assert_eq!(y[i], expected);
    }
}

#[kernel]
fn laplace(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            out[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
        }
    }
}

#[test]
fn laplace_agrees() {
    for kernel in host::<laplace>() {
        for (h, w) in [(1, 1), (3, 17), (20, 9)] {
            let mut u = numbers(h * w);
            let mut expected = cpu(&vec![0.0_f32; h * w], [h, w]);
            laplace(&cpu(&u, [h, w]), &mut expected).unwrap();
            for (grid, block) in GRIDS {
                let mut out = vec![0.0_f32; h * w];
                let args = [HostArg::field(&mut u, &[h, w]), HostArg::field(&mut out, &[h, w])];
                assert_eq!(kernel.run(&args, grid, block).failures, 0);
                assert_eq!(out, expected.to_vec().unwrap());
            }
        }
    }
}

#[derive(Element, Clone, Copy, Default, Debug, PartialEq)]
struct Particle {
    flag: bool,
    pos: Vec3,
    id: u16,
    vel: Vec3,
    mass: f64,
    class: [i32; 3],
}

#[func]
fn pull(a: Vec3, b: Vec3, eps: f32) -> Vec3 {
    let d = b - a;
    let r2 = d.dot(d) + eps;
    d / (r2 * r2.sqrt())
}

#[kernel]
fn gravity(p: &mut Field<Particle>, dt: f32) {
    for i in p.indices() {
        let mut acc = Vec3::ZERO;
        for j in 0..p.len() {
            acc += pull(p[i].pos, p[j].pos, 1e-4) * p[j].mass as f32;
        }
        p[i].vel += acc * dt;
        p[i].class[1] += 2;
    }
    for i in p.indices() {
        let v = p[i].vel;
        p[i].pos += v * dt;
        p[i].flag = !p[i].flag;
    }
}

fn particles(n: usize) -> Vec<Particle> {
    let x = numbers(7 * n);
    (0..n)
        .map(|k| Particle {
            flag: k % 3 == 0,
            pos: Vec3::new(x[7 * k], x[7 * k + 1], x[7 * k + 2]),
            id: k as u16,
            vel: Vec3::new(x[7 * k + 3], x[7 * k + 4], x[7 * k + 5]),
            mass: f64::from(x[7 * k + 6]).abs() + 1.0,
            class: [k as i32, -1, i32::MAX - 1 - k as i32],
        })
        .collect()
}

#[test]
fn gravity_agrees() {
    for kernel in host::<gravity>() {
        for n in [1, 3, 17] {
            let mut expected = cpu(&particles(n), [n]);
            gravity(&mut expected, 0.25).unwrap();
            let mut p = particles(n);
            let outcome = kernel.run(&[HostArg::field(&mut p, &[n]), HostArg::value(0.25_f32)], 2, 2);
            assert_eq!(outcome.failures, 0);
            assert_eq!(p, expected.to_vec().unwrap());
        }
    }
}

#[kernel]
fn energy(p: &Field<Particle>, offset: f64) -> f64 {
    let mut e = offset;
    let mut lightest = f64::INFINITY;
    let mut ids = 0_u32;
    let mut all = 1_u32;
    for i in p.indices() {
        let v = p[i].vel;
        e += 0.5 * p[i].mass * v.dot(v) as f64;
        lightest = lightest.min(p[i].mass);
        ids ^= p[i].id as u32;
        all &= (p[i].mass > 0.0) as u32;
    }
    let scale = if all == 1 { 1.0 } else { 0.0 };
    e * scale + lightest * 1000.0 + ids as f64
}

#[test]
fn reductions_agree_and_repeat() {
    for kernel in host::<energy>() {
        for n in [0, 1, 17, 300] {
            let mut p = particles(n);
            let expected = energy(&cpu(&p, [n]), 2.5).unwrap();
            for (grid, block) in [(1, 1), (5, 1), (3, 8)] {
                let run = |p: &mut Vec<Particle>| -> f64 {
                    kernel
                        .run(&[HostArg::field(p, &[n]), HostArg::value(2.5_f64)], grid, block)
                        .result()
                };
                let got = run(&mut p);
                assert!(
                    got == expected || (got - expected).abs() <= 1e-12 * expected.abs(),
                    "{n}: {got} {expected}"
                );
                assert_eq!(run(&mut p).to_bits(), got.to_bits());
            }
        }
    }
}

#[kernel]
fn histogram(x: &Field<i32>, counts: &mut Field<i32>, sums: &mut Field<Vec2>, extreme: &mut Field<f32>) {
    for i in x.indices() {
        let k = x[i] as usize;
        counts[k].atomic_add(1);
        sums[k].atomic_add(Vec2::new(i as f32, -1.0));
        let old = extreme[0].atomic_max(x[i] as f32 * 0.5);
        if old > 1e9 {
            extreme[1].atomic_exchange(old);
        }
    }
}

#[test]
fn atomics_agree() {
    for kernel in host::<histogram>() {
        let mut x: Vec<i32> = (0..100).map(|k| k * k % 7).collect();
        let mut counts = vec![0; 7];
        let mut sums = vec![Vec2::ZERO; 7];
        let mut extreme = vec![f32::NEG_INFINITY, 0.0];
        let args = [
            HostArg::field(&mut x, &[100]),
            HostArg::field(&mut counts, &[7]),
            HostArg::field(&mut sums, &[7]),
            HostArg::field(&mut extreme, &[2]),
        ];
        assert_eq!(kernel.run(&args, 2, 4).failures, 0);
        let mut expected = (
            cpu(&[0; 7], [7]),
            cpu(&[Vec2::ZERO; 7], [7]),
            cpu(&[f32::NEG_INFINITY, 0.0], [2]),
        );
        histogram(&cpu(&x, [100]), &mut expected.0, &mut expected.1, &mut expected.2).unwrap();
        assert_eq!(counts, expected.0.to_vec().unwrap());
        assert_eq!(sums, expected.1.to_vec().unwrap());
        assert_eq!(extreme, expected.2.to_vec().unwrap());
    }
}

#[kernel]
fn integers(a: &Field<i32>, b: &Field<i32>, out: &mut Field<[i64; 12]>) {
    for i in out.indices() {
        let (x, y) = (a[i], b[i]);
        let mut r = [0_i64; 12];
        r[0] = x.wrapping_add(y) as i64;
        r[1] = x.wrapping_mul(y).wrapping_sub(3) as i64;
        r[2] = (x / y) as i64;
        r[3] = (x % y) as i64;
        r[4] = (x << (y & 31)) as i64;
        r[5] = (x >> (y & 31)) as i64;
        r[6] = ((x as u8) as i64) * ((y as i8) as i64);
        r[7] = (x as u32 as u64 * 3).wrapping_add(y as u64) as i64;
        r[8] = (!x ^ y | 5 & x) as i64;
        r[9] = x.abs_diff(y) as i64 + x.count_ones() as i64;
        r[10] = if x < y { x as i64 - y as i64 } else { -(y as i64) };
        r[11] = x.rem_euclid(y) as i64 * x.max(y) as i64 + (x as i64 % y as i64);
        out[i] = r;
    }
}

#[test]
fn integer_arithmetic_agrees() {
    for kernel in host::<integers>() {
        let values = [1, -1, 2, -7, 1000, -12345, i32::MAX, i32::MIN + 1, 77];
        let pairs: Vec<(i32, i32)> = values.iter().flat_map(|&a| values.map(|b| (a, b))).collect();
        let n = pairs.len();
        let (mut a, mut b): (Vec<i32>, Vec<i32>) = pairs.into_iter().unzip();
        let mut expected = cpu(&vec![[0_i64; 12]; n], [n]);
        integers(&cpu(&a, [n]), &cpu(&b, [n]), &mut expected).unwrap();
        let mut out = vec![[0_i64; 12]; n];
        let run = |a: &mut [i32], b: &mut [i32], out: &mut [[i64; 12]]| {
            let n = a.len();
            kernel.run(
                &[
                    HostArg::field(a, &[n]),
                    HostArg::field(b, &[n]),
                    HostArg::field(out, &[n]),
                ],
                2,
                2,
            )
        };
        assert_eq!(run(&mut a, &mut b, &mut out).failures, 0);
        assert_eq!(out, expected.to_vec().unwrap());

        let mut out = vec![[0_i64; 12]; 3];
        let outcome = run(&mut [1, i32::MIN, 3], &mut [0, -1, 0], &mut out);
        assert_eq!(outcome.failures, 3);
        assert_eq!(out, [[0; 12]; 3]);
    }
}

#[kernel]
fn floats(x: &Field<f32>, out: &mut Field<[f64; 8]>) {
    for i in out.indices() {
        let v = x[i];
        let d = v as f64 * 1e5;
        out[i] = [
            v as i32 as f64,
            v as u8 as f64 + v as i16 as f64,
            d as i64 as f64,
            d as u32 as f64 - v as usize as f64,
            (v % 3.0) as f64,
            if v.is_nan() { -1.0 } else { v.max(2.0) as f64 },
            -(v - 1.0) as f64 - (2.0 - (v as f64 - 3.0)),
            v.clamp(-5.0, 5.0).floor() as f64 / 1e-300,
        ];
    }
}

#[test]
fn float_conversions_agree() {
    for kernel in host::<floats>() {
        let mut x = numbers(40);
        x.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e9, -3e9, 1e20, 255.5, -0.0]);
        let n = x.len();
        let mut expected = cpu(&vec![[0.0; 8]; n], [n]);
        floats(&cpu(&x, [n]), &mut expected).unwrap();
        let mut out = vec![[0.0_f64; 8]; n];
        assert_eq!(
            kernel
                .run(&[HostArg::field(&mut x, &[n]), HostArg::field(&mut out, &[n])], 1, 1)
                .failures,
            0
        );
        let bits = |v: Vec<[f64; 8]>| {
            v.into_iter()
                .map(|r| r.map(|x| if x.is_nan() { 1 } else { x.to_bits() }))
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(out), bits(expected.to_vec().unwrap()));
    }
}

#[func]
fn collatz(start: u64) -> u32 {
    let mut n = start;
    let mut steps = 0;
    loop {
        if n <= 1 {
            break;
        }
        n = if n & 1 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    steps
}

#[func]
fn classify(v: i32, w: u8) -> i32 {
    match (v, w) {
        (0, _) => 100,
        (n, 3) if n > 50 => n * 2,
        (-5..=5, k) => k as i32,
        (6 | 7 | 9, _) => -1,
        _ => {
            if v < 0 {
                return -2;
            }
            v % 10
        }
    }
}

#[func]
fn bump(x: &mut i32, by: i32) -> i32 {
    *x += by;
    *x
}

#[kernel]
fn control(x: &Field<i32>, out: &mut Field<[i32; 12]>) {
    for i in x.indices() {
        let v = x[i];
        let mut r = [0; 12];
        r[0] = collatz(v as u64 % 1000) as i32;
        r[1] = classify(v, (v & 3) as u8);
        // Two loops, left and continued by name.
        let mut n = 0;
        'rows: for a in 0..10 {
            for b in (0..=a).rev() {
                if b == 3 {
                    continue 'rows;
                }
                if a * b > v {
                    break 'rows;
                }
                n += 1;
            }
            n += 100;
        }
        r[2] = n;
        r[3] = 'found: {
            for k in (2..100).step_by(3) {
                if v % k == 1 {
                    break 'found k;
                }
            }
            -1
        };
        // The end of a type's range.
        let mut count = 0;
        for k in 250..=255_u8 {
            count += k as i32;
        }
        for k in (-128..=-120_i8).rev().step_by(4) {
            count -= k as i32;
        }
        r[4] = count;
        // Order of evaluation.
        let mut s = v;
        r[5] = bump(&mut s, 1) * 10 + s + bump(&mut s, 2);
        let t = (s, bump(&mut s, 5), s);
        r[6] = t.0 + 2 * t.1 + 3 * t.2;
        r[7] = {
            let s = s + 1;
            let s = s * 2;
            s - 1
        };
        r[8] = if v > 0 && bump(&mut s, 1) > 10 || s == 3 { s } else { -s };
        let mut left = v & 15;
        while left > 0 && {
            left -= 2;
            left != 4
        } {
            r[9] += left;
        }
        let value = loop {
            left += 3;
            if left > v & 7 {
                break left;
            }
        };
        r[10] = value;
        r[11] = match v & 7 {
            0 | 1 => 10,
            2 => {
                let q = v + 1;
                q
            }
            5 => 7,
            _ => 0,
        };
        if v == 13 {
            continue;
        }
        out[i] = r;
    }
}

#[test]
fn control_flow_agrees() {
    for kernel in host::<control>() {
        let mut x: Vec<i32> = (-20..60).collect();
        let n = x.len();
        let mut expected = cpu(&vec![[0; 12]; n], [n]);
        control(&cpu(&x, [n]), &mut expected).unwrap();
        let mut out = vec![[0; 12]; n];
        let outcome = kernel.run(&[HostArg::field(&mut x, &[n]), HostArg::field(&mut out, &[n])], 2, 1);
        assert_eq!(outcome.failures, 0);
        for (k, (got, expected)) in out.iter().zip(expected.to_vec().unwrap()).enumerate() {
            assert_eq!(*got, expected, "{}", x[k]);
        }
    }
}

#[kernel]
fn linear(m: &Field<Mat3>, v: &Field<Vec3>, out: &mut Field<Vec3>, scale: Vec3, k: usize) -> f32 {
    let double = scale + scale;
    let mut largest = Vec3::splat(f32::NEG_INFINITY);
    for i in out.indices() {
        let a = m[i];
        let b = a * a.transpose() + a;
        let mut w = b * v[i] * double;
        w[k] = a[[k, 1]] - w[2];
        w[0] *= 2.0;
        out[i] = -w;
    }
    for i in out.indices() {
        largest = largest.max(out[i]);
    }
    largest.x + largest[k]
}

#[test]
fn vectors_and_matrices_agree() {
    for kernel in host::<linear>() {
        let n = 17;
        let x = numbers(12 * n);
        let mut m: Vec<Mat3> = (0..n)
            .map(|i| Mat3::from_array([0, 1, 2].map(|r| [0, 1, 2].map(|c| x[12 * i + 3 * r + c]))))
            .collect();
        let mut v: Vec<Vec3> = (0..n)
            .map(|i| Vec3::new(x[12 * i + 9], x[12 * i + 10], x[12 * i + 11]))
            .collect();
        let scale = Vec3::new(1.0, 0.5, 2.0);
        let mut expected = cpu(&vec![Vec3::ZERO; n], [n]);
        let largest = linear(&cpu(&m, [n]), &cpu(&v, [n]), &mut expected, scale, 1).unwrap();
        let mut out = vec![Vec3::ZERO; n];
        let args = |m: &mut [Mat3], v: &mut [Vec3], out: &mut [Vec3], k: usize| {
            [
                HostArg::field(m, &[n]),
                HostArg::field(v, &[n]),
                HostArg::field(out, &[n]),
                HostArg::value(scale),
                HostArg::value(k),
            ]
        };
        let outcome = kernel.run(&args(&mut m, &mut v, &mut out, 1), 2, 4);
        assert_eq!(outcome.failures, 0);
        assert_eq!(out, expected.to_vec().unwrap());
        assert_eq!(outcome.result::<f32>(), largest);
        // A component that the vector does not have.
        assert!(kernel.run(&args(&mut m, &mut v, &mut out, 3), 1, 1).failures >= n as u64);
    }
}

#[kernel]
fn phases(u: &mut Field<f64>, n: usize) -> (f64, i32) {
    let half = n / 2;
    let first = u[0];
    let mut rounds = 0;
    for i in 1..half + 1 {
        u[i] += first;
    }
    let mut total = first;
    for k in serial(0..3) {
        rounds += k as i32;
        total += u[k];
    }
    let end = u[1] as usize % 5 + 3;
    for i in 2..end {
        u[i] = total + i as f64;
    }
    (total, rounds)
}

#[test]
fn serial_parts_and_frames_agree() {
    for kernel in host::<phases>() {
        let data: Vec<f64> = numbers(12).into_iter().map(f64::from).map(f64::abs).collect();
        let mut expected = cpu(&data, [12]);
        let result = phases(&mut expected, 8).unwrap();
        let mut u = data;
        let outcome = kernel.run(&[HostArg::field(&mut u, &[12]), HostArg::value(8_usize)], 2, 2);
        assert_eq!(outcome.failures, 0);
        assert_eq!(u, expected.to_vec().unwrap());
        assert_eq!(outcome.result::<f64>(), result.0);
        assert_eq!(i32::from_le_bytes(outcome.frame[8..12].try_into().unwrap()), result.1);
        // Without elements the first serial access fails, and nothing after it runs.
        let outcome = kernel.run(&[HostArg::field::<f64>(&mut [], &[0]), HostArg::value(0_usize)], 1, 1);
        assert_eq!(outcome.failures, 1);
    }
}

#[kernel]
fn volume(out: &mut Field<i64, 3>, a: i32) {
    for at in out.indices() {
        out[at] = (at[0] * 100 + at[1] * 10 + at[2]) as i64;
    }
    for [i, _, k] in ndrange([2, 3, 2]) {
        if k == 1 {
            out[[i, 0, k]].atomic_add(1000);
        }
    }
    for i in a..=3 {
        out[[0, 0, 0]].atomic_sub(i as i64);
    }
}

#[test]
fn ranks_and_ranges_agree() {
    for kernel in host::<volume>() {
        let mut expected = cpu(&[0_i64; 24], [2, 3, 4]);
        volume(&mut expected, -4).unwrap();
        for (grid, block) in GRIDS {
            let mut out = vec![0_i64; 24];
            let outcome = kernel.run(
                &[HostArg::field(&mut out, &[2, 3, 4]), HostArg::value(-4_i32)],
                grid,
                block,
            );
            assert_eq!(outcome.failures, 0);
            assert_eq!(out, expected.to_vec().unwrap());
        }
    }
}

#[kernel]
fn far(stride: usize, counts: &mut Field<u32>, image: &mut Field<u32, 2>) {
    for k in 0..6 {
        counts[k * stride + 3].atomic_add(k as u32 + 1);
        image[[k / 2, (k % 2) * stride + k]].atomic_add(10 * (k as u32 + 1));
    }
}

/// Memory of more than 2^31 elements, of which the kernel touches a few pages and the system gives no more.
#[test]
fn positions_beyond_32_bits_are_reached() {
    const STRIDE: usize = (1 << 29) + 5;
    let n = 5 * STRIDE + 4;
    assert!(n > 1 << 31);
    let layout = std::alloc::Layout::array::<u32>(n).unwrap().align_to(64).unwrap();
    // SAFETY: the layout has a size.
    let memory = unsafe { std::alloc::alloc_zeroed(layout) }.cast::<u32>();
    if memory.is_null() {
        eprintln!(
            "the system lends no {} bytes of address space: nothing is tried",
            layout.size()
        );
        return;
    }
    let [_, kernel] = host::<far>();
    let wide = STRIDE + 6;
    assert!(2 * wide + wide - 1 < n && 2 * wide > 1 << 30);
    let args = [
        HostArg::value(STRIDE),
        HostArg::Field(memory.cast(), vec![n]),
        HostArg::Field(memory.cast(), vec![3, wide]),
    ];
    let outcome = kernel.run(&args, 1, 1);
    assert_eq!(outcome.failures, 0);
    let mut expected = std::collections::BTreeMap::<usize, u32>::new();
    for k in 0..6 {
        *expected.entry(k * STRIDE + 3).or_default() += k as u32 + 1;
        *expected.entry(k / 2 * wide + k % 2 * STRIDE + k).or_default() += 10 * (k as u32 + 1);
    }
    for (at, value) in expected {
        // SAFETY: within the memory, which nothing else uses any more.
        assert_eq!(unsafe { *memory.add(at) }, value, "element {at}");
    }
    // SAFETY: allocated above with this layout.
    unsafe { std::alloc::dealloc(memory.cast(), layout) };
}

#[kernel]
fn tells(x: &Field<u32>) {
    for i in x.indices() {
        if x[i] < 3 {
            println!("{i} {}", x[i]);
        }
    }
}

#[kernel]
fn refuses(x: &Field<u32>, out: &mut Field<u32>) {
    for i in x.indices() {
        assert!(x[i] >= 3, "{i} {}", x[i]);
        out[i] = x[x.len() - i];
    }
}

/// What the launcher gives a kernel in the device's memory and in that of the host.
struct Shared {
    record: Vec<u64>,
    taken: Vec<u64>,
    /// The ring, and behind it the word that tells of failures.
    host: Vec<u64>,
    accesses: Accesses,
}

/// Runs a kernel of fields as PTX, with blocks of 96 threads, one for each element; counts how often threads access the host's memory.
fn run_ptx<K: FuncDef>(fields: &mut [&mut [u32]], used: u64, read: u64) -> Option<Shared> {
    let nvrtc = Nvrtc::get()?;
    let source = source::<K>(IndexWidth::Bits32);
    let module = Module::parse(&nvrtc.compile(&source.text, "compute_75", &[]).ptx).unwrap();
    let ring = Entry::RING_START + Entry::RING_WORDS;
    let (mut record, mut host) = (vec![0; Entry::ERRORS_SIZE / 8], vec![0; ring + 1]);
    host[..2].copy_from_slice(&[used, read]);
    let address = |words: &mut [u64]| words.as_mut_ptr().expose_provenance() as u64;
    let at = address(&mut host);
    let mut taken = vec![used, 0, at];
    record[Entry::TOLD] = at + 8 * ring as u64;
    record[Entry::PRINTS[0]] = address(&mut taken);
    record[Entry::PRINTS[1]] = 5;
    let region = |start: u64, bytes: usize| Region {
        start,
        bytes: bytes as u64,
        writable: true,
    };
    let mut places = vec![
        (address(&mut record), 8 * record.len()),
        (address(&mut taken), 24),
        (at, 8 * host.len()),
    ];
    let n = fields[0].len();
    let starts: Vec<u64> = fields
        .iter_mut()
        .map(|f| f.as_mut_ptr().expose_provenance() as u64)
        .collect();
    places.extend(starts.iter().map(|start| (*start, 4 * n)));
    let regions: Regions = places.iter().map(|(start, bytes)| region(*start, *bytes)).collect();
    let entry = &source.entries[0];
    let words: Vec<[u8; 8]> = entry
        .args
        .iter()
        .map(|arg| match *arg {
            Arg::Field(k) => starts[k].to_le_bytes(),
            Arg::Extent(..) => (n as u64).to_le_bytes(),
            Arg::Errors => places[0].0.to_le_bytes(),
            other => panic!("{other:?}"),
        })
        .collect();
    let parameters = module.parameters(&entry.name).unwrap();
    let args: Vec<&[u8]> = words.iter().zip(parameters).map(|(word, p)| &word[..p.size]).collect();
    let grid = Grid::line(n.div_ceil(96) as u32, 96, 0);
    let mut launch = module.launch(&entry.name, grid, &args, &regions).unwrap();
    launch.watch(at..at + 8 * host.len() as u64);
    // SAFETY: the regions are memory that nobody else uses.
    unsafe { launch.run() }.unwrap_or_else(|why| panic!("{}", why.text));
    let accesses = launch.watched();
    Some(Shared {
        record,
        taken,
        host,
        accesses,
    })
}

/// A thread that prints asks the host once how much was read, and adds once to what is taken: it does not take turns there.
#[test]
fn what_prints_asks_the_host_once() {
    let n = 1000;
    let threads = n as u64;
    let mut all = vec![1_u32; n];
    let Some(shared) = run_ptx::<tells>(&mut [&mut all], 90, 60) else {
        return;
    };
    // Behind the first the two values and the position.
    let words = 4 * n as u64;
    assert_eq!(shared.taken[..2], [90 + words, 0]);
    assert_eq!(shared.host[..3], [90 + words, 60, 0]);
    let expected = Accesses {
        reads: threads,
        writes: words,
        atomics: threads,
    };
    assert_eq!(shared.accesses, expected);
    let entries = shared.host[Entry::RING_START + 90..].chunks(4).take(n);
    for (i, entry) in entries.enumerate() {
        assert_eq!(entry, [5 << 32 | 1, 1, i as u64, i as u64]);
    }
    // Room for 41 texts.
    let room = Entry::RING_WORDS as u64;
    let shared = run_ptx::<tells>(&mut [&mut all], 70 + room - 166, 70).unwrap();
    let fit = 41;
    assert_eq!(shared.taken[..2], [68 + room, n as u64 - fit]);
    assert_eq!(shared.host[..3], [68 + room, 70, 1]);
    // The others see that there is none.
    let expected = Accesses {
        reads: threads,
        writes: 4 * fit + threads - fit,
        atomics: fit,
    };
    assert_eq!(shared.accesses, expected);
    // Some threads.
    let mut some: Vec<u32> = (0..n as u32).map(|i| i % 5).collect();
    let shared = run_ptx::<tells>(&mut [&mut some], 0, 0).unwrap();
    let texts = 600;
    assert_eq!(shared.taken[..2], [4 * texts, 0]);
    assert_eq!((shared.accesses.reads, shared.accesses.writes), (texts, 4 * texts));
    // Nothing.
    let shared = run_ptx::<tells>(&mut [&mut vec![3; n]], 0, 0).unwrap();
    assert_eq!((shared.taken[0], shared.accesses), (0, Accesses::default()));
}

/// A thread that fails stores one word of the host's, and waits for nothing there.
#[test]
fn what_fails_asks_nothing_of_the_host() {
    let n = 1000;
    let (mut x, mut out) = (vec![2_u32; n], vec![0; n]);
    let Some(shared) = run_ptx::<refuses>(&mut [&mut x, &mut out], 0, 0) else {
        return;
    };
    assert_eq!(shared.record[..4], [n as u64, 0, 2, 0]);
    assert_eq!(shared.host.last(), Some(&1));
    let stores = |writes: u64| Accesses {
        writes,
        ..Accesses::default()
    };
    assert_eq!(shared.accesses, stores(n as u64));
    // At two places.
    x = (0..n as u32)
        .map(|i| if (7..27).contains(&i) { 0 } else { 3 })
        .collect();
    let shared = run_ptx::<refuses>(&mut [&mut x, &mut out], 0, 0).unwrap();
    assert_eq!(shared.record[..4], [21, 0, 0, 7]);
    assert_eq!(shared.accesses, stores(21));
    let shared = run_ptx::<refuses>(&mut [&mut vec![3; n], &mut out], 0, 0).unwrap();
    assert_eq!(shared.record[..3], [1, 1, n as u64]);
    assert_eq!(shared.accesses, stores(1));
}
