//! One member of every element of a field.

use std::marker::PhantomData;

use ndarray::{ArrayRef, Dim, Dimension};
use swathe_ir::Type;

use crate::access::Position;
use crate::access::layout::{Aos, FieldLayout};
use crate::device::Device;
use crate::element::Element;
use crate::element::external::External;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::cow::CowMemory;
use crate::field::exchange::array::{ArrayOf, to_ndarray};
use crate::field::members::place::{Place, room};
use crate::field::memory::Memory;
use crate::field::views::view::{FieldView, FieldViewMut, Region};
use crate::recording;

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The member of that name, of type `M`, of all elements. A path reaches into nested structs: `"body.mass"`.
    ///
    /// # Errors
    /// [`Error::MemberNotFound`] or [`Error::MemberType`], which say what there is.
    pub fn member<M: Element>(&self, path: &str) -> Result<Member<'_, M, D, L>> {
        let offset = find::<T, M>(path)?;
        let Field { memory, shape, .. } = self;
        Ok(Member {
            memory,
            shape: *shape,
            element: size_of::<T>(),
            offset,
            exclusive: false,
            part: PhantomData,
        })
    }

    /// As [`Field::member`], to write.
    ///
    /// # Errors
    /// As [`Field::member`]; those of [`Field::view_mut`].
    pub fn member_mut<M: Element>(&mut self, path: &str) -> Result<MemberMut<'_, M, D, L>> {
        let offset = find::<T, M>(path)?;
        self.prepare()?;
        Ok(MemberMut {
            shape: self.shape,
            memory: &mut self.memory,
            element: size_of::<T>(),
            offset,
            part: PhantomData,
        })
    }
}

/// One member of every element of a field, to read: see [`Field::member`].
///
/// Its array is that of a field of the member's type: a `Vec2` in a field of shape `(h, w)` is an array of shape
/// `(h, w, 2)`. A member that is a struct is a dictionary of arrays.
///
/// ```
/// use ndarray::{Ix1, array};
/// use swathe::prelude::*;
///
/// #[derive(Element, Clone, Copy, Default)]
/// struct Body {
///     mass: f64,
///     fixed: bool,
/// }
///
/// #[derive(Element, Clone, Copy, Default)]
/// struct Particle {
///     pos: Vec2,
///     body: Body,
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let mut particles = Field::<Particle>::zeros(&Device::default(), 3)?;
/// particles.member_mut::<Vec2>("pos")?.copy_from_ndarray(&array![[0.0, 1.0, 2.0], [5.0, 6.0, 7.0]].t())?;
/// particles.member_mut::<f64>("body.mass")?.fill(0.5)?;
/// assert_eq!(particles.get(2)?.pos, Vec2::new(2.0, 7.0));
///
/// let pos = particles.member::<Vec2>("pos")?;
/// assert_eq!(pos.to_ndarray()?, array![[0.0, 5.0], [1.0, 6.0], [2.0, 7.0]]);
/// let body = particles.member::<Body>("body")?.to_arrays()?;
/// assert_eq!(body.array::<f64, Ix1>("mass")?, array![0.5, 0.5, 0.5]);
///
/// let error = particles.member::<f32>("body.mass").map(drop).unwrap_err();
/// assert_eq!(error.to_string(), "member `body.mass` of `Particle` is of type `f64`, not `f32`");
/// # Ok(())
/// # }
/// ```
pub struct Member<'a, M: Element, const D: usize = 1, L: FieldLayout = Aos> {
    pub(in crate::field) memory: &'a CowMemory,
    shape: [usize; D],
    element: usize,
    offset: usize,
    /// Whether it may be written at its address.
    exclusive: bool,
    part: PhantomData<(M, L)>,
}

/// One member of every element of a field, to write: see [`Field::member_mut`].
pub struct MemberMut<'a, M: Element, const D: usize = 1, L: FieldLayout = Aos> {
    memory: &'a mut CowMemory,
    shape: [usize; D],
    element: usize,
    offset: usize,
    part: PhantomData<(M, L)>,
}

impl<M: Element, const D: usize, L: FieldLayout> Member<'_, M, D, L> {
    /// The field's shape.
    #[must_use]
    pub fn shape(&self) -> [usize; D] {
        self.shape
    }

    /// The member of the element at a position.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn get(&self, index: impl Position<D>) -> Result<M> {
        self.memory.read()?;
        let spot = self.region().locate(index.axes())?;
        // SAFETY: the member lies inside the memory, which is borrowed, and is of type `M`.
        unsafe { spot.get(self.device()) }
    }

    /// The members as a part of the field, of which there are slices and transposes.
    #[must_use]
    pub fn view(&self) -> FieldView<'_, M, D, L::Member> {
        // SAFETY: there is a member of type `M` at that offset of each element.
        unsafe { FieldView::new(self.region()) }
    }

    pub(in crate::field) fn place(&self) -> Place<'_> {
        Place {
            shape: &self.shape,
            element: self.element,
            offset: self.offset,
            size: size_of::<M>(),
            room: room::<L>(&self.shape),
        }
    }
}

macro_rules! regions {
    ($($member:ident: $exclusive:expr),*) => {$(
        impl<M: Element, const D: usize, L: FieldLayout> $member<'_, M, D, L> {
            pub(in crate::field) fn region(&self) -> Region<'_, D> {
                Region {
                    exclusive: $exclusive(self),
                    ..Region::of::<L>(self.memory, self.shape, self.element, self.offset)
                }
            }

            pub(in crate::field) fn device(&self) -> &Device {
                self.memory.device()
            }

            pub(in crate::field) fn extents(&self) -> &[usize] {
                &self.shape
            }
        }
    )*};
}
regions!(Member: |member: &Self| member.exclusive, MemberMut: |_| true);

impl<M: External, const D: usize, L: FieldLayout> Member<'_, M, D, L> {
    /// As [`Field::to_ndarray`].
    ///
    /// # Errors
    /// As there.
    pub fn to_ndarray(&self) -> Result<ArrayOf<M, D>>
    where
        Dim<[usize; D]>: Dimension,
    {
        to_ndarray::<M, D>(self.memory.read()?, self.place())
    }

    /// As [`Field::copy_to_ndarray`].
    ///
    /// # Errors
    /// As there.
    pub fn copy_to_ndarray<E: Dimension>(&self, array: &mut ArrayRef<M::Scalar, E>) -> Result<()> {
        let what = format!(
            "copying a member of type {}, in a field of shape {:?}, into an array",
            M::ty(),
            self.shape
        );
        self.place().check(&M::AXES, array.shape(), &what)?;
        let to = array.as_mut_ptr().cast();
        // SAFETY: the shapes are equal, and the array is borrowed exclusively, which ndarray grants only for arrays
        // whose positions are distinct.
        unsafe { self.place().export(self.memory.read()?, &M::AXES, to, array.strides()) }
    }
}

impl<M: Element, const D: usize, L: FieldLayout> MemberMut<'_, M, D, L> {
    /// The same member, to read.
    #[must_use]
    pub fn as_member(&self) -> Member<'_, M, D, L> {
        let MemberMut {
            ref memory,
            shape,
            element,
            offset,
            part,
        } = *self;
        Member {
            memory,
            shape,
            element,
            offset,
            exclusive: true,
            part,
        }
    }

    /// As [`Member::view`], to write.
    #[must_use]
    pub fn view_mut(&mut self) -> FieldViewMut<'_, M, D, L::Member> {
        // SAFETY: there is a member of type `M` at that offset of each element, and the memory is borrowed exclusively.
        unsafe { FieldViewMut::new(self.region()) }
    }

    /// Sets the member of the element at a position.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn set(&mut self, index: impl Position<D>, value: M) -> Result<()> {
        self.memory.write()?;
        let spot = self.region().locate(index.axes())?;
        // SAFETY: the member lies inside the memory, which is borrowed exclusively, and is of type `M`.
        unsafe { spot.set(self.device(), value) }
    }

    /// The memory, and where the members lie in it.
    ///
    /// # Errors
    /// [`Error::NotRecordable`].
    pub(in crate::field) fn split(&mut self) -> Result<(&mut Memory, Place<'_>)> {
        self.memory.write()?;
        let place = Place {
            shape: &self.shape,
            element: self.element,
            offset: self.offset,
            size: size_of::<M>(),
            room: room::<L>(&self.shape),
        };
        Ok((self.memory.own(), place))
    }

    /// Sets the member of every element.
    ///
    /// # Errors
    /// Of the device.
    pub fn fill(&mut self, value: M) -> Result<()> {
        if !self.device().backend().is_host() || recording::is_recording() {
            return self.view_mut().fill(value);
        }
        let (memory, place) = self.split()?;
        // SAFETY: the place is one of the memory, and `value` is of the member's type.
        unsafe { place.fill(memory, &M::ty(), (&raw const value).cast()) }
    }
}

impl<M: External, const D: usize, L: FieldLayout> MemberMut<'_, M, D, L> {
    /// As [`Field::copy_from_ndarray`].
    ///
    /// # Errors
    /// As there.
    pub fn copy_from_ndarray<E: Dimension>(&mut self, array: &ArrayRef<M::Scalar, E>) -> Result<()> {
        let (memory, place) = self.split()?;
        let what = importing::<M>(place.shape);
        place.check(&M::AXES, array.shape(), &what)?;
        // SAFETY: the shapes are equal, and the array lets us read all its positions.
        unsafe { place.import(memory, &M::AXES, array.as_ptr().cast(), array.strides()) }
    }
}

/// What an import into a member attempts.
pub(in crate::field) fn importing<M: Element>(shape: &[usize]) -> String {
    format!(
        "copying an array into a member of type {}, in a field of shape {shape:?}",
        M::ty()
    )
}

/// Offset of a member in bytes.
fn find<T: Element, M: Element>(path: &str) -> Result<usize> {
    let element = T::ty();
    let mut ty = &element;
    let mut offset = 0;
    for name in path.split('.') {
        let members = match ty {
            Type::Struct(s) => s.members.as_slice(),
            _ => &[],
        };
        let Some(member) = members.iter().find(|m| m.name == name) else {
            let known = members.iter().map(|m| m.name.clone()).collect();
            return Err(Error::MemberNotFound {
                ty: ty.to_string(),
                name: name.to_owned(),
                known,
            });
        };
        offset += member.offset;
        ty = &member.ty;
    }
    // The sizes differ never if the types are equal, but memory safety should not hang on that.
    let asked = M::ty();
    if *ty == asked && offset + size_of::<M>() <= size_of::<T>() {
        return Ok(offset);
    }
    let (mut found, mut wanted) = (ty.to_string(), asked.to_string());
    if found == wanted
        && let (Type::Struct(a), Type::Struct(b)) = (ty, &asked)
    {
        (found, wanted) = (a.path.clone(), b.path.clone());
    }
    Err(Error::MemberType {
        ty: element.to_string(),
        path: path.to_owned(),
        found,
        asked: wanted,
    })
}
