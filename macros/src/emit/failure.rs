//! What ends an iteration by its own word, and divisions that have no result: in kernels, and in functions, which unwind.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use swathe_ir::message::StyleKind;
use swathe_ir::{BinOp, FuncKind, Output};

use super::access::{receiver_stand_in, stand_in};
use super::ir::place;
use super::maths::is_variable;
use super::print::{Mode, Printer, parens, symbol};
use super::{at, label, method};
use crate::hir::types::{is_float, is_nonzero};
use crate::hir::{Expr, Func, Range};
use crate::order;

impl Printer<'_> {
    /// Ends the iteration; outside of parallel loops: the kernel.
    pub fn leave(&self) -> TokenStream {
        match self.iteration {
            Some(_) if self.unreached => quote!(loop {}),
            // Among lanes a division can fail, which in floats it cannot, and in some copies an access: nothing to branch to.
            Some(_) if !self.cuts.is_empty() => quote!(::swathe::__rt::leave()),
            Some(id) => {
                let id = label(id);
                quote!(::swathe::__rt::core::mem::forget(__iteration); continue #id)
            }
            None => quote!(return ::swathe::__rt::core::result::Result::Err(::swathe::__rt::Failed)),
        }
    }

    pub fn failure(&self, e: &Expr, template: &str, args: &[Expr], styles: &[Vec<StyleKind>]) -> TokenStream {
        let values: Vec<TokenStream> = args.iter().map(|arg| self.expr(arg)).collect();
        let spans: Vec<[Span; 2]> = args.iter().map(|arg| [arg.span, arg.end]).collect();
        let (bound, shown) = shown(&values, &spans, styles);
        if self.mode == Mode::Probe {
            return quote!({
                #bound
                let _: &[::swathe::__rt::show::Argument] = &[#shown];
                ::swathe::__rt::core::unreachable!()
            });
        }
        if self.constant {
            return quote!(::swathe::__rt::core::panic!(#template, #(#values),*));
        }
        if self.func.kind == FuncKind::Func {
            let (file, at) = place(self.func, e.span);
            let (line, column) = (at.line, at.column);
            return quote!({
                #bound
                ::swathe::__rt::function_failed(#file, #line, #column, #template, ::swathe::__rt::std::boxed::Box::new([#shown]))
            });
        }
        let (recorded, leave) = (self.recorded(e, &quote!(#template), &shown), self.leave());
        quote!({
            #bound
            #recorded
            #leave
        })
    }

    /// Writes a line for the user.
    pub fn printed(
        &self,
        e: &Expr,
        output: Output,
        template: &str,
        args: &[Expr],
        styles: &[Vec<StyleKind>],
    ) -> TokenStream {
        let values: Vec<TokenStream> = args.iter().map(|arg| self.expr(arg)).collect();
        let spans: Vec<[Span; 2]> = args.iter().map(|arg| [arg.span, arg.end]).collect();
        let (bound, shown) = shown(&values, &spans, styles);
        let positions = (styles.len()..args.len()).map(|k| name_of(k, spans[k][0]));
        let shown = quote!(&[#shown #(::swathe::__rt::show::position(&#positions)),*]);
        if self.mode == Mode::Probe {
            return quote!({
                #bound
                let _: &[::swathe::__rt::show::Argument] = #shown;
            });
        }
        let (file, at) = place(self.func, e.span);
        let (line, column) = (at.line, at.column);
        let output = match output {
            Output::Out => quote!(Out),
            Output::Err => quote!(Err),
            Output::Debug => quote!(Debug),
        };
        quote!({
            #bound
            ::swathe::__rt::print(
                ::swathe::__rt::Output::#output, #file, #line, #column, #template, #shown,
            );
        })
    }

    pub fn division(&self, op: BinOp, op_span: Span, left: &Expr, right: &Expr, e: &Expr) -> TokenStream {
        let check = self.division_check(op, e, &quote!(&__dividend), &quote!(&__divisor));
        let (dividend, divisor) = (self.expr(left), self.operand_literal(right));
        let symbol = symbol(op, op_span, false);
        let (a, b) = (named("__dividend", left), named("__divisor", right));
        let (x, y) = (stand_in(&a, left), stand_in(&b, right));
        quote_spanned!(e.span=> { let #a = #dividend; let #b = #divisor; #check #x #symbol #y })
    }

    /// `place /= value` of a variable.
    pub fn division_in_place(
        &self,
        op: BinOp,
        place: &Expr,
        value: &Expr,
        symbol: &TokenStream,
        e: &Expr,
    ) -> TokenStream {
        let check = self.division_check(op, e, &quote!(&*__place), &quote!(&__divisor));
        let (b, divisor, place) = (named("__divisor", value), self.operand_literal(value), self.expr(place));
        let y = stand_in(&b, value);
        let name = Ident::new("__place", at(e.span));
        quote_spanned!(e.span=> { let #b = #divisor; let #name = &mut #place; #check *#name #symbol #y })
    }

    /// `a.rem_euclid(b)`.
    pub fn division_method(&self, receiver: &Expr, name: &Ident, args: &[Expr], e: &Expr) -> Option<TokenStream> {
        let (op, [arg]) = (division_of(name)?, args) else {
            return None;
        };
        if is_nonzero(arg) || is_float(arg) {
            return None;
        }
        let (dividend, divisor) = (self.expr(receiver), self.expr(arg));
        let (a, b) = (named("__dividend", receiver), named("__divisor", arg));
        let (y, called) = (stand_in(&b, arg), method::companion(name));
        // A variable stays where it is: a method of the user's may change it.
        if is_variable(receiver) && order::stays(self.func, receiver, [arg]) {
            let check = self.division_check(op, e, &quote!(&#dividend), &quote!(&__divisor));
            return Some(quote_spanned!(e.span=> { let #b = #divisor; #check #dividend.#called(#y) }));
        }
        let check = self.division_check(op, e, &quote!(&__dividend), &quote!(&__divisor));
        let x = receiver_stand_in(&a, receiver);
        Some(quote_spanned!(e.span=> { let #a = #dividend; let #b = #divisor; #check #x.#called(#y) }))
    }

    /// `i32::rem_euclid(a, b)`.
    pub fn division_call(&self, path: &syn::ExprPath, args: &[Expr], e: &Expr) -> Option<TokenStream> {
        let name = &path.path.segments.last()?.ident;
        let [left, right] = args else { return None };
        if path.path.segments.len() < 2 && path.qself.is_none() {
            return None;
        }
        let op = division_of(name)?;
        let check = self.division_check(op, e, &quote!(&__dividend), &quote!(&__divisor));
        let (dividend, divisor) = (self.expr(left), self.expr(right));
        let (a, b) = (named("__dividend", left), named("__divisor", right));
        let (x, y, path) = (stand_in(&a, left), stand_in(&b, right), method::companion_path(path));
        Some(quote_spanned!(e.span=> { let #a = #dividend; let #b = #divisor; #check #path(#x, #y) }))
    }

    /// Leaves if `dividend / divisor` has no result; both are references.
    pub fn division_check(&self, op: BinOp, e: &Expr, dividend: &TokenStream, divisor: &TokenStream) -> TokenStream {
        if self.func.kind == FuncKind::Func {
            return native_check(op, e.span, self.func, dividend, divisor);
        }
        let remainder = op == BinOp::Rem;
        fault(dividend, divisor, &self.failed(e, &quote!(__fault.message(#remainder))))
    }

    /// Ends the iteration with a message that holds no values, in native code: a function unwinds, and a block of iterations runs again.
    fn failed(&self, e: &Expr, message: &TokenStream) -> TokenStream {
        if self.func.kind == FuncKind::Func {
            return function_failed(e.span, self.func, message);
        }
        if self.restarts {
            return quote!(::swathe::__rt::again());
        }
        let (recorded, leave) = (self.recorded(e, message, &TokenStream::new()), self.leave());
        quote!({
            #recorded
            #leave
        })
    }

    /// Records a failure of a kernel at an expression.
    pub fn recorded(&self, e: &Expr, message: &TokenStream, shown: &TokenStream) -> TokenStream {
        let (file, at) = place(self.func, e.span);
        let (line, column, order) = (at.line, at.column, e.order.get());
        if at.file > 0 {
            return quote!(::swathe::__rt::Failures::failed_in(
                __launch, #file, #order, #line, #column, #message, &[#shown],
            ););
        }
        quote!(::swathe::__rt::Failures::failed(__launch, #order, #line, #column, #message, &[#shown]);)
    }

    /// The step of a range, in native code not 0.
    pub fn step(&self, range: &Range) -> Option<TokenStream> {
        let step = range.step.as_ref()?;
        let value = self.expr(step);
        if !range.may_fail() || self.mode == Mode::Probe || self.constant {
            return Some(value);
        }
        let failed = self.failed(step, &quote!(::swathe::__rt::ZERO_STEP));
        let zero = at(step.span);
        Some(quote_spanned!(zero=> {
            let __step = #value;
            // Its type is the iterator's to ask for.
            if ::swathe::__rt::core::matches!(__step, 0) {
                #failed
            }
            __step
        }))
    }
}

/// A name of ours where rustc shall underline the user's operand.
fn named(name: &str, e: &Expr) -> Ident {
    Ident::new(name, at(e.span))
}

/// Holds value `k` of a message.
fn name_of(k: usize, start: Span) -> Ident {
    Ident::new(&format!("__m{k}"), at(start))
}

/// Statements that bind the values of a message, and the list of what is shown.
fn shown(values: &[TokenStream], spans: &[[Span; 2]], styles: &[Vec<StyleKind>]) -> (TokenStream, TokenStream) {
    let names: Vec<_> = (0..spans.len()).map(|k| name_of(k, spans[k][0])).collect();
    let shown = names
        .iter()
        .zip(spans)
        .zip(styles)
        .map(|((name, [start, end]), styles)| {
            let zero = syn::Index { index: 0, span: *end };
            let tuple = parens(*start, quote!(#name,));
            let value = quote_spanned!(*end=> #tuple.#zero);
            let writes = styles.iter().map(|style| {
                let function = match style {
                    StyleKind::Display => quote!(display),
                    StyleKind::Debug => quote!(debug),
                    StyleKind::LowerHex => quote!(lower_hex),
                    StyleKind::UpperHex => quote!(upper_hex),
                    StyleKind::Binary => quote!(binary),
                    StyleKind::Octal => quote!(octal),
                    StyleKind::LowerExp => quote!(lower_exp),
                };
                {
                    let args = parens(*end, quote_spanned!(*start=> &#value));
                    quote_spanned!(*start=> ::swathe::__rt::show::#function #args)
                }
            });
            quote!({ #(#writes);* })
        });
    (quote!(#(let #names = #values;)*), quote!(#(#shown,)*))
}

fn fault(dividend: &TokenStream, divisor: &TokenStream, failed: &TokenStream) -> TokenStream {
    quote! {
        #[allow(warnings, unused, clippy::all, clippy::pedantic)]
        {
            use ::swathe::__rt::{Checked as _, Unchecked as _};
            if let ::swathe::__rt::core::option::Option::Some(__fault) = (&&::swathe::__rt::Operands(#dividend, #divisor)).__fault() {
                #failed
            }
        }
    }
}

/// The operator that a method's name stands for.
pub fn division_of(method: &syn::Ident) -> Option<BinOp> {
    swathe_ir::division(&method::plain(method))
}

fn native_check(op: BinOp, span: Span, func: &Func, dividend: &TokenStream, divisor: &TokenStream) -> TokenStream {
    let remainder = op == BinOp::Rem;
    let failed = function_failed(span, func, &quote!(__fault.message(#remainder)));
    fault(dividend, divisor, &failed)
}

fn function_failed(span: Span, func: &Func, message: &TokenStream) -> TokenStream {
    let (file, at) = place(func, span);
    let (line, column) = (at.line, at.column);
    quote!(::swathe::__rt::function_failed(
        #file, #line, #column, #message, ::swathe::__rt::std::boxed::Box::new([]),
    );)
}
