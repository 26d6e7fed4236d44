//! Forward mode: each value with its tangent beside it.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use swathe_ir::{BinOp, LocalId};

use super::body::{Atom, Body, Branch, Choice, Let, Loop, Op, Parallel, Place, Region, Rounds, Stmt, Var, is_varied};
use super::names::Names;
use super::reverse::{NO_OPERATOR, no_rule, numbers, rule};
use super::{print, rules};
use crate::error::Errors;

pub struct Forward<'b> {
    pub body: &'b Body,
    pub names: Names,
    pub fields: HashMap<LocalId, Ident>,
    /// The fields of tangents.
    pub tangents: HashMap<LocalId, Ident>,
    pub errors: &'b mut Errors,
    tangent: HashMap<Var, Ident>,
    useful: HashSet<Var>,
    /// Sums of the parallel loop around, and their tangents.
    sums: HashMap<LocalId, (Ident, Option<Ident>)>,
}

impl<'b> Forward<'b> {
    pub fn new(
        body: &'b Body,
        names: Names,
        fields: HashMap<LocalId, Ident>,
        tangents: HashMap<LocalId, Ident>,
        errors: &'b mut Errors,
    ) -> Forward<'b> {
        let mut forward = Forward {
            body,
            names,
            fields,
            tangents,
            errors,
            tangent: HashMap::new(),
            useful: HashSet::new(),
            sums: HashMap::new(),
        };
        forward.useful.extend(body.result.iter().filter_map(Atom::var));
        loop {
            let before = forward.useful.len();
            forward.find_useful(&body.region);
            if forward.useful.len() == before {
                break;
            }
        }
        forward
    }

    /// Gives a variable the tangent of this name.
    pub fn give(&mut self, var: Var, tangent: Ident) {
        self.tangent.insert(var, tangent);
    }

    fn find_useful(&mut self, region: &Region) {
        let of = |a: &Atom| a.var();
        for stmt in region.stmts.iter().rev() {
            match stmt {
                Stmt::Let(l) => {
                    if self.useful.contains(&l.var) {
                        self.useful.extend(l.op.atoms().into_iter().filter_map(of));
                    }
                }
                Stmt::Write(place, a) | Stmt::Add(place, _, a) | Stmt::Atomic(place, _, a) => {
                    if self.tangents.contains_key(&place.field) {
                        self.useful.extend(of(a));
                    }
                }
                Stmt::Reduce(_, _, a) => self.useful.extend(of(a)),
                Stmt::Branch(b) => {
                    for phi in &b.phis {
                        if self.useful.contains(&phi.out) {
                            self.useful.extend(phi.arms.iter().flatten().filter_map(of));
                        }
                    }
                    b.arms.iter().for_each(|arm| self.find_useful(arm));
                }
                Stmt::Loop(l) => {
                    for c in &l.carried {
                        if self.useful.contains(&c.out) || self.useful.contains(&c.inside) {
                            self.useful.extend([&c.entry, &c.exit].into_iter().filter_map(of));
                            self.useful.insert(c.inside);
                        }
                    }
                    self.find_useful(&l.body);
                }
                Stmt::Parallel(p) => {
                    self.useful.extend(p.sums.iter().filter_map(|sum| sum.entry.var()));
                    self.find_useful(&p.body);
                }
                Stmt::Fail => {}
            }
        }
    }

    fn has(&self, var: Var) -> bool {
        self.body.vars[var].varied && self.useful.contains(&var)
    }

    fn t(&mut self, var: Var) -> Ident {
        if let Some(t) = self.tangent.get(&var) {
            return t.clone();
        }
        let info = &self.body.vars[var];
        let t = self.names.fresh(&format!("t_{}", info.ident), info.span);
        self.tangent.insert(var, t.clone());
        t
    }

    fn atom(&self, a: &Atom) -> TokenStream {
        print::atom(a, &self.body.vars)
    }

    fn varied(&self, a: &Atom) -> bool {
        is_varied(&self.body.vars, a)
    }

    /// The tangent of an operand, or zero of its type.
    pub fn tangent(&mut self, a: &Atom) -> TokenStream {
        match a {
            Atom::Var(v) if self.has(*v) => {
                let t = self.t(*v);
                quote!(#t)
            }
            _ => {
                let (zero, a) = (rule("zero", Span::call_site()), self.atom(a));
                quote!(#zero(#a))
            }
        }
    }

    pub fn region(&mut self, region: &Region) -> Vec<TokenStream> {
        region.stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let(l) => self.statement(l),
            Stmt::Write(place, value) => {
                let (to, value_text) = (print::place(&self.fields[&place.field], place), self.atom(value));
                let tangent = self.of_place(place).map(|to| {
                    let t = self.tangent(value);
                    quote!(#to = #t;)
                });
                quote!(#to = #value_text; #tangent)
            }
            Stmt::Add(place, minus, value) => {
                let op = if *minus { quote!(-=) } else { quote!(+=) };
                let (to, value_text) = (print::place(&self.fields[&place.field], place), self.atom(value));
                let tangent = self.of_place(place).map(|tangent| {
                    let numbers = numbers(&tangent, &value_text, place.span);
                    let t = self.varied(value).then(|| self.tangent(value));
                    let add = t.map(|t| quote!(#tangent #op #t;));
                    quote!(#numbers #add)
                });
                quote!(#to #op #value_text; #tangent)
            }
            Stmt::Atomic(place, minus, value) => {
                let op = Ident::new(if *minus { "atomic_sub" } else { "atomic_add" }, Span::call_site());
                let (to, value_text) = (print::place(&self.fields[&place.field], place), self.atom(value));
                let tangent = self.of_place(place).filter(|_| self.varied(value)).map(|to| {
                    let t = self.tangent(value);
                    quote!(#to.#op(#t);)
                });
                quote!(#to.#op(#value_text); #tangent)
            }
            Stmt::Reduce(local, minus, value) => {
                let op = if *minus { quote!(-=) } else { quote!(+=) };
                let (sum, t_sum) = self.sums[local].clone();
                let value_text = self.atom(value);
                let tangent = t_sum.filter(|_| self.varied(value)).map(|t_sum| {
                    let t = self.tangent(value);
                    quote!(#t_sum #op #t;)
                });
                quote!(#sum #op #value_text; #tangent)
            }
            Stmt::Branch(branch) => self.branch(branch),
            Stmt::Loop(l) => self.rounds(l),
            Stmt::Parallel(p) => self.parallel(p),
            Stmt::Fail => quote!(panic!("what the kernel asserts does not hold")),
        }
    }

    fn of_place(&self, place: &Place) -> Option<TokenStream> {
        self.tangents.get(&place.field).map(|field| print::place(field, place))
    }

    fn statement(&mut self, l: &Let) -> TokenStream {
        let fields = &self.fields;
        let value = print::statement(l, &self.body.vars, &|place| print::place(&fields[&place.field], place));
        if !self.has(l.var) {
            return value;
        }
        let (t, info) = (self.t(l.var), &self.body.vars[l.var]);
        let (span, ident) = (info.span, &info.ident);
        if let Op::Call { path, args } = &l.op {
            let mut path = (**path).clone();
            let mut last = path.path.segments.last().expect("a path").clone();
            last.ident = Ident::new("__jvp", last.ident.span());
            last.arguments = syn::PathArguments::None;
            path.path.segments.push(last);
            let args = args.iter().map(|a| {
                let (value, t) = (self.atom(a), self.tangent(a));
                quote!(#value, #t)
            });
            let args: Vec<TokenStream> = args.collect();
            return quote!(let (#ident, #t) = #path(#(#args),*););
        }
        if let Op::With(base, steps, part) = &l.op {
            let (base, part, steps) = (self.tangent(base), self.tangent(part), print::steps(steps));
            return quote!(#value let mut #t = #base; #t #steps = #part;);
        }
        let numbers = match &l.op {
            Op::Binary(_, a, b) | Op::Changed(_, a, b) => Some(numbers(&self.atom(a), &self.atom(b), span)),
            Op::Neg(a) => Some(numbers(&self.atom(a), &self.atom(a), span)),
            _ => None,
        };
        let tangent = self.of_op(&l.op, ident, span);
        quote!(#value #numbers let #t = #tangent;)
    }

    fn of_op(&mut self, op: &Op, out: &Ident, span: Span) -> TokenStream {
        let at = span.resolved_at(Span::call_site());
        match op {
            Op::Copy(a) | Op::Like(a, _) => self.tangent(a),
            Op::Neg(a) => {
                let t = self.tangent(a);
                quote_spanned!(at=> -#t)
            }
            Op::Binary(op, a, b) | Op::Changed(op, a, b) => {
                let (t_a, t_b) = (self.tangent(a), self.tangent(b));
                let (a_text, b_text) = (self.atom(a), self.atom(b));
                match (op, self.varied(a), self.varied(b)) {
                    (BinOp::Add, ..) => quote_spanned!(at=> #t_a + #t_b),
                    (BinOp::Sub, ..) => quote_spanned!(at=> #t_a - #t_b),
                    (BinOp::Mul, true, false) => quote_spanned!(at=> #t_a * #b_text),
                    (BinOp::Mul, false, true) => quote_spanned!(at=> #a_text * #t_b),
                    (BinOp::Mul, ..) => quote_spanned!(at=> #t_a * #b_text + #a_text * #t_b),
                    (BinOp::Div, _, false) => quote_spanned!(at=> #t_a / #b_text),
                    (BinOp::Div, ..) => quote_spanned!(at=> (#t_a - #out * #t_b) / #b_text),
                    (BinOp::Rem, ..) => {
                        let rem = rule("rem_forward", span);
                        quote_spanned!(at=> #rem(#a_text, #t_a, #b_text, #t_b))
                    }
                    _ => {
                        self.errors.at(span, NO_OPERATOR);
                        TokenStream::new()
                    }
                }
            }
            Op::Not(_) => {
                self.errors.at(span, NO_OPERATOR);
                TokenStream::new()
            }
            Op::Rule { name, args, .. } => {
                if !rules::exists(name, args.len()) {
                    self.errors.at(span, no_rule(name));
                    return TokenStream::new();
                }
                let pairs: Vec<TokenStream> = args
                    .iter()
                    .map(|a| {
                        let (value, t) = (self.atom(a), self.tangent(a));
                        quote!(#value, #t)
                    })
                    .collect();
                let forward = rule(&format!("{name}_forward"), span);
                quote_spanned!(at=> #forward(#(#pairs),*))
            }
            Op::Member(a, member) => {
                let t = self.tangent(a);
                quote!(#t.#member)
            }
            Op::Index(a, index) => {
                let (t, index) = (self.tangent(a), &index.tokens);
                quote!(#t[#index])
            }
            Op::Tuple(parts) => {
                let parts: Vec<TokenStream> = parts.iter().map(|a| self.tangent(a)).collect();
                quote!((#(#parts,)*))
            }
            Op::Array(parts) => {
                let parts: Vec<TokenStream> = parts.iter().map(|a| self.tangent(a)).collect();
                quote!([#(#parts),*])
            }
            Op::Components(path, parts) => {
                let parts: Vec<TokenStream> = parts.iter().map(|a| self.tangent(a)).collect();
                quote!(#path(#(#parts),*))
            }
            Op::Splat(path, a) => {
                let t = self.tangent(a);
                quote!(#path(#t))
            }
            Op::Repeat(a, count) => {
                let t = self.tangent(a);
                quote!([#t; #count])
            }
            Op::Struct {
                path,
                members,
                base,
                tuple,
            } => {
                let members: Vec<_> = members.iter().map(|(m, a)| (m.clone(), self.tangent(a))).collect();
                let base = base.as_ref().map(|a| self.tangent(a));
                print::structure(path, &members, base.as_ref(), *tuple)
            }
            Op::Cast(a, ty, how) => {
                let t = self.tangent(a);
                match how {
                    crate::hir::Casting::As => quote_spanned!(at=> #t as #ty),
                    crate::hir::Casting::From => quote_spanned!(at=> #ty::from(#t)),
                }
            }
            Op::Read(place) => self.of_place(place).unwrap_or_default(),
            Op::Call { .. } | Op::With(..) | Op::Detach(_) | Op::Inline(_) => TokenStream::new(),
        }
    }

    fn branch(&mut self, branch: &Branch) -> TokenStream {
        let mut names = Vec::new();
        for phi in &branch.phis {
            names.push(self.body.vars[phi.out].ident.clone());
            if self.has(phi.out) {
                names.push(self.t(phi.out));
            }
        }
        let mut arms = Vec::new();
        for (k, arm) in branch.arms.iter().enumerate() {
            let stmts = self.region(arm);
            let mut values = Vec::new();
            for phi in &branch.phis {
                if let Some(atom) = &phi.arms[k] {
                    values.push(self.atom(atom));
                    if self.has(phi.out) {
                        values.push(self.tangent(atom));
                    }
                }
            }
            let tail = match &values[..] {
                [] => TokenStream::new(),
                [one] => one.clone(),
                all => quote!((#(#all),*)),
            };
            arms.push(quote!({ #(#stmts)* #tail }));
        }
        let names = match &names[..] {
            [] => TokenStream::new(),
            [one] => quote!(let #one =),
            all => quote!(let (#(#all),*) =),
        };
        match &branch.choice {
            Choice::If(condition) => {
                let (condition, then, otherwise) = (&condition.tokens, &arms[0], &arms[1]);
                let otherwise = (!super::is_empty_block(otherwise)).then(|| quote!(else #otherwise));
                quote!(#names if #condition #then #otherwise;)
            }
            Choice::Match(value, heads) => {
                let value = &value.tokens;
                quote!(#names match #value { #(#heads => #arms)* };)
            }
        }
    }

    fn rounds(&mut self, l: &Loop) -> TokenStream {
        let (mut entries, mut nexts, mut outs) = (Vec::new(), Vec::new(), Vec::new());
        for c in &l.carried {
            let (inside, out) = (
                self.body.vars[c.inside].ident.clone(),
                self.body.vars[c.out].ident.clone(),
            );
            let entry = self.atom(&c.entry);
            entries.push(quote!(let mut #inside = #entry;));
            nexts.push((inside.clone(), self.atom(&c.exit)));
            outs.push(quote!(let #out = #inside;));
            if self.has(c.inside) {
                let (t, t_entry) = (self.t(c.inside), self.tangent(&c.entry));
                entries.push(quote!(let mut #t = #t_entry;));
                nexts.push((t.clone(), self.tangent(&c.exit)));
                if self.has(c.out) {
                    let t_out = self.t(c.out);
                    outs.push(quote!(let #t_out = #t;));
                }
            }
        }
        let stmts = self.region(&l.body);
        let temps: Vec<Ident> = nexts.iter().map(|_| self.names.fresh("next", l.span)).collect();
        let (names, values): (Vec<_>, Vec<_>) = nexts.into_iter().unzip();
        let next = quote!(#(let #temps = #values;)* #(#names = #temps;)*);
        let head = match &l.rounds {
            Rounds::For(var, range) => {
                let name = match var {
                    Some(var) => {
                        let ident = &self.body.vars[*var].ident;
                        quote!(#ident)
                    }
                    None => quote!(_),
                };
                let range = l.over(&range.written());
                quote!(for #name in #range)
            }
            Rounds::While(condition) => {
                let condition = &condition.tokens;
                quote!(while #condition)
            }
        };
        quote!(#(#entries)* #head { #(#stmts)* #next } #(#outs)*)
    }

    fn parallel(&mut self, p: &Parallel) -> TokenStream {
        let mut entries = Vec::new();
        let mut sums = HashMap::new();
        for sum in &p.sums {
            let (out, entry) = (self.body.vars[sum.out].ident.clone(), self.atom(&sum.entry));
            entries.push(quote!(let mut #out = #entry;));
            let t = self.has(sum.out).then(|| {
                let (t, entry) = (self.t(sum.out), self.tangent(&sum.entry));
                entries.push(quote!(let mut #t = #entry;));
                t
            });
            sums.insert(sum.local, (out, t));
        }
        let outer = std::mem::replace(&mut self.sums, sums);
        let stmts = self.region(&p.body);
        self.sums = outer;
        let head = &p.head;
        quote!(#(#entries)* for #head { #(#stmts)* })
    }
}
