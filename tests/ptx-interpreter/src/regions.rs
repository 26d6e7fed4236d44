//! Regions of memory, by address.

use std::sync::Arc;

use crate::memory::Intent;
use crate::written::Written;

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
    /// Of some of them: which of their bytes are written.
    written: Vec<Option<Arc<Written>>>,
}

/// What an access meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allowed,
    /// Outside of all regions, or a write to one that is only read.
    Refused,
    /// Some of it is not written.
    Unwritten,
}

impl FromIterator<Region> for Regions {
    fn from_iter<I: IntoIterator<Item = Region>>(regions: I) -> Regions {
        let mut sorted: Vec<Region> = regions.into_iter().filter(|region| region.bytes > 0).collect();
        sorted.sort_unstable_by_key(|region| region.start);
        let written = vec![None; sorted.len()];
        Regions { sorted, written }
    }
}

impl Regions {
    /// From now on the region that starts there is read only where it is written. False if there is none.
    pub fn remember(&mut self, start: u64, written: Arc<Written>) -> bool {
        let found = self.sorted.binary_search_by_key(&start, |region| region.start);
        found.is_ok_and(|k| {
            self.written[k] = Some(written);
            true
        })
    }

    /// May this be read, or written? What is written is noted.
    pub(crate) fn access(&self, address: u64, size: u64, intent: Intent) -> Verdict {
        let after = self.sorted.partition_point(|region| region.start <= address);
        let Some(k) = after.checked_sub(1) else {
            return Verdict::Refused;
        };
        let region = self.sorted[k];
        let offset = address - region.start;
        let inside = offset < region.bytes && region.bytes - offset >= size;
        if !inside || !region.writable && intent != Intent::Read {
            return Verdict::Refused;
        }
        if let Some(written) = &self.written[k] {
            match intent {
                Intent::Write => written.set(offset as usize, size as usize, true),
                Intent::Read | Intent::Atomic if !written.all(offset as usize, size as usize) => {
                    return Verdict::Unwritten;
                }
                Intent::Read | Intent::Atomic => {}
            }
        }
        Verdict::Allowed
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
        let allow = |(at, size): (u64, u64), intent| regions.access(at, size, intent) == Verdict::Allowed;
        assert!(allowed.into_iter().all(|access| allow(access, Intent::Read)));
        assert!(!refused.into_iter().any(|access| allow(access, Intent::Read)));
        assert!(allow((108, 8), Intent::Write) && !allow((300, 1), Intent::Write) && !allow((300, 1), Intent::Atomic));
        assert_eq!(Regions::default().access(0, 1, Intent::Read), Verdict::Refused);
    }

    #[test]
    fn what_is_not_written_is_not_read() {
        let region = |start| Region {
            start,
            bytes: 16,
            writable: true,
        };
        let mut regions: Regions = [region(100), region(200)].into_iter().collect();
        assert!(regions.remember(200, Arc::new(Written::new(16))) && !regions.remember(201, Arc::new(Written::new(1))));
        let at = |at, intent| regions.access(at, 4, intent);
        assert_eq!(at(100, Intent::Read), Verdict::Allowed);
        assert_eq!(
            (at(204, Intent::Read), at(204, Intent::Atomic)),
            (Verdict::Unwritten, Verdict::Unwritten)
        );
        assert_eq!(at(204, Intent::Write), Verdict::Allowed);
        assert_eq!(
            (at(204, Intent::Read), at(206, Intent::Read)),
            (Verdict::Allowed, Verdict::Unwritten)
        );
        assert_eq!(
            (at(204, Intent::Atomic), at(214, Intent::Write)),
            (Verdict::Allowed, Verdict::Refused)
        );
    }
}
