//! `if`, `match`, `&&`, `||`.

use std::collections::HashSet;

use swathe_ir::{Arm, BinOp, Block, Expr, ExprKind, Pattern, Scalar, Type};

use super::Result;
use super::body::{Binding, Body, Bounds, Dest, Form, Frame, FrameKind};
use super::literal;
use super::operator::infix;
use super::planes;
use super::text::{Kind, is_single_if};
use super::types;
use super::typing::member_type;
use super::value::{Effect, Value, prec};

const BOOL: Type = Type::Scalar(Scalar::Bool);

/// Expressions that an operand of `?:` may be made of.
fn is_plain(e: &Expr, budget: &mut u32) -> bool {
    let mut plain = true;
    crate::kernel::walk::expr(e, &mut |e| {
        *budget = budget.saturating_sub(1);
        plain &= *budget > 0
            && !matches!(
                e.kind,
                ExprKind::If(..)
                    | ExprKind::Match(..)
                    | ExprKind::Loop(..)
                    | ExprKind::While(..)
                    | ExprKind::For(..)
                    | ExprKind::Break(..)
                    | ExprKind::Continue(_)
                    | ExprKind::Return(_)
                    | ExprKind::Fail { .. }
                    | ExprKind::Print { .. }
                    | ExprKind::Assign(..)
                    | ExprKind::AssignOp(..)
                    | ExprKind::Atomic(..)
            );
        if let ExprKind::Block(_, block) = &e.kind {
            plain &= block.stmts.is_empty();
        }
    });
    plain
}

/// Whether a pattern looks at the parts of a tuple alone.
fn takes_apart(pat: &Pattern) -> bool {
    match pat {
        Pattern::Wild | Pattern::Tuple(_) => true,
        Pattern::Or(pats) => pats.iter().all(takes_apart),
        _ => false,
    }
}

impl Body<'_> {
    /// `if` as `?:`, if both sides are short and need no statements.
    pub(super) fn ternary(&mut self, cond: &Expr, then: &Block, other: &Expr) -> Result<Option<Value>> {
        let Some(yes) = then.tail.as_ref().filter(|_| then.stmts.is_empty()) else {
            return Ok(None);
        };
        let mut budget = 16;
        if !is_plain(yes, &mut budget) || !is_plain(other, &mut budget) || self.type_of(yes)? == Some(Type::Unit) {
            return Ok(None);
        }
        // Only what it says is of interest here; its own lines come after.
        let (_, said) = self.sub(|body| body.lower(cond))?;
        let mut sides = Vec::new();
        for (side, holds) in [(yes.as_ref(), true), (other, false)] {
            let (lines, value) = self.sub(|body| {
                body.learn_bounds(&said, holds);
                body.lower(side)
            })?;
            if !lines.is_empty() || value.ty == Type::Unit {
                return Ok(None);
            }
            sides.push(if value.lit.is_some() {
                value
            } else {
                Self::settled(value)
            });
        }
        let cond = self.lower(cond)?;
        let (Some(no), Some(yes)) = (sides.pop(), sides.pop()) else {
            return Ok(None);
        };
        let (yes, no) = if yes.lit.is_some() && no.lit.is_some() {
            (Self::exact(yes), no)
        } else {
            (yes, no)
        };
        let text = format!(
            "{} ? {} : {}",
            cond.at(prec::OR),
            yes.at(prec::TERNARY),
            no.at(prec::TERNARY)
        );
        let effect = cond.effect.max(yes.effect).max(no.effect);
        let wide = matches!(&yes.ty, Type::Scalar(s) if s.size() < 4 && s.is_int());
        let narrow = match (yes.narrow_operand(), no.narrow_operand()) {
            (Some(a), Some(b)) if yes.lit.is_none() || no.lit.is_none() => Some(a.union(b)),
            _ => None,
        };
        Ok(Some(Value {
            wide,
            narrow,
            ..Value::new(text, prec::TERNARY, yes.ty, effect)
        }))
    }

    pub(super) fn short_circuit(&mut self, op: BinOp, a: &Expr, b: &Expr) -> Result<Value> {
        let a = self.lower(a)?;
        // Before the right side, whose own variables would hide it.
        let mark = self.names.mark();
        let name = self.declare("both");
        let (lines, b) = self.sub(|body| body.lower(b))?;
        if lines.is_empty() {
            self.names.release(mark);
            return Ok(infix(op, &a, &b, BOOL));
        }
        self.writes += 1;
        self.declaration(format!("bool {name} = {};", a.text));
        let test = if op == BinOp::And {
            name.clone()
        } else {
            format!("!{name}")
        };
        self.open_if(&test);
        self.lines.extend(lines);
        self.depth += 1;
        self.effect(format!("{name} = {};", b.text));
        self.depth -= 1;
        self.close();
        Ok(Value::name(name, BOOL, true))
    }

    pub(super) fn if_to(&mut self, cond: &Expr, then: &Block, other: Option<&Expr>, dest: &Dest) -> Result<()> {
        let cond = self.lower(cond)?;
        if let (true, Some(other)) = (then.stmts.is_empty() && then.tail.is_none(), other) {
            return self.unless(&cond, other, dest);
        }
        let source = self.source.take();
        let (yes, ()) = self.sub(|body| {
            body.learn(&cond);
            body.block_to(then, dest)
        })?;
        self.source = source;
        self.open_if(&cond.text);
        self.lines.extend(yes);
        if let Some(other) = other {
            let (no, ()) = self.sub(|body| {
                body.learn_bounds(&cond, false);
                match &other.kind {
                    ExprKind::Block(None, block) => body.block_to(block, dest),
                    _ => {
                        body.source = Some(other.span);
                        body.lower_to(other, dest)
                    }
                }
            })?;
            self.else_(no);
        }
        self.close();
        Ok(())
    }

    /// `if cond {} else { .. }`: what follows knows that the condition holds, if the other side does not get there.
    fn unless(&mut self, cond: &Value, other: &Expr, dest: &Dest) -> Result<()> {
        let source = self.source.take();
        let (lines, ()) = self.sub(|body| {
            body.learn_bounds(cond, false);
            body.lower_to(other, dest)
        })?;
        self.source = source;
        self.open_if(&format!("!{}", cond.at(prec::UNARY)));
        self.lines.extend(lines);
        self.close();
        if self.type_of(other)?.is_none() {
            self.learn(cond);
        }
        Ok(())
    }

    /// `} else {` and these lines, or `} else if` if they are one `if`.
    fn else_(&mut self, mut lines: Vec<super::text::Line>) {
        if lines.is_empty() {
            return;
        }
        if is_single_if(&lines, self.depth + 1) {
            for line in &mut lines {
                line.depth -= 1;
            }
            lines[0].text.insert_str(0, "} else ");
            lines[0].kind = Kind::Close;
            lines.pop();
            self.lines.extend(lines);
        } else {
            self.push("} else {".into(), Kind::Close);
            self.lines.extend(lines);
        }
    }

    pub(super) fn match_to(&mut self, value: &Expr, arms: &[Arm], dest: &Dest) -> Result<()> {
        let subject = match &value.kind {
            ExprKind::Tuple(items) if arms.iter().all(|arm| takes_apart(&arm.pat)) => {
                let operands: Vec<&Expr> = items.iter().collect();
                let values = self.sequence(&operands)?;
                values
                    .into_iter()
                    .map(|v| self.simple(Self::settled(v), "value"))
                    .collect()
            }
            _ => {
                let value = Self::settled(self.lower(value)?);
                vec![self.simple(value, "value")]
            }
        };
        if let [subject] = &subject[..]
            && let Type::Scalar(s) = subject.ty
        {
            // That of the literals in its patterns.
            self.matched = Some(subject.ty.clone());
            if let Some(cases) = self.cases(s, arms) {
                let cases = cases
                    .iter()
                    .map(|values| values.iter().map(|v| literal::int(*v, s, false).text).collect());
                let cases: Vec<Vec<String>> = cases.collect();
                // C++ would convert the labels to what the subject is computed in.
                let subject = subject.clone().widened();
                return self.switch(&subject.text, &cases, arms, dest);
            }
        }
        self.arms(&subject, arms, dest)
    }

    /// Labels of a `switch`, if the match is one: at least three arms of integer literals, and one for the rest.
    fn cases(&self, s: Scalar, arms: &[Arm]) -> Option<Vec<Vec<i128>>> {
        if !s.is_int() || arms.len() < 4 || arms.iter().any(|a| a.guard.is_some()) {
            return None;
        }
        let (last, arms) = arms.split_last()?;
        if !matches!(last.pat, Pattern::Wild) {
            return None;
        }
        // What an arm before has is never this one's.
        let mut taken = HashSet::new();
        let cases: Option<Vec<Vec<i128>>> = arms
            .iter()
            .map(|arm| match &arm.pat {
                Pattern::Value(e) => self.constant_int(e).map(|v| vec![v]),
                Pattern::Or(pats) => pats
                    .iter()
                    .map(|p| {
                        if let Pattern::Value(e) = p {
                            self.constant_int(e)
                        } else {
                            None
                        }
                    })
                    .collect(),
                _ => None,
            })
            .collect();
        let mut cases = cases?;
        for values in &mut cases {
            values.retain(|value| taken.insert(*value));
        }
        Some(cases)
    }

    fn switch(&mut self, subject: &str, cases: &[Vec<String>], arms: &[Arm], dest: &Dest) -> Result<()> {
        self.effect(format!("switch ({subject}) {{"));
        self.frames.push(Frame {
            label: None,
            kind: FrameKind::Switch,
            dest: Dest::Discard,
            end: None,
            next: None,
        });
        for (k, arm) in arms.iter().enumerate() {
            let label = match cases.get(k) {
                Some(values) if values.is_empty() => continue,
                Some(values) => {
                    let labels: Vec<String> = values.iter().map(|v| format!("case {v}:")).collect();
                    labels.join(" ")
                }
                None => "default:".into(),
            };
            self.source = Some(arm.body.span);
            self.line(format!("{label} {{"));
            let (lines, ()) = self.sub(|body| body.arm_body(&arm.body, dest))?;
            let last = lines.last();
            let jumps = last.is_some_and(|l| l.depth == self.depth + 1 && l.kind == Kind::Jump);
            self.lines.extend(lines);
            if !jumps {
                self.depth += 1;
                self.line("break;");
                self.depth -= 1;
            }
            self.close();
        }
        self.frames.pop();
        self.close();
        Ok(())
    }

    fn arm_body(&mut self, body: &Expr, dest: &Dest) -> Result<()> {
        match &body.kind {
            ExprKind::Block(None, block) => self.block_to(block, dest),
            _ => {
                self.source = Some(body.span);
                self.lower_to(body, dest)
            }
        }
    }

    fn arms(&mut self, subject: &[Value], arms: &[Arm], dest: &Dest) -> Result<()> {
        let Some((arm, rest)) = arms.split_first() else {
            return Ok(());
        };
        // What it declares stands in front of the branches.
        let mut condition = self.pattern(&arm.pat, subject)?;
        if rest.is_empty() && arm.guard.is_none() {
            // Rust knows that the arms cover everything.
            condition = None;
        }
        let condition = match &arm.guard {
            None => condition,
            Some(guard) => {
                let (lines, value) = self.sub(|body| body.lower(guard))?;
                Some(match (condition, lines.is_empty()) {
                    (None, true) => value,
                    (Some(c), true) => infix(BinOp::And, &c, &value, BOOL),
                    (c, false) => {
                        let name = self.declare_kept("matches");
                        let first = c.map_or_else(|| "true".to_owned(), |c| c.text);
                        self.effect(format!("bool {name} = {first};"));
                        self.open_if(&name);
                        self.lines.extend(lines);
                        self.depth += 1;
                        self.effect(format!("{name} = {};", value.text));
                        self.depth -= 1;
                        self.close();
                        Value::name(name, BOOL, true)
                    }
                })
            }
        };
        let Some(condition) = condition else {
            return self.arm_body(&arm.body, dest);
        };
        let source = self.source.take();
        let (lines, ()) = self.sub(|body| body.arm_body(&arm.body, dest))?;
        self.source = source;
        self.open_if(&condition.text);
        self.lines.extend(lines);
        let (other, ()) = self.sub(|body| body.arms(subject, rest, dest))?;
        self.else_(other);
        self.close();
        Ok(())
    }

    fn declare_kept(&mut self, wanted: &str) -> String {
        self.names.declare_outer(wanted, self.module)
    }

    /// Whether a value is that of a constant with these bytes, as rustc compares it in a pattern: scalar by scalar.
    fn equals(&mut self, value: &Value, bytes: &[u8]) -> Option<Value> {
        let mut all: Option<Value> = None;
        for leaf in planes::leaves(&value.ty) {
            let Type::Scalar(s) = leaf.scalar else { continue };
            let text = format!("{}{}", value.at(prec::POSTFIX), leaf.path);
            let part = Value::name(text, leaf.scalar.clone(), true).with_arithmetic(value.arithmetic);
            let constant = literal::from_bytes(bytes.get(leaf.offset..).unwrap_or_default(), s);
            let equal = infix(BinOp::Eq, &part, &constant, BOOL);
            all = Some(match all {
                Some(all) => infix(BinOp::And, &all, &equal, BOOL),
                None => equal,
            });
        }
        all
    }

    fn all_match<'p>(&mut self, parts: impl Iterator<Item = (&'p Pattern, Value)>) -> Result<Option<Value>> {
        let mut all: Option<Value> = None;
        for (pat, part) in parts {
            if let Some(c) = self.pattern(pat, &[part])? {
                all = Some(match all {
                    Some(all) => infix(BinOp::And, &all, &c, BOOL),
                    None => c,
                });
            }
        }
        Ok(all)
    }

    /// Condition under which a pattern matches, `None` for always; binds its variables to the subject.
    fn pattern(&mut self, pat: &Pattern, subject: &[Value]) -> Result<Option<Value>> {
        if let Pattern::Tuple(pats) = pat {
            let parts: Vec<Value> = if let [
                Value {
                    ty: Type::Tuple(types), ..
                },
            ] = subject
            {
                let base = subject[0].at(prec::POSTFIX).into_owned();
                let arithmetic = subject[0].arithmetic;
                let part = |(k, ty): (usize, &Type)| {
                    let part = Value::name(format!("{base}._{k}"), ty.clone(), true);
                    self.item(part.with_arithmetic(arithmetic))
                };
                types.iter().enumerate().map(part).collect()
            } else {
                subject.to_vec()
            };
            return self.all_match(pats.iter().zip(parts));
        }
        if let (Pattern::Struct(pats), [whole]) = (pat, subject) {
            let base = whole.at(prec::POSTFIX).into_owned();
            let mut parts = Vec::with_capacity(pats.len());
            for (name, pat) in pats {
                let Some(ty) = member_type(&whole.ty, name) else {
                    continue;
                };
                let text = format!("{base}.{}", types::member_name(&whole.ty, name));
                let part = Value::name(text, ty, true).with_arithmetic(whole.arithmetic);
                parts.push((pat, self.item(part)));
            }
            return self.all_match(parts.into_iter());
        }
        if let Pattern::Named(local, inner) = pat {
            self.pattern(&Pattern::Bind(*local), subject)?;
            return self.pattern(inner, subject);
        }
        if let Pattern::Or(pats) = pat {
            let mut any: Option<Value> = None;
            for pat in pats {
                let Some(c) = self.pattern(pat, subject)? else {
                    return Ok(None);
                };
                any = Some(match any {
                    Some(any) => infix(BinOp::Or, &any, &c, BOOL),
                    None => c,
                });
            }
            return Ok(any);
        }
        match (pat, subject) {
            (Pattern::Bind(_), [value]) if types::is_empty(&value.ty) => Ok(None),
            (Pattern::Bind(local), [value]) => {
                if self.instance.func.locals[local.0 as usize].mutable {
                    let ty = self.module.ty(&value.ty);
                    let name = self.declare_local(*local);
                    self.line(format!("{ty} {name} = {};", value.text));
                } else {
                    if let Some(number) = value.lit {
                        // As text it would have a type of C++'s.
                        self.locals.insert(*local, Binding::Literal(number));
                        return Ok(None);
                    }
                    let text = value.at(prec::POSTFIX).into_owned();
                    self.locals.insert(
                        *local,
                        Binding::Name {
                            text,
                            stable: value.effect == Effect::Stable,
                            bounds: value.narrow.map_or(Bounds::Unknown, Bounds::Narrow),
                            form: Form::Value {
                                arithmetic: value.arithmetic,
                            },
                        },
                    );
                }
                Ok(None)
            }
            (Pattern::Value(_), [value]) if types::is_empty(&value.ty) => Ok(None),
            (Pattern::Value(e), [value]) if !matches!(value.ty, Type::Scalar(_)) => {
                let constant = match &e.kind {
                    ExprKind::Const(slot) => self.instance.consts.get(slot.0 as usize).cloned(),
                    _ => None,
                };
                match constant {
                    Some(constant) => Ok(self.equals(value, &constant.bytes)),
                    None => self.unsupported("a pattern that is no constant", e.span),
                }
            }
            (Pattern::Value(e), [value]) => {
                self.matched = Some(value.ty.clone());
                let v = self.lower(e)?;
                Ok(Some(match v.text.as_str() {
                    "true" => value.clone(),
                    "false" => Value::new(format!("!{}", value.at(prec::UNARY)), prec::UNARY, BOOL, value.effect),
                    _ => infix(BinOp::Eq, value, &v, BOOL),
                }))
            }
            (Pattern::Range { start, end, inclusive }, [value]) => {
                self.matched = Some(value.ty.clone());
                let mut all: Option<Value> = None;
                if let Some(start) = start
                    && let v = self.lower(start)?
                    && !(v.lit == Some(0) && v.ty.scalar().is_some_and(|s| !s.is_signed()))
                {
                    all = Some(infix(BinOp::Ge, value, &v, BOOL));
                }
                if let Some(end) = end {
                    let v = self.lower(end)?;
                    let c = infix(if *inclusive { BinOp::Le } else { BinOp::Lt }, value, &v, BOOL);
                    all = Some(match all {
                        Some(all) => infix(BinOp::And, &all, &c, BOOL),
                        None => c,
                    });
                }
                Ok(all)
            }
            _ => Ok(None),
        }
    }
}
