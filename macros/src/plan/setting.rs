//! What a build asks for, as far as macros see it.

use std::sync::LazyLock;

/// With `--cfg swathe_plain` a loop is compiled once, for every processor of the architecture, iteration by iteration: only to measure what the other
/// forms cost to compile.
pub fn plain() -> bool {
    cfg!(swathe_plain)
}

/// Whether rustc was asked for overflow checks: what is computed in front of an iteration could then panic before the iteration does what comes first.
/// Rust has no stable `cfg` for it, but macros run in rustc, whose arguments these are. Where that is not found, the iteration's part ends with the panic.
pub fn overflow_checked() -> bool {
    static ASKED: LazyLock<bool> = LazyLock::new(|| asks_for_overflow_checks(std::env::args()));
    *ASKED
}

/// The last argument counts: `-C overflow-checks`, or with `=on` and its like.
fn asks_for_overflow_checks(args: impl Iterator<Item = String>) -> bool {
    let values = args.filter_map(|arg| {
        let value = arg.trim_start_matches("-C").strip_prefix("overflow-checks")?.to_owned();
        Some(!matches!(value.as_str(), "=off" | "=no" | "=n" | "=false"))
    });
    values.last().unwrap_or(false)
}

/// Whether rustc was asked to optimise.
pub fn optimised() -> bool {
    static ASKED: LazyLock<bool> = LazyLock::new(|| asks_to_optimise(std::env::args()));
    *ASKED
}

/// The last argument counts: `-O`, or `-C opt-level` with another level than 0.
fn asks_to_optimise(args: impl Iterator<Item = String>) -> bool {
    let levels = args.filter_map(|arg| match arg.as_str() {
        "-O" => Some(true),
        _ => Some(arg.trim_start_matches("-C").strip_prefix("opt-level=")? != "0"),
    });
    levels.last().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::{asks_for_overflow_checks, asks_to_optimise};

    #[test]
    fn the_level_of_optimisation_is_found() {
        let asked = |args: &[&str]| asks_to_optimise(args.iter().map(ToString::to_string));
        assert!(!asked(&["rustc", "-C", "debug-assertions", "a.rs"]));
        assert!(!asked(&["rustc", "-C", "opt-level=0"]));
        assert!(asked(&["rustc", "-C", "opt-level=1"]));
        assert!(asked(&["rustc", "-Copt-level=s"]));
        assert!(asked(&["rustc", "-O"]));
        assert!(!asked(&["rustc", "-O", "-C", "opt-level=0"]));
    }

    #[test]
    fn overflow_checks_are_found() {
        let asked = |args: &[&str]| asks_for_overflow_checks(args.iter().map(ToString::to_string));
        assert!(!asked(&["rustc", "-C", "opt-level=3", "a.rs"]));
        assert!(asked(&["rustc", "-C", "overflow-checks=on"]));
        assert!(asked(&["rustc", "-Coverflow-checks"]));
        assert!(!asked(&["rustc", "-Coverflow-checks", "-C", "overflow-checks=off"]));
        assert!(asked(&["rustc", "-C", "overflow-checks=no", "-Coverflow-checks=y"]));
    }
}
