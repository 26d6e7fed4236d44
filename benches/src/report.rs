//! The results, as JSON and as a table.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Map, Value, json};
use swathe::Device;

use crate::Failure;
use crate::measure::Round;
use crate::options::{Options, Target};
use crate::workload::Workload;

/// Results by workload and device.
pub struct Report<'a> {
    options: &'a Options,
    peers: Vec<&'static str>,
    document: Map<String, Value>,
}

/// The result of one workload on one device.
pub struct Cell(pub Value);

impl Cell {
    /// The round with the median time, with the times of all.
    pub fn merged(workload: &Workload, work: f64, rounds: Vec<Round>) -> Cell {
        let medians: Vec<f64> = rounds.iter().map(|round| round.median).collect();
        let min = rounds.iter().map(|round| round.min).fold(f64::INFINITY, f64::min);
        let valid = rounds.iter().all(|round| round.verdict.valid);
        let mut by_time: Vec<&Round> = rounds.iter().collect();
        by_time.sort_by(|a, b| a.median.total_cmp(&b.median));
        let round = by_time[(by_time.len() - 1) / 2];
        let value = match workload.unit {
            "ns" => round.median * 1e9,
            "ms" => round.median * 1e3,
            _ => work / round.median,
        };
        Cell(json!({
            "median_s": round.median, "min_s": min, "reps": round.reps,
            "metric": workload.metric, "unit": workload.unit, "value": rounded(value),
            "valid": valid, "error": round.verdict.error, "checksum": round.verdict.checksum,
            "note": workload.note, "rounds_s": medians,
            "foreign_cores": round.load.map(|load| rounded(load.foreign)),
            "own_cores": round.load.map(|load| rounded(load.own)),
        }))
    }

    /// Why there is no value.
    pub fn failed(why: &Failure) -> Cell {
        Cell(json!({ "error": why.to_string(), "valid": false }))
    }

    fn text(&self) -> String {
        match self.0["value"].as_f64() {
            None => format!("failed: {}", self.0["error"].as_str().unwrap_or_default()),
            Some(value) if self.0["valid"] == true => number(value),
            Some(value) => format!("{} INVALID (off by {})", number(value), self.0["error"]),
        }
    }
}

impl<'a> Report<'a> {
    pub fn new(options: &'a Options, targets: &[(Target, Device)]) -> Report<'a> {
        let peers: Vec<&str> = targets.iter().map(|(target, _)| target.peer()).collect();
        let devices: Vec<&str> = targets.iter().map(|(_, device)| device.name()).collect();
        let arch = if peers == ["swathe_cuda"] { "cuda" } else { "cpu" };
        let meta = json!({
            "date": today(), "arch": arch, "threads": options.threads(), "size": options.size().name(),
            "peers": peers, "rounds": options.rounds(), "versions": { "swathe": env!("CARGO_PKG_VERSION") },
            "cpu": cpu_name(), "devices": devices,
        });
        println!("| workload | unit | {} |", peers.join(" | "));
        println!("|---|---|{}", "---:|".repeat(peers.len()));
        Report {
            options,
            document: Map::from_iter([("_meta".to_owned(), meta)]),
            peers,
        }
    }

    /// Adds a result, and prints the row when the last device's is there.
    pub fn add(&mut self, workload: &'static str, target: Target, cell: Cell) {
        let row = self.document.entry(workload).or_insert_with(|| json!({}));
        row[target.peer()] = cell.0;
        if self.peers.last() == Some(&target.peer()) {
            println!("{}", self.line(workload));
        }
    }

    fn line(&self, workload: &str) -> String {
        let row = &self.document[workload];
        let unit = self
            .peers
            .iter()
            .find_map(|peer| row[peer]["unit"].as_str())
            .unwrap_or_default();
        let mut line = format!("| {workload} | {unit} |");
        for peer in &self.peers {
            // Writing to a string does not fail.
            let _ = write!(line, " {} |", Cell(row[peer].clone()).text());
        }
        line
    }

    /// Writes the file that was asked for.
    ///
    /// # Errors
    /// [`Failure::Write`].
    pub fn finish(&self) -> Result<(), Failure> {
        match &self.options.json {
            Some(path) => write(path, &Value::Object(self.document.clone())),
            None => Ok(()),
        }
    }

    /// Whether every result is right.
    pub fn valid(&self) -> bool {
        let rows = self.document.iter().filter(|(name, _)| *name != "_meta");
        rows.flat_map(|(_, row)| row.as_object())
            .all(|row| row.values().all(|cell| cell["valid"] == true))
    }
}

/// Writes a document, in a folder that may be new.
///
/// # Errors
/// [`Failure::Write`].
pub fn write(path: &Path, document: &Value) -> Result<(), Failure> {
    let failure = |e| Failure::Write(path.display().to_string(), e);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failure)?;
    }
    std::fs::write(path, format!("{document:#}\n")).map_err(failure)
}

/// When and on what was measured.
pub fn machine(options: &Options) -> Value {
    json!({ "date": today(), "threads": options.threads(), "cpu": cpu_name(), "version": env!("CARGO_PKG_VERSION") })
}

/// Four digits.
pub fn rounded(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

fn number(x: f64) -> String {
    match x.abs() {
        1000.0.. => format!("{x:.0}"),
        100.0.. => format!("{x:.1}"),
        1.0.. => format!("{x:.2}"),
        _ => format!("{x:.4}"),
    }
}

fn cpu_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name"));
    line.and_then(|rest| rest.split_once(':'))
        .map_or("unknown", |(_, name)| name.trim())
        .to_owned()
}

/// The date in UTC, by the algorithm `civil_from_days` of H. Hinnant.
fn today() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let days = now.map_or(0, |since| since.as_secs() / 86_400) + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}
