//! Operators.

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// `-x`; wraps for integers.
    Neg,
    /// `!x`, on booleans and integers.
    Not,
    /// `*r`, of a reference parameter.
    Deref,
}

/// Operators with two operands. Integer `Add`, `Sub`, `Mul` wrap, shifts mask their count, `Div` and `Rem` of an
/// integer by zero are errors; `And` and `Or` are the short-circuit ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

impl BinOp {
    /// The method that `std::ops` or `std::cmp` calls for it: `add`, `bitand`, `eq`, ...; empty for `&&` and `||`.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            BinOp::Add => "add",
            BinOp::Sub => "sub",
            BinOp::Mul => "mul",
            BinOp::Div => "div",
            BinOp::Rem => "rem",
            BinOp::BitAnd => "bitand",
            BinOp::BitOr => "bitor",
            BinOp::BitXor => "bitxor",
            BinOp::Shl => "shl",
            BinOp::Shr => "shr",
            BinOp::Eq => "eq",
            BinOp::Ne => "ne",
            BinOp::Lt => "lt",
            BinOp::Le => "le",
            BinOp::Gt => "gt",
            BinOp::Ge => "ge",
            BinOp::And | BinOp::Or => "",
        }
    }

    /// Spelling, the same in Rust and in CUDA C.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::BitAnd => "&",
            BinOp::BitOr => "|",
            BinOp::BitXor => "^",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::And => "&&",
            BinOp::Or => "||",
        }
    }

    /// Whether the result is `bool` whatever the operands are.
    #[must_use]
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
        )
    }
}

impl UnOp {
    /// The method that `std::ops` calls for it.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            UnOp::Neg => "neg",
            UnOp::Not => "not",
            UnOp::Deref => "deref",
        }
    }
}

/// How a parallel reduction combines two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceOp {
    /// `s += x` and `s -= x`; identity 0 (for floats -0.0, which alone leaves every float as it is).
    Add,
    /// `s *= x`; identity 1 (the identity matrix for a square matrix is not meant: element-wise types only).
    Mul,
    /// `s = s.min(x)`; identity the largest value (infinity).
    Min,
    /// `s = s.max(x)`; identity the smallest value (minus infinity).
    Max,
    /// `s &= x`, `s = s && x`; identity all ones (`true`).
    And,
    /// `s |= x`, `s = s || x`; identity 0 (`false`).
    Or,
    /// `s ^= x`; identity 0 (`false`).
    Xor,
}
