//! Contraction: where a kernel is not strict, a product and the sum it goes into are rounded once, as CUDA C has it. rustc never does
//! so by itself. Whether the operands are floats is for their types to say; the operators stay as the user wrote them, so that
//! rustc's types and messages do.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use swathe_ir::{AtomicOp, BinOp, ParamKind};

use super::access::{receiver_stand_in, stand_in};
use super::maths::is_variable;
use super::print::{Mode, Printer, parens, symbol};
use super::{at, shared_name};
use crate::hir::types::is_integer_type;
use crate::hir::{Arithmetic, Block, Expr, ExprKind, LocalId, Value};
use crate::order;

/// Methods of vectors that are sums of products, and how many arguments they have behind the receiver.
const METHODS: [(&str, usize); 7] = [
    ("dot", 1),
    ("length_squared", 0),
    ("distance_squared", 1),
    ("norm", 0),
    ("length", 0),
    ("distance", 1),
    ("normalized", 0),
];

/// A product whose factors are in variables.
struct Product {
    /// Declares the factors.
    factors: TokenStream,
    names: [Ident; 2],
    /// The product, with the user's spans.
    tokens: TokenStream,
}

impl Printer<'_> {
    fn product(&self, e: &Expr) -> Option<Product> {
        let ExprKind::Binary(BinOp::Mul, span, left, right, _) = &e.kind else {
            return None;
        };
        // What is in a variable by now is no product any more.
        if self.is_integer(left) || self.is_integer(right) || self.held(e).is_some() {
            return None;
        }
        if self.is_reference(left) || self.is_reference(right) {
            return None;
        }
        let names = [named("__left_factor", left), named("__right_factor", right)];
        let (a, b) = (&names[0], &names[1]);
        let (first, second) = (self.expr(left), self.expr(right));
        let (x, y) = (stand_in(a, left), stand_in(b, right));
        let symbol = symbol(BinOp::Mul, *span, false);
        let proven = self.proven_operands(a, b);
        Some(Product {
            factors: quote!(let #a = #first; let #b = #second; #proven),
            tokens: quote_spanned!(e.span=> (#x #symbol #y)),
            names,
        })
    }

    /// What is evaluated ahead is left in front of an operator that is none of numbers.
    fn proven_operands(&self, a: &Ident, b: &Ident) -> Option<TokenStream> {
        self.proves.then(|| quote!(::swathe::__rt::arithmetic(&#a, &#b)?;))
    }

    fn contracts_here(&self, op: BinOp) -> bool {
        self.is_loose() && matches!(op, BinOp::Add | BinOp::Sub)
    }

    /// Whether there is a `__target`, which says whether products and sums become one operation.
    pub fn is_loose(&self) -> bool {
        let in_loop = self.iteration.is_some() || self.targeted;
        self.arithmetic != Arithmetic::Strict && self.mode == Mode::Native && in_loop
    }

    /// What a function that is called here is compiled for.
    pub fn target(&self) -> TokenStream {
        match self.is_loose() {
            true => quote!(__target),
            false => quote!(::swathe::__rt::Target::Plain),
        }
    }

    /// The slot of a function that is called here.
    pub fn slot(&self) -> TokenStream {
        match self.is_loose() {
            true => quote!(::swathe::__rt::FuncSlot::at(__target)),
            false => quote!(::swathe::__rt::FuncSlot::NEW),
        }
    }

    /// `a * b + c` and its like.
    pub fn contracted_sum(&self, op: BinOp, span: Span, left: &Expr, right: &Expr, e: &Expr) -> Option<TokenStream> {
        if !self.contracts_here(op) || self.is_integer(left) || self.is_integer(right) {
            return None;
        }
        if self.is_reference(left) || self.is_reference(right) {
            return None;
        }
        let symbol = symbol(op, span, false);
        let (product, term, first) = match self.product(left) {
            Some(product) => (product, right, true),
            None => (self.product(right)?, left, false),
        };
        let Product { factors, names, tokens } = product;
        let (a, b) = (&names[0], &names[1]);
        let c = named("__term", term);
        let (value, z) = (self.expr(term), stand_in(&c, term));
        let function = match (op, first) {
            (BinOp::Add, _) => quote!(sum),
            (_, true) => quote!(difference),
            (_, false) => quote!(rest),
        };
        let (setup, plain) = match first {
            // A user's product may fail, or be seen.
            true => {
                let before = named("__product", left);
                let (product, proven) = (stand_in(&before, left), self.proven_operands(&before, &c));
                (
                    quote!(#factors let #before = #tokens; let #c = #value; #proven),
                    quote!(#product #symbol #z),
                )
            }
            false if self.proves => {
                let before = named("__product", right);
                let (product, proven) = (stand_in(&before, right), self.proven_operands(&c, &before));
                (
                    quote!(let #c = #value; #factors let #before = #tokens; #proven),
                    quote!(#z #symbol #product),
                )
            }
            false => (quote!(let #c = #value; #factors), quote!(#z #symbol #tokens)),
        };
        Some(quote_spanned!(at(e.span)=> ({
            #setup
            ::swathe::__rt::contract::#function(__target, #a, #b, #c, #plain)
        })))
    }

    /// `place += a * b` and `place -= a * b`.
    pub fn contracted_update(
        &self,
        op: BinOp,
        place: &Expr,
        value: &Expr,
        symbol: &TokenStream,
        e: &Expr,
    ) -> Option<TokenStream> {
        if !self.contracts_here(op) {
            return None;
        }
        let function = match op {
            BinOp::Add => quote!(add),
            _ => quote!(subtract),
        };
        if !order::commutes(self.func, place, value) {
            return None;
        }
        let of_field = place.field_place().is_some();
        // Else rustc says that it may not change.
        if !of_field && !place.root_local().is_some_and(|id| self.func.local(id).mutable) {
            return None;
        }
        let Product { factors, names, tokens } = self.product(value)?;
        let (a, b) = (&names[0], &names[1]);
        if of_field {
            let product = format_ident!("__v");
            let again = stand_in(&product, value);
            let update = self.update(place, None, &|target| {
                quote!(if !::swathe::__rt::contract::#function(__target, &mut #target, #a, #b) {
                    #target #symbol #again;
                })
            });
            return Some(quote!({ #factors let #product = #tokens; #update }));
        }
        let target = self.expr(place);
        let star = quote_spanned!(place.span=> *);
        let again = parens(place.end, quote!(__place));
        let again = parens(place.span, quote!(#star #again));
        let product = stand_in(&format_ident!("__product"), value);
        Some(quote_spanned!(at(e.span)=> {
            #factors
            let __product = #tokens;
            let __place = &mut #target;
            if !::swathe::__rt::contract::#function(__target, __place, #a, #b) {
                #again #symbol #product;
            }
        }))
    }

    /// `f[i].atomic_add(a * b)` and `f[i].atomic_sub(a * b)` where no other thread changes the field: elsewhere the sum is an operation of its
    /// own, as on CUDA.
    pub fn contracted_atomic(&self, e: &Expr) -> Option<TokenStream> {
        let ExprKind::Atomic(op, name, place, args) = &e.kind else {
            return None;
        };
        let (sum, function) = match op {
            AtomicOp::Add => (BinOp::Add, quote!(add)),
            AtomicOp::Sub => (BinOp::Sub, quote!(subtract)),
            _ => return None,
        };
        let ([value], true) = (args.as_slice(), self.contracts_here(sum)) else {
            return None;
        };
        if self.cuts.lifted(value).is_some() {
            return None;
        }
        let Product { factors, names, tokens } = self.product(value)?;
        let ([a, b], pointer, shared) = (
            &names,
            self.atomic_pointer(*op, place),
            shared_name(e.accessed()?.field),
        );
        let call = self.atomic_call(*op, name, place, args);
        Some(quote!({
            #pointer
            #factors
            let __done = !#shared && {
                let mut __sum = unsafe { ::swathe::__rt::Pointer::read(__p) };
                let __fused = ::swathe::__rt::contract::#function(__target, &mut __sum, #a, #b);
                if __fused {
                    unsafe { ::swathe::__rt::Pointer::write(__p, __sum) };
                }
                __fused
            };
            if !__done {
                let __a0 = #tokens;
                #call;
            }
        }))
    }

    /// `v.dot(w)` and its like, which are sums of products.
    pub fn contracted_method(&self, receiver: &Expr, name: &Ident, args: &[Expr], e: &Expr) -> Option<TokenStream> {
        if !self.is_loose() || !METHODS.iter().any(|(known, of)| name == known && args.len() == *of) {
            return None;
        }
        if is_variable(receiver) && !order::stays(self.func, receiver, args) {
            return None;
        }
        if self.is_reference(receiver) || args.iter().any(|arg| self.is_reference(arg)) {
            return None;
        }
        let module = match self.arithmetic {
            Arithmetic::Fast if name == "normalized" => quote!(fast),
            _ => quote!(products),
        };
        let function = Ident::new(&name.to_string(), at(name.span()));
        let mut setup = TokenStream::new();
        let receiver = match is_variable(receiver) {
            true => self.expr(receiver),
            false => {
                let (name, value) = (named("__x0", receiver), self.expr(receiver));
                setup.extend(quote!(let #name = #value;));
                receiver_stand_in(&name, receiver)
            }
        };
        let args = args.iter().enumerate();
        let args: Vec<_> = args
            .map(|(k, arg)| self.taken(&format!("__x{}", k + 1), arg, &mut setup))
            .collect();
        let passed = parens(e.end, quote!(#(#args),*));
        let called = super::method::companion(name);
        let (span, plain) = (e.span, quote_spanned!(e.span=> #receiver.#called #passed));
        let values = std::iter::once(&receiver).chain(&args);
        // Copies: the user's own method of that name may borrow the variable to change it.
        let call = quote!(::swathe::__rt::#module::#function(__target, #(&{ #values },)* || #plain));
        Some(quote_spanned!(span=> ({ #setup #call })))
    }

    /// Tokens that can stand for an operand more than once. A variable stays where it is: a method of the user's may change it.
    pub fn taken(&self, name: &str, e: &Expr, setup: &mut TokenStream) -> TokenStream {
        let value = self.expr(e);
        if is_variable(e) {
            return value;
        }
        let name = named(name, e);
        setup.extend(quote!(let #name = #value;));
        stand_in(&name, e)
    }

    /// Whether an expression is a reference that a function is passed: its operators and methods take what it leads to.
    fn is_reference(&self, e: &Expr) -> bool {
        let of_block = |block: &Block| block.tail.as_deref().is_some_and(|e| self.is_reference(e));
        match &e.kind {
            ExprKind::Block { block, .. } => of_block(block),
            ExprKind::If(_, then, otherwise) => {
                of_block(then) || otherwise.as_deref().is_some_and(|e| self.is_reference(e))
            }
            ExprKind::Match(_, arms) => arms.iter().any(|arm| self.is_reference(&arm.body)),
            ExprKind::Decided { value, .. } | ExprKind::OfClosure(_, value) => self.is_reference(value),
            ExprKind::Local(id, _) => {
                let mut params = self.func.params.iter();
                params.any(|param| param.local == *id && matches!(param.kind, ParamKind::Ref { .. }))
            }
            ExprKind::Ref { .. } => true,
            _ => false,
        }
    }

    /// Whether an expression's tokens tell that it is an integer: there is nothing to contract then.
    pub fn is_integer(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(lit, _) => matches!(lit, syn::Lit::Int(n) if !n.suffix().starts_with('f')),
            ExprKind::Cast(_, ty, ..) => is_integer_type(ty),
            ExprKind::FieldLen(..) => true,
            ExprKind::Binary(_, _, left, right, _) => self.is_integer(left) || self.is_integer(right),
            ExprKind::Unary(_, inner, _) => self.is_integer(inner),
            ExprKind::Local(id, _) => self.holds_integer(*id),
            _ => false,
        }
    }

    fn holds_integer(&self, id: LocalId) -> bool {
        let mut params = self.func.params.iter();
        match &self.func.local(id).value {
            Value::Alias(other) => self.holds_integer(*other),
            Value::Unknown => params.any(|param| param.local == id && is_integer_type(&param.ty)),
            Value::Parts(_) => false,
            Value::Extent(_) | Value::Parallel { .. } | Value::Below(_) | Value::Within(_) => true,
        }
    }
}

/// A name of ours where rustc shall underline the user's operand.
pub fn named(name: &str, e: &Expr) -> Ident {
    Ident::new(name, at(e.span))
}
