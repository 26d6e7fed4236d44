//! Whole fields on one rank, and reductions.

use swathe::prelude::*;
use swathe_distributed::{Error, Grid, Local};

use crate::devices::devices;

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Body {
    at: Vec3,
    heavy: bool,
    mass: f64,
}

fn body([i, j, k]: [usize; 3]) -> Body {
    Body {
        at: Vec3::new(i as f32, j as f32, k as f32),
        heavy: (i + j) % 2 == 1,
        mass: (100 * i + 10 * j + k) as f64,
    }
}

#[test]
fn scatter_and_gather_are_inverse() {
    let [cpu, cuda] = devices();
    let whole = Field::from_fn(&cpu, [5, 3, 7], body).unwrap();
    for (device, ranks) in [(&cpu, 1), (&cpu, 2), (&cpu, 5), (&cpu, 6), (&cuda, 3)] {
        for root in [0, ranks - 1] {
            let all = Local::new(ranks).threads(1).run(|world| {
                let grid = Grid::new(world, [5, 3, 7]).halo(1).build()?;
                let (mut u, mut v) = (grid.field(device)?, grid.field(device)?);
                u.scatter(root, (world.rank() == root).then_some(&whole))?;
                v.copy_from_whole(&whole)?;
                let again = v.gather(root)?.map(|whole| whole.to_vec()).transpose()?;
                Ok((u.gather(root)?.map(|whole| whole.to_vec()).transpose()?, again))
            });
            let all = all.unwrap();
            let expected = Some(whole.to_vec().unwrap());
            assert!(all[root] == (expected.clone(), expected));
        }
    }
}

#[test]
fn a_whole_field_of_another_shape_is_refused() {
    let wrong = Field::<f32, 2>::zeros(&Device::cpu(), [4, 6]).unwrap();
    let error = Local::new(2).run(|world| {
        let grid = Grid::new(world, [6, 4]).build()?;
        let mut u = grid.field::<f32>(&Device::cpu())?;
        assert!(matches!(u.copy_from_whole(&wrong), Err(Error::Argument { .. })));
        u.scatter(0, Some(&wrong))
    });
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("a field of shape [6, 4] on that rank, got") && text.contains("shape: [4, 6]"),
        "{text}"
    );
}

#[test]
fn reductions_have_the_same_bits_for_any_division() {
    let value = |[i, j]: [usize; 2]| (0.1 + (i * 13 % 7) as f32) * 10.0_f32.powi((i + 2 * j) as i32 % 9 - 4) - 1.0;
    let all: Vec<f32> = (0..7 * 9).map(|n| value([n / 9, n % 9])).collect();
    // Their exact sum has fewer than 53 bits.
    let exact = all.iter().map(|x| f64::from(*x)).sum::<f64>() as f32;
    let (least, greatest) = (
        all.iter().copied().reduce(f32::min),
        all.iter().copied().reduce(f32::max),
    );
    assert_ne!(all.iter().sum::<f32>(), exact);
    let [cpu, cuda] = devices();
    for (device, ranks) in [(&cpu, 1), (&cpu, 2), (&cpu, 3), (&cpu, 4), (&cpu, 6), (&cuda, 3)] {
        let got = Local::new(ranks).run(|world| {
            let grid = Grid::new(world, [7, 9]).halo(1).build()?;
            let mut u = grid.field(device)?;
            u.fill_with(value)?;
            Ok((u.sum()?, u.min()?, u.max()?))
        });
        assert_eq!(got.unwrap(), vec![(exact, least, greatest); ranks]);
    }
}
