//! What a function of integers gives, as arithmetic that a row is asked by (symbolic evaluation): a kernel passes what the arguments are along a row,
//! and learns what the result is there.

use std::collections::{HashMap, HashSet};

use swathe_ir::{BinOp, FuncKind, LocalId, ParamKind, UnOp};

use crate::budget::{GIVEN_PARTS, LENT_PARAMS, MOST_CAST};
use crate::hir::affine::literal;
use crate::hir::types::is_integer_type;
use crate::hir::visit::parts;
use crate::hir::{self, Expr, ExprKind, Func, Pat, Stmt};

/// A function's body.
pub struct Given<'h> {
    pub params: Vec<(LocalId, &'h syn::Type)>,
    pub result: &'h syn::Type,
    pub body: Block<'h>,
    /// Functions that it calls, which have to tell what they give, too.
    pub callees: Vec<&'h syn::ExprPath>,
}

pub struct Block<'h> {
    pub steps: Vec<Step<'h>>,
    /// Nothing where it is left before.
    pub value: Option<Box<Value<'h>>>,
}

pub enum Step<'h> {
    Let(LocalId, Value<'h>),
    /// A variable that is a truth value.
    Truth(LocalId, Condition<'h>),
    Set(LocalId, Value<'h>),
    /// By the function of this name, of numbers of the type; the value comes before the variable.
    Update(&'static str, &'h syn::Type, LocalId, Value<'h>),
    If(Condition<'h>, Block<'h>, Block<'h>),
    Return(Value<'h>),
    /// The function fails.
    Fail,
}

pub enum Value<'h> {
    Local(LocalId),
    Number(i64),
    Const(&'h syn::ExprPath),
    /// The function of this name, of numbers of the type if it depends on that.
    Operation(&'static str, Option<&'h syn::Type>, Vec<Value<'h>>),
    /// A quotient by a literal, of this type: of what does not change along a row.
    Quotient(&'h syn::Type, Box<Value<'h>>, i64),
    Call(&'h syn::ExprPath, Vec<Value<'h>>),
    Truth(Box<Condition<'h>>),
    If(Box<Condition<'h>>, Block<'h>, Block<'h>),
    Block(Block<'h>),
}

pub enum Condition<'h> {
    Literal(bool),
    Local(LocalId),
    /// Whether the function of this name says so, of both values or of these in the other order.
    Compared {
        name: &'static str,
        values: Box<[Value<'h>; 2]>,
        turned: bool,
        holds: bool,
    },
    Not(Box<Condition<'h>>),
    And(Box<[Condition<'h>; 2]>),
    Or(Box<[Condition<'h>; 2]>),
}

impl Given<'_> {
    /// What a free function without type parameters gives, if it is made of what moves along a row by the same from position to position.
    pub fn of(func: &Func) -> Option<Given<'_>> {
        let (result, _) = func.ret.as_ref()?;
        let counts = (1..=LENT_PARAMS).contains(&func.params.len());
        // Others may name types anew.
        let constants = func.items.iter().all(|item| matches!(item, syn::Item::Const(_)));
        if !constants
            || func.kind != FuncKind::Func
            || !counts
            || !is_integer_type(result)
            || parts(&func.body) > GIVEN_PARTS
        {
            return None;
        }
        let mut search = Search {
            types: HashMap::new(),
            truths: HashSet::new(),
            callees: Vec::new(),
            result,
        };
        let mut params = Vec::new();
        for param in &func.params {
            if param.kind != ParamKind::Value || !is_integer_type(&param.ty) {
                return None;
            }
            search.types.insert(param.local, Some(&*param.ty));
            params.push((param.local, &*param.ty));
        }
        let (body, _) = search.block(&func.body, Some(result))?;
        let callees = search.callees;
        Some(Given {
            params,
            result,
            body,
            callees,
        })
    }
}

type Type<'h> = Option<&'h syn::Type>;

struct Search<'h> {
    /// Of variables, as far as the text tells. Rustc says that both operands have one type: a literal has that of the other one.
    types: HashMap<LocalId, Type<'h>>,
    truths: HashSet<LocalId>,
    callees: Vec<&'h syn::ExprPath>,
    result: &'h syn::Type,
}

impl<'h> Search<'h> {
    fn block(&mut self, block: &'h hir::Block, like: Type<'h>) -> Option<(Block<'h>, Type<'h>)> {
        let mut steps = Vec::new();
        for stmt in &block.stmts {
            steps.push(self.stmt(stmt)?);
        }
        let Some(tail) = &block.tail else {
            return Some((Block { steps, value: None }, None));
        };
        if !has_value(tail) {
            steps.push(self.step(tail)?);
            return Some((Block { steps, value: None }, None));
        }
        let (value, ty) = self.value(tail, like)?;
        let value = Some(Box::new(value));
        Some((Block { steps, value }, ty))
    }

    fn stmt(&mut self, stmt: &'h Stmt) -> Option<Step<'h>> {
        match stmt {
            Stmt::Let {
                pat: Pat::Bind { local, .. },
                ty,
                init: Some(init),
                ..
            } => {
                if let Some(truth) = self.condition(init) {
                    self.truths.insert(*local);
                    return Some(Step::Truth(*local, truth));
                }
                // Others are aliases, or left to rustc.
                let ty = ty.as_deref().filter(|ty| is_integer_type(ty));
                let (value, found) = self.value(init, ty)?;
                self.types.insert(*local, ty.or(found));
                Some(Step::Let(*local, value))
            }
            Stmt::Let { .. } | Stmt::ParFor(_) => None,
            Stmt::Expr(e) => self.step(e),
        }
    }

    fn step(&mut self, e: &'h Expr) -> Option<Step<'h>> {
        Some(match &e.kind {
            ExprKind::Assign(place, value) => {
                let id = self.variable(place)?;
                Step::Set(id, self.value(value, self.types[&id])?.0)
            }
            ExprKind::AssignOp(op, _, place, value, _) => {
                let id = self.variable(place)?;
                let (value, ty) = self.value(value, self.types[&id])?;
                let ty = self.types[&id].or(ty);
                Step::Update(arithmetic(*op)?, ty?, id, value)
            }
            ExprKind::Return(Some(value)) => Step::Return(self.value(value, Some(self.result))?.0),
            ExprKind::Fail { .. } => Step::Fail,
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let then = self.without_value(then)?;
                let otherwise = match otherwise.as_deref() {
                    None => Block {
                        steps: Vec::new(),
                        value: None,
                    },
                    Some(Expr {
                        kind:
                            ExprKind::Block {
                                label: None,
                                unsafety: false,
                                block,
                            },
                        ..
                    }) => self.without_value(block)?,
                    Some(other) => Block {
                        steps: vec![self.step(other)?],
                        value: None,
                    },
                };
                Step::If(condition, then, otherwise)
            }
            _ => return None,
        })
    }

    fn without_value(&mut self, block: &'h hir::Block) -> Option<Block<'h>> {
        let (block, _) = self.block(block, None)?;
        block.value.is_none().then_some(block)
    }

    /// A variable that is given another value.
    fn variable(&self, place: &Expr) -> Option<LocalId> {
        match &place.kind {
            ExprKind::Local(id, _) => self.types.contains_key(id).then_some(*id),
            _ => None,
        }
    }

    /// A value and its type, which is `like` where its text does not tell it.
    fn value(&mut self, e: &'h Expr, like: Type<'h>) -> Option<(Value<'h>, Type<'h>)> {
        if let Some(number) = literal(e).filter(|_| is_plain(e)) {
            let value = Value::Number(number);
            // Out of range of its type it wraps.
            return match like {
                _ if number.unsigned_abs() < MOST_CAST => Some((value, None)),
                Some(ty) => Some((Value::Operation("fits", Some(ty), vec![value]), None)),
                None => None,
            };
        }
        Some(match &e.kind {
            ExprKind::Local(id, _) => (Value::Local(*id), *self.types.get(id)?),
            ExprKind::Const(_, path) => (Value::Const(path), None),
            ExprKind::Binary(op, _, a, b, _) => {
                if let Some(truth) = self.condition(e) {
                    return Some((Value::Truth(Box::new(truth)), None));
                }
                // A remainder by a number of the text begins again every few positions.
                if *op == BinOp::Rem && literal(b).is_some() {
                    return None;
                }
                if *op == BinOp::Div {
                    let by = literal(b).filter(|by| (1..MOST_CAST as i64).contains(by) && is_plain(b))?;
                    let (a, ty) = self.value(a, like)?;
                    let ty = ty.or(like)?;
                    return Some((Value::Quotient(ty, Box::new(a), by), Some(ty)));
                }
                let ([a, b], ty) = self.pair(a, b, like)?;
                (Value::Operation(arithmetic(*op)?, Some(ty?), vec![a, b]), ty)
            }
            ExprKind::Unary(UnOp::Neg, a, _) => {
                let (a, ty) = self.value(a, like)?;
                let ty = ty.or(like)?;
                (Value::Operation("sub", Some(ty), vec![Value::Number(0), a]), Some(ty))
            }
            ExprKind::Cast(a, ty, ..) if is_integer_type(ty) => {
                let a = match self.condition(a) {
                    Some(truth) => Value::Truth(Box::new(truth)),
                    None => self.value(a, None)?.0,
                };
                (Value::Operation("fits", Some(ty), vec![a]), Some(ty))
            }
            ExprKind::Method {
                receiver, name, args, ..
            } => self.method(receiver, &name.to_string(), args, like)?,
            ExprKind::Call {
                path, on: None, args, ..
            } if (1..=LENT_PARAMS).contains(&args.len()) => {
                if !self.callees.contains(&path) {
                    self.callees.push(path);
                }
                let args: Option<Vec<Value<'h>>> = args.iter().map(|arg| Some(self.value(arg, None)?.0)).collect();
                (Value::Call(path, args?), None)
            }
            ExprKind::If(condition, then, Some(otherwise)) => {
                let condition = Box::new(self.condition(condition)?);
                let (then, first) = self.block(then, like)?;
                let (otherwise, second) = self.value(otherwise, like)?;
                let otherwise = match otherwise {
                    Value::Block(block) => block,
                    value => Block {
                        steps: Vec::new(),
                        value: Some(Box::new(value)),
                    },
                };
                (Value::If(condition, then, otherwise), first.or(second))
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => {
                let (block, ty) = self.block(block, like)?;
                (Value::Block(block), ty)
            }
            _ => return None,
        })
    }

    fn pair(&mut self, a: &'h Expr, b: &'h Expr, like: Type<'h>) -> Option<([Value<'h>; 2], Type<'h>)> {
        // A literal has the type of the other one.
        let ((a, of_a), (b, of_b)) = match literal(a) {
            Some(_) => {
                let (b, of_b) = self.value(b, like)?;
                (self.value(a, of_b.or(like))?, (b, of_b))
            }
            None => {
                let (a, of_a) = self.value(a, like)?;
                let b = self.value(b, of_a.or(like))?;
                ((a, of_a), b)
            }
        };
        Some(([a, b], of_a.or(of_b).or(like)))
    }

    fn method(
        &mut self,
        receiver: &'h Expr,
        name: &str,
        args: &'h [Expr],
        like: Type<'h>,
    ) -> Option<(Value<'h>, Type<'h>)> {
        let (name, of_type) = match (name, args.len()) {
            ("min", 1) => ("min", false),
            ("max", 1) => ("max", false),
            ("clamp", 2) => ("clamp", false),
            ("abs", 0) => ("abs", true),
            ("rem_euclid", 1) => ("rem_euclid", true),
            ("saturating_sub", 1) => ("saturating_sub", true),
            ("saturating_add" | "wrapping_add", 1) => ("add", true),
            ("wrapping_sub", 1) => ("sub", true),
            ("wrapping_mul", 1) => ("mul", true),
            ("clamped", 2) => ("clamped", false),
            ("periodic", 2) => ("periodic", true),
            _ => return None,
        };
        let (first, mut ty) = self.value(receiver, like)?;
        let mut values = vec![first];
        for (k, arg) in args.iter().enumerate() {
            // The offset of a neighbour has a type of its own.
            let offset = matches!(name, "clamped" | "periodic") && k == 0;
            let (value, found) = self.value(arg, ty.or(like).filter(|_| !offset))?;
            ty = ty.or(found.filter(|_| !offset));
            values.push(value);
        }
        let ty = ty.or(like);
        let of = match of_type {
            true => Some(ty?),
            false => None,
        };
        Some((Value::Operation(name, of, values), ty))
    }

    fn condition(&mut self, e: &'h Expr) -> Option<Condition<'h>> {
        Some(match &e.kind {
            ExprKind::Lit(syn::Lit::Bool(truth), _) => Condition::Literal(truth.value),
            ExprKind::Local(id, _) if self.truths.contains(id) => Condition::Local(*id),
            ExprKind::Unary(UnOp::Not, a, _) => Condition::Not(Box::new(self.condition(a)?)),
            ExprKind::Binary(BinOp::And, _, a, b, _) => {
                Condition::And(Box::new([self.condition(a)?, self.condition(b)?]))
            }
            ExprKind::Binary(BinOp::Or, _, a, b, _) => {
                Condition::Or(Box::new([self.condition(a)?, self.condition(b)?]))
            }
            ExprKind::Binary(op, _, a, b, _) if op.is_comparison() => {
                let ([a, b], _) = self.pair(a, b, None)?;
                let (name, turned, holds) = match op {
                    BinOp::Lt => ("decide_less", false, true),
                    BinOp::Gt => ("decide_less", true, true),
                    BinOp::Le => ("decide_less", true, false),
                    BinOp::Ge => ("decide_less", false, false),
                    BinOp::Eq => ("decide_equal", false, true),
                    _ => ("decide_equal", false, false),
                };
                Condition::Compared {
                    name,
                    values: Box::new([a, b]),
                    turned,
                    holds,
                }
            }
            _ => return None,
        })
    }
}

/// Whether an expression at the end of a block is its value.
fn has_value(e: &Expr) -> bool {
    let of_block = |block: &hir::Block| block.tail.as_deref().is_some_and(has_value);
    match &e.kind {
        ExprKind::If(_, then, Some(otherwise)) => of_block(then) || has_value(otherwise),
        ExprKind::Block { block, .. } => of_block(block),
        ExprKind::If(..)
        | ExprKind::Assign(..)
        | ExprKind::AssignOp(..)
        | ExprKind::Return(_)
        | ExprKind::Fail { .. } => false,
        _ => true,
    }
}

/// What moves along a row by the same from position to position stays such a number, or leaves nothing.
fn arithmetic(op: BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add => "add",
        BinOp::Sub => "sub",
        BinOp::Mul => "mul",
        BinOp::Rem => "rem",
        _ => return None,
    })
}

/// Whether a literal has the type that its place has.
fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(syn::Lit::Int(n), _) => n.suffix().is_empty(),
        ExprKind::Unary(UnOp::Neg, a, _) => is_plain(a),
        _ => false,
    }
}
