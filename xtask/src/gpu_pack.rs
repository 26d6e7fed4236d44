//! `cargo xtask gpu-pack`: the tests, the examples and the benchmarks as programs for a machine with a GPU, which needs
//! neither Rust nor this repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::examples::EXAMPLES;
use crate::summary::{Outcome, Summary};
use crate::workspace::{Workspace, announce};

const FOLDER: &str = "gpu-pack";
const PROFILE: &str = "gpu-pack";
/// What the pack may take of a disk. Packed by zstd it is a ninth of that.
const MOST: u64 = 300 << 20;

/// Test programs that stay here, and why.
const LEFT_OUT: [(&str, &str); 18] = [
    ("ui", "calls rustc"),
    ("checks", CPU),
    ("codegen_kernels", TEXT),
    ("codegen_library", TEXT),
    ("codegen_quality", TEXT),
    ("codegen_suite", TEXT),
    ("codegen_text", TEXT),
    ("cuda_faults", "the faults are those of the software device"),
    ("cuda_launch_cost", "counts the software device's calls"),
    ("device_kernels", CPU),
    ("field_python", "needs a library from the build folder"),
    ("hoisted", CPU),
    ("hygiene", CPU),
    ("kernels_macros", CPU),
    ("kernels_threads", CPU),
    ("other_crate", CPU),
    ("private_copies", CPU),
    ("suite_cpu", CPU),
];
const TEXT: &str = "looks at CUDA C, which needs no GPU, with compilers and files of the machine that builds it";
const CPU: &str = "runs on the CPU alone";

/// Tests of other programs that stay here, and why.
const SKIPPED: [(&str, &str, &str); 3] = [
    (
        "cuda_device",
        "elsewhere_errors_say_what_is_missing",
        "drivers and devices that it asks for are those of the software device",
    ),
    (
        "cuda_device",
        "elsewhere_kernels_are_compiled",
        "compilers that it asks for are those of the software device",
    ),
    ("examples", "registers::kernels_stay_in_registers", TEXT),
];

/// Workloads of the benchmarks that a sanitizer has something to look for in.
const WORKLOADS: [&str; 13] = [
    "saxpy",
    "jacobi2d",
    "nbody",
    "mpm2d",
    "sum",
    "dot",
    "mandelbrot",
    "histogram",
    "mat3",
    "sph",
    "lattice_boltzmann",
    "ray_marching",
    "spmv",
];

pub fn run(workspace: &Workspace, summary: &mut Summary) {
    let start = Instant::now();
    match pack(workspace) {
        Ok(text) => summary.step(FOLDER, Outcome::Ok, format!("{text}, {} s", start.elapsed().as_secs())),
        Err(why) => summary.step(FOLDER, Outcome::Failed, why),
    }
}

fn pack(workspace: &Workspace) -> Result<String, String> {
    let built = build(workspace)?;
    let folder = workspace.root.join(FOLDER);
    let bin = folder.join("bin");
    let io = |what: &Path, e: std::io::Error| format!("{}: {e}", what.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| io(&folder, e))?;
    }
    fs::create_dir_all(&bin).map_err(|e| io(&bin, e))?;
    let (mut size, mut glibc) = (0, (0, 0));
    for (name, program) in built.tests.iter().chain(&built.examples).chain(&built.programs) {
        let bytes = fs::read(program).map_err(|e| io(program, e))?;
        size += bytes.len() as u64;
        glibc = glibc.max(glibc_of(&bytes));
        fs::copy(program, bin.join(name)).map_err(|e| io(&bin.join(name), e))?;
    }
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).map_err(|e| io(&folder.join(name), e));
    write("run.sh", include_str!("gpu_pack/run.sh"))?;
    write("run.py", include_str!("gpu_pack/run.py"))?;
    write("glibc.txt", &format!("{}.{}\n", glibc.0, glibc.1))?;
    let suite = workspace.root.join("tests/src/suite/mod.rs");
    let topics = topics(&fs::read_to_string(&suite).map_err(|e| io(&suite, e))?);
    write("programs.json", &format!("{:#}\n", built.list(workspace, &topics)))?;
    executable(&folder.join("run.sh"))?;
    if size > MOST {
        return Err(format!("{} MiB, more than {} MiB", size >> 20, MOST >> 20));
    }
    let count = built.tests.len() + built.examples.len() + built.programs.len();
    let mib = size as f64 / f64::from(1 << 20);
    Ok(format!(
        "{count} programs, {mib:.1} MiB, glibc {}.{} or newer: {FOLDER}/run.sh",
        glibc.0, glibc.1
    ))
}

/// Programs by name.
#[derive(Default)]
struct Built {
    tests: BTreeMap<String, PathBuf>,
    examples: BTreeMap<String, PathBuf>,
    programs: BTreeMap<String, PathBuf>,
}

fn build(workspace: &Workspace) -> Result<Built, String> {
    let mut command = workspace.cargo(&[
        "build",
        "--profile",
        PROFILE,
        "--message-format",
        "json-render-diagnostics",
    ]);
    command.args(["-p", "swathe-tests", "--tests", "-p", "swathe-examples", "--examples"]);
    command.args(["-p", "swathe-benches", "--bins"]);
    announce(&command);
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| format!("cannot run cargo: {e}"))?;
    if !output.status.success() {
        return Err("it does not compile".to_owned());
    }
    let mut built = Built::default();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        built.take(&message);
    }
    match built.tests.is_empty() || built.examples.is_empty() || built.programs.is_empty() {
        true => Err("cargo named no programs".to_owned()),
        false => Ok(built),
    }
}

impl Built {
    /// A program that one of cargo's messages tells of.
    fn take(&mut self, message: &Value) {
        let (Some(path), Some(name)) = (message["executable"].as_str(), message["target"]["name"].as_str()) else {
            return;
        };
        let of = |package: &str| message["package_id"].as_str().is_some_and(|id| id.contains(package));
        let list = match message["target"]["kind"][0].as_str() {
            Some("test") if of("/tests#") && LEFT_OUT.iter().all(|(left_out, _)| *left_out != name) => &mut self.tests,
            Some("example") if of("/examples#") => &mut self.examples,
            Some("bin") if of("/benches#") && message["profile"]["test"] == false => &mut self.programs,
            _ => return,
        };
        list.insert(name.to_owned(), path.into());
    }

    /// Options of small runs, and whether there are pictures.
    fn examples(&self) -> BTreeMap<&str, Value> {
        let built = EXAMPLES
            .iter()
            .filter(|example| self.examples.contains_key(example.name));
        built
            .map(|example| {
                (
                    example.name,
                    json!({ "small": example.small, "pictures": example.pictures.is_some() }),
                )
            })
            .collect()
    }

    /// What the script reads.
    fn list(&self, workspace: &Workspace, topics: &[String]) -> Value {
        let skips = |name: &str| -> Vec<&str> {
            let of_program = SKIPPED.iter().filter(|(program, ..)| *program == name);
            of_program.map(|(_, test, _)| *test).collect()
        };
        let tests: BTreeMap<&String, Value> = self
            .tests
            .keys()
            .map(|name| (name, json!({ "skip": skips(name) })))
            .collect();
        let whole = LEFT_OUT.iter().map(|(name, why)| ((*name).to_owned(), *why));
        let single = SKIPPED
            .iter()
            .map(|(program, test, why)| (format!("{program}: {test}"), *why));
        json!({
            "revision": revision(workspace),
            "tests": tests,
            "topics": topics,
            "examples": self.examples(),
            "workloads": WORKLOADS,
            "left_out": whole.chain(single).collect::<BTreeMap<String, &str>>(),
        })
    }
}

/// The topics of the suite, by the table of them: `("loops", loops::check, ..)`.
fn topics(suite: &str) -> Vec<String> {
    let rows = suite.lines().filter_map(|line| line.trim().strip_prefix("(\""));
    let names = rows.filter_map(|row| row.split_once("\", "));
    let topics = names.filter(|(name, rest)| rest.starts_with(&format!("{name}::check,")));
    topics.map(|(name, _)| name.to_owned()).collect()
}

fn revision(workspace: &Workspace) -> String {
    let mut command = Command::new("git");
    command
        .args(["describe", "--always", "--dirty"])
        .current_dir(&workspace.root);
    let output = command.stderr(Stdio::null()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.ok()
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| "unknown".to_owned())
}

/// The newest glibc whose symbols a program names: `GLIBC_2.34`.
fn glibc_of(program: &[u8]) -> (u32, u32) {
    let mark = b"GLIBC_";
    let versions = program
        .windows(mark.len())
        .enumerate()
        .filter(|(_, window)| window == mark);
    let version = |at: usize| -> Option<(u32, u32)> {
        let rest = &program[at + mark.len()..];
        let end = rest.iter().position(|b| !(b.is_ascii_digit() || *b == b'.'))?;
        let (major, minor) = std::str::from_utf8(&rest[..end]).ok()?.split_once('.')?;
        Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
    };
    versions.filter_map(|(at, _)| version(at)).max().unwrap_or_default()
}

#[cfg(unix)]
fn executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(not(unix))]
fn executable(_path: &Path) -> Result<(), String> {
    Err("the pack is for Linux".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_glibc_is_found() {
        let program = b"\x7fELF\0GLIBC_2.4\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE\0GLIBC_";
        assert_eq!(glibc_of(program), (2, 34));
        assert_eq!(glibc_of(b"static"), (0, 0));
    }

    #[test]
    fn programs_are_taken_by_package_and_kind() {
        let message = |package: &str, kind: &str, name: &str| {
            json!({
                "package_id": format!("path+file:///x/{package}#some-name@0.1.0"), "executable": "/t/p",
                "target": { "kind": [kind], "name": name }, "profile": { "test": kind == "test" },
            })
        };
        let mut built = Built::default();
        for (package, kind, name) in [
            ("tests", "test", "suite_cuda"),
            ("tests", "test", "ui"),
            ("tests/software-cuda", "bin", "softcuda"),
            ("examples", "example", "nbody"),
            ("benches", "bin", "swathe-benches"),
            ("benches", "test", "smoke"),
        ] {
            built.take(&message(package, kind, name));
        }
        let names = |list: &BTreeMap<String, PathBuf>| list.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&built.tests), ["suite_cuda"]);
        assert_eq!(names(&built.examples), ["nbody"]);
        assert_eq!(names(&built.programs), ["swathe-benches"]);
    }

    #[test]
    fn topics_are_found() {
        let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/src/suite/mod.rs");
        let text = fs::read_to_string(suite).unwrap();
        let topics = topics(&text);
        assert_eq!(topics.len(), text.matches("::check, ").count());
        assert!(topics.iter().any(|topic| topic == "loops"), "{topics:?}");
    }

    /// On a GPU machine there is none.
    #[test]
    fn packed_tests_do_without_the_software_device() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/tests");
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let program = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let file = if path.is_dir() { path.join("main.rs") } else { path };
            let Ok(text) = fs::read_to_string(file) else { continue };
            if LEFT_OUT.iter().any(|(left_out, _)| *left_out == program) {
                continue;
            }
            let (mut function, mut before) = ("", "");
            for line in text.lines().map(str::trim) {
                if let Some(name) = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next()) {
                    function = name;
                }
                if line == "harness::enter();" && !before.contains("SWATHE_TEST_GPU") {
                    found.push((program.clone(), function.to_owned()));
                }
                before = line;
            }
        }
        found.sort();
        let skipped = SKIPPED.iter().filter(|(.., why)| *why != TEXT);
        let mut skipped: Vec<_> = skipped
            .map(|(program, test, _)| ((*program).to_owned(), (*test).to_owned()))
            .collect();
        skipped.sort();
        assert_eq!(found, skipped);
    }

    /// Where there is a shell.
    #[test]
    fn the_scripts_are_whole() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu_pack");
        let check = |program: &str, arguments: &[&str], file: &str| {
            let status = Command::new(program).args(arguments).arg(folder.join(file)).status();
            if let Ok(status) = status {
                assert!(status.success(), "{file}");
            }
        };
        check("bash", &["-n"], "run.sh");
        check(
            "python3",
            &["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())"],
            "run.py",
        );
    }
}
