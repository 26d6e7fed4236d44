//! Functions in lanes. A kernel calls one by the struct beside it: it takes a value of each parameter for each lane, and
//! which lanes call it at all.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use swathe_ir::ParamKind;

use super::{Lanes, emit, plane, widths};
use crate::budget::{INLINED_PARTS, LANE_ARGS};
use crate::emit::access::stand_in;
use crate::emit::item::{behind_items, function_printer, outlined_by_user};
use crate::emit::print::{self, Printer, parens};
use crate::emit::{Beside, at, closure_slots, probe};
use crate::hir::visit::{Visit, parts, walk_expr};
use crate::hir::{Expr, ExprKind, Func, Param};
use crate::plan::lanes::{self as plan, Call, Pays};

/// The struct beside a function by its path, and what is asked of it. `#[func]` declares it; what is no `#[func]` has none,
/// which the typed copy reports.
pub fn beside(path: &syn::ExprPath, asked: impl FnOnce(&TokenStream) -> TokenStream, typed: bool) -> TokenStream {
    let Beside {
        bare, generics, callee, ..
    } = Beside::of(path);
    let span = callee.span();
    let import = quote_spanned!(span=> use #bare as #callee;);
    let generics = generics.filter(|_| typed);
    let asked = asked(&quote_spanned!(span=> #callee #generics));
    quote!({ use ::swathe::__rt::no_lanes::*; { #import #asked } })
}

/// Calls a function for all lanes. The types of its arguments and of its result are those of the call as it was written, which
/// stands there, too, and never runs: rustc then says the same of both.
pub fn in_lanes(call: &Call<'_>, target: &TokenStream, exit: &TokenStream) -> TokenStream {
    let result = plane(call.result);
    let function = format_ident!("__lanes{}", call.args.len());
    let planes: Vec<_> = call.args.iter().map(|arg| plane(arg.value)).collect();
    let given = call.args.iter().zip(&planes).map(|(arg, plane)| {
        let plane = Ident::new(&plane.to_string(), at(arg.written.span));
        quote_spanned!(at(arg.written.span)=> &#plane)
    });
    let in_lanes = quote!(#function(#target, #exit, #(#given,)* &mut #result));
    let in_lanes = beside(call.path, |callee| quote!(#callee::#in_lanes), true);
    let names: Vec<_> = (0..planes.len()).map(|k| format_ident!("__arg{k}")).collect();
    let args = call.args.iter().zip(&names).map(|(arg, name)| {
        let name = Ident::new(&name.to_string(), at(arg.written.span));
        stand_in(&name, arg.written)
    });
    let args = parens(call.written.end, quote!(#(#args),*));
    let written = print::through_struct(
        call.path,
        call.args.len(),
        &quote!(::swathe::__rt::FuncSlot::NEW),
        args,
        false,
    );
    let typed = quote!(unsafe {
        #(let #names = ::swathe::__rt::Lanes::get(&#planes, 0);)*
        let __value = #written;
        __value
    });
    let typed = beside(call.path, |callee| quote!(#callee::__typed(&#result, || #typed)), false);
    quote!(#typed; #in_lanes;)
}

/// What the struct beside a kernel says: that it is no function, whose result would be a value in lanes.
pub fn of_kernel(item: &syn::ItemFn) -> TokenStream {
    for_any_types(
        item,
        &quote!(false),
        &quote!(<__L, __V>(_: &__L, _: impl ::swathe::__rt::core::ops::FnOnce() -> __V)),
        &quote!(0),
        &quote!(false),
    )
}

/// Whether one of the functions has loops for which lanes pay: a constant.
pub fn any_looped(callees: &[&syn::ExprPath], depth: &TokenStream) -> TokenStream {
    let callees = callees
        .iter()
        .map(|path| beside(path, |callee| quote!(#callee::__looped(#depth)), false));
    quote!(const { false #(|| #callees)* })
}

/// What the struct beside a function has for kernels that call it in lanes.
/// `gives` is whether it tells what it gives along a row.
pub fn function(func: &Func, item: &syn::ItemFn, gives: &TokenStream) -> TokenStream {
    let name = &func.name;
    let allow = probe::allow();
    let (impl_generics, type_generics, where_clause) = item.sig.generics.split_for_impl();
    let no_value = |p: &Param| p.kind != ParamKind::Value || is_no_value(&p.ty);
    if func.params.is_empty() || func.params.len() > LANE_ARGS || func.params.iter().any(no_value) {
        // Kernels do not call it in lanes.
        return looped(item, &quote!(false), &called(func, item), gives);
    }
    let lanes = lanes_of(func, item);
    let asked = match &lanes {
        Some(lanes) => pays(func, lanes),
        None => quote!(false),
    };
    let looped = looped(item, &asked, &called(func, item), gives);
    let body = match &lanes {
        Some(lanes) => in_regions(func, item, &Lanes::new(lanes)),
        None => one_by_one(func, item),
    };
    let function = format_ident!("__lanes{}", func.params.len());
    let names: Vec<_> = func.params.iter().map(|p| plane(p.local)).collect();
    let types: Vec<_> = func.params.iter().map(|p| &p.ty).collect();
    let given: Vec<_> = (0..names.len()).map(|k| format_ident!("__A{k}")).collect();
    let result = match &func.ret {
        Some((ty, _)) => ty.to_token_stream(),
        None => quote!(()),
    };
    quote! {
        #looped
        impl #impl_generics #name #type_generics #where_clause {
            #[doc(hidden)]
            #[inline(always)]
            #allow
            pub fn #function<const __W: ::swathe::__rt::core::primitive::usize, #(#given: ::swathe::__rt::Is<#types>),*>(
                __target: ::swathe::__rt::Target,
                __outer: &::swathe::__rt::Lanes<::swathe::__rt::core::primitive::u32, __W>,
                #(#names: &::swathe::__rt::Lanes<#given, __W>,)*
                __out: &mut ::swathe::__rt::Lanes<#result, __W>,
            ) {
                #(let #names: &::swathe::__rt::Lanes<#types, __W> = ::swathe::__rt::Lanes::typed(#names);)*
                #body
            }
        }
    }
}

/// Whether the type is, by its name, none that kernels have, which rustc says elsewhere.
fn is_no_value(ty: &syn::Type) -> bool {
    let syn::Type::Path(p) = ty else { return false };
    let names = ["Vec", "String", "Box", "Rc", "Arc", "HashMap", "Option"];
    let last = p.path.segments.last();
    last.is_some_and(|last| names.iter().any(|name| last.ident == name))
}

/// Says whether the function has loops, for any types.
fn looped(item: &syn::ItemFn, asked: &TokenStream, called: &TokenStream, gives: &TokenStream) -> TokenStream {
    let typed = quote!(<__V, const __W: ::swathe::__rt::core::primitive::usize>(
        _: &::swathe::__rt::Lanes<__V, __W>,
        _: impl ::swathe::__rt::core::ops::FnOnce() -> __V,
    ));
    for_any_types(item, asked, &typed, called, gives)
}

/// What the struct beside a function with errors says: that it has no loops. All else is what kernels find beside any type.
pub fn of_failed(item: &syn::ItemFn) -> TokenStream {
    looped(item, &quote!(false), &quote!(0), &quote!(false))
}

/// The parts of a function and of all that becomes part of it, as often as it does: a constant, which each makes of that of its own callees. Functions
/// that call one another in a circle have none, and rustc says so at their names.
fn called(func: &Func, item: &syn::ItemFn) -> TokenStream {
    struct Search(Vec<(syn::ExprPath, u32)>);
    impl Visit for Search {
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::Call { on: None, path, .. } = &e.kind {
                match self.0.iter_mut().find(|(known, _)| known == path) {
                    Some((_, times)) => *times = times.saturating_add(1),
                    None => self.0.push((path.clone(), 1)),
                }
            }
            walk_expr(self, e);
        }
    }
    let mut search = Search(Vec::new());
    search.block(&func.body);
    let items = &func.items;
    let most = Literal::u32_suffixed(INLINED_PARTS as u32);
    let callees = search.0.iter().map(|(path, times)| {
        let constant = constant(func.name.span());
        let size = beside(path, |callee| quote!(#callee::#constant), false);
        quote! {
            __size = __size.saturating_add(::swathe::__rt::core::primitive::u32::saturating_mul(
                // What stands out of line is a call.
                match #size { __part if __part <= #most => __part, _ => 1 },
                #times,
            ));
        }
    });
    let own = Literal::u32_suffixed(u32::try_from(parts(&func.body)).unwrap_or(u32::MAX));
    let size = match outlined_by_user(&item.attrs) {
        true => quote!(1),
        false => quote!(__size),
    };
    quote!(#(#items)* let mut __size = #own; #(#callees)* #size)
}

/// What stands for [`called`] beside a function. The name speaks to the user, in rustc's message.
pub fn constant(span: Span) -> Ident {
    Ident::new("a_function_of_kernels_must_not_call_itself", at(span))
}

/// Type arguments of a function where it does not matter which they are.
pub fn any(item: &syn::ItemFn) -> Option<TokenStream> {
    let any = item.sig.generics.params.iter().map(|p| match p {
        syn::GenericParam::Type(_) => quote!(::swathe::__rt::Any),
        syn::GenericParam::Lifetime(_) => quote!('static),
        syn::GenericParam::Const(c) => {
            let ty = &c.ty;
            quote!({ unsafe { ::swathe::__rt::zero::<#ty>() } })
        }
    });
    (!item.sig.generics.params.is_empty()).then(|| quote!(<#(#any),*>))
}

/// What the struct beside a function says whatever the function's types are. `typed` are the parameters of a function that
/// ties the type of a call in lanes to that of the call as it was written, which is not made.
fn for_any_types(
    item: &syn::ItemFn,
    asked: &TokenStream,
    typed: &TokenStream,
    called: &TokenStream,
    gives: &TokenStream,
) -> TokenStream {
    let constant = constant(item.sig.ident.span());
    let (name, allow, any) = (&item.sig.ident, probe::allow(), any(item));
    quote! {
        impl #name #any {
            #[doc(hidden)]
            #[inline]
            #allow
            pub const fn __looped(__depth: ::swathe::__rt::core::primitive::u32) -> ::swathe::__rt::core::primitive::bool {
                __depth > 0 && #asked
            }

            #[doc(hidden)]
            #[inline]
            #allow
            pub const fn __gives(__depth: ::swathe::__rt::core::primitive::u32) -> ::swathe::__rt::core::primitive::bool {
                __depth > 0 && #gives
            }

            #[doc(hidden)]
            #[inline(always)]
            #allow
            pub fn __typed #typed {}

            #[doc(hidden)]
            #[allow(non_upper_case_globals)]
            #allow
            pub const #constant: ::swathe::__rt::core::primitive::u32 = { #called };
        }
    }
}

/// The function in lanes. What is unsafe, constant or gives nothing runs one lane after the other.
fn lanes_of<'h>(func: &'h Func, item: &syn::ItemFn) -> Option<plan::Lanes<'h>> {
    let fits = func.ret.is_some() && item.sig.constness.is_none() && crate::emit::unsafety(&item.sig).is_none();
    fits.then(|| plan::Lanes::of_function(func)).flatten()
}

/// Whether that pays, as the function's constant says it: its callees are asked in turn.
fn pays(func: &Func, lanes: &plan::Lanes<'_>) -> TokenStream {
    match &lanes.pays {
        Pays::Always => quote!(true),
        Pays::IfLooped(callees) => {
            let callees = callees
                .iter()
                .map(|path| beside(path, |callee| quote!(#callee::__looped(__depth - 1)), false));
            let items = &func.items;
            quote!({ #(#items)* false #(|| #callees)* })
        }
    }
}

/// The body, cut at its loops and calls.
fn in_regions(func: &Func, item: &syn::ItemFn, lanes: &Lanes<'_, '_>) -> TokenStream {
    let printer = Printer {
        cuts: lanes.cuts(),
        ..function_printer(func, item)
    };
    printer.cuts.form.set(1);
    let hidden = widths(&quote!(__W));
    let result = plane(lanes.plan.body.result.expect("a function that returns a value"));
    let params = func.params.iter().map(|p| {
        let (plane, keyword) = (plane(p.local), func.local(p.local).mutable.then(|| quote!(mut)));
        quote!(let #keyword #plane = *#plane;)
    });
    let given: BTreeSet<_> = func
        .params
        .iter()
        .map(|p| p.local)
        .chain(lanes.plan.body.result)
        .collect();
    let planes = lanes.planes(&given);
    let (parts, _) = emit::parts(lanes, &printer, &TokenStream::new(), true);
    let closures = closure_slots(func);
    let body = quote! {
        #hidden
        #closures
        let mut __exit = ::swathe::__rt::Lanes::<::swathe::__rt::core::primitive::u32, __W>::zeros();
        let mut __active = 0u32;
        for __l in 0..__width {
            let __e = (unsafe { ::swathe::__rt::Lanes::get(__outer, __l) } != 0) as ::swathe::__rt::core::primitive::u32;
            unsafe { ::swathe::__rt::Lanes::set(&mut __exit, __l, __e) };
            __active |= __e ^ 1;
        }
        if __active == 0 {
            return;
        }
        #(#params)*
        let mut #result = __out;
        #planes
        #parts
    };
    lanes.if_they_fit(&given, Vec::new(), &behind_items(func, body), &one_by_one(func, item))
}

/// The function itself, for one lane after the other, which LLVM vectorises if it can. If it is unsafe, so is the call that
/// stands beside this one in the kernel.
fn one_by_one(func: &Func, item: &syn::ItemFn) -> TokenStream {
    let (name, (_, type_generics, _)) = (&func.name, item.sig.generics.split_for_impl());
    let generics = type_generics.as_turbofish();
    let hidden = widths(&quote!(__W));
    let args = func.params.iter().map(|p| plane(p.local));
    quote! {
        #hidden
        for __l in 0..__width {
            let __active = unsafe { ::swathe::__rt::Lanes::get(__outer, __l) } == 0;
            let mut __value = unsafe { ::swathe::__rt::Lanes::get(__out, __l) };
            if __active {
                __value = unsafe {
                    #name #generics::__of(&::swathe::__rt::FuncSlot::at(__target)).__call(#(::swathe::__rt::Lanes::get(#args, __l)),*)
                };
            }
            unsafe { ::swathe::__rt::Lanes::set(__out, __l, __value) };
        }
    }
}
