//! What kernels become: the native code of a dozen kernels as text, compared with files beside this one.
//! A change that only moves code leaves the files as they are.
//! `UPDATE_EXPECT=1 cargo test -p swathe-macros` writes them anew; read the difference.

use expect_test::expect_file;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn2::visit_mut::VisitMut;

use crate::kernel;

/// The kernels and functions of a file, expanded. Other items stay out.
fn expanded(source: &str) -> String {
    let file = syn::parse_file(source).expect("the file is Rust");
    let items = file.items.into_iter().map(|item| match item {
        syn::Item::Fn(mut item) => {
            let attribute = item.attrs.remove(0);
            let args = match &attribute.meta {
                syn::Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            match attribute.path().is_ident("kernel") {
                true => kernel::kernel(&args, item.into_token_stream()),
                false => kernel::func(&args, item.into_token_stream()),
            }
        }
        syn::Item::Impl(mut item) => {
            item.attrs.remove(0);
            kernel::func(&TokenStream::new(), item.into_token_stream())
        }
        _ => TokenStream::new(),
    });
    // Shorter paths: lines break less.
    let mut text = quote!(#(#items)*).to_string();
    for path in [":: swathe :: __rt", ":: core :: primitive", ":: core"] {
        let (_, last) = path.rsplit_once(":: ").expect("a path");
        let (whole, short) = (
            format!("{path} :: "),
            if last == "primitive" {
                String::new()
            } else {
                format!("{last} :: ")
            },
        );
        text = text.replace(&whole, &short);
    }
    let mut file = syn2::parse_file(&text).expect("the expansion is Rust");
    Native.visit_file_mut(&mut file);
    prettyplease::unparse(&file)
}

/// Leaves what runs on the CPU: neither the copy that is only typed, nor what is the same for all kernels.
struct Native;

impl VisitMut for Native {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn2::Attribute>) {
        attributes.retain(|a| {
            !["allow", "doc", "inline", "must_use"]
                .iter()
                .any(|name| a.path().is_ident(name))
        });
    }

    fn visit_file_mut(&mut self, file: &mut syn2::File) {
        file.items
            .retain(|item| matches!(item, syn2::Item::Fn(_) | syn2::Item::Impl(_)));
        syn2::visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn2::ItemImpl) {
        item.items
            .retain(|item| !matches!(item, syn2::ImplItem::Fn(f) if f.sig.ident == "load"));
        syn2::visit_mut::visit_item_impl_mut(self, item);
    }
}

macro_rules! kernels {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let source = include_str!(concat!("kernels/", stringify!($name), ".rs"));
            expect_file![concat!("expanded/", stringify!($name), ".rs")].assert_eq(&expanded(source));
        }
    )*};
}

kernels! { straight stencil gather scatter lanes tables reductions windows offset vouched functions }
