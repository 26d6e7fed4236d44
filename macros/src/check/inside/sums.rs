//! Sums: what indices and operands are made of, as far as the text tells.

use swathe_ir::{BinOp, LocalId, UnOp};

use super::Split;
use super::conditions::size;
use crate::budget::{MOST_CAST, SUM_PARTS, SUM_WORK};
use crate::hir::affine::{limited, literal, number};
use crate::hir::types::is_integer_type;
use crate::hir::{Block, Expr, ExprKind, Extent, Item, Sum, Table, Value, Within};

impl Split<'_> {
    /// Whether the text tells that a sum is of the type of an index.
    pub(super) fn is_index(&self, sum: &Sum) -> bool {
        sum.values().iter().any(|leaf| match leaf {
            Sum::Len(_) | Sum::Extent(..) | Sum::Length(_) => true,
            Sum::Position => self.counts_indices,
            Sum::Local(id) if let Some(ends) = self.counted.get(id) => ends.iter().any(|end| self.is_index(end)),
            Sum::Local(id) => self.heads.contains(id) || self.is_extent(*id),
            _ => false,
        })
    }

    /// Whether a sum changes from position to position, along a row or from row to row.
    pub(super) fn moves(&self, sum: &Sum) -> bool {
        sum.leaves().iter().any(|leaf| match leaf {
            Sum::Position => true,
            Sum::Local(id) if let Some(ends) = self.counted.get(id) => ends.iter().any(|end| self.moves(end)),
            Sum::Local(id) => self.heads.contains(id),
            Sum::Given { moves, .. } => *moves,
            Sum::Entry(_, axes) => axes.iter().any(|axis| self.moves(axis)),
            _ => false,
        })
    }

    /// Whether a sum is made of extents, of a field or of the domain.
    pub(super) fn spans(&self, sum: &Sum) -> bool {
        sum.values().iter().any(|leaf| match leaf {
            Sum::Cast(a, _) => self.spans(a),
            Sum::Len(_) | Sum::Extent(..) => true,
            Sum::Local(id) => self.is_extent(*id) || self.ends.contains(id) || self.of_extents.contains(id),
            _ => false,
        })
    }

    fn is_extent(&self, id: LocalId) -> bool {
        let value = &self.func.local(id).value;
        matches!(value, Value::Extent(Extent::Shape(..) | Extent::Len(_)))
    }

    /// An expression as a sum that has one value at a position, as far as its text tells.
    pub(super) fn sum(&self, e: &Expr) -> Option<Sum> {
        self.index(e).filter(|sum| !self.varies(sum))
    }

    /// The same with what short loops count, and items of tables.
    pub(super) fn index(&self, e: &Expr) -> Option<Sum> {
        let depth = self.depth.get();
        if depth == 0 {
            self.work.set(0);
        }
        if self.work.get() >= SUM_WORK {
            return None;
        }
        self.work.set(self.work.get() + 1);
        self.depth.set(depth + 1);
        let sum = self.index_of(e).filter(|sum| size(sum) <= SUM_PARTS);
        self.depth.set(depth);
        sum
    }

    fn index_of(&self, e: &Expr) -> Option<Sum> {
        let pair = |a: &Expr, b: &Expr| {
            let (a, b) = (self.index(a)?, self.index(b)?);
            Sum::told(&[&a, &b]).ok()?;
            Some((Box::new(a), Box::new(b)))
        };
        if let Some(position) = limited(e) {
            return self.index(position);
        }
        Some(match &e.kind {
            ExprKind::Local(id, _) if *id == self.position => Sum::Position,
            ExprKind::Local(id, _) => {
                if let Some(init) = self.defined.get(id) {
                    return self.index(init);
                }
                if self.parts.contains_key(id) {
                    return self.item(e);
                }
                let local = self.func.local(*id);
                let ours = self.heads.contains(id) || self.made.contains(id) || self.counted.contains_key(id);
                let fixed = !local.mutable && (local.inside.is_none() || ours);
                let named = fixed.then_some(Sum::Local(*id))?;
                match self.counted.get(id).map(|[first, last]| Sum::told(&[first, last])) {
                    // To the type that it has.
                    Some(Ok(Some(ty))) => cast(named, ty.clone()),
                    _ => named,
                }
            }
            ExprKind::Const(_, path) => Sum::Const(path.clone()),
            ExprKind::FieldLen(field, _) if !self.func.is_offset(*field) => Sum::Len(*field),
            ExprKind::Call { .. } => self.given(e)?,
            ExprKind::Index(shape, axis) => match &shape.kind {
                ExprKind::FieldShape(field, _) if !self.func.is_offset(*field) => {
                    Sum::Extent(*field, usize::try_from(number(axis)?).ok()?)
                }
                _ => {
                    // Other parts of an array that stands here are evaluated, too.
                    let named = Some(&**shape).filter(|e| matches!(e.kind, ExprKind::Local(..)));
                    let part = |k: u64| self.array(named?)?.get(usize::try_from(k).ok()?);
                    match number(axis).and_then(part) {
                        Some(part) => self.index(part)?,
                        None => self.item(e)?,
                    }
                }
            },
            ExprKind::Binary(BinOp::Add, _, a, b, _) => {
                let (a, b) = pair(a, b)?;
                Sum::Add(a, b)
            }
            ExprKind::Binary(BinOp::Sub, _, a, b, _) => {
                let (a, b) = pair(a, b)?;
                Sum::Sub(a, b)
            }
            ExprKind::Binary(BinOp::Mul, _, a, b, _) => {
                let (a, b) = pair(a, b)?;
                Sum::Mul(a, b)
            }
            ExprKind::Binary(BinOp::Div, _, a, b, _) => {
                let (a, by) = (self.index(a)?, number(b).filter(|by| (1..MOST_CAST).contains(by))?);
                (Sum::told(&[&a]).is_ok() && self.stride(&a) == Some(0)).then(|| Sum::Div(Box::new(a), by))?
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => self.index(only(block)?)?,
            ExprKind::Decided { value, .. } => self.index(value)?,
            ExprKind::Cast(a, ty, ..) if is_integer_type(ty) => {
                let a = self.index(a).filter(|a| self.is_known(a))?;
                Sum::Cast(Box::new(a), ty.clone())
            }
            ExprKind::Unary(UnOp::Neg, a, _) => match literal(e) {
                Some(number) => Sum::Number(number),
                None => Sum::Sub(Box::new(Sum::Number(0)), Box::new(self.index(a)?)),
            },
            ExprKind::Lit(syn::Lit::Int(n), _) => Sum::Number(n.base10_parse().ok()?),
            ExprKind::Within(operation, Within::Indices | Within::Index) => self.index(operation)?,
            ExprKind::Within(operation, within) => {
                let (a, b) = operands(operation)?;
                match within {
                    Within::Around(_) | Within::Rest => {
                        let extent = match &operation.kind {
                            ExprKind::Method { args, .. } => args.get(1)?,
                            _ => b?,
                        };
                        let extent = Box::new(self.sum(extent)?);
                        let number = self.items.get();
                        self.items.set(number + 1);
                        cast_to_index(Sum::Item(Item {
                            number,
                            table: Table::Axis(extent),
                        }))
                    }
                    Within::Moved => cast_to_index(moved(self.index(a)?, self.index(b?)?)),
                    Within::First => self.index(a)?,
                    Within::Second => self.index(b?)?,
                    Within::Difference => {
                        let (a, b) = pair(a, b?)?;
                        Sum::Sub(a, b)
                    }
                    Within::Less(multiple) => Sum::Sub(Box::new(self.index(a)?), Box::new(Sum::Local(*multiple))),
                    Within::Like => self.index(b?)?,
                    Within::Indices | Within::Index => unreachable!("a sum as it stands"),
                }
            }
            ExprKind::If(cond, then, Some(otherwise)) => {
                let ExprKind::Binary(op, _, a, b, _) = &cond.kind else {
                    return None;
                };
                let all = [
                    self.index(a)?,
                    self.index(b)?,
                    self.index(only(then)?)?,
                    self.index(otherwise)?,
                ];
                // A branch that is not taken tells the type of literals in the other one, and of this rustc alone knows it.
                if all.iter().any(Sum::is_given) {
                    return None;
                }
                Sum::told(&[&all[0], &all[1]]).ok()?;
                Sum::told(&[&all[2], &all[3]]).ok()?;
                let strides = [&all[0], &all[1], &all[2], &all[3]].map(|sum| self.stride(sum));
                let [Some(_), Some(_), Some(_), Some(_)] = strides else {
                    return None;
                };
                let fixed = op.is_comparison() && strides[0] == strides[1] && strides[2] == strides[3];
                fixed.then(|| Sum::If(*op, Box::new(all)))?
            }
            ExprKind::Method {
                receiver, name, args, ..
            } if name == "len" && args.is_empty() => Sum::Length(Box::new(self.table(receiver)?)),
            ExprKind::Method {
                receiver, name, args, ..
            } => {
                let [arg] = args.as_slice() else { return None };
                let (a, b) = (self.index(receiver)?, self.index(arg)?);
                if self.stride(&a)? != 0 || self.stride(&b)? != 0 || a.is_given() || b.is_given() {
                    return None;
                }
                let index = Sum::told(&[&a, &b]).ok()?.is_none();
                let (below, otherwise) = match name.to_string().as_str() {
                    "min" => (a.clone(), b.clone()),
                    "max" => (b.clone(), a.clone()),
                    "saturating_sub" if index => return Some(Sum::Saturating(Box::new(a), Box::new(b))),
                    _ => return None,
                };
                Sum::If(BinOp::Lt, Box::new([a, b, below, otherwise]))
            }
            _ => return None,
        })
    }

    /// A variable that does not change, or a constant.
    fn table(&self, e: &Expr) -> Option<Sum> {
        match &e.kind {
            ExprKind::Local(id, _) => {
                let local = self.func.local(*id);
                (!local.mutable && local.inside.is_none()).then_some(Sum::Local(*id))
            }
            ExprKind::Const(_, path) => Some(Sum::Const(path.clone())),
            _ => None,
        }
    }

    /// An item of a table that does not change.
    pub(super) fn item(&self, e: &Expr) -> Option<Sum> {
        let (mut e, mut axes) = (e, Vec::new());
        // At the same places, as far as these do not change during a row.
        let mut places = Vec::new();
        let fixed = |index: &Expr| {
            let sum = self.sum(index)?;
            (self.stride(&sum) == Some(0) && Sum::told(&[&sum]) == Ok(None) && !sum.is_given()).then_some(sum)
        };
        let named = loop {
            match &e.kind {
                ExprKind::Index(table, index) => {
                    axes.push(number(index).and_then(|k| usize::try_from(k).ok()));
                    places.push(fixed(index));
                    e = table;
                }
                ExprKind::Local(id, _) if let Some((array, k)) = self.parts.get(id) => {
                    axes.push(Some(*k));
                    places.push(i64::try_from(*k).ok().map(Sum::Number));
                    e = array;
                }
                ExprKind::Local(id, _) if let Some(init) = self.defined.get(id) => e = init,
                ExprKind::Array(..) => break None,
                _ => break Some(self.table(e)?),
            }
        };
        axes.reverse();
        places.reverse();
        let places: Option<Vec<Sum>> = places.into_iter().collect();
        if let (Some(named), Some(places)) = (&named, places)
            && axes.iter().any(Option::is_none)
        {
            return Some(Sum::Entry(Box::new(named.clone()), places));
        }
        let table = match named {
            Some(named) => Table::Named {
                table: Box::new(named),
                axes,
                end: None,
            },
            None => Table::Numbers(literals(e, &axes)?),
        };
        let number = self.items.get();
        self.items.set(number + 1);
        Some(Sum::Item(Item { number, table }))
    }

    /// By how much a sum grows from position to position, if the text tells.
    pub(super) fn stride(&self, sum: &Sum) -> Option<i64> {
        self.growth(sum, &|leaf| *leaf == Sum::Position)
    }

    /// By how much a sum grows where the leaves do that `moves` names. What a loop counts grows as its ends do, if both do so alike.
    pub(super) fn growth(&self, sum: &Sum, moves: &dyn Fn(&Sum) -> bool) -> Option<i64> {
        growth(sum, &|leaf| match leaf {
            Sum::Local(id) if let Some([first, last]) = self.counted.get(id) => {
                let by = self.growth(first, moves)?;
                (self.growth(last, moves)? == by).then_some(by)
            }
            Sum::Given { by, .. } => Some(if moves(&Sum::Position) { *by } else { 0 }),
            _ => Some(i64::from(moves(leaf))),
        })
    }

    /// Whether the text tells what type a sum is of, or one variable is cast, which may be of any. Where it does not, that of an index would be asked for,
    /// which it seldom is.
    fn is_known(&self, sum: &Sum) -> bool {
        match sum {
            Sum::Local(_)
            | Sum::Const(_)
            | Sum::Given { .. }
            | Sum::Entry(..)
            | Sum::Item(Item {
                table: Table::Named { .. },
                ..
            }) => true,
            _ => sum.values().iter().any(|leaf| match leaf {
                Sum::Position | Sum::Len(_) | Sum::Extent(..) | Sum::Length(_) | Sum::Cast(..) => true,
                Sum::Local(id) if let Some(ends) = self.counted.get(id) => ends.iter().any(|end| self.is_known(end)),
                Sum::Local(id) => self.heads.contains(id) || self.ends.contains(id) || self.is_extent(*id),
                _ => false,
            }),
        }
    }
}

/// Whether an item is taken of an array, by a number that need not be that of one.
pub(super) fn is_looked_up(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Index(array, k) => !matches!(array.kind, ExprKind::FieldShape(..)) && number(k).is_none(),
        _ => false,
    }
}

/// The least and the largest of an array's literals; `axes` tell which of them.
fn literals(e: &Expr, axes: &[Option<usize>]) -> Option<[i64; 2]> {
    let (Some((axis, axes)), ExprKind::Array(parts, _)) = (axes.split_first(), &e.kind) else {
        return literal(e).filter(|_| axes.is_empty()).map(|n| [n, n]);
    };
    let parts = match axis {
        Some(k) => std::slice::from_ref(parts.get(*k)?),
        None => parts,
    };
    let ends: Option<Vec<[i64; 2]>> = parts.iter().map(|part| literals(part, axes)).collect();
    let ends = ends?;
    let least = ends.iter().map(|[least, _]| *least).min()?;
    Some([least, ends.iter().map(|[_, most]| *most).max()?])
}

/// By how much a sum grows, where `of` tells it of its leaves.
fn growth(sum: &Sum, of: &dyn Fn(&Sum) -> Option<i64>) -> Option<i64> {
    Some(match sum {
        Sum::Add(a, b) => growth(a, of)?.checked_add(growth(b, of)?)?,
        Sum::Sub(a, b) => growth(a, of)?.checked_sub(growth(b, of)?)?,
        Sum::Mul(a, b) => match (&**a, &**b) {
            (Sum::Number(n), other) | (other, Sum::Number(n)) => growth(other, of)?.checked_mul(*n)?,
            (a, b) => (growth(a, of)? == 0 && growth(b, of)? == 0).then_some(0)?,
        },
        Sum::Div(a, _) => (growth(a, of)? == 0).then_some(0)?,
        Sum::Saturating(a, b) => (growth(a, of)? == 0 && growth(b, of)? == 0).then_some(0)?,
        Sum::If(_, all) => growth(&all[2], of)?,
        Sum::Cast(a, _) => growth(a, of)?,
        leaf => of(leaf)?,
    })
}

/// What a block is that does nothing else.
pub(super) fn only(block: &Block) -> Option<&Expr> {
    block.tail.as_deref().filter(|_| block.stmts.is_empty())
}

/// The signed type of positions.
pub(super) fn signed() -> syn::Type {
    syn::parse_quote!(::swathe::__rt::core::primitive::isize)
}

/// The sum of a position and an offset, which is of the type `i32`.
pub(super) fn moved(a: Sum, by: Sum) -> Sum {
    Sum::Add(Box::new(cast(a, signed())), Box::new(offset(by)))
}

/// An offset, which is of the type `i32`.
pub(super) fn offset(by: Sum) -> Sum {
    let by = match Sum::told(&[&by]) {
        Ok(None) => {
            let of_type = cast(Sum::Number(0), syn::parse_quote!(::swathe::__rt::core::primitive::i32));
            Sum::Add(Box::new(by), Box::new(of_type))
        }
        _ => by,
    };
    cast(by, signed())
}

fn cast_to_index(sum: Sum) -> Sum {
    cast(sum, syn::parse_quote!(::swathe::__rt::core::primitive::usize))
}

pub(super) fn cast(sum: Sum, ty: syn::Type) -> Sum {
    Sum::Cast(Box::new(sum), Box::new(ty))
}

/// The operands of a binary operator, or of a method, of which there may be more.
fn operands(e: &Expr) -> Option<(&Expr, Option<&Expr>)> {
    match &e.kind {
        ExprKind::Binary(_, _, a, b, _) => Some((a, Some(b))),
        ExprKind::Method { receiver, args, .. } => Some((receiver, args.first())),
        _ => None,
    }
}
