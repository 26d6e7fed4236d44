//! Arrays and fields from and to NumPy's files.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use ndarray::{Array, IxDyn};
use ndarray_npy::{NpzWriter, ReadNpyError, ReadNpyExt, WriteNpyExt};
use num_complex::{Complex32, Complex64};
use tempfile::NamedTempFile;
use zip::ZipArchive;

use crate::access::layout::FieldLayout;
use crate::device::Device;
use crate::element::Element;
use crate::element::dtype::{DType, for_each_dtype};
use crate::element::external::External;
use crate::error::{Error, Result, start_of};
use crate::field::ArrayOf;
use crate::field::ArrayScalar;
use crate::field::Field;
use crate::field::exchange::any::AnyArray;
use crate::field::exchange::arrays::{Arrays, is_too_deep};
use crate::field::exchange::npy_half::{Bfloat, Half};
use crate::field::exchange::npy_header::Header;

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
        /// Reads the data behind a header.
        fn read_data(header: &Header, data: impl Read) -> Result<AnyArray<'static>, ReadNpyError> {
            let text = header.text();
            let file = text.as_slice().chain(data);
            match header.dtype {
                $(DType::$variant => Array::<file_type!($t), IxDyn>::read_npy(file).map(|array| from_file!($t, array).into()),)*
            }
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

/// Bytes that a compressed one stands for, at most: a limit of the format.
const INFLATED: u64 = 1032;

/// Reads a file of at most so many bytes.
pub(in crate::field) fn read_array(reader: impl Read, bytes: u64) -> Result<AnyArray<'static>, String> {
    // One more shows that there are more.
    let mut reader = reader.take(bytes.saturating_add(1));
    let header = Header::read(&mut reader)?;
    header.check(bytes)?;
    read_data(&header, reader).map_err(|error| error.to_string())
}

impl AnyArray<'static> {
    /// The array in a `.npy` file, of any scalar type of [`DType::ALL`] that NumPy has (all but `bf16`), in either memory order and byte order.
    ///
    /// # Errors
    /// [`Error::File`]: it cannot be read, or holds scalars of another type.
    pub fn read_npy(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let (file, bytes) = open(path)?;
        read_array(BufReader::new(file), bytes).map_err(|reason| failed("reading", path, &reason))
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
        let mut arrays = Arrays::new();
        for index in 0..archive.len() {
            let file = archive.name_for_index(index).unwrap_or_default().to_owned();
            let refused = |reason: &dyn Display| failed("reading", path, &format!("`{}`: {reason}", start_of(&file)));
            let entry = archive.by_index(index).map_err(|error| refused(&error))?;
            let most = entry.size().min(bytes.saturating_mul(INFLATED));
            let array = read_array(entry, most).map_err(|reason| refused(&reason))?;
            let name = file.strip_suffix(".npy").unwrap_or(&file);
            let inserted = arrays.insert_path(name, array);
            inserted.map_err(|_| {
                let start = start_of(name);
                let reason = format!("`{start}` would lie inside of another array, or around one, or too deep");
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
    /// [`Error::File`], also for what [`Arrays::read_npz`] would not read: names with dots such that one array would lie inside of another, or
    /// more than 64 names deep.
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
        let arrays = self.flat();
        check_names(&arrays).map_err(|reason| failed("writing", path, &reason))?;
        replace(path, |file| {
            let file = file.try_clone().map_err(|error| error.to_string())?;
            let mut writer = writer(BufWriter::new(file));
            for (name, array) in arrays {
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
        let path = path.as_ref();
        Self::from_any(device, &AnyArray::read_npy(path)?).map_err(|error| in_file(error, path))
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
        let path = path.as_ref();
        Self::from_arrays(device, &Arrays::read_npz(path)?).map_err(|error| in_file(error, path))
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

/// An error for names that an archive cannot hold, or that would not be read as they are.
fn check_names(arrays: &[(String, &AnyArray<'_>)]) -> Result<(), String> {
    arrays.iter().try_for_each(|(name, _)| check_name(name))?;
    let mut paths: Vec<Vec<&str>> = arrays.iter().map(|(name, _)| name.split('.').collect()).collect();
    // Behind each path lie those that begin with it.
    paths.sort_unstable();
    match paths.windows(2).find(|pair| pair[1].starts_with(&pair[0])) {
        Some(pair) if pair[0] == pair[1] => Err(format!("two arrays `{}`", start_of(&pair[0].join(".")))),
        Some(pair) => {
            let [outer, inner] = [0, 1].map(|k| pair[k].join("."));
            Err(format!(
                "`{}` would be read as an array inside of the array `{}`",
                start_of(&inner),
                start_of(&outer)
            ))
        }
        None => Ok(()),
    }
}

/// An error for a name that an archive cannot hold, or that would be another one when it is read.
fn check_name(name: &str) -> Result<(), String> {
    const LONGEST: usize = u16::MAX as usize - ".npy".len();
    if name.len() > LONGEST {
        let start: String = name.chars().take(100).collect();
        return Err(format!(
            "the name `{start}..` of {} bytes; it may have {LONGEST}",
            name.len()
        ));
    }
    if name.ends_with(".npy") {
        return Err(format!("the name `{name}` would be read without its end"));
    }
    if is_too_deep(name) {
        return Err(format!("`{}` would be read as a path too deep", start_of(name)));
    }
    Ok(())
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

/// An error about arrays, with the file that they are in.
fn in_file(mut error: Error, path: &Path) -> Error {
    if let Error::Shape { what, .. } | Error::DType { what, .. } | Error::Arrays { what, .. } = &mut error {
        *what = format!("{what} in {}", path.display());
    }
    error
}

fn failed(action: &'static str, path: &Path, reason: &dyn Display) -> Error {
    Error::File {
        action,
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}
