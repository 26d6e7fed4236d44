//! Random expressions over fields, and beside each the same step by step over arrays of `ndarray`.

use std::fmt::Write as _;

use super::random::Random;

/// Expressions of the seeds from `seed` on, and a table of them.
pub fn batch(seed: u64, expressions: u64) -> String {
    let mut text = format!("{PRELUDE}\n");
    let mut table = String::new();
    for seed in seed..seed + expressions {
        let first = text.lines().count() + 1;
        text.push_str(&Writer::new(seed).case(seed));
        let last = text.lines().count();
        let _ = writeln!(
            table,
            "    ({seed}, case_{seed} as swathe_fuzz::expression::Case, {first}, {last}),"
        );
    }
    let _ = write!(
        text,
        "\n/// Seed, what computes and compares, and its first and last line.\npub const EXPRESSIONS: &[(u64, swathe_fuzz::expression::Case, usize, usize)] = &[\n{table}];\n"
    );
    text
}

const PRELUDE: &str = "// Random expressions; see generate/expression.rs.
use ndarray::{ArrayD, Ix0, Ix1, Ix2, Ix3, Ix4, IxDyn, s};
use swathe::prelude::*;
use swathe::{Aos, Soa, index};
use swathe_fuzz::expression::{Bench, along, extreme, is, map1, map2, map3, positions, same, total, value};
";

/// Fields of an expression, after which those of the same type are taken again.
const OPERANDS: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    F64,
    F32,
    I32,
    U64,
    Bool,
    Vec2,
}

impl Ty {
    fn name(self) -> &'static str {
        match self {
            Ty::F64 => "f64",
            Ty::F32 => "f32",
            Ty::I32 => "i32",
            Ty::U64 => "u64",
            Ty::Bool => "bool",
            Ty::Vec2 => "Vec2",
        }
    }
}

/// An operand: how it stands beside an operator, how before a method, and the array.
#[derive(Clone)]
struct Node {
    beside: String,
    before: String,
    array: String,
    ty: Ty,
    rank: usize,
    /// Operations below it.
    depth: usize,
}

/// Where the elements go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sink {
    Eval,
    EvalIn,
    Assign,
    Part,
    Update,
    Join,
}

struct Writer {
    random: Random,
    /// The shape that all join into.
    base: Vec<usize>,
    sink: Sink,
    /// Whether operations are rounded one by one. Else there are only such as are exact, which may be contracted.
    strict: bool,
    operands: String,
    steps: String,
    arrays: String,
    known: Vec<Node>,
    leaves: Vec<Node>,
    /// The element of the target.
    own: Option<Node>,
    names: usize,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        let mut random = Random::new(seed);
        let rank = random.pick(&[0, 1, 1, 1, 2, 2, 2, 3, 3, 4]);
        let lengths: &[usize] = match rank {
            1 => &[0, 1, 3, 17, 63, 512, 1000, 1543],
            2 => &[0, 1, 2, 5, 17, 33, 70, 301],
            3 => &[0, 1, 2, 3, 5, 9, 23],
            _ => &[0, 1, 2, 3, 5, 9],
        };
        let mut base: Vec<usize> = (0..rank).map(|_| random.pick(lengths)).collect();
        if base.contains(&0) && random.percent(70) {
            base.iter_mut().for_each(|length| *length = 4.max(*length));
        }
        let sink = random.pick(&[
            Sink::Eval,
            Sink::EvalIn,
            Sink::Assign,
            Sink::Part,
            Sink::Update,
            Sink::Join,
        ]);
        // Axes in pieces, and more neighbours than are joined together.
        if sink == Sink::Join && random.percent(15) {
            base = random
                .pick(&[
                    [40_000, 3, 1],
                    [3, 200, 1],
                    [2, 70, 300],
                    [1, 3, 5000],
                    [9, 40, 4],
                    [1, 40_000, 2],
                ])
                .to_vec();
        }
        Writer {
            strict: random.percent(70),
            random,
            base,
            sink,
            operands: String::new(),
            steps: String::new(),
            arrays: String::new(),
            known: Vec::new(),
            leaves: Vec::new(),
            own: None,
            names: 0,
        }
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn case(mut self, seed: u64) -> String {
        let types: &[Ty] = match self.strict {
            true => &[Ty::F64, Ty::F64, Ty::F32, Ty::F32, Ty::I32, Ty::U64, Ty::Bool, Ty::Vec2],
            false => &[Ty::F64, Ty::F64, Ty::I32, Ty::U64, Ty::Bool],
        };
        let ty = match self.sink {
            // Vectors are not compared.
            Sink::Join => self.random.pick(&types[..types.len() - usize::from(self.strict)]),
            _ => self.random.pick(types),
        };
        let rank = self.base.len();
        if self.sink == Sink::Update {
            let (shape, layout) = (list(&self.base), self.layout());
            let _ = writeln!(
                self.operands,
                "    let (mut t, at) = b.operand::<{}, {rank}, {layout}>({shape})?;",
                ty.name()
            );
            self.own = Some(Node {
                beside: "own".to_owned(),
                before: "own".to_owned(),
                array: "at".to_owned(),
                ty,
                rank,
                depth: 0,
            });
        }
        let depth = self.random.pick(&[1, 2, 3, 4, 5, 6]);
        let mut root = self.node(ty, depth, false);
        if let (Some(own), true) = (self.own.clone(), self.random.percent(80) || root.rank < rank) {
            root = self.join_own(&root, &own);
        }
        let end = self.end(&root);
        format!(
            "\nfn case_{seed}(b: &mut Bench) -> Result<(), Box<dyn std::error::Error>> {{\n    #![allow(unused)]\n{}{end}    Ok(())\n}}\n",
            self.operands
        )
    }

    /// The element of the target beside what is there: so the rank is the target's.
    fn join_own(&mut self, root: &Node, own: &Node) -> Node {
        let (text, step) = match root.ty {
            Ty::F64 | Ty::F32 | Ty::Vec2 => (format!("{} - {}", root.beside, own.beside), "a - b"),
            Ty::I32 | Ty::U64 => (
                format!("{}.wrapping_sub({})", root.before, own.beside),
                "a.wrapping_sub(b)",
            ),
            Ty::Bool => (format!("{} ^ {}", root.beside, own.beside), "a ^ b"),
        };
        self.bind(root.ty, &text, &[root, own], step)
    }

    /// An operation on operands, with a name.
    fn bind(&mut self, ty: Ty, text: &str, operands: &[&Node], step: &str) -> Node {
        let k = self.name();
        let _ = writeln!(self.steps, "    let e{k} = {text};");
        let names = ["a", "b", "c"];
        let params: Vec<String> = operands
            .iter()
            .zip(names)
            .map(|(operand, name)| format!("{name}: {}", operand.ty.name()))
            .collect();
        let arrays: Vec<String> = operands.iter().map(|operand| format!("&{}", operand.array)).collect();
        let _ = writeln!(
            self.arrays,
            "    let r{k} = map{}({}, |{}| {step});",
            operands.len(),
            arrays.join(", "),
            params.join(", ")
        );
        let node = Node {
            beside: format!("e{k}"),
            before: format!("e{k}"),
            array: format!("r{k}"),
            ty,
            rank: operands.iter().map(|operand| operand.rank).max().unwrap_or(0),
            depth: 1 + operands.iter().map(|operand| operand.depth).max().unwrap_or(0),
        };
        self.known.push(node.clone());
        node
    }

    fn layout(&mut self) -> &'static str {
        self.random.pick(&["Aos", "Aos", "Soa"])
    }

    /// Part of the base's shape, from the last axis on, with axes of one position.
    fn lengths(&mut self) -> Vec<usize> {
        let rank = match self.random.percent(60) {
            true => self.base.len(),
            false => self.random.below(self.base.len() + 1),
        };
        let mut shape = self.base[self.base.len() - rank..].to_vec();
        for length in &mut shape {
            if self.random.percent(15) {
                *length = 1;
            }
        }
        shape
    }

    fn leaf(&mut self, ty: Ty, may_be_value: bool) -> Node {
        if let Some(own) = self.own.clone().filter(|own| own.ty == ty)
            && self.random.percent(30)
        {
            return own;
        }
        if may_be_value && self.random.percent(20) {
            return self.value(ty);
        }
        // What a position is depends on the shape of the whole: that of the base, where it is computed for that.
        let whole = matches!(self.sink, Sink::EvalIn | Sink::Assign | Sink::Part | Sink::Update);
        if ty == Ty::U64 && whole && !self.base.is_empty() && self.random.percent(30) {
            let (rank, axis) = (self.base.len(), self.random.below(self.base.len()));
            let base = list(&self.base);
            return Node {
                beside: format!("index::<{rank}>({axis})"),
                before: format!("index::<{rank}>({axis})"),
                array: format!("positions(&{base}, {axis})"),
                ty,
                rank,
                depth: 0,
            };
        }
        let again: Vec<Node> = self.leaves.iter().filter(|leaf| leaf.ty == ty).cloned().collect();
        // A launch on a device has room for so many.
        if !again.is_empty() && (self.random.percent(30) || self.leaves.len() >= OPERANDS) {
            return self.random.one(&again).clone();
        }
        let shape = self.lengths();
        let leaf = self.operand(ty, &shape);
        self.leaves.push(leaf.clone());
        leaf
    }

    fn value(&mut self, ty: Ty) -> Node {
        let text = match ty {
            Ty::F64 | Ty::F32 => self.random.pick(&["0.5", "2.0", "-1.25", "3.0"]).to_owned(),
            Ty::I32 => self.random.pick(&["3", "-2", "7"]).to_owned(),
            Ty::U64 => self.random.pick(&["1", "5"]).to_owned(),
            Ty::Bool => self.random.pick(&["true", "false"]).to_owned(),
            Ty::Vec2 => "Vec2::new(0.5, -2.0)".to_owned(),
        };
        Node {
            array: format!("value::<{}>({text})", ty.name()),
            before: text.clone(),
            beside: text,
            ty,
            rank: 0,
            depth: 0,
        }
    }

    /// A field, or a part of one.
    fn operand(&mut self, ty: Ty, shape: &[usize]) -> Node {
        let (k, rank, layout) = (self.name(), shape.len(), self.layout());
        let operand = format!("b.operand::<{}, {rank}, {layout}>", ty.name());
        let node = |beside: String, before: String| Node {
            beside,
            before,
            array: format!("a{k}"),
            ty,
            rank,
            depth: 0,
        };
        let kind = self.random.below(4);
        if rank == 0 || kind < 2 {
            let _ = writeln!(self.operands, "    let (x{k}, a{k}) = {operand}({})?;", list(shape));
            return node(format!("&x{k}"), format!("x{k}.expr()"));
        }
        if kind == 2 {
            let reversed: Vec<usize> = shape.iter().rev().copied().collect();
            let _ = writeln!(
                self.operands,
                "    let (x{k}, a{k}) = {operand}({})?;\n    let (v{k}, a{k}) = (x{k}.t(), a{k}.t().to_owned());",
                list(&reversed)
            );
        } else {
            let (whole, cut) = self.cut(shape);
            let _ = writeln!(
                self.operands,
                "    let (x{k}, a{k}) = {operand}({})?;\n    let v{k} = x{k}.slice({cut})?;\n    let a{k} = a{k}.into_dimensionality::<Ix{rank}>()?.slice({cut}).to_owned().into_dyn();",
                list(&whole)
            );
        }
        node(format!("v{k}"), format!("v{k}.expr()"))
    }

    /// What is a part of that shape of a larger one: the larger one, and the slice.
    fn cut(&mut self, shape: &[usize]) -> (Vec<usize>, String) {
        let (mut whole, mut axes) = (Vec::new(), Vec::new());
        for &length in shape {
            let (first, step, behind) = (self.random.below(3), 1 + self.random.below(3), self.random.below(3));
            let span = match length {
                0 => 0,
                length => (length - 1) * step + 1,
            };
            whole.push(first + span + behind);
            let sign = if self.random.percent(40) { "-" } else { "" };
            axes.push(format!("{first}..{};{sign}{step}", first + span));
        }
        (whole, format!("s![{}]", axes.join(", ")))
    }

    /// Elements of that type, by at most so many operations one in the other.
    fn node(&mut self, ty: Ty, depth: usize, may_be_value: bool) -> Node {
        if depth == 0 || self.random.percent(10) {
            return self.leaf(ty, may_be_value);
        }
        let again: Vec<Node> = self
            .known
            .iter()
            .filter(|node| node.ty == ty && node.depth <= 7)
            .cloned()
            .collect();
        if !again.is_empty() && self.random.percent(25) {
            return self.random.one(&again).clone();
        }
        if self.random.percent(12) {
            let condition = self.node(Ty::Bool, depth - 1, false);
            let (yes, no) = (self.node(ty, depth - 1, false), self.node(ty, depth - 1, true));
            let text = format!("{}.select({}, {})", condition.before, yes.beside, no.beside);
            return self.bind(ty, &text, &[&condition, &yes, &no], "if a { b } else { c }");
        }
        match ty {
            Ty::F64 | Ty::F32 => self.float(ty, depth - 1),
            Ty::I32 | Ty::U64 => self.integer(ty, depth - 1),
            Ty::Bool => self.condition(depth - 1),
            Ty::Vec2 => self.vector(depth - 1),
        }
    }

    fn unary(&mut self, ty: Ty, depth: usize, methods: &[&str]) -> Node {
        let method = self.random.pick(methods);
        let a = self.node(ty, depth, false);
        match method {
            "-" | "!" => self.bind(ty, &format!("{method}{}", a.beside), &[&a], &format!("{method}a")),
            _ => self.bind(ty, &format!("{}.{method}()", a.before), &[&a], &format!("a.{method}()")),
        }
    }

    /// An operator, with a value on either side.
    fn operator(&mut self, ty: Ty, depth: usize, operators: &[&str]) -> Node {
        let operator = self.random.pick(operators);
        let left_value = matches!(ty, Ty::F64 | Ty::F32) && self.random.percent(15);
        let a = match left_value {
            true => self.value(ty),
            false => self.node(ty, depth, false),
        };
        // An exact product has few more digits than its factors.
        let depth = if operator == "*" && !self.strict { 0 } else { depth };
        let b = self.node(ty, depth, !left_value);
        let text = format!("{} {operator} {}", a.beside, b.beside);
        self.bind(ty, &text, &[&a, &b], &format!("a {operator} b"))
    }

    fn method(&mut self, ty: Ty, depth: usize, methods: &[&str]) -> Node {
        let method = self.random.pick(methods);
        let (a, b) = (self.node(ty, depth, false), self.node(ty, depth, true));
        let text = format!("{}.{method}({})", a.before, b.beside);
        self.bind(ty, &text, &[&a, &b], &format!("a.{method}(b)"))
    }

    fn cast(&mut self, from: Ty, to: Ty, depth: usize) -> Node {
        let a = self.node(from, depth, false);
        let name = to.name();
        let step = match (from, to) {
            (Ty::Bool, Ty::F64 | Ty::F32) => format!("a as u8 as {name}"),
            _ => format!("a as {name}"),
        };
        self.bind(to, &format!("{}.cast::<{name}>()", a.before), &[&a], &step)
    }

    fn float(&mut self, ty: Ty, depth: usize) -> Node {
        let other = if ty == Ty::F64 { Ty::F32 } else { Ty::F64 };
        match (self.random.below(10), self.strict) {
            (0..4, true) => self.operator(ty, depth, &["+", "-", "*", "/", "%"]),
            (0..5, false) => self.operator(ty, depth, &["+", "-", "*"]),
            (4..6, true) => self.unary(
                ty,
                depth,
                &[
                    "-", "abs", "sqrt", "floor", "ceil", "trunc", "round", "fract", "signum", "recip",
                ],
            ),
            (5..7, false) => self.unary(ty, depth, &["-", "abs", "floor", "ceil", "trunc"]),
            (6, true) => self.method(ty, depth, &["copysign"]),
            (7, false) => self.method(ty, depth, &["min", "max"]),
            (7, true) if ty == Ty::F32 => {
                let (a, b) = (self.node(Ty::Vec2, depth, false), self.node(Ty::Vec2, depth, true));
                let text = format!("{}.dot({})", a.before, b.beside);
                self.bind(ty, &text, &[&a, &b], "a.dot(b)")
            }
            (7, true) => {
                let (a, b, c) = (
                    self.node(ty, depth, false),
                    self.node(ty, depth, true),
                    self.node(ty, depth, true),
                );
                let text = format!("{}.mul_add({}, {})", a.before, b.beside, c.beside);
                self.bind(ty, &text, &[&a, &b, &c], "a.mul_add(b, c)")
            }
            (8, true) => self.cast(other, ty, depth),
            (8, false) => self.cast(Ty::I32, ty, depth),
            _ => {
                let from = self.random.pick(&[Ty::I32, Ty::U64, Ty::Bool]);
                self.cast(from, ty, depth)
            }
        }
    }

    fn integer(&mut self, ty: Ty, depth: usize) -> Node {
        match self.random.below(10) {
            0..3 => self.method(ty, depth, &["wrapping_add", "wrapping_sub", "wrapping_mul"]),
            3 => self.method(ty, depth, &["min", "max"]),
            4 => self.operator(ty, depth, &["&", "|", "^"]),
            5 => {
                let a = self.node(ty, depth, false);
                // What a shift gives is known where the type of both sides is.
                let by = self.random.pick(&["1", "3", "7"]);
                let (operator, by) = match self.random.below(3) {
                    0 => ("/", by.to_owned()),
                    1 => ("%", by.to_owned()),
                    _ => (">>", format!("{by}_u32")),
                };
                let text = format!("{} {operator} {by}", a.beside);
                self.bind(ty, &text, &[&a], &format!("a {operator} {by}"))
            }
            6 => self.unary(ty, depth, &["!", "wrapping_neg"]),
            7 => {
                let a = self.node(ty, depth, false);
                let (low, high) = if ty == Ty::I32 { ("-5", "6") } else { ("2", "9") };
                let text = format!("{}.clamp({low}, {high})", a.before);
                self.bind(ty, &text, &[&a], &format!("a.clamp({low}, {high})"))
            }
            _ => {
                let others = if ty == Ty::I32 {
                    [Ty::U64, Ty::F64, Ty::Bool]
                } else {
                    [Ty::I32, Ty::F64, Ty::Bool]
                };
                let from = self.random.pick(&others);
                self.cast(from, ty, depth)
            }
        }
    }

    fn condition(&mut self, depth: usize) -> Node {
        match self.random.below(6) {
            0 => self.operator(Ty::Bool, depth, &["&", "|", "^"]),
            1 => self.unary(Ty::Bool, depth, &["!"]),
            _ => {
                let types: &[Ty] = match self.strict {
                    true => &[Ty::F64, Ty::F32, Ty::I32, Ty::U64],
                    false => &[Ty::F64, Ty::I32, Ty::U64],
                };
                let ty = self.random.pick(types);
                let pairs = [
                    ("lt", "<"),
                    ("le", "<="),
                    ("gt", ">"),
                    ("ge", ">="),
                    ("eq", "=="),
                    ("ne", "!="),
                ];
                let (method, operator) = self.random.pick(&pairs);
                let (a, b) = (self.node(ty, depth, false), self.node(ty, depth, true));
                let text = format!("{}.{method}({})", a.before, b.beside);
                self.bind(Ty::Bool, &text, &[&a, &b], &format!("a {operator} b"))
            }
        }
    }

    fn vector(&mut self, depth: usize) -> Node {
        match self.random.below(3) {
            0 => self.operator(Ty::Vec2, depth, &["+", "-", "*"]),
            1 => self.unary(Ty::Vec2, depth, &["-"]),
            _ => {
                let (a, b) = (self.node(Ty::Vec2, depth, false), self.node(Ty::F32, depth, true));
                let text = format!("{} * {}", a.beside, b.beside);
                self.bind(Ty::Vec2, &text, &[&a, &b], "a * b")
            }
        }
    }

    /// Computes the whole and compares it.
    fn end(&mut self, root: &Node) -> String {
        let strict = if self.strict { ".strict()" } else { "" };
        let (value, array, ty) = (format!("{}{strict}", root.before), &root.array, root.ty.name());
        let (rank, base) = (self.base.len(), list(&self.base));
        let suffix = list(&self.base[rank - root.rank..]);
        let both = format!("{}{}", self.arrays, self.steps);
        let layout = self.layout();
        match self.sink {
            Sink::Eval => format!(
                "{both}    let got = {value}.eval()?;\n    same(got.shape(), &got.to_vec()?, &{array})?;\n    is(got.len() as u64, {array}.len() as u64)?;\n"
            ),
            Sink::EvalIn => format!(
                "{both}    let got = {value}.eval_in(b.device(), {suffix}, {layout})?;\n    same({suffix}, &got.to_vec()?, &{array})?;\n"
            ),
            Sink::Assign => format!(
                "{both}    let mut got = Field::<{ty}, {rank}>::zeros_in(b.device(), {base}, {layout})?;\n    got.assign({value})?;\n    same({base}, &got.to_vec()?, &{array})?;\n"
            ),
            Sink::Part if rank == 0 => format!(
                "{both}    let mut got = Field::<{ty}, 0>::zeros_in(b.device(), [], {layout})?;\n    got.view_mut()?.assign({value})?;\n    same([], &got.to_vec()?, &{array})?;\n"
            ),
            Sink::Part => {
                let shape = self.base.clone();
                let (whole, cut) = self.cut(&shape);
                let whole = list(&whole);
                format!(
                    "{both}    let (mut got, expected) = b.operand::<{ty}, {rank}, {layout}>({whole})?;\n    got.slice_mut({cut})?.assign({value})?;\n    let mut expected = expected.into_dimensionality::<Ix{rank}>()?;\n    expected.slice_mut({cut}).assign(&{array}.broadcast(IxDyn(&{base})).unwrap());\n    same({whole}, &got.to_vec()?, &expected.into_dyn())?;\n"
                )
            }
            Sink::Update => format!(
                "{}    t.update(|own| {{\n{}    {value}\n    }})?;\n    same({base}, &t.to_vec()?, &{array})?;\n",
                self.arrays, self.steps
            ),
            Sink::Join if root.rank > 0 && self.random.percent(50) => {
                let axis = self.random.below(root.rank);
                let (method, step) = match (root.ty, self.random.below(2)) {
                    (Ty::Bool, 0) => ("all", "a & b"),
                    (Ty::Bool, _) => ("any", "a | b"),
                    (Ty::I32 | Ty::U64, 0) => ("product", "a.wrapping_mul(b)"),
                    (Ty::I32 | Ty::U64, _) => ("sum", "a.wrapping_add(b)"),
                    _ => ("sum", "a + b"),
                };
                let start = match method {
                    "all" => "true",
                    "any" => "false",
                    "product" => "1",
                    _ if matches!(root.ty, Ty::F64 | Ty::F32) => "0.0",
                    _ => "0",
                };
                format!(
                    "{both}    along(&{value}.{method}_axis({axis})?.to_ndarray()?.into_dyn(), &{array}, {axis}, {start}, |a: {ty}, b: {ty}| {step})?;\n"
                )
            }
            Sink::Join => match (root.ty, self.random.below(3)) {
                (Ty::Bool, 0) => {
                    format!("{both}    is({value}.any()?, {array}.iter().any(|x| *x))?;\n")
                }
                (Ty::Bool, _) => {
                    format!("{both}    is({value}.all()?, {array}.iter().all(|x| *x))?;\n")
                }
                (_, 0) => {
                    format!("{both}    extreme({value}.min_element()?, &{array}, |a, b| a < b)?;\n")
                }
                (_, 1) => {
                    format!("{both}    extreme({value}.max_element()?, &{array}, |a, b| a > b)?;\n")
                }
                _ => format!("{both}    total({value}.sum()?, &{array})?;\n"),
            },
        }
    }
}

fn list(shape: &[usize]) -> String {
    format!("{shape:?}")
}
