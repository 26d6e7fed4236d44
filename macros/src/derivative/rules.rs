//! Which operations have rules, and which of the operands a rule needs the values of.

use swathe_ir::BinOp;

const ONE: &[&str] = &[
    "neg",
    "abs",
    "signum",
    "sqrt",
    "cbrt",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "floor",
    "ceil",
    "round",
    "trunc",
    "fract",
    "as_usize",
    "recip",
    "to_degrees",
    "to_radians",
    "length_squared",
    "length",
    "norm",
    "norm_squared",
    "normalized",
    "normalized_or_zero",
    "sum",
    "perp",
    "transpose",
    "determinant",
    "inverse",
    "trace",
    "diagonal",
];

const TWO: &[&str] = &[
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "min",
    "max",
    "lesser",
    "greater",
    "powf",
    "powi",
    "atan2",
    "hypot",
    "log",
    "copysign",
    "dot",
    "cross",
    "perp_dot",
    "distance",
    "distance_squared",
    "reflect",
    "mul_vec",
    "outer_product",
];

const THREE: &[&str] = &["clamp", "mul_add", "lerp"];

/// Whether the library has a rule of this name.
pub fn exists(name: &str, operands: usize) -> bool {
    match operands {
        1 => ONE.contains(&name),
        2 => TWO.contains(&name),
        3 => THREE.contains(&name),
        _ => false,
    }
}

/// The name of an operator's rule.
pub fn operator(op: BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add => "add",
        BinOp::Sub => "sub",
        BinOp::Mul => "mul",
        BinOp::Div => "div",
        BinOp::Rem => "rem",
        _ => return None,
    })
}

/// Of which operands a gradient needs the values, and not their types alone. `varied` are those that have a gradient.
pub fn needed(name: &str, varied: &[bool]) -> Vec<bool> {
    match (name, varied) {
        ("add" | "sub", _) => vec![false; varied.len()],
        ("mul" | "dot" | "cross" | "perp_dot" | "mul_vec" | "outer_product", [a, b]) => vec![*b, *a],
        ("div", [_, b]) => vec![*b, true],
        (
            "neg" | "fract" | "as_usize" | "sum" | "perp" | "transpose" | "trace" | "diagonal" | "to_degrees"
            | "to_radians" | "floor" | "ceil" | "round" | "trunc" | "signum",
            [_],
        ) => vec![false],
        _ => vec![true; varied.len()],
    }
}
