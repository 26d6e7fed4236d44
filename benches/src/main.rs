//! Times whole workloads: see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    swathe_benches::main()
}
