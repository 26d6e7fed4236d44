//! Reductions: every thread accumulates, every block combines its threads by shuffles, and one block the blocks. Which
//! values meet in which order depends on the sizes of domain, grid and block alone.

use swathe_ir::{BinOp, LocalId, ReduceOp, Reduction, Scalar, Span, Type};

use super::Result;
use super::body::Body;
use super::complex;
use super::domain::memory;
use super::helper::{braced, filled};
use super::literal;
use super::operator::components;
use super::scalar;
use super::source::Entry;
use super::value::{Value, prec};

/// Threads that exchange values without shared memory.
pub(super) const WARP: u32 = 32;

const fn verb(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Add => "sum",
        ReduceOp::Mul => "product",
        ReduceOp::Min => "min",
        ReduceOp::Max => "max",
        ReduceOp::And => "and",
        ReduceOp::Or => "or",
        ReduceOp::Xor => "xor",
    }
}

/// The value that changes nothing.
fn identity(op: ReduceOp, s: Scalar) -> Value {
    let (least, most) = scalar::bounds(s);
    match op {
        // A sum of negative zeros is one.
        ReduceOp::Add if s.is_float() => literal::float(-0.0, s),
        ReduceOp::Add | ReduceOp::Or | ReduceOp::Xor => literal::number(0, s),
        ReduceOp::Mul => literal::number(1, s),
        // An infinity would take the place of a variable that is NaN.
        ReduceOp::Min | ReduceOp::Max if s.is_float() => literal::float(f64::NAN, s),
        ReduceOp::Min => literal::int(most, s, false),
        ReduceOp::Max => literal::int(least, s, false),
        ReduceOp::And if s.is_signed() => literal::number(-1, s),
        ReduceOp::And => literal::number(most.max(1), s),
    }
}

impl Body<'_> {
    pub(super) fn identity(&mut self, op: ReduceOp, ty: &Type, span: Span) -> Result<String> {
        let Some(s) = ty.scalar().or_else(|| complex::part(ty)) else {
            return self.unsupported(format!("a reduction of `{ty}`"), span);
        };
        let name = self.module.ty(ty);
        if op == ReduceOp::Mul && complex::part(ty).is_some() {
            let parts = [identity(op, s).text, literal::number(0, s).text];
            return Ok(braced(ty, &name, &parts));
        }
        Ok(filled(ty, &name, &identity(op, s).text))
    }

    /// Statements that accumulate `value` into `place`.
    pub(super) fn combine(&mut self, op: ReduceOp, place: &Value, value: &Value, span: Span) -> Result<()> {
        let binary = match op {
            ReduceOp::Add => BinOp::Add,
            ReduceOp::Mul => BinOp::Mul,
            ReduceOp::And => BinOp::BitAnd,
            ReduceOp::Or => BinOp::BitOr,
            ReduceOp::Xor => BinOp::BitXor,
            ReduceOp::Min | ReduceOp::Max => {
                let Some(s) = place.ty.scalar() else { return Ok(()) };
                let method = if op == ReduceOp::Min { "lesser" } else { "greater" };
                for (x, y) in components(place).into_iter().zip(components(value)) {
                    let operands = vec![memory(&x, Type::Scalar(s)), memory(&y, Type::Scalar(s))];
                    let better = self.built_in(&Type::Scalar(s), method, operands, span)?;
                    self.effect(format!("{x} = {};", better.text));
                }
                return Ok(());
            }
        };
        if let (ReduceOp::Mul, Type::Matrix(s, ..)) = (op, &place.ty) {
            for (x, y) in components(place).into_iter().zip(components(value)) {
                self.assign_op(
                    BinOp::Mul,
                    memory(&x, Type::Scalar(*s)),
                    memory(&y, Type::Scalar(*s)),
                    span,
                )?;
            }
            return Ok(());
        }
        self.assign_op(binary, place.clone(), value.clone(), span)
    }

    /// Name of the function that combines a block's values; its first thread gets the result.
    fn block_helper(&mut self, op: ReduceOp, ty: &Type, span: Span) -> Result<String> {
        let t = self.module.ty(ty);
        let name = format!("block_{}_{t}", verb(op));
        let depth = std::mem::replace(&mut self.depth, 2);
        let combined = self.sub(|body| {
            let mine = memory("value", ty.clone());
            let other = memory("other", ty.clone());
            body.combine(op, &mine, &other, span)
        });
        self.depth = depth;
        let (lines, ()) = combined?;
        let statements: String = lines.iter().map(|l| format!("        {}\n", l.text)).collect();
        let shuffled = self.shuffle_helper(ty);
        let warps = Entry::REDUCE_BLOCK / WARP;
        self.module.place_in_block();
        // The second round runs in every warp, as cheap as in one, and without a branch. Warps are a power of two. Their number is
        // no divisor: NVRTC would divide in front of the branch, too, behind which it is not 0.
        self.module.helper(&name, || {
            format!(
                "static __device__ {t} {name}({t} value) {{
    __shared__ {t} values[{warps}];
    const u32 thread = thread_in_block();
    const u32 threads = blockDim.x * blockDim.y * blockDim.z;
    const u32 lanes = threads < {WARP} ? threads : {WARP};
    for (u32 half = lanes / 2; half > 0; half /= 2) {{
        const {t} other = {shuffled}(value, half, lanes);
{statements}    }}
    if (threads <= {WARP}) return value;
    const u32 warps = threads / {WARP};
    __syncthreads();
    if (thread % {WARP} == 0) values[thread / {WARP}] = value;
    __syncthreads();
    value = values[thread & (warps - 1)];
    for (u32 half = warps / 2; half > 0; half /= 2) {{
        const {t} other = {shuffled}(value, half, {WARP});
{statements}    }}
    return value;
}}
"
            )
        });
        Ok(name)
    }

    /// Name of the function that gives the value of a thread further along in the warp.
    pub(super) fn shuffle_helper(&mut self, ty: &Type) -> String {
        let t = self.module.ty(ty);
        let name = format!("ahead_{t}");
        let scalar = ty.scalar().or_else(|| complex::part(ty)).unwrap_or(Scalar::F32);
        let items: Vec<String> = components(&memory("value", ty.clone()))
            .into_iter()
            .map(|c| {
                if scalar.is_half() {
                    return format!("{}_of(__shfl_down_sync(mask, {c}.bits, by))", scalar::name(scalar));
                }
                let moved = format!("__shfl_down_sync(mask, {c}, by)");
                if scalar.size() < 4 {
                    format!("{}({moved})", scalar::name(scalar))
                } else {
                    moved
                }
            })
            .collect();
        let value = match (ty, items.as_slice()) {
            (Type::Scalar(_), [one]) => one.clone(),
            _ => braced(ty, &t, &items),
        };
        self.module.helper(&name, || {
            format!(
                "static __device__ __forceinline__ {t} {name}({t} value, u32 by, u32 lanes) {{
    const u32 mask = 0xffffffffu >> ({WARP} - lanes);
    return {value};
}}
"
            )
        });
        name
    }

    /// After the loop: one partial result for each block.
    pub(super) fn partial(&mut self, r: Reduction, partials: &str, span: Span) -> Result<()> {
        let ty = self.local_type(r.local);
        let helper = self.block_helper(r.op, &ty, span)?;
        let name = self.local_text(r.local);
        self.line(format!("{name} = {helper}({name});"));
        self.line(format!(
            "if (thread_in_block() == 0) {partials}[block_in_grid()] = {name};"
        ));
        Ok(())
    }

    /// The sum of all partial results, in a variable of its own.
    pub(super) fn total(&mut self, r: Reduction, partials: &str, span: Span) -> Result<Value> {
        let ty = self.local_type(r.local);
        let t = self.module.ty(&ty);
        let helper = self.block_helper(r.op, &ty, span)?;
        let zero = self.identity(r.op, &ty, span)?;
        let wanted = format!("{}_total", self.instance.func.locals[r.local.0 as usize].name);
        let total = self.declare(&wanted);
        self.line(format!("{t} {total} = {zero};"));
        let count = &self.partial_count;
        let head = format!("for (u32 k = threadIdx.x; k < {count}; k += blockDim.x) {{");
        self.line(head);
        self.depth += 1;
        let place = memory(&total, ty.clone());
        self.combine(r.op, &place, &memory(&format!("{partials}[k]"), ty.clone()), span)?;
        self.depth -= 1;
        self.close();
        self.line(format!("{total} = {helper}({total});"));
        Ok(Value::new(total, prec::POSTFIX, ty, super::value::Effect::Stable))
    }

    pub(super) fn local_text(&self, local: LocalId) -> String {
        match self.locals.get(&local) {
            Some(super::body::Binding::Name { text, .. }) => text.clone(),
            _ => String::new(),
        }
    }
}
