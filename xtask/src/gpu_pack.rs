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
/// What the archive may take: machines are sent little.
const MOST: u64 = 40 << 20;

/// Packages whose test programs are packed, and their folders.
const TESTED: [(&str, &str); 3] = [
    ("swathe-tests", "tests"),
    ("swathe-fuzz-kernels", "tests/fuzz/kernels"),
    ("swathe-distributed", "distributed"),
];

/// Test programs that stay here, and why.
const LEFT_OUT: [(&str, &str); 19] = [
    ("mpi", "needs an MPI"),
    ("refused", "calls rustc"),
    ("ui", "calls rustc"),
    ("checks", CPU),
    ("codegen_kernels", TEXT),
    ("codegen_library", TEXT),
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
    write("probes.py", include_str!("gpu_pack/probes.py"))?;
    write("glibc.txt", &format!("{}.{}\n", glibc.0, glibc.1))?;
    let suite = workspace.root.join("tests/src/suite/mod.rs");
    let topics = topics(&fs::read_to_string(&suite).map_err(|e| io(&suite, e))?);
    write("programs.json", &format!("{:#}\n", built.list(workspace, &topics)))?;
    executable(&folder.join("run.sh"))?;
    let count = built.tests.len() + built.examples.len() + built.programs.len();
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let archive = archive(workspace)?;
    if archive > MOST {
        return Err(format!("{:.1} MiB, more than {:.0} MiB", mib(archive), mib(MOST)));
    }
    Ok(format!(
        "{count} programs, {:.1} MiB, glibc {}.{} or newer: {FOLDER}/run.sh; as {FOLDER}.tar.xz {:.1} MiB",
        mib(size),
        glibc.0,
        glibc.1,
        mib(archive)
    ))
}

/// Packs the folder, and says how many bytes it takes. The programs share much of their text, so the dictionary is as large as all of them.
fn archive(workspace: &Workspace) -> Result<u64, String> {
    let path = workspace.root.join(format!("{FOLDER}.tar.xz"));
    let mut command = Command::new("tar");
    command
        .current_dir(&workspace.root)
        .arg("--create")
        .arg("--file")
        .arg(&path);
    command.args([
        "--use-compress-program",
        "xz --x86 --lzma2=preset=4,dict=384MiB",
        FOLDER,
    ]);
    announce(&command);
    match command.status() {
        Ok(status) if status.success() => fs::metadata(&path)
            .map(|data| data.len())
            .map_err(|e| format!("{}: {e}", path.display())),
        Ok(status) => Err(format!("tar: {status}")),
        Err(e) => Err(format!("cannot run tar: {e}")),
    }
}

/// Programs by name.
#[derive(Default)]
struct Built {
    tests: BTreeMap<String, PathBuf>,
    examples: BTreeMap<String, PathBuf>,
    programs: BTreeMap<String, PathBuf>,
}

fn build(workspace: &Workspace) -> Result<Built, String> {
    let mut built = Built::default();
    let mut programs = command(workspace, "build");
    programs.args(["-p", "swathe-examples", "--examples", "-p", "swathe-benches", "--bins"]);
    for (package, folder) in TESTED {
        programs.args(["-p", package]);
        for name in test_names(&workspace.root.join(folder))? {
            programs.args(["--test", &name]);
        }
    }
    // Random kernels, other ones than those that the tests run.
    programs
        .env("SWATHE_FUZZ_SEED", "700000")
        .env("SWATHE_FUZZ_KERNELS", "100");
    programs.env("SWATHE_FUZZ_GRADIENTS", "40");
    built.take_all(programs)?;
    let mut view = command(workspace, "test");
    view.args(["--no-run", "-p", "swathe-view", "--lib"]);
    built.take_all(view)?;
    match built.tests.is_empty() || built.examples.is_empty() || built.programs.is_empty() {
        true => Err("cargo named no programs".to_owned()),
        false => Ok(built),
    }
}

fn command(workspace: &Workspace, verb: &str) -> Command {
    workspace.cargo(&[
        verb,
        "--profile",
        PROFILE,
        "--message-format",
        "json-render-diagnostics",
    ])
}

/// The test programs of a package that are packed.
fn test_names(package: &Path) -> Result<Vec<String>, String> {
    let folder = package.join("tests");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let programs = paths.filter(|path| path.is_file() || path.join("main.rs").exists());
    let names = programs.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    Ok(names.filter(|name| !is_left_out(name)).collect())
}

fn is_left_out(name: &str) -> bool {
    LEFT_OUT.iter().any(|(left_out, _)| *left_out == name)
}

impl Built {
    /// The programs that cargo builds.
    fn take_all(&mut self, mut command: Command) -> Result<(), String> {
        announce(&command);
        let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let output = output.map_err(|e| format!("cannot run cargo: {e}"))?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            self.take(&serde_json::from_str(line).unwrap_or_default());
        }
        match output.status.success() {
            true => Ok(()),
            false => Err("it does not compile".to_owned()),
        }
    }

    /// A program that one of cargo's messages tells of.
    fn take(&mut self, message: &Value) {
        let (Some(path), Some(name)) = (message["executable"].as_str(), message["target"]["name"].as_str()) else {
            return;
        };
        let of = |package: &str| message["package_id"].as_str().is_some_and(|id| id.contains(package));
        let tested = TESTED.iter().any(|(_, folder)| of(&format!("/{folder}#")));
        let list = match message["target"]["kind"][0].as_str() {
            Some("test") if tested && !is_left_out(name) => &mut self.tests,
            Some("lib") if of("/view#") && message["profile"]["test"] == true => &mut self.tests,
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
            ("tests/fuzz/kernels", "test", "agree"),
            ("tests/fuzz/kernels", "test", "refused"),
            ("tests/software-cuda", "bin", "softcuda"),
            ("examples", "example", "nbody"),
            ("benches", "bin", "swathe-benches"),
            ("benches", "test", "smoke"),
        ] {
            built.take(&message(package, kind, name));
        }
        let names = |list: &BTreeMap<String, PathBuf>| list.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&built.tests), ["agree", "suite_cuda"]);
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
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut found = Vec::new();
        let folders = TESTED.map(|(_, folder)| fs::read_dir(root.join(folder).join("tests")).unwrap());
        for entry in folders.into_iter().flatten() {
            let path = entry.unwrap().path();
            let program = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let file = if path.is_dir() { path.join("main.rs") } else { path };
            let Ok(text) = fs::read_to_string(file) else { continue };
            if is_left_out(&program) {
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
        for file in ["run.py", "probes.py"] {
            check(
                "python3",
                &["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())"],
                file,
            );
        }
    }
}
