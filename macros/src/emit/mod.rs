//! HIR to output: native Rust, type probes, IR bytes, and the items that hold them.

mod access;
mod accumulators;
mod checked;
mod contract;
mod cover;
mod derivative;
mod failure;
mod fast;
mod given;
mod inside;
mod inspect;
mod ir;
mod item;
mod lanes;
mod lent;
mod loops;
mod maths;
mod method;
mod offset;
mod operator;
mod param;
mod pattern;
mod plan;
mod print;
mod probe;
mod reduction;
mod rows;
mod scatter;
mod stage;
mod std_func;
mod tables;
mod windows;
mod witness;

pub use derivative::{func_derivatives, kernel_derivative, recorded};
pub use item::{failed_definition, failed_func, failed_methods, func, impl_block, kernel, trait_block, unsafety};
pub use method::renamed;
pub use operator::{complete, is_known, is_operator};
pub use param::inputs;

use std::sync::LazyLock;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use swathe_ir::{CalleeSlot, LabelId, LocalId, TypeSlot};

use crate::hir::{ClosureSlot, Func, is_derivative};

/// Said of what the library itself implements: rustc does not offer it in the place of a type that is not for kernels.
pub fn unlisted() -> TokenStream {
    static OWN: LazyLock<bool> = LazyLock::new(|| std::env::var("CARGO_CRATE_NAME").is_ok_and(|name| name == "swathe"));
    match *OWN {
        true => quote!(#[diagnostic::do_not_recommend]),
        false => TokenStream::new(),
    }
}

/// Where the user's tokens stand, for names of ours: all of them see the same names, wherever the user's come from (a
/// kernel may be written by several macros). Tokens that are no names keep the user's span as it is: rustc then takes an
/// expression for the user's own, underlines the whole of it, and drops the message of the second copy.
fn at(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

fn type_slot(slot: TypeSlot) -> Ident {
    format_ident!("__t{}", slot.0)
}

fn closure_slot(slot: ClosureSlot) -> Ident {
    format_ident!("__closure{}", slot.0)
}

/// Declares the slots of closures, in front of a body.
fn closure_slots(func: &Func) -> TokenStream {
    let slots = (0..func.slots.closures).map(|k| closure_slot(ClosureSlot(k)));
    quote!(#(let #slots = ::swathe::__rt::ClosureSlot::new();)*)
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

/// The struct beside a function, by the function's path.
struct Beside {
    /// Without type arguments, as `use` has it.
    bare: syn::Path,
    /// The type arguments.
    generics: Option<TokenStream>,
    /// What we call it, where the user wrote its name.
    callee: Ident,
    /// The function of the struct that gives what is called: the function itself, or a derivative of it.
    of: Ident,
}

impl Beside {
    fn of(path: &syn::ExprPath) -> Beside {
        let mut bare = path.path.clone();
        let mut generics = syn::PathArguments::None;
        let mut of = format_ident!("__of");
        if bare.segments.len() > 1
            && let Some(last) = bare.segments.last()
            && is_derivative(&last.ident)
        {
            of = format_ident!("{}_of", last.ident);
            bare.segments.pop();
            bare.segments.pop_punct();
        }
        if let Some(last) = bare.segments.last_mut() {
            generics = std::mem::take(&mut last.arguments);
        }
        let span = bare.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
        let generics = (!generics.is_none()).then(|| match &generics {
            syn::PathArguments::AngleBracketed(g) => {
                let args = &g.args;
                quote!(::<#args>)
            }
            other => other.to_token_stream(),
        });
        Beside {
            bare,
            generics,
            callee: Ident::new("__callee", at(span)),
            of,
        }
    }
}
