//! Random kernels with derivatives, and beside each the same function of dual numbers.
//!
//! Both are one text, in which `‹0.5›` is a literal, `Real` a number, `«f»` the name of a function and `⟦u⟧` the positions of a field.

use std::fmt::Write as _;

use super::random::Random;

/// Kernels of the seeds from `seed` on, and a table of them.
pub fn batch(seed: u64, kernels: u64) -> String {
    let mut text = String::new();
    let mut table = String::new();
    for seed in seed..seed + kernels {
        let precision = if seed % 2 == 0 { "f64" } else { "f32" };
        let both = Writer::new(seed).program();
        let first = text.lines().count() + 3;
        let _ = write!(
            text,
            "pub mod k{seed} {{\n#[allow(unused_imports)] use super::prelude::{precision}::*;\n{}{}swathe_fuzz::gradient_case!(kernel, kernel_dual, {precision});\n}}\n",
            in_kernels(&both),
            in_dual_numbers(&both),
        );
        let last = text.lines().count() - 2;
        let _ = writeln!(
            table,
            "    ({seed}, k{seed}::case as swathe_fuzz::gradient::Case, {first}, {last}),"
        );
    }
    format!(
        "{PRELUDE}{text}\n/// Seed, what compares the derivatives, and the first and last line.\npub const GRADIENTS: &[(u64, swathe_fuzz::gradient::Case, usize, usize)] = &[\n{table}];\n"
    )
}

const PRELUDE: &str = "// Random kernels with derivatives; see generate/gradient.rs.
pub mod prelude {
    pub mod f32 { pub use swathe::prelude::*; pub use swathe_fuzz::gradient::single::*; pub type Real = f32; }
    pub mod f64 { pub use swathe::prelude::*; pub use swathe_fuzz::gradient::double::*; pub type Real = f64; }
}
";

fn replaced(
    text: &str,
    literal: &dyn Fn(&str) -> String,
    name: &dyn Fn(&str) -> String,
    positions: &dyn Fn(&str) -> String,
) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['‹', '«', '⟦']) {
        out.push_str(&rest[..at]);
        let open = rest[at..].chars().next().expect("a bracket");
        let close = match open {
            '‹' => '›',
            '«' => '»',
            _ => '⟧',
        };
        let inner = &rest[at + open.len_utf8()..];
        let end = inner.find(close).expect("a closing bracket");
        out.push_str(&match open {
            '‹' => literal(&inner[..end]),
            '«' => name(&inner[..end]),
            _ => positions(&inner[..end]),
        });
        rest = &inner[end + close.len_utf8()..];
    }
    out.push_str(rest);
    out
}

fn in_kernels(text: &str) -> String {
    replaced(text, &str::to_owned, &str::to_owned, &|field| {
        format!("{field}.indices()")
    })
}

fn in_dual_numbers(text: &str) -> String {
    let text = replaced(
        text,
        &|literal| format!("lit({literal} as Real)"),
        &|name| format!("{name}_dual"),
        &|field| format!("0..{field}.len()"),
    );
    // Fields are slices, and numbers are dual ones.
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("#[kernel") || line.starts_with("#[func") {
            continue;
        }
        let line = line
            .replace("&Field<Real>", "&[Dual]")
            .replace("&mut Field<Real>", "&mut [Dual]")
            .replace("&mut Field<Body>", "&mut [BodyDual]")
            .replace("&Field<i32>", "&[i32]")
            .replace("-> Real", "-> Dual")
            .replace(": Real", ": Dual")
            .replace("Pair::new", "PairDual::new");
        out.push_str(&line);
        out.push('\n');
    }
    out
}

#[derive(Clone)]
struct Var {
    name: String,
    mutable: bool,
    /// Whether its type is known where it stands, so that it has methods.
    open: bool,
}

struct Writer {
    random: Random,
    out: String,
    vars: Vec<Var>,
    /// Whole numbers of type `usize` below so many.
    counters: Vec<(String, usize)>,
    arrays: Vec<String>,
    pairs: Vec<(String, bool)>,
    names: usize,
    depth: usize,
    loops: usize,
    functions: usize,
    /// Whether fields are there.
    fields: bool,
    /// Whether this loop may change them.
    second: bool,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        Writer {
            random: Random::new(seed.wrapping_mul(31) ^ 0x6772_6164),
            out: String::new(),
            vars: Vec::new(),
            counters: Vec::new(),
            arrays: Vec::new(),
            pairs: Vec::new(),
            names: 0,
            depth: 1,
            loops: 0,
            functions: 0,
            fields: false,
            second: false,
        }
    }

    fn fresh(&mut self, like: &str) -> String {
        self.names += 1;
        format!("{like}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn program(mut self) -> String {
        for _ in 0..self.random.below(3) {
            self.function();
        }
        self.out.push_str("#[kernel(strict, grad, jvp)]\n");
        self.out.push_str(
            "pub fn «kernel»(a: &Field<Real>, b: &Field<Real>, n: &Field<i32>, q: &mut Field<Body>, u: &mut Field<Real>, w: &mut Field<Real>, s: &mut Field<Real>) -> Real {\n",
        );
        self.fields = true;
        self.line("let mut sum: Real = ‹0.0›;");
        let loops = if self.random.percent(15) { 2 } else { 1 };
        for k in 0..loops {
            self.second = k > 0;
            self.vars.clear();
            self.counters = vec![("i".to_owned(), 7)];
            self.arrays.clear();
            self.pairs.clear();
            self.line(if self.second {
                "for i in ⟦s⟧ {"
            } else {
                "for i in ⟦u⟧ {"
            });
            self.depth += 1;
            let count = 3 + self.random.below(6);
            for _ in 0..count {
                if self.random.percent(6) {
                    let condition = self.condition();
                    self.line(&format!("if {condition} {{ continue; }}"));
                }
                self.statement(3);
            }
            if self.random.percent(70) {
                let value = self.expr(2);
                self.line(&format!("sum += {value};"));
            }
            self.depth -= 1;
            self.line("}");
        }
        let result = self.random.pick(&["sum", "sum * ‹0.5› + ‹1.0›", "sum.tanh()"]);
        self.line(result);
        self.out.push_str("}\n");
        self.out
    }

    fn function(&mut self) {
        let name = format!("f{}", self.functions);
        let _ = writeln!(
            self.out,
            "#[func(grad, jvp)]\nfn «{name}»(x: Real, y: Real, j: usize) -> Real {{"
        );
        self.vars = vec![
            Var {
                name: "x".to_owned(),
                mutable: false,
                open: false,
            },
            Var {
                name: "y".to_owned(),
                mutable: false,
                open: false,
            },
        ];
        self.counters = vec![("j".to_owned(), 7)];
        self.arrays.clear();
        self.pairs.clear();
        for _ in 0..1 + self.random.below(3) {
            if self.random.percent(25) {
                let (condition, value) = (self.condition(), self.expr(2));
                self.line(&format!("if {condition} {{ return {value}; }}"));
            }
            self.statement(2);
        }
        let value = self.expr(2);
        self.line(&value);
        self.out.push_str("}\n");
        self.functions += 1;
    }

    fn inside(&mut self, head: &str, depth: usize) {
        self.line(head);
        let before = (
            self.vars.clone(),
            self.counters.clone(),
            self.arrays.clone(),
            self.pairs.clone(),
        );
        self.depth += 1;
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
        self.depth -= 1;
        (self.vars, self.counters, self.arrays, self.pairs) = before;
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(100) {
            0..22 => self.binding(),
            22..36 => self.assign(),
            36..62 => self.write(),
            62..74 if depth > 0 => self.branch(depth - 1),
            74..90 if depth > 0 && self.loops < 2 => self.rounds(depth - 1),
            90..94 if depth > 0 && self.fields => self.choice(depth - 1),
            94..97 => {
                let name = self.fresh("v");
                let parts: Vec<String> = (0..3).map(|_| self.expr(1)).collect();
                self.line(&format!("let mut {name} = [{}];", parts.join(", ")));
                self.arrays.push(name);
            }
            _ => {
                let name = self.fresh("p");
                let (x, y) = (self.expr(1), self.expr(1));
                self.line(&format!("let mut {name} = Pair::new({x}, {y});"));
                self.pairs.push((name, true));
            }
        }
    }

    fn binding(&mut self) {
        let mutable = self.random.percent(60);
        let keyword = if mutable { "mut " } else { "" };
        // A literal, whose type something else tells.
        if self.random.percent(20) && self.fields && !self.second {
            let (name, value) = (self.fresh("c"), self.literal());
            self.line(&format!("let {keyword}{name} = {value};"));
            self.line(&format!("w[i] += {name};"));
            return self.vars.push(Var {
                name,
                mutable,
                open: true,
            });
        }
        let name = self.fresh("x");
        let value = self.typed(3);
        let ty = if self.random.percent(30) { ": Real" } else { "" };
        self.line(&format!("let {keyword}{name}{ty} = {value};"));
        self.vars.push(Var {
            name,
            mutable,
            open: false,
        });
    }

    fn assign(&mut self) {
        let all: Vec<String> = self.vars.iter().filter(|v| v.mutable).map(|v| v.name.clone()).collect();
        if let Some((array, true)) = self.arrays.last().cloned().map(|a| (a, self.random.percent(40))) {
            let (index, value) = (self.below_three(), self.expr(2));
            let op = self.random.pick(&["=", "+=", "*="]);
            return self.line(&format!("{array}[{index}] {op} {value};"));
        }
        if let Some(((pair, _), true)) = self.pairs.last().cloned().map(|p| (p, self.random.percent(50))) {
            let value = self.expr(2);
            let part = self.random.pick(&[".x", ".y"]);
            let op = self.random.pick(&["=", "+=", "-="]);
            return self.line(&format!("{pair}{part} {op} {value};"));
        }
        if all.is_empty() {
            return self.binding();
        }
        let (name, value) = (self.random.one(&all).clone(), self.expr(3));
        let op = self.random.pick(&["=", "=", "+=", "-=", "*="]);
        self.line(&format!("{name} {op} {value};"));
    }

    fn write(&mut self) {
        if !self.fields {
            return self.assign();
        }
        let value = self.expr(3);
        if self.second {
            return self.line(&format!("s[i] += {value};"));
        }
        match self.random.below(10) {
            0..3 => {
                let op = self.random.pick(&["=", "+=", "*=", "-="]);
                self.line(&format!("u[i] {op} {value};"));
            }
            3..5 => {
                let op = self.random.pick(&["+=", "-="]);
                self.line(&format!("w[i] {op} {value};"));
            }
            5..7 => {
                let index = self.index("s");
                self.line(&format!("s[{index}].atomic_add({value});"));
            }
            7 => {
                let op = self.random.pick(&["=", "+=", "*="]);
                self.line(&format!("q[i].mass {op} {value};"));
            }
            8 => {
                let part = self.random.pick(&["x", "y"]);
                let op = self.random.pick(&["=", "+="]);
                self.line(&format!("q[i].pos.{part} {op} {value};"));
            }
            _ => {
                let (x, y) = (self.expr(1), self.expr(1));
                self.line(&format!("q[i].pos = Pair::new({x}, {y});"));
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        self.inside(&format!("if {condition} {{"), depth);
        if self.random.percent(50) {
            self.inside("} else {", depth);
        }
        self.line("}");
    }

    fn choice(&mut self, depth: usize) {
        self.inside("match n[i] { 0 => {", depth);
        self.inside("} 1 | 2 => {", depth);
        self.inside("} _ => {", depth);
        self.line("} }");
    }

    fn rounds(&mut self, depth: usize) {
        let k = self.fresh("k");
        self.loops += 1;
        let before = self.counters.clone();
        match self.random.below(6) {
            0 => {
                let condition = self.condition();
                self.line(&format!("let mut {k} = 0;"));
                self.line(&format!("while {k} < 4 && {condition} {{"));
                self.depth += 1;
                self.line(&format!("{k} += 1;"));
                self.depth -= 1;
                self.inside("{", depth);
                self.line("}");
            }
            kind => {
                let range = match kind {
                    1 => "(0..4).rev()",
                    2 => "1..=3",
                    3 => "(0..6).step_by(2)",
                    4 => "(1..6).rev().step_by(2)",
                    _ => "0..3",
                };
                self.counters.push((k.clone(), 7));
                self.line(&format!("for {k} in {range} {{"));
                self.depth += 1;
                self.line(&format!("let {k}: usize = {k};"));
                if self.random.percent(20) {
                    let condition = self.condition();
                    self.line(&format!("if {condition} {{ continue; }}"));
                }
                self.depth -= 1;
                self.inside("{", depth);
                self.line("}");
            }
        }
        self.line("}");
        self.counters = before;
        self.loops -= 1;
    }

    fn literal(&mut self) -> String {
        format!(
            "‹{}›",
            self.random
                .pick(&["0.1", "0.5", "1.5", "0.25", "2.0", "0.3", "1.0", "0.7"])
        )
    }

    fn counter(&mut self) -> String {
        self.random.one(&self.counters).0.clone()
    }

    fn below_three(&mut self) -> String {
        let counter = self.counter();
        match self.random.below(2) {
            0 => self.random.pick(&["0", "1", "2"]).to_owned(),
            _ => format!("{counter} % 3"),
        }
    }

    fn index(&mut self, field: &str) -> String {
        let counter = self.counter();
        let shift = self.random.pick(&["1", "2", "5"]);
        match self.random.below(3) {
            0 => format!("({counter} + {shift}) % {field}.len()"),
            1 => format!("{counter} * {shift} % {field}.len()"),
            _ => format!("{counter} % {field}.len()"),
        }
    }

    fn condition(&mut self) -> String {
        match self.random.below(6) {
            0 => {
                let counter = self.counter();
                format!("{counter} % 2 == 0")
            }
            1 => {
                let open: Vec<String> = self.vars.iter().filter(|v| v.open).map(|v| v.name.clone()).collect();
                match open.is_empty() {
                    true => format!("{} > {}", self.typed(1), self.literal()),
                    false => {
                        let (name, a, b) = (self.random.one(&open).clone(), self.literal(), self.literal());
                        format!("{name} + {a} > {b}")
                    }
                }
            }
            2 => format!(
                "{} < {} && {} > {}",
                self.typed(1),
                self.typed(1),
                self.typed(1),
                self.literal()
            ),
            _ => format!("{} > {}", self.typed(2), self.expr(1)),
        }
    }

    /// A number whose type its own text tells.
    fn typed(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(22) {
            0..5 => self.leaf(),
            5 | 6 => format!("({} + {})", self.typed(depth - 1), self.expr(depth - 1)),
            7 => format!("({} - {})", self.expr(depth - 1), self.typed(depth - 1)),
            8..11 => format!("({} * {})", self.typed(depth - 1), self.expr(depth - 1)),
            11 => format!("({} / ({}.abs() + ‹1.5›))", self.expr(depth - 1), self.typed(depth - 1)),
            12 => format!("(-{})", self.typed(depth - 1)),
            13 => {
                let name = self
                    .random
                    .pick(&["sin", "cos", "tanh", "atan", "abs", "fract", "asinh"]);
                format!("{}.{name}()", self.typed(depth - 1))
            }
            14 => {
                let name = self.random.pick(&["min", "max", "hypot", "atan2"]);
                format!("{}.{name}({})", self.typed(depth - 1), self.typed(depth - 1))
            }
            15 => format!(
                "({}.abs() + ‹0.5›).{}()",
                self.typed(depth - 1),
                self.random.pick(&["sqrt", "ln", "cbrt", "recip"])
            ),
            16 => format!(
                "{}.tanh().powi({})",
                self.typed(depth - 1),
                self.random.pick(&["2", "3"])
            ),
            17 => {
                let (condition, a, b) = (self.condition(), self.typed(depth - 1), self.expr(depth - 1));
                format!("(if {condition} {{ {a} }} else {{ {b} }})")
            }
            18 if self.functions > 0 => {
                let f = self.random.below(self.functions);
                let (x, y, j) = (self.typed(depth - 1), self.typed(depth - 1), self.counter());
                format!("«f{f}»({x}, {y}, {j})")
            }
            19 => {
                let (a, b) = (self.typed(depth - 1), self.typed(depth - 1));
                format!("Pair::new({a}, {b}).dot(Pair::new({b}, {a}) * {})", self.leaf())
            }
            20 => format!("«detach»({})", self.typed(depth - 1)),
            _ => {
                let name = self.fresh("t");
                let a = self.typed(depth - 1);
                format!("{{ let {name} = {a}; {name} * {name} }}")
            }
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if self.random.percent(20) {
            return self.literal();
        }
        let open: Vec<String> = self.vars.iter().filter(|v| v.open).map(|v| v.name.clone()).collect();
        if !open.is_empty() && self.random.percent(20) {
            return self.random.one(&open).clone();
        }
        self.typed(depth)
    }

    fn leaf(&mut self) -> String {
        let mut all: Vec<String> = self.vars.iter().filter(|v| !v.open).map(|v| v.name.clone()).collect();
        if !all.is_empty() && self.random.percent(45) {
            return self.random.one(&all).clone();
        }
        if let Some(array) = self.arrays.last().cloned() {
            let index = self.below_three();
            all.push(format!("{array}[{index}]"));
        }
        if let Some((pair, _)) = self.pairs.last().cloned() {
            all.push(format!("{pair}.{}", self.random.pick(&["x", "y"])));
        }
        if self.fields {
            let (a, b) = (self.index("a"), self.index("b"));
            all.extend([format!("a[{a}]"), format!("b[{b}]")]);
            if !self.second {
                all.extend([
                    "a[i]".to_owned(),
                    "u[i]".to_owned(),
                    "q[i].mass".to_owned(),
                    "q[i].pos.y".to_owned(),
                ]);
            }
        }
        if all.is_empty() || self.random.percent(8) {
            return format!("(‹{} as Real›)", self.counter());
        }
        self.random.one(&all).clone()
    }
}
