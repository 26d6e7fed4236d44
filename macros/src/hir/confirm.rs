//! What tells the types of numbers in sums.
//!
//! A sum is a copy of arithmetic that rustc compiles where the user wrote it. Both have one value if every number in the copy has the type that
//! it has there. Numbers that are added, compared with each other or chosen from have one type: they are a group. Its type has one of three origins.
//!
//! - Its place: an index, or the place of a table's item, is a `usize`.
//! - A part of the group that a row asks for its type (a variable, a position, a length, an item of a table), or a cast, which has its own.
//! - None is needed where the group is one literal that is the same number in all types of integers.
//!
//! A group of any other origin has a type that stands elsewhere, in which it may wrap: nothing is asked with it, here and where Rust is printed.

use super::{Amount, Asked, Item, Sum, Table};
use crate::budget::MOST_CAST;

/// A part that a row asks for its type, and the type: `None` is that of an index.
pub type Typed<'s> = (&'s Sum, Option<&'s syn::Type>);

/// Where a group stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Index,
    Any,
}

impl Asked {
    /// All parts to be asked for their types; `None` if a group has a type of no origin. Those of a function's arguments it asks for itself where it needs
    /// them ([`Sum::types_of_positions`]).
    pub fn types(&self) -> Option<Vec<Typed<'_>>> {
        let mut types = Vec::new();
        match self {
            Asked::Compared { left, right, .. } => group(&[left, right], Place::Any, &mut types)?,
            Asked::Below { index, .. } => group(&[index], Place::Index, &mut types)?,
            Asked::Number(sum) => group(&[sum], Place::Any, &mut types)?,
            Asked::Multiple { of, by, .. } => {
                // It is a `usize`.
                Sum::told(&[of, by]).ok().filter(Option::is_none)?;
                group(&[of, by], Place::Any, &mut types)?;
            }
            Asked::Given { of, .. } => {
                for amount in &of.args {
                    match amount {
                        // The function asks whether they are numbers of its parameters' types.
                        Amount::Number(_) | Amount::Named(_) => {}
                        Amount::Sum(sum) => group(&[sum], Place::Any, &mut types)?,
                    }
                }
            }
            Asked::Called(called) => {
                let mut sums = called.sums();
                sums.try_for_each(|sum| group(&[sum], Place::Index, &mut Vec::new()))?;
            }
        }
        Some(types)
    }
}

impl Sum {
    /// The same of positions in a parameter, of which rustc confirms that they are.
    pub fn types_of_positions(sums: &[Sum]) -> Option<Vec<Typed<'_>>> {
        let mut types = Vec::new();
        let mut sums = sums.iter();
        sums.try_for_each(|sum| group(&[sum], Place::Index, &mut types))?;
        Some(types)
    }

    /// Whether numbers of one type have one that a row is asked for, or that has no effect.
    pub fn are_confirmed(sums: &[&Sum]) -> bool {
        group(sums, Place::Any, &mut Vec::new()).is_some()
    }

    /// Whether it is asked for its type, or has one of its own. A literal has that of the others.
    fn tells(&self) -> bool {
        match self {
            Sum::Number(_) => false,
            Sum::Item(item) => matches!(item.table, Table::Named { .. }),
            _ => true,
        }
    }

    /// Whether it is a literal that is the same number in all types that have it.
    fn is_small(&self) -> bool {
        matches!(self, Sum::Number(n) if n.unsigned_abs() < MOST_CAST)
    }

    /// Whether it may be a number of any type of integers where it is cast.
    fn is_of_any_type(&self) -> bool {
        matches!(
            self,
            Sum::Local(_) | Sum::Const(_) | Sum::Given { .. } | Sum::Item(_) | Sum::Entry(..)
        )
    }
}

fn group<'s>(sums: &[&'s Sum], place: Place, types: &mut Vec<Typed<'s>>) -> Option<()> {
    let ty = Sum::told(sums).ok()?;
    let told = place == Place::Index || sums.iter().flat_map(|sum| sum.values()).any(Sum::tells);
    if !told && !sums.iter().all(|sum| sum.is_small()) {
        return None;
    }
    sums.iter().try_for_each(|sum| parts(sum, ty, types))
}

/// The parts of a sum whose group has this type.
fn parts<'s>(sum: &'s Sum, ty: Option<&'s syn::Type>, types: &mut Vec<Typed<'s>>) -> Option<()> {
    match sum {
        Sum::Add(a, b) | Sum::Sub(a, b) | Sum::Mul(a, b) => {
            parts(a, ty, types)?;
            parts(b, ty, types)
        }
        Sum::Div(a, _) => parts(a, ty, types),
        // Of signed numbers it is another one.
        Sum::Saturating(a, b) => {
            let of_index = ty.is_none() && sum.values().into_iter().any(Sum::tells);
            of_index.then_some(())?;
            parts(a, ty, types)?;
            parts(b, ty, types)
        }
        Sum::Cast(a, _) if a.is_of_any_type() => places(a, types),
        Sum::Cast(a, _) => group(&[a], Place::Any, types),
        Sum::If(_, all) => {
            let [a, b, then, otherwise] = &**all;
            group(&[a, b], Place::Any, types)?;
            parts(then, ty, types)?;
            parts(otherwise, ty, types)
        }
        Sum::Number(_)
        | Sum::Item(Item {
            table: Table::Numbers(_),
            ..
        }) => Some(()),
        _ => {
            types.push((sum, ty));
            places(sum, types)
        }
    }
}

/// The places of a table's item.
fn places<'s>(sum: &'s Sum, types: &mut Vec<Typed<'s>>) -> Option<()> {
    match sum {
        Sum::Entry(_, places) => places.iter().try_for_each(|place| group(&[place], Place::Index, types)),
        _ => Some(()),
    }
}

#[cfg(test)]
mod tests {
    use swathe_ir::{BinOp, LocalId};

    use super::*;
    use crate::hir::Given;

    fn add(a: Sum, b: Sum) -> Sum {
        Sum::Add(Box::new(a), Box::new(b))
    }

    fn cast(a: Sum, ty: &str) -> Sum {
        Sum::Cast(Box::new(a), Box::new(syn::parse_str(ty).expect("a type")))
    }

    fn local(id: u32) -> Sum {
        Sum::Local(LocalId(id))
    }

    fn below(index: Sum) -> Asked {
        let (field, axis) = (LocalId(0), 0);
        Asked::Below { index, field, axis }
    }

    fn compared(left: Sum, right: Sum) -> Asked {
        let (op, holds) = (BinOp::Lt, true);
        Asked::Compared { op, left, right, holds }
    }

    fn saturating(a: Sum, b: Sum) -> Sum {
        Sum::Saturating(Box::new(a), Box::new(b))
    }

    fn min(a: Sum, b: Sum) -> Sum {
        Sum::If(BinOp::Lt, Box::new([a.clone(), b.clone(), a, b]))
    }

    /// The types of parts, by the numbers of variables.
    fn asked(asked: &Asked) -> Option<Vec<(u32, Option<String>)>> {
        let types = asked.types()?.into_iter().filter_map(|(part, ty)| match part {
            Sum::Local(id) => Some((id.0, ty.map(|ty| quote::ToTokens::to_token_stream(ty).to_string()))),
            _ => None,
        });
        Some(types.collect())
    }

    #[test]
    fn a_place_tells_the_type_of_literals() {
        assert_eq!(asked(&below(Sum::Number(500))), Some(vec![]));
        assert_eq!(asked(&below(add(Sum::Number(500), local(1)))), Some(vec![(1, None)]));
        assert!(Sum::types_of_positions(&[Sum::Number(500)]).is_some());
        let table = Sum::Entry(Box::new(local(1)), vec![add(Sum::Number(100), Sum::Number(100))]);
        assert_eq!(asked(&compared(table, Sum::Number(500))), Some(vec![]));
    }

    #[test]
    fn literals_alone_tell_nothing() {
        let sum = || add(Sum::Number(100), Sum::Number(100));
        // Of `u8` it wraps.
        assert_eq!(asked(&below(cast(sum(), "usize"))), None);
        assert_eq!(asked(&below(cast(Sum::Number(300), "usize"))), None);
        assert_eq!(asked(&below(add(Sum::Position, cast(sum(), "usize")))), None);
        assert_eq!(asked(&below(cast(Sum::Number(100), "usize"))), Some(vec![]));
        let numbers = Table::Numbers([0, 300]);
        let item = Sum::Item(Item {
            number: 0,
            table: numbers,
        });
        assert_eq!(asked(&compared(item, Sum::Number(1))), None);
        // What a sum is chosen by has a type of its own.
        assert_eq!(asked(&below(min(Sum::Number(300), Sum::Number(400)))), None);
        assert_eq!(asked(&below(min(Sum::Number(300), local(1)))), Some(vec![(1, None); 2]));
        assert_eq!(asked(&compared(Sum::Number(300), sum())), None);
        let (of, by) = (
            Box::new(Given {
                path: syn::parse_quote!(f),
                args: vec![Amount::Sum(sum())],
            }),
            0,
        );
        let into = LocalId(9);
        assert_eq!(asked(&Asked::Given { of, by, into }), None);
    }

    #[test]
    fn differences_saturate_at_zero_in_the_type_of_an_index() {
        assert_eq!(
            asked(&below(saturating(local(1), Sum::Number(3)))),
            Some(vec![(1, None)])
        );
        let literals = || saturating(Sum::Number(5), Sum::Number(50));
        assert_eq!(asked(&below(add(cast(local(1), "i32"), literals()))), None);
        assert_eq!(asked(&below(cast(literals(), "usize"))), None);
        assert_eq!(asked(&below(saturating(cast(local(1), "i32"), local(2)))), None);
    }

    #[test]
    fn what_is_cast_has_a_type_of_its_own() {
        // `(k as i32 + 300 - l) as usize`: what is cast first may be of any type.
        let inner = add(add(cast(local(1), "i32"), Sum::Number(300)), local(2));
        let sum = cast(inner, "usize");
        assert_eq!(asked(&below(sum.clone())), Some(vec![(2, Some("i32".to_owned()))]));
        assert_eq!(asked(&below(cast(local(1), "usize"))), Some(vec![]));
        // Two types in one group are no sum.
        assert_eq!(asked(&below(add(sum, cast(local(3), "i32")))), None);
        let (of, by, into) = (cast(local(1), "i32"), Sum::Number(3), LocalId(9));
        assert_eq!(asked(&Asked::Multiple { of, by, into }), None);
    }
}
