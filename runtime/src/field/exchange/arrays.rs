//! Dictionaries of arrays.

use ndarray::{Array, ArrayBase, ArrayView, CowRepr, Data, Dimension, OwnedRepr, ViewRepr};

use crate::error::{Error, Result};
use crate::field::ArrayScalar;
use crate::field::exchange::any::AnyArray;

/// The arrays of a struct field by the names of its members, in order; nested structs are nested dictionaries.
///
/// A path of names, separated by dots, reaches into those.
///
/// ```
/// use ndarray::{Ix1, Ix2, array};
/// use swathe::prelude::*;
/// use swathe::Arrays;
///
/// #[derive(Element, Clone, Copy)]
/// struct Body {
///     mass: f64,
///     fixed: bool,
/// }
///
/// #[derive(Element, Clone, Copy)]
/// struct Particle {
///     pos: Vec2,
///     body: Body,
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let pos = array![[0.0_f32, 0.5], [1.0, 1.5], [2.0, 2.5]];
/// let arrays = Arrays::new()
///     .with("pos", &pos) // borrowed
///     .with("body", Arrays::new().with("mass", array![1.0, 2.0, 3.0]).with("fixed", array![false, true, false]));
/// let field = Field::<Particle>::from_arrays(&Device::default(), &arrays)?;
/// assert_eq!(field.get(1)?.body.mass, 2.0);
///
/// let out = field.to_arrays()?;
/// assert_eq!(out.names().collect::<Vec<_>>(), ["pos", "body"]);
/// assert_eq!(out.array::<f32, Ix2>("pos")?, pos);
/// assert_eq!(out.array::<bool, Ix1>("body.fixed")?, array![false, true, false]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Arrays<'a>(Vec<(String, Entry<'a>)>);

/// What a name in [`Arrays`] stands for.
#[derive(Clone, Debug)]
pub enum Entry<'a> {
    /// An array: a member of scalars.
    Array(AnyArray<'a>),
    /// A dictionary: a member that is a struct.
    Arrays(Arrays<'a>),
}

/// Names of a path, at most, and so dictionaries in one another: what goes through dictionaries goes through those in them.
const DEEPEST: usize = 64;

impl<'a> Arrays<'a> {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Arrays::default()
    }

    /// With these entries, whose names differ.
    pub(crate) fn of(entries: Vec<(String, Entry<'a>)>) -> Self {
        Arrays(entries)
    }

    /// These and one more, in the place of what had this name before.
    ///
    /// # Panics
    /// As [`Arrays::insert`].
    #[must_use]
    #[track_caller]
    pub fn with(mut self, name: impl Into<String>, entry: impl Into<Entry<'a>>) -> Self {
        self.insert(name, entry);
        self
    }

    /// Adds an entry, and returns what had this name before.
    ///
    /// # Panics
    /// If dictionaries lie in one another more than 64 deep, this one among them.
    #[track_caller]
    pub fn insert(&mut self, name: impl Into<String>, entry: impl Into<Entry<'a>>) -> Option<Entry<'a>> {
        let (name, entry) = (name.into(), entry.into());
        if let Entry::Arrays(arrays) = &entry {
            assert!(
                arrays.levels() < DEEPEST,
                "dictionaries of arrays are more than {DEEPEST} deep in one another"
            );
        }
        match self.0.iter_mut().find(|(other, _)| *other == name) {
            Some((_, old)) => Some(std::mem::replace(old, entry)),
            None => {
                self.0.push((name, entry));
                None
            }
        }
    }

    /// How many dictionaries lie in one another, this one among them.
    fn levels(&self) -> usize {
        let inner = self.0.iter().map(|(_, entry)| match entry {
            Entry::Array(_) => 0,
            Entry::Arrays(arrays) => arrays.levels(),
        });
        1 + inner.max().unwrap_or(0)
    }

    /// The entry at a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Entry<'a>> {
        let (name, rest) = split(path);
        let (_, entry) = self.0.iter().find(|(other, _)| other == name)?;
        match (entry, rest) {
            (entry, None) => Some(entry),
            (Entry::Arrays(arrays), Some(rest)) => arrays.get(rest),
            (Entry::Array(_), Some(_)) => None,
        }
    }

    /// Takes the entry at a path out.
    pub fn remove(&mut self, path: &str) -> Option<Entry<'a>> {
        let (name, rest) = split(path);
        let at = self.0.iter().position(|(other, _)| other == name)?;
        match (&mut self.0[at].1, rest) {
            (_, None) => Some(self.0.remove(at).1),
            (Entry::Arrays(arrays), Some(rest)) => arrays.remove(rest),
            (Entry::Array(_), Some(_)) => None,
        }
    }

    /// The array at a path, of scalars `T` and dimension `D` ([`ndarray::IxDyn`] for any rank).
    ///
    /// # Errors
    /// [`Error::ArrayNotFound`], [`Error::DType`], [`Error::Rank`].
    pub fn array<T: ArrayScalar, D: Dimension>(&self, path: &str) -> Result<ArrayView<'_, T, D>> {
        match self.get(path) {
            Some(Entry::Array(array)) => array.view(),
            _ => Err(self.not_found(path)),
        }
    }

    /// As [`Arrays::array`], but takes the array out, without a copy if it is owned.
    ///
    /// # Errors
    /// As there.
    pub fn take<T: ArrayScalar, D: Dimension>(&mut self, path: &str) -> Result<Array<T, D>> {
        self.array::<T, D>(path)?;
        match self.remove(path) {
            Some(Entry::Array(array)) => array.into_array(),
            _ => Err(self.not_found(path)),
        }
    }

    /// Names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Names and entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Entry<'a>)> {
        self.0.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// Paths of all arrays, also of those in nested dictionaries, and the arrays, in order.
    #[must_use]
    pub fn flat(&self) -> Vec<(String, &AnyArray<'a>)> {
        let mut flat = Vec::new();
        for (name, entry) in self.iter() {
            match entry {
                Entry::Array(array) => flat.push((name.to_owned(), array)),
                Entry::Arrays(arrays) => {
                    let inner = arrays.flat().into_iter();
                    flat.extend(inner.map(|(path, array)| (format!("{name}.{path}"), array)));
                }
            }
        }
        flat
    }

    /// Puts an array at a path, with the dictionaries on the way.
    ///
    /// # Errors
    /// [`Error::ArrayPath`] if an array stands where the path needs a dictionary, or a dictionary where the array would, or if the
    /// path has more than 64 names; then nothing changes.
    pub fn insert_path(&mut self, path: &str, array: impl Into<AnyArray<'a>>) -> Result<()> {
        if let Some(reason) = self.obstacle(path) {
            let path = path.to_owned();
            return Err(Error::ArrayPath { path, reason });
        }
        self.put(path, array.into());
        Ok(())
    }

    /// Why there can be no array at a path.
    fn obstacle(&self, path: &str) -> Option<String> {
        if is_too_deep(path) {
            return Some(format!("that has more than {DEEPEST} names"));
        }
        let mut ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
        ends.find_map(|end| match self.get(&path[..end])? {
            Entry::Array(_) if end < path.len() => Some(format!("there is an array at `{}`", &path[..end])),
            Entry::Arrays(_) if end == path.len() => Some("there is a dictionary of arrays".to_owned()),
            Entry::Array(_) | Entry::Arrays(_) => None,
        })
    }

    /// As [`Arrays::insert_path`], where nothing is in the way.
    fn put(&mut self, path: &str, array: AnyArray<'a>) {
        let (name, Some(rest)) = split(path) else {
            self.insert(path, array);
            return;
        };
        if self.get(name).is_none() {
            self.insert(name, Arrays::new());
        }
        if let Some((_, Entry::Arrays(arrays))) = self.0.iter_mut().find(|(other, _)| other == name) {
            arrays.put(rest, array);
        }
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same arrays, owned: those borrowed are copied.
    #[must_use]
    pub fn into_owned(self) -> Arrays<'static> {
        let owned = |(name, entry)| {
            let entry = match entry {
                Entry::Array(array) => Entry::Array(array.into_owned()),
                Entry::Arrays(arrays) => Entry::Arrays(arrays.into_owned()),
            };
            (name, entry)
        };
        Arrays(self.0.into_iter().map(owned).collect())
    }

    fn not_found(&self, path: &str) -> Error {
        Error::ArrayNotFound {
            path: path.to_owned(),
            known: self.flat().into_iter().map(|(path, _)| path).collect(),
        }
    }
}

// Derived, these would want equal lifetimes.
impl<'b> PartialEq<Arrays<'b>> for Arrays<'_> {
    fn eq(&self, other: &Arrays<'b>) -> bool {
        self.len() == other.len() && self.iter().zip(other.iter()).all(|(a, b)| a.0 == b.0 && a.1 == b.1)
    }
}

impl<'b> PartialEq<Entry<'b>> for Entry<'_> {
    fn eq(&self, other: &Entry<'b>) -> bool {
        match (self, other) {
            (Entry::Array(a), Entry::Array(b)) => a == b,
            (Entry::Arrays(a), Entry::Arrays(b)) => a == b,
            _ => false,
        }
    }
}

/// Whether a path has more names than dictionaries go through.
pub(super) fn is_too_deep(path: &str) -> bool {
    path.split('.').nth(DEEPEST).is_some()
}

fn split(path: &str) -> (&str, Option<&str>) {
    match path.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (path, None),
    }
}

impl<'a, N: Into<String>, E: Into<Entry<'a>>> FromIterator<(N, E)> for Arrays<'a> {
    fn from_iter<I: IntoIterator<Item = (N, E)>>(entries: I) -> Self {
        entries
            .into_iter()
            .fold(Arrays::new(), |arrays, (name, entry)| arrays.with(name, entry))
    }
}

impl<'a> IntoIterator for Arrays<'a> {
    type Item = (String, Entry<'a>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> From<AnyArray<'a>> for Entry<'a> {
    fn from(array: AnyArray<'a>) -> Self {
        Entry::Array(array)
    }
}

impl<'a> From<Arrays<'a>> for Entry<'a> {
    fn from(arrays: Arrays<'a>) -> Self {
        Entry::Arrays(arrays)
    }
}

impl<'a, T: ArrayScalar, D: Dimension> From<ArrayBase<CowRepr<'a, T>, D>> for Entry<'a> {
    fn from(array: ArrayBase<CowRepr<'a, T>, D>) -> Self {
        Entry::Array(array.into())
    }
}

impl<'a, T: ArrayScalar, D: Dimension> From<ArrayBase<OwnedRepr<T>, D>> for Entry<'a> {
    fn from(array: ArrayBase<OwnedRepr<T>, D>) -> Self {
        Entry::Array(array.into())
    }
}

impl<'a, T: ArrayScalar, D: Dimension> From<ArrayBase<ViewRepr<&'a T>, D>> for Entry<'a> {
    fn from(array: ArrayBase<ViewRepr<&'a T>, D>) -> Self {
        Entry::Array(array.into())
    }
}

impl<'a, T: ArrayScalar, S: Data<Elem = T>, D: Dimension> From<&'a ArrayBase<S, D>> for Entry<'a> {
    fn from(array: &'a ArrayBase<S, D>) -> Self {
        Entry::Array(array.into())
    }
}
