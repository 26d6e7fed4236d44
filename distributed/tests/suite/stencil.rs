//! Stencils on many ranks have the bits that a plain loop over the whole grid has.

use std::mem::swap;

use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};
use swathe_distributed::{At, End, Grid, Local};

use crate::devices::devices;

const RANKS: [usize; 5] = [1, 2, 3, 4, 6];

#[kernel(strict)]
fn blend(u: &OffsetField<f32, 2>, v: &mut OffsetField<f32, 2>, h: isize) {
    for [i, j] in v.indices() {
        let corners = u[[i - h, j + h]] - 0.3 * u[[i + h, j + h]] + 0.7 * u[[i - h, j - h]] - u[[i + h, j - h]];
        let star = u[[i - h, j]] + u[[i + h, j]] + u[[i, j - 1]] - u[[i, j + h]];
        v[[i, j]] = 0.4 * u[[i, j]] + 0.1 * star + 0.05 * corners;
    }
}

/// The nearest cell of the grid.
#[kernel]
fn clamp(u: &OffsetField<f32, 2>, beyond: &mut OffsetField<f32, 2>, axis: usize, edge: isize) {
    for [i, j] in beyond.indices() {
        beyond[[i, j]] = if axis == 0 { u[[edge, j]] } else { u[[i, edge]] };
    }
}

fn start(i: usize, j: usize) -> f32 {
    ((i * 37 + j * 11) % 101) as f32 * 0.37 - 5.0
}

/// The same by plain loops over the whole grid.
fn plain([h, w]: [usize; 2], periodic: [bool; 2], halo: isize, steps: usize) -> Vec<f32> {
    let mut u: Vec<f32> = (0..h * w).map(|k| start(k / w, k % w)).collect();
    let at = |u: &[f32], i: isize, j: isize| {
        let place = |i: isize, n: usize, periodic: bool| match periodic {
            true => i.rem_euclid(n as isize) as usize,
            false => i.clamp(0, n as isize - 1) as usize,
        };
        u[place(i, h, periodic[0]) * w + place(j, w, periodic[1])]
    };
    for _ in 0..steps {
        let next = |k: usize| {
            let (i, j, r) = ((k / w) as isize, (k % w) as isize, halo);
            let corners =
                at(&u, i - r, j + r) - 0.3 * at(&u, i + r, j + r) + 0.7 * at(&u, i - r, j - r) - at(&u, i + r, j - r);
            let star = at(&u, i - r, j) + at(&u, i + r, j) + at(&u, i, j - 1) - at(&u, i, j + r);
            0.4 * at(&u, i, j) + 0.1 * star + 0.05 * corners
        };
        u = (0..h * w).map(next).collect();
    }
    u
}

fn blended<L: FieldLayout>(
    device: &Device,
    layout: L,
    ranks: usize,
    shape: [usize; 2],
    periodic: [bool; 2],
    halo: usize,
    steps: usize,
) -> Vec<f32> {
    let all = Local::new(ranks).threads(1).run(|world| {
        let grid = Grid::new(world, shape).halo(halo).periodic(periodic).build()?;
        let mut u = grid.field_with::<f32, L>(device, [At::Cell; 2], layout)?;
        let mut v = grid.field_with::<f32, L>(device, [At::Cell; 2], layout)?;
        u.fill_with(|[i, j]| start(i, j))?;
        for _ in 0..steps {
            let whole = u.boundary(|mut side| {
                let edge = match side.end {
                    End::Low => 0,
                    End::High => shape[side.axis] as isize - 1,
                };
                clamp(&side.rest, &mut side.beyond, side.axis, edge)
            })?;
            blend(whole, &mut v.own()?, halo as isize)?;
            swap(&mut u, &mut v);
        }
        u.gather(ranks - 1)?
            .map(|whole| whole.to_vec().map_err(Into::into))
            .transpose()
    });
    let mut all = all.unwrap();
    assert!(all[..ranks - 1].iter().all(Option::is_none));
    all.pop().flatten().unwrap()
}

#[test]
fn stencils_have_the_bits_of_one_loop() {
    let shape = [18, 23];
    for periodic in [[false, false], [true, false], [false, true], [true, true]] {
        for halo in 1..=3 {
            let expected = plain(shape, periodic, halo as isize, 3);
            for ranks in RANKS {
                let aos = blended(&Device::cpu(), Aos, ranks, shape, periodic, halo, 3);
                let soa = blended(&Device::cpu(), Soa, ranks, shape, periodic, halo, 3);
                assert!(aos == expected, "{ranks} ranks, halo {halo}, periodic {periodic:?}");
                assert!(
                    soa == expected,
                    "{ranks} ranks, halo {halo}, periodic {periodic:?}, planes"
                );
            }
        }
    }
}

#[test]
fn stencils_on_cuda_have_the_same_bits() {
    let [_, cuda] = devices();
    for (ranks, periodic, halo) in [
        (1, [true, true], 1),
        (3, [true, false], 2),
        (4, [false, true], 1),
        (2, [false; 2], 3),
    ] {
        let expected = plain([12, 7], periodic, halo as isize, 2);
        let got = blended(&cuda, Aos, ranks, [12, 7], periodic, halo, 2);
        assert!(got == expected, "{ranks} ranks, halo {halo}, periodic {periodic:?}");
        let planes = blended(&cuda, Soa, ranks, [12, 7], periodic, halo, 2);
        assert!(
            planes == expected,
            "{ranks} ranks, halo {halo}, periodic {periodic:?}, planes"
        );
    }
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Flow {
    solid: bool,
    velocity: Vec3,
    density: f64,
}

#[kernel(strict)]
fn stream(u: &OffsetField<Flow, 3>, v: &mut OffsetField<Flow, 3>) {
    for [i, j, k] in v.indices() {
        let (from, other) = (u[[i - 1, j + 1, k - 1]], u[[i + 1, j - 1, k + 1]]);
        v[[i, j, k]].solid = from.solid != other.solid;
        v[[i, j, k]].velocity = from.velocity * 0.5 + other.velocity;
        v[[i, j, k]].density = u[[i, j, k - 1]].density - 0.1 * from.density;
    }
}

fn flow([i, j, k]: [usize; 3]) -> Flow {
    let n = (i * 35 + j * 7 + k) as f32;
    Flow {
        solid: (i + j * k) % 3 == 0,
        velocity: Vec3::new(n, 0.1 * n, -n),
        density: f64::from(n) * 0.3,
    }
}

#[test]
fn structs_in_three_dimensions() {
    let shape = [6, 5, 7];
    let periodic = [true, false, true];
    let mut expected = vec![Flow::default(); 6 * 5 * 7];
    // Beyond the ends of the second axis all is zero.
    let at = |p: [isize; 3]| match p[1] {
        0..5 => flow([p[0].rem_euclid(6) as usize, p[1] as usize, p[2].rem_euclid(7) as usize]),
        _ => Flow::default(),
    };
    for (n, out) in expected.iter_mut().enumerate() {
        let [i, j, k] = [n / 35, n / 7 % 5, n % 7].map(|x| x as isize);
        let (from, other) = (at([i - 1, j + 1, k - 1]), at([i + 1, j - 1, k + 1]));
        *out = Flow {
            solid: from.solid != other.solid,
            velocity: from.velocity * 0.5 + other.velocity,
            density: at([i, j, k - 1]).density - 0.1 * from.density,
        };
    }
    let [cpu, cuda] = devices();
    for (device, ranks) in [(&cpu, 1), (&cpu, 2), (&cpu, 6), (&cpu, 12), (&cuda, 4)] {
        fn run<L: FieldLayout>(
            device: &Device,
            ranks: usize,
            shape: [usize; 3],
            periodic: [bool; 3],
            layout: L,
        ) -> Vec<Flow> {
            let all = Local::new(ranks).threads(1).run(|world| {
                let grid = Grid::new(world, shape).halo(1).periodic(periodic).build()?;
                let mut u = grid.field_with::<Flow, L>(device, [At::Cell; 3], layout)?;
                let mut v = grid.field_with::<Flow, L>(device, [At::Cell; 3], layout)?;
                u.fill_with(flow)?;
                stream(u.shared()?, &mut v.own()?)?;
                v.gather(0)?.map(|whole| whole.to_vec().map_err(Into::into)).transpose()
            });
            all.unwrap().swap_remove(0).unwrap()
        }
        assert!(
            run(device, ranks, shape, periodic, Aos) == expected,
            "{ranks} ranks on {device}"
        );
        assert!(
            run(device, ranks, shape, periodic, Soa) == expected,
            "{ranks} ranks on {device}, planes"
        );
    }
}

#[kernel]
fn shift(u: &OffsetField<i32>, v: &mut OffsetField<i32>) {
    for i in v.indices() {
        v[i] = 2 * u[i - 1] + u[i + 1];
    }
}

#[test]
fn one_dimension_down_to_a_cell_a_rank() {
    for n in [1, 2, 3, 6, 17] {
        for ranks in (1..=6).filter(|ranks| *ranks <= n) {
            let u = |i: isize| 3 * i.rem_euclid(n as isize) as i32 + 1;
            let expected: Vec<i32> = (0..n as isize).map(|i| 2 * u(i - 1) + u(i + 1)).collect();
            let all = Local::new(ranks).threads(1).run(|world| {
                let grid = Grid::new(world, n).halo(1).periodic([true]).build()?;
                let mut u = grid.field(&Device::cpu())?;
                let mut v = grid.field(&Device::cpu())?;
                u.fill_with(|[i]| 3 * i as i32 + 1)?;
                shift(u.shared()?, &mut v.own()?)?;
                Ok(v.gather(0)?.map(|whole| whole.to_vec()).transpose()?)
            });
            assert_eq!(all.unwrap()[0], Some(expected), "{n} cells, {ranks} ranks");
        }
    }
}
