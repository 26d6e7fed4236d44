//! One `.npy` file of all ranks, of which each reads and writes its own part.

pub(crate) mod checkpoint;
mod header;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::panic::Location;
use std::path::{Path, PathBuf};

use swathe::{Element, FieldLayout};

use crate::collective::message_error;
use crate::error::{Error, Result};
use crate::field::{Distributed, part};
use crate::grid::region::Region;
use crate::world::{Operation, World};

impl<T: Element, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    /// Writes the whole field to one `.npy` file, which all ranks reach: a collective call.
    ///
    /// Each rank writes its own part. Elements are as in [`Field::write_npy`](swathe::Field#method.write_npy); those of a struct
    /// are a *structured array* of NumPy's, and `bf16`, which NumPy has not, two bytes without a meaning. The file is there when all of it is
    /// written, until then under the name `FILE.part`; a call that fails leaves what was there before.
    ///
    /// ```
    /// use swathe::Device;
    /// use swathe_distributed::{Grid, Local};
    ///
    /// let file = std::env::temp_dir().join(format!("swathe-distributed-{}.npy", std::process::id()));
    /// Local::new(3).run(|world| {
    ///     let mut u = Grid::new(world, [5, 4]).build()?.field::<f32>(&Device::cpu())?;
    ///     u.fill_with(|[i, j]| (10 * i + j) as f32)?;
    ///     u.write_npy(&file)
    /// })?;
    /// // Another number of ranks.
    /// let sums = Local::new(2).run(|world| {
    ///     let mut u = Grid::new(world, [5, 4]).build()?.field::<f32>(&Device::cpu())?;
    ///     u.read_npy(&file)?;
    ///     u.sum()
    /// })?;
    /// assert_eq!(sums, [430.0; 2]);
    /// # std::fs::remove_file(&file).unwrap();
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::File`] on the rank that cannot write, [`Error::Failed`] on the others; further calls are not hindered.
    /// Also those of ranks that failed or make other calls, and of devices.
    #[track_caller]
    pub fn write_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_npy_at(path.as_ref(), Location::caller())
    }

    pub(crate) fn write_npy_at(&self, path: &Path, site: &'static Location<'static>) -> Result<()> {
        let what = format!("writing {} to a file", self.name());
        let world = self.grid().world();
        world.collective(&what, site, |operation| self.write_at(operation, path))?
    }

    /// The outer errors are of ranks, the inner ones of files, which hinder no further calls.
    fn write_at(&self, operation: &Operation, path: &Path) -> Result<Result<()>> {
        let world = self.grid().world();
        let partial = beside(path, "part");
        let mut bytes = Vec::new();
        let packed = part::pack(self.block(), self.owned(), self.plain(), &mut bytes);
        let header = header::header::<T>(&self.shape()).map_err(|reason| file_error(path, reason));
        let made = header.and_then(|header| {
            let size = header.len() as u64 + self.bytes_of_all();
            if world.rank() == 0 {
                make(&partial, &header, size).map_err(|error| file_error(&partial, error))?;
            }
            packed.map(|()| header.len() as u64)
        });
        let start = match common(world, operation, made)? {
            Ok(start) => start,
            Err(error) => {
                remove(world, &partial);
                return Ok(Err(error));
            }
        };
        let written = self
            .write_part(&partial, start, &bytes)
            .map_err(|error| file_error(&partial, error));
        let mut done = common(world, operation, written)?;
        if done.is_ok() {
            let named = match world.rank() {
                0 => fs::rename(&partial, path).map_err(|error| file_error(path, error)),
                _ => Ok(()),
            };
            done = common(world, operation, named)?;
        }
        if done.is_err() {
            remove(world, &partial);
        }
        Ok(done)
    }

    fn write_part(&self, path: &Path, start: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        let mut rest = bytes;
        for (at, length) in runs(&self.shape(), self.owned()) {
            let (run, left) = rest.split_at(length * self.plain().size);
            file.seek(SeekFrom::Start(start + (at * self.plain().size) as u64))?;
            file.write_all(run)?;
            rest = left;
        }
        file.sync_all()
    }

    /// Sets all elements from a `.npy` file, which all ranks reach: a collective call. Each rank reads its own part.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Failed`] if any rank cannot read it, or it holds another type or shape; then no rank has written
    /// anything, and further calls are not hindered. Also those of ranks that failed or make other calls, and of devices.
    #[track_caller]
    pub fn read_npy(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let what = format!("reading {} from a file", self.name());
        let world = self.grid().world().clone();
        self.settle()?;
        world.collective(&what, Location::caller(), |operation| {
            let path = path.as_ref();
            let read = self.read_part(path).map_err(|reason| file_error(path, reason));
            match common(&world, operation, read)? {
                Ok(values) => self.put_owned(values).map(Ok),
                Err(error) => Ok(Err(error)),
            }
        })?
    }

    fn read_part(&self, path: &Path) -> Result<Vec<T>, String> {
        let text = |error: io::Error| error.to_string();
        let mut file = BufReader::new(File::open(path).map_err(text)?);
        let start = header::check::<T>(&mut file, &self.shape())?;
        let (size, needed) = (
            file.get_ref().metadata().map_err(text)?.len(),
            start + self.bytes_of_all(),
        );
        if size < needed {
            return Err(format!("it has {size} bytes, and its array needs {needed}"));
        }
        let mut bytes = vec![0; self.owned().len() * self.plain().size];
        let mut rest = &mut bytes[..];
        for (at, length) in runs(&self.shape(), self.owned()) {
            let (run, left) = rest.split_at_mut(length * self.plain().size);
            file.seek(SeekFrom::Start(start + (at * self.plain().size) as u64))
                .map_err(text)?;
            file.read_exact(run).map_err(text)?;
            rest = left;
        }
        self.plain().unpack(&bytes, self.owned().len())
    }

    fn bytes_of_all(&self) -> u64 {
        self.shape().iter().product::<usize>() as u64 * self.plain().size as u64
    }
}

/// Where the elements of a box lie in an array of this shape, in row-major order: position and number of those that lie together.
fn runs<const D: usize>(shape: &[usize; D], owned: &Region<D>) -> Vec<(usize, usize)> {
    let lengths = owned.shape();
    if owned.is_empty() {
        return Vec::new();
    }
    // The first axis from which on all others are whole.
    let first = (0..D).rev().find(|k| lengths[*k] != shape[*k]).unwrap_or(0);
    let together: usize = lengths[first..].iter().product();
    let mut runs = Vec::with_capacity(owned.len() / together);
    let mut at = [0; D];
    loop {
        let position = (0..D).fold(0, |position, k| {
            position * shape[k] + owned.start[k].unsigned_abs() + at[k]
        });
        runs.push((position, together));
        let Some(axis) = (0..first).rev().find(|k| at[*k] + 1 < lengths[*k]) else {
            return runs;
        };
        at[axis] += 1;
        at[axis + 1..].fill(0);
    }
}

/// A name in the same folder.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

fn make(path: &Path, header: &[u8], size: u64) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(header)?;
    file.set_len(size)
}

fn remove(world: &World, path: &Path) {
    if world.rank() == 0 {
        // It may not be there.
        let _ = fs::remove_file(path);
    }
}

fn file_error(path: &Path, reason: impl ToString) -> Error {
    Error::File {
        path: path.display().to_string(),
        reason: reason.to_string(),
    }
}

/// This rank's outcome if that of all ranks is good, else an error: its own, or that of the first rank that has one.
fn common<R>(world: &World, operation: &Operation, own: Result<R>) -> Result<Result<R>> {
    let told = own.as_ref().err().map(ToString::to_string).unwrap_or_default();
    let collected = world.collect(operation, 0, told.into_bytes())?;
    let first = collected.map(|all| {
        let failed = all.into_iter().enumerate().find(|(_, text)| !text.is_empty());
        let (rank, text) = failed.unwrap_or_default();
        [&(rank as u64).to_le_bytes(), &text[..]].concat()
    });
    let first = world.spread(operation, 0, first)?;
    let (rank, text) = first
        .split_first_chunk::<8>()
        .ok_or_else(|| message_error(operation, 0, "it is too short".to_owned()))?;
    Ok(match own {
        Ok(_) if !text.is_empty() => Err(Error::Failed {
            rank: u64::from_le_bytes(*rank) as usize,
            reason: String::from_utf8_lossy(text).into_owned(),
        }),
        own => own,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_as_long_as_can_be() {
        let region = |start: [isize; 3], end: [isize; 3]| Region { start, end };
        let shape = [4, 3, 5];
        assert_eq!(runs(&shape, &region([1, 0, 0], [3, 3, 5])), [(15, 30)]);
        assert_eq!(runs(&shape, &region([1, 1, 0], [3, 2, 5])), [(20, 5), (35, 5)]);
        assert_eq!(
            runs(&shape, &region([0, 1, 2], [2, 3, 4])),
            [(7, 2), (12, 2), (22, 2), (27, 2)]
        );
        assert_eq!(runs(&shape, &region([0, 1, 2], [2, 1, 4])), []);
        assert_eq!(runs(&[], &Region { start: [], end: [] }), [(0, 1)]);
    }
}
