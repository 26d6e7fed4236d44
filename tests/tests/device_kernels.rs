//! The runtime's own kernels make the random numbers that kernels of users make.

use swathe::random::Rng;
use swathe_device_kernels::plan::{self, Scalar};

fn filled<T: Copy>(zero: T, plan: impl Fn(u64) -> Vec<swathe_device_kernels::Launch>) -> Vec<T> {
    let mut numbers = vec![zero; 1000];
    for launch in plan(numbers.as_mut_ptr().expose_provenance() as u64) {
        // SAFETY: the memory is this test's, and as large as the plans say.
        unsafe { launch.run_on_host() };
    }
    numbers
}

#[test]
fn random_numbers_are_those_of_the_generator() {
    for (seed, first) in [
        (0, 0),
        (42, 17),
        (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210),
        (u64::MAX, u64::MAX - 3),
    ] {
        let streams = || (0..1000).map(|k| Rng::new(seed, u64::wrapping_add(first, k)));
        let words = filled(0_u32, |to| plan::random(Scalar::U32, to, 1000, seed, first));
        assert!(words.into_iter().eq(streams().map(|mut rng| rng.next_u32())));
        let words = filled(0_u64, |to| plan::random(Scalar::U64, to, 1000, seed, first));
        assert!(words.into_iter().eq(streams().map(|mut rng| rng.next_u64())));
        let floats = filled(0_f32, |to| {
            plan::uniform(Scalar::F32, to, 1000, (seed, first), (-3.0, 5.5))
        });
        assert!(floats.into_iter().eq(streams().map(|mut rng| rng.range_f32(-3.0, 5.5))));
        let floats = filled(0_f64, |to| {
            plan::uniform(Scalar::F64, to, 1000, (seed, first), (0.0, 1.0))
        });
        assert!(floats.into_iter().eq(streams().map(|mut rng| rng.next_f64())));
    }
}
