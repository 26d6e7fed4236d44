//! Regions of memory, by address.

/// Bytes of this process.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The first.
    pub start: u64,
    /// How many.
    pub bytes: u64,
    /// May they be written?
    pub writable: bool,
}

/// What a kernel may access: regions of which no two overlap.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    sorted: Vec<Region>,
}

impl FromIterator<Region> for Regions {
    fn from_iter<I: IntoIterator<Item = Region>>(regions: I) -> Regions {
        let mut sorted: Vec<Region> = regions.into_iter().filter(|region| region.bytes > 0).collect();
        sorted.sort_unstable_by_key(|region| region.start);
        Regions { sorted }
    }
}

impl Regions {
    /// May this be read, or written?
    pub(crate) fn allow(&self, address: u64, size: u64, write: bool) -> bool {
        let after = self.sorted.partition_point(|region| region.start <= address);
        after.checked_sub(1).is_some_and(|k| {
            let region = self.sorted[k];
            let offset = address - region.start;
            offset < region.bytes && region.bytes - offset >= size && (region.writable || !write)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_lie_inside_of_one_region() {
        let region = |start, bytes, writable| Region { start, bytes, writable };
        let regions: Regions = [
            region(300, 7, false),
            region(100, 16, true),
            region(116, 4, true),
            region(100, 0, false),
        ]
        .into_iter()
        .collect();
        let allowed = [(100, 16), (115, 1), (116, 4), (300, 7), (306, 1)];
        let refused = [
            (99, 1),
            (108, 9),
            (114, 4),
            (120, 1),
            (304, 4),
            (307, 1),
            (u64::MAX, 8),
            (0, 1),
        ];
        assert!(allowed.iter().all(|&(at, size)| regions.allow(at, size, false)));
        assert!(!refused.iter().any(|&(at, size)| regions.allow(at, size, false)));
        assert!(regions.allow(108, 8, true) && !regions.allow(300, 1, true));
        assert!(!Regions::default().allow(0, 1, false));
    }
}
