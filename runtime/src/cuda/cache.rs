//! Compiled kernels on disk.
//!
//! A fault of the cache costs a compilation and nothing else: entries are written beside their place and renamed into it,
//! and carry a checksum that is tested when they are read.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, SystemTime};

use etcetera::BaseStrategy;
use sha2::{Digest, Sha256};

/// First bytes of an entry. A change of the format, or of what a key covers, changes the number.
const MAGIC: &[u8; 8] = b"swathe1\n";
const HASH: usize = 32;
/// Files that a killed writer left are removed after this time.
const STALE: Duration = Duration::from_secs(3600);

/// A folder of entries.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    folder: PathBuf,
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

impl Cache {
    /// The cache that the environment asks for: `SWATHE_CACHE=0` for none, `SWATHE_CACHE_DIR` for its place, which is
    /// otherwise `swathe` in the user's folder for caches.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn from_env() -> Result<Cache, String> {
        if std::env::var_os("SWATHE_CACHE").is_some_and(|value| value == "0") {
            return Err("the cache is off (SWATHE_CACHE=0)".to_owned());
        }
        if let Some(folder) = std::env::var_os("SWATHE_CACHE_DIR").filter(|folder| !folder.is_empty()) {
            return Ok(Cache::at(folder));
        }
        match etcetera::choose_base_strategy() {
            Ok(strategy) => Ok(Cache::at(strategy.cache_dir().join("swathe"))),
            Err(error) => Err(format!("there is no folder for the cache: {error}")),
        }
    }

    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
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
        match payload(&bytes) {
            Some(payload) => Lookup::Found(payload.to_vec()),
            None => {
                self.discard(key);
                Lookup::Missing(format!("{} is damaged", file.display()))
            }
        }
    }

    /// Writes an entry, in place of an older one.
    ///
    /// # Errors
    /// Of the file system; then nothing has changed.
    pub fn store(&self, key: &Key, payload: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        static SWEPT: Once = Once::new();
        SWEPT.call_once(|| sweep(&self.folder));
        let mut file = tempfile::Builder::new()
            .prefix(".new-")
            .suffix(".part")
            .tempfile_in(&self.folder)?;
        file.write_all(MAGIC)?;
        file.write_all(&Sha256::digest(payload))?;
        file.write_all(payload)?;
        file.flush()?;
        file.persist(self.file(key)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Removes an entry that turned out to be unusable.
    pub fn discard(&self, key: &Key) {
        // If it cannot be removed it will be found unusable again.
        let _ = fs::remove_file(self.file(key));
    }
}

fn payload(bytes: &[u8]) -> Option<&[u8]> {
    let (hash, payload) = bytes.strip_prefix(MAGIC)?.split_at_checked(HASH)?;
    (Sha256::digest(payload).as_slice() == hash).then_some(payload)
}

/// Removes what killed writers left.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let age = entry
            .metadata()
            .and_then(|meta| meta.modified())
            .ok()
            .and_then(|time| SystemTime::now().duration_since(time).ok());
        if name.starts_with(".new-") && name.ends_with(".part") && age.is_some_and(|age| age > STALE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
