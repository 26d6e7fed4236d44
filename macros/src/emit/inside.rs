//! The inside of rows, as Rust: what is asked of them.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use swathe_ir::{BinOp, LocalId};

use super::method;
use super::print::{Printer, symbol};
use crate::hir::{Asked, Expr, ExprKind, Inside, Sum, Within};

impl Printer<'_> {
    /// A tuple: the inside of the row `__whole`, and the multiples that it is asked for. `position` is that of iteration `__k`.
    pub fn asked(&self, inside: &Inside, position: &TokenStream) -> TokenStream {
        let mut asks = Asks {
            printer: self,
            position,
            text: TokenStream::new(),
            lines: 0,
        };
        asks.types(inside);
        inside.asked.iter().for_each(|asked| asks.ask(asked));
        let (text, multiples) = (asks.text, self.multiples(inside));
        quote!({
            let mut __inside = ::swathe::__rt::Inside::new(&__whole);
            #text
            (::swathe::__rt::Inside::range(__inside, &__whole), #(#multiples,)*)
        })
    }

    /// What an operation is in the inside of rows. A closure that is never called has the operation itself: what types it has, and its operands.
    pub fn within_rows(&self, operation: &Expr, within: Within) -> TokenStream {
        let (a, b) = (format_ident!("__a"), format_ident!("__b"));
        let (left, right, typed) = match &operation.kind {
            ExprKind::Method {
                receiver, name, args, ..
            } => {
                let method = method::companion(name);
                (&**receiver, &args[0], quote!(#a.#method(#b)))
            }
            ExprKind::Binary(op, at, left, right, _) => {
                let op = symbol(*op, *at, false);
                (&**left, &**right, quote!(#a #op #b))
            }
            _ => unreachable!("a remainder or a method"),
        };
        let (left, right) = (self.expr(left), self.expr(right));
        let (function, less) = match within {
            Within::First => ("first", None),
            Within::Second => ("second", None),
            Within::Difference => ("difference", None),
            Within::Less(multiple) => ("less", Some(&self.func.local(multiple).ident)),
        };
        let (function, less) = (format_ident!("{}", function), less.into_iter());
        quote!(::swathe::__rt::within::#function(#left, #right, #(#less,)* |mut #a, #b| #typed))
    }

    /// The names of the multiples.
    pub fn multiples(&self, inside: &Inside) -> Vec<Ident> {
        let multiples = inside.asked.iter().filter_map(|asked| match asked {
            Asked::Multiple { into, .. } => Some(self.func.local(*into).ident.clone()),
            _ => None,
        });
        multiples.collect()
    }
}

struct Asks<'p, 'f> {
    printer: &'p Printer<'f>,
    position: &'p TokenStream,
    text: TokenStream,
    /// How many sums have names.
    lines: usize,
}

impl Asks<'_, '_> {
    /// Asks for the types of all variables and constants, also of those in a branch that is not taken: they tell the types of literals in the other one.
    fn types(&mut self, inside: &Inside) {
        let sums = inside.asked.iter().flat_map(|asked| match asked {
            Asked::Compared { left, right, .. } => vec![left, right],
            Asked::Below { index, .. } => vec![index],
            Asked::Number(sum) => vec![sum],
            Asked::Multiple { of, by, .. } => vec![of, by],
        });
        let leaves: Vec<&Sum> = sums.flat_map(Sum::leaves).collect();
        let ours = |id: &LocalId| {
            inside
                .asked
                .iter()
                .any(|asked| matches!(asked, Asked::Multiple { into, .. } if into == id))
        };
        let mut told: Vec<&Sum> = Vec::new();
        for leaf in leaves {
            let value = match leaf {
                Sum::Local(id) if !ours(id) => self.printer.func.local(*id).ident.to_token_stream(),
                Sum::Const(path) => path.to_token_stream(),
                _ => continue,
            };
            if !told.contains(&leaf) {
                told.push(leaf);
                self.text
                    .extend(quote!(::swathe::__rt::Inside::typed(&mut __inside, &#value);));
            }
        }
        let position = self.position;
        self.text.extend(quote!({
            let __k = 0usize;
            ::swathe::__rt::Inside::typed(&mut __inside, &#position);
        }));
    }

    fn ask(&mut self, asked: &Asked) {
        let text = match asked {
            Asked::Compared { op, left, right, holds } => {
                let (a, b) = (self.sum(left), self.sum(right));
                let (method, a, b, same) = comparison(*op, &a, &b, "less", "equal");
                let holds = *holds == same;
                quote!(::swathe::__rt::Inside::#method(&mut __inside, #a, #b, #holds);)
            }
            Asked::Below { index, field, axis } => {
                let (index, ident) = (self.sum(index), &self.printer.func.local(*field).ident);
                let axis = Literal::usize_unsuffixed(*axis);
                quote!(::swathe::__rt::Inside::below(&mut __inside, #index, &#ident.shape(), #axis);)
            }
            Asked::Number(sum) => {
                self.sum(sum);
                quote!()
            }
            Asked::Multiple { of, by, into } => {
                let (of, by, into) = (self.sum(of), self.sum(by), &self.printer.func.local(*into).ident);
                quote!(let #into = ::swathe::__rt::Inside::multiple(&mut __inside, #of, #by);)
            }
        };
        self.text.extend(text);
    }

    /// Says what the sum is, and gives its name.
    fn sum(&mut self, sum: &Sum) -> Ident {
        let func = self.printer.func;
        let value = match sum {
            Sum::Position => {
                let position = self.position;
                quote!(::swathe::__rt::Inside::position(&mut __inside, |__k: ::core::primitive::usize| #position))
            }
            Sum::Local(id) => {
                let ident = &func.local(*id).ident;
                quote!(::swathe::__rt::Inside::value(&mut __inside, #ident))
            }
            Sum::Const(path) => quote!(::swathe::__rt::Inside::value(&mut __inside, #path)),
            Sum::Number(n) => {
                let n = Literal::u64_unsuffixed(*n);
                quote!(::swathe::__rt::Inside::value::<::core::primitive::usize>(&mut __inside, #n))
            }
            Sum::Len(field) => {
                let ident = &func.local(*field).ident;
                quote!(::swathe::__rt::Inside::value(&mut __inside, #ident.len()))
            }
            Sum::Extent(field, axis) => {
                let (ident, axis) = (&func.local(*field).ident, Literal::usize_unsuffixed(*axis));
                quote!(::swathe::__rt::Inside::extent(&mut __inside, &#ident.shape(), #axis))
            }
            Sum::Add(a, b) => self.pair("add", a, b),
            Sum::Sub(a, b) => self.pair("sub", a, b),
            Sum::Mul(a, b) => self.pair("mul", a, b),
            Sum::If(op, all) => {
                let [a, b, then, otherwise] = &**all;
                let (a, b) = (self.sum(a), self.sum(b));
                let (method, a, b, same) = comparison(*op, &a, &b, "is_less", "is_equal");
                let (then, otherwise) = (self.inner(then), self.inner(otherwise));
                quote!(if ::swathe::__rt::Inside::#method(&mut __inside, #a, #b) == #same #then else #otherwise)
            }
        };
        let name = format_ident!("__line{}", self.lines);
        self.lines += 1;
        self.text.extend(quote!(let #name = #value;));
        name
    }

    fn pair(&mut self, method: &str, a: &Sum, b: &Sum) -> TokenStream {
        let (method, a, b) = (format_ident!("{}", method), self.sum(a), self.sum(b));
        quote!(::swathe::__rt::Inside::#method(&mut __inside, #a, #b))
    }

    /// A sum that is only asked for where a condition holds.
    fn inner(&mut self, sum: &Sum) -> TokenStream {
        let before = std::mem::take(&mut self.text);
        let name = self.sum(sum);
        let text = std::mem::replace(&mut self.text, before);
        quote!({ #text #name })
    }
}

/// A comparison by one of two methods: its operands, and whether it holds where the method does.
fn comparison<'n>(
    op: BinOp,
    a: &'n Ident,
    b: &'n Ident,
    less: &str,
    equal: &str,
) -> (Ident, &'n Ident, &'n Ident, bool) {
    let (less, equal) = (format_ident!("{}", less), format_ident!("{}", equal));
    match op {
        BinOp::Lt => (less, a, b, true),
        BinOp::Gt => (less, b, a, true),
        BinOp::Le => (less, b, a, false),
        BinOp::Ge => (less, a, b, false),
        BinOp::Eq => (equal, a, b, true),
        BinOp::Ne => (equal, a, b, false),
        _ => unreachable!("a comparison"),
    }
}
