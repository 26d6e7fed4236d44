//! `println!` and its kind: each text once and whole, those of one iteration in their order.

use swathe::__rt::{Output, captured};
use swathe::prelude::*;
use swathe::{bf16, f16};

use super::support::{kernel_of_both, same, sources};

#[kernel]
#[allow(clippy::too_many_arguments, reason = "one of each type")]
fn formats(a: i8, b: i16, c: i64, d: u8, e: u16, f: u64, g: isize, h: f16, w: bf16, x: f64, v: Vec3, m: Mat2) {
    println!(
        "{a} {b} {c:?} {d:#04x} {e:b} {f} {g:+}, {h} {w:?} and {x:.3} {{}} {}",
        a < 0
    );
    print!("{v} {v:?} {:.1?}", m);
    eprintln!("{x:e} {0} {name} {0:5}|", f + 1, name = d);
    println!();
    eprint!("{:?} {:?}", [e, 7], [[v, v + v]]);
    let nothing = [0.5_f32; 0];
    println!("{nothing:?}");
    println!("{a:>6}|{x:*^+12.2}|{v:<5.1}|{0:->#8x}|", d);
}

const STEPS: u32 = line!() + 4;
/// Statements around loops, and several texts of an iteration.
#[kernel]
fn steps(x: &Field<f32>, out: &mut Field<f32>) -> u32 {
    println!("before {}", x.len());
    for i in out.indices() {
        println!("first {i}");
        let v = x[i] * 2.0;
        out[i] = v;
        if i % 3 != 1 {
            println!("second {i} {v}");
        }
    }
    println!("between {}", out.len());
    let mut count = 0;
    for i in out.indices() {
        if x[i] > 3.0 {
            print!("counts {i}\n");
            count += 1;
        }
    }
    println!("{count} are large");
    count
}

const INSPECTED: u32 = line!() + 2;
#[kernel]
fn inspected(x: &Field<u32, 2>, out: &mut Field<u32, 2>) {
    for [i, j] in out.indices() {
        dbg!();
        out[[i, j]] = dbg!(x[[i, j]] + 1) * 2;
        let (a, b) = dbg!(i + 1, [j, 3]);
        out[[i, j]] += (a + b[1]) as u32;
    }
}

const TOLD: u32 = line!() + 3;
#[func]
fn told(x: i32, k: usize) -> i32 {
    println!("told {x} at {k}");
    x + 1
}

/// Prints, has a loop, and fails.
#[func]
fn summed(x: i32, k: usize) -> i32 {
    print!("begin {k}\n");
    let mut sum = 0;
    for j in 0..x {
        sum += j;
    }
    assert!(k % 100 != 37, "no {k}");
    print!("end {k} {sum}\n");
    sum
}

/// Whose loop can be in lanes, in blocks that run again where one fails.
#[func]
fn triangle(x: i32) -> i32 {
    let mut sum = 0;
    for j in 0..x {
        sum += j;
    }
    assert!(x != 36, "no triangle of {x}");
    sum
}

#[kernel]
fn calls(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = told(x[i], i) + triangle(x[i]) * 2;
    }
}

#[kernel]
fn fails(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] += summed(x[i], i) + triangle(3);
    }
}

#[kernel]
fn sums(x: &Field<i32>) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        sum += told(x[i], i);
    }
    sum
}

#[derive(Element, Clone, Copy, PartialEq, Debug, Default)]
struct Cell {
    a: [f32; 4],
    b: Vec3,
    c: f32,
}

#[func]
fn moved(cell: Cell, k: usize) -> Cell {
    println!("cell {k}: {}", cell.b);
    assert!(k % 70 != 69, "no cell {k}");
    Cell {
        a: [cell.a[1], cell.a[2], cell.a[3], cell.a[0]],
        b: cell.b * 2.0 + Vec3::splat(cell.c * 3.0),
        c: cell.c + 1.0,
    }
}

/// In transposed blocks, if it printed nothing.
#[kernel]
fn moves(cells: &mut Field<Cell>) {
    for i in cells.indices() {
        cells[i] = moved(cells[i], i);
    }
}

const INNER: u32 = line!() + 3;
/// Positions of loops that begin elsewhere.
#[kernel]
fn inner(u: &mut Field<f32, 2>) {
    for [i, j] in u.interior(1) {
        u[[i, j]] = 1.0;
        println!("inner {i} {j}");
    }
}

/// Prints a text without values.
#[func]
fn hinted(x: u64) -> u64 {
    if x % 2 == 1 {
        print!("odd\n");
    }
    x / 2
}

/// Neighbours are at different texts, of different lengths, and in different rounds of a loop; some print nothing.
#[kernel]
fn parted(x: &Field<u64>, out: &mut Field<u64>) {
    for i in out.indices() {
        let mut left = x[i];
        while left > 0 {
            if (i as u64 + left) % 3 == 0 {
                println!("third {i} {left}");
            } else if left % 4 == 1 {
                print!("fourth {i}\n");
            }
            left = hinted(left);
        }
        if x[i] % 5 == 0 {
            continue;
        }
        println!("end {i} {} {} {}", x[i], x[i] * 2, -(i as i64));
        out[i] = x[i];
    }
}

/// What an iteration of [`parted`] prints, but for what it has no number in.
fn parts_of(i: usize, x: u64) -> (Vec<String>, u64) {
    let (mut texts, mut odd, mut left) = (Vec::new(), 0, x);
    while left > 0 {
        if (i as u64 + left) % 3 == 0 {
            texts.push(format!("third {i} {left}\n"));
        } else if left % 4 == 1 {
            texts.push(format!("fourth {i}\n"));
        }
        odd += left % 2;
        left /= 2;
    }
    if x % 5 != 0 {
        texts.push(format!("end {i} {x} {} {}\n", x * 2, -(i as i64)));
    }
    (texts, odd)
}

const GIVEN: u32 = line!() + 3;
kernel_of_both! {
    given(x, out, i, by)
    { println!("given {i}"); }
    x[i] + by as i32;
    doubled(v) 2 * v
}

/// Calls some of the kernels, which print to the standard output.
pub fn print(device: &Device) {
    let x = Field::from_slice(device, &[1.0, 2.0]).unwrap();
    steps(&x, &mut Field::zeros(device, 2).unwrap()).unwrap();
    inner(&mut Field::zeros(device, [3, 3]).unwrap()).unwrap();
    calls(
        &Field::full(device, 1, 4).unwrap(),
        &mut Field::zeros(device, 1).unwrap(),
    )
    .unwrap();
    told(7, 8);
    let ones = Field::full(device, 2, 1).unwrap();
    given(&ones, &ones, &mut Field::zeros(device, 1).unwrap(), 3).unwrap();
    // Other threads do not wait for the output, which this one has, while it waits for them.
    let held = std::io::stdout().lock();
    let n = 3000;
    calls(
        &Field::full(device, n, 4).unwrap(),
        &mut Field::zeros(device, n).unwrap(),
    )
    .unwrap();
    drop(held);
}

/// Looks at what [`print`] has printed, with places and without.
pub fn check_places(with: &str, without: &str) {
    let at = |line: u32, column: u32| format!("{}:{line}:{column}", file!());
    for text in [
        format!("[steps, {}] before 2\n", at(STEPS, 5)),
        format!("[steps, {}, iteration 1] first 1\n", at(STEPS + 2, 9)),
        format!("[inner, {}, iteration [1, 1]] inner 1 1\n", at(INNER + 3, 9)),
        format!("[calls, {}] told 4 at 0\n", at(TOLD, 5)),
        format!("[{}] told 7 at 8\n", at(TOLD, 5)),
        format!("[given, {}, iteration 0] given 0\n", at(GIVEN, 7)),
    ] {
        assert!(with.contains(&text), "{text}{with}");
    }
    for text in (0..3000).map(|i| format!("told 4 at {i}\n")) {
        assert!(with.contains(&text) && without.contains(&text), "{text}");
    }
    for text in [
        "\nbefore 2\n",
        "\nfirst 1\n",
        "\ninner 1 1\n",
        "\ntold 4 at 0\n",
        "\ntold 7 at 8\n",
        "\ngiven 0\n",
    ] {
        assert!(without.contains(text), "{text}{without}");
    }
}

/// What `work` prints to the standard output, or to the standard error.
fn printed(device: &Device, error: bool, work: impl FnOnce() -> swathe::Result<()>) -> Vec<String> {
    let texts = captured(|| {
        // Of a kernel that fails a device tells when it is waited for.
        let _ = work();
        let _ = device.synchronize();
    });
    let wanted = texts
        .into_iter()
        .filter(|(output, _)| (*output != Output::Out) == error);
    wanted.map(|(_, text)| text).collect()
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

pub fn check(device: &Device) {
    check_formats(device);
    check_order(device);
    check_values(device);
    check_functions(device);
    check_failures(device);
    check_parts(device);
    let texts = printed(device, false, || inner(&mut Field::zeros(device, [4, 5]).unwrap()));
    let expected = (1..3).flat_map(|i| (1..4).map(move |j| format!("inner {i} {j}\n")));
    assert_eq!(sorted(texts), sorted(expected.collect()));
}

fn check_formats(device: &Device) {
    let (v, m) = (Vec3::new(1.5, -2.0, 1e10), Mat2::from_array([[1.0, 2.25], [3.0, 4.0]]));
    let (h, w, x) = (f16::from_f32(1.5), bf16::from_f32(-2.25), 0.1_f64);
    let run = || formats(-7, 300, i64::MIN, 10, 5, u64::MAX - 1, -3, h, w, x, v, m);
    let mut out = printed(device, false, run);
    let nothing = [0.5_f32; 0];
    let expected = [
        format!(
            "{} {} {:?} {:#04x} {:b} {} {:+}, {h} {w:?} and {x:.3} {{}} {}\n",
            -7,
            300,
            i64::MIN,
            10,
            5,
            u64::MAX - 1,
            -3,
            true
        ),
        format!("{v} {v:?} {m:.1?}"),
        "\n".to_owned(),
        format!("{nothing:?}\n"),
        format!("{:>6}|{x:*^+12.2}|{v:<5.1}|{:->#8x}|\n", -7, 10),
    ];
    assert_eq!(out, expected);
    out = printed(device, true, run);
    let expected = [
        format!("{x:e} {0} {1} {0:5}|\n", u64::MAX, 10),
        format!("{:?} {:?}", [5, 7], [[v, v + v]]),
    ];
    assert_eq!(out, expected);
}

fn check_order(device: &Device) {
    for n in [0, 1, 3, 17, 1000] {
        let values: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
        let x = Field::from_slice(device, &values).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        let texts = printed(device, false, || steps(&x, &mut out).map(|_| ()));
        let at = |text: &str| {
            let found: Vec<usize> = (0..texts.len()).filter(|k| texts[*k] == text).collect();
            assert_eq!(found.len(), 1, "{text}");
            found[0]
        };
        let (between, large) = (
            at(&format!("between {n}\n")),
            values.iter().filter(|v| **v > 3.0).count(),
        );
        assert_eq!(at(&format!("before {n}\n")), 0);
        assert_eq!(at(&format!("{large} are large\n")), texts.len() - 1);
        let mut count = 3;
        for i in 0..n {
            let first = at(&format!("first {i}\n"));
            assert!(first < between);
            count += 1;
            if i % 3 != 1 {
                let second = at(&format!("second {i} {}\n", values[i] * 2.0));
                assert!(first < second && second < between, "{i}");
                count += 1;
            }
            if values[i] > 3.0 {
                assert!(at(&format!("counts {i}\n")) > between, "{i}");
                count += 1;
            }
        }
        assert_eq!(texts.len(), count);
    }
}

fn check_values(device: &Device) {
    let x = Field::from_vec(device, (10..16).collect())
        .and_then(|x| x.into_shape([2, 3]))
        .unwrap();
    let mut out = Field::zeros(device, [2, 3]).unwrap();
    let texts = printed(device, true, || inspected(&x, &mut out));
    let at = |line: u32, column: u32| format!("[{}:{}:{column}]", file!(), INSPECTED + line);
    let mut expected = Vec::new();
    for (i, j) in (0..2).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let v = 10 + 3 * i + j + 1;
        expected.push(format!("{}\n", at(2, 9)));
        expected.push(format!("{} x[[i, j]] + 1 = {v}\n", at(3, 23)));
        expected.push(format!("{} i + 1 = {}\n", at(4, 22), i + 1));
        expected.push(format!("{} [j, 3] = [{j}, 3]\n", at(4, 22)));
    }
    assert_eq!(sorted(texts), sorted(expected));
    let expected = (0..6).map(|k| (10 + k + 1) * 2 + (k / 3 + 1 + 3));
    assert_eq!(out.to_vec().unwrap(), expected.collect::<Vec<u32>>());
}

fn check_functions(device: &Device) {
    for n in [0_usize, 1, 3, 17, 1000] {
        let values: Vec<i32> = (0..n as i32).map(|i| i % 31).collect();
        let x = Field::from_slice(device, &values).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        let expected: Vec<String> = (0..n).map(|i| format!("told {} at {i}\n", values[i])).collect();
        let texts = printed(device, false, || calls(&x, &mut out));
        assert_eq!(sorted(texts), sorted(expected.clone()), "{n}");
        let value = |v: &i32| v + 1 + v * (v - 1);
        same("calls", &out, values.iter().map(value).collect());
        let mut sum = 0;
        let texts = printed(device, false, || {
            sum = sums(&x)?;
            Ok(())
        });
        assert_eq!(sorted(texts), sorted(expected), "{n}");
        assert_eq!(sum, values.iter().map(|v| v + 1).sum());
    }
    // Where the host calls it.
    let texts = printed(device, false, || {
        told(5, 6);
        Ok(())
    });
    assert_eq!(texts, ["told 5 at 6\n"]);
}

/// Threads that part print each its own texts, in order.
fn check_parts(device: &Device) {
    for n in [1, 31, 100, 1000] {
        let x: Vec<u64> = (0..n).map(|i| i * 7919 % 61).collect();
        let field = Field::from_slice(device, &x).unwrap();
        let mut out = Field::zeros(device, n as usize).unwrap();
        let mut texts = printed(device, false, || parted(&field, &mut out));
        let (expected, odd): (Vec<_>, Vec<_>) = (0..n as usize).map(|i| parts_of(i, x[i])).unzip();
        let all = texts.len();
        texts.retain(|text| text != "odd\n");
        assert_eq!((all - texts.len()) as u64, odd.iter().sum::<u64>());
        for (i, expected) in expected.iter().enumerate() {
            let own = |text: &&String| text.split_whitespace().nth(1) == Some(&i.to_string());
            let got: Vec<&String> = texts.iter().filter(own).collect();
            assert_eq!(got, expected.iter().collect::<Vec<_>>(), "{i} of {n}");
        }
        assert_eq!(texts.len(), expected.iter().map(Vec::len).sum::<usize>());
        let values = x.iter().map(|x| if x % 5 == 0 { 0 } else { *x });
        same("parted", &out, values.collect());
    }
}

/// What ran before a failure was printed once, and nothing of its iteration after it.
fn check_failures(device: &Device) {
    let n = 1000;
    let values: Vec<i32> = (0..n).map(|i| i % 31).collect();
    let x = Field::from_slice(device, &values).unwrap();
    let mut out = Field::full(device, n as usize, 5).unwrap();
    let texts = printed(device, false, || fails(&x, &mut out));
    let mut expected = Vec::new();
    for (i, v) in values.iter().enumerate() {
        expected.push(format!("begin {i}\n"));
        if i % 100 != 37 {
            expected.push(format!("end {i} {}\n", v * (v - 1) / 2));
        }
    }
    assert_eq!(sorted(texts), sorted(expected));
    let told: Vec<i32> = (0..n).map(|i| if i == 500 { 36 } else { i % 31 }).collect();
    let x = Field::from_slice(device, &told).unwrap();
    let texts = printed(device, false, || calls(&x, &mut out));
    let expected = told.iter().enumerate().map(|(i, v)| format!("told {v} at {i}\n"));
    assert_eq!(sorted(texts), sorted(expected.collect()));

    let cell = |k: usize| Cell {
        a: [k as f32, 1.0, 2.0, 3.0],
        b: Vec3::splat(k as f32),
        c: 0.5,
    };
    let mut cells = Field::from_vec(device, (0..400).map(cell).collect()).unwrap();
    let texts = printed(device, false, || moves(&mut cells));
    let expected = (0..400).map(|k| format!("cell {k}: {}\n", cell(k).b));
    assert_eq!(sorted(texts), sorted(expected.collect()));
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![formats, steps, inspected, calls, fails, sums, moves, parted, inner]
}
