//! Random programs of hostile users as text. A program depends on its seed alone.

mod expr;
mod index;
mod items;
mod kernel;
mod loops;
mod number;
mod operator;
mod program;
#[path = "../../../../../kernels/generate/random.rs"]
mod random;
mod rims;
mod stmt;
mod types;
mod walk;
mod writer;

/// The text of the program of a seed.
pub fn program(seed: u64) -> String {
    program::Program::random(seed).text
}

#[cfg(test)]
mod tests {
    /// What a person is told by its seed is the program that was found.
    #[test]
    fn a_seed_is_a_program() {
        for seed in 0..300 {
            let text = super::program(seed);
            assert_eq!(text, super::program(seed));
            for half in ["pub mod k {", "pub mod r {", "pub const CASE"] {
                assert!(text.contains(half), "{seed}: {half}");
            }
            // But for names in patterns.
            assert!(!text.replace(" @ ", "").contains('@'), "{seed}: a mark is left");
        }
    }
}
