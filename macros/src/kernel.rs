//! `#[kernel]` and `#[func]`: parse, lower, check, emit.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use swathe_ir::FuncKind;
use syn::parse::Parser;
use syn::visit_mut::VisitMut;

use crate::budget::LEVELS;
use crate::derivative::Asked;
use crate::error::{Errors, TOO_DEEP};
use crate::groups::{self, Parenthesize};
use crate::hir::Arithmetic;
use crate::lower::Place;
use crate::{check, derivative, emit, hir, lower, meaning};

/// `#[kernel]` on a function.
pub fn kernel(args: &TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (arithmetic, asked) = derivative::of_kernel(args, &mut errors);
    if let Some(deep) = groups::deeper_than(LEVELS, item.clone()) {
        errors.at(deep, TOO_DEEP);
        return errors.into_tokens();
    }
    let mut item: syn::ItemFn = match syn::parse2(groups::blocks(item.clone())) {
        Ok(item) => item,
        Err(slip) => {
            if let Some((vis, sig)) = signature(&item) {
                errors.at(slip.span(), format!("this cannot be parsed: {slip}"));
                return failed(errors, &sig, &vis);
            }
            errors.on(&item, "`#[kernel]` belongs above a free function with a body");
            return with_errors(&item, errors);
        }
    };
    match compiled(&mut item, arithmetic, &asked, false, &mut errors) {
        Some(kernel) => kernel,
        None => failed(errors, &item.sig, &item.vis),
    }
}

/// A kernel that can be parsed, and its derivatives.
fn compiled(
    item: &mut syn::ItemFn,
    arithmetic: Arithmetic,
    asked: &Asked,
    is_derivative: bool,
    errors: &mut Errors,
) -> Option<TokenStream> {
    Parenthesize.visit_item_fn_mut(item);
    lower::Unnamed.visit_item_fn_mut(item);
    meaning::Unformatted.visit_item_fn_mut(item);
    meaning::of_attributes(&item.attrs, "kernel", errors);
    let mut func = lower::func(&item.sig, &item.block, FuncKind::Kernel, Place::Free, errors)?;
    func.is_derivative = is_derivative;
    // Checks mark what they find in it. What they refuse comes first.
    let mut own = Errors::default();
    let derived = derivative::kernel(&func, item, asked, &mut own);
    func.literals = derived.iter().flat_map(|derived| derived.literals.clone()).collect();
    func.differentiated = !derived.is_empty();
    check::kernel(&mut func, errors);
    if errors.is_empty() {
        std::mem::swap(errors, &mut own);
    }
    if !errors.is_empty() {
        return None;
    }
    let pullback = derived.iter().find(|derived| derived.kind == "pullback");
    let recorded = pullback.map(|pullback| emit::recorded(&func, item, pullback));
    let mut kernel = emit::kernel(&func, item, arithmetic, recorded.as_ref());
    for derived in derived {
        let mut own = Errors::default();
        let text = derivative::readable(&derived.shown);
        let compiled = syn::parse2(groups::blocks(derived.item.clone()))
            .map_err(|slip| own.add(slip))
            .ok()
            .and_then(|mut item| compiled(&mut item, arithmetic, &Asked::default(), true, &mut own));
        match compiled {
            Some(compiled) => {
                let beside = emit::kernel_derivative(&derived, item, &text);
                kernel.extend(quote!(#compiled #beside));
            }
            None => errors.on(
                &item.sig.ident,
                format!(
                    "the {} of this kernel is none that the checks accept: {}\nthis is a limit of the library: make what it cannot follow a kernel of its own, or a `#[func(grad = rule)]`\n{text}",
                    derived.kind,
                    own.first(),
                ),
            ),
        }
    }
    errors.is_empty().then_some(kernel)
}

/// `#[func]` on a function, an `impl` block or a trait.
pub fn func(args: &TokenStream, item: TokenStream) -> TokenStream {
    func_of(args, item, false)
}

fn func_of(args: &TokenStream, item: TokenStream, is_derivative: bool) -> TokenStream {
    let mut errors = Errors::default();
    let asked = derivative::of_func(args, &mut errors);
    if let Some(deep) = groups::deeper_than(LEVELS, item.clone()) {
        errors.at(deep, TOO_DEEP);
        return errors.into_tokens();
    }
    let mut parsed = syn::parse2(groups::blocks(item.clone()));
    if let Ok(item) = &mut parsed {
        Parenthesize.visit_item_mut(item);
        lower::Unnamed.visit_item_mut(item);
        meaning::Unformatted.visit_item_mut(item);
    }
    match parsed {
        Ok(syn::Item::Fn(mut item)) => {
            if let Some(receiver) = item.sig.receiver() {
                errors.on(
                    receiver,
                    "write `#[func]` above the `impl` block that holds this method",
                );
                return with_errors(&item, errors);
            }
            meaning::of_attributes(&item.attrs, "func", &mut errors);
            if !errors.is_empty() {
                item.attrs.clear();
            }
            let lowered = lower::func(&item.sig, &item.block, FuncKind::Func, Place::Free, &mut errors);
            let derived = match &lowered {
                Some(func) if asked.any() => derivative::func(func, &item, &asked, &mut errors),
                _ => Vec::new(),
            };
            match lowered.filter(|_| errors.is_empty()) {
                Some(mut lowered) => {
                    lowered.literals = derived.iter().flat_map(|derived| derived.literals.clone()).collect();
                    lowered.differentiated = !derived.is_empty();
                    lowered.is_derivative = is_derivative;
                    let derivatives = derived.iter().map(|derived| {
                        let function = func_of(&TokenStream::new(), derived.item.clone(), true);
                        let confirmed = &derived.confirmed;
                        quote!(#function #confirmed)
                    });
                    let derivatives: Vec<TokenStream> = derivatives.collect();
                    let beside = asked
                        .any()
                        .then(|| emit::func_derivatives(&lowered, &item, &asked, &derived));
                    let function = emit::func(&lowered, &item);
                    quote!(#function #(#derivatives)* #beside)
                }
                None => {
                    item.attrs.push(unused());
                    item.block = no_body();
                    item.sig.asyncness = None;
                    if let syn::ReturnType::Type(_, ty) = &mut item.sig.output
                        && let syn::Type::Reference(lent) = &**ty
                        && !matches!(*lent.elem, syn::Type::Slice(_) | syn::Type::TraitObject(_))
                    {
                        *ty = lent.elem.clone();
                    }
                    let definition = emit::failed_func(&item);
                    with_errors(&quote!(#item #definition), errors)
                }
            }
        }
        Ok(syn::Item::Impl(_) | syn::Item::Trait(_)) if asked.any() => {
            errors.on(
                args,
                "methods have no derivatives yet: write a free `#[func(grad)]` that takes the value",
            );
            with_errors(&item, errors)
        }
        Ok(syn::Item::Impl(item)) => impl_block(item, errors),
        Ok(syn::Item::Trait(mut item)) => {
            meaning::of_trait(&item, &mut errors);
            for member in &mut item.items {
                if let syn::TraitItem::Fn(f) = member
                    && let Some(body) = f.default.take()
                {
                    // An implementation need not have it, which rustc would miss.
                    f.default = Some(*no_body());
                    f.attrs.push(unused());
                    errors.on(body, "a method of a `#[func]` trait has no body here: write it in each `impl`, or as a free `#[func]`");
                }
            }
            with_errors(&emit::trait_block(item), errors)
        }
        Err(slip) if signature(&item).is_some() => {
            errors.at(slip.span(), format!("this cannot be parsed: {slip}"));
            errors.into_tokens()
        }
        _ => {
            errors.on(&item, "`#[func]` belongs above a function, an `impl` block or a trait");
            with_errors(&item, errors)
        }
    }
}

/// What stands in front of the body of a function, which itself need not be Rust: rustc's parser goes on behind some slips.
fn signature(item: &TokenStream) -> Option<(syn::Visibility, syn::Signature)> {
    let parse = |input: syn::parse::ParseStream<'_>| {
        input.call(syn::Attribute::parse_outer)?;
        let found = (input.parse()?, input.parse()?);
        let _body: proc_macro2::Group = input.parse()?;
        Ok(found)
    };
    parse.parse2(item.clone()).ok()
}

/// Writes the types that an implementation gives for `Self::Name` in the signatures of its methods, which are written once more elsewhere.
struct Associated(Vec<(syn::Ident, syn::Type)>);

impl Associated {
    fn of(item: &syn::ItemImpl) -> Associated {
        let types = item.items.iter().filter_map(|member| match member {
            syn::ImplItem::Type(t) if t.generics.params.is_empty() => Some((t.ident.clone(), t.ty.clone())),
            _ => None,
        });
        Associated(types.collect())
    }
}

impl VisitMut for Associated {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        let known = match ty {
            syn::Type::Path(syn::TypePath { qself: None, path, .. }) if path.segments.len() == 2 => {
                let (first, last) = (&path.segments[0], &path.segments[1]);
                let known = self
                    .0
                    .iter()
                    .find(|(name, _)| first.ident == "Self" && last.ident == *name);
                known.map(|(_, ty)| ty.clone())
            }
            _ => None,
        };
        match known {
            Some(known) => *ty = known,
            None => syn::visit_mut::visit_type_mut(self, ty),
        }
    }
}

fn impl_block(mut item: syn::ItemImpl, mut errors: Errors) -> TokenStream {
    meaning::of_impl(&item, &mut errors);
    emit::complete(&mut item);
    let mut associated = Associated::of(&item);
    for member in &mut item.items {
        if let syn::ImplItem::Fn(f) = member {
            associated.visit_signature_mut(&mut f.sig);
        }
    }
    let mut funcs = Vec::new();
    if matches!(*item.self_ty, syn::Type::Reference(_)) && !emit::is_operator(&item) {
        errors.on(
            &item.self_ty,
            "methods of references cannot be called in a kernel: implement the trait for the type itself",
        );
    }
    let foreign = match &*item.self_ty {
        syn::Type::Path(p) => p
            .path
            .get_ident()
            .is_some_and(|name| lower::PRIMITIVES.contains(&name.to_string().as_str())),
        ty => matches!(ty, syn::Type::Array(_) | syn::Type::Tuple(_)),
    };
    if foreign && !emit::is_operator(&item) {
        errors.on(
            &item.self_ty,
            "kernels call methods of your own on types of your own: write a free `#[func]` that takes the value",
        );
        // What rustc would say of the trait's bounds follows from this.
        return errors.into_tokens();
    }
    if let Some(free) = free_parameter(&item)
        && !emit::is_operator(&item)
    {
        errors.on(
            free,
            "kernels tell methods apart by type and name, not by the arguments of a trait: implement the trait for one type, as in `Trait<f32>`, or make this a parameter of the struct, too",
        );
        // What kernels know of the methods would be of no type.
        return with_errors(&item, errors);
    }
    for member in &item.items {
        if let syn::ImplItem::Fn(f) = member
            && emit::is_known(&item, &f.sig.ident)
        {
            let place = Place::Impl {
                generic: item.generics.type_params().next().is_some(),
            };
            funcs.extend(lower::func(&f.sig, &f.block, FuncKind::Func, place, &mut errors));
        }
    }
    if errors.is_empty() {
        emit::impl_block(&funcs, &item)
    } else {
        item.attrs.push(unused());
        for member in &mut item.items {
            if let syn::ImplItem::Fn(f) = member {
                f.block = *no_body();
                f.sig.asyncness = None;
            }
        }
        let methods = emit::failed_methods(&item);
        with_errors(&quote!(#item #methods), errors)
    }
}

/// A parameter of an implementation that is one of the trait alone.
fn free_parameter(item: &syn::ItemImpl) -> Option<&syn::Ident> {
    let names = item.generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Type(param) => Some(&param.ident),
        syn::GenericParam::Const(param) => Some(&param.ident),
        syn::GenericParam::Lifetime(_) => None,
    });
    let of_type = item.self_ty.to_token_stream();
    names.into_iter().find(|name| !mentions(&of_type, name))
}

fn mentions(tokens: &TokenStream, name: &syn::Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

fn with_errors(item: &impl ToTokens, errors: Errors) -> TokenStream {
    let errors = errors.into_tokens();
    quote!(#item #errors)
}

fn unused() -> syn::Attribute {
    syn::parse_quote!(#[allow(unused)])
}

/// In the place of a refused body: rustc has nothing to add to the refusal.
fn no_body() -> Box<syn::Block> {
    syn::parse_quote!({ ::swathe::__rt::core::unreachable!() })
}

/// The errors, and a function of the right type, so that the calls of the kernel do not add errors of their own.
fn failed(errors: Errors, sig: &syn::Signature, vis: &syn::Visibility) -> TokenStream {
    let errors = errors.into_tokens();
    let mut sig = sig.clone();
    HeldElements.visit_signature_mut(&mut sig);
    let sig = &sig;
    let (name, where_clause) = (&sig.ident, &sig.generics.where_clause);
    let (inputs, generics) = emit::inputs(sig, hir::types::is_array);
    let unsafety = emit::unsafety(sig);
    let result = match &sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    };
    let definition = sig.receiver().is_none().then(|| emit::failed_definition(sig, vis));
    quote! {
        #errors
        #definition
        #[allow(unused_variables, unused_mut, dead_code)]
        #vis #unsafety fn #name #generics (#inputs) -> ::swathe::Result<#result> #where_clause {
            ::swathe::__rt::core::unreachable!()
        }
    }
}

/// Writes what a field holds for the integers that it does not, in the types of arrays: they have been refused.
struct HeldElements;

impl VisitMut for HeldElements {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        match hir::types::is_array(ty) {
            true => {
                while let Some(integer) = hir::types::host_integer_of(ty) {
                    *integer = syn::parse_quote!(u64);
                }
            }
            false => syn::visit_mut::visit_type_mut(self, ty),
        }
    }
}
