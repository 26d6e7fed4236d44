//! Python with NumPy, with which the tests exchange arrays and files.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// A Python that has NumPy.
pub struct Python {
    pub program: OsString,
    /// Of NumPy.
    pub version: String,
}

/// What has `numpy.from_dlpack` and is known to the tests.
const NUMPY: &str = "numpy>=1.26,<3";

/// Finds Python with NumPy, or makes an environment with it in `<target>/python` if `download`.
///
/// # Errors
/// Why there is none.
pub fn provide(target: &Path, download: bool) -> Result<Python, String> {
    if let Some(given) = env::var_os("SWATHE_PYTHON") {
        return with_numpy(&given).ok_or_else(|| format!("SWATHE_PYTHON={} has no NumPy", given.display()));
    }
    let own = target.join("python");
    let program: OsString = own.join("bin").join("python").into();
    if let Some(found) = with_numpy(&program).or_else(|| with_numpy("python3".as_ref())) {
        return Ok(found);
    }
    if !download {
        return Err("NumPy is not installed, and nothing may be fetched".to_owned());
    }
    eprintln!("fetching {NUMPY} from PyPI");
    step(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&own))?;
    let mut install = Command::new(&program);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-input",
        "--disable-pip-version-check",
    ]);
    install.args([
        "--no-cache-dir",
        "--only-binary=:all:",
        "--retries=1",
        "--timeout=30",
        NUMPY,
    ]);
    step(&mut install)?;
    with_numpy(&program).ok_or_else(|| "NumPy is installed, but cannot be imported".to_owned())
}

fn with_numpy(program: &std::ffi::OsStr) -> Option<Python> {
    let mut ask = Command::new(program);
    ask.args(["-c", "import numpy; print(numpy.__version__)"]);
    let output = ask.stdin(Stdio::null()).output().ok().filter(|o| o.status.success())?;
    Some(Python {
        program: program.to_owned(),
        version: String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    })
}

fn step(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("cannot run {}: {e}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text
        .lines()
        .rfind(|line| !line.trim().is_empty())
        .unwrap_or("no message");
    Err(format!("{}: {last}", command.get_program().display()))
}
