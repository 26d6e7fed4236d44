//! Methods by a name of ours. Beside each method `m` that kernels may call stands `__func_m`, which calls it by its path. Native code and the typed copy
//! call that one: whatever else is called `m` where the kernel stands, rustc cannot prefer it, and what has no such method is not for kernels.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::{at, probe};
use crate::hir::{CalleeQuery, Func};

const PREFIX: &str = "__func_";

/// A method's name, without `r#`.
pub fn plain(method: &Ident) -> String {
    method.to_string().trim_start_matches("r#").to_owned()
}

/// What `Method` and `Operator` tell a method's name by.
pub fn id(method: &Ident) -> Literal {
    Literal::u64_unsuffixed(swathe_ir::method_id(&plain(method)))
}

/// Whether a method takes `&mut self`.
pub fn changes(receiver: &syn::Receiver) -> bool {
    matches!(receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_)))
}

/// What a method is called by in generated code.
pub fn companion(method: &Ident) -> Ident {
    Ident::new(&format!("{PREFIX}{}", plain(method)), method.span())
}

/// A path whose last name is a method's.
pub fn companion_path(path: &syn::ExprPath) -> syn::ExprPath {
    let mut path = path.clone();
    if let Some(last) = path.path.segments.last_mut() {
        last.ident = companion(&last.ident);
    }
    path
}

/// `__func_m` beside the method `m` of `owner`, which is a type or, in the declaration of a trait, the trait.
pub fn beside(
    sig: &syn::Signature,
    attrs: &[syn::Attribute],
    vis: &syn::Visibility,
    owner: &TokenStream,
) -> TokenStream {
    let kept = attrs.iter().filter(|attr| {
        let path = attr.path();
        ["cfg", "must_use", "deprecated"].iter().any(|name| path.is_ident(name))
    });
    let name = &sig.ident;
    let mut sig = sig.clone();
    sig.ident = companion(name);
    let mut args = Vec::new();
    for (k, input) in sig.inputs.iter_mut().enumerate() {
        let arg = format_ident!("__a{k}");
        match input {
            syn::FnArg::Receiver(receiver) => {
                if matches!(receiver.kind, syn::ReceiverKind::Value) {
                    receiver.mutability = None;
                }
                let this = &receiver.self_token;
                args.push(quote!(#this));
            }
            syn::FnArg::Typed(typed) => {
                *typed.pat = syn::parse_quote!(#arg);
                args.push(arg.to_token_stream());
            }
        }
    }
    let call = quote!(#owner::#name(#(#args),*));
    let call = match super::unsafety(&sig) {
        // SAFETY: by the word of who calls this one.
        Some(_) => quote!(unsafe { #call }),
        None => call,
    };
    let allow = probe::allow();
    quote! {
        #(#kept)*
        #[doc(hidden)]
        #[inline(always)]
        #allow
        #vis #sig { #call }
    }
}

/// The methods beside those of an `impl` block. Also those of a trait are the type's own: which `#[func]` a name means is one question for a type.
pub fn beside_all(item: &syn::ItemImpl) -> TokenStream {
    let (self_ty, (generics, _, where_clause)) = (&item.self_ty, item.generics.split_for_impl());
    let methods = item.items.iter().filter_map(|member| match member {
        syn::ImplItem::Fn(f) => Some(f),
        _ => None,
    });
    let methods = methods.map(|f| match &item.trait_ {
        None => beside(&f.sig, &f.attrs, &f.vis, &quote!(Self)),
        Some((path, ..)) => {
            let public = syn::Visibility::Public(syn::Token![pub](f.sig.fn_token.span));
            beside(&f.sig, &f.attrs, &public, &quote!(<Self as #path>))
        }
    });
    quote!(impl #generics #self_ty #where_clause { #(#methods)* })
}

/// Tells of an implementation of `Default` that it is one, by which structs and type parameters are made of it. rustc says whether the trait is that of
/// the standard library: all that has the one has the trait, and the type has both, by two implementations if the traits were two.
pub fn default_of(item: &syn::ItemImpl) -> Option<TokenStream> {
    let (path, ..) = item.trait_.as_ref()?;
    let last = path.segments.last()?;
    let is_default = last.ident == "Default" && last.arguments.is_none();
    let makes = item.items.iter().any(|member| {
        let syn::ImplItem::Fn(f) = member else { return false };
        let syn::ReturnType::Type(_, ty) = &f.sig.output else {
            return false;
        };
        let (ty, self_ty) = (
            ty.to_token_stream().to_string(),
            item.self_ty.to_token_stream().to_string(),
        );
        f.sig.ident == "default" && f.sig.inputs.is_empty() && (ty == "Self" || ty == self_ty)
    });
    let (self_ty, (generics, _, where_clause)) = (&item.self_ty, item.generics.split_for_impl());
    let span = at(last.ident.span());
    let confirmed = quote_spanned! {span=>
        const _: () = {
            #[diagnostic::on_unimplemented(
                message = "`#[func]` takes this trait for the one of the standard library that has its name",
                label = "another trait",
                note = "give your own trait another name: kernels call `default` of `std::default::Default`"
            )]
            trait __Named {}
            #[diagnostic::do_not_recommend]
            impl<__T: #path> __Named for __T {}
            #[allow(dead_code)]
            fn __named<__T: __Named>() {}
            #[allow(dead_code)]
            fn __confirmed<__T: ::swathe::__rt::core::default::Default>() { __named::<__T>() }
        };
    };
    (is_default && makes).then(|| {
        quote! {
            #confirmed
            impl #generics ::swathe::__rt::DefaultMethods for #self_ty #where_clause {
                #[inline(always)]
                fn __func_default() -> Self {
                    <Self as ::swathe::__rt::core::default::Default>::default()
                }
            }
        }
    })
}

/// The methods beside those of a trait, which call an implementation.
pub fn beside_declared(item: &syn::ItemTrait) -> Vec<syn::TraitItem> {
    let (name, (_, generics, _)) = (&item.ident, item.generics.split_for_impl());
    let owner = quote!(<Self as #name #generics>);
    let methods = item.items.iter().filter_map(|member| match member {
        syn::TraitItem::Fn(f) => Some(f),
        _ => None,
    });
    methods
        .map(|f| syn::TraitItem::Verbatim(beside(&f.sig, &f.attrs, &syn::Visibility::Inherited, &owner)))
        .collect()
}

/// Brings what stands beside the methods of numbers into scope, and has rustc say of a method that no kernel can call what to write instead: a trait
/// has methods of these names, under a bound that nothing meets.
pub fn in_scope(func: &Func) -> TokenStream {
    let mut names = BTreeMap::new();
    for callee in &func.slots.callees {
        let ident = match callee {
            CalleeQuery::Method(ident) | CalleeQuery::On(ident, ..) => ident,
            CalleeQuery::Path | CalleeQuery::Operator(_) => continue,
        };
        names.entry(plain(ident)).or_insert(ident);
    }
    let missing = names.values().map(|ident| {
        let called = Ident::new(&companion(ident).to_string(), at(ident.span()));
        let name = format_ident!("__no{called}");
        quote_spanned!(called.span()=>
            #[allow(non_camel_case_types, dead_code)]
            trait #name { fn #called(&self); }
            impl<__T: ::swathe::__rt::NoMethod + ?::swathe::__rt::core::marker::Sized> #name for __T { fn #called(&self) {} }
        )
    });
    quote!(
        #[allow(unused_imports)]
        use ::swathe::__rt::methods::*;
        #(#missing)*
    )
}

/// `#[renamed]`.
pub fn renamed(mut item: syn::Item) -> TokenStream {
    let of_impl = |member: &mut syn::ImplItem| {
        if let syn::ImplItem::Fn(f) = member {
            f.sig.ident = companion(&f.sig.ident);
        }
    };
    let of_trait = |member: &mut syn::TraitItem| {
        if let syn::TraitItem::Fn(f) = member {
            f.sig.ident = companion(&f.sig.ident);
        }
    };
    match &mut item {
        syn::Item::Impl(item) => item.items.iter_mut().for_each(of_impl),
        syn::Item::Trait(item) => item.items.iter_mut().for_each(of_trait),
        _ => {}
    }
    item.to_token_stream()
}
