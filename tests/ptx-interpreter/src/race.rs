//! Races in global memory: threads that access the same bytes, one of them to write, and nothing orders them. Threads of a
//! block are ordered by its barriers. Atomic and volatile accesses do not race with each other, nor stores of the same value. What a thread does after a
//! fence may order what it did before it, which is not followed further.

use std::collections::HashMap;

use crate::error::Error;
use crate::memory::Intent;

/// Bytes of a page.
const PAGE: u64 = 256;

/// Who accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who {
    pub block: u64,
    pub thread: u32,
    /// The interval between two barriers of the block.
    pub epoch: u32,
    /// By an atomic or volatile access.
    pub strong: bool,
}

/// The last access of a kind. Block and thread are counted from 1; 0 stands for none, [`MANY`] for several of them.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    block: u32,
    thread: u16,
    epoch: u32,
    /// Fences before it, of all threads.
    time: u32,
}

const MANY: u32 = u32::MAX;

/// Of a word or a byte: the last accesses, first the plain ones, then those that are atomic or volatile.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    writes: [Last; 2],
    reads: [Last; 2],
    /// What was stored last, if no atomic operation has changed it since.
    value: Option<u32>,
}

/// Cells of 4 bytes, or of one where a thread has accessed less than 4.
#[derive(Clone, Debug)]
struct Page {
    shift: u32,
    cells: Vec<Cell>,
}

/// Of a launch, or of a part of its blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Races {
    /// By number.
    places: HashMap<u64, usize>,
    pages: Vec<Page>,
    /// Numbers and places of pages that were accessed last, by the lowest bits of the number.
    recent: [Option<(u64, usize)>; RECENT],
    fences: Fences,
}

const RECENT: usize = 16;

/// When threads have fenced, by block and thread.
#[derive(Clone, Debug, Default)]
struct Fences {
    last: HashMap<(u32, u16), u32>,
    time: u32,
}

impl Page {
    fn new() -> Page {
        Page {
            shift: 2,
            cells: vec![Cell::default(); PAGE as usize / 4],
        }
    }

    fn split(&mut self) {
        if self.shift != 0 {
            self.shift = 0;
            let byte = |cell: Cell, k: u32| Cell {
                value: cell.value.map(|value| value >> (8 * k) & 255),
                ..cell
            };
            let bytes = |&cell: &Cell| [0, 1, 2, 3].map(|k| byte(cell, k));
            self.cells = self.cells.iter().flat_map(bytes).collect();
        }
    }
}

impl Last {
    fn exists(self) -> bool {
        self.block != 0
    }

    /// Does it come before `next` in every order of threads?
    fn precedes(self, next: Last) -> bool {
        let same_block = self.block == next.block && self.block != MANY;
        let same_thread = same_block && self.thread == next.thread && self.thread != u16::MAX;
        !self.exists() || same_thread || same_block && self.epoch < next.epoch
    }

    /// Does it, or has something ordered both that is not followed?
    fn agrees(self, next: Last, fences: &Fences) -> bool {
        if self.precedes(next) {
            return true;
        }
        if fences.time == 0 {
            return false;
        }
        let fenced = match self.block == MANY || self.thread == u16::MAX {
            true => fences.time,
            false => *fences.last.get(&(self.block, self.thread)).unwrap_or(&0),
        };
        fenced > self.time
    }

    /// The later one, or both of them.
    fn and(self, next: Last) -> Last {
        if self.precedes(next) {
            return next;
        }
        if !next.exists() {
            return self;
        }
        let same_block = self.block == next.block;
        Last {
            block: if same_block { self.block } else { MANY },
            thread: if same_block && self.thread == next.thread {
                self.thread
            } else {
                u16::MAX
            },
            epoch: self.epoch.max(next.epoch),
            time: self.time.max(next.time),
        }
    }
}

impl Races {
    /// A thread orders what it did before.
    pub fn fence(&mut self, block: u64, thread: u32) {
        self.fences.time += 1;
        self.fences.last.insert(name(block, thread), self.fences.time);
    }

    fn place(&mut self, number: u64) -> usize {
        let recent = number as usize % RECENT;
        if let Some((known, place)) = self.recent[recent]
            && known == number
        {
            return place;
        }
        let place = *self.places.entry(number).or_insert_with(|| {
            self.pages.push(Page::new());
            self.pages.len() - 1
        });
        self.recent[recent] = Some((number, place));
        place
    }

    /// Notes an access of up to 16 bytes that does not cross a page, with what it stores.
    pub fn note(&mut self, address: u64, size: u64, intent: Intent, stored: u128, who: Who) -> Result<(), Error> {
        let (block, thread) = name(who.block, who.thread);
        let next = Last {
            block,
            thread,
            epoch: who.epoch,
            time: self.fences.time,
        };
        let place = self.place(address / PAGE);
        let (page, fences) = (&mut self.pages[place], &self.fences);
        if size < 4 {
            page.split();
        }
        let shift = page.shift;
        let range = (address % PAGE) >> shift..(address % PAGE + size).div_ceil(1 << shift);
        let mut found = None;
        let cells = page.cells[range.start as usize..range.end as usize].iter_mut();
        for (k, cell) in cells.enumerate() {
            let bits = 8 << shift;
            let part = (stored >> (k * bits)) as u32 & (u32::MAX >> (32 - bits));
            let value = (intent == Intent::Write).then_some(part);
            let kind = usize::from(who.strong);
            let writes = intent != Intent::Read;
            // Among themselves atomic and volatile accesses need no order.
            let others = |lasts: &[Last; 2]| {
                lasts[..2 - kind]
                    .iter()
                    .find(|last| !last.agrees(next, fences))
                    .copied()
            };
            let conflict = others(&cell.writes).or_else(|| others(&cell.reads).filter(|_| writes));
            if let Some(conflict) = conflict {
                if value.is_some() && value == cell.value {
                    continue;
                }
                found = Some(conflict);
                break;
            }
            let lasts = if writes { &mut cell.writes } else { &mut cell.reads };
            lasts[kind] = lasts[kind].and(next);
            if writes {
                cell.value = value;
            }
        }
        match found {
            None => Ok(()),
            Some(last) => Err(race(address, last, next)),
        }
    }

    /// Adds what other blocks of the launch did.
    pub fn join(&mut self, other: &Races) -> Result<(), Error> {
        for (&at, &theirs) in &other.places {
            let place = self.place(at);
            let (ours, fences) = (&mut self.pages[place], &self.fences);
            let mut theirs = other.pages[theirs].clone();
            if ours.shift != theirs.shift {
                ours.split();
                theirs.split();
            }
            for (k, (cell, more)) in ours.cells.iter_mut().zip(theirs.cells).enumerate() {
                let same = cell.value.is_some() && cell.value == more.value;
                let conflict = |a: Last, b: Last| {
                    let apart = a.exists() && b.exists() && !a.agrees(b, fences) && !b.agrees(a, &other.fences);
                    apart.then_some((a, b))
                };
                // All pairs but those of two atomic or volatile accesses.
                let pairs = [(0, 0), (0, 1), (1, 0)];
                let found = pairs.into_iter().find_map(|(a, b)| {
                    let writes = conflict(cell.writes[a], more.writes[b]).filter(|_| !same);
                    writes
                        .or_else(|| conflict(cell.writes[a], more.reads[b]))
                        .or_else(|| conflict(cell.reads[a], more.writes[b]))
                });
                if let Some((one, next)) = found {
                    return Err(race(at * PAGE + ((k as u64) << ours.shift), one, next));
                }
                let written = |cell: &Cell| cell.writes.iter().any(|last| last.exists());
                cell.value = match (written(cell), written(&more)) {
                    (true, true) => cell.value.filter(|_| same),
                    (true, false) => cell.value,
                    (false, _) => more.value,
                };
                for kind in 0..2 {
                    cell.writes[kind] = cell.writes[kind].and(more.writes[kind]);
                    cell.reads[kind] = cell.reads[kind].and(more.reads[kind]);
                }
            }
        }
        // Times of other parts cannot be compared: whoever has fenced has done so after all that it did.
        for &thread in other.fences.last.keys() {
            self.fences.last.insert(thread, u32::MAX);
        }
        self.fences.time = self.fences.time.max(other.fences.time);
        Ok(())
    }
}

fn name(block: u64, thread: u32) -> (u32, u16) {
    ((block + 1) as u32, (thread + 1) as u16)
}

#[cold]
fn race(address: u64, one: Last, next: Last) -> Error {
    let shown = |last: Last| match (last.block, last.thread) {
        (MANY, _) => "several threads".to_owned(),
        (block, u16::MAX) => format!("several threads of block {}", block - 1),
        (block, thread) => format!("thread {} of block {}", thread - 1, block - 1),
    };
    Error::from(format!(
        "{} and {} access global memory at {address:#x}, and nothing orders them",
        shown(one),
        shown(next)
    ))
}
