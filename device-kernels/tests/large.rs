//! Arrays of more than 2^32 bytes, of which only the pages that are used are ever backed by memory.

mod common;

use std::alloc::{Layout, alloc_zeroed, dealloc};

use common::{Buffer, from_bytes, interpret_text, module};
use swathe_device_kernels::Launch;
use swathe_device_kernels::launch::Shape;
use swathe_device_kernels::plan::{
    self, Array, Elements, Items, Lanes, Operation, Order, Positions, Scalar, Tolerance,
};
use swathe_ptx_interpreter::Region;

const BYTES: u64 = 17 << 29;

/// Address space with a few bytes in it.
struct Vast {
    start: *mut u8,
}

impl Vast {
    const LAYOUT: Layout = match Layout::from_size_align(BYTES as usize, 16) {
        Ok(layout) => layout,
        Err(_) => panic!("a layout"),
    };

    fn new() -> Vast {
        // SAFETY: the size is not 0. Of this alignment, fresh pages are not touched.
        let start = unsafe { alloc_zeroed(Vast::LAYOUT) };
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
        // SAFETY: inside of the allocation; a byte that was not written is 0.
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

        // By one thread, and by those of a block.
        for length in [3, 40] {
            let stride = FAR / (length - 1);
            (0..length).for_each(|k| vast.set(k * stride, if k == length - 1 { 99 } else { 1 }));
            let items = Items {
                length,
                inner: 1,
                stride: stride as i64,
                ..items
            };
            let mut results = Buffer::output(&[0_u64; 2]);
            let regions = [vast.region(), results.region()];
            let at = (results.address(), results.address() + 8);
            let launches = plan::arg_reduce(Order::Max, Scalar::U8, vast.address(), at, &items, 0);
            run(&launches, as_ptx, &regions);
            assert_eq!(from_bytes::<u64>(&results.bytes()), [99, length - 1]);
            let launches = plan::reduce(
                Operation::Sum,
                Scalar::U8,
                vast.address(),
                (results.address(), Scalar::U8),
                &items,
                0,
            );
            run(&launches, as_ptx, &regions);
            assert_eq!(results.bytes()[0], 98 + length as u8);
        }
        for k in 0..3 {
            vast.set(k * stride, 10 + k as u8);
            vast.set(k * stride + 1, 20 + k as u8);
        }
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

/// Runs the last block of a grid that is so large that each of its threads has one item, or each block one unit.
fn last_block(launch: &Launch, regions: &[Region]) {
    let (blocks, threads) = match launch.shape {
        Shape::Items(items) => (items.div_ceil(256), 256),
        Shape::Blocks(blocks) => (blocks, 256),
    };
    let module = module(launch.entry.family);
    let args = launch.args.pointers();
    // SAFETY: the arguments are as long as they say.
    let args: Vec<&[u8]> = args
        .map(|(p, size)| unsafe { std::slice::from_raw_parts(p, size) })
        .collect();
    let grid = swathe_ptx_interpreter::Grid::line(blocks as u32, threads, launch.shared as usize);
    let regions = regions.iter().copied().collect();
    let mut running = module.launch(launch.entry.name, grid, &args, &regions).unwrap();
    // SAFETY: the memory is the test's.
    unsafe { running.run_block(blocks - 1) }.unwrap_or_else(|why| panic!("{:?}: {}", launch.entry, why.text));
}

/// More items than an `i32` counts.
const MANY: u64 = (1 << 31) + 259;

#[test]
fn sequences_of_more_than_2_to_the_31() {
    let vast = Vast::new();
    let (to, regions) = (vast.address(), [vast.region()]);
    let read = |item: u64, size: u64| -> Vec<u8> { (0..size).map(|k| vast.get(item * size + k)).collect() };
    last_block(&plan::iota(Scalar::U8, to, FAR, 7, 3)[0], &regions);
    for item in [FAR - 3, FAR - 2, FAR - 1] {
        assert_eq!(vast.get(item), (item as u8).wrapping_mul(3).wrapping_add(7), "{item}");
    }
    last_block(&plan::linspace(Scalar::F32, to, MANY, -1.0, 3.0)[0], &regions);
    let before = -1.0 + (MANY - 2) as f64 * (4.0 / (MANY - 1) as f64);
    assert_eq!(read(MANY - 1, 4), 3.0_f32.to_le_bytes());
    assert_eq!(read(MANY - 2, 4), (before as f32).to_le_bytes());
    // The same streams, from the first on.
    type Drawn = fn(u64, u64, u64) -> Vec<Launch>;
    let drawn: [(u64, Drawn); 3] = [
        (4, |to, count, first| plan::random(Scalar::U32, to, count, 42, first)),
        (4, |to, count, first| {
            plan::uniform(Scalar::F32, to, count, (42, first), (-1.0, 1.0))
        }),
        (2, |to, count, first| {
            plan::uniform(Scalar::F16, to, count, (42, first), (-1.0, 1.0))
        }),
    ];
    for (size, plan) in drawn {
        last_block(&plan(to, MANY, 5)[0], &regions);
        let mut near = Buffer::output(&vec![0_u8; 3 * size as usize]);
        let regions = [near.region()];
        run(&plan(near.address(), 3, 5 + MANY - 3), false, &regions);
        let far: Vec<u8> = (MANY - 3..MANY).flat_map(|item| read(item, size)).collect();
        assert_eq!(far, near.bytes());
    }
    for (bytes, pattern) in [
        (FAR + 1000, vec![1, 2, 3, 4]),
        (FAR + 999, vec![9]),
        (FAR + 1000, vec![5, 6, 7]),
    ] {
        let words = &plan::fill(to + 1, bytes, &pattern)[0];
        last_block(words, &regions);
        let Shape::Items(items) = words.shape else {
            panic!("items")
        };
        // The last whole word: the rest is the first threads'.
        let width = bytes.div_ceil(items).next_power_of_two();
        let head = (to + 1).wrapping_neg() % width;
        let end = head + (bytes - head) / width * width;
        for byte in end - width..end {
            assert_eq!(
                vast.get(1 + byte),
                pattern[(byte % pattern.len() as u64) as usize],
                "{byte} of {bytes}"
            );
        }
    }
}

#[test]
fn items_of_more_than_2_to_the_31() {
    let (from, to) = (Vast::new(), Vast::new());
    let mut first = Buffer::output(&[u64::MAX; 2]);
    let note = first.address();
    let regions = [from.region(), to.region(), first.region()];
    let (a, b) = (from.address(), to.address());
    for (k, value) in [(MANY - 2, 0), (MANY - 1, 200)] {
        from.set(k, value);
        to.set(k, 1);
    }
    last_block(&plan::differ(Scalar::U8, a, b, MANY, note)[0], &regions);
    last_block(&plan::cast(a, Scalar::U8, b, Scalar::Bool, MANY)[0], &regions);
    assert_eq!((to.get(MANY - 2), to.get(MANY - 1)), (0, 1));
    let rows = Items::axis(MANY, 1, 1);
    last_block(
        &plan::reduce(Operation::Sum, Scalar::U8, a, (b, Scalar::U8), &rows, 0)[0],
        &regions,
    );
    assert_eq!((to.get(MANY - 2), to.get(MANY - 1)), (0, 200));
    let lanes = Lanes {
        outer: MANY,
        length: 1,
        inner: 1,
    };
    last_block(&plan::scan(Scalar::U8, a, b, &lanes, false, 0)[0], &regions);
    assert_eq!(to.get(MANY - 1), 0);
    // 1.0 and 2.0 of 16 bits.
    for (k, one, two) in [(MANY - 2, 0x3c, 0x3c), (MANY - 1, 0x3c, 0x40)] {
        for (vast, upper) in [(&from, one), (&to, two)] {
            vast.set(2 * k, 0);
            vast.set(2 * k + 1, upper);
        }
    }
    let tolerance = Tolerance {
        relative: 0.1,
        absolute: 0.0,
        equal_nan: false,
    };
    last_block(&plan::close(Scalar::F16, a, b, MANY, tolerance, note + 8)[0], &regions);
    assert_eq!(from_bytes::<u64>(&first.bytes()), [MANY - 2, MANY - 1]);
}

#[test]
fn prefix_sums_of_more_than_2_to_the_31() {
    let (items, scratch) = (Vast::new(), Vast::new());
    let regions = [items.region(), scratch.region()];
    let launches = plan::scan(
        Scalar::U8,
        items.address(),
        items.address(),
        &Lanes::all(MANY),
        true,
        scratch.address(),
    );
    let tile = MANY / 1024 * 1024;
    (tile..MANY).for_each(|k| items.set(k, 1));
    last_block(&launches[0], &regions);
    assert_eq!((items.get(tile), items.get(MANY - 1)), (1, (MANY - tile) as u8));
    assert_eq!(
        scratch.get(MANY / 1024),
        (MANY - tile) as u8,
        "the sum of the last tile"
    );
    scratch.set(MANY / 1024, 100);
    last_block(launches.last().unwrap(), &regions);
    assert_eq!(items.get(MANY - 1), (MANY - tile) as u8 + 100);
}

#[test]
fn matrices_and_structures_of_more_than_2_to_the_31() {
    let (from, to) = (Vast::new(), Vast::new());
    let regions = [from.region(), to.region()];
    let array = |address, strides| Array { address, strides };
    let (rows, columns) = (70_001_u64, 40_003_u64);
    let strides = ([columns as i64, 1], [1, rows as i64]);
    let launches = plan::copy(
        array(from.address(), &strides.0),
        array(to.address(), &strides.1),
        &[rows, columns],
        1,
    );
    assert_eq!(launches[0].entry.name, "transpose_1");
    from.set(rows * columns - 1, 77);
    from.set(rows * columns - 2, 78);
    last_block(&launches[0], &regions);
    assert_eq!(
        (to.get(rows * columns - 1), to.get(rows * columns - 1 - rows)),
        (77, 78)
    );
    // Three bytes to planes, and back.
    let count = 1_u64 << 30 | 5;
    let strides = ([3, 1], [1, count as i64]);
    let (apart, shape) = (array(to.address(), &strides.1), [count, 3]);
    let launches = plan::copy(array(from.address(), &strides.0), apart, &shape, 1);
    assert_eq!(launches[0].entry.name, "deinterleave_1");
    (0..3).for_each(|k| from.set(3 * count - 3 + k, 10 + k as u8));
    last_block(&launches[0], &regions);
    assert_eq!([1, 2, 3].map(|plane| to.get(plane * count - 1)), [10, 11, 12]);
    let launches = plan::copy(apart, array(from.address(), &strides.0), &shape, 1);
    assert_eq!(launches[0].entry.name, "interleave_1");
    to.set(3 * count - 1, 13);
    last_block(&launches[0], &regions);
    assert_eq!(from.get(3 * count - 1), 13);
}
