//! What `nvrtcGetCUBIN` and `nvrtcGetPTX` hand out: a shared library behind a header, and the text itself.

use swathe_ptx_interpreter::Module as Ptx;

use crate::compile::{Built, Options, build, hash};
use crate::config::{Code as Runs, Config};
use crate::error::{Code, Result};

const MAGIC: &[u8; 16] = b"\x7fSWATHE-SOFT-BIN";
const HEADER: usize = 64;
/// The kind of a cubin that holds PTX; others say whether threads wait.
const PTX: u32 = 2;
const TEXT: &str = "// text of the software CUDA device, in the place of PTX\n";

/// What a cubin holds.
#[derive(Clone, Debug)]
pub(crate) enum Payload {
    Built(Built),
    /// PTX that NVIDIA's NVRTC has made.
    Ptx(String),
}

impl Payload {
    fn kind(&self) -> u32 {
        match self {
            Payload::Built(built) => u32::from(built.waits),
            Payload::Ptx(_) => PTX,
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Payload::Built(built) => &built.library,
            Payload::Ptx(text) => text.as_bytes(),
        }
    }
}

/// A cubin: magic, version, architecture, kind, length, checksum, shared library or PTX.
pub(crate) fn cubin(payload: &Payload, arch: u32) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(1_u32.to_le_bytes());
    out.extend(arch.to_le_bytes());
    out.extend(payload.kind().to_le_bytes());
    out.extend(0_u32.to_le_bytes());
    let bytes = payload.bytes();
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(hash(&[bytes]).to_le_bytes());
    out.resize(HEADER, 0);
    out.extend(bytes);
    out
}

/// PTX: printable, so that it survives as a C string.
pub(crate) fn ptx(name: &str, text: &str, options: &Options) -> Vec<u8> {
    let mut out = format!("{TEXT}// .target sm_{}\n// {name}\n", options.arch);
    for option in &options.passed {
        out.push_str(&format!("// option {option}\n"));
    }
    out.push_str("// text\n");
    out.push_str(text);
    out.into_bytes()
}

/// Copies memory of this process that may not be there.
fn peek(address: usize, bytes: usize) -> Vec<u8> {
    let mut out = vec![0_u8; bytes];
    let local = libc::iovec {
        iov_base: out.as_mut_ptr().cast(),
        iov_len: bytes,
    };
    let remote = libc::iovec {
        iov_base: address as *mut _,
        iov_len: bytes,
    };
    // SAFETY: writes `bytes` bytes to `out`; a bad source address is an error and no fault.
    let n = unsafe { libc::process_vm_readv(libc::getpid(), &raw const local, 1, &raw const remote, 1, 0) };
    out.truncate(n.max(0) as usize);
    out
}

/// Reads on to a terminating zero.
fn peek_string(address: usize) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let at = address + out.len();
        let piece = peek(at, 4096 - at % 4096);
        match piece.iter().position(|&b| b == 0) {
            Some(end) => {
                out.extend(&piece[..end]);
                return out;
            }
            None if piece.is_empty() => return out,
            None => out.extend(piece),
        }
    }
}

/// An image, ready to be loaded.
#[derive(Debug)]
pub(crate) enum Image {
    Built(Built),
    /// Of another compiler.
    Ptx(Ptx),
}

/// An image that the caller points to. `Err` holds a log as well.
pub(crate) fn open(address: usize) -> std::result::Result<Image, (Code, String)> {
    let start = peek(address, HEADER);
    if start.starts_with(MAGIC) {
        return match open_cubin(address, &start).map_err(|code| (code, String::new()))? {
            Payload::Built(built) => Ok(Image::Built(built)),
            Payload::Ptx(text) => open_ptx(&text).map(Image::Ptx),
        };
    }
    if start.starts_with(b"\x7fELF") {
        return Err((Code::NO_BINARY_FOR_GPU, "a real cubin".into()));
    }
    let text = String::from_utf8(peek_string(address)).unwrap_or_default();
    match text.strip_prefix(TEXT) {
        Some(rest) => open_text(rest).map(Image::Built),
        None if text.contains(".version") && text.contains(".target") => open_ptx(&text).map(Image::Ptx),
        None => Err((
            Code::INVALID_IMAGE,
            "neither cubin, nor text of this device, nor PTX".into(),
        )),
    }
}

/// PTX for a later architecture than the device's is refused.
fn check_target(arch: u32) -> std::result::Result<(), (Code, String)> {
    let (major, minor) = Config::get().capability;
    if arch > (major * 10 + minor) as u32 {
        let log = format!("PTX for sm_{arch} is too new for this device");
        return Err((Code::INVALID_PTX, log));
    }
    Ok(())
}

fn open_ptx(text: &str) -> std::result::Result<Ptx, (Code, String)> {
    let invalid = |log| (Code::INVALID_PTX, log);
    let module = Ptx::parse(text).map_err(invalid)?;
    let target = module.target().ok_or_else(|| invalid("no .target".to_owned()))?;
    check_target(target)?;
    Ok(module)
}

/// What follows the first line of this device's own text.
fn open_text(rest: &str) -> std::result::Result<Built, (Code, String)> {
    let mut options = Options::default();
    let mut lines = rest.splitn(3, '\n');
    let target = lines
        .next()
        .and_then(|l| l.strip_prefix("// .target sm_"))
        .and_then(|n| n.parse().ok());
    let name = lines.next().and_then(|l| l.strip_prefix("// "));
    let (Some(arch), Some(name), Some(mut body)) = (target, name, lines.next()) else {
        return Err((Code::INVALID_PTX, "truncated text".into()));
    };
    options.arch = arch;
    check_target(arch)?;
    while let Some(line) = body.strip_prefix("// option ") {
        let (option, after) = line.split_once('\n').unwrap_or((line, ""));
        options.passed.push(option.to_owned());
        body = after;
    }
    let Some(body) = body.strip_prefix("// text\n") else {
        return Err((Code::INVALID_PTX, "truncated text".into()));
    };
    build(name, body, &options).map_err(|log| (Code::INVALID_PTX, log))
}

fn open_cubin(address: usize, header: &[u8]) -> Result<Payload> {
    let word = |at: usize| {
        header
            .get(at..at + 4)
            .and_then(|b| b.try_into().ok())
            .map(u32::from_le_bytes)
    };
    let length = header
        .get(32..40)
        .and_then(|b| b.try_into().ok())
        .map(u64::from_le_bytes);
    let (Some(1), Some(arch), Some(kind), Some(length)) = (word(16), word(20), word(24), length) else {
        return Err(Code::INVALID_IMAGE);
    };
    if length > 1 << 30 {
        return Err(Code::INVALID_IMAGE);
    }
    let library = peek(address + HEADER, length as usize);
    if library.len() as u64 != length || header[40..56] != hash(&[&library]).to_le_bytes() {
        return Err(Code::INVALID_IMAGE);
    }
    let (major, minor) = Config::get().capability;
    if arch / 10 != major as u32 || arch % 10 > minor as u32 {
        return Err(Code::NO_BINARY_FOR_GPU);
    }
    // A cache may hold what was compiled for the other way to run it.
    match (kind, Config::get().code) {
        (PTX, Runs::Ptx) => String::from_utf8(library)
            .map(Payload::Ptx)
            .map_err(|_| Code::INVALID_IMAGE),
        (0 | 1, Runs::Host) => Ok(Payload::Built(Built {
            library,
            waits: kind == 1,
        })),
        _ => Err(Code::NO_BINARY_FOR_GPU),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubins_are_checked() {
        let built = Built {
            library: (0..200).collect(),
            waits: true,
        };
        let built = Payload::Built(built);
        let good = cubin(&built, 90);
        let Image::Built(opened) = open(good.as_ptr() as usize).unwrap() else {
            panic!("not PTX");
        };
        assert_eq!((&opened.library[..], opened.waits), (built.bytes(), true));
        for at in [20, 24 + 8, 41, HEADER, good.len() - 1] {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(open(bad.as_ptr() as usize).is_err(), "{at}");
        }
        assert_eq!(
            open(cubin(&built, 80).as_ptr() as usize).unwrap_err().0,
            Code::NO_BINARY_FOR_GPU
        );
        assert_eq!(open(8).unwrap_err().0, Code::INVALID_IMAGE);
    }

    #[test]
    fn ptx_is_checked() {
        let of = |text: &std::ffi::CStr| match open(text.as_ptr() as usize) {
            Ok(Image::Ptx(module)) => module
                .target()
                .map(|_| String::new())
                .ok_or((Code::UNKNOWN, String::new())),
            Ok(Image::Built(_)) => Err((Code::UNKNOWN, "not PTX".into())),
            Err(why) => Err(why),
        };
        assert_eq!(
            of(c".version 6.0\n.target sm_70\n.address_size 64\n"),
            Ok(String::new())
        );
        let invalid = |log: &str| Err((Code::INVALID_PTX, log.to_owned()));
        assert_eq!(
            of(c".version 6.0\n.target sm_100\n.address_size 64\n"),
            invalid("PTX for sm_100 is too new for this device")
        );
        assert_eq!(
            of(c".version 8.5\n.target sm_70\ngarbage\n"),
            invalid("line 3: garbage")
        );
        assert_eq!(of(c".version 8.5\n// .target sm_70\n"), invalid("no .target"));
    }
}
