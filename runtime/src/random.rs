//! Random numbers that depend on a counter only: the same on every device and for every number of threads.
//!
//! A kernel makes one generator for each element, from a seed and the element's number:
//!
//! ```
//! use swathe::random::Rng;
//!
//! let mut sum = 0.0;
//! for i in 0..1000 {
//!     let mut rng = Rng::new(42, i);
//!     sum += rng.next_f32();
//! }
//! assert!((sum - 500.0).abs() < 30.0);
//! ```

use std::mem::offset_of;

use swathe_ir::{Member, Struct, Type};

use crate::element::{Element, KernelType};
use crate::{Vec2, Vec3, func};

/// Philox4x32-10: four random words from a counter and a key.
///
/// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as easy as 1, 2, 3. SC '11 (2011).
///
/// ```
/// let words = swathe::random::philox4x32([0, 0, 0, 0], [0, 0]);
/// assert_eq!(words, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
/// ```
#[func]
#[must_use]
pub fn philox4x32(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let mut c = counter;
    let mut k = key;
    for round in 0..10 {
        if round > 0 {
            k[0] = k[0].wrapping_add(0x9e37_79b9);
            k[1] = k[1].wrapping_add(0xbb67_ae85);
        }
        let p = 0xd251_1f53_u64 * c[0] as u64;
        let q = 0xcd9e_8d57_u64 * c[2] as u64;
        c = [
            (q >> 32) as u32 ^ c[1] ^ k[0],
            q as u32,
            (p >> 32) as u32 ^ c[3] ^ k[1],
            p as u32,
        ];
    }
    c
}

/// A generator of random numbers. Each of its 2^64 seeds has 2^64 independent streams of 2^66 words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rng {
    key: [u32; 2],
    stream: [u32; 2],
    block: u64,
    /// Words still to hand out, the first `left` of them.
    words: [u32; 4],
    left: u32,
}

// SAFETY: the members' offsets are those that rustc reports.
#[diagnostic::do_not_recommend]
unsafe impl KernelType for Rng {
    fn ty() -> Type {
        let member = |name: &str, ty: Type, offset: usize| Member {
            name: name.to_owned(),
            ty,
            offset,
        };
        Type::Struct(Box::new(Struct {
            name: "Rng".to_owned(),
            path: "swathe::random::Rng".to_owned(),
            members: vec![
                member("key", <[u32; 2]>::ty(), offset_of!(Rng, key)),
                member("stream", <[u32; 2]>::ty(), offset_of!(Rng, stream)),
                member("block", u64::ty(), offset_of!(Rng, block)),
                member("words", <[u32; 4]>::ty(), offset_of!(Rng, words)),
                member("left", u32::ty(), offset_of!(Rng, left)),
            ],
            size: size_of::<Rng>(),
            align: align_of::<Rng>(),
        }))
    }
}

// SAFETY: the members are elements, and stand at the offsets that `ty` states.
#[diagnostic::do_not_recommend]
unsafe impl Element for Rng {}

#[func]
impl Rng {
    /// The stream with this number, at its start.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Self {
        Rng {
            key: [seed as u32, (seed >> 32) as u32],
            stream: [stream as u32, (stream >> 32) as u32],
            block: 0,
            words: [0; 4],
            left: 0,
        }
    }

    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.left == 0 {
            let counter = [
                self.block as u32,
                (self.block >> 32) as u32,
                self.stream[0],
                self.stream[1],
            ];
            self.words = philox4x32(counter, self.key);
            self.block = self.block.wrapping_add(1);
            self.left = 4;
        }
        // Words move down one place: an index that varies would keep them out of a GPU's registers.
        let word = self.words[0];
        self.words = [self.words[1], self.words[2], self.words[3], 0];
        self.left -= 1;
        word
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let low = self.next_u32();
        let high = self.next_u32();
        low as u64 | ((high as u64) << 32)
    }

    /// A multiple of 2^-24 in `0..1`.
    pub fn next_f32(&mut self) -> f32 {
        let word = self.next_u32();
        (word >> 8) as f32 * 5.960_464_5e-8
    }

    /// A multiple of 2^-53 in `0..1`.
    pub fn next_f64(&mut self) -> f64 {
        let word = self.next_u64();
        (word >> 11) as f64 * 1.110_223_024_625_156_5e-16
    }

    /// An integer in `0..n`; 0 for `n` = 0. Some of the integers are more frequent than others, by at most n / 2^32.
    pub fn below(&mut self, n: u32) -> u32 {
        let word = self.next_u32();
        ((word as u64 * n as u64) >> 32) as u32
    }

    /// A number from `low` to `high`, which rounding may reach. Both are finite; their distance may be beyond all numbers.
    pub fn range_f32(&mut self, low: f32, high: f32) -> f32 {
        let t = self.next_f32();
        let distance = high - low;
        if distance.is_finite() {
            low + distance * t
        } else {
            low * (1.0 - t) + high * t
        }
    }

    /// A number from `low` to `high`, which rounding may reach. Both are finite; their distance may be beyond all numbers.
    pub fn range_f64(&mut self, low: f64, high: f64) -> f64 {
        let t = self.next_f64();
        let distance = high - low;
        if distance.is_finite() {
            low + distance * t
        } else {
            low * (1.0 - t) + high * t
        }
    }

    /// A number of the normal distribution with mean 0 and standard deviation 1, by the method of Box and Muller.
    /// Logarithm and cosine are rounded differently on different devices.
    pub fn normal_f32(&mut self) -> f32 {
        // From 0..1 to what the logarithm takes.
        let u = 1.0 - self.next_f32();
        let angle = std::f32::consts::TAU * self.next_f32();
        (-2.0 * u.ln()).sqrt() * angle.cos()
    }

    /// A number of the normal distribution with mean 0 and standard deviation 1, by the method of Box and Muller.
    /// Logarithm and cosine are rounded differently on different devices.
    pub fn normal_f64(&mut self) -> f64 {
        let u = 1.0 - self.next_f64();
        let angle = std::f64::consts::TAU * self.next_f64();
        (-2.0 * u.ln()).sqrt() * angle.cos()
    }

    /// A point in the disk of radius 1, all equally likely.
    pub fn in_unit_disk(&mut self) -> Vec2 {
        let radius = self.next_f32().sqrt();
        let angle = std::f32::consts::TAU * self.next_f32();
        Vec2::new(radius * angle.cos(), radius * angle.sin())
    }

    /// A point on the sphere of radius 1, all equally likely.
    pub fn on_unit_sphere(&mut self) -> Vec3 {
        let z = self.range_f32(-1.0, 1.0);
        let radius = (1.0 - z * z).max(0.0).sqrt();
        let angle = std::f32::consts::TAU * self.next_f32();
        Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 100_000;

    #[test]
    fn published_words() {
        // The known answers of the Random123 library.
        let digits = (
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
        );
        for ((counter, key), words) in [
            (([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            (
                ([u32::MAX; 4], [u32::MAX; 2]),
                [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd],
            ),
            (digits, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]),
        ] {
            assert_eq!(philox4x32(counter, key), words);
        }
    }

    #[test]
    fn a_stream_is_its_blocks_in_order() {
        let (seed, stream) = (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210);
        let mut rng = Rng::new(seed, stream);
        for block in 0..5 {
            let words = philox4x32([block, 0, 0x7654_3210, 0xfedc_ba98], [0x89ab_cdef, 0x0123_4567]);
            assert_eq!([rng.next_u32(), rng.next_u32(), rng.next_u32(), rng.next_u32()], words);
        }
        let mut again = Rng::new(seed, stream);
        let (low, high) = (again.next_u32(), again.next_u32());
        assert_eq!(
            Rng::new(seed, stream).next_u64(),
            u64::from(low) | u64::from(high) << 32
        );
        assert_ne!(Rng::new(1, 2).next_u64(), Rng::new(2, 1).next_u64());
    }

    #[test]
    fn layout_is_stated() {
        let Type::Struct(s) = Rng::ty() else { panic!("a struct") };
        assert_eq!((s.size, s.align), (size_of::<Rng>(), align_of::<Rng>()));
        assert_eq!(s.members.iter().map(|m| m.ty.size()).sum::<usize>(), 44);
    }

    /// Mean, variance, least and largest of many draws.
    fn moments(mut draw: impl FnMut() -> f64) -> [f64; 4] {
        let mut all = Vec::with_capacity(N);
        all.resize_with(N, &mut draw);
        let mean = all.iter().sum::<f64>() / N as f64;
        let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / N as f64;
        let fold = |f: fn(f64, f64) -> f64| all.iter().copied().reduce(f).unwrap();
        [mean, variance, fold(f64::min), fold(f64::max)]
    }

    #[test]
    fn uniform() {
        let mut rng = Rng::new(7, 0);
        for [mean, variance, least, most] in [
            moments(|| f64::from(rng.next_f32())),
            moments(|| Rng::new(9, rng.next_u64()).next_f64()),
            moments(|| (f64::from(rng.range_f32(-3.0, 5.0)) + 3.0) / 8.0),
            moments(|| (rng.range_f64(2.0, 4.0) - 2.0) / 2.0),
            moments(|| (f64::from(rng.below(1000)) + 0.5) / 1000.0),
        ] {
            assert!(
                (mean - 0.5).abs() < 5e-3 && (variance - 1.0 / 12.0).abs() < 2e-3,
                "{mean} {variance}"
            );
            assert!(
                (0.0..1e-3).contains(&least) && (0.999..1.0).contains(&most),
                "{least} {most}"
            );
        }
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn ranges_may_be_longer_than_the_largest_number() {
        let mut rng = Rng::new(7, 0);
        for [mean, variance, least, most] in [
            moments(|| f64::from(rng.range_f32(f32::MIN, f32::MAX)) / f64::from(f32::MAX) / 2.0 + 0.5),
            moments(|| Rng::new(9, rng.next_u64()).range_f64(f64::MAX, f64::MIN) / f64::MAX / 2.0 + 0.5),
        ] {
            assert!(
                (mean - 0.5).abs() < 5e-3 && (variance - 1.0 / 12.0).abs() < 2e-3,
                "{mean} {variance}"
            );
            assert!(
                (0.0..1e-3).contains(&least) && (0.999..=1.0).contains(&most),
                "{least} {most}"
            );
        }
    }

    #[test]
    fn the_largest_word_stays_below_one() {
        let mut rng = Rng {
            words: [u32::MAX; 4],
            left: 4,
            ..Rng::new(0, 0)
        };
        assert_eq!(rng.next_f32(), 1.0 - f32::EPSILON / 2.0);
        assert_eq!(rng.next_f64(), 1.0 - f64::EPSILON / 2.0);
    }

    #[test]
    fn normal() {
        let mut rng = Rng::new(7, 1);
        for [mean, variance, least, most] in [
            moments(|| f64::from(rng.normal_f32())),
            moments(|| Rng::new(3, rng.next_u64()).normal_f64()),
        ] {
            assert!(mean.abs() < 1e-2 && (variance - 1.0).abs() < 2e-2, "{mean} {variance}");
            assert!(
                (-6.0..-3.5).contains(&least) && (3.5..6.0).contains(&most),
                "{least} {most}"
            );
        }
    }

    #[test]
    fn disk_and_sphere() {
        let mut rng = Rng::new(7, 2);
        // The squared radius is uniform in a disk, each coordinate is uniform on a sphere (Archimedes).
        let [mean, variance, _, most] = moments(|| f64::from(rng.in_unit_disk().length_squared()));
        assert!((mean - 0.5).abs() < 5e-3 && (variance - 1.0 / 12.0).abs() < 2e-3 && most < 1.000_001);
        for k in 0..3 {
            let [mean, variance, ..] = moments(|| {
                let p = rng.on_unit_sphere();
                assert!((p.norm() - 1.0).abs() < 1e-6);
                f64::from(p[k])
            });
            assert!(
                mean.abs() < 1e-2 && (variance - 1.0 / 3.0).abs() < 5e-3,
                "{mean} {variance}"
            );
        }
    }
}
