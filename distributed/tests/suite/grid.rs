//! How grids are divided, and which are refused.

use swathe::Device;
use swathe_distributed::{At, Error, Grid, Local, Result, World};

fn refusal(ranks: usize, build: impl Fn(&World) -> Result<()> + Sync) -> String {
    let error = Local::new(ranks).run(build).unwrap_err();
    assert!(
        matches!(error, Error::Division { .. } | Error::Failed { .. }),
        "{error}"
    );
    error.to_string()
}

#[test]
fn what_cannot_be_divided_is_refused() {
    let text = refusal(4, |world| Grid::new(world, 3).build().map(drop));
    assert!(
        text.contains("a grid of shape [3] for 4 ranks: there is no division that gives each rank a cell"),
        "{text}"
    );
    let text = refusal(3, |world| Grid::new(world, [5, 5]).halo(2).build().map(drop));
    assert!(text.contains("at least as wide as the halo of 2"), "{text}");
    let text = refusal(3, |world| {
        Grid::new(world, [5, 9]).halo(2).ranks([3, 1]).build().map(drop)
    });
    assert!(
        text.contains("axis 0 in 3 blocks has blocks of 1 cells, fewer than the halo of 2"),
        "{text}"
    );
    let text = refusal(2, |world| Grid::new(world, [5, 9]).ranks([3, 1]).build().map(drop));
    assert!(text.contains("[3, 1] blocks are not one for each rank"), "{text}");
    // Around itself more than once.
    let text = refusal(1, |world| {
        Grid::new(world, [2, 9])
            .halo(3)
            .periodic([true, false])
            .build()
            .map(drop)
    });
    assert!(text.contains("where an axis is cut or periodic"), "{text}");
    let text = refusal(1, |world| Grid::new(world, [usize::MAX, 1]).build().map(drop));
    assert!(text.contains("larger than an `isize`"), "{text}");
}

#[test]
fn ranks_that_ask_for_different_grids_are_told() {
    for differ in 0..3 {
        let error = Local::new(3).run(|world| {
            let odd = world.rank() == 1;
            let grid = Grid::new(world, [9 + usize::from(odd && differ == 0), 9]);
            let grid = grid
                .halo(1 + usize::from(odd && differ == 1))
                .periodic([odd && differ == 2, false]);
            grid.build().map(drop)
        });
        let text = error.unwrap_err().to_string();
        assert!(
            text.contains("ranks make different calls") && text.contains("building a grid of shape [9, 9], halo 1"),
            "{text}"
        );
    }
}

#[test]
fn a_block_may_be_as_narrow_as_the_halo_and_a_grid_narrower_than_it() {
    Local::new(3)
        .run(|world| {
            let grid = Grid::new(world, [6, 1]).halo(2).periodic([true, false]).build()?;
            assert_eq!(grid.ranks(), [3, 1]);
            let mut u = grid.field::<i32>(&Device::cpu())?;
            u.fill_with(|[i, _]| i as i32)?;
            let whole = u.shared()?;
            for i in whole.ranges()[0].clone() {
                assert_eq!(whole.get([i, 0])?, i.rem_euclid(6) as i32);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_grid_without_cells_has_one_rank() {
    Local::new(1)
        .run(|world| {
            let grid = Grid::new(world, [0, 5]).halo(1).build()?;
            let mut u = grid.field::<f32>(&Device::cpu())?;
            u.shared()?;
            assert_eq!((u.sum()?, u.min()?), (0.0, None));
            assert_eq!(u.gather(0)?.unwrap().shape(), [0, 5]);
            Ok(())
        })
        .unwrap();
}

#[test]
fn faces_are_owned_once_and_exchanged() {
    for ranks in [1, 2, 3, 6] {
        for periodic in [false, true] {
            let all = Local::new(ranks).threads(1).run(|world| {
                let grid = Grid::new(world, [12, 5]).halo(2).periodic([periodic, false]).build()?;
                let mut u = grid.field_at::<i32>(&Device::cpu(), [At::Face, At::Face])?;
                u.fill_with(|[i, j]| (100 * i + j) as i32)?;
                let faces = 12 + isize::from(!periodic);
                let whole = u.shared()?;
                for i in whole.ranges()[0].clone() {
                    for j in 0..6 {
                        // What is beyond the ends is the program's, and still zero.
                        let inside = periodic || (0..faces).contains(&i);
                        let expected = if inside { 100 * i.rem_euclid(faces) + j } else { 0 };
                        if whole.ranges()[1].contains(&j) {
                            assert_eq!(whole.get([i, j])?, expected as i32, "at {i}, {j}");
                        }
                    }
                }
                let whole = u.gather(0)?;
                Ok((u.shape(), whole.map(|whole| whole.to_vec()).transpose()?))
            });
            let faces = if periodic { 12 } else { 13 };
            let all = all.unwrap();
            let expected: Vec<i32> = (0..faces).flat_map(|i| (0..6).map(move |j| 100 * i + j)).collect();
            assert_eq!(all[0], ([faces as usize, 6], Some(expected)));
        }
    }
}
