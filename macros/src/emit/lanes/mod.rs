//! Loops in lanes as Rust.

mod emit;
mod function;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

pub use self::function::{any, beside, constant, function, of_failed, of_kernel};
use super::print::Printer;
use crate::budget::{LANE_ARRAY, NARROW};
use crate::hir::{Access, AccessId, Expr, ExprKind, Func, LabelId, LocalId};
use crate::plan::lanes::{self as plan, Last, Lifted, Pays, RETURN};

/// A loop, or a function, in lanes of one width.
#[derive(Clone)]
pub struct Lanes<'p, 'h> {
    plan: &'p plan::Lanes<'h>,
    pub width: TokenStream,
}

impl<'p, 'h> Lanes<'p, 'h> {
    /// In as many lanes as the plan says; in those of `__W` where callers decide.
    pub fn new(plan: &'p plan::Lanes<'h>) -> Self {
        Lanes {
            plan,
            width: plan.width.map_or_else(|| quote!(__W), literal),
        }
    }

    /// The same for registers of half the size, if there is such a form.
    pub fn narrow(&self) -> Option<Self> {
        let width = literal(self.plan.narrow?);
        Some(Lanes { width, ..self.clone() })
    }

    /// How a block of which an iteration fails runs again.
    pub fn restart(&self) -> Option<&'p plan::Restart> {
        self.plan.restart.as_ref()
    }

    /// How the last block begins where less than a block is left.
    pub fn last(&self) -> Last {
        self.plan.last()
    }

    /// Whether it pays with the widest registers alone.
    pub fn wide_only(&self) -> bool {
        self.plan.wide_only
    }

    /// Whether reads may be checked without a branch: there is a first element wherever one may be taken, and with what follows from it functions come to
    /// their end.
    pub fn may_gather(&self) -> Option<TokenStream> {
        let fields = self.plan.gathered();
        let names = fields.iter().map(|field| &self.plan.func.local(*field).ident);
        (!fields.is_empty()).then(|| quote!(__ends #(&& #names.len() != 0)*))
    }

    /// The planes of what the loop reduces.
    pub fn reduced(&self) -> Vec<Ident> {
        self.plan.reductions.iter().map(|r| plane(r.local)).collect()
    }

    /// Whether it pays.
    pub fn pays(&self) -> TokenStream {
        match &self.plan.pays {
            Pays::Always => quote!(true),
            Pays::IfLooped(callees) => function::any_looped(callees, &quote!(#DEPTH)),
        }
    }

    /// What stands before all blocks of a chunk: the parts of reductions, and the width for regions that run once a block.
    /// LLVM would unroll these too early if it knew that: the many uses of a plane would keep it from seeing that no field is in it.
    pub fn start(&self) -> TokenStream {
        let width = &self.width;
        let parts = self.plan.reductions.iter().map(|r| {
            let (plane, name) = (plane(r.local), &self.plan.func.local(r.local).ident);
            quote!(let mut #plane = ::swathe::__rt::Lanes::<_, #width>::filled(#name);)
        });
        let width = match self.narrow() {
            Some(Lanes { width: narrow, .. }) => quote!(if __target.wide() { #width } else { #narrow }),
            None => width.clone(),
        };
        let widths = widths(&width);
        // A copy, as of what the loop captures.
        let end = self
            .plan
            .gathers()
            .then(|| quote!(#[cfg(all(not(debug_assertions), panic = "unwind"))] let __ends = __ends;));
        quote!(#widths #end #(#parts)*)
    }

    /// What stands after them.
    pub fn end(
        &self,
        combine: impl Fn(&crate::hir::Reduction, &TokenStream, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let parts = self.plan.reductions.iter().map(|r| {
            let (plane, name) = (plane(r.local), &self.plan.func.local(r.local).ident);
            let both = combine(r, &quote!(__a), &quote!(__b));
            let all = combine(r, &quote!(#plane.fold(|__a, __b| #both)), &quote!(#name));
            quote!(#name = #all;)
        });
        quote!(#(#parts)*)
    }

    /// One block of iterations. `position` declares the position of the lane `__l`.
    pub fn block(&self, printer: &Printer<'_>, position: &TokenStream) -> TokenStream {
        let width = &self.width;
        let planes = self.planes(&BTreeSet::new());
        let (parts, masks) = emit::parts(self, printer, position, false);
        let exit = masks.then(
            || quote!(let mut __exit = ::swathe::__rt::Lanes::<::swathe::__rt::core::primitive::u32, #width>::zeros();),
        );
        quote!(#planes #exit #parts)
    }

    /// `lanes` if a stack has room for what outlives regions, and for other values that tell their size, else `otherwise`. rustc knows these types, and
    /// only behind what declares them.
    pub fn if_they_fit(
        &self,
        given: &BTreeSet<LocalId>,
        others: Vec<Ident>,
        lanes: &TokenStream,
        otherwise: &TokenStream,
    ) -> TokenStream {
        let width = &self.width;
        let mut fits = others;
        fits.extend(self.outliving(given).into_iter().map(fit));
        if fits.is_empty() {
            return lanes.clone();
        }
        // LLVM writes short loops over short ones out.
        let large = self.plan.perhaps_large().into_iter().map(fit);
        let short = LANE_ARRAY;
        quote!(
            #(let #fits = ::swathe::__rt::Fit::new();)*
            if 0usize #(+ #fits.bytes())* <= ::swathe::__rt::MOST_PLANES / #width #(&& #large.items() > #short)* { #lanes } else { #otherwise }
        )
    }

    /// The variables that outlive regions.
    fn outliving(&self, others: &BTreeSet<LocalId>) -> Vec<LocalId> {
        let [whole, cut] = &self.plan.forms;
        let planes = whole.planes.union(&cut.planes).filter(|id| !others.contains(id));
        planes.copied().collect()
    }

    /// Declares what outlives regions, and whether lanes take branches.
    fn planes(&self, others: &BTreeSet<LocalId>) -> TokenStream {
        let width = &self.width;
        let planes = self.outliving(others).into_iter().map(|id| {
            let (plane, fit) = (plane(id), fit(id));
            quote!(let mut #plane = ::swathe::__rt::Lanes::<_, #width>::zeros(); #fit.of(&#plane);)
        });
        let branches = self.plan.branches().into_iter().map(|bit| format_ident!("__any{bit}"));
        quote!(#(#planes)* #(let mut #branches = 0u32;)*)
    }

    /// What prints the expressions of regions.
    pub fn cuts(&self) -> Cuts {
        let names = |lifted: &Lifted| lifted.iter().map(|(e, id)| (*e, name(self.plan.func, *id))).collect();
        Cuts {
            exits: self.plan.body.exits.clone(),
            lifted: [names(&self.plan.forms[0].lifted), names(&self.plan.forms[1].lifted)],
            form: Rc::new(Cell::new(0)),
            declared: Rc::default(),
            items: Rc::default(),
            standing: Rc::default(),
            together: Rc::default(),
            result: self.plan.body.result.map(|id| name(self.plan.func, id)),
            gathers: Rc::new(self.plan.body.gathers.keys().copied().collect()),
            outside: Rc::default(),
        }
    }
}

/// What tells the size of a plane's values.
fn fit(local: LocalId) -> Ident {
    format_ident!("__fit{}", local.0)
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
    /// The one of these expressions that its variable is declared with.
    declared: Rc<Cell<Option<*const Expr>>>,
    /// Arrays of which the region that is printed uses items alone.
    items: Rc<RefCell<BTreeSet<LocalId>>>,
    /// An item that a variable, `__item`, stands for.
    standing: Rc<Cell<Option<*const Expr>>>,
    /// What all lanes compute, as it is printed once for all of them.
    together: Rc<RefCell<HashMap<*const Expr, TokenStream>>>,
    result: Option<Ident>,
    /// Reads that are checked without a branch.
    gathers: Rc<BTreeSet<AccessId>>,
    /// Whether the region that is printed has one.
    outside: Rc<Cell<bool>>,
}

impl Cuts {
    /// The pointer of a read that is checked without a branch.
    pub fn gather(&self, access: &Access, position: &TokenStream) -> Option<TokenStream> {
        if !self.gathers.contains(&access.id) {
            return None;
        }
        self.outside.set(true);
        let ident = &access.ident;
        Some(quote!({
            let __i = #position;
            let (__p, __inside) = unsafe { #ident.or_first(__i) };
            __outside |= !__inside as ::swathe::__rt::core::primitive::u32;
            __p
        }))
    }

    pub fn is_empty(&self) -> bool {
        self.exits.is_empty()
    }

    /// Prints what a variable is declared with.
    pub fn declaring(&self, e: &Expr, print: impl FnOnce() -> TokenStream) -> TokenStream {
        let before = self.declared.replace(Some(std::ptr::from_ref(e)));
        let text = print();
        self.declared.set(before);
        text
    }

    /// The item of an array that a place is or is in, if it is taken from its plane; with it the plane, and the index.
    pub fn item<'e>(&self, place: &'e Expr) -> Option<(&'e Expr, Ident, &'e Expr)> {
        let item = plan::root_item(place)?;
        let ExprKind::Index(_, index) = &item.kind else {
            return None;
        };
        let array = item.root_local()?;
        let apart = self.items.borrow().contains(&array) && self.standing.get() != Some(std::ptr::from_ref(item));
        apart.then(|| (item, plane(array), &**index))
    }

    /// Prints what changes `__item` in place of an item.
    pub fn changing(&self, item: &Expr, print: impl FnOnce() -> TokenStream) -> TokenStream {
        let before = self.standing.replace(Some(std::ptr::from_ref(item)));
        let text = print();
        self.standing.set(before);
        text
    }

    /// Prints what holds expressions that all lanes compute, with these texts for them.
    pub fn together(
        &self,
        texts: HashMap<*const Expr, TokenStream>,
        print: impl FnOnce() -> TokenStream,
    ) -> TokenStream {
        let before = self.together.replace(texts);
        let text = print();
        self.together.replace(before);
        text
    }

    pub fn lifted(&self, e: &Expr) -> Option<TokenStream> {
        if let Some(text) = self.together.borrow().get(&std::ptr::from_ref(e)) {
            return Some(text.clone());
        }
        if self.standing.get() == Some(std::ptr::from_ref(e)) {
            return Some(quote!(__item));
        }
        if self.declared.get() == Some(std::ptr::from_ref(e)) {
            return None;
        }
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
        let (result, exit) = (self.result.as_ref()?, self.exit(RETURN, false)?);
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
        let __width: ::swathe::__rt::core::primitive::usize = ::swathe::__rt::core::hint::black_box(#width) & !(#width - 1);
        let __inner: ::swathe::__rt::core::primitive::usize = if #width == #NARROW { __width & #width } else { #width };
    )
}

/// The name of a variable, the function's own or one of ours.
pub fn name(func: &Func, id: LocalId) -> Ident {
    match func.locals.get(id.0 as usize) {
        Some(local) => local.ident.clone(),
        None => format_ident!("__value{}", id.0),
    }
}
