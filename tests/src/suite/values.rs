//! Local arrays, structs and places of any depth.

use swathe::prelude::*;

use super::support::{each, scatter, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Inner {
    pos: Vec3,
    flags: [u8; 3],
    on: bool,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Outer {
    id: u64,
    arr: [Inner; 2],
    grid: [[i32; 3]; 2],
    speeds: [DVec2; 2],
    last: Inner,
}

fn outer(i: usize) -> Outer {
    let inner = |k: usize| Inner {
        pos: Vec3::new(k as f32, -(k as f32), 0.5 * k as f32),
        flags: [k as u8, (k / 3) as u8, 7],
        on: k.is_multiple_of(3),
    };
    Outer {
        id: 1 << (i % 64),
        arr: [inner(i), inner(2 * i + 1)],
        grid: [[scatter(i), 1, 2], [3, scatter(i + 7), 5]],
        speeds: [DVec2::new(i as f64, 0.25), DVec2::new(-1.0, 2.0 * i as f64)],
        last: inner(i + 100),
    }
}

#[kernel]
fn local_arrays(x: &Field<i32>, out: &mut Field<[i32; 4]>) {
    for i in out.indices() {
        let a = [x[i], 2, -3];
        let mut b = [0; 5];
        for k in 0..5 {
            b[k] = a[k % 3] * (k as i32 + 1);
        }
        b[1] += 10;
        b[2] -= 1;
        let mut c = [[0i32; 3]; 2];
        c[1] = [b[0], b[1], b[2]];
        c[0][2] = c[1][0] + 1;
        let row = c[1];
        let mut d = row;
        d[0] = 99;
        let picked = [4, 5, 6][(x[i] & 1) as usize] + [[1, 2], [3, 4]][1][0];
        out[i] = [b[0] + b[1] + b[2] + b[3] + b[4], c[0][2], row[0] * 1000 + d[0], picked];
        out[i][3] += i as i32;
    }
}

#[kernel]
fn arrays_of_vectors(x: &Field<i32>, out: &mut Field<Vec3>) {
    for i in out.indices() {
        let mut v = [Vec3::ZERO; 4];
        let mut w = [Vec3::new(1.0, 2.0, 3.0), Vec3::splat(x[i] as f32)];
        for k in 0..4 {
            v[k].x = k as f32;
            v[k][1] = x[i] as f32;
            v[k] += w[k % 2];
        }
        w[1].z = v[2].y;
        w[0][2] *= 2.0;
        let m = [[Vec2::new(1.0, 0.5); 2]; 2];
        out[i] = v[1] + v[3] + w[0] + w[1];
        out[i].x += m[1][0].y;
    }
}

#[kernel]
fn struct_literals(x: &Field<i32>, out: &mut Field<Inner>) {
    for i in out.indices() {
        let on = x[i] > 0;
        let base = Inner {
            flags: [1, 2, 3],
            on,
            pos: Vec3::new(1.0, 2.0, x[i] as f32),
        };
        let mut other = Inner {
            pos: base.pos * 2.0,
            ..base
        };
        other.flags[1] = (x[i] & 0x7f) as u8;
        let all = [base, other, Inner { on: !on, ..other }];
        let one = all[(i % 3) as usize];
        out[i] = Inner {
            flags: [one.flags[2], one.flags[1], all[1].flags[0]],
            ..one
        };
    }
}

#[kernel]
fn deep_places(x: &Field<Outer>, out: &mut Field<Outer>) {
    for i in out.indices() {
        let k = i % 2;
        out[i] = x[i];
        out[i].id += 1;
        out[i].arr[k].pos.x = 7.5;
        out[i].arr[1 - k].pos[2] += x[i].arr[k].pos[0];
        out[i].arr[k].flags[i % 3] = 200;
        out[i].arr[0].on = !x[i].arr[1].on;
        out[i].grid[k][2] -= x[i].grid[1 - k][1] * 2;
        out[i].grid[0] = [out[i].grid[0][2], out[i].grid[1][1], 0];
        out[i].speeds[k].y *= 0.5;
        out[i].speeds[1 - k] = DVec2::new(x[i].speeds[k].x, 3.0);
        out[i].last = out[i].arr[k];
        out[i].last.pos.y = -1.0;
    }
}

#[kernel]
fn deep_locals(x: &Field<Outer>, out: &mut Field<Outer>) {
    for i in out.indices() {
        let mut p = x[i];
        let k = i % 2;
        p.arr[k].pos.x = 7.5;
        p.arr[1 - k].pos[2] += x[i].arr[k].pos[0];
        p.arr[k].flags[i % 3] = 200;
        p.arr[0].on = !x[i].arr[1].on;
        p.grid[k][2] -= x[i].grid[1 - k][1] * 2;
        p.grid[0] = [p.grid[0][2], p.grid[1][1], 0];
        p.speeds[k].y *= 0.5;
        p.speeds[1 - k] = DVec2::new(x[i].speeds[k].x, 3.0);
        p.last = p.arr[k];
        p.last.pos.y = -1.0;
        let q = (p, [p.id + 1]);
        p.id = q.1[0];
        out[i] = p;
    }
}

#[kernel]
fn one_member_of_many(x: &mut Field<Outer>, by: i32) {
    for i in x.indices() {
        x[i].grid[1][1] = x[i].grid[1][1] * by + x[i].arr[1].flags[0] as i32;
    }
}

fn changed(i: usize, x: Outer) -> Outer {
    let mut p = Outer { id: x.id + 1, ..x };
    let (k, j) = if i.is_multiple_of(2) { (0, 1) } else { (1, 0) };
    p.arr[j].pos.z += x.arr[k].pos.x;
    p.arr[k].pos.x = 7.5;
    p.arr[k].flags[i % 3] = 200;
    p.arr[0].on = !x.arr[1].on;
    p.grid[k][2] -= 2 * x.grid[j][1];
    let (a, b) = (p.grid[0][2], p.grid[1][1]);
    p.grid[0] = [a, b, 0];
    p.speeds[k].y /= 2.0;
    p.speeds[j] = DVec2::new(x.speeds[k].x, 3.0);
    p.last = p.arr[k];
    p.last.pos.y = -1.0;
    p
}

/// Floats that are written without a point.
#[kernel]
fn whole_floats(x: &Field<i32>, out: &mut Field<[f32; 4]>) {
    for i in out.indices() {
        let scale = if x[i] > 0 { 2f32 } else { 3f32 };
        let mut t = 0f32;
        while t < 1f32 {
            t += 0.25;
        }
        out[i] = [
            4f32.sqrt(),
            (scale * 8f32).floor(),
            -t.trunc(),
            (1f64.floor() as f32).max(scale),
        ];
    }
}

pub fn check(device: &Device) {
    each!(device, whole_floats, scatter, |_, x| {
        let scale = if x > 0 { 2.0 } else { 3.0 };
        [2.0, scale * 8.0, -1.0, scale]
    });
    each!(device, local_arrays, scatter, |i, x| {
        let b = [x, 4 + 10, -9 - 1, 4 * x, 10];
        [b.iter().sum(), x + 1, 1000 * x + 99, 4 + (x & 1) + 3 + i as i32]
    });
    each!(device, arrays_of_vectors, scatter, |_, x| {
        let x = x as f32;
        // v[1] + v[3], then w[0], then w[1].
        Vec3::new(
            1.0 + x + 3.0 + x + 1.0 + x + 0.5,
            x + x + x + x + 2.0 + x,
            x + x + 6.0 + (x + 2.0),
        )
    });
    each!(device, struct_literals, scatter, |i, x| {
        let twice = if i % 3 == 0 { 1.0 } else { 2.0 };
        Inner {
            pos: Vec3::new(twice, 2.0 * twice, twice * x as f32),
            flags: [3, if i % 3 == 0 { 2 } else { (x & 0x7f) as u8 }, 1],
            on: (x > 0) != (i % 3 == 2),
        }
    });
    // The id of the last element would overflow nothing: 2^63 + 1 fits.
    each!(device, deep_places, outer, changed);
    each!(device, deep_locals, outer, changed);
    for n in super::support::SIZES {
        let values: Vec<Outer> = (0..n).map(outer).collect();
        let mut x = super::support::field(device, &values);
        one_member_of_many(&mut x, 3).unwrap();
        let expected = values.into_iter().enumerate().map(|(i, mut x)| {
            x.grid[1][1] = 3 * scatter(i + 7) + i32::from((2 * i + 1) as u8);
            x
        });
        super::support::same("one_member_of_many", &x, expected.collect());
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        whole_floats,
        local_arrays,
        arrays_of_vectors,
        struct_literals,
        deep_places,
        deep_locals,
        one_member_of_many
    ]
}
