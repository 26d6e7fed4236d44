//! HIR back to Rust tokens, with the user's spans: as native code, or as the copy that is only typed.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use swathe_ir::{BinOp, FuncKind, UnOp};

use super::access::stand_in;
use super::{Beside, at, callee_slot, closure_slot, label, lanes, method, std_func, type_slot};
use crate::hir::bindings;
use crate::hir::types;
use crate::hir::{AccessId, Arithmetic, Block, CalleeQuery, Casting, Expr, ExprKind, Func, LocalId, Pat, Range, Stmt};
use crate::plan::accumulators::Accumulators;
use crate::plan::lent::Reads;
use crate::plan::{Covered, LoopPlan};

/// Up to how many arguments the runtime can say that a function is no `#[func]`.
const MOST_ARGS: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Runs on the CPU.
    Native,
    /// Runs on the CPU, and verifies what `unsafe` blocks claim.
    Checked,
    /// Never runs; tells rustc's types.
    Probe,
}

pub struct Printer<'f> {
    pub func: &'f Func,
    /// In native code of a function: what its parameters tell of its reads of fields.
    pub reads: Option<&'f Reads>,
    /// In native code of a kernel: how its parallel loops run.
    pub plans: &'f [LoopPlan<'f>],
    pub mode: Mode,
    /// In native code inside a parallel loop: its label.
    pub iteration: Option<swathe_ir::LabelId>,
    /// In native code: which hoisted checks are known to hold.
    pub covered: Covered,
    /// Variables declared without a value, to be probed after their first assignment.
    pub late: RefCell<HashSet<LocalId>>,
    /// In native code: reductions whose parts add up what the user's text subtracts.
    pub subtracted: HashSet<LocalId>,
    /// In native code: sequential loops that accumulate into parts of reductions.
    pub accumulators: Accumulators,
    /// In native code: the loop of which a round is printed as a block.
    pub round: Option<swathe_ir::LabelId>,
    /// In checked code inside a parallel loop: fields whose accesses are noted.
    pub noted: Vec<LocalId>,
    /// In native code: accesses checked in place whose indices were looked at before.
    pub inspected: HashSet<AccessId>,
    /// In native code: expressions whose values were computed before, with what holds them.
    pub defined: HashMap<*const Expr, TokenStream>,
    /// In native code that runs in advance: operators that are not those of numbers leave it with nothing.
    pub proves: bool,
    /// In native code inside a parallel loop: `__target` says whether this may be anything but strict.
    pub arithmetic: Arithmetic,
    /// In native code of a function: whether there is a `__target`, too.
    pub targeted: bool,
    /// In native code: whether it is that of a `const fn`, whose divisions and assertions are rustc's own.
    pub constant: bool,
    /// In native code inside a parallel loop: whether a block of iterations of which one fails runs again one by one.
    pub restarts: bool,
    /// In native code: whether indices of sequential loops are compared in front of them.
    pub looks_ahead: bool,
    /// In native code: whether it is never run.
    pub unreached: bool,
    /// In lanes: what is printed otherwise there.
    pub cuts: lanes::Cuts,
}

impl<'f> Printer<'f> {
    pub fn new(func: &'f Func, mode: Mode) -> Self {
        Printer {
            func,
            reads: None,
            plans: &[],
            mode,
            iteration: None,
            covered: Covered::Nothing,
            late: RefCell::default(),
            subtracted: HashSet::new(),
            accumulators: Accumulators::new(),
            round: None,
            noted: Vec::new(),
            inspected: HashSet::new(),
            defined: HashMap::new(),
            proves: false,
            arithmetic: Arithmetic::Strict,
            targeted: false,
            constant: false,
            restarts: false,
            looks_ahead: false,
            unreached: false,
            cuts: lanes::Cuts::default(),
        }
    }

    /// For another copy of what this one prints.
    pub fn again(&self) -> Printer<'f> {
        Printer {
            late: RefCell::default(),
            subtracted: self.subtracted.clone(),
            accumulators: self.accumulators.clone(),
            noted: self.noted.clone(),
            inspected: self.inspected.clone(),
            defined: self.defined.clone(),
            cuts: self.cuts.clone(),
            ..*self
        }
    }

    /// For what is never run.
    pub fn unreached(&self) -> Printer<'f> {
        Printer {
            unreached: true,
            looks_ahead: false,
            ..self.again()
        }
    }

    pub fn probes(&self) -> bool {
        self.mode == Mode::Probe
    }

    /// Whether divisions without a result end an iteration.
    fn checks_divisions(&self) -> bool {
        !self.probes() && !self.constant
    }

    pub fn block(&self, block: &Block) -> TokenStream {
        let within = self.within(block);
        quote!({ #within })
    }

    /// What is in a block.
    pub fn within(&self, block: &Block) -> TokenStream {
        let stmts = block.stmts.iter().map(|s| self.stmt(s));
        let tail = block.tail.as_ref().map(|e| self.tail(e));
        quote!(#(#stmts)* #tail)
    }

    /// The value of a block, at its end.
    pub fn tail(&self, e: &Expr) -> TokenStream {
        let (value, lints) = (self.expr(e), &e.lints);
        match lints.is_empty() {
            true => value,
            false => quote!(#(#lints)* { #value }),
        }
    }

    pub fn stmts(&self, block: &Block) -> TokenStream {
        block.stmts.iter().map(|s| self.stmt(s)).collect()
    }

    pub fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let {
                pat,
                ty,
                init,
                span,
                lints,
            } => {
                let pattern = self.pat(pat);
                let ty = ty.as_ref().map(|ty| quote!(: #ty));
                let value = init.as_ref().map(|e| {
                    let e = self.expr(e);
                    quote!(= #e)
                });
                if let (
                    Some(Expr {
                        kind: ExprKind::Lit(lit, slot),
                        ..
                    }),
                    Pat::Bind { local, ident, .. },
                ) = (init, pat)
                    && self.probes()
                {
                    let (slot, probe) = (type_slot(*slot), self.place_probe(*local, ident));
                    return quote_spanned!(*span=> #(#lints)* let #pattern #ty = #lit; #probe ::swathe::__rt::place(&#slot, &#ident););
                }
                let probes = match init {
                    Some(_) => self.place_probes(pat),
                    None => {
                        self.late.borrow_mut().extend(bindings(pat).map(|(local, _)| local));
                        TokenStream::new()
                    }
                };
                quote_spanned!(*span=> #(#lints)* let #pattern #ty #value; #probes)
            }
            Stmt::Expr(e) => {
                let (stmt, lints) = (self.contracted_atomic(e).unwrap_or_else(|| self.expr(e)), &e.lints);
                match lints.is_empty() {
                    true => quote!(#stmt;),
                    false => quote!(#(#lints)* { #stmt; }),
                }
            }
            Stmt::ParFor(p) => {
                let stmts = match self.probes() {
                    true => self.typed_loop(p),
                    false => self.parallel_loop(p),
                };
                match &p.lints[..] {
                    [] => stmts,
                    lints => quote!(#(#lints)* { #stmts }),
                }
            }
        }
    }

    pub fn name(&self, ident: &Ident) -> Ident {
        if ident == "self" && self.probes() {
            Ident::new("__self", ident.span())
        } else {
            ident.clone()
        }
    }

    /// What holds the value of an expression that was computed before.
    pub fn held(&self, e: &Expr) -> Option<TokenStream> {
        let defined = || self.defined.get(&std::ptr::from_ref(e)).cloned();
        self.cuts.lifted(e).or_else(defined)
    }

    pub fn expr(&self, e: &Expr) -> TokenStream {
        if let Some(value) = self.held(e) {
            return value;
        }
        let span = e.span;
        match &e.kind {
            ExprKind::Lit(lit, slot) => match lit {
                syn::Lit::Int(_) | syn::Lit::Float(_) if self.probes() => {
                    let slot = type_slot(*slot);
                    quote_spanned!(span=> ::swathe::__rt::value(&#slot, #lit))
                }
                _ => lit.to_token_stream(),
            },
            // Ours, where rustc shall underline what the user compares.
            ExprKind::Local(_, ident) if ident == "__left" || ident == "__right" => stand_in(ident, e),
            ExprKind::Local(_, ident) => self.name(ident).to_token_stream(),
            ExprKind::Const(_, path) => path.to_token_stream(),
            ExprKind::Unary(UnOp::Deref, inner, _) => {
                let inner = self.expr(inner);
                quote_spanned!(span=> (*#inner))
            }
            ExprKind::Unary(op, inner, callee) => {
                let symbol = match op {
                    UnOp::Neg => quote_spanned!(span=> -),
                    _ => quote_spanned!(span=> !),
                };
                let operand = self.operand(inner, *callee, true);
                if self.proves {
                    return quote!({ let __operand = #operand; ::swathe::__rt::arithmetic(&__operand, &__operand)?; #symbol __operand });
                }
                if self.probes() && callee.is_some() {
                    // In a variable: rustc would take the result's type for a hint at the operand's.
                    let name = Ident::new("__operand", at(e.end));
                    quote!({ let #name = #operand; #symbol #name })
                } else {
                    quote_spanned!(span=> (#symbol #operand))
                }
            }
            ExprKind::Fail { template, args, styles } => self.failure(e, template, args, styles),
            ExprKind::Print {
                output,
                template,
                args,
                styles,
            } => self.printed(e, *output, template, args, styles),
            ExprKind::Binary(op, op_span, left, right, callee) => {
                if let Some(quotient) = self.fast_quotient(*op, *op_span, left, right, e) {
                    return quotient;
                }
                if self.checks_divisions() && types::may_fail(*op, left, right) {
                    return self.division(*op, *op_span, left, right, e);
                }
                if let Some(sum) = self.contracted_sum(*op, *op_span, left, right, e) {
                    return sum;
                }
                if self.proves {
                    return self.proven(*op, *op_span, left, right, e);
                }
                let left = self.operand(left, *callee, false);
                let right = self.right_operand(right, *callee, *op_span);
                let op = symbol(*op, *op_span, false);
                quote_spanned!(span=> (#left #op #right))
            }
            ExprKind::Assign(place, value) => self.assign(place, value, e),
            ExprKind::AssignOp(_, _, place, ..) if let Some(item) = self.cuts.item(place) => {
                let update = self.changed_item(item, || self.expr(e));
                quote!({ #update; })
            }
            ExprKind::AssignOp(op, op_span, place, value, callee) => {
                let op = match &place.kind {
                    ExprKind::Local(id, _) if self.subtracted.contains(id) => BinOp::Add,
                    _ => *op,
                };
                let symbol = symbol(op, *op_span, true);
                let slot = callee.filter(|_| self.probes()).map(callee_slot);
                let probe = slot.map(|slot| {
                    let place = self.expr(place);
                    quote_spanned!(span=> ::swathe::__rt::left_place(&#slot, &#place);)
                });
                if let Some(sum) = self.contracted_update(op, place, value, &symbol, e) {
                    return sum;
                }
                if place.field_place().is_some() {
                    let write = self.write(Some((op, *callee, *op_span)), place, value, &symbol, e);
                    return quote!({ #probe #write });
                }
                if self.checks_divisions() && types::may_fail(op, place, value) {
                    return self.division_in_place(op, place, value, &symbol, e);
                }
                let (place, value) = (self.expr(place), self.right_operand(value, *callee, *op_span));
                let assign = quote_spanned!(span=> #place #symbol #value);
                match probe {
                    Some(probe) => quote!({ #probe #assign }),
                    None => assign,
                }
            }
            ExprKind::Cast(operand, ty, _, casting) => {
                let inner = match self.expr(operand) {
                    // Divisions of what is cast to it are not checked.
                    inner if self.probes() && types::is_float_type(ty) => {
                        quote_spanned!(span=> { let _ = ::swathe::__rt::named_as_float::<#ty>; #inner })
                    }
                    // Checks of bounds take it for one. A cast to its own type anything has.
                    inner if self.probes() && types::is_integer_type(ty) => {
                        quote_spanned!(span=> { let _ = ::swathe::__rt::named_as_integer::<#ty>; #inner })
                    }
                    inner => inner,
                };
                match under_cast(operand).filter(|_| self.probes()) {
                    Some((slot, kind)) => {
                        let (slot, kind) = (type_slot(slot), Ident::new(kind, at(span)));
                        quote_spanned!(span=> ({ ::swathe::__rt::#kind::<#ty>(&#slot); #inner } as #ty))
                    }
                    None if *casting == Casting::From && under_cast(operand).is_none() => {
                        let args = parens(operand.end, inner);
                        match self.probes() {
                            true => quote_spanned!(span=> ::swathe::__rt::lossless::<#ty, _> #args),
                            false => quote_spanned!(span=> <#ty as ::swathe::__rt::core::convert::From<_>>::from #args),
                        }
                    }
                    None => quote_spanned!(span=> (#inner as #ty)),
                }
            }
            ExprKind::Field(_) | ExprKind::Member(..) | ExprKind::Index(..)
                if !self.probes() && e.field_place().is_some() =>
            {
                self.read(e)
            }
            ExprKind::Member(base, member) => {
                let base = self.postfix(base);
                quote_spanned!(span=> #base.#member)
            }
            ExprKind::Index(..)
                if let Some((_, plane, index)) = self.cuts.item(e).filter(|(item, ..)| std::ptr::eq(*item, e)) =>
            {
                let index = self.expr(index);
                quote!(unsafe { ::swathe::__rt::Lanes::item(&#plane, __l, #index) })
            }
            ExprKind::Index(base, index) => {
                if let Some(value) = self.typed_index_of_value(base, index, e) {
                    return value;
                }
                let index = self.typed_index(base, index);
                let (base, index) = (self.postfix(base), brackets(e.end, index));
                quote_spanned!(span=> #base #index)
            }
            ExprKind::Field(access) => self.typed_access(access, e.end),
            ExprKind::FieldLen(_, ident) => {
                let none = parens(e.end, TokenStream::new());
                quote_spanned!(span=> #ident.len #none)
            }
            ExprKind::FieldShape(_, ident) => {
                let none = parens(e.end, TokenStream::new());
                quote_spanned!(span=> #ident.shape #none)
            }
            ExprKind::FieldOrigin(_, ident) => {
                let none = parens(e.end, TokenStream::new());
                quote_spanned!(span=> #ident.origin #none)
            }
            ExprKind::FieldArgument(_, ident) => self.lent(ident, e),
            ExprKind::Atomic(op, name, place, args) => self.atomic(*op, name, place, args),
            ExprKind::Call { callee, path, on, args } => {
                if let (true, Some(call)) = (self.checks_divisions(), self.division_call(path, args.as_slice(), e)) {
                    return call;
                }
                let lends = args.iter().any(|arg| matches!(arg.kind, ExprKind::FieldArgument(..)));
                let lent = self.lent_on(*callee, args);
                let args = args
                    .iter()
                    .zip(&lent)
                    .map(|(a, lent)| lent.clone().unwrap_or_else(|| self.expr(a)));
                if on.is_none() {
                    let slot = match self.probes() {
                        true => callee_slot(*callee).to_token_stream(),
                        false => self.slot(),
                    };
                    // A field is no argument of a function of std's.
                    let confirms = self.probes() && !lends;
                    let call = through_struct(path, args.len(), &slot, parens(e.end, quote!(#(#args),*)), confirms);
                    // Native code tells of a call without `unsafe`.
                    if self.probes() { quote!(unsafe { #call }) } else { call }
                } else {
                    let path = match self.constant {
                        true => path.clone(),
                        false => method::companion_path(path),
                    };
                    let args = parens(e.end, quote!(#(#args),*));
                    let asked = match &self.func.slots.callees[callee.0 as usize] {
                        CalleeQuery::On(_, ty, _) if self.probes() && self.accumulates(*callee) => {
                            Some(quote_spanned!(span=> ::swathe::__rt::accumulated_on::<#ty>();))
                        }
                        _ => None,
                    };
                    match asked {
                        Some(asked) => quote_spanned!(span=> ({ #asked #path #args })),
                        None => quote_spanned!(span=> #path #args),
                    }
                }
            }
            ExprKind::Method {
                receiver,
                name,
                callee,
                args,
            } => {
                if let (true, Some(call)) = (self.checks_divisions(), self.division_method(receiver, name, args, e)) {
                    return call;
                }
                if receiver.root_local().is_some_and(|id| self.func.local(id).mutable)
                    && let Some(item) = self.cuts.item(receiver)
                {
                    let change = self.changed_item(item, || self.expr(e));
                    return quote!({ #change; __changed });
                }
                if let Some(call) = self.function(receiver, name, args, e) {
                    return call;
                }
                if let Some(call) = self.contracted_method(receiver, name, args, e) {
                    return call;
                }
                let args = args.iter().map(|a| self.expr(a));
                // A `const fn` calls those of types alone, which come before those of traits.
                let called = match self.constant {
                    true => name.clone(),
                    false => method::companion(name),
                };
                let args = parens(e.end, quote!(#(#args),*));
                if !self.probes() {
                    let receiver = self.receiver(receiver);
                    return quote_spanned!(span=> #receiver.#called #args);
                }
                let slot = callee_slot(*callee);
                let probed = name.span();
                let accumulates = self.accumulates(*callee);
                if receiver.root_local().is_some() {
                    let called_on = self.receiver(receiver);
                    let receiver = self.postfix(receiver);
                    let asked =
                        accumulates.then(|| quote_spanned!(probed=> ::swathe::__rt::accumulated_place(&#receiver);));
                    let probe = quote_spanned!(probed=> ::swathe::__rt::on_place(&#slot, &#receiver));
                    quote_spanned!(span=> { #asked #probe; #called_on.#called #args })
                } else {
                    let mut receiver = self.expr(receiver);
                    if accumulates {
                        receiver = quote_spanned!(probed=> ::swathe::__rt::accumulated_value(#receiver));
                    }
                    let probe = quote_spanned!(probed=> ::swathe::__rt::on_value(&#slot, #receiver));
                    quote_spanned!(span=> #probe.#called #args)
                }
            }
            ExprKind::Ref { mutable, place } => {
                let keyword = mutable.then(|| quote!(mut));
                let place = self.expr(place);
                quote_spanned!(span=> &#keyword #place)
            }
            ExprKind::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.expr(p));
                parens(e.end, quote!(#(#parts,)*))
            }
            ExprKind::Array(parts, slot) => {
                let parts = parts.iter().map(|p| self.expr(p));
                self.typed(*slot, brackets(e.end, quote!(#(#parts),*)), e)
            }
            ExprKind::Repeat(value, len, slot) => {
                let value = self.expr(value);
                self.typed(*slot, brackets(e.end, quote!(#value; #len)), e)
            }
            ExprKind::Struct {
                ty,
                path,
                members,
                tuple: true,
                ..
            } => {
                let parts = members.iter().map(|(_, value)| self.expr(value));
                let parts = parens(e.end, quote!(#(#parts),*));
                let made = quote_spanned!(span=> #path #parts);
                // A pattern is never of a function, which could have the name, too.
                let made = match self.probes() {
                    true => {
                        let pattern = parens(e.end, quote!(..));
                        quote!(match #made {
                            __made @ #path #pattern => __made,
                            #[allow(unreachable_patterns)]
                            _ => loop {},
                        })
                    }
                    false => made,
                };
                self.typed(*ty, made, e)
            }
            ExprKind::Struct {
                ty,
                path,
                members,
                base,
                tuple: false,
            } => {
                let members = members.iter().map(|(member, value)| {
                    let value = self.expr(value);
                    quote!(#member: #value)
                });
                let base = base.as_ref().map(|e| {
                    let e = self.expr(e);
                    quote!(..#e)
                });
                let members = delimited(Delimiter::Brace, e.end, quote!(#(#members,)* #base));
                self.typed(*ty, quote_spanned!(span=> (#path #members)), e)
            }
            ExprKind::Block {
                label: id,
                unsafety,
                block,
            } => {
                let id = id.map(|id| {
                    let id = label(id);
                    quote!(#id:)
                });
                let keyword = unsafety.then(|| quote!(unsafe));
                let block = self.block(block);
                quote_spanned!(span=> #id #keyword #block)
            }
            ExprKind::Limited(minimum) => self.expr(minimum),
            ExprKind::OfClosure(slot, body) => {
                let (from, slot, body) = (at(span), closure_slot(*slot), self.expr(body));
                quote_spanned!(from=> (match #body { __value => ::swathe::__rt::of_closure(&#slot, __value) }))
            }
            ExprKind::Inside(call, called) => self.call_inside(call, called),
            ExprKind::Within(operation, within) => self.within_rows(operation, *within),
            ExprKind::Decided { unreached, value } => {
                let (unreached, value) = (self.unreached().expr(unreached), self.expr(value));
                quote_spanned!(span=> if false { #unreached } else { #value })
            }
            ExprKind::If(cond, then, otherwise) => {
                let (cond, then) = (self.expr(cond), braces(e.end, self.within(then)));
                let otherwise = otherwise.as_ref().map(|e| {
                    let e = match e.kind {
                        ExprKind::If(..)
                        | ExprKind::Block {
                            unsafety: false,
                            label: None,
                            ..
                        } => self.expr(e),
                        _ => {
                            let e = self.expr(e);
                            quote!({ #e })
                        }
                    };
                    quote!(else #e)
                });
                quote_spanned!(span=> if #cond #then #otherwise)
            }
            ExprKind::Match(value, arms) => {
                let value = self.expr(value);
                let arms = arms.iter().map(|arm| {
                    let pat = self.pattern(&arm.pat);
                    let probes: TokenStream = self.pattern_probes(&arm.pat);
                    let guard = arm.guard.as_ref().map(|e| {
                        let e = self.expr(e);
                        quote!(if #e)
                    });
                    let (body, lints) = (self.expr(&arm.body), &arm.lints);
                    quote!(#(#lints)* #pat #guard => { #probes #body })
                });
                quote_spanned!(span=> match #value { #(#arms)* })
            }
            ExprKind::Loop(id, body) => {
                let (id, body) = (label(*id), self.block(body));
                quote_spanned!(span=> #id: loop #body)
            }
            ExprKind::While(id, cond, body) => {
                let (id, cond, body) = (label(*id), self.expr(cond), self.block(body));
                quote_spanned!(span=> #id: while #cond #body)
            }
            ExprKind::For(id, pat, range, body) => {
                if let Some(copies) = self.copies(*id, pat, range, body, span) {
                    return copies;
                }
                self.sequential(*id, pat, range, false, body, span)
            }
            ExprKind::Break(id, value) => {
                if let Some(exit) = self.cuts.exit(*id, false) {
                    return self.exit(exit);
                }
                let id = label(*id);
                let value = value.as_ref().map(|e| {
                    let value = self.expr(e);
                    // Rustc warns of a block behind a label, for a whole crate.
                    let block = matches!(value.clone().into_iter().next(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
                    match block {
                        true => quote!(::swathe::__rt::core::convert::identity(#value)),
                        false => value,
                    }
                });
                // Its value is all that follows.
                quote_spanned!(span=> (break #id #value))
            }
            ExprKind::Continue(id) => {
                if let Some(exit) = self.cuts.exit(*id, true) {
                    return self.exit(exit);
                }
                if self.unreached && self.iteration == Some(*id) {
                    return self.exit(TokenStream::new());
                }
                if self.round == Some(*id) {
                    let id = label(*id);
                    return quote_spanned!(span=> break #id);
                }
                let done =
                    (self.iteration == Some(*id)).then(|| quote!(::swathe::__rt::core::mem::forget(__iteration);));
                let id = label(*id);
                match done {
                    Some(done) => quote_spanned!(span=> { #done continue #id }),
                    None => quote_spanned!(span=> continue #id),
                }
            }
            ExprKind::Return(value) => {
                let value = value.as_ref().map(|e| self.expr(e));
                if let Some(end) = self.cuts.end(value.clone()) {
                    return end;
                }
                match (self.mode, self.func.kind) {
                    (Mode::Probe, _) | (_, FuncKind::Func) => quote_spanned!(span=> (return #value)),
                    (Mode::Native | Mode::Checked, FuncKind::Kernel) => {
                        let value = value.unwrap_or_else(|| quote!(()));
                        quote_spanned!(span=> (return ::swathe::__rt::core::result::Result::Ok(#value)))
                    }
                }
            }
        }
    }

    /// An operation that is evaluated in advance, if it is one of numbers, which has no effects.
    fn proven(&self, op: BinOp, op_span: Span, left: &Expr, right: &Expr, e: &Expr) -> TokenStream {
        let (a, b) = (self.expr(left), self.expr(right));
        let op = symbol(op, op_span, false);
        quote_spanned!(at(e.span)=> {
            let __left = #a;
            let __right = #b;
            ::swathe::__rt::arithmetic(&__left, &__right)?;
            __left #op __right
        })
    }

    /// What leaves or continues a loop, where it may be that no such loop is around.
    fn exit(&self, exit: TokenStream) -> TokenStream {
        match self.unreached {
            true => quote!(loop {}),
            false => exit,
        }
    }

    /// A sequential loop over a range, which is in the variable `__span` where that is said.
    pub fn sequential(
        &self,
        id: swathe_ir::LabelId,
        pat: &Pat,
        range: &Range,
        spanned: bool,
        body: &Block,
        span: Span,
    ) -> TokenStream {
        if let Some(accumulating) = self.accumulating((id, pat, range, body), spanned, span) {
            return accumulating;
        }
        let (id, probes) = (label(id), self.place_probes(pat));
        let range = if spanned { quote!(__span) } else { self.range(range) };
        let (pat, body) = (self.pat(pat), self.stmts(body));
        quote_spanned!(span=> #id: for #pat in #range { #probes #body })
    }

    pub fn range(&self, range: &Range) -> TokenStream {
        let (start, end) = (self.expr(&range.start), self.expr(&range.end));
        if range.inclusive && range.step.is_none() {
            let (span, reverse) = (range.start.span, range.reverse);
            let args = parens(range.end.end, quote_spanned!(span=> #start..=#end, #reverse));
            return quote_spanned!(span=> ::swathe::__rt::inclusive #args);
        }
        let mut tokens = match range.inclusive {
            true => quote!((#start..=#end)),
            false => quote!((#start..#end)),
        };
        let step = self.step(range);
        if let (Some(step), true) = (&step, range.turned) {
            let (span, reverse) = (range.start.span, range.reverse);
            // rustc tells there that a range has no known length.
            let ends = match range.inclusive {
                true => quote_spanned!(span=> #start..=#end),
                false => quote_spanned!(span=> #start..#end),
            };
            let args = parens(range.end.end, quote_spanned!(span=> #ends, #reverse, #step));
            return quote_spanned!(span=> ::swathe::__rt::turned #args);
        }
        if range.reverse {
            tokens = quote!(::swathe::__rt::core::iter::Iterator::rev(#tokens));
        }
        match step {
            Some(step) => quote!(::swathe::__rt::core::iter::Iterator::step_by(#tokens, #step)),
            None => tokens,
        }
    }

    /// The statements that take an item of an array from its plane, change it by what `print` gives for a variable in its place, and put it back. The
    /// value of the change stands in `__changed`.
    fn changed_item(
        &self,
        (item, plane, index): (&Expr, Ident, &Expr),
        print: impl FnOnce() -> TokenStream,
    ) -> TokenStream {
        let (index, change) = (self.expr(index), self.cuts.changing(item, print));
        quote!(
            let __at = #index;
            let mut __item = unsafe { ::swathe::__rt::Lanes::item(&#plane, __l, __at) };
            let __changed = #change;
            unsafe { ::swathe::__rt::Lanes::set_item(&mut #plane, __l, __at, __item) }
        )
    }

    fn assign(&self, place: &Expr, value: &Expr, whole: &Expr) -> TokenStream {
        let span = whole.span;
        if let Some(item) = self.cuts.item(place) {
            let value = self.expr(value);
            let change = self.changed_item(item, || {
                let place = self.expr(place);
                quote!(#place = __value)
            });
            return quote!({ let __value = #value; #change; });
        }
        if place.field_place().is_some() && !matches!(value.kind, ExprKind::Lit(..)) {
            return self.write(None, place, value, &quote_spanned!(span=> =), whole);
        }
        if let (ExprKind::Lit(lit, slot), true) = (&value.kind, place.field_place().is_some()) {
            return self.write_literal(place, lit, *slot);
        }
        let late = match &place.kind {
            ExprKind::Local(id, ident) if self.probes() && self.late.borrow_mut().remove(id) => {
                Some(self.place_probe(*id, ident))
            }
            _ => None,
        };
        let (place, value) = (self.expr(place), self.expr(value));
        match late {
            Some(probe) => quote_spanned!(span=> { #place = #value; #probe }),
            None => quote_spanned!(span=> #place = #value),
        }
    }

    /// The right operand of an operator, in native code.
    pub fn operand_literal(&self, e: &Expr) -> TokenStream {
        let value = self.expr(e);
        if matches!(e.kind, ExprKind::Lit(..)) && !self.probes() {
            let (span, value) = (e.span, parens(e.end, value));
            return quote_spanned!(span=> ::swathe::__rt::number #value);
        }
        value
    }

    /// A kernel's result as `__result`. Native code and its typed copy declare it alike, so that rustc reports a wrong one
    /// once.
    pub fn result(&self, tail: &Expr, ty: &syn::Type) -> TokenStream {
        let (lints, tail) = (&tail.lints, self.expr(tail));
        let name = quote::format_ident!("__result");
        let span = syn::spanned::Spanned::span(ty);
        // Where items of the body could change the type, the function around says it alone.
        match self.func.items.is_empty() {
            true => quote_spanned!(span=> #(#lints)* let #name: #ty = #tail;),
            false => quote_spanned!(span=> #(#lints)* let #name = #tail;),
        }
    }

    fn typed(&self, slot: swathe_ir::TypeSlot, value: TokenStream, e: &Expr) -> TokenStream {
        if !self.probes() {
            return value;
        }
        let (slot, span) = (type_slot(slot), e.span);
        let args = parens(e.end, quote!(&#slot, #value));
        quote_spanned!(span=> ::swathe::__rt::value #args)
    }

    /// An operand, which is the only one or the left one.
    fn operand(&self, e: &Expr, callee: Option<swathe_ir::CalleeSlot>, alone: bool) -> TokenStream {
        let tokens = self.expr(e);
        match callee.filter(|_| self.probes()).map(callee_slot) {
            Some(slot) => {
                let args = parens(e.end, quote!(&#slot, #tokens));
                match alone {
                    true => quote_spanned!(e.span=> ::swathe::__rt::only #args),
                    false => quote_spanned!(e.span=> ::swathe::__rt::left #args),
                }
            }
            None => tokens,
        }
    }

    /// The right operand of an operator. In the typed copy it is told there what the operator cannot be used for.
    pub fn right_operand(&self, e: &Expr, callee: Option<swathe_ir::CalleeSlot>, op_span: Span) -> TokenStream {
        match callee.filter(|_| self.probes()) {
            Some(callee) => {
                let multiplies =
                    |query: &CalleeQuery| matches!(query, CalleeQuery::Operator(name) if name.starts_with("mul"));
                let (span, slot) = (at(op_span), callee_slot(callee).to_string());
                let (value, slot) = (self.expr(e), Ident::new(&slot, span));
                let right = match self.accumulates(callee) {
                    true if multiplies(&self.func.slots.callees[callee.0 as usize]) => "multiplied",
                    true => "accumulated",
                    false => "right",
                };
                let right = Ident::new(right, span);
                let call = quote_spanned!(span=> ::swathe::__rt::#right(&#slot, #value));
                // As a part: rustc would take the type that the operator expects for a hint at the argument's.
                let (zero, tuple) = (syn::Index { index: 0, span: e.end }, parens(e.span, quote!(#call,)));
                quote_spanned!(e.end=> #tuple.#zero)
            }
            None => self.operand_literal(e),
        }
    }

    /// Whether a parallel loop accumulates by this operator or method.
    fn accumulates(&self, callee: swathe_ir::CalleeSlot) -> bool {
        self.func.loops().any(|p| p.accumulated.contains(&callee))
    }

    /// What a method is called on. In a derivative that is a copy of a variable: a method that changes it is refused in the kernel that it is of, where
    /// rustc need not say of ours that it does not change.
    fn receiver(&self, e: &Expr) -> TokenStream {
        let receiver = self.postfix(e);
        match self.func.is_derivative && e.root_local().is_some_and(|id| !self.func.local(id).mutable) {
            true => parens(e.end, quote!({ #receiver })),
            false => receiver,
        }
    }

    /// An expression that `.` or `[` may follow.
    pub fn postfix(&self, e: &Expr) -> TokenStream {
        let tokens = self.expr(e);
        match e.kind {
            ExprKind::If(..)
            | ExprKind::Decided { .. }
            | ExprKind::Match(..)
            | ExprKind::Block { .. }
            | ExprKind::Loop(..)
            | ExprKind::Lit(..)
            | ExprKind::Ref { .. } => quote!((#tokens)),
            // At the start of a statement a block is one of its own.
            _ if starts_with_block(&tokens) => quote!((#tokens)),
            _ => tokens,
        }
    }
}

/// A call of a free function, through the struct beside it, which is what a device calls: a path may name another function than that
/// struct's. `passed` are `args` arguments. `confirms` where rustc shall say that a function of std's is meant.
pub fn through_struct(
    path: &syn::ExprPath,
    args: usize,
    slot: &TokenStream,
    passed: TokenStream,
    confirms: bool,
) -> TokenStream {
    let beside = Beside::of(path);
    let of_std = std_func::named(path, args);
    let confirmed = of_std
        .as_ref()
        .filter(|_| confirms)
        .map(|name| std_func::confirmed(name, &beside));
    let Beside {
        bare,
        generics,
        callee,
        of,
    } = beside;
    let span = callee.span();
    let of = proc_macro2::Ident::new(&of.to_string(), span);
    let call = quote_spanned!(span=> #callee #generics::#of(&#slot) #confirmed.__call);
    let otherwise = match of_std {
        Some(name) => {
            let of_user = confirmed.map(|_| {
                quote!(
                    use ::swathe::__rt::OfUser as _;
                )
            });
            Some(quote!(use ::swathe::__rt::std_func::#name::*; #of_user))
        }
        None => (args <= MOST_ARGS).then(|| {
            let module = quote::format_ident!("args{}", args);
            quote!(use ::swathe::__rt::not_func::#module::*;)
        }),
    };
    let import = quote_spanned!(span=> use #bare as #callee;);
    // The inner block hides what the outer one has, also when the import fails.
    quote!({ #otherwise { #import #call #passed } })
}

pub fn parens(span: Span, inner: TokenStream) -> TokenStream {
    delimited(Delimiter::Parenthesis, span, inner)
}

pub fn braces(span: Span, inner: TokenStream) -> TokenStream {
    delimited(Delimiter::Brace, span, inner)
}

pub fn brackets(span: Span, inner: TokenStream) -> TokenStream {
    delimited(Delimiter::Bracket, span, inner)
}

/// Between delimiters at `span`, so that rustc underlines the whole of an expression that ends there.
fn delimited(delimiter: Delimiter, span: Span, inner: TokenStream) -> TokenStream {
    let mut group = Group::new(delimiter, inner);
    group.set_span(span);
    group.to_token_stream()
}

pub fn symbol(op: BinOp, span: Span, assigns: bool) -> TokenStream {
    let text = if assigns {
        format!("{}=", op.symbol())
    } else {
        op.symbol().to_owned()
    };
    let tokens: TokenStream = text.parse().expect("an operator");
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}

fn starts_with_block(tokens: &TokenStream) -> bool {
    let first = tokens.clone().into_iter().next();
    matches!(first, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

/// The literal without a suffix to which rustc gives the type of the cast around it, if it has one of its kind.
fn under_cast(operand: &Expr) -> Option<(swathe_ir::TypeSlot, &'static str)> {
    match &operand.kind {
        ExprKind::Lit(syn::Lit::Int(lit), slot) if lit.suffix().is_empty() => Some((*slot, "int_under_cast")),
        ExprKind::Lit(syn::Lit::Float(lit), slot) if lit.suffix().is_empty() => Some((*slot, "float_under_cast")),
        ExprKind::Unary(UnOp::Neg | UnOp::Not, inner, _) => under_cast(inner),
        ExprKind::Block { label: None, block, .. } => under_cast(block.tail.as_deref()?),
        _ => None,
    }
}
