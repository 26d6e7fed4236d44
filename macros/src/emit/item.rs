//! The items that `#[kernel]` and `#[func]` leave behind.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use swathe_ir::ParamKind;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

use super::ir::{place, span};
use super::operator::Operators;
use super::print::{Mode, Printer};
use super::probe;
use super::{at, checked, closure_slots, field_name, given, lent, method, param, rank_name, shared_name, std_func};
use crate::budget::INLINED_PARTS;
use crate::hir::types::{is_float_type, is_integer_type};
use crate::hir::visit::{any_in, parts};
use crate::hir::{Arithmetic, Check, Expr, ExprKind, Func, Param, Stmt};
use crate::lints;
use crate::plan::lent::Reads;
use crate::plan::{self, LoopPlan, setting};

/// The struct that carries a free function's definition: it lives in the type namespace, so that `use` and paths bring
/// it along with the function.
fn definition(sig: &syn::Signature, vis: &syn::Visibility, doc: &str) -> TokenStream {
    let name = &sig.ident;
    // Without their bounds: the struct of some types stands for all of them where those do not matter.
    let mut generics = sig.generics.clone();
    generics.where_clause = None;
    for param in &mut generics.params {
        if let syn::GenericParam::Type(t) = param {
            (t.bounds, t.colon_token) = (syn::punctuated::Punctuated::new(), None);
        }
    }
    let params = generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(t) => Some(&t.ident),
        _ => None,
    });
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #name #generics {
            __private: ::swathe::__rt::core::marker::PhantomData<fn() -> (#(#params,)*)>,
            /// What the loop is compiled for that calls a function.
            __target: ::swathe::__rt::Target,
        }
    }
}

/// The struct of a kernel that has errors, so that `kernel::cuda_source()` adds none.
pub fn failed_definition(sig: &syn::Signature, vis: &syn::Visibility) -> TokenStream {
    let sig = &without_lifetimes(sig.clone()).0;
    let definition = definition(sig, vis, "A kernel with errors.");
    let (name, (impl_generics, type_generics, where_clause)) = (&sig.ident, sig.generics.split_for_impl());
    quote! {
        #definition
        const _: () = {
            impl #impl_generics #name #type_generics #where_clause {
                #[allow(dead_code)]
                pub fn precompile(_: &::swathe::Device) -> ::swathe::Result<()> {
                    ::swathe::__rt::core::unreachable!()
                }
                #[allow(dead_code)]
                pub fn cuda_source() -> ::swathe::Result<::swathe::__rt::std::string::String> {
                    ::swathe::__rt::core::unreachable!()
                }
                #[allow(dead_code)]
                pub fn plan() -> ::swathe::Plan {
                    ::swathe::__rt::core::unreachable!()
                }
                #[allow(dead_code)]
                pub fn checks() -> ::swathe::Checks {
                    ::swathe::__rt::core::unreachable!()
                }
            }
        };
    }
}

/// A signature without the lifetimes that it declares, and these.
fn without_lifetimes(mut sig: syn::Signature) -> (syn::Signature, Vec<syn::GenericParam>) {
    let params = std::mem::take(&mut sig.generics.params);
    let (lifetimes, others): (Vec<_>, Vec<_>) =
        (params.into_iter()).partition(|p| matches!(p, syn::GenericParam::Lifetime(_)));
    sig.generics.params = others.into_iter().collect();
    (sig, lifetimes)
}

/// The struct of a `#[func]` that has errors, so that its calls add none.
pub fn failed_func(item: &syn::ItemFn) -> TokenStream {
    if item.sig.variadic.is_some() {
        return TokenStream::new();
    }
    let mut item = item.clone();
    let lifetimes;
    (item.sig, lifetimes) = without_lifetimes(item.sig);
    let definition = definition(&item.sig, &item.vis, "A function with errors.");
    let (lanes, allow) = (super::lanes::of_failed(&item), probe::allow());
    param::lend(&mut item.sig);
    let (name, inputs) = (&item.sig.ident, &item.sig.inputs);
    let output = match &item.sig.output {
        // Such results are refused.
        syn::ReturnType::Type(_, ty) if matches!(**ty, syn::Type::Reference(_) | syn::Type::ImplTrait(_)) => {
            quote!(-> !)
        }
        output => quote!(#output),
    };
    let (impl_generics, type_generics, where_clause) = item.sig.generics.split_for_impl();
    quote! {
        #definition
        const _: () = {
            #lanes
            impl #impl_generics #name #type_generics #where_clause {
                #[doc(hidden)]
                #allow
                #[inline]
                pub fn __of(_: &::swathe::__rt::FuncSlot<Self>) -> Self {
                    ::swathe::__rt::core::unreachable!()
                }
                #[doc(hidden)]
                #allow
                #[inline]
                pub fn __call<#(#lifetimes),*>(self, #inputs) #output {
                    ::swathe::__rt::core::unreachable!()
                }
            }
        };
    }
}

/// What kernels know of the methods of an `impl` block with errors.
pub fn failed_methods(item: &syn::ItemImpl) -> TokenStream {
    let (generics, self_ty) = (&item.generics, &item.self_ty);
    let where_clause = &generics.where_clause;
    let operators = Operators::of(item);
    let impls = item.items.iter().filter_map(|member| match member {
        syn::ImplItem::Fn(f) => {
            if let Some(operators) = &operators {
                return operators.has(&f.sig.ident).then(|| operators.failed(&f.sig.ident));
            }
            let id = method::id(&f.sig.ident);
            let changes = f.sig.receiver().is_some_and(method::changes);
            let changes =
                changes.then(|| quote!(impl #generics ::swathe::__rt::Changes<#id> for #self_ty #where_clause {}));
            Some(quote! {
                impl #generics ::swathe::__rt::OneFuncOfAName<#id> for #self_ty #where_clause {}
                #changes
            })
        }
        _ => None,
    });
    let is_reference = matches!(**self_ty, syn::Type::Reference(_));
    let beside = (operators.is_none() && !is_reference).then(|| method::beside_all(item));
    quote!(const _: () = { #(#impls)* #beside };)
}

/// A free `#[func]`.
pub fn func(func: &Func, item: &syn::ItemFn) -> TokenStream {
    let name = &func.name;
    let definition = definition(
        &item.sig,
        &item.vis,
        &format!("What kernels know of the function `{name}`."),
    );
    let (impl_generics, type_generics, where_clause) = item.sig.generics.split_for_impl();
    // One of the user's may be called like the function.
    let name_of = |(k, param): (usize, &Param)| {
        proc_macro2::Ident::new(&format!("__a{k}"), at(func.local(param.local).ident.span()))
    };
    let names: Vec<_> = func.params.iter().enumerate().map(name_of).collect();
    let params = func.params.iter().zip(&names).map(|(param, name)| {
        let ty = &param.ty;
        match param.kind {
            ParamKind::Ref { mutable: false } => quote!(#name: &#ty),
            ParamKind::Ref { mutable: true } => quote!(#name: &mut #ty),
            ParamKind::Field { .. } => {
                let lent = param::lent(param::array(param));
                quote!(#name: #lent)
            }
            ParamKind::Value => quote!(#name: #ty),
        }
    });
    let output = &item.sig.output;
    let (constness, unsafety) = (item.sig.constness, unsafety(&item.sig));
    // Where rustc shows what a call's arguments do not fit.
    let call = proc_macro2::Ident::new("__call", at(name.span()));
    let confirm = std_func::beside(func, &item.sig);
    let turbofish = type_generics.as_turbofish();
    let (params, allow) = (quote!(#(#params),*), probe::allow());
    let load = probe::instance(func);
    let mut item = item.clone();
    let (given, gives) = given::told(func, &item);
    let lanes = super::lanes::function(func, &item, &gives);
    let inlining = inlining(&item.attrs, func, setting::optimised());
    let reads = Reads::of(func);
    let printer = Printer {
        reads: Some(&reads),
        ..function_printer(func, &item)
    };
    let (any, size) = (super::lanes::any(&item), super::lanes::constant(name.span()));
    function_attrs(&mut item.attrs, func);
    let takes_fields = func.params.iter().any(|p| matches!(p.kind, ParamKind::Field { .. }));
    let told = takes_fields.then(|| lent::told(func, &item, &reads));
    let typed = quote! {
        #lanes
        #told
        #given
        impl #impl_generics ::swathe::__rt::FuncDef for #name #type_generics #where_clause {
            #allow
            fn load() -> ::swathe::__rt::Instance {
                #load
            }
        }
    };
    let targeted = function_body(&printer, &typed, &mut item.sig, &mut item.block);
    let mut outer = item.sig.clone();
    // Who calls it passes on, as it is, what the body is compiled for.
    let called = |target: TokenStream, named: TokenStream| {
        let called = match targeted {
            true => quote!(Self::__body(#target, #named)),
            false => quote!(#name #turbofish(#named)),
        };
        match &unsafety {
            // SAFETY: by the word of who calls this one.
            Some(_) => quote!(unsafe { #called }),
            None => called,
        }
    };
    // What is long with all that it calls stands once.
    let outlined = matches!(inlining, Some(Inlining::Always)).then(|| {
        let called = called(quote!(::swathe::__rt::Target::Plain), quote!(#(#names),*));
        // rustc would inline it, which only calls the other.
        quote! {
            #[inline(never)]
            #allow
            #constness #unsafety fn __outlined(#params) #output {
                #called
            }
        }
    });
    let direct = called(quote!(self.__target), quote!(#(#names),*));
    let called_here = match &outlined {
        Some(_) => {
            let again = match &unsafety {
                // SAFETY: as above.
                Some(_) => quote!(unsafe { Self::__outlined(#(#names),*) }),
                None => quote!(Self::__outlined(#(#names),*)),
            };
            let most = INLINED_PARTS as u32;
            quote!(if const { <#name #any>::#size <= #most } { #direct } else { #again })
        }
        None => direct,
    };
    let body = targeted.then(|| {
        let passed = without_patterns(&mut outer);
        let (inputs, block) = (&item.sig.inputs, &item.block);
        // Whatever else is said of the function is said of the one that the user calls.
        let attrs = item.attrs.iter().filter(|attr| !is_of_callers(attr));
        let body = quote! {
            const _: () = {
                impl #impl_generics #name #type_generics #where_clause {
                    #[doc(hidden)]
                    #(#attrs)*
                    #unsafety fn __body(__target: ::swathe::__rt::Target, #inputs) #output #block
                }
            };
        };
        let plain = quote!(#name #turbofish::__body(::swathe::__rt::Target::Plain, #(#passed),*));
        let plain = match &unsafety {
            // SAFETY: by the word of who calls this one.
            Some(_) => quote!(unsafe { #plain }),
            None => plain,
        };
        item.block.stmts = vec![syn::Stmt::Expr(syn::Expr::Verbatim(plain), None)];
        // Kernels call the body.
        item.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
        body
    });
    if targeted {
        item.sig = outer;
    }
    quote! {
        #item
        #body
        #definition
        #allow
        const _: () = {
            impl #impl_generics #name #type_generics #where_clause {
                #[doc(hidden)]
                #[inline(always)]
                #allow
                pub const fn __of(__slot: &::swathe::__rt::FuncSlot<Self>) -> Self {
                    Self {
                        __private: ::swathe::__rt::core::marker::PhantomData,
                        __target: ::swathe::__rt::FuncSlot::target(__slot),
                    }
                }
                #[doc(hidden)]
                #[inline(always)]
                #allow
                pub #constness #unsafety fn #call(self, #params) #output {
                    #called_here
                }
                #outlined
                #confirm
            }
        };
    }
}

/// Whether an attribute is for those that call a function, or read of it.
fn is_of_callers(attr: &syn::Attribute) -> bool {
    let is = |ident: &Ident| {
        ["doc", "deprecated", "must_use"]
            .iter()
            .any(|name| ident.unraw() == name)
    };
    attr.path().get_ident().is_some_and(is)
}

/// Makes names of all parameters, and gives these.
fn without_patterns(sig: &mut syn::Signature) -> Vec<Ident> {
    let inputs = sig.inputs.iter_mut().enumerate().filter_map(|(k, input)| match input {
        syn::FnArg::Typed(input) => Some((k, &mut *input.pat)),
        syn::FnArg::Receiver(_) => None,
    });
    let names = inputs.map(|(k, pat)| {
        let name = match pat {
            syn::Pat::Ident(name) => name.ident.clone(),
            _ => format_ident!("__a{}", k),
        };
        *pat = syn::parse_quote!(#name);
        name
    });
    names.collect()
}

/// What stands inside of a function, in front of its body, so that rustc says once what is wrong in both: the typed copy, and what both have in scope.
fn beside_body(func: &Func, typed: &TokenStream) -> TokenStream {
    let methods = method::in_scope(func);
    quote! {
        #methods
        #[allow(non_local_definitions)]
        const _: () = { #typed };
    }
}

/// What prints the body of a function. It knows what its loop is compiled for if it becomes part of that: elsewhere to multiply and add at once is a call.
/// One that makes an integer of a float is the same everywhere: who calls it tells others which element it means.
pub fn function_printer<'f>(func: &'f Func, item: &syn::ItemFn) -> Printer<'f> {
    let constant = item.sig.constness.is_some();
    let inlined = match inlining(&item.attrs, func, setting::optimised()) {
        Some(inlining) => inlining == Inlining::Always,
        None => setting::optimised() && !outlined_by_user(&item.attrs),
    };
    Printer {
        constant,
        arithmetic: Arithmetic::Contracted,
        targeted: inlined && !constant && !truncates(func),
        ..Printer::new(func, Mode::Native)
    }
}

/// Whether a function casts what may be a float to what may be an integer.
fn truncates(func: &Func) -> bool {
    any_in(&func.body, |e| match &e.kind {
        ExprKind::Cast(a, ty, ..) => !is_float_type(ty) && !is_no_float(func, a),
        // Those of vectors.
        ExprKind::Method { name, .. } => name
            .to_string()
            .strip_prefix("as_")
            .is_some_and(|ty| !matches!(ty, "f32" | "f64")),
        _ => false,
    })
}

/// Whether the text tells that a number is none with a fraction.
fn is_no_float(func: &Func, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(lit, _) => !matches!(lit, syn::Lit::Float(_)),
        ExprKind::Cast(_, ty, ..) => is_integer_type(ty),
        ExprKind::Local(id, _) => {
            let mut params = func.params.iter();
            params.any(|param| param.local == *id && is_integer_type(&param.ty))
        }
        ExprKind::FieldLen(..) => true,
        ExprKind::Binary(op, _, a, b, _) => op.is_comparison() || is_no_float(func, a) && is_no_float(func, b),
        ExprKind::Unary(_, a, _) => is_no_float(func, a),
        _ => false,
    }
}

/// Whether this names what a body is compiled for.
fn names_target(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "__target",
        TokenTree::Group(group) => names_target(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Makes the body of a `#[func]` what runs on the CPU, behind its typed copy. Whether it has to be told what it is compiled for.
fn function_body(printer: &Printer<'_>, typed: &TokenStream, sig: &mut syn::Signature, block: &mut syn::Block) -> bool {
    let func = printer.func;
    for (input, param) in sig.inputs.iter_mut().zip(&func.params) {
        if let syn::FnArg::Typed(input) = input
            && let syn::Pat::Ident(name) = &mut *input.pat
        {
            name.ident.clone_from(&func.local(param.local).ident);
            if matches!(param.kind, ParamKind::Field { .. }) {
                *input.ty = syn::Type::Verbatim(param::lent(param::array(param)));
            }
        }
    }
    let (body, fields) = (printer.within(&func.body), param::lent_fields(func));
    let targeted = names_target(body.clone());
    let confirmed = printer.reads.map(|reads| lent::confirmed(func, reads));
    let closures = closure_slots(func);
    let (beside, body) = (
        beside_body(func, typed),
        behind_items(func, quote!(#fields #confirmed #closures #body)),
    );
    block.stmts = vec![syn::Stmt::Expr(syn::Expr::Verbatim(quote!(#beside #body)), None)];
    targeted
}

/// What is said of a `#[func]`: expressions are printed in parentheses and blocks of their own.
fn function_attrs(attrs: &mut Vec<syn::Attribute>, func: &Func) {
    let inlining = inlining(attrs, func, setting::optimised());
    *attrs = lints::of(attrs);
    attrs.extend(inlining.map(|inlining| match inlining {
        Inlining::Always => syn::parse_quote!(#[inline(always)]),
        Inlining::ByLlvm => syn::parse_quote!(#[inline]),
    }));
    attrs.push(syn::parse_quote!(#[allow(
        unused_parens,
        unused_braces,
        break_with_label_and_loop,
        dangerous_implicit_autorefs,
        clippy::all,
        clippy::pedantic
    )]));
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Inlining {
    /// Into whatever calls the function.
    Always,
    /// Where LLVM finds that right, in every unit of code that calls it.
    ByLlvm,
}

/// How a function is inlined, of which the user says nothing. One that LLVM does not inline, because it finds it long, is compiled for the least processor,
/// whatever version of a loop calls it, and nothing around a call is vectorised. Where the function's crate is not optimised there is neither.
fn inlining(attrs: &[syn::Attribute], func: &Func, optimised: bool) -> Option<Inlining> {
    (!is_told(attrs)).then(|| match optimised && parts(&func.body) <= INLINED_PARTS {
        true => Inlining::Always,
        false => Inlining::ByLlvm,
    })
}

/// Whether the user says how often a function is called, or how it is inlined: `cfg_attr` stands as it is above the methods of an `impl` block.
fn is_told(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| match &attr.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let metas = list.parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated);
            metas.is_ok_and(|metas| metas.iter().skip(1).any(is_of_inlining))
        }
        meta => is_of_inlining(meta),
    })
}

fn is_of_inlining(meta: &syn::Meta) -> bool {
    let is = |ident: &Ident| ident.unraw() == "inline" || ident.unraw() == "cold";
    meta.path().get_ident().is_some_and(is)
}

/// Whether the user leaves a function's inlining to LLVM, or forbids it.
pub fn outlined_by_user(attrs: &[syn::Attribute]) -> bool {
    let always = |attr: &syn::Attribute| matches!(&attr.meta, syn::Meta::List(list) if list.path.is_ident("inline") && list.tokens.to_string() == "always");
    is_told(attrs) && !attrs.iter().any(always)
}

/// The methods of an `impl` block.
pub fn impl_block(funcs: &[Func], item: &syn::ItemImpl) -> TokenStream {
    let (generics, self_ty) = (&item.generics, &item.self_ty);
    let where_clause = &generics.where_clause;
    let operators = Operators::of(item);
    let confirmed = operators.as_ref().map(Operators::confirmed);
    let typed = |func: &Func, changes: bool| {
        if let Some(operators) = &operators {
            return operators.implementation(func);
        }
        let id = method::id(&func.name);
        let (load, allow) = (probe::instance(func), probe::allow());
        let changes =
            changes.then(|| quote!(impl #generics ::swathe::__rt::Changes<#id> for #self_ty #where_clause {}));
        quote! {
            #changes
            impl #generics ::swathe::__rt::OneFuncOfAName<#id> for #self_ty #where_clause {
                fn callee() -> ::swathe::__rt::Callee {
                    ::swathe::__rt::method_callee::<#id, Self>()
                }
                #allow
                fn load() -> ::swathe::__rt::Instance {
                    #load
                }
            }
        }
    };
    let mut changed = item.clone();
    let methods = changed.items.iter_mut().filter_map(|member| match member {
        syn::ImplItem::Fn(f) if super::is_known(item, &f.sig.ident) => Some(f),
        _ => None,
    });
    for (f, func) in methods.zip(funcs) {
        function_attrs(&mut f.attrs, func);
        let typed = typed(func, f.sig.receiver().is_some_and(method::changes));
        let printer = Printer {
            constant: f.sig.constness.is_some(),
            ..Printer::new(func, Mode::Native)
        };
        function_body(&printer, &typed, &mut f.sig, &mut f.block);
    }
    let beside = operators.is_none().then(|| method::beside_all(item));
    let default = method::default_of(item);
    // What the user's attributes allow in the block.
    let allow = probe::allow();
    quote! {
        #changed
        #allow
        const _: () = { #confirmed #beside #default };
    }
}

/// A trait whose methods kernels may call on type parameters.
pub fn trait_block(mut item: syn::ItemTrait) -> TokenStream {
    let bounds = item.items.iter().filter_map(|member| match member {
        // With a body it is refused, and an implementation need not have it.
        syn::TraitItem::Fn(f) if f.default.is_none() => {
            let id = method::id(&f.sig.ident);
            let bound: syn::TypeParamBound = match f.sig.receiver().is_some_and(method::changes) {
                true => syn::parse_quote!(::swathe::__rt::Changes<#id>),
                false => syn::parse_quote!(::swathe::__rt::OneFuncOfAName<#id>),
            };
            Some(bound)
        }
        _ => None,
    });
    let bounds: Vec<syn::TypeParamBound> = bounds.collect();
    item.colon_token.get_or_insert_with(Default::default);
    item.supertraits.push(syn::parse_quote!(::swathe::KernelType));
    item.supertraits.extend(bounds);
    item.items.extend(method::beside_declared(&item));
    quote!(#item)
}

/// A kernel: its launcher, and the struct that carries its definition.
pub fn kernel(func: &Func, item: &syn::ItemFn, arithmetic: Arithmetic, recorded: Option<&TokenStream>) -> TokenStream {
    let name = &func.name;
    let definition = definition(
        &item.sig,
        &item.vis,
        &format!("Compilation of the kernel [`{name}()`]."),
    );
    let (impl_generics, type_generics, where_clause) = item.sig.generics.split_for_impl();
    let (load, allow) = (probe::instance(func), probe::allow());
    let typed = quote! {
        impl #impl_generics ::swathe::__rt::FuncDef for #name #type_generics #where_clause {
            #allow
            fn load() -> ::swathe::__rt::Instance {
                #load
            }
        }
    };
    let plans = plan::of_kernel(func);
    let launcher = launcher(func, item, arithmetic, &plans, &typed, recorded);
    let lanes = super::lanes::of_kernel(item);
    let info = info(func, arithmetic, &plans);
    let inputs = &item.sig.inputs;
    let result = match &func.ret {
        Some((ty, _)) => quote!(#ty),
        None => quote!(()),
    };
    quote! {
        #launcher
        #definition
        #allow
        const _: () = {
            #lanes
            impl #impl_generics ::swathe::__rt::KernelDef for #name #type_generics #where_clause {
                #[inline]
                fn info() -> &'static ::swathe::__rt::KernelInfo {
                    static INFO: ::swathe::__rt::KernelInfo = #info;
                    &INFO
                }
            }
            impl #impl_generics #name #type_generics #where_clause {
                /// Compiles the kernel for a device now, and not at its first launch. Kernels may be compiled on several
                /// threads at once. On the CPU there is nothing to do.
                ///
                /// # Errors
                /// If NVRTC is missing or refuses the kernel.
                #[allow(dead_code)]
                #[inline]
                pub fn precompile(device: &::swathe::Device) -> ::swathe::Result<()> {
                    ::swathe::__rt::precompile::<Self>(device)
                }

                /// The CUDA C that this kernel becomes.
                ///
                /// # Errors
                /// If the kernel uses what CUDA C cannot express, such as recursion.
                #[allow(dead_code)]
                #[inline]
                pub fn cuda_source() -> ::swathe::Result<::swathe::__rt::std::string::String> {
                    ::swathe::__rt::cuda_source::<Self>()
                }

                /// What keeps each access of the kernel to a field in bounds.
                #[must_use]
                #[allow(dead_code)]
                #[inline]
                pub fn checks() -> ::swathe::Checks {
                    ::swathe::__rt::checks::<Self>()
                }

                /// How each parallel loop of the kernel runs on the CPU.
                #[must_use]
                #[allow(dead_code)]
                #[inline]
                pub fn plan() -> ::swathe::Plan {
                    ::swathe::__rt::plan::<Self>()
                }

                #[doc(hidden)]
                #[allow(warnings, unused)]
                #[inline]
                pub fn __of<'__a>(_: &::swathe::__rt::FuncSlot<Self>) -> Self
                where
                    ::swathe::__rt::not_func::Kernel<'__a>: ::swathe::__rt::not_func::IsNoKernel,
                {
                    ::swathe::__rt::core::unreachable!("types are inferred, nothing runs")
                }

                #[doc(hidden)]
                #[allow(warnings, unused)]
                #[inline]
                pub fn __call(self, #inputs) -> #result {
                    ::swathe::__rt::core::unreachable!("types are inferred, nothing runs")
                }
            }
        };
    }
}

/// The keyword of a function with a contract for its callers.
pub fn unsafety(sig: &syn::Signature) -> Option<TokenStream> {
    match &sig.safety {
        syn::Safety::Unsafe(token) => Some(quote!(#token)),
        _ => None,
    }
}

fn launcher(
    func: &Func,
    item: &syn::ItemFn,
    arithmetic: Arithmetic,
    plans: &[LoopPlan<'_>],
    typed: &TokenStream,
    recorded: Option<&TokenStream>,
) -> TokenStream {
    let (attrs, vis, sig) = (lints::of(&item.attrs), &item.vis, &item.sig);
    let unsafety = unsafety(sig);
    let (inputs, generics) = param::inputs(sig, |_| true);
    let (name, where_clause) = (&sig.ident, &sig.generics.where_clause);
    let rebind = param::rebind(func);
    let result = match &func.ret {
        Some((ty, _)) => quote!(#ty),
        None => quote!(()),
    };
    let ranks = func.params.iter().filter_map(|p| match p.kind {
        ParamKind::Field { .. } => Some((rank_name(p.local), field_name(p.local))),
        _ => None,
    });
    let ranks = ranks.map(|(rank, field)| quote!(let #rank = #field.rank();));
    let fields: Vec<_> = func
        .params
        .iter()
        .filter(|p| matches!(p.kind, ParamKind::Field { .. }))
        .map(|p| (p, field_name(p.local), &func.local(p.local).ident))
        .collect();
    let noted = fields.iter().map(|(param, _, ident)| {
        let text = ident.to_string();
        let place = param::call(param, ident, "place_of", "place_of");
        quote_spanned!(at(ident.span())=> ::swathe::__rt::Launch::argument(&mut __launch, #text, #place)?;)
    });
    let written = fields
        .iter()
        .filter(|(param, ..)| param.kind == ParamKind::Field { mutable: true });
    let prepared = written.map(|(param, _, ident)| {
        let prepare = param::call(param, ident, "prepare", "prepare");
        quote_spanned!(at(ident.span())=> #prepare?;)
    });
    let views = fields.iter().map(|(param, name, ident)| {
        let access = param::call(param, ident, "access", "access_mut");
        quote_spanned!(at(ident.span())=>
            let #name = #access;
            let #ident = #name;
        )
    });
    let remote = remote(func, item, &result);
    let atomics = func.params.iter().map(|p| shared_name(p.local));
    let shared = atomics.map(|name| quote!(let #name = false;));
    let (views, ranks, shared) = (quote!(#(#views)*), quote!(#(#ranks)*), quote!(#(#shared)*));
    let native = native(func, plans, Mode::Native, arithmetic);
    let rounds = plans.iter().filter_map(LoopPlan::rounds_behind_gathers).max();
    let end = rounds.map(|rounds| {
        let (_, type_generics, _) = sig.generics.split_for_impl();
        quote!(#[cfg(all(not(debug_assertions), panic = "unwind"))] let __ends = ::swathe::__rt::functions_end::<#name #type_generics>(#rounds);)
    });
    // The items of a body may have the kernel's name.
    let native = behind_items(func, quote!(#shared #native));
    let native = quote!(#end #native);
    let beside = beside_body(func, typed);
    let checked = checked::is_needed(func).then(|| {
        let (cells, checked) = (
            checked::cells(func),
            self::native(func, &[], Mode::Checked, Arithmetic::Strict),
        );
        let run = run(func, &result, &behind_items(func, quote!(#shared #checked)), &ranks);
        quote! {
            if ::swathe::__rt::Launch::is_checked(&__launch) {
                #views
                #cells
                return #run;
            }
        }
    });
    let run = run(func, &result, &native, &quote!(#views #ranks));
    let (_, type_generics, _) = sig.generics.split_for_impl();
    quote! {
        #(#attrs)*
        #[allow(
            unused_mut,
            unused_assignments,
            unused_parens,
            unused_braces,
            unused_unsafe,
            unused_labels,
            break_with_label_and_loop,
            unreachable_code,
            dangerous_implicit_autorefs,
            clippy::all,
            clippy::pedantic,
            clippy::undocumented_unsafe_blocks
        )]
        #vis #unsafety fn #name #generics (#inputs) -> ::swathe::Result<#result> #where_clause {
            #beside
            #recorded
            let mut __launch =
                ::swathe::__rt::Launch::new(<#name #type_generics as ::swathe::__rt::KernelDef>::info());
            #rebind
            #(#noted)*
            #(#prepared)*
            #remote
            #checked
            #run
        }
    }
}

/// Runs native code. What does not depend on a result's type is compiled once.
fn run(func: &Func, result: &TokenStream, native: &TokenStream, begins: &TokenStream) -> TokenStream {
    let native = quote!(|__launch| -> ::swathe::__rt::core::result::Result<#result, ::swathe::__rt::Failed> {
        #begins
        #native
    });
    let run = match func.ret {
        Some(_) => quote!(run_for),
        None => quote!(run),
    };
    quote!(__launch.#run(&mut #native))
}

/// The items of a body and what sees them: in a block of their own, since the types of the signature do not.
pub fn behind_items(func: &Func, body: TokenStream) -> TokenStream {
    let items = &func.items;
    match items.is_empty() {
        true => body,
        false => quote!({ #(#items)* #body }),
    }
}

/// The body as the CPU runs it.
fn native(func: &Func, plans: &[LoopPlan<'_>], mode: Mode, arithmetic: Arithmetic) -> TokenStream {
    let mut printer = Printer::new(func, mode);
    (printer.plans, printer.arithmetic) = (plans, arithmetic);
    let (closures, stmts) = (closure_slots(func), printer.stmts(&func.body));
    let ok = quote!(::swathe::__rt::core::result::Result::Ok);
    let tail = match (&func.body.tail, &func.ret) {
        (Some(tail), Some((ty, _))) => {
            let result = printer.result(tail, ty);
            quote!(#result #ok(__result))
        }
        (Some(tail), None) => {
            let (lints, tail) = (&tail.lints, printer.expr(tail));
            match lints.is_empty() {
                true => quote!(#ok(#tail)),
                false => quote!(#(#lints)* let __result: () = #tail; #ok(__result)),
            }
        }
        // After `return value;` the block has no value, and needs none.
        (None, Some(_)) if matches!(func.body.stmts.last(), Some(Stmt::Expr(e)) if matches!(e.kind, ExprKind::Return(_))) => {
            TokenStream::new()
        }
        (None, _) => quote!(#ok(())),
    };
    quote!(#closures #stmts #tail)
}

/// What messages say about a kernel.
fn info(func: &Func, arithmetic: Arithmetic, plans: &[LoopPlan<'_>]) -> TokenStream {
    let loops = super::plan::loops(func, plans);
    let arithmetic = match arithmetic {
        Arithmetic::Strict => quote!(Strict),
        Arithmetic::Contracted => quote!(Contracted),
        Arithmetic::Fast => quote!(Fast),
    };
    let name = func.name.to_string();
    let (file, line) = (&func.file, span(func, func.at).line);
    let accesses = || func.accesses.iter().filter(|access| !access.again);
    let places: Vec<_> = accesses().map(|access| place(func, access.span)).collect();
    let one_file = places.iter().all(|(_, at)| at.file == 0);
    let files = places.iter().filter(|_| !one_file).map(|(file, _)| file);
    let sites = accesses().zip(&places).map(|(access, (_, at))| {
        let field = func.local(access.field).ident.to_string();
        let (line, column) = (at.line, at.column);
        let coverage = match access.check {
            Check::Proven => quote!(Domain),
            Check::Hoisted => quote!(BeforeLoop),
            Check::InKernel => quote!(InPlace),
            Check::Unchecked => quote!(Unsafe),
        };
        let coverage = quote!(::swathe::__rt::Coverage::#coverage);
        let in_unsafe = access.in_unsafe;
        quote!(::swathe::__rt::Site {
            field: #field, line: #line, column: #column, coverage: #coverage, in_unsafe: #in_unsafe
        })
    });
    let optimised = setting::optimised();
    quote! {
        ::swathe::__rt::KernelInfo {
            name: #name,
            file: #file,
            line: #line,
            arithmetic: ::swathe::__rt::Arithmetic::#arithmetic,
            optimised: #optimised,
            sites: &[#(#sites),*],
            files: &[#(#files),*],
            loops: #loops,
        }
    }
}

/// The launch of a kernel on another device than the CPU.
fn remote(func: &Func, item: &syn::ItemFn, result: &TokenStream) -> TokenStream {
    if !func.params.iter().any(|p| matches!(p.kind, ParamKind::Field { .. })) {
        return quote!();
    }
    let (name, (_, type_generics, _)) = (&item.sig.ident, item.sig.generics.split_for_impl());
    let (mut values, mut args) = (Vec::new(), Vec::new());
    for (k, param) in func.params.iter().enumerate() {
        let ident = &func.local(param.local).ident;
        if matches!(param.kind, ParamKind::Field { .. }) {
            args.push(param::call(param, ident, "launch_arg", "launch_arg_mut"));
        } else {
            let value = format_ident!("__value{k}");
            values.push(quote_spanned!(param.ty.span()=> let #value = ::swathe::__rt::DeviceValue::new(&#ident);));
            args.push(quote!(::swathe::__rt::DeviceValue::arg(&#value)));
        }
    }
    let run = match func.ret {
        Some(_) => quote!(run_remote_for::<#name #type_generics, #result>),
        None => quote!(run_remote::<#name #type_generics>),
    };
    quote! {
        if ::swathe::__rt::Launch::is_remote(&__launch) {
            #(#values)*
            return unsafe { __launch.#run(&[#(#args),*]) };
        }
    }
}

#[cfg(test)]
mod tests {
    use swathe_ir::FuncKind;
    use syn::parse_quote;

    use super::{Inlining, inlining};
    use crate::budget::INLINED_PARTS;
    use crate::error::Errors;
    use crate::lower::{self, Place};

    #[test]
    fn functions_become_part_of_loops_unless_they_are_long_or_the_user_says_otherwise() {
        let of = |item: &syn::ItemFn, optimised: bool| {
            let mut errors = Errors::default();
            let func = lower::func(&item.sig, &item.block, FuncKind::Func, Place::Free, &mut errors);
            inlining(&item.attrs, &func.expect("it is right"), optimised)
        };
        let short: syn::ItemFn = parse_quote!(
            #[must_use]
            fn f(x: f32) -> f32 {
                x * 2.0
            }
        );
        assert_eq!(of(&short, true), Some(Inlining::Always));
        assert_eq!(of(&short, false), Some(Inlining::ByLlvm));
        for attr in [
            "inline",
            "inline(never)",
            "inline(always)",
            "cold",
            "cfg_attr(test, inline(never))",
        ] {
            let attr: syn::Meta = syn::parse_str(attr).expect("it is one");
            let mut told = short.clone();
            told.attrs.push(parse_quote!(#[#attr]));
            assert_eq!(of(&told, true), None);
        }
        let lines = (0..INLINED_PARTS / 3).map(|_| quote::quote!(y += x;));
        let long = parse_quote!(fn f(x: f32) -> f32 { let mut y = x; #(#lines)* y });
        assert_eq!(of(&long, true), Some(Inlining::ByLlvm));
    }
}
