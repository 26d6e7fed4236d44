//! Arrays of more than 2^32 bytes, of which only the pages that are used are ever backed by memory.

mod common;

use std::alloc::{Layout, alloc, dealloc};

use common::{Buffer, from_bytes, interpret_text, module};
use swathe_device_kernels::Launch;
use swathe_device_kernels::plan::{self, Array, Elements, Items, Operation, Positions, Scalar};
use swathe_ptx_interpreter::Region;

const BYTES: u64 = 13 << 29;

/// Address space with a few bytes in it.
struct Vast {
    start: *mut u8,
}

impl Vast {
    const LAYOUT: Layout = match Layout::from_size_align(BYTES as usize, 4096) {
        Ok(layout) => layout,
        Err(_) => panic!("a layout"),
    };

    fn new() -> Vast {
        // SAFETY: the size is not 0.
        let start = unsafe { alloc(Vast::LAYOUT) };
        assert!(!start.is_null(), "no address space");
        Vast { start }
    }

    fn address(&self) -> u64 {
        self.start.expose_provenance() as u64
    }

    fn set(&self, place: u64, value: u8) {
        assert!(place < BYTES);
        // SAFETY: inside of the allocation.
        unsafe { self.start.add(place as usize).write(value) };
    }

    fn get(&self, place: u64) -> u8 {
        assert!(place < BYTES);
        // SAFETY: inside of the allocation; a byte that was not written has an arbitrary value of a fresh page.
        unsafe { self.start.add(place as usize).read_volatile() }
    }

    fn region(&self) -> Region {
        Region {
            start: self.address(),
            bytes: BYTES,
            writable: true,
        }
    }
}

impl Drop for Vast {
    fn drop(&mut self) {
        // SAFETY: of `alloc` with this layout.
        unsafe { dealloc(self.start, Vast::LAYOUT) };
    }
}

/// Runs launches here or as PTX.
fn run(launches: &[Launch], as_ptx: bool, regions: &[Region]) {
    for launch in launches {
        match as_ptx {
            true => drop(interpret_text(&module(launch.entry.family), launch, 2, regions).unwrap()),
            // SAFETY: the plans are for memory of the test.
            false => unsafe { launch.run_on_host() },
        }
    }
}

const FAR: u64 = (1 << 32) + (1 << 31) + 3;

#[test]
fn strides_and_positions_beyond_2_to_the_32() {
    let vast = Vast::new();
    for as_ptx in [false, true] {
        // Items at 0, FAR / 2, FAR - 1, with a neighbour each.
        let stride = FAR / 2;
        for k in 0..3 {
            vast.set(k * stride, 10 + k as u8);
            vast.set(k * stride + 1, 20 + k as u8);
        }
        let mut to = Buffer::output(&[0_u8; 6]);
        let regions = [vast.region(), to.region()];
        let strides = ([stride as i64, 1], [2, 1]);
        let array = |address, strides| Array { address, strides };
        let one = array(vast.address(), &strides.0);
        run(
            &plan::copy(one, array(to.address(), &strides.1), &[3, 2], 1),
            as_ptx,
            &regions,
        );
        assert_eq!(to.bytes(), [10, 20, 11, 21, 12, 22]);

        let items = Items {
            outer: 1,
            length: 3,
            inner: 2,
            outer_stride: 0,
            stride: stride as i64,
            inner_stride: 1,
        };
        run(
            &plan::reduce(
                Operation::Sum,
                Scalar::U8,
                vast.address(),
                (to.address(), Scalar::U8),
                &items,
                0,
            ),
            as_ptx,
            &regions,
        );
        assert_eq!(to.bytes()[..2], [33, 63]);

        let places = [2 * stride + 1, 0, stride, FAR + 7, u64::MAX];
        let mut positions = Buffer::input(&places);
        let mut failed = Buffer::output(&[u64::MAX]);
        let regions = [vast.region(), to.region(), positions.region(), failed.region()];
        let all = Elements {
            address: vast.address(),
            count: FAR + 7,
        };
        let list = Positions {
            address: positions.address(),
            scalar: Scalar::U64,
            count: 5,
        };
        run(
            &plan::gather(all, list, (to.address(), 1), 1, failed.address()),
            as_ptx,
            &regions,
        );
        assert_eq!(to.bytes()[..3], [22, 10, 11]);
        assert_eq!(from_bytes::<u64>(&failed.bytes()), [3]);
        // Elements of 8 bytes: their places, and the notes who comes last to each.
        let notes = Vast::new();
        let far = FAR / 8;
        let places = [far - 1, 3, far - 1, far, u64::MAX];
        let mut positions = Buffer::input(&places);
        let mut from = Buffer::input(&[11_u64, 12, 13, 14, 15]);
        let mut failed = Buffer::output(&[u64::MAX]);
        let list = Positions {
            address: positions.address(),
            ..list
        };
        let to = Elements {
            address: vast.address(),
            count: far,
        };
        for place in [3, far - 1] {
            (0..8).for_each(|k| notes.set(place * 8 + k, 0));
        }
        let regions = [
            vast.region(),
            notes.region(),
            positions.region(),
            from.region(),
            failed.region(),
        ];
        let mut launches = plan::claim(list, (notes.address(), far), failed.address());
        launches.extend(plan::scatter(from.address(), list, to, 8, notes.address()));
        run(&launches, as_ptx, &regions);
        assert_eq!(
            (vast.get((far - 1) * 8), vast.get(24), vast.get(far * 8 - 9)),
            (13, 12, 0)
        );
        assert_eq!(from_bytes::<u64>(&failed.bytes()), [3]);
    }
}

/// One block of a grid so large that its blocks cover the items: the last one, of more than 2^32.
#[test]
fn items_beyond_2_to_the_32() {
    let vast = Vast::new();
    let module = module("sequence");
    let launch = &plan::iota(Scalar::U8, vast.address(), FAR, 7, 3)[0];
    let args = launch.args.pointers();
    // SAFETY: the arguments are as long as they say.
    let args: Vec<&[u8]> = args
        .map(|(p, size)| unsafe { std::slice::from_raw_parts(p, size) })
        .collect();
    let blocks = FAR.div_ceil(256) as u32;
    let grid = swathe_ptx_interpreter::Grid {
        blocks,
        threads: 256,
        shared: 0,
    };
    vast.set(FAR, 99);
    let regions = [vast.region()].into_iter().collect();
    let mut launch = module.launch(launch.entry.name, grid, &args, &regions).unwrap();
    // SAFETY: the memory is this test's.
    unsafe { launch.run_block(blocks - 1) }.unwrap();
    for item in [FAR - 3, FAR - 2, FAR - 1] {
        assert_eq!(vast.get(item), (item as u8).wrapping_mul(3).wrapping_add(7), "{item}");
    }
    assert_eq!(vast.get(FAR), 99);
}
