//! Parallel loops in native code, and in the copy that is only typed: a plan as Rust.
//!
//! Each form begins at iteration `__k`, runs as many as it can up to `__range.end`, and leaves `__k` behind the last.

use std::collections::{BTreeSet, HashMap, HashSet};

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::access::shown;
use super::accumulators;
use super::inspect::Iteration;
use super::lanes::Lanes;
use super::offset::Positioned;
use super::print::{Mode, Printer, symbol};
use super::probe;
use super::reduction::{combine, identity};
use super::rows::{self, Row};
use super::stage::{BlockPosition, block_at};
use super::{at, field_name, label, shared_name};
use crate::budget::{LOOKED, LOOKED_CLOSE, NARROW};
use crate::hir::{AccessId, Arithmetic, Cover, Domain, Expr, Extent, Func, Inside, LocalId, ParFor, Value};
use crate::plan::accumulators::Accumulators;
use crate::plan::eager::Eager;
use crate::plan::inspect::Inspection;
use crate::plan::lanes::{Last, Restart};
use crate::plan::looked::Looked;
use crate::plan::rows::Bounds;
use crate::plan::stage::Stages;
use crate::plan::tables::Tables;
use crate::plan::widest::Widest;
use crate::plan::{Covered, Form, LoopPlan, Positions};

/// What a loop with reductions starts with, how its parts are combined and where their total goes, variable by variable.
#[derive(Default)]
struct Parts<'n> {
    names: Vec<&'n Ident>,
    starts: Vec<TokenStream>,
    /// Of variables that are taken together: whether those of the later part are.
    taken: Vec<TokenStream>,
    combined: Vec<TokenStream>,
    results: Vec<TokenStream>,
}

/// What a copy of a loop relies on.
#[derive(Clone)]
struct Trust<'t> {
    /// Which hoisted checks hold.
    covered: Covered,
    /// Whether sequential loops are there twice, compared in front of them.
    windows: bool,
    /// Accesses known to be in bounds.
    seen: &'t HashSet<AccessId>,
}

/// A copy of a loop, and how its iterations are found.
struct Copy<'c, 'f, 'h> {
    p: &'c ParFor,
    plan: &'c LoopPlan<'h>,
    /// Prints the body, iteration by iteration.
    printer: Printer<'f>,
    trust: Trust<'c>,
    id: syn::Lifetime,
    /// Variables that count along each axis from 0.
    vars: Vec<TokenStream>,
    /// The user's name of the last position.
    user: Option<TokenStream>,
    /// What stands in front of the loop, and declares positions in a row and behind its head.
    origin: TokenStream,
    head: TokenStream,
    last: TokenStream,
    row: Row,
    body: TokenStream,
    /// Reads that an iteration begins with, and what they are where they stand.
    eager: TokenStream,
    read: HashMap<*const Expr, TokenStream>,
}

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
        let fixed = p.fixed.iter().map(|id| {
            let ident = &self.func.local(*id).ident;
            let span = at(ident.span());
            quote_spanned!(span=> ::swathe::__rt::of_an_index(&#ident);)
        });
        quote_spanned!(p.span=> #offset #(#fixed)* #id: for #pattern in #domain { #(#probes)* #body })
    }

    pub fn parallel_loop(&self, p: &ParFor) -> TokenStream {
        let items = p.items.iter().map(|(base, k)| {
            let (k, base) = (Literal::u64_unsuffixed(*k), self.expr(base));
            quote!(::swathe::__rt::has_item::<#k, _>(&#base);)
        });
        let domain = self.domain(&p.domain);
        let domain = quote!(#(#items)* #domain);
        let (in_order, clean) = match self.mode {
            Mode::Checked => (Some(LoopPlan::in_order(self.func, p)), self.clean(p)),
            _ => (None, TokenStream::new()),
        };
        let plan = in_order.as_ref().unwrap_or_else(|| &self.plans[p.number]);
        let private = self.private(&plan.atomics, plan.in_turns());
        let run = self.run(p, plan);
        let Some(uncovered) = &plan.uncovered else {
            return quote_spanned!(at(p.span)=> { #domain #clean #private #run });
        };
        let all = |covers: &[&Cover]| {
            let covers = covers.iter().map(|cover| self.cover(cover, &field_name));
            quote!(#(#covers)&&*)
        };
        let uncovered = self.run(p, uncovered);
        let run = match &plan.unmet {
            Some(unmet) => {
                let (conditional, unmet) = (all(&plan.conditional), self.run(p, unmet));
                // In lanes a check that fails unwinds.
                quote!(if #conditional { #run } else {
                    #[cfg(panic = "unwind")]
                    { #unmet }
                    #[cfg(not(panic = "unwind"))]
                    { #uncovered }
                })
            }
            None => run,
        };
        let run = match plan.covers.is_empty() {
            true => run,
            false => {
                let covers = all(&plan.covers);
                quote!(if #covers { #run } else { #uncovered })
            }
        };
        quote_spanned!(at(p.span)=> { #domain #private #run })
    }

    /// Runs the loop, with what was compared in front of it known to hold, or with all checks.
    fn run(&self, p: &ParFor, plan: &LoopPlan<'_>) -> TokenStream {
        let looked = plan.tables.as_ref().map(|tables| tables.look(&Tables::name(p)));
        let loops = self.alone_or_not(p, plan);
        let mut captures = captures(self.func, plan);
        captures.push(match &p.domain {
            Domain::Range(_) => quote!(let (__start, __step) = (__start, __step);),
            Domain::Indices(..) | Domain::NdRange(_) => quote!(let __shape = __shape;),
        });
        let claims = self.claims(&plan.atomics);
        let facts = self.facts(plan);
        let cost = match plan.cost {
            Some(cost) => quote!(::swathe::__rt::core::option::Option::Some(#cost)),
            None => quote!(::swathe::__rt::core::option::Option::None),
        };
        let (for_each, reduce) = self.runners(plan);
        let widest = widest(plan);
        let read = plan.apart.read.iter().map(|field| field_name(*field));
        let written = plan.apart.written.iter().map(|field| field_name(*field));
        let begins = match plan.apart.is_empty() {
            true => quote!(::swathe::__rt::Begins::NONE),
            false => quote!(::swathe::__rt::Begins::new([#(#read.begin()),*], [#(#written.begin_mut()),*])),
        };
        if !p.reduces() {
            let strips = plan.strips.map(
                |axis| quote!(::swathe::__rt::core::option::Option::Some(::swathe::__rt::Strips::new(__shape, #axis)),),
            );
            return quote_spanned!(at(p.span)=>
                #looked
                #for_each(
                    __n,
                    #cost,
                    #strips
                    #widest,
                    #begins,
                    #[inline(always)] |__target: ::swathe::__rt::Target, __begins: ::swathe::__rt::Begins<'_, _, _>, __range: ::swathe::__rt::core::ops::Range<::swathe::__rt::core::primitive::usize>| {
                        #(#captures)*
                        #facts
                        #claims
                        #loops
                    },
                );
            );
        }
        let Parts {
            names,
            starts,
            taken,
            combined,
            results,
        } = self.parts_of_reductions(p, plan);
        let index = (0..names.len()).map(syn::Index::from).collect::<Vec<_>>();
        let combine = match taken.is_empty() {
            true => quote!((#(#combined,)*)),
            false => quote!({ #(#taken)* (#(#combined,)*) }),
        };
        quote_spanned!(at(p.span)=>
            #looked
            let __total = #reduce(
                __n,
                #cost,
                #begins,
                || (#(#starts,)*),
                #[inline(always)] |__target: ::swathe::__rt::Target, __begins: ::swathe::__rt::Begins<'_, _, _>, __range: ::swathe::__rt::core::ops::Range<::swathe::__rt::core::primitive::usize>, __partial| {
                    #(#captures)*
                    #facts
                    #(let mut #names = __partial.#index;)*
                    #claims
                    #loops
                    (#(#names,)*)
                },
                |__a, __b| #combine,
            );
            #(#results)*
        )
    }

    fn parts_of_reductions<'n>(&'n self, p: &ParFor, plan: &LoopPlan<'_>) -> Parts<'n> {
        let mut parts = Parts::default();
        for r in &p.reductions {
            let (name, k) = (&self.func.local(r.local).ident, syn::Index::from(parts.names.len()));
            parts.starts.push(identity(r, name));
            parts.combined.push(combine(r, &quote!(__a.#k), &quote!(__b.#k)));
            parts.results.push(match plan.subtracted.contains(&r.local) {
                true => quote!(#name = ::swathe::__rt::ReduceAdd::reduce_sub(#name, __total.#k);),
                false => {
                    let value = combine(r, &quote!(#name), &quote!(__total.#k));
                    quote!(#name = #value;)
                }
            });
            parts.names.push(name);
        }
        // Parts are combined in the order of their iterations, and iterations of one run in their order.
        for (number, r) in p.arg_reductions.iter().enumerate() {
            let first = parts.names.len();
            let place = |local: LocalId| {
                let place = r.locals().position(|taken| taken == local);
                place.map(|k| syn::Index::from(first + k))
            };
            let (best, op) = (place(r.best), symbol(r.op, r.span, false));
            let found = r.found.and_then(place).map(|k| quote!(__b.#k &&));
            let later = format_ident!("__later{}", number);
            parts.taken.push(quote!(let #later = #found (__b.#best #op __a.#best);));
            for local in r.locals() {
                let (name, k) = (&self.func.local(local).ident, syn::Index::from(parts.names.len()));
                parts.starts.push(quote!(#name));
                parts.combined.push(quote!(if #later { __b.#k } else { __a.#k }));
                parts.results.push(quote!(#name = __total.#k;));
                parts.names.push(name);
            }
        }
        parts
    }

    /// The loop over one chunk. Where atomic operations stand in loops of its body it is there twice: with a flag at each of them LLVM would not
    /// unroll these.
    fn alone_or_not(&self, p: &ParFor, plan: &LoopPlan<'_>) -> TokenStream {
        let loops = self.looked_up(p, plan);
        if plan.alone.is_empty() {
            return loops;
        }
        let shared = plan.alone.iter().map(|field| shared_name(*field));
        let alone = shared.clone().map(|shared| quote!(let #shared = false;));
        let trust = Trust {
            covered: plan.covered,
            windows: false,
            seen: &HashSet::new(),
        };
        let together = self.iterations(p, plan.together.as_deref().unwrap_or(plan), trust);
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
    fn looked_up(&self, p: &ParFor, plan: &LoopPlan<'_>) -> TokenStream {
        let copy = |seen: &HashSet<AccessId>| {
            let trust = Trust {
                covered: plan.covered,
                windows: plan.covered == Covered::All,
                seen,
            };
            self.iterations(p, plan, trust)
        };
        let checked = copy(&HashSet::new());
        let Some(tables) = &plan.tables else { return checked };
        let unchecked = copy(&tables.accesses);
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
                let step = self.step(range).unwrap_or_else(|| quote!(1usize));
                let message = match inclusive {
                    true => quote!(::swathe::__rt::TOO_MANY_INCLUSIVE),
                    false => quote!(::swathe::__rt::TOO_MANY),
                };
                let shown = quote!(
                    ::swathe::__rt::LoopInt::shown(__start),
                    ::swathe::__rt::LoopInt::shown(__end)
                );
                let failed = self.recorded(&range.start, &message, &shown);
                quote!(
                    let (__start, __end) = (#start, #end);
                    let __step = #step;
                    let __n = ::swathe::__rt::LoopInt::count(__start, __end, #inclusive, __step);
                    let __n = if __n > ::swathe::__rt::MOST_POSITIONS { #failed 0 } else { __n };
                )
            }
            Domain::NdRange(extents) => {
                let shown = quote!(::swathe::__rt::show::debug(&__shape));
                let message = quote!(::swathe::__rt::TOO_MANY_OF_AXES);
                let failed = extents.first().map(|first| self.recorded(first, &message, &shown));
                let extents = extents.iter().map(|e| self.expr(e));
                quote!(
                    let __shape = [#(#extents),*];
                    let __n = match ::swathe::__rt::positions(__shape) {
                        ::swathe::__rt::core::option::Option::Some(__n) => __n,
                        ::swathe::__rt::core::option::Option::None => { #failed 0 }
                    };
                )
            }
        }
    }

    fn iterations(&self, p: &ParFor, plan: &LoopPlan<'_>, trust: Trust<'_>) -> TokenStream {
        let copy = Copy::new(self, p, plan, trust.clone());
        if self.mode == Mode::Checked {
            return copy.in_order();
        }
        let all = match &plan.inside {
            Some(inside) => {
                let insides = std::iter::once(inside).chain(&plan.otherwise);
                let insides =
                    insides.map(|(inside, within)| (*inside, Copy::new(self, &inside.body, within, trust.clone())));
                copy.split(&insides.collect::<Vec<_>>())
            }
            None => copy.along(&copy.row.range, &copy.forms()),
        };
        let accumulators = plan.accumulated();
        let mut start = accumulators::start(self.func, &accumulators);
        let mut end = accumulators::end(self.func, p, &accumulators);
        for form in plan.all_forms() {
            match form {
                Form::Lanes(lanes) => {
                    start.extend(Lanes::new(lanes).start());
                    end.extend(Lanes::new(lanes).end(combine));
                }
                Form::Staged(stages) => start.extend(stages.start()),
                Form::Inspected(_) | Form::Scattered(_) | Form::Looked(_) | Form::Single => {}
            }
        }
        let origin = &copy.origin;
        quote!(#origin #start #all #end)
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

impl Printer<'_> {
    /// Reads that an iteration begins with, and what they are where they stand.
    fn eager(&self, eager: &[Eager]) -> (TokenStream, HashMap<*const Expr, TokenStream>) {
        let reads = eager.iter().enumerate().map(|(k, eager)| {
            let (name, read) = (format_ident!("__eager{k}"), self.expr(&eager.read));
            let begins = quote!(let #name = ::swathe::__rt::Eager::new(#[inline(always)] || #read););
            let value = shown(&eager.read, &quote!(::swathe::__rt::Eager::get(&#name)));
            (begins, (eager.at, value))
        });
        reads.unzip()
    }
}

impl<'c, 'f, 'h> Copy<'c, 'f, 'h> {
    fn new(printer: &Printer<'f>, p: &'c ParFor, plan: &'c LoopPlan<'h>, trust: Trust<'c>) -> Self {
        let inner = Printer {
            iteration: Some(p.label),
            covered: trust.covered,
            subtracted: plan.subtracted.clone(),
            accumulators: plan.accumulators.clone(),
            noted: p.vouched.clone(),
            inspected: trust.seen.clone(),
            arithmetic: match plan.strict {
                true => Arithmetic::Strict,
                false => printer.arithmetic,
            },
            looks_ahead: trust.windows,
            ..Printer::new(printer.func, printer.mode)
        };
        let (eager, read) = inner.eager(&plan.eager);
        let body = Printer {
            defined: read.clone(),
            ..inner.again()
        }
        .stmts(&p.body);
        let row = match &plan.positions {
            Positions::Rows { bounds, .. } => rows::cut(printer.func, p, bounds, quote!(__row)),
            Positions::Flat => rows::cut(printer.func, p, &Bounds::default(), quote!(__row)),
        };
        let vars: Vec<TokenStream> = p.vars.iter().map(|v| printer.var(*v)).collect();
        let user = vars.last().cloned();
        let Positioned {
            origin,
            counted: vars,
            head,
            last,
        } = printer.positioned(p, vars);
        Copy {
            p,
            plan,
            printer: inner,
            trust,
            id: label(p.label),
            vars,
            user,
            origin,
            head,
            last,
            row,
            body,
            eager,
            read,
        }
    }

    /// All forms, over `__range`.
    fn forms(&self) -> TokenStream {
        let forms = self.plan.forms.iter().map(|form| self.form(form));
        quote!(
            let mut __k = __range.start;
            #(#forms)*
        )
    }

    /// `body` along all rows, each cut to `range`; or along the whole range, where rows are not told apart.
    fn along(&self, range: &TokenStream, body: &TokenStream) -> TokenStream {
        match self.plan.positions {
            Positions::Flat => quote!(#body),
            Positions::Rows { .. } => {
                let head = &self.head;
                in_rows(&self.vars, range, &quote!(#head #body))
            }
        }
    }

    /// The inside of rows by its own copy, and the rims by this one. Where the first of several insides is short it is the next one.
    fn split(&self, insides: &[(&Inside, Copy<'_, '_, '_>)]) -> TokenStream {
        let position = match (&self.plan.positions, &self.p.domain) {
            (Positions::Rows { .. }, _) => quote!(__k),
            (Positions::Flat, Domain::Range(_)) => quote!(::swathe::__rt::LoopInt::nth(__start, __k, 1usize)),
            (Positions::Flat, _) => quote!(::swathe::__rt::position(__shape, __k)),
        };
        let rims = self.forms();
        let cut = match &self.plan.positions {
            Positions::Rows { .. } => {
                let range = &self.row.range;
                quote!(let __row = __range; let __range = #range;)
            }
            Positions::Flat => quote!(),
        };
        // The same order of sums in all builds.
        let (with, without) = match self.p.reductions.is_empty() {
            true => (
                quote!(#[cfg(not(debug_assertions))]),
                quote!(
                    #[cfg(debug_assertions)]
                    let (__inside,) = (__whole.start..__whole.start,);
                ),
            ),
            false => (quote!(), quote!()),
        };
        let allow = probe::allow();
        let (mut alongs, mut asked, mut within) = (Vec::new(), Vec::new(), Vec::new());
        for (k, (inside, copy)) in insides.iter().enumerate() {
            let (along, name) = (format_ident!("__along{k}"), format_ident!("__asked{k}"));
            let [all, each] = self.printer.asked(inside, &along, &position);
            let (numbers, forms) = (self.printer.numbers(inside), copy.forms());
            alongs.push(quote!(#with #all));
            if insides.len() == 1 {
                asked.push(quote!(#with let (__inside, #(#numbers,)*) = #each;));
                within.push(forms);
                continue;
            }
            let zeros = numbers.iter().map(|_| quote!(0usize));
            asked.push(match k {
                0 => quote!(
                    #with let #name = #each;
                    #with let (__which, __inside) = (0usize, #name.0.start..#name.0.end);
                ),
                _ => quote!(
                    // Half of the row is left.
                    #with let __enough = 2 * (__inside.end - __inside.start) >= __whole.end - __whole.start;
                    #with let #name = if __enough { (0..0usize, #(#zeros,)*) } else { #each };
                    #with let (__which, __inside) = if __enough { (__which, __inside) } else { (#k, #name.0.start..#name.0.end) };
                ),
            });
            within.push(quote!(if __which == #k { let (_, #(#numbers,)*) = #name; #forms }));
        }
        let rows = self.along(
            &quote!(__row),
            &quote!(
                let __whole = __range.start..__range.end;
                #(#asked)*
                #without
                for __part in 0..3usize {
                    let __range = match __part {
                        0 => __whole.start..__inside.start,
                        1 => __inside.start..__inside.end,
                        _ => __inside.end..__whole.end,
                    };
                    if __range.start >= __range.end {
                        continue;
                    }
                    if __part == 1 {
                        #with
                        #allow
                        {
                            #(#within)*
                        }
                    } else {
                        #cut
                        #rims
                    }
                }
            ),
        );
        quote!(#(#alongs)* #rows)
    }

    /// Declares the position of iteration `k`.
    fn position(&self, k: &TokenStream) -> TokenStream {
        let last = self.vars.last().expect("at least one position");
        match (&self.plan.positions, &self.p.domain) {
            (Positions::Rows { whole: true, .. }, _) => {
                quote!(let #last = ::swathe::__rt::position_in_row(__head, #k);)
            }
            (Positions::Rows { .. }, _) => {
                let (facts, last_position) = (&self.row.facts, &self.last);
                quote!(let #last = #k; #last_position #facts)
            }
            (Positions::Flat, Domain::Range(range)) => {
                // LLVM vectorises what it knows to be 1.
                let step = match range.step {
                    Some(_) => quote!(__step),
                    None => quote!(1usize),
                };
                quote!(let #last = ::swathe::__rt::LoopInt::nth(__start, #k, #step);)
            }
            (Positions::Flat, Domain::NdRange(_) | Domain::Indices(..)) => {
                let last_position = &self.last;
                quote!(let #last = ::swathe::__rt::position(__shape, #k); #last_position)
            }
        }
    }

    /// Notes where the loop goes on if a function fails: in lanes, after the whole block.
    fn noted(&self, last: &TokenStream) -> TokenStream {
        match self.plan.positions {
            Positions::Rows { .. } => quote!(
                let __iteration = ::swathe::__rt::RowPosition { shape: &__shape, head: __head, last: #last };
            ),
            Positions::Flat => quote!(let __iteration = ::swathe::__rt::Iteration(#last);),
        }
    }

    /// Iterations one after the other in one thread, for what `unsafe` claims.
    fn in_order(&self) -> TokenStream {
        let (head, last, origin) = (&self.head, &self.last, &self.origin);
        let loops = super::checked::iterations(&self.id, &self.p.domain, &self.vars, &quote!(#head #last), &self.body);
        quote!(#origin #loops)
    }

    fn form(&self, form: &Form<'_>) -> TokenStream {
        match form {
            Form::Lanes(lanes) => self.in_lanes(&Lanes::new(lanes)),
            Form::Inspected(inspection) => self.inspected(inspection, false),
            Form::Scattered(inspection) => self.inspected(inspection, true),
            Form::Staged(stages) => self.in_blocks(stages),
            Form::Looked(looked) => self.in_looked_blocks(looked),
            Form::Single => self.one_by_one(&quote!(__range.end)),
        }
    }

    fn in_lanes(&self, lanes: &Lanes<'_, '_>) -> TokenStream {
        let wide = self.lanes_of_width(lanes);
        let all = match lanes.narrow() {
            Some(narrow) => {
                let narrow = self.lanes_of_width(&narrow);
                quote!(if __target.wide() { #wide } else { #narrow })
            }
            None => wide,
        };
        let (pays, gathers) = (lanes.pays(), lanes.may_gather());
        // What is out of bounds unwinds there.
        let unwinds = gathers.is_some().then(|| quote!(#[cfg(panic = "unwind")]));
        let gathers = gathers.map(|gathers| quote!(&& #gathers));
        let wide = lanes.wide_only().then(|| quote!(&&__target.wide()));
        // The same order of sums in all builds.
        let optimised = self
            .p
            .reductions
            .is_empty()
            .then(|| quote!(#[cfg(not(debug_assertions))]));
        // What lints find the copy one by one tells, with the attributes that stand in the loop.
        let allow = probe::allow();
        quote!(#optimised #unwinds #allow if #pays #wide #gathers { #all })
    }

    fn lanes_of_width(&self, lanes: &Lanes<'_, '_>) -> TokenStream {
        let printer = Printer {
            noted: Vec::new(),
            cuts: lanes.cuts(),
            restarts: lanes.restart().is_some(),
            defined: self.read.clone(),
            accumulators: Accumulators::new(),
            looks_ahead: false,
            ..self.printer.again()
        };
        // Parts of the loop do not use the position.
        let user = &self.user;
        let used = self.p.vars.last().copied().flatten().map(|_| quote!(let _ = #user;));
        let position = self.position(&quote!((__k + __l)));
        let width = &lanes.width;
        let lanes_run = match lanes.last() {
            Last::Short => quote!(__width),
            Last::None | Last::Again => width.clone(),
        };
        let eager = &self.eager;
        let block = lanes.block(&printer, &quote!(#position #used #eager));
        let (kept, fits, noted, forgotten) = match lanes.restart() {
            Some(restart) => {
                let (kept, [fits, guards]) = self.kept(restart, width, &lanes_run);
                let number = match self.plan.positions {
                    Positions::Rows { .. } => quote!(::swathe::__rt::number_in_rows(&__shape, __head, __k)),
                    Positions::Flat => quote!(__k),
                };
                let block = block_at(&number, restart.prints);
                let noted = quote!(let __iteration = #block;);
                (
                    kept,
                    fits,
                    noted,
                    quote!(#(::swathe::__rt::core::mem::forget(#guards);)*),
                )
            }
            None => (
                TokenStream::new(),
                Vec::new(),
                self.noted(&quote!((__k + (#lanes_run - 1)))),
                TokenStream::new(),
            ),
        };
        let run = quote!(
            #kept
            #noted
            #block
            ::swathe::__rt::core::mem::forget(__iteration);
            #forgotten
        );
        let blocks = match lanes.last() {
            Last::None => quote!(
                while __range.end.saturating_sub(__k) >= #width {
                    #run
                    __k += #width;
                }
            ),
            Last::Short => {
                let least = NARROW;
                quote!(
                    while __range.end.saturating_sub(__k) >= #least {
                        // LLVM knows that vectors fit.
                        let __width = ::swathe::__rt::core::cmp::min(__range.end - __k, __width) & !(#least - 1);
                        #run
                        __k += __width;
                    }
                )
            }
            Last::Again => {
                let reduced = lanes.reduced();
                let before = (0..reduced.len())
                    .map(|k| format_ident!("__before{k}"))
                    .collect::<Vec<_>>();
                quote!(
                    if __range.end.saturating_sub(__range.start) >= #width {
                        let __texts = ::swathe::__rt::texts();
                        while __k < __range.end {
                            let __again = (__k + #width).saturating_sub(__range.end);
                            // What was printed is not printed again.
                            if __again > 0 && ::swathe::__rt::texts() != __texts {
                                break;
                            }
                            __k -= __again;
                            #(let #before = #reduced;)*
                            #run
                            #(::swathe::__rt::Lanes::restore(&mut #reduced, &#before, __again);)*
                            __k += #width;
                        }
                    }
                )
            }
        };
        lanes.if_they_fit(&BTreeSet::new(), fits, &blocks, &TokenStream::new())
    }

    /// Keeps the values of places while a block runs, and guards that put them back if it unwinds. Where nothing can unwind LLVM leaves out both.
    /// Also the names of what tells the values' sizes, and of the guards.
    fn kept(&self, restart: &Restart, width: &TokenStream, run: &TokenStream) -> (TokenStream, [Vec<Ident>; 2]) {
        let printer = Printer {
            noted: Vec::new(),
            covered: Covered::All,
            ..self.printer.again()
        };
        let position = self.position(&quote!((__k + __l)));
        let user = &self.user;
        let used = self.p.vars.last().copied().flatten().map(|_| quote!(let _ = #user;));
        let names = |what: &str| {
            (0..restart.places.len())
                .map(|k| format_ident!("{what}{k}"))
                .collect::<Vec<_>>()
        };
        let (fits, guards) = (names("__kept_fit"), names("__kept"));
        let kept = restart
            .places
            .iter()
            .zip(&fits)
            .zip(&guards)
            .map(|((place, fit), guard)| {
                let access = place.field_place().expect("a place in a field").access;
                let value = printer.read(place);
                let back = printer.update(place, None, &|target| quote!(#target = __old));
                let mut keep = quote!(
                    let __value = #value;
                    unsafe { ::swathe::__rt::Lanes::set(&mut __values, __l, __value) };
                );
                let mut put_back = quote!(
                    let __old = unsafe { ::swathe::__rt::Lanes::get(&__values, __l) };
                    #back
                );
                let mut there = None;
                if !self.printer.covered.in_bounds(self.printer.func.access(access.id)) {
                    // No iteration writes a place that is not there.
                    let (ident, index) = (&access.ident, printer.position(access));
                    there = Some(quote!(let mut __there = 0;));
                    keep = quote!(if #ident.checked(#index).is_some() {
                        __there |= 1_u64 << __l;
                        #keep
                    });
                    put_back = quote!(if __there >> __l & 1 == 1 { #put_back });
                }
                quote!(
                    let mut __values = ::swathe::__rt::Lanes::<_, #width>::zeros();
                    #fit.of(&__values);
                    #there
                    for __l in 0..#run {
                        #position
                        #used
                        #keep
                    }
                    let #guard = ::swathe::__rt::Kept(move || {
                        for __l in 0..#run {
                            #position
                            #used
                            #put_back
                        }
                    });
                )
            });
        (quote!(#(#kept)*), [fits, guards])
    }

    fn inspected(&self, inspection: &Inspection<'_>, in_turns: bool) -> TokenStream {
        let printer = Printer {
            noted: Vec::new(),
            inspected: inspection.accesses().union(self.trust.seen).copied().collect(),
            defined: inspection.defined(),
            ..self.printer.again()
        };
        let iteration = Iteration {
            id: &self.id,
            position: &self.position(&quote!(__k)),
            noted: &self.noted(&quote!(__k)),
            body: &printer.stmts(&self.p.body),
        };
        let looking = self.printer.again();
        if in_turns {
            let atomics = &self.plan.atomics;
            let shared: Vec<Ident> = atomics.fields.keys().map(|field| shared_name(*field)).collect();
            inspection.one_by_one(&looking, &iteration, &shared, &printer.copies_of(atomics))
        } else {
            inspection.blocks(&looking, &iteration)
        }
    }

    fn in_blocks(&self, stages: &Stages<'_>) -> TokenStream {
        let printer = Printer {
            subtracted: HashSet::new(),
            noted: Vec::new(),
            restarts: true,
            ..self.printer.again()
        };
        let positions = BlockPosition {
            vars: &self.vars,
            first: &self.position(&quote!(__k)),
            lane: &self.position(&quote!((__k + __l))),
            last: &self.position(&quote!((__range.end - 1))),
        };
        let condition = stages
            .condition
            .as_ref()
            .map(|(condition, _)| self.printer.again().expr(condition));
        stages.part(
            &positions,
            condition.as_ref(),
            &printer.stmts(&self.p.body),
            &self.one_by_one(&quote!(__until)),
        )
    }

    /// Blocks of which a look tells whether an iteration is taken.
    fn in_looked_blocks(&self, looked: &Looked<'_>) -> TokenStream {
        let printer = Printer {
            defined: self.read.clone(),
            ..self.printer.again()
        };
        let mut defined = self.read.clone();
        for (taken, condition) in &looked.takes {
            let condition = printer.expr(condition);
            let asked = quote!({ __taken |= #condition as ::swathe::__rt::core::primitive::u32; });
            defined.insert(std::ptr::from_ref(*taken), asked);
        }
        let look = Printer {
            defined,
            ..self.printer.again()
        }
        .stmts(&self.p.body);
        let end = quote!(__k + __width);
        let (id, eager, position) = (&self.id, &self.eager, self.position(&quote!(__k)));
        let number = match self.plan.positions {
            Positions::Rows { .. } => quote!(::swathe::__rt::number_in_rows(&__shape, __head, __k)),
            Positions::Flat => quote!(__k),
        };
        let block = self.one_by_one(&end);
        let (most, close, least, allow) = (LOOKED, LOOKED_CLOSE, NARROW, probe::allow());
        quote!(
            // Up to here blocks are short.
            let mut __close = __k;
            while __k < __range.end {
                let __most = if __k < __close { #close } else { #most };
                let __width = ::swathe::__rt::core::cmp::min(__range.end - __k, __most);
                #[cfg(not(debug_assertions))]
                #allow
                if __width >= #least {
                    let mut __taken: ::swathe::__rt::core::primitive::u32 = 0;
                    let __first = #number;
                    // An operator may print, too.
                    ::swathe::__rt::block_begins(__first);
                    #id: for __k in __k..#end {
                        #position
                        let __iteration = ::swathe::__rt::BlockAt(__first);
                        #eager
                        #look
                        ::swathe::__rt::core::mem::forget(__iteration);
                    }
                    if __taken == 0 {
                        __k += __width;
                        continue;
                    }
                    ::swathe::__rt::block_again();
                    if __width > #close {
                        __close = __k + __width;
                        continue;
                    }
                }
                #block
                __k += __width;
            }
        )
    }

    fn one_by_one(&self, end: &TokenStream) -> TokenStream {
        let (id, eager, body) = (&self.id, &self.eager, &self.body);
        let (position, noted) = (self.position(&quote!(__k)), self.noted(&quote!(__k)));
        quote!(
            #id: for __k in __k..#end {
                #position
                #noted
                #eager
                #body
                ::swathe::__rt::core::mem::forget(__iteration);
            }
        )
    }
}

/// The widest version of a loop.
fn widest(plan: &LoopPlan<'_>) -> TokenStream {
    let fields = match &plan.widest {
        Widest::Any => return quote!(::swathe::__rt::Version::Avx512),
        Widest::ByElements(fields) => fields,
    };
    let names = fields.iter().map(|field| field_name(*field));
    let staged = plan.all_forms().find_map(|form| match form {
        Form::Staged(stages) => Some(stages.pays(&quote!(::swathe::__rt::Target::Fused))),
        _ => None,
    });
    let staged = staged.unwrap_or_else(|| quote!(false));
    quote!(::swathe::__rt::Version::for_elements(#staged, [#(#names.scalars()),*]))
}

/// Iterations of a domain of several axes, the last one contiguous.
fn in_rows(vars: &[TokenStream], range: &TokenStream, body: &TokenStream) -> TokenStream {
    let (_, head) = vars.split_last().expect("at least one axis");
    // So that LLVM knows: the next position is no overflow.
    let head = head.iter().enumerate().map(|(k, var)| {
        quote!(
            unsafe { ::swathe::__rt::core::hint::assert_unchecked(__head[#k] < __shape[#k]) };
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
/// from the field's copy: so LLVM sees that a condition of the user's (`i + 1 < h`) is the check of an access. A field is reached from where
/// the runner says that it begins.
fn captures(func: &Func, plan: &LoopPlan<'_>) -> Vec<TokenStream> {
    let captured = &plan.captured;
    let field = |id: &LocalId| captured.contains(id).then(|| &func.local(*id).ident);
    let copy = |id: &LocalId| {
        let local = func.local(*id);
        let ident = &local.ident;
        let extent = match &local.value {
            // What it was once, it need not be now.
            _ if local.mutable => None,
            Value::Extent(Extent::Shape(f, axis)) => field(f).map(|f| quote!(#f.shape()[#axis])),
            Value::Extent(Extent::Len(f)) => field(f).map(|f| quote!(#f.len())),
            Value::Extent(Extent::All(f)) => field(f).map(|f| quote!(#f.shape())),
            _ => None,
        };
        match extent {
            Some(extent) => quote!(let #ident = { let _ = &#ident; #extent };),
            None => begun(plan, *id, ident).unwrap_or_else(|| quote!(let #ident = #ident;)),
        }
    };
    captured.iter().map(copy).collect()
}

/// A field of which LLVM is told that it is apart from others.
fn begun(plan: &LoopPlan<'_>, field: LocalId, ident: &Ident) -> Option<TokenStream> {
    if let Some(number) = plan.apart.read(field) {
        return Some(quote!(let #ident = unsafe { #ident.beginning_at(__begins.read[#number]) };));
    }
    let number = plan.apart.written(field)?;
    Some(quote!(let #ident = unsafe { #ident.beginning_at_mut(__begins.written[#number]) };))
}
