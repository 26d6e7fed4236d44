//! Statements, loops and what leaves them.

use swathe_ir::{Block, Domain, ExprKind, LabelId, ParFor, Pat, Pattern, Range, Scalar, Stmt, UnOp};

use super::{Frame, Machine, Slot};
use crate::value::{Value, wrap};

/// Why an expression has no value.
pub enum Flow {
    Break(LabelId, Value),
    Continue(LabelId),
    Return(Value),
    /// An access out of bounds.
    Fail,
}

pub type Run<T> = Result<T, Flow>;

impl Machine {
    /// A function's value; `None` if an access failed outside of parallel loops.
    pub(super) fn body(&mut self, frame: &mut Frame) -> Option<Value> {
        let instance = frame.instance.clone();
        match self.block(frame, &instance.func.body) {
            Ok(value) | Err(Flow::Return(value)) => Some(value),
            Err(Flow::Fail) => None,
            Err(_) => unreachable!("labels end within a function"),
        }
    }

    pub(super) fn block(&mut self, frame: &mut Frame, block: &Block) -> Run<Value> {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, init, .. } => {
                    if let Some(init) = init {
                        let value = self.expr(frame, init)?;
                        bind(frame, pat, value);
                    } else if let Pat::Bind(local) = pat {
                        frame.locals[local.0 as usize] = Slot::Empty;
                    }
                }
                Stmt::Expr(e) => {
                    self.expr(frame, e)?;
                }
                Stmt::ParFor(p) => self.parallel(frame, p)?,
            }
        }
        match &block.tail {
            Some(tail) => self.expr(frame, tail),
            None => Ok(Value::Unit),
        }
    }

    fn parallel(&mut self, frame: &mut Frame, p: &ParFor) -> Run<()> {
        match &p.domain {
            Domain::Range(range) => {
                for value in self.range(frame, range)? {
                    if let [Some(var)] = p.vars[..] {
                        frame.set(var, value);
                    }
                    self.iteration(frame, p)?;
                }
            }
            Domain::Indices(field) => {
                let shape = self.fields[frame.field(*field)].shape.clone();
                self.positions(frame, p, &shape)?;
            }
            Domain::NdRange(extents) => {
                let mut shape = Vec::new();
                for e in extents {
                    shape.push(self.expr(frame, e)?.index());
                }
                self.positions(frame, p, &shape)?;
            }
        }
        Ok(())
    }

    fn positions(&mut self, frame: &mut Frame, p: &ParFor, shape: &[usize]) -> Run<()> {
        let count: usize = shape.iter().product();
        for flat in 0..count {
            let mut at = vec![0; shape.len()];
            let mut rest = flat;
            for k in (0..shape.len()).rev() {
                at[k] = rest % shape[k];
                rest /= shape[k];
            }
            match &p.vars[..] {
                [Some(var)] if shape.len() > 1 => {
                    frame.set(*var, Value::Array(at.into_iter().map(Value::size).collect()));
                }
                vars => {
                    for (var, at) in vars.iter().zip(at) {
                        if let Some(var) = var {
                            frame.set(*var, Value::size(at));
                        }
                    }
                }
            }
            self.iteration(frame, p)?;
        }
        Ok(())
    }

    fn iteration(&mut self, frame: &mut Frame, p: &ParFor) -> Run<()> {
        self.step();
        match self.block(frame, &p.body) {
            Ok(_) | Err(Flow::Fail) => Ok(()),
            Err(Flow::Continue(label)) if label == p.label => Ok(()),
            Err(other) => Err(other),
        }
    }

    /// The values of a range in their order.
    pub(super) fn range(&mut self, frame: &mut Frame, range: &Range) -> Run<Vec<Value>> {
        let (start, end) = (self.expr(frame, &range.start)?, self.expr(frame, &range.end)?);
        let step = match &range.step {
            Some(step) => self.expr(frame, step)?.index(),
            None => 1,
        };
        let Value::Int(scalar, first) = start else {
            panic!("a range of integers")
        };
        let last = end.int() - i128::from(!range.inclusive);
        let value = |n| Value::Int(scalar, n);
        let count = usize::try_from(last - first + 1).unwrap_or(0);
        assert!(count < 100_000_000, "a loop that does not end");
        let mut values: Vec<Value> = if range.reverse {
            (first..=last).rev().step_by(step).map(value).collect()
        } else {
            (first..=last).step_by(step).map(value).collect()
        };
        if range.turned {
            values.reverse();
        }
        Ok(values)
    }

    /// One round of a sequential loop: whether it goes on.
    pub(super) fn round(&mut self, frame: &mut Frame, label: LabelId, body: &Block) -> Run<Option<Value>> {
        self.step();
        match self.block(frame, body) {
            Ok(_) => Ok(None),
            Err(Flow::Continue(l)) if l == label => Ok(None),
            Err(Flow::Break(l, value)) if l == label => Ok(Some(value)),
            Err(other) => Err(other),
        }
    }

    pub(super) fn matches(&mut self, frame: &mut Frame, pattern: &Pattern, value: &Value) -> bool {
        match pattern {
            Pattern::Wild => true,
            Pattern::Bind(local) => {
                frame.set(*local, value.clone());
                true
            }
            Pattern::Named(local, inner) => {
                frame.set(*local, value.clone());
                self.matches(frame, inner, value)
            }
            Pattern::Value(e) => self.pattern_value(frame, e, value) == *value,
            Pattern::Range { start, end, inclusive } => {
                let start = start.as_ref().map(|e| self.pattern_value(frame, e, value).int());
                let end = end.as_ref().map(|e| self.pattern_value(frame, e, value).int());
                let n = value.int();
                start.is_none_or(|s| s <= n) && end.is_none_or(|e| n < e + i128::from(*inclusive))
            }
            Pattern::Or(cases) => cases.iter().any(|case| self.matches(frame, case, value)),
            Pattern::Tuple(parts) => match value {
                Value::Tuple(values) => parts.iter().zip(values).all(|(p, v)| self.matches(frame, p, v)),
                other => panic!("a tuple, not {other:?}"),
            },
            Pattern::Struct(parts) => match value {
                Value::Struct(members) => parts.iter().all(|(name, part)| {
                    let member = members.iter().find(|(n, _)| n == name);
                    let (_, value) = member.unwrap_or_else(|| panic!("no member `{name}`"));
                    self.matches(frame, part, value)
                }),
                other => panic!("a struct, not {other:?}"),
            },
        }
    }

    /// A literal has the type of what it is compared with.
    fn pattern_value(&mut self, frame: &mut Frame, e: &swathe_ir::Expr, value: &Value) -> Value {
        let scalar = match value {
            Value::Int(scalar, _) => *scalar,
            _ => Scalar::Bool,
        };
        match &e.kind {
            ExprKind::Lit(swathe_ir::Lit::Int(n), _) => Value::Int(scalar, wrap(scalar, *n as i128)),
            ExprKind::Lit(swathe_ir::Lit::Bool(b), _) => Value::Bool(*b),
            ExprKind::Unary(UnOp::Neg, inner, _) => {
                let n = self.pattern_value(frame, inner, value).int();
                Value::Int(scalar, wrap(scalar, -n))
            }
            _ => self.expr(frame, e).unwrap_or(Value::Unit),
        }
    }
}

pub fn bind(frame: &mut Frame, pat: &Pat, value: Value) {
    match (pat, value) {
        (Pat::Wild, _) => {}
        (Pat::Bind(local), value) => frame.set(*local, value),
        (Pat::Tuple(pats), Value::Tuple(values)) | (Pat::Array(pats), Value::Array(values)) => {
            pats.iter().zip(values).for_each(|(pat, value)| bind(frame, pat, value));
        }
        (_, value) => panic!("a pattern that {value:?} does not fit"),
    }
}
