//! Statements: assignments, loops and jumps.

use swathe_ir::{BinOp, Block, Expr, ExprKind, LabelId, LocalId, ParamKind, Pat, Range, Scalar, Stmt, Type};

use super::Result;
use super::body::{Binding, Body, Dest, Frame, FrameKind, Leave};
use super::domain::FAR_FROM_THE_END;
use super::inside::{Rising, runs_through};
use super::interval::Interval;
use super::kernel::root;
use super::literal;
use super::operator::infix;
use super::scalar;
use super::source::SiteKind;
use super::text::{Kind, Line};
use super::types::is_empty;
use super::value::{Effect, Value, prec};
use crate::collision::AccessKind;
use crate::kernel::{FuncRef, walk};

/// Longest loop that is written out when its counter selects components of a vector.
const WRITTEN_OUT: i128 = 4;
/// So far a loop strides whose counter would take years to the end of a 64-bit type.
const LONGEST_STRIDE: i128 = 1 << 16;
/// Longest loop that the compiler is asked to unroll.
const UNROLLED: i128 = 16;

impl Body<'_> {
    /// Lowers an expression and sends its value, if it has one, to `dest`.
    pub(super) fn lower_to(&mut self, e: &Expr, dest: &Dest) -> Result<()> {
        match &e.kind {
            ExprKind::Block(label, block) => self.block_statement(*label, block, dest),
            ExprKind::If(cond, then, other) => {
                if !matches!(dest, Dest::Discard)
                    && let Some(value) = self.lower_flat(e)?
                {
                    self.deliver(value, dest);
                    return Ok(());
                }
                self.if_to(cond, then, other.as_deref(), dest)
            }
            ExprKind::Match(value, arms) => self.match_to(value, arms, dest),
            ExprKind::Loop(label, block) => {
                self.endless = true;
                self.loop_("while (true)", *label, dest, |body| body.loop_body(block))
            }
            ExprKind::While(label, cond, block) => {
                self.endless = true;
                self.while_(*label, cond, block)
            }
            ExprKind::For(label, pat, range, block) => self.for_(*label, pat, range, block),
            ExprKind::Break(label, value) => self.break_(*label, value.as_deref()),
            ExprKind::Continue(label) => self.continue_(*label),
            ExprKind::Fail { message, args } => self.fail(message, args, e.span),
            ExprKind::Print { output, message, args } => self.print(*output, message, args, e.span),
            ExprKind::Return(value) => {
                if let Some(value) = value {
                    let ty = self.type_of(value)?;
                    let unit = ty == Some(Type::Unit);
                    if matches!(self.leave, Leave::Phase { .. }) && !unit {
                        let dest = if ty.is_some_and(|ty| is_empty(&ty)) {
                            Dest::Discard
                        } else {
                            self.used.frame = true;
                            Dest::Var(self.framed("result"))
                        };
                        self.lower_to(value, &dest)?;
                    } else {
                        self.lower_to(value, &Dest::Return)?;
                        if !unit {
                            return Ok(());
                        }
                    }
                }
                let leave = self.leave_text(false);
                self.jump(leave);
                Ok(())
            }
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::AssignOp(op, place, value, callee) => {
                if let Some(func) = self.user_function(*callee) {
                    if self.is_planar(place) {
                        return self.planar_assign_call(&func, place, value);
                    }
                    if root(place).is_some() && self.module.function(&func, &[])?.fails {
                        return self.assign_call_that_fails(&func, place, value);
                    }
                    let call = self.call_function(&func, &[place, value], e.span)?;
                    self.deliver(call, &Dest::Discard);
                    return Ok(());
                }
                if self.goes_first(place, value)? {
                    let place = self.place(place)?;
                    let value = self.lower(value)?;
                    return self.assign_op(*op, place, value, e.span);
                }
                let value = self.lower(value)?;
                let mark = self.mark();
                if let Some(place) = self.planar(place)? {
                    self.note_planar(&place, AccessKind::Write);
                    let value = self.before(value, mark, place.effect);
                    let current = self.planar_value(&place);
                    if matches!(place.ty, Type::Scalar(_)) {
                        return self.assign_op(*op, current, value, e.span);
                    }
                    let value = self.binary(*op, current, value, e.span)?;
                    let store = self.planar_store(&place, &value.text);
                    self.effect(store);
                    return Ok(());
                }
                let place = self.place(place)?;
                let value = self.before(value, mark, place.effect);
                self.assign_op(*op, place, value, e.span)
            }
            _ => {
                let value = self.lower(e)?;
                if value.ty == Type::Unit && value.effect < Effect::Write {
                    return Ok(());
                }
                let dest = if value.ty == Type::Unit { &Dest::Discard } else { dest };
                self.deliver(value, dest);
                Ok(())
            }
        }
    }

    /// `place op= value` by a function of the user that may fail half-way: it changes a copy, and what fails writes nothing.
    fn assign_call_that_fails(&mut self, func: &FuncRef, place: &Expr, value: &Expr) -> Result<()> {
        let value = Self::settled(self.lower(value)?);
        let value = self.simple(value, "value");
        let place = self.place(place)?;
        let (t, element, copy) = (
            self.module.ty(&place.ty),
            self.declare("element"),
            self.declare("place"),
        );
        self.effect(format!("{t}& {element} = {};", place.text));
        self.effect(format!("{t} {copy} = {element};"));
        self.assigned(func, copy.clone(), value.text)?;
        self.effect(format!("{element} = {copy};"));
        Ok(())
    }

    /// Calls a function that changes a variable.
    pub(super) fn assigned(&mut self, func: &FuncRef, variable: String, value: String) -> Result<()> {
        let function = self.module.function(func, &[])?;
        let list = vec![variable, value];
        self.endless |= function.endless;
        if function.fails {
            self.call_that_fails(&function, list);
        } else {
            self.effect(format!("{}({});", function.name, list.join(", ")));
        }
        Ok(())
    }

    /// Whether Rust evaluates the place of `place op= value` before the value, as the receiver of a method: where both are primitive it
    /// does so after it. Places in fields come last on the CPU as well; where that could be seen the macro refuses them.
    fn goes_first(&self, place: &Expr, value: &Expr) -> Result<bool> {
        let primitive = |ty: Option<Type>| matches!(ty, Some(Type::Scalar(s)) if !s.is_half());
        let both = !self.is_reference(value) && primitive(self.type_of(place)?) && primitive(self.type_of(value)?);
        Ok(!both && root(place).is_none())
    }

    /// Whether an expression is a reference: of another type than what it refers to, so that an operator on it is a call.
    fn is_reference(&self, e: &Expr) -> bool {
        let tail = |block: &Block| block.tail.as_ref().is_some_and(|tail| self.is_reference(tail));
        match &e.kind {
            ExprKind::Ref { .. } => true,
            ExprKind::Local(local) => {
                let mut params = self.instance.func.params.iter();
                params.any(|p| p.local == *local && matches!(p.kind, ParamKind::Ref { .. }))
            }
            ExprKind::Block(_, block) => tail(block),
            ExprKind::If(_, then, _) => tail(then),
            ExprKind::Match(_, arms) => arms.iter().any(|arm| self.is_reference(&arm.body)),
            _ => false,
        }
    }

    fn assign(&mut self, place: &Expr, value: &Expr) -> Result<()> {
        if self.type_of(place)?.is_some_and(|ty| is_empty(&ty)) {
            self.lower_to(value, &Dest::Discard)?;
            // Its checks.
            self.read(place)?;
            return Ok(());
        }
        if let ExprKind::Local(local) = &place.kind
            && let Some(Binding::Name { text, .. }) = self.locals.get(local)
        {
            let text = text.clone();
            self.use_frame_of(*local);
            self.lower_to(value, &Dest::Var(text))?;
            self.take_iteration(*local);
            return Ok(());
        }
        let value = self.lower(value)?;
        let mark = self.mark();
        if let Some(place) = self.planar(place)? {
            self.note_planar(&place, AccessKind::Write);
            let value = self.before(value, mark, place.effect);
            let store = self.planar_store(&place, &value.text);
            self.effect(store);
            return Ok(());
        }
        let place = self.place(place)?;
        let value = self.before(value, mark, place.effect);
        self.effect(format!("{} = {};", place.text, value.text));
        Ok(())
    }

    fn block_statement(&mut self, label: Option<LabelId>, block: &Block, dest: &Dest) -> Result<()> {
        if label.is_none() && block.stmts.is_empty() {
            return match &block.tail {
                Some(tail) => self.lower_to(tail, dest),
                None => Ok(()),
            };
        }
        self.frames.push(Frame {
            label,
            kind: FrameKind::Block,
            dest: dest.clone(),
            end: None,
            next: None,
        });
        let declared = self.names.declared();
        let (lines, ()) = self.sub(|body| body.block_to(block, dest))?;
        let frame = self.frames.pop();
        let plain = |line: &Line| !matches!(line.kind, Kind::Constant(_) | Kind::Declaration);
        // Names that it declares are free behind it.
        if label.is_none() && self.names.declared() == declared && lines.iter().all(plain) {
            for mut line in lines {
                line.depth -= 1;
                self.lines.push(line);
            }
            self.writes += 1;
        } else {
            self.effect("{");
            self.lines.extend(lines);
            self.close();
        }
        if let Some(end) = frame.and_then(|f| f.end) {
            self.label(&end);
        }
        Ok(())
    }

    /// A loop with the given head; `dest` receives the values of its `break`s.
    pub(super) fn loop_(
        &mut self,
        head: &str,
        label: LabelId,
        dest: &Dest,
        build: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.frames.push(Frame {
            label: Some(label),
            kind: FrameKind::Loop,
            dest: dest.clone(),
            end: None,
            next: None,
        });
        let (mut lines, ()) = self.sub(build)?;
        let frame = self.frames.pop();
        self.effect(format!("{head} {{"));
        if let Some(next) = frame.as_ref().and_then(|f| f.next.clone()) {
            // The block keeps the jump from crossing declarations.
            self.depth += 1;
            self.line("{");
            for line in &mut lines {
                line.depth += 1;
            }
            self.lines.extend(lines);
            self.close();
            self.label(&next);
            self.depth -= 1;
        } else {
            self.lines.extend(lines);
        }
        self.close();
        if let Some(end) = frame.and_then(|f| f.end) {
            self.label(&end);
        }
        Ok(())
    }

    pub(super) fn loop_body(&mut self, block: &Block) -> Result<()> {
        self.block_to(block, &Dest::Discard)
    }

    fn while_(&mut self, label: LabelId, cond: &Expr, block: &Block) -> Result<()> {
        // Lowered once to see whether it needs statements, which then belong into the body.
        let (lines, value) = self.sub(|body| body.lower(cond))?;
        if lines.is_empty() {
            return self.loop_(&format!("while ({})", value.text), label, &Dest::Discard, |body| {
                body.loop_body(block)
            });
        }
        self.loop_("while (true)", label, &Dest::Discard, |body| {
            let cond = body.lower(cond)?;
            body.effect(format!("if (!{}) break;", cond.at(prec::UNARY)));
            body.loop_body(block)
        })
    }

    fn for_(&mut self, label: LabelId, pat: &Pat, range: &Range, block: &Block) -> Result<()> {
        let var = if let Pat::Bind(local) = pat { Some(*local) } else { None };
        let ty = match var {
            Some(local) => self.local_type(local),
            None => match self.type_of(&range.start)? {
                Some(ty) => ty,
                None => return self.unsupported("a loop without a type", range.start.span),
            },
        };
        let Type::Scalar(s) = ty else {
            return self.unsupported(format!("a loop over `{ty}`"), range.start.span);
        };
        let constant = match (
            self.constant_int(&range.start),
            self.constant_int(&range.end),
            &range.step,
        ) {
            (Some(a), Some(b), None) => Some((a, if range.inclusive { b + 1 } else { b })),
            _ => None,
        };
        if let (Some((a, b)), Some(var)) = (constant, var)
            && b - a <= WRITTEN_OUT
            && self.can_write_out(label, var, block)
        {
            return self.written_out(var, a, b, range.reverse, block);
        }

        let [start, end] = self.pair(&range.start, &range.end)?;
        let mark = self.mark();
        let (start, mut end) = (Self::settled(start), Self::settled(end));
        if end.effect != Effect::Stable || end.text.contains('(') {
            end = self.store(end, "end");
        }
        let rises = !(var.is_some_and(|l| self.instance.func.locals[l.0 as usize].mutable)
            || range.inclusive
            || range.reverse
            || range.step.is_some()
            || constant.is_some());
        // The end of a loop that may end before is read three times.
        if rises && end.text.contains('[') {
            end = self.store(end, "end");
        }
        let from_end = range.reverse || range.turned;
        let start = if start.effect == Effect::Write || (from_end || range.inclusive) && !start.is_simple() {
            self.store(start, "start")
        } else {
            start
        };
        let step = match &range.step {
            Some(step) => Some(self.step(step)?),
            None => None,
        };
        // The step may have changed what the start reads.
        let start = self.before(start, mark, Effect::Stable);
        let start = match self.narrow_start(s, &start, &end, range) {
            Some(narrow) => narrow,
            None => start,
        };
        // What a signed counter is computed with may be below zero.
        let narrow = counter_bounds(&start, &end, range, step.as_ref()).filter(|_| s.size() == 8 && !s.is_signed());
        let t = if narrow.is_some() { "u32" } else { scalar::name(s) };
        let mark = self.names.mark();
        let mutable = var.is_some_and(|l| self.instance.func.locals[l.0 as usize].mutable);
        let counter = match var {
            Some(local) if !mutable => {
                let name = self.declare_local(local);
                if narrow.is_some() {
                    self.bind_narrow(local, name.clone(), narrow);
                }
                name
            }
            Some(local) => {
                let name = self.instance.func.locals[local.0 as usize].name.clone();
                self.declare(&format!("{name}_counter"))
            }
            None => self.declare("n"),
        };
        // They stand in comparisons and differences.
        let ends = [start.at(prec::ADD + 1), end.at(prec::ADD)];
        let rising =
            (rises && s.is_int() && !s.is_signed() && s.size() >= 4 && runs_through(label, block)).then(|| Rising {
                t,
                counter: &counter,
                start: &ends[0],
                end: &ends[1],
            });
        let opened = match &rising {
            Some(rising) => self.first_without_checks(label, block, rising)?,
            None => false,
        };
        let first_line = self.lines.len();
        let head = self.for_head(s, t, &counter, &start, &end, range, step.as_ref());
        if constant.is_some_and(|(a, b)| b - a <= UNROLLED) && !matches!(self.leave, super::body::Leave::Phase { .. }) {
            self.line("#pragma unroll");
        } else if let Some(step) = &range.step
            && self.constant_int(step).is_none_or(|step| step > LONGEST_STRIDE)
        {
            // ptxas unrolls loops of constant strides as if no multiple of a stride wrapped: one of 2^63 never ended.
            self.line("#pragma unroll 1");
        }
        if let Some((a, b)) = constant
            && a >= 0
        {
            self.bounds.push((counter.clone(), b));
        }
        self.loop_(&head, label, &Dest::Discard, |body| {
            if let (Some(local), true) = (var, mutable) {
                let name = body.declare_local(local);
                body.line(format!("{} {name} = {counter};", scalar::name(s)));
            }
            body.loop_body(block)
        })?;
        if let Some(rising) = &rising {
            self.within_extents(first_line, rising);
        }
        if opened {
            self.close_checked();
        }
        self.bounds.retain(|(name, _)| *name != counter);
        self.names.release(mark);
        Ok(())
    }

    /// The start of a rising range in 32 bits, where its end is known to fit: a start beyond that has no iterations, as the end itself has none.
    fn narrow_start(&mut self, s: Scalar, start: &Value, end: &Value, range: &Range) -> Option<Value> {
        let plain = !range.inclusive && !range.reverse && !range.turned && range.step.is_none();
        let fits = |v: &Value| v.narrow_operand().is_some();
        let wide = matches!(s, Scalar::Usize | Scalar::U64) && start.lit.is_none() && !fits(start);
        let most = end.narrow.filter(|_| plain && wide && self.narrows())?.most;
        let first = self.simple(start.clone(), "first");
        let (from, to) = (first.at(prec::RELATION), end.at(prec::RELATION + 1));
        let text = format!("{from} < {to} ? u32({}) : {}", first.text, end.at(prec::TERNARY));
        let value = Value::narrow(
            text,
            prec::TERNARY,
            start.ty.clone(),
            first.effect,
            Interval::new(0, most),
        );
        Some(self.store(value, "start"))
    }

    /// The step of a range, checked to be no zero.
    pub(super) fn step(&mut self, step: &Expr) -> Result<Value> {
        let span = step.span;
        let value = Self::settled(self.lower(step)?);
        if value.lit.is_some_and(|v| v > 0) {
            return Ok(value);
        }
        let value = if value.lit.is_some() {
            value
        } else {
            self.simple(value, "step")
        };
        let file = self.instance.func.file_of(span).to_owned();
        let site = self.module.site(SiteKind::ZeroStep, &file, span);
        self.module.report("zero_step");
        let report = format!("zero_step({}, {site});", self.errors);
        self.fail_if(&format!("{} == 0", value.at(prec::RELATION)), &report);
        Ok(value)
    }

    /// Head of a `for` over a range.
    #[allow(clippy::too_many_arguments, reason = "the parts of one line of text")]
    fn for_head(
        &mut self,
        s: Scalar,
        t: &str,
        i: &str,
        a: &Value,
        b: &Value,
        range: &Range,
        step: Option<&Value>,
    ) -> String {
        let ty = Type::Scalar(s);
        let below = |x: &Value, y: &Value, op| infix(op, x, y, Type::Scalar(Scalar::Bool)).text;
        let name = Value::name(i, ty.clone(), true);
        let far_from_overflow = s.size() == 8
            && a.lit.is_some_and(|v| v < FAR_FROM_THE_END)
            && step.is_some_and(|step| step.lit.is_some_and(|v| v <= LONGEST_STRIDE));
        let open_end = range.inclusive && b.lit.is_none_or(|v| v >= scalar::bounds(s).1);
        match (range.reverse, open_end, step) {
            (false, false, None) => {
                let op = if range.inclusive { BinOp::Le } else { BinOp::Lt };
                return format!("for ({t} {i} = {}; {}; ++{i})", a.text, below(&name, b, op));
            }
            (false, false, Some(step))
                if (far_from_overflow || t != scalar::name(s)) && !(range.inclusive || range.turned) =>
            {
                let end = below(&name, b, BinOp::Lt);
                return format!("for ({t} {i} = {}; {end}; {i} += {})", a.text, step.text);
            }
            (true, _, None) if !range.inclusive => {
                let start = a.at(prec::RELATION + 1);
                // One below the least number is none that C++ lets a signed type reach.
                let may_overflow = s.is_signed()
                    && s.size() >= 4
                    && a.lit.is_none_or(|v| v <= scalar::bounds(s).0)
                    && t == scalar::name(s);
                return if may_overflow {
                    format!("for ({t} {i} = {}; {i} > {start} && (--{i}, true);)", b.text)
                } else {
                    format!("for ({t} {i} = {}; {i}-- > {start};)", b.text)
                };
            }
            _ => {}
        }
        // The last iteration must neither step past the type's limits nor be missed.
        let more = self.declare_more();
        let first = Self::exact(if range.reverse { b.clone() } else { a.clone() });
        let always = range.inclusive && a.lit == Some(0) && !s.is_signed();
        let op = if range.inclusive { BinOp::Le } else { BinOp::Lt };
        let nonempty = if always {
            "true".to_owned()
        } else {
            below(&Self::exact(a.clone()), b, op)
        };
        self.line(format!("bool {more} = {nonempty};"));
        let unsigned = scalar::unsigned(s);
        let u = scalar::name(unsigned);
        let Some(step) = step else {
            let last = if range.reverse { a } else { b };
            let one = literal::int(1, unsigned, s.is_signed() || s.size() < 4).text;
            let sign = if range.reverse { "-" } else { "+" };
            let next = format!("{i} {sign} {one}");
            let next = if s.is_signed() || s.size() < 4 {
                format!("{t}({next})")
            } else {
                next
            };
            return format!(
                "for ({t} {i} = {}; {more}; {more} = {i} != {}, {i} = {next})",
                first.text,
                last.at(prec::RELATION + 1)
            );
        };
        if range.turned {
            return self.turned_head(s, [t, i, &more], a, b, range, step);
        }
        // In the unsigned type every difference of two values of the range is exact.
        let (first, left) = match (range.reverse, range.inclusive) {
            (false, true) => (first.text, format!("{u}({}) - {u}({i})", b.text)),
            (false, false) => (first.text, format!("{u}({}) - 1 - {u}({i})", b.text)),
            (true, true) => (first.text, format!("{u}({i}) - {u}({})", a.text)),
            (true, false) => (
                format!("{t}({u}({}) - 1)", first.text),
                format!("{u}({i}) - {u}({})", a.text),
            ),
        };
        // C++ subtracts narrow types as `int`.
        let left = if s.size() < 4 { format!("{u}({left})") } else { left };
        let sign = if range.reverse { "-" } else { "+" };
        format!(
            "for ({t} {i} = {first}; {more}; {more} = {left} >= {}, {i} = {t}({u}({i}) {sign} {u}({})))",
            step.at(prec::RELATION + 1),
            step.text
        )
    }

    /// Head of a `for` over a range with a step, from the last value that the steps reach. It ends where they begin, so nothing steps past a
    /// limit of the type.
    fn turned_head(
        &mut self,
        s: Scalar,
        [t, i, more]: [&str; 3],
        a: &Value,
        b: &Value,
        range: &Range,
        step: &Value,
    ) -> String {
        let u = scalar::name(scalar::unsigned(s));
        let (least, end) = (format!("{u}({})", a.text), format!("{u}({})", b.text));
        let most = match range.inclusive {
            true => end,
            false => format!("{end} - 1"),
        };
        let (from, back, forth) = match range.reverse {
            false => (least.clone(), "-", "+"),
            true => (most.clone(), "+", "-"),
        };
        // C++ subtracts narrow types as `int`.
        let [reached, distance] = ["last", "distance"].map(|name| self.names.declare_outer(name, self.module));
        self.declare_constant(u, &reached, &format!("{u}({from})"));
        self.declare_constant(u, &distance, &format!("{u}({most} - {least})"));
        let step_at = step.at(prec::MUL + 1);
        let begin = format!("{t}({u}({reached} {forth} {distance} / {step_at} * {step_at}))");
        format!(
            "for ({t} {i} = {begin}; {more}; {more} = {u}({i}) != {reached}, {i} = {t}({u}({i}) {back} {u}({})))",
            step.text
        )
    }

    fn declare_more(&mut self) -> String {
        self.names.declare_outer("more", self.module)
    }

    fn can_write_out(&self, label: LabelId, var: LocalId, block: &Block) -> bool {
        if block.stmts.len() + usize::from(block.tail.is_some()) != 1
            || matches!(block.stmts.first(), Some(Stmt::Let { .. }))
            || self.instance.func.locals[var.0 as usize].mutable
        {
            return false;
        }
        let is_var = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == var);
        let (mut selects, mut jumps) = (false, false);
        walk::block(block, &mut |e| match &e.kind {
            ExprKind::Index(a, k) => {
                selects |= is_var(k) && matches!(self.type_of(a), Ok(Some(Type::Vector(..))));
            }
            ExprKind::Break(l, _) | ExprKind::Continue(l) => jumps |= *l == label,
            _ => {}
        });
        selects && !jumps
    }

    fn written_out(&mut self, var: LocalId, a: i128, b: i128, reverse: bool, block: &Block) -> Result<()> {
        let mut counts: Vec<i128> = (a..b).collect();
        if reverse {
            counts.reverse();
        }
        for k in counts {
            self.locals.insert(var, Binding::Literal(k));
            self.block_to(block, &Dest::Discard)?;
        }
        Ok(())
    }

    fn break_(&mut self, label: LabelId, value: Option<&Expr>) -> Result<()> {
        let Some(at) = self.frames.iter().rposition(|f| f.label == Some(label)) else {
            return Ok(());
        };
        if let Some(value) = value {
            let dest = self.frames[at].dest.clone();
            self.lower_to(value, &dest)?;
            if matches!(dest, Dest::Return) {
                return Ok(());
            }
        }
        let innermost = self.frames.iter().rposition(|f| f.kind != FrameKind::Block);
        if innermost == Some(at) {
            self.jump("break;");
        } else {
            let end = match self.frames[at].end.clone() {
                Some(end) => end,
                None => self.new_label("end"),
            };
            self.jump(format!("goto {end};"));
            self.frames[at].end = Some(end);
        }
        Ok(())
    }

    fn continue_(&mut self, label: LabelId) -> Result<()> {
        let Some(at) = self.frames.iter().rposition(|f| f.label == Some(label)) else {
            return Ok(());
        };
        // A `switch` in between leaves `continue` its meaning.
        if self.frames.iter().rposition(|f| f.kind == FrameKind::Loop) == Some(at) {
            self.jump("continue;");
        } else {
            let next = self.next_label(at);
            self.jump(format!("goto {next};"));
        }
        Ok(())
    }

    /// The label at the end of a loop's body.
    pub(super) fn next_label(&mut self, at: usize) -> String {
        if let Some(next) = &self.frames[at].next {
            return next.clone();
        }
        let next = self.new_label("next");
        self.frames[at].next = Some(next.clone());
        next
    }
}

/// Bounds of a loop's 64-bit counter, if it may run in 32 bits without passing their end.
fn counter_bounds(start: &Value, end: &Value, range: &Range, step: Option<&Value>) -> Option<Interval> {
    let (a, b) = (start.narrow_operand()?, end.narrow_operand()?);
    let last = if range.inclusive { b.most } else { b.most - 1 };
    let by = match step {
        // It ends at its end, or one behind it.
        None => i128::from(range.inclusive),
        // It ends at its start.
        Some(_) if range.turned => 0,
        Some(step) => step
            .lit
            .filter(|_| !range.reverse && !range.inclusive && start.lit.is_some())?,
    };
    let simple = range.turned || !(range.reverse && range.inclusive);
    (simple && Interval::new(0, b.most + by).is_narrow()).then(|| Interval::new(a.least, last.max(a.least)))
}
