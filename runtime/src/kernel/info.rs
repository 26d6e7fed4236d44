//! What a kernel says of itself: its name, its accesses, its loops.

use super::checks::Coverage;
use super::plan::LoopPlan;

/// How exact the float arithmetic of a kernel is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// The same bits on every device.
    Strict,
    /// Products and sums may be one operation.
    Contracted,
    /// Divisions, roots and functions may be approximate, too.
    Fast,
}

/// What messages say about a kernel.
#[derive(Clone, Copy, Debug)]
pub struct KernelInfo {
    /// Its name.
    pub name: &'static str,
    /// Its source file.
    pub file: &'static str,
    /// The line of its name.
    pub line: u32,
    /// How exact its float arithmetic is.
    pub arithmetic: Arithmetic,
    /// Whether its crate is compiled with optimisation.
    pub optimised: bool,
    /// Its checked accesses.
    pub sites: &'static [Site],
    /// The files of these; empty where all stand in `file`.
    pub files: &'static [&'static str],
    /// Its parallel loops.
    pub loops: &'static [LoopPlan],
}

/// One access that is checked while the kernel runs.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The parameter that holds the field.
    pub field: &'static str,
    /// Where the access stands.
    pub line: u32,
    /// Where the access stands.
    pub column: u32,
    /// What keeps it in bounds.
    pub coverage: Coverage,
    /// Whether it stands in an `unsafe` block.
    pub in_unsafe: bool,
}

impl KernelInfo {
    /// Whether there are accesses in `unsafe` blocks.
    pub(crate) fn has_unsafe(&self) -> bool {
        self.sites.iter().any(|site| site.in_unsafe)
    }

    /// The file of a site.
    pub(crate) fn file_of(&self, site: usize) -> &'static str {
        self.files.get(site).copied().unwrap_or(self.file)
    }

    pub(crate) fn site(&self, site: u32) -> Option<&Site> {
        self.sites.get(site as usize)
    }
}
