//! A kernel over random fields, and the functions that it calls.

use std::fmt::Write as _;

use super::program::wrap_in;
use super::random::Random;
use super::types::{ATOMIC, ELEMENTS, INTS, Ty};
use super::writer::{FieldInfo, Wrap, Writer};

impl Writer {
    /// Functions with bodies of their own, some of which reach the attribute through a macro.
    pub fn functions(&mut self) {
        let count = self.random.below(3);
        for k in 0..count {
            let ty = self.random.pick(&[Ty::U32, Ty::I32, Ty::F32, Ty::Usize, Ty::U64]);
            let lends = self.random.percent(40);
            if self.random.percent(35) {
                self.wrap = Some(Wrap::default());
            }
            let a = self.declare_as("a".to_owned(), ty, false);
            let mut head = format!("@FUNC\nfn help{k}({a}: {n}", n = ty.name());
            if lends {
                let _ = write!(head, ", lent: &mut {}", ty.name());
            }
            let _ = write!(head, ") -> {} {{", ty.name());
            self.line(&head);
            let mutable = self.declare(ty, true);
            self.line(&format!("let mut {mutable} = {a};"));
            let count = 1 + self.random.below(3);
            self.statements(count, 2);
            if lends {
                let value = self.expr(ty, 1);
                self.line(&format!("*lent = {value};"));
            }
            let result = self.expr(ty, 3);
            self.line(&format!("{result}\n}}"));
            self.vars.clear();
            let text = std::mem::take(&mut self.out);
            let text = match self.wrap.take() {
                Some(wrap) => wrap_in(&wrap, &text).replace("make", &format!("make_{k}")),
                None => text,
            };
            self.items.text.push_str(&text);
            self.items.functions.push((format!("help{k}"), ty, lends));
        }
    }

    pub fn choose_fields(&mut self) {
        let rank = self.random.pick(&[1, 1, 1, 1, 2, 2, 3]);
        let mut add = |ty, rank, mutable, kind, part| {
            let name = format!("f{}", self.fields.len());
            self.fields.push(FieldInfo {
                name,
                ty,
                rank,
                mutable,
                kind,
                atomic: false,
                part,
                reader: false,
            });
        };
        let mut random = Random::new(self.random.next());
        let index = random.pick(&[Ty::I32, Ty::U32, Ty::I64, Ty::U64, Ty::I16, Ty::U8]);
        let part = |random: &mut Random, rank| rank == 1 && random.percent(12);
        add(index, if random.percent(60) { rank } else { 1 }, false, "Index", false);
        if random.percent(60) {
            add(
                random.pick(&[Ty::I32, Ty::U32, Ty::U64, Ty::U8]),
                rank,
                false,
                "Shift",
                false,
            );
        }
        let read = 1 + random.below(2);
        for _ in 0..read {
            let rank = if random.percent(60) { rank } else { 1 };
            add(random.pick(&ELEMENTS), rank, false, "Value", part(&mut random, rank));
        }
        let written = 1 + random.below(2);
        for _ in 0..written {
            add(random.pick(&ELEMENTS), rank, true, "Value", part(&mut random, rank));
        }
        if random.percent(50) {
            let rank = random.pick(&[1, rank]);
            add(random.pick(&ATOMIC), rank, true, "Value", false);
        }
    }

    /// Functions that are lent fields. Some reach the attribute through a macro, which has names of its own beside those that it is given.
    pub fn readers(&mut self) {
        for k in 0..self.fields.len() {
            if self.fields[k].mutable || !self.random.percent(45) {
                continue;
            }
            if self.random.percent(35) {
                self.wrap = Some(Wrap::default());
            }
            let (field, given) = (self.field_name(k), self.random.percent(50));
            let [i, by, p] = ["i", "by", "p"].map(|name| if given { self.given(name) } else { name.to_owned() });
            let (ty, rank) = (self.fields[k].ty.name(), self.fields[k].rank);
            let last = rank - 1;
            let mut text = format!(
                "@FUNC\nfn rd{k}({field}: &Field<{ty}, {rank}>, {p}: [usize; {rank}], {i}: usize, {by}: u32) -> {ty} {{\n"
            );
            if given && self.wrap.is_some() {
                text.push_str("let i = 3usize; let p = [7usize]; let by = p[0] - i; let _ = by;\n");
            }
            let mut i = i;
            match self.random.below(5) {
                0 => _ = writeln!(text, "let {i} = {i} + 1;"),
                1 => {
                    _ = writeln!(text, "let j = {i};");
                    i = "j".to_owned();
                }
                2 => {
                    _ = writeln!(text, "let mut j = {i}; j += 1;");
                    i = "j".to_owned();
                }
                _ => {}
            }
            let mut element = || {
                let mut axes: Vec<String> = (0..last).map(|axis| format!("{p}[{axis}]")).collect();
                axes.push(match self.random.below(12) {
                    0 => format!("{i} + 1"),
                    1 => format!("{i} - 1"),
                    2 => format!("1 << ({by} & 3)"),
                    3 => format!("({i} * 3) % {field}.shape()[{last}]"),
                    4 => format!("{i}.min({field}.shape()[{last}] - 1)"),
                    5 => format!("{by} as usize"),
                    6 => format!("{p}[{last}] + 2 - 1"),
                    7 => format!("{i} - 2 + 2"),
                    8 => format!("{{ let {i} = {i} + 1; {i} }}"),
                    _ => i.clone(),
                });
                match self.random.below(4) {
                    0 => format!("{field}[{p}]"),
                    _ => format!("{field}[[{}]]", axes.join(", ")),
                }
            };
            let (one, other) = (element(), element());
            match self.random.below(3) {
                0 => _ = writeln!(text, "if {by} & 1 == 0 {{ {one} }} else {{ {other} }}\n}}"),
                1 => _ = writeln!(text, "let first = {one}; if {by} > 2 {{ return {other}; }} first\n}}"),
                _ => _ = writeln!(text, "{one}\n}}"),
            }
            let text = match self.wrap.take() {
                Some(wrap) => wrap_in(&wrap, &text).replace("make", &format!("make_rd{k}")),
                None => text,
            };
            self.items.text.push_str(&text);
            self.fields[k].reader = true;
        }
    }

    /// The kernel.
    pub fn kernel(&mut self) {
        let result = self
            .random
            .percent(30)
            .then(|| self.random.pick(&[Ty::U32, Ty::I64, Ty::U64, Ty::F32]));
        let mark = if self.random.percent(50) { "@KERNEL" } else { "@STRICT" };
        let mut parameters: Vec<String> = Vec::new();
        for k in 0..self.fields.len() {
            let (name, field) = (self.field_name(k), &self.fields[k]);
            let access = if field.mutable { "&mut " } else { "&" };
            parameters.push(format!("{name}: {access}Field<{}, {}>", field.ty.name(), field.rank));
        }
        let n = self.declare_as("n".to_owned(), Ty::Usize, false);
        parameters.push(format!("{n}: usize"));
        let m = self.declare_as("m".to_owned(), Ty::Mine, false);
        parameters.push(format!("{m}: Mine"));
        let returned = result.map_or(String::new(), |ty| format!(" -> {}", ty.name()));
        self.line(mark);
        self.line(&format!("pub fn kernel({}){returned} {{", parameters.join(", ")));
        if self.random.percent(25) {
            let name = self.declare(Ty::Usize, false);
            let value = self.random.pick(&["3", "1 << 2", "4", "2"]);
            self.line(&format!("let {name} = {value};"));
        }
        if result.is_some() {
            let start = match result {
                Some(Ty::F32) => self.random.pick(&["0.5f32", "f32::NAN", "-0.0f32"]),
                _ => self.random.pick(&["0", "1"]),
            };
            self.reduces_max = self.random.percent(50);
            self.line(&format!("let mut total = {start};"));
        }
        let loops = 1 + usize::from(self.random.percent(25));
        for _ in 0..loops {
            self.parallel(result);
        }
        if result.is_some() {
            self.line("total");
        }
        self.line("}");
    }

    pub fn parallel(&mut self, result: Option<Ty>) {
        let before = self.vars.clone();
        let written: Vec<usize> = (0..self.fields.len()).filter(|k| self.fields[*k].mutable).collect();
        let lead = self.random.pick(&written);
        let rank = self.fields[lead].rank;
        for k in &written {
            let other = self.fields[*k].rank != rank || (*k != lead && self.random.percent(40));
            self.fields[*k].atomic = other && ATOMIC.contains(&self.fields[*k].ty);
        }
        let calls = self.wrap.is_some() && self.random.percent(60);
        let names: Vec<String> = ["i", "j", "l"][..rank].iter().map(|name| (*name).to_owned()).collect();
        let (domain, ty) = self.domain(lead, rank);
        self.lead = lead;
        self.own_words = if self.random.percent(25) {
            1 + self.random.below(5)
        } else {
            0
        };
        self.own.clear();
        for name in &names {
            self.vars.retain(|var| var.text != *name || var.call != calls);
            self.vars.push(super::writer::Var {
                text: name.clone(),
                call: calls,
                ty,
                mutable: false,
            });
            let shown = self.var_name(self.vars.len() - 1);
            self.own.push(shown);
        }
        let positions = match rank {
            1 => self.own[0].clone(),
            _ => format!("[{}]", self.own.join(", ")),
        };
        let domain_ty = ty;
        self.line(&format!("@FOR |{positions}|{domain}"));
        if domain_ty != Ty::Usize {
            // The own element is that of the position as an index.
            self.own[0] = format!("{} as usize", self.own[0]);
        }
        // What is written in another form for speed is mostly short.
        if self.random.percent(25) {
            let count = 1 + self.random.below(4);
            (0..count).for_each(|_| self.rims());
        } else if self.random.percent(40) {
            self.short();
        } else {
            let count = 2 + self.random.below(4);
            self.statements(count, 2);
        }
        if let Some(ty) = result {
            let value = self.expr(ty, 2);
            match ty {
                Ty::F32 => self.line(&format!(
                    "total = total.{}({value});",
                    if self.reduces_max { "max" } else { "min" }
                )),
                _ => self.line(&format!("total += {value};")),
            }
        }
        self.line("@END");
        self.own.clear();
        self.vars = before;
    }

    pub fn domain(&mut self, lead: usize, rank: usize) -> (String, Ty) {
        let name = self.field_name(lead);
        if rank > 1 {
            return (format!("{name}.indices()"), Ty::Usize);
        }
        match self.random.below(16) {
            0..6 => (format!("{name}.indices()"), Ty::Usize),
            6..9 => (format!("0..{name}.len()"), Ty::Usize),
            9 | 10 => {
                let n = self.given("n");
                let n = if self.vars.iter().any(|var| var.text == "n" && !var.call) {
                    "n".to_owned()
                } else {
                    n
                };
                (format!("0..{n}"), Ty::Usize)
            }
            11 => (format!("1..{name}.len()"), Ty::Usize),
            12 => (
                format!("(0..{name}.len()).step_by({})", 1 + self.random.below(4)),
                Ty::Usize,
            ),
            13 => (
                format!("0..{name}.len() as {}", self.random.pick(&["u32", "u64"])),
                Ty::U64,
            ),
            14 => {
                let ty = self.random.pick(&INTS[..4]);
                (format!("0..{name}.len() as {}", ty.name()), ty)
            }
            _ => {
                let (range, ty) = self.random.pick(&[
                    ("0u8..=255", Ty::U8),
                    ("-128i8..=127", Ty::I8),
                    ("(i64::MIN..=i64::MAX).step_by(usize::MAX / 16)", Ty::I64),
                    ("18446744073709551500u64..18446744073709551615", Ty::U64),
                    ("18446744073709551500u64..=18446744073709551615", Ty::U64),
                    ("5u32..3", Ty::U32),
                    ("i16::MIN..=-32760", Ty::I16),
                    ("4294967290u32..=u32::MAX", Ty::U32),
                    ("(i32::MIN..=i32::MAX).step_by(1 << 29)", Ty::I32),
                    ("2147483640i32..i32::MAX", Ty::I32),
                    ("5i32..=5", Ty::I32),
                ]);
                (range.to_owned(), ty)
            }
        }
    }
}
