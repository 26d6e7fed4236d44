//! Positions by functions of integers: what these give along a row they are asked for.

use swathe::{Technique, prelude::*};
use swathe_tests_lanes::versions;

use super::{Grid, compare};

type Count = usize;
const TWO: usize = 2;
const LEFT: i32 = -1;

#[func]
fn next(i: usize, n: usize) -> usize {
    if i + 1 == n { 0 } else { i + 1 }
}

/// Leaves early.
#[func]
fn previous(i: usize, n: usize) -> usize {
    if i == 0 {
        return n - 1;
    }
    i - 1
}

/// Changes variables, by numbers below zero.
#[func]
fn around(mut i: i32, n: i32) -> usize {
    let beyond = i >= n;
    if i < 0 {
        i += n;
    } else if beyond && n > 0 {
        i -= n;
    }
    i as usize
}

#[func]
fn modulo(i: i32, n: i32) -> i32 {
    ((i % n) + n) % n
}

#[func]
fn euclid(i: i64, n: usize) -> usize {
    i.rem_euclid(n as i64) as usize
}

/// To and fro, through other functions.
#[func]
fn mirrored(i: isize, n: usize) -> usize {
    let last = largest(n) as isize;
    let i = i.abs();
    let there = match_last(i, last);
    there as usize
}

#[func]
fn match_last(i: isize, last: isize) -> isize {
    if i > last { 2 * last - i } else { i }
}

#[func]
fn largest(n: usize) -> usize {
    n.saturating_sub(1)
}

#[func]
fn clamped(i: i32, n: usize) -> usize {
    let i = i.max(0) as usize;
    i.min(largest(n))
}

#[func]
fn between(i: i32, least: i32, most: i32) -> i32 {
    i.clamp(least, most)
}

/// Of a byte, which has no room for larger positions.
#[func]
fn low(i: u8) -> u8 {
    i.wrapping_add(3)
}

/// The number of the element in rows of `w`.
#[func]
fn flat(i: usize, j: usize, w: usize) -> usize {
    i * w + j
}

/// By constants, a truth value as a number, and the neighbour by a rule.
#[func]
fn by_rule(i: usize, n: usize) -> usize {
    const ONE: usize = 1;
    let far = (i > 4) as usize * TWO + ONE;
    let i = i.periodic(LEFT, n);
    (i + far - ONE).clamped(1, n)
}

/// Against the direction of the row.
#[func]
fn turned(i: usize, n: usize) -> usize {
    n - 1 - i
}

/// Loops tell nothing.
#[func]
fn looped(i: usize, n: usize) -> usize {
    let mut k = i + 3;
    while k >= n {
        k -= n;
    }
    k
}

/// By a name of its own for the type of an index.
#[func]
fn named(i: Count, n: Count) -> Count {
    next(i, n)
}

twins! {
    by_functions[0 4] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        v[[i, j]] = u[[previous(i, h), j]] + 3 * u[[next(i, h), j]] - 7 * u[[i, previous(j, w)]]
            + 11 * u[[i, next(j, w)]] + n as i64;
    }
    of_variables[0 4] (u, v, n) { let [h, w] = u.shape(); let h = h as i32; } (i, j) {
        let (y, x) = (i as i32, j as i32);
        let (up, down) = (around(y - 1, h), around(y + 1, h));
        let left = around(x - 1, w as i32);
        let right = around(x + n as i32, w as i32);
        v[[i, j]] = u[[up, j]] + 3 * u[[down, j]] - 7 * u[[i, left]] + 11 * u[[i, right]];
    }
    cast[0 4] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let (y, x) = (i as i32, j as i32);
        v[[i, j]] = u[[modulo(y - 1, h as i32) as usize, j]] + 3 * u[[euclid(y as i64 + 1, h), j]]
            - 7 * u[[i, modulo(x - n as i32, w as i32) as usize]] + 11 * u[[i, euclid(j as i64 + 1, w)]];
    }
    through_others[0 5] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        v[[i, j]] = u[[mirrored(i as isize - 1, h), j]] + 3 * u[[clamped(i as i32 + 1, h), j]]
            - 7 * u[[i, mirrored(j as isize - 2, w)]] + 11 * u[[i, clamped(j as i32 - 1, w)]]
            + 13 * u[[i, next(next(previous(j, w), w), w)]] + n as i64;
    }
    in_sums[1 3] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let after = next(j, w);
        let far = if j + 4 < w { u[[i, after + 2]] } else { -1 };
        let back = between(j as i32 - 2, 0, w as i32 - 1);
        v[[i, j]] = far + 3 * u[[i, back as usize]] - 7 * u[[h - 1 - largest(h) + i, next(j, w - 1) % w]]
            + 11 * u[[by_rule(i, h), by_rule(j, w)]] + n as i64;
    }
    with_others[0 5] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        // Two of these tell nothing, one does not grow along with the row.
        let other = u[[i, looped(j, w)]] + 3 * u[[i, turned(j, w)]] + 5 * u[[i, named(j, w)]];
        let low = if w > 300 { u[[i, low(j as u8) as usize]] } else { 0 };
        v[[i, j]] = other + 7 * low - 11 * u[[i, next(j, w)]] + n as i64;
    }
}

#[test]
fn plans_name_the_functions() {
    let asked = |plan: swathe::Plan| -> Vec<(&str, bool)> {
        let asked = plan.loops()[0]
            .techniques
            .iter()
            .filter_map(|technique| match technique {
                Technique::Asked { function, told } => Some((*function, *told)),
                _ => None,
            });
        asked.collect()
    };
    assert_eq!(
        asked(through_others::kernel::plan()),
        ["mirrored", "clamped", "previous", "next"].map(|function| (function, true))
    );
    assert_eq!(
        asked(with_others::kernel::plan()),
        [
            ("looped", false),
            ("turned", true),
            ("named", false),
            ("low", true),
            ("next", true)
        ]
    );
    assert_eq!(asked(super::wrapped_by_if::kernel::plan()), []);
}
