//! Reads whose indices come from data, in loops in lanes: where one is out of bounds the iteration ends, and it alone, as it does one by one.

use swathe::{Soa, Technique, prelude::*};
use swathe_tests_lanes::{SIZES, field, same, values, versions};

use super::odd;

/// What an iteration writes; nothing if it ends before.
type Expected<T> = Option<T>;

/// Compares a call with what each iteration is to write. `before`: what is there where it ends.
fn compare<T: PartialEq + std::fmt::Debug>(
    name: &str,
    call: swathe::Result<()>,
    got: &[T],
    before: impl Fn(usize) -> T,
    expected: impl Fn(usize) -> Expected<T>,
) {
    let mut failed = 0;
    for (i, got) in got.iter().enumerate() {
        let expected = expected(i);
        failed += usize::from(expected.is_none());
        assert_eq!(*got, expected.unwrap_or_else(|| before(i)), "{name}, element {i}");
    }
    let told = match call {
        Ok(()) => 0,
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("outside its shape"), "{name}: {text}");
            let more = text
                .split_once("(and ")
                .map(|(_, more)| more.split(' ').next().expect("a number"));
            1 + more.map_or(0, |more| more.parse::<usize>().expect("a number"))
        }
    };
    assert_eq!(told, failed, "{name}: failures");
}

/// A number that differs from its neighbours, below `n` but for some.
fn entry(i: usize, n: usize) -> u32 {
    let k = i.wrapping_mul(0x9e37_79b9) >> 5;
    if k % 97 == 3 {
        u32::MAX - 7
    } else {
        (k % n.max(1)) as u32
    }
}

#[kernel]
fn gathered(cols: &Field<u32, 2>, x: &Field<i32>, y: &mut Field<i32>) {
    let n = cols.shape()[0];
    for i in y.indices() {
        let mut s = 0;
        for k in 0..n {
            s += (k as i32 + 1) * x[cols[[k, i]] as usize];
        }
        y[i] = s;
    }
}

#[kernel]
fn gathered_if(cols: &Field<u32, 2>, x: &Field<i32>, y: &mut Field<i32>) {
    let n = cols.shape()[0];
    for i in 0..y.len() {
        let mut s = 0;
        for k in 0..n {
            let c = cols[[k, i]];
            if c % 3 != 1 {
                s += (k as i32 + 1) * x[c as usize];
            } else if c % 2 == 0 {
                s -= x[c as usize / 2];
            }
        }
        y[i] += s;
    }
}

#[test]
fn sums_by_tables() {
    versions(|name| {
        for n in SIZES {
            for len in [0, 1, 20, 1000] {
                let table = |k: usize, i: usize| entry(7 * i + k, len);
                let cols = Field::<u32, 2>::from_fn(&Device::cpu(), [5, n], |[k, i]| table(k, i)).unwrap();
                let item = |k: usize| 3 * k as i32 - 50;
                let x = field(len, item);
                let read = |c: usize| (c < len).then(|| item(c));
                let mut y = field(n, |i| -(i as i32));
                let call = gathered(&cols, &x, &mut y);
                let name = format!("{name}, {n} of {len}");
                compare(
                    &name,
                    call,
                    &values(&y),
                    |i| -(i as i32),
                    |i| (0..5).try_fold(0, |s, k| Some(s + (k as i32 + 1) * read(table(k, i) as usize)?)),
                );
                let mut y = field(n, |i| -(i as i32));
                let call = gathered_if(&cols, &x, &mut y);
                compare(
                    &name,
                    call,
                    &values(&y),
                    |i| -(i as i32),
                    |i| {
                        (0..5).try_fold(-(i as i32), |s, k| {
                            let c = table(k, i);
                            Some(match (c % 3, c % 2) {
                                (1, 0) => s - read(c as usize / 2)?,
                                (1, _) => s,
                                _ => s + (k as i32 + 1) * read(c as usize)?,
                            })
                        })
                    },
                );
            }
        }
    });
}

#[kernel]
fn down(parent: &Field<u32>, depth: &mut Field<u32>) {
    for i in depth.indices() {
        let mut node = i as u32;
        let mut steps = 0;
        while node != 0 {
            node = parent[node as usize];
            steps += 1;
        }
        depth[i] = steps;
    }
}

#[kernel]
fn found(list: &Field<i32>, first: &Field<u32>, x: &mut Field<i32>) {
    for i in x.indices() {
        let mut k = first[i] as usize;
        let mut rounds = 0;
        loop {
            let item = list[k];
            if item > 90 {
                break;
            }
            if item % 7 == 2 {
                k += 3;
                continue;
            }
            k += 1 + list[k + 1] as usize % 4;
            rounds += item;
        }
        x[i] = rounds;
    }
}

#[test]
fn loops_that_lanes_leave() {
    versions(|name| {
        for n in SIZES {
            // Some come to a parent that is none.
            let up = |i: usize| if i % 41 == 40 { 5000 } else { (i / 2) as u32 };
            let parent = field(n, up);
            let mut depth = field(n, |_| 99);
            let call = down(&parent, &mut depth);
            compare(
                &format!("{name}, {n}"),
                call,
                &values(&depth),
                |_| 99,
                |i| {
                    let (mut node, mut steps) = (i, 0);
                    while node != 0 {
                        node = (node < n).then(|| up(node) as usize)?;
                        steps += 1;
                    }
                    Some(steps)
                },
            );
            let item = |k: usize| (k * 29 % 101) as i32;
            let list = field(60, item);
            let first = field(n, |i| entry(i, 60));
            let mut x = field(n, |i| i as i32);
            let call = found(&list, &first, &mut x);
            let read = |k: usize| (k < 60).then(|| item(k));
            compare(
                &format!("{name}, {n}"),
                call,
                &values(&x),
                |i| i as i32,
                |i| {
                    let (mut k, mut rounds) = (entry(i, 60) as usize, 0);
                    loop {
                        let item = read(k)?;
                        if item > 90 {
                            break Some(rounds);
                        }
                        if item % 7 == 2 {
                            k += 3;
                            continue;
                        }
                        k += 1 + read(k + 1)? as usize % 4;
                        rounds += item;
                    }
                },
            );
        }
    });
}

/// Comes to no end for `by` = 0.
#[func]
fn climb(from: i32, by: i32) -> i32 {
    let (mut n, mut sum) = (from, 0);
    while n < 100 {
        n += by;
        sum += n;
    }
    sum
}

#[func]
fn climb_by_first(from: i32, steps: [i32; 600]) -> i32 {
    climb(from, steps[0])
}

#[derive(Element, Clone, Copy)]
struct Step {
    by: i32,
}

#[func]
impl Step {
    fn climbed(self, from: i32) -> i32 {
        climb(from, self.by)
    }
}

#[func]
impl std::ops::Mul<i32> for Step {
    type Output = i32;

    fn mul(self, from: i32) -> i32 {
        self.climbed(from)
    }
}

/// Ends, but not soon.
#[func]
fn climbed_so_often(from: i32, by: i32) -> i32 {
    let mut n = from;
    for _ in 0..4_000_000_000_000_u64 {
        if n > 100 {
            break;
        }
        n += by;
        n ^= (n == 1000) as i32;
    }
    n
}

/// The first element of `steps` is 0, with which nothing comes to its end; no iteration reads it.
macro_rules! climbing {
    (|$id:ident, $steps:ident, $i:ident, $k:ident| $($name:ident $value:expr;)*) => {
        $(#[kernel]
        fn $name(ids: &Field<u32>, $steps: &Field<i32>, out: &mut Field<i32>) {
            for $i in out.indices() {
                let $id = ids[$i] as usize;
                let mut sum = 0;
                for $k in 0..$steps.len() {
                    sum += $value;
                }
                out[$i] = sum;
            }
        })*

        #[test]
        fn functions_that_come_to_no_end_with_another_element() {
            let id = |i: usize| if i % 59 == 58 { 70 } else { 1 + i % 6 };
            let all = [0, 2, 3, 5, 7, 11, 13];
            let ids = field(300, |i| id(i) as u32);
            let items = field(7, |k| all[k]);
            versions(|name| {$(
                let mut out = field(300, |_| -1);
                let call = $name(&ids, &items, &mut out);
                let name = format!("{name}, {}", stringify!($name));
                let $steps = all;
                compare(&name, call, &values(&out), |_| -1, |$i| {
                    let $id = id($i);
                    if $id >= 7 {
                        return None;
                    }
                    Some((0..7).map(|$k| $value).sum())
                });
            )*});
        }
    };
}

climbing! {
    |id, steps, i, k|
    an_argument climb(i as i32 + k as i32, steps[id]);
    in_an_argument climb(i as i32 - k as i32, odd(steps[id]));
    an_operand_before steps[id] + climb(i as i32, 1 + k as i32);
    an_operand_behind climb(i as i32, 1 + k as i32) + steps[id];
    a_variable { let step = steps[id]; let twice = climb(i as i32, step + step); twice - k as i32 };
    by_a_method Step { by: steps[id] }.climbed(i as i32 - k as i32);
    by_an_operator Step { by: steps[id] } * (i as i32 + k as i32);
    soon_for_others climbed_so_often(i as i32 + k as i32, steps[id]);
    in_a_branch if k % 2 == 0 { climb(i as i32, steps[id]) } else { steps[id] };
    too_large_to_pass climb_by_first(k as i32, [steps[id]; 600]);
}

#[kernel]
fn behind_a_sum(ids: &Field<u32>, x: &Field<i32>, v: &Field<i32, 2>, y: &mut Field<i32>) {
    for i in y.indices() {
        let mut s = 0;
        for k in 0..v.shape()[0] {
            s += v[[k, i]];
        }
        y[i] = s + x[ids[i] as usize];
    }
}

#[kernel]
fn behind_a_condition(ids: &Field<u32>, x: &Field<i32>, v: &Field<i32, 2>, y: &mut Field<i32>) {
    for i in y.indices() {
        let mut s = 0;
        for k in 0..v.shape()[0] {
            s += v[[k, i]];
        }
        if x[ids[i] as usize] > 5 {
            y[i] = s;
        }
    }
}

#[kernel]
fn in_front_of_a_loop(ids: &Field<u32>, x: &Field<i32>, v: &Field<i32, 2>, y: &mut Field<i32>) {
    for i in y.indices() {
        y[i] = x[ids[i] as usize];
        let mut s = 0;
        for k in 0..v.shape()[0] {
            s += v[[k, i]];
        }
        if s == 1 << 30 {
            y[i] = 0;
        }
    }
}

#[kernel]
fn in_each_round(ids: &Field<u32>, x: &Field<i32>, v: &Field<i32, 2>, y: &mut Field<i32, 2>) {
    for i in ids.indices() {
        for k in 0..v.shape()[0] {
            y[[k, i]] = v[[k, i]] + x[(ids[i] as usize).wrapping_add(k)];
        }
    }
}

#[test]
fn writes_behind_reads() {
    let item = |k: usize| if k == 0 { 1_000_000 } else { k as i32 };
    let summand = |k: usize, i: usize| (3 * k + i) as i32;
    versions(|name| {
        for n in SIZES {
            let id = |i: usize| entry(i, 50) as usize;
            let ids = field(n, |i| id(i) as u32);
            let x = field(50, item);
            let v = Field::<i32, 2>::from_fn(&Device::cpu(), [4, n], |[k, i]| summand(k, i)).unwrap();
            let name = format!("{name}, {n}");
            let before = |i: usize| -1 - i as i32;
            let read = |k: usize| (k < 50).then(|| item(k));
            let sum = |i: usize| (0..4).map(|k| summand(k, i)).sum::<i32>();

            let mut y = field(n, before);
            let call = behind_a_sum(&ids, &x, &v, &mut y);
            compare(&name, call, &values(&y), before, |i| Some(sum(i) + read(id(i))?));
            let mut y = field(n, before);
            let call = behind_a_condition(&ids, &x, &v, &mut y);
            compare(&name, call, &values(&y), before, |i| {
                Some(if read(id(i))? > 5 { sum(i) } else { before(i) })
            });
            let mut y = field(n, before);
            let call = in_front_of_a_loop(&ids, &x, &v, &mut y);
            compare(&name, call, &values(&y), before, |i| read(id(i)));

            let mut y = Field::<i32, 2>::from_fn(&Device::cpu(), [4, n], |[k, i]| before(4 * i + k)).unwrap();
            let failed = in_each_round(&ids, &x, &v, &mut y).is_err();
            let mut fails = false;
            for (at, got) in y.to_vec().unwrap().into_iter().enumerate() {
                let (k, i) = (at / n, at % n);
                // An iteration ends at its first read that is out of bounds.
                let there = (0..=k).all(|k| read(id(i).wrapping_add(k)).is_some());
                fails |= !there;
                let right = match there {
                    true => summand(k, i) + item(id(i) + k),
                    false => before(4 * i + k),
                };
                assert_eq!(got, right, "{name}, row {k}, column {i}");
            }
            assert_eq!(failed, fails, "{name}");
        }
    });
}

mod other {
    use swathe::prelude::*;

    #[func]
    pub fn named(a: i32) -> i32 {
        2 * a
    }
}

/// Calls a function of its own name.
#[kernel]
fn named(ids: &Field<u32>, x: &Field<i32>, y: &mut Field<i32>) {
    use other::named;
    for i in y.indices() {
        let mut s = 0;
        for k in 0..ids.len() {
            s += named(x[ids[k] as usize]) - i as i32;
        }
        y[i] = s;
    }
}

#[test]
fn functions_of_the_kernels_name() {
    let (ids, x, mut y) = (field(20, |k| 19 - k as u32), field(20, |k| k as i32), field(33, |_| 0));
    named(&ids, &x, &mut y).unwrap();
    same("named", &values(&y), |i| 380 - 20 * i as i32);
}

#[derive(Element, Clone, Copy, PartialEq, Debug)]
struct Body {
    at: Vec2,
    mass: f32,
}

#[kernel]
fn pulled(near: &Field<u32, 2>, bodies: &Field<Body>, speed: &mut Field<Vec2>) {
    let n = near.shape()[1];
    for i in speed.indices() {
        let mut sum = Vec2::ZERO;
        for k in 0..n {
            let q = near[[i, k]] as usize;
            sum += bodies[q].mass * (bodies[q].at - speed[i]);
        }
        speed[i] += 0.5 * sum;
        speed[i].y -= bodies[near[[i, 0]] as usize].at.x;
    }
}

#[test]
fn members_of_elements_that_are_changed() {
    let body = |k: usize| Body {
        at: Vec2::new(k as f32, 3.0 - k as f32),
        mass: (k % 4) as f32,
    };
    let start = |i: usize| Vec2::new(i as f32 * 0.5, -(i as f32));
    versions(|name| {
        for n in SIZES {
            let table = |i: usize, k: usize| entry(3 * i + k, 40) as usize;
            let near = Field::<u32, 2>::from_fn(&Device::cpu(), [n, 3], |[i, k]| table(i, k) as u32).unwrap();
            let expected = |i: usize| {
                let read = |k: usize| (k < 40).then(|| body(k));
                let mut sum = Vec2::ZERO;
                for k in 0..3 {
                    let body = read(table(i, k))?;
                    sum += body.mass * (body.at - start(i));
                }
                let mut speed = start(i) + 0.5 * sum;
                speed.y -= read(table(i, 0))?.at.x;
                Some(speed)
            };
            let (bodies, mut speed) = (field(40, body), field(n, start));
            let call = pulled(&near, &bodies, &mut speed);
            let lists = format!("{name}, {n}");
            let close = |got: Vec<Vec2>| -> Vec<Vec2> {
                got.into_iter()
                    .enumerate()
                    .map(|(i, got)| match expected(i) {
                        Some(right) if (right - got).length() <= 1e-3 * (1.0 + right.length()) => right,
                        _ => got,
                    })
                    .collect()
            };
            compare(&lists, call, &close(values(&speed)), start, expected);
            let bodies = bodies.with_layout(Soa).unwrap();
            let mut speed = field(n, start).with_layout(Soa).unwrap();
            let call = pulled(&near, &bodies, &mut speed);
            compare(&lists, call, &close(speed.to_vec().unwrap()), start, expected);
        }
    });
}

#[kernel]
fn along(u: &OffsetField<i32, 2>, at: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut s = 0;
        for k in -1..=17_isize {
            s += u[[k, at[i] as isize]];
        }
        out[i] = s;
    }
}

#[kernel]
fn twice_by_tables(a: &Field<u32, 2>, b: &Field<u32>, out: &mut Field<u32>) {
    let n = a.shape()[0];
    for i in out.indices() {
        let mut s = 0;
        for k in 0..n {
            s += 3 * b[b[a[[k, i]] as usize] as usize] + k as u32;
        }
        out[i] = s;
    }
}

#[test]
fn offset_fields_and_views() {
    versions(|name| {
        for n in SIZES {
            let u = Field::<i32, 2>::from_fn(&Device::cpu(), [19, 13], |[k, j]| 20 * (k as i32 - 1) + j as i32 - 4);
            let u = u.unwrap().with_origin([-1, -4]).unwrap();
            let place = |i: usize| i as i32 * 5 % 15 - 4;
            let at = field(n, place);
            let mut out = field(n, |_| 1);
            let call = along(&u, &at, &mut out);
            compare(
                &format!("{name}, {n}"),
                call,
                &values(&out),
                |_| 1,
                |i| {
                    (-4..9)
                        .contains(&place(i))
                        .then(|| (-1..18).map(|k| 20 * k + place(i)).sum())
                },
            );

            let table = |i: usize, k: usize| entry(i + 9 * k, 30);
            let a = Field::<u32, 2>::from_fn(&Device::cpu(), [n, 4], |[i, k]| table(i, k)).unwrap();
            let item = |k: usize| if k == 11 { 30 } else { (k as u32 * 7 + 3) % 30 };
            let b = field(30, item);
            let mut out = field(n, |i| i as u32);
            let call = twice_by_tables(&a.view().t(), &b, &mut out);
            let read = |k: u32| (k < 30).then(|| item(k as usize));
            compare(
                &format!("{name}, {n}"),
                call,
                &values(&out),
                |i| i as u32,
                |i| (0..4).try_fold(0, |s, k| Some(s + 3 * read(read(table(i, k as usize))?)? + k)),
            );
        }
    });
}

/// An empty table that nobody reads.
#[kernel]
fn perhaps(table: &Field<i32>, n: usize, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut s = i as i32;
        for k in 0..7 * n + 20 {
            if n > 0 {
                s += table[(i + k) % n];
            }
            s ^= k as i32;
        }
        out[i] = s;
    }
}

#[test]
fn tables_without_elements() {
    versions(|name| {
        for n in [0, 1, 3] {
            let table = field(n, |k| 5 + k as i32);
            let mut out = field(100, |_| 0);
            let call = perhaps(&table, n, &mut out);
            compare(
                &format!("{name}, {n}"),
                call,
                &values(&out),
                |_| 0,
                |i| {
                    Some((0..7 * n + 20).fold(i as i32, |s, k| {
                        let s = if n > 0 { s + 5 + ((i + k) % n) as i32 } else { s };
                        s ^ k as i32
                    }))
                },
            );
        }
    });
}

/// An index of an array that data tells: it would panic for another element.
#[kernel]
fn by_an_array(ids: &Field<u32>, x: &Field<u32>, y: &mut Field<u32>) {
    let weights = [2, 3, 5, 7];
    for i in y.indices() {
        let mut s = 0;
        for k in 0..ids.len() {
            s += weights[x[(ids[k] as usize).wrapping_add(i)] as usize];
        }
        y[i] = s;
    }
}

/// Items that an iteration comes to by its own data alone: of an array that has fewer, and of one that has them all.
macro_rules! counted_behind_data {
    ($($name:ident $items:expr;)*) => {$(
        #[kernel]
        fn $name(ids: &Field<u32>, lengths: &Field<u32>, y: &mut Field<u32>) {
            let items = $items;
            for i in y.indices() {
                let mut s = 0;
                for k in 0..ids.len() {
                    let length = lengths[(ids[k] as usize).wrapping_add(i)] as usize;
                    for q in 0..8 {
                        if q < length {
                            s += 3 * items[q] + items[q] * k as u32;
                        }
                    }
                }
                y[i] = s;
            }
        }
    )*};
}

counted_behind_data! {
    of_fewer [1, 2, 3, 5];
    of_all [1, 2, 3, 5, 7, 11, 13, 17];
}

#[func]
fn many_rounds(a: u32) -> u32 {
    let mut s = a;
    for i in 0..16 {
        for j in 0..16 {
            for k in 0..16 {
                s = (s ^ i * j).wrapping_mul(s | 3) ^ k;
            }
        }
    }
    s
}

/// As many rounds as are given up to find that an iteration ends, in the kernel and in each call of a function.
#[kernel]
fn slow(ids: &Field<u32>, x: &Field<u32>, y: &mut Field<u32>) {
    for i in y.indices() {
        let mut s = 1_u32;
        for k in 0..ids.len() {
            let v = x[ids[k] as usize];
            for a in 0..16 {
                for b in 0..16 {
                    for c in 0..16 {
                        if v == 0 {
                            s ^= many_rounds(s.wrapping_add(a + b * c));
                        }
                    }
                }
            }
        }
        y[i] += s;
    }
}

/// Short loops in short loops: billions of rounds, for an element that no iteration reads.
#[kernel]
fn nests(ids: &Field<u32>, x: &Field<u32>, y: &mut Field<u32>) {
    for i in y.indices() {
        let mut s = 0_u32;
        for k in 0..ids.len() {
            let v = x[ids[k] as usize];
            for _ in 0..1 {
                if v == 0 {
                    for a in 0..16_u32 {
                        for b in 0..16_u32 {
                            for c in 0..16_u32 {
                                for d in 0..16_u32 {
                                    s = s.wrapping_mul(a + 3) ^ (b * c + d);
                                }
                            }
                        }
                    }
                }
                s = s.wrapping_add(v + i as u32);
            }
        }
        y[i] = s;
    }
}

#[kernel]
fn summed(ids: &Field<u32>, x: &Field<u32>, rounds: usize) -> u32 {
    let mut s = 0_u32;
    for i in ids.indices() {
        for k in 0..rounds {
            s += x[(ids[i] as usize).wrapping_add(k)];
        }
    }
    s
}

#[test]
fn loops_that_would_meet_another_element_stay_out() {
    let out = |plan: swathe::Plan, text: &str| {
        assert!(!gathers(&plan), "{plan}");
        let told = plan.loops()[0].remarks.iter().any(|remark| remark.text.contains(text));
        assert!(told, "{plan}");
    };
    out(by_an_array::plan(), "an index of an array");
    out(of_fewer::plan(), "an index of an array");
    out(nests::plan(), "many short loops");
    out(summed::plan(), "beside no reduction");
    out(in_each_round::plan(), "written in each round");
    versions(|name| {
        for n in SIZES {
            let id = |k: usize| if k == 4 { 7 } else { 1 + k % 3 };
            let (ids, item) = (
                field(9, |k| id(k) as u32),
                |k: usize| if k == 0 { 1000 } else { k as u32 % 4 },
            );
            let x = field(9, item);
            let mut y = field(n, |_| 1);
            let call = by_an_array(&ids, &x, &mut y);
            compare(
                name,
                call,
                &values(&y),
                |_| 1,
                |i| {
                    let read = |k: usize| (k < 9).then(|| [2, 3, 5, 7][item(k) as usize]);
                    (0..9).try_fold(0, |s, k| Some(s + read(id(k) + i)?))
                },
            );
            let mut y = field(n, |_| 1);
            let ids = field(9, |k| if k == 5 { 9 } else { id(k) as u32 });
            let call = nests(&ids, &field(9, |k| k as u32), &mut y);
            compare(name, call, &values(&y), |_| 1, |_| None);
            let mut y = field(n, |_| 1);
            let call = slow(&field(20, |_| 99), &field(40, |k| k as u32), &mut y);
            compare(name, call, &values(&y), |_| 1, |_| None);
        }
    });
}

#[test]
fn items_behind_data() {
    versions(|name| {
        for n in SIZES {
            let id = |k: usize| 1 + k % 5;
            let ids = field(7, |k| id(k) as u32);
            // No iteration comes to the first length.
            for (most, of_fewer) in [(5, true), (9, false)] {
                let length = |k: usize| if k == 0 { 8 } else { (k % most) as u32 };
                let lengths = field(600, length);
                let items: &[u32] = if of_fewer {
                    &[1, 2, 3, 5]
                } else {
                    &[1, 2, 3, 5, 7, 11, 13, 17]
                };
                let mut y = field(n, |_| 1);
                let call = match of_fewer {
                    true => self::of_fewer(&ids, &lengths, &mut y),
                    false => of_all(&ids, &lengths, &mut y),
                };
                let sum = |i: usize| {
                    (0..7).try_fold(0, |s, k| {
                        let length = (id(k) + i < 600).then(|| length(id(k) + i))?;
                        let items = items.iter().take(length.min(8) as usize);
                        Some(s + items.map(|item| (3 + k as u32) * item).sum::<u32>())
                    })
                };
                compare(name, call, &values(&y), |_| 1, sum);
            }
        }
    });
}

/// Whether a loop gathers in lanes.
fn gathers(plan: &swathe::Plan) -> bool {
    let mut techniques = plan.loops().iter().flat_map(|of_loop| of_loop.techniques);
    techniques.any(|technique| matches!(technique, Technique::CheckedInLanes))
}

#[test]
fn plans_gather_in_lanes() {
    for plan in [
        gathered::plan(),
        gathered_if::plan(),
        down::plan(),
        found::plan(),
        an_argument::plan(),
        too_large_to_pass::plan(),
        behind_a_sum::plan(),
        behind_a_condition::plan(),
        in_front_of_a_loop::plan(),
        pulled::plan(),
        perhaps::plan(),
        of_all::plan(),
        slow::plan(),
        along::plan(),
        twice_by_tables::plan(),
    ] {
        assert!(gathers(&plan), "{plan}");
    }
    let has = |plan: swathe::Plan, wide_alone: bool| {
        let taken = |technique: &Technique| match technique {
            Technique::Lanes { narrow, .. } => narrow.is_some() && !wide_alone,
            Technique::WideLanes { .. } => wide_alone,
            _ => false,
        };
        assert!(plan.loops()[0].techniques.iter().any(taken), "{plan}");
    };
    // Without registers of 512 bits work has to outweigh gathers, and nothing may be masked.
    has(behind_a_sum::plan(), false);
    has(gathered::plan(), true);
    has(down::plan(), true);
}

/// Functions that another element is not given to: `kernel/ends.rs`.
mod functions {
    use swathe::prelude::*;

    #[func]
    pub fn of_a_few_rounds(x: u32) -> u32 {
        let mut s = x;
        for k in 0..8 {
            s ^= k;
        }
        s
    }

    #[func]
    pub fn of_many_rounds(x: u32) -> u32 {
        let mut s = x;
        for k in 0..8192 {
            s ^= k;
        }
        s
    }

    #[func]
    pub fn by_many_calls(x: u32) -> u32 {
        let mut s = x;
        for _ in 0..1024 {
            s = of_a_few_rounds(s);
        }
        s
    }

    #[func]
    pub fn until(x: u32) -> u32 {
        let mut s = x;
        while s > 9 {
            s -= 3;
        }
        s
    }

    #[func]
    pub fn by_data(x: u32) -> u32 {
        [1, 2, 3][x as usize]
    }

    #[func]
    fn third<const N: usize>(of: [u32; N], x: u32) -> u32 {
        if x > 2 { of[2] } else { of[0] }
    }

    #[func]
    pub fn behind_the_end(x: u32) -> u32 {
        third([x, 1], x)
    }

    #[func]
    pub fn of_three(x: u32) -> u32 {
        third([x, 1, 2], x)
    }

    #[func]
    pub fn loud(x: u32) -> u32 {
        println!("{x}");
        x
    }
}

macro_rules! asked {
    ($($name:ident $ends:literal)*) => {
        mod asking {
            use swathe::prelude::*;
            $(#[kernel]
            pub fn $name(x: &mut Field<u32>) {
                for i in x.indices() {
                    x[i] = super::functions::$name(x[i]);
                }
            })*
        }

        #[test]
        fn functions_are_asked_whether_they_end() {
            $(
                assert_eq!(swathe::__rt::functions_end::<asking::$name>(1), $ends, stringify!($name));
                asking::$name(&mut field(3, |i| i as u32)).unwrap();
            )*
        }
    };
}

asked! {
    of_a_few_rounds true
    of_many_rounds false
    by_many_calls false
    until false
    by_data false
    behind_the_end false
    of_three true
    loud false
}

#[test]
fn rounds_around_a_function_count() {
    for (rounds, ends) in [(1, true), (512, true), (513, false)] {
        assert_eq!(
            swathe::__rt::functions_end::<asking::of_a_few_rounds>(rounds),
            ends,
            "{rounds}"
        );
    }
}
