//! Collisions that native code finds, on their way to an error.

use crate::access::MAX_RANK;
use crate::collision::{AccessKind, CollidingAccess, Collision};
use crate::kernel::KernelInfo;

/// One of two accesses that collide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noted {
    /// Its number among the kernel's sites.
    pub site: u32,
    pub kind: AccessKind,
    pub iteration: usize,
}

/// Two accesses that collide, in the order in which collisions are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Met {
    /// Line, column, and what is done there.
    places: [(u32, u32, AccessKind); 2],
    index: [usize; MAX_RANK],
    iterations: [usize; 2],
    sites: [u32; 2],
    rank: usize,
}

impl Met {
    /// Two accesses to the element at `index`.
    pub fn new(info: &KernelInfo, mut accesses: [Noted; 2], index: &[usize]) -> Met {
        let place = |noted: &Noted| {
            let (line, column) = info
                .site(noted.site)
                .map_or((info.line, 1), |site| (site.line, site.column));
            (line, column, noted.kind)
        };
        accesses.sort_by_key(|noted| (place(noted), noted.iteration));
        let mut position = [0; MAX_RANK];
        position[..index.len()].copy_from_slice(index);
        Met {
            places: accesses.each_ref().map(place),
            index: position,
            iterations: accesses.map(|noted| noted.iteration),
            sites: accesses.map(|noted| noted.site),
            rank: index.len(),
        }
    }

    /// What is reported of it.
    pub fn collision(&self, info: &KernelInfo) -> Collision {
        let access = |k: usize| {
            let (line, column, kind) = self.places[k];
            CollidingAccess {
                file: info.file_of(self.sites[k] as usize),
                line,
                column,
                kind,
                iteration: self.iterations[k],
            }
        };
        Collision {
            kernel: info.name,
            field: info.site(self.sites[0]).map_or("?", |site| site.field),
            index: self.index[..self.rank].into(),
            first: access(0),
            second: access(1),
        }
    }
}
