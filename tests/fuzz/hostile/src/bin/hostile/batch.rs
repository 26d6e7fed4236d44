//! Programs of one crate, each in a module of its own, and whose lines are whose.

use std::fmt::Write as _;
use std::ops::Range;

use crate::generate;

const HEAD: &str = "#![allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic)]\n";

pub struct Program {
    pub seed: u64,
    pub text: String,
}

impl Program {
    /// What a person reads: the kernel's half.
    pub fn kernel(&self) -> &str {
        let start = self.text.find("pub mod k {").unwrap_or(0);
        let end = self.text.find("pub mod r {").unwrap_or(self.text.len());
        &self.text[start..end]
    }
}

pub struct Batch {
    pub programs: Vec<Program>,
}

/// Which half of a program a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    Kernel,
    Plain,
    Harness,
}

impl Batch {
    pub fn new(seeds: Range<u64>) -> Batch {
        Batch {
            programs: seeds
                .map(|seed| Program {
                    seed,
                    text: generate::program(seed),
                })
                .collect(),
        }
    }

    /// The crate.
    pub fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for program in &self.programs {
            text.push_str(&program.text);
        }
        text.push_str("fn main() { hostile::main(&[");
        for program in &self.programs {
            let _ = write!(text, "p{}::CASE, ", program.seed);
        }
        text.push_str("]) }\n");
        text
    }

    /// For each program the line before its first, where its plain half begins, where what calls both does, and its last line.
    pub fn lines(&self) -> Vec<[usize; 4]> {
        let mut line = HEAD.lines().count();
        let mut all = Vec::new();
        for program in &self.programs {
            let at = |mark: &str| program.text.lines().position(|line| line == mark).unwrap_or(0);
            let count = program.text.lines().count();
            let plain = at("pub mod r {");
            let harness = at("#[allow(unused)]");
            all.push([line, line + plain, line + harness.max(plain), line + count]);
            line += count;
        }
        all
    }
}

/// The number of the program that a line of the crate belongs to, and its half.
pub fn owner(lines: &[[usize; 4]], line: usize) -> Option<(usize, Half)> {
    let k = lines
        .iter()
        .position(|[first, .., last]| (first + 1..=*last).contains(&line))?;
    let [_, plain, harness, _] = lines[k];
    Some((
        k,
        match line {
            line if line > harness => Half::Harness,
            line if line > plain => Half::Plain,
            _ => Half::Kernel,
        },
    ))
}
