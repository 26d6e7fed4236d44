//! Functions of the standard library that kernels call by their paths, `std::mem::swap(&mut a, &mut b)`.
//!
//! A function's name tells what stands in where the path leads to no `#[func]`. That the path is then the one of the standard library is said by
//! rustc (`__confirm` of `std_func` in the runtime).

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use swathe_ir::ParamKind;
use syn::ext::IdentExt;

use super::item::unsafety;
use super::{Beside, at};
use crate::hir::Func;

/// By name and number of arguments.
const FUNCTIONS: [(&str, usize); 3] = [("swap", 2), ("replace", 2), ("take", 1)];

/// The name of the function that a path may mean.
pub fn named(path: &syn::ExprPath, args: usize) -> Option<Ident> {
    let last = path.path.segments.last()?.ident.unraw();
    let known = FUNCTIONS.iter().any(|(name, count)| last == name && *count == args);
    known.then(|| format_ident!("{last}", span = at(last.span())))
}

/// In the typed copy: confirms that the path is that function where no `#[func]` has that name.
pub fn confirmed(name: &Ident, beside: &Beside) -> TokenStream {
    let (callee, span) = (&beside.callee, beside.callee.span());
    quote_spanned!(span=> .__confirm((#callee, ::swathe::__rt::core::mem::#name::<()>)))
}

/// Of a generic `#[func]` with such a name: tells the types for which its path stands in a confirmation.
pub fn beside(func: &Func, sig: &syn::Signature) -> Option<TokenStream> {
    let name = func.name.unraw();
    let of_std = FUNCTIONS
        .iter()
        .any(|(known, count)| name == known && func.params.len() == *count);
    let fields = func.params.iter().any(|p| matches!(p.kind, ParamKind::Field { .. }));
    let generic = sig.generics.type_params().next().is_some() || sig.generics.const_params().next().is_some();
    if !of_std || fields || !generic || unsafety(sig).is_some() {
        return None;
    }
    let params = func.params.iter().map(|param| {
        let ty = &param.ty;
        match param.kind {
            ParamKind::Ref { mutable: false } => quote!(&#ty),
            ParamKind::Ref { mutable: true } => quote!(&mut #ty),
            _ => quote!(#ty),
        }
    });
    let output = &sig.output;
    Some(quote! {
        #[doc(hidden)]
        #[must_use]
        pub fn __confirm<__F: ::swathe::__rt::core::ops::Fn(#(#params),*) #output, __G>(self, _: (__F, __G)) -> Self {
            self
        }
    })
}
