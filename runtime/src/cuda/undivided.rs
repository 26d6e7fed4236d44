//! Calls that queue several pieces of work, of which none may be before a launch of a graph and another one after it.
//!
//! Such a call has a share in the device's turn, which launches of graphs take alone, from its first piece to its last.

use std::cell::Cell;
use std::sync::{PoisonError, RwLockReadGuard};

use super::device::CudaDevice;
use super::graph;

/// Devices of one call: a copy has two.
const MOST: usize = 2;

thread_local! {
    /// The devices that this thread's call holds. Without a destructor, since other values of the thread use fields when
    /// they are dropped.
    static HELD: Cell<[Option<Held>; MOST]> = const { Cell::new([None; MOST]) };
}

#[derive(Clone, Copy)]
struct Held {
    device: *const CudaDevice,
    /// A failure may be told at the end.
    waited: bool,
}

/// A device that a call holds until this is dropped.
pub(super) struct Undivided<'a> {
    device: &'a CudaDevice,
    _turn: RwLockReadGuard<'a, ()>,
}

impl CudaDevice {
    /// Holds the device for a call. `None` if the call is part of one that holds it, or is recorded.
    pub(super) fn hold_turn(&self) -> Option<Undivided<'_>> {
        if graph::capturing(self).is_some() || self.is_held() {
            return None;
        }
        let mut held = HELD.get();
        let place = held.iter_mut().find(|place| place.is_none())?;
        let turn = self.turn.read().unwrap_or_else(PoisonError::into_inner);
        *place = Some(Held {
            device: self,
            waited: false,
        });
        HELD.set(held);
        Some(Undivided {
            device: self,
            _turn: turn,
        })
    }

    /// Whether a call of this thread holds the device.
    pub(super) fn is_held(&self) -> bool {
        HELD.get().iter().flatten().any(|held| std::ptr::eq(held.device, self))
    }

    /// Leaves it to the end of this thread's call to tell what failed, if it holds the device: who tells a failure wants the
    /// turn alone, and printing waits for whoever has the standard output.
    pub(super) fn tells_later(&self) -> bool {
        let mut all = HELD.get();
        let held = all.iter_mut().flatten().find(|held| std::ptr::eq(held.device, self));
        held.map(|held| held.waited = true).is_some_and(|()| {
            HELD.set(all);
            true
        })
    }
}

impl Undivided<'_> {
    /// Lets go of the device, and says whether there may be a failure to tell.
    pub fn end(self) -> bool {
        HELD.get()
            .iter()
            .flatten()
            .any(|held| std::ptr::eq(held.device, self.device) && held.waited)
    }
}

impl Drop for Undivided<'_> {
    fn drop(&mut self) {
        let mut all = HELD.get();
        for place in &mut all {
            if place.is_some_and(|held| std::ptr::eq(held.device, self.device)) {
                *place = None;
            }
        }
        HELD.set(all);
    }
}
