//! Expressions as kernels for devices: IR that is built from a key.

use std::marker::PhantomData;

use swathe_ir::{
    BinOp, Block, Check, Domain, Expr, ExprKind, FieldAccess, LabelId, LocalId, ParFor, ParamKind, Pat, ReduceOp,
    Reduction, Scalar, Stmt, Type,
};

use super::node::Key;
use super::reduce::Fold;
use crate::element::{Element, KernelType};
use crate::kernel::build::{Builder, PLACE, expr};
use crate::kernel::probe::{self, FuncDef, KernelDef};
use crate::kernel::{Arithmetic, Instance, KernelInfo};

/// What messages call the kernel of an expression, and where it stands: no device knows.
const NAME: &str = "expression";

/// Writes one element of an expression.
#[derive(Debug)]
pub struct Writer {
    pub builder: Builder,
    /// The position, axis by axis.
    pub position: Vec<LocalId>,
    target: Option<LocalId>,
    /// The first operand that is a field.
    first: Option<LocalId>,
}

impl Writer {
    fn new(rank: usize) -> Writer {
        let mut builder = Builder::default();
        let name = |k: usize| format!("p{k}");
        let usize = Type::Scalar(Scalar::Usize);
        let position = (0..rank)
            .map(|k| builder.local(&name(k), usize.clone(), false))
            .collect();
        Writer {
            builder,
            position,
            target: None,
            first: None,
        }
    }

    fn element(&self, field: LocalId) -> Expr {
        let index = self.position.iter().map(|k| expr(ExprKind::Local(*k))).collect();
        expr(ExprKind::Field(FieldAccess {
            field,
            index,
            // The launch gives all operands the same shape.
            check: Check::Proven,
        }))
    }

    fn field(&mut self, name: &str, ty: Type, mutable: bool) -> LocalId {
        let ty = Type::Field(Box::new(ty), self.position.len());
        self.builder.param(name, ty, ParamKind::Field { mutable })
    }

    /// An element of the next operand.
    pub fn operand(&mut self, ty: Type) -> Expr {
        let name = format!("x{}", self.builder.params());
        let field = self.field(&name, ty, false);
        self.first.get_or_insert(field);
        self.element(field)
    }

    /// The next operand, a value.
    pub fn value(&mut self, ty: Type) -> LocalId {
        let name = format!("x{}", self.builder.params());
        self.builder.param(&name, ty, ParamKind::Value)
    }

    /// The element of the target.
    pub fn target(&self) -> Expr {
        // A key that reads the target belongs to an update alone.
        self.element(self.target.unwrap_or(LocalId(0)))
    }

    /// A parallel loop over the positions of a field.
    fn over(&self, field: LocalId, body: Expr, reductions: Vec<Reduction>) -> Stmt {
        Stmt::ParFor(ParFor {
            domain: Domain::Indices(field),
            vars: self.position.iter().copied().map(Some).collect(),
            label: LabelId(0),
            body: Block {
                stmts: vec![Stmt::Expr(body)],
                tail: None,
            },
            reductions,
            arg_reductions: Vec::new(),
            hoisted: Vec::new(),
            vouched: Vec::new(),
            span: PLACE,
        })
    }
}

const fn info<K: Key>() -> KernelInfo {
    KernelInfo {
        name: NAME,
        file: NAME,
        line: PLACE.line,
        optimised: true,
        arithmetic: if K::STRICT {
            Arithmetic::Strict
        } else {
            Arithmetic::Contracted
        },
        sites: &[],
        files: &[],
        loops: &[],
    }
}

/// What messages say of an expression.
pub(super) const fn info_of<K: Key>() -> &'static KernelInfo {
    const { &info::<K>() }
}

/// The kernel that sets each element of a target of rank `D`.
pub struct Assign<K, const D: usize>(PhantomData<K>);

impl<K: Key<Item: Element>, const D: usize> FuncDef for Assign<K, D> {
    fn load() -> Instance {
        let mut writer = Writer::new(D);
        let target = writer.field("target", K::Item::ty(), true);
        writer.target = Some(target);
        let value = K::write(&mut writer);
        let set = expr(ExprKind::Assign(Box::new(writer.element(target)), Box::new(value)));
        let body = Block {
            stmts: vec![writer.over(target, set, Vec::new())],
            tail: None,
        };
        writer.builder.finish(NAME, NAME, None, body)
    }
}

impl<K: Key<Item: Element>, const D: usize> KernelDef for Assign<K, D> {
    fn info() -> &'static KernelInfo {
        info_of::<K>()
    }
}

const fn operator(of: ReduceOp) -> Option<BinOp> {
    match of {
        ReduceOp::Add => Some(BinOp::Add),
        ReduceOp::Mul => Some(BinOp::Mul),
        ReduceOp::And => Some(BinOp::BitAnd),
        ReduceOp::Or => Some(BinOp::BitOr),
        ReduceOp::Xor => Some(BinOp::BitXor),
        ReduceOp::Min | ReduceOp::Max => None,
    }
}

/// The kernel that joins all elements into one. An operand is a field.
pub struct Reduce<F, K, const D: usize>(PhantomData<(F, K)>);

impl<F: Fold<K::Item>, K: Key, const D: usize> FuncDef for Reduce<F, K, D> {
    fn load() -> Instance {
        let mut writer = Writer::new(D);
        let ty = K::Item::ty();
        let joined = writer.builder.local("joined", ty.clone(), true);
        let value = K::write(&mut writer);
        let start = writer.builder.constant(probe::constant(&F::identity()));
        let place = Box::new(expr(ExprKind::Local(joined)));
        let callee = writer.builder.callee(F::callee());
        let step = match operator(F::OP) {
            Some(op) => expr(ExprKind::AssignOp(op, place, Box::new(value), Some(callee))),
            None => {
                let name = if F::OP == ReduceOp::Min { "min" } else { "max" };
                let least = expr(ExprKind::Method {
                    receiver: place.clone(),
                    name: name.to_owned(),
                    callee,
                    args: vec![value],
                });
                expr(ExprKind::Assign(place, Box::new(least)))
            }
        };
        let reduction = Reduction {
            local: joined,
            op: F::OP,
        };
        let domain = writer.first.unwrap_or(LocalId(0));
        let body = Block {
            stmts: vec![
                Stmt::Let {
                    pat: Pat::Bind(joined),
                    init: Some(start),
                    span: PLACE,
                },
                writer.over(domain, step, vec![reduction]),
            ],
            tail: Some(Box::new(expr(ExprKind::Local(joined)))),
        };
        writer.builder.finish(NAME, NAME, Some(ty), body)
    }
}

impl<F: Fold<K::Item>, K: Key, const D: usize> KernelDef for Reduce<F, K, D> {
    fn info() -> &'static KernelInfo {
        info_of::<K>()
    }
}
