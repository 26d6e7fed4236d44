//! `cargo xtask fuzz`: random kernels, in batches that are compiled and run one after the other.

use crate::summary::{Outcome, Summary};
use crate::workspace::{Workspace, announce};

/// Kernels of one crate: rustc's time grows with them, and a batch with a difference is repeated as a whole.
const BATCH: u64 = 300;

pub struct Plan {
    kernels: u64,
    seed: u64,
}

impl Plan {
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Plan, String> {
        let mut plan = Plan { kernels: 1000, seed: 1 };
        while let Some(argument) = arguments.next() {
            let number = match argument.as_str() {
                "--kernels" => &mut plan.kernels,
                "--seed" => &mut plan.seed,
                other => return Err(format!("unknown option `{other}`")),
            };
            let text = arguments.next().unwrap_or_default();
            *number = text
                .parse()
                .map_err(|_| format!("`{argument}` takes a number, not `{text}`"))?;
        }
        Ok(plan)
    }

    /// First seed and number of kernels of each batch.
    fn batches(&self) -> impl Iterator<Item = (u64, u64)> {
        let end = self.seed.saturating_add(self.kernels);
        (self.seed..end)
            .step_by(BATCH as usize)
            .map(move |seed| (seed, BATCH.min(end - seed)))
    }
}

pub fn run(workspace: &Workspace, plan: &Plan, summary: &mut Summary) {
    let (mut same, mut different) = (0, Vec::new());
    for (seed, kernels) in plan.batches() {
        let mut command = workspace.cargo(&["test", "-p", "swathe-fuzz-kernels", "--", "--nocapture"]);
        command.env("SWATHE_FUZZ_SEED", seed.to_string());
        command.env("SWATHE_FUZZ_KERNELS", kernels.to_string());
        announce(&command);
        match command.status() {
            Ok(status) if status.success() => same += kernels,
            Ok(_) => different.push(format!("{seed} to {}", seed + kernels - 1)),
            Err(e) => return summary.step("fuzz", Outcome::Failed, format!("cannot run cargo: {e}")),
        }
    }
    if different.is_empty() {
        summary.step("fuzz", Outcome::Ok, format!("{same} kernels do the same everywhere"));
    } else {
        let text = format!("differences, printed above, among the seeds {}", different.join(", "));
        summary.step("fuzz", Outcome::Failed, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Plan, String> {
        Plan::parse(line.split_whitespace().map(String::from))
    }

    #[test]
    fn batches_cover_all_seeds_once() {
        let plan = parse("--seed 7 --kernels 601").unwrap();
        let batches: Vec<_> = plan.batches().collect();
        assert_eq!(batches, [(7, 300), (307, 300), (607, 1)]);
        assert_eq!(parse("--kernels 0").unwrap().batches().count(), 0);
    }

    #[test]
    fn a_number_is_asked_for() {
        assert_eq!(parse("--seed x").err().unwrap(), "`--seed` takes a number, not `x`");
    }
}
