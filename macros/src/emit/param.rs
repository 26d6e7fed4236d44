//! Parameters of kernels that stand for arrays.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use swathe_ir::ParamKind;
use syn::spanned::Spanned;

use super::at;
use crate::hir::types::is_field;
use crate::hir::{Func, Param};

/// The type that stands for the array: what is written, without its reference.
pub fn array(param: &Param) -> &syn::Type {
    match &*param.ty {
        syn::Type::Reference(reference) => &reference.elem,
        ty => ty,
    }
}

/// The array as rustc types it in the copy that never runs.
pub fn typed(param: &Param, name: &Ident) -> TokenStream {
    let array = array(param);
    let function = match param.kind {
        ParamKind::Field { mutable: true } => quote!(typed_field_mut),
        _ => quote!(typed_field),
    };
    let place = match &*param.ty {
        syn::Type::Reference(_) => quote!(&*#name),
        _ => quote!(&#name),
    };
    quote_spanned!(array.span()=> ::swathe::__rt::#function::<#array>(#place))
}

/// A function of the runtime applied to the argument.
pub fn call(param: &Param, name: &Ident, function: &str, function_mut: &str) -> TokenStream {
    let mutable = param.kind == ParamKind::Field { mutable: true };
    let array = array(param);
    // At the type, where rustc then says once that it is no parameter's.
    let span = array.span();
    let function = Ident::new(if mutable { function_mut } else { function }, span);
    let keyword = (mutable && function != "place_of").then(|| quote!(mut));
    let place = match &*param.ty {
        syn::Type::Reference(_) => quote!(& #keyword *#name),
        _ => quote!(& #keyword #name),
    };
    quote_spanned!(span=> ::swathe::__rt::#function::<#array, _>(#place))
}

/// The parameters of a launcher: where the user writes `&Field<T>`, views of such a field can be passed too.
pub fn inputs(sig: &syn::Signature, generic: impl Fn(&syn::Type) -> bool) -> TokenStream {
    let inputs = sig.inputs.iter().cloned().map(|mut input| {
        if let syn::FnArg::Typed(typed) = &mut input
            && let syn::Type::Reference(reference) = &mut *typed.ty
            && generic(&reference.elem)
        {
            let array = &reference.elem;
            let bound = if reference.mutability.is_some() {
                quote!(ArgumentMut)
            } else {
                quote!(Argument)
            };
            let bound = quote_spanned!(at(array.span())=> ::swathe::#bound<#array>);
            // The references of `ndarray` are to types without a size.
            let bound = if is_field(array) {
                quote!(impl #bound)
            } else {
                quote!((impl #bound + ?::core::marker::Sized))
            };
            *reference.elem = syn::Type::Verbatim(bound);
        }
        input
    });
    quote!(#(#inputs),*)
}

/// Gives parameters the names that the body has for them, and moves the arrays that are passed by value to where they can be borrowed.
pub fn rebind(func: &Func) -> TokenStream {
    let renamed = func.params.iter().filter_map(|p| {
        let local = func.local(p.local);
        let (name, ident) = (&local.name, &local.ident);
        let keyword = local.mutable.then(|| quote!(mut));
        (name != ident).then(|| quote!(let #keyword #ident = #name;))
    });
    let by_value = func
        .params
        .iter()
        .filter(|p| matches!(p.kind, ParamKind::Field { .. }) && !matches!(&*p.ty, syn::Type::Reference(_)));
    let names = by_value.map(|p| &func.local(p.local).ident);
    quote!(#(#renamed)* #(let mut #names = #names;)*)
}
