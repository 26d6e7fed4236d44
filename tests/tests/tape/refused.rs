//! What would become a constant, and other uses that have errors.

use std::cell::Cell;

use ndarray::s;
use swathe::Error;
use swathe::derivative::{Adjoints, Budget, Keep, Operation, Tape, value_and_gradient};
use swathe::prelude::*;

use super::{axpy, devices, number, numbers, product, square, total};

#[kernel]
fn doubled(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = 2.0 * x[i];
    }
}

#[kernel]
fn mean_kernel(x: &Field<f64>) -> f64 {
    let mut s = 0.0;
    for i in x.indices() {
        s += x[i];
    }
    s / x.len() as f64
}

fn mean(x: &Field<f64>) -> swathe::Result<f64> {
    if !Operation::is_recording() {
        return mean_kernel(x);
    }
    let mut operation = Operation::new("mean")?;
    let then = operation.input::<Field<f64>, _>("x", x, Keep::Nothing)?;
    let mean = operation.run(|| mean_kernel(x))?;
    operation.finish_with(mean, move |adjoints: &Adjoints, seed: Option<f64>| {
        let mut dx = adjoints.of(&then)?;
        doubled_in_place(&mut dx, seed.unwrap_or(0.0))
    });
    Ok(mean)
}

#[kernel]
fn doubled_in_place(x: &mut Field<f64>, by: f64) {
    for i in x.indices() {
        x[i] += by;
    }
}

/// The error with which a recording over `x` ends.
#[track_caller]
fn refused(x: &mut Field<f64>, run: impl FnOnce(&mut Field<f64>) -> swathe::Result<()>) -> String {
    let source = x.source();
    match Tape::record([source], || run(x)) {
        Err(error @ Error::NotRecordable { .. }) => error.to_string(),
        other => panic!("not refused: {other:?}"),
    }
}

/// What the host does with a field that varies and another one.
type OnHost = fn(&mut Field<f64>, &mut Field<f64>) -> swathe::Result<()>;

#[test]
fn nothing_becomes_a_constant_silently() -> swathe::Result<()> {
    for device in devices() {
        let mut x = numbers(&device, 5, 1);
        let mut out = numbers(&device, 5, 2);
        let text = refused(&mut x, |x| doubled(x, &mut out));
        assert!(
            text.starts_with("kernel `doubled`, whose `x` varies,") && text.contains("`#[kernel(grad)]`"),
            "{text}"
        );
        let text = refused(&mut x, |x| doubled(&x.view(), &mut out));
        assert!(text.contains("kernel `doubled`"), "{text}");
        // What comes of a source varies, too.
        let text = refused(&mut x, |x| {
            axpy(x, &mut out, 1.0)?;
            doubled(&numbers(&device, 5, 3), &mut out)
        });
        assert!(text.contains("whose `out` varies"), "{text}");
        let mut other = numbers(&device, 5, 4);
        let host: [OnHost; 12] = [
            |x, _| x.get(0).map(drop),
            |x, _| x.set(0, 1.0),
            |x, _| x.to_vec().map(drop),
            |x, _| x.to_ndarray().map(drop),
            |x, _| x.view().get(0).map(drop),
            |x, _| x.view_mut()?.set(0, 1.0),
            |x, _| x.max().map(drop),
            |x, _| x.cumsum().map(drop),
            |x, y| x.dot(&*y).map(drop),
            |x, y| y.assign(&*x * 2.0),
            |x, _| x.fill_uniform(1, 0.0, 1.0),
            |x, y| {
                // No error can come from there, but the recording fails.
                let _equal = x == y;
                Ok(())
            },
        ];
        for (k, host) in host.into_iter().enumerate() {
            let before = other.to_vec()?;
            let text = refused(&mut x, |x| host(x, &mut other));
            assert!(
                text.contains("varies") && text.contains("cannot be recorded"),
                "{k}: {text}"
            );
            assert_eq!(other.to_vec()?, before);
        }
        // Whoever swallows the error has no constant, either.
        assert_eq!(x.to_vec()?, numbers(&device, 5, 1).to_vec()?);
        // Fields that do not vary are as ever.
        Tape::record([x.source()], || {
            doubled(&numbers(&device, 5, 7), &mut other)?;
            other.set(0, other.get(1)?)
        })?;
    }
    Ok(())
}

#[test]
fn a_pause_reads_but_does_not_write() -> swathe::Result<()> {
    for device in devices() {
        let mut x = numbers(&device, 5, 1);
        let mut out = numbers(&device, 5, 2);
        let source = x.source();
        let tape = Tape::record([source], || {
            let first = Tape::pause(|| x.get(0))?;
            assert_eq!(first, number(0, 1));
            // `out` becomes 2 x, as a constant.
            Tape::pause(|| doubled(&x, &mut out))?;
            product(&out.try_clone()?, &x, &mut out)?;
            Ok(())
        })?;
        let gradients = tape.backward_from(&[(&out, &Field::full(&device, 5, 1.0)?)])?;
        for (i, got) in gradients.get(&x)?.to_vec()?.into_iter().enumerate() {
            assert!((got - 2.0 * number(i, 1)).abs() < 1e-12);
        }
        let text = refused(&mut x, |x| Tape::pause(|| x.set(0, 1.0)));
        assert!(text.contains("field of its own"), "{text}");
        let text = refused(&mut x, |x| Tape::pause(|| square(x)));
        assert!(text.contains("field of its own"), "{text}");
    }
    Ok(())
}

#[test]
fn nothing_follows_a_number_that_varies() -> swathe::Result<()> {
    let device = Device::cpu();
    let mut x = numbers(&device, 5, 1);
    let mut out = numbers(&device, 5, 2);
    let constant = numbers(&device, 5, 3);
    let text = refused(&mut x, |x| {
        let a = mean(x)?;
        axpy(&constant, x, a)
    });
    assert!(text.starts_with("`axpy`") && text.contains("Field<_, 0>"), "{text}");
    let text = refused(&mut x, |x| {
        let a = mean(x)?;
        out.fill(a)
    });
    assert!(text.contains("Field<_, 0>"), "{text}");
    let text = refused(&mut x, |x| {
        let a = mean(x)?;
        out.set(2, a)
    });
    assert!(text.contains("Field<_, 0>"), "{text}");
    let source = x.source();
    Tape::record([source], || {
        let a = Tape::pause(|| mean(&x))?;
        axpy(&constant, &mut x, a)
    })?;
    Ok(())
}

#[test]
fn constants_may_be_read_after_a_number_that_varies() -> swathe::Result<()> {
    for device in devices() {
        let (mut x, mut out) = (numbers(&device, 5, 1), numbers(&device, 5, 2));
        let constant = numbers(&device, 5, 3);
        let (value, gradients) = value_and_gradient([x.source()], || {
            x.sum()?;
            assert!((constant.sum()? - mean_kernel(&constant)? * 5.0).abs() < 1e-12);
            assert_eq!(mean(&constant)?, mean_kernel(&constant)?);
            assert_eq!(constant.try_clone()?, constant);
            Ok(())
        })?;
        assert!((value - x.sum()?).abs() < 1e-12);
        assert_eq!(gradients.get(&x)?.to_vec()?, [1.0; 5]);
        // What is written may be made of the number.
        for write in [
            (|out, constant| axpy(constant, out, 2.0)) as fn(&mut Field<f64>, &Field<f64>) -> _,
            |out, constant| out.copy_from(constant),
            |out, _| out.fill(1.0),
        ] {
            let text = refused(&mut x, |x| {
                x.sum()?;
                write(&mut out, &constant)
            });
            assert!(text.contains("Field<_, 0>"), "{text}");
        }
        assert_eq!(out, numbers(&device, 5, 2));
    }
    Ok(())
}

#[test]
fn operations_name_what_they_use() -> swathe::Result<()> {
    let device = Device::cpu();
    let mut x = numbers(&device, 5, 1);
    let mut out = numbers(&device, 5, 2);
    let text = refused(&mut x, |x| {
        let mut operation = Operation::new("sloppy")?;
        operation.input::<Field<f64>, _>("x", x, Keep::Nothing)?;
        operation.run(|| doubled(x, &mut out))
    });
    assert!(text.contains("`Operation::output`"), "{text}");
    // One that fails has perhaps written: also if nobody returns the error.
    let text = refused(&mut x, |x| {
        let mut operation = Operation::new("failing")?;
        operation.output::<Field<f64>, _>("x", x, Keep::Nothing)?;
        let failed: swathe::Result<()> = operation.run(|| x.get(99).map(drop));
        assert!(failed.is_err());
        Ok(())
    });
    assert!(text.starts_with("`failing`"), "{text}");
    let text = refused(&mut x, |x| {
        let mut operation = Operation::new("failing")?;
        operation.output::<Field<f64>, _>("x", x, Keep::Nothing)?;
        assert!(operation.run(|| x.get(99)).is_err());
        drop(operation);
        square(x)
    });
    assert!(text.starts_with("`failing`"), "{text}");
    // Adjoints are lent to their own operation, once at a time.
    let source = x.source();
    let tape = Tape::record([source], || {
        let mut operation = Operation::new("twice")?;
        let then = operation.output::<Field<f64>, _>("x", &mut x, Keep::Nothing)?;
        operation.run(|| Ok(()))?;
        operation.finish(move |adjoints| {
            assert!(then.value().is_err());
            let _first = adjoints.of(&then)?;
            adjoints.of(&then).map(drop)
        });
        Ok(())
    })?;
    let error = tape.backward_from(&[(&x, &numbers(&device, 5, 1))]).unwrap_err();
    assert!(error.to_string().contains("it is in use"), "{error}");
    Ok(())
}

#[test]
fn arrays_of_the_host_are_no_arguments() -> swathe::Result<()> {
    use ndarray::Array1;
    let mut x = numbers(&Device::cpu(), 5, 1);
    let text = refused(&mut x, |x| {
        let mut operation = Operation::new("mixed")?;
        operation.input::<Field<f64>, _>("x", x, Keep::Nothing)?;
        operation
            .input::<Array1<f64>, _>("array", &Array1::zeros(5), Keep::Value)
            .map(drop)
    });
    assert!(
        text.contains("`mixed`, whose `array` is an array of the host,"),
        "{text}"
    );
    Ok(())
}

#[test]
fn graphs_and_recordings_are_apart() -> swathe::Result<()> {
    let [_, cuda] = devices();
    if cuda.is_cpu() {
        return Ok(());
    }
    let mut x = numbers(&cuda, 5, 1);
    let mut y = numbers(&cuda, 5, 2);
    square(&mut y)?;
    let graph = swathe::Graph::capture(&cuda, || square(&mut y))?;
    let text = refused(&mut x, |_| graph.launch());
    assert!(text.starts_with("the launch of a graph"), "{text}");
    let text = refused(&mut x, |_| {
        std::thread::scope(|scope| scope.spawn(|| graph.launch()).join().expect("it returns"))
    });
    assert!(text.starts_with("the launch of a graph"), "{text}");
    let text = refused(&mut x, |_| swathe::Graph::capture(&cuda, || Ok(())).map(drop));
    assert!(text.starts_with("the capture of a graph"), "{text}");
    let refused = swathe::Graph::capture(&cuda, || Tape::record([], || Ok(())).map(drop)).map(drop);
    assert!(matches!(refused, Err(Error::NotCapturable { .. })));
    Ok(())
}

#[test]
fn wrong_seeds_and_sources_have_errors() -> swathe::Result<()> {
    let device = Device::cpu();
    let mut x = numbers(&device, 5, 1);
    let y = numbers(&device, 5, 2);
    let source = x.source();
    let tape = Tape::record([source], || square(&mut x))?;
    let error = tape.backward_from(&[(&x, &numbers(&device, 4, 1))]).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }), "{error}");
    let error = tape
        .backward_from(&[(&x, &Field::<f32>::zeros(&device, 5)?)])
        .unwrap_err();
    assert!(matches!(error, Error::Seed { .. }), "{error}");
    let mut gradients = tape.backward_from(&[(&x, &y)])?;
    assert!(matches!(gradients.get(&y), Err(Error::NoGradient { .. })));
    gradients.take(&x)?;
    assert!(matches!(gradients.take(&x), Err(Error::NoGradient { .. })));
    Ok(())
}

#[test]
fn recordings_nest_if_they_share_no_field() -> swathe::Result<()> {
    let device = Device::cpu();
    let mut x = numbers(&device, 5, 1);
    let mut y = numbers(&device, 5, 2);
    let mut inner_gradient = None;
    let (source_x, source_y) = (x.source(), y.source());
    let one = Field::full(&device, 5, 1.0)?;
    let outer = Tape::record([source_x], || {
        square(&mut x)?;
        let inner = Tape::record([source_y], || square(&mut y))?;
        inner_gradient = Some(Tape::pause(|| inner.backward_from(&[(&y, &one)]))?.get(&y)?);
        square(&mut x)
    })?;
    assert_eq!(outer.len(), 2);
    let got = outer.backward_from(&[(&x, &one)])?.get(&x)?.get(3)?;
    assert!((got - 4.0 * number(3, 1).powi(3)).abs() < 1e-12);
    assert_eq!(inner_gradient.map(|g| g.get(3)).transpose()?, Some(2.0 * number(3, 2)));
    // One that the outer recording follows is none of the inner one.
    let source = x.source();
    let text = refused(&mut x, |x| Tape::record([source], || square(x)).map(drop));
    assert!(text.contains("another recording"), "{text}");
    Ok(())
}

#[test]
fn other_threads_are_seen() -> swathe::Result<()> {
    let mut x = numbers(&Device::cpu(), 5, 1);
    let text = refused(&mut x, |x| {
        std::thread::scope(|scope| scope.spawn(|| x.get(0).map(drop)).join().unwrap())
    });
    assert!(text.contains("another thread"), "{text}");
    let text = refused(&mut x, |x| {
        std::thread::scope(|scope| scope.spawn(|| square(x)).join().unwrap())
    });
    assert!(text.contains("another thread"), "{text}");
    // Its own fields are as ever, and so is a pause.
    let source = x.source();
    Tape::record([source], || {
        std::thread::scope(|scope| {
            let read = || {
                Tape::pause(|| x.get(0))
                    .map(drop)
                    .and(square(&mut numbers(&Device::cpu(), 5, 2)))
            };
            scope.spawn(read).join().unwrap()
        })
    })?;
    Ok(())
}

#[test]
fn threads_record_at_once() -> swathe::Result<()> {
    let one = |salt: usize| -> swathe::Result<()> {
        for _ in 0..50 {
            let mut x = numbers(&Device::cpu(), 17, salt);
            let source = x.source();
            let tape = Tape::record([source], || (0..3).try_for_each(|_| square(&mut x)))?;
            let got = tape
                .backward_from(&[(&x, &Field::full(&Device::cpu(), 17, 1.0)?)])?
                .get(&x)?
                .get(5)?;
            let want = 8.0 * number(5, salt).powi(7);
            assert!((got - want).abs() < 1e-12 * want.max(1.0));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|salt| scope.spawn(move || one(salt))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap())
    })
}

#[test]
fn a_recording_that_ends_early_leaves_nothing_behind() -> swathe::Result<()> {
    let device = Device::cpu();
    let mut x = numbers(&device, 5, 1);
    let source = x.source();
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        drop(Tape::record([source], || {
            square(&mut x)?;
            panic!("in the middle")
        }));
    }));
    assert!(ended.is_err() && !Operation::is_recording());
    // It varies no longer.
    assert!((x.get(1)? - number(1, 1).powi(2)).abs() < 1e-15);
    let source = x.source();
    let error = Tape::record([source], || {
        square(&mut x)?;
        numbers(&device, 2, 1).get(7).map(drop)
    });
    assert!(matches!(error, Err(Error::Index { .. })));
    let mut loss = Field::<f64, 0>::zeros(&device, [])?;
    let source = x.source();
    let tape = Tape::record([source], || total(&x, &mut loss))?;
    assert_eq!(
        (tape.len(), tape.backward(&loss)?.get(&x)?.to_vec()?),
        (1, vec![1.0; 5])
    );
    // Within a recording a tape is not gone through.
    let text = refused(&mut x, |_| tape.backward(&loss).map(drop));
    assert!(text.contains("derivatives of derivatives"), "{text}");
    Ok(())
}

#[test]
fn an_element_at_several_positions_has_no_adjoint() -> swathe::Result<()> {
    for device in devices() {
        let (mut x, mut y) = (numbers(&device, 1, 3), numbers(&device, 17, 4));
        let error = refused(&mut x, |x| axpy(&x.view().broadcast([17])?, &mut y, 2.0));
        assert!(
            error.contains("`axpy`, whose `x` has one element at several positions"),
            "{error}"
        );
        let error = refused(&mut x, |x| y.view_mut()?.copy_from(&x.view().broadcast([17])?));
        assert!(error.contains("at several positions"), "{error}");
        // One position is one.
        let mut one = numbers(&device, 1, 5);
        Tape::record([x.source()], || axpy(&x.view().broadcast([1])?, &mut one, 2.0))?;
    }
    Ok(())
}

#[test]
fn steps_that_do_something_else_the_second_time_are_an_error() -> swathe::Result<()> {
    for device in devices() {
        let (mut x, calls) = (numbers(&device, 3, 1), Cell::new(0));
        let steps = Tape::steps([], &mut x, 1, Budget::states(2), |_, x: &mut Field<f64>| {
            calls.set(calls.get() + 1);
            if calls.get() == 2 {
                let mut small = Field::zeros(x.device(), 2)?;
                axpy(&x.slice(s![..2])?, &mut small, 1.0)?;
                *x = small;
            }
            Ok(())
        })?;
        let (_, of_loss) = value_and_gradient([x.source()], || x.sum().map(drop))?;
        let done = steps.backward(&mut x, &of_loss);
        assert!(matches!(done, Err(Error::State { .. })), "{done:?}");
    }
    Ok(())
}

#[test]
fn a_pause_hides_no_steps_from_a_recording() -> swathe::Result<()> {
    for device in devices() {
        let mut x = numbers(&device, 3, 1);
        let error = refused(&mut x, |x| {
            x.fill(2.0)?;
            square(x)?;
            Tape::pause(|| Tape::steps([], x, 1, Budget::states(2), |_, x: &mut Field<f64>| x.fill(5.0)).map(drop))
        });
        assert!(!error.is_empty());
    }
    Ok(())
}

#[test]
fn an_operation_that_is_finished_elsewhere_is_not_recorded() -> swathe::Result<()> {
    let device = Device::cpu();
    let (mut x, mut y) = (numbers(&device, 3, 1), numbers(&device, 3, 2));
    // Named, and not run: nothing has happened.
    let mut kept = None;
    let source = x.source();
    let tape = Tape::record([source], || {
        let mut operation = Operation::new("later")?;
        operation.output::<Field<f64>, _>("x", &mut x, Keep::Nothing)?;
        kept = Some(operation);
        Ok(())
    })?;
    assert!(tape.is_empty());
    kept.unwrap().finish(|_| panic!("it is not recorded"));
    // Run: what it has written nobody knows.
    let source = x.source();
    let told = refused(&mut y, |y| {
        let inner = Tape::record([source], || {
            let mut operation = Operation::new("elsewhere")?;
            operation.output::<Field<f64>, _>("x", &mut x, Keep::Nothing)?;
            operation.run(|| square_of(&mut x))?;
            std::thread::scope(|scope| {
                scope.spawn(|| operation.finish(|_| panic!("it is not recorded")));
            });
            Ok(())
        });
        inner.map(drop)?;
        y.fill(1.0)
    });
    assert!(told.contains("`elsewhere`"), "{told}");
    Ok(())
}

#[kernel]
fn square_of(x: &mut Field<f64>) {
    for i in x.indices() {
        x[i] = x[i] * x[i];
    }
}

#[test]
fn a_forgotten_adjoint_counts() -> swathe::Result<()> {
    for device in devices() {
        let (x, mut y) = (numbers(&device, 3, 1), numbers(&device, 3, 2));
        let tape = Tape::record([x.source()], || {
            let mut operation = Operation::new("forgetful")?;
            let of_x = operation.input::<Field<f64>, _>("x", &x, Keep::Nothing)?;
            let of_y = operation.output::<Field<f64>, _>("y", &mut y, Keep::Nothing)?;
            operation.run(|| doubled(&x, &mut y))?;
            operation.finish(move |adjoints| {
                let mut dx = adjoints.of(&of_x)?;
                axpy(&adjoints.of(&of_y)?, &mut dx, 2.0)?;
                std::mem::forget(dx);
                Ok(())
            });
            Ok(())
        })?;
        let seed = numbers(&device, 3, 3);
        let expected: Vec<f64> = seed.to_vec()?.iter().map(|d| 2.0 * d).collect();
        assert_eq!(tape.backward_from(&[(&y, &seed)])?.get(&x)?.to_vec()?, expected);
    }
    Ok(())
}

#[test]
fn an_operation_that_is_not_finished_is_hidden_by_nothing() -> swathe::Result<()> {
    for device in devices() {
        let mut x = numbers(&device, 5, 1);
        let begun = |x: &mut Field<f64>| {
            let mut operation = Operation::new("scale")?;
            operation.output::<Field<f64>, _>("x", x, Keep::Nothing)?;
            Ok::<_, Error>(operation)
        };
        let run = |x: &mut Field<f64>| {
            let mut operation = begun(x)?;
            operation.run(|| tripled(x))?;
            Ok::<_, Error>(operation)
        };
        let text = refused(&mut x, |x| {
            drop(run(x)?);
            Tape::keep(x)
        });
        assert!(text.starts_with("`scale`, which failed or was not finished"), "{text}");
        // One that has not run and is finished.
        let text = refused(&mut x, |x| {
            let other = begun(x)?;
            drop(run(x)?);
            other.finish(|_| Ok(()));
            Ok(())
        });
        assert!(text.starts_with("`scale`, which failed or was not finished"), "{text}");
    }
    Ok(())
}

#[test]
fn operations_end_before_others_run() -> swathe::Result<()> {
    for device in devices() {
        let mut x = numbers(&device, 5, 1);
        let mut y = numbers(&device, 5, 2);
        let run = |x: &mut Field<f64>| {
            let mut operation = Operation::new("scale")?;
            let then = operation.output::<Field<f64>, _>("x", x, Keep::Nothing)?;
            operation.run(|| tripled(x))?;
            Ok::<_, Error>((operation, then))
        };
        // In the order in which they run, and in the other one.
        for turned in [false, true] {
            let text = refused(&mut x, |x| {
                let mut both = [run(x)?, run(x)?];
                if turned {
                    both.reverse();
                }
                for (operation, then) in both {
                    operation.finish(move |adjoints| tripled(&mut adjoints.of(&then)?));
                }
                Ok(())
            });
            assert!(text.starts_with("`scale`"), "{text}");
        }
        // What it has written varies as soon as it has run.
        let mut z = numbers(&device, 5, 4);
        let text = refused(&mut x, |x| {
            let mut operation = Operation::new("sum")?;
            let (x_then, y_then) = (
                operation.input::<Field<f64>, _>("x", x, Keep::Nothing)?,
                operation.output::<Field<f64>, _>("y", &mut y, Keep::Nothing)?,
            );
            operation.run(|| added(x, &mut y))?;
            axpy(&y, &mut z, 2.0)?;
            operation.finish(move |adjoints| added(&adjoints.of(&y_then)?, &mut adjoints.of(&x_then)?));
            Ok(())
        });
        assert!(text.starts_with("`sum`"), "{text}");
    }
    Ok(())
}

#[kernel]
fn tripled(x: &mut Field<f64>) {
    for i in x.indices() {
        x[i] *= 3.0;
    }
}

#[kernel]
fn added(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        y[i] += x[i];
    }
}
