//! Functions of floats: those of `f32` that vectorise stand in for the standard library's, which call the C library once for each number.
//! Which type a method is called on is for the types to say; for another one the user's own text stays.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::access::{receiver_stand_in, stand_in};
use swathe_ir::UnOp;

use super::at;
use super::method;
use super::print::{Mode, Printer, parens};
use crate::hir::{Expr, ExprKind};
use crate::order;

/// The functions, and how many arguments they have behind the receiver.
const FUNCTIONS: [(&str, usize); 24] = [
    ("cbrt", 0),
    ("exp", 0),
    ("exp2", 0),
    ("exp_m1", 0),
    ("ln", 0),
    ("ln_1p", 0),
    ("log2", 0),
    ("log10", 0),
    ("sin", 0),
    ("cos", 0),
    ("tan", 0),
    ("asin", 0),
    ("acos", 0),
    ("atan", 0),
    ("sinh", 0),
    ("cosh", 0),
    ("tanh", 0),
    ("asinh", 0),
    ("acosh", 0),
    ("atanh", 0),
    ("log", 1),
    ("powf", 1),
    ("atan2", 1),
    ("hypot", 1),
];

fn is_function(name: &Ident, args: usize) -> bool {
    FUNCTIONS.iter().any(|(known, of)| name == known && args == *of)
}

/// The call: `values` of the receiver and arguments, and the method on them.
fn call(name: &Ident, values: &[TokenStream], method: &TokenStream) -> TokenStream {
    let function = Ident::new(&name.to_string(), at(name.span()));
    quote!(::swathe::__rt::single::#function(#(#values,)* || #method))
}

fn number(value: &TokenStream) -> TokenStream {
    quote!(::swathe::__rt::single::number(&#value))
}

/// A literal that becomes an `f32` beside one.
fn literal(lit: &syn::Lit) -> Option<TokenStream> {
    match lit {
        // One that is beyond stands beside an `f64`.
        syn::Lit::Float(n) if n.suffix().is_empty() && n.base10_parse::<f32>().is_ok_and(f32::is_finite) => {
            let digits = n.base10_digits();
            let lit = syn::LitFloat::new(&format!("{digits}f32"), n.span());
            Some(quote!(::swathe::__rt::core::option::Option::Some(#lit)))
        }
        _ => None,
    }
}

impl Printer<'_> {
    /// `x.sin()` and its like.
    pub fn function(&self, receiver: &Expr, name: &Ident, args: &[Expr], e: &Expr) -> Option<TokenStream> {
        if self.mode == Mode::Probe
            || self.constant
            || !is_function(name, args.len())
            || matches!(receiver.kind, ExprKind::Lit(..))
        {
            return None;
        }
        if is_variable(receiver) && !order::stays(self.func, receiver, args) {
            return None;
        }
        let mut setup = TokenStream::new();
        let mut operand = |e: &Expr, k: usize| {
            if let ExprKind::Lit(lit, _) = &e.kind {
                let value = literal(lit).unwrap_or_else(|| number(&lit.to_token_stream()));
                return (lit.to_token_stream(), value);
            }
            let tokens = self.expr(e);
            // A variable stays where it is: a method of the user's may change it.
            if is_variable(e) {
                let value = number(&tokens);
                return (tokens, value);
            }
            let x = Ident::new(&format!("__x{k}"), at(e.span));
            setup.extend(quote!(let #x = #tokens;));
            let stand_in = if k == 0 { receiver_stand_in } else { stand_in };
            (stand_in(&x, e), number(&x.to_token_stream()))
        };
        let (receiver, value) = operand(receiver, 0);
        let mut values = vec![value];
        let mut tokens = Vec::new();
        for (k, arg) in args.iter().enumerate() {
            let (arg, value) = operand(arg, k + 1);
            values.push(value);
            tokens.push(arg);
        }
        let args = parens(e.end, quote!(#(#tokens),*));
        let (span, called) = (e.span, method::companion(name));
        let call = call(name, &values, &quote_spanned!(span=> #receiver.#called #args));
        Some(quote_spanned!(span=> ({ #setup #call })))
    }
}

/// Whether it is a variable, or a member of one.
pub fn is_variable(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(..) => true,
        ExprKind::Member(base, _) | ExprKind::Unary(UnOp::Deref, base, _) => is_variable(base),
        _ => false,
    }
}
