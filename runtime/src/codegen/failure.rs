//! What ends an iteration other than an access out of bounds: the kernel's own word, divisions, functions that failed.

use std::fmt;

use swathe_ir::{BinOp, Expr, Output, Scalar, Span, Type};

use super::Result;
use super::body::Body;
use super::literal;
use super::module::Function;
use super::operator::components;
use super::scalar;
use super::source::{Entry, SiteKind};
use super::types::is_empty;
use super::value::{Effect, Value, prec};
use crate::kernel::shown::numbers;

/// A division of numbers, by their texts, without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Division {
    ByZero(String),
    /// Of the least number of the type by -1.
    Overflow {
        dividend: String,
        divisor: String,
        least: String,
    },
}

/// The condition that it is one.
impl fmt::Display for Division {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Division::ByZero(divisor) => write!(f, "{divisor} == 0"),
            Division::Overflow {
                dividend,
                divisor,
                least,
            } => write!(f, "{divisor} == -1 && {dividend} == {least}"),
        }
    }
}

impl Body<'_> {
    /// `assert!` that does not hold, `panic!`.
    pub(super) fn fail(&mut self, message: &str, args: &[Expr], span: Span) -> Result<()> {
        let (types, words) = self.shown(args, Entry::ERRORS_WORDS, span)?;
        let count = words.len();
        let words: String = words.iter().map(|word| format!(", {word}")).collect();
        let message = message.to_owned();
        let file = self.instance.func.file_of(span).to_owned();
        let site = self.module.site(SiteKind::Message { message, types }, &file, span);
        self.module.report_at("assertion_failed", count, 1);
        self.fails = true;
        let leave = self.leave_text(true);
        self.effect(format!("assertion_failed({}, {site}{words});", self.errors));
        self.jump(leave);
        Ok(())
    }

    /// `println!` and its kind.
    pub(super) fn print(&mut self, output: Output, message: &str, args: &[Expr], span: Span) -> Result<()> {
        let (types, words) = self.shown(args, Entry::PRINT_WORDS, span)?;
        let message = message.to_owned();
        let file = self.instance.func.file_of(span).to_owned();
        let kind = SiteKind::Print { output, message, types };
        let site = self.module.site(kind, &file, span);
        self.module.print(words.len());
        // A function is then given the record.
        self.fails = true;
        let words: String = words.iter().map(|word| format!(", {word}")).collect();
        self.effect(format!("print({}, {site}{words});", self.errors));
        Ok(())
    }

    /// The types of the values of a message, and the bits of their numbers, `most` of them.
    fn shown(&mut self, args: &[Expr], most: usize, span: Span) -> Result<(Vec<Type>, Vec<String>)> {
        let (mut types, mut words) = (Vec::new(), Vec::new());
        let operands: Vec<&Expr> = args.iter().collect();
        for value in self.sequence(&operands)? {
            let value = Self::exact(value);
            let (s, n) = numbers(&value.ty);
            if n == 0 {
                if !is_empty(&value.ty) {
                    return self.unsupported(format!("a `{}` in a message", value.ty), span);
                }
                self.evaluate(value.clone());
            } else {
                let value = self.simple(value.clone(), "shown");
                words.extend(numbers_of(&value).iter().map(|number| word(s, number)));
            }
            types.push(value.ty);
        }
        if words.len() > most {
            let text = format!("a message with {} numbers, of which {most} have room,", words.len());
            return self.unsupported(text, span);
        }
        Ok((types, words))
    }

    /// Ends the body where a division has no result. The operands can stand several times.
    pub(super) fn check_division(&mut self, op: BinOp, a: &Value, b: &Value, span: Span) {
        let remainder = op == BinOp::Rem;
        let (xs, ys) = (parts(a), parts(b));
        let above_zero = b.narrow.is_some_and(|bounds| bounds.least > 0);
        let divisors = ys.iter().filter(|y| !above_zero && y.1.is_none_or(|v| v == 0));
        let zeros = divisors.map(|y| Division::ByZero(y.0.clone())).collect();
        self.check_operands(zeros, remainder, span);
        let (s, _) = numbers(&b.ty);
        if !s.is_signed() {
            return;
        }
        let least = literal::int(scalar::bounds(s).0, s, true);
        let lanes = xs.len().max(ys.len());
        let pair = |k: usize| (&xs[k.min(xs.len() - 1)], &ys[k.min(ys.len() - 1)]);
        let overflows = (0..lanes)
            .map(pair)
            .filter(|(x, y)| y.1.is_none_or(|v| v == -1) && x.1.is_none_or(|v| v == scalar::bounds(s).0));
        let overflows = overflows.map(|(x, y)| Division::Overflow {
            dividend: x.0.clone(),
            divisor: y.0.clone(),
            least: least.at(prec::EQUALITY + 1).into_owned(),
        });
        self.check_operands(overflows.collect(), remainder, span);
    }

    /// Ends the body where one of these divisions, which all fail in the same way, has no result.
    fn check_operands(&mut self, divisions: Vec<Division>, remainder: bool, span: Span) {
        let Some(first) = divisions.first() else { return };
        if self.divided.contains(&divisions) {
            return;
        }
        let overflow = matches!(first, Division::Overflow { .. });
        let conditions: Vec<String> = divisions.iter().map(Division::to_string).collect();
        let condition = match &conditions[..] {
            several if overflow && several.len() > 1 => format!("({})", several.join(") || (")),
            several => several.join(" || "),
        };
        self.divided.push(divisions);
        let name = if overflow {
            "division_overflow"
        } else {
            "division_by_zero"
        };
        let file = self.instance.func.file_of(span).to_owned();
        let site = self
            .module
            .site(SiteKind::Division { remainder, overflow }, &file, span);
        self.module.report(name);
        let report = format!("{name}({}, {site});", self.errors);
        self.fail_if(&condition, &report);
    }

    /// A call of a function that can fail; it then ends the body, too.
    pub(super) fn call_that_fails(&mut self, function: &Function, mut args: Vec<String>) -> Value {
        self.fails = true;
        let failed = self.declare("failed");
        self.declaration(format!("bool {failed} = false;"));
        args.extend([self.errors.clone(), failed.clone()]);
        let text = format!("{}({})", function.name, args.join(", "));
        let value = if function.ret == Type::Unit {
            self.effect(format!("{text};"));
            Value::new("", prec::ATOM, Type::Unit, Effect::Stable)
        } else {
            let value = Value::new(text, prec::POSTFIX, function.ret.clone(), Effect::Write);
            self.store(value, "value")
        };
        let leave = self.leave_text(true);
        self.line(format!("if ({failed}) {{ {leave} }}"));
        value
    }
}

/// The numbers of an operand, and their values if they are literals.
fn parts(value: &Value) -> Vec<(String, Option<i128>)> {
    match &value.ty {
        Type::Vector(..) | Type::Matrix(..) => components(value).into_iter().map(|part| (part, None)).collect(),
        _ => vec![(value.at(prec::EQUALITY + 1).into_owned(), value.lit)],
    }
}

/// The numbers that a value is made of.
fn numbers_of(value: &Value) -> Vec<String> {
    match &value.ty {
        Type::Array(item, n) => {
            let base = value.at(prec::POSTFIX);
            let item = |k| numbers_of(&Value::name(format!("{base}.v[{k}]"), (**item).clone(), true));
            (0..*n).flat_map(item).collect()
        }
        Type::Vector(..) | Type::Matrix(..) => components(value),
        _ => vec![value.text.clone()],
    }
}

/// The bits of a scalar, as `u64`.
fn word(s: Scalar, text: &str) -> String {
    match s {
        Scalar::F32 => format!("__float_as_uint({text})"),
        Scalar::F64 => format!("__double_as_longlong({text})"),
        Scalar::F16 | Scalar::Bf16 => format!("({text}).bits"),
        _ => format!("u64({text})"),
    }
}
