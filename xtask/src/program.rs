//! NVIDIA's programs that look at the generated code: ptxas reports registers and spills, nvdisasm shows machine code.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::nvrtc::toolkits;
use crate::wheel::Wheel;

/// A program, and where to look for it.
pub struct Tool {
    pub name: &'static str,
    /// Names one in the environment, of this set-up and of the tests.
    pub variable: &'static str,
    wheel: Wheel,
}

pub const PTXAS: Tool = Tool {
    name: "ptxas",
    variable: "SWATHE_PTXAS",
    wheel: Wheel {
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
    },
};

/// Of CUDA 13, since CUDA 12 has it in no wheel; it reads the machine code of both.
pub const NVDISASM: Tool = Tool {
    name: "nvdisasm",
    variable: "SWATHE_NVDISASM",
    wheel: Wheel {
        package: "nvidia-cuda-nvdisasm",
        version: "13.5.37",
        sha256: [
            "d3fdbdd49fa53e2e4aacd3db8259d052bd2b049ececdcb69e92e083c6728e7ca",
            "a3a8248074edb9fba63b74c38a5416b712a91ab09e70b8ab37186c3d293fc605",
        ],
        files: &[
            ("nvidia/cu13/bin/nvdisasm", "bin/nvdisasm"),
            (
                "nvidia_cuda_nvdisasm-13.5.37.dist-info/licenses/License.txt",
                "License.txt",
            ),
        ],
    },
};

/// A program that runs, and its release.
pub struct Program {
    pub program: PathBuf,
    pub release: String,
}

impl Tool {
    /// Finds the program, or fetches it into `<target>/<name>` if `download`.
    ///
    /// # Errors
    /// Why there is none.
    pub fn provide(&self, target: &Path, download: bool) -> Result<Program, String> {
        let Tool { name, variable, wheel } = self;
        if let Some(given) = env::var_os(variable) {
            return ask(given.as_ref()).ok_or_else(|| format!("{variable}={} does not run", given.display()));
        }
        let own = target.join(name);
        let program = own.join("bin").join(name);
        if wheel.is_in(&own)
            && let Some(found) = ask(&program)
        {
            return Ok(found);
        }
        if let Some(found) = self.installed() {
            return Ok(found);
        }
        if !download {
            return Err(format!("{name} is not installed, and nothing may be fetched"));
        }
        wheel.fetch(&own)?;
        ask(&program).ok_or_else(|| format!("the {name} in {} does not run", own.display()))
    }

    fn installed(&self) -> Option<Program> {
        let in_toolkits = toolkits().into_iter().map(|root| root.join("bin").join(self.name));
        let path = env::var_os("PATH").unwrap_or_default();
        let on_path: Vec<PathBuf> = env::split_paths(&path).map(|folder| folder.join(self.name)).collect();
        in_toolkits
            .chain(on_path)
            .filter(|program| program.is_file())
            .find_map(|program| ask(&program))
    }
}

fn ask(program: &Path) -> Option<Program> {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let release = release(&String::from_utf8_lossy(&output.stdout))?;
    output.status.success().then(|| Program {
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
