//! A body in single assignment as text of the kernel language.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use swathe_ir::BinOp;

use super::body::{Atom, Info, Inline, Op, Place, Range, Step, Written};
use crate::hir::Casting;

/// An operator with the user's span.
pub fn operator(op: BinOp, at: Span) -> TokenStream {
    match op {
        BinOp::Add => quote_spanned!(at=> +),
        BinOp::Sub => quote_spanned!(at=> -),
        BinOp::Mul => quote_spanned!(at=> *),
        BinOp::Div => quote_spanned!(at=> /),
        BinOp::Rem => quote_spanned!(at=> %),
        BinOp::BitAnd => quote_spanned!(at=> &),
        BinOp::BitOr => quote_spanned!(at=> |),
        BinOp::BitXor => quote_spanned!(at=> ^),
        BinOp::Shl => quote_spanned!(at=> <<),
        BinOp::Shr => quote_spanned!(at=> >>),
        BinOp::Eq => quote_spanned!(at=> ==),
        BinOp::Ne => quote_spanned!(at=> !=),
        BinOp::Lt => quote_spanned!(at=> <),
        BinOp::Le => quote_spanned!(at=> <=),
        BinOp::Gt => quote_spanned!(at=> >),
        BinOp::Ge => quote_spanned!(at=> >=),
        BinOp::And => quote_spanned!(at=> &&),
        BinOp::Or => quote_spanned!(at=> ||),
    }
}

fn assignment(op: BinOp, at: Span) -> TokenStream {
    match op {
        BinOp::Add => quote_spanned!(at=> +=),
        BinOp::Sub => quote_spanned!(at=> -=),
        BinOp::Mul => quote_spanned!(at=> *=),
        BinOp::Div => quote_spanned!(at=> /=),
        BinOp::Rem => quote_spanned!(at=> %=),
        BinOp::BitAnd => quote_spanned!(at=> &=),
        BinOp::BitOr => quote_spanned!(at=> |=),
        BinOp::BitXor => quote_spanned!(at=> ^=),
        BinOp::Shl => quote_spanned!(at=> <<=),
        BinOp::Shr => quote_spanned!(at=> >>=),
        // No operators with `=`.
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => {
            TokenStream::new()
        }
    }
}

pub fn atom_of_given(atom: &Atom) -> TokenStream {
    match atom {
        Atom::Given(tokens) => tokens.clone(),
        Atom::Var(_) => TokenStream::new(),
    }
}

pub fn steps(steps: &[Step]) -> TokenStream {
    steps
        .iter()
        .map(|step| match step {
            Step::Member(member) => quote!(.#member),
            Step::Index(Inline { tokens, .. }) => quote!([#tokens]),
        })
        .collect()
}

/// A place of the field of this name.
pub fn place(field: &Ident, place: &Place) -> TokenStream {
    let (index, steps) = (&place.index.tokens, steps(&place.steps));
    let span = place.span.resolved_at(Span::call_site());
    quote_spanned!(span=> #field[#index]#steps)
}

pub fn structure(
    path: &syn::Path,
    members: &[(syn::Member, TokenStream)],
    base: Option<&TokenStream>,
    tuple: bool,
) -> TokenStream {
    if tuple {
        let parts = members.iter().map(|(_, value)| value);
        return quote!(#path(#(#parts),*));
    }
    let parts = members.iter().map(|(member, value)| quote!(#member: #value));
    let base = base.map(|base| quote!(..#base));
    quote!(#path { #(#parts,)* #base })
}

impl Range {
    /// As it was written.
    pub fn written(&self) -> TokenStream {
        self.in_order(self.turned)
    }

    /// The same from the last one.
    pub fn reversed(&self) -> TokenStream {
        match self.step {
            None => Range::plain(&self.bounds(), self.reverse == self.turned),
            Some(_) => self.in_order(!self.turned),
        }
    }

    fn bounds(&self) -> TokenStream {
        let (start, end) = (&self.start.tokens, &self.end.tokens);
        match self.inclusive {
            true => quote!(#start..=#end),
            false => quote!(#start..#end),
        }
    }

    fn plain(bounds: &TokenStream, reverse: bool) -> TokenStream {
        match reverse {
            true => quote!((#bounds).rev()),
            false => bounds.clone(),
        }
    }

    fn in_order(&self, turned: bool) -> TokenStream {
        let Some(step) = &self.step else {
            return Range::plain(&self.bounds(), self.reverse != turned);
        };
        let (bounds, step) = (self.bounds(), &step.tokens);
        let reverse = self.reverse.then(|| quote!(.rev()));
        let turned = turned.then(|| quote!(.rev()));
        quote!((#bounds)#reverse.step_by(#step)#turned)
    }

    /// What comes in front of one of its values, and what the body begins with there; `None` where that is not told by a range.
    pub fn before(&self, value: &Ident) -> Option<(TokenStream, TokenStream)> {
        let (start, end) = (&self.start.tokens, &self.end.tokens);
        // Behind the largest value of the type there is no other: an inclusive range is one of as many values that begins at `value`.
        let above = match self.inclusive {
            true => quote!(#value..#end),
            false => quote!(#value + 1..#end),
        };
        let next = match self.inclusive && self.reverse != self.turned {
            true => quote!(let #value = #value + 1;),
            false => TokenStream::new(),
        };
        let range = self.range_before(start, &above, value)?;
        Some((range, next))
    }

    fn range_before(&self, start: &TokenStream, above: &TokenStream, value: &Ident) -> Option<TokenStream> {
        Some(match (&self.step, self.reverse, self.turned) {
            (None, reverse, turned) if reverse == turned => quote!(#start..#value),
            (None, ..) => quote!((#above).rev()),
            (Some(step), false, false) => {
                let step = &step.tokens;
                quote!((#start..#value).step_by(#step))
            }
            (Some(step), true, false) => {
                let step = &step.tokens;
                quote!((#above).rev().step_by(#step))
            }
            (Some(_), _, true) => return None,
        })
    }
}

/// The text of an operation.
pub fn op(op: &Op, vars: &[Info], field: &dyn Fn(&Place) -> TokenStream, at: Span) -> TokenStream {
    let span = at.resolved_at(Span::call_site());
    let atom = |a: &Atom| atom(a, vars);
    match op {
        Op::Copy(a) => atom(a),
        Op::Binary(op, a, b) | Op::Changed(op, a, b) => {
            let (op, a, b) = (operator(*op, span), atom(a), atom(b));
            quote_spanned!(span=> #a #op #b)
        }
        Op::Neg(a) => {
            let a = atom(a);
            quote_spanned!(span=> -#a)
        }
        Op::Not(a) => {
            let a = atom(a);
            quote_spanned!(span=> !#a)
        }
        Op::Rule { written, args, .. } => {
            let args: Vec<TokenStream> = args.iter().map(atom).collect();
            match written {
                Written::Method(name) => {
                    let (receiver, rest) = (&args[0], &args[1..]);
                    quote!(#receiver.#name(#(#rest),*))
                }
                Written::Path(path) => quote!(#path(#(#args),*)),
            }
        }
        Op::Call { path, args } | Op::Components(path, args) => {
            let args = args.iter().map(atom);
            quote!(#path(#(#args),*))
        }
        Op::Splat(path, a) => {
            let a = atom(a);
            quote!(#path(#a))
        }
        Op::Detach(a) => atom(a),
        Op::Member(a, member) => {
            let a = atom(a);
            quote!(#a.#member)
        }
        Op::Index(a, index) => {
            let (a, index) = (atom(a), &index.tokens);
            quote!(#a[#index])
        }
        Op::Tuple(parts) => {
            let parts = parts.iter().map(atom);
            quote!((#(#parts,)*))
        }
        Op::Array(parts) => {
            let parts = parts.iter().map(atom);
            quote!([#(#parts),*])
        }
        Op::Repeat(a, count) => {
            let a = atom(a);
            quote!([#a; #count])
        }
        Op::Struct {
            path,
            members,
            base,
            tuple,
        } => {
            let members: Vec<_> = members.iter().map(|(m, a)| (m.clone(), atom(a))).collect();
            let base = base.as_ref().map(atom);
            structure(path, &members, base.as_ref(), *tuple)
        }
        Op::Cast(a, ty, how) => {
            let a = atom(a);
            match how {
                Casting::As => quote_spanned!(span=> #a as #ty),
                Casting::From => quote_spanned!(span=> #ty::from(#a)),
            }
        }
        Op::Read(place) => field(place),
        Op::Like(a, b) => {
            let (a, b) = (atom(a), atom(b));
            quote!(::swathe::derivative::like(#a, #b))
        }
        Op::With(..) => TokenStream::new(),
        Op::Inline(inline) => inline.tokens.clone(),
    }
}

pub fn atom(a: &Atom, vars: &[Info]) -> TokenStream {
    match a {
        Atom::Given(tokens) => tokens.clone(),
        Atom::Var(v) => {
            let ident = &vars[*v].ident;
            quote!(#ident)
        }
    }
}

/// `let x = op;`
pub fn statement(l: &super::body::Let, vars: &[Info], field: &dyn Fn(&Place) -> TokenStream) -> TokenStream {
    let info = &vars[l.var];
    let (ident, ty) = (&info.ident, l.ty.as_ref().map(|ty| quote!(: #ty)));
    if let Op::With(base, steps, value) = &l.op {
        let (base, steps, value) = (atom(base, vars), self::steps(steps), atom(value, vars));
        return quote! {
            let mut #ident #ty = #base;
            #ident #steps = #value;
        };
    }
    // Of what has a derivative the operators are those of numbers, for which `a + b` is the same. Others may be the user's.
    if let (Op::Changed(op, base, value), false) = (&l.op, info.varied) {
        let span = info.span.resolved_at(Span::call_site());
        let (op, base, value) = (assignment(*op, span), atom(base, vars), atom(value, vars));
        return quote! {
            let mut #ident #ty = #base;
            #ident #op #value;
        };
    }
    let op = op(&l.op, vars, field, info.span);
    quote!(let #ident #ty = #op;)
}
