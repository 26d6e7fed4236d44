//! Computing while halos are on their way.

use swathe::prelude::*;
use swathe_distributed::{Grid, Local, Result, World};

use crate::devices::devices;

#[kernel(strict)]
fn smooth(u: &OffsetField<f32, 2>, v: &mut OffsetField<f32, 2>) {
    for [i, j] in v.indices() {
        v[[i, j]] = 0.3 * u[[i - 1, j]] + 0.2 * u[[i + 1, j]] + 0.4 * u[[i, j - 1]] + 0.1 * u[[i, j + 1]];
    }
}

#[kernel]
fn ones(beyond: &mut OffsetField<f32, 2>) {
    for [i, j] in beyond.indices() {
        beyond[[i, j]] = 1.0;
    }
}

fn smoothed(device: &Device, ranks: usize, overlap: bool, width: usize) -> Vec<f32> {
    let run = |world: &World| -> Result<Option<Vec<f32>>> {
        let grid = Grid::new(world, [11, 9]).halo(1).periodic([true, false]).build()?;
        let (mut u, mut v) = (grid.field(device)?, grid.field(device)?);
        u.fill_with(|[i, j]| (i * 10 + j) as f32 * 0.7)?;
        for _ in 0..3 {
            if overlap {
                let pending = u.start_exchange()?;
                let mut parts = v.split_rim(width)?;
                smooth(&pending.inside()?, &mut parts.inner)?;
                let whole = pending.boundary(|mut side| ones(&mut side.beyond))?;
                for side in &mut parts.sides {
                    smooth(whole, side)?;
                }
            } else {
                smooth(u.boundary(|mut side| ones(&mut side.beyond))?, &mut v.own()?)?;
            }
            std::mem::swap(&mut u, &mut v);
        }
        Ok(u.gather(0)?.map(|whole| whole.to_vec()).transpose()?)
    };
    Local::new(ranks).threads(1).run(run).unwrap().swap_remove(0).unwrap()
}

#[test]
fn overlap_changes_no_bit() {
    let expected = smoothed(&Device::cpu(), 1, false, 1);
    for ranks in [1, 2, 3, 4, 6] {
        // Wider than half of a block: nothing is left inside.
        for width in [1, 2, 7] {
            assert_eq!(
                smoothed(&Device::cpu(), ranks, true, width),
                expected,
                "{ranks} ranks, width {width}"
            );
        }
    }
    let [_, cuda] = devices();
    assert_eq!(smoothed(&cuda, 3, true, 1), expected);
}

#[test]
fn parts_of_a_block_are_all_of_it_once() {
    #[kernel]
    fn count(v: &mut OffsetField<i32, 3>, weight: i32) {
        for [i, j, k] in v.indices() {
            v[[i, j, k]] += weight * (1 + (100 * i + 10 * j + k) as i32);
        }
    }
    for width in [0, 1, 2, 5] {
        Local::new(2)
            .run(|world| {
                let grid = Grid::new(world, [7, 3, 5]).build()?;
                let mut v = grid.field::<i32>(&Device::cpu())?;
                let mut parts = v.split_rim(width)?;
                count(&mut parts.inner, 1)?;
                for side in &mut parts.sides {
                    count(side, 1)?;
                }
                let all = v.gather(0)?.map(|whole| whole.to_vec()).transpose()?;
                let expected = (0..105).map(|n| 1 + 100 * (n / 15) + 10 * (n / 5 % 3) + n % 5);
                assert!(all.is_none_or(|all| all == expected.collect::<Vec<_>>()));
                Ok(())
            })
            .unwrap();
    }
}

#[test]
fn other_calls_come_between_start_and_finish() {
    let sums = Local::new(3).run(|world| {
        let grid = Grid::new(world, 9).halo(1).periodic([true]).build()?;
        let (mut u, mut v) = (grid.field::<i64>(&Device::cpu())?, grid.field::<i64>(&Device::cpu())?);
        u.fill_with(|[i]| i as i64)?;
        v.fill_with(|[i]| 10 * i as i64)?;
        let first = u.start_exchange()?;
        let second = v.start_exchange()?;
        let total = world.sum(world.rank() as i64 + 1)?;
        world.barrier()?;
        // In another order.
        let v_whole = second.finish()?;
        let behind = v_whole.get(v_whole.ranges()[0].end - 1)?;
        let u_whole = first.finish()?;
        let before = u_whole.get(u_whole.origin())?;
        Ok((total, behind, before))
    });
    assert_eq!(sums.unwrap(), [(6, 30, 8), (6, 60, 2), (6, 0, 5)]);
}

#[test]
fn an_exchange_that_is_dropped_is_received_later() {
    Local::new(2)
        .run(|world| {
            let grid = Grid::new(world, 8).halo(1).periodic([true]).build()?;
            let mut u = grid.field::<i32>(&Device::cpu())?;
            u.fill(world.rank() as i32 + 5)?;
            drop(u.start_exchange()?);
            world.barrier()?;
            let whole = u.shared()?;
            assert_eq!(whole.get(whole.origin())?, 6 - world.rank() as i32);
            Ok(())
        })
        .unwrap();
}
