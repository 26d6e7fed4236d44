//! The run-time compiler's functions.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::{Out, Text};
use crate::compile::{Options, build, unique};
use crate::config::{Code, Config};
use crate::fault::{Kind, count};
use crate::image::{self, Payload};
use crate::real::{Real, Request};
use crate::state::handle;

const ARCHITECTURES: [c_int; 9] = [75, 80, 86, 87, 89, 90, 100, 103, 120];

/// An `nvrtcResult` other than success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Failure(c_int);

const OUT_OF_MEMORY: Failure = Failure(1);
const INVALID_INPUT: Failure = Failure(3);
const INVALID_PROGRAM: Failure = Failure(4);
const INVALID_OPTION: Failure = Failure(5);
const COMPILATION: Failure = Failure(6);
const NOT_BEFORE_COMPILATION: Failure = Failure(9);
const NAME_NOT_VALID: Failure = Failure(10);
const INTERNAL: Failure = Failure(11);

const TEXTS: [&CStr; 12] = [
    c"NVRTC_SUCCESS",
    c"NVRTC_ERROR_OUT_OF_MEMORY",
    c"NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
    c"NVRTC_ERROR_INVALID_INPUT",
    c"NVRTC_ERROR_INVALID_PROGRAM",
    c"NVRTC_ERROR_INVALID_OPTION",
    c"NVRTC_ERROR_COMPILATION",
    c"NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    c"NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    c"NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    c"NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    c"NVRTC_ERROR_INTERNAL_ERROR",
];

#[derive(Clone, Debug, Default)]
struct Program {
    text: String,
    name: String,
    headers: Vec<(String, String)>,
    log: String,
    ptx: Vec<u8>,
    cubin: Vec<u8>,
}

static PROGRAMS: LazyLock<Mutex<HashMap<usize, Program>>> = LazyLock::new(Mutex::default);

fn programs() -> MutexGuard<'static, HashMap<usize, Program>> {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with(program: *mut c_void, body: impl FnOnce(&mut Program) -> Result<(), Failure>) -> Result<(), Failure> {
    body(programs().get_mut(&(program as usize)).ok_or(INVALID_PROGRAM)?)
}

fn bytes_out(out: *mut c_char, bytes: &[u8], terminated: bool) -> Result<(), Failure> {
    if out.is_null() {
        return Err(INVALID_INPUT);
    }
    // SAFETY: the caller's buffer has the size that the function before this one reported.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), out.cast(), bytes.len());
        if terminated {
            out.add(bytes.len()).write(0);
        }
    }
    Ok(())
}

fn size_out(out: Out<usize>, size: usize) -> Result<(), Failure> {
    out.set(size).map_err(|_| INVALID_INPUT)
}

fn strings(count: c_int, list: *const Text) -> Result<Vec<String>, Failure> {
    if count < 0 || count > 0 && list.is_null() {
        return Err(INVALID_INPUT);
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the caller passes `count` strings.
    let list = unsafe { std::slice::from_raw_parts(list, count as usize) };
    list.iter()
        .map(|t| {
            t.get()
                .map(|s| s.to_string_lossy().into_owned())
                .map_err(|_| INVALID_INPUT)
        })
        .collect()
}

/// Options that mean nothing to the host compiler; a value may follow after `=` or as a word of its own.
const IGNORED: [&str; 33] = [
    "use_fast_math",
    "ftz",
    "prec-div",
    "prec-sqrt",
    "default-device",
    "device-debug",
    "G",
    "generate-line-info",
    "lineinfo",
    "ptxas-options",
    "Xptxas",
    "maxrregcount",
    "extra-device-vectorization",
    "restrict",
    "relocatable-device-code",
    "rdc",
    "extensible-whole-program",
    "ewp",
    "disable-warnings",
    "w",
    "diag-error",
    "diag-suppress",
    "diag-warn",
    "no-display-error-number",
    "display-error-number",
    "device-as-default-execution-space",
    "split-compile",
    "no-cache",
    "minimal",
    "builtin-move-forward",
    "no-source-include",
    "dopt",
    "time",
];

fn parse(list: &[String]) -> Result<Options, String> {
    let mut options = Options {
        arch: 75,
        ..Options::default()
    };
    let mut words = list.iter();
    while let Some(word) = words.next() {
        let name = word.trim_start_matches('-');
        if name == word.as_str() {
            return Err(format!("nvrtc: error: unrecognized option {word} found\n"));
        }
        let (key, value) = name
            .split_once('=')
            .map_or((name, None), |(k, v)| (k, Some(v.to_owned())));
        let short = ["D", "U", "I"]
            .into_iter()
            .find(|s| key.starts_with(s) && !word.starts_with("--"));
        match key {
            "gpu-architecture" | "arch" => {
                let value = value.or_else(|| words.next().cloned()).unwrap_or_default();
                let bad = || format!("nvrtc: error: invalid value for --gpu-architecture (-arch): {value}\n");
                let (kind, number) = value.split_once('_').ok_or_else(bad)?;
                let digits = number.trim_end_matches(['a', 'f']);
                options.arch = digits
                    .parse()
                    .ok()
                    .filter(|n| ARCHITECTURES.contains(&(*n as c_int)))
                    .ok_or_else(bad)?;
                options.real = match kind {
                    "sm" => true,
                    "compute" => false,
                    _ => return Err(bad()),
                };
            }
            "fmad" if value.as_deref() == Some("false") => options.passed.push("-ffp-contract=off".to_owned()),
            "fmad" => {}
            "std" => options.passed.push(format!(
                "-std={}",
                value.or_else(|| words.next().cloned()).unwrap_or_default()
            )),
            "define-macro" | "undefine-macro" | "include-path" => {
                let value = value.or_else(|| words.next().cloned()).unwrap_or_default();
                let short = match key {
                    "define-macro" => 'D',
                    "undefine-macro" => 'U',
                    _ => 'I',
                };
                options.passed.push(format!("-{short}{value}"));
            }
            _ if short.is_some() => {
                let rest = if name.len() == 1 {
                    words.next().cloned().unwrap_or_default()
                } else {
                    name[1..].to_owned()
                };
                options.passed.push(format!("-{}{rest}", &name[..1]));
            }
            _ if IGNORED.contains(&key) => {}
            _ => return Err(format!("nvrtc: error: unrecognized option {word} found\n")),
        }
    }
    Ok(options)
}

fn compile(handle: *mut c_void, list: &[String]) -> Result<(), Failure> {
    let mut program = programs().get(&(handle as usize)).cloned().ok_or(INVALID_PROGRAM)?;
    let result = compile_program(&mut program, list);
    with(handle, |p| {
        *p = program;
        Ok(())
    })?;
    result
}

fn compile_program(program: &mut Program, list: &[String]) -> Result<(), Failure> {
    (program.log, program.ptx, program.cubin) = Default::default();
    if let Some(fault) = count(Kind::Compile) {
        program.log = format!(
            "{}(1): error: an injected failure\n\n1 error detected in the compilation of \"{}\".\n",
            program.name, program.name
        );
        return Err(match fault.code.0 {
            2 => OUT_OF_MEMORY,
            n @ 1..12 => Failure(n),
            _ => COMPILATION,
        });
    }
    let mut options = parse(list).map_err(|log| {
        program.log = log;
        INVALID_OPTION
    })?;
    if Config::get().code == Code::Ptx {
        return compile_real(program, list, &options);
    }
    program.ptx = image::ptx(&program.name, &program.text, &options);
    let folder = (!program.headers.is_empty()).then(|| unique(".include"));
    if let Some(folder) = &folder {
        for (name, text) in &program.headers {
            let path = folder.join(name);
            let parent = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            parent.and_then(|()| std::fs::write(path, text)).map_err(|_| INTERNAL)?;
        }
        options.passed.push(format!("-I{}", folder.display()));
    }
    let built = build(&program.name, &program.text, &options);
    if let Some(folder) = folder {
        let _ = std::fs::remove_dir_all(folder);
    }
    match built {
        Ok(built) => {
            if options.real {
                program.cubin = image::cubin(&Payload::Built(built), options.arch);
            }
            Ok(())
        }
        Err(log) => {
            (program.log, program.ptx) = (log, Vec::new());
            Err(COMPILATION)
        }
    }
}

/// By NVIDIA's NVRTC, with the same options.
fn compile_real(program: &mut Program, list: &[String], options: &Options) -> Result<(), Failure> {
    let request = Request {
        text: &program.text,
        name: &program.name,
        headers: &program.headers,
        options: list,
    };
    let compiled = Real::get()
        .map_err(|why| (INTERNAL.0, format!("{why}\n")))
        .and_then(|real| real.compile(request));
    match compiled {
        Ok((ptx, log)) => {
            program.log = log;
            if options.real {
                program.cubin = image::cubin(&Payload::Ptx(ptx.clone()), options.arch);
            }
            program.ptx = ptx.into_bytes();
            Ok(())
        }
        Err((code, log)) => {
            program.log = log;
            Err(Failure(code))
        }
    }
}

fn call(body: impl FnOnce() -> Result<(), Failure>) -> c_int {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(failure)) => failure.0,
        Err(_) => INTERNAL.0,
    }
}

macro_rules! nvrtc {
    ($(fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block)*) => {$(
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub extern "C" fn $name($($arg: $ty),*) -> c_int {
            call(move || -> Result<(), Failure> { $body })
        }
    )*};
}

nvrtc! {
    fn nvrtcVersion(major: Out<c_int>, minor: Out<c_int>) {
        let (a, b) = Config::get().nvrtc;
        major.set(a).and_then(|()| minor.set(b)).map_err(|_| INVALID_INPUT)
    }

    fn nvrtcGetNumSupportedArchs(count: Out<c_int>) {
        count.set(ARCHITECTURES.len() as c_int).map_err(|_| INVALID_INPUT)
    }

    fn nvrtcGetSupportedArchs(list: *mut c_int) {
        if list.is_null() {
            return Err(INVALID_INPUT);
        }
        // SAFETY: the caller's array has room for as many as the function above reports.
        unsafe { std::ptr::copy_nonoverlapping(ARCHITECTURES.as_ptr(), list, ARCHITECTURES.len()) };
        Ok(())
    }

    fn nvrtcCreateProgram(program: Out<*mut c_void>, text: Text, name: Text, count: c_int, headers: *const Text, names: *const Text) {
        let text = text.get().map_err(|_| INVALID_INPUT)?.to_string_lossy().into_owned();
        let name = name.get().map_or("default_program".into(), |n| n.to_string_lossy().into_owned());
        let headers = strings(count, names)?.into_iter().zip(strings(count, headers)?).collect();
        let id = handle();
        program.set(id as *mut c_void).map_err(|_| INVALID_INPUT)?;
        programs().insert(id, Program { text, name, headers, ..Program::default() });
        Ok(())
    }

    fn nvrtcDestroyProgram(program: Out<*mut c_void>) {
        let id = program.get().map_err(|_| INVALID_PROGRAM)?;
        programs().remove(&(id as usize)).ok_or(INVALID_PROGRAM)?;
        program.set(std::ptr::null_mut()).map_err(|_| INVALID_PROGRAM)
    }

    fn nvrtcCompileProgram(program: *mut c_void, count: c_int, options: *const Text) {
        let options = strings(count, options)?;
        compile(program, &options)
    }

    fn nvrtcGetProgramLogSize(program: *mut c_void, size: Out<usize>) {
        with(program, |p| size_out(size, p.log.len() + 1))
    }

    fn nvrtcGetProgramLog(program: *mut c_void, out: *mut c_char) {
        with(program, |p| bytes_out(out, p.log.replace('\0', " ").as_bytes(), true))
    }

    fn nvrtcGetPTXSize(program: *mut c_void, size: Out<usize>) {
        with(program, |p| if p.ptx.is_empty() { Err(INVALID_PROGRAM) } else { size_out(size, p.ptx.len() + 1) })
    }

    fn nvrtcGetPTX(program: *mut c_void, out: *mut c_char) {
        with(program, |p| if p.ptx.is_empty() { Err(INVALID_PROGRAM) } else { bytes_out(out, &p.ptx, true) })
    }

    fn nvrtcGetCUBINSize(program: *mut c_void, size: Out<usize>) {
        with(program, |p| if p.ptx.is_empty() { Err(INVALID_PROGRAM) } else { size_out(size, p.cubin.len()) })
    }

    fn nvrtcGetCUBIN(program: *mut c_void, out: *mut c_char) {
        with(program, |p| if p.ptx.is_empty() { Err(INVALID_PROGRAM) } else { bytes_out(out, &p.cubin, false) })
    }

    fn nvrtcAddNameExpression(program: *mut c_void, _name: Text) {
        with(program, |_| Ok(()))
    }

    fn nvrtcGetLoweredName(program: *mut c_void, _name: Text, _out: Out<*const c_char>) {
        with(program, |p| Err(if p.ptx.is_empty() { NOT_BEFORE_COMPILATION } else { NAME_NOT_VALID }))
    }
}

/// A result's name.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub extern "C" fn nvrtcGetErrorString(result: c_int) -> *const c_char {
    let text = usize::try_from(result).ok().and_then(|k| TEXTS.get(k)).copied();
    text.unwrap_or(c"NVRTC_ERROR unknown").as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(list: &[&str]) -> Result<Options, String> {
        parse(&list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read() {
        let parsed = options(&[
            "--gpu-architecture=sm_90",
            "-DN=3",
            "-I",
            "/x",
            "--fmad=false",
            "--std=c++17",
        ])
        .unwrap();
        assert_eq!(
            parsed,
            Options {
                passed: vec![
                    "-DN=3".into(),
                    "-I/x".into(),
                    "-ffp-contract=off".into(),
                    "-std=c++17".into()
                ],
                arch: 90,
                real: true,
            }
        );
        let virtual_ = options(&["-arch", "compute_80"]).unwrap();
        assert_eq!((virtual_.arch, virtual_.real), (80, false));
        assert!(options(&["--gpu-architecture=sm_12"]).unwrap_err().contains("sm_12"));
        assert!(options(&["--nonsense"]).unwrap_err().contains("--nonsense"));
        assert!(options(&["word"]).is_err());
    }
}
