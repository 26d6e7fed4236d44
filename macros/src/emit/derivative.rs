//! What a kernel or a function says of its derivatives.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use swathe_ir::ParamKind;

use super::param;
use crate::derivative::{Asked, Derived, readable};
use crate::hir::Func;

/// The arguments of a function by their names.
fn names(sig: &syn::Signature) -> Vec<TokenStream> {
    let names = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some(typed.pat.to_token_stream()),
        syn::FnArg::Receiver(_) => None,
    });
    names.collect()
}

/// What a kernel with gradients does in a recording: it runs as an operation of the tape, of which its pullback is the way back.
pub fn recorded(func: &Func, item: &syn::ItemFn, pullback: &Derived) -> TokenStream {
    let rt = quote!(::swathe::__rt);
    let (name, text) = (&item.sig.ident, item.sig.ident.to_string());
    let (_, type_generics, _) = item.sig.generics.split_for_impl();
    let turbofish = type_generics.as_turbofish();
    // Inside of an `unsafe fn`, whose caller answers for this call, too.
    let call = match item.sig.safety {
        syn::Safety::Unsafe(_) => quote!(unsafe),
        _ => TokenStream::new(),
    };
    // Asked first, of all: what runs on constants may take what no tape keeps.
    let mut asked = Vec::new();
    let (mut told, mut run, mut values, mut gradients) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (k, param) in func.params.iter().enumerate() {
        let ident = &func.local(param.local).name;
        let ParamKind::Field { mutable } = param.kind else {
            run.push(quote!(#ident));
            values.push(quote!(#ident));
            continue;
        };
        let (kept, array, text) = (format_ident!("__p{k}"), param::array(param), ident.to_string());
        let (method, place) = match mutable {
            true => (format_ident!("output"), quote!(&mut *#ident)),
            false => (format_ident!("input"), quote!(&*#ident)),
        };
        let (keep, value) = match pullback.read.contains(&param.local) {
            true => (quote!(Value), quote!(#kept.value()?)),
            false => (quote!(Nothing), quote!(&#kept.zeros()?)),
        };
        asked.push(quote!(__op.consider::<#array, _>(#text, &*#ident, #mutable)?;));
        told.push(quote!(let #kept = __op.#method::<#array, _>(#text, #place, #rt::Keep::#keep)?;));
        run.push(place);
        values.push(value);
        if pullback.active.contains(&param.local) {
            gradients.push(quote!(&mut __g.of(&#kept)?));
        }
    }
    let back = |seed: Option<TokenStream>| {
        let seed = seed.into_iter();
        quote!(#name #turbofish::pullback(#(#values,)* #(#gradients,)* #(#seed),*).map(|_| ()))
    };
    let finish = match &func.ret {
        Some(_) => {
            let back = back(Some(quote!(
                __seed.unwrap_or_else(|| ::swathe::derivative::zero(__result))
            )));
            quote!(__op.finish_with(__result, move |__g, __seed| #back))
        }
        None => {
            let back = back(None);
            quote!(__op.finish(move |__g| #back))
        }
    };
    quote! {
        if #rt::is_recording() {
            let mut __op = #rt::Operation::new(#text)?;
            #(#asked)*
            if __op.is_varied() {
                #(#told)*
                let __result = __op.run(|| #call { #name #turbofish::__launched(#(#run),*) })?;
                #finish;
                return #rt::core::result::Result::Ok(__result);
            }
        }
    }
}

/// The kernel's launcher as a function of its struct: in the launcher's own body a parameter may have the kernel's name.
fn launched(item: &syn::ItemFn) -> TokenStream {
    let (_, type_generics, _) = item.sig.generics.split_for_impl();
    let turbofish = type_generics.as_turbofish();
    let mut sig = item.sig.clone();
    let mut args = Vec::new();
    for (k, input) in sig.inputs.iter_mut().enumerate() {
        if let syn::FnArg::Typed(typed) = input {
            let arg = format_ident!("__a{k}");
            *typed.pat = syn::parse_quote!(#arg);
            args.push(arg);
        }
    }
    let (inputs, generics) = param::inputs(&sig, |_| true);
    let lifetimes: Vec<_> = generics.lifetimes().collect();
    let lifetimes = (!lifetimes.is_empty()).then(|| quote!(<#(#lifetimes),*>));
    let result = match &sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    };
    let name = &sig.ident;
    let (unsafety, body) = match sig.safety {
        syn::Safety::Unsafe(token) => (
            quote!(#token),
            quote! {
                // SAFETY: the caller of this function promises what that of the kernel promises.
                unsafe { #name #turbofish(#(#args),*) }
            },
        ),
        _ => (TokenStream::new(), quote!(#name #turbofish(#(#args),*))),
    };
    quote! {
        #[doc(hidden)]
        #[inline]
        #[allow(clippy::too_many_arguments, clippy::missing_errors_doc, clippy::missing_safety_doc)]
        #unsafety fn __launched #lifetimes(#inputs) -> ::swathe::Result<#result> {
            #body
        }
    }
}

/// The functions beside a kernel that call one of its derivatives.
pub fn kernel_derivative(derived: &Derived, item: &syn::ItemFn, text: &str) -> TokenStream {
    let name = &item.sig.ident;
    let (impl_generics, type_generics, where_clause) = item.sig.generics.split_for_impl();
    let turbofish = type_generics.as_turbofish();
    let (inputs, generics) = param::inputs(&derived.sig, |_| true);
    let lifetimes: Vec<_> = generics.lifetimes().collect();
    let lifetimes = (!lifetimes.is_empty()).then(|| quote!(<#(#lifetimes),*>));
    let (function, called, args) = (
        format_ident!("{}", derived.kind),
        &derived.sig.ident,
        names(&derived.sig),
    );
    let result = match &derived.sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    };
    let (doc, source, source_doc) = match derived.kind {
        "pullback" => (
            PULLBACK,
            format_ident!("gradient_source"),
            "The kernel that [`pullback`](Self::pullback) is, as Rust.",
        ),
        _ => (
            JVP,
            format_ident!("tangent_source"),
            "The kernel that [`jvp`](Self::jvp) is, as Rust.",
        ),
    };
    let confirmed = &derived.confirmed;
    let launched = (derived.kind == "pullback").then(|| launched(item));
    quote! {
        #confirmed
        const _: () = {
            impl #impl_generics #name #type_generics #where_clause {
                #launched

                #[doc = #doc]
                #[allow(dead_code, clippy::too_many_arguments, clippy::missing_errors_doc)]
                pub fn #function #lifetimes(#inputs) -> ::swathe::Result<#result> {
                    #called #turbofish(#(#args),*)
                }

                #[doc = #source_doc]
                #[must_use]
                #[allow(dead_code)]
                pub fn #source() -> &'static ::swathe::__rt::core::primitive::str {
                    #text
                }
            }
        };
    }
}

const PULLBACK: &str = "Reverse mode: adds to the gradients of all that the kernel reads.

The arguments are those of the kernel, as they were before it ran; they are read. Then come, for each field whose elements are not written as integers or \
`bool`, a field of its type and shape with its gradient, in the order of the parameters: before the call, that of some number with respect to what the \
field held after the kernel; after it, with respect to what the field held before. Gradients of what the kernel reads are added to. Those of what it \
writes are taken over: an element that it overwrites has the gradient zero. Behind them comes, for a kernel with a result, the gradient with respect to that. \
The result is the gradient with respect to the values named in `grad(..)`, of several a tuple.

# Errors
Those of a launch of the kernel.";

const JVP: &str = "Forward mode: runs the kernel, and computes the tangent of all that it writes beside it.

The arguments are those of the kernel. Then come, for each field whose elements are not written as integers or `bool`, a field of its type and shape with \
its tangent, and for each value named in `jvp(..)` its tangent, in the order of the parameters. A kernel with a result gives that and its tangent. \
What the kernel prints is left out.

# Errors
Those of a launch of the kernel.";

/// What the struct beside a function says of its derivatives, and the functions for the host.
pub fn func_derivatives(func: &Func, item: &syn::ItemFn, asked: &Asked, derived: &[Derived]) -> TokenStream {
    let kinds = [("pullback", &asked.pullback), ("jvp", &asked.jvp)];
    let all = kinds.into_iter().filter_map(|(kind, rule)| {
        let rule = rule.as_ref()?;
        let made = derived.iter().find(|derived| derived.kind == kind);
        Some(one(func, item, kind, rule.own.as_ref(), made))
    });
    all.collect()
}

fn one(func: &Func, item: &syn::ItemFn, kind: &str, own: Option<&syn::Path>, made: Option<&Derived>) -> TokenStream {
    let name = &item.sig.ident;
    let (impl_generics, type_generics, where_clause) = item.sig.generics.split_for_impl();
    let ty = match (own, made) {
        (Some(path), _) if path.segments.last().is_some_and(|last| !last.arguments.is_none()) => quote!(#path),
        (Some(path), _) => quote!(#path #type_generics),
        (None, Some(made)) => {
            let called = &made.sig.ident;
            quote!(#called #type_generics)
        }
        (None, None) => return TokenStream::new(),
    };
    let (function, of) = (format_ident!("{kind}"), format_ident!("__{kind}_of"));
    let Some((ret, _)) = &func.ret else {
        return TokenStream::new();
    };
    let types: Vec<_> = func.params.iter().map(|p| &p.ty).collect();
    let args: Vec<_> = (0..types.len()).map(|k| format_ident!("__a{k}")).collect();
    let tangents: Vec<_> = (0..types.len()).map(|k| format_ident!("__t{k}")).collect();
    let (inputs, passed, output, doc) = match kind {
        "pullback" => {
            let output = match &types[..] {
                [one] => quote!(#one),
                all => quote!((#(#all),*)),
            };
            (
                quote!(#(#args: #types,)* __d: #ret),
                quote!(#(#args,)* __d),
                output,
                "The gradients with respect to the parameters, from that with respect to the value, which comes last.",
            )
        }
        _ => (
            quote!(#(#args: #types, #tangents: #types),*),
            quote!(#(#args, #tangents),*),
            quote!((#ret, #ret)),
            "The value and its tangent, from the parameters, each with its tangent behind it.",
        ),
    };
    let source = made.map(|made| {
        let text = readable(&made.shown);
        let (source, doc) = match kind {
            "pullback" => (
                format_ident!("gradient_source"),
                "The function that gives the gradients, as Rust.",
            ),
            _ => (
                format_ident!("tangent_source"),
                "The function that gives the tangent, as Rust.",
            ),
        };
        quote! {
            #[doc = #doc]
            #[must_use]
            #[allow(dead_code)]
            pub fn #source() -> &'static ::swathe::__rt::core::primitive::str {
                #text
            }
        }
    });
    quote! {
        const _: () = {
            impl #impl_generics #name #type_generics #where_clause {
                #[doc(hidden)]
                #[inline(always)]
                #[allow(dead_code)]
                pub const fn #of(__slot: &::swathe::__rt::FuncSlot<#ty>) -> #ty {
                    <#ty>::__of(__slot)
                }

                #[doc = #doc]
                #[must_use]
                #[allow(dead_code, clippy::too_many_arguments)]
                pub fn #function(#inputs) -> #output {
                    <#ty>::__of(&::swathe::__rt::FuncSlot::NEW).__call(#passed)
                }

                #source
            }
        };
    }
}
