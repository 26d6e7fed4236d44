//! What a function of integers gives along a row, as Rust: a function of what its arguments are there.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use swathe_ir::LocalId;

use super::lanes::{any, beside};
use super::probe;
use crate::budget::CALLS;
use crate::hir::Func;
use crate::plan::given::{Block, Condition, Given, Step, Value};
use crate::plan::setting;

/// Whether a function tells what it gives along a row: a constant.
pub fn tells(path: &syn::ExprPath) -> TokenStream {
    told_to(path, &Literal::u32_suffixed(CALLS).into_token_stream())
}

/// The same in a function that may call itself, which rustc reports elsewhere.
fn told_to(path: &syn::ExprPath, depth: &TokenStream) -> TokenStream {
    beside(path, |callee| quote!(#callee::__gives(#depth)), false)
}

/// What the struct beside a function tells of its result, and whether it does, which depends on its callees.
pub fn told(func: &Func, item: &syn::ItemFn) -> (TokenStream, TokenStream) {
    let plain = item.sig.generics.params.is_empty();
    let Some(given) = Given::of(func).filter(|_| plain) else {
        let (name, any, allow) = (&func.name, any(item), probe::allow());
        let untold = quote! {
            impl #name #any {
                #[doc(hidden)]
                #[inline]
                #allow
                pub fn __given(__inside: &mut ::swathe::__rt::Inside, _: &[::swathe::__rt::Line]) -> ::swathe::__rt::Given {
                    ::swathe::__rt::Inside::untold(__inside)
                }
            }
        };
        return (untold, quote!(false));
    };
    let (callees, items) = (given.callees.iter(), &func.items);
    let callees = callees.map(|path| told_to(path, &quote!(__depth - 1)));
    let gives = quote!({ #(#items)* true #(&& #callees)* });
    (function(func, item, &given), gives)
}

fn function(func: &Func, item: &syn::ItemFn, given: &Given<'_>) -> TokenStream {
    let (name, any, allow, items) = (&func.name, any(item), probe::allow(), &func.items);
    let params = given.params.iter().enumerate().map(|(k, (id, ty))| {
        let name = name_of(*id);
        quote!(let mut #name = ::swathe::__rt::Inside::parameter::<#ty>(__inside, __args, #k);)
    });
    let result = given.result;
    let body = block(&given.body, result);
    // Each row asks. Functions that call one another would grow with each of them.
    let inline = match given.callees.is_empty() && setting::optimised() {
        true => quote!(#[inline(always)]),
        false => quote!(#[inline]),
    };
    quote! {
        impl #name #any {
            #[doc(hidden)]
            #inline
            #allow
            pub fn __given(__inside: &mut ::swathe::__rt::Inside, __args: &[::swathe::__rt::Line]) -> ::swathe::__rt::Given {
                #(#items)*
                #(#params)*
                let __value: ::swathe::__rt::Line = #body;
                ::swathe::__rt::Inside::result::<#result>(__inside, __value)
            }
        }
    }
}

fn name_of(id: LocalId) -> Ident {
    format_ident!("__v{}", id.0)
}

fn block(block: &Block<'_>, result: &syn::Type) -> TokenStream {
    let steps = block.steps.iter().map(|s| step(s, result));
    let last = block.value.as_ref().map(|v| value(v, result));
    quote!({ #(#steps)* #last })
}

fn step(step: &Step<'_>, result: &syn::Type) -> TokenStream {
    match step {
        Step::Let(id, v) => {
            let (name, v) = (name_of(*id), value(v, result));
            quote!(let mut #name: ::swathe::__rt::Line = #v;)
        }
        Step::Truth(id, c) => {
            let (name, c) = (name_of(*id), condition(c, result));
            quote!(let #name = #c;)
        }
        Step::Set(id, v) => {
            let (name, v) = (name_of(*id), value(v, result));
            quote!(#name = #v;)
        }
        Step::Update(name, ty, id, v) => {
            let (function, name, v) = (format_ident!("{}", name), name_of(*id), value(v, result));
            quote!(
                let __value = #v;
                #name = ::swathe::__rt::Inside::#function::<#ty>(__inside, #name, __value);
            )
        }
        Step::If(c, then, otherwise) => {
            let (c, then, otherwise) = (condition(c, result), block(then, result), block(otherwise, result));
            quote!(if #c #then else #otherwise)
        }
        Step::Return(v) => {
            let v = value(v, result);
            quote!(
                let __value = #v;
                return ::swathe::__rt::Inside::result::<#result>(__inside, __value);
            )
        }
        Step::Fail => quote!(return ::swathe::__rt::Inside::untold(__inside);),
    }
}

fn value(of: &Value<'_>, result: &syn::Type) -> TokenStream {
    match of {
        Value::Local(id) => name_of(*id).into_token_stream(),
        Value::Number(number) => {
            let number = Literal::i64_unsuffixed(*number);
            quote!(::swathe::__rt::Inside::amount(__inside, #number))
        }
        Value::Const(path) => quote!(::swathe::__rt::Inside::any(__inside, #path)),
        Value::Operation(name, ty, operands) => {
            let ty = ty.map(|ty| quote!(::<#ty>));
            let called = format_ident!("{}", name);
            asked(&quote!(::swathe::__rt::Inside::#called #ty), operands, result)
        }
        Value::Quotient(ty, of, by) => {
            let (of, by) = (value(of, result), Literal::i64_unsuffixed(*by));
            quote!({
                let __a0 = #of;
                ::swathe::__rt::Inside::div::<#ty>(__inside, __a0, #by)
            })
        }
        Value::Call(path, args) => {
            let args = args.iter().map(|arg| value(arg, result));
            let given = beside(path, |callee| quote!(#callee::__given(__inside, &__args)), false);
            quote!({
                let __args = [#(#args),*];
                let __given = #given;
                ::swathe::__rt::Given::line(__given)
            })
        }
        Value::Truth(c) => {
            let c = condition(c, result);
            quote!({
                let __truth: ::swathe::__rt::core::primitive::bool = #c;
                ::swathe::__rt::Inside::amount(__inside, __truth as ::swathe::__rt::core::primitive::i64)
            })
        }
        Value::If(c, then, otherwise) => {
            let (c, then, otherwise) = (condition(c, result), block(then, result), block(otherwise, result));
            quote!(if #c #then else #otherwise)
        }
        Value::Block(inner) => block(inner, result),
    }
}

fn condition(of: &Condition<'_>, result: &syn::Type) -> TokenStream {
    match of {
        Condition::Literal(truth) => quote!(#truth),
        Condition::Local(id) => name_of(*id).into_token_stream(),
        Condition::Compared {
            name,
            values,
            turned,
            holds,
        } => {
            let name = format_ident!("{}", name);
            let [a, b] = [&values[0], &values[1]].map(|v| value(v, result));
            let operands = if *turned {
                quote!(__a1, __a0)
            } else {
                quote!(__a0, __a1)
            };
            quote!(({
                let (__a0, __a1) = (#a, #b);
                ::swathe::__rt::Inside::#name(__inside, #operands)
            } == #holds))
        }
        Condition::Not(a) => {
            let a = condition(a, result);
            quote!((!#a))
        }
        Condition::And(both) => {
            let (a, b) = (condition(&both[0], result), condition(&both[1], result));
            quote!((#a && #b))
        }
        Condition::Or(both) => {
            let (a, b) = (condition(&both[0], result), condition(&both[1], result));
            quote!((#a || #b))
        }
    }
}

/// A question, with its operands in front of it: each asks the same part of a row.
fn asked(question: &TokenStream, operands: &[Value<'_>], result: &syn::Type) -> TokenStream {
    let names: Vec<Ident> = (0..operands.len()).map(|k| format_ident!("__a{k}")).collect();
    let operands = operands.iter().map(|operand| value(operand, result));
    quote!({
        let (#(#names,)*) = (#(#operands,)*);
        #question(__inside, #(#names),*)
    })
}
