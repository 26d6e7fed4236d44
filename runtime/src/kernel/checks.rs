//! What keeps a kernel's accesses in bounds.

use std::fmt;

use crate::kernel::{KernelInfo, Site};

/// What keeps an access to a field in bounds. The first two cost nothing in the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Coverage {
    /// The domains of the loops around it, or a condition around it that compares its index with an extent of its field.
    Domain,
    /// A comparison of shapes before the loop. Where it does not hold, the loop that runs checks in place.
    BeforeLoop,
    /// A comparison at the access. In code for GPUs, where types are known, more conditions of the user's own around it remove it, and where the
    /// index counts the loop around it, that loop may end where the field does, with the comparison behind it.
    InPlace,
    /// The author's word, in an `unsafe` block.
    Unsafe,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Coverage::Domain => "in bounds by loops or conditions around it",
            Coverage::BeforeLoop => "one comparison before the loop",
            Coverage::InPlace => "checked in place",
            Coverage::Unsafe => "unsafe: not checked",
        })
    }
}

/// One access to an element of a field, in a kernel's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedAccess {
    /// The parameter that holds the field.
    pub field: &'static str,
    /// Its source file, which is not the kernel's where a macro was given that part of the text.
    pub file: &'static str,
    /// Where it stands.
    pub line: u32,
    /// Where it stands.
    pub column: u32,
    /// What keeps it in bounds.
    pub coverage: Coverage,
}

/// All accesses of a kernel to fields, and what keeps each in bounds: `kernel::checks()`. Shown, it is a list.
///
/// ```
/// use swathe::{Coverage, prelude::*};
///
/// #[kernel]
/// fn shift(x: &Field<f32>, out: &mut Field<f32>, by: usize) {
///     for i in out.indices() {
///         out[i] = x[i] + x[i + by];
///     }
/// }
///
/// let checks = shift::checks();
/// let coverage: Vec<(&str, Coverage)> = checks.accesses().map(|a| (a.field, a.coverage)).collect();
/// assert_eq!(
///     coverage,
///     [("x", Coverage::BeforeLoop), ("x", Coverage::InPlace), ("out", Coverage::Domain)]
/// );
/// println!("{checks}");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Checks(&'static KernelInfo);

impl Checks {
    pub(crate) fn new(info: &'static KernelInfo) -> Checks {
        Checks(info)
    }

    /// The kernel's name.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.0.name
    }

    /// Its source file.
    #[must_use]
    pub fn file(&self) -> &'static str {
        self.0.file
    }

    /// The accesses, in the order in which they are evaluated.
    pub fn accesses(&self) -> impl ExactSizeIterator<Item = CheckedAccess> + use<> {
        let info = self.0;
        info.sites.iter().enumerate().map(|(k, site)| {
            let Site {
                field,
                line,
                column,
                coverage,
                ..
            } = *site;
            CheckedAccess {
                field,
                file: info.file_of(k),
                line,
                column,
                coverage,
            }
        })
    }
}

impl fmt::Display for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}`", self.kernel())?;
        let places: Vec<String> = self
            .accesses()
            .map(|access| format!("{}:{}:{}", access.file, access.line, access.column))
            .collect();
        let names = self.accesses().map(|access| access.field.len()).max().unwrap_or(0);
        let width = places.iter().map(String::len).max().unwrap_or(0);
        for (access, place) in self.accesses().zip(&places) {
            write!(f, "\n{place:width$}  {:names$}  {}", access.field, access.coverage)?;
        }
        Ok(())
    }
}
