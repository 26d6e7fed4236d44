//! Ranks that are processes, started by `mpiexec`.

use std::cell::{Cell, RefCell};
use std::env;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::datatype::Equivalence;
use mpi::environment::{initialize_with_threading, is_initialized};
use mpi::point_to_point::{Destination, Source};
use mpi::request::{Request, StaticScope};
use mpi::topology::{Communicator, SimpleCommunicator};

use crate::error::{Call, Error, Result};
use crate::frames::{Inbox, ended, failure, frames};
use crate::local::panic_message;
use crate::transport::Transport;
use crate::world::World;

/// Of this library's messages, among others of the program.
const TAG: i32 = 0x5357;
/// Counts of MPI are 32 bits wide.
const MOST: usize = 1 << 30;
/// How long a rank waits for another one that computes.
const LIMIT: Duration = Duration::from_secs(600);
/// How long a rank that failed waits for the others to end.
const LAST: Duration = Duration::from_secs(60);

/// Runs the rank of this process.
pub(crate) fn run<R: Send>(body: impl Fn(&World) -> Result<R> + Sync) -> Result<Vec<R>> {
    if is_initialized() {
        return Err(Error::Start(
            "MPI has been started before: a process runs its rank once".to_owned(),
        ));
    }
    // The rank runs on a thread of its pool, this one finalises.
    let (universe, threading) = initialize_with_threading(Threading::Serialized)
        .ok_or_else(|| Error::Start("MPI cannot be started".to_owned()))?;
    if threading < Threading::Serialized {
        return Err(Error::Start(
            "this MPI cannot be called from a thread other than the first one".to_owned(),
        ));
    }
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let local = number_in(["MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"]);
    let threads = (cores / local.unwrap_or(1).max(1)).max(1);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::Start(error.to_string()))?;
    let result = pool.install(|| rank(&body));
    drop(pool);
    drop(universe);
    Ok(vec![result?])
}

/// What the launcher says: MPICH, or Open MPI.
fn number_in(names: [&str; 2]) -> Option<usize> {
    names.iter().find_map(|name| env::var(name).ok()?.parse().ok())
}

fn rank<R>(body: &impl Fn(&World) -> Result<R>) -> Result<R> {
    let process = Rc::new(Process::new());
    let end = End(process.clone());
    let result = catch_unwind(AssertUnwindSafe(|| body(&World::new(Box::new(end))?)));
    let result = result.unwrap_or_else(|panic| {
        Err(Error::Panicked {
            rank: process.rank,
            message: panic_message(panic),
        })
    });
    if let Err(error) = &result {
        process.fail(error.of_rank(process.rank));
    }
    process.finish();
    // As for threads: what went wrong first, seen from here.
    result
}

/// This rank's end.
struct End(Rc<Process>);

struct Process {
    world: SimpleCommunicator,
    rank: usize,
    size: usize,
    /// The rank has ended: MPI may be finalised, and must not be called any more. A program may keep its world in a variable of its thread, and use it
    /// in a job that runs there later.
    over: Cell<bool>,
    state: RefCell<State>,
}

struct State {
    inboxes: Vec<Inbox>,
    sends: Vec<Sending>,
    /// What went wrong here.
    failure: Option<Error>,
}

/// A message on its way.
struct Sending {
    request: Request<'static, [u8], StaticScope>,
    /// Made by `Box::leak`, and the request's until it is complete.
    bytes: *mut [u8],
}

impl Process {
    fn new() -> Process {
        let world = SimpleCommunicator::world();
        let (rank, size) = (world.rank() as usize, world.size() as usize);
        let inboxes = (0..size).map(|_| Inbox::default()).collect();
        Process {
            world,
            rank,
            size,
            over: Cell::new(false),
            state: RefCell::new(State {
                inboxes,
                sends: Vec::new(),
                failure: None,
            }),
        }
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.rank;
        (0..self.size).filter(move |rank| *rank != own)
    }

    /// # Errors
    /// If the rank has ended.
    fn check(&self) -> Result<()> {
        match self.over.get() {
            false => Ok(()),
            true => Err(Error::Failed {
                rank: self.rank,
                reason: "its program has ended, and it is used still".to_owned(),
            }),
        }
    }

    fn post(&self, to: usize, frame: Vec<u8>) {
        let bytes: *mut [u8] = Box::leak(frame.into_boxed_slice());
        // SAFETY: the memory is freed by `progress` alone, when the request is complete; nobody writes it.
        let lent: &'static [u8] = unsafe { &*bytes };
        let process = self.world.process_at_rank(to as i32);
        let request = process.immediate_send_with_tag(StaticScope, lent, TAG);
        self.state.borrow_mut().sends.push(Sending { request, bytes });
    }

    /// Takes in what has come, and frees what has gone. Whether anything has.
    fn progress(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let mut moved = false;
        for Sending { request, bytes } in std::mem::take(&mut state.sends) {
            match request.test() {
                Ok(_) => {
                    moved = true;
                    // SAFETY: it comes from `Box::leak`, and the request, which alone had it, is complete.
                    drop(unsafe { Box::from_raw(bytes) });
                }
                Err(request) => state.sends.push(Sending { request, bytes }),
            }
        }
        while let Some((message, status)) = self.world.any_process().immediate_matched_probe_with_tag(TAG) {
            let length = status.count(u8::equivalent_datatype()) as usize;
            let mut frame = vec![0; length];
            message.matched_receive_into(&mut frame[..]);
            let from = status.source_rank() as usize;
            state.inboxes[from].add(from, frame);
            moved = true;
        }
        moved
    }

    fn failure(&self) -> Option<Error> {
        let state = self.state.borrow();
        let others = || state.inboxes.iter().find_map(|inbox| inbox.failure.clone());
        state.failure.clone().or_else(others)
    }

    fn fail(&self, error: Error) {
        if self.over.get() {
            return;
        }
        let first = self.failure().is_none();
        self.state.borrow_mut().failure.get_or_insert(error.clone());
        if first {
            self.others().for_each(|rank| self.post(rank, failure(&error)));
        }
    }

    /// Ends together with the others: who has ended can still be sent to.
    fn finish(&self) {
        self.others().for_each(|rank| self.post(rank, ended()));
        let start = Instant::now();
        loop {
            self.progress();
            let state = self.state.borrow();
            let all = self.others().all(|rank| state.inboxes[rank].ended);
            if all && state.sends.is_empty() {
                self.over.set(true);
                return;
            }
            drop(state);
            if self.failure().is_some() && start.elapsed() > LAST {
                // Whoever does not end keeps `MPI_Finalize` waiting.
                self.world.abort(1);
            }
            thread::sleep(Duration::from_micros(200));
        }
    }
}

impl Transport for End {
    fn rank(&self) -> usize {
        self.0.rank
    }

    fn size(&self) -> usize {
        self.0.size
    }

    fn local_rank(&self) -> usize {
        number_in(["MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK"]).unwrap_or_else(|| self.rank())
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<()> {
        self.0.check()?;
        self.0.progress();
        if let Some(error) = self.0.failure() {
            return Err(error);
        }
        frames(message, MOST)
            .into_iter()
            .for_each(|frame| self.0.post(to, frame));
        Ok(())
    }

    fn receive(&self, from: usize, call: &Call) -> Result<Vec<u8>> {
        self.0.check()?;
        let start = Instant::now();
        let mut idle = 0_u32;
        loop {
            let moved = self.0.progress();
            if let Some(error) = self.0.failure() {
                return Err(error);
            }
            let mut state = self.0.state.borrow_mut();
            if let Some(message) = state.inboxes[from].messages.pop_front() {
                return Ok(message);
            }
            if state.inboxes[from].ended {
                return Err(Error::Ended {
                    rank: from,
                    call: Box::new(call.clone()),
                });
            }
            drop(state);
            idle = if moved { 0 } else { idle.saturating_add(1) };
            match idle {
                0..100 => std::hint::spin_loop(),
                // The other rank may wait for this processor.
                100..10_000 => thread::yield_now(),
                _ => thread::sleep(Duration::from_micros(50)),
            }
            if idle % 1000 == 999 && start.elapsed() > LIMIT {
                return Err(Error::TimedOut {
                    rank: from,
                    call: Box::new(call.clone()),
                    limit: LIMIT,
                });
            }
        }
    }

    fn fail(&self, error: Error) {
        self.0.fail(error);
    }
}
