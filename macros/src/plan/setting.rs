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
    static ASKED: LazyLock<bool> = LazyLock::new(|| asks_for_overflow_checks(arguments()));
    *ASKED
}

fn asks_for_overflow_checks(args: impl Iterator<Item = String>) -> bool {
    let value = codegen(args, "overflow-checks");
    value.is_some_and(|value| !matches!(value.as_deref(), Some("off" | "no" | "n" | "false")))
}

/// The last value of an option of code generation, if there is one: `-Cname=value`, `-C name`, `--codegen name`, `--codegen=name=value`, with `_` for `-`.
fn codegen(args: impl Iterator<Item = String>, option: &str) -> Option<Option<String>> {
    let (mut found, mut behind) = (None, false);
    for arg in args {
        let text = match arg.strip_prefix("--codegen").or_else(|| arg.strip_prefix("-C")) {
            Some("") => {
                behind = true;
                continue;
            }
            Some(rest) => rest.strip_prefix('=').unwrap_or(rest),
            None if behind => arg.as_str(),
            None => continue,
        };
        behind = false;
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        if name.replace('_', "-") == option {
            found = Some(value);
        }
    }
    found
}

/// The arguments of rustc, those of files `@path` in their place.
fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().flat_map(|arg| {
        let arg = arg.to_string_lossy().into_owned();
        let file = arg
            .strip_prefix('@')
            .and_then(|path| std::fs::read_to_string(path).ok());
        match file {
            Some(lines) => lines.lines().map(ToOwned::to_owned).collect(),
            None => vec![arg],
        }
    })
}

/// Whether rustc was asked to optimise.
pub fn optimised() -> bool {
    static ASKED: LazyLock<bool> = LazyLock::new(|| asks_to_optimise(arguments()));
    *ASKED
}

/// The last argument counts: `-O`, or `-C opt-level` with another level than 0.
fn asks_to_optimise(args: impl Iterator<Item = String>) -> bool {
    let args = args.map(|arg| if arg == "-O" { "-Copt-level=3".to_owned() } else { arg });
    codegen(args, "opt-level").is_some_and(|level| level.as_deref() != Some("0"))
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
        assert!(asked(&["rustc", "--codegen=overflow-checks=on"]));
        assert!(asked(&["rustc", "--codegen", "overflow_checks"]));
        assert!(!asked(&[
            "rustc",
            "-C",
            "overflow_checks=on",
            "--codegen",
            "overflow-checks=n"
        ]));
        assert!(!asked(&["rustc", "-C", "lto=fat", "overflow-checks=on"]));
    }
}
