//! A field that is named twice: as a source, in a state, to be kept.

use swathe::derivative::{Budget, State, StateField, Tape, gradcheck, value_and_gradient};
use swathe::prelude::*;
use swathe::{Error, Tolerance};

use super::{SIZES, axpy, devices, number, numbers, product, square, total};

/// `sum(w * w * v)` and its derivatives, with these sources.
fn gradients(
    w: &Field<f64>,
    v: &Field<f64>,
    sources: Vec<swathe::derivative::Source>,
) -> swathe::Result<swathe::derivative::Gradients> {
    let mut out = Field::zeros(w.device(), w.len())?;
    let mut loss = Field::zeros(w.device(), [])?;
    let tape = Tape::record(sources, || {
        product(w, w, &mut out)?;
        product(&out.try_clone()?, v, &mut out)?;
        total(&out, &mut loss)
    })?;
    tape.backward(&loss)
}

#[test]
fn sources_are_a_set() -> swathe::Result<()> {
    for device in devices() {
        for n in SIZES {
            let (w, v) = (numbers(&device, n, 1), numbers(&device, n, 2));
            let sources = vec![w.source(), v.source(), w.source(), w.source(), v.source()];
            let mut found = gradients(&w, &v, sources)?;
            let (of_w, of_v) = (found.get(&w)?.to_vec()?, found.take(&v)?.to_vec()?);
            for i in 0..n {
                let (w, v) = (number(i, 1), number(i, 2));
                assert!((of_w[i] - 2.0 * w * v).abs() < 1e-12, "{i} of {n}: {}", of_w[i]);
                assert!((of_v[i] - w * w).abs() < 1e-12, "{i} of {n}: {}", of_v[i]);
            }
            assert!(matches!(found.take(&v), Err(Error::NoGradient { .. })));
            let (_, found) = value_and_gradient([v.source(), v.source()], || v.sum().map(drop))?;
            assert_eq!(found.get(&v)?.to_vec()?, vec![1.0; n]);
        }
    }
    Ok(())
}

/// `x *= w`, each time.
fn grow(x: &mut Field<f64>, w: &Field<f64>) -> swathe::Result<()> {
    product(&x.try_clone()?, w, x)
}

#[test]
fn so_are_the_sources_of_steps_and_of_their_loss() -> swathe::Result<()> {
    for device in devices() {
        for n in [1, 3, 17] {
            let w = numbers(&device, n, 1);
            let mut x = numbers(&device, n, 2);
            // The state is a source in any case.
            let sources = [w.source(), x.source(), w.source()];
            let steps = Tape::steps(sources, &mut x, 5, Budget::states(3), |_, x| grow(x, &w))?;
            let (mut out, mut loss) = (Field::zeros(&device, n)?, Field::zeros(&device, [])?);
            let of_loss = Tape::record([w.source(), x.source(), x.source(), w.source()], || {
                product(&x, &w, &mut out)?;
                total(&out, &mut loss)
            })?
            .backward(&loss)?;
            let found = steps.backward(&mut x, &of_loss)?;
            let (of_w, of_x) = (found.get(&w)?.to_vec()?, found.get(&x)?.to_vec()?);
            for i in 0..n {
                // Of `w^6 x`.
                let (w, x) = (number(i, 1), number(i, 2));
                let want = 6.0 * w.powi(5) * x;
                assert!(
                    (of_w[i] - want).abs() < 1e-12 * want.max(1.0),
                    "{i}: {}, not {want}",
                    of_w[i]
                );
                let want = w.powi(6);
                assert!(
                    (of_x[i] - want).abs() < 1e-12 * want.max(1.0),
                    "{i}: {}, not {want}",
                    of_x[i]
                );
            }
        }
    }
    Ok(())
}

/// Which of its two fields a state shows, in their order.
struct Shown {
    fields: (Field<f64>, Field<f64>),
    order: &'static [usize],
}

impl State for Shown {
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
        for k in self.order {
            match k {
                0 => self.fields.0.fields(visit),
                _ => self.fields.1.fields(visit),
            }
        }
    }
}

impl Shown {
    fn new(device: &Device, n: usize, order: &'static [usize]) -> Shown {
        let small = |salt| Field::from_fn(device, n, |[i]| 0.6 * number(i, salt)).unwrap();
        Shown {
            fields: (small(1), small(2)),
            order,
        }
    }
}

/// `v *= x; x += 0.01 * (force - v)`, and the two change places at every third step.
fn step(k: usize, (x, v): &mut (Field<f64>, Field<f64>), force: &Field<f64>) -> swathe::Result<()> {
    product(x, &v.try_clone()?, v)?;
    axpy(force, x, 0.01)?;
    axpy(v, x, -0.01)?;
    if k % 3 == 2 {
        std::mem::swap(x, v);
        square(x)?;
    }
    Ok(())
}

/// What the way back over some steps finds for the force and for the fields of the state, which has its fields in their places again.
fn over_steps(device: &Device, order: &'static [usize], count: usize) -> swathe::Result<[Vec<f64>; 3]> {
    let n = 17;
    let force = numbers(device, n, 3);
    let mut state = Shown::new(device, n, order);
    let ids = (state.fields.0.id(), state.fields.1.id());
    let steps = Tape::steps(
        [force.source()],
        &mut state,
        count,
        Budget::states(3),
        |k, state: &mut Shown| step(k, &mut state.fields, &force),
    )?;
    let (mut sum, mut loss) = (Field::zeros(device, n)?, Field::zeros(device, [])?);
    let of_loss = Tape::record(state.sources(), || {
        product(&state.fields.0, &numbers(device, n, 5), &mut sum)?;
        axpy(&state.fields.1, &mut sum, 3.0)?;
        total(&sum, &mut loss)
    })?
    .backward(&loss)?;
    let found = steps.backward(&mut state, &of_loss)?;
    // As after the steps.
    let swapped = (count / 3) % 2 == 1;
    let now = (state.fields.0.id(), state.fields.1.id());
    assert_eq!(
        now,
        if swapped { (ids.1, ids.0) } else { ids },
        "{order:?}, {count} steps"
    );
    Ok([
        found.get(&force)?.to_vec()?,
        found.get(&state.fields.0)?.to_vec()?,
        found.get(&state.fields.1)?.to_vec()?,
    ])
}

#[test]
fn a_state_may_show_a_field_twice() -> swathe::Result<()> {
    for device in devices() {
        for count in [1, 3, 4, 7] {
            let once = over_steps(&device, &[0, 1], count)?;
            assert!(once.iter().flatten().all(|d| *d != 0.0));
            for order in [&[0, 1, 0][..], &[0, 0, 1], &[0, 1, 1, 0, 1]] {
                let twice = over_steps(&device, order, count)?;
                assert_eq!(twice, once, "{order:?}, {count} steps");
            }
        }
        // Each number is checked once.
        let mut state = Shown::new(&device, 3, &[1, 1, 0, 1]);
        assert_eq!(state.sources().len(), 2);
        let constant = |state: &mut Shown| {
            let (mut loss, mut out) = (Field::zeros(&device, [])?, Field::zeros(&device, 3)?);
            let constant = Tape::pause(|| state.fields.1.try_clone())?;
            product(&constant, &state.fields.0, &mut out)?;
            total(&out, &mut loss)?;
            Ok(loss)
        };
        let error = gradcheck(&mut state, Tolerance::default(), constant).unwrap_err();
        let Error::GradientCheck { checked, failures } = &error else {
            panic!("{error}")
        };
        assert_eq!((*checked, failures.len()), (6, 3), "{error}");
        gradcheck(&mut state, Tolerance::default(), |state| {
            let (mut loss, mut out) = (Field::zeros(&device, [])?, Field::zeros(&device, 3)?);
            square(&mut state.fields.1)?;
            product(&state.fields.0, &state.fields.1, &mut out)?;
            total(&out, &mut loss)?;
            Ok(loss)
        })?;
    }
    Ok(())
}

#[test]
fn of_several_points_the_first_is_kept() -> swathe::Result<()> {
    for device in devices() {
        for n in [1, 3, 17] {
            let w = numbers(&device, n, 1);
            let run = |early: bool, keep: &[usize; 3]| -> swathe::Result<Vec<f64>> {
                let (mut y, mut loss) = (Field::full(&device, n, 1.0)?, Field::zeros(&device, [])?);
                let tape = Tape::record([w.source()], || {
                    // y is w, w^2, w^3.
                    for (k, times) in keep.iter().enumerate() {
                        grow(&mut y, &w)?;
                        for _ in 0..*times {
                            Tape::keep(&y)?;
                        }
                        if k == 0 && early {
                            total(&y, &mut loss)?;
                        }
                    }
                    if !early { total(&y, &mut loss) } else { Ok(()) }
                })?;
                let found = tape.backward(&loss)?;
                assert!(found.get(&w)?.to_vec()?.iter().all(|d| *d != 0.0));
                // As often as one likes, from each way back.
                let again = tape.backward(&loss)?.kept(&y)?.to_vec()?;
                let kept = found.kept(&y)?.to_vec()?;
                assert_eq!(kept, again);
                Ok(kept)
            };
            let powers = |exponent: i32| (0..n).map(|i| number(i, 1).powi(exponent)).collect::<Vec<f64>>();
            let close = |got: Vec<f64>, want: Vec<f64>| {
                for (got, want) in got.iter().zip(&want) {
                    assert!((got - want).abs() < 1e-12, "{got}, not {want}");
                }
            };
            for (keep, left) in [
                ([1, 0, 0], 2),
                ([2, 0, 0], 2),
                ([1, 3, 1], 2),
                ([0, 2, 1], 1),
                ([0, 0, 3], 0),
            ] {
                close(run(false, &keep)?, powers(left));
            }
            // What comes later has no influence: 0 at a later point.
            close(run(true, &[2, 1, 0])?, powers(0));
            close(run(true, &[0, 2, 0])?, vec![0.0; n]);
        }
    }
    Ok(())
}
