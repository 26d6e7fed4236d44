//! What needs no CUDA: the cache under all that can happen to it, and the errors of a machine without a driver.

use std::fs;
use std::io::Write;
use std::process::Command;
use std::sync::Barrier;

use super::cache::{Cache, Key, Lookup};
use crate::error::CudaError;

fn folder() -> (tempfile::TempDir, Cache) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = Cache::at(folder.path().join("deep").join("er"), u64::MAX);
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
    let cache = Cache::at(&file, u64::MAX);
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
fn files_of_other_keys_are_damaged() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = Cache::at(folder.path(), u64::MAX);
    let keys = [Key::new(&[b"one"]), Key::new(&[b"two"])];
    for (key, payload) in keys.iter().zip([b"first", b"other"]) {
        cache.store(key, payload).expect("a writable folder");
    }
    let [one, two] = [0, 1].map(|k| folder.path().join(format!("{}.bin", keys[k].name())));
    fs::rename(one, two).expect("both files");
    assert!(matches!(cache.load(&keys[1]), Lookup::Missing(reason) if reason.contains("is damaged")));
    assert!(matches!(cache.load(&keys[1]), Lookup::Missing(reason) if reason.contains("not in the cache")));
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
    let cache = Cache::at(folder, u64::MAX);
    for k in 0_u64.. {
        let _ = cache.store(&Key::new(&[b"k"]), &vec![k as u8; 3_000_000]);
        println!("written");
        let _ = std::io::stdout().flush();
    }
}

#[test]
fn killed_writers_leave_no_broken_entry() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = Cache::at(folder.path(), u64::MAX);
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
fn full_caches_lose_what_was_used_longest_ago() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Ten entries of 1000 bytes with their headers, and a little.
    let cache = Cache::at(folder.path(), 10_500);
    let keys: Vec<Key> = (0..20_u8).map(|k| Key::new(&[&[k]])).collect();
    let payload = |k: usize| vec![k as u8; 960];
    let there = || -> Vec<usize> {
        let found = |k: &usize| folder.path().join(format!("{}.bin", keys[*k].name())).exists();
        (0..keys.len()).filter(found).collect()
    };
    // Files of others are neither counted nor removed.
    fs::write(folder.path().join("notes.bin"), vec![0; 50_000]).expect("a writable folder");
    let age = |k: usize, seconds: u64| {
        let file = folder.path().join(format!("{}.bin", keys[k].name()));
        let file = fs::File::options().append(true).open(file).expect("the entry");
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(seconds);
        file.set_modified(time).expect("a writable entry");
    };
    for (k, key) in keys.iter().enumerate().take(10) {
        cache.store(key, &payload(k)).expect("a writable folder");
        age(k, 1000 - 10 * k as u64);
    }
    assert_eq!(there(), (0..10).collect::<Vec<_>>());
    // Use makes young: the next entry displaces the two that are oldest then.
    assert_eq!(cache.load(&keys[0]), Lookup::Found(payload(0)));
    assert_eq!(cache.load(&keys[2]), Lookup::Found(payload(2)));
    cache.store(&keys[10], &payload(10)).expect("a writable folder");
    assert_eq!(there(), [0, 2, 4, 5, 6, 7, 8, 9, 10]);
    // One that is larger than the limit displaces all others and stays.
    cache.store(&keys[11], &[1; 20_000]).expect("a writable folder");
    assert_eq!(there(), [11]);
    assert!(matches!(cache.load(&keys[11]), Lookup::Found(_)));
    assert!(folder.path().join("notes.bin").exists());
}

#[test]
fn threads_fill_a_cache_beyond_its_limit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cache = Cache::at(folder.path(), 20_000);
    std::thread::scope(|scope| {
        for t in 0..8_u8 {
            let cache = &cache;
            scope.spawn(move || {
                for k in 0..20_u8 {
                    let (key, payload) = (Key::new(&[&[t, k]]), vec![t ^ k; 1000]);
                    cache.store(&key, &payload).expect("a writable folder");
                    // Another thread may have removed it, and nothing else.
                    match cache.load(&key) {
                        Lookup::Found(found) => assert_eq!(found, payload),
                        Lookup::Missing(reason) => assert!(reason.contains("not in the cache"), "{reason}"),
                    }
                }
            });
        }
    });
    let sizes = fs::read_dir(folder.path()).expect("the cache");
    let total: u64 = sizes
        .map(|file| file.expect("an entry").metadata().expect("its size").len())
        .sum();
    assert!(total > 5_000 && total <= 20_000, "{total}");
}

/// The program that cannot write: its files may not grow, or the folder is read-only.
#[test]
fn writer_without_room() {
    let Some(folder) = std::env::var_os("SWATHE_TEST_NO_ROOM") else {
        return;
    };
    let cache = Cache::at(folder, u64::MAX);
    assert_eq!(cache.load(&Key::new(&[b"old"])), Lookup::Found(b"before".to_vec()));
    let key = Key::new(&[b"k"]);
    let error = cache.store(&key, &[7; 100_000]).expect_err("no room");
    println!("told: {error}");
    assert!(matches!(cache.load(&key), Lookup::Missing(_)));
}

#[cfg(unix)]
#[test]
fn full_disks_and_read_only_folders_are_errors_and_no_more() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    Cache::at(folder.path(), u64::MAX)
        .store(&Key::new(&[b"old"]), b"before")
        .expect("a writable folder");
    let run = |limits: &str| {
        let output = Command::new("sh")
            .args(["-c", &format!("{limits}exec \"$@\""), "sh"])
            .arg(std::env::current_exe().expect("this program"))
            .args(["--exact", "cuda::tests::writer_without_room", "--nocapture"])
            .env("SWATHE_TEST_NO_ROOM", folder.path())
            .output()
            .expect("a shell");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let files = fs::read_dir(folder.path()).expect("the cache").count();
        assert_eq!(files, 1, "nothing half written stays: {text}");
    };
    // A limit on the size of files, with its signal ignored, is what a full disk is: a write that fails halfway.
    run("trap '' XFSZ; ulimit -f 16; ");
    let writable = fs::metadata(folder.path()).expect("the folder").permissions();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).expect("a folder of ours");
    // Whoever may do everything writes to a read-only folder, too.
    if fs::write(folder.path().join("try"), "").is_err() {
        run("");
    } else {
        fs::remove_file(folder.path().join("try")).expect("the file");
    }
    fs::set_permissions(folder.path(), writable).expect("a folder of ours");
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
