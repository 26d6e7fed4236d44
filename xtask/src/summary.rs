//! What ran, what passed, what could not run.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Ok,
    Failed,
    /// Could not run, and need not.
    Missing,
}

#[derive(Default)]
pub struct Summary {
    steps: Vec<(&'static str, Outcome, String)>,
    pub report: Option<Report>,
}

impl Summary {
    pub fn step(&mut self, name: &'static str, outcome: Outcome, detail: String) {
        self.steps.push((name, outcome, detail));
    }

    /// The steps of another one.
    pub fn add(&mut self, other: Summary) {
        self.steps.extend(other.steps);
    }

    pub fn failed(&self) -> bool {
        self.steps.iter().any(|(_, outcome, _)| *outcome == Outcome::Failed)
    }
}

/// One test program, or the doctests of one crate.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Target {
    pub name: String,
    pub passed: u32,
    pub failed: u32,
    pub ignored: u32,
    /// Did it come to an end? A program that aborts reports nothing.
    pub ended: bool,
}

/// The output of `cargo test`, read line by line.
#[derive(Debug, Default)]
pub struct Report {
    pub targets: Vec<Target>,
}

impl Report {
    pub fn line(&mut self, line: &str) {
        let line = plain(line);
        let line = line.trim();
        if let Some(name) = program(line) {
            self.targets.push(Target {
                name,
                ..Target::default()
            });
        } else if let Some(counts) = line.strip_prefix("test result: ")
            && let Some(target) = self.targets.last_mut()
        {
            target.ended = true;
            target.passed += count(counts, "passed");
            target.failed += count(counts, "failed");
            target.ignored += count(counts, "ignored");
        }
    }

    /// Tests that passed and that failed; a program that did not come to an end counts as one that failed.
    pub fn totals(&self) -> (u32, u32) {
        let passed = self.targets.iter().map(|target| target.passed).sum();
        let failed = self
            .targets
            .iter()
            .map(|target| target.failed.max(u32::from(!target.ended)))
            .sum();
        (passed, failed)
    }
}

/// `swathe, unittests src/lib.rs` of `Running unittests src/lib.rs (target/debug/deps/swathe-0123456789abcdef)`.
fn program(line: &str) -> Option<String> {
    if let Some(library) = line.strip_prefix("Doc-tests ") {
        return Some(format!("{library}, doctests"));
    }
    let (what, path) = line.strip_prefix("Running ")?.strip_suffix(')')?.rsplit_once(" (")?;
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let (name, _hash) = file.rsplit_once('-')?;
    Some(format!("{name}, {what}"))
}

/// 5 of `ok. 5 passed; 0 failed; ..`.
fn count(counts: &str, what: &str) -> u32 {
    let words: Vec<&str> = counts.split([' ', ';', '.']).filter(|word| !word.is_empty()).collect();
    let number = words
        .windows(2)
        .find(|pair| pair[1] == what)
        .and_then(|pair| pair[0].parse().ok());
    number.unwrap_or(0)
}

/// Without the colours of a terminal.
fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        if c == '\u{1b}' {
            characters.by_ref().find(|c| c.is_ascii_alphabetic());
        } else {
            text.push(c);
        }
    }
    text
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "== summary ==")?;
        if let Some(report) = &self.report {
            write!(f, "{report}")?;
        }
        for (name, outcome, detail) in &self.steps {
            let word = match outcome {
                Outcome::Ok => "ok",
                Outcome::Failed => "FAILED",
                Outcome::Missing => "NOT RUN",
            };
            writeln!(f, "{word:>8}  {name}: {detail}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let full: Vec<&Target> = self
            .targets
            .iter()
            .filter(|t| !t.ended || t.passed + t.failed + t.ignored > 0)
            .collect();
        if !full.is_empty() {
            writeln!(f, "{:>8} {:>7} {:>8}  tests of", "passed", "failed", "ignored")?;
        }
        for target in &full {
            let Target {
                name,
                passed,
                failed,
                ignored,
                ended,
            } = target;
            let end = if *ended { "" } else { "  (did not come to an end)" };
            writeln!(f, "{passed:>8} {failed:>7} {ignored:>8}  {name}{end}")?;
        }
        match self.targets.len() - full.len() {
            0 => Ok(()),
            1 => writeln!(f, "{:>27}1 program without tests", ""),
            n => writeln!(f, "{:>27}{n} programs without tests", ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "   Compiling swathe v0.1.0
    Finished `test` profile [optimized] target(s) in 2.31s
\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m unittests src/lib.rs (target/debug/deps/swathe-3f1fbf9f2a4d5c11)

running 3 tests
test a ... ok
test result: FAILED. 12 passed; 1 failed; 2 ignored; 0 measured; 7 filtered out; finished in 0.00s

     Running tests/backend.rs (target/debug/deps/backend-3f1fbf9f2a4d5c12)
     Running unittests src/lib.rs (target/debug/deps/empty-3f1fbf9f2a4d5c13)
test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
   Doc-tests swathe
test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s
test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s
";

    fn report() -> Report {
        let mut report = Report::default();
        OUTPUT.lines().for_each(|line| report.line(line));
        report
    }

    #[test]
    fn tests_are_counted_by_program() {
        let report = report();
        let names: Vec<&str> = report.targets.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "swathe, unittests src/lib.rs",
                "backend, tests/backend.rs",
                "empty, unittests src/lib.rs",
                "swathe, doctests"
            ]
        );
        let counts: Vec<_> = report
            .targets
            .iter()
            .map(|t| (t.passed, t.failed, t.ignored, t.ended))
            .collect();
        assert_eq!(
            counts,
            [(12, 1, 2, true), (0, 0, 0, false), (0, 0, 0, true), (9, 0, 0, true)]
        );
    }

    #[test]
    fn a_program_that_aborts_has_failed() {
        assert_eq!(report().totals(), (21, 2));
        assert!(
            report()
                .to_string()
                .contains("backend, tests/backend.rs  (did not come to an end)")
        );
        assert!(report().to_string().contains("1 program without tests"));
    }

    #[test]
    fn only_failures_fail() {
        let mut summary = Summary::default();
        summary.step("NVRTC", Outcome::Missing, "no network".into());
        assert!(!summary.failed());
        assert!(summary.to_string().contains(" NOT RUN  NVRTC: no network"));
        summary.step("tests", Outcome::Failed, "1 failed".into());
        assert!(summary.failed());
    }
}
