//! The suite on the CPU without a test harness, from within one thread pool: `suite [topic..]`, or `suite --race` for a kernel that has a race.
//!
//! A detector of data races (`cargo xtask sanitize`) follows the atomic operations by which rayon's threads hand work to one another,
//! but not the locks of the standard library, on which a test harness and threads outside of the pool wait.

use std::process::ExitCode;

use swathe::prelude::*;
use swathe_tests::suite::TOPICS;

/// Neighbours write one element.
#[kernel]
fn race(x: &mut Field<u32>) {
    for i in x.indices() {
        // SAFETY: none; a detector has to find it.
        unsafe { x[i / 2] = i as u32 };
    }
}

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let racing = wanted == ["--race"];
    let unknown = |name: &&String| !racing && TOPICS.iter().all(|topic| topic.0 != name.as_str());
    if let Some(name) = wanted.iter().find(unknown) {
        eprintln!("no topic `{name}`");
        return ExitCode::FAILURE;
    }
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(4).build() {
        Ok(pool) => pool,
        Err(e) => {
            eprintln!("no thread pool: {e}");
            return ExitCode::FAILURE;
        }
    };
    pool.install(|| {
        if racing {
            let mut x = Field::zeros(&Device::cpu(), 1000).expect("memory for a field");
            return race(&mut x).expect("indices in bounds");
        }
        for (name, check, _) in TOPICS {
            if wanted.is_empty() || wanted.iter().any(|w| w == name) {
                println!("{name}");
                check(&Device::cpu());
            }
        }
    });
    // Its threads are still falling asleep, and what they then drop is none of the suite's.
    std::mem::forget(pool);
    ExitCode::SUCCESS
}
