//! From CUDA C to a shared library, by the host's C++ compiler, with the results kept in a folder.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::config::Config;
use crate::text::{Scan, scan};

const HEADER: &str = include_str!("device.h");
const FLAGS: &[&str] = &[
    "-O2",
    "-shared",
    "-fPIC",
    "-w",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-builtin",
    "-fno-math-errno",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-diagnostics-show-caret",
    "-nodefaultlibs",
    "-Wl,-Bsymbolic",
];

/// What of NVRTC's options reaches the host compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// `-D`, `-U`, `-I`, `-std`.
    pub passed: Vec<String>,
    /// `90` for `sm_90`.
    pub arch: u32,
    /// A `sm_..`, so that there is a cubin.
    pub real: bool,
}

/// A built text.
#[derive(Clone, Debug)]
pub(crate) struct Built {
    pub library: Vec<u8>,
    pub waits: bool,
}

pub(crate) fn hash(parts: &[&[u8]]) -> u128 {
    let mut state = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    for part in parts {
        for &byte in (part.len() as u64).to_le_bytes().iter().chain(*part) {
            state = (state ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    state
}

fn registered(scan: &Scan) -> String {
    let mut text = scan.text.clone();
    text.push_str("\n#line 1 \"softcuda\"\nextern \"C\" __attribute__((visibility(\"default\"))) const softcuda_kernel softcuda_kernels[] = {\n");
    for kernel in &scan.kernels {
        text.push_str(&format!(
            "SOFTCUDA_KERNEL({}, unsigned({}))\n",
            kernel.name, kernel.bounds
        ));
    }
    text.push_str("{}};\n");
    text
}

/// A name that no other process or thread uses.
pub(crate) fn unique(suffix: &str) -> PathBuf {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let n = NUMBER.fetch_add(1, Ordering::Relaxed);
    Config::get()
        .cache
        .join(format!("tmp-{}-{n}{suffix}", std::process::id()))
}

/// As a GPU does, `a * b + c` is rounded once unless an option says otherwise, if the host has such an instruction. If one
/// does, the compiler must not know the instruction: GCC 12 makes `fmaddsub` of complex products all the same.
fn contraction(options: &Options) -> &'static [&'static str] {
    #[cfg(target_arch = "x86_64")]
    if !options.passed.iter().any(|o| o == "-ffp-contract=off") && std::arch::is_x86_feature_detected!("fma") {
        return &["-ffp-contract=fast", "-mfma"];
    }
    &["-ffp-contract=off"]
}

/// Compiles a text called `name`; `Err` holds the log.
pub(crate) fn build(name: &str, text: &str, options: &Options) -> Result<Built, String> {
    let config = Config::get();
    let scan = scan(text);
    let arch = format!("-D__CUDA_ARCH__={}0", options.arch);
    let standard = if options.passed.iter().any(|o| o.starts_with("-std")) {
        ""
    } else {
        "-std=c++17"
    };
    let mut flags: Vec<&str> = FLAGS.to_vec();
    flags.extend(contraction(options));
    flags.extend(options.passed.iter().map(String::as_str));
    flags.extend(config.flags.iter().map(String::as_str));
    flags.extend([arch.as_str(), standard].iter().filter(|f| !f.is_empty()));
    let full = format!(
        "#line 1 \"{}\"\n{}",
        name.replace(['"', '\\', '\n'], "_"),
        registered(&scan)
    );
    let joined = flags.join("\n");
    let key = hash(&[
        HEADER.as_bytes(),
        full.as_bytes(),
        joined.as_bytes(),
        config.compiler.as_bytes(),
    ]);
    let kept = config.cache.join(format!("{key:032x}.so"));
    // Headers on the include path may change, so that such a text is not kept.
    let keep = !options.passed.iter().any(|o| o.starts_with("-I"));
    if keep && let Some(library) = load(&kept) {
        return Ok(Built {
            library,
            waits: scan.waits,
        });
    }
    let library = run(&full, &flags).map_err(|log| nvrtc_style(&log, name))?;
    if keep {
        store(&kept, &library);
    }
    Ok(Built {
        library,
        waits: scan.waits,
    })
}

/// A kept library with an intact checksum.
fn load(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = std::fs::read(path).ok()?;
    let sum = bytes.split_off(bytes.len().checked_sub(16)?);
    (hash(&[&bytes]).to_le_bytes()[..] == sum[..]).then_some(bytes)
}

fn store(path: &Path, library: &[u8]) {
    let part = unique(".part");
    let mut bytes = library.to_vec();
    bytes.extend(hash(&[library]).to_le_bytes());
    if std::fs::write(&part, bytes)
        .and_then(|()| std::fs::rename(&part, path))
        .is_err()
    {
        let _ = std::fs::remove_file(&part);
    }
}

fn run(text: &str, flags: &[&str]) -> Result<Vec<u8>, String> {
    let config = Config::get();
    std::fs::create_dir_all(&config.cache).map_err(|e| format!("{}: {e}", config.cache.display()))?;
    let header = unique(".h");
    let output = unique(".so");
    std::fs::write(&header, HEADER).map_err(|e| format!("{}: {e}", header.display()))?;
    let mut arguments: Vec<OsString> = ["-x", "c++"].map(OsString::from).to_vec();
    arguments.extend(flags.iter().map(OsString::from));
    arguments.extend([
        "-include".into(),
        header.clone().into_os_string(),
        "-o".into(),
        output.clone().into_os_string(),
    ]);
    arguments.extend(["-", "-x", "none", "-lm", "-lc"].map(OsString::from));
    let done = compile(&config.compiler, &arguments, text);
    let _ = std::fs::remove_file(&header);
    let library = done.and_then(|()| std::fs::read(&output).map_err(|e| format!("{}: {e}", output.display())));
    let _ = std::fs::remove_file(&output);
    library
}

fn compile(compiler: &str, arguments: &[OsString], text: &str) -> Result<(), String> {
    let missing = |e: std::io::Error| format!("the host compiler `{compiler}` (environment variable CXX): {e}");
    let mut child = Command::new(compiler)
        .args(arguments)
        .env("LC_ALL", "C")
        // It must not take this library for the real one.
        .env_remove("LD_LIBRARY_PATH")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(missing)?;
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(text.as_bytes());
    }
    let output = child.wait_with_output().map_err(missing)?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// `file:line:column: error: ..` as NVRTC writes it: `file(line): error: ..`.
fn nvrtc_style(log: &str, name: &str) -> String {
    let mut out = String::new();
    let mut errors = 0;
    for line in log.lines() {
        let Some((place, message)) = line
            .split_once(": error: ")
            .or_else(|| line.split_once(": fatal error: "))
        else {
            continue;
        };
        errors += 1;
        let mut parts = place.rsplitn(3, ':');
        let (last, middle, file) = (parts.next(), parts.next(), parts.next());
        match (file, middle, last) {
            (Some(file), Some(row), Some(_)) => out.push_str(&format!("{file}({row}): error: {message}\n")),
            _ => out.push_str(&format!("{place}: error: {message}\n")),
        }
    }
    if errors == 0 {
        out.push_str(log);
    }
    let plural = if errors == 1 { "" } else { "s" };
    out.push_str(&format!(
        "\n{} error{plural} detected in the compilation of \"{name}\".\n",
        errors.max(1)
    ));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_look_like_nvrtc() {
        let log =
            "k.cu: In function 'f':\nk.cu:3:7: error: 'x' was not declared in this scope\nsrc/a.rs:9:1: error: b\n";
        let expected = "k.cu(3): error: 'x' was not declared in this scope\nsrc/a.rs(9): error: b\n\n2 errors detected in the compilation of \"k.cu\".\n";
        assert_eq!(nvrtc_style(log, "k.cu"), expected);
    }

    #[test]
    fn hashes_differ_by_boundaries() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
        assert_ne!(hash(&[b""]), hash(&[]));
    }
}
