//! Runs launches three times: on the host, and the checked-in PTX in the interpreter with two sizes of grid. All have to
//! leave the same bits.
#![allow(dead_code, reason = "not every test program uses all")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use swathe_device_kernels::launch::THREADS;
use swathe_device_kernels::{Launch, ptx};
use swathe_ptx_interpreter::{Grid, Module, Region, Regions};

/// Lengths that are empty, odd, just about a block, and more than one tile of prefix sums.
pub const LENGTHS: [usize; 9] = [0, 1, 3, 17, 255, 256, 257, 1000, 5003];

/// Bytes in memory, that many bytes behind a multiple of 256.
pub struct Buffer {
    memory: Vec<u8>,
    start: usize,
    initial: Vec<u8>,
    writable: bool,
}

const CANARY: u8 = 0xc3;

impl Buffer {
    pub fn new(bytes: Vec<u8>, offset: usize, writable: bool) -> Buffer {
        let mut memory = vec![CANARY; bytes.len() + offset + 512];
        let start = memory.as_ptr().align_offset(256) + offset;
        memory[start..start + bytes.len()].copy_from_slice(&bytes);
        Buffer {
            memory,
            start,
            initial: bytes,
            writable,
        }
    }

    pub fn input<T: Plain>(items: &[T]) -> Buffer {
        Buffer::new(to_bytes(items), 0, false)
    }

    pub fn output<T: Plain>(items: &[T]) -> Buffer {
        Buffer::new(to_bytes(items), 0, true)
    }

    /// Some bytes for a plan to use.
    pub fn scratch(bytes: u64) -> Buffer {
        Buffer::new(vec![0xee; bytes as usize], 0, true)
    }

    pub fn address(&mut self) -> u64 {
        self.memory[self.start..].as_mut_ptr().expose_provenance() as u64
    }

    pub fn region(&mut self) -> Region {
        Region {
            start: self.address(),
            bytes: self.initial.len() as u64,
            writable: self.writable,
        }
    }

    fn reset(&mut self) {
        let end = self.start + self.initial.len();
        self.memory[self.start..end].copy_from_slice(&self.initial);
    }

    /// What it holds now.
    pub fn bytes(&self) -> Vec<u8> {
        let end = self.start + self.initial.len();
        let around = self.memory[..self.start].iter().chain(&self.memory[end..]);
        assert!(
            around.into_iter().all(|byte| *byte == CANARY),
            "bytes around are changed"
        );
        let bytes = self.memory[self.start..end].to_vec();
        assert!(self.writable || bytes == self.initial, "an input is changed");
        bytes
    }
}

/// As [`run`] with one size of grid, in orders that so many seeds choose.
pub fn run_in_orders(mut buffers: Vec<Buffer>, seeds: u64, plan: impl Fn(&[u64]) -> Vec<Launch>) -> Vec<Vec<u8>> {
    let addresses: Vec<u64> = buffers.iter_mut().map(Buffer::address).collect();
    let regions: Vec<Region> = buffers.iter_mut().map(Buffer::region).collect();
    let launches = plan(&addresses);
    for launch in &launches {
        // SAFETY: the buffers are memory that nobody else uses.
        unsafe { launch.run_on_host() };
    }
    let expected: Vec<Vec<u8>> = buffers.iter().map(Buffer::bytes).collect();
    for seed in 0..seeds {
        buffers.iter_mut().for_each(Buffer::reset);
        for launch in &launches {
            interpret(launch, 64, &regions, Some(seed));
        }
        for (k, (buffer, expected)) in buffers.iter().zip(&expected).enumerate() {
            assert_eq!(&buffer.bytes(), expected, "seed {seed}, buffer {k}: {launches:?}");
        }
    }
    expected
}

/// Bytes of all buffers after the launches, which `plan` makes of their addresses.
pub fn run(buffers: Vec<Buffer>, plan: impl Fn(&[u64]) -> Vec<Launch>) -> Vec<Vec<u8>> {
    run_as(buffers, plan, <[u8]>::to_vec)
}

/// As [`run`], where bytes count as others.
pub fn run_as(
    mut buffers: Vec<Buffer>,
    plan: impl Fn(&[u64]) -> Vec<Launch>,
    read: impl Fn(&[u8]) -> Vec<u8>,
) -> Vec<Vec<u8>> {
    let addresses: Vec<u64> = buffers.iter_mut().map(Buffer::address).collect();
    let regions: Vec<Region> = buffers.iter_mut().map(Buffer::region).collect();
    let launches = plan(&addresses);
    for launch in &launches {
        // SAFETY: the buffers are memory that nobody else uses.
        unsafe { launch.run_on_host() };
    }
    let read = |buffer: &Buffer| read(&buffer.bytes());
    let expected: Vec<Vec<u8>> = buffers.iter().map(read).collect();
    for most in [3, 64] {
        buffers.iter_mut().for_each(Buffer::reset);
        for launch in &launches {
            interpret(launch, most, &regions, None);
        }
        for (k, (buffer, expected)) in buffers.iter().zip(&expected).enumerate() {
            assert_eq!(
                &read(buffer),
                expected,
                "PTX and host differ in buffer {k}: {launches:?}"
            );
        }
    }
    expected
}

/// Runs a launch's PTX.
fn interpret(launch: &Launch, most: u32, regions: &[Region], seed: Option<u64>) {
    let ran = interpret_in_order(&module(launch.entry.family), launch, most, regions, seed);
    ran.unwrap_or_else(|why| panic!("{:?}: {why}", launch.entry));
}

/// Runs a launch with the PTX of this module, and counts instructions.
pub fn interpret_text(module: &Module, launch: &Launch, most: u32, regions: &[Region]) -> Result<u64, String> {
    interpret_in_order(module, launch, most, regions, None)
}

/// As [`interpret_text`], with blocks and threads in an order that a seed chooses.
pub fn interpret_in_order(
    module: &Module,
    launch: &Launch,
    most: u32,
    regions: &[Region],
    seed: Option<u64>,
) -> Result<u64, String> {
    let args = launch.args.pointers();
    // SAFETY: the arguments are as long as they say.
    let args: Vec<&[u8]> = args
        .map(|(p, size)| unsafe { std::slice::from_raw_parts(p, size) })
        .collect();
    let grid = Grid::line(launch.grid(64).min(most), THREADS, launch.shared as usize);
    let regions: Regions = regions.iter().copied().collect();
    let mut launch = module.launch(launch.entry.name, grid, &args, &regions)?;
    if let Some(seed) = seed {
        launch.choose_order(seed);
    }
    // Whether threads race does not depend on the size of the grid; the check takes its time.
    if most > 3 {
        launch.allow_races();
    }
    // SAFETY: the regions are buffers that nobody else uses.
    unsafe { launch.run() }.map_err(|why| why.text)
}

/// A family of the checked-in PTX.
pub fn module(family: &'static str) -> Arc<Module> {
    static MODULES: Mutex<Option<HashMap<&'static str, Arc<Module>>>> = Mutex::new(None);
    let mut modules = MODULES.lock().unwrap_or_else(PoisonError::into_inner);
    let parse = || Arc::new(Module::parse(ptx::text(family)).unwrap_or_else(|why| panic!("{family}: {why}")));
    modules
        .get_or_insert_default()
        .entry(family)
        .or_insert_with(parse)
        .clone()
}

/// Scalars without padding.
pub trait Plain: Copy {}

macro_rules! plain {
    ($($t:ident)*) => { $(impl Plain for $t {})* };
}
plain!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
impl Plain for half::f16 {}
impl Plain for half::bf16 {}

pub fn to_bytes<T: Plain>(items: &[T]) -> Vec<u8> {
    // SAFETY: scalars have no padding.
    unsafe { std::slice::from_raw_parts(items.as_ptr().cast::<u8>(), size_of_val(items)) }.to_vec()
}

pub fn from_bytes<T: Plain>(bytes: &[u8]) -> Vec<T> {
    let items = bytes.chunks_exact(size_of::<T>());
    // SAFETY: the bytes are those of scalars.
    items
        .map(|item| unsafe { item.as_ptr().cast::<T>().read_unaligned() })
        .collect()
}

/// Different numbers, the same every time.
pub fn numbers(count: usize) -> impl Iterator<Item = u64> {
    (0..count as u64).map(|k| {
        (k + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}
