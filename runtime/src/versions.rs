//! Code of one loop for several instruction sets, chosen when the program runs: a released binary is built for the least processor of
//! its architecture.
//!
//! A loop's body is a closure that is inlined into one function for each set, and so is compiled with its instructions.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

/// A set of instructions that loops are compiled for. The order is that of preference, the last one the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Version {
    /// What every processor of the architecture has.
    Baseline = 1,
    /// x86-64 with AVX2 and FMA.
    Avx2,
    /// x86-64 with AVX-512 F, VL, DQ, BW and CD.
    Avx512,
}

/// What a loop's body is compiled for: a constant, once it is inlined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// The least processor: products and sums are never one operation.
    Plain,
    /// A product and a sum are one instruction.
    Fused,
    /// Registers of 512 bits, too, and 32 of them. There a division and a square root take longer than what stands in for them with `fast_math`.
    Wide,
}

impl Target {
    /// Whether products and sums are one.
    #[inline(always)]
    #[must_use]
    pub const fn fuses(self) -> bool {
        !matches!(self, Target::Plain)
    }

    /// Whether there are registers of 512 bits.
    #[inline(always)]
    #[must_use]
    pub const fn wide(self) -> bool {
        matches!(self, Target::Wide)
    }
}

/// The version in use; 0 is not yet known.
static CURRENT: AtomicU8 = AtomicU8::new(0);

impl Version {
    /// All of them.
    pub const ALL: [Version; 3] = [Version::Baseline, Version::Avx2, Version::Avx512];

    /// The name in `SWATHE_CPU`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Version::Baseline => "baseline",
            Version::Avx2 => "avx2",
            Version::Avx512 => "avx512",
        }
    }

    /// The best that this processor has.
    #[must_use]
    pub fn best() -> Version {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("f16c")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("movbe");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd");
            if avx2 && avx512 {
                return Version::Avx512;
            }
            if avx2 {
                return Version::Avx2;
            }
        }
        Version::Baseline
    }

    /// The widest that pays for a loop of straight code on elements with these numbers of scalars. Larger elements are loaded one by one
    /// unless they are `staged`, and what LLVM makes of that with registers of 512 bits is mostly shuffles.
    #[inline(always)]
    #[must_use]
    pub fn for_elements<const N: usize>(staged: bool, scalars: [usize; N]) -> Version {
        const SMALL: usize = 4;
        match staged || scalars.iter().all(|count| *count <= SMALL) {
            true => Version::Avx512,
            false => Version::Avx2,
        }
    }

    /// Uses this version from now on, or the best below it that the processor has. Says which.
    pub fn select(self) -> Version {
        let version = self.min(Version::best());
        CURRENT.store(version as u8, Ordering::Relaxed);
        version
    }

    /// The version in use: the best one, unless `SWATHE_CPU` asks for less.
    #[inline]
    #[must_use]
    pub fn current() -> Version {
        match CURRENT.load(Ordering::Relaxed) {
            1 => Version::Baseline,
            2 => Version::Avx2,
            3 => Version::Avx512,
            _ => Version::find(),
        }
    }

    #[cold]
    fn find() -> Version {
        let asked = std::env::var("SWATHE_CPU").unwrap_or_default();
        let asked = Version::ALL.into_iter().find(|version| version.name() == asked);
        asked.unwrap_or(Version::Avx512).select()
    }
}

/// Part of a loop, or of a reduction that carries an `A`, in no wider version than `most`.
///
/// `VERSIONS` is false in builds with debug assertions, which compile one version only.
#[inline(always)]
pub fn call<const VERSIONS: bool, A, R>(
    most: Version,
    body: impl Fn(Target, Range<usize>, A) -> R,
    range: Range<usize>,
    carried: A,
) -> R {
    #[cfg(target_arch = "x86_64")]
    if VERSIONS {
        match Version::current().min(most) {
            // SAFETY: only versions that the processor has are selected.
            Version::Avx512 => return unsafe { avx512(body, range, carried) },
            // SAFETY: as above.
            Version::Avx2 => return unsafe { avx2(body, range, carried) },
            Version::Baseline => {}
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = most;
    let target = match VERSIONS && BASELINE_FUSES {
        true => Target::Fused,
        false => Target::Plain,
    };
    body(target, range, carried)
}

/// Whether all processors that this program is built for multiply and add in one instruction.
const BASELINE_FUSES: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx512cd,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,movbe")]
fn avx512<A, R>(body: impl Fn(Target, Range<usize>, A) -> R, range: Range<usize>, carried: A) -> R {
    body(Target::Wide, range, carried)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,movbe")]
fn avx2<A, R>(body: impl Fn(Target, Range<usize>, A) -> R, range: Range<usize>, carried: A) -> R {
    body(Target::Fused, range, carried)
}
