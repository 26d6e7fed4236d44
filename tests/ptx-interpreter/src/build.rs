//! Instructions of forms and operands.

use crate::instruction::{Access, Op, Path, Space, base};
use crate::operand::{Operand, Place, Slot, Type};
use crate::parse::parameter;
use crate::table::Form;

/// `None` if the operands do not suit.
pub(crate) fn build(form: Form, operands: Vec<Operand>) -> Option<Op> {
    let (first, rest) = match operands.split_first() {
        Some((first, rest)) => (Some(first), rest),
        None => (None, &operands[..]),
    };
    Some(match (form, first, rest) {
        (Form::Move(ty), Some(Operand::List(to)), [Operand::Slot(from)]) => {
            Op::Unpack(part_bits(ty, to.len())?, to.clone(), *from)
        }
        (Form::Move(ty), Some(Operand::Slot(to)), [Operand::List(from)]) => {
            Op::Pack(part_bits(ty, from.len())?, *to, all(from)?)
        }
        (Form::Move(ty), Some(Operand::Slot(to)), [Operand::Slot(from)]) => Op::Move(ty.bits, *to, *from),
        (Form::One(f), Some(Operand::Slot(to)), [Operand::Slot(a)]) => Op::One(f, *to, *a),
        (Form::Two(f), Some(Operand::Slot(to)), rest) => Op::Two(f, *to, slots(rest)?),
        (Form::NearOne(f, bound), Some(Operand::Slot(to)), [Operand::Slot(a)]) => Op::NearOne(f, bound, *to, *a),
        (Form::NearTwo(f, bound), Some(Operand::Slot(to)), rest) => Op::NearTwo(f, bound, *to, slots(rest)?),
        (Form::Three(f), Some(Operand::Slot(to)), rest) => Op::Three(f, *to, slots(rest)?),
        (Form::Select, Some(Operand::Slot(to)), rest) => Op::Select(*to, slots(rest)?),
        (Form::Four(f), Some(Operand::Slot(to)), rest) => Op::Four(f, *to, slots(rest)?),
        (Form::Partial(f), Some(Operand::Slot(to)), rest) => Op::Partial(f, *to, slots(rest)?),
        (Form::Convert(conversion), Some(Operand::Slot(to)), [Operand::Slot(a)]) => {
            Op::Convert(Box::new(conversion), *to, *a)
        }
        (Form::Joined(compare, join), Some(Operand::Slot(to)), [Operand::Slot(a), Operand::Slot(b), c]) => {
            let (c, negative) = match c {
                Operand::Slot(c) => (*c, false),
                Operand::Not(c) => (*c, true),
                _ => return None,
            };
            Op::Joined(compare, join, *to, [*a, *b, c], negative)
        }
        (Form::Carry(compute, count, keep), Some(Operand::Slot(to)), rest) => {
            let from = match (count, rest) {
                (2, [Operand::Slot(a), Operand::Slot(b)]) => [*a, *b, *a],
                (3, rest) => slots(rest)?,
                _ => return None,
            };
            Op::Carry {
                compute,
                to: *to,
                from,
                keep,
            }
        }
        (Form::Load(ty, space, count, path), Some(to), [Operand::Address(place, offset)]) => {
            let to = values(to).filter(|to| to.len() == count)?;
            Op::Load(access(ty, space, *place, *offset, path)?, to)
        }
        (Form::Store(ty, space, count, path), Some(Operand::Address(place, offset)), [from]) => {
            let from = values(from).filter(|from| from.len() == count)?;
            Op::Store(access(ty, space, *place, *offset, path)?, all(&from)?)
        }
        (Form::LoadParameter(ty, count), Some(to), [from]) => {
            let to = values(to).filter(|to| to.len() == count)?;
            match *from {
                Operand::Address(Place::Slot(base), offset) => Op::LoadParameterAt { ty, to, base, offset },
                _ => Op::LoadParameter(ty, to, parameter(from, count * ty.bytes())?),
            }
        }
        (Form::StoreParameter(ty, count), Some(to), [from]) => {
            let from = values(from).filter(|from| from.len() == count)?;
            Op::StoreParameter(ty, all(&from)?, parameter(to, count * ty.bytes())?)
        }
        (Form::Atomic(ty, space, modify, count, true), Some(to), [Operand::Address(place, offset), rest @ ..]) => {
            let to = match &values(to)?[..] {
                [to] => *to,
                _ => return None,
            };
            Op::Atomic {
                access: access(ty, space, *place, *offset, Path::Plain)?,
                modify,
                to,
                from: one_or_two(rest, count)?,
            }
        }
        (Form::Atomic(ty, space, modify, count, false), Some(Operand::Address(place, offset)), rest) => Op::Atomic {
            access: access(ty, space, *place, *offset, Path::Plain)?,
            modify,
            to: None,
            from: one_or_two(rest, count)?,
        },
        (Form::Shuffle(mode), Some(to), rest) => {
            let (to, valid) = match to {
                Operand::Slot(to) => (*to, None),
                Operand::Pair(to, valid) => (*to, Some(*valid)),
                _ => return None,
            };
            Op::Shuffle {
                mode,
                to,
                valid,
                from: slots(rest)?,
            }
        }
        (Form::Generic(space), Some(Operand::Slot(to)), [Operand::Slot(a)]) => Op::Generic(space, *to, *a),
        (Form::Specific(space), Some(Operand::Slot(to)), [Operand::Slot(a)]) => Op::Specific(space, *to, *a),
        // Number 0, of all threads.
        (Form::Barrier, Some(Operand::Slot(number)), []) => Op::Barrier(*number),
        (Form::Active, Some(Operand::Slot(to)), []) => Op::Active(*to),
        (Form::Converge, Some(Operand::Slot(mask)), []) => Op::Converge(*mask),
        (Form::Fence, None, []) => Op::Fence,
        (Form::Return, None, []) => Op::Return,
        (Form::Exit, None, []) => Op::Exit,
        _ => return None,
    })
}

fn slots<const N: usize>(operands: &[Operand]) -> Option<[Slot; N]> {
    let slots: Vec<Slot> = operands.iter().map(slot).collect::<Option<_>>()?;
    slots.try_into().ok()
}

fn slot(operand: &Operand) -> Option<Slot> {
    match operand {
        Operand::Slot(slot) => Some(*slot),
        _ => None,
    }
}

fn one_or_two(operands: &[Operand], count: usize) -> Option<[Slot; 2]> {
    match (operands, count) {
        ([a], 1) => Some([slot(a)?; 2]),
        ([a, b], 2) => Some([slot(a)?, slot(b)?]),
        _ => None,
    }
}

/// Of a vector, or one value.
fn values(operand: &Operand) -> Option<Vec<Option<Slot>>> {
    match operand {
        Operand::Slot(slot) => Some(vec![Some(*slot)]),
        Operand::List(list) => Some(list.clone()),
        _ => None,
    }
}

fn all(values: &[Option<Slot>]) -> Option<Vec<Slot>> {
    values.iter().copied().collect()
}

/// Bits of each of so many parts.
fn part_bits(ty: Type, parts: usize) -> Option<u32> {
    ([2, 4].contains(&parts) && ty.bytes() >= parts).then(|| ty.bits / parts as u32)
}

fn access(ty: Type, space: Space, place: Place, offset: u64, path: Path) -> Option<Access> {
    Some(Access {
        ty,
        base: base(place)?,
        offset,
        space,
        path,
    })
}
