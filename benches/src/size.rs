//! How large the inputs are.

/// The sizes of all workloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Quick, to see that all is valid.
    Small,
    /// To measure.
    Full,
}

impl Size {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        self.of("small", "full")
    }

    /// One of the two.
    pub fn of<T>(self, small: T, full: T) -> T {
        match self {
            Size::Small => small,
            Size::Full => full,
        }
    }

    /// Elements of long arrays.
    pub fn n(self) -> usize {
        self.of(1 << 13, 1 << 24)
    }
}
