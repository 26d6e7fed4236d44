//! Signatures: parameters and results.

use swathe_ir::{FuncKind, ParamKind, TypeSlot};
use syn::spanned::Spanned;

use super::Lower;
use super::call::PRIMITIVES;
use crate::hir::types::{host_integer_of, host_integer_text, is_array, is_offset, last_name, rank, rank_parameter};
use crate::hir::{Param, Value};

impl Lower<'_> {
    pub(super) fn signature(&mut self, sig: &syn::Signature) {
        let what = match self.kind {
            FuncKind::Kernel => "a kernel",
            FuncKind::Func => "a `#[func]`",
        };
        if let Some(token) = sig.asyncness {
            self.errors.on(
                token,
                format!("{what} cannot be `async`: calls return when the work is handed to the device"),
            );
        }
        if let (Some(token), FuncKind::Kernel) = (sig.constness, self.kind) {
            self.errors.on(token, "a kernel cannot be `const`: it runs on a device");
        }
        if let Some(rest) = &sig.variadic {
            self.errors.on(rest, format!("{what} has a fixed number of parameters"));
        }
        if let Some(abi) = &sig.abi {
            self.errors.on(abi, format!("{what} cannot have an ABI of its own"));
        }
        for generic in &sig.generics.params {
            match generic {
                syn::GenericParam::Lifetime(l) => {
                    self.errors.on(l, format!("{what} cannot have lifetime parameters: leave them out, references live as long as the call"));
                }
                other if self.place != super::Place::Free => self.errors.on(
                    other,
                    "a method of a kernel type cannot have type parameters of its own: put them on the `impl`, or write a free `#[func]`",
                ),
                _ => {}
            }
        }
    }

    pub(super) fn params(&mut self, sig: &syn::Signature) -> Vec<Param> {
        sig.inputs
            .iter()
            .filter_map(|input| self.param(input, &sig.generics, sig.constness.is_some()))
            .collect()
    }

    fn param(&mut self, input: &syn::FnArg, generics: &syn::Generics, constant: bool) -> Option<Param> {
        match input {
            syn::FnArg::Receiver(receiver) => self.receiver(receiver),
            syn::FnArg::Typed(typed) => {
                let syn::Pat::Ident(syn::PatIdent {
                    ident,
                    mutability,
                    by_ref: None,
                    subpat: None,
                    ..
                }) = &*typed.pat
                else {
                    self.errors.on(
                        &typed.pat,
                        "a parameter needs a name here: take it apart with `let` in the body",
                    );
                    return None;
                };
                let (kind, ty) = self.param_type(&typed.ty, constant)?;
                let local = self.declare(ident, mutability.is_some(), Value::Unknown);
                if let ParamKind::Field { mutable } = kind {
                    self.fields.insert(local, mutable);
                    self.ranks.extend(rank(&ty).map(|rank| (local, rank)));
                    self.open_ranks
                        .extend(rank_parameter(&ty, generics).map(|name| (local, name.clone())));
                    if is_offset(&ty) {
                        self.offset.insert(local);
                    }
                } else {
                    let slot = self.locals[local.0 as usize].ty;
                    self.slots.types[slot.0 as usize] = Some(ty.clone());
                    if let ParamKind::Ref { mutable } = kind {
                        self.lent.insert(local);
                        self.lent_mut.extend(mutable.then_some(local));
                    }
                }
                Some(Param {
                    local,
                    kind,
                    ty: Box::new(ty),
                })
            }
        }
    }

    /// Why a function cannot have this parameter.
    fn no_lent_field(&self, reference: &syn::TypeReference, constant: bool) -> Option<&'static str> {
        if self.place != super::Place::Free {
            return Some(
                "a method cannot take a field: write a free `#[func]` that takes it, or pass the elements that it needs",
            );
        }
        if constant {
            return Some("a `const fn` cannot take a field, which is not known at compile time");
        }
        if reference.mutability.is_some() {
            return Some(
                "a `#[func]` cannot write a field, which other iterations may do at the same time: let it return what the kernel then writes",
            );
        }
        let field = last_name(&reference.elem).is_some_and(|name| name == "Field");
        (!field).then_some(LENT)
    }

    fn param_type(&mut self, ty: &syn::Type, constant: bool) -> Option<(ParamKind, syn::Type)> {
        match ty {
            syn::Type::ImplTrait(t) => {
                self.errors.on(
                    t,
                    "write a type parameter with a bound, `fn f<T: Bound>(x: T)`, instead of `impl Bound`",
                );
                None
            }
            syn::Type::Reference(r) => {
                let mutable = r.mutability.is_some();
                if let syn::Type::Slice(_) = &*r.elem {
                    self.errors.on(r, match self.kind {
                        FuncKind::Kernel => "a slice cannot be an argument of a kernel: write `ArrayView1<T>`, or `ArrayViewMut1<T>`, of `ndarray`, which `ArrayView1::from(&slice)` makes, or copy it into a `Field`",
                        FuncKind::Func => "a slice cannot be an argument of a `#[func]`: pass an array `&[T; N]`, or the elements that it needs",
                    });
                    return None;
                }
                if let (syn::Type::TraitObject(_), FuncKind::Func) = (&*r.elem, self.kind) {
                    self.errors.on(
                        r,
                        "a GPU calls no methods by a table: write a type parameter with a bound, `fn f<T: Bound>(x: &T)`, instead of `&dyn Bound`",
                    );
                    return None;
                }
                if self.kind == FuncKind::Func && is_array(&r.elem) {
                    if let Some(text) = self.no_lent_field(r, constant) {
                        self.errors.on(r, text);
                        return None;
                    }
                    return Some((ParamKind::Field { mutable: false }, ty.clone()));
                }
                if self.kind == FuncKind::Kernel
                    && let Some(text) = no_field(&r.elem)
                {
                    self.errors.on(r, text);
                    return None;
                }
                if self.kind == FuncKind::Kernel
                    && let Some(integer) = host_integer_of(&mut r.elem.clone())
                {
                    self.errors.on(&*integer, host_integer_text(integer));
                }
                Some(match self.kind {
                    FuncKind::Kernel => (ParamKind::Field { mutable }, ty.clone()),
                    FuncKind::Func => (ParamKind::Ref { mutable }, (*r.elem).clone()),
                })
            }
            _ if is_array(ty) && self.kind == FuncKind::Func => {
                self.errors.on(ty, LENT);
                None
            }
            _ if is_array(ty) => match last_name(ty).filter(|name| name.starts_with("ArrayView")) {
                Some(name) => {
                    let mutable = name.starts_with("ArrayViewMut");
                    Some((ParamKind::Field { mutable }, ty.clone()))
                }
                None => {
                    let name = last_name(ty)?;
                    self.errors.on(
                        ty,
                        format!(
                            "a kernel borrows its fields: write `&{name}<..>` to read it, `&mut {name}<..>` to write it"
                        ),
                    );
                    None
                }
            },
            _ => Some((ParamKind::Value, ty.clone())),
        }
    }

    fn receiver(&mut self, receiver: &syn::Receiver) -> Option<Param> {
        let span = receiver.self_token.span();
        if self.kind == FuncKind::Kernel {
            self.errors.at(
                span,
                "a kernel cannot be a method: make it a free function that takes the fields",
            );
            return None;
        }
        let kind = match &receiver.kind {
            syn::ReceiverKind::Value => ParamKind::Value,
            syn::ReceiverKind::Reference(_, _, mutable) => ParamKind::Ref {
                mutable: mutable.is_some(),
            },
            _ => {
                self.errors.on(receiver, "write `self`, `&self` or `&mut self`");
                return None;
            }
        };
        let ident = proc_macro2::Ident::new("self", span);
        let local = self.declare(&ident, receiver.mutability.is_some(), Value::Unknown);
        let ty: syn::Type = syn::parse_quote_spanned!(span=> Self);
        let slot = self.locals[local.0 as usize].ty;
        self.slots.types[slot.0 as usize] = Some(ty.clone());
        if let ParamKind::Ref { mutable: true } = kind {
            self.lent_mut.insert(local);
        }
        Some(Param {
            local,
            kind,
            ty: Box::new(ty),
        })
    }

    pub(super) fn result(&mut self, sig: &syn::Signature) -> Option<(Box<syn::Type>, TypeSlot)> {
        let syn::ReturnType::Type(_, ty) = &sig.output else {
            return None;
        };
        match &**ty {
            syn::Type::Tuple(t) if t.elems.is_empty() => None,
            syn::Type::Reference(_) | syn::Type::Never(_) | syn::Type::ImplTrait(_) => {
                self.errors.at(
                    ty.span(),
                    "the result must be a value: a scalar, vector, matrix, array, tuple or struct",
                );
                None
            }
            _ => {
                let slot = self.slots.ty(Some((**ty).clone()));
                Some((ty.clone(), slot))
            }
        }
    }
}

/// What a function may take of arrays.
const LENT: &str = "a `#[func]` takes fields and arrays as `&Field<T, D>`, to read them; an `OffsetField` it cannot take: pass the elements that it needs";

/// Why a reference to this cannot be an argument of a kernel.
fn no_field(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(p) => {
            let name = p.path.segments.last()?.ident.to_string();
            if ["FieldView", "FieldViewMut"].contains(&name.as_str()) {
                return Some(
                    "write `&Field<T, D>`, or `&mut Field<T, D>`: views of fields can be passed for it".to_owned(),
                );
            }
            if PRIMITIVES.contains(&name.as_str()) {
                return Some(format!("a kernel takes numbers by value: write `{name}`"));
            }
            ["Vec", "String", "Box", "Rc", "Arc", "HashMap", "Option"].contains(&name.as_str()).then(|| {
                format!("`{name}` cannot be an argument of a kernel: copy its numbers into a `Field`, `Field::from_slice(&device, &values)`")
            })
        }
        syn::Type::Array(_) | syn::Type::Tuple(_) => Some("a kernel takes arrays and tuples by value".to_owned()),
        syn::Type::ImplTrait(_) | syn::Type::TraitObject(_) => {
            Some("write the field's type: `&Field<T, 2>`, with a type parameter `<T: Element>` if need be".to_owned())
        }
        _ => None,
    }
}
