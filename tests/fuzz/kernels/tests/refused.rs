//! Kernels that break the rules are refused, each at its own lines, whatever stands around the violation.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

include!(concat!(env!("OUT_DIR"), "/violations.rs"));

/// A program that rustc has nothing to say against.
const SOUND: &str =
    "use swathe::prelude::*; #[kernel] pub fn one(f: &mut Field<f32>) { for i in f.indices() { f[i] = 1.0; } }";

/// The libraries of this build, of which `swathe` may be there in several versions: newest first.
fn libraries() -> (PathBuf, Vec<PathBuf>) {
    let program = std::env::current_exe().unwrap();
    let folder = program.parent().unwrap().to_owned();
    let mut found: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with("libswathe-") && name.ends_with(".rlib")
        })
        .collect();
    found.sort_by_key(|path| std::cmp::Reverse(path.metadata().and_then(|m| m.modified()).ok()));
    (folder, found)
}

/// Up to types and borrows, without machine code.
fn check(file: &Path, folder: &Path, swathe: &Path) -> Output {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.current_dir(env!("CARGO_MANIFEST_DIR")).arg(file);
    rustc.args([
        "--edition",
        "2024",
        "--crate-type",
        "lib",
        "--emit",
        "metadata",
        "--error-format",
        "short",
    ]);
    rustc
        .args(["--cap-lints", "allow", "-o"])
        .arg(file.with_extension("rmeta"));
    rustc.arg("-L").arg(format!("dependency={}", folder.display()));
    rustc.arg("--extern").arg(format!("swathe={}", swathe.display()));
    rustc.output().unwrap()
}

/// Lines at which rustc reports errors.
fn lines(output: &Output, file: &Path) -> Vec<usize> {
    let name = format!("{}:", file.display());
    let text = String::from_utf8_lossy(&output.stderr);
    let errors = text.lines().filter(|line| line.contains(": error"));
    errors
        .filter_map(|line| line.strip_prefix(&name)?.split(':').next()?.parse().ok())
        .collect()
}

fn all_are_refused(file: &str, table: &[(u64, &str, usize, usize)], text: &str) {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (sound, file) = (place.join(format!("sound_{file}")), place.join(file));
    std::fs::write(&sound, SOUND).unwrap();
    std::fs::write(&file, text).unwrap();
    let (folder, versions) = libraries();
    let swathe = versions
        .iter()
        .find(|version| check(&sound, &folder, version).status.success());
    let output = check(&file, &folder, swathe.expect("a sound kernel compiles"));
    let errors = lines(&output, &file);
    let mut accepted = Vec::new();
    for (seed, what, first, last) in table {
        if !errors.iter().any(|line| (first..=last).contains(&line)) {
            let kernel: Vec<&str> = text.lines().skip(first - 1).take(last + 1 - first).collect();
            println!("seed {seed}: accepted although `{what}`\n{}", kernel.join("\n"));
            accepted.push(seed);
        }
    }
    let elsewhere = errors
        .iter()
        .find(|line| !table.iter().any(|(.., first, last)| (first..=last).contains(line)));
    assert_eq!(elsewhere, None, "an error at a line of no kernel in {}", file.display());
    println!("{} kernels, {} errors", table.len(), errors.len());
    assert!(accepted.is_empty(), "accepted: {accepted:?}");
}

#[test]
fn races() {
    all_are_refused("races.rs", RACES, include_str!(concat!(env!("OUT_DIR"), "/races.rs")));
}

#[test]
fn types() {
    all_are_refused("types.rs", TYPES, include_str!(concat!(env!("OUT_DIR"), "/types.rs")));
}
