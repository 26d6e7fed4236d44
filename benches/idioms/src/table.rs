//! The table of times, in Markdown.

use std::fmt::Write as _;

use crate::Failure;
use crate::idiom::Measured;
use crate::measure::Times;
use crate::options::Options;

/// The most that a form's time may be of the best form's.
const FORMS: f64 = 1.3;
/// The most that the best form's time may be of that by hand.
const BY_HAND: f64 = 1.1;

pub struct Table {
    text: String,
    rows: usize,
    over: usize,
    failures: usize,
}

impl Table {
    pub fn new(options: &Options) -> Table {
        let mut table = Table {
            text: String::new(),
            rows: 0,
            over: 0,
            failures: 0,
        };
        let instructions = swathe::versions::Version::current().name();
        table.line(&format!(
            "Threads: {}. Instructions: {instructions}.\n",
            options.threads()
        ));
        table.line("| idiom | form | ns | of the best form | of by hand | |");
        table.line("|---|---|---:|---:|---:|---|");
        table
    }

    /// One row for each form, and one for the best beside what is written by hand.
    pub fn add(&mut self, idiom: &dyn Measured, times: &Times, options: &Options) {
        let best = times.forms.iter().copied().fold(f64::INFINITY, f64::min);
        for ((form, plan), time) in idiom.forms().into_iter().zip(&times.forms) {
            let over = time / best > FORMS;
            self.row(idiom.name(), form, *time, [time / best, time / times.by_hand], over);
            if let Some(plan) = plan.filter(|_| options.plans && (over || best / times.by_hand > BY_HAND)) {
                println!("{plan}");
            }
        }
        let over = best / times.by_hand > BY_HAND;
        self.row(
            idiom.name(),
            "*by hand*",
            times.by_hand,
            [times.by_hand / best, 1.0],
            over,
        );
    }

    fn row(&mut self, idiom: &str, form: &str, time: f64, [of_best, of_hand]: [f64; 2], over: bool) {
        self.rows += 1;
        self.over += usize::from(over);
        let mark = if over { "over" } else { "" };
        self.line(&format!(
            "| {idiom} | {form} | {time:.3} | {of_best:.2} | {of_hand:.2} | {mark} |"
        ));
    }

    pub fn failed(&mut self, failure: &Failure) {
        self.failures += 1;
        self.line(&format!("| **{failure}** | | | | | |"));
    }

    fn line(&mut self, line: &str) {
        println!("{line}");
        let _ = writeln!(self.text, "{line}");
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`Failure::Write`].
    pub fn finish(mut self, options: &Options) -> Result<(), Failure> {
        self.line(&format!(
            "\nOver a limit: {} of {} rows ({FORMS} of the best form; the best form {BY_HAND} of by hand). Failures: {}.",
            self.over, self.rows, self.failures
        ));
        match &options.table {
            Some(file) => std::fs::write(file, &self.text).map_err(|e| Failure::Write(file.display().to_string(), e)),
            None => Ok(()),
        }
    }
}
