//! The statements that give the values a reverse sweep needs.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;
use swathe_ir::{BinOp, LocalId};

use super::body::{Atom, Branch, Choice, FieldRead, Inline, Let, Loop, Op, Parallel, Region, Rounds, Stmt, Var};
use super::reverse::{Reverse, rule};
use super::{print, rules};
use crate::hir::Casting;

/// Of which variables values are needed: the value itself, or only one of its type.
#[derive(Default, Clone)]
pub struct Needs(pub BTreeMap<Var, bool>);

impl Needs {
    pub fn var(&mut self, var: Var, value: bool) {
        *self.0.entry(var).or_default() |= value;
    }

    pub fn atom(&mut self, atom: &Atom, value: bool) {
        if let Some(var) = atom.var() {
            self.var(var, value);
        }
    }

    pub fn inline(&mut self, inline: &Inline) {
        inline.uses.iter().for_each(|var| self.var(*var, true));
    }

    pub fn of(&self, var: Var) -> Option<bool> {
        self.0.get(&var).copied()
    }

    pub fn join(&mut self, other: &Needs) {
        other.0.iter().for_each(|(var, value)| self.var(*var, *value));
    }
}

impl Reverse<'_> {
    pub fn noted(&mut self, reads: &[FieldRead]) {
        let time = self.time;
        self.reads.extend(reads.iter().map(|read| (time, read.clone())));
    }

    pub fn needed_inline(&mut self, inline: &Inline, needs: &mut Needs) {
        needs.inline(inline);
        self.noted(&inline.reads);
    }

    /// What of a region gives the values that are needed.
    pub fn forward(&mut self, region: &Region, needs: &mut Needs) -> Vec<TokenStream> {
        let mut out = Vec::new();
        for stmt in region.stmts.iter().rev() {
            match stmt {
                Stmt::Let(l) => {
                    let Some(value) = needs.of(l.var) else { continue };
                    if let (Op::Cast(a, ty, Casting::As), false) = (&l.op, value)
                        && !self.varied(a)
                    {
                        let ident = &self.body.vars[l.var].ident;
                        out.push(quote!(let #ident = 0u8 as #ty;));
                        continue;
                    }
                    let value = value || self.may_fail(&l.op);
                    // Of operands that are there for their values anyway the kernel computes the same.
                    let there = |a: &Atom| a.var().is_none_or(|var| needs.of(var) == Some(true));
                    let same = value || l.op.atoms().into_iter().all(there);
                    match &l.op {
                        Op::Like(a, b) => {
                            needs.atom(a, value);
                            needs.atom(b, false);
                        }
                        op => op.atoms().into_iter().for_each(|a| needs.atom(a, value)),
                    }
                    for inline in l.op.inlines() {
                        self.needed_inline(inline, needs);
                    }
                    if let (Op::Read(place), true) = (&l.op, value) {
                        self.noted(&[FieldRead {
                            field: place.field,
                            path: place.path.clone(),
                            span: place.span,
                        }]);
                    }
                    out.push(match same {
                        true => self.printed(l),
                        false => self.of_its_type(l),
                    });
                }
                Stmt::Branch(branch) => out.extend(self.forward_branch(branch, needs)),
                Stmt::Loop(l) => out.extend(self.forward_loop(l, needs)),
                Stmt::Parallel(p) => {
                    out.extend(self.forward_parallel(p, needs));
                    self.time = p.number;
                }
                Stmt::Reduce(local, minus, value) if self.summed.contains_key(local) => {
                    needs.atom(value, true);
                    let (sum, value) = (&self.summed[local], self.atom(value));
                    out.push(match minus {
                        true => quote!(#sum -= #value;),
                        false => quote!(#sum += #value;),
                    });
                }
                Stmt::Fail if self.fails => out.push(quote!(panic!("what the kernel asserts does not hold"))),
                Stmt::Write(..) | Stmt::Add(..) | Stmt::Atomic(..) | Stmt::Reduce(..) | Stmt::Fail => {}
            }
        }
        out.reverse();
        out
    }

    /// Whether an operation could fail, or run long, whatever its operands are: it does not run for its type alone.
    fn may_fail(&self, op: &Op) -> bool {
        let varied = || op.atoms().into_iter().any(|a| self.varied(a));
        match op {
            // Where something has a derivative its operators are those of numbers, and its methods those of the rules. Others are the user's.
            Op::Binary(..) | Op::Changed(..) | Op::Neg(_) | Op::Not(_) => !varied(),
            Op::Rule { name, args, .. } => name == "clamp" || !rules::exists(name, args.len()) || !varied(),
            Op::Call { .. } => true,
            _ => false,
        }
    }

    /// A value of the type that an operation gives. Its operands have any values: among them are integers, as members of structs, whose differences
    /// and products could overflow. Of zeros there is everything but a quotient, and that has the type of a product.
    fn of_its_type(&self, l: &Let) -> TokenStream {
        let zero = |a: &Atom| {
            let (zero, a) = (rule("zero", self.body.vars[l.var].span), self.atom(a));
            Atom::Given(quote!(#zero(#a)))
        };
        let op = match &l.op {
            Op::Binary(op, a, b) | Op::Changed(op, a, b) => {
                let op = match op {
                    BinOp::Div | BinOp::Rem => BinOp::Mul,
                    op => *op,
                };
                Op::Binary(op, zero(a), zero(b))
            }
            Op::Neg(a) => Op::Neg(zero(a)),
            Op::Not(a) => Op::Not(zero(a)),
            Op::Rule { name, written, args } => Op::Rule {
                name: name.clone(),
                written: written.clone(),
                args: args.iter().map(zero).collect(),
            },
            _ => return self.printed(l),
        };
        let ty = l.ty.clone();
        self.printed(&Let { var: l.var, ty, op })
    }

    pub fn printed(&self, l: &Let) -> TokenStream {
        print::statement(l, &self.body.vars, &|place| {
            print::place(&self.fields[&place.field], place)
        })
    }

    pub fn atom(&self, atom: &Atom) -> TokenStream {
        print::atom(atom, &self.body.vars)
    }

    fn sums_in(&self, region: &Region) -> bool {
        region.stmts.iter().any(|stmt| match stmt {
            Stmt::Reduce(local, ..) => self.summed.contains_key(local),
            Stmt::Branch(b) => b.arms.iter().any(|arm| self.sums_in(arm)),
            Stmt::Loop(l) => self.sums_in(&l.body),
            _ => false,
        })
    }

    fn forward_branch(&mut self, branch: &Branch, needs: &mut Needs) -> Option<TokenStream> {
        let phis: Vec<_> = branch.phis.iter().filter(|phi| needs.of(phi.out).is_some()).collect();
        if phis.is_empty() && !branch.arms.iter().any(|arm| self.sums_in(arm)) {
            return None;
        }
        let mut arms = Vec::new();
        for (k, arm) in branch.arms.iter().enumerate() {
            let mut own = Needs::default();
            for phi in &phis {
                if let Some(atom) = &phi.arms[k] {
                    own.atom(atom, needs.of(phi.out) == Some(true));
                }
            }
            let fails = std::mem::replace(&mut self.fails, true);
            let stmts = self.forward(arm, &mut own);
            self.fails = fails;
            let values: Option<Vec<TokenStream>> = phis
                .iter()
                .map(|phi| phi.arms[k].as_ref().map(|a| self.atom(a)))
                .collect();
            let tail = values.map(|values| match &values[..] {
                [] => TokenStream::new(),
                [one] => one.clone(),
                all => quote!((#(#all),*)),
            });
            needs.join(&own);
            arms.push(quote!({ #(#stmts)* #tail }));
        }
        let names: Vec<_> = phis.iter().map(|phi| &self.body.vars[phi.out].ident).collect();
        let names = match &names[..] {
            [] => TokenStream::new(),
            [one] => quote!(let #one =),
            all => quote!(let (#(#all),*) =),
        };
        let choice = self.choice(&branch.choice, &arms, needs);
        Some(quote!(#names #choice;))
    }

    /// The alternatives, with what stands in each.
    pub fn choice(&mut self, choice: &Choice, arms: &[TokenStream], needs: &mut Needs) -> TokenStream {
        match choice {
            Choice::If(condition) => {
                self.needed_inline(condition, needs);
                let (condition, then, otherwise) = (&condition.tokens, &arms[0], &arms[1]);
                let otherwise = (!super::is_empty_block(otherwise)).then(|| quote!(else #otherwise));
                quote!(if #condition #then #otherwise)
            }
            Choice::Match(value, heads) => {
                self.needed_inline(value, needs);
                let value = &value.tokens;
                quote!(match #value { #(#heads => #arms)* })
            }
        }
    }

    /// Assigns what variables are in the next round, all at once.
    pub fn next(&mut self, l: &Loop, which: &[usize]) -> TokenStream {
        let pairs = which.iter().map(|k| {
            let c = &l.carried[*k];
            (self.body.vars[c.inside].ident.clone(), self.atom(&c.exit))
        });
        let pairs: Vec<_> = pairs.collect();
        match &pairs[..] {
            [(name, value)] => quote!(#name = #value;),
            _ => {
                let (names, values): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
                let temps: Vec<_> = names.iter().map(|_| self.names.fresh("next", l.span)).collect();
                quote!(#(let #temps = #values;)* #(#names = #temps;)*)
            }
        }
    }

    /// The variables that a loop has to keep up with for the sake of these, and its body for that.
    pub fn kept_up(
        &mut self,
        l: &Loop,
        mut which: Vec<usize>,
        conditions: bool,
        needs: &mut Needs,
    ) -> (Vec<usize>, Vec<TokenStream>) {
        loop {
            let mut own = Needs::default();
            which.iter().for_each(|k| own.atom(&l.carried[*k].exit, true));
            if let (true, Rounds::While(condition)) = (conditions, &l.rounds) {
                self.needed_inline(condition, &mut own);
            }
            let stmts = self.forward(&l.body, &mut own);
            let more: Vec<usize> = (0..l.carried.len())
                .filter(|k| !which.contains(k) && own.of(l.carried[*k].inside).is_some())
                .collect();
            if more.is_empty() {
                needs.join(&own);
                return (which, stmts);
            }
            which.extend(more);
            which.sort_unstable();
        }
    }

    fn forward_loop(&mut self, l: &Loop, needs: &mut Needs) -> Option<TokenStream> {
        let outs: Vec<usize> = (0..l.carried.len())
            .filter(|k| needs.of(l.carried[*k].out).is_some())
            .collect();
        let summed = self.sums_in(&l.body);
        if outs.is_empty() && !summed {
            return None;
        }
        let valued: Vec<usize> = outs
            .iter()
            .copied()
            .filter(|k| needs.of(l.carried[*k].out) == Some(true))
            .collect();
        let mut text = TokenStream::new();
        if !valued.is_empty() || summed {
            let (which, stmts) = self.kept_up(l, valued.clone(), true, needs);
            text.extend(self.entries(l, &which, needs));
            let next = if which.is_empty() {
                TokenStream::new()
            } else {
                self.next(l, &which)
            };
            let head = self.head(l, needs);
            text.extend(quote!(#head { #(#stmts)* #next }));
        }
        for k in outs {
            let c = &l.carried[k];
            let out = &self.body.vars[c.out].ident;
            if valued.contains(&k) {
                let inside = &self.body.vars[c.inside].ident;
                text.extend(quote!(let #out = #inside;));
            } else {
                needs.atom(&c.entry, false);
                let entry = self.atom(&c.entry);
                text.extend(quote!(let #out = #entry;));
            }
        }
        Some(text)
    }

    /// Declares variables of a loop with what they are in front of it.
    pub fn entries(&mut self, l: &Loop, which: &[usize], needs: &mut Needs) -> TokenStream {
        let all = which.iter().map(|k| {
            let c = &l.carried[*k];
            needs.atom(&c.entry, true);
            let (inside, entry) = (&self.body.vars[c.inside].ident, self.atom(&c.entry));
            quote!(let mut #inside = #entry;)
        });
        all.collect()
    }

    fn head(&mut self, l: &Loop, needs: &mut Needs) -> TokenStream {
        match &l.rounds {
            Rounds::For(var, range) => {
                let name = self.loop_name(*var);
                for inline in [Some(&range.start), Some(&range.end), range.step.as_ref()]
                    .into_iter()
                    .flatten()
                {
                    self.needed_inline(inline, needs);
                }
                let range = l.over(&range.written());
                quote!(for #name in #range)
            }
            Rounds::While(condition) => {
                let condition = &condition.tokens;
                quote!(while #condition)
            }
        }
    }

    pub fn loop_name(&self, var: Option<Var>) -> TokenStream {
        match var {
            Some(var) => {
                let ident = &self.body.vars[var].ident;
                quote!(#ident)
            }
            None => quote!(_),
        }
    }

    fn forward_parallel(&mut self, p: &Parallel, needs: &mut Needs) -> Option<TokenStream> {
        let mut text = TokenStream::new();
        let mut summed: Vec<(LocalId, proc_macro2::Ident)> = Vec::new();
        for sum in &p.sums {
            let Some(value) = needs.of(sum.out) else { continue };
            needs.atom(&sum.entry, value);
            let (out, entry) = (&self.body.vars[sum.out].ident, self.atom(&sum.entry));
            if value {
                text.extend(quote!(let mut #out = #entry;));
                summed.push((sum.local, out.clone()));
            } else {
                text.extend(quote!(let #out = #entry;));
            }
        }
        if !summed.is_empty() {
            let outer = std::mem::replace(&mut self.summed, summed.into_iter().collect());
            let time = std::mem::replace(&mut self.time, p.number);
            let mut own = Needs::default();
            let stmts = self.forward(&p.body, &mut own);
            self.summed = outer;
            needs.join(&own);
            p.uses.iter().for_each(|v| needs.var(*v, true));
            self.noted(&p.reads);
            self.time = time;
            let head = &p.head;
            text.extend(quote!(for #head { #(#stmts)* }));
        }
        (!text.is_empty()).then_some(text)
    }
}
