//! Ranks that are processes: `mpiexec -n 4 PROGRAM SCENARIO`.
//!
//! Each process runs its rank once, and so one scenario. Without `mpiexec` there is one rank.

use std::cell::RefCell;
use std::env;
use std::mem::swap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use swathe::prelude::*;
use swathe_distributed::{Checkpoint, Error, Grid, Result, SavedState, World, run};

fn main() {
    let scenario = env::args().nth(1).unwrap_or_else(|| "all".to_owned());
    let start = Instant::now();
    let told = run(1, |world| match &scenario[..] {
        "panic" => {
            assert!(world.rank() != 1, "no more");
            world.barrier()
        }
        "error" => match world.rank() {
            1 => Err(Error::program("disk full")),
            _ => world.barrier(),
        },
        "order" => match world.rank() {
            1 => world.barrier(),
            _ => world.sum(1.0).map(drop),
        },
        "end" => match world.rank() {
            1 => Ok(()),
            _ => world.barrier(),
        },
        "late" => {
            keep(world);
            world.barrier()
        }
        _ => all(world),
    });
    let rank = env::var("PMI_RANK").unwrap_or_default();
    // Rank 1 is the one that leaves.
    let as_expected = match (&scenario[..], &told) {
        ("panic", Err(Error::Panicked { rank: 1, message })) => message == "no more",
        ("error", Err(Error::Program(text))) => rank == "1" && text == "disk full",
        ("error", Err(Error::Failed { rank: 1, reason })) => reason == "disk full",
        ("order", Err(Error::Mismatch { .. })) => true,
        ("order", Err(Error::Failed { reason, .. })) => reason.contains("ranks make different calls"),
        ("end", Ok(_)) => rank == "1",
        ("end", Err(Error::Ended { rank: 1, .. } | Error::Failed { .. })) => rank != "1",
        ("late", Ok(_)) => late(),
        ("all", Ok(_)) => true,
        _ => false,
    };
    assert!(as_expected, "{scenario}: rank {rank} got {told:?}");
    assert!(start.elapsed().as_secs() < 30, "{scenario}: rank {rank} waited");
    // As other test programs end, once.
    if matches!(&rank[..], "" | "0") {
        println!("test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");
    }
}

thread_local! {
    static KEPT: RefCell<Option<World>> = const { RefCell::new(None) };
}

/// What a kept world said when its rank had ended.
static SAID: Mutex<Option<Receiver<String>>> = Mutex::new(None);

/// Uses the world in a job that its thread runs when the rank has ended.
fn keep(world: &World) {
    KEPT.set(Some(world.clone()));
    let (said, receiver) = channel();
    *SAID.lock().unwrap() = Some(receiver);
    rayon::spawn_broadcast(move |_| {
        if let Some(world) = KEPT.take() {
            // Others have ended, and so has MPI perhaps.
            std::thread::sleep(Duration::from_millis(300));
            let (rank, local) = (world.rank(), world.local_rank());
            let told = match world.barrier() {
                Ok(()) => "alone".to_owned(),
                Err(error) => error.to_string(),
            };
            let _ = said.send(format!("{rank} {local}: {told}"));
        }
    });
}

fn late() -> bool {
    let receiver = SAID.lock().unwrap().take().unwrap();
    let said = receiver.recv_timeout(Duration::from_secs(10)).unwrap();
    // A world of one rank has nobody to wait for.
    said.contains("its program has ended") || said.contains("alone")
}

#[kernel(strict)]
fn spread(u: &OffsetField<f64, 2>, v: &mut OffsetField<f64, 2>) {
    for [i, j] in v.indices() {
        v[[i, j]] = 0.3 * u[[i - 1, j + 1]] + 0.2 * u[[i + 1, j]] + 0.4 * u[[i, j - 1]] + 0.1 * u[[i + 1, j + 1]];
    }
}

/// Periodic in both axes, by plain loops.
fn plain(steps: usize) -> Vec<f64> {
    let (h, w) = (19_isize, 23_isize);
    let at = |u: &[f64], i: isize, j: isize| u[(i.rem_euclid(h) * w + j.rem_euclid(w)) as usize];
    let mut u: Vec<f64> = (0..h * w)
        .map(|n| value([(n / w) as usize, (n % w) as usize]))
        .collect();
    for _ in 0..steps {
        let next = |n: isize| {
            let (i, j) = (n / w, n % w);
            0.3 * at(&u, i - 1, j + 1) + 0.2 * at(&u, i + 1, j) + 0.4 * at(&u, i, j - 1) + 0.1 * at(&u, i + 1, j + 1)
        };
        u = (0..h * w).map(next).collect();
    }
    u
}

fn value([i, j]: [usize; 2]) -> f64 {
    ((i * 7 + j * 13) % 29) as f64 * 0.3 - 2.0
}

fn all(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let processes = env::var("PMI_SIZE").map_or(1, |size| size.parse().unwrap());
    assert_eq!(size, processes);
    // All are on this machine.
    assert_eq!(world.local_rank(), rank);
    for root in 0..size {
        assert_eq!(world.broadcast(root, 10 * rank as i32)?, 10 * root as i32);
    }
    let expected: Vec<Vec<u8>> = (0..size).map(|rank| vec![rank as u8; rank]).collect();
    assert_eq!(world.all_gather(&expected[rank])?, expected);
    assert_eq!(world.sum(0.1 * (rank as f64 - 0.5 * (size as f64 - 1.0)))?, 0.0);
    // More than what any MPI sends eagerly, in a ring of senders.
    let long = world.all_gather(&vec![rank as u64; 1 << 20])?;
    assert!(
        long.iter()
            .enumerate()
            .all(|(from, all)| all.len() == 1 << 20 && all.iter().all(|x| *x == from as u64))
    );

    let grid = Grid::new(world, [19, 23]).halo(2).periodic([true, true]).build()?;
    let (mut u, mut v) = (grid.field::<f64>(&Device::cpu())?, grid.field::<f64>(&Device::cpu())?);
    u.fill_with(value)?;
    for step in 0..5 {
        if step % 2 == 0 {
            spread(u.shared()?, &mut v.own()?)?;
        } else {
            let pending = u.start_exchange()?;
            let mut parts = v.split_rim(1)?;
            spread(&pending.inside()?, &mut parts.inner)?;
            let whole = pending.finish()?;
            parts.sides.iter_mut().try_for_each(|side| spread(whole, side))?;
        }
        swap(&mut u, &mut v);
    }
    let whole = u.gather(size - 1)?.map(|whole| whole.to_vec()).transpose()?;
    assert!(whole.is_none_or(|whole| whole == plain(5)));

    let folder = env::temp_dir().join(format!("swathe-mpi-{}", world.broadcast(0, std::process::id())?));
    let mut checkpoint = Checkpoint::create(world, &folder)?;
    checkpoint.field("u", &u)?;
    checkpoint.value("steps", 5)?;
    checkpoint.finish()?;
    let columns = Grid::new(world, [19, 23]).ranks([1, size]).build()?;
    let mut w = columns.field::<f64>(&Device::cpu())?;
    let saved = SavedState::open(world, &folder)?;
    saved.field("u", &mut w)?;
    assert_eq!((saved.value::<i32>("steps")?, w.sum()?), (5, u.sum()?));
    let back = w
        .reshard(&grid, &Device::cpu())?
        .gather(0)?
        .map(|whole| whole.to_vec())
        .transpose()?;
    assert!(back.is_none_or(|back| back == plain(5)));
    world.barrier()?;
    if rank == 0 {
        std::fs::remove_dir_all(&folder).map_err(Error::program)?;
    }
    Ok(())
}
