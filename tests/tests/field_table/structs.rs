//! Elements that are structs, flat and nested, and dictionaries of arrays; members on their own.

use std::marker::PhantomData;

use ndarray::{ArrayD, ArrayViewD, Dim, Dimension, IxDyn};
use swathe::prelude::*;
use swathe::{AnyArray, ArrayScalar, Arrays, DType, External, FieldLayout, Result};

use crate::devices::devices;
use crate::elements::{other_type, shapes, spelled, wrong_shapes};
use crate::orders::{ORDERS, Order};
use crate::values::{Value, bytes};

/// Room before, between and after members, as their types will have it.
#[derive(Element, Clone, Copy)]
pub struct Flat<T> {
    a: i32,
    b: T,
    c: [T; 2],
}

#[derive(Element, Clone, Copy)]
pub struct Nested<T> {
    kind: u8,
    flat: Flat<T>,
    pairs: [Flat<T>; 2],
    last: T,
}

/// An array in the dictionary of a struct.
pub struct Leaf {
    path: &'static str,
    scalar: Scalar,
    /// Axes between those of the field and those of the part.
    axes: &'static [usize],
}

#[derive(Clone, Copy)]
enum Scalar {
    I32,
    U8,
    /// That of the part.
    Part,
}

const fn leaf(path: &'static str, scalar: Scalar, axes: &'static [usize]) -> Leaf {
    Leaf { path, scalar, axes }
}

/// A struct with parts of type `T`.
pub trait Parts<T>: Element {
    const NAME: &'static str;
    const LEAVES: &'static [Leaf];
    /// Paths of members of type `T`, and their leaves.
    const MEMBERS: &'static [(&'static str, usize)];

    /// Puts the bytes of each leaf into its list.
    fn read(&self, leaves: &mut [Vec<u8>]);
}

fn put<T: Element>(list: &mut Vec<u8>, value: &T) {
    // SAFETY: parts and scalars have no bytes beside their value.
    list.extend(unsafe { std::slice::from_raw_parts(std::ptr::from_ref(value).cast::<u8>(), size_of::<T>()) });
}

impl<T: Element> Parts<T> for Flat<T> {
    const NAME: &'static str = "Flat";
    const LEAVES: &'static [Leaf] = &[
        leaf("a", Scalar::I32, &[]),
        leaf("b", Scalar::Part, &[]),
        leaf("c", Scalar::Part, &[2]),
    ];
    const MEMBERS: &'static [(&'static str, usize)] = &[("b", 1)];

    fn read(&self, leaves: &mut [Vec<u8>]) {
        put(&mut leaves[0], &self.a);
        put(&mut leaves[1], &self.b);
        put(&mut leaves[2], &self.c);
    }
}

impl<T: Element> Parts<T> for Nested<T> {
    const NAME: &'static str = "Nested";
    const LEAVES: &'static [Leaf] = &[
        leaf("kind", Scalar::U8, &[]),
        leaf("flat.a", Scalar::I32, &[]),
        leaf("flat.b", Scalar::Part, &[]),
        leaf("flat.c", Scalar::Part, &[2]),
        leaf("pairs.a", Scalar::I32, &[2]),
        leaf("pairs.b", Scalar::Part, &[2]),
        leaf("pairs.c", Scalar::Part, &[2, 2]),
        leaf("last", Scalar::Part, &[]),
    ];
    const MEMBERS: &'static [(&'static str, usize)] = &[("flat.b", 2), ("last", 7)];

    fn read(&self, leaves: &mut [Vec<u8>]) {
        put(&mut leaves[0], &self.kind);
        self.flat.read(&mut leaves[1..4]);
        for pair in &self.pairs {
            pair.read(&mut leaves[4..7]);
        }
        put(&mut leaves[7], &self.last);
    }
}

/// A field of structs whose element and rank are unknown.
pub trait AnyField<S> {
    fn copy_from(&mut self, arrays: &Arrays<'_>) -> Result<()>;
    fn to_arrays(&self) -> Result<Arrays<'static>>;
    fn shape(&self) -> Vec<usize>;
    /// The bytes of each leaf.
    fn leaves(&self) -> Vec<Vec<u8>>;
    fn member_from(&mut self, path: &str, array: ArrayViewD<'_, S>) -> Result<()>;
    fn member_to(&self, path: &str, array: &mut ArrayD<S>) -> Result<()>;
    fn member_array(&self, path: &str) -> Result<ArrayD<S>>;
    fn member_fill(&mut self, path: &str, part: &[S]) -> Result<()>;
}

/// A field, and the part that its structs have.
struct Structs<E: Element, T, const D: usize, L: FieldLayout>(Field<E, D, L>, PhantomData<T>);

impl<S: Value, T: External<Scalar = S>, E: Parts<T>, const D: usize, L: FieldLayout> AnyField<S> for Structs<E, T, D, L>
where
    Dim<[usize; D]>: Dimension,
{
    fn copy_from(&mut self, arrays: &Arrays<'_>) -> Result<()> {
        self.0.copy_from_arrays(arrays)
    }

    fn to_arrays(&self) -> Result<Arrays<'static>> {
        self.0.to_arrays()
    }

    fn shape(&self) -> Vec<usize> {
        self.0.shape().to_vec()
    }

    fn leaves(&self) -> Vec<Vec<u8>> {
        let mut leaves = vec![Vec::new(); E::LEAVES.len()];
        for element in self.0.to_vec().unwrap() {
            element.read(&mut leaves);
        }
        leaves
    }

    fn member_from(&mut self, path: &str, array: ArrayViewD<'_, S>) -> Result<()> {
        self.0.member_mut::<T>(path)?.copy_from_ndarray(&array)
    }

    fn member_to(&self, path: &str, array: &mut ArrayD<S>) -> Result<()> {
        self.0.member::<T>(path)?.copy_to_ndarray(array)
    }

    fn member_array(&self, path: &str) -> Result<ArrayD<S>> {
        Ok(self.0.member::<T>(path)?.to_ndarray()?.into_dyn())
    }

    fn member_fill(&mut self, path: &str, part: &[S]) -> Result<()> {
        assert_eq!(size_of_val(part), size_of::<T>());
        // SAFETY: a part is its scalars in order.
        let part = unsafe { part.as_ptr().cast::<T>().read_unaligned() };
        self.0.member_mut::<T>(path)?.fill(part)
    }
}

type Boxed<S> = Box<dyn AnyField<S>>;

/// A row of the table: fields of one struct and rank.
pub struct Row<S> {
    name: &'static str,
    leaves: &'static [Leaf],
    members: &'static [(&'static str, usize)],
    /// The part.
    ty: String,
    /// Its axes.
    axes: &'static [usize],
    rank: usize,
    layout: &'static str,
    zeros: fn(&Device, &[usize]) -> Boxed<S>,
    from: fn(&Device, &Arrays<'_>) -> Result<Boxed<S>>,
}

pub fn row<S: Value, T: External<Scalar = S>, E: Parts<T>, const D: usize, L: FieldLayout + Default>(
    ty: &str,
    axes: &'static [usize],
    layout: &'static str,
) -> Row<S>
where
    Dim<[usize; D]>: Dimension,
{
    Row {
        name: E::NAME,
        leaves: E::LEAVES,
        members: E::MEMBERS,
        ty: spelled(ty),
        axes,
        rank: D,
        layout,
        zeros: |device, shape| {
            let shape: [usize; D] = std::array::from_fn(|k| shape[k]);
            let field = Field::<E, D>::zeros_in(device, shape, L::default()).unwrap();
            Box::new(Structs::<E, T, D, L>(field, PhantomData))
        },
        from: |device, arrays| {
            let field = Field::<E, D>::from_arrays(device, arrays)?.with_layout(L::default())?;
            Ok(Box::new(Structs::<E, T, D, L>(field, PhantomData)))
        },
    }
}

macro_rules! struct_ranks {
    ($($element:ident, $part:ty, $axes:expr;)*) => {
        [$($crate::structs::struct_layouts!($element, $part, $axes)),*].into_iter().flatten().collect::<Vec<_>>()
    };
}

macro_rules! struct_layouts {
    ($element:ident, $part:ty, $axes:expr) => {
        $crate::structs::struct_layouts! { $element, $part, $axes, Aos "": 0 1 3, Soa ", Soa": 1 2 4 }
    };
    ($element:ident, $part:ty, $axes:expr, $($layout:ident $shown:literal: $($rank:literal)*),*) => {
        [$($(
            $crate::structs::row::<_, $part, $crate::structs::$element<$part>, $rank, swathe::$layout>(
                stringify!($part), &$axes, $shown
            ),
        )*)*]
    };
}

macro_rules! struct_plain {
    ($t:ty) => {
        $crate::structs::struct_ranks! { Flat, $t, []; Nested, $t, []; }
    };
}

macro_rules! struct_one_rank {
    ($($element:ident, $part:ty, $axes:expr;)*) => {
        [$($crate::structs::struct_layouts!($element, $part, $axes, Aos "": 1, Soa ", Soa": 2)),*]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
}

macro_rules! struct_of_each_size {
    ($t:ty) => {
        $crate::structs::struct_blocks!($t, struct_ranks)
    };
}

macro_rules! struct_numbers {
    ($t:ty) => {
        $crate::structs::struct_blocks!($t, struct_one_rank)
    };
}

macro_rules! struct_blocks {
    ($t:ty, $ranks:ident) => {{
        use swathe::{Matrix, Vector};
        $crate::structs::$ranks! {
            Flat, Vector<$t, 3>, [3];
            Nested, $t, [];
            Nested, Matrix<$t, 3, 4>, [3, 4];
        }
    }};
}
pub(crate) use {
    struct_blocks, struct_layouts, struct_numbers as numbers, struct_of_each_size as of_each_size, struct_one_rank,
    struct_plain as plain, struct_ranks,
};

pub fn check<S: Value>(rows: &[Row<S>]) {
    for device in &devices() {
        for row in rows {
            for shape in shapes(row.rank) {
                row.accepts(device, shape);
                row.refuses(device, shape);
            }
        }
    }
}

/// The array of a leaf, and its bytes in row-major order.
fn array<S: Value>(scalar: Scalar, full: &[usize], salt: usize, order: Order) -> (AnyArray<'static>, Vec<u8>) {
    fn of<S: Value>(full: &[usize], order: Order, value: impl Fn(usize) -> S) -> (AnyArray<'static>, Vec<u8>) {
        let scalars: Vec<S> = (0..full.iter().product()).map(value).collect();
        (order.array(full, &scalars).into(), bytes(&scalars).to_vec())
    }
    match scalar {
        Scalar::I32 => of(full, order, |k| (k * 100_003 + salt) as i32 - 9),
        Scalar::U8 => of(full, order, |k| (k * 7 + salt) as u8),
        Scalar::Part => of(full, order, |k| S::nth(k + 31 * salt)),
    }
}

/// The bytes of an array in row-major order.
fn read<S: Value>(array: &AnyArray<'_>) -> Vec<u8> {
    fn of<S: ArrayScalar>(array: &AnyArray<'_>) -> Vec<u8> {
        let array = array.view::<S, IxDyn>().unwrap();
        assert!(array.is_standard_layout());
        bytes(array.as_slice().unwrap()).to_vec()
    }
    match array.dtype() {
        dtype if dtype == S::DTYPE => of::<S>(array),
        DType::I32 => of::<i32>(array),
        _ => of::<u8>(array),
    }
}

impl<S: Value> Row<S> {
    fn full(&self, shape: &[usize], leaf: &Leaf) -> Vec<usize> {
        match leaf.scalar {
            Scalar::Part => [shape, leaf.axes, self.axes].concat(),
            _ => [shape, leaf.axes].concat(),
        }
    }

    /// Arrays for all leaves, the last one first, and the bytes that they hold.
    fn arrays(&self, shape: &[usize], salt: usize, order: Order) -> (Arrays<'static>, Vec<Vec<u8>>) {
        let mut arrays = Arrays::new();
        let mut expected = Vec::new();
        for (k, leaf) in self.leaves.iter().enumerate().rev() {
            let (array, bytes) = array::<S>(leaf.scalar, &self.full(shape, leaf), salt + k, order);
            arrays.insert_path(leaf.path, array).unwrap();
            expected.insert(0, bytes);
        }
        (arrays, expected)
    }

    fn accepts(&self, device: &Device, shape: &[usize]) {
        for (salt, order) in ORDERS.into_iter().enumerate() {
            let context = || {
                format!(
                    "{}<{}>{} of shape {shape:?} on {device}, {order:?}",
                    self.name, self.ty, self.layout
                )
            };
            let (arrays, mut expected) = self.arrays(shape, salt, order);
            let mut field = (self.from)(device, &arrays).unwrap();
            assert_eq!(field.shape(), shape);
            assert!(field.leaves() == expected, "{}", context());
            field = (self.zeros)(device, shape);
            field.copy_from(&arrays).unwrap();
            assert!(field.leaves() == expected, "{}", context());

            let out = field.to_arrays().unwrap();
            let out = out.flat();
            assert_eq!(out.len(), self.leaves.len());
            for ((path, array), (leaf, expected)) in out.iter().zip(self.leaves.iter().zip(&expected)) {
                assert_eq!(
                    (path.as_str(), array.shape()),
                    (leaf.path, self.full(shape, leaf).as_slice())
                );
                assert!(read::<S>(array) == *expected, "{path} of {}", context());
            }

            for (path, at) in self.members {
                let full = [shape, self.axes].concat();
                let scalars: Vec<S> = (0..full.iter().product()).map(|k| S::nth(k + 501)).collect();
                field.member_from(path, order.array(&full, &scalars).view()).unwrap();
                expected[*at] = bytes(&scalars).to_vec();
                assert!(field.leaves() == expected, "{path} of {}", context());
                let array = field.member_array(path).unwrap();
                assert!(array.shape() == full && bytes(array.as_slice().unwrap()) == expected[*at]);
                let mut array = order.array(&full, &vec![S::nth(91); scalars.len()]);
                field.member_to(path, &mut array).unwrap();
                let written: Vec<S> = array.iter().copied().collect();
                assert!(bytes(&written) == expected[*at], "{path} of {}", context());
                let part: Vec<S> = (0..self.axes.iter().product()).map(|k| S::nth(k + 701)).collect();
                field.member_fill(path, &part).unwrap();
                let filled: Vec<S> = part.iter().cycle().take(scalars.len()).copied().collect();
                expected[*at] = bytes(&filled).to_vec();
                assert!(field.leaves() == expected, "{path} of {}, filled", context());
            }
        }
    }

    /// All that is wrong with a dictionary is said at once, and nothing changes.
    fn refuses(&self, device: &Device, shape: &[usize]) {
        let (arrays, expected) = self.arrays(shape, 5, Order::RowMajor);
        let mut field = (self.from)(device, &arrays).unwrap();
        let name = format!("Field<{}, {}{}>", self.name, self.rank, self.layout);
        let made = format!("Field<{}, {}>", self.name, self.rank);

        let (second, last) = (&self.leaves[1], &self.leaves[self.leaves.len() - 1]);
        let (other, got) = match second.scalar {
            Scalar::Part => other_type::<S>(&self.full(shape, second)),
            _ => other_type::<i32>(&self.full(shape, second)),
        };
        let dtype = if matches!(second.scalar, Scalar::Part) {
            S::DTYPE
        } else {
            DType::I32
        };
        for wrong in wrong_shapes(&self.full(shape, last)) {
            let mut arrays = Arrays::new();
            arrays.insert("colour", ArrayD::<u8>::zeros(IxDyn(shape)));
            arrays
                .insert_path(last.path, array::<S>(last.scalar, &wrong, 1, Order::RowMajor).0)
                .unwrap();
            arrays.insert_path(second.path, other.clone()).unwrap();
            for leaf in &self.leaves[2..self.leaves.len() - 1] {
                let full = self.full(shape, leaf);
                arrays
                    .insert_path(leaf.path, array::<S>(leaf.scalar, &full, 1, Order::RowMajor).0)
                    .unwrap();
            }
            let text = format!(
                "`{}` is missing; `{}`: expected scalars of type {dtype}, got {got}; `{}`: expected shape {:?}, got {wrong:?}; \
                 `colour` is not a member",
                self.leaves[0].path,
                second.path,
                last.path,
                self.full(shape, last)
            );
            let error = field.copy_from(&arrays).unwrap_err().to_string();
            let what = format!("copying arrays into {name} {{ shape: {shape:?}, device: {device} }}: ");
            assert_eq!(error, what + &text);
            let error = (self.from)(device, &arrays).err().unwrap().to_string();
            assert_eq!(error, format!("making a {made} of arrays: {text}"));
            assert!(field.leaves() == expected);
        }

        let full = [shape, self.axes].concat();
        for (path, _) in self.members {
            for wrong in wrong_shapes(&full) {
                let mut array = ArrayD::from_elem(IxDyn(&wrong), S::nth(3));
                let what = format!("a member of type {}, in a field of shape {shape:?}", self.ty);
                let text = format!("expected shape {full:?}, got {wrong:?}");
                let error = field.member_from(path, array.view()).unwrap_err().to_string();
                assert_eq!(error, format!("copying an array into {what}: {text}"));
                let error = field.member_to(path, &mut array).unwrap_err().to_string();
                assert_eq!(error, format!("copying {what}, into an array: {text}"));
                assert!(array.iter().all(|scalar| bytes(&[*scalar]) == bytes(&[S::nth(3)])));
                assert!(field.leaves() == expected);
            }
        }
    }
}
