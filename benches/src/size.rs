//! How large the inputs are.

/// The sizes of all workloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Quick, to see that all is valid.
    Small,
    /// To measure.
    Full,
    /// This many elements, to see how the cost of one depends on their number.
    Elements(usize),
}

impl Size {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Size::Small => "small",
            Size::Full => "full",
            Size::Elements(_) => "elements",
        }
    }

    /// One of the two, for what does not depend on the number of elements.
    pub fn of<T>(self, small: T, full: T) -> T {
        match self {
            Size::Small => small,
            Size::Full | Size::Elements(_) => full,
        }
    }

    /// Elements of an array.
    pub fn count(self, small: usize, full: usize) -> usize {
        match self {
            Size::Elements(n) => n,
            _ => self.of(small, full),
        }
    }

    /// Elements along each side of a plane.
    pub fn side(self, small: usize, full: usize) -> usize {
        self.count(small * small, full * full).isqrt()
    }

    /// Elements of long arrays.
    pub fn n(self) -> usize {
        self.count(1 << 13, 1 << 24)
    }
}
