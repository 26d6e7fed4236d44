//! Lanes that add to fields: each to a place of its own along a row, all to one, and in sequential loops. All numbers are whole, so that sums are exact in any
//! order.

use swathe::prelude::*;
use swathe::{Soa, Technique};
use swathe_tests_lanes::{field, values, versions};

const SIZES: [usize; 10] = [0, 1, 3, 17, 63, 64, 65, 129, 1000, 20_001];

fn in_lanes(plan: &swathe::Plan) {
    let lanes = |t: &Technique| matches!(t, Technique::Lanes { .. });
    let of = plan.loops().last().unwrap();
    assert!(of.techniques.iter().any(lanes), "{plan}");
}

fn whole(i: usize) -> f32 {
    (i * 7 % 23) as f32 - 11.0
}

#[kernel]
fn spread(x: &Field<f32>, out: &mut Field<f32>, total: &mut Field<f32, 0>) {
    for i in x.indices() {
        let v = x[i] * 3.0;
        if i > 0 {
            out[i - 1].atomic_add(v + 1.0);
        }
        out[i].atomic_sub(2.0 * v);
        if i + 1 < out.len() {
            out[i + 1].atomic_add(v * x[i]);
        }
        total[[]].atomic_add(v);
    }
}

#[test]
fn neighbours_along_a_row() {
    in_lanes(&spread::plan());
    for n in SIZES {
        let x = field(n, whole);
        let mut expected: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let mut sum = 5.0;
        for i in 0..n {
            let v = whole(i) * 3.0;
            if i > 0 {
                expected[i - 1] += v + 1.0;
            }
            expected[i] -= 2.0 * v;
            if i + 1 < n {
                expected[i + 1] += v * whole(i);
            }
            sum += v;
        }
        versions(|name| {
            let mut out = field(n, |i| i as f32);
            let mut total = Field::full(&Device::cpu(), [], 5.0_f32).unwrap();
            spread(&x, &mut out, &mut total).unwrap();
            assert_eq!(values(&out), expected, "{n} {name}");
            assert_eq!(values(&total), [sum], "{n} {name}");
        });
    }
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Node {
    mass: f64,
    count: u32,
    pull: Vec2,
}

#[kernel]
fn cross(u: &Field<f32, 2>, nodes: &mut Field<Node, 2>, flow: &mut Field<Vec2, 2>) -> f32 {
    let [h, w] = u.shape();
    let mut sum = 0.0;
    for [i, j] in u.indices() {
        let v = u[[i, j]];
        sum += v;
        if i > 0 {
            nodes[[i - 1, j]].mass.atomic_add(v as f64);
            flow[[i - 1, j]].y.atomic_add(v);
        }
        if i + 1 < h {
            nodes[[i + 1, j]].count.atomic_add(1);
        }
        if j > 0 {
            flow[[i, j - 1]].atomic_add(Vec2::new(v, -v));
        }
        if j + 1 < w {
            nodes[[i, j + 1]].pull.x.atomic_sub(v);
        }
        nodes[[0, 0]].count.atomic_add(2);
    }
    sum
}

#[test]
fn members_and_components_in_a_plane() {
    in_lanes(&cross::plan());
    for [h, w] in [[0, 5], [1, 1], [3, 17], [17, 3], [5, 200], [70, 65]] {
        let u = field(h * w, whole).into_shape([h, w]).unwrap();
        let start = |k: usize| Node {
            mass: k as f64,
            count: 3,
            pull: Vec2::new(1.0, k as f32),
        };
        let mut nodes: Vec<Node> = (0..h * w).map(start).collect();
        let mut flow: Vec<Vec2> = vec![Vec2::ZERO; h * w];
        let mut expected = 0.0;
        for k in 0..h * w {
            let (i, j, v) = (k / w, k % w, whole(k));
            expected += v;
            if i > 0 {
                nodes[k - w].mass += f64::from(v);
                flow[k - w].y += v;
            }
            if i + 1 < h {
                nodes[k + w].count += 1;
            }
            if j > 0 {
                flow[k - 1] += Vec2::new(v, -v);
            }
            if j + 1 < w {
                nodes[k + 1].pull.x -= v;
            }
            nodes[0].count += 2;
        }
        versions(|name| {
            let mut got = field(h * w, start).into_shape([h, w]).unwrap();
            let mut moved: Field<Vec2, 2, Soa> = Field::zeros_in(&Device::cpu(), [h, w], Soa).unwrap();
            let sum = cross(&u, &mut got, &mut moved).unwrap();
            assert_eq!(sum, expected, "{h} {w} {name}");
            assert_eq!(values(&got), nodes, "{h} {w} {name}");
            assert_eq!(moved.to_vec().unwrap(), flow, "{h} {w} {name}");
        });
    }
}

/// Both of a pair, where the loop takes every other one twice.
#[kernel]
fn pairs(x: &Field<f32>, hits: &mut Field<u32>, push: &mut Field<Vec3>) {
    for i in x.indices() {
        for j in 0..x.len() {
            let d = x[j] - x[i];
            let pull = Vec3::new(d, 1.0, -d);
            push[i].atomic_sub(pull);
            push[j].atomic_add(pull * 2.0);
            hits[j].atomic_add(1);
        }
    }
}

#[test]
fn all_to_one_place_in_each_round() {
    in_lanes(&pairs::plan());
    for n in [0, 1, 3, 17, 33, 100] {
        let x = field(n, whole);
        let mut push = vec![Vec3::ZERO; n];
        for i in 0..n {
            for j in 0..n {
                let d = whole(j) - whole(i);
                push[i] -= Vec3::new(d, 1.0, -d);
                push[j] += Vec3::new(d, 1.0, -d) * 2.0;
            }
        }
        versions(|name| {
            let mut hits = field(n, |i| i as u32);
            let mut got = field(n, |_| Vec3::ZERO);
            pairs(&x, &mut hits, &mut got).unwrap();
            assert_eq!(
                values(&hits),
                (0..n).map(|i| (i + n) as u32).collect::<Vec<_>>(),
                "{n} {name}"
            );
            assert_eq!(values(&got), push, "{n} {name}");
        });
    }
}

/// Lanes that leave a round, or the loop: what they do not come to, they do not add.
#[kernel]
fn some_lanes(x: &Field<i32>, sums: &mut Field<i64>, rounds: &mut Field<u32, 0>) {
    for i in x.indices() {
        let mut left = x[i];
        let mut k = 0;
        while left > 0 {
            k += 1;
            if left % 3 == 1 {
                left -= 1;
                continue;
            }
            sums[k % 5].atomic_add(left as i64);
            sums[2].atomic_sub(1);
            rounds[[]].atomic_add(1);
            left -= 2;
        }
        for j in 0..sums.len() {
            if x[i] == j as i32 {
                break;
            }
            sums[j].atomic_add(100);
        }
    }
}

#[test]
fn lanes_that_have_left_add_nothing() {
    for n in [0, 1, 3, 17, 64, 100, 1001] {
        let x = |i: usize| (i * 5 % 37) as i32 - 3;
        let (mut sums, mut rounds) = ((0..40).collect::<Vec<i64>>(), 7);
        for i in 0..n {
            let (mut left, mut k) = (x(i), 0);
            while left > 0 {
                k += 1;
                if left % 3 == 1 {
                    left -= 1;
                    continue;
                }
                sums[k % 5] += i64::from(left);
                sums[2] -= 1;
                rounds += 1;
                left -= 2;
            }
            for (j, sum) in sums.iter_mut().enumerate() {
                if x(i) == j as i32 {
                    break;
                }
                *sum += 100;
            }
        }
        versions(|name| {
            let mut got = field(40, |i| i as i64);
            let mut counted = Field::full(&Device::cpu(), [], 7_u32).unwrap();
            some_lanes(&field(n, x), &mut got, &mut counted).unwrap();
            assert_eq!(values(&got), sums, "{n} {name}");
            assert_eq!(values(&counted), [rounds], "{n} {name}");
        });
    }
}

/// A function that fails for some: its block ends with it, and the call is an error. What others added stays, and no place beside.
#[func]
fn bounded(x: f32) -> f32 {
    assert!(x < 11.0);
    x
}

#[kernel]
fn failing(x: &Field<f32>, sums: &mut Field<f32>) {
    for i in x.indices() {
        for j in 0..sums.len() {
            sums[j].atomic_add(bounded(x[i]));
        }
    }
}

#[test]
fn a_failure_is_an_error() {
    for n in [17, 100, 1000] {
        for bad in [0, n / 2, n - 1] {
            let x = field(n, |i| if i == bad { 11.0 } else { 1.0 });
            versions(|name| {
                let mut sums = field(20, |_| 0.0);
                let error = failing(&x, &mut sums).unwrap_err();
                assert!(
                    matches!(error, Error::KernelFailure { count: 1, .. }),
                    "{name}: {error}"
                );
                let most = (n - 1) as f32;
                assert!(values(&sums).iter().all(|sum| (0.0..=most).contains(sum)), "{name}");
            });
        }
    }
}

/// With one thread, with copies for each, and where these do not pay: 30 iterations on each of many elements.
#[kernel]
fn large(at: &Field<u32>, out: &mut Field<u64>) {
    for i in at.indices() {
        for k in 0..20_u64 {
            out[at[i] as usize % out.len()].atomic_add(k + 1);
            out[7].atomic_add(k);
        }
    }
}

#[test]
fn with_and_without_copies() {
    for [n, m] in [[30, 1_000_000], [1000, 100], [1000, 20_000]] {
        let at = |i: usize| (i * 7919) as u32;
        let mut expected = vec![3_u64; m];
        for i in 0..n {
            expected[at(i) as usize % m] += 210;
            expected[7] += 190;
        }
        versions(|name| {
            let mut out = field(m, |_| 3_u64);
            large(&field(n, at), &mut out).unwrap();
            assert!(values(&out) == expected, "{n} {m} {name}");
        });
    }
}

#[kernel]
fn unsure(by: &Field<u8>, x: &Field<i32>, sums: &mut Field<i32>, after: &mut Field<i32>) {
    for i in x.indices() {
        let mut k = 0;
        while k < x[i] % 3 {
            k += 1;
        }
        sums[(1 << by[i]) - 1].atomic_add(x[i] + k);
        after[i] = k + 1;
    }
}

#[test]
fn a_place_that_is_not_there_ends_its_iteration_alone() {
    for n in SIZES {
        let last = n.saturating_sub(5);
        let shift = |i: usize| if i == 7 || i == last { 12 } else { (i * 7 % 10) as u8 };
        let (by, x) = (field(n, shift), field(n, |i| (i * 13 % 101) as i32));
        let (mut sums, mut after) = (vec![3; 1000], vec![0; n]);
        for (i, after) in after.iter_mut().enumerate() {
            let (v, k) = (i as i32 * 13 % 101, i as i32 * 13 % 101 % 3);
            if let Some(sum) = sums.get_mut((1_usize << shift(i)) - 1) {
                *sum += v + k;
                *after = k + 1;
            }
        }
        let fails = (0..n).filter(|&i| shift(i) == 12).count();
        versions(|name| {
            let (mut to, mut behind) = (field(1000, |_| 3), field(n, |_| 0));
            let result = unsure(&by, &x, &mut to, &mut behind);
            match result {
                Err(swathe::Error::OutOfBounds { count, .. }) => assert_eq!(count, fails, "{n} {name}"),
                other => assert!(fails == 0 && other.is_ok(), "{n} {name}: {other:?}"),
            }
            assert_eq!(values(&to), sums, "{n} {name}");
            assert_eq!(values(&behind), after, "{n} {name}");
        });
    }
}
