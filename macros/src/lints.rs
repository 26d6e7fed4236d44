//! Attributes above statements, blocks and arms of `match`: they say which lints hold there.

use std::borrow::Cow;

use syn::Attribute;
use syn::ext::IdentExt;

/// As they are emitted. What rustc is to expect it is allowed: a statement may be emitted more than once, or with what a lint finds taken away.
pub fn of(attrs: &[Attribute]) -> Vec<Attribute> {
    let outer = attrs.iter().cloned().map(|mut attr| {
        attr.style = syn::AttrStyle::Outer;
        if let syn::Meta::List(list) = &mut attr.meta
            && list.path.get_ident().is_some_and(|name| name.unraw() == "expect")
        {
            let span = syn::spanned::Spanned::span(&list.path);
            list.path = syn::Ident::new("allow", span).into();
        }
        attr
    });
    outer.collect()
}

/// A statement's expression without its attributes, and these.
pub fn taken(expr: &syn::Expr) -> (Cow<'_, syn::Expr>, Vec<Attribute>) {
    if attrs(expr).is_empty() {
        return (Cow::Borrowed(expr), Vec::new());
    }
    let mut bare = expr.clone();
    let taken = attrs_mut(&mut bare).map(std::mem::take);
    (Cow::Owned(bare), of(&taken.unwrap_or_default()))
}

macro_rules! kinds {
    ($($kind:ident)*) => {
        /// The attributes of an expression.
        pub fn attrs(expr: &syn::Expr) -> &[Attribute] {
            match expr {
                $(syn::Expr::$kind(e) => &e.attrs,)*
                _ => &[],
            }
        }

        fn attrs_mut(expr: &mut syn::Expr) -> Option<&mut Vec<Attribute>> {
            match expr {
                $(syn::Expr::$kind(e) => Some(&mut e.attrs),)*
                _ => None,
            }
        }
    };
}
kinds! {
    Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop Group If Index Infer Let Lit Loop
    Macro Match MethodCall Paren Path Range RawAddr Reference Repeat Return Struct Try TryBlock Tuple Unary Unsafe While Yield
}
