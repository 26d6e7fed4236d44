//! `cargo xtask ptx`: the PTX of `device-kernels`, compiled by rustc.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::lock::Lock;
use crate::program::{PTXAS, Program};
use crate::rust_sources::{RUST, Toolchain};
use crate::summary::{Outcome, Summary};
use crate::workspace::{Workspace, announce};

const TARGET: &str = "nvptx64-nvidia-cuda";
/// The oldest architecture that the text is for.
const CPU: &str = "sm_70";
/// Architectures that ptxas has to accept the text for.
const ARCHITECTURES: [&str; 5] = ["sm_75", "sm_80", "sm_90", "sm_100", "sm_120"];

/// What `core` wants to be linked with, and kernels do not use.
const COMPILER_BUILTINS: &str =
    "#![allow(internal_features)] #![feature(compiler_builtins)] #![compiler_builtins] #![no_std]";

/// Writes the text, or compares what is there with what would be written if `check`.
pub fn run(workspace: &Workspace, check: bool, download: bool, required: bool, summary: &mut Summary) {
    let missing = if required { Outcome::Failed } else { Outcome::Missing };
    let compiler = {
        let lock = Lock::take(&workspace.target).map_err(|e| format!("cannot lock the target folder: {e}"));
        lock.and_then(|_lock| Compiler::provide(&workspace.target, download))
    };
    let compiler = match compiler {
        Ok(compiler) => compiler,
        Err(why) => return summary.step("device kernels", missing, format!("PTX is not compiled: {why}")),
    };
    let ptxas = PTXAS.provide(&workspace.target, download);
    let folder = workspace.root.join("device-kernels");
    let done = compile(&compiler, &folder, &workspace.target, ptxas.as_ref().ok())
        .and_then(|texts| place(&folder.join("ptx"), &texts, check));
    match (done, ptxas) {
        (Err(why), _) => summary.step("device kernels", Outcome::Failed, why),
        (Ok(done), Ok(ptxas)) => summary.step(
            "device kernels",
            Outcome::Ok,
            format!(
                "{done}; ptxas {} accepts it for {}",
                ptxas.release,
                ARCHITECTURES.join(", ")
            ),
        ),
        (Ok(done), Err(why)) => summary.step("device kernels", missing, format!("{done}; not assembled: {why}")),
    }
}

/// rustc, and `core` for the device.
struct Compiler {
    toolchain: Toolchain,
    core: PathBuf,
}

impl Compiler {
    /// Compiles `core` into `<target>/ptx` if it is not there.
    ///
    /// The caller holds the [`Lock`] of the target folder.
    fn provide(target: &Path, download: bool) -> Result<Compiler, String> {
        let own = target.join("ptx");
        let compiler = Compiler {
            toolchain: Toolchain::provide(&own, download)?,
            core: own.join(format!("core-{RUST}-{CPU}")),
        };
        if !compiler.core.join("libcompiler_builtins.rlib").is_file() {
            compiler.build_core()?;
        }
        Ok(compiler)
    }

    fn rustc(&self) -> Command {
        let mut command = self.toolchain.rustc();
        command.args(["--edition=2024", "--target", TARGET]);
        command.args([
            "--crate-type=rlib",
            "-Copt-level=3",
            "-Cpanic=abort",
            "-Cdebuginfo=0",
            "-Ccodegen-units=1",
        ]);
        command.arg(format!("-Ctarget-cpu={CPU}"));
        command
    }

    fn build_core(&self) -> Result<(), String> {
        let partial = self.core.with_added_extension("partial");
        fs::create_dir_all(&partial).map_err(|e| format!("cannot create {}: {e}", partial.display()))?;
        let mut core = self.rustc();
        core.args(["--crate-name=core", "--cap-lints=allow", "--out-dir"])
            .arg(&partial);
        call(core.arg(&self.toolchain.core))?;
        let stub = partial.join("compiler_builtins.rs");
        fs::write(&stub, COMPILER_BUILTINS).map_err(|e| format!("cannot write {}: {e}", stub.display()))?;
        let mut builtins = self.rustc();
        builtins
            .args(["--crate-name=compiler_builtins", "--out-dir"])
            .arg(&partial);
        call(builtins.arg("-L").arg(&partial).arg(&stub))?;
        fs::rename(&partial, &self.core).map_err(|e| format!("cannot move {} into place: {e}", partial.display()))
    }

    /// The PTX of one family of kernels.
    fn ptx(&self, folder: &Path, family: &str, target: &Path) -> Result<String, String> {
        let file = target.join("ptx").join(format!("{family}.ptx"));
        let mut rustc = self.rustc();
        rustc.args(["--crate-name=swathe_device_kernels", "--emit=asm", "--cap-lints=allow"]);
        rustc
            .arg(format!("--cfg=kernels=\"{family}\""))
            .arg("-L")
            .arg(&self.core);
        rustc.arg("-o").arg(&file).arg(folder.join("src/lib.rs"));
        call(&mut rustc)?;
        let text = fs::read_to_string(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        tidy(family, &text)
    }
}

fn call(command: &mut Command) -> Result<(), String> {
    announce(command);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("cannot run rustc: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("rustc: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The families, from the table in the crate.
fn families(folder: &Path) -> Result<Vec<String>, String> {
    let file = folder.join("src/ptx.rs");
    let text = fs::read_to_string(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    let table = text
        .split_once("\nfamilies! {")
        .and_then(|(_, rest)| rest.split_once('}'));
    let (table, _) = table.ok_or_else(|| format!("no table of families in {}", file.display()))?;
    Ok(table.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

/// The texts of all families, which ptxas accepts if there is one.
fn compile(
    compiler: &Compiler,
    folder: &Path,
    target: &Path,
    ptxas: Option<&Program>,
) -> Result<Vec<(String, String)>, String> {
    let mut texts = Vec::new();
    for family in families(folder)? {
        let text = compiler.ptx(folder, &family, target)?;
        for architecture in ARCHITECTURES {
            if let Some(ptxas) = ptxas {
                assemble(ptxas, &text, architecture, &target.join("ptx")).map_err(|why| format!("{family}: {why}"))?;
            }
        }
        texts.push((family, text));
    }
    Ok(texts)
}

/// That it is accepted is all that is asked, so nothing is optimised.
fn assemble(ptxas: &Program, text: &str, architecture: &str, folder: &Path) -> Result<(), String> {
    let file = folder.join("assemble.ptx");
    fs::write(&file, text).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    let output = Command::new(&ptxas.program)
        .args([&format!("-arch={architecture}"), "-O0", "-o"])
        .arg(folder.join("assemble.cubin"))
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cannot run ptxas: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "ptxas -arch={architecture}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// The text without what differs between machines and what nobody reads.
fn tidy(family: &str, text: &str) -> Result<String, String> {
    let mut tidy = format!("// The kernels of `{family}`, by rustc {RUST} for {CPU}: `cargo xtask ptx`.\n");
    for line in text.lines().map(str::trim_end) {
        let code = line.trim_start();
        if code.is_empty() || code.starts_with("//") {
            continue;
        }
        // A kernel that can panic, or calls what is not inlined, is a mistake in the kernel.
        if code.starts_with(".extern .func") || code.starts_with(".visible .func") || code.starts_with(".global") {
            return Err(format!("{family}: the kernels need `{code}`"));
        }
        tidy.push_str(if code.len() < line.len() { "\t" } else { "" });
        tidy.push_str(code.split("\t//").next().unwrap_or(code).trim_end());
        tidy.push('\n');
    }
    Ok(tidy)
}

/// Writes what differs, or says which texts do.
fn place(folder: &Path, texts: &[(String, String)], check: bool) -> Result<String, String> {
    let size = texts.iter().map(|(_, text)| text.len()).sum::<usize>() >> 10;
    let file = |family: &str| folder.join(format!("{family}.ptx"));
    let stale: Vec<&(String, String)> = texts
        .iter()
        .filter(|(family, text)| fs::read_to_string(file(family)).ok().as_ref() != Some(text))
        .collect();
    let names: Vec<&str> = stale.iter().map(|(family, _)| family.as_str()).collect();
    if check && !stale.is_empty() {
        return Err(format!("stale: {}; run `cargo xtask ptx`", names.join(", ")));
    }
    for (family, text) in &stale {
        let file = file(family);
        fs::write(&file, text).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    }
    Ok(match names.is_empty() {
        true => format!("{} PTX files ({size} KiB) are current", texts.len()),
        false => format!(
            "{} of {} PTX files ({size} KiB) written: {}",
            names.len(),
            texts.len(),
            names.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_tidied() {
        let text = "//\n.version 6.0\n\n\t// begin inline asm\n\tret;  \n\tbra.uni \t$L; \t// loop\n$L:\n";
        let tidied = tidy("x", text).unwrap();
        let lines: Vec<&str> = tidied.lines().skip(1).collect();
        assert_eq!(lines, [".version 6.0", "\tret;", "\tbra.uni \t$L;", "$L:"]);
        let panics = ".extern .func panic_rem_by_zero";
        assert_eq!(
            tidy("x", panics).unwrap_err(),
            format!("x: the kernels need `{panics}`")
        );
    }

    #[test]
    fn stale_text_is_named() {
        let folder = std::env::temp_dir().join(format!("xtask-ptx-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let texts = [("a".to_owned(), "1\n".to_owned()), ("b".to_owned(), "2\n".to_owned())];
        fs::write(folder.join("a.ptx"), "1\n").unwrap();
        fs::write(folder.join("b.ptx"), "3\n").unwrap();
        let checked = |check| place(&folder, &texts, check);
        assert_eq!(checked(true).unwrap_err(), "stale: b; run `cargo xtask ptx`");
        assert_eq!(checked(false).unwrap(), "1 of 2 PTX files (0 KiB) written: b");
        assert_eq!(checked(true).unwrap(), "2 PTX files (0 KiB) are current");
        fs::remove_dir_all(&folder).unwrap();
    }
}
