//! `#[derive(Element)]` on an enum without data.
//!
//! Another attribute may have changed the enum after the derive was given it, and what rustc makes of it in memory is its own. So all that
//! the library takes for granted is asked of rustc, in constants and in a `match`.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use crate::emit;
use crate::error::Errors;
use crate::meaning::is_named;

/// Refuses what is no enum of numbers.
pub fn refuse(input: &syn::DeriveInput, data: &syn::DataEnum, errors: &mut Errors) {
    let name = &input.ident;
    for attr in input.attrs.iter().filter(|attr| is_named(attr, "element")) {
        errors.on(
            attr,
            "`#[element(..)]` stands above structs: an enum derives `PartialEq`, and for `default` write `#[func]` above an `impl Default`",
        );
    }
    if let Some(variant) = data
        .variants
        .iter()
        .find(|variant| !matches!(variant.fields, syn::Fields::Unit))
    {
        let text = match variant.fields.is_empty() {
            true => "an enum that is an element has values without parentheses and braces",
            false => {
                "an enum with data cannot be an element of a field: use one without data, and a struct of it and what goes with its values"
            }
        };
        errors.on(&variant.fields, text);
    } else if let Some(parameter) = input.generics.params.first() {
        errors.on(parameter, "an enum that is an element has no parameters");
    } else if let Some(clause) = &input.generics.where_clause {
        errors.on(clause, "an enum that is an element has no `where`");
    } else if data.variants.is_empty() {
        errors.on(
            name,
            "an enum that is an element has a value that is 0, as which fields begin",
        );
    } else if let Some(attr) = input.attrs.iter().find(|attr| is_aligned(attr)) {
        errors.on(
            attr,
            "an enum that is an element is aligned as its integer: put it in a struct that is aligned",
        );
    }
}

fn is_aligned(attr: &syn::Attribute) -> bool {
    let aligned = |list: &syn::MetaList| {
        let named = |token| matches!(token, proc_macro2::TokenTree::Ident(name) if name == "align");
        list.tokens.clone().into_iter().any(named)
    };
    is_named(attr, "repr") && attr.meta.require_list().is_ok_and(aligned)
}

pub fn implementation(input: &syn::DeriveInput, data: &syn::DataEnum) -> TokenStream {
    let name = &input.ident;
    let text = name.to_string();
    let variants: Vec<&syn::Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let texts = variants
        .iter()
        .map(|variant| syn::ext::IdentExt::unraw(*variant).to_string());
    let first = variants[0];
    let (rt, unlisted) = (quote!(::swathe::__rt), emit::unlisted());
    let core = quote!(#rt::core);
    let at = name.span().resolved_at(proc_macro2::Span::call_site());
    let sizes = quote_spanned!(at=> #core::assert!(
        #rt::enumeration::fits(__SIZE),
        "an enum that is an element has 1, 2, 4 or 8 bytes: write `#[repr(u8)]` above it, or another integer"
    ));
    let zero = quote_spanned!(at=> #core::assert!(
        #rt::enumeration::contains(&__NUMBERS, 0),
        "an enum that is an element has a value that is 0, as which fields begin: give one the discriminant `= 0`"
    ));
    // The constant's type has to be one that rustc compares itself: `PartialEq` is derived.
    let compared = quote_spanned!(at=> __FIRST);
    let operators = ["eq", "ne"].map(|method| {
        let id = Literal::u64_unsuffixed(swathe_ir::method_id(method));
        quote!(#unlisted impl #rt::Operator<#id, #name> for #name {})
    });
    quote! {
        #[allow(deprecated)]
        const _: () = {
            const __SIZE: #core::primitive::usize = #core::mem::size_of::<#name>();
            const __VALUES: &[#name] = &[#(#name::#variants),*];

            // All values there are, or rustc says which one is missing.
            const fn __number(__value: #name) -> #core::primitive::i128 {
                match __value {
                    #(#name::#variants => #name::#variants as #core::primitive::i128,)*
                }
            }

            const __NUMBERS: [#core::primitive::i128; __VALUES.len()] = {
                let mut numbers = [0; __VALUES.len()];
                let mut k = 0;
                while k < numbers.len() {
                    numbers[k] = __number(__VALUES[k]);
                    k += 1;
                }
                numbers
            };
            const __SIGNED: #core::primitive::bool = #rt::enumeration::signed(&__NUMBERS);
            type __Number = <#rt::enumeration::NumberOf<__SIZE, __SIGNED> as #rt::enumeration::IsNumber>::Is;

            const _: () = {
                #sizes;
                #zero;
                let mut k = 0;
                while k < __VALUES.len() {
                    // SAFETY: bytes of this size; rustc says so here if one of them is not written.
                    let bytes = unsafe { #core::mem::transmute::<#name, [#core::primitive::u8; __SIZE]>(__VALUES[k]) };
                    #core::assert!(
                        #rt::enumeration::integer(&bytes, __SIGNED) == __NUMBERS[k],
                        "an enum that is an element is its discriminant in memory"
                    );
                    k += 1;
                }
            };

            const __FIRST: #name = #name::#first;
            #[allow(unreachable_patterns)]
            const fn __compared(__value: #name) -> #core::primitive::bool {
                match __value {
                    #compared => true,
                    _ => false,
                }
            }
            const _: #core::primitive::bool = __compared(__FIRST);

            // SAFETY: a constant above asks rustc whether each value is its discriminant in memory, as the integer of its size.
            #unlisted
            unsafe impl #rt::Enumeration for #name {
                type Number = __Number;

                #[inline(always)]
                fn number(self) -> __Number {
                    self as __Number
                }
            }

            // SAFETY: the integer of the enum's size, of which the type lists the values.
            #unlisted
            unsafe impl ::swathe::KernelType for #name {
                fn ty() -> #rt::Type {
                    #rt::enumeration::ty::<Self>(#text, &[#(#texts),*], &__NUMBERS)
                }
            }

            // SAFETY: as above; a constant above asks whether 0 is a value.
            #unlisted
            unsafe impl ::swathe::Element for #name {
                const UNIFORM: #core::primitive::usize = __SIZE;
            }

            #(#operators)*

            impl ::swathe::derivative::Differentiable for #name {
                const ACTIVE: #core::primitive::bool = false;
                type Zero = #rt::zero_enum<#name>;
                type Accumulate = #rt::first<#name>;

                #[inline(always)]
                fn zero(self) -> Self {
                    <Self as #rt::Enumeration>::ZERO
                }

                #[inline(always)]
                fn accumulate(self, _: Self) -> Self {
                    self
                }
            }

            // No `f[i].x` is a member of what the element derefs to.
            impl #rt::ElementsDoNotImplementDeref for #name {}
        };
    }
}
