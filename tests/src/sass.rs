//! nvdisasm, which shows the machine code of a kernel, without a GPU.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::nvrtc::target_dir;

/// The program.
pub struct Nvdisasm {
    program: PathBuf,
}

/// The instructions of an entry point, with the labels before them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// Opcode and operands, as `LDG.E.CONSTANT R2, desc[UR6][R2.64]`.
    pub instructions: Vec<String>,
    /// Index of the instruction that a label stands before.
    labels: HashMap<String, usize>,
}

impl Nvdisasm {
    /// The program, looked for in `SWATHE_NVDISASM` and in `nvdisasm/bin` of the build's target folder. `None` if there
    /// is none; with `SWATHE_REQUIRE_NVRTC` set that is a failure, so that a build server cannot miss it in silence.
    ///
    /// # Panics
    /// If the program is required and missing.
    pub fn get() -> Option<&'static Nvdisasm> {
        static NVDISASM: OnceLock<Option<Nvdisasm>> = OnceLock::new();
        let found = NVDISASM.get_or_init(|| {
            let program = match std::env::var_os("SWATHE_NVDISASM") {
                Some(given) => PathBuf::from(given),
                None => target_dir()?.join("nvdisasm/bin/nvdisasm"),
            };
            runs(&program).then_some(Nvdisasm { program })
        });
        assert!(
            found.is_some() || std::env::var_os("SWATHE_REQUIRE_NVRTC").is_none(),
            "SWATHE_REQUIRE_NVRTC is set, but there is no nvdisasm"
        );
        if found.is_none() {
            eprintln!("no nvdisasm found: machine code is not looked at (`cargo xtask setup` fetches it)");
        }
        found.as_ref()
    }

    /// The entry points of machine code, by name.
    ///
    /// # Panics
    /// If nvdisasm cannot be run, or refuses the code.
    pub fn code(&self, cubin: &[u8]) -> HashMap<String, Code> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("kernel.cubin");
        std::fs::write(&file, cubin).expect("a file");
        let output = Command::new(&self.program)
            .arg("-c")
            .arg(&file)
            .stdin(Stdio::null())
            .output()
            .expect("nvdisasm");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        parse(&String::from_utf8_lossy(&output.stdout))
    }
}

impl Code {
    /// The innermost loops: those of the instructions from a label to a jump back to it that hold no other.
    pub fn loops(&self) -> Vec<&[String]> {
        let jumps = self.instructions.iter().enumerate().filter_map(|(at, text)| {
            let label = text.split_once("BRA")?.1.split_once("`(")?.1.split_once(')')?.0;
            let start = *self.labels.get(label)?;
            (start < at).then_some((start, at))
        });
        let all: Vec<(usize, usize)> = jumps.collect();
        let holds_another = |&(a, b): &(usize, usize)| all.iter().any(|&(c, d)| (c, d) != (a, b) && a <= c && d <= b);
        all.iter()
            .filter(|range| !holds_another(range))
            .map(|&(a, b)| &self.instructions[a..=b])
            .collect()
    }
}

fn runs(program: &Path) -> bool {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    output.is_ok_and(|output| output.status.success())
}

fn parse(text: &str) -> HashMap<String, Code> {
    let mut codes = HashMap::new();
    let mut current: Option<(String, Code)> = None;
    for line in text.lines() {
        let line = without_comments(line);
        let line = line.trim();
        if let Some(label) = line.strip_suffix(':') {
            if let Some(name) = label.strip_prefix(".text.") {
                codes.extend(current.replace((name.to_owned(), Code::default())));
            } else if let Some((_, code)) = &mut current {
                code.labels.insert(label.to_owned(), code.instructions.len());
            }
        } else if let (Some(instruction), Some((_, code))) = (line.strip_suffix(';'), &mut current) {
            // The words for scheduling are comments, and some releases end a line with a space.
            code.instructions.push(instruction.trim().to_owned());
        }
    }
    codes.extend(current);
    codes
}

fn without_comments(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_found() {
        let text = "\t.section .text.f\n.text.f:\n  /*0000*/   MOV R1, c[0x0][0x28] ;  /* 0x0a */\n.L_x_1:\n.L_x_2:\n \
            /*0010*/ LDG.E R2, [R4.64] ;\n  @!P0 BRA `(.L_x_2) ;\n  IADD3 R1, R1, 0x1, RZ ;\n @P1 BRA `(.L_x_1) ;\n EXIT ;\n";
        let codes = parse(text);
        let code = &codes["f"];
        assert_eq!(code.instructions.len(), 6);
        assert_eq!(code.instructions[1], "LDG.E R2, [R4.64]");
        assert_eq!(code.loops(), [&code.instructions[1..=2]]);
    }
}
