//! rustc: which programs it refuses and why, and the rest as a program.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::Value;

use crate::batch::{Batch, Half, owner};
use crate::report::Report;

/// How what is accepted is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Loops in lanes and for each instruction set, looked at in advance.
    Optimised,
    /// As programs under development have them.
    Debug,
}

impl Mode {
    /// In turns: what is optimised is where more can go wrong.
    pub fn of(number: u64) -> Mode {
        if number % 6 == 5 { Mode::Debug } else { Mode::Optimised }
    }

    pub fn name(self) -> &'static str {
        match self {
            Mode::Optimised => "optimised",
            Mode::Debug => "debug",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Mode::Optimised => &["-Copt-level=2", "-Cdebug-assertions=off", "-Coverflow-checks=off"],
            Mode::Debug => &["-Copt-level=0", "-Cdebug-assertions=on", "-Coverflow-checks=off"],
        }
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // What is left takes room and does no harm.
        let _ = std::fs::remove_dir_all(&self.work);
    }
}

/// An error of rustc.
struct Message {
    text: String,
    code: String,
    place: Option<(usize, Half)>,
}

pub struct Compiler {
    /// Where the library is, beside this program.
    libraries: PathBuf,
    work: PathBuf,
}

impl Compiler {
    pub fn find(job: usize) -> Compiler {
        let libraries = crate::folder();
        let work = libraries.join(format!("hostile-{}-{job}", std::process::id()));
        std::fs::create_dir_all(&work).expect("a folder for programs");
        Compiler { libraries, work }
    }

    fn rustc(&self, batch: &Batch) -> Command {
        let source = self.work.join("batch.rs");
        std::fs::write(&source, batch.text()).expect("to write programs");
        let mut command = Command::new("rustc");
        // What the libraries are built with: a sanitizer's, for instance.
        command.args(
            std::env::var("SWATHE_HOSTILE_FLAGS")
                .unwrap_or_default()
                .split_whitespace(),
        );
        command
            .args(["--edition=2024", "--crate-name=batch", "--error-format=json"])
            .arg(source);
        command
            .arg("-L")
            .arg(format!("dependency={}", self.libraries.join("deps").display()));
        for name in ["hostile", "swathe"] {
            let library = self.libraries.join(format!("lib{name}.rlib"));
            command.arg("--extern").arg(format!("{name}={}", library.display()));
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    /// Compiles until no program of the batch has an error, since some errors hide others. Without one there is a program to run, unless
    /// none is left.
    pub fn build(&self, batch: &mut Batch, mode: Mode, report: &Mutex<Report>) -> Result<Option<PathBuf>, String> {
        const ROUNDS: usize = 12;
        let program = self.work.join("batch");
        for _ in 0..ROUNDS {
            if batch.programs.is_empty() {
                return Ok(None);
            }
            let mut command = self.rustc(batch);
            // With an error rustc ends before it makes machine code.
            command
                .args(["--emit=link", "-Ccodegen-units=8", "-Clto=off"])
                .args(mode.flags())
                .arg("-o")
                .arg(&program);
            let output = command.output().map_err(|e| format!("cannot run rustc: {e}"))?;
            if output.status.success() {
                return Ok(Some(program));
            }
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let messages = messages(&text, batch);
            let mut refused: BTreeMap<usize, Vec<&Message>> = BTreeMap::new();
            for message in &messages {
                if let Some((k, _)) = message.place {
                    refused.entry(k).or_default().push(message);
                }
            }
            if refused.is_empty() {
                let last: Vec<&str> = text.lines().rev().take(5).collect();
                return Err(format!(
                    "{}, no program is to blame: {}",
                    output.status,
                    last.join(" / ")
                ));
            }
            let mut report = report.lock().expect("no panic");
            for (k, messages) in refused.iter().rev() {
                let program = batch.programs.remove(*k);
                let of = |half| messages.iter().filter(move |message| message.place == Some((*k, half)));
                let texts = |half| of(half).map(|m| (m.code.clone(), m.text.clone())).collect::<Vec<_>>();
                report.refused(
                    &program,
                    &texts(Half::Kernel),
                    &texts(Half::Plain),
                    &texts(Half::Harness),
                );
            }
        }
        Err("errors without end".into())
    }
}

fn messages(text: &str, batch: &Batch) -> Vec<Message> {
    let lines = batch.lines();
    let errors = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|m| m["level"] == "error");
    errors
        .map(|message| {
            let spans = message["spans"].as_array().cloned().unwrap_or_default();
            let primary = spans.iter().filter(|span| span["is_primary"] == true);
            Message {
                text: message["message"].as_str().unwrap_or_default().to_owned(),
                code: message["code"]["code"].as_str().unwrap_or_default().to_owned(),
                place: primary.chain(&spans).find_map(|span| place(span, &lines)),
            }
        })
        .collect()
}

/// Of a span, or of what it is expanded from.
fn place(span: &Value, lines: &[[usize; 4]]) -> Option<(usize, Half)> {
    if span["file_name"]
        .as_str()
        .is_some_and(|name| name.ends_with("batch.rs"))
    {
        let line = span["line_start"].as_u64()? as usize;
        if let Some(place) = owner(lines, line) {
            return Some(place);
        }
    }
    let from = &span["expansion"]["span"];
    if from.is_null() { None } else { place(from, lines) }
}
