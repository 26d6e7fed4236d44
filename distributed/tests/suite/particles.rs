//! Particles among ranks.

use swathe::prelude::*;
use swathe::{FieldLayout, Soa};
use swathe_distributed::{Error, Grid, Local, Particles};

use crate::devices::devices;

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Body {
    at: Vec2,
    heavy: bool,
    id: u64,
}

#[kernel]
fn drift(bodies: &mut Field<Body>) {
    for i in bodies.indices() {
        bodies[i].at += Vec2::new(2.0 + (bodies[i].id % 3) as f32, -3.5);
    }
}

fn cell(body: &Body) -> [isize; 2] {
    [body.at.x.floor() as isize, body.at.y.floor() as isize]
}

fn flown<L: FieldLayout>(device: &Device, ranks: usize, layout: L) -> Vec<Body> {
    let all = Local::new(ranks).threads(1).run(|world| {
        let grid = Grid::new(world, [13, 17]).periodic([true, true]).build()?;
        // At the beginning the first rank has all.
        let count = if world.rank() == 0 { 200 } else { 0 };
        let start = Field::from_fn(device, count, |[k]| Body {
            at: Vec2::new((k * 7 % 130) as f32 * 0.1, (k * 11 % 170) as f32 * 0.1),
            heavy: k % 3 == 1,
            id: k as u64,
        })?;
        let mut bodies = Particles::new(&grid, start.with_layout(layout)?);
        for _ in 0..4 {
            bodies.migrate(cell)?;
            let own = grid.cells(world.rank())?;
            for body in bodies.field().to_vec()? {
                let [i, j] = cell(&body);
                let (i, j) = (i.rem_euclid(13) as usize, j.rem_euclid(17) as usize);
                assert!(own[0].contains(&i) && own[1].contains(&j), "{body:?}");
            }
            assert_eq!(bodies.count()?, 200);
            drift(bodies.field_mut())?;
        }
        Ok(bodies.field().to_vec()?)
    });
    let mut all = all.unwrap().concat();
    all.sort_by_key(|body| body.id);
    all
}

#[test]
fn particles_are_where_their_cells_are_and_none_is_lost() {
    let [cpu, cuda] = devices();
    let expected: Vec<Body> = (0..200_u64)
        .map(|k| {
            let mut at = Vec2::new((k * 7 % 130) as f32 * 0.1, (k * 11 % 170) as f32 * 0.1);
            (0..4).for_each(|_| at += Vec2::new(2.0 + (k % 3) as f32, -3.5));
            Body {
                at,
                heavy: k % 3 == 1,
                id: k,
            }
        })
        .collect();
    for (device, ranks) in [(&cpu, 1), (&cpu, 2), (&cpu, 6), (&cuda, 3)] {
        assert_eq!(flown(device, ranks, swathe::Aos), expected);
        assert_eq!(flown(device, ranks, Soa), expected);
    }
}

#[test]
fn a_particle_beyond_the_grid_is_told_and_nothing_moves() {
    let error = Local::new(2).run(|world| {
        let grid = Grid::new(world, 8).build()?;
        let mut bodies = Particles::new(&grid, Field::from_slice(&Device::cpu(), &[1, 6, 8])?);
        let told = bodies.migrate(|at: &i64| [*at as isize]).unwrap_err();
        assert_eq!(bodies.field().to_vec()?, [1, 6, 8]);
        Err::<(), Error>(told)
    });
    let text = error.unwrap_err().to_string();
    assert!(text.contains("element 2 of rank"), "{text}");
    assert!(
        text.contains("expected a cell of the grid of shape [8], got [8]"),
        "{text}"
    );
}

#[test]
fn parts_for_too_few_ranks_are_refused() {
    let error = Local::new(3).run(|world| world.all_to_all(&[vec![1.0], vec![2.0]]));
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("expected a part for each of 3 ranks, got 2")
    );
}

#[test]
fn particles_of_one_type_are_told_apart() {
    let told = |call: fn(&mut Particles<f32, 1>) -> swathe_distributed::Result<()>| {
        let told = Local::new(2).run(|world| {
            let grid = Grid::new(world, 4).build()?;
            let make = |value: f32| Ok::<_, Error>(Particles::new(&grid, Field::full(&Device::cpu(), 2, value)?));
            let (mut electrons, mut ions) = (make(0.5)?, make(3.5)?);
            match world.rank() {
                0 => call(&mut electrons),
                _ => call(&mut ions),
            }
        });
        let Err(error @ Error::Mismatch { .. }) = told else {
            panic!("not told apart: {told:?}")
        };
        error.to_string()
    };
    let text = told(|particles| particles.migrate(|at| [*at as isize]));
    assert!(
        text.contains("particles 0 of `f32`") && text.contains("particles 1 of `f32`"),
        "{text}"
    );
    told(|particles| particles.count().map(drop));
}
