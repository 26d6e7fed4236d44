//! Atomic operations on elements of fields.
//!
//! All are relaxed, as CUDA's are, and return the old value. Where no other thread can be at the same loop,
//! [`Sharing::parallel`] is false and the operation is plain arithmetic, several times as fast. Vectors and matrices go component by
//! component: each component is atomic, the whole is not.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU16, AtomicU32, AtomicU64};

use half::{bf16, f16};

use crate::access::pointer::Pointer;

/// How an element is shared, and how its components lie.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Whether other threads may be at it.
    pub parallel: bool,
    /// Distance of components, in their size.
    pub pitch: usize,
    /// Whether two components may be changed by one operation: all that other threads do is the same sum of whole values. Atomic operations
    /// of different sizes on the same memory would be a data race.
    pub pairs: bool,
}

impl Sharing {
    /// Of an element.
    #[inline(always)]
    pub fn of<P: Pointer>(pointer: P, parallel: bool, pairs: bool) -> Sharing {
        Sharing {
            parallel,
            pitch: pointer.pitch(),
            pairs,
        }
    }
}

/// Types with atomic sums.
#[diagnostic::on_unimplemented(
    message = "`atomic_add` and `atomic_sub` do not exist for `{Self}`",
    note = "they exist for i32, i64, u32, u64, f16, bf16, f32, f64, vectors and matrices of them, and complex numbers"
)]
pub trait AtomicAdd: Copy {
    /// Adds `v`; integers wrap.
    ///
    /// # Safety
    /// `ptr` is valid for reads and writes and aligned; while the call runs, other threads access the value through
    /// the traits of this module only, and if not `how.parallel` not at all.
    unsafe fn fetch_add(ptr: *mut Self, v: Self, how: Sharing) -> Self;

    /// Subtracts `v`; integers wrap.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn fetch_sub(ptr: *mut Self, v: Self, how: Sharing) -> Self;

    /// Adds `v[k]` to the `k`-th of `N` values at the distance of the pitch.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`], for all `N` values.
    #[doc(hidden)]
    unsafe fn fetch_add_each<const N: usize>(ptr: *mut Self, v: [Self; N], how: Sharing) -> [Self; N] {
        let mut old = v;
        for k in 0..N {
            // SAFETY: value `k` is among the `N` that the caller vouches for.
            old[k] = unsafe { Self::fetch_add(ptr.add(k * how.pitch), v[k], how) };
        }
        old
    }
}

/// The sum of two values as an atomic sum has it, of values that no other thread knows.
#[inline(always)]
pub fn sum<T: AtomicAdd>(mut a: T, b: T) -> T {
    let own = Sharing {
        parallel: false,
        pitch: 1,
        pairs: false,
    };
    // SAFETY: a variable of this function.
    unsafe { T::fetch_add(&raw mut a, b, own) };
    a
}

/// The same in derivatives, which add where the kernel reads, too.
#[diagnostic::on_unimplemented(
    message = "`atomic_add` and `atomic_sub` do not exist for `{Self}`",
    note = "they exist for i32, i64, u32, u64, f16, bf16, f32, f64, vectors and matrices of them, and complex numbers",
    note = "in a derivative this is a read of what the loop reads at another position, too, here or elsewhere: read the members that it needs, as in `b[j].mass`"
)]
pub trait DerivativeAdd: Sized {
    /// [`AtomicAdd::fetch_add`].
    ///
    /// # Safety
    /// As there.
    unsafe fn add(ptr: *mut Self, v: Self, how: Sharing) -> Self;

    /// [`AtomicAdd::fetch_sub`].
    ///
    /// # Safety
    /// As there.
    unsafe fn sub(ptr: *mut Self, v: Self, how: Sharing) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: AtomicAdd> DerivativeAdd for T {
    #[inline(always)]
    unsafe fn add(ptr: *mut T, v: T, how: Sharing) -> T {
        // SAFETY: the caller says so.
        unsafe { T::fetch_add(ptr, v, how) }
    }

    #[inline(always)]
    unsafe fn sub(ptr: *mut T, v: T, how: Sharing) -> T {
        // SAFETY: the caller says so.
        unsafe { T::fetch_sub(ptr, v, how) }
    }
}

/// Types with atomic minima and maxima.
#[diagnostic::on_unimplemented(
    message = "`atomic_min` and `atomic_max` do not exist for `{Self}`",
    note = "they exist for i32, i64, u32, u64, f16, bf16, f32, f64 and vectors of them"
)]
pub trait AtomicOrd: Copy {
    /// Takes the minimum with `v`; of floats the one that is not NaN.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn fetch_min(ptr: *mut Self, v: Self, how: Sharing) -> Self;

    /// Takes the maximum with `v`; of floats the one that is not NaN.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn fetch_max(ptr: *mut Self, v: Self, how: Sharing) -> Self;
}

/// Types with atomic bitwise operations.
#[diagnostic::on_unimplemented(
    message = "`atomic_and`, `atomic_or` and `atomic_xor` do not exist for `{Self}`",
    note = "they exist for i32, i64, u32 and u64"
)]
pub trait AtomicBits: Copy {
    /// `&= v`.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn fetch_and(ptr: *mut Self, v: Self, how: Sharing) -> Self;

    /// `|= v`.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn fetch_or(ptr: *mut Self, v: Self, how: Sharing) -> Self;

    /// `^= v`.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn fetch_xor(ptr: *mut Self, v: Self, how: Sharing) -> Self;
}

/// Types that can be exchanged atomically.
#[diagnostic::on_unimplemented(
    message = "atomic exchange, load and store do not exist for `{Self}`",
    note = "they exist for i32, i64, u32, u64, f16, bf16, f32 and f64"
)]
pub trait AtomicSwap: Copy {
    /// Puts `v` in.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn exchange(ptr: *mut Self, v: Self, how: Sharing) -> Self;

    /// Puts `new` in if the value is `current`, which floats compare bit by bit. The exchange was made if the result is `current`.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn compare_exchange(ptr: *mut Self, current: Self, new: Self, how: Sharing) -> Self;

    /// Reads.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn load(ptr: *mut Self, how: Sharing) -> Self;

    /// Writes.
    ///
    /// # Safety
    /// As [`AtomicAdd::fetch_add`].
    unsafe fn store(ptr: *mut Self, v: Self, how: Sharing);
}

/// One read-modify-write function of an integer type: the atomic's own, or the same plainly.
macro_rules! integer_op {
    ($t:ident $atomic:ident: $($name:ident($old:ident, $v:ident) = $new:expr;)*) => {$(
        #[inline]
        unsafe fn $name(ptr: *mut Self, $v: Self, how: Sharing) -> Self {
            if how.parallel {
                // SAFETY: the caller vouches for the pointer and for atomic access only; the type is as aligned as its atomic.
                return unsafe { $atomic::from_ptr(ptr) }.$name($v, Relaxed);
            }
            // SAFETY: the caller vouches for the pointer and for no other access.
            unsafe {
                let $old = *ptr;
                *ptr = $new;
                $old
            }
        }
    )*};
}

macro_rules! integers {
    ($($t:ident $atomic:ident;)*) => {$(
        const _: () = assert!(align_of::<$t>() == align_of::<$atomic>());

        impl AtomicAdd for $t {
            integer_op! { $t $atomic:
                fetch_add(old, v) = old.wrapping_add(v);
                fetch_sub(old, v) = old.wrapping_sub(v);
            }
        }

        impl AtomicOrd for $t {
            integer_op! { $t $atomic:
                fetch_min(old, v) = Ord::min(old, v);
                fetch_max(old, v) = Ord::max(old, v);
            }
        }

        impl AtomicBits for $t {
            integer_op! { $t $atomic:
                fetch_and(old, v) = old & v;
                fetch_or(old, v) = old | v;
                fetch_xor(old, v) = old ^ v;
            }
        }

        swap! { $t $atomic $t: x => x, bits => bits }
    )*};
}

macro_rules! swap {
    ($t:ident $atomic:ident $bits:ident: $x:ident => $to_bits:expr, $b:ident => $from_bits:expr) => {
        impl AtomicSwap for $t {
            #[inline]
            unsafe fn exchange(ptr: *mut Self, v: Self, how: Sharing) -> Self {
                if how.parallel {
                    let $x = v;
                    // SAFETY: the caller vouches for the pointer and for atomic access only.
                    let $b = unsafe { $atomic::from_ptr(ptr.cast()) }.swap($to_bits, Relaxed);
                    return $from_bits;
                }
                // SAFETY: the caller vouches for the pointer and for no other access.
                unsafe { ptr.replace(v) }
            }

            #[inline]
            unsafe fn compare_exchange(ptr: *mut Self, current: Self, new: Self, how: Sharing) -> Self {
                let bits = |$x: Self| -> $bits { $to_bits };
                if how.parallel {
                    // SAFETY: the caller vouches for the pointer and for atomic access only.
                    let atomic = unsafe { $atomic::from_ptr(ptr.cast()) };
                    let (Ok($b) | Err($b)) = atomic.compare_exchange(bits(current), bits(new), Relaxed, Relaxed);
                    return $from_bits;
                }
                // SAFETY: the caller vouches for the pointer and for no other access.
                unsafe {
                    let old = *ptr;
                    if bits(old) == bits(current) {
                        *ptr = new;
                    }
                    old
                }
            }

            #[inline]
            unsafe fn load(ptr: *mut Self, _: Sharing) -> Self {
                // SAFETY: the caller vouches for the pointer and for atomic access only.
                let $b = unsafe { $atomic::from_ptr(ptr.cast()) }.load(Relaxed);
                $from_bits
            }

            #[inline]
            unsafe fn store(ptr: *mut Self, v: Self, _: Sharing) {
                let $x = v;
                // SAFETY: the caller vouches for the pointer and for atomic access only.
                unsafe { $atomic::from_ptr(ptr.cast()) }.store($to_bits, Relaxed);
            }
        }
    };
}

/// Floats have no atomic instructions of their own: the bits are exchanged until no other thread came between.
macro_rules! float_op {
    ($t:ident $atomic:ident: $($name:ident($old:ident, $v:ident) = $new:expr;)*) => {$(
        #[inline]
        unsafe fn $name(ptr: *mut Self, $v: Self, how: Sharing) -> Self {
            if how.parallel {
                // SAFETY: the caller vouches for the pointer and for atomic access only; the bits are as aligned as the float.
                let atomic = unsafe { $atomic::from_ptr(ptr.cast()) };
                let mut bits = atomic.load(Relaxed);
                loop {
                    let $old = $t::from_bits(bits);
                    let new: $t = $new;
                    match atomic.compare_exchange_weak(bits, new.to_bits(), Relaxed, Relaxed) {
                        Ok(_) => return $old,
                        Err(now) => bits = now,
                    }
                }
            }
            // SAFETY: the caller vouches for the pointer and for no other access.
            unsafe {
                let $old = *ptr;
                *ptr = $new;
                $old
            }
        }
    )*};
}

macro_rules! float_ord {
    ($($t:ident $atomic:ident;)*) => {$(
        const _: () = assert!(align_of::<$t>() == align_of::<$atomic>());

        impl AtomicOrd for $t {
            float_op! { $t $atomic:
                fetch_min(old, v) = $t::min(old, v);
                fetch_max(old, v) = $t::max(old, v);
            }
        }
    )*};
}

integers! { i32 AtomicI32; i64 AtomicI64; u32 AtomicU32; u64 AtomicU64; }
float_ord! { f16 AtomicU16; bf16 AtomicU16; f32 AtomicU32; f64 AtomicU64; }
swap! { f16 AtomicU16 u16: x => x.to_bits(), bits => f16::from_bits(bits) }
swap! { bf16 AtomicU16 u16: x => x.to_bits(), bits => bf16::from_bits(bits) }
swap! { f32 AtomicU32 u32: x => x.to_bits(), bits => f32::from_bits(bits) }
swap! { f64 AtomicU64 u64: x => x.to_bits(), bits => f64::from_bits(bits) }

impl AtomicAdd for f16 {
    float_op! { f16 AtomicU16: fetch_add(old, v) = old + v; fetch_sub(old, v) = old - v; }
}

impl AtomicAdd for bf16 {
    float_op! { bf16 AtomicU16: fetch_add(old, v) = old + v; fetch_sub(old, v) = old - v; }
}

impl AtomicAdd for f64 {
    float_op! { f64 AtomicU64: fetch_add(old, v) = old + v; fetch_sub(old, v) = old - v; }
}

impl AtomicAdd for f32 {
    float_op! { f32 AtomicU32: fetch_add(old, v) = old + v; fetch_sub(old, v) = old - v; }

    /// Two neighbours that are aligned together take one exchange instead of two. Which do depends on addresses
    /// only, so that all threads agree on it.
    #[inline]
    unsafe fn fetch_add_each<const N: usize>(ptr: *mut f32, v: [f32; N], how: Sharing) -> [f32; N] {
        let mut old = v;
        let mut k = 0;
        while k < N {
            // SAFETY: value `k` is among the `N` that the caller vouches for.
            let at = unsafe { ptr.add(k * how.pitch) };
            if how.parallel && how.pairs && how.pitch == 1 && k + 1 < N && at.cast::<u64>().is_aligned() {
                // SAFETY: values `k` and `k + 1` are the caller's, and aligned as one `u64`.
                let pair = unsafe { add_pair(at, [v[k], v[k + 1]]) };
                old[k] = pair[0];
                old[k + 1] = pair[1];
                k += 2;
            } else {
                // SAFETY: as above.
                old[k] = unsafe { Self::fetch_add(at, v[k], how) };
                k += 1;
            }
        }
        old
    }
}

/// # Safety
/// `ptr` is aligned to 8 bytes, and two floats there are as [`AtomicAdd::fetch_add`] wants one.
#[inline]
unsafe fn add_pair(ptr: *mut f32, v: [f32; 2]) -> [f32; 2] {
    let bytes = |pair: [f32; 2]| u64::from_ne_bytes(bytes_of(pair));
    // SAFETY: the caller vouches for the pointer, its alignment and for atomic access only.
    let atomic = unsafe { AtomicU64::from_ptr(ptr.cast()) };
    let mut bits = atomic.load(Relaxed);
    loop {
        let b = bits.to_ne_bytes();
        let old = [
            f32::from_ne_bytes([b[0], b[1], b[2], b[3]]),
            f32::from_ne_bytes([b[4], b[5], b[6], b[7]]),
        ];
        match atomic.compare_exchange_weak(bits, bytes([old[0] + v[0], old[1] + v[1]]), Relaxed, Relaxed) {
            Ok(_) => return old,
            Err(now) => bits = now,
        }
    }
}

fn bytes_of([a, b]: [f32; 2]) -> [u8; 8] {
    let (a, b) = (a.to_ne_bytes(), b.to_ne_bytes());
    [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Mat2, Vec2, Vec3, Vector};

    const ALONE: Sharing = Sharing {
        parallel: false,
        pitch: 1,
        pairs: true,
    };
    const PARALLEL: Sharing = Sharing {
        parallel: true,
        pitch: 1,
        pairs: true,
    };
    const SINGLE: Sharing = Sharing {
        pairs: false,
        ..PARALLEL
    };

    struct Shared<T>(*mut T);
    // SAFETY: the tests touch the target through atomic operations only.
    unsafe impl<T> Sync for Shared<T> {}
    impl<T> Shared<T> {
        fn at(&self, k: usize) -> *mut T {
            // SAFETY: the tests stay inside the array.
            unsafe { self.0.add(k) }
        }
    }

    fn on_threads<T: Copy, const N: usize>(mut values: [T; N], op: impl Fn(&Shared<T>, usize) + Sync) -> [T; N] {
        let shared = Shared(values.as_mut_ptr());
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (shared, op) = (&shared, &op);
                scope.spawn(move || (0..1000).for_each(|k| op(shared, thread * 1000 + k)));
            }
        });
        values
    }

    #[test]
    fn sums_lose_nothing() {
        // SAFETY: `Shared` points into an array that all threads access atomically.
        let f = on_threads([0.5_f32, 0.0], |p, k| unsafe {
            f32::fetch_add(p.at(k % 2), 1.0, PARALLEL);
        });
        assert_eq!(f, [2000.5, 2000.0]);
        // SAFETY: as above.
        let d = on_threads([1e6_f64], |p, k| unsafe {
            f64::fetch_sub(p.at(0), k as f64, PARALLEL);
        });
        assert_eq!(d, [1e6 - 3999.0 * 2000.0]);
        // SAFETY: as above.
        let i = on_threads([u64::MAX], |p, k| unsafe {
            u64::fetch_add(p.at(0), k as u64, PARALLEL);
        });
        assert_eq!(i, [3999 * 2000 - 1]);
    }

    #[test]
    fn vectors_sum_by_component_at_every_alignment() {
        // SAFETY: as above.
        let v = on_threads([Vec3::splat(0.25); 3], |p, k| unsafe {
            Vec3::fetch_add(p.at(k % 3), Vec3::new(1.0, 2.0, 3.0), PARALLEL);
        });
        // SAFETY: as above.
        let mixed = on_threads([Vec2::splat(0.25)], |p, k| unsafe {
            if k % 2 == 0 {
                Vec2::fetch_add(p.at(0), Vec2::new(1.0, 2.0), SINGLE);
            } else {
                f32::fetch_sub(p.at(0).cast::<f32>().add(1), 3.0, SINGLE);
            }
        });
        assert_eq!(mixed[0], Vec2::new(2000.25, -1999.75));
        let times = [1334.0, 1333.0, 1333.0];
        for k in 0..3 {
            assert_eq!(v[k], Vec3::new(1.0, 2.0, 3.0) * times[k] + Vec3::splat(0.25));
        }
        // SAFETY: as above.
        let m = on_threads([Mat2::ZERO], |p, _| unsafe {
            Mat2::fetch_sub(p.at(0), Mat2::from_array([[1.0, -2.0], [3.0, 4.0]]), PARALLEL);
        });
        assert_eq!(m[0].to_array(), [[-4000.0, 8000.0], [-12000.0, -16000.0]]);
    }

    #[test]
    fn minima_and_maxima() {
        let scrambled = |k: usize| (k * 7919 % 4001) as f32;
        // SAFETY: as above.
        let v = on_threads([f32::NAN, -1.0], |p, k| unsafe {
            f32::fetch_min(p.at(0), scrambled(k) + 3.0, PARALLEL);
            f32::fetch_max(p.at(1), scrambled(k), PARALLEL);
        });
        assert_eq!(v, [3.0, (0..4000).map(scrambled).fold(0.0, f32::max)]);
        // SAFETY: as above.
        let w = on_threads([Vector::<i32, 2>::splat(9)], |p, k| unsafe {
            let k = k as i32;
            Vector::fetch_min(p.at(0), Vector::<i32, 2>::new(-k, k), PARALLEL);
        });
        assert_eq!(w[0].to_array(), [-3999, 0]);
    }

    #[test]
    fn plain_and_parallel_agree() {
        macro_rules! check {
            ($($t:ident $start:expr, $v:expr, $($name:ident)*;)*) => {$($({
                let (mut a, mut b): ($t, $t) = ($start, $start);
                // SAFETY: both are local variables.
                let old = unsafe { ($t::$name(&mut a, $v, ALONE), $t::$name(&mut b, $v, PARALLEL)) };
                assert_eq!((old.0, a), (old.1, b));
                assert_eq!(old.0, $start);
            })*)*};
        }
        check! {
            i32 i32::MIN, 5, fetch_add fetch_sub fetch_min fetch_max fetch_and fetch_or fetch_xor exchange;
            u32 9, 12, fetch_add fetch_sub fetch_min fetch_max fetch_and fetch_or fetch_xor exchange;
            i64 -3, 8, fetch_add fetch_sub fetch_min fetch_max fetch_and fetch_or fetch_xor exchange;
            u64 3, 8, fetch_add fetch_sub fetch_min fetch_max fetch_and fetch_or fetch_xor exchange;
            f32 0.1, 0.7, fetch_add fetch_sub fetch_min fetch_max exchange;
            f64 0.1, -0.7, fetch_add fetch_sub fetch_min fetch_max exchange;
            Vec2 Vec2::new(1.0, 2.0), Vec2::new(0.5, 7.0), fetch_add fetch_sub fetch_min fetch_max;
        }
    }

    #[test]
    fn exchange_compares_bits() {
        for how in [ALONE, PARALLEL] {
            let mut x = f32::NAN;
            // SAFETY: a local variable.
            unsafe {
                assert!(f32::compare_exchange(&mut x, f32::NAN, 1.0, how).is_nan());
                assert_eq!(f32::compare_exchange(&mut x, -1.0, 2.0, how), 1.0);
                f32::store(&mut x, 4.0, how);
                assert_eq!(f32::load(&mut x, how), 4.0);
            }
        }
    }
}
