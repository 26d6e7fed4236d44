//! Parallel loops in native code, and in the copy that is only typed.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::atomics::Atomics;
use super::guard::{self, Row};
use super::inspect::{Inspection, Iteration};
use super::lanes::Lanes;
use super::offset::Positioned;
use super::print::{Mode, Printer};
use super::reduction::{combine, identity, only_subtracted};
use super::stage::{BlockPosition, Stages};
use super::tables::Tables;
use super::{at, field_name, label, plain, shared_name};
use crate::hir::types::rank;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{AccessId, Block, Domain, Expr, ExprKind, Extent, Func, LocalId, ParFor, Value};
use crate::kernel::Arithmetic;

impl Printer<'_> {
    pub fn typed_loop(&self, p: &ParFor) -> TokenStream {
        let id = label(p.label);
        let vars: Vec<TokenStream> = p.vars.iter().map(|v| self.var(*v)).collect();
        let (pattern, domain) = match &p.domain {
            Domain::Indices(_, ident) => (bracket(&vars, vars.len() > 1), quote!(#ident.indices())),
            Domain::Range(range) => (bracket(&vars, false), self.range(range)),
            Domain::NdRange(extents) => {
                let whole = vars.len() != extents.len();
                let extents = extents.iter().map(|e| self.expr(e));
                (bracket(&vars, !whole), quote!(::swathe::ndrange([#(#extents),*])))
            }
        };
        let probes = p
            .vars
            .iter()
            .flatten()
            .map(|id| self.place_probe(*id, &self.func.local(*id).ident));
        let (body, offset) = (self.stmts(&p.body), self.offset_probe(p));
        quote_spanned!(p.span=> #offset #id: for #pattern in #domain { #(#probes)* #body })
    }

    pub fn parallel_loop(&self, p: &ParFor) -> TokenStream {
        let domain = self.domain(&p.domain);
        let mut atomics = Atomics::of(&p.body);
        if self.mode == Mode::Checked {
            // One thread, and no copies.
            atomics.fields.values_mut().for_each(|only_added| *only_added = false);
        }
        let private = self.private(p, &atomics);
        let clean = self.clean(p);
        if p.hoisted.is_empty() || self.mode == Mode::Checked {
            let run = self.run(p, &atomics, true);
            return quote_spanned!(at(p.span)=> { #domain #clean #private #run });
        }
        let covers = p
            .hoisted
            .iter()
            .chain(self.likely(p))
            .map(|c| self.cover(c, &field_name));
        let (fast, checked) = (self.run(p, &atomics, true), self.run(p, &atomics, false));
        quote_spanned!(at(p.span)=> {
            #domain
            #private
            if #(#covers)&&* { #fast } else { #checked }
        })
    }

    /// Runs the loop, with its hoisted checks known to hold or made in place.
    fn run(&self, p: &ParFor, atomics: &Atomics, covered: bool) -> TokenStream {
        let tables = covered.then(|| self.tables(p)).flatten();
        let looked = tables.as_ref().map(|tables| tables.look(&Tables::name(p)));
        let loops = self.alone_or_not(p, atomics, covered, tables.as_ref());
        let captured = captured(self.func, p, atomics);
        let captures = captures(self.func, &captured);
        let claims = self.claims(atomics);
        let facts = self.facts(p, covered, &captured);
        let cost = match cost(&p.body) {
            Some(cost) => quote!(::core::option::Option::Some(#cost)),
            None => quote!(::core::option::Option::None),
        };
        let (for_each, reduce) = self.runners(covered);
        let most = super::straight::most(self.stages(p, covered).as_ref(), p);
        if p.reductions.is_empty() {
            return quote_spanned!(at(p.span)=>
                #looked
                #for_each(
                    __n,
                    #cost,
                    #most,
                    #[inline(always)] |__target: ::swathe::__rt::Target, __range: ::core::ops::Range<::core::primitive::usize>| {
                        #(#captures)*
                        #facts
                        #claims
                        #loops
                    },
                );
            );
        }
        let names: Vec<&Ident> = p.reductions.iter().map(|r| &self.func.local(r.local).ident).collect();
        let starts = p.reductions.iter().zip(&names).map(|(r, name)| identity(r, name));
        let index = (0..names.len()).map(syn::Index::from).collect::<Vec<_>>();
        let combined = p
            .reductions
            .iter()
            .zip(&index)
            .map(|(r, k)| combine(r.op, &quote!(__a.#k), &quote!(__b.#k)));
        let subtracted = only_subtracted(p);
        let results = p.reductions.iter().zip(&names).zip(&index).map(|((r, name), k)| {
            if subtracted.contains(&r.local) {
                return quote!(#name = ::swathe::__rt::ReduceAdd::reduce_sub(#name, __total.#k););
            }
            let value = combine(r.op, &quote!(#name), &quote!(__total.#k));
            quote!(#name = #value;)
        });
        quote_spanned!(at(p.span)=>
            #looked
            let __total = #reduce(
                __n,
                #cost,
                || (#(#starts,)*),
                #[inline(always)] |__target: ::swathe::__rt::Target, __range: ::core::ops::Range<::core::primitive::usize>, __partial| {
                    #(#captures)*
                    #facts
                    #(let mut #names = __partial.#index;)*
                    #claims
                    #loops
                    (#(#names,)*)
                },
                |__a, __b| (#(#combined,)*),
            );
            #(#results)*
        )
    }

    /// The loop over one chunk. Where atomic operations stand in loops of its body it is there twice: with a flag at each of them LLVM would not
    /// unroll these.
    fn alone_or_not(&self, p: &ParFor, atomics: &Atomics, covered: bool, tables: Option<&Tables>) -> TokenStream {
        let loops = self.looked_up(p, atomics, covered, tables);
        if plain() || !covered || self.mode == Mode::Checked || atomics.looped.is_empty() {
            return loops;
        }
        let shared = atomics.looped.iter().map(|field| shared_name(*field));
        let alone = shared.clone().map(|shared| quote!(let #shared = false;));
        let together = self.iterations(p, atomics, covered, false, &HashSet::new());
        quote!(
            if #(#shared)||* {
                #together
            } else {
                #(#alone)*
                #loops
            }
        )
    }

    /// The same, with and without what is known of tables.
    fn looked_up(&self, p: &ParFor, atomics: &Atomics, covered: bool, tables: Option<&Tables>) -> TokenStream {
        let checked = self.iterations(p, atomics, covered, true, &HashSet::new());
        let Some(tables) = tables else { return checked };
        let unchecked = self.iterations(p, atomics, covered, true, &tables.accesses);
        let (looked, done) = (Tables::name(p), syn::Lifetime::new("'__looked_up", Span::mixed_site()));
        // As a loop with windows (`copies`) without a trace in a debug build.
        quote!(#done: {
            #[cfg(not(debug_assertions))]
            if #looked {
                #unchecked
                break #done;
            }
            #checked
        })
    }

    /// Declares `__n`, and what the iterations need to find their positions.
    fn domain(&self, domain: &Domain) -> TokenStream {
        match domain {
            Domain::Indices(_, ident) => quote!(
                let __shape = #ident.shape();
                let __n = #ident.len();
            ),
            Domain::Range(range) => {
                let (start, end) = (self.expr(&range.start), self.expr(&range.end));
                let inclusive = range.inclusive;
                let step = match &range.step {
                    Some(step) => self.expr(step),
                    None => quote!(1usize),
                };
                quote!(
                    let (__start, __end) = (#start, #end);
                    let __step = #step;
                    let __n = ::swathe::__rt::LoopInt::count(__start, __end, #inclusive, __step);
                )
            }
            Domain::NdRange(extents) => {
                let extents = extents.iter().map(|e| self.expr(e));
                quote!(
                    let __shape = [#(#extents),*];
                    let __n = ::swathe::__rt::volume(__shape);
                )
            }
        }
    }

    fn iterations(
        &self,
        p: &ParFor,
        atomics: &Atomics,
        covered: bool,
        looks_ahead: bool,
        looked_up: &HashSet<AccessId>,
    ) -> TokenStream {
        let inner = Printer {
            func: self.func,
            mode: self.mode,
            iteration: Some(p.label),
            covered,
            late: RefCell::new(HashSet::new()),
            subtracted: only_subtracted(p),
            noted: p.vouched.clone(),
            inspected: looked_up.clone(),
            defined: HashMap::new(),
            proves: false,
            arithmetic: if covered { self.arithmetic } else { Arithmetic::Strict },
            staged: false,
            looks_ahead: covered && looks_ahead,
            cuts: super::lanes::Cuts::default(),
        };
        let mut lanes = (covered || p.hoisted.is_empty())
            .then(|| Lanes::of(self.func, p))
            .flatten();
        let inspection = (self.mode == Mode::Native && lanes.is_none() && (covered || p.hoisted.is_empty()))
            .then(|| Inspection::of(self.func, p))
            .flatten();
        let id = label(p.label);
        let body = inner.stmts(&p.body);
        let row = guard::cut(self.func, p, quote!(__row));
        let vars: Vec<TokenStream> = p.vars.iter().map(|v| self.var(*v)).collect();
        let user = vars.last().cloned();
        let Positioned {
            origin,
            counted: vars,
            head: head_positions,
            last: last_position,
        } = self.positioned(p, vars);
        if self.mode == Mode::Checked {
            let loops =
                super::checked::iterations(&id, &p.domain, &vars, &quote!(#head_positions #last_position), &body);
            return quote!(#origin #loops);
        }
        let whole = self.is_whole(p);
        let in_rows = whole || in_rows(p);
        let last = vars.last().expect("at least one position");
        let position = |k: TokenStream| match &p.domain {
            _ if whole => quote!(let #last = ::swathe::__rt::position_in_row(__head, #k);),
            _ if in_rows => {
                let facts = &row.facts;
                quote!(let #last = #k; #last_position #facts)
            }
            Domain::Range(range) => {
                // LLVM vectorises what it knows to be 1.
                let step = match range.step {
                    Some(_) => quote!(__step),
                    None => quote!(1usize),
                };
                quote!(let #last = ::swathe::__rt::LoopInt::nth(__start, #k, #step);)
            }
            Domain::NdRange(_) | Domain::Indices(..) => {
                quote!(let #last = ::swathe::__rt::position(__shape, #k); #last_position)
            }
        };
        // Where a loop goes on if a function fails: in lanes, after the whole block.
        let noted = |last: TokenStream| match in_rows {
            true => quote!(
                let __iteration = ::swathe::__rt::RowPosition { shape: &__shape, head: __head, last: #last };
            ),
            false => quote!(let __iteration = ::swathe::__rt::Iteration(#last);),
        };
        let inspected = inspection.is_some();
        let known = inspection.map(|inspection| {
            let printer = Printer {
                noted: Vec::new(),
                inspected: inspection.accesses().union(looked_up).copied().collect(),
                defined: inspection.defined(),
                ..inner.again()
            };
            let iteration = Iteration {
                id: &id,
                position: &position(quote!(__k)),
                noted: &noted(quote!(__k)),
                body: &printer.stmts(&p.body),
            };
            let looking = Printer {
                inspected: looked_up.clone(),
                ..inner.again()
            };
            if self.parted(p, atomics) {
                let shared: Vec<Ident> = atomics.fields.keys().map(|field| shared_name(*field)).collect();
                inspection.one_by_one(&looking, &iteration, &shared, &self.copies_of(atomics))
            } else {
                inspection.blocks(&looking, &iteration)
            }
        });
        let blocks = |lanes: &Lanes<'_>| {
            let printer = Printer {
                noted: Vec::new(),
                cuts: lanes.cuts(),
                ..inner.again()
            };
            // Parts of the loop do not use the position.
            let used = p.vars.last().copied().flatten().map(|_| quote!(let _ = #user;));
            let position = position(quote!((__k + __l)));
            let width = &lanes.width;
            let block = lanes.block(&printer, &quote!(#position #used));
            let noted = noted(quote!((__k + (#width - 1))));
            quote!(
                while __range.end.saturating_sub(__k) >= #width {
                    #noted
                    #block
                    ::core::mem::forget(__iteration);
                    __k += #width;
                }
            )
        };
        let start = lanes.as_ref().map(Lanes::start);
        let blocks = lanes.as_mut().map(|lanes| {
            let wide = blocks(lanes);
            let all = match lanes.narrow() {
                true => {
                    let narrow = blocks(lanes);
                    quote!(if __target.wide() { #wide } else { #narrow })
                }
                false => wide,
            };
            let pays = &lanes.pays;
            // The same order of sums in all builds.
            let optimised = p.reductions.is_empty().then(|| quote!(#[cfg(not(debug_assertions))]));
            quote!(#optimised if #pays { #all })
        });
        let noted = noted(quote!(__k));
        let one_by_one = |end: TokenStream| {
            let position = position(quote!(__k));
            quote!(
                #id: for __k in __k..#end {
                    #position
                    #noted
                    #body
                    ::core::mem::forget(__iteration);
                }
            )
        };
        let stages = self.stages(p, covered).filter(|_| !inspected);
        let rest = match &stages {
            Some(stages) => {
                let printer = Printer {
                    subtracted: HashSet::new(),
                    noted: Vec::new(),
                    staged: true,
                    ..inner.again()
                };
                let positions = BlockPosition {
                    vars: &vars,
                    first: &position(quote!(__k)),
                    lane: &position(quote!((__k + __l))),
                    last: &position(quote!((__range.end - 1))),
                };
                let condition = stages
                    .condition
                    .as_ref()
                    .map(|(condition, _)| inner.again().expr(condition));
                stages.part(
                    &positions,
                    condition.as_ref(),
                    &printer.stmts(&p.body),
                    &one_by_one(quote!(__until)),
                )
            }
            None => one_by_one(quote!(__range.end)),
        };
        let streaming = stages.map(|stages| stages.start());
        let range = quote!(
            let mut __k = __range.start;
            #blocks
            #known
            #rest
        );
        let all = if in_rows {
            rows(&vars, &row, &quote!(#head_positions #range))
        } else {
            range
        };
        let end = lanes.as_ref().map(|lanes| lanes.end(combine));
        quote!(#origin #start #streaming #all #end)
    }

    /// The blocks of the loop, if it may run in such.
    fn stages<'h>(&'h self, p: &'h ParFor, covered: bool) -> Option<Stages<'h>> {
        let native = self.mode == Mode::Native && covered && !self.is_whole(p);
        native.then(|| Stages::of(self.func, p, in_rows(p))).flatten()
    }

    /// Whether all positions are in one variable: with the rows there is no division for each of them.
    fn is_whole(&self, p: &ParFor) -> bool {
        p.vars.len() == 1 && p.offsets.is_empty() && self.has_axes(&p.domain)
    }

    /// Whether the text tells that a domain has several axes.
    fn has_axes(&self, domain: &Domain) -> bool {
        match domain {
            Domain::Range(_) => false,
            Domain::NdRange(extents) => extents.len() > 1,
            Domain::Indices(field, _) => {
                let mut params = self.func.params.iter();
                params.any(|param| param.local == *field && rank(&param.ty).is_some_and(|rank| rank > 1))
            }
        }
    }

    fn var(&self, local: Option<LocalId>) -> TokenStream {
        match local {
            Some(local) => {
                let ident = &self.func.local(local).ident;
                quote!(#ident)
            }
            None => quote!(_),
        }
    }
}

/// Whether the positions on all axes have names.
fn in_rows(p: &ParFor) -> bool {
    match &p.domain {
        Domain::Range(_) => false,
        Domain::NdRange(extents) => extents.len() == p.vars.len(),
        Domain::Indices(..) => p.vars.len() > 1,
    }
}

/// Iterations of a domain of several axes, the last one contiguous.
fn rows(vars: &[TokenStream], row: &Row, body: &TokenStream) -> TokenStream {
    let range = &row.range;
    let (_, head) = vars.split_last().expect("at least one axis");
    // So that LLVM knows: the next position is no overflow.
    let head = head.iter().enumerate().map(|(k, var)| {
        quote!(
            unsafe { ::core::hint::assert_unchecked(__head[#k] < __shape[#k]) };
            let #var = __head[#k];
        )
    });
    quote!(
        for (__head, __row) in ::swathe::__rt::rows(__shape, __range) {
            #(#head)*
            let __range = #range;
            #body
        }
    )
}

fn bracket(vars: &[TokenStream], bracketed: bool) -> TokenStream {
    if bracketed {
        // rustc says of the names, not of the brackets, that a position has another number of them.
        let span = vars[0]
            .clone()
            .into_iter()
            .next()
            .map_or_else(Span::call_site, |v| v.span());
        super::print::brackets(span, quote!(#(#vars),*))
    } else {
        quote!(#(#vars)*)
    }
}

/// Copies of the outer variables that a loop uses, into the closure's own frame: rustc passes captures by
/// reference, and a reload after every store to a field would keep LLVM from vectorising. A variable that is an extent is taken
/// from the field's copy: so LLVM sees that a condition of the user's (`i + 1 < h`) is the check of an access.
fn captures(func: &Func, captured: &BTreeSet<LocalId>) -> Vec<TokenStream> {
    let field = |id: &LocalId| captured.contains(id).then(|| &func.local(*id).ident);
    let copy = |id: &LocalId| {
        let local = func.local(*id);
        let ident = &local.ident;
        let extent = match &local.value {
            Value::Extent(Extent::Shape(f, axis)) => field(f).map(|f| quote!(#f.shape()[#axis])),
            Value::Extent(Extent::Len(f)) => field(f).map(|f| quote!(#f.len())),
            Value::Extent(Extent::All(f)) => field(f).map(|f| quote!(#f.shape())),
            _ => None,
        };
        match extent {
            Some(extent) => quote!(let #ident = { let _ = &#ident; #extent };),
            None => quote!(let #ident = #ident;),
        }
    };
    captured.iter().map(copy).collect()
}

fn captured(func: &Func, p: &ParFor, atomics: &Atomics) -> BTreeSet<LocalId> {
    let mut used = Used {
        locals: BTreeSet::new(),
    };
    used.block(&p.body);
    let reduced = p.reductions.iter().map(|r| r.local);
    let others: Vec<LocalId> = reduced.chain(atomics.added_only()).collect();
    used.locals
        .retain(|id| func.local(*id).inside.is_none() && !others.contains(id));
    used.locals
}

struct Used {
    locals: BTreeSet<LocalId>,
}

impl Visit for Used {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(id, _)
            | ExprKind::FieldLen(id, _)
            | ExprKind::FieldShape(id, _)
            | ExprKind::FieldOrigin(id, _) => {
                self.locals.insert(*id);
            }
            ExprKind::Field(access) | ExprKind::Atomic(_, _, access, _) => {
                self.locals.insert(access.field);
            }
            _ => {}
        }
        walk_expr(self, e);
    }
}

/// Simple operations of one iteration; `None` where loops or calls make it a matter of measurement.
fn cost(block: &Block) -> Option<u32> {
    struct Count(Option<u32>);
    impl Visit for Count {
        fn expr(&mut self, e: &Expr) {
            let own = match &e.kind {
                ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..) | ExprKind::Call { on: None, .. } => None,
                ExprKind::Method { .. } => Some(8),
                ExprKind::Atomic(..) => Some(20),
                ExprKind::Field(_) => Some(2),
                _ => Some(1),
            };
            self.0 = self.0.zip(own).map(|(a, b)| a.saturating_add(b));
            walk_expr(self, e);
        }
    }
    let mut count = Count(Some(1));
    count.block(block);
    count.0
}
