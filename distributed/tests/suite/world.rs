//! Collective calls on values, compared with what one program computes.

use swathe::prelude::*;
use swathe_distributed::Local;

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct State {
    flag: bool,
    at: Vec3,
    id: i64,
}

fn state(k: usize) -> State {
    State {
        flag: k % 2 == 1,
        at: Vec3::new(k as f32, -1.5, 0.25 * k as f32),
        id: 10 - 7 * k as i64,
    }
}

#[test]
fn values_of_any_rank_reach_all() {
    for ranks in 1..=9 {
        for root in 0..ranks {
            let all = Local::new(ranks).threads(1).run(|world| {
                let one = world.broadcast(root, state(world.rank()))?;
                let many = world.broadcast_slice(root, &vec![state(3); world.rank() + 1])?;
                world.barrier()?;
                Ok((one, many.len()))
            });
            assert_eq!(all.unwrap(), vec![(state(root), root + 1); ranks]);
        }
    }
}

#[test]
fn gathered_values_stand_in_the_order_of_the_ranks() {
    for ranks in [1, 2, 3, 5, 8] {
        let expected: Vec<Vec<State>> = (0..ranks).map(|rank| (0..rank).map(state).collect()).collect();
        let (root, wanted) = (ranks - 1, expected.clone());
        let all = Local::new(ranks).threads(1).run(|world| {
            let own: Vec<State> = (0..world.rank()).map(state).collect();
            assert_eq!(world.all_gather(&own)?, wanted);
            world.gather(root, &own)
        });
        let all = all.unwrap();
        assert!(all[..root].iter().all(Option::is_none));
        assert_eq!(all[root].as_ref(), Some(&expected));
    }
}

#[test]
fn sums_have_the_same_bits_for_any_number_of_ranks() {
    // Sums in the order of the terms differ.
    let terms: Vec<f32> = (0..12)
        .map(|k| 0.1 + 1e6_f32.powi(k % 3 - 1) * (k as f32 - 5.5))
        .collect();
    let exact: f64 = terms.iter().map(|term| f64::from(*term)).sum();
    for ranks in [1, 2, 3, 4, 6, 12] {
        let each = terms.len() / ranks;
        let sums = Local::new(ranks).threads(1).run(|world| {
            let own = &terms[world.rank() * each..(world.rank() + 1) * each];
            let all = world.all_gather(own)?.concat();
            let sums = world.sum_slice(own)?;
            let extremes = (world.min(own[0])?, world.max(own[0])?);
            let heads: Vec<f32> = all.iter().step_by(each).copied().collect();
            assert_eq!(extremes.0, heads.iter().copied().reduce(f32::min).unwrap());
            assert_eq!(extremes.1, heads.iter().copied().reduce(f32::max).unwrap());
            let columns: Vec<f32> = (0..each)
                .map(|k| all.iter().skip(k).step_by(each).map(|x| f64::from(*x)).sum::<f64>() as f32)
                .collect();
            assert_eq!(sums, columns);
            Ok(sums)
        });
        let sums = sums.unwrap();
        assert!(sums.iter().all(|others| *others == sums[0]));
        if ranks == 12 {
            assert_eq!(sums[0], [exact as f32]);
        }
    }
}

#[test]
fn integers_wrap_and_vectors_sum_by_component() {
    let all = Local::new(3).run(|world| {
        let whole = world.sum(100_u8)?;
        let vector = world.sum(Vec2::new(world.rank() as f32, -1.0))?;
        Ok((whole, vector))
    });
    assert_eq!(all.unwrap(), [(44, Vec2::new(3.0, -3.0)); 3]);
}
