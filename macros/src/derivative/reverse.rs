//! Reverse mode: from gradients with respect to what a body gives to those with respect to what it takes.
//!
//! Statements are gone through from the last one. Each value of the body has one name, so that it is still there when its statement is reversed;
//! what is inside of branches and loops is computed again. A loop whose rounds need what earlier ones computed runs up to each round again.

use std::collections::{BTreeSet, HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use swathe_ir::LocalId;

use super::body::{Atom, Body, Branch, FieldRead, Parallel, Place, Region, Stmt, Var, is_varied};
use super::names::Names;
use super::needs::Needs;
use super::print;
use crate::error::Errors;

/// A block of the reverse sweep.
#[derive(Default)]
pub struct Frame {
    /// Variables whose gradients are variables of this block.
    pub home: HashSet<Var>,
    /// Those of them that have one by now.
    pub has: HashSet<Var>,
    /// Variables of blocks around whose gradients are added to here.
    pub outer: BTreeSet<Var>,
    pub out: Vec<TokenStream>,
    pub needs: Needs,
    pub parallel: bool,
}

pub struct Reverse<'b> {
    pub body: &'b Body,
    pub names: Names,
    /// Fields, and their gradients where they have some.
    pub fields: HashMap<LocalId, Ident>,
    pub gradients: HashMap<LocalId, Ident>,
    pub errors: &'b mut Errors,
    /// How variables' gradients are called.
    gradient: HashMap<Var, Ident>,
    pub frames: Vec<Frame>,
    /// The gradients of sums of the parallel loop around.
    sums: HashMap<LocalId, Ident>,
    /// Sums that a parallel loop computes for their values.
    pub summed: HashMap<LocalId, Ident>,
    /// Whether failures are kept: in the ways of a branch.
    pub fails: bool,
    /// Parallel loops in front of what is reversed.
    pub time: usize,
    /// What is read for its value, and when.
    pub reads: Vec<(usize, FieldRead)>,
}

/// Vars that a region defines, not those in blocks of it.
pub fn defined(region: &Region) -> HashSet<Var> {
    let mut found = HashSet::new();
    for stmt in &region.stmts {
        match stmt {
            Stmt::Let(l) => {
                found.insert(l.var);
            }
            Stmt::Branch(b) => found.extend(b.phis.iter().map(|phi| phi.out)),
            Stmt::Loop(l) => found.extend(l.carried.iter().map(|c| c.out)),
            Stmt::Parallel(p) => found.extend(p.sums.iter().map(|sum| sum.out)),
            _ => {}
        }
    }
    found
}

/// Reverses a body: its text, and the gradients with respect to the variables that are asked for.
pub fn sweep(
    reverse: &mut Reverse<'_>,
    seed: Option<(&Atom, &Ident)>,
    asked: &[Var],
) -> (TokenStream, Vec<TokenStream>) {
    let body = reverse.body;
    let mut home = defined(&body.region);
    home.extend(asked);
    reverse.frames.push(Frame {
        home,
        ..Frame::default()
    });
    if let Some((result, seed)) = seed {
        reverse.contribute(result, &quote!(#seed));
    }
    let loops = body
        .region
        .stmts
        .iter()
        .filter(|stmt| matches!(stmt, Stmt::Parallel(_)))
        .count();
    reverse.time = loops;
    reverse.region(&body.region);
    let gradients = asked.iter().map(|var| {
        let d = reverse.d(*var);
        match reverse.top().has.contains(var) {
            true => quote!(#d),
            false => {
                let ident = &body.vars[*var].ident;
                let zero = rule("zero", ident.span());
                quote!(#zero(#ident))
            }
        }
    });
    let gradients = gradients.collect();
    let Frame { out, mut needs, .. } = reverse.frames.pop().expect("the frame of the body");
    reverse.time = loops;
    let forward = reverse.forward(&body.region, &mut needs);
    (quote!(#(#forward)* #(#out)*), gradients)
}

/// The path of a function of the library.
pub fn rule(name: &str, span: Span) -> TokenStream {
    let span = span.resolved_at(Span::call_site());
    let name = Ident::new(name, span);
    quote_spanned!(span=> ::swathe::derivative::#name)
}

/// Says to rustc that what is added to what are numbers, whose operators are known.
pub fn numbers(a: &TokenStream, b: &TokenStream, span: Span) -> TokenStream {
    let numbers = rule("numbers", span);
    let at = span.resolved_at(Span::call_site());
    quote_spanned!(at=> #numbers(#a, #b);)
}

impl<'b> Reverse<'b> {
    pub fn new(
        body: &'b Body,
        names: Names,
        fields: HashMap<LocalId, Ident>,
        gradients: HashMap<LocalId, Ident>,
        errors: &'b mut Errors,
    ) -> Reverse<'b> {
        Reverse {
            body,
            names,
            fields,
            gradients,
            errors,
            gradient: HashMap::new(),
            frames: Vec::new(),
            sums: HashMap::new(),
            summed: HashMap::new(),
            fails: false,
            time: 0,
            reads: Vec::new(),
        }
    }

    pub fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame")
    }

    pub fn say(&mut self, tokens: TokenStream) {
        self.top().out.push(tokens);
    }

    pub fn need(&mut self, atom: &Atom, value: bool) {
        self.top().needs.atom(atom, value);
    }

    pub fn d(&mut self, var: Var) -> Ident {
        if let Some(d) = self.gradient.get(&var) {
            return d.clone();
        }
        let info = &self.body.vars[var];
        let d = self.names.fresh(&format!("d_{}", info.ident), info.span);
        self.gradient.insert(var, d.clone());
        d
    }

    pub fn varied(&self, atom: &Atom) -> bool {
        is_varied(&self.body.vars, atom)
    }

    /// Adds to the gradient of an operand.
    pub fn contribute(&mut self, atom: &Atom, value: &TokenStream) {
        let Some(var) = atom.var().filter(|_| self.varied(atom)) else {
            return;
        };
        let d = self.d(var);
        let accumulate = rule("accumulate", d.span());
        let Some(home) = self.frames.iter().rposition(|frame| frame.home.contains(&var)) else {
            return;
        };
        let last = self.frames.len() - 1;
        if home == last {
            let first = self.top().has.insert(var);
            return self.say(match first {
                true => quote!(let #d = #value;),
                false => quote!(let #d = #accumulate(#d, #value);),
            });
        }
        self.top().outer.insert(var);
        self.say(match self.crosses(var) {
            true => quote!(#d += #value;),
            false => quote!(#d = #accumulate(#d, #value);),
        });
    }

    /// The name of an operand's gradient, if what is declared by it now is the first part.
    pub fn first_of(&mut self, atom: &Atom) -> Option<Ident> {
        let var = atom.var().filter(|_| self.varied(atom))?;
        let top = self.top();
        if !top.home.contains(&var) || !top.has.insert(var) {
            return None;
        }
        Some(self.d(var))
    }

    /// Whether a variable's gradient belongs to all iterations of the parallel loop around.
    pub fn crosses(&self, var: Var) -> bool {
        let home = self.frames.iter().rposition(|frame| frame.home.contains(&var));
        home.is_some_and(|home| self.frames[home + 1..].iter().any(|frame| frame.parallel))
    }

    /// Makes gradients variables that blocks behind here add to.
    pub fn enclose(&mut self, outer: BTreeSet<Var>) {
        for var in outer {
            if !self.top().home.contains(&var) {
                self.top().outer.insert(var);
                continue;
            }
            let d = self.d(var);
            if self.top().has.insert(var) {
                self.need(&Atom::Var(var), false);
                let (zero, ident) = (rule("zero", d.span()), &self.body.vars[var].ident);
                self.say(quote!(let mut #d = #zero(#ident);));
            } else {
                self.say(quote!(let mut #d = #d;));
            }
        }
    }

    pub fn region(&mut self, region: &Region) {
        for stmt in region.stmts.iter().rev() {
            match stmt {
                Stmt::Let(l) => {
                    if self.top().has.contains(&l.var) {
                        let d = self.d(l.var);
                        self.pull(&l.op, &quote!(#d), self.body.vars[l.var].span);
                    }
                }
                Stmt::Write(place, value) => self.write(place, value),
                Stmt::Add(place, _, value) if self.gradients.contains_key(&place.field) && !self.varied(value) => {
                    self.need(value, false);
                    let (d, value) = (self.place(place), self.atom(value));
                    self.say(numbers(&d, &value, place.span));
                }
                Stmt::Add(place, minus, value) | Stmt::Atomic(place, minus, value) => {
                    if self.gradients.contains_key(&place.field) && self.varied(value) {
                        let d = self.gradient_of(place);
                        self.add(*minus, &d, value, place.span);
                    }
                }
                Stmt::Reduce(local, minus, value) => {
                    if let Some(d) = self.sums.get(local).cloned().filter(|_| self.varied(value)) {
                        let span = d.span();
                        self.add(*minus, &d, value, span);
                    }
                }
                Stmt::Branch(branch) => self.branch(branch),
                Stmt::Loop(l) => self.rounds(l),
                Stmt::Parallel(p) => {
                    self.parallel(p);
                    self.time = p.number;
                }
                Stmt::Fail => {}
            }
        }
    }

    pub fn inlines(&mut self, place: &Place) {
        for inline in place.inlines() {
            let mut needs = std::mem::take(&mut self.top().needs);
            self.needed_inline(inline, &mut needs);
            self.top().needs = needs;
        }
    }

    pub fn place(&mut self, place: &Place) -> TokenStream {
        self.inlines(place);
        print::place(&self.gradients[&place.field], place)
    }

    /// A variable with the gradient of a place.
    pub fn gradient_of(&mut self, place: &Place) -> Ident {
        let text = self.place(place);
        let d = self.names.fresh("d", place.span);
        self.say(quote!(let #d = #text;));
        d
    }

    pub fn write(&mut self, place: &Place, value: &Atom) {
        if !self.gradients.contains_key(&place.field) {
            return;
        }
        let text = self.place(place);
        let first = self.first_of(value);
        let direct = first.is_some();
        let d = first.unwrap_or_else(|| self.names.fresh("d", place.span));
        let zero = rule("zero", place.span);
        self.say(quote! {
            let #d = #text;
            #text = #zero(#d);
        });
        if !direct {
            self.contribute(value, &quote!(#d));
        }
    }

    /// Of `x += value`, where `d` is the gradient of `x`.
    pub fn add(&mut self, minus: bool, d: &Ident, value: &Atom, span: Span) {
        self.need(value, false);
        let back = rule(if minus { "sub_back" } else { "add_back" }, span);
        let value_text = self.atom(value);
        let first = self.first_of(value);
        let direct = first.is_some();
        let part = first.unwrap_or_else(|| self.names.fresh("c", span));
        self.say(quote!(let (_, #part) = #back(#d, #value_text, #d);));
        if !direct {
            self.contribute(value, &quote!(#part));
        }
    }

    /// Runs something in a block of its own.
    pub fn inside(&mut self, home: HashSet<Var>, parallel: bool, build: impl FnOnce(&mut Self)) -> Frame {
        self.frames.push(Frame {
            home,
            parallel,
            ..Frame::default()
        });
        build(self);
        self.frames.pop().expect("the frame that was pushed")
    }

    pub fn branch(&mut self, branch: &Branch) {
        let live: Vec<_> = branch
            .phis
            .iter()
            .filter(|phi| self.frames.last().is_some_and(|top| top.has.contains(&phi.out)))
            .collect();
        let mut frames = Vec::new();
        for (k, arm) in branch.arms.iter().enumerate() {
            frames.push(self.inside(defined(arm), false, |r| {
                for phi in &live {
                    let d = r.d(phi.out);
                    if let Some(atom) = &phi.arms[k] {
                        r.contribute(atom, &quote!(#d));
                    }
                }
                r.region(arm);
            }));
        }
        if frames.iter().all(|frame| frame.out.is_empty()) {
            return;
        }
        let mut outer = BTreeSet::new();
        let mut arms = Vec::new();
        let mut needs = Needs::default();
        for (frame, arm) in frames.into_iter().zip(&branch.arms) {
            let (out, mut own) = (frame.out, frame.needs);
            let fails = std::mem::replace(&mut self.fails, true);
            let stmts = self.forward(arm, &mut own);
            self.fails = fails;
            outer.extend(frame.outer);
            needs.join(&own);
            arms.push(quote!({ #(#stmts)* #(#out)* }));
        }
        self.enclose(outer);
        let choice = self.choice(&branch.choice, &arms, &mut needs);
        self.top().needs.join(&needs);
        self.say(choice);
    }

    pub fn parallel(&mut self, p: &Parallel) {
        let sums: HashMap<LocalId, Ident> = p
            .sums
            .iter()
            .filter(|sum| self.frames.last().is_some_and(|top| top.has.contains(&sum.out)))
            .map(|sum| (sum.local, sum.out))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|(local, out)| (local, self.d(out)))
            .collect();
        let outer = std::mem::replace(&mut self.sums, sums);
        let time = std::mem::replace(&mut self.time, p.number);
        let frame = self.inside(defined(&p.body), true, |r| r.region(&p.body));
        let sums = std::mem::replace(&mut self.sums, outer);
        if !frame.out.is_empty() {
            let (out, mut needs) = (frame.out, frame.needs);
            let stmts = self.forward(&p.body, &mut needs);
            p.uses.iter().for_each(|v| needs.var(*v, true));
            self.noted(&p.reads);
            self.enclose(frame.outer);
            self.top().needs.join(&needs);
            let head = &p.head;
            self.say(quote!(for #head { #(#stmts)* #(#out)* }));
        }
        self.time = time;
        for sum in &p.sums {
            if let Some(d) = sums.get(&sum.local) {
                self.contribute(&sum.entry, &quote!(#d));
            }
        }
    }
}

/// Why an operator is refused.
pub const NO_OPERATOR: &str = "this operator has no derivative: write `detach(..)` around its operands";

/// Why a method is refused.
pub fn no_rule(name: &str) -> String {
    format!(
        "`{name}` has no derivative here: write it as a free `#[func(grad)]`, as one with a rule of your own, `#[func(grad = rule)]`, or `detach(..)` around the value"
    )
}
