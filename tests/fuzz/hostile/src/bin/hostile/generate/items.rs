//! What a program declares beside its kernel: a type with operators, functions, traits, constants; some of it no `#[func]`, some with
//! answers that differ from call to call.

use std::fmt::Write as _;

use super::operator::Op;
use super::random::Random;
use super::types::Ty;

#[derive(Default)]
pub struct Items {
    pub ops: Vec<Op>,
    /// `impl Index<usize> for Mine`, which may answer by turns.
    pub index: Option<bool>,
    /// `impl Position<1> for Mine`.
    pub position: Option<bool>,
    /// Methods without arguments: of what, name, result.
    pub methods: Vec<(Ty, &'static str, Ty)>,
    /// Functions of a number: name, type.
    pub functions: Vec<(String, Ty, bool)>,
    /// The kernel's module has no prelude but what is named, and methods of iterators that are its own.
    pub bare: bool,
    /// `impl Index<Mine> for Vec3`.
    pub component: bool,
    /// `const three: u32 = 3;`
    pub constant: bool,
    pub text: String,
}

/// Methods that stand in no kernel's way: there ranges have those of std alone.
pub const BARE: &str = "
trait Backwards { fn rev(self) -> ::std::ops::Range<usize>; fn step_by(self, n: usize) -> ::std::ops::Range<usize>; }
impl Backwards for ::std::ops::Range<usize> {
fn rev(self) -> ::std::ops::Range<usize> { self.start..self.end + 70000 }
fn step_by(self, n: usize) -> ::std::ops::Range<usize> { self.start..self.end + n } }
";

/// What a program without the prelude names of it.
pub const NAMED: &str =
    "use ::std::{assert, debug_assert, stringify, clone::Clone, cmp::{Ord, PartialEq, PartialOrd}, marker::Copy};
use ::std::{option::Option::{self, None, Some}};
";

impl Items {
    pub fn random(random: &mut Random) -> Items {
        let mut items = Items::default();
        let hostile = random.percent(45);
        if hostile && random.percent(8) {
            items.text.push_str("#[repr(align(128))]\n");
        }
        items
            .text
            .push_str("@DERIVE\npub struct Mine { pub a: u32, pub b: i64 }\n::hostile::flat!(Mine { a, b });\n");
        let operators = if random.percent(50) { 1 + random.below(3) } else { 0 };
        for _ in 0..operators {
            items.operator(random, hostile);
        }
        if hostile {
            if random.percent(5) {
                items
                    .text
                    .push_str("macro_rules! assert { ($($t:tt)*) => { let _ = 0; } }\n");
            }
            items.bare = random.percent(8);
            if random.percent(10) {
                items.components(random);
            }
            if random.percent(20) {
                items.index_by(random);
            }
            if random.percent(12) {
                items.own_position(random);
            }
            if random.percent(25) {
                items.method(random);
            }
            if random.percent(20) {
                items.two_traits(random);
            }
            if random.percent(20) {
                items.shadowed(random);
            }
            if random.percent(10) {
                items.constant = true;
                items.text.push_str("const three: u32 = 3;\n");
            }
            if random.percent(6) {
                items.text.push_str("mod own { pub fn serial<I: Iterator>(range: I) -> impl Iterator<Item = I::Item> { range.take(2) } }\n");
            }
        }
        items
    }

    /// The text, with what it and the kernel call of functions that change what they are lent.
    pub fn used(&self, kernel: &str) -> String {
        let mut text = self.text.clone();
        for ty in [
            "u8", "i8", "i16", "u32", "i32", "u64", "i64", "usize", "f32", "f64", "Vec3",
        ] {
            let name = format!("bump_{ty}(");
            if text.contains(&name) || kernel.contains(&name) {
                let change = match ty {
                    "Vec3" => "k.x += 1.0",
                    "f32" | "f64" => "*k += 1.0",
                    _ => "*k = k.wrapping_add(1)",
                };
                let _ = writeln!(text, "@FUNC\nfn bump_{ty}(k: &mut {ty}) -> {ty} {{ {change}; *k }}");
            }
        }
        text
    }

    fn index_by(&mut self, random: &mut Random) {
        let turns = random.percent(60);
        self.index = Some(turns);
        let value = if turns {
            "if ::hostile::turn() == 1 { &BIG } else { &0 }"
        } else {
            "if k < 2 { &1 } else { &2 }"
        };
        let _ = writeln!(
            self.text,
            "static BIG: usize = 1 << 44;\nimpl ::std::ops::Index<usize> for Mine {{ type Output = usize;\nfn index(&self, k: usize) -> &usize {{ let _ = k; let _ = &BIG; {value} }} }}"
        );
    }

    /// A component of a vector by an index of the program's own.
    fn components(&mut self, random: &mut Random) {
        self.component = true;
        let to = random.pick(&["&mut self.y", "::std::boxed::Box::leak(::std::boxed::Box::new(0.0))"]);
        let _ = writeln!(
            self.text,
            "impl ::std::ops::Index<Mine> for Vec3 {{ type Output = f32;\nfn index(&self, _: Mine) -> &f32 {{ &self.x }} }}\nimpl ::std::ops::IndexMut<Mine> for Vec3 {{\nfn index_mut(&mut self, _: Mine) -> &mut f32 {{ {to} }} }}"
        );
    }

    fn own_position(&mut self, random: &mut Random) {
        let turns = random.percent(60);
        self.position = Some(turns);
        let value = if turns {
            "if ::hostile::turn() == 1 { 1 << 44 } else { 0 }"
        } else {
            "self.a as usize"
        };
        let _ = writeln!(
            self.text,
            "@POSITION\nimpl Position<1> for Mine {{ fn axes(self) -> [usize; 1] {{ [{value}] }} }}"
        );
    }

    fn method(&mut self, random: &mut Random) {
        let mark = if random.percent(60) { "@FUNC\n" } else { "" };
        let (name, out) = random.pick(&[
            ("as_usize", Ty::Usize),
            ("as_u32", Ty::U32),
            ("abs", Ty::U32),
            ("get", Ty::U32),
        ]);
        if random.percent(50) {
            self.methods.push((Ty::Mine, name, out));
            let _ = writeln!(
                self.text,
                "{mark}impl Mine {{ pub fn {name}(self) -> {} {{ (self.a & 3) as {} }} }}",
                out.name(),
                out.name()
            );
        } else {
            let on = random.pick(&[Ty::U32, Ty::I32, Ty::F32]);
            self.methods.push((on, name, out));
            let place = if random.percent(70) { "use own_trait::Own;" } else { "" };
            let _ = writeln!(
                self.text,
                "mod own_trait {{ use super::*;\npub trait Own {{ fn {name}(self) -> {o}; }}\nimpl Own for {on} {{ fn {name}(self) -> {o} {{ (self as u8 & 3) as {o} + 1 }} }} }}\n#[allow(unused_imports)]\n{place}",
                o = out.name(),
                on = on.name()
            );
        }
    }

    fn two_traits(&mut self, random: &mut Random) {
        let marks = if random.percent(92) {
            ["@FUNC\n", ""]
        } else {
            ["@FUNC\n", "@FUNC\n"]
        };
        for (k, mark) in marks.iter().enumerate() {
            let _ = writeln!(
                self.text,
                "mod traits_{k} {{ use super::*;\npub trait Named{k} {{ fn foo(self) -> u32; }}\n{mark}impl Named{k} for Mine {{ fn foo(self) -> u32 {{ (self.a & 3) + {k} }} }} }}"
            );
        }
        // A kernel calls the method under `#[func]`, whichever trait is in scope.
        let _ = writeln!(self.text, "@SCOPE {}", random.below(2));
        self.methods.push((Ty::Mine, "foo", Ty::U32));
    }

    fn shadowed(&mut self, random: &mut Random) {
        let marks = random.pick(&[["@FUNC\n", ""], ["", "@FUNC\n"], ["@FUNC\n", "@FUNC\n"]]);
        // A kernel calls the function under `#[func]`, and be it hidden by one that is none.
        let here = if marks[1].is_empty() && !marks[0].is_empty() {
            "@HIDES "
        } else {
            ""
        };
        let _ = writeln!(
            self.text,
            "mod globbed {{ use super::*;\n{}pub fn shade(a: u32) -> u32 {{ a & 1 }} }}\n#[allow(unused_imports)]\nuse globbed::*;\n{}{here}fn shade(a: u32) -> u32 {{ a & 3 }}",
            marks[0], marks[1]
        );
        self.functions.push(("shade".to_owned(), Ty::U32, false));
    }
}
