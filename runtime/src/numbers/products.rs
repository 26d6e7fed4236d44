//! Methods of vectors that are sums of products, contracted: see [`contract`](super::contract).

use std::mem::{MaybeUninit, transmute_copy};
use std::ops::{Div, Mul, Sub};

use super::contract::Float;
use crate::element::KernelType;
use crate::math::single::call::same;
use crate::versions::Target;

/// Whether both are vectors of the same floats.
const fn are_vectors<A: KernelType, B: KernelType>() -> bool {
    A::FLOATS.is_vector() && A::FLOATS.fits(B::FLOATS) && B::FLOATS.fits(A::FLOATS)
}

/// The component `k` of a vector.
///
/// # Safety
/// `V` is a vector of `F` with more than `k` components.
#[inline(always)]
unsafe fn component<F: Copy, V>(v: &V, k: usize) -> F {
    // SAFETY: as the caller says.
    unsafe { (&raw const *v).cast::<F>().add(k).read() }
}

/// The sum of products of `part(k)` with `other(k)`, in the order of the components.
#[inline(always)]
fn sum<F: Float + Mul<Output = F>>(count: usize, part: impl Fn(usize) -> (F, F)) -> F {
    let (a, b) = part(0);
    let mut sum = a * b;
    for k in 1..count {
        let (a, b) = part(k);
        sum = a.fuse(b, sum);
    }
    sum
}

/// # Safety
/// Both are vectors of `F`.
#[inline(always)]
unsafe fn dot_of<F: Float + Mul<Output = F>, A, B>(a: &A, b: &B) -> F {
    // SAFETY: as the caller says.
    sum(const { size_of::<A>() / size_of::<F>() }, |k| unsafe {
        (component(a, k), component(b, k))
    })
}

/// # Safety
/// Both are vectors of `F`.
#[inline(always)]
unsafe fn distance_of<F: Float + Mul<Output = F> + Sub<Output = F>, A, B>(a: &A, b: &B) -> F {
    sum(const { size_of::<A>() / size_of::<F>() }, |k| {
        // SAFETY: as the caller says.
        let d = unsafe { component::<F, A>(a, k) - component::<F, B>(b, k) };
        (d, d)
    })
}

/// The vector with each component changed.
///
/// # Safety
/// `V` and `R` are the same vector of `F`.
#[inline(always)]
unsafe fn map<F: Copy, V, R>(v: &V, f: impl Fn(F) -> F) -> R {
    let mut out = MaybeUninit::<R>::uninit();
    for k in 0..const { size_of::<V>() / size_of::<F>() } {
        // SAFETY: as the caller says; all components are written.
        unsafe { out.as_mut_ptr().cast::<F>().add(k).write(f(component(v, k))) };
    }
    // SAFETY: as above.
    unsafe { out.assume_init() }
}

macro_rules! scalars {
    ($(#[$doc:meta])* $name:ident($($x:ident: $X:ident),*) = $of:ident($a:ident $b:ident) $($root:ident)?) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<$($X: KernelType,)* R>(target: Target, $($x: &$X,)* plain: impl FnOnce() -> R) -> R {
            scalars!(@$of $name target plain $a $b [$($X)*] $($root)?)
        }
    };
    (@$of:ident $name:ident $target:ident $plain:ident $a:ident $b:ident [$A:ident] $($root:ident)?) => {
        scalars!(@$of $name $target $plain $a $b [$A $A] $($root)?)
    };
    (@$of:ident $name:ident $target:ident $plain:ident $a:ident $b:ident [$A:ident $B:ident] $($root:ident)?) => {{
        // A constant, so that no code is left of the other cases.
        if const { !are_vectors::<$A, $B>() } || !$target.fuses() {
            return $plain();
        }
        if const { $A::FLOATS.size() == 4 && size_of::<R>() == 4 } && same::<R, f32>() {
            // SAFETY: both are vectors of these floats, and the result is one.
            unsafe { transmute_copy(&$of::<f32, $A, $B>($a, $b)$(.$root())?) }
        } else if const { $A::FLOATS.size() == 8 && size_of::<R>() == 8 } && same::<R, f64>() {
            // SAFETY: as above.
            unsafe { transmute_copy(&$of::<f64, $A, $B>($a, $b)$(.$root())?) }
        } else {
            $plain()
        }
    }};
}

scalars! {
    /// `a.dot(b)`, which is `plain()`.
    dot(a: A, b: B) = dot_of(a b)
}
scalars! {
    /// `v.length_squared()`, which is `plain()`.
    length_squared(v: V) = dot_of(v v)
}
scalars! {
    /// `v.length()`, which is `plain()`.
    length(v: V) = dot_of(v v) sqrt
}
scalars! {
    /// `v.norm()`, which is `plain()`.
    norm(v: V) = dot_of(v v) sqrt
}
scalars! {
    /// `a.distance(b)`, which is `plain()`.
    distance(a: A, b: B) = distance_of(a b) sqrt
}
scalars! {
    /// `a.distance_squared(b)`, which is `plain()`.
    distance_squared(a: A, b: B) = distance_of(a b)
}

#[inline(always)]
unsafe fn normalized_of<F: Float + Mul<Output = F> + Div<Output = F>, V, R>(v: &V, root: impl Fn(F) -> F) -> R {
    // SAFETY: as the caller says.
    unsafe {
        let length = root(dot_of::<F, V, V>(v, v));
        map(v, |x: F| x / length)
    }
}

/// `v.normalized()`, which is `plain()`.
#[inline(always)]
pub fn normalized<V: KernelType, R>(target: Target, v: &V, plain: impl FnOnce() -> R) -> R {
    if const { !are_vectors::<V, V>() || size_of::<R>() != size_of::<V>() } || !target.fuses() || !same::<R, V>() {
        return plain();
    }
    // SAFETY: it is a vector of these floats, and so is the result of its method of this name.
    unsafe {
        if const { V::FLOATS.size() == 4 } {
            normalized_of::<f32, V, R>(v, f32::sqrt)
        } else {
            normalized_of::<f64, V, R>(v, f64::sqrt)
        }
    }
}

/// A vector of `f32` times `scale` of the square of its length; else `plain()`.
#[inline(always)]
pub(crate) fn scaled<V: KernelType, R>(
    target: Target,
    v: &V,
    scale: impl Fn(f32) -> f32,
    plain: impl FnOnce() -> R,
) -> R {
    let fits = const { are_vectors::<V, V>() && size_of::<R>() == size_of::<V>() && V::FLOATS.size() == 4 };
    if !fits || !target.fuses() || !same::<R, V>() {
        return normalized(target, v, plain);
    }
    // SAFETY: it is a vector of these floats, and so is the result.
    unsafe {
        let scale = scale(dot_of::<f32, V, V>(v, v));
        map(v, |x: f32| x * scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DVec2, Vec2};

    #[test]
    fn results_of_other_types_are_made_by_the_method() {
        let (a, b) = (Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0));
        assert_eq!(dot(Target::Fused, &a, &b, || 0.0_f32).to_bits(), 11.0_f32.to_bits());
        assert_eq!(dot(Target::Fused, &a, &b, || [7_u8; 4]), [7; 4]);
        let d = DVec2::new(3.0, 4.0);
        assert_eq!(length(Target::Fused, &d, || 0.0_f64).to_bits(), 5.0_f64.to_bits());
        assert_eq!(length(Target::Fused, &d, || [7_u8; 8]), [7; 8]);
        assert_eq!(normalized(Target::Fused, &d, || [7_u8; 16]), [7; 16]);
    }
}
