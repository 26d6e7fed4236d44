//! Elements as bytes: their scalars one behind the other, in the order of the type's members, without what lies between them.
//!
//! So a message holds no byte that nobody wrote, and what arrives is looked at before it becomes elements.

use swathe::Element;
use swathe_ir::{Enum, Scalar, Type};

/// Where an element has its scalars.
pub(crate) struct Plain {
    /// Offset and length of bytes that are scalars' on end.
    runs: Vec<(usize, usize)>,
    /// Places of `bool`s, of which not every byte is one, in the packed element.
    bools: Vec<usize>,
    /// The same of enums.
    enums: Vec<(usize, Enum)>,
    /// Size in bytes of the packed element.
    pub size: usize,
}

impl Plain {
    pub fn of<T: Element>() -> Plain {
        let mut plain = Plain {
            runs: Vec::new(),
            bools: Vec::new(),
            enums: Vec::new(),
            size: 0,
        };
        plain.add(&T::ty(), 0);
        plain
    }

    fn add(&mut self, ty: &Type, offset: usize) {
        match ty {
            Type::Scalar(scalar) => self.scalars(*scalar, 1, offset),
            Type::Enum(of) => {
                self.enums.push((self.size, (**of).clone()));
                self.scalars(of.number, 1, offset);
            }
            Type::Vector(scalar, n) => self.scalars(*scalar, *n, offset),
            Type::Matrix(scalar, rows, columns) => self.scalars(*scalar, rows * columns, offset),
            Type::Array(inner, length) => {
                let size = inner.size();
                (0..*length).for_each(|k| self.add(inner, offset + k * size));
            }
            Type::Struct(structure) => {
                for member in &structure.members {
                    self.add(&member.ty, offset + member.offset);
                }
            }
            // They are no elements.
            Type::Unit | Type::Tuple(_) | Type::Field(..) => {}
        }
    }

    fn scalars(&mut self, scalar: Scalar, count: usize, offset: usize) {
        let length = scalar.size() * count;
        if scalar == Scalar::Bool {
            self.bools.extend(self.size..self.size + length);
        }
        match self.runs.last_mut() {
            Some((start, before)) if *start + *before == offset => *before += length,
            _ => self.runs.push((offset, length)),
        }
        self.size += length;
    }

    /// Appends values.
    pub fn pack<T: Element>(&self, values: &[T], to: &mut Vec<u8>) {
        to.reserve(values.len() * self.size);
        if self.is_dense::<T>() {
            let bytes = size_of_val(values);
            // SAFETY: all bytes of such elements are those of scalars, which are written.
            to.extend_from_slice(unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), bytes) });
            return;
        }
        for value in values {
            let at = std::ptr::from_ref(value).cast::<u8>();
            for (offset, length) in &self.runs {
                // SAFETY: by the word of `KernelType::ty` scalars lie there, whose bytes are written.
                to.extend_from_slice(unsafe { std::slice::from_raw_parts(at.add(*offset), *length) });
            }
        }
    }

    /// So many values.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn unpack<T: Element>(&self, bytes: &[u8], count: usize) -> Result<Vec<T>, String> {
        if Some(bytes.len()) != self.size.checked_mul(count) {
            let (length, size) = (bytes.len(), self.size);
            return Err(format!("{length} bytes are not {count} elements of {size} bytes each"));
        }
        if self.size == 0 {
            return Ok(vec![zero(); count]);
        }
        if !self.bools.is_empty() {
            for element in bytes.chunks_exact(self.size) {
                if let Some(at) = self.bools.iter().find(|at| element[**at] > 1) {
                    return Err(format!("{} is no `bool`", element[*at]));
                }
            }
        }
        for (at, of) in &self.enums {
            let mut values = bytes
                .chunks_exact(self.size)
                .map(|element| of.number.integer(&element[*at..]));
            if let Some(value) = values.find(|value| !of.has(*value)) {
                return Err(format!("{value} is no value of the enum `{}`", of.name));
            }
        }
        let mut values = Vec::<T>::with_capacity(count);
        let to = values.as_mut_ptr().cast::<u8>();
        // SAFETY: there is room for so many elements. All zero is a value of them, and so is what has other scalars, each of which is one:
        // numbers have no other bytes, and those of `bool`s and enums are looked at above.
        unsafe {
            if self.is_dense::<T>() {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
            } else {
                std::ptr::write_bytes(to, 0, count * size_of::<T>());
                for (k, element) in bytes.chunks_exact(self.size).enumerate() {
                    let mut from = element.as_ptr();
                    for (offset, length) in &self.runs {
                        std::ptr::copy_nonoverlapping(from, to.add(k * size_of::<T>() + offset), *length);
                        from = from.add(*length);
                    }
                }
            }
            values.set_len(count);
        }
        Ok(values)
    }

    fn is_dense<T>(&self) -> bool {
        self.runs == [(0, size_of::<T>())]
    }
}

/// A value without scalars.
pub(crate) fn zero<T: Element>() -> T {
    // SAFETY: by the word of `Element`.
    unsafe { std::mem::zeroed() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swathe::prelude::*;

    #[derive(Element, Clone, Copy, Debug, PartialEq)]
    struct Mixed {
        flag: bool,
        at: [Vec2; 2],
        wide: f64,
        small: u8,
    }

    #[test]
    fn scalars_come_and_go_without_what_lies_between() {
        let values: Vec<Mixed> = (0..3)
            .map(|k| Mixed {
                flag: k == 1,
                at: [Vec2::new(k as f32, 1.5), Vec2::new(-2.0, 10.0 * k as f32)],
                wide: 0.1 * k as f64,
                small: 7 + k,
            })
            .collect();
        let plain = Plain::of::<Mixed>();
        let mut bytes = Vec::new();
        plain.pack(&values, &mut bytes);
        assert_eq!((plain.size, bytes.len()), (1 + 16 + 8 + 1, 3 * 26));
        assert_eq!(plain.unpack::<Mixed>(&bytes, 3).unwrap(), values);
        bytes[26] = 2;
        assert_eq!(plain.unpack::<Mixed>(&bytes, 3).unwrap_err(), "2 is no `bool`");
        assert!(plain.unpack::<Mixed>(&bytes[1..], 3).is_err());
    }

    #[derive(Element, Clone, Copy, Debug, PartialEq)]
    #[repr(i16)]
    enum Phase {
        Gas = -300,
        Liquid = 0,
        Solid = 7,
    }

    #[test]
    fn bytes_that_are_no_value_of_an_enum_are_refused() {
        let values = [(Phase::Gas, true), (Phase::Solid, false), (Phase::Liquid, true)];
        let values = values.map(|(phase, flag)| State { flag, phase });
        let plain = Plain::of::<State>();
        let mut bytes = Vec::new();
        plain.pack(&values, &mut bytes);
        assert_eq!(bytes.len(), 3 * 3);
        assert_eq!(plain.unpack::<State>(&bytes, 3).unwrap(), values);
        bytes[4] = 8;
        let error = plain.unpack::<State>(&bytes, 3).unwrap_err();
        assert_eq!(error, "8 is no value of the enum `Phase`");

        let plain = Plain::of::<Phase>();
        assert!(plain.is_dense::<Phase>());
        assert_eq!(
            plain.unpack::<Phase>(&[0xd4, 0xfe, 7, 0], 2).unwrap(),
            [Phase::Gas, Phase::Solid]
        );
        assert_eq!(
            plain.unpack::<Phase>(&[0xd4, 0xff], 1).unwrap_err(),
            "-44 is no value of the enum `Phase`"
        );
    }

    #[derive(Element, Clone, Copy, Debug, PartialEq)]
    struct State {
        flag: bool,
        phase: Phase,
    }

    #[test]
    fn dense_elements_are_copied_as_they_are() {
        let values = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-4.0, 5.5, 6.0)];
        let plain = Plain::of::<Vec3>();
        assert!(plain.is_dense::<Vec3>());
        let mut bytes = vec![9];
        plain.pack(&values, &mut bytes);
        assert_eq!(plain.unpack::<Vec3>(&bytes[1..], 2).unwrap(), values);
    }
}
