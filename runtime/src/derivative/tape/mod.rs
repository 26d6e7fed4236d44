//! Tapes: what a program did with fields, to be gone through backwards.

pub mod check;
pub mod gradients;
mod schedule;
pub mod source;
pub mod state;
pub mod steps;

use std::any::Any;
use std::collections::BTreeSet;

use half::{bf16, f16};

use crate::access::layout::FieldLayout;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::recorded::adjoint::Adjoints;
use crate::field::recorded::operation::{Operation, Step};
use crate::field::recorded::state::seed as seed_adjoint;
use crate::math::Float;
use crate::recording;
use gradients::Gradients;
use source::{Seed, Source, Sources};

/// What a program did with the fields that depend on some *sources*: the derivative of what it computed with respect to these.
///
/// [`Tape::record`] runs a closure and notes every kernel with a derivative (`#[kernel(grad)]`), every [`Operation`], and every fill,
/// copy and clone of fields that *vary*: the sources, and what was computed from fields that vary. [`Tape::backward`] goes back over
/// them, as often as one likes.
///
/// - The elements that a derivative needs are held by clones of the fields ([`Field::try_clone`]). So fields may be overwritten, in
///   the recording and after it, and dropped. What is copied for it is what is overwritten while a clone is there, no more.
/// - Nothing becomes a constant silently. Within a recording [`Error::NotRecordable`] meets a kernel without derivative that takes
///   a field which varies, a read or a write of one by the host, a use of one by another thread, and what follows a number that a
///   kernel has returned and that depends on the sources. [`Tape::pause`] says that something is meant as a constant.
/// - Within a job of a rayon pool, what waits for other jobs may run some in this thread: they are in the recording, too, and may be refused. Record
///   in a thread of your own if a recording waits for jobs.
/// - Recordings nest, if no field of the outer one is used in the inner one.
///
/// ```
/// use swathe::derivative::{Keep, Operation, Tape};
/// use swathe::prelude::*;
///
/// # #[kernel]
/// # fn grow_kernel(x: &mut Field<f64>, rate: f64) {
/// #     for i in x.indices() {
/// #         x[i] *= rate;
/// #     }
/// # }
/// # fn grow(x: &mut Field<f64>, rate: f64) -> swathe::Result<()> {
/// #     let mut operation = Operation::new("grow")?;
/// #     let then = operation.output("x", x, Keep::Nothing)?;
/// #     operation.run(|| grow_kernel(x, rate))?;
/// #     operation.finish(move |adjoints| grow_kernel(&mut adjoints.of(&then)?, rate));
/// #     Ok(())
/// # }
/// # fn main() -> swathe::Result<()> {
/// let mut x = Field::from_slice(&Device::default(), &[1.0, 2.0, 4.0])?;
/// // `grow` multiplies by its number, and is recorded.
/// let tape = Tape::record([x.source()], || {
///     for k in 1..=3 {
///         grow(&mut x, f64::from(k))?;
///     }
///     Ok(())
/// })?;
/// assert_eq!(x.to_vec()?, [6.0, 12.0, 24.0]);
/// x.fill(0.0)?; // harmless: the tape holds what it needs
/// let seed = Field::from_slice(x.device(), &[1.0, 1.0, 0.5])?;
/// let gradients = tape.backward_from(&[(&x, &seed)])?;
/// assert_eq!(gradients.get(&x)?.to_vec()?, [6.0, 6.0, 3.0]);
/// # Ok(())
/// # }
/// ```
pub struct Tape {
    sources: Sources,
    steps: Vec<Step>,
}

impl Tape {
    /// Records what a closure does with the sources, `x.source()`, and with all that comes of them. Sources are a set: a field that is named
    /// twice is one of them.
    ///
    /// Slices of the host that were borrowed before, by [`Field::as_slice`](crate::Field::as_slice), are not seen: what is read from them within the
    /// recording is a constant. A borrow within it is refused.
    ///
    /// # Errors
    /// The closure's own; [`Error::NotRecordable`] for what would become a constant; [`Error::NotCapturable`] in the capture of a
    /// graph.
    pub fn record(sources: impl IntoIterator<Item = Source>, run: impl FnOnce() -> Result<()>) -> Result<Tape> {
        let sources = Sources::of(sources);
        let active = sources.iter().filter(|source| source.is_active());
        let fields: Vec<u64> = active.map(Source::field).collect();
        let ((), steps) = recording::record(&fields, run)?;
        let steps = steps.into_iter().filter_map(|step| step.downcast::<Step>().ok());
        // A field is kept at one point, the first.
        let mut kept = BTreeSet::new();
        let steps = steps.filter(|step| step.keeps().is_none_or(|field| kept.insert(field)));
        let steps = steps.map(|step| *step).collect();
        Ok(Tape { sources, steps })
    }

    /// Runs a closure within a recording whose results are meant as constants: no derivative goes through them.
    ///
    /// Fields that vary may be read there, by the host and by any kernel. They must not be written, since their derivative
    /// would be that of what they held.
    ///
    /// ```
    /// use swathe::derivative::Tape;
    /// use swathe::{Device, Error, Field};
    ///
    /// let x = Field::full(&Device::cpu(), 3, 2.0_f32)?;
    /// Tape::record([x.source()], || {
    ///     assert!(matches!(x.get(1), Err(Error::NotRecordable { .. })));
    ///     Tape::pause(|| println!("x is {x:?}, its largest element {:?}", x.max()));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn pause<R>(run: impl FnOnce() -> R) -> R {
        recording::pause(run)
    }

    /// Asks, within a recording, for the derivative with respect to a field that is no source, as it is at this point:
    /// [`Gradients::kept`] has it. Of a field that does not vary there is none.
    ///
    /// Where it is asked for at several points of a recording, that is the derivative at the first one: with respect to what the field
    /// held there, which may be overwritten later. For a later value, ask there alone.
    ///
    /// ```
    /// use swathe::derivative::Tape;
    /// use swathe::{Device, Field};
    ///
    /// let x = Field::full(&Device::default(), 3, 2.0_f64)?;
    /// let (mut y, mut z) = (x.try_clone()?, x.try_clone()?);
    /// let tape = Tape::record([x.source()], || {
    ///     y.copy_from(&x)?;
    ///     Tape::keep(&y)?; // of this value
    ///     z.copy_from(&y)?;
    ///     y.fill(0.0)?;
    ///     Tape::keep(&y) // not of this one
    /// })?;
    /// let seed = Field::full(&Device::default(), 3, 5.0)?;
    /// assert_eq!(tape.backward_from(&[(&z, &seed)])?.kept(&y)?.to_vec()?, [5.0; 3]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotRecordable`] outside of a recording.
    pub fn keep<T: Element, const D: usize, L: FieldLayout>(field: &Field<T, D, L>) -> Result<()> {
        field.keep_adjoint()
    }

    /// How many operations were recorded.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The derivatives of the only element of a field with respect to the elements of the sources, as these were when the recording
    /// began. They are zero if it does not depend on them.
    ///
    /// # Errors
    /// Those of the recorded operations' derivatives; [`Error::NotRecordable`] within a recording; [`Error::OutOfMemory`].
    pub fn backward<T: Float + Element, L: FieldLayout>(&self, loss: &Field<T, 0, L>) -> Result<Gradients> {
        let one = Field::full(loss.device(), [], T::ONE)?.with_layout(L::default())?;
        self.backward_from(&[(loss, &one)])
    }

    /// The derivatives of the sum of all products of elements with those of a *seed*: of `sum(y * seed)` for each pair `(&y, &seed)`.
    ///
    /// # Errors
    /// [`Error::Shape`] if a seed has not the shape of its field; those of [`Tape::backward`].
    pub fn backward_from(&self, seeds: &[(&dyn Seed, &dyn Seed)]) -> Result<Gradients> {
        self.reverse(seeds, None)
    }

    fn reverse(&self, seeds: &[(&dyn Seed, &dyn Seed)], of_result: Option<&dyn Any>) -> Result<Gradients> {
        refuse_second_order("the way back over a tape")?;
        let adjoints = Adjoints::default();
        for (field, seed) in seeds {
            seed_adjoint(&adjoints, field.any(), seed.any())?;
        }
        self.go_back(&adjoints, of_result)?;
        Gradients::new(&self.sources, &adjoints, &self.steps)
    }

    fn go_back(&self, adjoints: &Adjoints, of_result: Option<&dyn Any>) -> Result<()> {
        let last = self.steps.len().wrapping_sub(1);
        let mut steps = self.steps.iter().enumerate().rev();
        steps.try_for_each(|(k, step)| adjoints.reverse(step, of_result.filter(|_| k == last)))
    }
}

fn refuse_second_order(what: &str) -> Result<()> {
    if Operation::is_recording() {
        return Err(Error::NotRecordable {
            what: what.to_owned(),
            reason: "derivatives of derivatives are not recorded: do it after the recording, or within `Tape::pause`",
        });
    }
    Ok(())
}

/// The number that the last kernel of a recording returns, and its derivatives with respect to the sources.
///
/// The closure returns nothing: the number is taken from the kernel, and is what the derivatives are of. What the host computes with what the kernel
/// returns has no derivative, and no way into the result. So the whole loss is computed in fields and in the kernel that returns it. A float of any
/// type is exact in the `f64`.
///
/// ```
/// use swathe::derivative::value_and_gradient;
/// use swathe::{Device, Field};
///
/// let x = Field::from_slice(&Device::default(), &[1.0_f32, 2.0, 4.0])?;
/// let (sum, gradients) = value_and_gradient([x.source()], || x.sum().map(drop))?;
/// assert_eq!(sum, 7.0);
/// assert_eq!(gradients.get(&x)?.to_vec()?, [1.0, 1.0, 1.0]);
/// # Ok::<(), swathe::Error>(())
/// ```
///
/// A number of the host is no result, since nobody knows what it was computed from:
///
/// ```compile_fail,E0308
/// # use swathe::derivative::value_and_gradient;
/// # use swathe::{Device, Field};
/// # let x = Field::from_slice(&Device::default(), &[1.0_f32, 2.0, 4.0])?;
/// let (twice, gradients) = value_and_gradient([x.source()], || Ok(2.0 * x.sum()?))?;
/// # Ok::<(), swathe::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotRecordable`] if no recorded kernel has returned a number that depends on the sources, or if it has returned several, as a struct;
/// those of [`Tape::record`] and [`Tape::backward`].
pub fn value_and_gradient(
    sources: impl IntoIterator<Item = Source>,
    run: impl FnOnce() -> Result<()>,
) -> Result<(f64, Gradients)> {
    let tape = Tape::record(sources, run)?;
    let refuse = |reason| {
        let what = "the value of `value_and_gradient`".to_owned();
        Error::NotRecordable { what, reason }
    };
    // Nothing is recorded behind a number.
    let result = tape
        .steps
        .last()
        .and_then(Step::result)
        .ok_or_else(|| refuse(NO_NUMBER))?;
    let (value, one) = number(result).ok_or_else(|| refuse(NO_FLOAT))?;
    let gradients = tape.reverse(&[], Some(&*one))?;
    Ok((value, gradients))
}

const NO_NUMBER: &str = "no recorded kernel has returned a number that depends on the sources: end the closure with a call of a \
    `#[kernel(grad)]` that returns the loss, or with `sum`; of a loss in a `Field<_, 0>`, call `Tape::record` and `backward`";
const NO_FLOAT: &str =
    "the last kernel has returned more than one number: return one float, which is what the derivatives are of";

/// The value of a float of any type, and 1 in that type.
fn number(result: &dyn Any) -> Option<(f64, Box<dyn Any>)> {
    fn of<T: Float + 'static>(result: &dyn Any) -> Option<(f64, Box<dyn Any>)> {
        let value = result.downcast_ref::<T>()?.as_f64();
        Some((value, Box::new(T::ONE)))
    }
    let types = [of::<f32>, of::<f64>, of::<f16>, of::<bf16>];
    types.iter().find_map(|of| of(result))
}

impl std::fmt::Debug for Tape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (sources, operations) = (self.sources.len(), self.steps.len());
        f.debug_struct("Tape")
            .field("sources", &sources)
            .field("operations", &operations)
            .finish()
    }
}
