//! Headers of NumPy's files.
//!
//! A header says how much memory its array needs, and whoever reads the data allocates that first. So it is read here: in the one form
//! that NumPy writes, in time that its length bounds, and compared with what the file holds. The text that [`Header::text`] gives is
//! what the library for the data reads, and not the file's own, of which it could think otherwise.

use std::io::{ErrorKind, Read};

use ndarray_npy::ReadNpyError;

use crate::element::dtype::DType;

const MAGIC: &[u8] = b"\x93NUMPY";
/// Longest text that is read, in bytes. NumPy's own limit is less; only types with members have longer ones.
const LONGEST: usize = 1 << 16;

/// Axes of an array of NumPy.
const MOST_AXES: usize = 64;

/// What a file says of its array.
pub(in crate::field) struct Header {
    /// The scalars' type, as NumPy names it.
    kind: String,
    pub dtype: DType,
    fortran_order: bool,
    shape: Vec<usize>,
    /// How many bytes of the file it takes.
    length: u64,
}

impl Header {
    /// Reads it up to the first byte of the data.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(mut reader: impl Read) -> Result<Header, String> {
        let mut start = [0; 8];
        fill(&mut reader, &mut start)?;
        let [magic @ .., major, minor] = start;
        if magic != MAGIC {
            return Err("it is no `.npy` file".to_owned());
        }
        let mut length = [0; 4];
        let of_length = match (major, minor) {
            (1, 0) => 2,
            (2 | 3, 0) => 4,
            _ => return Err(format!("version {major}.{minor} of the format is not known")),
        };
        fill(&mut reader, &mut length[..of_length])?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST {
            return Err(format!(
                "a header of {length} bytes; those of more than {LONGEST} are not read"
            ));
        }
        let mut text = vec![0; length];
        fill(&mut reader, &mut text)?;
        let before = start.len() + of_length;
        Text { text: &text, at: 0 }.header((before + length) as u64)
    }

    /// An error unless so many bytes have room for the header and its array, and the memory for the array.
    pub fn check(&self, bytes: u64) -> Result<(), String> {
        let needed = self.needed(bytes).map_err(|error| error.to_string())?;
        // Who reads the data ends the process if there is no memory. A file with holes may be larger than it. Halves are copied once more.
        let arrays = if self.dtype == DType::F16 { 2 } else { 1 };
        let room =
            usize::try_from(needed.saturating_mul(arrays)).map(|needed| Vec::<u8>::new().try_reserve_exact(needed));
        match room {
            Ok(Ok(())) => Ok(()),
            _ => Err(format!("there is no memory for its {needed} bytes")),
        }
    }

    /// Bytes that the array takes, if so many hold it and the header.
    fn needed(&self, bytes: u64) -> Result<u64, ReadNpyError> {
        // As in `ndarray`, an axis of length 0 does not excuse the others.
        let volume = self
            .shape
            .iter()
            .try_fold(1_usize, |volume, n| volume.checked_mul((*n).max(1)))
            .filter(|volume| isize::try_from(*volume).is_ok())
            .ok_or(ReadNpyError::LengthOverflow)?;
        let scalars = if self.shape.contains(&0) { 0 } else { volume };
        let needed = (scalars as u64).saturating_mul(self.dtype.size() as u64);
        match needed <= bytes.saturating_sub(self.length) {
            true => Ok(needed),
            false => Err(ReadNpyError::MissingData),
        }
    }

    /// A header that says the same, as bytes of a file.
    pub fn text(&self) -> Vec<u8> {
        let order = if self.fortran_order { "True" } else { "False" };
        let shape: String = self.shape.iter().map(|n| format!("{n},")).collect();
        let text = format!(
            "{{'descr': '{}', 'fortran_order': {order}, 'shape': ({shape})}}\n",
            self.kind
        );
        // Version 2, which has room for the length of any.
        let length = (text.len() as u32).to_le_bytes();
        [MAGIC, &[2, 0], &length, text.as_bytes()].concat()
    }
}

fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> Result<(), String> {
    reader.read_exact(bytes).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => "the file ends within its header".to_owned(),
        _ => error.to_string(),
    })
}

/// The scalar type that NumPy names so.
fn dtype(kind: &str) -> Option<DType> {
    Some(match kind {
        "|b1" => DType::Bool,
        "|i1" | "i1" | "b" => DType::I8,
        "|u1" | "u1" | "B" => DType::U8,
        // In little or big byte order.
        _ => match kind.strip_prefix(['<', '>'])? {
            "i2" => DType::I16,
            "i4" => DType::I32,
            "i8" => DType::I64,
            "u2" => DType::U16,
            "u4" => DType::U32,
            "u8" => DType::U64,
            "f2" => DType::F16,
            "f4" => DType::F32,
            "f8" => DType::F64,
            "c8" => DType::ComplexF32,
            "c16" => DType::ComplexF64,
            _ => return None,
        },
    })
}

fn unknown(kind: &str) -> String {
    let known = DType::ALL.iter().filter(|dtype| **dtype != DType::Bf16);
    let names: Vec<&str> = known.map(|dtype| dtype.name()).collect();
    format!("scalars of {kind} are none of {}", names.join(", "))
}

/// The text of a header: a dictionary of Python with three keys. Of Python's literals these are the fewest that NumPy writes: strings
/// without escapes, numbers in decimal digits, a tuple of such, and nothing within one another.
struct Text<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    fn header(mut self, length: u64) -> Result<Header, String> {
        if self.text.last() != Some(&b'\n') {
            return Err(form("its last character is no newline"));
        }
        let (mut kind, mut fortran_order, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.take(b'}') {
            let key = self.string()?;
            self.expect(b':')?;
            let twice = match key {
                "descr" => kind.replace(self.kind()?).is_some(),
                "fortran_order" => fortran_order.replace(self.truth()?).is_some(),
                "shape" => shape.replace(self.shape()?).is_some(),
                _ => return Err(form(&format!("`{key}` is no key of it"))),
            };
            if twice {
                return Err(form(&format!("`{key}` is there twice")));
            }
            if !self.take(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        self.blanks();
        if self.at < self.text.len() {
            return Err(self.other("the end"));
        }
        let missing = |key: &str| form(&format!("`{key}` is missing"));
        let (kind, dtype) = kind.ok_or_else(|| missing("descr"))?;
        Ok(Header {
            kind,
            dtype,
            fortran_order: fortran_order.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
            length,
        })
    }

    fn kind(&mut self) -> Result<(String, DType), String> {
        self.blanks();
        if self.text.get(self.at) == Some(&b'[') {
            return Err(unknown("a type with members"));
        }
        let kind = self.string()?;
        match dtype(kind) {
            Some(dtype) => Ok((kind.to_owned(), dtype)),
            None => Err(unknown(&format!("type '{kind}'"))),
        }
    }

    fn truth(&mut self) -> Result<bool, String> {
        self.blanks();
        for (word, value) in [("True", true), ("False", false)] {
            if self.text[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.other("`True` or `False`"))
    }

    fn shape(&mut self) -> Result<Vec<usize>, String> {
        let mut shape = Vec::new();
        self.expect(b'(')?;
        while !self.take(b')') {
            shape.push(self.number()?);
            if shape.len() > MOST_AXES {
                return Err(format!("more than {MOST_AXES} axes"));
            }
            if !self.take(b',') {
                // With one number and no comma it is that number in Python, and no tuple.
                if shape.len() == 1 {
                    return Err(self.other("`,`"));
                }
                self.expect(b')')?;
                break;
            }
        }
        Ok(shape)
    }

    fn number(&mut self) -> Result<usize, String> {
        self.blanks();
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || (digits > 1 && rest[0] == b'0') {
            return Err(self.other("a number in decimal digits"));
        }
        self.at += digits;
        let digit = |number: usize, byte: &u8| number.checked_mul(10)?.checked_add(usize::from(byte - b'0'));
        let number = rest[..digits].iter().try_fold(0, digit);
        number.ok_or_else(|| ReadNpyError::LengthOverflow.to_string())
    }

    fn string(&mut self) -> Result<&'a str, String> {
        self.blanks();
        let quote = match self.text.get(self.at) {
            Some(quote @ (b'\'' | b'"')) => quote,
            _ => return Err(self.other("a string")),
        };
        let start = self.at + 1;
        self.at = start;
        // Neither escapes, nor what another reader could take for the end.
        while let Some(b' '..=b'~') = self.text.get(self.at)
            && !matches!(self.text[self.at], b'\'' | b'"' | b'\\')
        {
            self.at += 1;
        }
        let string = &self.text[start..self.at];
        if self.text.get(self.at) != Some(quote) {
            return Err(self.other("the end of a string without escapes and quotes"));
        }
        self.at += 1;
        std::str::from_utf8(string).map_err(|error| error.to_string())
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    /// Whether this comes next; then it is behind.
    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let taken = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(taken);
        taken
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        match self.take(byte) {
            true => Ok(()),
            false => Err(self.other(&format!("`{}`", char::from(byte)))),
        }
    }

    fn other(&self, expected: &str) -> String {
        form(&format!("expected {expected} at character {}", self.at))
    }
}

fn form(what: &str) -> String {
    format!("its header is none that NumPy writes: {what}")
}
