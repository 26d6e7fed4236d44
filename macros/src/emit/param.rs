//! Parameters of kernels that stand for arrays.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use swathe_ir::ParamKind;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

use super::lent::{given_name, inside_name};
use super::{at, rank_name};
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

/// The type of a function's parameter that a field is lent for.
pub fn lent(array: &syn::Type) -> TokenStream {
    quote_spanned!(array.span()=> impl ::swathe::__rt::FieldArgument<#array>)
}

/// Gives the parameters of a function that are fields, by their names, this type.
pub fn lend(sig: &mut syn::Signature) {
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(typed) = input
            && let syn::Type::Reference(reference) = &*typed.ty
            && is_field(&reference.elem)
        {
            *typed.ty = syn::Type::Verbatim(lent(&reference.elem));
        }
    }
}

/// What native code of a function calls its fields and their ranks.
pub fn lent_fields(func: &Func) -> TokenStream {
    let fields = func.params.iter().filter(|p| matches!(p.kind, ParamKind::Field { .. }));
    let stmts = fields.map(|param| {
        let (array, name, rank) = (array(param), &func.local(param.local).ident, rank_name(param.local));
        let (inside, given) = (inside_name(param.local), given_name(param.local));
        quote_spanned!(array.span()=>
            let #given = #name;
            let #inside = ::swathe::__rt::is_inside::<#array, _>(&#given);
            let #name = ::swathe::__rt::lent::<#array, _>(&#given);
            let #rank = #name.rank();
        )
    });
    quote!(#(#stmts)*)
}

/// The parameters of a launcher, and its generics: where the user writes `&Field<T>`, views of such a field can be passed too. Lifetimes that are
/// left out in types of arrays have names there, which a bound on `impl` needs.
pub fn inputs(sig: &syn::Signature, generic: impl Fn(&syn::Type) -> bool) -> (TokenStream, syn::Generics) {
    let mut lifetimes = Lifetimes(Vec::new());
    let inputs = sig.inputs.iter().cloned().map(|mut input| {
        if let syn::FnArg::Typed(typed) = &mut input
            && let syn::Type::Reference(reference) = &mut *typed.ty
            && generic(&reference.elem)
        {
            lifetimes.visit_type_mut(&mut reference.elem);
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
                quote!((impl #bound + ?::swathe::__rt::core::marker::Sized))
            };
            *reference.elem = syn::Type::Verbatim(bound);
        }
        input
    });
    let inputs = quote!(#(#inputs),*);
    let mut generics = sig.generics.clone();
    for lifetime in lifetimes.0.into_iter().rev() {
        generics.params.insert(0, syn::parse_quote!(#lifetime));
    }
    (inputs, generics)
}

/// Names the lifetimes of views of `ndarray` that the user left out.
struct Lifetimes(Vec<syn::Lifetime>);

impl VisitMut for Lifetimes {
    fn visit_path_segment_mut(&mut self, segment: &mut syn::PathSegment) {
        let view = ["ArrayView", "CowArray"]
            .iter()
            .any(|name| segment.ident.to_string().starts_with(name));
        if let (true, syn::PathArguments::AngleBracketed(args)) = (view, &mut segment.arguments) {
            let span = segment.ident.span();
            let named = syn::Lifetime::new(&format!("'__view{}", self.0.len()), at(span));
            let named_by_user = |arg: &syn::GenericArgument| matches!(arg, syn::GenericArgument::Lifetime(_));
            let place = args.args.iter_mut().find(|arg| named_by_user(arg));
            match place {
                None => args.args.insert(0, syn::GenericArgument::Lifetime(named.clone())),
                Some(syn::GenericArgument::Lifetime(lifetime)) if lifetime.ident == "_" => *lifetime = named.clone(),
                Some(_) => return,
            }
            self.0.push(named);
        }
    }
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
