//! Memory that clones share: what is allocated, what an error leaves, and several threads.

use std::sync::Barrier;
use std::thread;

use super::remote::Remote;
use crate::device::Device;
use crate::error::Error;
use crate::field::{Field, copies_on_write};
use crate::types::Vec3;
use crate::{Soa, kernel};

#[kernel]
fn double(x: &mut Field<f32, 2>) {
    for [i, j] in x.indices() {
        x[[i, j]] *= 2.0;
    }
}

#[test]
fn a_copy_that_fails_changes_nothing() {
    let (remote, device) = Remote::device(900);
    let numbers: Vec<f32> = (0..105).map(|k| k as f32 - 40.5).collect();
    let mut x = Field::<f32, 2>::zeros(&device, [15, 7]).unwrap();
    x.copy_from_slice(&numbers).unwrap();
    let clones: Vec<_> = (0..5).map(|_| x.try_clone().unwrap()).collect();
    assert_eq!(remote.live(), 420);
    let other = Field::<u8>::zeros(&device, 100).unwrap();
    let expected = "out of memory: 420 bytes on remote, to give Field<f32, 2> { shape: [15, 7], device: remote } memory of its own";
    for error in [
        x.fill(1.0).unwrap_err(),
        x.set([3, 2], 1.0).unwrap_err(),
        x.unshare().unwrap_err(),
        x.copy_from_slice(&numbers).unwrap_err(),
        x.fill_uniform(3, 0.0, 1.0).unwrap_err(),
        x.view_mut().map(drop).unwrap_err(),
        x.split_at_mut(1, 3).map(drop).unwrap_err(),
        double(&mut x).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), expected);
        assert!(matches!(error, Error::OutOfMemory { bytes: 420, .. }));
    }
    assert_eq!(
        (x.to_vec().unwrap(), clones[4].to_vec().unwrap()),
        (numbers.clone(), numbers.clone())
    );
    drop(other);

    // There is memory, and it cannot be copied.
    remote.break_copies(true);
    assert_eq!(x.fill(1.0).unwrap_err(), Error::Unknown { what: "a copy" });
    assert_eq!(remote.live(), 420);
    assert_eq!(x.to_vec().unwrap(), numbers);
    remote.break_copies(false);
    x.fill(1.0).unwrap();
    assert_eq!(remote.live(), 840);
    assert_eq!(
        (x.to_vec().unwrap(), clones[0].to_vec().unwrap()),
        (vec![1.0; 105], numbers)
    );
    drop(clones);
    assert_eq!(remote.live(), 420);
    drop(x);
    assert_eq!(remote.live(), 0);
}

#[test]
fn planes_are_shared_too() {
    let (remote, device) = Remote::device(10_000);
    let rows = Field::<Vec3>::from_fn(&device, 17, |[i]| Vec3::new(i as f32, -1.0, 0.5)).unwrap();
    let mut u = rows.with_layout(Soa).unwrap();
    drop(rows);
    let live = remote.live();
    let v = u.try_clone().unwrap();
    assert_eq!(remote.live(), live);
    u.set(16, Vec3::ZERO).unwrap();
    assert_eq!(remote.live(), 2 * live);
    assert_eq!((u.get(16).unwrap(), u.get(15).unwrap().x), (Vec3::ZERO, 15.0));
    assert_eq!(v.get(16).unwrap(), Vec3::new(16.0, -1.0, 0.5));
}

/// Clones are read, written, cloned and dropped on all threads at the same time. `cargo xtask sanitize` runs what has the CPU in its
/// name.
#[test]
fn clones_on_threads_of_the_cpu() {
    const THREADS: u32 = 4;
    let rounds = if cfg!(miri) { 3 } else { 200 };
    let device = Device::cpu();
    let before = copies_on_write();
    for round in 0..rounds {
        let n = [1, 3, 17][round % 3];
        let start = Field::<u32>::from_fn(&device, n, |[i]| 10 * i as u32).unwrap();
        let gate = Barrier::new(THREADS as usize);
        thread::scope(|scope| {
            for k in 0..THREADS {
                // The threads have all handles but one, which is dropped when the last of them starts.
                let mut own = start.try_clone().unwrap();
                let (gate, device) = (&gate, &device);
                scope.spawn(move || {
                    gate.wait();
                    let kept = (k % 2 == 0).then(|| own.try_clone().unwrap());
                    let expected = |add: u32| (0..n as u32).map(move |i| 10 * i + add);
                    assert!(own.to_vec().unwrap().into_iter().eq(expected(0)));
                    let values: Vec<u32> = expected(k + 1).collect();
                    own.copy_from_slice(&values).unwrap();
                    assert!(own.to_vec().unwrap().into_iter().eq(expected(k + 1)));
                    if let Some(kept) = kept {
                        assert!(kept.to_vec().unwrap().into_iter().eq(expected(0)));
                    }
                    assert_eq!(own.device(), device);
                });
            }
            drop(start);
        });
    }
    assert!(copies_on_write() > before);
}
