//! Test programs, run as many at once as there are cores: most of them leave cores idle.

use std::env;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::workspace::{Workspace, announce};

/// These take longer than all others, so they begin first.
const LONGEST: [&str; 7] = [
    "suite_cuda",
    "ui",
    "codegen_suite",
    DOCTESTS,
    "field_operations",
    "agree",
    "examples",
];

const DOCTESTS: &str = "doctests";

/// A program that has not ended by then hangs: it is stopped, so that what it printed is seen and the others are run. The longest takes a fifth of it on two
/// slow cores.
const LIMIT: Duration = Duration::from_secs(25 * 60);

/// A test program, or the doctests.
struct Job {
    name: String,
    /// As cargo announces it; cargo does so itself for doctests.
    title: Option<String>,
    command: Command,
}

/// Builds the tests that `selection` names and runs them all, those of the documentation too. What a program prints goes to `each` line by line when the program
/// has ended. Whether everything compiled, and each program ended well.
pub fn run(
    workspace: &Workspace,
    selection: &[&str],
    give: impl Fn(&mut Command),
    each: impl FnMut(&str) + Send,
) -> io::Result<bool> {
    let mut build = workspace.cargo(&["test"]);
    build.args(selection).arg("--no-run");
    build.arg("--message-format=json-render-diagnostics");
    give(&mut build);
    announce(&build);
    let built = build.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    if !built.status.success() {
        return Ok(false);
    }
    let text = String::from_utf8_lossy(&built.stdout).into_owned();
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut jobs: Vec<Job> = messages.filter_map(|message| program(workspace, &message)).collect();
    if jobs.is_empty() {
        return Err(io::Error::other("no test program is built"));
    }
    let mut doctests = workspace.cargo(&["test"]);
    doctests.args(selection).args(["--doc", "--no-fail-fast"]);
    jobs.push(Job {
        name: DOCTESTS.to_owned(),
        title: None,
        command: doctests,
    });
    let libraries = libraries(workspace)?;
    for job in &mut jobs {
        give(&mut job.command);
        add_libraries(&mut job.command, &libraries)?;
    }
    jobs.sort_by_key(|job| {
        LONGEST
            .iter()
            .position(|name| *name == job.name)
            .unwrap_or(LONGEST.len())
    });
    run_all(jobs, each)
}

/// The program of which a message of cargo's tells that it is built.
fn program(workspace: &Workspace, message: &Value) -> Option<Job> {
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let executable = message["executable"].as_str()?;
    let package = Path::new(message["manifest_path"].as_str()?).parent()?;
    let target = &message["target"];
    let source = Path::new(target["src_path"].as_str()?);
    let source = source.strip_prefix(package).unwrap_or(source).display();
    let of = Path::new(executable);
    let of = of.strip_prefix(&workspace.root).unwrap_or(of).display();
    let what = if target["kind"][0] == "test" { "" } else { "unittests " };
    let mut command = Command::new(executable);
    command.current_dir(package).env("CARGO_MANIFEST_DIR", package);
    Some(Job {
        name: target["name"].as_str()?.to_owned(),
        title: Some(format!("     Running {what}{source} ({of})")),
        command,
    })
}

/// Where programs find libraries of Rust: tests of procedural macros have not got them inside.
fn libraries(workspace: &Workspace) -> io::Result<Vec<PathBuf>> {
    let mut rustc = Command::new("rustc");
    rustc.current_dir(&workspace.root).args(["--print", "target-libdir"]);
    let folder = String::from_utf8_lossy(&rustc.output()?.stdout).trim().into();
    let own = workspace.target.join("debug");
    Ok(vec![own.join("deps"), own, folder])
}

/// Beside those that the command has.
fn add_libraries(command: &mut Command, libraries: &[PathBuf]) -> io::Result<()> {
    const PATH: &str = "LD_LIBRARY_PATH";
    let own = command.get_envs().find(|(name, _)| *name == PATH);
    let before = match own {
        Some((_, value)) => value.map(ToOwned::to_owned),
        None => env::var_os(PATH),
    };
    let before: Vec<PathBuf> = before.iter().flat_map(env::split_paths).collect();
    let all = env::join_paths(libraries.iter().chain(&before)).map_err(io::Error::other)?;
    command.env(PATH, all);
    Ok(())
}

/// Runs all, and tells whether all ended well.
fn run_all(jobs: Vec<Job>, each: impl FnMut(&str) + Send) -> io::Result<bool> {
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    let (queue, each) = (Mutex::new(jobs.into_iter()), Mutex::new(each));
    let work = || -> io::Result<bool> {
        let mut well = true;
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(mut job) = next else { return Ok(well) };
            let (ended, output) = captured(&mut job.command, LIMIT)?;
            well &= ended;
            let mut each = each.lock().unwrap_or_else(PoisonError::into_inner);
            let title = job.title.map(|title| title + "\n").unwrap_or_default();
            io::stdout().write_all(title.as_bytes())?;
            io::stdout().write_all(&output)?;
            let text = title + &String::from_utf8_lossy(&output);
            text.lines().for_each(&mut *each);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_fold(true, |well, worker| {
            let ended = worker.join().map_err(|_| io::Error::other("a thread panicked"))??;
            Ok(well && ended)
        })
    })
}

/// Whether it ended well within the limit, and all that it printed, in order, with the time that it took.
fn captured(command: &mut Command, limit: Duration) -> io::Result<(bool, Vec<u8>)> {
    let (mut reader, writer) = io::pipe()?;
    let begin = Instant::now();
    let start = command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = start.spawn()?;
    // The pipe ends when nobody can write to it.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (sender, parts) = mpsc::channel();
    thread::spawn(move || {
        let mut part = [0; 1 << 12];
        while let Ok(count @ 1..) = reader.read(&mut part) {
            if sender.send(part[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let mut output = Vec::new();
    let ended = loop {
        match parts.recv_timeout(limit.saturating_sub(begin.elapsed())) {
            Ok(part) => output.extend(part),
            Err(RecvTimeoutError::Disconnected) => break child.wait()?.success(),
            Err(RecvTimeoutError::Timeout) => {
                child.kill()?;
                child.wait()?;
                output.extend(format!("\nIt did not end within {} s.", limit.as_secs()).bytes());
                break false;
            }
        }
    };
    output.extend(format!("\n     Took {} s\n", begin.elapsed().as_secs()).bytes());
    Ok((ended, output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_hangs_is_stopped() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo begun; echo told >&2; exec sleep 600"]);
        let (ended, output) = captured(&mut shell, Duration::from_secs(4)).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(
            !ended && output.starts_with("begun\ntold\n\nIt did not end within"),
            "{output}"
        );
        let (ended, output) = captured(Command::new("sh").args(["-c", "echo all"]), LIMIT).unwrap();
        assert!(ended && output.starts_with(b"all\n\n     Took "));
        assert!(!captured(Command::new("sh").args(["-c", "exit 3"]), LIMIT).unwrap().0);
    }
}
