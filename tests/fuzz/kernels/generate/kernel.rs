//! One kernel: its parameters, its loops, and the case that calls it.

use std::fmt::Write as _;

use super::random::Random;
use super::types::{INTS, NUMBERS, Ty};

pub struct Field {
    pub name: String,
    pub ty: Ty,
    pub shape: Vec<usize>,
    pub mutable: bool,
    /// A structure of arrays.
    pub planes: bool,
    /// Holds positions below this.
    pub below: Option<usize>,
    /// Of an `OffsetField`: the position of the first element.
    pub origin: Option<Vec<isize>>,
    /// A part of a larger field: first position, step and positions behind the last one, for each axis.
    pub part: Option<Vec<(usize, isize, usize)>>,
    /// An earlier loop writes it plainly: floats in it have digits that a sum rounds, in whatever order it comes.
    pub written: bool,
}

#[derive(Clone)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    pub mutable: bool,
}

/// What a parallel loop does with a field that it may change.
#[derive(Clone, PartialEq)]
pub enum Role {
    /// Leaves it alone.
    None,
    /// Reads it anywhere.
    Read,
    /// Reads and writes the iteration's own elements; for each position the loop's axis. Members that the loop does not write are read anywhere.
    Own(Vec<Option<usize>>, Vec<&'static str>),
    /// The same, by all positions in one variable.
    Whole(Vec<&'static str>),
    /// Changes any element by this operation.
    Atomic(&'static str),
    /// Changes own elements by any atomic operation, and uses the results.
    OwnAtomic(Vec<Option<usize>>),
}

/// The parallel loop around.
pub struct Loop {
    /// Names and types of the positions.
    pub vars: Vec<(String, Ty)>,
    /// All positions in one variable: its name and their number.
    pub whole: Option<(String, usize)>,
    pub roles: Vec<Role>,
}

/// An outer variable that loops accumulate into.
pub struct Sum {
    pub name: String,
    pub ty: Ty,
    /// Of two that are compared the comparison.
    pub op: &'static str,
    /// Of what is compared the type of a variable that is taken with it.
    pub taken: Option<Ty>,
    /// Which loop does so.
    pub in_loop: usize,
}

impl Sum {
    /// The name of the variable that is taken with it.
    pub fn taken_name(&self) -> String {
        format!("{}_at", self.name)
    }

    /// Names and types of all of its variables.
    fn variables(&self) -> impl Iterator<Item = (String, Ty)> {
        let taken = self.taken.map(|ty| (self.taken_name(), ty));
        std::iter::once((self.name.clone(), self.ty)).chain(taken)
    }
}

pub struct Kernel {
    pub random: Random,
    pub seed: u64,
    pub fields: Vec<Field>,
    pub values: Vec<(Var, String)>,
    pub vars: Vec<Var>,
    pub sums: Vec<Sum>,
    pub around: Option<Loop>,
    pub number: usize,
    pub out: String,
    pub depth: usize,
    pub names: usize,
    /// Sequential loops around the statement that is written, and the label of the outermost that has one.
    pub loops: usize,
    pub label: Option<String>,
    /// Enough iterations for several threads.
    pub big: bool,
    /// No access that is checked in place, no atomic one and no failure: such loops run in lanes.
    pub tame: bool,
    /// No floats: every order and contraction gives the same bits.
    pub exact: bool,
    /// Variables of sequential loops below the extent of a field's axis.
    pub within: Vec<(String, usize, usize)>,
    /// Functions of this kernel's own: name, types of parameters and of the result.
    pub functions: Vec<(String, Vec<Ty>, Ty)>,
    /// Functions of integers that give positions: name, and the type of the position and the extent that they take.
    pub places: Vec<(String, &'static str)>,
    /// Functions that are lent a field: name, and which.
    pub readers: Vec<(String, usize)>,
    pub helpers: String,
    /// The type that the function returns whose body is written.
    pub returns: Option<Ty>,
}

impl Kernel {
    pub fn random(seed: u64) -> Kernel {
        let mut kernel = Kernel {
            random: Random::new(seed),
            seed,
            fields: Vec::new(),
            values: Vec::new(),
            vars: Vec::new(),
            sums: Vec::new(),
            around: None,
            number: 0,
            out: String::new(),
            depth: 1,
            names: 0,
            loops: 0,
            label: None,
            big: false,
            tame: false,
            exact: false,
            within: Vec::new(),
            functions: Vec::new(),
            places: Vec::new(),
            readers: Vec::new(),
            helpers: String::new(),
            returns: None,
        };
        kernel.big = kernel.random.percent(8);
        kernel.tame = kernel.random.percent(55);
        kernel.exact = kernel.random.percent(12);
        kernel.functions();
        kernel.parameters();
        kernel.readers();
        kernel.places();
        kernel
    }

    /// The type, or an integer in its place where floats are not wanted.
    pub fn allowed(&self, ty: Ty) -> Ty {
        match ty {
            Ty::F16 | Ty::Bf16 if self.exact => Ty::U16,
            Ty::F32 | Ty::Vec3 if self.exact => Ty::I32,
            Ty::F64 | Ty::Part if self.exact => Ty::U64,
            ty => ty,
        }
    }

    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 4 * self.depth);
    }

    pub fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn shape(&mut self) -> Vec<usize> {
        if self.big {
            return vec![self.random.pick(&[4000, 4999, 6001])];
        }
        if self.tame && self.random.percent(30) {
            // Whole blocks of lanes on several threads.
            return vec![self.random.pick(&[1000, 2501])];
        }
        match self.random.below(10) {
            0..6 => vec![self.random.pick(&[0, 1, 3, 17, 64, 200, 300])],
            6..9 => vec![self.random.pick(&[0, 1, 3, 8, 17]), self.random.pick(&[1, 2, 5, 33])],
            _ => vec![
                self.random.pick(&[1, 2, 4]),
                self.random.pick(&[0, 1, 3, 5]),
                self.random.pick(&[1, 3, 4]),
            ],
        }
    }

    fn parameters(&mut self) {
        let count = 2 + self.random.below(3);
        for k in 0..count {
            let shape = if k > 0 && self.random.percent(50) {
                let like = self.random.below(k);
                self.fields[like].shape.clone()
            } else {
                self.shape()
            };
            let ty = match self.random.below(10) {
                0..3 => Ty::I32,
                3 => Ty::F32,
                4 => Ty::Part,
                5 => Ty::Vec3,
                6 => self.random.pick(&[Ty::Bool, Ty::F16, Ty::Bf16]),
                7 => Ty::Part,
                _ => self.random.pick(&NUMBERS),
            };
            let ty = self.allowed(ty);
            self.fields.push(Field {
                name: format!("f{k}"),
                ty,
                shape,
                mutable: k == 0 || self.random.percent(50),
                planes: matches!(ty, Ty::Part | Ty::Vec3) && self.random.percent(40),
                below: None,
                origin: None,
                written: false,
                part: None,
            });
            let rank = self.fields[k].shape.len();
            if self.random.percent(15) {
                let starts = (0..rank).map(|_| self.random.pick(&[0, -1, -2, 3, -300, 1 << 33]));
                self.fields[k].origin = Some(starts.collect());
            } else if self.random.percent(20) {
                let axes = (0..rank).map(|_| {
                    let (first, behind) = (self.random.below(4), self.random.below(3));
                    (first, self.random.pick(&[1, 1, 2, 3, -1, -2]), behind)
                });
                self.fields[k].part = Some(axes.collect());
            }
        }
        if !self.tame && self.random.percent(50) {
            let shape = self.shape();
            let limit = self.random.one(&self.fields).shape[0];
            self.fields.push(Field {
                name: "idx".to_owned(),
                ty: Ty::U32,
                shape: vec![shape[0]],
                mutable: false,
                planes: false,
                below: Some(limit + usize::from(self.random.percent(10))),
                origin: None,
                written: false,
                part: None,
            });
        }
        let n = self.random.pick(&[0, 1, 2, 5, 17, 39]);
        let extent = self.random.one(&self.fields).shape[0];
        let n = if self.random.percent(40) && (extent <= 300 || !self.tame) {
            extent
        } else {
            n
        };
        for (name, ty, value) in [
            ("n", Ty::Usize, format!("{n}usize")),
            (
                "a",
                Ty::I32,
                format!("{}i32", self.random.pick(&["-3", "0", "5", "1000", "-2"])),
            ),
            (
                "c",
                Ty::F32,
                format!("{}f32", self.random.pick(&["0.5", "-2.0", "0.0", "100.0"])),
            ),
        ] {
            if name == "n" || !(self.exact && ty.is_float()) && self.random.percent(60) {
                let var = Var {
                    name: name.to_owned(),
                    ty,
                    mutable: false,
                };
                self.vars.push(var.clone());
                self.values.push((var, value));
            }
        }
    }

    /// The kernel and its case.
    pub fn text(mut self) -> String {
        self.body();
        let (kernel, case) = self.parts();
        format!("{kernel}{case}")
    }

    /// The kernel alone, with the body that it has.
    pub fn finish(self) -> String {
        self.parts().0
    }

    fn parts(self) -> (String, String) {
        let seed = self.seed;
        let mut params = Vec::new();
        let mut arguments = Vec::new();
        let mut passed = Vec::new();
        let mut kept = String::new();
        for f in &self.fields {
            let (mutable, rank) = (if f.mutable { "mut " } else { "" }, f.shape.len());
            let offset = if f.origin.is_some() { "Offset" } else { "" };
            params.push(format!("{}: &{mutable}{offset}Field<{}, {rank}>", f.name, f.ty.name()));
            let fill = match f.below {
                Some(n) => format!("Fill::Below({n})"),
                None => "Fill::Any".to_owned(),
            };
            let planes = if f.planes {
                ".with_layout(swathe::Soa).unwrap()"
            } else {
                ""
            };
            let (name, ty, shape) = (&f.name, f.ty.name(), &f.shape);
            if let Some(origin) = &f.origin {
                arguments.push(format!(
                    "let {mutable}{name} = b.offset::<{ty}, {rank}>({shape:?}, {origin:?}, {fill}){planes}.with_origin({origin:?}).unwrap();"
                ));
                passed.push(format!("&{mutable}{name}"));
                let _ = write!(kept, " b.keep({name}.field());");
            } else if let Some(part) = &f.part {
                arguments.push(format!(
                    "let {mutable}{name} = b.part::<{ty}, {rank}>({shape:?}, {part:?}, {fill}){planes};"
                ));
                let axes: Vec<String> = part
                    .iter()
                    .zip(shape)
                    .map(|((first, step, _), n)| {
                        let end = first + n.saturating_sub(1) * step.unsigned_abs() + usize::from(*n > 0);
                        format!("{first}..{end};{step}")
                    })
                    .collect();
                let method = if f.mutable { "slice_mut" } else { "slice" };
                passed.push(format!(
                    "&{mutable}{name}.{method}(ndarray::s![{}]).unwrap()",
                    axes.join(", ")
                ));
                let _ = write!(kept, " b.keep(&{name});");
            } else {
                arguments.push(format!(
                    "let {mutable}{name} = b.field::<{ty}, {rank}>({shape:?}, {fill}){planes};"
                ));
                passed.push(format!("&{mutable}{name}"));
                let _ = write!(kept, " b.keep(&{name});");
            }
        }
        for (var, value) in &self.values {
            params.push(format!("{}: {}", var.name, var.ty.name()));
            arguments.push(format!("let {} = b.value({value});", var.name));
            passed.push(var.name.clone());
        }
        let results: Vec<(String, Ty)> = self.sums.iter().flat_map(Sum::variables).collect();
        let (result, tail) = match &results[..] {
            [] => (String::new(), String::new()),
            [(name, ty)] => (format!(" -> {}", ty.name()), name.clone()),
            _ => {
                let types: Vec<&str> = results.iter().map(|(_, ty)| ty.name()).collect();
                let names: Vec<&str> = results.iter().map(|(name, _)| &**name).collect();
                (format!(" -> ({})", types.join(", ")), format!("({})", names.join(", ")))
            }
        };
        let body = &self.out;
        let tail = if tail.is_empty() { tail } else { format!("    {tail}\n") };
        let (params, arguments, passed) = (params.join(", "), arguments.join(" "), passed.join(", "));
        let helpers = &self.helpers;
        let strict = if self.exact { "" } else { "(strict)" };
        let mut kernel = format!(
            "\n// seed {seed}\n{helpers}#[kernel{strict}]\nfn kernel_{seed}({params}){result} {{\n{body}{tail}}}\n"
        );
        // Beside a strict one the same as others are printed: only compiled, since an interpreter does not know what is rounded.
        if !self.exact && seed.is_multiple_of(2) {
            let mode = if seed.is_multiple_of(4) { "" } else { "(fast_math)" };
            let _ = write!(
                kernel,
                "#[kernel{mode}]\nfn loose_{seed}({params}){result} {{\n{body}{tail}}}\n"
            );
        }
        let run = format!("b.run::<kernel_{seed}, _>(|| kernel_{seed}({passed}));");
        (
            kernel,
            format!("fn case_{seed}(b: &mut Bench) {{ {arguments} {run}{kept} }}\n"),
        )
    }

    fn body(&mut self) {
        let loops = self.random.pick(&[1, 1, 1, 2, 2, 3]);
        for k in 0..self.random.pick(&[0, 0, 1, 2, 3]) {
            let in_loop = self.random.below(loops);
            let (ty, op) = self.sum();
            self.sums.push(Sum {
                name: format!("s{k}"),
                ty,
                op,
                taken: op
                    .starts_with(['<', '>'])
                    .then(|| self.random.pick(&[Ty::I64, Ty::Usize, Ty::U8])),
                in_loop,
            });
        }
        if self.tame {
            self.line("let few = n % 20;");
            self.declare("few", Ty::Usize, false);
        }
        for k in 0..self.fields.len() {
            if self.random.percent(50) {
                self.extents(k);
            }
        }
        for k in 0..self.sums.len() {
            let start = self.start(k);
            let (name, ty) = (self.sums[k].name.clone(), self.sums[k].ty.name());
            self.line(&format!("let mut {name}: {ty} = {start};"));
            if let Some(ty) = self.sums[k].taken {
                let (name, start) = (self.sums[k].taken_name(), self.literal(ty));
                self.line(&format!("let mut {name}: {} = {start};", ty.name()));
            }
        }
        for number in 0..loops {
            if self.random.percent(30) {
                self.binding();
            }
            if self.random.percent(8) {
                self.on_one_thread();
            }
            self.number = number;
            self.parallel();
        }
    }

    /// Reductions whose result does not depend on the order.
    fn sum(&mut self) -> (Ty, &'static str) {
        match self.random.below(if self.exact { 8 } else { 10 }) {
            0..4 => (self.random.pick(&INTS), self.random.pick(&["+=", "+=", "-=", "*="])),
            4 => (self.random.pick(&INTS), self.random.pick(&["&=", "|=", "^="])),
            5 => (self.random.pick(&INTS), self.random.pick(&["min", "max"])),
            6 => (self.random.pick(&INTS), self.random.pick(&["<", "<=", ">", ">="])),
            7 => (Ty::Bool, self.random.pick(&["&=", "|=", "^=", "&&", "||"])),
            8 => (Ty::F32, self.random.pick(&["min", "max"])),
            _ => (self.random.pick(&[Ty::F32, Ty::F64]), "+="),
        }
    }

    fn start(&mut self, k: usize) -> String {
        match (self.sums[k].ty, self.sums[k].op) {
            (Ty::Bool, _) => self.random.pick(&["true", "false"]).to_owned(),
            (Ty::F32, "min" | "max") => self.random.pick(&["1.0f32", "1e30f32", "0.0f32"]).to_owned(),
            (ty, _) if ty.is_float() => format!("3.0{}", ty.name()),
            (ty, _) => self.literal(ty),
        }
    }

    /// Names for a field's extents.
    fn extents(&mut self, k: usize) {
        let (field, rank) = (self.fields[k].name.clone(), self.fields[k].shape.len());
        let names: Vec<String> = (0..rank).map(|_| self.fresh("n")).collect();
        if rank == 1 && self.random.percent(70) {
            self.line(&format!("let {} = {field}.len();", names[0]));
        } else {
            self.line(&format!("let [{}] = {field}.shape();", names.join(", ")));
        }
        self.vars.extend(names.into_iter().map(|name| Var {
            name,
            ty: Ty::Usize,
            mutable: false,
        }));
    }

    /// A sequential loop outside of the parallel ones.
    fn on_one_thread(&mut self) {
        let Some(k) = (0..self.fields.len()).find(|&k| {
            let f = &self.fields[k];
            f.mutable && f.shape.len() == 1 && f.origin.is_none() && !self.big
        }) else {
            return;
        };
        let (field, ty) = (self.fields[k].name.clone(), self.fields[k].ty);
        self.fields[k].written = true;
        let var = self.fresh("q");
        self.line(&format!("for {var} in serial(0..{field}.len()) {{"));
        let before = self.vars.clone();
        self.vars.push(Var {
            name: var.clone(),
            ty: Ty::Usize,
            mutable: false,
        });
        self.depth += 1;
        let value = self.expr(ty, 2);
        self.line(&format!("{field}[{var}] = {value};"));
        self.depth -= 1;
        self.vars = before;
        self.line("}");
    }
}
