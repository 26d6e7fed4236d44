//! The guide and the other pages: chapters, links, and what they repeat of the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const CHAPTERS: &str = "docs/guide/src";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[track_caller]
fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All pages under a folder.
fn pages_in(folder: &str) -> Vec<String> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(root().join(folder)).expect("a folder") {
        let entry = entry.expect("an entry");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            pages.extend(pages_in(&path));
        } else if path.ends_with(".md") {
            pages.push(path);
        }
    }
    pages
}

/// The lines of a page that are in no block of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        in_code ^= fence;
        !fence && !in_code
    })
}

/// A line without what is between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// What is between backticks.
fn codes(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Where links lead.
fn links(text: &str) -> Vec<String> {
    let lines = prose(text).map(without_code);
    let targets = |line: String| -> Vec<String> {
        let ends = line.split("](").skip(1);
        ends.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()))
            .collect()
    };
    lines.flat_map(targets).collect()
}

/// What headings can be reached by, as GitHub and mdBook make it of their text.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut pages = pages_in("docs");
    pages.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned));
    let mut wrong = Vec::new();
    for page in &pages {
        for link in links(&read(page)) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => root().join(page),
                _ => root().join(page).parent().expect("a folder").join(file),
            };
            if !target.exists() {
                wrong.push(format!("{page}: there is no {file}"));
            } else if !anchor.is_empty() && !anchors(&read(&target)).contains(anchor) {
                wrong.push(format!("{page}: {link} names no heading"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_chapters_are_listed_and_run() {
    let files: BTreeSet<String> = pages_in(CHAPTERS)
        .iter()
        .map(|page| page[CHAPTERS.len() + 1..].to_owned())
        .filter(|name| name != "SUMMARY.md")
        .collect();
    let listed: BTreeSet<String> = links(&read(format!("{CHAPTERS}/SUMMARY.md"))).into_iter().collect();
    assert_eq!(listed, files);
    let mut tests = read("runtime/src/guide.rs") + &read("view/src/lib.rs");
    tests += &read("distributed/src/guide.rs").replace("../../docs/guide/src/", "");
    for file in files {
        let has_code = read(format!("{CHAPTERS}/{file}")).contains("```rust");
        assert_eq!(tests.contains(&format!("\"{file}\"")), has_code, "{file}");
    }
}

/// One text without the lengths of its spaces.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Behind a comment that names a message of the compiler, each paragraph of the block is a part of it.
#[test]
fn messages_are_quoted_as_they_are() {
    let mut quoted = 0;
    for page in pages_in(CHAPTERS) {
        let text = read(&page);
        for part in text.split("<!-- tests/messages/").skip(1) {
            let (file, rest) = part.split_once(" -->\n```text\n").expect("a block behind the comment");
            let message = joined(&read(format!("tests/messages/{file}")));
            let block = rest.split("\n```").next().expect("its text");
            for paragraph in block.split("\n\n") {
                assert!(message.contains(&joined(paragraph)), "{page}: {file}: {paragraph}");
            }
            quoted += 1;
        }
    }
    assert!(quoted > 5);
}

/// The part of a page from this heading to the next.
#[track_caller]
fn section<'t>(text: &'t str, heading: &str) -> &'t str {
    let (_, rest) = text.split_once(&format!("\n{heading}\n")).expect(heading);
    rest.split("\n## ").next().expect("its text")
}

/// The names in the tables of a section, in this column.
fn names(section: &str, column: usize) -> BTreeSet<String> {
    let rows = section.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|row| row.split('|').nth(column + 1));
    let name = |code: &str| {
        code.trim_start_matches("T::")
            .split('(')
            .next()
            .expect("a name")
            .to_owned()
    };
    let all = cells.flat_map(|cell| codes(cell).map(name).collect::<Vec<_>>());
    let is_method = |name: &String| {
        name.chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    all.filter(is_method).collect()
}

/// The words between two texts.
fn between(text: &str, before: &str, after: char) -> BTreeSet<String> {
    let found = text.split(before).skip(1).filter_map(|rest| rest.split_once(after));
    let words = found.map(|(word, _)| word.to_owned());
    words
        .filter(|word| !word.contains(|c: char| !(c.is_alphanumeric() || c == '_')))
        .collect()
}

/// The public functions of sources, without those that kernels call in their place.
fn functions(files: &[&str]) -> BTreeSet<String> {
    let text: String = files
        .iter()
        .map(|file| read(format!("runtime/src/types/{file}.rs")))
        .collect();
    let mut names = between(&text.replace("const fn", "fn"), "pub fn ", '(');
    names.retain(|name| !name.starts_with("__"));
    names
}

#[test]
fn tables_of_methods_are_complete() {
    let page = read(format!("{CHAPTERS}/methods.md"));
    let table = read("runtime/src/math/table.md");
    let mut scalars = between(&table, "| `x.", '(');
    scalars.extend(between(&table, "| `T::", '('));
    assert!(scalars.len() > 50);
    assert_eq!(names(section(&page, "## Methods of scalars"), 1), scalars);

    let vectors = functions(&["vector", "vector_math", "components"]);
    assert_eq!(names(section(&page, "## Methods of vectors"), 1), vectors);
    let matrices = functions(&["matrix", "matrix_math"]);
    assert_eq!(names(section(&page, "## Methods of matrices"), 1), matrices);

    let source = read("runtime/src/complex/methods.rs");
    let complex: BTreeSet<String> = source
        .lines()
        .filter_map(|line| Some(line.trim().split_once(" __func_")?.0.to_owned()))
        .collect();
    assert!(complex.len() > 20);
    assert_eq!(names(section(&page, "## Methods of complex numbers"), 0), complex);

    let source = read("macros/src/lower/call.rs");
    let (_, operations) = source
        .split_once("strip_prefix(\"atomic_\")")
        .expect("the atomic operations");
    let atomics = between(operations, "        \"", '"');
    let atomics: BTreeSet<String> = atomics.iter().map(|name| format!("atomic_{name}")).collect();
    assert!(atomics.len() > 5);
    assert_eq!(names(section(&page, "## Atomic operations"), 0), atomics);
}

/// All sources under a folder but tests.
fn sources_in(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if name.ends_with("tests") {
            continue;
        }
        text += &match path.is_dir() {
            true => sources_in(&path),
            false => fs::read_to_string(&path).unwrap_or_default(),
        };
    }
    text
}

#[test]
fn all_variables_are_listed() {
    let source = sources_in(&root().join("runtime/src"));
    let mut read_here = between(&source, "env::var_os(\"", '"');
    read_here.extend(between(&source, "env::var(\"", '"'));
    // Of the library's own tests.
    read_here.retain(|name| name.starts_with("SWATHE_") && name != "SWATHE_BLESS");
    assert!(read_here.len() > 5);
    let page = read(format!("{CHAPTERS}/speed.md"));
    let rows = section(&page, "## Variables")
        .lines()
        .filter(|line| line.starts_with("| `SWATHE_"));
    let listed: BTreeSet<String> = rows.filter_map(|row| Some(codes(row).next()?.to_owned())).collect();
    assert_eq!(listed, read_here);
}

#[test]
fn plans_and_errors_have_the_names_that_they_have() {
    let words = joined(&read("runtime/src/kernel/plan.rs"));
    let page = read(format!("{CHAPTERS}/speed.md"));
    for row in section(&page, "## Reading plan()")
        .lines()
        .filter(|line| line.starts_with("| `"))
    {
        for part in codes(row).next().expect("what it says").split("..") {
            assert!(words.contains(part.trim()), "no plan says `{part}`");
        }
    }
    let variants = read("runtime/src/error/mod.rs");
    let page = read(format!("{CHAPTERS}/errors.md"));
    for row in section(&page, "## At run time")
        .lines()
        .filter(|line| line.starts_with("| `"))
    {
        for name in codes(row.split('|').nth(1).expect("a cell")) {
            let starts = [format!("\n    {name} {{"), format!("\n    {name}(")];
            assert!(
                starts.iter().any(|start| variants.contains(start)),
                "no error is `{name}`"
            );
        }
    }
}

#[test]
fn links_and_headings_are_found() {
    let text = "# A `b` c-d!\n[x](y.md#z) `[a](b)`\n```sh\n[no](no)\n# no\n```\n## Two, three\n";
    assert_eq!(links(text), ["y.md#z"]);
    assert_eq!(anchors(text), ["a-b-c-d", "two-three"].map(str::to_owned).into());
}
