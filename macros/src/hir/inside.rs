//! The inside of a row: what is asked of a part of it, and sums that its indices are made of.

use swathe_ir::{BinOp, LocalId};

use super::ParFor;

/// The part of a row in which comparisons of its position have one value and indices are in bounds (index-set splitting).
#[derive(Clone)]
pub struct Inside {
    /// What makes it that part, in the order in which it is asked.
    pub asked: Vec<Asked>,
    /// The loop as it is there.
    pub body: ParFor,
    /// Positions of a row that is asked, at least.
    pub least: usize,
    /// How many comparisons are decided, and how many accesses are in bounds.
    pub compared: usize,
    pub accesses: usize,
    /// The same without what functions give, for rows of which these leave little.
    pub otherwise: Option<Box<Inside>>,
}

/// What holds at all positions of a part of a row.
#[derive(Clone, PartialEq)]
pub enum Asked {
    /// The comparison has this value.
    Compared {
        op: BinOp,
        left: Sum,
        right: Sum,
        holds: bool,
    },
    /// The index is below the extent of a field's axis.
    Below { index: Sum, field: LocalId, axis: usize },
    /// It is a number.
    Number(Sum),
    /// All that a function reads of the fields that it is lent is in bounds, as far as its parameters tell where that is.
    Called(Box<Called>),
    /// `into` is a multiple of the second that leaves the remainder when it is subtracted from the first.
    Multiple { of: Sum, by: Sum, into: LocalId },
    /// What a function gives is a number that grows by `by` from position to position, and is `into` at position 0, modulo the range of an index.
    Given { of: Box<Given>, by: i64, into: LocalId },
}

/// A call of a function of integers.
#[derive(Clone, PartialEq)]
pub struct Given {
    pub path: syn::ExprPath,
    pub args: Vec<Amount>,
}

/// An argument of it.
#[derive(Clone, PartialEq)]
pub enum Amount {
    /// A literal.
    Number(i64),
    /// A variable, a constant or a call, of any type of integers.
    Named(Sum),
    Sum(Sum),
}

impl Amount {
    pub fn sum(&self) -> Option<&Sum> {
        match self {
            Amount::Number(_) => None,
            Amount::Named(sum) | Amount::Sum(sum) => Some(sum),
        }
    }
}

/// What no argument tells, among the bits of arguments: functions need it that would ask for too much.
pub const NEVER: u64 = 1 << 63;

/// A call of a function that is lent fields.
#[derive(Clone, PartialEq)]
pub struct Called {
    pub path: syn::ExprPath,
    pub args: Vec<Passed>,
    /// Arguments that are no sums, as bits, and [`NEVER`]: what a function reads by these keeps its checks.
    pub open: u64,
}

impl Called {
    pub fn sums(&self) -> impl Iterator<Item = &Sum> {
        self.args.iter().flat_map(|passed| match passed {
            Passed::Sums(sums) => sums.as_slice(),
            _ => &[],
        })
    }
}

/// An argument of it.
#[derive(Clone, PartialEq)]
pub enum Passed {
    Field(LocalId),
    /// One, or those of an array.
    Sums(Vec<Sum>),
    Other,
}

/// A number that changes along a row by the same from position to position, as far as its parts are of the type of an index, or of the one that
/// they are cast to.
#[derive(Clone, PartialEq)]
pub enum Sum {
    /// The row's position.
    Position,
    /// A variable that does not change during a row.
    Local(LocalId),
    Const(syn::ExprPath),
    Number(i64),
    Len(LocalId),
    Extent(LocalId, usize),
    /// The length of an array: of a variable or a constant.
    Length(Box<Sum>),
    /// One of the items of a table.
    Item(Item),
    /// The item of a table, a variable or a constant, at positions that do not change during a row.
    Entry(Box<Sum>, Vec<Sum>),
    /// What a function gives, of which [`Asked::Given`] has the parts. It may move from row to row.
    Given {
        into: LocalId,
        by: i64,
        moves: bool,
    },
    Add(Box<Sum>, Box<Sum>),
    Sub(Box<Sum>, Box<Sum>),
    Mul(Box<Sum>, Box<Sum>),
    /// A number that does not change along a row by one that is not zero.
    Div(Box<Sum>, u64),
    /// The difference of numbers of the type of an index that do not change along a row, or zero where it would be below.
    Saturating(Box<Sum>, Box<Sum>),
    /// The same number in another type of integers.
    Cast(Box<Sum>, Box<syn::Type>),
    /// The third where the comparison of the first two holds, which it does in all of a row or nowhere, else the fourth.
    If(BinOp, Box<[Sum; 4]>),
}

/// An item of an array of numbers that does not change during a row.
#[derive(Clone, PartialEq)]
pub struct Item {
    /// Each time that one is written it may be another one.
    pub number: usize,
    pub table: Table,
}

#[derive(Clone, PartialEq)]
pub enum Table {
    Named {
        /// A variable or a constant.
        table: Box<Sum>,
        /// At each of its axes a number, or all of them.
        axes: Vec<Option<usize>>,
        /// The least or the largest of these.
        end: Option<End>,
    },
    /// The least and the largest number, of an array of literals.
    Numbers([i64; 2]),
    /// The positions of an axis, of which this is the extent: at least one.
    Axis(Box<Sum>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    Least,
    Most,
}

impl Item {
    /// The least and the largest that it may be.
    pub fn ends(&self) -> [Sum; 2] {
        match &self.table {
            Table::Named { table, axes, .. } => [End::Least, End::Most].map(|end| {
                let table = Table::Named {
                    table: table.clone(),
                    axes: axes.clone(),
                    end: Some(end),
                };
                Sum::Item(Item { number: 0, table })
            }),
            Table::Numbers(ends) => ends.map(Sum::Number),
            Table::Axis(extent) => [Sum::Number(0), Sum::Sub(extent.clone(), Box::new(Sum::Number(1)))],
        }
    }
}

impl Sum {
    /// All that it is made of or chosen by.
    pub fn leaves(&self) -> Vec<&Sum> {
        let mut leaves = Vec::new();
        self.collect(0, &mut leaves);
        leaves
    }

    /// What it is made of: numbers of its own type. What it is chosen by and what is cast may be of another.
    pub fn values(&self) -> Vec<&Sum> {
        let mut leaves = Vec::new();
        self.collect(2, &mut leaves);
        leaves
    }

    /// The type of numbers that are added or compared, if casts among them tell it: else that of an index. `Err` if they tell several.
    pub fn told<'s>(sums: &[&'s Sum]) -> Result<Option<&'s syn::Type>, ()> {
        let values = sums.iter().flat_map(|sum| sum.values());
        let mut types = values.filter_map(|value| match value {
            Sum::Cast(_, ty) => Some(&**ty),
            _ => None,
        });
        let first = types.next();
        match types.all(|ty| Some(ty) == first) {
            true => Ok(first),
            false => Err(()),
        }
    }

    /// Whether a function gives a part of it.
    pub fn is_given(&self) -> bool {
        self.leaves().iter().any(|leaf| matches!(leaf, Sum::Given { .. }))
    }

    /// The same, with another sum in the place of a leaf.
    #[must_use]
    pub fn with(&self, leaf: &Sum, instead: &Sum) -> Sum {
        let of = |a: &Sum| Box::new(a.with(leaf, instead));
        match self {
            _ if self == leaf => instead.clone(),
            Sum::Cast(a, ty) => Sum::Cast(of(a), ty.clone()),
            Sum::Add(a, b) => Sum::Add(of(a), of(b)),
            Sum::Sub(a, b) => Sum::Sub(of(a), of(b)),
            Sum::Mul(a, b) => Sum::Mul(of(a), of(b)),
            Sum::Div(a, by) => Sum::Div(of(a), *by),
            // Its parts do not have the leaf.
            other => other.clone(),
        }
    }

    fn collect<'s>(&'s self, of_choice: usize, leaves: &mut Vec<&'s Sum>) {
        match self {
            Sum::Add(a, b) | Sum::Sub(a, b) | Sum::Mul(a, b) | Sum::Saturating(a, b) => {
                a.collect(of_choice, leaves);
                b.collect(of_choice, leaves);
            }
            Sum::Div(a, _) => a.collect(of_choice, leaves),
            Sum::If(_, all) => all[of_choice..].iter().for_each(|sum| sum.collect(of_choice, leaves)),
            Sum::Cast(a, _) if of_choice == 0 => a.collect(of_choice, leaves),
            _ => leaves.push(self),
        }
    }
}
