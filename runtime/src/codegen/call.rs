//! Calls: of the user's functions, of scalar methods by their table, and of constructors.

use swathe_ir::{
    BinOp, CalleeSlot, Cuda, Expr, ExprKind, ParamKind, Scalar, Span, Type, TypeSlot, UnOp, division, scalar_method,
};

use super::Result;
use super::body::Body;
use super::body::Dest;
use super::helper::{braced, filled};
use super::interval::Interval;
use super::literal;
use super::operator::components;
use super::value::{Effect, Value, prec};
use crate::kernel::FuncRef;

impl Body<'_> {
    pub(super) fn call(
        &mut self,
        callee: CalleeSlot,
        name: &str,
        on: Option<TypeSlot>,
        args: &[Expr],
        span: Span,
    ) -> Result<Value> {
        let operands: Vec<&Expr> = args.iter().collect();
        if let Some(func) = self.user_function(Some(callee)) {
            return self.call_function(&func, &operands, span);
        }
        let on = match on {
            Some(slot) => self.slot(slot),
            None => return self.unsupported(format!("`{name}`"), span),
        };
        if let (Type::Vector(..) | Type::Matrix(..), "from_array", [array]) = (&on, name, args)
            && let Some(items) = written_items(array, matches!(on, Type::Matrix(..)))
        {
            let values = self.sequence(&items)?;
            let effect = values.iter().map(|v| v.effect).max().unwrap_or(Effect::Stable);
            let texts: Vec<String> = values.into_iter().map(|v| Self::settled(v).text).collect();
            let spelled = self.module.ty(&on);
            return Ok(Value::new(braced(&on, &spelled, &texts), prec::POSTFIX, on, effect));
        }
        let values = self.sequence(&operands)?;
        self.built_in(&on, name, values, span)
    }

    pub(super) fn method(
        &mut self,
        receiver: &Expr,
        name: &str,
        callee: CalleeSlot,
        args: &[Expr],
        span: Span,
    ) -> Result<Value> {
        let operands: Vec<&Expr> = std::iter::once(receiver).chain(args).collect();
        if let Some(func) = self.user_function(Some(callee)) {
            return self.call_function(&func, &operands, span);
        }
        if matches!(name, "len" | "__len")
            && let Some(Type::Array(_, n)) = self.type_of(receiver)?
        {
            self.lower_to(receiver, &Dest::Discard)?;
            return Ok(literal::int(n as i128, Scalar::Usize, false));
        }
        let values = self.sequence(&operands)?;
        let on = values[0].ty.clone();
        self.built_in(&on, name, values, span)
    }

    /// Calls a function that the text defines.
    pub(super) fn call_function(&mut self, func: &FuncRef, args: &[&Expr], span: Span) -> Result<Value> {
        if let Some(value) = self.inlined(func, args, span)? {
            return Ok(value);
        }
        let fields = self.lent(args, span)?;
        let function = self.module.function(func, &fields)?;
        if function.lent.len() != fields.len() {
            return self.unsupported(format!("calling `{}` with other arguments", function.name), span);
        }
        if function.params.len() != args.len() {
            return self.unsupported(
                format!("calling `{}` with {} arguments", function.name, args.len()),
                span,
            );
        }
        let mut values = Vec::new();
        for (arg, (kind, _)) in args.iter().zip(&function.params) {
            let value = match kind {
                ParamKind::Ref { mutable: true } => self.place(arg)?,
                // Passed on below.
                ParamKind::Field { .. } => Value::new("", prec::ATOM, Type::Unit, Effect::Stable),
                _ => Self::settled(self.lower(arg)?),
            };
            values.push((value, self.mark()));
        }
        let mut effect = Effect::Stable;
        let mut later = Effect::Stable;
        let mut texts = Vec::new();
        let mut lent = fields.iter().zip(&function.lent).rev();
        for (((value, mark), (kind, _)), arg) in values.into_iter().zip(&function.params).zip(args).rev() {
            if matches!(kind, ParamKind::Field { .. }) {
                if let Some((field, args)) = lent.next() {
                    texts.extend(self.pass_on(field, args).into_iter().rev());
                }
                continue;
            }
            let own = if *kind == (ParamKind::Ref { mutable: true }) {
                Effect::Write
            } else {
                value.effect
            };
            effect = effect.max(own);
            let value = match kind {
                ParamKind::Ref { mutable: true } => value,
                // rustc lets nobody change what is lent.
                ParamKind::Ref { mutable: false } if is_of_variable(arg) => value,
                _ => self.before(value, mark, later),
            };
            later = later.max(own);
            if value.ty == Type::Unit {
                self.evaluate(value);
                continue;
            }
            texts.push(value.text);
        }
        texts.reverse();
        self.endless |= function.endless;
        if function.fails {
            return Ok(self.call_that_fails(&function, texts));
        }
        let text = format!("{}({})", function.name, texts.join(", "));
        Ok(Value::new(text, prec::POSTFIX, function.ret, effect))
    }

    pub(super) fn built_in(&mut self, on: &Type, name: &str, values: Vec<Value>, span: Span) -> Result<Value> {
        let effect = values.iter().map(|v| v.effect).max().unwrap_or(Effect::Stable);
        let spelled = self.module.ty(on);
        match (on, name) {
            (Type::Scalar(s), "default") => Ok(literal::from_bytes(&[0; 8], *s)),
            (_, "default") => Ok(Value::new(
                format!("{spelled}{{}}"),
                prec::POSTFIX,
                on.clone(),
                Effect::Stable,
            )),
            (_, "clone") if values.len() == 1 => Ok(values.into_iter().next().unwrap_or_else(|| literal::bool(false))),
            (Type::Vector(..), "new") => {
                let items: Vec<String> = values.into_iter().map(|v| Self::settled(v).text).collect();
                Ok(Value::new(
                    braced(on, &spelled, &items),
                    prec::POSTFIX,
                    on.clone(),
                    effect,
                ))
            }
            (Type::Vector(..), "splat") => {
                let value = Self::settled(values.into_iter().next().unwrap_or_else(|| literal::bool(false)));
                let value = if value.lit.is_some() {
                    value
                } else {
                    self.simple(value, "value")
                };
                Ok(Value::new(
                    filled(on, &spelled, &value.text),
                    prec::POSTFIX,
                    on.clone(),
                    value.effect,
                ))
            }
            (Type::Vector(..) | Type::Matrix(..), "from_array") => {
                let Some(value) = values.into_iter().next() else {
                    return self.unsupported(name, span);
                };
                let value = self.simple(value, "components");
                let items: Vec<String> = match on {
                    Type::Matrix(_, r, c) => (0..r * c)
                        .map(|k| format!("{}.v[{}].v[{}]", value.text, k / c, k % c))
                        .collect(),
                    Type::Vector(_, n) => (0..*n).map(|k| format!("{}.v[{k}]", value.text)).collect(),
                    _ => Vec::new(),
                };
                Ok(Value::new(
                    braced(on, &spelled, &items),
                    prec::POSTFIX,
                    on.clone(),
                    value.effect,
                ))
            }
            (Type::Vector(..) | Type::Matrix(..), "to_array") => {
                let Some(value) = values.into_iter().next() else {
                    return self.unsupported(name, span);
                };
                let value = self.simple(value, "value");
                let items = components(&value);
                let ty = array_of(on);
                let array = self.module.ty(&ty);
                let text = match on {
                    Type::Matrix(_, _, c) => {
                        let rows: Vec<String> = items
                            .chunks(*c)
                            .map(|row| format!("{{{{{}}}}}", row.join(", ")))
                            .collect();
                        format!("{array}{{{{{}}}}}", rows.join(", "))
                    }
                    _ => format!("{array}{{{{{}}}}}", items.join(", ")),
                };
                Ok(Value::new(text, prec::POSTFIX, ty, value.effect))
            }
            (Type::Scalar(s), _) => {
                let Some(row) = scalar_method(name, *s) else {
                    return self.unsupported(format!("`{name}` of `{on}`"), span);
                };
                if let Some(value) = self.narrow_method(name, &values, on, span)? {
                    return Ok(value);
                }
                let mut values = values;
                if row.divides(*s)
                    && let (Some(op), Some(divisor)) = (division(name), values.pop())
                {
                    let (dividend, divisor) = (Self::settled(values.remove(0)), Self::settled(divisor));
                    let [dividend, divisor] = self.divisible(op, dividend, divisor, span);
                    values.extend([dividend, divisor]);
                }
                let wraps = matches!(name, "wrapping_add" | "wrapping_sub" | "wrapping_mul" | "wrapping_neg");
                let arithmetic = wraps && values.iter().all(|v| v.arithmetic);
                let call = self.table_call(&row.cuda(*s), &values, row.result.on(*s));
                Ok(call.with_arithmetic(arithmetic))
            }
            _ => self.unsupported(format!("`{name}` of `{on}`"), span),
        }
    }

    /// A method of 64-bit values that 32 bits hold, where its result is, too, the same.
    fn narrow_method(&mut self, name: &str, values: &[Value], on: &Type, span: Span) -> Result<Option<Value>> {
        let [a, b] = values else { return Ok(None) };
        match name {
            _ if !matches!(on, Type::Scalar(Scalar::Usize | Scalar::U64)) => return Ok(None),
            "wrapping_add" => return self.binary(BinOp::Add, a.clone(), b.clone(), span).map(Some),
            "wrapping_sub" => return self.binary(BinOp::Sub, a.clone(), b.clone(), span).map(Some),
            "wrapping_mul" => return self.binary(BinOp::Mul, a.clone(), b.clone(), span).map(Some),
            _ => {}
        }
        if let ("min", Some(_), Some(limit)) = (name, a.narrow, b.lit)
            && limit > i128::from(u32::MAX)
        {
            return Ok(Some(a.clone()));
        }
        let (x, y) = match (a.narrow_operand(), b.narrow_operand()) {
            (Some(x), Some(y)) => (x, y),
            // The smaller of the two fits where one does.
            (Some(fits), None) | (None, Some(fits)) if name == "min" && self.narrows() => {
                let Some((s, row)) = on.scalar().and_then(|s| Some((s, scalar_method(name, s)?))) else {
                    return Ok(None);
                };
                let call = self.table_call(&row.cuda(s), values, on.clone());
                let least = Value::converted(Scalar::U32, &call, on.clone());
                let narrow = Some(Interval::new(0, fits.most));
                return Ok(Some(Value { narrow, ..least }));
            }
            _ => return Ok(None),
        };
        if a.narrow.is_none() && b.narrow.is_none() {
            return Ok(None);
        }
        let bounds = match name {
            "min" => Interval::new(x.least.min(y.least), x.most.min(y.most)),
            "max" => Interval::new(x.least.max(y.least), x.most.max(y.most)),
            "saturating_sub" => Interval::new((x.least - y.most).max(0), (x.most - y.least).max(0)),
            "abs_diff" => Interval::new(0, x.most.max(y.most)),
            _ => return Ok(None),
        };
        let Some(row) = scalar_method(name, Scalar::U32) else {
            return Ok(None);
        };
        let operand = |v: &Value| Value {
            ty: Type::Scalar(Scalar::U32),
            narrow: None,
            ..v.clone()
        };
        let call = self.table_call(&row.cuda(Scalar::U32), &[operand(a), operand(b)], on.clone());
        Ok(Some(Value {
            narrow: Some(bounds),
            ..call
        }))
    }

    /// A call as the table of scalar methods spells it.
    pub(super) fn table_call(&mut self, cuda: &Cuda, values: &[Value], ty: Type) -> Value {
        // Marks that no operand holds: `{1}` may be a list in one.
        let hole = |k: usize| format!("\u{1}{k}\u{2}");
        let mut text = cuda.template.clone();
        for k in 0..values.len() {
            text = text.replace(&format!("{{{k}}}"), &hole(k));
        }
        let mut effect = Effect::Stable;
        for (k, value) in values.iter().enumerate() {
            let value = Self::exact(value.clone());
            effect = effect.max(value.effect);
            let hole = hole(k);
            let Some(at) = text.find(&hole) else { continue };
            let before = text[..at].trim_end_matches('(');
            let parens = text[..at].ends_with('(') && text[at + hole.len()..].starts_with(')');
            let called = before.ends_with(|c: char| c.is_alphanumeric() || c == '_') && text[..at].ends_with('(');
            text = if parens && !called && text[..at].len() - before.len() >= 1 {
                // The operand's own parentheses, if it needs any.
                format!(
                    "{}{}{}",
                    &text[..at - 1],
                    value.at(prec::UNARY),
                    &text[at + hole.len() + 1..]
                )
            } else {
                text.replacen(&hole, &value.text, 1)
            };
        }
        if let Some(helper) = &cuda.helper {
            self.module.helper(&helper.name, || {
                helper.text.replacen("__device__", "static __device__", 1)
            });
        }
        let (text, level) = match unwrapped(&text) {
            // In parentheses, `float(T(x))` before a sign would be a cast to the type of a function.
            Some(inner) if is_call(inner) => (inner.to_owned(), prec::POSTFIX),
            Some(inner) => (inner.to_owned(), prec::TERNARY),
            None => (text, prec::POSTFIX),
        };
        Value::new(text, level, ty, effect)
    }

    pub(super) fn built_in_call_type(&self, name: &str, on: Option<TypeSlot>, span: Span) -> Result<Type> {
        let Some(slot) = on else {
            return self.unsupported(format!("`{name}`"), span);
        };
        let on = self.slot(slot);
        self.built_in_method_type(&on, name, span)
    }

    pub(super) fn built_in_method_type(&self, on: &Type, name: &str, span: Span) -> Result<Type> {
        match (on, name) {
            (_, "clone" | "default") | (Type::Vector(..) | Type::Matrix(..), "new" | "splat" | "from_array") => {
                Ok(on.clone())
            }
            (Type::Vector(..) | Type::Matrix(..), "to_array") => Ok(array_of(on)),
            (Type::Array(..), "len" | "__len") => Ok(Type::Scalar(Scalar::Usize)),
            (Type::Scalar(s), _) => match scalar_method(name, *s) {
                Some(row) => Ok(row.result.on(*s)),
                None => self.unsupported(format!("`{name}` of `{on}`"), span),
            },
            _ => self.unsupported(format!("`{name}` of `{on}`"), span),
        }
    }
}

/// The items of an array literal, or of the array literals in it.
fn written_items(e: &Expr, nested: bool) -> Option<Vec<&Expr>> {
    let ExprKind::Array(items, _) = &e.kind else {
        return None;
    };
    if !nested {
        return Some(items.iter().collect());
    }
    let rows: Option<Vec<_>> = items.iter().map(|row| written_items(row, false)).collect();
    Some(rows?.concat())
}

fn array_of(ty: &Type) -> Type {
    match ty {
        Type::Vector(s, n) => Type::Array(Box::new(Type::Scalar(*s)), *n),
        Type::Matrix(s, r, c) => Type::Array(Box::new(Type::Array(Box::new(Type::Scalar(*s)), *c)), *r),
        _ => ty.clone(),
    }
}

/// Whether the whole text is a name with arguments.
fn is_call(text: &str) -> bool {
    let name = text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    name.len() < text.len() && unwrapped(name).is_some()
}

/// What stands between parentheses that enclose the whole text.
fn unwrapped(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    Some(inner)
}

/// Whether an expression is a variable or a part of one.
fn is_of_variable(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) => true,
        ExprKind::Ref { place: a, .. }
        | ExprKind::Member(a, _)
        | ExprKind::Index(a, _)
        | ExprKind::Unary(UnOp::Deref, a, _) => is_of_variable(a),
        _ => false,
    }
}
