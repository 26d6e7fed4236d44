//! Other chunks, and other modes.

use std::panic::Location;
use std::rc::Rc;

use swathe::{Element, Field};

use crate::array::map::{Chunk, IndexMap, lengths, meet, numbers};
use crate::array::mode::{Combine, Mode};
use crate::array::{DistArray, field, pack_part};
use crate::bytes::{Plain, zero};
use crate::collective::message_error;
use crate::error::{Error, Result};
use crate::world::Operation;

/// A part of one chunk that goes to another one.
struct Transfer<const D: usize> {
    from: usize,
    /// Number of the chunk among those of its rank.
    chunk: usize,
    to: usize,
    target: usize,
    part: Chunk<D>,
}

/// All transfers from one map to another, in the order of the targets, and for each of the sources: by rank, or with the target's own rank
/// first. Of replicas a part that has come is not sent again.
fn transfers<const D: usize>(from: &IndexMap<D>, to: &IndexMap<D>, replicas: bool) -> Vec<Transfer<D>> {
    let sources = || {
        let of_rank = |rank: usize| {
            from.of_rank(rank)
                .iter()
                .enumerate()
                .map(move |(k, chunk)| (rank, k, chunk))
        };
        (0..from.ranks()).flat_map(of_rank)
    };
    let mut all = Vec::new();
    for rank in 0..to.ranks() {
        for (target, place) in to.of_rank(rank).iter().enumerate() {
            let mut ordered: Vec<_> = sources().collect();
            if replicas {
                ordered.sort_by_key(|(from, ..)| *from != rank);
            }
            let mut come: Vec<Chunk<D>> = Vec::new();
            for (from, chunk, source) in ordered {
                let Some(part) = meet(source, place) else { continue };
                let is_there = |come: &Chunk<D>| (0..D).all(|k| come[k].holds(&part[k]));
                if replicas && come.iter().any(is_there) {
                    continue;
                }
                come.push(part);
                all.push(Transfer {
                    from,
                    chunk,
                    to: rank,
                    target,
                    part,
                });
            }
        }
    }
    all
}

impl<T: Element, const D: usize> DistArray<T, D> {
    /// The parts of `map` that are this rank's: `put` gets the values of a part, and those of its chunk by their numbers.
    fn moved(
        &self,
        operation: &Operation,
        map: &IndexMap<D>,
        start: T,
        put: impl Fn(&mut T, T),
    ) -> Result<Vec<Field<T, D>>> {
        let (world, plain, rank) = (&self.world, Plain::of::<T>(), self.world.rank());
        let own = self.values()?;
        let transfers = transfers(&self.map, map, self.mode == Mode::Replica);
        for other in world.others() {
            let mut theirs = transfers
                .iter()
                .filter(|transfer| transfer.from == rank && transfer.to == other)
                .peekable();
            if theirs.peek().is_some() {
                world.send(operation, other, |message| {
                    theirs.for_each(|transfer| pack_part(&own[transfer.chunk], &transfer.part, &plain, message));
                    Ok(())
                })?;
            }
        }
        let mut messages = Vec::new();
        for other in 0..world.size() {
            let comes = transfers
                .iter()
                .any(|transfer| transfer.from == other && transfer.to == rank);
            let message = match other != rank && comes {
                true => Some(world.receive(operation, other)?),
                false => None,
            };
            messages.push((message, 0));
        }
        let places = map.of_rank(rank);
        let mut targets: Vec<Vec<T>> = places
            .iter()
            .map(|place| vec![start; lengths(place).iter().product()])
            .collect();
        for transfer in transfers.iter().filter(|transfer| transfer.to == rank) {
            let count: usize = lengths(&transfer.part).iter().product();
            let values = match &mut messages[transfer.from] {
                (Some(message), at) => {
                    let bytes = message.get(*at..*at + count * plain.size).unwrap_or_default();
                    *at += count * plain.size;
                    let values = plain.unpack(bytes, count);
                    values.map_err(|reason| message_error(operation, transfer.from, reason))?
                }
                (None, _) => {
                    let (chunk, values) = &own[transfer.chunk];
                    numbers(chunk, &transfer.part).map(|k| values[k]).collect()
                }
            };
            let target = &mut targets[transfer.target];
            for (k, value) in numbers(&places[transfer.target], &transfer.part).zip(values) {
                put(&mut target[k], value);
            }
        }
        let fields = targets.into_iter().zip(places);
        fields
            .map(|(values, place)| field(values, place, &self.device))
            .collect()
    }

    /// The same array in another form: it has the same number.
    fn with(&self, map: Rc<IndexMap<D>>, mode: Mode, chunks: Vec<Field<T, D>>) -> Self {
        DistArray {
            world: self.world.clone(),
            number: self.number,
            device: self.device.clone(),
            map,
            mode,
            chunks,
        }
    }

    /// Copies of the same chunks, of which the memory is shared until one is written.
    pub(super) fn same(&self, mode: Mode) -> Result<Self> {
        let chunks = self.chunks.iter().map(|chunk| Ok(chunk.try_clone()?));
        Ok(self.with(self.map.clone(), mode, chunks.collect::<Result<_>>()?))
    }

    pub(super) fn check_map<const E: usize>(&self, what: &str, map: &IndexMap<E>) -> Result<()> {
        let wrong = |expected: String, got: String| Error::Argument {
            what: what.to_owned(),
            expected,
            got,
        };
        if map.shape()[..] != self.shape()[..] {
            return Err(wrong(format!("shape {:?}", self.shape()), format!("{:?}", map.shape())));
        }
        if map.ranks() > self.world.size() {
            let expected = format!("chunks for at most {} ranks", self.world.size());
            return Err(wrong(expected, format!("some for {}", map.ranks())));
        }
        Ok(())
    }
}

impl<T: Element, const D: usize> DistArray<T, D> {
    /// The same array, in mode [`Mode::Replica`], in other chunks, from one that is in this mode. A collective call.
    fn replicated(&self, what: &str, map: &IndexMap<D>, site: &'static Location<'static>) -> Result<Self> {
        self.world.collective(what, site, |operation| {
            let chunks = self.moved(operation, map, zero(), |target, value| *target = value)?;
            Ok(self.with(Rc::new(map.clone()), Mode::Replica, chunks))
        })
    }
}

impl<T: Combine, const D: usize> DistArray<T, D> {
    /// The same array in other chunks, in mode [`Mode::Replica`]: values of several chunks are combined on the way. A collective call.
    ///
    /// Each rank sends to each other one the parts that it has of the other one's chunks; replicas once, and those that a rank has itself not at
    /// all.
    ///
    /// # Errors
    /// [`Error::Argument`] if the map is for another shape or for more ranks than there are; those of ranks that failed or make other
    /// calls, and of devices.
    #[track_caller]
    pub fn reshard(&self, map: &IndexMap<D>) -> Result<Self> {
        let number = self.world.next_made();
        let array = self.reshard_at("resharding", map, Location::caller())?;
        Ok(DistArray { number, ..array })
    }

    /// What calls it, so that ranks can compare that: `purpose`.
    pub(super) fn reshard_at(
        &self,
        purpose: &str,
        map: &IndexMap<D>,
        site: &'static Location<'static>,
    ) -> Result<Self> {
        let what = format!("{purpose} {} to the chunks {:016x}", self.name(), map.digest());
        self.check_map(&what, map)?;
        if self.mode == Mode::Replica {
            return self.replicated(&what, map, site);
        }
        self.world.collective(&what, site, |operation| {
            let (mode, identity) = (self.mode, T::identity(self.mode));
            let combine = |target: &mut T, value: T| *target = target.combine(value, mode);
            let chunks = self.moved(operation, map, identity, combine)?;
            Ok(self.with(Rc::new(map.clone()), Mode::Replica, chunks))
        })
    }

    /// The same array in the same chunks, in another mode. A collective call, which communicates to [`Mode::Replica`] alone and from one
    /// operation to another.
    ///
    /// From replicas to sums and products the first chunk of a position, by rank, keeps the value; the others get 0 or 1.
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls, and of devices.
    #[track_caller]
    pub fn change_mode(&self, mode: Mode) -> Result<Self> {
        let number = self.world.next_made();
        let array = self.change_mode_at(mode, Location::caller())?;
        Ok(DistArray { number, ..array })
    }

    pub(super) fn change_mode_at(&self, mode: Mode, site: &'static Location<'static>) -> Result<Self> {
        if self.mode == mode {
            return self.same(mode);
        }
        if self.mode != Mode::Replica {
            let replicas = self.reshard_at("resharding", &self.map, site)?;
            return replicas.replicas_in(mode);
        }
        self.replicas_in(mode)
    }

    fn replicas_in(&self, mode: Mode) -> Result<Self> {
        if mode.is_idempotent() {
            return self.same(mode);
        }
        let rank = self.world.rank();
        let mut chunks = Vec::new();
        for (number, (chunk, mut values)) in self.values()?.into_iter().enumerate() {
            let before = (0..rank).flat_map(|rank| self.map.of_rank(rank));
            for earlier in before.chain(&self.map.of_rank(rank)[..number]) {
                if let Some(part) = meet(earlier, &chunk) {
                    numbers(&chunk, &part).for_each(|k| values[k] = T::identity(mode));
                }
            }
            chunks.push(field(values, &chunk, &self.device)?);
        }
        Ok(self.with(self.map.clone(), mode, chunks))
    }

    /// The whole array, on every rank. A collective call.
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls, and of devices.
    #[track_caller]
    pub fn get(&self) -> Result<Field<T, D>> {
        let whole = self.shape().map(|length| (0..length).into());
        let everywhere = IndexMap::new(self.shape(), vec![vec![whole]; self.world.size()])?;
        let mut all = self.reshard_at("getting all of", &everywhere, Location::caller())?;
        Ok(all.chunks.remove(0))
    }
}
