//! What the environment sets.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::real::Real;

/// Settings, read once.
#[derive(Debug)]
pub(crate) struct Config {
    pub devices: usize,
    /// Bytes of each device.
    pub memory: usize,
    /// Compute capability.
    pub capability: (i32, i32),
    /// Threads of the operating system that run blocks.
    pub threads: usize,
    /// Work runs when it is enqueued, not when somebody waits for it.
    pub eager: bool,
    /// What `cuDriverGetVersion` says.
    pub driver: i32,
    /// What `nvrtcVersion` says.
    pub nvrtc: (i32, i32),
    pub cache: PathBuf,
    pub leaks: Leaks,
    /// Findings go to standard error.
    pub log: bool,
    pub code: Code,
    /// Chooses the order of blocks and threads.
    pub order: Option<u64>,
    /// Chooses the results of approximations.
    pub approximations: Option<u64>,
    /// Are races in global memory errors?
    pub races: bool,
    pub fail: String,
    pub compiler: String,
    pub flags: Vec<String>,
}

/// What runs of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// What the host's C++ compiler makes of it.
    Host,
    /// The PTX that NVIDIA's NVRTC makes of it.
    Ptx,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaks {
    Ignore,
    Report,
    Abort,
}

fn var(name: &str) -> Option<String> {
    std::env::var(format!("SWATHE_SOFTCUDA_{name}"))
        .ok()
        .filter(|v| !v.is_empty())
}

fn number(name: &str, default: usize) -> usize {
    var(name).and_then(|v| bytes(&v)).unwrap_or(default)
}

fn seed(name: &str) -> Option<u64> {
    var(name)?.parse().ok()
}

/// `3`, `64K`, `512M`, `8G`.
fn bytes(text: &str) -> Option<usize> {
    let shift = match text.trim().chars().last()?.to_ascii_uppercase() {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        _ => 0,
    };
    let digits = text.trim().trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse::<usize>().ok()?.checked_shl(shift)
}

fn pair(name: &str, default: (i32, i32)) -> (i32, i32) {
    let parse = |v: String| {
        let (a, b) = v.split_once('.')?;
        Some((a.parse().ok()?, b.parse().ok()?))
    };
    var(name).and_then(parse).unwrap_or(default)
}

/// What `nvrtcVersion` says unless told otherwise.
fn version(code: Code) -> (i32, i32) {
    match code {
        Code::Ptx => Real::get().map_or((13, 0), |real| real.version),
        Code::Host => (13, 0),
    }
}

impl Config {
    pub(crate) fn get() -> &'static Config {
        static CONFIG: OnceLock<Config> = OnceLock::new();
        CONFIG.get_or_init(|| {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let code = match var("CODE").as_deref() {
                Some("ptx") => Code::Ptx,
                _ => Code::Host,
            };
            let capability = match code {
                Code::Host => (9, 0),
                Code::Ptx => (7, 5),
            };
            Config {
                code,
                order: seed("ORDER"),
                approximations: seed("APPROX"),
                races: var("RACES").is_some_and(|v| v != "0"),
                devices: number("DEVICES", 1).min(64),
                memory: number("MEMORY", 4 << 30),
                capability: pair("CAPABILITY", capability),
                threads: number("THREADS", cores.min(8)).clamp(1, 64),
                eager: var("MODE").is_some_and(|v| v == "eager"),
                driver: number("DRIVER", 13000) as i32,
                nvrtc: pair("NVRTC", version(code)),
                cache: var("CACHE").map_or_else(
                    || {
                        // SAFETY: the call has no conditions.
                        let user = unsafe { libc::getuid() };
                        std::env::temp_dir().join(format!("swathe-softcuda-{user}"))
                    },
                    PathBuf::from,
                ),
                leaks: match var("LEAKS").as_deref() {
                    Some("report") => Leaks::Report,
                    Some("abort") => Leaks::Abort,
                    _ => Leaks::Ignore,
                },
                log: var("LOG").is_some_and(|v| v != "0"),
                fail: var("FAIL").unwrap_or_default(),
                compiler: std::env::var("CXX")
                    .ok()
                    .filter(|v| !v.is_empty())
                    .unwrap_or_else(|| "g++".into()),
                flags: var("CXXFLAGS")
                    .unwrap_or_default()
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(bytes("17"), Some(17));
        assert_eq!(bytes("64K"), Some(65536));
        assert_eq!(bytes("2g"), Some(2 << 30));
        assert_eq!(bytes("x"), None);
        assert_eq!(bytes(""), None);
    }
}
