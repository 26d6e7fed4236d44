//! What ends an iteration by its own word, and divisions that have no result.

use swathe_ir::message::{Named, Piece, Style, StyleKind, pieces};
use swathe_ir::{BinOp, Expr, Output, Scalar};

use super::flow::Run;
use super::operator::binary;
use super::{Frame, Machine};
use crate::value::{Value, bounds};

impl Machine {
    /// `assert!` that does not hold, `panic!`.
    pub(super) fn stop(&mut self, frame: &mut Frame, template: &str, args: &[Expr], e: &Expr) -> Run<Value> {
        let (message, values) = self.message(frame, template, args)?;
        let index = values.iter().flat_map(words).collect();
        self.fail(frame, e, message, index)
    }

    /// `println!` and its kind.
    pub(super) fn print(
        &mut self,
        frame: &mut Frame,
        output: Output,
        template: &str,
        args: &[Expr],
        e: &Expr,
    ) -> Run<Value> {
        let (mut text, _) = self.message(frame, template, args)?;
        if output == Output::Debug {
            text = format!(
                "[{}:{}:{}]{text}",
                frame.instance.func.file_of(e.span),
                e.span.line,
                e.span.column
            );
        }
        self.printed.push(text);
        Ok(Value::Unit)
    }

    /// A message and its values.
    fn message(&mut self, frame: &mut Frame, template: &str, args: &[Expr]) -> Run<(String, Vec<Value>)> {
        let mut values = Vec::new();
        for arg in args {
            values.push(self.expr(frame, arg)?);
        }
        let mut message = String::new();
        for piece in pieces(template).expect("the macro has read it") {
            match piece {
                Piece::Text(text) => message.push_str(&text),
                Piece::Value(Named::Number(k), style) => message.push_str(&written(&values[k], style)),
                Piece::Value(..) => unreachable!("the macro numbers all values"),
            }
        }
        Ok((message, values))
    }

    /// An operator on values, unless it divides what has no result.
    pub(super) fn operate(&mut self, frame: &Frame, op: BinOp, a: &Value, b: &Value, e: &Expr) -> Run<Value> {
        self.divide(frame, op, a, b, e)?;
        Ok(binary(op, a, b))
    }

    pub(super) fn divide(&mut self, frame: &Frame, op: BinOp, a: &Value, b: &Value, e: &Expr) -> Run<()> {
        let (xs, ys) = (integers(a), integers(b));
        if !matches!(op, BinOp::Div | BinOp::Rem) || xs.is_empty() || ys.is_empty() {
            return Ok(());
        }
        let remainder = op == BinOp::Rem;
        let lanes = xs.len().max(ys.len());
        let overflows = |k: usize| {
            let ((s, x), (_, y)) = (xs[k.min(xs.len() - 1)], ys[k.min(ys.len() - 1)]);
            y == -1 && x == bounds(s).0
        };
        let text = if ys.iter().any(|(_, y)| *y == 0) {
            match remainder {
                false => "attempt to divide by zero",
                true => "attempt to calculate the remainder with a divisor of zero",
            }
        } else if (0..lanes).any(overflows) {
            match remainder {
                false => "attempt to divide with overflow",
                true => "attempt to calculate the remainder with overflow",
            }
        } else {
            return Ok(());
        };
        self.fail(frame, e, text.to_owned(), Vec::new())
    }
}

fn integers(value: &Value) -> Vec<(Scalar, i128)> {
    match value {
        Value::Int(s, n) => vec![(*s, *n)],
        Value::Vector(items) => items.iter().flat_map(integers).collect(),
        _ => Vec::new(),
    }
}

fn words(value: &Value) -> Vec<u64> {
    match value {
        Value::Bool(b) => vec![u64::from(*b)],
        Value::Int(_, n) => vec![*n as u64],
        Value::F32(x) => vec![u64::from(x.to_bits())],
        Value::F64(x) => vec![x.to_bits()],
        Value::Vector(items) | Value::Array(items) => items.iter().flat_map(words).collect(),
        other => panic!("{other:?} in a message"),
    }
}

/// The styles that random kernels use.
fn written(value: &Value, style: Style) -> String {
    let debug = style.kind == StyleKind::Debug;
    let width = style.width;
    match value {
        Value::Bool(b) => format!("{b:width$}"),
        Value::Int(_, n) => format!("{n:width$}"),
        Value::F32(x) if debug => format!("{x:width$?}"),
        Value::F64(x) if debug => format!("{x:width$?}"),
        Value::F32(x) => x.to_string(),
        Value::F64(x) => x.to_string(),
        Value::Vector(items) => {
            let items: Vec<String> = items.iter().map(|item| written(item, style)).collect();
            let list = format!("[{}]", items.join(", "));
            if debug { format!("Vector({list})") } else { list }
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| written(item, style)).collect();
            format!("[{}]", items.join(", "))
        }
        other => panic!("{other:?} in a message"),
    }
}
