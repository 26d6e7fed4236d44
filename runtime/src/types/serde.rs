//! Vectors, matrices and quaternions in `serde`'s data model: as arrays, a matrix as the array of its rows.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Matrix, Quaternion, Vector};

/// `serde` has arrays of up to 32 elements only.
struct Array<T, const N: usize>([T; N]);

fn serialize_array<T: Serialize, const N: usize, S: Serializer>(
    array: &[T; N],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(N)?;
    for value in array {
        tuple.serialize_element(value)?;
    }
    tuple.end()
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Array<T, N> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        deserializer.deserialize_tuple(N, Elements::<T, N>(PhantomData))
    }
}

struct Elements<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Elements<T, N> {
    type Value = Array<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {N} elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Array<T, N>, A::Error> {
        let mut values = Vec::with_capacity(N);
        while let Some(value) = sequence.next_element()? {
            values.push(value);
        }
        let length = values.len();
        let array = values.try_into().map_err(|_| A::Error::invalid_length(length, &self))?;
        Ok(Array(array))
    }
}

impl<T: Serialize, const N: usize> Serialize for Vector<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_array(&self.0, serializer)
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Vector<T, N> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        Ok(Vector(Array::deserialize(deserializer)?.0))
    }
}

struct Row<'a, T, const C: usize>(&'a [T; C]);

impl<T: Serialize, const C: usize> Serialize for Row<'_, T, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_array(self.0, serializer)
    }
}

impl<T: Serialize, const R: usize, const C: usize> Serialize for Matrix<T, R, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_array(&self.0.each_ref().map(Row), serializer)
    }
}

impl<'de, T: Deserialize<'de>, const R: usize, const C: usize> Deserialize<'de> for Matrix<T, R, C> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        let rows = Array::<Array<T, C>, R>::deserialize(deserializer)?;
        Ok(Matrix(rows.0.map(|row| row.0)))
    }
}

impl<T: Serialize + Copy> Serialize for Quaternion<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_array::<T, 4, S>(&(*self).into(), serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Quaternion<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Quaternion::from(Array::deserialize(deserializer)?.0))
    }
}
