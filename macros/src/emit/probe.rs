//! The function that joins a kernel's IR with the types that rustc infers.

use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use swathe_ir::{FuncKind, ParamKind};
use syn::spanned::Spanned;

use super::item::behind_items;
use super::print::{Mode, Printer};
use super::{closure_slots, method, rank_name, type_slot};
use crate::hir::{CalleeQuery, Func, Literals};

/// The body of `fn load() -> Instance`.
pub fn instance(func: &Func) -> TokenStream {
    let printer = Printer::new(func, Mode::Probe);
    let items = &func.items;
    // What the signature names is not what items of the body name.
    let (mut types, mut inner) = (Vec::new(), Vec::new());
    for (k, written) in func.slots.types.iter().enumerate() {
        let slot = format_ident!("__t{}", k);
        match written {
            Some(ty) if k < func.slots.of_signature => {
                types.push(quote_spanned!(ty.span()=> let #slot = ::swathe::__rt::type_of::<#ty>();));
                continue;
            }
            Some(ty) => inner
                .push(quote_spanned!(ty.span()=> ::swathe::__rt::is_of(&#slot, &::swathe::__rt::type_of::<#ty>());)),
            None => {}
        }
        types.push(quote!(let #slot = ::swathe::__rt::TypeSlot::NEW;));
    }
    let callees = func.slots.callees.iter().enumerate().map(|(k, query)| {
        let slot = format_ident!("__c{}", k);
        match query {
            CalleeQuery::Path => quote!(let #slot = ::swathe::__rt::FuncSlot::NEW;),
            CalleeQuery::Method(name) => {
                let id = method::id(name);
                quote!(let #slot = ::swathe::__rt::MethodSlot::<#id, _>::NEW;)
            }
            CalleeQuery::Operator(name) => {
                let id = Literal::u64_unsuffixed(swathe_ir::method_id(name));
                quote!(let #slot = ::swathe::__rt::OperatorSlot::<#id, _, _>::NEW;)
            }
            CalleeQuery::On(name, ty, span) => {
                let id = method::id(name);
                inner.push(
                    quote_spanned!(*span=> ::swathe::__rt::is_of(&#slot, &::swathe::__rt::method_on::<#id, #ty>());),
                );
                quote!(let #slot = ::swathe::__rt::MethodSlot::<#id, _>::NEW;)
            }
        }
    });
    let callees: Vec<TokenStream> = callees.collect();
    let params = func.params.iter().map(|param| {
        let local = func.local(param.local);
        let (name, ty) = (printer.name(&local.ident), &param.ty);
        let keyword = local.mutable.then(|| quote!(mut));
        match param.kind {
            ParamKind::Value => quote!(#keyword #name: #ty),
            ParamKind::Ref { mutable: false } => quote!(#name: &#ty),
            ParamKind::Ref { mutable: true } => quote!(#name: &mut #ty),
            ParamKind::Field { .. } => quote!(#name: #ty),
        }
    });
    let fields = func.params.iter().filter_map(|param| {
        if !matches!(param.kind, ParamKind::Field { .. }) {
            return None;
        }
        let local = func.local(param.local);
        let name = &local.ident;
        let (slot, rank) = (type_slot(local.ty), rank_name(param.local));
        let typed = super::param::typed(param, name);
        let asked = super::offset::parameter(param);
        Some(quote!(let mut #name = #typed; let #rank = #name.rank(); #asked(&#slot, &#name);))
    });
    let witnesses = super::witness::all(&func.witnesses);
    inner.extend(func.literals.iter().map(|(local, literals)| {
        let local = func.local(*local);
        let span = local.name.span();
        let slot = located(type_slot(local.ty).to_token_stream(), span);
        match literals {
            Literals::Type(ty) => {
                let ty = located(ty.to_token_stream(), span);
                quote_spanned!(span=> ::swathe::derivative::literals_are::<#ty, _>(&#slot);)
            }
            Literals::Counts => quote_spanned!(span=> ::swathe::derivative::literals_count(&#slot);),
            Literals::Signed => quote_spanned!(span=> ::swathe::derivative::literals_are_signed(&#slot);),
        }
    }));
    let ret = func.ret.as_ref().map(|(ty, _)| quote!(-> #ty));
    let stmts = printer.stmts(&func.body);
    let tail = match (&func.body.tail, &func.ret) {
        (Some(tail), Some((ty, _))) if func.kind == FuncKind::Kernel => {
            let result = printer.result(tail, ty);
            Some(quote!(#result __result))
        }
        (tail, _) => tail.as_ref().map(|e| printer.tail(e)),
    };
    let ir = Literal::byte_string(&swathe_ir::encode(&super::ir::func(func)));
    let type_slots = (0..func.slots.types.len()).map(|k| format_ident!("__t{}", k));
    let callee_slots = (0..func.slots.callees.len()).map(|k| format_ident!("__c{}", k));
    let consts = func
        .slots
        .consts
        .iter()
        .map(|path| quote_spanned!(path.span()=> ::swathe::__rt::constant(&#path)));
    let closures = closure_slots(func);
    let receivers = receivers(func);
    let body = behind_items(func, quote!(#(#inner)* #closures #witnesses #stmts #tail));
    quote! {
        use ::swathe::__rt::{Answer as _, NoAnswer as _};
        #(#types)*
        #(#callees)*
        let _ = |#(#params),*| #ret { #(#fields)* #body };
        #receivers
        ::swathe::__rt::Instance::new(
            #ir,
            &[#((&#type_slots).__answer()),*],
            &[#((&#callee_slots).__answer()),*],
            { #(#items)* ::swathe::__rt::std::boxed::Box::new([#(#consts),*]) },
        )
    }
}

/// Has rustc confirm that no method changes its receiver, where a derivative takes the value that a method gives for all that it does.
fn receivers(func: &Func) -> Option<TokenStream> {
    let methods = func.slots.callees.iter().enumerate().filter_map(|(k, query)| {
        let (CalleeQuery::Method(name) | CalleeQuery::On(name, ..)) = query else {
            return None;
        };
        let (slot, keeps) = (format_ident!("__c{}", k), Ident::new("__keeps", super::at(name.span())));
        Some(quote_spanned!(keeps.span()=> (&#slot).#keeps();))
    });
    func.differentiated.then(|| {
        quote! {
            use ::swathe::__rt::{ChangesReceiver as _, KeepsReceiver as _};
            #(#methods)*
        }
    })
}

/// Tokens with the meaning that they have, of which rustc speaks at another place.
fn located(tokens: TokenStream, at: Span) -> TokenStream {
    let located = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), located(group.stream(), at));
            moved.set_span(group.span().located_at(at));
            TokenTree::Group(moved)
        }
        mut token => {
            token.set_span(token.span().located_at(at));
            token
        }
    });
    located.collect()
}

/// Silences what rustc would say twice, or of the copy that never runs. Lints that are denied by name, as users do with `unused`, have to be
/// named.
pub fn allow() -> TokenStream {
    quote!(#[allow(
        warnings,
        unused,
        deprecated,
        overflowing_literals,
        arithmetic_overflow,
        unconditional_panic,
        unreachable_code,
        clippy::all,
        clippy::pedantic,
        clippy::nursery,
        clippy::restriction
    )])
}
