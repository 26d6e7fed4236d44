//! Where the workspace lies, and how to call cargo in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Workspace {
    pub root: PathBuf,
    pub target: PathBuf,
    cargo: OsString,
}

impl Workspace {
    pub fn find() -> Workspace {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("xtask lies in the workspace")
            .to_owned();
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => std::path::absolute(&folder).unwrap_or_else(|_| folder.into()),
            None => root.join("target"),
        };
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Workspace { root, target, cargo }
    }

    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.cargo);
        command.current_dir(&self.root).args(arguments);
        command
    }
}

/// Announces a command on standard error, as a shell does under `set -x`.
pub fn announce(command: &Command) {
    let mut line = Path::new(command.get_program())
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    eprintln!("\n$ {line}");
}
