//! Offset fields: positions that count from an origin, in native code as `isize`, in IR also as what they are behind the origin.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use swathe_ir::{self as ir, BinOp};
use syn::spanned::Spanned;

use super::ir::Emit;
use super::print::Printer;
use super::{field_name, type_slot};
use crate::hir::{Access, Axis, Domain, Expr, ExprKind, Extent, Func, LocalId, ParFor, Param, Stmt, Value};

/// The function that asks for the type of a parameter.
pub fn parameter(param: &Param) -> TokenStream {
    let span = super::param::array(param).span();
    if param.is_offset() {
        quote_spanned!(span=> ::swathe::__rt::offset_parameter)
    } else {
        quote_spanned!(span=> ::swathe::__rt::parameter)
    }
}

/// The elements of a field, without its origin.
pub fn whole(func: &Func, field: LocalId, ident: &Ident) -> TokenStream {
    if func.is_offset(field) {
        quote!(#ident.field())
    } else {
        quote!(#ident)
    }
}

/// Gives a private copy the origin of its field.
pub fn again(func: &Func, field: LocalId, ident: &Ident) -> TokenStream {
    let name = field_name(field);
    if func.is_offset(field) {
        quote!(let #ident = #name.over(#ident);)
    } else {
        quote!()
    }
}

impl Printer<'_> {
    /// In the typed copy: the type of what a loop's single variable is behind the origin.
    pub fn offset_probe(&self, p: &ParFor) -> TokenStream {
        match (&p.domain, p.offsets.as_slice()) {
            (Domain::Indices(_, ident), [Some(offset)]) => {
                let slot = type_slot(self.func.local(*offset).ty);
                quote!(::swathe::__rt::place(&#slot, &#ident.offset());)
            }
            _ => TokenStream::new(),
        }
    }

    /// Names and declarations of a loop's positions in native code.
    pub fn positioned(&self, p: &ParFor, vars: Vec<TokenStream>) -> Positioned {
        let ident = match &p.domain {
            Domain::Indices(_, ident) if !p.offsets.is_empty() => ident,
            _ => {
                return Positioned {
                    counted: vars,
                    ..Positioned::default()
                };
            }
        };
        let offsets: Vec<Ident> = (0..vars.len()).map(|k| format_ident!("__offset{}", k)).collect();
        let positions = vars.iter().zip(&offsets).enumerate().map(|(k, (var, offset))| {
            if vars.len() == 1 {
                quote!(let #var = unsafe { ::swathe::__rt::position_at(__origin, #offset) };)
            } else {
                quote!(let #var = unsafe { ::swathe::__rt::at(__origin[#k], #offset) };)
            }
        });
        let mut positions: Vec<TokenStream> = positions.collect();
        let last = positions.pop().unwrap_or_default();
        Positioned {
            // Of the loop's own copy of the field: LLVM then sees that a position without the origin is the offset.
            origin: quote!(let __origin = #ident.origin();),
            counted: offsets.iter().map(|offset| quote!(#offset)).collect(),
            head: quote!(#(#positions)*),
            last,
        }
    }
}

/// The positions of a loop, in native code.
#[derive(Default)]
pub struct Positioned {
    /// What stands before the loop.
    pub origin: TokenStream,
    /// What counts along each axis from 0: of an offset field the distance from the origin, else the positions themselves.
    pub counted: Vec<TokenStream>,
    /// Declares the positions along the axes before the last, if they do not count themselves.
    pub head: TokenStream,
    /// Declares that along the last one.
    pub last: TokenStream,
}

/// A parallel loop's variables in IR.
pub fn vars(p: &ParFor) -> Vec<Option<LocalId>> {
    if p.offsets.is_empty() { &p.vars } else { &p.offsets }.clone()
}

impl Emit<'_> {
    /// The body of a loop, with the positions of an offset field declared.
    pub fn positions(&self, p: &ParFor, mut body: ir::Block) -> ir::Block {
        let Domain::Indices(field, _) = p.domain else {
            return body;
        };
        let vars = p.vars.iter().zip(&p.offsets).enumerate();
        let positions = vars.filter_map(|(axis, (var, offset))| {
            let (var, offset) = ((*var)?, (*offset)?);
            let span = super::ir::span(self.0, self.0.local(var).ident.span());
            let offset = ir::Expr {
                kind: ir::ExprKind::Local(offset),
                span,
            };
            let axis = u32::try_from(axis).ok()?;
            let position = ir::Expr {
                kind: ir::ExprKind::Position(field, axis, Box::new(offset)),
                span,
            };
            Some(ir::Stmt::Let {
                pat: ir::Pat::Bind(var),
                init: Some(position),
                span,
            })
        });
        let positions: Vec<ir::Stmt> = positions.collect();
        body.stmts.splice(0..0, positions);
        body
    }

    /// The index of an access, counted from 0.
    pub fn index(&self, access: &Access) -> Vec<ir::Expr> {
        if !self.0.is_offset(access.field) {
            return self.exprs(&access.index);
        }
        let index = access.index.iter().enumerate().map(|(axis, e)| {
            let span = super::ir::span(self.0, e.span);
            let kind = self.own_offset(access, axis, e).unwrap_or_else(|| {
                ir::ExprKind::Offset(access.field, u32::try_from(axis).unwrap_or(u32::MAX), self.boxed(e))
            });
            ir::Expr { kind, span }
        });
        index.collect()
    }

    /// How far an index is behind the origin, if it is a position of the loop over this field on this axis, or that and a
    /// number: what is added to the position is added to the distance, and code generation knows bounds of that.
    fn own_offset(&self, access: &Access, axis: usize, e: &Expr) -> Option<ir::ExprKind> {
        match &e.kind {
            ExprKind::Local(id, _) => self.offset_of(access, axis, *id).map(ir::ExprKind::Local),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), _, left, right, _) => {
                let (ExprKind::Local(id, _), ExprKind::Lit(syn::Lit::Int(lit), _)) = (&left.kind, &right.kind) else {
                    return None;
                };
                let offset = self.offset_of(access, axis, *id)?;
                let span = super::ir::span(self.0, e.span);
                let number = ir::ExprKind::Lit(ir::Lit::Int(lit.base10_parse().ok()?), self.0.local(offset).ty);
                let operand = |kind| Box::new(ir::Expr { kind, span });
                let (left, right) = (operand(ir::ExprKind::Local(offset)), operand(number));
                Some(ir::ExprKind::Binary(*op, left, right, None))
            }
            _ => None,
        }
    }

    /// The variable that holds how far a position of a loop over the field is behind the origin.
    fn offset_of(&self, access: &Access, axis: usize, id: LocalId) -> Option<LocalId> {
        let local = self.0.local(id);
        match &local.value {
            _ if local.mutable => None,
            Value::Alias(other) => self.offset_of(access, axis, *other),
            Value::Parallel {
                axis: Axis::One(k),
                extent: Some(Extent::Range(field, _)),
            } if *field == access.field && *k == axis => self.offset_var(id),
            Value::Parallel {
                axis: Axis::All,
                extent: Some(Extent::Ranges(field)),
            } if *field == access.field && !access.bracketed => self.offset_var(id),
            _ => None,
        }
    }

    fn offset_var(&self, id: LocalId) -> Option<LocalId> {
        self.0.body.stmts.iter().find_map(|stmt| match stmt {
            Stmt::ParFor(p) => {
                let mut vars = p.vars.iter().zip(&p.offsets);
                vars.find(|(var, _)| **var == Some(id)).and_then(|(_, offset)| *offset)
            }
            _ => None,
        })
    }
}
