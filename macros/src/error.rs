//! Errors of one macro call, collected so that the user sees all of them at once, and the texts of refusals.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

#[derive(Default)]
pub struct Errors(Option<syn::Error>);

impl Errors {
    pub fn at(&mut self, span: Span, text: impl std::fmt::Display) {
        self.push(syn::Error::new(span, text));
    }

    pub fn on(&mut self, tokens: impl ToTokens, text: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(tokens, text));
    }

    /// An error with a second place that explains it.
    pub fn pair(
        &mut self,
        tokens: impl ToTokens,
        text: impl std::fmt::Display,
        other: impl ToTokens,
        note: impl std::fmt::Display,
    ) {
        let mut error = syn::Error::new_spanned(tokens, text);
        error.combine(syn::Error::new_spanned(other, note));
        self.push(error);
    }

    pub fn add(&mut self, error: syn::Error) {
        self.push(error);
    }

    fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// The text of the first one.
    pub fn first(&self) -> String {
        self.0.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn into_tokens(self) -> TokenStream {
        self.0.as_ref().map(compile_error).unwrap_or_default()
    }
}

/// What makes rustc tell an error. `syn` calls the macro by `::core`, which may be a crate of the user's.
pub fn compile_error(error: &syn::Error) -> TokenStream {
    let tokens = error.to_compile_error().into_iter();
    let by_ours = tokens.flat_map(|token| match &token {
        TokenTree::Ident(ident) if ident == "core" => {
            let span = ident.span();
            quote_spanned!(span=> swathe::__rt::core)
        }
        _ => token.into(),
    });
    by_ours.collect()
}

/// Of `budget::LEVELS`.
pub const TOO_DEEP: &str = "expressions stand more than 256 deep in one another: name parts of a long sum with `let`, and write a `match` for a long chain of `else if`";

/// Why the kernel language has no such expression, and what to write instead.
pub fn refusal(expr: &syn::Expr) -> &'static str {
    use syn::Expr as E;
    match expr {
        E::Async(_) | E::Await(_) => "kernels cannot be asynchronous: launch them one after the other from the host",
        E::Closure(_) => {
            "a closure in a kernel is the value of a variable, by which it is called, `let f = |x: f32| ..;`; elsewhere call a `#[func]`"
        }
        E::Try(_) => "`?` cannot be used in a kernel: nothing in a kernel returns `Result` or `Option`; write an `if`",
        E::Reference(_) => {
            "a reference can only be an argument of a call in a kernel: use the value itself, or an index into the field"
        }
        E::RawAddr(_) => "raw pointers cannot be used in a kernel: index the field",
        E::Range(_) => "a range can only be the domain of a `for` loop in a kernel",
        E::Let(_) => "`if let` and `while let` cannot be used in a kernel: compare with `if` or `match`",
        E::Yield(_) => "`yield` cannot be used in a kernel",
        E::Const(_) => "`const` blocks cannot be used in a kernel: declare a `const` item",
        E::TryBlock(_) => "`try` blocks cannot be used in a kernel: write an `if`",
        E::Infer(_) => "`_` is not a value",
        _ => "this expression cannot be used in a kernel",
    }
}

/// Why a macro call is refused.
pub fn refused_macro(name: &str) -> String {
    let instead = match name {
        "write" | "writeln" => "write the value to a field and print it on the host, or write `println!`",
        "vec" | "format" => "kernels cannot allocate; use an array `[value; N]` or a field",
        _ => "write its expansion, or a `#[func]`",
    };
    format!("`{name}!` cannot be used in a kernel: {instead}")
}
