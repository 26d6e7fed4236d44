//! The surface at rest that becomes a picture.

use swathe::Result;
use swathe::derivative::{Budget, Gradients, Sgd, State, Steps, Tape, value_and_gradient};
use swathe::prelude::*;

use super::physics::{distance, ripple};

/// Square of the Courant number.
const COURANT: f32 = 0.25;

/// The surface now, and a step ago.
type Pond = (Field<f32, 2>, Field<f32, 2>);

/// One step; the first one begins with a surface at rest.
pub fn step(k: usize, (now, before): &mut Pond, start: &Field<f32, 2>) -> Result<()> {
    if k == 0 {
        now.copy_from(start)?;
        before.copy_from(start)?;
    }
    ripple(now, before, COURANT)?;
    std::mem::swap(now, before);
    Ok(())
}

/// Half of the squared distance between a picture and what comes of `start` after so many steps, and its gradient with respect to `start`.
///
/// No more than `budget` is kept of the steps: they are run again.
pub fn gradient(
    start: &Field<f32, 2>,
    picture: &Field<f32, 2>,
    steps: usize,
    budget: Budget,
) -> Result<(f64, Gradients)> {
    let mut pond = (start.try_clone()?, start.try_clone()?);
    let way: Steps<_> = Tape::steps([start.source()], &mut pond, steps, budget, |k, pond| {
        step(k, pond, start)
    })?;
    let (loss, of_end) = value_and_gradient(pond.sources(), || distance(&pond.0, picture).map(drop))?;
    Ok((loss, way.backward(&mut pond, &of_end)?))
}

/// A search by gradient descent with momentum.
pub struct Search {
    pub start: Field<f32, 2>,
    picture: Field<f32, 2>,
    steps: usize,
    descent: Sgd,
}

impl Search {
    /// From a flat surface.
    pub fn new(picture: Field<f32, 2>, steps: usize) -> Result<Search> {
        Ok(Search {
            start: Field::zeros(picture.device(), picture.shape())?,
            picture,
            steps,
            // A wave has no more energy at the end than at the start: no second derivative is above 1.
            descent: Sgd::new(1.0).momentum(0.9),
        })
    }

    /// One round; the distance before it.
    pub fn round(&mut self) -> Result<f64> {
        let (loss, gradients) = gradient(&self.start, &self.picture, self.steps, Budget::states(20))?;
        self.descent.step(&mut self.start, &gradients)?;
        Ok(loss)
    }
}
