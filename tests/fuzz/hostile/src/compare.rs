//! What a run leaves behind, and whether a kernel did what its text does as plain Rust.

use swathe::Error;

use crate::data::Scalar;

/// Iterations that may end with one whose function failed: those of its block in lanes.
const BLOCK: usize = 64;

/// Why an iteration ended.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Failure {
    /// An access was out of bounds.
    Bounds { field: &'static str, index: Vec<usize> },
    /// An assertion, or a division without a result.
    Own,
    /// What ends the whole part of a loop: an index into an array of its own.
    Panic,
}

impl Failure {
    pub(crate) fn of_panic(message: &str) -> Failure {
        match message.starts_with("index out of bounds") {
            true => Failure::Panic,
            false => Failure::Own,
        }
    }
}

/// What a run leaves behind.
#[derive(Clone, Default, Debug)]
pub struct Outcome {
    pub(crate) error: Option<Error>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) result: Vec<Scalar>,
    pub(crate) fields: Vec<Vec<Scalar>>,
}

impl Outcome {
    fn bounds(&self) -> impl Iterator<Item = (&'static str, &[usize])> {
        self.failures.iter().filter_map(|failure| match failure {
            Failure::Bounds { field, index } => Some((*field, &**index)),
            _ => None,
        })
    }

    fn has(&self, failure: &Failure) -> bool {
        self.failures.contains(failure)
    }
}

/// What is different.
pub(crate) fn compare(expected: &Outcome, got: &Outcome, in_order: bool) -> Option<String> {
    let wrong_error = error(expected, got, in_order);
    if wrong_error.is_some() {
        return wrong_error;
    }
    if expected.has(&Failure::Panic) {
        return None;
    }
    if got.error.is_none() && got.result != expected.result {
        return Some(format!("returned {:?}, not {:?}", got.result, expected.result));
    }
    let spared = match expected.failures.iter().filter(|f| **f == Failure::Own).count() {
        0 => 0,
        failures => BLOCK * failures,
    };
    for (k, (got, expected)) in got.fields.iter().zip(&expected.fields).enumerate() {
        let different: Vec<usize> = (0..expected.len())
            .filter(|at| got.get(*at) != expected.get(*at))
            .collect();
        if let Some(at) = different.first()
            && different.len() > spared
        {
            return Some(format!(
                "field {k}: {} of {} scalars differ, first {at}: {:?}, not {:?}",
                different.len(),
                expected.len(),
                got.get(*at),
                expected[*at]
            ));
        }
    }
    None
}

fn error(expected: &Outcome, got: &Outcome, in_order: bool) -> Option<String> {
    let (bounds, own, panic) = (
        expected.bounds().count(),
        expected.has(&Failure::Own),
        expected.has(&Failure::Panic),
    );
    let fits = match &got.error {
        None => expected.failures.is_empty(),
        Some(Error::OutOfBounds {
            field, index, count, ..
        }) => {
            // A part of a field is told by the name of the parameter, and so is the plain one.
            let known = !in_order
                || expected
                    .bounds()
                    .any(|(name, place)| name == *field && place == &**index);
            known && (own || panic || *count == bounds)
        }
        Some(Error::KernelFailure { .. }) => own,
        Some(Error::KernelPanic { .. }) => panic,
        Some(_) => false,
    };
    (!fits).then(|| {
        let first = expected.failures.first();
        let all = expected.failures.len();
        format!(
            "ended with {:?}, not with {all} failures, the first {first:?}",
            got.error
        )
    })
}

/// What is different from all of what it could be, where answers differ from call to call: no element may hold what neither the start nor a
/// run with the same answer throughout gives it.
pub(crate) fn among(start: &Outcome, runs: &[Outcome], got: &Outcome) -> Option<String> {
    for (k, field) in got.fields.iter().enumerate() {
        let may = |at: usize, value: &Scalar| {
            let held = |outcome: &Outcome| outcome.fields.get(k).and_then(|field| field.get(at)) == Some(value);
            held(start) || runs.iter().any(held)
        };
        let different = field.iter().enumerate().filter(|(at, value)| !may(*at, value));
        let all = different.clone().count();
        if let Some((at, value)) = different.into_iter().next() {
            return Some(format!(
                "field {k}: {all} scalars that nobody wrote, first {at}: {value:?}"
            ));
        }
    }
    None
}
