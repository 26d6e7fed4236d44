//! The rooms of a crate, its folders and files: each imports only from those on its own floor and below.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors of `macros/src`, the ground first.
const MACROS: &[&[&str]] = &[
    &["error", "groups", "lints", "meaning", "source", "budget", "hir"],
    &["claim", "order"],
    &["lower", "check", "plan"],
    &["derivative"],
    &["emit"],
    &["derive", "kernel"],
    &["lib"],
];

/// The floors of `runtime/src`: what kernels are made of; the host's threads; devices without their backends; parameters and fields;
/// a call; the backends; where all meet.
const RUNTIME: &[&[&str]] = &[
    &[
        "access",
        "collision",
        "complex",
        "element",
        "error",
        "kernel",
        "math",
        "numbers",
        "random",
        "types",
        "versions",
    ],
    &["host"],
    &["device"],
    &["recording"],
    &["parameter"],
    &["field"],
    &["launch"],
    &["expression"],
    &["derivative"],
    &["codegen", "cpu"],
    &["cuda"],
    &["devices", "guide", "lib", "prelude", "rt", "stream"],
];

/// The floors of `distributed/src`: bytes and messages; a world and its transports; grids; fields over grids, arrays in chunks; files.
const DISTRIBUTED: &[&[&str]] = &[
    &["error", "bytes", "exact", "frames"],
    &["transport"],
    &["world"],
    &["collective", "local", "mpi"],
    &["grid", "launch"],
    &["field", "particles", "array"],
    &["file"],
    &["guide", "lib"],
];

/// Rooms of one floor that do not know each other.
const APART: &[&[&str]] = &[
    &["lower", "check", "plan"],
    &["codegen", "cpu"],
    &["field", "particles", "array"],
];

fn sources(crate_name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(crate_name)
        .join("src")
}

/// The files of a room, without its tests.
fn files(of: &Path) -> Vec<PathBuf> {
    let stem = of.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if stem == "tests" || stem.ends_with("_tests") {
        return Vec::new();
    }
    if of.is_file() {
        return vec![of.to_owned()];
    }
    let entries = fs::read_dir(of).expect("a folder");
    entries
        .flat_map(|entry| files(&entry.expect("an entry").path()))
        .collect()
}

/// The name of a room that is a file or a folder of `src`.
fn name(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

/// The rooms that a text names behind `crate::`, braces included, but not in its comments.
fn imports(text: &str) -> BTreeSet<String> {
    let code: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let code = code.join("\n").replace("$crate::", "");
    let names = code.split("crate::").skip(1).flat_map(|rest| {
        let list = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest,
        };
        let several = if rest.starts_with('{') { usize::MAX } else { 1 };
        let name = |part: &str| {
            let name = part.trim().chars();
            name.take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect::<String>()
        };
        list.split(',').take(several).map(name).collect::<Vec<_>>()
    });
    names.collect()
}

fn apart(room: &str, other: &str) -> bool {
    APART
        .iter()
        .any(|rooms| rooms.contains(&room) && rooms.contains(&other))
}

#[track_caller]
fn check(crate_name: &str, floors: &[&[&str]]) {
    let floor = |room: &str| floors.iter().position(|rooms| rooms.contains(&room));
    let mut wrong = Vec::new();
    for entry in fs::read_dir(sources(crate_name)).expect("a folder") {
        let path = entry.expect("an entry").path();
        let room = name(&path);
        if room == "tests" {
            continue;
        }
        let Some(own) = floor(&room) else {
            wrong.push(format!("`{room}` has no floor"));
            continue;
        };
        for file in files(&path) {
            let text = fs::read_to_string(&file).expect("a text");
            for import in imports(&text) {
                let up = floor(&import).is_some_and(|other| other > own);
                if up || room != import && apart(&room, &import) {
                    wrong.push(format!("{} imports `{import}`", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{crate_name}:\n{}", wrong.join("\n"));
}

#[test]
fn rooms_of_the_macros_import_what_is_below_them() {
    check("macros", MACROS);
}

#[test]
fn rooms_of_the_runtime_import_what_is_below_them() {
    check("runtime", RUNTIME);
}

#[test]
fn rooms_of_the_ranks_import_what_is_below_them() {
    check("distributed", DISTRIBUTED);
}

#[test]
fn plans_name_no_token() {
    for file in files(&sources("macros").join("plan")) {
        let text = fs::read_to_string(&file).expect("a text");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            assert!(
                !line.contains("TokenStream") && !line.contains("quote"),
                "{}: {line}",
                file.display()
            );
        }
    }
}

#[test]
fn imports_are_found() {
    let text = "use crate::hir::visit::Visit;\nuse crate::{check, emit::x, order};\n crate::lower::f();\n// crate::no";
    let names: Vec<String> = imports(text).into_iter().collect();
    assert_eq!(names, ["check", "emit", "hir", "lower", "order"]);
}
