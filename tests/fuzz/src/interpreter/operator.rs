//! Operators, casts and built-in methods.

use swathe_ir::{BinOp, Scalar, UnOp};

use crate::value::{Value, bounds, rounded, wrap};

pub fn unary(op: UnOp, a: &Value) -> Value {
    match (op, a) {
        (UnOp::Not, Value::Bool(b)) => Value::Bool(!b),
        (UnOp::Not, Value::Int(s, n)) => Value::Int(*s, wrap(*s, !n)),
        (UnOp::Neg, Value::Int(s, n)) => Value::Int(*s, wrap(*s, -n)),
        (UnOp::Neg, Value::F32(x)) => Value::F32(-x),
        (UnOp::Neg, Value::F64(x)) => Value::F64(-x),
        (UnOp::Neg, Value::Half(s, x)) => Value::Half(*s, -x),
        (_, Value::Vector(items)) => Value::Vector(items.iter().map(|x| unary(op, x)).collect()),
        _ => panic!("{op:?} of {a:?}"),
    }
}

pub fn binary(op: BinOp, a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Int(s, x), Value::Int(_, y)) => integers(op, *s, *x, *y),
        (Value::F32(x), Value::F32(y)) => match float(op, f64::from(*x), f64::from(*y)) {
            Some(truth) => Value::Bool(truth),
            None => Value::F32(match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Rem => x % y,
                _ => panic!("{op:?} of floats"),
            }),
        },
        (Value::F64(x), Value::F64(y)) => match float(op, *x, *y) {
            Some(truth) => Value::Bool(truth),
            None => Value::F64(match op {
                BinOp::Add => x + y,
                BinOp::Sub => x - y,
                BinOp::Mul => x * y,
                BinOp::Div => x / y,
                BinOp::Rem => x % y,
                _ => panic!("{op:?} of floats"),
            }),
        },
        // Rounded twice is rounded once: an `f32` has more than twice the bits.
        (Value::Half(s, x), Value::Half(_, y)) => match binary(op, &Value::F32(*x), &Value::F32(*y)) {
            Value::F32(x) => rounded(*s, x),
            truth => truth,
        },
        (Value::Bool(x), Value::Bool(y)) => Value::Bool(match op {
            BinOp::BitAnd => x & y,
            BinOp::BitOr => x | y,
            BinOp::BitXor | BinOp::Ne => x ^ y,
            BinOp::Eq => x == y,
            BinOp::Lt => !x & y,
            BinOp::Le => x <= y,
            BinOp::Gt => x & !y,
            BinOp::Ge => x >= y,
            _ => panic!("{op:?} of truth values"),
        }),
        (Value::Vector(x), Value::Vector(y)) if matches!(op, BinOp::Eq | BinOp::Ne) => {
            let equal = x.iter().zip(y).all(|(x, y)| binary(BinOp::Eq, x, y).truth());
            Value::Bool(equal == (op == BinOp::Eq))
        }
        (Value::Vector(x), Value::Vector(y)) => Value::Vector(x.iter().zip(y).map(|(x, y)| binary(op, x, y)).collect()),
        (Value::Vector(x), y) => Value::Vector(x.iter().map(|x| binary(op, x, y)).collect()),
        (x, Value::Vector(y)) => Value::Vector(y.iter().map(|y| binary(op, x, y)).collect()),
        _ => panic!("{op:?} of {a:?} and {b:?}"),
    }
}

fn integers(op: BinOp, s: Scalar, x: i128, y: i128) -> Value {
    let shift = || (y & i128::from(8 * s.size() as u32 - 1)) as u32;
    let n = match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div => x / y,
        BinOp::Rem => x % y,
        BinOp::BitAnd => x & y,
        BinOp::BitOr => x | y,
        BinOp::BitXor => x ^ y,
        BinOp::Shl => x << shift(),
        BinOp::Shr => x >> shift(),
        BinOp::Eq => return Value::Bool(x == y),
        BinOp::Ne => return Value::Bool(x != y),
        BinOp::Lt => return Value::Bool(x < y),
        BinOp::Le => return Value::Bool(x <= y),
        BinOp::Gt => return Value::Bool(x > y),
        BinOp::Ge => return Value::Bool(x >= y),
        BinOp::And | BinOp::Or => unreachable!("these decide what is evaluated"),
    };
    Value::Int(s, wrap(s, n))
}

fn float(op: BinOp, x: f64, y: f64) -> Option<bool> {
    Some(match op {
        BinOp::Eq => x == y,
        BinOp::Ne => x != y,
        BinOp::Lt => x < y,
        BinOp::Le => x <= y,
        BinOp::Gt => x > y,
        BinOp::Ge => x >= y,
        _ => return None,
    })
}

/// `value as T`.
pub fn cast(value: &Value, to: Scalar) -> Value {
    if let Scalar::F16 | Scalar::Bf16 = to {
        return match cast(value, Scalar::F32) {
            Value::F32(x) => rounded(to, x),
            other => panic!("{other:?} of 16 bits"),
        };
    }
    match value {
        Value::Half(_, x) => cast(&Value::F32(*x), to),
        Value::Bool(b) => cast(&Value::Int(Scalar::U8, i128::from(*b)), to),
        Value::Int(_, n) => match to {
            // Rounded once, from all of the number's bits.
            Scalar::F32 => Value::F32(*n as f32),
            Scalar::F64 => Value::F64(*n as f64),
            _ => Value::Int(to, wrap(to, *n)),
        },
        Value::F32(x) => match to {
            Scalar::F32 => Value::F32(*x),
            Scalar::F64 => Value::F64(f64::from(*x)),
            _ => saturated(f64::from(*x), to),
        },
        Value::F64(x) => match to {
            Scalar::F32 => Value::F32(*x as f32),
            Scalar::F64 => Value::F64(*x),
            _ => saturated(*x, to),
        },
        other => panic!("a cast of {other:?}"),
    }
}

fn saturated(x: f64, to: Scalar) -> Value {
    let (least, most) = bounds(to);
    Value::Int(to, (x as i128).clamp(least, most))
}

/// A built-in method.
pub fn method(name: &str, on: &Value, args: &[Value]) -> Value {
    match on {
        Value::Int(s, n) => integer_method(name, *s, *n, args),
        Value::F32(x) => {
            let other = |k: usize| match args[k] {
                Value::F32(y) => y,
                _ => panic!("`{name}` of f32 with {:?}", args[k]),
            };
            // The arithmetic of f64 holds that of f32 where nothing is rounded.
            Value::F32(match name {
                "clone" => *x,
                "sqrt" => x.sqrt(),
                "abs" => x.abs(),
                "floor" => x.floor(),
                "ceil" => x.ceil(),
                "trunc" => x.trunc(),
                "round" => x.round(),
                "min" => x.min(other(0)),
                "max" => x.max(other(0)),
                "copysign" => x.copysign(other(0)),
                "mul_add" => x.mul_add(other(0), other(1)),
                "is_nan" => return Value::Bool(x.is_nan()),
                _ if name.starts_with("as_") => return cast(on, scalar_of(name)),
                _ => panic!("the interpreter does not know `{name}` of f32"),
            })
        }
        Value::F64(x) => {
            let other = |k: usize| match args[k] {
                Value::F64(y) => y,
                _ => panic!("`{name}` of f64 with {:?}", args[k]),
            };
            Value::F64(match name {
                "clone" => *x,
                "sqrt" => x.sqrt(),
                "abs" => x.abs(),
                "floor" => x.floor(),
                "ceil" => x.ceil(),
                "trunc" => x.trunc(),
                "round" => x.round(),
                "min" => x.min(other(0)),
                "max" => x.max(other(0)),
                "copysign" => x.copysign(other(0)),
                "mul_add" => x.mul_add(other(0), other(1)),
                "is_nan" => return Value::Bool(x.is_nan()),
                _ if name.starts_with("as_") => return cast(on, scalar_of(name)),
                _ => panic!("the interpreter does not know `{name}` of f64"),
            })
        }
        Value::Half(s, x) => {
            let wide: Vec<Value> = args.iter().map(|arg| cast(arg, Scalar::F32)).collect();
            match name {
                "to_f32" => Value::F32(*x),
                _ => match method(name, &Value::F32(*x), &wide) {
                    Value::F32(y) if !name.starts_with("as_") => rounded(*s, y),
                    other => other,
                },
            }
        }
        Value::Vector(items) if name == "to_array" => Value::Array(items.clone()),
        Value::Array(items) if name == "len" => Value::size(items.len()),
        _ if name == "clone" => on.clone(),
        _ => panic!("the interpreter does not know `{name}` of {on:?}"),
    }
}

fn scalar_of(name: &str) -> Scalar {
    let found = Scalar::ALL.into_iter().find(|s| s.name() == &name[3..]);
    found.unwrap_or_else(|| panic!("the interpreter does not know `{name}`"))
}

fn integer_method(name: &str, s: Scalar, n: i128, args: &[Value]) -> Value {
    let bits = 8 * s.size() as u32;
    let low = (n & ((1 << bits) - 1)) as u128;
    let other = |k: usize| args[k].int();
    let count = |n: u32| Value::Int(Scalar::U32, i128::from(n));
    let turned = |left: u32| {
        let left = left % bits;
        let turned = low << left | if left == 0 { 0 } else { low >> (bits - left) };
        turned as i128
    };
    let result = match name {
        "clone" => n,
        "wrapping_add" => n + other(0),
        "wrapping_sub" => n - other(0),
        "wrapping_mul" => n.wrapping_mul(other(0)),
        "wrapping_neg" => -n,
        "saturating_add" | "saturating_sub" => {
            let (least, most) = bounds(s);
            let exact = if name == "saturating_add" {
                n + other(0)
            } else {
                n - other(0)
            };
            exact.clamp(least, most)
        }
        "min" => n.min(other(0)),
        "max" => n.max(other(0)),
        "clamp" => n.clamp(other(0), other(1)),
        "abs" => n.abs(),
        "signum" => n.signum(),
        "abs_diff" => {
            let unsigned = swathe_ir::ResultType::Unsigned.scalar(s);
            return Value::Int(unsigned, (n - other(0)).abs());
        }
        "rem_euclid" => n.rem_euclid(other(0)),
        "div_euclid" => n.div_euclid(other(0)),
        "count_ones" => return count(low.count_ones()),
        "count_zeros" => return count(bits - low.count_ones()),
        "leading_zeros" => return count(low.leading_zeros() - (128 - bits)),
        "trailing_zeros" => return count(low.trailing_zeros().min(bits)),
        "rotate_left" => turned(other(0) as u32),
        "rotate_right" => turned(bits - other(0) as u32 % bits),
        "wrapping_shl" => n << (other(0) % i128::from(bits)),
        "wrapping_shr" => n >> (other(0) % i128::from(bits)),
        "pow" => {
            let mut power = 1_i128;
            for _ in 0..other(0) {
                power = wrap(s, power.wrapping_mul(n));
            }
            power
        }
        _ if name.starts_with("as_") => return cast(&Value::Int(s, n), scalar_of(name)),
        _ => panic!("the interpreter does not know `{name}` of `{}`", s.name()),
    };
    Value::Int(s, wrap(s, result))
}
