//! Regions, loops and branches as Rust.

use std::collections::{BTreeSet, HashSet};

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::{Lanes, bit, function, name, plane};
use crate::emit::print::Printer;
use crate::emit::reduction::in_lane;
use crate::emit::{at, label};
use crate::hir::visit::any;
use crate::hir::{Expr, ExprKind, LocalId, Stmt};
use crate::plan::accumulators::behind_conditions;
use crate::plan::lanes::{self as plan, Branch, Choice, Fork, Form, Item, Loop, Part, Region};

/// The parts of a body, and whether there has to be a plane of exits. `partial`: some lanes do not take part.
pub fn parts(
    lanes: &Lanes<'_, '_>,
    printer: &Printer<'_>,
    position: &TokenStream,
    partial: bool,
) -> (TokenStream, bool) {
    let mut emit = Emit {
        lanes,
        printer,
        position,
        form: 1,
        masks: partial,
        depth: 0,
    };
    let parts = emit.parts(&lanes.plan.body.parts, &mut Mask { partial });
    (parts, emit.masks)
}

/// Where lanes may be inactive.
#[derive(Clone, Copy)]
struct Mask {
    /// Some lanes may have left.
    partial: bool,
}

struct Emit<'e, 'h, 'p> {
    lanes: &'e Lanes<'e, 'h>,
    printer: &'e Printer<'p>,
    position: &'e TokenStream,
    /// Which of the two forms is printed.
    form: usize,
    /// Whether there is a plane of exits.
    masks: bool,
    /// In how many sequential loops.
    depth: usize,
}

impl<'h> Emit<'_, 'h, '_> {
    fn form(&self) -> &Form {
        &self.lanes.plan.forms[self.form]
    }

    fn parts(&mut self, parts: &[Part<'h>], mask: &mut Mask) -> TokenStream {
        let parts = parts.iter().map(|part| match part {
            Part::Region(region) => self.region(region, mask),
            Part::Uniform(stmt) => {
                let value = match stmt {
                    Stmt::Let { init, .. } => init.as_ref(),
                    _ => None,
                };
                self.together(value, *mask, |printer| printer.stmt(stmt))
            }
            Part::Scope(parts) => {
                let parts = self.parts(parts, mask);
                quote!({ #parts })
            }
            Part::Loop(inner) => self.sequential(inner, mask),
            Part::Branch(branch) => self.branch(branch, mask),
            Part::Fork(fork) => self.fork(fork, mask),
            Part::Call(call) => {
                let width = &self.lanes.width;
                let exit = match mask.partial {
                    true => {
                        self.masks = true;
                        quote!(&__exit)
                    }
                    false => quote!(&::swathe::__rt::Lanes::<::swathe::__rt::core::primitive::u32, #width>::zeros()),
                };
                function::in_lanes(call, &self.printer.target(), &exit)
            }
            Part::Choice(choice) => self.choice(choice, mask),
        });
        let parts: Vec<TokenStream> = parts.collect();
        quote!(#(#parts)*)
    }

    fn choice(&mut self, choice: &Choice<'h>, mask: &mut Mask) -> TokenStream {
        let mut whole_mask = *mask;
        self.set_form(0);
        let whole = self.region(&choice.whole, &mut whole_mask);
        self.set_form(1);
        let cut = self.parts(&choice.cut, mask);
        mask.partial |= whole_mask.partial;
        let depth = super::DEPTH;
        let looped = function::any_looped(&choice.callees, &quote!(#depth));
        // Values for all lanes must have room on a thread's stack.
        let mut passed = Vec::new();
        choice.passed(&mut passed);
        let passed = passed.into_iter().map(plane);
        quote!(
            if #looped && 0 #(+ ::swathe::__rt::core::mem::size_of_val(&#passed))* <= ::swathe::__rt::MOST_PASSED { #cut } else { #whole }
        )
    }

    fn set_form(&mut self, form: usize) {
        self.form = form;
        self.printer.cuts.form.set(form);
    }

    fn branch(&mut self, branch: &Branch<'h>, mask: &mut Mask) -> TokenStream {
        self.masks = true;
        let any = format_ident!("__any{}", branch.bit);
        let (first, second) = (bit(branch.bit), bit(2 * branch.bit));
        mask.partial |= branch.leaves;
        let mut inner = Mask { partial: true };
        let then = self.parts(&branch.then, &mut inner);
        let otherwise = match branch.otherwise.is_empty() {
            true => quote!(::swathe::__rt::Lanes::clear(&mut __exit, #first);),
            false => {
                let mut inner = Mask { partial: true };
                let otherwise = self.parts(&branch.otherwise, &mut inner);
                quote!(
                    if ::swathe::__rt::Lanes::turn(&mut __exit, #first, #second) { #otherwise }
                    ::swathe::__rt::Lanes::clear(&mut __exit, #second);
                )
            }
        };
        quote!(if #any != 0 { #then } #otherwise)
    }

    /// Prints what holds expressions that are computed once for all lanes. Where an operator of the user's prints, it prints for each lane.
    fn together<'a>(
        &mut self,
        values: impl IntoIterator<Item = &'a Expr>,
        mask: Mask,
        print: impl FnOnce(&Printer<'_>) -> TokenStream,
    ) -> TokenStream {
        let may_print = |e: &Expr| any(e, |e| matches!(e.kind, ExprKind::Unary(..) | ExprKind::Binary(..)));
        let values: Vec<&Expr> = values.into_iter().filter(|e| may_print(e)).collect();
        self.masks |= mask.partial && !values.is_empty();
        let lanes = match mask.partial {
            true => quote!(::swathe::__rt::Lanes::going(&__exit, __width)),
            false => quote!(__width),
        };
        let texts = values.into_iter().map(|e| {
            let value = self.printer.expr(e);
            (
                std::ptr::from_ref(e),
                quote!(::swathe::__rt::together(#[inline(always)] || #lanes, #[inline(always)] || #value)),
            )
        });
        let texts = texts.collect();
        self.printer.cuts.together(texts, || print(self.printer))
    }

    fn fork(&mut self, fork: &Fork<'h>, mask: &mut Mask) -> TokenStream {
        let condition = self.together([fork.condition], *mask, |printer| printer.expr(fork.condition));
        let (mut first, mut second) = (*mask, *mask);
        let mut then = self.parts(&fork.then, &mut first);
        let mut otherwise = self.parts(&fork.otherwise, &mut second);
        mask.partial = first.partial || second.partial;
        // What the exits were before is of no use to what follows.
        for (parts, branch) in [(&mut then, first), (&mut otherwise, second)] {
            if mask.partial && !branch.partial {
                parts.extend(quote!(__exit = ::swathe::__rt::Lanes::zeros();));
            }
        }
        quote!(if #condition { #then } else { #otherwise })
    }

    fn sequential(&mut self, inner: &Loop<'h>, mask: &mut Mask) -> TokenStream {
        let width = &self.lanes.width;
        let id = label(inner.label);
        let masked = inner.is_masked();
        let before = mask.partial;
        let mut within = Mask {
            partial: before || masked,
        };
        self.depth += 1;
        let body = self.parts(&inner.parts, &mut within);
        self.depth -= 1;
        let head = match inner.range {
            Some((pat, range)) => {
                let bounds = [Some(&range.start), Some(&range.end), range.step.as_ref()];
                let lanes = Mask { partial: before };
                let bounds = bounds.into_iter().flatten().map(|bound| &**bound);
                let range = self.together(bounds, lanes, |printer| printer.range(range));
                let pat = self.printer.pat(pat);
                quote!(for #pat in #range)
            }
            None => quote!(loop),
        };
        let mut whole = quote!(#id: #head { #body });
        if before && (inner.unreached || inner.range.is_some_and(|(_, range)| range.may_fail())) {
            whole = quote!(if ::swathe::__rt::Lanes::goes(&__exit) { #whole });
        }
        if !masked {
            return whole;
        }
        self.masks = true;
        let escapes = inner.exits.iter().any(|exit| *exit != inner.label);
        mask.partial = before || escapes;
        let start = (!before)
            .then(|| quote!(__exit = ::swathe::__rt::Lanes::<::swathe::__rt::core::primitive::u32, #width>::zeros();));
        let left = bit(self.lanes.plan.body.exits[&inner.label]);
        let end = mask
            .partial
            .then(|| quote!(::swathe::__rt::Lanes::clear(&mut __exit, #left);));
        quote!(#start #whole #end)
    }

    fn region(&mut self, region: &Region<'h>, mask: &mut Mask) -> TokenStream {
        let func = self.lanes.plan.func;
        if let (Some(id), false, None, [Item::Stmt(Stmt::Expr(e))]) =
            (region.together, mask.partial, region.round, &region.items[..])
        {
            let (plane, name, e) = (plane(id), name(func, id), self.printer.expr(e));
            return quote!({ let #name = #plane.fold(|__a, __b| ::swathe::__rt::sum(__a, __b)); #e; });
        }
        let exits = &self.lanes.plan.body.exits;
        let leaves = plan::leaves(region, &self.form().lifted, exits);
        let branches = region.items.iter().find_map(|item| match item {
            Item::Condition(_, bit) => Some(format_ident!("__any{bit}")),
            _ => None,
        });
        let masked =
            mask.partial || leaves || region.condition.is_some() || region.round.is_some() || branches.is_some();
        self.masks |= masked;

        let mut by_item = self.form().by_item(func, region);
        if mask.partial || region.condition.is_some() {
            // Stores under a condition keep planes in memory, where large ones are anyway.
            by_item.retain(|id| self.lanes.plan.is_large(*id));
        }
        let (loads, kept, stores) = self.planes(region, &by_item, mask.partial || region.condition.is_some());
        let outer = self.printer.cuts.items.replace(by_item);
        self.printer.cuts.outside.set(false);
        let items = region.items.iter().map(|item| match item {
            Item::Stmt(stmt) => self.printer.stmt(stmt),
            Item::Expr(e) => {
                let e = self.printer.expr(e);
                quote!(#e;)
            }
            Item::Let(id, e) => {
                let name = name(func, *id);
                let e = self.printer.cuts.declaring(e, || self.printer.expr(e));
                quote!(let #name = #e;)
            }
            Item::Set(id, e) => {
                let (name, e) = (name(func, *id), self.printer.expr(e));
                quote!(#name = #e;)
            }
            Item::Unreached(e, into) => {
                let name = into.map_or_else(|| quote!(let _), |id| name(func, id).to_token_stream());
                let e = self.printer.unreached().expr(e);
                quote!(if false { #name = #e; })
            }
            Item::Condition(e, waits) => {
                let (span, e, waits) = (e.span, self.printer.expr(e), bit(*waits));
                let goes = quote_spanned!(at(span)=> let __goes = #e;);
                quote!(#goes __e |= if __goes { 0 } else { #waits };)
            }
        });
        let items = quote!(#(#items)*);
        let condition = region.condition.map(|(condition, label)| {
            let left = bit(exits[&label]);
            let (span, condition) = (condition.span, self.printer.expr(condition));
            let goes = quote_spanned!(at(span)=> __e == 0 && #condition);
            // One path for all lanes that do not go on.
            quote!(let __goes = #goes; __e |= if __goes { 0 } else { #left };)
        });
        self.printer.cuts.items.replace(outer);
        let mut body = quote!({ #items #(#kept)* });
        if leaves {
            body = quote!('__region: #body);
        }
        body = match (&condition, mask.partial) {
            (Some(condition), _) => quote!(#condition if __goes { #body }),
            (None, true) => quote!(if __e == 0 { #body }),
            (None, false) => body,
        };
        let (before, after) = if masked {
            let exit = match mask.partial {
                true => quote!(unsafe { ::swathe::__rt::Lanes::get(&__exit, __l) }),
                false => quote!(0u32),
            };
            (
                quote!(let mut __e = #exit;),
                quote!(unsafe { ::swathe::__rt::Lanes::set(&mut __exit, __l, __e) };),
            )
        } else {
            (quote!(), quote!())
        };
        let position = self.position;
        let width = match self.depth {
            0 => quote!(__width),
            _ => quote!(__inner),
        };
        let (before_round, lane_of_round, after_round) = match region.round {
            Some(label) => {
                let again = bit(2 * exits[&label]);
                let id = crate::emit::label(label);
                (
                    quote!(let mut __any = 0u32;),
                    quote!(__e &= !#again; __any |= (__e == 0) as ::swathe::__rt::core::primitive::u32;),
                    quote!(if __any == 0 { break #id; }),
                )
            }
            None => Default::default(),
        };
        let (before_gathers, after_gathers) = match self.printer.cuts.outside.get() {
            true => (
                quote!(let mut __outside = 0u32;),
                quote!(if __outside != 0 {
                    ::swathe::__rt::again()
                }),
            ),
            false => Default::default(),
        };
        let before_branch = branches.as_ref().map(|any| quote!(#any = 0u32;));
        let lane_of_branch = branches
            .as_ref()
            .map(|any| quote!(#any |= (__e == 0) as ::swathe::__rt::core::primitive::u32;));
        mask.partial |= leaves || region.condition.is_some();
        quote!(
            #before_gathers
            #before_round
            #before_branch
            for __l in 0..#width {
                #position
                #before
                #(#loads)*
                #body
                #(#stores)*
                #lane_of_round
                #lane_of_branch
                #after
            }
            #after_gathers
            #after_round
        )
    }

    /// What takes variables from their planes, keeps those that a region declares, and puts all back; but for arrays of which it takes items.
    fn planes(
        &self,
        region: &Region<'h>,
        by_item: &BTreeSet<LocalId>,
        conditional: bool,
    ) -> (Vec<TokenStream>, Vec<TokenStream>, Vec<TokenStream>) {
        let (lanes, form) = (self.lanes, self.form());
        let (mut loads, mut kept, mut stores) = (Vec::new(), Vec::new(), Vec::new());
        let used = form.uses(region);
        let declared = plan::declared(region);
        let own: HashSet<LocalId> = declared.iter().copied().collect();
        let all = lanes.plan.reductions.iter().map(|r| r.local).collect();
        let own_parts = behind_conditions(&all, &self.printer.subtracted, conditional, |visit| region.visit(visit));
        for r in lanes.plan.reductions.iter().filter(|r| used.contains(&r.local)) {
            let (plane, name) = (plane(r.local), name(lanes.plan.func, r.local));
            let (load, store) = in_lane(r, &name, &plane, &quote!(__l), own_parts.contains(&r.local));
            loads.push(load);
            stores.push(store);
        }
        let planes = used
            .iter()
            .filter(|id| form.planes.contains(id) && !own.contains(id) && !by_item.contains(id));
        for id in planes {
            let (plane, name) = (plane(*id), name(lanes.plan.func, *id));
            loads.push(quote!(let mut #name = unsafe { ::swathe::__rt::Lanes::get(&#plane, __l) };));
            let local = lanes.plan.func.locals.get(id.0 as usize);
            if local.map_or(lanes.plan.body.assigned.contains(id), |local| local.mutable) {
                stores.push(quote!(unsafe { ::swathe::__rt::Lanes::set(&mut #plane, __l, #name) };));
            }
        }
        for id in declared.iter().filter(|id| form.planes.contains(id)) {
            let (plane, keep, name) = (plane(*id), format_ident!("__keep{}", id.0), name(lanes.plan.func, *id));
            if lanes.plan.is_large(*id) {
                kept.push(quote!(unsafe { ::swathe::__rt::Lanes::set(&mut #plane, __l, #name) };));
                continue;
            }
            loads.push(quote!(let mut #keep = unsafe { ::swathe::__rt::Lanes::get(&#plane, __l) };));
            kept.push(quote!(#keep = #name;));
            stores.push(quote!(unsafe { ::swathe::__rt::Lanes::set(&mut #plane, __l, #keep) };));
        }
        (loads, kept, stores)
    }
}
