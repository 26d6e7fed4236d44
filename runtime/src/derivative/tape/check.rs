//! Derivatives against differences.

use super::source::Source;
use super::state::{State, each};
use super::steps::{described, may_write, restore, save};
use super::{Tape, refuse_second_order};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::recorded::state::{Described, Numbers};
use crate::field::{Field, Tolerance};
use crate::math::Float;

/// Compares the derivatives of a loss with respect to every float of a state with central differences,
/// `(loss(x + h) - loss(x - h)) / 2h`.
///
/// `h` is the cube root of the distance from 1 to the next float, times the number's size where that is above 1. In `f64` that gives differences
/// which are right to some 1e-10 of the loss, and [`Tolerance::default`] suits well-behaved losses. In `f32` they are right to
/// about 1e-4 of the loss: `Tolerance { relative: 1e-2, absolute: 1e-3, ..Tolerance::default() }` is a start where the loss is about 1.
/// Each number takes two runs: check small fields.
///
/// The state is as it was afterwards.
///
/// ```
/// use swathe::derivative::{gradcheck, Keep, Operation};
/// use swathe::{Device, Error, Field, Tolerance};
///
/// /// Copies, and claims another derivative.
/// fn wrong(x: &Field<f64, 0>, y: &mut Field<f64, 0>) -> swathe::Result<()> {
///     if !Operation::is_recording() {
///         return y.copy_from(x);
///     }
///     let mut operation = Operation::new("wrong")?;
///     operation.input::<Field<f64, 0>, _>("x", x, Keep::Nothing)?;
///     operation.output::<Field<f64, 0>, _>("y", y, Keep::Nothing)?;
///     operation.run(|| y.copy_from(x))?;
///     operation.finish(|_| Ok(()));
///     Ok(())
/// }
///
/// let mut x = Field::full(&Device::cpu(), [], 2.0)?;
/// gradcheck(&mut x, Tolerance::default(), |x| x.try_clone())?;
/// let error = gradcheck(&mut x, Tolerance::default(), |x| {
///     let mut loss = Field::zeros(x.device(), [])?;
///     wrong(x, &mut loss)?;
///     Ok(loss)
/// });
/// assert!(matches!(&error, Err(Error::GradientCheck { checked: 1, failures }) if failures.len() == 1), "{error:?}");
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::GradientCheck`] with a line for each derivative that is further from the difference than the tolerance has it, relative to the
/// difference; those of the loss and of [`Tape::record`].
pub fn gradcheck<S: State + ?Sized, T: Float + Element>(
    state: &mut S,
    tolerance: Tolerance,
    loss: impl Fn(&mut S) -> Result<Field<T, 0>>,
) -> Result<()> {
    refuse_second_order("`gradcheck`")?;
    may_write(state)?;
    let start = save(state)?;
    let done = compare(state, tolerance, &loss, &|state| restore(state, &start));
    restore(state, &start)?;
    done
}

fn compare<S: State + ?Sized, T: Float + Element>(
    state: &mut S,
    tolerance: Tolerance,
    loss: &impl Fn(&mut S) -> Result<Field<T, 0>>,
    restart: &dyn Fn(&mut S) -> Result<()>,
) -> Result<()> {
    let fields = described(state);
    let mut result = None;
    let tape = Tape::record(fields.iter().cloned().map(Source), || {
        result = Some(loss(state)?);
        Ok(())
    })?;
    let Some(result) = result else { return Ok(()) };
    let gradients = tape.backward(&result)?;
    restart(state)?;
    let (mut checked, mut failures) = (0, Vec::new());
    for (k, field) in fields.iter().map(Described::field).enumerate() {
        let found = gradients.found(field)?;
        let derivatives = match &found {
            Some(found) => Some(nth(state, k, |numbers| numbers.of(found))?),
            None => None,
        };
        let count = nth(state, k, |numbers| Ok(numbers.len()))?;
        for i in 0..count {
            let derivative = derivatives.as_ref().and_then(|all| all.get(i)).copied().unwrap_or(0.0);
            let (value, epsilon, label) = nth(state, k, |numbers| {
                Ok((numbers.get(i)?, numbers.epsilon(i)?, numbers.label(i)))
            })?;
            let step = epsilon.cbrt() * value.abs().max(1.0);
            let mut at = |moved: f64| {
                // What the number is then: it may be rounded.
                let there = nth(state, k, |numbers| {
                    numbers.set(i, moved)?;
                    numbers.get(i)
                })?;
                let value = loss(state)?.get([])?.as_f64();
                restart(state)?;
                Ok::<_, Error>((there, value))
            };
            let ((above, high), (below, low)) = (at(value + step)?, at(value - step)?);
            let difference = (high - low) / (above - below);
            checked += 1;
            let bound = tolerance.absolute + tolerance.relative * difference.abs();
            let both_nan = derivative.is_nan() && difference.is_nan() && tolerance.equal_nan;
            // Also if one is NaN.
            let close = derivative == difference || (derivative - difference).abs() <= bound || both_nan;
            if !close {
                failures.push(format!(
                    "field {k}, {label}: derivative {derivative:?}, difference {difference:?}"
                ));
            }
        }
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(Error::GradientCheck { checked, failures }),
    }
}

/// The numbers of a field of a state.
fn nth<S: State + ?Sized, R>(state: &mut S, k: usize, see: impl FnOnce(&mut Numbers<'_>) -> Result<R>) -> Result<R> {
    let (mut at, mut see, mut result) = (0, Some(see), None);
    each(state, |field| {
        if at == k
            && let Some(see) = see.take()
        {
            result = Some(see(&mut Numbers::of_field(field)));
        }
        at += 1;
    });
    result.unwrap_or_else(|| {
        Err(Error::State {
            reason: format!("it has {at} fields, not more than {k}"),
        })
    })
}
