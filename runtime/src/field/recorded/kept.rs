//! Arguments of operations, for later: the elements at entry, and the adjoint.

use std::cell::Cell;
use std::rc::Rc;

use super::adjoint::Room;
use crate::access::MAX_RANK;
use crate::access::layout::Layout;
use crate::device::argument::{ArgKind, LaunchArg, Part, Planes};
use crate::error::{Error, Result};
use crate::field::cow::CowMemory;
use crate::parameter::{Argument, ArgumentMut, Parameter};
use crate::recording::Place;

/// What devices are told of an argument, owned.
#[derive(Clone, Copy)]
pub(super) struct Told {
    at: *mut u8,
    shape: [usize; MAX_RANK],
    rank: usize,
    part: Option<Part>,
    planes: Option<Planes>,
    origin: Option<[isize; MAX_RANK]>,
}

impl Told {
    pub fn of(argument: &LaunchArg<'_>) -> Option<Told> {
        let ArgKind::Field {
            at,
            shape,
            part,
            planes,
            origin,
        } = argument.0
        else {
            return None;
        };
        let mut axes = [0; MAX_RANK];
        axes[..shape.len()].copy_from_slice(shape);
        Some(Told {
            at,
            shape: axes,
            rank: shape.len(),
            part,
            planes,
            origin,
        })
    }

    /// Whether bytes of an element, of which there are so many, stand at several positions, as in a broadcast view.
    pub fn repeats(&self, element: usize) -> bool {
        let shape = &self.shape[..self.rank];
        // An empty part, or one of elements without size, has any strides.
        if element == 0 || shape.contains(&0) {
            return false;
        }
        let axes = |part: Part| shape.iter().zip(part.strides).any(|(n, stride)| *n > 1 && stride == 0);
        self.part.is_some_and(axes)
    }

    fn argument(&self, from: *mut u8, to: *mut u8) -> LaunchArg<'_> {
        let moved = |at: *mut u8| to.wrapping_add(at.addr().wrapping_sub(from.addr()));
        LaunchArg(ArgKind::Field {
            at: moved(self.at),
            shape: &self.shape[..self.rank],
            part: self.part.map(|part| Part {
                field: moved(part.field),
                ..part
            }),
            planes: self.planes,
            origin: self.origin,
        })
    }
}

/// How an argument's elements lie in the memory of its field.
pub(super) struct Lie<P: Parameter + ?Sized, L: Layout> {
    /// Not to be used but [moved](Parameter::moved).
    access: P::Access<'static, L>,
    told: Told,
    /// Where the memory began.
    base: *mut u8,
}

impl<P: Parameter + ?Sized, L: Layout> Clone for Lie<P, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Parameter + ?Sized, L: Layout> Copy for Lie<P, L> {}

impl<P: Parameter + ?Sized, L: Layout> Lie<P, L> {
    /// That of an argument in memory that began at `base`.
    pub fn of<A: Argument<P, Layout = L> + ?Sized>(argument: &A, told: Told, base: *mut u8) -> Lie<P, L> {
        Lie {
            // SAFETY: it is not used before it is moved to memory that holds such elements.
            access: unsafe { P::moved(argument.access(), base, base) },
            told,
            base,
        }
    }

    /// # Safety
    /// The memory holds what that of the argument's field held.
    unsafe fn access<'a>(&self, memory: &'a CowMemory) -> P::Access<'a, L> {
        // SAFETY: by the caller's word.
        unsafe { P::moved(self.access, self.base, memory.raw().address()) }
    }

    fn argument(&self, memory: &CowMemory) -> LaunchArg<'_> {
        self.told.argument(self.base, memory.raw().address())
    }
}

/// The elements of an argument as they were when its operation began. It is an argument as the operation's own.
pub struct Kept<P: Parameter + ?Sized, L: Layout> {
    memory: CowMemory,
    lie: Lie<P, L>,
}

impl<P: Parameter + ?Sized, L: Layout> Kept<P, L> {
    /// # Safety
    /// The memory is a clone or a copy of that of the argument's field, or has other elements in their places.
    pub(super) unsafe fn new(memory: CowMemory, lie: Lie<P, L>) -> Self {
        Kept { memory, lie }
    }
}

// SAFETY: the memory holds the argument's elements, and nobody writes to it: a field that shares it is given other memory first.
#[diagnostic::do_not_recommend]
unsafe impl<P: Parameter + ?Sized, L: Layout> Argument<P> for Kept<P, L> {
    type Layout = L;

    fn place(&self) -> Option<Place<'_>> {
        Some(self.memory.place(false))
    }

    fn access(&self) -> P::Access<'_, L> {
        // SAFETY: by the word of who made this.
        unsafe { self.lie.access(&self.memory) }
    }

    fn launch_arg(&self) -> LaunchArg<'_> {
        self.lie.argument(&self.memory)
    }
}

/// Which argument of which operation, whatever its elements are.
pub(super) struct Handle {
    pub name: &'static str,
    /// The number of the operation, and of the argument in it.
    pub operation: u64,
    pub index: usize,
    /// The number of the field.
    pub field: u64,
    pub varied: bool,
    pub room: Room,
    /// Whether its adjoint is lent.
    pub in_use: Cell<bool>,
}

/// An argument of an operation.
pub struct Input<P: Parameter + ?Sized, L: Layout> {
    pub(super) handle: Handle,
    pub(super) lie: Lie<P, L>,
    pub(super) kept: Option<Kept<P, L>>,
}

impl<P: Parameter + ?Sized, L: Layout> Input<P, L> {
    /// Whether it depends on the sources of the recording.
    #[must_use]
    pub fn is_varied(&self) -> bool {
        self.handle.varied
    }

    /// The elements as they were when the operation began.
    ///
    /// # Errors
    /// [`Error::NotRecordable`] if it was named with [`Keep::Nothing`](super::operation::Keep::Nothing).
    pub fn value(&self) -> Result<&Kept<P, L>> {
        self.kept.as_ref().ok_or_else(|| Error::NotRecordable {
            what: format!("the value of `{}`", self.handle.name),
            reason: "it was named with `Keep::Nothing`; write `Keep::Value`",
        })
    }

    /// Zeros in the place of the elements, for whom types and extents are enough.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    #[doc(hidden)]
    pub fn zeros(&self) -> Result<Kept<P, L>> {
        // SAFETY: a memory of the same size, in which all bytes zero are elements.
        Ok(unsafe { Kept::new(self.handle.room.zeros()?, self.lie) })
    }
}

/// The adjoint of an argument: of its type, shape and layout.
pub struct Adjoint<'a, P: Parameter + ?Sized, L: Layout> {
    pub(super) memory: Rc<CowMemory>,
    pub(super) lie: Lie<P, L>,
    /// No longer when this is dropped.
    pub(super) in_use: &'a Cell<bool>,
}

impl<P: Parameter + ?Sized, L: Layout> Drop for Adjoint<'_, P, L> {
    fn drop(&mut self) {
        self.in_use.set(false);
    }
}

// SAFETY: the memory has the size of that of the argument's field: `Room::admit`.
#[diagnostic::do_not_recommend]
unsafe impl<P: Parameter + ?Sized, L: Layout> Argument<P> for Adjoint<'_, P, L> {
    type Layout = L;

    fn place(&self) -> Option<Place<'_>> {
        Some(self.memory.place(true))
    }

    fn access(&self) -> P::Access<'_, L> {
        // SAFETY: it has that size, and holds zeros or adjoints.
        unsafe { self.lie.access(&self.memory) }
    }

    fn launch_arg(&self) -> LaunchArg<'_> {
        self.lie.argument(&self.memory)
    }
}

// SAFETY: as above; `Adjoints::of` lends elements once at a time, for no longer than the closure runs that is given the `Adjoints`. Elements
// of different positions are distinct: `Operation::named` refuses others.
#[diagnostic::do_not_recommend]
unsafe impl<P: Parameter + ?Sized, L: Layout> ArgumentMut<P> for Adjoint<'_, P, L> {
    fn prepare(&mut self) -> Result<()> {
        self.memory.may_write()
    }

    fn access_mut(&mut self) -> P::Access<'_, L> {
        Argument::access(&*self)
    }

    fn launch_arg_mut(&mut self) -> LaunchArg<'_> {
        Argument::launch_arg(&*self)
    }
}
