//! Accesses to elements of fields in native code, and in the copy that is only typed.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use swathe_ir::{AtomicOp, BinOp, CalleeSlot, FuncKind};

use super::lent::inside_name;
use super::print::{Mode, Printer, brackets, parens};
use super::{at, ir, rank_name, shared_name, type_slot};
use crate::hir::types;
use crate::hir::visit::any;
use crate::hir::{Access, Check, Expr, ExprKind, LocalId, Place, Step};

impl Printer<'_> {
    pub(super) fn position(&self, access: &Access) -> TokenStream {
        let parts = access.index.iter().map(|e| self.expr(e));
        let index = if access.bracketed {
            brackets(access.index_span, quote!(#(#parts),*))
        } else {
            quote!(#(#parts)*)
        };
        let rank = rank_name(access.field);
        if self.func.is_offset(access.field) {
            return quote_spanned!(access.index_span=> ::swathe::__rt::signed_axes(#rank, #index));
        }
        quote_spanned!(access.index_span=> ::swathe::__rt::axes(#rank, #index))
    }

    pub fn typed_access(&self, access: &Access, end: Span) -> TokenStream {
        let (ident, position) = (&access.ident, self.position(access));
        match self.func.access(access.id).check {
            Check::Unchecked if self.func.field_mutable(access.field) => {
                let position = parens(end, position);
                quote_spanned!(access.span=> (*#ident.get_unchecked_mut #position))
            }
            Check::Unchecked => {
                let position = parens(end, position);
                quote_spanned!(access.span=> (*#ident.get_unchecked #position))
            }
            _ if self.func.field_mutable(access.field) && mentions(access) => {
                // The position first: rustc borrows what is indexed mutably before it evaluates the index.
                quote_spanned!(access.span=> (*{ let __i = #position; &mut #ident[__i] }))
            }
            _ => {
                let position = brackets(end, position);
                quote_spanned!(access.span=> #ident #position)
            }
        }
    }

    /// A raw pointer to the element; leaves the iteration (outside of parallel loops: the kernel) if the position is
    /// out of bounds.
    pub fn pointer(&self, access: &Access) -> TokenStream {
        let (ident, position) = (&access.ident, self.position(access));
        let trusted = match self.func.access(access.id).check {
            Check::Proven | Check::Hoisted => self.covered.in_bounds(self.func.access(access.id)),
            Check::Unchecked => self.mode != Mode::Checked,
            Check::InKernel => self.inspected.contains(&access.id),
        };
        let site = u32::try_from(self.func.access(access.id).site.0).expect("fewer than 2^32 accesses");
        if trusted {
            let pointer = self.noted(access, site, quote!(unsafe { #ident.unchecked(__i) }));
            return quote!({
                let __i = #position;
                #pointer
            });
        }
        if let Some(gather) = self.cuts.gather(access, &position) {
            return gather;
        }
        let found = self.noted(access, site, quote!(__p));
        let failed = match self.restarts {
            true => quote!(::swathe::__rt::again()),
            false if self.func.kind == FuncKind::Func => {
                let text = self.func.local(access.field).name.to_string();
                let (file, at) = ir::place(self.func, access.span);
                let (line, column) = (at.line, at.column);
                quote!(::swathe::__rt::function_out_of_bounds(
                    #file, #line, #column, #text, __i, #ident.shape()
                ))
            }
            false => {
                let leave = self.leave();
                quote!({
                    #ident.fail(__launch, #site, __i);
                    #leave
                })
            }
        };
        let checked = quote!(match #ident.checked(__i) {
            ::swathe::__rt::core::option::Option::Some(__p) => #found,
            ::swathe::__rt::core::option::Option::None => #failed,
        });
        let checked = match self.reads.is_some_and(|reads| reads.accesses.contains(&access.id)) {
            true => {
                let inside = inside_name(access.field);
                quote!(if #inside { unsafe { #ident.unchecked(__i) } } else { #checked })
            }
            false => checked,
        };
        quote!({
            let __i = #position;
            #checked
        })
    }

    /// Statements that evaluate the pointer `__p`, the index steps of a place, and what the place is in; and the place itself.
    fn place(&self, place: &Place<'_>) -> (TokenStream, TokenStream) {
        self.place_in(
            place,
            quote!(
                let mut __room = ::swathe::__rt::Pointer::stand_in(__p);
                let __base = ::swathe::__rt::Pointer::base(__p, &mut __room);
            ),
        )
    }

    /// The same with a `__base` of the caller's.
    fn place_in(&self, place: &Place<'_>, base: TokenStream) -> (TokenStream, TokenStream) {
        let pointer = self.pointer(place.access);
        let mut setup = quote!(let __p = #pointer; #base);
        let (start, end) = (place.access.span, end(&place.access.source));
        let (star, name) = (quote_spanned!(start=> *), parens(end, quote!(__base)));
        let mut tokens = parens(start, quote!(#star #name));
        for (k, step) in place.steps.iter().enumerate() {
            match step {
                Step::Member(member) => tokens = quote!(#tokens.#member),
                Step::Index(index) => {
                    let name = format_ident!("__k{}", k);
                    let index = self.expr(index);
                    setup = quote!(#setup let #name = #index;);
                    tokens = quote!(#tokens[#name]);
                }
            }
        }
        (setup, tokens)
    }

    /// The value of a place. It stands behind a shared reference, so that a method that takes `&mut self` is rustc's
    /// error instead of a change to a copy.
    pub fn read(&self, e: &Expr) -> TokenStream {
        let place = e.field_place().expect("a place in a field");
        let value = if place.steps.is_empty() {
            let pointer = self.pointer(place.access);
            quote!({ let __p = #pointer; unsafe { ::swathe::__rt::Pointer::read(__p) } })
        } else {
            let (setup, place) = self.place(&place);
            quote!({ #setup unsafe { ::swathe::__rt::Pointer::get(__p, __base, (&raw const #place).cast_mut()) } })
        };
        shown(e, &value)
    }

    /// `place = value` or `place op= value`. The value comes first: it may read the field that the place is in.
    pub fn write(
        &self,
        op: Option<(BinOp, Option<CalleeSlot>, Span)>,
        place: &Expr,
        value: &Expr,
        symbol: &TokenStream,
        whole: &Expr,
    ) -> TokenStream {
        let callee = op.and_then(|(_, callee, at)| Some((callee?, at)));
        let divides = op.map(|(op, ..)| op);
        let divides = divides.filter(|op| self.mode != Mode::Probe && types::may_fail(*op, place, value));
        let check = divides.map(|op| self.division_check(op, whole, &quote!(&*__value), &quote!(&__v)));
        let again = stand_in(&format_ident!("__v"), value);
        if self.mode == Mode::Probe {
            let value = match callee {
                Some((callee, at)) => self.right_operand(value, Some(callee), at),
                None => self.expr(value),
            };
            let place = self.expr(place);
            return quote!({ let __v = #value; #place #symbol #again });
        }
        let value = self.expr(value);
        let update = self.update(place, check, &|target| quote!(#target #symbol #again));
        quote!({ let __v = #value; #update })
    }

    /// `place = literal`. The literal stands alone: rustc then says how to write it right.
    pub fn write_literal(&self, place: &Expr, lit: &syn::Lit, slot: swathe_ir::TypeSlot) -> TokenStream {
        if self.mode == Mode::Probe {
            let (slot, place) = (type_slot(slot), self.expr(place));
            return quote!({ ::swathe::__rt::place(&#slot, &#place); #place = #lit });
        }
        self.update(place, None, &|target| quote!(#target = #lit))
    }

    /// Changes a copy of the place, where rustc shall underline the place itself, and writes that.
    pub fn update(
        &self,
        place: &Expr,
        check: Option<TokenStream>,
        change: &dyn Fn(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let field_place = place.field_place().expect("a place in a field");
        let start = field_place.access.span;
        let (star, name) = (quote_spanned!(start=> *), parens(place.end, quote!(__value)));
        let change = change(&parens(start, quote!(#star #name)));
        let old = self.unnoted(field_place.access, quote!(__p));
        if field_place.steps.is_empty() {
            let pointer = self.pointer(field_place.access);
            return quote!({
                let __p = #pointer;
                let mut __copy = unsafe { ::swathe::__rt::Pointer::read(#old) };
                let __value = &mut __copy;
                #check
                #change;
                unsafe { ::swathe::__rt::Pointer::write(__p, __copy) }
            });
        }
        let (setup, target) = self.place(&field_place);
        quote!({
            #setup
            let __place = unsafe { &raw mut #target };
            let mut __copy = unsafe { ::swathe::__rt::Pointer::get(#old, __base, __place) };
            let __value = &mut __copy;
            #check
            #change;
            unsafe { ::swathe::__rt::Pointer::set(__p, __base, __place, __copy) }
        })
    }

    pub fn atomic(&self, op: AtomicOp, name: &Ident, place: &Expr, args: &[Expr]) -> TokenStream {
        let pointer = match self.mode {
            Mode::Probe => {
                let place = self.expr(place);
                quote!(let __p = &raw mut #place;)
            }
            Mode::Native | Mode::Checked => self.atomic_pointer(op, place),
        };
        let call = self.atomic_call(op, name, place, args);
        let names = (0..args.len()).map(|k| format_ident!("__a{}", k));
        let args = args.iter().map(|a| self.expr(a));
        quote!({
            #pointer
            #(let #names = #args;)*
            #call
        })
    }

    /// Statements that evaluate the pointer `__p` to a place that is changed atomically. `Deref` of vectors and indices of matrices, which
    /// the place may go through, see a stand-in: other threads may change the element meanwhile, so that nothing may borrow it.
    pub fn atomic_pointer(&self, op: AtomicOp, place: &Expr) -> TokenStream {
        let place = place.field_place().expect("a place in a field");
        if place.steps.is_empty() {
            let pointer = self.pointer(place.access);
            let pointer = self.noted_atomic(op, place.access, pointer, None);
            return quote!(let __p = #pointer;);
        }
        let (setup, tokens) = match place.members().count() == place.steps.len() {
            true => self.place(&place),
            false => self.place_in(
                &place,
                quote!(
                    let mut __room = ::swathe::__rt::zeroed(__p);
                    let __base = __room.as_mut_ptr();
                ),
            ),
        };
        let part = self.noted_atomic(op, place.access, quote!(__p), Some(quote!(__base, __place)));
        quote!(
            #setup
            let __place = unsafe { &raw mut #tokens };
            let __p = #part;
        )
    }

    /// Calls the operation at the pointer `__p`, with the variables `__a0`, `__a1`, ..
    pub fn atomic_call(&self, op: AtomicOp, name: &Ident, place: &Expr, args: &[Expr]) -> TokenStream {
        let function = match op {
            // A user who wrote no such operation is told where it comes from.
            AtomicOp::Add if self.func.is_derivative => "DerivativeAdd::add",
            AtomicOp::Sub if self.func.is_derivative => "DerivativeAdd::sub",
            AtomicOp::Add => "AtomicAdd::fetch_add",
            AtomicOp::Sub => "AtomicAdd::fetch_sub",
            AtomicOp::Min => "AtomicOrd::fetch_min",
            AtomicOp::Max => "AtomicOrd::fetch_max",
            AtomicOp::And => "AtomicBits::fetch_and",
            AtomicOp::Or => "AtomicBits::fetch_or",
            AtomicOp::Xor => "AtomicBits::fetch_xor",
            AtomicOp::Exchange => "AtomicSwap::exchange",
            AtomicOp::CompareExchange => "AtomicSwap::compare_exchange",
            AtomicOp::Load => "AtomicSwap::load",
            AtomicOp::Store => "AtomicSwap::store",
        };
        let function: syn::Path = syn::parse_str(function).expect("a path");
        let function = respanned(quote!(::swathe::__rt::#function), at(name.span()));
        // Of this argument rustc says that its type has no such operation.
        let span = at(name.span());
        let (pointer, sharing) = match self.mode {
            Mode::Probe => (
                quote_spanned!(span=> __p),
                quote!(::swathe::__rt::Sharing::of(__p, false, false)),
            ),
            Mode::Native | Mode::Checked => {
                let access = place.field_place().expect("a place in a field").access;
                let (shared, pairs) = (shared_name(access.field), self.func.access(access.id).pairs);
                let first = quote_spanned!(span=> ::swathe::__rt::Pointer::first(__p));
                (first, quote!(::swathe::__rt::Sharing::of(__p, #shared, #pairs)))
            }
        };
        let args = args.iter().enumerate();
        let args = args.map(|(k, arg)| stand_in(&format_ident!("__a{}", k), arg));
        let passed = parens(name.span(), quote!(#pointer #(, #args)*, #sharing));
        quote!(unsafe { #function #passed })
    }
}

impl Printer<'_> {
    /// An index into a part of a variable or of an element. In the typed copy rustc is asked whether it is one of an array, vector or matrix: by a
    /// function of the variable's type, since what is indexed may be borrowed meanwhile.
    pub fn typed_index(&self, base: &Expr, index: &Expr) -> TokenStream {
        let (value, span) = (self.expr(index), at(index.span));
        if !self.probes() {
            return value;
        }
        let Some((root, part)) = part_of(base) else {
            return value;
        };
        let args = parens(
            index.end,
            match root {
                Root::Variable(id) => {
                    let slot = type_slot(self.func.local(id).ty);
                    quote!(&#slot, |__root| #part, #value)
                }
                Root::Element(field) => {
                    let slot = type_slot(self.func.local(field).ty);
                    quote!(&#slot, |__root| #part, #value)
                }
            },
        );
        match root {
            Root::Variable(_) => quote_spanned!(span=> ::swathe::__rt::index #args),
            Root::Element(_) => quote_spanned!(span=> ::swathe::__rt::index_in #args),
        }
    }
}

impl Printer<'_> {
    /// A part of what is in no variable, in the typed copy.
    pub fn typed_index_of_value(&self, base: &Expr, index: &Expr, e: &Expr) -> Option<TokenStream> {
        if !self.probes() || part_of(base).is_some() {
            return None;
        }
        let (base, span) = (self.expr(base), at(index.span));
        let index = parens(index.end, {
            let index = self.expr(index);
            quote!(&__base, #index)
        });
        let part = brackets(e.end, quote_spanned!(span=> ::swathe::__rt::index_of #index));
        Some(quote!({ let __base = #base; __base #part }))
    }
}

/// What a part belongs to.
enum Root {
    Variable(LocalId),
    Element(LocalId),
}

/// A part as a function of `__root`; `None` for one of a value that is in no variable.
fn part_of(e: &Expr) -> Option<(Root, TokenStream)> {
    match &e.kind {
        ExprKind::Local(id, _) => Some((Root::Variable(*id), quote!(__root))),
        ExprKind::Field(access) => Some((Root::Element(access.field), quote!(__root))),
        ExprKind::Unary(swathe_ir::UnOp::Deref, inner, _) => part_of(inner),
        ExprKind::Member(base, member) => {
            let (root, part) = part_of(base)?;
            Some((root, quote!(#part.#member)))
        }
        ExprKind::Index(base, index) => {
            let (root, part) = part_of(base)?;
            // Of what type an index is tells what it is one of.
            let index = match &index.kind {
                ExprKind::Array(..) => quote!([0usize; 2]),
                _ => quote!(0usize),
            };
            Some((root, quote!(::swathe::__rt::item(#part, #index))))
        }
        _ => None,
    }
}

/// Whether the index asks the field itself: `f[f.len() - 1]`.
fn mentions(access: &Access) -> bool {
    let asks = |e: &Expr| match &e.kind {
        ExprKind::FieldLen(field, _) | ExprKind::FieldShape(field, _) | ExprKind::FieldOrigin(field, _) => {
            *field == access.field
        }
        _ => e.accessed().is_some_and(|inner| inner.field == access.field),
    };
    access.index.iter().any(|e| any(e, asks))
}

/// The variable `name`, which holds the value of `e`, where rustc shall underline `e`.
pub(super) fn stand_in(name: &Ident, e: &Expr) -> TokenStream {
    let zero = syn::Index { index: 0, span: e.end };
    let tuple = parens(e.span, quote!(#name,));
    let span = e.end;
    quote_spanned!(span=> #tuple.#zero)
}

/// The same where a method is called on it, which may not change it: it is a copy of the place that the user wrote.
pub(super) fn receiver_stand_in(name: &Ident, e: &Expr) -> TokenStream {
    let zero = syn::Index { index: 0, span: e.end };
    let tuple = parens(e.span, quote!(#name,));
    let lent = parens(e.span, quote!(&#tuple));
    let span = e.end;
    quote_spanned!(span=> #lent.#zero)
}

fn end(tokens: &TokenStream) -> Span {
    let last = tokens.clone().into_iter().last();
    last.map_or_else(Span::call_site, |token| token.span())
}

/// Tokens at another place, for rustc to underline.
pub(super) fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    tokens.collect()
}

/// A value that was read, as a place behind a shared reference: rustc refuses there what would change it.
pub fn shown(e: &Expr, value: &TokenStream) -> TokenStream {
    let place = parens(e.end, quote!(&#value));
    let value = syn::Index { index: 0, span: e.end };
    quote_spanned!(e.span=> ::swathe::__rt::peek #place.#value)
}
