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

impl Code {
    /// For each innermost loop what a round executes as long as it calls no function: the instructions that its start
    /// leads to, but not through a block with a call.
    pub fn rounds(&self) -> Vec<Vec<&str>> {
        self.loops().into_iter().map(|body| self.round(body)).collect()
    }

    /// For each innermost loop its instructions, but for what leads to calls of functions since the last label or jump.
    pub fn without_calls(&self) -> Vec<Vec<&str>> {
        let without = |body: &[String]| {
            let starts = self.blocks(body, |text| ends_block(text) || calls(text));
            let end = self.place(body) + body.len();
            let mut instructions = Vec::new();
            for (k, start) in starts.iter().enumerate() {
                let block = &self.instructions[*start..starts.get(k + 1).copied().unwrap_or(end)];
                if !block.iter().any(|text| calls(text)) {
                    instructions.extend(block.iter().map(String::as_str));
                }
            }
            instructions
        };
        self.loops().into_iter().map(without).collect()
    }

    /// Index of the first instruction of a loop.
    fn place(&self, body: &[String]) -> usize {
        let is_first = |text: &String| std::ptr::eq(text, &raw const body[0]);
        self.instructions.iter().position(is_first).unwrap_or(0)
    }

    /// Indices of the first instructions of a loop's blocks, in order.
    fn blocks(&self, body: &[String], ends: fn(&str) -> bool) -> Vec<usize> {
        let first = self.place(body);
        let range = first..first + body.len();
        let mut starts: Vec<usize> = self.labels.values().copied().collect();
        let last = range.clone().filter(|&at| ends(&self.instructions[at]));
        starts.extend(last.map(|at| at + 1));
        starts.push(first);
        starts.retain(|at| range.contains(at));
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    fn round<'c>(&'c self, body: &'c [String]) -> Vec<&'c str> {
        let first = self.place(body);
        let end = first + body.len();
        let starts = self.blocks(body, ends_block);
        let block = |start: usize| {
            let next = starts.iter().copied().find(|at| *at > start).unwrap_or(end);
            start..next
        };
        let (mut reached, mut pending) = (vec![first], vec![first]);
        while let Some(start) = pending.pop() {
            let range = block(start);
            let last = &self.instructions[range.end - 1];
            let target = last
                .split_once("BRA")
                .and_then(|(_, to)| to.split_once("`(")?.1.split_once(')'));
            let target = target.and_then(|(label, _)| self.labels.get(label)).copied();
            let goes_on = last.starts_with('@') || !ends_block(last);
            for next in target.into_iter().chain(goes_on.then_some(range.end)) {
                let has_call = |at| self.instructions[block(at)].iter().any(|text| calls(text));
                if starts.contains(&next) && !reached.contains(&next) && !has_call(next) {
                    reached.push(next);
                    pending.push(next);
                }
            }
        }
        reached.sort_unstable();
        let blocks = reached.into_iter().flat_map(|start| &self.instructions[block(start)]);
        blocks.map(String::as_str).collect()
    }
}

fn ends_block(text: &str) -> bool {
    text.contains("BRA") || text.contains("EXIT")
}

/// Whether it calls a function: ptxas also writes jumps as calls of labels.
fn calls(text: &str) -> bool {
    text.contains("CALL") && !text.contains("`(.L_")
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

    #[test]
    fn a_round_leaves_out_calls() {
        let text = ".text.f:\n.L_x_1:\n LDG R2, [R4] ;\n @!P0 BRA `(.L_x_2) ;\n MOV R1, R2 ;\n CALL.REL.NOINC `(g) ;\n.L_x_5:\n BSYNC B1 ;\n \
            BRA `(.L_x_3) ;\n.L_x_2:\n STG [R4], R2 ;\n.L_x_3:\n IADD3 R1, R1, 0x1, RZ ;\n @P1 BRA `(.L_x_1) ;\n EXIT ;\n";
        let codes = parse(text);
        let rounds = codes["f"].rounds();
        let opcode = |text: &&str| {
            text.trim_start_matches("@P1 ")
                .trim_start_matches("@!P0 ")
                .split(' ')
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        let opcodes: Vec<String> = rounds[0].iter().map(opcode).collect();
        assert_eq!(opcodes, ["LDG", "BRA", "STG", "IADD3", "BRA"]);
        let all: Vec<String> = codes["f"].without_calls()[0].iter().map(opcode).collect();
        assert!(calls("CALL.REL.NOINC `($f$g)") && !calls("@P0 CALL.REL.NOINC `(.L_x_16)"));
        assert_eq!(all, ["LDG", "BRA", "BSYNC", "BRA", "STG", "IADD3", "BRA"]);
    }
}
