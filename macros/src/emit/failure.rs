//! What ends an iteration by its own word, and divisions that have no result: in kernels, and in functions, which unwind.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use swathe_ir::message::StyleKind;
use swathe_ir::{BinOp, FuncKind};
use syn::spanned::Spanned;
use syn::visit_mut::{VisitMut, visit_block_mut, visit_expr_mut};

use super::access::{receiver_stand_in, stand_in};
use super::ir::span as place;
use super::maths::{is_native_variable, is_variable};
use super::print::{Mode, Printer, parens, symbol, through_struct};
use super::{at, label, method};
use crate::claim::{Kind, Message, claim};
use crate::groups::bare;
use crate::hir::types::{is_float, is_float_type, is_nonzero};
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind};
use crate::lower::is_free_function;
use crate::{lints, order};

impl Printer<'_> {
    /// Ends the iteration; outside of parallel loops: the kernel.
    pub fn leave(&self) -> TokenStream {
        match self.iteration {
            // Among lanes only a division can fail, which in floats it cannot: nothing to branch to.
            Some(_) if !self.cuts.is_empty() => quote!(::swathe::__rt::leave()),
            Some(id) => {
                let id = label(id);
                quote!(::core::mem::forget(__iteration); continue #id)
            }
            None => quote!(return ::core::result::Result::Err(::swathe::__rt::Failed)),
        }
    }

    /// Number of the kernel's accesses before an expression, or in it.
    fn order(&self, e: &Expr) -> u32 {
        let mut before = Before {
            target: e,
            count: 0,
            found: false,
        };
        before.block(&self.func.body);
        before.count
    }

    pub fn failure(&self, e: &Expr, template: &str, args: &[Expr], styles: &[Vec<StyleKind>]) -> TokenStream {
        let values: Vec<TokenStream> = args.iter().map(|arg| self.expr(arg)).collect();
        let spans: Vec<[Span; 2]> = args.iter().map(|arg| [arg.span, arg.end]).collect();
        let (bound, shown) = shown(&values, &spans, styles);
        if self.mode == Mode::Probe {
            return quote!({
                #bound
                let _: &[::swathe::__rt::show::Argument] = &[#shown];
                ::core::unreachable!()
            });
        }
        let (at, order) = (place(e.span), self.order(e));
        let (line, column) = (at.line, at.column);
        if self.func.kind == FuncKind::Func {
            return quote!({
                #bound
                ::swathe::__rt::function_failed(::core::file!(), #line, #column, #template, ::std::boxed::Box::new([#shown]))
            });
        }
        let leave = self.leave();
        quote!({
            #bound
            ::swathe::__rt::Failures::failed(__launch, #order, #line, #column, #template, &[#shown]);
            #leave
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
    pub fn euclid_method(&self, receiver: &Expr, name: &Ident, args: &[Expr], e: &Expr) -> Option<TokenStream> {
        let (op, [arg]) = (euclid(name)?, args) else {
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
    pub fn euclid_call(&self, path: &syn::ExprPath, args: &[Expr], e: &Expr) -> Option<TokenStream> {
        let name = &path.path.segments.last()?.ident;
        let [left, right] = args else { return None };
        if path.path.segments.len() < 2 && path.qself.is_none() {
            return None;
        }
        let op = euclid(name)?;
        let check = self.division_check(op, e, &quote!(&__dividend), &quote!(&__divisor));
        let (dividend, divisor) = (self.expr(left), self.expr(right));
        let (a, b) = (named("__dividend", left), named("__divisor", right));
        let (x, y, path) = (stand_in(&a, left), stand_in(&b, right), method::companion_path(path));
        Some(quote_spanned!(e.span=> { let #a = #dividend; let #b = #divisor; #check #path(#x, #y) }))
    }

    /// Leaves if `dividend / divisor` has no result; both are references.
    pub fn division_check(&self, op: BinOp, e: &Expr, dividend: &TokenStream, divisor: &TokenStream) -> TokenStream {
        if self.func.kind == FuncKind::Func {
            return native_check(op, e.span, dividend, divisor);
        }
        let (at, order) = (place(e.span), self.order(e));
        let (line, column) = (at.line, at.column);
        let remainder = op == BinOp::Rem;
        if self.staged {
            return fault(dividend, divisor, &quote!(::swathe::__rt::again()));
        }
        let leave = self.leave();
        let failed = quote!({
            ::swathe::__rt::Failures::failed(__launch, #order, #line, #column, __fault.message(#remainder), &[]);
            #leave
        });
        fault(dividend, divisor, &failed)
    }
}

/// Counts accesses in the order in which they are numbered, up to an expression.
struct Before<'e> {
    target: &'e Expr,
    count: u32,
    found: bool,
}

impl Visit for Before<'_> {
    fn expr(&mut self, e: &Expr) {
        if self.found {
            return;
        }
        match &e.kind {
            ExprKind::Atomic(_, _, place, args) => {
                self.expr(place);
                args.iter().for_each(|e| self.expr(e));
            }
            _ => {
                walk_expr(self, e);
                self.count += u32::from(!self.found && matches!(e.kind, ExprKind::Field(_)));
            }
        }
        self.found |= std::ptr::eq(e, self.target);
    }
}

/// A name of ours where rustc shall underline the user's operand.
fn named(name: &str, e: &Expr) -> Ident {
    Ident::new(name, at(e.span))
}

/// Statements that bind the values of a message, and the list of what is shown.
fn shown(values: &[TokenStream], spans: &[[Span; 2]], styles: &[Vec<StyleKind>]) -> (TokenStream, TokenStream) {
    let name = |(k, [start, _]): (usize, &[Span; 2])| Ident::new(&format!("__m{k}"), at(*start));
    let names: Vec<_> = spans.iter().enumerate().map(name).collect();
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
    (quote!(#(let #names = #values;)*), quote!(#(#shown),*))
}

fn fault(dividend: &TokenStream, divisor: &TokenStream, failed: &TokenStream) -> TokenStream {
    quote! {
        #[allow(warnings, unused, clippy::all, clippy::pedantic)]
        {
            use ::swathe::__rt::{Checked as _, Unchecked as _};
            if let ::core::option::Option::Some(__fault) = (&&::swathe::__rt::Operands(#dividend, #divisor)).__fault() {
                #failed
            }
        }
    }
}

/// The body of a `#[func]` as it runs on the CPU: its failures are those of the kernel that calls it, and it calls functions and methods by what
/// stands beside them. Of a `const fn` only the calls are changed.
pub fn function_body(sig: &syn::Signature, block: &mut syn::Block) {
    Lints.visit_block_mut(block);
    method::Methods.visit_block_mut(block);
    if sig.constness.is_none() {
        let mut native = Native {
            names: order::Names::of(sig, block),
            around: None,
        };
        native.visit_block_mut(block);
    }
    // Last: what a call becomes has blocks and methods in it.
    Calls.visit_block_mut(block);
}

/// Keeps attributes where they are.
struct Lints;

impl VisitMut for Lints {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        lints::enclose(block);
        visit_block_mut(self, block);
    }
}

/// Changes calls.
struct Calls;

impl VisitMut for Calls {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_expr_mut(self, e);
        if let syn::Expr::Call(call) = e
            && let Some(tokens) = native_call(call)
        {
            *e = expression(tokens);
        }
    }
}

/// A call of a free function, as kernels make it.
fn native_call(call: &syn::ExprCall) -> Option<TokenStream> {
    let syn::Expr::Path(path) = &*call.func else {
        return None;
    };
    // What assertions have become.
    let ours = path
        .path
        .segments
        .iter()
        .nth(1)
        .is_some_and(|segment| segment.ident == "__rt");
    if ours || !is_free_function(path) {
        return None;
    }
    let (args, end) = (&call.args, call.paren_token.span.join());
    let slot = quote!(::swathe::__rt::FuncSlot::new());
    Some(through_struct(path, args.len(), &slot, parens(end, quote!(#args))))
}

struct Native {
    names: order::Names,
    /// Of the parentheses that an expression stands in: they count as part of it.
    around: Option<Span>,
}

impl VisitMut for Native {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        for stmt in &mut block.stmts {
            if let syn::Stmt::Macro(m) = stmt
                && let Some(tokens) = self.claim(&m.mac)
            {
                *stmt = syn::Stmt::Expr(expression(tokens), m.semi_token);
            }
        }
        visit_block_mut(self, block);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        let around = self.around.take();
        if matches!(e, syn::Expr::Paren(_) | syn::Expr::Group(_)) {
            self.around = around.or(Some(e.span()));
        }
        let at = around.unwrap_or(e.span());
        visit_expr_mut(self, e);
        let tokens = match e {
            syn::Expr::Macro(m) => self.claim(&m.mac),
            syn::Expr::Binary(b) => native_binary(b, at),
            syn::Expr::MethodCall(call) => match (euclid(&method::written(&call.method)), call.args.first()) {
                (Some(op), Some(divisor)) if call.args.len() == 1 => {
                    let (receiver, method) = (&call.receiver, &call.method);
                    if is_native_variable(receiver) && self.names.stays(receiver, &call.args) {
                        let check = native_check(op, at, &quote!(&#receiver), &quote!(&__divisor));
                        *e = expression(quote!({
                            let __divisor = #divisor;
                            #check
                            #receiver.#method(__divisor)
                        }));
                        return;
                    }
                    let check = native_check(op, at, &quote!(&__dividend), &quote!(&__divisor));
                    Some(quote!({
                        let __dividend = #receiver;
                        let __divisor = #divisor;
                        #check
                        __dividend.#method(__divisor)
                    }))
                }
                _ => super::maths::native_function(call, &self.names),
            },
            _ => None,
        };
        if let Some(tokens) = tokens {
            *e = expression(tokens);
        }
    }
}

impl Native {
    fn claim(&mut self, mac: &syn::Macro) -> Option<TokenStream> {
        let mut claim = claim(mac)?.ok()?;
        let end = |message: &Message, more: &[TokenStream]| {
            let mut values: Vec<TokenStream> = message.args.iter().map(ToTokens::to_token_stream).collect();
            values.extend(more.iter().cloned());
            let mut spans: Vec<[Span; 2]> = message.args.iter().map(|arg| [arg.span(); 2]).collect();
            spans.resize(values.len(), [mac.path.span(); 2]);
            let (bound, shown) = shown(&values, &spans, &message.styles);
            let (at, template) = (place(mac.path.span()), &message.template);
            let (line, column) = (at.line, at.column);
            quote!({
                #bound
                ::swathe::__rt::function_failed(::core::file!(), #line, #column, #template, ::std::boxed::Box::new([#shown]))
            })
        };
        for arg in &mut claim.message.args {
            method::Methods.visit_expr_mut(arg);
            self.visit_expr_mut(arg);
        }
        let held = match &mut claim.kind {
            Kind::Never => return Some(end(&claim.message, &[])),
            Kind::Holds(cond) => {
                method::Methods.visit_expr_mut(cond);
                self.visit_expr_mut(cond);
                let end = end(&claim.message, &[]);
                quote!(if #cond {} else #end)
            }
            Kind::Compares { equal, left, right } => {
                method::Methods.visit_expr_mut(left);
                method::Methods.visit_expr_mut(right);
                self.visit_expr_mut(left);
                self.visit_expr_mut(right);
                let symbol = if *equal { quote!(==) } else { quote!(!=) };
                let end = end(&claim.message, &[quote!(__left), quote!(__right)]);
                quote!({
                    let __left = #left;
                    let __right = #right;
                    if __left #symbol __right {} else #end
                })
            }
        };
        Some(if claim.debug {
            quote!(if ::core::cfg!(debug_assertions) { #held })
        } else {
            held
        })
    }
}

/// As a tree, so that it stands in parentheses where it has to.
fn expression(tokens: TokenStream) -> syn::Expr {
    syn::parse2(tokens.clone()).unwrap_or(syn::Expr::Verbatim(tokens))
}

/// The operator that a method's name stands for.
pub fn euclid(method: &syn::Ident) -> Option<BinOp> {
    match method::plain(method).as_str() {
        "div_euclid" => Some(BinOp::Div),
        "rem_euclid" => Some(BinOp::Rem),
        _ => None,
    }
}

fn native_check(op: BinOp, span: Span, dividend: &TokenStream, divisor: &TokenStream) -> TokenStream {
    let at = place(span);
    let (line, column) = (at.line, at.column);
    let remainder = op == BinOp::Rem;
    let failed = quote!(::swathe::__rt::function_failed(
        ::core::file!(), #line, #column, __fault.message(#remainder), ::std::boxed::Box::new([]),
    ););
    fault(dividend, divisor, &failed)
}

fn native_binary(b: &syn::ExprBinary, at: Span) -> Option<TokenStream> {
    let (op, assigns) = match b.op {
        syn::BinOp::Div(_) => (BinOp::Div, false),
        syn::BinOp::Rem(_) => (BinOp::Rem, false),
        syn::BinOp::DivAssign(_) => (BinOp::Div, true),
        syn::BinOp::RemAssign(_) => (BinOp::Rem, true),
        _ => return None,
    };
    let plain = |e: &syn::Expr, divisor: bool| match e {
        syn::Expr::Lit(l) => match &l.lit {
            syn::Lit::Float(_) => true,
            syn::Lit::Int(n) => divisor && n.base10_parse::<u128>().is_ok_and(|n| n != 0),
            _ => false,
        },
        syn::Expr::Cast(cast) => is_float_type(&cast.ty),
        _ => false,
    };
    if plain(&b.left, false) || plain(&b.right, true) {
        return None;
    }
    let (left, symbol, right) = (bare(&b.left), &b.op, bare(&b.right));
    Some(if assigns {
        let check = native_check(op, at, &quote!(&*__place), &quote!(&__divisor));
        quote!({
            let __divisor = #right;
            let __place = &mut #left;
            #check
            *__place #symbol __divisor
        })
    } else {
        let check = native_check(op, at, &quote!(&__dividend), &quote!(&__divisor));
        quote!({
            let __dividend = #left;
            let __divisor = #right;
            #check
            __dividend #symbol __divisor
        })
    })
}
