//! `cargo xtask ci`, and steps that either succeed or not.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use crate::summary::{Outcome, Summary};
use crate::workspace::{Workspace, announce};
use crate::{Options, ptx, test};

/// The crates that go to the registry, in the order in which they depend on each other.
const PUBLISHED: [&str; 5] = [
    "swathe-ir",
    "swathe-macros",
    "swathe-device-kernels",
    "swathe",
    "swathe-view",
];

/// With the forms of loops that debug builds leave out. Build scripts and procedural macros are those of the tests, which need not build
/// them again.
const FORMS: [&str; 2] = [
    "profile.dev.debug-assertions=false",
    "profile.dev.build-override.debug-assertions=true",
];

pub fn ci(workspace: &Workspace, mut options: Options, summary: &mut Summary) {
    // Its compiler is large, and the text is needed by nobody who has it: a machine that cannot have it says so. It runs on one core, beside all that is
    // built here.
    let mut kernels = Summary::default();
    thread::scope(|scope| {
        scope.spawn(|| ptx::run(workspace, true, !options.no_download, false, &mut kernels));
        step("rustfmt", workspace.cargo(&["fmt", "--all", "--check"]), summary);
        let mut clippy = workspace.cargo(&["clippy", "--workspace", "--all-targets"]);
        clippy.args(FORMS.iter().flat_map(|setting| ["--config", setting]));
        clippy.args(["--", "--deny", "warnings"]);
        step("clippy", clippy, summary);
        // What is published can be packaged: its metadata, and its dependencies as the registry has them, which are there by now. It is built above.
        let mut package = workspace.cargo(&["package", "--offline", "--no-verify", "--allow-dirty"]);
        package.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
        step("packages", package, summary);
    });
    summary.add(kernels);
    options.require_nvrtc = true;
    test::run(workspace, &options, summary);
}

pub fn step(name: &'static str, mut command: Command, summary: &mut Summary) {
    announce(&command);
    let start = Instant::now();
    let status = command.stdin(Stdio::null()).status();
    let seconds = start.elapsed().as_secs();
    match status {
        Ok(status) if status.success() => summary.step(name, Outcome::Ok, format!("{seconds} s")),
        Ok(status) => summary.step(name, Outcome::Failed, format!("{status}, {seconds} s")),
        Err(e) => summary.step(name, Outcome::Failed, format!("cannot run: {e}")),
    }
}
