//! Python, for tests that exchange arrays with its libraries.

use std::process::Command;

/// Python with a module, or `None` after saying that the caller's test is left out.
///
/// The program is `SWATHE_PYTHON`, otherwise `python3`.
///
/// # Panics
/// If it is missing and the variable `require` is set.
#[must_use]
pub fn with(module: &str, require: &str) -> Option<Command> {
    let program = std::env::var_os("SWATHE_PYTHON").unwrap_or_else(|| "python3".into());
    let import = format!("import {module}");
    let found = Command::new(&program).args(["-c", &import]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(Command::new(program));
    }
    let text = format!("{} has no module `{module}`", program.to_string_lossy());
    assert!(std::env::var_os(require).is_none(), "{text}, but {require} is set");
    println!("left out: {text}");
    None
}

/// Runs a program of Python with arguments; returns what it prints.
///
/// # Panics
/// If it fails.
pub fn run(mut python: Command, program: &str, args: &[&std::path::Path]) -> String {
    let output = python.args(["-c", program]).args(args).output().expect("python starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}
