//! Debian's packages of rustc, fetched by apt into a folder and unpacked there: nothing is installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::workspace::announce;

/// Where the packages have their libraries, below `usr/lib`.
pub const LIBRARIES: &str = "x86_64-linux-gnu";

/// About 100 MB. A version never changes; Debian keeps one until it has the next, and then a new one is pinned here, and in
/// [`RUST`](crate::rust_sources::RUST).
const PACKAGES: [&str; 4] = [
    "rustc-web=1.96.0+dfsg1-1~deb12u2",
    "libstd-rust-web-1.96=1.96.0+dfsg1-1~deb12u2",
    "rust-web-src=1.96.0+dfsg1-1~deb12u2",
    "libllvm22=1:22.1.8-1~deb12u1",
];
const SOURCE: &str = "deb [arch=amd64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
                      http://deb.debian.org/debian-security bookworm-security main\n";

/// Unpacks the packages into `folder`, which is put in place in one step.
pub fn fetch(folder: &Path) -> Result<(), String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("they are for x86-64 Linux".to_owned());
    }
    let partial = folder.with_added_extension("partial");
    let made = made(&partial);
    let placed = made.and_then(|()| {
        remove(folder)?;
        fs::rename(partial.join("unpacked"), folder).map_err(|e| format!("cannot move {}: {e}", folder.display()))
    });
    remove(&partial)?;
    placed
}

fn made(partial: &Path) -> Result<(), String> {
    remove(partial)?;
    for part in ["state/lists/partial", "cache/archives/partial", "packages", "unpacked"] {
        let part = partial.join(part);
        fs::create_dir_all(&part).map_err(|e| format!("cannot create {}: {e}", part.display()))?;
    }
    let write = |name: &str, text: &str| {
        fs::write(partial.join(name), text).map_err(|e| format!("cannot write {}/{name}: {e}", partial.display()))
    };
    write("sources.list", SOURCE)?;
    write("status", "")?;
    call(apt(partial).arg("update"))?;
    call(
        apt(partial)
            .arg("download")
            .args(PACKAGES)
            .current_dir(partial.join("packages")),
    )?;
    let packages = partial.join("packages");
    let entries = fs::read_dir(&packages).map_err(|e| format!("cannot read {}: {e}", packages.display()))?;
    for package in entries.flatten() {
        call(
            Command::new("dpkg")
                .arg("-x")
                .arg(package.path())
                .arg(partial.join("unpacked")),
        )?;
    }
    Ok(())
}

/// apt with lists and cache of its own: those of the machine stay as they are, and no rights are needed.
fn apt(partial: &Path) -> Command {
    let mut apt = Command::new("apt-get");
    let mut set = |name: &str, value: &str| {
        apt.arg("-o").arg(format!("{name}={value}"));
    };
    for (name, path) in [
        ("Dir::Etc::SourceList", "sources.list"),
        ("Dir::State", "state"),
        ("Dir::State::Status", "status"),
        ("Dir::Cache", "cache"),
    ] {
        set(name, &partial.join(path).display().to_string());
    }
    set("Dir::Etc::SourceParts", "/dev/null");
    set("Acquire::Languages", "none");
    set("Acquire::Retries", "2");
    // The folder need not be one that apt's own user may enter.
    set("APT::Sandbox::User", "root");
    apt.arg("--quiet");
    apt
}

fn call(command: &mut Command) -> Result<(), String> {
    announce(command);
    let name = command.get_program().display().to_string();
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("cannot run {name}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| line.starts_with("E: "));
    Err(format!("{name}: {}", last.unwrap_or("it failed without a message")))
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(format!("cannot remove {}: {e}", folder.display())),
        _ => Ok(()),
    }
}
