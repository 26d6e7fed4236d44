//! What came of all programs.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use crate::batch::Program;

#[derive(Default)]
pub struct Report {
    pub finds: u64,
    pub accepted: u64,
    refused: u64,
    /// Those that plain Rust refuses, too.
    wrong: u64,
    /// Messages with which kernels are refused, without their names: how often, and a seed.
    messages: BTreeMap<String, (u64, u64)>,
    /// Messages with which only plain Rust refuses.
    lenient: BTreeMap<String, (u64, u64)>,
    known: BTreeSet<String>,
    kinds: BTreeMap<&'static str, Vec<u64>>,
}

type Texts<'a> = &'a [(String, String)];

impl Report {
    pub fn find(&mut self, seed: u64, kind: &'static str, what: &str, text: &str) {
        self.finds += 1;
        self.kinds.entry(kind).or_default().push(seed);
        println!("==== seed {seed}, {kind}: {what}\n{text}");
    }

    pub fn refused(&mut self, program: &Program, kernel: Texts, plain: Texts, harness: Texts) {
        if kernel.is_empty() {
            if let Some((code, text)) = plain.first() {
                self.wrong += 1;
                count(&mut self.lenient, code, text, program.seed);
            } else if let Some((code, text)) = harness.first() {
                // What a kernel's signature says of itself.
                self.refused += 1;
                count(&mut self.messages, code, text, program.seed);
            }
            return;
        }
        if !plain.is_empty() {
            self.wrong += 1;
        } else {
            self.refused += 1;
            let (code, text) = &kernel[0];
            count(&mut self.messages, code, text, program.seed);
        }
        for (code, text) in kernel {
            let kind = match text {
                // An assertion of a derive, in its own words.
                text if text.contains("panicked") && code != "E0080" => "macro panics",
                text if text.contains("internal compiler error") => "compiler",
                // Two `#[func]`s of one name.
                text if text.contains("OneFuncOfAName") || code == "E0592" => continue,
                text if text.contains("`__") || text.contains("swathe::__rt") => "names of ours",
                _ if plain.is_empty() && ["E0425", "E0424", "E0433", "E0434"].contains(&&**code) => "unresolved",
                _ => continue,
            };
            // One program of a kind of message is enough to mend it.
            let first = self.known.insert(format!("{kind} {code} {}", general(text)));
            let shown = if first { program.kernel() } else { "" };
            self.find(program.seed, kind, &format!("{code}: {text}"), shown);
            break;
        }
    }

    pub fn progress(&self, start: Instant) {
        let done = self.accepted + self.refused + self.wrong;
        let minutes = start.elapsed().as_secs_f64() / 60.0;
        eprintln!(
            "{done} programs in {minutes:.1} min, {:.0} a minute: {} accepted, {} refused, {} no Rust, {} finds",
            done as f64 / minutes,
            self.accepted,
            self.refused,
            self.wrong,
            self.finds
        );
    }

    pub fn print(&self, start: Instant) {
        self.progress(start);
        for (title, messages) in [
            ("refused:", &self.messages),
            ("refused as plain Rust only:", &self.lenient),
        ] {
            let mut all: Vec<_> = messages.iter().collect();
            all.sort_by_key(|(_, (times, _))| std::cmp::Reverse(*times));
            println!("{title}");
            for (text, (times, seed)) in all.iter().take(25) {
                println!("{times:6} {text} (seed {seed})");
            }
        }
        for (kind, seeds) in &self.kinds {
            println!(
                "{kind}: {} programs, seeds {:?}",
                seeds.len(),
                &seeds[..seeds.len().min(20)]
            );
        }
    }
}

/// Without what stands in backticks.
fn general(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join("_")
}

/// Counts a message of a kind.
fn count(messages: &mut BTreeMap<String, (u64, u64)>, code: &str, text: &str, seed: u64) {
    let entry = messages.entry(format!("{code} {}", general(text))).or_insert((0, seed));
    entry.0 += 1;
}
