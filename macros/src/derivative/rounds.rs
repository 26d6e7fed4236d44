//! Reverse mode: sequential loops.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use swathe_ir::BinOp;

use super::body::{Atom, Carried, Choice, Inline, Loop, Op, Region, Rounds, Stmt, Var};
use super::reverse::{Reverse, defined, rule};

impl Reverse<'_> {
    pub fn rounds(&mut self, l: &Loop) {
        let mut active: Vec<bool> = l
            .carried
            .iter()
            .map(|c| self.frames.last().is_some_and(|top| top.has.contains(&c.out)))
            .collect();
        let carry: Vec<Ident> = l
            .carried
            .iter()
            .map(|c| {
                let info = &self.body.vars[c.inside];
                self.names.fresh(&format!("d_{}", info.ident), info.span)
            })
            .collect();
        let mut home = defined(&l.body);
        home.extend(l.carried.iter().map(|c| c.inside));
        let frame = loop {
            let mut frame = self.inside(home.clone(), false, |r| {
                for (k, c) in l.carried.iter().enumerate() {
                    if active[k] {
                        let d = &carry[k];
                        r.contribute(&c.exit, &quote!(#d));
                    }
                }
                r.region(&l.body);
                for (k, c) in l.carried.iter().enumerate() {
                    if active[k] {
                        let (d, carry) = (r.d(c.inside), &carry[k]);
                        if r.top().has.contains(&c.inside) {
                            r.say(quote!(#carry = #d;));
                        } else {
                            let zero = rule("zero", d.span());
                            r.say(quote!(#carry = #zero(#carry);));
                        }
                    }
                }
            });
            let more: Vec<usize> = (0..l.carried.len())
                .filter(|k| !active[*k] && frame.has.contains(&l.carried[*k].inside))
                .collect();
            if more.is_empty() {
                let out = std::mem::take(&mut frame.out);
                break (frame, out);
            }
            more.into_iter().for_each(|k| active[k] = true);
        };
        let (frame, out) = frame;
        if out.is_empty() {
            return;
        }
        let mut needs = frame.needs;
        let stmts = self.forward(&l.body, &mut needs);
        let kept: Vec<usize> = (0..l.carried.len())
            .filter(|k| needs.of(l.carried[*k].inside) == Some(true))
            .collect();
        let mut text = TokenStream::new();
        // What only tells a type.
        for c in &l.carried {
            if needs.of(c.inside) != Some(false) {
                continue;
            }
            needs.atom(&c.entry, false);
            let (inside, entry) = (&self.body.vars[c.inside].ident, self.atom(&c.entry));
            text.extend(quote!(let #inside = #entry;));
        }
        for (k, c) in l.carried.iter().enumerate() {
            if active[k] {
                let carry = &carry[k];
                if self.top().has.contains(&c.out) {
                    let d = self.d(c.out);
                    text.extend(quote!(let mut #carry = #d;));
                } else {
                    needs.atom(&c.entry, false);
                    let (zero, entry) = (rule("zero", carry.span()), self.atom(&c.entry));
                    text.extend(quote!(let mut #carry = #zero(#entry);));
                }
            }
        }
        let replay = match kept.is_empty() {
            true => None,
            false => {
                let (which, again) = self.kept_up(l, kept, false, &mut needs);
                let entries = self.entries(l, &which, &mut needs);
                let next = self.next(l, &which);
                Some((entries, quote!(#(#again)* #next)))
            }
        };
        let head = match &l.rounds {
            Rounds::For(var, range) => {
                for inline in [Some(&range.start), Some(&range.end), range.step.as_ref()]
                    .into_iter()
                    .flatten()
                {
                    self.needed_inline(inline, &mut needs);
                }
                let simple = replay.is_none() && self.sums_only(l, &active);
                let order = l.over(&if simple { range.written() } else { range.reversed() });
                match (var, replay) {
                    (_, None) => {
                        let name = self.loop_name(*var);
                        quote!(for #name in #order { #(#stmts)* #(#out)* })
                    }
                    (var, Some((entries, again))) => {
                        let name = match var {
                            Some(var) => self.body.vars[*var].ident.clone(),
                            None => self.names.fresh("k", l.span),
                        };
                        let Some((before, next)) = range.before(&name) else {
                            self.errors.at(
                                l.span,
                                "the rounds of a loop over `.step_by(..).rev()` cannot be run again up to one of them: write the loop without `.rev()` behind the step",
                            );
                            return;
                        };
                        let before = l.over(&before);
                        quote!(for #name in #order { #entries for #name in #before { #next #again } #(#stmts)* #(#out)* })
                    }
                }
            }
            Rounds::While(condition) => {
                let (which, counting) = self.kept_up(l, Vec::new(), true, &mut needs);
                let entries = self.entries(l, &which, &mut needs);
                let next = if which.is_empty() {
                    TokenStream::new()
                } else {
                    self.next(l, &which)
                };
                let (count, k) = (self.names.fresh("rounds", l.span), self.names.fresh("k", l.span));
                let condition = &condition.tokens;
                let (again, from) = match replay {
                    Some((entries, again)) => {
                        let before = l.over(&quote!(0..#k));
                        (quote!(for _ in #before { #again }), entries)
                    }
                    None => (TokenStream::new(), TokenStream::new()),
                };
                let back = l.over(&quote!((0..#count).rev()));
                quote! {
                    let mut #count = 0usize;
                    #entries
                    while #condition { #(#counting)* #next #count += 1; }
                    for #k in #back { #from #again #(#stmts)* #(#out)* }
                }
            }
        };
        self.enclose(frame.outer);
        self.top().needs.join(&needs);
        self.say(quote!(#text #head));
        for (k, c) in l.carried.iter().enumerate() {
            if active[k] {
                let d = &carry[k];
                self.contribute(&c.entry, &quote!(#d));
            }
        }
    }

    /// Whether the rounds can be gone through in any order: each variable that they carry is a sum of what no round made, so that its gradient is the
    /// same in all of them. A sum that anything else in the body uses, be it another sum or an element that is added to, is not one of these: what a
    /// round added is in what all later rounds use.
    pub fn sums_only(&self, l: &Loop, active: &[bool]) -> bool {
        fn writes(region: &Region) -> bool {
            region.stmts.iter().any(|stmt| match stmt {
                Stmt::Write(..) | Stmt::Parallel(_) => true,
                Stmt::Branch(b) => b.arms.iter().any(writes),
                Stmt::Loop(l) => writes(&l.body),
                _ => false,
            })
        }
        let sum = |c: &Carried| {
            let Some(exit) = c.exit.var() else { return false };
            l.body.stmts.iter().any(|stmt| match stmt {
                Stmt::Let(made) if made.var == exit => matches!(
                    &made.op,
                    Op::Binary(BinOp::Add | BinOp::Sub, a, b) | Op::Changed(BinOp::Add | BinOp::Sub, a, b)
                        if a.same(&Atom::Var(c.inside)) && !b.same(&Atom::Var(c.inside))
                ),
                _ => false,
            }) && uses(&l.body, c.inside) == 1
                && uses(&l.body, exit) == 0
        };
        !writes(&l.body) && l.carried.iter().zip(active).all(|(c, active)| !active || sum(c))
    }
}

/// How often a variable is an operand in a region and the blocks in it.
fn uses(region: &Region, var: Var) -> usize {
    let of = |a: &Atom| usize::from(a.same(&Atom::Var(var)));
    let inline = |i: &Inline| usize::from(i.uses.contains(&var));
    region
        .stmts
        .iter()
        .map(|stmt| match stmt {
            Stmt::Let(l) => {
                l.op.atoms().into_iter().map(of).sum::<usize>() + l.op.inlines().into_iter().map(inline).sum::<usize>()
            }
            Stmt::Write(place, a) | Stmt::Add(place, _, a) | Stmt::Atomic(place, _, a) => {
                of(a) + place.inlines().map(inline).sum::<usize>()
            }
            Stmt::Reduce(_, _, a) => of(a),
            Stmt::Branch(b) => {
                b.arms.iter().map(|arm| uses(arm, var)).sum::<usize>()
                    + b.phis
                        .iter()
                        .flat_map(|phi| phi.arms.iter().flatten())
                        .map(of)
                        .sum::<usize>()
                    + match &b.choice {
                        Choice::If(i) | Choice::Match(i, _) => inline(i),
                    }
            }
            Stmt::Loop(l) => {
                uses(&l.body, var)
                    + l.carried.iter().map(|c| of(&c.entry) + of(&c.exit)).sum::<usize>()
                    + match &l.rounds {
                        Rounds::For(_, range) => {
                            inline(&range.start) + inline(&range.end) + range.step.iter().map(inline).sum::<usize>()
                        }
                        Rounds::While(condition) => inline(condition),
                    }
            }
            Stmt::Parallel(p) => {
                uses(&p.body, var)
                    + usize::from(p.uses.contains(&var))
                    + p.sums.iter().map(|sum| of(&sum.entry)).sum::<usize>()
            }
            Stmt::Fail => 0,
        })
        .sum()
}
