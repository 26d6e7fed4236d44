//! ptxas, which tells what a kernel needs of a GPU, without one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::nvrtc::target_dir;

/// The program.
pub struct Ptxas {
    program: PathBuf,
}

/// What an entry point, with the functions that it calls, needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Name of the entry point.
    pub entry: String,
    /// Registers of a thread.
    pub registers: u64,
    /// Bytes of local memory of a thread, with what is spilled.
    pub stack: u64,
    /// Bytes of registers that did not fit, written.
    pub spill_stores: u64,
    /// Bytes of registers that did not fit, read.
    pub spill_loads: u64,
}

impl Ptxas {
    /// The program, looked for in `SWATHE_PTXAS` and in `ptxas/bin` of the build's target folder. `None` if there is
    /// none; with `SWATHE_REQUIRE_NVRTC` set that is a failure, so that a build server cannot miss it in silence.
    ///
    /// # Panics
    /// If the program is required and missing, or `SWATHE_PTXAS` is set to one that does not run.
    pub fn get() -> Option<&'static Ptxas> {
        static PTXAS: OnceLock<Option<Ptxas>> = OnceLock::new();
        let found = PTXAS.get_or_init(|| {
            if let Some(given) = std::env::var_os("SWATHE_PTXAS") {
                let program = PathBuf::from(given);
                assert!(runs(&program), "SWATHE_PTXAS={} does not run", program.display());
                return Some(Ptxas { program });
            }
            let program = target_dir()?.join("ptxas/bin/ptxas");
            runs(&program).then_some(Ptxas { program })
        });
        assert!(
            found.is_some() || std::env::var_os("SWATHE_REQUIRE_NVRTC").is_none(),
            "SWATHE_REQUIRE_NVRTC is set, but there is no ptxas"
        );
        if found.is_none() {
            eprintln!("no ptxas found: registers and spills are not looked at (`cargo xtask setup` fetches it)");
        }
        found.as_ref()
    }

    /// What the entry points of a PTX text need on `arch` (`sm_80`).
    ///
    /// # Errors
    /// What ptxas says of a text that it refuses.
    ///
    /// # Panics
    /// If ptxas cannot be run, or says something unknown.
    pub fn usage(&self, ptx: &str, arch: &str) -> Result<Vec<Usage>, String> {
        let (_, said) = self.assemble(ptx, arch)?;
        let usages = parse(&said);
        let entries = ptx.matches(".entry ").count();
        assert_eq!(usages.len(), entries, "entry points in the report of ptxas:\n{said}");
        Ok(usages)
    }

    /// The machine code of a PTX text for `arch`.
    ///
    /// # Errors
    /// What ptxas says of a text that it refuses.
    ///
    /// # Panics
    /// If ptxas cannot be run.
    pub fn cubin(&self, ptx: &str, arch: &str) -> Result<Vec<u8>, String> {
        self.assemble(ptx, arch).map(|(cubin, _)| cubin)
    }

    /// Machine code, and the report.
    fn assemble(&self, ptx: &str, arch: &str) -> Result<(Vec<u8>, String), String> {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, cubin) = (folder.path().join("kernel.ptx"), folder.path().join("kernel.cubin"));
        std::fs::write(&file, ptx).expect("a file");
        let output = Command::new(&self.program)
            .args(["-v", &format!("-arch={arch}"), "-o"])
            .arg(&cubin)
            .arg(&file)
            .stdin(Stdio::null())
            .output()
            .expect("ptxas");
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        match output.status.success() {
            true => Ok((std::fs::read(&cubin).expect("machine code"), said)),
            false => Err(said),
        }
    }
}

fn runs(program: &Path) -> bool {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    output.is_ok_and(|output| output.status.success())
}

/// The entry points in a report of `ptxas -v`. The lines about one are
///
/// ```text
/// ptxas info    : Compiling entry function 'name' for 'sm_90'
/// ptxas info    : Function properties for name
///     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
/// ptxas info    : Used 40 registers, used 0 barriers
/// ```
///
/// and functions that are not inlined have properties too, which count for the entry point before them.
fn parse(said: &str) -> Vec<Usage> {
    let mut usages: Vec<Usage> = Vec::new();
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            usages.push(Usage {
                entry: rest.split('\'').next().unwrap_or(rest).to_owned(),
                ..Usage::default()
            });
            continue;
        }
        let Some(usage) = usages.last_mut() else { continue };
        let before = |what: &str| number_before(line, what).unwrap_or(0);
        usage.stack += before(" bytes stack frame");
        usage.spill_stores += before(" bytes spill stores");
        usage.spill_loads += before(" bytes spill loads");
        usage.registers += before(" registers");
    }
    assert!(
        usages.iter().all(|usage| usage.registers > 0),
        "no registers in the report of ptxas:\n{said}"
    );
    usages
}

/// The number before the first `what`.
fn number_before(line: &str, what: &str) -> Option<u64> {
    let (before, _) = line.split_once(what)?;
    before.rsplit([' ', ',', '\t']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read() {
        let said = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Compiling entry function 'a_1' for 'sm_90'\n\
            ptxas info    : Function properties for a_1\n    \
            16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n\
            ptxas info    : Used 40 registers, used 1 barriers, 16 bytes cumulative stack size\n\
            ptxas info    : Compile time = 3.150 ms\n\
            ptxas info    : Compiling entry function 'b' for 'sm_90'\n\
            ptxas info    : Function properties for b\n    \
            0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
            ptxas info    : Used 8 registers, used 0 barriers\n";
        let a = Usage {
            entry: "a_1".to_owned(),
            registers: 40,
            stack: 16,
            spill_stores: 12,
            spill_loads: 20,
        };
        let b = Usage {
            entry: "b".to_owned(),
            registers: 8,
            ..Usage::default()
        };
        assert_eq!(parse(said), [a, b]);
    }
}
