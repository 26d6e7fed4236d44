//! A rustc that compiles for the device, with the sources of `core`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::debian;
use crate::workspace::announce;

/// The one version that writes the text: another one's may differ.
pub const RUST: &str = "1.96.0";

/// A toolchain of that version.
pub struct Toolchain {
    rustc: PathBuf,
    /// Where its libraries are, if it does not find them by itself.
    libraries: Option<PathBuf>,
    /// The file `lib.rs` of `core`.
    pub core: PathBuf,
}

impl Toolchain {
    /// Finds a toolchain of rustup, or Debian's packages in `folder`. What is missing is fetched to there: from Debian if this
    /// is one, otherwise by rustup.
    ///
    /// The caller holds the [`Lock`](crate::lock::Lock) of the target folder.
    pub fn provide(folder: &Path, download: bool) -> Result<Toolchain, String> {
        let (packages, rustup) = (folder.join("debian"), folder.join("rustup"));
        let find = || {
            let homes = [rustup_home(), Some(rustup.clone())];
            let of_rustup = homes.iter().flatten().find_map(|home| Toolchain::of_rustup(home));
            of_rustup.or_else(|| Toolchain::of_debian(&packages))
        };
        if let Some(found) = find() {
            return Ok(found);
        }
        if !download {
            return Err(format!("no Rust {RUST} with rust-src, and nothing may be fetched"));
        }
        let first = debian::fetch(&packages);
        if let Some(found) = find() {
            return Ok(found);
        }
        let of_debian = first.err().unwrap_or_else(|| "its rustc does not run".to_owned());
        fetch_by_rustup(&rustup).map_err(|why| format!("{why}; Debian's packages: {of_debian}"))?;
        find().ok_or_else(|| format!("rustup left no Rust {RUST} with rust-src"))
    }

    /// The compiler; features for the device are unstable, and this version's.
    pub fn rustc(&self) -> Command {
        let mut command = Command::new(&self.rustc);
        command.env("RUSTC_BOOTSTRAP", "1");
        if let Some(libraries) = &self.libraries {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        command
    }

    fn of_rustup(home: &Path) -> Option<Toolchain> {
        let entries = fs::read_dir(home.join("toolchains")).ok()?;
        let toolchain = |entry: fs::DirEntry| Toolchain {
            rustc: entry
                .path()
                .join("bin")
                .join(format!("rustc{}", env::consts::EXE_SUFFIX)),
            libraries: None,
            core: entry.path().join("lib/rustlib/src/rust/library/core/src/lib.rs"),
        };
        entries.flatten().map(toolchain).find(Toolchain::is_this_version)
    }

    fn of_debian(packages: &Path) -> Option<Toolchain> {
        let toolchain = Toolchain {
            rustc: packages.join("usr/bin/rustc"),
            libraries: Some(packages.join("usr/lib").join(debian::LIBRARIES)),
            core: packages.join(format!("usr/src/rustc-{RUST}/library/core/src/lib.rs")),
        };
        Some(toolchain).filter(Toolchain::is_this_version)
    }

    fn is_this_version(&self) -> bool {
        let output = || self.rustc().arg("--version").stdin(Stdio::null()).output().ok();
        self.core.is_file() && output().is_some_and(|o| o.stdout.starts_with(format!("rustc {RUST} ").as_bytes()))
    }
}

fn rustup_home() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".rustup"));
    env::var_os("RUSTUP_HOME").map(PathBuf::from).or_else(home)
}

fn fetch_by_rustup(home: &Path) -> Result<(), String> {
    fs::create_dir_all(home).map_err(|e| format!("cannot create {}: {e}", home.display()))?;
    let mut rustup = Command::new("rustup");
    rustup.args([
        "toolchain",
        "install",
        RUST,
        "--profile=minimal",
        "--component=rust-src",
        "--no-self-update",
    ]);
    // A home of its own: what is installed for the user stays as it is.
    rustup.env("RUSTUP_HOME", home).env_remove("RUSTUP_TOOLCHAIN");
    announce(&rustup);
    let output = rustup.stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("cannot run rustup: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    Err(format!(
        "rustup cannot fetch Rust {RUST}: {}",
        last.unwrap_or("no message")
    ))
}
