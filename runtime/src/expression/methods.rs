//! The methods of expressions: those of scalars, by the same table as in kernels, and of vectors and matrices.

use std::marker::PhantomData;

use half::{bf16, f16};
use swathe_ir::{Expr as Ir, ExprKind, Type, method_id};

use super::evaluate::VERSIONS;
use super::extents::Join;
use super::kernel::Writer;
use super::leaf::choice;
use super::node::{Context, Node, Row};
use super::operation::{Of1, Of2, Of3, Operation, Operation1, Operation2, Operation3};
use super::strict::Strict;
use super::{Expr, IntoExpr};
use crate::element::KernelType;
use crate::field::Cast;
use crate::kernel::Callee;
use crate::kernel::build::expr;
use crate::kernel::probe::Method;
use crate::kernel::rank::Dim;
use crate::math::{Float, Int, Scalar, Signed, SignedInt, UnsignedInt, single};
use crate::numbers::products;
use crate::types::{Matrix, Vector};

/// A call of a method, written.
fn call(writer: &mut Writer, name: &str, callee: Callee, operands: Vec<Ir>) -> Ir {
    let callee = writer.builder.callee(callee);
    let mut operands = operands.into_iter();
    let Some(receiver) = operands.next() else {
        unreachable!("a method has a receiver")
    };
    expr(ExprKind::Method {
        receiver: Box::new(receiver),
        name: name.to_owned(),
        callee,
        args: operands.collect(),
    })
}

/// The type of an argument or a result in the table.
macro_rules! ty {
    ($t:ident Same) => {
        $t
    };
    ($t:ident Bool) => {
        bool
    };
    ($t:ident U32) => {
        u32
    };
    ($t:ident I32) => {
        i32
    };
    ($t:ident Bits) => {
        <$t as Float>::Bits
    };
    ($t:ident Unsigned) => {
        <$t as Int>::Unsigned
    };
}

/// A method's result: of `f32` by the functions that kernels call.
macro_rules! apply {
    (@single $name:ident $of:ident $t:ident $a:ident $($b:ident)*) => {
        single::call::$name(
            single::call::number(&$a) $(, single::call::number(&$b))*,
            #[inline(always)]
            || <$t as $of>::$name($a $(, $b)*),
        )
    };
    (cbrt $($t:tt)*) => { apply!(@single cbrt $($t)*) };
    (exp $($t:tt)*) => { apply!(@single exp $($t)*) };
    (exp2 $($t:tt)*) => { apply!(@single exp2 $($t)*) };
    (exp_m1 $($t:tt)*) => { apply!(@single exp_m1 $($t)*) };
    (ln $($t:tt)*) => { apply!(@single ln $($t)*) };
    (ln_1p $($t:tt)*) => { apply!(@single ln_1p $($t)*) };
    (log2 $($t:tt)*) => { apply!(@single log2 $($t)*) };
    (log10 $($t:tt)*) => { apply!(@single log10 $($t)*) };
    (sin $($t:tt)*) => { apply!(@single sin $($t)*) };
    (cos $($t:tt)*) => { apply!(@single cos $($t)*) };
    (tan $($t:tt)*) => { apply!(@single tan $($t)*) };
    (asin $($t:tt)*) => { apply!(@single asin $($t)*) };
    (acos $($t:tt)*) => { apply!(@single acos $($t)*) };
    (atan $($t:tt)*) => { apply!(@single atan $($t)*) };
    (sinh $($t:tt)*) => { apply!(@single sinh $($t)*) };
    (cosh $($t:tt)*) => { apply!(@single cosh $($t)*) };
    (tanh $($t:tt)*) => { apply!(@single tanh $($t)*) };
    (asinh $($t:tt)*) => { apply!(@single asinh $($t)*) };
    (acosh $($t:tt)*) => { apply!(@single acosh $($t)*) };
    (atanh $($t:tt)*) => { apply!(@single atanh $($t)*) };
    (log $($t:tt)*) => { apply!(@single log $($t)*) };
    (powf $($t:tt)*) => { apply!(@single powf $($t)*) };
    (atan2 $($t:tt)*) => { apply!(@single atan2 $($t)*) };
    (hypot $($t:tt)*) => { apply!(@single hypot $($t)*) };
    ($name:ident $of:ident $t:ident $($a:ident)*) => { <$t as $of>::$name($($a),*) };
}

/// What a method costs, in simple operations.
const fn cost(name: &str) -> u32 {
    match name.as_bytes() {
        b"abs" | b"signum" | b"min" | b"max" | b"clamp" | b"mul_add" | b"copysign" | b"floor" | b"ceil" | b"trunc" => 1,
        b"sqrt" | b"recip" | b"round" | b"fract" => 4,
        _ => 12,
    }
}

macro_rules! method {
    // These are below, for all numbers.
    (Float $doc:tt min $($rest:tt)*) => {};
    (Float $doc:tt max $($rest:tt)*) => {};
    (Float $doc:tt clamp $($rest:tt)*) => {};
    // Their divisions may fail.
    (Int $doc:tt rem_euclid $($rest:tt)*) => {};
    (Int $doc:tt div_euclid $($rest:tt)*) => {};
    (UnsignedInt $doc:tt div_ceil $($rest:tt)*) => {};
    ($of:ident [$($doc:tt)*] $name:ident () $result:ident) => {
        method!(@operation $of $name Operation1 (T) $result (a));

        impl<T: $of, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
            $($doc)*
            #[inline]
            pub fn $name(self) -> Expr<ty!(T $result), D, Of1<functions::$of::$name, N>> {
                Expr::new(Of1(self.node, PhantomData))
            }
        }
    };
    ($of:ident [$($doc:tt)*] $name:ident ($arg:ident: $arg_ty:ident) $result:ident) => {
        method!(@operation $of $name Operation2 (T, ty!(T $arg_ty)) $result (a, b));

        impl<T: $of, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
            $($doc)*
            #[inline]
            pub fn $name<R: IntoExpr<ty!(T $arg_ty)>, const E: usize>(
                self,
                $arg: R,
            ) -> Expr<ty!(T $result), E, Of2<functions::$of::$name, N, R::Node>>
            where
                Dim<D>: Join<R::Rank, Out = Dim<E>>,
            {
                Expr::new(Of2(self.node, $arg.into_node(), PhantomData))
            }
        }
    };
    ($of:ident [$($doc:tt)*] $name:ident ($arg:ident: $arg_ty:ident, $last:ident: $last_ty:ident) $result:ident) => {
        method!(@operation $of $name Operation3 (T, ty!(T $arg_ty), ty!(T $last_ty)) $result (a, b, c));

        impl<T: $of, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
            $($doc)*
            #[inline]
            pub fn $name<R: IntoExpr<ty!(T $arg_ty)>, S: IntoExpr<ty!(T $last_ty)>, const E: usize, const F: usize>(
                self,
                $arg: R,
                $last: S,
            ) -> Expr<ty!(T $result), F, Of3<functions::$of::$name, N, R::Node, S::Node>>
            where
                Dim<D>: Join<R::Rank, Out = Dim<E>>,
                Dim<E>: Join<S::Rank, Out = Dim<F>>,
            {
                Expr::new(Of3(self.node, $arg.into_node(), $last.into_node(), PhantomData))
            }
        }
    };
    (@operation $of:ident $name:ident $operation:ident ($($arg:ty),*) $result:ident ($($a:ident),*)) => {
        impl<T: $of> Operation<($($arg,)*)> for functions::$of::$name {
            type Output = ty!(T $result);
            const NAME: &'static str = stringify!($name);
            const COST: u32 = cost(stringify!($name));

            fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
                let callee = <T as Method<{ method_id(stringify!($name)) }>>::callee();
                call(writer, stringify!($name), callee, operands)
            }
        }

        impl<T: $of> $operation<$($arg),*> for functions::$of::$name {
            #[inline(always)]
            fn apply($($a: $arg,)* _: Context) -> ty!(T $result) {
                apply!($name $of T $($a)*)
            }
        }
    };
}

macro_rules! methods {
    (
        ()
        methods Scalar $scalar:tt
        casts Scalar $cast:tt
        functions Scalar $scalar_fn:tt
        methods Signed $signed:tt
        methods Float $float:tt
        functions Float $float_fn:tt
        inherited Int $int_std:tt
        methods Int $int:tt
        methods SignedInt $signed_int:tt
        methods UnsignedInt $unsigned_int:tt
        inherited UnsignedInt $boundary:tt
    ) => {
        methods!(@rows Signed $signed);
        methods!(@rows Float $float);
        methods!(@rows Int $int);
        methods!(@rows SignedInt $signed_int);
        methods!(@rows UnsignedInt $unsigned_int);

        /// The methods, as types, by the trait that has them.
        #[allow(non_camel_case_types, non_snake_case)]
        pub mod functions {
            methods!(@names Signed $signed);
            methods!(@names Float $float);
            methods!(@names Int $int);
            methods!(@names SignedInt $signed_int);
            methods!(@names UnsignedInt $unsigned_int);
        }
    };
    (@rows $of:ident { $(
        $(#[$doc:meta])* $name:ident($($arg:ident: $ty:ident),*) -> $result:ident,
        $ulp:expr, $($on:ident $text:literal),+;
    )* }) => {
        $(method!($of [$(#[$doc])*] $name ($($arg: $ty),*) $result);)*
    };
    (@names $of:ident { $(
        $(#[$doc:meta])* $name:ident($($arg:ident: $ty:ident),*) -> $result:ident,
        $ulp:expr, $($on:ident $text:literal),+;
    )* }) => {
        pub mod $of {
            $(methods!(@name $of $name);)*
        }
    };
    // These are below, or nowhere: see `method`.
    (@name Float min) => {};
    (@name Float max) => {};
    (@name Float clamp) => {};
    (@name Int rem_euclid) => {};
    (@name Int div_euclid) => {};
    (@name UnsignedInt div_ceil) => {};
    (@name $of:ident $name:ident) => {
        #[doc = concat!("`", stringify!($name), "`.")]
        #[derive(Clone, Copy)]
        pub struct $name;
    };
}

swathe_ir::for_each_scalar_method!(methods);

/// Operations of two elements of one type, which kernels know as built-in methods of the name.
macro_rules! extremes {
    ($($operation:ident $name:ident $function:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`.")]
        #[derive(Clone, Copy)]
        pub struct $operation;

        impl<T: Scalar> Operation<(T, T)> for $operation {
            type Output = T;
            const NAME: &'static str = stringify!($name);
            const COST: u32 = 1;

            fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
                call(writer, stringify!($name), Callee::BuiltIn, operands)
            }
        }

        impl<T: Scalar> Operation2<T, T> for $operation {
            #[inline(always)]
            fn apply(a: T, b: T, _: Context) -> T {
                a.$function(b)
            }
        }
    )*};
}
extremes! {
    Min min lesser;
    Max max greater;
}

/// `clamp`.
#[derive(Clone, Copy)]
pub struct Clamp;

impl<T: Scalar> Operation<(T, T, T)> for Clamp {
    type Output = T;
    const NAME: &'static str = "clamp";
    const COST: u32 = 2;
    // As Rust has it.
    const EFFECTS: bool = true;

    fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
        call(writer, "clamp", Callee::BuiltIn, operands)
    }
}

impl<T: Scalar> Operation3<T, T, T> for Clamp {
    #[inline(always)]
    fn apply(x: T, low: T, high: T, _: Context) -> T {
        assert!(
            low <= high,
            "min > max, or either was NaN. min = {low:?}, max = {high:?}"
        );
        if x < low {
            low
        } else if x > high {
            high
        } else {
            x
        }
    }
}

impl<T: Scalar, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
    /// The smaller of two numbers; of floats, if one is NaN, the other.
    #[inline]
    pub fn min<R: IntoExpr<T>, const E: usize>(self, other: R) -> Expr<T, E, Of2<Min, N, R::Node>>
    where
        Dim<D>: Join<R::Rank, Out = Dim<E>>,
    {
        Expr::new(Of2(self.node, other.into_node(), PhantomData))
    }

    /// The larger of two numbers; of floats, if one is NaN, the other.
    #[inline]
    pub fn max<R: IntoExpr<T>, const E: usize>(self, other: R) -> Expr<T, E, Of2<Max, N, R::Node>>
    where
        Dim<D>: Join<R::Rank, Out = Dim<E>>,
    {
        Expr::new(Of2(self.node, other.into_node(), PhantomData))
    }

    /// The nearest value in `low..=high`; NaN stays NaN. Where there is none, since `low > high` or a bound is NaN, the CPU panics, as Rust does, and
    /// a GPU gives one of the bounds or the number.
    #[inline]
    pub fn clamp<R: IntoExpr<T>, S: IntoExpr<T>, const E: usize, const F: usize>(
        self,
        low: R,
        high: S,
    ) -> Expr<T, F, Of3<Clamp, N, R::Node, S::Node>>
    where
        Dim<D>: Join<R::Rank, Out = Dim<E>>,
        Dim<E>: Join<S::Rank, Out = Dim<F>>,
    {
        Expr::new(Of3(self.node, low.into_node(), high.into_node(), PhantomData))
    }
}

/// `as`.
pub struct As<U>(PhantomData<fn() -> U>);

impl<U> Clone for As<U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<U> Copy for As<U> {}

/// A number that kernels convert by `as`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not converted to `{U}` by `cast`",
    label = "numbers are, and `bool` to numbers: to `i8` to `i64`, `u8` to `u64`, `f32`, `f64`"
)]
pub trait AsNumber<U>: KernelType {
    /// The converted value.
    fn converted(self) -> U;
}

macro_rules! as_number {
    ($($from:ident)*) => {$(as_number!(@to $from: i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);)*};
    (@to $from:ident: $($to:ident)*) => {$(
        impl AsNumber<$to> for $from {
            #[inline(always)]
            fn converted(self) -> $to {
                Cast::<$to>::cast(self)
            }
        }
    )*};
}
as_number! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 f16 bf16 bool }

impl<T: AsNumber<U>, U: KernelType> Operation<(T,)> for As<U> {
    type Output = U;
    const NAME: &'static str = "cast";
    const COST: u32 = 1;

    fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
        let ty = writer.builder.ty(U::ty());
        let Some(mut value) = operands.into_iter().next() else {
            unreachable!("a conversion has an operand")
        };
        if matches!(T::ty(), Type::Scalar(of) if of.is_half()) {
            // Every value of theirs is one of `f32`.
            let f32 = writer.builder.ty(f32::ty());
            value = expr(ExprKind::Cast(Box::new(value), f32));
        }
        expr(ExprKind::Cast(Box::new(value), ty))
    }
}

impl<T: AsNumber<U>, U: KernelType> Operation1<T> for As<U> {
    #[inline(always)]
    fn apply(a: T, _: Context) -> U {
        a.converted()
    }
}

/// `if`.
#[derive(Clone, Copy)]
pub struct Select;

impl<T: KernelType> Operation<(bool, T, T)> for Select {
    type Output = T;
    const NAME: &'static str = "select";
    const COST: u32 = 1;

    fn write(_: &mut Writer, operands: Vec<Ir>) -> Ir {
        let mut operands = operands.into_iter();
        match (operands.next(), operands.next(), operands.next()) {
            (Some(condition), Some(yes), Some(no)) => choice(condition, yes, no),
            _ => unreachable!("a selection has three operands"),
        }
    }
}

impl<T: KernelType> Operation3<bool, T, T> for Select {
    #[inline(always)]
    fn apply(condition: bool, yes: T, no: T, _: Context) -> T {
        if condition { yes } else { no }
    }

    // As devices have it, and `if`: the other side does not fail. Where neither can, both are computed, which vectorises.
    #[inline(always)]
    unsafe fn compute<X: Row<Item = bool>, Y: Row<Item = T>, Z: Row<Item = T>>(
        x: X,
        y: Y,
        z: Z,
        i: usize,
        context: Context,
    ) -> T {
        // SAFETY: by the caller's word.
        unsafe {
            let condition = x.get(i, context);
            if Y::EFFECTS || Z::EFFECTS || !VERSIONS {
                return if condition {
                    y.get(i, context)
                } else {
                    z.get(i, context)
                };
            }
            Self::apply(condition, y.get(i, context), z.get(i, context), context)
        }
    }
}

impl<T: KernelType, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
    /// Each element converted as Rust's `as` does.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let x = Field::from_slice(&Device::default(), &[-1.5_f32, 300.0])?;
    /// assert_eq!(x.expr().cast::<u8>().eval()?.to_vec()?, [0, 255]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    #[inline]
    pub fn cast<U: KernelType>(self) -> Expr<U, D, Of1<As<U>, N>>
    where
        T: AsNumber<U>,
    {
        Expr::new(Of1(self.node, PhantomData))
    }

    /// The same with every operation rounded by itself, on every device: no product in a sum is contracted.
    #[inline]
    pub fn strict(self) -> Expr<T, D, Strict<N>> {
        Expr::new(Strict(self.node))
    }
}

impl<const D: usize, N: Node<Item = bool>> Expr<bool, D, N> {
    /// `yes` where it is `true`, else `no`.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let x = Field::from_slice(&Device::default(), &[-2.0_f64, 3.0])?;
    /// let leaky = x.expr().gt(0.0).select(&x, &x * 0.1).eval()?;
    /// assert_eq!(leaky.to_vec()?, [-0.2, 3.0]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    #[inline]
    pub fn select<T: KernelType, Y: IntoExpr<T>, Z: IntoExpr<T>, const E: usize, const F: usize>(
        self,
        yes: Y,
        no: Z,
    ) -> Expr<T, F, Of3<Select, N, Y::Node, Z::Node>>
    where
        Dim<D>: Join<Y::Rank, Out = Dim<E>>,
        Dim<E>: Join<Z::Rank, Out = Dim<F>>,
    {
        Expr::new(Of3(self.node, yes.into_node(), no.into_node(), PhantomData))
    }
}

/// Methods of vectors and matrices, which are functions in the kernel language.
macro_rules! of_vectors {
    ($($(#[$doc:meta])* $operation:ident $name:ident [$($params:tt)*] $on:ty, ($($other:ident: $other_ty:ty)?) -> $result:ty, $cost:literal, |$a:ident, $context:ident $(, $b:ident)?| $value:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`.")]
        #[derive(Clone, Copy)]
        pub struct $operation;

        of_vectors! {
            [$(#[$doc])*] $operation $name [$($params)*] $on, ($($other: $other_ty)?) -> $result, $cost, |$a, $context $(, $b)?| $value
        }
    )*};
    ([$($doc:tt)*] $operation:ident $name:ident [$($params:tt)*] $on:ty, () -> $result:ty, $cost:literal, |$a:ident, $context:ident| $value:expr) => {
        impl<$($params)*> Operation<($on,)> for $operation {
            type Output = $result;
            const NAME: &'static str = stringify!($name);
            const COST: u32 = $cost;

            fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
                let callee = <$on as Method<{ method_id(stringify!($name)) }>>::callee();
                call(writer, stringify!($name), callee, operands)
            }
        }

        impl<$($params)*> Operation1<$on> for $operation {
            #[inline(always)]
            fn apply($a: $on, $context: Context) -> $result {
                $value
            }
        }

        impl<$($params)*, const D: usize, X: Node<Item = $on>> Expr<$on, D, X> {
            $($doc)*
            #[inline]
            pub fn $name(self) -> Expr<$result, D, Of1<$operation, X>> {
                Expr::new(Of1(self.node, PhantomData))
            }
        }
    };
    ([$($doc:tt)*] $operation:ident $name:ident [$($params:tt)*] $on:ty, ($other:ident: $other_ty:ty) -> $result:ty, $cost:literal, |$a:ident, $context:ident, $b:ident| $value:expr) => {
        impl<$($params)*> Operation<($on, $other_ty)> for $operation {
            type Output = $result;
            const NAME: &'static str = stringify!($name);
            const COST: u32 = $cost;

            fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
                let callee = <$on as Method<{ method_id(stringify!($name)) }>>::callee();
                call(writer, stringify!($name), callee, operands)
            }
        }

        impl<$($params)*> Operation2<$on, $other_ty> for $operation {
            #[inline(always)]
            fn apply($a: $on, $b: $other_ty, $context: Context) -> $result {
                $value
            }
        }

        impl<$($params)*, const D: usize, X: Node<Item = $on>> Expr<$on, D, X> {
            $($doc)*
            #[inline]
            pub fn $name<R: IntoExpr<$other_ty>, const E: usize>(self, $other: R) -> Expr<$result, E, Of2<$operation, X, R::Node>>
            where
                Dim<D>: Join<R::Rank, Out = Dim<E>>,
            {
                Expr::new(Of2(self.node, $other.into_node(), PhantomData))
            }
        }
    };
}
of_vectors! {
    /// Scalar product of two vectors.
    Dot dot [T: Scalar, const C: usize] Vector<T, C>, (other: Vector<T, C>) -> T, 4, |a, context, b| products::dot(context.target, &a, &b, || a.dot(b));
    /// Square of the length.
    LengthSquared length_squared [T: Scalar, const C: usize] Vector<T, C>, () -> T, 4, |a, context| products::length_squared(context.target, &a, || a.length_squared());
    /// Length.
    Length length [T: Float, const C: usize] Vector<T, C>, () -> T, 8, |a, context| products::length(context.target, &a, || a.length());
    /// The vector of length 1 in the same direction.
    Normalized normalized [T: Float, const C: usize] Vector<T, C>, () -> Vector<T, C>, 12, |a, context| products::normalized(context.target, &a, || a.normalized());
    /// Distance of two points.
    Distance distance [T: Float, const C: usize] Vector<T, C>, (other: Vector<T, C>) -> T, 8, |a, context, b| products::distance(context.target, &a, &b, || a.distance(b));
    /// Vector product.
    Cross cross [T: Scalar] Vector<T, 3>, (other: Vector<T, 3>) -> Vector<T, 3>, 9, |a, _context, b| a.cross(b);
    /// The transposed matrix.
    Transpose transpose [T: Scalar, const R: usize, const C: usize] Matrix<T, R, C>, () -> Matrix<T, C, R>, 4, |a, _context| a.transpose();
    /// Sum of the diagonal.
    Trace trace [T: Scalar, const C: usize] Matrix<T, C, C>, () -> T, 4, |a, _context| a.trace();
}
