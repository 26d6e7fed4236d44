//! The limits of all forms.

/// Lanes where the body has loops: a register of the widest vectors, of 32-bit numbers.
pub const WIDTH: usize = 16;
/// Lanes where they leave loops by themselves: the rounds of such a loop wait for one another, so two registers are under way.
pub const MASKED: usize = 32;
/// Lanes of bodies with loops where registers have half the size. With more than one register for a variable there, the few registers do
/// not hold them all, LLVM leaves a loop over the lanes with all planes in memory, and stores under a mask, which AMD's processors with AVX2
/// are slow at: 2.2 times the time for n-body, 2.6 times for a fractal.
pub const NARROW: usize = 8;
/// Operators that outweigh a read checked in place, in lanes of registers of half the size: a path through a grid of vectors, with some 8 for each, takes 0.6
/// of the time one by one, a product with a sparse matrix, with some 3, 1.3 (docs/measurements/lanes.md).
pub const WORK_FOR_READ: u64 = 6;
/// How often the body of a sequential loop counts there, and how many operators a call.
pub const ROUNDS: u64 = 8;
pub const CALL: u64 = 2;
/// Lanes of a reduction of a short body: several sums have to be under way, and LLVM does not unroll so long a loop.
pub const WIDE: usize = 64;

/// Parts of expressions in the body of a loop whose indices are looked at in advance, at most: in a longer one a check is not what costs, and the body is
/// there twice.
pub const INSPECTED_PARTS: usize = 150;
/// An index that grows faster may pass the end of a field and come back within a block.
pub const MOST_SLOPE: i64 = 1 << 10;

/// Larger numbers are not taken from an extent to cut a row: their sum with a position could wrap.
pub const MOST_MOVED: u64 = 1 << 32;
/// More operators than this in an iteration, and what is written is not what it waits for: results do not stream.
pub const STREAMED_WORK: usize = 64;
/// Sequential loops that an access by a table has to be in: in one alone, as over the entries of a sparse matrix's row, each entry may be used once.
pub const TABLE_DEPTH: usize = 2;
/// Parts of expressions in the body of a loop with tables, at most: the body is there twice.
pub const TABLE_PARTS: usize = 300;
/// Parts of expressions in the body of a loop that adds to several copies in turns, at most: the body is there once for each copy.
pub const SCATTERED_PARTS: usize = 40;
/// Parts of expressions in the body of a sequential loop with windows, at most: the body is there twice.
pub const WINDOW_PARTS: usize = 300;
/// Parts of expressions in the body of a sequential loop that accumulates into several parts, at most: the body is there twice.
pub const ACCUMULATED_PARTS: usize = 150;
/// Reads behind conditions that are made at the beginning of an iteration, at most.
pub const EAGER_READS: usize = 16;
/// Below this a number is the same in every integer type.
pub const MOST_CAST: u64 = 128;
/// Items of the longest array that is copied for each lane.
pub const LANE_ARRAY: usize = 16;
/// Up to how many arguments functions are called for all lanes.
pub const LANE_ARGS: usize = 8;
/// Loops of no more rounds are unrolled by LLVM, which then vectorises the parallel loop itself.
pub const UNROLLED: i64 = 16;
/// Positions of a row that is asked for its inside, at least.
pub const ROW: usize = 24;
/// The same, where an iteration has sequential loops.
pub const ROW_OF_LOOPS: usize = 8;
/// Parts of expressions in the body of a loop that is there again for the inside of rows, at most.
pub const INSIDE_PARTS: usize = 600;
/// Parts of expressions of a function that becomes part of each loop that calls it, at most, with those of the free functions that it calls in turn.
pub const INLINED_PARTS: usize = 1000;
/// Parts of expressions of a function of integers that is there again to be asked what it gives along a row, at most.
pub const GIVEN_PARTS: usize = 100;
/// Functions that call one another to tell what they give along a row, at most.
pub const CALLS: u32 = 4;
/// Parameters of a function that is lent fields, at most: with more it is asked nothing.
pub const LENT_PARAMS: usize = 63;
/// What a function that is lent fields asks of a row, at most, with all that it calls.
pub const MOST_ASKED: u64 = 96;
/// Variables of sequential loops in one index, at most: it is asked for at both ends of each.
pub const MOST_COUNTED: usize = 3;
/// Parts of a variable's value that is looked into for what conditions tell of it, at most.
pub const FACT_PARTS: usize = 40;
/// Parts of a sum, at most: a variable stands for all of what it is.
pub const SUM_PARTS: usize = 40;
/// Expressions that are looked into for one sum, at most: variables are made of others, each of which may be there twice.
pub const SUM_WORK: usize = 400;
/// Expressions in one another, at most. Each takes kilobytes of stack in every pass, as a macro is not optimised in a user's build, and rustc, which
/// reads what comes of it, has eight mebibytes.
pub const LEVELS: usize = 256;

/// Calls of closures in a function, at most: each holds the closure's text, and those in it.
pub const CLOSURE_CALLS: usize = 500;

/// Iterations of the longest block that is looked at for one that is taken.
pub const LOOKED: usize = 256;
/// Of a block within one that has some: half the time of the long ones alone (docs/measurements/reductions.md).
pub const LOOKED_CLOSE: usize = 32;

/// Parts of a place whose value is kept in front of a block, its variables written as what they are. Chosen, not measured.
pub const SETTLED_PARTS: usize = 200;
