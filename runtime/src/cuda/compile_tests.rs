//! Compilation by NVRTC itself, which needs neither GPU nor driver. Where there is no NVRTC these tests say so and pass, unless
//! `SWATHE_REQUIRE_NVRTC` is set.

use std::process::Command;

use super::cache::{Cache, Key, Lookup};
use super::compile::{self, For, Image, Trust, image};
use super::notices::Notices;
use super::nvrtc::{Nvrtc, Target};
use crate::error::CudaError;
use crate::kernel::KernelInfo;

const TEXT: &str = "extern \"C\" __global__ void scale(float* x, float a) {\n    x[blockIdx.x] *= a;\n}\n";

static INFO: KernelInfo = KernelInfo {
    name: "scale",
    file: "src/scale.rs",
    line: 3,
    arithmetic: crate::kernel::Arithmetic::Contracted,
    optimised: true,
    sites: &[],
    files: &[],
    loops: &[],
};

fn nvrtc() -> Option<&'static Nvrtc> {
    match Nvrtc::get() {
        Ok(nvrtc) => Some(nvrtc),
        Err(error) => {
            assert!(std::env::var_os("SWATHE_REQUIRE_NVRTC").is_none(), "{error}");
            eprintln!("not tested: {error}");
            None
        }
    }
}

fn compiled(text: &str) -> Result<Image, CudaError> {
    let device = For {
        label: "a test",
        capability: (9, 0),
    };
    let mut notices = Notices::default();
    let image = image(device, &INFO, text, Trust::Cache, "a test", &mut notices);
    notices.log();
    image
}

#[test]
fn text_becomes_a_cubin() {
    let Some(nvrtc) = nvrtc() else { return };
    assert!(nvrtc.version >= (12, 0), "{:?}", nvrtc.version);
    assert!(nvrtc.architectures.contains(&90));
    let cubin = nvrtc.compile(TEXT, Target::Cubin(90), &[]).expect("a correct text");
    assert!(cubin.len() > 500);
    let ptx = nvrtc.compile(TEXT, Target::Ptx(80), &[]).expect("a correct text");
    let ptx = String::from_utf8(ptx).expect("PTX is text");
    assert!(ptx.contains(".entry scale"), "{ptx}");
}

#[test]
fn fault_in_the_text_leads_to_the_rust_line() {
    if nvrtc().is_none() {
        return;
    }
    let text = "#line 7 \"src/scale.rs\"\nextern \"C\" __global__ void f(float* x) {\n#line 12\n    x[0] = y;\n}\n";
    let Err(CudaError::Compile {
        kernel,
        file,
        line,
        log,
        excerpt,
    }) = compiled(text)
    else {
        panic!("`y` is not declared");
    };
    assert_eq!((kernel, file.as_str(), line), ("scale", "src/scale.rs", 12));
    assert!(log.contains('y'), "{log}");
    assert!(excerpt.contains("    4 |     x[0] = y;"), "{excerpt}");
}

/// What a program is told while it compiles.
#[test]
fn logs_to_its_output() {
    struct Output;
    impl log::Log for Output {
        fn enabled(&self, _: &log::Metadata<'_>) -> bool {
            true
        }

        fn log(&self, record: &log::Record<'_>) {
            println!("{}: {}", record.level(), record.args());
            // A logger may use what it is told of.
            let _ = crate::Device::default();
        }

        fn flush(&self) {}
    }
    if std::env::var_os("SWATHE_TEST_LOGS").is_none() {
        return;
    }
    log::set_logger(&Output).expect("the only one");
    log::set_max_level(log::LevelFilter::Trace);
    assert!(compiled(TEXT).is_ok());
}

#[test]
fn every_compilation_gives_its_reason() {
    if nvrtc().is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |cache: &str, expected: &str, compiles: bool| {
        let output = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "cuda::compile_tests::logs_to_its_output", "--nocapture"])
            .env("SWATHE_TEST_LOGS", "1")
            .env("SWATHE_CACHE_DIR", folder.path())
            .env("SWATHE_CACHE", cache)
            .output()
            .expect("this program again");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains(expected), "{expected}: {text}");
        let line = "INFO: compiled kernel `scale` for a test (--gpu-architecture=sm_90)";
        assert_eq!(text.contains(line), compiles, "{text}");
    };
    run("0", ": a test, the cache is off (SWATHE_CACHE=0)", true);
    run("", ": a test, not in the cache at ", true);
    run("", "kernel `scale` for a test: from the cache", false);
    let file = std::fs::read_dir(folder.path()).expect("the cache").next();
    std::fs::write(file.expect("an entry").expect("an entry").path(), "swathe1").expect("a writable entry");
    run("", " is damaged", true);
    run("", "kernel `scale` for a test: from the cache", false);
}

/// The program of which several run at once.
#[test]
fn compiles_on_eight_threads() {
    if std::env::var_os("SWATHE_TEST_COMPILES").is_none() {
        return;
    }
    let images: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| compiled(TEXT).map(|image| image.bytes)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    for image in &images {
        assert_eq!(image, &images[0]);
        assert!(image.is_ok(), "{image:?}");
    }
}

#[test]
fn processes_and_threads_leave_one_valid_entry() {
    let Some(nvrtc) = nvrtc() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let process = || {
        Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "cuda::compile_tests::compiles_on_eight_threads"])
            .env("SWATHE_TEST_COMPILES", "1")
            .env("SWATHE_CACHE_DIR", folder.path())
            .env_remove("SWATHE_CACHE")
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("this program again")
    };
    for mut process in [process(), process()] {
        assert!(process.wait().expect("its end").success());
    }
    let files: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the cache")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    // Whole, and what a compilation without a cache makes.
    let cache = Cache::at(folder.path(), u64::MAX);
    let Lookup::Found(entry) = cache.load(&Key::named(&files[0].to_string_lossy())) else {
        panic!("the entry is broken");
    };
    let alone = nvrtc
        .compile(TEXT, Target::Cubin(90), &compile::options(&INFO))
        .expect("a correct text");
    assert_eq!(entry, alone);
}
