//! Calls that move a field in several steps, and are one call to graphs all the same.
//!
//! Borrows keep every other writer away as long as a call lasts. A graph is launched without a borrow of the fields that it
//! refers to, so that another thread's launch could come between two steps.

use std::ptr::NonNull;

use super::{Backend, Device};
use crate::error::Result;

/// Does work with the memory at these addresses while no launch of a graph that refers to some of it is queued. What failed in
/// kernels before is told at the end, by this call. The work calls nothing of the user's: that might launch such a graph.
pub fn undivided<R, const N: usize>(
    places: [(&Device, NonNull<u8>); N],
    work: impl FnOnce() -> Result<R>,
) -> Result<R> {
    let recorded = places.iter().any(|(device, at)| device.backend().is_recorded(*at));
    if !recorded {
        return work();
    }
    // All of them, and everybody in one order, so that nobody waits in a circle.
    let mut backends = places.map(|(device, _)| device.backend());
    backends.sort_by_key(|backend| std::ptr::from_ref(*backend).addr());
    let (mut work, mut done) = (Some(work), None);
    let mut once = || {
        if let Some(work) = work.take() {
            done = Some(work()?);
        }
        Ok(())
    };
    let mut may_tell = [false; N];
    nest(&backends, &mut may_tell, &mut once)?;
    // Who tells wants a device alone, and waits for whoever has the standard output: no device is held any more.
    for (backend, _) in backends.iter().zip(may_tell).filter(|(_, may)| *may) {
        backend.tell()?;
    }
    match done {
        Some(done) => Ok(done),
        None => unreachable!("backends do the work, or say why not"),
    }
}

fn nest(backends: &[&'static dyn Backend], may_tell: &mut [bool], work: &mut dyn FnMut() -> Result<()>) -> Result<()> {
    match (backends, may_tell) {
        ([backend, rest @ ..], [may, others @ ..]) => {
            *may = backend.undivided(&mut || nest(rest, others, work))?;
            Ok(())
        }
        _ => work(),
    }
}
