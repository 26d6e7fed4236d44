//! Code of one loop for several instruction sets, chosen when the program runs: a released binary is built for the least processor of
//! its architecture.
//!
//! A loop's body is a closure that is inlined into one function for each set, and so is compiled with its instructions.

use std::marker::PhantomData;
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

/// Where the elements of a field begin that nobody writes: a reference to none of them.
pub type Begin<'a> = &'a [u8; 0];

/// Where the elements of a field begin.
#[derive(Clone, Copy)]
pub struct BeginMut<'a> {
    pub(crate) at: *mut u8,
    borrow: PhantomData<&'a u8>,
}

// SAFETY: an address; whoever dereferences it answers for races.
unsafe impl Send for BeginMut<'_> {}
// SAFETY: as above.
unsafe impl Sync for BeginMut<'_> {}

impl BeginMut<'_> {
    #[inline(always)]
    pub(crate) fn new(at: *mut u8) -> Self {
        BeginMut {
            at,
            borrow: PhantomData,
        }
    }
}

/// Fields of either kind that LLVM is told of, at most.
const MOST: usize = 8;

/// Where the elements of fields begin that a loop only reads, and of those that it writes.
///
/// LLVM does not know that fields are apart. What it compares instead in front of a loop it does not do for more than 128 pairs of accesses,
/// and what may have been written it loads again. rustc tells LLVM that nothing writes what a reference leads to (`noalias`) where the
/// reference is a parameter of a function. What parameters lead to is compared without asking who else may have got an address.
#[derive(Clone, Copy)]
pub struct Begins<'a, const R: usize, const W: usize> {
    pub read: [Begin<'a>; R],
    pub written: [BeginMut<'a>; W],
}

impl Begins<'_, 0, 0> {
    /// Of no fields.
    pub const NONE: Self = Begins { read: [], written: [] };
}

impl<'a, const R: usize, const W: usize> Begins<'a, R, W> {
    #[inline(always)]
    #[must_use]
    pub fn new(read: [Begin<'a>; R], written: [BeginMut<'a>; W]) -> Self {
        const { assert!(R <= MOST && W <= MOST) };
        Begins { read, written }
    }

    /// As many as parameters.
    #[inline(always)]
    fn parameters(self) -> ([Begin<'a>; MOST], [BeginMut<'a>; MOST]) {
        let mut read: [Begin<'a>; MOST] = [&[]; MOST];
        let mut written = [BeginMut::new(std::ptr::null_mut()); MOST];
        read[..R].copy_from_slice(&self.read);
        written[..W].copy_from_slice(&self.written);
        (read, written)
    }

    /// Of these parameters.
    #[inline(always)]
    fn of(read: [Begin<'a>; MOST], written: [BeginMut<'a>; MOST]) -> Self {
        Begins {
            read: std::array::from_fn(|k| read[k]),
            written: std::array::from_fn(|k| written[k]),
        }
    }
}

/// Part of a loop, or of a reduction that carries an `A`, in no wider version than `most`.
///
/// `VERSIONS` is false in builds with debug assertions, which compile one version only.
#[inline(always)]
pub fn call<const VERSIONS: bool, A, V, const R: usize, const W: usize>(
    most: Version,
    begins: Begins<'_, R, W>,
    body: impl Fn(Target, Begins<'_, R, W>, Range<usize>, A) -> V,
    range: Range<usize>,
    carried: A,
) -> V {
    if !VERSIONS {
        return body(Target::Plain, begins, range, carried);
    }
    // LLVM leaves out those that are not used.
    let ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]) = begins.parameters();
    #[cfg(target_arch = "x86_64")]
    match Version::current().min(most) {
        Version::Avx512 => {
            // SAFETY: only versions that the processor has are selected.
            return unsafe { avx512(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, body, range, carried) };
        }
        Version::Avx2 => {
            // SAFETY: as above.
            return unsafe { avx2(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, body, range, carried) };
        }
        Version::Baseline => {}
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = most;
    baseline(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, body, range, carried)
}

/// Whether all processors that this program is built for multiply and add in one instruction.
const BASELINE_FUSES: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));

/// The function of a version. It is never inlined: its parameters are what LLVM is told.
macro_rules! version {
    ($name:ident, $target:expr, [$($read:ident)*], [$($written:ident)*] $(, $features:literal)?) => {
        $(#[target_feature(enable = $features)])?
        #[inline(never)]
        #[allow(clippy::too_many_arguments)]
        fn $name<A, V, const R: usize, const W: usize>(
            $($read: Begin<'_>,)*
            $($written: BeginMut<'_>,)*
            body: impl Fn(Target, Begins<'_, R, W>, Range<usize>, A) -> V,
            range: Range<usize>,
            carried: A,
        ) -> V {
            let begins = Begins::of([$($read),*], [$($written),*]);
            body($target, begins, range, carried)
        }
    };
    ($name:ident, $target:expr $(, $features:literal)?) => {
        version!($name, $target, [a b c d e f g h], [i j k l m n o p] $(, $features)?);
    };
}

version!(
    baseline,
    match BASELINE_FUSES {
        true => Target::Fused,
        false => Target::Plain,
    }
);
#[cfg(target_arch = "x86_64")]
version!(avx2, Target::Fused, "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,movbe");
#[cfg(target_arch = "x86_64")]
version!(
    avx512,
    Target::Wide,
    "avx512f,avx512vl,avx512dq,avx512bw,avx512cd,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,movbe"
);
