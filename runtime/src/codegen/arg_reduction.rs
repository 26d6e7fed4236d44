//! Reductions to an extreme value and what belongs to it: every thread compares in its own order, with the number of the iteration that it took last beside
//! its variables. Blocks, and then the blocks of a grid, find the iteration that a loop in order would have taken last. Its thread alone hands on the
//! variables, which may be of any type.

use swathe_ir::{ArgReduction, BinOp, LocalId, Scalar, Span, Type};

use super::Result;
use super::body::Body;
use super::domain::memory;
use super::reduce::WARP;
use super::source::Entry;
use super::types::is_empty;
use super::value::prec;

/// Of the number of an iteration, counted from 1; 0 is none.
pub(super) const KEY: Scalar = Scalar::U64;

/// What a grid has found.
pub(super) struct Found {
    /// The iteration, and the block that it is of.
    iteration: String,
    block: String,
    /// Partial results, one a block.
    partials: Vec<String>,
}

impl Body<'_> {
    /// Its variables that have a place on a device.
    pub(super) fn taken(&self, r: &ArgReduction) -> Vec<LocalId> {
        r.locals().filter(|local| !is_empty(&self.local_type(*local))).collect()
    }

    /// In front of the loop: its variables are what they are, and no iteration is taken. `from` is where a variable's value stands.
    pub(super) fn start_arg_reduction(&mut self, r: &ArgReduction, from: impl Fn(LocalId) -> Option<String>) {
        for local in self.taken(r) {
            let ty = self.local_type(local);
            let t = self.module.ty(&ty);
            let value = match from(local) {
                Some(member) => {
                    self.used.frame = true;
                    self.framed(&member)
                }
                None => self.local_text(local),
            };
            let name = self.declare_local(local);
            self.bind(local, name.clone(), false);
            self.line(format!("{t} {name} = {value};"));
        }
        let best = self.instance.func.locals[r.best.0 as usize].name.clone();
        let iteration = self.declare(&format!("{best}_iteration"));
        self.line(format!("u64 {iteration} = 0;"));
        self.taken_last.insert(r.best, iteration);
    }

    /// After an assignment to a variable: if it is one that was compared, the iteration is taken.
    pub(super) fn take_iteration(&mut self, local: LocalId) {
        if let Some(iteration) = self.taken_last.get(&local) {
            let taken = format!("{iteration} = u64({}) + 1;", self.iteration);
            self.flat_used = true;
            self.effect(taken);
        }
    }

    /// After the loop: the variables of one thread for each block.
    pub(super) fn partial_arg_reduction<'n>(
        &mut self,
        r: &ArgReduction,
        partials: &mut impl Iterator<Item = &'n str>,
        span: Span,
    ) -> Result<()> {
        let iteration = self.taken_last[&r.best].clone();
        let best = self.local_text(r.best);
        let first = self.block_first(r, span)?;
        let taken = self.declare("taken");
        self.line(format!("const u64 {taken} = {first}({best}, {iteration});"));
        self.open_if(&format!(
            "{taken} != 0 ? {iteration} == {taken} : thread_in_block() == 0"
        ));
        self.depth += 1;
        for local in self.taken(r) {
            let (name, partial) = (self.local_text(local), partials.next().unwrap_or_default());
            self.line(format!("{partial}[block_in_grid()] = {name};"));
        }
        let partial = partials.next().unwrap_or_default();
        self.line(format!("{partial}[block_in_grid()] = {taken};"));
        self.depth -= 1;
        self.close();
        Ok(())
    }

    /// Finds the iteration among those of all blocks. All threads come here.
    pub(super) fn total_arg_reduction<'n>(
        &mut self,
        r: &ArgReduction,
        partials: &mut impl Iterator<Item = &'n str>,
        span: Span,
    ) -> Result<Found> {
        let ty = self.local_type(r.best);
        let t = self.module.ty(&ty);
        let count = self.taken(r).len();
        let partials: Vec<String> = partials.by_ref().take(count + 1).map(str::to_owned).collect();
        let (Some(bests), Some(iterations)) = (partials.first(), partials.last()) else {
            return self.unsupported("this comparison", span);
        };
        let name = self.instance.func.locals[r.best.0 as usize].name.clone();
        let [best, iteration, from] =
            ["best", "iteration", "block"].map(|what| self.declare(&format!("{name}_{what}")));
        self.line(format!("{t} {best} = {bests}[0];"));
        self.line(format!("u64 {iteration} = 0;"));
        self.line(format!("u32 {from} = 0;"));
        let count = self.partial_count.clone();
        self.line(format!("for (u32 k = threadIdx.x; k < {count}; k += blockDim.x) {{"));
        self.depth += 1;
        self.line(format!("const {t} other = {bests}[k];"));
        self.line(format!("const u64 of = {iterations}[k];"));
        let comes_later = self.comes_later(r.op, &ty, [&best, &iteration], span)?;
        self.open_if(&comes_later);
        self.depth += 1;
        for (place, value) in [(&best, "other"), (&iteration, "of"), (&from, "k")] {
            self.line(format!("{place} = {value};"));
        }
        self.depth -= 1;
        self.close();
        self.depth -= 1;
        self.close();
        let first = self.block_first(r, span)?;
        let [taken, chosen] = ["taken", "chosen"].map(|what| self.declare(what));
        self.line(format!("const u64 {taken} = {first}({best}, {iteration});"));
        self.line(format!("__shared__ u32 {chosen};"));
        self.line(format!(
            "if ({taken} != 0 && {iteration} == {taken}) {chosen} = {from};"
        ));
        self.line("__syncthreads();");
        Ok(Found {
            iteration: taken,
            block: chosen,
            partials,
        })
    }

    /// Gives the variables their values, if an iteration has any.
    pub(super) fn take_arg_reduction(&mut self, r: &ArgReduction, found: &Found) {
        self.open_if(&format!("{} != 0", found.iteration));
        self.depth += 1;
        for (local, partials) in self.taken(r).into_iter().zip(&found.partials) {
            self.use_frame_of(local);
            let place = self.local_text(local);
            self.line(format!("{place} = {partials}[{}];", found.block));
        }
        self.depth -= 1;
        self.close();
    }

    /// Whether the loop in order would take the iteration `of`, of which `other` is, after the one that is given by names.
    fn comes_later(&mut self, op: BinOp, ty: &Type, [best, iteration]: [&str; 2], span: Span) -> Result<String> {
        let (strict, earlier) = match op {
            BinOp::Lt => (BinOp::Lt, true),
            BinOp::Gt => (BinOp::Gt, true),
            BinOp::Le => (BinOp::Lt, false),
            _ => (BinOp::Gt, false),
        };
        let mut compare = |op| {
            let [left, right] = ["other", best].map(|name| memory(name, ty.clone()));
            self.binary(op, left, right, span)
        };
        let (better, same) = (compare(strict)?, compare(BinOp::Eq)?);
        let [better, same] = [better, same].map(|value| value.at(prec::AND + 1).into_owned());
        // Of equal values one that is below the other is taken no more; one that may be as large is taken again.
        let order = if earlier { "<" } else { ">" };
        Ok(format!(
            "of != 0 && ({iteration} == 0 || {better} || ({same} && of {order} {iteration}))"
        ))
    }

    /// Name of the function that tells all threads of a block which of their iterations the loop in order would take last.
    fn block_first(&mut self, r: &ArgReduction, span: Span) -> Result<String> {
        let ty = self.local_type(r.best);
        let t = self.module.ty(&ty);
        let verb = match r.op {
            BinOp::Lt => "first_least",
            BinOp::Le => "last_least",
            BinOp::Gt => "first_greatest",
            _ => "last_greatest",
        };
        let name = format!("block_{verb}_{t}");
        let comes_later = self.comes_later(r.op, &ty, ["best", "iteration"], span)?;
        let [ahead, numbers_ahead] = [&ty, &Type::Scalar(KEY)].map(|ty| self.shuffle_helper(ty));
        let warps = Entry::REDUCE_BLOCK / WARP;
        self.module.place_in_block();
        let round = |lanes: &str, indent: &str| {
            let lines = [
                format!("const {t} other = {ahead}(best, half, {lanes});"),
                format!("const u64 of = {numbers_ahead}(iteration, half, {lanes});"),
                format!("if ({comes_later}) {{"),
                "    best = other;".to_owned(),
                "    iteration = of;".to_owned(),
                "}".to_owned(),
            ];
            lines.map(|line| format!("{indent}{line}\n")).concat()
        };
        let (within, across) = (round("lanes", "        "), round(&WARP.to_string(), "            "));
        self.module.helper(&name, || {
            format!(
                "static __device__ u64 {name}({t} best, u64 iteration) {{
    __shared__ {t} values[{warps}];
    __shared__ u64 iterations[{warps}];
    __shared__ u64 taken;
    const u32 thread = thread_in_block();
    const u32 threads = blockDim.x * blockDim.y * blockDim.z;
    const u32 lanes = threads < {WARP} ? threads : {WARP};
    for (u32 half = lanes / 2; half > 0; half /= 2) {{
{within}    }}
    if (threads > {WARP}) {{
        const u32 warps = threads / {WARP};
        __syncthreads();
        if (thread % {WARP} == 0) {{
            values[thread / {WARP}] = best;
            iterations[thread / {WARP}] = iteration;
        }}
        __syncthreads();
        best = values[thread & (warps - 1)];
        iteration = iterations[thread & (warps - 1)];
        for (u32 half = warps / 2; half > 0; half /= 2) {{
{across}        }}
    }}
    __syncthreads();
    if (thread == 0) taken = iteration;
    __syncthreads();
    return taken;
}}
"
            )
        });
        Ok(name)
    }
}
