//! The fields that a program goes on with.

use std::collections::BTreeSet;

use super::source::Source;
use super::steps::described;
use crate::access::layout::FieldLayout;
use crate::element::Element;
use crate::field::recorded::state::AnyField;
use crate::field::{Field, OffsetField};

/// One field of a [`State`], of any type.
pub struct StateField<'a>(pub(crate) &'a mut dyn AnyField);

/// What a program goes on with from step to step: fields, and tuples, arrays, vectors and structs of them.
///
/// Fields are told apart by the order in which they are visited, so that a step may swap them, or put new ones of the same type and
/// shape in their place.
///
/// ```
/// use swathe::derivative::{State, StateField};
/// use swathe::{Field, Vec3};
///
/// struct Cloth {
///     pos: Field<Vec3>,
///     vel: Field<Vec3>,
/// }
///
/// impl State for Cloth {
///     fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
///         self.pos.fields(visit);
///         self.vel.fields(visit);
///     }
/// }
///
/// # let device = swathe::Device::cpu();
/// let mut cloth = Cloth { pos: Field::zeros(&device, 17)?, vel: Field::zeros(&device, 17)? };
/// assert_eq!(cloth.sources().len(), 2);
/// # Ok::<(), swathe::Error>(())
/// ```
pub trait State {
    /// Calls the function with each field, always in the same order. A field that is shown twice counts where it is shown first.
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>));

    /// All its fields as sources of a recording: of the loss at the end of [`Tape::steps`](crate::derivative::Tape::steps).
    fn sources(&mut self) -> Vec<Source> {
        described(self).into_iter().map(Source).collect()
    }
}

/// Shows each field of a state once: whoever visits a state does it here.
pub(super) fn each<S: State + ?Sized>(state: &mut S, mut see: impl FnMut(&mut dyn AnyField)) {
    let mut seen = BTreeSet::new();
    state.fields(&mut |StateField(field)| {
        if seen.insert(field.memory().id()) {
            see(field);
            // It may be another one now.
            seen.insert(field.memory().id());
        }
    });
}

impl<T: Element, const D: usize, L: FieldLayout> State for Field<T, D, L> {
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
        visit(StateField(self));
    }
}

impl<T: Element, const D: usize, L: FieldLayout> State for OffsetField<T, D, L> {
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
        self.field_mut().fields(visit);
    }
}

impl<S: State + ?Sized> State for &mut S {
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
        (**self).fields(visit);
    }
}

impl<S: State + ?Sized> State for Box<S> {
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
        (**self).fields(visit);
    }
}

impl<S: State> State for [S] {
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
        self.iter_mut().for_each(|state| state.fields(visit));
    }
}

impl<S: State, const N: usize> State for [S; N] {
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
        self[..].fields(visit);
    }
}

impl<S: State> State for Vec<S> {
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
        self[..].fields(visit);
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: State),*> State for ($($name,)*) {
            #[allow(non_snake_case, unused_variables)]
            fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
                let ($($name,)*) = self;
                $($name.fields(visit);)*
            }
        }
    )*};
}
tuples! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}
