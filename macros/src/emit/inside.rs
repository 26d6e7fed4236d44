//! The inside of rows, as Rust: what is asked of them.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use swathe_ir::{BinOp, LocalId};

use super::lent;
use super::method;
use super::print::{Printer, symbol};
use super::{given, lanes};
use crate::hir::{Amount, Asked, Called, End, Expr, ExprKind, Given, Inside, Item, Passed, Sum, Table, Typed, Within};

impl Printer<'_> {
    /// What of the inside is the same for all rows, `along`, and a tuple: the inside of the row `__whole`, and the numbers that it is asked for.
    /// `position` is that of iteration `__k`.
    pub fn asked(&self, inside: &Inside, along: &Ident, position: &TokenStream) -> [TokenStream; 2] {
        let (for_all, for_each): (Vec<&Asked>, Vec<&Asked>) =
            inside.asked.iter().partition(|asked| self.is_of_all_rows(asked));
        let asks = |of: &[&Asked]| {
            let mut asks = Asks {
                printer: self,
                position,
                text: TokenStream::new(),
                lines: 0,
                said: Vec::new(),
            };
            asks.types(of);
            of.iter().for_each(|asked| asks.ask(asked));
            asks.text
        };
        let least = inside.least;
        let (all, text) = (asks(&for_all), asks(&for_each));
        let numbers = inside.asked.iter().filter_map(|asked| match asked {
            Asked::Multiple { into, .. } => Some(self.func.local(*into).ident.to_token_stream()),
            Asked::Given { into, by, .. } => {
                let (given, by) = (&self.func.local(*into).ident, Literal::i64_unsuffixed(*by));
                Some(quote!(::swathe::__rt::Given::at_zero(#given, #by, { let __k = 0usize; #position })))
            }
            _ => None,
        });
        [
            quote!(
                let #along = {
                    let mut __inside = ::swathe::__rt::Inside::ALL;
                    #all
                    __inside
                };
            ),
            quote!({
                let mut __inside = ::swathe::__rt::Inside::of(#along, &__whole, #least);
                #text
                (::swathe::__rt::Inside::range(__inside, &__whole), #(#numbers,)*)
            }),
        ]
    }

    /// What an operation is in the inside of rows. A closure that is never called has the operation itself: what types it has, and its operands.
    pub fn within_rows(&self, operation: &Expr, within: Within) -> TokenStream {
        match (&operation.kind, within) {
            (ExprKind::Lit(syn::Lit::Int(n), _), Within::Index) => {
                let n = n.base10_digits().parse().map(Literal::u64_unsuffixed);
                return n.map_or_else(|_| self.expr(operation), |n| n.to_token_stream());
            }
            (_, Within::Index) => {
                let number = self.expr(operation);
                return quote!(::swathe::__rt::within::index(#number));
            }
            (ExprKind::Binary(op, _, a, b, _), Within::Indices) => {
                let (a, b) = (self.expr(a), self.expr(b));
                let function = match op {
                    BinOp::Add => quote!(wrapping_add),
                    BinOp::Sub => quote!(wrapping_sub),
                    _ => quote!(wrapping_mul),
                };
                return quote!(::swathe::__rt::core::primitive::usize::#function(#a, #b));
            }
            (ExprKind::Binary(_, _, like, number, _), Within::Like) => {
                let (like, number) = (self.expr(like), self.expr(number));
                return quote!(::swathe::__rt::within::like(|| #like, #number));
            }
            _ => {}
        }
        let (left, rest, typed) = match &operation.kind {
            ExprKind::Method {
                receiver, name, args, ..
            } => {
                let method = method::companion(name);
                let names: Vec<Ident> = (1..=args.len()).map(|k| format_ident!("__a{}", k)).collect();
                let values: Vec<TokenStream> = args.iter().map(|arg| self.expr(arg)).collect();
                let (names, values) = match (names.as_slice(), values.as_slice()) {
                    ([name], [value]) => (quote!(#name), quote!(#value)),
                    _ => (quote!((#(#names),*)), quote!((#(#values),*))),
                };
                let passed = (1..=args.len()).map(|k| format_ident!("__a{}", k));
                (
                    &**receiver,
                    values,
                    quote!(|mut __a0, #names| __a0.#method(#(#passed),*)),
                )
            }
            ExprKind::Binary(op, at, left, right, _) => {
                let (op, right) = (symbol(*op, *at, false), self.expr(right));
                (&**left, right, quote!(|mut __a0, __a1| __a0 #op __a1))
            }
            _ => unreachable!("a remainder or a method"),
        };
        let left = self.expr(left);
        let (function, less) = match within {
            Within::First => ("first", None),
            Within::Second => ("second", None),
            Within::Difference => ("difference", None),
            Within::Moved => ("moved", None),
            Within::Around(rule) => (rule, None),
            Within::Rest => ("rest", None),
            Within::Less(multiple) => ("less", Some(&self.func.local(multiple).ident)),
            Within::Indices | Within::Index | Within::Like => unreachable!("printed above"),
        };
        let (function, less) = (format_ident!("{}", function), less.into_iter());
        quote!(::swathe::__rt::within::#function(#left, #rest, #(#less,)* #typed))
    }

    /// Whether the answer is the same for all rows: no variable of the loop but the row's position is in it, and it does not depend on what else
    /// is asked.
    fn is_of_all_rows(&self, asked: &Asked) -> bool {
        let of_row = |sum: &Sum| {
            let mut leaves = sum.leaves().into_iter();
            leaves.any(|leaf| match leaf {
                Sum::Local(id) => self.func.local(*id).inside.is_some(),
                Sum::Given { .. } | Sum::Entry(..) => true,
                _ => false,
            })
        };
        match asked {
            Asked::Compared {
                op: BinOp::Eq | BinOp::Ne,
                ..
            }
            | Asked::Multiple { .. }
            | Asked::Given { .. } => false,
            Asked::Compared { left, right, .. } => !of_row(left) && !of_row(right),
            Asked::Below { index, .. } => !of_row(index),
            Asked::Number(sum) => !of_row(sum),
            Asked::Called(called) => !called.sums().any(of_row),
        }
    }

    /// The names of the numbers that a row is asked for.
    pub fn numbers(&self, inside: &Inside) -> Vec<Ident> {
        let numbers = inside.asked.iter().filter_map(|asked| match asked {
            Asked::Multiple { into, .. } | Asked::Given { into, .. } => Some(self.func.local(*into).ident.clone()),
            _ => None,
        });
        numbers.collect()
    }
}

struct Asks<'p, 'f> {
    printer: &'p Printer<'f>,
    position: &'p TokenStream,
    text: TokenStream,
    /// How many sums have names.
    lines: usize,
    /// Those that may be named again.
    said: Vec<(Sum, Option<syn::Type>, Ident)>,
}

impl Asks<'_, '_> {
    /// Asks for the types of all variables and constants, also of those in a branch that is not taken: they tell the types of literals in the other one.
    fn types(&mut self, all: &[&Asked]) {
        let mut types = Vec::new();
        for asked in all {
            match asked.types() {
                Some(parts) => types.extend(parts),
                None => self.nothing(),
            }
        }
        self.typed(&types, all);
        let position = self.position;
        self.text.extend(quote!({
            let __k = 0usize;
            ::swathe::__rt::Inside::typed::<::swathe::__rt::core::primitive::usize, _>(&mut __inside, &#position);
        }));
    }

    /// Leaves nothing of the row.
    fn nothing(&mut self) {
        self.text
            .extend(quote!(::swathe::__rt::Inside::nothing(&mut __inside);));
    }

    fn typed(&mut self, typed: &[Typed<'_>], all: &[&Asked]) {
        let ours = |id: &LocalId| {
            all.iter()
                .any(|asked| matches!(asked, Asked::Multiple { into, .. } if into == id))
        };
        let mut told: Vec<Typed<'_>> = Vec::new();
        for &(leaf, ty) in typed {
            if told.contains(&(leaf, ty)) {
                continue;
            }
            told.push((leaf, ty));
            let ty = of_type(ty);
            let asked = match leaf {
                Sum::Local(id) if ours(id) => continue,
                // It is asked for where it is needed, and chosen nowhere.
                Sum::Given { .. } => continue,
                Sum::Item(Item {
                    table: Table::Named { table, axes, .. },
                    ..
                }) => self.typed_items(table, axes.len(), &ty),
                Sum::Entry(table, axes) => self.typed_items(table, axes.len(), &ty),
                Sum::Length(table) => {
                    let length = self.length(table);
                    quote!(::swathe::__rt::Inside::length::<#ty>(&mut __inside, #length);)
                }
                _ => match self.named(leaf) {
                    Some(value) => quote!(::swathe::__rt::Inside::typed::<#ty, _>(&mut __inside, &#value);),
                    None => continue,
                },
            };
            self.text.extend(asked);
        }
    }

    fn ask(&mut self, asked: &Asked) {
        let text = match asked {
            Asked::Compared { op, left, right, holds } => {
                let ty = told(&[left, right]);
                let (a, b) = (self.sum(left, ty), self.sum(right, ty));
                let (method, a, b, same) = comparison(*op, &a, &b, "less", "equal");
                let holds = *holds == same;
                quote!(::swathe::__rt::Inside::#method(&mut __inside, #a, #b, #holds);)
            }
            Asked::Below { index, field, axis } => {
                let (index, ident) = (self.sum(index, told(&[index])), &self.printer.func.local(*field).ident);
                let axis = Literal::usize_unsuffixed(*axis);
                quote!(::swathe::__rt::Inside::below(&mut __inside, #index, &#ident.shape(), #axis);)
            }
            Asked::Number(sum) => {
                self.sum(sum, told(&[sum]));
                quote!()
            }
            Asked::Multiple { of, by, into } => {
                let (of, by, into) = (
                    self.sum(of, None),
                    self.sum(by, None),
                    &self.printer.func.local(*into).ident,
                );
                quote!(let #into = ::swathe::__rt::Inside::multiple(&mut __inside, #of, #by);)
            }
            Asked::Called(called) => self.called(called),
            Asked::Given { of, by, into } => self.given(of, *by, &self.printer.func.local(*into).ident),
        };
        self.text.extend(text);
    }

    /// Asks for what a function reads. What its arguments are is only said where it needs them.
    fn called(&mut self, called: &Called) -> TokenStream {
        let func = self.printer.func;
        let (mut fields, mut lines, mut names) = (Vec::new(), TokenStream::new(), Vec::new());
        for (k, passed) in called.args.iter().enumerate() {
            let name = format_ident!("__lines{}", k);
            match passed {
                Passed::Field(field) => {
                    let ident = &func.local(*field).ident;
                    fields.push(quote!(&#ident.shape()));
                    names.push(quote!(&[]));
                }
                Passed::Other => names.push(quote!(&[])),
                Passed::Sums(sums) => {
                    let (bit, count) = (Literal::u64_suffixed(1 << k), sums.len());
                    let (before, said) = (std::mem::take(&mut self.text), self.said.len());
                    match Sum::types_of_positions(sums) {
                        Some(types) => self.typed(&types, &[]),
                        None => self.nothing(),
                    }
                    let parts: Vec<Ident> = sums.iter().map(|sum| self.sum(sum, told(&[sum]))).collect();
                    let text = std::mem::replace(&mut self.text, before);
                    self.said.truncate(said);
                    let needed = lent::needs(&called.path);
                    lines.extend(quote!(
                        let #name = if const { #needed & #bit != 0 } {
                            #text
                            [#(#parts),*]
                        } else {
                            [::swathe::__rt::Line::ZERO; #count]
                        };
                    ));
                    names.push(quote!(&#name));
                }
            }
        }
        let within = lent::within(called, &quote!(&[#(#fields),*], &[#(#names),*]));
        quote!({ #lines #within })
    }

    /// Asks a function for what it gives.
    fn given(&mut self, of: &Given, by: i64, into: &Ident) -> TokenStream {
        let amounts = of.args.iter().map(|amount| match amount {
            Amount::Number(number) => {
                let number = Literal::i64_unsuffixed(*number);
                quote!(::swathe::__rt::Inside::amount(&mut __inside, #number))
            }
            Amount::Named(Sum::Given { into, .. }) => {
                let given = &self.printer.func.local(*into).ident;
                quote!(::swathe::__rt::Given::line(#given))
            }
            Amount::Named(sum) => {
                let value = self.named(sum);
                quote!(::swathe::__rt::Inside::any(&mut __inside, #value))
            }
            Amount::Sum(sum) => self.sum(sum, told(&[sum])).to_token_stream(),
        });
        let amounts: Vec<TokenStream> = amounts.collect();
        let by = Literal::i64_unsuffixed(by);
        let asked = |callee: &TokenStream| quote!(#callee::__given(&mut __inside, &__amounts));
        let (tells, given) = (given::tells(&of.path), lanes::beside(&of.path, asked, false));
        quote!(
            let #into = {
                let __amounts = [#(#amounts),*];
                let __given = if const { #tells } { #given } else { ::swathe::__rt::Inside::untold(&mut __inside) };
                ::swathe::__rt::Inside::grows(&mut __inside, __given, #by)
            };
        )
    }

    /// Says what the sum is, of the type `ty` or that of an index, and gives its name.
    fn sum(&mut self, sum: &Sum, ty: Option<&syn::Type>) -> Ident {
        let func = self.printer.func;
        let mut said = self.said.iter();
        if let Some((.., name)) = said.find(|(other, of, _)| other == sum && of.as_ref() == ty) {
            return name.clone();
        }
        let of = of_type(ty);
        let value = match sum {
            Sum::Position => {
                let position = self.position;
                quote!(::swathe::__rt::Inside::position::<#of, _>(&mut __inside, |__k: ::swathe::__rt::core::primitive::usize| #position))
            }
            Sum::Local(_) | Sum::Const(_) => {
                let value = self.named(sum);
                quote!(::swathe::__rt::Inside::value::<#of, _>(&mut __inside, #value))
            }
            Sum::Number(n) => {
                let n = Literal::i64_unsuffixed(*n);
                quote!(::swathe::__rt::Inside::number::<#of>(&mut __inside, #n))
            }
            Sum::Len(field) => {
                let ident = &func.local(*field).ident;
                quote!(::swathe::__rt::Inside::value::<#of, _>(&mut __inside, #ident.len()))
            }
            Sum::Extent(field, axis) => {
                let (ident, axis) = (&func.local(*field).ident, Literal::usize_unsuffixed(*axis));
                quote!(::swathe::__rt::Inside::extent::<#of>(&mut __inside, &#ident.shape(), #axis))
            }
            Sum::Length(table) => {
                let length = self.length(table);
                quote!(::swathe::__rt::Inside::length::<#of>(&mut __inside, #length))
            }
            Sum::Add(a, b) => self.pair("add", a, b, ty),
            Sum::Sub(a, b) => self.pair("sub", a, b, ty),
            Sum::Mul(a, b) => self.pair("mul", a, b, ty),
            Sum::Div(a, by) => {
                let (a, by) = (self.sum(a, ty), Literal::u64_unsuffixed(*by));
                quote!(::swathe::__rt::Inside::div::<#of>(&mut __inside, #a, #by))
            }
            Sum::Saturating(a, b) => {
                let less = Sum::Sub(a.clone(), b.clone());
                let all = [(**a).clone(), (**b).clone(), Sum::Number(0), less];
                return self.sum(&Sum::If(BinOp::Lt, Box::new(all)), ty);
            }
            Sum::Item(item) => {
                let (items, most) = self.items(item);
                quote!(::swathe::__rt::Inside::item::<#of, _>(&mut __inside, #items, #most))
            }
            Sum::Cast(a, ty) if let Sum::Item(item) = &**a => {
                let (items, most) = self.items(item);
                quote!(::swathe::__rt::Inside::item_cast::<#ty, _>(&mut __inside, #items, #most))
            }
            Sum::Entry(table, axes) => {
                let entry = self.entry(table, axes);
                quote!(::swathe::__rt::Inside::entry::<#of, _>(&mut __inside, #entry))
            }
            Sum::Cast(a, ty) if let Sum::Entry(table, axes) = &**a => {
                let entry = self.entry(table, axes);
                quote!(::swathe::__rt::Inside::entry_cast::<#ty, _>(&mut __inside, #entry))
            }
            Sum::Given { into, .. } => {
                let given = &func.local(*into).ident;
                quote!(::swathe::__rt::Inside::given::<#of>(&mut __inside, #given))
            }
            Sum::Cast(a, ty) if let Sum::Given { into, .. } = &**a => {
                let given = &func.local(*into).ident;
                quote!(::swathe::__rt::Inside::fits::<#ty>(&mut __inside, ::swathe::__rt::Given::line(#given)))
            }
            Sum::Cast(a, ty) if let Some(value) = self.named(a) => {
                quote!(::swathe::__rt::Inside::cast::<#ty, _>(&mut __inside, #value))
            }
            Sum::Cast(a, ty) => {
                let a = self.sum(a, told(&[a]));
                quote!(::swathe::__rt::Inside::fits::<#ty>(&mut __inside, #a))
            }
            Sum::If(op, all) => {
                let [a, b, then, otherwise] = &**all;
                let compared = told(&[a, b]);
                let (a, b) = (self.sum(a, compared), self.sum(b, compared));
                let (method, a, b, same) = comparison(*op, &a, &b, "is_less", "is_equal");
                let (then, otherwise) = (self.inner(then, ty), self.inner(otherwise, ty));
                quote!(if ::swathe::__rt::Inside::#method(&mut __inside, #a, #b) == #same #then else #otherwise)
            }
        };
        let name = format_ident!("__line{}", self.lines);
        self.lines += 1;
        self.text.extend(quote!(let #name = #value;));
        self.said.push((sum.clone(), ty.cloned(), name.clone()));
        name
    }

    /// A variable or a constant.
    fn named(&self, sum: &Sum) -> Option<TokenStream> {
        match sum {
            Sum::Local(id) => Some(self.printer.func.local(*id).ident.to_token_stream()),
            Sum::Const(path) => Some(path.to_token_stream()),
            _ => None,
        }
    }

    /// The items of a table, and whether it is the largest that is asked for.
    fn items(&self, item: &Item) -> (TokenStream, bool) {
        let Table::Named { table, axes, end } = &item.table else {
            unreachable!("literals are numbers");
        };
        let table = self.named(table);
        let mut items = quote!(::swathe::__rt::core::iter::once(&#table));
        for axis in axes {
            items = match axis {
                Some(k) => {
                    let k = Literal::usize_unsuffixed(*k);
                    let item = quote!(<[_]>::get(::swathe::__rt::Table(__a).__items(), #k));
                    quote!(::swathe::__rt::core::iter::Iterator::filter_map(#items, |__a| #item))
                }
                None => {
                    quote!(::swathe::__rt::core::iter::Iterator::flat_map(#items, |__a| ::swathe::__rt::Table(__a).__items()))
                }
            };
        }
        (
            quote!({
                use ::swathe::__rt::AnyTable as _;
                #items
            }),
            *end == Some(End::Most),
        )
    }

    /// Asks for the type of all items of a table with so many axes.
    fn typed_items(&self, table: &Sum, axes: usize, ty: &TokenStream) -> TokenStream {
        let all = Item {
            number: 0,
            table: Table::Named {
                table: Box::new(table.clone()),
                axes: vec![None; axes],
                end: None,
            },
        };
        let (items, _) = self.items(&all);
        quote!(::swathe::__rt::Inside::typed_items::<#ty, _>(&mut __inside, #items);)
    }

    /// The length of an array.
    fn length(&self, table: &Sum) -> TokenStream {
        let table = self.named(table);
        quote!({
            use ::swathe::__rt::AnyTable as _;
            ::swathe::__rt::Table(&#table).__length()
        })
    }

    /// The item of a table at these places, if it is there.
    fn entry(&mut self, table: &Sum, axes: &[Sum]) -> TokenStream {
        let table = self.named(table);
        let mut entry = quote!(::swathe::__rt::core::option::Option::Some(&#table));
        for axis in axes {
            let place = self.sum(axis, None);
            let item = quote!(<[_]>::get(::swathe::__rt::Table(__a).__items(), ::swathe::__rt::Line::place(#place)?));
            entry = quote!((|| { let __a = #entry?; #item })());
        }
        quote!({
            use ::swathe::__rt::AnyTable as _;
            #entry
        })
    }

    fn pair(&mut self, method: &str, a: &Sum, b: &Sum, ty: Option<&syn::Type>) -> TokenStream {
        let (method, a, b, of) = (
            format_ident!("{}", method),
            self.sum(a, ty),
            self.sum(b, ty),
            of_type(ty),
        );
        quote!(::swathe::__rt::Inside::#method::<#of>(&mut __inside, #a, #b))
    }

    /// A sum that is only asked for where a condition holds.
    fn inner(&mut self, sum: &Sum, ty: Option<&syn::Type>) -> TokenStream {
        let (before, said) = (std::mem::take(&mut self.text), self.said.len());
        let name = self.sum(sum, ty);
        let text = std::mem::replace(&mut self.text, before);
        self.said.truncate(said);
        quote!({ #text #name })
    }
}

/// The type of these numbers, of which it was found that the text tells one at most.
fn told<'s>(sums: &[&'s Sum]) -> Option<&'s syn::Type> {
    Sum::told(sums).unwrap_or_default()
}

fn of_type(ty: Option<&syn::Type>) -> TokenStream {
    match ty {
        Some(ty) => quote!(#ty),
        None => quote!(::swathe::__rt::core::primitive::usize),
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
