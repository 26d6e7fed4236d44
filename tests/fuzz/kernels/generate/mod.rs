//! Random kernels as Rust source text. A kernel's text depends on its seed alone.

mod access;
mod body;
mod expr;
mod expression;
mod function;
mod gradient;
mod kernel;
mod random;
mod sequential;
mod types;
mod violate;

use std::fmt::Write as _;

/// `kernels` kernels of the seeds from `seed` on, and a table of them: seed, case, first and last line.
pub fn batch(seed: u64, kernels: u64) -> String {
    let mut text = format!("{}\nuse swathe_fuzz::bench::{{Bench, Fill}};\n", types::PRELUDE);
    let mut table = String::new();
    for seed in seed..seed + kernels {
        let first = text.lines().count() + 1;
        text.push_str(&kernel::Kernel::random(seed).text());
        let last = text.lines().count();
        let _ = writeln!(
            table,
            "    ({seed}, case_{seed} as swathe_fuzz::bench::Case, {first}, {last}),"
        );
    }
    let _ = write!(
        text,
        "\n/// Seed, what runs the kernel, and its first and last line.\npub const CASES: &[(u64, swathe_fuzz::bench::Case, usize, usize)] = &[\n{table}];\n"
    );
    text
}

/// Random kernels with derivatives, and a table of them.
pub fn gradients(seed: u64, kernels: u64) -> String {
    gradient::batch(seed, kernels)
}

/// Random expressions over fields, and a table of them.
pub fn expressions(seed: u64, expressions: u64) -> String {
    expression::batch(seed, expressions)
}

/// Two texts of kernels that break the rules of the kernel language, and those of Rust, and a table for each: seed, what is
/// wrong, first and last line.
pub fn violations(seed: u64, kernels: u64) -> [(String, String); 2] {
    [false, true].map(|types| violate::batch(seed, kernels, types))
}
