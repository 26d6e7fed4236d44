//! Values of a variable in neighbouring iterations, which are computed together.

use std::mem::MaybeUninit;

use super::pointer::Planes;
use crate::element::KernelType;

/// `W` values, scalar by scalar: those of one component in all lanes are neighbours, as vector registers have them.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Lanes<T, const W: usize> {
    values: MaybeUninit<[T; W]>,
}

impl<T: KernelType, const W: usize> Lanes<T, W> {
    /// Whatever is all zero bits, for lanes that nothing is known of.
    #[inline(always)]
    #[must_use]
    pub fn zeros() -> Self {
        Lanes {
            values: MaybeUninit::zeroed(),
        }
    }

    /// The same value in all lanes.
    #[inline(always)]
    #[must_use]
    pub fn filled(value: T) -> Self {
        let mut lanes = Lanes::zeros();
        for lane in 0..W {
            // SAFETY: below the width.
            unsafe { lanes.set(lane, value) };
        }
        lanes
    }

    /// The value in a lane. All bytes zero are a value of every kernel's type.
    ///
    /// # Safety
    /// `lane` is below the width.
    #[inline(always)]
    #[must_use]
    pub unsafe fn get(&self, lane: usize) -> T {
        let first = self.values.as_ptr().cast_mut().cast();
        // SAFETY: there is room for `W` values, and each was written or is zero.
        unsafe { T::from_lane(Planes::new(first, W, lane.cast_signed())) }
    }

    /// Sets the value in a lane.
    ///
    /// # Safety
    /// `lane` is below the width.
    #[inline(always)]
    pub unsafe fn set(&mut self, lane: usize, value: T) {
        let first = self.values.as_mut_ptr().cast();
        // SAFETY: there is room for `W` values.
        unsafe { value.to_lane(Planes::new(first, W, lane.cast_signed())) };
    }

    /// Combines the values of all lanes, in a tree that depends on the width alone.
    #[inline(always)]
    #[must_use]
    pub fn fold(mut self, combine: impl Fn(T, T) -> T) -> T {
        const { assert!(W.is_power_of_two()) };
        let mut width = W / 2;
        while width > 0 {
            for lane in 0..width {
                // SAFETY: both lanes are below the width.
                unsafe {
                    let value = combine(self.get(lane), self.get(lane + width));
                    self.set(lane, value);
                }
            }
            width /= 2;
        }
        // SAFETY: there is at least one lane.
        unsafe { self.get(0) }
    }
}

impl<const W: usize> Lanes<u32, W> {
    /// Clears these bits.
    #[inline(always)]
    pub fn clear(&mut self, bits: u32) {
        for lane in 0..W {
            // SAFETY: below the width.
            unsafe {
                let old = self.get(lane);
                self.set(lane, old & !bits);
            }
        }
    }
}
