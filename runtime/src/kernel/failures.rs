//! What fails in native code of a kernel, until the call ends.

use std::cmp::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::checks::Coverage;
use super::shown::{self, Argument};
use super::{KernelInfo, Site};
use crate::access::MAX_RANK;
use crate::collision::met::{self, Met};
use crate::error::{Error, FailedAccess};

/// Numbers that a failure is told with, at most: an index, or the values of a message.
pub(crate) const WORDS: usize = 16;

/// Failures of one call of a kernel: how many, and the least of them.
pub struct Failures {
    info: &'static KernelInfo,
    noted: Mutex<Noted>,
}

#[derive(Default)]
struct Noted {
    count: usize,
    /// How many of them are collisions.
    collisions: usize,
    /// The least of these.
    collision: Option<Box<Met>>,
    /// The least by place, then by position or values: the same one however many threads run.
    least: Option<Box<Least>>,
}

struct Least {
    place: Place,
    index: [u64; WORDS],
    what: What,
}

enum What {
    Access {
        site: u32,
        shape: [usize; MAX_RANK],
        /// Of an offset field.
        origin: Option<[isize; MAX_RANK]>,
        rank: usize,
    },
    /// The same in a function, which names its parameter.
    InFunction {
        field: &'static str,
        shape: Vec<usize>,
    },
    Message(String),
}

/// Where something failed, in the order in which failures are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Number of accesses of the kernel up to here.
    order: u32,
    line: u32,
    column: u32,
    file: &'static str,
}

impl Place {
    /// In a function, whose failures come after those of the kernel itself.
    pub(crate) fn in_function(file: &'static str, line: u32, column: u32) -> Place {
        let order = u32::MAX;
        Place {
            order,
            line,
            column,
            file,
        }
    }
}

impl Failures {
    #[inline]
    pub(crate) fn new(info: &'static KernelInfo) -> Failures {
        Failures {
            info,
            noted: Mutex::new(Noted::default()),
        }
    }

    /// The kernel's name.
    pub(crate) fn kernel(&self) -> &'static str {
        self.info.name
    }

    /// Whether nothing failed, when the call has ended.
    #[inline]
    pub(crate) fn is_empty(&mut self) -> bool {
        self.noted.get_mut().unwrap_or_else(PoisonError::into_inner).count == 0
    }

    /// Records that the access at `site` of the kernel's sites is out of bounds.
    #[cold]
    #[inline(never)]
    pub fn fail(&self, site: u32, index: &[usize], shape: &[usize], origin: Option<&[isize]>) {
        let place = Place {
            order: site.saturating_add(1),
            line: 0,
            column: 0,
            file: self.info.file,
        };
        let mut words = [0; WORDS];
        for (word, k) in words.iter_mut().zip(index) {
            *word = *k as u64;
        }
        self.note(place, words, || {
            let mut extents = [0; MAX_RANK];
            let (axes, rank) = (shape.len().min(MAX_RANK), index.len().min(MAX_RANK));
            extents[..axes].copy_from_slice(&shape[..axes]);
            What::Access {
                site,
                shape: extents,
                origin: origin.map(|origin| {
                    let mut of_axes = [0; MAX_RANK];
                    of_axes[..axes].copy_from_slice(&origin[..axes]);
                    of_axes
                }),
                rank,
            }
        });
    }

    /// Records that an iteration failed by its own word, behind `order` of the kernel's accesses.
    #[cold]
    #[inline(never)]
    pub fn failed(&self, order: u32, line: u32, column: u32, template: &str, args: &[Argument]) {
        self.failed_in(self.info.file, order, line, column, template, args);
    }

    /// The same in a part of its text that comes from another file.
    #[cold]
    #[inline(never)]
    pub fn failed_in(&self, file: &'static str, order: u32, line: u32, column: u32, template: &str, args: &[Argument]) {
        let place = Place {
            order,
            line,
            column,
            file,
        };
        self.record(place, template, args);
    }

    pub(crate) fn record(&self, place: Place, template: &str, args: &[Argument]) {
        let mut index = [0; WORDS];
        for (word, value) in index.iter_mut().zip(shown::words(args)) {
            *word = value;
        }
        self.note(place, index, || What::Message(shown::message(template, args)));
    }

    /// Records that an access of a function is out of bounds.
    pub(crate) fn outside(&self, place: Place, field: &'static str, index: &[usize], shape: &[usize]) {
        let mut words = [0; WORDS];
        for (word, k) in words.iter_mut().zip(index) {
            *word = *k as u64;
        }
        self.note(place, words, || What::InFunction {
            field,
            shape: shape.to_vec(),
        });
    }

    fn note(&self, place: Place, index: [u64; WORDS], what: impl FnOnce() -> What) {
        let mut failures = self.noted();
        failures.count = failures.count.saturating_add(1);
        let what = match &failures.least {
            Some(least) => match (place, index).cmp(&(least.place, least.index)) {
                Ordering::Less => what(),
                // A division has two failures: that by zero comes first by its text, as it does on a device.
                Ordering::Equal => match (what(), &least.what) {
                    (What::Message(text), What::Message(other)) if text < *other => What::Message(text),
                    _ => return,
                },
                Ordering::Greater => return,
            },
            None => what(),
        };
        failures.least = Some(Box::new(Least { place, index, what }));
    }

    /// Records that two iterations collide at `index`.
    #[cold]
    pub(crate) fn collide(&self, accesses: [met::Noted; 2], index: &[usize]) {
        let met = Met::new(self.info, accesses, index);
        let mut failures = self.noted();
        failures.count = failures.count.saturating_add(1);
        failures.collisions = failures.collisions.saturating_add(1);
        if failures.collision.as_ref().is_none_or(|least| met < **least) {
            failures.collision = Some(Box::new(met));
        }
    }

    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error that they are.
    #[cold]
    pub(crate) fn error(&self) -> Error {
        let failures = std::mem::take(&mut *self.noted());
        let KernelInfo {
            name,
            file,
            line,
            sites,
            ..
        } = *self.info;
        let Some(least) = failures.least else {
            if let Some(met) = &failures.collision {
                return Error::Collision(Box::new(met.collision(self.info)));
            }
            return Error::KernelPanic {
                kernel: name,
                file,
                line,
                message: "stopped without a reason".to_owned(),
            };
        };
        let Least { place, index, what } = *least;
        let count = failures.count - failures.collisions;
        let (number, shape, origin, rank) = match what {
            What::Access {
                site,
                shape,
                origin,
                rank,
            } => (site, shape, origin, rank),
            What::InFunction { field, shape } => {
                let at = FailedAccess {
                    kernel: name,
                    file: place.file,
                    line: place.line,
                    column: place.column,
                    field,
                    count,
                };
                let index: Vec<usize> = index[..shape.len()].iter().map(|k| *k as usize).collect();
                return Error::out_of_bounds(at, &index, &shape, None);
            }
            What::Message(message) => {
                return Error::KernelFailure {
                    kernel: name,
                    file: place.file,
                    line: place.line,
                    column: place.column,
                    message,
                    count,
                };
            }
        };
        let site = sites.get(number as usize).copied().unwrap_or(Site {
            field: "?",
            line,
            column: 1,
            coverage: Coverage::InPlace,
            in_unsafe: false,
        });
        let at = FailedAccess {
            kernel: name,
            file: self.info.file_of(number as usize),
            line: site.line,
            column: site.column,
            field: site.field,
            count,
        };
        let index: Vec<usize> = index[..rank].iter().map(|k| *k as usize).collect();
        let origin = origin.as_ref().map(|origin| &origin[..rank]);
        Error::out_of_bounds(at, &index, &shape[..rank], origin)
    }
}
