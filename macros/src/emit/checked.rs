//! Native code that verifies what `unsafe` blocks claim. It is the native code of a kernel with three changes: `get_unchecked` is
//! checked, accesses that an `unsafe` block vouches for are noted in shadow cells, and one thread runs all iterations.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use swathe_ir::{AtomicOp, LocalId};

use super::field_name;
use super::print::{Mode, Printer};
use crate::hir::visit::any_in;
use crate::hir::{Access, Domain, ExprKind, Func, ParFor, Stmt};
use crate::plan::LoopPlan;

/// Holds what is noted of a field.
fn cells_name(field: LocalId) -> Ident {
    format_ident!("__cells{}", field.0)
}

/// Whether there is anything to verify.
pub fn is_needed(func: &Func) -> bool {
    func.accesses.iter().any(|access| access.in_unsafe)
}

/// Statements that make the cells of all fields that have some.
pub fn cells(func: &Func) -> TokenStream {
    let fields = func.params.iter().map(|p| p.local).filter(|field| {
        let mut loops = func.body.stmts.iter();
        loops.any(|stmt| matches!(stmt, Stmt::ParFor(p) if p.vouched.contains(field)))
    });
    let made = fields.map(|field| {
        let (cells, access, atomic) = (cells_name(field), field_name(field), is_atomic(func, field));
        let access = super::offset::whole(func, field, &access);
        quote!(let #cells = ::swathe::__rt::Cells::new(#access, #atomic)?;)
    });
    quote!(#(#made)*)
}

fn is_atomic(func: &Func, field: LocalId) -> bool {
    any_in(&func.body, |e| {
        matches!(e.kind, ExprKind::Atomic(..)) && e.accessed().is_some_and(|access| access.field == field)
    })
}

impl Printer<'_> {
    fn notes(&self, access: &Access) -> bool {
        self.mode == Mode::Checked && self.noted.contains(&access.field)
    }

    /// The pointer to the element at `__i`, made to note what is done with it.
    pub fn noted(&self, access: &Access, site: u32, pointer: TokenStream) -> TokenStream {
        if !self.notes(access) {
            return pointer;
        }
        let cells = cells_name(access.field);
        let name = field_name(access.field);
        let index = match self.func.is_offset(access.field) {
            true => quote!(#name.offsets(__i)),
            false => quote!(__i),
        };
        quote!(::swathe::__rt::Cells::noted(&#cells, #pointer, __launch, #site, #index, __k))
    }

    /// The same pointer without notes: what a write changes is read first, which is no access of the user's.
    pub fn unnoted(&self, access: &Access, pointer: TokenStream) -> TokenStream {
        if self.notes(access) {
            quote!(#pointer.unnoted())
        } else {
            pointer
        }
    }

    /// The pointer of an atomic operation, to an element or to a place in it.
    pub fn noted_atomic(
        &self,
        op: AtomicOp,
        access: &Access,
        pointer: TokenStream,
        place: Option<TokenStream>,
    ) -> TokenStream {
        let changes = op != AtomicOp::Load;
        match (self.notes(access), place) {
            (false, None) => pointer,
            (false, Some(place)) => quote!(unsafe { ::swathe::__rt::Pointer::part(#pointer, #place) }),
            (true, None) => quote!(#pointer.atomic(#changes)),
            (true, Some(place)) => quote!(unsafe { #pointer.atomic_part(#changes, #place) }),
        }
    }

    /// What runs parallel loops.
    pub fn runners(&self, plan: &LoopPlan<'_>) -> (TokenStream, TokenStream) {
        if self.mode == Mode::Checked {
            return (
                quote!(::swathe::__rt::for_each_in_order),
                quote!(::swathe::__rt::reduce_in_order),
            );
        }
        // Of the crate that the kernel is in.
        let versions = match plan.versions {
            true => quote!({ ::swathe::__rt::core::cfg!(not(debug_assertions)) }),
            false => quote!(false),
        };
        let for_each = match plan.strips {
            Some(_) => quote!(for_each_in_strips),
            None => quote!(for_each_in_versions),
        };
        (
            quote!(::swathe::__rt::#for_each::<#versions, _, _>),
            quote!(::swathe::__rt::reduce_in_versions::<#versions, _, _, _>),
        )
    }

    /// Forgets what the loops before have noted.
    pub fn clean(&self, p: &ParFor) -> TokenStream {
        if self.mode != Mode::Checked {
            return TokenStream::new();
        }
        let cells = p.vouched.iter().map(|field| cells_name(*field));
        quote!(#(::swathe::__rt::Cells::clear(&#cells);)*)
    }
}

/// The loop over one chunk; `__k` counts the iterations.
pub fn iterations(
    id: &syn::Lifetime,
    domain: &Domain,
    vars: &[TokenStream],
    positions: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let position = match (domain, vars) {
        (Domain::Range(_), _) => {
            let var = &vars[0];
            quote!(let #var = ::swathe::__rt::LoopInt::nth(__start, __k, __step);)
        }
        (_, [var]) => quote!(let #var = ::swathe::__rt::position(__shape, __k);),
        _ => {
            let axes = (0..vars.len()).map(syn::Index::from);
            quote!(
                let __at = ::swathe::__rt::position(__shape, __k);
                #(let #vars = __at[#axes];)*
            )
        }
    };
    quote!(
        #id: for __k in __range {
            #position
            #positions
            let __iteration = ::swathe::__rt::Iteration(__k);
            #body
            ::swathe::__rt::core::mem::forget(__iteration);
        }
    )
}
