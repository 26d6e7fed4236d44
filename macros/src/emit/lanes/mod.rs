//! Loops in lanes: as many iterations as a vector register has room for are taken together. LLVM vectorises the innermost loop
//! only, so each straight part of the body becomes an innermost loop over lanes, with the user's own code in it. A variable
//! that lives from one part to another is an array with a value for each lane.

mod branch;
mod call;
mod emit;
mod function;
mod lift;
mod part;
mod search;
mod split;
mod uses;

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

pub use self::function::{function, inlined, of_failed, of_kernel};
use self::part::{Cut, Lifted, Part};
use self::uses::{Form, name};
use super::plain;
use super::print::Printer;
use crate::hir::{Expr, Func, LabelId, LocalId, ParFor};

/// Lanes where the body has loops: a register of the widest vectors, of 32-bit numbers.
const WIDTH: usize = 16;
/// Lanes where they leave loops by themselves: the rounds of such a loop wait for one another, so two registers are under way.
const MASKED: usize = 32;
/// Lanes of bodies with loops where registers have half the size. With more than one register for a variable there, the few registers do
/// not hold them all, LLVM leaves a loop over the lanes with all planes in memory, and stores under a mask, which AMD's processors with AVX2
/// are slow at: 2.2 times the time for n-body, 2.6 times for a fractal.
const NARROW: usize = 8;
/// Lanes of a reduction of a short body: several sums have to be under way, and LLVM does not unroll so long a loop.
const WIDE: usize = 64;

/// A loop, or a function, in lanes.
pub struct Lanes<'h> {
    func: &'h Func,
    body: Cut<'h>,
    /// With regions as they are, and cut at calls.
    forms: [Form; 2],
    pub width: TokenStream,
    /// For registers of half the size, if the results do not depend on the width.
    narrow: Option<TokenStream>,
    /// Variables of which each lane reduces to a part.
    reductions: &'h [swathe_ir::Reduction],
    /// Whether it pays, where that is a matter of the functions called.
    pub pays: TokenStream,
}

impl<'h> Lanes<'h> {
    /// The loop in lanes, if that is right and may pay.
    pub fn of(func: &'h Func, p: &'h ParFor) -> Option<Lanes<'h>> {
        if plain() {
            return None;
        }
        let body = split::body(func, p)?;
        let mut callees = Vec::new();
        collect_callees(&body.parts, &mut callees);
        let has_loops = contains_loop(&body.parts);
        if !has_loops && p.reductions.is_empty() && callees.is_empty() {
            // LLVM vectorises it, or cannot.
            return None;
        }
        let width = match (has_loops, is_masked(&body.parts)) {
            (false, _) if !p.reductions.is_empty() => WIDE,
            (true, false) => WIDTH,
            _ => MASKED,
        };
        let pays = match has_loops || !p.reductions.is_empty() {
            true => quote!(true),
            false => function::any_looped(&callees, &quote!(#DEPTH)),
        };
        Some(Lanes {
            func,
            forms: [Form::of(&body, false), Form::of(&body, true)],
            body,
            width: literal(width),
            narrow: p.reductions.is_empty().then(|| literal(NARROW)),
            reductions: &p.reductions,
            pays,
        })
    }

    /// Takes the width for registers of half the size, if there is one.
    pub fn narrow(&mut self) -> bool {
        let narrow = self.narrow.take();
        let is_narrow = narrow.is_some();
        self.width = narrow.unwrap_or_else(|| self.width.clone());
        is_narrow
    }

    /// What stands before all blocks of a chunk: the parts of reductions, and the width for regions that run once a block.
    /// LLVM would unroll these too early if it knew that: the many uses of a plane would keep it from seeing that no field is in it.
    pub fn start(&self) -> TokenStream {
        let width = &self.width;
        let parts = self.reductions.iter().map(|r| {
            let (plane, name) = (plane(r.local), &self.func.local(r.local).ident);
            quote!(let mut #plane = ::swathe::__rt::Lanes::<_, #width>::filled(#name);)
        });
        let width = match &self.narrow {
            Some(narrow) => quote!(if __target.wide() { #width } else { #narrow }),
            None => width.clone(),
        };
        let widths = widths(&width);
        quote!(#widths #(#parts)*)
    }

    /// What stands after them.
    pub fn end(&self, combine: impl Fn(swathe_ir::ReduceOp, &TokenStream, &TokenStream) -> TokenStream) -> TokenStream {
        let parts = self.reductions.iter().map(|r| {
            let (plane, name) = (plane(r.local), &self.func.local(r.local).ident);
            let both = combine(r.op, &quote!(__a), &quote!(__b));
            let all = combine(r.op, &quote!(#plane.fold(|__a, __b| #both)), &quote!(#name));
            quote!(#name = #all;)
        });
        quote!(#(#parts)*)
    }

    /// One block of iterations. `position` declares the position of the lane `__l`.
    pub fn block(&self, printer: &Printer<'_>, position: &TokenStream) -> TokenStream {
        let width = &self.width;
        let planes = self.planes(&BTreeSet::new());
        let (parts, masks) = emit::parts(self, printer, position, false);
        let exit =
            masks.then(|| quote!(let mut __exit = ::swathe::__rt::Lanes::<::core::primitive::u32, #width>::zeros();));
        quote!(#planes #exit #parts)
    }

    /// Declares what outlives regions, and whether lanes take branches.
    fn planes(&self, others: &BTreeSet<LocalId>) -> TokenStream {
        let width = &self.width;
        let [whole, cut] = &self.forms;
        let planes = whole.planes.union(&cut.planes).filter(|id| !others.contains(id));
        let planes = planes.map(|id| {
            let plane = plane(*id);
            quote!(let mut #plane = ::swathe::__rt::Lanes::<_, #width>::zeros();)
        });
        let mut branches = Vec::new();
        collect_branches(&self.body.parts, &mut branches);
        let branches = branches.iter().map(|bit| format_ident!("__any{bit}"));
        quote!(#(#planes)* #(let mut #branches = 0u32;)*)
    }

    /// What prints the expressions of regions.
    pub fn cuts(&self) -> Cuts {
        let names = |lifted: &Lifted| lifted.iter().map(|(e, id)| (*e, name(self.func, *id))).collect();
        Cuts {
            exits: self.body.exits.clone(),
            lifted: [names(&self.forms[0].lifted), names(&self.forms[1].lifted)],
            form: Rc::new(Cell::new(0)),
            result: self.body.result.map(|id| name(self.func, id)),
        }
    }

    fn reduced(&self, id: LocalId) -> bool {
        self.reductions.iter().any(|r| r.local == id)
    }
}

/// How deep the functions are asked for loops: more than functions call one another, and an end where they do so in a circle.
const DEPTH: u32 = 8;

/// How expressions are printed in regions.
#[derive(Clone, Default)]
pub struct Cuts {
    /// The loops that lanes leave one by one. A lane's exits are bits: that of a loop says that the lane left it, the
    /// next one that it waits for the next round. With bits there is nothing to branch on, which LLVM would make paths of.
    exits: HashMap<LabelId, u32>,
    /// Expressions whose values are in variables of ours, in both forms.
    lifted: [HashMap<*const Expr, Ident>; 2],
    form: Rc<Cell<usize>>,
    result: Option<Ident>,
}

impl Cuts {
    pub fn is_empty(&self) -> bool {
        self.exits.is_empty()
    }

    pub fn lifted(&self, e: &Expr) -> Option<TokenStream> {
        let name = self.lifted[self.form.get()].get(&std::ptr::from_ref(e))?;
        Some(name.to_token_stream())
    }

    /// `break` or `continue` of a loop that is cut.
    pub fn exit(&self, label: LabelId, again: bool) -> Option<TokenStream> {
        let left = *self.exits.get(&label)?;
        let exit = bit(if again { 2 * left } else { left });
        Some(quote!({ __e |= #exit; break '__region }))
    }

    /// `return` of a function.
    pub fn end(&self, value: Option<TokenStream>) -> Option<TokenStream> {
        let (result, exit) = (self.result.as_ref()?, self.exit(part::RETURN, false)?);
        Some(quote!({ #result = #value; #exit }))
    }
}

fn bit(bit: u32) -> Literal {
    Literal::u32_suffixed(bit)
}

fn plane(id: LocalId) -> Ident {
    format_ident!("__plane{}", id.0)
}

fn literal(width: usize) -> TokenStream {
    Literal::usize_unsuffixed(width).into_token_stream()
}

/// The numbers of lanes, for regions that run once a block and for those in loops. Of the first one LLVM knows no more than that vectors fit.
/// The second one may be known: regions with so many lanes are not unrolled before they are vectorised. For one register of half the size
/// that would happen: that it is either this or zero hides it until then, and leaves no loop over the lanes.
fn widths(width: &TokenStream) -> TokenStream {
    quote!(
        let __width: ::core::primitive::usize = ::core::hint::black_box(#width) & !(#width - 1);
        let __inner: ::core::primitive::usize = if #width == #NARROW { __width & #width } else { #width };
    )
}

fn contains_loop(parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Loop(_) => true,
        _ => part.inner(true).into_iter().any(contains_loop),
    })
}

fn is_masked(parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Loop(inner) if inner.is_masked() => true,
        Part::Branch(_) => true,
        _ => part.inner(false).into_iter().any(is_masked),
    })
}

fn collect_callees<'h>(parts: &[Part<'h>], callees: &mut Vec<&'h syn::ExprPath>) {
    for part in parts {
        match part {
            Part::Choice(choice) => callees.extend(&choice.callees),
            _ => part
                .inner(true)
                .into_iter()
                .for_each(|parts| collect_callees(parts, callees)),
        }
    }
}

fn collect_branches(parts: &[Part<'_>], bits: &mut Vec<u32>) {
    for part in parts {
        if let Part::Branch(branch) = part {
            bits.push(branch.bit);
        }
        part.inner(true)
            .into_iter()
            .for_each(|parts| collect_branches(parts, bits));
    }
}
