//! Fields in `serde`'s data model: their shape, and their elements in row-major order.

use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error as _};
use serde::ser::{Error as _, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::access::layout::FieldLayout;
use crate::device::Device;
use crate::element::Element;
use crate::field::Field;
use crate::field::Init;

/// As a struct of `shape` and `elements`, which come from the device.
///
/// ```
/// use swathe::{Device, Field, Vec2};
///
/// let u = Field::<Vec2, 2>::from_fn(&Device::default(), [1, 2], |[i, j]| Vec2::new(i as f32, j as f32))?;
/// let text = serde_json::to_string(&u).unwrap();
/// assert_eq!(text, r#"{"shape":[1,2],"elements":[[0.0,0.0],[0.0,1.0]]}"#);
/// let back: Field<Vec2, 2> = serde_json::from_str(&text).unwrap();
/// assert_eq!(back.to_vec()?, u.to_vec()?);
/// # Ok::<(), swathe::Error>(())
/// ```
impl<T: Element + Serialize, const D: usize, L: FieldLayout> Serialize for Field<T, D, L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let elements = self.to_vec().map_err(S::Error::custom)?;
        let mut fields = serializer.serialize_struct("Field", 2)?;
        fields.serialize_field("shape", self.shape().as_slice())?;
        fields.serialize_field("elements", &elements)?;
        fields.end()
    }
}

/// On [`Device::default`], because a type that holds fields can then derive `Deserialize`, and a file says nothing of the machine
/// that reads it. For another device there is [`FieldSeed`].
impl<'de, T: Element + Deserialize<'de>, const D: usize> Deserialize<'de> for Field<T, D> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        FieldSeed::new(&Device::default()).deserialize(deserializer)
    }
}

/// Reads a field onto a device.
///
/// ```
/// use serde::de::DeserializeSeed;
/// use swathe::{Device, Field, FieldSeed};
///
/// let mut json = serde_json::Deserializer::from_str(r#"{"shape": [3], "elements": [7, 8, 9]}"#);
/// let u: Field<u16> = FieldSeed::new(&Device::cpu()).deserialize(&mut json).unwrap();
/// assert_eq!(u.to_vec()?, [7, 8, 9]);
/// # Ok::<(), swathe::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FieldSeed<T: Element, const D: usize = 1> {
    device: Device,
    field: PhantomData<fn() -> Field<T, D>>,
}

impl<T: Element, const D: usize> FieldSeed<T, D> {
    /// For this device.
    #[must_use]
    pub fn new(device: &Device) -> Self {
        FieldSeed {
            device: device.clone(),
            field: PhantomData,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename = "Field", deny_unknown_fields)]
struct Stored<T> {
    shape: Vec<usize>,
    elements: Vec<T>,
}

impl<'de, T: Element + Deserialize<'de>, const D: usize> DeserializeSeed<'de> for FieldSeed<T, D> {
    type Value = Field<T, D>;

    fn deserialize<S: Deserializer<'de>>(self, deserializer: S) -> Result<Field<T, D>, S::Error> {
        let Stored { shape, elements } = Stored::<T>::deserialize(deserializer)?;
        let shape: [usize; D] = shape
            .try_into()
            .map_err(|shape: Vec<usize>| S::Error::custom(format!("expected a shape of {D} axes, got {shape:?}")))?;
        let len = shape.iter().try_fold(1_usize, |len, n| len.checked_mul(*n));
        if len != Some(elements.len()) && !(shape.contains(&0) && elements.is_empty()) {
            let text = format!("a field of shape {shape:?} has not {} elements", elements.len());
            return Err(S::Error::custom(text));
        }
        let mut field = Field::alloc(&self.device, shape, Init::Uninit).map_err(S::Error::custom)?;
        field.copy_from_slice(&elements).map_err(S::Error::custom)?;
        Ok(field)
    }
}
