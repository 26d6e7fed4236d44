//! `cargo xtask gallery`: runs the examples and writes a page of their pictures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use crate::examples::{EXAMPLES, Example, Pictures};
use crate::summary::{Outcome, Summary};
use crate::workspace::{Workspace, announce};

/// Lines of a kernel that a page quotes.
const QUOTED: usize = 14;

/// The page of the repository, and how to write it anew.
const PAGE: &str = "docs/gallery.md";
const BLESS: &str = "SWATHE_BLESS=1 cargo test -p xtask";

/// Runs every example that makes pictures, in release and without a window, and writes `gallery/index.md` of the target folder.
pub fn run(workspace: &Workspace, summary: &mut Summary) {
    match write(workspace) {
        Ok(text) => summary.step("gallery", Outcome::Ok, text),
        Err(why) => summary.step("gallery", Outcome::Failed, why),
    }
}

fn write(workspace: &Workspace) -> Result<String, String> {
    let mut build = workspace.cargo(&["build", "--release", "-p", "swathe-examples", "--examples"]);
    announce(&build);
    let status = build.status().map_err(|e| format!("cannot run cargo: {e}"))?;
    if !status.success() {
        return Err("the examples do not compile".to_owned());
    }
    let folder = workspace.target.join("gallery");
    let io = |what: &Path, e: std::io::Error| format!("{}: {e}", what.display());
    fs::create_dir_all(&folder).map_err(|e| io(&folder, e))?;
    let mut page = String::from("# Gallery\n");
    let mut count = 0;
    for example in &EXAMPLES {
        let Some(Pictures { quick: options, .. }) = &example.pictures else {
            continue;
        };
        let frames = folder.join(example.name);
        let program = workspace.target.join("release/examples").join(example.name);
        let mut command = std::process::Command::new(&program);
        command
            .args(options.split_whitespace())
            .arg("--no-gif")
            .arg("--out")
            .arg(&frames);
        announce(&command);
        let start = Instant::now();
        let output = command.stderr(Stdio::inherit()).output().map_err(|e| io(&program, e))?;
        let seconds = start.elapsed().as_secs_f64();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        print!("{said}");
        if !output.status.success() {
            return Err(format!("{}: {}", example.name, output.status));
        }
        let frames = frames_in(&frames)?;
        let last = frames.last().ok_or(format!("{}: no pictures", example.name))?;
        let picture = format!("{}.png", example.name);
        fs::copy(last, folder.join(&picture)).map_err(|e| io(last, e))?;
        let time = 1e3 * seconds / frames.len() as f64;
        let sources = format!("{}/", workspace.root.display());
        page += &entry(&workspace.root, example, &picture, options, &sources)?;
        page += &format!(
            "\n{time:.0} ms a frame, all in all; it says:\n\n```text\n{}\n```\n",
            said.trim_end()
        );
        count += 1;
    }
    let index = folder.join("index.md");
    fs::write(&index, page).map_err(|e| io(&index, e))?;
    let (text, expected) = committed(&workspace.root)?;
    let stale = if text == expected {
        String::new()
    } else {
        format!("; {PAGE} is stale: {BLESS}")
    };
    Ok(format!("{count} examples: {}{stale}", index.display()))
}

/// The page of the repository as it is, and as it should be: the text in front of the examples is written by hand, the rest is
/// made of the list and of the sources.
fn committed(root: &Path) -> Result<(String, String), String> {
    let text = fs::read_to_string(root.join(PAGE)).map_err(|e| format!("{PAGE}: {e}"))?;
    let mut expected = text.split("\n## ").next().unwrap_or_default().to_owned();
    for example in &EXAMPLES {
        let Some(Pictures { shown, .. }) = &example.pictures else {
            continue;
        };
        let moving = format!("images/{}.gif", example.name);
        let picture = match root.join("docs").join(&moving).exists() {
            true => moving,
            false => format!("images/{}.png", example.name),
        };
        expected += &entry(root, example, &picture, shown, "../")?;
    }
    Ok((text, expected))
}

/// The frames in a folder, in their order.
fn frames_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let is_frame = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("frame_"))
    };
    paths.retain(is_frame);
    paths.sort();
    Ok(paths)
}

/// What a page says of an example: picture, command, first lines of a kernel. `sources` leads to the repository's root.
fn entry(root: &Path, example: &Example, picture: &str, options: &str, sources: &str) -> Result<String, String> {
    let (kernel, file) = example.kernel;
    let file = format!("examples/examples/{file}");
    let text = fs::read_to_string(root.join(&file)).map_err(|e| format!("{file}: {e}"))?;
    let quoted = first_lines(&text, kernel).ok_or(format!("{file} has no kernel `{kernel}`"))?;
    let options = if options.is_empty() {
        String::new()
    } else {
        format!(" -- {options}")
    };
    Ok(format!(
        "\n## {0}\n\n{1}\n\n![{1}]({picture})\n\n```sh\ncargo run --release --example {0}{options}\n```\n\nFrom [{file}]({sources}{file}):\n\n\
         ```rust,ignore\n{quoted}```\n",
        example.name, example.shows
    ))
}

/// The first lines of a kernel, from its attribute on.
fn first_lines(text: &str, kernel: &str) -> Option<String> {
    let name = [format!("fn {kernel}("), format!("fn {kernel}<")];
    let lines: Vec<&str> = text.lines().collect();
    let at = lines
        .iter()
        .position(|line| name.iter().any(|name| line.contains(name)))?;
    let attribute = (0..at).rev().find(|k| lines[*k].starts_with("#[kernel"))?;
    let end = (at..lines.len()).find(|k| lines[*k] == "}")?;
    let cut = end - attribute >= QUOTED;
    let shown = &lines[attribute..=if cut { attribute + QUOTED - 1 } else { end }];
    let mut quoted = shown.join("\n") + "\n";
    if cut {
        quoted += "    // ..\n";
    }
    Some(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn the_page_is_that_of_the_list() {
        let path = root().join(PAGE);
        let (text, expected) = committed(&root()).unwrap();
        if std::env::var_os("SWATHE_BLESS").is_some() {
            return fs::write(path, expected).unwrap();
        }
        assert!(text == expected, "{PAGE} is stale: {BLESS}");
    }

    /// But those that need a feature.
    #[test]
    fn all_examples_are_listed() {
        let entries = fs::read_dir(root().join("examples/examples")).unwrap();
        let names = entries.map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        });
        let mut names: BTreeSet<String> = names.collect();
        let manifest = fs::read_to_string(root().join("examples/Cargo.toml")).unwrap();
        names.retain(|name| !manifest.contains(&format!("[[example]]\nname = \"{name}\"\nrequired-features")));
        let listed: BTreeSet<String> = EXAMPLES.iter().map(|example| example.name.to_owned()).collect();
        assert_eq!(listed, names);
    }

    #[test]
    fn kernels_are_quoted_from_their_attribute_on() {
        let text = "#[kernel]\nfn a() {\n}\n\n/// B.\n#[kernel(strict)]\npub fn b<T>(\n    x: T,\n) {\n}\n";
        assert_eq!(
            first_lines(text, "b").unwrap(),
            "#[kernel(strict)]\npub fn b<T>(\n    x: T,\n) {\n}\n"
        );
        assert_eq!(first_lines(text, "c"), None);
        let long = format!("#[kernel]\nfn a() {{\n{}}}\n", "    x();\n".repeat(20));
        let quoted = first_lines(&long, "a").unwrap();
        assert_eq!(quoted.lines().count(), QUOTED + 1);
        assert!(quoted.ends_with("    x();\n    // ..\n"));
    }

    /// All pictures of the repository, in bytes.
    #[test]
    fn media_stay_small() {
        fn size(folder: &Path) -> u64 {
            let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
            entries
                .map(|entry| match entry.path() {
                    path if path.is_dir() => size(&path),
                    path if path.extension().is_some_and(|e| e == "png" || e == "gif" || e == "svg") => {
                        path.metadata().unwrap().len()
                    }
                    _ => 0,
                })
                .sum()
        }
        let all = size(&root().join("docs")) + size(&root().join("benches/results"));
        assert!(all < 15 << 20, "{all} bytes");
    }
}
