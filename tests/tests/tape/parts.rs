//! Views, members, offset fields and structures of arrays as arguments of what is recorded.

use ndarray::s;
use swathe::derivative::Tape;
use swathe::prelude::*;
use swathe::{Error, Soa};

use super::{axpy, devices, number, numbers, product, square, total};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Body {
    mass: f64,
    kind: u16,
    charge: f64,
    pos: Vec3,
}

fn body(i: usize) -> Body {
    Body {
        mass: number(i, 1),
        kind: i as u16,
        charge: number(i, 2),
        pos: Vec3::splat(i as f32),
    }
}

#[test]
fn members_have_their_derivative_in_that_member() -> swathe::Result<()> {
    for device in devices() {
        for n in [0, 1, 3, 17, 130] {
            let bodies = Field::<Body>::from_fn(&device, n, |[i]| body(i))?;
            members(bodies.try_clone()?)?;
            members(bodies.with_layout(Soa)?)?;
        }
    }
    Ok(())
}

fn members<L: swathe::FieldLayout>(mut bodies: Field<Body, 1, L>) -> swathe::Result<()> {
    let (device, n) = (bodies.device().clone(), bodies.len());
    let mut out = Field::zeros(&device, n)?;
    let source = bodies.source();
    let tape = Tape::record([source], || {
        product(
            &bodies.member::<f64>("mass")?,
            &bodies.member::<f64>("charge")?,
            &mut out,
        )?;
        square(&mut bodies.member_mut::<f64>("charge")?)?;
        axpy(&bodies.member::<f64>("charge")?.view(), &mut out, 3.0)
    })?;
    let gradients = tape.backward_from(&[(&out, &numbers(&device, n, 9))])?;
    let got: Field<Body, 1, L> = gradients.get(&bodies)?;
    for i in 0..n {
        let (was, d) = (body(i), number(i, 9));
        let want = Body {
            mass: was.charge * d,
            kind: 0,
            charge: was.mass * d + 3.0 * 2.0 * was.charge * d,
            pos: Vec3::ZERO,
        };
        let got = got.get(i)?;
        assert!((got.charge - want.charge).abs() < 1e-12, "{got:?}, not {want:?}");
        assert_eq!(Body { charge: 0.0, ..got }, Body { charge: 0.0, ..want });
    }
    Ok(())
}

#[kernel]
fn shifted_kernel(u: &OffsetField<f64>, out: &mut OffsetField<f64>) {
    for i in out.indices() {
        out[i] = u[i - 1] * u[i + 1];
    }
}

#[kernel]
fn shifted_back(u: &OffsetField<f64>, du: &mut OffsetField<f64>, dout: &mut OffsetField<f64>) {
    for i in dout.indices() {
        du[i - 1].atomic_add(u[i + 1] * dout[i]);
        du[i + 1].atomic_add(u[i - 1] * dout[i]);
    }
    for i in dout.indices() {
        dout[i] = 0.0;
    }
}

#[test]
fn offset_fields_keep_their_origin() -> swathe::Result<()> {
    use swathe::derivative::{Keep, Operation};
    for device in devices() {
        let u = numbers(&device, 9, 1).with_origin(-1)?;
        let mut out = Field::<f64>::zeros(&device, 7)?.with_origin(0)?;
        let tape = Tape::record([u.source()], || {
            let mut operation = Operation::new("shifted")?;
            let u_then = operation.input("u", &u, Keep::Value)?;
            let out_then = operation.output("out", &mut out, Keep::Nothing)?;
            operation.run(|| shifted_kernel(&u, &mut out))?;
            operation.finish(move |adjoints| {
                shifted_back(
                    u_then.value()?,
                    &mut adjoints.of(&u_then)?,
                    &mut adjoints.of(&out_then)?,
                )
            });
            Ok(())
        })?;
        let seed = numbers(&device, 7, 4).with_origin(0)?;
        let got = tape.backward_from(&[(&out, &seed)])?.get(u.field())?.to_vec()?;
        for (j, got) in got.into_iter().enumerate() {
            // `out[i]` has `u` at `i` and `i + 2`, both from 0.
            let behind = if j < 7 { number(j + 2, 1) * number(j, 4) } else { 0.0 };
            let before = if j >= 2 {
                number(j - 2, 1) * number(j - 2, 4)
            } else {
                0.0
            };
            assert!((got - behind - before).abs() < 1e-12, "at {j}");
        }
    }
    Ok(())
}

#[test]
fn slices_of_one_field_work_on_parts_of_one_adjoint() -> swathe::Result<()> {
    for device in devices() {
        let n = 18;
        let mut x = numbers(&device, n, 1);
        let mut loss = Field::<f64, 0>::zeros(&device, [])?;
        let source = x.source();
        // x[9..] += 2 x[..9]; x[::2] squared; x backwards times x
        let mut out = Field::zeros(&device, n)?;
        let tape = Tape::record([source], || {
            {
                let (first, mut second) = x.split_at_mut(0, 9)?;
                axpy(&first, &mut second, 2.0)?;
            }
            square(&mut x.slice_mut(s![..;2])?)?;
            product(&x.slice(s![..;-1])?, &x, &mut out)?;
            total(&out.slice(s![1..])?, &mut loss)
        })?;
        let gradients = tape.backward(&loss)?;
        let run = |x: &[f64]| {
            let mut x = x.to_vec();
            for i in 9..n {
                x[i] += 2.0 * x[i - 9];
            }
            for i in (0..n).step_by(2) {
                x[i] *= x[i];
            }
            (1..n).map(|i| x[n - 1 - i] * x[i]).sum::<f64>()
        };
        let start: Vec<f64> = (0..n).map(|i| number(i, 1)).collect();
        let got = gradients.get(&x)?.to_vec()?;
        for i in 0..n {
            let (mut above, mut below) = (start.clone(), start.clone());
            above[i] += 1e-6;
            below[i] -= 1e-6;
            let want = (run(&above) - run(&below)) / 2e-6;
            assert!(
                (got[i] - want).abs() < 1e-6 * want.abs().max(1.0),
                "at {i}: {}, not {want}",
                got[i]
            );
        }
    }
    Ok(())
}

#[test]
fn fills_and_copies_of_parts_are_recorded() -> swathe::Result<()> {
    for device in devices() {
        let mut x = numbers(&device, 7, 1);
        let source = x.source();
        let tape = Tape::record([source], || {
            x.slice_mut(s![..2])?.fill(5.0)?;
            let (mut first, second) = x.split_at_mut(0, 4)?;
            first.slice_mut(s![2..])?.copy_from(&second.view().slice(s![1..])?)
        })?;
        let seed = Field::from_slice(&device, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])?;
        let gradients = tape.backward_from(&[(&x, &seed)])?;
        assert_eq!(gradients.get(&x)?.to_vec()?, [0.0, 0.0, 0.0, 0.0, 5.0, 9.0, 11.0]);
        assert_eq!(x.get(2)?, number(5, 1));
    }
    Ok(())
}

#[test]
fn parts_that_may_overlap_are_not_written_together() -> swathe::Result<()> {
    use swathe::derivative::{Keep, Operation};
    let mut x = numbers(&Device::cpu(), 8, 1);
    let source = x.source();
    let error = Tape::record([source], || {
        let mut operation = Operation::new("both")?;
        operation.output::<Field<f64>, _>("a", &mut x.slice_mut(s![..5])?, Keep::Nothing)?;
        operation.output::<Field<f64>, _>("b", &mut x.slice_mut(s![4..])?, Keep::Nothing)?;
        Ok(())
    })
    .unwrap_err();
    let text = error.to_string();
    assert!(
        matches!(error, Error::NotRecordable { .. }) && text.contains("`both`, which writes `a` and `b`"),
        "{text}"
    );
    // Even and odd ones have none in common.
    Tape::record([x.source()], || {
        let mut operation = Operation::new("both")?;
        operation.output::<Field<f64>, _>("a", &mut x.slice_mut(s![..;2])?, Keep::Nothing)?;
        operation.output::<Field<f64>, _>("b", &mut x.slice_mut(s![1..;2])?, Keep::Nothing)?;
        Ok(())
    })?;
    Ok(())
}

#[test]
fn an_exclusive_view_is_kept_as_it_was() -> swathe::Result<()> {
    for device in devices() {
        let mut x = numbers(&device, 5, 1);
        let source = x.source();
        let tape = Tape::record([source], || {
            let mut view = x.view_mut()?;
            square(&mut view)?;
            square(&mut view)
        })?;
        let gradients = tape.backward_from(&[(&x, &Field::full(&device, 5, 1.0)?)])?;
        for (i, got) in gradients.get(&x)?.to_vec()?.into_iter().enumerate() {
            assert!((got - 4.0 * number(i, 1).powi(3)).abs() < 1e-12);
        }
    }
    Ok(())
}
