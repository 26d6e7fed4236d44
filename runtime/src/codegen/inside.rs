//! Loops over ranges whose counters are in bounds as long as the loop runs.
//!
//! A check of the counter itself, at the start of the body, holds for the first iterations and for no later one. So the loop ends
//! where an extent ends, and what the checks would do in the next iteration is done behind it.

use swathe_ir::{Block, ExprKind, LabelId};

use super::body::{Binding, Body};
use super::condition::{Below, Term};
use super::text::Line;
use crate::kernel::walk;

/// A loop over `counter` from `start` up to `end`.
pub(super) struct Rising<'t> {
    /// C++ type of the counter, which is unsigned.
    pub t: &'t str,
    pub counter: &'t str,
    pub start: &'t str,
    pub end: &'t str,
}

/// Whether nothing but its range and what leaves the construct around it ends a loop.
pub(super) fn runs_through(label: LabelId, block: &Block) -> bool {
    let mut through = true;
    walk::block(block, &mut |e| {
        through &= !matches!(e.kind, ExprKind::Break(l, _) if l == label)
    });
    through
}

impl Body<'_> {
    /// Takes out of a loop's body the checks at its start that the counter is below an extent; returns them, and the extents.
    fn checks_of_counter(&self, lines: &mut Vec<Line>, counter: &str) -> (Vec<Line>, Vec<String>) {
        let (mut checks, mut extents) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            match self.compared(line, counter) {
                Some(extent) => {
                    extents.push(extent);
                    let check = lines.remove(at);
                    if let (Some(next), Some(source)) = (lines.get_mut(at), check.source) {
                        next.source.get_or_insert(source);
                    }
                    checks.push(check);
                }
                // Constants do nothing that a check must come before.
                None if line.constant_name().is_some() => at += 1,
                None => break,
            }
        }
        (checks, extents)
    }

    /// The extent that a check compares the counter with, if it does no more.
    fn compared(&self, line: &Line, counter: &str) -> Option<String> {
        let [Below { position, extent }] = line.check.as_slice() else {
            return None;
        };
        let extent = extent.name()?;
        let is_extent = |b: &Binding| matches!(b, Binding::Field(f) if f.extents.iter().any(|e| e == extent));
        let found = *position == Term::of(counter) && self.locals.values().any(is_extent);
        found.then(|| extent.to_owned())
    }

    /// The loop, with the lines of its body, if it can end where an extent does.
    pub(super) fn within_extents(&mut self, from: usize, r: &Rising<'_>) {
        let Some((head, body)) = self.lines[from..].split_first() else {
            return;
        };
        let (mut head, mut body) = (head.clone(), body.to_vec());
        let (checks, mut extents) = self.checks_of_counter(&mut body, r.counter);
        if checks.is_empty() {
            return;
        }
        extents.dedup();
        self.lines.truncate(from);
        let Rising { t, counter, start, end } = r;
        let outer = self.depth;
        self.effect("{");
        if let Some(opened) = self.lines.last_mut() {
            opened.source = head.source.take();
        }
        self.depth += 1;
        self.line(format!("{t} {counter} = {start};"));
        let mut stop = (*end).to_owned();
        for extent in &extents {
            let name = self.declare("inside");
            let last = self.extent_as(t, extent);
            self.declare_constant(t, &name, &format!("{stop} < {extent} ? {stop} : {last}"));
            stop = name;
        }
        head.text = format!("for (; {counter} < {stop}; ++{counter}) {{");
        head.depth = self.depth;
        self.lines.push(head);
        self.lines.extend(body.into_iter().map(|line| Line {
            depth: line.depth + 1,
            ..line
        }));
        self.open_if(&format!("{counter} < {end}"));
        self.lines.extend(checks.into_iter().map(|line| Line {
            depth: outer + 2,
            ..line
        }));
        self.close();
        self.depth = outer;
        self.close();
    }
}
