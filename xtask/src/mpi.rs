//! MPI: fetches an implementation, and runs the tests of `swathe-distributed` in processes that it starts.
//!
//! All tests are compiled with the crate's feature `mpi` then: what the crate `mpi` needs changes features of crates far below, and a
//! test of its own would compile those and the library once more.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Options;
use crate::lock::Lock;
use crate::summary::{Outcome, Summary};
use crate::test::Tools;
use crate::wheel::Wheel;
use crate::workspace::{Workspace, announce};

/// Compiler wrapper, launcher and library, which are found relative to themselves.
const MPICH: Wheel = Wheel {
    package: "mpich",
    version: "5.0.2",
    sha256: [
        "8fed465ebff269ea2ebac179a25de02671ddf8df476e0f115be089015015cfd4",
        "992ae6ebb0da97d49d7a67000ae8112da9a3825da1bb1e6f1d196428a0410f2d",
    ],
    files: &[
        ("mpich-5.0.2.data/data/bin/mpicc", "bin/mpicc"),
        ("mpich-5.0.2.data/data/bin/mpiexec", "bin/mpiexec"),
        ("mpich-5.0.2.data/data/bin/hydra_pmi_proxy", "bin/hydra_pmi_proxy"),
        ("mpich-5.0.2.data/data/include/mpi.h", "include/mpi.h"),
        ("mpich-5.0.2.data/data/include/mpi_proto.h", "include/mpi_proto.h"),
        ("mpich-5.0.2.data/data/lib/libmpi.so", "lib/libmpi.so"),
        ("mpich-5.0.2.data/data/lib/libmpi.so.12", "lib/libmpi.so.12"),
        (
            "mpich-5.0.2.data/data/lib/mpich/libfabric.so.1",
            "lib/mpich/libfabric.so.1",
        ),
        ("mpich-5.0.2.data/data/lib/mpich/libucm.so.0", "lib/mpich/libucm.so.0"),
        ("mpich-5.0.2.data/data/lib/mpich/libucp.so.0", "lib/mpich/libucp.so.0"),
        ("mpich-5.0.2.data/data/lib/mpich/libucs.so.0", "lib/mpich/libucs.so.0"),
        (
            "mpich-5.0.2.data/data/lib/mpich/libucs_signal.so.0",
            "lib/mpich/libucs_signal.so.0",
        ),
        ("mpich-5.0.2.data/data/lib/mpich/libuct.so.0", "lib/mpich/libuct.so.0"),
        ("mpich-5.0.2.dist-info/licenses/LICENSE", "License.txt"),
    ],
};

/// It reads MPI's header for the crate `mpi`.
const LIBCLANG: Wheel = Wheel {
    package: "libclang",
    version: "18.1.1",
    sha256: [
        "c533091d8a3bbf7460a00cb6c1a71da93bffe148f172c7d03b1c31fbf8aa2a0b",
        "54dda940a4a0491a9d1532bf071ea3ef26e6dbaf03b5000ed94dd7174e8f9592",
    ],
    files: &[
        (
            "libclang-18.1.1.data/platlib/clang/native/libclang.so",
            "lib/libclang.so",
        ),
        ("libclang-18.1.1.dist-info/LICENSE.TXT", "License.txt"),
    ],
};

/// Numbers of processes and what they do: `distributed/tests/mpi`.
const RUNS: [(&str, &str); 7] = [
    ("2", "all"),
    ("4", "all"),
    ("3", "panic"),
    ("3", "error"),
    ("3", "order"),
    ("3", "late"),
    ("3", "end"),
];

/// Only the tests in processes.
pub fn run(workspace: &Workspace, options: &Options, summary: &mut Summary) {
    match provide(&workspace.target, !options.no_download) {
        Ok(mpi) => {
            let selection = ["-p", "swathe-distributed", "--features", "mpi"];
            mpi.tests(workspace, &selection, &Tools::default(), summary);
        }
        Err(why) => summary.step("MPI", Outcome::Failed, why),
    }
}

/// What an MPI program needs to be compiled and run.
pub struct Mpi {
    folder: PathBuf,
    libclang: PathBuf,
    /// Headers of the compiler that libclang has not.
    include: String,
}

/// Fetches it unless it is there, and tries it.
///
/// # Errors
/// Why there is none.
pub fn provide(target: &Path, download: bool) -> Result<Mpi, String> {
    let _lock = Lock::take(target).map_err(|e| format!("cannot lock {}: {e}", target.display()))?;
    let folder = |wheel: &Wheel| -> Result<PathBuf, String> {
        let folder = target.join(wheel.package);
        if !wheel.is_in(&folder) {
            match download {
                true => wheel.fetch(&folder)?,
                false => return Err(format!("{} is not there, and nothing may be fetched", wheel.package)),
            }
        }
        Ok(folder)
    };
    let (mpich, libclang) = (folder(&MPICH)?, folder(&LIBCLANG)?);
    let mpi = Mpi {
        folder: mpich,
        libclang,
        include: output(Command::new("cc").arg("-print-file-name=include"))?,
    };
    mpi.try_out()?;
    Ok(mpi)
}

/// What a program prints.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cannot run {name}: {e}"))?;
    if !output.status.success() {
        let told = String::from_utf8_lossy(&output.stderr);
        let last = told.lines().last().unwrap_or("it says nothing");
        return Err(format!("{name} failed: {last}"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

impl Mpi {
    /// Compiles and runs a program of two processes: what fails here fails no test.
    fn try_out(&self) -> Result<(), String> {
        let (source, program) = (self.folder.join("try.c"), self.folder.join("try"));
        fs::write(&source, TRY).map_err(|e| format!("cannot write {}: {e}", source.display()))?;
        output(self.program("mpicc").arg(&source).arg("-o").arg(&program))?;
        let told = output(self.program("mpiexec").args(["-n", "2"]).arg(&program))?;
        match &told[..] {
            "2" => Ok(()),
            _ => Err(format!("mpiexec started 2 processes, and they say {told:?}")),
        }
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join("bin").join(name));
        self.give(&mut command);
        command
    }

    /// For building with the feature `mpi`, and for running what was built.
    pub fn give(&self, command: &mut Command) {
        command
            .env("MPICC", self.folder.join("bin/mpicc"))
            .env("LIBCLANG_PATH", self.libclang.join("lib"))
            .env("BINDGEN_EXTRA_CLANG_ARGS", format!("-I{}", self.include))
            .env("LD_LIBRARY_PATH", self.folder.join("lib"))
            // Seconds: ranks that hang are a failure.
            .env("MPIEXEC_TIMEOUT", "120");
    }

    /// The tests in processes, after `cargo test` with the arguments `selection`, whose build they use.
    pub fn tests(&self, workspace: &Workspace, selection: &[&str], tools: &Tools, summary: &mut Summary) {
        let start = Instant::now();
        for (processes, scenario) in RUNS {
            let mut command = workspace.cargo(&["test"]);
            command.args(selection);
            command.args(["--test", "mpi", "--config", &self.runner(processes), "--", scenario]);
            tools.give(&mut command);
            self.give(&mut command);
            announce(&command);
            let outcome = command.stdin(Stdio::null()).status();
            let failure = match outcome {
                Ok(status) if status.success() => continue,
                Ok(_) => format!("`{scenario}` failed on {processes} processes"),
                Err(e) => format!("cannot run cargo: {e}"),
            };
            return summary.step("MPI", Outcome::Failed, failure);
        }
        let (runs, seconds) = (RUNS.len(), start.elapsed().as_secs());
        summary.step(
            "MPI",
            Outcome::Ok,
            format!("{runs} runs of 2 to 4 processes, {seconds} s"),
        );
    }

    /// Says to cargo how test programs are run.
    fn runner(&self, processes: &str) -> String {
        let (mpiexec, arch) = (self.folder.join("bin/mpiexec"), std::env::consts::ARCH);
        format!("target.{arch}-unknown-linux-gnu.runner=[{mpiexec:?}, \"-n\", \"{processes}\"]")
    }
}

const TRY: &str = "\
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int size, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf(\"%d\\n\", size);
    return MPI_Finalize();
}
";
