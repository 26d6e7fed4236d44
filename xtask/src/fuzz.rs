//! `cargo xtask fuzz`: random kernels, derivatives or expressions in batches, of which one is compiled while the one before runs.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Instant;

use crate::summary::{Outcome, Summary};
use crate::workspace::{Workspace, announce};

/// Kernels of one crate: rustc's time grows with them, and a batch with a difference is repeated as a whole.
const BATCH: u64 = 200;
const PACKAGE: &str = "swathe-fuzz-kernels";

/// How the kernels of a batch are compiled and run.
struct Build {
    name: &'static str,
    /// Settings of the kernels' package.
    profile: &'static [&'static str],
    /// Instruction sets to run with (`SWATHE_CPU`).
    sets: &'static [&'static str],
}

/// In turns: what takes longest comes least often.
const BUILDS: [Build; 4] = [DEBUG, LANES, DEBUG, OPTIMISED];
/// Loops as programs under development have them.
const DEBUG: Build = Build {
    name: "debug",
    profile: &["debug-assertions=true"],
    sets: &["baseline"],
};
/// Loops in lanes and for each instruction set, as they are written.
const LANES: Build = Build {
    name: "lanes",
    profile: &[],
    sets: &["baseline", "avx2", "avx512"],
};
/// The same after LLVM has vectorised them.
const OPTIMISED: Build = Build {
    name: "optimised",
    profile: &["opt-level=2"],
    sets: &["baseline", "avx2", "avx512"],
};

/// What is written at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Kernels,
    /// Kernels with derivatives.
    Gradients,
    /// Expressions over fields.
    Expressions,
}

impl Kind {
    /// Each, with what tells the build script how many.
    const COUNTED: [(Kind, &str); 3] = [
        (Kind::Kernels, "SWATHE_FUZZ_KERNELS"),
        (Kind::Gradients, "SWATHE_FUZZ_GRADIENTS"),
        (Kind::Expressions, "SWATHE_FUZZ_EXPRESSIONS"),
    ];
}

pub struct Plan {
    count: u64,
    kind: Kind,
    seed: u64,
    build: Option<&'static Build>,
}

impl Plan {
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Plan, String> {
        let mut plan = Plan {
            count: 1000,
            kind: Kind::Kernels,
            seed: 1,
            build: None,
        };
        while let Some(argument) = arguments.next() {
            let text = arguments.next().unwrap_or_default();
            let number = match argument.as_str() {
                "--kernels" => {
                    plan.kind = Kind::Kernels;
                    &mut plan.count
                }
                "--gradients" => {
                    plan.kind = Kind::Gradients;
                    &mut plan.count
                }
                "--expressions" => {
                    plan.kind = Kind::Expressions;
                    &mut plan.count
                }
                "--seed" => &mut plan.seed,
                "--build" => {
                    let known = BUILDS.iter().find(|build| build.name == text);
                    plan.build = Some(known.ok_or_else(|| format!("there is no build `{text}`"))?);
                    continue;
                }
                other => return Err(format!("unknown option `{other}`")),
            };
            *number = text
                .parse()
                .map_err(|_| format!("`{argument}` takes a number, not `{text}`"))?;
        }
        Ok(plan)
    }

    fn batches(&self) -> impl Iterator<Item = Batch> {
        let end = self.seed.saturating_add(self.count);
        let seeds = (self.seed..end).step_by(BATCH as usize);
        seeds.zip(BUILDS.iter().cycle()).map(move |(seed, next)| Batch {
            seed,
            count: BATCH.min(end - seed),
            kind: self.kind,
            build: self.build.unwrap_or(next),
        })
    }
}

struct Batch {
    seed: u64,
    count: u64,
    kind: Kind,
    build: &'static Build,
}

/// A batch with the programs that run it, which nothing else overwrites.
struct Built {
    batch: Batch,
    programs: Vec<PathBuf>,
}

#[derive(Default)]
struct Tally {
    same: u64,
    different: Vec<String>,
}

pub fn run(workspace: &Workspace, plan: &Plan, summary: &mut Summary) {
    let (sender, receiver) = sync_channel(1);
    let (tally, broken) = std::thread::scope(|scope| {
        let runner = scope.spawn(|| run_all(workspace, receiver));
        let mut broken = Vec::new();
        for batch in plan.batches() {
            let name = format!(
                "{} to {} ({})",
                batch.seed,
                batch.seed + batch.count - 1,
                batch.build.name
            );
            match build(workspace, batch) {
                Ok(built) => {
                    if sender.send(built).is_err() {
                        break;
                    }
                }
                Err(why) => broken.push(format!("seeds {name}: {why}")),
            }
        }
        drop(sender);
        (runner.join().unwrap_or_default(), broken)
    });
    for why in broken {
        summary.step("fuzz", Outcome::Failed, why);
    }
    let Tally { same, different } = tally;
    if different.is_empty() {
        summary.step("fuzz", Outcome::Ok, format!("{same} seeds do the same everywhere"));
    } else {
        let text = format!("differences, printed above, among the seeds {}", different.join(", "));
        summary.step("fuzz", Outcome::Failed, text);
    }
}

/// Compiles a batch.
fn build(workspace: &Workspace, batch: Batch) -> Result<Built, String> {
    let mut command = workspace.cargo(&["test", "-p", PACKAGE, "--no-run"]);
    command.arg("--message-format=json-render-diagnostics");
    for setting in batch.build.profile {
        command.args(["--config", &format!("profile.dev.package.{PACKAGE}.{setting}")]);
    }
    command.env("SWATHE_FUZZ_SEED", batch.seed.to_string());
    for (kind, variable) in Kind::COUNTED {
        let count = if kind == batch.kind { batch.count } else { 0 };
        command.env(variable, count.to_string());
    }
    announce(&command);
    let failed = |e: std::io::Error| format!("cannot run cargo: {e}");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut programs = Vec::new();
    for line in child
        .stdout
        .take()
        .into_iter()
        .flat_map(|out| BufReader::new(out).lines())
    {
        let line = line.map_err(failed)?;
        let message: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
        if let Some(program) = message["executable"].as_str() {
            let kept = PathBuf::from(format!("{program}.{}", batch.seed));
            std::fs::copy(program, &kept).map_err(failed)?;
            programs.push(kept);
        }
    }
    match child.wait().map_err(failed)?.success() {
        true => Ok(Built { batch, programs }),
        false => Err("what was written does not compile".to_owned()),
    }
}

fn run_all(workspace: &Workspace, batches: Receiver<Built>) -> Tally {
    let mut tally = Tally::default();
    let cache = workspace.target.join("fuzz-cache");
    for Built { batch, programs } in batches {
        let (start, mut same) = (Instant::now(), true);
        for program in &programs {
            // One of them knows no device, and so no instruction set.
            let refused = program
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("refused"));
            let sets = if refused {
                &batch.build.sets[..1]
            } else {
                batch.build.sets
            };
            for set in sets {
                same &= run_once(program, set, &cache);
            }
            let _ = std::fs::remove_file(program);
        }
        let _ = std::fs::remove_dir_all(&cache);
        let last = batch.seed + batch.count - 1;
        let name = format!("{} to {last} ({})", batch.seed, batch.build.name);
        eprintln!("seeds {name}: {} s", start.elapsed().as_secs());
        match same {
            true => tally.same += batch.count,
            false => tally.different.push(name),
        }
    }
    tally
}

fn run_once(program: &Path, set: &str, cache: &Path) -> bool {
    let mut command = Command::new(program);
    command.arg("--nocapture").env("SWATHE_CPU", set);
    // What the host's compiler makes of CUDA C runs once.
    command
        .env("SWATHE_SOFTCUDA_CXXFLAGS", "-O0")
        .env("SWATHE_SOFTCUDA_CACHE", cache);
    if set != "baseline" {
        // The device does not depend on the processor's instructions.
        command.env("SWATHE_FUZZ_DEVICE", "cpu");
    }
    announce(&command);
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Plan, String> {
        Plan::parse(line.split_whitespace().map(String::from))
    }

    #[test]
    fn batches_cover_all_seeds_once() {
        let batches = |line: &str| -> Vec<(u64, u64, &str)> {
            let plan = parse(line).unwrap();
            plan.batches().map(|b| (b.seed, b.count, b.build.name)).collect()
        };
        for (option, kind) in [
            ("--gradients 5", Kind::Gradients),
            ("--expressions 5", Kind::Expressions),
        ] {
            assert!(parse(option).unwrap().batches().all(|b| b.kind == kind && b.count == 5));
        }
        let expected = [(7, 200, "debug"), (207, 200, "lanes"), (407, 1, "debug")];
        assert_eq!(batches("--seed 7 --kernels 401"), expected);
        assert_eq!(batches("--kernels 3 --build optimised"), [(1, 3, "optimised")]);
        assert_eq!(batches("--kernels 0"), []);
    }

    #[test]
    fn a_number_is_asked_for() {
        assert_eq!(parse("--seed x").err().unwrap(), "`--seed` takes a number, not `x`");
        assert_eq!(parse("--build x").err().unwrap(), "there is no build `x`");
    }
}
