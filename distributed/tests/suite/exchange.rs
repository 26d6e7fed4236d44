//! What an exchange brings, and what it refuses.

use swathe::derivative::Tape;
use swathe::prelude::*;
use swathe_distributed::{Distributed, Error, Grid, Local, Result};

use crate::devices::devices;
use crate::watchdog::watched;

#[kernel]
fn reach(u: &OffsetField<i32>, v: &mut OffsetField<i32>, by: isize) {
    for i in v.indices() {
        v[i] = u[i + by];
    }
}

#[test]
fn a_halo_that_is_too_thin_is_out_of_bounds_at_its_position() {
    let error = Local::new(3).run(|world| {
        let grid = Grid::new(world, 9).halo(1).periodic([true]).build()?;
        let (mut u, mut v) = (grid.field(&Device::cpu())?, grid.field(&Device::cpu())?);
        let told = reach(u.shared()?, &mut v.own()?, 2).unwrap_err().to_string();
        let end = 3 * (world.rank() + 1);
        assert!(told.contains(&format!("accessed `u` at [{}]", end + 1)), "{told}");
        assert!(
            told.contains(&format!("is out of range {}..{} of axis 0", end as isize - 4, end + 1)),
            "{told}"
        );
        Err::<(), Error>(Error::program(told))
    });
    assert!(error.is_err());
}

#[test]
fn what_has_no_halo_refuses_to_be_read_there() {
    // A program that leaves the exchange out cannot read old values.
    Local::new(2)
        .run(|world| {
            let grid = Grid::new(world, 8).halo(1).periodic([true]).build()?;
            let (mut u, mut v) = (grid.field::<i32>(&Device::cpu())?, grid.field(&Device::cpu())?);
            u.shared()?;
            u.fill(3)?;
            let error = reach(&u.inside()?, &mut v.own()?, 1).unwrap_err();
            assert!(error.to_string().contains("accessed `u` at"), "{error}");
            let pending = u.start_exchange()?;
            assert!(reach(&pending.inside()?, &mut v.own()?, 1).is_err());
            reach(pending.finish()?, &mut v.own()?, 1)?;
            assert_eq!(v.sum()?, 24);
            Ok(())
        })
        .unwrap();
}

#[test]
fn halos_follow_each_write_of_each_rank() {
    Local::new(3)
        .run(|world| {
            let grid = Grid::new(world, 9).halo(2).periodic([true]).build()?;
            let mut u = grid.field::<i32>(&Device::cpu())?;
            let expect = |u: &OffsetField<i32>, of: [i32; 3]| -> Result<()> {
                for i in u.ranges()[0].clone() {
                    assert_eq!(u.get(i)?, of[i.rem_euclid(9) as usize / 3], "at {i}");
                }
                Ok(())
            };
            u.fill(world.rank() as i32)?;
            expect(u.shared()?, [0, 1, 2])?;
            expect(u.shared()?, [0, 1, 2])?;
            // One rank writes, the others have nothing new.
            if world.rank() == 1 {
                u.fill(7)?;
            }
            expect(u.shared()?, [0, 7, 2])?;
            if world.rank() != 1 {
                u.fill(-1)?;
            }
            expect(u.shared()?, [-1, 7, -1])?;
            Ok(())
        })
        .unwrap();
}

#[test]
fn each_rank_has_a_device_of_its_own() {
    let devices = devices();
    let all = Local::new(4).threads(1).run(|world| {
        let device = &devices[world.rank() % 2];
        let grid = Grid::new(world, 17).halo(2).periodic([true]).build()?;
        let (mut u, mut v) = (grid.field(device)?, grid.field(device)?);
        u.fill_with(|[i]| 3 * i as i32)?;
        reach(u.shared()?, &mut v.own()?, -2)?;
        let back = Grid::new(world, 17).ranks([4]).build()?;
        let w = v.reshard(&back, &devices[(world.rank() + 1) % 2])?;
        Ok(w.gather(1)?.map(|whole| whole.to_vec()).transpose()?)
    });
    let expected: Vec<i32> = (0..17).map(|i| 3 * ((i + 15) % 17)).collect();
    assert_eq!(all.unwrap()[1], Some(expected));
}

#[test]
fn other_fields_cannot_be_taken_for_each_other() {
    let error = watched(|| {
        Local::new(2).run(|world| {
            let grid = Grid::new(world, 8).halo(1).build()?;
            let (mut u, mut v) = (grid.field::<i32>(&Device::cpu())?, grid.field::<i32>(&Device::cpu())?);
            if world.rank() == 1 {
                std::mem::swap(&mut u, &mut v);
            }
            u.shared()?;
            Ok(())
        })
    });
    let text = error.unwrap_err().to_string();
    assert!(text.contains("exchange of field 0 of grid 0, `i32`"), "{text}");
    assert!(text.contains("exchange of field 1 of grid 0, `i32`"), "{text}");
}

#[test]
fn a_rank_that_leaves_an_exchange_out_is_found() {
    // It goes on to something else, or ends.
    for ends in [false, true] {
        let error = watched(move || {
            Local::new(4).run(|world| {
                let grid = Grid::new(world, [8, 8]).halo(1).build()?;
                let mut u = grid.field::<f32>(&Device::cpu())?;
                if world.rank() == 2 {
                    return if ends { Ok(()) } else { world.barrier() };
                }
                u.shared()?;
                Ok(())
            })
        });
        match error {
            Err(Error::Ended { rank: 2, .. }) if ends => {}
            Err(Error::Mismatch { .. } | Error::Deadlock { .. } | Error::Ended { .. }) if !ends => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_panic_of_a_kernel_s_caller_ends_an_exchange() {
    let error = watched(|| {
        Local::new(3).run(|world| {
            let grid = Grid::new(world, 9).halo(1).periodic([true]).build()?;
            let (mut u, mut v) = (grid.field(&Device::cpu())?, grid.field(&Device::cpu())?);
            for step in 0..5 {
                assert!(world.rank() != 0 || step < 3, "step {step}");
                reach(u.shared()?, &mut v.own()?, 1)?;
                std::mem::swap(&mut u, &mut v);
            }
            Ok(())
        })
    });
    let expected = Error::Panicked {
        rank: 0,
        message: "step 3".to_owned(),
    };
    assert_eq!(error, Err(expected));
}

#[kernel(grad)]
fn spread(x: &Field<f64>, u: &mut OffsetField<f64>, from: isize) {
    for i in 0..x.len() {
        u[i as isize + from] = 2.0 * x[i];
    }
}

#[kernel(grad)]
fn squares(u: &OffsetField<f64>, out: &mut Field<f64>, from: isize) {
    for i in 0..out.len() {
        out[i] = u[i as isize + from] * u[i as isize + from];
    }
}

#[test]
fn an_exchange_that_a_recording_would_not_see_is_refused_and_the_ranks_go_on() {
    Local::new(2)
        .run(|world| {
            let grid = Grid::new(world, 8).halo(1).periodic([true]).build()?;
            let mut u = grid.field::<f64>(&Device::cpu())?;
            u.fill(1.0)?;
            let x = Field::full(&Device::cpu(), 4, 3.0)?;
            let from = u.ranges()[0].start;
            let mut told = Vec::new();
            let refused = |told: &mut Vec<Error>, u: &mut Distributed<f64, 1>| {
                told.extend(u.shared().map(drop).err());
                told.extend(u.start_exchange().map(drop).err());
                told.extend(u.boundary(|_| Ok::<(), Error>(())).map(drop).err());
            };
            Tape::record([x.source()], || {
                spread(&x, &mut u.own().unwrap(), from)?;
                refused(&mut told, &mut u);
                // A halo would be written in a pause.
                Tape::pause(|| refused(&mut told, &mut u));
                Ok(())
            })?;
            assert_eq!(told.len(), 6);
            for error in told {
                assert!(
                    matches!(error, Error::Swathe(swathe::Error::NotRecordable { .. })),
                    "{error}"
                );
            }
            world.barrier()?;
            let whole = u.shared()?;
            assert_eq!(whole.get(whole.origin())?, 6.0);
            Ok(())
        })
        .unwrap();
}

#[test]
fn what_has_no_part_in_a_recording_is_exchanged_within_it() {
    Local::new(2)
        .run(|world| {
            let grid = Grid::new(world, 8).halo(1).periodic([true]).build()?;
            let mut u = grid.field::<f64>(&Device::cpu())?;
            let x = Field::full(&Device::cpu(), 4, 3.0)?;
            let mut out = Field::<f64>::zeros(&Device::cpu(), 5)?;
            Tape::record([x.source()], || {
                u.fill(world.rank() as f64).unwrap();
                let whole = u.shared().unwrap();
                assert_eq!(whole.get(whole.origin()).unwrap(), 1.0 - world.rank() as f64);
                Ok(())
            })?;
            // A source whose halo is up to date is read.
            u.fill(3.0)?;
            let source = u.shared()?.field().source();
            let tape = Tape::record([source], || {
                let whole = u.shared().unwrap();
                let from = whole.origin()[0];
                squares(whole, &mut out, from)
            })?;
            let seed = Field::full(&Device::cpu(), 5, 1.0)?;
            let gradients = tape.backward_from(&[(&out, &seed)])?;
            assert_eq!(
                gradients.get(u.shared()?.field())?.to_vec()?,
                [6.0, 6.0, 6.0, 6.0, 6.0, 0.0]
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn in_a_pause_a_halo_that_varies_is_not_written_and_is_brought_up_to_date_later() {
    Local::new(2)
        .run(|world| {
            let grid = Grid::new(world, 8).halo(1).periodic([true]).build()?;
            let mut u = grid.field::<f64>(&Device::cpu())?;
            u.fill(3.0)?;
            let exchange = |u: &mut Distributed<f64, 1>| u.shared().map(drop);
            exchange(&mut u)?;
            let source = u.shared()?.field().source();
            if world.rank() == 1 {
                u.fill(5.0)?;
                exchange(&mut u)?;
            } else {
                Tape::record([source], || {
                    let told = Tape::pause(|| exchange(&mut u)).unwrap_err();
                    assert!(
                        matches!(told, Error::Swathe(swathe::Error::NotRecordable { .. })),
                        "{told}"
                    );
                    Ok(())
                })?;
            }
            world.barrier()?;
            if world.rank() == 0 {
                // What came then.
                u.own()?;
            }
            let whole = u.shared()?;
            assert_eq!(whole.get(whole.origin())?, if world.rank() == 0 { 5.0 } else { 3.0 });
            Ok(())
        })
        .unwrap();
}
