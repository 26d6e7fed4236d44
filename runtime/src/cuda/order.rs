//! Order between streams: work on an allocation starts when the work before it that it depends on has ended, on whatever
//! stream that is.
//!
//! Each allocation knows the stream of its last write, and the streams that came after that write. Where a call needs the
//! work of another stream, an event is recorded at that stream's end and waited for. Rust's borrows say which calls
//! follow one another; this module makes the device keep to it. Until a program makes a stream, a load of a flag is all of
//! it.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError, RwLockReadGuard, RwLockWriteGuard};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{CUevent, CUevent_flags, CUevent_wait_flags, CUstream};

use super::device::{CudaDevice, lock};
use super::graph;
use super::stream::Lane;
use crate::device::Owner;
use crate::device::capture::refusal;
use crate::error::Result;

/// Streams of a device, its own included: their numbers are bits of a word.
pub(super) const LANES: usize = 64;

/// What work does with an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// The allocations of a device, and its streams.
#[derive(Default)]
pub(super) struct Order {
    allocations: BTreeMap<u64, Allocation>,
    /// Of adopted memory whose field is gone, and which graphs refer to.
    owners: BTreeMap<u64, Vec<Owner>>,
    /// By number; 0 is the device's own stream, which is not kept here.
    lanes: BTreeMap<usize, Arc<Lane>>,
    /// For waits of one stream for another: a wait is for the event's state when it is queued.
    event: Option<Event>,
}

/// A stream to queue work on, until it is dropped.
pub(super) struct Queue<'a> {
    pub handle: CUstream,
    /// Waits, notes and work are queued in one go, where there are streams: other threads' notes rely on it.
    _order: Option<MutexGuard<'a, Order>>,
    _turn: Turn<'a>,
}

/// Keeps launches of graphs and all other work from being queued at the same time.
#[expect(dead_code, reason = "guards")]
enum Turn<'a> {
    Shared(RwLockReadGuard<'a, ()>),
    /// This thread's call has a share, from its first work to its last.
    Held,
    Alone(RwLockWriteGuard<'a, ()>),
    Capture,
}

impl Queue<'_> {
    /// All is queued; the stream can be waited for.
    pub fn queued(self) -> CUstream {
        self.handle
    }

    /// For work that takes long to be queued: others queue theirs meanwhile. At its end it is [noted] once more.
    ///
    /// [noted]: CudaDevice::noted
    pub fn loosened(mut self) -> Self {
        self._order = None;
        self
    }
}

#[derive(Clone, Copy)]
struct Event(CUevent);

// SAFETY: a handle of the driver, which every thread may use.
unsafe impl Send for Event {}

/// An allocation.
#[derive(Clone, Copy, Debug, Default)]
struct Allocation {
    bytes: u64,
    /// The streams of the last writes: several if they were to different parts, at the same time.
    writers: u64,
    /// The streams whose work comes after those writes.
    readers: u64,
    /// Graphs that refer to it. Then one field has it, since nobody asks the others before a graph writes, unless somebody else allocated it.
    graphs: usize,
    /// Fields that have it beside the first.
    sharers: usize,
    /// Somebody else allocated it, and so many fields have it.
    adopters: Option<usize>,
    /// Launches of graphs that write to it.
    replays: u64,
    /// Its field is gone.
    orphan: bool,
}

impl Allocation {
    /// The streams that work on a stream has to wait for.
    fn before(&self, lane: usize, access: Access) -> u64 {
        let all = match access {
            Access::Read if self.readers & bit(lane) != 0 => 0,
            Access::Read => self.writers,
            Access::Write => self.readers | self.writers,
        };
        all & !bit(lane)
    }

    /// Work is queued after what it depends on.
    fn note(&mut self, lane: usize, access: Access) {
        match access {
            Access::Read if self.writers == bit(lane) => {}
            Access::Read => self.readers |= bit(lane),
            Access::Write => (self.writers, self.readers) = (bit(lane), 0),
        }
    }

    /// More of the work that was noted is queued. Other threads may have queued work on other parts since: none of it
    /// comes after this, nor this after it.
    fn note_late(&mut self, lane: usize, access: Access) {
        let known = match access {
            Access::Read => self.readers | self.writers,
            Access::Write if self.readers & !bit(lane) == 0 => self.writers,
            Access::Write => 0,
        };
        if known & bit(lane) == 0 {
            (self.writers, self.readers) = (self.writers | self.readers | bit(lane), 0);
        }
    }

    /// A stream is gone, and the device's own waits for all of it.
    fn forget(&mut self, lane: usize) {
        for lanes in [&mut self.writers, &mut self.readers] {
            if *lanes & bit(lane) != 0 {
                *lanes = *lanes & !bit(lane) | bit(0);
            }
        }
    }
}

fn bit(lane: usize) -> u64 {
    1 << lane
}

fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(lane)
    })
}

impl Order {
    /// The allocation that an address lies in.
    fn at(&mut self, address: u64) -> Option<(u64, &mut Allocation)> {
        let (base, allocation) = self.allocations.range_mut(..=address).next_back()?;
        (address - base < allocation.bytes).then_some((*base, allocation))
    }

    /// Lets a stream wait for others.
    fn wait(&mut self, device: &CudaDevice, stream: CUstream, lanes: u64) -> Result<()> {
        for other in bits(lanes) {
            let other = self.stream(device, other);
            let event = match self.event {
                Some(event) => event.0,
                None => {
                    let event = result::event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING)
                        .map_err(|error| device.failed("cuEventCreate", error))?;
                    self.event.insert(Event(event)).0
                }
            };
            wait_for(stream, other, event).map_err(|(call, error)| device.failed(call, error))?;
        }
        Ok(())
    }

    fn stream(&self, device: &CudaDevice, lane: usize) -> CUstream {
        self.lanes.get(&lane).map_or(device.main_stream(), |lane| lane.stream)
    }
}

/// The stream in whose order memory is freed. It is alive as long as this, whoever drops it meanwhile.
pub(super) struct Released {
    pub stream: CUstream,
    _lane: Option<Arc<Lane>>,
}

fn wait_for(stream: CUstream, other: CUstream, event: CUevent) -> Result<(), (&'static str, DriverError)> {
    // SAFETY: event and streams are alive, and of one context.
    unsafe {
        result::event::record(event, other).map_err(|error| ("cuEventRecord", error))?;
        let flags = CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        result::stream::wait_event(stream, event, flags).map_err(|error| ("cuStreamWaitEvent", error))
    }
}

impl CudaDevice {
    /// The stream for this thread's next work, which uses these addresses: after what it depends on. The context is
    /// current.
    pub(super) fn ordered(&self, uses: impl Iterator<Item = (u64, Access)> + Clone) -> Result<Queue<'_>> {
        if let Some(handle) = graph::capturing(self) {
            self.hold_for_capture(uses)?;
            return Ok(Queue {
                handle,
                _order: None,
                _turn: Turn::Capture,
            });
        }
        self.ordered_now(uses)
    }

    /// The same for work that no capture records.
    pub(super) fn ordered_now(&self, uses: impl Iterator<Item = (u64, Access)> + Clone) -> Result<Queue<'_>> {
        let turn = match self.is_held() {
            true => Turn::Held,
            false => Turn::Shared(self.turn.read().unwrap_or_else(PoisonError::into_inner)),
        };
        self.after(uses, turn)
    }

    /// The same for a graph: nothing else is being queued meanwhile. Its kernels are called without a borrow of the
    /// fields, and use frames that a launch in another thread, half queued, uses too.
    pub(super) fn ordered_alone(&self, uses: impl Iterator<Item = (u64, Access)> + Clone) -> Result<Queue<'_>> {
        self.after(uses, Turn::Alone(self.alone()))
    }

    /// Keeps all others from queuing work, graphs too.
    pub(super) fn alone(&self) -> RwLockWriteGuard<'_, ()> {
        debug_assert!(!self.is_held(), "who holds the device waits for itself");
        self.turn.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn after<'a>(&'a self, uses: impl Iterator<Item = (u64, Access)> + Clone, turn: Turn<'a>) -> Result<Queue<'a>> {
        let (lane, handle) = self.lane();
        if !self.forked.load(Ordering::Relaxed) {
            return Ok(Queue {
                handle,
                _order: None,
                _turn: turn,
            });
        }
        let mut order = lock(&self.order);
        let mut before = 0;
        for (at, access) in uses.clone() {
            before |= order
                .at(at)
                .map_or(0, |(_, allocation)| allocation.before(lane, access));
        }
        order.wait(self, handle, before)?;
        for (at, access) in uses {
            if let Some((_, allocation)) = order.at(at) {
                allocation.note(lane, access);
            }
        }
        Ok(Queue {
            handle,
            _order: Some(order),
            _turn: turn,
        })
    }

    /// The last of the work on an address is queued, by a queue that was loosened.
    pub(super) fn noted(&self, at: u64, access: Access) {
        if self.forked.load(Ordering::Relaxed) && graph::capturing(self).is_none() {
            let (lane, _) = self.lane();
            if let Some((_, allocation)) = lock(&self.order).at(at) {
                allocation.note_late(lane, access);
            }
        }
    }

    /// Notes fresh memory, allocated in the order of a stream.
    pub(super) fn allocated(&self, at: u64, bytes: usize, lane: usize) {
        let allocation = Allocation {
            bytes: bytes as u64,
            writers: bit(lane),
            ..Allocation::default()
        };
        lock(&self.order).allocations.insert(at, allocation);
    }

    /// Notes memory that somebody else allocated, unless it is the device's own; says whether it is not. The same memory may come several times.
    pub(super) fn adopted(&self, at: u64, bytes: usize) -> bool {
        let mut order = lock(&self.order);
        match order.at(at) {
            Some((base, allocation)) => {
                let Some(adopters) = &mut allocation.adopters else {
                    return false;
                };
                *adopters += 1;
                allocation.bytes = allocation.bytes.max(at - base + bytes as u64);
                true
            }
            None => {
                let allocation = Allocation {
                    bytes: bytes as u64,
                    writers: bit(0),
                    adopters: Some(1),
                    ..Allocation::default()
                };
                order.allocations.insert(at, allocation);
                true
            }
        }
    }

    /// Forgets adopted memory with the last who has it, and returns the owner, unless a graph needs the memory: then the last such graph lets go of
    /// the owner.
    pub(super) fn disowned(&self, at: u64, owner: Owner) -> Option<Owner> {
        let mut order = lock(&self.order);
        let Some((base, allocation)) = order.at(at) else {
            return Some(owner);
        };
        allocation.adopters = allocation.adopters.map(|adopters| adopters.saturating_sub(1));
        let (held, last) = (allocation.graphs > 0, allocation.adopters == Some(0));
        if held {
            order.owners.entry(base).or_default().push(owner);
            return None;
        }
        if last {
            order.allocations.remove(&base);
        }
        Some(owner)
    }

    /// The stream in whose order memory can be freed, after all work on it; `None` if a graph needs it, which then frees
    /// it with the last such graph. The context is current.
    pub(super) fn released(&self, at: u64) -> Option<Released> {
        let mut order = lock(&self.order);
        let Some(allocation) = order.allocations.get_mut(&at) else {
            return Some(Released {
                stream: self.main_stream(),
                _lane: None,
            });
        };
        if allocation.graphs > 0 {
            allocation.orphan = true;
            return None;
        }
        let allocation = *allocation;
        order.allocations.remove(&at);
        let last = bits(allocation.writers).next().unwrap_or(0);
        let lane = order.lanes.get(&last).cloned();
        let stream = order.stream(self, last);
        if let Err(error) = order.wait(self, stream, allocation.before(last, Access::Write)) {
            drop(order);
            // A logger may use the device.
            log::warn!("the order of streams: {error}");
            let _ = self.wait();
        }
        Some(Released { stream, _lane: lane })
    }

    /// One more field has an allocation, unless a graph refers to it.
    pub(super) fn shared(&self, at: u64) -> bool {
        match lock(&self.order).allocations.get_mut(&at) {
            Some(allocation) if allocation.graphs == 0 => {
                allocation.sharers += 1;
                true
            }
            _ => false,
        }
    }

    /// Whether a graph refers to the allocation that an address lies in.
    pub(super) fn in_graph(&self, at: u64) -> bool {
        lock(&self.order)
            .at(at)
            .is_some_and(|(_, allocation)| allocation.graphs > 0)
    }

    /// One of several fields that had an allocation is gone, or has another.
    pub(super) fn unshared(&self, at: u64) {
        if let Some(allocation) = lock(&self.order).allocations.get_mut(&at) {
            // The last two may go at the same time.
            allocation.sharers = allocation.sharers.saturating_sub(1);
        }
    }

    /// A graph is launched that uses these allocations.
    pub(super) fn count_replay(&self, held: &[(u64, Access)]) {
        self.replayed.store(true, Ordering::Relaxed);
        let mut order = lock(&self.order);
        for (at, _) in held.iter().filter(|(_, access)| *access == Access::Write) {
            if let Some(allocation) = order.allocations.get_mut(at) {
                allocation.replays += 1;
            }
        }
    }

    /// Launches of graphs that write to the allocation that an address lies in.
    pub(super) fn replays_at(&self, at: u64) -> u64 {
        if !self.replayed.load(Ordering::Relaxed) {
            return 0;
        }
        lock(&self.order).at(at).map_or(0, |(_, allocation)| allocation.replays)
    }

    /// Keeps the allocations at these addresses for a graph, each once; returns where they start.
    ///
    /// # Errors
    /// If several fields have one of them: the graph would write to all of them, or read what only one of them still is.
    pub(super) fn hold(&self, uses: impl Iterator<Item = (u64, Access)>, held: &mut Vec<(u64, Access)>) -> Result<()> {
        let mut order = lock(&self.order);
        for (at, access) in uses {
            let Some((base, allocation)) = order.at(at) else {
                continue;
            };
            if allocation.sharers > 0 {
                return Err(refusal(
                    "reading a field that shares its memory with a clone".to_owned(),
                    "a graph refers to memory of one field; call the field's `unshare` before the capture",
                ));
            }
            match held.iter_mut().find(|(at, _)| *at == base) {
                Some((_, Access::Write)) => {}
                Some((_, known)) => *known = access,
                None => {
                    held.push((base, access));
                    allocation.graphs += 1;
                }
            }
        }
        Ok(())
    }

    /// The allocations that no graph needs any more, and whose fields are gone; and the owners of adopted ones.
    pub(super) fn unhold(&self, held: &[(u64, Access)]) -> (Vec<u64>, Vec<Owner>) {
        let mut order = lock(&self.order);
        let (mut orphans, mut owners) = (Vec::new(), Vec::new());
        for (at, _) in held {
            let Some(allocation) = order.allocations.get_mut(at) else {
                continue;
            };
            allocation.graphs -= 1;
            if allocation.graphs > 0 {
                continue;
            }
            orphans.extend(allocation.orphan.then_some(*at));
            let forgotten = allocation.adopters == Some(0);
            if let Some(of_graphs) = order.owners.remove(at) {
                owners.extend(of_graphs);
                if forgotten {
                    order.allocations.remove(at);
                }
            }
        }
        (orphans, owners)
    }

    /// A number for a new stream; gives the stream back if there is none left.
    pub(super) fn enter_lane(&self, lane: Lane) -> std::result::Result<(usize, Arc<Lane>), Lane> {
        // What other threads queue meanwhile, without a note, is before this.
        let _turn = self.alone();
        let mut order = lock(&self.order);
        let Some(number) = (1..LANES).find(|number| !order.lanes.contains_key(number)) else {
            return Err(lane);
        };
        let lane = Arc::new(lane);
        order.lanes.insert(number, Arc::clone(&lane));
        self.forked.store(true, Ordering::Relaxed);
        Ok((number, lane))
    }

    /// A stream goes: what depends on its work depends on the device's own stream from now on.
    pub(super) fn leave_lane(&self, number: usize) {
        let mut order = lock(&self.order);
        let waited = order.wait(self, self.main_stream(), bit(number));
        if waited.is_err() {
            // SAFETY: the stream is alive. A failure here follows another one.
            let _ = unsafe { result::stream::synchronize(order.stream(self, number)) };
        }
        order.lanes.remove(&number);
        order
            .allocations
            .values_mut()
            .for_each(|allocation| allocation.forget(number));
        drop(order);
        if let Err(error) = waited {
            log::warn!("the end of a stream: {error}");
        }
    }

    /// The streams that a program made.
    pub(super) fn lanes(&self) -> Vec<Arc<Lane>> {
        if !self.forked.load(Ordering::Relaxed) {
            return Vec::new();
        }
        lock(&self.order).lanes.values().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_waits_for_what_it_depends_on_and_for_nothing_else() {
        use Access::{Read, Write};
        let mut field = Allocation::default();
        assert_eq!(field.before(0, Write), 0);
        field.note(0, Write);
        // Two readers on other streams wait for the write, once, and not for each other.
        assert_eq!(field.before(3, Read), bit(0));
        field.note(3, Read);
        assert_eq!(field.before(3, Read), 0);
        assert_eq!(field.before(5, Read), bit(0));
        field.note(5, Read);
        assert_eq!(field.before(0, Read), 0);
        // A write waits for all of them.
        assert_eq!(field.before(5, Write), bit(0) | bit(3));
        field.note(5, Write);
        assert_eq!(field.before(5, Write), 0);
        assert_eq!(field.before(0, Read), bit(5));
        assert_eq!(field.before(3, Write), bit(5));
        field.note(63, Read);
        assert_eq!(field.before(3, Write), bit(5) | bit(63));
        // The device's own stream stands for one that is gone.
        field.forget(5);
        field.forget(63);
        assert_eq!(field.before(3, Write), bit(0));
        assert_eq!(field.before(0, Write), 0);
        // Parts are written at the same time: what comes later waits for both.
        field.note(7, Write);
        field.note(9, Write);
        field.note(4, Read);
        field.note_late(7, Write);
        assert_eq!(field.before(2, Read), bit(4) | bit(7) | bit(9));
        assert_eq!(field.before(4, Read), bit(7) | bit(9));
        field.note(2, Write);
        field.note_late(2, Write);
        assert_eq!(field.before(2, Write), 0);
        assert_eq!(bits(bit(0) | bit(5) | bit(63)).collect::<Vec<_>>(), [0, 5, 63]);
    }

    #[test]
    fn an_address_belongs_to_the_allocation_around_it() {
        let mut order = Order::default();
        for (base, bytes) in [(1000, 10), (1010, 5), (2000, 1)] {
            let allocation = Allocation {
                bytes,
                ..Allocation::default()
            };
            order.allocations.insert(base, allocation);
        }
        let bases = [999, 1000, 1009, 1010, 1014, 1015, 2000, 2001].map(|at| order.at(at).map(|(base, _)| base));
        let expected = [
            None,
            Some(1000),
            Some(1000),
            Some(1010),
            Some(1010),
            None,
            Some(2000),
            None,
        ];
        assert_eq!(bases, expected);
    }
}
