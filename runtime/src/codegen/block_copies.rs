//! Copies of fields in a block's shared memory (privatisation): a loop that changes a small field by atomic operations alone changes the
//! block's copy, and at the end the block joins its copy to the field.

use swathe_ir::{AtomicOp, Block, Expr, ExprKind, LocalId, ParFor, Pat, ReduceOp, Scalar, Span, Stmt, Type};

use super::Result;
use super::body::{Binding, Body};
use super::kernel::root;
use super::variant::Variant;
use crate::kernel::Instance;
use crate::kernel::walk;

/// A field that a loop may change in copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCopy {
    /// Its parameter.
    pub param: usize,
    /// Bytes of an element.
    pub bytes: usize,
}

/// The same, on the way to a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    pub copy: BlockCopy,
    local: LocalId,
    /// What joins two values, of this type.
    op: ReduceOp,
    scalar: Scalar,
}

impl BlockCopy {
    /// Where each copy begins and ends: at this many bytes.
    pub const ALIGN: usize = 16;
}

/// The fields that a loop does nothing with but change their elements by atomic operations of one kind, of which nobody uses a result.
/// Only operations that shared memory has instructions for: those on integers of 32 bits.
pub(super) fn candidates(p: &ParFor, instance: &Instance, variant: Variant) -> Vec<Copied> {
    if variant.checked {
        return Vec::new();
    }
    let params = instance.func.params.iter().enumerate();
    let candidate = |(param, of): (usize, &swathe_ir::Param)| {
        let slot = instance.func.locals[of.local.0 as usize].ty;
        let Type::Field(element, _) = instance.types.get(slot.0 as usize)? else {
            return None;
        };
        let (scalar, bytes) = (only_scalar(element)?, element.device_layout().0);
        let in_gaps = variant.strided.contains(param) || variant.planar.contains(param);
        if in_gaps || !matches!(scalar, Scalar::I32 | Scalar::U32) {
            return None;
        }
        let op = joined(p, of.local)?;
        let copy = BlockCopy { param, bytes };
        Some(Copied {
            copy,
            local: of.local,
            op,
            scalar,
        })
    };
    params.filter_map(candidate).collect()
}

/// The type of all scalars of an element.
fn only_scalar(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Array(item, n) if *n > 0 => only_scalar(item),
        Type::Struct(s) => {
            let mut scalars = s.members.iter().map(|member| only_scalar(&member.ty));
            let first = scalars.next()??;
            scalars.all(|other| other == Some(first)).then_some(first)
        }
        _ => ty.scalar(),
    }
}

/// What all changes of a field do, if there are some and the loop has no other access to it.
fn joined(p: &ParFor, field: LocalId) -> Option<ReduceOp> {
    let mut accesses = 0_usize;
    let mut changes = Vec::new();
    changes_in(&p.body, field, &mut changes);
    walk::par_for(p, &mut |e| {
        match &e.kind {
            ExprKind::Field(access) => accesses += usize::from(access.field == field),
            ExprKind::FieldArgument(lent) => accesses += usize::from(*lent == field),
            _ => {}
        }
        blocks(e, &mut |block| changes_in(block, field, &mut changes));
    });
    let first = *changes.first()?;
    (accesses == changes.len() && changes.iter().all(|op| *op == first)).then_some(first)
}

/// The changes of a field whose results a block drops.
fn changes_in(block: &Block, field: LocalId, changes: &mut Vec<ReduceOp>) {
    let dropped = block.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Expr(e)
        | Stmt::Let {
            pat: Pat::Wild,
            init: Some(e),
            ..
        } => Some(e),
        _ => None,
    });
    dropped.for_each(|e| dropped_changes(e, field, changes));
}

/// The changes of a field whose results are those of an expression that nobody uses.
fn dropped_changes(e: &Expr, field: LocalId, changes: &mut Vec<ReduceOp>) {
    let tail = |block: &Block, changes: &mut Vec<ReduceOp>| {
        block.tail.iter().for_each(|e| dropped_changes(e, field, changes));
    };
    match &e.kind {
        ExprKind::Atomic(op, place, _) if root(place) == Some(field) => changes.extend(match op {
            AtomicOp::Add | AtomicOp::Sub => Some(ReduceOp::Add),
            AtomicOp::Min => Some(ReduceOp::Min),
            AtomicOp::Max => Some(ReduceOp::Max),
            AtomicOp::And => Some(ReduceOp::And),
            AtomicOp::Or => Some(ReduceOp::Or),
            AtomicOp::Xor => Some(ReduceOp::Xor),
            AtomicOp::Exchange | AtomicOp::CompareExchange | AtomicOp::Load | AtomicOp::Store => None,
        }),
        ExprKind::Block(_, block) => tail(block, changes),
        ExprKind::If(_, then, other) => {
            tail(then, changes);
            other.iter().for_each(|e| dropped_changes(e, field, changes));
        }
        ExprKind::Match(_, arms) => arms.iter().for_each(|arm| dropped_changes(&arm.body, field, changes)),
        _ => {}
    }
}

/// The blocks that an expression is made of.
fn blocks(e: &Expr, visit: &mut dyn FnMut(&Block)) {
    match &e.kind {
        ExprKind::Block(_, block)
        | ExprKind::Loop(_, block)
        | ExprKind::While(_, _, block)
        | ExprKind::For(_, _, _, block)
        | ExprKind::If(_, block, _) => visit(block),
        _ => {}
    }
}

/// The function that joins a word to a field.
const fn atomic(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Min => "atomicMin",
        ReduceOp::Max => "atomicMax",
        ReduceOp::And => "atomicAnd",
        ReduceOp::Or => "atomicOr",
        ReduceOp::Xor => "atomicXor",
        ReduceOp::Add | ReduceOp::Mul => "atomicAdd",
    }
}

impl Body<'_> {
    /// Writes what a loop that changes copies begins with, and what it ends with behind it.
    pub(super) fn with_copies<R>(
        &mut self,
        copies: &[Copied],
        span: Span,
        write: impl FnOnce(&mut Self) -> Result<R>,
    ) -> Result<R> {
        if copies.is_empty() {
            return write(self);
        }
        let (word, index) = (
            self.module.ty(&Type::Scalar(Scalar::U32)),
            self.module.variant.index.name(),
        );
        self.module.place_in_block();
        let [memory, threads] = ["shared_copies", "threads"].map(|name| self.declare(name));
        self.line(format!(
            "extern __shared__ __align__({}) {word} {memory}[];",
            BlockCopy::ALIGN
        ));
        self.line(format!("const u32 {threads} = blockDim.x * blockDim.y * blockDim.z;"));
        let mut fields = Vec::new();
        let mut before = String::new();
        let mut ends = Vec::new();
        for copied in copies {
            let Some(Binding::Field(field)) = self.locals.get(&copied.local).cloned() else {
                return self.unsupported("this field", span);
            };
            let BlockCopy { param, bytes } = copied.copy;
            self.used.fields.insert(param);
            self.used
                .extents
                .extend((0..field.extents.len()).map(|axis| (param, axis)));
            let mut factors = field.extents.clone();
            if bytes > 4 || factors.is_empty() {
                factors.push((bytes / 4).to_string());
            }
            let [count, words, k] = ["count", "copy", "k"].map(|what| self.declare(&format!("{}_{what}", field.name)));
            let [element, t] = [&field.element, &Type::Scalar(copied.scalar)].map(|ty| self.module.ty(ty));
            let zero = self.identity(copied.op, &Type::Scalar(copied.scalar), span)?;
            self.line(format!("const {index} {count} = {};", factors.join(" * ")));
            self.line(format!("{t}* const {words} = ({t}*)({memory}{before});"));
            before.push_str(&format!(" + ({count} + 3) / 4 * 4"));
            let mut own = words.clone();
            let mut all = field.name.clone();
            if element != t {
                own = self.declare(&format!("{}_elements", field.name));
                self.line(format!("{element}* const {own} = ({element}*){words};"));
                all = format!("(({t}*){all})");
            }
            let every = format!("for ({index} {k} = thread_in_block(); {k} < {count}; {k} += {threads})");
            self.line(format!("{every} {words}[{k}] = {zero};"));
            ends.push(format!("{every} {{"));
            ends.push(format!(
                "    if ({words}[{k}] != {zero}) {}(&{all}[{k}], {words}[{k}]);",
                atomic(copied.op)
            ));
            ends.push("}".to_owned());
            let mut in_copy = field.clone();
            in_copy.name = own;
            self.locals.insert(copied.local, Binding::Field(in_copy));
            fields.push((copied.local, Binding::Field(field)));
        }
        self.line("__syncthreads();");
        let written = write(self)?;
        self.locals.extend(fields);
        self.line("__syncthreads();");
        ends.into_iter().for_each(|line| self.line(line));
        Ok(written)
    }
}
