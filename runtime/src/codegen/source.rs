//! The product of code generation.

use swathe_ir::{Output, Span, Type};

use super::block_copies::BlockCopy;
use super::variant::Variant;
use crate::collision::AccessKind;
use crate::kernel::failures::WORDS;

/// CUDA C of a kernel, and how to launch it.
#[derive(Clone, Debug, PartialEq)]
pub struct CudaSource {
    /// The text, complete: it includes nothing.
    pub text: String,
    /// The `__global__` functions, in the order in which they run.
    pub entries: Vec<Entry>,
    /// What can fail; the number of a failure is its index here.
    pub sites: Vec<Site>,
    /// The memory that outlives a phase, if the kernel needs any. The launcher zeroes it before the first entry.
    pub frame: Option<FrameLayout>,
    /// What it takes for granted of its arguments.
    pub variant: Variant,
    /// Parameters of type `usize` that have to suit [`Variant::index`], as all extents have to.
    pub narrowed: Vec<usize>,
    /// Fields with cells, in which the accesses of a loop are noted. The launcher zeroes them before each entry that takes them.
    pub cells: Vec<CellsLayout>,
}

/// The cells of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellsLayout {
    /// Its parameter.
    pub param: usize,
    /// How many places each element has, with a cell each.
    pub places: usize,
    /// Words of a cell.
    pub slots: usize,
}

/// One `__global__` function.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// How it is launched.
    pub kind: EntryKind,
    /// Its arguments, in order.
    pub args: Vec<Arg>,
    /// Where its loop stands, or the kernel.
    pub place: Span,
    /// What can fail in it, by number.
    pub sites: Vec<usize>,
    /// The fields that it can change in copies in the block's dynamic shared memory, one behind the other, each on a multiple of
    /// [`BlockCopy::ALIGN`] bytes. It does so with those of [`Variant::copied`].
    pub copies: Vec<BlockCopy>,
    /// Whether it is a loop whose iterations are short and take equally long.
    pub even: bool,
}

/// How an entry is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// One block of one thread.
    Serial,
    /// Any grid: the threads stride over the domain, along each of the grid's axes.
    Parallel(Domain),
    /// Blocks of [`Entry::REDUCE_BLOCK`] threads (or any smaller power of two), at most [`Entry::REDUCE_BLOCKS`] of
    /// them. Their number and shape have to depend on the domain alone, since the order of the additions depends on it.
    ReducePartial(Domain),
    /// One block of [`Entry::REDUCE_BLOCK`] threads (or any smaller power of two).
    ReduceFinish,
}

/// The iterations of a loop, laid out along the axes of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Along `x`, `y` and `z`.
    pub lengths: [Length; 3],
}

/// A number of iterations, as far as the host can know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// One.
    One,
    /// The elements of the field that is this parameter.
    Elements(usize),
    /// The extent of a field along an axis.
    Extent(usize, usize),
    /// The product of a field's first extents, so many.
    Leading(usize, usize),
    /// The value of this parameter, a `usize`.
    Value(usize),
    /// Known on the device alone.
    Device,
}

/// An argument of an entry. Numbers are indices into the kernel's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// Pointer to a field's first element.
    Field(usize),
    /// Extent of a field along an axis, as `u64`. Narrow code reads its first half.
    Extent(usize, usize),
    /// Stride of a part of a field along an axis, in bytes, as `i64`; of a structure of arrays in elements.
    Stride(usize, usize),
    /// How many elements each plane of a structure of arrays has room for, as `u64`.
    Pitch(usize),
    /// The element at position 0 of a part of a structure of arrays, as `i64`.
    Origin(usize),
    /// Pointer to a field's cells.
    Cells(usize),
    /// Position of an offset field's first element along an axis, as `i64`.
    Start(usize, usize),
    /// A parameter passed by value.
    Value(usize),
    /// Pointer to one partial result for each block of the reduction before, `size` bytes each. Reductions of one loop
    /// are told apart by `index`.
    Partials {
        /// Number within the loop.
        index: usize,
        /// Bytes of a partial result.
        size: usize,
    },
    /// The number of blocks of the [`EntryKind::ReducePartial`] before, as `u32`.
    PartialCount,
    /// Pointer to the frame.
    Frame,
    /// Pointer to an error record: `u64` number of failures, `u64` site of the least, `u64[16]` its index, and a word of
    /// the kernel's own, all zeroed before the first entry; then what the launcher sets: [`Entry::TOLD`] and [`Entry::PRINTS`].
    Errors,
}

/// Layout of the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameLayout {
    /// Size in bytes.
    pub size: usize,
    /// Type of the kernel's result, which stands at offset 0; a tuple's members follow each other as in C.
    pub result: Option<Type>,
}

/// A place that can fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// How it fails.
    pub kind: SiteKind,
    /// Source file.
    pub file: String,
    /// Place in it.
    pub span: Span,
    /// It is in a function, not in the kernel's own text.
    pub in_function: bool,
}

/// How a place can fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteKind {
    /// An index outside a field's shape.
    Field {
        /// The field's name.
        name: String,
        /// Its parameter.
        param: usize,
    },
    /// An index outside an array or vector.
    Array {
        /// Its length, or its extents for a matrix.
        shape: Vec<usize>,
    },
    /// Division of an integer by zero, or of the least integer by -1.
    Division {
        /// `%`.
        remainder: bool,
        /// By -1.
        overflow: bool,
    },
    /// `assert!` and `panic!`.
    Message {
        /// Its text, by [`swathe_ir::message::pieces`].
        message: String,
        /// The types of the values in it, whose numbers are the index.
        types: Vec<Type>,
    },
    /// What `println!` and its kind write, which is no failure.
    Print {
        /// Where to.
        output: Output,
        /// The text, as for a message.
        message: String,
        /// The types of its values, and of the position of the iteration behind them.
        types: Vec<Type>,
    },
    /// An access that may collide with those of other iterations. Its failure has the site [`SiteKind::COLLISION`] and four
    /// numbers for an index: the site of the other access, the number of the element in row-major order, and the two iterations.
    Noted {
        /// The field's name.
        name: String,
        /// Its parameter.
        param: usize,
        /// What it does.
        kind: AccessKind,
    },
    /// `step_by(0)`.
    ZeroStep,
    /// A loop over more positions than any loop ends with.
    TooManyPositions {
        /// Its text, by [`swathe_ir::message::pieces`].
        message: &'static str,
        /// The types of the values in it, whose numbers are the index.
        types: Vec<Type>,
    },
}

impl SiteKind {
    /// Added to the number of a site that is [`SiteKind::Noted`]: what is out of bounds comes first. A collision counts as that many failures.
    pub const COLLISION: u64 = 1 << 32;
}

impl Entry {
    /// Largest number of threads of a block in a reduction.
    pub const REDUCE_BLOCK: u32 = 256;
    /// Largest number of blocks in a reduction.
    pub const REDUCE_BLOCKS: u32 = 1024;
    /// Bytes of shared memory that a block has without being asked whether the device has more.
    pub const SHARED_BYTES: usize = 48 << 10;
    /// Bytes of all arguments: what CUDA has room for from compute capability 7.0 and CUDA 12.1 on.
    pub const MOST_ARGUMENTS: usize = 32_764;
    /// Words that tell failures at one place apart: a position, or the values of a message.
    pub const ERRORS_WORDS: usize = WORDS;
    /// Bytes of the error record.
    pub const ERRORS_SIZE: usize = 8 * (6 + Entry::ERRORS_WORDS);
    /// Word of the record with the address of a word of the host, which a kernel that fails makes 1.
    pub const TOLD: usize = 3 + Entry::ERRORS_WORDS;
    /// Words of the record that tell where the kernel prints: the address of [`Entry::TAKEN_WORDS`], 0 for none, and the kernel's number
    /// in the ring.
    pub const PRINTS: [usize; 2] = [4 + Entry::ERRORS_WORDS, 5 + Entry::ERRORS_WORDS];
    /// Words in the device's memory for all that print: how many words of the ring were ever taken, how many texts were ever lost, and the
    /// address of the ring.
    pub const TAKEN_WORDS: usize = 3;
    /// Words of all values of a text that a kernel prints.
    pub const PRINT_WORDS: usize = 64;
    /// The ring of what kernels print, in the host's memory: how many words were ever taken, how many of them the host has read, whether
    /// texts were lost, and from this word on the entries.
    pub const RING_START: usize = 4;
    /// Words of the ring's entries.
    pub const RING_WORDS: usize = 1 << 17;
}

impl Domain {
    /// All iterations along one axis.
    #[must_use]
    pub const fn line(length: Length) -> Domain {
        Domain {
            lengths: [length, Length::One, Length::One],
        }
    }
}
