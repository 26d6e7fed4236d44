//! Collective calls on values: broadcast, gather, reductions.

use std::panic::Location;

use swathe::Element;

use crate::bytes::Plain;
use crate::error::{Error, Result};
use crate::exact::{Accumulator, Ordered, Summable};
use crate::world::{Operation, World};

impl World {
    /// The value of one rank, on every rank; what the others pass is not used.
    ///
    /// ```
    /// let all = swathe_distributed::Local::new(3).run(|world| world.broadcast(1, 10 * world.rank() as i32))?;
    /// assert_eq!(all, [10, 10, 10]);
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`], and those of ranks that failed or make other calls.
    #[track_caller]
    pub fn broadcast<T: Element>(&self, root: usize, value: T) -> Result<T> {
        let values = self.broadcast_at(root, &[value], Location::caller())?;
        values.first().copied().ok_or_else(|| Error::Rank {
            what: "broadcast".to_owned(),
            rank: root,
            size: self.size(),
        })
    }

    /// The values of one rank, on every rank; what the others pass is not used, nor how many.
    ///
    /// # Errors
    /// As [`World::broadcast`].
    #[track_caller]
    pub fn broadcast_slice<T: Element>(&self, root: usize, values: &[T]) -> Result<Vec<T>> {
        self.broadcast_at(root, values, Location::caller())
    }

    fn broadcast_at<T: Element>(&self, root: usize, values: &[T], site: &'static Location<'static>) -> Result<Vec<T>> {
        let what = format!("broadcast of `{}` from rank {root}", T::ty());
        self.check(&what, root)?;
        self.collective(&what, site, |operation| {
            let own = (self.rank() == root).then(|| encoded(values));
            let bytes = self.spread(operation, root, own)?;
            decoded(&bytes).map_err(|reason| message_error(operation, root, reason))
        })
    }

    /// Bytes of one rank to all, along a binomial tree.
    pub(crate) fn spread(&self, operation: &Operation, root: usize, own: Option<Vec<u8>>) -> Result<Vec<u8>> {
        let size = self.size();
        let turned = (self.rank() + size - root) % size;
        let lowest = match turned {
            0 => size.next_power_of_two(),
            _ => 1 << turned.trailing_zeros(),
        };
        let bytes = match own {
            Some(own) => own,
            None => self.receive(operation, (turned - lowest + root) % size)?.to_vec(),
        };
        let mut distance = lowest / 2;
        while distance > 0 {
            if turned + distance < size {
                let to = (turned + distance + root) % size;
                self.send(operation, to, |message| extended(message, &bytes))?;
            }
            distance /= 2;
        }
        Ok(bytes)
    }

    /// The values of all ranks in the order of the ranks, on the rank `root`; `None` on the others. Ranks may pass different
    /// numbers of values.
    ///
    /// ```
    /// let all = swathe_distributed::Local::new(3).run(|world| world.gather(2, &vec![world.rank() as u8; world.rank()]))?;
    /// assert_eq!(all, [None, None, Some(vec![vec![], vec![1], vec![2, 2]])]);
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::broadcast`].
    #[track_caller]
    pub fn gather<T: Element>(&self, root: usize, values: &[T]) -> Result<Option<Vec<Vec<T>>>> {
        let what = format!("gather of `{}` on rank {root}", T::ty());
        self.check(&what, root)?;
        self.collective(&what, Location::caller(), |operation| {
            let Some(parts) = self.collect(operation, root, encoded(values))? else {
                return Ok(None);
            };
            let part = |(rank, bytes): (usize, &Vec<u8>)| {
                decoded(bytes).map_err(|reason| message_error(operation, rank, reason))
            };
            parts.iter().enumerate().map(part).collect::<Result<_>>().map(Some)
        })
    }

    /// The values of all ranks in the order of the ranks, on every rank.
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls.
    #[track_caller]
    pub fn all_gather<T: Element>(&self, values: &[T]) -> Result<Vec<Vec<T>>> {
        self.gathered(&format!("all_gather of `{}`", T::ty()), values, Location::caller())
    }

    pub(crate) fn gathered<T: Element>(
        &self,
        what: &str,
        values: &[T],
        site: &'static Location<'static>,
    ) -> Result<Vec<Vec<T>>> {
        self.collective(what, site, |operation| {
            let own = encoded(values);
            for other in self.others() {
                self.send(operation, other, |message| extended(message, &own))?;
            }
            let mut all = Vec::with_capacity(self.size());
            for rank in 0..self.size() {
                if rank == self.rank() {
                    all.push(values.to_vec());
                    continue;
                }
                let message = self.receive(operation, rank)?;
                all.push(decoded(&message).map_err(|reason| message_error(operation, rank, reason))?);
            }
            Ok(all)
        })
    }

    /// Sends `parts[k]` to rank `k`, and gives what each rank sent here, in the order of the ranks.
    ///
    /// ```
    /// let all = swathe_distributed::Local::new(2).run(|world| {
    ///     let rank = world.rank() as u8;
    ///     world.all_to_all(&[vec![10 * rank], vec![10 * rank + 1; 2]])
    /// })?;
    /// assert_eq!(all, [[vec![0], vec![10]], [vec![1, 1], vec![11, 11]]]);
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if there are not as many parts as ranks; those of ranks that failed or make other calls.
    #[track_caller]
    pub fn all_to_all<T: Element>(&self, parts: &[Vec<T>]) -> Result<Vec<Vec<T>>> {
        let what = format!("all_to_all of `{}`", T::ty());
        if parts.len() != self.size() {
            return Err(Error::Argument {
                what,
                expected: format!("a part for each of {} ranks", self.size()),
                got: parts.len().to_string(),
            });
        }
        self.collective(&what, Location::caller(), |operation| {
            self.exchange_all(operation, parts)
        })
    }

    pub(crate) fn exchange_all<T: Element>(&self, operation: &Operation, parts: &[Vec<T>]) -> Result<Vec<Vec<T>>> {
        for other in self.others() {
            self.send(operation, other, |message| extended(message, &encoded(&parts[other])))?;
        }
        let part = |rank: usize| match rank == self.rank() {
            true => Ok(parts[rank].clone()),
            false => {
                let message = self.receive(operation, rank)?;
                decoded(&message).map_err(|reason| message_error(operation, rank, reason))
            }
        };
        (0..self.size()).map(part).collect()
    }

    /// Bytes of all ranks in their order, on one.
    pub(crate) fn collect(&self, operation: &Operation, root: usize, own: Vec<u8>) -> Result<Option<Vec<Vec<u8>>>> {
        if self.rank() != root {
            self.send(operation, root, |message| extended(message, &own))?;
            return Ok(None);
        }
        let mut all = vec![Vec::new(); self.size()];
        for rank in self.others() {
            all[rank] = self.receive(operation, rank)?.to_vec();
        }
        all[root] = own;
        Ok(Some(all))
    }

    /// All ranks but this one.
    pub(crate) fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.rank();
        (0..self.size()).filter(move |rank| *rank != own)
    }

    /// The sum of all ranks' values, on every rank. Of floats it is the exact sum, rounded once: [`Summable`].
    ///
    /// What a kernel sums on each rank has been rounded there. The same bits for any division of a grid has
    /// [`Distributed::sum`](crate::Distributed::sum).
    ///
    /// ```
    /// let terms = [1e16, 1.0, -1e16];
    /// let sums = swathe_distributed::Local::new(3).run(|world| world.sum(terms[world.rank()]))?;
    /// assert_eq!(sums, [1.0; 3]);
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls.
    #[track_caller]
    pub fn sum<T: Summable>(&self, value: T) -> Result<T> {
        let mut sum = T::Accumulator::default();
        sum.add(value);
        let sums = self.sums::<T>(&format!("sum of `{}`", T::ty()), vec![sum], Location::caller())?;
        Ok(sums[0])
    }

    /// The sums of the first, second, .. values of all ranks, on every rank.
    ///
    /// # Errors
    /// As [`World::sum`]; [`Error::Mismatch`] if ranks pass different numbers of values.
    #[track_caller]
    pub fn sum_slice<T: Summable>(&self, values: &[T]) -> Result<Vec<T>> {
        let sum = |value: &T| {
            let mut sum = T::Accumulator::default();
            sum.add(*value);
            sum
        };
        let what = format!("sum of {} `{}`", values.len(), T::ty());
        self.sums::<T>(&what, values.iter().map(sum).collect(), Location::caller())
    }

    /// The sums of what the ranks have summed.
    pub(crate) fn sums<T: Summable>(
        &self,
        what: &str,
        own: Vec<T::Accumulator>,
        site: &'static Location<'static>,
    ) -> Result<Vec<T>> {
        self.collective(what, site, |operation| {
            let mut bytes = Vec::new();
            own.iter().for_each(|sum| sum.encode(&mut bytes));
            let count = own.len();
            let collected = self.collect(operation, 0, bytes)?;
            let mut sums = own;
            let mut total = None;
            if let Some(parts) = collected {
                for (rank, part) in parts.iter().enumerate().skip(1) {
                    let mut rest = &part[..];
                    for sum in &mut sums {
                        let other = T::Accumulator::decode(&mut rest)
                            .ok_or_else(|| message_error(operation, rank, "it is too short".to_owned()))?;
                        sum.merge(&other);
                    }
                }
                let values: Vec<T> = sums.iter().map(Accumulator::sum).collect();
                total = Some(encoded(&values));
            }
            let bytes = self.spread(operation, 0, total)?;
            let values: Vec<T> = decoded(&bytes).map_err(|reason| message_error(operation, 0, reason))?;
            if values.len() != count {
                let reason = format!("it holds {} values, not {count}", values.len());
                return Err(message_error(operation, 0, reason));
            }
            Ok(values)
        })
    }

    /// The least of all ranks' values, on every rank.
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls.
    #[track_caller]
    pub fn min<T: Ordered>(&self, value: T) -> Result<T> {
        let found = self.extreme("min", Some(value), T::least, Location::caller())?;
        Ok(found.unwrap_or(value))
    }

    /// The greatest of all ranks' values, on every rank.
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls.
    #[track_caller]
    pub fn max<T: Ordered>(&self, value: T) -> Result<T> {
        let found = self.extreme("max", Some(value), T::greatest, Location::caller())?;
        Ok(found.unwrap_or(value))
    }

    /// Of those ranks that have a value.
    pub(crate) fn extreme<T: Ordered>(
        &self,
        what: &str,
        own: Option<T>,
        better: impl Fn(T, T) -> T,
        site: &'static Location<'static>,
    ) -> Result<Option<T>> {
        let what = format!("{what} of `{}`", T::ty());
        self.collective(&what, site, |operation| {
            let collected = self.collect(operation, 0, encoded(own.as_slice()))?;
            let mut best = own;
            let mut told = None;
            if let Some(parts) = collected {
                for (rank, part) in parts.iter().enumerate().skip(1) {
                    let others: Vec<T> = decoded(part).map_err(|reason| message_error(operation, rank, reason))?;
                    best = best.into_iter().chain(others).reduce(&better);
                }
                told = Some(encoded(best.as_slice()));
            }
            let bytes = self.spread(operation, 0, told)?;
            let best: Vec<T> = decoded(&bytes).map_err(|reason| message_error(operation, 0, reason))?;
            Ok(best.first().copied())
        })
    }
}

fn extended(message: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    message.extend_from_slice(bytes);
    Ok(())
}

/// Values with their number in front.
pub(crate) fn encoded<T: Element>(values: &[T]) -> Vec<u8> {
    let mut bytes = (values.len() as u64).to_le_bytes().to_vec();
    Plain::of::<T>().pack(values, &mut bytes);
    bytes
}

pub(crate) fn decoded<T: Element>(bytes: &[u8]) -> Result<Vec<T>, String> {
    let (count, rest) = bytes.split_first_chunk::<8>().ok_or("it is too short")?;
    let count = usize::try_from(u64::from_le_bytes(*count)).map_err(|error| error.to_string())?;
    Plain::of::<T>().unpack(rest, count)
}

pub(crate) fn message_error(operation: &Operation, rank: usize, reason: String) -> Error {
    Error::Message {
        rank,
        call: Box::new(operation.call.clone()),
        reason,
    }
}
