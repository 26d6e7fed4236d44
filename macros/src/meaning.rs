//! What need not mean the same in each of the copies in which it is emitted, or could change them, and is refused: attributes of other macros, and
//! macros in types and constants.

use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;

use crate::error::Errors;

/// Lints, and what does nothing. Beside a macro of such a name rustc says that there are two.
const LINTS: [&str; 6] = ["allow", "warn", "deny", "forbid", "expect", "doc"];
/// What else may stand above a function, and changes nothing in it.
const ABOVE: [&str; 7] = [
    "cfg",
    "inline",
    "cold",
    "must_use",
    "deprecated",
    "track_caller",
    "automatically_derived",
];

/// Attributes of rustc that may not, wherever they are written.
const RUSTC: [&str; 6] = [
    "target_feature",
    "no_mangle",
    "export_name",
    "link_section",
    "test",
    "unsafe",
];

/// Takes out `#[rustfmt::skip]`, which means something in the source alone: by another module of the name it could be anything.
pub struct Unformatted;

impl VisitMut for Unformatted {
    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        let path = &attribute.path().segments;
        if path.len() == 2 && path[0].ident == "rustfmt" && path[1].ident == "skip" {
            attribute.meta = syn::parse_quote!(allow(unused_attributes));
        }
    }
}

/// What stands above a function, below the attribute of ours, `name`: another macro there would be given, and could change, what ours has emitted, unsafe
/// code too.
pub fn of_attributes(attributes: &[syn::Attribute], name: &str, errors: &mut Errors) {
    for attribute in attributes.iter().filter(|attribute| !is_harmless(&attribute.meta)) {
        let of_rustc = RUSTC.iter().find(|known| is_named(attribute, known));
        errors.on(
            attribute,
            match of_rustc {
                Some(known) => format!("`#[{known}]` cannot stand above what is `#[{name}]`: write it above a function that calls this one"),
                None => format!("this attribute would be given the code that `#[{name}]` makes: write it above `#[{name}]`, or above a function that calls this one"),
            },
        );
    }
}

/// The same above an `impl` block or a trait, and above its members; not in them.
struct Above<'e>(&'e mut Errors);

impl<'a> Visit<'a> for Above<'_> {
    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        of_attributes(std::slice::from_ref(attribute), "func", self.0);
    }

    fn visit_signature(&mut self, _: &'a syn::Signature) {}

    fn visit_block(&mut self, _: &'a syn::Block) {}
}

fn is_harmless(meta: &syn::Meta) -> bool {
    let Some(name) = meta.path().get_ident().map(syn::ext::IdentExt::unraw) else {
        return false;
    };
    match meta {
        syn::Meta::List(list) if name == "cfg_attr" => {
            let parts = list.parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().skip(1).all(is_harmless))
        }
        _ => LINTS.iter().chain(&ABOVE).any(|known| name == known),
    }
}

pub fn of_function(sig: &syn::Signature, block: &syn::Block, errors: &mut Errors) {
    let mut search = Search { errors, fixed: 0 };
    search.visit_signature(sig);
    search.visit_block(block);
}

pub fn of_impl(item: &syn::ItemImpl, errors: &mut Errors) {
    Above(errors).visit_item_impl(item);
    let mut search = Search { errors, fixed: 0 };
    search.visit_generics(&item.generics);
    search.visit_type(&item.self_ty);
    if let Some((path, _)) = &item.trait_ {
        search.visit_path(path);
    }
}

pub fn of_trait(item: &syn::ItemTrait, errors: &mut Errors) {
    Above(errors).visit_item_trait(item);
    let mut search = Search { errors, fixed: 0 };
    search.visit_generics(&item.generics);
    for member in &item.items {
        if let syn::TraitItem::Fn(f) = member {
            search.visit_signature(&f.sig);
        }
    }
}

pub fn of_element(item: &syn::DeriveInput, errors: &mut Errors) {
    let mut search = Search { errors, fixed: 0 };
    search.visit_generics(&item.generics);
    if let syn::Data::Struct(data) = &item.data {
        data.fields.iter().for_each(|field| search.visit_type(&field.ty));
    }
}

/// Whether an attribute is of this name, which may be written as a raw one.
pub fn is_named(attribute: &syn::Attribute, name: &str) -> bool {
    attribute.path().get_ident().is_some_and(|ident| ident.unraw() == name)
}

struct Search<'e> {
    errors: &'e mut Errors,
    /// In how many types and constants.
    fixed: usize,
}

impl Search<'_> {
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        self.fixed += 1;
        visit(self);
        self.fixed -= 1;
    }
}

impl<'a> Visit<'a> for Search<'_> {
    /// An attribute `cfg` rustc would resolve only after the macro has seen the body, and what other macros do nobody knows.
    fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
        if is_named(attribute, "cfg") || is_named(attribute, "cfg_attr") {
            self.errors.on(
                attribute,
                "`#[cfg]` cannot stand inside a function that runs on the GPU: write it above the whole function, or \
                 branch on a constant that stands above, `const ON: bool = cfg!(..);`",
            );
            return;
        }
        if !LINTS.iter().any(|name| is_named(attribute, name)) {
            self.errors.on(
                attribute,
                "inside of a function that runs on the GPU attributes say which lints hold, `#[allow(..)]`: write others above the whole function",
            );
        }
    }

    fn visit_type(&mut self, ty: &'a syn::Type) {
        self.within(|search| visit::visit_type(search, ty));
    }

    fn visit_generic_argument(&mut self, argument: &'a syn::GenericArgument) {
        self.within(|search| visit::visit_generic_argument(search, argument));
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.within(|search| visit::visit_item_const(search, item));
    }

    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
        self.within(|search| search.visit_expr(&repeat.len));
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        // Rustc's own, by the path that lowering writes: it says the same everywhere.
        if mac.path == syn::parse_quote!(::swathe::__rt::core::cfg) {
            return;
        }
        if self.fixed > 0 {
            self.errors.on(
                &mac.path,
                "a macro in a type or a constant is expanded more than once here, and may mean something else each time: \
                 give its result a name above, `type Name = ..;` or `const NAME: usize = ..;`, and write that name",
            );
        }
    }
}
