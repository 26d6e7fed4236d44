//! `cargo xtask sanitize`: the suite on the CPU under a detector of data races and one of memory errors.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::checks::step;
use crate::summary::{Outcome, Summary};
use crate::workspace::{Workspace, announce};

pub const HOST: &str = "x86_64-unknown-linux-gnu";
/// Memory that was freed is not kept for others, who would use it rightly.
pub const ADDRESS: &str = "-Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer --cfg swathe_fresh";
/// What ThreadSanitizer exits with after a report.
const RACE: i32 = 66;
/// Tests of native code and of what moves fields' memory, of those that need no CUDA device.
const TESTS: [&str; 7] = [
    "suite_cpu",
    "private_copies",
    "kernels_threads",
    "field_arrays",
    "field_basics",
    "field_launches",
    "field_vectors",
];

pub fn run(workspace: &Workspace, summary: &mut Summary) {
    if !nightly() {
        let text = "needs a nightly toolchain of rustup for x86_64 Linux (`rustup toolchain install nightly`)";
        return summary.step("sanitize", Outcome::Failed, text.into());
    }
    threads(workspace, summary);
    addresses(workspace, summary);
}

fn nightly() -> bool {
    Command::new("rustup")
        .args(["run", "nightly", "rustc", "--print", "sysroot"])
        .output()
        .is_ok_and(|output| {
            let root = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
            let runtime = root
                .join("lib/rustlib")
                .join(HOST)
                .join("lib/librustc-nightly_rt.tsan.a");
            output.status.success() && runtime.exists()
        })
}

/// Every loop is cut, and a program that has a race must be caught before the suite, which has none, counts.
fn threads(workspace: &Workspace, summary: &mut Summary) {
    let folder = workspace.target.join("sanitize/thread");
    let flags =
        "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer --cfg swathe_split --cfg crossbeam_sanitize_thread";
    let build = cargo(
        workspace,
        &["build", "-p", "swathe-tests", "--bin", "suite"],
        flags,
        &folder,
    );
    step("build for ThreadSanitizer", build, summary);
    if summary.failed() {
        return;
    }
    let known = workspace.root.join("tests/thread-sanitizer.txt");
    let suite = |argument: &[&str]| {
        let mut command = Command::new(folder.join(HOST).join("debug/suite"));
        command.args(argument);
        // The standard library's backtraces are behind its own lock.
        command.env("RUST_BACKTRACE", "0");
        command.env("TSAN_OPTIONS", format!("suppressions={}", known.display()));
        command
    };
    let mut race = suite(&["--race"]);
    announce(&race);
    match race.stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Ok(status) if status.code() == Some(RACE) => {
            summary.step("ThreadSanitizer finds a race", Outcome::Ok, "as it should".into());
        }
        Ok(status) => summary.step("ThreadSanitizer finds a race", Outcome::Failed, status.to_string()),
        Err(e) => summary.step("ThreadSanitizer finds a race", Outcome::Failed, e.to_string()),
    }
    step("suite under ThreadSanitizer", suite(&[]), summary);
}

fn addresses(workspace: &Workspace, summary: &mut Summary) {
    let mut arguments = vec!["test", "--no-fail-fast", "-p", "swathe-tests"];
    for test in TESTS {
        arguments.extend(["--test", test]);
    }
    let folder = workspace.target.join("sanitize/address");

    step(
        "tests under AddressSanitizer",
        cargo(workspace, &arguments, ADDRESS, &folder),
        summary,
    );
    let library = ["test", "-p", "swathe", "--lib", "cpu"];
    step(
        "library under AddressSanitizer",
        cargo(workspace, &library, ADDRESS, &folder),
        summary,
    );
}

/// A command of the nightly cargo for this target, with flags of rustc.
pub fn cargo(workspace: &Workspace, arguments: &[&str], flags: &str, folder: &std::path::Path) -> Command {
    let mut command = Command::new("rustup");
    command.current_dir(&workspace.root);
    command
        .args(["run", "nightly", "cargo"])
        .args(arguments)
        .args(["--target", HOST]);
    // What cargo tells of itself to this program is about another toolchain.
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command.env("RUSTFLAGS", flags);
    // A test asks for more memory than there is, and expects an error.
    command.env("ASAN_OPTIONS", "allocator_may_return_null=1");
    command.env("CARGO_TARGET_DIR", folder);
    command
}
