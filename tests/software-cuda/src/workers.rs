//! Threads of the operating system that run the blocks of a launch.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use swathe_ptx_interpreter::Regions;

use crate::block::{Fault, Job, Launch};
use crate::config::Config;

/// Threads of a launch below which waking somebody costs more than it gains.
const SMALL: u64 = 512;

struct Slot {
    generation: u64,
    job: Option<Arc<Job>>,
    busy: usize,
    started: usize,
}

static SLOT: Mutex<Slot> = Mutex::new(Slot {
    generation: 0,
    job: None,
    busy: 0,
    started: 0,
});
static NEWS: Condvar = Condvar::new();
static DONE: Condvar = Condvar::new();

fn slot() -> std::sync::MutexGuard<'static, Slot> {
    SLOT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn worker() {
    let mut seen = 0;
    loop {
        let job = {
            let mut slot = slot();
            while slot.generation == seen || slot.job.is_none() {
                seen = slot.generation;
                slot = NEWS.wait(slot).unwrap_or_else(PoisonError::into_inner);
            }
            seen = slot.generation;
            slot.busy += 1;
            slot.job.clone()
        };
        if let Some(job) = job {
            job.work();
        }
        let mut slot = slot();
        slot.busy -= 1;
        if slot.busy == 0 {
            DONE.notify_all();
        }
    }
}

/// Runs a launch to its end. One at a time: the caller holds the executor.
pub(crate) fn run(launch: Launch, regions: Regions) -> Option<Fault> {
    let config = Config::get();
    // The same seed gives the same order again.
    let helpers = if config.order.is_some() { 0 } else { config.threads - 1 };
    let alone = helpers == 0 || launch.blocks() < 2 || launch.blocks() * (launch.threads() as u64) < SMALL;
    let job = Arc::new(Job::new(launch, regions, if alone { 1 } else { helpers + 1 }));
    if alone {
        job.work();
        return job.fault();
    }
    {
        let mut slot = slot();
        while slot.started < helpers
            && std::thread::Builder::new()
                .name("softcuda".into())
                .spawn(worker)
                .is_ok()
        {
            slot.started += 1;
        }
        slot.generation += 1;
        slot.job = Some(Arc::clone(&job));
        NEWS.notify_all();
    }
    job.work();
    let mut slot = slot();
    slot.job = None;
    while slot.busy > 0 {
        slot = DONE.wait(slot).unwrap_or_else(PoisonError::into_inner);
    }
    job.fault()
}
