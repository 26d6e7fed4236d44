//! Atomic operations on members, components and elements of an element, beside plain accesses to its other members.

use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use super::support::{SIZES, ended, equal, scatter, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Spin {
    axis: DVec2,
    rate: f64,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    tag: i16,
    count: u32,
    vel: Vec3,
    mass: f32,
    spin: Spin,
    bins: [u64; 5],
    stress: Matrix<f32, 2, 3>,
    far: Vector<i32, 7>,
}

/// Whole numbers, so that the order of additions does not matter.
#[kernel]
fn deposit(x: &Field<i32>, g: &mut Field<Cell>) {
    let n = g.len();
    for i in x.indices() {
        let k = x[i] as usize % n;
        g[k].count.atomic_add(1);
        g[k].mass.atomic_add(2.0 * x[i] as f32);
        g[k].vel.atomic_sub(Vec3::new(1.0, 2.0, x[i] as f32));
        g[k].vel.y.atomic_add(5.0);
        (g[k].vel)[2].atomic_max(-30.0);
        g[k].spin.axis[1].atomic_max(i as f64);
        g[k].spin.rate.atomic_min(-(x[i] as f64));
        g[k].bins[i % 5].atomic_or(1 << (i % 64));
        g[k].stress[[i % 2, x[i] as usize % 3]].atomic_add(1.0);
        g[k].far[i % 7].atomic_add(i as i32);
    }
}

fn deposited(x: &[i32], g: &mut [Cell]) {
    for (i, &v) in x.iter().enumerate() {
        let cell = &mut g[v as usize % 7];
        cell.count += 1;
        cell.mass += 2.0 * v as f32;
        cell.vel -= Vec3::new(1.0, 2.0, v as f32);
        cell.vel.y += 5.0;
        cell.spin.axis.y = cell.spin.axis.y.max(i as f64);
        cell.spin.rate = cell.spin.rate.min(-f64::from(v));
        cell.bins[i % 5] |= 1 << (i % 64);
        cell.stress[[i % 2, v as usize % 3]] += 1.0;
        cell.far[i % 7] += i as i32;
    }
}

/// Each iteration writes members of its own element plainly while others change other members of it.
#[kernel]
fn beside(to: &Field<u32>, g: &mut Field<Cell>) {
    for i in g.indices() {
        g[i].mass = 2.0 * g[i].mass + i as f32;
        g[i].spin.axis.x += 1.0;
        g[i].bins[3] = i as u64;
        let to = to[i] as usize;
        let before = g[to].count.atomic_add(1);
        g[to].spin.rate.atomic_add((before / before.max(1)) as f64 * 0.0 + 3.0);
        g[to].far.atomic_max(Vector::<i32, 7>::splat(i as i32));
        g[i].vel = Vec3::new(g[i].mass, i as f32, 1.0);
    }
}

/// Old values; the chain of exchanges and a lock-free maximum in a member.
#[kernel]
fn swapped(x: &Field<i32>, g: &mut Field<Cell>, out: &mut Field<u32>, seen: &mut Field<f32>) {
    for i in x.indices() {
        out[i] = g[1].count.atomic_exchange(i as u32 + 1);
        let mut old = g[0].mass.atomic_load();
        while x[i] as f32 > old {
            let now = g[0].mass.atomic_compare_exchange(old, x[i] as f32);
            if now == old {
                break;
            }
            old = now;
        }
        g[i % 2].spin.rate.atomic_store(7.5);
        seen[i] = g[2].vel.z.atomic_load();
    }
}

#[func]
fn bump(k: &mut usize) -> usize {
    *k += 1;
    *k
}

/// The element, the place in it, the value.
#[kernel]
fn ordered(start: &Field<u32>, g: &mut Field<Cell>) {
    for i in start.indices() {
        let mut k = start[i] as usize % 2;
        g[bump(&mut k)].bins[bump(&mut k)].atomic_add((10 * k + bump(&mut k)) as u64);
        let mut j = start[i] as usize % 3;
        g[j].far[j].atomic_add({
            j += 1;
            j as i32
        });
        g[j].stress[[j % 2, j % 3]].atomic_add(bump(&mut j) as f32);
    }
}

fn in_order(start: &[u32], g: &mut [Cell]) {
    for &s in start {
        let k = s as usize % 2;
        g[k + 1].bins[k + 2] += (10 * (k + 2) + k + 3) as u64;
        let j = s as usize % 3;
        g[j].far[j] += j as i32 + 1;
        g[j + 1].stress[[(j + 1) % 2, (j + 1) % 3]] += (j + 2) as f32;
    }
}

#[func]
fn ten(a: &i32, b: i32) -> i32 {
    *a * 10 + b
}

#[func]
impl Cell {
    fn weighed(&self, by: u32) -> u32 {
        self.count * 10 + by
    }
}

/// Indices that are proven, of variables that change before the place is used: by an argument, an index further in, another operand.
#[kernel]
fn changed(
    g: &mut Field<Cell>,
    w: &mut Field<[i32; 3]>,
    h: &mut Field<i32>,
    state: &mut Field<u32>,
    out: &mut Field<u32>,
) {
    let (n, m, l) = (g.len(), w.len(), h.len());
    for i in serial(0..20_usize) {
        let mut k = 7 * i as u32 + 3;
        h[k as usize % l].atomic_add({
            k = 0;
            i as i32
        });
        g[state[0] as usize % n].count.atomic_add({
            state[0] = (state[0] * 5 + 1) % 1000;
            state[0] % 10
        });
        k = 5 * i as u32 + 4;
        w[k as usize % m][{
            k = 0;
            i % 3
        }] += 2;
        k = 3 * i as u32 + 1;
        let a = ten(&h[k as usize % l], {
            k = 0;
            1
        });
        k = 9 * i as u32 + 2;
        let b = g[k as usize % n].weighed({
            k = 0;
            7
        });
        k = 2 * i as u32;
        let c = w[k as usize % m][{
            k = 1;
            (i + 1) % 3
        }];
        k = 2 * i as u32 + 1;
        g[k as usize % n].vel.atomic_add(Vec3::new(1.0, 2.0, {
            k += 1;
            k as f32
        }));
        g[k as usize % n].stress[[k as usize % 2, k as usize % 3]].atomic_add({
            k = 0;
            0.5
        });
        out[i] = a as u32 * 100 + b * 10 + c as u32;
    }
}

fn after_change(g: &mut [Cell], w: &mut [[i32; 3]], h: &mut [i32], state: &mut u32, out: &mut [u32]) {
    let (n, m, l) = (g.len(), w.len(), h.len());
    for i in 0..20 {
        h[(7 * i + 3) % l] += i as i32;
        let at = *state as usize % n;
        *state = (*state * 5 + 1) % 1000;
        g[at].count += *state % 10;
        w[(5 * i + 4) % m][i % 3] += 2;
        let a = h[(3 * i + 1) % l] * 10 + 1;
        let b = g[(9 * i + 2) % n].count * 10 + 7;
        let c = w[2 * i % m][(i + 1) % 3];
        let k = 2 * i + 1;
        g[k % n].vel += Vec3::new(1.0, 2.0, k as f32 + 1.0);
        let k = k + 1;
        g[k % n].stress[[k % 2, k % 3]] += 0.5;
        out[i] = a as u32 * 100 + b * 10 + c as u32;
    }
}

/// An index that is not checked is as old as its access, too.
#[kernel]
fn vouched(h: &mut Field<i32>) {
    let mut n = h.len() - 1;
    // SAFETY: it is less than the length.
    unsafe {
        h.get_unchecked_mut(n).atomic_add({
            n = 1 << 40;
            (n >> 38) as i32
        });
    }
}

/// An index into a part is checked, as everywhere.
#[kernel]
fn outside(x: &Field<i32>, g: &mut Field<Cell>) {
    for i in x.indices() {
        g[0].bins[x[i] as usize].atomic_add(1);
    }
}

/// Components of an element that is a vector, at positions that count from an origin.
#[kernel]
fn around(u: &mut OffsetField<Vec2>) {
    for i in u.indices() {
        u[-1].x.r#atomic_add(1.0);
        // `r#` is no part of a name.
        assert!(u.r#len() == 5);
        u[i].y.atomic_add(i as f32);
    }
}

fn check_in<L: FieldLayout + Copy>(device: &Device, layout: L) {
    let cells: Vec<Cell> = (0..7)
        .map(|k| Cell {
            tag: k,
            count: 3 * k as u32,
            mass: f32::from(k) - 3.0,
            spin: Spin {
                axis: DVec2::new(0.5, -1.0),
                rate: f64::from(k),
            },
            far: Vector::splat(i32::from(k)),
            ..Cell::default()
        })
        .collect();
    let made = |cells: &[Cell]| super::support::field(device, cells).with_layout(layout).unwrap();
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(|i| scatter(i).rem_euclid(9)).collect();
        let x = super::support::field(device, &values);
        let mut g = made(&cells);
        ended(device, deposit(&x, &mut g)).unwrap();
        let mut expected = cells.clone();
        deposited(&values, &mut expected);
        // What the maximum left of the sum depends on the order.
        let got: Vec<Cell> = g.to_vec().unwrap();
        for (got, expected) in got.iter().zip(&mut expected) {
            assert!(got.vel.z >= expected.vel.z && got.vel.z <= 0.0);
            expected.vel.z = got.vel.z;
        }
        equal("deposit", &got, &expected);

        let start: Vec<u32> = (0..n).map(|i| scatter(i) as u32 % 50).collect();
        let mut g = made(&cells);
        ended(device, ordered(&super::support::field(device, &start), &mut g)).unwrap();
        let mut expected = cells.clone();
        in_order(&start, &mut expected);
        equal("ordered", &g.to_vec().unwrap(), &expected);

        let many: Vec<Cell> = (0..n).map(|k| cells[k % 7]).collect();
        let to: Vec<u32> = (0..n).map(|i| (scatter(i) as u32) % n as u32).collect();
        let mut g = made(&many);
        ended(device, beside(&super::support::field(device, &to), &mut g)).unwrap();
        let mut expected = many.clone();
        for i in 0..n {
            let own = &mut expected[i];
            own.mass = 2.0 * own.mass + i as f32;
            own.spin.axis.x += 1.0;
            own.bins[3] = i as u64;
            own.vel = Vec3::new(own.mass, i as f32, 1.0);
            let other = &mut expected[to[i] as usize];
            other.count += 1;
            other.spin.rate += 3.0;
            for k in 0..7 {
                other.far[k] = other.far[k].max(i as i32);
            }
        }
        equal("beside", &g.to_vec().unwrap(), &expected);

        let mut g = made(&cells);
        let (mut out, mut seen) = (Field::zeros(device, n).unwrap(), Field::zeros(device, n).unwrap());
        ended(device, swapped(&x, &mut g, &mut out, &mut seen)).unwrap();
        let after = g.to_vec().unwrap();
        let mut chain = out.to_vec().unwrap();
        chain.push(after[1].count);
        chain.sort_unstable();
        let mut all: Vec<u32> = (1..=n as u32).chain([3]).collect();
        all.sort_unstable();
        equal("exchanged", &chain, &all);
        let most = values.iter().fold(-3.0, |a: f32, v| a.max(*v as f32));
        assert_eq!(after[0].mass, most);
        assert_eq!(after[0].spin.rate, if n > 0 { 7.5 } else { 0.0 });
        equal("seen", &seen.to_vec().unwrap(), &vec![0.0; n]);
    }
    let mut state = 3;
    let (mut h, mut w, mut out) = (vec![5, 3, 1, 8, 2], vec![[1, 2, 3], [4, 5, 6], [7, 8, 9]], vec![0; 20]);
    let mut g = made(&cells);
    let (mut hs, mut ws) = (
        super::support::field(device, &h),
        super::support::field(device, &w).with_layout(layout).unwrap(),
    );
    let (mut states, mut outs) = (
        super::support::field(device, &[state]),
        super::support::field(device, &out),
    );
    ended(device, changed(&mut g, &mut ws, &mut hs, &mut states, &mut outs)).unwrap();
    let mut expected = cells.clone();
    after_change(&mut expected, &mut w, &mut h, &mut state, &mut out);
    equal("changed", &g.to_vec().unwrap(), &expected);
    equal("changed, w", &ws.to_vec().unwrap(), &w);
    equal("changed, h", &hs.to_vec().unwrap(), &h);
    equal("changed, out", &outs.to_vec().unwrap(), &out);
    ended(device, vouched(&mut hs)).unwrap();
    h[4] += 4;
    equal("vouched", &hs.to_vec().unwrap(), &h);

    let mut g = made(&cells);
    let x = super::support::field(device, &[4, 5]);
    let failed = ended(device, outside(&x, &mut g)).unwrap_err().to_string();
    assert!(failed.contains('5'), "{failed}");
    // On the CPU it is a panic, after which later iterations may be left out.
    assert_eq!(g.to_vec().unwrap()[0].bins[4], 1);
}

pub fn check(device: &Device) {
    check_in(device, Aos);
    check_in(device, Soa);
    let values: Vec<Vec2> = (0..5).map(|k| Vec2::new(k as f32, 2.0 * k as f32)).collect();
    let mut u = super::support::field(device, &values).with_origin([-2]).unwrap();
    around(&mut u).unwrap();
    let expected: Vec<Vec2> = (0..5)
        .map(|k| Vec2::new(k as f32 + if k == 1 { 5.0 } else { 0.0 }, 3.0 * k as f32 - 2.0))
        .collect();
    equal("around", &u.field().to_vec().unwrap(), &expected);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![deposit, beside, swapped, ordered, changed, vouched, outside, around]
}
