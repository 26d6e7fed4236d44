//! [`Func`] to bytes and back.
//!
//! Integers are LEB128, lists carry their length, a variant is one byte; the line of a [`Span`] is stored as the
//! distance to the line before it, which is nearly always one byte, and its file where that is another one than before.

use std::fmt;

use crate::expr::{
    Arm, AtomicOp, Block, Check, Cover, Domain, Expr, ExprKind, Extent, FieldAccess, LabelId, Lit, Output, ParFor, Pat,
    Pattern, Range, Stmt,
};
use crate::func::{
    ArgReduction, CalleeSlot, ConstSlot, Func, FuncKind, Local, LocalId, Param, ParamKind, Reduction, Span, TypeSlot,
};
use crate::op::{BinOp, ReduceOp, UnOp};

/// Changes with every change of the format, so that bytes of another version are refused and not misread.
const VERSION: u8 = 7;

/// Nested lists and boxes that a decoded tree may have; keeps corrupt input from exhausting the stack.
const MAX_DEPTH: u32 = 1000;

/// The bytes are not an encoded function of this version of swathe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Offset at which reading failed.
    pub offset: usize,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not an encoded kernel of this version of swathe (at byte {})",
            self.offset
        )
    }
}

impl std::error::Error for DecodeError {}

/// Encodes a function.
#[must_use]
pub fn encode(func: &Func) -> Vec<u8> {
    let mut w = Writer {
        bytes: vec![VERSION],
        line: 0,
        file: 0,
    };
    func.put(&mut w);
    w.bytes
}

/// Decodes a function.
///
/// # Errors
/// If the bytes are truncated, hold an unknown tag or anything after the function, or are nested absurdly deep.
pub fn decode(bytes: &[u8]) -> Result<Func, DecodeError> {
    let mut r = Reader {
        bytes,
        offset: 0,
        line: 0,
        file: 0,
        depth: 0,
    };
    if r.byte()? != VERSION {
        return Err(DecodeError { offset: 0 });
    }
    let func = Func::get(&mut r)?;
    if r.offset == bytes.len() {
        Ok(func)
    } else {
        Err(r.error())
    }
}

struct Writer {
    bytes: Vec<u8>,
    line: u32,
    file: u32,
}

impl Writer {
    fn varint(&mut self, mut v: u128) {
        while v >= 0x80 {
            self.bytes.push(v as u8 | 0x80);
            v >>= 7;
        }
        self.bytes.push(v as u8);
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u32,
    file: u32,
    depth: u32,
}

impl Reader<'_> {
    fn error(&self) -> DecodeError {
        DecodeError { offset: self.offset }
    }

    fn byte(&mut self) -> Result<u8, DecodeError> {
        let byte = *self.bytes.get(self.offset).ok_or_else(|| self.error())?;
        self.offset += 1;
        Ok(byte)
    }

    fn varint(&mut self) -> Result<u128, DecodeError> {
        let mut v = 0;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            v |= u128::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(v);
            }
        }
        Err(self.error())
    }

    /// A length; each item takes a byte or more, so that no length exceeds what is left.
    fn length(&mut self) -> Result<usize, DecodeError> {
        let n = usize::try_from(self.varint()?).map_err(|_| self.error())?;
        if n <= self.bytes.len() - self.offset {
            Ok(n)
        } else {
            Err(self.error())
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, DecodeError>) -> Result<T, DecodeError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error());
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }
}

trait Code: Sized {
    fn put(&self, w: &mut Writer);
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError>;
}

macro_rules! unsigned {
    ($($int:ty),*) => {$(
        impl Code for $int {
            fn put(&self, w: &mut Writer) {
                w.varint(u128::from(*self));
            }

            fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
                <$int>::try_from(r.varint()?).map_err(|_| r.error())
            }
        }
    )*};
}
unsigned!(u32, u64);

impl Code for u128 {
    fn put(&self, w: &mut Writer) {
        w.varint(*self);
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.varint()
    }
}

impl Code for f64 {
    fn put(&self, w: &mut Writer) {
        w.bytes.extend(self.to_bits().to_le_bytes());
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut bits = [0; 8];
        for byte in &mut bits {
            *byte = r.byte()?;
        }
        Ok(f64::from_bits(u64::from_le_bytes(bits)))
    }
}

impl Code for f32 {
    fn put(&self, w: &mut Writer) {
        w.bytes.extend(self.to_bits().to_le_bytes());
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut bits = [0; 4];
        for byte in &mut bits {
            *byte = r.byte()?;
        }
        Ok(f32::from_bits(u32::from_le_bytes(bits)))
    }
}

impl Code for bool {
    fn put(&self, w: &mut Writer) {
        w.bytes.push(u8::from(*self));
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        match r.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(r.error()),
        }
    }
}

impl Code for String {
    fn put(&self, w: &mut Writer) {
        w.varint(self.len() as u128);
        w.bytes.extend(self.as_bytes());
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let n = r.length()?;
        let text = std::str::from_utf8(&r.bytes[r.offset..r.offset + n]).map_err(|_| r.error())?;
        r.offset += n;
        Ok(text.to_owned())
    }
}

impl Code for Span {
    fn put(&self, w: &mut Writer) {
        let step = self.line.wrapping_sub(w.line).cast_signed();
        let zigzag = ((step << 1) ^ (step >> 31)).cast_unsigned();
        let moved = self.file != w.file;
        w.varint(u128::from(zigzag) << 1 | u128::from(moved));
        if moved {
            self.file.put(w);
        }
        self.column.put(w);
        (w.line, w.file) = (self.line, self.file);
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let coded = u64::get(r)?;
        let zigzag = u32::try_from(coded >> 1).map_err(|_| r.error())?;
        if coded & 1 == 1 {
            r.file = u32::get(r)?;
        }
        let step = (zigzag >> 1) ^ (zigzag & 1).wrapping_neg();
        r.line = r.line.wrapping_add(step);
        Ok(Span {
            line: r.line,
            column: u32::get(r)?,
            file: r.file,
        })
    }
}

impl<T: Code> Code for Option<T> {
    fn put(&self, w: &mut Writer) {
        self.is_some().put(w);
        if let Some(value) = self {
            value.put(w);
        }
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(if bool::get(r)? { Some(T::get(r)?) } else { None })
    }
}

impl<T: Code> Code for Box<T> {
    fn put(&self, w: &mut Writer) {
        (**self).put(w);
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        r.nested(|r| T::get(r).map(Box::new))
    }
}

impl<T: Code> Code for Vec<T> {
    fn put(&self, w: &mut Writer) {
        w.varint(self.len() as u128);
        self.iter().for_each(|item| item.put(w));
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let n = r.length()?;
        r.nested(|r| (0..n).map(|_| T::get(r)).collect())
    }
}

impl<A: Code, B: Code> Code for (A, B) {
    fn put(&self, w: &mut Writer) {
        self.0.put(w);
        self.1.put(w);
    }

    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok((A::get(r)?, B::get(r)?))
    }
}

macro_rules! records {
    ($($name:ident { $($field:tt),* })*) => {$(
        impl Code for $name {
            fn put(&self, w: &mut Writer) {
                $(self.$field.put(w);)*
            }

            fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
                Ok($name { $($field: Code::get(r)?),* })
            }
        }
    )*};
}

macro_rules! choices {
    ($($name:ident { $($tag:literal $variant:ident $(($($item:ident),*))? $({ $($field:ident),* })?),* $(,)? })*) => {$(
        impl Code for $name {
            fn put(&self, w: &mut Writer) {
                match self {
                    $($name::$variant $(($($item),*))? $({ $($field),* })? => {
                        w.bytes.push($tag);
                        $($($item.put(w);)*)?
                        $($($field.put(w);)*)?
                    })*
                }
            }

            fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
                Ok(match r.byte()? {
                    $($tag => {
                        $($(let $item = Code::get(r)?;)*)?
                        $($(let $field = Code::get(r)?;)*)?
                        $name::$variant $(($($item),*))? $({ $($field),* })?
                    })*
                    _ => return Err(r.error()),
                })
            }
        }
    )*};
}

records! {
    LocalId { 0 }
    TypeSlot { 0 }
    CalleeSlot { 0 }
    ConstSlot { 0 }
    LabelId { 0 }
    Func { name, file, files, span, kind, params, ret, locals, body, types, callees, consts }
    Param { local, kind }
    Local { name, ty, mutable, span }
    Reduction { local, op }
    ArgReduction { best, op, taken }
    Block { stmts, tail }
    ParFor { domain, vars, label, body, reductions, arg_reductions, hoisted, vouched, span }
    Cover { extent, field, axis }
    Range { start, end, inclusive, reverse, step, turned }
    Expr { kind, span }
    FieldAccess { field, index, check }
    Arm { pat, guard, body }
}

choices! {
    FuncKind { 0 Kernel, 1 Func }
    ParamKind { 0 Value, 1 Ref { mutable }, 2 Field { mutable } }
    Stmt { 0 Let { pat, init, span }, 1 Expr(e), 2 ParFor(p) }
    Domain { 0 Indices(f), 1 Range(r0), 2 NdRange(n) }
    Extent { 0 Shape(f, k), 1 Len(f), 2 All(f), 3 Local(l), 4 Literal(n), 5 Range(f, k, by), 6 Ranges(f) }
    Pat { 0 Bind(l), 1 Wild, 2 Tuple(p), 3 Array(p) }
    Lit { 0 Bool(v), 1 Int(v), 2 Float(v, w) }
    Check { 0 Proven, 1 Hoisted, 2 InKernel, 3 Unchecked }
    AtomicOp {
        0 Add, 1 Sub, 2 Min, 3 Max, 4 And, 5 Or, 6 Xor, 7 Exchange, 8 CompareExchange, 9 Load, 10 Store,
    }
    Pattern { 0 Wild, 1 Bind(l), 2 Value(e), 3 Range { start, end, inclusive }, 4 Or(p), 5 Tuple(p), 6 Named(l, p), 7 Struct(m) }
    UnOp { 0 Neg, 1 Not, 2 Deref }
    BinOp {
        0 Add, 1 Sub, 2 Mul, 3 Div, 4 Rem, 5 BitAnd, 6 BitOr, 7 BitXor, 8 Shl, 9 Shr, 10 Eq, 11 Ne, 12 Lt, 13 Le,
        14 Gt, 15 Ge, 16 And, 17 Or,
    }
    Output { 0 Out, 1 Err, 2 Debug }
    ReduceOp { 0 Add, 1 Mul, 2 Min, 3 Max, 4 And, 5 Or, 6 Xor }
    ExprKind {
        0 Lit(lit, ty),
        1 Local(l),
        2 Const(c),
        3 Unary(op, a, callee),
        4 Binary(op, a, b, callee),
        5 Assign(a, b),
        6 AssignOp(op, a, b, callee),
        7 Cast(a, ty),
        8 Member(a, name),
        9 Index(a, b),
        10 Field(access),
        11 FieldLen(f),
        12 FieldShape(f),
        13 Atomic(op, place, args),
        14 Call { callee, name, on, args },
        15 Method { receiver, name, callee, args },
        16 Ref { mutable, place },
        17 Tuple(items),
        18 Array(items, ty),
        19 Repeat(a, ty),
        20 Struct { ty, members, base },
        21 Block(label, block),
        22 If(cond, then, other),
        23 Match(a, arms),
        24 Loop(label, body),
        25 While(label, cond, body),
        26 For(label, pat, range, body),
        27 Break(label, value),
        28 Continue(label),
        29 Return(value),
        30 Fail { message, args },
        31 Print { output, message, args },
        40 FieldOrigin(f),
        41 Position(f, axis, offset),
        42 Offset(f, axis, position),
        43 FieldArgument(f),
    }
}
