//! From CUDA C to machine code, by way of the cache.

use std::time::Instant;

use super::cache::{Cache, Key, Lookup};
use super::notices::Notices;
use super::nvrtc::{Nvrtc, Target};
use crate::codegen::with_large_stack;
use crate::error::CudaError;
use crate::kernel::{Arithmetic, KernelInfo};

/// Options beside the architecture. Line information costs nothing at run time, and lets profilers and
/// `compute-sanitizer` name lines of the Rust source.
pub(super) fn options(kernel: &KernelInfo) -> [&'static str; 2] {
    let arithmetic = match kernel.arithmetic {
        Arithmetic::Strict => "--fmad=false",
        Arithmetic::Contracted => "--fmad=true",
        Arithmetic::Fast => "--use_fast_math",
    };
    ["--generate-line-info", arithmetic]
}

/// What NVRTC calls the text.
pub(super) const NAME: &str = "kernel.cu";

/// Machine code of a kernel.
pub(super) struct Image {
    pub bytes: Vec<u8>,
    /// Where it came from, if that was the cache.
    pub cached: Option<(Cache, Key)>,
    pub nvrtc: &'static Nvrtc,
}

/// Whether to believe the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    Cache,
    /// What the cache held could not be loaded.
    Nothing,
}

/// What a device needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct For<'a> {
    /// Its name in messages.
    pub label: &'a str,
    pub capability: (u32, u32),
}

/// The machine code of a text for a device; `reason` says why it is wanted.
pub(super) fn image(
    device: For<'_>,
    kernel: &'static KernelInfo,
    text: &str,
    trust: Trust,
    reason: &str,
    notices: &mut Notices,
) -> Result<Image, CudaError> {
    let nvrtc = Nvrtc::get()?;
    let Some(target) = Target::for_device(device.capability, &nvrtc.architectures) else {
        return Err(CudaError::OldDevice {
            device: device.label.to_owned(),
            capability: device.capability,
            nvrtc: nvrtc.version,
        });
    };
    let options = options(kernel);
    let key = key(nvrtc, target, &options, text);
    let cache = Cache::from_env(notices);
    let why = match (&cache, trust) {
        (Err(reason), _) => reason.clone(),
        (_, Trust::Nothing) => "what the cache held cannot be loaded".to_owned(),
        (Ok(cache), Trust::Cache) => match cache.load(&key) {
            Lookup::Found(bytes) => {
                notices.add(log::Level::Debug, || {
                    format!("kernel `{}` for {}: from the cache", kernel.name, device.label)
                });
                return Ok(Image {
                    bytes,
                    cached: Some((cache.clone(), key)),
                    nvrtc,
                });
            }
            Lookup::Missing(reason) => reason,
        },
    };
    let start = Instant::now();
    let bytes = with_large_stack(|| nvrtc.compile(text, target, &options)).map_err(|log| refused(kernel, text, log))?;
    let took = start.elapsed().as_secs_f64() * 1e3;
    notices.add(log::Level::Info, || {
        let (name, label, target) = (kernel.name, device.label, target.option());
        format!("compiled kernel `{name}` for {label} ({target}) in {took:.0} ms: {reason}, {why}")
    });
    match cache.map(|cache| cache.store(&key, &bytes)) {
        Ok(Ok(removed)) => {
            for path in removed {
                let text = || format!("{} is removed from the cache, which is full", path.display());
                notices.add(log::Level::Debug, text);
            }
        }
        Ok(Err(error)) => {
            let name = kernel.name;
            notices.add(log::Level::Warn, || {
                format!("kernel `{name}` could not be put into the cache: {error}")
            });
        }
        Err(_) => {}
    }
    Ok(Image {
        bytes,
        cached: None,
        nvrtc,
    })
}

/// The file counts too: what stands in for NVRTC in tests has a version like any other.
fn key(nvrtc: &Nvrtc, target: Target, options: &[&str], text: &str) -> Key {
    let version = format!("{}.{}", nvrtc.version.0, nvrtc.version.1);
    let file = nvrtc.file.to_string_lossy();
    let mut parts = vec![file.as_bytes(), version.as_bytes()];
    let target = target.option();
    parts.push(target.as_bytes());
    parts.extend(options.iter().map(|option| option.as_bytes()));
    parts.push(text.as_bytes());
    Key::new(&parts)
}

/// NVRTC's log, with the place in Rust that its first error names.
fn refused(kernel: &'static KernelInfo, text: &str, log: String) -> CudaError {
    let place = log.lines().filter(|line| line.contains("error")).find_map(place);
    // Lines before the first `#line` are of no Rust file.
    let place = place.filter(|(file, _)| *file != NAME);
    let (file, line) = place.map_or((kernel.file.to_owned(), kernel.line), |(file, line)| {
        (file.to_owned(), line)
    });
    CudaError::Compile {
        kernel: kernel.name,
        excerpt: excerpt(text, place),
        file,
        line,
        log,
    }
}

/// File and line of a message `file(line): error: ..`.
fn place(message: &str) -> Option<(&str, u32)> {
    let (place, _) = message.split_once("): ")?;
    let (file, line) = place.rsplit_once('(')?;
    Some((file, line.parse().ok()?))
}

/// The lines of the text around those that came from a place, with their numbers in the text.
fn excerpt(text: &str, place: Option<(&str, u32)>) -> String {
    const AROUND: usize = 3;
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    let (mut file, mut number) = (NAME, 1);
    for (k, line) in lines.iter().enumerate() {
        if let Some(directive) = line.strip_prefix("#line ") {
            let (n, rest) = directive.split_once(' ').unwrap_or((directive, ""));
            number = n.parse().unwrap_or(number);
            if !rest.is_empty() {
                file = rest.trim_matches('"');
            }
            continue;
        }
        if place == Some((file, number)) {
            at = k;
            break;
        }
        number += 1;
    }
    let shown = at.saturating_sub(AROUND)..lines.len().min(at + AROUND + 1);
    shown.map(|k| format!("{:>5} | {}\n", k + 1, lines[k])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "typedef unsigned u32;\n#line 40 \"src/main.rs\"\nvoid f() {\n    a;\n#line 50\n    b;\n    c;\n}\n";

    #[test]
    fn excerpt_shows_the_line_that_the_log_names() {
        let info: &'static KernelInfo = &KernelInfo {
            name: "f",
            file: "src/main.rs",
            line: 40,
            arithmetic: Arithmetic::Contracted,
            optimised: true,
            sites: &[],
            files: &[],
            loops: &[],
        };
        let log = "src/main.rs(51): error: identifier \"c\" is undefined\n\n1 error detected";
        let CudaError::Compile {
            file, line, excerpt, ..
        } = refused(info, TEXT, log.to_owned())
        else {
            panic!("another error");
        };
        assert_eq!((file.as_str(), line), ("src/main.rs", 51));
        assert!(excerpt.contains("    7 |     c;\n"), "{excerpt}");
        assert_eq!(excerpt.lines().count(), 5, "{excerpt}");
    }

    #[test]
    fn error_without_place_is_at_the_kernel() {
        assert_eq!(place("NVRTC_ERROR_OUT_OF_MEMORY"), None);
        assert!(excerpt(TEXT, None).starts_with("    1 | typedef"));
    }
}
