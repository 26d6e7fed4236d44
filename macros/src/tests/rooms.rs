//! The rooms of this crate: each imports only from those below it, and `plan` names no token.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room, and the rooms that it may import.
const ROOMS: [(&str, &[&str]); 12] = [
    ("error", &[]),
    ("groups", &[]),
    ("source", &[]),
    ("hir", &[]),
    ("claim", &["groups", "source"]),
    ("order", &["error", "hir"]),
    ("lower", &["claim", "error", "hir", "order"]),
    ("check", &["error", "hir", "source"]),
    ("plan", &["hir", "order"]),
    ("emit", &["claim", "hir", "lower", "order", "plan"]),
    ("derive", &["error", "groups"]),
    ("kernel", &["check", "emit", "error", "groups", "hir", "lower"]),
];

fn files(of: &Path) -> Vec<PathBuf> {
    if of.is_file() {
        return vec![of.to_owned()];
    }
    let entries = fs::read_dir(of)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| files(&path)).collect()
}

fn room(name: &str) -> PathBuf {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let file = src.join(name).with_extension("rs");
    if file.is_file() { file } else { src.join(name) }
}

/// What follows `crate::` in a text, braces included.
fn imports(text: &str) -> BTreeSet<String> {
    let names = text.split("crate::").skip(1).flat_map(|rest| {
        let list = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest,
        };
        let several = if rest.starts_with('{') { usize::MAX } else { 1 };
        let name = |part: &str| {
            part.trim()
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect::<String>()
        };
        list.split(',').take(several).map(name).collect::<Vec<_>>()
    });
    names
        .filter(|name| ROOMS.iter().any(|(room, _)| room == name))
        .collect()
}

#[test]
fn rooms_import_what_is_below_them() {
    for (name, allowed) in ROOMS {
        for file in files(&room(name)) {
            let text = fs::read_to_string(&file).expect("a text");
            for import in imports(&text) {
                assert!(
                    import == name || allowed.contains(&import.as_str()),
                    "{} imports `{import}`, which `{name}` may not",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn plans_name_no_token() {
    for file in files(&room("plan")) {
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
    let text = "use crate::hir::visit::Visit;\nuse crate::{check, emit::x, order};\n crate::lower::f();";
    let names: Vec<String> = imports(text).into_iter().collect();
    assert_eq!(names, ["check", "emit", "hir", "lower", "order"]);
}
