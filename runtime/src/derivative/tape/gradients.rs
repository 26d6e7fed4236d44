//! The result of a way back over a tape.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::source::Sources;
use crate::access::layout::FieldLayout;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::recorded::Held;
use crate::field::recorded::adjoint::Adjoints;
use crate::field::recorded::operation::Step;
use crate::field::recorded::state::Found;

/// The derivatives with respect to the sources of a [`Tape`](crate::derivative::Tape).
///
/// That of a field is a field of the same type, shape, layout and device: the derivative with respect to a member stands in that member,
/// and integers are 0.
pub struct Gradients {
    /// By the number of a source.
    sources: BTreeMap<u64, RefCell<Found>>,
    kept: BTreeMap<u64, RefCell<Found>>,
}

impl Gradients {
    pub(super) fn new(sources: &Sources, adjoints: &Adjoints, steps: &[Step]) -> Result<Gradients> {
        let found = sources
            .iter()
            .map(|source| Ok((source.field(), adjoints.take(source.field())?)));
        let found: Result<Vec<_>> = found.collect();
        let kept = steps.iter().filter_map(Step::keeps);
        Ok(Gradients {
            kept: kept
                .map(|field| (field, RefCell::new(Found::new(adjoints.take_kept(field)))))
                .collect(),
            ..Gradients::of(found?)
        })
    }

    pub(super) fn of(found: Vec<(u64, Option<Held>)>) -> Gradients {
        let sources = found
            .into_iter()
            .map(|(field, found)| (field, RefCell::new(Found::new(found))));
        Gradients {
            sources: sources.collect(),
            kept: BTreeMap::new(),
        }
    }

    pub(super) fn has(&self, field: u64) -> bool {
        self.sources.contains_key(&field)
    }

    /// A copy of what was found for the field with this number, if there is something.
    pub(super) fn found(&self, field: u64) -> Result<Option<Held>> {
        match self.sources.get(&field) {
            Some(found) => found.borrow().duplicate(),
            None => Ok(None),
        }
    }

    /// The derivative with respect to a source, as it was when the recording began: zeros if nothing depends on it. It shares its memory with what
    /// is here until one of the two is written.
    ///
    /// # Errors
    /// [`Error::NoGradient`] for a field that was no source, or whose derivative has been [taken](Gradients::take);
    /// [`Error::OutOfMemory`].
    pub fn get<T: Element, const D: usize, L: FieldLayout>(&self, source: &Field<T, D, L>) -> Result<Field<T, D, L>> {
        self.source(source)?.borrow_mut().get(source)
    }

    /// The derivative with respect to a source, which is here no longer: see [`Gradients::get`].
    ///
    /// # Errors
    /// As there.
    pub fn take<T: Element, const D: usize, L: FieldLayout>(
        &mut self,
        source: &Field<T, D, L>,
    ) -> Result<Field<T, D, L>> {
        self.source(source)?.borrow_mut().take(source)
    }

    /// The derivative with respect to a field at the point where [`Tape::keep`](crate::derivative::Tape::keep) asked for it; of several such points the
    /// first.
    ///
    /// # Errors
    /// [`Error::NoGradient`] for a field that was not asked for; [`Error::OutOfMemory`].
    pub fn kept<T: Element, const D: usize, L: FieldLayout>(&self, field: &Field<T, D, L>) -> Result<Field<T, D, L>> {
        match self.kept.get(&field.id().get()) {
            Some(found) => found.borrow_mut().get(field),
            None => Err(Error::NoGradient {
                field: field.describe(),
                reason: "the recording was not asked for it where it varies: write `Tape::keep(&field)?` there",
            }),
        }
    }

    fn source<T: Element, const D: usize, L: FieldLayout>(&self, source: &Field<T, D, L>) -> Result<&RefCell<Found>> {
        match self.sources.get(&source.id().get()) {
            Some(found) => Ok(found),
            None => Err(Error::NoGradient {
                field: source.describe(),
                reason: "it is no source of the recording: write `field.source()` into the list of `Tape::record`",
            }),
        }
    }
}

impl std::fmt::Debug for Gradients {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gradients")
            .field("sources", &self.sources.len())
            .finish_non_exhaustive()
    }
}
