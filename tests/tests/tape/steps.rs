//! Tapes of steps, differences, optimisers.

use swathe::derivative::{Adam, Budget, Sgd, Tape, gradcheck, value_and_gradient};
use swathe::prelude::*;
use swathe::{Error, Soa, Tolerance};

use super::{axpy, devices, number, numbers, product, square, total};

type State = (Field<f64>, Field<f64>);

/// `v = x * x; x += 0.01 * (force - v)`, and the two change places at every third step.
fn step(k: usize, (x, v): &mut State, force: &Field<f64>) -> swathe::Result<()> {
    product(x, x, v)?;
    axpy(force, x, 0.01)?;
    axpy(v, x, -0.01)?;
    if k % 3 == 2 {
        std::mem::swap(x, v);
        square(x)?;
    }
    Ok(())
}

fn states(device: &Device, n: usize) -> State {
    // Squares of smaller numbers stay below 1.
    let small = |salt| Field::from_fn(device, n, |[i]| 0.6 * number(i, salt)).unwrap();
    (small(1), small(2))
}

#[test]
fn few_states_give_the_gradients_of_all_of_them() -> swathe::Result<()> {
    for device in devices() {
        for count in [1, 2, 3, 10, 31] {
            let force = numbers(&device, 17, 3);
            let mut all = states(&device, 17);
            let (x, v) = (all.0.source(), all.1.source());
            let (start_x, start_v) = (all.0.id(), all.1.id());
            let tape = Tape::record([x, v, force.source()], || {
                (0..count).try_for_each(|k| step(k, &mut all, &force))
            })?;
            let (seed, other) = (numbers(&device, 17, 5), numbers(&device, 17, 6));
            let want = tape.backward_from(&[(&all.0, &seed), (&all.1, &other)])?;
            let of_id = |id| if all.0.id() == id { &all.0 } else { &all.1 };
            let want = [of_id(start_x), of_id(start_v), &force].map(|field| want.get(field).and_then(|g| g.to_vec()));
            let [want_x, want_v, want_force] = want;
            let end = (all.0.to_vec()?, all.1.to_vec()?);
            for budget in [
                Budget::states(2),
                Budget::states(3),
                Budget::states(4),
                Budget::bytes(1 << 20),
                Budget::bytes(0),
            ] {
                let mut few = states(&device, 17);
                let steps = Tape::steps([force.source()], &mut few, count, budget, |k, state: &mut State| {
                    step(k, state, &force)
                })?;
                assert_eq!((few.0.to_vec()?, few.1.to_vec()?), end);
                let mut loss = Field::<f64, 0>::zeros(&device, [])?;
                let (mut a, mut b) = (Field::zeros(&device, 17)?, Field::zeros(&device, 17)?);
                let of_loss = Tape::record([few.0.source(), few.1.source()], || {
                    product(&few.0, &seed, &mut a)?;
                    product(&few.1, &other, &mut b)?;
                    axpy(&b, &mut a, 1.0)?;
                    total(&a, &mut loss)
                })?
                .backward(&loss)?;
                for _ in 0..2 {
                    let got = steps.backward(&mut few, &of_loss)?;
                    assert_eq!((few.0.to_vec()?, few.1.to_vec()?), end);
                    assert_eq!(
                        got.get(&force)?.to_vec()?,
                        *want_force.as_ref().unwrap(),
                        "{count} {budget:?}"
                    );
                    assert_eq!(got.get(&few.0)?.to_vec()?, *want_x.as_ref().unwrap());
                    assert_eq!(got.get(&few.1)?.to_vec()?, *want_v.as_ref().unwrap());
                }
            }
        }
    }
    Ok(())
}

#[test]
fn as_many_steps_are_run_again_as_revolve_runs() -> swathe::Result<()> {
    let device = Device::cpu();
    // Griewank and Walther: `r l - C(s + r, r - 1)` runs, `l - 1` of them on the way to the end. The state in front of the last step is one more.
    for (count, states, runs) in [(10, 3, 15), (56, 5, 140), (20, 1, 190), (15, 15, 14)] {
        let mut x = numbers(&device, 3, 1);
        let steps = Tape::steps([], &mut x, count, Budget::states(states + 1), |_, x| {
            axpy(&numbers(&device, 3, 2), x, 0.5)
        })?;
        let (_, of_loss) = value_and_gradient([x.source()], || x.sum().map(drop))?;
        let (gradients, again) = steps.counted(&mut x, &of_loss)?;
        assert_eq!(again + count - 1, runs, "{count} steps, {states} states");
        assert_eq!(gradients.get(&x)?.to_vec()?, [1.0; 3]);
    }
    Ok(())
}

#[test]
fn steps_write_to_their_state_alone() -> swathe::Result<()> {
    let device = Device::cpu();
    let mut x = numbers(&device, 3, 1);
    let other = std::cell::RefCell::new(numbers(&device, 3, 2));
    let error = Tape::steps([], &mut x, 5, Budget::states(2), |_, x: &mut Field<f64>| {
        axpy(x, &mut *other.borrow_mut(), 0.5)
    })
    .map(drop)
    .unwrap_err();
    assert!(error.to_string().contains("add the field to the state"), "{error}");
    let error = Tape::steps([], &mut x, 5, Budget::states(2), |_, _: &mut Field<f64>| {
        other.borrow_mut().set(0, 1.0)
    });
    assert!(
        error
            .map(drop)
            .unwrap_err()
            .to_string()
            .contains("add the field to the state")
    );
    // Of another shape, the state is not the one that it was.
    let steps = Tape::steps([], &mut x, 2, Budget::states(2), |_, x: &mut Field<f64>| square(x))?;
    let (_, of_loss) = value_and_gradient([x.source()], || x.sum().map(drop))?;
    let error = steps
        .backward(&mut numbers(&device, 4, 1), &of_loss)
        .map(drop)
        .unwrap_err();
    assert!(matches!(error, Error::State { .. }), "{error}");
    Ok(())
}

#[test]
fn differences_find_wrong_derivatives() -> swathe::Result<()> {
    for device in devices() {
        let mut state = states(&device, 3);
        let before = (state.0.to_vec()?, state.1.to_vec()?);
        gradcheck(&mut state, Tolerance::default(), |(x, v)| {
            let mut loss = Field::<f64, 0>::zeros(&device, [])?;
            square(x)?;
            let mut out = Field::zeros(&device, 3)?;
            product(x, v, &mut out)?;
            total(&out, &mut loss)?;
            Ok(loss)
        })?;
        assert_eq!((state.0.to_vec()?, state.1.to_vec()?), before);
        let error = gradcheck(&mut state, Tolerance::default(), |(x, v)| {
            let mut loss = Field::<f64, 0>::zeros(&device, [])?;
            let constant = Tape::pause(|| x.try_clone())?;
            let mut out = Field::zeros(&device, 3)?;
            product(&constant, v, &mut out)?;
            total(&out, &mut loss)?;
            Ok(loss)
        })
        .unwrap_err();
        let Error::GradientCheck { checked, failures } = &error else {
            panic!("{error}")
        };
        assert_eq!((*checked, failures.len()), (6, 3));
        assert!(
            failures[1].starts_with("field 0, element [1]: derivative 0.0, difference"),
            "{error}"
        );
    }
    Ok(())
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Knob {
    a: f32,
    n: u32,
    b: [f64; 2],
    c: Vec3,
}

#[test]
fn optimisers_change_all_floats_of_elements() -> swathe::Result<()> {
    fn knobs(device: &Device, salt: usize) -> Field<Knob> {
        let knob = |i: usize| Knob {
            a: number(i, salt) as f32,
            n: i as u32,
            b: [number(i, salt + 1), number(i, salt + 2)],
            c: Vec3::new(number(i, salt + 3) as f32, i as f32, -1.0),
        };
        Field::from_fn(device, 17, |[i]| knob(i)).unwrap()
    }
    for device in devices() {
        let (mut x, g) = (knobs(&device, 1), knobs(&device, 9));
        let mut planes = x.with_layout(Soa)?;
        let (mut sgd, mut adam) = (Sgd::new(0.5).momentum(0.25), Adam::new(0.125));
        let mut by_adam = x.try_clone()?;
        for _ in 0..2 {
            sgd.step(&mut x, &g)?;
            sgd.step(&mut planes, &g.with_layout(Soa)?)?;
            adam.step(&mut by_adam, &g)?;
        }
        assert_eq!(planes.with_layout(swathe::Aos)?.to_vec()?, x.to_vec()?);
        let (start, moved, adapted) = (knobs(&device, 1), x.to_vec()?, by_adam.to_vec()?);
        for (i, (moved, adapted)) in moved.into_iter().zip(adapted).enumerate() {
            let (x, g) = (start.get(i)?, g.get(i)?);
            let close = |got: f64, want: f64, bound: f64| assert!((got - want).abs() < bound, "{i}: {got}, not {want}");
            assert_eq!((moved.n, adapted.n), (x.n, x.n));
            // Steps of g and 1.25 g.
            close(moved.b[1], x.b[1] - 0.5 * 2.25 * g.b[1], 1e-12);
            close(f64::from(moved.c.y), f64::from(x.c.y - 0.5 * 2.25 * g.c.y), 1e-4);
            close(f64::from(moved.a), f64::from(x.a) - 0.5 * 2.25 * f64::from(g.a), 1e-6);
            // The gradient is the same each time: so are the steps.
            close(adapted.b[0], x.b[0] - 0.25, 1e-6);
            close(f64::from(adapted.c.z), f64::from(x.c.z) + 0.25, 1e-5);
        }
        let error = sgd.step(&mut x, &Field::zeros(&device, 3)?).unwrap_err();
        assert!(matches!(error, Error::Shape { .. }));
    }
    Ok(())
}

#[test]
fn a_fit_converges() -> swathe::Result<()> {
    for device in devices() {
        let target = numbers(&device, 17, 3);
        let mut x = Field::full(&device, 17, 1.0)?;
        let (mut difference, mut squares) = (Field::zeros(&device, 17)?, Field::zeros(&device, 17)?);
        let mut adam = Adam::new(0.05);
        let mut last = f64::INFINITY;
        for _ in 0..400 {
            let (loss, gradients) = value_and_gradient([x.source()], || {
                difference.copy_from(&x)?;
                axpy(&target, &mut difference, -1.0)?;
                product(&difference, &difference, &mut squares)?;
                squares.sum().map(drop)
            })?;
            let gradient = gradients.get(&x)?;
            adam.step(&mut x, &gradient)?;
            last = loss;
        }
        assert!(last < 1e-6, "{last}");
    }
    Ok(())
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Flagged {
    x: f32,
    count: i32,
    flag: bool,
}

/// Two fields of one type that need as much memory, and are visited in another order from a visit on.
struct Turning {
    a: Field<Flagged, 1, Soa>,
    b: Field<Flagged, 1, Soa>,
    visits: u32,
    from: u32,
}

impl swathe::derivative::State for Turning {
    fn fields(&mut self, visit: &mut dyn FnMut(swathe::derivative::StateField<'_>)) {
        self.visits += 1;
        if self.visits < self.from {
            self.a.fields(visit);
            self.b.fields(visit);
        } else {
            self.b.fields(visit);
            self.a.fields(visit);
        }
    }
}

#[test]
fn a_state_that_turns_its_order_gives_no_elements_that_nobody_wrote() -> swathe::Result<()> {
    for device in devices() {
        for from in 1..12 {
            let new = |n: usize| {
                let one = Flagged {
                    x: 1.0,
                    count: 7,
                    flag: true,
                };
                Field::from_slice(&device, &vec![one; n])?.with_layout(Soa)
            };
            let mut state = Turning {
                a: new(1)?,
                b: new(64)?,
                visits: 0,
                from: u32::MAX,
            };
            let steps = Tape::steps([], &mut state, 0, swathe::derivative::Budget::states(2), |_, _| Ok(()))?;
            let tape = Tape::record(swathe::derivative::State::sources(&mut state), || Ok(()))?;
            let of_loss = tape.backward_from(&[(&state.a, &new(1)?), (&state.b, &new(64)?)])?;
            (state.visits, state.from) = (0, from);
            // Integers of a derivative are 0, whatever the seed has there.
            let zero = |e: &Flagged| e.count == 0 && !e.flag && [0.0, 1.0].contains(&e.x);
            if let Ok(gradients) = steps.backward(&mut state, &of_loss) {
                assert!(gradients.get(&state.b)?.to_vec()?.iter().all(zero), "{from}");
            }
            if let Ok(of_b) = of_loss.get(&state.b) {
                assert!(of_b.to_vec()?.iter().all(zero), "{from}");
            }
        }
    }
    Ok(())
}
