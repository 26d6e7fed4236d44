//! Why no CUDA C can be written for a kernel.

use std::fmt;

use swathe_ir::Span;

/// A kernel that cannot be expressed in CUDA C.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodegenError {
    /// Functions that call each other in a cycle; a GPU has no stack to speak of.
    #[error("{file}:{line}: recursion cannot run in a kernel: {}", Cycle(cycle))]
    Recursion {
        /// The functions in order of their calls; the last one calls the first.
        cycle: Vec<String>,
        /// File of the first one.
        file: String,
        /// Its line.
        line: u32,
    },
    /// Something that has no counterpart on the device.
    #[error("{file}:{line}:{column}: {what} cannot run on a CUDA device")]
    Unsupported {
        /// What it is.
        what: String,
        /// Source file.
        file: String,
        /// Line in it.
        line: u32,
        /// Column in the line.
        column: u32,
    },
}

impl CodegenError {
    pub(crate) fn unsupported(what: impl Into<String>, file: &str, span: Span) -> Self {
        CodegenError::Unsupported {
            what: what.into(),
            file: file.to_owned(),
            line: span.line,
            column: span.column,
        }
    }
}

struct Cycle<'a>(&'a [String]);

impl fmt::Display for Cycle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in self.0 {
            write!(f, "`{name}` calls ")?;
        }
        write!(f, "`{}`", self.0.first().map_or("", String::as_str))
    }
}
