//! Enums without data in loops that run in lanes, whose indices are looked at in front, and by transposed blocks.

use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, same, values, versions};

#[derive(Element, Clone, Copy, Debug, PartialEq)]
enum Phase {
    Gas,
    Liquid,
    Solid,
    Plasma,
}

/// As an index, -1 is out of bounds of any field.
#[derive(Element, Clone, Copy, Debug, PartialEq)]
#[repr(i16)]
enum Side {
    Left = 0,
    Middle = 1,
    Right = 2,
    Far = 300,
    None = -1,
}

#[func]
impl Phase {
    fn heated(self) -> Phase {
        match self {
            Phase::Solid => Phase::Liquid,
            Phase::Liquid => Phase::Gas,
            Phase::Gas | Phase::Plasma => Phase::Plasma,
        }
    }
}

#[func]
fn steps(from: Phase, to: Phase, most: u32) -> u32 {
    let mut phase = from;
    let mut count = 0;
    while phase != to && count < most {
        phase = phase.heated();
        count += 1;
    }
    count
}

fn phase(i: usize) -> Phase {
    [Phase::Gas, Phase::Liquid, Phase::Solid, Phase::Plasma][i * 7 / 3 % 4]
}

fn reference(from: Phase, to: Phase) -> (u32, Phase) {
    let mut phase = from;
    for count in 0..5 {
        if phase == to {
            return (count, phase);
        }
        phase = match phase as u8 {
            2 => Phase::Liquid,
            1 => Phase::Gas,
            _ => Phase::Plasma,
        };
    }
    (5, phase)
}

/// A variable of the iteration outlives loops inside.
#[kernel]
fn carried(start: &Field<Phase>, to: Phase, end: &mut Field<Phase>, count: &mut Field<u32>, sums: &mut Field<f32>) {
    for i in end.indices() {
        let mut phase = start[i];
        let mut n = 0;
        while phase != to && n < 5 {
            phase = phase.heated();
            n += 1;
        }
        let mut sum = 0.0;
        for k in 0..n + 3 {
            sum += match phase {
                Phase::Gas => 0.5,
                Phase::Liquid if k > 2 => 2.0,
                Phase::Liquid => 1.0,
                Phase::Solid | Phase::Plasma => k as f32,
            };
        }
        end[i] = if n == 5 { Phase::Solid } else { phase };
        count[i] = n + 100 * steps(start[i], to, 5);
        sums[i] = sum;
    }
}

#[test]
fn variables_in_lanes() {
    let plan = carried::plan().to_string();
    assert!(plan.contains("in lanes"), "{plan}");
    for n in SIZES {
        versions(|version| {
            for to in [Phase::Gas, Phase::Solid, Phase::Plasma] {
                let (mut end, mut count, mut sums) =
                    (field(n, |_| Phase::Gas), field(n, |_| 77), field(n, |_| -1.0_f32));
                carried(&field(n, phase), to, &mut end, &mut count, &mut sums).unwrap();
                let last = |i: usize| reference(phase(i), to);
                same(version, &values(&end), |i| {
                    if last(i).0 == 5 { Phase::Solid } else { last(i).1 }
                });
                same(version, &values(&count), |i| 101 * last(i).0);
                same(version, &values(&sums), |i| {
                    let (n, phase) = last(i);
                    let term = |k: u32| [0.5, if k > 2 { 2.0 } else { 1.0 }, k as f32, k as f32][phase as usize];
                    (0..n + 3).map(term).sum()
                });
            }
        });
    }
}

/// Its indices are values of an enum.
#[kernel]
fn looked_up(side: &Field<Side>, x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = x[side[i] as usize] * 2.0;
    }
}

/// A table of them, for loops inside.
#[kernel]
fn by_table(table: &Field<Side, 2>, x: &Field<u32>, sums: &mut Field<u32>, times: usize) {
    for p in sums.indices() {
        let mut sum = 1;
        for _ in 0..times {
            for k in 0..3 {
                let q = table[[p, k]] as usize;
                sum += x[q];
            }
        }
        sums[p] = sum;
    }
}

#[test]
fn indices_that_are_values() {
    let x = field(3, |i| 1.5 + i as f32);
    let numbers = field(3, |i| 1 + 10 * i as u32);
    for n in SIZES {
        for bad in [Side::Left, Side::Far, Side::None] {
            let good = |i: usize| [Side::Right, Side::Left, Side::Middle][i * 5 % 3];
            let side = |i: usize| if i == n / 2 && bad != Side::Left { bad } else { good(i) };
            let failed = |i: usize| matches!(side(i), Side::Far | Side::None);
            versions(|version| {
                let mut out = field(n, |_| -7.0_f32);
                let result = looked_up(&field(n, side), &x, &mut out);
                assert_eq!(result.is_err(), n > 0 && bad != Side::Left, "{n} {bad:?} {version}");
                same(version, &values(&out), |i| match failed(i) {
                    true => -7.0,
                    false => 2.0 * (1.5 + side(i) as u16 as f32),
                });

                let entries: Vec<Side> = (0..3 * n)
                    .map(|k| if k % 3 == 1 { side(k / 3) } else { good(k) })
                    .collect();
                let mut table = Field::zeros(&Device::cpu(), [n, 3]).unwrap();
                table.copy_from_slice(&entries).unwrap();
                let mut sums = field(n, |_| 5);
                let result = by_table(&table, &numbers, &mut sums, 2);
                assert_eq!(result.is_err(), n > 0 && bad != Side::Left, "{n} {bad:?} {version}");
                same(version, &values(&sums), |i| match failed(i) {
                    true => 5,
                    false => 1 + 2 * (0..3).map(|k| 1 + 10 * entries[3 * i + k] as u32).sum::<u32>(),
                });
            });
        }
    }
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Grain {
    mass: f32,
    phase: Phase,
    side: Side,
    heat: [f32; 3],
}

fn grain(i: usize) -> Grain {
    Grain {
        mass: 1.0 + i as f32,
        phase: phase(i),
        side: [Side::None, Side::Far, Side::Right][i % 3],
        heat: [0.5, i as f32, -2.0],
    }
}

/// Members of structs.
#[kernel]
fn heat(grains: &mut Field<Grain>, by: f32) {
    for i in grains.indices() {
        let old = grains[i];
        grains[i].heat[1] = old.heat[1] * by + old.mass;
        grains[i].phase = if grains[i].heat[1] > 40.0 {
            old.phase.heated()
        } else {
            old.phase
        };
        grains[i].mass = match (old.side, grains[i].phase) {
            (Side::None, _) => 0.0,
            (Side::Far, Phase::Gas) => old.mass * 3.0,
            (_, Phase::Solid | Phase::Plasma) => old.mass - 1.0,
            _ => old.mass,
        };
        if grains[i].phase == Phase::Plasma {
            grains[i].side = Side::Middle;
        }
    }
}

#[test]
fn members_of_structs() {
    for n in SIZES {
        versions(|version| {
            let mut grains = field(n, grain);
            heat(&mut grains, 0.5).unwrap();
            let expected = |i: usize| {
                let old = grain(i);
                let mut new = old;
                new.heat[1] = old.heat[1] * 0.5 + old.mass;
                if new.heat[1] > 40.0 {
                    new.phase = [Phase::Plasma, Phase::Gas, Phase::Liquid, Phase::Plasma][old.phase as usize];
                }
                let (far, kind) = (old.side as i16, new.phase as u8);
                new.mass = match (far, kind) {
                    (-1, _) => 0.0,
                    (300, 0) => old.mass * 3.0,
                    (_, 2 | 3) => old.mass - 1.0,
                    _ => old.mass,
                };
                new.side = if kind == 3 { Side::Middle } else { old.side };
                new
            };
            same(version, &values(&grains), expected);
            let mut planes = field(n, grain).with_layout(swathe::Soa).unwrap();
            heat(&mut planes, 0.5).unwrap();
            same(version, &planes.to_vec().unwrap(), expected);
        });
    }
}
