//! Accesses to fields, with indices of all kinds.

use super::types::{INTS, Ty};
use super::writer::Writer;

impl Writer {
    /// A read of a field that holds this, or has it as a member.
    pub fn read(&mut self, ty: Ty, depth: usize) -> Option<String> {
        if !self.sees_own() {
            return None;
        }
        let fit: Vec<usize> = (0..self.fields.len())
            .filter(|k| {
                let field = &self.fields[*k];
                let holds =
                    field.ty == ty || matches!((field.ty, ty), (Ty::Mine, Ty::U32 | Ty::I64) | (Ty::V3, Ty::F32));
                holds && !(field.mutable && (field.atomic || field.rank != self.own.len()))
            })
            .collect();
        if fit.is_empty() {
            return None;
        }
        let k = self.random.pick(&fit);
        let (name, of, mutable) = (self.field_name(k), self.fields[k].ty, self.fields[k].mutable);
        let element = match mutable {
            true => format!("{name}[{}]", self.own_index()),
            false if self.fields[k].reader && self.random.percent(50) => {
                let rank = self.fields[k].rank;
                let axes: Vec<String> = (0..rank).map(|axis| self.axis(k, axis, depth)).collect();
                let (i, by) = (self.axis(k, rank - 1, depth), self.expr(Ty::U32, 1));
                format!("rd{k}({name}, [{}], {i}, {by})", axes.join(", "))
            }
            false => format!("{name}[{}]", self.index(k, depth)),
        };
        let member = match (of, ty) {
            (Ty::Mine, Ty::U32) => ".a",
            (Ty::Mine, Ty::I64) => ".b",
            (Ty::V3, Ty::F32) => self.random.pick(&[".x", ".y", ".z"]),
            _ => "",
        };
        Some(format!("{element}{member}"))
    }

    /// A position of the loop in the text.
    pub fn position(&mut self, k: usize) -> String {
        let text = self.own[k].clone();
        match text.strip_prefix('$') {
            // Known by this name where the macro is called.
            Some(rest) if self.hole => rest.trim_start_matches("v_").to_owned(),
            _ => text,
        }
    }

    /// Whether the loop's positions can be named here.
    pub fn sees_own(&self) -> bool {
        !self.own.is_empty() && (!self.hole || self.wrap.is_none() || self.own.iter().all(|own| own.starts_with('$')))
    }

    pub fn own_index(&mut self) -> String {
        let mut all: Vec<String> = (0..self.own.len()).map(|k| self.own_axis(k)).collect();
        if self.own_words == 5 {
            all.reverse();
        }
        match all.len() {
            1 => all[0].clone(),
            _ => format!("[{}]", all.join(", ")),
        }
    }

    /// A position of the loop, or one of another iteration, in the words of this loop.
    fn own_axis(&mut self, k: usize) -> String {
        let p = self.position(k);
        let reach = |call: bool, writer: &Writer| !writer.hole || writer.wrap.is_none() || call;
        let n = (self.vars.iter()).position(|var| var.text == "n" && reach(var.call, self));
        match (self.own_words, n) {
            (1, _) => {
                let lead = self.lead;
                format!("{}.shape()[{k}] - 1 - {p}", self.field_name(lead))
            }
            (2, Some(n)) => {
                let n = self.var_name(n);
                format!("{n} + {p} - {n}")
            }
            (3, Some(n)) => format!("{} * 2 + {p}", self.var_name(n)),
            (4, _) => format!("1 + {p}"),
            _ => p,
        }
    }

    /// An index of any kind into a field that is only read, or changed atomically.
    pub fn index(&mut self, k: usize, depth: usize) -> String {
        let rank = self.fields[k].rank;
        if rank == 1 {
            if let Some(turns) = self.items.position
                && self.random.percent(35)
                && let Some(m) = self.find(|var| var.ty == Ty::Mine)
            {
                if turns {
                    self.asked();
                }
                return self.var_name(m);
            }
            return self.axis(k, 0, depth);
        }
        let axes: Vec<String> = (0..rank).map(|axis| self.axis(k, axis, depth)).collect();
        format!("[{}]", axes.join(", "))
    }

    pub fn axis(&mut self, k: usize, axis: usize, depth: usize) -> String {
        let own = self.own.len();
        if self.sees_own() && (depth == 0 || self.random.percent(35)) {
            let across = self.random.percent(25);
            let beside = if across { self.random.below(own) } else { axis % own };
            let p = self.position(beside);
            return match self.random.below(14) {
                0 => format!("{p} + 1"),
                1 => format!("{p} - 1"),
                2 => format!("2 * {p}"),
                3 if own > 1 && self.random.percent(15) => {
                    let q = self.position((axis + 1) % own);
                    format!("4611686018427387904 * {p} - 4611686018427387903 * {q}")
                }
                4 => self.data(),
                _ => p,
            };
        }
        match self.random.below(22) {
            18..21 => match self.find(|var| var.ty.is_int() && var.ty != Ty::Usize && !var.mutable) {
                Some(k) => format!("{} as usize", self.var_name(k)),
                None => self.shift(),
            },
            0..5 => self.data(),
            5..8 => self.shift(),
            8..11 => match self.find(|var| var.ty == Ty::Usize && !var.mutable) {
                Some(base) => {
                    let base = self.var_name(base);
                    match self.find(|var| var.ty == Ty::Usize && !var.mutable) {
                        Some(other) => format!("{base} + {}", self.var_name(other)),
                        None => base,
                    }
                }
                None => self.data(),
            },
            11 => {
                let name = self.field_name(k);
                format!("({}) % {name}.shape()[{axis}]", self.expr(Ty::Usize, 1))
            }
            12 => {
                let name = self.field_name(k);
                format!("({}).min({name}.shape()[{axis}] - 1)", self.typed(Ty::Usize))
            }
            13 => format!("({}) & 7", self.expr(Ty::Usize, 2)),
            14 => format!("{} as usize", self.typed(Ty::F32)),
            15 => format!(
                "[{}, {}][({} & 1) as usize]",
                self.data(),
                self.data(),
                self.typed(Ty::U32)
            ),
            16 => {
                let first = self.data();
                format!("{first} + {}", self.expr(Ty::Usize, 1))
            }
            _ => self.expr(Ty::Usize, 2),
        }
    }

    /// A number from a field, as an index.
    fn data(&mut self) -> String {
        let ty = self.random.pick(&INTS);
        let known: Vec<Ty> = self
            .fields
            .iter()
            .filter(|f| !f.mutable && f.ty.is_int() && f.kind != "Value")
            .map(|f| f.ty)
            .collect();
        let ty = if known.is_empty() { ty } else { self.random.pick(&known) };
        match (self.number(ty, "Index"), self.random.below(10)) {
            (Some(text), 0) => format!("({text} + 1) as usize"),
            (Some(text), 1) => format!("({text} as u8) as usize"),
            (Some(text), 2) => format!("({text} as i32 + 0) as usize"),
            (Some(text), _) => format!("{text} as usize"),
            (None, _) => self.random.pick(&["0", "1", "2"]).to_owned(),
        }
    }

    /// A power of two, mostly of a literal that has no type of its own.
    pub fn shift(&mut self) -> String {
        let known: Vec<Ty> = self.fields.iter().filter(|f| f.kind == "Shift").map(|f| f.ty).collect();
        if known.is_empty() {
            return self.data();
        }
        let ty = self.random.pick(&known);
        let Some(by) = self.number(ty, "Shift") else {
            return self.data();
        };
        match self.random.below(8) {
            0 => format!("(1 << {by}) as usize"),
            1 => format!("(1u8 << {by}) as usize"),
            2 => format!("(1 << {by}) - 1"),
            3 => format!("1usize << {by}"),
            4 => format!("{{ let p = 1 << {by}; p }}"),
            5 => format!("(1 << {by}, 1).0"),
            _ => format!("1 << {by}"),
        }
    }

    /// An own element of a field that is only read.
    fn number(&mut self, ty: Ty, kind: &str) -> Option<String> {
        if !self.sees_own() {
            return None;
        }
        let fit: Vec<usize> = (0..self.fields.len())
            .filter(|k| {
                let field = &self.fields[*k];
                !field.mutable && field.ty == ty && field.kind == kind && field.rank <= self.own.len()
            })
            .collect();
        let k = if fit.is_empty() {
            return None;
        } else {
            self.random.pick(&fit)
        };
        let name = self.field_name(k);
        let axes: Vec<String> = (0..self.fields[k].rank).map(|axis| self.position(axis)).collect();
        Some(match axes.len() {
            1 => format!("{name}[{}]", axes[0]),
            _ => format!("{name}[[{}]]", axes.join(", ")),
        })
    }
}
