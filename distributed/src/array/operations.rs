//! Element by element, and reductions.

use std::array::from_fn;
use std::panic::Location;
use std::rc::Rc;

use swathe::{Dim, Element, Field, OneLess};

use crate::array::DistArray;
use crate::array::map::{Chunk, IndexMap};
use crate::array::mode::{Combine, Mode};
use crate::error::{Error, Result};

impl<T: Combine, const D: usize> DistArray<T, D> {
    /// A function of each chunk, by a kernel or an expression: `a.map(|a| (a * 2.0).eval())`. A collective call, since the array is
    /// brought into [`Mode::Replica`].
    ///
    /// # Errors
    /// Those of the function, [`Error::Argument`] if it changes the shape, else as [`DistArray::change_mode`].
    #[track_caller]
    pub fn map<U: Element>(
        &self,
        mut function: impl FnMut(&Field<T, D>) -> swathe::Result<Field<U, D>>,
    ) -> Result<DistArray<U, D>> {
        let number = self.world.next_made();
        let replicas = self.change_mode_at(Mode::Replica, Location::caller())?;
        let chunks = replicas.chunks.iter().map(|chunk| same_shape(chunk, function(chunk)?));
        let chunks = chunks.collect::<Result<_>>()?;
        Ok(self.of_chunks(number, self.map.clone(), Mode::Replica, chunks))
    }

    /// A function of each chunk and the same part of another array, by a kernel or an expression: `a.zip(&b, |a, b| (a + b).eval())`. The
    /// result has the chunks of this array. A collective call.
    ///
    /// ```
    /// use swathe::{Device, Field};
    /// use swathe_distributed::{DistArray, IndexMap, Local};
    ///
    /// Local::new(2).run(|world| {
    ///     let device = Device::cpu();
    ///     let whole = Field::from_fn(&device, [3, 4], |[i, j]| (10 * i + j) as f32)?;
    ///     let rows = IndexMap::blocks(&[0, 2, 3], &[0, 4], &[&[&[0]], &[&[1]]])?;
    ///     let columns = IndexMap::blocks(&[0, 3], &[0, 1, 4], &[&[&[0], &[1]]])?;
    ///     let a = DistArray::from_whole(world, &whole, &rows, &device)?;
    ///     let b = DistArray::from_whole(world, &whole, &columns, &device)?;
    ///     let c = a.zip(&b, |a, b| (a - 0.5 * b).eval())?;
    ///     assert_eq!(c.get()?.get([2, 3])?, 11.5);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the function, [`Error::Argument`] if the shapes or the worlds differ or the function changes the shape, else as [`DistArray::reshard`].
    #[track_caller]
    pub fn zip<U: Combine, V: Element>(
        &self,
        other: &DistArray<U, D>,
        mut function: impl FnMut(&Field<T, D>, &Field<U, D>) -> swathe::Result<Field<V, D>>,
    ) -> Result<DistArray<V, D>> {
        self.check_world("zip", other)?;
        let (site, number) = (Location::caller(), self.world.next_made());
        let one = self.change_mode_at(Mode::Replica, site)?;
        let purpose = format!("zip of {} with", self.name());
        let other = other.reshard_at(&purpose, &self.map, site)?;
        let pairs = one.chunks.iter().zip(&other.chunks);
        let chunks = pairs.map(|(one, other)| same_shape(one, function(one, other)?));
        let chunks = chunks.collect::<Result<_>>()?;
        Ok(self.of_chunks(number, self.map.clone(), Mode::Replica, chunks))
    }

    pub(super) fn of_chunks<U: Element, const E: usize>(
        &self,
        number: u64,
        map: Rc<IndexMap<E>>,
        mode: Mode,
        chunks: Vec<Field<U, E>>,
    ) -> DistArray<U, E> {
        DistArray {
            world: self.world.clone(),
            number,
            device: self.device.clone(),
            map,
            mode,
            chunks,
        }
    }

    /// The sums along an axis, `E` is `D - 1`: in mode [`Mode::Sum`], without communication unless the array is in another operation's mode.
    /// Along an axis without positions they are 0.
    ///
    /// ```
    /// use swathe::{Device, Field};
    /// use swathe_distributed::{DistArray, IndexMap, Local, Mode};
    ///
    /// Local::new(2).run(|world| {
    ///     let device = Device::cpu();
    ///     let whole = Field::from_fn(&device, [2, 4], |[i, j]| (10 * i + j) as i32)?;
    ///     // Both ranks have the middle columns.
    ///     let map = IndexMap::blocks(&[0, 2], &[0, 1, 3, 4], &[&[&[0], &[0, 1], &[1]]])?;
    ///     let sums = DistArray::from_whole(world, &whole, &map, &device)?.sum_axis(1)?;
    ///     assert_eq!(sums.mode(), Mode::Sum);
    ///     assert_eq!(sums.get()?.to_vec()?, [6, 46]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if there is no such axis; else as [`DistArray::change_mode`].
    #[track_caller]
    pub fn sum_axis<const E: usize>(&self, axis: usize) -> Result<DistArray<T, E>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.along(axis, Mode::Sum, Field::sum_axis, Location::caller())
    }

    /// The products along an axis, in mode [`Mode::Prod`]: as [`DistArray::sum_axis`]; 1 along an axis without positions.
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn product_axis<const E: usize>(&self, axis: usize) -> Result<DistArray<T, E>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.along(axis, Mode::Prod, Field::product_axis, Location::caller())
    }

    /// The least elements along an axis, in mode [`Mode::Min`]: as [`DistArray::sum_axis`].
    ///
    /// # Errors
    /// As there; [`Error::Swathe`] too if the axis has no positions.
    #[track_caller]
    pub fn min_axis<const E: usize>(&self, axis: usize) -> Result<DistArray<T, E>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.along(axis, Mode::Min, Field::min_axis, Location::caller())
    }

    /// The greatest elements along an axis, in mode [`Mode::Max`]: as [`DistArray::sum_axis`].
    ///
    /// # Errors
    /// As there; [`Error::Swathe`] too if the axis has no positions.
    #[track_caller]
    pub fn max_axis<const E: usize>(&self, axis: usize) -> Result<DistArray<T, E>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.along(axis, Mode::Max, Field::max_axis, Location::caller())
    }

    fn along<const E: usize>(
        &self,
        axis: usize,
        mode: Mode,
        reduce: impl Fn(&Field<T, D>, usize) -> swathe::Result<Field<T, E>>,
        site: &'static Location<'static>,
    ) -> Result<DistArray<T, E>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        if axis >= D {
            return Err(Error::Argument {
                what: format!("a reduction of {} along axis {axis}", self.name()),
                expected: format!("an axis below {D}"),
                got: format!("axis {axis}"),
            });
        }
        let number = self.world.next_made();
        let kept = |k: usize| if k < axis { k } else { k + 1 };
        if self.shape()[axis] == 0 && mode.is_idempotent() {
            // What fields say of it, on every rank.
            reduce(&Field::zeros(&self.device, self.shape())?, axis)?;
        }
        let operand = self.change_mode_at(mode, site)?;
        let chunks = operand.chunks.iter().map(|chunk| match chunk.shape() {
            // Other chunks may have elements of which one is the least or the greatest.
            shape if shape[axis] == 0 => {
                let shape: [usize; E] = from_fn(|k| shape[kept(k)]);
                Ok(Field::full(&self.device, shape, T::identity(mode))?)
            }
            _ => Ok(reduce(chunk, axis)?),
        });
        let chunks = chunks.collect::<Result<_>>()?;
        let without = |chunk: &Chunk<D>| -> Chunk<E> { from_fn(|k| chunk[kept(k)]) };
        let places = (0..self.map.ranks()).map(|rank| self.map.of_rank(rank).iter().map(without).collect());
        self.result(
            number,
            from_fn(|k| self.shape()[kept(k)]),
            places.collect(),
            mode,
            chunks,
        )
    }

    /// What was computed chunk by chunk, in places by rank; where there was nothing to compute it is what the operation has of nothing.
    pub(super) fn result<const E: usize>(
        &self,
        number: u64,
        shape: [usize; E],
        places: Vec<Vec<Chunk<E>>>,
        mode: Mode,
        mut chunks: Vec<Field<T, E>>,
    ) -> Result<DistArray<T, E>> {
        let (map, lacks) = IndexMap::of_result(shape, places)?;
        if lacks && self.world.rank() == 0 {
            chunks.push(Field::full(&self.device, shape, T::identity(mode))?);
        }
        Ok(self.of_chunks(number, Rc::new(map), mode, chunks))
    }

    /// The sum of all elements, on every rank: a collective call. That of the chunks is in the order of the ranks.
    ///
    /// # Errors
    /// As [`DistArray::change_mode`].
    #[track_caller]
    pub fn sum(&self) -> Result<T> {
        self.total(Mode::Sum, |chunk| chunk.sum().map(Some), Location::caller())
    }

    /// The least element, on every rank; of none what is greater than all. NaN is passed over if there is another element. A collective call.
    ///
    /// # Errors
    /// As [`DistArray::change_mode`].
    #[track_caller]
    pub fn min(&self) -> Result<T> {
        self.total(Mode::Min, Field::min, Location::caller())
    }

    /// The greatest element, on every rank: as [`DistArray::min`]; of none what is less than all. A collective call.
    ///
    /// # Errors
    /// As [`DistArray::change_mode`].
    #[track_caller]
    pub fn max(&self) -> Result<T> {
        self.total(Mode::Max, Field::max, Location::caller())
    }

    fn total(
        &self,
        mode: Mode,
        reduce: impl Fn(&Field<T, D>) -> swathe::Result<Option<T>>,
        site: &'static Location<'static>,
    ) -> Result<T> {
        let operand = self.change_mode_at(mode, site)?;
        let own = operand.chunks.iter().map(|chunk| Ok(reduce(chunk)?));
        let own = own.collect::<Result<Vec<_>>>()?;
        let own: Vec<T> = own.into_iter().flatten().collect();
        let what = format!("{mode} of {}", self.name());
        let all = self.world.gathered(&what, &own, site)?;
        let values = all.iter().flatten().copied();
        let total = values.reduce(|total, value| total.combine(value, mode));
        Ok(total.unwrap_or_else(|| T::of_none(mode)))
    }
}

fn same_shape<T: Element, U: Element, const D: usize>(of: &Field<T, D>, result: Field<U, D>) -> Result<Field<U, D>> {
    match result.shape() == of.shape() {
        true => Ok(result),
        false => Err(Error::Argument {
            what: "a function of chunks".to_owned(),
            expected: format!("a result of shape {:?}", of.shape()),
            got: result.describe(),
        }),
    }
}
