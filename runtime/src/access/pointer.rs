//! Elements of arguments as native code reaches them.

use crate::element::Element;

/// An element of an argument. `u[i].pos.x = v` becomes: the place `(*base).pos.x`, and a value moved there or from there.
pub trait Pointer: Copy {
    /// The element's type.
    type Target;

    /// Room for what stands for the element in a place.
    type StandIn;

    /// A place in the element.
    type Part<M>: Pointer<Target = M>;

    /// Made anew for each place.
    fn stand_in(self) -> Self::StandIn;

    /// What places are written with: the element, or its stand-in, of which only the place's distance from the start counts.
    fn base(self, room: &mut Self::StandIn) -> *mut Self::Target;

    /// The element.
    ///
    /// # Safety
    /// It may be read.
    unsafe fn read(self) -> Self::Target
    where
        Self::Target: Element;

    /// Sets the element.
    ///
    /// # Safety
    /// It may be written.
    unsafe fn write(self, value: Self::Target)
    where
        Self::Target: Element;

    /// The value of a place in the element.
    ///
    /// # Safety
    /// It may be read, and `place` is in the element at `base`.
    unsafe fn get<M: Element>(self, base: *mut Self::Target, place: *mut M) -> M;

    /// Sets a place in the element.
    ///
    /// # Safety
    /// It may be written, and `place` is in the element at `base`.
    unsafe fn set<M: Element>(self, base: *mut Self::Target, place: *mut M, value: M);

    /// A place in the element, by where it is in another one at `base`.
    ///
    /// # Safety
    /// `place` is in the element at `base`.
    unsafe fn part<M>(self, base: *mut Self::Target, place: *mut M) -> Self::Part<M>;

    /// Address of the first scalar.
    fn first(self) -> *mut Self::Target
    where
        Self::Target: Element;

    /// Distance of components, in their size.
    fn pitch(self) -> usize;
}

impl<T> Pointer for *mut T {
    type Target = T;
    type StandIn = ();
    type Part<M> = *mut M;

    #[inline(always)]
    fn stand_in(self) {}

    #[inline(always)]
    fn base(self, (): &mut ()) -> *mut T {
        self
    }

    #[inline(always)]
    unsafe fn read(self) -> T
    where
        T: Element,
    {
        // SAFETY: by the caller's word.
        unsafe { *self }
    }

    #[inline(always)]
    unsafe fn write(self, value: T)
    where
        T: Element,
    {
        // SAFETY: by the caller's word.
        unsafe { *self = value }
    }

    #[inline(always)]
    unsafe fn get<M: Element>(self, _: *mut T, place: *mut M) -> M {
        // SAFETY: by the caller's word.
        unsafe { *place }
    }

    #[inline(always)]
    unsafe fn set<M: Element>(self, _: *mut T, place: *mut M, value: M) {
        // SAFETY: by the caller's word.
        unsafe { *place = value }
    }

    #[inline(always)]
    unsafe fn part<M>(self, base: *mut T, place: *mut M) -> *mut M {
        // SAFETY: by the caller's word it is inside of this element, too.
        unsafe { self.byte_add(distance(base, place)).cast() }
    }

    #[inline(always)]
    fn first(self) -> *mut T
    where
        T: Element,
    {
        self
    }

    #[inline(always)]
    fn pitch(self) -> usize {
        1
    }
}

/// A place in all elements of a structure of arrays, and which element. The scalar of size `s` at the offset `o` of element
/// `i` lies at `at + pitch * o + i * s`: each scalar has a plane of its own, and no table says where it is.
#[derive(Clone, Copy, Debug)]
pub struct Planes {
    at: *mut u8,
    pitch: usize,
    index: isize,
}

impl Planes {
    /// Element `index`, of elements with room for `pitch` of them.
    #[inline(always)]
    #[must_use]
    pub fn new(at: *mut u8, pitch: usize, index: isize) -> Planes {
        Planes { at, pitch, index }
    }

    /// A member at an offset of this place.
    ///
    /// # Safety
    /// It has one there.
    #[inline(always)]
    #[must_use]
    pub unsafe fn member(self, offset: usize) -> Planes {
        // SAFETY: by the caller's word the member's plane is part of the same memory.
        let at = unsafe { self.at.add(self.pitch * offset) };
        Planes { at, ..self }
    }

    /// The address, if the place is a scalar of that size.
    ///
    /// # Safety
    /// It is one.
    #[inline(always)]
    #[must_use]
    pub(crate) unsafe fn of_size(self, size: usize) -> *mut u8 {
        // SAFETY: by the caller's word.
        unsafe { self.at.offset(self.index * size as isize) }
    }

    /// The address, if the place is a scalar.
    ///
    /// # Safety
    /// It is one, of type `S`.
    #[inline(always)]
    #[must_use]
    pub unsafe fn scalar<S>(self) -> *mut S {
        // SAFETY: by the caller's word.
        unsafe { self.at.cast::<S>().offset(self.index) }
    }
}

/// An element of a structure of arrays.
#[derive(Debug)]
pub struct PlanarPointer<T> {
    planes: Planes,
    element: std::marker::PhantomData<*mut T>,
}

impl<T> Clone for PlanarPointer<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PlanarPointer<T> {}

impl<T> PlanarPointer<T> {
    #[inline(always)]
    pub(super) fn new(planes: Planes) -> Self {
        PlanarPointer {
            planes,
            element: std::marker::PhantomData,
        }
    }
}

impl<T> Pointer for PlanarPointer<T> {
    type Target = T;
    type StandIn = std::mem::MaybeUninit<T>;
    type Part<M> = PlanarPointer<M>;

    #[inline(always)]
    fn stand_in(self) -> Self::StandIn {
        zeroed(self)
    }

    #[inline(always)]
    fn base(self, room: &mut Self::StandIn) -> *mut T {
        room.as_mut_ptr()
    }

    #[inline(always)]
    unsafe fn read(self) -> T
    where
        T: Element,
    {
        // SAFETY: by the caller's word.
        unsafe { T::gather(self.planes) }
    }

    #[inline(always)]
    unsafe fn write(self, value: T)
    where
        T: Element,
    {
        // SAFETY: by the caller's word.
        unsafe { value.scatter(self.planes) }
    }

    #[inline(always)]
    unsafe fn get<M: Element>(self, base: *mut T, place: *mut M) -> M {
        // SAFETY: by the caller's word.
        unsafe { M::gather(self.planes.member(distance(base, place))) }
    }

    #[inline(always)]
    unsafe fn set<M: Element>(self, base: *mut T, place: *mut M, value: M) {
        // SAFETY: by the caller's word.
        unsafe { value.scatter(self.planes.member(distance(base, place))) }
    }

    #[inline(always)]
    unsafe fn part<M>(self, base: *mut T, place: *mut M) -> PlanarPointer<M> {
        // SAFETY: by the caller's word.
        PlanarPointer::new(unsafe { self.planes.member(distance(base, place)) })
    }

    #[inline(always)]
    fn first(self) -> *mut T
    where
        T: Element,
    {
        // SAFETY: that is the size of the scalars.
        unsafe { self.planes.of_size(T::SCALAR).cast() }
    }

    #[inline(always)]
    fn pitch(self) -> usize {
        self.planes.pitch
    }
}

/// Room that stands for an element, of which places are asked. All bytes zero are an element, so that operators of its members may be called.
#[inline(always)]
pub fn zeroed<P: Pointer>(_: P) -> std::mem::MaybeUninit<P::Target> {
    std::mem::MaybeUninit::zeroed()
}

/// How far from the start of an element a place is.
#[inline(always)]
fn distance<T, M>(base: *mut T, place: *mut M) -> usize {
    let distance = place.addr().wrapping_sub(base.addr());
    debug_assert!(distance <= size_of::<T>() && size_of::<M>() <= size_of::<T>() - distance);
    distance
}
