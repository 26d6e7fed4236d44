//! `cargo xtask test`: the set-up, and all tests.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Options;
use crate::lock::Lock;
use crate::mpi::{self, Mpi};
use crate::nvrtc::{self, Nvrtc};
use crate::program::{NVDISASM, PTXAS, Program, Tool};
use crate::programs;
use crate::python::{self, Python};
use crate::summary::{Outcome, Report, Summary};
use crate::workspace::{Workspace, announce};

/// What the tests find in their environment.
#[derive(Default)]
pub struct Tools {
    nvrtc: Option<Nvrtc>,
    programs: Vec<(&'static str, Program)>,
    python: Option<Python>,
}

impl Tools {
    pub fn give(&self, command: &mut Command) {
        if let Some(nvrtc) = &self.nvrtc {
            command.env("SWATHE_NVRTC", &nvrtc.library);
        }
        for (variable, found) in &self.programs {
            command.env(variable, &found.program);
        }
        if let Some(python) = &self.python {
            command
                .env("SWATHE_PYTHON", &python.program)
                .env("SWATHE_REQUIRE_NUMPY", "1");
        }
    }
}

pub fn run(workspace: &Workspace, options: &Options, summary: &mut Summary) {
    let tools = set_up(workspace, options, summary);
    let selection = match &options.cargo_test {
        Some(selection) => return some(workspace, selection, &tools, summary),
        None => "--workspace",
    };
    let mpi = mpi::provide(&workspace.target, !options.no_download);
    let mpi = mpi.map_err(|why| {
        let detail = format!("the tests of ranks that are processes cannot run: {why}");
        summary.step("MPI", Outcome::Missing, detail);
    });
    let mut selection = vec![selection];
    if mpi.is_ok() {
        selection.extend(["--features", "swathe-distributed/mpi"]);
    }
    all(workspace, &selection, &tools, mpi.as_ref().ok(), summary);
    if let Ok(mpi) = mpi {
        mpi.tests(workspace, &selection, &tools, summary);
    }
}

pub fn set_up(workspace: &Workspace, options: &Options, summary: &mut Summary) -> Tools {
    let target = &workspace.target;
    let _lock = match Lock::take(target) {
        Ok(lock) => lock,
        Err(e) => {
            summary.step(
                "set-up",
                Outcome::Failed,
                format!("cannot lock {}: {e}", target.display()),
            );
            return Tools::default();
        }
    };
    // What somebody asked for by name is never silently left out.
    let missing = |variable: &str| match options.require_nvrtc || std::env::var_os(variable).is_some() {
        true => Outcome::Failed,
        false => Outcome::Missing,
    };
    let nvrtc = match nvrtc::provide(target, !options.no_download) {
        Ok(found) => {
            let (major, minor) = found.version;
            summary.step(
                "NVRTC",
                Outcome::Ok,
                format!("{major}.{minor}, {}", found.library.display()),
            );
            Some(found)
        }
        Err(why) => {
            summary.step(
                "NVRTC",
                missing("SWATHE_NVRTC"),
                format!("the tests of CUDA C cannot run: {why}"),
            );
            None
        }
    };
    let mut programs = Vec::new();
    for tool in [PTXAS, NVDISASM] {
        let Tool { name, variable, .. } = tool;
        match tool.provide(target, !options.no_download) {
            Ok(found) => {
                let detail = format!("{}, {}", found.release, found.program.display());
                summary.step(name, Outcome::Ok, detail);
                programs.push((variable, found));
            }
            Err(why) => summary.step(
                name,
                missing(variable),
                format!("the tests of machine code cannot run: {why}"),
            ),
        }
    }
    let python = match python::provide(target, !options.no_download) {
        Ok(found) => {
            let detail = format!("{}, {}", found.version, found.program.display());
            summary.step("NumPy", Outcome::Ok, detail);
            Some(found)
        }
        Err(why) => {
            let outcome = match std::env::var_os("SWATHE_PYTHON") {
                Some(_) => Outcome::Failed,
                None => Outcome::Missing,
            };
            summary.step(
                "NumPy",
                outcome,
                format!("arrays and files are not exchanged with it: {why}"),
            );
            None
        }
    };
    Tools {
        nvrtc,
        programs,
        python,
    }
}

/// All tests, several programs at once.
fn all(workspace: &Workspace, selection: &[&str], tools: &Tools, mpi: Option<&Mpi>, summary: &mut Summary) {
    let give = |command: &mut Command| {
        tools.give(command);
        mpi.iter().for_each(|mpi| mpi.give(command));
    };
    report(summary, |each| programs::run(workspace, selection, give, each));
}

/// What `cargo test` runs with these arguments, as it runs it.
fn some<S: AsRef<OsStr>>(workspace: &Workspace, selection: &[S], tools: &Tools, summary: &mut Summary) {
    let mut command = workspace.cargo(&["test"]);
    command.args(selection);
    tools.give(&mut command);
    announce(&command);
    report(summary, |each| stream(&mut command, each));
}

/// Counts what `run` hands on line by line.
fn report(summary: &mut Summary, run: impl FnOnce(&mut (dyn FnMut(&str) + Send)) -> io::Result<bool>) {
    let start = Instant::now();
    let mut report = Report::default();
    let status = run(&mut |line| report.line(line));
    let seconds = start.elapsed().as_secs();
    let (passed, failed) = report.totals();
    match status {
        Ok(true) if failed == 0 => summary.step("tests", Outcome::Ok, format!("{passed} passed, {seconds} s")),
        Ok(_) if report.targets.is_empty() => summary.step("tests", Outcome::Failed, "they do not compile".to_owned()),
        Ok(_) => summary.step(
            "tests",
            Outcome::Failed,
            format!("{failed} failed, {passed} passed, {seconds} s"),
        ),
        Err(e) => summary.step("tests", Outcome::Failed, format!("cannot run cargo: {e}")),
    }
    summary.report = Some(report);
}

/// Runs a command, shows all that it prints and hands it line by line to `each`, in the order in which it was printed:
/// the names of the test programs come on standard error, their results on standard output.
fn stream(command: &mut Command, mut each: impl FnMut(&str)) -> io::Result<bool> {
    let (reader, writer) = io::pipe()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()?;
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        io::stdout().write_all(&line)?;
        each(&String::from_utf8_lossy(&line));
        line.clear();
    }
    Ok(child.wait()?.success())
}
