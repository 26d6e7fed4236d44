//! `softcuda COMMAND ARGUMENTS..`: runs a command on the software CUDA device. `softcuda --install FOLDER`: makes a folder
//! for `LD_LIBRARY_PATH`.

use std::os::unix::process::CommandExt;
use std::process::ExitCode;

use swathe_software_cuda::harness;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let result = match (words.next(), words.next()) {
        (Some(option), Some(folder)) if option == "--install" => harness::install(folder.as_ref()),
        (Some(program), first) => harness::command(program)
            .map(|mut c| c.args(first).args(words).exec())
            .and_then(Err),
        (None, _) => {
            eprintln!("usage: softcuda COMMAND ARGUMENTS.. | softcuda --install FOLDER");
            return ExitCode::FAILURE;
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("softcuda: {e}");
            ExitCode::FAILURE
        }
    }
}
