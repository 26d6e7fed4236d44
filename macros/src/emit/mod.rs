//! HIR to output: native Rust, type probes, IR bytes, and the items that hold them.

mod access;
mod ahead;
mod atomics;
mod checked;
mod contract;
mod cover;
mod domain;
mod failure;
mod fast;
mod guard;
mod inspect;
mod ir;
mod item;
mod lanes;
mod maths;
mod method;
mod offset;
mod operator;
mod param;
mod pattern;
mod print;
mod probe;
mod reduction;
mod stage;
mod straight;
mod tables;
mod witness;

pub use item::{failed_definition, failed_func, failed_methods, func, impl_block, kernel, trait_block, unsafety};
pub use method::renamed;
pub use operator::{is_known, is_operator};
pub use param::inputs;

use std::sync::LazyLock;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use swathe_ir::{CalleeSlot, LabelId, LocalId, TypeSlot};

/// With `--cfg swathe_plain` a loop is compiled once, for every processor of the architecture, iteration by iteration: only to measure what the other
/// forms cost to compile.
fn plain() -> bool {
    cfg!(swathe_plain)
}

/// Whether rustc was asked for overflow checks: what is computed in front of an iteration could then panic before the iteration does what comes first.
/// Rust has no stable `cfg` for it, but macros run in rustc, whose arguments these are. Where that is not found, the iteration's part ends with the panic.
fn overflow_checked() -> bool {
    static ASKED: LazyLock<bool> = LazyLock::new(|| asks_for_overflow_checks(std::env::args()));
    *ASKED
}

/// The last argument counts: `-C overflow-checks`, or with `=on` and its like.
fn asks_for_overflow_checks(args: impl Iterator<Item = String>) -> bool {
    let values = args.filter_map(|arg| {
        let value = arg.trim_start_matches("-C").strip_prefix("overflow-checks")?.to_owned();
        Some(!matches!(value.as_str(), "=off" | "=no" | "=n" | "=false"))
    });
    values.last().unwrap_or(false)
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
}

impl Beside {
    fn of(path: &syn::ExprPath) -> Beside {
        let mut bare = path.path.clone();
        let mut generics = syn::PathArguments::None;
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::asks_for_overflow_checks;

    #[test]
    fn overflow_checks_are_found() {
        let asked = |args: &[&str]| asks_for_overflow_checks(args.iter().map(ToString::to_string));
        assert!(!asked(&["rustc", "-C", "opt-level=3", "a.rs"]));
        assert!(asked(&["rustc", "-C", "overflow-checks=on"]));
        assert!(asked(&["rustc", "-Coverflow-checks"]));
        assert!(!asked(&["rustc", "-Coverflow-checks", "-C", "overflow-checks=off"]));
        assert!(asked(&["rustc", "-C", "overflow-checks=no", "-Coverflow-checks=y"]));
    }
}
