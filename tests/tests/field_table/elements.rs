//! Elements that are scalars or blocks of them, and arrays.

use std::path::Path;

use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD, Dim, Dimension, IxDyn};
use swathe::{AnyArray, ArrayScalar, DType, Device, External, Field, FieldLayout, Result};

use crate::devices::devices;
use crate::orders::{ORDERS, Order};
use crate::values::{Value, bytes};

/// A field whose element and rank are unknown.
pub trait AnyField<S> {
    fn copy_from(&mut self, array: ArrayViewD<'_, S>) -> Result<()>;
    fn copy_from_any(&mut self, array: &AnyArray<'_>) -> Result<()>;
    fn copy_from_any_cast(&mut self, array: &AnyArray<'_>) -> Result<()>;
    fn copy_to(&self, array: ArrayViewMutD<'_, S>) -> Result<()>;
    fn to_array(&self) -> Result<ArrayD<S>>;
    fn write_npy(&self, path: &Path) -> Result<()>;
    /// Sets every element to the one that consists of these scalars.
    fn fill(&mut self, element: &[S]) -> Result<()>;
    fn shape(&self) -> Vec<usize>;
    /// All scalars, in order.
    fn scalars(&self) -> Vec<S>;
}

impl<S: Value, T: External<Scalar = S>, const D: usize, L: FieldLayout> AnyField<S> for Field<T, D, L>
where
    Dim<[usize; D]>: Dimension,
{
    fn copy_from(&mut self, array: ArrayViewD<'_, S>) -> Result<()> {
        self.copy_from_ndarray(&array)
    }

    fn copy_from_any(&mut self, array: &AnyArray<'_>) -> Result<()> {
        self.copy_from_any(array)
    }

    fn copy_from_any_cast(&mut self, array: &AnyArray<'_>) -> Result<()> {
        self.copy_from_any_cast(array)
    }

    fn copy_to(&self, mut array: ArrayViewMutD<'_, S>) -> Result<()> {
        self.copy_to_ndarray(&mut array)
    }

    fn to_array(&self) -> Result<ArrayD<S>> {
        Ok(self.to_ndarray()?.into_dyn())
    }

    fn write_npy(&self, path: &Path) -> Result<()> {
        self.write_npy(path)
    }

    fn fill(&mut self, element: &[S]) -> Result<()> {
        assert_eq!(size_of_val(element), size_of::<T>());
        // SAFETY: such an element is its scalars in order.
        self.fill(unsafe { element.as_ptr().cast::<T>().read_unaligned() })
    }

    fn shape(&self) -> Vec<usize> {
        self.shape().to_vec()
    }

    fn scalars(&self) -> Vec<S> {
        let elements = self.to_vec().unwrap();
        let len = size_of_val(elements.as_slice()) / size_of::<S>();
        // SAFETY: such an element is its scalars in order.
        unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), len) }.to_vec()
    }
}

type Boxed<S> = Box<dyn AnyField<S>>;

/// A row of the table: fields of one element and rank.
pub struct Row<S> {
    /// The element.
    pub ty: String,
    /// Its axes.
    pub axes: Vec<usize>,
    pub rank: usize,
    /// Its layout, if that is not the usual one.
    pub layout: &'static str,
    pub zeros: fn(&Device, &[usize]) -> Boxed<S>,
    pub from: fn(&Device, ArrayViewD<'_, S>) -> Result<Boxed<S>>,
    pub from_any: fn(&Device, &AnyArray<'_>) -> Result<Boxed<S>>,
    pub read_npy: fn(&Device, &Path) -> Result<Boxed<S>>,
}

/// `layout` is how errors name it.
pub fn row<S: Value, T: External<Scalar = S>, const D: usize, L: FieldLayout + Default>(
    ty: &str,
    axes: &[usize],
    layout: &'static str,
) -> Row<S>
where
    Dim<[usize; D]>: Dimension,
{
    fn boxed<S: Value, T: External<Scalar = S>, const D: usize, L: FieldLayout + Default>(
        field: Field<T, D>,
    ) -> Result<Boxed<S>>
    where
        Dim<[usize; D]>: Dimension,
    {
        Ok(Box::new(field.with_layout(L::default())?))
    }
    Row {
        ty: spelled(ty),
        axes: axes.to_vec(),
        rank: D,
        layout,
        zeros: |device, shape| {
            let shape: [usize; D] = std::array::from_fn(|k| shape[k]);
            Box::new(Field::<T, D>::zeros_in(device, shape, L::default()).unwrap())
        },
        from: |device, array| Field::<T, D>::from_ndarray(device, &array).and_then(boxed::<S, T, D, L>),
        from_any: |device, array| Field::<T, D>::from_any(device, array).and_then(boxed::<S, T, D, L>),
        read_npy: |device, path| Field::<T, D>::read_npy(device, path).and_then(boxed::<S, T, D, L>),
    }
}

/// A type's tokens as people write them.
pub fn spelled(tokens: &str) -> String {
    tokens.replace(" < ", "<").replace(" >", ">").replace(" ;", ";")
}

macro_rules! ranks {
    ($($element:ty, $axes:expr;)*) => {
        [$($crate::elements::layouts!($element, $axes)),*].into_iter().flatten().collect::<Vec<_>>()
    };
}

// Every rank, and both layouts, which meet in one axis alone: a row takes rustc as long as a small program. Of blocks of scalars one type of each size
// has all of that, the others have one rank of each layout.
macro_rules! layouts {
    ($element:ty, $axes:expr) => {
        $crate::elements::layouts! { $element, $axes, Aos "": 0 1 3, Soa ", Soa": 1 2 4 }
    };
    ($element:ty, $axes:expr, $($layout:ident $shown:literal: $($rank:literal)*),*) => {
        [$($(
            $crate::elements::row::<_, $element, $rank, swathe::$layout>(stringify!($element), &$axes, $shown),
        )*)*]
    };
}

macro_rules! plain {
    ($t:ty) => {
        $crate::elements::ranks! { $t, []; [$t; 3], [3]; [[$t; 3]; 2], [2, 3]; }
    };
}

macro_rules! of_each_size {
    ($t:ty) => {
        $crate::elements::blocks!($t, ranks)
    };
}

macro_rules! numbers {
    ($t:ty) => {
        $crate::elements::blocks!($t, one_rank)
    };
}

macro_rules! one_rank {
    ($($element:ty, $axes:expr;)*) => {
        [$($crate::elements::layouts!($element, $axes, Aos "": 1, Soa ", Soa": 2)),*]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
}

macro_rules! blocks {
    ($t:ty, $ranks:ident) => {{
        use swathe::{Matrix, Vector};
        let mut rows = $crate::elements::ranks! { $t, []; };
        rows.extend($crate::elements::$ranks! {
            Vector<$t, 1>, [1];
            Vector<$t, 2>, [2];
            Vector<$t, 3>, [3];
            Vector<$t, 4>, [4];
            Vector<$t, 5>, [5];
            Matrix<$t, 1, 1>, [1, 1];
            Matrix<$t, 2, 2>, [2, 2];
            Matrix<$t, 3, 4>, [3, 4];
            [Vector<$t, 3>; 2], [2, 3];
        });
        rows
    }};
}
pub(crate) use {blocks, layouts, numbers, of_each_size, one_rank, plain, ranks};

/// Shapes of fields, by their rank.
pub fn shapes(rank: usize) -> &'static [&'static [usize]] {
    match rank {
        0 => &[&[]],
        1 => &[&[0], &[1], &[17]],
        2 => &[&[3, 5], &[3, 0], &[4, 7]],
        3 => &[&[2, 5, 3], &[0, 1, 4]],
        _ => &[&[2, 1, 3, 3], &[2, 0, 3, 0]],
    }
}

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

fn same<S: Value>(got: &[S], expected: &[S], context: impl Fn() -> String) {
    assert!(
        bytes(got) == bytes(expected),
        "{}: {got:?} instead of {expected:?}",
        context()
    );
}

impl<S: Value> Row<S> {
    /// Shape of the array of a field of this shape.
    pub fn full(&self, shape: &[usize]) -> Vec<usize> {
        [shape, &self.axes].concat()
    }

    fn accepts(&self, device: &Device, shape: &[usize]) {
        let full = self.full(shape);
        let scalars: Vec<S> = (0..full.iter().product()).map(S::nth).collect();
        for order in ORDERS {
            let context = || format!("{}{} of shape {shape:?} on {device}, {order:?}", self.ty, self.layout);
            let array = order.array(&full, &scalars);
            let made = (self.from)(device, array.view()).unwrap();
            assert_eq!(made.shape(), shape);
            same(&made.scalars(), &scalars, context);
            let any = AnyArray::from(&array);
            same(&(self.from_any)(device, &any).unwrap().scalars(), &scalars, context);

            let mut field = (self.zeros)(device, shape);
            field.copy_from(array.view()).unwrap();
            same(&field.scalars(), &scalars, context);
            let element: Vec<S> = (0..self.axes.iter().product()).map(|k| S::nth(300 + k)).collect();
            field.fill(&element).unwrap();
            let filled: Vec<S> = element.iter().cycle().take(scalars.len()).copied().collect();
            same(&field.scalars(), &filled, context);
            field.copy_from_any(&any).unwrap();
            same(&field.scalars(), &scalars, context);
            field.fill(&element).unwrap();
            field.copy_from_any_cast(&any).unwrap();
            same(&field.scalars(), &scalars, context);

            let out = field.to_array().unwrap();
            assert!(out.is_standard_layout() && out.shape() == full, "{}", context());
            same(out.as_slice().unwrap(), &scalars, context);

            // What lies between the positions of an array stays.
            let mut memory = order.memory(&full, S::nth(401));
            let mut expected = memory.clone();
            field.copy_to(order.of(memory.view_mut())).unwrap();
            order
                .of(expected.view_mut())
                .iter_mut()
                .zip(&scalars)
                .for_each(|(at, scalar)| *at = *scalar);
            same(memory.as_slice().unwrap(), expected.as_slice().unwrap(), context);
        }
    }

    /// Other shapes and types; after each, nothing has changed.
    fn refuses(&self, device: &Device, shape: &[usize]) {
        let full = self.full(shape);
        let scalars: Vec<S> = (0..full.iter().product()).map(|k| S::nth(k + 3)).collect();
        let mut field = (self.zeros)(device, shape);
        field.copy_from(Order::RowMajor.array(&full, &scalars).view()).unwrap();
        let ty = format!("Field<{}, {}{}>", self.ty, self.rank, self.layout);
        let name = format!("{ty} {{ shape: {shape:?}, device: {device} }}");
        let making = format!("making a Field<{}, {}> of an array", self.ty, self.rank);
        let unknown = vec!["_".to_owned(); self.rank];
        let numbers = self.axes.iter().map(ToString::to_string);
        let pattern = unknown.into_iter().chain(numbers).collect::<Vec<_>>().join(", ");

        for got in wrong_shapes(&full) {
            let len = got.iter().product();
            let array = Order::ColumnMajor.array(&got, &(0..len).map(|k| S::nth(k + 9)).collect::<Vec<_>>());
            let any = AnyArray::from(&array);
            let import = format!("copying an array into {name}: expected shape {full:?}, got {got:?}");
            assert_eq!(field.copy_from(array.view()).unwrap_err().to_string(), import);
            assert_eq!(field.copy_from_any(&any).unwrap_err().to_string(), import);
            assert_eq!(field.copy_from_any_cast(&any).unwrap_err().to_string(), import);
            let mut target = array.clone();
            let export = format!("copying {name} into an array: expected shape {full:?}, got {got:?}");
            assert_eq!(field.copy_to(target.view_mut()).unwrap_err().to_string(), export);
            let bits = |array: &ArrayD<S>| bytes(&array.iter().copied().collect::<Vec<_>>()).to_vec();
            assert_eq!(bits(&target), bits(&array));
            same(&field.scalars(), &scalars, || name.clone());
            // A field takes whatever lengths its own axes have.
            if got.len() != full.len() || got[self.rank..] != self.axes {
                let text = format!("{making}: expected shape [{pattern}], got {got:?}");
                assert_eq!((self.from)(device, array.view()).err().unwrap().to_string(), text);
                assert_eq!((self.from_any)(device, &any).err().unwrap().to_string(), text);
            }
        }

        let (other, dtype) = other_type::<S>(&full);
        let text = format!("expected scalars of type {}, got {dtype}", S::DTYPE);
        let error = field.copy_from_any(&other).unwrap_err().to_string();
        assert_eq!(error, format!("copying an array into {name}: {text}"));
        let error = (self.from_any)(device, &other).err().unwrap().to_string();
        assert_eq!(error, format!("{making}: {text}"));
        same(&field.scalars(), &scalars, || name.clone());
    }
}

/// One axis more, one less, and one that is longer.
pub fn wrong_shapes(full: &[usize]) -> Vec<Vec<usize>> {
    let mut wrong = vec![[full, &[1]].concat()];
    if let Some((last, others)) = full.split_last() {
        wrong.push(others.to_vec());
        wrong.push([others, &[last + 1]].concat());
    }
    wrong
}

/// An array of this shape whose scalars are of another type than `S`.
pub fn other_type<S: ArrayScalar>(shape: &[usize]) -> (AnyArray<'static>, DType) {
    if S::DTYPE == DType::U8 {
        (ArrayD::from_elem(IxDyn(shape), -7_i8).into(), DType::I8)
    } else {
        (ArrayD::from_elem(IxDyn(shape), 7_u8).into(), DType::U8)
    }
}
