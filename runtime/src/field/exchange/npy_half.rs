//! `f16` and `bf16` in NumPy's files.

use std::io::{Read, Write};

use half::{bf16, f16};
use ndarray_npy::{ReadDataError, ReadableElement, WritableElement, WriteDataError};
use py_literal::Value;

/// An `f16` as files hold it: `<f2`, or `>f2`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in crate::field) struct Half(pub f16);

impl WritableElement for Half {
    fn type_descriptor() -> Value {
        Value::String("<f2".to_owned())
    }

    fn write<W: Write>(&self, mut writer: W) -> Result<(), WriteDataError> {
        Ok(writer.write_all(&self.0.to_le_bytes())?)
    }

    fn write_slice<W: Write>(slice: &[Self], mut writer: W) -> Result<(), WriteDataError> {
        let bytes: Vec<u8> = slice.iter().flat_map(|x| x.0.to_le_bytes()).collect();
        Ok(writer.write_all(&bytes)?)
    }
}

impl ReadableElement for Half {
    fn read_to_end_exact_vec<R: Read>(mut reader: R, kind: &Value, len: usize) -> Result<Vec<Self>, ReadDataError> {
        let from_bytes = match kind.as_string().map(String::as_str) {
            Some("<f2") => f16::from_le_bytes,
            Some(">f2") => f16::from_be_bytes,
            _ => return Err(ReadDataError::WrongDescriptor(kind.clone())),
        };
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        if bytes.len() / 2 < len {
            return Err(ReadDataError::MissingData);
        }
        if bytes.len() > 2 * len {
            return Err(ReadDataError::ExtraBytes(bytes.len() - 2 * len));
        }
        let pairs = bytes.chunks_exact(2);
        Ok(pairs.map(|pair| Half(from_bytes([pair[0], pair[1]]))).collect())
    }
}

/// A `bf16`, which NumPy has no type for.
#[derive(Clone, Copy)]
pub(in crate::field) struct Bfloat(pub bf16);

impl WritableElement for Bfloat {
    fn type_descriptor() -> Value {
        Value::String("bf16".to_owned())
    }

    fn write<W: Write>(&self, _: W) -> Result<(), WriteDataError> {
        Self::write_slice(&[*self], std::io::sink())
    }

    fn write_slice<W: Write>(_: &[Self], _: W) -> Result<(), WriteDataError> {
        Err(WriteDataError::FormatData(
            "NumPy has no `bf16`: write the array as `f32`".into(),
        ))
    }
}

impl ReadableElement for Bfloat {
    fn read_to_end_exact_vec<R: Read>(_: R, kind: &Value, _: usize) -> Result<Vec<Self>, ReadDataError> {
        Err(ReadDataError::WrongDescriptor(kind.clone()))
    }
}
