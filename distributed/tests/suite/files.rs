//! One file of all ranks, checkpoints, and the same elements on another grid.

use std::fs;

use ndarray::Array3;
use swathe::prelude::*;
use swathe::{Aos, Soa, bf16, f16};
use swathe_distributed::{At, Checkpoint, Distributed, Error, Grid, Local, Result, SavedState, World};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn files_are_those_of_whole_fields() {
    let folder = folder();
    let (one, all) = (folder.path().join("one.npy"), folder.path().join("all.npy"));
    let value = |[i, j]: [usize; 2]| Vec3::new(i as f32, 0.5 * j as f32, (i * j) as f32);
    let whole = Field::from_fn(&Device::cpu(), [7, 5], value).unwrap();
    whole.write_npy(&one).unwrap();
    for ranks in [1, 2, 3, 6] {
        Local::new(ranks)
            .run(|world| {
                let grid = Grid::new(world, [7, 5]).halo(1).build()?;
                let mut u = grid.field_with::<Vec3, Soa>(&Device::cpu(), [At::Cell; 2], Soa)?;
                u.fill_with(value)?;
                u.write_npy(&all)?;
                // As the library for whole fields reads and writes them.
                if world.rank() == 0 {
                    assert_eq!(
                        Field::<Vec3, 2>::read_npy(&Device::cpu(), &all)?.to_vec()?,
                        whole.to_vec()?
                    );
                }
                let mut v = grid.field::<Vec3>(&Device::cpu())?;
                v.read_npy(&one)?;
                let back = v.gather(0)?.map(|back| back.to_vec()).transpose()?;
                assert!(back.is_none_or(|back| back == whole.to_vec().unwrap()));
                Ok(())
            })
            .unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    solid: bool,
    stress: Mat2,
    inner: Inner,
    ids: [u16; 2],
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Inner {
    half: f16,
    brain: bf16,
    wide: f64,
}

fn cell([i, j]: [usize; 2]) -> Cell {
    let n = (10 * i + j) as f32;
    Cell {
        solid: (i + j) % 2 == 1,
        stress: Mat2::from_rows([Vec2::new(n, 1.0), Vec2::new(-n, 0.5)]),
        inner: Inner {
            half: f16::from_f32(n),
            brain: bf16::from_f32(-n),
            wide: f64::from(n) * 0.1,
        },
        ids: [i as u16, j as u16],
    }
}

#[test]
fn structs_go_on_with_another_number_of_ranks() {
    let folder = folder();
    let state = folder.path().join("state");
    for (step, ranks) in [(1.5, 1), (2.5, 4), (3.5, 3)] {
        Local::new(ranks)
            .run(|world| {
                let grid = Grid::new(world, [9, 4]).build()?;
                let mut u = grid.field::<Cell>(&Device::cpu())?;
                let mut w = grid.field_at::<i32>(&Device::cpu(), [At::Face, At::Cell])?;
                if step == 1.5 {
                    u.fill_with(cell)?;
                    w.fill_with(|[i, j]| (10 * i + j) as i32)?;
                } else {
                    let saved = SavedState::open(world, &state)?;
                    saved.field("u", &mut u)?;
                    saved.field("w", &mut w)?;
                    assert_eq!(saved.value::<f64>("time")?, step - 1.0);
                    assert_eq!(saved.value::<Vec2>("wind")?, Vec2::new(1.0, -2.0));
                }
                let mut checkpoint = Checkpoint::create(world, &state)?;
                checkpoint.field("u", &u)?;
                checkpoint.field("w", &w)?;
                checkpoint.value("time", step)?;
                checkpoint.value("wind", Vec2::new(1.0, -2.0))?;
                checkpoint.finish()?;
                let cells = u.gather(0)?.map(|all| all.to_vec()).transpose()?;
                let expected = (0..36).map(|n| cell([n / 4, n % 4]));
                assert!(cells.is_none_or(|cells| cells == expected.collect::<Vec<_>>()));
                assert_eq!(w.sum()?, 4 * 450 + 10 * 6);
                Ok(())
            })
            .unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn a_checkpoint_that_is_not_finished_leaves_the_one_before() {
    let folder = folder();
    let state = folder.path().join("state");
    Local::new(2)
        .run(|world| {
            let mut u = Grid::new(world, 5).build()?.field::<i32>(&Device::cpu())?;
            u.fill(3)?;
            let mut checkpoint = Checkpoint::create(world, &state)?;
            checkpoint.field("u", &u)?;
            checkpoint.finish()?;
            u.fill(4)?;
            let mut checkpoint = Checkpoint::create(world, &state)?;
            checkpoint.field("u", &u)?;
            let wrong = checkpoint.value("../time", 1.0).unwrap_err();
            assert!(matches!(wrong, Error::Argument { .. }), "{wrong}");
            drop(checkpoint);
            world.barrier()?;
            SavedState::open(world, &state)?.field("u", &mut u)?;
            assert_eq!(u.sum()?, 15);
            Ok(())
        })
        .unwrap();
    // Interrupted between its two renames.
    fs::rename(&state, folder.path().join("state.before")).unwrap();
    let found = Local::new(1).run(|world| {
        let mut u = Grid::new(world, 5).build()?.field::<i32>(&Device::cpu())?;
        SavedState::open(world, &state)?.field("u", &mut u)?;
        u.sum()
    });
    assert_eq!(found.unwrap(), [15]);
}

#[test]
fn files_that_do_not_suit_change_nothing_and_hinder_nothing() {
    let folder = folder();
    let file = |name: &str| folder.path().join(name);
    let save = |name: &str, shape: [usize; 2]| {
        Field::<f32, 2>::full(&Device::cpu(), shape, 9.0)
            .unwrap()
            .write_npy(file(name))
            .unwrap();
    };
    save("shape.npy", [4, 6]);
    save("short.npy", [6, 4]);
    let bytes = fs::read(file("short.npy")).unwrap();
    fs::write(file("short.npy"), &bytes[..bytes.len() - 1]).unwrap();
    Field::<f64, 2>::zeros(&Device::cpu(), [6, 4])
        .unwrap()
        .write_npy(file("type.npy"))
        .unwrap();
    fs::write(file("other.npy"), "not an array at all").unwrap();
    let wanted = [
        ("shape.npy", "it has the shape (4, 6), expected (6, 4)"),
        ("short.npy", "and its array needs"),
        ("type.npy", "it holds '<f8', expected '<f4' for `f32`"),
        ("other.npy", "it is no `.npy` file"),
        ("none.npy", "none.npy"),
    ];
    Local::new(3)
        .run(|world| {
            let mut u = Grid::new(world, [6, 4]).build()?.field::<f32>(&Device::cpu())?;
            u.fill(2.0)?;
            for (name, text) in wanted {
                let told = u.read_npy(file(name)).unwrap_err().to_string();
                assert!(told.contains(text), "{told}");
                assert_eq!(u.sum()?, 48.0);
            }
            let told = u.write_npy(file("no such folder/u.npy")).unwrap_err();
            assert!(
                matches!(told, Error::File { .. } | Error::Failed { rank: 0, .. }),
                "{told}"
            );
            assert!(SavedState::open(world, file("nowhere")).is_err());
            world.barrier()
        })
        .unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

/// What a reader of Python's literals takes long for, or has no stack for.
#[test]
fn headers_of_many_brackets_are_refused() {
    let folder = folder();
    for (open, close, count) in [
        ("[", "]", 5000),
        ("(", ",)", 5000),
        ("{1:", "1}", 60),
        ("'[' '", "'", 300),
    ] {
        let path = folder.path().join("deep.npy");
        let text = format!(
            "{{'descr': {}{}, 'fortran_order': False, 'shape': (3,)}}\n",
            open.repeat(count),
            close.repeat(count)
        );
        let length = (text.len() as u32).to_le_bytes();
        fs::write(&path, [b"\x93NUMPY\x02\x00", &length[..], text.as_bytes()].concat()).unwrap();
        let error = Local::new(1).run(|world| {
            let mut u = Grid::new(world, 3).build()?.field::<f32>(&Device::cpu())?;
            u.read_npy(&path)
        });
        let told = error.unwrap_err().to_string();
        assert!(told.contains("more members in one another than `f32`"), "{told}");
    }
}

#[test]
fn checkpoints_take_the_place_of_checkpoints_alone() {
    let folder = folder();
    let [thesis, file, link] = ["thesis", "file", "link"].map(|name| folder.path().join(name));
    fs::create_dir(&thesis).unwrap();
    fs::write(thesis.join("thesis.tex"), "years of work").unwrap();
    fs::write(&file, "here").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&thesis, &link).unwrap();
    Local::new(2)
        .run(|world| {
            for (path, text) in [
                (&thesis, "`thesis.tex` in it is of no checkpoint"),
                (&file, "is no folder"),
                #[cfg(unix)]
                (&link, "is no folder"),
            ] {
                let told = Checkpoint::create(world, path).map(drop).unwrap_err().to_string();
                assert!(told.contains(text), "{told}");
            }
            // What comes there meanwhile is left alone, too.
            let late = folder.path().join("late");
            let checkpoint = Checkpoint::create(world, &late)?;
            world.barrier()?;
            if world.rank() == 0 {
                fs::write(&late, "later").unwrap();
            }
            world.barrier()?;
            assert!(checkpoint.finish().is_err());
            Ok(())
        })
        .unwrap();
    assert_eq!(fs::read_to_string(thesis.join("thesis.tex")).unwrap(), "years of work");
    assert_eq!(fs::read_to_string(folder.path().join("late")).unwrap(), "later");
}

#[test]
fn bytes_that_are_no_bool_are_refused() {
    let folder = folder();
    let path = folder.path().join("flags.npy");
    Field::<u8>::from_slice(&Device::cpu(), &[0, 1, 2])
        .unwrap()
        .write_npy(&path)
        .unwrap();
    let text = fs::read(&path).unwrap();
    let at = text.windows(3).position(|bytes| bytes == b"|u1").unwrap();
    let mut flags = text.clone();
    flags[at + 1] = b'b';
    fs::write(&path, flags).unwrap();
    let error = Local::new(1).run(|world| {
        let mut u = Grid::new(world, 3).build()?.field::<bool>(&Device::cpu())?;
        u.read_npy(&path)
    });
    assert!(error.unwrap_err().to_string().ends_with("2 is no `bool`"));
}

#[test]
fn resharded_fields_have_the_same_elements() {
    let value = |[i, j, k]: [usize; 3]| (100 * i + 10 * j + k) as f64;
    let expected = Array3::from_shape_fn((6, 5, 7), |(i, j, k)| value([i, j, k]));
    let grids = [[6, 1, 1], [1, 1, 6], [2, 3, 1], [1, 2, 3], [3, 1, 2]];
    Local::new(6)
        .threads(1)
        .run(|world| {
            for from in grids {
                let source = Grid::new(world, [6, 5, 7]).ranks(from).halo(1).build()?;
                let mut u = source.field_with::<f64, Soa>(&Device::cpu(), [At::Cell; 3], Soa)?;
                u.fill_with(value)?;
                for to in grids {
                    let target = Grid::new(world, [6, 5, 7]).ranks(to).build()?;
                    let v = u.reshard(&target, &Device::cpu())?;
                    let mut w = target.field_with::<f64, Aos>(&Device::cpu(), [At::Cell; 3], Aos)?;
                    w.copy_from(&v)?;
                    let whole = w.gather(1)?.map(|whole| whole.to_ndarray()).transpose()?;
                    assert!(whole.is_none_or(|whole| whole == expected));
                }
            }
            let other = Grid::new(world, [6, 5, 8]).build()?.field::<f64>(&Device::cpu())?;
            let mut u = Grid::new(world, [6, 5, 7]).build()?.field::<f64>(&Device::cpu())?;
            let error = u.copy_from(&other).unwrap_err().to_string();
            assert!(
                error.ends_with("expected shape [6, 5, 7], got shape [6, 5, 8]"),
                "{error}"
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_checkpoint_of_which_a_part_failed_does_not_take_the_place_of_a_good_one() {
    let folder = folder();
    let state = folder.path().join("state");
    let whole = |world: &World, value: f32| -> Result<Distributed<f32, 1>> {
        let mut u = Grid::new(world, 6).build()?.field::<f32>(&Device::cpu())?;
        u.fill(value)?;
        Ok(u)
    };
    Local::new(2)
        .run(|world| {
            let u = whole(world, 1.0)?;
            let mut checkpoint = Checkpoint::create(world, &state)?;
            checkpoint.field("u", &u)?;
            checkpoint.finish()
        })
        .unwrap();
    // A name that is none, one for the second time, a field of another world, a file that cannot be written.
    type Part = fn(&World, &std::path::Path, &mut Checkpoint) -> Error;
    let parts: [(Part, &str); 5] = [
        (
            |_, _, checkpoint| checkpoint.value("a.b", 1.0).unwrap_err(),
            "expected letters",
        ),
        (
            |_, _, checkpoint| checkpoint.value("u", 1.0).unwrap_err(),
            "got \"u\" twice",
        ),
        (
            |world, _, checkpoint| {
                let mut u = Grid::new(world, 6)
                    .build()
                    .unwrap()
                    .field::<f32>(&Device::cpu())
                    .unwrap();
                u.fill(9.0).unwrap();
                checkpoint.field("u", &u).unwrap_err()
            },
            "got \"u\" twice",
        ),
        (
            |_, _, checkpoint| {
                let grid = Grid::new(&World::alone(), 6).build().unwrap();
                checkpoint
                    .field("v", &grid.field::<f32>(&Device::cpu()).unwrap())
                    .unwrap_err()
            },
            "expected a field of the checkpoint's world",
        ),
        (
            |world, folder, checkpoint| {
                if world.rank() == 0 {
                    fs::create_dir(folder.join("state.part/v.npy")).unwrap();
                }
                checkpoint.value("v", 1.0).unwrap_err()
            },
            "v.npy",
        ),
    ];
    for (part, text) in parts {
        Local::new(2)
            .run(|world| {
                let u = whole(world, 2.0)?;
                let mut checkpoint = Checkpoint::create(world, &state)?;
                checkpoint.field("u", &u)?;
                let told = part(world, folder.path(), &mut checkpoint).to_string();
                assert!(told.contains(text), "{told}");
                let refused = checkpoint.finish().unwrap_err().to_string();
                assert!(refused.contains(text) && refused.contains("failed"), "{refused}");
                // The one before is there, and further calls are not hindered.
                let mut u = whole(world, 0.0)?;
                SavedState::open(world, &state)?.field("u", &mut u)?;
                assert_eq!(u.sum()?, 6.0);
                Ok(())
            })
            .unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
    // What is read into is of the same world, too.
    Local::new(2)
        .run(|world| {
            let mut u = whole(&World::alone(), 0.0)?;
            let told = SavedState::open(world, &state)?.field("u", &mut u).unwrap_err();
            assert!(matches!(told, Error::Argument { .. }), "{told}");
            world.barrier()
        })
        .unwrap();
}

#[test]
fn a_checkpoint_that_failed_on_one_rank_is_finished_by_none() {
    let folder = folder();
    let state = folder.path().join("state");
    Local::new(3)
        .run(|world| {
            let mut checkpoint = Checkpoint::create(world, &state)?;
            checkpoint.value("time", 1.0)?;
            if world.rank() == 2 {
                // Before any call.
                checkpoint.value("", 1.0).unwrap_err();
            }
            let refused = checkpoint.finish().unwrap_err();
            assert_eq!(
                matches!(refused, Error::Failed { rank: 2, .. }),
                world.rank() != 2,
                "{refused}"
            );
            world.barrier()
        })
        .unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
