//! Two versions of a parallel loop: one without the checks that its cover answers, for launches in which the cover holds.
//!
//! A cover is a condition on extents, the same for all iterations. NVVM would make the versions from a flag (loop unswitching), but does not
//! where a loop stands inside of another one, nor for compute capabilities from 10.0 on.

use super::body::Body;
use super::text::{Kind, Line, has_word, without_unused};

/// Length of the longest loop that is written twice. Of a longer one the checks are a small part, and the time of the compiler grows with it.
const MOST_TEXT: usize = 8192;

impl Body<'_> {
    /// Writes the lines of a loop, which begin at `at`, in versions; `covered` names the flag that its checks ask, which `condition` gives.
    pub(super) fn in_versions(&mut self, at: usize, covered: &str, condition: &str) {
        let lines = self.lines.split_off(at);
        let length: usize = lines.iter().map(|line| line.text.len()).sum();
        if length > MOST_TEXT || !lines.iter().any(|line| line.flagged.is_some()) {
            self.declare_constant("bool", covered, condition);
            self.lines.extend(lines.into_iter().map(|mut line| {
                if let Some(text) = line.flagged.take() {
                    line.text = text;
                }
                line
            }));
            return;
        }
        let fast = without_unused(without_checks(&lines));
        let slow = without_unused(self.with_labels_of_its_own(lines));
        let asked = fast.iter().chain(&slow).any(|line| has_word(&line.text, covered));
        if asked {
            self.declare_constant("bool", covered, condition);
        }
        self.open_if(if asked { covered } else { condition });
        self.version(fast);
        self.push("} else {".to_owned(), Kind::Close);
        self.version(slow);
        self.close();
    }

    /// The lines of a version, one block deeper.
    fn version(&mut self, lines: Vec<Line>) {
        self.lines.extend(lines.into_iter().map(|line| Line {
            depth: line.depth + 1,
            flagged: None,
            ..line
        }));
    }

    /// The lines with other names for their labels: a function has each label once.
    fn with_labels_of_its_own(&mut self, mut lines: Vec<Line>) -> Vec<Line> {
        let labels: Vec<String> = lines.iter().filter_map(Line::label).map(str::to_owned).collect();
        for label in labels {
            let name = self.new_label(&label);
            let [jump, other] = [&label, &name].map(|label| format!("goto {label};"));
            for line in &mut lines {
                match line.label() {
                    Some(own) if own == label => line.text = format!("{name}:;"),
                    _ => line.text = line.text.replace(&jump, &other),
                }
            }
        }
        lines
    }
}

/// The lines but for checks, and for labels that only checks jumped to.
fn without_checks(lines: &[Line]) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
    let mut source = None;
    for line in lines {
        if line.flagged.is_some() {
            source = line.source.or(source);
        } else {
            // What comes behind a check in its statement, unless it begins the next one.
            let removed = source.take();
            kept.push(Line {
                source: line.source.or(removed),
                ..line.clone()
            });
        }
    }
    let jumps: String = kept
        .iter()
        .filter(|line| line.text.contains("goto "))
        .map(|line| line.text.as_str())
        .collect();
    kept.retain(|line| line.label().is_none_or(|label| has_word(&jumps, label)));
    kept
}
