//! Checkpoints: a folder with the state of a program, from which any number of ranks can go on.

use std::collections::BTreeSet;
use std::fs;
use std::panic::Location;
use std::path::{Path, PathBuf};

use swathe::{Element, FieldLayout};

use crate::bytes::Plain;
use crate::error::{Error, Result};
use crate::field::Distributed;
use crate::file::{beside, common, file_error, header};
use crate::world::World;

/// A checkpoint that is being written: a folder with a `.npy` file for each field and value.
///
/// It is there when [`finish`](Checkpoint::finish) has returned. Until then, and if anything fails, the one before is: a checkpoint of which a part
/// could not be written is not finished. The names `FOLDER.part` and
/// `FOLDER.before` beside it are its own: what they hold is removed.
///
/// ```
/// use swathe::Device;
/// use swathe_distributed::{Checkpoint, Grid, Local, SavedState};
///
/// let folder = std::env::temp_dir().join(format!("swathe-checkpoint-{}", std::process::id()));
/// Local::new(3).run(|world| {
///     let mut u = Grid::new(world, [6, 4]).build()?.field::<f64>(&Device::cpu())?;
///     u.fill(0.5)?;
///     let mut checkpoint = Checkpoint::create(world, &folder)?;
///     checkpoint.field("u", &u)?;
///     checkpoint.value("time", 1.25_f64)?;
///     checkpoint.finish()
/// })?;
/// let went_on = Local::new(2).run(|world| {
///     let mut u = Grid::new(world, [6, 4]).build()?.field::<f64>(&Device::cpu())?;
///     let state = SavedState::open(world, &folder)?;
///     state.field("u", &mut u)?;
///     Ok((u.sum()?, state.value::<f64>("time")?))
/// })?;
/// assert_eq!(went_on, [(12.0, 1.25); 2]);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), swathe_distributed::Error>(())
/// ```
pub struct Checkpoint {
    world: World,
    folder: PathBuf,
    partial: PathBuf,
    names: BTreeSet<String>,
    /// What went wrong first.
    failure: Option<String>,
    finished: bool,
}

/// A checkpoint that is read.
pub struct SavedState {
    world: World,
    folder: PathBuf,
}

impl Checkpoint {
    /// Begins a checkpoint in a folder that all ranks reach: a collective call. What stands there may be an earlier checkpoint, or nothing.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Failed`] if it cannot be written, or if something else than a checkpoint has its place, and those of ranks that failed or make other calls.
    #[track_caller]
    pub fn create(world: &World, folder: impl AsRef<Path>) -> Result<Checkpoint> {
        let folder = folder.as_ref().to_owned();
        let partial = beside(&folder, "part");
        world.collective("beginning a checkpoint", Location::caller(), |operation| {
            let made = match world.rank() {
                0 => is_free(&folder).and_then(|()| fresh(&partial).map_err(|error| file_error(&partial, error))),
                _ => Ok(()),
            };
            common(world, operation, made)
        })??;
        Ok(Checkpoint {
            world: world.clone(),
            folder,
            partial,
            names: BTreeSet::new(),
            failure: None,
            finished: false,
        })
    }

    /// Writes a field: a collective call.
    ///
    /// # Errors
    /// [`Error::Argument`] for a name that is not one of letters, digits, `_` and `-` or was there before, and for a field of another world; those of
    /// [`Distributed::write_npy`].
    #[track_caller]
    pub fn field<T: Element, const D: usize, L: FieldLayout>(
        &mut self,
        name: &str,
        field: &Distributed<T, D, L>,
    ) -> Result<()> {
        let site = Location::caller();
        let written = self.named(name).and_then(|path| {
            check_world(&self.world, "writing a field to a checkpoint", field)?;
            field.write_npy_at(&path, site)
        });
        self.noted(written)
    }

    /// Writes a value that all ranks have: a collective call. That of the first rank is kept.
    ///
    /// # Errors
    /// As [`Checkpoint::field`].
    #[track_caller]
    pub fn value<T: Element>(&mut self, name: &str, value: T) -> Result<()> {
        let site = Location::caller();
        let written = self
            .named(name)
            .and_then(|path| self.write_value(name, &path, value, site));
        self.noted(written)
    }

    fn write_value<T: Element>(
        &self,
        name: &str,
        path: &Path,
        value: T,
        site: &'static Location<'static>,
    ) -> Result<()> {
        let what = format!("writing the value {name} of `{}` to a checkpoint", T::ty());
        self.world.collective(&what, site, |operation| {
            let written = match self.world.rank() {
                0 => header::header::<T>(&[])
                    .and_then(|mut bytes| {
                        Plain::of::<T>().pack(&[value], &mut bytes);
                        fs::write(path, bytes).map_err(|error| error.to_string())
                    })
                    .map_err(|reason| file_error(path, reason)),
                _ => Ok(()),
            };
            common(&self.world, operation, written)
        })?
    }

    /// The file of a new name.
    fn named(&mut self, name: &str) -> Result<PathBuf> {
        let path = file(&self.partial, name)?;
        match self.names.insert(name.to_owned()) {
            true => Ok(path),
            false => Err(Error::Argument {
                what: "the name of what a checkpoint holds".to_owned(),
                expected: "a name for each part".to_owned(),
                got: format!("{name:?} twice"),
            }),
        }
    }

    fn noted(&mut self, written: Result<()>) -> Result<()> {
        if let Err(error) = &written {
            self.failure.get_or_insert_with(|| error.to_string());
        }
        written
    }

    /// Puts the checkpoint in the place of the one before: a collective call.
    ///
    /// # Errors
    /// As [`Checkpoint::create`]; [`Error::File`] or [`Error::Failed`] too if a part could not be written, on whatever rank.
    #[track_caller]
    pub fn finish(mut self) -> Result<()> {
        let world = self.world.clone();
        world.collective("finishing a checkpoint", Location::caller(), |operation| {
            let whole = match &self.failure {
                Some(failure) => Err(file_error(
                    &self.folder,
                    format!("a part of the checkpoint failed: {failure}"),
                )),
                None => Ok(()),
            };
            if let Err(error) = common(&world, operation, whole)? {
                return Ok(Err(error));
            }
            let placed = match world.rank() {
                0 => is_free(&self.folder)
                    .and_then(|()| place(&self.partial, &self.folder).map_err(|error| file_error(&self.folder, error))),
                _ => Ok(()),
            };
            let placed = common(&world, operation, placed)?;
            self.finished = placed.is_ok();
            Ok(placed)
        })?
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        if !self.finished && self.world.rank() == 0 {
            // Nobody reads it.
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
}

impl SavedState {
    /// Opens a checkpoint: a collective call. One that was interrupted while it took the place of the one before is as if it had not begun.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Failed`] if there is none, and those of ranks that failed or make other calls.
    #[track_caller]
    pub fn open(world: &World, folder: impl AsRef<Path>) -> Result<SavedState> {
        let folder = folder.as_ref();
        let before = beside(folder, "before");
        let folder = world.collective("opening a checkpoint", Location::caller(), |operation| {
            let found = [folder, &before].into_iter().find(|path| path.is_dir());
            let found = found.ok_or_else(|| file_error(folder, "there is no checkpoint"));
            common(world, operation, found.map(Path::to_owned))
        })??;
        Ok(SavedState {
            world: world.clone(),
            folder,
        })
    }

    /// Sets a field, on whatever grid of the same shape: a collective call.
    ///
    /// # Errors
    /// [`Error::Argument`] for a name that is not one of letters, digits, `_` and `-`, and for a field of another world; those of
    /// [`Distributed::read_npy`].
    #[track_caller]
    pub fn field<T: Element, const D: usize, L: FieldLayout>(
        &self,
        name: &str,
        field: &mut Distributed<T, D, L>,
    ) -> Result<()> {
        let path = file(&self.folder, name)?;
        check_world(&self.world, "reading a field from a checkpoint", field)?;
        field.read_npy(path)
    }

    /// A value: a collective call.
    ///
    /// # Errors
    /// As [`SavedState::field`].
    #[track_caller]
    pub fn value<T: Element>(&self, name: &str) -> Result<T> {
        let path = file(&self.folder, name)?;
        let what = format!("reading the value {name} of `{}` from a checkpoint", T::ty());
        self.world.collective(&what, Location::caller(), |operation| {
            let read = || -> Result<T, String> {
                let bytes = fs::read(&path).map_err(|error| error.to_string())?;
                let start = header::check::<T>(&bytes[..], &[])?;
                let rest = bytes.get(start as usize..).unwrap_or_default();
                Ok(Plain::of::<T>().unpack::<T>(rest, 1)?[0])
            };
            common(
                &self.world,
                operation,
                read().map_err(|reason| file_error(&path, reason)),
            )
        })?
    }
}

fn check_world<T: Element, const D: usize, L: FieldLayout>(
    world: &World,
    what: &str,
    field: &Distributed<T, D, L>,
) -> Result<()> {
    match world.is(field.grid().world()) {
        true => Ok(()),
        false => Err(Error::Argument {
            what: what.to_owned(),
            expected: "a field of the checkpoint's world".to_owned(),
            got: format!("{} of another one", field.name()),
        }),
    }
}

fn file(folder: &Path, name: &str) -> Result<PathBuf> {
    let suits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(suits) {
        return Err(Error::Argument {
            what: "the name of what a checkpoint holds".to_owned(),
            expected: "letters, digits, `_` and `-`".to_owned(),
            got: format!("{name:?}"),
        });
    }
    Ok(folder.join(format!("{name}.npy")))
}

/// An error if something stands in the place of a checkpoint that is none: it would be removed.
fn is_free(folder: &Path) -> Result<()> {
    let found = match fs::symlink_metadata(folder) {
        Ok(found) => found,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(file_error(folder, error)),
    };
    if !found.is_dir() {
        return Err(file_error(folder, "it is there, and is no folder"));
    }
    for entry in fs::read_dir(folder).map_err(|error| file_error(folder, error))? {
        let path = entry.map_err(|error| file_error(folder, error))?.path();
        if path.is_dir() || path.extension().is_none_or(|end| end != "npy") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Err(file_error(folder, format!("`{name}` in it is of no checkpoint")));
        }
    }
    Ok(())
}

/// An empty folder.
fn fresh(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}

/// There is one of both checkpoints at every moment, under one of two names.
fn place(partial: &Path, folder: &Path) -> std::io::Result<()> {
    let before = beside(folder, "before");
    if folder.exists() {
        if before.exists() {
            fs::remove_dir_all(&before)?;
        }
        fs::rename(folder, &before)?;
    }
    fs::rename(partial, folder)?;
    if before.exists() {
        fs::remove_dir_all(&before)?;
    }
    Ok(())
}
