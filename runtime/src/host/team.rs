//! The threads of one parallel loop: the one that calls it, and others of rayon's current pool.
//!
//! The caller begins at once. Helpers are asked for and come when they are awake; one that comes late finds the loop closed and goes,
//! and nobody waits for it. Each member has a contiguous share of the parts and takes those of others when it is done with its own, so
//! that a thread reads and writes memory in order.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Thread;
use std::time::Duration;

/// With `--cfg swathe_split` every loop is cut into parts, and members leave others the time to take some, so that a
/// detector of data races sees small loops on several threads (`cargo xtask sanitize`).
pub(crate) const ALWAYS_SPLIT: bool = cfg!(swathe_split);

/// Set in a gate that nobody may enter any more.
const CLOSED: usize = 1 << (usize::BITS - 1);
/// Pauses of the processor, some 10 to 20 microseconds, until a caller who waits for the last helpers goes to sleep.
const PAUSES: usize = 400;
/// The number of no member.
const NOBODY: usize = usize::MAX;

thread_local! {
    static MEMBER: Cell<usize> = const { Cell::new(NOBODY) };
}

/// The number of this thread among those that run the same loop at this moment; none if it runs alone.
#[inline]
pub(crate) fn member() -> Option<usize> {
    Some(MEMBER.get()).filter(|number| *number != NOBODY)
}

/// Calls `body` with each of `0..parts`, on as many threads as the current pool has at most.
///
/// # Panics
/// If `body` does, after the parts that run at that moment have ended.
pub(crate) fn share(parts: usize, body: &(dyn Fn(usize) + Sync)) {
    let members = rayon::current_num_threads().min(parts);
    if members <= 1 {
        return (0..parts).for_each(body);
    }
    let job = Job::new(parts, members, body);
    let team = Arc::new(Team {
        job: std::ptr::from_ref(&job).cast(),
        gate: AtomicUsize::new(0),
        members,
        caller: std::thread::current(),
        calls_itself: rayon::current_thread_index().is_some(),
    });
    // Whatever happens here, nobody is in the job when it ends.
    let closing = Closing(&team);
    Team::call(&team, 1);
    job.work(0, team.first_share());
    drop(closing);
    let panic = job.panic.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(payload) = panic {
        resume_unwind(payload);
    }
}

/// Closes a team when it is dropped.
struct Closing<'a>(&'a Team);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// What helpers know of a loop, also those that come when it is over.
struct Team {
    /// A `Job` that lives until the gate is closed and nobody is inside.
    job: *const (),
    /// How many helpers are inside.
    gate: AtomicUsize,
    members: usize,
    caller: Thread,
    /// Whether the caller is one of the pool's threads.
    calls_itself: bool,
}

// SAFETY: the pointer is followed by those who are inside of the gate only, and a `Job` is `Sync`.
unsafe impl Send for Team {}
// SAFETY: as above.
unsafe impl Sync for Team {}

impl Team {
    /// Asks the pool for a helper. Helpers ask for others, so that waking many does not fall to one thread.
    fn call(team: &Arc<Team>, number: usize) {
        if number < team.members {
            let team = Arc::clone(team);
            rayon::spawn(move || team.help(number));
        }
    }

    fn help(self: Arc<Team>, number: usize) {
        if self.gate.load(Ordering::Relaxed) & CLOSED == 0 {
            Team::call(&self, 2 * number);
            Team::call(&self, 2 * number + 1);
        }
        let enter = |inside: usize| (inside & CLOSED == 0).then_some(inside + 1);
        if self
            .gate
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, enter)
            .is_err()
        {
            return;
        }
        // SAFETY: the gate was open: the caller's job lives until this thread has left.
        unsafe { &*self.job.cast::<Job<'_>>() }.work(number, self.first_share());
        if self.gate.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.caller.unpark();
        }
    }

    /// The share that this thread begins with: the same one in each loop, so that it finds in its caches and in its part of the memory what
    /// it left there.
    fn first_share(&self) -> usize {
        match rayon::current_thread_index() {
            Some(index) if self.calls_itself => index % self.members,
            Some(index) => 1 + index % (self.members - 1),
            None => 0,
        }
    }

    /// Lets nobody in, and waits until everybody is out.
    fn close(&self) {
        self.gate.fetch_or(CLOSED, Ordering::Relaxed);
        let mut pauses = 0;
        while self.gate.load(Ordering::Acquire) != CLOSED {
            if pauses < PAUSES {
                pauses += 1;
                std::hint::spin_loop();
            } else {
                std::thread::park();
            }
        }
    }
}

/// The parts of a loop.
struct Job<'a> {
    body: &'a (dyn Fn(usize) + Sync),
    shares: Vec<Share>,
    /// The first panic.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Parts that follow one another, on cache lines of their own.
#[repr(align(128))]
struct Share {
    next: AtomicUsize,
    end: usize,
}

impl<'a> Job<'a> {
    fn new(parts: usize, members: usize, body: &'a (dyn Fn(usize) + Sync)) -> Job<'a> {
        let (each, more) = (parts / members, parts % members);
        let start = |member: usize| member * each + member.min(more);
        let share = |member| Share {
            next: AtomicUsize::new(start(member)),
            end: start(member + 1),
        };
        Job {
            body,
            shares: (0..members).map(share).collect(),
            panic: Mutex::new(None),
        }
    }

    /// Runs parts until none is left, those of one share first.
    fn work(&self, number: usize, first: usize) {
        let before = MEMBER.replace(number);
        let parts = || {
            while let Some(part) = self.take(first) {
                if ALWAYS_SPLIT {
                    std::thread::sleep(Duration::from_micros(100));
                }
                (self.body)(part);
            }
        };
        // Unwind safety: the payload goes on in the caller.
        if let Err(payload) = catch_unwind(AssertUnwindSafe(parts)) {
            for share in &self.shares {
                share.next.fetch_max(share.end, Ordering::Relaxed);
            }
            let mut panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
            match &*panic {
                None => *panic = Some(payload),
                // A payload's end may panic, too.
                Some(_) => std::mem::forget(payload),
            }
        }
        MEMBER.set(before);
    }

    fn take(&self, first: usize) -> Option<usize> {
        let (others, own) = self.shares.split_at(first);
        own.iter().chain(others).find_map(|share| {
            // Of a share that is used up, no line is taken from those who look at it.
            let left = share.next.load(Ordering::Relaxed) < share.end;
            left.then(|| share.next.fetch_add(1, Ordering::Relaxed))
                .filter(|part| *part < share.end)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32};

    use super::*;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    #[test]
    fn each_part_once_whoever_calls() {
        for threads in [1, 2, 3, 8] {
            let pool = pool(threads);
            for parts in [0, 1, 2, 3, 17, 100, 1000] {
                let runs: Vec<AtomicU32> = (0..parts).map(|_| AtomicU32::new(0)).collect();
                let body = |part: usize| {
                    runs[part].fetch_add(1, Ordering::Relaxed);
                    let number = member();
                    assert_eq!(number.is_some(), threads > 1 && parts > 1);
                    assert!(number.is_none_or(|number| number < threads.min(parts)));
                };
                pool.install(|| share(parts, &body));
                assert_eq!(member(), None);
                assert!(
                    runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1),
                    "{parts} {threads}"
                );
            }
        }
        let runs: Vec<AtomicU32> = (0..1000).map(|_| AtomicU32::new(0)).collect();
        share(1000, &|part| {
            runs[part].fetch_add(1, Ordering::Relaxed);
        });
        assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn members_have_numbers_of_their_own() {
        let inside: Vec<AtomicBool> = (0..4).map(|_| AtomicBool::new(false)).collect();
        pool(4).install(|| {
            share(400, &|_| {
                let own = &inside[member().unwrap()];
                assert!(!own.swap(true, Ordering::Acquire));
                std::thread::sleep(Duration::from_micros(50));
                own.store(false, Ordering::Release);
            });
        });
    }

    /// Helpers that come when the loop is over leave it alone.
    #[test]
    fn a_pool_that_is_busy_is_not_waited_for() {
        let pool = pool(2);
        let (busy, done) = (AtomicBool::new(true), AtomicUsize::new(0));
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                while busy.load(Ordering::Acquire) {
                    std::thread::yield_now();
                }
            });
            // The other thread of the pool calls; nobody is left to help.
            pool.install(|| {
                for _ in 0..100 {
                    share(10, &|part| {
                        done.fetch_add(part, Ordering::Relaxed);
                    });
                }
            });
            busy.store(false, Ordering::Release);
        });
        assert_eq!(done.into_inner(), 4500);
    }

    #[test]
    fn a_panic_whose_end_panics_leaves_the_team() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("the end of a payload");
            }
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        for _ in 0..20 {
            let alive = AtomicBool::new(true);
            let call = || {
                pool.install(|| {
                    share(64, &|_| {
                        assert!(alive.load(Ordering::Relaxed));
                        std::panic::panic_any(Bomb)
                    });
                });
            };
            let payload = catch_unwind(AssertUnwindSafe(call)).unwrap_err();
            alive.store(false, Ordering::Relaxed);
            assert!(payload.is::<Bomb>());
            std::mem::forget(payload);
        }
    }

    #[test]
    fn the_first_panic_comes_to_the_caller() {
        let pool = pool(3);
        for bad in [0, 50, 99] {
            let body = |part: usize| assert_ne!(part, bad, "at {bad}");
            let call = || pool.install(|| share(100, &body));
            let payload = catch_unwind(AssertUnwindSafe(call)).unwrap_err();
            assert!(payload.downcast_ref::<String>().unwrap().contains(&format!("at {bad}")));
            assert_eq!(member(), None);
            pool.broadcast(|_| assert_eq!(member(), None));
        }
    }
}
