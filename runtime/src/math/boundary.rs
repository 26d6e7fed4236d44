//! Positions beyond the ends of an axis.

use super::Boundary;
use super::sealed::Sealed;

/// The position, if it is one of the axis.
#[inline(always)]
fn on_axis(position: u64, offset: i32, extent: u64) -> Option<u64> {
    position
        .checked_add_signed(i64::from(offset))
        .filter(|moved| *moved < extent)
}

#[inline(always)]
fn clamped(position: u64, offset: i32, extent: u64) -> u64 {
    let by = u64::from(offset.unsigned_abs());
    let moved = match offset < 0 {
        true => position.saturating_sub(by),
        false => position.saturating_add(by),
    };
    moved.min(extent.saturating_sub(1))
}

#[inline(always)]
fn periodic(position: u64, offset: i32, extent: u64) -> u64 {
    #[cold]
    fn around(position: u64, offset: i32, extent: u64) -> u64 {
        if extent == 0 {
            return 0;
        }
        let (position, by) = (position % extent, u64::from(offset.unsigned_abs()) % extent);
        // How far it is to the end on the other side, so that no sum overflows.
        let up = if offset < 0 { extent - by } else { by };
        match position < extent - up {
            true => position + up,
            false => position - (extent - up),
        }
    }
    on_axis(position, offset, extent).unwrap_or_else(|| around(position, offset, extent))
}

#[inline(always)]
fn reflected(position: u64, offset: i32, extent: u64) -> u64 {
    on_axis(position, offset, extent).unwrap_or_else(|| turned(position, offset, extent, 0))
}

#[inline(always)]
fn symmetric(position: u64, offset: i32, extent: u64) -> u64 {
    on_axis(position, offset, extent).unwrap_or_else(|| turned(position, offset, extent, 1))
}

/// Goes to the end that lies ahead, and to and fro from there; `ends` is 1 where each end counts twice.
#[cold]
fn turned(position: u64, offset: i32, extent: u64, ends: u64) -> u64 {
    let last = extent.saturating_sub(1);
    let period = last + u64::from(extent > 0) * ends;
    if period == 0 {
        return 0;
    }
    let (turns, rest) = (position / period, position % period);
    let back = turns % 2 == 1;
    let position = if back { last - rest } else { rest };
    let down = back != (offset < 0);
    let ahead = if down { position } else { last - position };
    let by = u64::from(offset.unsigned_abs());
    let Some(beyond) = by.checked_sub(ahead).filter(|beyond| *beyond > 0) else {
        return if down { position - by } else { position + by };
    };
    let beyond = beyond - ends;
    let (turns, rest) = (beyond / period, beyond % period);
    match (turns % 2 == 1) == down {
        true => last - rest,
        false => rest,
    }
}

macro_rules! boundary {
    ($($t:ident)*) => {$(
        impl Boundary for $t {
            boundary! { @ $t clamped periodic reflected symmetric }
        }
    )*};
    (@ $t:ident $($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self, offset: i32, extent: Self) -> Self {
            // Less than the extent.
            $method(self as u64, offset, extent as u64) as $t
        }
    )*};
}
boundary! { u8 u16 u32 u64 usize }

impl Sealed for usize {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position that a rule gives for any number.
    fn moved(position: u64, offset: i32, extent: u64, rule: impl Fn(i128, i128) -> i128) -> u64 {
        let extent = i128::from(extent);
        let number = i128::from(position) + i128::from(offset);
        u64::try_from(if extent == 0 { 0 } else { rule(number, extent) }).unwrap()
    }

    #[test]
    fn every_rule_is_its_formula() {
        let most = u64::MAX;
        let ends = [
            0,
            1,
            2,
            3,
            4,
            5,
            7,
            16,
            17,
            255,
            256,
            1 << 31,
            1 << 32,
            1 << 63,
            most - 1,
            most,
        ];
        let offsets = [0, 1, 2, 3, 5, 6, 17, 100, 1_000_003, i32::MAX].map(|by| [by, -by, -by - 1]);
        for extent in ends {
            for position in ends.into_iter().chain(0..40) {
                for offset in offsets.into_iter().flatten() {
                    let case = (position, offset, extent);
                    let expected = moved(position, offset, extent, |p, n| p.clamp(0, n - 1));
                    assert_eq!(clamped(position, offset, extent), expected, "clamped {case:?}");
                    let expected = moved(position, offset, extent, |p, n| p.rem_euclid(n));
                    assert_eq!(periodic(position, offset, extent), expected, "periodic {case:?}");
                    let expected = moved(position, offset, extent, |p, n| {
                        let p = p.rem_euclid((2 * n - 2).max(1));
                        p.min((2 * n - 2 - p).abs())
                    });
                    assert_eq!(reflected(position, offset, extent), expected, "reflected {case:?}");
                    let expected = moved(position, offset, extent, |p, n| {
                        let p = p.rem_euclid(2 * n);
                        p.min(2 * n - 1 - p)
                    });
                    assert_eq!(symmetric(position, offset, extent), expected, "symmetric {case:?}");
                }
            }
        }
    }
}
