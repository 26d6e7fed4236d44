//! What need not mean the same in each of the copies in which it is emitted, and is refused: attributes other than lints, and macros in types and constants.

use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use crate::error::Errors;

/// Lints, and what does nothing.
const ATTRIBUTES: [&str; 6] = ["allow", "warn", "deny", "forbid", "expect", "doc"];
/// Tools, of which attributes mean nothing to rustc but which lints hold.
const TOOLS: [&str; 2] = ["clippy", "rustfmt"];

pub fn of_function(sig: &syn::Signature, block: &syn::Block, errors: &mut Errors) {
    let mut search = Search { errors, fixed: 0 };
    search.visit_signature(sig);
    search.visit_block(block);
}

pub fn of_impl(item: &syn::ItemImpl, errors: &mut Errors) {
    let mut search = Search { errors, fixed: 0 };
    search.visit_generics(&item.generics);
    search.visit_type(&item.self_ty);
    if let Some((path, _)) = &item.trait_ {
        search.visit_path(path);
    }
}

pub fn of_trait(item: &syn::ItemTrait, errors: &mut Errors) {
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
        let of_tool = attribute.path().segments.len() > 1
            && TOOLS
                .iter()
                .any(|tool| attribute.path().segments[0].ident.unraw() == tool);
        if !of_tool && !ATTRIBUTES.iter().any(|name| is_named(attribute, name)) {
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
        if self.fixed > 0 {
            self.errors.on(
                &mac.path,
                "a macro in a type or a constant is expanded more than once here, and may mean something else each time: \
                 give its result a name above, `type Name = ..;` or `const NAME: usize = ..;`, and write that name",
            );
        }
    }
}
