//! Products of arrays: vectors, matrices, batches of matrices.

mod factor;
mod gemm;
mod host;
mod lines;
mod operand;
mod sums;
mod wide;

use std::ptr::NonNull;

use swathe_device_kernels::plan::{self, ProductExtents};

use crate::access::layout::{FieldLayout, Layout};
use crate::device::{Device, Init, capture};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::operations::work::Work;
use crate::field::views::view::FieldView;
use crate::kernel::rank::Dim;

use host::{Extents, Problem};
use operand::{Lie, Side, sealed::Target as _};

pub use factor::Factor;
pub use operand::{DotOperand, DotTarget};

/// Products of arrays, as [`Field::dot`] and [`FieldView::dot`] compute them; for functions that are generic over what they multiply.
///
/// ```
/// use ndarray::array;
/// use swathe::{Device, Dot, Field, Result};
///
/// fn twice<'a, A>(a: &'a A, x: &Field<f64>) -> Result<Field<f64>>
/// where
///     A: for<'x> Dot<&'x Field<f64>, Output = Field<f64>>,
/// {
///     a.dot(&a.dot(x)?)
/// }
///
/// let device = Device::default();
/// let a = Field::<f64, 2>::from_ndarray(&device, &array![[1.0, 1.0], [0.0, 1.0]])?;
/// let x = Field::from_slice(&device, &[1.0, 10.0])?;
/// assert_eq!(twice(&a, &x)?.to_vec()?, [21.0, 10.0]);
/// assert_eq!(twice(&a.t(), &x)?.to_vec()?, [1.0, 12.0]);
/// # Ok::<(), swathe::Error>(())
/// ```
pub trait Dot<Rhs> {
    /// The elements' type.
    type Element: Factor;
    /// `Dim<D>` of the result's rank.
    type Rank;
    /// A new field; of two vectors a number.
    type Output;

    /// The product: see [`Field::dot`].
    ///
    /// # Errors
    /// As there.
    fn dot(&self, rhs: Rhs) -> Result<Self::Output>;

    /// The product into a field that is there: see [`Field::dot_into`].
    ///
    /// # Errors
    /// As there.
    fn dot_into<O: DotTarget<Element = Self::Element, Rank = Self::Rank>>(&self, rhs: Rhs, out: &mut O) -> Result<()>;
}

impl<A: DotOperand, B: DotOperand<Element = A::Element>> Dot<B> for A
where
    (A::Rank, B::Rank): DotRanks,
{
    type Element = A::Element;
    type Rank = <(A::Rank, B::Rank) as DotRanks>::Rank;
    type Output = <(A::Rank, B::Rank) as DotRanks>::Output<A::Element>;

    fn dot(&self, rhs: B) -> Result<Self::Output> {
        <(A::Rank, B::Rank)>::product(Factors::of(self, &rhs)?)
    }

    fn dot_into<O: DotTarget<Element = Self::Element, Rank = Self::Rank>>(&self, rhs: B, out: &mut O) -> Result<()> {
        let factors = Factors::of(self, &rhs)?;
        let what = || format!("{}, into {}", product_of(self, &rhs), out.describe());
        let (shape, got) = (factors.shape(), out.lie());
        if shape != got.shape() {
            return Err(Error::shape(what(), shape, got.shape()));
        }
        same_device(factors.left.device(), got.device())?;
        out.prepare()?;
        // SAFETY: an operation on fields has their elements borrowed, those of the target exclusively; the shape is the product's.
        unsafe { factors.multiply::<A::Element>(&out.lie()) }
    }
}

fn product_of(left: &impl DotOperand, right: &impl DotOperand) -> String {
    format!("the product of {} and {}", left.describe(), right.describe())
}

fn same_device(expected: &Device, got: &Device) -> Result<()> {
    match expected == got {
        true => Ok(()),
        false => Err(Error::OtherDevice {
            what: "a product",
            expected: expected.label(),
            got: got.label(),
        }),
    }
}

/// The ranks of two arrays that have a product: `(Dim<A>, Dim<B>)`.
#[diagnostic::on_unimplemented(
    message = "arrays of these ranks have no product: `{Self}`",
    label = "a product is of vectors (rank 1), matrices (rank 2), or two batches of matrices (rank 3)",
    note = "`slice(s![NewAxis, ..])` and `broadcast` give views more axes, without a copy"
)]
pub trait DotRanks: sealed::Sealed {
    /// That of the product.
    type Rank;
    /// The product.
    type Output<T: Factor>;

    #[doc(hidden)]
    fn product<T: Factor>(factors: Factors<'_>) -> Result<Self::Output<T>>;
}

mod sealed {
    use crate::kernel::rank::Dim;

    pub trait Sealed {}
    impl<const A: usize, const B: usize> Sealed for (Dim<A>, Dim<B>) {}
}

macro_rules! ranks {
    ($($a:literal $b:literal $c:literal;)*) => {$(
        impl DotRanks for (Dim<$a>, Dim<$b>) {
            type Rank = Dim<$c>;
            type Output<T: Factor> = Field<T, $c>;

            fn product<T: Factor>(factors: Factors<'_>) -> Result<Field<T, $c>> {
                factors.new_field::<T, $c>()
            }
        }
    )*};
}
ranks! { 1 2 1; 2 1 1; 2 2 2; 3 3 3; }

impl DotRanks for (Dim<1>, Dim<1>) {
    type Rank = Dim<0>;
    type Output<T: Factor> = T;

    fn product<T: Factor>(factors: Factors<'_>) -> Result<T> {
        factors.new_field::<T, 0>()?.get([])
    }
}

/// Two arrays that have a product, on one device.
#[doc(hidden)]
pub struct Factors<'a> {
    left: Lie<'a>,
    right: Lie<'a>,
    extents: Extents,
}

impl<'a> Factors<'a> {
    /// # Errors
    /// [`Error::Shape`], [`Error::OtherDevice`].
    fn of<A: DotOperand, B: DotOperand>(a: &'a A, b: &'a B) -> Result<Factors<'a>> {
        let (left, right) = (a.lie(), b.lie());
        left.read()?;
        right.read()?;
        let ([batch, rows, inner], [other_batch, other_inner, columns]) =
            (left.extents(Side::Left), right.extents(Side::Right));
        if inner != other_inner || batch != other_batch {
            let expected = match right.shape() {
                [_] => format!("[{inner}]"),
                [_, _] => format!("[{inner}, _]"),
                _ => format!("[{batch}, {inner}, _]"),
            };
            return Err(Error::Shape {
                what: product_of(a, b),
                expected,
                got: right.shape().to_vec(),
            });
        }
        same_device(left.device(), right.device())?;
        let extents = Extents {
            batch,
            rows,
            inner,
            columns,
        };
        Ok(Factors { left, right, extents })
    }

    /// The product's.
    fn shape(&self) -> Vec<usize> {
        let (left, right) = (self.left.shape(), self.right.shape());
        let rows = &left[..left.len() - 1];
        let columns = match right {
            [.., _, columns] => std::slice::from_ref(columns),
            _ => &[],
        };
        [rows, columns].concat()
    }

    fn new_field<T: Factor, const D: usize>(&self) -> Result<Field<T, D>> {
        let mut shape = [0; D];
        shape.copy_from_slice(&self.shape());
        let out = Field::<T, D>::alloc(self.left.device(), shape, Init::Uninit)?;
        // SAFETY: the field is new, and of the product's shape.
        unsafe { self.multiply::<T>(&out.lie())? };
        Ok(out)
    }

    /// # Safety
    /// The elements of all three are of type `T`, and borrowed; those of the target exclusively, which has the product's shape.
    unsafe fn multiply<T: Factor>(&self, to: &Lie<'_>) -> Result<()> {
        let problem = Problem {
            left: self.left.matrices(Side::Left),
            right: self.right.matrices(Side::Right),
            // A vector is a row of the result if it is one of the left factor, of which there are none then.
            to: to.matrices(match self.left.shape() {
                [_] => Side::Left,
                _ => Side::Right,
            }),
            extents: self.extents,
        };
        let Extents {
            batch, rows, columns, ..
        } = self.extents;
        let is_empty = [batch, rows, columns].contains(&0);
        if to.device().backend().is_host() {
            capture::refuse_on_cpu(|| "a product of fields of the CPU".to_owned())?;
            // Else lengths beside one that is 0 would be multiplied.
            if is_empty {
                return Ok(());
            }
            // SAFETY: by the caller's word.
            unsafe { T::multiply(&problem) };
            return Ok(());
        }
        if is_empty {
            return Ok(());
        }
        let scalar = T::SCALAR as isize;
        let lies = [&problem.left, &problem.right, &problem.to].map(|lie| lie.in_scalars(scalar));
        let [Some(left), Some(right), Some(target)] = lies else {
            return Err(Error::Strides {
                what: "a product".to_owned(),
                reason: format!("elements do not lie at multiples of {scalar} bytes"),
                strides: self.left.strides().to_vec(),
            });
        };
        let Extents {
            batch,
            rows,
            inner,
            columns,
        } = self.extents;
        let extents = ProductExtents {
            batch: batch as u64,
            rows: rows as u64,
            inner: inner as u64,
            columns: columns as u64,
        };
        let work = Work::new(to.device(), 0, plan::product_scratch(T::KIND, &left, &right, &extents))?;
        let launches = plan::product(T::KIND, &left, &right, &target, &extents, work.at(0));
        let uses = [(to, true), (&self.left, false), (&self.right, false)];
        let uses = uses
            .into_iter()
            .filter_map(|(lie, written)| Some((lie.start()?, written)));
        // SAFETY: by the caller's word; the launches stay inside of the arrays and of the work.
        unsafe { work.run(&launches, uses.collect::<Vec<(NonNull<u8>, bool)>>()) }
    }
}

macro_rules! methods {
    ($(#[$doc:meta])* $into:literal) => {
        $(#[$doc])*
        pub fn dot<B>(&self, rhs: B) -> Result<<Self as Dot<B>>::Output>
        where
            Self: Dot<B>,
        {
            Dot::dot(self, rhs)
        }

        #[doc = $into]
        ///
        /// # Errors
        /// As there; [`Error::Shape`] also if `out` has another shape than the product. Then nothing is written.
        pub fn dot_into<B, O>(&self, rhs: B, out: &mut O) -> Result<()>
        where
            Self: Dot<B>,
            O: DotTarget<Element = <Self as Dot<B>>::Element, Rank = <Self as Dot<B>>::Rank>,
        {
            Dot::dot_into(self, rhs, out)
        }
    };
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    methods! {
        /// The product with a vector, a matrix, or a batch of matrices, a new field on the same device. As `ndarray`'s `dot`:
        ///
        /// | this | `rhs` | product |
        /// |---|---|---|
        /// | `[k]` | `[k]` | a number: the sum of the products of elements |
        /// | `[n, k]` | `[k]` | `[n]` |
        /// | `[k]` | `[k, m]` | `[m]` |
        /// | `[n, k]` | `[k, m]` | `[n, m]` |
        /// | `[b, n, k]` | `[b, k, m]` | `[b, n, m]`: of each matrix with the other one of its number |
        ///
        /// Both are fields or views of any strides, so that `a.t().dot(&b)?` copies nothing: `&Field`, [`FieldView`]. Elements are integers,
        /// which wrap, floats and complex numbers ([`Factor`]). Floats of 16 bits are added up as `f32`, and rounded once. A sum of no
        /// products is 0. Nothing is conjugated. Of a complex sum on the CPU an infinite part may make the other part NaN.
        ///
        /// Products and sums of floats are fused where the processor has an instruction for it. On one device and processor the bits do not
        /// depend on the number of threads; those of another one differ by rounding.
        ///
        /// ```
        /// use ndarray::array;
        /// use swathe::{Device, Field};
        ///
        /// let device = Device::default();
        /// let a = Field::<f32, 2>::from_ndarray(&device, &array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
        /// let x = Field::<f32>::from_slice(&device, &[1.0, 0.0, -1.0])?;
        /// assert_eq!(a.dot(&x)?.to_vec()?, [-2.0, -2.0]);
        /// assert_eq!(a.dot(a.t())?.to_ndarray()?, array![[14.0, 32.0], [32.0, 77.0]]);
        /// assert_eq!(x.dot(&x)?, 2.0);
        ///
        /// let error = a.dot(&a).map(drop).unwrap_err().to_string();
        /// assert!(error.ends_with("expected shape [3, _], got [2, 3]"), "{error}");
        /// # Ok::<(), swathe::Error>(())
        /// ```
        ///
        /// # Errors
        /// [`Error::Shape`] if inner lengths or batches differ; [`Error::OtherDevice`]; [`Error::SizeOverflow`] and [`Error::OutOfMemory`] for the
        /// result; [`Error::NotCapturable`] in the capture of a graph, of which [`Field::dot_into`] can be a part.
        "As [`Field::dot`], into a field or a view that is there, of the product's shape: `&mut Field`, `&mut FieldViewMut`.\n\n\
        Of two vectors it has rank 0. What it held does not matter. No memory of the device is needed, unless, on a GPU, few results are sums of many products: \
        then for parts of these sums, and the capture of a graph refuses it. On the CPU, large products take some memory of the host for a while.\n\n\
        ```\n\
        use swathe::{Device, Field};\n\n\
        let device = Device::default();\n\
        let a = Field::<f64, 2>::from_fn(&device, [3, 3], |[i, j]| if i == j { 2.0 } else { 0.0 })?;\n\
        let mut x = Field::from_slice(&device, &[1.0, 2.0, 3.0])?;\n\
        let mut y = Field::zeros(&device, 3)?;\n\
        for _ in 0..10 {\n    \
            a.dot_into(&x, &mut y)?;\n    \
            std::mem::swap(&mut x, &mut y);\n\
        }\n\
        assert_eq!(x.to_vec()?, [1024.0, 2048.0, 3072.0]);\n\
        # Ok::<(), swathe::Error>(())\n\
        ```"
    }
}

impl<T: Element, const D: usize, L: Layout> FieldView<'_, T, D, L> {
    methods! {
        /// The product with a vector, a matrix, or a batch of matrices: see [`Field::dot`].
        ///
        /// # Errors
        /// As there.
        "The product into a field or a view that is there: see [`Field::dot_into`]."
    }
}
