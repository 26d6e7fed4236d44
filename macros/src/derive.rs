//! `#[derive(Element)]`.

mod enumeration;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;

use crate::emit;
use crate::error::{Errors, compile_error};
use crate::groups::Parenthesize;
use crate::hir::member_name;
use crate::hir::types::{host_integer, host_integer_text};
use crate::meaning::{self, is_named};

pub fn element(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    match syn::parse2::<syn::DeriveInput>(item) {
        Ok(mut input) => {
            Parenthesize.visit_derive_input_mut(&mut input);
            if let syn::Data::Enum(data) = &input.data {
                return enumeration(&input, data, errors);
            }
            let derived = derived(&input, &mut errors);
            match members(&input, &mut errors).filter(|_| errors.is_empty()) {
                Some(fields) => {
                    let generics = bounded(&input, fields);
                    let element = implementation(&input, &generics, fields);
                    let derived = derived
                        .iter()
                        .map(|(derived, at)| derived.implementation(*at, &input, &generics, fields));
                    quote!(#element #(#derived)*)
                }
                None => errors.into_tokens(),
            }
        }
        Err(error) => compile_error(&error),
    }
}

fn enumeration(input: &syn::DeriveInput, data: &syn::DataEnum, mut errors: Errors) -> TokenStream {
    enumeration::refuse(input, data, &mut errors);
    match errors.is_empty() {
        true => enumeration::implementation(input, data),
        false => errors.into_tokens(),
    }
}

fn members<'i>(input: &'i syn::DeriveInput, errors: &mut Errors) -> Option<&'i syn::Fields> {
    for generic in &input.generics.params {
        if let syn::GenericParam::Lifetime(l) = generic {
            errors.on(l, "an element of a field cannot hold references");
            return None;
        }
    }
    for attr in &input.attrs {
        if is_named(attr, "repr") && quote!(#attr).to_string().contains("packed") {
            errors.on(
                attr,
                "an element of a field cannot be packed: a view of one member hands out aligned places",
            );
            return None;
        }
    }
    meaning::of_element(input, errors);
    if !errors.is_empty() {
        return None;
    }
    match &input.data {
        syn::Data::Struct(syn::DataStruct { fields, .. }) => {
            let mut elements = true;
            for field in fields {
                if let Some(integer) = host_integer(&mut field.ty.clone()) {
                    errors.on(&*integer, host_integer_text(integer));
                    elements = false;
                }
            }
            elements.then_some(fields)
        }
        // It has no members.
        syn::Data::Enum(_) => None,
        syn::Data::Union(data) => {
            errors.on(
                data.union_token,
                "a union cannot be an element of a field: use a struct",
            );
            None
        }
    }
}

/// Traits that `#[element(..)]` names, to be implemented member by member for host and kernels.
#[derive(Clone, Copy, PartialEq)]
enum Derived {
    PartialEq,
    Default,
    Differentiable,
}

/// What the struct asks for. An implementation by `#[derive]` cannot be told from one that is written by hand, so kernels have those that are made here.
fn derived(input: &syn::DeriveInput, errors: &mut Errors) -> Vec<(Derived, Span)> {
    let mut found: Vec<(Derived, Span)> = Vec::new();
    for attr in input.attrs.iter().filter(|attr| is_named(attr, "element")) {
        let paths = attr.parse_args_with(Punctuated::<syn::Path, syn::Token![,]>::parse_terminated);
        let paths = match paths {
            Ok(paths) => paths,
            Err(_) => {
                errors.on(attr, TRAITS);
                continue;
            }
        };
        for path in paths {
            let derived = match path.get_ident() {
                Some(name) if name == "PartialEq" => Derived::PartialEq,
                Some(name) if name == "Default" => Derived::Default,
                Some(name) if name == "Differentiable" => Derived::Differentiable,
                _ => {
                    errors.on(&path, TRAITS);
                    continue;
                }
            };
            if found.iter().all(|(other, _)| *other != derived) {
                found.push((derived, path.span()));
            }
        }
    }
    found
}

const TRAITS: &str = "write `#[element(PartialEq)]`, `#[element(Default)]` or `#[element(Differentiable)]`, or several in one, `#[element(PartialEq, Default)]`";

impl Derived {
    /// The implementation that `#[derive]` would write, under `#[func]`.
    fn implementation(
        self,
        at: Span,
        input: &syn::DeriveInput,
        generics: &syn::Generics,
        fields: &syn::Fields,
    ) -> TokenStream {
        if self == Derived::Differentiable {
            return differentiable(input, generics, fields);
        }
        let (name, mut generics) = (&input.ident, generics.clone());
        let rt = quote!(::swathe::__rt);
        for param in generics
            .type_params_mut()
            .filter(|param| !is_phantom(fields, &param.ident))
        {
            let ident = &param.ident;
            let eq = Literal::u64_unsuffixed(swathe_ir::method_id("eq"));
            let bounds: Vec<syn::TypeParamBound> = match self {
                Derived::PartialEq => vec![
                    syn::parse_quote!(#rt::core::cmp::PartialEq),
                    syn::parse_quote!(#rt::Operator<#eq, #ident>),
                ],
                Derived::Default => vec![
                    syn::parse_quote!(#rt::core::default::Default),
                    syn::parse_quote!(#rt::DefaultMethods),
                ],
                Derived::Differentiable => Vec::new(),
            };
            param.bounds.extend(bounds);
        }
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let members = fields.iter().zip(fields.members());
        let (path, body) = match self {
            Derived::PartialEq => {
                let equal = members.map(|(field, member)| {
                    // A macro that writes the struct may not see `self` and `other`.
                    let at = field.ty.span().resolved_at(Span::call_site());
                    quote_spanned!(at=> self.#member == other.#member)
                });
                let equal: Vec<TokenStream> = equal.collect();
                let equal = match equal.is_empty() {
                    true => quote!(true),
                    false => quote!(#(#equal)&&*),
                };
                (
                    quote_spanned!(at=> #rt::core::cmp::PartialEq),
                    quote! {
                        #[inline]
                        fn eq(&self, other: &Self) -> #rt::core::primitive::bool { #equal }
                    },
                )
            }
            Derived::Default => {
                let members = members.map(|(field, member)| {
                    let ty = &field.ty;
                    let default = quote_spanned!(ty.span()=> <#ty as #rt::DefaultMethods>::default);
                    quote!(#member: #default())
                });
                (
                    quote_spanned!(at=> #rt::core::default::Default),
                    quote! {
                        #[inline]
                        fn default() -> Self { Self { #(#members),* } }
                    },
                )
            }
            Derived::Differentiable => return TokenStream::new(),
        };
        quote! {
            #[automatically_derived]
            #[::swathe::func]
            impl #impl_generics #path for #name #type_generics #where_clause { #body }
        }
    }
}

/// Gradients of a struct, member by member.
fn differentiable(input: &syn::DeriveInput, generics: &syn::Generics, fields: &syn::Fields) -> TokenStream {
    // The functions are parts of an implementation of a public trait: as visible as the struct.
    let (name, vis, mut generics) = (&input.ident, &input.vis, generics.clone());
    for param in generics
        .type_params_mut()
        .filter(|param| !is_phantom(fields, &param.ident))
    {
        param
            .bounds
            .push(syn::parse_quote!(::swathe::derivative::Differentiable));
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let turbofish = type_generics.as_turbofish();
    let members: Vec<syn::Member> = fields.members().collect();
    let types: Vec<&syn::Type> = fields.iter().map(|field| &field.ty).collect();
    let zeros = fields.iter().zip(&members).map(|(field, member)| {
        let zero = quote_spanned!(field.ty.span().resolved_at(Span::call_site())=> ::swathe::derivative::zero);
        quote!(#member: #zero(value.#member))
    });
    let sums = members
        .iter()
        .map(|member| quote!(#member: ::swathe::derivative::accumulate(a.#member, b.#member)));
    quote! {
        const _: () = {
            #[::swathe::func]
            #[inline(always)]
            #vis fn zero #impl_generics (value: #name #type_generics) -> #name #type_generics #where_clause {
                #name #turbofish { #(#zeros),* }
            }

            #[::swathe::func]
            #[inline(always)]
            #vis fn accumulate #impl_generics (a: #name #type_generics, b: #name #type_generics) -> #name #type_generics #where_clause {
                #name #turbofish { #(#sums),* }
            }

            impl #impl_generics ::swathe::derivative::Differentiable for #name #type_generics #where_clause {
                const ACTIVE: ::swathe::__rt::core::primitive::bool = false #(|| <#types as ::swathe::derivative::Differentiable>::ACTIVE)*;
                type Zero = zero #type_generics;
                type Accumulate = accumulate #type_generics;

                #[inline(always)]
                fn zero(self) -> Self {
                    zero #turbofish(self)
                }

                #[inline(always)]
                fn accumulate(self, by: Self) -> Self {
                    accumulate #turbofish(self, by)
                }
            }
        };
    }
}

/// Whether members hold none of a parameter.
fn is_phantom(fields: &syn::Fields, param: &syn::Ident) -> bool {
    !fields.iter().any(|field| is_made_of(&field.ty, param))
}

/// The parameters of the struct with what the members ask of them.
fn bounded(input: &syn::DeriveInput, fields: &syn::Fields) -> syn::Generics {
    let (name, (_, type_generics, _)) = (&input.ident, input.generics.split_for_impl());
    let mut generics = input.generics.clone();
    let mut copied = None;
    for param in generics.type_params_mut() {
        let phantom = is_phantom(fields, &param.ident);
        param.bounds.extend(match phantom {
            true => [
                quote!(::swathe::__rt::core::marker::Send),
                quote!(::swathe::__rt::core::marker::Sync),
                quote!('static),
            ]
            .map(|bound| -> syn::TypeParamBound { syn::parse_quote!(#bound) })
            .to_vec(),
            false => vec![syn::parse_quote!(::swathe::Element)],
        });
        // What the struct is copied by may ask it of this parameter, too.
        copied = copied.or(phantom.then(|| quote!(#name #type_generics: ::swathe::__rt::core::marker::Copy)));
    }
    if let Some(copied) = copied {
        let clause: syn::WherePredicate = syn::parse_quote!(#copied);
        generics.make_where_clause().predicates.push(clause);
    }
    generics
}

fn implementation(input: &syn::DeriveInput, generics: &syn::Generics, fields: &syn::Fields) -> TokenStream {
    let name = &input.ident;
    let text = name.to_string();
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let members = fields.iter().zip(fields.members()).map(|(field, ident)| {
        let (member, ty) = (member_name(&ident), &field.ty);
        quote! {
            ::swathe::__rt::Member {
                name: ::swathe::__rt::std::borrow::ToOwned::to_owned(#member),
                ty: <#ty as ::swathe::KernelType>::ty(),
                offset: ::swathe::__rt::core::mem::offset_of!(Self, #ident),
            }
        }
    });
    // At the type, where rustc then says once that it is no element.
    let gathered = fields.iter().zip(fields.members()).map(|(field, ident)| {
        let ty = &field.ty;
        let element = quote_spanned!(ty.span()=> <#ty as ::swathe::Element>::gather);
        quote!(#ident: #element(__from.member(::swathe::__rt::core::mem::offset_of!(Self, #ident))))
    });
    let scattered = fields.iter().zip(fields.members()).map(|(field, ident)| {
        let ty = &field.ty;
        let element = quote_spanned!(ty.span()=> <#ty as ::swathe::Element>::scatter);
        quote!(#element(self.#ident, __to.member(::swathe::__rt::core::mem::offset_of!(Self, #ident)));)
    });
    let uniform = fields.iter().map(|field| {
        let ty = &field.ty;
        let uniform = quote_spanned!(ty.span()=> <#ty as ::swathe::Element>::UNIFORM);
        quote!((::swathe::__rt::core::mem::size_of::<#ty>(), #uniform))
    });
    let (at_once, with_type) = match input.generics.params.is_empty() {
        true => (layout_checks(&quote!(#name), fields), quote!()),
        false => (quote!(), layout_checks(&quote!(Self), fields)),
    };
    let (all, unlisted) = (struct_pattern(fields), emit::unlisted());
    quote! {
        #[allow(deprecated)]
        const _: () = {
            const _: () = { #at_once };

            // SAFETY: the layout is the one that rustc reports.
            #unlisted
            unsafe impl #impl_generics ::swathe::KernelType for #name #type_generics #where_clause {
                fn ty() -> ::swathe::__rt::Type {
                    const { #with_type }
                    // In a function without `unsafe`, where a union's members cannot be read.
                    let _ = |__swathe_element: Self| { let #all = __swathe_element; };
                    ::swathe::__rt::Type::Struct(::swathe::__rt::std::boxed::Box::new(::swathe::__rt::Struct {
                        name: ::swathe::__rt::std::borrow::ToOwned::to_owned(#text),
                        path: ::swathe::__rt::std::borrow::ToOwned::to_owned(::swathe::__rt::core::any::type_name::<Self>()),
                        members: ::swathe::__rt::std::vec![#(#members),*],
                        size: ::swathe::__rt::core::mem::size_of::<Self>(),
                        align: ::swathe::__rt::core::mem::align_of::<Self>(),
                    }))
                }

                #[inline(always)]
                unsafe fn from_lane(__from: ::swathe::__rt::Planes) -> Self {
                    // SAFETY: by the caller's word; the planes are those of an element.
                    unsafe { <Self as ::swathe::Element>::gather(__from) }
                }

                #[inline(always)]
                unsafe fn to_lane(self, __to: ::swathe::__rt::Planes) {
                    // SAFETY: as above.
                    unsafe { <Self as ::swathe::Element>::scatter(self, __to) }
                }
            }
            // SAFETY: every member is an element, so all bytes zero are a value of each and none holds a pointer; the
            // layout is the one that rustc reports.
            #unlisted
            unsafe impl #impl_generics ::swathe::Element for #name #type_generics #where_clause {
                const UNIFORM: ::swathe::__rt::core::primitive::usize = ::swathe::__rt::uniform(::swathe::__rt::core::mem::size_of::<Self>(), &[#(#uniform),*]);

                #[inline(always)]
                unsafe fn gather(__from: ::swathe::__rt::Planes) -> Self {
                    // SAFETY: the members are those of this type.
                    unsafe { #name { #(#gathered),* } }
                }
                #[inline(always)]
                unsafe fn scatter(self, __to: ::swathe::__rt::Planes) {
                    // SAFETY: as above.
                    unsafe { #(#scattered)* }
                }
            }
            // A kernel's `f[i].x` must be the member that it names, not one of what the element derefs to.
            impl #impl_generics ::swathe::__rt::ElementsDoNotImplementDeref for #name #type_generics #where_clause {}
        };
    }
}

/// Whether a type names a parameter elsewhere than in a `PhantomData<..>`, which holds none of it. Rustc has the last word: a type of that
/// name which is not that of `std` is an element if its own bounds are met.
fn is_made_of(ty: &syn::Type, param: &syn::Ident) -> bool {
    struct Search<'p> {
        param: &'p syn::Ident,
        found: bool,
    }
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_path(&mut self, path: &'a syn::Path) {
            if path.segments.last().is_some_and(|last| last.ident != "PhantomData") {
                visit::visit_path(self, path);
            }
        }
        fn visit_ident(&mut self, ident: &'a syn::Ident) {
            self.found |= ident == self.param;
        }
    }
    let mut search = Search { param, found: false };
    search.visit_type(ty);
    search.found
}

/// A pattern of all members, bound by value: rustc refuses that of a union where no `unsafe` stands.
/// Another attribute may have written a union in the place of the struct, and members of a union share their bytes.
fn struct_pattern(fields: &syn::Fields) -> TokenStream {
    let members = fields.members().enumerate().map(|(k, ident)| {
        let name = format_ident!("__swathe_{k}");
        // With an `@` it would be no constant of the program's; the names are ours, too.
        quote!(#ident: #name @ _)
    });
    quote!(Self { #(#members),* })
}

/// Asserts what the derive cannot read: other attributes may change the struct after it, and alignments of members are types' own.
fn layout_checks(this: &TokenStream, fields: &syn::Fields) -> TokenStream {
    let aligned = fields.iter().zip(fields.members()).map(|(field, ident)| {
        let ty = &field.ty;
        let align = quote!(::swathe::__rt::core::mem::align_of);
        quote!(
            ::swathe::__rt::core::mem::offset_of!(#this, #ident) % #align::<#ty>() == 0 && #align::<#ty>() <= #align::<#this>()
        )
    });
    quote! {
        ::swathe::__rt::core::assert!(
            true #(&& #aligned)*,
            "an element of a field cannot be packed: a view of one member hands out aligned places"
        );
        ::swathe::__rt::core::assert!(
            ::swathe::__rt::core::mem::align_of::<#this>() <= ::swathe::__rt::MOST_ALIGNED,
            "an element of a field is aligned to 64 bytes at most, as the memory of fields is"
        );
    }
}
