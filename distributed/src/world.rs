//! A rank's view of all ranks, and their collective calls.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::Deref;
use std::panic::Location;
use std::rc::Rc;

use crate::error::{Call, Error, Result};
use crate::transport::{Alone, Transport};

/// The ranks of a program, as one of them sees them. Clones are the same world; it stays on the thread of its rank.
///
/// Collective calls are made by all ranks in the same order, from the same line of the program, with the same types and shapes. Each rank
/// compares its call with the others': where they differ, every rank gets [`Error::Mismatch`], which names both calls.
///
/// ```
/// use swathe_distributed::{Error, Local};
///
/// let error = Local::new(2).run(|world| match world.rank() {
///     0 => world.barrier(),
///     _ => world.sum(1.0).map(drop),
/// });
/// assert!(matches!(error, Err(Error::Mismatch { .. })));
/// ```
#[derive(Clone)]
pub struct World {
    inner: Rc<Inner>,
}

struct Inner {
    transport: Box<dyn Transport>,
    /// As the transport had them at first: all calls count on them, whatever it says later.
    rank: usize,
    size: usize,
    /// Number of the next call.
    next: Cell<u64>,
    /// That of the next array, or the next particles.
    next_made: Cell<u64>,
    /// Calls of which messages may come later than those of calls after them.
    open: RefCell<HashMap<u64, Open>>,
    /// Their messages that came early, by the rank that sent them.
    early: RefCell<HashMap<(usize, u64), VecDeque<Message>>>,
    failed: RefCell<Option<Error>>,
}

/// A call whose messages are on their way.
struct Open {
    head: Rc<[u8]>,
    /// The ranks whose messages are for nobody any more.
    unwanted: BTreeSet<usize>,
}

/// Ranks of a world, at most.
const MOST_RANKS: usize = i32::MAX as usize;

/// A collective call that this rank is in.
pub(crate) struct Operation {
    pub call: Call,
    head: Rc<[u8]>,
}

/// What came from another rank.
pub(crate) struct Message {
    bytes: Vec<u8>,
    head: usize,
}

impl Deref for Message {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.head..]
    }
}

impl World {
    /// The world at one end of a transport.
    ///
    /// # Errors
    /// [`Error::Rank`] for a transport whose own rank is not among its ranks, as where there are none. [`Error::Start`] for one of more than
    /// 2^31 - 1 ranks, as many as MPI counts.
    pub fn new(transport: Box<dyn Transport>) -> Result<World> {
        let (rank, size) = (transport.rank(), transport.size());
        if rank >= size {
            return Err(Error::Rank {
                what: "the world of a transport".to_owned(),
                rank,
                size,
            });
        }
        if size > MOST_RANKS {
            return Err(Error::Start(format!(
                "a transport of {size} ranks; there may be {MOST_RANKS}"
            )));
        }
        Ok(World::of(transport, rank, size))
    }

    /// A world of one rank.
    #[must_use]
    pub fn alone() -> World {
        World::of(Box::new(Alone), 0, 1)
    }

    fn of(transport: Box<dyn Transport>, rank: usize, size: usize) -> World {
        World {
            inner: Rc::new(Inner {
                transport,
                rank,
                size,
                next: Cell::new(0),
                next_made: Cell::new(0),
                open: RefCell::default(),
                early: RefCell::default(),
                failed: RefCell::default(),
            }),
        }
    }

    /// Number of this rank, from 0.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.inner.rank
    }

    /// How many ranks there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.inner.size
    }

    /// Number of this rank among those of the same machine, from 0: to share out its devices.
    ///
    /// ```no_run
    /// use swathe::Device;
    ///
    /// swathe_distributed::run(2, |world| {
    ///     let device = Device::cuda(world.local_rank())?;
    ///     // ..
    ///     # drop(device);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    #[must_use]
    pub fn local_rank(&self) -> usize {
        self.inner.transport.local_rank()
    }

    /// Waits for all ranks.
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls.
    #[track_caller]
    pub fn barrier(&self) -> Result<()> {
        self.collective("barrier", Location::caller(), |_| Ok(()))
    }

    /// Whether both are the same world.
    pub(crate) fn is(&self, other: &World) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }

    /// The number by which ranks tell what is made next from all else of its type. It is taken before anything can fail: then it is the same on
    /// all ranks.
    pub(crate) fn next_made(&self) -> u64 {
        let number = self.inner.next_made.get();
        self.inner.next_made.set(number + 1);
        number
    }

    /// # Errors
    /// [`Error::Rank`].
    pub(crate) fn check(&self, what: &str, rank: usize) -> Result<()> {
        match rank < self.size() {
            true => Ok(()),
            false => Err(Error::Rank {
                what: what.to_owned(),
                rank,
                size: self.size(),
            }),
        }
    }

    /// A call that compares itself with that of every other rank before it does its work.
    pub(crate) fn collective<R>(
        &self,
        what: &str,
        site: &'static Location<'static>,
        work: impl FnOnce(&Operation) -> Result<R>,
    ) -> Result<R> {
        let operation = self.begin(what, site)?;
        self.or_fail(self.agree(&operation).and_then(|()| work(&operation)))
    }

    /// An error in a collective call ends those of all ranks.
    pub(crate) fn or_fail<R>(&self, result: Result<R>) -> Result<R> {
        if let Err(error) = &result {
            let told = error.of_rank(self.rank());
            self.inner.failed.borrow_mut().get_or_insert_with(|| told.clone());
            self.inner.transport.fail(told);
        }
        result
    }

    /// Begins a call.
    ///
    /// # Errors
    /// If a call before failed.
    pub(crate) fn begin(&self, what: &str, site: &'static Location<'static>) -> Result<Operation> {
        if let Some(error) = &*self.inner.failed.borrow() {
            return Err(error.clone());
        }
        let sequence = self.inner.next.get();
        self.inner.next.set(sequence + 1);
        let call = Call {
            sequence,
            what: what.to_owned(),
            file: site.file().to_owned(),
            line: site.line(),
            column: site.column(),
        };
        let head = encode(&call).into();
        Ok(Operation { call, head })
    }

    /// Compares a call with that of every other rank, by a dissemination barrier: nobody leaves before all are there.
    fn agree(&self, operation: &Operation) -> Result<()> {
        let (rank, size) = (self.rank(), self.size());
        let mut distance = 1;
        while distance < size {
            self.send(operation, (rank + distance) % size, |_| Ok(()))?;
            self.receive(operation, (rank + size - distance) % size)?;
            distance *= 2;
        }
        Ok(())
    }

    pub(crate) fn send(
        &self,
        operation: &Operation,
        to: usize,
        payload: impl FnOnce(&mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let mut message = operation.head.to_vec();
        payload(&mut message)?;
        self.inner.transport.send(to, message)
    }

    fn take_early(&self, from: usize, sequence: u64) -> Option<Message> {
        let mut all = self.inner.early.borrow_mut();
        let messages = all.get_mut(&(from, sequence))?;
        let message = messages.pop_front();
        if messages.is_empty() {
            all.remove(&(from, sequence));
        }
        message
    }

    /// The next message of a rank for this call.
    pub(crate) fn receive(&self, operation: &Operation, from: usize) -> Result<Message> {
        let sequence = operation.call.sequence;
        if let Some(message) = self.take_early(from, sequence) {
            return Ok(message);
        }
        loop {
            let bytes = self.inner.transport.receive(from, &operation.call)?;
            let head = head_length(&bytes);
            let message = Message { bytes, head };
            if message.bytes[..head] == *operation.head {
                return Ok(message);
            }
            let other = decode(&message.bytes[..head]).ok_or_else(|| Error::Message {
                rank: from,
                call: Box::new(operation.call.clone()),
                reason: "it has no head".to_owned(),
            })?;
            let is_open = self
                .inner
                .open
                .borrow()
                .get(&other.sequence)
                .map(|open| *open.head == message.bytes[..head]);
            if is_open != Some(true) {
                return Err(Error::Mismatch {
                    rank: self.rank(),
                    call: Box::new(operation.call.clone()),
                    other: from,
                    others_call: Box::new(other),
                });
            }
            if !self.throw_away(from, other.sequence) {
                self.put_back(from, other.sequence, message);
            }
        }
    }

    /// A message for a later [`World::receive`].
    pub(crate) fn put_back(&self, from: usize, sequence: u64, message: Message) {
        let mut early = self.inner.early.borrow_mut();
        early.entry((from, sequence)).or_default().push_back(message);
    }

    /// How many calls are open, and how many messages wait for one.
    #[cfg(test)]
    pub(crate) fn left(&self) -> (usize, usize) {
        (self.inner.open.borrow().len(), self.inner.early.borrow().len())
    }

    /// Whether a rank's message for an open call is for nobody; nothing is left of the call after the last one.
    fn throw_away(&self, from: usize, sequence: u64) -> bool {
        let mut all = self.inner.open.borrow_mut();
        let Some(open) = all.get_mut(&sequence) else {
            return false;
        };
        let unwanted = open.unwanted.remove(&from);
        if unwanted && open.unwanted.is_empty() {
            all.remove(&sequence);
        }
        unwanted
    }

    /// From now on other calls may receive before this one does.
    pub(crate) fn open(&self, operation: &Operation) {
        let open = Open {
            head: operation.head.clone(),
            unwanted: BTreeSet::new(),
        };
        self.inner.open.borrow_mut().insert(operation.call.sequence, open);
    }

    /// Nobody receives for it any more: what still comes, a message of each of these ranks, is thrown away.
    pub(crate) fn close(&self, operation: &Operation, awaited: &BTreeSet<usize>) {
        let sequence = operation.call.sequence;
        let mut early = self.inner.early.borrow_mut();
        let has_come = |rank: &&usize| early.contains_key(&(**rank, sequence));
        let unwanted: BTreeSet<usize> = awaited.iter().filter(|rank| !has_come(rank)).copied().collect();
        early.retain(|(_, early), _| *early != sequence);
        let mut all = self.inner.open.borrow_mut();
        match all.get_mut(&sequence) {
            Some(open) if !unwanted.is_empty() => open.unwanted = unwanted,
            _ => drop(all.remove(&sequence)),
        }
    }
}

/// A call as the head of each of its messages, which begins with its length.
fn encode(call: &Call) -> Vec<u8> {
    let texts = [&call.what, &call.file].map(|text| text.as_bytes());
    let lengths: usize = texts.iter().map(|text| 4 + text.len()).sum();
    let mut head = Vec::with_capacity(20 + lengths);
    head.extend_from_slice(&(20 + lengths as u32).to_le_bytes());
    head.extend_from_slice(&call.sequence.to_le_bytes());
    head.extend_from_slice(&call.line.to_le_bytes());
    head.extend_from_slice(&call.column.to_le_bytes());
    for text in texts {
        head.extend_from_slice(&(text.len() as u32).to_le_bytes());
        head.extend_from_slice(text);
    }
    head
}

/// How many bytes of a message are its head.
fn head_length(message: &[u8]) -> usize {
    let length = message
        .first_chunk::<4>()
        .map_or(0, |length| u32::from_le_bytes(*length));
    message.len().min(length as usize)
}

fn decode(head: &[u8]) -> Option<Call> {
    let mut rest = head.get(4..)?;
    let sequence = u64::from_le_bytes(take(&mut rest)?);
    let line = u32::from_le_bytes(take(&mut rest)?);
    let column = u32::from_le_bytes(take(&mut rest)?);
    Some(Call {
        sequence,
        what: text(&mut rest)?,
        file: text(&mut rest)?,
        line,
        column,
    })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, left) = rest.split_first_chunk::<N>()?;
    *rest = left;
    Some(*taken)
}

fn text(rest: &mut &[u8]) -> Option<String> {
    let length = u32::from_le_bytes(take(rest)?) as usize;
    let (text, left) = rest.split_at_checked(length)?;
    *rest = left;
    String::from_utf8(text.to_vec()).ok()
}
