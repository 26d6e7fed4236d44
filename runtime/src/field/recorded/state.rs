//! Fields of any type, for tapes.

use swathe_ir::Scalar;

use super::accumulate::add_all;
use super::adjoint::{Adjoints, Room};
use super::number::{floats, is_of_floats};
use super::operation::keep;
use crate::access::layout::FieldLayout;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::cow::CowMemory;

/// What a tape knows of a field without its elements.
#[derive(Clone)]
pub(crate) struct Described {
    field: u64,
    room: Room,
    axes: Vec<usize>,
}

impl Described {
    pub fn field(&self) -> u64 {
        self.field
    }

    pub fn of(field: &dyn AnyField) -> Described {
        Described {
            field: field.memory().id().get(),
            room: Room::of(field.memory()),
            axes: field.axes().to_vec(),
        }
    }

    /// As errors name it.
    pub fn describe(&self) -> String {
        let Room { device, bytes, form } = &self.room;
        format!("a field of `{}` ({bytes} bytes, on {device})", (form.ty)())
    }

    /// Whether another field has the same type, shape and device.
    pub fn is_like(&self, other: &Described) -> bool {
        self.axes == other.axes && self.room.is_like(&other.room)
    }

    /// Whether its elements have derivatives.
    pub fn is_active(&self) -> bool {
        !floats(&(self.room.form.ty)()).is_empty()
    }
}

/// A field of any type.
pub trait AnyField {
    fn memory(&self) -> &CowMemory;

    fn memory_mut(&mut self) -> &mut CowMemory;

    /// As errors name it.
    fn label(&self) -> String;

    /// Length of each axis.
    fn axes(&self) -> &[usize];

    /// Size of its memory.
    fn bytes(&self) -> usize {
        self.memory().raw().size()
    }
}

/// A number that no field has yet.
pub(crate) fn next_field() -> u64 {
    CowMemory::next_id()
}

/// What a field held.
pub(crate) struct Saved {
    memory: CowMemory,
    axes: Vec<usize>,
    /// Which field it was, and how often it had been written.
    of: (u64, u64),
}

impl Saved {
    pub fn of(field: &dyn AnyField) -> Result<Saved> {
        let memory = field.memory();
        Ok(Saved {
            memory: memory.try_clone()?,
            axes: field.axes().to_vec(),
            of: (memory.id().get(), memory.write_count()),
        })
    }

    pub fn try_clone(&self) -> Result<Saved> {
        Ok(Saved {
            memory: self.memory.try_clone()?,
            axes: self.axes.clone(),
            of: self.of,
        })
    }

    /// Whether the field may hold something else now, or is another one.
    pub fn is_other(&self, field: &dyn AnyField) -> bool {
        let memory = field.memory();
        self.of != (memory.id().get(), memory.write_count())
    }

    /// Lets a field hold it again.
    ///
    /// # Errors
    /// [`Error::State`] for a field of another shape, type or device.
    pub fn restore(&self, field: &mut dyn AnyField) -> Result<()> {
        let (form, other) = (self.memory.form(), field.memory().form());
        let same = self.axes == field.axes()
            && form.planar == other.planar
            && (form.ty)() == (other.ty)()
            && self.memory.device() == field.memory().device();
        if !same {
            let (ty, device, axes) = ((form.ty)(), self.memory.device(), &self.axes);
            return Err(Error::State {
                reason: format!(
                    "it holds {}, where it held elements `{ty}` in shape {axes:?} on {device}",
                    field.label()
                ),
            });
        }
        field.memory_mut().restore(&self.memory)
    }
}

impl<T: Element, const D: usize, L: FieldLayout> AnyField for Field<T, D, L> {
    fn memory(&self) -> &CowMemory {
        &self.memory
    }

    fn memory_mut(&mut self) -> &mut CowMemory {
        &mut self.memory
    }

    fn label(&self) -> String {
        self.describe()
    }

    fn axes(&self) -> &[usize] {
        &self.shape
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    pub(crate) fn described(&self) -> Described {
        Described::of(self)
    }

    pub(crate) fn keep_adjoint(&self) -> Result<()> {
        keep(&self.memory)
    }
}

/// Adds a copy of the elements of a field to the adjoint of another one, of the same type and shape.
///
/// # Errors
/// [`Error::Shape`], [`Error::Seed`].
pub(crate) fn seed(adjoints: &Adjoints, field: &dyn AnyField, seed: &dyn AnyField) -> Result<()> {
    if field.axes() != seed.axes() {
        return Err(Error::Shape {
            what: format!("the seed of {}", field.label()),
            expected: format!("{:?}", field.axes()),
            got: seed.axes().to_vec(),
        });
    }
    let (memory, from) = (field.memory(), seed.memory());
    let (form, other) = (memory.form(), from.form());
    if (form.ty)() != (other.ty)() || form.planar != other.planar {
        return Err(Error::Seed {
            field: field.label(),
            seed: seed.label(),
        });
    }
    let mut adjoint = Room::of(memory).zeros()?;
    match is_of_floats(&(form.ty)()) {
        true => {
            adjoint.prepare();
            adjoint.own().copy_from(from.read()?)?;
        }
        // Integers of a derivative are 0.
        false => {
            from.read()?;
            add_all(&adjoint, from)?;
        }
    }
    adjoints.add(memory.id().get(), adjoint)
}

/// A derivative that a way back has found.
pub(crate) enum Found {
    Zero,
    Here(CowMemory),
    Taken,
}

impl Found {
    pub fn new(memory: Option<CowMemory>) -> Found {
        memory.map_or(Found::Zero, Found::Here)
    }

    /// As a field like this one.
    pub fn get<T: Element, const D: usize, L: FieldLayout>(&mut self, like: &Field<T, D, L>) -> Result<Field<T, D, L>> {
        match self {
            Found::Zero => Ok(Field::of_memory(Room::of(&like.memory).zeros()?, like.shape)),
            Found::Here(memory) => {
                Room::of(&like.memory).admit(memory)?;
                Ok(Field::of_memory(memory.try_clone()?, like.shape))
            }
            Found::Taken => Err(Error::NoGradient {
                field: like.describe(),
                reason: "it has been taken already: use `get`, which shares it",
            }),
        }
    }

    /// A copy.
    pub fn duplicate(&self) -> Result<Option<CowMemory>> {
        match self {
            Found::Here(memory) => memory.duplicate().map(Some),
            Found::Zero | Found::Taken => Ok(None),
        }
    }

    /// The same, and no more.
    pub fn take<T: Element, const D: usize, L: FieldLayout>(
        &mut self,
        like: &Field<T, D, L>,
    ) -> Result<Field<T, D, L>> {
        if let Found::Here(memory) = self {
            Room::of(&like.memory).admit(memory)?;
        }
        match std::mem::replace(self, Found::Taken) {
            Found::Here(memory) => Ok(Field::of_memory(memory, like.shape)),
            mut other => other.get(like),
        }
    }
}

/// The floats of a field, one by one, from the host: element by element, and of each element in the order in which they lie in it.
pub(crate) struct Numbers<'a> {
    field: &'a mut dyn AnyField,
    /// Offset and type of each float of an element.
    floats: Vec<(usize, Scalar)>,
}

impl<'a> Numbers<'a> {
    pub fn of_field(field: &'a mut dyn AnyField) -> Numbers<'a> {
        let floats = floats(&(field.memory().form().ty)());
        Numbers { field, floats }
    }

    fn elements(&self) -> usize {
        self.field.axes().iter().product()
    }

    pub fn len(&self) -> usize {
        self.floats.len() * self.elements()
    }

    /// Where a number lies.
    ///
    /// # Errors
    /// [`Error::State`] if there is none: the field may be another one at each visit.
    fn place(&self, i: usize) -> Result<(usize, Scalar)> {
        if i >= self.len() {
            return Err(Error::State {
                reason: format!("{} has no number {i}", self.field.label()),
            });
        }
        Ok(self.place_of(i))
    }

    fn place_of(&self, i: usize) -> (usize, Scalar) {
        let (element, (offset, scalar)) = (i / self.floats.len(), self.floats[i % self.floats.len()]);
        let form = self.field.memory().form();
        let at = match form.planar {
            true => (self.field.bytes() / form.size) * offset + element * scalar.size(),
            false => element * form.size + offset,
        };
        (at, scalar)
    }

    /// All of them, of a memory of the same form.
    pub fn of(&self, memory: &CowMemory) -> Result<Vec<f64>> {
        Room::of(self.field.memory()).admit(memory)?;
        (0..self.len()).map(|i| read(memory, self.place_of(i))).collect()
    }

    pub fn get(&self, i: usize) -> Result<f64> {
        read(self.field.memory(), self.place(i)?)
    }

    /// Sets one, rounded to its type.
    pub fn set(&mut self, i: usize, value: f64) -> Result<()> {
        let (at, scalar) = self.place(i)?;
        let bytes = match scalar {
            Scalar::F64 => value.to_ne_bytes().to_vec(),
            Scalar::F32 => (value as f32).to_ne_bytes().to_vec(),
            Scalar::F16 => half::f16::from_f64(value).to_ne_bytes().to_vec(),
            _ => half::bf16::from_f64(value).to_ne_bytes().to_vec(),
        };
        let memory = self.field.memory_mut();
        memory.write()?;
        if !memory.prepare() {
            memory.unshare()?;
        }
        // SAFETY: there is a scalar of this size.
        unsafe { memory.own().upload(at, bytes.as_ptr(), bytes.len()) }
    }

    /// Distance from 1 to the next number of its type.
    pub fn epsilon(&self, i: usize) -> Result<f64> {
        Ok(match self.place(i)?.1 {
            Scalar::F64 => f64::EPSILON,
            Scalar::F32 => f64::from(f32::EPSILON),
            Scalar::F16 => half::f16::EPSILON.to_f64(),
            _ => half::bf16::EPSILON.to_f64(),
        })
    }

    /// Its element, and which number of that it is.
    pub fn label(&self, i: usize) -> String {
        let each = self.floats.len();
        let mut rest = i / each;
        let mut position = vec![0; self.field.axes().len()];
        for (at, n) in position.iter_mut().zip(self.field.axes()).rev() {
            (*at, rest) = (rest % n, rest / n);
        }
        match each {
            1 => format!("element {position:?}"),
            _ => format!("number {} of element {position:?}", i % each),
        }
    }
}

fn read(memory: &CowMemory, (at, scalar): (usize, Scalar)) -> Result<f64> {
    let mut bytes = [0_u8; 8];
    // SAFETY: there is a scalar of this size, and room for it.
    unsafe { memory.read()?.download(bytes.as_mut_ptr(), at, scalar.size())? };
    let [a, b, c, d, ..] = bytes;
    Ok(match scalar {
        Scalar::F64 => f64::from_ne_bytes(bytes),
        Scalar::F32 => f64::from(f32::from_ne_bytes([a, b, c, d])),
        Scalar::F16 => half::f16::from_ne_bytes([a, b]).to_f64(),
        _ => half::bf16::from_ne_bytes([a, b]).to_f64(),
    })
}
