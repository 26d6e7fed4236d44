//! Compiled kernels on disk.
//!
//! A fault of the cache costs a compilation and nothing else: entries are written beside their place and renamed into it,
//! and carry a checksum of their key and what they hold, which is tested when they are read. Where they grow beyond a limit, those go that were used longest
//! ago.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use etcetera::BaseStrategy;
use sha2::{Digest, Sha256};

use super::notices::Notices;

/// First bytes of an entry. A change of the format, or of what a key covers, changes the number.
const MAGIC: &[u8; 8] = b"swathe2\n";
const HASH: usize = 32;
/// Bytes of all entries, unless the environment says otherwise.
const LIMIT: u64 = 1 << 30;
/// Files that a killed writer left are removed after this time.
const STALE: Duration = Duration::from_secs(3600);

/// A folder of entries.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    /// Bytes of all entries.
    limit: u64,
}

/// What a look into the cache found.
#[derive(Debug, PartialEq)]
pub(super) enum Lookup {
    Found(Vec<u8>),
    /// Nothing that can be used, and why.
    Missing(String),
}

/// Identifies an entry: the hash of everything that the entry depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key(String);

impl Key {
    /// The key of these parts in this order.
    pub fn new(parts: &[&[u8]]) -> Key {
        let mut hash = Sha256::new();
        hash.update(MAGIC);
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Key(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

#[cfg(test)]
impl Key {
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The key of an entry, by the name of its file.
    pub fn named(file: &str) -> Key {
        Key(file.trim_end_matches(".bin").to_owned())
    }
}

impl Cache {
    /// The cache that the environment asks for: `SWATHE_CACHE=0` for none, `SWATHE_CACHE_DIR` for its place, which is
    /// otherwise `swathe` in the user's folder for caches, and `SWATHE_CACHE_SIZE` for its limit in MiB.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn from_env(notices: &mut Notices) -> Result<Cache, String> {
        if std::env::var_os("SWATHE_CACHE").is_some_and(|value| value == "0") {
            return Err("the cache is off (SWATHE_CACHE=0)".to_owned());
        }
        let limit = std::env::var("SWATHE_CACHE_SIZE").ok();
        let limit = limit.filter(|text| !text.is_empty()).map_or(LIMIT, |text| {
            mebibytes(&text).unwrap_or_else(|| {
                notices.add(log::Level::Warn, || {
                    let limit = LIMIT >> 20;
                    format!("SWATHE_CACHE_SIZE={text}: expected a number of MiB; the limit is {limit} MiB")
                });
                LIMIT
            })
        });
        if let Some(folder) = std::env::var_os("SWATHE_CACHE_DIR").filter(|folder| !folder.is_empty()) {
            return Ok(Cache::at(folder, limit));
        }
        match etcetera::choose_base_strategy() {
            Ok(strategy) => Ok(Cache::at(strategy.cache_dir().join("swathe"), limit)),
            Err(error) => Err(format!("there is no folder for the cache: {error}")),
        }
    }

    /// A folder with this limit in bytes.
    pub fn at(folder: impl Into<PathBuf>, limit: u64) -> Cache {
        Cache {
            folder: folder.into(),
            limit,
        }
    }

    fn file(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{}.bin", key.0))
    }

    /// The entry of this key.
    pub fn load(&self, key: &Key) -> Lookup {
        let file = self.file(key);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Lookup::Missing(format!("not in the cache at {}", self.folder.display()));
            }
            Err(error) => return Lookup::Missing(format!("{} cannot be read: {error}", file.display())),
        };
        match payload(key, &bytes) {
            Some(payload) => {
                touch(&file);
                Lookup::Found(payload.to_vec())
            }
            None => {
                self.discard(key);
                Lookup::Missing(format!("{} is damaged", file.display()))
            }
        }
    }

    /// Writes an entry, in place of an older one, and gives those that are removed for it.
    ///
    /// # Errors
    /// Of the file system; then nothing has changed.
    pub fn store(&self, key: &Key, payload: &[u8]) -> io::Result<Vec<PathBuf>> {
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".new-")
            .suffix(".part")
            .tempfile_in(&self.folder)?;
        file.write_all(MAGIC)?;
        file.write_all(&checksum(key, payload))?;
        file.write_all(payload)?;
        file.flush()?;
        file.persist(self.file(key)).map_err(|error| error.error)?;
        Ok(self.sweep(key))
    }

    /// Removes what killed writers left, and the entries beyond the limit that were used longest ago; the newest stays
    /// however large it is. Another process may do the same: what is gone already counts as removed.
    fn sweep(&self, newest: &Key) -> Vec<PathBuf> {
        let mut removed = Vec::new();
        let Ok(files) = fs::read_dir(&self.folder) else {
            return removed;
        };
        let newest = self.file(newest);
        let (mut entries, mut total) = (Vec::new(), 0);
        for file in files.flatten() {
            let Ok(meta) = file.metadata() else { continue };
            let (path, name) = (file.path(), file.file_name());
            let name = name.to_string_lossy();
            let Ok(used) = meta.modified() else { continue };
            if name.starts_with(".new-") && name.ends_with(".part") {
                if SystemTime::now().duration_since(used).is_ok_and(|age| age > STALE) {
                    let _ = fs::remove_file(path);
                }
            } else if is_entry(&name) && meta.is_file() {
                total += meta.len();
                if path != newest {
                    entries.push((used, path, meta.len()));
                }
            }
        }
        if total <= self.limit {
            return removed;
        }
        // Somewhat below the limit, so that not every entry from now on makes room for itself alone.
        let goal = self.limit - self.limit / 8;
        entries.sort();
        for (_, path, bytes) in entries {
            if total <= goal {
                break;
            }
            if fs::remove_file(&path).is_ok() {
                removed.push(path);
            }
            total -= bytes;
        }
        removed
    }

    /// Removes an entry that turned out to be unusable.
    pub fn discard(&self, key: &Key) {
        // If it cannot be removed it will be found unusable again.
        let _ = fs::remove_file(self.file(key));
    }
}

fn payload<'b>(key: &Key, bytes: &'b [u8]) -> Option<&'b [u8]> {
    let (hash, payload) = bytes.strip_prefix(MAGIC)?.split_at_checked(HASH)?;
    (checksum(key, payload) == hash).then_some(payload)
}

/// Of an entry at its place: the file of another key is damaged.
fn checksum(key: &Key, payload: &[u8]) -> [u8; HASH] {
    Sha256::new_with_prefix(&key.0).chain_update(payload).finalize().into()
}

/// Whether a file of this name is ours: the folder may hold others.
fn is_entry(name: &str) -> bool {
    name.strip_suffix(".bin")
        .is_some_and(|hash| hash.len() == 2 * HASH && hash.bytes().all(|c| c.is_ascii_hexdigit()))
}

/// Notes that an entry is used, if it may be written to.
fn touch(file: &Path) {
    let _ = fs::File::options()
        .append(true)
        .open(file)
        .and_then(|file| file.set_modified(SystemTime::now()));
}

fn mebibytes(text: &str) -> Option<u64> {
    text.trim().parse::<u64>().ok()?.checked_mul(1 << 20)
}
