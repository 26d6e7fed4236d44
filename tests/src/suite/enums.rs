//! Enums without data.
// Kernels say things in the ways that they have.
#![allow(
    clippy::cast_enum_truncation,
    clippy::match_single_binding,
    clippy::needless_late_init
)]

use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use super::support::{SIZES, each, equal, field, same, scatter, sources, twins};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Cell {
    #[default]
    Fluid,
    Solid,
    Inflow,
    Outflow,
    Free,
}

/// Numbers of both signs, out of order.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i16)]
enum Charge {
    Positive = 300,
    #[default]
    None = 0,
    Negative = -300,
    Double = Charge::Positive as i16 * 2,
}

/// In a byte without a sign.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wide {
    Last = 255,
    #[default]
    First = 0,
    Middle = 128,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u64)]
enum Large {
    #[default]
    None,
    All = u64::MAX,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i32)]
enum One {
    #[default]
    Only,
}

mod named {
    use super::*;

    #[derive(Element, Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[repr(i8)]
    #[allow(non_camel_case_types)]
    pub enum r#Type {
        #[default]
        r#None,
        small = -128,
        r#match = 127,
    }
}

use Cell::{Free, Inflow, Outflow, Solid};
use named::r#Type;

const WALL: Cell = Cell::Solid;
const SIDES: [Cell; 2] = [Cell::Inflow, Cell::Outflow];

#[func]
impl Cell {
    const OPEN: Cell = Cell::Free;

    fn is_wall(self) -> bool {
        self == Self::Solid
    }

    fn next(self) -> Self {
        match self {
            Self::Fluid => Self::Solid,
            Cell::Solid => Self::Inflow,
            Self::Inflow => Cell::Outflow,
            Cell::Outflow => Self::OPEN,
            Self::Free => Self::Fluid,
        }
    }

    fn turn(&mut self) -> u8 {
        *self = self.next();
        *self as u8
    }
}

#[func]
fn cell_of(x: i32) -> Cell {
    use Cell::*;
    match x.rem_euclid(5) {
        0 => Fluid,
        1 => Solid,
        2 => Inflow,
        3 => Outflow,
        _ => Free,
    }
}

#[func]
fn same_kind<T: Element + Alike>(a: T, b: T) -> bool {
    a.is_like(b)
}

/// What the function above asks of a type.
#[func]
trait Alike: Sized {
    fn is_like(self, other: Self) -> bool;
}

#[func]
impl Alike for Charge {
    fn is_like(self, other: Charge) -> bool {
        self == other
    }
}

/// Without padding: code of a device may copy it with the members beside it, and an interpreter of that refuses bytes which nobody wrote.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Particle {
    mass: f64,
    kind: Cell,
    charge: Charge,
    sides: [Cell; 4],
    fixed: bool,
}

#[derive(Element, Clone, Copy, Debug, Default)]
#[element(PartialEq)]
struct Pair(Cell, [Wide; 2]);

fn particle(i: usize) -> Particle {
    let charges = [Charge::Positive, Charge::None, Charge::Negative, Charge::Double];
    Particle {
        mass: 0.5 + i as f64,
        kind: cell_of(i as i32),
        charge: charges[i / 5 % 4],
        sides: [
            cell_of(i as i32 + 1),
            cell_of(i as i32 * 3),
            cell_of(scatter(i)),
            Cell::Inflow,
        ],
        fixed: i % 3 == 1,
    }
}

twins! {
    arms(k: Cell) -> i32 {
        let a = match k { Cell::Fluid => 1, Cell::Solid | Cell::Inflow => 2, Outflow => 3, Free => 4 };
        let b = match k { Solid => 10, Inflow => 20, other => other as i32 * 100 };
        let c = match k { WALL => 1000, Cell::OPEN => 2000, _ => 3000 };
        let d = match (k, k.next()) { (Cell::Fluid, Cell::Solid) => 5, (_, Cell::Fluid) => 6, (Free, _) => 7, _ => 8 };
        let e = match k { seen @ (Cell::Solid | Cell::Free) if seen.is_wall() => 1, Cell::Solid => 2, _ => 3 };
        a + b + c + 10_000 * d + 100_000 * e
    }
    comparisons(k: Cell) -> i32 {
        let mut found = (k == Cell::Solid) as i32 + 2 * (k != Cell::Inflow) as i32 + 4 * k.is_wall() as i32;
        found += 8 * (Cell::Free == k) as i32 + 16 * (SIDES[0] == k) as i32 + 32 * ([k; 2] != SIDES) as i32;
        found += 64 * matches!(k, Cell::Fluid | Cell::OPEN) as i32;
        found += 128 * (Pair(k, [Wide::Last; 2]) == Pair(WALL, [Wide::Last; 2])) as i32;
        if k == cell_of(k as i32 + 5) { found += 256; }
        found
    }
    numbers(p: Particle) -> f64 {
        let c = p.charge;
        let of = (c as i8) as f64 + 3.0 * (c as u8) as f64 + 7.0 * (c as i32) as f64 + 11.0 * (c as u32) as f64;
        let long = (c as u64 >> 40) as f64 + (c as i64) as f64 + (c as usize % 1000) as f64 * 13.0;
        let sides = p.sides[1] as usize + 5 * p.sides[2] as usize;
        of + 17.0 * long + [1.5, 2.5, 3.5, 4.5, 5.5][p.kind as usize] + sides as f64
    }
    bytes(x: i32) -> i64 {
        let w = match x % 3 { 0 => Wide::First, 1 | -1 => Wide::Middle, _ => Wide::Last };
        let l = if x > 3 { Large::All } else { Large::None };
        let o = One::Only;
        let t = match w { Wide::First => r#Type::None, Wide::Middle => r#Type::small, Wide::Last => Type::r#match };
        let m = match t { Type::r#None => 1, Type::small => 2, Type::r#match => 3 };
        let single = match o { One::Only => 4 };
        w as i64 + 1000 * (w as i8 as i64) + (l as u64 >> 60) as i64 + 5 * (l as i64) + o as i64 + t as i64 * 7 + m + single
    }
    locals(x: i32) -> i32 {
        let mut k = cell_of(x);
        let mut sum = 0;
        let mut seen = [Cell::Fluid; 4];
        for n in 0..4 {
            seen[n] = k;
            sum = sum * 10 + k.turn() as i32;
        }
        let late;
        if x > 0 { late = Cell::Free; } else { late = seen[2]; }
        while k != Cell::Solid { k = k.next(); sum += 1; }
        let pair = (late, if sum % 2 == 0 { Charge::Negative } else { Charge::Double });
        sum + 3 * (pair.0 as i32) + pair.1 as i32 + seen[3] as i32 * 50 + same_kind(pair.1, Charge::Double) as i32
    }
    whole(p: Particle) -> Particle {
        let mut q = Particle { kind: p.kind.next(), ..p };
        q.sides[p.kind as usize % 4] = Cell::Outflow;
        match q {
            Particle { charge: Charge::Negative, fixed: true, .. } => q.charge = Charge::None,
            Particle { kind: Cell::Solid, mass, .. } => q.mass = mass * 2.0,
            Particle { sides: _, kind: k, .. } => q.sides[2] = k,
        }
        q
    }
}

#[kernel]
fn places(p: &mut Field<Particle>, to: Cell, by: Charge) {
    for i in p.indices() {
        let old = p[i];
        p[i].kind = to;
        p[i].sides[i % 4] = old.kind.next();
        if p[i].charge == by {
            p[i].charge = Charge::Double;
        }
        p[i].fixed = p[i].kind == old.kind;
        let mut side = p[i].sides[(i + 1) % 4];
        side.turn();
        p[i].sides[(i + 1) % 4] = side;
    }
}

fn placed(mut p: Particle, i: usize, to: Cell, by: Charge) -> Particle {
    let old = p.kind;
    p.kind = to;
    p.sides[i % 4] = old.next();
    if p.charge == by {
        p.charge = Charge::Double;
    }
    p.fixed = to == old;
    let k = (i + 1) % 4;
    p.sides[k] = p.sides[k].next();
    p
}

/// Cells that flow next to walls, and how many of each kind there are.
#[kernel]
fn neighbours(kind: &Field<Cell, 2>, next: &mut Field<Cell, 2>, count: &mut Field<u32>, table: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for [i, j] in next.indices() {
        let [h, w] = kind.shape();
        let own = kind[[i, j]];
        let mut walls = 0;
        for b in 0..3 {
            let (y, x) = (i + b, j + 2);
            if y > 0 && y <= h && x > 1 && x <= w && kind[[y - 1, x - 1]].is_wall() {
                walls += 1;
            }
        }
        next[[i, j]] = match own {
            Cell::Solid => Cell::Solid,
            _ if walls > 0 => Cell::Inflow,
            k => k.next(),
        };
        count[own as usize].atomic_add(1);
        sum += table[kind[[i, j]] as usize];
    }
    sum
}

/// A value of the whole loop, and one that a kernel returns.
#[kernel]
fn last(kind: &Field<Cell>, other: Cell) -> (Cell, Charge) {
    let mut found = other;
    let mut walls = 0;
    for i in kind.indices() {
        walls += kind[i].is_wall() as i32;
    }
    if walls > 2 {
        found = Cell::OPEN;
    }
    (
        found,
        if walls % 2 == 0 {
            Charge::Negative
        } else {
            Charge::Positive
        },
    )
}

/// Straight loops of numbers.
#[kernel]
fn relax(kind: &Field<Cell>, u: &mut Field<f32>, w: &mut Field<f32>) {
    for i in u.indices() {
        let old = u[i];
        u[i] = match kind[i] {
            Cell::Fluid => old * 0.5,
            Cell::Solid | Cell::Outflow => 0.0,
            Cell::Inflow => 1.0,
            Cell::Free => old + 2.0,
        };
        if kind[i] != Cell::Solid {
            w[i] = u[i] - old;
        }
    }
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
#[element(Differentiable)]
struct Grain {
    mass: f32,
    kind: Cell,
}

#[kernel(grad)]
fn weighed(kind: &Field<Cell>, grain: &Field<Grain>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let mut sum = match kind[i] {
            Cell::Fluid => x[i] * x[i],
            Cell::Solid | Cell::Inflow => 0.0,
            Cell::Outflow | Cell::Free => 3.0 * x[i],
        };
        if grain[i].kind == WALL {
            sum += grain[i].mass * x[i];
        }
        y[i] = sum;
    }
}

/// Gradients go along the arms that the values take, and an enum has none.
fn check_gradients(device: &Device) {
    for n in SIZES {
        let kinds: Vec<Cell> = (0..n).map(|i| cell_of(scatter(i))).collect();
        let grain = |i: usize| Grain {
            mass: 0.5 + i as f32,
            kind: cell_of(i as i32),
        };
        let x = |i: usize| 1.0 + i as f32;
        let grains: Vec<Grain> = (0..n).map(grain).collect();
        let xs: Vec<f32> = (0..n).map(x).collect();
        let mut of_kind = field(device, &kinds);
        let mut of_grain = Field::full(device, n, Grain::default()).unwrap();
        let mut of_x = Field::full(device, n, 0.0_f32).unwrap();
        let mut of_y = Field::full(device, n, 1.0_f32).unwrap();
        let (kind, grain_field, x_field) = (field(device, &kinds), field(device, &grains), field(device, &xs));
        let y = Field::full(device, n, 0.0_f32).unwrap();
        weighed::pullback(
            &kind,
            &grain_field,
            &x_field,
            &y,
            &mut of_kind,
            &mut of_grain,
            &mut of_x,
            &mut of_y,
        )
        .unwrap();
        let expected = |i: usize| {
            let along = [2.0 * x(i), 0.0, 0.0, 3.0, 3.0][kinds[i] as usize];
            along + if i % 5 == 1 { 0.5 + i as f32 } else { 0.0 }
        };
        same("weighed, x", &of_x, (0..n).map(expected).collect());
        let masses = of_grain.to_vec().unwrap().iter().map(|g| g.mass).collect::<Vec<_>>();
        let expected: Vec<f32> = (0..n).map(|i| if i % 5 == 1 { x(i) } else { 0.0 }).collect();
        equal("weighed, mass", &masses, &expected);
        same("weighed, kind", &of_kind, kinds);
    }
}

fn check_layouts<L: FieldLayout>(device: &Device) {
    for n in SIZES {
        let values: Vec<Particle> = (0..n).map(particle).collect();
        let mut p = field(device, &values).with_layout(L::default()).unwrap();
        places(&mut p, Cell::Outflow, Charge::Negative).unwrap();
        let placed = |(i, p): (usize, &Particle)| placed(*p, i, Cell::Outflow, Charge::Negative);
        let expected: Vec<Particle> = values.iter().enumerate().map(placed).collect();
        equal(&format!("places, {n} elements"), &p.to_vec().unwrap(), &expected);

        let kinds: Vec<Cell> = (0..n).map(|i| cell_of(scatter(i))).collect();
        let kind = field(device, &kinds).with_layout(L::default()).unwrap();
        let (mut u, mut w) = (
            Field::from_fn(device, n, |[i]| i as f32).unwrap(),
            Field::full(device, n, -7.0_f32).unwrap(),
        );
        relax(&kind, &mut u, &mut w).unwrap();
        let relaxed = |i: usize| {
            let old = i as f32;
            let new = [old * 0.5, 0.0, 1.0, 0.0, old + 2.0][kinds[i] as usize];
            (new, if kinds[i] as u8 == 1 { -7.0 } else { new - old })
        };
        same("relax, u", &u, (0..n).map(|i| relaxed(i).0).collect());
        same("relax, w", &w, (0..n).map(|i| relaxed(i).1).collect());

        let walls = kinds.iter().filter(|k| **k as u8 == 1).count();
        let found = last(&kind, Cell::Inflow).unwrap();
        let expected = (
            if walls > 2 { Cell::Free } else { Cell::Inflow },
            if walls % 2 == 0 {
                Charge::Negative
            } else {
                Charge::Positive
            },
        );
        assert_eq!(found, expected, "{n} elements");
    }
}

fn check_neighbours(device: &Device) {
    let table = [0.5_f32, 1.0, 2.0, 4.0, 8.0];
    for [h, w] in [[0, 3], [1, 1], [1, 7], [3, 5], [17, 4], [31, 33]] {
        let kinds: Vec<Cell> = (0..h * w).map(|i| cell_of(scatter(i))).collect();
        let kind = field(device, &kinds).into_shape([h, w]).unwrap();
        let mut next = Field::<Cell, 2>::zeros(device, [h, w]).unwrap();
        assert!(next.to_vec().unwrap().iter().all(|k| *k == Cell::Fluid));
        let mut count = Field::<u32>::zeros(device, 5).unwrap();
        let sum = neighbours(&kind, &mut next, &mut count, &field(device, &table)).unwrap();
        let at = |i: usize, j: usize| kinds[i * w + j];
        let mut expected = Vec::new();
        let mut counts = [0; 5];
        for i in 0..h {
            for j in 0..w {
                counts[at(i, j) as usize] += 1;
                let rows = i.saturating_sub(1)..(i + 2).min(h);
                let walls = j + 1 < w && rows.into_iter().any(|y| at(y, j + 1) == Cell::Solid);
                expected.push(match (at(i, j), walls) {
                    (Cell::Solid, _) => Cell::Solid,
                    (_, true) => Cell::Inflow,
                    (k, false) => cell_of(k as i32 + 1),
                });
            }
        }
        equal("neighbours", &next.to_vec().unwrap(), &expected);
        equal("neighbours, counts", &count.to_vec().unwrap(), &counts);
        let whole: f32 = counts.iter().zip(table).map(|(n, t)| *n as f32 * t).sum();
        assert_eq!(sum, whole);
    }
}

pub fn check(device: &Device) {
    macro_rules! alike {
        ($($name:ident $input:expr;)*) => {$(each!(device, $name::kernel, $input, |_, x| $name::plain(x));)*};
    }
    let number = |i: usize| scatter(i) % 13;
    let kind = |i: usize| cell_of(scatter(i));
    alike! {
        arms kind;
        comparisons kind;
        numbers particle;
        bytes number;
        locals number;
        whole particle;
    }
    check_layouts::<Aos>(device);
    check_layouts::<Soa>(device);
    check_neighbours(device);
    check_gradients(device);
    assert_eq!((size_of::<Cell>(), size_of::<Wide>(), size_of::<Type>()), (1, 1, 1));
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources!(
        arms::kernel,
        comparisons::kernel,
        numbers::kernel,
        bytes::kernel,
        locals::kernel,
        whole::kernel,
        places,
        neighbours,
        last,
        relax,
        weighed,
    )
}
