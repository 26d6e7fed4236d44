//! Runs generated CUDA C on the host: the very text, compiled by the host's C++ compiler.

use std::ffi::c_void;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use libloading::Library;
use swathe::codegen::{Arg, CudaSource, Entry, EntryKind, Length};

/// An argument of a kernel.
pub enum HostArg {
    /// A field's memory and shape.
    Field(*mut c_void, Vec<usize>),
    /// The bytes of a value.
    Value(Vec<u8>),
}

impl HostArg {
    /// A field in a slice of its elements.
    pub fn field<T>(data: &mut [T], shape: &[usize]) -> HostArg {
        assert_eq!(shape.iter().product::<usize>(), data.len());
        HostArg::Field(data.as_mut_ptr().cast(), shape.to_vec())
    }

    /// A value.
    pub fn value<T: Copy>(value: T) -> HostArg {
        let mut bytes = vec![0_u8; size_of::<T>()];
        // SAFETY: both point to `size_of::<T>()` bytes; the tests pass values without padding.
        unsafe { std::ptr::copy_nonoverlapping((&raw const value).cast(), bytes.as_mut_ptr(), bytes.len()) };
        HostArg::Value(bytes)
    }
}

/// What a run leaves behind besides the fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Number of failures.
    pub failures: u64,
    /// Site of the least.
    pub site: u64,
    /// Its index.
    pub index: [u64; Entry::ERRORS_WORDS],
    /// The frame, whose first bytes are the kernel's result.
    pub frame: Vec<u8>,
}

impl Outcome {
    /// The kernel's result.
    pub fn result<T: Copy>(&self) -> T {
        assert!(size_of::<T>() <= self.frame.len());
        // SAFETY: the frame starts with the result, and the tests ask for its type.
        unsafe { self.frame.as_ptr().cast::<T>().read_unaligned() }
    }
}

/// A compiled kernel.
pub struct HostKernel {
    source: CudaSource,
    library: Library,
}

type Run = unsafe extern "C" fn(*mut *mut c_void, *const u32, *const u32);

impl HostKernel {
    /// Compiles the text.
    ///
    /// # Panics
    /// If the compiler refuses it.
    pub fn new(source: CudaSource) -> HostKernel {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let mut text = format!("{}\n{}\n", include_str!("host_cuda.h"), source.text);
        for Entry { name, .. } in &source.entries {
            text.push_str(&format!(
                "extern \"C\" void run_{name}(void** args, const unsigned* grid, const unsigned* block) {{ launch({name}, args, grid, block); }}\n"
            ));
        }
        let stem = format!(
            "swathe-host-{}-{}",
            std::process::id(),
            NUMBER.fetch_add(1, Ordering::Relaxed)
        );
        let file = std::env::temp_dir().join(format!("{stem}.cpp"));
        let program = std::env::temp_dir().join(format!("lib{stem}.so"));
        std::fs::write(&file, &text).expect("a writable temporary folder");
        let output = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "g++".into()))
            .args([
                "-std=c++20",
                "-O1",
                "-w",
                "-ffp-contract=off",
                "-fsanitize=undefined",
                "-fno-sanitize-recover=all",
            ])
            .args(["-static-libubsan", "-fPIC", "-shared", "-pthread", "-o"])
            .arg(&program)
            .arg(&file)
            .output()
            .expect("a C++ compiler");
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{log}\n{}", source.text);
        // SAFETY: the library has no initialisers with conditions.
        let library = unsafe { Library::new(&program) }.expect("the compiled kernel");
        let _ = std::fs::remove_file(&file);
        let _ = std::fs::remove_file(&program);
        HostKernel { source, library }
    }

    /// Runs all entries with `block` threads a block and `grid` blocks.
    ///
    /// # Panics
    /// If the arguments are not those of the kernel.
    pub fn run(&self, args: &[HostArg], grid: u32, block: u32) -> Outcome {
        let mut frame = vec![0_u64; self.source.frame.as_ref().map_or(0, |f| f.size.div_ceil(8))];
        let mut told = 0_u64;
        let mut errors = [0_u64; Entry::ERRORS_SIZE / 8];
        errors[Entry::TOLD] = (&raw mut told).expose_provenance() as u64;
        let mut partials: Vec<Vec<u128>> = Vec::new();
        let mut blocks = 0_u32;
        for entry in &self.source.entries {
            let (shape, block) = match entry.kind {
                EntryKind::Serial => ([1; 3], [1; 3]),
                EntryKind::ReduceFinish => ([1; 3], [block, 1, 1]),
                EntryKind::Parallel(domain) | EntryKind::ReducePartial(domain) => {
                    if let [_, Length::One, Length::One] = domain.lengths {
                        ([grid, 1, 1], [block, 1, 1])
                    } else {
                        // Some threads along every axis of the grid.
                        let across = 1 << (block.max(1).ilog2() / 2);
                        ([grid, 2, 1], [across, block / across, 1])
                    }
                }
            };
            if matches!(entry.kind, EntryKind::ReducePartial(_)) {
                blocks = shape.iter().product();
            }
            let mut values: Vec<Vec<u128>> = Vec::new();
            for arg in &entry.args {
                let bytes: Vec<u8> = match *arg {
                    Arg::Field(k) => match &args[k] {
                        HostArg::Field(pointer, _) => (*pointer as usize).to_le_bytes().to_vec(),
                        HostArg::Value(_) => panic!("argument {k} is no field"),
                    },
                    Arg::Extent(k, axis) => match &args[k] {
                        HostArg::Field(_, shape) => shape[axis].to_le_bytes().to_vec(),
                        HostArg::Value(_) => panic!("argument {k} is no field"),
                    },
                    Arg::Stride(..) | Arg::Pitch(_) | Arg::Origin(_) | Arg::Start(..) => {
                        panic!("the host's fields are whole")
                    }
                    Arg::Cells(_) => panic!("the host verifies no `unsafe` blocks"),
                    Arg::Value(k) => match &args[k] {
                        HostArg::Value(bytes) => bytes.clone(),
                        HostArg::Field(..) => panic!("argument {k} is no value"),
                    },
                    Arg::Partials { index, size } => {
                        if matches!(entry.kind, EntryKind::ReducePartial(_)) {
                            partials.resize_with(partials.len().max(index + 1), Vec::new);
                            partials[index] = vec![0; (size * blocks as usize).div_ceil(16)];
                        }
                        (partials[index].as_mut_ptr() as usize).to_le_bytes().to_vec()
                    }
                    Arg::PartialCount => blocks.to_le_bytes().to_vec(),
                    Arg::Frame => (frame.as_mut_ptr() as usize).to_le_bytes().to_vec(),
                    Arg::Errors => (errors.as_mut_ptr() as usize).to_le_bytes().to_vec(),
                };
                let mut cell = vec![0_u128; bytes.len().div_ceil(16).max(1)];
                // SAFETY: the cell has at least as many bytes.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), cell.as_mut_ptr().cast(), bytes.len()) };
                values.push(cell);
            }
            let mut pointers: Vec<*mut c_void> = values.iter_mut().map(|v| v.as_mut_ptr().cast()).collect();
            // SAFETY: the function has this type, and the arguments are those that the entry describes.
            unsafe {
                let run: libloading::Symbol<'_, Run> = self
                    .library
                    .get(format!("run_{}", entry.name).as_bytes())
                    .expect("an entry");
                run(pointers.as_mut_ptr(), shape.as_ptr(), block.as_ptr());
            }
        }
        // SAFETY: the kernels that wrote to it have ended.
        let told = unsafe { (&raw const told).read_volatile() };
        assert_eq!(told != 0, errors[0] > 0, "a failure is told, and nothing else");
        Outcome {
            failures: errors[0],
            site: errors[1],
            index: errors[2..2 + Entry::ERRORS_WORDS].try_into().expect("as many numbers"),
            frame: frame.iter().flat_map(|v| v.to_le_bytes()).collect(),
        }
    }
}
