//! What needs no CUDA: the cache under all that can happen to it, and the errors of a machine without a driver.

use std::fs;
use std::io::Write;
use std::process::Command;
use std::sync::Barrier;

use super::cache::{Cache, Key, Lookup};
use super::error::CudaError;

fn folder() -> (tempfile::TempDir, Cache) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = Cache::at(folder.path().join("deep").join("er"));
    (folder, cache)
}

fn entry(cache: &Cache, folder: &tempfile::TempDir) -> std::path::PathBuf {
    let files: Vec<_> = fs::read_dir(folder.path().join("deep").join("er"))
        .expect("the cache's folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert_eq!(files.len(), 1, "{cache:?}: {files:?}");
    files[0].clone()
}

#[test]
fn key_depends_on_every_part_and_on_their_borders() {
    let keys = [
        Key::new(&[b"text", b"sm_90"]),
        Key::new(&[b"text", b"sm_80"]),
        Key::new(&[b"texts", b"m_90"]),
        Key::new(&[b"textsm_90"]),
        Key::new(&[b"sm_90", b"text"]),
    ];
    for (k, key) in keys.iter().enumerate() {
        assert!(keys[..k].iter().all(|other| other != key), "{k}");
    }
    assert_eq!(keys[0], Key::new(&[b"text", b"sm_90"]));
}

#[test]
fn what_is_stored_is_found() {
    let (_folder, cache) = folder();
    let key = Key::new(&[b"k"]);
    assert!(matches!(cache.load(&key), Lookup::Missing(reason) if reason.contains("not in the cache")));
    for payload in [&b""[..], b"machine code", &[7; 100_000]] {
        cache.store(&key, payload).expect("a writable folder");
        assert_eq!(cache.load(&key), Lookup::Found(payload.to_vec()));
    }
    assert!(matches!(cache.load(&Key::new(&[b"other"])), Lookup::Missing(_)));
}

#[test]
fn damaged_entries_are_missing_and_replaced() {
    let (folder, cache) = folder();
    let key = Key::new(&[b"k"]);
    let payload: Vec<u8> = (0..1000).map(|k| k as u8).collect();
    cache.store(&key, &payload).expect("a writable folder");
    let file = entry(&cache, &folder);
    let good = fs::read(&file).expect("the entry");
    for length in [0, 1, 7, 8, 20, 40, 41, good.len() - 1] {
        fs::write(&file, &good[..length]).expect("a writable entry");
        let found = cache.load(&key);
        assert!(
            matches!(&found, Lookup::Missing(reason) if reason.contains("is damaged")),
            "{length}: {found:?}"
        );
        cache.store(&key, &payload).expect("a writable folder");
        assert_eq!(cache.load(&key), Lookup::Found(payload.clone()));
    }
    for k in (0..good.len()).step_by(37) {
        let mut bad = good.clone();
        bad[k] ^= 4;
        fs::write(&file, bad).expect("a writable entry");
        assert!(matches!(cache.load(&key), Lookup::Missing(_)), "{k}");
    }
    let mut longer = good.clone();
    longer.push(0);
    fs::write(&file, longer).expect("a writable entry");
    assert!(matches!(cache.load(&key), Lookup::Missing(_)));
}

#[test]
fn folder_that_is_a_file_or_an_entry_that_is_a_folder_is_an_error_and_no_more() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "x").expect("a file");
    let cache = Cache::at(&file);
    let key = Key::new(&[b"k"]);
    assert!(matches!(cache.load(&key), Lookup::Missing(_)));
    assert!(cache.store(&key, b"p").is_err());

    let (folder, cache) = self::folder();
    cache.store(&key, b"p").expect("a writable folder");
    let entry = entry(&cache, &folder);
    fs::remove_file(&entry).expect("the entry");
    fs::create_dir(&entry).expect("a folder in its place");
    assert!(matches!(cache.load(&key), Lookup::Missing(reason) if reason.contains("cannot be read")));
    assert!(cache.store(&key, b"p").is_err());
}

#[test]
fn concurrent_writers_leave_one_valid_entry() {
    let (folder, cache) = folder();
    let key = Key::new(&[b"k"]);
    let barrier = Barrier::new(8);
    std::thread::scope(|scope| {
        for k in 0..8_u8 {
            let (cache, key, barrier) = (&cache, &key, &barrier);
            scope.spawn(move || {
                barrier.wait();
                for round in 0..20 {
                    cache.store(key, &vec![k; 10_000 + round]).expect("a writable folder");
                    let Lookup::Found(payload) = cache.load(key) else {
                        panic!("an entry that is being replaced is the old one or the new one");
                    };
                    assert!(payload.iter().all(|byte| *byte == payload[0]));
                }
            });
        }
    });
    assert!(matches!(cache.load(&key), Lookup::Found(_)));
    let _ = entry(&cache, &folder);
}

/// The program that is killed: writes entries until then.
#[test]
fn endless_writer() {
    let Some(folder) = std::env::var_os("SWATHE_TEST_ENDLESS_WRITER") else {
        return;
    };
    let cache = Cache::at(folder);
    for k in 0_u64.. {
        let _ = cache.store(&Key::new(&[b"k"]), &vec![k as u8; 3_000_000]);
        println!("written");
        let _ = std::io::stdout().flush();
    }
}

#[test]
fn killed_writers_leave_no_broken_entry() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = Cache::at(folder.path());
    for round in 0..4 {
        let mut writer = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "cuda::tests::endless_writer", "--nocapture"])
            .env("SWATHE_TEST_ENDLESS_WRITER", folder.path())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("this program again");
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(writer.stdout.take().expect("its output")));
        while !lines.next().expect("a line").expect("text").contains("written") {}
        std::thread::sleep(std::time::Duration::from_millis(3 * round));
        writer.kill().expect("a running program");
        writer.wait().expect("its end");
        let Lookup::Found(payload) = cache.load(&Key::new(&[b"k"])) else {
            panic!("a broken entry");
        };
        assert!(payload.len() == 3_000_000 && payload.iter().all(|byte| *byte == payload[0]));
    }
}

#[test]
fn errors_say_what_to_install() {
    let text = CudaError::NoDriver { path: None }.to_string();
    assert!(text.contains("Install the NVIDIA driver"), "{text}");
    let text = CudaError::OldDriver { found: (11, 4) }.to_string();
    assert!(text.contains("CUDA 11.4 only"), "{text}");
    let text = CudaError::NoDevice { reason: None }.to_string();
    assert!(text.contains("CUDA_VISIBLE_DEVICES"), "{text}");
    let text = CudaError::NoSuchDevice { index: 3, count: 1 }.to_string();
    assert_eq!(text, "there is no CUDA device 3: there is one, number 0");
}
