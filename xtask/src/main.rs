//! The chores of swathe. `cargo xtask help` lists them.

mod bench;
mod checks;
mod debian;
mod examples;
mod fuzz;
mod gallery;
mod gpu_pack;
#[cfg(test)]
mod guide;
mod hostile;
mod lock;
mod mpi;
mod nvrtc;
mod price;
mod program;
mod programs;
mod ptx;
mod python;
#[cfg(test)]
mod rooms;
mod rust_sources;
mod sanitize;
mod summary;
mod test;
mod wheel;
mod workspace;

use std::process::ExitCode;

use summary::Summary;
use workspace::Workspace;

const HELP: &str = "\
The chores of swathe

Usage: cargo xtask <command> [options]

Commands:
  test      Set up what the tests need, and run them all
  ci        Formatting, clippy on all forms of loops, `ptx --check`, then `test --require-nvrtc`
  setup     Only the set-up of `test`: find or fetch NVRTC, ptxas, nvdisasm
  mpi       Only those tests of `test` in which ranks are processes
  bench     Run the benchmarks on the CPU, write benches/results/<date>-<cpu>.json
  price     What checks of bounds cost on the CPU; the options of `bench`
  fuzz      Compare random kernels in an interpreter, on the CPU and on CUDA
  gallery   Run the examples, write target/gallery/index.md with their pictures
  gpu-pack  Pack tests, examples and benchmarks for a machine with a GPU
  sanitize  The suite on the CPU under ThreadSanitizer and AddressSanitizer (nightly)
  ptx       Compile device-kernels/ to device-kernels/ptx/*.ptx
  help      This text

Options of `ptx`:
  --check           Write nothing, fail if a file is stale
  --no-download     Fetch nothing, use only what this machine has

Options of `test`, `ci`, `setup` and `mpi`:
  --require-nvrtc   Fail if NVRTC, ptxas or nvdisasm can be neither found nor fetched
  --no-download     Fetch nothing, use only what this machine has

Options of `test`:
  -- <arguments>    Hand these to `cargo test` in the place of `--workspace`:
                    cargo xtask test -- -p swathe field

Options of `bench`:
  --threads <N>     Threads of the CPU: all cores if not given
  --rounds <N>      Measurements of which the median counts: 3
  --quick           Small inputs, and the file goes to target/benches
  --peers <folder>  Other libraries' benchmarks, in turns with ours: run.py,
                    compare.py and requirements.txt, which is installed into
                    a virtual environment in target/benches
  --scaling         The cost of an element for 2^8 to 2^26 of them, on 1 to N
                    threads, as numbers and a plot

Options of `fuzz`:
  --kernels <N>     How many: 1000
  --gradients <N>   So many with derivatives in their place, compared with dual
                    numbers
  --expressions <N> So many expressions over fields in their place, compared
                    with arrays of ndarray, step by step
  --seed <N>        The seed of the first one, from which they count up: 1
  --build <name>    debug, lanes or optimised: batches of all of them in turns
  --hostile         Programs of hostile users in the place of kernels that are
                    right, compared with plain Rust: --programs <N>, --seed <N>,
                    --jobs <N> batches at once (2), --cuda: on the software
                    device, too, --sanitize: under AddressSanitizer
                    (nightly), --print: only their text

What `ptx` needs:
  One version of Rust with its component rust-src, so that the text is the same
  everywhere. It is searched among rustup's toolchains; where it is missing, it is
  fetched into target/ptx: as Debian's packages by apt-get (about 100 MB), or by
  rustup (about 130 MB). ptxas has to accept the text.

What the set-up does:
  The tests that compile CUDA C need NVRTC, NVIDIA's compiler library, but no
  GPU and no driver. It is searched in SWATHE_NVRTC (a library or a folder),
  target/nvrtc, CUDA_HOME, CUDA_PATH, /usr/local/cuda* and where the loader
  looks. Where it is missing, `python3 -m pip` fetches it from PyPI into
  target/nvrtc/lib. ptxas and nvdisasm are found or fetched the same way
  (SWATHE_PTXAS, target/ptxas/bin; SWATHE_NVDISASM, target/nvdisasm/bin). The
  tests get the paths in SWATHE_NVRTC, SWATHE_PTXAS and SWATHE_NVDISASM.
  Python with NumPy is SWATHE_PYTHON, python3 if it has NumPy, or an environment
  that is made in target/python.
  `test` also runs the tests of ranks that are processes: MPICH and libclang come
  from PyPI into target/mpich and target/libclang.
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_else(|| "help".into());
    let workspace = Workspace::find();
    let mut summary = Summary::default();
    if command == "bench" {
        match bench::Plan::parse(arguments) {
            Ok(plan) => bench::run(&workspace, &plan, &mut summary),
            Err(message) => return usage(&message),
        }
        return finish(&summary);
    }
    if command == "price" {
        match bench::Plan::parse(arguments) {
            Ok(plan) => price::run(&workspace, &plan, &mut summary),
            Err(message) => return usage(&message),
        }
        return finish(&summary);
    }
    if command == "fuzz" {
        let (hostile, arguments) = hostile::options(arguments);
        if hostile {
            hostile::run(&workspace, &arguments, &mut summary);
            return finish(&summary);
        }
        match fuzz::Plan::parse(arguments.into_iter()) {
            Ok(plan) => fuzz::run(&workspace, &plan, &mut summary),
            Err(message) => return usage(&message),
        }
        return finish(&summary);
    }
    let options = match Options::parse(arguments) {
        Ok(options) => options,
        Err(message) => return usage(&message),
    };
    if options.help || matches!(command.as_str(), "help" | "--help" | "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if command != "test" && options.cargo_test.is_some() {
        return usage(&format!("`{command}` takes no arguments after `--`"));
    }
    match command.as_str() {
        "test" => test::run(&workspace, &options, &mut summary),
        "ci" => checks::ci(&workspace, options, &mut summary),
        "mpi" => mpi::run(&workspace, &options, &mut summary),
        "setup" => drop(test::set_up(&workspace, &options, &mut summary)),
        "ptx" => ptx::run(&workspace, options.check, !options.no_download, true, &mut summary),
        "sanitize" => sanitize::run(&workspace, &mut summary),
        "gallery" => gallery::run(&workspace, &mut summary),
        "gpu-pack" => gpu_pack::run(&workspace, &mut summary),
        other => return usage(&format!("there is no command `{other}`")),
    }
    finish(&summary)
}

fn finish(summary: &Summary) -> ExitCode {
    println!("\n{summary}");
    if summary.failed() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn usage(message: &str) -> ExitCode {
    eprintln!("error: {message}\n\n{HELP}");
    ExitCode::from(2)
}

#[derive(Default)]
struct Options {
    require_nvrtc: bool,
    no_download: bool,
    check: bool,
    help: bool,
    cargo_test: Option<Vec<String>>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--require-nvrtc" => options.require_nvrtc = true,
                "--no-download" => options.no_download = true,
                "--check" => options.check = true,
                "--help" | "-h" => options.help = true,
                "--" => options.cargo_test = Some(arguments.by_ref().collect()),
                other => return Err(format!("unknown option `{other}`")),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(line.split_whitespace().map(String::from))
    }

    #[test]
    fn what_follows_the_dashes_is_for_cargo() {
        let options = parse("--require-nvrtc -- -p swathe --no-download").unwrap();
        assert!(options.require_nvrtc);
        assert!(!options.no_download);
        assert_eq!(options.cargo_test.unwrap(), ["-p", "swathe", "--no-download"]);
    }

    #[test]
    fn an_unknown_option_is_named() {
        assert_eq!(
            parse("--requires-nvrtc").err().unwrap(),
            "unknown option `--requires-nvrtc`"
        );
    }
}
