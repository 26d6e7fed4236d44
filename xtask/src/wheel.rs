//! NVIDIA's compilers from PyPI: pinned wheels, unpacked into the target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The files of one wheel that the tests need.
pub struct Wheel {
    pub package: &'static str,
    pub version: &'static str,
    /// Of the wheels for x86-64 and for aarch64 Linux.
    pub sha256: [&'static str; 2],
    /// From the path in the wheel to the path in the folder.
    pub files: &'static [(&'static str, &'static str)],
}

const UNPACK: &str = include_str!("unpack.py");

impl Wheel {
    /// Is what `folder` holds this very version, complete?
    pub fn is_in(&self, folder: &Path) -> bool {
        fs::read_to_string(folder.join("wheel.txt")).is_ok_and(|stamp| stamp == self.requirement())
            && self.files.iter().all(|(_, path)| folder.join(path).is_file())
    }

    /// Fetches the wheel and puts `folder` in place in one step, so that an interrupted run leaves none or a whole one.
    ///
    /// The caller holds the [`Lock`](crate::lock::Lock) of the target folder.
    pub fn fetch(&self, folder: &Path) -> Result<(), String> {
        if !cfg!(all(
            target_os = "linux",
            any(target_arch = "x86_64", target_arch = "aarch64")
        )) {
            return Err(format!("no pinned {} wheel for this platform", self.package));
        }
        let python = python()?;
        let partial = folder.with_extension("partial");
        remove(&partial)?;
        fs::create_dir_all(&partial).map_err(|e| format!("cannot create {}: {e}", partial.display()))?;
        let unpacked = self
            .download(&python, &partial)
            .and_then(|()| self.unpack(&python, &partial));
        let placed = unpacked.and_then(|()| {
            remove(folder)?;
            fs::rename(partial.join("unpacked"), folder)
                .map_err(|e| format!("cannot move {} into place: {e}", folder.display()))
        });
        // The wheel itself is of no more use, and what is left of a failure neither.
        remove(&partial)?;
        placed
    }

    fn download(&self, python: &str, partial: &Path) -> Result<(), String> {
        let list = partial.join("requirements.txt");
        let [x86, arm] = self.sha256;
        let text = format!("{} --hash=sha256:{x86} --hash=sha256:{arm}\n", self.requirement());
        fs::write(&list, text).map_err(|e| format!("cannot write {}: {e}", list.display()))?;
        let mut last = String::new();
        for attempt in 1..=2 {
            eprintln!("fetching {} from PyPI", self.requirement());
            let output = Command::new(python)
                .args([
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--no-input",
                    "--disable-pip-version-check",
                    "--no-cache-dir",
                ])
                .args([
                    "--no-deps",
                    "--only-binary=:all:",
                    "--require-hashes",
                    "--retries=1",
                    "--timeout=30",
                ])
                .arg("--dest")
                .arg(partial)
                .arg("--requirement")
                .arg(&list)
                .stdin(Stdio::null())
                .output()
                .map_err(|e| format!("cannot run {python}: {e}"))?;
            if output.status.success() {
                return Ok(());
            }
            last = reason(&String::from_utf8_lossy(&output.stderr));
            if attempt == 1 {
                eprintln!("pip failed ({last}), once more");
                std::thread::sleep(Duration::from_secs(3));
            }
        }
        Err(format!("pip could not fetch {}: {last}", self.requirement()))
    }

    fn unpack(&self, python: &str, partial: &Path) -> Result<(), String> {
        let wheel = wheel_in(partial)?;
        let unpacked = partial.join("unpacked");
        let mut command = Command::new(python);
        command.args(["-c", UNPACK]).arg(&wheel).arg(&unpacked);
        for (from, to) in self.files {
            command.arg(from).arg(to);
        }
        let output = command
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("cannot run {python}: {e}"))?;
        if !output.status.success() {
            let why = reason(&String::from_utf8_lossy(&output.stderr));
            return Err(format!("cannot unpack {}: {why}", wheel.display()));
        }
        let stamp = unpacked.join("wheel.txt");
        fs::write(&stamp, self.requirement()).map_err(|e| format!("cannot write {}: {e}", stamp.display()))
    }

    fn requirement(&self) -> String {
        format!("{}=={}", self.package, self.version)
    }
}

fn python() -> Result<String, String> {
    let mut why = "no Python 3 on the PATH".to_owned();
    for name in ["python3", "python"] {
        let Ok(output) = Command::new(name)
            .args(["-m", "pip", "--version"])
            .stdin(Stdio::null())
            .output()
        else {
            continue;
        };
        if output.status.success() {
            return Ok(name.to_owned());
        }
        why = format!("{name} has no pip");
    }
    Err(why)
}

fn wheel_in(folder: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    paths
        .find(|path| path.extension().is_some_and(|e| e == "whl"))
        .ok_or_else(|| "pip left no wheel".to_owned())
}

fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(format!("cannot remove {}: {e}", folder.display())),
        _ => Ok(()),
    }
}

/// The line of a tool's complaint that says most: its last `ERROR:`, else its last line.
fn reason(stderr: &str) -> String {
    // pip's own last word is then "no matching distribution", which misleads.
    if stderr.contains("after connection broken by") {
        return "PyPI cannot be reached from here".to_owned();
    }
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty()).rev();
    let line = lines()
        .find(|line| line.starts_with("ERROR"))
        .or_else(|| lines().next());
    line.unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_last_error() {
        let stderr = "WARNING: a\nERROR: b\nERROR: No matching distribution\n[notice] c\n";
        assert_eq!(reason(stderr), "ERROR: No matching distribution");
        assert_eq!(reason("\nTraceback\nKeyError: 'x'\n"), "KeyError: 'x'");
        assert_eq!(reason(""), "no message");
        let offline =
            "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError'\nERROR: No match\n";
        assert_eq!(reason(offline), "PyPI cannot be reached from here");
    }

    #[test]
    fn a_folder_without_all_files_is_not_complete() {
        let wheel = Wheel {
            package: "p",
            version: "1",
            sha256: ["", ""],
            files: &[("x/a", "lib/a"), ("x/b", "lib/b")],
        };
        let folder = std::env::temp_dir().join(format!("xtask-wheel-{}", std::process::id()));
        fs::create_dir_all(folder.join("lib")).unwrap();
        fs::write(folder.join("wheel.txt"), "p==1").unwrap();
        fs::write(folder.join("lib/a"), "").unwrap();
        assert!(!wheel.is_in(&folder));
        fs::write(folder.join("lib/b"), "").unwrap();
        assert!(wheel.is_in(&folder));
        fs::write(folder.join("wheel.txt"), "p==2").unwrap();
        assert!(!wheel.is_in(&folder));
        fs::remove_dir_all(&folder).unwrap();
    }
}
