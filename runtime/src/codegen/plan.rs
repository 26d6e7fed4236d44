//! How a kernel runs on a device, in words.

use std::fmt;

use swathe_ir::Span;

use super::source::{Entry, EntryKind, SiteKind};
use super::{CudaSource, Variant};
use crate::error::Result;
use crate::kernel::checks::Coverage;
use crate::kernel::plan::Plan;

/// What one CUDA launch of a kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PhaseKind {
    /// A parallel loop: threads stride over its iterations.
    Loop,
    /// A parallel loop with reductions: each block reduces a part.
    /// Blocks and parts depend on the sizes alone, so that the result is the same in every run.
    Reduction,
    /// What the blocks reduced is combined by one block, with the statements behind it.
    Combination,
    /// Statements between loops, which one thread runs.
    Serial,
}

impl fmt::Display for PhaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PhaseKind::Loop => "parallel loop, an iteration a thread",
            PhaseKind::Reduction => "parallel loop, whose blocks of threads reduce parts (reduction)",
            PhaseKind::Combination => "one block combines the parts",
            PhaseKind::Serial => "statements of one thread",
        })
    }
}

/// A comparison that a device makes while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceCheck {
    /// Its source file: that of a `#[func]` or of a part that a macro was given may be another.
    pub file: String,
    /// Where it stands.
    pub line: u32,
    /// Where it stands.
    pub column: u32,
    /// In words.
    pub text: String,
}

/// What one CUDA launch of a kernel does, and what it compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DevicePhase {
    /// What it does.
    pub kind: PhaseKind,
    /// Its source file.
    pub file: String,
    /// Where its loop stands, if it is one; else where the kernel does.
    pub line: u32,
    /// Where its loop stands, if it is one; else where the kernel does.
    pub column: u32,
    /// What is compared in place, in the order of the text.
    /// A check that the loop's domain, a comparison in front of it or a condition around it makes superfluous is not there.
    pub checks: Vec<DeviceCheck>,
    /// The fields that each block changes in a copy of its own where they are small beside the loop (privatisation).
    pub copies: Vec<String>,
}

/// How a kernel runs on a device, one launch after the other: [`Plan::device`]. Shown, it is a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DevicePlan {
    kernel: &'static str,
    phases: Vec<DevicePhase>,
}

impl DevicePlan {
    fn new(plan: &Plan, source: &CudaSource) -> DevicePlan {
        DevicePlan {
            kernel: plan.kernel(),
            phases: source
                .entries
                .iter()
                .map(|entry| DevicePhase::new(entry, plan, source))
                .collect(),
        }
    }

    /// Its launches, in their order.
    #[must_use]
    pub fn phases(&self) -> &[DevicePhase] {
        &self.phases
    }
}

impl DevicePhase {
    fn new(entry: &Entry, plan: &Plan, source: &CudaSource) -> DevicePhase {
        let kind = match entry.kind {
            EntryKind::Serial => PhaseKind::Serial,
            EntryKind::Parallel(_) => PhaseKind::Loop,
            EntryKind::ReducePartial(_) => PhaseKind::Reduction,
            EntryKind::ReduceFinish => PhaseKind::Combination,
        };
        let sites = entry.sites.iter().map(|site| &source.sites[*site]);
        let mut checks: Vec<DeviceCheck> = sites
            .filter_map(|site| {
                let coverage = plan.checks().accesses().find(|access| {
                    let place = (access.file, access.line, access.column);
                    !site.in_function && place == (&site.file, site.span.line, site.span.column)
                });
                Some(DeviceCheck {
                    file: site.file.clone(),
                    line: site.span.line,
                    column: site.span.column,
                    text: words(&site.kind, coverage.map(|access| access.coverage))?,
                })
            })
            .collect();
        checks.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        checks.dedup();
        let func = &plan.instance().func;
        let name = |param: usize| func.locals[func.params[param].local.0 as usize].name.clone();
        let Span { line, column, .. } = entry.place;
        DevicePhase {
            kind,
            file: func.file_of(entry.place).to_owned(),
            line,
            column,
            checks,
            copies: entry.copies.iter().map(|copy| name(copy.param)).collect(),
        }
    }
}

/// What a site compares; nothing for those that verify `unsafe`.
fn words(kind: &SiteKind, coverage: Option<Coverage>) -> Option<String> {
    Some(match kind {
        SiteKind::Field { name, .. } if coverage == Some(Coverage::BeforeLoop) => {
            format!("extents are compared once for a thread, and where they do not hold the index of `{name}` in place")
        }
        SiteKind::Field { name, .. } => format!("the index of `{name}` is compared in place"),
        SiteKind::Array { .. } => "the index of an array is compared in place".to_owned(),
        SiteKind::Division { .. } => "the divisor is compared in place".to_owned(),
        SiteKind::Message { .. } => "an assertion".to_owned(),
        SiteKind::ZeroStep => "the step is compared with zero".to_owned(),
        SiteKind::TooManyPositions { .. } => {
            "the number of positions is compared with the most that a loop has".to_owned()
        }
        SiteKind::Noted { .. } | SiteKind::Print { .. } => return None,
    })
}

impl fmt::Display for DevicePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}` on a device", self.kernel)?;
        for phase in &self.phases {
            write!(f, "\n{}:{}:{}: {}", phase.file, phase.line, phase.column, phase.kind)?;
            for check in &phase.checks {
                write!(
                    f,
                    "\n    {}:{}:{}: {}",
                    check.file, check.line, check.column, check.text
                )?;
            }
            for field in &phase.copies {
                write!(
                    f,
                    "\n    a small `{field}` is changed in copies in shared memory, one for each block (privatisation)"
                )?;
            }
        }
        Ok(())
    }
}

impl Plan {
    /// How the kernel runs on a device, for fields that lie in one piece and are not huge.
    ///
    /// ```
    /// use swathe::{PhaseKind, prelude::*};
    ///
    /// #[kernel]
    /// fn norm(x: &Field<f64>, columns: &Field<u32>) -> f64 {
    ///     let mut sum = 0.0;
    ///     for i in columns.indices() {
    ///         sum += x[columns[i] as usize] * x[columns[i] as usize];
    ///     }
    ///     sum.sqrt()
    /// }
    ///
    /// let device = norm::plan().device()?;
    /// let [reduction, end] = device.phases() else { panic!("two launches") };
    /// assert_eq!((reduction.kind, end.kind), (PhaseKind::Reduction, PhaseKind::Combination));
    /// assert_eq!(reduction.checks.len(), 2);
    /// println!("{device}");
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codegen`](crate::Error::Codegen): what cannot run on a device.
    pub fn device(&self) -> Result<DevicePlan> {
        let source = super::cuda_source(&self.instance(), Variant::default())?;
        Ok(DevicePlan::new(self, &source))
    }
}
