//! The machine code of the workloads' kernels beside that of CUDA C which is written by hand for the same (`by_hand.cu`), by the same
//! compiler. It writes `docs/measurements/machine-code.md`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

use swathe::__rt::FuncDef;
use swathe::codegen::{Params, Variant, cuda_source};
use swathe_benches::kernels;
use swathe_nvidia_tools::nvdisasm::{Code, Nvdisasm};
use swathe_nvidia_tools::nvrtc::Nvrtc;
use swathe_nvidia_tools::occupancy::occupancy;
use swathe_nvidia_tools::ptxas::{Ptxas, Usage};

const BY_HAND: &str = include_str!("by_hand.cu");
const ARCHITECTURES: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_120"];
/// Threads of a block.
const THREADS: u64 = 256;
const PAGE: &str = "docs/measurements/machine-code.md";
const BLESS: &str = "SWATHE_BLESS=1 cargo test -p swathe-benches --test codegen_quality";

/// A loop of a workload.
struct Row {
    name: &'static str,
    text: fn() -> String,
    /// Its entry in our text, and by hand.
    entries: [&'static str; 2],
    options: &'static [&'static str],
    /// Opcodes of its innermost loop, of which the first occurs so often for an element.
    opcodes: &'static [&'static str],
    times: f64,
    /// What an element reads from memory and writes to it, at least.
    bytes: Option<f64>,
    /// Our instructions in those by hand, at most.
    most: f64,
}

const PLAIN: Row = Row {
    name: "",
    text: String::new,
    entries: [""; 2],
    options: &[],
    opcodes: &["STG"],
    times: 1.0,
    bytes: None,
    most: 1.05,
};

fn text<K: FuncDef>(variant: Variant) -> String {
    cuda_source(&K::load(), variant).unwrap().text
}

fn params(all: &[usize]) -> Params {
    all.iter().fold(Params::default(), |set, k| set.with(*k).unwrap())
}

fn aos<K: FuncDef>() -> String {
    text::<K>(Variant::default())
}

/// All rows: workloads in the order of the benchmarks, with their loops.
const ROWS: [Row; 22] = [
    Row {
        name: "saxpy",
        text: aos::<kernels::saxpy>,
        entries: ["saxpy"; 2],
        bytes: Some(12.0),
        ..PLAIN
    },
    Row {
        name: "Jacobi",
        text: aos::<kernels::relax>,
        entries: ["relax"; 2],
        bytes: Some(8.0),
        ..PLAIN
    },
    Row {
        name: "n-body, a pair",
        text: aos::<kernels::gravity>,
        entries: ["gravity"; 2],
        opcodes: &["MUFU.RSQ", "LDG"],
        bytes: Some(0.0),
        ..PLAIN
    },
    Row {
        name: "n-body, `fast_math`, a pair",
        text: aos::<kernels::gravity_fast>,
        entries: ["gravity_fast"; 2],
        options: &["--use_fast_math"],
        opcodes: &["LDG", "MUFU"],
        times: 4.0,
        bytes: Some(0.0),
        ..PLAIN
    },
    Row {
        name: "MLS-MPM, clear the grid",
        text: aos::<kernels::substep>,
        entries: ["substep_0"; 2],
        opcodes: &["STG.E.64"],
        bytes: Some(12.0),
        most: 1.13,
        ..PLAIN
    },
    Row {
        name: "MLS-MPM, particles to grid",
        text: aos::<kernels::substep>,
        entries: ["substep_1"; 2],
        opcodes: &["LDG.E.128"],
        most: 1.75,
        ..PLAIN
    },
    Row {
        name: "MLS-MPM, grid",
        text: aos::<kernels::substep>,
        entries: ["substep_2"; 2],
        opcodes: &["STG", "MUFU"],
        bytes: Some(20.0),
        most: 1.1,
        ..PLAIN
    },
    Row {
        name: "MLS-MPM, grid to particles",
        text: aos::<kernels::substep>,
        entries: ["substep_3"; 2],
        opcodes: &["STG.E.128"],
        most: 1.33,
        ..PLAIN
    },
    Row {
        name: "sum",
        text: aos::<kernels::sum>,
        entries: ["sum_0"; 2],
        opcodes: &["LDG"],
        bytes: Some(4.0),
        most: 1.12,
        ..PLAIN
    },
    Row {
        name: "dot",
        text: aos::<kernels::dot>,
        entries: ["dot_0"; 2],
        opcodes: &["LDG"],
        times: 2.0,
        bytes: Some(8.0),
        ..PLAIN
    },
    Row {
        name: "fractal, a step",
        text: aos::<kernels::mandelbrot>,
        entries: ["mandelbrot"; 2],
        opcodes: &["FSETP"],
        bytes: Some(0.0),
        ..PLAIN
    },
    Row {
        name: "histogram",
        text: || {
            text::<kernels::histogram>(Variant {
                copied: params(&[1]),
                ..Variant::default()
            })
        },
        entries: ["histogram"; 2],
        opcodes: &["ATOMS"],
        bytes: Some(4.0),
        most: 1.9,
        ..PLAIN
    },
    Row {
        name: "3x3 matrices, AoS",
        text: aos::<kernels::mat3>,
        entries: ["mat3"; 2],
        opcodes: &["MUFU.RCP"],
        bytes: Some(148.0),
        ..PLAIN
    },
    Row {
        name: "3x3 matrices, SoA",
        text: || {
            text::<kernels::mat3>(Variant {
                planar: params(&[0, 1, 2, 3]),
                ..Variant::default()
            })
        },
        entries: ["mat3", "mat3_soa"],
        opcodes: &["MUFU.RCP"],
        bytes: Some(148.0),
        most: 1.4,
        ..PLAIN
    },
    Row {
        name: "copy",
        text: aos::<kernels::copy>,
        entries: ["copy"; 2],
        bytes: Some(8.0),
        ..PLAIN
    },
    Row {
        name: "SPH, particles into cells",
        text: aos::<kernels::sort>,
        entries: ["sort_1"; 2],
        opcodes: &["ATOM"],
        most: 2.45,
        ..PLAIN
    },
    Row {
        name: "SPH, densities, a neighbour",
        text: aos::<kernels::densities>,
        entries: ["densities"; 2],
        opcodes: &["FMNMX"],
        most: 1.2,
        ..PLAIN
    },
    Row {
        name: "SPH, forces, a neighbour",
        text: aos::<kernels::forces>,
        entries: ["forces"; 2],
        opcodes: &["MUFU.RSQ", "MUFU.RCP"],
        most: 1.15,
        ..PLAIN
    },
    Row {
        name: "SPH, a step in time",
        text: aos::<kernels::advance>,
        entries: ["advance"; 2],
        opcodes: &["STG"],
        times: 2.0,
        bytes: Some(40.0),
        ..PLAIN
    },
    Row {
        name: "lattice Boltzmann",
        text: aos::<kernels::step>,
        entries: ["step"; 2],
        opcodes: &["STG", "MUFU"],
        times: 9.0,
        bytes: Some(72.0),
        most: 1.25,
        ..PLAIN
    },
    Row {
        name: "ray marching, a step",
        text: aos::<kernels::render>,
        entries: ["render"; 2],
        opcodes: &["MUFU.RSQ"],
        times: 4.0,
        bytes: Some(0.0),
        ..PLAIN
    },
    Row {
        name: "sparse product, an entry",
        text: aos::<kernels::spmv>,
        entries: ["spmv"; 2],
        opcodes: &["FFMA"],
        bytes: Some(8.0),
        most: 1.5,
        ..PLAIN
    },
];

/// Machine code of a text, with what its entries need.
struct Built {
    codes: HashMap<String, Code>,
    usages: Vec<Usage>,
}

/// What a loop costs.
struct Cost {
    /// Instructions for an element.
    instructions: f64,
    registers: u64,
    /// Accesses to memory for an element: opcode and bytes, and how many.
    accesses: Vec<(String, f64)>,
}

fn built(text: &str, arch: &str, options: &[&str]) -> Option<Built> {
    let compiled = Nvrtc::get()?.compile(text, arch, options);
    let log = &compiled.log;
    let cubin = compiled.cubin.unwrap_or_else(|e| panic!("{e}: {log}\n{text}"));
    Some(Built {
        codes: Nvdisasm::get()?.code(&cubin),
        usages: Ptxas::get()?.usage(&compiled.ptx, arch).unwrap(),
    })
}

fn has(text: &str, opcode: &str) -> bool {
    text.split(' ').any(|word| word.starts_with(opcode))
}

/// The cheapest innermost loop with all opcodes, without blocks that call. Loops that report failures are none.
fn cost(built: &Built, entry: &str, row: &Row, arch: &str) -> Cost {
    let (code, usage) = (
        &built.codes[entry],
        built.usages.iter().find(|usage| usage.entry == entry),
    );
    let usage = usage.unwrap_or_else(|| panic!("{entry} in the report of ptxas"));
    assert_eq!(
        usage.stack + usage.spill_stores,
        0,
        "{entry} on {arch} keeps values in local memory"
    );
    let elements = |body: &[&str]| body.iter().filter(|text| has(text, row.opcodes[0])).count() as f64 / row.times;
    let rounds = code.without_calls().into_iter().filter(|body| {
        let all = row
            .opcodes
            .iter()
            .all(|opcode| body.iter().any(|text| has(text, opcode)));
        all && !body.iter().any(|text| has(text, "MEMBAR"))
    });
    let each = |body: &[&str]| body.len() as f64 / elements(body);
    let body = rounds.min_by(|a, b| each(a).total_cmp(&each(b))).unwrap_or_else(|| {
        panic!(
            "{entry} on {arch}: no loop with {:?} in\n{}",
            row.opcodes,
            code.instructions.join("\n")
        )
    });
    let mut accesses: Vec<(String, f64)> = Vec::new();
    for name in body.iter().filter_map(|text| access(text)) {
        match accesses.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1.0 / elements(&body),
            None => accesses.push((name, 1.0 / elements(&body))),
        }
    }
    accesses.sort_by(|(a, _), (b, _)| a.cmp(b));
    Cost {
        instructions: each(&body),
        registers: usage.registers,
        accesses,
    }
}

/// The access to memory that an instruction is, with its bytes: `load 16`.
fn access(text: &str) -> Option<String> {
    let opcode = text.split(' ').find(|word| !word.starts_with('@'))?;
    let mut parts = opcode.split('.');
    let kind = match parts.next()? {
        "LDG" => "load",
        "STG" => "store",
        "RED" | "ATOMG" | "ATOM" | "REDG" => "atomic",
        "ATOMS" => "shared atomic",
        "LDS" | "STS" => "shared",
        _ => return None,
    };
    let bytes = parts.find_map(|part| match part {
        "U8" | "S8" => Some(1),
        "U16" | "S16" => Some(2),
        "64" => Some(8),
        "128" => Some(16),
        _ => None,
    });
    Some(format!("{kind} {}", bytes.unwrap_or(4)))
}

/// Costs of all rows on an architecture: ours, and by hand.
fn costs(arch: &str) -> Option<Vec<[Cost; 2]>> {
    let by_hand = built(BY_HAND, arch, &[])?;
    let mut texts: HashMap<String, Built> = HashMap::new();
    let rows = ROWS.iter().map(|row| {
        let text = (row.text)();
        if !texts.contains_key(&text) {
            texts.insert(text.clone(), built(&text, arch, row.options)?);
        }
        let [ours, theirs] = row.entries;
        Some([cost(&texts[&text], ours, row, arch), cost(&by_hand, theirs, row, arch)])
    });
    rows.collect()
}

#[test]
fn loops_are_as_by_hand() {
    let all = Mutex::new(HashMap::new());
    std::thread::scope(|scope| {
        for half in ARCHITECTURES.chunks(ARCHITECTURES.len() / 2) {
            let all = &all;
            scope.spawn(move || {
                for arch in half {
                    all.lock().unwrap().insert(*arch, costs(arch));
                }
            });
        }
    });
    let mut all = all.into_inner().unwrap();
    let costs: Option<Vec<Vec<[Cost; 2]>>> = ARCHITECTURES.iter().map(|arch| all.remove(arch).unwrap()).collect();
    let Some(costs) = costs else { return };

    let mut worse = String::new();
    for (arch, costs) in ARCHITECTURES.iter().zip(&costs) {
        for (row, [ours, theirs]) in ROWS.iter().zip(costs) {
            if ours.instructions > theirs.instructions * row.most {
                let numbers = [ours.instructions, theirs.instructions];
                let _ = writeln!(worse, "{} on {arch}: {numbers:?}, at most {}", row.name, row.most);
            }
        }
    }
    assert!(
        worse.is_empty(),
        "more instructions for an element than by hand:\n{worse}"
    );

    let page = page(&costs);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(PAGE);
    if std::env::var_os("SWATHE_BLESS").is_some() {
        std::fs::write(file, page).unwrap();
    } else if Nvrtc::get().is_some_and(|nvrtc| nvrtc.version() == (12, 9)) {
        let known = std::fs::read_to_string(file).unwrap_or_default();
        assert!(known == page, "{PAGE} is stale: {BLESS}\n{page}");
    }
}

fn page(costs: &[Vec<[Cost; 2]>]) -> String {
    let mut page = HEAD.to_owned();
    let columns: String = ARCHITECTURES
        .iter()
        .map(|arch| format!(" {arch} | by hand |"))
        .collect();
    let rule = "---|".repeat(2 * ARCHITECTURES.len() + 1);
    let mut table = |title: &str, cell: &dyn Fn(&str, &Cost) -> String| {
        let _ = write!(page, "\n## {title}\n\n| |{columns}\n|{rule}\n");
        for (k, row) in ROWS.iter().enumerate() {
            let cells = ARCHITECTURES.iter().zip(costs);
            let cells = cells.flat_map(|(arch, costs)| costs[k].iter().map(move |cost| (arch, cost)));
            let cells: String = cells.map(|(arch, cost)| format!(" {} |", cell(arch, cost))).collect();
            let _ = writeln!(page, "| {} |{cells}", row.name);
        }
    };
    table("Instructions for an element, and registers of a thread", &|_, cost| {
        format!("{} ({})", short(cost.instructions), cost.registers)
    });
    table("Occupancy in percent, as registers limit it", &|arch, cost| {
        let share = occupancy(arch, cost.registers, THREADS).expect("an architecture of the table");
        short((100.0 * share).round())
    });

    page +=
        "\n## Accesses to memory for an element, with their bytes, on sm_90\n\n| | swathe | by hand |\n|---|---|---|\n";
    let third = ARCHITECTURES.iter().position(|arch| *arch == "sm_90").expect("sm_90");
    for (row, pair) in ROWS.iter().zip(&costs[third]) {
        let [ours, theirs] = pair.each_ref().map(|cost| {
            let all = cost
                .accesses
                .iter()
                .map(|(name, count)| format!("{} {name}", short(*count)));
            all.collect::<Vec<_>>().join(", ")
        });
        let _ = writeln!(page, "| {} | {ours} | {theirs} |", row.name);
    }

    page += MODEL;
    for (row, [ours, _]) in ROWS.iter().zip(&costs[third]) {
        let Some(bytes) = row.bytes else { continue };
        let issue = MULTIPROCESSORS * LANES * CLOCK / ours.instructions / 1e9;
        let memory = MEMORY / bytes / 1e9;
        let (memory, bound) = match bytes {
            0.0 => ("".to_owned(), "instructions"),
            _ if memory < issue => (short(memory.round()), "memory"),
            _ => (short(memory.round()), "instructions"),
        };
        let _ = writeln!(page, "| {} | {} | {memory} | {bound} |", row.name, short(issue.round()));
    }
    page
}

/// At most two decimals.
fn short(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// An H100 SXM by NVIDIA's data sheet.
const MULTIPROCESSORS: f64 = 132.0;
const LANES: f64 = 128.0;
const CLOCK: f64 = 1.98e9;
const MEMORY: f64 = 3.35e12;

const HEAD: &str = "# Machine code

The kernels of `benches`, and CUDA C for the same that is written by hand
(`benches/tests/by_hand.cu`): loops that stride over the grid, positions of 32 bits, no checks.
`benches/tests/codegen_quality.rs` writes this page, and fails where it is stale:

```sh
SWATHE_BLESS=1 cargo test -p swathe-benches --test codegen_quality
```

- Method: NVRTC 12.9, its ptxas, and nvdisasm.
  A number is the instructions of the innermost loop for each element, but for blocks that call a function:
  what reports a failure is not counted, and neither is the slow path of a division.
- None of them keeps values in local memory.
- Indices from data are checked: histogram, both directions of MLS-MPM, SPH, sparse product.
- Each field has its own extents and its own pitch; by hand one serves all.
";

const MODEL: &str = "
## A model of an H100

Nothing here was measured.
An H100 SXM has 132 multiprocessors, each of which starts 128 instructions of threads in a cycle, at 1.98 GHz at most,
and its memory moves 3.35 TB/s (NVIDIA, \"H100 Tensor Core GPU\", data sheet).
A loop is not faster than either allows: 10^9 elements a second by its instructions, and by the bytes that it moves at least.
Waits for memory, atomic operations, divisions and roots slow it down further.

| | instructions | memory | bound by |
|---|---|---|---|
";
