//! The functions that are derivatives: their signatures, and what goes into their bodies.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use swathe_ir::{LocalId, ParamKind};
use syn::spanned::Spanned;

use super::body::{self, Region, Stmt};
use super::forward::Forward;
use super::names::{Names, plain};
use super::reverse::{self, Reverse};
use super::{Derived, build, options, paths, print, tuple};
use crate::error::Errors;
use crate::hir::types::is_field;
use crate::hir::{Func, Literals, overlap};
use crate::lower;

pub struct Make<'m> {
    func: &'m Func,
    item: &'m syn::ItemFn,
    errors: &'m mut Errors,
    /// Parameters that are values, with respect to which it is differentiated.
    values: Vec<LocalId>,
    names: Names,
    params: HashMap<LocalId, Ident>,
}

/// The type of a field's elements, as it is written.
pub fn element(ty: &syn::Type) -> Option<&syn::Type> {
    let ty = match ty {
        syn::Type::Reference(reference) => &*reference.elem,
        ty => ty,
    };
    let syn::Type::Path(path) = ty else { return None };
    let syn::PathArguments::AngleBracketed(args) = &path.path.segments.last()?.arguments else {
        return None;
    };
    args.args.iter().find_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Whether a type is, by its name, a number without derivatives.
fn is_discrete(ty: &syn::Type) -> bool {
    let names = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "bool"];
    matches!(ty, syn::Type::Path(path) if names.iter().any(|name| path.path.is_ident(name)))
}

fn is_integer(ty: &syn::Type) -> bool {
    is_discrete(ty) || matches!(ty, syn::Type::Path(path) if path.path.is_ident("usize") || path.path.is_ident("isize"))
}

fn without_reference(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Reference(reference) => &reference.elem,
        ty => ty,
    }
}

impl<'m> Make<'m> {
    pub fn new(func: &'m Func, item: &'m syn::ItemFn, rule: &options::Rule, errors: &'m mut Errors) -> Make<'m> {
        let kernel = func.kind == crate::hir::FuncKind::Kernel;
        let mut values = Vec::new();
        if kernel {
            for name in &rule.values {
                let param = func.params.iter().find(|p| func.local(p.local).name == *name);
                match param {
                    Some(param) if param.kind == ParamKind::Value => values.push(param.local),
                    _ => errors.on(name, format!("`{name}` is no parameter that is a value: name those here, fields have their derivatives anyway")),
                }
            }
        } else {
            values = func.params.iter().map(|p| p.local).collect();
        }
        let mut names = Names::new(lower::texts(&item.sig, &item.block), paths(func, item));
        let params = func
            .params
            .iter()
            .map(|p| (p.local, names.of_user(&func.local(p.local).name)))
            .collect();
        Make {
            func,
            item,
            errors,
            values,
            names,
            params,
        }
    }

    /// Fields that have gradients, and what those are called.
    pub fn active(&mut self, prefix: &str) -> Vec<(LocalId, Ident)> {
        let mut found = Vec::new();
        for param in &self.func.params {
            let ParamKind::Field { mutable } = param.kind else {
                continue;
            };
            let array = without_reference(&param.ty);
            if !is_field(array) {
                if mutable {
                    self.errors.on(
                        &param.ty,
                        "an array of the host that a kernel writes has no gradient: write to a `Field`",
                    );
                }
                continue;
            }
            if element(&param.ty).is_some_and(is_discrete) {
                continue;
            }
            let name = &self.params[&param.local];
            let (like, span) = (format!("{prefix}_{name}"), name.span());
            found.push((param.local, self.names.fresh(&like, span)));
        }
        found
    }

    /// What rustc has to confirm of names that were taken for known ones.
    pub fn confirmed(&self, body: &body::Body) -> TokenStream {
        let discrete = self.func.params.iter().filter_map(|param| {
            let ty = element(&param.ty).filter(|ty| is_discrete(ty))?;
            matches!(param.kind, ParamKind::Field { .. }).then_some(ty)
        });
        let values = self.func.params.iter().filter(|p| self.values.contains(&p.local));
        let values = values.map(|p| &*p.ty).filter(|ty| is_integer(ty));
        let integers = body.integers.iter().chain(discrete).chain(values);
        let (items, built_in) = (&self.func.items, &body.built_in);
        let detached = body.detached.iter().map(|path| {
            let span = path.span();
            quote_spanned!(span=> ::swathe::derivative::is_detach(#path::__of);)
        });
        quote! {
            const _: () = {
                #(#items)*
                #(::swathe::derivative::has_no_derivative::<#integers>();)*
                #(::swathe::derivative::has_rules::<#built_in>();)*
                #(#detached)*
            };
        }
    }

    pub fn signature(
        &self,
        kind: &str,
        inputs: &[TokenStream],
        output: Option<&TokenStream>,
    ) -> Option<syn::Signature> {
        let name = format_ident!("__{kind}_{}", plain(&self.func.name), span = self.func.name.span());
        let generics = &self.item.sig.generics;
        let (params, clause) = (&generics.params, &generics.where_clause);
        let params = (!params.is_empty()).then(|| quote!(<#params>));
        let output = output.map(|ty| quote!(-> #ty));
        syn::parse2(quote!(fn #name #params (#(#inputs),*) #output #clause)).ok()
    }

    #[allow(clippy::too_many_arguments)]
    pub fn derived(
        &self,
        kind: &'static str,
        sig: syn::Signature,
        body: &TokenStream,
        confirmed: TokenStream,
        literals: Vec<(LocalId, Literals)>,
        active: Vec<LocalId>,
        read: HashSet<LocalId>,
    ) -> Derived {
        let (vis, items) = (&self.item.vis, &self.func.items);
        let shown = {
            let mut sig = sig.clone();
            sig.ident = format_ident!("{kind}");
            quote!(#sig { #(#items)* #body })
        };
        let item = quote! {
            #[doc(hidden)]
            #[allow(unused, clippy::all, clippy::pedantic)]
            #vis #sig { #(#items)* #body }
        };
        Derived {
            kind,
            item,
            shown,
            sig,
            confirmed,
            literals,
            active,
            read,
        }
    }

    pub fn is_kernel(&self) -> bool {
        self.func.kind == crate::hir::FuncKind::Kernel
    }

    pub fn pullback(mut self) -> Option<Derived> {
        let gradients = self.active("g");
        let func = self.func;
        let seed = func.ret.as_ref().map(|_| self.names.fresh("d", func.name.span()));
        let varied = self.varied();
        let mut body = build::body(
            func,
            self.generics(),
            std::mem::take(&mut self.names),
            self.params.clone(),
            &varied,
            self.errors,
        );
        let active: HashSet<LocalId> = gradients.iter().map(|(field, _)| *field).collect();
        body.vary(&|field| active.contains(&field));
        let names = std::mem::take(&mut body.names);
        let literals = std::mem::take(&mut body.literals);
        let asked: Vec<body::Var> = self.values.iter().filter_map(|value| self.var(&body, *value)).collect();
        let mut reverse = Reverse::new(
            &body,
            names,
            self.params.clone(),
            gradients.iter().cloned().collect(),
            self.errors,
        );
        let seeded = match (&body.result, &seed) {
            (Some(result), Some(seed)) => Some((result, seed)),
            _ => None,
        };
        let (text, values) = reverse::sweep(&mut reverse, seeded, &asked);
        let reads = std::mem::take(&mut reverse.reads);
        self.refuse_stale(&body.region, &reads);
        let read = reads.iter().map(|(_, read)| read.field).collect();
        if !self.errors.is_empty() {
            return None;
        }
        let mut inputs: Vec<TokenStream> = func
            .params
            .iter()
            .map(|param| {
                let (name, ty) = (&self.params[&param.local], &param.ty);
                match (&param.kind, &**ty) {
                    (ParamKind::Field { .. }, syn::Type::Reference(reference)) => {
                        let array = &reference.elem;
                        quote!(#name: &#array)
                    }
                    _ => quote!(#name: #ty),
                }
            })
            .collect();
        for (field, name) in &gradients {
            let param = func.params.iter().find(|p| p.local == *field)?;
            let array = without_reference(&param.ty);
            inputs.push(quote!(#name: &mut #array));
        }
        if let (Some(seed), Some((ty, _))) = (&seed, &func.ret) {
            inputs.push(quote!(#seed: #ty));
        }
        let types = self.values.iter().filter_map(|value| {
            let param = func.params.iter().find(|p| p.local == *value)?;
            Some(param.ty.to_token_stream())
        });
        let types: Vec<TokenStream> = types.collect();
        let output = tuple(&types);
        let values = tuple(&values);
        let fields = gradients.iter().map(|(field, _)| *field).collect();
        let sig = self.signature("pullback", &inputs, output.as_ref())?;
        let confirmed = self.confirmed(&body);
        Some(self.derived(
            "pullback",
            sig,
            &quote!(#text #values),
            confirmed,
            literals,
            fields,
            read,
        ))
    }

    pub fn jvp(mut self) -> Option<Derived> {
        let tangents = self.active("t");
        let func = self.func;
        let t_values: Vec<(LocalId, Ident)> = self
            .values
            .iter()
            .map(|value| {
                let name = &self.params[value];
                (*value, self.names.fresh(&format!("t_{name}"), name.span()))
            })
            .collect();
        let varied = self.varied();
        let mut body = build::body(
            func,
            self.generics(),
            std::mem::take(&mut self.names),
            self.params.clone(),
            &varied,
            self.errors,
        );
        let active: HashSet<LocalId> = tangents.iter().map(|(field, _)| *field).collect();
        body.vary(&|field| active.contains(&field));
        let names = std::mem::take(&mut body.names);
        let literals = std::mem::take(&mut body.literals);
        let given: Vec<(Option<body::Var>, Ident)> = t_values
            .iter()
            .map(|(value, t)| (self.var(&body, *value), t.clone()))
            .collect();
        let mut forward = Forward::new(
            &body,
            names,
            self.params.clone(),
            tangents.iter().cloned().collect(),
            self.errors,
        );
        for (var, t) in given {
            if let Some(var) = var {
                forward.give(var, t);
            }
        }
        let text = forward.region(&body.region);
        let result = body.result.as_ref().filter(|_| func.ret.is_some()).map(|result| {
            let (value, t) = (print::atom(result, &body.vars), forward.tangent(result));
            quote!((#value, #t))
        });
        if !self.errors.is_empty() {
            return None;
        }
        let mut inputs = Vec::new();
        for param in &func.params {
            let (name, ty) = (&self.params[&param.local], &param.ty);
            inputs.push(quote!(#name: #ty));
            // A function has each tangent behind its value, a kernel all of them behind all arguments.
            if !self.is_kernel()
                && let Some((_, t)) = t_values.iter().find(|(value, _)| *value == param.local)
            {
                inputs.push(quote!(#t: #ty));
            }
        }
        if self.is_kernel() {
            for param in &func.params {
                let ty = &param.ty;
                let all = tangents.iter().chain(&t_values);
                if let Some((_, t)) = all.clone().find(|(local, _)| *local == param.local) {
                    inputs.push(quote!(#t: #ty));
                }
            }
        }
        let output = func.ret.as_ref().map(|(ty, _)| quote!((#ty, #ty)));
        let fields = tangents.iter().map(|(field, _)| *field).collect();
        let sig = self.signature("jvp", &inputs, output.as_ref())?;
        let confirmed = self.confirmed(&body);
        let text = quote!(#(#text)* #result);
        Some(self.derived("jvp", sig, &text, confirmed, literals, fields, HashSet::new()))
    }

    pub fn generics(&self) -> Vec<String> {
        let generics = &self.item.sig.generics;
        let types = generics.type_params().map(|p| plain(&p.ident));
        types.chain(generics.const_params().map(|p| plain(&p.ident))).collect()
    }

    /// Parameters of those asked for whose types have derivatives.
    pub fn varied(&self) -> Vec<LocalId> {
        let has = |param: &&crate::hir::Param| self.values.contains(&param.local) && !is_integer(&param.ty);
        self.func.params.iter().filter(has).map(|p| p.local).collect()
    }

    pub fn var(&self, body: &body::Body, param: LocalId) -> Option<body::Var> {
        let ident = &self.params[&param];
        body.vars.iter().position(|info| info.ident == *ident)
    }

    /// Refuses to need what fields held between two loops of the kernel.
    pub fn refuse_stale(&mut self, region: &Region, reads: &[(usize, body::FieldRead)]) {
        let mut writes = Vec::new();
        for stmt in &region.stmts {
            if let Stmt::Parallel(p) = stmt {
                collect_writes(&p.body, p.number, &mut writes);
            }
        }
        let mut told = HashSet::new();
        for (time, read) in reads {
            let stale = writes
                .iter()
                .any(|(number, field, path)| number < time && *field == read.field && overlap(path, &read.path));
            if stale && told.insert(read.field) {
                let name = &self.func.local(read.field).name;
                self.errors.at(
                    read.span,
                    format!(
                        "the derivative needs what an earlier loop of this kernel wrote to `{name}`, which is not kept: make the loops kernels of their own"
                    ),
                );
            }
        }
    }
}

fn collect_writes(region: &Region, number: usize, found: &mut Vec<(usize, LocalId, Vec<String>)>) {
    for stmt in &region.stmts {
        match stmt {
            Stmt::Write(place, _) | Stmt::Add(place, ..) | Stmt::Atomic(place, ..) => {
                found.push((number, place.field, place.path.clone()));
            }
            Stmt::Branch(b) => b.arms.iter().for_each(|arm| collect_writes(arm, number, found)),
            Stmt::Loop(l) => collect_writes(&l.body, number, found),
            _ => {}
        }
    }
}
