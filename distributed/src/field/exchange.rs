//! Halos: what neighbours send one another.

use std::array::from_fn;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::Location;

use swathe::{Element, FieldLayout, OffsetField};

use crate::collective::message_error;
use crate::error::{Error, Result};
use crate::field::{Distributed, part};
use crate::grid::Grid;
use crate::grid::region::Region;
use crate::world::{Message, Operation, World};

/// What a rank sends and receives: one message for each of its neighbours, corners included.
pub(crate) struct Plan<const D: usize> {
    /// By rank. This rank itself is among them where an axis is periodic and not cut.
    peers: BTreeMap<usize, Peer<D>>,
}

/// Boxes in the order of the sender's directions.
struct Peer<const D: usize> {
    send: Vec<Region<D>>,
    receive: Vec<Region<D>>,
}

/// An exchange whose messages are on their way: one of each neighbour.
pub(super) struct Underway {
    world: World,
    operation: Operation,
    /// The ranks of which none has been taken.
    awaited: BTreeSet<usize>,
}

impl Underway {
    fn receive(&mut self, came: &mut Vec<(usize, Message)>) -> Result<()> {
        while let Some(rank) = self.awaited.first().copied() {
            came.push((rank, self.world.receive(&self.operation, rank)?));
            self.awaited.remove(&rank);
        }
        Ok(())
    }

    /// As if they had not been received.
    fn put_back(&mut self, came: Vec<(usize, Message)>) {
        for (rank, message) in came {
            self.world.put_back(rank, self.operation.call.sequence, message);
            self.awaited.insert(rank);
        }
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.world.close(&self.operation, &self.awaited);
    }
}

/// Whether it is the program's to do it elsewhere: no rank has seen anything of it.
fn is_unseen(error: &Error) -> bool {
    matches!(error, Error::Swathe(swathe::Error::NotRecordable { .. }))
}

impl<const D: usize> Plan<D> {
    pub fn new(grid: &Grid<D>, owned: &Region<D>) -> Plan<D> {
        let mut peers = BTreeMap::<usize, Peer<D>>::new();
        if grid.halo() == 0 {
            return Plan { peers };
        }
        let mut add = |number: usize, of: fn(&mut Peer<D>) -> &mut Vec<Region<D>>, beyond: bool| {
            let direction = direction::<D>(number);
            if direction.iter().any(|step| *step != 0)
                && let Some(rank) = grid.neighbour(&direction)
            {
                let peer = peers.entry(rank).or_insert_with(|| Peer {
                    send: Vec::new(),
                    receive: Vec::new(),
                });
                of(peer).push(border(owned, &direction, grid.halo() as isize, beyond));
            }
        };
        let directions = 3_usize.pow(D as u32);
        for number in 0..directions {
            add(number, |peer| &mut peer.send, false);
        }
        // Seen from the sender, a direction is the opposite one.
        for number in (0..directions).rev() {
            add(number, |peer| &mut peer.receive, true);
        }
        Plan { peers }
    }
}

/// The directions from (-1, .., -1) to (1, .., 1) have numbers; those of opposite ones add up to that of the last.
fn direction<const D: usize>(number: usize) -> [isize; D] {
    from_fn(|k| (number / 3_usize.pow((D - 1 - k) as u32) % 3) as isize - 1)
}

/// The outermost owned elements in a direction, or the halo beyond them.
fn border<const D: usize>(owned: &Region<D>, direction: &[isize; D], halo: isize, beyond: bool) -> Region<D> {
    let range = |k: usize| {
        let (start, end) = (owned.start[k], owned.end[k]);
        match (direction[k], beyond) {
            (-1, false) => (start, start + halo),
            (-1, true) => (start - halo, start),
            (1, false) => (end - halo, end),
            (1, true) => (end, end + halo),
            _ => (start, end),
        }
    };
    Region {
        start: from_fn(|k| range(k).0),
        end: from_fn(|k| range(k).1),
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    /// Block and halo, after the halo has been brought up to date: a collective call of all ranks.
    ///
    /// Who has written what it owns since the last time sends it to its neighbours; who has not says so. Cells beyond the ends of axes that are
    /// not periodic are the program's: [`Distributed::boundary`].
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls, and of devices. [`NotRecordable`](swathe::Error::NotRecordable) where a recording would not see
    /// that the block is read, or its halo written; that ends no calls of other ranks.
    #[track_caller]
    pub fn shared(&mut self) -> Result<&OffsetField<T, D, L>> {
        self.exchange(Location::caller())?;
        Ok(&self.block)
    }

    pub(super) fn exchange(&mut self, site: &'static Location<'static>) -> Result<()> {
        self.start(site)?;
        self.settle()
    }

    /// Sends what the neighbours need.
    pub(super) fn start(&mut self, site: &'static Location<'static>) -> Result<()> {
        self.settle()?;
        let world = self.grid.world().clone();
        let borders = self.borders();
        if borders.as_ref().is_err_and(is_unseen) {
            return borders.map(drop);
        }
        let operation = world.begin(&format!("exchange of {}", self.name), site)?;
        let sent = borders.and_then(|borders| {
            borders.into_iter().try_for_each(|(rank, border)| {
                world.send(&operation, rank, |message| {
                    message.extend_from_slice(&border);
                    Ok(())
                })
            })
        });
        world.or_fail(sent)?;
        world.open(&operation);
        let awaited = self.plan.peers.keys().filter(|rank| **rank != world.rank());
        self.open = Some(Underway {
            awaited: awaited.copied().collect(),
            operation,
            world,
        });
        Ok(())
    }

    /// What each neighbour needs. What this rank has from itself is put into place.
    fn borders(&mut self) -> Result<Vec<(usize, Vec<u8>)>> {
        let changed = self.exchanged != Some(self.block.field().write_count());
        let (own, plan) = (self.grid.world().rank(), self.plan.clone());
        let mut borders = Vec::new();
        for (rank, peer) in plan.peers.iter().filter(|(rank, _)| **rank != own) {
            let mut border = vec![u8::from(changed)];
            let mut send = peer.send.iter().filter(|_| changed);
            send.try_for_each(|region| part::pack(&self.block, region, &self.plain, &mut border))?;
            borders.push((*rank, border));
        }
        if let Some(own) = plan.peers.get(&own)
            && changed
        {
            let values = own
                .send
                .iter()
                .map(|region| Ok(part::part(&self.block, region)?.to_vec()?));
            let values = values.collect::<Result<Vec<_>>>()?;
            // Now the block has other writes than those that have been sent.
            self.exchanged = None;
            for (region, values) in own.receive.iter().zip(values) {
                part::put(&mut self.block, region, values)?;
            }
        }
        Ok(borders)
    }

    /// Receives what is on its way. Where a recording would not see that the halo is written, it stays on its way.
    pub(crate) fn settle(&mut self) -> Result<()> {
        let Some(mut underway) = self.open.take() else {
            return Ok(());
        };
        let mut came = Vec::new();
        let received = underway
            .receive(&mut came)
            .and_then(|()| self.put_halo(&underway.operation, &came));
        if received.as_ref().is_err_and(is_unseen) {
            underway.put_back(came);
            self.open = Some(underway);
            return received;
        }
        underway.world.or_fail(received)?;
        self.exchanged = Some(self.block.field().write_count());
        Ok(())
    }

    fn put_halo(&mut self, operation: &Operation, came: &[(usize, Message)]) -> Result<()> {
        let plan = self.plan.clone();
        for (rank, message) in came {
            let wrong = |reason: String| message_error(operation, *rank, reason);
            let (changed, mut rest) = match message.split_first() {
                Some((changed, rest)) => (*changed, rest),
                None => return Err(wrong("it is empty".to_owned())),
            };
            if changed == 0 && rest.is_empty() {
                continue;
            }
            for region in plan.peers.get(rank).iter().flat_map(|peer| &peer.receive) {
                let count = region.len();
                let (bytes, left) = rest
                    .split_at_checked(count * self.plain.size)
                    .ok_or_else(|| wrong("it is too short".to_owned()))?;
                rest = left;
                let values = self.plain.unpack(bytes, count).map_err(wrong)?;
                part::put(&mut self.block, region, values)?;
            }
            if !rest.is_empty() {
                return Err(wrong("it is too long".to_owned()));
            }
        }
        Ok(())
    }

    /// Whether the halo is as the last exchange left it, and the owned elements as they were sent.
    pub(super) fn is_exchanged(&self) -> bool {
        self.exchanged == Some(self.block.field().write_count())
    }
}

#[cfg(test)]
mod tests {
    use swathe::Device;

    use crate::grid::Grid;
    use crate::local::Local;

    #[test]
    fn nothing_is_left_of_an_exchange_whose_field_is_dropped() {
        for early in [false, true] {
            Local::new(3)
                .run(|world| {
                    let grid = Grid::new(world, 9).halo(1).periodic([true]).build()?;
                    let mut kept = grid.field::<f32>(&Device::cpu())?;
                    for _ in 0..4 {
                        let mut field = grid.field::<f32>(&Device::cpu())?;
                        drop(field.start_exchange()?);
                        if early {
                            world.barrier()?;
                        }
                        drop(field);
                        // Others stay as they are.
                        kept.fill(world.rank() as f32)?;
                        let pending = kept.start_exchange()?;
                        world.barrier()?;
                        let whole = pending.finish()?;
                        let before = (world.rank() + 2) % 3;
                        assert_eq!(whole.get(whole.origin())?, before as f32);
                    }
                    // Whoever came has been heard.
                    for rank in 0..3 {
                        world.broadcast(rank, 1.0)?;
                    }
                    world.all_gather(&[0.5])?;
                    assert_eq!(world.left(), (0, 0));
                    Ok(())
                })
                .unwrap();
        }
    }
}
