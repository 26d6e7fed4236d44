//! Arrays in chunks: each rank has some of the chunks, which may overlap.

mod cover;
pub(crate) mod map;
pub(crate) mod mode;
mod operations;
mod product;
mod reshard;
pub(crate) mod span;

use std::panic::Location;
use std::rc::Rc;

use swathe::{Device, Element, Field};

use crate::array::map::{Chunk, IndexMap, lengths, numbers};
use crate::array::mode::Mode;
use crate::bytes::Plain;
use crate::error::{Error, Result};
use crate::world::World;

/// An array of `D` axes of which each rank has some chunks, by an [`IndexMap`]. Chunks may overlap; a [`Mode`] says what the array
/// has there. Every rank makes the same arrays in the same order, by [`from_whole`](DistArray::from_whole) and by all methods that give one.
///
/// Kernels and expressions work on the chunks, which are fields: [`map`](DistArray::map), [`zip`](DistArray::zip). Reductions along an axis and
/// products of matrices need no communication: their results are in another mode, and complete when they are read.
///
/// ```
/// use swathe::{Device, Field};
/// use swathe_distributed::{DistArray, IndexMap, Local, Mode};
///
/// Local::new(3).run(|world| {
///     let device = Device::cpu();
///     let whole = |shape: [usize; 2]| Field::from_fn(&device, shape, |[i, j]| (i * shape[1] + j) as i64);
///     let a = IndexMap::blocks(&[0, 2], &[0, 1, 3], &[&[&[0], &[1, 2]]])?;
///     let b = IndexMap::blocks(&[0, 1, 3], &[0, 2, 4], &[&[&[0], &[0]], &[&[1], &[2]]])?;
///     let a = DistArray::from_whole(world, &whole([2, 3])?, &a, &device)?;
///     let b = DistArray::from_whole(world, &whole([3, 4])?, &b, &device)?;
///     let c = a.dot(&b)?;
///     assert_eq!(c.mode(), Mode::Sum);
///     assert_eq!(c.get()?.to_vec()?, [20, 23, 26, 29, 56, 68, 80, 92]);
///     Ok(())
/// })?;
/// # Ok::<(), swathe_distributed::Error>(())
/// ```
pub struct DistArray<T: Element, const D: usize> {
    world: World,
    /// The same on every rank: [`World::next_made`].
    number: u64,
    device: Device,
    map: Rc<IndexMap<D>>,
    mode: Mode,
    /// Of this rank.
    chunks: Vec<Field<T, D>>,
}

impl<T: Element, const D: usize> DistArray<T, D> {
    /// An array of which every rank has the whole, and keeps its chunks on a device. A collective call, which compares the maps alone.
    ///
    /// # Errors
    /// [`Error::Argument`] if the map is for more ranks than there are, or for another shape; those of ranks that failed or make other calls.
    #[track_caller]
    pub fn from_whole(world: &World, whole: &Field<T, D>, map: &IndexMap<D>, device: &Device) -> Result<Self> {
        let number = world.next_made();
        let what = format!(
            "making array {number} of `{}` in the chunks {:016x}",
            T::ty(),
            map.digest()
        );
        let wrong = |expected: String, got: String| Error::Argument {
            what: format!("an array of `{}` in chunks", T::ty()),
            expected,
            got,
        };
        if map.ranks() > world.size() {
            let expected = format!("chunks for at most {} ranks", world.size());
            return Err(wrong(expected, format!("some for {}", map.ranks())));
        }
        if whole.shape() != map.shape() {
            return Err(wrong(format!("shape {:?}", map.shape()), whole.describe()));
        }
        world.collective(&what, Location::caller(), |_| {
            let all = whole.to_vec()?;
            let whole = map.shape().map(|length| (0..length).into());
            let chunk = |chunk: &Chunk<D>| field(numbers(&whole, chunk).map(|k| all[k]).collect(), chunk, device);
            let chunks = map.of_rank(world.rank()).iter().map(chunk);
            Ok(DistArray {
                world: world.clone(),
                number,
                device: device.clone(),
                map: Rc::new(map.clone()),
                mode: Mode::Replica,
                chunks: chunks.collect::<Result<_>>()?,
            })
        })
    }

    /// Number of positions along each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; D] {
        self.map.shape()
    }

    /// Which rank has what.
    #[must_use]
    pub fn index_map(&self) -> &IndexMap<D> {
        &self.map
    }

    /// What chunks that overlap mean.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// This rank's chunks, in the order of its map: [`IndexMap::of_rank`].
    #[must_use]
    pub fn chunks(&self) -> &[Field<T, D>] {
        &self.chunks
    }

    /// # Errors
    /// [`Error::Argument`] for an array of another world.
    fn check_world<U: Element, const E: usize>(&self, what: &str, other: &DistArray<U, E>) -> Result<()> {
        match self.world.is(&other.world) {
            true => Ok(()),
            false => Err(Error::Argument {
                what: format!("{what} of {} and {}", self.name(), other.name()),
                expected: "arrays of one world".to_owned(),
                got: "arrays of two".to_owned(),
            }),
        }
    }

    /// This rank's chunks on the host, with their places.
    fn values(&self) -> Result<Vec<(Chunk<D>, Vec<T>)>> {
        let places = self.map.of_rank(self.world.rank()).iter();
        let values = |(chunk, field): (&Chunk<D>, &Field<T, D>)| Ok((*chunk, field.to_vec()?));
        places.zip(&self.chunks).map(values).collect()
    }

    /// What errors call it, and ranks compare.
    fn name(&self) -> String {
        format!(
            "array {} of `{}` in mode {} in the chunks {:016x}",
            self.number,
            T::ty(),
            self.mode,
            self.map.digest()
        )
    }
}

/// A chunk's field.
fn field<T: Element, const D: usize>(values: Vec<T>, chunk: &Chunk<D>, device: &Device) -> Result<Field<T, D>> {
    Ok(Field::<T>::from_vec(device, values)?.into_shape(lengths(chunk))?)
}

/// Appends the values of a part of a chunk.
fn pack_part<T: Element, const D: usize>(
    (chunk, values): &(Chunk<D>, Vec<T>),
    part: &Chunk<D>,
    plain: &Plain,
    to: &mut Vec<u8>,
) {
    let part: Vec<T> = numbers(chunk, part).map(|k| values[k]).collect();
    plain.pack(&part, to);
}
