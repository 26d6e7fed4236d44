//! All instructions that are known, with the sections of the manual (PTX ISA, chapter "Instructions") that say what they do:
//! a family of instructions and the name, as in "Integer Arithmetic Instructions: add". An instruction that is not here, or a
//! variant that its row does not take, is an error that names it.

use crate::compute::approximate::Approximation;
use crate::compute::convert::Conversion;
use crate::decode::{compare, control, float, integer, memory};
use crate::instruction::{Carry, F1, F2, F3, F4, Modify, Partial, Path, Shuffle, Space};
use crate::operand::{Kind, Type};

/// An opcode in parts: `ld.global.v2.f32`.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    pub name: &'a str,
    /// What stands between name and types.
    pub modifiers: Vec<&'a str>,
    pub types: Vec<Type>,
}

/// What an opcode is.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Move(Type),
    One(F1),
    Two(F2),
    /// An approximation of one operand, or of two.
    NearOne(F1, Approximation),
    NearTwo(F2, Approximation),
    Three(F3),
    Four(F4),
    Partial(Partial),
    /// Of so many operands; is the carry written?
    Carry(Carry, usize, bool),
    Convert(Conversion),
    Select,
    /// A comparison, joined with a third operand.
    Joined(F2, F2),
    Load(Type, Space, Vector, Path),
    Store(Type, Space, Vector, Path),
    LoadParameter(Type, Vector),
    StoreParameter(Type, Vector),
    /// With so many operands after the address, and a result or not.
    Atomic(Type, Space, Modify, usize, bool),
    Shuffle(Shuffle),
    Generic(Space),
    Specific(Space),
    Branch,
    Barrier,
    Active,
    Converge,
    Call,
    Fence,
    Return,
    Exit,
}

/// How many values are moved.
pub(crate) type Vector = usize;

/// Name, sections, and what the parts of an opcode mean.
pub(crate) type Row = (&'static str, &'static [&'static str], fn(&Words<'_>) -> Option<Form>);

const INTEGER: &str = "Integer Arithmetic Instructions";
const EXTENDED: &str = "Extended-Precision Integer Arithmetic Instructions";
const FLOAT: &str = "Floating Point Instructions";
const HALF: &str = "Half Precision Floating Point Instructions";
const COMPARISON: &str = "Comparison and Selection Instructions";
const HALF_COMPARISON: &str = "Half Precision Comparison Instructions";
const LOGIC: &str = "Logic and Shift Instructions";
const MOVEMENT: &str = "Data Movement and Conversion Instructions";
const CONTROL: &str = "Control Flow Instructions";
const SYNC: &str = "Parallel Synchronization and Communication Instructions";

/// The table.
#[rustfmt::skip]
pub(crate) const TABLE: &[Row] = &[
    ("add", &[INTEGER, EXTENDED, FLOAT, HALF], |w| arithmetic(w, integer::add, float::add)),
    ("sub", &[INTEGER, EXTENDED, FLOAT, HALF], |w| arithmetic(w, integer::sub, float::sub)),
    ("mul", &[INTEGER, FLOAT, HALF], |w| arithmetic(w, integer::mul, float::mul)),
    ("mad", &[INTEGER, EXTENDED, FLOAT], |w| arithmetic(w, integer::mad, float::fma)),
    ("div", &[INTEGER, FLOAT], |w| arithmetic(w, integer::div, float::div)),
    ("rem", &[INTEGER], integer::rem),
    ("abs", &[INTEGER, FLOAT, HALF], |w| arithmetic(w, integer::abs, float::abs)),
    ("neg", &[INTEGER, FLOAT, HALF], |w| arithmetic(w, integer::neg, float::neg)),
    ("min", &[INTEGER, FLOAT, HALF], |w| arithmetic(w, integer::min, float::min)),
    ("max", &[INTEGER, FLOAT, HALF], |w| arithmetic(w, integer::max, float::max)),
    ("popc", &[INTEGER], integer::popc),
    ("clz", &[INTEGER], integer::clz),
    ("brev", &[INTEGER], integer::brev),
    ("bfe", &[INTEGER], integer::bfe),
    ("bfi", &[INTEGER], integer::bfi),
    ("dp4a", &[INTEGER], integer::dp4a),
    ("dp2a", &[INTEGER], integer::dp2a),
    ("addc", &[EXTENDED], integer::addc),
    ("subc", &[EXTENDED], integer::subc),
    ("madc", &[EXTENDED], integer::madc),
    ("testp", &[FLOAT], float::testp),
    ("copysign", &[FLOAT], float::copysign),
    ("fma", &[FLOAT, HALF], float::fma),
    ("rcp", &[FLOAT], float::rcp),
    ("sqrt", &[FLOAT], float::sqrt),
    ("rsqrt", &[FLOAT], float::rsqrt),
    ("sin", &[FLOAT], float::sin),
    ("cos", &[FLOAT], float::cos),
    ("lg2", &[FLOAT], float::lg2),
    ("ex2", &[FLOAT], float::ex2),
    ("tanh", &[FLOAT], float::tanh),
    ("setp", &[COMPARISON, HALF_COMPARISON], compare::setp),
    ("selp", &[COMPARISON], compare::selp),
    ("and", &[LOGIC], integer::and),
    ("or", &[LOGIC], integer::or),
    ("xor", &[LOGIC], integer::xor),
    ("not", &[LOGIC], integer::not),
    ("shf", &[LOGIC], integer::shf),
    ("shl", &[LOGIC], integer::shl),
    ("shr", &[LOGIC], integer::shr),
    ("mov", &[MOVEMENT], memory::mov),
    ("shfl", &[MOVEMENT], memory::shfl),
    ("prmt", &[MOVEMENT], integer::prmt),
    ("ld", &[MOVEMENT], memory::ld),
    ("st", &[MOVEMENT], memory::st),
    ("cvta", &[MOVEMENT], memory::cvta),
    ("cvt", &[MOVEMENT], compare::cvt),
    ("bra", &[CONTROL], control::bra),
    ("call", &[CONTROL], control::call),
    ("ret", &[CONTROL], control::ret),
    ("exit", &[CONTROL], control::exit),
    ("bar", &[SYNC], control::bar),
    ("activemask", &[SYNC], control::activemask),
    ("membar", &[SYNC], control::membar),
    ("fence", &[SYNC], control::membar),
    ("atom", &[SYNC], memory::atom),
    ("red", &[SYNC], memory::red),
];

/// Integers and floats share names.
fn arithmetic(
    words: &Words<'_>,
    integer: fn(&Words<'_>) -> Option<Form>,
    float: fn(&Words<'_>) -> Option<Form>,
) -> Option<Form> {
    match words.types.first()?.kind {
        Kind::Float => float(words),
        _ => integer(words),
    }
}

/// What an opcode is; `None` if it is not in the table.
pub(crate) fn form(opcode: &str) -> Option<Form> {
    let mut parts = opcode.split('.');
    let name = parts.next()?;
    let mut modifiers: Vec<&str> = parts.collect();
    let mut types = Vec::new();
    while let Some(ty) = modifiers.last().and_then(|last| Type::parse(last)) {
        types.insert(0, ty);
        modifiers.pop();
    }
    let brain = types.iter().any(|ty| ty.kind == Kind::Brain);
    (!brain || name == "cvt").then_some(())?;
    let row = TABLE.iter().find(|row| row.0 == name)?;
    (row.2)(&Words { name, modifiers, types })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_once_with_their_sections() {
        for (k, (name, sections, _)) in TABLE.iter().enumerate() {
            assert!(TABLE[k + 1..].iter().all(|row| row.0 != *name), "{name}");
            assert!(!sections.is_empty(), "{name}");
        }
    }

    #[test]
    fn variants_that_are_not_known_are_refused() {
        for opcode in [
            "add.s31",
            "add.sat.s32",
            "add.f32.f32",
            "cvt.f32.s32",
            "cvt.rni.u32.s32",
            "cvt.s32.f32",
            "cvt.bf16.f32",
            "cvt.rn.f32.bf16",
            "cvt.rn.bf16.f64",
            "mov.bf16",
            "ld.global.bf16",
            "mul.s32",
            "mad.lo.f32",
            "fma.f32",
            "div.f32",
            "setp.nan.s32",
            "setp.lo.s32",
            "ld.global.pred",
            "ld.global.v3.f32",
            "shl.u32",
            "shfl.down.b32",
            "sin.f32",
            "bar.arrive",
            "atom.global.add.s64",
            "atom.global.add.b32",
            "popc.u32",
            "vote.sync.ballot.b32",
            "mul.wide.s64",
        ] {
            assert!(form(opcode).is_none(), "{opcode}");
        }
    }
}
