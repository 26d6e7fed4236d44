//! The operators of expressions.

use std::marker::PhantomData;
use std::ops;

use swathe_ir::{BinOp, Expr as Ir, ExprKind, UnOp, method_id};

use half::{bf16, f16};
use num_complex::Complex;

use super::extents::Join;
use super::kernel::Writer;
use super::leaf::{Constant, Leaf, Value};
use super::node::{Context, Node, Row};
use super::operation::{Of1, Of2, Operation, Operation1, Operation2};
use super::{Expr, IntoExpr};
use crate::access::layout::{FieldLayout, Layout};
use crate::element::{Element, KernelType};
use crate::field::{Field, FieldView};
use crate::host::failure::function_failed;
use crate::kernel::Callee;
use crate::kernel::build::expr;
use crate::kernel::divide::{Checked as _, Operands};
use crate::kernel::operator::Operator;
use crate::kernel::rank::Dim;
use crate::math::Scalar;
use crate::types::{Matrix, Vector};

/// An operator between two operands, written.
fn binary(writer: &mut Writer, op: BinOp, callee: Callee, operands: Vec<Ir>) -> Ir {
    let callee = writer.builder.callee(callee);
    let mut operands = operands.into_iter().map(Box::new);
    match (operands.next(), operands.next()) {
        (Some(a), Some(b)) => expr(ExprKind::Binary(op, a, b, Some(callee))),
        _ => unreachable!("an operator has two operands"),
    }
}

/// Whether an operator may have no result: a division of integers, or one of the user's own.
const fn fails<A: KernelType, B: KernelType>(op: BinOp) -> bool {
    let divides = matches!(op, BinOp::Div | BinOp::Rem) && A::INTEGERS > 0 && B::INTEGERS > 0;
    divides || !A::BUILT_IN || !B::BUILT_IN
}

/// Ends a division of integers that has no result.
#[inline(always)]
fn check<A: KernelType, B: KernelType>(a: &A, b: &B, context: Context, remainder: bool) {
    if let Some(fault) = (&Operands(a, b)).__fault() {
        let place = context.place;
        function_failed(
            place.file(),
            place.line(),
            place.column(),
            fault.message(remainder),
            Box::new([]),
        );
    }
}

macro_rules! operations {
    ($($operation:ident $op:ident $method:ident $symbol:literal $cost:literal: $output:ty where [$($bounds:tt)*]
        = |$a:ident, $b:ident, $context:ident| $value:expr, { $($more:tt)* };)*) => {$(
        #[doc = concat!("`", $symbol, "` of two elements.")]
        #[derive(Clone, Copy)]
        pub struct $operation;

        impl<A, B: KernelType> Operation<(A, B)> for $operation
        where
            A: KernelType + $($bounds)* + Operator<{ method_id(stringify!($method)) }, B>,
        {
            type Output = $output;
            const NAME: &'static str = $symbol;
            const COST: u32 = $cost;
            const FAILS: bool = fails::<A, B>(BinOp::$op);

            fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
                let callee = <A as Operator<{ method_id(stringify!($method)) }, B>>::callee();
                binary(writer, BinOp::$op, callee, operands)
            }
        }

        impl<A, B: KernelType> Operation2<A, B> for $operation
        where
            A: KernelType + $($bounds)* + Operator<{ method_id(stringify!($method)) }, B>,
        {
            #[inline(always)]
            fn apply($a: A, $b: B, $context: Context) -> $output {
                $value
            }

            $($more)*
        }
    )*};
}

operations! {
    Sum Add add "+" 1: <A as ops::Add<B>>::Output where [ops::Add<B, Output: KernelType>] = |a, b, _context| a + b, {
        #[inline(always)]
        unsafe fn compute<X: Row<Item = A>, Y: Row<Item = B>>(x: X, y: Y, i: usize, context: Context) -> <A as ops::Add<B>>::Output {
            // SAFETY: by the caller's word. Of two products the first one is taken in, as kernels have it.
            unsafe {
                if X::PRODUCT || !Y::PRODUCT {
                    return x.sum(i, context, || y.get(i, context), |a, b| a + b);
                }
                let a = x.get(i, context);
                y.sum(i, context, || a, |b, a| a + b)
            }
        }
    };
    Difference Sub sub "-" 1: <A as ops::Sub<B>>::Output where [ops::Sub<B, Output: KernelType>] = |a, b, _context| a - b, {
        #[inline(always)]
        unsafe fn compute<X: Row<Item = A>, Y: Row<Item = B>>(x: X, y: Y, i: usize, context: Context) -> <A as ops::Sub<B>>::Output {
            // SAFETY: as for a sum.
            unsafe {
                if X::PRODUCT || !Y::PRODUCT {
                    return x.difference(i, context, || y.get(i, context), |a, b| a - b);
                }
                let a = x.get(i, context);
                y.rest(i, context, || a, |b, a| a - b)
            }
        }
    };
    Product Mul mul "*" 1: <A as ops::Mul<B>>::Output where [ops::Mul<B, Output: KernelType>] = |a, b, _context| a * b, {
        const PRODUCT: bool = true;
    };
    Quotient Div div "/" 4: <A as ops::Div<B>>::Output where [ops::Div<B, Output: KernelType>] = |a, b, context| {
        check(&a, &b, context, false);
        a / b
    }, {};
    Remainder Rem rem "%" 20: <A as ops::Rem<B>>::Output where [ops::Rem<B, Output: KernelType>] = |a, b, context| {
        check(&a, &b, context, true);
        a % b
    }, {};
    And BitAnd bitand "&" 1: <A as ops::BitAnd<B>>::Output where [ops::BitAnd<B, Output: KernelType>] = |a, b, _context| a & b, {};
    Or BitOr bitor "|" 1: <A as ops::BitOr<B>>::Output where [ops::BitOr<B, Output: KernelType>] = |a, b, _context| a | b, {};
    Xor BitXor bitxor "^" 1: <A as ops::BitXor<B>>::Output where [ops::BitXor<B, Output: KernelType>] = |a, b, _context| a ^ b, {};
    ShiftLeft Shl shl "<<" 1: <A as ops::Shl<B>>::Output where [ops::Shl<B, Output: KernelType>] = |a, b, _context| a << b, {};
    ShiftRight Shr shr ">>" 1: <A as ops::Shr<B>>::Output where [ops::Shr<B, Output: KernelType>] = |a, b, _context| a >> b, {};
    Equal Eq eq "eq" 1: bool where [PartialEq<B>] = |a, b, _context| a == b, {};
    NotEqual Ne ne "ne" 1: bool where [PartialEq<B>] = |a, b, _context| a != b, {};
    Less Lt lt "lt" 1: bool where [PartialOrd<B>] = |a, b, _context| a < b, {};
    LessEqual Le le "le" 1: bool where [PartialOrd<B>] = |a, b, _context| a <= b, {};
    Greater Gt gt "gt" 1: bool where [PartialOrd<B>] = |a, b, _context| a > b, {};
    GreaterEqual Ge ge "ge" 1: bool where [PartialOrd<B>] = |a, b, _context| a >= b, {};
}

macro_rules! signs {
    ($($operation:ident $op:ident $trait:ident $method:ident $symbol:literal: |$a:ident| $value:expr;)*) => {$(
        #[doc = concat!("`", $symbol, "` of an element.")]
        #[derive(Clone, Copy)]
        pub struct $operation;

        impl<A> Operation<(A,)> for $operation
        where
            A: KernelType + ops::$trait<Output: KernelType> + Operator<{ method_id(stringify!($method)) }, ()>,
        {
            type Output = <A as ops::$trait>::Output;
            const NAME: &'static str = $symbol;
            const COST: u32 = 1;
            const FAILS: bool = !A::BUILT_IN;

            fn write(writer: &mut Writer, operands: Vec<Ir>) -> Ir {
                let callee = writer.builder.callee(<A as Operator<{ method_id(stringify!($method)) }, ()>>::callee());
                let Some(a) = operands.into_iter().next() else {
                    unreachable!("it has an operand")
                };
                expr(ExprKind::Unary(UnOp::$op, Box::new(a), Some(callee)))
            }
        }

        impl<A> Operation1<A> for $operation
        where
            A: KernelType + ops::$trait<Output: KernelType> + Operator<{ method_id(stringify!($method)) }, ()>,
        {
            #[inline(always)]
            fn apply($a: A, _: Context) -> <A as ops::$trait>::Output {
                $value
            }
        }

        impl<T, const D: usize, N: Node<Item = T>> ops::$trait for Expr<T, D, N>
        where
            T: KernelType + ops::$trait<Output: KernelType> + Operator<{ method_id(stringify!($method)) }, ()>,
        {
            type Output = Expr<<T as ops::$trait>::Output, D, Of1<$operation, N>>;

            #[inline]
            fn $method(self) -> Self::Output {
                Expr::new(Of1(self.node, PhantomData))
            }
        }

        impl<'a, T, const D: usize, L: FieldLayout> ops::$trait for &'a Field<T, D, L>
        where
            T: Element + ops::$trait<Output: KernelType> + Operator<{ method_id(stringify!($method)) }, ()>,
        {
            type Output = Expr<<T as ops::$trait>::Output, D, Of1<$operation, Leaf<'a, T, D, L::Part>>>;

            #[inline]
            fn $method(self) -> Self::Output {
                Expr::new(Of1(Leaf(self.view()), PhantomData))
            }
        }

        impl<'a, T, const D: usize, L: Layout> ops::$trait for FieldView<'a, T, D, L>
        where
            T: Element + ops::$trait<Output: KernelType> + Operator<{ method_id(stringify!($method)) }, ()>,
        {
            type Output = Expr<<T as ops::$trait>::Output, D, Of1<$operation, Leaf<'a, T, D, L>>>;

            #[inline]
            fn $method(self) -> Self::Output {
                Expr::new(Of1(Leaf(self), PhantomData))
            }
        }
    )*};
}
signs! {
    Negative Neg Neg neg "-": |a| -a;
    Not Not Not not "!": |a| !a;
}

/// An operator between what has elements of type `A` and what has elements of type `B`.
macro_rules! between {
    ($operation:ident $trait:ident $method:ident; $([$($params:tt)*] $left:ty, $a:ty, $left_node:ty, |$x:ident| $left_value:expr;)*) => {$(
        // Written by the head of the right side: a literal there has no type of its own.
        #[diagnostic::do_not_recommend]
        impl<$($params)*, U, const E: usize, const F: usize, M: Node<Item = U>> ops::$trait<Expr<U, E, M>> for $left
        where
            $a: ops::$trait<U, Output: KernelType> + Operator<{ method_id(stringify!($method)) }, U>,
            U: KernelType,
            Dim<D>: Join<Dim<E>, Out = Dim<F>>,
        {
            type Output = Expr<<$a as ops::$trait<U>>::Output, F, Of2<$operation, $left_node, M>>;

            #[inline]
            fn $method(self, other: Expr<U, E, M>) -> Self::Output {
                let $x = self;
                Expr::new(Of2($left_value, other.node, PhantomData))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'b, $($params)*, U, const E: usize, const F: usize, K: FieldLayout> ops::$trait<&'b Field<U, E, K>> for $left
        where
            $a: ops::$trait<U, Output: KernelType> + Operator<{ method_id(stringify!($method)) }, U>,
            U: Element,
            Dim<D>: Join<Dim<E>, Out = Dim<F>>,
        {
            type Output = Expr<<$a as ops::$trait<U>>::Output, F, Of2<$operation, $left_node, Leaf<'b, U, E, K::Part>>>;

            #[inline]
            fn $method(self, other: &'b Field<U, E, K>) -> Self::Output {
                let $x = self;
                Expr::new(Of2($left_value, Leaf(other.view()), PhantomData))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'b, $($params)*, U, const E: usize, const F: usize, K: Layout> ops::$trait<FieldView<'b, U, E, K>> for $left
        where
            $a: ops::$trait<U, Output: KernelType> + Operator<{ method_id(stringify!($method)) }, U>,
            U: Element,
            Dim<D>: Join<Dim<E>, Out = Dim<F>>,
        {
            type Output = Expr<<$a as ops::$trait<U>>::Output, F, Of2<$operation, $left_node, Leaf<'b, U, E, K>>>;

            #[inline]
            fn $method(self, other: FieldView<'b, U, E, K>) -> Self::Output {
                let $x = self;
                Expr::new(Of2($left_value, Leaf(other), PhantomData))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($params)*, S: Value> ops::$trait<S> for $left
        where
            $a: ops::$trait<S, Output: KernelType> + Operator<{ method_id(stringify!($method)) }, S>,
        {
            type Output = Expr<<$a as ops::$trait<S>>::Output, D, Of2<$operation, $left_node, Constant<S>>>;

            #[inline]
            fn $method(self, other: S) -> Self::Output {
                let $x = self;
                Expr::new(Of2($left_value, Constant(other), PhantomData))
            }
        }
    )*};
}

/// An operator of a value of type `$s` with what has elements of type `$item`.
macro_rules! value_first {
    ($operation:ident $trait:ident $method:ident; $([$($params:tt)*] $s:ty, $item:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($params)* const E: usize, M: Node<Item = $item>> ops::$trait<Expr<$item, E, M>> for $s {
            type Output = Expr<<$s as ops::$trait<$item>>::Output, E, Of2<$operation, Constant<$s>, M>>;

            #[inline]
            fn $method(self, other: Expr<$item, E, M>) -> Self::Output {
                Expr::new(Of2(Constant(self), other.node, PhantomData))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'b, $($params)* const E: usize, K: FieldLayout> ops::$trait<&'b Field<$item, E, K>> for $s {
            type Output = Expr<<$s as ops::$trait<$item>>::Output, E, Of2<$operation, Constant<$s>, Leaf<'b, $item, E, K::Part>>>;

            #[inline]
            fn $method(self, other: &'b Field<$item, E, K>) -> Self::Output {
                Expr::new(Of2(Constant(self), Leaf(other.view()), PhantomData))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'b, $($params)* const E: usize, K: Layout> ops::$trait<FieldView<'b, $item, E, K>> for $s {
            type Output = Expr<<$s as ops::$trait<$item>>::Output, E, Of2<$operation, Constant<$s>, Leaf<'b, $item, E, K>>>;

            #[inline]
            fn $method(self, other: FieldView<'b, $item, E, K>) -> Self::Output {
                Expr::new(Of2(Constant(self), Leaf(other), PhantomData))
            }
        }
    )*};
}

/// All forms of an operator.
macro_rules! operators {
    ($($operation:ident $trait:ident $method:ident [$($s:ident)*];)*) => {$(
        between! {
            $operation $trait $method;
            [T: KernelType, const D: usize, N: Node<Item = T>] Expr<T, D, N>, T, N, |x| x.node;
            ['a, T: Element, const D: usize, L: FieldLayout] &'a Field<T, D, L>, T, Leaf<'a, T, D, L::Part>, |x| Leaf(x.view());
            ['a, T: Element, const D: usize, L: Layout] FieldView<'a, T, D, L>, T, Leaf<'a, T, D, L>, |x| Leaf(x);
        }
        value_first! { $operation $trait $method; $([] $s, $s;)* }
    )*};
}
operators! {
    Sum Add add [i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64];
    Difference Sub sub [i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64];
    Product Mul mul [i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64];
    Quotient Div div [i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64];
    Remainder Rem rem [i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64];
    And BitAnd bitand [bool i8 i16 i32 i64 u8 u16 u32 u64];
    Or BitOr bitor [bool i8 i16 i32 i64 u8 u16 u32 u64];
    Xor BitXor bitxor [bool i8 i16 i32 i64 u8 u16 u32 u64];
    ShiftLeft Shl shl [];
    ShiftRight Shr shr [];
}

/// Operators of vectors, matrices and complex numbers, and of scalars with these.
macro_rules! of_several {
    ($($operation:ident $trait:ident $method:ident;)*) => {$(
        value_first! {
            $operation $trait $method;
            [T: Scalar, const C: usize,] Vector<T, C>, Vector<T, C>;
            [T: Scalar, const C: usize,] Vector<T, C>, T;
            [] Complex<f32>, Complex<f32>;
            [] Complex<f64>, Complex<f64>;
            [] Complex<f32>, f32;
            [] Complex<f64>, f64;
            [] f32, Complex<f32>;
            [] f64, Complex<f64>;
        }
        of_several!(@scalars $operation $trait $method i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64);
    )*};
    (@scalars $operation:ident $trait:ident $method:ident $($s:ident)*) => {
        value_first! { $operation $trait $method; $([const C: usize,] $s, Vector<$s, C>;)* }
    };
}
of_several! {
    Sum Add add;
    Difference Sub sub;
    Product Mul mul;
    Quotient Div div;
}
value_first! {
    Product Mul mul;
    [T: Scalar, const R: usize, const C: usize,] Matrix<T, R, C>, Vector<T, C>;
    [T: Scalar, const R: usize, const C: usize,] Vector<T, R>, Matrix<T, R, C>;
    [T: Scalar, const R: usize, const C: usize,] Matrix<T, R, C>, T;
    [T: Scalar, const R: usize, const I: usize, const C: usize,] Matrix<T, R, I>, Matrix<T, I, C>;
    [const R: usize, const C: usize,] f32, Matrix<f32, R, C>;
    [const R: usize, const C: usize,] f64, Matrix<f64, R, C>;
}
value_first! {
    Sum Add add;
    [T: Scalar, const R: usize, const C: usize,] Matrix<T, R, C>, Matrix<T, R, C>;
}
value_first! {
    Difference Sub sub;
    [T: Scalar, const R: usize, const C: usize,] Matrix<T, R, C>, Matrix<T, R, C>;
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $operation:ident $trait:ident;)*) => {
        impl<T: KernelType, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $name<R: IntoExpr<T>, const E: usize>(self, other: R) -> Expr<bool, E, Of2<$operation, N, R::Node>>
                where
                    T: $trait + Operator<{ method_id(stringify!($name)) }, T>,
                    Dim<D>: Join<R::Rank, Out = Dim<E>>,
                {
                    Expr::new(Of2(self.node, other.into_node(), PhantomData))
                }
            )*
        }
    };
}
comparisons! {
    /// Whether an element is equal to the other one.
    eq Equal PartialEq;
    /// Whether an element is not equal to the other one.
    ne NotEqual PartialEq;
    /// Whether an element is less than the other one.
    lt Less PartialOrd;
    /// Whether an element is less than the other one or equal.
    le LessEqual PartialOrd;
    /// Whether an element is greater than the other one.
    gt Greater PartialOrd;
    /// Whether an element is greater than the other one or equal.
    ge GreaterEqual PartialOrd;
}
