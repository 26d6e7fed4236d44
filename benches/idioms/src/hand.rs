//! Rust by hand, with the instructions that kernels have.

/// Functions that are compiled for the instruction sets that kernels are compiled for.
macro_rules! by_hand {
    ($($vis:vis fn $name:ident($data:tt: $arrays:ty) $(-> $result:ty)? $body:block)+) => {$(
        $vis fn $name(arrays: $arrays) $(-> $result)? {
            fn plain($data: $arrays) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,movbe")]
                fn avx2($data: $arrays) $(-> $result)? $body

                #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,movbe")]
                #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx512cd")]
                fn avx512($data: $arrays) $(-> $result)? $body

                match swathe::versions::Version::current() {
                    // SAFETY: the processor has them.
                    swathe::versions::Version::Avx512 => return unsafe { avx512(arrays) },
                    // SAFETY: the processor has them.
                    swathe::versions::Version::Avx2 => return unsafe { avx2(arrays) },
                    swathe::versions::Version::Baseline => {}
                }
            }
            plain(arrays)
        }
    )+};
}

/// The sum of a number for each position below `n`, in sixteen parts that vectorise.
#[inline(always)]
pub fn sum(n: usize, number: impl Fn(usize) -> f32) -> f32 {
    const LANES: usize = 16;
    let mut parts = [0.0; LANES];
    let whole = n - n % LANES;
    for start in (0..whole).step_by(LANES) {
        for (lane, part) in parts.iter_mut().enumerate() {
            *part += number(start + lane);
        }
    }
    let rest: f32 = (whole..n).map(number).sum();
    parts.iter().sum::<f32>() + rest
}

/// The largest of a number, not below 0, for each position below `n`, in sixteen parts that vectorise.
#[inline(always)]
pub fn largest(n: usize, number: impl Fn(usize) -> f32) -> f32 {
    const LANES: usize = 16;
    let mut parts = [0.0_f32; LANES];
    let whole = n - n % LANES;
    for start in (0..whole).step_by(LANES) {
        for (lane, part) in parts.iter_mut().enumerate() {
            let x = number(start + lane);
            *part = if x > *part { x } else { *part };
        }
    }
    (whole..n).map(number).chain(parts).fold(0.0, f32::max)
}

/// Elements that a thread takes at a time.
pub const CHUNK: usize = 1 << 15;
