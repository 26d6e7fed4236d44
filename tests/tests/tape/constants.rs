//! Kernels with `#[kernel(grad)]`, and copies, in a recording in which nothing of theirs varies: they do what they do elsewhere.

use ndarray::{Array1, s};
use swathe::Error;
use swathe::derivative::Tape;
use swathe::prelude::*;

use super::{axpy, devices, number, numbers, total};

#[kernel(grad)]
fn squares(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = x[i] * x[i];
    }
}

#[kernel(grad)]
fn squares_of_array(x: &Array1<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = x[i] * x[i];
    }
}

#[kernel(grad)]
fn both(a: &mut Field<f64, 2>, b: &mut Field<f64, 2>) {
    for [i, j] in a.indices() {
        a[[i, j]] *= 2.0;
    }
    for [i, j] in b.indices() {
        b[[i, j]] *= 3.0;
    }
}

#[kernel(grad)]
fn sum_of(x: &Field<f64>, weight: f64) -> f64 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += weight * x[i];
    }
    sum
}

#[kernel(grad)]
fn twice(x: f64) -> f64 {
    2.0 * x
}

#[test]
fn kernels_with_a_derivative_run_on_constants() -> swathe::Result<()> {
    for device in devices() {
        let (x, one) = (numbers(&device, 5, 1), numbers(&device, 1, 2));
        let array = Array1::from_shape_fn(5, |i| number(i, 3));
        let (mut y, mut z) = (Field::zeros(&device, 5)?, Field::zeros(&device, 5)?);
        let mut grid = Field::<f64, 2>::from_fn(&device, [4, 7], |[i, j]| number(7 * i + j, 4))?;
        let mut out = Field::zeros(&device, 5)?;
        let tape = Tape::record([x.source()], || {
            squares(&one.broadcast(5)?, &mut y)?;
            assert_eq!(y.to_vec()?, [number(0, 2).powi(2); 5]);
            squares_of_array(&array, &mut z)?;
            let (mut a, mut b) = grid.view_mut()?.split_at(1, 3)?;
            both(&mut a, &mut b)?;
            out.view_mut()?.copy_from(&one.broadcast(5)?)?;
            assert_eq!(sum_of(&one.broadcast(5)?, 2.0)?, 10.0 * number(0, 2));
            assert_eq!(twice(4.0)?, 8.0);
            // What was computed from constants is one.
            axpy(&y, &mut z, 1.0)?;
            axpy(&x, &mut out, 2.0)
        })?;
        assert_eq!(tape.len(), 1);
        for i in 0..5 {
            assert_eq!(out.get(i)?, number(0, 2) + 2.0 * number(i, 1));
            assert!((z.get(i)? - number(i, 3).powi(2) - number(0, 2).powi(2)).abs() < 1e-12);
        }
        for i in 0..4 {
            for j in 0..7 {
                let by = if j < 3 { 2.0 } else { 3.0 };
                assert_eq!(grid.get([i, j])?, by * number(7 * i + j, 4));
            }
        }
        let seed = numbers(&device, 5, 6);
        let got = tape.backward_from(&[(&out, &seed)])?.get(&x)?.to_vec()?;
        assert_eq!(got, seed.to_vec()?.iter().map(|d| 2.0 * d).collect::<Vec<_>>());
    }
    Ok(())
}

/// The error with which a recording ends.
#[track_caller]
fn refused(x: &mut Field<f64>, run: impl FnOnce(&mut Field<f64>) -> swathe::Result<()>) -> String {
    let source = x.source();
    match Tape::record([source], || run(x)) {
        Err(error @ Error::NotRecordable { .. }) => error.to_string(),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn where_one_argument_varies_all_have_to_be_fields_of_their_own() -> swathe::Result<()> {
    for device in devices() {
        let (mut x, one) = (numbers(&device, 5, 1), numbers(&device, 1, 2));
        let mut y = numbers(&device, 5, 3);
        let array = Array1::from_elem(5, 3.0);
        let text = refused(&mut x, |x| squares(&one.broadcast(5)?, x));
        assert!(
            text.contains("`squares`, whose `x` has one element at several positions"),
            "{text}"
        );
        let text = refused(&mut x, |x| squares_of_array(&array, x));
        assert!(
            text.contains("`squares_of_array`, whose `x` is an array of the host"),
            "{text}"
        );
        // What comes of a source varies, too.
        let text = refused(&mut x, |x| {
            squares(x, &mut y)?;
            squares_of_array(&array, &mut y)
        });
        assert!(text.contains("whose `x` is an array of the host"), "{text}");
        let text = refused(&mut x, |x| x.view_mut()?.copy_from(&one.broadcast(5)?));
        assert!(text.contains("at several positions"), "{text}");
        // What varies in another recording is no constant in this one.
        let mut z = numbers(&device, 5, 4);
        let text = refused(&mut x, |x| Tape::record([y.source()], || squares(x, &mut z)).map(drop));
        assert!(text.contains("another recording"), "{text}");
        let text = refused(&mut x, |x| Tape::record([y.source()], || squares(&z, x)).map(drop));
        assert!(text.contains("another recording"), "{text}");
        // Not even in a pause, to be written.
        let text = refused(&mut x, |x| {
            Tape::pause(|| Tape::record([y.source()], || squares(&z, x)).map(drop))
        });
        assert!(text.contains("another recording"), "{text}");
        // After a number that varies nothing more is written.
        let text = refused(&mut x, |x| {
            let sum = sum_of(x, 2.0)?;
            squares_of_array(&(&array * sum), &mut z)
        });
        assert!(text.contains("Field<_, 0>"), "{text}");
    }
    Ok(())
}

/// An element without size.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Nothing {}

#[kernel(grad)]
fn grow(u: &mut Field<f64, 2>, by: f64) {
    for [i, j] in u.indices() {
        u[[i, j]] = by * u[[i, j]];
    }
}

#[kernel(grad)]
fn beside(marks: &Field<Nothing>, x: &Field<f64>, out: &mut Field<f64>) {
    for i in marks.indices() {
        out[i] = 2.0 * x[i];
    }
}

#[test]
fn nothing_is_repeated_where_there_is_nothing() -> swathe::Result<()> {
    for device in devices() {
        let mut u = Field::<f64, 2>::zeros(&device, [0, 3])?;
        let tape = Tape::record([u.source()], || {
            grow(&mut u.reshape_mut([0, 5])?, 2.0)?;
            grow(&mut u.reshape_mut([5, 0])?, 2.0)?;
            // Empty parts have no element in common.
            let (mut a, mut b) = u.view_mut()?.split_at(1, 2)?;
            both(&mut a, &mut b)
        })?;
        assert_eq!(tape.len(), 3);
        let seed = Field::<f64, 2>::zeros(&device, [0, 3])?;
        let got = tape.backward_from(&[(&u, &seed)])?.get(&u)?;
        assert_eq!((got.shape(), got.to_vec()?), ([0, 3], Vec::new()));
        let mut full = Field::<f64, 2>::full(&device, [2, 3], 1.0)?;
        let tape = Tape::record([full.source()], || {
            let (mut a, mut b) = (full.view_mut()?).split_at(1, 0)?;
            both(&mut a, &mut b)
        })?;
        let seed = Field::from_fn(&device, [2, 3], |[i, j]| number(3 * i + j, 1))?;
        let got = tape.backward_from(&[(&full, &seed)])?.get(&full)?;
        assert_eq!(
            got.to_vec()?,
            seed.to_vec()?.iter().map(|d| 3.0 * d).collect::<Vec<_>>()
        );
        // Nor have elements without size.
        let marks = Field::<Nothing>::zeros(&device, 3)?;
        let (x, mut y) = (numbers(&device, 3, 1), Field::zeros(&device, 3)?);
        let mut loss = Field::zeros(&device, [])?;
        let tape = Tape::record([x.source()], || {
            beside(&marks.slice(s![..;-1])?, &x, &mut y)?;
            beside(&marks.slice(s![..1])?.broadcast(3)?, &x, &mut y)?;
            total(&y, &mut loss)
        })?;
        assert_eq!(tape.backward(&loss)?.get(&x)?.to_vec()?, [2.0; 3]);
    }
    Ok(())
}
