//! The checked-in PTX of rustc, launched through the driver as on a GPU, against plain Rust.

mod common;
mod compiled;

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};

use common::{Bench, alloc, bench, code};
use cudarc::driver::result;
use cudarc::driver::sys::{
    self, CUfunction_attribute_enum as Attribute, CUgraphInstantiate_flags, CUjit_option, CUresult, CUstreamCaptureMode,
};
use swathe_device_kernels::launch::THREADS;
use swathe_device_kernels::plan::{self, Array, Items, Operation, Scalar};
use swathe_device_kernels::{Launch, ptx};

fn load(text: &CStr) -> Result<sys::CUmodule, CUresult> {
    // SAFETY: the text ends with a zero, and a context is current.
    unsafe { result::module::load_data(text.as_ptr().cast()) }.map_err(|e| e.0)
}

fn function(module: sys::CUmodule, name: &str) -> Result<sys::CUfunction, CUresult> {
    // SAFETY: the module is loaded.
    unsafe { result::module::get_function(module, CString::new(name).unwrap()) }.map_err(|e| e.0)
}

/// Modules by family.
#[derive(Default)]
struct Modules(HashMap<&'static str, sys::CUmodule>);

impl Modules {
    fn function(&mut self, launch: &Launch) -> sys::CUfunction {
        let family = launch.entry.family;
        let load = || load(&CString::new(ptx::text(family)).unwrap()).unwrap();
        function(*self.0.entry(family).or_insert_with(load), launch.entry.name).unwrap()
    }

    /// Queues a launch with so many blocks at most.
    fn queue(&mut self, b: &Bench, launch: &Launch, most: u32) -> CUresult {
        let grid = (launch.grid(1000).min(most), 1, 1);
        self.queue_as(b, launch, grid, (THREADS, 1, 1))
    }

    fn queue_as(&mut self, b: &Bench, launch: &Launch, grid: (u32, u32, u32), block: (u32, u32, u32)) -> CUresult {
        let mut pointers: Vec<*mut c_void> = launch.args.pointers().map(|(p, _)| p.cast_mut().cast()).collect();
        let (f, stream) = (self.function(launch), b.stream.cu_stream());
        // SAFETY: the pointers are to the entry's arguments; the device checks what they point to.
        code(unsafe { result::launch_kernel(f, grid, block, launch.shared, stream, &mut pointers) })
    }
}

impl Drop for Modules {
    fn drop(&mut self) {
        for &module in self.0.values() {
            // SAFETY: it is loaded.
            let _ = unsafe { result::module::unload(module) };
        }
    }
}

/// Runs launches with grids of several sizes; after each, what is at an address.
fn outputs<T: Copy + Default>(b: &Bench, launches: &[Launch], to: u64, count: usize) -> Vec<Vec<T>> {
    let mut modules = Modules::default();
    let run = |most| {
        clear(b, to, count * size_of::<T>());
        for launch in launches {
            assert_eq!(modules.queue(b, launch, most), CUresult::CUDA_SUCCESS);
        }
        b.stream
            .synchronize()
            .unwrap_or_else(|_| panic!("{}", b.control.finding()));
        let mut out = vec![T::default(); count];
        // SAFETY: so much memory is there.
        unsafe { result::memcpy_dtoh_sync(&mut out, to) }.unwrap();
        out
    };
    [1, 3, u32::MAX].map(run).into()
}

/// The default stream's work is not ordered with that of a stream of one's own.
fn clear(b: &Bench, to: u64, bytes: usize) {
    // SAFETY: the memory is there.
    unsafe { result::memset_d8_sync(to, 0xee, bytes) }.unwrap();
    b.context.synchronize().unwrap();
}

fn upload<T>(items: &[T]) -> u64 {
    let at = alloc(size_of_val(items).max(1));
    // SAFETY: so much memory is there.
    unsafe { result::memcpy_htod_sync(at, items) }.unwrap();
    at
}

fn free(addresses: &[u64]) {
    for &at in addresses {
        // SAFETY: allocated by the test, and no longer used.
        unsafe { result::free_sync(at) }.unwrap();
    }
}

const LENGTHS: [usize; 6] = [1, 3, 17, 257, 1000, 70_001];

#[test]
fn fill() {
    let b = bench();
    for (count, length) in LENGTHS.into_iter().zip([1, 4, 12, 3, 64, 7]) {
        let pattern: Vec<u8> = (0..length).map(|k| k * 3 + 1).collect();
        let to = alloc(count);
        let expected: Vec<u8> = pattern.iter().copied().cycle().take(count).collect();
        for out in outputs::<u8>(&b, &plan::fill(to, count as u64, &pattern), to, count) {
            assert!(out == expected, "{count} bytes of {pattern:?}");
        }
        free(&[to]);
    }
}

#[test]
fn copy_and_transposition() {
    let b = bench();
    for [rows, columns] in [[1, 1], [3, 17], [65, 129], [1, 1000], [300, 301]] {
        let items: Vec<u32> = (0..rows * columns).map(|k| k as u32 * 7 + 1).collect();
        let (from, to) = (upload(&items), alloc(items.len() * 4));
        let array = |address, strides| Array { address, strides };
        let shape = [rows as u64, columns as u64];
        let dense = [columns as i64 * 4, 4];
        let launches = plan::copy(array(from, &dense), array(to, &dense), &shape, 4);
        for out in outputs::<u32>(&b, &launches, to, items.len()) {
            assert!(out == items, "{shape:?}");
        }
        let turned = [4, rows as i64 * 4];
        let launches = plan::copy(array(from, &dense), array(to, &turned), &shape, 4);
        let expected: Vec<u32> = (0..items.len()).map(|k| items[k % rows * columns + k / rows]).collect();
        for out in outputs::<u32>(&b, &launches, to, items.len()) {
            assert!(out == expected, "{shape:?} turned");
        }
        free(&[from, to]);
    }
}

#[test]
fn reduction() {
    let b = bench();
    for count in LENGTHS {
        let items: Vec<i64> = (0..count as i64).map(|k| (k - 3) * 5 + k % 7).collect();
        let all = Items::all(count as u64);
        let bytes = plan::reduce_scratch(Scalar::I64, Scalar::I64, &all);
        let (from, to, scratch) = (upload(&items), alloc(8), alloc(bytes.max(1) as usize));
        let launches = |operation| plan::reduce(operation, Scalar::I64, from, (to, Scalar::I64), &all, scratch);
        for out in outputs::<i64>(&b, &launches(Operation::Sum), to, 1) {
            assert_eq!(out, [items.iter().sum()], "{count}");
        }
        for out in outputs::<i64>(&b, &launches(Operation::Max), to, 1) {
            assert_eq!(out.first(), items.iter().max(), "{count}");
        }
        free(&[from, to, scratch]);
    }
}

/// Blocks that run at the same time agree on the least.
#[test]
fn atomics() {
    let b = bench();
    let one: Vec<u16> = (0..70_001).map(|k| k as u16).collect();
    for differences in [vec![], vec![70_000], vec![123, 69_000], (9..70_001).rev().collect()] {
        let mut two = one.clone();
        differences.iter().for_each(|&k: &usize| two[k] ^= 0x100);
        let expected = differences.iter().min().map_or(u64::MAX, |&k| k as u64);
        let addresses = [upload(&one), upload(&two), upload(&[u64::MAX])];
        let [from, other, first] = addresses;
        let mut modules = Modules::default();
        for launch in plan::differ(Scalar::U16, from, other, one.len() as u64, first) {
            assert_eq!(modules.queue(&b, &launch, u32::MAX), CUresult::CUDA_SUCCESS);
        }
        b.stream.synchronize().unwrap();
        let mut out = [0_u64];
        // SAFETY: so much memory is there.
        unsafe { result::memcpy_dtoh_sync(&mut out, first) }.unwrap();
        assert_eq!(out, [expected]);
        free(&addresses);
    }
}

#[test]
fn accesses_outside_are_found() {
    let b = bench();
    let mut modules = Modules::default();
    let (to, gone) = (alloc(1000), alloc(64));
    free(&[gone]);
    for (to, bytes, finding) in [
        (to, 1016, "lies at offset 1008 of an allocation of 1000 bytes"),
        (to, 1001, "lies at offset 1000 of an allocation of 1000 bytes"),
        (gone, 64, "of freed memory of 64 bytes"),
        (0x1000, 64, "0x1000 is no device memory"),
    ] {
        for launch in plan::fill(to, bytes, &[7]) {
            assert_eq!(modules.queue(&b, &launch, 2), CUresult::CUDA_SUCCESS);
        }
        assert!(b.is_broken(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
        let why = b.control.finding();
        let expected = ["kernel fill_", "line ", "writes ", "which it must not", finding];
        assert!(expected.iter().all(|part| why.contains(part)), "{why}");
        b.control.mend();
    }
    let misaligned = &plan::fill(to, 64, &[7; 16])[0];
    assert_eq!(misaligned.entry.name, "fill_16");
    let mut pointers: Vec<*mut c_void> = misaligned.args.pointers().map(|(p, _)| p.cast_mut().cast()).collect();
    let mut moved = to + 1;
    pointers[0] = (&raw mut moved).cast();
    let (f, stream) = (modules.function(misaligned), b.stream.cu_stream());
    // SAFETY: as `Modules::queue_as`.
    unsafe { result::launch_kernel(f, (1, 1, 1), (32, 1, 1), 0, stream, &mut pointers) }.unwrap();
    assert!(
        b.is_broken(CUresult::CUDA_ERROR_MISALIGNED_ADDRESS),
        "{}",
        b.control.finding()
    );
    b.control.mend();
    free(&[to]);
}

#[test]
fn memory_of_the_host_is_reached() {
    let b = bench();
    let mut modules = Modules::default();
    // SAFETY: a context is current; the memory is freed below.
    let at = unsafe { result::malloc_host(1000, 0) }.unwrap();
    for launch in plan::fill(at.expose_provenance() as u64, 1000, &[5, 6, 7]) {
        assert_eq!(modules.queue(&b, &launch, 2), CUresult::CUDA_SUCCESS);
    }
    b.stream
        .synchronize()
        .unwrap_or_else(|_| panic!("{}", b.control.finding()));
    // SAFETY: 1000 bytes, which the kernel has written.
    let bytes = unsafe { std::slice::from_raw_parts(at.cast::<u8>(), 1000) };
    assert!(bytes.iter().copied().eq([5, 6, 7].into_iter().cycle().take(1000)));
    // SAFETY: allocated above.
    unsafe { result::free_host(at) }.unwrap();
}

#[test]
fn launches_of_a_graph_run_again() {
    let b = bench();
    let mut modules = Modules::default();
    let (count, to) = (1003, alloc(4 * 1003));
    let launch = &plan::fill(to, 4 * count, &9_u32.to_le_bytes())[0];
    b.stream
        .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)
        .unwrap();
    assert_eq!(modules.queue(&b, launch, 3), CUresult::CUDA_SUCCESS);
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    let graph = b.stream.end_capture(flags).unwrap().unwrap();
    for _ in 0..2 {
        clear(&b, to, 4 * count as usize);
        graph.launch().unwrap();
        b.stream.synchronize().unwrap();
        let mut out = vec![0_u32; count as usize];
        // SAFETY: so much memory is there.
        unsafe { result::memcpy_dtoh_sync(&mut out, to) }.unwrap();
        assert!(out.iter().all(|&item| item == 9));
    }
    drop(graph);
    free(&[to]);
}

#[test]
fn launches_can_fail_on_demand() {
    let b = bench();
    let mut modules = Modules::default();
    let to = alloc(64);
    let launch = &plan::fill(to, 64, &[1])[0];
    b.control.fail("launch:1,kernel:1");
    assert_eq!(
        modules.queue(&b, launch, 1),
        CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
    );
    assert_eq!(modules.queue(&b, launch, 1), CUresult::CUDA_SUCCESS);
    assert!(b.is_broken(CUresult::CUDA_ERROR_LAUNCH_FAILED));
    b.control.fail("");
    b.control.mend();
    free(&[to]);
}

#[test]
fn functions_have_attributes() {
    let b = bench();
    let mut modules = Modules::default();
    let launch = &plan::fill(256, 64, &[1])[0];
    let f = modules.function(launch);
    let attribute = |attribute| {
        // SAFETY: the function's module is loaded.
        unsafe { result::function::get_function_attribute(f, attribute) }.unwrap()
    };
    assert_eq!(attribute(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
    assert_eq!(attribute(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 0);
    // SAFETY: as above.
    let blocks = unsafe { result::occupancy::max_active_block_per_multiprocessor(f, 256, 4096) };
    assert_eq!(blocks.unwrap(), 8);
    let mut places = Vec::new();
    for index in 0.. {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: both are there to be written.
        if unsafe { sys::cuFuncGetParamInfo(f, index, &raw mut offset, &raw mut size) } != CUresult::CUDA_SUCCESS {
            break;
        }
        places.push((offset, size));
    }
    assert_eq!(places, [(0, 8), (8, 8), (16, 4), (20, 4), (24, 64)]);
    for (grid, block) in [
        ((1, 65536, 1), (32, 1, 1)),
        ((1, 1, 1), (32, 1, 65)),
        ((1, 1, 1), (32, 33, 1)),
        ((1, 1, 1), (1025, 1, 1)),
        ((0, 1, 1), (32, 1, 1)),
    ] {
        let refused = modules.queue_as(&b, launch, grid, block);
        assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE, "{grid:?} {block:?}");
    }
}

#[test]
fn wrong_text_and_names_are_refused() {
    let b = bench();
    let mut modules = Modules::default();
    modules.function(&plan::fill(256, 64, &[1])[0]);
    let fill = modules.0["fill"];
    assert_eq!(function(fill, "fill_3"), Err(CUresult::CUDA_ERROR_NOT_FOUND));
    let (mut address, mut bytes) = (0, 0);
    // SAFETY: both are there to be written.
    let global = unsafe { sys::cuModuleGetGlobal_v2(&raw mut address, &raw mut bytes, fill, c"fill_1".as_ptr()) };
    assert_eq!(global, CUresult::CUDA_ERROR_NOT_FOUND);
    let text = ptx::text("fill");
    let invalid = Err(CUresult::CUDA_ERROR_INVALID_PTX);
    for wrong in [text.replace("sm_70", "sm_120"), text.replace("st.global", "st.strange")] {
        assert_eq!(load(&CString::new(wrong).unwrap()), invalid);
    }
    assert_eq!(load(c".version 6.0\n.target sm_70\ngarbage\n"), invalid);
    assert_eq!(load(c"garbage"), Err(CUresult::CUDA_ERROR_INVALID_IMAGE));
    let mut log = [0_u8; 64];
    let mut options = [
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [
        log.as_mut_ptr().cast::<c_void>(),
        std::ptr::without_provenance_mut(log.len()),
    ];
    let mut module = std::ptr::null_mut();
    let image = c".version 6.0\n.target sm_70\n.visible .entry e(\n)\n{\nadd.s31 %r1, %r2, %r3;\n}\n".as_ptr();
    // SAFETY: two options with two values, of which the first is a buffer of the length that the second says.
    let loaded = unsafe {
        sys::cuModuleLoadDataEx(
            &raw mut module,
            image.cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    assert_eq!(loaded, CUresult::CUDA_ERROR_INVALID_PTX);
    let log = CStr::from_bytes_until_nul(&log).unwrap();
    assert_eq!(log, c"line 6: unknown instruction `add.s31 %r1, %r2, %r3;`");
    drop(b);
}
