//! Writes, compiles and runs random programs of hostile users: `cargo xtask fuzz --hostile` builds this and what the programs link to.

mod batch;
mod compile;
mod execute;
mod generate;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use batch::Batch;
use compile::{Compiler, Mode};
use report::Report;

/// Programs of one crate: what a crate costs beside them is a few seconds, and its errors come at once.
const BATCH: u64 = 100;

struct Plan {
    programs: u64,
    seed: u64,
    jobs: usize,
    cuda: bool,
    print: bool,
}

impl Plan {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Plan, String> {
        let mut plan = Plan {
            programs: 1000,
            seed: 1,
            jobs: 2,
            cuda: false,
            print: false,
        };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--cuda" => plan.cuda = true,
                "--print" => plan.print = true,
                "--programs" | "--seed" | "--jobs" => {
                    let text = arguments.next().unwrap_or_default();
                    let number = text
                        .parse()
                        .map_err(|_| format!("`{argument}` takes a number, not `{text}`"))?;
                    match argument.as_str() {
                        "--programs" => plan.programs = number,
                        "--seed" => plan.seed = number,
                        _ => plan.jobs = (number as usize).max(1),
                    }
                }
                other => return Err(format!("unknown option `{other}`")),
            }
        }
        Ok(plan)
    }
}

fn main() -> ExitCode {
    let plan = match Plan::parse(std::env::args().skip(1)) {
        Ok(plan) => plan,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    if plan.print {
        for seed in plan.seed..plan.seed + plan.programs {
            println!("{}", generate::program(seed));
        }
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    let report = Mutex::new(Report::default());
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for job in 0..plan.jobs {
            let (plan, report, next) = (&plan, &report, &next);
            scope.spawn(move || {
                let compiler = Compiler::find(job);
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let first = plan.seed + number * BATCH;
                    let end = (first + BATCH).min(plan.seed + plan.programs);
                    if first >= end {
                        break;
                    }
                    one_batch(&compiler, first..end, Mode::of(first / BATCH), plan.cuda, report);
                    report.lock().expect("no panic").progress(start);
                }
            });
        }
    });
    let report = report.into_inner().expect("no panic");
    report.print(start);
    if report.finds == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn one_batch(compiler: &Compiler, seeds: std::ops::Range<u64>, mode: Mode, cuda: bool, report: &Mutex<Report>) {
    let name = format!("{} to {} ({})", seeds.start, seeds.end - 1, mode.name());
    let mut batch = Batch::new(seeds);
    let say = |text: &dyn Fn(&mut Report)| text(&mut report.lock().expect("no panic"));
    match compiler.build(&mut batch, mode, report) {
        Ok(program) => {
            say(&|report| report.accepted += batch.programs.len() as u64);
            if let Some(program) = program {
                execute::run(&program, &batch, cuda, mode, report);
            }
        }
        Err(why) => say(&|report| report.find(0, "compiler", &format!("seeds {name}: {why}"), "")),
    }
}

/// Where cargo has put this program, and what the others link to.
fn folder() -> PathBuf {
    let program = std::env::current_exe().expect("a path");
    program.parent().expect("a folder").to_owned()
}
