//! Functions that the text defines for itself: operators on vectors and matrices, reports of failures.

use swathe_ir::{BinOp, Scalar, Span, Type, UnOp};

use super::Result;
use super::body::Body;
use super::module::Module;
use super::operator::components;
use super::scalar;
use super::source::{Entry, SiteKind};
use super::typing::binary_type;
use super::value::{Effect, Value};

const INLINE: &str = "static __device__ __forceinline__";

impl Module {
    fn errors(&mut self) {
        self.helper("Errors", || {
            let index = Entry::ERRORS_WORDS;
            format!(
                "struct Errors {{\n    u64 count;\n    u64 site;\n    u64 index[{index}];\n    u64 version;\n    u64* told;\n    u64* taken;\n    u64 printer;\n}};\n"
            )
        });
    }

    /// `name(errors, site, i, ..)` for a failure with an index of `rank` axes: counts it, and keeps the least by site,
    /// then index, which is the same one whatever the order in which threads run. The record is in the device's memory, where as many
    /// threads can fail as there are; the host gets a store.
    pub(super) fn report_at(&mut self, name: &str, rank: usize, counted: u64) {
        self.report_of(name, rank, counted, "usize");
    }

    /// The same, with an index of that type.
    fn report_of(&mut self, name: &str, rank: usize, counted: u64, word: &str) {
        self.errors();
        self.helper(&format!("{name}/{rank}"), || {
            let list: String = (0..rank).map(|k| format!(", {word} i{k}")).collect();
            let index = (0..rank).rev().fold("false".to_owned(), |later, k| {
                let seen = format!("seen->index[{k}]");
                if later == "false" {
                    format!("i{k} < {seen}")
                } else {
                    format!("i{k} < {seen} || (i{k} == {seen} && ({later}))")
                }
            });
            let stores: String = (0..rank)
                .map(|k| format!("            seen->index[{k}] = i{k};\n"))
                .collect();
            // The host is told last: no fence waits for that store. A version is odd while a thread writes, and 0 before the first; what was read counts if it stays the same.
            format!(
                "static __device__ __noinline__ void {name}(Errors* errors, u64 site{list}) {{
    volatile Errors* seen = errors;
    atomicAdd(&errors->count, {counted}ull);
    for (bool done = false; !done;) {{
        const u64 version = seen->version;
        __threadfence();
        const bool less = version == 0 || site < seen->site || (site == seen->site && ({index}));
        __threadfence();
        if (version % 2 != 0 || seen->version != version) continue;
        if (!less) {{
            done = true;
        }} else if (atomicCAS(&errors->version, version, version + 1) == version) {{
            seen->site = site;
{stores}            __threadfence();
            seen->version = version + 2;
            done = true;
        }}
    }}
    *errors->told = 1;
}}
"
            )
        });
    }

    /// `print(errors, site, w, ..)` for a text with so many words of values: an entry in the ring of what is printed, with the
    /// kernel and the site in its first word, which is written last; or one more that is lost, where there is no room. What threads take turns at
    /// lies in the device's memory, and no thread waits for another one of its warp.
    pub(super) fn print(&mut self, words: usize) {
        self.errors();
        self.helper(&format!("print/{words}"), || {
            let list: String = (0..words).map(|k| format!(", u64 w{k}")).collect();
            let (room, size) = (Entry::RING_WORDS, words + 1);
            let start = Entry::RING_START;
            let stores: String = (0..words)
                .map(|k| format!("    ring[{start} + (at + {}) % {room}] = w{k};\n", k + 1))
                .collect();
            // How many words were taken is added for the host before it can see an entry.
            format!(
                "static __device__ __noinline__ void print(Errors* errors, u64 site{list}) {{
    u64* taken = errors->taken;
    if (taken == nullptr) return;
    volatile u64* ring = (volatile u64*)taken[2];
    const u64 end = ring[1] + {room};
    u64 at = *(volatile u64*)taken;
    for (bool done = false; !done;) {{
        if (i64(end - at) < {size}) {{
            atomicAdd(taken + 1, 1ull);
            ring[2] = 1;
            return;
        }}
        const u64 seen = atomicCAS(taken, at, at + {size});
        done = seen == at;
        at = seen;
    }}
    atomicAdd((u64*)ring, u64({size}));
{stores}    __threadfence_system();
    ring[{start} + at % {room}] = errors->printer << 32 | (site + 1);
}}
"
            )
        });
    }

    /// Name of `out_of_bounds(errors, site, i, ..)` for an index of `rank` axes, in 32 bits if it is narrow: behind the
    /// conversion to 64 bits that the call would be, NVVM converts for addresses as well.
    pub(super) fn out_of_bounds(&mut self, rank: usize, narrow: bool) -> &'static str {
        let (name, word) = if narrow {
            ("out_of_bounds", "u32")
        } else {
            ("out_of_bounds_64", "usize")
        };
        self.report_of(name, rank.clamp(1, Entry::ERRORS_WORDS), 1, word);
        name
    }

    /// `collision(errors, site, i, ..)` for two accesses that collide; counted beyond all that is out of bounds.
    pub(super) fn collision(&mut self) {
        self.report_at("collision", 4, SiteKind::COLLISION);
    }

    /// `name(errors, site)`.
    pub(super) fn report(&mut self, name: &str) {
        self.report_at(name, 0, 1);
    }

    /// A vector's component by a number that is not a literal, to read or to write.
    pub(super) fn component(&mut self, vector: &str, s: Scalar, write: bool) -> &'static str {
        let t = scalar::name(s);
        let (name, result, qualifier) = if write {
            ("component_mut", format!("{t}&"), "")
        } else {
            ("component", t.to_owned(), "const ")
        };
        self.helper(&format!("{name}/{vector}"), || {
            format!("{INLINE} {result} {name}({qualifier}{vector}& v, usize k) {{ return (&v.x)[k]; }}\n")
        });
        name
    }

    /// Division or remainder of signed integers, in which MIN / -1 wraps.
    pub(super) fn signed_division(&mut self, op: BinOp, s: Scalar) -> String {
        let name = format!("{}_{}", op.method(), s.name());
        let (t, u) = (scalar::name(s), scalar::name(scalar::unsigned(s)));
        self.helper(&name, || {
            let wrapped = if op == BinOp::Div {
                format!("{t}(-{u}(a))")
            } else {
                "0".into()
            };
            format!(
                "{INLINE} {t} {name}({t} a, {t} b) {{ return b == -1 ? {wrapped} : {t}(a {} b); }}\n",
                op.symbol()
            )
        });
        name
    }

    /// The place of a thread among all of a grid along an axis.
    pub(super) fn thread(&mut self, axis: char) {
        let t = self.variant.index.name();
        // A launch has less than 2^31 threads along an axis, also in sum with any index.
        self.helper(&format!("thread_{axis}"), || {
            format!(
                "{INLINE} {t} thread_{axis}() {{ return {t}(blockIdx.{axis}) * blockDim.{axis} + threadIdx.{axis}; }}\n"
            )
        });
    }

    /// The same, and their number.
    pub(super) fn threads(&mut self, axis: char) {
        self.thread(axis);
        let t = self.variant.index.name();
        self.helper(&format!("threads_{axis}"), || {
            format!("{INLINE} {t} threads_{axis}() {{ return {t}(gridDim.{axis}) * blockDim.{axis}; }}\n")
        });
    }
}

impl Module {
    /// How often a thread strides through a loop.
    pub(super) fn rounds(&mut self, t: &str) {
        self.helper(&format!("rounds_{t}"), || {
            format!(
                "{INLINE} {t} rounds_{t}({t} first, {t} end, {t} stride) {{ return first < end ? (end - first - 1) / stride + 1 : 0; }}\n"
            )
        });
    }

    /// The place of a thread in its block, and of a block in its grid.
    pub(super) fn place_in_block(&mut self) {
        self.helper("thread_in_block", || place("thread_in_block", "threadIdx", "blockDim"));
        self.helper("block_in_grid", || place("block_in_grid", "blockIdx", "gridDim"));
    }
}

/// A place along three axes as one number.
fn place(name: &str, inner: &str, sizes: &str) -> String {
    format!("{INLINE} u32 {name}() {{ return ({inner}.z * {sizes}.y + {inner}.y) * {sizes}.x + {inner}.x; }}\n")
}

impl Body<'_> {
    fn operand(&self, name: &str, ty: &Type) -> Value {
        Value::name(name, ty.clone(), true)
    }

    /// Defines an operator with one operand.
    pub(super) fn unary_helper(&mut self, op: UnOp, ty: &Type, span: Span) -> Result<()> {
        let t = self.module.ty(ty);
        let a = self.operand("a", ty);
        let s = ty.scalar().unwrap_or(Scalar::F32);
        let mut items = Vec::new();
        for c in components(&a) {
            let value = self.unary(op, Value::name(c, Type::Scalar(s), true), span)?;
            items.push(Self::settled(value).text);
        }
        let symbol = if op == UnOp::Neg { "-" } else { "~" };
        self.module.helper(&format!("{symbol}{t}"), || {
            format!(
                "{INLINE} {t} operator{symbol}({t} a) {{ return {}; }}\n",
                braced(ty, &t, &items)
            )
        });
        Ok(())
    }

    /// Defines an operator with two operands.
    pub(super) fn binary_helper(&mut self, op: BinOp, left: &Type, right: &Type, span: Span) -> Result<()> {
        let (l, r) = (self.module.ty(left), self.module.ty(right));
        let key = format!("{l} {} {r}", op.symbol());
        let ty = binary_type(op, left, right);
        let t = self.module.ty(&ty);
        let (a, b) = (self.operand("a", left), self.operand("b", right));
        let body = match (left, right) {
            (Type::Matrix(..), Type::Vector(..) | Type::Matrix(..)) | (Type::Vector(..), Type::Matrix(..))
                if op == BinOp::Mul =>
            {
                let items = self.product(left, right, span)?;
                format!("return {};", braced(&ty, &t, &items))
            }
            _ => {
                let mut items = Vec::new();
                for (x, y) in paired(&components(&a), &components(&b)) {
                    let s = left.scalar().unwrap_or(Scalar::F32);
                    // What is shifted by is of a type of its own.
                    let by = right.scalar().unwrap_or(s);
                    let (x, y) = (
                        Value::name(x, Type::Scalar(s), true),
                        Value::name(y, Type::Scalar(by), true),
                    );
                    items.push(self.component_op(op, x, y, span)?);
                }
                match op {
                    BinOp::Eq => format!("return {};", items.join(" && ")),
                    BinOp::Ne => format!("return {};", items.join(" || ")),
                    _ if op.is_comparison() => return self.unsupported("ordering vectors", span),
                    _ => format!("return {};", braced(&ty, &t, &items)),
                }
            }
        };
        let result = if op.is_comparison() { "bool".to_owned() } else { t };
        self.module.helper(&key, || {
            format!("{INLINE} {result} operator{}({l} a, {r} b) {{ {body} }}\n", op.symbol())
        });
        Ok(())
    }

    fn component_op(&mut self, op: BinOp, x: Value, y: Value, span: Span) -> Result<String> {
        let s = x.ty.scalar().unwrap_or(Scalar::F32);
        if s.is_int() && matches!(op, BinOp::Div | BinOp::Rem) {
            if s.is_signed() {
                let helper = self.module.signed_division(op, s);
                return Ok(format!("{helper}({}, {})", x.text, y.text));
            }
            return Ok(Self::settled(Value {
                wide: s.size() < 4,
                ..super::operator::infix(op, &x, &y, Type::Scalar(s))
            })
            .text);
        }
        let value = self.binary(op, x, y, span)?;
        Ok(Self::settled(value).text)
    }

    /// Components of a product of two matrices, of which one may be a vector: a column on the right, a row on the left.
    fn product(&mut self, left: &Type, right: &Type, span: Span) -> Result<Vec<String>> {
        let (s, rows, inner) = match left {
            Type::Matrix(s, rows, inner) => (s, *rows, *inner),
            Type::Vector(s, inner) => (s, 1, *inner),
            _ => return self.unsupported("this product", span),
        };
        let columns = match right {
            Type::Matrix(_, _, c) => *c,
            _ => 1,
        };
        let (a, b) = (self.operand("a", left), self.operand("b", right));
        let (a, b) = (components(&a), components(&b));
        let scalar_ty = Type::Scalar(*s);
        let mut items = Vec::new();
        for r in 0..rows {
            for c in 0..columns {
                let mut sum: Option<Value> = None;
                for k in 0..inner {
                    let x = Value::name(a[r * inner + k].clone(), scalar_ty.clone(), true);
                    let y = Value::name(b[k * columns + c].clone(), scalar_ty.clone(), true);
                    let term = self.binary(BinOp::Mul, x, y, span)?;
                    sum = Some(match sum {
                        Some(sum) => self.binary(BinOp::Add, sum, term, span)?,
                        None => term,
                    });
                }
                items.push(sum.map_or_else(|| "0".into(), |v| Self::settled(v).text));
            }
        }
        Ok(items)
    }

    /// Defines a compound assignment.
    pub(super) fn assign_helper(&mut self, op: BinOp, left: &Type, right: &Type, span: Span) -> Result<()> {
        self.binary_helper(op, left, right, span)?;
        let (l, r) = (self.module.ty(left), self.module.ty(right));
        let symbol = op.symbol();
        self.module.helper(&format!("{l} {symbol}= {r}"), || {
            format!("{INLINE} void operator{symbol}=({l}& a, {r} b) {{ a = a {symbol} b; }}\n")
        });
        Ok(())
    }
}

fn paired(a: &[String], b: &[String]) -> Vec<(String, String)> {
    let n = a.len().max(b.len());
    let pick = |list: &[String], k: usize| {
        if list.len() == 1 {
            list[0].clone()
        } else {
            list[k].clone()
        }
    };
    (0..n).map(|k| (pick(a, k), pick(b, k))).collect()
}

/// A vector or matrix of these components, in row-major order.
pub(super) fn braced(ty: &Type, name: &str, items: &[String]) -> String {
    match ty {
        Type::Vector(_, n) if *n > 4 => format!("{name}{{{{{}}}}}", items.join(", ")),
        Type::Matrix(_, _, c) => {
            let rows: Vec<String> = items.chunks(*c).map(|row| format!("{{{}}}", row.join(", "))).collect();
            format!("{name}{{{{{}}}}}", rows.join(", "))
        }
        _ => format!("{name}{{{}}}", items.join(", ")),
    }
}

/// A value of a numeric type whose components are all the same.
pub(super) fn filled(ty: &Type, name: &str, item: &str) -> String {
    let n = match ty {
        Type::Vector(_, n) => *n,
        Type::Matrix(_, r, c) => r * c,
        // A complex number.
        Type::Struct(_) => 2,
        _ => return item.to_owned(),
    };
    braced(ty, name, &vec![item.to_owned(); n])
}

/// A value that text with effects stands for.
pub(super) fn written(text: String, ty: Type) -> Value {
    Value::new(text, super::value::prec::POSTFIX, ty, Effect::Write)
}
