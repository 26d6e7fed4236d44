//! Operations one after the other: in place, overwritten, cloned, dropped.

use swathe::derivative::{Keep, Operation, Tape, value_and_gradient};
use swathe::math::Float;
use swathe::prelude::*;
use swathe::{Error, Number, Soa, Vector, bf16, f16};

use super::{SIZES, axpy, devices, number, numbers, product, square, total};

#[track_caller]
fn assert_close(got: &Field<f64>, want: impl Fn(usize) -> f64) {
    for (i, got) in got.to_vec().unwrap().into_iter().enumerate() {
        let want = want(i);
        assert!(
            (got - want).abs() <= 1e-12 * want.abs().max(1.0),
            "at {i}: {got}, not {want}"
        );
    }
}

#[test]
fn in_place_chains_have_the_derivative_of_each_state() -> swathe::Result<()> {
    for device in devices() {
        for n in SIZES {
            let mut x = numbers(&device, n, 1);
            let mut loss = Field::<f64, 0>::zeros(&device, [])?;
            let tape = Tape::record([x.source()], || {
                for _ in 0..3 {
                    square(&mut x)?;
                }
                total(&x, &mut loss)
            })?;
            assert_eq!(tape.len(), 4);
            let gradients = tape.backward(&loss)?;
            assert_close(&gradients.get(&x)?, |i| 8.0 * number(i, 1).powi(7));
            // Again, and of something else: nothing adds up.
            let again = tape.backward(&loss)?;
            assert_eq!(again.get(&x)?.to_vec()?, gradients.get(&x)?.to_vec()?);
            let seed = numbers(&device, n, 5);
            let weighted = tape.backward_from(&[(&x, &seed)])?;
            assert_close(&weighted.get(&x)?, |i| 8.0 * number(i, 1).powi(7) * number(i, 5));
        }
    }
    Ok(())
}

#[test]
fn what_happens_to_fields_later_does_not_matter() -> swathe::Result<()> {
    for device in devices() {
        let mut x = numbers(&device, 17, 1);
        let y = numbers(&device, 17, 2);
        let (source_x, source_y) = (x.source(), y.source());
        let mut out = Field::zeros(&device, 17)?;
        let mut loss = Field::<f64, 0>::zeros(&device, [])?;
        let tape = Tape::record([source_x, source_y], || {
            product(&x, &y, &mut out)?;
            x.fill(7.0)?; // the derivative of `x` ends here
            let temporary = out.try_clone()?;
            product(&x, &temporary, &mut out)?;
            drop(temporary);
            total(&out, &mut loss)
        })?;
        x.fill(100.0)?;
        drop(out);
        let gradients = tape.backward(&loss)?;
        assert_close(&gradients.get(&x)?, |i| 7.0 * number(i, 2));
        let y_was = y.to_vec()?;
        assert_close(&gradients.get(&y)?, |i| 7.0 * number(i, 1));
        assert_eq!(y.to_vec()?, y_was);
    }
    Ok(())
}

#[test]
fn only_what_is_overwritten_and_needed_is_copied() -> swathe::Result<()> {
    let device = Device::cpu();
    let mut x = numbers(&device, 1000, 1);
    let v = numbers(&device, 1000, 2);
    let mut out = Field::zeros(&device, 1000)?;
    // Who counts copies would count those of other tests, too: a field that is not copied stays where it is.
    let at = |x: &Field<f64>| x.as_slice().unwrap().as_ptr();
    let start = at(&x);
    // Outside of a recording nothing is held.
    for _ in 0..5 {
        square(&mut x)?;
        axpy(&v, &mut x, 0.5)?;
    }
    assert_eq!(at(&x), start);
    // Linear steps hold nothing, either.
    let tape = Tape::record([x.source(), v.source()], || {
        for _ in 0..5 {
            axpy(&v, &mut x, 0.5)?;
        }
        Ok(())
    })?;
    assert_eq!(at(&x), start);
    let gradients = tape.backward_from(&[(&x, &numbers(&device, 1000, 3))])?;
    assert_close(&gradients.get(&v)?, |i| 2.5 * number(i, 3));
    // An input that nobody overwrites is not copied; a state that is, once.
    let (start_v, mut places) = (at(&v), Vec::new());
    let tape = Tape::record([x.source(), v.source()], || {
        product(&x, &v, &mut out)?;
        for _ in 0..2 {
            square(&mut x)?;
            places.push(Tape::pause(|| at(&x)));
        }
        Ok(())
    })?;
    assert!(places[0] != start && places[1] != places[0] && at(&v) == start_v);
    drop(tape);
    square(&mut x)?;
    assert_eq!(at(&x), places[1]);
    Ok(())
}

#[test]
fn a_field_that_is_passed_twice_gets_both_derivatives() -> swathe::Result<()> {
    for device in devices() {
        let x = numbers(&device, 17, 1);
        let mut out = Field::zeros(&device, 17)?;
        let tape = Tape::record([x.source()], || product(&x, &x, &mut out))?;
        let gradients = tape.backward_from(&[(&out, &numbers(&device, 17, 4))])?;
        assert_close(&gradients.get(&x)?, |i| 2.0 * number(i, 1) * number(i, 4));
    }
    Ok(())
}

#[test]
fn copies_to_other_layouts_and_devices_are_recorded() -> swathe::Result<()> {
    for device in devices() {
        for other in devices() {
            let x = Field::<Vec3>::from_fn(&device, 17, |[i]| Vec3::new(i as f32, 1.0, 0.5))?;
            let mut planes = Field::zeros_in(&device, 17, Soa)?;
            let mut there = Field::<Vec3>::zeros(&other, 17)?;
            let tape = Tape::record([x.source()], || {
                planes.copy_from(&x)?;
                there.copy_from(&planes)?;
                let twice = planes.with_layout(swathe::Aos)?;
                planes.copy_from(&twice)
            })?;
            let seed = Field::<Vec3>::from_fn(&other, 17, |[i]| Vec3::new(1.0, i as f32, -3.0))?;
            let planes_seed = seed.with_layout(Soa)?;
            let gradients = tape.backward_from(&[(&there, &seed), (&planes, &planes_seed)])?;
            let got = gradients.get(&x)?;
            assert_eq!(got.device(), x.device());
            assert_eq!(got.get(16)?, Vec3::new(2.0, 32.0, -6.0));
            assert_eq!(got.get(3)?, Vec3::new(2.0, 6.0, -6.0));
        }
    }
    Ok(())
}

#[test]
fn the_number_of_the_last_kernel_has_gradients() -> swathe::Result<()> {
    for device in devices() {
        let mut x = numbers(&device, 1000, 1);
        let (value, gradients) = value_and_gradient([x.source()], || {
            square(&mut x)?;
            x.sum().map(drop)
        })?;
        let want: f64 = (0..1000).map(|i| number(i, 1).powi(2)).sum();
        assert!((value - want).abs() < 1e-9 * want);
        assert_close(&gradients.get(&x)?, |i| 2.0 * number(i, 1));
    }
    Ok(())
}

/// A square that the host takes has the value of its root at 0 and 1, but not its derivative.
#[test]
fn what_the_host_makes_of_the_number_is_no_value() -> swathe::Result<()> {
    for device in devices() {
        for (of, s) in [
            ([0.25, 0.5, 0.25], 1.0),
            ([0.25, -0.5, 0.25], 0.0),
            ([1.0, 2.0, 4.0], 7.0),
        ] {
            let x = Field::from_slice(&device, &of)?;
            let mut on_host = [0.0; 3];
            let (value, gradients) = value_and_gradient([x.source()], || {
                let s = x.sum()?;
                on_host = [s, s * s, 2.0 * s];
                Ok(())
            })?;
            assert_eq!((value, on_host), (s, [s, s * s, 2.0 * s]));
            assert_eq!(gradients.get(&x)?.to_vec()?, [1.0; 3]);
        }
    }
    Ok(())
}

#[test]
fn numbers_of_all_floats_have_gradients() -> swathe::Result<()> {
    fn of<T: Float + Number>(device: &Device, of: impl Fn(f32) -> T) -> swathe::Result<()> {
        let x = Field::from_slice(device, &[1.5, -2.0, 0.125].map(of))?;
        let (value, gradients) = value_and_gradient([x.source()], || x.sum().map(drop))?;
        assert_eq!((value, gradients.get(&x)?.to_vec()?), (-0.375, vec![T::ONE; 3]));
        Ok(())
    }
    for device in devices() {
        of(&device, |x| x)?;
        of(&device, f64::from)?;
        of(&device, f16::from_f32)?;
        of(&device, bf16::from_f32)?;
    }
    Ok(())
}

#[test]
fn there_is_one_number() -> swathe::Result<()> {
    for device in devices() {
        let (x, y) = (numbers(&device, 17, 1), numbers(&device, 17, 2));
        let error = |run: &dyn Fn() -> swathe::Result<()>| match value_and_gradient([x.source()], run) {
            Err(error @ Error::NotRecordable { .. }) => error.to_string(),
            other => panic!("not refused: {other:?}"),
        };
        let none = "the value of `value_and_gradient` cannot be recorded on a tape: no recorded kernel has";
        let text = error(&|| Ok(()));
        assert!(text.starts_with(none), "{text}");
        // What does not vary, and what is meant as a constant, is not recorded.
        let text = error(&|| y.sum().map(drop));
        assert!(text.starts_with(none), "{text}");
        let text = error(&|| Tape::pause(|| x.sum()).map(drop));
        assert!(text.starts_with(none), "{text}");
        // A loss in a field.
        let text = error(&|| total(&x, &mut Field::zeros(&device, [])?));
        assert!(
            text.starts_with(none) && text.contains("`Tape::record` and `backward`"),
            "{text}"
        );
        let text = error(&|| {
            x.sum()?;
            x.sum().map(drop)
        });
        assert!(text.starts_with("`sum`") && text.contains("Field<_, 0>"), "{text}");
        let text = error(&|| mean_and_sum(&x).map(drop));
        assert!(
            text.contains("the last kernel has returned more than one number"),
            "{text}"
        );
    }
    Ok(())
}

/// Its way back is asked for in vain.
fn mean_and_sum(x: &Field<f64>) -> swathe::Result<Vector<f64, 2>> {
    let mut operation = Operation::new("mean_and_sum")?;
    operation.input::<Field<f64>, _>("x", x, Keep::Nothing)?;
    let sum = operation.run(|| x.sum())?;
    let both = Vector::from_array([sum / x.len() as f64, sum]);
    operation.finish_with(both, |_, _| unreachable!("it has no number"));
    Ok(both)
}

#[test]
fn nan_flows_and_zeros_do_not() -> swathe::Result<()> {
    let device = Device::cpu();
    let mut x = Field::from_slice(&device, &[1.0, f64::NAN, 3.0])?;
    let unused = numbers(&device, 5, 1);
    let mut loss = Field::<f64, 0>::zeros(&device, [])?;
    let other = Field::<f64, 0>::zeros(&device, [])?;
    let tape = Tape::record([x.source(), unused.source()], || {
        square(&mut x)?;
        total(&x, &mut loss)
    })?;
    let gradients = tape.backward(&loss)?;
    let got = gradients.get(&x)?.to_vec()?;
    assert!(got[0] == 2.0 && got[1].is_nan() && got[2] == 6.0, "{got:?}");
    assert_eq!(gradients.get(&unused)?.to_vec()?, [0.0; 5]);
    // A loss that depends on nothing.
    assert_eq!(tape.backward(&other)?.get(&x)?.to_vec()?, [0.0; 3]);
    Ok(())
}

#[test]
fn intermediate_adjoints_are_kept_where_they_are_asked_for() -> swathe::Result<()> {
    for device in devices() {
        let x = numbers(&device, 3, 1);
        let mut y = Field::zeros(&device, 3)?;
        let mut loss = Field::<f64, 0>::zeros(&device, [])?;
        let tape = Tape::record([x.source()], || {
            product(&x, &x, &mut y)?;
            Tape::keep(&y)?;
            square(&mut y)?;
            total(&y, &mut loss)
        })?;
        let gradients = tape.backward(&loss)?;
        assert_close(&gradients.kept(&y)?, |i| 2.0 * number(i, 1).powi(2));
        assert_close(&gradients.get(&x)?, |i| 4.0 * number(i, 1).powi(3));
        assert!(gradients.kept(&x).is_err());
    }
    Ok(())
}
