//! ptxas: the assembler that reports registers and spills of the generated code.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::nvrtc::toolkits;
use crate::wheel::Wheel;

const WHEEL: Wheel = Wheel {
    package: "nvidia-cuda-nvcc-cu12",
    version: "12.9.86",
    sha256: [
        "5d6a0d32fdc7ea39917c20065614ae93add6f577d840233237ff08e9a38f58f0",
        "44e1eca4d08926193a558d2434b1bf83d57b4d5743e0c431c0c83d51da1df62b",
    ],
    files: &[
        ("nvidia/cuda_nvcc/bin/ptxas", "bin/ptxas"),
        (
            "nvidia_cuda_nvcc_cu12-12.9.86.dist-info/licenses/License.txt",
            "License.txt",
        ),
    ],
};

/// A program that runs, and its release.
pub struct Ptxas {
    pub program: PathBuf,
    pub release: String,
}

/// Finds ptxas, or fetches it into `<target>/ptxas` if `download`.
///
/// # Errors
/// Why there is none.
pub fn provide(target: &Path, download: bool) -> Result<Ptxas, String> {
    if let Some(given) = env::var_os("SWATHE_PTXAS") {
        return ask(given.as_ref()).ok_or_else(|| format!("SWATHE_PTXAS={} does not run", given.display()));
    }
    let own = target.join("ptxas");
    if WHEEL.is_in(&own)
        && let Some(found) = ask(&own.join("bin/ptxas"))
    {
        return Ok(found);
    }
    if let Some(found) = installed() {
        return Ok(found);
    }
    if !download {
        return Err("ptxas is not installed, and nothing may be fetched".to_owned());
    }
    WHEEL.fetch(&own)?;
    ask(&own.join("bin/ptxas")).ok_or_else(|| format!("the ptxas in {} does not run", own.display()))
}

fn installed() -> Option<Ptxas> {
    let in_toolkits = toolkits().into_iter().map(|root| root.join("bin/ptxas"));
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = env::split_paths(&path).map(|folder| folder.join("ptxas")).collect();
    in_toolkits
        .chain(on_path)
        .filter(|program| program.is_file())
        .find_map(|program| ask(&program))
}

fn ask(program: &Path) -> Option<Ptxas> {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let release = release(&String::from_utf8_lossy(&output.stdout))?;
    output.status.success().then(|| Ptxas {
        program: program.to_owned(),
        release,
    })
}

/// `12.9` of `Cuda compilation tools, release 12.9, V12.9.86`.
fn release(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("release ")?;
    Some(rest.split(',').next().unwrap_or(rest).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_is_read_from_the_version() {
        let text =
            "ptxas: NVIDIA (R) Ptx optimizing assembler\nCuda compilation tools, release 12.9, V12.9.86\nBuild x\n";
        assert_eq!(release(text).as_deref(), Some("12.9"));
        assert_eq!(release("GNU as 2.40"), None);
    }

    #[test]
    fn a_program_that_is_not_ptxas_is_refused() {
        assert!(ask(Path::new("/bin/true")).is_none());
        assert!(ask(Path::new("/there/is/none")).is_none());
    }
}
