//! HIR to output: native Rust, type probes, IR bytes, and the items that hold them.

mod access;
mod domain;
mod ir;
mod item;
mod print;
mod probe;

pub use item::{failed_definition, func, impl_block, kernel, trait_block};

use std::cell::Cell;

use proc_macro2::{Ident, Span};
use quote::format_ident;
use swathe_ir::{CalleeSlot, LabelId, LocalId, TypeSlot};

thread_local! {
    static CONTEXT: Cell<Option<Span>> = const { Cell::new(None) };
}

/// Says that the item being written starts with this keyword.
fn start(keyword: Span) {
    CONTEXT.set(Some(keyword));
}

/// Where the user's tokens stand, for tokens of ours. All of these see the same names, wherever the user's come from (a
/// kernel may be written by several macros), and count as written by the user: tokens of an attribute would make rustc
/// point at the attribute in every message.
fn at(span: Span) -> Span {
    span.resolved_at(CONTEXT.get().unwrap_or_else(Span::call_site))
}

fn type_slot(slot: TypeSlot) -> Ident {
    format_ident!("__t{}", slot.0)
}

fn callee_slot(slot: CalleeSlot) -> Ident {
    format_ident!("__c{}", slot.0)
}

/// A field's name in native code where the user's variables may shadow its own.
fn field_name(field: LocalId) -> Ident {
    format_ident!("__field{}", field.0)
}

/// Holds the rank of a field. Native code and its typed copy convert positions by the same call, so that rustc reports a
/// wrong one once.
fn rank_name(field: LocalId) -> Ident {
    format_ident!("__rank{}", field.0)
}

fn label(id: LabelId) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'__l{}", id.0), Span::mixed_site())
}

/// Whether other threads may change a field at this moment.
fn shared_name(field: LocalId) -> Ident {
    format_ident!("__shared{}", field.0)
}
