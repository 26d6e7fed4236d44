//! A block of threads, which run one after the other from one place where they wait to the next.

use crate::error::Error;
use crate::memory::Memory;
use crate::module::Module;
use crate::order::Chooser;
use crate::thread::{Context, Stop, Thread};
use crate::warp::{LANES, exchange, tell_active};

/// One block after the other.
pub(crate) struct Block<'a> {
    module: &'a Module,
    entry: usize,
    arguments: Vec<u8>,
    threads: Vec<Thread>,
}

impl<'a> Block<'a> {
    pub fn new(module: &'a Module, entry: usize, arguments: Vec<u8>, threads: usize) -> Block<'a> {
        Block {
            module,
            entry,
            arguments,
            threads: (0..threads).map(|_| Thread::default()).collect(),
        }
    }

    /// Runs all threads of a block to their end, and counts their instructions.
    ///
    /// # Safety
    /// The memory's regions are there.
    pub unsafe fn run(
        &mut self,
        context: &Context,
        memory: &mut Memory<'_>,
        mut order: Option<Chooser>,
    ) -> Result<u64, Error> {
        for (number, thread) in self.threads.iter_mut().enumerate() {
            thread.count = 0;
            thread.start(self.module, self.entry, number as u32, &self.arguments, context);
        }
        loop {
            match &mut order {
                // SAFETY: by contract.
                Some(order) => unsafe { self.run_in_turns(context, memory, order) }?,
                None => {
                    for thread in &mut self.threads {
                        // SAFETY: by contract.
                        unsafe { thread.run(self.module, memory, context, u64::MAX) }?;
                    }
                }
            }
            if self.exchange()? || self.tell_active() {
                continue;
            }
            if self.meet()? {
                return Ok(self.threads.iter().map(|thread| thread.count).sum());
            }
            memory.shared.barrier();
        }
    }

    /// Runs warps in turns, as long as a thread can run. Lanes that have met go on at their warp's next turn, so that warps and
    /// parts of warps get ahead of each other up to the next barrier.
    ///
    /// # Safety
    /// The memory's regions are there.
    unsafe fn run_in_turns(
        &mut self,
        context: &Context,
        memory: &mut Memory<'_>,
        order: &mut Chooser,
    ) -> Result<(), Error> {
        let mut warps: Vec<&mut [Thread]> = self.threads.chunks_mut(LANES).collect();
        while !warps.is_empty() {
            let next = order.below(warps.len() as u64) as usize;
            let mut lanes: Vec<usize> = (0..warps[next].len()).collect();
            order.shuffle(&mut lanes);
            for lane in lanes {
                // Half of the threads run on to where they wait, the others for a few instructions.
                let most = match order.below(2) {
                    0 => u64::MAX,
                    _ => 1 << order.below(6),
                };
                // SAFETY: by contract.
                unsafe { warps[next][lane].run(self.module, memory, context, most) }?;
            }
            let met = exchange(self.module, warps[next])?;
            if !met && warps[next].iter().all(|lane| lane.stop != Stop::Ready) {
                warps.swap_remove(next);
            }
        }
        Ok(())
    }

    /// Lets all lanes go on that have met.
    fn exchange(&mut self) -> Result<bool, Error> {
        let mut any = false;
        for lanes in self.threads.chunks_mut(LANES) {
            while exchange(self.module, lanes)? {
                any = true;
            }
        }
        Ok(any)
    }

    fn tell_active(&mut self) -> bool {
        let mut warps = self.threads.chunks_mut(LANES);
        warps.any(|lanes| tell_active(self.module, lanes))
    }

    /// All threads have to wait at the same barrier, or to have ended, which is `true`.
    fn meet(&mut self) -> Result<bool, Error> {
        let first = self.threads.first().map_or(Stop::End, |thread| thread.stop);
        let other = self.threads.iter().find(|thread| thread.stop != first);
        let place = |stop: Stop| match stop {
            Stop::Ready => "nowhere".to_owned(),
            Stop::Barrier(line) => format!("the barrier in line {line}"),
            Stop::Exchange { function, at, mask } => {
                let line = self.module.functions[function].code[at].line;
                format!("line {line} for the lanes {mask:#x}")
            }
            Stop::Active { function, at } => format!("line {}", self.module.functions[function].code[at].line),
            Stop::End => "its end".to_owned(),
        };
        match (first, other) {
            (_, Some(other)) => Err(Error::from(format!(
                "thread 0 stops at {}, thread {} at {}",
                place(first),
                other.number,
                place(other.stop)
            ))),
            (Stop::End, None) => Ok(true),
            (Stop::Barrier(_), None) => {
                for thread in &mut self.threads {
                    thread.stop = Stop::Ready;
                }
                Ok(false)
            }
            (stop, None) => Err(Error::from(format!("all threads wait at {}", place(stop)))),
        }
    }
}
