//! Local arrays of loops in lanes, of which regions take items.

// Kernels have loops over indices, and the same text is here a plain function.
#![allow(clippy::needless_range_loop, clippy::manual_is_multiple_of)]

use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, same, values, versions};

/// The same text in a kernel and in a plain function.
macro_rules! both {
    ($(fn $kernel:ident, $plain:ident($p:ident, $x:ident, $rounds:ident) -> u32 $body:block)*) => {
        $(
            #[kernel]
            fn $kernel(xs: &Field<u32>, out: &mut Field<u32>, $rounds: usize) {
                for $p in out.indices() {
                    let $x = xs[$p];
                    let value = $body;
                    out[$p] = value;
                }
            }

            fn $plain($p: usize, $x: u32, $rounds: usize) -> u32 $body
        )*

        #[test]
        fn items_of_arrays() {
            $(
                let plan = $kernel::plan().to_string();
                assert!(plan.contains("in lanes") && !plan.contains("not in lanes"), "{plan}");
            )*
            let x = |p: usize| (p as u32).wrapping_mul(0x9e37_79b9) >> 11;
            for n in SIZES {
                let xs = field(n, x);
                versions(|version| {
                    for rounds in [0, 1, 23] {$({
                        let mut out = field(n, |_| 7);
                        $kernel(&xs, &mut out, rounds).unwrap();
                        let name = format!("{} of {n} elements, {rounds} rounds, {version}", stringify!($kernel));
                        same(&name, &values(&out), |p| $plain(p, x(p), rounds));
                    })*}
                });
            }
        }
    };
}

const MANY: usize = 27;

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Cell {
    mass: u16,
    speed: [i32; 2],
}

#[func]
impl Cell {
    fn grow(&mut self, by: i32) -> i32 {
        self.mass = self.mass.wrapping_add(3);
        self.speed[1] += by;
        self.speed[1] - self.speed[0]
    }

    fn energy(&self) -> i32 {
        self.speed[0] * 3 + self.speed[1] + self.mass as i32
    }
}

#[derive(Element, Clone, Copy)]
struct Few {
    list: [u32; 3],
}

#[func]
impl Few {
    fn total(&self, by: u32) -> u32 {
        (self.list[0] + self.list[1] * 3 + self.list[2] * 7) / by
    }
}

/// A loop, so that it is called for all lanes.
#[func]
fn climbed(x: u32, rounds: u32) -> u32 {
    let mut sum = x;
    for k in 0..rounds {
        sum = sum * 3 % 1009 + k;
    }
    sum
}

#[func]
fn folded(mut list: [u32; 19], rounds: usize, x: u32) -> u32 {
    let mut sum = 0u32;
    for k in 0..rounds {
        list[(x as usize + k) % 19] ^= list[k % 19].wrapping_add(x);
        sum = sum.wrapping_mul(3).wrapping_add(list[k * 5 % 19]);
    }
    sum
}

both! {
    // At an index that is the same in all lanes, and at one that differs.
    fn counted, plain_counted(p, x, rounds) -> u32 {
        let mut bins = [1u32; 19];
        for k in 0..rounds {
            bins[(x as usize + k * k) % 19] += k as u32 + 1;
            bins[k % 19] = bins[(k + 3) % 19].wrapping_mul(5) + p as u32;
        }
        let mut sum = 0u32;
        for q in 0..19 {
            sum = sum.wrapping_mul(31).wrapping_add(bins[q]);
        }
        sum
    }

    // A length that rustc knows alone.
    fn of_a_constant, plain_of_a_constant(p, x, rounds) -> u32 {
        let mut list = [x; MANY];
        for q in 0..MANY {
            list[q] = list[q] / 3 + q as u32;
        }
        for k in 0..rounds {
            list[k * 7 % MANY] += list[(k + p) % MANY] % 1000;
        }
        let mut last = 0;
        for q in 0..MANY {
            last = last / 2 + list[q] % 4096;
        }
        last
    }

    // Short loops in a long one, which stay as they are in each lane.
    fn in_short_loops, plain_in_short_loops(p, x, rounds) -> u32 {
        let mut list = [[p as u32, 1, x]; 19];
        let mut sums = [0u32; 3];
        for k in 0..rounds {
            for axis in 0..3 {
                list[k % 19][axis] = list[(k + axis) % 19][2 - axis] / 2 + k as u32;
                for other in 0..2 {
                    sums[axis] = sums[axis] * 5 % 10_007 + list[k * 5 % 19][other] % 100;
                }
            }
            if x % 3 == 0 {
                for axis in 0..2 {
                    sums[axis + 1] += sums[axis] / 3;
                }
            }
        }
        for axis in 0..3 {
            sums[0] = sums[0] % 4096 * 11 + sums[axis];
        }
        sums[0]
    }

    // What may fail is evaluated in front of calls that are made for all lanes: items of an array, and the whole.
    fn in_front_of_calls, plain_in_front_of_calls(p, x, rounds) -> u32 {
        let mut list = [p as u32, x % 100, 7];
        let mut sum = 0u32;
        for k in 0..rounds {
            list[k % 3] += list[(k + 1) % 3] % 10;
            sum = (list[(k + p) % 3] % 100 + climbed(x % 1000, 3)) % 5000 + sum / 3;
            sum = (Few { list }.total(1 + x % 3) % 100 + climbed(sum, 1 + k as u32 % 4)) % 5000;
        }
        sum
    }

    // A stack, of which lanes use different parts in a loop that they leave by themselves.
    fn stacked, plain_stacked(p, x, rounds) -> u32 {
        let mut stack = [0u32; 24];
        let mut top = 1;
        let mut seen = 0u32;
        while top > 0 {
            top -= 1;
            let node = stack[top];
            seen = seen.wrapping_mul(7).wrapping_add(node ^ x);
            if node < 3 + x % 13 + rounds as u32 {
                if (node + p as u32) % 3 == 0 {
                    continue;
                }
                stack[top] = 2 * node + 2;
                stack[top + 1] = 2 * node + 1;
                top += 2;
            }
        }
        seen
    }

    // Members of structs, methods that change them and such that do not, arrays in arrays.
    fn structured, plain_structured(p, x, rounds) -> u32 {
        let mut cells = [Cell { mass: 3, speed: [1, 2] }; 20];
        let mut table = [[x as i32 % 100, 1, 2]; 17];
        let mut sum = 0i32;
        for k in 0..rounds {
            let at = (x as usize % 64 + k) % 20;
            cells[k % 20].speed[k % 2] -= (p % 50) as i32;
            cells[at].mass = k as u16 + cells[k % 20].mass;
            sum += cells[at].grow(table[k % 17][k % 3]) - cells[(at + 1) % 20].energy();
            table[at % 17][2] += cells[at].speed[1] % 7;
            table[k % 17] = [table[at % 17][2], sum % 1000, table[k % 17][0].max(3)];
        }
        for k in 0..20 {
            sum = sum.wrapping_mul(3).wrapping_add(cells[k].energy() + table[k % 17][k % 3]);
        }
        sum as u32
    }

    // The order in which values, indices and places are evaluated.
    fn ordered, plain_ordered(p, x, rounds) -> u32 {
        let mut list = [x % 1000, 2, 3, 5, 7, 11, 13, p as u32];
        let mut at = 1usize;
        for _ in 0..rounds {
            list[{ at = (at + 3) % 8; at }] = { at = (at + 1) % 8; at as u32 + list[at] % 100 };
            list[at] += list[(at + 1) % 8] % 10;
            list[at] = { list[(at + 5) % 8] = 40 + list[at] % 3; list[(at + 5) % 8] };
            at = (at * 5 + 3) % 8;
        }
        let mut sum = 0u32;
        for q in 0..rounds {
            sum = sum * 11 % 100_003 + list[q % 8];
        }
        sum
    }

    // As a whole in one region and by items in others; and given to functions.
    fn whole, plain_whole(p, x, rounds) -> u32 {
        let mut list = [p as u32, x, 3, 4, 5];
        let mut sum = 0;
        for k in 0..rounds {
            list[k % 5] ^= x >> (k % 7);
            if list[k % 5] % 3 == 0 {
                for q in 0..rounds {
                    list[q % 5] = list[q % 5].wrapping_add(q as u32);
                }
            }
            let [a, _, _, _, b] = list;
            list = [b, list[2], a, list[1], list[3]];
            sum = (sum + a % 1000) * 3 % 10_007;
        }
        for q in 0..rounds {
            sum += list[q % 5] % 100;
        }
        sum
    }
}

/// A function that is given an array in each lane.
#[kernel]
fn passed(xs: &Field<u32>, out: &mut Field<u32>, rounds: usize) {
    for p in out.indices() {
        let x = xs[p];
        out[p] = folded([x; 19], rounds, x);
    }
}

/// An index that is not there ends its iteration, and no other one.
#[kernel]
fn beyond(xs: &Field<u32>, out: &mut Field<u32>, rounds: usize) {
    for p in out.indices() {
        let mut list = [1u32; 19];
        for k in 0..rounds {
            list[xs[p] as usize] += k as u32;
        }
        let mut sum = 0;
        for q in 0..19 {
            sum += list[q] * (q as u32 + 1);
        }
        out[p] = sum;
    }
}

#[test]
fn arrays_that_functions_are_given() {
    let x = |p: usize| p as u32 * 77 + 5;
    for n in SIZES {
        let xs = field(n, x);
        versions(|version| {
            let mut out = field(n, |_| 0);
            passed(&xs, &mut out, 40).unwrap();
            let plain = |p: usize| {
                let (mut list, mut sum) = ([x(p); 19], 0u32);
                for k in 0..40 {
                    list[(x(p) as usize + k) % 19] ^= list[k % 19].wrapping_add(x(p));
                    sum = sum.wrapping_mul(3).wrapping_add(list[k * 5 % 19]);
                }
                sum
            };
            same(&format!("{n} elements, {version}"), &values(&out), plain);
        });
    }
}

#[test]
fn an_index_that_is_not_there() {
    let plan = beyond::plan().to_string();
    assert!(plan.contains("in lanes"), "{plan}");
    for n in [1, 17, 65, 300] {
        let xs = field(n, |p| if p == n / 2 { 19 } else { p as u32 % 19 });
        versions(|version| {
            let mut out = field(n, |_| 7);
            let error = beyond(&xs, &mut out, 5).unwrap_err().to_string();
            assert!(error.contains("the len is 19 but the index is 19"), "{error}");
            assert!(error.contains("arrays.rs"), "{error}");
            let got = values(&out);
            assert_eq!(got[n / 2], 7, "{version}");
            for (p, got) in got.into_iter().enumerate() {
                let expected = 190 + 10 * (p as u32 % 19 + 1);
                assert!(got == expected || got == 7, "{version}: {p}");
            }
        });
    }
}
