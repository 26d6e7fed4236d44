//! Arrays whose scalar type and rank are values.

use half::{bf16, f16};
use ndarray::{Array, ArrayBase, ArrayD, ArrayView, CowArray, CowRepr, Data, Dimension, IxDyn, OwnedRepr, ViewRepr};
use num_complex::{Complex32, Complex64};

use crate::element::dtype::{DType, for_each_dtype, written};
use crate::error::{Error, Result};
use crate::field::ArrayScalar;
use crate::field::bytes_of;
use crate::field::exchange::tile::Tile;
use crate::host::{pages, pool};

macro_rules! tile {
    ($from:ident Complex32) => {
        Some(Tile::casting::<$from, Complex32>())
    };
    ($from:ident Complex64) => {
        Some(Tile::casting::<$from, Complex64>())
    };
    (Complex32 $to:ident) => {
        None
    };
    (Complex64 $to:ident) => {
        None
    };
    ($from:ident $to:ident) => {
        Some(Tile::casting::<$from, $to>())
    };
}

macro_rules! integers {
    ($($variant:ident)*) => {
        impl AnyArray<'_> {
            /// The first of its integers that something is said of; of other scalars none.
            pub(in crate::field) fn integer_that(&self, said: impl Fn(i128) -> bool) -> Option<i128> {
                match self {
                    $(AnyArray::$variant(array) => array.iter().map(|x| i128::from(*x)).find(|x| said(*x)),)*
                    _ => None,
                }
            }
        }
    };
}
integers! { I8 I16 I32 I64 U8 U16 U32 U64 }

macro_rules! any {
    ($($t:ident $variant:ident;)*) => {
        /// An array of any scalar type and rank, owned or borrowed.
        ///
        /// ```
        /// use ndarray::{Ix1, array};
        /// use swathe::{AnyArray, DType};
        ///
        /// let owner = array![[1.0, 2.0], [3.0, 4.0]];
        /// let column = AnyArray::from(owner.column(1)); // borrows, strides and all
        /// assert_eq!((column.dtype(), column.shape()), (DType::F64, &[2][..]));
        /// assert_eq!(column.view::<f64, Ix1>()?, array![2.0, 4.0]);
        /// assert!(column.view::<f32, Ix1>().is_err());
        /// # Ok::<(), swathe::Error>(())
        /// ```
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum AnyArray<'a> {
            $(#[doc = concat!("Of `", written!($t), "`.")] $variant(CowArray<'a, $t, IxDyn>),)*
        }

        impl<'a> AnyArray<'a> {
            /// The type of its scalars.
            #[must_use]
            pub fn dtype(&self) -> DType {
                match self { $(AnyArray::$variant(_) => DType::$variant,)* }
            }

            /// Length of each axis.
            #[must_use]
            pub fn shape(&self) -> &[usize] {
                match self { $(AnyArray::$variant(array) => array.shape(),)* }
            }

            /// Distance of neighbours along each axis, in scalars.
            pub(in crate::field) fn strides(&self) -> &[isize] {
                match self { $(AnyArray::$variant(array) => array.strides(),)* }
            }

            pub(in crate::field) fn as_ptr(&self) -> *const u8 {
                match self { $(AnyArray::$variant(array) => array.as_ptr().cast(),)* }
            }

            /// The same array, owned: copied if it was borrowed.
            #[must_use]
            pub fn into_owned(self) -> AnyArray<'static> {
                match self { $(AnyArray::$variant(array) => AnyArray::$variant(array.into_owned().into()),)* }
            }

            /// The same array, borrowed.
            #[must_use]
            pub fn borrowed(&self) -> AnyArray<'_> {
                match self { $(AnyArray::$variant(array) => AnyArray::$variant(array.view().into()),)* }
            }
        }

        /// Equal types, shapes and scalars, owned or borrowed.
        impl<'b> PartialEq<AnyArray<'b>> for AnyArray<'_> {
            fn eq(&self, other: &AnyArray<'b>) -> bool {
                match (self, other) {
                    $((AnyArray::$variant(a), AnyArray::$variant(b)) => a == b,)*
                    _ => false,
                }
            }
        }

        /// The tile that converts these scalars, if they can be.
        pub(in crate::field) fn converter(from: DType, to: DType) -> Option<Tile> {
            macro_rules! into {
                ($from:ident) => {
                    match to { $(DType::$variant => tile!($from $t),)* }
                };
            }
            match from { $(DType::$variant => into!($t),)* }
        }

        /// Memory of an array that is yet to be written.
        pub(in crate::field) enum Buffer { $(#[allow(missing_docs)] $variant(Vec<$t>),)* }

        impl Buffer {
            /// Room for an array.
            pub fn reserve(dtype: DType, shape: &[usize]) -> Result<Buffer> {
                let bytes = bytes_of(shape, dtype.size())?;
                let len = shape.iter().product();
                Ok(match dtype {
                    $(DType::$variant => {
                        let mut scalars = pool::reserved::<$t>(len)?;
                        pages::advise(scalars.as_mut_ptr().cast(), bytes);
                        Buffer::$variant(scalars)
                    })*
                })
            }

            pub fn as_mut_ptr(&mut self) -> *mut u8 {
                match self { $(Buffer::$variant(scalars) => scalars.as_mut_ptr().cast(),)* }
            }

            /// The array in row-major order.
            ///
            /// # Safety
            /// The shape is the one that room was reserved for, and all of it is written.
            pub unsafe fn finish(self, shape: &[usize]) -> Result<AnyArray<'static>> {
                match self {
                    $(Buffer::$variant(mut scalars) => {
                        // SAFETY: by the caller's word.
                        unsafe { scalars.set_len(shape.iter().product()) };
                        let array = ArrayD::from_shape_vec(IxDyn(shape), scalars);
                        let array = array.map_err(|_| Error::SizeOverflow {
                            shape: shape.to_vec(),
                            element_size: size_of::<$t>(),
                        })?;
                        Ok(AnyArray::$variant(array.into()))
                    })*
                }
            }
        }
    };
}

for_each_dtype!(any);

impl<'a> AnyArray<'a> {
    /// Number of axes.
    #[must_use]
    pub fn ndim(&self) -> usize {
        self.shape().len()
    }

    /// Number of scalars.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape().iter().product()
    }

    /// Whether there are no scalars.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    /// The array as one of scalars `T` and dimension `D` ([`ndarray::IxDyn`] for any rank).
    ///
    /// # Errors
    /// [`Error::DType`] or [`Error::Rank`].
    pub fn view<T: ArrayScalar, D: Dimension>(&self) -> Result<ArrayView<'_, T, D>> {
        let array = T::peek(self).ok_or_else(|| self.not_of::<T>())?;
        array.view().into_dimensionality().map_err(|_| self.not_of_rank::<D>())
    }

    /// As [`AnyArray::view`], but owned. It is copied only if it was borrowed.
    ///
    /// # Errors
    /// As there.
    pub fn into_array<T: ArrayScalar, D: Dimension>(self) -> Result<Array<T, D>> {
        if D::NDIM.is_some_and(|rank| rank != self.ndim()) {
            return Err(self.not_of_rank::<D>());
        }
        let array = T::unwrap(self).map_err(|other| other.not_of::<T>())?;
        let shape = array.shape().to_vec();
        let rank = Error::Rank {
            expected: D::NDIM.unwrap_or(shape.len()),
            shape,
        };
        array.into_owned().into_dimensionality().map_err(|_| rank)
    }

    fn not_of<T: ArrayScalar>(&self) -> Error {
        Error::DType {
            what: format!("reading an array of shape {:?}", self.shape()),
            expected: T::DTYPE,
            got: self.dtype(),
        }
    }

    fn not_of_rank<D: Dimension>(&self) -> Error {
        Error::Rank {
            expected: D::NDIM.unwrap_or(self.ndim()),
            shape: self.shape().to_vec(),
        }
    }
}

impl<'a, T: ArrayScalar, D: Dimension> From<ArrayBase<CowRepr<'a, T>, D>> for AnyArray<'a> {
    fn from(array: CowArray<'a, T, D>) -> Self {
        T::wrap(array.into_dyn())
    }
}

impl<T: ArrayScalar, D: Dimension> From<ArrayBase<OwnedRepr<T>, D>> for AnyArray<'_> {
    fn from(array: Array<T, D>) -> Self {
        T::wrap(array.into_dyn().into())
    }
}

impl<'a, T: ArrayScalar, D: Dimension> From<ArrayBase<ViewRepr<&'a T>, D>> for AnyArray<'a> {
    fn from(array: ArrayView<'a, T, D>) -> Self {
        T::wrap(array.into_dyn().into())
    }
}

impl<'a, T: ArrayScalar, S: Data<Elem = T>, D: Dimension> From<&'a ArrayBase<S, D>> for AnyArray<'a> {
    fn from(array: &'a ArrayBase<S, D>) -> Self {
        T::wrap(array.view().into_dyn().into())
    }
}
