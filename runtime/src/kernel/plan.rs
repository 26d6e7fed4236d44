//! How a kernel's parallel loops run on the CPU, in words.

use std::fmt;
use std::ops::RangeInclusive;

use super::checks::Checks;
use super::{Instance, KernelInfo};

/// What is done for a parallel loop on the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Technique {
    /// Loop versioning: extents are compared once, in front of the loop.
    /// Where they do not hold, a copy of the loop runs that checks each access in place.
    Versioned {
        /// How many extents.
        extents: usize,
    },
    /// Inspection of a table: all its entries are looked at in front of the loop, and uses of them as indices are not checked.
    Tables,
    /// Privatisation: each thread adds to a copy of its own, and the copies are added up.
    /// The runtime decides by the sizes of loop and fields.
    Private {
        /// The parameters that hold the fields.
        fields: &'static [&'static str],
    },
    /// Reduction: threads reduce parts of the loop, which are combined in a fixed order.
    Reduced,
    /// Multiple accumulators: the rounds of sequential loops take turns at parts of a reduction, so that LLVM vectorises a sum of floats.
    Accumulators {
        /// Parts.
        parts: usize,
    },
    /// Loop interchange: the axes of the loop are in another order than they are written, so that along the last one more accesses lie side by side.
    Interchanged,
    /// Cache blocking: rows of 512 iterations and more are cut into strips, and a strip of many rows comes before the next one, since indices go across
    /// rows, as in `v[[j, i]] = u[[i, j]]`: neighbours of a row use lines of the cache that the next row uses again.
    Strips,
    /// Iteration-space trimming: rows are cut to what the condition around the body lets through.
    Trimmed {
        /// Comparisons of the row's position.
        comparisons: usize,
    },
    /// Index-set splitting: in most of each row comparisons of the position have one value, remainders are differences and indices are in bounds.
    /// That part runs without them by what follows; the rims run as the loop is written.
    Split {
        /// Comparisons of the position, remainders, minima and maxima that are decided.
        comparisons: usize,
        /// Accesses that are in bounds.
        accesses: usize,
    },
    /// Symbolic evaluation: indices are what a function of integers gives, which is asked for that along each row. One with loops, divisions or
    /// operations on bits does not tell it: then its indices keep their checks, and of the inside is left what is without it.
    Asked {
        /// Its name.
        function: &'static str,
        /// Whether it tells.
        told: bool,
    },
    /// Speculative loads: reads that conditions stand around are made where an iteration begins, whether these hold or not. They are in bounds in any case.
    /// Only elements of less than 4 bytes are read so: larger ones vector registers read under a mask.
    Speculated {
        /// How many reads.
        reads: usize,
    },
    /// Outer-loop vectorisation: iterations are taken together, one in each lane of vector registers, with masks where they part.
    Lanes {
        /// Iterations taken together.
        wide: usize,
        /// The same, for registers of half the size.
        narrow: Option<usize>,
    },
    /// The same with registers of 512 bits alone: without them it does not pay.
    WideLanes {
        /// Iterations taken together.
        lanes: usize,
    },
    /// [`Lanes`](Technique::Lanes), if one of the functions that the loop calls has a loop that pays.
    LanesForFunctions {
        /// Iterations taken together.
        wide: usize,
        /// The same, for registers of half the size.
        narrow: Option<usize>,
    },
    /// Reads are checked in lanes, without a branch: a block in which one is out of bounds runs again one by one. Where a function that the loop calls has a
    /// loop of many rounds or of rounds that data tells, an index that is no number, or prints, all run one by one.
    CheckedInLanes,
    /// What is left behind blocks in lanes is a block with fewer lanes.
    Shortened,
    /// What is left behind blocks in lanes is a block that begins earlier: an iteration that runs again writes the same again.
    Overlapped,
    /// Inspector-executor: indices that come from data are looked at for a block of iterations, which then runs without these checks.
    Inspected,
    /// Blocks of iterations are looked at, which is vectorised: one in which nothing is better than what was found before is passed over.
    PassedOver,
    /// Iterations that follow one another add to different copies.
    InTurns,
    /// Strip-mining with transposition: elements are put into planes for a block of iterations.
    /// The types of elements and instruction set decide whether that pays.
    Blocks,
    /// Non-temporal stores: what is only written goes past the caches, where the fields are larger than these.
    Streamed,
    /// Sequential loops are versioned: their least and largest indices are compared in front of them.
    Windows,
    /// One iteration after the other. LLVM vectorises these if nothing stands in its way.
    OneByOne,
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lanes = |f: &mut fmt::Formatter<'_>, wide: usize, narrow: Option<usize>| {
            write!(f, "{wide} iterations in lanes")?;
            match narrow {
                Some(narrow) => write!(f, ", {narrow} with registers of half the size"),
                None => Ok(()),
            }
        };
        match *self {
            Technique::Versioned { extents: 1 } => {
                f.write_str("one extent compared in front of the loop (loop versioning)")
            }
            Technique::Versioned { extents } => {
                write!(f, "{extents} extents compared in front of the loop (loop versioning)")
            }
            Technique::Tables => f.write_str("entries of tables looked at in front of the loop"),
            Technique::Private { fields } => {
                write!(
                    f,
                    "additions to copies for each thread (privatisation): `{}`",
                    fields.join("`, `")
                )
            }
            Technique::Reduced => f.write_str("parts reduced by threads, combined in a fixed order (reduction)"),
            Technique::Accumulators { parts } => {
                write!(
                    f,
                    "sequential loops accumulate into {parts} parts in turns (multiple accumulators)"
                )
            }
            Technique::Interchanged => {
                f.write_str("another axis innermost, along which more accesses lie side by side (loop interchange)")
            }
            Technique::Strips => f.write_str("long rows in strips, since indices go across them (cache blocking)"),
            Technique::Trimmed { comparisons: 1 } => {
                f.write_str("rows cut by one comparison of the position (iteration-space trimming)")
            }
            Technique::Trimmed { comparisons } => {
                write!(
                    f,
                    "rows cut by {comparisons} comparisons of the position (iteration-space trimming)"
                )
            }
            Technique::Split { comparisons, accesses } => {
                let counted = |n: usize, what: &str| match n {
                    0 => None,
                    1 => Some(format!("one {what}")),
                    n => Some(format!("{n} {what}s")),
                };
                let without: Vec<String> = [counted(comparisons, "comparison"), counted(accesses, "check")]
                    .into_iter()
                    .flatten()
                    .collect();
                write!(
                    f,
                    "most of each row without {} (index-set splitting)",
                    without.join(" and ")
                )
            }
            Technique::Asked { function, told: true } => {
                write!(f, "`{function}` is asked what it gives along a row (symbolic evaluation)")
            }
            Technique::Asked { function, told: false } => {
                write!(
                    f,
                    "`{function}` does not tell what it gives along a row, and indices by it keep their checks: write it of integers, without loops, divisions and operations on bits"
                )
            }
            Technique::Speculated { reads: 1 } => {
                f.write_str("one read made whether the conditions around it hold or not, if its element has less than 4 bytes (speculative loads)")
            }
            Technique::Speculated { reads } => {
                write!(
                    f,
                    "{reads} reads made whether the conditions around them hold or not, if their elements have less than 4 bytes (speculative loads)"
                )
            }
            Technique::Lanes { wide, narrow } => {
                lanes(f, wide, narrow)?;
                f.write_str(" (outer-loop vectorisation)")
            }
            Technique::WideLanes { lanes } => {
                write!(
                    f,
                    "{lanes} iterations in lanes with registers of 512 bits alone (outer-loop vectorisation)"
                )
            }
            Technique::LanesForFunctions { wide, narrow } => {
                lanes(f, wide, narrow)?;
                f.write_str(" if a function called has loops (outer-loop vectorisation)")
            }
            Technique::CheckedInLanes => f.write_str(
                "reads checked there, unless a function called has loops or prints: a block in which one is out of bounds runs again one by one",
            ),
            Technique::Shortened => f.write_str("what is left in a shorter block"),
            Technique::Overlapped => f.write_str("what is left in a block that overlaps the one before"),
            Technique::Inspected => f.write_str("indices from data looked at in blocks (inspector-executor)"),
            Technique::PassedOver => f.write_str("blocks passed over in which a look finds nothing better"),
            Technique::InTurns => f.write_str("additions to several copies in turns"),
            Technique::Blocks => f.write_str("large elements in transposed blocks (strip-mining)"),
            Technique::Streamed => {
                f.write_str("what is only written goes past the caches if it is larger (non-temporal stores)")
            }
            Technique::Windows => {
                f.write_str("indices of sequential loops compared in front of these (loop versioning)")
            }
            Technique::OneByOne => f.write_str("the rest one by one, as LLVM vectorises it"),
        }
    }
}

/// What stands in the way of something faster, and what to write instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its source file, which is not the kernel's where a macro was given that part of the text.
    pub file: &'static str,
    /// Where it stands.
    pub line: u32,
    /// Where it stands.
    pub column: u32,
    /// In words.
    pub text: &'static str,
}

/// How one parallel loop runs on the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopPlan {
    /// Its source file, which is not the kernel's where a macro was given that part of the text.
    pub file: &'static str,
    /// Where the loop stands.
    pub line: u32,
    /// Where the loop stands.
    pub column: u32,
    /// What is done for it, in the order in which it takes effect.
    pub techniques: &'static [Technique],
    /// What stands in the way of something faster.
    pub remarks: &'static [Remark],
    /// How far reads of each parameter, and writes to it, go from the loop's positions.
    pub reaches: &'static [Reach],
}

/// How far all reads of a parameter, or all writes to it, go from the positions of a parallel loop: the width of the halo that a field needs
/// where its elements are spread over several memories.
///
/// ```
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn smooth(u: &OffsetField<f32, 2>, v: &mut OffsetField<f32, 2>) {
///     for [i, j] in v.indices() {
///         v[[i, j]] = 0.5 * (u[[i - 1, j]] + u[[i + 2, j]]);
///     }
/// }
///
/// let [reads, writes] = smooth::plan().loops()[0].reaches else { panic!("of two fields") };
/// assert_eq!((reads.parameter(), reads.is_written()), ("u", false));
/// assert_eq!((reads.along(0), reads.along(1)), (Some(-1..=2), Some(0..=0)));
/// assert_eq!((writes.parameter(), writes.along(0)), ("v", Some(0..=0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    parameter: &'static str,
    written: bool,
    /// For each axis; `None` where all accesses are to the own element.
    axes: Option<&'static [Option<(i64, i64)>]>,
}

impl Reach {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(parameter: &'static str, written: bool, axes: Option<&'static [Option<(i64, i64)>]>) -> Reach {
        Reach {
            parameter,
            written,
            axes,
        }
    }

    /// The parameter's name.
    #[must_use]
    pub fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// Whether this is about writes, plain or atomic, and not about reads.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.written
    }

    /// The least and the largest distance along an axis, in elements, from the loop's position along the same axis. `None` if an access may be
    /// anywhere: its index is computed otherwise than by adding numbers to that position. Where all accesses are to the own element, the answer is 0
    /// for every number, whether the field has such an axis or not.
    #[must_use]
    pub fn along(&self, axis: usize) -> Option<RangeInclusive<i64>> {
        let Some(axes) = self.axes else { return Some(0..=0) };
        let (low, high) = (*axes.get(axis)?)?;
        Some(low..=high)
    }
}

/// How the parallel loops of a kernel run on the CPU in a release build: `kernel::plan()`. Shown, it is a list.
///
/// [`Plan::device`] tells how it runs on a device.
///
/// ```
/// use swathe::{Technique, prelude::*};
///
/// #[kernel]
/// fn gather(columns: &Field<u32>, x: &Field<f32>, out: &mut Field<f32>) {
///     for i in out.indices() {
///         out[i] = x[columns[i] as usize];
///     }
/// }
///
/// let plan = gather::plan();
/// let [first] = plan.loops() else { panic!("one loop") };
/// assert!(first.techniques.contains(&Technique::Inspected));
/// assert!(first.remarks.is_empty());
/// println!("{plan}");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    info: &'static KernelInfo,
    load: fn() -> Instance,
}

impl Plan {
    pub(crate) fn new(info: &'static KernelInfo, load: fn() -> Instance) -> Plan {
        Plan { info, load }
    }

    pub(crate) fn checks(&self) -> Checks {
        Checks::new(self.info)
    }

    pub(crate) fn instance(&self) -> Instance {
        (self.load)()
    }

    /// The kernel's name.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.info.name
    }

    /// Its source file.
    #[must_use]
    pub fn file(&self) -> &'static str {
        self.info.file
    }

    /// Its parallel loops, in their order.
    #[must_use]
    pub fn loops(&self) -> &'static [LoopPlan] {
        self.info.loops
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}`", self.kernel())?;
        for each in self.loops() {
            write!(f, "\n{}:{}:{}: parallel loop", each.file, each.line, each.column)?;
            for technique in each.techniques {
                write!(f, "\n    {technique}")?;
            }
            for remark in each.remarks {
                write!(
                    f,
                    "\n    {}:{}:{}: {}",
                    remark.file, remark.line, remark.column, remark.text
                )?;
            }
        }
        Ok(())
    }
}
