//! Runs of a compiled batch: a program that ends the process, or does not end, is the one that was announced last.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::batch::Batch;
use crate::compile::Mode;
use crate::report::Report;

/// No program takes as long.
const LIMIT: Duration = Duration::from_secs(60);

enum End {
    Done,
    Died,
    Late,
}

pub fn run(program: &Path, batch: &Batch, cuda: bool, mode: Mode, report: &Mutex<Report>) {
    let mut first = 0;
    while first < batch.programs.len() {
        let (end, last, how) = run_from(program, batch, first, cuda, mode, report);
        let why = match end {
            End::Done => return,
            End::Died => how,
            End::Late => format!("runs for more than {} s", LIMIT.as_secs()),
        };
        let Some(culprit) = batch.programs.get(last) else {
            return;
        };
        report.lock().expect("no panic").find(
            culprit.seed,
            "ended",
            &format!("{why} ({})", mode.name()),
            culprit.kernel(),
        );
        first = last + 1;
    }
}

fn run_from(
    program: &Path,
    batch: &Batch,
    first: usize,
    cuda: bool,
    mode: Mode,
    report: &Mutex<Report>,
) -> (End, usize, String) {
    let mut command = match cuda {
        true => {
            let mut command = Command::new(crate::folder().join("softcuda"));
            command.arg(program);
            command.env("SWATHE_SOFTCUDA_CXXFLAGS", "-O0").env("SWATHE_CACHE", "0");
            command
        }
        false => Command::new(program),
    };
    command.env("SWATHE_HOSTILE", format!("{first} {}", if cuda { "cuda" } else { "" }));
    let mut child = match command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(e) => return (End::Died, first, format!("cannot run: {e}")),
    };
    let (sender, lines) = channel();
    let out = child.stdout.take();
    let errors = child.stderr.take();
    let reader = std::thread::spawn(move || {
        for line in out
            .into_iter()
            .flat_map(|out| BufReader::new(out).lines())
            .map_while(Result::ok)
        {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let told = std::thread::spawn(move || {
        let all = errors
            .into_iter()
            .flat_map(|out| BufReader::new(out).lines())
            .map_while(Result::ok);
        // What a sanitizer has to say stands above the rest.
        let mut said = String::new();
        for line in all {
            if !said.contains("ERROR: ") {
                said = line;
            }
        }
        said
    });
    let mut last = first;
    let end = loop {
        match lines.recv_timeout(LIMIT) {
            Ok(line) => {
                let mut words = line.splitn(4, ' ');
                let (what, number) = (words.next(), words.next().and_then(|word| word.parse().ok()));
                last = number.unwrap_or(last);
                match what {
                    Some("end") => break End::Done,
                    Some("differs") => {
                        let (_, text) = (words.next(), words.next().unwrap_or_default());
                        let program = &batch.programs[last];
                        let text = format!("{text} ({})", mode.name());
                        report
                            .lock()
                            .expect("no panic")
                            .find(program.seed, "differs", &text, program.kernel());
                    }
                    _ => {}
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                break End::Late;
            }
            Err(RecvTimeoutError::Disconnected) => break End::Died,
        }
    };
    let status = child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
    drop(lines);
    let _ = reader.join();
    let told = told.join().unwrap_or_default();
    (end, last, format!("{status} {told}"))
}
