//! `cargo xtask bench`: the benchmarks on the CPU, alone or in turns with those of other libraries.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};

use crate::summary::{Outcome, Summary};
use crate::workspace::{Workspace, announce};

/// What is measured.
pub struct Plan {
    /// The folder with the benchmarks of other libraries.
    pub peers: Option<PathBuf>,
    pub threads: usize,
    pub rounds: usize,
    /// Small inputs, to see that all works.
    pub quick: bool,
    /// The cost of an element by number of elements and of threads, instead.
    pub scaling: bool,
}

/// Workloads that others have too: the name, and whether they and whether we have a second form of it, `name_own`.
const SHARED: [(&str, bool, bool); 17] = [
    ("saxpy", false, false),
    ("jacobi2d", true, false),
    ("nbody", true, false),
    ("mpm2d", true, false),
    ("sum", true, false),
    ("dot", true, false),
    ("mandelbrot", true, false),
    ("histogram", true, false),
    ("mat3", true, false),
    ("launch", true, false),
    ("import_f32", true, false),
    ("export_f32", true, true),
    ("import_vec3", true, false),
    ("export_vec3", true, true),
    ("import_struct", false, false),
    ("export_struct", false, false),
    ("compile", false, false),
];

pub fn run(workspace: &Workspace, plan: &Plan, summary: &mut Summary) {
    match measure(workspace, plan) {
        Ok(text) => summary.step("benchmarks", Outcome::Ok, text),
        Err(why) => summary.step("benchmarks", Outcome::Failed, why),
    }
}

fn measure(workspace: &Workspace, plan: &Plan) -> Result<String, String> {
    call(workspace.cargo(&["build", "--release", "-p", "swathe-benches"]))?;
    let work = workspace.target.join("benches");
    fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    let side = Side {
        program: workspace.target.join("release/swathe-benches"),
        plan,
        work: &work,
    };
    if plan.scaling {
        return scaling(workspace, &side);
    }
    let documents = match &plan.peers {
        None => vec![side.ours(&[], plan.rounds)?],
        Some(folder) => in_turns(&side, &Peers::set_up(folder, &work)?)?,
    };
    let merged = merge(&documents);
    let path = place(workspace, plan, &merged);
    let text = format!("{merged:#}\n");
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    if plan.peers.is_some() {
        let mut compare = Command::new(work.join("venv/bin/python"));
        compare.arg(work.join("peers/compare.py")).arg(&path);
        call(compare)?;
    }
    Ok(path.display().to_string())
}

/// Measures costs by number of elements, and puts the plot beside the numbers.
fn scaling(workspace: &Workspace, side: &Side) -> Result<String, String> {
    let file = side.work.join("scaling");
    let mut command = Command::new(&side.program);
    command.args(["--threads", &side.plan.threads.to_string()]);
    if side.plan.quick {
        command.arg("--smoke");
    }
    command.arg("--scaling").arg(&file);
    call(command)?;
    let numbers = file.with_extension("json");
    let named = place(workspace, side.plan, &read(&numbers)?).with_extension("");
    let to = |extension: &str| PathBuf::from(format!("{}-scaling.{extension}", named.display()));
    for extension in ["json", "svg"] {
        fs::copy(file.with_extension(extension), to(extension))
            .map_err(|e| format!("{}: {e}", to(extension).display()))?;
    }
    Ok(to("svg").display().to_string())
}

/// Both sides, workload by workload, so that the moods of a shared machine touch both.
fn in_turns(side: &Side, peers: &Peers) -> Result<Vec<Value>, String> {
    let mut documents = Vec::new();
    for _ in 0..side.plan.rounds {
        for (name, theirs, ours) in SHARED {
            let own = format!("{name}_own");
            let names = |both: bool| if both { vec![name, own.as_str()] } else { vec![name] };
            documents.push(side.ours(&names(ours), 1)?);
            documents.push(peers.run(side, &names(theirs))?);
        }
    }
    documents.push(side.ours(&["sph", "lattice_boltzmann", "ray_marching", "spmv"], side.plan.rounds)?);
    Ok(documents)
}

/// How programs are called.
pub struct Side<'a> {
    pub program: PathBuf,
    pub plan: &'a Plan,
    pub work: &'a Path,
}

impl Side<'_> {
    /// Runs our program, on the first cores alone where the system can do that.
    pub fn ours(&self, workloads: &[&str], rounds: usize) -> Result<Value, String> {
        let threads = self.plan.threads;
        let mut command = match Command::new("taskset").arg("--version").output() {
            Ok(_) => Command::new("taskset"),
            Err(_) => Command::new("env"),
        };
        if command.get_program() == "taskset" {
            command.args(["--cpu-list", &format!("0-{}", threads - 1)]);
        }
        let file = self.work.join("ours.json");
        command
            .arg(&self.program)
            .args(["--threads", &threads.to_string(), "--rounds", &rounds.to_string()]);
        command.args(["--size", self.size()]).arg("--json").arg(&file);
        if !workloads.is_empty() {
            command.arg("--workloads").args(workloads);
        }
        call(command)?;
        read(&file)
    }

    fn size(&self) -> &'static str {
        if self.plan.quick { "small" } else { "full" }
    }
}

/// The benchmarks of others: Python programs, in a virtual environment.
struct Peers {
    python: PathBuf,
    folder: PathBuf,
}

impl Peers {
    fn set_up(from: &Path, work: &Path) -> Result<Peers, String> {
        let (venv, folder) = (work.join("venv"), work.join("peers"));
        let python = venv.join("bin/python");
        if !python.is_file() {
            let mut create = Command::new("python3");
            create.args(["-m", "venv"]).arg(&venv);
            call(create)?;
        }
        let mut install = Command::new(&python);
        install
            .args(["-m", "pip", "install", "--quiet", "--requirement"])
            .arg(from.join("requirements.txt"));
        call(install)?;
        // A copy: they build and cache beside their sources.
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let entries = fs::read_dir(from).map_err(|e| format!("{}: {e}", from.display()))?;
        for path in entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.is_file())
        {
            let to = folder.join(path.file_name().unwrap_or_default());
            let text = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            fs::write(&to, text).map_err(|e| format!("{}: {e}", to.display()))?;
        }
        Ok(Peers { python, folder })
    }

    fn run(&self, side: &Side, workloads: &[&str]) -> Result<Value, String> {
        let file = side.work.join("theirs.json");
        let mut command = Command::new(&self.python);
        command.current_dir(&self.folder).arg("run.py");
        command.args([
            "--threads",
            &side.plan.threads.to_string(),
            "--rounds",
            "1",
            "--compile-reps",
            "1",
        ]);
        command
            .args(["--size", side.size()])
            .arg("--out")
            .arg(&file)
            .arg("--workloads")
            .args(workloads);
        call(command)?;
        read(&file)
    }
}

fn read(file: &Path) -> Result<Value, String> {
    let text = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    serde_json::from_slice(&text).map_err(|e| format!("{}: {e}", file.display()))
}

pub fn call(mut command: Command) -> Result<(), String> {
    announce(&command);
    let status = command.stdin(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{}: {status}", command.get_program().display())),
        Err(e) => Err(format!("cannot run {}: {e}", command.get_program().display())),
    }
}

/// One document of many: of each cell the measurement of the median time, with the times of all.
fn merge(documents: &[Value]) -> Value {
    let mut merged = Map::new();
    let mut peers: Vec<&Value> = Vec::new();
    for document in documents {
        for peer in document["_meta"]["peers"].as_array().into_iter().flatten() {
            if !peers.contains(&peer) {
                peers.push(peer);
            }
        }
        for (workload, row) in document
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, _)| *name != "_meta")
        {
            for peer in row.as_object().into_iter().flatten().map(|(peer, _)| peer) {
                let cells: Vec<&Value> = documents.iter().filter_map(|d| d.get(workload)?.get(peer)).collect();
                let cells_of = merged.entry(workload).or_insert_with(|| json!({}));
                cells_of[peer] = median(&cells);
            }
        }
    }
    let mut meta = documents
        .first()
        .map_or(Value::Null, |document| document["_meta"].clone());
    meta["peers"] = json!(peers);
    if let Some(others) = documents.iter().find(|d| d["_meta"]["versions"]["python"].is_string()) {
        meta["peers_versions"] = others["_meta"]["versions"].clone();
    }
    merged.shift_insert(0, "_meta".to_owned(), meta);
    Value::Object(merged)
}

fn median(cells: &[&Value]) -> Value {
    if let Some(failed) = cells
        .iter()
        .find(|cell| !cell["value"].is_number() || cell["valid"] != true)
    {
        return (*failed).clone();
    }
    let seconds = |cell: &Value| cell["median_s"].as_f64().unwrap_or_default();
    let mut sorted = cells.to_vec();
    sorted.sort_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    let mut cell = sorted[(sorted.len() - 1) / 2].clone();
    let rounds = |cell: &&Value| match cell["rounds_s"].as_array() {
        Some(rounds) => rounds.clone(),
        None => vec![cell["median_s"].clone()],
    };
    cell["rounds_s"] = cells.iter().flat_map(rounds).collect();
    cell
}

/// `benches/results/<date>-<cpu>.json`; quick runs are no results.
fn place(workspace: &Workspace, plan: &Plan, document: &Value) -> PathBuf {
    let word = |key: &str| document["_meta"][key].as_str().unwrap_or("unknown").to_lowercase();
    let cpu = word("cpu");
    let words: Vec<&str> = cpu
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect();
    let name = format!("{}-{}.json", word("date"), words.join("-"));
    match plan.quick {
        true => workspace.target.join("benches").join(name),
        false => workspace.root.join("benches/results").join(name),
    }
}

impl Plan {
    /// From the arguments after `bench`.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Plan, String> {
        let mut plan = Plan {
            peers: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            rounds: 3,
            quick: false,
            scaling: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value"));
            match argument.as_str() {
                "--peers" => plan.peers = Some(env::current_dir().unwrap_or_default().join(value()?)),
                "--threads" => plan.threads = positive(&value()?)?,
                "--rounds" => plan.rounds = positive(&value()?)?,
                "--quick" => plan.quick = true,
                "--scaling" => plan.scaling = true,
                other => return Err(format!("unknown option `{other}`")),
            }
        }
        Ok(plan)
    }
}

fn positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("`{text}` is not a positive number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(peer: &str, seconds: f64) -> Value {
        json!({
            "_meta": { "peers": [peer] },
            "sum": { peer: { "median_s": seconds, "value": 1.0 / seconds, "valid": true, "rounds_s": [seconds] } },
        })
    }

    #[test]
    fn of_several_rounds_the_median_stands() {
        let documents = [
            document("a", 3.0),
            document("b", 1.0),
            document("a", 5.0),
            document("a", 4.0),
        ];
        let merged = merge(&documents);
        assert_eq!(merged["_meta"]["peers"], json!(["a", "b"]));
        assert_eq!(merged["sum"]["a"]["median_s"], 4.0);
        assert_eq!(merged["sum"]["a"]["rounds_s"], json!([3.0, 5.0, 4.0]));
        assert_eq!(merged["sum"]["b"]["rounds_s"], json!([1.0]));
    }

    #[test]
    fn one_failed_round_is_not_hidden() {
        let mut failed = document("a", 1.0);
        failed["sum"]["a"] = json!({ "error": "killed", "valid": false });
        let merged = merge(&[document("a", 3.0), failed, document("a", 5.0)]);
        assert_eq!(merged["sum"]["a"]["error"], "killed");
    }

    #[test]
    fn options_are_read() {
        let plan = |line: &str| Plan::parse(line.split_whitespace().map(String::from));
        let given = plan("--threads 2 --rounds 5 --peers /x --quick").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(
            (given.threads, given.rounds, given.quick, given.scaling),
            (2, 5, true, false)
        );
        assert_eq!(given.peers, Some(PathBuf::from("/x")));
        assert_eq!(
            plan("--threads 0").err().as_deref(),
            Some("`0` is not a positive number")
        );
        assert_eq!(plan("--rounds").err().as_deref(), Some("`--rounds` needs a value"));
    }
}
