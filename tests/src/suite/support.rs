//! Running a kernel at many sizes, and comparing.

use std::fmt::Debug;

use swathe::__rt::FuncDef;
use swathe::codegen::{IndexWidth, Variant, cuda_source};
use swathe::prelude::*;

/// Lengths at which every kernel over one axis runs.
pub const SIZES: [usize; 5] = [0, 1, 3, 17, 1000];

/// Shapes at which every kernel over two axes runs.
pub const SHAPES: [[usize; 2]; 8] = [[0, 0], [0, 3], [4, 0], [1, 1], [1, 7], [3, 5], [17, 4], [31, 33]];

/// A kernel whose text stands here.
macro_rules! kernel_of_here {
    ($name:ident) => {
        #[kernel]
        pub fn $name(x: &Field<i32>, out: &mut Field<i32>) {
            for i in out.indices() {
                out[i] = x[i + 1];
            }
        }
    };
}
pub(crate) use kernel_of_here;

/// The place of the access in [`kernel_of_here!`] that is out of bounds.
pub const OF_HERE: (&str, u32) = (file!(), line!() - 8);

/// A kernel whose body stands where the macro is called.
macro_rules! kernel_of_there {
    ($x:ident $out:ident $body:block) => {
        #[kernel]
        pub fn of_there($x: &Field<i32>, $out: &mut Field<i32>) $body
    };
}
pub(crate) use kernel_of_there;

/// A kernel and a function whose text stands here but for what the macro is given. A name that it is given stands where it is called, too.
macro_rules! kernel_of_both {
    ($name:ident($x:ident, $out:ident, $i:ident, $by:ident) $part:block $value:expr; $func:ident($v:ident) $result:expr) => {
        #[func]
        fn $func($v: i32) -> i32 {
            let own = $v;
            assert!(own != 5);
            $result
        }

        #[kernel]
        pub fn $name($x: &Field<i32>, own: &Field<i32>, $out: &mut Field<i32>, $by: usize) {
            for $i in $out.indices() {
                let seen = $func(own[$i]);
                $part
                $out[$i] = $value + own[$i + 1] + seen;
            }
        }
    };
}
pub(crate) use kernel_of_both;

/// The assertion in [`kernel_of_both!`]. The kernel's loop begins 6 lines further down.
pub const OF_BOTH: (&str, u32) = (file!(), line!() - 17);

/// The same text as a kernel and as plain Rust.
macro_rules! twins {
    ($($name:ident($x:ident: $X:ty) -> $Y:ty $block:block)*) => {
        $(#[allow(unused_assignments)]
        mod $name {
            #[allow(clippy::wildcard_imports)]
            use super::*;

            #[kernel]
            pub fn kernel(x: &Field<$X>, out: &mut Field<$Y>) {
                for i in out.indices() {
                    let $x = x[i];
                    out[i] = $block;
                }
            }

            pub fn plain($x: $X) -> $Y $block
        })*
    };
}
pub(crate) use twins;

/// Names of kernels and their CUDA C, with positions of 32 and of 64 bits.
macro_rules! sources {
    ($($kernel:ty),* $(,)?) => {
        vec![$(
            (stringify!($kernel), <$kernel>::cuda_source()),
            (concat!(stringify!($kernel), " in 64 bits"), $crate::suite::support::wide_source::<$kernel>()),
        )*]
    };
}
pub(crate) use sources;

/// CUDA C of a kernel with positions of 64 bits.
pub fn wide_source<K: FuncDef>() -> swathe::Result<String> {
    let index = IndexWidth::Bits64;
    Ok(cuda_source(
        &K::load(),
        Variant {
            index,
            ..Variant::default()
        },
    )?
    .text)
}

/// Runs a kernel that computes one element of its second field from each element of its first, at all lengths.
macro_rules! each {
    ($device:expr, $kernel:expr, $input:expr, $expected:expr $(,)?) => {
        $crate::suite::support::run_each($device, stringify!($kernel), $input, $kernel, $expected)
    };
}
pub(crate) use each;

/// See the macro [`each!`].
pub fn run_each<A: Element, B: Element + Default + PartialEq + Debug>(
    device: &Device,
    name: &str,
    input: impl Fn(usize) -> A,
    kernel: impl Fn(&Field<A>, &mut Field<B>) -> swathe::Result<()>,
    expected: impl Fn(usize, A) -> B,
) {
    for n in SIZES {
        let values: Vec<A> = (0..n).map(&input).collect();
        let x = field(device, &values);
        let mut out = Field::full(device, n, B::default()).unwrap();
        kernel(&x, &mut out).unwrap_or_else(|e| panic!("{name}, {n} elements: {e}"));
        let expected = values.into_iter().enumerate().map(|(i, a)| expected(i, a)).collect();
        same(&format!("{name}, {n} elements"), &out, expected);
    }
}

/// A field of these values.
pub fn field<T: Element>(device: &Device, values: &[T]) -> Field<T> {
    Field::from_slice(device, values).unwrap()
}

/// Asserts that a field of one axis holds these values.
pub fn same<T: Element + PartialEq + Debug>(what: &str, got: &Field<T>, expected: Vec<T>) {
    equal(what, &got.to_vec().unwrap(), &expected);
}

/// Asserts that two lists are equal, naming the first difference.
#[track_caller]
pub fn equal<T: PartialEq + Debug>(what: &str, got: &[T], expected: &[T]) {
    assert_eq!(got.len(), expected.len(), "{what}: number of elements");
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert_eq!(got, expected, "{what}: element {i}");
    }
}

/// The result of a call when its kernel has ended: on a GPU the call itself returns before.
pub fn ended<T>(device: &Device, result: swathe::Result<T>) -> swathe::Result<T> {
    let value = result?;
    device.synchronize()?;
    Ok(value)
}

/// A number from -100 to 100, scattered.
pub fn scatter(i: usize) -> i32 {
    (i % 201 * 7919 + 31) as i32 % 201 - 100
}
