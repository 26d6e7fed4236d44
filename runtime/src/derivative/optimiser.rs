//! Optimisers: steps against the gradient.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use super::Gradients;
use crate::access::layout::FieldLayout;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::recorded::update::{Descent, Memory, Moments};
use crate::field::{Field, FieldId};

/// Where an optimiser finds the gradient of a field: the field's gradient itself, or [`Gradients`].
pub trait GradientOf<F>: sealed::Sealed<F> {}

impl<F, G: sealed::Sealed<F>> GradientOf<F> for G {}

mod sealed {
    use std::borrow::Borrow;

    use crate::error::Result;

    pub trait Sealed<F> {
        type Found: Borrow<F>;

        fn find(self, field: &F) -> Result<Self::Found>;
    }
}

impl<'a, F> sealed::Sealed<F> for &'a F {
    type Found = &'a F;

    fn find(self, _: &F) -> Result<&'a F> {
        Ok(self)
    }
}

impl<T: Element, const D: usize, L: FieldLayout> sealed::Sealed<Field<T, D, L>> for &Gradients {
    type Found = Field<T, D, L>;

    fn find(self, field: &Field<T, D, L>) -> Result<Field<T, D, L>> {
        self.get(field)
    }
}

/// Stochastic gradient descent, with momentum if asked for: `v = momentum * v + g`, `x -= rate * v`.
///
/// A step works on all floats of the elements, of vectors and structs too, and leaves integers as they are.
///
/// ```
/// use swathe::derivative::{Sgd, value_and_gradient};
/// use swathe::{Device, Field, Vec2};
///
/// let mut x = Field::full(&Device::default(), 3, Vec2::new(1.0, 2.0))?;
/// let gradient = Field::full(&Device::default(), 3, Vec2::new(0.5, -1.0))?;
/// let mut sgd = Sgd::new(0.5).momentum(0.5);
/// sgd.step(&mut x, &gradient)?;
/// assert_eq!(x.get(2)?, Vec2::new(0.75, 2.5));
/// sgd.step(&mut x, &gradient)?;
/// assert_eq!(x.get(2)?, Vec2::new(0.375, 3.25));
/// # Ok::<(), swathe::Error>(())
/// ```
pub struct Sgd {
    descent: Descent,
    memory: BTreeMap<FieldId, Memory<1>>,
}

impl Sgd {
    /// With that rate, and without momentum.
    #[must_use]
    pub fn new(rate: f64) -> Sgd {
        Sgd {
            descent: Descent { rate, momentum: 0.0 },
            memory: BTreeMap::new(),
        }
    }

    /// With momentum: what of the last step goes into the next one.
    #[must_use]
    pub fn momentum(mut self, momentum: f64) -> Sgd {
        self.descent.momentum = momentum;
        self
    }

    /// With another rate from now on.
    pub fn set_rate(&mut self, rate: f64) {
        self.descent.rate = rate;
    }

    /// Changes a field against its gradient: a field, or the [`Gradients`] in which it is. The momentum of each field is remembered by
    /// [`Field::id`].
    ///
    /// # Errors
    /// [`Error::NoGradient`], [`Error::Shape`], [`Error::OtherDevice`]; [`Error::NotRecordable`] within a recording in which the field varies, and for floats of 16
    /// bits; [`Error::OutOfMemory`]; those of a kernel on a device.
    pub fn step<T: Element, const D: usize, L: FieldLayout>(
        &mut self,
        field: &mut Field<T, D, L>,
        gradient: impl GradientOf<Field<T, D, L>>,
    ) -> Result<()> {
        let found = gradient.find(field)?;
        let gradient: &Field<T, D, L> = found.borrow();
        suits(field, gradient)?;
        let memory = remembered(&mut self.memory, field)?;
        self.descent.step(field, gradient, memory)
    }

    /// Forgets what is remembered of a field, by [`Field::id`]: its next step is like a first one. What an optimiser remembers takes as much memory as its floats, and stays
    /// when the field is dropped.
    ///
    /// ```
    /// use swathe::derivative::Sgd;
    /// use swathe::{Device, Field};
    ///
    /// let mut optimiser = Sgd::new(0.5).momentum(0.9);
    /// for _ in 0..3 {
    ///     let mut x = Field::full(&Device::default(), 5, 1.0_f32)?;
    ///     let gradient = Field::full(&Device::default(), 5, 0.5_f32)?;
    ///     optimiser.step(&mut x, &gradient)?;
    ///     optimiser.forget(x.id());
    /// }
    /// # Ok::<(), swathe::Error>(())
    /// ```
    pub fn forget(&mut self, field: FieldId) {
        self.memory.remove(&field);
    }

    /// Forgets what is remembered of all fields.
    pub fn clear(&mut self) {
        self.memory.clear();
    }
}

/// Adam: steps by the mean of gradients over the root of their mean square.
///
/// With `m = beta1 * m + (1 - beta1) * g`, `v = beta2 * v + (1 - beta2) * g * g` and the number `t` of steps,
/// `x -= rate * m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon)`.
/// D. Kingma, J. Ba: Adam: a method for stochastic optimization. ICLR 2015. With [`decay`](Adam::weight_decay), `x -= rate * decay * x` in addition:
/// I. Loshchilov, F. Hutter: Decoupled weight decay regularization. ICLR 2019.
///
/// ```
/// use swathe::derivative::{Adam, value_and_gradient};
/// use swathe::{Device, Field};
///
/// let mut x = Field::from_slice(&Device::default(), &[1.0_f64, -2.0])?;
/// let gradient = Field::from_slice(&Device::default(), &[0.3, -40.0])?;
/// let mut adam = Adam::new(0.1);
/// adam.step(&mut x, &gradient)?;
/// // The first step has the size of the rate.
/// assert!((x.get(0)? - 0.9).abs() < 1e-6 && (x.get(1)? + 1.9).abs() < 1e-6);
///
/// let (_, gradients) = value_and_gradient([x.source()], || x.sum().map(drop))?;
/// adam.step(&mut x, &gradients)?;
/// # Ok::<(), swathe::Error>(())
/// ```
pub struct Adam {
    rate: f64,
    beta1: f64,
    beta2: f64,
    epsilon: f64,
    decay: f64,
    memory: BTreeMap<FieldId, Memory<2>>,
    steps: BTreeMap<FieldId, u32>,
}

impl Adam {
    /// With that rate, means over some 10 and 1000 steps (`beta1` = 0.9, `beta2` = 0.999), and `epsilon` = 1e-8.
    #[must_use]
    pub fn new(rate: f64) -> Adam {
        Adam {
            rate,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            decay: 0.0,
            memory: BTreeMap::new(),
            steps: BTreeMap::new(),
        }
    }

    /// With other weights of the past, below 1.
    #[must_use]
    pub fn betas(mut self, beta1: f64, beta2: f64) -> Adam {
        (self.beta1, self.beta2) = (beta1, beta2);
        self
    }

    /// With another number in the denominator.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> Adam {
        self.epsilon = epsilon;
        self
    }

    /// With decay of the elements: `AdamW`.
    #[must_use]
    pub fn weight_decay(mut self, decay: f64) -> Adam {
        self.decay = decay;
        self
    }

    /// With another rate from now on.
    pub fn set_rate(&mut self, rate: f64) {
        self.rate = rate;
    }

    /// Changes a field against its gradient: a field, or the [`Gradients`] in which it is. Means and the number of steps of each field are remembered by [`Field::id`].
    ///
    /// # Errors
    /// As [`Sgd::step`].
    pub fn step<T: Element, const D: usize, L: FieldLayout>(
        &mut self,
        field: &mut Field<T, D, L>,
        gradient: impl GradientOf<Field<T, D, L>>,
    ) -> Result<()> {
        let found = gradient.find(field)?;
        let gradient: &Field<T, D, L> = found.borrow();
        suits(field, gradient)?;
        let memory = remembered(&mut self.memory, field)?;
        let count = self.steps.entry(field.id()).or_default();
        let next = count.saturating_add(1);
        let power = i32::try_from(next).unwrap_or(i32::MAX);
        // Both means begin at zero.
        let (first, second) = (1.0 - self.beta1.powi(power), 1.0 - self.beta2.powi(power));
        let moments = Moments {
            rate: self.rate * second.sqrt() / first,
            beta1: self.beta1,
            beta2: self.beta2,
            epsilon: self.epsilon * second.sqrt(),
            decay: self.rate * self.decay,
        };
        moments.step(field, gradient, memory)?;
        *count = next;
        Ok(())
    }

    /// Forgets what is remembered of a field, by [`Field::id`]: its next step is like a first one. What an optimiser remembers takes twice as much memory as its floats, and stays
    /// when the field is dropped.
    ///
    /// ```
    /// use swathe::derivative::Adam;
    /// use swathe::{Device, Field};
    ///
    /// let mut optimiser = Adam::new(0.1);
    /// for _ in 0..3 {
    ///     let mut x = Field::full(&Device::default(), 5, 1.0_f32)?;
    ///     let gradient = Field::full(&Device::default(), 5, 0.5_f32)?;
    ///     optimiser.step(&mut x, &gradient)?;
    ///     optimiser.forget(x.id());
    /// }
    /// # Ok::<(), swathe::Error>(())
    /// ```
    pub fn forget(&mut self, field: FieldId) {
        self.memory.remove(&field);
        self.steps.remove(&field);
    }

    /// Forgets what is remembered of all fields.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.steps.clear();
    }
}

fn remembered<'a, T: Element, const D: usize, L: FieldLayout, const N: usize>(
    memory: &'a mut BTreeMap<FieldId, Memory<N>>,
    field: &Field<T, D, L>,
) -> Result<&'a mut Memory<N>> {
    match memory.entry(field.id()) {
        std::collections::btree_map::Entry::Occupied(there) => Ok(there.into_mut()),
        std::collections::btree_map::Entry::Vacant(free) => Ok(free.insert(Memory::of(field)?)),
    }
}

fn suits<T: Element, const D: usize, L: FieldLayout>(field: &Field<T, D, L>, gradient: &Field<T, D, L>) -> Result<()> {
    if field.shape() != gradient.shape() {
        return Err(Error::Shape {
            what: format!("a step of {} against its gradient", field.describe()),
            expected: format!("{:?}", field.shape()),
            got: gradient.shape().to_vec(),
        });
    }
    if field.device() != gradient.device() {
        return Err(Error::OtherDevice {
            what: "a step against a gradient",
            expected: field.device().label(),
            got: gradient.device().label(),
        });
    }
    Ok(())
}

impl std::fmt::Debug for Sgd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sgd")
            .field("rate", &self.descent.rate)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Adam {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Adam").field("rate", &self.rate).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Device;

    #[test]
    fn what_is_forgotten_begins_anew() -> Result<()> {
        let device = Device::cpu();
        let gradient = Field::full(&device, 3, 1.0_f64)?;
        let fresh = || Field::full(&device, 3, 0.0_f64);
        for all in [false, true] {
            let (mut sgd, mut adam) = (Sgd::new(0.5).momentum(0.5), Adam::new(0.1));
            let (mut kept, mut x) = (fresh()?, fresh()?);
            let mut changes = Vec::new();
            for step in 0..4 {
                let before = x.get(1)?;
                sgd.step(&mut x, &gradient)?;
                sgd.step(&mut kept, &gradient)?;
                adam.step(&mut kept, &gradient)?;
                changes.push(x.get(1)? - before);
                if step == 1 {
                    match all {
                        true => (sgd.clear(), adam.clear()),
                        false => (sgd.forget(x.id()), adam.forget(x.id())),
                    };
                }
            }
            assert_eq!(changes, [-0.5, -0.75, -0.5, -0.75]);
            // Others are remembered.
            let steps = if all { 2 } else { 4 };
            assert_eq!((sgd.memory.len(), adam.steps[&kept.id()]), (2, steps));
            adam.forget(kept.id());
            assert!(adam.memory.is_empty() && adam.steps.is_empty());
        }
        Ok(())
    }
}
