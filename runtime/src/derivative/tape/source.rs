//! What a recording starts from, and what its way back starts from.

use std::collections::BTreeSet;

use crate::access::layout::FieldLayout;
use crate::element::Element;
use crate::field::recorded::state::{AnyField, Described};
use crate::field::{Field, OffsetField};

/// A field with respect to which a tape has derivatives: [`Field::source`]. It holds no borrow and no elements.
#[derive(Clone)]
pub struct Source(pub(super) Described);

impl Source {
    pub(super) fn field(&self) -> u64 {
        self.0.field()
    }

    /// Whether its elements have derivatives.
    pub(super) fn is_active(&self) -> bool {
        self.0.is_active()
    }
}

/// Sources, each field once, in the order in which they were named first.
pub(super) struct Sources(Vec<Source>);

impl Sources {
    pub fn of(named: impl IntoIterator<Item = Source>) -> Sources {
        let mut fields = BTreeSet::new();
        let first = named.into_iter().filter(|source| fields.insert(source.field()));
        Sources(first.collect())
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Source> {
        self.0.iter()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Source").field(&self.field()).finish()
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// As a source of [`Tape::record`](crate::derivative::Tape::record).
    #[must_use]
    pub fn source(&self) -> Source {
        Source(self.described())
    }
}

impl<T: Element, const D: usize, L: FieldLayout> OffsetField<T, D, L> {
    /// As [`Field::source`].
    #[must_use]
    pub fn source(&self) -> Source {
        self.field().source()
    }
}

/// A field, of any type, where a tape's way back begins: in [`Tape::backward_from`](crate::derivative::Tape::backward_from).
pub trait Seed: sealed::Sealed {}

pub(super) mod sealed {
    use crate::field::recorded::state::AnyField;

    pub trait Sealed {
        fn any(&self) -> &dyn AnyField;
    }
}

impl<T: Element, const D: usize, L: FieldLayout> sealed::Sealed for Field<T, D, L> {
    fn any(&self) -> &dyn AnyField {
        self
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Seed for Field<T, D, L> {}

impl<T: Element, const D: usize, L: FieldLayout> sealed::Sealed for OffsetField<T, D, L> {
    fn any(&self) -> &dyn AnyField {
        self.field()
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Seed for OffsetField<T, D, L> {}
