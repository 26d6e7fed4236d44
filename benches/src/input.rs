//! Inputs that every implementation of a workload makes alike, to the bit.

use crate::Failure;
use crate::bytes::Bytes;
use crate::size::Size;

/// The multiples of the golden ratio's inverse, modulo 1: (i * 2654435761 mod 2^32) / 2^32.
pub fn weyl(i: usize) -> f32 {
    let h = (i as u32).wrapping_mul(2_654_435_761);
    (f64::from(h) / 4_294_967_296.0) as f32
}

/// Integer hash by C. Wellons.
pub fn lowbias(x: u32) -> u32 {
    let x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    let x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// A number in 0..1 from a hash; exact as `f32`, too.
pub fn rnd(i: usize) -> f64 {
    f64::from(lowbias(i as u32) >> 8) / f64::from(1 << 24)
}

/// CRC-32 of the inputs' bytes, small and full: workload, input.
const CHECKSUMS: [(&str, &str, u32, u32); 17] = [
    ("saxpy", "x", 0x3173_96e9, 0x50a7_8018),
    ("saxpy", "y", 0xd2e3_2286, 0xdb89_c4ed),
    ("jacobi2d", "u", 0x012d_6294, 0x50a7_8018),
    ("nbody", "pos", 0xcc54_fd5c, 0x460c_4cb3),
    ("nbody", "mass", 0x9b99_cc73, 0x60b0_84d8),
    ("mpm2d", "x", 0x38cb_957d, 0xefe9_994c),
    ("mpm2d", "v", 0xa8e1_84b6, 0xf293_bb39),
    ("sum", "x", 0x3173_96e9, 0x50a7_8018),
    ("dot", "x", 0x3173_96e9, 0x50a7_8018),
    ("dot", "y", 0x7f5a_6b9a, 0xca81_4b9a),
    ("histogram", "keys", 0x564a_c7f4, 0xc128_7f42),
    ("mat3", "a", 0x64fc_6dae, 0x5d0e_0d89),
    ("mat3", "b", 0xb891_5c93, 0x1d7b_ab36),
    ("f32", "x", 0x3173_96e9, 0x50a7_8018),
    ("vec3", "x", 0x8443_5bc5, 0xdd4d_617e),
    ("struct", "id", 0x30ae_e8fd, 0x650a_af57),
    ("struct", "v", 0x0eff_7f16, 0xc174_55e1),
];

/// The values, if they are those that other implementations compute at their two sizes.
///
/// # Errors
/// [`Failure::Input`].
pub fn checked<T: Bytes>(
    workload: &'static str,
    input: &'static str,
    size: Size,
    values: Vec<T>,
) -> Result<Vec<T>, Failure> {
    let mut hasher = crc32fast::Hasher::new();
    for value in &values {
        value.each(&mut |word| hasher.update(&word));
    }
    let got = hasher.finalize();
    for (of, name, small, full) in CHECKSUMS {
        let expected = match size {
            Size::Elements(_) => got,
            _ => size.of(small, full),
        };
        if (of, name) == (workload, input) && expected != got {
            return Err(Failure::Input {
                workload,
                input,
                expected,
                got,
            });
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_element_is_found() {
        let values = |wrong: usize| (0..Size::Small.n()).map(move |i| if i == wrong { 0.5 } else { weyl(i) });
        assert!(checked("sum", "x", Size::Small, values(usize::MAX).collect()).is_ok());
        let failure = checked("sum", "x", Size::Small, values(8191).collect()).unwrap_err();
        assert!(failure.to_string().contains("expected 317396e9"), "{failure}");
    }

    #[test]
    fn the_generators_are_those_of_the_definition() {
        assert_eq!([weyl(0), weyl(1), weyl(2)], [0.0, 0.618_034, 0.236_067_98]);
        assert_eq!(rnd(0), 0.0);
        assert!(
            (0..1000)
                .map(rnd)
                .all(|x| (0.0..1.0).contains(&x) && f64::from(x as f32) == x)
        );
    }
}
