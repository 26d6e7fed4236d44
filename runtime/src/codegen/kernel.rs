//! A kernel: one `__global__` function for each phase.

use std::collections::HashSet;
use std::rc::Rc;

use swathe_ir::{BinOp, Block, Expr, ExprKind, LocalId, ParFor, Param, ParamKind, Stmt, Type};

use super::Result;
use super::arg_reduction::KEY;
use super::block_copies::{self, Copied};
use super::body::{Binding, Body, Dest, FieldBinding, Leave, PlanesBinding, STOPPED};
use super::cells;
use super::domain::{bound_name, is_short};
use super::interval::Interval;
use super::module::Module;
use super::names;
use super::phase::{Bound, Item, Phase, Plan, locals_of, plan, uses, uses_of_loop};
use super::source::{Arg, CudaSource, Entry, EntryKind, FrameLayout, Site};
use super::text::{self, wrapped};
use super::types;
use super::variant::Variant;
use crate::error::CodegenError;
use crate::kernel::walk;
use crate::kernel::{Callee, Instance};

pub(super) fn generate(instance: &Instance, variant: Variant) -> Result<CudaSource> {
    let instance = Rc::new(instance.clone());
    // A first pass finds out whether a serial phase can end the kernel at all, and what can fail.
    let (first, stops) = write(&instance, variant, true, Vec::new())?;
    let mut sites = first.sites.clone();
    // Of several failures the one with the least number is told. Places in functions are found where these are called first.
    sites.sort_by_key(|site| match site.in_function {
        true => Some((site.file.clone(), site.span.line, site.span.column)),
        false => None,
    });
    match stops && sites == first.sites {
        true => Ok(first),
        false => Ok(write(&instance, variant, stops, sites)?.0),
    }
}

/// Writes the kernel; also tells whether a serial phase ends it. `stops` is whether one may.
fn write(instance: &Rc<Instance>, variant: Variant, stops: bool, sites: Vec<Site>) -> Result<(CudaSource, bool)> {
    let mut module = Module::new(variant, sites);
    module.load(instance)?;
    let plan = plan(&mut module, instance)?;
    let cells = if variant.checked {
        module.noted_sites(&instance.func);
        cells::layouts(instance)
    } else {
        Vec::new()
    };
    let mut kernel = Kernel::new(module, instance, &plan, stops);
    let mut texts = Vec::new();
    let mut entries = Vec::new();
    for k in 0..plan.phases.len() {
        let (text, entry) = kernel.phase(k)?;
        texts.push(text);
        entries.push(entry);
    }
    let frame = kernel.frame.take();
    let func = &instance.func;
    for entry in &entries {
        fits(instance, entry)?;
    }
    for phase in &plan.phases {
        exchanges(instance, phase)?;
    }
    let header = format!("{}, {}:{}", func.name, func.file, func.span.line);
    if let Some((definition, _)) = &frame {
        texts.insert(0, definition.clone());
    }
    let sites = std::mem::take(&mut kernel.module.sites);
    let types = |p: &Param| &instance.types[func.locals[p.local.0 as usize].ty.0 as usize];
    let narrowed = func
        .params
        .iter()
        .enumerate()
        .filter(|(_, p)| variant.narrows(types(p)));
    let stops = kernel.module.stops;
    let source = CudaSource {
        text: kernel.module.finish(&header, &texts),
        entries,
        sites,
        frame: frame.map(|(_, f)| f),
        variant,
        narrowed: narrowed.map(|(k, _)| k).collect(),
        cells,
    };
    Ok((source, stops))
}

/// That an entry takes no more arguments than there is room for.
fn fits(instance: &Instance, entry: &Entry) -> Result<()> {
    let func = &instance.func;
    let size = |arg: &Arg| match arg {
        Arg::Value(k) => {
            let slot = func.locals[func.params[*k].local.0 as usize].ty;
            instance.types[slot.0 as usize].device_layout().0
        }
        _ => size_of::<u64>(),
    };
    let bytes = entry.args.iter().map(size).sum::<usize>();
    if bytes <= Entry::MOST_ARGUMENTS {
        return Ok(());
    }
    let what = format!(
        "kernel `{}`, whose arguments take {bytes} bytes and not at most {}: pass what is large in a field; it",
        func.name,
        Entry::MOST_ARGUMENTS
    );
    Err(CodegenError::unsupported(what, &func.file, func.span))
}

/// That a block has room for what its threads exchange in reductions.
fn exchanges(instance: &Instance, phase: &Phase<'_>) -> Result<()> {
    let Phase::Partial(_, p) = phase else { return Ok(()) };
    let ty = |local: LocalId| &instance.types[instance.func.locals[local.0 as usize].ty.0 as usize];
    // Each operation on a type has its own memory.
    let mut kinds = Vec::new();
    for kind in p.reductions.iter().map(|r| (r.op, ty(r.local))) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let mut args: Vec<(BinOp, &Type)> = Vec::new();
    for kind in p.arg_reductions.iter().map(|r| (r.op, ty(r.best))) {
        if !args.contains(&kind) {
            args.push(kind);
        }
    }
    let numbered = args
        .iter()
        .map(|(_, ty)| (ty.device_layout().0 + KEY.size()) * WARPS + KEY.size());
    let plain = kinds.iter().map(|(_, ty)| ty.device_layout().0 * WARPS);
    let bytes: usize = plain.chain(numbered).sum();
    if bytes <= Entry::SHARED_BYTES {
        return Ok(());
    }
    let what = format!(
        "a loop whose reductions exchange {bytes} bytes in a block's shared memory and not at most {}: reduce in several loops; it",
        Entry::SHARED_BYTES
    );
    Err(CodegenError::unsupported(what, instance.func.file_of(p.span), p.span))
}

/// Warps of the largest block in a reduction.
const WARPS: usize = Entry::REDUCE_BLOCK as usize / 32;

struct Kernel<'a> {
    module: Module,
    instance: &'a Rc<Instance>,
    plan: &'a Plan<'a>,
    /// Names of the phases.
    names: Vec<String>,
    frame_name: String,
    /// Names in the frame of the variables that live there.
    members: Vec<(LocalId, String)>,
    frame: Option<(String, FrameLayout)>,
    result: Type,
    /// A serial phase can end the kernel.
    stops: bool,
}

impl<'a> Kernel<'a> {
    fn new(mut module: Module, instance: &'a Rc<Instance>, plan: &'a Plan<'a>, stops: bool) -> Self {
        let func = &instance.func;
        let globals = &mut module.globals;
        let n = plan.phases.len();
        let mut global = |wanted: &str| {
            let name = names::unique(wanted, |name| {
                globals.contains(name) || names::is_reserved_for_items(name)
            });
            globals.insert(name.clone());
            name
        };
        let phase_names = (0..n)
            .map(|k| {
                if n == 1 {
                    global(&func.name)
                } else {
                    global(&format!("{}_{k}", func.name))
                }
            })
            .collect();
        let camel: String = func.name.split('_').map(capitalised).collect();
        let frame_name = global(&format!("{camel}Frame"));
        let mut taken = HashSet::from(["result".to_owned(), STOPPED.to_owned()]);
        taken.extend(plan.bounds.iter().map(|(bound, _)| bound_name(*bound)));
        let mut members = Vec::new();
        let types: Vec<&Type> = func
            .ret
            .iter()
            .map(|slot| &instance.types[slot.0 as usize])
            .chain(
                plan.frame
                    .iter()
                    .map(|l| &instance.types[func.locals[l.0 as usize].ty.0 as usize]),
            )
            .collect();
        for &local in &plan.frame {
            if types::is_empty(&instance.types[func.locals[local.0 as usize].ty.0 as usize]) {
                continue;
            }
            let name = names::unique_member(&func.locals[local.0 as usize].name, |n| {
                taken.contains(n) || types.iter().any(|ty| types::may_be_called(ty, n))
            });
            taken.insert(name.clone());
            members.push((local, name));
        }
        let result = func
            .ret
            .map(|slot| instance.types[slot.0 as usize].clone())
            .filter(|ty| !types::is_empty(ty))
            .unwrap_or(Type::Unit);
        let mut kernel = Kernel {
            module,
            instance,
            plan,
            names: phase_names,
            frame_name,
            members,
            frame: None,
            result,
            stops: stops && n > 1,
        };
        kernel.define_frame();
        kernel
    }

    fn define_frame(&mut self) {
        let mut members: Vec<(Type, String)> = Vec::new();
        if self.result != Type::Unit {
            members.push((self.result.clone(), "result".into()));
        }
        for (local, name) in &self.members {
            let slot = self.instance.func.locals[local.0 as usize].ty;
            members.push((self.instance.types[slot.0 as usize].clone(), name.clone()));
        }
        let mut module = std::mem::take(&mut self.module);
        for (bound, e) in &self.plan.bounds {
            let body = Body::new(&mut module, Rc::clone(self.instance), Leave::Phase { stop: false });
            if let Ok(Some(ty)) = body.type_of(e) {
                members.push((ty, bound_name(*bound)));
            }
        }
        self.module = module;
        if self.stops {
            members.push((Type::Scalar(swathe_ir::Scalar::Bool), STOPPED.into()));
        }
        if members.is_empty() {
            return;
        }
        let mut text = format!("struct {} {{\n", self.frame_name);
        for (ty, name) in &members {
            // Threads ask whether to stop while another one says so, and stop either way.
            let volatile = if name == STOPPED { "volatile " } else { "" };
            text.push_str(&format!("    {volatile}{} {name};\n", self.module.ty(ty)));
        }
        text.push_str("};\n");
        let (size, _) = Type::Tuple(members.into_iter().map(|(ty, _)| ty).collect()).device_layout();
        let result = (self.result != Type::Unit).then(|| self.result.clone());
        self.frame = Some((text, FrameLayout { size, result }));
    }

    fn phase(&mut self, k: usize) -> Result<(String, Entry)> {
        let phase = self.plan.phases[k].clone();
        let stop = self.stops && k + 1 < self.plan.phases.len();
        let hoisted: Vec<Bound> = self.plan.bounds.iter().map(|(b, _)| *b).collect();
        let mut module = std::mem::take(&mut self.module);
        let leave = match &phase {
            Phase::Loop(_, p) | Phase::Partial(_, p) => Leave::Iteration(p.label),
            _ => Leave::Phase { stop },
        };
        let mut body = Body::new(&mut module, Rc::clone(self.instance), leave);
        let written = written_fields(&phase, self.instance);
        self.bind_params(&mut body, &written)?;
        body.frame = body.declare("frame");
        let frame = body.frame.clone();
        let errors = body.declare("errors");
        body.errors = errors;
        if self.stops && k > 0 {
            body.used.frame = true;
            body.line(format!("if ({frame}->{STOPPED}) return;"));
        }
        let in_loop = matches!(phase, Phase::Loop(..) | Phase::Partial(..));
        body.stops = in_loop && stop;
        let live = self.live(&phase);
        body.live = Some(live.clone());
        for (local, name) in &self.members {
            if in_loop {
                let reduces = matches!(&phase, Phase::Partial(_, p) if p.reduced().any(|reduced| reduced == *local));
                if live.contains(local) && !reduces {
                    let ty = body.local_type(*local);
                    let t = body.module.ty(&ty);
                    let wanted = self.instance.func.locals[local.0 as usize].name.clone();
                    let own = body.declare(&wanted);
                    body.used.frame = true;
                    body.declare_constant(&t, &own, &format!("{frame}->{name}"));
                    body.bind(*local, own, true);
                }
            } else {
                body.bind_framed(*local, name);
            }
        }
        for stmt in &self.plan.uniform {
            if let Stmt::Let { pat, .. } = stmt
                && locals_of(pat).iter().any(|l| live.contains(l))
            {
                body.stmt(stmt)?;
            }
        }

        let candidates = match &phase {
            Phase::Loop(_, p) | Phase::Partial(_, p) => block_copies::candidates(p, self.instance, body.module.variant),
            Phase::Serial(_) | Phase::Finish(..) => Vec::new(),
        };
        let variant = body.module.variant;
        let copied = candidates
            .iter()
            .filter(|copied| variant.copied.contains(copied.copy.param));
        let copied: Vec<Copied> = copied.copied().collect();
        let mut partials = Vec::new();
        let kind = match &phase {
            Phase::Serial(items) => {
                self.items(&mut body, items)?;
                EntryKind::Serial
            }
            Phase::Loop(index, p) => {
                let domain = body.with_copies(&copied, p.span, |body| body.par_for(*index, p, &hoisted))?;
                EntryKind::Parallel(domain)
            }
            Phase::Partial(index, p) => {
                partials = partial_results(&mut body, p);
                for r in &p.reductions {
                    let ty = body.local_type(r.local);
                    let t = body.module.ty(&ty);
                    let zero = body.identity(r.op, &ty, p.span)?;
                    let name = body.declare_local(r.local);
                    body.bind(r.local, name.clone(), false);
                    body.line(format!("{t} {name} = {zero};"));
                }
                for r in &p.arg_reductions {
                    let member = |local| self.members.iter().find(|(member, _)| *member == local);
                    body.start_arg_reduction(r, |local| member(local).map(|(_, name)| name.clone()));
                }
                let size = body.with_copies(&copied, p.span, |body| body.par_for(*index, p, &hoisted))?;
                let mut names = partials.iter().map(|(name, _)| &name[..]);
                for (r, name) in p.reductions.iter().zip(&mut names) {
                    body.partial(*r, name, p.span)?;
                }
                for r in &p.arg_reductions {
                    body.partial_arg_reduction(r, &mut names, p.span)?;
                }
                EntryKind::ReducePartial(size)
            }
            Phase::Finish(p, before, after) => {
                partials = partial_results(&mut body, p);
                body.partial_count = body.declare("partial_count");
                let mut totals = Vec::new();
                let mut names = partials.iter().map(|(name, _)| &name[..]);
                for (r, name) in p.reductions.iter().zip(&mut names) {
                    totals.push(body.total(*r, name, p.span)?);
                }
                let mut args = Vec::new();
                for r in &p.arg_reductions {
                    args.push(body.total_arg_reduction(r, &mut names, p.span)?);
                }
                body.line("if (threadIdx.x != 0) return;");
                self.items(&mut body, before)?;
                for (r, total) in p.reductions.iter().zip(totals) {
                    let place = body.local_text(r.local);
                    body.use_frame_of(r.local);
                    let place = super::domain::memory(&place, total.ty.clone());
                    body.combine(r.op, &place, &total, p.span)?;
                }
                for (r, total) in p.arg_reductions.iter().zip(args) {
                    body.take_arg_reduction(r, &total);
                }
                self.items(&mut body, after)?;
                EntryKind::ReduceFinish
            }
        };

        let (args, list) = self.signature(&mut body, kind, &partials);
        let lines = std::mem::take(&mut body.lines);
        self.module = module;
        let name = self.names[k].clone();
        let head = wrapped(
            &format!("extern \"C\" __global__ void {name}("),
            &list,
            ",",
            ")",
            "    ",
        );
        let place = match &phase {
            Phase::Loop(_, p) | Phase::Partial(_, p) => p.span,
            Phase::Serial(_) | Phase::Finish(..) => self.instance.func.span,
        };
        let at = match self.plan.phases.len() {
            1 => self.instance.func.span,
            _ => place,
        };
        let sites = std::mem::take(&mut self.module.asked).into_iter().collect();
        let text = text::function(&head, &lines, &self.instance.func, at);
        let entry = Entry {
            name,
            kind,
            args,
            place,
            sites,
            copies: candidates.iter().map(|copied| copied.copy).collect(),
            even: matches!(&phase, Phase::Loop(_, p) if is_short(&p.body) && !calls_functions(&p.body, self.instance)),
        };
        Ok((text, entry))
    }

    fn items(&self, body: &mut Body<'_>, items: &[Item<'_>]) -> Result<()> {
        for item in items {
            match item {
                Item::Stmt(stmt) => self.serial_stmt(body, stmt)?,
                Item::Result(e) if self.result == Type::Unit => body.lower_to(e, &Dest::Discard)?,
                Item::Result(e) => {
                    body.used.frame = true;
                    body.source = Some(e.span);
                    body.lower_to(e, &Dest::Var(body.framed("result")))?;
                }
                Item::Bound(bound, e) => {
                    body.used.frame = true;
                    body.lower_to(e, &Dest::Var(body.framed(&bound_name(*bound))))?;
                }
            }
        }
        Ok(())
    }

    /// A statement that runs once; a `let` of a variable in the frame is an assignment.
    fn serial_stmt(&self, body: &mut Body<'_>, stmt: &Stmt) -> Result<()> {
        let Stmt::Let { pat, init, span } = stmt else {
            return body.stmt(stmt);
        };
        let framed = |l: &LocalId| self.members.iter().find(|(m, _)| m == l).map(|(_, name)| name.clone());
        let locals = locals_of(pat);
        if !locals.iter().any(|l| framed(l).is_some()) {
            return body.stmt(stmt);
        }
        body.used.frame = true;
        let Some(init) = init else { return Ok(()) };
        body.source = Some(*span);
        if let swathe_ir::Pat::Bind(local) = pat {
            let name = framed(local).unwrap_or_default();
            return body.lower_to(init, &Dest::Var(body.framed(&name)));
        }
        body.stmt(stmt)?;
        for local in locals {
            if let (Some(name), Some(Binding::Name { text, .. })) = (framed(&local), body.locals.get(&local).cloned()) {
                let place = body.framed(&name);
                body.effect(format!("{place} = {text};"));
                body.bind_framed(local, &name);
            }
        }
        Ok(())
    }

    fn bind_params(&self, body: &mut Body<'_>, written: &HashSet<LocalId>) -> Result<()> {
        let func = &self.instance.func;
        for (param, p) in func.params.iter().enumerate() {
            let local = &func.locals[p.local.0 as usize];
            let name = body.declare(&local.name);
            match body.local_type(p.local) {
                Type::Field(element, rank) => {
                    let extents = (0..rank).map(|axis| body.declare(&format!("{name}_{axis}"))).collect();
                    let axes = if body.module.variant.strided.contains(param) {
                        rank
                    } else {
                        0
                    };
                    let strides = (0..axes)
                        .map(|axis| body.declare(&format!("{name}_stride_{axis}")))
                        .collect();
                    let planes = body.module.variant.planar.contains(param).then(|| PlanesBinding {
                        pitch: body.declare(&format!("{name}_pitch")),
                        origin: (axes > 0 || (rank == 0 && body.module.variant.strided.contains(param)))
                            .then(|| body.declare(&format!("{name}_origin"))),
                    });
                    let starts = (0..rank)
                        .map(|axis| body.declare(&format!("{name}_start_{axis}")))
                        .collect();
                    let mutable = written.contains(&p.local);
                    let checked = body.module.variant.checked;
                    let cells = checked.then(|| body.declare(&format!("{name}_cells")));
                    let field = FieldBinding {
                        param,
                        name,
                        element: *element,
                        extents,
                        starts,
                        strides,
                        planes,
                        cells,
                        mutable,
                    };
                    body.locals.insert(p.local, Binding::Field(field));
                }
                _ if local.mutable => return body.unsupported("a `mut` parameter of a kernel", local.span),
                _ => {
                    let ty = body.local_type(p.local);
                    let bounds = body.module.variant.narrows(&ty).then_some(Interval::EXTENT);
                    body.bind_narrow(p.local, name, bounds);
                    body.value_params.insert(p.local, param);
                }
            }
        }
        Ok(())
    }

    /// Arguments that a phase uses, and their declarations.
    fn signature(&self, body: &mut Body<'_>, kind: EntryKind, partials: &[(String, Type)]) -> (Vec<Arg>, Vec<String>) {
        let (mut args, mut list) = (Vec::new(), Vec::new());
        for (param, p) in self.instance.func.params.iter().enumerate() {
            match body.locals.get(&p.local).cloned() {
                Some(Binding::Field(f)) => {
                    for arg in body.used.of_field(&f) {
                        list.push(body.declared_argument(&f, arg));
                        args.push(arg);
                    }
                }
                Some(Binding::Name { text, .. }) if body.used.values.contains(&param) => {
                    let ty = body.local_type(p.local);
                    let t = if body.module.variant.narrows(&ty) {
                        body.module.variant.index.name().to_owned()
                    } else {
                        body.module.ty(&ty)
                    };
                    args.push(Arg::Value(param));
                    list.push(format!("{t} {text}"));
                }
                _ => {}
            }
        }
        for (index, (name, ty)) in partials.iter().enumerate() {
            let t = body.module.ty(ty);
            let qualifier = if kind == EntryKind::ReduceFinish { "const " } else { "" };
            args.push(Arg::Partials { index, size: ty.size() });
            list.push(format!("{qualifier}{t}* __restrict__ {name}"));
        }
        if kind == EntryKind::ReduceFinish {
            args.push(Arg::PartialCount);
            list.push(format!("u32 {}", body.partial_count));
        }
        if body.used.frame {
            args.push(Arg::Frame);
            list.push(format!("{}* {}", self.frame_name, body.frame));
        }
        if body.fails {
            args.push(Arg::Errors);
            list.push(format!("Errors* {}", body.errors));
        }
        (args, list)
    }

    /// Variables that a phase uses, also by way of the `let`s that it repeats.
    fn live(&self, phase: &Phase<'_>) -> HashSet<LocalId> {
        let mut live = HashSet::new();
        match phase {
            Phase::Serial(items) => items.iter().for_each(|i| i.uses(&mut live)),
            Phase::Loop(_, p) | Phase::Partial(_, p) => uses_of_loop(p, &mut live),
            Phase::Finish(p, before, after) => {
                before.iter().chain(after).for_each(|i| i.uses(&mut live));
                live.extend(p.reduced());
            }
        }
        for stmt in self.plan.uniform.iter().rev() {
            if let Stmt::Let {
                pat, init: Some(init), ..
            } = stmt
                && locals_of(pat).iter().any(|l| live.contains(l))
            {
                uses(init, &mut live);
            }
        }
        live.extend(
            self.members
                .iter()
                .map(|(l, _)| *l)
                .filter(|_| !matches!(phase, Phase::Loop(..) | Phase::Partial(..))),
        );
        live
    }
}

/// Names and types of the partial results: of reductions, and behind them of variables that are taken together, each with the number of the iteration
/// that they are of.
fn partial_results(body: &mut Body<'_>, p: &ParFor) -> Vec<(String, Type)> {
    let instance = Rc::clone(&body.instance);
    let name = |local: LocalId| &instance.func.locals[local.0 as usize].name;
    let mut partials: Vec<(String, Type)> = Vec::new();
    let mut partial =
        |body: &mut Body<'_>, name: &str, ty| partials.push((body.declare(&format!("{name}_partials")), ty));
    for r in &p.reductions {
        let ty = body.local_type(r.local);
        partial(body, name(r.local), ty);
    }
    for r in &p.arg_reductions {
        for local in body.taken(r) {
            let ty = body.local_type(local);
            partial(body, name(local), ty);
        }
        partial(body, &format!("{}_iteration", name(r.best)), Type::Scalar(KEY));
    }
    partials
}

/// Whether a body calls functions of the user's, in which there may be loops.
fn calls_functions(body: &Block, instance: &Instance) -> bool {
    let mut calls = false;
    walk::block(body, &mut |e| {
        let slot = match &e.kind {
            ExprKind::Call { callee, .. } | ExprKind::Method { callee, .. } => Some(*callee),
            ExprKind::Unary(.., slot) | ExprKind::Binary(.., slot) | ExprKind::AssignOp(.., slot) => *slot,
            _ => None,
        };
        let callee = slot.and_then(|slot| instance.callees.get(slot.0 as usize));
        calls |= matches!(callee, Some(Callee::Func(_)));
    });
    calls
}

/// Fields that a phase changes.
fn written_fields(phase: &Phase<'_>, instance: &Instance) -> HashSet<LocalId> {
    let mut written = HashSet::new();
    let mut look = |e: &Expr| {
        let root = match &e.kind {
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, ..) => root(place),
            ExprKind::Ref { mutable: true, place } => root(place),
            ExprKind::Atomic(_, place, _) => root(place),
            ExprKind::Method { receiver, callee, .. } => match instance.callees.get(callee.0 as usize) {
                Some(Callee::Func(_)) => root(receiver),
                _ => None,
            },
            _ => None,
        };
        written.extend(root);
    };
    match phase {
        Phase::Loop(_, p) | Phase::Partial(_, p) => walk::par_for(p, &mut look),
        Phase::Serial(items) => visit(items, &mut look),
        Phase::Finish(_, before, after) => {
            visit(before, &mut look);
            visit(after, &mut look);
        }
    }
    // What is borrowed immutably stays so, whatever a method of its element might look like.
    let func = &instance.func;
    written.retain(|l| {
        func.params
            .iter()
            .any(|p| p.local == *l && p.kind == ParamKind::Field { mutable: true })
    });
    written
}

fn visit(items: &[Item<'_>], look: &mut dyn FnMut(&Expr)) {
    for item in items {
        match item {
            Item::Stmt(stmt) => walk::stmt(stmt, look),
            Item::Result(e) | Item::Bound(_, e) => walk::expr(e, look),
        }
    }
}

/// The field that a place is in.
pub(super) fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Field(access) => Some(access.field),
        ExprKind::Member(a, _) | ExprKind::Index(a, _) | ExprKind::Unary(_, a, _) | ExprKind::Ref { place: a, .. } => {
            root(a)
        }
        ExprKind::Block(_, block) => root(block.tail.as_ref()?),
        _ => None,
    }
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
