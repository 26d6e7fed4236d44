//! Operators of the user's own: implementations of the traits of `std::ops` and `std::cmp` under `#[func]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::access::respanned;
use super::{at, method, probe};
use crate::hir::Func;

/// Traits, the module that they are in, whether they have operands on the right and an `Output`, and the methods that operators call.
const TRAITS: [(&str, &str, bool, bool, &[&str]); 24] = [
    ("Add", "ops", true, true, &["add"]),
    ("Sub", "ops", true, true, &["sub"]),
    ("Mul", "ops", true, true, &["mul"]),
    ("Div", "ops", true, true, &["div"]),
    ("Rem", "ops", true, true, &["rem"]),
    ("BitAnd", "ops", true, true, &["bitand"]),
    ("BitOr", "ops", true, true, &["bitor"]),
    ("BitXor", "ops", true, true, &["bitxor"]),
    ("Shl", "ops", true, true, &["shl"]),
    ("Shr", "ops", true, true, &["shr"]),
    ("AddAssign", "ops", true, false, &["add_assign"]),
    ("SubAssign", "ops", true, false, &["sub_assign"]),
    ("MulAssign", "ops", true, false, &["mul_assign"]),
    ("DivAssign", "ops", true, false, &["div_assign"]),
    ("RemAssign", "ops", true, false, &["rem_assign"]),
    ("BitAndAssign", "ops", true, false, &["bitand_assign"]),
    ("BitOrAssign", "ops", true, false, &["bitor_assign"]),
    ("BitXorAssign", "ops", true, false, &["bitxor_assign"]),
    ("ShlAssign", "ops", true, false, &["shl_assign"]),
    ("ShrAssign", "ops", true, false, &["shr_assign"]),
    ("PartialEq", "cmp", true, false, &["eq", "ne"]),
    ("PartialOrd", "cmp", true, false, &["lt", "le", "gt", "ge"]),
    ("Neg", "ops", false, true, &["neg"]),
    ("Not", "ops", false, true, &["not"]),
];

/// The trait of operators that an `impl` block implements.
pub struct Operators<'i> {
    path: &'i syn::Path,
    item: &'i syn::ItemImpl,
    module: &'static str,
    two: bool,
    output: bool,
    methods: &'static [&'static str],
}

/// Whether an `impl` block is one of a trait of operators.
pub fn is_operator(item: &syn::ItemImpl) -> bool {
    Operators::of(item).is_some()
}

/// Whether kernels know a method of an `impl` block: of a trait of operators those that operators call. `partial_cmp` stays the host's.
pub fn is_known(item: &syn::ItemImpl, method: &Ident) -> bool {
    Operators::of(item).is_none_or(|operators| operators.has(method))
}

/// Writes the `ne` that Rust gives an implementation of `PartialEq` without one: kernels know what stands in the block.
pub fn complete(item: &mut syn::ItemImpl) {
    let is_equality = Operators::of(item).is_some_and(|operators| operators.has(&Ident::new("ne", Span::call_site())));
    let methods = || {
        item.items.iter().filter_map(|member| match member {
            syn::ImplItem::Fn(f) => Some(f),
            _ => None,
        })
    };
    let Some(eq) = methods().find(|f| f.sig.ident == "eq") else {
        return;
    };
    if !is_equality || methods().any(|f| f.sig.ident == "ne") {
        return;
    }
    let mut ne = eq.clone();
    ne.sig.ident = Ident::new("ne", eq.sig.ident.span());
    let Some(syn::FnArg::Typed(other)) = ne.sig.inputs.iter_mut().nth(1) else {
        return;
    };
    *other.pat = syn::parse_quote!(other);
    ne.attrs.push(syn::parse_quote!(#[allow(clippy::partialeq_ne_impl)]));
    ne.block = syn::parse_quote!({ !(*self == *other) });
    item.items.push(syn::ImplItem::Fn(ne));
}

impl<'i> Operators<'i> {
    pub fn of(item: &'i syn::ItemImpl) -> Option<Operators<'i>> {
        let path = &item.trait_.as_ref()?.0;
        let name = &path.segments.last()?.ident;
        let found = TRAITS.iter().find(|(known, ..)| name == known);
        found.map(|&(_, module, two, output, methods)| Operators {
            path,
            item,
            module,
            two,
            output,
            methods,
        })
    }

    /// Whether an operator calls the method.
    pub fn has(&self, method: &Ident) -> bool {
        self.methods.iter().any(|known| method == known)
    }

    /// The type of the right operand.
    fn right(&self) -> TokenStream {
        let args = match self.path.segments.last().map(|last| &last.arguments) {
            Some(syn::PathArguments::AngleBracketed(args)) => args.args.first(),
            _ => None,
        };
        match args {
            Some(syn::GenericArgument::Type(ty)) => quote!(#ty),
            _ if self.two => {
                let ty = &self.item.self_ty;
                quote!(#ty)
            }
            _ => quote!(()),
        }
    }

    /// What kernels know of a method.
    pub fn implementation(&self, func: &Func) -> TokenStream {
        let id = method::id(&func.name);
        let (load, allow) = (probe::instance(func), probe::allow());
        let (generics, self_ty, where_clause) = (
            &self.item.generics,
            &self.item.self_ty,
            &self.item.generics.where_clause,
        );
        let right = self.right();
        let mut bare: syn::Type = syn::parse_quote!(#right);
        let mut borrowed = 0_u8;
        while let syn::Type::Reference(reference) = bare {
            bare = *reference.elem;
            borrowed += 1;
        }
        let unlisted = super::unlisted();
        quote! {
            #unlisted
            impl #generics ::swathe::__rt::Operator<#id, #right> for #self_ty #where_clause {
                fn callee() -> ::swathe::__rt::Callee {
                    ::swathe::__rt::operator_callee::<#id, Self, #bare>(
                        #borrowed,
                        <Self as ::swathe::__rt::Operator<#id, #right>>::load,
                    )
                }
                #allow
                fn load() -> ::swathe::__rt::Instance {
                    #load
                }
            }
        }
    }

    /// That there is one, in the place of one with errors.
    pub fn failed(&self, method: &Ident) -> TokenStream {
        let id = method::id(method);
        let (generics, self_ty, right) = (&self.item.generics, &self.item.self_ty, self.right());
        let where_clause = &generics.where_clause;
        quote! {
            impl #generics ::swathe::__rt::Operator<#id, #right> for #self_ty #where_clause {}
        }
    }

    /// Has rustc say that the trait is that of the standard library: what else has its name is called by no operator.
    pub fn confirmed(&self) -> TokenStream {
        let mut path = self.path.clone();
        let Some(last) = path.segments.last_mut() else {
            return TokenStream::new();
        };
        let args = match (self.two, self.output) {
            (true, true) => quote!(<(), Output = ()>),
            (true, false) => quote!(<()>),
            (false, _) => quote!(<Output = ()>),
        };
        last.arguments = syn::PathArguments::None;
        let span = at(last.ident.span());
        let (name, module) = (Ident::new(&last.ident.to_string(), span), Ident::new(self.module, span));
        let args = respanned(args, span);
        quote_spanned!(span=>
            const _: fn() = || ::swathe::__rt::same_trait::<dyn #path #args, dyn ::swathe::__rt::core::#module::#name #args>();
        )
    }
}
