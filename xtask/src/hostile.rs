//! `cargo xtask fuzz --hostile`: whole programs of hostile users, without `unsafe`, that are compiled and compared with plain Rust. What
//! writes and runs them is the package `swathe-fuzz-hostile`; here it is built, with fields between pages that nobody may touch.

use crate::checks::step;
use crate::sanitize;
use crate::summary::Summary;
use crate::workspace::Workspace;

/// Whether these options are of this kind of fuzzing, and the others.
pub fn options(arguments: impl Iterator<Item = String>) -> (bool, Vec<String>) {
    let (hostile, others): (Vec<String>, Vec<String>) = arguments.partition(|argument| argument == "--hostile");
    (!hostile.is_empty(), others)
}

pub fn run(workspace: &Workspace, options: &[String], summary: &mut Summary) {
    let (sanitize, options): (Vec<String>, Vec<String>) =
        options.iter().cloned().partition(|option| option == "--sanitize");
    match sanitize.is_empty() {
        true => guarded(workspace, &options, summary),
        false => sanitized(workspace, &options, summary),
    }
}

/// With AddressSanitizer in the place of pages around fields: it sees what is read and written on the stack, too.
fn sanitized(workspace: &Workspace, options: &[String], summary: &mut Summary) {
    let folder = workspace.target.join("hostile-address");
    let build = sanitize::cargo(
        workspace,
        &["build", "--release", "-p", "swathe", "-p", "swathe-fuzz-hostile"],
        sanitize::ADDRESS,
        &folder,
    );
    step("build of the hostile fuzzer for AddressSanitizer", build, summary);
    if summary.failed() {
        return;
    }
    let mut fuzz = std::process::Command::new(folder.join(sanitize::HOST).join("release/hostile"));
    fuzz.current_dir(&workspace.root).args(options);
    // Macros are the host's, and lie elsewhere.
    let macros = folder.join("release/deps");
    let flags = format!(
        "{} --target={} -Ldependency={}",
        sanitize::ADDRESS,
        sanitize::HOST,
        macros.display()
    );
    fuzz.env("SWATHE_HOSTILE_FLAGS", flags)
        .env("RUSTUP_TOOLCHAIN", "nightly");
    fuzz.env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1");
    step("programs of hostile users under AddressSanitizer", fuzz, summary);
}

fn guarded(workspace: &Workspace, options: &[String], summary: &mut Summary) {
    let folder = workspace.target.join("hostile");
    let packages = ["swathe", "swathe-fuzz-hostile", "swathe-software-cuda"];
    let mut build = workspace.cargo(&["build", "--release"]);
    build.args(packages.iter().flat_map(|package| ["-p", package]));
    build
        .env("CARGO_TARGET_DIR", &folder)
        .env("RUSTFLAGS", "--cfg swathe_guarded");
    // Expanding macros takes most of what a program takes that is refused.
    build.env("CARGO_PROFILE_RELEASE_BUILD_OVERRIDE_OPT_LEVEL", "2");
    step("build of the hostile fuzzer", build, summary);
    if summary.failed() {
        return;
    }
    let mut fuzz = std::process::Command::new(folder.join("release/hostile"));
    fuzz.current_dir(&workspace.root).args(options);
    step("programs of hostile users", fuzz, summary);
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_other_options_are_kept() {
        let parse = |line: &str| super::options(line.split_whitespace().map(String::from));
        assert_eq!(
            parse("--seed 3 --hostile"),
            (true, vec!["--seed".to_owned(), "3".to_owned()])
        );
        assert_eq!(parse("--seed 3"), (false, vec!["--seed".to_owned(), "3".to_owned()]));
    }
}
