//! Loops in lanes: as many iterations as a vector register has room for are taken together. LLVM vectorises the innermost loop
//! only, so each straight part of the body becomes an innermost loop over lanes, with the user's own code in it. A variable
//! that lives from one part to another is an array with a value for each lane.

mod split;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use self::split::{Item, Loop, Part, Region};
use super::label;
use super::print::Printer;
use crate::check::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, Func, LabelId, LocalId, ParFor};

/// Lanes where the body has loops: a register of the widest vectors, of 32-bit numbers.
const WIDTH: usize = 16;
/// Lanes where they leave loops by themselves: the rounds of such a loop wait for one another, so two registers are under way.
const MASKED: usize = 32;
/// Lanes of a reduction of a short body: several sums have to be under way, and LLVM does not unroll so long a loop.
const WIDE: usize = 64;
/// Loops in one another or side by side, of which lanes have two bits each.
const MOST_LOOPS: usize = 16;

/// A loop in lanes.
pub struct Lanes<'h> {
    func: &'h Func,
    p: &'h ParFor,
    parts: Vec<Part<'h>>,
    /// Variables with a value for each lane, that outlive a region.
    planes: BTreeMap<LocalId, &'h Ident>,
    /// The loops that lanes leave one by one. A lane's exits are bits: that of a loop says that the lane left it, the
    /// next one that it waits for the next round. With bits there is nothing to branch on, which LLVM would make paths of.
    pub exits: HashMap<LabelId, u32>,
    pub width: usize,
}

/// Where lanes may be inactive.
#[derive(Clone, Copy)]
struct Mask {
    /// Some lanes may have left.
    partial: bool,
}

impl<'h> Lanes<'h> {
    /// The loop in lanes, if that is right and pays.
    pub fn of(func: &'h Func, p: &'h ParFor) -> Option<Lanes<'h>> {
        let parts = split::split(func, p)?;
        let mut labels = vec![p.label];
        collect_labels(&parts, &mut labels);
        if labels.len() > MOST_LOOPS {
            return None;
        }
        let has_loops = contains_loop(&parts);
        if !has_loops && p.reductions.is_empty() {
            // LLVM vectorises it, or cannot.
            return None;
        }
        let mut planes = BTreeMap::new();
        collect_planes(&parts, &uses(&parts), &mut planes);
        let width = match (has_loops, is_masked(&parts)) {
            (false, _) => WIDE,
            (true, false) => WIDTH,
            (true, true) => MASKED,
        };
        let mut exits: HashMap<LabelId, u32> = HashMap::new();
        for (k, label) in (0..).zip(labels) {
            exits.insert(label, 1 << (2 * k));
        }
        Some(Lanes {
            func,
            p,
            parts,
            planes,
            exits,
            width,
        })
    }

    /// What stands before all blocks of a chunk: the parts of reductions, and the width for regions that run once a block.
    /// LLVM would unroll these too early if it knew that: the many uses of a plane would keep it from seeing that no field is in it.
    pub fn start(&self) -> TokenStream {
        let width = self.width;
        let parts = self.p.reductions.iter().map(|r| {
            let (plane, name) = (plane(r.local), &self.func.local(r.local).ident);
            quote!(let mut #plane = ::swathe::__rt::Lanes::<_, #width>::filled(#name);)
        });
        quote!(
            let __width: usize = ::core::hint::black_box(#width) & !(#width - 1);
            #(#parts)*
        )
    }

    /// What stands after them.
    pub fn end(&self, combine: impl Fn(swathe_ir::ReduceOp, &TokenStream, &TokenStream) -> TokenStream) -> TokenStream {
        let parts = self.p.reductions.iter().map(|r| {
            let (plane, name) = (plane(r.local), &self.func.local(r.local).ident);
            let both = combine(r.op, &quote!(__a), &quote!(__b));
            let all = combine(r.op, &quote!(#plane.fold(|__a, __b| #both)), &quote!(#name));
            quote!(#name = #all;)
        });
        quote!(#(#parts)*)
    }

    /// One block of iterations. `position` declares the position of the lane `__l`.
    pub fn block(&self, printer: &Printer<'_>, position: &TokenStream) -> TokenStream {
        let width = self.width;
        let planes = self.planes.keys().map(|id| {
            let plane = plane(*id);
            quote!(let mut #plane = ::swathe::__rt::Lanes::<_, #width>::zeros();)
        });
        let planes = quote!(#(#planes)*);
        let mut emit = Emit {
            lanes: self,
            printer,
            position,
            masks: false,
            depth: 0,
        };
        let mut mask = Mask { partial: false };
        let parts = emit.parts(&self.parts, &mut mask);
        let exit = emit
            .masks
            .then(|| quote!(let mut __exit = ::swathe::__rt::Lanes::<u32, #width>::zeros();));
        quote!(#planes #exit #parts)
    }

    fn reduced(&self, id: LocalId) -> bool {
        self.p.reductions.iter().any(|r| r.local == id)
    }
}

struct Emit<'e, 'h, 'p> {
    lanes: &'e Lanes<'h>,
    printer: &'e Printer<'p>,
    position: &'e TokenStream,
    /// Whether there is a plane of exits.
    masks: bool,
    /// In how many sequential loops.
    depth: usize,
}

impl<'h> Emit<'_, 'h, '_> {
    fn parts(&mut self, parts: &[Part<'h>], mask: &mut Mask) -> TokenStream {
        let parts = parts.iter().map(|part| match part {
            Part::Region(region) => self.region(region, mask),
            Part::Uniform(stmt) => self.printer.stmt(stmt),
            Part::Scope(parts) => {
                let parts = self.parts(parts, mask);
                quote!({ #parts })
            }
            Part::Loop(inner) => self.sequential(inner, mask),
        });
        let parts: Vec<TokenStream> = parts.collect();
        quote!(#(#parts)*)
    }

    fn sequential(&mut self, inner: &Loop<'h>, mask: &mut Mask) -> TokenStream {
        let width = self.lanes.width;
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
                let (pat, range) = (self.printer.pat(pat), self.printer.range(range));
                quote!(for #pat in #range)
            }
            None => quote!(loop),
        };
        let whole = quote!(#id: #head { #body });
        if !masked {
            return whole;
        }
        self.masks = true;
        let escapes = inner.exits.iter().any(|exit| *exit != inner.label);
        mask.partial = before || escapes;
        let start = (!before).then(|| quote!(__exit = ::swathe::__rt::Lanes::<u32, #width>::zeros();));
        let left = bit(self.lanes.exits[&inner.label]);
        let end = mask.partial.then(|| quote!(__exit.clear(#left);));
        quote!(#start #whole #end)
    }

    fn region(&mut self, region: &Region<'h>, mask: &mut Mask) -> TokenStream {
        let width = self.lanes.width;
        let used = uses_of(region);
        let declared = split::declared(region);
        let leaves = split::leaves(region, &self.lanes.exits);
        let masked = mask.partial || leaves || region.condition.is_some() || region.round.is_some();
        self.masks |= masked;

        let mut loads = Vec::new();
        let mut stores = Vec::new();
        let own: HashSet<LocalId> = declared.iter().map(|(id, _)| *id).collect();
        let reduced = used.iter().filter(|id| self.lanes.reduced(**id));
        let planes = used
            .iter()
            .filter(|id| self.lanes.planes.contains_key(id) && !own.contains(id));
        for id in planes.chain(reduced) {
            let (plane, local) = (plane(*id), self.lanes.func.local(*id));
            let ident = &local.ident;
            loads.push(quote!(let mut #ident = unsafe { #plane.get(__l) };));
            if local.mutable {
                stores.push(quote!(unsafe { #plane.set(__l, #ident) };));
            }
        }
        let mut kept = Vec::new();
        for (id, ident) in declared.iter().filter(|(id, _)| self.lanes.planes.contains_key(id)) {
            let (plane, keep) = (plane(*id), format_ident!("__keep{}", id.0));
            loads.push(quote!(let mut #keep = unsafe { #plane.get(__l) };));
            kept.push(quote!(#keep = #ident;));
            stores.push(quote!(unsafe { #plane.set(__l, #keep) };));
        }

        let items = region.items.iter().map(|item| match item {
            Item::Stmt(stmt) => self.printer.stmt(stmt),
            Item::Expr(e) => {
                let e = self.printer.expr(e);
                quote!(#e;)
            }
        });
        let items = quote!(#(#items)*);
        let condition = region.condition.map(|(condition, label)| {
            let left = bit(self.lanes.exits[&label]);
            let (span, condition) = (condition.span, self.printer.expr(condition));
            let goes = quote_spanned!(span=> __e == 0 && #condition);
            // One path for all lanes that do not go on.
            quote!(let __goes = #goes; __e |= if __goes { 0 } else { #left };)
        });
        // A name that the region declares may hide that of a plane, which is stored behind it.
        let mut body = quote!({ #items #(#kept)* });
        if leaves {
            body = quote!('__region: { #body });
        }
        body = match (&condition, mask.partial) {
            (Some(condition), _) => quote!(#condition if __goes { #body }),
            (None, true) => quote!(if __e == 0 { #body }),
            (None, false) => body,
        };
        let (before, after) = if masked {
            let exit = match mask.partial {
                true => quote!(unsafe { __exit.get(__l) }),
                false => quote!(0u32),
            };
            (quote!(let mut __e = #exit;), quote!(unsafe { __exit.set(__l, __e) };))
        } else {
            (quote!(), quote!())
        };
        let position = self.position;
        let width = match self.depth {
            0 => quote!(__width),
            _ => quote!(#width),
        };
        let (before_round, lane_of_round, after_round) = match region.round {
            Some(label) => {
                let again = bit(2 * self.lanes.exits[&label]);
                let id = super::label(label);
                (
                    quote!(let mut __any = 0u32;),
                    quote!(__e &= !#again; __any |= (__e == 0) as u32;),
                    quote!(if __any == 0 { break #id; }),
                )
            }
            None => Default::default(),
        };
        mask.partial |= leaves || region.condition.is_some();
        quote!(
            #before_round
            for __l in 0..#width {
                #position
                #before
                #(#loads)*
                #body
                #(#stores)*
                #lane_of_round
                #after
            }
            #after_round
        )
    }
}

fn bit(bit: u32) -> Literal {
    Literal::u32_suffixed(bit)
}

/// `break` and `continue` of a loop that is cut.
pub fn exit(left: u32, again: bool) -> TokenStream {
    let exit = bit(if again { 2 * left } else { left });
    quote!({ __e |= #exit; break '__region })
}

fn plane(id: LocalId) -> Ident {
    format_ident!("__plane{}", id.0)
}

fn contains_loop(parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Loop(_) => true,
        Part::Scope(parts) => contains_loop(parts),
        Part::Region(_) | Part::Uniform(_) => false,
    })
}

fn is_masked(parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Loop(inner) => inner.is_masked() || is_masked(&inner.parts),
        Part::Scope(parts) => is_masked(parts),
        Part::Region(_) | Part::Uniform(_) => false,
    })
}

fn collect_labels(parts: &[Part<'_>], labels: &mut Vec<LabelId>) {
    for part in parts {
        match part {
            Part::Loop(inner) => {
                labels.push(inner.label);
                collect_labels(&inner.parts, labels);
            }
            Part::Scope(parts) => collect_labels(parts, labels),
            Part::Region(_) | Part::Uniform(_) => {}
        }
    }
}

/// In how many regions each variable is used.
fn uses(parts: &[Part<'_>]) -> BTreeMap<LocalId, usize> {
    let mut count = BTreeMap::new();
    for part in parts {
        let inner = match part {
            Part::Region(region) => uses_of(region).into_iter().map(|id| (id, 1)).collect(),
            Part::Scope(parts) => uses(parts),
            Part::Loop(inner) => uses(&inner.parts),
            Part::Uniform(_) => BTreeMap::new(),
        };
        for (id, n) in inner {
            *count.entry(id).or_insert(0) += n;
        }
    }
    count
}

/// Variables that other regions use than the one that declares them.
fn collect_planes<'h>(parts: &[Part<'h>], uses: &BTreeMap<LocalId, usize>, planes: &mut BTreeMap<LocalId, &'h Ident>) {
    for part in parts {
        match part {
            Part::Region(region) => {
                let here = uses_of(region);
                for (id, ident) in split::declared(region) {
                    let all = uses.get(&id).copied().unwrap_or(0);
                    if all > usize::from(here.contains(&id)) {
                        planes.insert(id, ident);
                    }
                }
            }
            Part::Scope(parts) => collect_planes(parts, uses, planes),
            Part::Loop(inner) => collect_planes(&inner.parts, uses, planes),
            Part::Uniform(_) => {}
        }
    }
}

/// Variables that a region uses.
fn uses_of(region: &Region<'_>) -> BTreeSet<LocalId> {
    struct Used(BTreeSet<LocalId>);
    impl Visit for Used {
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::Local(id, _) = &e.kind {
                self.0.insert(*id);
            }
            walk_expr(self, e);
        }
    }
    let mut used = Used(BTreeSet::new());
    split::each(region, |e| used.expr(e));
    used.0
}
