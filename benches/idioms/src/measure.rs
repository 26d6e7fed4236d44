//! Times of forms in turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

use swathe::Result;

use crate::Failure;
use crate::data::Arrays;
use crate::options::Options;

/// Nanoseconds for an element of the longest array: the least of all rounds.
pub struct Times {
    pub forms: Vec<f64>,
    pub by_hand: f64,
}

/// Least time of a sample, so that the clock does not matter, in seconds.
const SAMPLE: f64 = 2e-4;
const ROUNDS: usize = 12;

/// Runs all, the last of which is by hand, in turns that start at another one each time.
///
/// # Errors
/// Of kernels.
pub fn turns<A: Arrays>(
    arrays: &mut A,
    runs: &[Box<dyn Fn(&mut A) -> Result<f64> + '_>],
    elements: usize,
    options: &Options,
) -> std::result::Result<Times, Failure> {
    let mut batches = Vec::new();
    for run in runs {
        let once = sample(arrays, run, 1)?.min(sample(arrays, run, 1)?);
        batches.push((SAMPLE / once.max(1e-8)).clamp(1.0, 1000.0).ceil() as usize);
    }
    let mut least = vec![f64::INFINITY; runs.len()];
    let start = Instant::now();
    let enough = Duration::from_secs_f64(options.seconds.max(0.0));
    let mut round = 0;
    while !options.check && (round < ROUNDS || start.elapsed() < enough) {
        for k in 0..runs.len() {
            let k = (k + round) % runs.len();
            least[k] = least[k].min(sample(arrays, &runs[k], batches[k])?);
        }
        round += 1;
    }
    let mut forms: Vec<f64> = least.iter().map(|seconds| seconds * 1e9 / elements as f64).collect();
    let by_hand = forms.pop().unwrap_or(f64::NAN);
    Ok(Times { forms, by_hand })
}

/// Seconds of a run, from the start, after one that is not counted.
fn sample<A: Arrays>(arrays: &mut A, run: &dyn Fn(&mut A) -> Result<f64>, batch: usize) -> Result<f64> {
    for array in arrays.each() {
        array.reset()?;
    }
    black_box(run(arrays)?);
    let clock = Instant::now();
    for _ in 0..batch {
        black_box(run(arrays)?);
    }
    Ok(clock.elapsed().as_secs_f64() / batch as f64)
}
