//! Virtual ranks: threads of this process.

use std::any::Any;
use std::collections::VecDeque;
use std::mem::forget;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Call, Error, Result};
use crate::transport::Transport;
use crate::world::World;

/// Ranks that are threads of this process: for tests, for a start without MPI, and for several devices of one machine.
///
/// Each rank has a pool of threads of its own, in which its kernels run on the CPU.
///
/// ```
/// use swathe_distributed::Local;
///
/// let sums = Local::new(3).run(|world| world.sum(world.rank() as f64 + 1.0))?;
/// assert_eq!(sums, [6.0, 6.0, 6.0]);
/// # Ok::<(), swathe_distributed::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Local {
    ranks: usize,
    threads: Option<usize>,
    limit: Duration,
}

impl Local {
    /// So many ranks. They share the processor's cores evenly.
    #[must_use]
    pub fn new(ranks: usize) -> Local {
        Local {
            ranks,
            threads: None,
            limit: Duration::from_secs(600),
        }
    }

    /// Threads for the kernels of each rank.
    #[must_use]
    pub fn threads(self, each: usize) -> Local {
        Local {
            threads: Some(each),
            ..self
        }
    }

    /// How long a rank waits for another one that computes: ten minutes if nothing is said, without end with [`Duration::MAX`]. Failures,
    /// ends and ranks that wait for one another are told at once.
    #[must_use]
    pub fn time_limit(self, limit: Duration) -> Local {
        Local { limit, ..self }
    }

    /// Runs `body` on every rank, and gives the results in the order of the ranks.
    ///
    /// # Errors
    /// What went wrong first, if a rank returned an error or panicked; the other ranks' collectives have failed then.
    /// [`Error::Start`] if there are no ranks, or no threads for them.
    pub fn run<R: Send>(&self, body: impl Fn(&World) -> Result<R> + Sync) -> Result<Vec<R>> {
        if self.ranks == 0 {
            return Err(Error::Start("there have to be 1 or more".to_owned()));
        }
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let threads = self.threads.unwrap_or(cores / self.ranks).max(1);
        let pools = (0..self.ranks).map(|rank| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(move |k| format!("rank {rank}.{k}"))
                .build()
                .map_err(|error| Error::Start(error.to_string()))
        });
        let pools = pools.collect::<Result<Vec<_>>>()?;
        let shared = Arc::new(Shared::new(self.ranks, self.limit));
        let results: Vec<Result<R>> = thread::scope(|scope| {
            let started: Vec<_> = pools
                .iter()
                .enumerate()
                .map(|(rank, pool)| {
                    let (shared, body) = (shared.clone(), &body);
                    scope.spawn(move || pool.install(|| shared.rank(rank, body)))
                })
                .collect();
            let join = |rank: thread::ScopedJoinHandle<'_, Result<R>>| {
                rank.join()
                    .unwrap_or_else(|_| Err(Error::Start("a thread ended".to_owned())))
            };
            started.into_iter().map(join).collect()
        });
        // The others' errors are of that one.
        match shared.lock().failure.clone() {
            Some((rank, first)) if results.iter().any(Result::is_err) => match results.into_iter().nth(rank) {
                Some(Err(own)) => Err(own),
                _ => Err(first),
            },
            _ => results.into_iter().collect(),
        }
    }
}

/// What the ranks share.
struct Shared {
    state: Mutex<State>,
    /// One for each rank.
    changed: Vec<Condvar>,
    limit: Duration,
}

struct State {
    /// From each rank to each rank.
    messages: Vec<VecDeque<Vec<u8>>>,
    /// The rank that each one waits for, and what for.
    waiting: Vec<Option<(usize, Call)>>,
    ended: Vec<bool>,
    /// What went wrong first, and the rank that said so.
    failure: Option<(usize, Error)>,
}

impl Shared {
    fn new(ranks: usize, limit: Duration) -> Shared {
        Shared {
            state: Mutex::new(State {
                messages: vec![VecDeque::new(); ranks * ranks],
                waiting: vec![None; ranks],
                ended: vec![false; ranks],
                failure: None,
            }),
            changed: (0..ranks).map(|_| Condvar::new()).collect(),
            limit,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The program of one rank.
    fn rank<R>(self: Arc<Self>, rank: usize, body: &impl Fn(&World) -> Result<R>) -> Result<R> {
        let ended = Ended {
            shared: self.clone(),
            rank,
        };
        let end = End {
            shared: self.clone(),
            rank,
        };
        let result = catch_unwind(AssertUnwindSafe(|| {
            let world = World::new(Box::new(end))?;
            body(&world)
        }));
        let result = result.unwrap_or_else(|panic| {
            Err(Error::Panicked {
                rank,
                message: panic_message(panic),
            })
        });
        if let Err(error) = &result {
            self.fail(rank, error.of_rank(rank));
        }
        drop(ended);
        result
    }

    fn fail(&self, rank: usize, error: Error) {
        self.lock().failure.get_or_insert((rank, error));
        self.changed.iter().for_each(Condvar::notify_all);
    }
}

/// A rank, until it ends in whatever way.
struct Ended {
    shared: Arc<Shared>,
    rank: usize,
}

impl Drop for Ended {
    fn drop(&mut self) {
        self.shared.lock().ended[self.rank] = true;
        self.shared.changed.iter().for_each(Condvar::notify_all);
    }
}

/// What a panic says.
pub(crate) fn panic_message(panic: Box<dyn Any + Send>) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    // A payload's end may panic, too.
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        forget(second);
    }
    text.unwrap_or_else(|| "with a value that is no text".to_owned())
}

/// One rank's end.
struct End {
    shared: Arc<Shared>,
    rank: usize,
}

impl Transport for End {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.shared.changed.len()
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<()> {
        let mut state = self.shared.lock();
        if let Some((_, error)) = &state.failure {
            return Err(error.clone());
        }
        state.messages[self.rank * self.size() + to].push_back(message);
        self.shared.changed[to].notify_all();
        Ok(())
    }

    fn receive(&self, from: usize, call: &Call) -> Result<Vec<u8>> {
        let queue = from * self.size() + self.rank;
        // A limit beyond all times is none.
        let end = Instant::now().checked_add(self.shared.limit);
        let mut state = self.shared.lock();
        loop {
            state.waiting[self.rank] = None;
            if let Some((_, error)) = &state.failure {
                return Err(error.clone());
            }
            if let Some(message) = state.messages[queue].pop_front() {
                return Ok(message);
            }
            if state.ended[from] {
                return Err(Error::Ended {
                    rank: from,
                    call: Box::new(call.clone()),
                });
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Err(Error::TimedOut {
                    rank: from,
                    call: Box::new(call.clone()),
                    limit: self.shared.limit,
                });
            }
            state.waiting[self.rank] = Some((from, call.clone()));
            if let Some(calls) = state.circle(self.rank) {
                state.waiting[self.rank] = None;
                return Err(Error::Deadlock { calls });
            }
            let changed = &self.shared.changed[self.rank];
            state = match left {
                Some(left) => {
                    let wait = changed.wait_timeout(state, left);
                    wait.unwrap_or_else(PoisonError::into_inner).0
                }
                None => changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn fail(&self, error: Error) {
        self.shared.fail(self.rank, error);
    }
}

impl State {
    /// The ranks that wait for one another, beginning with this one. Each waits for one rank only, so that whoever can never go
    /// on waits in such a circle, or for somebody who does.
    fn circle(&self, first: usize) -> Option<Vec<(usize, Call)>> {
        let size = self.waiting.len();
        let (mut calls, mut rank) = (Vec::new(), first);
        while calls.len() <= size {
            let (from, call) = self.waiting[rank].as_ref()?;
            if !self.messages[from * size + rank].is_empty() {
                return None;
            }
            calls.push((rank, call.clone()));
            if *from == first {
                return Some(calls);
            }
            rank = *from;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(what: &str) -> Call {
        Call {
            sequence: 0,
            what: what.to_owned(),
            file: String::new(),
            line: 1,
            column: 1,
        }
    }

    #[test]
    fn ranks_that_wait_in_a_circle_are_told_at_once() {
        // 0 waits for 1, 1 for 2, 2 for 1; 3 computes.
        let shared = Arc::new(Shared::new(4, Duration::from_secs(60)));
        let ends: Vec<End> = (0..4)
            .map(|rank| End {
                shared: shared.clone(),
                rank,
            })
            .collect();
        let start = Instant::now();
        let wait = |end: &End, from: usize| {
            let told = end.receive(from, &call(&format!("wait of {}", end.rank)));
            // As a world does.
            if let Err(error) = &told {
                end.fail(error.clone());
            }
            told
        };
        let told: Vec<Result<Vec<u8>>> = thread::scope(|scope| {
            let waits = [(0, 1), (1, 2), (2, 1)].map(|(rank, from)| {
                let (end, wait) = (&ends[rank], &wait);
                scope.spawn(move || wait(end, from))
            });
            waits.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(start.elapsed() < Duration::from_secs(30));
        for error in told {
            let Err(Error::Deadlock { calls }) = error else {
                panic!("{error:?}")
            };
            let mut ranks: Vec<usize> = calls.iter().map(|(rank, _)| *rank).collect();
            ranks.sort_unstable();
            assert_eq!(ranks, [1, 2]);
        }
        assert!(ends[3].send(0, Vec::new()).is_err());
    }

    #[test]
    fn messages_that_have_come_are_no_circle() {
        let shared = Arc::new(Shared::new(2, Duration::from_secs(60)));
        let [one, other] = [0, 1].map(|rank| End {
            shared: shared.clone(),
            rank,
        });
        one.send(1, vec![1]).unwrap();
        other.send(0, vec![2]).unwrap();
        assert_eq!(one.receive(1, &call("first")), Ok(vec![2]));
        assert_eq!(other.receive(0, &call("second")), Ok(vec![1]));
    }
}
