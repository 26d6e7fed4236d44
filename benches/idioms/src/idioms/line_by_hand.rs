//! Stencils in one dimension, by hand.

use rayon::prelude::*;

use crate::hand::CHUNK;
use crate::idioms::line::{Line, WEIGHTS};

/// Rows of `v` with their position, all but the ends of which `value` gives of three neighbours.
macro_rules! chunks {
    ($u:ident, $v:ident, |$l:ident, $m:ident, $r:ident, $out:ident| $value:expr) => {{
        let (u, n) = (&$u.plain, $u.plain.len());
        $v.plain[1..n - 1]
            .par_chunks_mut(CHUNK)
            .enumerate()
            .for_each(|(c, out)| {
                let u = &u[c * CHUNK..c * CHUNK + out.len() + 2];
                let around = u.iter().zip(&u[1..]).zip(&u[2..]);
                for ($out, (($l, $m), $r)) in out.iter_mut().zip(around) {
                    $value;
                }
            });
    }};
}

by_hand! {
    pub fn inner((u, v): &mut Line) {
        chunks!(u, v, |l, m, r, out| *out = l - 2.0 * m + r);
    }

    pub fn periodic((u, v): &mut Line) {
        chunks!(u, v, |l, m, r, out| *out = l - 2.0 * m + r);
        let (u, n) = (&u.plain, u.plain.len());
        v.plain[0] = u[n - 1] - 2.0 * u[0] + u[1];
        v.plain[n - 1] = u[n - 2] - 2.0 * u[n - 1] + u[0];
    }

    pub fn clamped((u, v): &mut Line) {
        chunks!(u, v, |l, m, r, out| *out = l - 2.0 * m + r);
        let (u, n) = (&u.plain, u.plain.len());
        v.plain[0] = u[1] - u[0];
        v.plain[n - 1] = u[n - 2] - u[n - 1];
    }

    pub fn reflected((u, v): &mut Line) {
        chunks!(u, v, |l, m, r, out| *out = l - 2.0 * m + r);
        let (u, n) = (&u.plain, u.plain.len());
        v.plain[0] = 2.0 * (u[1] - u[0]);
        v.plain[n - 1] = 2.0 * (u[n - 2] - u[n - 1]);
    }

    pub fn in_place((u, v): &mut Line) {
        chunks!(u, v, |l, m, r, out| *out += 0.1 * (l - 2.0 * m + r));
        let (u, n) = (&u.plain, u.plain.len());
        v.plain[0] += 0.1 * (u[1] - u[0]);
        v.plain[n - 1] += 0.1 * (u[n - 2] - u[n - 1]);
    }

    pub fn radius((u, v): &mut Line) {
        let (u, n) = (&u.plain, u.plain.len());
        v.plain[4..n - 4].par_chunks_mut(CHUNK).enumerate().for_each(|(c, out)| {
            let u = &u[c * CHUNK..c * CHUNK + out.len() + 8];
            for (out, u) in out.iter_mut().zip(u.windows(9)) {
                *out = u.iter().zip(&WEIGHTS).map(|(u, w)| u * w).sum();
            }
        });
    }
}
