//! One set-up at a time in one target folder.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Held until dropped; the operating system lets go of it when the process dies.
pub struct Lock(#[expect(dead_code, reason = "closing the file is the release")] File);

impl Lock {
    pub fn take(target: &Path) -> io::Result<Lock> {
        fs::create_dir_all(target)?;
        let file = File::create(target.join("xtask.lock"))?;
        if file.try_lock().is_err() {
            eprintln!("waiting for another `cargo xtask` in {}", target.display());
            file.lock()?;
        }
        Ok(Lock(file))
    }
}
