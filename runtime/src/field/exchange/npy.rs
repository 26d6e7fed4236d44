//! Arrays and fields from and to NumPy's files.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use ndarray::{Array, IxDyn, OwnedRepr};
use ndarray_npy::{NpzReader, NpzWriter, ReadNpyError, ReadNpyExt, ReadNpzError, WriteNpyExt};
use num_complex::{Complex32, Complex64};
use tempfile::NamedTempFile;
use zip::ZipArchive;

use crate::access::layout::FieldLayout;
use crate::device::Device;
use crate::element::Element;
use crate::element::dtype::{DType, for_each_dtype};
use crate::element::external::External;
use crate::error::{Error, Result};
use crate::field::ArrayOf;
use crate::field::ArrayScalar;
use crate::field::Field;
use crate::field::exchange::any::AnyArray;
use crate::field::exchange::arrays::Arrays;
use crate::field::exchange::npy_half::{Bfloat, Half};

/// The type that files know.
macro_rules! file_type {
    (f16) => {
        Half
    };
    (bf16) => {
        Bfloat
    };
    ($t:ident) => {
        $t
    };
}

macro_rules! from_file {
    (f16, $array:expr) => {
        $array.mapv(|x| x.0)
    };
    (bf16, $array:expr) => {
        $array.mapv(|x| x.0)
    };
    ($t:ident, $array:expr) => {
        $array
    };
}

macro_rules! to_file {
    (f16, $array:expr) => {
        $array.mapv(Half)
    };
    (bf16, $array:expr) => {
        $array.mapv(Bfloat)
    };
    ($t:ident, $array:expr) => {
        $array.view()
    };
}

macro_rules! files {
    ($($t:ident $variant:ident;)*) => {
        /// Reads with one type after the other until it is that of the file.
        fn read_npy_from(mut reader: impl Read + Seek) -> Result<AnyArray<'static>, ReadNpyError> {
            first_fit(|dtype| {
                reader.seek(SeekFrom::Start(0))?;
                match dtype {
                    $(DType::$variant => Array::<file_type!($t), IxDyn>::read_npy(&mut reader).map(|array| from_file!($t, array).into()),)*
                }
            })
        }

        fn read_npz_entry<R: Read + Seek>(
            reader: &mut NpzReader<R>,
            index: usize,
        ) -> Result<AnyArray<'static>, ReadNpyError> {
            first_fit(|dtype| {
                let read = match dtype {
                    $(DType::$variant => reader.by_index::<OwnedRepr<file_type!($t)>, IxDyn>(index).map(|array| from_file!($t, array).into()),)*
                };
                read.map_err(|error| match error {
                    ReadNpzError::Npy(error) => error,
                    ReadNpzError::Zip(error) => ReadNpyError::Io(error.into()),
                })
            })
        }

        fn write_npy_to(array: &AnyArray<'_>, writer: impl Write) -> Result<(), String> {
            match array { $(AnyArray::$variant(array) => to_file!($t, array).write_npy(writer).map_err(|e| e.to_string()),)* }
        }

        fn write_npz_entry<W: Write + Seek>(
            writer: &mut NpzWriter<W>,
            name: &str,
            array: &AnyArray<'_>,
        ) -> Result<(), String> {
            match array { $(AnyArray::$variant(array) => writer.add_array(name, &to_file!($t, array)).map_err(|e| e.to_string()),)* }
        }
    };
}

for_each_dtype!(files);

/// The first result that does not say that the type is another one.
fn first_fit(
    mut read: impl FnMut(DType) -> Result<AnyArray<'static>, ReadNpyError>,
) -> Result<AnyArray<'static>, ReadNpyError> {
    let mut result = Err(ReadNpyError::MissingData);
    for dtype in DType::ALL {
        result = read(*dtype);
        if !matches!(result, Err(ReadNpyError::WrongDescriptor(_))) {
            break;
        }
    }
    result
}

/// Longest header that is looked at, in bytes.
const HEADER: u64 = 1 << 16;
/// Bytes that a compressed one stands for, at most: a limit of the format.
const INFLATED: u64 = 1032;

/// Whether a file of so many bytes has at least one for each scalar of the shape that its header tells: memory for these is allocated
/// before they are read.
fn holds_its_shape(reader: impl Read, bytes: u64) -> Result<(), ReadNpyError> {
    let mut header = Vec::new();
    reader.take(HEADER).read_to_end(&mut header)?;
    let text = String::from_utf8_lossy(&header);
    let shape = text.split_once("'shape':").and_then(|(_, rest)| rest.split_once(')'));
    let Some((shape, _)) = shape else {
        // Whoever reads it says what is wrong.
        return Ok(());
    };
    let extents = shape.trim_start_matches([' ', '(']).split(',').map(str::trim);
    let extents: Vec<u64> = extents.filter_map(|extent| extent.parse().ok()).collect();
    let (mut volume, mut scalars) = (1_u64, 1_u64);
    for extent in extents {
        let larger = volume
            .checked_mul(extent.max(1))
            .filter(|volume| isize::try_from(*volume).is_ok());
        volume = larger.ok_or(ReadNpyError::LengthOverflow)?;
        scalars = scalars.saturating_mul(extent);
    }
    match scalars <= bytes {
        true => Ok(()),
        false => Err(ReadNpyError::MissingData),
    }
}

impl AnyArray<'static> {
    /// The array in a `.npy` file, of any scalar type of [`DType::ALL`] that NumPy has (all but `bf16`), in either memory order and byte order.
    ///
    /// # Errors
    /// [`Error::File`]: it cannot be read, or holds scalars of another type.
    pub fn read_npy(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let (file, bytes) = open(path)?;
        let mut reader = BufReader::new(file);
        holds_its_shape(&mut reader, bytes)
            .and_then(|()| read_npy_from(reader))
            .map_err(|error| failed("reading", path, &reason(&error)))
    }
}

impl AnyArray<'_> {
    /// Writes a `.npy` file, in the place of what it held. If that fails the file is as it was.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn write_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        replace(path.as_ref(), |file| {
            let mut writer = BufWriter::new(file);
            write_npy_to(self, &mut writer)?;
            writer.flush().map_err(|error| error.to_string())
        })
    }
}

impl Arrays<'static> {
    /// The arrays in an `.npz` file. Dots in names make nested dictionaries: `body.mass` is `mass` in `body`.
    ///
    /// # Errors
    /// [`Error::File`]: it cannot be read, holds scalars of another type, or both an array `a` and an array `a.b`.
    pub fn read_npz(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let (file, bytes) = open(path)?;
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| failed("reading", path, &error))?;
        for index in 0..archive.len() {
            let entry = archive
                .by_index(index)
                .map_err(|error| failed("reading", path, &error))?;
            let name = entry.name().to_owned();
            let most = entry.size().min(bytes.saturating_mul(INFLATED));
            holds_its_shape(entry, most)
                .map_err(|error| failed("reading", path, &format!("`{name}`: {}", reason(&error))))?;
        }
        let mut reader = NpzReader::new(archive.into_inner()).map_err(|error| failed("reading", path, &error))?;
        let names = reader.names().map_err(|error| failed("reading", path, &error))?;
        let mut arrays = Arrays::new();
        for (index, name) in names.iter().enumerate() {
            let array = read_npz_entry(&mut reader, index)
                .map_err(|error| failed("reading", path, &format!("`{name}`: {}", reason(&error))))?;
            let inserted = arrays.insert_path(name, array);
            inserted.map_err(|_| {
                let reason = format!("`{name}` would lie inside of another array");
                failed("reading", path, &reason)
            })?;
        }
        Ok(arrays)
    }
}

impl Arrays<'_> {
    /// Writes an `.npz` file, in the place of what it held; arrays of nested dictionaries get names such as `body.mass`. If that fails
    /// the file is as it was.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn write_npz(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write(path.as_ref(), NpzWriter::new)
    }

    /// As [`Arrays::write_npz`], compressed.
    ///
    /// # Errors
    /// As there.
    pub fn write_npz_compressed(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write(path.as_ref(), NpzWriter::new_compressed)
    }

    fn write(&self, path: &Path, writer: impl FnOnce(BufWriter<File>) -> NpzWriter<BufWriter<File>>) -> Result<()> {
        replace(path, |file| {
            let file = file.try_clone().map_err(|error| error.to_string())?;
            let mut writer = writer(BufWriter::new(file));
            for (name, array) in self.flat() {
                write_npz_entry(&mut writer, &name, array)?;
            }
            let mut file = writer.finish().map_err(|error| error.to_string())?;
            file.flush().map_err(|error| error.to_string())
        })
    }
}

impl<T: External, const D: usize> Field<T, D>
where
    T::Scalar: ArrayScalar,
{
    /// A field of the array in a `.npy` file, by the rules of [`Field::from_ndarray`].
    ///
    /// ```
    /// use swathe::{Device, Field, Vec3};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("velocity.npy");
    /// let device = Device::default();
    /// let velocity = Field::from_fn(&device, [4, 5], |[i, j]| Vec3::new(i as f32, j as f32, 0.5))?;
    /// velocity.write_npy(&path)?; // numpy.load gives an array of shape (4, 5, 3)
    /// let again = Field::<Vec3, 2>::read_npy(&device, &path)?;
    /// assert_eq!(again.to_vec()?, velocity.to_vec()?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::File`], [`Error::Shape`], [`Error::DType`], [`Error::OutOfMemory`].
    pub fn read_npy(device: &Device, path: impl AsRef<Path>) -> Result<Self> {
        Self::from_any(device, &AnyArray::read_npy(path)?)
    }
}

impl<T: External, const D: usize, L: FieldLayout> Field<T, D, L>
where
    T::Scalar: ArrayScalar,
{
    /// Writes the array of [`Field::to_ndarray`] into a `.npy` file.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::OutOfMemory`] on the host.
    pub fn write_npy(&self, path: impl AsRef<Path>) -> Result<()>
    where
        ndarray::Dim<[usize; D]>: ndarray::Dimension,
    {
        let array: ArrayOf<T, D> = self.to_ndarray()?;
        AnyArray::from(array).write_npy(path)
    }
}

impl<T: Element, const D: usize> Field<T, D> {
    /// A field of structs from an `.npz` file, by the rules of [`Field::from_arrays`].
    ///
    /// # Errors
    /// [`Error::File`], and as there.
    pub fn read_npz(device: &Device, path: impl AsRef<Path>) -> Result<Self> {
        Self::from_arrays(device, &Arrays::read_npz(path)?)
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// Writes the arrays of [`Field::to_arrays`] into an `.npz` file, those of nested structs as `body.mass`.
    ///
    /// # Errors
    /// [`Error::File`], and as there.
    pub fn write_npz(&self, path: impl AsRef<Path>) -> Result<()> {
        self.to_arrays()?.write_npz(path)
    }
}

/// Writes a file beside the one to replace, and renames it once it is complete.
fn replace(path: &Path, write: impl FnOnce(&mut File) -> Result<(), String>) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = new_file(folder).map_err(|error| failed("writing", path, &error))?;
    write(file.as_file_mut()).map_err(|error| failed("writing", path, &error))?;
    file.persist(path)
        .map_err(|error| failed("writing", path, &error.error))?;
    Ok(())
}

fn new_file(folder: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    // As for files that are made in the common way, where a temporary file is private.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// A file to be read, and its size in bytes.
fn open(path: &Path) -> Result<(File, u64)> {
    let opened = File::open(path).and_then(|file| file.metadata().map(|about| (file, about.len())));
    opened.map_err(|error| failed("reading", path, &error))
}

fn failed(action: &'static str, path: &Path, reason: &dyn Display) -> Error {
    Error::File {
        action,
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

fn reason(error: &ReadNpyError) -> String {
    let ReadNpyError::WrongDescriptor(descriptor) = error else {
        return error.to_string();
    };
    let known = DType::ALL.iter().filter(|dtype| **dtype != DType::Bf16);
    let names: Vec<&str> = known.map(|dtype| dtype.name()).collect();
    format!("scalars of type {descriptor} are none of {}", names.join(", "))
}
