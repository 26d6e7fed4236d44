//! A launch, and its blocks.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use swathe_ptx_interpreter::{Blocks, Grid, Regions, Trace};

use crate::config::Config;
use crate::error::Code;
use crate::library::{Library, Parameter, Row};
use crate::module::{Kernel, Module};
use crate::ptx::Entry;
use crate::scheduler::Scheduler;

/// What a text sees of its thread; `device.h` has the same layout.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Context {
    pub thread: [u32; 3],
    pub block: [u32; 3],
    pub block_dim: [u32; 3],
    pub grid_dim: [u32; 3],
    pub dynamic: *mut c_void,
    pub scheduler: *mut c_void,
}

/// How a kernel failed.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub code: Code,
    /// Of an illegal access.
    pub address: Option<usize>,
    pub text: String,
}

/// A kernel with all that it needs to run.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub module: Arc<Module>,
    pub kernel: Kernel,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic: usize,
    /// The arguments one after another, each at a multiple of 16 bytes.
    pub arguments: Vec<u128>,
}

impl Launch {
    pub(crate) fn threads(&self) -> usize {
        self.block.iter().map(|&n| n as usize).product()
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// Bytes of each argument with its parameter.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, &Parameter)> {
        let mut at = 0;
        self.kernel.parameters().iter().map(move |p| {
            let here = at;
            at += (p.size as usize).div_ceil(16);
            (here, p)
        })
    }

    fn pointers(&self) -> Vec<*mut c_void> {
        let start = self.arguments.as_ptr();
        self.cells()
            .map(|(cell, _)| start.wrapping_add(cell).cast_mut().cast())
            .collect()
    }

    fn bytes(&self) -> Vec<&[u8]> {
        let bytes = |(cell, parameter): (usize, &Parameter)| {
            let cells = &self.arguments[cell..];
            let size = (parameter.size as usize).min(size_of_val(cells));
            // SAFETY: so many bytes are there.
            unsafe { std::slice::from_raw_parts(cells.as_ptr().cast(), size) }
        };
        self.cells().map(bytes).collect()
    }
}

/// A launch that threads of the operating system share.
#[derive(Debug)]
pub(crate) struct Job {
    pub launch: Launch,
    /// What PTX may access.
    regions: Regions,
    order: Blocks,
    next: AtomicU64,
    chunk: u64,
    stop: AtomicBool,
    fault: Mutex<Option<Fault>>,
    /// Of PTX: what all threads of the operating system together read and write.
    trace: Mutex<Trace>,
}

impl Job {
    pub(crate) fn new(launch: Launch, regions: Regions, workers: usize) -> Job {
        let chunk = (launch.blocks() / (workers as u64 * 8)).clamp(1, 4096);
        Job {
            order: Blocks::new(launch.blocks(), Config::get().order),
            launch,
            regions,
            next: AtomicU64::new(0),
            chunk,
            stop: AtomicBool::new(false),
            fault: Mutex::new(None),
            trace: Mutex::default(),
        }
    }

    /// Runs blocks until none is left.
    pub(crate) fn work(&self) {
        match &self.launch.kernel {
            Kernel::Row(library, row) => self.work_library(library, *row),
            Kernel::Entry(entry) => self.work_entry(entry),
        }
    }

    fn work_library(&self, library: &Library, row: Row) {
        let launch = &self.launch;
        let pointers = launch.pointers();
        let context = library.context();
        let mut dynamic: Vec<u128> = vec![u128::MAX; launch.dynamic.div_ceil(16)];
        Scheduler::with(|scheduler| {
            // SAFETY: this thread's context, which nothing else uses while no kernel runs.
            unsafe {
                (*context).block_dim = launch.block;
                (*context).grid_dim = launch.grid;
                (*context).dynamic = dynamic.as_mut_ptr().cast();
                (*context).scheduler = std::ptr::from_mut(scheduler).cast();
            }
            scheduler.prepare(context, row, &pointers, launch.block);
            self.share(|mut blocks| {
                if library.waits {
                    blocks.try_for_each(|k| {
                        poison(library, &mut dynamic);
                        scheduler.block(self.position(self.order.at(k)))
                    })
                } else {
                    poison(library, &mut dynamic);
                    match Config::get().order {
                        Some(_) => blocks.try_for_each(|k| scheduler.blocks(self.order.at(k), 1)),
                        None => scheduler.blocks(blocks.start, blocks.end - blocks.start),
                    }
                }
            });
        });
    }

    fn work_entry(&self, entry: &Entry) {
        let grid = Grid {
            blocks: self.launch.grid,
            threads: self.launch.block,
            shared: self.launch.dynamic,
        };
        match entry.launch(grid, &self.launch.bytes(), &self.regions) {
            Ok(mut launch) => {
                if let Some(seed) = Config::get().approximations {
                    launch.disturb_approximations(seed);
                }
                if !Config::get().races {
                    launch.allow_races();
                }
                if let Some(seed) = Config::get().order {
                    launch.choose_order(seed);
                }
                self.share(|mut blocks| {
                    blocks.try_for_each(|k| {
                        // SAFETY: the regions are allocations, which only the executor, which waits for this job, frees.
                        let ran = unsafe { launch.run_block(self.order.at(k)) };
                        ran.map(drop).map_err(Fault::from)
                    })
                });
                let mut all = self.trace.lock().unwrap_or_else(PoisonError::into_inner);
                if let Err(why) = all.join(launch.trace()) {
                    self.fail(why.into());
                }
            }
            Err(fault) => self.fail(fault),
        }
    }

    /// Takes places in the order of blocks until none is left, or a block has failed.
    fn share(&self, mut run: impl FnMut(Range<u64>) -> Result<(), Fault>) {
        let total = self.launch.blocks();
        while !self.stop.load(Ordering::Relaxed) {
            let first = self.next.fetch_add(self.chunk, Ordering::Relaxed);
            if first >= total {
                break;
            }
            if let Err(fault) = run(first..total.min(first + self.chunk)) {
                self.fail(fault);
            }
        }
    }

    fn fail(&self, fault: Fault) {
        self.stop.store(true, Ordering::Relaxed);
        self.fault
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(fault);
    }

    fn position(&self, block: u64) -> [u32; 3] {
        let [x, y, _] = self.launch.grid.map(u64::from);
        [(block % x) as u32, (block / x % y) as u32, (block / x / y) as u32]
    }

    pub(crate) fn fault(&self) -> Option<Fault> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Shared memory starts each block without a meaning.
fn poison(library: &Library, dynamic: &mut [u128]) {
    let fresh = u128::from(crate::memory::FRESH) << 64 | u128::from(crate::memory::FRESH);
    dynamic.fill(fresh);
    if library.shared() == 0 {
        return;
    }
    for (at, bytes) in library.shared_ranges() {
        // SAFETY: this thread's `__shared__` variables, which no kernel uses now.
        let cells = unsafe { std::slice::from_raw_parts_mut(at as *mut u8, bytes) };
        for cell in cells.chunks_mut(16) {
            cell.copy_from_slice(&fresh.to_le_bytes()[..cell.len()]);
        }
    }
}
