//! Data-parallel kernels as ordinary Rust functions, on all CPU cores and as CUDA C.
//!
//! A [`kernel`] is a function over typed [`Field`]s. Its outermost `for` loops are parallel; everything else in it is plain
//! Rust, typed by rustc. Calling it launches it on the device that its fields live on.
//!
//! ```
//! use swathe::prelude::*;
//!
//! #[derive(Element, Clone, Copy, Default)]
//! struct Body {
//!     pos: Vec3,
//!     vel: Vec3,
//!     mass: f32,
//! }
//!
//! #[func]
//! fn pull(a: Vec3, b: Vec3) -> Vec3 {
//!     let d = b - a;
//!     let r2 = d.length_squared() + 1e-4;
//!     d / (r2 * r2.sqrt())
//! }
//!
//! #[kernel]
//! fn gravity(bodies: &mut Field<Body>, dt: f32) {
//!     for i in bodies.indices() {
//!         let mut acc = Vec3::ZERO;
//!         for j in 0..bodies.len() {
//!             acc += pull(bodies[i].pos, bodies[j].pos) * bodies[j].mass;
//!         }
//!         bodies[i].vel += acc * dt;
//!     }
//!     for i in bodies.indices() {
//!         bodies[i].pos += bodies[i].vel * dt;
//!     }
//! }
//!
//! #[kernel]
//! fn kinetic_energy(bodies: &Field<Body>) -> f32 {
//!     let mut e = 0.0;
//!     for i in bodies.indices() {
//!         e += 0.5 * bodies[i].mass * bodies[i].vel.length_squared();
//!     }
//!     e
//! }
//!
//! # fn main() -> swathe::Result<()> {
//! let device = Device::default();
//! let mut bodies = Field::<Body>::zeros(&device, 3)?;
//! for i in 0..3 {
//!     bodies.set(i, Body { pos: Vec3::new(i as f32, 0.0, 0.0), mass: 1.0, ..Body::default() })?;
//! }
//! gravity(&mut bodies, 0.1)?;
//! assert!(kinetic_energy(&bodies)? > 0.0);
//! let positions = bodies.member::<Vec3>("pos")?.to_ndarray()?;
//! assert_eq!(positions.shape(), [3, 3]);
//! # Ok(())
//! # }
//! ```
//!
//! # What a kernel may do
//!
//! In a parallel loop, an iteration reads `&` fields anywhere, and of a `&mut` field it reads and writes its *own* element:
//! one whose index holds every position of the loop alone (`f[i]`, `f[[i, j]]`, a whole row `f[[i, k]]` of a loop
//! over `i`). Any element, or a member of it, may be changed by atomic operations, `f[k].atomic_add(x)`, `f[k].mass.atomic_add(x)`, as
//! long as the loop does not also touch that member plainly. A variable declared before the loop can be accumulated into (`+=`, `*=`, `min`, `max`, `&=`, `|=`, `^=`; also `s = x + s`), and so can its members and items, `s.mass += x`, `s[0] += x`: a
//! reduction, with the same result for any number of threads. Anything else that iterations could do to one another
//! is a compile error, or needs an `unsafe` block. Members of a struct count separately, so the first loop above may read all
//! positions while it writes velocities.
//!
//! Every access is in bounds: by the loop's domain, by one comparison before the loop, or by a check in place. An access
//! that fails its check ends its iteration without writing; the others go on, and the call returns
//! [`Error::OutOfBounds`].
//!
//! # Builds
//!
//! Kernels are compiled with the crate that they stand in. Without optimisation, cargo's default for `cargo run`, they are hundreds of times slower than with
//! `--release`: write `opt-level = 1` under `[profile.dev]` in the crate's `Cargo.toml`.
//!
//! # Devices
//!
//! [`Device::default`] is the first NVIDIA GPU that can be used, else the CPU; [`Device::cuda`] says what is missing if there is
//! none. The GPU's driver (version 525 or newer) and NVRTC 12 or 13 are looked for when the program runs; nothing of CUDA is needed
//! to build it. At its first launch on a GPU a kernel is compiled, which `kernel::precompile(&device)` does in advance, and kept
//! on disk. A launch returns at once. What fails in the kernel is told, once, by the next call that waits for the device:
//! reading a field, a kernel with a result, [`Device::synchronize`]. A [`Graph`] replays a sequence of launches; a [`Stream`] lets
//! kernels run at the same time, and an [`Event`] measures how long they take.
//!
//! | variable | |
//! |---|---|
//! | `SWATHE_CACHE_DIR` | folder of compiled kernels, otherwise `swathe` in the user's folder for caches |
//! | `SWATHE_CACHE=0` | no such folder |
//! | `SWATHE_CACHE_SIZE` | limit of that folder in MiB, otherwise 1024; what was used longest ago is removed |
//! | `SWATHE_NVRTC` | file of the NVRTC library, otherwise looked for on the loader's path, in `CUDA_HOME` and in `/usr/local/cuda*` |
//! | `SWATHE_PRINT_PLACES` | `1`: what kernels print begins with kernel, place and iteration |
//! | `SWATHE_CHECK` | `1`: kernels verify what their `unsafe` blocks claim, as by [`Device::checked`] |
//! | `SWATHE_INDEX_BITS` | `64`: positions are computed in 64 bits on GPUs, also where 32 are enough |
//! | `SWATHE_CPU` | `baseline`, `avx2`: use no better instructions of an x86-64 processor than these; otherwise the best that it has |
//! | `SWATHE_CUDA_LIBRARY` | file of a library in the place of the driver's; its SONAME has to be `libcuda.so` |
//!
//! # Features
//!
//! None is on by default.
//!
//! | feature | |
//! |---|---|
//! | `npy` | NumPy's files: [`Field::write_npy`](Field#method.write_npy), `read_npy`, and `.npz` for fields of structs |
//! | `serde` | `Serialize` and `Deserialize` for fields, vectors, matrices and quaternions |
//! | `bytemuck` | `Pod` for vectors, matrices and quaternions, so that slices of scalars and slices of them are cast into each other |
//! | `glam`, `nalgebra` | `From` and `Into` between their vectors, matrices and quaternions and ours |
//!
//! # Numbers
//!
//! Floats are IEEE 754 without fast-math. Integers wrap in release builds and on a GPU; in a debug build rustc's overflow checks
//! hold and give [`Error::KernelPanic`], also in the parts of a reduction: a part may overflow where the whole does not. Where the parts are combined they wrap, so that a sum of few
//! elements may overflow unseen. Integer division by zero is an [`Error::KernelFailure`]. `as` saturates, as everywhere in Rust. The methods of
//! scalars that kernels have are listed in [`math`].

extern crate self as swathe;

#[cfg(not(target_pointer_width = "64"))]
compile_error!("swathe needs a 64-bit target: `usize` has 64 bits in kernels, and positions are told apart by it");

/// The README's program, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The page on arrays, likewise.
#[cfg(doctest)]
#[doc = include_str!("../../docs/arrays.md")]
struct ArraysPage;

#[cfg(doctest)]
mod guide;

#[doc(hidden)]
#[path = "rt.rs"]
pub mod __rt;
mod access;
#[doc(hidden)]
pub mod codegen;
mod collision;
mod complex;
#[doc(hidden)]
pub mod cpu;
mod cuda;
pub mod derivative;
mod device;
mod devices;
pub mod element;
mod error;
pub mod expression;
mod field;
#[doc(hidden)]
pub mod host;
#[doc(hidden)]
pub mod kernel;
#[doc(hidden)]
pub mod launch;
pub mod math;
#[doc(hidden)]
pub mod numbers;
mod parameter;
pub mod prelude;
pub mod random;
mod recording;
mod stream;
pub mod types;
#[doc(hidden)]
pub mod versions;

pub use access::layout::{Aos, FieldLayout, Interleaved, Layout, Planar, Soa, Strided};
pub use access::offset::SignedPosition;
pub use access::{MAX_RANK, Position};
pub use codegen::{DeviceCheck, DevicePhase, DevicePlan, PhaseKind};
pub use collision::{AccessKind, CollidingAccess, Collision};
pub use cuda::Graph;
pub use device::{Device, MemoryInfo};
pub use element::dtype::DType;
#[doc(hidden)]
pub use element::external::Axes;
pub use element::external::External;
pub use element::{Element, KernelType};
pub use error::{ArrayFault, CodegenError, CudaError, Error, Result};
pub use expression::{Expr, index, number};
#[cfg(feature = "serde")]
pub use field::FieldSeed;
pub use field::dlpack;
pub use field::{
    AnyArray, ArrayOf, ArrayScalar, Arrays, Cast, Dot, DotOperand, DotRanks, DotTarget, Entry, Factor, Field, FieldId,
    FieldView, FieldViewMut, IndexNumber, Integer, Member, MemberMut, Number, OffsetField, OffsetView, Real, Tolerance,
    concatenate, copies_on_write, stack,
};
/// Sixteen-bit floats, of the crate [`half`]: numbers like the others, in fields, vectors and kernels. Arithmetic and methods compute in
/// `f32` and round, on every device; a NaN stays a NaN, with what bits is open.
///
/// There are no literals and no `as`: `f16::from_f32(x)`, `h.to_f32()`, `f16::ONE`.
///
/// ```
/// use swathe::prelude::*;
/// use swathe::{Vector, bf16, f16};
///
/// #[kernel]
/// fn blend(x: &Field<Vector<f16, 3>>, weight: f16, out: &mut Field<bf16>) {
///     for i in out.indices() {
///         let v = x[i] * weight + f16::ONE;
///         out[i] = bf16::from_f32(v.norm().to_f32());
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::cpu();
/// let v = Vector::<f16, 3>::new(f16::from_f32(2.0), f16::ZERO, f16::from_f32(2.0));
/// let x = Field::from_slice(&device, &[v, v])?;
/// let mut out = Field::zeros(&device, 2)?;
/// blend(&x, f16::from_f32(0.5), &mut out)?;
/// assert_eq!(out.get(1)?, bf16::from_f32(3.0));
/// # Ok(())
/// # }
/// ```
pub use half::{bf16, f16};
pub use kernel::checks::{CheckedAccess, Checks, Coverage};
pub use kernel::domain::{ndrange, serial};
pub use kernel::plan::{LoopPlan, Plan, Reach, Remark, Technique};
pub use kernel::rank::{Dim, OneLess, OneMore};
/// Complex numbers, of the crate [`num_complex`]: `Complex<f32>` and `Complex<f64>` in fields and kernels, also in structs and arrays.
///
/// In kernels they have
///
/// - `Complex::<f32>::new(re, im)` and `Complex { re, im }`, `.re` and `.im` to read and to write, `from_polar`, `cis`, and constants;
/// - `+ - * /` with a complex or real number, which a literal on the left may be too, `+=` and its like, `==`, `!=` and negation;
/// - the crate's methods: `conj`, `norm`, `norm_sqr`, `l1_norm`, `arg`, `to_polar`, `scale`, `unscale`, `inv`, `finv`, `fdiv`, `powi`, `powu`,
///   `powf`, `powc`, `exp`, `exp2`, `expf`, `ln`, `log`, `log2`, `log10`, `sqrt`, `cbrt`, `sin`, `cos`, `tan`, `sinh`, `cosh`, `tanh`, the inverse of
///   these six, `is_nan`, `is_finite`, `is_infinite`;
/// - sums in parallel loops, and `atomic_add` and `atomic_sub` of fields, part by part as for vectors.
///
/// A CUDA device computes all this by the crate's formulas, with the functions of real numbers as
/// [`swathe::math`](crate::math) has them; with `#[kernel(strict)]` what consists of `+ - * /` gives the same bits everywhere.
///
/// A field of complex numbers is exchanged with an array of them, of the same shape: in NumPy's files `complex64` and
/// `complex128`.
///
/// ```
/// use ndarray::Array2;
/// use swathe::Complex;
/// use swathe::prelude::*;
///
/// /// A plane wave, and the mean of what it adds to.
/// #[kernel]
/// fn add_wave(u: &mut Field<Complex<f32>, 2>, k: Vec2, amplitude: f32) -> Complex<f32> {
///     let mut sum = Complex::<f32>::new(0.0, 0.0);
///     for [i, j] in u.indices() {
///         let phase = k.x * i as f32 + k.y * j as f32;
///         u[[i, j]] += amplitude * Complex::<f32>::new(phase.cos(), phase.sin());
///         if u[[i, j]].norm() > 2.0 {
///             u[[i, j]].im = 0.0;
///         }
///         sum += u[[i, j]];
///     }
///     sum / u.len() as f32
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let start = Array2::from_elem((3, 5), Complex::new(0.5_f32, -1.0));
/// let mut u = Field::<Complex<f32>, 2>::from_ndarray(&Device::default(), &start)?;
/// let mean = add_wave(&mut u, Vec2::ZERO, 0.25)?;
/// assert_eq!(mean, Complex::new(0.75, -1.0));
/// assert_eq!(u.to_ndarray()?, start + Complex::new(0.25, 0.0));
/// # Ok(())
/// # }
/// ```
pub use num_complex::Complex;
pub use parameter::elements::{elements, elements_mut};
pub use parameter::{Argument, ArgumentMut, Parameter};
pub use stream::{Event, Stream};
/// Makes a struct, or an enum without data, usable in kernels and as an element of fields.
///
/// A struct's members are elements themselves (scalars, vectors, matrices, arrays, structs, enums), and it is `Copy`. A tuple struct has members `.0`, `.1`, ..
/// A member `PhantomData<U>` takes no memory, and `U` need not be an element: a unit, say.
///
/// ```
/// use swathe::prelude::*;
///
/// #[derive(Element, Clone, Copy)]
/// struct Ray {
///     origin: Vec3,
///     direction: Vec3,
///     samples: [f32; 4],
/// }
///
/// #[derive(Element, Clone, Copy)]
/// struct Meters(f32);
///
/// #[kernel]
/// fn far(rays: &Field<Ray>, out: &mut Field<Meters>) {
///     for i in out.indices() {
///         let Meters(before) = out[i];
///         out[i] = Meters(before.max(rays[i].origin.length()));
///     }
/// }
/// # fn main() {}
/// ```
///
/// # `==` and `default()`
/// `#[element(PartialEq, Default)]` implements these traits as `#[derive(PartialEq, Default)]` does, member by member, on the host and in
/// kernels. It stands in the place of the derive: that one cannot be told from an implementation by hand, which a device does not have.
/// Members need `==` and `default()` that kernels can call: numbers, vectors, matrices, arrays and structs with this attribute have them, and
/// structs with `#[func]` above `impl PartialEq` and `impl Default`.
/// A constant that is such a struct cannot stand in a pattern, in kernels or outside: rustc takes only constants of types with
/// `#[derive(PartialEq)]`, which stands instead of `#[element(PartialEq)]`. Write `c if c == NONE` there.
///
/// ```
/// use swathe::prelude::*;
///
/// #[derive(Element, Clone, Copy, Debug)]
/// #[element(PartialEq, Default)]
/// struct Cell {
///     kind: u8,
///     rates: [f32; 3],
/// }
///
/// #[kernel]
/// fn clear(cells: &mut Field<Cell>, from: Cell) -> u32 {
///     let mut count = 0;
///     for i in cells.indices() {
///         if cells[i] == from {
///             cells[i] = Cell::default();
///             count += 1;
///         }
///     }
///     count
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let full = Cell { kind: 2, rates: [0.5, 1.0, 1.5] };
/// let mut cells = Field::from_slice(&Device::cpu(), &[full, Cell { kind: 1, ..full }, full])?;
/// assert_eq!(clear(&mut cells, full)?, 2);
/// assert_eq!(cells.get(2)?, Cell::default());
/// # Ok(())
/// # }
/// ```
///
/// # Enums
/// An enum is an element if its values hold no data. It derives `Copy` and `PartialEq`, and one of its values is 0, as which fields begin. It may
/// have discriminants and a `repr` of up to 64 bits, and takes as much memory as rustc gives it: a byte, mostly.
///
/// Kernels have its values by their paths, `match`, `matches!`, `==`, `!=`, and `as` integers; its methods under `#[func]`.
///
/// ```
/// use swathe::prelude::*;
///
/// #[derive(Element, Clone, Copy, Debug, PartialEq)]
/// enum Site {
///     Fluid,
///     Wall,
///     Inflow,
/// }
///
/// #[func]
/// impl Site {
///     fn is_open(self) -> bool {
///         self != Site::Wall
///     }
/// }
///
/// /// Sets what is known of the density, and counts the sites of each kind.
/// #[kernel]
/// fn set(sites: &Field<Site>, density: &mut Field<f32>, count: &mut Field<u32>) {
///     for i in density.indices() {
///         density[i] = match sites[i] {
///             Site::Fluid => density[i],
///             Site::Inflow => 1.0,
///             Site::Wall => 0.0,
///         };
///         count[sites[i] as usize].atomic_add(1);
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::cpu();
/// let mut sites = Field::zeros(&device, 4)?;
/// assert_eq!(sites.get(0)?, Site::Fluid);
/// sites.set(1, Site::Wall)?;
/// sites.set(3, Site::Inflow)?;
/// let (mut density, mut count) = (Field::full(&device, 4, 0.5)?, Field::zeros(&device, 3)?);
/// set(&sites, &mut density, &mut count)?;
/// assert_eq!(density.to_vec()?, [0.5, 0.0, 0.5, 1.0]);
/// assert_eq!(count.to_vec()?, [2, 1, 1]);
/// # Ok(())
/// # }
/// ```
///
/// In dictionaries of arrays and in files an enum that is a member of a struct is its integer. What is imported is compared with the enum's
/// values: [`ArrayFault::Value`]. A field of an enum itself is set from slices and arrays of the enum.
pub use swathe_macros::Element;
/// Makes a function callable from kernels; it stays an ordinary function.
///
/// It stands above a free function (which may be generic), above an `impl` block, for all its methods, or above a trait
/// whose methods kernels call through a type parameter; an implementation of an operator makes the operator usable.
///
/// ```
/// use std::ops::Mul;
/// use swathe::prelude::*;
///
/// #[derive(Element, Clone, Copy)]
/// struct Complex {
///     re: f32,
///     im: f32,
/// }
///
/// #[func]
/// impl Complex {
///     fn norm_squared(self) -> f32 {
///         self.re * self.re + self.im * self.im
///     }
/// }
///
/// #[func]
/// impl Mul for Complex {
///     type Output = Complex;
///
///     fn mul(self, other: Complex) -> Complex {
///         Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
///     }
/// }
///
/// #[func]
/// fn square<T: Float>(x: T) -> T {
///     x * x
/// }
///
/// #[kernel]
/// fn norms(z: &Field<Complex>, out: &mut Field<f32>) {
///     for i in out.indices() {
///         out[i] = square((z[i] * z[i]).norm_squared());
///     }
/// }
/// # fn main() {}
/// ```
///
/// # Fields
/// A free function reads fields that a kernel lends it: its parameter is `&Field<T, D>`, and takes what the kernel has for that, or an array
/// of `ndarray` of this element type and rank. The kernel must not write the field. An access out of bounds ends the iteration, with the
/// function's line and name of the field. Where an index is a parameter and a number, the kernel knows most of a row to be in bounds, as if
/// the function's text stood in it. The host calls such a function with fields of the CPU, their views and references to them.
///
/// ```
/// use swathe::prelude::*;
///
/// #[func]
/// fn laplace(u: &Field<f32, 2>, i: usize, j: usize) -> f32 {
///     u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - 4.0 * u[[i, j]]
/// }
///
/// #[kernel]
/// fn diffuse(u: &Field<f32, 2>, dt: f32, out: &mut Field<f32, 2>) {
///     for [i, j] in u.interior(1) {
///         out[[i, j]] = u[[i, j]] + dt * laplace(u, i, j);
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let u = Field::from_fn(&Device::cpu(), [3, 3], |[i, j]| (i * i + 2 * j) as f32)?;
/// let mut out = Field::zeros(&Device::cpu(), [3, 3])?;
/// diffuse(&u, 0.5, &mut out)?;
/// assert_eq!(out.get([1, 1])?, 3.0 + 0.5 * laplace(&u, 1, 1));
/// # Ok(())
/// # }
/// ```
///
/// # Inlining
/// In builds that are optimised a function becomes part of each loop that calls it, so that the loop is vectorised and compiled with all instructions of the
/// processor. A free function that is very long with the free functions that it calls stands once, out of the loops. With `#[cold]`, or an `#[inline]` of
/// one's own in any form, a function is inlined as it is in Rust: that is for methods that call one another many times, whose calls are not counted.
pub use swathe_macros::func;
/// Makes a function a kernel, launched by calling it.
///
/// Its parameters are fields, `&Field<T, D>` or `&mut Field<T, D>`, arrays of `ndarray` (`&Array2<f32>`, `&mut Array2<f32>`,
/// `ArrayView2<f32>`, `ArrayViewMut2<f32>`, ..), and values: scalars, vectors, matrices, arrays, structs. The call has the same
/// signature with the result wrapped in [`Result`], and runs where the fields live. Without fields it runs on
/// [`Device::default`] if there are arrays, else on the CPU.
///
/// In a kernel that takes `&OffsetField<T, D>` positions of that field are `isize` and start at its origin, at -1 for instance: see
/// [`OffsetField`].
///
/// For a parameter `&Field` a part of a field can be passed too: a slice, a row, a transpose, one member of structs ([`FieldView`]);
/// for an array every view of one, with any strides. [`Argument`] lists what suits. Arrays are used in place on the CPU; for a GPU
/// they are copied there, and back if they are written.
///
/// ```
/// use ndarray::{Array2, s};
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn smooth(u: &Field<f32, 2>, out: &mut Array2<f32>) {
///     let w = u.shape()[1];
///     for [i, j] in out.indices() {
///         if j + 1 < w {
///             out[[i, j]] = 0.5 * (u[[i, j]] + u[[i, j + 1]]);
///         }
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let u = Field::<f32, 2>::full(&Device::cpu(), [4, 6], 3.0)?;
/// let mut out = Array2::zeros([2, 6]);
/// smooth(&u.slice(s![..;2, ..])?, &mut out)?;
/// // Only a part of the array, and the transpose of the field.
/// smooth(&u.t(), &mut out.slice_mut(s![.., ..;-2]))?;
/// assert_eq!(out.sum(), 36.0);
/// # Ok(())
/// # }
/// ```
///
/// Every `for` loop that stands directly in the body is parallel: over `field.indices()`, over `field.interior(width)`, which leaves out
/// what is nearer than `width` to the first or last position of an axis, over a range `a..b`, or over
/// [`ndrange`]`([n, m])`, also of ranges, `ndrange([1..n, 0..m])`. They run one after the other, and the statements between them once.
/// `for i in` [`serial`]`(a..b)` stays on one thread. Ranges have `.step_by(n)`; where there is one thread, and in loops inside of loops, also
/// `.rev()`, in front of the steps or behind them.
///
/// Neighbours beyond the ends of an axis have a rule each: `u[[i.periodic(-1, h), j]]`, or `clamped`, `reflected`, `symmetric` of
/// [`Boundary`](math::Boundary). Most of a row runs without the rule and without a check.
///
/// Inside, loops also run over the items of an array. Values are taken apart by patterns of tuples, arrays and structs, and several
/// places are assigned at once. `std::mem::swap(&mut a, &mut b)`, `std::mem::replace(&mut a, value)` and `std::mem::take(&mut a)` exchange
/// variables and parts of them.
///
/// A closure is the value of a variable, by which it is called: `let f = |x: f32| x * a + b;`. The types of its parameters are written, and that of
/// its result where only the calls would tell it. It reads variables around it that are not `mut`, and fields that the kernel does not write. Each
/// call stands for the closure's text.
///
/// ```
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn ordered(x: &mut Field<[f32; 2]>, scale: f32) {
///     let scaled = |v: f32| v * scale;
///     for i in x.indices() {
///         let [mut low, mut high] = x[i];
///         if low > high {
///             std::mem::swap(&mut low, &mut high);
///         }
///         x[i] = [scaled(low), scaled(high)];
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let mut x = Field::from_slice(&Device::cpu(), &[[3.0, 1.0], [0.5, 2.0]])?;
/// ordered(&mut x, 2.0)?;
/// assert_eq!(x.to_vec()?, [[2.0, 6.0], [1.0, 4.0]]);
/// # Ok(())
/// # }
/// ```
///
/// A `match` compares with integers, booleans, constants and ranges, in tuples and structs, too:
///
/// ```
/// use swathe::prelude::*;
///
/// #[derive(Element, Clone, Copy)]
/// struct Body {
///     kind: u8,
///     at: Vec2,
///     mass: f32,
/// }
///
/// const AROUND: [[isize; 2]; 4] = [[0, 1], [1, 0], [0, -1], [-1, 0]];
///
/// #[kernel]
/// fn around(bodies: &Field<Body>, swapped: &mut Field<Vec2>, sums: &mut Field<f32>) {
///     for i in bodies.indices() {
///         let Body { at, mass, .. } = bodies[i];
///         let (mut x, mut y) = (at.x, at.y);
///         (x, y) = (y, x);
///         let mut sum = match bodies[i] {
///             Body { kind: 0, .. } => 0.0,
///             Body { kind: 1..=9, mass, .. } if mass > 1.0 => mass,
///             _ => -1.0,
///         };
///         for [dx, dy] in AROUND {
///             sum += mass * (x * dx as f32 + y * dy as f32).abs();
///         }
///         (swapped[i], sums[i]) = (Vec2::new(x, y), sum);
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let bodies = Field::from_slice(&Device::cpu(), &[Body { kind: 3, at: Vec2::new(1.0, 3.0), mass: 2.0 }])?;
/// let (mut swapped, mut sums) = (Field::zeros(&Device::cpu(), 1)?, Field::zeros(&Device::cpu(), 1)?);
/// around(&bodies, &mut swapped, &mut sums)?;
/// assert_eq!(swapped.get(0)?, Vec2::new(3.0, 1.0));
/// assert_eq!(sums.get(0)?, 18.0);
/// # Ok(())
/// # }
/// ```
///
/// `a * b + c` is *contracted*: one instruction that rounds once, on a GPU and in parallel loops on processors that have it (x86-64 with FMA,
/// Arm), for floats and vectors and matrices of them, and in `dot`, `length`, `distance`, their squares and `normalized` of vectors. Other processors, debug builds, bodies of functions, and loops whose indices are
/// checked in place round twice, so that the last bits of a result may differ between processors and builds; the number of threads makes no
/// difference. On a GPU `a * b * p` for a constant power of two `p` may round once, too, which differs where `a * b` is infinite or below the
/// least normal number. `#[kernel(strict)]` forbids contraction: `+`, `-`, `*`, `/` and `sqrt` then give the same bits everywhere; sums of floats over a parallel loop have an order on the CPU, and another one on GPUs. `a.mul_add(b, c)`
/// rounds once everywhere.
///
/// `#[kernel(fast_math)]` also approximates divisions and square roots of `f32`; nothing else changes, and sums keep their order. On processors
/// where that pays (x86-64 with AVX-512) `a / x.sqrt()` is within 2 units of the last place, `a / (b * x.sqrt())`, where `a / b` is a normal number (beyond, it may be 0 or infinite early), within 3, `a / (x * x.sqrt())`, where `x` is a variable,
/// within 3.5 for `x` between 10^-25 and 10^25 (beyond, it may be 0 or infinite early); on all processors that contract `v.normalized()` of vectors of `f32` is within 4. NaN gives NaN, as a negative `x` does; an
/// infinite `x` gives 0, and one below all normal numbers, or a zero of any sign, counts as 0. Everything else is what it is by default. A GPU computes with NVRTC's option
/// `--use_fast_math`: divisions, roots and functions of `f32` (`sin`, `exp`, `powf`, ..) are the device's approximate ones, with the errors that NVIDIA
/// documents (those of `sin` and `cos` grow with the argument), quotients by more than 2^126 are 0, and numbers below all normal ones are 0. `f64` is what it is by default.
///
/// ```
/// use swathe::prelude::*;
///
/// #[kernel(fast_math)]
/// fn unit(v: &Field<Vec3>, out: &mut Field<Vec3>) {
///     for i in out.indices() {
///         out[i] = v[i] * (1.0 / v[i].dot(v[i]).sqrt());
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let v = Field::from_slice(&Device::cpu(), &[Vec3::new(3.0, 0.0, -4.0)])?;
/// let mut out = Field::zeros(&Device::cpu(), 1)?;
/// unit(&v, &mut out)?;
/// assert!((out.get(0)? - Vec3::new(0.6, 0.0, -0.8)).norm() < 1e-6);
/// # Ok(())
/// # }
/// ```
///
/// ```
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn diffuse(u: &Field<f64, 2>, out: &mut Field<f64, 2>, rate: f64) -> f64 {
///     let [h, w] = u.shape();
///     let mut change = 0.0_f64;
///     for [i, j] in out.indices() {
///         if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
///             let sum = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
///             let d = rate * (sum - 4.0 * u[[i, j]]);
///             out[[i, j]] = u[[i, j]] + d;
///             change = change.max(d.abs());
///         }
///     }
///     change
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::cpu();
/// let mut u = Field::zeros(&device, [5, 7])?;
/// u.set([2, 3], 8.0)?;
/// let mut out = Field::zeros(&device, [5, 7])?;
/// assert_eq!(diffuse(&u, &mut out, 0.125)?, 4.0);
/// assert_eq!(out.get([2, 3])?, 4.0);
/// assert_eq!(out.get([1, 3])?, 1.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The call returns [`Error::DeviceMismatch`] if its fields are on different devices, [`Error::OutOfBounds`] if an access
/// failed its check, [`Error::Collision`] if iterations collide where an `unsafe` block is verified ([`Device::checked`]), [`Error::KernelFailure`] for an `assert!` or `panic!` of the kernel or of a function that it calls, and for a
/// division of integers that has no result, a loop with a step of zero or a range that has wrapped around, and [`Error::KernelPanic`] for an index beyond a local array, or, in a debug build,
/// an overflow.
///
/// ```
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn invert(x: &Field<f32>, out: &mut Field<f32>) {
///     for i in out.indices() {
///         assert!(x[i] != 0.0, "x[{i}] is {:.1}", x[i]);
///         out[i] = 1.0 / x[i];
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let x = Field::from_slice(&Device::cpu(), &[4.0, 0.0, 0.5])?;
/// let mut out = Field::zeros(&Device::cpu(), 3)?;
/// let error = invert(&x, &mut out).unwrap_err();
/// assert!(matches!(&error, Error::KernelFailure { message, count: 1, .. } if message == "x[1] is 0.0"));
/// assert_eq!(out.to_vec()?, [0.25, 0.0, 2.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Printing
/// `println!`, `print!`, `eprintln!`, `eprint!` and `dbg!` print scalars, vectors, matrices and arrays of these, from kernels and `#[func]`s on every device,
/// with Rust's format strings. Not among them, and refused, are widths and precisions that are arguments, `{:#?}`, `{:x?}` and `{:02x?}`, `{:E}` and `{:p}`.
/// Vectors are written by `{}` and `{:?}`, matrices and arrays by `{:?}`; of tuples, structs and complex numbers write the members.
///
/// Each text is written once and as a whole. Those of one iteration come in
/// their order; between iterations of a parallel loop there is none.
///
/// On the CPU the thread that calls the kernel writes them: its own at once, those of other threads between its parts of a loop and at its end. On a GPU the next call that waits writes them (a copy to the host, a kernel with a result,
/// [`Device::synchronize`]). Between two such calls there is room for a mebibyte, 8 bytes for each text and each number in it; a
/// line on the standard error says how many texts had none. One text there holds up to 64 numbers. What was not waited for when the program ends is not written. Where several threads wait at once, one of them writes for all,
/// so that a text may come a little after the call that waited for it.
///
/// With the environment variable `SWATHE_PRINT_PLACES=1` each text begins with kernel, place and iteration.
///
/// ```
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn invert(x: &Field<f32>, out: &mut Field<f32>) {
///     for i in out.indices() {
///         if x[i] == 0.0 {
///             println!("x[{i}] is {:.1}", x[i]);
///         }
///         out[i] = 1.0 / dbg!(x[i] + 1.0);
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let x = Field::from_slice(&Device::cpu(), &[3.0, 0.0])?;
/// let mut out = Field::zeros(&Device::cpu(), 2)?;
/// invert(&x, &mut out)?;
/// assert_eq!(out.to_vec()?, [0.25, 1.0]);
/// # Ok(())
/// # }
/// ```
///
/// A parallel loop that prints is neither in lanes nor in transposed blocks; a kernel that does not print pays nothing.
///
/// # Contracts
/// A kernel with a contract for its callers is an `unsafe fn`; in it, `unsafe` blocks stand as in any Rust function.
///
/// ```
/// use swathe::prelude::*;
///
/// /// # Safety
/// /// Every number in `from` is below the length of `x`.
/// #[kernel]
/// unsafe fn gather(x: &Field<f32>, from: &Field<u32>, out: &mut Field<f32>) {
///     for i in out.indices() {
///         // SAFETY: by the caller's word.
///         out[i] = unsafe { *x.get_unchecked(from[i] as usize) };
///     }
/// }
/// ```
pub use swathe_macros::kernel;
pub use types::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4, Matrix, Quat, Quaternion,
    UVec2, UVec3, UVec4, Vec2, Vec3, Vec4, Vector,
};
