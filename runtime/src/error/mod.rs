//! What can go wrong.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

pub(crate) mod codegen;
pub(crate) mod cuda;

use crate::collision::Collision;
use crate::element::dtype::DType;

pub use self::codegen::CodegenError;
pub use self::cuda::CudaError;

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A result with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call into swathe failed. Nothing was written by a call that fails before its work starts; a kernel that fails
/// on some elements has worked on the others.
///
/// As `Debug` it is its sentence, too: what `fn main() -> swathe::Result<()>` ends with, and `unwrap`.
///
/// ```
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn shift(x: &Field<i32>, y: &mut Field<i32>) {
///     for i in y.indices() {
///         y[i] = x[i.wrapping_sub(2)];
///     }
/// }
///
/// let x = Field::from_slice(&Device::cpu(), &[5, 7, 9])?;
/// let error = shift(&x, &mut Field::zeros(&Device::cpu(), 3)?).unwrap_err();
/// let sentence = "kernel `shift` accessed `x` at [-2], outside its shape [3] (and 1 more failure)";
/// assert!(error.to_string().ends_with(sentence), "{error}");
/// assert_eq!(format!("{error:?}"), error.to_string());
/// # Ok::<(), swathe::Error>(())
/// ```
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two shapes differ that have to be equal.
    #[error("{what}: expected shape {expected}, got {got:?}")]
    Shape {
        /// What was attempted, and on what.
        what: String,
        /// The shape needed; `_` stands for any length.
        expected: String,
        /// The shape that came.
        got: Vec<usize>,
    },
    /// Two operands of an expression have shapes that do not join.
    #[error(
        "`{operator}` of shapes {left:?} and {right:?}: on axis {axis} of the result, {} and {} do not join; lengths have to be equal, or one of them 1",
        length_in(left, right, *axis),
        length_in(right, left, *axis)
    )]
    Broadcast {
        /// The operator or method.
        operator: &'static str,
        /// Shape of its first operand.
        left: Vec<usize>,
        /// Shape of the other operand.
        right: Vec<usize>,
        /// The axis of the result at which they differ.
        axis: usize,
    },
    /// The expression of the elements in [`Field::update`](crate::Field::update) was kept, and used after or outside of the call.
    #[error("the elements that `update` gives to its closure are used outside of that call")]
    OutsideUpdate,
    /// An array does not lie in memory as it has to.
    #[error("{what}: {reason}, in strides {strides:?}")]
    Strides {
        /// What was attempted, and on what.
        what: String,
        /// The array's strides.
        strides: Vec<isize>,
        /// Why.
        reason: String,
    },
    /// A part of a field that is none.
    #[error("slicing shape {shape:?}: {reason}")]
    Slice {
        /// The shape of what is cut.
        shape: Vec<usize>,
        /// Why.
        reason: String,
    },
    /// A position outside a field, in a call from the host.
    #[error("no element at {:?} in a field of shape {shape:?}", signed(index))]
    Index {
        /// The position.
        index: Vec<usize>,
        /// The field's shape.
        shape: Vec<usize>,
    },
    /// A position outside of a field, among those of a call.
    #[error("{what}: the position at {at:?} is {position}, not in 0..{length}")]
    Position {
        /// What was attempted, and on what.
        what: String,
        /// Which of the positions: the first one in row-major order that is wrong.
        at: Vec<usize>,
        /// What it is.
        position: i128,
        /// How many elements, or places along an axis, there are.
        length: usize,
    },
    /// A position outside an offset field, in a call from the host.
    #[error("no element at {index:?}: {}", out_of_range(index, ranges))]
    OutOfRange {
        /// The position.
        index: Vec<isize>,
        /// The field's positions along each axis.
        ranges: Vec<Range<isize>>,
    },
    /// An origin from which on a field's positions would overflow.
    #[error(
        "a field of shape {shape:?} cannot start at {origin:?}: its positions would be larger than an `isize` can be"
    )]
    Origin {
        /// The position of the first element.
        origin: Vec<isize>,
        /// The field's shape.
        shape: Vec<usize>,
    },
    /// A kernel accessed an offset field out of bounds. The access was left out: nothing was read or written there.
    #[error(
        "{file}:{line}:{column}: kernel `{kernel}` accessed `{field}` at {index:?}: {}{}",
        out_of_range(index, ranges),
        more_failures(*count)
    )]
    OffsetOutOfBounds {
        /// The kernel.
        kernel: &'static str,
        /// Source file of the access.
        file: &'static str,
        /// Line of the access, from 1.
        line: u32,
        /// Column of the access, from 1.
        column: u32,
        /// The parameter that holds the field.
        field: &'static str,
        /// The position.
        index: Box<[isize]>,
        /// The field's positions along each axis.
        ranges: Box<[Range<isize>]>,
        /// Number of failures in this call, this one included: accesses, and what [`Error::KernelFailure`] tells of.
        count: usize,
    },
    /// A kernel accessed a field out of bounds. The access was left out: nothing was read or written there.
    #[error(
        "{file}:{line}:{column}: kernel `{kernel}` accessed `{field}` at {:?}, outside its shape {shape:?}{}",
        signed(index),
        more_failures(*count)
    )]
    OutOfBounds {
        /// The kernel.
        kernel: &'static str,
        /// Source file of the access.
        file: &'static str,
        /// Line of the access, from 1.
        line: u32,
        /// Column of the access, from 1.
        column: u32,
        /// The parameter that holds the field.
        field: &'static str,
        /// The position. The sentence shows as negative what arithmetic took below zero.
        index: Box<[usize]>,
        /// The field's shape.
        shape: Box<[usize]>,
        /// Number of failures in this call, this one included: accesses, and what [`Error::KernelFailure`] tells of.
        count: usize,
    },
    /// A kernel failed by its own word, `assert!` or `panic!`, divided an integer by zero, or began a loop with a step of zero. The
    /// iteration ended there: it wrote nothing after that. Or a parallel loop has more than 2^56 positions, as a range has whose end has wrapped
    /// around: it was left out.
    #[error("{file}:{line}:{column}: kernel `{kernel}` failed: {message}{}", more_failures(*count))]
    KernelFailure {
        /// The kernel.
        kernel: &'static str,
        /// Source file of what failed, which may stand in a function.
        file: &'static str,
        /// Line of it, from 1.
        line: u32,
        /// Column of it, from 1.
        column: u32,
        /// What it says.
        message: String,
        /// Number of failures in this call, this one included, also of accesses.
        count: usize,
    },
    /// Two iterations of a parallel loop accessed the same memory, one of them writing, which an `unsafe` block said would not
    /// happen: found by [`Device::checked`]. All accesses were made, in some order.
    #[error(transparent)]
    Collision(Box<Collision>),
    /// A kernel panicked on the CPU: an array index out of bounds, or, in a build with overflow checks, an arithmetic
    /// overflow.
    #[error("{file}:{line}: kernel `{kernel}` panicked: {message}")]
    KernelPanic {
        /// The kernel.
        kernel: &'static str,
        /// Source file of the kernel.
        file: &'static str,
        /// Line of the kernel's name, from 1; on a device that of the index.
        line: u32,
        /// The panic's message.
        message: String,
    },
    /// A graph cannot record this.
    #[error("{what} cannot be captured in a graph: {reason}")]
    NotCapturable {
        /// What the captured code did.
        what: String,
        /// Why that is no part of a graph.
        reason: &'static str,
    },
    /// A tape cannot record this: what came of it would count as a constant.
    #[error("{what} cannot be recorded on a tape: {reason}")]
    NotRecordable {
        /// What the recorded code did.
        what: String,
        /// Why a tape has no derivative of it, and what to write instead.
        reason: &'static str,
    },
    /// A seed is not of the type of the field whose way back begins with it.
    #[error("the seed of {field} is {seed}: expected elements of the same type in the same layout")]
    Seed {
        /// The field.
        field: String,
        /// The seed.
        seed: String,
    },
    /// The state of a tape of steps is not what it was.
    #[error("the state of a tape of steps is another one: {reason}")]
    State {
        /// How it differs.
        reason: String,
    },
    /// Derivatives differ from differences, in [`gradcheck`](crate::derivative::gradcheck).
    #[error("{} of {checked} derivatives differ from differences:\n{}", failures.len(), failures.join("\n"))]
    GradientCheck {
        /// How many derivatives were compared.
        checked: usize,
        /// A line for each that differs.
        failures: Vec<String>,
    },
    /// There is no derivative with respect to a field.
    #[error("there is no gradient of {field}: {reason}")]
    NoGradient {
        /// The field.
        field: String,
        /// Why, and what to write instead.
        reason: &'static str,
    },
    /// The arguments of a kernel lie on different devices.
    #[error("kernel `{kernel}`: `{first}` is on {first_device}, but `{second}` is on {second_device}")]
    DeviceMismatch {
        /// The kernel.
        kernel: &'static str,
        /// The first argument with a device.
        first: &'static str,
        /// Its device.
        first_device: &'static str,
        /// The first argument on another device.
        second: &'static str,
        /// Its device.
        second_device: &'static str,
    },
    /// Two things of different devices, where one device is needed.
    #[error("{what}: expected both on {expected}, but one is on {got}")]
    OtherDevice {
        /// What was attempted.
        what: &'static str,
        /// The device of the first.
        expected: &'static str,
        /// The device of the second.
        got: &'static str,
    },
    /// CUDA is missing, or a call of it failed.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// A text that names no device.
    #[error("`{name}` is no device: write `auto`, `cpu`, `cuda` or `cuda:N`")]
    UnknownDevice {
        /// The text.
        name: String,
    },
    /// A device that runs no kernels.
    #[error("kernel `{kernel}` cannot run on {device}")]
    NoKernels {
        /// The kernel.
        kernel: &'static str,
        /// The device.
        device: String,
    },
    /// Elements that are wanted where they are, and are not on the host.
    #[error("{what} is not on the host: copy it, `to_vec` or `to_ndarray`")]
    NotOnHost {
        /// The field.
        what: String,
    },
    /// The system does not tell.
    #[error("{what} is not known on this system")]
    Unknown {
        /// What was asked for.
        what: &'static str,
    },
    /// A device, or the host, has no memory left for an allocation.
    #[error("out of memory: {bytes} bytes on {place}")]
    OutOfMemory {
        /// Size of the allocation.
        bytes: usize,
        /// The device, or the host.
        place: String,
    },
    /// A shape holds more bytes than an address can count, or more than 2^52 elements without size.
    #[error("shape {shape:?} with elements of {element_size} bytes is larger than memory can be")]
    SizeOverflow {
        /// The shape.
        shape: Vec<usize>,
        /// Size of one element in bytes.
        element_size: usize,
    },
    /// An element needs more alignment than the memory of fields has.
    #[error("`{ty}` is aligned to {align} bytes; an element of a field is to 64 at most")]
    Alignment {
        /// Type of the element.
        ty: String,
        /// Its alignment in bytes.
        align: usize,
    },
    /// An element has no such member.
    #[error("`{ty}` has no member `{name}`; {}", members(known))]
    MemberNotFound {
        /// The type that was searched.
        ty: String,
        /// The name.
        name: String,
        /// The members that there are.
        known: Vec<String>,
    },
    /// A member has another type.
    #[error("member `{path}` of `{ty}` is of type `{found}`, not `{asked}`")]
    MemberType {
        /// The element's type.
        ty: String,
        /// The member's path.
        path: String,
        /// Its type.
        found: String,
        /// The type that was asked for.
        asked: String,
    },
    /// An array has scalars of another type.
    #[error("{what}: expected scalars of type {expected}, got {got}")]
    DType {
        /// What was attempted, and on what.
        what: String,
        /// The type needed.
        expected: DType,
        /// The type that came.
        got: DType,
    },
    /// An array has another number of axes.
    #[error("expected an array of {}, got shape {shape:?}", axes(*expected))]
    Rank {
        /// Number of axes needed.
        expected: usize,
        /// The array's shape.
        shape: Vec<usize>,
    },
    /// A dictionary has no array at this path.
    #[error("there is no array `{}`; {}", start_of(path), arrays(known))]
    ArrayNotFound {
        /// The path.
        path: String,
        /// The paths of the arrays that there are.
        known: Vec<String>,
    },
    /// A dictionary cannot take an array at this path.
    #[error("no array can be put at `{}`: {reason}", start_of(path))]
    ArrayPath {
        /// The path.
        path: String,
        /// What is in the way.
        reason: String,
    },
    /// Arrays do not fit the members of an element; all that is wrong is listed.
    #[error("{what}: {}", list(faults))]
    Arrays {
        /// What was attempted, and on what.
        what: String,
        /// What is wrong, in the order of the members, then of the arrays.
        faults: Vec<ArrayFault>,
    },
    /// An element without members, where those of a struct are needed.
    #[error("`{ty}` has no members to exchange with a dictionary of arrays; use `{instead}`")]
    NoMembers {
        /// The element's type.
        ty: String,
        /// The method for elements of scalars.
        instead: &'static str,
    },
    /// A file could not be read or written.
    #[error("{action} {}: {reason}", path.display())]
    File {
        /// "reading" or "writing".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A DLPack tensor cannot be what is asked for.
    #[error("{what}: {reason}")]
    DlPack {
        /// What was attempted, and on what.
        what: String,
        /// Why it cannot be.
        reason: String,
    },
    /// A kernel cannot run on a CUDA device.
    #[error(transparent)]
    Codegen(#[from] CodegenError),
}

/// What is wrong with a position, on the first axis that it leaves.
/// Numbers that no index has are what was below zero.
fn signed(index: &[usize]) -> Vec<isize> {
    index.iter().map(|i| i.cast_signed()).collect()
}

fn out_of_range(index: &[isize], ranges: &[Range<isize>]) -> String {
    let mut axes = index.iter().zip(ranges).enumerate();
    match axes.find(|(_, (i, range))| !range.contains(i)) {
        Some((axis, (i, range))) => format!("index {i} is out of range {range:?} of axis {axis}"),
        None => format!("its positions are {ranges:?}"),
    }
}

/// The length of a shape at an axis of what it joins into with another one.
fn length_in(of: &[usize], other: &[usize], axis: usize) -> usize {
    let missing = other.len().saturating_sub(of.len());
    axis.checked_sub(missing)
        .and_then(|axis| of.get(axis))
        .copied()
        .unwrap_or(1)
}

fn more_failures(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => " (and 1 more failure)".to_owned(),
        n => format!(" (and {} more failures)", n - 1),
    }
}

fn members(known: &[String]) -> String {
    if known.is_empty() {
        return "it has no members".to_owned();
    }
    format!("it has `{}`", known.join("`, `"))
}

fn axes(count: usize) -> String {
    match count {
        1 => "1 axis".to_owned(),
        n => format!("{n} axes"),
    }
}

fn arrays(known: &[String]) -> String {
    if known.is_empty() {
        return "there are none".to_owned();
    }
    let known: Vec<String> = known.iter().map(|name| start_of(name)).collect();
    format!("there are `{}`", known.join("`, `"))
}

/// As much of a name as a message has room for.
pub(crate) fn start_of(name: &str) -> String {
    match name.char_indices().nth(100) {
        Some((end, _)) => format!("{}..", &name[..end]),
        None => name.to_owned(),
    }
}

fn list(faults: &[ArrayFault]) -> String {
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

/// What is wrong with one of the arrays for a struct's members.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayFault {
    /// A member has no array.
    #[error("`{path}` is missing")]
    Missing {
        /// The member's path.
        path: String,
    },
    /// An array has no member.
    #[error("`{}` is not a member", start_of(path))]
    Extra {
        /// The array's path.
        path: String,
    },
    /// An array has another shape than its member needs.
    #[error("`{path}`: expected shape {expected}, got {got:?}")]
    Shape {
        /// The member's path.
        path: String,
        /// The shape needed; `_` stands for any length.
        expected: String,
        /// The shape that came.
        got: Vec<usize>,
    },
    /// An array has scalars of another type than its member.
    #[error("`{path}`: expected scalars of type {expected}, got {got}")]
    DType {
        /// The member's path.
        path: String,
        /// The type needed.
        expected: DType,
        /// The type that came.
        got: DType,
    },
    /// An array for a member that is an enum has a number that is none of the enum's values.
    #[error("`{path}`: {got} is no value of the enum `{expected}`")]
    Value {
        /// The member's path.
        path: String,
        /// The enum.
        expected: String,
        /// The first number that is no value of it.
        got: i128,
    },
    /// The type has no member with an array, which would tell the field's shape.
    #[error(
        "no member has numbers, so the arrays do not tell the field's shape; make the field, and use `copy_from_arrays`"
    )]
    NoShape,
    /// An array came for a member that is a struct.
    #[error("`{path}`: expected the arrays of a struct, got one array")]
    NotStruct {
        /// The member's path.
        path: String,
    },
    /// A dictionary came for a member that is no struct.
    #[error("`{path}`: expected one array, got the arrays of a struct")]
    NotArray {
        /// The member's path.
        path: String,
    },
}

impl Error {
    /// Whether iterations of a kernel failed, which has worked on the others.
    pub(crate) fn is_of_iterations(&self) -> bool {
        matches!(
            self,
            Error::OutOfBounds { .. }
                | Error::OffsetOutOfBounds { .. }
                | Error::KernelFailure { .. }
                | Error::Collision(_)
                // On a device: of a local array's index.
                | Error::KernelPanic { .. }
        )
    }

    /// An access of a kernel out of bounds, at that distance from the origin of a field, or of an offset field.
    pub(crate) fn out_of_bounds(at: FailedAccess, index: &[usize], shape: &[usize], origin: Option<&[isize]>) -> Error {
        let FailedAccess {
            kernel,
            file,
            line,
            column,
            field,
            count,
        } = at;
        let Some(origin) = origin else {
            return Error::OutOfBounds {
                kernel,
                file,
                line,
                column,
                field,
                index: index.into(),
                shape: shape.into(),
                count,
            };
        };
        let index = index.iter().zip(origin);
        let ranges = origin.iter().zip(shape);
        Error::OffsetOutOfBounds {
            kernel,
            file,
            line,
            column,
            field,
            index: index.map(|(i, start)| start.wrapping_add_unsigned(*i)).collect(),
            ranges: ranges
                .map(|(start, extent)| *start..start.wrapping_add_unsigned(*extent))
                .collect(),
            count,
        }
    }

    pub(crate) fn shape(what: impl Into<String>, expected: impl std::fmt::Debug, got: &[usize]) -> Error {
        Error::Shape {
            what: what.into(),
            expected: format!("{expected:?}"),
            got: got.to_vec(),
        }
    }
}

/// Where a kernel's access failed.
pub(crate) struct FailedAccess {
    pub kernel: &'static str,
    pub file: &'static str,
    pub line: u32,
    pub column: u32,
    pub field: &'static str,
    pub count: usize,
}
