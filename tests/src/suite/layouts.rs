//! Arrays of structures and structures of arrays: the same kernels, the same results.

use std::ops::AddAssign;

use ndarray::{Array, array, s};
use swathe::__rt::FuncDef;
use swathe::codegen::{IndexWidth, Params, Variant, cuda_source};
use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use super::support::{SHAPES, SIZES, ended, equal, scatter, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Spin {
    axis: DVec2,
    rate: f64,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Particle {
    tag: i16,
    alive: bool,
    pos: Vec3,
    spin: Spin,
    history: [u32; 5],
    stress: Matrix<f32, 2, 3>,
    far: Vector<u8, 7>,
}

#[func]
impl AddAssign for Spin {
    fn add_assign(&mut self, other: Spin) {
        self.axis += other.axis * 0.5;
        self.rate = self.rate * 2.0 + other.rate;
    }
}

#[kernel]
fn advance(p: &mut Field<Particle>, step: f32, turn: Spin) {
    for i in p.indices() {
        let old = p[i];
        if old.alive {
            p[i].pos.z -= step;
            p[i].pos += Vec3::new(step, 2.0 * step, i as f32);
            p[i].tag += 1;
        } else {
            p[i].pos = Vec3::splat(step) + old.pos;
        }
        p[i].spin += turn;
        let k = i % 5;
        p[i].history[k] = p[i].history[(k + 1) % 5] + 10 * i as u32;
        p[i].stress[[i % 2, i % 3]] += p[i].pos[k % 3];
        p[i].far[k] = p[i].far[k + 2].wrapping_add(7);
        p[i].alive = !old.alive || i % 4 == 0;
    }
}

fn advanced(i: usize, mut p: Particle, step: f32, turn: Spin) -> Particle {
    let old = p;
    if p.alive {
        p.pos.z -= step;
        p.pos += Vec3::new(step, 2.0 * step, i as f32);
        p.tag += 1;
    } else {
        p.pos = Vec3::splat(step) + p.pos;
    }
    p.spin += turn;
    let k = i % 5;
    p.history[k] = p.history[(k + 1) % 5] + 10 * i as u32;
    p.stress[[i % 2, i % 3]] += p.pos[k % 3];
    p.far[k] = p.far[k + 2].wrapping_add(7);
    p.alive = !old.alive || i % 4 == 0;
    p
}

#[kernel]
fn swapped(from: &Field<Particle, 2>, to: &mut Field<Particle, 2>) {
    for [i, j] in to.indices() {
        let mut p = from[[j, i]];
        p.tag = from[[j, i]].tag + p.far[1] as i16;
        to[[i, j]] = p;
    }
}

#[kernel]
fn moments(p: &Field<Particle>) -> (Vec3, i64, f64) {
    let mut sum = Vec3::ZERO;
    let mut tags = 0_i64;
    let mut fastest = f64::MIN;
    for i in p.indices() {
        sum += p[i].pos;
        tags += p[i].tag as i64;
        fastest = fastest.max(p[i].spin.rate);
    }
    (sum, tags, fastest)
}

#[kernel]
fn smooth(u: &Field<Vec2, 2>, out: &mut Field<Vec2, 2>) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && i + 1 < h && j > 0 && j + 1 < w {
            out[[i, j]] = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
        } else {
            out[[i, j]].y = u[[i, j]].x;
        }
    }
}

#[kernel]
fn deposit(
    x: &Field<i32>,
    cells: &mut Field<Vector<i64, 3>>,
    bounds: &mut Field<IVec2>,
    m: &mut Field<Matrix<u32, 2, 2>>,
) {
    let n = cells.len();
    for i in x.indices() {
        let k = i % n;
        cells[k].atomic_add(Vector::<i64, 3>::new(x[i] as i64, 1, i as i64));
        bounds[k].atomic_max(IVec2::new(x[i], -x[i]));
        m[k].atomic_add(Matrix::<u32, 2, 2>::from_array([[1, 2], [3, i as u32]]));
    }
}

#[kernel]
fn centre(p: &mut Field<Particle, 0>) {
    p[[]].pos.y += 2.5;
    p[[]].history[4] = 9;
}

#[kernel]
fn shift(pos: &mut Field<Vec3>, rate: &Field<f64>) {
    for i in pos.indices() {
        pos[i] += Vec3::new(1.0, 2.0, 3.0) * rate[i] as f32;
    }
}

#[kernel]
fn beyond(p: &Field<Particle>, out: &mut Field<Particle>) {
    for i in out.indices() {
        out[i].pos = p[i + 1].pos;
    }
}

#[kernel]
fn counted(out: &mut Field<IVec3>) {
    for i in out.indices() {
        out[i] = IVec3::new(i as i32, 100 + i as i32, -(i as i32));
    }
}

fn particle(i: usize) -> Particle {
    let x = scatter(i) as f32;
    Particle {
        tag: 3 * i as i16 - 7,
        alive: i % 3 == 1,
        pos: Vec3::new(x, 0.5 * x, i as f32),
        spin: Spin {
            axis: DVec2::new(f64::from(x) * 1e100, i as f64),
            rate: 0.25 * i as f64,
        },
        history: std::array::from_fn(|k| (10 * i + k) as u32),
        stress: Matrix::from_array([[x, 1.0, 2.0], [3.0, 4.0, i as f32]]),
        far: Vector::from_array(std::array::from_fn(|k| (i + 11 * k) as u8)),
    }
}

fn made<L: FieldLayout>(device: &Device, n: usize) -> (Field<Particle, 1, L>, Vec<Particle>) {
    let values: Vec<Particle> = (0..n).map(particle).collect();
    let mut field = Field::zeros_in(device, n, L::default()).unwrap();
    field.copy_from_slice(&values).unwrap();
    (field, values)
}

fn elements<L: FieldLayout>(device: &Device) {
    let turn = Spin {
        axis: DVec2::new(2.0, -4.0),
        rate: 0.5,
    };
    for n in SIZES {
        let (mut p, values) = made::<L>(device, n);
        advance(&mut p, 0.5, turn).unwrap();
        let expected: Vec<Particle> = values
            .iter()
            .enumerate()
            .map(|(i, p)| advanced(i, *p, 0.5, turn))
            .collect();
        equal("advance", &p.to_vec().unwrap(), &expected);

        let (sum, tags, fastest) = moments(&p).unwrap();
        let total = |get: fn(&Particle) -> f64| expected.iter().map(get).sum::<f64>();
        let exact = [
            total(|p| p.pos.x.into()),
            total(|p| p.pos.y.into()),
            total(|p| p.pos.z.into()),
        ];
        for k in 0..3 {
            assert!(
                (f64::from(sum[k]) - exact[k]).abs() <= 1e-5 * (1.0 + exact[k].abs()),
                "{sum:?} {exact:?}"
            );
        }
        assert_eq!(tags, expected.iter().map(|p| i64::from(p.tag)).sum::<i64>());
        assert_eq!(fastest, expected.iter().map(|p| p.spin.rate).fold(f64::MIN, f64::max));

        let mut out = Field::zeros_in(device, n, L::default()).unwrap();
        let failed = ended(device, beyond(&p, &mut out));
        if n == 0 {
            failed.unwrap();
        } else {
            let text = failed.unwrap_err().to_string();
            assert!(
                text.contains(&format!("`p` has shape [{n}]")) || text.contains(&format!("[{n}]")),
                "{text}"
            );
            let written: Vec<Vec3> = out.to_vec().unwrap().iter().map(|p| p.pos).collect();
            let mut whole: Vec<Vec3> = expected.iter().skip(1).map(|p| p.pos).collect();
            whole.push(Vec3::ZERO);
            equal("beyond", &written, &whole);
        }
    }
    let mut one = Field::<Particle, 0>::zeros_in(device, [], L::default()).unwrap();
    centre(&mut one).unwrap();
    let centred = one.get([]).unwrap();
    assert_eq!(
        (centred.pos.y, centred.history, centred.pos.x),
        (2.5, [0, 0, 0, 0, 9], 0.0)
    );
}

fn planes_of_two_axes<L: FieldLayout, K: FieldLayout>(device: &Device) {
    for shape @ [h, w] in SHAPES {
        let values: Vec<Particle> = (0..h * w).map(particle).collect();
        let mut from = Field::<Particle, 2>::zeros_in(device, shape, L::default()).unwrap();
        from.copy_from_slice(&values).unwrap();
        let mut to = Field::<Particle, 2>::zeros_in(device, [w, h], K::default()).unwrap();
        swapped(&from, &mut to).unwrap();
        let expected: Vec<Particle> = (0..h * w)
            .map(|k| {
                let mut p = values[k % h * w + k / h];
                p.tag += i16::from(p.far[1]);
                p
            })
            .collect();
        equal("swapped", &to.to_vec().unwrap(), &expected);

        let grid = Array::from_shape_fn((h, w, 2), |(i, j, k)| (100 * i + 10 * j + k) as f32);
        let mut u = Field::<Vec2, 2>::zeros_in(device, shape, L::default()).unwrap();
        u.copy_from_ndarray(&grid).unwrap();
        let mut out = Field::<Vec2, 2>::zeros_in(device, shape, K::default()).unwrap();
        out.fill(Vec2::new(-1.0, -2.0)).unwrap();
        smooth(&u, &mut out).unwrap();
        let at = |i: usize, j: usize, k: usize| grid[[i, j, k]];
        let expected = Array::from_shape_fn((h, w, 2), |(i, j, k)| {
            if i > 0 && i + 1 < h && j > 0 && j + 1 < w {
                at(i - 1, j, k) + at(i + 1, j, k) + at(i, j - 1, k) + at(i, j + 1, k)
            } else {
                [-1.0, at(i, j, 0)][k]
            }
        });
        assert_eq!(out.to_ndarray().unwrap(), expected);
    }
}

fn atomics<L: FieldLayout>(device: &Device) {
    // Few cells take private copies on the CPU, many do not.
    for (n, cells) in [(1, 1), (1000, 3), (1000, 700), (20_000, 17)] {
        let x: Vec<i32> = (0..n).map(scatter).collect();
        let x = Field::from_slice(device, &x).unwrap();
        let mut sums = Field::<Vector<i64, 3>>::zeros_in(device, cells, L::default()).unwrap();
        let mut bounds = Field::<IVec2>::zeros_in(device, cells, L::default()).unwrap();
        bounds.fill(IVec2::splat(-5)).unwrap();
        let mut m = Field::<Matrix<u32, 2, 2>>::zeros_in(device, cells, L::default()).unwrap();
        deposit(&x, &mut sums, &mut bounds, &mut m).unwrap();
        let mut expected = vec![(Vector::<i64, 3>::splat(0), IVec2::splat(-5), [[0_u32; 2]; 2]); cells];
        for i in 0..n {
            let (sum, bound, m) = &mut expected[i % cells];
            let x = scatter(i);
            *sum += Vector::<i64, 3>::new(x.into(), 1, i as i64);
            *bound = IVec2::new(bound.x.max(x), bound.y.max(-x));
            *m = [[m[0][0] + 1, m[0][1] + 2], [m[1][0] + 3, m[1][1] + i as u32]];
        }
        let got = sums.to_vec().unwrap().into_iter().zip(bounds.to_vec().unwrap());
        let got: Vec<_> = got
            .zip(m.to_vec().unwrap())
            .map(|((s, b), m)| (s, b, m.to_array()))
            .collect();
        equal("deposit", &got, &expected);
    }
}

fn parts<L: FieldLayout>(device: &Device) {
    for n in SIZES {
        let (mut p, values) = made::<L>(device, n);
        let rate = p.member::<f64>("spin.rate").unwrap();
        let rates: Vec<f64> = values.iter().map(|p| p.spin.rate).collect();
        equal("rate", &rate.view().to_vec().unwrap(), &rates);
        let rate = Field::<f64>::from_slice(device, &rate.view().to_vec().unwrap()).unwrap();
        shift(&mut p.member_mut::<Vec3>("pos").unwrap(), &rate).unwrap();
        let moved: Vec<Vec3> = values
            .iter()
            .map(|p| p.pos + Vec3::new(1.0, 2.0, 3.0) * p.spin.rate as f32)
            .collect();
        equal(
            "shift",
            &p.member::<Vec3>("pos").unwrap().view().to_vec().unwrap(),
            &moved,
        );
        assert_eq!(p.get_all_but_pos(), values.iter().map(without_pos).collect::<Vec<_>>());

        // Backwards, every second one, from the members of the same kind in another field.
        let (other, _) = made::<L>(device, 2 * n);
        let rate = other.member::<f64>("spin.rate").unwrap();
        let rate = rate.view().slice(s![..;-2]).unwrap();
        let mut pos = p.member_mut::<Vec3>("pos").unwrap();
        shift(&mut pos.view_mut().slice_mut(s![..;-1]).unwrap(), &rate).unwrap();
        let expected: Vec<Vec3> = (0..n)
            .map(|i| moved[i] + Vec3::new(1.0, 2.0, 3.0) * (0.25 * (2 * i + 1) as f32))
            .collect();
        equal(
            "backwards",
            &p.member::<Vec3>("pos").unwrap().view().to_vec().unwrap(),
            &expected,
        );
    }
    for shape @ [h, w] in SHAPES {
        let mut u = Field::<IVec3, 2>::zeros_in(device, shape, L::default()).unwrap();
        for row in 0..h {
            counted(&mut u.index_axis_mut(0, row).unwrap()).unwrap();
        }
        let expected = Array::from_shape_fn((h, w, 3), |(_, j, k)| [j as i32, 100 + j as i32, -(j as i32)][k]);
        assert_eq!(u.to_ndarray().unwrap(), expected);
        let turned = u.t().to_ndarray().unwrap();
        assert_eq!(turned, expected.view().permuted_axes([1, 0, 2]));
        let mut copy = Field::<IVec3, 2>::zeros(device, [w, h]).unwrap();
        copy.view_mut().unwrap().copy_from(&u.t()).unwrap();
        assert_eq!(copy.to_ndarray().unwrap(), turned);
        u.slice_mut(s![..;2, ..]).unwrap().fill(IVec3::new(7, 8, 9)).unwrap();
        let filled = Array::from_shape_fn(
            (h, w, 3),
            |(i, j, k)| {
                if i % 2 == 0 { 7 + k as i32 } else { expected[[i, j, k]] }
            },
        );
        assert_eq!(u.to_ndarray().unwrap(), filled);
    }
}

trait Members {
    fn get_all_but_pos(&self) -> Vec<Particle>;
}

impl<L: FieldLayout> Members for Field<Particle, 1, L> {
    fn get_all_but_pos(&self) -> Vec<Particle> {
        self.to_vec().unwrap().iter().map(without_pos).collect()
    }
}

fn without_pos(p: &Particle) -> Particle {
    Particle { pos: Vec3::ZERO, ..*p }
}

fn host<L: FieldLayout>(device: &Device) {
    let (mut p, mut values) = made::<L>(device, 17);
    assert_eq!(p.get(16).unwrap(), values[16]);
    p.set(3, values[5]).unwrap();
    values[3] = values[5];
    equal("set", &p.to_vec().unwrap(), &values);
    let error = p.get(17).unwrap_err().to_string();
    assert_eq!(error, "no element at [17] in a field of shape [17]");

    // The same dictionary of arrays, into the other layouts and back.
    let arrays = p.to_arrays().unwrap();
    let mut other = Field::<Particle>::zeros(device, 17).unwrap();
    other.copy_from_arrays(&arrays).unwrap();
    equal("arrays", &other.to_vec().unwrap(), &values);
    let mut planes = Field::<Particle>::zeros_in(device, 17, Soa).unwrap();
    planes.copy_from_arrays(&arrays).unwrap();
    equal("arrays", &planes.to_vec().unwrap(), &values);
    let spin = p.member::<Spin>("spin").unwrap().to_arrays().unwrap();
    assert_eq!(
        spin.array::<f64, ndarray::Ix1>("rate").unwrap(),
        Array::from_iter(values.iter().map(|p| p.spin.rate))
    );

    other.fill(Particle::default()).unwrap();
    other.copy_from(&p).unwrap();
    equal("copy", &other.to_vec().unwrap(), &values);
    let back = other.with_layout(L::default()).unwrap();
    equal("layouts", &back.to_vec().unwrap(), &values);
    let copy = back.try_clone().unwrap();
    equal("clone", &copy.to_vec().unwrap(), &values);
    let error = other.copy_from(&made::<L>(device, 16).0).unwrap_err().to_string();
    assert_eq!(error, "copying from another field: expected shape [17], got [16]");
    equal("unchanged", &other.to_vec().unwrap(), &values);

    p.fill(values[2]).unwrap();
    equal("fill", &p.to_vec().unwrap(), &[values[2]; 17]);
    p.member_mut::<Vec3>("pos")
        .unwrap()
        .fill(Vec3::new(1.0, 2.0, 3.0))
        .unwrap();
    p.member_mut::<u32>("tag").map(drop).unwrap_err();
    p.member_mut::<f64>("spin.rate").unwrap().set(4, -1.0).unwrap();
    let mut expected = vec![
        Particle {
            pos: Vec3::new(1.0, 2.0, 3.0),
            ..values[2]
        };
        17
    ];
    expected[4].spin.rate = -1.0;
    equal("members", &p.to_vec().unwrap(), &expected);

    let mut m = Field::<Matrix<i16, 3, 4>>::zeros_in(device, 5, L::default()).unwrap();
    let source = Array::from_shape_fn((3, 4, 5), |(r, c, i)| (100 * i + 10 * r + c) as i16);
    let fitting = source.view().permuted_axes([2, 0, 1]);
    m.copy_from_ndarray(&fitting).unwrap();
    assert_eq!(m.get(4).unwrap()[[2, 3]], 423);
    assert_eq!(m.to_ndarray().unwrap(), fitting);
    assert!(
        m.copy_to_ndarray(&mut ndarray::Array3::<i16>::zeros((5, 4, 3)))
            .is_err()
    );
    m.copy_from_ndarray_cast(&fitting.mapv(|x| f64::from(x) + 0.75))
        .unwrap();
    assert_eq!(m.to_ndarray().unwrap(), fitting);
    let narrow = Field::<Vec2>::from_ndarray(device, &array![[1.0, 2.0], [3.0, 4.0]]).unwrap();
    let planes = narrow.with_layout(L::default()).unwrap();
    assert_eq!(planes.to_vec().unwrap(), narrow.to_vec().unwrap());
}

pub fn check(device: &Device) {
    elements::<Aos>(device);
    elements::<Soa>(device);
    planes_of_two_axes::<Soa, Soa>(device);
    planes_of_two_axes::<Soa, Aos>(device);
    planes_of_two_axes::<Aos, Soa>(device);
    atomics::<Soa>(device);
    parts::<Aos>(device);
    parts::<Soa>(device);
    host::<Aos>(device);
    host::<Soa>(device);
}

/// CUDA C of a kernel for whole structures of arrays, and for parts of them.
fn planar<K: FuncDef>(width: IndexWidth) -> [swathe::Result<String>; 2] {
    let all = (0..8).try_fold(Params::default(), Params::with).unwrap();
    [Params::default(), all].map(|strided| {
        let variant = Variant {
            index: width,
            strided,
            planar: all,
            ..Variant::default()
        };
        Ok(cuda_source(&K::load(), variant)?.text)
    })
}

macro_rules! planar_sources {
    ($($kernel:ty),*) => {{
        let mut found = sources![$($kernel),*];
        $(
            let [whole, part] = planar::<$kernel>(IndexWidth::Bits32);
            found.push((concat!(stringify!($kernel), " in planes"), whole));
            found.push((concat!(stringify!($kernel), " in parts of planes"), part));
            let [whole, part] = planar::<$kernel>(IndexWidth::Bits64);
            found.push((concat!(stringify!($kernel), " in planes, in 64 bits"), whole));
            found.push((concat!(stringify!($kernel), " in parts of planes, in 64 bits"), part));
        )*
        found
    }};
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    planar_sources![
        advance, swapped, moments, smooth, deposit, centre, shift, beyond, counted
    ]
}
