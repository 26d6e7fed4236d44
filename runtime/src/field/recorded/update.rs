//! Steps of optimisers.

use super::accumulate::{OnLists, on_lists};
use super::adjoint::Room;
use super::state::AnyField;
use crate::access::layout::Strided;
use crate::element::Element;
use crate::error::Result;
use crate::field::Field;
use crate::field::cow::CowMemory;
use crate::field::views::view::{FieldView, FieldViewMut, Region};
use crate::kernel;
use crate::math::Float;

/// Stochastic gradient descent, with the numbers of [`Sgd`](crate::derivative::Sgd).
#[derive(Clone, Copy)]
pub(crate) struct Descent {
    pub rate: f64,
    pub momentum: f64,
}

/// Adam, with the numbers of [`Adam`](crate::derivative::Adam).
#[derive(Clone, Copy)]
pub(crate) struct Moments {
    /// Times the first moment, over the root of the second one: both corrected.
    pub rate: f64,
    pub beta1: f64,
    pub beta2: f64,
    /// Corrected as the root of the second moment is.
    pub epsilon: f64,
    /// Times the element itself.
    pub decay: f64,
}

#[kernel]
fn descend<T: Float + Element>(x: &mut Field<T>, gradient: &Field<T>, velocity: &mut Field<T>, rate: T, momentum: T) {
    for i in x.indices() {
        let v = momentum * velocity[i] + gradient[i];
        velocity[i] = v;
        x[i] = x[i] - rate * v;
    }
}

#[kernel]
fn adapt<T: Float + Element>(
    x: &mut Field<T>,
    gradient: &Field<T>,
    first: &mut Field<T>,
    second: &mut Field<T>,
    rates: [T; 3],
    betas: [T; 2],
) {
    let [rate, epsilon, decay] = rates;
    let [beta1, beta2] = betas;
    for i in x.indices() {
        let g = gradient[i];
        let m = beta1 * first[i] + (T::ONE - beta1) * g;
        let v = beta2 * second[i] + (T::ONE - beta2) * g * g;
        first[i] = m;
        second[i] = v;
        x[i] = x[i] - decay * x[i] - rate * m / (v.sqrt() + epsilon);
    }
}

impl OnLists<3> for Descent {
    unsafe fn run<T: Float + Element>(&mut self, [x, gradient, velocity]: [Region<'_, 1>; 3]) -> Result<()> {
        // SAFETY: by the caller's word; `update` sees to it that the memories that are written are nobody else's.
        let (mut x, gradient, mut velocity) = unsafe { (to(x), from(gradient), to(velocity)) };
        let (rate, momentum) = (T::from_f64(self.rate), T::from_f64(self.momentum));
        descend(&mut x, &gradient, &mut velocity, rate, momentum)
    }
}

impl OnLists<4> for Moments {
    unsafe fn run<T: Float + Element>(&mut self, [x, gradient, first, second]: [Region<'_, 1>; 4]) -> Result<()> {
        // SAFETY: as above.
        let (mut x, gradient, mut first, mut second) = unsafe { (to(x), from(gradient), to(first), to(second)) };
        let number = T::from_f64;
        let rates = [self.rate, self.epsilon, self.decay].map(number);
        let betas = [self.beta1, self.beta2].map(number);
        adapt(&mut x, &gradient, &mut first, &mut second, rates, betas)
    }
}

/// # Safety
/// The region consists of such elements, which nobody else uses.
unsafe fn to<T: Element>(region: Region<'_, 1>) -> FieldViewMut<'_, T, 1, Strided> {
    // SAFETY: by the caller's word.
    unsafe { FieldViewMut::new(region) }
}

/// # Safety
/// The region consists of such elements, which nobody writes.
unsafe fn from<T: Element>(region: Region<'_, 1>) -> FieldView<'_, T, 1, Strided> {
    // SAFETY: by the caller's word.
    unsafe { FieldView::new(region) }
}

/// What an optimiser remembers of a field between steps: zeros at first.
pub(crate) struct Memory<const N: usize>([CowMemory; N]);

impl<const N: usize> Memory<N> {
    pub fn of(field: &dyn AnyField) -> Result<Memory<N>> {
        let room = Room::of(field.memory());
        let memories: Result<Vec<CowMemory>> = (0..N).map(|_| room.zeros()).collect();
        let memories: Result<[CowMemory; N], _> = memories?.try_into();
        // There are as many.
        Ok(Memory(
            memories.unwrap_or_else(|_| unreachable!("as many memories as were made")),
        ))
    }
}

fn prepare(field: &mut dyn AnyField) -> Result<&CowMemory> {
    let memory = field.memory_mut();
    memory.write()?;
    if !memory.prepare() {
        memory.unshare()?;
    }
    Ok(memory)
}

impl Descent {
    /// The gradient is of the field's type, shape and device.
    pub fn step(mut self, x: &mut dyn AnyField, gradient: &dyn AnyField, memory: &mut Memory<1>) -> Result<()> {
        gradient.memory().read()?;
        let (x, [velocity]) = (prepare(x)?, &memory.0);
        on_lists([x, gradient.memory(), velocity], &mut self)
    }
}

impl Moments {
    /// As above.
    pub fn step(mut self, x: &mut dyn AnyField, gradient: &dyn AnyField, memory: &mut Memory<2>) -> Result<()> {
        gradient.memory().read()?;
        let (x, [first, second]) = (prepare(x)?, &memory.0);
        on_lists([x, gradient.memory(), first, second], &mut self)
    }
}
