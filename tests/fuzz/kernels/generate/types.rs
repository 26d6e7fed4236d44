//! The types of random kernels.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Usize,
    Isize,
    F16,
    Bf16,
    F32,
    F64,
    Vec3,
    Part,
}

pub const INTS: [Ty; 8] = [Ty::I8, Ty::U8, Ty::I16, Ty::U16, Ty::I32, Ty::U32, Ty::I64, Ty::U64];
pub const NUMBERS: [Ty; 10] = [
    Ty::I8,
    Ty::U8,
    Ty::I16,
    Ty::U16,
    Ty::I32,
    Ty::U32,
    Ty::I64,
    Ty::U64,
    Ty::F32,
    Ty::F64,
];
pub const LOCALS: [Ty; 16] = [
    Ty::F16,
    Ty::Bf16,
    Ty::Bool,
    Ty::I8,
    Ty::Isize,
    Ty::U8,
    Ty::I16,
    Ty::I32,
    Ty::I32,
    Ty::U32,
    Ty::I64,
    Ty::Usize,
    Ty::F32,
    Ty::F64,
    Ty::Vec3,
    Ty::Part,
];

impl Ty {
    pub fn name(self) -> &'static str {
        match self {
            Ty::Bool => "bool",
            Ty::I8 => "i8",
            Ty::U8 => "u8",
            Ty::I16 => "i16",
            Ty::U16 => "u16",
            Ty::I32 => "i32",
            Ty::U32 => "u32",
            Ty::I64 => "i64",
            Ty::U64 => "u64",
            Ty::Usize => "usize",
            Ty::Isize => "isize",
            Ty::F16 => "f16",
            Ty::Bf16 => "bf16",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::Vec3 => "Vec3",
            Ty::Part => "Part",
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::Isize)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Ty::F16 | Ty::Bf16 | Ty::F32 | Ty::F64)
    }

    pub fn is_half(self) -> bool {
        matches!(self, Ty::F16 | Ty::Bf16)
    }

    pub fn bits(self) -> usize {
        match self {
            Ty::I8 | Ty::U8 => 8,
            Ty::I16 | Ty::U16 => 16,
            Ty::I32 | Ty::U32 | Ty::F32 => 32,
            _ => 64,
        }
    }
}

/// Members of `Part` with their types; `w` is `[u8; 3]`.
pub const MEMBERS: [(&str, Ty); 3] = [("pos", Ty::Vec3), ("tag", Ty::I32), ("mass", Ty::F64)];

/// Places in `Part` that can be changed atomically.
pub const ATOMIC_MEMBERS: [(&str, Ty); 5] = [
    (".pos", Ty::Vec3),
    (".pos.y", Ty::F32),
    (".pos[2]", Ty::F32),
    (".tag", Ty::I32),
    (".mass", Ty::F64),
];

/// What random kernels use of their own.
pub const PRELUDE: &str = r#"// Random kernels; see generate/.
use swathe::prelude::*;
use swathe::{bf16, f16};

const SEVEN: i32 = 7;
const HALF: f32 = 0.5;
const LAST: usize = 2;

#[derive(Element, Clone, Copy, Debug, Default)]
struct Part { pos: Vec3, tag: i32, w: [u8; 3], mass: f64 }

#[func]
impl Part {
    fn score(&self) -> i32 { self.tag + self.w[1] as i32 * SEVEN }
    fn moved(self, by: Vec3) -> Part { Part { pos: self.pos + by, ..self } }
    fn tagged(&mut self, tag: i32) -> i32 { let old = self.tag; self.tag = tag; self.w[2] += 1; old }
}

#[func]
fn mix(a: i32, b: i32) -> i32 {
    let mut x = a ^ b.wrapping_mul(31);
    if x % 3 == 0 { return x / 2; }
    let mut k = 0;
    while k < 3 { x += k * a; k += 1; }
    x
}

#[func]
fn root<T: Float>(x: T) -> T { x.abs().sqrt() }

#[func]
fn lesser<T: Float>(a: T, b: T) -> T {
    if a == b { return a; }
    a.abs().min(b.abs())
}

#[func]
fn ratio(a: i32, b: i32) -> i32 { if b == 3 { return a; } a / b }

#[func]
fn hunt(a: u32, most: u32) -> u32 {
    let mut found = 0u32;
    let mut k = 0u32;
    'all: while k < most % 40 {
        k += 1;
        for m in 0..k % 5 {
            if (a >> m) & 3 == 2 { continue 'all; }
            if (a ^ k) % 23 == 7 { break 'all; }
            found += m ^ k;
        }
        if found > 1_000_000 { return k; }
    }
    assert!(found != 11, "found {found} at {k}");
    found
}

#[func]
fn lerp(a: f32, b: f32, t: f32) -> f32 { a + (b - a) * t }

#[func]
fn bump(x: &mut i32, by: i32) -> i32 { let old = *x; *x += by; old }

#[func]
fn pair(a: i64, b: u32) -> (i64, u32) { (a - b as i64, b ^ a as u32) }
"#;
