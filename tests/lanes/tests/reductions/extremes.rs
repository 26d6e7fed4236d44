//! The least or largest with what belongs to it, in blocks that are passed over.

use swathe::Technique;
use swathe::prelude::*;
use swathe_tests_lanes::{number, versions};

#[kernel]
fn first(x: &Field<f32>, start: f32) -> (f32, usize) {
    let (mut least, mut at) = (start, usize::MAX);
    for i in x.indices() {
        if x[i] < least {
            least = x[i];
            at = i;
        }
    }
    (least, at)
}

/// The same, of a statement without an end.
#[kernel]
fn value_alone(x: &Field<f32>) -> f32 {
    let mut least = f32::MAX;
    for i in x.indices() {
        if x[i] < least {
            least = x[i]
        }
    }
    least
}

/// Of equal values the last, beside another one, behind conditions of its own.
#[kernel]
fn rows(x: &Field<i32, 2>, y: &Field<u8, 2>) -> (i32, [usize; 2], u8, u32) {
    let [h, w] = x.shape();
    let (mut most, mut at) = (i32::MIN, [0, 0]);
    let (mut fewest, mut column) = (200, 0);
    for [i, j] in x.indices() {
        let mut value = x[[i, j]] * 3;
        if value % 2 != 0 {
            continue;
        }
        if j > 0 && i + 1 < h && y[[i + 1, j - 1]] > 20 {
            value -= 1;
        }
        if value >= most {
            most = value;
            at = [i, j];
        }
        if j < w / 2 {
            if fewest > y[[i, j]] {
                column = j as u32;
                fewest = y[[i, j]];
            }
        }
    }
    (most, at, fewest, column)
}

/// What a look may not be taken for: a sum beside it.
#[kernel]
fn beside(x: &Field<f32>) -> (f32, usize, f64) {
    let (mut least, mut at, mut sum) = (f32::MAX, 0, 0.0);
    for i in x.indices() {
        sum += x[i] as f64;
        if x[i] < least {
            least = x[i];
            at = i;
        }
    }
    (least, at, sum)
}

/// A division and an index that fail.
#[kernel]
fn failing(x: &Field<i32>, k: &Field<u32>) -> (i32, usize) {
    let (mut least, mut at) = (i32::MAX, 0);
    for i in x.indices() {
        let value = 1000 / x[k[i] as usize];
        if value < least {
            least = value;
            at = i;
        }
    }
    (least, at)
}

/// Divisions by methods, and a step.
#[kernel]
fn dividing(x: &Field<i32>, steps: &Field<u32>) -> (i32, usize, i32, i32) {
    let (mut least, mut at, mut most, mut steepest) = (i32::MAX, 0, -1, i32::MIN);
    for i in x.indices() {
        let value = 1000_i32.div_euclid(x[i]);
        if value < least {
            least = value;
            at = i;
        }
    }
    for i in x.indices() {
        let value = i32::rem_euclid(1000, x[i]);
        if value > most {
            most = value;
        }
    }
    for i in x.indices() {
        let mut value = x[i];
        for k in (0..4).step_by(steps[i] as usize) {
            value += k;
        }
        if value > steepest {
            steepest = value;
        }
    }
    (least, at, most, steepest)
}

#[func]
fn told(x: f32) -> f32 {
    assert!(x != 777.0, "{x} is refused");
    if x < 40.0 {
        println!("{x}");
    }
    0.5 * x
}

/// By a function that prints and fails.
#[kernel]
fn by_function(x: &Field<f32>) -> (f32, usize) {
    let (mut most, mut at) = (0.0, 0);
    for i in x.indices() {
        let value = told(x[i]);
        if most < value {
            most = value;
            at = i;
        }
    }
    (most, at)
}

/// Values in several orders.
fn patterns(n: usize) -> [Vec<f32>; 5] {
    let random = (0..n).map(|i| (number(i) * 1000.0).floor());
    [
        random.collect(),
        (0..n).map(|i| i as f32).collect(),
        (0..n).map(|i| (n - i) as f32).collect(),
        (0..n).map(|i| ((n - i) / 300) as f32).collect(),
        (0..n).map(|i| if i % 7 == 3 { f32::NAN } else { 5.0 }).collect(),
    ]
}

#[test]
fn along_a_line() {
    versions(|version| {
        for n in [0, 1, 7, 8, 9, 255, 256, 257, 1000, 100_003] {
            for (k, values) in patterns(n).iter().enumerate() {
                let x = Field::from_slice(&Device::cpu(), values).unwrap();
                for start in [f32::MAX, 4.5, f32::NAN] {
                    let mut expected = (start, usize::MAX);
                    for (i, x) in values.iter().enumerate() {
                        if *x < expected.0 {
                            expected = (*x, i);
                        }
                    }
                    let got = first(&x, start).unwrap();
                    assert_eq!(
                        (got.0.to_bits(), got.1),
                        (expected.0.to_bits(), expected.1),
                        "{version}, {n} of pattern {k} from {start}"
                    );
                }
                assert_eq!(
                    value_alone(&x).unwrap(),
                    least(values).0,
                    "{version}, {n} of pattern {k}"
                );
                let got = beside(&x).unwrap();
                assert_eq!((got.0, got.1), least(values), "{version}, {n} of pattern {k}");
                assert!(got.2.is_nan() || got.2 == values.iter().map(|x| f64::from(*x)).sum());
            }
        }
    });
}

fn least(values: &[f32]) -> (f32, usize) {
    let better = |best: (f32, usize), (i, x): (usize, &f32)| if *x < best.0 { (*x, i) } else { best };
    values.iter().enumerate().fold((f32::MAX, 0), better)
}

#[test]
fn along_rows() {
    versions(|version| {
        for [h, w] in [[0, 3], [1, 1], [3, 17], [40, 100], [5, 3000]] {
            let value = |i: usize, j: usize| ((i * 7919 + j * 131) % 1009) as i32 - 500;
            let byte = |i: usize, j: usize| ((i * 31 + j * 7) % 47) as u8;
            let x = Field::from_fn(&Device::cpu(), [h, w], |[i, j]| value(i, j)).unwrap();
            let y = Field::from_fn(&Device::cpu(), [h, w], |[i, j]| byte(i, j)).unwrap();
            let mut expected = (i32::MIN, [0, 0], 200, 0);
            for (i, j) in (0..h).flat_map(|i| (0..w).map(move |j| (i, j))) {
                let mut v = value(i, j) * 3;
                if v % 2 != 0 {
                    continue;
                }
                if j > 0 && i + 1 < h && byte(i + 1, j - 1) > 20 {
                    v -= 1;
                }
                if v >= expected.0 {
                    (expected.0, expected.1) = (v, [i, j]);
                }
                if j < w / 2 && expected.2 > byte(i, j) {
                    (expected.2, expected.3) = (byte(i, j), j as u32);
                }
            }
            assert_eq!(rows(&x, &y).unwrap(), expected, "{version}, {h} x {w}");
        }
    });
}

#[test]
fn failures_are_told_once() {
    let device = Device::cpu();
    let n = 5000;
    let mut divisors: Vec<i32> = (1..=n).collect();
    let mut indices: Vec<u32> = (0..n as u32).rev().collect();
    let run = |divisors: &[i32], indices: &[u32]| {
        let x = Field::from_slice(&device, divisors).unwrap();
        let k = Field::from_slice(&device, indices).unwrap();
        failing(&x, &k)
    };
    assert_eq!(run(&divisors, &indices).unwrap(), (0, 0));
    divisors[70] = 0;
    let error = run(&divisors, &indices).unwrap_err().to_string();
    assert!(
        error.contains("division by zero") || error.contains("by zero"),
        "{error}"
    );
    divisors[70] = 3;
    indices[4000] = 5000;
    let error = run(&divisors, &indices).unwrap_err().to_string();
    assert!(error.contains("[5000]") && !error.contains("more"), "{error}");

    let divide = |zero: Option<usize>, step: u32| {
        let mut values: Vec<i32> = (1..=n).collect();
        zero.iter().for_each(|k| values[*k] = 0);
        let mut steps = vec![1; n as usize];
        steps[3000] = step;
        let fields = (
            Field::from_slice(&device, &values).unwrap(),
            Field::from_slice(&device, &steps).unwrap(),
        );
        dividing(&fields.0, &fields.1)
    };
    assert_eq!(divide(None, 1).unwrap(), (0, 1000, 1000, 5006));
    for zero in [0, 70, 4999] {
        let error = divide(Some(zero), 1).unwrap_err().to_string();
        assert!(error.contains("(and 1 more failure)"), "{error}");
    }
    let error = divide(None, 0).unwrap_err().to_string();
    assert!(error.contains("step") && !error.contains("more"), "{error}");
}

#[test]
fn functions_print_and_fail_once() {
    let n = 3000;
    // Blocks in which something is taken, and such in which nothing is.
    let mut values: Vec<f32> = (0..n)
        .map(|i| ((i * 37) % 1013) as f32 + (i / 1500 * 50) as f32)
        .collect();
    values.iter_mut().filter(|x| **x == 777.0).for_each(|x| *x = 776.0);
    let run = |values: &[f32]| by_function(&Field::from_slice(&Device::cpu(), values).unwrap());
    let expected = values.iter().enumerate().fold(
        (0.0, 0),
        |best, (i, x)| {
            if best.0 < 0.5 * x { (0.5 * x, i) } else { best }
        },
    );
    let mut got = (0.0, 0);
    let texts = swathe::__rt::captured(|| got = run(&values).unwrap());
    assert_eq!(got, expected);
    let mut texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
    let mut printed: Vec<String> = values.iter().filter(|x| **x < 40.0).map(|x| format!("{x}\n")).collect();
    texts.sort();
    printed.sort();
    assert_eq!(texts, printed);
    values[1234] = 777.0;
    let error = run(&values).unwrap_err().to_string();
    assert!(error.contains("777 is refused") && !error.contains("more"), "{error}");
}

#[test]
fn plans() {
    let passed_over = |plan: swathe::Plan| {
        plan.loops()
            .iter()
            .any(|l| l.techniques.contains(&Technique::PassedOver))
    };
    assert!(passed_over(first::plan()));
    assert!(passed_over(value_alone::plan()));
    assert!(passed_over(rows::plan()));
    assert!(passed_over(by_function::plan()));
    assert!(!passed_over(beside::plan()));
    assert!(!passed_over(failing::plan()));
}
