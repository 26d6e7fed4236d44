//! Every node of a function's tree survives encoding, and no corrupt input makes decoding panic.

use swathe_ir::{
    ArgReduction, Arm, AtomicOp, BinOp, Block, CalleeSlot, Check, ConstSlot, Cover, Domain, Expr, ExprKind, Extent,
    FieldAccess, Func, FuncKind, LabelId, Lit, Local, LocalId, ParFor, Param, ParamKind, Pat, Pattern, Range, ReduceOp,
    Reduction, Span, Stmt, TypeSlot, UnOp, decode, encode,
};

const EXTENTS: [Extent; 7] = [
    Extent::Shape(LocalId(4), 1),
    Extent::Len(LocalId(5)),
    Extent::All(LocalId(6)),
    Extent::Local(LocalId(7)),
    Extent::Literal(u64::MAX),
    Extent::Range(LocalId(8), 2, u64::MAX),
    Extent::Ranges(LocalId(9)),
];
const BIN_OPS: [BinOp; 18] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::Div,
    BinOp::Rem,
    BinOp::BitAnd,
    BinOp::BitOr,
    BinOp::BitXor,
    BinOp::Shl,
    BinOp::Shr,
    BinOp::Eq,
    BinOp::Ne,
    BinOp::Lt,
    BinOp::Le,
    BinOp::Gt,
    BinOp::Ge,
    BinOp::And,
    BinOp::Or,
];
const ATOMIC_OPS: [AtomicOp; 11] = [
    AtomicOp::Add,
    AtomicOp::Sub,
    AtomicOp::Min,
    AtomicOp::Max,
    AtomicOp::And,
    AtomicOp::Or,
    AtomicOp::Xor,
    AtomicOp::Exchange,
    AtomicOp::CompareExchange,
    AtomicOp::Load,
    AtomicOp::Store,
];
const REDUCE_OPS: [ReduceOp; 7] = [
    ReduceOp::Add,
    ReduceOp::Mul,
    ReduceOp::Min,
    ReduceOp::Max,
    ReduceOp::And,
    ReduceOp::Or,
    ReduceOp::Xor,
];

/// Gives every node a position and numbers of its own.
struct Tree(u32);

impl Tree {
    fn next(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }

    fn span(&mut self) -> Span {
        let n = self.next();
        Span {
            line: 1 + n * 7919 % 300,
            column: n % 120,
            file: n / 16 % 3,
        }
    }

    fn at(&mut self, kind: ExprKind) -> Expr {
        Expr {
            kind,
            span: self.span(),
        }
    }

    fn leaf(&mut self) -> Expr {
        let local = LocalId(self.next());
        self.at(ExprKind::Local(local))
    }

    fn boxed(&mut self) -> Box<Expr> {
        Box::new(self.leaf())
    }

    fn leaves(&mut self) -> Vec<Expr> {
        vec![self.leaf(), self.leaf()]
    }

    fn block(&mut self) -> Block {
        Block {
            stmts: vec![Stmt::Expr(self.leaf())],
            tail: Some(self.boxed()),
        }
    }

    fn range(&mut self) -> Range {
        let step = Some(self.boxed());
        Range {
            start: self.boxed(),
            end: self.boxed(),
            inclusive: true,
            reverse: true,
            step,
            turned: true,
        }
    }

    fn access(&mut self, check: Check) -> FieldAccess {
        FieldAccess {
            field: LocalId(self.next()),
            index: self.leaves(),
            check,
        }
    }

    fn pattern(&mut self) -> Pattern {
        Pattern::Or(vec![
            Pattern::Wild,
            Pattern::Bind(LocalId(self.next())),
            Pattern::Value(self.leaf()),
            Pattern::Range {
                start: Some(self.leaf()),
                end: None,
                inclusive: true,
            },
            Pattern::Range {
                start: None,
                end: Some(self.leaf()),
                inclusive: false,
            },
            Pattern::Tuple(vec![Pattern::Wild]),
            Pattern::Struct(vec![
                ("mass".into(), Pattern::Bind(LocalId(self.next()))),
                ("0".into(), Pattern::Value(self.leaf())),
            ]),
        ])
    }

    fn kinds(&mut self) -> Vec<ExprKind> {
        let slot = |n| Some(CalleeSlot(n));
        let mut all = vec![
            ExprKind::Lit(Lit::Bool(true), TypeSlot(0)),
            ExprKind::Lit(Lit::Int(u128::MAX), TypeSlot(200)),
            ExprKind::Lit(Lit::Float(-0.0, -0.0), TypeSlot(70_000)),
            ExprKind::Lit(Lit::Float(1e300, f32::INFINITY), TypeSlot(u32::MAX)),
            ExprKind::Const(ConstSlot(4)),
            ExprKind::Unary(UnOp::Neg, self.boxed(), None),
            ExprKind::Unary(UnOp::Not, self.boxed(), slot(1)),
            ExprKind::Unary(UnOp::Deref, self.boxed(), None),
            ExprKind::Assign(self.boxed(), self.boxed()),
            ExprKind::Cast(self.boxed(), TypeSlot(5)),
            ExprKind::Member(self.boxed(), "größe".into()),
            ExprKind::Index(self.boxed(), self.boxed()),
            ExprKind::FieldLen(LocalId(6)),
            ExprKind::FieldShape(LocalId(7)),
            ExprKind::FieldArgument(LocalId(8)),
            ExprKind::FieldOrigin(LocalId(8)),
            ExprKind::Position(LocalId(9), 1, self.boxed()),
            ExprKind::Offset(LocalId(10), 3, self.boxed()),
            ExprKind::Call {
                callee: CalleeSlot(8),
                name: "new".into(),
                on: Some(TypeSlot(9)),
                args: self.leaves(),
            },
            ExprKind::Method {
                receiver: self.boxed(),
                name: "dot".into(),
                callee: CalleeSlot(2),
                args: self.leaves(),
            },
            ExprKind::Ref {
                mutable: true,
                place: self.boxed(),
            },
            ExprKind::Tuple(self.leaves()),
            ExprKind::Array(self.leaves(), TypeSlot(1)),
            ExprKind::Repeat(self.boxed(), TypeSlot(2)),
            ExprKind::Struct {
                ty: TypeSlot(3),
                members: vec![("pos".into(), self.leaf())],
                base: Some(self.boxed()),
            },
            ExprKind::Block(Some(LabelId(1)), self.block()),
            ExprKind::Block(
                None,
                Block {
                    stmts: vec![],
                    tail: None,
                },
            ),
            ExprKind::If(self.boxed(), self.block(), Some(self.boxed())),
            ExprKind::If(self.boxed(), self.block(), None),
            ExprKind::Match(
                self.boxed(),
                vec![
                    Arm {
                        pat: self.pattern(),
                        guard: Some(self.leaf()),
                        body: self.leaf(),
                    },
                    Arm {
                        pat: Pattern::Wild,
                        guard: None,
                        body: self.leaf(),
                    },
                ],
            ),
            ExprKind::Loop(LabelId(2), self.block()),
            ExprKind::While(LabelId(3), self.boxed(), self.block()),
            ExprKind::For(LabelId(4), Pat::Bind(LocalId(1)), self.range(), self.block()),
            ExprKind::Break(LabelId(2), Some(self.boxed())),
            ExprKind::Break(LabelId(2), None),
            ExprKind::Continue(LabelId(3)),
            ExprKind::Return(Some(self.boxed())),
            ExprKind::Return(None),
            ExprKind::Fail {
                message: "{0:?} is {{no}} {0:}".to_owned(),
                args: self.leaves(),
            },
        ];
        for op in BIN_OPS {
            all.push(ExprKind::Binary(op, self.boxed(), self.boxed(), slot(3)));
            all.push(ExprKind::AssignOp(op, self.boxed(), self.boxed(), None));
        }
        for check in [Check::Proven, Check::Hoisted, Check::InKernel, Check::Unchecked] {
            all.push(ExprKind::Field(self.access(check)));
        }
        for op in ATOMIC_OPS {
            all.push(ExprKind::Atomic(op, self.boxed(), self.leaves()));
        }
        all
    }

    fn func(&mut self) -> Func {
        let mut stmts = vec![
            Stmt::Let {
                pat: Pat::Tuple(vec![Pat::Wild, Pat::Bind(LocalId(3))]),
                init: None,
                span: self.span(),
            },
            Stmt::Let {
                pat: Pat::Array(vec![Pat::Wild]),
                init: Some(self.leaf()),
                span: self.span(),
            },
        ];
        for kind in self.kinds() {
            stmts.push(Stmt::Expr(self.at(kind)));
        }
        for domain in [
            Domain::Indices(LocalId(1)),
            Domain::Range(self.range()),
            Domain::NdRange(self.leaves()),
        ] {
            stmts.push(Stmt::ParFor(ParFor {
                domain,
                vars: vec![None, Some(LocalId(9))],
                label: LabelId(0),
                body: self.block(),
                reductions: REDUCE_OPS
                    .iter()
                    .map(|&op| Reduction { local: LocalId(2), op })
                    .collect(),
                arg_reductions: [BinOp::Lt, BinOp::Ge]
                    .map(|op| ArgReduction {
                        best: LocalId(4),
                        op,
                        taken: vec![LocalId(5), LocalId(8)],
                    })
                    .into(),
                hoisted: EXTENTS
                    .iter()
                    .map(|extent| Cover {
                        extent: extent.clone(),
                        field: LocalId(3),
                        axis: 2,
                    })
                    .collect(),
                vouched: vec![LocalId(3), LocalId(7)],
                span: self.span(),
            }));
        }
        let kinds = [
            ParamKind::Value,
            ParamKind::Ref { mutable: false },
            ParamKind::Ref { mutable: true },
            ParamKind::Field { mutable: true },
        ];
        Func {
            name: "torture".into(),
            file: "src/main.rs".into(),
            files: vec!["src/there.rs".into(), "src/elsewhere.rs".into()],
            span: self.span(),
            kind: FuncKind::Kernel,
            params: kinds
                .iter()
                .map(|&kind| Param {
                    local: LocalId(self.next()),
                    kind,
                })
                .collect(),
            ret: Some(TypeSlot(1)),
            locals: vec![Local {
                name: "self".into(),
                ty: TypeSlot(1),
                mutable: true,
                span: self.span(),
            }],
            body: Block {
                stmts,
                tail: Some(self.boxed()),
            },
            types: 10,
            callees: 11,
            consts: 12,
        }
    }
}

#[test]
fn every_node_survives() {
    let func = Tree(0).func();
    let bytes = encode(&func);
    assert_eq!(decode(&bytes).unwrap(), func);
}

#[test]
fn places_are_in_their_files() {
    let func = Tree(0).func();
    let at = |file| {
        func.file_of(Span {
            line: 1,
            column: 1,
            file,
        })
    };
    assert_eq!([0, 1, 2].map(at), ["src/main.rs", "src/there.rs", "src/elsewhere.rs"]);
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = encode(&Tree(0).func());
    for n in 0..bytes.len() {
        assert!(
            decode(&bytes[..n]).is_err(),
            "decoded from {n} of {} bytes",
            bytes.len()
        );
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert_eq!(decode(&longer).unwrap_err().offset, bytes.len());
}

#[test]
fn corrupt_bytes_never_panic() {
    let bytes = encode(&Tree(0).func());
    for at in 0..bytes.len() {
        for xor in [1, 2, 0x40, 0x80, 0xff] {
            let mut corrupt = bytes.clone();
            corrupt[at] ^= xor;
            let _ = decode(&corrupt);
        }
    }
}

#[test]
fn absurd_depth_is_an_error_and_a_long_sum_is_not() {
    let sum_of = |n: u32| {
        let mut tree = Tree(0);
        let mut sum = tree.leaf();
        for _ in 0..n {
            sum = Expr {
                kind: ExprKind::Binary(BinOp::Add, Box::new(sum), tree.boxed(), None),
                span: Span {
                    line: 1,
                    column: 1,
                    file: 0,
                },
            };
        }
        let mut func = tree.func();
        func.body.tail = Some(Box::new(sum));
        func
    };
    let long = sum_of(900);
    assert_eq!(decode(&encode(&long)).unwrap(), long);
    assert!(decode(&encode(&sum_of(3000))).is_err());
}
